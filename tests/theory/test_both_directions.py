"""Theorems of ECP with "if and only if": both sides on random instances, by brute force apart."""

import random
from fractions import Fraction
from functools import cache
from itertools import product
from math import log2

import numpy as np
import pytest

from tests.theory.random_private import private
from tests.theory.subset_vertices import all_pairs, distance_rows, vertices
from tightrope.errors import BadInput, NotPrivate, TooLarge
from tightrope.spaces import graph, matrix, metric_query, path, space_of
from tightrope.theory import (
    ball_sizes,
    induced_query,
    judge_prior,
    oblivious_privacy,
    regular_optimum,
)

RATIO = Fraction(2)


@cache
def every_vertex(text):
    """All vertices of private matrices with three outputs on a small space."""
    space = space_of(text)
    pairs = space.edges()
    ordered = [*pairs, *((k, i) for i, k in pairs)]
    return sorted(vertices(distance_rows(space), ordered, RATIO, 3, signs=False))


def mixture(source, matrices):
    chosen = source.sample(matrices, 3)
    shares = [source.randrange(1, 5) for _ in chosen]
    return [[sum(s * m[i][j] for s, m in zip(shares, chosen, strict=True)) / sum(shares)
             for j in range(len(chosen[0][0]))] for i in range(len(chosen[0]))]


# Theorem 4 and Corollary 3


def split(source, rows):
    """The same mechanism with its columns cut into parts and in another order."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    first = columns.pop(source.randrange(len(columns)))
    share = Fraction(source.randrange(1, 6), 6)
    columns += [[share * p for p in first], [(1 - share) * p for p in first]]
    source.shuffle(columns)
    return [list(row) for row in zip(*columns, strict=True)]


def tight_mechanism(distances, ratio):
    """Three points: e^(-ε d) with weights that make rows add up to 1, by Cramer's rule."""
    phi = [[1 / ratio**d for d in row] for row in distances]

    def det(m):
        (a, b, c), (d, e, f), (g, h, i) = m
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    weights = [det([[Fraction(1) if k == j else phi[i][k] for k in range(3)] for i in range(3)])
               / det(phi) for j in range(3)]
    assert min(weights) >= 0
    return [[phi[i][j] * weights[j] for j in range(3)] for i in range(3)]


def is_tight(rows, distances, ratio):
    """Definition 6: h[y,y'] = e^(-d) h[y',y'] for all y, y'."""
    return all(rows[y][x] == rows[x][x] / ratio ** distances[y][x]
               for y, x in product(range(len(rows)), repeat=2))


def some_remap_is_tight(rows, distances, ratio):
    size, outputs = len(rows), len(rows[0])
    for remap in product(range(size), repeat=outputs):
        moved = [[sum((p for p, y in zip(row, remap, strict=True) if y == x), Fraction(0))
                  for x in range(size)] for row in rows]
        if is_tight(moved, distances, ratio):
            return True
    return False


@pytest.mark.parametrize("text", ["path:0..2", "categories:3"])
def test_theorem_4_and_corollary_3_on_200_mechanisms_both_ways(text):
    source, space = random.Random(4), space_of(text)
    distances = distance_rows(space)
    every = every_vertex(text)
    best = max(sum(map(max, zip(*rows, strict=True))) for rows in every)
    tight = tight_mechanism(distances, RATIO)
    holding = failing = 0
    for k in range(100):
        rows = split(source, tight) if k % 2 else mixture(source, every)
        told = regular_optimum(rows, ratio=RATIO, space=text)
        expected = some_remap_is_tight(rows, distances, RATIO)
        assert told.optimal == expected
        assert told.uniform == (sum(map(max, zip(*rows, strict=True))) == best) == expected
        assert min(told.slack) >= 0
        holding, failing = holding + expected, failing + (not expected)
    assert holding >= 40
    assert failing >= 40


