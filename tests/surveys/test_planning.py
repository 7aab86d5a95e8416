"""Planned surveys keep their promise when they are simulated at the planned size."""

from fractions import Fraction
from math import ceil, comb

import numpy as np
import pytest
from scipy.stats import binom

from tightrope import surveys as sv
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.surveys import sizes
from tightrope.surveys.planning import coverage, power_at, smallest_plan

F = Fraction

SEED = 6366
SURVEYS = 60_000


def rate_within(design, share, n, margin, factor=1.0):
    """How often simulated surveys stay within the margin; the scatter may be made larger."""
    rng = np.random.default_rng(SEED)
    chance = float(1 - design.p00 + share * (design.p00 + design.p11 - 1))
    slope = float(design.p00 + design.p11 - 1)
    counts = rng.binomial(n, chance, size=SURVEYS)
    errors = (counts / n - chance) / slope * np.sqrt(factor)
    return float(np.mean(np.abs(errors) <= margin * (1 + 1e-12)))


@pytest.mark.parametrize("share", [F(1, 20), F(3, 10), F(8, 10)])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_the_margin_holds_at_the_stated_rate_and_not_at_1_3_times_the_variance(share, confidence):
    design = sv.best_binary(Level.ratio(3), share).design
    plan = sv.plan_margin(design, 0.04, confidence=confidence, prevalence=share)
    tolerance = 5 * np.sqrt(confidence * (1 - confidence) / SURVEYS)
    rate = rate_within(design, share, plan.respondents, 0.04)
    assert abs(rate - plan.reached) < tolerance
    assert confidence - tolerance < rate < confidence + 0.006
    spoiled = rate_within(design, share, plan.respondents, 0.04, factor=1.3)
    assert not confidence - tolerance < spoiled


def test_exact_coverage_is_the_sum_of_binomial_probabilities():
    design, share, n, margin = sv.binary("0.9", "0.6"), F(1, 4), 137, 0.1
    chance, slope = F(1, 10) + share / 2, F(1, 2)
    total = sum(binom.pmf(k, n, float(chance)) for k in range(n + 1)
                if abs((F(k, n) - chance) / slope) <= F(1, 10))
    assert coverage(design, (1 - share, share), n, margin) == pytest.approx(total)


def exact_chance(chance, half, n):
    """P(|X/n - chance| <= half), added up in fractions."""
    return sum(comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)
               if abs(F(k, n) - chance) <= half)


@pytest.mark.parametrize(("design", "share", "margin", "confidence"), [
    (sv.warner("9/10"), F(1, 10), 0.2, 0.9),
    (sv.warner("9/10"), F(1, 2), 0.25, 0.95),
    (sv.binary("0.9", "0.6"), F(1, 4), 0.3, 0.8),
    (sv.mangat("3/4"), F(0), 0.3, 0.9),
    (sv.warner("1"), F(1, 2), 0.25, 0.5),  # ties: P(|X - n/2| <= n/4) = 1/2 at n = 2
])
def test_the_planned_size_is_the_least_from_which_on_all_reach_the_confidence(
    design, share, margin, confidence
):
    plan = sv.plan_margin(design, margin, confidence=confidence, prevalence=share)
    first = (1 - share) * design.rows[0][1] + share * design.rows[1][1]
    half = F(str(margin)) * abs(design.rows[1][1] - design.rows[0][1])
    most = ceil(first * (1 - first) / ((1 - F(str(confidence))) * half**2))  # Chebyshev
    reached = [exact_chance(first, half, n) >= F(str(confidence)) for n in range(1, most + 1)]
    failing = [n for n, holds in enumerate(reached, start=1) if not holds]
    assert plan.respondents == max(failing, default=0) + 1
    assert plan.least
    assert plan.reached == pytest.approx(float(exact_chance(first, half, plan.respondents)))


