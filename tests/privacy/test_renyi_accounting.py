"""Totals of zCDP and Rényi terms, by their formulas in 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

import tightrope as tr
from tightrope.errors import BadInput
from tightrope.privacy import compose_renyi, named_definition, renyi_curve, total_rho

F = Fraction
COIN = renyi_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2")  # ρ = ln(3)/2
APART = renyi_curve([[1, 0], ["1/2", "1/2"]], "categories:2")


def test_the_rho_of_a_list_adds_up_and_is_rounded_up():
    terms = [(named_definition("zcdp:rho=0.1"), 3), (tr.Level.of("0.2"), 2), (tr.Level.ratio(2), 5),
             (COIN, 4)]
    two, three = Decimal(2).ln(), Decimal(3).ln()
    true = Decimal("0.3") + Decimal("0.04") + 5 * two * two / 2 + 4 * three / 2
    total = total_rho(terms)
    assert true <= Decimal(total.numerator) / Decimal(total.denominator) < true + Decimal("3e-6")
    assert total_rho(terms[:2]) == F(34, 100)


@pytest.mark.parametrize("term", [
    named_definition("renyi:alpha=2,epsilon=1"), tr.Level.epsilon(1, "1e-6"), APART])
def test_a_term_without_zcdp_has_no_rho(term):
    assert total_rho([(named_definition("zcdp:rho=0.1"), 1), (term, 1)]) is None


def test_a_renyi_term_proves_epsilon_at_its_own_order():
    order, delta = Decimal("1.03"), Decimal("0.001")
    with localcontext(prec=60):
        true = 2 * Decimal("0.1") + (1 - 1 / order).ln() - (delta.ln() + order.ln()) / (order - 1)
    terms = [(named_definition("renyi:alpha=1.03,epsilon=0.1"), 2), (tr.Level.of(0), 7)]
    composed = compose_renyi(terms, F(1, 1000))  # at no other order is it finite
    assert composed.order == F(103, 100)
    assert true <= Decimal(composed.epsilon) < true * (1 + Decimal("1e-14"))


@pytest.mark.parametrize("term", [named_definition("renyi:alpha=1,epsilon=0.1"), APART])
def test_a_list_without_a_finite_order_is_refused(term):
    with pytest.raises(BadInput, match="no order above 1"):
        compose_renyi([(term, 1)], F(1, 10))


@pytest.mark.parametrize("delta", [0, 1, 2])
def test_a_delta_out_of_range_is_refused(delta):
    with pytest.raises(BadInput, match="between 0 and 1"):
        compose_renyi([(named_definition("zcdp:rho=0.1"), 1)], F(delta))


def test_no_account_proves_a_level_below_zero():
    free = compose_renyi([(named_definition("zcdp:rho=0"), 3)], F(1, 2))
    assert free.epsilon == 0
