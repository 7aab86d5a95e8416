"""The proof of optimality that travels in a document.

The claim has two halves, each checked in whole multiples of 2^-96 (`utility`): the loss of the
document's own mechanism is at most `value`, and no mechanism with the same outputs and level has a
loss below `bound`. Non-negative multipliers for every output prove the second (with δ > 0 on
neighbors only). For the goal "worst" the prior is the one that the bound was proved for; the loss
of the worst input is never below the average under any prior.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from tightrope.choices import Goal, member_of
from tightrope.documents.doubles import double_from_hex, round_toward
from tightrope.documents.exact_optimality import exact_from_json, exact_to_json
from tightrope.documents.least_variance import LeastVariance, prove_least_variance
from tightrope.errors import BadDocument, CannotCheck
from tightrope.exact import Level, sizes
from tightrope.mechanisms import (
    FiniteMechanism,
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
)
from tightrope.privacy import Certified
from tightrope.spaces import Space
from tightrope.utility import (
    LOSSES,
    SCALE,
    ExactOptimum,
    Loss,
    LossMatrix,
    Multipliers,
    Prior,
    Problem,
    Solution,
    all_neighbors,
    is_proved,
    loss_ceilings,
    mean_above,
    prove_bound,
    relative_gap,
    uniform,
)

_FIELDS = {"goal", "prior", "loss", "value", "bound", "unit", "multipliers"}
_TRIPLE = r"[0-9]{1,9} [0-9]{1,9} [0-9a-f]++"
_TRIPLES = re.compile(f"(?:{_TRIPLE}(?: {_TRIPLE})*+)?+")
_FRACTION = re.compile(r"-?[0-9]{1,4300}(?:/[0-9]{1,4300})?")
_LARGEST_UNIT = 1000
"""Largest exponent of the unit of multipliers: near the end of doubles."""
_MOST_ENTRIES, _MOST_KERNEL_BITS = 4_000_000, 2**32
"""Most entries, and most bits of a kernel, that are added up: they bound time and memory."""


@dataclass(frozen=True, eq=False)
class Optimality:
    """The claim that the mechanism loses at most `value` and no other less than `bound`."""

    goal: Goal
    prior: Prior
    loss: Loss
    value: float
    bound: float
    multipliers: tuple[Multipliers, ...]
    exact: ExactOptimum | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "goal", member_of(Goal, self.goal))

    @property
    def gap(self) -> float:
        """The relative distance between value and bound; 0 where both are stated exactly."""
        if self.exact is not None:
            return 0.0
        return relative_gap(self.value, self.bound)


@dataclass(frozen=True)
class ProvedBounds:
    """Proved bounds: the loss is at most `value`, and no mechanism's is below `bound`.

    `exact` says whether an exact loss is both; it is true where none is claimed. None is what
    nothing proves.
    """

    value: Fraction | None
    bound: Fraction | None
    exact: bool = True

    def supports(self, claim: Optimality | LeastVariance) -> bool:
        """Whether the claim follows from the proved bounds."""
        if self.value is None or self.bound is None:
            return False
        above, below = Fraction(claim.value) >= self.value, Fraction(claim.bound) <= self.bound
        return self.exact and above and below


def optimality_of(solution: Solution) -> Optimality | None:
    """The claim of optimality for the document of a solution; None where it has no dual.

    The value is rounded up and the bound down to doubles, from the exact numbers.
    """
    problem, certified, dual = solution.problem, solution.certified, solution.dual
    mechanism, level = certified.mechanism.base, certified.certificate.level
    if dual is None or not isinstance(mechanism, KernelMechanism | MatrixMechanism):
        return None
    if len(dual.multipliers) != len(mechanism.outputs):
        return None
    claim = Optimality(problem.goal, dual.prior, problem.loss, 0.0, 0.0, dual.multipliers,
                       solution.exact)
    try:
        proved = prove(claim, mechanism, level)
        assert proved.value is not None
        assert proved.bound is not None
        value, bound = round_toward(proved.value, inf), round_toward(proved.bound, -inf)
        for weight in dual.prior.weights or ():
            str(weight)
        if solution.exact is not None:
            exact_to_json(solution.exact)
    except (CannotCheck, OverflowError, ValueError):  # too large, or too long, to be written
        return None
    return replace(claim, value=value, bound=bound)


def prove(
    claim: Optimality | LeastVariance, mechanism: Mechanism, level: Level
) -> ProvedBounds:
    """Value and bound as the mechanism and the multipliers prove them at the level."""
    if isinstance(claim, LeastVariance):
        return ProvedBounds(*prove_least_variance(claim, mechanism, level))
    finite = mechanism.base
    if not isinstance(finite, KernelMechanism | MatrixMechanism):
        raise CannotCheck("a bound needs listed outputs; those of noise and of reports are not.")
    _refuse_long(finite)
    problem = Problem(finite.space, level, claim.prior, claim.loss, claim.goal, finite.outputs)
    dual = prove_bound(problem, claim.multipliers, claim.prior)
    ceilings = loss_ceilings(finite, problem.bracket)
    worst = claim.goal is Goal.WORST
    value = max(ceilings) if worst else mean_above(ceilings, claim.prior, finite.space)
    exact = claim.exact is None or is_proved(claim.exact, problem, finite)
    return ProvedBounds(Fraction(value, 2**SCALE), dual.bound, exact)


def is_least_variance(claim: LeastVariance, certified: Certified) -> bool:
    """Whether the claim follows for a mechanism at the level that it is certified for."""
    return prove(claim, certified.mechanism, certified.certificate.level).supports(claim)


def optimality_to_json(claim: Optimality) -> dict[str, Any]:
    """The claim as a document writes it; multipliers share the largest unit that fits all."""
    bits = 0
    for multipliers in claim.multipliers:
        for amount in multipliers.amounts:
            bits |= amount
    shift = (bits & -bits).bit_length() - 1 if bits else SCALE
    weights = claim.prior.weights
    return {
        "goal": claim.goal.value,
        "prior": "uniform" if weights is None else [str(weight) for weight in weights],
        "loss": [" ".join(map(_token, row)) for row in claim.loss.numbers.tolist()]
        if isinstance(claim.loss, LossMatrix)
        else claim.loss.name,
        "value": claim.value.hex(),
        "bound": claim.bound.hex(),
        "unit": shift - SCALE,
        "multipliers": [_triples(multipliers, shift) for multipliers in claim.multipliers],
        **({} if claim.exact is None else {"exact": exact_to_json(claim.exact)}),
    }


def optimality_from_json(content: Any, mechanism: Mechanism, level: Level) -> Optimality:
    """The claim in a document; raises `BadDocument` where it is malformed."""
    finite = mechanism.base
    if not isinstance(content, dict) or set(content) - {"exact"} != _FIELDS:
        raise BadDocument(f"the optimality needs exactly the fields {', '.join(sorted(_FIELDS))}.")
    if not isinstance(finite, KernelMechanism | MatrixMechanism):
        raise BadDocument("optimality is stated only where outputs are listed.")
    if content["goal"] not in ("average", "worst"):
        raise BadDocument("the goal is neither 'average' nor 'worst'.")
    unit = content["unit"]
    if type(unit) is not int or not -SCALE <= unit <= _LARGEST_UNIT:
        raise BadDocument(f"the unit is no whole number from -{SCALE} to {_LARGEST_UNIT}.")
    loss = _loss(content["loss"], finite)
    value, bound = double_from_hex(content["value"]), double_from_hex(content["bound"])
    texts = content["multipliers"]
    if not isinstance(texts, list) or len(texts) != len(finite.outputs):
        raise BadDocument(f"expected multipliers for {len(finite.outputs)} outputs.")
    multipliers = tuple(_multipliers(text, finite.space.size, unit + SCALE) for text in texts)
    if level.delta > 0 and not all_neighbors(finite.space, multipliers):
        raise BadDocument("with δ above 0 a multiplier needs two neighbors.")
    prior = _prior(content["prior"], finite.space)
    exact = None
    if "exact" in content:
        exact = exact_from_json(content["exact"], finite, level, prior, loss)
    return Optimality(Goal(content["goal"]), prior, loss, value, bound, multipliers, exact)


def _refuse_long(mechanism: FiniteMechanism) -> None:
    """Refuse mechanisms that take too long to add up: the receipt refuses the same."""
    entries = mechanism.space.size * len(mechanism.outputs)
    if entries > _MOST_ENTRIES:
        raise CannotCheck(f"optimality is checked for at most {_MOST_ENTRIES:,} matrix entries.")
    if isinstance(mechanism, KernelMechanism) and mechanism.rounded:
        if mechanism.space.size > sizes.MOST_WRITTEN_KERNEL:
            raise CannotCheck("the rows of the kernel are too many to write out.")
    elif isinstance(mechanism, KernelMechanism):
        (steps,) = mechanism.steps([mechanism.space.diameter])
        if entries * steps * mechanism.ratio.numerator.bit_length() > _MOST_KERNEL_BITS:
            raise CannotCheck("the exact rows of the kernel are too long to write out.")


def _triples(multipliers: Multipliers, shift: int) -> str:
    return " ".join(
        f"{a} {b} {amount >> shift:x}"
        for a, b, amount in zip(
            multipliers.first.tolist(),
            multipliers.second.tolist(),
            multipliers.amounts,
            strict=True,
        )
        if amount
    )


def _multipliers(text: Any, size: int, shift: int) -> Multipliers:
    if not isinstance(text, str) or not _TRIPLES.fullmatch(text):
        raise BadDocument("multipliers are no text of positions and amounts such as '0 1 3f'.")
    parts = text.split(" ") if text else []
    first = np.array(list(map(int, parts[::3])), dtype=np.int64)
    second = np.array(list(map(int, parts[1::3])), dtype=np.int64)
    if parts and (max(first.max(), second.max()) >= size or (first == second).any()):
        raise BadDocument("a multiplier needs two different inputs of the space.")
    return Multipliers(first, second, tuple(int(part, 16) << shift for part in parts[2::3]))


def _token(cost: float | Fraction) -> str:
    """A loss as a double where it is one, else as a fraction p/q."""
    near, exact = float(cost), Fraction(cost)
    return near.hex() if Fraction(near) == exact else f"{exact.numerator}/{exact.denominator}"


def _loss_number(token: str) -> float | Fraction:
    """A loss as it was written: a double, or a fraction that may be none."""
    if "/" not in token:
        return double_from_hex(token)
    exact = _fraction(token, "a loss")
    if abs(exact) >= 2**1023:
        raise BadDocument("a loss is beyond all doubles.")
    return exact


def _loss(content: Any, mechanism: FiniteMechanism) -> Loss:
    size, width = mechanism.space.size, len(mechanism.outputs)
    if isinstance(content, list):
        rows = [row.split(" ") if isinstance(row, str) else [] for row in content]
        if len(rows) != size or any(len(row) != width for row in rows):
            raise BadDocument(f"expected a loss with {size} rows of {width} numbers.")
        return LossMatrix([[_loss_number(token) for token in row] for row in rows])  # type: ignore[arg-type]
    loss = next((known for known in LOSSES if known.name == content), None)
    if loss is None:
        raise BadDocument("the loss is neither a name nor a list of rows.")
    loss.check(mechanism.space, mechanism.outputs)
    return loss


def _prior(content: Any, space: Space) -> Prior:
    if content == "uniform":
        return uniform
    if not isinstance(content, list) or len(content) != space.size:
        raise BadDocument(f"the prior is neither 'uniform' nor a list of {space.size} fractions.")
    weights = [_fraction(text, "a prior probability") for text in content]
    if min(weights) < 0 or sum(weights) != 1:
        raise BadDocument("the prior is negative somewhere or does not add up to 1.")
    return Prior(tuple(weights))


def _fraction(text: Any, what: str) -> Fraction:
    if isinstance(text, str) and _FRACTION.fullmatch(text):
        try:
            return Fraction(text)
        except ZeroDivisionError:
            pass
    raise BadDocument(f"{what} is no fraction of the form p/q.")


