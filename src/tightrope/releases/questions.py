"""A question about a table: one value, checked once, that says itself in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, assert_never

from tightrope.characters import meant, refuse_controls
from tightrope.errors import BadInput
from tightrope.exact import Number, stated, stated_whole
from tightrope.releases.grammar import (
    Slot,
    check_condition,
    columns_in,
    details_in,
    fill,
    parse,
    pieces,
    write_name,
)
from tightrope.releases.statistics import STATISTICS, Statistic

MOST_DIGITS = 10**6
"""Probabilities of quantiles are multiples of one over this, or of a number below."""


OPTIMAL = {"worst": "for the worst input", "average": "on average over the range"}


@dataclass(frozen=True)
class Question:
    """One question: of which column, by which others, for which rows.

    `ask` is the name of a statistic; `at` are its details: probabilities of quantiles, conditions
    of counts or of a proportion, or how many of the most frequent values. `optimal` asks for the
    least expected error of one number in its declared range instead of unbiased noise: "worst" for
    the worst input, "average" over all inputs alike, or weights, one for each input from the least
    to the largest. `adjusted` asks for whole, non-negative counts beside the unbiased ones.

    >>> Question("histogram", "religious", "occupation", "age >= 30").text
    'histogram of religious by occupation where age >= 30'
    >>> Question.read("quantiles 0.25, 0.75 of [net income]").text
    'quantiles 1/4, 3/4 of [net income]'
    """

    ask: str
    columns: str | Sequence[str] = ()
    by: str | Sequence[str] = ()
    where: str | None = None
    at: str | Number | Sequence[str | Number] = ()
    optimal: str | Sequence[str | Number] | None = None
    adjusted: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.ask, str) or self.ask not in STATISTICS:
            raise BadInput(f"there is no question {str(self.ask)[:40]!r}; expected one of "
                           f"{', '.join(STATISTICS)}{meant(self.ask, STATISTICS)}.", found=self.ask)
        object.__setattr__(self, "columns", keys_of(self.columns))
        object.__setattr__(self, "by", keys_of(self.by))
        wanted = columns_in(self._kind.phrase)
        if len(self.columns) != wanted:
            raise BadInput(f"a {self.ask} is asked of {wanted or 'no'} "
                           f"column{'' if wanted == 1 else 's'}, found {len(self.columns)}.")
        if self.where is not None:
            object.__setattr__(self, "where", _condition(self.where))
        value = self._value()
        details = value if isinstance(value, tuple) else () if value is None else (value,)
        object.__setattr__(self, "at", tuple(map(str, details)))
        self._check_reading()

    def _check_reading(self) -> None:
        """Refuse an optimum or adjusted counts where there are none."""
        if isinstance(self.optimal, list | tuple):
            object.__setattr__(self, "optimal", _weights(self.optimal))
        elif self.optimal is not None and self.optimal not in OPTIMAL:
            raise BadInput("optimal is 'worst', 'average' or a list of weights, found "
                           f"{str(self.optimal)[:40]!r}.")
        if type(self.adjusted) is not bool:
            raise BadInput("adjusted is true or false.")
        if self.adjusted and not self._kind.adjustable:
            known = ", ".join(name for name, kind in STATISTICS.items() if kind.adjustable)
            raise BadInput(f"a {self.ask} is not adjusted; ask so for {known}.")

    def _value(self) -> Any:
        """The details as the field of a statistic: numbers, or conditions; None if it has none."""
        details = tuple(self.at) if isinstance(self.at, list | tuple) else (self.at,)
        slot = details_in(self._kind.phrase)
        if slot is not None and not details:
            raise BadInput(f"a {self.ask} needs {slot.value}.")
        match slot:
            case None | Slot.COLUMN:
                if details:
                    raise BadInput(f"a {self.ask} takes no further numbers or conditions.")
                return None
            case Slot.PROBABILITIES:
                return tuple(sorted({_probability(text) for text in details}))
            case Slot.NUMBER:
                if len(details) != 1:
                    raise BadInput("say one number of most frequent values.")
                return stated_whole(details[0], "how many, as a whole number")
            case Slot.CONDITION:
                if len(details) != 1:
                    raise BadInput(f"a {self.ask} is of one condition.")
                return _condition(details[0])
            case Slot.CONDITIONS:
                conditions = tuple(_condition(text) for text in details)
                if len(set(conditions)) < len(conditions):
                    raise BadInput("a condition is stated twice.")
                return conditions
            case _:
                assert_never(slot)

    @classmethod
    def read(
        cls, text: str, *, optimal: str | Sequence[str | Number] | None = None,
        adjusted: bool = False,
    ) -> Question:
        """The question that a text asks; see `grammar` for the language.

        `Question.read(q.text)` is `q`, but for how it is answered (`optimal`, `adjusted`).
        """
        if not isinstance(text, str):
            raise BadInput("a question is a text, such as 'mean of age by sex', found "
                           f"{type(text).__name__}.")
        refuse_controls(text, "a question", BadInput)
        asked = parse(text)
        return cls(asked.ask, asked.columns, asked.by, asked.where, asked.at, optimal, adjusted)

    @property
    def details(self) -> tuple[str, ...]:
        """The details as texts, one for each."""
        assert isinstance(self.at, tuple)
        return tuple(str(text) for text in self.at)

    @property
    def _kind(self) -> type[Statistic]:
        return STATISTICS[self.ask]

    @cached_property
    def statistic(self) -> Statistic:
        """The statistic: its class with the slots of its phrase filled in."""
        columns, value = iter(self.columns), self._value()
        values: list[Any] = [next(columns) if piece is Slot.COLUMN else value
                             for piece in pieces(self._kind.phrase) if isinstance(piece, Slot)]
        return self._kind(*values)

    @property
    def text(self) -> str:
        """The question in one line, as `read` takes it."""
        by = f" by {', '.join(map(write_name, self.by))}" if self.by else ""
        where = f" where {self.where}" if self.where is not None else ""
        return fill(self._kind.phrase, tuple(self.columns), self.details) + by + where

    @property
    def noun(self) -> str:
        """The statistic in words, such as `upper bound`."""
        return self.ask.replace("_", " ")

    @property
    def title(self) -> str:
        """The question, and the aim of an optimum."""
        return self.text + (f", optimal {self.optimal_for}" if self.optimal is not None else "")

    @property
    def optimal_for(self) -> str:
        """The aim of an optimum, in words."""
        return OPTIMAL.get(str(self.optimal), "on average over the stated weights")

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The prior of an optimum; empty if none is stated."""
        return tuple(map(Fraction, self.optimal)) if isinstance(self.optimal, tuple) else ()


