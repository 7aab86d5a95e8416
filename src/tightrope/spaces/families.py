"""The families of spaces that are lattices, each with its own words.

Every function checks its numbers, so that a space that exists is a space that makes sense:
at least two points, at most 10^4000, and every distance well defined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2
from typing import Any, Final

import numpy as np

from tightrope.errors import BadSpace
from tightrope.spaces.checks import (
    LARGEST_NUMBER,
    Number,
    check_digits,
    check_distinct,
    check_name,
    decimal,
    positive_rational,
    quote_name,
    show,
    whole,
    whole_between,
)
from tightrope.spaces.labels import Integers, Names, Naming, Subsets, Tuples
from tightrope.spaces.lattices import Family, Lattice
from tightrope.spaces.names import split_names
from tightrope.spaces.norms import Metric, Norm
from tightrope.spaces.protocol import label_of, refuse_above
from tightrope.spaces.regions import Box, Simplex

_MOST_AXES: Final = 5_000
_MOST_NAMES: Final = 1_000_000


def path(low: int, high: int) -> Lattice:
    """The integers from low to high; the distance is the absolute difference.

    Returns: a `Lattice`; its points are the integers themselves.

    Raises: `BadSpace` where `low` is not below `high`, or either is no whole number.

    >>> space = path(0, 49)
    >>> space.size, space.points[7], str(space.distance(0, 49))
    (50, 7, '49')
    """
    low, high = whole("low", low), whole("high", high)
    for name, bound in (("low", low), ("high", high)):
        refuse_above(LARGEST_NUMBER, abs(bound), f"the bound {name}", "use a shorter path")
    if not low < high:
        raise BadSpace(
            f"a path needs a low end below its high end, found {low}..{high}.", low=low, high=high
        )
    form = (("family", "path"), ("low", low), ("high", high))
    return Lattice(
        f"path:{low}..{high}",
        form,
        Box((high - low + 1,)),
        Norm(Metric.MANHATTAN),
        Integers(low),
        "counts that differ by one",
    )


def sums(*, people: int, maximum: int) -> Lattice:
    """Sums over people who each give 0 to maximum; the distance counts people.

    Returns: a `Lattice`; its points are the integers from 0 to `people` times `maximum`.

    Raises: `BadSpace` where a number is not whole and at least 1.

    >>> str(sums(people=150, maximum=5).distance(0, 7))
    '2'
    """
    people = whole_between("people", people)
    maximum = whole_between("max", maximum)
    refuse_above(LARGEST_NUMBER, people * maximum, "the largest sum", "use fewer people")
    form = (("family", "sum"), ("people", people), ("max", maximum))
    return Lattice(
        f"sum:people={people},max={maximum}",
        form,
        Box((people * maximum + 1,)),
        Norm(Metric.MANHATTAN, block=maximum),
        Integers(),
        "one person's contribution changed",
    )


def largest_change(space: object) -> int | None:
    """How much one step changes a whole number: 1 on a path, v on sums; None elsewhere.

    >>> largest_change(path(0, 9)), largest_change(sums(people=9, maximum=3))
    (1, 3)
    """
    if isinstance(space, Lattice) and space.family in (Family.PATH, Family.SUM):
        return space.norm.block
    return None


def counts(*, people: int, queries: int) -> Lattice:
    """Answers to several counting questions; one person may move all of them by one.

    Returns: a `Lattice`; its points are tuples, one count from 0 to `people` for each question.

    Raises: `BadSpace` where a number is not whole and at least 1; `TooLarge` beyond 5,000 queries.

    >>> space = counts(people=30, queries=2)
    >>> space.size, str(space.distance(space.index((3, 5)), space.index((4, 4))))
    (961, '1')
    """
    people = whole_between("people", people)
    queries = whole_between("queries", queries, most=_MOST_AXES)
    check_digits(queries * log2(people + 1))
    form = (("family", "counts"), ("people", people), ("queries", queries))
    return Lattice(
        f"counts:people={people},queries={queries}",
        form,
        Box((people + 1,) * queries),
        Norm(Metric.CHEBYSHEV),
        Tuples(),
        "one person's answers changed",
    )


def histogram(*, people: int, cells: int, neighbors: str = "replace") -> Lattice:
    """Numbers of people per cell; the distance counts people replaced, or added and removed.

    Returns: a `Lattice`; its points are tuples, one number for each cell.

    Raises: `BadSpace` where a number is not whole and at least 1, `neighbors` is neither "replace"
    nor "add-remove", or there would be one point only.

    >>> histogram(people=2, cells=2).points[:]
    ((0, 2), (1, 1), (2, 0))
    """
    people = whole_between("people", people)
    cells = whole_between("cells", cells, least=1, most=_MOST_AXES)
    if neighbors not in ("replace", "add-remove"):
        raise BadSpace(
            "expected neighbors=replace or neighbors=add-remove, "
            f"found neighbors={show(neighbors)}.",
            found=neighbors,
        )
    slack = neighbors == "add-remove"
    if cells == 1 and not slack:
        raise BadSpace(
            "a histogram of one cell under neighbors=replace has one point only; "
            "use at least 2 cells or neighbors=add-remove."
        )
    check_digits(min(people, cells) * log2(people + cells + 1))
    form = (("family", "histogram"), ("people", people), ("cells", cells), ("neighbors", neighbors))
    tail = ",neighbors=add-remove" if slack else ""
    return Lattice(
        f"histogram:people={people},cells={cells}{tail}",
        form,
        Simplex(people, cells, slack),
        Norm(Metric.MANHATTAN, block=1 if slack else 2),
        Tuples(),
        "one person added or removed" if slack else "one person replaced",
    )


def grid(shape: Sequence[int], step: Number = 1, metric: str | Metric = "euclidean") -> Lattice:
    """The cells of a box of any dimension; neighboring cells are one step apart.

    Returns: a `Lattice`; its points are tuples, one coordinate for each side, counted from 0.

    Raises: `BadSpace` for fewer than two cells, a step that is not above 0, or an unknown metric.

    >>> str(grid((10, 10), step="1/2").distance(0, 11))
    '1/2√2'
    """
    if isinstance(shape, str) or not isinstance(shape, Iterable):  # type: ignore[unreachable]
        raise BadSpace(f"expected the sides of a grid, such as (10, 10), found {show(shape)}.")
    given = tuple(shape)
    refuse_above(_MOST_AXES, len(given), "the number of axes", "use fewer")
    sides = tuple(whole_between("a side of the grid", side) for side in given)
    if not any(side > 1 for side in sides):
        raise BadSpace("a grid needs at least two cells, for example grid:10x10.")
    check_digits(sum(map(log2, sides)))
    kind = _metric(metric)
    length = positive_rational(step, "the step of the grid")
    text = "grid:" + "x".join(map(str, sides))
    text += "" if length == 1 else f",step={decimal(length)}"
    text += "" if kind is Metric.EUCLIDEAN else f",metric={kind.value}"
    form = (("family", "grid"), ("shape", sides), ("step", str(length)), ("metric", kind.value))
    relation = None if kind is Metric.EUCLIDEAN else "cells one step apart"
    return Lattice(text, form, Box(sides), Norm(kind, step=length), Tuples(), relation)


def hamming(*, values: int, people: int) -> Lattice:
    """Databases with one value per person; the distance counts the people who differ.

    Returns: a `Lattice`; its points are tuples, one value from 0 for each person.

    Raises: `BadSpace` for fewer than two values, or no people; `TooLarge` beyond 10^4000 points.

    >>> space = hamming(values=4, people=5)
    >>> space.size, str(space.distance(0, space.index((0, 0, 0, 3, 1))))
    (1024, '2')
    """
    values = whole_between("values", values, least=2)
    people = whole_between("people", people, most=_MOST_AXES * 3)
    check_digits(people * log2(values))
    form = (("family", "hamming"), ("values", values), ("people", people))
    return Lattice(
        f"hamming:values={values},people={people}",
        form,
        Box((values,) * people),
        Norm(Metric.HAMMING),
        Tuples(),
        "one person's value changed",
    )


def categories(values: int | Sequence[str]) -> Lattice:
    """Values at distance 1 from each other: so many numbered ones, or these names.

    Returns: a `Lattice`; its points are the names, or the numbers from 0.

    Raises: `BadSpace` for fewer than two values, or for names that are empty or occur twice.

    >>> categories(["red", "green", "blue"]).text, categories(3).points
    ('categories:red/green/blue', range(0, 3))
    >>> categories("red/green/blue") == categories(["red", "green", "blue"])
    True
    """
    if isinstance(values, int | np.integer):
        values = whole_between("the number of categories", values, least=2, most=_MOST_NAMES)
        return _one_of(
            "categories",
            values,
            str(values),
            ("values", tuple(range(values))),
            Integers(),
            "any two values",
        )
    if not isinstance(values, Iterable):
        raise BadSpace(f"expected a number of categories or their names, found {show(values)}.")
    given = split_names(values) if isinstance(values, str) else values
    names = tuple(label_of(name) for name in given)
    if not all(isinstance(name, str) and name for name in names):
        raise BadSpace(
            "every category needs a name that is not empty, for example categories:red/green/blue.",
            found=names,
        )
    for name in names:
        check_name(name)
    check_distinct(names, "categories")
    if len(names) < 2:
        raise BadSpace(
            "expected at least two categories, for example categories:red/green/blue, "
            f"found {len(names)}."
        )
    text = "/".join(map(quote_name, names))
    return _one_of(
        "categories", len(names), text, ("values", names), Names(names), "any two values"
    )


def complete(nodes: int) -> Lattice:
    """The complete graph: any two nodes at distance 1.

    Returns: a `Lattice`; its points are the numbers from 0.

    Raises: `BadSpace` for fewer than two nodes, or a number that is not whole.

    >>> str(complete(5).distance(0, 4))
    '1'
    """
    nodes = whole_between("the number of nodes", nodes, least=2)
    return _one_of("complete", nodes, str(nodes), ("nodes", nodes), Integers(), "any two nodes")


def sets(items: int) -> Lattice:
    """The subsets of some items; the distance is the size of the symmetric difference.

    Returns: a `Lattice`; its points are tuples of the items that a subset holds.

    Raises: `BadSpace` where the number is not whole and at least 1; `TooLarge` beyond 10,000 items.

    >>> sets(2).points[:]
    ((), (0,), (1,), (0, 1))
    """
    items = whole_between("the number of items", items, most=_MOST_AXES * 2)
    check_digits(float(items))
    form = (("family", "sets"), ("items", items))
    return Lattice(
        f"sets:{items}",
        form,
        Box((2,) * items),
        Norm(Metric.HAMMING),
        Subsets(items),
        "one item added or removed",
    )


def cycle(nodes: int) -> Lattice:
    """Nodes around a circle; the distance is the shorter way around.

    Returns: a `Lattice`; its points are the numbers from 0, in their order around the circle.

    Raises: `BadSpace` for fewer than two nodes, or a number that is not whole.

    >>> str(cycle(7).distance(0, 5))
    '2'
    """
    nodes = whole_between("the number of nodes", nodes, least=2)
    form = (("family", "cycle"), ("nodes", nodes))
    return Lattice(
        f"cycle:{nodes}",
        form,
        Box((nodes,)),
        Norm(Metric.CYCLIC, block=nodes),
        Integers(),
        "adjacent nodes",
    )


def _one_of(
    family: str, size: int, text: str, entry: tuple[str, Any], naming: Naming, relation: str
) -> Lattice:
    return Lattice(
        f"{family}:{text}",
        (("family", family), entry),
        Box((size,)),
        Norm(Metric.HAMMING),
        naming,
        relation,
    )


def _metric(metric: str | Metric) -> Metric:
    name = metric.value if isinstance(metric, Metric) else metric
    for kind in (Metric.EUCLIDEAN, Metric.MANHATTAN, Metric.CHEBYSHEV):
        if kind.value == name:
            return kind
    raise BadSpace(
        f"expected the metric euclidean, manhattan or chebyshev, found {show(name)}.", found=name
    )
