"""The equation of the kernel at roots of rationals: proofs checked in the field itself."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from tightrope.exact import Level, Radical, RadicalField
from tightrope.kernels import Irregular, KernelWeights, NoWeights, Regular, regularity, solve
from tightrope.kernels.equations import solve_reduced
from tightrope.kernels.radicals import solve_in_radicals
from tightrope.kernels.reduction import reduced_kernel
from tightrope.lp import nonnegative_radical, solve_radical
from tightrope.spaces import complete, graph, matrix, star
from tightrope.utility import Prior

F = Fraction
ROOT = Level.parse("ln(2)/2")


def random_graph(source, size):
    """A connected graph: a random tree and some more edges."""
    edges = {(int(source.integers(0, k)), k) for k in range(1, size)}
    edges |= {pair for pair in combinations(range(size), 2) if source.random() < 0.4}
    return graph(range(size), sorted(edges))


def powers(space, level):
    every = range(space.size)
    field = RadicalField.of(level, [space.distance(i, j) for i in every for j in every])
    return [[field.power(space.distance(i, j), sign=-1) for j in every] for i in every], field


def test_both_sides_of_a_complete_bipartite_graph_are_singular_at_a_root_and_refused():
    # two nodes beside three: det Φ has the factor 1 - 2 q², and equal sums need unequal ones
    space = graph(range(5), [(a, b) for a in range(2) for b in range(2, 5)])
    found = solve(space, ROOT)
    assert isinstance(found, NoWeights)
    assert found.upper is None
    phi, _ = powers(space, ROOT)
    u = found.separation
    assert sum(u) < 0
    for row in phi:
        assert sum((x * a for x, a in zip(u, row, strict=True)), row[0] * 0).sign >= 0


@pytest.mark.parametrize("seed", range(5))
def test_the_field_and_the_balls_agree_where_nothing_ties(seed):
    source = np.random.default_rng(seed)
    space = random_graph(source, 6)
    level = Level.parse(str(source.choice(["ln(2)/2", "ln(3)/2", "ln(5)/3"])))
    kernel = reduced_kernel(space)
    ones = (F(1),) * kernel.size
    field, balls = solve_in_radicals(kernel, level, ones), solve_reduced(kernel, level, ones)
    assert (field.values is None) == isinstance(balls, NoWeights)
    if field.values is not None:
        assert isinstance(balls, KernelWeights)
        for exact, near in zip(field.values, balls.values, strict=True):
            assert abs(exact - near) <= field.error + balls.error
    else:
        phi, _ = powers(space, level)
        shares = [x / k for x, k in zip(field.separation, kernel.sizes.tolist(), strict=True)]
        u = [shares[k] for k in kernel.orbit.tolist()]
        assert sum(u) < 0
        assert all(sum((x * a for x, a in zip(u, row, strict=True)), row[0] * 0).sign > 0
                   for row in phi)


def test_a_center_weight_of_a_tree_is_exactly_zero():
    # 1 - 3 q/(1 + q) = 0 at q = 1/2
    space = star(3)
    assert solve(space, Level.ratio(2)).each[0] == 0
    assert solve(space, Level.parse("ln(4)/2")).each[0] == 0
    assert isinstance(solve(space, Level.parse("ln(3)/2")), NoWeights)


def test_a_prior_on_the_edge_of_the_regular_ones_is_regular_at_a_root():
    # on two values the corner is (1, q)/(1 + q): (2/3, 1/3) is regular from e^ε = 2 on
    edge = Prior.of(["2/3", "1/3"])
    assert isinstance(regularity(complete(2), Level.parse("ln(4)/2"), edge), Regular)
    assert isinstance(regularity(complete(2), Level.parse("ln(3)/2"), edge), Irregular)


def test_singular_equations_have_their_non_negative_solution_or_a_proof_of_none():
    field = RadicalField(F(2), 2, F(1))
    root = Radical(field, (F(0), F(1)))
    one, two = field.number(1), field.number(2)
    singular = [[one, root], [root, two]]  # the second row is √2 times the first
    assert solve_radical(singular, [one, root]) is None
    found, _ = nonnegative_radical(singular, [one, root])
    assert [x.sign >= 0 for x in found] == [True, True]
    assert (found[0] + root * found[1] - 1).sign == 0
    none, u = nonnegative_radical(singular, [one, one])
    assert none is None
    assert (u[0] + u[1]).sign < 0
    assert all((u[0] * row + u[1] * below).sign >= 0 for row, below in zip(*singular, strict=True))


def test_a_weight_of_zero_at_a_root_is_no_negative_weight():
    # a triangle 0, 1, 2 and a point 3 beside 2, at e^ε = √2: a = (√2 - 1)/4 and b = (2 - √2)/4
    # solve a (1 + x) + b x² = 1/4, x (2 a + b) = 1/4 and a + b = 1/4 for x = 1/√2
    table = [[0, 1, 1, 2], [1, 0, 1, 2], [1, 1, 0, 1], [2, 2, 1, 0]]
    found = regularity(matrix(range(4), table), Level.parse("ln(2)/2"))
    assert isinstance(found, Regular)
    assert found.coefficients.each[2] == 0
    ends = [(2**0.5 - 1) / 4] * 2 + [0, (2 - 2**0.5) / 4]
    assert found.floats.tolist() == pytest.approx(ends)
