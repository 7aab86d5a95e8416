"""The people who answered a survey, as far as anybody knows them: groups and randomized answers.

They can be divided by the group of their links, or by a clear question, whose answers are stored as
they are. No other division is of true answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import meant, shorten
from tightrope.errors import BadDocument, BadInput
from tightrope.surveys.questions import Question
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.survey_store import StoredAnswer
from tightrope.utility import Tally

GROUP = "group"
"""The name under which the groups of links divide respondents."""


def check_results(report: object) -> None:
    """Refuse what is not the results of a survey."""
    if not isinstance(getattr(report, "people", None), Respondents):
        raise BadInput("expected the results of a survey, as surveys.results(\"s.json\") returns "
                       f"them, found {type(report).__name__}.")


@dataclass(frozen=True)
class Respondents:
    """Some or all respondents of a survey; `weights` count answers by their group."""

    survey: Survey
    sent: tuple[StoredAnswer, ...]
    weights: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        """Refuse answers that no page of this survey sent: their store is damaged."""
        sizes = {question.key: len(question.responses) for question in self.survey.questions}
        for answer in self.sent:
            if set(answer.responses) != set(sizes) or not all(
                0 <= answer.responses[key] < size for key, size in sizes.items()
            ):
                raise BadDocument("the store is damaged: it holds an answer to other questions.")

    def __len__(self) -> int:
        return len(self.sent)

    @property
    def unweighted(self) -> Respondents:
        """The same people, all counting alike, as those of one group do among themselves."""
        return replace(self, weights=None)

    def question(self, key: str, *, beside: tuple[str, ...] = ()) -> Question:
        """The question with this key; raises `BadInput` with all keys if there is none.

        Names `beside` the keys are what else could have been meant.
        """
        keys = [question.key for question in self.survey.questions]
        for question in self.survey.questions:
            if question.key == key:
                return question
        raise BadInput(f"there is no question {shorten(key)!r}; questions here: "
                       f"{', '.join(keys)}{meant(key, (*beside, *keys))}.")

    def codes(self, question: Question) -> NDArray[np.intp]:
        """The position of each response to a question."""
        return np.array([answer.responses[question.key] for answer in self.sent], dtype=np.intp)

    def tally(self, question: Question) -> Tally:
        """How often each response to a question was given, by weight."""
        codes, size = self.codes(question), len(question.responses)
        if self.weights:
            each = [self.weights.get(answer.group, 1.0) for answer in self.sent]
            return Tally.weighted(codes.tolist(), each, size)
        return Tally.of(np.bincount(codes, minlength=size))

    def levels(self, by: str) -> tuple[tuple[str, ...], list[int]]:
        """The parts that a division has, and the place of each respondent's part among them."""
        if by == GROUP:
            names = self.survey.groups
            names += tuple(sorted({answer.group for answer in self.sent} - set(names)))
            return names, [names.index(answer.group) for answer in self.sent]
        question = self.question(by, beside=(GROUP,))
        if not question.clear:
            clear = [q.key for q in self.survey.questions if q.clear]
            raise BadInput(
                f"the answers to {by} are randomized, so nobody can be divided by them; divide by "
                f"{' or '.join([GROUP, *clear])}, or estimate the pairs of two questions.")
        return question.answers, self.codes(question).tolist()

    def divide(self, by: str) -> list[tuple[str, Respondents]]:
        """The parts of a division that have respondents, by name."""
        names, places = self.levels(by)
        parts: Sequence[list[StoredAnswer]] = [[] for _ in names]
        for place, answer in zip(places, self.sent, strict=True):
            parts[place].append(answer)
        return [(name, Respondents(self.survey, tuple(part), self.weights))
                for name, part in zip(names, parts, strict=True) if part]
