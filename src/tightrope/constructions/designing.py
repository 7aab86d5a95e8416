"""`design` and `compare`: the best construction that applies, and all of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tightrope.constructions.catalog import CATALOG, Entry, entry
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimum.optimal import ORDINARY, Effort
from tightrope.constructions.solution import Solution
from tightrope.errors import BadInput, CannotCheck, Infeasible, SolverFailed, TooLarge
from tightrope.exact import Level, Number
from tightrope.spaces import Label, Space, in_order, space_of
from tightrope.utility import Loss, LossMatrix, Prior, binary, relative_gap, uniform

_WHOLE = 128
"""Points up to which a design tries every construction, whatever is proved."""

_LAST = "optimal"
"""What takes longest: in a whole comparison it comes after all others."""

_BY_THEOREM = 200
"""Points beyond which a theorem stands alone and no bound is computed beside it."""


@dataclass(frozen=True)
class Row:
    """One construction in a comparison; `solution` is None where it does not apply."""

    construction: str
    solution: Solution | None
    reason: str
    too_large: bool = False
    impossible: bool = False


@dataclass(frozen=True)
class Comparison:
    """Every construction, and a proved lower bound on the loss where one is known."""

    rows: tuple[Row, ...]
    bound: float | None


def design(
    space: Space | str,
    level: Level | Number,
    *,
    prior: Prior | Sequence[Number] | str = uniform,
    loss: Loss | LossMatrix | str | Sequence[Sequence[Number]] = binary,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    construction: str | None = None,
    effort: Effort = ORDINARY,
) -> Solution:
    """The certified mechanism with the smallest loss among the constructions that apply.

    With `construction` only that one is tried, and `Infeasible` says why if it does not exist.
    `outputs` are the answers it may give, the points of the space if None.

    >>> from tightrope.spaces import path
    >>> from tightrope.utility import absolute
    >>> s = design(path(0, 2), Level.ratio(2), loss=absolute)
    >>> s.construction, round(s.value, 12), s.gap < 1e-6
    ('geometric', 0.555555555556, True)
    >>> design("path:0..2", "ln(2)", loss="absolute").value == s.value
    True
    """
    space, level, objective = _asked(space, level, prior, loss, goal, outputs, effort)
    if construction is not None:
        chosen = entry(construction)
        obstacle = chosen.obstacle(space, level, objective)
        if obstacle is not None:
            raise Infeasible(f"{chosen.name} does not exist here: {obstacle}")
        chosen.check_size(space)
        return chosen.solve(space, level, objective, effort)
    rows = compared(space, level, objective, effort, whole=space.size <= _WHOLE).rows
    found = [row.solution for row in rows if row.solution is not None]
    if not found:
        raise nothing_applies(space, rows)
    least = min(solution.value or 0.0 for solution in found)
    return next(
        solution for solution in found if relative_gap(solution.value or 0.0, least) <= effort.gap
    )


def compare(
    space: Space | str,
    level: Level | Number,
    *,
    prior: Prior | Sequence[Number] | str = uniform,
    loss: Loss | LossMatrix | str | Sequence[Sequence[Number]] = binary,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    effort: Effort = ORDINARY,
    told: Callable[[Row], None] | None = None,
) -> Comparison:
    """Every construction of the catalog, certified, with its loss or the reason it is absent.

    Where the optimum is known, every row carries the proved bound and its own gap to it. It is
    sought last; each row is `told` as soon as it is found.
    """
    space, level, objective = _asked(space, level, prior, loss, goal, outputs, effort)
    return compared(space, level, objective, effort, told=told)


def _asked(
    space: Any, level: Any, prior: Any, loss: Any, goal: Any, outputs: Any, effort: Any
) -> tuple[Space, Level, Objective]:
    """The problem, from values or from the texts and numbers that state them."""
    if not isinstance(effort, Effort):
        raise BadInput(f"expected an Effort, found {type(effort).__name__}.")
    space = space_of(space)
    prior = in_order(prior, space.points)
    loss = in_order(loss, space.points, space.points if outputs is None else outputs)
    return space, Level.of(level), Objective(prior, loss, goal, outputs)


def compared(
    space: Space,
    level: Level,
    objective: Objective,
    effort: Effort,
    *,
    whole: bool = True,
    told: Callable[[Row], None] | None = None,
) -> Comparison:
    """The comparison; unless it is to be whole, up to the first that is proved to be best."""
    found: dict[str, Row] = {}
    order = sorted(CATALOG, key=lambda candidate: whole and candidate.name == _LAST)
    for candidate in order:
        last = list(found.values())[-1].solution if found else None
        if not whole and last and last.gap is not None and last.gap <= effort.gap:
            break
        row = _tried(candidate, space, level, objective, effort, list(found.values()))
        found[candidate.name] = row
        if told is not None:
            told(row)
    rows = [found[candidate.name] for candidate in CATALOG if candidate.name in found]
    known = [(row.solution.bound, row.solution) for row in rows
             if row.solution is not None and row.solution.bound is not None]
    if not known:
        return Comparison(tuple(rows), None)
    bound = max(found for found, _ in known)
    proofs = [(found, solution.dual) for found, solution in known if solution.dual is not None]
    dual = max(proofs, key=lambda proof: proof[0])[1] if proofs else None
    return Comparison(tuple(_against(row, bound, dual) for row in rows), bound)


def _tried(
    candidate: Entry,
    space: Space,
    level: Level,
    objective: Objective,
    effort: Effort,
    rows: Sequence[Row],
) -> Row:
    """The row of one construction, beside those that were found before."""
    obstacle = candidate.obstacle(space, level, objective)
    if obstacle is not None:
        return Row(candidate.name, None, obstacle)
    theorem = next((row for row in rows if row.solution and row.solution.theorem), None)
    if candidate.name == _LAST and theorem and space.size > _BY_THEOREM:
        return Row(candidate.name, None, f"{theorem.construction} is, by a theorem.")
    try:
        candidate.check_size(space)
        solution = candidate.solve(space, level, objective, effort)
    except TooLarge as reason:
        return Row(candidate.name, None, str(reason), space.size > candidate.most(space))
    except Infeasible as reason:
        return Row(candidate.name, None, str(reason), impossible=True)
    except (CannotCheck, SolverFailed) as reason:
        return Row(candidate.name, None, str(reason), impossible=True)
    return Row(candidate.name, solution, candidate.reason)


def nothing_applies(space: Space, rows: Sequence[Row]) -> BadInput:
    """The error that says in one sentence why no construction is left."""
    sizes = [entry(row.construction).most(space) for row in rows if row.too_large]
    if sizes:
        return BadInput(
            f"{space.text} has {_count(space.size)} points, too many for the constructions that "
            f"apply to it; they take at most {max(sizes):,}."
            + "".join(f" Besides, {row.reason}" for row in rows if row.impossible)
        )
    return BadInput(
        f"no construction applies to {space.text}: "
        + " ".join(f"{row.construction}: {row.reason}" for row in rows)
    )


def _count(size: int) -> str:
    return f"{size:,}" if size < 10**15 else f"about 10^{len(str(size)) - 1}"


def _against(row: Row, bound: float, dual: object | None) -> Row:
    """The row with the best bound, and the dual that proves the best one that has a dual."""
    if row.solution is None:
        return row
    return replace(row, solution=row.solution.against(bound, dual))
