"""A level shared among several columns so that their estimates err least.

Columns of one row add their levels up. With n rows, randomized response on k equally common
values at e^ε = r has the total squared error (1/n)(1 - 1/k)((r + k - 1)/(r - 1))². It falls and
is convex in ε, so that small equal pieces of the level, each where it helps most, are the best
split into such pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import expm1, inf

from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.privacy import level_of

PIECES = 120
"""Equal pieces that a level is cut into: 2, 3, 4, 5 and 6 columns can share evenly."""


def response_error(values: int, epsilon: float) -> float:
    """The squared error of all estimated proportions of a column in sum, times the rows.

    >>> round(response_error(2, 1.0986122886681098), 9)  # e^ε = 3
    2.0
    """
    gain = expm1(epsilon) if epsilon < 700 else inf
    root = 1 + values / gain
    return (1 - 1 / values) * root * root


def split_level(
    epsilon: Level | Number | None = None,
    sizes: Sequence[int] = (),
    *,
    ratio: Number | None = None,
    repeats: Sequence[int] = (),
    errors: Callable[[int, float], float] = response_error,
) -> list[Level]:
    """Split a level among columns: one for each number of values in `sizes`, adding up to it.

    minimize Σ_c repeats_c · errors(sizes_c, ε_c / repeats_c) over Σ_c ε_c = ε, in pieces of
    ε/120, each handed out where it helps most. `repeats` counts independent responses that
    share a column's level, as the items of a set-valued column do; 1 each if not given.

    Returns: a list of levels, in the order of `sizes`.

    Raises: `BadInput` for no column, more than 120, or one of fewer than 2 values.

    >>> [part.text for part in split_level(Level.parse("2"), (2, 2))]
    ['1', '1']
    >>> [part.text for part in split_level(Level.parse("2"), (2, 8))]
    ['7/12', '17/12']
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    if not sizes or min(sizes) < 2 or len(sizes) > PIECES:
        raise BadInput(f"expected from 1 to {PIECES} columns of at least 2 values.")
    times = list(repeats) or [1] * len(sizes)
    whole = float(level)

    def error(column: int, pieces: int) -> float:
        share = whole * pieces / PIECES / times[column]
        return times[column] * errors(sizes[column], share)

    shares = [1] * len(sizes)
    gains = [error(c, 1) - error(c, 2) for c in range(len(sizes))]
    for _ in range(PIECES - len(sizes)):
        best = max(range(len(sizes)), key=lambda c: (gains[c], -shares[c]))
        shares[best] += 1
        gains[best] = error(best, shares[best]) - error(best, shares[best] + 1)
    return [level.scaled(Fraction(pieces, PIECES)) for pieces in shares]
