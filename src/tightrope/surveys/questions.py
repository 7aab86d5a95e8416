"""One question of a survey: its words, its kind, and the proof of what is sent.

A private question has a certified mechanism. “Prefer not to say” and, where a question is asked of
some people only, “not asked” are values of that mechanism like any other answer. A clear question
has none: its answer is sent and stored as it is. A question of two questions (crosswise,
unrelated) rests on the prevalence of a second one, known as an interval; what is sent follows a
mixture of the mechanisms at its two ends. Mixtures of private mechanisms are private, so the
proof at both ends holds for every prevalence between.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope.characters import alike, looks, refuse_controls
from tightrope.choices import member_of
from tightrope.documents import VERSION as VERSION_OF_MECHANISMS
from tightrope.documents import LeastVariance, compose, is_least_variance
from tightrope.errors import BadDocument, BadInput, NotCertified
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, certified
from tightrope.spaces import Family, family_of
from tightrope.surveys.bins import FARTHEST, LONGEST_NAME, LONGEST_TEXT, Bins
from tightrope.surveys.designs import (
    TWO_QUESTIONS,
    Design,
    crosswise,
    of_mechanism,
    unrelated_question,
)
from tightrope.surveys.languages import ENGLISH, Language

CLEAR = "clear"
_KEY = re.compile("[a-z][a-z0-9]{0,19}")


class Kind(StrEnum):
    """The kind of a question: what a respondent sees and does."""

    CHOICE = "choice"
    SCALE = "scale"
    NUMERIC = "numeric"
    CROSSWISE = "crosswise"
    UNRELATED = "unrelated"

    @property
    def two_questions(self) -> bool:
        """Whether a second question is what randomizes."""
        return self in (Kind.CROSSWISE, Kind.UNRELATED)

    @property
    def scored(self) -> bool:
        """Whether answers are numbers, so that they have a mean."""
        return self in (Kind.SCALE, Kind.NUMERIC)


@dataclass(frozen=True)
class SecondQuestion:
    """A second question, and the interval that holds the share of people who answer it with yes.

    The interval lies inside (0, 1) and, so that both answers can be told apart, outside 1/2 for
    the crosswise design.
    """

    text: str
    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if not looks(self.text) or len(self.text) > LONGEST_TEXT:
            raise BadInput(f"expected a second question of 1 to {LONGEST_TEXT} characters.")
        refuse_controls(self.text, "a second question", BadInput)
        if not 0 < self.low <= self.high < 1:
            raise BadInput(
                "expected the prevalence of a second question as an interval inside 0 and 1, "
                f"such as [0.2, 0.3], found {float(self.low):g} to {float(self.high):g}."
            )

    @property
    def ends(self) -> tuple[Fraction, ...]:
        """The ends of the interval, one if they are the same."""
        return (self.low,) if self.low == self.high else (self.low, self.high)


@dataclass(frozen=True)
class Branch:
    """The condition of a question: asked only of people with one of these answers to another."""

    question: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """One question: its words, the certified mechanism of its answers, the design's name.

    `version` is that of the mechanism's document, which stays as it was written. A clear question
    has no mechanism, and its answers are `listed`. `refused` and `not_asked` are the names of
    these two values, which come last. `scores` are the numbers that answers stand for, None for
    these two. `optimality` is the claim of a best design, which its document proves.
    """

    key: str
    text: str
    certified: Certified | None
    sensitive: tuple[str, ...]
    design_name: str
    how: str
    version: int = VERSION_OF_MECHANISMS
    _: KW_ONLY
    kind: Kind = Kind.CHOICE
    listed: tuple[str, ...] = ()
    scores: tuple[Fraction | None, ...] | None = None
    bins: Bins | None = None
    second: SecondQuestion | None = None
    refused: str | None = None
    not_asked: str | None = None
    branch: Branch | None = None
    optimality: LeastVariance | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", member_of(Kind, self.kind))
        if self.certified is None and self.design_name == CLEAR:
            _check_clear(self)
        else:
            _check_proof(self)
        _check_texts(self)
        _check_answers(self)
        _check_second(self)

    @property
    def clear(self) -> bool:
        """Whether the answer is sent and stored as it is."""
        return self.certified is None

    @property
    def mechanism(self) -> Any:
        """The mechanism that the proof is about; for two questions, at one end of the interval."""
        return None if self.certified is None else self.certified.mechanism

    @property
    def level(self) -> Level | None:
        """The level that is proved, None for a clear question."""
        return None if self.certified is None else self.certified.certificate.level

    @property
    def document(self) -> dict[str, Any] | None:
        """The document of the mechanism."""
        return None if self.certified is None else compose(
            self.certified, version=self.version, optimality=self.optimality)

    @cached_property
    def design(self) -> Design:
        """The mechanism as a design; that of a clear question changes nothing."""
        if self.certified is None:
            size = range(len(self.listed))
            same = tuple(tuple(Fraction(i == j) for j in size) for i in size)
            return Design(CLEAR, self.listed, self.listed, same, self.listed, self.how)
        made = of_mechanism(self.mechanism, self.design_name, self.sensitive)
        return replace(made, optimality=self.optimality)

    @property
    def answers(self) -> tuple[str, ...]:
        """The true answers: those to choose from, then “prefer not to say”, then “not asked”."""
        return self.design.answers

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers that a page lists: all but “not asked”."""
        return tuple(name for name in self.answers if name != self.not_asked)

    @property
    def responses(self) -> tuple[str, ...]:
        """The responses that are sent and stored; a stored answer is a position here."""
        return self.design.responses

    @cached_property
    def ends(self) -> tuple[Design, ...]:
        """The design, or those at the ends of the interval of a second question's prevalence.

        For a given law of the responses, the share that is estimated is monotone in the
        prevalence, so estimates and intervals for every prevalence lie between those of the ends.
        """
        if self.second is None:
            return (self.design,)
        return tuple(self._at(prevalence) for prevalence in self.second.ends)

    @cached_property
    def middle(self) -> Design:
        """The design, or that at the middle of the interval of a second question's prevalence."""
        if self.second is None:
            return self.design
        return self._at((self.second.low + self.second.high) / 2)

    @property
    def truth(self) -> Fraction:
        """How often the page of an unrelated question shows the sensitive one."""
        return self.design.p00 + self.design.p11 - 1

    @property
    def randomized(self) -> bool:
        """Whether the page itself draws what it sends, by a table of chances."""
        return not self.clear and not self.kind.two_questions

    @property
    def conditions(self) -> tuple[str, ...]:
        """The assumptions of promise and estimates; none without a second question."""
        second, yes = self.second, self.answers[1]
        return () if second is None else self.conditions_in(ENGLISH, second.text, yes)

    def conditions_in(self, language: Language, second: str, yes: str) -> tuple[str, ...]:
        """The conditions of a second question in a language."""
        if self.second is None:
            return ()
        low, high = (
            language.say("number.percent", n=language.decimal(f"{100 * float(end):.6g}"))
            for end in (self.second.low, self.second.high))
        return (
            language.say("second.independent", second=second),
            language.say("second.prevalence", yes=yes, low=low, high=high),
            language.say("second.unknown"),
            language.say("second.once"),
        )

    def _at(self, prevalence: Fraction) -> Design:
        """The design if the second question has this prevalence."""
        made = (crosswise(prevalence) if self.kind is Kind.CROSSWISE
                else unrelated_question(self.truth, prevalence))
        return made.asking(self.answers, self.sensitive)


