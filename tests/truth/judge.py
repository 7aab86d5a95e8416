"""Verdicts of the truth bench: stated figures against what repetitions showed.

A row repeats one door on data whose truth is known, and keeps what the door states of itself: a
value that is called unbiased, an interval with its confidence, an expected error, a bound. With M
rows, all of them true pass together except about once in a thousand runs:

- unbiased: the mean error is within z standard errors of 0, z = Φ⁻¹(1 - 0.0005/M);
- coverage: P(Bin(R, stated) <= covered) is at least 0.001/M; covering more often is no fault;
- expected error: within 5 % and z standard errors of the mean absolute error;
- bound: never exceeded by the mean by more than z standard errors.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scipy.stats import binom, norm

ALPHA = 0.001
"""Chance that a run in which everything is true fails."""

SLACK = 0.05
"""Relative slack of an expected error."""


@dataclass
class Tally:
    """One stated figure over all repetitions of a row."""

    name: str
    errors: list[float] = field(default_factory=list)
    covered: int = 0
    tried: int = 0
    stated: float | None = None
    expected: float | None = None
    bound: float | None = None
    unbiased: bool = False

    def add(self, error: float | None = None, covered: bool | None = None) -> None:
        """Keep one repetition: how far off the value was, and whether its interval held."""
        if error is not None:
            self.errors.append(float(error))
        if covered is not None:
            self.tried += 1
            self.covered += bool(covered)


def faults(tally: Tally, rows: int) -> list[str]:
    """Where a tally contradicts what was stated, given how many rows are judged together."""
    z = float(norm.isf(ALPHA / 2 / rows))
    return [*_bias(tally, z), *_coverage(tally, rows), *_error(tally, z), *_bound(tally, z)]


def _bias(tally: Tally, z: float) -> list[str]:
    if not tally.unbiased:
        return []
    mean, wide = _mean(tally.errors)
    if abs(mean) <= z * wide:
        return []
    return [f"{tally.name}: called unbiased, off by {mean:.4g} on average (± {z * wide:.2g})"]


def _coverage(tally: Tally, rows: int) -> list[str]:
    if tally.stated is None:
        return []
    if not tally.tried:
        return [f"{tally.name}: no interval was ever stated"]
    if binom.cdf(tally.covered, tally.tried, tally.stated) >= ALPHA / rows:
        return []
    return [f"{tally.name}: interval stated at {tally.stated:g} held in "
            f"{tally.covered / tally.tried:.4g} of {tally.tried:,}"]


def _error(tally: Tally, z: float) -> list[str]:
    if tally.expected is None:
        return []
    mean, wide = _mean([abs(error) for error in tally.errors])
    if abs(mean - tally.expected) <= SLACK * tally.expected + z * wide:
        return []
    return [f"{tally.name}: expected error {tally.expected:.4g}, found {mean:.4g}"]


def _bound(tally: Tally, z: float) -> list[str]:
    if tally.bound is None:
        return []
    mean, wide = _mean([abs(error) for error in tally.errors])
    if mean <= tally.bound + z * wide:
        return []
    return [f"{tally.name}: bounded by {tally.bound:.4g}, found {mean:.4g}"]


def _mean(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    if not numbers:
        raise ValueError("nothing was repeated")
    mean = math.fsum(numbers) / len(numbers)
    square = math.fsum((number - mean) ** 2 for number in numbers)
    return mean, math.sqrt(square / max(len(numbers) - 1, 1) / len(numbers))


def all_faults(tallies: Iterable[Tally]) -> list[str]:
    """The faults of all rows together."""
    listed = list(tallies)
    return [fault for tally in listed for fault in faults(tally, len(listed))]