def _weights(given: Sequence[str | Number]) -> tuple[str, ...]:
    """Weights that add up to 1, in the ratios of those that were given."""
    weights = [stated(weight, "a weight") for weight in given]
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise BadInput("expected weights of at least 0, not all 0.")
    return tuple(str(weight / total) for weight in weights)


def _probability(given: str | Number) -> Fraction:
    p = stated(given, "a probability")
    if not 0 < p < 1:
        raise BadInput(f"expected a probability between 0 and 1, found {p}; at the ends, ask for "
                       "the minimum or maximum.")
    if p.denominator > MOST_DIGITS:
        raise BadInput("expected a probability with at most six digits.")
    return p


def question_of(given: object) -> Question:
    """A question as it is, or the one that a text asks."""
    if isinstance(given, str):
        return Question.read(given)
    if not isinstance(given, Question):
        raise BadInput("a question is a text, such as 'mean of age by sex', or a Question, found "
                       f"{type(given).__name__}.")
    return given


def _condition(text: object) -> str:
    if not isinstance(text, str):
        raise BadInput(f'a condition is a text, such as "age >= 30", found {type(text).__name__}.')
    refuse_controls(text, "a condition", BadInput)
    return check_condition(text)


def keys_of(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Names of columns: one, several or none."""
    names = () if text is None else (text,) if isinstance(text, str) else tuple(text)
    if not all(isinstance(name, str) for name in names):
        raise BadInput("columns are named by texts.")
    return names
