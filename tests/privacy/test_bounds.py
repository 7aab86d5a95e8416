"""Bounds by formula, irrational levels, strict boundaries and jumps against all events."""

import random
from decimal import Decimal, localcontext
from fractions import Fraction
from math import erfc, exp, log, sqrt
from statistics import NormalDist

import pytest

from tests.privacy.test_generic import events, law, on_two
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.privacy import (
    FormulaBound,
    GenericDefinition,
    Jump,
    PairBound,
    Strict,
    allows,
    level_bound,
    total_variation,
    verify,
    verify_generic,
)
from tightrope.privacy.bounds import LevelBound
from tightrope.spaces import Relation, categories

F, NORMAL = Fraction, NormalDist()


def root_allows(a, b):
    """b <= √a, by squares."""
    return b * b <= a


def cube_allows(a, b):
    """b <= 1 - (1 - a)³, in fractions."""
    return b <= 1 - (1 - a) ** 3


@pytest.mark.parametrize(
    ("formula", "plain"), [("sqrt(a)", root_allows), ("1-(1-a)^3", cube_allows)]
)
def test_the_corners_decide_for_all_events_under_a_formula(formula, plain):
    source = random.Random(21)
    bound, held = FormulaBound(formula), 0
    for _ in range(300):
        p, q = law(source, 4), law(source, 4)
        expected = all(plain(a, b) for a, b in events(p, q))
        found = verify_generic(on_two(p, q), GenericDefinition({(0, 1): bound}))
        assert found.holds == expected
        held += expected
        if not found.holds:
            a, b = found.broken.probabilities
            assert a == sum(p[z] for z in found.broken.outputs)
            assert b == sum(q[z] for z in found.broken.outputs)
            assert not plain(a, b)
            assert plain(a, max(F(0), found.broken.allowed - F(1, 10**12)))
    assert 10 < held < 290


def test_a_tie_with_a_root_is_a_tie():
    root = FormulaBound("sqrt(a)")
    for k in range(1, 20):
        assert root.sign(F(k * k, 400), F(k, 20)) == 0
        assert root.sign(F(k * k, 400), F(k, 20) + F(1, 10**60)) == 1
        assert root.sign(F(k * k, 400), F(k, 20) - F(1, 10**60)) == -1


def normal(t):
    return erfc(-t / sqrt(2)) / 2


def test_the_gaussian_bound_is_the_trade_off_of_two_gaussians():
    for mu, threshold in ((0.5, -1.0), (1.0, 0.25), (3.0, -2.0)):
        bound = FormulaBound(f"gaussian(a, {mu})")
        a, b = normal(threshold), normal(threshold + mu)  # the event "at most threshold", moved
        assert abs(float(bound.above(F(a))) - b) < 1e-12
        assert bound.sign(F(a), F(b) + F(1, 10**9)) == 1
        assert bound.sign(F(a), F(b) - F(1, 10**9)) == -1
    assert bound.sign(F(0), F(0)) == bound.sign(F(1), F(1)) == 0
    assert FormulaBound("gaussian(a, 0)").sign(F(1, 3), F(1, 3)) == 0


@pytest.mark.parametrize("delta", [0, "1/10"])
def test_an_irrational_level_is_decided_between_two_fractions_that_enclose_it(delta):
    level = Level.epsilon("0.5", delta)
    bound = LevelBound(level)
    with localcontext() as context:
        context.prec = 60
        power = F(Decimal("0.5").exp())
    tiny = F(1, 10**40)
    for k in range(1, 20):
        a = F(k, 20)
        true = min(F(1), power * a + level.delta, 1 - (1 - a - level.delta) / power)
        if true == 1:
            assert bound.sign(a, F(1)) == 0
            continue
        assert bound.sign(a, true - tiny) == -1
        assert bound.sign(a, true + tiny) == 1
        assert 0 <= bound.above(a) - true + tiny < F(1, 2**90)


def test_levels_are_judged_as_verify_judges_them():
    source = random.Random(22)
    answers = set()
    for _ in range(150):
        p, q = law(source, 3), law(source, 3)
        level = Level.epsilon(source.choice(("0.3", "1", "2")), source.choice(("0", "1/5")))
        definition = GenericDefinition.on_neighbors(categories(2), level_bound(level))
        holds = verify(on_two(p, q), categories(2), level).holds
        assert verify_generic(on_two(p, q), definition).holds == holds
        answers.add(holds)
    assert answers == {True, False}


