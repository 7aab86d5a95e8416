"""Rényi divergences and zCDP: against sums in 60 digits on fine grids of orders."""

import random
from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf, log

import pytest

import tightrope as tr
from tightrope.errors import BadInput, Refused
from tightrope.privacy import named_definition, privacy_loss, renyi_curve, verify_renyi

F = Fraction


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def divergence(p, q, alpha):
    """D_α in decimals of 60 digits, both laws positive."""
    with localcontext(prec=60):
        if alpha == 1:
            return sum(decimal(a) * (decimal(a) / decimal(b)).ln() for a, b in zip(p, q,
                                                                                  strict=True))
        order = decimal(F(alpha))
        total = sum(((order * decimal(a).ln()) + (1 - order) * decimal(b).ln()).exp()
                    for a, b in zip(p, q, strict=True))
        return total.ln() / (order - 1)


def random_law(rng, width):
    weights = [F(rng.randint(1, 9)) for _ in range(width)]
    return [w / sum(weights) for w in weights]


def random_pair(rng):
    width = rng.choice([2, 3])
    p, q = random_law(rng, width), random_law(rng, width)
    return (p, q) if p != q else random_pair(rng)


def test_two_hundred_divergences_lie_in_their_brackets():
    rng = random.Random(1)
    for _ in range(200):
        p, q = random_pair(rng)
        alpha = rng.choice([F(1), F(3, 2), F(2), F(7), F(101, 100), F(64)])
        low, high = renyi_curve([p, q], "categories:2").at(alpha)
        true = max(divergence(p, q, alpha), divergence(q, p, alpha))
        assert Decimal(low) <= true <= Decimal(high)
        assert high - low <= 4e-15 * max(1.0, high)


def test_two_hundred_renyi_levels_on_both_sides():
    rng = random.Random(2)
    for _ in range(100):
        p, q = random_pair(rng)
        alpha = rng.choice([F(1), F(5, 4), F(2), F(10)])
        true = F(max(divergence(p, q, alpha), divergence(q, p, alpha)))
        for factor, expected in ((1 + F(1, 10**12), True), (1 - F(1, 10**12), False)):
            verdict = verify_renyi([p, q], f"renyi:alpha={alpha},epsilon={true * factor}",
                                   "categories:2")
            assert verdict.holds is expected
            assert (verdict.witness is None) is expected


def least_rho(p, q):
    """sup D_α / α on a grid of orders, finer near 1; doubles are enough for 1 in 1,000."""
    best = max(float(divergence(p, q, 1)), float(divergence(q, p, 1)))
    for order in (1 + 1.1**k / 1000 for k in range(110)):
        for x, y in ((p, q), (q, p)):
            total = sum(float(a) * float(a / b) ** (order - 1) for a, b in zip(x, y, strict=True))
            best = max(best, log(total) / (order - 1) / order)
    return best


@pytest.mark.slow
def test_two_hundred_zcdp_levels_on_both_sides():
    rng = random.Random(3)
    for number in range(100):
        p, q = random_pair(rng)
        rho = F(least_rho(p, q)).limit_denominator(10**9)
        above = verify_renyi([p, q], f"zcdp:rho={rho * F(1005, 1000)}", "categories:2")
        below = verify_renyi([p, q], f"zcdp:rho={rho * F(999, 1000)}", "categories:2")
        assert above.holds is True
        assert below.holds is False
        witness = below.witness
        laws = {0: p, 1: q}
        true = divergence(laws[witness.first], laws[witness.second], witness.order)
        assert true > decimal(below.definition.rho * witness.order)
        if number % 5 == 0:
            low, high = renyi_curve([p, q], "categories:2").rho
            assert low <= float(rho) * 1.005
            assert high >= float(rho) * 0.999999
            assert high - low <= 1e-5 * high


def test_an_order_between_two_good_ones_is_found(monkeypatch):
    # D_1 = ρ·0.9... and D_α/α largest at an order inside: a rare output with a large ratio
    p, q = [F(1, 50), F(49, 50)], [F(1, 5000), F(4999, 5000)]
    inside = max(range(2, 60), key=lambda k: divergence(p, q, 1 + F(k, 10)) / (10 + k))
    assert 2 < inside < 59
    rho = F(float(divergence(p, q, 1 + F(inside, 10)))) / (1 + F(inside, 10)) * F(999, 1000)
    verdict = verify_renyi([p, q], f"zcdp:rho={rho}", "categories:2")
    assert verdict.holds is False
    assert abs(float(verdict.witness.order) - (1 + inside / 10)) < 2
    monkeypatch.setattr("tightrope.privacy.renyi._MOST_ORDERS", 3)
    assert verify_renyi([p, q], f"zcdp:rho={rho}", "categories:2").holds is None


