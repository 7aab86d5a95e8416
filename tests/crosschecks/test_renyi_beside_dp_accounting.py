"""Rényi divergences, their composition and conversion beside Google's dp-accounting."""

from fractions import Fraction

import pytest
from dp_accounting import dp_event
from dp_accounting.rdp import rdp_privacy_accountant as rdp

import tightrope as tr
from tightrope.privacy import compose_renyi, named_definition, renyi_curve
from tightrope.privacy.renyi_accounting import ORDERS

FLOATS = [float(order) for order in ORDERS]


@pytest.mark.parametrize(("noise", "buckets"), [(0.5, 2), (0.2, 4), (0.05, 10)])
def test_divergences_of_randomized_response(noise, buckets):
    """With chance `noise` the answer is uniform, else the truth."""
    orders = [1.5, 2.0, 8.0, 64.0]
    accountant = rdp.RdpAccountant(orders, rdp.NeighborRel.REPLACE_ONE)
    accountant.compose(dp_event.RandomizedResponseDpEvent(noise, buckets))
    other = Fraction(str(noise)) / buckets
    rows = [[other + (1 - Fraction(str(noise))) * (x == z) for z in range(buckets)]
            for x in range(buckets)]
    curve = renyi_curve(rows, f"categories:{buckets}")
    for order, theirs in zip(orders, accountant._rdp, strict=True):
        low, high = curve.at(order)
        assert low - 1e-9 <= theirs <= high + 1e-9


@pytest.mark.parametrize("delta", ["1e-3", "1e-6", "1e-10"])
def test_zcdp_terms_are_converted_at_the_same_orders(delta):
    for rho, times in ((0.001, 50), (0.05, 1), (0.5, 3)):
        theirs, order = rdp.compute_epsilon(FLOATS, [times * rho * a for a in FLOATS],
                                            float(delta))
        ours = compose_renyi([(named_definition(f"zcdp:rho={rho}"), times)], Fraction(delta))
        assert ours.epsilon == pytest.approx(theirs, rel=1e-9)
        assert float(ours.order) == order


def test_levels_own_laws_and_renyi_terms_add_up_order_by_order():
    mechanism = tr.design("path:0..3", ratio=2).certified
    curve = renyi_curve(mechanism)
    total = []
    for alpha in FLOATS:
        pure = renyi_curve([["2/3", "1/3"], ["1/3", "2/3"]], "categories:2").at(alpha)[1]
        fixed = 0.3 if alpha <= 8 else float("inf")
        total.append(3 * pure + 2 * curve.at(alpha)[1] + fixed)
    finite = [(a, t) for a, t in zip(FLOATS, total, strict=True) if t < float("inf")]
    theirs, _ = rdp.compute_epsilon(*zip(*finite, strict=True), 1e-5)
    ours = compose_renyi([(tr.Level.ratio(2), 3), (curve, 2),
                          (named_definition("renyi:alpha=8,epsilon=0.3"), 1)], Fraction("1e-5"))
    assert ours.epsilon == pytest.approx(theirs, rel=1e-9)


def test_the_converted_level_holds_for_the_law_itself():
    """ε at δ by divergences is never below the exact one of ten randomized responses."""
    flip = Fraction(1, 3)
    ones = [Fraction(1)]
    for _ in range(10):  # the law of the number of flips
        ones = [a * (1 - flip) + b * flip for a, b in zip([*ones, 0], [0, *ones], strict=True)]
    rows = [ones, ones[::-1]]
    exact = tr.delta_curve(rows, "categories:2")
    for delta in ("1e-2", "1e-4", "1e-6"):
        ours = compose_renyi([(tr.Level.ratio(2), 10)], Fraction(delta))
        assert exact.at(ours.epsilon)[1] <= Fraction(delta)
        assert float(exact.level(Fraction(delta))) <= ours.epsilon
        listed = tr.account(["ln(2)*10", "zcdp:rho=0"], delta)
        assert listed.epsilon_at_delta == ours.epsilon
