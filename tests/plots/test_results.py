"""Results drawn by `plot()` and `tr.plots.figure`: the lines hold what the definitions say."""

from math import exp, log

import numpy as np
import pytest

import tightrope as tr
from tightrope.errors import BadInput
from tightrope.plots import comparison_figure, figure, picture
from tightrope.privacy import privacy_loss, renyi_curve

ROWS = np.array([[0.7, 0.2, 0.1], [0.4, 0.3, 0.3], [0.2, 0.3, 0.5]])
PAIRS = [(ROWS[i], ROWS[j]) for i, j in ((0, 1), (1, 0), (1, 2), (2, 1))]
GAP = [["1", "0"], ["1/2", "1/2"]]  # the second output is possible under one input alone


def line(drawn, which=0):
    return drawn.axes[0].lines[which].get_xdata(), drawn.axes[0].lines[which].get_ydata()


def test_the_delta_curve_is_the_largest_hockey_stick_sum():
    epsilons, deltas = line(tr.delta_curve(ROWS, "path:0..2").plot())
    for epsilon, delta in zip(epsilons, deltas, strict=True):
        true = max(np.maximum(p - exp(epsilon) * q, 0).sum() for p, q in PAIRS)
        assert delta == pytest.approx(true, abs=1e-12)
    assert epsilons[0] == 0
    assert epsilons[-1] == pytest.approx(1.1 * log(3))
    assert {round(log(ratio), 9) for ratio in (7 / 4, 3 / 2, 5 / 3, 2, 3)} <= {
        round(epsilon, 9) for epsilon in epsilons}


def test_a_mechanism_that_tells_nothing_has_a_flat_curve():
    epsilons, deltas = line(tr.delta_curve([["1/2", "1/2"]] * 2, "categories:2").plot())
    assert epsilons[-1] == 1
    assert set(deltas) == {0}


def test_renyi_divergences_are_drawn_up_to_their_limit():
    drawn = renyi_curve(ROWS, "path:0..2").plot(title="mine")
    orders, divergences = line(drawn)
    assert orders[0] == 1
    assert orders[-1] == 64
    assert divergences[0] == pytest.approx(max((p * np.log(p / q)).sum() for p, q in PAIRS))
    for alpha, divergence in list(zip(orders, divergences, strict=True))[1::20]:
        true = max(log((p**alpha * q ** (1 - alpha)).sum()) / (alpha - 1) for p, q in PAIRS)
        assert divergence == pytest.approx(true, rel=1e-9)
    assert line(drawn, 1)[1][0] == pytest.approx(log(3))
    assert drawn.axes[0].get_title() == "mine"


def test_an_infinite_divergence_has_no_line():
    (axes,) = renyi_curve(GAP, "path:0..1").plot().axes
    assert len(axes.lines) == 0
    assert "infinite" in axes.get_title()


@pytest.mark.parametrize(("rows", "pairs"), [
    (ROWS, PAIRS), (np.array([[1, 0], [0.5, 0.5]]), [([1, 0], [0.5, 0.5]), ([0.5, 0.5], [1, 0])])])
def test_the_chance_of_a_loss_falls_where_losses_are(rows, pairs):
    places, chances = line(privacy_loss(rows, f"path:0..{len(rows) - 1}").plot())
    for place, chance in zip(places, chances, strict=True):
        true = max(sum(a for a, b in zip(p, q, strict=True)
                       if a and (not b or log(a / b) > place + 1e-12)) for p, q in pairs)
        assert chance == pytest.approx(true, abs=1e-12)


def test_a_comparison_is_drawn_as_bars_above_its_bound():
    comparison = tr.compare("path:0..2", 2, extra={"mine": ROWS})
    (axes,) = comparison.plot().axes
    names = [text.get_text() for text in axes.get_yticklabels()]
    widths = [bar.get_width() for bar in axes.patches]
    assert dict(zip(names, widths, strict=True))["mine"] == pytest.approx(0.6)
    assert widths == sorted(widths)
    assert set(axes.lines[0].get_xdata()) == {comparison.bound}
    assert "path:0..2 at ε = 2" in axes.get_title()


