"""Numbers of knots, and the errors of each, from declarations alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tightrope.choices import Trend
from tightrope.constructions import best_box, box_error
from tightrope.declarations import NumberColumn
from tightrope.errors import BadInput
from tightrope.exact import Level, Surd, stated_whole
from tightrope.spaces import LONGEST_TOTALS, Totals

_TRIED = 64
"""Numbers of knots that are all tried; beyond it only some."""


@dataclass(frozen=True)
class KnotChoice:
    """The errors of a number of knots, in units of the curve.

    `noise` is the mean error at a knot, `separately` what it would be with one noise of level
    ε/k for each knot, `between` the most that a straight line between knots is off, None where
    nothing is declared of the curve there. Where noise is Gaussian, `boxes` is the mean error of
    noise in boxes at the same ε and δ = 0.
    """

    knots: int
    noise: float
    separately: float
    between: float | None
    boxes: float | None = None

    @property
    def bound(self) -> float | None:
        """The mean error at the worst time, at most (of a monotone curve: over all times)."""
        return None if self.between is None else self.noise + self.between


def spread(knots: int, times: int) -> tuple[int, ...]:
    """So many of the times, as evenly as can be, both ends among them; one is the middle.

    >>> spread(4, 12), spread(1, 12)
    ((0, 4, 7, 11), (6,))
    """
    if knots == 1:
        return (times // 2,)
    return tuple((2 * k * (times - 1) + knots - 1) // (2 * (knots - 1)) for k in range(knots))


def between_knots(
    knots: int,
    times: Sequence[Fraction],
    cell: NumberColumn,
    slope: Fraction | None,
    trend: Trend | None,
) -> float | None:
    """The most that straight lines between knots are off."""
    at = [times[place] for place in spread(knots, len(times))]
    if knots == len(times):
        return 0.0
    gap = max(b - a for a, b in pairwise(at)) if at[1:] else None
    far = max(at[0] - times[0], times[-1] - at[0])
    bounds = []
    if slope is not None:
        bounds.append(slope * (far if gap is None else gap / 2))
    if trend is not None:
        span = times[-1] - times[0]
        share = (far if gap is None else gap / 2) / span
        bounds.append((cell.high - cell.low) * share)
    return float(min(bounds)) if bounds else None


def separate_error(space: Totals, level: Level) -> float:
    """The mean error of one noise in steps at ε/k for each knot."""
    ratio = level.pure.scaled(Fraction(1, space.length)).ratio_below(Surd.of(1))
    return box_error(best_box(Totals(space.people, space.most, 1), ratio))


def numbers_of_knots(knots: int | None, times: int, *, known: bool) -> list[int]:
    """The numbers of knots that are compared."""
    most = min(times, LONGEST_TOTALS)
    if knots is not None:
        asked = stated_whole(knots, "a whole number of knots")
        if not 1 <= asked <= most:
            raise BadInput(f"expected from 1 to {most} knots, found {asked}.")
        return [asked]
    if not known and times > LONGEST_TOTALS:
        raise BadInput(f"at most {LONGEST_TOTALS} of {times:,} times are knots: say how many, or "
                       "declare what is known of the curve between them.")
    if not known:
        return [times]
    step = -(-most // _TRIED)
    return sorted({1, *range(2, min(most, 17)), *range(2, most + 1, step), most})
