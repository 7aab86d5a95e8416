"""Workloads: the linear queries of the true shares that randomized answers are to estimate.

A workload is a matrix W with one row for each query and one column for each value; the true
shares π of the values have the answers W π.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import assert_never

import numpy as np

from tightrope.choices import member_of
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, Number, fraction_of, owned

MOST_QUERIES = 100
"""Rows of a workload: the exact check of a bound stays within seconds."""

Fractions = tuple[Fraction, ...]


class Aim(StrEnum):
    """A workload by its name: all shares, all cumulative shares, or the mean of the scale."""

    SHARES = "shares"
    CUMULATIVE = "cumulative"
    MEAN = "mean"


@dataclass(frozen=True)
class Workload:
    """Linear queries of shares, with the name that they go by.

    >>> workload_of("cumulative", 3).rows
    ((Fraction(1, 1), Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(1, 1), ...))
    """

    name: str
    rows: tuple[Fractions, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.rows) <= MOST_QUERIES:
            raise BadInput(f"expected from 1 to {MOST_QUERIES} queries, found {len(self.rows)}.")
        if all(len(set(row)) == 1 for row in self.rows):
            raise BadInput("every query gives all values the same weight: its answer is known.")


def workload_of(
    given: Workload | str | Sequence[Number] | Sequence[Sequence[Number]], values: int
) -> Workload:
    """A workload from its name, the weights of one query, or those of several.

    Raises: `BadInput` if a query has another number of weights than there are values.

    >>> workload_of([0, 0, 1], 3).name, workload_of("mean", 3).rows[0][2]
    ('one query', Fraction(2, 1))
    """
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, Workload):
        workload = given
    elif isinstance(given, str):
        workload = _named(member_of(Aim, given), values)
    elif not isinstance(given, Sequence):
        raise BadInput("expected shares, cumulative, mean, weights such as [1, 0, -1], or rows of "
                       f"weights, found {given!r:.60}.")
    else:
        several = [row for row in given if isinstance(row, Sequence | np.ndarray) and not (
            isinstance(row, str))]
        rows = several if len(several) == len(given) else [given]
        exact = tuple(tuple(fraction_of(weight, "a weight") for weight in row) for row in rows)
        name = "one query" if len(exact) == 1 else f"{len(exact)} queries"
        workload = Workload(name, exact)
    lengths = {len(row) for row in workload.rows}
    if lengths != {values}:
        raise BadInput(f"expected {values} weights in every query, one for each value, found "
                       f"{', '.join(map(str, sorted(lengths)))}.")
    return workload


@dataclass(frozen=True)
class Merged:
    """Values that all queries weigh alike, as one: the class of each value, W and the prior.

    The best randomizer treats them alike: mixing its rows by the prior keeps its level, its
    estimates unbiased, and their variance.
    """

    classes: tuple[int, ...]
    W: FloatArray
    prior: FloatArray

    def __post_init__(self) -> None:
        for name in ("W", "prior"):
            object.__setattr__(self, name, owned(np.asarray(getattr(self, name), np.float64)))

    def part(self, value: int, prior: Fractions) -> Fraction:
        """The share of a value in its class; an equal one where the class has none."""
        own = [v for v, place in enumerate(self.classes) if place == self.classes[value]]
        total = sum((prior[v] for v in own), Fraction(0))
        return prior[value] / total if total else Fraction(1, len(own))


def merge_values(workload: Workload, prior: Fractions) -> Merged:
    """The classes of values with equal weights in every query.

    >>> merge_values(workload_of([1, 0, 0, -1], 4), (Fraction(1, 4),) * 4).classes
    (0, 1, 1, 2)
    """
    columns = list(zip(*workload.rows, strict=True))
    distinct = list(dict.fromkeys(columns))
    classes = tuple(distinct.index(column) for column in columns)
    shares = [sum((share for share, own in zip(prior, classes, strict=True) if own == place),
                  Fraction(0)) for place in range(len(distinct))]
    return Merged(classes, np.array([[float(weight) for weight in row] for row in zip(
        *distinct, strict=True)]), np.array([float(share) for share in shares]))


def _named(aim: Aim, values: int) -> Workload:
    match aim:
        case Aim.SHARES:
            rows = [[int(x == v) for x in range(values)] for v in range(values)]
        case Aim.CUMULATIVE:
            rows = [[int(x <= v) for x in range(values)] for v in range(values - 1)]
        case Aim.MEAN:
            rows = [list(range(values))]
        case _:
            assert_never(aim)
    return Workload(aim.value, tuple(tuple(map(Fraction, row)) for row in rows))
