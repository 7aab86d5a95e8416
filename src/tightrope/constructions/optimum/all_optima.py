"""All optimal mechanisms of a problem, exactly: the optimal face and its vertices.

By complementary slackness a mechanism is optimal if and only if every constraint with a positive
multiplier in one optimal dual is tight. The constraints of an optimal basis with multiplier 0 may
become slack; their slacks are coordinates of the face, in which every other constraint is one
inequality. Its vertices are listed where there are few. Its dimension is that of the cone of
directions at the first vertex, which one linear program finds: the inequalities that no direction
of the cone makes slack are equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import fmpq_mat

from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.exact import (
    has_rational_powers,
    mechanism_at,
    solve_exactly,
)
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Weights, from_flint, to_flint
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.lp import ExactVertex, Primal, RationalProgram, minimize_exactly, vertices
from tightrope.mechanisms import MatrixMechanism
from tightrope.spellings import SEARCH, spelled
from tightrope.utility import Problem, Solution, question

MOST_RAYS = 1_000
"""Rays on the way to the vertices of a face, at most: some seconds."""

MOST_DIMENSION = 12
"""Dimension of a face up to which its vertices are looked for."""

_Line = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class OptimalFace:
    """The optimal mechanisms of a problem; their loss is `value`.

    `dimension` is that of the set of optimal mechanisms: 0 where the optimum is unique. They are
    the mixtures of the `vertices`, which are () where there are too many to be listed. `first` is
    the one that `design` returns, `other` another one; None where there is none.

    >>> face = all_optima(Problem("path:0..1", "ln(2)", prior=["1/3", "2/3"]))
    >>> face.unique, face.dimension, len(face.vertices), str(face.value)
    (False, 1, 2, '1/3')
    """

    problem: Problem
    value: Fraction
    dimension: int
    vertices: tuple[MatrixMechanism, ...]
    first: MatrixMechanism
    other: MatrixMechanism | None

    __repr__ = lines_of
    _repr_html_ = card_of

    @property
    def unique(self) -> bool:
        """Whether there is exactly one optimal mechanism."""
        return self.dimension == 0

    def facts(self) -> Facts:
        """Whether the optimum is unique, and the number of optimal vertices."""
        count = len(self.vertices)
        text = "yes, no other mechanism loses as little"
        if not self.unique:
            text = (f"no: optimal are all mixtures of {count:,} vertices, a set of dimension "
                    f"{self.dimension}" if count else
                    f"no: the optimal mechanisms are a set of dimension {self.dimension}, with "
                    "too many vertices to list")
        inputs = range(self.problem.space.size)
        other = self.other and [[str(p) for p in self.other.row_at(y)] for y in inputs]
        return Facts("OptimalFace", question(self.problem), (
            Fact("unique", "unique", Shown(self.unique, text)),
            *data(dimension=self.dimension, vertices=count or None, another_optimum=other)))


@spelled(
    epsilon="tr.design(space, epsilon).problem alone",
    ratio="tr.design(space, ratio=2).problem alone",
    **SEARCH,
)
def all_optima(problem: Problem | Solution, effort: Effort = ORDINARY) -> OptimalFace:
    """The exact optimal face of a problem: its dimension and, where they are few, its vertices.

    A solution stands for the problem that it solves.

    The first vertex is the one that `design(…, exact=True)` returns, where that has a basis.

    Raises: as `design` with `exact`, which here needs e^(ε d) to be fractions.
    """
    given: object = problem.problem if isinstance(problem, Solution) else problem
    if not isinstance(given, Problem):
        raise BadInput(f"expected a problem or a solution, found {str(given)[:40]!r}; write "
                       "all_optima(tr.design(space, ratio=2, exact=True)).")
    if not has_rational_powers(given):
        raise BadInput("all optima are listed where every e^(ε d) is a fraction, as with a ratio; "
                       "elsewhere tr.design(…, exact=True).form.unique says if there are others.")
    problem = given
    vertex = solve_exactly(problem, effort.seconds)
    face = _Face.of(vertex)
    points = face.vertices()
    mechanisms = [_mechanism(problem, face.table(point)) for point in points]
    dimension = face.dimension
    first, other = mechanism_at(problem, vertex), None
    listed = tuple(mechanism for mechanism in mechanisms if mechanism != first)
    if dimension:
        other = listed[0] if listed else _mechanism(problem, face.table(face.farther()))
    return OptimalFace(problem, from_flint(vertex.value), dimension,
                       (first, *listed) if points else (), first, other)


@dataclass(frozen=True, eq=False)
class _Face:
    """The optimal face around a vertex; coordinates are the slacks of the free constraints.

    `edges` are the directions in which one free constraint becomes slack, `lines` the others: a
    number b and coefficients a with b + ⟨a, coordinates⟩ >= 0.
    """

    start: Primal
    edges: tuple[Primal, ...]
    lines: tuple[_Line, ...]

    @classmethod
    def of(cls, vertex: ExactVertex) -> _Face:
        """The face around a vertex with an optimal basis."""
        program, basis, start = vertex.basis.program, vertex.basis, vertex.primal
        free = [c for c in basis.tight if not vertex.dual.multipliers[c]]
        edges = []
        for constraint in free:
            edge = basis.primal({constraint: program.one})
            assert edge is not None  # the basis is regular
            edges.append(edge)
        lines = set()
        for c in set(program.constraints()) - set(basis.tight) if free else ():
            slopes = [from_flint(edge.slack(program, c)) for edge in edges]
            if any(slopes):
                lines.add((from_flint(start.slack(program, c)), *slopes))
        return cls(start, tuple(edges), tuple(sorted(lines)))

    @cached_property
    def _inside(self) -> _Line:
        """A direction from the start that makes slack all constraints that any direction does."""
        return inner_direction([line[1:] for line in self.lines if not line[0]], len(self.edges))

    @cached_property
    def _equations(self) -> list[_Line]:
        """The inequalities that no point of the face makes slack."""
        flat = [line for line in self.lines if not line[0] and not _dot(line[1:], self._inside)]
        return flat + [_sign(j, len(self.edges)) for j, x in enumerate(self._inside) if not x]

    @cached_property
    def dimension(self) -> int:
        """The number of coordinates less the rank of the inequalities that are equations."""
        size = len(self.edges)
        entries = [to_flint(entry) for line in self._equations for entry in line[1:]]
        return size - (fmpq_mat(len(self._equations), size, entries).rank() if entries else 0)

    def vertices(self) -> tuple[_Line, ...]:
        """The coordinates of all vertices; none where they are too many."""
        size = len(self.edges)
        if not self.dimension:
            return ((Fraction(0),) * size,)
        if self.dimension > MOST_DIMENSION:
            return ()
        try:
            return vertices([*self.lines, *(_sign(j, size) for j in range(size))],
                            self._equations, most=MOST_RAYS)
        except TooLarge:
            return ()

    def farther(self) -> _Line:
        """The coordinates of the last optimum on the way inside."""
        steps = [line[0] / -slope for line in self.lines
                 if (slope := _dot(line[1:], self._inside)) < 0]
        return tuple(min(steps) * entry for entry in self._inside)

    def table(self, point: _Line) -> list[list[Fraction]]:
        """The columns of the mechanism at a point."""
        columns = [list(column) for column in self.start.columns]
        for edge, amount in zip(self.edges, map(to_flint, point), strict=True):
            for column, more in zip(columns, edge.columns, strict=True):
                if amount != 0:
                    column[:] = [a + amount * b for a, b in zip(column, more, strict=True)]
        return [[from_flint(entry) for entry in column] for column in columns]


def inner_direction(slopes: Sequence[_Line], size: int) -> _Line:
    """A t >= 0 with ⟨a, t⟩ >= 0 for all slopes a that makes as many of these positive as can be.

    A coordinate that no slope has below 0 may be as large as it likes, and settles the slopes that
    have it above 0. A slope without one above 0 is 0, and so are its coordinates. What is left is
    a linear program.

    >>> one = Fraction(1)
    >>> [str(x) for x in inner_direction([(one, -2 * one, 0 * one), (0 * one, 0 * one, -one)], 3)]
    ['3', '1', '0']
    """
    rows, columns = set(range(len(slopes))), set(range(size))
    opened: list[tuple[int, list[int]]] = []
    before = -1
    while before != len(rows) + len(columns):
        before = len(rows) + len(columns)
        for j in sorted(columns):
            if all(slopes[i][j] >= 0 for i in rows):
                settled = [i for i in rows if slopes[i][j]]
                opened.append((j, settled))
                columns.discard(j)
                rows.difference_update(settled)
        for i in sorted(rows):
            if all(slopes[i][j] <= 0 for j in columns):
                columns -= {j for j in columns if slopes[i][j]}
                rows.discard(i)
    left = sorted(columns)
    core = _core_direction([[slopes[i][j] for j in left] for i in sorted(rows)], len(left))
    direction = [Fraction(0)] * size
    for j, amount in zip(left, core, strict=True):
        direction[j] = amount
    for j, settled in reversed(opened):
        needed = (-_dot(slopes[i], tuple(direction)) / slopes[i][j] for i in settled)
        direction[j] = 1 + max(Fraction(0), *needed, Fraction(0))
    return tuple(direction)


def _core_direction(slopes: Sequence[Sequence[Fraction]], size: int) -> Sequence[Fraction]:
    """As `inner_direction`: it maximizes Σ u over 0 <= u <= 1, each u at most what it is for."""
    if not size:
        return ()
    rows, one, zero = len(slopes), Fraction(1), Fraction(0)
    columns: list[list[tuple[int, Fraction]]] = []
    for capped in (True, False):  # a coordinate is its part up to 1 and the rest
        columns += [[*((i, line[j]) for i, line in enumerate(slopes) if line[j]),
                     *([(rows + j, one)] if capped else [])] for j in range(size)]
    columns += [[(rows + j, one)] for j in range(size)]
    columns += [[(i, -one), (rows + size + i, one)] for i in range(rows)]
    columns += [[(i, -one)] for i in range(rows)]
    columns += [[(rows + size + i, one)] for i in range(rows)]
    costs = [-one] * size + [zero] * (2 * size) + [-one] * rows + [zero] * (2 * rows)
    start = [*range(2 * size, 3 * size), *range(3 * size + rows, 3 * size + 3 * rows)]
    totals = [zero] * rows + [one] * (size + rows)
    x = minimize_exactly(RationalProgram(costs, columns, totals, start)).x
    return [x[j] + x[size + j] for j in range(size)]


def _sign(j: int, size: int) -> _Line:
    """The inequality that a coordinate is not negative."""
    return tuple(Fraction(int(k == j + 1)) for k in range(size + 1))


def _dot(first: _Line, second: _Line) -> Fraction:
    return sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))


def _mechanism(problem: Problem, columns: Sequence[Sequence[Fraction]]) -> MatrixMechanism:
    rows = [list(row) for row in zip(*columns, strict=True)]
    return MatrixMechanism(problem.space, problem.answers, Weights.from_fractions(rows))
