"""Findings for every kind of question: what is estimated, and how often its interval holds."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm, pearson3, t

from tests.surveys.field import NOT_ASKED, REFUSED, drawn_truths, field_survey, kept, people
from tightrope import surveys as sv
from tightrope.errors import BadInput
from tightrope.surveys.finding import find, group_finding
from tightrope.surveys.means import mean_among, response_values
from tightrope.utility import HowIntervals, Tally

SURVEY = field_survey()
Q = {question.key: question for question in SURVEY.questions}
LAWS = {"q1": [0.7, 0.3], "q2": [0.4, 0.3, 0.2, 0.1], "q3": [0.2, 0.1, 0.7],
        "q4": [0.5, 0.3, 0.2], "q5": [0.8, 0.2], "q6": [0.5, 0.3, 0.2], "q7": [0.3, 0.4, 0.3]}
HOW = HowIntervals.of(0.95, None, True)


def test_a_value_of_a_response_is_on_average_the_number_of_the_true_answer():
    for key, numbers in (("q2", (1, 2, 3, 0)), ("q4", (5, 15, 30))):
        design = Q[key].design
        values = response_values(design, list(map(Fraction, numbers)))
        means = [sum(float(p) * v for p, v in zip(row, values, strict=True))
                 for row in design.rows]
        assert means == pytest.approx(numbers)


def test_shares_of_a_clear_question_are_those_that_were_sent():
    codes = [0] * 50 + [1] * 30 + [2] * 20
    truths = {key: codes if key == "q6" else [0] * 100 for key in Q}
    finding = find(Q["q6"], people(SURVEY, truths, 1), HOW)
    assert [row.estimate for row in finding.estimate.shares.rows] == pytest.approx([.5, .3, .2])
    assert finding.json()["clear"] is True
    assert ", clear:" in finding.table().label
    assert any("nothing protects them" in remark for remark in finding.remarks)


def test_the_census_of_a_clear_question_has_intervals_of_no_length():
    truths = {key: [0, 0, 0, 1] * 25 for key in Q}
    finding = find(Q["q6"], people(SURVEY, truths, 1), replace(HOW, sampling=False))
    (row, *_) = finding.estimate.shares.rows
    assert (row.low, row.high) == pytest.approx((0.75, 0.75), abs=1e-9)


def test_a_crosswise_estimate_takes_the_middle_and_its_interval_spans_both_ends():
    tally = Tally.of([120, 80])
    made = group_finding("all", Q["q5"], _sending("q5", [120, 80]), HOW).estimate
    ends = [sv.estimate_answers(sv.crosswise(p), tally).shares.rows[1] for p in ("1/5", "1/4")]
    row = made.shares.rows[1]
    assert row.low == min(end.low for end in ends)
    assert row.high == max(end.high for end in ends)
    # P(same) = pi p + (1 - pi)(1 - p) at p = 0.225
    assert row.estimate == pytest.approx((80 / 200 - 0.775) / (0.225 - 0.775))


def test_responses_fit_a_crosswise_design_if_they_fit_at_either_end():
    """A tenth of “same” is rarer at a prevalence of 1/4 than at 1/5: the likelier end counts."""
    made = group_finding("all", Q["q5"], _sending("q5", [895, 105]), HOW).estimate
    first, second = (sv.estimate_answers(sv.crosswise(p), Tally.of([895, 105])).surprise
                     for p in ("1/5", "1/4"))
    assert first > second
    assert made.surprise == first


def _sending(key, counts):
    """Respondents who send these responses to one question, and the first one elsewhere."""
    codes = np.repeat(np.arange(len(counts)), counts)
    truths = {other: np.zeros(len(codes), int) for other in Q}
    made = people(SURVEY, truths, 0)
    return replace(made, sent=tuple(
        replace(answer, responses={**answer.responses, key: int(code)})
        for answer, code in zip(made.sent, codes, strict=True)))


def test_the_interval_of_a_crosswise_share_spans_every_prevalence_between():
    part = group_finding("all", Q["q5"], _sending("q5", [150, 80]), HOW)
    row = part.estimate.shares.rows[1]
    for p in np.linspace(0.2, 0.25, 21):
        between = sv.estimate_answers(sv.crosswise(Fraction(p)), Tally.of([150, 80])).shares.rows[1]
        assert row.low - 1e-9 <= between.low
        assert between.high <= row.high + 1e-9


def test_shares_among_those_asked_are_quotients_of_shares_of_everybody():
    part = group_finding("all", Q["q3"], _sending("q3", [60, 50, 90]), HOW)
    no, yes, rest = (row.estimate for row in part.estimate.shares.rows)
    (among,) = part.among
    assert among.name == "yes, of those asked"
    assert among.estimate == pytest.approx(yes / (yes + no))
    assert among.among == pytest.approx(1 - rest)
    assert NOT_ASKED not in among.name


def test_a_scale_with_a_refusal_has_a_mean_and_shares_among_those_who_say():
    part = group_finding("all", Q["q2"], _sending("q2", [70, 60, 50, 20]), HOW)
    rows = [row.estimate for row in part.estimate.shares.rows]
    said = sum(rows[:3])
    assert part.mean.estimate == pytest.approx((rows[0] + 2 * rows[1] + 3 * rows[2]) / said)
    assert [share.estimate for share in part.among] == pytest.approx([r / said for r in rows[:3]])
    assert not any(REFUSED in share.name for share in part.among)


def away(P, law, numbers, R, n):
    """Standard errors of the mean of u - R v, and its skewness, if R is the truth.

    The shares that explain the responses, moved towards the answer with the number `numbers` at
    the end where R is, until their mean is R.
    """
    among = np.array([s is not None for s in numbers], dtype=float)
    own = np.array([0.0 if s is None else s for s in numbers])
    places = [place for place, s in enumerate(numbers) if s is not None]
    pick = max if law @ own / (law @ among) < R else min
    end = np.eye(len(law))[pick(places, key=lambda place: own[place])]

    def moved(t):
        return (1 - t) * law + t * end

    t = brentq(lambda t: moved(t) @ own - R * (moved(t) @ among), 0, 1)
    values, chances = np.linalg.solve(P, own - R * among), moved(t) @ P
    variance, third = chances @ values**2, chances @ values**3
    assert chances @ values == pytest.approx(0, abs=1e-9)
    return np.sqrt(variance / n), third / variance**1.5 / np.sqrt(n), values


@pytest.mark.parametrize(("key", "numbers", "mean"), [
    ("q3", (0, 1, None), lambda part: part.among[0]), ("q4", (5, 15, 30), lambda part: part.mean)])
def test_the_ends_of_the_interval_of_a_mean_solve_its_equation(key, numbers, mean):
    """At both ends the mean of u - R v is at a quantile of a gamma law of its skewness there."""
    counts = [300, 250, 450]
    part = group_finding("all", Q[key], _sending(key, counts), HOW)
    P = np.array([[float(p) for p in row] for row in Q[key].design.rows])
    law = np.linalg.solve(P.T, np.array(counts) / 1000)
    assert not mean(part).exact
    for R, side in ((mean(part).low, 1), (mean(part).high, -1)):
        error, skewness, values = away(P, law, numbers, R, 1000)
        quantile = pearson3(side * skewness).ppf(norm.cdf(t(999).ppf(0.975)))
        assert side * (np.array(counts) @ values / 1000) / error == pytest.approx(
            quantile, rel=1e-4)


def test_nothing_is_known_of_those_asked_if_nobody_may_be():
    part = group_finding("all", Q["q3"], _sending("q3", [30, 30, 140]), HOW)
    (share,) = part.among
    assert (share.low, share.high) == (0, 1)


FEWEST = 300
"""Repetitions; an interval that holds 95 times in 100 holds fewer than so often below 1e-6."""


def least(confidence, repetitions=FEWEST):
    return int(binom.ppf(1e-6, repetitions, confidence))


def test_the_least_coverage_rejects_intervals_that_hold_four_times_in_five():
    assert binom.sf(least(0.95) - 1, FEWEST, 0.8) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(("n", "sampling"), [(25, True), (400, True), (400, False)])
def test_intervals_of_means_and_shares_among_those_asked_hold_as_often_as_promised(n, sampling):
    generator = np.random.default_rng(7)
    how = HowIntervals.of(0.95, None if sampling else "score", sampling)
    held = {"mean": 0, "number": 0, "asked": 0, "crosswise": 0, "clear": 0}
    fixed = drawn_truths(SURVEY, LAWS, n, generator)
    for seed in range(FEWEST):
        truths = drawn_truths(SURVEY, LAWS, n, generator) if sampling else fixed
        made = people(SURVEY, truths, seed)
        law = {key: np.array(LAWS[key]) if sampling else np.bincount(
            truths[key], minlength=len(LAWS[key])) / n for key in Q}
        parts = {key: group_finding("all", Q[key], made, how) for key in Q}
        cases = {
            "mean": (parts["q2"].mean, law["q2"][:3] @ [1, 2, 3] / law["q2"][:3].sum()),
            "number": (parts["q4"].mean, law["q4"] @ [5, 15, 30]),
            "asked": (parts["q3"].among[0], law["q3"][1] / law["q3"][:2].sum()),
            "crosswise": (parts["q5"].estimate.shares.rows[1], law["q5"][1]),
            "clear": (parts["q6"].estimate.shares.rows[1], law["q6"][1]),
        }
        for name, (interval, truth) in cases.items():
            held[name] += interval.low - 1e-9 <= truth <= interval.high + 1e-9
    assert min(held.values()) >= least(0.95), held


def test_a_report_of_every_kind_is_json_a_page_and_a_table(tmp_path):
    made = people(SURVEY, drawn_truths(SURVEY, LAWS, 60, np.random.default_rng(3)), 3,
                  groups=["old", "new"] * 30)
    with kept(tmp_path, SURVEY, made) as store:
        report = sv.report(SURVEY, store)
    told = json.loads(json.dumps(report.facts().json))
    assert [part["kind"] for part in told["questions"]] == [q.kind for q in SURVEY.questions]
    assert told["questions"][1]["estimate"]["mean"]["name"] == "mean"
    assert set(told["questions"][2]["groups"]["old"]["among"][0]) == {
        "name", "estimate", "low", "high", "error", "among", "exact"}
    page = sv.results_page(report, alone=True).decode()
    assert page.count("of those asked") == 3
    assert "Was your mother" not in page
    assert "second question's share of yes is from 0.2 to 0.25" in page.replace("&#39;", "'")
    assert "nothing protects them" in page


def test_bad_input_closes_nothing(tmp_path):
    made = people(SURVEY, drawn_truths(SURVEY, LAWS, 5, np.random.default_rng(3)), 3)
    kept(tmp_path, SURVEY, made).close()
    with pytest.raises(BadInput):
        sv.results(tmp_path / "s.json", confidence=2, close=True)
    assert sv.results(tmp_path / "s.json").closed is False


def test_a_mean_needs_no_weights_to_be_exact():
    few = sv.estimate_answers(Q["q4"].design, Tally.of([5, 5, 5]))
    weighted = sv.estimate_answers(
        Q["q4"].design, Tally.weighted([0, 1, 2] * 5, [1.0, 2.0, 1.0] * 5, 3))
    assert mean_among("m", few, Q["q4"].scores).exact
    assert not mean_among("m", weighted, Q["q4"].scores).exact
