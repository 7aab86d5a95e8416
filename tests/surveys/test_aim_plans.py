"""Plans for an aim: sizes against closed forms, and the best design beside known protocols."""

import numpy as np
import pytest

from tightrope.constructions import compare_protocols, protocol_variances
from tightrope.errors import BadInput, TooLarge
from tightrope.surveys import best_design, plan_aim

SIX = ("never", "rarely", "monthly", "weekly", "often", "daily")


def simulated(columns, W, prior, people, seed):
    """The variance of the mean estimates of simulated surveys, times the respondents."""
    random = np.random.default_rng(seed)
    P = np.array(columns).T  # rows are inputs
    chances = prior @ P
    estimates = W @ np.linalg.solve((P / chances) @ P.T, P / chances)
    drawn = random.multinomial(people, chances, size=4000) / people
    return float((drawn @ estimates.T).var(axis=0).sum() * people)


@pytest.mark.parametrize("aim", ["shares", "cumulative", "mean", [1, 0, 0, 0, 0, -1]])
@pytest.mark.parametrize("epsilon", ["0.5", 2])
def test_no_known_protocol_needs_fewer_than_any_private_design_must(aim, epsilon):
    plan = plan_aim(SIX, epsilon, aim=aim, margin=0.2)
    assert plan.fewest <= plan.respondents
    assert all(row.respondents >= plan.fewest for row in plan.rows)
    assert len(plan.rows) == 5


def test_variances_of_protocols_are_those_of_simulated_surveys():
    values, ratio, prior = 4, 3.0, np.array([0.4, 0.3, 0.2, 0.1])
    W = np.array([[0.0, 1, 2, 3]])
    shares = ["2/5", "3/10", "1/5", "1/10"]
    rows = protocol_variances(values, ratio=3, workload="mean", prior=shares)
    by = {row.protocol.value: row for row in rows}
    response = (1 + (ratio - 1) * np.eye(values)) / (ratio + values - 1)
    found = simulated(response, W, prior, 500, 3)
    assert by["randomized-response"].variance == pytest.approx(found, rel=0.12)  # 5 deviations
    half = 3**0.5
    bits = (np.arange(16)[:, None] >> np.arange(4)) & 1
    truth = np.array([[np.prod(np.where(np.arange(4) == x, np.where(row, half, 1),
                                        np.where(row, 1, half)) / (1 + half))
                       for x in range(4)] for row in bits])
    found = simulated(truth, W, prior, 500, 4)
    assert by["symmetric-unary-encoding"].variance == pytest.approx(found, rel=0.12)


@pytest.mark.parametrize(("values", "epsilon"), [(3, 1), (6, "0.5"), (9, 2)])
def test_variances_of_shares_are_those_of_the_closed_forms(values, epsilon):
    closed = {(row.protocol, row.size): row.error for row in compare_protocols(values, epsilon)}
    rows = protocol_variances(values, epsilon)
    shared = [row for row in rows if (row.protocol, row.size) in closed]
    assert len(shared) >= 3  # a set of one value is a response
    for row in shared:
        error = closed[row.protocol, row.size]
        if row.size is None:  # shares add up to one, which the closed form does not use
            assert row.variance <= error
        else:
            assert row.variance == pytest.approx(error)


def test_subsets_are_compared_at_their_best_size():
    closed = next(row for row in compare_protocols(10, 1) if row.protocol == "subset-selection")
    row = next(row for row in protocol_variances(10, 1) if row.protocol == "subset-selection")
    assert row.size == closed.size == 3
    assert row.variance == pytest.approx(closed.error)


def test_what_cannot_be_planned_is_refused():
    with pytest.raises(BadInput, match="margin"):
        plan_aim(SIX, 1, margin=0)
    with pytest.raises(TooLarge):
        plan_aim(SIX, 1, margin=1e-9)
    with pytest.raises(BadInput, match="16"):
        protocol_variances(17, 1)


def test_a_plan_from_people_has_the_margin_whose_plan_needs_these_people():
    plan = plan_aim(SIX, 1, aim="mean", respondents=800)
    z = 1.959963984540054
    for row in plan.rows:
        assert row.respondents == 800
        assert row.margin == pytest.approx(z * (row.variance / 800) ** 0.5)
    assert plan.direct.margin == pytest.approx(z * (35 / 12 / 800) ** 0.5)  # of 1 to 6, equally
    shares = plan_aim(SIX, 1, respondents=800)  # six estimates share the variance
    for row in (*shares.rows, shares.least):
        assert row.margin == pytest.approx(z * (row.variance / 6 / 800) ** 0.5)
    assert shares.direct.margin == pytest.approx(z * (5 / 36 / 800) ** 0.5)
    back = plan_aim(SIX, 1, aim="mean", margin=plan.margin)
    assert back.respondents in (800, 801)
    assert plan.least.margin <= plan.margin == min(row.margin for row in plan.rows)
    with pytest.raises(BadInput, match="respondents"):
        plan_aim(SIX, 1, respondents=1)


