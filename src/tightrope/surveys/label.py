"""The privacy label: what a sent answer can and cannot reveal, in plain words.

Every figure is a function of the certified mechanism. For a response z and a sensitive answer
x the odds of x against another answer y change by the factor P[x][z]/P[y][z]; the label names
the largest one for each response, an example in numbers of people, and the proof if there is
one: a zero beside a non-zero probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from tightrope.exact import Level, Surd, upper_bound
from tightrope.surveys.designs import Design
from tightrope.surveys.languages import ENGLISH, Language
from tightrope.surveys.questions import Kind, Question
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.words import QuestionWords, question_words

EXAMPLE = Fraction(1, 10)
_NOTES = {Kind.CROSSWISE: "sent.crosswise", Kind.UNRELATED: "sent.unrelated"}


@dataclass(frozen=True)
class SentAnswer:
    """One response, and what its reader can and cannot infer."""

    response: str
    can: str
    cannot: str


@dataclass(frozen=True)
class QuestionLabel:
    """The label of one question: how answers are sent, and what each sent one reveals.

    `sending` has the true answer and its probabilities, as text, and `marked` whether it is
    sensitive; `first` is the response that says most about a sensitive answer, `others` are the
    rest. Of a clear question there is none. `conditions` are those of a second question, and
    `note` says how it is answered if not like others.
    """

    question: str
    how: str
    responses: tuple[str, ...]
    sending: tuple[tuple[str, tuple[str, ...]], ...]
    first: SentAnswer | None
    others: tuple[SentAnswer, ...]
    promise: str
    marked: tuple[bool, ...] = ()
    note: str = ""
    conditions: tuple[str, ...] = ()
    clear: bool = False
    randomized: bool = True
    quoted: str = ""


def question_label(
    question: Question, language: Language = ENGLISH, words: QuestionWords | None = None
) -> QuestionLabel:
    """The label of one question in a language, in the words of its file if none are given."""
    named = words or question_words(question, language)
    quoted = language.say("label.quoted", text=named.text)
    if question.level is None:
        return QuestionLabel(named.text, question.how, (), (), None, (), "", clear=True,
                             note=language.say("sent.clear"), randomized=False, quoted=quoted)
    designs = question.ends
    sending = tuple(
        (answer, tuple(_share([design.rows[x][z] for design in designs], language)
                       for z in range(len(named.responses))))
        for x, answer in enumerate(named.answers)
    )
    reveals = [_inference(designs, z, named, language) for z in range(len(named.responses))]
    first = reveals.pop(_telling(question.design))
    return QuestionLabel(
        named.text, question.how, named.responses, sending, first, tuple(reveals),
        promise(question.level, 1, language),
        tuple(name in question.sensitive for name in question.answers),
        language.say(_NOTES[question.kind]) if question.kind in _NOTES else "",
        question.conditions_in(language, named.second, named.answers[1]),
        randomized=question.randomized, quoted=quoted,
    )


def _share(shares: Sequence[Fraction], language: Language) -> str:
    """A share of people, or the interval in which it lies."""
    low, high = language.percent(min(shares)), language.percent(max(shares))
    return low if low == high else language.say("label.between", low=low, high=high)


def _telling(design: Design) -> int:
    """The response with the largest factor in favor of a sensitive answer."""
    def factor(z: int) -> tuple[bool, Fraction]:
        column = [row[z] for row in design.rows]
        top = max(column[design.answers.index(name)] for name in design.sensitive)
        low = min(column)
        return (low == 0 and top > 0, top if low == 0 else top / low)

    # of equal ones the last: answers are listed with the harmless one first
    return max(range(len(design.responses)), key=lambda z: (*factor(z), z))


def promise(level: Level, questions: int = 1, language: Language = ENGLISH) -> str:
    """The meaning of a level for one person's sent answers, which are categories.

    With δ > 0 it speaks of sets of sent answers: their odds may move further than by e^ε
    with more than probability δ.
    """
    exact = level.power(Surd.of(1))
    factor = upper_bound(level.power_ball(Surd.of(1), 80)) if exact is None else exact
    shown = {"n": questions, "factor": language.times(factor),
             "epsilon": language.decimal(f"{float(level):.5g}")}
    if level.delta == 0:
        return language.say("promise.odds", **shown)
    return language.say("promise.delta", delta=language.percent_at_most(level.delta), **shown)


def device_promise(survey: Survey, language: Language = ENGLISH) -> tuple[str, str]:
    """Sentences on what stays on the device, and what the page sends instead."""
    drawn = [question.randomized for question in survey.questions]
    kept = all(drawn) or all(question.kind is Kind.CROSSWISE for question in survey.questions)
    return (language.say("page.device" if kept else "page.device_mixed"),
            language.say("page.device_how" if any(drawn) else "page.device_each"))


def total_promise(survey: Survey, language: Language = ENGLISH) -> str:
    """The promise about all questions of a survey together, and what it does not cover."""
    parts = [promise(survey.total, len(survey.private), language)]
    if any(question.clear for question in survey.questions):
        parts.append(language.say("promise.but_clear"))
    if any(question.second for question in survey.questions):
        parts.append(language.say("promise.if_second"))
    return " ".join(parts)


def _inference(
    designs: Sequence[Design], z: int, named: QuestionWords, language: Language
) -> SentAnswer:
    """The inference from a response; of two questions, at the prevalence where it reveals most."""
    columns = [[row[z] for row in design.rows] for design in designs]
    column = max(columns, key=lambda chances: (
        min(chances) == 0, max(chances) / (min(chances) or 1)))
    likeliest = max(range(len(column)), key=column.__getitem__)
    least = min(range(len(column)), key=column.__getitem__)
    high, low = column[likeliest], column[least]
    words = {"response": named.responses[z], "answer": named.answers[likeliest],
             "other": named.answers[least]}
    two = "_of_two" if len(column) == 2 and len(designs) == 1 else ""
    if low == 0:
        return SentAnswer(
            named.responses[z],
            language.say(f"reveal.proves{two}", **words),
            language.say("reveal.some_send", share=language.percent(high), **words),
        )
    after = 100 * EXAMPLE * high / (EXAMPLE * high + (1 - EXAMPLE) * low)
    shown = round(after) if two else ceil(after)  # with more answers it is said to be the most
    return SentAnswer(
        named.responses[z],
        language.say(f"reveal.guess{two}", factor=language.times(high / low),
                     after=str(shown), **words),
        language.say("reveal.no_proof", share=_share([chances[least] for chances in columns],
                                                     language),
                     **words),
    )
