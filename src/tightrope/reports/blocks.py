"""The parts of a report in their order, whatever form they are given: page or Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.reports.tables import ReportTable


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
