"""A report as a reader sees it: the tables of page, Markdown, CSV and workbook.

Where a browser could show something else than what is read here, the page is refused: it must
be the very text that its own elements are written as, of a few kinds without scripts, styles or
hidden parts, and its head must be that of every report, with a style that a version of it had.
Markdown and workbook are refused where they could show otherwise, too.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape, unescape
from html.parser import HTMLParser
from io import BytesIO

from tightrope.characters import control_in, shorten
from tightrope.files import line_cells, split_lines
from tightrope.reports.page import STYLES, head_of
from tightrope.reports.pictures import ATTRIBUTES, PROPERTIES, TAGS
from tightrope.reports.prose import PICTURE, Outline
from tightrope.reports.sheets import Value

Attributes = Sequence[tuple[str, str | None]]
Token = tuple[str, str]
"""A tag as it is written, or a text as it is shown, after the word for which of both it is."""

_KINDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("main", "h1", "h2", "h3", "p", "ul", "li", "pre", "code", "strong", "em",
                     "figure", "figcaption", "br"), frozenset[str]()),
    "section": frozenset({"id"}), "a": frozenset({"href"}),
    "div": frozenset({"class", "tabindex"}),
}
"""Elements between tables, with their attributes."""
_BOX = [("class", "box"), ("tabindex", "0")]
"""The attributes around a table, which scrolls by itself."""
_AROUND = {"table": ["main", "section", "div"], "svg": ["main", "section", "figure"]}
"""The elements around a table and a picture: others could move it out of sight."""
_PICTURE = ["role", "aria-label", "width", "height", "viewbox"]
"""The attributes of a picture as a whole, in order: others could move it over a table."""
_IN_TABLES = {
    "table": {"class"}, "caption": set[str](), "thead": set[str](), "tbody": set[str](),
    "tr": set[str](), "th": {"scope", "colspan"}, "td": {"class"}, "small": set[str](),
}
_HEAD = re.compile(
    r".*?<title>(?P<title>[^<>]*)</title>\n<style>(?P<style>.*?)</style>\n</head>\n<body>",
    re.DOTALL)
_END = "</body>\n</html>\n"
_INLINE = frozenset({"a", "strong", "em", "code"})
_BLANKS = re.compile("[ \n]+")  # which a browser shows as one
_CODE = "\t"
"""Stands before code, so that no code is a sentence."""
_HEADINGS = ("h1", "h2")
_CELLS = ("caption", "th", "td", "small")
_ROW = re.compile(r"\| (.*) \|")
_UNQUOTED = re.compile(r"(?<!\\)((?:\\\\)*)[|<]")
_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/workbook\.xml|"
    r"xl/styles\.xml|xl/sharedStrings\.xml|xl/theme/theme1\.xml|xl/_rels/workbook\.xml\.rels|"
    r"xl/worksheets/sheet[0-9]+\.xml")
"""Files inside a workbook that has cells and nothing else."""
_MOST_BYTES = 2**28
"""Bytes of a workbook that are unpacked."""


class OddPage(Exception):
    """Why a page cannot be read as a report."""


@dataclass
class PageTable:
    """One table of a page: every tag and text in order, and its cells row by row."""

    tokens: list[Token] = field(default_factory=list)
    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)


@dataclass
class PageParts:
    """The tables of a page, and its outline with the texts between."""

    tables: list[PageTable]
    outline: Outline


def page_parts(text: str, files: frozenset[str]) -> PageParts:
    """The tables and texts of a page; `files` are those that it may link to.

    Raises `OddPage` for a page that is written otherwise than a report.
    """
    control = next((found for line in text.split("\n") if (found := control_in(line))), None)
    if control is not None:
        raise OddPage(f"it holds the character {control}")
    head = _HEAD.match(text)
    if head is None or head[0] != head_of(head["title"], style=head["style"]) or (
            not text.endswith(_END)):
        raise OddPage("its head or its end is not that of a report")
    if sha256(head["style"].encode()).hexdigest() not in STYLES:
        raise OddPage("its style is none that reports have, up to the version of this program")
    body = text[head.end():-len(_END)]
    parts = read_parts(body, files)
    parts.outline.marks.insert(0, unescape(head["title"]))
    parts.outline.lines.insert(0, [])
    return parts


def read_parts(body: str, files: frozenset[str] = frozenset()) -> PageParts:
    """The tables and texts in a part of a page."""
    reader = _Reader(files)
    reader.feed(body)
    reader.close()
    if reader.open:
        raise OddPage(f"<{reader.open[-1]}> is not closed")
    if "".join(reader.written) != body:
        raise OddPage("it is not written as a report writes a page")
    reader.end_line()
    return PageParts(reader.tables, reader.outline)


class _Reader(HTMLParser):
    """Reads elements of a report and writes them again: both texts must be the same."""

    def __init__(self, files: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.files = files
        self.open: list[str] = []
        self.written: list[str] = []
        self.tables: list[PageTable] = []
        self.outline = Outline()
        self.line = ""
        self.link: str | None = None
        self.link_text = ""

    def handle_starttag(self, tag: str, attributes: Attributes) -> None:
        raw = self.get_starttag_text() or ""
        name = "clipPath" if tag == "clippath" else tag
        if "svg" in self.open or tag == "svg":
            self._check_picture(name, attributes)
        elif "table" in self.open or tag == "table":
            self._check_table(tag, attributes)
        elif tag not in _KINDS or not {key for key, _ in attributes} <= _KINDS[tag] or (
                tag == "div" and [*attributes] != _BOX):
            raise OddPage(f"it has an element {shorten(raw)}")
        for key, value in attributes:
            link = key == "href" and value not in self.files and not str(value).startswith("#")
            if value is None or link:
                raise OddPage(f"it has an element {shorten(raw)}")
        spelled = {"viewbox": "viewBox", "clippathunits": "clipPathUnits"}
        text = "".join(f' {spelled.get(key, key)}="{escape(value or "")}"'
                       for key, value in attributes)
        self._write("tag", f"<{name}{text}>")
        self._break(tag)
        self._mark(tag, dict(attributes))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            raise OddPage(f"</{shorten(tag)}> closes nothing")
        self._write("tag", f"</{'clipPath' if tag == 'clippath' else tag}>")
        if tag in _HEADINGS:
            self.outline.mark(self.line)
            self.line = ""
        self._break(tag)
        self.open.pop()
        if tag == "a":
            self._check_link()

    def handle_data(self, data: str) -> None:
        inside = self.open[-1] if self.open else ""
        if "table" in self.open and data.strip():
            if inside not in _CELLS:
                raise OddPage("a table has text outside its cells")
            self._add_text(data)
        elif "svg" not in self.open and "table" not in self.open:
            self._add_line(data)
            if inside == "a":
                self.link_text += data
        self._write("text", escape(data))

    def handle_comment(self, data: str) -> None:
        raise OddPage("it has a comment")

    def handle_decl(self, decl: str) -> None:
        raise OddPage("it has a declaration")

    def handle_pi(self, data: str) -> None:
        raise OddPage("it has an instruction")

    def unknown_decl(self, data: str) -> None:
        raise OddPage("it has a declaration")

    def _write(self, kind: str, text: str) -> None:
        self.written.append(text)
        if "table" in self.open or text.startswith("<table"):
            self.tables[-1].tokens.append((kind, text))

    def _break(self, tag: str) -> None:
        """Begin another line, but for what stands inside a line."""
        if tag not in _INLINE:
            self.end_line()

    def end_line(self) -> None:
        """End the line that was read, unless it is blank."""
        if self.line.strip():
            self.outline.lines[-1].append((0, self.line))
        self.line = ""

    def _mark(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Add what stands fixed, if the element does; begin a link."""
        if tag in ("section", "table", "svg"):
            words = attributes.get("id") or attributes.get("aria-label") or ""
            self.outline.mark(f"{PICTURE if tag == 'svg' else f'{tag} '}{words}")
        elif tag == "a":
            self.link, self.link_text = str(attributes.get("href")), ""

    def _check_link(self) -> None:
        """Refuse a link to a file by another name, and one inside another."""
        if self.link is None or (not self.link.startswith("#") and self.link_text != self.link):
            raise OddPage("a link is named otherwise than its file")
        self.link = None

    def _add_line(self, data: str) -> None:
        """Add to the line; what is set as code keeps its blanks and is marked as such."""
        code = "pre" in self.open
        text = f"{_CODE}{data}" if code else _BLANKS.sub(" ", data)
        self.line = self.line + text if self.line else text.lstrip(" ")

    def _check_table(self, tag: str, attributes: Attributes) -> None:
        nested = tag == "table" and "table" in self.open
        nested = nested or (tag == "table" and self.open != _AROUND[tag])
        if nested or not {key for key, _ in attributes} <= _IN_TABLES.get(tag, set()) or (
                tag not in _IN_TABLES):
            raise OddPage(f"a table has an element <{shorten(tag)}> that no report has")
        if tag == "table":
            self.tables.append(PageTable())
        elif tag == "tr":
            self.tables[-1].rows.append([])
        elif tag in ("td", "th"):
            if not self.tables[-1].rows:
                raise OddPage("a table has a cell outside its rows")
            self.tables[-1].rows[-1].append("")

    def _check_picture(self, name: str, attributes: Attributes) -> None:
        wrong = name not in TAGS or (name == "svg") is ("svg" in self.open) or (
            "table" in self.open)
        if name == "svg":
            wrong |= self.open != _AROUND[name] or [key for key, _ in attributes] != _PICTURE
        for key, value in attributes:
            parts = str(value).split(";") if key == "style" else []
            wrong = wrong or key not in ATTRIBUTES or any(
                part.partition(":")[0].strip() not in PROPERTIES for part in parts)
        if wrong:
            raise OddPage(f"a picture has an element <{shorten(name)}> that no report has")

    def _add_text(self, data: str) -> None:
        table, text = self.tables[-1], " ".join(data.split())
        if "caption" in self.open:
            table.caption += text
        else:
            row = table.rows[-1]
            row[-1] = f"{row[-1]} {text}".strip()


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
