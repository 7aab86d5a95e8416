"""The truncated geometric mechanism for whole numbers.

With α = e^(-ε), two-sided geometric noise is k with probability
(1 - α)/(1 + α) α^|k|. The truncated one moves everything below the range to the lowest
value and everything above to the highest: P(z | y) = w_z α^|y-z| with w = 1/(1 + α) at the
ends and (1 - α)/(1 + α) between. Its rows add up to 1 exactly.

Where one person moves a sum by up to v, the noise is that of ε/v per unit; where one person
moves k counts at once, every count has noise of its own at ε/k.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from flint import arb, ctx

from tightrope.constructions.closed_forms.written_kernels import exact_kernel, rounded_kernel
from tightrope.constructions.obstacles import refuse, zero_obstacle
from tightrope.exact import Level, Number, Surd, check_entries, sizes
from tightrope.kernels import inner_axes, path_weights
from tightrope.mechanisms import UNIT_BITS, FiniteMechanism, KernelMechanism, MatrixMechanism
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Family, Space, family_of, grid
from tightrope.utility import Problem

_ONE = Surd.of(1)


def obstacle(problem: Problem) -> str | None:
    """Why the truncated geometric does not exist, in one sentence; None where it does."""
    if family_of(problem.space) not in (Family.PATH, Family.SUM, Family.COUNTS):
        return f"it needs a path of whole numbers, sums or counts, not {problem.space.text}."
    return zero_obstacle(problem)


def truncated_geometric(
    space: Space | str, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> Certified:
    """The truncated geometric mechanism on a path, on sums or on several counts.

    Returns: the mechanism with its certificate. Raises: `Infeasible` on any other space, or at
    ε = 0.

    >>> made = truncated_geometric("path:0..2", Level.ratio(2))
    >>> [str(p) for p in made.mechanism.row_at(0)]
    ['2/3', '1/6', '1/6']
    """
    problem = Problem(space, level_of(epsilon, ratio=ratio))
    refuse("geometric", obstacle(problem))
    return certified(geometric_on(problem.space, problem.level), problem.level)


def geometric_on(space: Space, level: Level) -> FiniteMechanism:
    """The mechanism itself, where nothing stands in its way."""
    form = space.describe()
    match family_of(space):
        case Family.SUM:
            return rounded_geometric(space, (space.size,), level.scaled(Fraction(1, form["max"])))
        case Family.COUNTS:
            shape = (form["people"] + 1,) * form["queries"]
            return rounded_geometric(space, shape, level.scaled(Fraction(1, form["queries"])))
    between = space.size - 2
    exact = level.pure.power(_ONE)
    if exact is not None:
        alpha = 1 / exact
        end, middle = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)
        return exact_kernel(space, exact, Fraction(1), (end, *(middle,) * between, end))
    if space.size > sizes.LARGEST_PATH_PROOF:
        return _long_geometric(space, level)
    return rounded_geometric(space, (space.size,), level)


def _long_geometric(space: Space, level: Level) -> KernelMechanism:
    """On a long path, just inside the level: a rounded kernel, one weight for every value."""
    ratio = level.pure.inside(_ONE).ratio_below(_ONE)
    end, middle = (floor(over * 2**UNIT_BITS / (1 + ratio)) for over in (ratio, ratio - 1))
    weights = (end, *(max(middle, 1),) * (space.size - 2), end)
    return KernelMechanism(space, ratio, Fraction(1), weights, rounded=True)


def rounded_geometric(space: Space, shape: Sequence[int], level: Level) -> MatrixMechanism:
    """Truncated geometric noise along every axis of a box, written out just inside the level.

    The points of the space are the cells of the box, one unit apart along each axis.
    """
    check_entries(space.size, space.size)
    inside = level.pure.inside(_ONE)
    with ctx.workprec(160):
        small = (-inside.ball(160)).exp()
        kinds = path_weights(small, len(shape))
    base: list[arb | Fraction] = [kinds[k] for k in inner_axes(shape).tolist()]
    box = grid(tuple(shape), metric="manhattan")
    return MatrixMechanism(space, space.points, rounded_kernel(box, inside, base).weights)
