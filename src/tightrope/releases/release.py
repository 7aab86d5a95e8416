"""A result: private answers with their errors, and the entry in the ledger if they were booked.

The numbers were drawn once; all that is shown, plotted or put into a frame is worked out from them
and from the declaration, so that looking costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from tightrope.characters import counted, label_text, shorten
from tightrope.declarations import Clock, Neighbors, NumberColumn, TimeColumn
from tightrope.errors import BadInput, BadTable, Refused
from tightrope.extras import require
from tightrope.facts import card_of, latex_of
from tightrope.ledger import Booked
from tightrope.releases.accuracy import Noise, Ranks, interval_text
from tightrope.releases.answers import Answer
from tightrope.releases.descriptions import NOT_BOOKED, cell_names, release_facts
from tightrope.releases.figures import release_figure
from tightrope.releases.grammar import Slot, details_in
from tightrope.releases.labels import columns_of_cells, shown_cell, shown_choice, words_of
from tightrope.releases.planning import QuestionPlan
from tightrope.releases.publication import composed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Frame = Literal["pandas", "polars", "pyarrow"]
_WIDE = 2**48
"""An error of counts beyond which frames hold them as doubles."""
_LISTED = 12
"""Answers that a terminal shows."""


@dataclass(frozen=True)
class Release:
    """Private answers: the noise is in them, and all of it may be published.

    One answer has `value`, `interval` and `error`, and counts as a `float`: `round(r, 2)`,
    `r / 2`, `f"{r:.2f}"`. Several are rows of `to_frame()`. `exact` is the value as a fraction.
    `booked` is the entry in the ledger, None if nothing was charged. `frame` is the kind of frame
    that `to_frame` makes. Answers `of_plan`, from the place of their question in it, may be agreed
    ones: not whole, with errors of their own, and published with their plan.

    >>> from tightrope.releases import count
    >>> release = count({"vote": ["no", "yes", "no"]}, epsilon=50)
    >>> release.value, release.interval, release.error, release.epsilon
    (3, (3.0, 3.0), 0.0, 50.0)
    """

    plan: QuestionPlan
    answers: tuple[Answer, ...]
    booked: Booked | None = None
    frame: Frame = "pyarrow"
    of_plan: int | None = None

    @property
    def exact(self) -> Fraction | str | None:
        """The answer as a fraction, or as the category that was chosen; None if withheld."""
        return self._answer("exact").value

    @property
    def value(self) -> float | str | date | time | None:
        """The answer to a question with one, of counts a whole number, of dates a date.

        None if withheld.
        """
        return self._plain(self._answer("value").value)

    def __float__(self) -> float:
        value = self._answer("float").value
        if value is None:
            raise BadInput("the value is withheld, since nobody may be behind it; .interval holds "
                           "if somebody is.")
        if isinstance(value, str):
            kind = "text" if self._times is None else self._times.clock
            raise BadInput(f"the answer is a {kind}, {label_text(value)!r}; take .value.")
        return float(value)

    def __int__(self) -> int:
        return int(float(self))

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __add__(self, other: float) -> float:
        return float(self) + other

    def __sub__(self, other: float) -> float:
        return float(self) - other

    def __mul__(self, other: float) -> float:
        return float(self) * other

    def __truediv__(self, other: float) -> float:
        return float(self) / other

    def __rsub__(self, other: float) -> float:
        return other - float(self)

    def __rtruediv__(self, other: float) -> float:
        return other / float(self)

    __radd__, __rmul__ = __add__, __mul__

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of an interval that holds the exact statistic with the plan's confidence."""
        answer = self._answer("interval")
        if answer.low is None or answer.high is None:
            raise BadInput(f"a {self._ask} has no interval in its own values: .error is how far "
                           f"it may be off, in {self.plan.unit_of_error}.")
        return float(answer.low), float(answer.high)

    @property
    def error(self) -> float:
        """How far an answer is off at most, with the confidence of the plan (95 %).

        For counts, sums and quantiles it follows from the declaration and is the same for all
        answers; of quantiles it is in ranks. For others, and of a plan, it is the distance from the
        value to the farther end of its interval.
        """
        if self.plan.width is not None and not (
                self.of_plan is not None and isinstance(self.plan.strategy.accuracy, Noise)):
            return float(self.plan.width)
        answer = self._answer("error")
        assert answer.low is not None
        assert answer.high is not None
        middle = (answer.low + answer.high) / 2 if answer.value is None else answer.value
        assert not isinstance(middle, str)
        return float(max(answer.high - middle, middle - answer.low))

    @property
    def epsilon(self) -> float:
        """The level ε of all answers together; `plan.level` is exact."""
        return float(self.plan.level)

    def to_frame(self) -> Any:
        """The answers as a frame, of the kind that was given: pandas, Polars, or else Arrow.

        A row an answer: its cell, `answer`, `low` and `high`; counts that were adjusted as well.
        Cells are codes; where labels are declared, a column of them stands beside.
        """
        import narwhals as nw
        import pyarrow as pa

        moments = {Clock.DATE: pa.date32(), Clock.DATETIME: pa.timestamp("us"),
                   Clock.TIME: pa.time64("us")}
        columns: dict[str, list[Any]] = {}
        names = columns_of_cells(self.plan)
        for place, title in enumerate(self._titles):
            columns[title] = [answer.cell[place] for answer in self.answers]
            if place < len(names) and words_of(self.plan, names[place]):
                columns[f"{title}_label"] = [shown_cell(self.plan, answer.cell)[place]
                                             for answer in self.answers]
        accuracy = self.plan.strategy.accuracy
        if details_in(self.plan.statistic.phrase) is Slot.PROBABILITIES:
            assert isinstance(accuracy, Ranks)
            each = [float(p) for p in accuracy.probabilities]
            columns[self._titles[-1]] = each * (len(self.answers) // len(each))
        columns["answer"] = [self._plain(answer.value) for answer in self.answers]
        columns["low"] = [_double(answer.low) for answer in self.answers]
        columns["high"] = [_double(answer.high) for answer in self.answers]
        if self.plan.question.adjusted:
            columns["adjusted"] = [answer.adjusted for answer in self.answers]
        chosen = (isinstance(accuracy, Ranks) and not accuracy.by_rank) or (
            self.plan.keys is not None and self.plan.width is None)
        # no drawn number decides on the kind
        whole = self.plan.strategy.counts and self.of_plan is None and (
            (self.plan.width or 0) < _WIDE)
        kind = pa.string() if chosen else pa.int64() if whole else pa.float64()
        if self._times is not None:
            kind = moments[self._times.clock]
        elif not whole:
            columns["answer"] = [_double(answer.value) for answer in self.answers]
        cell_kind = None if self.plan.keys is None else pa.string()
        kinds = {"answer": kind, "low": pa.float64(), "high": pa.float64(), "adjusted": kind}
        table = pa.table({title: pa.array(cells, kinds.get(title, cell_kind))
                          for title, cells in columns.items()})
        if self.frame == "pyarrow":
            return table
        return nw.from_arrow(table, backend=self.frame).to_native()

    def plot(self) -> Figure:
        """A picture of the answers with their intervals, as a figure of matplotlib."""
        require("plot", "a picture")
        return release_figure(self.plan, self.answers)

    facts = release_facts

    def document(self) -> dict[str, Any]:
        """The whole of what may be published, as `verify` reads it; only if it was booked."""
        if self.booked is None:
            raise Refused("nothing was booked, so there is no document: open the table with a "
                          "budget, tr.open(data, declaration, ledger=…, budget=…), and ask there.")
        if self.of_plan is not None:
            raise Refused("a question of a plan is published with it: take the document of the "
                          "plan.")
        return composed(self.plan, self.booked.answer, self.booked.entry.as_json(),
                        self.booked.head)

    @property
    def _ask(self) -> str:
        return self.plan.question.ask

    @property
    def _titles(self) -> list[str]:
        return cell_names(self.plan)

    def _answer(self, asked: str) -> Answer:
        if len(self.answers) != 1:
            self._several(asked)
        return self.answers[0]

    def _several(self, asked: str) -> NoReturn:
        if not self.answers:
            raise BadInput(f"no key appeared, so there is no {asked}; .to_frame() is empty.")
        raise BadInput(f"there are {len(self.answers):,} answers, so there is no single {asked}: "
                       "take .to_frame(), one row for each.")

    @property
    def _times(self) -> TimeColumn | None:
        """The column whose dates or times the answers are, if they are such."""
        accuracy, columns = self.plan.strategy.accuracy, self.plan.question.columns
        column = self.plan.declaration.columns[columns[0]] if columns else None
        of_values = isinstance(accuracy, Ranks) and (accuracy.by_rank or self.plan.tally.fine)
        return column if of_values and isinstance(column, TimeColumn) else None

    def _plain(self, value: Fraction | str | None) -> int | float | str | date | time | None:
        if isinstance(value, str) and self._times is not None:
            return self._times.clock.moment(int(self._times.number(value) or 0))
        if value is None or isinstance(value, str):
            return value
        return int(value) if self.plan.strategy.counts and value.denominator == 1 else float(value)

    def __repr__(self) -> str:
        table, facts = answer_lines(self)
        facts += result_facts(self)
        wide = max(len(name) for name, _ in facts)
        return "\n".join([*table, *(f"{name:<{wide}}  {shorten(text, 160)}"
                                    for name, text in facts),
                          *([NOT_BOOKED] if self.booked is None else [])])

    _repr_html_ = card_of
    to_latex = latex_of


def _shown(plan: QuestionPlan, answer: Answer) -> str:
    return shown_choice(plan, answer) or answer.text


def _double(value: Fraction | str | None) -> float | str | None:
    return value if value is None or isinstance(value, str) else float(value)


def answer_lines(release: Release) -> tuple[list[str], list[tuple[str, str]]]:
    """The answers as lines of a table below their question; one alone as facts, by name."""
    plan, answers = release.plan, release.answers
    if len(answers) == 1:
        return [], [(shorten(plan.question.title), _shown(plan, answers[0])),
                    *_interval(plan, answers[0])]
    lines = [shorten(plan.question.title, 160), *_table(release, answers[:_LISTED])]
    if len(answers) > _LISTED:
        lines.append(f"… {counted(len(answers) - _LISTED, 'answer')} more in .to_frame()")
    return lines, []


def result_facts(release: Release) -> list[tuple[str, str]]:
    """The error, who is protected, how cells are read, and what is left, by name."""
    plan, booked = release.plan, release.booked
    may_agree = release.of_plan is not None and isinstance(plan.strategy.accuracy, Noise)
    facts = [("error", plan.accuracy)] if plan.width is not None and not may_agree else []
    facts += [("means", words) for words in (plan.meaning, plan.kept) if words is not None]
    facts.append(("protects", protection(plan)))
    facts += [("reads", f"{label_text(name)}: {rule}") for name, rule in plan.rules.items()
              if isinstance(plan.declaration.columns[name], NumberColumn)]
    accuracy = plan.strategy.accuracy
    if isinstance(accuracy, Ranks) and accuracy.beyond:
        facts.append(("next", interval_text(plan)))
    if booked is not None:
        again = ", given again for free" if booked.again else ""
        facts += [("entry", f"{booked.entry.number}{again}"), ("left", booked.remaining)]
    return facts


def protection(plan: QuestionPlan) -> str:
    """Whom an answer protects, at which level, in one line."""
    unit = plan.declaration.unit
    who = unit.shown.partition(";")[0]
    change = f"one of {unit.size:,} replaced" if unit.neighbors is Neighbors.REPLACE else (
        f"one {unit.noun} added or removed")
    return f"{who}, at {plan.level} ({change})"


def _interval(plan: QuestionPlan, answer: Answer) -> list[tuple[str, str]]:
    if answer.low is None or answer.high is None:
        return []
    ends = " to ".join(answer.number_text(end) for end in (answer.low, answer.high))
    facts = [(f"{100 * float(plan.confidence):g} % interval", ends)]
    if answer.over_cuts is not None:
        over = " to ".join(answer.number_text(end) for end in answer.over_cuts)
        facts.append(("mean over all draws", over))
    return facts if answer.adjusted is None else [*facts, ("adjusted", f"{answer.adjusted:,}")]


def _table(release: Release, answers: Sequence[Answer]) -> list[str]:
    """Answers in columns: cells to the left, numbers to the right."""
    intervals = [_interval(release.plan, answer) for answer in answers]
    cells = [[shorten(", ".join(shown_cell(release.plan, answer.cell)), 40),
              _shown(release.plan, answer),
              *(ends for _, ends in interval)]
             for answer, interval in zip(answers, intervals, strict=True)]
    titles = [shorten(", ".join(release._titles), 40), "answer", *(
        name for name, _ in [*intervals, []][0])]
    rows = [titles, *cells]
    widths = [max(len(row[place]) for row in rows) for place in range(len(titles))]
    return ["  ".join([f"{row[0]:<{widths[0]}}", *(
        f"{text:>{wide}}" for text, wide in zip(row[1:], widths[1:], strict=True))]).rstrip()
        for row in rows]


def frame_kind(data: Any) -> Frame:
    """The library whose frames answers come in: that of the data, if it is pandas or Polars."""
    if type(data).__module__.partition(".")[0] not in ("pandas", "polars"):
        return "pyarrow"
    import narwhals as nw

    try:
        native = nw.from_native(data, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError:
        raise BadTable("several columns of the table have the same name.") from None
    implementation = getattr(native, "implementation", None)
    if implementation is not None and implementation.is_pandas():
        return "pandas"
    return "polars" if implementation is not None and implementation.is_polars() else "pyarrow"