def test_equal_laws_zero_levels_and_impossible_outputs():
    flat, coin = [["1/2", "1/2"]] * 2, [["3/4", "1/4"], ["1/4", "3/4"]]
    apart = [["1", "0"], ["1/2", "1/2"]]
    assert verify_renyi(flat, "zcdp:rho=0", "categories:2").holds is True
    assert verify_renyi(flat, "renyi:alpha=9,epsilon=0", "categories:2").holds is True
    close = [[F(1, 2) + F(1, 2**150), F(1, 2) - F(1, 2**150)], flat[0]]
    for unequal in (coin, close):
        assert verify_renyi(unequal, "zcdp:rho=0", "categories:2").holds is False
    for definition in ("zcdp:rho=100", "renyi:alpha=2,epsilon=100"):
        verdict = verify_renyi(apart, definition, "categories:2")
        assert verdict.holds is False
        assert verdict.witness.divergence == inf
    assert renyi_curve(apart, "categories:2").at(2) == (inf, inf)
    assert renyi_curve(flat, "categories:2").rho == (0.0, 0.0)


def test_a_tie_too_close_to_decide_is_neither_yes_nor_no(monkeypatch):
    monkeypatch.setattr("tightrope.privacy.renyi._MOST_BITS", 128)
    coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    with localcontext(prec=60):
        near = F((Decimal(7) / Decimal(3)).ln())  # D_2 = ln(7/3), to 60 digits
    verdict = verify_renyi(coin, f"renyi:alpha=2,epsilon={near}", "categories:2")
    assert verdict.holds is None
    assert "not decided" in repr(verdict)
    among = verify_renyi([*coin, ["3/8", "5/8"]], f"renyi:alpha=2,epsilon={near}", "path:0..2")
    assert among.holds is None  # however clear the pairs are that come later


@pytest.mark.parametrize("text", ["renyi:alpha=2", "zcdp:rho=-1", "renyi:alpha=0.5,epsilon=1",
                                  "zcdp:rho=1,rho=2", "renyi:alpha=x,epsilon=1", "zcdp:"])
def test_bad_names_are_refused(text):
    with pytest.raises(BadInput):
        verify_renyi([["1/2", "1/2"]] * 2, text, "categories:2")


def test_other_text_bad_orders_and_spaces_without_neighbors_are_refused():
    with pytest.raises(BadInput, match="zcdp:rho"):
        verify_renyi([["1/2", "1/2"]] * 2, "gauss:mu=1", "categories:2")
    with pytest.raises(BadInput, match="order from 1"):
        renyi_curve([["1/2", "1/2"]] * 2, "categories:2").at(0.5)
    with pytest.raises(Refused):
        renyi_curve([["1/2", "1/2"]] * 4, "grid:2x2,metric=euclidean")


def test_the_law_of_the_privacy_loss_adds_up_and_gives_its_tails():
    rng = random.Random(4)
    for _ in range(200):
        p, q = random_pair(rng)
        curve = privacy_loss([p, q], "categories:2")
        assert all(sum(chance for _, chance in law) == 1 for law in curve.laws)
        ratio = F(rng.randint(10, 30), 10)
        tails = [sum(a for a, b in zip(x, y, strict=True) if a > ratio * b)
                 for x, y in ((p, q), (q, p))]
        assert curve.at(tr.Level.ratio(ratio)) == max(tails)


def test_curves_take_numbers():
    coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    low, high = tr.delta_curve(coin, "categories:2").at(0.3)
    assert float(low) == pytest.approx(0.75 - 0.25 * 2.718281828459045 ** 0.3)
    assert low <= high
    assert privacy_loss(coin, "categories:2").at(0.3) == F(3, 4)


