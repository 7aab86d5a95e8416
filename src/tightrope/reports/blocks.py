"""The parts of a report in their order, in page and Markdown alike: sentences, pictures, tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tightrope.characters import escape


@dataclass(frozen=True)
class TableCell:
    """A text with words beside it, such as an interval; `noisy` cells are shaded."""

    text: str
    beside: str = ""
    noisy: bool = False

    @property
    def shown(self) -> str:
        """All that a reader sees, escaped."""
        return escape(f"{self.text} {self.beside}".strip())


@dataclass(frozen=True)
class ReportTable:
    """Rows under columns; the first `heads` cells of a row name it.

    `across` is the name over all other columns, where these are the values of one. Cells beside
    the heads hold `words` or else numbers.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    heads: int = 1
    across: str = ""
    words: bool = False

    @property
    def kind(self) -> str:
        """How the page lays it out: a grid, a list of numbers, or words."""
        return "grid" if self.across else "words" if self.words else "list"

    @property
    def shown(self) -> list[list[str]]:
        """The line of names and all rows, as a reader sees them."""
        return [[*map(escape, self.columns)], *([cell.shown for cell in row] for row in self.rows)]


def text_table(
    caption: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]], heads: int = 1
) -> ReportTable:
    """A table of plain texts."""
    return ReportTable(caption, columns, tuple(
        tuple(TableCell(text) for text in row) for row in rows), heads, words=True)


@dataclass(frozen=True)
class Paragraph:
    """Sentences."""

    text: str


@dataclass(frozen=True)
class Bullets:
    """Short texts, one below the other, under a title."""

    title: str
    items: tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """A line to type."""

    line: str


@dataclass(frozen=True)
class Links:
    """Files of the report: words, and the name of a file."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Picture:
    """A picture as SVG, with words below it."""

    svg: str
    words: str


Block = Paragraph | Bullets | Command | Links | Picture | ReportTable


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]
