"""The exact simplex over copies of a cone: from any basis it ends in the same optimum."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from tests.crosschecks.plain_simplex import plain_optimum
from tightrope.errors import SolverFailed
from tightrope.lp import exact_vertex, rational_program
from tightrope.lp.exact_cones import _Simplex, always_first
from tightrope.lp.proposed_basis import propose_basis


def program_of(seed, worst):
    source = random.Random(seed)
    size, width = source.choice((3, 4)), source.choice((2, 3))
    ring = [(a, (a + 1) % size) for a in range(size)]
    pairs = [*ring, *((b, a) for a, b in ring)]
    losses = [[source.randrange(0, 8) for _ in range(width)] for _ in range(size)]
    arcs = [(a, b, fmpq(1, 2)) for a, b in pairs]
    columns = [[fmpq(losses[y][z]) for y in range(size)] for z in range(width)]
    none = [[fmpq(0)] * size for _ in range(width)]
    program = rational_program(size, arcs, none, columns) if worst else rational_program(
        size, arcs, columns)
    expected, _ = plain_optimum(dict.fromkeys(pairs, 1), Fraction(2), losses,
                                None if worst else [Fraction(1)] * size)
    return program, expected


def value_of(vertex):
    return Fraction(int(vertex.value.p), int(vertex.value.q))


@pytest.mark.parametrize("worst", [False, True])
def test_without_a_proposal_primal_steps_reach_the_optimum(worst):
    steps = 0
    for seed in range(25):
        program, expected = program_of(seed, worst)
        vertex = exact_vertex(program)
        assert value_of(vertex) == expected
        steps += vertex.steps
    assert steps > 25


@pytest.mark.parametrize("worst", [False, True])
def test_from_a_basis_that_is_wrong_on_both_sides_it_is_mended(worst):
    steps = 0
    for seed in range(25):
        program, expected = program_of(seed, worst)
        source = random.Random(seed)
        other = [[fmpq(source.randrange(-5, 9)) for _ in column] for column in program.costs]
        astray = rational_program(program.size, [(*arc[:2], fmpq(1, 9)) for arc in program.arcs
                                                 if arc[1] >= 0], other)
        proposal = propose_basis(astray, np.ones((program.width, program.size)), 10.0)
        tight = exact_vertex(astray, proposal).basis.tight
        if worst:
            tight = [*tight, (-1, 0)]
        vertex = exact_vertex(program, tight)
        assert value_of(vertex) == expected
        steps += vertex.steps
    assert steps > 25


def test_a_proposal_that_is_no_basis_is_left_aside():
    program, expected = program_of(1, False)
    assert value_of(exact_vertex(program, [(0, 0)])) == expected


@pytest.mark.parametrize("worst", [False, True])
def test_a_basis_that_is_not_optimal_does_not_pass_for_one(worst):
    program, expected = program_of(3, worst)
    state = _Simplex(program, lambda: None)
    assert state.enter(always_first(program))
    assert state.primal.value(program.objective, program.zero) > fmpq(*expected.as_integer_ratio())
    with pytest.raises(SolverFailed, match="did not pass its check"):
        state.vertex()


@pytest.mark.parametrize("part", ["slacks", "sums", "value"])
def test_a_vertex_with_any_wrong_side_does_not_pass(part):
    """Each of the three checks alone refuses what the other two let through."""
    program, _ = program_of(3, False)
    state = _Simplex(program, lambda: None)
    assert state.enter(always_first(program))
    state.mend()
    assert state.vertex().value is not None
    if part == "slacks":
        state.slacks[next(iter(state.slacks))] = fmpq(-1)
    elif part == "sums":  # half of everything, with half of the prices
        state.primal = replace(state.primal, columns=[
            [entry / 2 for entry in column] for column in state.primal.columns])
        state.dual = replace(state.dual, prices=[price / 2 for price in state.dual.prices])
    else:
        state.dual = replace(state.dual, prices=[price / 2 for price in state.dual.prices])
    with pytest.raises(SolverFailed, match="did not pass its check"):
        state.vertex()
