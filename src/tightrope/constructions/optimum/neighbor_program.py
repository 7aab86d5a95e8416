"""The linear program of the (ε, δ) optimum, one variable for each orbit of its symmetry.

With κ = e^(-ε d) and a, b any neighbors in either order, probabilities h and excesses s obey

    κ h[a, z] - h[b, z] <= s[a, b, z],   Σ_z s[a, b, z] <= κ δ,   Σ_z h[y, z] = 1,   h, s >= 0.

Cells (y, z), pairs (a, b) and triples (a, b, z) that a symmetry of space, prior and loss takes
into each other have the same h, s and prices in some optimum: each orbit has one variable and
one row, that of its first member. κ is rounded up and δ down, so that feasible points
are private. Far answers have no chance at all in most optima with δ, and most rows are slack:
only cells that are kept have a variable, only triples that are posed a row. Negative reduced
costs show which cells are missing, and excesses which rows are violated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, exp, log

import numpy as np
from numpy.typing import NDArray

from tightrope.choices import Goal
from tightrope.constructions.optimum.neighbor_orbits import NeighborOrbits
from tightrope.exact import IntArray, lower_bound, tolerances
from tightrope.lp import Basis, FineProgram, FineSolution, Whole
from tightrope.spaces import Pairs, pair_classes
from tightrope.utility import SCALE, Problem

_SPARE_BITS = 160
"""Bits of every number beyond those of e^ε; more cost time, fewer end refinement sooner."""

_SLACK_BITS = 20
"""Excesses are measured in units of at least 2^-20, since solvers drop tiny entries."""

_FAINT = 1 / 64
"""Below this e^-ε (1 - δ), best answers are where the solver starts, and are taken out of rows."""

_QUICK = 20_000
"""Triples up to which solving again costs more than posing extra rows."""

_Part = tuple[IntArray, IntArray, Whole]
"""Rows, columns and entries of a part of a program."""


@dataclass(frozen=True, eq=False)
class NeighborProgram:
    """The program of a problem, folded by a symmetry, with some of its cells and rows.

    `kept` are the orbits of cells that have a variable, `posed` those of triples that may have
    a row. `spare` is the part of every κ δ reserved for the error of a solver in doubles.

    Losses are measured in units of 2^unit, so that the largest is about one; all numbers are
    multiples of 2^-bits.
    """

    problem: Problem
    orbits: NeighborOrbits
    kept: NDArray[np.bool_]
    posed: NDArray[np.bool_]
    spare: float = 0.0

    @cached_property
    def bits(self) -> int:
        """Bits after the binary point of all numbers."""
        space, level = self.problem.space, self.problem.level
        reach = float(level) * float(space.lengths(self.orbits.first, self.orbits.second).max())
        small = level.delta.denominator.bit_length() - level.delta.numerator.bit_length()
        return _SPARE_BITS + ceil(reach / log(2)) + max(0, small)

    @property
    def faint(self) -> bool:
        """Whether e^-ε (1 - δ) is small, so that nearly everybody has a best answer."""
        return float(1 - self.problem.level.delta) * exp(-float(self.problem.level)) < _FAINT

    @cached_property
    def least_excess(self) -> float:
        """The smallest κ δ."""
        _, limits, _ = self.shares
        return float(Fraction(min(limits), 1 << self.bits))

    @cached_property
    def unit(self) -> int:
        """The power of two in which losses are measured."""
        return max(map(abs, self.problem.bracket.low)).bit_length() - SCALE

    @property
    def width(self) -> int:
        """The number of outputs."""
        return self.orbits.symmetry.outputs

    @cached_property
    def row_triples(self) -> IntArray:
        """The orbits of triples (a, b, z) that have a row: posed ones where (a, z) is kept."""
        p, z = np.divmod(self.orbits.triples.heads, self.width)
        return np.flatnonzero(self.posed & self.kept[self._cell(self.orbits.first[p], z)])

    @cached_property
    def _triples(self) -> tuple[IntArray, IntArray, IntArray]:
        """The first member of every orbit of triples with a row, its pair and its output."""
        heads = self.orbits.triples.heads[self.row_triples]
        return heads, *np.divmod(heads, self.width)

    def _cell(self, inputs: IntArray, outputs: IntArray) -> IntArray:
        """The orbits of cells."""
        return np.asarray(self.orbits.cells.labels[inputs * self.width + outputs])

    def rows(self) -> FineProgram:
        """The program itself.

        Columns: cells, excesses and rooms of triples, rooms of pairs and, for the worst input,
        the rooms of inputs and the largest loss. Rows: triples, pairs, inputs, inputs again.
        """
        pairs, inputs = self.orbits.pairs, self.orbits.inputs
        scale, variables, triples = 1 << self.bits, int(self.kept.sum()), len(self.row_triples)
        _, limits, slacks = self.shares
        _, p, _ = self._triples
        row, each, own = np.arange(triples), np.arange(len(pairs)), np.arange(len(inputs))
        rooms = variables + 2 * triples
        end = rooms + len(pairs)
        (at, cells, entries), fall = self._entries
        on = self.kept[cells]
        parts: list[tuple[IntArray, IntArray, Whole | int]] = [
            (at[on], (np.cumsum(self.kept) - 1)[cells[on]], entries[on]),
            (row, variables + row, -(scale >> slacks[p])),
            (row, variables + triples + row, scale),
            (*self._excesses(variables), scale),
            (triples + each, rooms + each, scale),
        ]
        totals = [
            fall,
            limits[pairs.heads] << slacks[pairs.heads],
            np.full(len(inputs), scale, dtype=object),
        ]
        costs = np.zeros(end, dtype=object)
        if self.problem.goal is Goal.WORST:
            again = triples + len(pairs) + len(inputs)
            parts += [
                (again + own, end + own, scale),
                (again + own, np.full(len(inputs), end + len(inputs)), -scale),
            ]
            totals.append(np.zeros(len(inputs), dtype=object))
            costs = np.append(costs, np.append(np.zeros(len(inputs), dtype=object), scale))
        else:
            costs[:variables] = self._costs[self.kept]
        free = np.zeros(len(costs), dtype=np.bool_)
        free[end + len(inputs) :] = True
        return FineProgram(
            costs, *_sum_entries(*_concatenate(parts)), np.concatenate(totals), free, self.bits
        )

    @cached_property
    def _entries(self) -> tuple[_Part, Whole]:
        """The entries of all orbits of cells in all rows, and the totals of rows of triples."""
        m, pairs, inputs = self.width, self.orbits.pairs, self.orbits.inputs
        first, second, scale = self.orbits.first, self.orbits.second, 1 << self.bits
        shares, _, _ = self.shares
        _, p, z = self._triples
        row, sums = np.arange(len(p)), len(p) + len(pairs)
        place, spot = np.repeat(np.arange(len(inputs)), m), np.tile(np.arange(m), len(inputs))
        cell = self._cell(inputs.heads[place], spot)
        fall, moved = self._eliminate_best(shares)
        parts: list[tuple[IntArray, IntArray, Whole | int]] = [
            (row, self._cell(first[p], z), shares[p]),
            (row, self._cell(second[p], z), -scale),
            (sums + place, cell, scale),
            *moved,
        ]
        if self.problem.goal is Goal.WORST:
            index = self.problem.bracket.index[inputs.heads[place], spot]
            parts.append((sums + len(inputs) + place, cell, self._losses[index]))
        return _concatenate(parts), fall

    def _excesses(self, start: int) -> tuple[IntArray, IntArray]:
        """Rows of pairs and columns of the excesses summed there, from column `start` on."""
        m, pairs, triples = self.width, self.orbits.pairs, self.orbits.triples
        places = np.full(len(triples), -1)
        places[self.row_triples] = np.arange(len(self.row_triples))
        each, every = np.repeat(np.arange(len(pairs)), m), np.tile(np.arange(m), len(pairs))
        columns = places[triples.labels[pairs.heads[each] * m + every]]
        return len(self.row_triples) + each[columns >= 0], start + columns[columns >= 0]

    def improving_cells(self, optimum: FineSolution) -> NDArray[np.bool_]:
        """The orbits of cells without a variable whose reduced cost is negative.

        Tolerated is a small part of the loss for each input.
        """
        (at, cells, entries), _ = self._entries
        off = ~self.kept[cells]
        reduced = self._costs << self.bits
        np.subtract.at(reduced, cells[off], entries[off] * optimum.prices[at[off]])
        if self.problem.goal is Goal.WORST:
            value = int(optimum.values[-1]) << self.bits
        else:
            value = int((self._costs[self.kept] * optimum.values[: int(self.kept.sum())]).sum())
        room = int(abs(value) * Fraction(tolerances.PROGRAM_GAP) / len(self.orbits.inputs))
        return np.asarray(~self.kept & (reduced < -room))

    def violated_triples(self, optimum: FineSolution) -> NDArray[np.bool_]:
        """The orbits of triples without a row that need one, if some pair exceeds κ δ.

        They are those with an excess, of all pairs that use half of κ δ. In small programs all
        others that end in the same cells are included: a cell too small for one neighbor soon
        is for more.
        """
        pairs, triples = self.orbits.pairs, self.orbits.triples
        scale = 1 << self.bits  # such long integers are no doubles, their quotients are
        shares, limits = ((part / scale).astype(np.float64) for part in self.shares[:2])
        masses = np.zeros(len(self.kept))
        masses[self.kept] = [
            max(0, number) / (1 << self.bits) for number in optimum.values[: int(self.kept.sum())]
        ]
        table = masses[self.orbits.cells.labels].reshape(-1, self.width)
        heads = pairs.heads
        first, second = table[self.orbits.first[heads]], table[self.orbits.second[heads]]
        excess = np.maximum(0.0, shares[heads, None] * first - second)
        taken = excess.sum(axis=1) / (limits[heads] + self.spare)
        broken = np.zeros(len(triples), dtype=np.bool_)
        if taken.max() > 1 + tolerances.PROGRAM_GAP:
            labels = triples.labels.reshape(-1, self.width)
            broken[labels[heads][(taken > 1 / 2)[:, None] & (excess > 0)]] = True
            broken[self.row_triples] = False
            if len(triples) < _QUICK:
                ends = self.orbits.cells.labels.reshape(-1, self.width)[self.orbits.second]
                small = np.zeros(len(self.kept), dtype=np.bool_)
                small[ends[broken[labels]]] = True
                broken[labels[small[ends]]] = True
                broken[self.row_triples] = False
        return broken

    def widen(self, cells: NDArray[np.bool_], triples: NDArray[np.bool_]) -> NeighborProgram:
        """The program with these cells too, with those of neighbors, and with these rows."""
        table = self.orbits.cells.labels.reshape(-1, self.width)
        kept = self.kept | cells
        kept[table[self.orbits.second][cells[table[self.orbits.first]]]] = True
        return replace(self, kept=kept, posed=self.posed | triples)

    def basis(self, narrow: NeighborProgram, old_basis: Basis) -> Basis:
        """A basis of this program from one of a program with fewer cells and rows.

        New cells are zero, and the slacks of new rows are basic.
        """
        new, old = ~np.isin(self.row_triples, narrow.row_triples), int(narrow.kept.sum())
        cells = np.zeros(len(self.kept), dtype=np.bool_)
        cells[narrow.kept] = old_basis.columns[:old]
        ends = old + len(narrow.row_triples) * np.arange(3)
        excesses, rooms = np.zeros(len(new), dtype=np.bool_), new.copy()
        excesses[~new], rooms[~new] = (old_basis.columns[a:b] for a, b in pairwise(ends.tolist()))
        rows = np.zeros(len(new), dtype=np.bool_)
        rows[~new] = old_basis.rows[: len(narrow.row_triples)]
        return Basis(
            np.concatenate([cells[self.kept], excesses, rooms, old_basis.columns[ends[-1] :]]),
            np.concatenate([rows, old_basis.rows[len(narrow.row_triples) :]]),
            feasible=bool((self.posed == narrow.posed).all()),
        )

    def _eliminate_best(self, shares: Whole) -> tuple[Whole, list[_Part]]:
        """Totals and further entries of the rows of triples, free of best answers.

        Where nearly everybody has a best answer, the other probabilities are far below the
        solver's precision. So the multiple of Σ_z h[y, z] = 1 that removes the best answer is
        subtracted: the remaining numbers are of one size.
        """
        m, inputs = self.width, self.orbits.inputs
        _, p, z = self._triples
        row, scale = np.arange(len(p)), 1 << self.bits
        totals = np.zeros(len(p), dtype=object)
        parts: list[_Part] = []
        if not self.faint:
            return totals, parts
        first, second = self.orbits.first[p], self.orbits.second[p]
        for ends, times in ((first, shares[p]), (second, -scale + 0 * shares[p])):
            own = self._cell(ends, z) == self.best[inputs.labels[ends]]
            cells = self._cell(np.repeat(ends[own], m), np.tile(np.arange(m), int(own.sum())))
            parts.append((np.repeat(row[own], m), cells, np.repeat(-times[own], m)))
            totals[own] -= times[own]
        return totals, parts

    @cached_property
    def best(self) -> IntArray:
        """For every orbit of inputs, the orbit of cells of its first member's best answer."""
        heads = self.orbits.inputs.heads
        answers = np.argmin(self._losses[self.problem.bracket.index[heads]], axis=1)
        return self._cell(heads, answers.astype(np.int64))

    def start(self) -> Whole:
        """Starting values: everybody has a best answer, as far as δ allows.

        Excesses that add up to more than κ δ are scaled down, and those rows stay violated.
        """
        cells, pairs = self.orbits.cells, self.orbits.pairs
        scale, inputs = 1 << self.bits, self.orbits.inputs
        masses = np.zeros(len(cells), dtype=object)
        table = cells.labels.reshape(-1, self.width)[inputs.heads]
        for own, best in zip(table, self.best.tolist(), strict=True):
            masses[best] = scale // int(np.count_nonzero(own == best))
        shares, limits, slacks = self.shares
        _, p, z = self._triples
        more = shares[p] * masses[self._cell(self.orbits.first[p], z)] >> self.bits
        less = masses[self._cell(self.orbits.second[p], z)]
        excess = np.maximum(0, more - less)
        rows, excesses = self._excesses(0)
        sums = np.zeros(len(pairs), dtype=object)
        np.add.at(sums, rows - len(self.row_triples), excess[excesses])
        limit = limits[pairs.heads]
        part = np.minimum(scale, (limit << self.bits) // np.maximum(1, sums))
        taken = excess * part[pairs.labels[p]] >> self.bits
        room = np.maximum(0, less - more)
        spare = np.maximum(0, limit - sums)
        columns = [masses[self.kept], taken << slacks[p], room, spare << slacks[pairs.heads]]
        if self.problem.goal is Goal.WORST:
            losses = self._losses[self.problem.bracket.index[inputs.heads]]
            loss = (losses * masses[table] >> self.bits).sum(axis=1)
            columns += [loss.max() - loss, np.array([loss.max()], dtype=object)]
        return np.concatenate(columns)

    @cached_property
    def shares(self) -> tuple[Whole, Whole, Whole]:
        """For every pair κ, κ δ, and the bits of the unit of its excesses."""
        pairs = Pairs(self.orbits.first, self.orbits.second)
        classes, index = pair_classes(self.problem.space, pairs)
        bits = self.bits
        shares, limits, slacks = [], [], []
        for distance in classes:
            power = self.problem.level.power(distance)
            if power is None:
                power = lower_bound(self.problem.level.power_ball(distance, 2 * bits))
            share = ceil((1 << bits) / power)
            limit = int(share * self.problem.level.delta) - int(Fraction(self.spare) * (1 << bits))
            shares.append(share)
            limits.append(limit)
            slacks.append(min(_SLACK_BITS, share.bit_length() - limit.bit_length()))
        return tuple(np.array(k, dtype=object)[index] for k in (shares, limits, slacks))  # type: ignore[return-value]

    @cached_property
    def _losses(self) -> Whole:
        """The losses of the classes of the bracket, in the units of the program."""
        shift = self.bits - SCALE - self.unit
        lows = np.array(self.problem.bracket.low, dtype=object)
        return lows << shift if shift >= 0 else lows >> -shift

    @cached_property
    def _costs(self) -> Whole:
        """Costs of the orbits of cells: Σ prior times loss; zero for the worst input."""
        cells = self.orbits.cells
        if self.problem.goal is Goal.WORST:
            return np.zeros(len(cells), dtype=object)
        exact = self.problem.prior.exact(self.problem.space)
        chances = np.array(
            [(p.numerator << self.bits) // p.denominator for p in exact], dtype=object
        )
        y, z = np.divmod(cells.heads, self.width)
        each = chances[y] * self._losses[self.problem.bracket.index[y, z]] >> self.bits
        return np.asarray(each * cells.sizes)


def _concatenate(parts: Sequence[tuple[IntArray, IntArray, Whole | int]]) -> _Part:
    """Parts of a program one after the other."""
    return (
        np.concatenate([rows for rows, _, _ in parts]),
        np.concatenate([columns for _, columns, _ in parts]),
        np.concatenate([np.full(len(rows), 1, dtype=object) * each for rows, _, each in parts]),
    )


def _sum_entries(
    rows: IntArray, columns: IntArray, entries: Whole
) -> tuple[IntArray, IntArray, Whole]:
    """The entries with those of one place added up."""
    keys, where = np.unique(rows * (int(columns.max()) + 1) + columns, return_inverse=True)
    order = np.argsort(where, kind="stable")
    starts = np.searchsorted(where[order], np.arange(len(keys)))
    sums = np.add.reduceat(entries[order], starts)
    kept = np.flatnonzero(sums)
    first, second = np.divmod(keys[kept], int(columns.max()) + 1)
    return first, second, sums[kept]
