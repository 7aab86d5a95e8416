"""The sections of a report: answers first, then how sure, whom, and how to check."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, log10

from tightrope.characters import label_text, shorten
from tightrope.declarations import MATCHED, Neighbors
from tightrope.exact import Level, Surd
from tightrope.ledger import spent_from
from tightrope.releases import (
    Difference,
    QuestionPlan,
    error_facts,
    interval_text,
    legend,
    legends,
    obstacle,
    subtract,
)
from tightrope.reports.answer_tables import (
    answer_tables,
    change_table,
    confidence_text,
    is_marked,
)
from tightrope.reports.blocks import (
    Block,
    Bullets,
    Command,
    Links,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    text_table,
)
from tightrope.reports.evidence import AnsweredQuestion, Evidence, slug
from tightrope.reports.pictures import draw_question, empty_svg, may_be_drawn
from tightrope.reports.texts import say, say_count

PAGE, TWIN, WORKBOOK, TABLES, DOCUMENTS = (
    "index.html", "report.md", "tables.xlsx", "tables", "documents")
"""Names in the folder of a report."""

_ODDS = {Neighbors.ADD_REMOVE: "odds-add-remove", Neighbors.REPLACE: "odds-replace"}
_TEST = {Neighbors.ADD_REMOVE: "test-add-remove", Neighbors.REPLACE: "test-replace"}
"""The sentences about a guess and a test, by what neighbors differ in."""
ALARMS = Fraction(5, 100)
"""The false positive rate of tests in reports."""
_LARGEST = 10**6


@dataclass(frozen=True)
class Change:
    """A question that two documents answer, their names, and the difference or why not."""

    question: str
    first: str
    second: str
    difference: Difference | str


@dataclass(frozen=True)
class Contents:
    """The contents of a report, from its documents alone."""

    documents: tuple[Evidence, ...]

    @cached_property
    def questions(self) -> tuple[AnsweredQuestion, ...]:
        """All questions, in the order of the documents."""
        return tuple(question for document in self.documents for question in document.questions)

    @cached_property
    def answers(self) -> tuple[tuple[ReportTable, ...], ...]:
        """The tables of every question."""
        return tuple(map(answer_tables, self.questions))

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Differences of documents that ask the same, each and the one before it."""
        latest: dict[str, tuple[Evidence, AnsweredQuestion]] = {}
        changes = []
        for document in self.documents:
            for question in document.questions:
                title = question.plan.question.title
                if title in latest:
                    before, old = latest[title]
                    changes.append(_change(before, old, document, question))
                latest[title] = document, question
        return tuple(changes)

    @property
    def datasets(self) -> str:
        """The names of the datasets."""
        names = dict.fromkeys(question.plan.declaration.dataset for question in self.questions)
        return ", ".join(shorten(name) for name in names)

    @property
    def table_files(self) -> tuple[str, ...]:
        """The names of the tables of questions, without their ending."""
        wide = max(len(str(len(self.questions))), 2)
        return tuple(f"{number:0{wide}d}-{slug(question.plan.question.title)}"
                     for number, question in enumerate(self.questions, start=1))

    @property
    def title(self) -> str:
        """The title of the page."""
        return say("title", datasets=self.datasets)

    @cached_property
    def tables(self) -> tuple[ReportTable, ...]:
        """All tables of the page, in order."""
        return tuple(block for section in self.plain_sections
                     for block in section.blocks if isinstance(block, ReportTable))

    @cached_property
    def plain_sections(self) -> list[Section]:
        """All sections, with the words of pictures alone."""
        return self.sections(pictures=False)

    def sections(self, *, pictures: bool = True) -> list[Section]:
        """All sections, in order; without `pictures`, their words alone."""
        changes = [self._changes()] if self.changes else []
        return [self._brief(), *(self._question(number, pictures) for number in range(
            len(self.questions))), *changes, self._protection(), self._budget(), self._checking(),
            self._files(), self._citation()]

    def _brief(self) -> Section:
        plans = [question.plan for question in self.questions]
        sure = {f"{100 * float(plan.confidence):g}" for plan in plans}
        questions = say_count(len(plans), "question", "questions")
        lead = say("lead", questions=questions, datasets=self.datasets,
                   unit=_unit(plans[0]), sure=say("or").join(sorted(sure)))
        rows = [(str(number), shorten(question.plan.question.title, 120),
                 f"{len(question.answers):,}", str(question.plan.level), question.plan.accuracy)
                for number, question in enumerate(self.questions, start=1)]
        table = text_table(say("brief-caption"), (
            say("column-number"), say("column-question"), say("column-answers"),
            say("column-level"), say("column-error")), rows)
        known = dict.fromkeys(each for document in self.documents for each in document.known)
        public = (Bullets(say("known"), tuple(known)),) if known else ()
        return Section(say("brief"), "brief", (Paragraph(lead), table, *public))

    def _question(self, place: int, pictures: bool) -> Section:
        question, tables = self.questions[place], self.answers[place]
        plan, number = question.plan, place + 1
        blocks: list[Block] = [*tables]
        if is_marked(tables):
            blocks.append(Paragraph(say("marked", legend=legend(
                plan, together=question.agreed is not None))))
        if plan.keys is None and not plan.tally.people and (
                len(question.answers[0].cell) > 1 and len(plan.strategy.sums) == 1):
            blocks.append(Paragraph(say("sum-of-cells")))
        if question.agreed is not None:
            blocks.append(Paragraph(say("agreed")))
        if may_be_drawn(question) and (values := _numbers(question)):
            words = _picture_words(question, values)
            svg = draw_question(question, number, words) if pictures else empty_svg(words)
            key = "picture-plain" if question.answers[0].low is None else (
                "picture" if question.answers[0].over_cuts is None else "picture-kept")
            below = say(key, question=shorten(plan.title, 160), confidence=confidence_text(plan))
            blocks += [] if svg is None else [Picture(svg, below)]
        blocks += [Paragraph(interval_text(plan)), Bullets(say("sure"), tuple(_how_sure(plan))),
                   Bullets(say("left-out"), tuple(_left_out(plan)))]
        return Section(f"{number}. {plan.question.title}", f"question-{number}", tuple(
            block for block in blocks if not isinstance(block, Bullets) or block.items))

    def _changes(self) -> Section:
        blocks: list[Block] = []
        for change in self.changes:
            words = {"first": change.first, "second": change.second}
            if isinstance(change.difference, str):
                blocks.append(Paragraph(say("no-change", question=change.question, **words,
                                            reason=change.difference)))
                continue
            plan = change.difference.second
            key = "change-kept" if change.difference.over_draws else "change"
            blocks += [
                Paragraph(say(key, question=change.question, **words,
                              confidence=confidence_text(plan))),
                change_table(change.difference, change.first, change.second),
                Paragraph(say("change-level", together=change.difference.together)),
            ]
        return Section(say("changes"), "changes", tuple(blocks))

    def _protection(self) -> Section:
        units = dict.fromkeys(question.plan.declaration.unit.shown for question in self.questions)
        kinds = dict.fromkeys(_unit(question.plan) for question in self.questions)
        unit = say("or").join(kinds)
        kept = dict.fromkeys(
            question.plan.declaration.unit.neighbors for question in self.questions)
        levels = [(_named(document), document.level) for document in self.documents]
        levels += _together(self.documents)  # of each dataset by itself
        most, bounded = max(odds_factor(level) for _, level in levels), not any(
            level.delta for _, level in levels)
        unbounded = say("unbounded")
        rows = [(name, str(level), unbounded if level.delta else rounded_up(odds_factor(level)),
                 percent_up(best_test(level))) for name, level in levels]
        table = text_table(say("protection-caption"), (
            say("column-document"), say("column-level"), say("column-odds"),
            say("column-test")), rows)
        blocks: list[Block] = [
            *(Paragraph(say("protects", unit=shown)) for shown in units),
            table,
            *(Paragraph(say(_ODDS[neighbors], unit=unit, factor=rounded_up(most),
                            twice=rounded_up(most ** 2))) for neighbors in kept if bounded),
            *(Paragraph(say(_TEST[neighbors], unit=unit, alarms=percent_up(ALARMS)))
              for neighbors in kept),
        ]
        if not bounded:
            blocks.append(Paragraph(say("delta")))
        return Section(say("protection"), "protection", tuple(blocks))

    def _budget(self) -> Section:
        rows = []
        for document in self.documents:
            entry, spent = document.entry, spent_from(document.entry.body["spent"])
            assert spent.epsilon is not None
            total = spent.epsilon.with_delta(spent.delta)
            before = spent_from(entry.body["level"]).left_of(total)
            rows.append((entry.budget, f"{entry.number:,}", _moment(entry.time), before,
                         str(document.level), spent.shown))
        table = text_table(say("budget-caption"), tuple(say(f"column-{name}") for name in (
            "budget", "entry", "time", "before", "charge", "after")), rows)
        return Section(say("budget"), "budget", (Paragraph(say("budget-says")), table))

    def _checking(self) -> Section:
        first = f"{DOCUMENTS}/{self.documents[0].name}"
        return Section(say("check"), "check", (
            Paragraph(say("check-says")), Command("tightrope verify ."),
            Paragraph(say("check-ledger")),
            Command("tightrope verify . --ledger books.sqlite --key books.sqlite.key"),
            Paragraph(say("check-stranger")),
            Command(f"python -m tightrope.receipt_theorems {first}"),
            Paragraph(say("check-not"))))

    def _files(self) -> Section:
        items = [(say("file-page"), TWIN), (say("file-workbook"), WORKBOOK)]
        items += [(say("file-table", number=number), f"{TABLES}/{name}.csv")
                  for number, name in enumerate(self.table_files, start=1)]
        items += [(say("file-document", number=number), f"{DOCUMENTS}/{document.name}")
                  for number, document in enumerate(self.documents, start=1)]
        return Section(say("files"), "files", (Links(tuple(items)),))

    def _citation(self) -> Section:
        dates = dict.fromkeys(document.entry.time[:10] for document in self.documents)
        digests = [say("digest", number=number, digest=hashlib.sha256(document.raw).hexdigest())
                   for number, document in enumerate(self.documents, start=1)]
        return Section(say("cite"), "cite", (Paragraph(say(
            "citation", datasets=self.datasets, dates=", ".join(dates),
            digests=" ".join(digests))), Bullets(say("digests"), tuple(digests))))


