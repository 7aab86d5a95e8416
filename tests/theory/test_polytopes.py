"""Files for other programs, read back by a few lines written for these tests alone."""

import json
from fractions import Fraction
from itertools import combinations

import pytest

from tightrope.errors import BadInput, TooLarge
from tightrope.theory import extreme_points, polytope_text

SHAPES = [(2, 2, 2), (2, 3, 3), (3, 2, Fraction(3, 2))]


def solved(lines):
    """The only x with b + a · x = 0 for all lines (b, a), or None, by plain elimination."""
    table = [[*map(Fraction, line[1:]), -Fraction(line[0])] for line in lines]
    width = len(table[0]) - 1
    for column in range(width):
        pivot = next((k for k in range(column, len(table)) if table[k][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        table[column] = [v / table[column][column] for v in table[column]]
        for k, line in enumerate(table):
            if k != column and line[column]:
                table[k] = [a - line[column] * b for a, b in zip(line, table[column], strict=True)]
    return tuple(line[-1] for line in table[:width])


def all_vertices(inequalities, equations):
    """Every basis of constraints is solved; the solutions that satisfy all are the vertices."""
    free = len(equations[0]) - 1 - len(equations)
    found = set()
    for chosen in combinations(inequalities, free):
        point = solved([*equations, *chosen])
        if point is not None and all(
            line[0] + sum(a * x for a, x in zip(line[1:], point, strict=True)) >= 0
            for line in inequalities
        ):
            found.add(point)
    return found


def of_sage(text):
    def polyhedron(**given):
        return given

    names = {"QQ": Fraction, "Polyhedron": polyhedron}
    exec(text, names)  # a .sage file is Python, but for numbers, and those are whole here
    points = [tuple(point) for point in names["V"]["vertices"]]
    return names["P"]["ieqs"], names["P"]["eqns"], points


def of_polymake(text):
    held = json.loads(text)
    assert held["_type"] == "polytope::Polytope<Rational>"
    inequalities, equations, points = (
        [tuple(map(Fraction, line)) for line in held[name]]
        for name in ("INEQUALITIES", "EQUATIONS", "POINTS")
    )
    assert all(point[0] == 1 for point in points)
    return inequalities, equations, [point[1:] for point in points]


def of_cdd(text):
    lines = [line.split() for line in text.splitlines() if not line.startswith("*")]
    start = lines.index(["begin"])
    body = [tuple(map(Fraction, line)) for line in lines[start + 2 : lines.index(["end"])]]
    assert lines[start + 1] == [str(len(body)), str(len(body[0])), "rational"]
    equal = [int(k) - 1 for line in lines[:start] if line[0] == "linearity" for k in line[2:]]
    return ([line for k, line in enumerate(body) if k not in equal], [body[k] for k in equal])


@pytest.mark.parametrize(("size", "outputs", "ratio"), SHAPES, ids=str)
def test_every_file_holds_the_vertices_that_all_bases_give(size, outputs, ratio):
    found = extreme_points(size, outputs=outputs, ratio=ratio)
    inequalities, equations, points = of_sage(polytope_text(found, "d.sage"))
    expected = all_vertices(inequalities, equations)
    assert len(points) == len(expected) == found.total
    assert set(points) == expected
    lines, even, listed = of_polymake(polytope_text(found, "d.poly"))
    assert (set(lines), set(even)) == (set(map(tuple, inequalities)), set(map(tuple, equations)))
    assert set(listed) == expected
    assert of_cdd(polytope_text(found, "d.ine")) == (lines, even)
    corners, none = of_cdd(polytope_text(found, "D.EXT"))
    assert ({point[1:] for point in corners}, none) == (expected, [])
    assert {point[0] for point in corners} == {1}  # a vertex, where 0 would be a direction


def test_what_is_no_whole_polytope_or_too_many_vertices_is_not_written():
    with pytest.raises(BadInput, match="left out"):
        polytope_text(extreme_points(3, columns=2), "d.sage")
    with pytest.raises(BadInput, match=r"\.sage"):
        polytope_text(extreme_points(3), "d.txt")
    with pytest.raises(TooLarge):
        polytope_text(extreme_points(5, outputs=6), "d.poly")
    assert "H-representation" in polytope_text(extreme_points(5, outputs=6), "d.ine")