def test_a_tradeoff_is_drawn_with_ones_own_where_it_is_private():
    (axes,) = tr.tradeoff("path:0..2", [1, 2, 3], extra={"mine": ROWS}).plot().axes
    lines = {drawn.get_label(): drawn for drawn in axes.lines}
    assert list(lines["mine"].get_xdata()) == [2, 3]  # the smallest level is ln(3)
    assert lines["mine"].get_ydata() == pytest.approx([0.6, 0.6])
    bound = lines["proved bound"].get_ydata()
    assert list(lines["proved bound"].get_xdata()) == [1, 2, 3]
    assert all(bound <= lines["geometric"].get_ydata() + 1e-12)


def test_whatever_holds_a_mechanism_is_a_heat_map():
    solution = tr.design("path:0..3", 1)
    better = tr.improve(ROWS, 2, space="path:0..2")
    for drawn, title in ((solution.plot(), "geometric on path:0..3"),
                         (figure(solution.mechanism), "path:0..3"),
                         (solution.certified.plot(), "path:0..3"),
                         (solution.mechanism.plot(title="mine"), "mine"),
                         (better.plot(title="better"), "better")):
        assert title in drawn.get_suptitle()
        assert drawn.axes[0].get_xlabel() == "output"
    assert picture(solution.plot(), "pdf")[:4] == b"%PDF"
    assert picture(solution, "png") == picture(solution.plot(), "png")


def test_the_bound_of_two_laws_is_drawn_by_its_corners():
    bound = tr.privacy.tradeoff_curve(["1/2", "1/2"], ["1/4", "3/4"])
    across, upward = line(figure(bound))
    assert list(zip(across, upward, strict=True)) == [(0, 0), (0.5, 0.75), (1, 1)]


def test_what_has_no_picture_is_refused():
    with pytest.raises(BadInput, match="expected a mechanism"):
        figure(5)
    with pytest.raises(BadInput, match="png, svg or pdf, found 'gif'"):
        tr.plots.picture(tr.delta_curve(ROWS, "path:0..2"), "gif")


@pytest.mark.parametrize(("result", "title", "across", "upward"), [
    (tr.delta_curve(ROWS, "path:0..2"), "Least δ at every ε", "ε", "δ (smaller is more private)"),
    (renyi_curve(ROWS, "path:0..2"), "Rényi divergences", "order α", "Rényi divergence D_α"),
    (privacy_loss(ROWS, "path:0..2"), "How likely an answer reveals more than ε",
     "privacy loss ε", "chance of a larger loss"),
])
def test_a_curve_has_a_title_and_says_what_its_axes_are(result, title, across, upward):
    (axes,) = result.plot().axes
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == (title, across, upward)
    assert axes.get_ylim()[0] == 0
    assert result.plot(title="mine").axes[0].get_title() == "mine"


def test_orders_double_along_the_axis_and_losses_begin_and_end_flat():
    (axes,) = renyi_curve(ROWS, "path:0..2").plot().axes
    assert axes.get_xscale() == "log"
    assert list(axes.get_xticks()) == [1, 2, 4, 8, 16, 32, 64]
    assert axes.get_ylim()[1] == pytest.approx(1.15 * log(3))
    places, chances = line(privacy_loss(ROWS, "path:0..2").plot())
    assert places[0] < places[1] == pytest.approx(-log(3))
    assert places[-1] > places[-2] == pytest.approx(log(3))
    assert (chances[0], chances[-1]) == (pytest.approx(1), 0)


def test_a_comparison_without_a_bound_has_no_line():
    (axes,) = comparison_figure([("mine", 0.5)], "Losses").axes
    assert (len(axes.lines), axes.get_title()) == (0, "Losses")
    (axes,) = tr.compare("categories:2", 1).plot(title="Ours").axes
    assert axes.get_title() == "Ours"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["proved bound"]
