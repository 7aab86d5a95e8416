"""The theorems of H16, Chapter 5, on every orbit of small polytopes and by exact ranks."""

from fractions import Fraction
from itertools import combinations, permutations

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.errors import BadLevel, BadMatrix, NotPrivate
from tightrope.theory import extremality, extreme_points, half_spaces

R = Fraction(3)
POINTS = [(size, orbit) for size in (2, 3, 4, 5) for orbit in extreme_points(size).orbits]


def fractions(rows, total):
    return [[Fraction(entry) / total for entry in row] for row in rows]


def loose_example(r):
    """The matrix of H16, Section 5.5."""
    rows = [[1, 1, 2 * r, 1, 0], [r, 1, 2, r, 0], [r, r, 2, 1, 0], [1, r, 2, r, 0],
            [1, 1, 1 + r, r, 0]]
    return fractions(rows, 3 + 2 * r)


def tight_rank(matrix, ratio):
    """The number of independent constraints that hold with equality."""
    held = half_spaces(len(matrix), ratio, columns=len(matrix[0]))
    flat = [entry for row in matrix for entry in row]
    lines = [line for line in held.inequalities
             if sum(a * b for a, b in zip(line, flat, strict=True)) == 0]
    lines += held.equations
    table = [[flint.fmpq(v.numerator, v.denominator) for v in line] for line in lines]
    return flint.fmpq_mat(table).rank()


def private(matrix, ratio):
    return all(p <= ratio * q for column in zip(*matrix, strict=True)
               for p in column for q in column)


def heights(matrix, ratio):
    """Ã - 1 over e^ε - 1, and None for zero columns (H16, (5.8))."""
    return [
        None if not any(column) else [(v / min(column) - 1) / (ratio - 1) for v in column]
        for column in zip(*matrix, strict=True)
    ]


def test_theorem_5_1_a_point_is_extreme_if_m_squared_independent_constraints_are_tight():
    for size, orbit in POINTS:
        assert tight_rank(orbit.vertex.matrix(R), R) == size * size


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=9, max_size=9), st.data())
def test_theorem_5_1_agrees_with_the_motions_of_columns_on_any_private_matrix(numbers, data):
    """Mixtures of extreme points, of which some are extreme themselves."""
    listed = [m for orbit in extreme_points(3).orbits for m in orbit.matrices(R)]
    chosen = data.draw(st.lists(st.sampled_from(listed), min_size=1, max_size=3))
    shares = [number + 1 for number in numbers[: len(chosen)]]
    matrix = [[sum(s * m[i][j] for s, m in zip(shares, chosen, strict=True)) / sum(shares)
               for j in range(3)] for i in range(3)]
    found = extremality(matrix, R)
    assert found.extreme == (tight_rank(matrix, R) == 9)
    if found.direction is not None:
        for sign in (1, -1):
            moved = [[a + sign * b for a, b in zip(row, step, strict=True)]
                     for row, step in zip(matrix, found.direction, strict=True)]
            assert all(sum(row) == 1 for row in moved)
            assert private(moved, R)
        assert any(any(step) for step in found.direction)


def test_lemma_5_1_entries_of_the_polytope_are_not_negative_without_being_asked():
    held = half_spaces(2, Fraction(2))
    inside = [sum(a * b for a, b in zip(line, (1, 0, 1, 0), strict=True))
              for line in held.inequalities]
    outside = [sum(a * b for a, b in zip(line, (2, -1, 2, -1), strict=True))
               for line in held.inequalities]
    assert max(inside) <= 0 < max(outside)


def test_theorem_5_2_the_rank_is_the_number_of_non_zero_columns():
    for _, orbit in POINTS:
        found = extremality(orbit.vertex.matrix(R), R)
        assert found.rank == len(found.columns)


def test_corollary_5_1_no_column_of_several_is_constant():
    for _, orbit in POINTS:
        if orbit.vertex.columns > 1:
            assert all(len(set(column)) > 1 for column in orbit.vertex.heights)


def test_theorem_5_3_extreme_points_stay_extreme_when_rows_and_columns_are_permuted():
    matrix = loose_example(R)
    for order in list(permutations(range(5)))[::17]:
        moved = [[matrix[i][j] for j in reversed(order)] for i in order]
        assert extremality(moved, R).extreme


def test_theorem_5_4_only_zero_columns_have_m_independent_tight_constraints():
    for size, orbit in POINTS:
        for column in zip(*orbit.vertex.matrix(R), strict=True):
            held = half_spaces(size, R, columns=1)
            lines = [line for line in held.inequalities
                     if sum(a * b for a, b in zip(line, column, strict=True)) == 0]
            table = [[flint.fmpq(v.numerator, v.denominator) for v in line] for line in lines]
            rank = flint.fmpq_mat(table).rank() if table else 0
            assert (rank == size) == (not any(column))


def test_theorem_5_5_and_lemma_5_3_bound_the_loose_entries():
    for size, orbit in POINTS:
        if orbit.vertex.columns > 1:
            loose = extremality(orbit.vertex.matrix(R), R).loose
            assert len(loose) <= size - orbit.vertex.columns
            assert len({row for row, _ in loose}) == len(loose)


