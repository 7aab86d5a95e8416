"""A study: a survey as a researcher states it, before its questions have designs.

One person's answers have one total level. A question may have a fixed level or a fixed share of
the total; that of a crosswise question follows from its second question. The others share what
is left, evenly, by weights, or so that the largest margin is smallest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from tightrope.characters import alike, shorten
from tightrope.choices import member_of
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.surveys.bins import Bins
from tightrope.surveys.designs import NO_YES, Design
from tightrope.surveys.questions import CLEAR, Branch, Kind, Question, SecondQuestion
from tightrope.surveys.survey_file import MOST_QUESTIONS

REFUSED, NOT_ASKED = "prefer not to say", "not asked"
"""The names of these two values, unless a study names them."""


class Split(StrEnum):
    """The split of what is left of a total: equal weights, or the least largest margin."""

    EVEN = "even"
    MARGINS = "margins"


@dataclass(frozen=True)
class StudyQuestion:
    """A question as it is stated; `answers` are those to choose from, the harmless one first.

    `design` names one; `own` is one, at its own smallest level without `epsilon`. The best one is
    for an `aim` (see `best_design`) and a `prevalence`: the expected shares of all values, or that
    of the second of two.
    `epsilon` is a fixed level, `share` a fixed part of the total, `weight` counts beside others.
    """

    text: str
    answers: tuple[str, ...] = NO_YES
    _: KW_ONLY
    key: str = ""
    kind: Kind = Kind.CHOICE
    sensitive: tuple[str, ...] | None = None
    scores: tuple[Fraction, ...] | None = None
    bins: Bins | None = None
    second: SecondQuestion | None = None
    refused: str | None = None
    not_asked: str = NOT_ASKED
    branch: Branch | None = None
    clear: bool = False
    design: str | None = None
    own: Design | None = None
    aim: str | tuple[Fraction, ...] | None = None
    prevalence: Fraction | tuple[Fraction, ...] | None = None
    epsilon: Level | None = None
    share: Fraction | None = None
    weight: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", member_of(Kind, self.kind))
        if self.bins is not None:
            object.__setattr__(self, "answers", self.bins.names)
        self._check_kind()
        self._check_level()
        if len({alike(name) for name in self.values}) < len(self.values):
            raise BadInput("expected answers that look different, also from “prefer not to say” "
                           "and “not asked”.")
        if self.sensitive is not None and not set(self.sensitive) <= set(self.values):
            raise BadInput("expected sensitive answers among the answers of the question.")

    def _check_kind(self) -> None:
        kind = self.kind
        if (self.second is not None) != kind.two_questions:
            raise BadInput("a crosswise or unrelated question has a second question, no other has: "
                           'kind = "crosswise" beside second = { text = "…", prevalence = '
                           "[0.15, 0.18] }.")
        if (self.bins is not None) != (kind is Kind.NUMERIC):
            raise BadInput("a numeric question has bins, no other has: kind = \"numeric\" beside "
                           "bins = [0, 5, 10, 50].")
        if self.scores is not None and (kind is not Kind.SCALE
                                        or len(self.scores) != len(self.answers)):
            raise BadInput("scores are those of a scale, a number for each of its answers.")
        if kind.two_questions and (self.clear or self.design or self.own):
            raise BadInput(f"a {kind} question is a design of its own: leave clear and design "
                           "out.")
        if kind.two_questions and (self.refused or self.branch or len(self.answers) != 2):
            raise BadInput(f"a {kind} question has two answers, no “prefer not to say”, and is "
                           "asked of everybody; choose another kind for more.")
        if self.aim is not None and self.design != "best":
            raise BadInput('an aim chooses the best design: design = "best".')
        if self.clear and (self.design or self.own or self.sensitive):
            raise BadInput("a clear question has no design and no sensitive answer: its answer is "
                           "stored as it is given.")

    def _check_level(self) -> None:
        stated = (self.epsilon is not None) + (self.share is not None) + (self.weight != 1)
        if self.own is not None and (self.share is not None or self.weight != 1):
            raise BadInput("a design of one's own has a level: leave share and weight out.")
        if stated > 1:
            raise BadInput("state one of epsilon, share and weight of a question.")
        if stated and (self.clear or self.kind is Kind.CROSSWISE):
            raise BadInput("a clear question has no level" if self.clear else
                           "the level of a crosswise question follows from its prevalence: leave "
                           "epsilon, share and weight out.")
        if self.weight <= 0 or (self.share is not None and not 0 < self.share <= 1):
            raise BadInput("expected a weight above 0, and a share above 0 and at most 1.")

    @property
    def values(self) -> tuple[str, ...]:
        """The true answers: those to choose from, “prefer not to say”, “not asked”."""
        return (*self.answers, *([self.refused] if self.refused else []),
                *([self.not_asked] if self.branch else []))

    @property
    def fixed(self) -> Level | None:
        """The level that is stated, or that the prevalence of a crosswise question gives."""
        if self.kind is Kind.CROSSWISE and self.second is not None:
            return Level.ratio(max(max(p / (1 - p), (1 - p) / p) for p in self.second.ends))
        return self.epsilon


@dataclass(frozen=True)
class Study:
    """A survey as it is stated; `links` are how many, or how many for each group.

    >>> fair = Study("Fair", (StudyQuestion("Ever?"), StudyQuestion("Often?")), Level.ratio(9))
    >>> fair.keys
    ('q1', 'q2')
    """

    title: str
    questions: tuple[StudyQuestion, ...]
    total: Level | None = None
    about: str = ""
    split: Split = Split.EVEN
    links: Mapping[str, int] | int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "split", member_of(Split, self.split))
        if not 1 <= len(self.questions) <= MOST_QUESTIONS:
            raise BadInput(f"expected from 1 to {MOST_QUESTIONS} questions, found "
                           f"{len(self.questions)}.")
        named = tuple(replace(question, key=question.key or f"q{place}")
                      for place, question in enumerate(self.questions, start=1))
        object.__setattr__(self, "questions", named)
        if self.split is Split.MARGINS and any(question.weight != 1 for question in named):
            raise BadInput("weights count in an even split: leave them out, or split.")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the questions: q1, q2, … where none is stated."""
        return tuple(question.key for question in self.questions)

    def with_total(self, level: Level | None) -> Study:
        """The study with this total, which it does not state itself."""
        if level is not None and self.total is not None:
            raise BadInput("the study states its total level: do not state it again.")
        return self if level is None else replace(self, total=level)


