"""Exact optima from rays equal those of a simplex method that was written apart."""

import random
from fractions import Fraction

import pytest
from flint import fmpq

from tests.crosschecks.plain_simplex import plain_optimum
from tightrope.lp import rational_program, vertex_by_rays


def program_of(seed, worst, ratio):
    """Costs or losses at random on a path, a cycle or a complete graph."""
    source = random.Random(seed)
    size, width = source.choice((3, 4)), source.choice((2, 3))
    links = source.choice((
        [(a, a + 1) for a in range(size - 1)], [(a, (a + 1) % size) for a in range(size)],
        [(a, b) for a in range(size) for b in range(a)]))
    pairs = [*links, *((b, a) for a, b in links)]
    losses = [[source.randrange(0, 8) for _ in range(width)] for _ in range(size)]
    arcs = [(a, b, fmpq(ratio.denominator, ratio.numerator)) for a, b in pairs]
    columns = [[fmpq(losses[y][z]) for y in range(size)] for z in range(width)]
    none = [[fmpq(0)] * size for _ in range(width)]
    program = rational_program(size, arcs, none, columns) if worst else rational_program(
        size, arcs, columns)
    expected, _ = plain_optimum(dict.fromkeys(pairs, 1), ratio, losses,
                                None if worst else [Fraction(1)] * size)
    return program, expected


@pytest.mark.parametrize("worst", [False, True])
@pytest.mark.parametrize("ratio", [Fraction(101, 100), Fraction(2), Fraction(1000)], ids=str)
def test_rays_lead_to_the_optimum(worst, ratio):
    for seed in range(15):
        program, expected = program_of(seed, worst, ratio)
        vertex = vertex_by_rays(program)
        assert Fraction(int(vertex.value.p), int(vertex.value.q)) == expected
        assert vertex.dual.pays(program)
        assert vertex.primal.value(program.objective, fmpq(0)) == vertex.value
        assert all(vertex.primal.slack(program, c) >= 0 for c in program.constraints())


@pytest.mark.parametrize("wrong", ["price", "multiplier", "sign"])
def test_multipliers_that_do_not_write_the_objective_do_not_pay(wrong):
    program, _ = program_of(1, True, Fraction(2))
    dual = vertex_by_rays(program).dual
    first = next(c for c, amount in dual.multipliers.items() if amount)
    if wrong == "price":
        dual.prices[0] += 1
    elif wrong == "multiplier":
        dual.multipliers[first] += 1
    else:
        dual.multipliers[first] *= -1
    assert not dual.pays(program)


def test_inputs_that_no_arc_joins_have_no_rays():
    one = fmpq(1)
    assert vertex_by_rays(rational_program(2, [], [[one, one], [one, one]])) is None
