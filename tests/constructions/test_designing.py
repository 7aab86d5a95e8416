"""`design` and `compare`: the smallest loss among what applies, certified, or a clear no."""

from fractions import Fraction

import numpy as np
import pytest

from tests.privacy.brute import has_level, lengths_of
from tightrope.choices import Goal
from tightrope.constructions import CATALOG, compare, design
from tightrope.errors import BadInput, BadLevel, BadMatrix, Infeasible, Refused, TooLarge
from tightrope.exact import Level
from tightrope.spaces import categories, grid, hamming, path, star
from tightrope.utility import LossMatrix, Prior, Solution, absolute, binary, squared, uniform

NAMES = [entry.name for entry in CATALOG]


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize(
    ("space", "loss"),
    [(path(0, 4), absolute), (path(0, 4), binary), (path(0, 1), squared), (categories(4), binary),
     (star(3), binary), (grid((2, 2)), absolute)],
    ids=str,
)
def test_the_design_is_the_best_row_of_the_comparison(space, loss, goal):
    level = Level.ratio(2)
    rows = compare(space, level, loss=loss, goal=goal).rows
    assert [row.construction for row in rows] == NAMES
    applied = [row for row in rows if row.solution is not None]
    best = design(space, level, loss=loss, goal=goal)
    assert isinstance(best, Solution)
    assert best.value == pytest.approx(min(row.solution.value for row in applied), rel=1e-6)
    for row in applied:
        solution = row.solution
        assert solution.construction == row.construction
        assert solution.value >= 0
        assert solution.certified.certificate.level == level
        if goal is Goal.AVERAGE:
            assert solution.bound <= best.value <= solution.value * (1 + 1e-6)
            assert solution.gap == pytest.approx(1 - solution.bound / solution.value)
    for row in rows:
        assert row.reason
    mechanism = best.certified.mechanism
    if hasattr(mechanism, "row_at"):
        law = [mechanism.row_at(i) for i in range(space.size)]
        assert has_level(law, lengths_of(space), level)


def test_the_first_example_of_the_design():
    solution = design(path(0, 2), Level.ratio(2), loss=absolute)
    assert solution.construction == "geometric"
    mechanism = solution.certified.mechanism
    assert mechanism.row_at(0) == (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))
    # (1/6 + 2/6) + (1/3 + 1/3) + (2/6 + 1/6), over three inputs
    assert solution.value == pytest.approx(float(Fraction(5, 9)), rel=1e-15)
    assert solution.certified.certificate.smallest.exact == Level.ratio(2)


def test_the_worst_goal_is_the_largest_loss_of_an_input():
    average = design(path(0, 2), Level.ratio(2), loss=absolute, construction="geometric")
    worst = design(path(0, 2), Level.ratio(2), loss=absolute, construction="geometric",
                   goal=Goal.WORST)
    assert average.value == pytest.approx(5 / 9)
    assert worst.value == pytest.approx(2 / 3)


def test_a_prior_on_one_input_counts_that_input_alone():
    found = design(path(0, 2), Level.ratio(2), prior=Prior.of([0, 1, 0]), loss=absolute,
                   construction="geometric")
    assert found.value == pytest.approx(2 / 3)


def test_a_construction_asked_for_by_name_exists_or_not():
    assert design(categories(3), Level.ratio(2), construction="exponential").construction == (
        "exponential"
    )
    for space, name in ((categories(3), "geometric"), (path(0, 4), "randomized-response"),
                        (star(3), "two-sided-geometric")):
        with pytest.raises(Infeasible) as caught:
            design(space, Level.ratio(2), construction=name)
        assert name in str(caught.value)
        assert space.text in str(caught.value)
    with pytest.raises(BadInput) as unknown:
        design(path(0, 4), Level.ratio(2), construction="laplace")
    assert all(name in str(unknown.value) for name in NAMES)


def test_a_prior_or_loss_of_the_wrong_size_is_refused():
    with pytest.raises(BadMatrix):
        design(path(0, 2), Level.ratio(2), prior=Prior.of([0.5, 0.5]), loss=absolute)
    with pytest.raises(BadMatrix):
        design(path(0, 2), Level.ratio(2), loss=LossMatrix(np.zeros((2, 2))),
               construction="geometric")


