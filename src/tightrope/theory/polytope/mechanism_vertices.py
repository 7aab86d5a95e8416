"""All extreme points of the private matrices on any small space, exactly.

The half spaces of a polytope (`half_spaces`) go into the double description method, at a level at
which every e^(ε d) is a fraction. That takes δ above 0 and faces of the polytope as well: matrices
for which chosen constraints are tight (H16, Appendix A). On categories with δ = 0 the extreme
points are known in closed form, for more values and for all levels at once (`extreme_points`);
elsewhere how many there are may depend on ε. Points that differ by an isometry of the space and
by the order of outputs are one orbit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tightrope.characters import counted, shorten
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Number, stated_whole
from tightrope.facts import Column, Fact, Facts, Shown, Table, brief_text, card_of, data, lines_of
from tightrope.lp import vertices
from tightrope.markup import brief
from tightrope.privacy import level_of
from tightrope.spaces import Space, space_of
from tightrope.spellings import LEVEL, RESULT, spelled
from tightrope.symmetry import symmetries
from tightrope.theory.polytope.half_spaces import (
    HalfSpaces,
    half_spaces,
    private_pairs,
    ratio_of,
)
from tightrope.theory.polytope.polytopes import matrix_text

Line = tuple[Fraction, ...]
Matrix = tuple[Line, ...]
Face = tuple[int, int, tuple[int, ...]] | tuple[int, int]
"""Inputs i, k and outputs whose constraint is tight; or an input and an output: a zero."""

MOST_ENTRIES = 24
"""Entries of a matrix whose polytope is enumerated."""


@dataclass(frozen=True)
class MatrixOrbit:
    """Extreme points that differ by an isometry and the order of outputs: one, and how many."""

    matrix: Matrix
    size: int

    __repr__ = brief

    @property
    def columns(self) -> int:
        """The number of non-zero columns."""
        return sum(map(any, zip(*self.matrix, strict=True)))

    def at(self, ratio: Number) -> Matrix:
        """One matrix of the orbit; it is listed at one ratio alone."""
        return self.matrix

    @property
    def rings(self) -> tuple[tuple[int, int], ...]:
        """Entries that a picture marks: none."""
        return ()


@dataclass(frozen=True)
class MechanismVertices:
    """The extreme points of the private matrices on a space with so many outputs.

    `faces` are the constraints that were asked to be tight. `orbits` come by number of non-zero
    columns.
    """

    space: Space
    level: Level
    outputs: int
    faces: tuple[Face, ...]
    matrices: tuple[Matrix, ...]
    orbits: tuple[MatrixOrbit, ...]

    @property
    def total(self) -> int:
        """The number of extreme points."""
        return len(self.matrices)

    @property
    def by_columns(self) -> dict[int, int]:
        """How many there are with so many non-zero columns."""
        counts: Counter[int] = Counter()
        for orbit in self.orbits:
            counts[orbit.columns] += orbit.size
        return dict(sorted(counts.items()))

    @property
    def ratio(self) -> Fraction:
        """e^ε."""
        return ratio_of(self.level)

    @property
    def title(self) -> str:
        """The polytope in words, for files and pictures."""
        delta = f", δ = {self.level.delta}" if self.level.delta else ""
        return (f"Private {self.space.size} × {self.outputs} matrices on "
                f"{shorten(self.space.text)} at "
                f"e^ε = {self.ratio}{delta}")

    @cached_property
    def half_spaces(self) -> HalfSpaces:
        """The inequalities and equations of the polytope, without the faces."""
        return half_spaces(self.space, self.ratio, columns=self.outputs, delta=self.level.delta)

    @property
    def whole(self) -> bool:
        """Whether these are all extreme points, and not those of a face."""
        return not self.faces

    def facts(self) -> Facts:
        """How many extreme points there are, by columns, and one matrix of each orbit."""
        by_columns = ", ".join(f"{count:,} with {c}" for c, count in self.by_columns.items())
        columns = (Column("matrix", "rows"), Column("columns", "columns"), Column("size", "points"))
        face = f" on a face with {counted(len(self.faces), 'tight constraint')}"
        orbits = f"{counted(len(self.orbits), 'orbit')}{face if self.faces else ''}"
        return Facts(
            "MechanismVertices",
            f"{counted(self.total, 'extreme point')} on {self.space.size} points, "
            f"{counted(self.outputs, 'output')}, in {orbits}",
            (*data(total=self.total, values=self.space.size, outputs=self.outputs),
             Fact("space", "space", brief_text(self.space.text)),
             Fact("ratio", "level", Shown(self.ratio, self.level.text)),
             Fact("delta", "δ" if self.level.delta else None, self.level.delta),
             Fact("by_columns", "non-zero columns", Shown(self.by_columns, by_columns)),
             *data(tight=self.faces),
             Table("orbits", f"One matrix of each orbit at e^ε = {self.ratio}:", columns, tuple(
                 (Shown(orbit.matrix, matrix_text(orbit.matrix)), orbit.columns, orbit.size)
                 for orbit in self.orbits), listed=0)),
            ("Of any linear loss, one of these matrices is a minimizer" + (
                " on the face." if self.faces else "."),
             "Exact for this level; another level may have more or fewer."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(
    columns="tr.theory.cone_rays(space, ratio=2)",
    matrix="tr.theory.extremality(matrix, ratio, space=…)",
    **LEVEL, **RESULT,
)
def mechanism_vertices(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    delta: Number | None = None,
    outputs: int | None = None,
    tight: Sequence[Face] = (),
) -> MechanismVertices:
    """All private matrices on a space that are no mean of two others, at one level.

    There are as many `outputs` as points unless told otherwise. With `tight`, only those of a
    face: (i, k, (j, …)) asks the constraint between inputs i and k at these outputs to be tight,
    (i, j) asks the entry to be 0.

    Returns: `MechanismVertices`; `total` counts them, `orbits` shows one of each kind, `matrices`
    lists all.

    Raises: `BadInput` for a level at which some e^(ε d) is no fraction, or a constraint there is
    not; `Refused` for δ above 0 where no neighbors are declared; `TooLarge` for many entries.

    >>> found = mechanism_vertices("path:0..2", ratio=2, outputs=2)
    >>> found.total, found.by_columns
    (8, {1: 2, 2: 6})
    >>> mechanism_vertices("categories:2", ratio=1, delta="1/10").total
    6
    """
    level, points = level_of(epsilon, ratio=ratio, delta=delta), space_of(space)
    width = points.size if outputs is None else stated_whole(outputs, "a whole number of outputs")
    if width < 1:
        raise BadInput(f"a polytope needs at least 1 output, found {width}.")
    if points.size * width > MOST_ENTRIES:
        raise TooLarge("the number of inputs times outputs", points.size * width, MOST_ENTRIES,
                       "ask for fewer outputs")
    parts = half_spaces(points, ratio_of(level), columns=width, delta=level.delta)
    lines = [(limit, *(-entry for entry in line))
             for line, limit in zip(parts.inequalities, parts.limits, strict=True)]
    sums = [(Fraction(-1), *line) for line in parts.equations]
    faces = tuple(tight)
    sums += [_face_line(face, points, level, width) for face in faces]
    listed = tuple(
        tuple(tuple(point[i * width : (i + 1) * width]) for i in range(points.size))
        for point in vertices(lines, sums))
    orbits = ([MatrixOrbit(matrix, 1) for matrix in listed] if faces  # a face breaks symmetry
              else _orbits(points, listed))
    order = sorted(orbits, key=lambda orbit: (orbit.columns, orbit.size, orbit.matrix))
    return MechanismVertices(points, level, width, faces, listed, tuple(order))


def _face_line(face: Face, space: Space, level: Level, width: int) -> Line:
    """The equation (b, a) with b + a · x = 0 of a constraint that is to be tight."""
    rows, columns = range(space.size), range(width)
    line = [Fraction(0)] * (space.size * width)
    if len(face) == 2:
        i, j = face
        if i not in rows or j not in columns:
            raise BadInput(f"expected an entry of a {space.size} × {width} matrix, counted from 0, "
                           f"found {i},{j}.")
        line[i * width + j] = Fraction(1)
        return (Fraction(0), *line)
    i, k, outputs = face
    factor = next((f for a, b, f in private_pairs(space, level) if (a, b) == (i, k)), None)
    single = level.delta or len(outputs) == 1
    if factor is None or not outputs or not all(j in columns for j in outputs) or not single:
        asked = f"{i},{k},{'+'.join(map(str, outputs))}"
        raise BadInput(f"no constraint {asked} here: two inputs that are compared, and "
                       + ("outputs" if level.delta else "one output") + ", all counted from 0.")
    for j in outputs:
        line[i * width + j] += 1
        line[k * width + j] -= factor
    return (-level.delta, *line)


def _orbits(space: Space, matrices: Sequence[Matrix]) -> Iterator[MatrixOrbit]:
    """One matrix for all that isometries and orders of outputs take into each other."""
    kinds: Counter[Matrix] = Counter(
        tuple(sorted(zip(*matrix, strict=True), reverse=True)) for matrix in matrices)
    permutations = [p.tolist() for p in symmetries(space)]
    while kinds:
        first = min(kinds)
        members, waiting = {first}, [first]
        while waiting:
            columns = waiting.pop()
            for p in permutations:
                image = tuple(sorted((tuple(c[k] for k in p) for c in columns), reverse=True))
                if image not in members:
                    members.add(image)
                    waiting.append(image)
        size = sum(kinds.pop(member) for member in members)
        yield MatrixOrbit(tuple(zip(*first, strict=True)), size)
