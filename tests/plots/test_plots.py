from fractions import Fraction

import numpy as np
import pytest

from tightrope.exact import Weights
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.plots import (
    comparison_figure,
    estimate_figure,
    log_probabilities,
    mechanism_figure,
    picture,
)
from tightrope.plots.figures import MOST_NAMES, named_positions, shortened
from tightrope.spaces import parse, path
from tightrope.utility import estimate


def geometric(size):
    weights = (Fraction(2, 3), *(Fraction(1, 3),) * (size - 2), Fraction(2, 3))
    return KernelMechanism(path(0, size - 1), Fraction(2), Fraction(1), weights)


def texts(figure):
    """All texts of a figure as its picture shows them."""
    from matplotlib.text import Text

    picture(figure, "svg")
    return {found.get_text() for found in figure.findobj(Text)}


def test_log_probabilities_go_below_the_range_of_doubles():
    logs = log_probabilities(geometric(1100))
    assert logs.shape == (1100, 1100)
    assert logs[0, -1] == pytest.approx(np.log10(2 / 3) - 1099 * np.log10(2))


def test_zeros_stay_white():
    space = path(0, 1)
    matrix = MatrixMechanism(space, space.points, Weights.from_integers([[1, 0], [1, 1]]))
    assert log_probabilities(matrix)[0, 1] == -np.inf
    figure = mechanism_figure(matrix, "zero")
    (image,) = figure.axes[0].images
    assert image.get_array().mask.tolist() == [[False, True], [False, False]]


def test_a_mechanism_is_drawn_with_title_axes_and_units():
    figure = mechanism_figure(geometric(3), "geometric on path:0..2", curve=[(0, 0.3), (0.7, 0)])
    said = texts(figure)
    for text in ("geometric on path:0..2", "input", "output", "log10 of the probability",
                 "ε (nats, between neighbors)", "smallest δ"):
        assert text in said


def test_without_a_curve_there_is_one_panel_and_its_scale():
    assert len(mechanism_figure(geometric(3), "one").axes) == 2
    assert len(mechanism_figure(geometric(3), "two", curve=[(0, 0.3), (1, 0)]).axes) == 3


def test_an_estimate_is_drawn_in_percent_with_its_values_named():
    space = parse("categories:no/yes")
    response = KernelMechanism(space, Fraction(3), Fraction(1), (Fraction(1),) * 2)
    figure = estimate_figure(estimate([60, 40], response, confidence=0.9), "smoker")
    said = texts(figure)
    assert {"no", "yes", "estimated true proportion, percent"} <= said
    assert "smoker: from 100 randomized rows\n90% intervals for these rows" in said


def test_an_estimate_outside_0_and_1_stays_in_the_picture():
    space = parse("categories:no/yes")
    response = KernelMechanism(space, Fraction(3), Fraction(1), (Fraction(1),) * 2)
    figure = estimate_figure(estimate([99, 1], response), "smoker")
    low, high = figure.axes[0].get_xlim()
    assert low < -40
    assert high > 140


def test_a_comparison_has_a_bar_for_each_construction_the_best_on_top():
    figure = comparison_figure([("geometric", 0.5), ("exponential", 1.5)], "path:0..2")
    axes = figure.axes[0]
    assert [bar.get_width() for bar in axes.patches] == [0.5, 1.5]
    assert axes.yaxis_inverted()
    assert "loss (smaller is better)" in texts(figure)


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_the_same_figure_gives_the_same_bytes(kind, start):
    first, second = (
        picture(mechanism_figure(geometric(4), "same", curve=[(0, 0.3), (1, 0)]), kind)
        for _ in range(2)
    )
    assert first.startswith(start)
    assert first == second


def test_long_axes_name_only_some_of_their_points():
    assert named_positions(["x"] * MOST_NAMES) == list(range(MOST_NAMES))
    for size in (25, 100, 1000, 12345):
        places = named_positions(["x"] * size)
        assert len(places) <= 13
        assert places[0] == 0


def test_long_names_are_shortened():
    assert len(shortened("a" * 40)) == 16
    assert shortened((1, "b")) == "(1, b)"
