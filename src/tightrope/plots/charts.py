"""Charts as values: panels of marks, each with the numbers that are drawn and a name.

A computation returns its numbers as a chart; drawing it changes none of them. What a publication
shows and exact arithmetic refutes has the tint `WRONG`: red and dashed, wherever it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import SupportsFloat

Place = tuple[float, float]
"""A point of a panel: across, and up."""


class Tint(Enum):
    """The role of a mark, which decides its color."""

    MAIN = auto()
    SECOND = auto()
    THIRD = auto()
    FOURTH = auto()
    FAINT = auto()
    WRONG = auto()


@dataclass(frozen=True)
class Line:
    """A line through points; `dots` marks each of them."""

    name: str
    points: tuple[Place, ...]
    tint: Tint = Tint.MAIN
    dots: bool = False
    thin: bool = False


@dataclass(frozen=True)
class Dots:
    """Points without a line, each with its label if there are labels."""

    name: str
    points: tuple[Place, ...]
    tint: Tint = Tint.MAIN
    labels: tuple[str, ...] = ()
    hollow: bool = False


@dataclass(frozen=True)
class Strokes:
    """Several lines under one name, such as the edges of a graph."""

    name: str
    lines: tuple[tuple[Place, ...], ...]
    tint: Tint = Tint.MAIN
    thick: bool = False


@dataclass(frozen=True)
class Shape:
    """A closed outline through its corners, filled unless it is faint."""

    name: str
    corners: tuple[Place, ...]
    tint: Tint = Tint.MAIN


@dataclass(frozen=True)
class Stairs:
    """A function that is constant between edges."""

    name: str
    edges: tuple[float, ...]
    heights: tuple[float, ...]
    tint: Tint = Tint.MAIN
    filled: bool = True


@dataclass(frozen=True)
class Ribbon:
    """Everything between two functions of the same places."""

    name: str
    places: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    tint: Tint = Tint.MAIN


@dataclass(frozen=True)
class Span:
    """All that lies between two places of the horizontal axis, with words in it."""

    low: float
    high: float
    words: str
    tint: Tint = Tint.WRONG


@dataclass(frozen=True)
class Across:
    """A height that is named, such as a limit."""

    height: float
    words: str
    tint: Tint = Tint.FAINT


@dataclass(frozen=True)
class Heat:
    """A rate at every column and row, 1 in the middle of the colors; `values[row][column]`."""

    columns: tuple[float, ...]
    rows: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Contours:
    """The lines where a function has given values; `values[row][column]`."""

    columns: tuple[float, ...]
    rows: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    levels: tuple[float, ...]


@dataclass(frozen=True)
class Words:
    """A remark at a place."""

    text: str
    at: Place
    tint: Tint = Tint.WRONG


Mark = Line | Dots | Strokes | Shape | Stairs | Ribbon | Span | Across | Heat | Contours | Words


@dataclass(frozen=True)
class Panel:
    """Marks over one pair of axes; without axes where the places themselves mean nothing."""

    title: str
    marks: tuple[Mark, ...]
    across: str = ""
    upward: str = ""
    logarithmic: bool = False
    framed: bool = True
    equal: bool = False
    ticks: tuple[tuple[float, str], ...] = ()
    limits: tuple[float, float] | None = None
    heights: tuple[float, float] | None = None


@dataclass(frozen=True)
class Chart:
    """Panels of one figure, and in one sentence what is wrong in the published one."""

    panels: tuple[Panel, ...]
    wrong: str = ""


def line(
    name: str,
    across: Sequence[SupportsFloat],
    upward: Sequence[SupportsFloat],
    tint: Tint = Tint.MAIN,
    *,
    dots: bool = False,
) -> Line:
    """A line through points whose coordinates are given apart.

    >>> line("twice", (0, 1), (0, 2)).points
    ((0.0, 0.0), (1.0, 2.0))
    """
    points = zip(across, upward, strict=True)
    return Line(name, tuple((float(x), float(y)) for x, y in points), tint, dots)
