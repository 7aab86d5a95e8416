"""Counts that are known beforehand: structural zeros and public totals, which answers then meet.

Whoever writes the plan says that they are public. Least squares under such equations is the
estimate without them, less what its own covariance says that the other numbers err with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.characters import label_text
from tightrope.declarations import Declaration, Tally
from tightrope.errors import BadInput
from tightrope.exact import stated_whole
from tightrope.releases.questions import Question
from tightrope.releases.subqueries import Rows

MOST_ROWS = 2**60
"""The largest known count: as many as the codes of a table can be."""

MOST_KNOWN = 64
"""Known counts of one plan: their equations are solved in exact fractions."""


@dataclass(frozen=True)
class Known:
    """The number of rows in one cell of a count, histogram or cross table; a public number.

    >>> Known(Question.read("histogram of sex"), ("m",), 0).as_json()
    {'question': 'histogram of sex', 'cell': ['m'], 'value': 0}
    """

    question: Question
    cell: tuple[str, ...]
    value: int

    def __post_init__(self) -> None:
        if self.question.ask not in ("count", "histogram", "cross"):
            raise BadInput("what is known is a count, a histogram or a cross table, found "
                           f"{self.question.text!r}.")
        if not isinstance(self.cell, list | tuple) or len(self.cell) != len(self.keys):
            raise BadInput(f"cell names one cell of each column of {self.question.text!r}: "
                           f"{len(self.keys)}.")
        object.__setattr__(self, "cell", tuple(map(str, self.cell)))
        value = stated_whole(self.value, "a number of rows that is known")
        if not 0 <= value <= MOST_ROWS:
            raise BadInput("a known number of rows is at least 0 and at most 2^60.")
        object.__setattr__(self, "value", value)

    @classmethod
    def of(cls, form: Mapping[str, Any]) -> Known:
        """The known counts that a document states."""
        return cls(Question.read(form["question"]), form["cell"], form["value"])

    @property
    def shown(self) -> str:
        """The count in one line of words.

        >>> Known(Question.read("histogram of sex"), ("m",), 1200).shown
        'histogram of sex, m: 1,200'
        """
        return f"{', '.join((self.question.text, *self.cell))}: {self.value:,}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns whose cells are counted."""
        return (*self.question.columns, *self.question.by)

    def tally(self, declaration: Declaration) -> Tally:
        """The tally that it is a number of."""
        where = Rows(declaration, (), self.question.where).where
        return Tally(declaration, self.keys, where=where)

    def place(self, declaration: Declaration) -> tuple[int, ...]:
        """Where its cell is along each column."""
        places = []
        for key, name in zip(self.keys, self.cell, strict=True):
            cells = declaration.column(key).cells
            if name not in cells:
                raise BadInput(f"the column {label_text(key)!r} has no cell {label_text(name)!r}.")
            places.append(cells.index(name))
        return tuple(places)

    def within(self, other: Known) -> bool:
        """Whether its rows are among those of another number that counts in the same rows."""
        own = dict(zip(self.keys, self.cell, strict=True))
        return all(own.get(key) == name for key, name in zip(other.keys, other.cell, strict=True))

    def as_json(self) -> dict[str, Any]:
        """The known counts as a document holds them."""
        return {"question": self.question.text, "cell": list(self.cell), "value": self.value}


def refuse_larger_parts(known: Sequence[Known]) -> None:
    """Refuse numbers of the same rows of which parts are together larger than the whole."""
    for whole in known:
        parts: dict[frozenset[str], dict[tuple[str, ...], int]] = {}
        for each in known:
            if each.within(whole):
                own = dict(zip(each.keys, each.cell, strict=True))
                cell = tuple(own[key] for key in sorted(own))
                cells = parts.setdefault(frozenset(own), {})
                cells[cell] = max(cells.get(cell, 0), each.value)
        for cells in parts.values():  # cells of the same columns have no row in common
            if sum(cells.values()) > whole.value:
                raise BadInput(f"what is known contradicts itself: {sum(cells.values()):,} rows "
                               f"are among {whole.value:,}.")


def solve(
    covariances: Sequence[Sequence[Fraction]], differences: Sequence[Fraction],
    values: Sequence[int],
) -> list[Fraction]:
    """Multipliers x with C x = d; equations that follow from others are left out.

    `values` are the known numbers: where an equation follows from others, its number must, too.
    """
    size = len(values)
    rows = [[*line, difference, Fraction(value)] for line, difference, value in zip(
        covariances, differences, values, strict=True)]
    pivots: list[tuple[int, int]] = []
    for place in range(size):  # C is symmetric: an equation with an empty row has no own column
        for row, column in pivots:
            factor = rows[place][column] / rows[row][column]
            if factor:
                rows[place] = [own - factor * other for own, other in zip(
                    rows[place], rows[row], strict=True)]
        own_column = next((at for at in range(size) if rows[place][at]), None)
        if own_column is not None:
            pivots.append((place, own_column))
        elif rows[place][-1]:
            raise BadInput("what is known contradicts itself.")
    solution = [Fraction(0)] * size
    for row, column in reversed(pivots):
        solution[column] = (rows[row][size] - sum(
            (rows[row][other] * solution[other] for other in range(size) if other != column),
            Fraction(0))) / rows[row][column]
    return solution
