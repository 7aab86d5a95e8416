"""What can be asked of a table: one value, checked once, that says itself in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tightrope.characters import refuse_controls
from tightrope.choices import member_of
from tightrope.errors import BadInput
from tightrope.exact import Number, stated, stated_whole
from tightrope.releases.grammar import check_condition, joined, parse

MOST_DIGITS = 10**6
"""Probabilities of quantiles are multiples of one over this, or of a number below."""


class Ask(StrEnum):
    """What is asked for."""

    COUNT = "count"
    PEOPLE = "people"
    COUNTS = "counts"
    SUM = "sum"
    MEAN = "mean"
    VARIANCE = "variance"
    PROPORTION = "proportion"
    HISTOGRAM = "histogram"
    CROSS = "cross"
    MEDIAN = "median"
    QUANTILES = "quantiles"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    DISTRIBUTION = "distribution"
    MODE = "mode"
    FREQUENT = "frequent"


RANKED = (Ask.MEDIAN, Ask.QUANTILES, Ask.MINIMUM, Ask.MAXIMUM)
CHOSEN = (Ask.MODE, Ask.FREQUENT)
ADDED_UP = (Ask.COUNT, Ask.PEOPLE, Ask.HISTOGRAM, Ask.CROSS)
"""Counts in cells that do not overlap, so that their sums are counts, too."""
OPTIMAL = {"worst": "for the worst input", "average": "on average over the range"}
_COLUMNS = {Ask.COUNT: 0, Ask.PEOPLE: 0, Ask.COUNTS: 0, Ask.PROPORTION: 0, Ask.CROSS: 2}
_DETAILS = {Ask.COUNTS: "the conditions", Ask.PROPORTION: "a condition",
            Ask.QUANTILES: "the probabilities", Ask.FREQUENT: "how many"}


@dataclass(frozen=True)
class Question:
    """One question: of which column, by which others, for which rows.

    `at` are the probabilities of quantiles, the conditions of counts or of a proportion, or how
    many of the most frequent values are asked for. `optimal` asks for the least expected error of
    one number in its declared range instead of unbiased noise: "worst" for the worst input,
    "average" over all inputs alike, or weights, one for each input from the least to the largest.
    `adjusted` asks for whole, non-negative counts beside the unbiased ones.

    >>> Question("histogram", "religious", "occupation", "age >= 30").text
    'histogram of religious by occupation where age >= 30'
    >>> Question.read("quantiles 0.25, 0.75 of [net income]").text
    'quantiles 1/4, 3/4 of [net income]'
    """

    ask: Ask
    columns: str | Sequence[str] = ()
    by: str | Sequence[str] = ()
    where: str | None = None
    at: str | Number | Sequence[str | Number] = ()
    optimal: str | Sequence[str | Number] | None = None
    adjusted: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "ask", member_of(Ask, self.ask, "question"))
        object.__setattr__(self, "columns", keys_of(self.columns))
        object.__setattr__(self, "by", keys_of(self.by))
        wanted = _COLUMNS.get(self.ask, 1)
        if len(self.columns) != wanted:
            raise BadInput(f"a {self.ask.value} is asked of {wanted or 'no'} "
                           f"column{'' if wanted == 1 else 's'}, found {len(self.columns)}.")
        if self.where is not None:
            object.__setattr__(self, "where", _condition(self.where))
        object.__setattr__(self, "at", self._details())
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
        if self.adjusted and self.ask not in ADDED_UP:
            raise BadInput(f"a {self.ask.value} is not adjusted; ask so for "
                           f"{', '.join(ask.value for ask in ADDED_UP)}.")

    def _details(self) -> tuple[str, ...]:
        given = self.at
        held = tuple(given) if isinstance(given, list | tuple) else (given,)
        if bool(held) is not (self.ask in _DETAILS):
            raise BadInput(f"a {self.ask.value} needs {_DETAILS[self.ask]}." if not held else
                           f"a {self.ask.value} takes no further numbers or conditions.")
        if self.ask is Ask.QUANTILES:
            return tuple(str(p) for p in sorted({_probability(one) for one in held}))
        if self.ask is Ask.FREQUENT:
            if len(held) != 1:
                raise BadInput("say one number of most frequent values.")
            return (str(stated_whole(held[0], "how many, as a whole number")),)
        held = tuple(_condition(text) for text in held)
        if self.ask is Ask.PROPORTION and len(held) != 1:
            raise BadInput("a proportion is of one condition.")
        if len(set(held)) < len(held):
            raise BadInput("a condition is stated twice.")
        return held

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
        return cls(Ask(asked.ask), asked.columns, asked.by, asked.where, asked.at, optimal,
                   adjusted)

    @property
    def details(self) -> tuple[str, ...]:
        """What `at` became."""
        held = self.at
        assert isinstance(held, tuple)
        return tuple(str(text) for text in held)

    @property
    def probabilities(self) -> tuple[Fraction, ...]:
        """The probabilities of the quantiles that are asked for."""
        return (Fraction(1, 2),) if self.ask is Ask.MEDIAN else (
            tuple(Fraction(text) for text in self.details))

    @property
    def picks(self) -> int:
        """How many of the most frequent values."""
        return int(self.details[0]) if self.ask is Ask.FREQUENT else 1

    @property
    def text(self) -> str:
        """The question in one line, as `read` takes it."""
        names = joined(tuple(self.columns), " and ")
        by = f" by {joined(tuple(self.by), ', ')}" if self.by else ""
        where = f" where {self.where}" if self.where is not None else ""
        match self.ask:
            case Ask.QUANTILES:
                said = f"quantiles {', '.join(self.details)} of {names}"
            case Ask.FREQUENT:
                said = f"{self.picks} most frequent of {names}"
            case Ask.COUNTS | Ask.PROPORTION:
                said = f"{self.ask.value} of {'; '.join(self.details)}"
            case Ask.CROSS:
                said = f"histogram of {names}"
            case _:
                said = f"{self.ask.value} of {names}" if names else self.ask.value
        return said + by + where

    @property
    def title(self) -> str:
        """The question, and what an optimum is for."""
        return self.text + (f", optimal {self.optimal_for}" if self.optimal is not None else "")

    @property
    def optimal_for(self) -> str:
        """What an optimum is for, in words."""
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
