"""From people to margins: against sums of exact laws, and surveys drawn from them."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from tightrope import surveys as sv
from tightrope.errors import BadInput
from tightrope.surveys.detection import detect
from tightrope.surveys.sizes import least_half
from tightrope.utility import exact_inverse

F = Fraction
SEED, RUNS = 6366, 40_000
CHANCE = 1e-6
LAW = ("0.7", "0.2", "0.1")
NAMES = ("never", "once", "often")


def draws(design, shares, n, weights):
    """Estimates of a linear quantity from many surveys of n people."""
    P = np.array([[float(p) for p in row] for row in design.rows])
    B = np.array([[float(b) for b in row] for row in exact_inverse(design.rows)])
    law = np.array([float(F(share)) for share in shares])
    counts = np.random.default_rng(SEED).multinomial(n, law @ P, size=RUNS)
    return counts / n @ B @ np.array([float(F(w)) for w in weights])


@pytest.mark.parametrize("chance", [F(0), F(1, 7), F(1, 2), F(3, 10), F(9, 10), F(1)])
def test_the_least_half_is_the_first_distance_whose_sum_reaches_the_confidence(chance):
    for n, confidence in product((1, 2, 5, 23, 210), (F(1, 2), F(7, 8), F(95, 100))):
        def reached(half, n=n):
            return sum(comb(n, k) * chance**k * (1 - chance) ** (n - k)
                       for k in range(n + 1) if abs(F(k, n) - chance) <= half)

        distances = sorted({abs(F(k, n) - chance) for k in range(n + 1)})
        least = next(half for half in distances if reached(half) >= confidence)
        assert least_half(chance, n, confidence) == least


def test_a_margin_is_the_least_that_the_binomial_law_allows():
    """Warner's with 3/4 and 300 people: yes comes with 0.3, and (0.5 m) is k/300 for some k."""
    plan = sv.expected_margins(300, ratio=3, prevalence="0.1")
    best = plan.rows[0].largest
    k = round(best.margin * 0.5 * 300)
    assert best.exact
    assert best.margin == pytest.approx(2 * k / 300)
    within = [binom.cdf(90 + j, 300, 0.3) - binom.cdf(89 - j, 300, 0.3) for j in (k, k - 1)]
    assert within[0] >= 0.95 > within[1]
    direct = round(best.direct * 300)
    within = [binom.cdf(30 + j, 300, 0.1) - binom.cdf(29 - j, 300, 0.1)
              for j in (direct, direct - 1)]
    assert within[0] >= 0.95 > within[1]
    assert best.worth == pytest.approx(300 * 0.09 / 0.84)


def test_margins_and_sizes_are_inverse_to_each_other():
    for shares in (None, "0.1"):
        size = sv.plan_survey(1, prevalence=shares, margin=0.06).rows[0].plan.respondents
        back = sv.expected_margins(size, 1, prevalence=shares).rows[0].largest.margin
        assert 0.058 < back <= 0.06


@pytest.mark.parametrize("scores", [None, ("0", "1", "2"), ("1", "1", "5")])
@pytest.mark.parametrize(("asked", "prevalence"), [
    ({"epsilon": 1}, None), ({"epsilon": 1}, LAW), ({"violation": "0.5"}, LAW)], ids=str)
def test_every_margin_holds_at_its_rate_and_not_at_nine_tenths_of_it(asked, prevalence, scores):
    n = 900
    plan = sv.expected_margins(n, **asked, prevalence=prevalence, answers=NAMES, scores=scores)
    for row, part in [(each, part) for each in plan.rows for part in each.margins]:
        laws = [prevalence] if prevalence else [  # the worst shares stand on two answers
            tuple(share if v == a else 1 - share if v == b else F(0) for v in range(3))
            for a, b in ((0, 1), (0, 2), (1, 2)) for share in (F(k, 8) for k in range(9))]
        kept, narrow = [], []
        for law in laws:
            errors = np.abs(draws(row.design, law, n, part.quantity.weights)
                            - float(part.quantity.value(sv.shares_of(row.design, law))))
            kept.append(int((errors <= part.margin + 1e-12).sum()))
            narrow.append(int((errors <= 0.9 * part.margin).sum()))
        slack = 0.0 if part.exact else 0.004  # of the normal approximation at 900
        assert binom.cdf(min(kept), RUNS, 0.95 - slack) > CHANCE
        assert binom.cdf(min(narrow), RUNS, 0.95) < CHANCE


def test_the_worst_variance_of_a_mean_is_the_largest_over_a_fine_grid():
    for design in (sv.k_ary("abc", 3), sv.super_binary({"a": "1/4", "b": "3/4"}, ["none"])):
        for scores in (("0", "1", "2"), ("-3", "0", "5"), ("1", "1", "2")):
            (mean,) = sv.quantities(design, scores=scores)
            grid = [(F(i, 20), F(j, 20), F(20 - i - j, 20))
                    for i in range(21) for j in range(21 - i)]
            largest = max(mean.variance(design, law) for law in grid)
            assert largest <= mean.variance(design) <= largest * F(102, 100)


