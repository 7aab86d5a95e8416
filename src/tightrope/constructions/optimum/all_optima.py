"""All optimal mechanisms of a problem, exactly: the vertices of the optimal face.

By complementary slackness a mechanism is optimal if and only if every constraint with a positive
multiplier in one optimal dual is tight. So those constraints, as equations, and all others
describe the set of optimal mechanisms, whose vertices `lp.vertices` lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_mat

from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.exact import solve_exactly
from tightrope.exact import Weights, from_flint, to_flint
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.lp import ExactProgram, ExactVertex, Tight, vertices
from tightrope.mechanisms import MatrixMechanism
from tightrope.utility import Problem, question


@dataclass(frozen=True, eq=False)
class OptimalFace:
    """Every optimal mechanism of a problem is a mixture of the `vertices`; their loss is `value`.

    `dimension` is that of the set of optimal mechanisms: 0 where the optimum is unique.

    >>> face = all_optima(Problem("path:0..1", "ln(2)", prior=["1/3", "2/3"]))
    >>> face.unique, face.dimension, len(face.vertices), str(face.value)
    (False, 1, 2, '1/3')
    """

    problem: Problem
    value: Fraction
    dimension: int
    vertices: tuple[MatrixMechanism, ...]

    __repr__ = lines_of
    _repr_html_ = card_of

    @property
    def unique(self) -> bool:
        """Whether there is exactly one optimal mechanism."""
        return self.dimension == 0

    def facts(self) -> Facts:
        """Whether the optimum is unique, and the number of optimal vertices."""
        count = len(self.vertices)
        text = "yes, no other mechanism loses as little" if self.unique else (
            f"no: optimal are all mixtures of {count:,} vertices, a set of dimension "
            f"{self.dimension}")
        inputs = range(self.problem.space.size)
        other = None if self.unique else [
            [str(p) for p in self.vertices[1].row_at(y)] for y in inputs]
        return Facts("OptimalFace", question(self.problem), (
            Fact("unique", "unique", Shown(self.unique, text)),
            *data(dimension=self.dimension, vertices=count, another_optimum=other)))


def all_optima(problem: Problem, effort: Effort = ORDINARY) -> OptimalFace:
    """The exact optimal face of a problem: its dimension and all of its vertices.

    The first vertex is the one that `design(…, exact=True)` returns.

    Raises: `TooLarge` where the face has too many vertices to list; else as `design` with `exact`.
    """
    vertex = solve_exactly(problem, effort.seconds)
    program = vertex.basis.program
    forced = {c for c, amount in vertex.dual.multipliers.items() if amount}
    sums = [[-1, *(int(j % program.size == y) for j in range(program.size * program.width))]
            for y in range(program.size)]
    tight = [_line(program, vertex, constraint) for constraint in sorted(forced)]
    other = [_line(program, vertex, c) for c in program.constraints() if c not in forced]
    first = tuple(from_flint(entry) for column in vertex.primal.columns for entry in column)
    tables = [first, *(point for point in vertices(other, [*sums, *tight]) if point != first)]
    rank = fmpq_mat(len(tables), len(first), [
        to_flint(a - b) for table in tables for a, b in zip(table, first, strict=True)]).rank()
    mechanisms = tuple(_mechanism(problem, table) for table in tables)
    return OptimalFace(problem, from_flint(vertex.value), rank, mechanisms)


def _line(program: ExactProgram, vertex: ExactVertex, constraint: Tight) -> list[Fraction]:
    """A constraint as a number and coefficients of all entries, column by column; t is settled."""
    pull = program.gradient(constraint)
    return [from_flint(pull.last * vertex.primal.last),
            *(from_flint(entry) for column in pull.columns for entry in column)]


def _mechanism(problem: Problem, table: Sequence[Fraction]) -> MatrixMechanism:
    size = problem.space.size
    rows = [list(table[y::size]) for y in range(size)]
    return MatrixMechanism(problem.space, problem.answers, Weights.from_fractions(rows))
