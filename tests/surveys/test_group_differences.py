"""Differences between groups: intervals, Holm's procedure, and what may divide people."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, binom
from statsmodels.stats.multitest import multipletests

from tests.surveys.field import drawn_truths, field_survey, people, report_on
from tests.surveys.test_findings import LAWS
from tightrope import surveys as sv
from tightrope.errors import BadInput, TooLarge
from tightrope.surveys import group_differences
from tightrope.surveys.differences import TWO, _squares, mean_contrast
from tightrope.surveys.group_differences import adjust
from tightrope.surveys.means import mean_among
from tightrope.utility import share_ends

SURVEY = field_survey()
NOBODY = dict.fromkeys(LAWS, 0)


def respondents(n, seed, groups=("old", "new"), laws=LAWS, **changed):
    generator = np.random.default_rng(seed)
    truths = {**drawn_truths(SURVEY, laws, n, generator), **changed}
    return people(SURVEY, truths, seed, groups=[groups[i % len(groups)] for i in range(n)])


def test_holm_is_that_of_statsmodels():
    p_values = np.random.default_rng(1).random(30) ** 3
    expected = multipletests(p_values, method="holm")[1]
    assert adjust(p_values.tolist()) == pytest.approx(expected)
    assert adjust([]) == []


def test_every_pair_is_compared_or_each_with_a_reference():
    report = report_on(respondents(90, 2))
    pairs = sv.compare_groups(report, "q6").rows
    assert {(row.first, row.second) for row in pairs} == {
        ("north", "south"), ("north", "east"), ("south", "east")}
    beside = sv.compare_groups(report, "q6", reference="east").rows
    assert {(row.first, row.second) for row in beside} == {("east", "north"), ("east", "south")}
    assert "q6" not in {row.question for row in pairs}


def test_two_answers_are_compared_once_and_a_scale_by_its_mean():
    rows = sv.compare_groups(report_on(respondents(80, 3))).rows
    assert [(row.question, row.result.answer) for row in rows] == [
        ("q1", "yes"), ("q2", "mean"), ("q3", "no"), ("q3", "yes"), ("q3", "not asked"),
        ("q4", "mean of the bins' middles, hours"), ("q5", "yes"),
        ("q6", "north"), ("q6", "south"), ("q6", "east"), ("q7", "mean")]


def clopper_pearson(yes, n, confidence=0.95):
    rest = (1 - confidence) / 2
    return beta.ppf(rest, yes, n - yes + 1), beta.isf(rest, yes + 1, n - yes)


def test_a_difference_of_many_is_newcombe_s():
    """Distances to the ends of both groups' intervals add up in squares, worked out apart."""
    first, second = (50, 200), (90, 240)
    design = sv.warner("3/4")
    groups = [sv.estimate_answers(design, [n - yes, yes]) for yes, n in (first, second)]
    made = sv.difference(*groups, 1)

    def ends(confidence):
        (p, low, high), (q, start, end) = ([2 * x - 0.5 for x in (
            yes / n, *clopper_pearson(yes, n, confidence))] for yes, n in (first, second))
        return (q - p - np.hypot(q - start, high - p), q - p + np.hypot(end - q, p - low))

    assert (made.low, made.high) == pytest.approx(ends(0.95))
    assert ends(1 - made.p_value)[0] == pytest.approx(0, abs=1e-7)
    assert not made.exact


@pytest.mark.parametrize(("sizes", "shares", "ratio"), [
    ((30, 1000), (0.1, 0.5), None), ((30, 300), (0.02, 0.3), None), ((40, 1000), (0.0, 0.5), 20),
    ((30, 30), (0.9, 0.1), 20), ((30, 30), (0.9, 0.1), 2), ((30, 300), (0.02, 0.3), 2)])
def test_a_difference_holds_for_unlike_groups_and_rare_answers(sizes, shares, ratio):
    """By the laws of both counts, each cut where less than 1e-5 is left out.

    The normal interval holds 81 times in 100 where 30 of 10 percent say yes.
    """
    design = sv.k_ary(("no", "yes"), ratio) if ratio else sv.direct_question(("no", "yes"))
    chances = [float(p) for p in (design.rows[0][1], design.rows[1][1])]
    laws = [binom(n, chances[0] + share * (chances[1] - chances[0]))
            for n, share in zip(sizes, shares, strict=True)]
    confidence, held = 0.95, 0.0
    found = [{yes: share_ends(sv.estimate_answers(design, [n - yes, yes]).shares,
                              design.mechanism, confidence)
              for yes in range(n + 1) if law.pmf(yes) > 1e-7}
             for n, law in zip(sizes, laws, strict=True)]
    values = [{yes: (yes / n - chances[0]) / (chances[1] - chances[0]) for yes in kept}
              for n, kept in zip(sizes, found, strict=True)]
    for (one, first), (two, second) in product(found[0].items(), found[1].items()):
        low, high = _squares([(values[0][one], first[0][1], first[1][1]),
                              (values[1][two], second[0][1], second[1][1])], TWO)
        held += laws[0].pmf(one) * laws[1].pmf(two) * (
            low <= shares[1] - shares[0] <= high)
    assert held >= 0.95


