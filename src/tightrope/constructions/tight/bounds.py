"""The tight-constraints mechanism as a solution: remap, theorem and bound.

For a regular prior π = Φ μ, μ >= 0, no private mechanism has a binary gain above Σ μ (ECP,
Theorem 2), and the tight-constraints mechanism has that gain. The dual is explicit: for output
z the multipliers m_z[y, z] = μ_y, y ≠ z, for then every price is

    price[y] = π_y - μ_y,   from z ≠ y as from z = y: 0 + Σ_(a ≠ y) Φ[a, y] μ_a = π_y - μ_y.

For other priors and losses nothing is claimed; there the mechanism may be followed by its best
remap, which is another construction.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from tightrope.choices import Goal
from tightrope.constructions.obstacles import refuse
from tightrope.constructions.tight.constraints import obstacle, tight_mechanism, tight_weights
from tightrope.constructions.tight.large_grids import is_large_grid, tight_on_grid
from tightrope.errors import CannotCheck, TooLarge
from tightrope.exact import Level, ball_of, check_entries, float_below, sizes
from tightrope.kernels import Regular, binary_bound, regularity
from tightrope.mechanisms import FiniteMechanism, KernelMechanism
from tightrope.privacy import certified
from tightrope.spaces import Space
from tightrope.utility import Prior, Problem, Solution, apply_best_remap, binary

THEOREM = (
    "a tight-constraints mechanism has the largest binary gain for every regular prior "
    "(ECP, Theorem 4)"
)


def best_tight(problem: Problem) -> Solution:
    """The certified mechanism with its loss; theorem and bound at δ = 0 and a regular prior."""
    space, level = problem.space, problem.level
    if is_large_grid(problem):
        return tight_on_grid(problem)
    refuse("tight", obstacle(problem))
    check_entries(space.size, space.size)
    mechanism = tight_mechanism(space, level)
    solution = Solution(problem, certified(mechanism, level), "tight")
    if problem.loss != binary or problem.goal is not Goal.AVERAGE or level.delta:
        return solution
    regular = _regular(space, level, problem.prior)
    if regular is None:
        return solution
    kernel = isinstance(mechanism, KernelMechanism)
    most = sizes.LARGEST_KERNEL_PROOF if kernel else sizes.LARGEST_TIGHT_PROOF
    bound = float_below(1 - ball_of(regular.gain, 128))
    proof = None
    if space.size <= most:
        coefficients = [mu * regular.scale for mu in regular.coefficients.each]
        proof = partial(binary_bound, problem, coefficients)
    return solution.noting(theorem=THEOREM).against(bound, proof)


def remap_obstacle(problem: Problem) -> str | None:
    """Why its best remap is not tried, in one sentence; None where it is."""
    if problem.goal is not Goal.AVERAGE:
        return "its remap is chosen for the average, not for the worst input."
    if problem.plain:
        return "no remap is better for the binary loss and a uniform prior."
    return obstacle(problem)


def remapped_tight(problem: Problem) -> Solution:
    """The mechanism, each output replaced by the answer that loses least given it."""
    mechanism = best_tight(problem).certified.mechanism
    assert isinstance(mechanism, FiniteMechanism)
    moved = apply_best_remap(mechanism, problem)
    return Solution(problem, certified(moved, problem.level), "remapped-tight")


def _regular(space: Space, level: Level, prior: Prior) -> Regular | None:
    """The coefficients μ of a regular prior; None if it is not known to be regular."""
    if prior.weights is None:
        return Regular(tight_weights(space, level), Fraction(1, space.size))
    try:
        verdict = regularity(space, level, prior)
    except (CannotCheck, TooLarge):
        return None
    return verdict if isinstance(verdict, Regular) else None
