"""Variances, estimates and intervals against enumeration, simulation and real answers."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2
from statsmodels.stats.proportion import proportion_confint

from tightrope import surveys as sv
from tightrope.choices import Interval
from tightrope.errors import BadInput, BadTable
from tightrope.surveys.planning import power_at
from tightrope.utility import Tally

F = Fraction

SEED = 20160824
SHARES3 = (F(1, 2), F(3, 10), F(1, 5))
CASES = [
    (sv.warner("3/4"), (F(9, 10), F(1, 10))),
    (sv.mangat("1/3"), (F(7, 10), F(3, 10))),
    (sv.kuk("0.3", "0.7", 2), (F(2, 3), F(1, 3))),
    (sv.k_ary(("a", "b", "c"), 3), SHARES3),
    (sv.super_binary(["b", "c"], ["a"]), SHARES3),
]


def floats(design):
    return np.array([[float(p) for p in row] for row in design.rows])


def simulate(design, shares, n, surveys, rng, *, sampling=True):
    """Counts of responses in many surveys; without sampling the true answers are fixed."""
    P, pi = floats(design), np.array([float(s) for s in shares])
    if sampling:
        return rng.multinomial(n, pi @ P, size=surveys)
    true = np.rint(n * pi).astype(int)
    assert (np.abs(true - n * pi) < 1e-9).all()
    return sum(rng.multinomial(t, P[x], size=surveys) for x, t in enumerate(true))


def scatter(design, shares, sampling, factor=1.0):
    """The squared errors of simulated surveys over the stated variance: χ² on average 1."""
    n, surveys = 900, 40_000
    rng = np.random.default_rng(SEED)
    counts = simulate(design, shares, n, surveys, rng, sampling=sampling)
    B = [[row.estimate for row in sv.estimate_answers(design, Tally.of(one)).shares.rows]
         for one in np.eye(len(design.responses), dtype=int)]
    errors = counts / n @ np.array(B) - np.array([float(s) for s in shares])
    stated = np.array([float(sv.unit_variance(design, shares, v, sampling=sampling)) / n
                       for v in range(len(shares))])
    return (errors**2).mean(axis=0) / (factor * stated)


def agrees(ratios):
    """Mean squares of 40,000 normal errors lie within 5.5 standard errors of 1."""
    spread = 5.5 * np.sqrt(2 / 40_000)
    return bool((np.abs(ratios - 1) < spread).all())


@pytest.mark.parametrize(("design", "shares"), CASES, ids=lambda c: getattr(c, "name", ""))
@pytest.mark.parametrize("sampling", [True, False])
def test_simulated_surveys_scatter_as_stated_and_not_1_3_times_as_much(design, shares, sampling):
    assert agrees(scatter(design, shares, sampling))
    assert not agrees(scatter(design, shares, sampling, factor=1.3))
    assert not agrees(scatter(design, shares, sampling, factor=1 / 1.3))


def test_variances_are_the_formulas_of_the_thesis():
    for p, share in product((F(1, 4), F(3, 5), F(1)), (F(0), F(1, 10), F(1, 2), F(1))):
        pi = (1 - share, share)
        m = sv.mangat(p)
        assert sv.unit_variance(m, pi, 1) == (1 - share) * (1 - p * (1 - share)) / p  # (6.11)
        assert sv.unit_variance(m, pi, 1, sampling=False) == (1 - share) * (1 - p) / p  # Thm 6.6
        if p != F(1, 2):
            w = sv.warner(p)
            rr = (1 / (2 * p - 1) ** 2 - 1) / 4
            assert sv.unit_variance(w, pi, 1, sampling=False) == rr  # Section 6.5.1
            assert sv.unit_variance(w, pi, 1) == rr + share * (1 - share)
    for m in (3, 5):
        names = [f"s{j}" for j in range(m - 1)]
        design = sv.super_binary(names, ["none"])
        pi = (F(1, 2), *[F(1, 2) / (m - 1)] * (m - 1))
        assert sv.unit_variance(design, pi, 0) == pi[0] * (m - pi[0])  # (6.35)
        assert sv.unit_variance(design, pi, 1) == 2 * pi[0] / m + pi[1] * (1 - pi[1])  # (6.37)


def test_the_worst_variance_is_the_largest_on_a_grid_of_shares():
    thirds = [(F(i, 12), F(j, 12), F(12 - i - j, 12)) for i in range(13) for j in range(13 - i)]
    halves = [(1 - F(k, 60), F(k, 60)) for k in range(61)]
    for design, grid in [(sv.mangat("1/4"), halves), (sv.mangat("4/5"), halves),
                         (sv.binary("0.9", "0.4"), halves), (sv.k_ary("abc", 3), thirds),
                         (sv.super_binary(["b", "c"], ["a"]), thirds)]:
        for v, sampling in product(range(len(design.answers)), (True, False)):
            seen = max(sv.unit_variance(design, s, v, sampling=sampling) for s in grid)
            worst = sv.worst_variance(design, v, sampling=sampling)
            assert seen <= worst <= seen + F(1, 50)


def test_errata_the_maximum_over_the_prevalence_can_lie_at_its_end():
    assert sv.worst_variance(sv.mangat("1/4"), 1) == 3  # (6.12) prints 1/(4 p²) = 4
    assert sv.worst_variance(sv.mangat("3/4"), 1) == F(4, 9)  # and is right from p = 1/2 on
    design = sv.super_binary(["b", "c", "d"], ["a"])
    assert sv.worst_variance(design, 0) == 3  # (6.36) prints m²/4 = 4, which needs π1 = 2
    assert sv.worst_variance(design, 1) == (F(1, 2) + F(1, 4)) ** 2  # (6.38) is right


@pytest.mark.parametrize("counts", [(5, 3, 2), (90, 5, 5), (1, 0, 99), (34, 33, 33), (0, 50, 0)])
@pytest.mark.parametrize("design", [sv.k_ary("abc", 2), sv.super_binary(["b", "c"], ["a"])],
                         ids=lambda d: d.name)
def test_the_most_likely_shares_are_those_of_a_general_solver(design, counts):
    P, f = floats(design), np.array(counts) / sum(counts)

    def loss(x):
        law = np.exp(x - x.max())
        q = np.maximum(law / law.sum() @ P, 1e-300)
        return -float(f @ np.log(q))

    reference = min(
        minimize(loss, start, method="Nelder-Mead",
                 options={"maxiter": 4000, "xatol": 1e-9, "fatol": 1e-13}).fun
        for start in (np.zeros(3), np.array([3.0, 0, 0]), np.array([0.0, 3, 0]),
                      np.array([0, 0, 3.0]))
    )
    found = sv.estimate_answers(design, Tally.of(counts))
    law = np.array([row.adjusted for row in found.shares.rows])
    assert law.min() >= 0
    assert law.sum() == pytest.approx(1)
    assert -float(f[f > 0] @ np.log((law @ P)[f > 0])) <= reference + 1e-9


def test_the_unbiased_estimate_is_the_most_likely_one_inside_and_not_outside():
    inside = sv.estimate_answers(sv.warner("3/4"), Tally.of([60, 40])).shares.rows[1]
    assert inside.estimate == pytest.approx(0.3)
    assert inside.adjusted == pytest.approx(0.3)
    outside = sv.estimate_answers(sv.warner("3/4"), Tally.of([80, 20])).shares.rows[1]
    assert outside.estimate == pytest.approx(-0.1)
    assert outside.adjusted == pytest.approx(0, abs=1e-9)
    assert (outside.low, outside.high)[0] == 0


@pytest.mark.parametrize("seen", [3, 20, 50, 77])
def test_for_direct_questions_the_interval_is_that_of_clopper_and_pearson(seen):
    """statsmodels' exact and normal intervals."""
    direct = sv.binary(1, 1)
    found = sv.estimate_answers(direct, Tally.of([100 - seen, seen])).shares.rows[1]
    low, high = proportion_confint(seen, 100, method="beta")
    assert (found.low, found.high) == pytest.approx((low, high))
    wald = sv.estimate_answers(direct, Tally.of([100 - seen, seen]),
                               interval=Interval.NORMAL).shares.rows[1]
    low, high = proportion_confint(seen, 100, method="normal")
    assert (wald.low, wald.high) == pytest.approx((low, high))


