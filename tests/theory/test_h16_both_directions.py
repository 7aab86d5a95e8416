"""Theorems of H16 with "if and only if": both sides on 200 random instances, by brute force apart.

Theorems 4.3, 4.6 and Example 3.7, the identity query, product tables, and Chapter 5. Sets of
outputs are all tried; ranks come from plain elimination over the constraints of the definition.
"""

import random
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, product

import pytest

from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism, remap, tensor
from tightrope.privacy import private_errors, private_exponents, verify
from tightrope.spaces import hamming
from tightrope.theory import extremality, response_forms, sufficient_sets

LEAST = 30
"""Instances of each side, at least, so that neither is tried in name only."""


def subsets(size):
    return chain.from_iterable(combinations(range(size), k) for k in range(size + 1))


def private(rows, pairs, ratio, delta):
    """P(A) <= e^ε P'(A) + δ for all sets of outputs and both orders, by the definition."""
    return all(sum(rows[i][z] for z in part) <= ratio * sum(rows[j][z] for z in part) + delta
               for i, j in pairs for part in subsets(len(rows[0])))


def ordered(size):
    return [(i, j) for i in range(size) for j in range(size) if i != j]


def random_row(source, size, near):
    cells = [source.randrange(0 if source.random() < 0.2 else near, near + 4) for _ in range(size)]
    cells[source.randrange(size)] += 1
    return [Fraction(cell, sum(cells)) for cell in cells]


def random_level(source):
    return (1 + Fraction(source.randrange(9), 4),
            Fraction(source.choice((0, 0, 1, 2, 5)), source.choice((12, 20))))


def balanced(sides):
    assert min(sides[True], sides[False]) >= LEAST, sides


def test_example_3_7_and_theorem_4_6_on_200_errors_both_ways():
    source, sides = random.Random(1), Counter()
    for _ in range(200):
        values = source.randrange(2, 6)
        ratio, delta = random_level(source)
        error = Fraction(source.randrange(41), 40 * (values - 1))
        rows = [[1 - (values - 1) * error if i == j else error for j in range(values)]
                for i in range(values)]
        holds = private(rows, [(0, 1), (1, 0)], ratio, delta)
        assert (error in private_errors(values, ratio, delta)) is holds
        assert response_forms(values, Level.ratio(ratio, delta), error=error).given.holds is holds
        if 1 - (values - 1) * error >= error:  # where Example 3.7 states its condition
            assert (1 - error * (values - 1) <= ratio * error + delta) is holds
        sides[holds] += 1
    balanced(sides)


def test_theorem_4_3_on_200_exponents_of_tables_both_ways():
    """Two people of two values: P(d') is proportional to e^(-k h(d, d')), also for k < 0."""
    source, sides = random.Random(2), Counter()
    tables = list(product(range(2), repeat=2))
    pairs = [(i, j) for i, j in ordered(4)
             if sum(a != b for a, b in zip(tables[i], tables[j], strict=True)) == 1]
    for _ in range(200):
        ratio, delta = random_level(source)
        factor = Fraction(source.randrange(1, 40), source.choice((8, 12)))
        weights = [[factor ** -sum(a != b for a, b in zip(d, e, strict=True)) for e in tables]
                   for d in tables]
        rows = [[w / sum(row) for w in row] for row in weights]
        holds = private(rows, pairs, ratio, delta)
        assert (factor in private_exponents(2, ratio, delta)) is holds
        sides[holds] += 1
    balanced(sides)


def test_corollary_3_1_on_200_mechanisms_both_ways():
    """A sanitized table is private for the identity if and only if it is for every query on it."""
    source, sides, space = random.Random(3), Counter(), hamming(values=2, people=2)
    pairs = [(i, j) for i, j in ordered(4) if space.distance(i, j) == 1]
    for _ in range(200):
        ratio, delta = random_level(source)
        rows = [random_row(source, 4, source.choice((1, 6))) for _ in range(4)]
        mechanism = MatrixMechanism.of(rows, space)
        holds = verify(mechanism, space, Level.ratio(ratio, delta)).holds
        assert holds is private(rows, pairs, ratio, delta)
        every = True
        for answers in product(range(2), repeat=4):  # every yes or no of the sanitized table
            asked = [[sum(p for p, a in zip(row, answers, strict=True) if a == z)
                      for z in range(2)] for row in rows]
            every = every and private(asked, pairs, ratio, delta)
        assert every is holds  # yes or no decide: a query tells a set apart
        answers = [source.randrange(3) for _ in range(4)]
        if holds:
            assert verify(remap(mechanism, answers, range(3)), space,
                          Level.ratio(ratio, delta)).holds
        sides[holds] += 1
    balanced(sides)


