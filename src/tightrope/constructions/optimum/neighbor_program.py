"""The linear program of the (ε, δ) optimum, one variable for each orbit of its symmetry.

With κ = e^(-ε d) and a, b any neighbors in either order, probabilities h and excesses s obey

    κ h[a, z] - h[b, z] <= s[a, b, z],   Σ_z s[a, b, z] <= κ δ,   Σ_z h[y, z] = 1,   h, s >= 0.

Cells (y, z), pairs (a, b) and triples (a, b, z) that a symmetry of space, prior and loss takes
into each other have the same h, s and prices in some optimum: each orbit has one variable and
one row, that of its first member. κ is rounded up and δ down, so that what the program allows
is private.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, log

import numpy as np

from tightrope.exact import IntArray, Weights, lower_bound
from tightrope.lp import FineProgram, FineSolution, Whole
from tightrope.spaces import Pairs, pair_classes
from tightrope.symmetry import Symmetry, orbits
from tightrope.utility import SCALE, Goal, Multipliers, Prior, Problem

_SPARE_BITS = 160
"""Bits of every number beyond those of e^ε."""

_SLACK_BITS = 20
"""Excesses are measured in units of at least 2^-20, since solvers drop tiny entries."""


_FAINT = 1 / 64
"""Below this e^-ε (1 - δ), best answers are where the solver starts, and are taken out of rows."""


@dataclass(frozen=True, eq=False)
class Orbits:
    """The orbit of every one of some things, their first members and their sizes."""

    labels: IntArray

    @cached_property
    def heads(self) -> IntArray:
        """The first member of every orbit."""
        return np.unique(self.labels, return_index=True)[1].astype(np.int64)

    @cached_property
    def sizes(self) -> IntArray:
        """The number of members of every orbit."""
        return np.bincount(self.labels)

    def __len__(self) -> int:
        return len(self.heads)


@dataclass(frozen=True, eq=False)
class NeighborProgram:
    """The program of a problem, with the symmetry that it is folded by.

    `first` and `second` are the ends of the ordered neighbor pairs. Losses are measured in
    units of 2^unit, so that the largest is about one; all numbers are multiples of 2^-bits.
    """

    problem: Problem
    symmetry: Symmetry
    first: IntArray
    second: IntArray

    @cached_property
    def bits(self) -> int:
        """Bits after the binary point of all numbers."""
        space, level = self.problem.space, self.problem.level
        reach = float(level) * float(space.lengths(self.first, self.second).max())
        small = level.delta.denominator.bit_length() - level.delta.numerator.bit_length()
        return _SPARE_BITS + ceil(reach / log(2)) + max(0, small)

    @property
    def faint(self) -> bool:
        """Whether e^-ε (1 - δ) is small, so that nearly everybody has a best answer."""
        return float(1 - self.problem.level.delta) * exp(-float(self.problem.level)) < _FAINT

    @cached_property
    def least_excess(self) -> float:
        """The smallest κ δ."""
        _, limits, _ = self._shares()
        return float(Fraction(min(limits), 1 << self.bits))

    @cached_property
    def unit(self) -> int:
        """The power of two in which losses are measured."""
        return max(map(abs, self.problem.bracket.low)).bit_length() - SCALE

    @cached_property
    def inputs(self) -> Orbits:
        """Orbits of inputs."""
        return Orbits(self.symmetry.input_orbits)

    @cached_property
    def cells(self) -> Orbits:
        """Orbits of cells (y, z), numbered y · outputs + z."""
        n, m = self.symmetry.inputs, self.symmetry.outputs
        moves = [(g[:, None] * m + h).ravel() for g, h in self.symmetry.generators]
        return Orbits(orbits(n * m, moves))

    @cached_property
    def _moves(self) -> list[IntArray]:
        """What the generators do to ordered pairs."""
        n = self.problem.space.size
        order = np.argsort(self.first * n + self.second)
        keys = (self.first * n + self.second)[order]
        return [
            order[np.searchsorted(keys, g[self.first] * n + g[self.second])]
            for g, _ in self.symmetry.generators
        ]

    @cached_property
    def pairs(self) -> Orbits:
        """Orbits of ordered neighbor pairs."""
        return Orbits(orbits(len(self.first), self._moves))

    @cached_property
    def triples(self) -> Orbits:
        """Orbits of triples (a, b, z), numbered pair · outputs + z."""
        m = self.symmetry.outputs
        moves = [
            (pair[:, None] * m + h).ravel()
            for pair, (_, h) in zip(self._moves, self.symmetry.generators, strict=True)
        ]
        return Orbits(orbits(len(self.first) * m, moves))

    def rows(self) -> FineProgram:
        """The program itself.

        Columns: cells, excesses and rooms of triples, rooms of pairs and, for the worst input,
        the rooms of inputs and the largest loss. Rows: triples, pairs, inputs, inputs again.
        """
        m, cells, triples = self.symmetry.outputs, self.cells, self.triples
        pairs, inputs = self.pairs, self.inputs
        one, held = 1 << self.bits, len(cells)
        shares, limits, slacks = self._shares()
        row, (p, z) = np.arange(len(triples)), np.divmod(triples.heads, m)
        each, every = np.repeat(np.arange(len(pairs)), m), np.tile(np.arange(m), len(pairs))
        place, spot = np.repeat(np.arange(len(inputs)), m), np.tile(np.arange(m), len(inputs))
        sums = len(triples) + len(pairs)
        rooms = held + 2 * len(triples)
        cell = cells.labels[inputs.heads[place] * m + spot]
        parts = [
            (row, cells.labels[self.first[p] * m + z], shares[p]),
            (row, cells.labels[self.second[p] * m + z], -one),
            (row, held + row, -(one >> slacks[p])),
            (row, held + len(triples) + row, one),
            (
                len(triples) + each,
                held + triples.labels[pairs.heads[each] * m + every],
                one,
            ),
            (len(triples) + np.arange(len(pairs)), rooms + np.arange(len(pairs)), one),
            (sums + place, cell, one),
        ]
        fall, moved = self._without_best(shares)
        parts += moved
        totals = [
            fall,
            limits[pairs.heads] << slacks[pairs.heads],
            np.full(len(inputs), one, dtype=object),
        ]
        costs = np.zeros(rooms + len(pairs), dtype=object)
        if self.problem.goal is Goal.WORST:
            index = self.problem.bracket.index[inputs.heads[place], spot]
            start, again = rooms + len(pairs), sums + len(inputs)
            own = np.arange(len(inputs))
            parts += [
                (again + place, cell, self._losses()[index]),
                (again + own, start + own, one),
                (again + own, np.full(len(inputs), start + len(inputs)), -one),
            ]
            totals.append(np.zeros(len(inputs), dtype=object))
            costs = np.append(costs, np.append(np.zeros(len(inputs), dtype=object), one))
        else:
            costs[:held] = self._costs(self.problem.prior)
        free = np.zeros(len(costs), dtype=np.bool_)
        free[rooms + len(pairs) + len(inputs) :] = True
        entries = [np.full(len(r), 1, dtype=object) * e for r, _, e in parts]
        return FineProgram(
            costs,
            *_summed(
                np.concatenate([r for r, _, _ in parts]),
                np.concatenate([c for _, c, _ in parts]),
                np.concatenate(entries),
            ),
            np.concatenate(totals),
            free,
            self.bits,
        )

    def _without_best(self, shares: Whole) -> tuple[Whole, list[tuple[IntArray, IntArray, Whole]]]:
        """Totals and further entries of the rows of triples, free of best answers.

        Where nearly everybody has a best answer, what matters is the rest, far below the
        solver's precision. So the multiple of Σ_z h[y, z] = 1 is taken
        away that removes the best answer: the numbers left are all of one size.
        """
        m, triples = self.symmetry.outputs, self.triples
        row, (p, z) = np.arange(len(triples)), np.divmod(triples.heads, m)
        one = 1 << self.bits
        totals = np.zeros(len(triples), dtype=object)
        parts: list[tuple[IntArray, IntArray, Whole]] = []
        if not self.faint:
            return totals, parts
        for ends, times in ((self.first[p], shares[p]), (self.second[p], -one + 0 * shares[p])):
            own = self.cells.labels[ends * m + z] == self.best[self.inputs.labels[ends]]
            spots = ends[own][:, None] * m + np.arange(m)
            amounts = np.repeat(-times[own], m)
            parts.append((np.repeat(row[own], m), self.cells.labels[spots].ravel(), amounts))
            totals[own] -= times[own]
        return totals, parts

    @cached_property
    def best(self) -> IntArray:
        """For every orbit of inputs, the orbit of cells of its first member's best answer."""
        losses, m = self._losses(), self.symmetry.outputs
        heads = self.inputs.heads
        answers = np.argmin(losses[self.problem.bracket.index[heads]], axis=1)
        return np.asarray(self.cells.labels[heads * m + answers.astype(np.int64)])

    def start(self) -> Whole:
        """What the columns would be if everybody had a best answer, as far as δ allows.

        Excesses that add up to more than κ δ are cut down, and those rows stay open.
        """
        m, cells, triples, pairs = self.symmetry.outputs, self.cells, self.triples, self.pairs
        one = 1 << self.bits
        losses = self._losses()
        held = np.zeros(len(cells), dtype=object)
        for y, best in zip(self.inputs.heads.tolist(), self.best.tolist(), strict=True):
            own = cells.labels[y * m : (y + 1) * m]
            held[best] = one // int(np.count_nonzero(own == best))
        shares, limits, slacks = self._shares()
        p, z = np.divmod(triples.heads, m)
        more = shares[p] * held[cells.labels[self.first[p] * m + z]] >> self.bits
        less = held[cells.labels[self.second[p] * m + z]]
        excess = np.maximum(0, more - less)
        sums = excess[triples.labels].reshape(-1, m)[pairs.heads].sum(axis=1)
        limit = limits[pairs.heads]
        part = np.minimum(one, (limit << self.bits) // np.maximum(1, sums))
        taken = excess * part[pairs.labels[p]] >> self.bits
        room = np.maximum(0, less - more)
        spare = np.maximum(0, limit - sums)
        columns = [held, taken << slacks[p], room, spare << slacks[pairs.heads]]
        if self.problem.goal is Goal.WORST:
            table = losses[self.problem.bracket.index[self.inputs.heads]]
            mine = held[cells.labels.reshape(-1, m)[self.inputs.heads]]
            loss = (table * mine >> self.bits).sum(axis=1)
            columns += [loss.max() - loss, np.array([loss.max()], dtype=object)]
        return np.concatenate(columns)

    def _shares(self) -> tuple[Whole, Whole, Whole]:
        """For every pair κ, κ δ, and the bits of the unit of its excesses."""
        classes, index = pair_classes(self.problem.space, Pairs(self.first, self.second))
        bits = self.bits
        shares, limits, slacks = [], [], []
        for distance in classes:
            power = self.problem.level.power(distance)
            if power is None:
                power = lower_bound(self.problem.level.power_ball(distance, 2 * bits))
            share = ceil((1 << bits) / power)
            limit = int(share * self.problem.level.delta)
            shares.append(share)
            limits.append(limit)
            slacks.append(min(_SLACK_BITS, share.bit_length() - limit.bit_length()))
        return tuple(np.array(k, dtype=object)[index] for k in (shares, limits, slacks))  # type: ignore[return-value]

    def _losses(self) -> Whole:
        """The losses of the classes of the bracket, in the units of the program."""
        shift = self.bits - SCALE - self.unit
        lows = np.array(self.problem.bracket.low, dtype=object)
        return lows << shift if shift >= 0 else lows >> -shift

    def _costs(self, prior: Prior) -> Whole:
        """Prior times loss, added up over every orbit of cells."""
        chances = np.array(
            [(p.numerator << self.bits) // p.denominator for p in prior.exact(self.problem.space)],
            dtype=object,
        )
        y, z = np.divmod(self.cells.heads, self.symmetry.outputs)
        each = chances[y] * self._losses()[self.problem.bracket.index[y, z]] >> self.bits
        return np.asarray(each * self.cells.sizes)

    def weights(self, found: FineSolution) -> Weights:
        """The probabilities of a solution, to all its digits."""
        held = np.maximum(0, found.values[: len(self.cells)])
        table = held[self.cells.labels].reshape(self.symmetry.inputs, self.symmetry.outputs)
        return Weights(table, np.full(table.shape, -self.bits))

    def least_favorable(self, found: FineSolution) -> Prior:
        """The prior that the prices of the losses of inputs stand for."""
        prices = -found.prices[-len(self.inputs) :] >> self.bits - SCALE
        weights = [
            Fraction(max(0, price), size)
            for price, size in zip(prices.tolist(), self.inputs.sizes.tolist(), strict=True)
        ]
        total = sum(weights[k] for k in self.inputs.labels.tolist())
        return Prior(tuple(weights[k] / total for k in self.inputs.labels.tolist()))

    def multipliers(self, found: FineSolution) -> list[Multipliers]:
        """The prices of the triples as multipliers of h[b, z] >= κ h[a, z]."""
        shift = self.bits - SCALE - self.unit
        prices = np.maximum(0, -found.prices[: len(self.triples)]) // self.triples.sizes
        amounts = prices >> shift if shift >= 0 else prices << -shift
        table = amounts[self.triples.labels].reshape(len(self.first), -1)
        held = []
        for column in table.T:
            used = np.flatnonzero(column)
            held.append(
                Multipliers(self.second[used], self.first[used], tuple(column[used].tolist()))
            )
        return held


def _summed(
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