def test_epsilon_zero_with_delta_is_total_variation():
    source = random.Random(23)
    for _ in range(200):
        p, q = law(source, 4), law(source, 4)
        apart = sum(max(F(0), y - x) for x, y in zip(p, q, strict=True))
        for delta in (apart, apart - F(1, 1000)):
            if delta < 0:
                continue
            definition = GenericDefinition({(0, 1): total_variation(delta)})
            assert verify_generic(on_two(p, q), definition).holds == (delta == apart)


def test_a_strict_boundary_forbids_what_a_closed_one_allows():
    p, q = [F(1, 4), F(3, 4)], [F(1, 2), F(1, 2)]
    root = FormulaBound("sqrt(a)")
    assert verify_generic(on_two(p, q), GenericDefinition({(0, 1): root})).holds
    found = verify_generic(on_two(p, q), GenericDefinition({(0, 1): Strict(root)}))
    assert found.broken.probabilities == (F(1, 4), F(1, 2))
    assert found.broken.allowed == F(1, 2)


def test_under_a_strict_boundary_the_corners_decide_for_all_events():
    source = random.Random(24)
    answers = {True: 0, False: 0}
    for _ in range(400):
        p, q = law(source, 3), law(source, 3)
        bound = PairBound.of_level(Level.ratio(source.choice((2, 3)), source.choice(("0", "1/4"))))
        expected = all(a == b or b < bound(a) for a, b in events(p, q))
        assert verify_generic(
            on_two(p, q), GenericDefinition({(0, 1): Strict(bound)})
        ).holds == expected
        answers[expected] += 1
    assert min(answers.values()) > 10


def test_equal_laws_keep_every_strict_bound():
    p = [F(1, 3), F(2, 3)]
    for bound in (FormulaBound("a"), total_variation(0), FormulaBound("sqrt(a)")):
        assert verify_generic(on_two(p, p), GenericDefinition({(0, 1): Strict(bound)})).holds


def test_a_jump_at_zero_counts_for_impossible_events_alone():
    p, q = [F(0), F(1)], [F(1, 10), F(9, 10)]
    free, jump = FormulaBound("min(1, a + 0.1)"), Jump(FormulaBound("min(1, a + 0.1)"), "1/20")
    assert verify_generic(on_two(p, q), GenericDefinition({(0, 1): free})).holds
    found = verify_generic(on_two(p, q), GenericDefinition({(0, 1): jump})).broken
    assert found.probabilities == (0, F(1, 10))
    assert found.allowed == F(1, 20)
    assert allows(jump, F(1, 10**9), F(1, 10))
    with pytest.raises(BadInput, match="M\\(0\\)"):
        Jump(free, "1/5")


@pytest.mark.parametrize(("formula", "word"), [
    ("a^2", "convex"), ("a*(2-a)", "multiplies"), ("1-a", "M\\(1\\)"), ("2*a-1/2", "M\\(0\\)"),
    ("sin(a)", "no part"), ("sqrt(a) + a^2", "adds"), ("ln(a)+1", "bends"), ("a/0", "divides"),
    ("(1+a)/(2-a)", "divides"), ("a^a", "exponent"), ("a^2000", "exponents"), ("x", "no part"),
    ("", "cannot be read"), ("a +", "cannot be read"), ("(" * 300, "cannot be read"),
    ("a" * 500, "characters"), ("gaussian(a, -1)", "at least 0"), ("gaussian(2*a, 1)", "bends"),
    ("min(a)", "parts"), ("exp(a)", "convex"), ("sqrt(a-1/2)", "bends"),
    ("exp(ln(2))/2*a", "cannot be bounded"), ("a if a else 1", "no part"), ("1j*a", "number"),
])
def test_what_cannot_be_bounded_is_refused_in_one_sentence(formula, word):
    with pytest.raises(BadInput, match=word) as seen:
        FormulaBound(formula)
    assert "\n" not in str(seen.value)


