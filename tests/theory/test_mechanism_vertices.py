"""Extreme points and rays on any small space, against brute force over sets of constraints."""

from fractions import Fraction
from itertools import permutations

import pytest

from tests.theory import subset_vertices
from tests.theory.double_description import cut
from tests.theory.subset_vertices import all_pairs, distance_rows
from tightrope.constructions import truncated_geometric
from tightrope.errors import BadInput, NotPrivate, Refused, TooLarge
from tightrope.privacy import Certificate, verify
from tightrope.spaces import directed, graph, space_of
from tightrope.theory import (
    cone_rays,
    extremality,
    extreme_points,
    half_spaces,
    mechanism_vertices,
    polytope_text,
)

SMALL = [("path:0..2", 2, 2), ("path:0..2", 2, 3), ("path:0..3", "3/2", 2), ("cycle:4", 3, 2),
         ("star:3", 2, 2), ("complete:3", 2, 2), ("path:0..2", 1, 2)]


@pytest.mark.parametrize(("text", "ratio", "outputs"), SMALL)
def test_vertices_without_delta_are_those_of_every_set_of_constraints(text, ratio, outputs):
    space = space_of(text)
    brute = subset_vertices.vertices(
        distance_rows(space), _irreducible(space, outputs), Fraction(ratio), outputs,
        signs=ratio == 1 or space.size * outputs == 6)
    found = mechanism_vertices(text, ratio=ratio, outputs=outputs)
    assert set(found.matrices) == brute
    assert found.total == sum(orbit.size for orbit in found.orbits) == len(brute)


def _irreducible(space, outputs=2):
    """All pairs of a few; of more, those without a point between, which imply the others."""
    if space.size * outputs == 6:
        return all_pairs(3)
    d = distance_rows(space)
    return [(i, k) for i, k in all_pairs(space.size)
            if not any(d[i][j] + d[j][k] == d[i][k] for j in range(space.size) if j not in (i, k))]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "ratio"), [("cycle:5", 2), ("path:0..4", 2)])
def test_vertices_on_five_points_are_those_of_every_set_of_constraints(text, ratio):
    space = space_of(text)
    brute = subset_vertices.vertices(distance_rows(space), _irreducible(space), Fraction(ratio), 2,
                                     signs=False)
    assert set(mechanism_vertices(text, ratio=ratio, outputs=2).matrices) == brute


