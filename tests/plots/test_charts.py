"""A chart is drawn as it stands: its numbers are those of the picture, and wrong ones are red."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from tightrope.plots import (
    TINT_COLORS,
    Across,
    Chart,
    Contours,
    Dots,
    Heat,
    Line,
    Panel,
    Ribbon,
    Shape,
    Span,
    Stairs,
    Strokes,
    Tint,
    Words,
    chart_figure,
    line,
    panel_figures,
    picture,
)

RED = TINT_COLORS[Tint.WRONG]


def drawn(*marks, **named):
    """The axes on which these marks alone are drawn."""
    figure = chart_figure(Chart((Panel("a panel", marks, **named),)), "a title")
    return figure.axes[0]


def points(artist):
    return [tuple(map(float, point)) for point in artist.get_xydata()]


def test_a_line_goes_through_its_points_and_a_wrong_one_is_red_and_dashed():
    axes = drawn(line("ours", (0, 1, 3), (2, 1, 5)), line("printed", (0, 1), (9, 8), Tint.WRONG))
    ours, printed = axes.lines
    assert points(ours) == [(0, 2), (1, 1), (3, 5)]
    assert points(printed) == [(0, 9), (1, 8)]
    assert ours.get_linestyle() == "-"
    assert printed.get_linestyle() == "--"
    assert to_hex(printed.get_color()) == RED != to_hex(ours.get_color())
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["ours", "printed"]


def test_marks_without_a_name_stand_in_no_legend():
    assert drawn(Line("", ((0.0, 1.0), (1.0, 2.0)))).get_legend() is None


def test_dots_have_their_labels_beside_them():
    axes = drawn(Dots("", ((1.0, 2.0), (3.0, 4.0)), labels=("$a", "b"), hollow=True))
    assert points(axes.lines[0]) == [(1, 2), (3, 4)]
    assert axes.lines[0].get_markerfacecolor() == "none"
    assert [(text.xy, text.get_text()) for text in axes.texts] == [
        ((1.0, 2.0), r"\$a"), ((3.0, 4.0), "b")]


def test_strokes_are_several_lines_under_one_name():
    axes = drawn(Strokes("edges", (((0.0, 0.0), (1.0, 1.0)), ((2.0, 0.0), (3.0, 1.0)))))
    assert list(map(points, axes.lines)) == [[(0, 0), (1, 1)], [(2, 0), (3, 1)]]
    assert len(axes.get_legend().get_texts()) == 1


def test_a_shape_is_closed_and_filled():
    corners = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    axes = drawn(Shape("region", corners))
    assert points(axes.lines[0]) == [*corners, corners[0]]
    assert axes.patches[0].get_path().vertices[:3].tolist() == [list(place) for place in corners]


def test_stairs_have_their_edges_and_heights():
    axes = drawn(Stairs("density", (-1.0, 0.0, 2.0), (0.5, 0.25)), logarithmic=True)
    assert axes.get_yscale() == "log"
    for patch in axes.patches:
        values, edges, _ = patch.get_data()
        assert (values.tolist(), edges.tolist()) == ([0.5, 0.25], [-1.0, 0.0, 2.0])


def test_a_ribbon_lies_between_its_functions():
    axes = drawn(Ribbon("band", (0.0, 1.0), (0.0, 1.0), (2.0, 5.0)))
    (path,) = axes.collections[0].get_paths()
    assert {(0, 0), (1, 1), (0, 2), (1, 5)} <= {tuple(map(float, v)) for v in path.vertices}


def test_a_span_and_a_named_height_lie_where_they_are_said_to():
    axes = drawn(Span(0.4, 0.7, "none"), Across(0.25, "limit"), Words("here", (1.0, 2.0)))
    left, right = axes.patches[0].get_extents().transformed(axes.transData.inverted()).intervalx
    assert (left, right) == pytest.approx((0.4, 0.7))
    assert set(axes.lines[0].get_ydata()) == {0.25}
    assert [text.get_text() for text in axes.texts] == ["none", "limit", "here"]


def test_rates_are_doublings_on_one_scale_for_all_panels():
    first = Heat((0.0, 1.0), (1.0, 2.0), ((0.5, 1.0), (2.0, 4.0)))
    second = Heat((0.0, 1.0), (1.0, 2.0), ((1.0, 1.0), (1.0, 2.0)))
    chart = Chart((Panel("one", (first,)), Panel("two", (second,))))
    figure = chart_figure(chart)
    maps = [axes.collections[0] for axes in figure.axes[:2]]
    assert maps[0].get_array().ravel().tolist() == [-1.0, 0.0, 1.0, 2.0]
    alone = [figure.axes[0].collections[0] for figure in panel_figures(chart)]
    assert {m.get_clim() for m in (*maps, *alone)} == {(-2.0, 2.0)}
    far = chart_figure(Chart((Panel("far", (Heat((0.0, 1.0), (1.0,), ((1.0, 2.0**-9),)),)),)))
    assert far.axes[0].collections[0].get_clim() == (-3.0, 3.0)
    assert [tick.get_text() for tick in far.axes[1].get_yticklabels()][-1] == "8"


def test_contours_lie_where_the_function_has_their_value():
    across = tuple(k / 10 for k in range(11))
    values = tuple(tuple(x + y for x in across) for y in across)
    (drawn_at,) = drawn(Contours(across, across, values, (0.5,))).collections
    vertices = np.concatenate([path.vertices for path in drawn_at.get_paths()])
    assert len(vertices) > 5
    assert vertices.sum(axis=1) == pytest.approx(0.5)


def test_what_is_wrong_in_print_is_said_in_red_below_all_panels():
    panel = Panel("one", (line("", (0, 1), (0, 1)),), "across", "upward", ticks=((0.5, "half"),),
                  limits=(0.0, 2.0), heights=(0.0, 3.0))
    figure = chart_figure(Chart((panel, panel), "it is not so."), "both")
    assert figure.get_suptitle() == "both"
    assert figure.get_supxlabel() == "Wrong in print: it is not so."
    assert to_hex(figure._supxlabel.get_color()) == RED
    for axes in figure.axes:
        assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title()) == (
            "across", "upward", "one")
        assert (axes.get_xlim(), axes.get_ylim()) == ((0, 2), (0, 3))
        assert [label.get_text() for label in axes.get_xticklabels()] == ["half"]
    assert chart_figure(Chart((panel,))).get_supxlabel() == ""


def test_four_panels_stand_two_by_two_and_none_is_empty():
    panels = tuple(Panel(str(k), (line("", (0, 1), (k, k)),), framed=False) for k in range(5))
    for count in (1, 2, 3, 4, 5):
        figure = chart_figure(Chart(panels[:count]))
        shown = [axes.get_title() for axes in figure.axes if axes.get_visible()]
        assert shown == [str(k) for k in range(count)]
        assert len(figure.axes) == {5: 6}.get(count, count)  # four stand two by two
    assert len(panel_figures(Chart(panels))) == 5
    assert picture(figure, "svg").startswith(b"<?xml")


def test_panels_of_a_page_hold_their_legends_and_take_no_empty_room():
    low = Line("N_2: irrational points", ((0.0, 0.0), (9.0, 1.0)))
    square = Panel("square", (low,), "x", "r", equal=True, limits=(-9, 9), heights=(-9, 9))
    flat = Panel("flat", (Line("", low.points),), equal=True, framed=False)
    figures = panel_figures(Chart((square, flat)))
    for figure in figures:
        picture(figure, "svg")
        box = figure.get_tightbbox()
        assert 0 <= box.x0 < box.x1 <= figure.get_figwidth()
        assert 0 <= box.y0 < box.y1 <= figure.get_figheight()
    assert figures[1].get_figheight() < figures[0].get_figheight() / 2