def _change(
    before: Evidence, old: AnsweredQuestion, document: Evidence, question: AnsweredQuestion
) -> Change:
    reason = obstacle(old.plan, question.plan)
    return Change(shorten(question.plan.question.title, 120), _named(before), _named(document),
                  reason or subtract(old.plan, question.plan, old.drawn, question.drawn))


def _how_sure(plan: QuestionPlan) -> Iterator[str]:
    """The errors of a question, and its mechanism."""
    for name, text in error_facts(plan):
        yield say("error", name=name, text=text)
    yield say("mechanism", mechanism=plan.mechanism, level=plan.level)


def _left_out(plan: QuestionPlan) -> Iterator[str]:
    """How cells were read, clamped and cut, and what marks mean."""
    for name, rule in plan.rules.items():
        yield say("rule", name=label_text(name), rule=rule.removeprefix(f"{MATCHED}; "))
    yield from (words for words in legends(plan) if words != legend(plan))


def _numbers(question: AnsweredQuestion) -> list[Fraction]:
    """The answers that are numbers."""
    return [answer.value for answer in question.answers if isinstance(answer.value, Fraction)]


def _picture_words(question: AnsweredQuestion, values: Sequence[Fraction]) -> str:
    plan, first = question.plan, question.answers[0]
    count = say_count(len(question.answers), "answer", "answers")
    return say("alt", question=shorten(plan.question.title, 120),
               count=count, unit=plan.unit_of_error,
               least=first.number_text(min(values)), most=first.number_text(max(values)))