@pytest.mark.parametrize("ratio", [1, "3/2", 2])
@pytest.mark.parametrize(("size", "outputs"), [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("delta", ["1/10", "3/5"])
def test_vertices_with_delta_are_those_of_every_set_of_constraints(size, outputs, ratio, delta):
    space = space_of(f"categories:{size}")
    brute = subset_vertices.vertices(
        distance_rows(space), all_pairs(size), Fraction(ratio), outputs, Fraction(delta))
    found = mechanism_vertices(space, ratio=ratio, delta=delta, outputs=outputs)
    assert set(found.matrices) == brute


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(2)])
def test_three_by_three_vertices_with_delta_are_those_of_another_double_description(ratio):
    delta = Fraction(1, 10)
    space = space_of("categories:3")
    lines = subset_vertices.constraints(distance_rows(space), all_pairs(3), ratio, delta, 3)
    whole = [tuple(int(60 * x) for x in (b, *(-p for p in a))) for a, b in lines]
    simplex = [tuple(int(k == i) for k in range(7)) for i in range(1, 7)]  # entries >= 0
    rows = [(1, *(-int(k // 2 == i) for k in range(6))) for i in range(3)]
    start = [*simplex, (3, *(-1 for _ in range(6)))]  # and their sum at most 3
    rays = [(1, 0, 0, 0, 0, 0, 0)] + [(1, *(3 * int(k == i) for k in range(6))) for i in range(6)]
    done = list(start)
    for line in (*rows, *whole):
        rays = cut(rays, line, done, equation=False)
        done.append(line)
    brute = {tuple(Fraction(x, ray[0]) for x in ray[1:]) for ray in rays}
    found = mechanism_vertices(space, ratio=ratio, delta=delta)
    assert {tuple(x for row in m for x in row[:2]) for m in found.matrices} == brute
    assert all(extremality(m, ratio, delta=delta).extreme for m in found.matrices[::9])


@pytest.mark.parametrize(("size", "outputs"), [(3, 3), (4, 3), (3, 4)])
def test_on_categories_they_are_the_closed_forms(size, outputs):
    closed = extreme_points(size, outputs=outputs, ratio=3)
    found = mechanism_vertices(f"categories:{size}", ratio=3, outputs=outputs)
    assert set(found.matrices) == set(closed.matrices)
    assert found.by_columns == closed.by_columns
    assert len(found.orbits) == len(closed.orbits)


def test_corollary_5_2_at_zero_only_single_columns_are_extreme_on_every_space():
    for text in ("categories:3", "path:0..3", "cycle:5", "star:3"):
        space = space_of(text)
        found = mechanism_vertices(text, 0, outputs=3)
        single = {tuple(tuple(Fraction(int(j == k)) for j in range(3)) for _ in space.points)
                  for k in range(3)}
        assert set(found.matrices) == single
        assert cone_rays(text, 0).entries == [(1,) * space.size]


@pytest.mark.parametrize(("text", "outputs"), [("cycle:5", 2), ("path:0..3", 3), ("star:4", 2)])
def test_each_vertex_is_private_and_extreme_and_means_of_two_are_not(text, outputs):
    found = mechanism_vertices(text, ratio=2, outputs=outputs)
    for first, second in zip(found.matrices[::5], found.matrices[1::5], strict=False):
        assert isinstance(verify(first, text, "ln(2)"), Certificate)
        judged = extremality(first, 2, space=text)
        assert (judged.extreme, judged.tight_rank) == (True, judged.entries)
        mean = [[(p + q) / 2 for p, q in zip(a, b, strict=True)]
                for a, b in zip(first, second, strict=True)]
        between = extremality(mean, 2, space=text)
        assert not between.extreme
        for sign in (1, -1):
            moved = [[p + sign * step for p, step in zip(row, line, strict=True)]
                     for row, line in zip(mean, between.direction, strict=True)]
            assert isinstance(verify(moved, text, "ln(2)"), Certificate)
            assert moved != mean


@pytest.mark.parametrize(("text", "outputs"), [
    ("path:0..2", 2), ("categories:3", 2), ("categories:2", 3)])  # three outputs have ties
def test_means_with_delta_move_both_ways(text, outputs):
    found = mechanism_vertices(text, ratio=2, delta="1/10", outputs=outputs)
    for first in found.matrices:
        for second in found.matrices:
            mean = [[(p + q) / 2 for p, q in zip(a, b, strict=True)]
                    for a, b in zip(first, second, strict=True)]
            judged = extremality(mean, 2, space=text, delta="1/10")
            assert judged.extreme == (first == second)
            for sign in (1, -1) if judged.direction is not None else ():
                moved = [[p + sign * step for p, step in zip(row, line, strict=True)]
                         for row, line in zip(mean, judged.direction, strict=True)]
                assert mechanism_holds(moved, text)


def mechanism_holds(rows, text):
    space = space_of(text)
    excess = max(sum(max(Fraction(0), p - 2 * q) for p, q in zip(rows[i], rows[k], strict=True))
                 for i, j in space.neighbors.pairs for i, k in ((i, j), (j, i)))
    return excess <= Fraction(1, 10) and all(sum(row) == 1 and min(row) >= 0 for row in rows)


@pytest.mark.parametrize("text", ["cycle:4", "cycle:5", "path:0..3", "star:3",
                                  "path:0..1 * path:0..1"])
def test_rays_are_those_of_every_set_of_tight_pairs(text):
    """A ray has least entry 1 and n - 1 independent tight pairs: all sets of them are tried."""
    space, ratio = space_of(text), Fraction(3)
    found = cone_rays(text, ratio=ratio)
    lines = []
    for i, k in _irreducible(space):
        factor = ratio ** distance_rows(space)[i][k]
        lines.append([Fraction(int(x == i)) - factor * int(x == k) for x in range(space.size)])
    rays = set()
    for chosen in subset_vertices.combinations(lines, space.size - 1):
        total = [*(Fraction(1) for _ in space.points), Fraction(1)]
        ray = subset_vertices.eliminate([*((*line, Fraction(0)) for line in chosen), total])
        if ray is not None and min(ray) > 0 and all(
            sum(a * x for a, x in zip(line, ray, strict=True)) <= 0 for line in lines
        ):
            rays.add(tuple(x / min(ray) for x in ray))
    assert set(found.entries) == rays
    assert found.total == len(rays) == sum(orbit.size for orbit in found.orbits)


def test_balls_are_told_from_other_rays():
    found = cone_rays("path:0..2", ratio=2)
    assert {(orbit.heights, orbit.center, orbit.size) for orbit in found.orbits} == {
        ((0, 1, 0), 1, 1), ((0, 1, 2), 2, 2), ((1, 0, 1), None, 1)}
    assert found.facts().json["balls"] == 3


def test_a_face_holds_the_vertices_at_which_its_constraints_are_tight():
    whole = mechanism_vertices("cycle:4", ratio=2, outputs=2)
    face = mechanism_vertices("cycle:4", ratio=2, outputs=2, tight=[(0, 1, (1,))])
    assert set(face.matrices) == {m for m in whole.matrices if m[0][1] == 2 * m[1][1]}
    assert 0 < face.total < whole.total
    assert not face.whole
    relaxed = mechanism_vertices("categories:2", ratio=2, delta="1/10", outputs=3)
    pair = mechanism_vertices("categories:2", ratio=2, delta="1/10", outputs=3,
                              tight=[(0, 1, (0, 2)), (1, 2)])
    assert set(pair.matrices) == {
        m for m in relaxed.matrices
        if m[0][0] + m[0][2] - 2 * (m[1][0] + m[1][2]) == Fraction(1, 10) and m[1][2] == 0}
    assert pair.total > 0


@pytest.mark.parametrize(("face", "delta"), [
    ((0, 2, (1,)), 0), ((0, 1, (0, 1)), 0), ((0, 1, (2,)), 0), ((0, 1, ()), "1/10"), ((9, 0), 0),
    ((0, -1), 0), ((-1, 0, (0,)), 0),
])
def test_a_constraint_that_there_is_not_is_refused(face, delta):
    with pytest.raises(BadInput, match="counted from 0"):
        mechanism_vertices("path:0..2", ratio=2, delta=delta, outputs=2, tight=[face])


def test_extremality_is_that_of_the_space_of_the_mechanism():
    rows = [["2/3", "1/3"], ["1/3", "2/3"], ["1/6", "5/6"]]
    assert extremality(rows, 2, space="path:0..2").extreme
    with pytest.raises(NotPrivate):
        extremality(rows, 2)
    geometric = truncated_geometric("path:0..2", "ln(2)")
    judged = extremality(geometric)
    assert (judged.space.text, judged.ratio, judged.extreme) == ("path:0..2", 2, True)
    third = extremality([["1/2", "1/2"]] * 3, 2, space="path:0..2")
    assert not third.extreme


def test_extremality_on_parts_that_nothing_joins():
    space = graph("abc", [(0, 1)])
    assert extremality([[1, 0], [1, 0], [0, 1]], 2, space=space).extreme
    assert not extremality([[1, 0], [1, 0], ["1/2", "1/2"]], 2, space=space).extreme
    found = mechanism_vertices(space, ratio=2, outputs=2)
    assert found.total == len({(pair, single) for pair in mechanism_vertices(
        "categories:2", ratio=2, outputs=2).matrices for single in ((1, 0), (0, 1))})


def test_one_way_relations_are_taken():
    space = directed("ab", [(0, 1)])
    found = mechanism_vertices(space, ratio=2, outputs=2)
    # P(z | b) <= 2 P(z | a) and nothing else: a = p, b = q with q <= 2p, 1 - q <= 2 (1 - p)
    expected = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)),
                (Fraction(1, 2), Fraction(0)), (Fraction(1, 2), Fraction(1))}
    assert {(m[0][0], m[1][0]) for m in found.matrices} == expected


def test_what_cannot_be_enumerated_is_refused():
    with pytest.raises(BadInput, match="fraction"):
        mechanism_vertices("path:0..2", "0.5", outputs=2)
    with pytest.raises(BadInput, match="fraction"):
        cone_rays("path:0..2", "0.5")
    with pytest.raises(TooLarge):
        mechanism_vertices("path:0..9", ratio=2)
    with pytest.raises(BadInput, match="at least 1 output"):
        mechanism_vertices("path:0..2", ratio=2, outputs=0)
    with pytest.raises(Refused, match="neighbors"):
        mechanism_vertices("grid:2x2", ratio=2, delta="0.1", outputs=2)
    with pytest.raises(BadInput, match="√2"):
        mechanism_vertices("grid:2x2", ratio=2, outputs=2)


def test_half_spaces_contain_the_vertices_and_are_exported():
    found = mechanism_vertices("path:0..2", ratio=2, delta="1/10", outputs=2)
    parts = half_spaces("path:0..2", 2, columns=2, delta="1/10")
    for matrix in found.matrices:
        flat = [entry for row in matrix for entry in row]
        assert all(sum(a * x for a, x in zip(line, flat, strict=True)) <= limit
                   for line, limit in zip(parts.inequalities, parts.limits, strict=True))
    text = polytope_text(found, "p.ine").splitlines()
    body = [list(map(Fraction, line.split())) for line in text[5:-1]]
    assert len(body) == len(parts.inequalities) + 3
    for matrix in found.matrices:
        flat = [1, *(entry for row in matrix for entry in row)]
        values = [sum(a * x for a, x in zip(line, flat, strict=True)) for line in body]
        assert not any(values[:3])
        assert min(values) >= 0
    points = polytope_text(found, "p.ext").splitlines()[4:-1]
    assert len(points) == found.total
    face = mechanism_vertices("path:0..2", ratio=2, outputs=2, tight=[(0, 1, (0,))])
    with pytest.raises(BadInput, match="left out"):
        polytope_text(face, "p.ext")


def test_orbits_are_closed_under_symmetries_and_orders_of_outputs():
    found = mechanism_vertices("cycle:4", ratio=2, outputs=3)
    listed = set(found.matrices)
    turned = {(*m[1:], m[0]) for m in listed}
    assert turned == listed
    for order in permutations(range(3)):
        assert {tuple(tuple(row[j] for j in order) for row in m) for m in listed} == listed
    assert [orbit.columns for orbit in found.orbits] == sorted(
        orbit.columns for orbit in found.orbits)
