"""Predicates on two probabilities: which pairs an event may have under two inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

from tightrope.errors import BadInput
from tightrope.privacy.generic import Knot, between


class Predicate(Protocol):
    """A function that allows a pair of probabilities, or does not."""

    def __call__(self, a: Fraction, b: Fraction, /) -> object: ...


@dataclass(frozen=True)
class Band:
    """The predicate lower(a) <= b <= upper(a), both piecewise linear by their corners.

    `upper_at_zero` is upper(0) where the upper line jumps there.

    >>> third = Fraction(1, 3)
    >>> Band.of([(0, 0), (1, 1)], [(0, 0), (1, 1)])(third, third)
    True
    """

    lower: tuple[Knot, ...]
    upper: tuple[Knot, ...]
    upper_at_zero: Fraction

    def __post_init__(self) -> None:
        for line in (self.lower, self.upper):
            places = [a for a, _ in line]
            if places != sorted(set(places)):
                raise BadInput("expected every a once, in increasing order.")
            if places[0] != 0 or places[-1] != 1:
                raise BadInput(
                    "the predicate is not defined on all of [0, 1]: expected lines from a = 0 "
                    f"to a = 1, found one from {places[0]} to {places[-1]}."
                )
            if not all(0 <= b <= 1 for _, b in line):
                raise BadInput("expected lines with values from 0 to 1.")

    @classmethod
    def of(
        cls,
        lower: Sequence[tuple[int | str | Fraction, int | str | Fraction]],
        upper: Sequence[tuple[int | str | Fraction, int | str | Fraction]],
        upper_at_zero: int | str | Fraction | None = None,
    ) -> Band:
        """The band between two lines, numbers taken exactly."""
        if not lower or not upper:
            raise BadInput("a band needs a lower and an upper line.")
        try:
            low = tuple((Fraction(a), Fraction(b)) for a, b in lower)
            high = tuple((Fraction(a), Fraction(b)) for a, b in upper)
            start = high[0][1] if upper_at_zero is None else Fraction(upper_at_zero)
        except (ValueError, TypeError, ZeroDivisionError):
            raise BadInput("expected lines as pairs of exact numbers.") from None
        return cls(low, high, start)

    def __call__(self, a: Fraction, b: Fraction) -> bool:
        return value_at(self.lower, a) <= b <= self.highest(a)

    def highest(self, a: Fraction) -> Fraction:
        """upper(a)."""
        return self.upper_at_zero if a == 0 else value_at(self.upper, a)


@dataclass(frozen=True)
class TablePredicate:
    """A predicate known at multiples of 1/n only: allowed[i][j] is q(i/n, j/n).

    It is judged by whether a definition that keeps the axioms agrees with the table.
    """

    allowed: tuple[tuple[bool, ...], ...]

    def __post_init__(self) -> None:
        size = len(self.allowed)
        if size < 2 or any(len(row) != size for row in self.allowed):
            raise BadInput(
                "the predicate is not defined on all of [0, 1]²: expected a square table with "
                f"at least 2 rows, found {size} rows of "
                f"{', '.join(sorted({str(len(row)) for row in self.allowed})) or '0'} entries."
            )

    def __call__(self, a: Fraction, b: Fraction) -> bool:
        steps = len(self.allowed) - 1
        i, j = a * steps, b * steps
        if i.denominator != 1 or j.denominator != 1:
            raise BadInput(f"the table says nothing about ({a}, {b}).")
        return self.allowed[int(i)][int(j)]


def ask(predicate: Predicate, a: Fraction, b: Fraction) -> bool:
    """The answer of a predicate about two probabilities; `BadInput` where it has none."""
    try:
        answer = predicate(a, b)
    except BadInput:
        raise
    except (Exception, SystemExit) as reason:
        raise BadInput(
            f"the predicate is not defined on all of [0, 1]²: at ({a}, {b}) it raised "
            f"{type(reason).__name__}: {reason}."
        ) from None
    if type(answer).__name__ not in {"bool", "bool_"}:
        raise BadInput(
            "the predicate is not defined on all of [0, 1]²: expected True or False "
            f"at ({a}, {b}), found {answer!r}."
        )
    return bool(answer)


def value_at(line: Sequence[Knot], a: Fraction) -> Fraction:
    """The height of a piecewise linear line at a."""
    for left, right in pairwise(line):
        if a <= right[0]:
            return between(left, right, a)
    raise BadInput(f"expected a probability from 0 to 1, found {a}.")
