"""Tight-constraints mechanisms: every constraint against the diagonal holds with equality.

P(z | y) = w_z e^(-ε d(y,z)) with Φ w = 1, Φ = exp(-ε d). Such a mechanism exists iff that
equation has a solution w >= 0 (ECP, Proposition 7). It then has the largest binary gain of all
private mechanisms for every regular prior, the uniform one included (Theorem 4, Proposition 8).
`kernels.solve` solves the equation.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from tightrope.constructions.closed_forms.written_kernels import (
    WRITTEN_OUT,
    exact_kernel,
    rounded_kernel,
)
from tightrope.constructions.obstacles import refuse, zero_obstacle
from tightrope.errors import CannotCheck, Infeasible
from tightrope.exact import Level, Number, Surd
from tightrope.kernels import KernelWeights, NoWeights, solve
from tightrope.mechanisms import FiniteMechanism
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import (
    Family,
    Lattice,
    Metric,
    Space,
    family_of,
    is_connected,
    pair_classes,
    require_connected,
    space_of,
)
from tightrope.utility import Problem


def obstacle(problem: Problem) -> str | None:
    """Why it is not tried, in one sentence; None where it is (and may still not exist)."""
    if not is_connected(problem.space):
        return f"it needs distances that are all finite, which {problem.space.text} has not."
    return zero_obstacle(problem)


def tight_constraints(
    space: Space | str, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> Certified:
    """The tight-constraints mechanism of a space, where one exists.

    Returns: the mechanism with its certificate.

    Raises: `Infeasible` where there is none, with the proof, or at ε = 0; `TooLarge` for too many
    points.

    >>> made = tight_constraints("path:0..2", Level.ratio(2))
    >>> [str(p) for p in made.mechanism.row_at(0)]
    ['2/3', '1/6', '1/6']
    """
    problem = Problem(space, level_of(epsilon, ratio=ratio))
    refuse("tight", obstacle(problem))
    return certified(tight_mechanism(problem.space, problem.level), problem.level)


def tight_mechanism(space: Space, level: Level) -> FiniteMechanism:
    """The mechanism itself, not yet proved."""
    exact = _exact_mechanism(space, level.pure)
    if exact is not None:
        return exact
    tight_weights(space, level)
    inside = level.pure.inside(space.least_distance)
    try:
        return rounded_kernel(space, inside, tight_weights(space, inside, sharp=True).each)
    except Infeasible:
        raise CannotCheck(
            f"the tight-constraints mechanism on {space.text} exists at ε = {level.text} but not "
            "just below, so it cannot be written out in rounded numbers; use a larger ε."
        ) from None


def tight_weights(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    sharp: bool = False,
) -> KernelWeights:
    """The weights of the tight-constraints mechanism, P(z | y) = w_z e^(-ε d(y, z)).

    They solve Φ w = 1, Φ holding e^(-ε d), and must not be negative; each comes within a proved
    error, or `Infeasible` says where one would be negative.

    `sharp` asks for errors far below the rounding of doubles, as a mechanism needs them.

    Returns: `KernelWeights`; `each` has one weight for every point, `error` how far off it may be.

    Raises: `Infeasible`, with the proof, where a weight would be negative; `BadInput` for an ε that
    is not above 0, or a distance that is infinite.

    >>> from tightrope.spaces import star
    >>> tight_weights(star(3), Level.ratio(2)).each[:2]
    (Fraction(0, 1), Fraction(2, 3))
    >>> tight_weights(star(4), Level.ratio(2))
    Traceback (most recent call last):
        ...
    tightrope.errors.Infeasible: no tight-constraints mechanism exists on star:4 at ε = ln(2): \
the only solution of Φ w = 1 is negative at the point 0, at most -0.333333333.
    """
    level, space = Level.positive(level_of(epsilon, ratio=ratio)), space_of(space)
    require_connected(space, "a tight-constraints mechanism needs")
    weights = solve(space, level, sharp=sharp)
    if isinstance(weights, NoWeights):
        raise Infeasible(_absence(space, level.pure, weights), weights)
    return weights


def _absence(space: Space, level: Level, proof: NoWeights) -> str:
    shown = level.text if len(level.text) <= 24 else f"{float(level):.12g}"
    factor = "" if proof.space == space else f"on its factor {proof.space.text} "
    why = "Φ is singular, and a vector u with Φ u >= 0 and a negative sum rules w >= 0 out"
    if proof.upper is not None:
        why = (
            f"the only solution of Φ w = 1 is negative at the point {proof.point}, "
            f"at most {proof.upper:.9g}"
        )
    return f"no tight-constraints mechanism exists on {space.text} at ε = {shown}: {factor}{why}."


def _exact_mechanism(space: Space, level: Level) -> FiniteMechanism | None:
    """The mechanism with a rational ratio: where weights are equal or rational; else None."""
    units = [d.rational for d in pair_classes(space, space.edges())[0]]
    if any(unit is None for unit in units):
        return None
    unit = Fraction(
        gcd(*(u.numerator for u in units if u)), lcm(*(u.denominator for u in units if u))
    )
    if isinstance(space, Lattice) and space.norm.metric in (Metric.HAMMING, Metric.CYCLIC):
        ratio = level.ratio_below(Surd.of(unit))
        return exact_kernel(space, ratio, unit, (Fraction(1),) * space.size)
    exact = level.power(Surd.of(unit))
    written = space.size <= WRITTEN_OUT or family_of(space) is Family.PATH
    if exact is None or not written:
        return None
    weights = tight_weights(space, level)
    return exact_kernel(space, exact, unit, weights.each) if weights.exact else None