def test_the_infinite_order_is_the_pure_level():
    rows = [["3/5", "2/5"], ["1/5", "4/5"]]
    for order in (inf, "inf"):
        low, high = renyi_curve(rows, "categories:2").at(order)
        assert low <= log(3) <= high
        assert high - low < 1e-15
    assert renyi_curve([[1, 0], ["1/2", "1/2"]], "categories:2").at(inf) == (inf, inf)


def test_curves_describe_themselves_in_a_few_lines():
    rows = [["3/4", "1/4"], ["1/4", "3/4"]]
    text = repr(renyi_curve(rows, "categories:2"))
    assert all(part in text for part in ("0.549306", "0.847298", "1.05751", "1.09861"))
    text = repr(privacy_loss(rows, "categories:2"))
    assert "ln(3)" in text
    assert "0.75" in text
    assert "infinite" in repr(privacy_loss([[1, 0], ["1/2", "1/2"]], "categories:2"))


def test_a_curve_judges_a_definition_as_it_is_typed():
    curve = renyi_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2")
    assert curve.judge("zcdp:rho=0.55").holds
    assert "1 pair of laws" in repr(curve.judge("renyi:alpha=2,epsilon=1"))
    with pytest.raises(BadInput, match=r"zcdp:rho=0\.05"):
        curve.judge("rho=1")


def test_the_smallest_rho_of_a_coin_is_half_its_loss_and_of_others_lies_in_the_bracket():
    low, high = renyi_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2").rho
    assert low <= log(3) / 2 <= high <= low + 1.1e-6 * high  # sup D_α/α at 1, where D_1 = ln(3)/2
    rng = random.Random(5)
    for _ in range(3):
        p, q = random_pair(rng)
        rho = least_rho(p, q)
        low, high = renyi_curve([p, q], "categories:2").rho
        assert high >= rho * (1 - 1e-12)
        assert low <= rho * 1.002
        assert high - low <= 1.1e-6 * high
        for factor, holds in ((F(1002, 1000), True), (F(999, 1000), False)):
            verdict = verify_renyi([p, q], f"zcdp:rho={F(rho) * factor}", "categories:2")
            assert verdict.holds is holds
    assert renyi_curve([[1, 0], ["1/2", "1/2"]], "categories:2").rho == (inf, inf)


@pytest.mark.parametrize(("rho", "orders"), [
    ("0", (2, 2)), ("0.2", (2, 2)), ("0.27", (2, 2)), ("0.28", (1, 1.98)), ("0.5", (1, 1.1)),
    ("0.549306", (1, 1.000001)),
])
def test_a_witness_of_zcdp_breaks_it_by_what_it_says(rho, orders):
    p, q = [F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]
    witness = verify_renyi([p, q], f"zcdp:rho={rho}", "categories:2").witness
    assert orders[0] <= witness.order <= orders[1]
    assert witness.order > 1
    true = divergence(p, q, witness.order)
    assert witness.allowed == F(rho) * witness.order
    assert decimal(witness.allowed) < true
    assert Decimal(witness.divergence) <= true < Decimal(witness.divergence) + Decimal("1e-15")
    assert witness.as_json()["allowed"] == float(witness.allowed)


def test_a_witness_at_a_later_order_breaks_it_too():
    p, q = [F(1, 50), F(49, 50)], [F(1, 5000), F(4999, 5000)]  # D_1 is small, D_5 / 5 larger
    rho = F(float(divergence(p, q, 1))) * F(11, 10)
    witness = verify_renyi([p, q], f"zcdp:rho={rho}", "categories:2").witness
    assert divergence(p, q, witness.order) > decimal(rho * witness.order)


def test_a_fraction_above_a_divergence_is_above_it():
    curve = renyi_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2")
    with localcontext(prec=60):  # so that one more digit than those of the enclosure shows
        true = (Decimal(7) / Decimal(3)).ln()
        assert true < decimal(curve.above(F(2))) < true + Decimal("1e-20")
    assert curve.at(10**6)[1] <= 1.09861229
    with pytest.raises(BadInput, match="order from 1"):
        curve.at(10**6 + 1)


def test_the_largest_of_all_pairs_decides():
    rows = [["1/2", "1/2"], ["1/2", "1/2"], ["3/4", "1/4"]]
    curve = renyi_curve(rows, "path:0..2")
    assert curve.at(1)[0] == pytest.approx(log(4 / 3) / 2)  # of the even law from the other
    assert curve.rho[1] >= log(4 / 3) / 2
    assert curve.judge("renyi:alpha=1,epsilon=0.14").holds is False
    assert curve.judge("renyi:alpha=1,epsilon=0.1439").holds is True