def test_the_grid_has_the_margins_of_best_designs_at_other_levels():
    plan = plan_aim(SIX[:4], 1, aim="mean", prior=["0.4", "0.3", "0.2", "0.1"], respondents=300)
    z = 1.959963984540054
    assert plan.sizes == (75, 150, 300, 600, 1200)
    assert [row.name for row in plan.grid] == [
        "ε = 0.25", "ε = 0.5", "ε = 1", "ε = 2", "ε = 4", "directly"]
    for row, epsilon in zip(plan.grid, ("1/4", "1/2", 1, 2, 4), strict=False):
        made = best_design(SIX[:4], epsilon, aim="mean", prior=["0.4", "0.3", "0.2", "0.1"])
        for n, margin in zip(plan.sizes, row.margins, strict=True):
            assert margin == pytest.approx(z * (float(made.value) / n) ** 0.5)
    for n, margin in zip(plan.sizes, plan.grid[-1].margins, strict=True):
        assert margin == pytest.approx(z * (1 / n) ** 0.5)  # 0 to 3 with these shares: variance 1
    three = plan_aim(SIX[:4], 1, aim="cumulative", respondents=300)
    assert three.grid[2].margins[2] == pytest.approx(three.margin)
    assert len(plan.plot().axes[0].lines) == 6
    without = plan_aim(SIX[:4], 1, aim="mean")
    assert (without.sizes, without.grid, without.detection) == ((), (), None)
    with pytest.raises(BadInput, match="give the respondents"):
        without.plot()


def test_power_of_two_groups_for_an_aim_is_that_of_simulated_tests():
    first, second = ["0.4", "0.3", "0.2", "0.1"], ["0.2", "0.3", "0.2", "0.3"]
    pooled = ["0.3", "0.3", "0.2", "0.2"]
    plan = plan_aim(SIX[:4], 1, aim="mean", prior=pooled, respondents=np.int64(600),
                    groups=(400, 200), difference=(first, second), power=0.9)
    assert type(plan.respondents) is int
    random = np.random.default_rng(7)
    P = np.array([[float(p) for p in row] for row in plan.best.design.rows])
    chances = np.array(pooled, float) @ P
    a = np.arange(4) @ np.linalg.solve((P / chances) @ P.T, P / chances)
    deviation = (1 / 400 + 1 / 200) ** 0.5 * float(plan.best.value) ** 0.5
    assert plan.detection.gap == pytest.approx((1.959963985 + 1.281551566) * deviation)

    def draw(shares, n):
        counts = random.multinomial(n, np.array(shares, float) @ P, size=20_000) / n
        means = counts @ a
        return means, (counts @ a**2 - means**2) / n

    (low, low_variance), (high, high_variance) = draw(first, 400), draw(second, 200)
    seen = np.mean(high - low > 1.959963985 * np.sqrt(low_variance + high_variance))
    assert plan.detection.reached == pytest.approx(seen, abs=0.02)  # 5 deviations
    assert 0.2 < plan.detection.reached < 0.8
    sized = plan_aim(SIX[:4], 1, aim="mean", prior=pooled, difference=(first, second), power=0.9)
    variance = sum(np.array(shares, float) @ P @ a**2 - (np.array(shares, float) @ range(4)) ** 2
                   for shares in (first, second))
    wanted = (1.959963985 + 1.281551566) ** 2 * variance / 0.6**2
    assert sized.difference.per_group == pytest.approx(wanted, abs=1.01)


@pytest.mark.parametrize(("options", "match"), [
    ({"aim": "cumulative", "respondents": 300, "groups": (150, 150)}, "has 3: take the mean"),
    ({"aim": "shares", "difference": ([1, 0, 0, 0], [0, 0, 0, 1])}, "has 4: take the mean"),
    ({"aim": "mean", "groups": (150, 150)}, "give their number"),
    ({"aim": "mean", "respondents": 300, "groups": (150, 160)}, "add up to 300"),
    ({"aim": "mean", "respondents": 300, "power": 2}, "power between 0 and 1"),
    ({"aim": "mean", "difference": ("0.1", "0.2")}, "expected 4 shares"),
    ({"aim": "mean", "difference": ([1, 0, 0, 0], [1, 0, 0, 0])}, "no difference"),
    ({"aim": "mean", "respondents": 300.0}, "whole number of respondents"),
])
def test_groups_that_make_no_sense_for_an_aim_are_refused(options, match):
    with pytest.raises(BadInput, match=match):
        plan_aim(SIX[:4], 1, **options)
