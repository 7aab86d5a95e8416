"""The check of a whole report: documents, ledger, and every value of every table.

The documents are proved again and the tables are composed anew from them. What a reader sees in
the page, its twin, the CSV files and the workbook must be those very tables, in that order, and
nothing more. Sentences and pictures are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tightrope.characters import counted, shorten
from tightrope.errors import AnswerIsNo, BadInput
from tightrope.extras import require
from tightrope.facts import Fact, Facts, card_of, data, lines_of
from tightrope.files import StrPath, read_folder
from tightrope.ledger import AROUND_DATA, Superseded, audit_books
from tightrope.reports.blocks import ReportTable
from tightrope.reports.contents import DOCUMENTS, PAGE, TABLES, TWIN, WORKBOOK, Contents
from tightrope.reports.evidence import Evidence, is_document_name, read_evidence
from tightrope.reports.page import page
from tightrope.reports.page import table as page_table
from tightrope.reports.prose import odd_lines, odd_markdown, outline_faults
from tightrope.reports.readers import (
    OddPage,
    csv_rows,
    page_parts,
    read_parts,
    twin_cells,
    twin_parts,
    workbook_sheets,
)
from tightrope.reports.sheets import Sheet, same_workbook, workbook_bytes
from tightrope.reports.texts import EARLIER, worded
from tightrope.reports.twin import table as twin_table
from tightrope.reports.twin import twin
from tightrope.reports.writing import answer_sheets, overview_sheet

_LISTED = 20
"""Faults that are named; of more, their number."""


@dataclass(frozen=True)
class ReportVerdict:
    """Whether a report holds: every fault in a sentence, none if it does.

    `values` is how many cells were compared. `only_holder` is what no document can prove, and
    `superseded` are entries of the ledger that stand no longer: the report holds all the same.
    """

    folder: str
    documents: int
    values: int
    faults: tuple[str, ...]
    ledger: bool
    only_holder: tuple[str, ...]
    superseded: tuple[Superseded, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether everything that documents can prove was proved."""
        return not self.faults

    def facts(self) -> Facts:
        """The verdict in one paragraph, or every fault."""
        return Facts(
            "ReportVerdict", self._sentence,
            (
                *(Fact(None, "fault", fault) for fault in self.faults[:_LISTED]),
                Fact(None, "more", len(self.faults) - _LISTED if len(self.faults) > _LISTED
                     else None),
                *(Fact(None, "superseded", each.shown) for each in self.superseded),
                *data(holds=self.holds, folder=self.folder, documents=self.documents,
                      values=self.values, faults=self.faults, ledger=self.ledger,
                      superseded=self.superseded, only_holder=self.only_holder),
            ),
        )

    @property
    def _sentence(self) -> str:
        if not self.holds:
            return f"The report does not hold: {counted(len(self.faults), 'fault')}."
        books = " with ledger entries" if self.ledger else ""
        return (f"Everything that documents can prove holds: "
                f"{counted(self.documents, 'document')}{books}, and {counted(self.values, 'value')}"
                " in the tables of page, Markdown, CSV and workbook. Sentences and pictures were "
                f"not compared. Only the data holder can check: {'; '.join(self.only_holder)}.")

    __repr__ = lines_of
    _repr_html_ = card_of


