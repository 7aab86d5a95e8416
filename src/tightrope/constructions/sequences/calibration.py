"""Calibration: the largest nominal ε whose exact level meets a target, proved.

A set-sequence mechanism at nominal ε has a level below 2ε, often far below. The true level
is the maximum of finitely many functions of e^ε; it need not be monotone, so the search
comes from above: an interval of ratios is dropped once some pair of datasets is proved to
break the target on all of it. Where the largest ratio is rational it is found itself, and the
level is the target; else it is enclosed. Calibration uses the declared space, never the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from tightrope.constructions.sequences.set_sequences import Cases, SetSequences
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, Surd
from tightrope.markup import brief
from tightrope.privacy import Smallest, level_of
from tightrope.spaces import Space

RESOLUTION = 50
"""The largest ratio is enclosed up to a relative 2^-50: less than mantissas of 62 bits lose."""


@dataclass(frozen=True)
class Calibration:
    """`root` = e^(ε/fineness) meets the target; every ratio above `bound` breaks it.

    `exact` says that `root` is the largest of all: then some pair has just the target, and `bound`
    is `root`. Otherwise every ratio from `bound` on breaks it.
    """

    sequences: SetSequences
    target: Level
    root: Fraction
    bound: Fraction
    achieved: Smallest
    exact: bool = False

    __repr__ = brief

    @property
    def nominal(self) -> Level:
        """The nominal ε, as fineness · ln(root)."""
        return Level.ratio(self.root).scaled(self.sequences.fineness)


def calibrate(
    sequences: SetSequences,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    space: Space | None = None,
) -> Calibration:
    """Calibrate set sequences: the largest nominal ε with which they have the target level.

    A theorem promises a level of 2ε for weights e^(-ε i); the true one, over all datasets, is
    mostly smaller, so more may be used. The target is for neighbors, or for the distances of
    a `space` on the same datasets.

    Returns: a `Calibration`; its `root` meets the target, and every ratio above `bound` breaks it.

    Raises: `BadInput` if the level stays bounded as ε grows.

    >>> from tightrope.constructions import privacy_first
    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 1), path(0, 1), lambda x: x)
    >>> largest = calibrate(privacy_first(f), Level.ratio(3))   # two datasets: its level is ε
    >>> str(largest.root), largest.exact
    ('3', True)
    """
    target = Level.positive(level_of(epsilon, ratio=ratio)).pure
    cases = sequences.cases if space is None else sequences.cases_on(space)
    if not (cases.growth > 0).any():
        raise BadInput("the level stays bounded as the nominal ε grows: there is no largest one.")
    root, bound = _bracket(cases, target)
    best = _simplest(root, bound)
    exact = _excess(cases, target, best) == 0
    if exact:
        root = bound = best
    return Calibration(sequences, target, root, bound, sequences.exact_level(root), exact)


def _bracket(cases: Cases, target: Level) -> tuple[Fraction, Fraction]:
    """A root that meets the target, and one little above from which on every root breaks it."""
    # A ratio is at most root^(2 · drop), so this start meets the target; far above none does.
    share = min(length / (2 * drop) for length, drop in zip(
        cases.spans.tolist(), cases.drops.tolist(), strict=True) if drop > 0)
    root = target.scaled(Fraction(share * (1 - 2.0**-40))).ratio_below(Surd.of(1))
    bits = RESOLUTION + 6 + max(0, (1 / (root - 1)).__ceil__().bit_length())
    marks = [_dyadic(root, bits)]
    while not _broken_from(cases, target, marks[-1]):
        marks.append(_dyadic(1 + (marks[-1] - 1) * Fraction(9, 8), bits))
    stack, bound = list(pairwise(marks)), marks[-1]
    settled = False  # whether an interval above could not be dropped
    while stack:
        low, high = stack.pop()
        if _broken(cases, target, low, high):
            bound = bound if settled else low
        elif (high - low) * 2**RESOLUTION > low - 1:
            middle = _dyadic((low + high) / 2, bits)
            stack += [(low, middle), (middle, high)]
        else:
            settled = True
            if _excess(cases, target, low) <= 0:
                return low, bound
    return marks[0], bound


def _dyadic(value: Fraction, bits: int) -> Fraction:
    """The value rounded down to `bits` binary places."""
    return Fraction(int(value * 2**bits), 2**bits)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator from low to high."""
    whole = -(-low // 1)
    if whole <= high:
        return Fraction(whole)
    base = whole - 1
    return base + 1 / _simplest(1 / (high - base), 1 / (low - base))


def _excess(cases: Cases, target: Level, root: Fraction) -> int:
    """The sign of the exact level minus the target at a root."""
    return max(target.compare(cases.ratio(k, root, root), cases.length(k))
               for k in cases.steepest(float(root)))


def _broken(cases: Cases, target: Level, low: Fraction, high: Fraction) -> bool:
    """Whether one pair of datasets is proved to break the target for all roots in between."""
    k = int(np.argmax(cases.logarithms(float((low + high) / 2))))
    return target.compare(cases.ratio(k, low, high), cases.length(k)) > 0


def _broken_from(cases: Cases, target: Level, low: Fraction) -> bool:
    """Whether one pair is proved to break the target for all roots from `low` on."""
    sizes = np.where(cases.growth > 0, cases.logarithms(float(low)), -np.inf)
    k = int(np.argmax(sizes))
    return target.compare(cases.ratio_from(k, low), cases.length(k)) > 0
