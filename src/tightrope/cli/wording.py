"""Levels, probabilities and what is protected in words, the same in every command."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.characters import label_text, shorten
from tightrope.facts import Fact, Shown

if TYPE_CHECKING:
    from tightrope.cli.report import Listing
    from tightrope.facts import Fact, Table
    from tightrope.mechanisms import Mechanism
    from tightrope.utility import Solution

LARGEST_SHOWN = 8
"""Mechanisms up to this many inputs and outputs are shown row by row."""

WIDEST_TABLE = 80
LONGEST_SPACE = 200
"""Characters of a space that are shown."""


def number(value: float | None, digits: int = 7) -> str:
    """A number for people: a few digits that matter.

    >>> number(0.5555555555555556), number(2.0), number(1e-9), number(None)
    ('0.5555556', '2', '1e-09', 'not known')
    """
    return "not known" if value is None else f"{value:.{digits}g}"


def space_text(text: str) -> str:
    """The text of a space, the middle of a long one left out."""
    return shorten(text, LONGEST_SPACE)


def best_saves(found: Solution) -> str:
    """How much of a loss might be saved, nothing if that is not known."""
    from tightrope.exact import tolerances
    from tightrope.utility import saved, standing_of

    if found.gap is None:
        return ""
    return saved(found.gap) if found.gap > tolerances.DEFAULT_GAP else standing_of(found)


def row_totals(row_error: float | None) -> str | None:
    """How far rows are from adding up to 1, and that each total became the denominator."""
    if not row_error:
        return None
    return f"within {number(row_error, 2)} of 1; each total became the denominator"


def row_fact(row_error: float | None) -> Fact:
    """How far rows are from adding up to 1, as a fact."""
    text = row_totals(row_error)
    return Fact("row_error", "row totals" if text else None, Shown(row_error, text or ""))


def probability_text(p: Fraction) -> str:
    """A probability to four digits; one below the range of doubles is not shown as zero.

    >>> probability_text(Fraction(1, 3)), probability_text(Fraction(1, 2**4000))
    ('0.3333', '7.586e-1205')
    """
    from tightrope.exact import ball_of

    near = float(p)
    return number(near, 4) if near or not p else str(ball_of(p, 80).str(4, radius=False))


def row_error_fact(row_error: float | None) -> Fact:
    """How far rows were from adding up to 1; people are told where they did not."""
    from tightrope.facts import Fact, Shown

    totals = row_totals(row_error)
    return Fact("row_error", totals and "row totals", Shown(row_error, totals or ""))


def probability_table(mechanism: Mechanism) -> Listing | None:
    """All probabilities of a small mechanism, as fractions where those are short."""
    from tightrope.cli.report import table

    shown = probabilities(mechanism)
    return table(shown[0].titles, shown[0].cells()) if shown else None


def probabilities(mechanism: Mechanism) -> tuple[Table, ...]:
    """The same as a table of a result; none of a large mechanism."""
    from tightrope.facts import Column, Table
    from tightrope.mechanisms import FiniteMechanism

    small = mechanism.base
    if not isinstance(small, FiniteMechanism):
        return ()
    if max(len(small.outputs), small.space.size) > LARGEST_SHOWN:
        return ()
    rows = [small.row_at(i) for i in range(small.space.size)]
    short = all(_bits(p) <= 24 and len(str(p)) <= 7 for row in rows for p in row)
    cells = [[str(p) if short else probability_text(p) for p in row] for row in rows]
    header = ["input", *map(label_text, small.outputs)]
    lines = [[label_text(p), *row] for p, row in zip(small.space.points, cells, strict=True)]
    width = sum(3 + max(map(len, column)) for column in zip(header, *lines, strict=True))
    columns = tuple(Column(None, name) for name in header)
    return (Table(None, "", columns, tuple(map(tuple, lines))),) if width <= WIDEST_TABLE else ()


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