def test_theorem_3_5_and_corollary_4_3_on_200_parents_both_ways():
    """The product of a parent on two rows, over all sets of its four answers, and the parent."""
    source, sides = random.Random(4), Counter()
    tables = list(product(range(2), repeat=2))
    pairs = [(i, j) for i, j in ordered(4)
             if sum(a != b for a, b in zip(tables[i], tables[j], strict=True)) == 1]
    for _ in range(200):
        ratio, delta = random_level(source)
        parent = [random_row(source, 2, source.choice((1, 3))) for _ in range(2)]
        rows = [[parent[a][x] * parent[b][y] for x, y in tables] for a, b in tables]
        holds = private(rows, pairs, ratio, delta)
        level = Level.ratio(ratio, delta)
        assert private(parent, ordered(2), ratio, delta) is holds
        assert verify(parent, "categories:2", level).holds is holds
        single = MatrixMechanism.of(parent, "categories:2")
        whole = tensor(single, single)
        assert [list(whole.row(table)) for table in tables] == rows
        assert verify(rows, hamming(values=2, people=2), level).holds is holds
        sides[holds] += 1
    balanced(sides)


def test_theorems_3_3_and_4_1_on_200_pairs_both_ways():
    """All sets hold if and only if all subsets of S do, S the outputs likelier for the first."""
    source, sides = random.Random(5), Counter()
    for _ in range(200):
        ratio, delta = random_level(source)
        rows = [random_row(source, 5, source.choice((1, 6))) for _ in range(2)]
        (found,) = sufficient_sets(rows, [(0, 1)]).sets
        likelier = {z for z in range(5) if rows[0][z] > rows[1][z]}
        assert set(found.outputs) == likelier
        fewer = all(sum(rows[0][z] for z in part) <= ratio * sum(rows[1][z] for z in part) + delta
                    for part in subsets(5) if set(part) <= likelier)
        assert fewer is private(rows, [(0, 1)], ratio, delta)
        sides[fewer] += 1
    balanced(sides)


R, SIZE = Fraction(2), 3


