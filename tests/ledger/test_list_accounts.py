from collections import Counter
from fractions import Fraction
from math import comb, exp

import pytest

import tightrope as tr
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.ledger import account_for, list_accounts
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import compose_renyi, named_definition, renyi_curve


def test_levels_add_up_exactly():
    assert account_for(["0.1*10"]).total.text == "1"
    assert account_for([("ln(2)", 3), 0.5]).facts().json["epsilon"] == pytest.approx(2.5794415)


def test_a_fixed_list_costs_no_less_than_randomized_responses_and_nearly_as_much():
    """The hockey-stick sum of 50 responses at 0.1, added up term by term."""
    found = account_for(["0.1*50"], "1e-5").epsilon_at_delta
    p, k = exp(0.1) / (1 + exp(0.1)), 50

    def delta(epsilon):
        return sum(comb(k, j) * max(0.0, p**j * (1 - p) ** (k - j)
                                    - exp(epsilon) * (1 - p) ** j * p ** (k - j))
                   for j in range(k + 1))

    assert delta(found) <= 1e-5 <= delta(found - 0.02)
    assert found < 5


@pytest.mark.parametrize(("items", "delta"), [
    ([], None), (["0.1*0"], None), (["x"], None), (["0.1*1000000"], None), (["0.1"], 2),
])
def test_lists_that_make_no_sense_are_refused(items, delta):
    with pytest.raises(BadInput):
        account_for(items, delta)


def test_a_level_is_an_item_with_its_delta():
    found = account_for([Level.ratio(2), (Level.epsilon(1, "1e-6"), 3)])
    assert found.total == Level(3, 1, 2, Fraction(3, 10**6))


@pytest.mark.parametrize(("item", "says"), [
    ("rho=0.1", "zcdp:rho=0.05"), ("m.csv", "ends in .json"),
    ([["1/2", "1/2"], ["1/2", "1/2"]], "certify"),
    (MatrixMechanism.of([["1/2", "1/2"], ["1/2", "1/2"]], "categories:2"), "certify"),
])
def test_an_item_that_is_none_is_refused_with_what_is(item, says):
    with pytest.raises(BadInput, match=says):
        account_for([item])


THREE = [["0.6", "0.3", "0.1"], ["0.4", "0.4", "0.2"]]  # ln(2) at most, and mostly less
LEAKY = [["1/2", "49/100", "1/100"], ["1/2", "1/2", "0"]]  # δ = 1/100 for an impossible output


def proved(rows, level, **more):
    return tr.certify(rows, "categories:2", level, outputs=[0, 1, 2], **more)


def composed_delta(laws, times, epsilon):
    """The hockey-stick sum of so many runs, over all sequences of outputs."""
    best = 0.0
    for p, q in (laws, laws[::-1]):
        pairs = Counter({(1.0, 1.0): 1})
        for _ in range(times):
            grown = Counter()
            for (a, b), many in pairs.items():
                for x, y in zip(p, q, strict=True):
                    grown[round(a * x, 15), round(b * y, 15)] += many
            pairs = grown
        best = max(best, sum(many * max(0.0, a - exp(epsilon) * b)
                             for (a, b), many in pairs.items()))
    return best


def test_a_mechanism_is_composed_by_its_own_law():
    mechanism = proved(THREE, "ln(2)")
    found = account_for([(mechanism, 6)], "1e-3").epsilon_at_delta
    laws = [[float(Fraction(entry)) for entry in row] for row in THREE]
    assert composed_delta(laws, 6, found) <= 1e-3 <= composed_delta(laws, 6, found - 0.01)
    assert found < account_for(["ln(2)*6"], "1e-3").epsilon_at_delta - 0.2


