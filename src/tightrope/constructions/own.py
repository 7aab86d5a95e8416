"""Mechanisms of one's own beside those of the catalog, in one comparison.

A mechanism, a matrix, or a function of space and level that makes one: each stands in the
comparison under its name, is proved at the level like every other, and says why where it is not.
A matrix that misses the level by rounding alone is repaired, and the comparison says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isqrt
from typing import Any, TypeAlias

from tightrope.characters import counted, refuse_controls
from tightrope.constructions.catalog import Entry, Solve
from tightrope.constructions.query_catalog import entries_for
from tightrope.errors import BadInput, Infeasible, NotPrivate, TightropeError
from tightrope.exact import sizes, tolerances
from tightrope.mechanisms import (
    Held,
    Matrix,
    MatrixMechanism,
    Mechanism,
    held,
    is_matrix,
)
from tightrope.privacy import Repair, certified, repair
from tightrope.utility import Problem, Solution

Own: TypeAlias = Mechanism | Held | Matrix | Callable[[Any, Any], Any]
"""A mechanism, rows of probabilities, or a function of space and level that returns either."""

LONGEST_NAME = 60


def own_entries(extra: Mapping[str, Own] | None, problem: Problem) -> tuple[Entry, ...]:
    """The entries of mechanisms that a caller brings, under names that the catalog does not use."""
    if extra is None:
        return ()
    if not isinstance(extra, Mapping):
        raise BadInput('expected extra as names with mechanisms, such as {"mine": matrix}, found '
                       f"{type(extra).__name__}.")
    taken = {entry.name for entry in entries_for(problem)}
    return tuple(_entry(name, given, taken) for name, given in extra.items())


def _entry(name: str, given: Own, taken: set[str]) -> Entry:
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise BadInput(f"the name of a mechanism of one's own has from 1 to {LONGEST_NAME} "
                       "characters.")
    refuse_controls(name, "the name of a mechanism of one's own", BadInput)
    if name in taken:
        raise BadInput(f"{name!r} is a construction of the catalog; give yours another name.")
    return Entry(name, "given by the caller", isqrt(sizes.LARGEST_MATRIX), lambda _: None,
                 _solve(name, given), any_outputs=True, one_way=True)


def _solve(name: str, given: Own) -> Solve:
    def solve(problem: Problem, _: object) -> Solution:
        mechanism = _on_problem(_made(name, given, problem), name, problem)
        try:
            return Solution(problem, certified(mechanism, problem.level), name)
        except NotPrivate as no:
            near = _repaired(mechanism, problem)
            if near is None:
                raise Infeasible(f"it is not private at {problem.level}: {no}") from None
        return Solution(problem, near.certified, f"{name}:repaired, moved by {near.moved:.1g}")

    return solve


def _repaired(mechanism: Mechanism, problem: Problem) -> Repair | None:
    """The matrix moved into the level that it misses by rounding alone, as doubles often do."""
    if not isinstance(mechanism, MatrixMechanism):
        return None
    try:
        near = repair(mechanism, problem.space, problem.level)
    except NotPrivate:
        return None
    return near if near.moved <= tolerances.ROUNDED_AWAY else None


def _made(name: str, given: Own, problem: Problem) -> Any:
    """The mechanism that is given, or that a function makes for the space and the level."""
    if isinstance(held(given), Mechanism) or is_matrix(given) or not callable(given):
        return given
    try:
        return given(problem.space, problem.level)
    except TightropeError:
        raise
    except Exception as failure:
        raise BadInput(f"{name!r} could not be made for {problem.space.text} at {problem.level}: "
                       f"{type(failure).__name__}: {failure}.") from failure


def _on_problem(given: Any, name: str, problem: Problem) -> Mechanism:
    """The mechanism on the space of the problem; a matrix has its answers as columns."""
    if is_matrix(given):
        _check_columns(given, name, len(problem.answers))
        return MatrixMechanism.of(given, problem.space, problem.outputs)
    mechanism = held(given)
    if not isinstance(mechanism, Mechanism):
        raise BadInput(f"expected a matrix or a mechanism for {name!r}, found "
                       f"{type(mechanism).__name__}.")
    if mechanism.space != problem.space:
        raise BadInput(f"{name!r} is a mechanism for {mechanism.space.text}; the comparison is on "
                       f"{problem.space.text}.")
    return mechanism


def _check_columns(rows: Any, name: str, answers: int) -> None:
    """Refuse a matrix whose columns are not the answers: their losses would have no meaning."""
    shape = getattr(rows, "shape", None)
    columns = shape[1] if shape is not None else len(rows[0])
    if columns != answers:
        raise BadInput(f"{name!r} has {counted(columns, 'column')} for "
                       f"{counted(answers, 'answer')}; state outputs=[…] for all, or give "
                       "tr.mechanisms.MatrixMechanism.of(matrix, space, outputs).")
