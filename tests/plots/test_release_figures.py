"""Pictures of releases draw what is known, and no more."""

from itertools import pairwise

import numpy as np
import pytest

from tightrope.plots import (
    Drawn,
    answers_figure,
    bars_figure,
    crossed_figure,
    distribution_figure,
    picture,
    quantiles_figure,
)


def band_at(axes, x):
    """The least and the largest height of the shaded area above x."""
    (area,) = axes.collections[:1]
    inside = [y for y in np.linspace(-0.1, 1.1, 1201)
              if area.get_paths()[0].contains_point((x, y))]
    return min(inside), max(inside)


def test_between_edges_a_distribution_is_only_what_monotonicity_allows():
    """Nine of ten rows may lie at any place between two edges: 0.047 was drawn for 0.455."""
    points = [20.0, 50.0, 100.0]
    answers = [Drawn(0.05, 0.04, 0.06), Drawn(0.93, 0.9, 0.95), Drawn(1.0, 1.0, 1.0)]
    figure = distribution_figure(points, {"": answers}, "t", "x", start=0.0, every_value=False)
    (axes,) = figure.axes
    for x, low, high in ((10, 0, 0.06), (21, 0.04, 0.95), (49, 0.04, 0.95), (75, 0.9, 1)):
        assert band_at(axes, x) == pytest.approx((low, high), abs=0.002)
    (dots,) = axes.lines
    assert dots.get_linestyle() == "None"
    assert dots.get_xydata().tolist() == [[20, 0.05], [50, 0.93], [100, 1]]


def test_where_all_values_are_points_a_distribution_is_steps():
    answers = [Drawn(k / 4, k / 4 - 0.1, k / 4 + 0.1) for k in range(1, 4)]
    figure = distribution_figure([0.0, 1.0, 2.0], {"": answers}, "t", "x", start=0.0,
                                 every_value=True)
    (axes,) = figure.axes
    assert axes.lines[0].get_drawstyle() == "steps-post"
    assert band_at(axes, 0.9) == pytest.approx((0.15, 0.35), abs=0.002)


def test_each_group_of_a_distribution_has_a_panel_on_shared_scales():
    """A withheld group's wide intervals hid those of the others on common axes."""
    nan = float("nan")
    groups = {name: [Drawn(0.2, 0.1, 0.3), Drawn(1.0, 1.0, 1.0)] for name in "abc"}
    groups["d"] = [Drawn(nan, 0.0, 1.0), Drawn(nan, 0.0, 1.0)]
    groups["e"] = groups["a"]
    figure = distribution_figure([5.0, 9.0], groups, "t", "x", start=0.0, every_value=False)
    assert [axes.get_title() for axes in figure.axes] == [
        "a", "b", "c", "d: withheld, intervals alone", "e"]
    assert len({(axes.get_xlim(), axes.get_ylim()) for axes in figure.axes}) == 1
    for axes, answers in zip(figure.axes, groups.values(), strict=True):
        (bars,) = [lines for lines in axes.collections if hasattr(lines, "get_segments")]
        assert [segment[:, 1].tolist() for segment in bars.get_segments()] == [
            [answer.low, answer.high] for answer in answers]
    figure.draw_without_rendering()
    for axes in figure.axes[3:]:
        assert any(label.get_text() and label.get_visible() for label in axes.get_xticklabels())


def test_of_many_groups_the_first_have_panels_and_the_title_says_so():
    groups = {f"g{k}": [Drawn(1.0, 1.0, 1.0)] for k in range(100)}
    figure = distribution_figure([5.0], groups, "t", "x", start=0.0, every_value=True)
    assert len(figure.axes) == 24
    assert "the first 24 of 100 groups" in figure.get_suptitle()


def test_withheld_values_are_intervals_alone_and_marked_ones_hollow():
    nan = float("nan")
    figure = answers_figure(["a", "b", "c"], [Drawn(5, 4, 6), Drawn(1, -2, 4, True),
                                              Drawn(nan, 0, 9)], "t", "rows", "reaches 0")
    (axes,) = figure.axes
    full, hollow = axes.lines
    assert full.get_xdata()[0] == 5
    assert hollow.get_xydata().tolist() == [[1, 1]]
    assert hollow.get_markerfacecolor() == "white"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c (withheld)"]
    assert axes.get_xlabel() == "rows (hollow: reaches 0)"
    assert axes.get_xlim()[0] < 0


@pytest.mark.parametrize("size", [2, 30])
def test_marked_cells_of_a_cross_table_are_told_from_others(size):
    names = [f"v{k}" for k in range(size)]
    cells = [Drawn(-3.0, -9, 3, True), *[Drawn(40.0, 30, 50)] * (size * size - 1)]
    figure = crossed_figure(names, names, cells, "t", ("a", "b"), "rows", "reaches 0")
    axes = figure.axes[0]
    assert "reaches 0" in axes.get_xlabel()
    if size == 2:
        assert [text.get_text() for text in axes.texts] == ["(-3)", "40", "40", "40"]
    else:
        assert axes.lines[0].get_xydata().tolist() == [[0, 0]]


@pytest.mark.parametrize("probabilities", [[], [0.5]])
def test_one_value_of_each_group_needs_no_probability(probabilities):
    """A grouped median was charged, and then its picture failed."""
    figure = quantiles_figure(probabilities, {"a": [3.0], "b": [7.0]}, "t", "x")
    assert len(figure.axes[0].texts) == 2 * len(probabilities)


def test_a_long_title_is_broken_into_lines():
    figure = answers_figure(["a"], [Drawn(1, 0, 2)], "word " * 60, "rows")
    figure.draw_without_rendering()
    (axes,) = figure.axes
    box = axes.title.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.width
    assert picture(figure, "svg")


MONTHS = [f"2025-{month:02d}" for month in range(1, 13)]


@pytest.mark.parametrize("most", [9, 823_056, 5_002_261_977.0, 0.30509, 4.5182])
@pytest.mark.parametrize("kind", ["answers", "bars", "quantiles"])
def test_labels_stand_apart_on_a_page_as_narrow_as_a_phone(kind, most):
    """Months below bars, and numbers below lines, ran into each other."""
    answers = [Drawn(most * share, most * (share - 0.001), most * (share + 0.001))
               for share in np.linspace(0.85, 1, len(MONTHS))]
    if kind == "quantiles":
        groups = {name: [answer.low, answer.high] for name, answer in zip("abc", answers,
                                                                         strict=False)}
        figure = quantiles_figure([0.1, 0.9], groups, "t", "x")
    else:
        draw = answers_figure if kind == "answers" else bars_figure
        figure = draw(MONTHS, answers, "t", "kept rows")
    figure.set_size_inches(4.8, figure.get_figheight())
    figure.draw_without_rendering()
    (axes,) = figure.axes
    boxes = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
    low, high = axes.get_window_extent().x0, axes.get_window_extent().x1
    boxes = sorted((box.x0, box.x1) for box in boxes if low <= (box.x0 + box.x1) / 2 <= high)
    assert len(boxes) >= 2
    assert all(first[1] < second[0] for first, second in pairwise(boxes))
