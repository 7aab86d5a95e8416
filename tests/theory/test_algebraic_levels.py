"""Endpoints as logarithms of algebraic numbers, against exact solutions on both sides."""

import random
from fractions import Fraction
from math import exp

import pytest
from flint import arb

from tests.theory.subset_vertices import distance_rows, eliminate
from tightrope.spaces import graph, product_sum, space_of, star
from tightrope.theory import thresholds
from tightrope.theory.priors.algebraic_levels import AlgebraicLevel, _between, _Root
from tightrope.utility import Prior


def exists(space, prior, ratio):
    """Whether Φ μ = π has a solution μ >= 0 at e^ε = ratio, by elimination in fractions."""
    rows = [[1 / ratio**d for d in row] for row in distance_rows(space)]
    solution = eliminate([(*row, p) for row, p in zip(rows, prior, strict=True)])
    return None if solution is None else min(solution) >= 0


def value(polynomial, x):
    return sum(c * x**k for k, c in enumerate(polynomial))


@pytest.mark.parametrize("leaves", range(3, 9))
def test_a_star_has_the_logarithm_of_its_leaves_but_one(leaves):
    found = thresholds(star(leaves))
    (level,) = found.exact.values()
    assert (level.text, level.attained) == (f"ln({leaves - 1})", True)
    assert level.polynomial == (1 - leaves, 1)


def test_a_product_has_those_of_its_factors():
    found = thresholds(product_sum(star(4), star(3)))
    assert [level.text for level in found.exact.values()] == ["ln(3)"]


def random_graphs(count):
    source = random.Random(31)
    while count:
        size = source.randrange(4, 7)
        edges = {(source.randrange(k), k) for k in range(1, size)}
        edges |= {tuple(sorted(source.sample(range(size), 2))) for _ in range(source.randrange(3))}
        weights = [source.randrange(1, 6) for _ in range(size)]
        prior = [Fraction(w, sum(weights)) for w in weights]
        yield graph("abcdefg"[:size], sorted(edges)), prior
        count -= 1


def test_on_both_sides_of_an_exact_endpoint_solutions_differ():
    """Random graphs and priors; the polynomial changes its sign where the verdict does."""
    endpoints = 0
    for space, prior in random_graphs(25):
        found = thresholds(space, prior=Prior.of(prior), lowest="0.1")
        for edge in found.endpoints:
            level = found.exact[edge]
            below = Fraction(exp(float(edge.below))) * (1 - Fraction(1, 10**9))
            above = Fraction(exp(float(edge.above))) * (1 + Fraction(1, 10**9))
            assert exists(space, prior, below) != exists(space, prior, above)
            assert value(level.polynomial, below) * value(level.polynomial, above) < 0
            assert float(below) < level.root < float(above)
            endpoints += 1
    assert endpoints >= 15


def test_the_endpoint_itself_belongs_to_the_interval_if_that_is_said():
    space = space_of("star:4")
    assert exists(space, [Fraction(1, 5)] * 5, Fraction(3))
    assert not exists(space, [Fraction(1, 5)] * 5, Fraction(3) - Fraction(1, 10**12))


def test_scaled_distances_scale_the_level():
    names = [f"x{k}" for k in range(5)]
    twice = graph(names, [(0, k, 2) for k in range(1, 5)])
    assert [level.text for level in thresholds(twice).exact.values()] == ["ln(3)/2"]
    half = graph(names, [(0, k, Fraction(1, 2)) for k in range(1, 5)])
    assert [level.text for level in thresholds(half).exact.values()] == ["ln(3)*2"]


@pytest.mark.parametrize(("polynomial", "root", "text"), [
    ((1, -3, 1), 2.618033988749895, "ln((3 + √5)/2)"),
    ((-2, -2, 1), 2.732050807568877, "ln(1 + √3)"),
    ((2, -5, 1), 4.561552812808831, "ln((5 + √17)/2)"),
    ((-2, 0, 0, 1), 1.2599210498948732, "ln(2)/3"),
    ((-5, 3), 1.6666666666666667, "ln(5/3)"),
    ((-1, -1, 0, 1), 1.324717957244746, "ln(r) with r^3 - r - 1 = 0, r near 1.32471795724"),
])
def test_closed_forms_are_the_roots(polynomial, root, text):
    assert abs(value(polynomial, root)) < 1e-9
    assert AlgebraicLevel(polynomial, Fraction(1), root, True).text == text


def root(factor, number, *, singular=False):
    return _Root(factor, arb(number), Fraction(1), singular)


def test_of_two_roots_between_two_levels_neither_is_proved():
    three, other = root((-3, 1), 3), root((-16, 5), "3.2")
    low, high = Fraction(1), Fraction(2)
    assert _between(low, high, [three, other]) is None
    assert _between(low, high, []) is None
    assert _between(low, high, [three, root((-9, 1), 9)]).text == "ln(3)"
    both = [root((5, -5, 1), "1.381966"), root((5, -5, 1), "3.618034")]  # of one polynomial
    assert _between(Fraction(0), high, both) is None


@pytest.mark.parametrize(("singular", "attained"), [(False, True), (True, None)])
def test_at_a_singular_kernel_nothing_is_said_of_the_endpoint_itself(singular, attained):
    roots = [root((-3, 1), 3), root((-3, 1), 3, singular=singular)]
    assert _between(Fraction(1), Fraction(2), roots).attained is attained


@pytest.mark.parametrize(("number", "text"), [
    (1.381966011250105, "ln((5 - √5)/2)"), (3.618033988749895, "ln((5 + √5)/2)")])
def test_both_roots_of_a_quadratic_polynomial_have_their_own_sign(number, text):
    level = AlgebraicLevel((5, -5, 1), Fraction(1), number, True)
    assert level.text == text
    assert number == pytest.approx((5 + (1 if "+" in text else -1) * 5**0.5) / 2)