def verify_report(
    folder: StrPath, *, ledger: StrPath | None = None, key: StrPath | None = None
) -> ReportVerdict:
    """Check a report: each document, its entry if a ledger or its export is given, all tables.

    Returns: a `ReportVerdict`; `faults` names every value, row or file that does not follow.

    Raises: `BadInput` for a folder without a report, `Refused` where the packages of the extra
    `report` are missing or the ledger's key is.

    >>> from tightrope.ledger import Budget, Ledger
    >>> from tightrope.releases import open_books
    >>> from tightrope.reports import report
    >>> form = {"dataset": "votes", "columns": {"v": {"type": "category", "values": ["n", "y"]}}}
    >>> books = Ledger.create("votes.sqlite")
    >>> _ = books.open_budget(Budget.of("all", form, epsilon=50))
    >>> table = open_books({"v": ["n", "y"]}, form, ledger=books, budget="all")
    >>> _ = report(table.ask("count by v", 1), "votes")
    >>> verify_report("votes", ledger="votes.sqlite").holds
    True
    """
    require("report", "the check of a report")
    files = read_folder(folder)
    names = sorted(name for name in files if name.startswith(f"{DOCUMENTS}/"))
    if not names or not {PAGE, TWIN, WORKBOOK} & {*files}:
        raise BadInput(f"{folder} holds no report: expected {PAGE} and a folder {DOCUMENTS}, as "
                       "`tightrope report` writes them.", path=str(folder))
    documents, faults = _documents(files, names)
    values = 0
    if not faults:
        faults, values = _compared(files, documents)
    only_holder: tuple[str, ...] = (AROUND_DATA,)
    superseded: tuple[Superseded, ...] = ()
    if ledger is not None and not faults:
        audit = audit_books(ledger, key=key, releases=[each.content for each in documents])
        faults += [] if audit.holds else [f"the ledger: {audit.reason}"]
        only_holder = audit.only_holder
        superseded = audit.superseded
    elif ledger is None:
        only_holder += ("that every entry is in a ledger whose lines all follow, and was not "
                        "superseded (--ledger)",)
    return ReportVerdict(str(folder), len(names), values, tuple(faults), ledger is not None,
                         only_holder, superseded)


def _documents(
    files: dict[str, bytes], names: Sequence[str]
) -> tuple[tuple[Evidence, ...], list[str]]:
    """The documents that hold, and those that do not with the reason."""
    documents: list[Evidence] = []
    faults: list[str] = []
    for place, name in enumerate(names, start=1):
        try:
            document = read_evidence(files[name], name.removeprefix(f"{DOCUMENTS}/"), name)
            numbered = is_document_name(document.name, place)
            if document.raw != files[name] or not numbered:
                faults.append(f"{name} is not written as a report writes a document")
            documents.append(document)
        except (AnswerIsNo, BadInput) as error:
            faults.append(str(error).rstrip("."))
    seals = [document.entry.seal for document in documents]
    if len({*seals}) < len(seals):
        faults.append("two documents are the same release")
    return tuple(documents), faults


def _compared(
    files: dict[str, bytes], documents: tuple[Evidence, ...]
) -> tuple[list[str], int]:
    """The faults, and how many values were compared.

    A report that is in all its parts that of an earlier version, in its words, has no fault.
    """
    outcomes = []
    for words in ({}, *EARLIER):
        with worded(words):
            contents = Contents(documents)
            faults = [fault for compare in (_files, _page, _twin, _csv, _workbook)
                      for fault in compare(files, contents)]
            outcomes.append((faults, _values(contents)))
        if not faults:
            return outcomes[-1]
    return outcomes[0]


def _files(files: dict[str, bytes], contents: Contents) -> Iterator[str]:
    """Files that are missing, and files that are no part of the report."""
    expected = _expected(contents)
    for name in sorted(expected - {*files}):
        yield f"{name} is missing"
    for name in sorted({*files} - expected):
        yield f"{shorten(name)} is no part of the report"


def _expected(contents: Contents) -> frozenset[str]:
    """The names of all files of a report."""
    return frozenset({
        PAGE, TWIN, WORKBOOK, *(f"{TABLES}/{name}.csv" for name in contents.table_files),
        *(f"{DOCUMENTS}/{document.name}" for document in contents.documents)})


def _page(files: dict[str, bytes], contents: Contents) -> Iterator[str]:
    """Where the tables of the page are not those of the documents."""
    if PAGE not in files:
        return
    try:
        parts = page_parts(files[PAGE].decode(), _expected(contents))
    except (OddPage, UnicodeDecodeError) as odd:
        yield f"{PAGE}: {_reason(odd)}"
        return
    yield from _count(PAGE, len(parts.tables), len(contents.tables))
    for own, shown in zip(parts.tables, contents.tables, strict=False):
        (expected,) = read_parts(f"<main><section>{page_table(shown)}</section></main>").tables
        where = f"{PAGE}, table “{shorten(shown.caption)}”"
        faults = [*_cells(where, own.rows, expected.rows)]
        if own.caption != expected.caption:
            faults.append(f"{where}: the caption is {shorten(own.caption)!r}")
        if not faults and own.tokens != expected.tokens:
            faults.append(f"{where}: its cells are marked or ordered otherwise")
        yield from faults
    bare = page(contents.title, contents.plain_sections)
    known = page_parts(bare, _expected(contents))
    yield from (f"{PAGE}: {odd}" for odd in outline_faults(
        parts.outline, known.outline, odd_lines))


