"""How a space is shown: one line in a terminal, a card with its distances in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tightrope.characters import counted, few, label_text, shorten
from tightrope.markup import LARGEST_PICTURE, card, heat_map
from tightrope.spaces.protocol import Space

if TYPE_CHECKING:
    from tightrope.spaces.datasets import Datasets
    from tightrope.spaces.sensitivity import MetricQuery

_MEASURED: Final = 1000
"""Points up to which a card tells the distances: those of larger spaces may take long to find."""


def space_line(space: Space) -> str:
    """A space in one line.

    >>> from tightrope.spaces import path
    >>> space_line(path(0, 999_999))
    'Space(path:0..999999, 1,000,000 points)'
    """
    return f"Space({shorten(space.text)}, {counted(space.size, 'point')})"


def query_line(query: MetricQuery) -> str:
    """A query in one line: from which datasets to which values."""
    datasets, values = query.datasets, query.codomain
    return (
        f"MetricQuery({counted(datasets.size, 'dataset')} of {shorten(datasets.text)} "
        f"to {counted(values.size, 'value')} of {shorten(values.text)})"
    )


def space_card(space: Space) -> str:
    """A space as HTML: its points, how far apart they are, who are neighbors."""
    relation = space.neighbors
    return card(
        shorten(space.text),
        [
            ("points", f"{counted(space.size, 'point')}: {few(space.points, space.size)}"),
            ("distances", distances_text(space) if space.size <= _MEASURED else None),
            ("neighbors", "none are declared" if relation is None else relation.relation),
        ],
        picture=_picture(space),
    )


def distances_text(space: Space | Datasets) -> str:
    """How far apart inputs are: the level is about distance d as a factor e^(ε d).

    >>> from tightrope.spaces import categories, path
    >>> distances_text(path(0, 9)), distances_text(categories(3))
    ('from 1 to 9', '1 between any two inputs')
    """
    from tightrope.spaces.components import count_components, farthest, is_connected
    from tightrope.spaces.datasets import Datasets
    from tightrope.spaces.directed import Directed

    if isinstance(space, Datasets):
        return "1 between neighbors"
    near, far = space.least_distance, farthest(space)
    between = "from {} to {}" if near != far else "{} between any two inputs"
    text = between.format(near.short, far.short)
    if isinstance(space, Directed):
        return f"from {near.short} to {far.short} in the order protected, else infinite"
    if is_connected(space):
        return text
    count = count_components(space)
    return f"infinite between {count:,} components, which are NOT protected; inside one, {text}"


def _picture(space: Space) -> str:
    from tightrope.spaces.components import is_connected

    if space.size > LARGEST_PICTURE or not is_connected(space):
        return ""
    everyone = range(space.size)
    names = [label_text(point) for point in space.points]
    rows = [[float(space.distance(i, j)) for j in everyone] for i in everyone]
    return heat_map(rows, names, names, names=("point", "point"), what="the distance of any two")
