"""The finding on one question: shares of everybody, a mean, and shares among those asked.

Shares of everybody count “prefer not to say” and “not asked” like any other answer. Beside them
stand the shares among those asked, and among those who say, and the mean of a scale or of the
middles of bins among those who say. What is estimated is the same for every group of people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.extras import available
from tightrope.facts import Column, Table
from tightrope.surveys.estimation import QuestionEstimate, estimate_question
from tightrope.surveys.means import Mean, Numbers, mean_among
from tightrope.surveys.questions import Kind, Question
from tightrope.surveys.respondents import GROUP, Respondents
from tightrope.utility import HowIntervals

ALL = "all"
_SCORE = "score intervals corrected for skewness, which are approximate"


@dataclass(frozen=True)
class GroupFinding:
    """One question and one group of people: shares of everybody, and what is derived from them.

    `mean` is that of a scale or of a number's bins. `among` are the shares among those asked, and
    among those who say, where not everybody is.
    """

    name: str
    estimate: QuestionEstimate
    mean: Mean | None
    among: tuple[Mean, ...]

    def cells(self) -> Iterator[tuple[str, ...]]:
        """The rows for people: shares of everybody, the mean, shares among those asked."""
        for row in self.estimate.shares.rows:
            yield (self.name, str(row.value), *(f"{100 * share:.1f}%" for share in (
                row.estimate, row.low, row.high, row.adjusted)))
        if self.mean is not None:
            mean = self.mean
            yield (self.name, mean.name, f"{mean.estimate:.4g}", f"{mean.low:.4g}",
                   f"{mean.high:.4g}", "")
        for share in self.among:
            yield (self.name, share.name, *(f"{100 * value:.1f}%" for value in (
                share.estimate, share.low, share.high)), "")


@dataclass(frozen=True)
class Finding:
    """One question: the finding on all respondents, then on each group with answers.

    `groups` is empty while there are no answers.
    """

    question: Question
    counts: tuple[int, ...]
    all: GroupFinding | None
    groups: tuple[GroupFinding, ...]

    @property
    def estimate(self) -> QuestionEstimate | None:
        """The shares of all respondents; None while there are no answers."""
        return None if self.all is None else self.all.estimate

    @property
    def each(self) -> tuple[GroupFinding, ...]:
        """The finding on all respondents and on each group."""
        return () if self.all is None else (self.all, *self.groups)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that a reader of this question must know."""
        return () if self.all is None else tuple(_remarks(self.question, self.all))

    @property
    def picture(self) -> str | None:
        """The estimates as a picture that a page can hold, where matplotlib is installed."""
        from base64 import b64encode

        if self.all is None or not available("plot"):
            return None
        from tightrope.plots import intervals_figure, picture

        drawn = picture(intervals_figure(bars(self), ""), "svg")
        return f"data:image/svg+xml;base64,{b64encode(drawn).decode('ascii')}"

    def table(self) -> Table:
        """The shares of a question's answers for people, overall and by group."""
        columns = (Column(None, "group", words=True), Column(None, "true answer", words=True),
                   *(Column(None, name) for name in ("unbiased", "from", "to", "most likely")))
        clear = ", clear" if self.question.clear else ""
        return Table(None, f"{self.question.key}{clear}: {self.question.text}", columns,
                     tuple(row for part in self.each for row in part.cells()))

    def json(self) -> dict[str, Any]:
        """The finding as JSON has it."""
        return {
            "key": self.question.key,
            "question": self.question.text,
            "kind": self.question.kind.value,
            "clear": self.question.clear,
            "responses": dict(zip(self.question.responses, self.counts, strict=True)),
            "estimate": None if self.all is None else _group_json(self.all),
            "groups": {part.name: _group_json(part) for part in self.groups},
        }


def find(question: Question, people: Respondents, how: HowIntervals) -> Finding:
    """The finding on a question, overall and for each group of links with answers."""
    codes = people.codes(question).tolist()
    counts = tuple(codes.count(z) for z in range(len(question.responses)))
    if not len(people):
        return Finding(question, counts, None, ())
    parts = people.divide(GROUP)
    return Finding(question, counts, group_finding(ALL, question, people, how), tuple(
        group_finding(name, question, part.unweighted, how)
        for name, part in parts if len(parts) > 1))