def test_the_variance_of_a_mean_is_that_of_what_one_response_counts_for():
    design, scores = sv.k_ary("abc", 3), (F(0), F(1), F(3))
    (mean,) = sv.quantities(design, scores=scores)
    B = exact_inverse(design.rows)
    counted = [sum(b * s for b, s in zip(row, scores, strict=True)) for row in B]
    law = (F(1, 2), F(1, 3), F(1, 6))
    seen = [sum(p * row[z] for p, row in zip(law, design.rows, strict=True)) for z in range(3)]
    first = sum(q * c for q, c in zip(seen, counted, strict=True))
    second = sum(q * c * c for q, c in zip(seen, counted, strict=True))
    assert first == mean.value(law)
    assert mean.variance(design, law) == second - first**2
    (share,) = sv.quantities(design, "b")
    assert share.variance(design, law) == sv.unit_variance(design, law, 1)


def test_the_grid_has_the_margin_itself_and_the_direct_question():
    plan = sv.expected_margins(300, 1, prevalence="0.1")
    assert plan.sizes == (75, 150, 300, 600, 1200)
    rows = {row.name: row.margins for row in plan.grid}
    assert rows["ε = 1"][2] == plan.rows[0].largest.margin
    assert rows["directly"][2] == plan.rows[0].largest.direct
    for row in plan.grid:
        assert list(row.margins) == sorted(row.margins, reverse=True)
    assert [row.name for row in sv.expected_margins(
        300, violation="0.5", prevalence="0.2").grid] == ["mangat", "directly"]


@pytest.mark.parametrize("groups", [(600, 600), (1600, 400)])
def test_power_and_least_difference_hold_in_simulated_surveys(groups):
    design = sv.warner("9/10")
    seen = detect(design, groups, prevalence="0.3", difference=("0.3", "0.37"))
    rng, (n, m) = np.random.default_rng(SEED), groups

    def power(a, b):
        first, second = (rng.binomial(size, 0.1 + 0.8 * share, size=RUNS) / size
                         for size, share in zip(groups, (a, b), strict=True))
        spread = np.sqrt(first * (1 - first) / n + second * (1 - second) / m)
        return float(np.mean(np.abs(second - first) > 1.959964 * spread))

    assert power(0.3, 0.37) == pytest.approx(seen.reached, abs=0.015)
    assert power(0.3, seen.above) == pytest.approx(0.8, abs=0.015)
    assert power(0.3, seen.below) == pytest.approx(0.8, abs=0.015)
    assert detect(design, (5, 5), prevalence="0.3").below is None


def test_a_difference_of_means_is_planned_with_its_power():
    design, scores = sv.k_ary("abc", 9), ("0", "1", "2")
    first, second = ("0.5", "0.3", "0.2"), ("0.4", "0.3", "0.3")
    plan = sv.plan_difference(design, first, second, scores=scores)
    n = plan.per_group
    a, b = (draws(design, law, n, scores) for law in (first, second))
    b = np.random.default_rng(1).permutation(b)
    (mean,) = plan.planned
    spread = np.sqrt(float(mean.variance(design, sv.shares_of(design, first))
                           + mean.variance(design, sv.shares_of(design, second))) / n)
    assert float(np.mean(np.abs(a - b) > 1.959964 * spread)) == pytest.approx(0.8, abs=0.015)


@pytest.mark.parametrize(("bad", "says"), [
    ({"respondents": 1}, "respondents"),
    ({"respondents": 300, "groups": (100, 100)}, "add up to 300"),
    ({"respondents": 300, "confidence": 1.0}, "confidence"),
    ({"respondents": 300, "prevalence": "0.1", "power": 1.0}, "power"),
    ({"respondents": 300, "scores": ("1",)}, "a score for each"),
    ({"respondents": 300, "scores": ("1", "1")}, "not all the same"),
    ({"respondents": 300, "scores": ("1", "2"), "answer": "yes"}, "not for both"),
    ({"respondents": 300, "difference": ("0.1", "0.1")}, "same share"),
    ({"respondents": 300, "scores": ("0", "1e400")}, "10\\^12"),
    ({"respondents": 300, "epsilon": "1e-300"}, "larger level"),
])
def test_margins_that_make_no_sense_are_refused(bad, says):
    with pytest.raises(BadInput, match=says):
        sv.expected_margins(**{"epsilon": 1, **bad})


def test_the_grid_ends_at_the_largest_level_of_a_survey():
    names = [row.name for row in sv.expected_margins(300, 40).grid]
    assert names == ["ε = 10", "ε = 20", "ε = 40", "ε = 80", "directly"]
