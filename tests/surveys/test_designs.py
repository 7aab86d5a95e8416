"""Designs: exact matrices, exact protection, and what is refused."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from tightrope import surveys as sv
from tightrope.errors import BadInput, BadMatrix, NotPrivate
from tightrope.exact import Level
from tightrope.privacy import Refutation

F = Fraction

HALF = F(1, 2)
EVERY = [
    sv.binary("0.9", "0.6"),
    sv.warner("3/4"),
    sv.forced_response("1/2", "1/4"),
    sv.unrelated_question("1/2", "1/3"),
    sv.crosswise("1/6"),
    sv.kuk("0.2", "0.7"),
    sv.kuk("0.4", "0.6", 3),
    sv.k_ary(("a", "b", "c", "d"), 3),
    sv.custom(("a", "b"), ("x", "y", "z"), [["0.5", "0.25", "0.25"], ["0.2", "0.3", "0.5"]]),
]


def largest_ratio(design):
    """e^ε by going through all pairs of rows and all columns."""
    return max(p / q for a, b in product(design.rows, repeat=2) for p, q in zip(a, b, strict=True))


@pytest.mark.parametrize("design", EVERY, ids=lambda d: d.name)
def test_the_level_is_the_largest_ratio_in_a_column(design):
    found = sv.protection(design)
    assert found.finite
    assert found.level.exact == Level.ratio(largest_ratio(design))
    assert sv.prove(design).certificate.level == Level.ratio(largest_ratio(design))
    below = Level.ratio(largest_ratio(design) - F(1, 1000))
    with pytest.raises(NotPrivate):
        sv.prove(design, below)


@pytest.mark.parametrize("design", [sv.mangat("1/2"), sv.super_binary(["a", "b"], ["none"]),
                                    sv.super_binary(["a"], ["p", "q"], {"a": "1/3"})],
                         ids=lambda d: f"{d.name} {len(d.answers)}")
def test_a_zero_cell_has_no_finite_level_and_says_so(design):
    found = sv.protection(design)
    assert not found.finite
    assert isinstance(found.level, Refutation)
    assert found.text.startswith("no finite ε")
    with pytest.raises(NotPrivate, match="no finite level"):
        sv.prove(design)


def test_mangat_has_delta_p_at_every_epsilon_and_two_sensitive_answers_have_delta_one():
    for p in (F(1, 5), F(1, 2), F(9, 10)):
        design = sv.mangat(p)
        assert sv.protection(design).total_variation == p
        assert sv.delta_at(design, F(10)) == p
        assert sv.prove(design, Level.epsilon("0.01", delta=p)).certificate.holds
    assert sv.protection(sv.super_binary(["a", "b"], ["none"])).total_variation == 1


def test_forced_response_is_warner_when_the_lot_is_fair():
    assert sv.forced_response(HALF).rows == sv.warner("3/4").rows
    assert sv.crosswise("3/4").rows == sv.warner("3/4").rows


def test_kuk_counts_red_cards_by_the_binomial_law():
    design = sv.kuk("0.3", "0.6", 4)
    for theta, row in zip((F(3, 10), F(6, 10)), design.rows, strict=True):
        assert row == tuple(comb(4, j) * theta**j * (1 - theta) ** (4 - j) for j in range(5))


def test_theorem_6_4_the_violation_is_attained_by_a_yes():
    for p00, p11, share in product((F(6, 10), F(9, 10)), (F(1, 2), F(1)), (F(1, 10), F(7, 10))):
        design = sv.binary(p00, p11)
        bayes = p11 * share / (1 - p00 + share * (p00 + p11 - 1))
        assert sv.privacy_violation(design, (1 - share, share)) == bayes
        mirrored = sv.binary(1 - p00, 1 - p11)
        assert sv.privacy_violation(mirrored, (1 - share, share)) == bayes


@pytest.mark.parametrize("make", [
    lambda: sv.warner("1.5"),
    lambda: sv.warner(-1),
    lambda: sv.mangat("nonsense"),
    lambda: sv.forced_response("1/2", 2),
    lambda: sv.k_ary(("a", "b"), 1),
    lambda: sv.k_ary(("a", "a"), 3),
    lambda: sv.kuk("0.1", "0.2", 0),
    lambda: sv.custom(("a", "b"), ("x", "y"), [["0.5", "0.4"], ["0.1", "0.9"]]),
    lambda: sv.custom(("a", "b"), ("x", "y"), [["0.5", "0.5"]]),
    lambda: sv.custom(("a", "b"), ("x", "y"), [["0.5", "0.5"], ["0.1", "0.9"]], ["c"]),
    lambda: sv.super_binary(["a"], ["n"], {"a": 1}),
    lambda: sv.super_binary([], ["n"]),
    lambda: sv.shares_of(sv.warner("3/4"), "1.2"),
    lambda: sv.shares_of(sv.warner("3/4"), ["0.2", "0.2"]),
])
def test_bad_probabilities_are_refused_with_a_sentence(make):
    with pytest.raises(BadInput) as refused:
        make()
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("make", [
    lambda: sv.warner("1/2"), lambda: sv.binary("0.3", "0.7"), lambda: sv.mangat(0),
    lambda: sv.kuk("0.4", "0.4", 2), lambda: sv.forced_response(0),
    lambda: sv.custom("abc", "xyz", [[HALF, HALF, 0], [0, HALF, HALF], ["1/4", HALF, "1/4"]]),
])
def test_a_design_that_teaches_nothing_is_refused(make):
    with pytest.raises(BadMatrix, match="learned"):
        make()
