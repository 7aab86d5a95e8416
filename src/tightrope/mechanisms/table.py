"""Tables randomized row by row.

Each row of a table goes through the same base mechanism, independently. Tables that differ
in one row are then told apart no better than two inputs of the base mechanism.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tightrope.characters import counted
from tightrope.errors import BadMatrix, BadTable
from tightrope.exact import own_numbers
from tightrope.mechanisms.answers import Answers
from tightrope.mechanisms.cards import mechanism_card
from tightrope.mechanisms.kernel import KernelMechanism
from tightrope.mechanisms.matrix import MatrixMechanism
from tightrope.mechanisms.remapped import RemappedMechanism
from tightrope.mechanisms.reports import ReportMechanism
from tightrope.spaces import Label, Space

FiniteMechanism = MatrixMechanism | KernelMechanism | RemappedMechanism


@dataclass(frozen=True)
class TableMechanism:
    """`rows` independent copies of a base mechanism, one for each row of a table.

    >>> from tightrope.spaces import categories
    >>> coin = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], categories(2))
    >>> [str(law[0]) for law in TableMechanism(coin, 2).row((0, 1))]
    ['3/4', '1/4']
    """

    base: FiniteMechanism | ReportMechanism
    rows: int

    def __post_init__(self) -> None:
        if not isinstance(self.base, FiniteMechanism | ReportMechanism):
            raise BadMatrix(f"expected a mechanism for rows, found {type(self.base).__name__}.")
        own_numbers(self, whole=("rows",))
        if self.rows < 0:
            raise BadMatrix(f"a table has no fewer than 0 rows, found {self.rows}.")

    _repr_html_ = mechanism_card

    def __repr__(self) -> str:
        return f"TableMechanism({counted(self.rows, 'row')} of {self.base!r})"

    @property
    def space(self) -> Space:
        """The space of one row."""
        return self.base.space

    def row(self, x: tuple[Label, ...]) -> tuple[tuple[Fraction, ...], ...]:
        """The exact law of each row's output for the table x; rows are drawn independently."""
        if not isinstance(x, tuple) or len(x) != self.rows:
            raise BadTable(f"expected a tuple of {self.rows} rows.")
        return tuple(self.base.row(value) for value in x)

    @property
    def answers(self) -> Answers:
        """The answers to one row."""
        return self.base.answers
