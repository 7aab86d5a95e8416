"""Posterior odds after an answer, and how often they move.

After the output z the odds of input j against i are those before times P(z | j) / P(z | i),
whatever the prior. A level bounds that factor for every output. Here it is exact for one
mechanism: the largest factor, and how often the odds between neighbors move by 2, 5 or 10 if the
first of them is the truth (KL10, Proposition 2.1.4, bounds that for all mechanisms).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2
from typing import Any

from tightrope.errors import TooLarge
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, finite_form
from tightrope.spaces import Label, Relation, label_to_json
from tightrope.utility.measures import mutual_information
from tightrope.utility.priors import Prior, PriorLike, prior_of, uniform

FACTORS = (2, 5, 10)
"""Factors for which the chance that odds move by as much is reported."""
MOST_ENTRIES = 300_000
"""Most probabilities of related inputs that are compared exactly; bounds the time taken."""
_ZERO = Fraction(0)


@dataclass(frozen=True)
class Odds:
    """The odds of `second` against `first`, before and after an output; None is infinite."""

    first: Label
    second: Label
    output: Label
    before: Fraction
    after: Fraction | None

    def as_json(self) -> dict[str, Any]:
        """All parts; odds as text, exactly."""
        return {
            "first": label_to_json(self.first),
            "second": label_to_json(self.second),
            "output": label_to_json(self.output),
            "before": str(self.before),
            "after": None if self.after is None else str(self.after),
        }


@dataclass(frozen=True)
class OddsMoved:
    """How often, at most, the odds of a neighbor rise, or fall, by a factor or more."""

    factor: int
    rise: Fraction
    fall: Fraction

    def as_json(self) -> dict[str, Any]:
        """All parts as numbers."""
        return {"factor": self.factor, "rise": float(self.rise), "fall": float(self.fall)}


@dataclass(frozen=True)
class Beliefs:
    """The effect of one answer on the beliefs of somebody with the prior.

    `guess_before` and `guess_after` are the chances to guess the input in one try, `leakage` the
    bits between them; `largest` is the output that moves the odds of two inputs most, None if
    none does; `moved` says how often the odds of neighbors move, with the first as the truth.
    """

    prior: Prior
    guess_before: Fraction
    guess_after: Fraction
    leakage: float
    mutual_information: float
    largest: Odds | None
    moved: tuple[OddsMoved, ...]

    __repr__ = brief

    def as_json(self) -> dict[str, Any]:
        """The part of `tightrope inspect --prior --json` that is about the prior."""
        return {
            "prior": "uniform" if self.prior.weights is None else "given",
            "guess_before": float(self.guess_before),
            "guess_after": float(self.guess_after),
            "leakage": self.leakage,
            "mutual_information": self.mutual_information,
            "largest_odds": None if self.largest is None else self.largest.as_json(),
            "odds_moved": [part.as_json() for part in self.moved],
        }


def beliefs(mechanism: FiniteMechanism | Held, prior: PriorLike = uniform) -> Beliefs:
    """The effect of one answer on somebody with a prior: guesses, leakage, posterior odds.

    Returns: a `Beliefs`; chances and odds are exact fractions, bits are floats.

    Raises: `TooLarge` above 300,000 probabilities of related inputs; `BadMatrix` for a prior that
    does not add up to 1; `BadInput` for a bare matrix.

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> rr = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], "categories:no/yes")
    >>> after = beliefs(rr, ["2/3", "1/3"])
    >>> after.guess_before, after.guess_after, after.largest.before, after.largest.after
    (Fraction(2, 3), Fraction(3, 4), Fraction(2, 1), Fraction(6, 1))
    """
    mechanism = finite_form(mechanism)
    space = mechanism.space
    law = prior_of(prior, space)
    weights = law.exact(space)
    relation = Relation.on(space)
    work = max(len(relation), space.size) * len(mechanism.outputs)
    if work > MOST_ENTRIES:
        raise TooLarge("the number of related probabilities", work, MOST_ENTRIES,
                       "odds are computed for smaller mechanisms")
    rows = [mechanism.row_at(i) for i in range(space.size)]
    joint = [[w * p for p in row] for w, row in zip(weights, rows, strict=True)]
    after = sum((max(column) for column in zip(*joint, strict=True)), _ZERO)
    before = max(weights)
    return Beliefs(
        law, before, after, log2(after / before), mutual_information(mechanism, law),
        _largest(mechanism, rows, weights),
        tuple(_shift_chances(rows, relation, factor) for factor in FACTORS),
    )


def _largest(
    mechanism: FiniteMechanism, rows: Sequence[Sequence[Fraction]], weights: Sequence[Fraction]
) -> Odds | None:
    """The odds that move most: an output, with its least and most likely possible input."""
    best: tuple[bool, Fraction, int, int, int] | None = None
    possible = [i for i, w in enumerate(weights) if w]
    for z in range(len(mechanism.outputs)):
        column = [(rows[i][z], i) for i in possible]
        (low, i), (high, j) = min(column), max(column)
        if high == low:
            continue
        candidate = (low == 0, high if low == 0 else high / low, i, j, z)
        if best is None or candidate[:2] > best[:2]:
            best = candidate
    if best is None:
        return None
    endless, factor, i, j, z = best
    points, odds = mechanism.space.points, weights[j] / weights[i]
    after = None if endless else odds * factor
    return Odds(points[i], points[j], mechanism.outputs[z], odds, after)


def _shift_chances(
    rows: Sequence[Sequence[Fraction]], relation: Relation, factor: int
) -> OddsMoved:
    """The largest chances over related pairs that odds rise, and fall, by the factor."""
    rise = fall = _ZERO
    for i, j in relation:
        both = list(zip(rows[i], rows[j], strict=True))
        rise = max(rise, sum((p for p, q in both if p and q >= factor * p), _ZERO))
        fall = max(fall, sum((p for p, q in both if p and q * factor <= p), _ZERO))
    return OddsMoved(factor, rise, fall)
