"""The catalog: every construction under its name, and when it applies.

A new construction is one module and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, isqrt

from tightrope.constructions.closed_forms.exponential import exponential
from tightrope.constructions.closed_forms.geometric import (
    remapped_geometric,
    truncated_geometric,
    two_sided_geometric,
)
from tightrope.constructions.closed_forms.planar import (
    planar_geometric,
    planar_laplace,
    planar_obstacle,
)
from tightrope.constructions.closed_forms.randomized_response import (
    randomized_response,
    response_bound,
    response_theorem,
)
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimum.approximate import min_loss_with_delta
from tightrope.constructions.optimum.optimal import (
    Effort,
    min_loss_given_level,
    min_worst_loss_given_level,
)
from tightrope.constructions.optimum.path_bound import path_bound
from tightrope.constructions.solution import Solution
from tightrope.constructions.tight.bounds import best_tight
from tightrope.constructions.tight.leveled_grids import (
    LARGEST,
    exponential_on_grid,
    leveled_grid,
)
from tightrope.errors import BadInput, CannotCheck, TooLarge
from tightrope.exact import Level, sizes
from tightrope.mechanisms import Mechanism
from tightrope.privacy import Repair, certified
from tightrope.spaces import Space, farthest, is_connected
from tightrope.utility import LossMatrix, uniform

Solve = Callable[[Space, Level, Objective, Effort], Solution]


@dataclass(frozen=True)
class Entry:
    """A construction: its name, what it is in one sentence, when it applies, how to make it.

    `applies` returns None where the construction applies, else one sentence that says why not;
    `limit` is the largest number of points it is made for, `grid_limit` that of grids with two
    axes or more if it is another one; `any_outputs` says that it gives
    whatever answers are asked for, not only points of the space.
    """

    name: str
    reason: str
    limit: int
    applies: Callable[[Space, Level, Objective], str | None]
    solve: Solve
    any_outputs: bool = False
    grid_limit: int | None = None

    def most(self, space: Space) -> int:
        """The largest number of points it is made for, on spaces of this kind."""
        return self.limit if self.grid_limit is None or not leveled_grid(space) else self.grid_limit

    def obstacle(self, space: Space, level: Level, objective: Objective) -> str | None:
        """Why the construction does not apply, in one sentence; None where it does."""
        if objective.outputs is not None and not self.any_outputs:
            return "it answers with points of the space, not with the outputs given."
        return self.applies(space, level, objective)

    def check_size(self, space: Space) -> None:
        """Refuse a space with more points than the construction is made for."""
        if space.size > self.most(space):
            raise TooLarge(
                f"the number of points for {self.name}",
                space.size,
                self.most(space),
                "use a smaller space or another construction",
            )


def _closed(name: str, build: Callable[[Space, Level], Mechanism]) -> Solve:
    """A construction that does not look at the objective."""

    def solve(space: Space, level: Level, objective: Objective, _: Effort) -> Solution:
        mechanism = build(space, level)
        return Solution(certified(mechanism, level), name, objective.value(mechanism))

    return solve


def _planar(name: str, build: Callable[[Space, Level], Repair]) -> Solve:
    """Planar noise, proved as it is made."""

    def solve(space: Space, level: Level, objective: Objective, _: Effort) -> Solution:
        proved = build(space, level).certified
        return Solution(proved, name, objective.value(proved.mechanism))

    return solve


def _response(space: Space, level: Level, objective: Objective, _: Effort) -> Solution:
    mechanism = randomized_response(space, level)
    theorem = response_theorem(space, level, objective)
    solution = Solution(
        certified(mechanism, level),
        "randomized-response",
        objective.value(mechanism),
        theorem=theorem,
    )
    if theorem is None or space.size > sizes.LARGEST_KERNEL_PROOF:
        return solution
    prior = uniform if objective.goal is Goal.WORST else objective.prior
    return solution.proved(response_bound(space, level, prior))


def _remap(space: Space, level: Level, objective: Objective, _: Effort) -> Solution:
    mechanism, theorem = remapped_geometric(
        space, level, prior=objective.prior, loss=objective.loss
    )
    proved, value = certified(mechanism, level), objective.value(mechanism)
    solution = Solution(proved, "remapped-geometric", value)
    if level.delta:
        return solution
    solution = replace(solution, theorem=theorem)
    dual = path_bound(space, level, prior=objective.prior, loss=objective.loss)
    if dual is None:
        return solution
    kept = space.size <= sizes.LARGEST_PATH_PROOF
    return replace(solution.proved(dual), dual=dual if kept else None)


def solver_reach(space: Space, delta: Fraction) -> float:
    """The distance d for which the search of the optimum works with e^(-ε d).

    With δ that is three times the distance of neighbors: optima are about e^-ε there, and
    both they and what their digits may miss have to be in the range of doubles.

    >>> from tightrope.spaces import path
    >>> solver_reach(path(0, 9), Fraction(0)), solver_reach(path(0, 9), Fraction(1, 100))
    (9.0, 3.0)
    """
    if not delta or space.neighbors is None:
        return float(farthest(space))
    pairs = space.neighbors.pairs
    return 3 * float(space.lengths(pairs.first, pairs.second).max())


def _optimal(space: Space, level: Level, objective: Objective, effort: Effort) -> Solution:
    reach = float(level) * solver_reach(space, level.delta)
    if reach > sizes.LARGEST_CONE_REACH:
        raise TooLarge(
            "3 ε times the distance of neighbors" if level.delta else "ε times the diameter",
            ceil(reach),
            sizes.LARGEST_CONE_REACH,
            "beyond, probabilities leave the range of the solver's numbers; use a smaller ε",
        )
    if level.delta > 0:
        return min_loss_with_delta(space, level, objective, seconds=effort.seconds)
    if objective.goal is Goal.WORST:
        return min_worst_loss_given_level(
            space, level, loss=objective.loss, outputs=objective.outputs, effort=effort
        )
    return min_loss_given_level(
        space,
        level,
        prior=objective.prior,
        loss=objective.loss,
        outputs=objective.outputs,
        effort=effort,
    )


def _exponential(space: Space, level: Level, objective: Objective, _: Effort) -> Solution:
    """On large grids with leveled normalizers; else written out, for half of the level."""
    grid = leveled_grid(space)
    if grid is not None:
        try:
            return exponential_on_grid(grid, level, objective)
        except CannotCheck:
            if space.size > _WRITTEN:
                raise
    return _closed("exponential", exponential)(space, level, objective, _)


def _tight(space: Space, level: Level, objective: Objective, _: Effort) -> Solution:
    return best_tight(space, level, objective)


def _path_only(space: Space, level: Level, objective: Objective) -> str | None:
    if space.describe()["family"] != "path":
        return f"it needs a path of whole numbers, not {space.text}."
    return None


def _counts_only(space: Space, level: Level, objective: Objective) -> str | None:
    if space.describe()["family"] not in ("path", "sum", "counts"):
        return f"it needs a path of whole numbers, sums or counts, not {space.text}."
    return None


def _named_loss_on_path(space: Space, level: Level, objective: Objective) -> str | None:
    if isinstance(objective.loss, LossMatrix):
        return "a loss matrix needs finitely many outputs; this noise has all integers."
    return _path_only(space, level, objective)


def _average_on_path(space: Space, level: Level, objective: Objective) -> str | None:
    if objective.goal is Goal.WORST:
        return "its remap is chosen for the average, not for the worst input."
    return _path_only(space, level, objective)


def _equidistant_only(space: Space, level: Level, objective: Objective) -> str | None:
    if space.diameter != space.least_distance or not space.diameter.rational:
        return f"it needs points that are all equally far apart, which {space.text} has not."
    return None


def _plane_only(space: Space, level: Level, objective: Objective) -> str | None:
    return planar_obstacle(space, level)


def _connected_only(space: Space, level: Level, objective: Objective) -> str | None:
    if not is_connected(space):
        return f"it needs distances that are all finite, which {space.text} has not."
    return None


def _nowhere(space: Space, level: Level, objective: Objective) -> None:
    """No obstacle at all."""


def _solvable(space: Space, level: Level, objective: Objective) -> str | None:
    if level.delta > 0 and space.neighbors is None:
        return f"with δ it needs declared neighbors, which {space.text} has not."
    return None


_WRITTEN = isqrt(sizes.LARGEST_MATRIX)
_PLANAR = 1_024

CATALOG: tuple[Entry, ...] = (
    Entry(
        "geometric",
        "two-sided geometric noise, moved back into the range",
        _WRITTEN,
        _counts_only,
        _closed("geometric", truncated_geometric),
    ),
    Entry(
        "remapped-geometric",
        "the geometric, each output replaced by the answer that loses least given it",
        _WRITTEN,
        _average_on_path,
        _remap,
    ),
    Entry(
        "randomized-response",
        "the truth or, with equal chances, any other value",
        sizes.LARGEST_KERNEL,
        _equidistant_only,
        _response,
    ),
    Entry(
        "tight",
        "every output as unlikely far away as the level allows: weights times e^(-ε d)",
        sizes.LARGEST_GRID,
        _connected_only,
        _tight,
    ),
    Entry(
        "optimal",
        "the best mechanism there is for this loss and goal, with a proved bound",
        isqrt(sizes.LARGEST_CONE),
        _solvable,
        _optimal,
        any_outputs=True,
    ),
    Entry(
        "exponential",
        "any point, the likelier the nearer; part of the level pays for the normalizers",
        _WRITTEN,
        _nowhere,
        _exponential,
        grid_limit=LARGEST,
    ),
    Entry(
        "planar-geometric",
        "e^(-ε d) on the whole lattice, everything outside moved to the nearest cell",
        _PLANAR,
        _plane_only,
        _planar("planar-geometric", planar_geometric),
    ),
    Entry(
        "planar-laplace",
        "Laplace noise on the plane, collected in cells, the outside moved to the nearest",
        _PLANAR,
        _plane_only,
        _planar("planar-laplace", planar_laplace),
    ),
    Entry(
        "two-sided-geometric",
        "geometric noise on all integers; answers may leave the range",
        10**15,
        _named_loss_on_path,
        _closed("two-sided-geometric", two_sided_geometric),
    ),
)


def entry(name: str) -> Entry:
    """The construction of that name.

    >>> entry("geometric").reason
    'two-sided geometric noise, moved back into the range'
    """
    for candidate in CATALOG:
        if isinstance(name, str) and candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in CATALOG)
    raise BadInput(f"there is no construction {str(name)[:40]!r}; expected one of {known}.")
