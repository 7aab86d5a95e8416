"""The proof that travels with a randomizer: no other estimates what is asked with less variance.

The claim has two halves, each checked in whole numbers (`utility`). At the prior the best unbiased
estimates of the queries have a variance of at most `value`. Multipliers prove that those of any
mechanism with the level, of any number of outputs, have at least `bound`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, Protocol, runtime_checkable

from tightrope.characters import counted
from tightrope.documents.doubles import double_from_hex, round_toward
from tightrope.errors import BadDocument, BadInput, CannotCheck
from tightrope.exact import Level, Surd
from tightrope.mechanisms import MatrixMechanism, Mechanism
from tightrope.privacy import Certified
from tightrope.spaces import Family, family_of
from tightrope.utility import (
    LARGEST_RANDOMIZER,
    RANDOMIZER_UNITS,
    RandomizerMultipliers,
    Workload,
    prove_variance,
    prove_variance_bound,
    ratio_ceiling,
    relative_gap,
)

GOAL = "variance"
_FIELDS = {"goal", "prior", "queries", "value", "bound", "Z", "y"}
_MOST_QUERIES, _MOST_ENTRIES = 100, 4_000_000
_LARGEST_RATIO = 2**64
"""Largest e^ε: beyond it nobody's answer is ever changed."""
_NUMBER = "-?[0-9]{1,40}(?:/[0-9]{1,40})?"
_NUMBERS = re.compile(f"{_NUMBER}(?: {_NUMBER})*+")
_WHOLE = "-?[0-9]{1,60}"
_WHOLES = re.compile(f"{_WHOLE}(?: {_WHOLE})*+")


@dataclass(frozen=True, eq=False)
class LeastVariance:
    """The claim that estimates have a variance of at most `value`, and no others below `bound`."""

    workload: Workload
    prior: tuple[Fraction, ...]
    value: float
    bound: float
    multipliers: RandomizerMultipliers

    @property
    def gap(self) -> float:
        """The relative distance between value and bound."""
        return relative_gap(self.value, self.bound)

    @property
    def text(self) -> str:
        """The claim in words."""
        shares = "equal" if len(set(self.prior)) == 1 else "the stated"
        return (f"variance of {counted(len(self.workload.rows), 'unbiased estimate')} from one "
                f"respondent, at {shares} shares")


@runtime_checkable
class Randomizer(Protocol):
    """A certified mechanism with the multipliers of a bound on the variance of estimates."""

    @property
    def certified(self) -> Certified: ...
    @property
    def workload(self) -> Workload: ...
    @property
    def prior(self) -> tuple[Fraction, ...]: ...
    @property
    def value(self) -> Fraction: ...
    @property
    def bound(self) -> Fraction: ...
    @property
    def multipliers(self) -> RandomizerMultipliers: ...


def least_variance_of(randomizer: Randomizer) -> LeastVariance | None:
    """The claim for the document of a randomizer; None where it cannot be written.

    The value is rounded up and the bound down to doubles, from the exact numbers.
    """
    mechanism = randomizer.certified.mechanism
    if family_of(mechanism.space) is not Family.CATEGORIES:
        return None
    try:
        claim = LeastVariance(
            randomizer.workload, randomizer.prior, round_toward(randomizer.value, inf),
            round_toward(randomizer.bound, -inf), randomizer.multipliers)
        level = randomizer.certified.certificate.level
        least_variance_from_json(least_variance_to_json(claim), mechanism, level)
    except (BadDocument, OverflowError):  # numbers that are too long
        return None
    return claim


def prove_least_variance(
    claim: LeastVariance, mechanism: Mechanism, level: Level
) -> tuple[Fraction | None, Fraction | None]:
    """The variance and the bound as the mechanism and the multipliers prove them; None if not."""
    finite = mechanism.base
    if not isinstance(finite, MatrixMechanism):
        raise CannotCheck("the variance of a randomizer needs its matrix.")
    size = finite.space.size
    if size > LARGEST_RANDOMIZER or size * len(finite.outputs) > _MOST_ENTRIES:
        raise CannotCheck(
            f"a bound on variances is checked for at most {LARGEST_RANDOMIZER} inputs.")
    ratio = ratio_ceiling(level, Surd.of(1))
    if ratio > _LARGEST_RATIO:
        raise CannotCheck("a bound on variances is checked for e^ε of at most 2^64.")
    value = prove_variance(finite.weights, claim.workload, claim.prior)
    try:
        bound = prove_variance_bound(claim.workload, claim.prior, ratio, claim.multipliers)
    except BadInput:  # a ray breaks the multipliers
        return value, None
    return value, bound


def least_variance_to_json(claim: LeastVariance) -> dict[str, Any]:
    """The claim as a document writes it: multipliers in whole units of 2^-96."""
    scale = 2**RANDOMIZER_UNITS

    def whole(row: tuple[Fraction, ...]) -> str:
        return " ".join(str(int(x * scale)) for x in row)

    return {
        "goal": GOAL,
        "prior": " ".join(map(str, claim.prior)),
        "queries": [" ".join(map(str, row)) for row in claim.workload.rows],
        "value": claim.value.hex(),
        "bound": claim.bound.hex(),
        "Z": [whole(row) for row in claim.multipliers.Z],
        "y": whole(claim.multipliers.y),
    }


def least_variance_from_json(content: Any, mechanism: Mechanism, level: Level) -> LeastVariance:
    """The claim in a document; raises `BadDocument` where it is malformed."""
    if not isinstance(content, dict) or set(content) != _FIELDS:
        raise BadDocument("the least variance needs exactly the fields "
                          f"{', '.join(sorted(_FIELDS))}.")
    finite = mechanism.base
    if not isinstance(finite, MatrixMechanism) or level.delta or (
            family_of(finite.space) is not Family.CATEGORIES):
        raise BadDocument("a least variance is that of a matrix on categories with δ = 0.")
    space = finite.space
    prior = _fractions(content["prior"], space.size)
    if min(prior) < 0 or sum(prior) != 1:
        raise BadDocument("the prior is negative somewhere or does not add up to 1.")
    rows, Z = content["queries"], content["Z"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= _MOST_QUERIES:
        raise BadDocument(f"expected from 1 to {_MOST_QUERIES} queries.")
    if not isinstance(Z, list) or len(Z) != space.size:
        raise BadDocument(f"expected {space.size} rows of multipliers.")
    queries = tuple(_fractions(row, space.size) for row in rows)
    if all(len(set(row)) == 1 for row in queries):
        raise BadDocument("every query gives all values the same weight.")
    multipliers = RandomizerMultipliers(
        tuple(_wholes(row, len(queries)) for row in Z), _wholes(content["y"], space.size))
    return LeastVariance(Workload("queries", queries), prior, double_from_hex(content["value"]),
                         double_from_hex(content["bound"]), multipliers)


def _fractions(text: Any, size: int) -> tuple[Fraction, ...]:
    if isinstance(text, str) and _NUMBERS.fullmatch(text) and text.count(" ") == size - 1:
        try:
            return tuple(map(Fraction, text.split(" ")))
        except ZeroDivisionError:
            pass
    raise BadDocument(f"expected {size} short fractions in a text, such as '1/2 0'.")


def _wholes(text: Any, size: int) -> tuple[Fraction, ...]:
    if isinstance(text, str) and _WHOLES.fullmatch(text) and text.count(" ") == size - 1:
        return tuple(Fraction(int(word), 2**RANDOMIZER_UNITS) for word in text.split(" "))
    raise BadDocument(f"expected {size} whole multipliers in a text, such as '12 -3'.")
