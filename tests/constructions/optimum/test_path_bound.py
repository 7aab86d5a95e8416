"""The bound beside the path theorem: exact programs, linear programs, long paths."""

import random
from fractions import Fraction

import numpy as np
import pytest

from tests.crosschecks.exact_programs import exact_optimum
from tightrope.constructions import design, min_loss_given_level
from tightrope.constructions.optimum.path_bound import path_bound
from tightrope.exact import Level
from tightrope.spaces import path
from tightrope.utility import LossMatrix, Prior, Problem, absolute, binary, squared, uniform


def monotone(source, size):
    """Losses of each input that grow with the distance of the answer, steps of zero included."""
    rows = []
    for y in range(size):
        by_distance = [source.randint(0, 3)]
        while len(by_distance) < size:
            by_distance.append(by_distance[-1] + source.choice([0, 0, 1, 5]))
        rows.append([Fraction(by_distance[abs(y - z)]) for z in range(size)])
    return rows


def some_prior(source, size):
    raw = [source.choice([0, 1, 3, 50]) for _ in range(size)]
    raw[source.randrange(size)] += 1
    return [Fraction(x, sum(raw)) for x in raw]


def lines(size):
    return [[abs(y - z) for z in range(size)] for y in range(size)]


@pytest.mark.parametrize("seed", range(24))
def test_the_bound_is_the_optimum_of_an_exact_program_where_losses_grow(seed):
    source = random.Random(seed)
    size = source.randint(2, 6)
    prior, losses = some_prior(source, size), monotone(source, size)
    ratio = source.choice([Fraction(2), Fraction(3, 2), Fraction(7), Fraction(101, 100)])
    found = path_bound(Problem(path(0, size - 1), Level.ratio(ratio), prior, losses))
    best = exact_optimum(lines(size), ratio, prior, losses)
    assert best - Fraction(1, 10**9) <= found.bound <= best


@pytest.mark.parametrize("seed", range(16))
def test_the_bound_is_never_above_the_optimum_of_any_loss(seed):
    source = random.Random(1000 + seed)
    size = source.randint(2, 5)
    prior = some_prior(source, size)
    losses = [[Fraction(source.randint(-9, 9)) for _ in range(size)] for _ in range(size)]
    ratio = source.choice([Fraction(2), Fraction(5, 4), Fraction(9)])
    found = path_bound(Problem(path(3, size + 2), Level.ratio(ratio), prior, losses))
    assert found.bound <= exact_optimum(lines(size), ratio, prior, losses)


@pytest.mark.parametrize("epsilon", ["0.001", "0.1", "1", "5"])
@pytest.mark.parametrize("loss", [absolute, squared, binary], ids=lambda loss: loss.name)
def test_theorem_bound_and_solver_agree(epsilon, loss):
    space, level = path(-3, 20), Level.epsilon(epsilon)
    theorem = design(space, level, loss=loss, construction="remapped-geometric")
    solver = min_loss_given_level(space, level, loss=loss)
    assert theorem.gap < 1e-8
    assert solver.gap < 1e-6
    assert theorem.bound <= solver.value
    assert solver.bound <= theorem.value


@pytest.mark.parametrize("epsilon", ["0.00001", "20", "30", "42", "50"])
@pytest.mark.parametrize("prior", [uniform, Prior.of([0, 0, 0, "0.25", 0, "0.75", 0, 0])])
def test_losses_of_any_size_are_proved_to_one_millionth(epsilon, prior):
    found = design(path(0, 7), Level.epsilon(epsilon), prior=prior, loss=squared)
    assert 0 <= found.gap < 1e-6


@pytest.mark.parametrize("certain", [0, 2, 5])
@pytest.mark.parametrize("scale", [1.0, 1e9, 1e100])
def test_a_prior_that_knows_the_answer_loses_nothing_and_the_bound_says_so(certain, scale):
    prior = Prior(tuple(Fraction(y == certain) for y in range(6)))
    losses = LossMatrix(scale * np.array(lines(6), dtype=np.float64))
    found = path_bound(Problem(path(0, 5), "0.5", prior, losses))
    assert -scale / 10**25 <= found.bound <= 0


def test_long_paths_are_proved_without_a_solver():
    found = design(path(0, 599), Level.epsilon("0.5"), loss=absolute)
    assert found.theorem is not None
    assert found.gap < 1e-9
    assert found.dual is None  # too long for a document that is checked in a second
    assert design(path(0, 299), Level.epsilon("0.5"), loss=absolute).dual is not None


def test_what_doubles_cannot_hold_has_no_bound():
    steep = Level.epsilon(5000)
    assert path_bound(Problem(path(0, 3), steep)) is None
    assert design(path(0, 3), steep, loss=absolute).value is not None