def test_a_confidence_near_1_asks_for_few_exact_comparisons(monkeypatch):
    asked, confidence = [], F("0.9999999999")
    exactly = sizes.Margin.holds
    monkeypatch.setattr(sizes.Margin, "holds",
                        lambda self, n: asked.append(n) or exactly(self, n))
    plan = sv.plan_margin(sv.warner("3/4"), 0.3, confidence=float(confidence), prevalence="1/10")
    chance, half, n = F(3, 10), F(3, 20), plan.respondents
    assert exact_chance(chance, half, n) >= confidence > exact_chance(chance, half, n - 1)
    assert len(asked) <= 3  # doubles know 1 - 1e-10 only by what is left of it


def test_a_size_beyond_those_looked_at_is_enough_but_not_called_the_least(monkeypatch):
    exact = sv.plan_margin(sv.warner("3/4"), 0.05, prevalence="0.1")
    monkeypatch.setattr(sizes, "MOST_SIZES", 20)
    found = sv.plan_margin(sv.warner("3/4"), 0.05, prevalence="0.1")
    assert found.respondents > exact.respondents
    assert (exact.least, found.least) == (True, False)
    assert found.reached >= 0.95


def test_a_plan_for_the_worst_prevalence_is_enough_for_every_other():
    design = sv.warner("3/4")
    worst = sv.plan_margin(design, 0.05).respondents
    for share in ("0", "0.1", "0.5", "1"):
        assert sv.plan_margin(design, 0.05, prevalence=share).respondents <= 1.02 * worst
    cautious = sv.plan_margin(design, 0.05, bound=sv.Bound.CHEBYSHEV).respondents
    assert cautious == 8000  # 1/(0.05 · 0.05²) at variance 1


def test_the_planned_power_is_reached_in_simulated_surveys():
    design = sv.warner("3/4")
    plan = sv.plan_difference(design, "0.1", "0.2", power=0.9)
    n = plan.per_group
    rng = np.random.default_rng(SEED)
    first, second = (rng.binomial(n, 0.25 + 0.5 * s, size=20_000) / n for s in (0.1, 0.2))
    spread = np.sqrt((first * (1 - first) + second * (1 - second)) / n)
    power = float(np.mean(np.abs(second - first) / spread > 1.959964))
    assert abs(power - 0.9) < 0.015
    assert power_at(plan, n) == pytest.approx(0.9, abs=0.002)
    assert power_at(plan, n // 2) < 0.7


def test_the_design_with_the_fewest_respondents_comes_first():
    level = Level.epsilon(1, delta="0.1")
    plans = smallest_plan(sv.designs_at(level), 0.05, prevalence="0.03")
    sizes = [plan.respondents for plan in plans]
    assert sizes == sorted(sizes)
    assert plans[0].design.rows == sv.best_binary(level, "0.03").design.rows
    assert plans[0].design.name == "truthful no"
    pure = smallest_plan(sv.designs_at(Level.epsilon(1)), 0.05, prevalence="0.03")
    assert pure[0].design.rows == sv.best_binary(Level.epsilon(1)).design.rows


def test_efficiency_is_the_part_that_the_best_design_needs():
    plan = sv.plan_survey(1, prevalence="0.1")
    best, *_, worst = plan.rows
    assert best.efficiency == 1
    assert worst.efficiency == best.plan.respondents / worst.plan.respondents < 0.5


@pytest.mark.parametrize("bad", [
    lambda: sv.plan_margin(sv.warner("3/4"), 0),
    lambda: sv.plan_margin(sv.warner("3/4"), 0.1, confidence=1.0),
    lambda: sv.plan_margin(sv.warner("3/4"), 0.1, prevalence="1.1"),
    lambda: sv.plan_margin(sv.warner("0.500001"), 0.001),
    lambda: sv.plan_difference(sv.warner("3/4"), "0.1", "0.1"),
    lambda: sv.plan_difference(sv.warner("3/4"), "0.1", "0.2", power=1),
])
def test_plans_that_make_no_sense_are_refused(bad):
    with pytest.raises(BadInput):
        bad()
