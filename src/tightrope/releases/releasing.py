"""A table with its declaration and its books, and the questions that may be asked of it.

The statistic is added up, where people's rows are cut by a key that only this release has. The
budget is checked and charged, the noise is drawn, the answer is kept, and only then given:
whatever fails in between, what was charged stays spent. After the declaration was compared with
the schema nothing depends on rows but the drawn numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tightrope.declarations import CutKey, Declaration, KeyTally, Tallied, Tally
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.files import StrPath, read_declaration
from tightrope.ledger import Ledger
from tightrope.markup import lines
from tightrope.privacy import level_of
from tightrope.releases.answered_plans import AnsweredPart, PlanRelease, answered_parts
from tightrope.releases.answers import Answer, answers
from tightrope.releases.plan_documents import charged_levels, plan_charge
from tightrope.releases.planning import CONFIDENCE, QuestionPlan, level_within, plan_release
from tightrope.releases.plans import Plan, plan, plan_terms, stated_terms
from tightrope.releases.proving import Numbers
from tightrope.releases.publication import charge_of
from tightrope.releases.questions import Question, keys_of, question_of
from tightrope.releases.rehearsing import rehearse, rehearse_plan
from tightrope.releases.release import Frame, Release, frame_kind
from tightrope.samplers import fresh_key
from tightrope.spellings import spelled
from tightrope.tables import Source, open_source

Stated = Level | Number | None
_UNBOOKED = ("a release is charged to a budget: open the table with a ledger and the name of a "
             "budget, or ask with unbooked=True.")
_BOOKED = "this table has a budget: leave out unbooked, or open it without a ledger or request."


class OpenTable:
    """A declared table whose questions are charged to a budget; made by `open_books`."""

    def __init__(
        self,
        source: Source,
        declaration: Declaration,
        ledger: Ledger | None = None,
        budget: str | None = None,
        frame: Frame = "pyarrow",
        asker: str | None = None,
    ) -> None:
        self.declaration, self._source = declaration, source
        self._ledger, self._budget, self._frame, self._asker = ledger, budget, frame, asker

    def __repr__(self) -> str:
        balance = None
        if self._ledger is not None and self._budget is not None:
            balance = f"{self._ledger.balance(self._budget).remaining} of {self._budget}"
        return lines(f"Table: {self.declaration.dataset}",
                     [("protects", self.declaration.unit.shown), ("left", balance)])

    def dry_run(
        self,
        question: Question | str,
        epsilon: Stated = None,
        confidence: Number = CONFIDENCE,
        *,
        ratio: Number | None = None,
        delta: Number | None = None,
    ) -> QuestionPlan:
        """How a question would be answered; no row is read and nothing is spent."""
        level = level_of(epsilon, ratio=ratio, delta=delta)
        return plan_release(question_of(question), self.declaration, level, confidence)

    def ask(
        self,
        question: Question | str,
        epsilon: Stated = None,
        *,
        ratio: Number | None = None,
        delta: Number | None = None,
        within: Number | None = None,
        confidence: Number = CONFIDENCE,
        request: str | None = None,
        rehearsal: Callable[[QuestionPlan, Sequence[Answer]], object] | None = None,
        unbooked: bool = False,
    ) -> Release:
        """Answer a question, such as "mean of age by sex", charged to the budget.

        All that is published is first worked out for stand-in numbers, and `rehearsal` is called
        with the plan and those answers: what fails there costs nothing. `delta` is for keys that
        are not declared, such as "count by drug". With `unbooked` a table
        without a budget answers, too: nothing is charged, and there is no document.
        """
        ledger, budget = self._ledger, self._budget
        if unbooked is (ledger is not None) or (request is not None and unbooked):
            raise BadInput(_BOOKED if unbooked else _UNBOOKED)
        asked = question_of(question)
        stated = epsilon if ratio is None else level_of(epsilon, ratio=ratio)
        level = asked_level(asked, self.declaration, stated, within, confidence, delta)
        plan = self.dry_run(asked, level, confidence)
        stand_in = rehearse(plan)
        if rehearsal is not None:
            rehearsal(plan, stand_in)
        if ledger is None or budget is None:
            return unbooked_release(plan, self._source, self._frame)
        charge = charge_of(plan, request, self._asker)
        ledger.check(budget, charge, completes=True)  # a courtesy: the charge itself decides
        numbers = statistics(plan, self._source, CutKey(fresh_key()))
        booked = ledger.book(budget, charge, lambda: {"numbers": _draw(plan, numbers)},
                             completes=True)
        return Release(plan, answers(plan, booked.answer["numbers"]), booked, self._frame)

    def plan(
        self, questions: Any, *, assume_rows: int | None = None, **stated: Any
    ) -> Plan:
        """How several questions would share one total: see `tr.plan`; no row is read."""
        return plan(questions, self.declaration, assume_rows=assume_rows, **stated)

    def release_plan(
        self,
        questions: Any,
        *,
        assume_rows: int | None = None,
        rehearsal: Callable[[Plan, Sequence[AnsweredPart]], object] | None = None,
        unbooked: bool = False,
        **stated: Any,
    ) -> PlanRelease:
        """Answer all questions of a plan for one charge, all or nothing, from one snapshot.

        `questions` is a `Plan`, its file, or what `tr.plan` takes. The name of the plan is that of
        the request: asked again, it gets the same answers for free; one that was interrupted
        after the charge is completed. Both have the levels that were charged, whatever the split
        would be now.
        """
        ledger, budget = self._ledger, self._budget
        if unbooked is (ledger is not None):
            raise BadInput(_BOOKED if unbooked else _UNBOOKED)
        made = self._charged_plan(questions, assume_rows, **stated) or self.plan(
            questions, assume_rows=assume_rows, **stated)
        stand_in = rehearse_plan(made)
        if rehearsal is not None:
            rehearsal(made, stand_in)
        charge = plan_charge(made.name, made.total, made.plans, made.known, self._asker)
        if ledger is not None and budget is not None:
            ledger.check(budget, charge, completes=True)  # a courtesy: the charge itself decides
        numbers = all_statistics(made.plans, self._source, CutKey(fresh_key()))

        def draw() -> dict[str, Any]:
            return {"numbers": [_draw(each, own) for each, own in zip(
                made.plans, numbers, strict=True)]}

        if ledger is None or budget is None:
            return PlanRelease(made, answered_parts(made.plans, draw()["numbers"], made.known),
                               frame=self._frame)
        booked = ledger.book(budget, charge, draw, completes=True)
        return PlanRelease(made, answered_parts(made.plans, booked.answer["numbers"], made.known),
                           booked, self._frame)

    def _charged_plan(
        self, questions: Any, assume_rows: int | None, **stated: Any
    ) -> Plan | None:
        """The plan at the levels that were charged by its name; None if nothing was."""
        if self._ledger is None or self._budget is None:
            return None
        terms = stated_terms(questions, **stated)
        entry = self._ledger.requested(self._budget, terms.name)
        if entry is None:
            return None
        return plan_terms(terms, self.declaration, assume_rows, charged_levels(entry, terms))

    def count(self, epsilon: Stated = None, **options: Any) -> Release:
        """How many rows there are."""
        return self._asked("count", (), epsilon, **options)

    def people(self, epsilon: Stated = None, **options: Any) -> Release:
        """How many people there are."""
        return self._asked("people", (), epsilon, **options)

    def sum(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """The sum of a column."""
        return self._asked("sum", (column,), epsilon, **options)

    def mean(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """The mean of a column."""
        return self._asked("mean", (column,), epsilon, **options)

    def histogram(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """The number of rows in every cell of a column, empty ones too."""
        return self._asked("histogram", (column,), epsilon, **options)

    def cross(self, first: str, second: str, epsilon: Stated = None, **options: Any) -> Release:
        """The number of rows in every pair of cells of two columns."""
        return self._asked("cross", (first, second), epsilon, **options)

    def counts(
        self, conditions: str | Sequence[str], epsilon: Stated = None, **options: Any
    ) -> Release:
        """How many rows meet a condition, or each of several, which may overlap."""
        return self._asked("counts", (), epsilon, at=keys_of(conditions), **options)

    def proportion(self, condition: str, epsilon: Stated = None, **options: Any) -> Release:
        """The share of rows that meet a condition."""
        return self._asked("proportion", (), epsilon, at=(condition,), **options)

    def variance(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """The variance of a column, as of a whole population."""
        return self._asked("variance", (column,), epsilon, **options)

    def median(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """The median of a column; its error is known in ranks."""
        return self._asked("median", (column,), epsilon, **options)

    def quantiles(
        self, column: str, probabilities: Number | Sequence[Number], epsilon: Stated = None,
        **options: Any,
    ) -> Release:
        """Quantiles of a column, in order; their errors are known in ranks."""
        return self._asked("quantiles", (column,), epsilon, at=probabilities, **options)

    def minimum(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """A value that few rows are below, of a rank as low as can be hit."""
        return self._asked("minimum", (column,), epsilon, **options)

    def maximum(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """A value that few rows are above, of a rank as high as can be hit."""
        return self._asked("maximum", (column,), epsilon, **options)

    def distribution(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """The distribution function of a column, with a band that holds all of it."""
        return self._asked("distribution", (column,), epsilon, **options)

    def mode(self, column: str, epsilon: Stated = None, **options: Any) -> Release:
        """The most frequent of the declared categories or bins."""
        return self._asked("mode", (column,), epsilon, **options)

    def frequent(
        self, column: str, how_many: int, epsilon: Stated = None, **options: Any
    ) -> Release:
        """So many of the most frequent categories or bins, the first one first."""
        return self._asked("frequent", (column,), epsilon, at=how_many, **options)

    def _asked(
        self,
        ask: str,
        columns: tuple[str, ...],
        epsilon: Stated,
        *,
        by: str | Sequence[str] | None = None,
        where: str | None = None,
        at: str | Number | Sequence[str | Number] = (),
        optimal: str | Sequence[str | Number] | None = None,
        adjusted: bool = False,
        **options: Any,
    ) -> Release:
        question = Question(ask, columns, keys_of(by), where, at, optimal, adjusted)
        return self.ask(question, epsilon, **options)


def asked_level(
    question: Question,
    declaration: Declaration,
    epsilon: Stated,
    within: Number | None,
    confidence: Number = CONFIDENCE,
    delta: Number | None = None,
) -> Level:
    """The level that was stated, or the least that reaches a stated accuracy, with a stated δ."""
    if (epsilon is None) is (within is None):
        raise BadInput("state either a level, epsilon, or how near the answer must be, within.")
    if epsilon is not None:
        level = Level.positive(epsilon)
        return level if delta is None else level.with_delta(delta)
    assert within is not None
    return level_within(question, declaration, within, confidence, delta or 0)


def statistics(made: QuestionPlan, source: Source, key: CutKey) -> list[Numbers]:
    """The exact numbers of every part, of one snapshot: all parts are made from one tally."""
    return all_statistics([made], source, key)[0]


def all_statistics(
    plans: Sequence[QuestionPlan], source: Source, key: CutKey
) -> list[list[Numbers]]:
    """The exact numbers of several questions, all of one snapshot."""
    keyed = [made.keys for made in plans if made.keys is not None]
    declared = [made for made in plans if made.keys is None]
    for made in declared:
        assert all(part.subquery.tally == made.tally for part in made.subqueries)
    tallied, counted = _snapshot([made.tally for made in declared], keyed, source, key)
    numbers: list[list[Numbers]] = []
    for made in plans:
        if made.keys is not None:
            cells = made.keys.cell
            numbers.append([{cells(text): units for text, units in next(counted).items()}])
        else:
            own = next(tallied)
            numbers.append([part.subquery.numbers(own) for part in made.subqueries])
    return numbers


def _snapshot(
    tallies: Sequence[Tally], keyed: Sequence[KeyTally], source: Source, key: CutKey
) -> tuple[Iterator[Tallied], Iterator[dict[str, int]]]:
    """All that is read of a source, at once; of one kind, by the shortest way."""
    if not keyed:
        return iter(source.tallies(tallies, key)), iter(())
    if not tallies and len(keyed) == 1:
        return iter(()), iter([source.count_keys(keyed[0], key)])
    tallied, counted = source.snapshot(tallies, keyed, key)
    return iter(tallied), iter(counted)


def unbooked_release(plan: QuestionPlan, source: Source, frame: Frame = "pyarrow") -> Release:
    """The answers to a plan that was rehearsed; nothing is charged for them."""
    numbers = statistics(plan, source, CutKey(fresh_key()))
    return Release(plan, answers(plan, _draw(plan, numbers)), frame=frame)


def _draw(plan: QuestionPlan, numbers: Sequence[Numbers]) -> list[list[Any]]:
    return [part.draw(held) for part, held in zip(plan.subqueries, numbers, strict=True)]


@spelled(**dict.fromkeys(
    ("epsilon", "delta", "total"),
    'ledger.open_budget(Budget.of("2026", "d.toml", epsilon=2)), once: a budget keeps its size'),
    unbooked='ask("count by sex", 0.5, unbooked=True) of the open table')
def open_books(
    data: Any,
    declaration: StrPath | Mapping[str, Any] | Declaration | None = None,
    *,
    ledger: str | StrPath | Ledger | None = None,
    budget: str | None = None,
    table: str | None = None,
    key: StrPath | None = None,
    asker: str | None = None,
) -> OpenTable:
    """A table with its declaration, and the budget that its releases are charged to.

    Parameters: `data` is a frame, columns by name, a file or the URL of a database. `declaration`
    is a .toml file or what would be in it; `declare` drafts one. `ledger` and `budget` go
    together; without them questions are planned, or asked unbooked. `table` is one of a database.
    `key` is the file of the ledger's key, if it is not beside the ledger. `asker` is who asks,
    where the budget names people.

    Returns: an `OpenTable`; its `ask` releases an answer, its `dry_run` tells the error before.

    Raises: `BadInput` for a declaration, table, ledger or key that is missing or does not fit.
    `Refused` where others may read the key. A budget is looked up when it is charged.

    >>> rows = {"vote": ["no", "yes", "no"]}
    >>> votes = {"dataset": "votes",
    ...          "columns": {"vote": {"type": "category", "values": ["no", "yes"]}}}
    >>> open_books(rows, votes).dry_run("histogram of vote", "ln(2)").error
    Fraction(4, 3)
    """
    if declaration is None:
        raise BadInput('name the declaration: tr.open(data, "d.toml", ledger="books.sqlite", '
                       'budget="2026"); tr.declare(data) drafts one.')
    declared = read_declaration(declaration)
    books = Ledger(ledger, key=key) if ledger is not None and not isinstance(ledger, Ledger) else (
        ledger)
    if books is not None and budget is None:
        raise BadInput("name the budget of the ledger that is charged.")
    if books is None and asker is not None:
        raise BadInput("asker says who is charged: name the ledger and the budget, too.")
    return OpenTable(open_source(data, declared, table=table), declared, books, budget,
                     frame_kind(data), asker)
