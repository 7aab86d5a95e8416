"""Every difference between groups of respondents, with a test of each and of all together.

Groups are those of links, or the answers to a clear question. Of a question with two answers the
last is compared, of a scale or number the mean, of others every answer. The p-values of all
comparisons are adjusted by Holm's procedure: with probability of at most α any true null
hypothesis is rejected at α, however they depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

from tightrope.characters import counted, meant, shorten
from tightrope.errors import BadInput, TooLarge
from tightrope.facts import Column, Facts, Table, card_of, data, lines_of
from tightrope.surveys.differences import (
    TWO,
    Difference,
    Groups,
    mean_contrast,
    share_contrast,
)
from tightrope.surveys.finding import group_finding, mean_name
from tightrope.surveys.questions import Question
from tightrope.surveys.respondents import GROUP, check_results

if TYPE_CHECKING:
    from tightrope.surveys.findings import Report

MOST_COMPARISONS: Final = 2000
"""Comparisons at once: a table that somebody can still read in part, within a minute."""


@dataclass(frozen=True)
class GroupDifference:
    """One difference of two groups, second minus first, with its p-value adjusted by Holm."""

    question: str
    first: str
    second: str
    result: Difference
    adjusted: float
    share: bool


@dataclass(frozen=True)
class GroupDifferences:
    """All differences that were looked at together; `by` names what divides the people."""

    by: str
    rows: tuple[GroupDifference, ...]
    confidence: float
    span: bool

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences that a reader of the differences must know."""
        kinds = {row.result.exact for row in self.rows}
        made = "made of those of the groups (Newcombe)"
        how = "exact" if kinds == {True} else made if kinds == {False} else (
            f"exact where a group has fewer than 30 answers, else {made}")
        return (
            f"{counted(len(self.rows), 'comparison')}; “p, all” is adjusted for all of them by "
            "Holm's procedure.",
            f"From and to: {100 * self.confidence:.6g} % intervals, each for itself, {how}.",
            *(["A second question's share of yes may be another one in each group, anywhere in its "
               "interval."] if self.span else []),
        )

    @classmethod
    def of(
        cls, by: str, rows: Sequence[GroupDifference], confidence: float, *, span: bool
    ) -> GroupDifferences:
        """The differences, their p-values adjusted for all of them together."""
        adjusted = adjust([row.result.p_value for row in rows])
        return cls(by, tuple(replace(row, adjusted=p)
                             for row, p in zip(rows, adjusted, strict=True)), confidence, span)

    def table(self, key: str) -> Table:
        """All differences for programs, a row for each."""
        names = ("question", "answer", "first", "second", *RESULT)
        return Table(key, None, tuple(Column(name, None) for name in names), tuple(
            (row.question, row.result.answer, row.first, row.second,
             *stated(row.result, row.adjusted)) for row in self.rows))

    def tables(self) -> list[Table]:
        """The differences for people, a table for each pair of groups."""
        pairs: dict[tuple[str, str], list[tuple[object, ...]]] = {}
        for row in self.rows:
            pairs.setdefault((row.first, row.second), []).append(
                shown(row.question, row.result, row.adjusted, share=row.share))
        return [Table(None, f"{self.by}: {shorten(second)} − {shorten(first)}",
                      columns("difference"), tuple(rows), listed=0 if place else 3)
                for place, ((first, second), rows) in enumerate(pairs.items())]

    def facts(self) -> Facts:
        """The differences with their intervals and p-values, and how many there are."""
        return Facts(
            "GroupDifferences", f"{counted(len(self.rows), 'comparison')} by {self.by}",
            (*self.tables(), self.table("rows"),
             *data(by=self.by, confidence=self.confidence, comparisons=len(self.rows))),
            self.sentences,
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def compare_groups(
    report: Report, by: str = GROUP, *, reference: str | None = None
) -> GroupDifferences:
    """The differences between all groups of a survey's respondents, or of each from a reference.

    An interval is exact where a group has fewer than 30 answers, else Newcombe's.

    Parameters
    ----------
    by
        `group` for the groups of links, or the key of a clear question.
    reference
        The group that all others are compared with; all pairs if not given.

    Returns
    -------
    GroupDifferences
        Its `rows` have a difference, an interval and two p-values for each comparison.

    Raises
    ------
    BadInput
        If the division is none, or fewer than two groups have answers.
    TooLarge
        For more than 2,000 comparisons.

    >>> import tightrope as tr
    >>> made = tr.surveys.create_survey("s.json", [("Ever?", tr.surveys.warner("3/4"))], links=3)
    >>> try:
    ...     tr.surveys.compare_groups(tr.surveys.results("s.json"))
    ... except tr.errors.BadInput as error:
    ...     print(error)
    expected at least two groups with answers to compare by group, found none.
    """
    check_results(report)
    parts = dict(report.people.divide(by))
    if len(parts) < 2:
        raise BadInput(f"expected at least two groups with answers to compare by {by}, found "
                       f"{shorten(next(iter(parts), 'none'))}.")
    if reference is not None and reference not in parts:
        raise BadInput(f"there is no group {shorten(reference)!r} with answers to compare by {by}; "
                       f"groups here: {', '.join(map(shorten, parts))}{meant(reference, parts)}.")
    pairs = ([(reference, name) for name in parts if name != reference]
             if reference is not None else list(combinations(parts, 2)))
    questions = [q for q in report.survey.questions if q.key != by]
    number = len(pairs) * sum(map(_targets, questions))
    if number > MOST_COMPARISONS:
        raise TooLarge("the number of comparisons", number, MOST_COMPARISONS,
                       "compare with a reference, or ask less at once")
    rows = []
    for question in questions:
        estimates = {name: group_finding(
            name, question, people.unweighted if by == GROUP else people, report.how).estimate
            for name, people in parts.items()}
        rows += [GroupDifference(question.key, first, second, result, 1.0, question.scores is None)
                 for first, second in pairs
                 for result in contrasts(question, (estimates[first], estimates[second]), TWO)]
    return GroupDifferences.of(by, rows, report.how.confidence,
                               span=any(len(question.ends) > 1 for question in questions))


def adjust(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted by Holm's procedure, in the order given.

    >>> adjust([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    largest, adjusted = 0.0, [0.0] * len(p_values)
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def _targets(question: Question) -> int:
    """How many numbers of a question are compared."""
    return 1 if question.scores is not None or len(question.answers) == 2 else len(question.answers)


def contrasts(
    question: Question, groups: Groups, weights: Sequence[float]
) -> Iterator[Difference]:
    """The contrasts of whatever is compared of a question: its mean, or shares of its answers."""
    if question.scores is not None:
        yield mean_contrast(mean_name(question), groups, weights, question.scores)
        return
    places = range(len(question.answers))
    for place in places[1:] if len(places) == 2 else places:
        yield share_contrast(groups, weights, place)


RESULT: Final = ("difference", "low", "high", "p_value", "adjusted", "exact")
"""Names of what `stated` lists."""


def stated(result: Difference, adjusted: float) -> tuple[object, ...]:
    """A difference for programs."""
    return (result.difference, result.low, result.high, result.p_value, adjusted, result.exact)


def columns(name: str) -> tuple[Column, ...]:
    """The columns of what `shown` lists."""
    return (Column(None, "answer", words=True),
            *(Column(None, each, 2) for each in (name, "from", "to", "p", "p, all")))


def shown(
    question: str, result: Difference, adjusted: float, *, share: bool
) -> tuple[object, ...]:
    """A difference for people: of shares in points of a percent."""
    numbers = (f"{100 * x:+.1f} %" if share else f"{x:+.4g}"
               for x in (result.difference, result.low, result.high))
    return (f"{question}, {shorten(result.answer)}", *numbers, result.p_value, adjusted)
