"""Tight-constraints mechanisms on grids: against dense solves, rows written out, and LP bounds."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.constructions import design, min_loss_given_level
from tightrope.constructions.tight.large_grids import tight_on_grid
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.files import read_document, save
from tightrope.kernels.grids import grid_floats, least_eigenvalue, proved_weights
from tightrope.mechanisms import KernelMechanism
from tightrope.spaces import grid
from tightrope.utility import Problem, absolute, binary, euclidean, expected_loss, squared, uniform

SHAPES = [((7, 7), "1", 1), ((5, 8), "0.9", 1), ((9, 9), "3", "1/2"), ((3, 4, 3), "1.3", 1),
          ((1, 6), "0.4", 1), ((12, 12), "0.5", 1), ((2, 2, 2, 2), "2", 1)]


def phi(space, epsilon):
    every = np.arange(space.size)
    return np.exp(-epsilon * space.lengths(every[:, None], every[None, :]))


@pytest.mark.parametrize(("shape", "epsilon", "step"), SHAPES)
def test_weights_solve_the_equation_within_the_proved_error(shape, epsilon, step):
    space, level = grid(shape, step), Level.epsilon(epsilon)
    floats = grid_floats(space, float(level) * float(space.least_distance))
    found = proved_weights(space, level, floats)
    dense = np.linalg.solve(phi(space, float(level)), np.ones(space.size))
    weights = found.integers / found.scale
    assert np.linalg.norm(weights - dense) <= float(found.error) + 1e-12
    assert float(found.error) < 1e-9
    exact = phi(space, float(level)) @ weights * found.scale
    lows = np.array([float(low) for low in found.sums.lows]) / 2.0**61
    assert np.allclose(lows, exact, rtol=1e-12, atol=0)


@pytest.mark.parametrize(("shape", "epsilon", "step"), SHAPES)
def test_no_eigenvalue_lies_below_the_bound_from_the_fourier_transform(shape, epsilon, step):
    space = grid(shape, step)
    axes = sum(side > 1 for side in shape)
    rate = float(epsilon) * float(space.least_distance)
    bound = float(least_eigenvalue(rate, axes).mid())
    smallest = np.linalg.eigvalsh(phi(space, float(epsilon)))[0]
    assert 0 < bound <= smallest


@pytest.mark.parametrize(
    ("shape", "epsilon"), [((5, 5), "0.5"), ((8, 8), "0.6"), ((12, 12), "0.66"), ((4, 4, 4), "0.7")]
)
def test_a_negative_weight_is_refused_with_its_cell(shape, epsilon):
    space = grid(shape)
    dense = np.linalg.solve(phi(space, float(epsilon)), np.ones(space.size))
    assert dense.min() < 0
    with pytest.raises(Infeasible) as caught:
        tight_on_grid(Problem(space, Level.epsilon(epsilon), loss=binary))
    worst = [space.points[k] for k in np.flatnonzero(dense < dense.min() + 1e-12)]
    assert any(f"at the point {cell}" in str(caught.value) for cell in worst)


def test_value_and_bound_enclose_the_optimum_of_the_linear_program():
    space, level = grid((4, 4)), Level.epsilon(1)
    found = tight_on_grid(Problem(space, level, loss=binary))
    program = min_loss_given_level(space, level, prior=uniform, loss=binary)
    assert found.bound <= program.value + 1e-12
    assert program.bound <= found.value
    assert found.gap < 1e-10


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_losses_of_the_kernel_are_those_of_its_rows(metric):
    space = grid((6, 5), "1/2", metric)
    kernel = tight_on_grid(Problem(space, 3, loss=binary)).certified.mechanism
    rows = kernel.matrix()
    for loss in (binary, absolute, squared, euclidean):
        near = expected_loss(kernel, prior=uniform, loss=loss)
        assert near == pytest.approx(expected_loss(rows, prior=uniform, loss=loss), rel=1e-12)


def test_large_grids_are_designed_as_kernels_and_proved_optimal():
    level = Level.epsilon("0.8")
    for space in (grid((40, 50)), grid((9, 8, 10), "2"), grid((80, 80), metric="manhattan")):
        found = design(space, level, loss=binary)
        assert found.construction == "tight"
        assert isinstance(found.certified.mechanism, KernelMechanism)
        assert found.certified.mechanism.rounded
        assert found.gap < 1e-9
        assert found.certified.certificate.level == level


def test_on_a_manhattan_grid_the_gain_is_that_of_the_path_to_the_power():
    found = design(grid((90, 80), metric="manhattan"), Level.ratio(2), loss=binary)
    # (2 + (n - 2)(1 - α)) / (1 + α) is the gain of the path times n, with α = 1/2
    gain = Fraction(1)
    for side in (90, 80):
        gain *= (2 + Fraction(side - 2, 2)) / Fraction(3, 2) / side
    assert 1 - found.value == pytest.approx(float(gain), rel=1e-9)
    assert 1 - found.bound >= float(gain) * (1 - 1e-12)


def test_plain_design_goes_on_where_no_tight_mechanism_exists():
    with pytest.raises(Infeasible):
        design(grid((25, 25)), Level.epsilon("0.3"), loss=binary, construction="tight")


def test_a_grid_of_400_cells_is_a_kernel_whose_optimality_travels(tmp_path):
    found = design(grid((20, 20)), 1, loss=binary, construction="tight")
    assert isinstance(found.certified.mechanism, KernelMechanism)
    assert found.gap < 1e-10
    assert "dual" not in vars(found)  # worked out when it is asked for
    assert float(found.dual.bound) == pytest.approx(found.bound, rel=1e-10)
    save(found, tmp_path / "m.json")
    claim = read_document(tmp_path / "m.json").optimality
    assert claim.bound <= found.value <= claim.value
    assert claim.gap < 1e-10