def test_formulas_that_are_bounds_are_concave_and_end_at_one():
    for formula in ("sqrt(a)", "√a", "1-(1-a)^7", "2*a-a^2", "a^(1/3)", "ln(1+a)/ln(2)",
                    "min(1, exp(0.5)*a, 1-exp(-0.5)*(1-a))", "(1-exp(-2*a))/(1-exp(-2))",
                    "1-((1-a)^2)^2", "0.1+0.9*a^0.5", "gaussian(a, 1/2)", "1", "min(3*a+1/10, 1)",
                    "gaussian(gaussian(a,1),1)", "2-1/(1+a)-1/2*a/1"):
        bound = FormulaBound(formula)
        values = [float(bound.above(F(k, 16))) for k in range(17)]
        assert values[-1] == 1
        assert all(
            middle >= (left + right) / 2 - 1e-12
            for left, middle, right in zip(values, values[1:], values[2:], strict=False)
        )


def test_a_relation_may_be_directed_and_disconnected():
    relation = Relation.of("abcd", [("a", "b"), ("d", "c"), ("a", "b")])
    assert relation.pairs == ((0, 1), (3, 2))
    assert not relation.symmetric
    assert relation.components == ((0, 1), (2, 3))
    assert Relation.of("abcd", [("a", "b")], both_ways=True).symmetric
    assert len(Relation.complete(list("abcd"))) == 12
    for pairs, word in (([("a", "a")], "twice"), ([("a", "x")], "no input"), ([], "at least one"),
                        ([("a",)], "a pair")):
        with pytest.raises(BadInput, match=word):
            Relation.of("abcd", pairs)


def test_a_jump_is_compared_with_its_own_value_at_0():
    jump = Jump(FormulaBound("1"), "1/2")
    signs = [jump.sign(Fraction(0), Fraction(b, 4)) for b in (1, 2, 3)]
    assert signs == [-1, 0, 1]
    assert jump.sign(Fraction(1, 9), Fraction(3, 4)) == -1
    for wrong in (-1, "5/4"):
        with pytest.raises(BadInput):
            Jump(FormulaBound("1"), wrong)


