"""A report: one page for a board, its twin in Markdown, tables for programs, and the documents.

Nothing but released documents goes in, and every one is proved again first. The whole folder is
composed in memory and written at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tightrope.characters import counted
from tightrope.extras import require
from tightrope.facts import Fact, Facts, card_of, data, lines_of
from tightrope.files import StrPath, write_folder
from tightrope.releases import AnsweredPart, PlanRelease, Release
from tightrope.reports.answer_tables import answer_tables
from tightrope.reports.contents import DOCUMENTS, PAGE, TABLES, TWIN, WORKBOOK, Contents
from tightrope.reports.evidence import AnsweredQuestion, Given, evidence_of
from tightrope.reports.page import page
from tightrope.reports.page import table as page_table
from tightrope.reports.pictures import draw_question
from tightrope.reports.sheets import Sheet, answer_sheet, workbook_bytes
from tightrope.reports.texts import say
from tightrope.reports.twin import table as twin_table
from tightrope.reports.twin import twin


@dataclass(frozen=True)
class Report:
    """A report: its contents, from documents alone, and its files by name."""

    contents: Contents
    folder: str | None = None

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Every file of the folder, by its name there."""
        contents, sheets = self.contents, answer_sheets(self.contents)
        sections = contents.sections()
        return {
            PAGE: page(contents.title, sections).encode(),
            TWIN: twin(contents.title, sections).encode(),
            WORKBOOK: workbook_bytes([overview_sheet(contents), *sheets]),
            **{f"{TABLES}/{name}.csv": sheet.csv
               for name, sheet in zip(contents.table_files, sheets, strict=True)},
            **{f"{DOCUMENTS}/{document.name}": document.raw for document in contents.documents},
        }

    def facts(self) -> Facts:
        """The files that were written, and how to check them."""
        contents = self.contents
        where = self.folder or "."
        return Facts(
            "Report", contents.title,
            (
                Fact("page", "page", str(Path(where) / PAGE)),
                Fact("documents", "documents", len(contents.documents)),
                Fact("questions", "questions", len(contents.questions)),
                Fact("changes", "changes", sum(not isinstance(change.difference, str)
                                               for change in contents.changes) or None),
                Fact(None, "files", counted(len(self.files), "file")),
                *data(folder=self.folder, files=sorted(self.files)),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def report(documents: Given | Sequence[Given], folder: StrPath) -> Report:
    """Write a report of released documents into a new folder.

    `documents` are files that `release -o` wrote, or releases and plans that were booked. It gets
    a page (`index.html`), the same in Markdown, tables as CSV and as a workbook, and copies of
    the documents. Two documents that ask the same are held against each other.

    Returns: a `Report`; `files` are all files by name.

    Raises: `AnswerIsNo` for a document that does not hold; `BadInput` for what is no document, or
    a folder that exists; `Refused` where the packages of the extra `report` are missing.

    >>> from tightrope.ledger import Budget, Ledger
    >>> from tightrope.releases import open_books
    >>> form = {"dataset": "votes", "columns": {"v": {"type": "category", "values": ["n", "y"]}}}
    >>> ledger = Ledger.create("votes.sqlite")
    >>> _ = ledger.open_budget(Budget.of("all", form, epsilon=50))
    >>> books = open_books({"v": ["n", "y"]}, form, ledger=ledger, budget="all")
    >>> report(books.ask("count by v", 1), "votes").contents.title
    'Private statistics of votes'
    """
    made = compose_report(documents, str(folder))
    write_folder(folder, made.files)
    return made


def compose_report(documents: Given | Sequence[Given], folder: str | None = None) -> Report:
    """A report of documents that hold, all of it in memory."""
    require("report", "a report")
    alone = isinstance(documents, Release | PlanRelease | str) or hasattr(documents, "__fspath__")
    given: Sequence[Given] = [documents] if alone else list(documents)  # type: ignore[list-item, arg-type]
    made = Report(Contents(evidence_of(given)), folder)
    assert made.files
    return made


def rehearse_report(parts: Sequence[AnsweredPart]) -> None:
    """Make tables and pictures of stand-in answers; raises what a report of them would raise."""
    questions = [AnsweredQuestion(part.plan, (), part.answers, part.agreed) for part in parts]
    for number, question in enumerate(questions, start=1):
        for table in answer_tables(question):
            page_table(table), twin_table(table)
        draw_question(question, number, "")
    workbook_bytes([answer_sheet(question, number)
                    for number, question in enumerate(questions, start=1)])


def answer_sheets(contents: Contents) -> list[Sheet]:
    """The sheets of all questions."""
    return [answer_sheet(question, number)
            for number, question in enumerate(contents.questions, start=1)]


def overview_sheet(contents: Contents) -> Sheet:
    """The first table of the page, as a sheet."""
    return Sheet(say("overview"), tuple(map(tuple, contents.tables[0].shown)))
