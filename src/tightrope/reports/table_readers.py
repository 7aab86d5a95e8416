"""The other tables of a report as a reader sees them: in Markdown, CSV and the workbook."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from io import BytesIO

from tightrope.characters import shorten
from tightrope.files import line_cells, split_lines
from tightrope.reports.page_reader import OddPage
from tightrope.reports.prose import Outline
from tightrope.reports.sheets import Value

_ROW = re.compile(r"\| (.*) \|")
_UNQUOTED = re.compile(r"(?<!\\)((?:\\\\)*)[|<]")
_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/workbook\.xml|"
    r"xl/styles\.xml|xl/sharedStrings\.xml|xl/theme/theme1\.xml|xl/_rels/workbook\.xml\.rels|"
    r"xl/worksheets/sheet[0-9]+\.xml")
"""Files inside a workbook that has cells and nothing else."""
_MOST_BYTES = 2**28
"""Bytes of a workbook that are unpacked."""


@dataclass(frozen=True)
class TwinTable:
    """A table of a Markdown text: its caption and its lines, as they are written."""

    caption: str
    lines: list[str]


def twin_parts(text: str) -> tuple[list[TwinTable], Outline]:
    """The tables of a Markdown text, and its headings with all other lines by number.

    Blank lines stand around a table: what follows it directly is a row of it to some readers.
    """
    tables: list[TwinTable] = []
    outline = Outline()
    lines = text.split("\n")
    inside = False
    for number, line in enumerate(lines, start=1):
        if not _ROW.fullmatch(line):
            if inside and line:
                raise OddPage(f"line {number} follows a table without a blank line between")
            inside = False
            if _UNQUOTED.search(line):
                raise OddPage(f"line {number} could be a table or a tag that no report has")
            if line.startswith(("# ", "## ")):
                outline.mark(line)
            else:
                outline.lines[-1].append((number, line))
            continue
        if not inside:
            others = outline.lines[-1]
            if len(others) < 2 or others[-1] != (number - 1, "") or others[-2][0] != number - 2:
                raise OddPage(f"line {number} begins a table without a caption")
            tables.append(TwinTable(others[-2][1], []))
            del others[-2:]
            outline.mark("table")
        tables[-1].lines.append(line)
        inside = True
    return tables, outline


def twin_cells(line: str) -> list[str]:
    """The cells of one line of a table."""
    row = _ROW.fullmatch(line)
    return [] if row is None else re.split(r"(?<!\\) \| ", row[1])


def csv_rows(raw: bytes) -> list[list[str]]:
    """The rows of a CSV file."""
    return [[cell.decode(errors="replace") for cell in line_cells(line, b",")]
            for line in split_lines(raw)]


def workbook_sheets(raw: bytes) -> list[tuple[str, list[list[Value]]]]:
    """Every sheet of a workbook by name, with its rows; what could show otherwise is refused."""
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            if sum(part.file_size for part in archive.infolist()) > _MOST_BYTES:
                raise OddPage("it is too large to be a report's")
            names = archive.namelist()
        odd = next((name for name in names if not _PARTS.fullmatch(name)), None)
        if odd is not None or len({*names}) < len(names):
            raise OddPage(f"it holds {shorten(odd or 'a part twice')}, which no report has")
        book = load_workbook(BytesIO(raw))
    except OddPage:
        raise
    except Exception:  # whatever a damaged archive makes a reader of spreadsheets raise
        raise OddPage("it is no workbook that can be read") from None
    if book.chartsheets or len(book.defined_names):
        raise OddPage("it holds names or charts, which no report has")
    return [(sheet.title, _sheet_rows(sheet)) for sheet in book.worksheets]


def _sheet_rows(sheet: object) -> list[list[Value]]:
    from openpyxl.worksheet.worksheet import Worksheet

    assert isinstance(sheet, Worksheet)
    hidden = [place for sizes in (sheet.row_dimensions, sheet.column_dimensions)
              for place in sizes.values() if place.hidden or place.width == 0]
    marked = sheet.merged_cells.ranges or len(sheet.conditional_formatting) or hidden
    if marked or sheet.sheet_state != "visible":
        raise OddPage(f"the sheet {shorten(sheet.title)} hides or merges cells")
    rows: list[list[Value]] = []
    for row in sheet.iter_rows():
        cells: list[Value] = []
        for cell in row:
            value = cell.value
            plain = cell.data_type in ("s", "n", "inlineStr") and (
                value is None or isinstance(value, str | int | float))
            if not plain or cell.number_format != "General":
                raise OddPage(f"the cell {cell.coordinate} of {shorten(sheet.title)} is no plain "
                              "number or text")
            assert value is None or isinstance(value, str | int | float)
            cells.append(value)
        rows.append(cells)
    return rows
