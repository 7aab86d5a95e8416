"""Pictures of noise on the line and of released curves show the numbers that they are given."""

from fractions import Fraction

import pytest

from tightrope.exact import Intervals
from tightrope.mechanisms import PiecewiseNoise
from tightrope.plots import curve_figure
from tightrope.theory import density_steps, noise_figure, rung_steps

STAIRS = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(3))


def test_steps_of_a_density_have_its_edges_and_heights():
    # a first step of 2 and tails of 3 · (1/2 + 1/4 + ...) on either side: 8 in all
    edges, heights = density_steps(STAIRS, 5.0)
    assert edges == [-5.0, -4.0, -1.0, 1.0, 4.0, 5.0]
    assert heights == pytest.approx([1 / 32, 1 / 16, 1 / 8, 1 / 16, 1 / 32])


def test_noise_is_drawn_over_laplace_noise_on_a_logarithmic_scale():
    figure = noise_figure([("first", STAIRS), ("second", STAIRS)], 3.0, title="$V$")
    (panel,) = figure.axes
    assert panel.get_yscale() == "log"
    said = [text.get_text() for text in panel.get_legend().get_texts()]
    assert said == ["first, mean error 4.25", "second, mean error 4.25", "laplace, mean error 3"]
    assert panel.get_title() == r"\$V\$"


ERRORS = {"noise": [(1, 0.5), (2, 1.0)], "bound": [(1, 2.0), (2, 1.0)]}


def test_a_curve_is_drawn_with_its_band_beside_the_errors():
    figure = curve_figure([1.0, 2.0, 3.0], ["a", "b", "c"], [1.0, 2.0, 4.0],
                          [(0.0, 2.0), (1.0, 3.0), (3.0, 5.0)], [0, 2], ERRORS, title="means")
    curve, errors = figure.axes
    assert list(curve.lines[0].get_ydata()) == [1.0, 2.0, 4.0]
    assert list(curve.lines[1].get_xdata()) == [1.0, 3.0]
    assert [label.get_text() for label in curve.get_xticklabels()] == ["a", "b", "c"]
    assert [line.get_label() for line in errors.lines[:2]] == ["noise", "bound"]


def test_a_band_that_is_known_at_knots_alone_is_drawn_there_alone():
    figure = curve_figure([1.0, 2.0], ["a", "b"], [1.0, 2.0], [(0.0, 2.0), None], [0],
                          {"noise": [(1, 0.5)]}, title="means")
    (panel,) = figure.axes
    (bars,) = panel.collections
    assert [segment.tolist() for segment in bars.get_segments()] == [[[1.0, 0.0], [1.0, 2.0]]]


def test_a_plan_alone_is_a_picture_of_its_errors():
    figure = curve_figure([1.0, 2.0], ["a", "b"], None, [], [0, 1], ERRORS, title="plan")
    (panel,) = figure.axes
    assert panel.get_xlabel() == "knots (2 chosen)"


def test_pieces_of_a_density_know_their_rungs():
    assert rung_steps(STAIRS, 5.0) == ([-5.0, -4.0, -1.0, 1.0, 4.0, 5.0], [2, 1, 0, 1, 2])
    gaps = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]), Intervals.of([(-3, -2), (2, 3)]),
                                        Intervals.of([(-2, -1), (1, 2)])), Fraction(3))
    assert rung_steps(gaps, 2.5) == ([-2.5, -2.0, -1.0, 1.0, 2.0, 2.5], [1, 2, 0, 2, 1])