@pytest.mark.parametrize("second", [12, 100])
def test_a_difference_with_a_group_of_few_has_the_corners_of_two_exact_intervals(second):
    """Each group's interval is at the root of the confidence, so that both hold at once."""
    design, counts = sv.warner("3/4"), [(5, 12), (second // 4, second)]
    made = sv.difference(*(sv.estimate_answers(design, [n - yes, yes]) for yes, n in counts), 1)
    (low, high), (start, end) = (
        [min(max(2 * x - 0.5, 0), 1) for x in clopper_pearson(yes, n, 0.95**0.5)]
        for yes, n in counts)
    assert made.exact
    assert (made.low, made.high) == pytest.approx((start - high, end - low))


def test_a_difference_of_means_is_made_of_their_intervals():
    report = report_on(respondents(300, 14))
    groups = [part.estimate for part in report.findings[3].groups]
    scores = SURVEY.questions[3].scores
    made = mean_contrast("m", groups, TWO, scores)
    least, most = map(float, (min(scores), max(scores)))
    (p, low, high), (q, start, end) = ([getattr(mean_among("m", group, scores), part)
                                        for part in ("estimate", "low", "high")]
                                       for group in groups)
    assert least < min(low, start)  # none is cut
    assert max(high, end) < most
    assert (made.low, made.high) == pytest.approx(
        (q - p - np.hypot(q - start, high - p), q - p + np.hypot(end - q, p - low)))


def test_nothing_is_known_of_a_difference_if_nothing_is_of_one_mean():
    report = report_on(respondents(120, 15, q2=np.full(120, 3)))  # nobody says
    groups = [part.estimate for part in report.findings[1].groups]
    made = mean_contrast("m", groups, TWO, SURVEY.questions[1].scores)
    assert (made.low, made.high) == (-2, 2)


def test_a_crosswise_difference_spans_a_prevalence_of_its_own_in_each_group():
    report = report_on(respondents(400, 5))
    (row,) = (row for row in sv.compare_groups(report).rows if row.question == "q5")
    old, new = (part.estimate for part in report.findings[4].groups)
    for first in old.ends:
        for second in new.ends:
            between = sv.difference(first, second, 1)
            assert row.result.low <= between.low + 1e-12
            assert between.high <= row.result.high + 1e-12


def test_weights_make_no_difference_exact_and_are_told():
    made = people(SURVEY, {key: np.arange(60) % 2 for key in LAWS}, 1,
                  groups=["old", "new", "new"] * 20, weights={"old": 2.0, "new": 1.0})
    report = report_on(made)
    assert not any(row.result.exact for row in sv.compare_groups(report, "q6").rows)
    assert "count as 53 answers (Kish)" in report.reading  # (20 · 2 + 40)² / (20 · 4 + 40)
    assert "Kish" not in report_on(replace(made, weights=None)).reading


def test_clear_groups_that_all_answer_alike_are_not_certain():
    report = report_on(respondents(80, 6, q6=np.arange(80) % 2))
    rows = [row.result for row in sv.compare_groups(report).rows if row.question == "q6"]
    assert [round(row.difference) for row in rows] == [-1, 1, 0]
    assert all(row.p_value > 0 and row.low < row.high for row in rows)


@pytest.mark.parametrize(("by", "reference", "words"), [
    ("q1", None, "the answers to q1 are randomized"),
    ("q9", None, "there is no question"),
    ("Group", None, "did you mean group?"),
    ("q6", "nord", "did you mean north?"),
])
def test_what_divides_nobody_is_one_sentence(by, reference, words):
    with pytest.raises(BadInput, match=words.replace("?", r"\?")):
        sv.compare_groups(report_on(respondents(30, 7)), by, reference=reference)


def test_too_many_comparisons_are_refused(monkeypatch):
    monkeypatch.setattr(group_differences, "MOST_COMPARISONS", 10)
    with pytest.raises(TooLarge, match="comparisons"):
        sv.compare_groups(report_on(respondents(30, 7)))


@pytest.mark.slow
@pytest.mark.parametrize(("n", "repetitions"), [(40, 60), (600, 200)])
def test_no_difference_is_found_more_often_than_promised(n, repetitions):
    """Of studies without differences, few have any adjusted p-value below 0.05; exact or normal."""
    alarms = held = 0
    for seed in range(repetitions):
        rows = sv.compare_groups(report_on(respondents(n, seed))).rows
        alarms += min(row.adjusted for row in rows) < 0.05
        (mean,) = (row.result for row in rows if row.question == "q2")
        held += mean.low <= 0 <= mean.high
    # at 0.05 more alarms come with probability 1e-6; at a level of one half almost surely
    assert alarms <= binom.isf(1e-6, repetitions, 0.05)
    assert held >= binom.ppf(1e-6, repetitions, 0.95)


def test_a_difference_that_exists_is_found():
    generator = np.random.default_rng(8)
    n = 2000
    truths = drawn_truths(SURVEY, LAWS, n, generator)
    truths["q1"] = (generator.random(n) < np.where(np.arange(n) % 2, 0.6, 0.2)).astype(int)
    made = people(SURVEY, truths, 8, groups=["old", "new"] * (n // 2))
    (row, *_) = sv.compare_groups(report_on(made)).rows
    assert row.adjusted < 1e-6
    assert row.result.low < 0.4 < row.result.high


def test_few_answers_give_an_exact_difference_of_means():
    report = report_on(respondents(40, 9))
    groups = [part.estimate for part in report.findings[3].groups]
    scores = SURVEY.questions[3].scores
    exact = mean_contrast("m", groups, (-1, 1), scores)
    assert exact.exact
    wider = mean_contrast("m", [replace(group, shares=replace(group.shares, confidence=1 - (
        exact.p_value - 1e-6))) for group in groups], (-1, 1), scores)
    assert wider.low <= 0 <= wider.high
