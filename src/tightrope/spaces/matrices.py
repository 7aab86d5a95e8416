"""Spaces given by a matrix of distances, checked to be a metric.

Distances are exact decimals or fractions, kept as integers over a common denominator, so
that every check is an integer comparison. What breaks a metric is named with its points.
"inf" is a distance too: that of points in different components. Great-circle distances become
such a matrix, rounded up to whole millimeters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadSpace, NotAMetric
from tightrope.exact import IntArray, Surd, own
from tightrope.spaces.checks import LONGEST_BITS, Number, check_distinct, check_name, rational
from tightrope.spaces.irreducible import MOST_TRIPLES, detours, irreducible_integers, narrow
from tightrope.spaces.listed_points import TabledDistances
from tightrope.spaces.protocol import (
    Label,
    Neighbors,
    Pairs,
    label_of,
    plain,
    refuse_above,
)

_DEEPEST_LABEL = 50
UNITS = {"mm": 1, "m": 1_000, "km": 1_000_000}
"""Units of distances on the earth, in millimeters."""
_EARTH_RADIUS = 6_371_008_800.0  # mean radius in millimeters


@dataclass(frozen=True, eq=False, repr=False)
class MatrixSpace(TabledDistances):
    """Points with a checked matrix of rational distances; made by `matrix`.

    `beyond` is the numerator, larger than any sum of two others, that stands for infinity;
    `unit` is what distances are counted in, where that is known.
    """

    points: tuple[Label, ...]
    numerators: NDArray[Any]
    denominator: int
    beyond: int | None = None
    unit: str | None = None

    def __post_init__(self) -> None:
        own(self, "numerators")
        if self.numerators.shape != (len(self.points),) * 2 or self.denominator < 1:
            raise BadSpace("expected a square matrix, a row for each label, over a denominator.")
        _check_metric(self.points, self.numerators)

    @property
    def text(self) -> str:
        """The space in words; its content is in `describe`."""
        measured = "" if self.unit is None else f", distances in {self.unit}"
        return f"matrix of {self.size} points{measured}"

    @property
    def neighbors(self) -> Neighbors | None:
        """None: a matrix of distances declares no neighbors."""
        return None

    @property
    def connected(self) -> bool:
        """Whether all distances are finite."""
        return self.beyond is None

    @property
    def components(self) -> IntArray:
        """The component of every point, numbered from 0."""
        if self.beyond is None:
            return np.zeros(self.size, dtype=np.int64)
        first = np.argmax(self.numerators != self.beyond, axis=1)
        return np.unique(first, return_inverse=True)[1].astype(np.int64)

    @property
    def least_distance(self) -> Surd:
        """The smallest positive distance."""
        return self._surd(int(self.numerators[np.triu_indices(self.size, 1)].min()))

    def describe(self) -> dict[str, Any]:
        """The document form of the space."""
        rows = self.numerators.tolist()
        form = {
            "family": "matrix",
            "labels": [plain(label) for label in self.points],
            "distances": [[str(self._surd(x)) for x in row] for row in rows],
        }
        return form if self.unit is None else {**form, "unit": self.unit}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatrixSpace):
            return NotImplemented
        return (self.points, self.denominator, self.beyond) == (
            other.points,
            other.denominator,
            other.beyond,
        ) and np.array_equal(self.numerators, other.numerators)

    def __hash__(self) -> int:
        return hash((self.points, self.denominator, int(self.numerators.max())))

    @cached_property
    def _edges(self) -> Pairs:
        return irreducible_integers(self.numerators, self.beyond)


def matrix(
    labels: Iterable[Label],
    distances: Sequence[Sequence[Number]],
    *,
    repair: bool = False,
    unit: str | None = None,
) -> MatrixSpace:
    """The space with these distances, which must be a metric, or are made one.

    >>> space = matrix(["a", "b"], [["0", "1/2"], ["1/2", "0"]])
    >>> str(space.distance(0, 1))
    '1/2'

    "inf" stands between points that are not protected against each other at all. `repair`
    takes the shorter of both directions and then shortest paths, so that nothing gets farther
    and every level promises no less. `unit` says what distances are counted in: mm, m or km.

    Returns
    -------
    MatrixSpace, whose points are the labels.

    Raises
    ------
    NotAMetric
        if a distance is negative, zero between different points, not symmetric, or longer
        than the way through a third point; the points are named.
    BadSpace
        if the matrix is not square, or no two points are at a finite distance.
    """
    names = check_labels(labels)
    distances = as_rows(distances)
    if len(distances) != len(names) or any(len(row) != len(names) for row in distances):
        lengths = sorted({len(row) for row in distances})
        raise BadSpace(
            f"expected a square matrix with {len(names)} rows and columns, one for "
            f"each label, found {len(distances)} rows of lengths {lengths[:5]}."
        )
    refuse_above(
        MOST_TRIPLES,
        len(names),
        "the number of points of a matrix",
        "use a family with structure, or points with coordinates",
    )
    numerators, denominator, beyond = _integers(names, distances)
    if repair and (numerators >= 0).all():
        numerators = _shortest_paths(numerators)
    measured = None if unit is None else check_unit(unit)
    space = MatrixSpace(names, numerators, denominator, beyond, measured)
    if beyond is not None and (numerators[np.triu_indices(len(names), 1)] == beyond).all():
        raise BadSpace("no two points are at a finite distance: nothing would be protected.")
    return space


def haversine(
    labels: Iterable[Label], positions: Sequence[Sequence[Number]], *, unit: str = "m"
) -> MatrixSpace:
    """Great-circle distances of (latitude, longitude) in degrees, counted in m, km or mm.

    Distances are rounded up to whole millimeters and closed under shortest paths, so that
    they are a metric. A level ε is then per unit: e^ε at a distance of one meter, unless
    another unit is asked for.

    >>> space = haversine(["Paris", "Rome"], [("48.8566", "2.3522"), ("41.9028", "12.4964")])
    >>> round(float(space.diameter)), space.text
    (1105282, 'matrix of 2 points, distances in m')
    """
    from scipy.sparse.csgraph import floyd_warshall

    names = check_labels(labels)
    refuse_above(MOST_TRIPLES, len(names), "the number of positions", "use fewer")
    exact = [[rational(x, "a coordinate") for x in row] for row in as_rows(positions)]
    for name, row in zip(names, exact, strict=False):
        if len(row) != 2 or not (abs(row[0]) <= 90 and abs(row[1]) <= 360):
            raise BadSpace(
                "expected a latitude from -90 to 90 and a longitude from -360 to 360 "
                f"in degrees, found {[str(x) for x in row]} at {name}."
            )
    if len(exact) != len(names):
        raise BadSpace(f"expected {len(names)} positions, one for each label, found {len(exact)}.")
    check_distinct([tuple(map(str, row)) for row in exact], "positions")
    radians = np.radians(np.array(exact, dtype=np.float64))
    latitude, longitude = radians[:, :1], radians[:, 1:]
    half = (
        np.sin((latitude - latitude.T) / 2) ** 2
        + np.cos(latitude) * np.cos(latitude.T) * np.sin((longitude - longitude.T) / 2) ** 2
    )
    arcs = 2 * _EARTH_RADIUS * np.arcsin(np.sqrt(np.clip(half, 0, 1)))
    rounded = np.maximum(np.ceil(np.maximum(arcs, arcs.T)), 1)
    np.fill_diagonal(rounded, 0)
    shortest = floyd_warshall(rounded).astype(np.int64)
    return MatrixSpace(names, shortest, UNITS[check_unit(unit)], unit=unit)


def check_unit(unit: str) -> str:
    """The unit itself, if it is one that is known."""
    if unit not in UNITS:
        raise BadSpace(f"expected a unit of {', '.join(UNITS)}, found {str(unit)[:40]!r}.")
    return unit


def check_labels(labels: Iterable[Any]) -> tuple[Label, ...]:
    """Labels as hashable values: at least two, distinct, and of the kinds documents hold."""
    given = tuple(labels)
    for label in given:
        _check_label(label)
    names = tuple(label_of(label) for label in given)
    if len(names) < 2:
        raise BadSpace(f"a space needs at least two points, found {len(names)}.")
    check_distinct(names, "labels")
    return names


def as_rows(table: Any) -> Sequence[Sequence[Number]]:
    """Rows of Python numbers, also from an array."""
    rows: Sequence[Sequence[Number]] = table.tolist() if isinstance(table, np.ndarray) else table
    return rows


def _check_label(label: Any, depth: int = 0) -> None:
    if isinstance(label, list | tuple):
        if depth == _DEEPEST_LABEL:
            raise BadSpace(f"a label must not be nested more than {_DEEPEST_LABEL} deep.")
        for part in label:
            _check_label(part, depth + 1)
    elif not isinstance(label, int | str | np.integer) or isinstance(label, bool):
        raise BadSpace(
            f"a label must be a whole number, text or a list of those, found {str(label)[:60]!r}."
        )
    elif isinstance(label, str):
        check_name(label)


def _integers(
    names: tuple[Label, ...], distances: Sequence[Sequence[Number]]
) -> tuple[NDArray[Any], int, int | None]:
    """The distances as integers over their least common denominator, and the infinite one."""
    if all(type(value) is int for row in distances for value in row):
        whole = narrow([int(value) for row in distances for value in row])
        return whole.reshape(len(names), -1), 1, None
    known: dict[Number, Fraction | None] = {}
    rows = []
    for a, row in zip(names, distances, strict=True):
        for b, value in zip(names, row, strict=True):
            if value is None or value == "" or value != value:
                raise BadSpace(f"the distance between {a} and {b} is missing.")
            if isinstance(value, bool | list | dict) or value not in known:
                finite = not is_infinite(value)
                named = f"the distance between {a} and {b}"
                known[value] = rational(value, named) if finite else None
        rows.append([known[value] for value in row])
    exact = list(dict.fromkeys(value for value in known.values() if value is not None))
    denominator = lcm(*{value.denominator for value in exact})
    numerators = [int(value * denominator) for value in exact]
    if max(denominator, *map(abs, numerators)).bit_length() > LONGEST_BITS:
        raise BadSpace("the distances together need more than 300 digits; round them.")
    beyond = 2 * max(map(abs, numerators), default=0) + 1
    place = {value: k for k, value in enumerate([*exact, None])}
    integers = narrow([*numerators, beyond])
    table = integers[np.array([[place[value] for value in row] for row in rows])]
    return table, denominator, beyond if None in known.values() else None


def is_infinite(value: Any) -> bool:
    """Whether a number or text says that a distance is infinite.

    >>> is_infinite("inf"), is_infinite(float("inf")), is_infinite("-inf"), is_infinite(3)
    (True, True, False, False)
    """
    return value == "inf" or (isinstance(value, float) and value == np.inf)


def _shortest_paths(numerators: NDArray[Any]) -> NDArray[Any]:
    """Shortest paths over the shorter of both directions."""
    lengths: NDArray[Any] = np.minimum(numerators, numerators.T)
    for k in range(len(lengths)):
        np.minimum(lengths, lengths[:, k, None] + lengths[k], out=lengths)
    return lengths


def _check_metric(names: tuple[Label, ...], numerators: NDArray[Any]) -> None:
    for wrong, reason in (
        (np.diag(np.diag(numerators)) != 0, "a point must be at distance 0 from itself"),
        (numerators < 0, "a distance is negative"),
        ((numerators == 0) & ~np.eye(len(names), dtype=bool), "different points are at distance 0"),
        (numerators != numerators.T, "the distances in both directions differ"),
    ):
        if wrong.any():
            a, b = np.argwhere(wrong)[0].tolist()
            if reason.endswith("differ"):
                reason += _by(numerators, np.minimum(numerators, numerators.T))
            raise NotAMetric((names[a], names[b]) if a != b else (names[a],), reason)
    for a, through in detours(numerators):
        direct = numerators[a, a + 1 :]
        if (through.min(axis=1) < direct).any():
            row, c = np.argwhere(through < direct[:, None])[0].tolist()
            raise NotAMetric(
                (names[a], names[c], names[a + 1 + row]),
                "the way through the second point is shorter than the direct one"
                + _by(numerators, _shortest_paths(numerators)),
            )


def _by(distances: NDArray[Any], shorter: NDArray[Any]) -> str:
    """How far off distances are, relatively, and what to do about it."""
    apart = distances > 0
    most = max(((distances - shorter)[apart] / distances[apart]).tolist())
    return (
        f", by a relative {float(most):.1e} at most over all pairs; round distances up to fewer "
        "digits, or take shortest paths instead: matrix:FILE,repair=shortest, in Python repair=True"
    )
