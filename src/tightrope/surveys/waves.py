"""Waves of one survey: the change of every answer from wave to wave, and its linear trend.

Questions are matched by key and must have the same answers; their designs may differ. Waves count
as independent samples, one unit of time apart. The trend is the least-squares slope of the
unbiased estimates, Σ_j c_j s_j with c_j proportional to j minus the middle: right on average,
with the variance Σ_j c_j² Var s_j.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tightrope.characters import counted, looks, shorten
from tightrope.errors import BadInput
from tightrope.facts import Column, Facts, Table, card_of, data, lines_of
from tightrope.privacy import sequential
from tightrope.surveys.differences import TWO, Difference
from tightrope.surveys.finding import Finding, bars
from tightrope.surveys.group_differences import (
    RESULT,
    GroupDifference,
    GroupDifferences,
    adjust,
    columns,
    contrasts,
    shown,
    stated,
)
from tightrope.surveys.respondents import check_results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.surveys.findings import Report

MOST_WAVES: Final = 12
"""Waves at once: an interval spans every choice of two ends of a prevalence in each of them."""


@dataclass(frozen=True)
class Slope:
    """The linear trend of one answer's share, or of a mean: its change from wave to wave."""

    question: str
    result: Difference
    adjusted: float
    share: bool


@dataclass(frozen=True)
class Trend:
    """Changes between neighboring waves and linear trends over all of them.

    `left_out` are keys of questions that are not the same in every wave.
    """

    waves: tuple[str, ...]
    changes: GroupDifferences
    slopes: tuple[Slope, ...]
    left_out: tuple[str, ...]
    reworded: tuple[str, ...]
    reused: tuple[str, ...]
    level: str
    findings: tuple[tuple[Finding, ...], ...]

    def bars(self) -> list[tuple[str, float, float, float]]:
        """Name, estimate and interval of every answer that is compared, wave by wave."""
        return [(f"{matched[0].question.key}: {name}, {wave}", *rest)
                for matched in self.findings
                for answers in zip(*(bars(replace(finding, groups=())) for finding in matched),
                                   strict=True)
                for wave, (name, *rest) in zip(self.waves, answers, strict=True)]

    def plot(self, *, title: str = "") -> Figure:
        """The estimated shares with their intervals, a line for each answer and wave."""
        from tightrope.plots import intervals_figure

        return intervals_figure(self.bars(), title)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences that a reader of the trend must know."""
        return (
            *(f"The second question {shorten(text)!r} was used in two waves: whoever sees both "
              "answers of a person learns whether the two true answers agree."
              for text in self.reused),
            f"Waves count as independent samples. Whoever answered all of them is protected at the "
            f"sum of the levels, {self.level}.",
            *self.changes.sentences,
            *([f"The texts of {', '.join(self.reworded)} differ between waves."]
              if self.reworded else []),
            *([f"Not in every wave with the same answers: {', '.join(self.left_out)}."]
              if self.left_out else []),
        )

    def facts(self) -> Facts:
        """The changes and the trends with their intervals and p-values."""
        names, several = ("question", "answer", "slope", *RESULT[1:]), len(self.waves) > 2
        trends = Table("trends", None, tuple(Column(name, None) for name in names), tuple(
            (slope.question, slope.result.answer, *stated(slope.result, slope.adjusted))
            for slope in self.slopes))
        per_wave = Table(
            None, f"Linear trend over {counted(len(self.waves), 'wave')}", columns("per wave"),
            tuple(shown(slope.question, slope.result, slope.adjusted, share=slope.share)
                  for slope in self.slopes), listed=3)
        changes = [replace(table, listed=0 if several else 3) for table in self.changes.tables()]
        return Facts(
            "Trend", " → ".join(map(shorten, self.waves)),
            (*([per_wave] if several else []), *changes, trends,
             self.changes.table("changes"),
             *data(waves=self.waves, confidence=self.changes.confidence,
                   left_out=self.left_out, reworded=self.reworded, reused=self.reused)),
            self.sentences,
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def compare_waves(reports: Sequence[Report], names: Sequence[str] | None = None) -> Trend:
    """The change of every answer over the waves of a survey, oldest first.

    Parameters
    ----------
    reports
        The results of each wave.
    names
        Names of the waves; their titles if these differ, else 1, 2, …

    Returns
    -------
    Trend
        Its `changes` are between neighboring waves, its `slopes` per wave over all of them.

    Raises
    ------
    BadInput
        For fewer than 2 waves or more than 12, one without answers, or if no question is in all.

    >>> import tightrope as tr
    >>> made = tr.surveys.create_survey("s.json", [("Ever?", tr.surveys.warner("3/4"))], links=3)
    >>> try:
    ...     tr.surveys.compare_waves([tr.surveys.results("s.json")])
    ... except tr.errors.BadInput as error:
    ...     print(error)
    expected from 2 to 12 waves of a survey, found 1.
    """
    if not isinstance(reports, Sequence):
        raise BadInput("expected the results of each wave in a list, oldest first.")
    for report in reports:
        check_results(report)
    if not 2 <= len(reports) <= MOST_WAVES:
        raise BadInput(f"expected from 2 to {MOST_WAVES} waves of a survey, found {len(reports)}.")
    if not all(report.answers for report in reports):
        raise BadInput("a wave has no answers yet.")
    if len({report.how for report in reports}) > 1:
        raise BadInput("expected waves with the same confidence and intervals.")
    waves = _names_of(reports, names)
    matched = list(_match_findings(reports))
    if not matched:
        raise BadInput("no question has the same key and the same answers in all waves.")
    middle = (len(waves) - 1) / 2
    square = sum((j - middle) ** 2 for j in range(len(waves)))
    weights = [(j - middle) / square for j in range(len(waves))]
    changes, slopes = [], []
    for same in matched:
        question, share = same[0].question, same[0].question.scores is None
        groups = [finding.estimate for finding in same if finding.estimate is not None]
        slopes += [Slope(question.key, result, 1.0, share)
                   for result in contrasts(question, groups, weights)]
        changes += [GroupDifference(question.key, waves[j], waves[j + 1], result, 1.0, share)
                    for j, pair in enumerate(pairwise(groups))
                    for result in contrasts(question, pair, TWO)]
    spans = any(len(finding.question.ends) > 1 for same in matched for finding in same)
    keys = {same[0].question.key for same in matched}
    every = dict.fromkeys(q.key for report in reports for q in report.survey.questions)
    return Trend(
        waves,
        GroupDifferences.of("wave", changes, reports[0].how.confidence, span=spans),
        tuple(replace(slope, adjusted=p) for slope, p in zip(
            slopes, adjust([slope.result.p_value for slope in slopes]), strict=True)),
        tuple(key for key in every if key not in keys),
        tuple(sorted(key for key in keys if len({
            looks(report.people.question(key).text) for report in reports}) > 1)),
        tuple(_reuses(reports)),
        str(sequential([report.survey.total for report in reports])),
        tuple(matched),
    )


def _names_of(reports: Sequence[Report], names: Sequence[str] | None) -> tuple[str, ...]:
    if names is None:
        titles = [report.survey.title for report in reports]
        names = titles if len(set(titles)) == len(titles) else [
            f"wave {j}" for j in range(1, len(reports) + 1)]
    if len(set(names)) < len(reports) or len(names) != len(reports):
        raise BadInput(f"expected a name for each of the {len(reports)} waves, all different.")
    return tuple(names)


def _match_findings(reports: Sequence[Report]) -> Iterator[tuple[Finding, ...]]:
    """The findings on each question that all waves have, wave by wave."""
    others = [{finding.question.key: finding for finding in report.findings}
              for report in reports]
    for key, first in others[0].items():
        same = tuple(other[key] for other in others if key in other)
        alike = {(part.question.answers, part.question.scores) for part in same}
        if len(same) == len(reports) and len(alike) == 1 and first.all is not None:
            yield same


def _reuses(reports: Sequence[Report]) -> Iterator[str]:
    """Second questions that more than one wave uses."""
    uses = Counter(looks(q.second.text).casefold() for report in reports
                   for q in report.survey.questions if q.second is not None)
    for report in reports:
        for question in report.survey.questions:
            if question.second is not None and uses.pop(
                    looks(question.second.text).casefold(), 1) > 1:
                yield question.second.text