def test_the_remap_of_an_optimal_mechanism_makes_it_tight():
    source, space = random.Random(5), space_of("path:0..2")
    tight = tight_mechanism(distance_rows(space), RATIO)
    for _ in range(10):
        rows = split(source, tight)
        told = regular_optimum(rows, ratio=2, space=space)
        places = [space.points.index(label) for label in told.remap]
        moved = [[sum((p for p, y in zip(row, places, strict=True) if y == x), Fraction(0))
                  for x in range(3)] for row in rows]
        assert is_tight(moved, distance_rows(space), RATIO)


def test_without_a_tight_mechanism_nothing_attains_the_bound():
    constant = [["1/5"] * 5] * 5
    told = regular_optimum(constant, ratio=2, space="star:4")  # below ln 3
    assert (told.weights, told.uniform, told.optimal) == (None, None, False)
    assert regular_optimum(constant, ratio=3, space="star:4").weights is not None
    with pytest.raises(NotPrivate):
        regular_optimum([[1, 0], [0, 1]], ratio=2, space="categories:2")
    with pytest.raises(TooLarge):
        regular_optimum([["1/2", "1/2"]] * 2, 0.5, "categories:2")


# Theorem 1 and Corollary 1


def random_query(source):
    """A query from a random graph onto a random metric of three or four answers."""
    size, answers = source.randrange(4, 7), source.randrange(2, 4)
    edges = {(source.randrange(k), k) for k in range(1, size)}
    datasets = graph("abcdef"[:size], sorted(edges))
    table = [*range(answers), *(source.randrange(answers) for _ in range(size - answers))]
    source.shuffle(table)
    return datasets, dict(zip("abcdef", table, strict=False))


def random_private(source, distances, ratio, near):
    """Rows whose columns keep most constraints: half of the time just not all."""
    size = len(distances)
    center = source.randrange(size)
    slack = Fraction(source.randrange(5, 13), 10)
    share = Fraction(source.randrange(1, 4), 8) * near
    first = [share / ratio ** distances[center][y] if source.random() < 0.5 else
             share * slack / ratio ** distances[center][y] for y in range(size)]
    return [[p, 1 - p] for p in first]


def test_corollary_1_on_200_mechanisms_both_ways():
    source, holding, failing = random.Random(1), 0, 0
    while holding + failing < 200:
        datasets, table = random_query(source)
        asked = induced_query(datasets, table)
        outer, inner = distance_rows(asked.codomain), distance_rows(datasets)
        rows = random_private(source, outer, RATIO, Fraction(1))
        told = oblivious_privacy(asked, rows, ratio=2, scale=1)
        composed = [rows[k] for k in asked.values]
        assert told.on_values == private(rows, outer, RATIO)
        assert told.on_datasets == private(composed, inner, RATIO)
        assert told.uniform.holds
        assert told.on_values == told.on_datasets
        holding, failing = holding + told.on_values, failing + (not told.on_values)
    assert min(holding, failing) >= 40


def chained(asked, scale):
    """The metric of shortest chains, in which a step costs Δ times the nearest datasets."""
    inner = distance_rows(asked.datasets)
    size = asked.codomain.size
    far = [[min((scale * inner[x][y] for x, y in product(range(len(inner)), repeat=2)
                 if (asked.values[x], asked.values[y]) == (a, b)), default=99)
            for b in range(size)] for a in range(size)]
    for k, a, b in product(range(size), repeat=3):
        far[a][b] = min(far[a][b], far[a][k] + far[k][b])
    return far