def rank(lines):
    """By plain elimination."""
    rows, count = [list(map(Fraction, line)) for line in lines], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((k for k in range(count, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[count], rows[pivot] = rows[pivot], rows[count]
        for k in range(count + 1, len(rows)):
            factor = rows[k][column] / rows[count][column]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[count], strict=True)]
        count += 1
    return count


def tight_lines(matrix, j=None):
    """Constraints a_ij <= e^ε a_kj of a column, or of all and the row sums, that are equalities."""
    lines = []
    for column in range(SIZE) if j is None else [j]:
        for i, k in ordered(SIZE):
            if matrix[i][column] == R * matrix[k][column]:
                line = [0] * SIZE**2
                line[i * SIZE + column], line[k * SIZE + column] = 1, -R
                lines.append(line)
    sums = [[int(place // SIZE == i) for place in range(SIZE**2)] for i in range(SIZE)]
    return lines + (sums if j is None else [])


def corners():
    """Matrices whose entries are least or greatest in their column, with all weights solved for."""
    found = []
    for heights in product(list(product((1, R), repeat=SIZE)), repeat=SIZE):
        table = [[heights[j][i] for j in range(SIZE)] for i in range(SIZE)]
        if rank(table) < SIZE:
            continue
        weights = solve(table)
        if min(weights) >= 0:
            found.append(tuple(tuple(weights[j] * table[i][j] for j in range(SIZE))
                               for i in range(SIZE)))
    return sorted(set(found))


def solve(table):
    """x with table · x = 1, by Cramer's rule."""
    def det(rows):
        (a, b, c), (d, e, f), (g, h, i) = rows
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    whole = det(table)
    return [Fraction(det([[1 if k == j else row[k] for k in range(3)] for row in table])) / whole
            for j in range(3)]


CORNERS = corners()
BY_COLUMNS = [[m for m in CORNERS if sum(map(any, zip(*m, strict=True))) == count]
              for count in (1, 2, 3)]


def random_matrix(source):
    """A corner, a mean of two, or one with a column split into two of one direction."""
    one, other = (source.choice(source.choice(BY_COLUMNS)) for _ in range(2))
    kind = source.randrange(3)
    if kind == 0:
        return one
    if kind == 1:
        return [[(a + b) / 2 for a, b in zip(p, q, strict=True)]
                for p, q in zip(one, other, strict=True)]
    one = source.choice(source.choice(BY_COLUMNS[:2]))
    empty = next(j for j in range(SIZE) if not any(row[j] for row in one))
    full = next(j for j in range(SIZE) if any(row[j] for row in one))
    return [[row[full] / 3 if j == empty else row[full] * Fraction(2, 3) if j == full else row[j]
             for j in range(SIZE)] for row in one]


def shape(matrix):
    """Non-zero columns, rank, and whether each entry of them is least or greatest, and not both."""
    columns = [column for column in zip(*matrix, strict=True) if any(column)]
    tight = all(len(set(c)) == 2 and max(c) == R * min(c) for c in columns)
    return len(columns), rank(matrix), tight


def test_theorem_5_1_and_corollaries_5_4_and_5_5_on_200_matrices_both_ways():
    source, sides, loose_free, full = random.Random(6), Counter(), Counter(), Counter()
    for _ in range(200):
        matrix = random_matrix(source)
        extreme = rank(tight_lines(matrix)) == SIZE**2
        found = extremality(matrix, R)
        assert found.extreme is extreme
        columns, independent, tight = shape(matrix)
        assert (found.loose == ()) is tight
        inside = tight and independent == columns
        if tight:
            assert inside is extreme
            loose_free[extreme] += 1
        if columns == SIZE:
            assert inside is extreme
            full[extreme] += 1
        sides[extreme] += 1
    balanced(sides)
    assert min(loose_free[True], loose_free[False], full[True], full[False]) >= 10


def test_theorem_5_3_on_200_permuted_matrices_both_ways():
    source, sides = random.Random(7), Counter()
    for _ in range(200):
        matrix = random_matrix(source)
        order, places = (source.sample(range(SIZE), SIZE) for _ in range(2))
        permuted = [[matrix[i][j] for j in places] for i in order]
        extreme = rank(tight_lines(matrix)) == SIZE**2
        assert extremality(permuted, R).extreme is extreme
        sides[extreme] += 1
    balanced(sides)


def test_theorem_5_4_on_200_columns_both_ways():
    """As many independent tight constraints as values, for zero columns alone."""
    source, sides = random.Random(8), Counter()
    for _ in range(200):
        matrix = random_matrix(source)
        j = source.randrange(SIZE)
        zero = rank(tight_lines(matrix, j)) == SIZE
        assert (j not in extremality(matrix, R).columns) is zero
        sides[zero] += 1
    balanced(sides)


@pytest.mark.parametrize("change", [Fraction(0), Fraction(1, 100)])
def test_the_conditions_of_the_polytope_are_privacy_on_200_matrices(change):
    """(5.3): entry by entry, against all sets of outputs; a hair beyond a corner is outside."""
    source, sides = random.Random(9), Counter()
    for _ in range(200):
        matrix = [list(row) for row in random_matrix(source)]
        i, (a, b) = source.randrange(SIZE), source.sample(range(SIZE), 2)
        moved = change * source.choice((-1, 1)) * min(matrix[i][a], matrix[i][b])
        matrix[i][a], matrix[i][b] = matrix[i][a] + moved, matrix[i][b] - moved
        entries = all(matrix[k][j] <= R * matrix[n][j] for j in range(SIZE)
                      for k, n in ordered(SIZE))
        assert entries is private(matrix, ordered(SIZE), R, 0)
        assert verify(matrix, "categories:3", Level.ratio(R)).holds is entries
        sides[entries] += 1
    if change:
        balanced(sides)
    else:
        assert sides == {True: 200}
