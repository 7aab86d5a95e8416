"""The attacker's odds, computed from the mechanism itself, keep the promised bounds."""

import itertools
import math
import random
import re
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from tests.privacy.test_generic import law
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level, Surd
from tightrope.privacy import FormulaBound, PairBound, odds_change, promise, tradeoff_curve
from tightrope.privacy.semantics import factor_text
from tightrope.spaces import Records, categories, directed, graph, grid, haversine, matrix, path
from tightrope.spaces.products import product

F = Fraction


def true_chances(p, q, factor):
    """How likely the output moves the odds of q against p, when p is true."""
    rise = sum((x for x, y in zip(p, q, strict=True) if y >= factor * x), F(0))
    fall = sum((x for x, y in zip(p, q, strict=True) if y * factor <= x), F(0))
    return rise, fall


def test_the_odds_move_no_more_often_than_the_curve_says():
    source = random.Random(6)
    tight = 0
    for _ in range(800):
        p, q = law(source, 5), law(source, 5)
        factor = F(source.randrange(9, 40), 8)
        found = odds_change(tradeoff_curve(p, q), factor)
        rise, fall = true_chances(p, q, factor)
        assert rise <= found.rise
        assert fall <= found.fall
        tight += rise == found.rise > 0
    assert tight > 0


def test_the_suprema_agree_with_a_search():
    source = random.Random(7)
    for _ in range(60):
        bound = tradeoff_curve(law(source, 4), law(source, 4))
        factor = F(source.randrange(9, 40), 8)
        found = odds_change(bound, factor)
        grid = [F(k, 80) for k in range(1, 81)]
        rises = [a for a in grid if bound(a) >= factor * a]
        falls = [a for a in grid if bound.least(a) <= a / factor]
        for supremum, seen in ((found.rise, rises), (found.fall, falls)):
            assert supremum >= max(seen, default=F(0))
            assert supremum - max(seen, default=F(0)) <= F(1, 80)


def test_a_pure_level_never_moves_the_odds_beyond_its_ratio():
    bound = PairBound.of_level(Level.ratio(3))
    beyond = odds_change(bound, F(31, 10))
    assert (beyond.rise, beyond.fall) == (0, 0)
    at = odds_change(bound, F(3))
    assert (at.rise, at.fall) == (F(1, 4), F(3, 4))  # attained by randomized response


@pytest.mark.parametrize("epsilon", ["0.5", "0.01", "3"])
def test_the_odds_of_an_irrational_level_are_bounded_from_above(epsilon):
    # ratios just below e^ε, by 60 digits of Taylor's series: nearer than any short rational
    with localcontext() as exact:
        exact.prec = 80
        power = Decimal(epsilon).exp()
        below = [F((power * (1 - Decimal(10) ** -k)).quantize(Decimal(10) ** -60))
                 for k in (8, 12, 13, 16, 20, 30)]
        assert all(Decimal(r.numerator) / r.denominator < power for r in below)
    bound = PairBound.of_level(Level.epsilon(epsilon))
    for ratio in below:  # randomized response with this ratio has the level
        p, q = (ratio / (1 + ratio), 1 / (1 + ratio)), (1 / (1 + ratio), ratio / (1 + ratio))
        rise, fall = true_chances(p, q, ratio)
        found = odds_change(bound, ratio)
        assert (rise, fall) == (1 / (1 + ratio), ratio / (1 + ratio))
        assert found.rise >= rise
        assert found.fall >= fall
    with localcontext() as exact:
        exact.prec = 80
        above = F(Decimal(epsilon).exp() * (1 + Decimal(10) ** -9))
    assert odds_change(bound, above).rise == 0


@pytest.mark.parametrize("delta", ["0.001", "0.01", "0.2"])
@pytest.mark.parametrize("ratio", ["1.1", "2", "10"])
def test_the_sentence_about_delta_is_true(ratio, delta):
    level = Level.ratio(ratio, delta)
    moved = odds_change(PairBound.of_level(level), 2 * F(ratio))
    assert moved.rise + moved.fall < 3 * F(delta)
    assert f"3δ = {3 * float(delta):.7g}" in promise(level, path(0, 3))


