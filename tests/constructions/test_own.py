"""Mechanisms of one's own in comparisons: proved like all others, absent with the reason."""

from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr
from tightrope.errors import BadInput, Infeasible
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


def geometric(space, level):
    """The truncated geometric mechanism as one writes it with numpy, not rounded inward."""
    a, i = np.exp(-float(level)), np.arange(space.size)
    rows = (1 - a) / (1 + a) * a ** np.abs(i[:, None] - i)
    rows[:, 0], rows[:, -1] = a**i / (1 + a), a ** i[::-1] / (1 + a)
    return rows


def test_a_matrix_that_misses_the_level_by_rounding_is_repaired_and_says_so():
    space = tr.space("path:0..9")
    assert not tr.verify(geometric(space, 1), space, 1).holds  # by its last digits
    row = rows_of(tr.compare(space, 1, extra={"mine": geometric}))["mine"]
    best = tr.design(space, 1)
    assert row.solution.value == pytest.approx(best.value, rel=1e-9)
    assert row.solution.value >= best.bound
    assert row.solution.certified.certificate.holds
    assert row.parameters.startswith("repaired, moved by")


def test_more_than_rounding_is_not_repaired():
    def nearly(space, level):
        rows = geometric(space, level)
        rows[0, 0], rows[0, 1] = rows[0, 0] + 1e-7, rows[0, 1] - 1e-7
        return rows

    row = rows_of(tr.compare("path:0..9", 1, extra={"mine": nearly}))["mine"]
    assert row.solution is None
    assert "not private" in row.reason


def test_improve_takes_a_bare_matrix_with_its_space():
    better = tr.improve(BLUNT, ratio=2, space="categories:2")
    assert (better.before, better.after.value) == (0.5, pytest.approx(1 / 3))
    with pytest.raises(BadInput, match=r'space="path:0\.\.2"'):
        tr.improve(BLUNT, ratio=2)
    mine = MatrixMechanism.of(BLUNT, "categories:2")
    assert tr.improve(mine, ratio=2, space="categories:2").before == 0.5
    with pytest.raises(BadInput, match="is for categories:2"):
        tr.improve(mine, ratio=2, space="path:0..1")


def test_ones_own_stands_with_other_outputs_and_on_one_way_relations():
    wide = np.array([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]])
    rows = rows_of(tr.compare("path:0..1", ratio=2, outputs=[0, 1, 2], loss="absolute",
                              extra={"mine": wide, "x" * 60: wide}))
    assert rows["mine"].solution.value == pytest.approx((0.25 + 0.5 + 0.25 + 0.5) / 2)
    assert "x" * 60 in rows
    one_way = tr.spaces.directed(["well", "ill"], [(0, 1)])
    assert rows_of(tr.compare(one_way, ratio=2, extra={"mine": COIN}))["mine"].solution


def test_a_function_may_say_that_there_is_none():
    def none(space, level):
        raise Infeasible("there is none below ε = 2.")

    row = rows_of(tr.compare("categories:2", 1, extra={"mine": none}))["mine"]
    assert (row.solution, row.reason) == (None, "there is none below ε = 2.")


@pytest.mark.parametrize(("extra", "says"), [
    ([COIN], "such as"),
    ({5: COIN}, "from 1 to 60"),
    ({"x" * 61: COIN}, "from 1 to 60"),
    ({"geometric": COIN}, "another name"),
    ({"": COIN}, "from 1 to 60"),
    ({"a\x1bb": COIN}, "control character"),
    ({"mine": [[1, 0, 0], [1, 0, 0]]}, "3 columns for 2 answers"),
    ({"mine": lambda space, level: 1 / 0}, "ZeroDivisionError"),
    ({"mine": 5}, "for 'mine', found int"),
    ({"mine": lambda space, level: None}, "for 'mine', found NoneType"),
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
