"""What is found out about a mechanism from Python, against arithmetic by hand."""

import re
from fractions import Fraction
from math import log, log2

import pytest

from tightrope.constructions import truncated_geometric
from tightrope.documents import compose, inspect, read, render
from tightrope.documents.inspection import _judged_level
from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.privacy import Smallest, certified
from tightrope.spaces import categories, cycle, graph, grid, path

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


def test_the_tradeoff_is_that_of_the_neighbors_told_apart_best():
    rows = [["6/8", "1/8", "1/8"], ["4/8", "2/8", "2/8"], ["1/8", "1/8", "6/8"]]
    found = inspect(MatrixMechanism.of(rows, categories(3)))
    assert found.tradeoff == ((0, 0), (1 / 8, 6 / 8), (2 / 8, 7 / 8), (1, 1))
    unrelated = inspect(MatrixMechanism.of([["1/4"] * 4] * 4, grid((2, 2))))
    assert (unrelated.curve, unrelated.tradeoff) == (None, None)


@pytest.mark.parametrize(("chance", "end"), [
    ("1/2", 1), ("1/20", 1.1 * log(20)), ("2/7", 1.1 * log(3.5))])
def test_without_a_level_the_curve_goes_on_beyond_its_last_bend(chance, end):
    found = inspect(MatrixMechanism.of([[1, 0], [chance, 1 - Fraction(chance)]], categories(2)))
    assert found.curve[-1] == (pytest.approx(end), pytest.approx(float(1 - Fraction(chance))))


@pytest.mark.parametrize(("space", "best"), [
    (path(0, 1), -2 / 3),  # 1/(1 + 2) twice
    (cycle(5), -1 / 2),  # KL10, Lemma 3.3.5: 1/4 and 1/4 at a diameter of 2
    (graph("ab", [(0, 1, 2)]), None),
    (grid((2, 1)), None),
    (graph("abcd", [(0, 1), (2, 3)]), None),  # two parts, infinitely far apart
    (grid((2, 2)), None),
], ids=lambda x: getattr(x, "text", ""))
def test_the_best_coefficient_is_known_on_relations_alone(space, best):
    spread = [[Fraction(1 + (i == j), space.size + 1) for j in range(space.size)]
              for i in range(space.size)]
    found = inspect(MatrixMechanism.of(spread, space))
    assert found.level.exact == (Level.ratio(2) if space.text[:5] != "graph" else found.judged)
    assert found.dobrushin_best == (best if best is None else pytest.approx(best))


EXACT = Smallest(0.69, 0.7, Level.ratio(2))
BRACKET = Smallest(0.0, 0.5, None)


@pytest.mark.parametrize(("claim", "smallest", "judged"), [
    (None, EXACT, Level.ratio(2)),
    (None, BRACKET, Level.epsilon("0.5")),
    (None, None, None),
    (Level.ratio(3), None, None),
    (Level.ratio(3), EXACT, Level.ratio(3)),
    (Level.ratio("3/2"), EXACT, Level.ratio(2)),
    (Level.ratio(3, delta="1/9"), EXACT, Level.ratio(2)),
    (Level.epsilon("0.5"), BRACKET, Level.epsilon("0.5")),
    (Level.epsilon("0.6"), BRACKET, Level.epsilon("0.6")),
    (Level.epsilon("0.4"), BRACKET, Level.epsilon("0.5")),
    (Level.epsilon("0.4", delta="1/9"), BRACKET, Level.epsilon("0.5")),
])
def test_the_claim_is_judged_where_it_is_proved_and_else_the_smallest_level(
    claim, smallest, judged
):
    assert _judged_level(claim, smallest) == judged


def test_within_a_margin_what_is_rounded_just_inside_a_level_is_tight():
    proved = truncated_geometric(path(0, 2), Level.epsilon("0.5"))
    found = inspect(read(render(compose(proved))))
    assert found.judged == Level.epsilon("0.5")
    assert not found.generality.exact.maximally_general
    assert found.generality.margin > 0
    assert (found.generality.connected, found.generality.occurring) == (3, 3)


def test_a_kernel_is_written_out_and_a_construction_named():
    kernel = KernelMechanism(categories(3), Fraction(2), Fraction(1), (Fraction(1),) * 3)
    assert isinstance(inspect(kernel).matrix, MatrixMechanism)
    document = read(render(compose(certified(kernel, Level.ratio(2)), {"name": "by hand"})))
    assert inspect(document).construction == "by hand"


def test_what_is_printed_of_an_inspection_is_what_was_found():
    said = repr(inspect(LOOSE))
    for part in ("smallest level  0.6931471806 = ln(2) exactly", f"{log2(10 / 7):.6g} bits",
                 "2 of 3 outputs have a connected row graph"):
        assert part in said
    assert "claim" not in said
    assert "not known" not in said
    claimed = repr(inspect(read(render(compose(certified(LOOSE, Level.ratio(3)))))))
    assert "ε = ln(3) = 1.098612, not judged here" in claimed
    assert "not maximal at ε = 1.09861" in claimed
    none = repr(inspect(MatrixMechanism.of([[1, 0], ["1/2", "1/2"]], categories(2))))
    assert "at no finite level" in none
    card = inspect(LOOSE)._repr_html_()
    facts = re.sub("<[^>]*>", "|", card)
    shared = f"{-(2 + 1 + 2) / 7:.7g}"  # of rows 0 and 2
    for name, value in (("rank", "3\\|"), ("loose entries", "1 \\(on no"),
                        ("Dobrushin coefficient", f"{shared}, ")):
        assert re.search(rf"\|{name}\|+{value}", facts), name
    assert "<svg" in card


def test_beliefs_are_those_of_the_prior_that_is_given_and_of_no_other():
    assert inspect(LOOSE).beliefs is None
    found = inspect(LOOSE, ["1/2", "1/4", "1/4"]).beliefs
    # rows over 7 with these weights, over 28: 8 2 4, 3 2 2, 2 1 4; the largest of each column
    assert (found.guess_before, found.guess_after) == (Fraction(1, 2), Fraction(8 + 2 + 4, 28))
