"""The catalog: every construction under its name, and when it applies.

A new construction is one module, with its own `obstacle`, and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, isqrt

from tightrope.constructions.closed_forms.exponential import exponential
from tightrope.constructions.closed_forms.exponential import obstacle as exponential_obstacle
from tightrope.constructions.closed_forms.geometric import obstacle as geometric_obstacle
from tightrope.constructions.closed_forms.geometric import truncated_geometric
from tightrope.constructions.closed_forms.integer_staircase import obstacle as staircase_obstacle
from tightrope.constructions.closed_forms.integer_staircase import solve as solve_staircase
from tightrope.constructions.closed_forms.planar import obstacle as planar_obstacle
from tightrope.constructions.closed_forms.planar import planar_geometric, planar_laplace
from tightrope.constructions.closed_forms.randomized_response import obstacle as response_obstacle
from tightrope.constructions.closed_forms.randomized_response import solve as solve_response
from tightrope.constructions.closed_forms.remapped_geometric import obstacle as remap_obstacle
from tightrope.constructions.closed_forms.remapped_geometric import solve as solve_remap
from tightrope.constructions.closed_forms.two_sided_geometric import obstacle as noise_obstacle
from tightrope.constructions.closed_forms.two_sided_geometric import two_sided_geometric
from tightrope.constructions.obstacles import refuse
from tightrope.constructions.optimum.effort import Effort
from tightrope.constructions.optimum.minimum import minimum
from tightrope.constructions.optimum.minimum import obstacle as optimum_obstacle
from tightrope.constructions.tight.bounds import best_tight, remapped_tight
from tightrope.constructions.tight.bounds import remap_obstacle as tight_remap_obstacle
from tightrope.constructions.tight.constraints import obstacle as tight_obstacle
from tightrope.constructions.tight.leveled_grids import (
    LARGEST,
    exponential_on_grid,
    halved_on_grid,
    is_leveled_grid,
    is_worth_leveling,
)
from tightrope.errors import CannotCheck, TooLarge
from tightrope.exact import Level, sizes
from tightrope.privacy import Certified
from tightrope.spaces import Directed, Space
from tightrope.utility import Problem, Solution

Solve = Callable[[Problem, Effort], Solution]


@dataclass(frozen=True)
class Entry:
    """A construction: its name, a description in one sentence, when it applies, how to make it.

    `applies` is the construction's own `obstacle`: None where it exists, else one sentence
    that says why not; `limit` is the largest number of points it is made for, `grid_limit` that
    of grids with two axes or more if that differs. With `any_outputs` it takes any list of answers,
    not only points of the space; with `one_way` relations may be directed.
    """

    name: str
    reason: str
    limit: int
    applies: Callable[[Problem], str | None]
    solve: Solve
    any_outputs: bool = False
    one_way: bool = False
    grid_limit: int | None = None

    def most(self, space: Space) -> int:
        """The largest number of points it is made for, on spaces of this kind."""
        return self.grid_limit if self.grid_limit and is_leveled_grid(space) else self.limit

    def obstacle(self, problem: Problem) -> str | None:
        """Why the construction does not solve the problem, in one sentence; None where it does."""
        if isinstance(problem.space, Directed) and not self.one_way:
            return "it needs distances that are the same both ways."
        if problem.query is not None and not self.any_outputs:
            return "it sees points of the space, not a query on datasets."
        if problem.outputs is not None and not self.any_outputs:
            return "it answers with points of the space, not with the outputs given."
        return self.applies(problem)

    def build(self, problem: Problem, effort: Effort) -> Solution:
        """The solution; refused where there is an obstacle or the space is too large for it."""
        refuse(self.name, self.obstacle(problem))
        most = self.most(problem.space)
        if problem.space.size > most:
            raise TooLarge(
                f"the number of points for {self.name}",
                problem.space.size,
                most,
                "use a smaller space or another construction",
            )
        return self.solve(problem, effort)


def _closed(name: str, build: Callable[[Space, Level], Certified]) -> Solve:
    """`solve` of a construction that depends on neither prior nor loss."""
    return lambda problem, _: Solution(problem, build(problem.space, problem.level), name)


def _exponential(problem: Problem, effort: Effort) -> Solution:
    """Leveled normalizers on large grids; elsewhere half of the level."""
    if is_leveled_grid(problem.space) and not problem.level.is_zero:
        try:
            if is_worth_leveling(problem):
                return exponential_on_grid(problem)
        except CannotCheck:
            pass
        if problem.space.size > _WRITTEN:
            return halved_on_grid(problem)
    _refuse_short(problem.space, effort.seconds)
    return _closed("exponential", exponential)(problem, effort)


def _refuse_short(space: Space, seconds: float) -> None:
    """Refuse a matrix over a space whose pairs take longer to compare than the time allowed."""
    if space.size > _WRITTEN:
        return  # refused as a matrix
    proof = len(space.edges()) * space.size / _COMPARED
    if proof > max(seconds, _MOMENT):
        raise TooLarge("the time for comparing all pairs, in seconds,", ceil(proof), ceil(seconds),
                       f"allow {ceil(proof)} seconds or more")


_COMPARED, _MOMENT = 150_000_000, 2.0
"""Pairs times outputs compared in a second; seconds that a proof may take in any case."""

_WRITTEN, _PLANAR = isqrt(sizes.LARGEST_MATRIX), 1_024
"""Most points of a matrix that is written out, and of planar noise."""

CATALOG: tuple[Entry, ...] = (
    Entry(
        "geometric",
        "two-sided geometric noise, moved back into the range",
        _WRITTEN,
        geometric_obstacle,
        _closed("geometric", truncated_geometric),
    ),
    Entry(
        "remapped-geometric",
        "the geometric, each output replaced by the answer that loses least given it",
        _WRITTEN,
        remap_obstacle,
        lambda problem, _: solve_remap(problem),
    ),
    Entry(
        "randomized-response",
        "the truth or, with equal chances, any other value",
        sizes.LARGEST_KERNEL,
        response_obstacle,
        lambda problem, _: solve_response(problem),
    ),
    Entry(
        "tight",
        "every output as unlikely far away as the level allows: weights times e^(-ε d)",
        sizes.LARGEST_GRID,
        tight_obstacle,
        lambda problem, _: best_tight(problem),
    ),
    Entry(
        "remapped-tight",
        "the same, each output replaced by the answer that loses least given it",
        _WRITTEN,
        tight_remap_obstacle,
        lambda problem, _: remapped_tight(problem),
    ),
    Entry(
        "optimal",
        "the best mechanism there is for this loss and goal, with a proved bound",
        _WRITTEN,
        optimum_obstacle,
        minimum,
        any_outputs=True,
        one_way=True,
    ),
    Entry(
        "exponential",
        "any point, the likelier the nearer; part of the level pays for the normalizers",
        _WRITTEN,
        exponential_obstacle,
        _exponential,
        grid_limit=LARGEST,
    ),
    Entry(
        "planar-geometric",
        "e^(-ε d) on the whole lattice, everything outside moved to the nearest cell",
        _PLANAR,
        planar_obstacle,
        _closed("planar-geometric", planar_geometric),
    ),
    Entry(
        "planar-laplace",
        "Laplace noise on the plane, collected in cells, the outside moved to the nearest",
        _PLANAR,
        planar_obstacle,
        _closed("planar-laplace", planar_laplace),
    ),
    Entry(
        "two-sided-geometric",
        "geometric noise on all integers; answers may leave the range",
        10**15,
        noise_obstacle,
        _closed("two-sided-geometric", two_sided_geometric),
    ),
    Entry(
        "staircase",
        "noise in steps as wide as one person's contribution; answers may leave the range",
        10**15,
        staircase_obstacle,
        lambda problem, _: solve_staircase(problem),
    ),
)