@pytest.mark.parametrize("delta", ["1e-400", "1e-9", "0.00012345674", "1/3", "2/7", "0.99999999"])
def test_no_delta_is_said_to_be_smaller_than_it_is(delta):
    level = Level.ratio(2, delta)
    spaces = SPACES["product"], path(0, 3), Records(3, 0, 9)
    for said in (promise(level, space) for space in spaces):
        shown = [F(Decimal(text)) for text in re.findall(r"δ = ([\de.-]*\d)", said)]
        for held, exact in zip(shown, (level.delta, 3 * level.delta), strict=False):
            assert exact <= held <= exact * (1 + F(1, 10**6))


def test_the_identity_may_move_the_odds_without_limit():
    everything = PairBound.of([(0, 1), (1, 1)])
    assert odds_change(everything, F(100)).fall == 1
    assert odds_change(everything, F(100)).rise == F(1, 100)


def test_a_factor_of_one_is_no_change():
    with pytest.raises(BadInput, match="above 1"):
        odds_change(PairBound.of_level(Level.ratio(2)), F(1))


SPACES = {
    "matrix, far": matrix(["no", "yes"], [["0", "1000"], ["1000", "0"]]),
    "matrix, mixed": matrix("abc", [["0", "1/2", "5"], ["1/2", "0", "5"], ["5", "5", "0"]]),
    "links of several lengths": graph("abcd", [(0, 1, 3), (1, 2, 40), (2, 3, "1/4"), (0, 2, 99)]),
    "coarse grid": grid((3, 2), 1000, "manhattan"),
    "euclidean": grid((2, 2), "1/2"),
    "counts": path(0, 9),
    "values": categories(4),
    "product": product(graph("ab", [(0, 1, 7)]), path(0, 2)),
}


def stated(text):
    """The logarithms of the factors that a sentence names."""
    written = re.findall(r"= ([\d.,]*\d)(?![^(]*plus δ = )", text)
    powers = re.findall(r"(?<!2)e\^([\d.,]*\d)", text)
    found = [math.log(float(x.replace(",", ""))) for x in written]
    return sorted(found + [float(x.replace(",", "")) for x in powers])


@pytest.mark.parametrize("name", SPACES)
@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "ln(3/2)"])
def test_a_promise_is_about_the_distances_of_its_space(name, epsilon):
    space, level = SPACES[name], Level.parse(epsilon)
    pairs = itertools.combinations(range(space.size), 2)
    far = sorted(float(space.distance(i, j)) for i, j in pairs)
    true = [float(level) * d for d in (far[0], far[-1])]
    said = stated(promise(level, space))
    assert len(said) == (1 if far[0] == far[-1] else 2)
    for shown, exact in zip(said, true, strict=False):
        assert exact * (1 - 1e-9) <= shown <= exact + 0.02


@pytest.mark.parametrize("name", ["links of several lengths", "coarse grid", "counts", "product"])
def test_with_delta_a_promise_is_about_the_distances_of_neighbors(name):
    space, level = SPACES[name], Level.epsilon("0.01", delta="0.001")
    apart = [float(space.distance(i, j)) for i, j in space.neighbors.pairs]
    assert tuple(map(float, space.neighbors.apart)) == (min(apart), max(apart))
    said = promise(level, space)
    logs = stated(said.split(", plus δ")[0])
    for d in (min(apart), max(apart)):
        assert any(0.01 * d <= shown <= 0.01 * d + 0.02 for shown in logs)
    assert "plus δ = 0.001" in said


def test_a_promise_with_delta_needs_neighbors():
    with pytest.raises(Refused, match="declares no neighbors"):
        promise(Level.epsilon(1, delta="0.1"), SPACES["matrix, far"])


def test_a_factor_is_never_rounded_down():
    for k in range(1, 400):
        level = Level.epsilon(F(k, 37))
        (shown,) = stated(promise(level, categories(2)))
        assert shown >= k / 37 * (1 - 1e-12)