def test_theorem_1_and_its_converse_on_200_queries():
    """Metrics of answers that fit and that do not: where not, two outputs tell the sides apart."""
    source, uniform, other = random.Random(2), 0, 0
    while uniform + other < 200:
        datasets, table = random_query(source)
        induced = induced_query(datasets, table)
        d = [[x * 2 for x in row] for row in distance_rows(induced.codomain)]
        if source.random() < 0.7:  # another metric: distances from 2 to 4 always are one
            size = len(d)
            d = [[0 if a == b else 2 for b in range(size)] for a in range(size)]
            for a in range(size):
                for b in range(a):
                    d[a][b] = d[b][a] = source.randrange(2, 5)
        codomain = matrix(induced.codomain.points, d)
        asked = metric_query(datasets, codomain, table.__getitem__)
        metric = chained(asked, 2)
        equal = metric == d
        constant = [["1/2", "1/2"]] * len(d)
        told = oblivious_privacy(asked, constant, ratio=2, scale=2)
        assert told.uniform.holds == equal
        assert told.on_values
        assert told.on_datasets
        if not equal:
            a, b = next(pair for pair in all_pairs(len(d)) if metric[pair[0]][pair[1]] != d[
                pair[0]][pair[1]])
            larger = max(metric, d, key=lambda m: m[a][b])
            rows = [[p, 1 - p] for p in (Fraction(1, 2) / RATIO ** larger[a][y]
                                         for y in range(len(d)))]
            apart = oblivious_privacy(asked, rows, ratio=2, scale=2)
            assert apart.on_values != apart.on_datasets
            assert apart.on_values == private(rows, d, RATIO)
        uniform, other = uniform + equal, other + (not equal)
    assert min(uniform, other) >= 40


def test_a_scale_that_is_not_above_zero_is_refused():
    asked = metric_query(path(0, 2), path(0, 4), lambda x: 2 * x)
    assert oblivious_privacy(asked, [["1/2", "1/2"]] * 5, ratio=2).scale == 2
    with pytest.raises(BadInput, match="above 0"):
        oblivious_privacy(asked, [["1/2", "1/2"]] * 5, ratio=2, scale=0)


# Definition 7, and priors that are not regular


def test_definition_7_on_random_graphs():
    source, verdicts = random.Random(7), []
    spaces = [space_of(text) for text in ("cycle:6", "hamming:values=3,people=2", "complete:4",
                                          "star:2", "path:0..3")]
    for _ in range(40):
        size = source.randrange(3, 7)
        edges = {(source.randrange(k), k) for k in range(1, size)}
        edges |= {tuple(sorted(source.sample(range(size), 2))) for _ in range(source.randrange(9))}
        spaces.append(graph("abcdefg"[:size], sorted(edges)))
    for space in spaces:
        rows = [sorted(row) for row in distance_rows(space)]
        told = ball_sizes(space)
        assert told.symmetric == all(row == rows[0] for row in rows)
        assert {int(d.rational): number for d, number in told.numbers} == {
            d: rows[0].count(d) for d in rows[0] if d}
        if told.witness is not None:
            radius, first, few, second, many = told.witness
            for label, size in ((first, few), (second, many)):
                row = distance_rows(space)[space.index(label)]
                assert sum(d <= radius.rational for d in row) == size
            assert few != many
        verdicts.append(told.symmetric)
    assert 5 <= sum(verdicts) <= len(verdicts) - 5


@pytest.mark.parametrize("text", ["path:0..2", "categories:3"])
def test_a_prior_that_is_not_regular_has_the_gain_of_the_best_vertex(text):
    source, every = random.Random(8), every_vertex(text)
    seen = 0
    while seen < 8:
        weights = [source.randrange(1, 20) for _ in range(3)]
        prior = [Fraction(w, sum(weights)) for w in weights]
        told = judge_prior(text, prior=prior, ratio=2)
        if told.regular:
            continue
        best = max(sum(max(p * h for p, h in zip(prior, column, strict=True))
                       for column in zip(*rows, strict=True)) for rows in every)
        assert best <= Fraction(told.gain)
        assert told.gain == pytest.approx(float(best), abs=1e-6)
        assert told.most_leaked == pytest.approx(log2(best / max(prior)), abs=1e-5)
        seen += 1


def test_phi_and_mu_are_exact():
    told = judge_prior("path:0..2", prior=["0.35", "0.3", "0.35"], ratio=3)
    phi = np.array([[float(x) for x in row] for row in told.phi])
    assert told.phi[0] == (1, Fraction(1, 3), Fraction(1, 9))
    again = [sum(m * row[k] for m, row in zip(told.mu, told.phi, strict=True)) for k in range(3)]
    assert again == [Fraction(7, 20), Fraction(3, 10), Fraction(7, 20)]
    assert min(told.mu) >= 0
    assert np.allclose(phi, phi.T)
    assert judge_prior("path:0..2", 1).phi is None
