"""What is found out about a mechanism from Python, against arithmetic by hand."""

from math import log, log2

import pytest

from tightrope.documents import compose, inspect, read, render
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified
from tightrope.spaces import categories, path

# rows add up to 7: H16, Example 5.2
LOOSE = MatrixMechanism.of(
    [["4/7", "1/7", "2/7"], ["3/7", "2/7", "2/7"], ["2/7", "1/7", "4/7"]], categories(3)
)


def test_each_part_is_a_value_with_a_type():
    found = inspect(LOOSE)
    assert found.level.exact == Level.ratio(2) == found.judged
    assert found.leakage == pytest.approx(log2((4 + 2 + 4) / 7))  # the sum of column maxima
    assert found.rank == 3
    assert found.loose == ((1, 0),)
    assert found.loose_count == 1
    # output 0: 4 and 3 are not 2 apart, 3 and 2 neither: input 1 is alone in its row graph
    assert (found.generality.connected, found.generality.occurring) == (2, 3)
    assert [graph.connected for graph in found.row_graphs] == [False, True, True]
    assert (found.claim, found.intact, found.construction) == (None,) * 3


def test_the_curve_ends_at_the_level_and_begins_at_the_total_variation():
    curve = inspect(LOOSE).curve
    assert curve[0] == (0, pytest.approx(2 / 7))  # rows 0 and 2
    assert curve[-1] == (pytest.approx(log(2)), pytest.approx(0, abs=1e-12))


def test_generality_is_about_the_claim_where_the_mechanism_has_it():
    def judged(level):
        return inspect(read(render(compose(certified(LOOSE, level))))).judged

    assert judged(Level.ratio(3)) == Level.ratio(3)
    assert judged(Level.ratio("3/2", "1/2")) == Level.ratio(2)  # a claim with δ is none here


def test_what_is_not_known_has_a_reason():
    found = inspect(MatrixMechanism.of([[1, 0], ["1/2", "1/2"]], categories(2)))
    assert (found.level, found.judged, found.generality, found.loose) == (None,) * 4
    assert list(found.skipped) == ["level"]
    with pytest.raises(TypeError):
        found.skipped["level"] = "none"


def test_a_constant_answer_has_no_level_to_judge_by():
    found = inspect(MatrixMechanism.of([["1/2", "1/2"]] * 3, path(0, 2), outputs=("a", "b")))
    assert (found.level.upper, found.judged, found.leakage) == (0, None, 0)
    assert (found.outputs, found.unlisted) == (2, None)
