"""Linear queries on the line: what one person can change decides the noise.

V is the set of changes that one record can make; people also leave, so W = V ∪ -V ∪ {0}.
B_0 = [-δ, δ] and B_i = B_(i-1) + W: what i people can explain within δ. Noise with density
e^(-iε) on B_i without B_(i-1) has level ε, not 2ε, since all values share one normalizer.
Once B_n is one interval [-h, h] with 2h >= Δ = max W, so are all later ones, and each adds
Δ on both sides: the sequence has converged. WXH, Section 6.2 and Corollary 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, gcd

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Intervals, Level, Number, Surd, stated
from tightrope.mechanisms import PiecewiseNoise
from tightrope.privacy import level_of

MOST_STEPS = 20_000
"""Sets of a sequence that are worked out before it is given up."""

MOST_KEPT = 20_000_000
"""Intervals of all sets of a sequence together: seconds, and 300 megabytes."""


@dataclass(frozen=True, eq=False)
class LineSequence:
    """The sets B_0, ..., B_n of a linear query; from B_n on they are intervals.

    `moves` is W; `converged` is n, the first index from which B_n is one interval that
    grows by Δ on either side.
    """

    moves: Intervals
    delta: Fraction
    sets: tuple[Intervals, ...]

    @property
    def converged(self) -> int:
        """The index n from which every set is an interval, Δ longer on either side."""
        return len(self.sets) - 1

    @property
    def sensitivity(self) -> Fraction:
        """Δ: the largest change by one person."""
        return self.moves.reach

    def noise(self, ratio: Fraction) -> PiecewiseNoise:
        """The noise with density proportional to ratio^-i on B_i without B_(i-1)."""
        return PiecewiseNoise(ratio, self._rungs, self.sensitivity)

    @property
    def _rungs(self) -> tuple[Intervals | None, ...]:
        return _differences(self)


@lru_cache(maxsize=2)
def _differences(sequence: LineSequence) -> tuple[Intervals | None, ...]:
    first = sequence.sets[0] if sequence.sets[0].measure else None
    pairs = zip(sequence.sets[1:], sequence.sets, strict=False)
    return (first, *(larger.without(smaller) for larger, smaller in pairs))


def line_sequence(
    changes: Intervals,
    delta: Fraction | int | str = 0,
    *,
    most_sets: int = MOST_STEPS,
    most_kept: int = MOST_KEPT,
) -> LineSequence:
    """The sets of a linear query whose records can change its value by the points of V.

    Raises `BadInput` if nobody can change the value, or if the sets never fill an interval
    (single points and a small δ): the noise would then have no finite normalizer. More sets
    than `most_sets` (at once, where Proposition 3 says so), or more intervals of all sets
    together than `most_kept`, raise `TooLarge`.

    >>> line_sequence(Intervals.of([(0, 1), (10, 11)]), 2).converged
    6
    """
    radius = Fraction(delta)
    if radius < 0:
        raise BadInput(f"expected a δ of at least 0, found {radius}.")
    moves = (changes | Intervals.of([(0, 0)])).symmetric()
    if moves.reach == 0:
        raise BadInput("nobody can change the value (sensitivity 0); expected a change above 0.")
    sets = [Intervals.of([(-radius, radius)])]
    if not moves.measure and not _fills(moves, radius):
        raise BadInput(
            "changes are single points that leave gaps wider than δ covers: the sets never fill "
            "an interval and the normalizer is not finite; use a larger δ or integer noise."
        )
    least, kept = least_steps(moves, radius), 1
    if least > most_sets:
        raise TooLarge("the number of sets", least, most_sets, "use a larger δ")
    while len(sets[-1]) > 1 or 2 * sets[-1].reach < moves.reach:
        if kept > most_kept:
            what = "the number of intervals of all sets"
            raise TooLarge(what, kept, most_kept, "use a larger δ")
        if len(sets) > most_sets:
            raise TooLarge("the number of sets", len(sets), most_sets, "use a larger δ")
        sets.append(sets[-1] + moves)
        kept += len(sets[-1])
    return LineSequence(moves, radius, tuple(sets))


def least_steps(moves: Intervals, radius: Fraction) -> int:
    """A number n that no sequence is shorter than, from the highest wide gap of W alone.

    Let (a, b) be the highest gap of W that is wider than 2δ, and c the end of W. What n people
    explain ends in [n b - δ, n c + δ], if each changes the value by b or more, and else reaches
    at most (n - 1) c + a + δ. So B_n is no interval while n (c - b) < c - a - 2δ (WXH,
    Proposition 3, says c/(c - b) for a query [0, a] ∪ [b, c]). If b = c it never is.

    >>> least_steps(Intervals.of([(0, 1), (1000, 1001)]).symmetric(), Fraction(0))
    1000
    """
    ends = zip(moves.highs[:-1].tolist(), moves.lows[1:].tolist(), strict=True)
    wide = [gap for gap in ends if (gap[1] - gap[0]) * moves.unit > 2 * radius]
    if not wide:
        return 0
    a, b, c = (end * moves.unit for end in (*wide[-1], int(moves.highs[-1])))
    if b == c:
        raise BadInput(
            f"the largest change, {c}, is a single point more than 2δ above the next one, {a}: the "
            "sets never become one interval; use a larger δ or integer noise."
        )
    return ceil((c - a - 2 * radius) / (c - b))


def linear_noise(
    changes: Intervals | Iterable[tuple[Number, Number]],
    epsilon: Level | Number | None = None,
    delta: Number = 0,
    *,
    ratio: Number | None = None,
) -> PiecewiseNoise:
    """Noise on the line for a sum, given by how much one person can change it.

    `changes` are the possible changes, such as [(0, 1)] or [(0, 1), (10, 11)]. `delta` is a
    radius by which the sets of the noise are widened, not the δ of a level (Theorem 3; 2 where
    it is 0). The ratio is at or just below e^ε.

    Returns: `PiecewiseNoise`; its `mean_error` is exact.

    Raises: `BadInput` for no change above 0, a negative `delta`, or an ε that is not above 0.

    >>> linear_noise(Intervals.of([(0, 1)]), Level.ratio(4), Fraction(1, 3)).mean_error
    Fraction(2, 3)
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    moves = changes if isinstance(changes, Intervals) else Intervals.of(changes)
    radius = stated(delta, "a δ of at least 0")
    return line_sequence(moves, radius).noise(level.pure.ratio_below(Surd.of(1)))


def _fills(moves: Intervals, radius: Fraction) -> bool:
    """Whether sums of single points come within 2δ of each other: 2δ >= their common measure."""
    common = gcd(*(abs(int(end)) for end in moves.lows)) * moves.unit
    return 2 * radius >= common
