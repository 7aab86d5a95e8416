"""ε* on an interval of length L from both sides, by programs with as many unknowns as cells.

The radius γ is half of w cells, w odd. From below: inputs that stand one cell apart, of which an
answer serves w at most. They are a path, whose ε* is proved. From above: Laplace noise, whose
output falls into a cell and is remapped at random to the center of a cell. The noise has level ε
exactly, whatever the remap. An input in cell i is served by w centers, and its chance of failure
is a sum of convex functions on the cell but for the term of cell i itself, which has its largest
value in the middle. So the ends of the cells bound the failure of every input.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, floor, log
from time import monotonic

import numpy as np
from flint import arb, ctx

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, ball_of, float_above, float_below, tolerances
from tightrope.spaces import path
from tightrope.theory.limits.compatibility import OutOfTime, smallest_level_for
from tightrope.theory.limits.path_games import best_remap

CELLS = 60
"""Cells of an interval that are aimed at: programs of a tenth of a second, and brackets of 5 %."""

MOST_CELLS = 96
"""Cells with which programs are solved; a longer interval is cut for the lower bound."""

_WIDEST = 41
"""Cells within a ball, at most; more narrow the bracket no further."""

_BITS = 160
_UNITS = 2**60
"""Shares of a remap are whole numbers of these units."""


@dataclass(frozen=True)
class Cells:
    """A ball of radius γ is `wide` cells; `above` and `below` are lengths of a cell.

    `above` is short enough for a center to serve all inputs of its cells, `below` long enough for
    an answer to serve no more inputs than `wide`. They are equal but for a hair, which decides
    whether points at exactly the radius are served.
    """

    length: Fraction
    wide: int
    above: Fraction
    below: Fraction

    @classmethod
    def of(cls, length: Fraction, radius: Fraction, failure: Fraction, *, closed: bool) -> Cells:
        """Cells that resolve the failure, as far as they are not too many."""
        needed = 5 * max(1.0, -log(failure)) ** 0.5
        aimed = max(needed, float(min(2 * CELLS * radius / length, Fraction(_WIDEST))))
        wide = min(_WIDEST, int(aimed)) | 1
        cell, hair = 2 * radius / wide, Fraction(1, 2**30)
        return cls(length, wide, *((cell, cell * (1 + hair)) if closed else (
            cell * (1 - hair), cell)))

    @property
    def inputs(self) -> int:
        """Inputs of the lower bound."""
        return min(MOST_CELLS, floor(self.length / self.below) + 1)

    @property
    def outputs(self) -> int:
        """Cells of the upper bound."""
        return ceil(self.length / self.above)


def lower_bound_of(cells: Cells, failure: Fraction, seconds: float) -> float:
    """A level below which no mechanism on the interval fails so seldom."""
    line, reach = path(0, cells.inputs - 1), Fraction(cells.wide // 2)
    level = smallest_level_for(line, reach, failure, seconds=seconds)
    return float_below(ball_of(Fraction(level.lower) / cells.below, 128))


def remapped_laplace(cells: Cells, failure: Fraction, seconds: float) -> float:
    """A level at which Laplace noise with the best remap fails no more often than allowed.

    Raises: `OutOfTime`; `SolverFailed` where the solver is not accurate enough for a proof.
    """
    from scipy.optimize import brentq

    end, loss = monotonic() + seconds, _loss(cells)
    step = float(cells.above)

    def excess(epsilon: float) -> float:
        if monotonic() > end:
            raise OutOfTime("the time ended before the best remap was found; allow more.")
        value = best_remap(_chances(cells.outputs, epsilon * step), loss).value
        return log(max(value, 2.0**-1000)) - log(failure)

    low, high = 0.0, -log(failure) / (cells.wide * step)
    while excess(high) > 0:
        low, high = high, 2 * high
    root = float(brentq(excess, low, high, rtol=2.0**-24)) if low else high
    width = tolerances.LEVEL_WIDTH
    while width < 2.0**-6:
        epsilon = Fraction(root * (1 + width))
        remap = best_remap(_chances(cells.outputs, float(epsilon) * step), loss).remap
        if worst_failure(cells, remap, epsilon) <= ball_of(failure, _BITS):
            return float_above(ball_of(epsilon, 80))
        width *= 8
    raise SolverFailed("the solver was not accurate enough to prove the remap of Laplace noise.")


def worst_failure(cells: Cells, remap: FloatArray, epsilon: Fraction) -> arb:
    """An upper bound on the chance of failure of every input, in ball arithmetic.

    Rows of the remap are rounded to whole units first: they are what is proved.
    """
    size, reach = cells.outputs, cells.wide // 2
    units = np.array([[int(x * _UNITS) for x in row] for row in remap.tolist()], dtype=object)
    totals = units.sum(axis=1)
    sums = np.zeros((size, size + 1), dtype=object)
    sums[:, 1:] = np.cumsum(units, axis=1)
    with ctx.workprec(_BITS):
        step = ball_of(epsilon * cells.above, _BITS)
        falls = [(-step * k).exp() for k in range(size + 1)]
        half = (-step / 2).exp()
        worst = arb(0)
        for i in range(size):
            low, high = max(0, i - reach), min(size, i + reach + 1)
            outside = [arb(int(totals[j] - sums[j, high] + sums[j, low])) / int(totals[j])
                       for j in range(size)]
            whole = 1 - falls[1] / 2 if i in (0, size - 1) else 1 - half
            own = outside[i] * (arb(1) if size == 1 else whole)
            for right in (0, 1):  # the input stands at this end of its cell
                total = own
                for j in (j for j in range(size) if j != i):
                    gap = j - i - right if j > i else i - j - 1 + right
                    share = arb(1) if j in (0, size - 1) else 1 - falls[1]
                    total += outside[j] * share * falls[gap] / 2
                worst = worst.max(total)
        return worst


def _loss(cells: Cells) -> FloatArray:
    """1 where the center of a cell (column) does not serve the inputs of a cell, at either end."""
    places = np.arange(cells.outputs)
    far = np.abs(places[:, None] - places) > cells.wide // 2
    return np.repeat(far.astype(np.float64), 2, axis=0)


def _chances(size: int, step: float) -> FloatArray:
    """Chances of the cells (columns) for inputs at both ends of every cell, as in the proof."""
    edges = np.arange(1, size) * step
    inputs = np.repeat(np.arange(size) * step, 2)
    inputs[1::2] += step
    gaps = edges - inputs[:, None]
    tails = np.exp(-np.abs(gaps)) / 2
    below = np.where(gaps < 0, tails, 1 - tails)
    table = np.diff(below, axis=1, prepend=0.0, append=1.0)
    cells = np.repeat(np.arange(size), 2)
    table[cells[:, None] == np.arange(size)] = 1 - exp(-step / 2)
    table[[0, 1, -2, -1], [0, 0, -1, -1]] = 1 - exp(-step) / 2
    return np.asarray(table)
