"""Estimates of a best design scatter as its proof says, and are unbiased for every truth."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.surveys.field import FIVE, UNEVEN, best_survey, kept, people
from tests.surveys.samples import survey_of
from tightrope import surveys as sv
from tightrope.documents import accept, digest_of, read
from tightrope.errors import NotOptimal
from tightrope.exact import Level
from tightrope.surveys.quantities import MEAN, Quantity
from tightrope.surveys.survey_file import survey_bytes
from tightrope.tables import estimate_aim, estimate_column
from tightrope.utility import exact_inverse

PRIOR = UNEVEN
CONTRAST = (1, 0, 0, 0, -1)
REPETITIONS, RESPONDENTS = 40_000, 1000


@pytest.fixture(scope="module")
def made():
    return sv.best_design(FIVE, 2, aim=CONTRAST, prior=PRIOR)


def spread(design, shares, seed):
    """Mean and variance of the contrast over simulated surveys, from one respondent."""
    law = np.array([float(share) for share in shares]) @ design.mechanism.weights.floats
    counts = np.random.default_rng(seed).multinomial(RESPONDENTS, law, size=REPETITIONS)
    values = np.array([float(b) for b in contrast().counts(design)])
    estimates = counts @ values / RESPONDENTS
    return estimates.mean(), estimates.var() * RESPONDENTS


def contrast():
    return Quantity(MEAN, tuple(map(Fraction, CONTRAST)), None)


@pytest.mark.parametrize("aim", ["shares", "cumulative", "mean", CONTRAST])
@pytest.mark.parametrize("epsilon", ["1/2", 2])
def test_the_planned_variance_is_that_of_the_estimates(aim, epsilon):
    made = sv.best_design(FIVE, epsilon, aim=aim, prior=PRIOR)
    variances = [Quantity(MEAN, weights, None).variance(made.design, PRIOR)
                 for weights in made.randomizer.workload.rows]
    assert made.value * (1 - Fraction(1, 2**90)) <= sum(variances) <= made.value


def test_the_spread_of_estimates_is_the_planned_one(made):
    """A ratio of variances is normal with error √(2/40,000) = 0.7 %; weights for equal shares
    give 9.6 % more: both error rates of a limit at 5 % are below 1e-10."""
    _, variance = spread(made.design, PRIOR, 1)
    assert abs(variance / float(made.value) - 1) < 0.05
    _, equal = spread(replace(made.design, optimality=None), PRIOR, 1)
    assert equal / float(made.value) - 1 > 0.05


@pytest.mark.parametrize("truth", [(0, 0, 0, 0, 1), ("1/5",) * 5, (0, "1/2", "1/2", 0, 0)])
def test_estimates_are_unbiased_for_every_truth(made, truth):
    """Exactly, and within 6 standard errors of a simulation (error rate 2e-9)."""
    shares = tuple(map(Fraction, truth))
    inverse = exact_inverse(made.design.rows, made.design.prior)
    for x, row in enumerate(made.design.rows):
        assert [sum(p * b for p, b in zip(row, column, strict=True))
                for column in zip(*inverse, strict=True)] == [x == v for v in range(5)]
    mean, variance = spread(made.design, shares, 2)
    room = 6 * (variance / RESPONDENTS / REPETITIONS) ** 0.5
    assert abs(mean - float(contrast().value(shares))) < room


def test_the_file_of_a_survey_carries_proof_and_shares():
    survey = best_survey()
    again = sv.read_survey(survey_bytes(survey))
    (question,) = again.questions
    assert again == survey
    assert question.design.prior == PRIOR
    document = question.document
    assert document["optimality"]["goal"] == "variance"
    document["optimality"]["bound"] = (2 * float.fromhex(document["optimality"]["bound"])).hex()
    document["digest"] = digest_of(document)
    with pytest.raises(NotOptimal):
        accept(read(json.dumps(document).encode()))


def test_results_and_estimate_weigh_as_the_plan_does(tmp_path):
    """The mean of the results page, of `estimate` with the survey's file, and by hand."""
    survey = best_survey()
    (question,) = survey.questions
    truths = {"late": np.random.default_rng(3).choice(5, 500, p=[0.6, 0.1, 0.1, 0.1, 0.1])}
    with kept(tmp_path, survey, people(survey, truths, 3)) as store:
        report = sv.report(survey, store)
    sv.write_export(report, tmp_path / "a.csv")
    counts = report.people.tally(question)
    P = np.array([[float(p) for p in row] for row in question.design.rows])
    D = np.array([float(p) for p in PRIOR]) @ P
    B = np.linalg.solve((P / D) @ P.T, P / D).T
    (finding,) = report.findings
    by_hand = np.array(counts.shares) @ B
    through = sv.question_mechanisms(tmp_path / "s.json")["late"]
    for shares in (finding.estimate.shares,
                   estimate_column(tmp_path / "a.csv", "late", through, sampling=True)):
        assert [row.estimate for row in shares.rows] == pytest.approx(by_hand, abs=1e-9)
        assert "expected shares" in shares.method
    mean = estimate_aim(tmp_path / "a.csv", "late", "mean", through, sampling=True,
                        scores=question.scores).rows[0]
    assert mean.estimate == pytest.approx(finding.all.mean.estimate, abs=1e-9)
    assert mean.estimate == pytest.approx(by_hand @ [1, 2, 3, 4, 5], abs=1e-9)


def test_a_claim_that_does_not_hold_at_the_proved_level_is_left_out(made):
    """Proved at ε = 3, a design for ε = 2 is private, and not the best."""
    proof = sv.prove(made.design, Level.of(3))
    (question,) = survey_of("x", [("Ever?", made.design, proof)]).questions
    assert question.optimality is None
    assert question.document["optimality"] is None
    proof = sv.prove(made.design, Level.of(2))
    (question,) = survey_of("x", [("Ever?", made.design, proof)]).questions
    assert question.design.prior == PRIOR
