"""Mechanisms of one's own in comparisons: proved like all others, absent with the reason."""

from fractions import Fraction

import pytest

import tightrope as tr
from tightrope.errors import BadInput
from tightrope.mechanisms import MatrixMechanism

COIN = [["2/3", "1/3"], ["1/3", "2/3"]]
BLUNT = [["1/2", "1/2"], ["1/2", "1/2"]]


def rows_of(comparison):
    return {row.construction: row for row in comparison.rows}


def test_a_matrix_stands_beside_the_catalog_with_its_loss_and_gap():
    rows = rows_of(tr.compare("categories:2", ratio=2, extra={"mine": COIN, "blunt": BLUNT}))
    assert rows["mine"].solution.value == pytest.approx(1 / 3, abs=1e-12)
    assert rows["mine"].solution.gap == pytest.approx(0, abs=1e-7)
    assert rows["blunt"].solution.value == 0.5
    assert rows["blunt"].solution.gap == pytest.approx(1 / 3, abs=1e-7)  # saves 1/6 of 1/2
    assert "randomized-response" in rows


def test_what_is_not_private_has_no_loss_but_a_reason():
    row = rows_of(tr.compare("categories:2", ratio="3/2", extra={"mine": COIN}))["mine"]
    assert row.solution is None
    assert "not private" in row.reason


def test_it_can_be_the_best_and_never_below_the_bound():
    prior, ratio = ["1/2", "1/4", "1/4"], 2
    best = tr.design("path:0..2", ratio=ratio, prior=prior)
    comparison = tr.compare("path:0..2", ratio=ratio, prior=prior, extra={"found": best})
    assert comparison.solutions[0].value == rows_of(comparison)["found"].solution.value
    assert all(each.value >= comparison.bound for each in comparison.solutions)


def test_a_function_is_made_at_every_level_and_a_matrix_stands_where_it_is_private():
    asked = []

    def warner(space, level):
        asked.append(float(level))
        return tr.constructions.randomized_response(space, level)

    curve = tr.tradeoff("categories:2", [0.5, 1], extra={"warner": warner, "mine": COIN})
    assert asked == [0.5, 1]
    frame = curve.to_frame()
    assert frame.loc[(1, "warner"), "value"] == pytest.approx(1 / (1 + 2.718281828459045))
    assert frame.loc[(0.5, "mine")].isna()["value"]
    assert frame.loc[(1, "mine"), "value"] == pytest.approx(1 / 3)


def test_improve_takes_the_best_of_ones_own():
    mine = MatrixMechanism.of(COIN, "categories:2")
    blunt = MatrixMechanism.of(BLUNT, "categories:2")
    assert tr.improve(blunt, ratio=2, extra={"mine": mine}).after.value == pytest.approx(1 / 3)


@pytest.mark.parametrize(("extra", "says"), [
    ([COIN], "such as"),
    ({"geometric": COIN}, "another name"),
    ({"": COIN}, "from 1 to 60"),
    ({"a\x1bb": COIN}, "control character"),
    ({"mine": [[1, 0, 0], [1, 0, 0]]}, "3 columns for 2 answers"),
    ({"mine": lambda space, level: 1 / 0}, "ZeroDivisionError"),
    ({"mine": 5}, "found int"),
    ({"mine": MatrixMechanism.of(COIN, "path:0..1")}, "is a mechanism for path:0..1"),
])
def test_what_is_no_mechanism_is_refused_in_one_sentence(extra, says):
    with pytest.raises(BadInput, match=says) as refused:
        tr.compare("categories:2", 1, extra=extra)
    assert str(refused.value).count("\n") == 0


def test_the_distance_is_a_loss_and_exact_where_it_is_rational():
    loss = tr.Problem("cycle:5", 1, loss="distance").loss
    assert loss.exact == tuple(
        tuple(Fraction(min((x - z) % 5, (z - x) % 5)) for z in range(5)) for x in range(5))
    square = tr.Problem("grid:2x2", 1, loss="distance").loss
    assert square.values.tolist()[0] == [0, 1, 1, 2**0.5]


def test_a_function_that_returns_fractions_is_an_exact_loss():
    loss = tr.Problem("path:0..1", 1, loss=lambda x, z: Fraction(abs(x - z), 3)).loss
    assert loss.exact == ((0, Fraction(1, 3)), (Fraction(1, 3), 0))