BENT = {  # how each rule bends: true bounds are taken, what bends up or ends too low is not
    "2-sqrt(a)": lambda a: 2 - sqrt(a),
    "(-1)*sqrt(a)+2": lambda a: 2 - sqrt(a),
    "sqrt(a)*(-1)+2": lambda a: 2 - sqrt(a),
    "sqrt(a)/(-1)+2": lambda a: 2 - sqrt(a),
    "(-1)*a^2+2": lambda a: 2 - a * a,
    "a^2*(-1)+2": lambda a: 2 - a * a,
    "a^2/(-1)+2": lambda a: 2 - a * a,
    "0*a^2+1": lambda a: 1,
    "1/(2-a)": lambda a: 1 / (2 - a),
    "1/(a+1)+1/2": lambda a: 1 / (a + 1) + 1 / 2,
    "(-1)/(a+1)+3/2": lambda a: 3 / 2 - 1 / (a + 1),
    "2+1/(1-2*a)": lambda a: 2 + 1 / (1 - 2 * a) if a != 0.5 else -9,
    "(-1)*(a-2)^3": lambda a: (2 - a) ** 3,
    "2-(2*a-1)^3": lambda a: 2 - (2 * a - 1) ** 3,
    "2-(2*a-1)^2": lambda a: 2 - (2 * a - 1) ** 2,
    "2-4*(a^2-1/2)^2": lambda a: 2 - 4 * (a * a - 1 / 2) ** 2,
    "2-4*max(a-1, a^2-1/2)^2": lambda a: 2 - 4 * max(a - 1, a * a - 1 / 2) ** 2,
    "2-max(a-1, a^2)^2": lambda a: 2 - a**4,
    "5-(a^2+1)^2": lambda a: 5 - (a * a + 1) ** 2,
    "5-(1/3+a^2*2)^2": lambda a: 5 - (1 / 3 + 2 * a * a) ** 2,
    "2-a^(-1)": lambda a: 2 - 1 / a if a else -9,
    "3/2-(1+a)^(-1)": lambda a: 3 / 2 - 1 / (1 + a),
    "4-exp(sqrt(a))": lambda a: 4 - exp(sqrt(a)),
    "4-exp(a^2)": lambda a: 4 - exp(a * a),
    "min(2, a^2+1/2)": lambda a: min(2, a * a + 1 / 2),
    "max(sqrt(a), 1/2)": lambda a: max(sqrt(a), 1 / 2),
    "3-max(a, a^2+1/2)": lambda a: 3 - max(a, a * a + 1 / 2),
    "gaussian(a^2, 1)": lambda a: normal(NORMAL.inv_cdf(a * a) + 1) if 0 < a < 1 else a,
    "ln(a^2+1/10)+4": lambda a: log(a * a + 1 / 10) + 4,
    "3-max(sqrt(a), a^2)": lambda a: 3 - max(sqrt(a), a * a),
    "gaussian(a-1/10, 1)+1": lambda a: normal(NORMAL.inv_cdf(a - 0.1) + 1) + 1 if a > 0.1 else -9,
    "12-1/(a^2+1/10)": lambda a: 12 - 1 / (a * a + 1 / 10),
    "12-(a^2+1/10)^(-1)": lambda a: 12 - 1 / (a * a + 1 / 10),
    "2-1/(1-2*a)": lambda a: 2 - 1 / (1 - 2 * a) if a != 0.5 else -9,
    "2-(1-2*a)^(-1)": lambda a: 2 - 1 / (1 - 2 * a) if a != 0.5 else -9,
    "2-1/a": lambda a: 2 - 1 / a if a else -9,
    "a/(1-1)+1": lambda a: -9,
    "2-(a-1/2)^(4/3)": lambda a: 2 - (a - 0.5) ** (4 / 3) if a >= 0.5 else -9,
    "sqrt(a^2+1/100)": lambda a: sqrt(a * a + 0.01),
    "2-(a^2)^(1/4)": lambda a: 2 - sqrt(a),
    "2-(2*a-a^2)^2": lambda a: 2 - (2 * a - a * a) ** 2,
    "9-(1+2*a-a^2)^3": lambda a: 9 - (1 + 2 * a - a * a) ** 3,
    "4-(a^3+1/2)^2": lambda a: 4 - (a**3 + 1 / 2) ** 2,
    "4-((a-1/2)^3+1/2)^2": lambda a: 4 - ((a - 1 / 2) ** 3 + 1 / 2) ** 2,
    "4-((a-1/2)^2)^3": lambda a: 4 - (a - 1 / 2) ** 6,
    "4-(exp(a)-5/2)^2": lambda a: 4 - (exp(a) - 5 / 2) ** 2,
    "9-(exp(a)+a/2)^2": lambda a: 9 - (exp(a) + a / 2) ** 2,
    "12-(exp(a)+a/2)^2": lambda a: 12 - (exp(a) + a / 2) ** 2,
    "gaussian(gaussian(a, 1), 1)": lambda a: normal(NORMAL.inv_cdf(a) + 2) if 0 < a < 1 else a,
    "3-((1-a)+a^2)^2": lambda a: 3 - (1 - a + a * a) ** 2,
    "2-(a^2-a)^2": lambda a: 2 - (a * a - a) ** 2,
    "5-(a^2+ln(2))^2": lambda a: 5 - (a * a + log(2)) ** 2,
    "2-(a^2+ln(1/2))^2": lambda a: 2 - (a * a + log(1 / 2)) ** 2,
    "a^2+a+1": lambda a: a * a + a + 1,
    "sqrt(a)+a+1": lambda a: sqrt(a) + a + 1,
    "a^(3/2)": lambda a: a**1.5,
    "2-a^(3/2)": lambda a: 2 - a**1.5,
    "(a^2)^1": lambda a: a * a,
    "sqrt(a)^1": sqrt,
    "a-1/10": lambda a: a - 1 / 10,
    "9/10*sqrt(a)": lambda a: 0.9 * sqrt(a),
    "a": lambda a: a,
    "1+ln(a+1/10)-ln(11/10)+3": lambda a: 4 + log(a + 0.1) - log(1.1),
}


@pytest.mark.parametrize("formula", BENT)
def test_a_formula_is_a_bound_if_it_bends_down_and_ends_high_enough(formula):
    values = [BENT[formula](k / 32) for k in range(33)]
    concave = all(middle >= (left + right) / 2 - 1e-12
                  for left, middle, right in zip(values, values[1:], values[2:], strict=False))
    if concave and values[0] >= 0 and values[-1] >= 1 - 1e-12:
        assert FormulaBound(formula).sign(F(1, 2), F(0)) == -1
    else:
        with pytest.raises(BadInput, match=r"cannot be bounded|divides by 0"):
            FormulaBound(formula)