def test_lemma_5_4_no_row_has_equal_heights_throughout():
    for _, orbit in POINTS:
        if orbit.vertex.columns > 1:
            assert all(len(set(row)) > 1 for row in zip(*orbit.vertex.heights, strict=True))


def test_theorem_5_6_points_with_given_zero_columns_are_those_of_the_polytope_without_them():
    listed = {m for orbit in extreme_points(3).orbits for m in orbit.matrices(R)}
    for zero in combinations(range(3), 2):
        kept = {m for m in listed if all(row[j] == 0 for row in m for j in zero)}
        assert len(kept) == 1
    without_last = {m for m in listed if all(row[2] == 0 for row in m)}
    assert len(without_last) == 2 + 6
    for matrix in without_last:
        assert extremality([row[:2] for row in matrix], R).extreme


def test_theorem_5_7_single_columns_are_extreme_and_all_their_entries_loose():
    for size in (2, 3, 4, 5):
        (orbit,) = [o for o in extreme_points(size).orbits if o.vertex.columns == 1]
        assert orbit.size == size
        assert len(extremality(orbit.vertex.matrix(R), R).loose) == size


def test_theorem_5_8_and_corollary_5_3_two_columns_are_a_set_and_its_complement():
    for size, orbit in POINTS:
        if orbit.vertex.columns == 2:
            assert not orbit.vertex.loose
            first, second = orbit.vertex.heights
            assert [a + b for a, b in zip(first, second, strict=True)] == [1] * size
    for size in (2, 3, 4, 5):
        pairs = sum(o.size for o in extreme_points(size).orbits if o.vertex.columns == 2)
        assert pairs == (2**size - 2) * size * (size - 1) // 2


def test_theorem_5_9_full_rank_without_loose_entries_is_enough():
    """All 2^(9) patterns of least and largest entries of three columns."""
    found = 0
    for bits in range(2**9):
        columns = [[bits >> (3 * j + i) & 1 for i in range(3)] for j in range(3)]
        if any(len(set(column)) == 1 for column in columns) or len(set(map(tuple, columns))) < 3:
            continue
        table = flint.fmpq_mat([[int(1 + (R - 1) * columns[j][i]) for j in range(3)]
                                for i in range(3)])
        if table.det() == 0:
            continue
        solved = table.solve(flint.fmpq_mat([[1]] * 3))
        weights = [Fraction(int(solved[j, 0].p), int(solved[j, 0].q)) for j in range(3)]
        if min(weights) > 0:
            matrix = [[weights[j] * (1 + (R - 1) * columns[j][i]) for j in range(3)]
                      for i in range(3)]
            assert extremality(matrix, R).extreme
            found += 1
    assert found == sum(o.size for o in extreme_points(3).orbits if o.vertex.columns == 3)


def test_theorem_5_10_and_the_conjecture_no_loose_entries_up_to_four_values():
    several = [(size, orbit) for size, orbit in POINTS if orbit.vertex.columns > 1]
    assert not any(orbit.vertex.loose for size, orbit in several if size <= 4)
    assert any(orbit.vertex.loose for size, orbit in several if size == 5)


@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(9, 8), Fraction(20)])
def test_the_five_values_example_is_extreme_with_one_loose_entry(ratio):
    found = extremality(loose_example(ratio), ratio)
    assert found.extreme
    assert found.rank == 4
    assert found.loose == ((4, 2),)
    columns = {tuple(h) for h in heights(loose_example(ratio), ratio) if h is not None}
    members = {frozenset(v.heights) for o in extreme_points(5).orbits if o.vertex.loose
               for v in o.members}
    assert frozenset(columns) in members


def test_example_5_2_is_not_extreme_and_the_direction_says_why():
    found = extremality(fractions([[4, 1, 2], [3, 2, 2], [2, 1, 4]], 7), Fraction(2))
    assert found.loose == ((1, 0),)
    assert not found.extreme


def test_matrices_outside_the_polytope_are_refused():
    with pytest.raises(NotPrivate):
        extremality(fractions([[3, 1], [1, 3]], 4), Fraction(2))
    with pytest.raises(BadMatrix, match="add up to 1"):
        extremality(fractions([[3, 1], [1, 2]], 4), Fraction(9))
    with pytest.raises(BadMatrix, match="equally long"):
        extremality([[Fraction(1)], [Fraction(1), Fraction(0)]], Fraction(9))
    with pytest.raises(BadMatrix, match="at least 2"):
        half_spaces(1, Fraction(2))
    with pytest.raises(BadLevel):
        extremality(fractions([[1, 1], [1, 1]], 2), Fraction(9, 10))


@pytest.mark.parametrize("rows", [
    [["1/2", "1/2"]], [["3/2", "-1/2"], ["1/2", "1/2"]], [["1/2", "1/2"], [1]],
    [["1/2", "1/4"], ["1/2", "1/2"]],
])
def test_what_is_no_matrix_of_probabilities_lies_in_no_polytope(rows):
    with pytest.raises(BadMatrix):
        extremality([list(map(Fraction, row)) for row in rows], Fraction(2))


