"""Simplex steps on the master of rays, in balls of many digits.

Right-hand sides are perturbed by less than any number that counts, so that no step stands still.
Signs that the digits do not show count as 0; fractions judge the basis in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb, arb_mat, ctx

from tightrope.lp.ray_master import AID, SLACK, TOP, Key, RayMaster

_POOL = 200
"""Rays that are kept between searches."""

_FRESH = 25
"""Steps between inversions of the basis: updates enlarge the balls."""

_AID_COST = 80
"""Bits by which a column that makes a start feasible costs more than any loss."""


class RaySimplex:
    """A basis of the master in balls, its inverse and its solution, and steps from it."""

    def __init__(self, master: RayMaster, keys: Sequence[Key]) -> None:
        self.master, self.keys, self.steps = master, list(keys), 0
        self.table, self.shares = master.table(arb), master.shares(arb)
        data = [master.column(key, self.table, self.shares, arb(1)) for key in keys]
        largest = max(abs(cost) for line in self.table for cost in line) + 1
        self.aid = largest * arb(2) ** _AID_COST
        self.columns = [column for column, _ in data]
        self.costs = [self.aid if z == AID else cost
                      for (z, _), (_, cost) in zip(keys, data, strict=True)]
        unit = arb(2) ** (-2 * ctx.prec // 3)
        self.right = arb_mat(master.rows, 1, [
            int(row < master.program.size) + unit * more
            for row, more in enumerate(master.directions)])
        self.pool: list[tuple[Key, list[arb], arb]] = []
        self._invert()

    def _matrix(self) -> arb_mat:
        rows = self.master.rows
        return arb_mat(rows, rows, [column[row] for row in range(rows) for column in self.columns])

    def _invert(self) -> None:
        self.inverse = self._matrix().inv()
        self.weights = self.inverse * self.right
        self.fresh = True

    def run(self, check_time: Callable[[], None]) -> bool:
        """Steps until no ray is better; False where there is no end to them."""
        self._make_feasible()
        while True:
            check_time()
            prices = arb_mat(1, self.master.rows, self.costs) * self.inverse
            entering = self._entering([prices[0, row] for row in range(self.master.rows)])
            if entering is None and self.fresh:
                return True
            if entering is None:  # balls that updates enlarged may hide what is below 0
                self._invert()
                continue
            change = self.inverse * arb_mat(self.master.rows, 1, entering[1])
            leaving = self._leaving(change)
            if leaving is None:
                return False
            self._exchange(leaving, *entering, change)

    def _make_feasible(self) -> None:
        """Where weights are negative, enter a costly column that makes all of them positive."""
        rows = range(self.master.rows)
        below = [row for row in rows if self.keys[row][0] != TOP and self.weights[row, 0] < 0]
        if not below:
            return
        change = arb_mat(len(rows), 1)
        for place, row in enumerate(below, 2):
            change[row, 0] = place * self.weights[row, 0]
        aid = self._matrix() * change
        self._exchange(below[0], (AID, ()), [aid[row, 0] for row in rows], self.aid, change)

    def _entering(self, prices: list[arb]) -> tuple[Key, list[arb], arb] | None:
        """The column with the least reduced cost of those kept or, if none is negative, of all."""
        best = self._best(self.pool, prices)
        if best is not None:
            return best
        master, known, one = self.master, set(self.keys), arb(1)
        del self.pool[:-_POOL]
        offers = []
        for row in range(master.program.size, master.rows):
            key: Key = (SLACK, (row,))
            if prices[row] < 0 and key not in known:
                offers.append((key, *master.column(key, self.table, self.shares, one)))
        for z, search in enumerate(master.searches):
            rest = master.rest(z, self.table, prices)
            better = search.least_rate(rest, self.shares, one, arb(0))
            key = z, tuple(sorted(search.tree))
            if better is not None and key not in known:
                offers.append((key, *master.column(
                    key, self.table, self.shares, one, better[0])))
        self.pool += [offer for offer in offers if offer[0][0] >= 0]
        return self._best(offers, prices)

    def _best(
        self, offers: Sequence[tuple[Key, list[arb], arb]], prices: list[arb]
    ) -> tuple[Key, list[arb], arb] | None:
        if not offers:
            return None
        rows = self.master.rows
        paid = arb_mat(len(offers), rows, [entry for _, column, _ in offers for entry in column]
                       ) * arb_mat(rows, 1, prices)
        best, least = None, arb(0)
        for place, offer in enumerate(offers):
            reduced = offer[2] - paid[place, 0]
            if reduced < least:
                best, least = offer, reduced
        return best

    def _leaving(self, change: arb_mat) -> int | None:
        """The row of the basis whose weight is the first to be 0."""
        best, least = None, None
        for row, (z, _) in enumerate(self.keys):
            if z != TOP and change[row, 0] > 0:
                ratio = self.weights[row, 0] / change[row, 0]
                if least is None or ratio < least:
                    best, least = row, ratio
        return best

    def _exchange(
        self, leaving: int, key: Key, column: list[arb], cost: arb, change: arb_mat
    ) -> None:
        """Replace a column of the basis."""
        rows, pivot = self.master.rows, change[leaving, 0]
        self.keys[leaving], self.columns[leaving], self.costs[leaving] = key, column, cost
        self.steps += 1
        if self.steps % _FRESH == 0:
            self._invert()
            return
        self.fresh = False
        line = arb_mat(1, rows, [self.inverse[leaving, k] / pivot for k in range(rows)])
        length = self.weights[leaving, 0] / pivot
        change = arb_mat(change)
        change[leaving, 0] = pivot - 1
        self.inverse = self.inverse - change * line
        self.weights = self.weights - change * length
