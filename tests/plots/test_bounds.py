
from tightrope.constructions import truncated_geometric
from tightrope.exact import Level
from tightrope.plots import bound_figure, picture, row_graph_figure
from tightrope.privacy import PairBound, row_graphs
from tightrope.spaces import path


def test_a_bound_is_drawn_with_its_mirror_image():
    bound = PairBound.of([(0, 1), (1, 1)], at_zero=0)
    figure = bound_figure({"same support": bound}, "title")
    (axes,) = figure.axes
    assert len(axes.lines) == 4  # M, m, the jump, the diagonal
    assert picture(figure, "png").startswith(b"\x89PNG")


def test_row_graphs_are_drawn_for_some_of_many_outputs():
    level, space = Level.ratio(2), path(0, 11)
    mechanism = truncated_geometric(space, level).mechanism
    figure = row_graph_figure(mechanism, row_graphs(mechanism, space, level), "title")
    assert len(figure.axes) == 4
    assert "4 of 12" in figure.get_suptitle()
    for axes in figure.axes:
        assert len(axes.lines) == 12  # eleven pairs and the points
