"""All extreme points of small polytopes, against a second method that shares nothing."""

from collections import Counter
from fractions import Fraction
from math import perm

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.theory.double_description import column_rays, matrix_rays
from tightrope.constructions import min_loss_given_level
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level
from tightrope.spaces import categories
from tightrope.theory import best_extreme_point, extremality, extreme_points, half_spaces
from tightrope.theory.polytope.balanced_collections import balanced_collections
from tightrope.utility import LossMatrix

RATIOS = (Fraction(2), Fraction(11, 10), Fraction(50))


def as_matrices(size, rays):
    """Rays listed column by column, as matrices with rows that add up to 1."""
    found = set()
    for ray in rays:
        total = sum(ray[::size])
        columns = [ray[j * size : (j + 1) * size] for j in range(size)]
        found.add(tuple(tuple(Fraction(v, total) for v in row)
                        for row in zip(*columns, strict=True)))
    return found


def test_three_values_have_33_extreme_points_in_4_orbits():
    assert len(extreme_points(3).orbits) == 4
    assert extreme_points(3).by_columns == {1: 3, 2: 18, 3: 12}


def test_four_values_have_904_extreme_points_in_10_orbits_and_no_loose_entry():
    assert len(extreme_points(4).orbits) == 10
    assert extreme_points(4).total == 904
    assert extreme_points(4).loose_several == 0


def test_a_column_cone_has_a_ray_for_every_proper_subset():
    for size in (2, 3, 4):
        rays, _ = column_rays(size, 3, 1)
        assert {frozenset(ray) for ray in rays} == {frozenset({1, 3})}
        assert len(set(rays)) == 2**size - 2


@pytest.mark.parametrize(("size", "ratio"), [(2, 2), (3, 2), (3, Fraction(7, 5))], ids=str)
def test_every_matrix_is_found_by_double_description_too(size, ratio):
    ratio = Fraction(ratio)
    listed = [m for orbit in extreme_points(size).orbits for m in orbit.matrices(ratio)]
    rays = matrix_rays(size, ratio.numerator, ratio.denominator)
    assert len(set(listed)) == len(listed) == extreme_points(size).total
    assert set(listed) == as_matrices(size, rays)


@pytest.mark.slow
def test_the_904_matrices_of_four_values_are_found_by_double_description_too():
    listed = {m for orbit in extreme_points(4).orbits for m in orbit.matrices(Fraction(2))}
    found = as_matrices(4, matrix_rays(4, 2, 1))
    assert len(found) == 904
    assert listed == found


def test_collections_are_as_many_as_the_theory_of_games_counts():
    """Minimal balanced collections on 1 to 5 labeled players: OEIS A355042."""
    def count(size):
        return sum(found.alike for sets in range(1, size + 1)
                   for found in balanced_collections(size, sets))

    assert [count(size) for size in (1, 2, 3, 4, 5)] == [1, 2, 6, 42, 1292]


def test_five_values_are_all_extreme_at_three_ratios_with_the_same_counts():
    counts = set()
    for ratio in RATIOS:
        seen = Counter()
        for orbit in extreme_points(5).orbits:
            found = extremality(orbit.vertex.matrix(ratio), ratio)
            assert found.extreme
            assert found.rank == len(found.columns) == orbit.vertex.columns
            if orbit.vertex.columns > 1:
                assert {j for _, j in found.loose} <= set(found.columns)
                assert len(found.loose) == len(orbit.vertex.loose)
            seen[len(found.columns)] += orbit.size
        counts.add(tuple(sorted(seen.items())))
    assert len(counts) == 1


def test_optima_of_random_losses_on_five_values_are_listed_points():
    """The solver's vertices know nothing of the enumeration; one outside would be a miss."""
    ratio = Fraction(3)
    listed = {
        frozenset(tuple(round(float(v), 6) for v in column)
                  for column in zip(*member.matrix(ratio), strict=True) if any(column))
        for orbit in extreme_points(5).orbits for member in orbit.members
    }
    source = np.random.default_rng(5)
    held = half_spaces(5, ratio)
    upper, even = (np.array(lines, dtype=float) for lines in (held.inequalities, held.equations))
    for _ in range(60):
        found = linprog(source.normal(size=25), A_ub=upper, b_ub=np.zeros(len(upper)),
                        A_eq=even, b_eq=np.ones(5), bounds=(0, 1), method="highs-ds")
        columns = np.round(found.x.reshape(5, 5).T, 6) + 0.0
        assert frozenset(map(tuple, columns[columns.any(axis=1)].tolist())) in listed


