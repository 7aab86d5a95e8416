"""Pictures about surveys hold the numbers that they are drawn from."""

from fractions import Fraction
from math import exp
from pathlib import Path
from runpy import run_path

import pytest

from tightrope.plots import lines_figure
from tightrope.plots.surveys import level_sets_figure
from tightrope.surveys import best_vertex, switching_prevalence, thesis_g

GALLERY = Path(__file__).resolve().parents[2] / "docs" / "gallery"


@pytest.mark.parametrize("switch", [thesis_g, switching_prevalence])
def test_a_drawn_level_set_is_where_the_function_has_that_value(switch):
    across, upward = [k / 10 for k in range(1, 21)], [k / 50 for k in range(1, 25)]
    values = [[float(switch(Fraction(exp(e)), Fraction(d))) for e in across] for d in upward]
    figure = level_sets_figure(across, upward, [("g", values)], [0.2])
    (drawn,) = figure.axes[0].collections
    points = [point for path in drawn.get_paths() for point in path.vertices]
    assert len(points) > 10
    for epsilon, delta in points:  # contours are straight between the nodes of the grid
        value = float(switch(Fraction(exp(epsilon)), Fraction(delta)))
        assert value == pytest.approx(0.2, abs=0.02)


def test_the_best_design_changes_across_a_drawn_level_set():
    r, delta = Fraction(3), Fraction(1, 10)
    share = switching_prevalence(r, delta)
    assert best_vertex(r, delta, share * Fraction(99, 100)).design.name == "truthful no"
    assert best_vertex(r, delta, share * Fraction(101, 100)).design.name == "warner"


def test_the_gallery_draws_figure_6_1():
    drawn = run_path(str(GALLERY / "draw_h16.py"))["level_sets"]()
    assert drawn.startswith(b"\x89PNG")
    assert (GALLERY / "h16-figure-6.1.png").read_bytes().startswith(b"\x89PNG")


def test_numbers_of_respondents_are_written_as_people_write_them():
    figure = lines_figure([("warner", [0, 1], [1500, 7000])], "title", "share", "respondents")
    figure.canvas.draw()
    axis = figure.axes[0].yaxis
    shown = [label.get_text() for label in axis.get_ticklabels(which="both")]
    assert {"2,000", "5,000"} <= set(shown)
    assert not any("10" in text and "^" in text for text in shown)
