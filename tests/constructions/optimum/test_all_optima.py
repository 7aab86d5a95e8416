"""Uniqueness, optimal faces and normal cones beside an enumeration written apart."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

import tightrope as tr
from tests.crosschecks.plain_simplex import (
    affine_dimension,
    only_solution,
    plain_optimum,
    plain_vertices,
)
from tightrope.constructions import all_optima, when_optimal
from tightrope.constructions.optimum.all_optima import inner_direction
from tightrope.errors import BadInput, TooLarge
from tightrope.mechanisms import MatrixMechanism
from tightrope.utility import Problem

F = Fraction


def distances_of(space):
    return {(a, b): int(space.distance(a, b).rational)
            for i, j in space.edges() for a, b in ((i, j), (j, i))}


def entries(mechanism):
    return tuple(p for y in range(mechanism.space.size) for p in mechanism.row_at(y))


def test_optimal_faces_are_those_of_an_enumeration():
    sizes = set()
    for seed in range(60):
        source = random.Random(seed)
        space = tr.space(source.choice(("categories:2", "path:0..1", "path:0..2")))
        losses = [[F(source.randrange(0, 3)) for _ in range(2)] for _ in range(space.size)]
        parts = [source.choice((0, 1, 1, 2)) for _ in range(space.size)]
        parts[0] += 1
        prior = [F(part, sum(parts)) for part in parts]
        face = all_optima(Problem(space, "ln(2)", prior=prior, loss=losses, outputs=range(2)))
        expected = plain_vertices(distances_of(space), F(2), losses, prior)
        assert {entries(vertex) for vertex in face.vertices} == expected
        assert face.dimension == affine_dimension(expected)
        assert face.unique == (len(expected) == 1)
        sizes.add(face.dimension)
    assert sizes >= {0, 1, 2, 3}


def test_every_vertex_of_a_face_is_optimal_for_the_worst_input_too():
    losses = [[F(abs(y - z)) for z in range(3)] for y in range(3)]
    face = all_optima(Problem("path:0..2", "ln(3)", loss="absolute", goal="worst"))
    assert face.value == plain_optimum(distances_of(tr.space("path:0..2")), F(3), losses)[0]
    for vertex in face.vertices:
        rows = [vertex.row_at(y) for y in range(3)]
        assert max(sum(p * x for p, x in zip(row, line, strict=True))
                   for row, line in zip(rows, losses, strict=True)) == face.value
        assert tr.verify(vertex, "path:0..2", ratio=3).holds


def test_columns_on_one_ray_leave_one_dimension():
    """The second and third answer cost the same, and the sum of their columns is on a ray.

    Each of both is a multiple of (1, 2)/3 then, so that one number says how they share it. That
    the two coordinates of the face are bound to each other is one equation.
    """
    losses = [[0, 2, 2], [2, 0, 0]]
    face = all_optima(Problem("categories:2", "ln(2)", loss=losses, goal="worst",
                              outputs=range(3)))
    assert face.value == F(2, 3)
    assert face.dimension == 1
    rays = {((F(2, 3), F(1, 3), F(0)), (F(1, 3), F(2, 3), F(0))),
            ((F(2, 3), F(0), F(1, 3)), (F(1, 3), F(0), F(2, 3)))}
    assert {tuple(tuple(v.row_at(y)) for y in range(2)) for v in face.vertices} == rays


def spread_of_optima(space, ratio, losses, value):
    """The largest difference of an entry between two optima for the worst input, by HiGHS."""
    size, width = len(losses), len(losses[0])
    lines, most = [], []
    for (a, b), d in distances_of(space).items():
        for z in range(width):
            line = np.zeros((size, width))
            line[b, z], line[a, z] = 1, -ratio**d
            lines.append(line.ravel())
            most.append(0)
    for y in range(size):
        line = np.zeros((size, width))
        line[y] = losses[y]
        lines.append(line.ravel())
        most.append(float(value))
    sums = np.kron(np.eye(size), np.ones(width))
    ends = [linprog(sign * np.eye(size * width)[k], lines, most, sums, np.ones(size)).fun * sign
            for k in range(size * width) for sign in (1, -1)]
    return max(high - low for low, high in zip(ends[::2], ends[1::2], strict=True))


@pytest.mark.parametrize(("text", "ratio", "losses"), [
    ("categories:3", 3, [[0, 1, 0], [1, 1, 0], [1, 0, 1]]),
    ("categories:3", 2, [[0, 2, 0], [2, 1, 2], [1, 2, 0]]),
    ("path:0..3", 2, [[2, 1, 0], [0, 1, 1], [1, 0, 1], [1, 2, 0]]),
])
def test_an_optimum_in_many_tight_constraints_is_unique(text, ratio, losses):
    """One inequality, whose coefficients are all negative, puts several coordinates at 0."""
    face = all_optima(Problem(text, f"ln({ratio})", loss=losses, goal="worst",
                              outputs=range(len(losses[0]))))
    assert face.value == plain_optimum(distances_of(tr.space(text)), F(ratio), [
        [F(x) for x in row] for row in losses])[0]
    assert face.unique
    assert spread_of_optima(tr.space(text), ratio, losses, face.value) < 1e-7


def test_design_begins_with_the_first_vertex():
    solution = tr.design("path:0..1", ratio=2, prior=["1/3", "2/3"], exact=True)
    face = all_optima(solution.problem)
    assert face.vertices[0] == solution.mechanism != face.vertices[1]
    assert "no: optimal are all mixtures of 2 vertices" in repr(face)


@pytest.mark.parametrize(("epsilon", "losses", "optimal"), [
    ("ln(2)", [[0, 1, 1], [1, 0, 1], [1, 1, 0]], True),
    ("ln(3)", [[0, 1, 1], [1, 0, 1], [1, 1, 0]], False),
    ("ln(2)", [[0, 1, 3], [1, 0, 1], [3, 1, 0]], False),
])
def test_a_given_mechanism_is_judged_exactly(epsilon, losses, optimal):
    rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    mine = MatrixMechanism.of(rows, "categories:3")
    judged = tr.improve(mine, epsilon, loss=losses, exact=True)
    assert (judged.change == "kept") is optimal
    ratio = F(2) if epsilon == "ln(2)" else F(3)
    expected, _ = plain_optimum(distances_of(mine.space), ratio, losses, [F(1, 3)] * 3)
    assert judged.after.exact.value == expected
    own = sum(F(rows[y][z]) * losses[y][z] for y in range(3) for z in range(3)) / 3
    assert judged.exact_before == own
    assert (own == expected) is optimal
    assert judged.after.gap == 0


def test_priors_of_a_mechanism_are_decided_as_by_the_simplex():
    source = random.Random(4)
    losses = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    space = tr.space("path:0..2")
    mine = tr.design(space, ratio=2, loss=losses, exact=True).mechanism
    when = when_optimal(mine, ratio=2, loss=losses)
    own = [sum(p * x for p, x in zip(mine.row_at(y), losses[y], strict=True)) for y in range(3)]
    verdicts = set()
    for _ in range(60):
        parts = [source.randrange(0, 9) for _ in range(3)]
        if not any(parts):
            continue
        prior = [F(part, sum(parts)) for part in parts]
        best, _ = plain_optimum(distances_of(space), F(2), losses, prior)
        optimal = sum(p * x for p, x in zip(prior, own, strict=True)) == best
        inside = all(sum(u * p for u, p in zip(line, prior, strict=True)) >= 0
                     for line in when.inequalities)
        assert optimal == inside
        verdicts.add(optimal)
    assert verdicts == {True, False}
    for prior in when.priors:
        best, _ = plain_optimum(distances_of(space), F(2), losses, prior)
        assert sum(p * x for p, x in zip(prior, own, strict=True)) == best


def test_a_mechanism_is_optimal_for_mixtures_of_its_generators():
    source = random.Random(6)
    space = tr.space("path:0..2")
    mine = tr.design(space, ratio=2, loss="absolute", exact=True).mechanism
    made = when_optimal(mine, ratio=2, loss="absolute").generators
    chances = [mine.row_at(y) for y in range(3)]
    assert not any(sum(p * x for row, line in zip(chances, matrix, strict=True)
                       for p, x in zip(row, line, strict=True)) for matrix in made)  # all are tight
    for sign in (1, 1, -1):
        cost = [[F(0)] * 3 for _ in range(3)]
        for matrix in made:
            amount = sign * F(source.randrange(1, 5))
            for y in range(3):
                for z in range(3):
                    cost[y][z] += amount * matrix[y][z]
        shift = [F(source.randrange(-3, 4)) for _ in range(3)]
        cost = [[x + more for x in row] for row, more in zip(cost, shift, strict=True)]
        best, _ = plain_optimum(distances_of(space), F(2), cost, [F(1)] * 3)
        own = sum(p * x for y in range(3) for p, x in zip(mine.row_at(y), cost[y], strict=True))
        assert (own == best) is (sign > 0)


def test_refusals():
    with pytest.raises(TooLarge, match="number of inputs"):
        when_optimal(tr.design("path:0..9", ratio=2).mechanism, ratio=2)
    mine = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], "categories:2")
    with pytest.raises(BadInput, match="leave out outputs"):
        tr.improve(mine, ratio=2, exact=True, outputs=[0, 1])


def test_natural_calls_work_or_name_the_spelling():
    best = tr.design("path:0..2", ratio=2, exact=True)
    assert all_optima(best).unique is all_optima(best.problem).unique is True
    coin = [["2/3", "1/3"], ["1/3", "2/3"]]
    given = MatrixMechanism.of(coin, "categories:2")
    assert (when_optimal(coin, ratio=2, space="categories:2").priors
            == when_optimal(given, ratio=2).priors == ((F(1, 3), F(2, 3)), (F(2, 3), F(1, 3))))
    with pytest.raises(BadInput, match=r'when_optimal\(matrix, "categories:2"\)'):
        when_optimal(coin, ratio=2)
    with pytest.raises(BadInput, match="leave out space"):
        when_optimal(given, ratio=2, space="categories:2")
    with pytest.raises(BadInput, match=r"all_optima\(tr.design\(space, ratio=2, exact=True\)\)"):
        all_optima("path:0..2", 2)


@pytest.mark.parametrize("goal", ["average", "worst"])
def test_optimal_faces_with_three_outputs_are_those_of_an_enumeration(goal):
    sizes = set()
    for seed in range(30):
        source = random.Random(seed)
        losses = [[F(source.randrange(0, 2)) for _ in range(3)] for _ in range(2)]
        prior = source.choice(([F(1, 2)] * 2, [F(1, 3), F(2, 3)], [F(0), F(1)]))
        if goal == "worst":
            # the worst input, by hand: every mechanism whose two means are at most the optimum
            face = all_optima(Problem("categories:2", "ln(2)", loss=losses, goal="worst",
                                      outputs=range(3)))
            value, _ = plain_optimum({(0, 1): 1, (1, 0): 1}, F(2), losses)
            assert face.value == value
            tables = [[vertex.row_at(y) for y in range(2)] for vertex in face.vertices]
            for rows in tables:
                assert max(sum(p * x for p, x in zip(row, line, strict=True))
                           for row, line in zip(rows, losses, strict=True)) == value
            assert len({entries(v) for v in face.vertices}) == len(face.vertices)
            assert face.dimension == affine_dimension([entries(v) for v in face.vertices])
        else:
            face = all_optima(Problem("categories:2", "ln(2)", prior=prior, loss=losses,
                                      outputs=range(3)))
            expected = plain_vertices({(0, 1): 1, (1, 0): 1}, F(2), losses, prior)
            assert {entries(vertex) for vertex in face.vertices} == expected
            assert face.dimension == affine_dimension(expected)
        sizes.add(face.dimension)
    assert len(sizes) >= 3


def test_a_face_with_too_many_vertices_has_its_dimension_and_another_optimum():
    """Without losses all mechanisms are optimal: 4 · 3 free entries on a connected space."""
    for text, outputs in (("path:0..3", 4), ("categories:5", 5)):
        space = tr.space(text)
        face = all_optima(Problem(space, "ln(2)", loss=[[0] * outputs for _ in range(space.size)],
                                  outputs=range(outputs)))
        assert face.dimension == space.size * (outputs - 1)
        assert (face.value, face.unique) == (0, False)
        assert "too many" in repr(face) or face.vertices
        assert face.other != face.first
        assert tr.verify(face.other, space, ratio=2).holds


def test_of_large_problems_it_is_told_whether_the_optimum_is_unique():
    for text in ("path:0..19", "categories:20", "cycle:20"):
        assert all_optima(Problem(text, "ln(2)")).unique
    constant = all_optima(Problem("path:0..19", "ln(2)", prior=[1, *[0] * 19]))
    assert constant.unique  # no error for the first input: no input is ever answered otherwise
    free = all_optima(Problem("path:0..9", "ln(2)", loss=[[0, 1, 1]] * 10, outputs=range(3)))
    assert free.unique
    free = all_optima(Problem("path:0..9", "ln(2)", loss=[[0, 0, 1]] * 10, outputs=range(3)))
    assert free.dimension == 10
    assert free.other.row_at(0)[2] == 0


def test_a_direction_makes_slack_what_any_direction_does():
    source = random.Random(5)
    cores = 0
    for _ in range(120):
        size, count = source.choice((2, 3, 4)), source.choice((1, 2, 3))
        slopes = [tuple(F(source.choice((-2, -1, 0, 0, 1, 2))) for _ in range(size))
                  for _ in range(count)]
        found = inner_direction(slopes, size)
        signs = [tuple(F(int(k == j)) for k in range(size)) for j in range(size)]
        values = [sum(a * t for a, t in zip(line, found, strict=True))
                  for line in (*slopes, *signs)]
        assert min(values) >= 0
        rays = plain_rays([*slopes, *signs], size)  # their sum is as far inside as one can be
        best = [sum(ray[j] for ray in rays) for j in range(size)]
        expected = [sum(a * t for a, t in zip(line, best, strict=True)) > 0
                    for line in (*slopes, *signs)]
        assert [value > 0 for value in values] == expected
        cores += any(expected) and not all(expected)
    assert cores > 20


def plain_rays(lines, size):
    """All extreme rays of a pointed cone, by trying every set of tight lines."""
    rays = []
    for some in combinations(lines, size - 1):
        for j in range(size):  # scaled to 1 in some coordinate
            ahead = tuple(F(int(k == j)) for k in range(size))
            x = only_solution([(*line, F(0)) for line in some] + [(*ahead, F(1))], size)
            if x and all(sum(a * t for a, t in zip(line, x, strict=True)) >= 0 for line in lines):
                rays.append(x)
    return rays or [(F(0),) * size]


def test_entries_that_are_0_are_generators():
    """Always the first answer: best for any cost that is larger at the other, and for no other."""
    mine = MatrixMechanism.of([[1, 0], [1, 0]], "categories:2")
    made = when_optimal(mine, ratio=2).generators
    for y in range(2):
        zero = tuple(tuple(F(int((i, z) == (y, 1))) for z in range(2)) for i in range(2))
        assert zero in made


def test_inputs_that_do_not_decide_the_worst_case_leave_all_dimensions():
    """Input 0 always loses 1; then all that is asked is P(0 | 1) <= 1/2, and privacy."""
    face = all_optima(Problem("path:0..2", "ln(2)", loss=[[1, 1], [2, 0], [0, 1]], goal="worst",
                              outputs=range(2)))
    assert (face.value, face.dimension) == (1, 3)  # rows (1/3, 2/3) are inside
    # with m in the middle an end lies from m/2 to the smaller one of 2 m and (1 + m)/2
    low, high, kink = F(1, 4), F(3, 4), (F(1, 6), F(2, 3))
    assert {tuple(vertex.row_at(y)[0] for y in range(3)) for vertex in face.vertices} == {
        (0, 0, 0), *((a, F(1, 2), b) for a in (low, high) for b in (low, high)),
        *((a, F(1, 3), b) for a in kink for b in kink if (a, b) != (kink[0], kink[0]))}