def test_the_interval_of_a_design_is_that_of_clopper_and_pearson_carried_over():
    low, high = proportion_confint(420, 1000, method="beta")
    found = sv.estimate_answers(sv.binary("0.8", "0.7"), Tally.of([580, 420])).shares.rows[1]
    assert (found.low, found.high) == pytest.approx(((low - 0.2) / 0.5, (high - 0.2) / 0.5))


@pytest.mark.parametrize("interval", list(Interval))
@pytest.mark.parametrize("share", [F(1, 50), F(3, 10)])
def test_intervals_cover_at_least_about_as_often_as_they_say(interval, share):
    design, n = sv.warner("3/4"), 800
    rng = np.random.default_rng(SEED)
    counts = simulate(design, (1 - share, share), n, 1500, rng)
    found = [sv.estimate_answers(design, Tally.of(row.tolist()), interval=interval).shares.rows[1]
             for row in counts]
    rate = np.mean([row.low <= share <= row.high for row in found])
    assert rate > 0.95 - 4.8 * np.sqrt(0.95 * 0.05 / 1500)
    if interval is Interval.CHEBYSHEV:
        assert rate > 0.999


def test_weights_count_as_effective_respondents():
    rng = np.random.default_rng(SEED)
    design, n = sv.warner("4/5"), 600
    weights = np.where(np.arange(n) < 200, 3.0, 1.0)
    tally = Tally.weighted([0] * n, weights.tolist(), 2)
    assert tally.effective == pytest.approx(1000**2 / (200 * 9 + 400))
    codes = rng.random((20_000, n)) < 0.2 + 0.6 * 0.3  # P(yes) at a share of 0.3
    estimates = ((codes @ weights) / weights.sum() - 0.2) / 0.6
    stated = float(sv.unit_variance(design, (F(7, 10), F(3, 10)), 1)) / tally.effective
    assert np.mean((estimates - 0.3) ** 2) / stated == pytest.approx(1, abs=0.055)


