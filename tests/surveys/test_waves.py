"""Waves of one survey: changes, trends, what is matched, and what is said of second questions."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from tests.surveys.field import (
    clear,
    drawn_truths,
    field_survey,
    people,
    private,
    report_on,
)
from tests.surveys.test_findings import LAWS
from tightrope import surveys as sv
from tightrope.errors import BadInput
from tightrope.surveys.survey_file import Survey

SURVEY = field_survey()


def wave(n, seed, survey=SURVEY, **laws):
    generator = np.random.default_rng(seed)
    return report_on(people(survey, drawn_truths(survey, {**LAWS, **laws}, n, generator), seed))


def test_two_waves_have_the_change_that_two_groups_have():
    first, second = wave(300, 1), wave(500, 2)
    trend = sv.compare_waves([first, second], ["spring", "fall"])
    groups = [report.findings[0].all.estimate for report in (first, second)]
    expected = sv.difference(*groups, 1)
    assert trend.changes.rows[0].result == expected
    slope = trend.slopes[0].result
    assert (slope.difference, slope.low, slope.p_value) == pytest.approx(
        (expected.difference, expected.low, expected.p_value))
    assert (trend.changes.rows[0].first, trend.changes.rows[0].second) == ("spring", "fall")


def test_the_slope_is_that_of_least_squares_with_the_squared_distances_of_all_waves():
    reports = [wave(200 + 100 * j, j, q1=[0.7 - 0.1 * j, 0.3 + 0.1 * j]) for j in range(4)]
    rows = [report.findings[0].all.estimate.shares.rows[1] for report in reports]
    slope = sv.compare_waves(reports).slopes[0].result
    assert slope.difference == pytest.approx(np.polyfit(range(4), [r.estimate for r in rows], 1)[0])
    weights = (np.arange(4) - 1.5) / 5
    upward = [c * ((r.high if c > 0 else r.low) - r.estimate)
              for c, r in zip(weights, rows, strict=True)]
    assert slope.high - slope.difference == pytest.approx(np.linalg.norm(upward))


def test_designs_may_differ_between_waves_but_answers_may_not():
    other = Survey("Later", "", (
        private("q1", "Ever in life?", sv.warner("3/4")),
        private("q2", "How much?", sv.k_ary(("none", "some", "much"), 3)),
        clear("q6", "Where?", ("north", "south", "east"))), ("old",))
    laws = {**LAWS, "q2": [0.3, 0.4, 0.3]}
    trend = sv.compare_waves([wave(200, 1), wave(200, 2, other, **laws)])
    assert {row.question for row in trend.changes.rows} == {"q1", "q6"}
    assert trend.left_out == ("q2", "q3", "q4", "q5", "q7")
    assert trend.reworded == ("q1",)
    assert trend.waves == ("A study", "Later")
    assert trend.reused == ()


def test_a_second_question_of_two_waves_is_warned_about_first():
    trend = sv.compare_waves([wave(200, 1), wave(200, 2)])
    assert trend.reused == ("Was your mother born in May or June?",)
    assert "two true answers agree" in trend.sentences[0]
    assert trend.waves == ("wave 1", "wave 2")


def test_the_level_of_whoever_answers_every_wave_is_the_sum():
    trend = sv.compare_waves([wave(50, 1), wave(50, 2), wave(50, 3)])
    # five questions at a ratio of 4 in each of three waves
    assert f"ln({4**15})" in " ".join(trend.sentences)


@pytest.mark.parametrize(("reports", "words"), [
    (1, "from 2 to 12"), (13, "from 2 to 12"),
])
def test_a_number_of_waves_that_is_none_is_refused(reports, words):
    with pytest.raises(BadInput, match=words):
        sv.compare_waves([wave(5, 1)] * reports)


def test_waves_that_cannot_be_compared_are_refused():
    made = wave(60, 1)
    with pytest.raises(BadInput, match="same confidence"):
        sv.compare_waves([made, replace(made, how=replace(made.how, confidence=0.9))])
    with pytest.raises(BadInput, match="all different"):
        sv.compare_waves([made, made], ["a", "a"])
    with pytest.raises(BadInput, match="no answers yet"):
        sv.compare_waves([made, report_on(replace(made.people, sent=()))])


def test_a_trend_is_json_and_a_picture_has_a_line_for_each_wave():
    trend = sv.compare_waves([wave(60, j) for j in range(3)])
    told = trend.facts().json
    assert told["trends"][0]["question"] == "q1"
    assert len(told["changes"]) == 2 * len(told["trends"])
    assert [name for name, *_ in trend.bars()][:3] == [
        "q1: yes, wave 1", "q1: yes, wave 2", "q1: yes, wave 3"]
    written = {text.get_text() for text in trend.plot().axes[0].texts}
    assert {name for name, *_ in trend.bars()} <= written


REPETITIONS = 200


@pytest.mark.slow
def test_intervals_of_a_trend_hold_as_often_as_promised():
    held = 0
    for seed in range(REPETITIONS):
        reports = [wave(250, 3 * seed + j, q1=[0.6 - 0.1 * j, 0.4 + 0.1 * j]) for j in range(3)]
        slope = sv.compare_waves(reports).slopes[0].result
        held += slope.low <= 0.1 <= slope.high
    assert held >= binom.ppf(1e-6, REPETITIONS, 0.95)
    assert held < REPETITIONS


def test_a_scale_whose_numbers_changed_is_left_out():
    other = replace(SURVEY, questions=tuple(
        replace(q, scores=(Fraction(1), Fraction(2), Fraction(9), None)) if q.key == "q2" else q
        for q in SURVEY.questions))
    trend = sv.compare_waves([wave(60, 1), wave(60, 2, other)], ["a", "b"])
    assert trend.left_out == ("q2",)
