"""The optimum at an irrational e^ε: its loss and its entries as functions of a number r."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, ctx

from tightrope.characters import label_text
from tightrope.facts import Fact, Shown, Table, data, listing
from tightrope.lp import RationalFunction
from tightrope.markup import brief
from tightrope.utility.problem import Problem

_LONGEST, _WIDEST = 200_000, 78
"""Characters of all entries that are written, and of a line of a table."""


@dataclass(frozen=True, eq=False)
class ExactForm:
    """The least loss and the entries of an optimal vertex, as rational functions of r = e^(ε u).

    `ratio` says what r is, `ball` encloses it to some bits. `basis` has for each output the pairs
    (a, b) of inputs with P(z | a) = e^(-ε d(a,b)) P(z | b), where b is None if it is P(z | a) = 0.
    `unique` says whether no other mechanism loses as little; None where the basis leaves it open.

    >>> import tightrope as tr
    >>> form = tr.design("path:0..1", 0.5, exact=True).form
    >>> form.ratio, str(form.value), [str(entry) for entry in form.rows[0]]
    ('r = e^ε', '1/(r + 1)', ['r/(r + 1)', '1/(r + 1)'])
    """

    ratio: str
    value: RationalFunction
    rows: tuple[tuple[RationalFunction, ...], ...]
    ball: Callable[[int], arb]
    basis: tuple[tuple[tuple[int, int | None], ...], ...]
    unique: bool | None

    __repr__ = brief

    def entries(self, problem: Problem) -> list[Fact | Table]:
        """The entries as texts, and as a table where that is narrow."""
        rows = [[str(entry) for entry in row] for row in self.rows]
        if sum(len(text) for row in rows for text in row) > _LONGEST:
            return []
        facts: list[Fact | Table] = [*data(exact_ratio=self.ratio, exact_entries=rows)]
        header = [self.ratio, *map(label_text, problem.answers)]
        labeled = [[label_text(point), *row]
                   for point, row in zip(problem.space.points, rows, strict=True)]
        width = sum(3 + max(map(len, column)) for column in zip(header, *labeled, strict=True))
        if width <= _WIDEST:
            facts.append(listing("", header, labeled, words=len(header), listed=0))
        return facts

    @property
    def uniqueness(self) -> Fact:
        """Whether the optimum is unique, for people and programs."""
        text = {True: "yes, no other mechanism loses as little",
                False: "no: moving away from one tight constraint costs nothing",
                None: "not decided by this basis; a level such as --ratio 2 decides it"}
        return Fact("unique", "unique", Shown(self.unique, text[self.unique]))

    def enclose(self, function: RationalFunction, bits: int = 128) -> arb:
        """A ball around the value of a function at r.

        >>> import tightrope as tr
        >>> form = tr.design("path:0..1", 0.5, exact=True).form
        >>> round(float(form.enclose(form.value)), 9)  # 1/(1 + e^0.5)
        0.377540669
        """
        with ctx.workprec(bits):
            point = self.ball(bits)
            return function.above(point) / function.below(point)