def group_finding(
    name: str, question: Question, people: Respondents, how: HowIntervals
) -> GroupFinding:
    """The finding on a question for one group of people."""
    estimate = estimate_question(question, people.tally(question), confidence=how.confidence,
                                 interval=how.interval, sampling=how.sampling)
    mean = None
    if question.scores is not None:
        mean = mean_among(mean_name(question), estimate, question.scores)
    return GroupFinding(name, estimate, mean, tuple(_among(question, estimate)))


def mean_name(question: Question) -> str:
    """The name of the mean of a question's scores."""
    if question.bins is None:
        return "mean"
    unit = f", {question.bins.unit}" if question.bins.unit else ""
    return f"mean of the bins' middles{unit}"


def bars(finding: Finding) -> list[tuple[str, float, float, float]]:
    """Name, estimate and interval of every answer to draw, overall and by group.

    Of two answers only the last is drawn, the sensitive one: the other is the rest.
    """
    start = 1 if len(finding.question.answers) == 2 else 0
    return [(f"{row.value}{'' if part is finding.all else f' ({part.name})'}",
             row.estimate, row.low, row.high)
            for part in finding.each for row in part.estimate.shares.rows[start:]]


def _among(question: Question, estimate: QuestionEstimate) -> Iterator[Mean]:
    """The shares among those asked, and among those who say, where these are not everybody."""
    last = {name for name in (question.refused, question.not_asked) if name is not None}
    if question.not_asked is not None:
        yield from _shares(question, estimate, "asked", {question.not_asked})
    if question.refused is not None:
        yield from _shares(question, estimate, "who say", last)


def _shares(
    question: Question, estimate: QuestionEstimate, which: str, without: set[str]
) -> Iterator[Mean]:
    names = [name for name in question.answers if name not in without]
    for name in names[1:] if len(names) == 2 else names:
        own: Numbers = [None if other in without else Fraction(other == name)
                        for other in question.answers]
        yield mean_among(f"{name}, of those {which}", estimate, own)


def _remarks(question: Question, part: GroupFinding) -> Iterator[str]:
    yield from part.estimate.warnings
    if question.clear:
        yield "Answers were stored as they are: nothing protects them."
    if question.second is not None:
        low, high = (f"{float(end):.4g}" for end in (question.second.low, question.second.high))
        if low != high:
            yield (f"Intervals hold if the second question's share of yes is from {low} to {high}; "
                   "estimates take its middle.")
        else:
            yield f"Intervals hold if the second question's share of yes is {low}."
    if question.kind is Kind.NUMERIC:
        yield "Each number counts as the middle of its bin; inside bins nothing was asked."
    if (ratio := part.mean or next(iter(part.among), None)) is not None:
        yield (f"Intervals of means and of shares among those asked are "
               f"{'exact' if ratio.exact else _SCORE}.")


def _group_json(part: GroupFinding) -> dict[str, Any]:
    estimate, shares = part.estimate, part.estimate.shares
    return {
        "n": shares.n,
        "effective": shares.effective,
        "confidence": shares.confidence,
        "interval": shares.interval.value,
        "sampling": shares.sampling,
        "plausible": estimate.plausible,
        "surprise": estimate.surprise,
        "rows": [
            {
                "answer": row.value,
                "estimate": row.estimate,
                "low": row.low,
                "high": row.high,
                "error": row.error,
                "adjusted": row.adjusted,
            }
            for row in shares.rows
        ],
        "mean": None if part.mean is None else _mean_json(part.mean),
        "among": [_mean_json(share) for share in part.among],
    }


def _mean_json(mean: Mean) -> dict[str, Any]:
    return {"name": mean.name, "estimate": mean.estimate, "low": mean.low, "high": mean.high,
            "error": mean.error, "among": mean.among, "exact": mean.exact}
