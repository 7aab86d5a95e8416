"""Every figure that shows computed values is drawn: the numbers of that run, errors marked."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from tests.papers.test_verdicts_can_change import CASES, forget, target
from tightrope import papers
from tightrope.errors import BadInput
from tightrope.papers import Verdict, items
from tightrope.papers.item import Attempt, Reproduction
from tightrope.plots import (
    TINT_COLORS,
    Contours,
    Dots,
    Heat,
    Line,
    Shape,
    Span,
    Stairs,
    Strokes,
    Tint,
    picture,
)

ITEMS = {item.key: item for item in items()}
PICTURED = sorted(key for key, item in ITEMS.items() if item.pictured)

# smaller instances of items that take long, with the same marks
SMALL = {
    "ecp/figure-4": {"people": 3},
    "ecp/figure-6a": {"people": 12, "maximum": 5, "absent": ("0.6", "0.7"), "present": ("1.1",)},
    "ecp/figure-6b": {"people": 4, "absent": ("0.5", "0.7"), "present": ("1.2",)},
    "ecp/figure-7": {"side": 8, "absent": ("0.3", "0.4"), "present": ("1", "1.2")},
    "ecp/figure-7-below": {"side": 36, "levels": ("0.4", "0.5")},
    "wxh/figure-6": {"nodes": 5},
    "wxh/figure-6-lower": {"nodes": 5, "graphs": 10},
    "wxh/figure-7": {"epsilons": (3, 4), "deltas": (50, 100)},
    "wxh/figure-7-delta-0": {"epsilons": (1, 3)},
    "wxh/figure-8": {"names": ("V3",)},
}


@pytest.fixture(scope="module")
def run():
    """The finding of an item, on a smaller instance if it takes long; each is run once."""
    kept = {}

    def once(key):
        if key not in kept:
            kept[key] = Attempt(ITEMS[key], ITEMS[key].run(**SMALL.get(key, {})))
        return kept[key]

    return once


def is_wrong(attempt):
    """Whether any mark is drawn as wrong, or the chart says what is."""
    return bool(attempt.finding.chart.wrong) or any(
        mark.tint is Tint.WRONG for panel in attempt.finding.chart.panels for mark in panel.marks
        if not isinstance(mark, Heat | Contours))


def test_every_figure_of_computed_values_has_a_picture():
    ecp = {"2", "4", "5", "6a", "6b", "7"}
    h16, wxh = {"2.3", "4.1", "6.1", "6.2", "6.3"}, {"3", "5", "6", "6-lower", "7", "8"}
    wanted = {f"{paper}/figure-{n}" for paper, numbers in
              (("ecp", ecp), ("h16", h16), ("wxh", wxh)) for n in numbers}
    assert wanted <= set(PICTURED)
    assert papers.pictured("ECP Figure 3").key == "ecp/example-2"
    figures = {key for key in ITEMS if "/figure-" in key}
    assert figures <= set(PICTURED)


@pytest.mark.parametrize("key", PICTURED)
def test_the_picture_shows_the_numbers_of_its_chart(run, key):
    attempt = run(key)
    figure = attempt.figure()
    assert ITEMS[key].title in figure.get_suptitle().replace("\n", " ")
    lines, shapes, maps = 0, 0, 0
    for panel, axes in zip(attempt.finding.chart.panels, figure.axes, strict=False):
        drawn = {tuple(map(tuple, artist.get_xydata())) for artist in axes.lines}
        for mark in panel.marks:
            if isinstance(mark, Line | Dots):
                assert mark.points in drawn
                lines += 1
            elif isinstance(mark, Strokes):
                assert set(mark.lines) <= drawn
                lines += 1
            elif isinstance(mark, Shape):
                assert (*mark.corners, mark.corners[0]) in drawn
                shapes += 1
            elif isinstance(mark, Stairs):
                assert any(tuple(data.values) == mark.heights and tuple(data.edges) == mark.edges
                           for data in (patch.get_data() for patch in axes.patches
                                        if hasattr(patch, "get_data")))
                shapes += 1
            elif isinstance(mark, Heat):
                shown = axes.collections[0].get_array()
                assert np.array_equal(shown, np.log2(mark.values))
                maps += 1
            elif isinstance(mark, Contours):
                assert len(axes.collections) >= 1
                maps += 1
    assert lines + shapes + maps
    assert picture(figure, "svg").startswith(b"<?xml")


@pytest.mark.parametrize("key", PICTURED)
def test_what_is_wrong_in_print_is_marked_and_nothing_else(run, key):
    attempt = run(key)
    assert is_wrong(attempt) is (ITEMS[key].recorded is not Verdict.CONFIRMED)
    if not is_wrong(attempt):
        return
    assert attempt.finding.chart.wrong.endswith(".")
    figure = attempt.figure()
    assert figure.get_supxlabel().replace("\n", " ") == (
        f"Wrong in print: {attempt.finding.chart.wrong}")
    tints = [mark.tint for panel in attempt.finding.chart.panels for mark in panel.marks
             if hasattr(mark, "tint")]
    reds = [artist for axes in figure.axes for artist in (*axes.lines, *axes.collections)
            if _color(artist) == TINT_COLORS[Tint.WRONG]]
    assert bool(reds) is (Tint.WRONG in tints)


def _color(artist):
    color = artist.get_color() if hasattr(artist, "get_color") else artist.get_facecolor()
    return to_hex(color if isinstance(color, str) else np.ravel(color)[:4]) if len(color) else ""


@pytest.mark.parametrize("key", ["ecp/figure-4", "h16/figure-2.3", "h16/figure-6.2",
                                 "h16/figure-6.3", "wxh/figure-5"])
def test_where_nothing_is_wrong_nothing_is_marked(key):
    attempt = Attempt(ITEMS[key], ITEMS[key].run(**ITEMS[key].dropped), ITEMS[key].dropped)
    assert attempt.finding.verdict is Verdict.CONFIRMED
    assert not any(mark.tint is Tint.WRONG for panel in attempt.finding.chart.panels
                   for mark in panel.marks if isinstance(mark, Line | Dots | Span))
    assert attempt.finding.chart.wrong == ""


BROKEN = [case for case in CASES if ITEMS[case[0]].pictured]


@pytest.mark.parametrize(("key", "name", "breaking"), BROKEN,
                         ids=[f"{key}-{name}" for key, name, _ in BROKEN])
def test_a_broken_computation_changes_the_picture(run, monkeypatch, key, name, breaking):
    before = run(key).finding.chart
    place, function = target(name)
    forget()
    monkeypatch.setattr(place, function, breaking(vars(place)[function]))
    try:
        assert ITEMS[key].run(**SMALL.get(key, {})).chart != before
    finally:
        forget()


def test_an_item_without_a_picture_has_none():
    without, first, second = (Attempt(ITEMS[key], ITEMS[key].run()) for key in (
        "kl10/lemma-3.3.8", "ecp/figure-2", "h16/figure-4.1"))
    assert without.finding.chart is None
    with pytest.raises(BadInput, match="no picture"):
        without.figure()
    with pytest.raises(BadInput, match=r"name one, such as ecp/figure-2, h16/figure-4\.1"):
        Reproduction((first, second)).figure()
    assert Reproduction((first,)).figure().get_suptitle() == first.title


def test_only_one_item_with_a_picture_is_taken():
    assert papers.pictured("wxh fig. 7").key == "wxh/figure-7"
    with pytest.raises(BadInput, match=r"name one of ecp/figure-6a, ecp/figure-6b\."):
        papers.pictured("ecp/figure-6")
    for name in ("kl10", "kl10/lemma-3.3.8"):
        with pytest.raises(BadInput, match=f"{name} has no picture; .* are ecp/figure-1, .*-7,"):
            papers.pictured(name)
    with pytest.raises(BadInput, match="one item; name one of ecp/figure-1"):
        papers.pictured(None)