def plain_rank(lines):
    """The rank of rows of fractions by elimination, nothing else."""
    table, rank = [list(line) for line in lines], 0
    for column in range(len(table[0])):
        pivot = next((k for k in range(rank, len(table)) if table[k][column]), None)
        if pivot is None:
            continue
        table[rank], table[pivot] = table[pivot], table[rank]
        for k in range(rank + 1, len(table)):
            factor = table[k][column] / table[rank][column]
            table[k] = [a - factor * b for a, b in zip(table[k], table[rank], strict=True)]
        rank += 1
    return rank


def constraint_lines(matrix, ratio, constraints):
    """Tight constraints a[i,j] - e^ε a[k,j] and the row sums, as coefficients."""
    height, width = len(matrix), len(matrix[0])
    lines = []
    for i, k, j in constraints:
        assert matrix[i][j] == ratio * matrix[k][j]
        lines.append([Fraction(0)] * (height * width))
        lines[-1][i * width + j] += 1
        lines[-1][k * width + j] -= ratio
    sums = [[Fraction(int(at // width == i)) for at in range(height * width)]
            for i in range(height)]
    return lines, sums


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([(2, 2), (3, 2), (3, 3), (2, 4)]), st.data())
def test_the_proof_has_the_rank_that_plain_elimination_gives(shape, data):
    size, outputs = shape
    listed = [m for o in extreme_points(size, outputs=outputs).orbits for m in o.matrices(R)]
    chosen = data.draw(st.lists(st.sampled_from(listed), min_size=1, max_size=2))
    matrix = [[sum(m[i][j] for m in chosen) / len(chosen) for j in range(outputs)]
              for i in range(size)]
    found = extremality(matrix, R)
    every = [(i, k, j) for j in range(outputs) for i in range(size) for k in range(size)
             if i != k and matrix[i][j] == R * matrix[k][j]]
    all_lines, sums = constraint_lines(matrix, R, every)
    told, _ = constraint_lines(matrix, R, found.tight)
    assert plain_rank([*all_lines, *sums]) == plain_rank([*told, *sums]) == found.tight_rank
    assert not told or plain_rank(told) == len(told)  # none follows from the others
    assert found.extreme == (found.tight_rank == found.entries == size * outputs)
    assert found.extreme == (len({tuple(map(tuple, m)) for m in chosen}) == 1)


def test_without_a_ratio_the_least_one_is_taken():
    assert extremality([["0.6", "0.4"], ["0.4", "0.6"]]).ratio == Fraction(3, 2)
    assert extremality([["0.5", "0.5"]] * 2).ratio == 1
    with pytest.raises(BadMatrix, match="at no level"):
        extremality([[1, 0], ["0.5", "0.5"]])


def test_the_least_ratio_is_that_of_the_widest_column_that_is_not_zero():
    found = extremality([["1/8", "7/8", 0], ["3/8", "5/8", 0], ["1/8", "7/8", 0]])
    assert (found.ratio, found.columns, found.entries) == (3, (0, 1), 9)
    zero = {(i, k) for i, k, j in found.tight if j == 2}
    lines = [[int(x == i) - 3 * int(x == k) for x in range(3)] for i, k in zero]
    assert plain_rank([list(map(Fraction, line)) for line in lines]) == len(zero) == 3


def test_half_spaces_are_the_comparisons_of_a_column_and_the_sums_of_rows():
    held = half_spaces(2, Fraction(3), columns=2)  # entries a, b / c, d as (a, b, c, d)
    assert set(held.inequalities) == {(1, 0, -3, 0), (-3, 0, 1, 0), (0, 1, 0, -3), (0, -3, 0, 1)}
    assert held.equations == ((1, 1, 0, 0), (0, 0, 1, 1))
    for size, ratio, columns, bad in ((2, Fraction(1, 2), 2, BadLevel), (2, 2, 0, BadMatrix)):
        with pytest.raises(bad):
            half_spaces(size, Fraction(ratio), columns=columns)


def test_at_zero_only_single_columns_are_extreme():
    # H16, Corollary 5.2
    one = extremality([[0, 1, 0]] * 3, 1)
    assert (one.extreme, one.columns, one.direction) == (True, (1,), None)
    two = extremality([["1/4", "3/4", 0]] * 3, 1)
    assert not two.extreme
    for sign in (1, -1):
        moved = [[p + sign * d for p, d in zip(row, step, strict=True)]
                 for row, step in zip(two.matrix, two.direction, strict=True)]
        assert all(row == moved[0] and sum(row) == 1 and min(row) >= 0 for row in moved)
        assert moved != [list(row) for row in two.matrix]
    with pytest.raises(NotPrivate):
        extremality([["1/4", "3/4"], ["1/3", "2/3"]], 1)


def test_half_spaces_at_zero_keep_the_signs():
    held = half_spaces(2, Fraction(1), columns=2)
    negative = (2, -1, 2, -1)  # equal rows that add up to 1, and no probabilities
    assert any(sum(a * x for a, x in zip(line, negative, strict=True)) > 0
               for line in held.inequalities)
