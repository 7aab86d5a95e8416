"""The answers of a question as rows for programs: CSV and a workbook, numbers in 15 digits.

A text that a spreadsheet would take for a formula has an apostrophe before it (CSV), or is
stored as text (workbook). Equal documents give equal files.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from io import BytesIO
from xml.etree.ElementTree import canonicalize

from tightrope.characters import escape
from tightrope.releases import (
    Answer,
    cell_names,
    columns_of_cells,
    shown_cell,
    words_of,
)
from tightrope.reports.evidence import AnsweredQuestion
from tightrope.reports.texts import say

Value = str | int | float | None
_FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20"
"""First characters of texts that spreadsheets run, ordinary and full-width."""
_NO_NAME = re.compile(r"[\[\]:*?/\\'\"]")
_DIGITS = 15
"""Digits of a number that every spreadsheet keeps."""
_LONGEST_NAME = 31  # characters of the name of a sheet
_STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
_WRITER = re.compile(rb"<(Application|AppVersion)>[^<]*</\1>")
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the first date of an archive


@dataclass(frozen=True)
class Sheet:
    """Rows of values under names; the first row holds the names."""

    name: str
    rows: tuple[tuple[Value, ...], ...]

    @property
    def csv(self) -> bytes:
        """The rows as RFC 4180 has them, in UTF-8."""
        return "".join(",".join(map(_field, row)) + "\r\n" for row in self.rows).encode()

    @property
    def texts(self) -> list[list[str]]:
        """Every cell as CSV shows it."""
        return [[*map(cell_text, row)] for row in self.rows]


def answer_sheet(question: AnsweredQuestion, number: int) -> Sheet:
    """One row for each answer: its cell, value, interval and note."""
    plan, answers = question.plan, question.answers
    first = answers[0]
    labeled = [place for place, name in enumerate(columns_of_cells(plan)) if words_of(plan, name)]
    titles = cell_names(plan)
    names = [*titles, *(f"{titles[place]}_label" for place in labeled), "answer", "low", "high",
             "note"]
    if question.agreed is not None:
        names += ["agreed", "agreed_low", "agreed_high"]
    if first.over_cuts is not None:
        names += ["mean_over_cuts_low", "mean_over_cuts_high"]
    if plan.question.adjusted:
        names += ["adjusted", "adjusted_low", "adjusted_high"]
    title = say("sheet", number=number, question=plan.question.title)
    return Sheet(sheet_name(title), (tuple(map(escape, names)),
                                     *(tuple(_values(
                                         answer, [shown_cell(plan, answer.cell)[place]
                                                  for place in labeled], agreed))
                                       for answer, agreed in zip(
                                           answers, question.agreed or [None] * len(answers),
                                           strict=True))))


def sheet_name(text: str) -> str:
    """A text as the name of a sheet.

    >>> sheet_name("1 counts of a in ('x', 'y'); b > 3 where c = 'z'")
    '1 counts of a in (x, y); b > 3 '
    """
    return _NO_NAME.sub("", escape(text))[:_LONGEST_NAME]


def _values(
    answer: Answer, labels: Sequence[str], agreed: Answer | None
) -> Iterator[Value]:
    yield from (escape(part) for part in (*answer.cell, *labels))
    for number in (answer.value, answer.low, answer.high):
        yield _plain(number)
    yield answer.note
    if agreed is not None:
        yield from map(_plain, (agreed.value, agreed.low, agreed.high))
    if answer.over_cuts is not None:
        yield from map(_plain, answer.over_cuts)
    if answer.adjusted is not None:
        yield from (answer.adjusted, *map(_plain, answer.possible))


def _plain(number: Fraction | str | None) -> Value:
    if number is None or isinstance(number, str):
        return number if number is None else escape(number)
    return int(number) if number.denominator == 1 else float(f"{float(number):.{_DIGITS}g}")


def cell_text(value: Value) -> str:
    """A cell as text: a number in full, a text that is no formula.

    >>> cell_text("=1+1"), cell_text(-3), cell_text(0.25), cell_text(None)
    ("'=1+1", '-3', '0.25', '')
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return repr(value)
    return f"'{value}" if value.strip()[:1] and value.strip()[0] in _FORMULA else value


def _field(value: Value) -> str:
    text = cell_text(value)
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if any(c in text for c in ',"') or text != text.strip() else text


def workbook_bytes(sheets: list[Sheet]) -> bytes:
    """A workbook with these sheets; every text is stored as text."""
    from openpyxl import Workbook
    from openpyxl.cell.cell import Cell
    from openpyxl.styles import Font

    book = Workbook()
    for old in book.worksheets:
        book.remove(old)
    for sheet in sheets:
        page = book.create_sheet(sheet.name)
        for row, values in enumerate(sheet.rows, start=1):
            for column, value in enumerate(values, start=1):
                cell = page.cell(row, column, None if isinstance(value, str) else value)
                assert isinstance(cell, Cell)
                if isinstance(value, str):
                    cell.value = value
                    cell.data_type = "s"  # whatever it begins with
                    cell.quotePrefix = cell_text(value) != value
                if row == 1:
                    cell.font = Font(bold=True)
        page.freeze_panes = "A2"
    buffer = BytesIO()
    book.save(buffer)
    return _without_clock(buffer.getvalue())


def same_workbook(raw: bytes, expected: bytes) -> bool:
    """Whether two archives hold the same XML: who writes it may spell it in several ways.

    A file with anything beside its parts is another one, and so is a compressed one.
    """
    if raw == expected:
        return True
    others = _parts(expected)
    try:
        parts = _parts(raw)
        return _archive(parts) == raw and parts.keys() == others.keys() and all(
            _canonical(part) == _canonical(others[name]) for name, part in parts.items())
    except Exception:  # whatever damaged archives and XML make their readers raise
        return False


def _canonical(part: bytes) -> str:
    """XML in its canonical form, without the name of its writer."""
    return canonicalize(_WRITER.sub(b"", part).decode(), rewrite_prefixes=True)


def _without_clock(raw: bytes) -> bytes:
    """The same archive without the time at which it was made and the name of its writer."""
    start = datetime(*_BEGINNING[:3], tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    return _archive({name: _WRITER.sub(b"", _STAMP.sub(rb"\g<1>" + start, content))
                     if name.startswith("docProps/") else content
                     for name, content in _parts(raw).items()})


def _parts(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _archive(parts: Mapping[str, bytes]) -> bytes:
    """An archive without compression: equal parts give equal bytes, whatever compresses."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as plain:
        for name, content in parts.items():
            plain.writestr(zipfile.ZipInfo(name, _BEGINNING), content, zipfile.ZIP_STORED)
    return buffer.getvalue()