def _unit(plan: QuestionPlan) -> str:
    return plan.declaration.unit.noun


def _moment(time: str) -> str:
    """The minute of an entry, for readers; the document has the second."""
    day, _, clock = time.partition("T")
    return say("time", day=day, time=clock[:5]) if clock.endswith("+00:00") else time


def _named(document: Evidence) -> str:
    """A document in a sentence: its name in the folder without its ending."""
    return document.name.partition(".")[0]


def _together(documents: Sequence[Evidence]) -> Iterator[tuple[str, Level]]:
    """The sum of levels of all documents about the same units of a dataset."""
    scopes: dict[str, list[Level]] = {}
    for document in documents:
        scopes.setdefault(str(document.entry.body["scope"]), []).append(document.level)
    for levels in scopes.values():
        if len(levels) > 1:
            total = levels[0]
            for level in levels[1:]:
                total += level
            yield say("together"), total


def odds_factor(level: Level) -> Fraction:
    """A number at or just above e^ε, by which odds change at most where δ is 0.

    >>> odds_factor(Level.ratio(3))
    Fraction(3, 1)
    """
    return level.pure.ratio_above(Surd.of(1))


def best_test(level: Level, alarms: Fraction = ALARMS) -> Fraction:
    """A bound on the power of every test with this false positive rate, at or just above the least.

    At (ε, δ) a test with false positive rate a has power at most the least of 1, e^ε a + δ and
    1 - e^-ε (1 - a - δ) (Wasserman and Zhou, 2010; Kairouz and others, 2015).

    >>> best_test(Level.ratio(2)), best_test(Level.ratio(3, "0.01"))
    (Fraction(1, 10), Fraction(4, 25))
    """
    factor, rest = odds_factor(level), 1 - alarms - level.delta
    return min(Fraction(1), factor * alarms + level.delta, 1 - rest / factor)


def rounded_up(number: Fraction, digits: int = 2) -> str:
    """A number above 0 with so many digits after the point, never below it; a power if it is huge.

    >>> rounded_up(Fraction(33, 20)), rounded_up(Fraction(10, 3)), rounded_up(Fraction(10**40 + 1))
    ('1.65', '3.34', '10^41')
    """
    if number > _LARGEST:
        return f"10^{ceil(ceil(number).bit_length() * log10(2))}"
    return f"{ceil(number * 10**digits) / 10**digits:,.{digits}f}"


def percent_up(share: Fraction) -> str:
    """A share as a percentage, never below it.

    >>> percent_up(Fraction(1, 10)), percent_up(Fraction(1, 3))
    ('10 %', '33.4 %')
    """
    return f"{ceil(share * 1000) / 10:g} %"
