"""The tight-constraints mechanism as the answer to a design: remap, theorem and bound.

For a regular prior π = Φ μ, μ >= 0, no private mechanism has a binary gain above Σ μ (ECP,
Theorem 2), and the tight-constraints mechanism has that gain. For other priors and losses it
is followed by its best remap, and nothing is claimed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.solution import Solution
from tightrope.constructions.tight import tight_constraints, tight_weights
from tightrope.constructions.tight_grid import large_grid, tight_on_grid
from tightrope.errors import CannotCheck, TooLarge
from tightrope.exact import Level, ball_of, check_entries, float_below
from tightrope.privacy import certified
from tightrope.spaces import Space
from tightrope.utility import Kind, Loss, Prior, Regular, regularity, relative_gap, remapped

THEOREM = (
    "a tight-constraints mechanism has the largest binary gain for every regular prior "
    "(ECP, Theorem 4)"
)


def best_tight(space: Space, level: Level, objective: Objective) -> Solution:
    """The certified mechanism with its loss; theorem and bound at δ = 0 and a regular prior."""
    if (grid := large_grid(space, objective)) is not None:
        return tight_on_grid(grid, level, objective)
    check_entries(space.size, space.size)
    mechanism = tight_constraints(space, level)
    binary = isinstance(objective.loss, Loss) and objective.loss.kind is Kind.BINARY
    if objective.goal is Goal.AVERAGE and not (binary and objective.prior.weights is None):
        mechanism = remapped(
            mechanism, prior=objective.prior, loss=objective.loss, outputs=space.points
        )
    value = objective.value(mechanism)
    solution = Solution(certified(mechanism, level), "tight", value)
    if not binary or objective.goal is Goal.WORST or level.delta:
        return solution
    gain = _largest_gain(space, level, objective.prior)
    if gain is None:
        return solution
    bound = min(value, float_below(1 - ball_of(gain, 128)))  # the value is rounded
    return replace(solution, bound=bound, gap=relative_gap(value, bound), theorem=THEOREM)


def _largest_gain(space: Space, level: Level, prior: Prior) -> Fraction | None:
    """Σ μ of a regular prior, rounded up; None if the prior is not known to be regular."""
    if prior.weights is None:
        return tight_weights(space, level).total[1] / space.size
    try:
        found = regularity(space, level, prior)
    except (CannotCheck, TooLarge):
        return None
    return found.gain if isinstance(found, Regular) else None
