"""Theorems of KL10 with "if and only if", and two of WXH: 200 instances of both sides each.

What the library says is compared with the other side of the theorem, worked out here from the
definitions: by ranks in fractions, and by adding up.
"""

import random
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import ceil

from tests.theory.random_private import private, private_with_three_outputs
from tests.theory.subset_vertices import all_pairs, distance_rows
from tightrope.constructions import utility_first
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import PairBound, tightness
from tightrope.spaces import cycle, path, query, space_of, star
from tightrope.theory import generalize, post_processing
from tightrope.utility import dobrushin_optimum

F = Fraction
RATIO = F(2)


def rank(lines):
    lines = [list(line) for line in lines]
    found = 0
    for column in range(len(lines[0]) if lines else 0):
        pivot = next((k for k in range(found, len(lines)) if lines[k][column]), None)
        if pivot is None:
            continue
        lines[found], lines[pivot] = lines[pivot], lines[found]
        for k in range(found + 1, len(lines)):
            factor = lines[k][column] / lines[found][column]
            lines[k] = [a - factor * b for a, b in zip(lines[k], lines[found], strict=True)]
        found += 1
    return found


def is_ray(column, distances, ratio):
    """Whether only multiples of a column have its tight constraints: their rank is n - 1."""
    size = len(column)
    tight = [[F(1) if y == i else -ratio ** distances[i][k] if y == k else F(0)
              for y in range(size)]
             for i, k in all_pairs(size) if column[i] == ratio ** distances[i][k] * column[k]]
    return rank(tight) == size - 1


def test_theorem_3_3_3_on_200_mechanisms():
    """Maximally general iff row graphs are connected; what is not follows from what is."""
    source, level, verdicts = random.Random(33), Level.ratio(2), []
    spaces = [path(0, 2), star(3), cycle(4), space_of("categories:3")]
    while len(verdicts) < 200:
        space = source.choice(spaces)
        distances = distance_rows(space)
        rows = private_with_three_outputs(source, distances, RATIO)
        if rows is None:
            continue
        mechanism = MatrixMechanism(space, (0, 1, 2), Weights.from_fractions(rows))
        if source.random() < 0.6:
            mechanism = generalize(mechanism, level).certified.mechanism
        rows = [mechanism.row_at(i) for i in range(space.size)]
        expected = all(is_ray(column, distances, RATIO)
                       for column in zip(*rows, strict=True) if any(column))
        assert tightness(mechanism, space, level).maximally_general == expected
        verdicts.append(expected)
        if len(verdicts) > 30:
            continue
        more = generalize(mechanism, level).certified.mechanism
        again = [more.row_at(i) for i in range(space.size)]
        assert private(again, distances, RATIO)
        assert all(is_ray(column, distances, RATIO) for column in zip(*again, strict=True))
        assert post_processing(more, mechanism).exists
        assert post_processing(mechanism, more).exists == expected
    assert 40 <= sum(verdicts) <= 160


def overlap(rows, j, k):
    return sum(map(min, rows[j], rows[k]))


