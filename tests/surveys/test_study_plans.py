"""A study's plan: each question at its own level, beside the direct question."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from tightrope import surveys as sv
from tightrope.errors import BadInput
from tightrope.surveys.means import mean_among
from tightrope.utility import Tally

Z = 1.959963984540054
STUDY = {
    "title": "Work", "ratio": 45, "questions": [
        {"text": "Ever taken something?"},
        {"text": "Did you vote?", "kind": "crosswise",
         "second": {"text": "Born in winter?", "prevalence": [0.2, 0.25]}},
        {"text": "How often late?", "kind": "scale", "answers": ["never", "once", "often"]},
        {"text": "Age", "answers": ["young", "old"], "clear": True},
    ],
}


def test_margins_by_hand_at_the_levels_that_the_total_leaves():
    """The crosswise question has ratio 4; 45/4 is left, √(45/4) for each of the two others."""
    plan = sv.plan_study(STUDY, respondents=500)
    left = sqrt(45 / 4)
    first, second, third, clear = plan.rows
    p = left / (left + 1)
    assert float(first.question.level) == pytest.approx(log(left))
    assert first.margin == pytest.approx(Z * sqrt(0.25 / (2 * p - 1) ** 2 / 500), rel=1e-5)
    assert first.direct_margin == clear.margin == pytest.approx(Z * sqrt(0.25 / 500))
    worse = sqrt(0.25 / (2 * 0.25 - 1) ** 2)  # at the end 1/4; at 1/5 the slope is 0.6
    assert second.margin == pytest.approx(Z * worse / sqrt(500))
    gap, rest = (left - 1) / (left + 2), 1 / (left + 2)
    assert third.margin == pytest.approx(Z * 0.5 / gap / sqrt(500), rel=1e-5)  # sent by one half
    # of scores 1, 2, 3 a response counts for (s - 6 rest)/gap; the worst is half never, half often
    assert third.mean == pytest.approx(Z * sqrt((1 - rest) / gap**2 / 500), rel=1e-5)
    assert clear.mean is None
    assert plan.margin == max(row.margin for row in plan.rows) == third.margin


def test_respondents_for_a_margin_are_those_of_each_design_alone():
    plan = sv.plan_study(STUDY, margin=0.04)
    for row in plan.rows:
        alone = [sv.plan_margin(end, 0.04).respondents for end in row.question.ends]
        assert row.respondents == max(alone)
        assert row.direct_respondents == 601  # ⌈1.96² 0.25/0.04²⌉
        assert row.margin <= 0.04
    assert plan.respondents == max(row.respondents for row in plan.rows)


def test_a_larger_total_errs_less_and_a_prevalence_is_used():
    study = {"title": "T", "questions": [
        {"text": "A?", "design": "best", "prevalence": 0.1}, {"text": "B?"}]}
    narrow, wide = (sv.plan_study(study, ratio=ratio, respondents=400) for ratio in (4, 16))
    assert wide.margin < narrow.margin
    first = wide.rows[0]
    alone = sv.expected_margins(400, ratio=4, prevalence=Fraction(1, 10)).rows[0].largest
    assert first.margin == alone.margin
    assert first.direct_margin == alone.direct


@pytest.mark.parametrize("bad", [
    {"respondents": 1}, {"confidence": 1.0}, {"ratio": 3}, {"margin": 2}, {"bound": "any"},
])
def test_plans_of_studies_that_make_no_sense_are_refused(bad):
    with pytest.raises(BadInput):
        sv.plan_study(STUDY, **bad)


SCALE = {"text": "How often?", "kind": "scale", "answers": ["never", "rarely", "often", "always"],
         "design": "best", "aim": "mean"}
SHARES = [0.4, 0.3, 0.2, 0.1]


def aimed(**fields):
    """The study of one question with a best design, at ε = 1."""
    return {"title": "T", "epsilon": 1, "questions": [SCALE | fields]}


def responses(design, W):
    """The laws of the responses, and the best unbiased estimates at the expected shares."""
    P = np.array([[float(p) for p in row] for row in design.rows])
    expected = design.optimality.prior
    chances = np.array([float(p) for p in expected]) @ P
    return P, np.atleast_2d(W) @ np.linalg.solve((P / chances) @ P.T, P / chances)


def test_an_aim_at_stated_shares_has_the_margin_of_the_variance_that_is_proved():
    (row,) = sv.plan_study(aimed(prevalence=SHARES), respondents=900).rows
    claim = row.question.optimality
    assert row.aim_margin == pytest.approx(Z * sqrt(claim.value / 900), rel=1e-6)
    assert row.margin == pytest.approx(row.aim_margin / 3)  # scores 1 to 4
    assert row.mean == row.aim_margin
    assert row.direct_margin == pytest.approx(Z * 1 / 3 / sqrt(900))  # the variance of 1 to 4 is 1
    (row,) = sv.plan_study(aimed(prevalence=SHARES, aim="cumulative"), respondents=900).rows
    P, estimates = responses(row.question.design, np.tril(np.ones((3, 4))))
    law = np.array(SHARES) @ P
    variances = estimates**2 @ law - np.cumsum(SHARES)[:3] ** 2
    assert variances.sum() == pytest.approx(row.question.optimality.value, rel=1e-6)
    assert row.margin == row.aim_margin == pytest.approx(Z * sqrt(variances.max() / 900))


def test_an_aim_at_unknown_shares_counts_the_worst_ones_and_simulated_surveys_agree():
    (row,) = sv.plan_study(aimed(), respondents=900).rows
    P, (estimates,) = responses(row.question.design, [1, 2, 3, 4])
    pairs = [(x, y, t) for x in range(4) for y in range(x) for t in np.linspace(0, 1, 201)]
    laws = np.zeros((len(pairs), 4))
    for law, (x, y, t) in zip(laws, pairs, strict=True):
        law[x] = t
        law[y] = 1 - t
    variances = laws @ P @ estimates**2 - (laws @ [1, 2, 3, 4]) ** 2
    assert row.aim_margin == pytest.approx(Z * sqrt(variances.max() / 900), rel=1e-4)
    worst = laws[variances.argmax()]
    counts = np.random.default_rng(91).multinomial(900, worst @ P, size=40_000)
    off = abs(counts @ estimates / 900 - worst @ [1, 2, 3, 4])
    assert np.mean(off <= row.aim_margin) == pytest.approx(0.95, abs=0.006)  # 5 deviations
    assert np.mean(off <= 0.95 * row.aim_margin) < 0.944


def test_respondents_for_an_aim_keep_its_margin_as_a_fraction_of_the_range():
    plan = sv.plan_study(aimed(scores=[0, 10, 20, 30]), margin=0.05)
    (row,) = plan.rows
    alone = sv.plan_margin(row.question.design, 1.5, scores=[0, 10, 20, 30])
    assert plan.respondents == alone.respondents
    assert 1.499 < row.aim_margin <= 1.5
    assert row.direct_respondents == 385  # half at either end: 1.96² 0.25/0.05²
    assert "margin is a fraction of the range" in " ".join(plan.facts().sentences)
    (contrast,) = sv.plan_study(aimed(kind="choice", aim=[1, 0, 0, -1]), margin=0.05).rows
    assert contrast.aim == "1, 0, 0, -1"
    assert 0.0999 < contrast.aim_margin <= 0.1
    assert contrast.share_margin > contrast.aim_margin  # and it is not planned by a share


def test_a_mean_beside_refusals_is_planned_as_results_estimate_it():
    """The mean among those who answer, from surveys drawn at the stated shares."""
    shares = [0.3, 0.2, 0.2, 0.1, 0.2]
    (row,) = sv.plan_study(aimed(refuse=True, prevalence=shares), respondents=4000).rows
    question = row.question
    P, _ = responses(question.design, np.eye(5))
    drawn = np.random.default_rng(17).multinomial(4000, np.array(shares) @ P, size=800)
    means = [mean_among("mean", sv.estimate_answers(question.design, Tally.of(counts.tolist())),
                        question.scores).estimate for counts in drawn]
    assert np.mean(means) == pytest.approx(17 / 8, abs=0.03)
    assert Z * np.std(means) == pytest.approx(row.aim_margin, rel=0.13)  # 5 deviations
    zero = sv.best_design(question.answers, 1, aim=[1, 2, 3, 4, 0],
                          prior=[str(p) for p in shares]).design
    assert Z * sqrt(_ratio_variance(zero, shares) / 4000) > 1.15 * row.aim_margin


def _ratio_variance(design, shares):
    """The variance of the mean among the first four answers, to first order."""
    P, (estimates,) = responses(design, (np.array([1, 2, 3, 4, 17 / 8]) - 17 / 8) / 0.8)
    return estimates**2 @ (np.array(shares) @ P)
