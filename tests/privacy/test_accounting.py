"""Composition by privacy-loss distributions against exact binomial sums."""

from fractions import Fraction
from math import comb, log

import pytest

from tightrope.constructions import randomized_response, truncated_geometric
from tightrope.errors import BadInput
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import account
from tightrope.spaces import categories, path

F = Fraction


def exact_delta(times, ratio):
    """δ at e^ε = ratio of `times` answers, each by a coin of 2/3 against 1/3."""
    total = F(0)
    for k in range(times + 1):
        p = comb(times, k) * F(2, 3) ** k * F(1, 3) ** (times - k)
        q = comb(times, k) * F(1, 3) ** k * F(2, 3) ** (times - k)
        total += max(F(0), p - ratio * q)
    return total


@pytest.mark.parametrize("times", [1, 5, 40])
def test_the_composition_is_above_the_exact_one_and_close(times):
    rr = randomized_response(categories(2), Level.ratio(2)).mechanism
    found = account([(rr, times)])
    for ratio in (F(3, 2), F(8), F(100)):
        exact = float(exact_delta(times, ratio))
        delta = found.delta(log(ratio))
        assert delta >= exact - 1e-12
        assert delta <= exact + 0.01
    assert "numerical" in found.evidence


def test_many_answers_cost_less_than_the_sum_of_their_levels():
    rr = randomized_response(categories(2), Level.ratio(2)).mechanism
    epsilon = account([(rr, 200)]).epsilon(1e-6)
    assert epsilon < 0.75 * 200 * log(2)


def test_the_neighbors_that_are_told_apart_best_decide():
    rows = [[8, 1, 1], [4, 3, 3], [4, 3, 3]]  # the last two cannot be told apart at all
    space = path(0, 2)
    found = account([(MatrixMechanism(space, space.points, Weights.from_integers(rows)), 1)])
    for ratio in (F(1), F(3, 2), F(2), F(5, 2)):
        exact = max(sum(max(F(0), F(a, 10) - ratio * F(b, 10)) for a, b in zip(*pair, strict=True))
                    for pair in ((rows[0], rows[1]), (rows[1], rows[0])))
        assert float(exact) - 1e-12 <= found.delta(log(ratio)) <= float(exact) + 0.01
    assert log(3) - 1e-9 <= found.epsilon(1e-12) <= log(3) + 1e-2


def test_different_mechanisms_are_composed_in_every_combination():
    level = Level.ratio(2)
    both = account([(truncated_geometric(path(0, 2), level).mechanism, 1),
                    (randomized_response(categories(2), level).mechanism, 2)])
    assert both.pairs >= 2
    assert both.epsilon(1e-9) <= 3 * log(2) + 1e-3


def test_what_cannot_be_composed_is_refused():
    rr = randomized_response(categories(2), Level.ratio(2)).mechanism
    for bad in ([], [(rr, 0)]):
        with pytest.raises(BadInput):
            account(bad)
    with pytest.raises(BadInput):
        account([(rr, 1)]).epsilon(0)
    with pytest.raises(BadInput):
        account([(rr, 1)]).delta(-1.0)


def test_every_mechanism_is_run_at_least_once():
    once = randomized_response(categories(2), Level.ratio(2)).mechanism
    for runs in ([], [(once, 0)], [(once, 1), (once, 0)], [(once, -1), (once, 2)]):
        with pytest.raises(BadInput):
            account(runs)


def test_an_output_that_never_occurs_changes_no_account():
    rows = [["2/3", "1/3", 0], ["1/3", "2/3", 0]]
    found = account([(MatrixMechanism.of(rows, categories(2), ("a", "b", "c")), 1)])
    assert found.delta(0) == pytest.approx(1 / 3, abs=1e-3)
    for wrong in (0, 1, -1, 2):
        with pytest.raises(BadInput, match="δ between 0 and 1"):
            found.epsilon(wrong)