def random_two_outputs(source, steps, ratio):
    """A private path of that many steps, each as long as may be or shorter, not falling."""
    least = F(1) / (1 + ratio) if source.random() < 0.5 else F(source.randrange(1, 6), 12)
    line = [least / ratio ** (steps // 2)]
    for _ in range(steps):
        p = line[-1]
        most = min(ratio * p, 1 - (1 - p) / ratio)
        line.append(most if source.random() < 0.9 else (most + 3 * p) / 4)
    return line


def test_lemma_3_3_5_on_200_pairs_of_rows():
    """Two outputs on a path overlap least iff the first half and the second grow as it says."""
    source, verdicts = random.Random(35), []
    while len(verdicts) < 200:
        n = source.randrange(2, 7)
        line = random_two_outputs(source, n - 1, RATIO)
        second = [1 - p for p in line]
        rows = [list(pair) for pair in zip(line, second, strict=True)]
        assert private(rows, distance_rows(path(0, n - 1)), RATIO)
        half = n // 2 + 1 if n % 2 == 0 else (n + 1) // 2
        later = n // 2 + 1 if n % 2 == 0 else (n + 3) // 2
        pattern = (all(line[j - 1] == RATIO * line[j - 2] for j in range(2, half + 1))
                   and all(second[j - 1] == second[j - 2] / RATIO for j in range(later, n + 1)))
        low, high = dobrushin_optimum(n - 1, Level.ratio(2))
        assert low == high >= -overlap(rows, 0, n - 1)
        best = -overlap(rows, 0, n - 1) == low
        assert pattern == best
        verdicts.append(best)
    assert 40 <= sum(verdicts) <= 160


def test_lemma_3_3_8_on_200_mechanisms():
    """On any relation: the optimum is attained iff some farthest pair and path look like that.

    n in the paper's lemma stands for the d + 1 inputs of a path. Outputs that are likelier at its
    end grow in its first half, and the others fall in its second half.
    """
    source, verdicts = random.Random(38), []
    spaces = [path(0, 3), cycle(4), cycle(5), star(3), space_of("categories:3")]
    while len(verdicts) < 200:
        space = source.choice(spaces)
        distances = distance_rows(space)
        d = max(map(max, distances))
        rows = private_with_three_outputs(source, distances, RATIO)
        if rows is None:
            continue
        if source.random() < 0.6:
            line = random_two_outputs(source, d, RATIO)
            start = source.randrange(space.size)
            share = F(source.randrange(1, 4), 4)
            rows = [[share * line[distances[start][y]], (1 - share) * line[distances[start][y]],
                     1 - line[distances[start][y]]] for y in range(space.size)]
        best = max(-overlap(rows, j, k) for j, k in combinations(range(space.size), 2))
        low, high = dobrushin_optimum(d, Level.ratio(2))
        assert low == high >= best
        expected = any(looks_best(rows, distances, u, v, d) for u, v in all_pairs(space.size)
                       if distances[u][v] == d)
        assert expected == (best == low)
        verdicts.append(expected)
    assert 40 <= sum(verdicts) <= 160


def looks_best(rows, distances, u, v, d):
    n = d + 1
    half, later = (n // 2 + 1, n // 2 + 1) if n % 2 == 0 else ((n + 1) // 2, (n + 3) // 2)
    ways = [way for way in product(range(len(rows)), repeat=n)
            if (way[0], way[-1]) == (u, v)
            and all(distances[a][b] == 1 for a, b in pairwise(way))]

    def fits(r, way):
        if rows[u][r] <= rows[v][r]:
            return all(rows[way[j - 1]][r] == RATIO * rows[way[j - 2]][r]
                       for j in range(2, half + 1))
        return all(rows[way[j - 1]][r] == rows[way[j - 2]][r] / RATIO
                   for j in range(later, n + 1))

    return any(all(fits(r, way) for r in range(len(rows[0]))) for way in ways)


def test_the_two_forms_of_a_generic_bound_on_200_pairs():
    """m(a) <= b <= M(a) iff b <= M(a) and 1 - b <= M(1 - a), with m(a) = 1 - M(1 - a)."""
    source, verdicts = random.Random(21), []
    for _ in range(200):
        start, a, b = F(source.randrange(3), 8), F(source.randrange(9), 8), F(
            source.randrange(9), 8)
        bend = F(source.randrange(1, 8), 8)
        height = start + (1 - start) * (bend + (1 - bend) * F(source.randrange(5), 4))
        height = min(F(1), height)
        bound = PairBound.of([(0, start), (bend, height), (1, 1)])

        def most(x, start=start, bend=bend, height=height):
            if x <= bend:
                return start + (height - start) * x / bend
            return height + (1 - height) * (x - bend) / (1 - bend)

        assert bound(a) == most(a)
        assert bound.least(a) == 1 - most(1 - a)
        expected = b <= most(a) and 1 - b <= most(1 - a)
        assert (bound.least(a) <= b <= bound(a)) == expected
        verdicts.append(expected)
    assert 40 <= sum(verdicts) <= 160


# WXH, (11) and (13): rounding the exponent up is the discrete variant


def test_rounded_exponents_on_200_distances():
    """q(r) falls as e^(-b ε) with b = d / Δ iff the rounded mechanism has ⌈b⌉ there."""
    source, checked = random.Random(11), 0
    while checked < 200:
        size = source.randrange(3, 8)
        values = [source.randrange(12) for _ in range(size)]
        if len(set(values)) < 3:
            continue
        asked = query(path(0, size - 1), "path:0..11", values.__getitem__)
        most = max(abs(a - b) for a, b in pairwise(values))
        indices = utility_first(asked).indices
        for x in range(size):
            for r in range(12):
                assert indices[x][r] == ceil(F(abs(values[x] - r), most))
                checked += 1
