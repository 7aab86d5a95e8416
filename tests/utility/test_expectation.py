"""Expected and worst-case loss against sums of fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.privacy.brute import laws, tables_of_weights
from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    NoiseMechanism,
    TableMechanism,
)
from tightrope.spaces import categories, cycle, grid, path
from tightrope.utility import (
    LossMatrix,
    Prior,
    absolute,
    binary,
    euclidean,
    expected_loss,
    squared,
    uniform,
    worst_loss,
)
from tightrope.utility.expectation import losses_by_input, probabilities

NAMED = {
    "binary": (binary, lambda y, z: int(y != z)),
    "absolute": (absolute, lambda y, z: abs(y - z)),
    "squared": (squared, lambda y, z: (y - z) ** 2),
    "euclidean": (euclidean, lambda y, z: abs(y - z)),
}


def by_definition(rows, inputs, outputs, cost):
    return [
        sum((p * cost(y, z) for z, p in zip(outputs, law, strict=True)), Fraction(0))
        for y, law in zip(inputs, rows, strict=True)
    ]


@pytest.mark.parametrize("name", NAMED)
@settings(derandomize=True, deadline=None, max_examples=25)
@given(data=st.data())
def test_losses_on_a_path_are_sums_of_fractions(name, data):
    loss, cost = NAMED[name]
    outputs = data.draw(st.sampled_from([(-1, 0, 1, 2), (0, 2), (-1, 5, 7), (2,)]))
    integers = data.draw(tables_of_weights(4, len(outputs), zeros=True))
    space = path(-1, 2)
    mechanism = MatrixMechanism(space, outputs, Weights.from_integers(integers))
    found = by_definition(laws(integers), range(-1, 3), outputs, cost)
    assert losses_by_input(mechanism, loss=loss) == pytest.approx([float(x) for x in found],
                                                                  rel=1e-13, abs=1e-15)
    assert worst_loss(mechanism, loss=loss) == pytest.approx(float(max(found)), rel=1e-13,
                                                             abs=1e-15)
    parts = data.draw(st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any))
    prior = [Fraction(part, sum(parts)) for part in parts]
    exact = sum((p * x for p, x in zip(prior, found, strict=True)), Fraction(0))
    assert expected_loss(mechanism, prior=Prior.of(prior), loss=loss) == pytest.approx(
        float(exact), rel=1e-13, abs=1e-15
    )
    mean = sum(found) / 4
    assert expected_loss(mechanism, prior=uniform, loss=loss) == pytest.approx(
        float(mean), rel=1e-13, abs=1e-15
    )


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.data())
def test_the_binary_loss_of_a_kernel_needs_no_matrix_and_agrees_with_one(data):
    space = data.draw(st.sampled_from([path(0, 3), categories(4), cycle(4)]))
    weights = tuple(data.draw(st.fractions(min_value=Fraction(1, 9), max_value=3,
                                           max_denominator=9)) for _ in range(4))
    ratio = 1 + data.draw(st.fractions(min_value=Fraction(1, 9), max_value=3, max_denominator=9))
    kernel = KernelMechanism(space, ratio, Fraction(1), weights)
    found = [float(1 - kernel.row_at(i)[i]) for i in range(4)]
    assert losses_by_input(kernel, loss=binary) == pytest.approx(found, rel=1e-13)
    assert losses_by_input(kernel.matrix(), loss=binary) == pytest.approx(found, rel=1e-13)
    assert losses_by_input(TableMechanism(kernel, 9), loss=binary) == pytest.approx(found,
                                                                                    rel=1e-13)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.fractions(min_value=Fraction(6, 5), max_value=9, max_denominator=10))
def test_the_losses_of_integer_noise_are_its_moments(q):
    noise = NoiseMechanism(path(0, 9), q)
    steady, reach = (q - 1) / (q + 1), 400
    chances = {k: float(steady * q**-k) for k in range(reach)}
    moments = {
        "binary": 1 - chances[0],
        "absolute": sum(2 * k * p for k, p in chances.items()),
        "squared": sum(2 * k * k * p for k, p in chances.items()),
    }
    moments["euclidean"] = moments["absolute"]
    for name, expected in moments.items():
        loss, _ = NAMED[name]
        assert expected_loss(noise, prior=uniform, loss=loss) == pytest.approx(expected, rel=1e-9)
        assert worst_loss(noise, loss=loss) == pytest.approx(expected, rel=1e-9)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.data())
def test_a_given_loss_is_taken_as_it_is(data):
    integers = data.draw(tables_of_weights(3, 2, zeros=True))
    costs = [[data.draw(st.integers(-5, 5)) for _ in range(2)] for _ in range(3)]
    mechanism = MatrixMechanism(categories(3), ("x", "y"), Weights.from_integers(integers))
    found = [sum(p * c for p, c in zip(law, line, strict=True))
             for law, line in zip(laws(integers), costs, strict=True)]
    loss = LossMatrix(np.array(costs, dtype=float))
    assert losses_by_input(mechanism, loss=loss) == pytest.approx([float(x) for x in found],
                                                                  rel=1e-12, abs=1e-14)


def test_losses_on_a_grid_use_cell_times_step():
    space = grid((2, 2), "1/2")
    first = absolute.matrix(space, space.points)
    assert first[0].tolist() == [0, 0.5, 0.5, 1]
    assert squared.matrix(space, space.points)[0].tolist() == [0, 0.25, 0.25, 0.5]
    assert euclidean.matrix(space, space.points)[0] == pytest.approx([0, 0.5, 0.5, 0.5**0.5])


def test_what_has_no_coordinates_has_no_distance_to_lose():
    for loss in (absolute, squared, euclidean):
        with pytest.raises(BadInput):
            loss.matrix(categories(["a", "b"]), ("a", "b"))
        with pytest.raises(BadInput):
            loss.matrix(path(0, 1), ("low", "high"))
    with pytest.raises(BadInput):
        expected_loss(NoiseMechanism(path(0, 1), Fraction(2)), prior=uniform,
                      loss=LossMatrix(np.zeros((2, 2))))


def test_a_loss_or_prior_of_the_wrong_size_is_refused():
    mechanism = MatrixMechanism(path(0, 1), (0, 1), Weights.from_integers([[1, 1], [1, 1]]))
    for values in (np.zeros((3, 2)), np.array([[0.0, np.nan], [0, 0]]), np.zeros((2, 3))):
        with pytest.raises(BadMatrix):
            losses_by_input(mechanism, loss=LossMatrix(values))
    with pytest.raises(BadMatrix):
        expected_loss(mechanism, prior=Prior.of([1, 0, 0]), loss=binary)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.data())
def test_probabilities_as_doubles_are_those_of_the_rows(data):
    integers = data.draw(tables_of_weights(3, 3, zeros=True))
    mechanism = MatrixMechanism(path(0, 2), (0, 1, 2), Weights.from_integers(integers))
    exact = np.array([[float(p) for p in law] for law in laws(integers)])
    assert np.abs(probabilities(mechanism) - exact).max() <= 2**-50
