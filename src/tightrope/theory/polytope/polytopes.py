"""A privacy polytope as text for programs that compute with polytopes.

The coordinates are the entries of a matrix, row by row. SageMath loads a `.sage` file, polymake
(4.0 or newer) a `.poly` file, and cdd, lrs and what builds on them read inequalities from
`.ine` and vertices from `.ext`. All numbers are whole or fractions, so nothing is rounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from pathlib import PurePath
from typing import Final, Protocol

from tightrope.errors import BadInput, TooLarge
from tightrope.theory.polytope.half_spaces import HalfSpaces

POLYTOPE_FILES: Final = (".sage", ".poly", ".ine", ".ext")
"""Endings of the files that can be written."""

MOST_VERTICES: Final = 200_000
"""Vertices that are written into one file."""

Line = list[int]
Matrix = tuple[tuple[Fraction, ...], ...]


class Catalog(Protocol):
    """A polytope with its vertices: all of them if it is whole, not those of a face alone."""

    @property
    def title(self) -> str: ...
    @property
    def total(self) -> int: ...
    @property
    def whole(self) -> bool: ...
    @property
    def half_spaces(self) -> HalfSpaces: ...
    @property
    def matrices(self) -> Iterable[Matrix]: ...


def matrix_text(matrix: Matrix) -> str:
    """A matrix over its least common denominator, in one line, zeros as dots.

    >>> matrix_text(((Fraction(1, 3), Fraction(2, 3)), (Fraction(1), Fraction(0))))
    '12 | 3·  /3'
    """
    scale = lcm(*(entry.denominator for row in matrix for entry in row))
    rows = [["·" if not entry else str(int(entry * scale)) for entry in row] for row in matrix]
    gap = " " if any(len(text) > 1 for row in rows for text in row) else ""
    return f"{' | '.join(gap.join(row) for row in rows)}  /{scale}"


def polytope_text(catalog: Catalog, name: str) -> str:
    """The polytope in the format that the ending of a file's name asks for.

    Inequalities and equations are lines (b, a_1, …) that mean b + a · x >= 0 or = 0.

    >>> from tightrope.theory import extreme_points
    >>> print(polytope_text(extreme_points(2, outputs=1), "d.ine"))
    * Private 2 × 1 matrices at e^ε = 2, entries row by row
    H-representation
    linearity 2 1 2
    begin
    4 3 rational
    -1 1 0
    -1 0 1
    0 -1 2
    0 2 -1
    end
    <BLANKLINE>
    """
    ending = PurePath(name).suffix.lower()
    if ending not in POLYTOPE_FILES:
        raise BadInput(f"expected a file named {', '.join(POLYTOPE_FILES)}, found {name!r}.")
    if ending != ".ine":
        _check_vertices(catalog)
    title = f"{catalog.title}, entries row by row"
    match ending:
        case ".sage":
            return _sage(catalog, title)
        case ".poly":
            return _polymake(catalog, title)
        case ".ine":
            inequalities, equations = _lines(catalog)
            numbers = " ".join(str(k + 1) for k in range(len(equations)))
            head = ["H-representation", f"linearity {len(equations)} {numbers}"]
            return _cdd(title, head, [*equations, *inequalities])
        case _:
            points = [[Fraction(1), *point] for point in _vertices(catalog)]
            return _cdd(title, ["V-representation"], points)


def _check_vertices(catalog: Catalog) -> None:
    if not catalog.whole:
        raise BadInput("some vertices are left out; leave out the number of columns, or the tight "
                       "constraints, instead.")
    if catalog.total > MOST_VERTICES:
        raise TooLarge(
            "the number of vertices", catalog.total, MOST_VERTICES,
            "ask for fewer outputs, or for the inequalities alone (.ine)",
        )


def _lines(catalog: Catalog) -> tuple[list[Line], list[Line]]:
    """Inequalities b + a · x >= 0 and equations b + a · x = 0, in whole numbers."""
    parts = catalog.half_spaces
    scale = lcm(*(entry.denominator for line in (*parts.inequalities, parts.limits)
                  for entry in line))
    inequalities = [[int(limit * scale), *(int(-entry * scale) for entry in line)]
                    for line, limit in zip(parts.inequalities, parts.limits, strict=True)]
    return inequalities, [[-1, *map(int, line)] for line in parts.equations]


def _vertices(catalog: Catalog) -> Iterable[list[Fraction]]:
    for matrix in catalog.matrices:
        yield [entry for row in matrix for entry in row]


def _sage(catalog: Catalog, title: str) -> str:
    inequalities, equations = _lines(catalog)
    points = []
    for point in _vertices(catalog):
        scale = lcm(*(entry.denominator for entry in point))
        points.append([scale, *(int(entry * scale) for entry in point)])
    parts = [
        f"# {title}.",
        "# A line b, a_1, a_2, … means b + a_1 x_1 + a_2 x_2 + … >= 0, or = 0.",
        f"inequalities = {_list(inequalities)}",
        f"equations = {_list(equations)}",
        "# A line d, x_1, x_2, … is the vertex (x_1, x_2, …) / d.",
        f"vertices = {_list(points)}",
        "vertices = [[QQ(x) / QQ(d) for x in line] for d, *line in vertices]",
        "P = Polyhedron(ieqs=inequalities, eqns=equations, base_ring=QQ)",
        "V = Polyhedron(vertices=vertices, base_ring=QQ)  # the same polytope: P == V",
    ]
    return "\n".join(parts) + "\n"


def _list(lines: Sequence[Line]) -> str:
    return "[\n" + "".join(f"    {line},\n" for line in lines) + "]"


def _polymake(catalog: Catalog, title: str) -> str:
    inequalities, equations = _lines(catalog)
    content = {
        "_ns": {"polymake": ["https://polymake.org", "4.0"]},
        "_info": {"description": title},
        "_type": "polytope::Polytope<Rational>",
        "INEQUALITIES": [[str(entry) for entry in line] for line in inequalities],
        "EQUATIONS": [[str(entry) for entry in line] for line in equations],
        "POINTS": [["1", *map(str, point)] for point in _vertices(catalog)],
    }
    return json.dumps(content, ensure_ascii=False) + "\n"


def _cdd(title: str, head: list[str], lines: Sequence[Sequence[Fraction | int]]) -> str:
    size = f"{len(lines)} {len(lines[0])} rational"
    body = [" ".join(map(str, line)) for line in lines]
    return "\n".join([f"* {title}", *head, "begin", size, *body, "end"]) + "\n"
