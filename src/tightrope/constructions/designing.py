"""`design` and `compare`: the best construction that applies, and all of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import overload

from tightrope.choices import Goal
from tightrope.constructions.catalog import Entry
from tightrope.constructions.comparison import Comparison, Row
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.exact import exact_minimum, has_rational_powers
from tightrope.constructions.optimum.exact_form import minimum_in_form
from tightrope.constructions.optimum.generic import design_under
from tightrope.constructions.own import Own, own_entries
from tightrope.constructions.query_catalog import entries_for, entry
from tightrope.errors import BadInput, BadLevel, CannotCheck, Infeasible, SolverFailed, TooLarge
from tightrope.exact import Level, Number
from tightrope.privacy import Bound, GenericDefinition, level_of
from tightrope.spaces import Label, QueryLike, Space
from tightrope.spellings import LEVEL, RESULT, SEARCH, spelled
from tightrope.utility import (
    GenericSolution,
    LossLike,
    PriorLike,
    Problem,
    Proof,
    Solution,
    relative_gap,
    uniform,
)

_LAST = "optimal"
"""The slowest construction: in a whole comparison it comes after all others."""

_BY_THEOREM = 200
"""Points beyond which a theorem stands alone and no bound is computed beside it."""


@overload
def design(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    query: QueryLike | None = None,
    construction: str | None = None,
    exact: bool = False,
    definition: None = None,
    effort: Effort = ORDINARY,
) -> Solution: ...


@overload
def design(
    space: Space | str,
    *,
    definition: GenericDefinition | Bound,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
) -> GenericSolution: ...


@spelled(
    all="tr.constructions.all_optima(solution)",
    extra="tr.compare(…, extra={…})",
    max_loss="tr.constructions.min_level_given_loss(space, most)",
    measure="tr.theory.max_measure_given_level",
    **LEVEL, **RESULT, **SEARCH,
)
def design(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    query: QueryLike | None = None,
    construction: str | None = None,
    exact: bool = False,
    definition: GenericDefinition | Bound | None = None,
    effort: Effort = ORDINARY,
) -> Solution | GenericSolution:
    """The mechanism with the least loss for a space and a level, proved private.

    All constructions that apply compete, the optimum among them where its size allows.

    Parameters: `space` is a space, or text such as "path:0..49" or "grid:10x10". `epsilon` is ε
    as a number or text (0.1 means 1/10, "ln(2)" that e^ε is 2), or a `Level`; `delta` stands
    beside it, `ratio`, which is e^ε, in its place. `prior` is how likely each input is (a list,
    an array, a Series, a mapping). `loss` is a name, a matrix, or a function of input and answer;
    None takes one that fits the space. `goal` is "average" or "worst". `outputs` are the answers
    allowed, the points of the space if None. With a `query` (a function, a table, a list, a name;
    `files.read_query` for values that are no numbers) the points are datasets and the answers its
    values. With a `construction` only that one is tried. `exact` asks for the optimum in fractions,
    with a gap of 0, for up to 40 inputs and outputs; where e^ε is irrational `form` has its loss
    and entries as functions of e^ε. A `definition`
    stands in place of a level (`files.read_definition`, or one bound for all neighbors, such as
    `privacy.total_variation(0.1)`); its bounds are piecewise linear.

    Returns: a `Solution`; its `gap` is the distance to the best possible, where that is known.
    Under a definition, a `GenericSolution`, whose loss and bound are fractions.

    Raises: `Infeasible` where the named construction does not exist; `BadInput` where none
    applies.

    >>> s = design("path:0..2", ratio=2)
    >>> s.construction, s.problem.loss.name, round(s.value, 12), s.gap < 1e-6
    ('geometric', 'absolute', 0.555555555556, True)
    >>> design("path:0..2", "ln(2)", loss=lambda x, z: abs(x - z)).value == s.value
    True
    >>> design("hamming:values=2,people=3", 1, query=sum, construction="ladder").construction
    'ladder'
    >>> design("cycle:3", ratio=2, exact=True).exact.value
    Fraction(1, 2)
    """
    if definition is not None:
        others = {"epsilon": epsilon, "delta": delta, "ratio": ratio, "query": query,
                  "construction": construction, "exact": exact or None}
        if given := [name for name, part in others.items() if part is not None]:
            raise BadInput(f"a definition stands in place of a level and goes with the exact "
                           f"optimum alone; leave out {given[0]}.")
        return design_under(space, definition, prior=prior, loss=loss, goal=goal, outputs=outputs)
    level = level_of(epsilon, delta=delta, ratio=ratio)
    problem = _check_effort(Problem(space, level, prior, loss, goal, outputs, query), effort)
    if exact:
        if construction not in (None, _LAST):
            raise BadInput(f"exact goes with the optimal construction, not {construction}.")
        solve = exact_minimum if has_rational_powers(problem) else minimum_in_form
        return solve(problem, effort)
    if construction is not None:
        return entry(construction).build(problem, effort)
    comparison = try_catalog(problem, effort, whole=False)
    if not comparison.solutions:
        raise nothing_applies(comparison)
    least = comparison.solutions[0].value
    return next(row.solution for row in comparison.rows if row.solution is not None
                and relative_gap(row.solution.value, least) <= effort.gap)


@spelled(
    construction="tr.design(…, construction=…)",
    definition="tr.design(space, definition=…), which takes the optimum alone",
    exact="tr.design(…, exact=True), whose value is the bound",
    **LEVEL, **RESULT, **SEARCH,
)
def compare(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    query: QueryLike | None = None,
    extra: Mapping[str, Own] | None = None,
    effort: Effort = ORDINARY,
    told: Callable[[Row], None] | None = None,
) -> Comparison:
    """Every construction of the catalog, certified, with its loss or the reason it is absent.

    Parameters are those of `design`; `told` is called with each row as soon as it is ready. For a
    `query` on datasets the constructions are those that see the dataset, calibrated and as their
    theorems state them. `extra` brings mechanisms of one's own by name: a mechanism, a matrix, or
    a function of space and level that returns one; each is proved at the level, or says why not.

    Returns: a `Comparison`. Where a bound is proved, every row carries it and its own gap to it.

    Raises: `BadInput` for a space, level, prior, loss or effort that cannot be used; `Refused` for
    a δ above 0 where no neighbors are declared.

    >>> comparison = compare("path:0..2", Level.ratio(2), loss="absolute")
    >>> {row.construction: round(row.solution.value, 6) for row in comparison.rows[:2]}
    {'geometric': 0.555556, 'remapped-geometric': 0.555556}
    >>> coin = [["2/3", "1/3"], ["1/3", "2/3"]]
    >>> compare("categories:2", ratio=2, extra={"mine": coin}).rows[0].solution.gap
    0.0
    """
    level = level_of(epsilon, delta=delta, ratio=ratio)
    problem = Problem(space, level, prior, loss, goal, outputs, query)
    return try_catalog(_check_effort(problem, effort), effort, told=told, extra=extra)


def _check_effort(problem: Problem, effort: object) -> Problem:
    if not isinstance(effort, Effort):
        raise BadInput(f"expected an Effort, found {type(effort).__name__}.")
    return problem


def try_catalog(
    problem: Problem,
    effort: Effort,
    *,
    whole: bool = True,
    told: Callable[[Row], None] | None = None,
    extra: Mapping[str, Own] | None = None,
) -> Comparison:
    """Try the entries that apply; unless `whole`, stop at the first that is proved best.

    The search also stops when time is up or Ctrl-C is pressed, if there is a solution.
    """
    rows_by_name: dict[str, Row] = {}
    started, interrupted = monotonic(), False
    catalog = (*own_entries(extra, problem), *entries_for(problem))
    for candidate in sorted(catalog, key=lambda entry: whole and entry.name == _LAST):
        try:
            row = _try_entry(candidate, problem, effort, list(rows_by_name.values()))
        except BadLevel as reason:
            if not whole:  # the remaining constructions may be far from the best
                raise
            row = Row(candidate.name, None, str(reason), impossible=True)
        except KeyboardInterrupt:
            if not any(entry.solution for entry in rows_by_name.values()):
                raise
            interrupted = True
            break
        rows_by_name[candidate.name] = row
        interrupted |= row.interrupted
        if told is not None:
            told(row)
        if whole:
            continue
        if row.solution is not None and row.solution.settled(effort.gap):
            break
        late = monotonic() - started > effort.seconds or _is_stopped(row.solution)
        if late and any(entry.solution for entry in rows_by_name.values()):
            break
    rows = [rows_by_name[candidate.name] for candidate in catalog if candidate.name in rows_by_name]
    known = [(row.solution.bound, row.solution.proof) for row in rows
             if row.solution is not None and row.solution.bound is not None]
    if not known:
        return Comparison(problem, tuple(rows), None, interrupted)
    bound = max(proved for proved, _ in known)
    proofs = [(proved, proof) for proved, proof in known if proof is not None]
    proof = max(proofs, key=lambda entry: entry[0])[1] if proofs else None
    ranked = tuple(_against(_with_theorem(row, rows), bound, proof) for row in rows)
    return Comparison(problem, ranked, bound, interrupted)


def _is_stopped(solution: Solution | None) -> bool:
    """Whether a search was ended by the clock or by Ctrl-C, before its gap or its last digit."""
    statistics = {} if solution is None else solution.statistics
    return not (statistics.get("finished", True) or statistics.get("exhausted", False))


def _try_entry(candidate: Entry, problem: Problem, effort: Effort, rows: Sequence[Row]) -> Row:
    """The row of one construction; `rows` are those of the constructions before it."""
    obstacle, size = candidate.obstacle(problem), problem.space.size
    if obstacle is not None:
        return Row(candidate.name, None, obstacle)
    theorem = next((row for row in rows if row.solution and row.solution.theorem), None)
    if candidate.name == _LAST and theorem and size > _BY_THEOREM:
        return Row(candidate.name, None, f"{theorem.construction} is, by a theorem.")
    try:
        solution = candidate.build(problem, effort)
    except TooLarge as reason:
        large = size > candidate.most(problem.space)
        return Row(candidate.name, None, str(reason), too_large=large, beyond=not large)
    except (Infeasible, CannotCheck, SolverFailed) as reason:
        return Row(candidate.name, None, str(reason), impossible=True)
    return Row(candidate.name, solution, candidate.reason)


def nothing_applies(comparison: Comparison) -> BadInput:
    """The error for a comparison without solutions, with the reasons."""
    space, rows = comparison.problem.space, comparison.rows
    names = {candidate.name for candidate in entries_for(comparison.problem)}
    sizes = [entry(row.construction).most(space) for row in rows
             if row.too_large and row.construction in names]
    if sizes:
        return BadInput(
            f"{space.text} has {_count(space.size)} points, too many for the constructions that "
            f"apply to it; they take at most {max(sizes):,}."
            + "".join(f" Besides, {row.reason}" for row in rows if row.impossible)
        )
    reasons = [row for row in rows if row.impossible] or [row for row in rows if row.beyond][:1]
    return BadInput(
        f"no construction applies to {space.text} at {comparison.problem.level}: "
        + " ".join(f"{row.construction}: {row.reason}" for row in reasons or rows)
    )


def _count(size: int) -> str:
    return f"{size:,}" if size < 10**15 else f"about 10^{len(str(size)) - 1}"


def _with_theorem(row: Row, rows: Sequence[Row]) -> Row:
    """The row with the theorem that another row has about the very same mechanism."""
    if row.solution is None or row.solution.theorem is not None:
        return row
    theorem = next((other.solution.theorem for other in rows if other.solution is not None
                    and other.solution.theorem is not None
                    and other.solution.mechanism == row.solution.mechanism), None)
    return replace(row, solution=row.solution.noting(theorem=theorem))


def _against(row: Row, bound: float, proof: Proof) -> Row:
    """The row with the best bound, and the dual that proves the best one that has a dual."""
    if row.solution is None:
        return row
    return replace(row, solution=row.solution.against(bound, proof))