def private_question(
    key: str, text: str, design: Design, proof: Certified, **form: Any
) -> Question:
    """The question that a proved design randomizes.

    The claim of a best design goes with it, if it holds at the level that was proved.
    """
    claim, level = design.optimality, proof.certificate.level
    holds = claim is not None and not level.delta and is_least_variance(claim, proof)
    return Question(key, text, proof, design.sensitive, design.name, design.how,
                    optimality=claim if holds else None, **form)


def _check_proof(question: Question) -> None:
    if not isinstance(question.certified, Certified):
        raise NotCertified(question.certified)
    if not isinstance(question.mechanism, MatrixMechanism):
        raise BadDocument(f"the mechanism of {question.key} is not written out as a matrix.")
    space = question.mechanism.space
    if family_of(space) is not Family.CATEGORIES:
        raise BadDocument(
            f"the mechanism of {question.key} is for the space {space.text}; the answers of a "
            "survey are categories, of which any two are at distance 1: prove it on those."
        )
    if not question.sensitive or not set(question.sensitive) <= set(space.points):
        raise BadDocument(
            f"the sensitive answers of {question.key} are not among its answers.")
    if question.listed:
        raise BadDocument(f"{question.key} lists clear answers beside those of its mechanism.")


def _check_clear(question: Question) -> None:
    if question.kind.two_questions or question.sensitive:
        raise BadInput(f"{question.key} is clear: it has no second question and no sensitive "
                       "answer.")
    names = {alike(name) for name in question.listed}
    if len(question.listed) < 2 or len(names) < len(question.listed) or "" in names:
        raise BadInput(f"expected at least two answers of {question.key} that look different.")


