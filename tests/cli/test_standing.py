"""What is said of a loss beside the best: optimal if nothing is open, else by how much at most."""

import json
import re
from fractions import Fraction

import pytest

import tightrope as tr
from tests.cli.test_contract import reference
from tightrope.utility import LossMatrix, Problem, Solution, standing_of
from tightrope.utility.standing import largest_gap, one_digit_above

OPEN = ("points:p.csv", "--epsilon", "1.2", "--loss", "euclidean")


@pytest.fixture
def points(folder):
    (folder / "p.csv").write_text("x,y\n0,0\n1,0.3\n0.2,1.7\n2,2.5\n", encoding="utf-8")


def test_a_small_gap_is_told_and_not_called_optimal(tightrope, points):
    found = tightrope("design", *OPEN, "--json").json
    assert found["theorem"] is None
    assert 0 < found["gap"] <= 1e-6
    for command in (("design", *OPEN), ("compare", *OPEN),
                    ("tradeoff", "points:p.csv", "--epsilons", "1.2:1.2:1")):
        said = " ".join(tightrope(*command).out.split())
        told = re.search(r"optimal within (\de-\d+)", said)
        assert told is not None, said
        assert Fraction(found["gap"]) <= Fraction(told[1]) <= 2 * 10 * Fraction(found["gap"])
        assert "this is optimal:" not in said
    shown = tr.design(tr.space("points:p.csv"), 1.2, loss="euclidean")
    for text in (repr(shown), shown._repr_html_()):
        assert "optimal within" in text


def test_a_theorem_and_a_gap_of_zero_are_optimal(tightrope):
    for space in ("path:0..4", "categories:3"):
        said = tightrope("design", space, "--ratio", 2).out
        assert "optimal" in said
        assert "optimal within" not in said
    rows = tightrope("compare", "categories:3", "--ratio", 2).out.splitlines()
    (theorem,) = (row.split() for row in rows if row.split()[:1] == ["randomized-response"])
    assert theorem[2:4] == ["optimal", "0.693147"]


def test_doubles_that_agree_do_not_make_a_loss_optimal():
    """Duals are rounded to multiples of 2^-96, so that this one falls short of the exact loss."""
    geometric = tr.design("path:0..3", tr.Level.ratio(2), construction="geometric")
    dual = tr.design("path:0..3", tr.Level.ratio(2), construction="remapped-geometric").dual
    held = geometric.proved(dual)
    assert (held.theorem, held.gap) == (None, 0)
    assert 0 < largest_gap(held) < Fraction(1, 2**90)
    for text in (standing_of(held), repr(held), held._repr_html_()):
        assert "optimal within 1e-20" in text


def test_one_mechanism_under_two_names_has_one_theorem():
    rows = {row.construction: row.solution for row in
            tr.compare("path:0..3", tr.Level.ratio(2)).rows if row.solution is not None}
    assert rows["geometric"].mechanism == rows["remapped-geometric"].mechanism
    assert rows["geometric"].theorem == rows["remapped-geometric"].theorem is not None
    assert standing_of(rows["geometric"]) == "optimal"
    assert rows["exponential"].theorem is None


def test_a_loss_that_is_the_bound_is_optimal():
    """A coin is the best at ε = 0, and errs by exactly 1/2."""
    fair = tr.design("categories:2", tr.Level.epsilon(0), construction="optimal")
    assert (fair.theorem, largest_gap(fair)) == (None, 0)
    assert standing_of(fair) == "optimal"


def test_a_loss_above_the_bound_by_less_than_a_double_shows_is_not_optimal():
    """Losses 1 and 1 + 2^-60 round to one double; the first answer is the better one."""
    more = Fraction(2**60 + 1, 2**60)
    problem = Problem("categories:2", 1, loss=LossMatrix([[1, more], [1, more]]))
    second = tr.mechanisms.MatrixMechanism.of([["0", "1"], ["0", "1"]], "categories:2")
    best = tr.design("categories:2", 1, loss=LossMatrix([[1, more], [1, more]]))
    worse = Solution(problem, tr.privacy.certified(second, 1), "second").proved(best.dual)
    assert worse.gap == 0
    assert largest_gap(worse) == 1 - 1 / more
    assert standing_of(worse) == "optimal within 9e-19"


@pytest.mark.parametrize("gap", [1.7e-8, 2e-8, 9.01e-9, 1e-6, 1e-30, 4.9e-7, 9.5e-7])
def test_a_gap_is_rounded_outward_to_one_digit(gap):
    told = one_digit_above(gap)
    assert re.fullmatch(r"[1-9]e-\d+", told)
    assert Fraction(gap) <= Fraction(told) <= max(2 * Fraction(gap), Fraction(1, 10**20))


def test_the_level_asked_for_stands_beside_the_level_proved(tightrope):
    found = tightrope("design", "categories:3", "--epsilon", "1", "--construction", "exponential",
                      "--json").json
    assert (found["epsilon"], found["epsilon_text"]) == (1, "1")
    assert found["level_proved"]["upper"] <= 0.5 + 1e-3


def test_no_answer_has_the_key_of_failures(tightrope):
    keys = reference().KEYS
    assert [command for command, names in keys.items() if "error" in names.split()] == []
    failed = tightrope("design", "nowhere:3", "--epsilon", "1", "--json")
    assert set(json.loads(failed.out)) == {"error", "kind", "exit"}
