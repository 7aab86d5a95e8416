"""Pictures about surveys hold the numbers that they are drawn from."""

from fractions import Fraction

from tightrope.plots import lines_figure
from tightrope.surveys import best_vertex, switching_prevalence


def test_the_best_design_changes_across_a_drawn_level_set():
    r, delta = Fraction(3), Fraction(1, 10)
    share = switching_prevalence(r, delta)
    assert best_vertex(r, delta, share * Fraction(99, 100)).design.name == "truthful no"
    assert best_vertex(r, delta, share * Fraction(101, 100)).design.name == "warner"


def test_numbers_of_respondents_are_written_as_people_write_them():
    figure = lines_figure([("warner", [0, 1], [1500, 7000])], "title", "share", "respondents")
    figure.canvas.draw()
    axis = figure.axes[0].yaxis
    shown = [label.get_text() for label in axis.get_ticklabels(which="both")]
    assert {"2,000", "5,000"} <= set(shown)
    assert not any("10" in text and "^" in text for text in shown)