def _check_texts(question: Question) -> None:
    if not _KEY.fullmatch(question.key):
        raise BadInput("expected the key of a question as q1: a letter, letters or digits.")
    if not looks(question.text) or len(question.text) > LONGEST_TEXT:
        raise BadInput(f"expected a question of 1 to {LONGEST_TEXT} characters.")
    for text in (question.key, question.text, question.design_name, question.how,
                 *question.sensitive, *question.listed):
        refuse_controls(text, "a text of a question", BadInput)
    if max(len(question.design_name), len(question.how)) > LONGEST_TEXT:
        raise BadInput(f"expected a design named in at most {LONGEST_TEXT} characters.")
    names = question.listed if question.mechanism is None else (
        *question.mechanism.space.points, *question.mechanism.outputs)
    if max(len(str(name)) for name in names) > LONGEST_NAME:
        raise BadInput(f"expected answers of at most {LONGEST_NAME} characters.")


def _check_answers(question: Question) -> None:
    """Whether the two special values come last, and the others fit the kind."""
    last = tuple(name for name in (question.refused, question.not_asked) if name is not None)
    asked = question.answers[: len(question.answers) - len(last)]
    if question.answers[len(asked):] != last or len(asked) < 2:
        raise BadDocument(
            f"expected at least two answers of {question.key}, then “prefer not to say” and “not "
            "asked” if it has them."
        )
    if (question.branch is None) != (question.not_asked is None):
        raise BadDocument(f"{question.key} needs “not asked” if it is asked of some people only.")
    if (question.scores is not None) != question.kind.scored or (
            question.bins is not None) != (question.kind is Kind.NUMERIC):
        raise BadDocument(f"scores or bins of {question.key} do not fit its kind.")
    if question.bins is not None and len(question.bins.edges) != len(asked) + 1:
        raise BadDocument(f"expected one answer of {question.key} for each bin.")
    if question.bins is not None and question.scores is not None and (
            question.scores[: len(asked)] != question.bins.middles):
        raise BadDocument(f"expected the middles of its bins as scores of {question.key}.")
    if question.scores is not None and [s is None for s in question.scores] != [
            name in last for name in question.answers]:
        raise BadDocument(f"expected a score for each answer of {question.key}.")
    if any(abs(score) >= FARTHEST for score in question.scores or () if score is not None):
        raise BadInput(f"expected scores of {question.key} below 1e15 in size.")


def _check_second(question: Question) -> None:
    """Whether two questions fit the page, and are proved at both ends of the interval."""
    second, kind, level = question.second, question.kind, question.level
    if second is None and question.design_name in TWO_QUESTIONS:
        raise BadInput(
            f"the design {question.design_name!r} rests on a second question: write it with its "
            "prevalence into a study, or choose another design."
        )
    if (second is not None) != kind.two_questions:
        raise BadDocument(f"{question.key} has a second question if it is of two, and only then.")
    if second is None or level is None:
        return
    if len(question.answers) != 2 or question.refused or question.branch:
        raise BadInput(
            f"{question.key} is a {kind} question: it has two answers, no “prefer not to say”, and "
            "is asked of everybody; choose another kind for more."
        )
    if kind is Kind.CROSSWISE:
        refuse_half(second)
    if question.sensitive != question.answers[1:] or not question.design.binary or not any(
            end.rows == question.design.rows and end.responses == question.responses
            for end in question.ends):
        raise BadDocument(
            f"the mechanism of {question.key} is not that of a {kind} question at an end of the "
            "interval."
        )
    for end in question.ends:
        certified(end.mechanism, level)


def refuse_half(second: SecondQuestion) -> None:
    """Raise `BadInput` if the interval holds 1/2, at which nothing can be learned."""
    if second.low <= Fraction(1, 2) <= second.high:
        raise BadInput(
            "expected a prevalence that is nowhere 1/2, where nothing can be learned, found "
            f"{float(second.low):g} to {float(second.high):g}."
        )
