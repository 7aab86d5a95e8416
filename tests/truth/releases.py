"""Every statistic of a table against the truth, through its plan, its laws and its answers.

A row of the bench is a question on a shape at a level. Its exact numbers are read once; then the
laws of the plan are drawn from again and again, and each answer is judged by what it says of
itself: unbiased counts and sums, intervals, expected errors, ranks, bands, simultaneous widths.
The truth is worked out here, from the rows alone, in other words than the library's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.truth.judge import Tally
from tests.truth.shapes import GROUPS, VALUES, Shape, shapes
from tightrope.declarations import CutKey
from tightrope.releases import OpenTable, Question, QuestionPlan, open_books
from tightrope.releases.answers import Answer, answers
from tightrope.releases.releasing import statistics
from tightrope.releases.statistics import STATISTICS
from tightrope.samplers import SeededSource, draw

LEVELS = ("0.01", "0.1", "1", "5")
ALL = "(all)"
Row = dict[str, Any]
Key = CutKey(bytes(32))


@dataclass(frozen=True)
class Case:
    """A question on a shape at a level."""

    shape: Shape
    question: Question
    level: str

    @property
    def name(self) -> str:
        return f"{self.question.text}, {self.shape.name}, ε = {self.level}"


def questions(shape: Shape) -> Iterator[Question]:
    """Every statistic, of the whole table and by group."""
    least = f"y >= {shape.threshold}"
    for by in ((), ("g",)):
        for ask in STATISTICS:
            match ask:
                case "people" | "cut":
                    continue  # tests/truth/people.py
                case "keys":
                    continue  # tests/truth/keys.py
                case "count":
                    yield Question(ask, (), by)
                case "counts":
                    yield Question(ask, (), by, at=[least, "c = 'rare'", "not c = 'common'"])
                case "proportion":
                    yield Question(ask, (), by, at=[least])
                case "histogram" | "mode":
                    yield Question(ask, "c", by)
                case "frequent":
                    yield Question(ask, "c", by, at=2)
                case "cross":
                    if not by:
                        yield Question(ask, ("c", "g"))
                case "upper_bound" | "lower_bound":
                    if not by:
                        yield Question(ask, "y")
                case "quantiles":
                    yield Question(ask, "y", by, at=["1/4", "3/4"])
                case _:
                    yield Question(ask, "y", by)


def cases(levels: Sequence[str] = LEVELS) -> list[Case]:
    """All questions on all shapes."""
    return [Case(shape, question, level) for shape in shapes() for question in questions(shape)
            for level in levels]


def judge_case(case: Case, repetitions: int) -> list[Tally]:
    """What repetitions of a case showed."""
    table: OpenTable = open_books(case.shape.columns, case.shape.declaration)
    plan = table.dry_run(case.question, case.level)
    numbers = statistics(plan, table._source, Key)
    source = SeededSource(hash_of(case.name))
    judge = _JUDGES.get(case.question.ask, _Numbers)(case, plan)
    for _ in range(repetitions):
        drawn: list[Any] = [draw(part.certified, held, source)
                            for part, held in zip(plan.subqueries, numbers, strict=True)]
        judge.note(answers(plan, drawn))
    return list(judge.tallies)


def hash_of(text: str) -> int:
    """A seed that is the same in every run."""
    from hashlib import sha256

    return int.from_bytes(sha256(text.encode()).digest()[:6], "big")


def groups_of(case: Case, by: Sequence[str]) -> list[tuple[tuple[str, ...], list[Row]]]:
    """The rows of each group, by the names of its cell."""
    if not by:
        return [((), list(case.shape.rows))]
    return [((name,), [row for row in case.shape.rows if row["g"] == name]) for name in GROUPS]


def known(rows: Sequence[Row]) -> list[int]:
    """The numbers that are not missing."""
    return [row["y"] for row in rows if row["y"] is not None]


class _Numbers:
    """Answers with an interval each: numbers, shares, means, variances."""

    unbiased = ("count", "counts", "sum", "histogram", "cross", "left_out")

    def __init__(self, case: Case, plan: QuestionPlan) -> None:
        self.case, self.plan = case, plan
        self.truth = dict(_truth(case))
        sums = {spread.of: spread for spread in plan.sums}
        self.held: dict[tuple[str, ...], Tally] = {}
        for cell, truth in self.truth.items():
            if truth is None:  # the mean of no rows
                continue
            margin = _margin(case.question, cell)
            error = plan.error if margin is None else sums[margin].error
            self.held[cell] = Tally(
                f"{case.name}: {', '.join(cell) or 'all'}", stated=float(plan.confidence),
                unbiased=case.question.ask in self.unbiased,
                expected=None if error is None else float(error))
        self.together = Tally(f"{case.name}: all cells at once", stated=float(plan.confidence))

    @property
    def tallies(self) -> list[Tally]:
        together = [self.together] if self.plan.together is not None else []
        return [*self.held.values(), *together]

    def note(self, found: Sequence[Answer]) -> None:
        assert {answer.cell for answer in found} == set(self.truth)
        worst = 0.0
        for answer in found:
            truth = self.truth[answer.cell]
            if truth is None:
                continue
            error = None if answer.value is None else float(answer.value - truth)
            self.held[answer.cell].add(error, answer.low <= truth <= answer.high)
            if _margin(self.case.question, answer.cell) is None and error is not None:
                worst = max(worst, abs(error))
        if self.plan.together is not None:
            self.together.add(covered=worst <= float(self.plan.together))


def _margin(question: Question, cell: tuple[str, ...]) -> str | None:
    """Which sum of cells an answer of a cross table is."""
    if question.ask != "cross" or ALL not in cell:
        return None
    if cell == (ALL, ALL):
        return "totals"
    return f"margins of {question.columns[1 if cell[0] == ALL else 0]}"


def _truth(case: Case) -> Iterator[tuple[tuple[str, ...], Fraction | None]]:
    question, least = case.question, case.shape.threshold
    if question.ask == "cross":
        for value in (*VALUES, ALL):
            for group in (*GROUPS, ALL):
                yield (value, group), Fraction(sum(
                    value in (ALL, row["c"]) and group in (ALL, row["g"])
                    for row in case.shape.rows))
        return
    for cell, rows in groups_of(case, question.by):
        numbers = known(rows)
        match question.ask:
            case "count":
                yield cell, Fraction(len(rows))
            case "counts":
                counts = (sum(y >= least for y in numbers), sum(r["c"] == "rare" for r in rows),
                          sum(r["c"] != "common" for r in rows))
                for text, count in zip(question.details, counts, strict=True):
                    yield (*cell, text), Fraction(count)
            case "left_out":
                low, high = _bounds(case)
                cells = [row["y"] for row in rows]
                for name, count in ((f"below {low}", sum(y is not None and y < low for y in cells)),
                                    (f"above {high}", sum(y is not None and y > high
                                                          for y in cells)),
                                    ("no number", cells.count(None))):
                    yield (*cell, name), Fraction(count)
            case "histogram":
                for value in VALUES:
                    yield (value, *cell), Fraction(sum(row["c"] == value for row in rows))
            case "sum":
                yield cell, Fraction(sum(numbers))
            case "mean":
                yield cell, Fraction(sum(numbers), len(numbers)) if numbers else None
            case "proportion":
                share = sum(y >= least for y in numbers)
                yield cell, Fraction(share, len(numbers)) if numbers else None
            case "variance":
                yield cell, _variance(numbers) if numbers else None
            case _:
                raise AssertionError(f"no truth for {question.ask}")


def _bounds(case: Case) -> tuple[int, int]:
    """The declared bounds of the numbers."""
    column = case.shape.declaration["columns"]["y"]
    return column["low"], column["high"]


def _variance(numbers: Sequence[int]) -> Fraction:
    mean = Fraction(sum(numbers), len(numbers))
    return sum((number - mean) ** 2 for number in numbers) / len(numbers)


class _Ranks:
    """Values whose error is known in ranks: never further off than stated, so surely."""

    def __init__(self, case: Case, plan: QuestionPlan) -> None:
        self.case, self.plan = case, plan
        self.groups = dict(groups_of(case, case.question.by))
        assert plan.width is not None
        self.tallies = [Tally(f"{case.name}: ranks of {', '.join(cell) or 'all'}",
                              stated=float(plan.confidence)) for cell in self.groups]

    def note(self, found: Sequence[Answer]) -> None:
        by = len(self.case.question.by)
        for (cell, rows), tally in zip(self.groups.items(), self.tallies, strict=True):
            own = [answer for answer in found if answer.cell[:by] == cell]
            off = max(self._off(known(rows), answer) for answer in own)
            tally.add(covered=off <= self.plan.width)

    def _off(self, numbers: Sequence[int], answer: Answer) -> Fraction:
        value, ask = answer.value, self.case.question.ask
        below, upto = sum(y < value for y in numbers), sum(y <= value for y in numbers)
        if ask in ("minimum", "lower_bound"):
            return Fraction(below)
        if ask in ("maximum", "upper_bound"):
            return Fraction(len(numbers) - upto)
        p = Fraction(1, 2) if ask == "median" else Fraction(answer.cell[-1])
        wanted = p * len(numbers)
        return max(below - wanted, wanted - upto, Fraction(0))


class _Chosen:
    """The most frequent values: never rarer than the true ones by more than stated."""

    def __init__(self, case: Case, plan: QuestionPlan) -> None:
        self.case, self.plan = case, plan
        self.counts = {cell: {value: sum(row["c"] == value for row in rows) for value in VALUES}
                       for cell, rows in groups_of(case, case.question.by)}
        self.tallies = [Tally(f"{case.name}: shortfall of {', '.join(cell) or 'all'}",
                              stated=float(plan.confidence)) for cell in self.counts]

    def note(self, found: Sequence[Answer]) -> None:
        by = len(self.case.question.by)
        for (cell, counts), tally in zip(self.counts.items(), self.tallies, strict=True):
            own = [answer.value for answer in found if answer.cell[:by] == cell]
            best = sorted(counts.values(), reverse=True)
            short = max(best[place] - counts[value] for place, value in enumerate(own))
            tally.add(covered=short <= self.plan.width)


class _Bands:
    """Distribution functions: the band holds all of one, together."""

    def __init__(self, case: Case, plan: QuestionPlan) -> None:
        self.case, self.plan = case, plan
        self.groups = [(cell, known(rows)) for cell, rows in groups_of(case, case.question.by)]
        self.groups = [(cell, numbers) for cell, numbers in self.groups if numbers]
        self.tallies = [Tally(f"{case.name}: band of {', '.join(cell) or 'all'}",
                              stated=float(plan.confidence)) for cell, _ in self.groups]

    def note(self, found: Sequence[Answer]) -> None:
        by, (*inner, last) = len(self.case.question.by), self.case.shape.bins[1:]
        for (cell, numbers), tally in zip(self.groups, self.tallies, strict=True):
            own = [answer for answer in found if answer.cell[:by] == cell]
            shares = [Fraction(sum(y < edge for y in numbers), len(numbers)) for edge in inner]
            shares.append(Fraction(sum(y <= last for y in numbers), len(numbers)))
            tally.add(covered=all(answer.low <= share <= answer.high
                                  for answer, share in zip(own, shares, strict=True)))


_JUDGES: dict[str, Callable[[Case, QuestionPlan], Any]] = {
    "median": _Ranks, "quantiles": _Ranks, "minimum": _Ranks, "maximum": _Ranks,
    "upper_bound": _Ranks, "lower_bound": _Ranks,
    "mode": _Chosen, "frequent": _Chosen, "distribution": _Bands,
}
