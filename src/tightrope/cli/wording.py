"""Levels, probabilities and what is protected in words, the same in every command."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.characters import label_text, shorten

if TYPE_CHECKING:
    from tightrope.cli.report import Listing
    from tightrope.exact import Level
    from tightrope.mechanisms import Mechanism
    from tightrope.privacy import Smallest
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


def smallest_text(smallest: Smallest, asked: Level | None = None) -> str:
    """A proved smallest level in few characters, but enough to tell it from the one asked for.

    >>> from tightrope.exact import Level
    >>> from tightrope.privacy import Smallest
    >>> smallest_text(Smallest(0.6931471805599453, 0.6931471805599454, Level.ratio(2)))
    'ln(2) = 0.6931471806 exactly'
    >>> smallest_text(Smallest(0.49999999999999, 0.499999999999991, None), Level.epsilon("0.5"))
    '0.499999999999991'
    >>> smallest_text(Smallest(0.195, 0.2, None))  # a bracket that is not narrow
    '0.2 at most, 0.195 at least'
    """
    plain = number(smallest.upper, 10)
    if bracket := at_least(smallest.lower, smallest.upper):
        return plain + bracket
    if asked is not None and plain == number(float(asked), 10):
        plain = _apart(smallest, asked)
    exact = smallest.exact_text
    if exact == plain:
        return f"{plain} exactly"
    return plain if exact is None or len(exact) > 24 else f"{exact} = {plain} exactly"


def at_least(lower: float, upper: float) -> str:
    """What is added to the upper end of a bracket that is not narrow."""
    low, high = number(lower, 6), number(upper, 6)
    return "" if low == high else f" at most, {low} at least"


def _apart(smallest: Smallest, asked: Level) -> str:
    """The smallest level with digits enough to tell it from another one close to it."""
    from tightrope.exact import told_apart

    exact = smallest.exact
    if exact is None:
        return repr(smallest.upper)
    if exact.compare_level(asked.pure) == 0:
        return number(smallest.upper, 10)
    return told_apart(exact.ball, asked.ball, 10)[0]


def row_totals(row_error: float | None) -> str | None:
    """What became of rows that do not add up to 1, None where all do."""
    if not row_error:
        return None
    return f"within {number(row_error, 2)} of 1; each total became the denominator"


def probability_text(p: Fraction) -> str:
    """A probability to four digits; one below the range of doubles is not shown as zero.

    >>> probability_text(Fraction(1, 3)), probability_text(Fraction(1, 2**4000))
    ('0.3333', '7.586e-1205')
    """
    from tightrope.exact import ball_of

    near = float(p)
    return number(near, 4) if near or not p else str(ball_of(p, 80).str(4, radius=False))


def protection(mechanism: Mechanism, level: Level) -> str:
    """What is protected: declared neighbors, one row of a table, or distances alone."""
    from tightrope.exact import Surd
    from tightrope.spaces import Combine, Datasets, Directed, Product, is_connected

    space = mechanism.space
    if isinstance(space, Datasets):
        return f"Protected: {space.relation}."
    relation = space.neighbors
    if mechanism.rows is not None:
        within = "" if relation is None else f": {relation.relation}"
        return f"Protected: one row of a table of {mechanism.rows:,} rows{within}."
    if relation is not None:
        said = f"Protected: {relation.relation}."
        if level.delta == 0 or space.diameter == space.least_distance:
            return said
        if relation.apart == (Surd.of(1), Surd.of(1)):
            return f"{said} At d steps the level is dε, and δ grows to δ(e^(dε) - 1)/(e^ε - 1)."
        return f"{said} Over several steps ε d adds up, and δ grows faster than their number."
    if isinstance(space, Directed):
        return "Protected: the ordered pairs of the relation and paths of them, one way."
    inside = "" if is_connected(space) else " of one component"
    said = f"Protected: any two inputs{inside}; no neighbors are declared."
    if not isinstance(space, Product):
        return said
    both = 2 if space.combine is Combine.SUM else 1
    return f"{said} Inputs that differ by 1 in both parts are at distance {both}."


def probability_table(mechanism: Mechanism) -> Listing | None:
    """All probabilities of a small mechanism, as fractions where those are short."""
    from tightrope.cli.report import table
    from tightrope.mechanisms import FiniteMechanism

    small = mechanism.base
    if not isinstance(small, FiniteMechanism):
        return None
    if max(len(small.outputs), small.space.size) > LARGEST_SHOWN:
        return None
    rows = [small.row_at(i) for i in range(small.space.size)]
    short = all(_bits(p) <= 24 and len(str(p)) <= 7 for row in rows for p in row)
    cells = [[str(p) if short else probability_text(p) for p in row] for row in rows]
    header = ["input", *map(label_text, small.outputs)]
    lines = [[label_text(p), *row] for p, row in zip(small.space.points, cells, strict=True)]
    width = sum(3 + max(map(len, column)) for column in zip(header, *lines, strict=True))
    return table(header, lines) if width <= WIDEST_TABLE else None


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