def test_verdicts_say_which_they_are():
    coin = renyi_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2")
    yes, no = (coin.judge(f"renyi:alpha=2,epsilon={epsilon}").facts() for epsilon in (1, 0.5))
    assert yes.title == "proved: renyi:alpha=2,epsilon=1"
    assert no.title == "refuted: renyi:alpha=2,epsilon=1/2"
    assert (yes.json["holds"], yes.json["witness"]) == (True, None)
    assert no.json["witness"]["divergence"] == pytest.approx(log(7 / 3))
    assert "at least 0.84729786," in dict(no.labeled)["witness"]
    assert (yes.sentences, no.sentences) == ((), ())


def test_the_privacy_loss_of_an_impossible_output_is_infinite_and_comes_first():
    curve = privacy_loss([[1, 0], ["1/2", "1/2"]], "path:0..1")
    assert dict(zip(curve.pairs, curve.laws, strict=True)) == {
        (0, 1): ((F(2), F(1)),), (1, 0): ((None, F(1, 2)), (F(1, 2), F(1, 2)))}
    assert curve.at(100) == F(1, 2)
    assert curve.facts().json["chance"] == "1/2"


def test_losses_stand_in_falling_order_and_the_largest_chance_of_the_largest_is_told():
    rows = [["1/2", "1/2"], ["1/6", "5/6"], ["1/18", "17/18"]]
    curve = privacy_loss(rows, "path:0..2")
    for law in curve.laws:
        assert [ratio for ratio, _ in law] == sorted((ratio for ratio, _ in law), reverse=True)
    assert "ln(3)" in repr(curve)
    assert curve.facts().json["chance"] == "1/2"  # from the second to the third it is 1/6


@pytest.mark.parametrize(("text", "says"), [
    ("renyi:alpha=2", "renyi:alpha=2,epsilon=0.1"), ("zcdp:0.5", "zcdp:rho=0.05"),
    ("zcdp:rho=1e400", "up to 1,000,000"),
    ("renyi:alpha=inf,epsilon=1", "is the pure level"),
    ("renyi:alpha=2,epsilon=-1", "at least"), ("renyi:alpha=1000001,epsilon=1", "1,000,000"),
])
def test_a_bad_definition_is_refused_with_the_spelling_that_works(text, says):
    with pytest.raises(BadInput, match=says):
        named_definition(text)


def test_a_name_alone_is_no_definition_and_the_largest_order_is():
    assert named_definition("zcdp") is None
    assert named_definition("renyi:alpha=1000000,epsilon=1").alpha == 10**6


def test_zcdp_is_refuted_at_orders_close_to_the_last_that_can_break_it():
    """An output of chance 1/148 with a ratio of e^10: D_α/α has its top, 2.68, between 2 and 3."""
    rare = F(1, 148)
    rows = [[1 - rare, rare], [1 - rare / 22026, rare / 22026]]

    def share(alpha):
        return log(sum(float(p)**alpha * float(q)**(1 - alpha)
                       for p, q in zip(*rows, strict=True))) / (alpha - 1) / alpha

    assert max(share(1 + k / 50) for k in range(1, 51)) < 2.6 < share(2.45)
    verdict = verify_renyi(rows, "zcdp:rho=2.6", "categories:2")
    assert verdict.holds is False
    assert 2 < verdict.witness.order < 4


def test_zcdp_is_refuted_far_beyond_the_first_orders():
    # an output of ratio e, so rare that D_α/α is largest near order 21
    p, q = [F(1, 22026), F(22025, 22026)], [F(1, 59874), F(59873, 59874)]
    orders = [F(k, 4) for k in range(8, 200)]
    best = max(orders, key=lambda order: divergence(p, q, order) / decimal(order))
    assert 15 < best < 30
    rho = F(float(divergence(p, q, best))) / best
    curve = renyi_curve([p, q], "categories:2")
    assert curve.judge(f"zcdp:rho={rho * F(99, 100)}").holds is False
    assert curve.judge(f"zcdp:rho={rho * F(101, 100)}").holds is True