@pytest.mark.parametrize("size", [5, 6])
def test_points_are_counted_by_the_loose_entries_of_their_matrices(size):
    counts = Counter()
    for orbit in extreme_points(size).orbits:
        found = extremality(orbit.vertex.matrix(Fraction(2)), Fraction(2))
        if len(found.columns) > 1 and found.loose:
            counts[len(found.loose)] += orbit.size
    assert extreme_points(size).by_loose == dict(counts)
    assert extreme_points(size).loose_several == sum(counts.values())
    assert sorted(counts) == list(range(1, size - 3))  # at most m - 4 at these sizes


def test_members_of_an_orbit_are_distinct_and_as_many_as_the_group_allows():
    for size in (3, 4, 5):
        for orbit in extreme_points(size).orbits:
            assert len(set(orbit.members)) == len(orbit.members) == orbit.alike
            factorial = int(np.prod(range(1, size + 1)))
            assert factorial % len(orbit.members) == 0


def least(costs, ratio):
    """The optimum over the half spaces, by a floating-point solver."""
    size = len(costs)
    held = half_spaces(size, ratio)
    found = linprog(
        [float(c) for row in costs for c in row],
        A_ub=np.array(held.inequalities, dtype=float), b_ub=np.zeros(len(held.inequalities)),
        A_eq=np.array(held.equations, dtype=float), b_eq=np.ones(size), bounds=(None, None),
    )
    return found.fun


@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_no_private_matrix_beats_the_best_extreme_point(size):
    source = np.random.default_rng(size)
    ratio = Fraction(5, 2)
    for _ in range(1 if size == 5 else 5):
        costs = [[Fraction(int(c), 8) for c in row] for row in source.integers(-9, 9, (size, size))]
        found = best_extreme_point(costs, ratio)
        assert float(found.value) == pytest.approx(least(costs, ratio), abs=1e-7)
        assert extremality(found.matrix, ratio).extreme
        total = sum(c * p for line, row in zip(costs, found.matrix, strict=True)
                    for c, p in zip(line, row, strict=True))
        assert total == found.value


def test_the_best_extreme_point_is_what_design_proves_optimal():
    costs = [[0, 1, 4, 9], [2, 0, 1, 5], [6, 3, 0, 1], [7, 7, 2, 0]]
    ratio = Fraction(3)
    solution = min_loss_given_level(
        categories(4), Level.ratio(ratio), loss=LossMatrix(np.array(costs, dtype=float))
    )
    best = best_extreme_point([[Fraction(c, 4) for c in row] for row in costs], ratio)
    assert solution.bound <= float(best.value) * (1 + 1e-12)
    assert solution.value >= float(best.value) * (1 - 1e-12)
    assert solution.value == pytest.approx(float(best.value), rel=1e-5)


def test_the_example_of_the_thesis_for_unequal_priors_is_no_randomized_response():
    """Four values, e^ε = 2, prior (.4, .4, .1, .1): gain 0.5333, not 0.48 (MATH.md)."""
    prior = [Fraction(4, 10), Fraction(4, 10), Fraction(1, 10), Fraction(1, 10)]
    costs = [[prior[y] * (y != z) for z in range(4)] for y in range(4)]
    found = best_extreme_point(costs, Fraction(2))
    assert 1 - found.value == Fraction(8, 15)
    assert found.orbit.vertex.columns == 2


def test_sizes_and_ratios_outside_the_range_are_refused():
    with pytest.raises(BadInput, match="at least 2 values"):
        extreme_points(1)
    with pytest.raises(TooLarge):
        extreme_points(7)
    with pytest.raises(BadInput, match="at least 1"):
        extreme_points(3).orbits[0].vertex.matrix(Fraction(1, 2))
    with pytest.raises(BadInput, match="at least 1"):
        extreme_points(3, ratio=Fraction(1, 2))
    with pytest.raises(BadInput, match="every row"):
        best_extreme_point([[Fraction(1)], [Fraction(0)]], Fraction(2))


@pytest.mark.parametrize(("size", "outputs"), [(4, 2), (4, 3), (3, 5), (5, 2)])
def test_other_numbers_of_outputs_choose_other_places_for_the_same_columns(size, outputs):
    square, found = extreme_points(size), extreme_points(size, outputs=outputs)
    for columns, count in found.by_columns.items():
        assert count * perm(size, columns) == square.by_columns[columns] * perm(outputs, columns)
    assert max(found.by_columns) == min(size, outputs)
    if size < 5:
        listed = [m for orbit in found.orbits for m in orbit.matrices(Fraction(2))]
        assert len(set(listed)) == len(listed) == found.total
        assert all(len(m[0]) == outputs and extremality(m, 2).extreme for m in listed[::7])


def test_orbits_of_six_values_are_the_classes_of_vertices_with_few_columns():
    """Three columns: partitions of 6 into three parts, or three sets that cover twice."""
    by_columns = extreme_points(6, outputs=3).by_columns
    assert by_columns[2] == 3 * 2 * (2**6 - 2) // 2
    stirling = 90  # ways to split 6 values into 3 groups
    assert by_columns[3] == 6 * 2 * stirling
