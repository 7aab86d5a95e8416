"""Exact optima from rays equal those of a simplex method that was written apart."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import fmpq

from tests.crosschecks.plain_simplex import plain_optimum
from tightrope.lp import rational_program, vertex_by_rays
from tightrope.lp.cone_basis import Primal
from tightrope.lp.ray_master import RayMaster


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


def test_a_negative_multiplier_does_not_pay_even_where_all_write_the_objective():
    """x_a - s x_b and s times x_b - s x_a add up to (1 - s²) x_a: a combination that is nothing."""
    program, _ = program_of(1, True, Fraction(2))
    dual = vertex_by_rays(program).dual
    arcs = {(a, b): (e, share) for e, (a, b, share) in enumerate(program.arcs)}
    (a, b), (first, s) = next((pair, arc) for pair, arc in arcs.items() if pair[1] >= 0)
    sign = next(e for (x, y), (e, _) in arcs.items() if x == a and y < 0)
    assert dual.pays(program)
    for e, amount in ((first, fmpq(-9)), (arcs[b, a][0], -9 * s), (sign, 9 * (1 - s * s))):
        dual.multipliers[0, e] = dual.multipliers.get((0, e), fmpq(0)) + amount
    assert not dual.pays(program)
    dual.multipliers[0, sign] += 1
    assert not dual.pays(program)


def forged(monkeypatch, program, change):
    """The vertex of a program if fractions find other sides than the right ones."""
    true = RayMaster.exact_sides
    monkeypatch.setattr(RayMaster, "exact_sides",
                        lambda master, keys: change(*true(master, keys)))
    return vertex_by_rays(program)


def test_sides_that_prove_no_optimum_are_not_a_vertex(monkeypatch):
    program, best = program_of(3, True, Fraction(2))
    assert forged(monkeypatch, program, lambda primal, dual: (primal, dual)) is not None
    share = fmpq(1, program.width)
    even = [[share] * program.size for _ in range(program.width)]  # feasible, but not the best
    most = max(sum(share * losses[y] for losses in program.losses) for y in range(program.size))
    assert most > fmpq(best.numerator, best.denominator)
    changes = [
        lambda _, dual: (Primal(even, most), dual),
        lambda primal, dual: (primal, replace(dual, prices=[p + 1 for p in dual.prices])),
        lambda primal, dual: (replace(primal, columns=[[2 * x for x in column]
                                                       for column in primal.columns]), dual)]
    for change in changes:
        with monkeypatch.context() as once:
            assert forged(once, program, change) is None


def test_a_solution_outside_the_cone_is_not_a_vertex(monkeypatch):
    """All answers cost the same: no multiplier is paid, and only feasibility is left to check."""
    one = fmpq(1)
    arcs = [(0, 1, fmpq(1, 2)), (1, 0, fmpq(1, 2))]
    program = rational_program(2, arcs, [[one, one], [one, one]])
    outside = [[fmpq(2), fmpq(2)], [fmpq(-1), fmpq(-1)]]
    with monkeypatch.context() as once:
        assert forged(once, program, lambda primal, dual: (
            Primal(outside, primal.last), dual)) is None
    assert vertex_by_rays(program).value == 2


def test_inputs_that_no_arc_joins_have_no_rays():
    one = fmpq(1)
    assert vertex_by_rays(rational_program(2, [], [[one, one], [one, one]])) is None
