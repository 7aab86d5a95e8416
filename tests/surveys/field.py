"""A survey with a question of every kind, and people who answer it, shared by tests."""

from fractions import Fraction

import numpy as np

from tests.surveys.samples import new_store
from tightrope import surveys as sv
from tightrope.exact import Level
from tightrope.surveys.bins import Bins
from tightrope.surveys.finding import find
from tightrope.surveys.findings import Report
from tightrope.surveys.questions import CLEAR, Branch, Kind, Question, SecondQuestion
from tightrope.surveys.respondents import Respondents
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.survey_store import StoredAnswer, Submission
from tightrope.utility import HowIntervals

RATIO = Level.ratio(4)
REFUSED, NOT_ASKED = "prefer not to say", "not asked"


def private(key, text, design, **form):
    proof = sv.prove(design, RATIO)
    return Question(key, text, proof, design.sensitive, design.name, design.how, **form)


def clear(key, text, answers, **form):
    return Question(key, text, None, (), CLEAR, "", listed=tuple(answers), **form)


def crosswise(key, text, low, high):
    second = SecondQuestion("Was your mother born in May or June?", Fraction(low), Fraction(high))
    design = sv.crosswise(second.low)
    return private(key, text, design, kind=Kind.CROSSWISE, second=second)


def field_survey(groups=("old", "new")):
    """Yes or no, a scale with a refusal, a branch, a number, crosswise, and two clear questions."""
    scale = ("1", "2", "3", REFUSED)
    bins = Bins(tuple(map(Fraction, (0, 10, 20, 40))), unit="hours")
    questions = (
        private("q1", "Ever?", sv.k_ary(("no", "yes"), 4)),
        private("q2", "How much?", sv.k_ary(scale, 4), kind=Kind.SCALE, refused=REFUSED,
                scores=(Fraction(1), Fraction(2), Fraction(3), None)),
        private("q3", "Since then?", sv.k_ary(("no", "yes", NOT_ASKED), 4), not_asked=NOT_ASKED,
                branch=Branch("q1", ("yes",))),
        private("q4", "How long?", sv.k_ary(bins.names, 4), kind=Kind.NUMERIC, bins=bins,
                scores=bins.middles),
        crosswise("q5", "Cheated?", "1/5", "1/4"),
        clear("q6", "Where?", ("north", "south", "east")),
        clear("q7", "Age?", ("young", "middle", "aged"), kind=Kind.SCALE,
              scores=(Fraction(20), Fraction(40), Fraction(60))),
    )
    return Survey("A study", "", questions, tuple(groups))


UNEVEN = tuple(map(Fraction, ("9/10", "1/40", "1/40", "1/40", "1/40")))
FIVE = ("never", "rarely", "monthly", "weekly", "daily")


def best_survey():
    """A scale with the best design for its mean at uneven shares."""
    return sv.survey_at(sv.read_study({"title": "Work", "epsilon": 2, "questions": [
        {"key": "late", "text": "Late?", "answers": list(FIVE), "design": "best",
         "kind": "scale", "aim": "mean", "prevalence": list(map(str, UNEVEN))}]}))


def sent(question, truths, generator):
    """What people with these true answers (positions) send."""
    law = np.array([[float(p) for p in row] for row in question.design.rows]).cumsum(axis=1)
    drawn = generator.random(len(truths))
    return (drawn[:, None] > law[np.asarray(truths)][:, :-1]).sum(axis=1)


def people(survey, truths, seed, groups=None, weights=None):
    """Respondents with these true answers by question; groups are named for each of them."""
    generator = np.random.default_rng([seed, 1])  # apart from what drew the true answers
    codes = {question.key: sent(question, truths[question.key], generator)
             for question in survey.questions}
    n = len(next(iter(codes.values())))
    named = groups if groups is not None else [survey.groups[0]] * n
    return Respondents(survey, tuple(
        StoredAnswer(named[i], {key: int(column[i]) for key, column in codes.items()})
        for i in range(n)), weights)


def drawn_truths(survey, laws, n, generator):
    """True answers of n people, independently with these laws."""
    return {question.key: generator.choice(len(question.answers), n, p=laws[question.key])
            for question in survey.questions}


def kept(folder, survey, respondents):
    """The store of a survey that these respondents answered, in a folder."""
    tokens = [f"t{i}" for i in range(len(respondents))]
    store = new_store(folder, survey, "o", {
        token: answer.group for token, answer in zip(tokens, respondents.sent, strict=True)})
    batch = [Submission(token, answer.responses, "")
             for token, answer in zip(tokens, respondents.sent, strict=True)]
    assert set(store.accept(batch)) == {"stored"}
    return store


def report_on(respondents, *, confidence=0.95, sampling=True):
    """The report on respondents, without a store."""
    how = HowIntervals.of(confidence, None, sampling)
    survey = respondents.survey
    findings = tuple(find(question, respondents, how) for question in survey.questions)
    return Report(survey, findings, {}, respondents, False, how)
