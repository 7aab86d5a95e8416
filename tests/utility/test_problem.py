"""A question as one value: what it takes, what it refuses, what it works out once."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

from tightrope.choices import Goal
from tightrope.constructions import compare, design
from tightrope.errors import BadMatrix, TightropeError
from tightrope.exact import Level
from tightrope.spaces import grid, parse, path, points
from tightrope.symmetry import isometries
from tightrope.utility import (
    LOSSES,
    LossMatrix,
    Prior,
    Problem,
    binary,
    expected_loss,
    largest,
    squared,
    uniform,
)
from tightrope.utility import problem as question
from tightrope.utility.expectation import losses_by_input

LINE = path(0, 2)
LAW = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]


def test_text_and_numbers_become_the_values_that_they_name():
    asked = Problem("path:0..2", 0.1, "uniform", "squared", "worst", [0, 2])
    assert (asked.space, asked.level) == (LINE, Level.epsilon("1/10"))
    assert (asked.prior, asked.loss, asked.goal) == (uniform, squared, Goal.WORST)
    assert asked.outputs == asked.answers == (0, 2)
    assert asked.losses.tolist() == [[0, 4], [1, 1], [4, 0]]


@pytest.mark.parametrize("given", [
    LAW, ["1/2", "0.25", 0.25], np.array([0.5, 0.25, 0.25]), Prior(LAW),
    pd.Series([0.25, 0.25, 0.5], index=[2, 1, 0]),
], ids=["fractions", "texts", "array", "prior", "series"])
def test_a_prior_may_be_given_in_any_way(given):
    assert Problem(LINE, 1, given).prior == Prior(LAW)


ROWS = [[0, 1, 4], [2, 0, 2], [4, 1, 0]]


@pytest.mark.parametrize("given", [
    ROWS, np.array(ROWS), LossMatrix(ROWS), lambda x, z: (2 - x % 2) * 0 + ROWS[x][z],
    pd.DataFrame([row[::-1] for row in ROWS[::-1]], index=[2, 1, 0], columns=[2, 1, 0]),
], ids=["lists", "array", "matrix", "function", "frame"])
def test_a_loss_may_be_given_in_any_way(given):
    assert Problem(LINE, 1, loss=given).losses.tolist() == ROWS


def test_a_function_is_asked_for_every_input_and_output():
    asked = Problem("grid:2x2", 1, loss=lambda x, z: abs(x[0] - z[0]), outputs=[(0, 0), (1, 0)])
    assert asked.losses.tolist() == [[0, 1], [0, 1], [1, 0], [1, 0]]


@pytest.mark.parametrize(("change", "words"), [
    ({"space": "path:0.."}, "path"),
    ({"level": -1}, "level"),
    ({"prior": [Fraction(1, 2)] * 2}, "3 entries"),
    ({"prior": "even"}, "uniform"),
    ({"loss": [[0, 1]]}, "3 rows and 3 columns"),
    ({"loss": "cubic"}, "no loss 'cubic'"),
    ({"loss": lambda x, z: x / z}, "the input 0 and the output 0: ZeroDivisionError"),
    ({"loss": lambda x, z: "far"}, "loss"),
    ({"goal": "typical"}, "no goal 'typical'"),
    ({"outputs": []}, "labels"),
    ({"outputs": [0, 2, 0]}, "the outputs must be distinct, found 0 twice"),
    ({"outputs": np.array([1, 1])}, "found 1 twice"),
    ({"outputs": ["low", "high"]}, "'low' has no coordinates"),
    ({"space": "categories:3", "loss": "absolute"}, "have no coordinates"),
])
def test_what_makes_no_question_is_refused_when_it_is_stated(change, words):
    with pytest.raises(TightropeError, match=words):
        Problem(**{"space": LINE, "level": 1, **change})


def test_losses_beyond_doubles_are_refused_where_they_are_added_up():
    with pytest.raises(BadMatrix, match=r"at most 1e\+200"):
        _ = Problem(LINE, 1, loss=np.full((3, 3), 1e300)).losses


@pytest.mark.parametrize(("text", "name"), [
    ("path:0..9", "absolute"), ("sum:people=3,max=2", "absolute"),
    ("counts:people=2,queries=2", "largest"), ("histogram:people=2,cells=3", "largest"),
    ("grid:3x3", "euclidean"), ("grid:3x3,metric=manhattan", "euclidean"),
    ("categories:3", "binary"), ("hamming:values=2,people=3", "binary"), ("sets:3", "binary"),
    ("cycle:5", "binary"), ("star:4", "binary"), ("complete:3", "binary"),
    ("path:0..2 * path:0..2", "binary"),
])
def test_without_a_loss_the_one_that_fits_the_space_is_meant(text, name):
    assert Problem(text, 1).loss.name == name


def test_points_are_measured_by_euclidean_lengths():
    assert Problem(points("ab", [("0", "0"), ("3", "4")]), 1).losses[0, 1] == 5


def test_the_largest_loss_is_that_of_the_worst_cell():
    space = parse("counts:people=2,queries=2")
    brute = [[max(abs(a - b) for a, b in zip(x, z, strict=True)) for z in space.points]
             for x in space.points]
    assert largest.matrix(space, space.points).tolist() == brute
    bracket = largest.bracket(space, space.points)
    assert [[bracket.low[k] for k in row] for row in bracket.index] == [
        [loss * 2**96 for loss in row] for row in brute
    ]
    assert bracket.low == bracket.high


def test_the_largest_loss_of_a_rounded_kernel_is_that_of_its_rows():
    asked = Problem(grid((30, 30)), 1, loss=binary)
    kernel = design(asked.space, 1, loss=binary, construction="tight").certified.mechanism
    cell = asked.space.points[463]
    far = [max(abs(a - b) for a, b in zip(cell, z, strict=True)) for z in asked.space.points]
    exact = sum(p * loss for p, loss in zip(kernel.row_at(463), far, strict=True))
    assert losses_by_input(kernel, loss=largest)[463] == pytest.approx(float(exact), rel=1e-9)


def test_the_prior_does_not_count_for_the_worst_input():
    asked = Problem(LINE, 1, LAW, goal="worst")
    assert asked.prior.weights == tuple(LAW)
    assert asked.averaged is uniform
    assert asked.chances.tolist() == [1 / 3] * 3


def test_another_level_keeps_what_was_worked_out():
    asked = Problem("grid:3x3", 1)
    held = asked.losses, asked.symmetry, asked.bracket
    other = asked.at("ln(2)")
    assert other.level == Level.ratio(2)
    assert asked.level == Level.epsilon(1)
    assert all(a is b for a, b in zip(held, (other.losses, other.symmetry, other.bracket),
                                      strict=True))


def test_nothing_of_a_problem_can_be_changed():
    given = np.array(ROWS, dtype=float)
    asked = Problem(LINE, 1, loss=given)
    given[0, 0] = 7
    assert asked.losses[0, 0] == 0
    for held in (asked.losses, asked.chances, asked.bracket.index):
        with pytest.raises(ValueError, match="read-only"):
            held[0] = 1
    with pytest.raises(AttributeError):
        asked.goal = Goal.WORST


@pytest.mark.parametrize("ask", [design, compare])
@pytest.mark.parametrize("text", ["path:0..9", "grid:3x3", "sum:people=3,max=2", "cycle:6"])
def test_one_question_works_out_its_loss_and_its_symmetry_once(ask, text, monkeypatch):
    counts = Counter()

    def counted(name, function):
        def call(*given, **named):
            counts[name] += 1
            return function(*given, **named)
        return call

    isometries.symmetries.cache_clear()
    for loss, name in product({*map(type, LOSSES)}, ("matrix", "bracket")):
        monkeypatch.setattr(loss, name, counted(name, getattr(loss, name)))
    monkeypatch.setattr(question, "preserving", counted("preserving", question.preserving))
    monkeypatch.setattr(isometries, "_isometries", counted("isometries", isometries._isometries))
    ask(text, 1)
    binary_loss = text == "cycle:6"  # kernels need no matrix for it, its enclosure has its own
    assert counts["matrix"] in ((0, 1, 2) if binary_loss else (1,))
    assert max(counts[name] for name in ("bracket", "preserving", "isometries")) == 1


def test_the_loss_of_a_solution_is_that_of_its_mechanism_whatever_is_said():
    found = design("path:0..4", Level.ratio(2), loss="absolute")
    with pytest.raises(TypeError, match="value"):
        replace(found, value=0.0)
    with pytest.raises(TypeError, match="gap"):
        replace(found, gap=0.0)
    squared = replace(found, problem=Problem("path:0..4", Level.ratio(2), loss="squared"))
    assert squared.value == expected_loss(
        found.mechanism, prior=uniform, loss=Problem("path:0..4", 1, loss="squared").loss
    )
    assert squared.value != found.value


def test_losses_that_differ_by_rounding_keep_their_symmetry_and_others_lose_it():
    """Reflected on a path of three: |x - z| plus a share of 2 at one end."""
    for share, kept in ((2.0**-52, True), (2.0**-50, True), (2.0**-46, False), (2.0**-20, False)):
        losses = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
        losses[0, 1] += 2 * share
        asked = Problem(path(0, 2), 1, loss=LossMatrix(losses))
        assert (len(asked.symmetry.sizes) == 2) is kept


@pytest.mark.parametrize(("space", "epsilon"), [("path:0..3", 20_000), ("cycle:5", 800)])
def test_a_loss_that_doubles_hold_as_0_is_shown_as_tiny_and_above_0(space, epsilon):
    solution = design(space, epsilon=epsilon)
    mechanism = solution.mechanism.base
    wrong = [chance for y, x in enumerate(mechanism.space.points)
             for chance, z in zip(mechanism.row_at(y), mechanism.outputs, strict=True) if z != x]
    assert solution.value == 0
    assert 0 < 3 * sum(wrong) < Fraction(1, 10**300)
    assert "below 1e-300" in repr(solution)


def test_a_loss_of_exactly_0_is_shown_as_0():
    assert "loss   0, on average" in repr(design("categories:3", epsilon=1, prior=[1, 0, 0]))
