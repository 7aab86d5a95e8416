"""The best Dobrushin coefficient: closed form, exact program, and who attains it."""

from fractions import Fraction
from itertools import combinations

import pytest

from tightrope.constructions import truncated_geometric
from tightrope.errors import BadInput, Infeasible
from tightrope.exact import Level
from tightrope.lp import RationalProgram, minimize_exactly
from tightrope.privacy import verify
from tightrope.spaces import cycle, matrix, parse, path, star
from tightrope.theory import least_overlap
from tightrope.utility import dobrushin, dobrushin_optimum

F = Fraction
ZERO, ONE = F(0), F(1)
SPACES = [*(path(0, n) for n in range(1, 8)), *(cycle(n) for n in range(3, 9)),
          star(3), star(5), parse("grid:3x3,metric=manhattan")]


def least_by_program(space, ratio):
    """Least overlap of two inputs over all mechanisms, in exact fractions.

    Merging outputs by which of the two inputs makes them likelier keeps the overlap, so two
    outputs are enough: minimize m_j + (1 - m_k) with m and 1 - m in the cone.
    """
    n = space.size
    edges = [pair for i, j in space.edges() for pair in ((i, j), (j, i))]
    best = None
    for j, k in combinations(range(n), 2):
        # columns: m (n), 1 - m (n), slacks; rows: m + (1 - m) = 1, then r v_b - v_a - slack = 0
        columns = [[(y, ONE)] for y in range(n)] + [[(y, ONE)] for y in range(n)]
        row = n
        for side in (0, n):
            for a, b in edges:
                columns[side + b].append((row, F(ratio)))
                columns[side + a].append((row, -ONE))
                columns.append([(row, -ONE)])
                row += 1
        costs = [ZERO] * len(columns)
        costs[j], costs[n + k] = ONE, ONE
        # the constant 1/2 is feasible but no basis: start from an artificial one, at a price
        start = []
        for r in range(row):
            columns.append([(r, ONE)])
            costs.append(F(1000))
            start.append(len(columns) - 1)
        totals = [ONE] * n + [ZERO] * (row - n)
        value = minimize_exactly(RationalProgram(costs, columns, totals, start)).value
        best = value if best is None else min(best, value)
    return best


def steps(space):
    return int(space.diameter.rational)


def exact_coefficient(mechanism):
    rows = [mechanism.row_at(i) for i in range(mechanism.space.size)]
    return -min(sum(map(min, zip(p, q, strict=True))) for p, q in combinations(rows, 2))


@pytest.mark.slow
@pytest.mark.parametrize("space", SPACES, ids=lambda s: s.text)
def test_the_closed_form_is_the_optimum_of_the_exact_program(space):
    found = dobrushin_optimum(steps(space), Level.ratio(2))
    assert found[0] == found[1] == -least_by_program(space, 2)


@pytest.mark.parametrize("ratio", ["3/2", "2", "5"])
@pytest.mark.parametrize("space", SPACES, ids=lambda s: s.text)
def test_two_outputs_attain_the_optimum_on_every_relation(space, ratio):
    level = Level.ratio(ratio)
    mechanism = least_overlap(space, level)
    assert verify(mechanism, space, level).holds
    assert exact_coefficient(mechanism) == dobrushin_optimum(steps(space), level)[0]


@pytest.mark.parametrize("size", range(2, 10))
def test_the_geometric_mechanism_attains_it_on_paths(size):
    level = Level.ratio(3)
    mechanism = truncated_geometric(path(0, size - 1), level).mechanism
    assert exact_coefficient(mechanism) == dobrushin_optimum(size - 1, level)[0]


def test_an_irrational_ratio_gives_a_bracket():
    low, high = dobrushin_optimum(3, Level.epsilon("0.5"))
    assert low < high
    found = dobrushin(least_overlap(path(0, 3), Level.epsilon("0.5")))
    assert found == pytest.approx(float(low), abs=1e-12) == float(high)


def test_spaces_that_are_no_relation_are_refused():
    with pytest.raises(Infeasible):
        least_overlap(parse("grid:2x2"), Level.ratio(2))
    with pytest.raises(Infeasible):
        least_overlap(matrix("ab", [[0, 2], [2, 0]]), Level.ratio(2))
    with pytest.raises(BadInput):
        dobrushin_optimum(0, Level.ratio(2))
