"""The privacy label: what a sent answer can and cannot reveal, in plain words.

Every figure is a function of the certified mechanism. For a response z and a sensitive answer
x the odds of x against another answer y change by the factor P[x][z]/P[y][z]; the label names
the largest one for each response, an example in numbers of people, and the proof if there is
one: a zero beside a non-zero probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil, log10

from tightrope.exact import Level, Surd, upper_bound
from tightrope.surveys.designs import Design
from tightrope.surveys.survey_file import Question, Survey

EXAMPLE = Fraction(1, 10)


@dataclass(frozen=True)
class SentAnswer:
    """One response, and what its reader can and cannot infer."""

    response: str
    can: str
    cannot: str


@dataclass(frozen=True)
class QuestionLabel:
    """The label of one question: how answers are sent, and what each sent one reveals.

    `sending` has the true answer and its probabilities, as text; `first` is the response that
    says most about a sensitive answer, `others` are the rest.
    """

    question: str
    how: str
    responses: tuple[str, ...]
    sending: tuple[tuple[str, tuple[str, ...]], ...]
    first: SentAnswer
    others: tuple[SentAnswer, ...]
    promise: str


def percent(p: Fraction) -> str:
    """A probability as people say it; only what cannot happen is 0%, only the certain 100%.

    >>> percent(Fraction(3, 4)), percent(Fraction(731, 1000)), percent(Fraction(1, 3000))
    ('75%', '73.1%', '0.033%')
    >>> percent(1 - Fraction(1, 10**6)), percent(Fraction(1, 10**400)), percent(Fraction(1))
    ('over 99.9%', 'under 0.0001%', '100%')
    """
    if Fraction(9995, 10_000) <= p < 1:
        return "over 99.9%"
    if 0 < p < Fraction(1, 10**6):
        return "under 0.0001%"
    value = 100 * float(p)
    return f"{value:.2g}%" if 0 < value < 1 else f"{value:.3g}%"


def times(factor: Fraction) -> str:
    """A factor to two decimals, whole from 10 on, a power of ten from 10^12 on; never too low.

    >>> times(Fraction(3)), times(Fraction(1492, 1001)), times(Fraction(1001, 10))
    ('3', '1.5', '101')
    >>> times(Fraction(10**12)), times(Fraction(10**5000 + 1))
    ('10^12', '10^5001')
    """
    if factor >= 10**12:
        power = int(log10(2) * ceil(factor).bit_length()) - 1
        return f"10^{next(k for k in count(power) if 10**k >= factor)}"
    return f"{ceil(factor):,}" if factor >= 10 else f"{ceil(100 * factor) / 100:g}"


def question_label(question: Question) -> QuestionLabel:
    """The label of one question."""
    design = question.design
    sending = tuple(
        (answer, tuple(percent(p) for p in row))
        for answer, row in zip(design.answers, design.rows, strict=True)
    )
    reveals = [_inference(design, z) for z in range(len(design.responses))]
    first = reveals.pop(_telling(design))
    return QuestionLabel(
        question.text, question.how, design.responses, sending, first, tuple(reveals),
        promise(question.level),
    )


def _telling(design: Design) -> int:
    """The response with the largest factor in favor of a sensitive answer."""
    def factor(z: int) -> tuple[bool, Fraction]:
        column = [row[z] for row in design.rows]
        top = max(column[design.answers.index(name)] for name in design.sensitive)
        low = min(column)
        return (low == 0 and top > 0, top if low == 0 else top / low)

    # of equal ones the last: answers are listed with the harmless one first
    return max(range(len(design.responses)), key=lambda z: (*factor(z), z))


def promise(level: Level, questions: int = 1) -> str:
    """The meaning of a level for one person's sent answers, which are categories.

    With δ > 0 it speaks of sets of sent answers: their odds may move further than by e^ε
    with more than probability δ.
    """
    exact = level.power(Surd.of(1))
    factor = times(upper_bound(level.power_ball(Surd.of(1), 80)) if exact is None else exact)
    many = f"{'both' if questions == 2 else f'all {questions}'} of your sent answers together"
    which = "your sent answer" if questions == 1 else many
    truths = "true answers" if questions == 1 else "sets of true answers"
    shown = f"{factor} (ε = {float(level):.5g})"
    if level.delta == 0:
        return (
            f"Whoever sees {which} can change the odds between any two {truths} of yours by a "
            f"factor of at most {shown}."
        )
    return (
        f"For any two {truths} of yours, any property of {which} has under one a probability of "
        f"at most {shown} times that under the other, plus {percent(level.delta)} (δ)."
    )


def total_promise(survey: Survey) -> str:
    """The promise about all questions of a survey together."""
    return promise(survey.total, len(survey.questions))


def _inference(design: Design, z: int) -> SentAnswer:
    column = [row[z] for row in design.rows]
    response = design.responses[z]
    likeliest = max(range(len(column)), key=column.__getitem__)
    least = min(range(len(column)), key=column.__getitem__)
    answer, other = design.answers[likeliest], design.answers[least]
    high, low = column[likeliest], column[least]
    if low == 0:
        return SentAnswer(
            response,
            f"prove that your true answer is not “{other}”"
            + (f": it is “{answer}”." if len(column) == 2 else "."),
            f"happen to everybody: only {percent(high)} of the people whose true answer is "
            f"“{answer}” send it.",
        )
    before = EXAMPLE
    after = before * high / (before * high + (1 - before) * low)
    return SentAnswer(
        response,
        f"change their guess: “{answer}” becomes up to {times(high / low)} times as likely, "
        f"against “{other}”, as it was before. If 10 in 100 people truly say “{answer}”, then "
        f"{'' if len(column) == 2 else 'at most '}{100 * float(after):.0f} in 100 of those who "
        f"send “{response}” do.",
        f"prove it: {percent(low)} of the people whose true answer is “{other}” "
        f"send “{response}” too.",
    )