def test_implausible_data_are_flagged_and_plausible_ones_are_not():
    design = sv.warner("3/4")
    assert not sv.estimate_answers(design, Tally.of([900, 100])).plausible  # at least 250
    assert sv.estimate_answers(design, Tally.of([760, 240])).plausible
    three = sv.k_ary("abc", 2)  # every response has at least 1/4
    assert not sv.estimate_answers(three, Tally.of([480, 480, 40])).plausible
    rng = np.random.default_rng(SEED)
    counts = simulate(three, (F(1), F(0), F(0)), 500, 400, rng)
    flagged = sum(not sv.estimate_answers(three, Tally.of(row.tolist())).plausible
                  for row in counts)
    assert flagged <= 6  # at most 0.4 expected


def test_the_cross_table_of_two_questions_is_recovered():
    first, second = sv.warner("4/5"), sv.k_ary("abc", 4)
    pair = sv.joint(first, second)
    law = np.array([0.3, 0.1, 0.1, 0.05, 0.15, 0.3])
    P = np.kron(floats(first), floats(second))
    counts = np.random.default_rng(SEED).multinomial(200_000, law @ P)
    rows = sv.estimate_answers(pair, Tally.of(counts.tolist())).shares.rows
    assert [row.value for row in rows][:2] == ["no, a", "no, b"]
    errors = [(row.estimate - true) / row.error for row, true in zip(rows, law, strict=True)]
    assert max(map(abs, errors)) < 5
    assert sum(e * e for e in errors) < chi2.isf(1e-6, 6)


def test_the_difference_of_two_groups_is_tested_at_its_level():
    design, n = sv.warner("3/4"), 2000
    rng = np.random.default_rng(SEED)

    def rejected(a, b):
        groups = [simulate(design, (1 - s, s), n, 1200, rng) for s in (a, b)]
        found = [
            sv.difference(sv.estimate_answers(design, Tally.of(x.tolist())),
                          sv.estimate_answers(design, Tally.of(y.tolist())), 1).p_value < 0.05
            for x, y in zip(*groups, strict=True)
        ]
        return float(np.mean(found))

    assert abs(rejected(F(3, 10), F(3, 10)) - 0.05) < 5 * np.sqrt(0.05 * 0.95 / 1200)
    plan = sv.plan_difference(design, "0.3", "0.39")
    assert abs(rejected(F(3, 10), F(39, 100)) - power_at(plan, n)) < 5 * np.sqrt(0.25 / 1200)


@pytest.mark.parametrize("bad", [
    lambda: sv.estimate_answers(sv.warner("3/4"), Tally.of([1, 2, 3])),
    lambda: sv.estimate_answers(sv.warner("3/4"), Tally.of([1, 2]), confidence=1),
])
def test_tables_that_do_not_fit_are_refused(bad):
    with pytest.raises((BadTable, BadInput)):
        bad()


def test_fairs_survey_of_affairs_is_read_through_the_design():
    """6,366 answers (Fair, 1978; statsmodels), randomized as respondents would have done it."""
    from statsmodels.datasets import fair

    data = fair.load_pandas().data
    true = (data["affairs"] > 0).to_numpy()
    young = (data["age"] < 30).to_numpy()
    share = true.mean()
    rng = np.random.default_rng(SEED)
    design = sv.best_binary(sv.optimum.Level.ratio(3), "0.3").design
    flips = rng.random(len(true)) < 0.25
    sent = true ^ flips
    found = sv.estimate_answers(
        design, Tally.of([int((~sent).sum()), int(sent.sum())]), sampling=False
    )
    row = found.shares.rows[1]
    assert found.plausible
    assert row.low < share < row.high
    assert row.high - row.low < 0.06
    groups = [sv.estimate_answers(design, Tally.of(np.bincount(sent[g], minlength=2).tolist()))
              for g in (young, ~young)]
    gap = sv.difference(*groups, 1)
    assert gap.low < true[~young].mean() - true[young].mean() < gap.high
    # read as if nobody had randomized, the answer would be far off
    assert abs(sent.mean() - share) > 5 * row.error