def sensitive_of(question: StudyQuestion) -> tuple[str, ...]:
    """The answers that a person may want to hide: all but the first, if none are named."""
    if question.sensitive is not None:
        return question.sensitive
    return () if question.clear else question.answers[1:]


def clear_question(asked: StudyQuestion) -> Question:
    """The question of a clear one: its answer is sent and stored as it is."""
    return Question(asked.key, asked.text, None, (), CLEAR,
                    "Your answer is sent and stored as you give it.", listed=asked.values,
                    **form_of(asked))


def form_of(asked: StudyQuestion) -> dict[str, Any]:
    """The fields of a question beside its design."""
    return {
        "kind": asked.kind, "bins": asked.bins, "second": asked.second, "branch": asked.branch,
        "scores": scores_of(asked), "refused": asked.refused,
        "not_asked": asked.not_asked if asked.branch else None,
    }


def scores_of(asked: StudyQuestion) -> tuple[Fraction | None, ...] | None:
    """The numbers that values stand for: stated, middles of bins, or 1, 2, … of a scale."""
    if not asked.kind.scored:
        return None
    scores = asked.scores if asked.bins is None else asked.bins.middles
    if scores is None:
        scores = tuple(Fraction(place) for place in range(1, len(asked.answers) + 1))
    return (*scores, *[None] * (len(asked.values) - len(asked.answers)))


def named(asked: StudyQuestion) -> str:
    """The key and the words of a question, as an error names it."""
    return f"{asked.key} (“{shorten(asked.text, 40)}”)"
