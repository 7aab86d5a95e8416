from fractions import Fraction
from math import comb, exp

import pytest

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.ledger import account_for
from tightrope.mechanisms import MatrixMechanism


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