def test_neighbors_of_a_product_are_at_the_distance_that_is_said():
    far = product(graph("ab", [(0, 1, 7)]), path(0, 2))
    assert "distances add" in far.neighbors.relation
    assert "at distance 2" in product(path(0, 2), path(0, 2)).neighbors.relation


@pytest.mark.parametrize("ratio", [F(2), F(3, 2), F(7)])
def test_a_response_that_attains_its_ratio_moves_the_odds_by_just_that(ratio):
    # P(o | j)/P(o | i) is r with probability 1/(1 + r) and 1/r with probability r/(1 + r)
    found = odds_change(PairBound.of_level(Level.ratio(ratio)), ratio)
    assert (found.rise, found.fall) == (1 / (1 + ratio), ratio / (1 + ratio))


@pytest.mark.parametrize("level", [Level.ratio(2), Level.epsilon("1/3", delta="1/100")])
def test_a_promise_begins_with_what_it_is_about(level):
    whole, parted = path(0, 3), graph("abcd", [(0, 1), (2, 3)])
    start = "For any set of answers" if level.delta else "Inputs are from 1 to 3 apart"
    assert promise(level, whole).startswith(start)
    assert promise(level, parted).startswith(
        "Which of the 2 components an input lies in is NOT protected at all. ")
    assert promise(Level.ratio(2), categories(3)).startswith("Any two inputs are 1 apart")
    assert "inputs of one component are 1 apart" in promise(Level.ratio(2), parted)


@pytest.mark.parametrize(("unit", "name"), [("m", "meter"), ("km", "kilometer")])
def test_a_promise_on_places_says_what_its_distances_are_in(unit, name):
    space = haversine("ab", [("48.8", "2.3"), ("41.9", "12.5")], unit=unit)
    found = promise(Level.epsilon("1/10"), space)
    assert found.startswith(f"Distances are in {name}s, so ε is per {name}. Any two inputs are ")


def test_a_factor_keeps_a_tenth_of_what_it_has_above_one():
    for epsilon in (F(k, 10**power) for power in range(9) for k in (1, 2, 3, 5, 9)):
        shown = factor_text(Level.epsilon(epsilon), Surd.of(1)).removeprefix("e^ε = ")
        with localcontext() as exact:
            exact.prec = 60
            more = F((Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()) - 1
        assert more <= F(shown.replace(",", "")) - 1 <= more * F(11, 10)


def test_a_promise_about_datasets_says_its_delta():
    assert "δ" not in promise(Level.ratio(2), Records(3, 0, 9))
    said = promise(Level.ratio(2, "1/10"), Records(3, 0, 9))
    assert said.endswith("by at most a factor e^ε = 2, up to δ = 0.1.")


@pytest.mark.parametrize(("formula", "factor", "rise", "fall"), [
    ("min(2*a, (1+a)/2)", 2, "1/3", "2/3"),  # the level ln 2, which its own factor attains
    ("1", 100, "1/100", 1),  # everything is allowed
    ("(1+a)/2", 2, "1/3", 1), ("a", 2, 0, 0),
    ("a + 1e-20", 2, "1e-20", "2e-20"), ("a + 1e-50", 3, "5e-51", "1.5e-50"),
])
def test_the_odds_of_a_formula_are_bounded_from_above_and_nearly_exactly(
    formula, factor, rise, fall
):
    """M(a) >= factor · a up to `rise`, and 1 - M(1 - a) <= a / factor up to `fall`."""
    found = odds_change(FormulaBound(formula), factor)
    for shown, exact in ((found.rise, F(rise)), (found.fall, F(fall))):
        assert exact <= shown <= exact + F(1, 2**40)
        assert (shown == 0) is (exact == 0)


def test_one_way_the_promise_is_from_the_nearest_to_the_farthest():
    said = promise(Level.ratio(2), directed(range(3), [(0, 1), (1, 2)]))
    assert said.endswith("e^(ε d) at distance d: e^ε = 2 for the nearest, e^(2 ε) = 4 for the "
                         "farthest.")
    assert promise(Level.ratio(2), directed(range(2), [(0, 1)])).endswith("a factor e^ε = 2.")