def test_a_loss_without_coordinates_is_refused():
    with pytest.raises(BadInput):
        design(categories(3), Level.ratio(2), loss=absolute)


def test_a_space_too_large_for_every_construction_says_so():
    with pytest.raises(BadInput) as caught:
        design(hamming(values=10, people=9), Level.epsilon("0.5"))
    assert not isinstance(caught.value, BadMatrix)
    with pytest.raises((Infeasible, TooLarge)):
        design(hamming(values=10, people=9), Level.epsilon("0.5"), construction="exponential")


@pytest.mark.parametrize("delta", ["0.1", "1e-6"])
def test_a_level_with_delta_is_met_by_a_pure_mechanism(delta):
    level = Level.ratio(2, delta=delta)
    for space, name in ((path(0, 3), None), (categories(3), None), (path(0, 70), "geometric"),
                        (categories(70), "randomized-response")):
        solution = design(space, level, loss=binary, prior=uniform, construction=name)
        assert solution.certified.certificate.level == level
    with pytest.raises(Refused):
        design(grid((2, 2)), Level.ratio(2, delta=delta), loss=binary)


@pytest.mark.parametrize("epsilon", ["1e-3", "1e-6", "1e-9", "1e-12", "1e-15", "1e-40", "1e-200"])
@pytest.mark.parametrize("space", [path(0, 3), categories(3)], ids=lambda space: space.text)
def test_small_levels_are_designed_or_refused_as_levels(space, epsilon):
    level = Level.epsilon(epsilon)
    for name in NAMES:
        try:
            solution = design(space, level, loss=binary, construction=name)
        except (Infeasible, BadLevel):
            continue
        assert solution.certified.certificate.level == level


@pytest.mark.parametrize("epsilon", ["50", "800", "5000", "20000"])
def test_large_levels_are_designed_and_private(epsilon):
    level = Level.epsilon(epsilon)
    for space in (path(0, 3), categories(3)):
        solution = design(space, level, loss=binary)
        mechanism = solution.certified.mechanism
        rows = [mechanism.row_at(i) for i in range(space.size)]
        assert all(p > 0 for law in rows for p in law)
        assert has_level(rows, lengths_of(space), level)


def test_beyond_the_range_of_the_solver_is_too_large_and_not_absent():
    for level, told in (
        (Level.epsilon(400), "ε times the diameter is 800, more than"),
        (Level.epsilon(400, delta="0.01"), "ε times the distance of neighbors is 1,200, more than"),
    ):
        with pytest.raises(TooLarge, match=told):
            design(path(0, 2), level, loss=absolute, construction="optimal")


@pytest.mark.slow
def test_two_hundred_values_have_a_theorem_and_a_checked_bound():
    found = design(path(0, 199), Level.epsilon("0.5"), loss=absolute)
    assert found.theorem
    assert found.value == pytest.approx(1.8912780935667864, rel=1e-6)  # an interior-point peer
    assert found.gap <= 1e-6
    assert found.dual is not None


def test_a_comparison_tells_every_row_and_seeks_the_optimum_last():
    told = []
    found = compare(path(0, 4), Level.ratio(2), loss=absolute, told=told.append)
    assert told[-1].construction == "optimal"
    assert {row.construction for row in told} == {row.construction for row in found.rows}
    assert [row.construction for row in found.rows] == [entry.name for entry in CATALOG]


def test_a_level_too_small_for_one_construction_leaves_the_others():
    found = compare("complete:4", "1e-30")
    reasons = {row.construction: row.reason for row in found.rows if row.solution is None}
    assert "expected a level of at least" in reasons["exponential"]
    assert found.solutions[0].construction == "randomized-response"


def test_a_design_does_not_fall_back_on_what_a_tiny_level_leaves():
    with pytest.raises(BadLevel, match=r"at least 2\.8e-17 per step here, found ε = 1e-30"):
        design("path:0..2", "1e-30")
    found = compare("path:0..2", "1e-30", loss="absolute")
    assert [s.construction for s in found.solutions] == ["two-sided-geometric"]
    assert found.bound is None
