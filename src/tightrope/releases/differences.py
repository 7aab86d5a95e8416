"""The difference of two releases of one question, with its error.

Both noises are independent, so the difference has the law of a sum of both. Where both have one
law, its width is that of so many noises. Elsewhere each release gets half of what may be missed:
the ends of both intervals then hold together.

Where people's rows are cut, each release draws which rows it keeps: two releases of one unchanged
table count other rows. The difference of counts is then that of the means over all draws, with
both intervals for them. Other statistics have no such interval, and no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tightrope.characters import shorten
from tightrope.declarations import Unit
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.facts import Fact, Facts, card_of, data, lines_of, listing
from tightrope.releases.accuracy import Noise, Ranks
from tightrope.releases.answers import Answer, answers
from tightrope.releases.cuts import Interval, counts_kept, is_cut
from tightrope.releases.labels import shown_cell
from tightrope.spaces import Tallies

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan
    from tightrope.releases.publication import PublishedRelease
    from tightrope.releases.release import Release

MAY_BE_EQUAL = "may be no change"


@dataclass(frozen=True)
class Difference:
    """The later answers less the earlier ones, cell by cell; each interval holds by itself.

    A value is None where either answer is withheld. `together` is the level of these two
    answers for whoever is in both tables; each release keeps its own level for everybody else.
    """

    first: QuestionPlan
    second: QuestionPlan
    answers: tuple[Answer, ...]

    @property
    def over_draws(self) -> bool:
        """Whether intervals are for the means over all draws of the rows that are kept."""
        return counts_kept(self.second)

    @property
    def together(self) -> Level:
        """The level of both answers together for whoever is in both tables."""
        return self.first.level + self.second.level

    def note(self, answer: Answer) -> str:
        """Whether a difference may be none, in words."""
        assert answer.low is not None
        assert answer.high is not None
        return MAY_BE_EQUAL if answer.low <= 0 <= answer.high else ""

    def facts(self) -> Facts:
        """Every difference with its interval, and the levels."""
        rows = [(", ".join(shown_cell(self.second, answer.cell)) or self.second.question.noun,
                 "withheld" if answer.value is None else answer.text,
                 *(answer.number_text(end) for end in (answer.low, answer.high)
                   if end is not None), self.note(answer)) for answer in self.answers]
        return Facts(
            "Difference", f"{self.second.question.title}: second less first",
            (
                listing("", ("", "difference", "from", "to", "note"), rows),
                Fact(None, "levels", f"{self.first.level}, then {self.second.level}"),
                Fact(None, "in both", "by these two answers alone, whoever is in both "
                     f"tables is protected at {self.together}"),
                *data(question=self.second.question.title, answers=self.answers,
                      **self.together.as_json(), confidence=float(self.second.confidence)),
            ),
            (f"Each {100 * float(self.second.confidence):g} % interval holds by itself"
             f"{', for the mean over all draws of kept rows' * self.over_draws}.",),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def difference(
    first: Release | PublishedRelease, second: Release | PublishedRelease
) -> Difference:
    """The answers of a later release less those of an earlier one of the same question.

    Returns: a `Difference`; its `answers` have values and intervals.

    Raises: `BadInput` for other questions, columns or units, for one release given twice, for
    answers without intervals, and for releases that were not booked or do not hold.

    >>> from tightrope.ledger import Budget, Ledger
    >>> from tightrope.releases import open_books
    >>> form = {"dataset": "votes", "columns": {"v": {"type": "category", "values": ["n", "y"]}}}
    >>> ledger = Ledger.create("votes.sqlite")
    >>> _ = ledger.open_budget(Budget.of("all", form, epsilon=200))
    >>> years = [open_books({"v": rows}, form, ledger=ledger, budget="all").ask("count by v", 50)
    ...          for rows in (["n", "y", "y"], ["n", "n", "n", "n"])]
    >>> [(answer.cell, answer.value) for answer in difference(*years).answers]
    [(('n',), Fraction(3, 1)), (('y',), Fraction(-2, 1))]
    """
    drawn = [_drawn(release) for release in (first, second)]
    seals = {_seal(release) for release in (first, second)}
    reason = "both are one release" if len(seals) == 1 else obstacle(first.plan, second.plan)
    if reason is not None:
        raise BadInput(f"there is no difference of these two releases: {reason}.")
    return subtract(first.plan, second.plan, *drawn)


def obstacle(first: QuestionPlan, second: QuestionPlan) -> str | None:
    """Why two plans have no difference; None if they have one."""
    asked = first.question.title, second.question.title
    if asked[0] != asked[1]:
        return f"one asks {shorten(asked[0])!r}, the other {shorten(asked[1])!r}"
    if _kind(first.declaration.unit) != _kind(second.declaration.unit):
        return (f"one protects {first.declaration.unit.shown}, the other "
                f"{second.declaration.unit.shown}")
    if first.confidence != second.confidence:
        return "their intervals have different confidences"
    if first.keys is not None or second.keys is not None:
        return "their keys appear by chance, and not in both alike"
    names = sorted({reading.name for reading in first.tally.readings})
    other = next((name for name in names if _column(first, name) != _column(second, name)), None)
    if other is not None:
        return f"the column {shorten(other)!r} is declared otherwise"
    if first.cells != second.cells:
        return "their cells are not the same"
    if isinstance(first.strategy.accuracy, Ranks):
        return "its answers have no interval in their own values"
    if is_cut(first) and not first.strategy.counts:
        return ("each release draws which rows of people it keeps, and only counts have an "
                "interval for what that changes")
    return None


def subtract(
    first: QuestionPlan, second: QuestionPlan, drawn: Sequence[Sequence[int]],
    later: Sequence[Sequence[int]],
) -> Difference:
    """The difference of two plans without an obstacle, from what was drawn."""
    terms = None if counts_kept(second) else _terms(first, second)
    before, after = answers(first, drawn), answers(second, later)
    if terms is None:
        wider = zip(answers(first.surer, drawn), answers(second.surer, later), strict=True)
        ends = [_ends(_interval(old), _interval(new)) for old, new in wider]
    else:
        widths = {width: second.subqueries[0].width(second.confidence, 2 * cells)
                  for width, cells in terms.items()}
        ends = [_around(old, new, widths[_half(new)]) for old, new in zip(
            before, after, strict=True)]
    return Difference(first, second, tuple(
        Answer(new.cell, _value(old, new), *end)
        for old, new, end in zip(before, after, ends, strict=True)))


def _terms(first: QuestionPlan, second: QuestionPlan) -> dict[Fraction, int] | None:
    """How many noises a half-width is of, where both plans draw from one law; else None."""
    pairs = [(plan.subqueries[0].certified.mechanism, plan.size, plan.target)
             for plan in (first, second)]
    noisy = isinstance(second.strategy.accuracy, Noise) and isinstance(
        second.subqueries[0].subquery.space, Tallies)
    if pairs[0] != pairs[1] or not noisy or second.target is not None or second.size is not None:
        return None
    assert second.width is not None
    terms = {second.width: 1}
    for spread in second.sums:  # at high levels many widths are 0
        terms[spread.width] = max(terms.get(spread.width, 1), spread.terms)
    return terms


def _half(answer: Answer) -> Fraction:
    assert answer.low is not None
    assert answer.high is not None
    return (answer.high - answer.low) / 2


def _value(old: Answer, new: Answer) -> Fraction | None:
    if old.value is None or new.value is None:
        return None
    assert not isinstance(old.value, str)
    assert not isinstance(new.value, str)
    return new.value - old.value


def _interval(answer: Answer) -> Interval:
    """The interval of an answer; of kept rows, that of the mean over all draws."""
    if answer.over_cuts is not None:
        return answer.over_cuts
    assert answer.low is not None
    assert answer.high is not None
    return answer.low, answer.high


def _ends(old: Interval, new: Interval) -> Interval:
    return new[0] - old[1], new[1] - old[0]


def _around(old: Answer, new: Answer, width: Fraction) -> Interval:
    value = _value(old, new)
    assert value is not None
    return value - width, value + width


def _kind(unit: Unit) -> tuple[object, ...]:
    """The unit without the number of units, which may change over the years."""
    return unit.person, unit.rows, unit.cells, unit.neighbors


def _column(plan: QuestionPlan, name: str) -> Any:
    return plan.declaration.columns.get(name)


def _drawn(release: Release | PublishedRelease) -> Sequence[Sequence[int]]:
    """The numbers that were drawn for a release that was booked, and holds."""
    from tightrope.releases.publication import PublishedRelease
    from tightrope.releases.release import Release

    if isinstance(release, PublishedRelease):
        if not release.holds:
            raise BadInput("a release that does not hold has no difference from another.")
        drawn: Sequence[Sequence[int]] = release.content["drawn"]["numbers"]
        return drawn
    if not isinstance(release, Release):
        raise BadInput('a difference is of two answers: p["count by sex"] of a plan, or '
                       'tr.releases.read_release("a.json"); a report shows those of all documents.')
    if release.booked is None:
        raise BadInput("a difference is of releases that were booked; open the table with a budget "
                       "and ask there.")
    numbers = release.booked.answer["numbers"]
    kept: Sequence[Sequence[int]] = (
        numbers if release.of_plan is None else numbers[release.of_plan])
    return kept


def _seal(release: Release | PublishedRelease) -> str:
    from tightrope.releases.publication import PublishedRelease

    if isinstance(release, PublishedRelease):
        return str(release.content["entry"]["seal"])
    assert release.booked is not None
    return release.booked.entry.seal