def _twin(files: dict[str, bytes], contents: Contents) -> Iterator[str]:
    """Where the tables of the Markdown text are not those of the documents."""
    if TWIN not in files:
        return
    try:
        tables, outline = twin_parts(files[TWIN].decode())
    except (OddPage, UnicodeDecodeError) as odd:
        yield f"{TWIN}: {_reason(odd)}"
        return
    yield from _count(TWIN, len(tables), len(contents.tables))
    for own, shown in zip(tables, contents.tables, strict=False):
        caption, _, *lines = twin_table(shown).split("\n")
        where = f"{TWIN}, table “{shorten(shown.caption)}”"
        if own.caption != caption:
            yield f"{where}: the caption is {shorten(own.caption)!r}"
        yield from _cells(where, [*map(twin_cells, own.lines)], [*map(twin_cells, lines)])
    _, known = twin_parts(twin(contents.title, contents.plain_sections))
    yield from (f"{TWIN}: {odd}" for odd in outline_faults(outline, known, odd_markdown))


def _csv(files: dict[str, bytes], contents: Contents) -> Iterator[str]:
    """Where a CSV file is not the answers of its question."""
    for name, sheet in zip(contents.table_files, answer_sheets(contents), strict=True):
        file = f"{TABLES}/{name}.csv"
        if file in files and files[file] != sheet.csv:
            faults = [*_cells(file, csv_rows(files[file]), sheet.texts)]
            yield from faults or [f"{file}: it is not written as a report writes it"]


def _workbook(files: dict[str, bytes], contents: Contents) -> Iterator[str]:
    """Where the workbook is not the answers of all questions, or not the file of a report."""
    if WORKBOOK not in files:
        return
    try:
        sheets = workbook_sheets(files[WORKBOOK])
    except OddPage as odd:
        yield f"{WORKBOOK}: {odd}"
        return
    expected = [overview_sheet(contents), *answer_sheets(contents)]
    faults = [*_count(WORKBOOK, len(sheets), len(expected))]
    for (name, rows), sheet in zip(sheets, expected, strict=False):
        where = f"{WORKBOOK}, sheet {shorten(name)!r}"
        if name != sheet.name:
            faults.append(f"{WORKBOOK}: a sheet is named {shorten(name)!r}, expected "
                          f"{sheet.name!r}")
        faults += _cells(where, Sheet(name, tuple(map(tuple, rows))).texts, sheet.texts)
    if not faults and not same_workbook(files[WORKBOOK], workbook_bytes(expected)):
        faults = [f"{WORKBOOK}: it is not written as a report writes it"]
    yield from faults


def _count(where: str, found: int, expected: int) -> Iterator[str]:
    if found != expected:
        yield f"{where}: it has {counted(found, 'table')}, expected {expected:,}"


def _cells(
    where: str, found: Sequence[Sequence[str]], expected: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Every cell that is not the expected one, and rows that are missing or too many."""
    if len(found) != len(expected):
        yield f"{where}: it has {counted(len(found), 'row')}, expected {len(expected):,}"
    for number, (row, other) in enumerate(zip(found, expected, strict=False), start=1):
        for column, (cell, wanted) in enumerate(zip_longest(row, other, fillvalue=""), start=1):
            if cell != wanted:
                yield (f"{where}, row {number}, column {column}: found {shorten(cell)!r}, the "
                       f"documents say {shorten(wanted)!r}")


def _values(contents: Contents) -> int:
    """How many cells are compared in all."""
    page = sum(_size(shown) for shown in contents.tables)
    sheets = [overview_sheet(contents), *answer_sheets(contents)]
    cells = [len(sheet.rows) * len(sheet.rows[0]) for sheet in sheets]
    return 2 * page + sum(cells) + sum(cells[1:])


def _size(shown: ReportTable) -> int:
    return (1 + len(shown.rows)) * len(shown.columns)


def _reason(odd: Exception) -> str:
    return str(odd) if isinstance(odd, OddPage) else "it is not UTF-8 text"
