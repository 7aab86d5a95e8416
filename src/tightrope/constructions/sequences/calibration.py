"""Calibration: the largest nominal ε whose exact level meets a target, proved.

A set-sequence mechanism at nominal ε has a level below 2ε, often far below. The true level
is the maximum of finitely many functions of e^ε; it need not be monotone, so the search
comes from above: an interval of ratios is dropped once some pair of neighbors is proved to
break the target on all of it. Calibration and tuning use the declared space of datasets, never
the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from tightrope.choices import Goal, member_of
from tightrope.constructions.sequences.set_policies import preferring, privacy_first
from tightrope.constructions.sequences.set_sequences import SetSequences
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, Surd
from tightrope.markup import brief
from tightrope.privacy import Smallest, level_of
from tightrope.spaces import Label, MetricQuery
from tightrope.utility import Prior, uniform

RESOLUTION = 36
"""The largest ratio is found up to a relative 2^-36."""

_ONE = Surd.of(1)


@dataclass(frozen=True)
class Calibration:
    """`root` = e^(ε/fineness) meets the target; every ratio from `bound` on breaks it."""

    sequences: SetSequences
    target: Level
    root: Fraction
    bound: Fraction
    achieved: Smallest

    __repr__ = brief

    @property
    def nominal(self) -> Level:
        """The nominal ε, as fineness · ln(root)."""
        return Level.ratio(self.root).scaled(self.sequences.fineness)


def calibrate(
    sequences: SetSequences, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> Calibration:
    """Calibrate set sequences: the largest nominal ε with which they have the target level.

    A theorem promises a level of 2ε for weights e^(-ε i); the true one, over all datasets, is
    mostly smaller, so more may be used.

    Returns: a `Calibration`; its `root` meets the target, and every ratio from `bound` on breaks
    it.

    Raises: `BadInput` if the level stays bounded as ε grows.

    >>> from tightrope.constructions import privacy_first
    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 1), path(0, 1), lambda x: x)
    >>> largest = calibrate(privacy_first(f), Level.ratio(3))   # two datasets: its level is ε
    >>> largest.root <= 3 < largest.bound, float(largest.bound - largest.root) < 1e-9
    (True, True)
    """
    target = Level.positive(level_of(epsilon, ratio=ratio))
    if not (sequences.cases.growth > 0).any():
        raise BadInput("the level stays bounded as the nominal ε grows: there is no largest one.")
    # Below 2ε always, so half the target is met; far above, some pair breaks any target.
    root = target.pure.scaled(Fraction(1, 2)).ratio_below(Surd.of(Fraction(1, sequences.fineness)))
    bits = RESOLUTION + 6 + max(0, (1 / (root - 1)).__ceil__().bit_length())
    marks = [_dyadic(root, bits)]
    while not _broken_from(sequences, target, marks[-1]):
        marks.append(_dyadic(1 + (marks[-1] - 1) * Fraction(9, 8), bits))
    stack, bound = list(pairwise(marks)), marks[-1]
    settled = False  # whether an interval above could not be dropped
    while stack:
        low, high = stack.pop()
        if _broken(sequences, target, low, high):
            bound = bound if settled else low
        elif (high - low) * 2**RESOLUTION > low - 1:
            middle = _dyadic((low + high) / 2, bits)
            stack += [(low, middle), (middle, high)]
        else:
            settled = True
            achieved = sequences.exact_level(low)
            if _meets(achieved, target):
                return Calibration(sequences, target, low, bound, achieved)
    return Calibration(sequences, target, marks[0], bound, sequences.exact_level(marks[0]))


def _dyadic(value: Fraction, bits: int) -> Fraction:
    """The value rounded down to `bits` binary places."""
    return Fraction(int(value * 2**bits), 2**bits)


def _meets(achieved: Smallest, target: Level) -> bool:
    return achieved.exact is None or achieved.exact.compare_level(target.pure) <= 0


def _broken(sequences: SetSequences, target: Level, low: Fraction, high: Fraction) -> bool:
    """Whether one pair of neighbors is proved to break the target for all roots in between."""
    cases = sequences.cases
    k = int(np.argmax(cases.logarithms(float((low + high) / 2))))
    return target.compare(cases.ratio(k, low, high), _ONE) > 0


def _broken_from(sequences: SetSequences, target: Level, low: Fraction) -> bool:
    """Whether one pair is proved to break the target for all roots from `low` on."""
    cases = sequences.cases
    sizes = np.where(cases.growth > 0, cases.logarithms(float(low)), -np.inf)
    return target.compare(cases.ratio_from(int(np.argmax(sizes)), low), _ONE) > 0


@dataclass(frozen=True)
class Tuning:
    """The best of the candidates that were tried, calibrated, with its objective."""

    calibration: Calibration
    value: float
    tried: int


def tune(
    candidates: Iterable[SetSequences],
    target: Level,
    *,
    prior: Prior = uniform,
    goal: Goal | str = Goal.AVERAGE,
) -> Tuning:
    """The candidate with the smallest expected distortion once calibrated to the target.

    Distortion is averaged over a declared prior on datasets, or that of the worst dataset.
    """
    goal = member_of(Goal, goal)
    best: Tuning | None = None
    tried = 0
    for tried, sequences in enumerate(candidates, start=1):
        calibration = calibrate(sequences, target)
        errors = sequences.distortion(float(calibration.root))
        weights = prior.on(sequences.query.datasets)
        value = float(errors.max() if goal is Goal.WORST else (weights * errors).sum())
        if best is None or value < best.value:
            best = Tuning(calibration, value, tried)
    if best is None:
        raise BadInput("expected at least one candidate to tune over.")
    return Tuning(best.calibration, best.value, tried)


def radius_candidates(
    query: MetricQuery,
    radii: Iterable[Fraction],
    preferred: Iterable[Iterable[Label]] = (),
    penalties: Iterable[Fraction] = (),
) -> list[SetSequences]:
    """Privacy-first sequences for every common δ, plain and with every preferred set and penalty.

    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 3), path(0, 9), lambda x: x * x)
    >>> tuned = tune(radius_candidates(f, [0, 1, 2], [[0, 1]], [Fraction(1)]), Level.ratio(2))
    >>> tuned.tried
    6
    """
    plain = [privacy_first(query, [Fraction(r)] * query.datasets.size) for r in radii]
    sets = [tuple(chosen) for chosen in preferred]
    choices = product(plain, sets, [Fraction(p) for p in penalties])
    return [*plain, *(preferring(*choice) for choice in choices)]


def tune_radii(
    query: MetricQuery,
    radii: Iterable[Fraction],
    target: Level,
    *,
    prior: Prior = uniform,
    goal: Goal | str = Goal.AVERAGE,
) -> Tuning:
    """One δ for each dataset, found by improving one dataset after another until none improves.

    A local optimum: the paper leaves the choice of δ open, and so does this search.
    """
    choices = [Fraction(r) for r in radii]
    deltas = [choices[0]] * query.datasets.size
    best = tune([privacy_first(query, deltas)], target, prior=prior, goal=goal)
    tried, improved = 1, True
    while improved:
        improved = False
        for x, radius in product(range(len(deltas)), choices):
            if deltas[x] == radius:
                continue
            changed = [*deltas[:x], radius, *deltas[x + 1 :]]
            candidate = tune([privacy_first(query, changed)], target, prior=prior, goal=goal)
            tried += 1
            if candidate.value < best.value:
                best, deltas, improved = candidate, changed, True
    return Tuning(best.calibration, best.value, tried)