def test_two_mechanisms_of_different_laws_are_composed_together():
    one, other = proved(THREE, "ln(2)"), proved([row[::-1] for row in reversed(THREE)], "ln(2)")
    assert account_for([one, other], "1e-2").epsilon_at_delta == pytest.approx(
        account_for([(one, 2)], "1e-2").epsilon_at_delta, abs=1e-3)  # the same up to names
    mixed = account_for([one, "ln(2)"], "1e-2").epsilon_at_delta
    assert account_for([(one, 2)], "1e-2").epsilon_at_delta <= mixed
    assert mixed <= account_for(["ln(2)*2"], "1e-2").epsilon_at_delta


@pytest.mark.parametrize("limit", [("_MOST_LAWS", 1), ("_MOST_ENTRIES", 5)])
def test_beyond_the_limits_levels_stand_for_mechanisms(monkeypatch, limit):
    monkeypatch.setattr(list_accounts, *limit)
    mechanism = proved(THREE, "ln(2)")
    by_level = account_for(["ln(2)*3"], "1e-3").epsilon_at_delta
    assert account_for([(mechanism, 3)], "1e-3").epsilon_at_delta == by_level


def test_noise_and_spaces_without_neighbors_stand_by_their_level():
    noise = tr.constructions.two_sided_geometric("path:0..3", "ln(2)")
    far = tr.constructions.exponential("grid:2x2", "ln(2)")
    for proof in (noise, far):
        for rest in ([], ["zcdp:rho=0.01"]):
            assert account_for([proof, *rest], "1e-3").epsilon_at_delta == account_for(
                [proof.certificate.level, *rest], "1e-3").epsilon_at_delta


def test_the_delta_of_levels_is_taken_off_the_one_asked_for():
    level = Level.epsilon(1, "1e-6")
    for rest in ([], ["zcdp:rho=0.1"]):
        found = account_for([(level, 3), *rest], "1e-5").epsilon_at_delta
        assert found == account_for(["1*3", *rest], "7e-6").epsilon_at_delta
        for delta in ("3e-6", 1):
            with pytest.raises(BadInput, match="costs already"):
                account_for([(level, 3), *rest], delta)


def test_a_mechanism_with_delta_stands_by_its_level():
    leaky = proved(LEAKY, "0.1", delta="1/100")
    for rest in ([], ["zcdp:rho=0.1"]):
        assert account_for([leaky, *rest], "0.05").epsilon_at_delta == account_for(
            ["0.1", *rest], "0.04").epsilon_at_delta


def test_beside_zcdp_a_mechanism_counts_by_its_own_divergences():
    mechanism, rho = proved(THREE, "ln(2)"), named_definition("zcdp:rho=0.1")
    curve = renyi_curve(mechanism)
    found = account_for([(mechanism, 5), "zcdp:rho=0.1"], "1e-4")
    assert found.epsilon_at_delta == compose_renyi([(curve, 5), (rho, 1)],
                                                   Fraction(1, 10**4)).epsilon
    assert found.epsilon_at_delta < account_for(
        ["ln(2)*5", "zcdp:rho=0.1"], "1e-4").epsilon_at_delta
    assert (found.total, "no ledger" in found.facts().sentences[0]) == (None, True)
    assert "fixed before" in account_for(["1"]).facts().sentences[0]


def test_items_are_read_as_they_are_typed():
    assert account_for(["2"]).total.text == "2"
    assert account_for(["0.00001*100000"]).total.text == "1"
    assert account_for([proved(THREE, "ln(2)")]).items == (
        ("a mechanism at ε = ln(2) = 0.6931472", 1),)
    for items in (5, "0.1", [("0.1*10", 2)], ["0.1*a"], ["*3"], ["0.1*100001"]):
        with pytest.raises(BadInput):
            account_for(items)


def test_beside_zcdp_the_delta_of_a_mechanism_with_its_own_divergences_is_not_spent():
    mechanism = proved(THREE, "0.5", delta="0.1")
    found = account_for([mechanism, "zcdp:rho=0.1"], "0.01").epsilon_at_delta
    assert found == account_for([proved(THREE, "ln(2)"), "zcdp:rho=0.1"], "0.01").epsilon_at_delta
