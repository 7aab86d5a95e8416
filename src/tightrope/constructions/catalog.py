"""The catalog: every construction under its name, and when it applies.

A new construction is one module and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tightrope.constructions.exponential import exponential
from tightrope.constructions.geometric import truncated_geometric, two_sided_geometric
from tightrope.constructions.randomized_response import randomized_response
from tightrope.errors import BadInput
from tightrope.exact import Level, tolerances
from tightrope.mechanisms import Mechanism
from tightrope.spaces import Space


@dataclass(frozen=True)
class Entry:
    """A construction: its name, what it is in one sentence, when it applies, how to build it.

    `obstacle` returns None where the construction applies, else one sentence that says why not.
    """

    name: str
    reason: str
    obstacle: Callable[[Space], str | None]
    build: Callable[[Space, Level], Mechanism]


def _path_only(space: Space) -> str | None:
    if space.describe()["family"] != "path":
        return f"it needs a path of whole numbers, not {space.text}."
    return None


def _short_path_only(space: Space) -> str | None:
    return _path_only(space) or _matrix_size(space)


def _equidistant_only(space: Space) -> str | None:
    if space.diameter != space.least_distance or not space.diameter.rational:
        return f"it needs points that are all equally far apart, which {space.text} has not."
    if space.size > tolerances.LARGEST_KERNEL:
        return f"a document lists every point, and {space.size:,} points are too many for that."
    return None


def _matrix_size(space: Space) -> str | None:
    if space.size**2 > tolerances.LARGEST_MATRIX:
        return f"it is written out as a matrix, and {space.size:,} points are too many for that."
    return None


CATALOG: tuple[Entry, ...] = (
    Entry(
        "geometric",
        "two-sided geometric noise, moved back into the range",
        _short_path_only,
        truncated_geometric,
    ),
    Entry(
        "randomized-response",
        "the truth or, with equal chances, any other value",
        _equidistant_only,
        randomized_response,
    ),
    Entry(
        "exponential",
        "any point, the likelier the nearer; half the level pays for the normalizers",
        _matrix_size,
        exponential,
    ),
    Entry(
        "two-sided-geometric",
        "geometric noise on all integers; answers may leave the range",
        _path_only,
        two_sided_geometric,
    ),
)


def entry(name: str) -> Entry:
    """The construction of that name.

    >>> entry("geometric").reason
    'two-sided geometric noise, moved back into the range'
    """
    for candidate in CATALOG:
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in CATALOG)
    raise BadInput(f"there is no construction {name!r}; expected one of {known}.")
