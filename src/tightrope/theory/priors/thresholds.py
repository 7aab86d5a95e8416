"""At which levels a tight-constraints mechanism exists: intervals, proved on all of their length.

A prior is regular at ε iff Φ μ = π has a solution μ >= 0, and the tight-constraints mechanism
exists iff the uniform prior is regular. Neither is monotone in ε, so the line is covered, not
bisected: on every piece the solution is enclosed for all its levels at once (`enclose`), and
pieces whose signs stay open are halved, down to 2^-23. What stays open then is an endpoint
between two verdicts, or a level at which Φ is singular; there a vector u with Φ u >= 0 and
Σ π u < 0 is sought that rules out all levels of the piece.

Above the last piece: if the entries of each row of Φ off the diagonal add up to at most
min π / (min π + max π), the solution is positive, and so it is for all larger levels.
On trees and on products of paths closed forms settle all levels above 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import inf
from time import monotonic
from typing import NamedTuple

import numpy as np

from tightrope.characters import shorten
from tightrope.errors import BadLevel, CannotCheck, TooLarge
from tightrope.exact import FloatArray, Level, Line, Number, enclose, sizes, stated, tolerances
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.kernels import (
    KernelWeights,
    ReducedKernel,
    always_positive,
    kernel_floats,
    kernel_line,
    reduced_kernel,
    solve,
    tensor_priors,
)
from tightrope.spaces import Graph, Space, require_connected, space_of
from tightrope.spellings import RESULT, spelled
from tightrope.theory.priors.algebraic_levels import AlgebraicLevel, algebraic_levels
from tightrope.utility import Prior, PriorLike, prior_of, uniform

FINEST = Fraction(1, 2**23)
"""Length of the pieces that are not halved any more."""

LOWEST = Fraction(1, 16)
"""The least level that is looked at unless another one is asked for."""

_COARSE = Fraction(1, 8)


@dataclass(frozen=True)
class Piece:
    """Levels from low to high (None: without end), and whether all of them have a mechanism.

    `exists` is None where nothing is proved.
    """

    low: Fraction
    high: Fraction | None
    exists: bool | None


class Endpoint(NamedTuple):
    """Two proved levels around an endpoint: on one side all have a mechanism, on the other none."""

    below: Fraction
    above: Fraction

    @property
    def digits(self) -> int:
        """The decimals, up to six, on which both levels agree."""
        width = float(self.above) - float(self.below)
        return next((d for d in range(6, 0, -1) if width <= 10.0**-d), 0)

    def cell(self, level: AlgebraicLevel | None) -> Shown:
        """Both levels, the digits and the exact level; for people their middle, and that."""
        below, above = float(self.below), float(self.above)
        exact = {} if level is None else level.json
        text = "" if level is None else f" = {level.text}"
        return Shown({"below": below, "above": above, "digits": self.digits, **exact},
                     f"{(below + above) / 2:.{self.digits}f}{text}")


@dataclass(frozen=True)
class LevelInterval:
    """Levels with a mechanism, from `low` to `high`.

    `low` is None if the interval reaches down to the least level looked at, and `high` if it
    has no end.
    """

    low: Endpoint | None
    high: Endpoint | None


@dataclass(frozen=True)
class Thresholds:
    """All levels from `lowest` on, itself included unless it is 0, in pieces with a verdict.

    `asked` is the least level that was asked for; the time may have ended above it.
    """

    space: Space
    prior: Prior
    asked: Fraction
    pieces: tuple[Piece, ...]

    @cached_property
    def exact(self) -> dict[Endpoint, AlgebraicLevel]:
        """The endpoints that are logarithms of algebraic numbers, proved."""
        levels = algebraic_levels(self.space, self.prior, self.endpoints)
        return {endpoint: level for endpoint, level in zip(self.endpoints, levels, strict=True)
                if level is not None}

    @property
    def lowest(self) -> Fraction:
        """The least level looked at; 0 where a closed form settles all levels."""
        return self.pieces[0].low

    @property
    def finished(self) -> bool:
        """Whether all levels that were asked for have been looked at."""
        return self.lowest <= self.asked

    @property
    def intervals(self) -> tuple[LevelInterval, ...]:
        """The intervals of levels that have a mechanism."""
        intervals = []
        for k, piece in enumerate(self.pieces):
            if piece.exists:
                before = self.pieces[k - 1] if k else None
                after = self.pieces[k + 1] if k + 1 < len(self.pieces) else None
                low = None if before is None else _edge(before, piece.low)
                high = None if after is None else _edge(after, piece.high)
                intervals.append(LevelInterval(low, high))
        return tuple(intervals)

    @property
    def open(self) -> tuple[Piece, ...]:
        """Pieces without a verdict that are not an endpoint of one interval."""
        return tuple(
            piece
            for k, piece in enumerate(self.pieces)
            if piece.exists is None
            and (k == 0 or self.pieces[k - 1].exists == self.pieces[k + 1].exists)
        )

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Where intervals begin and end, in order."""
        return tuple(sorted({edge for i in self.intervals for edge in (i.low, i.high)
                             if edge is not None}))

    @property
    def undecided(self) -> tuple[tuple[float, float], ...]:
        """Levels without a verdict, from and to: what the time did not reach, and `open`."""
        left = () if self.finished else ((float(self.asked), float(self.lowest)),)
        return left + tuple((float(piece.low), float(piece.high or 0)) for piece in self.open)

    def facts(self) -> Facts:
        """The intervals of levels, what is not decided, and the least level looked at."""
        lowest, given = float(self.lowest), self.prior.weights is not None
        least = Shown(None, f"{lowest:g} (the least looked at)" if lowest else "0")
        what = ("levels at which the prior is regular" if given else
                "levels with a tight-constraints mechanism")
        rows = tuple((least if i.low is None else i.low.cell(self.exact.get(i.low)),
                      Shown(None, "infinity") if i.high is None else
                      i.high.cell(self.exact.get(i.high))) for i in self.intervals)
        left = "; ".join(f"ε from {low:.7g} to {high:.7g}" for low, high in self.undecided)
        other = "other " if left else ""
        return Facts(
            "Thresholds",
            f"{what} on {shorten(self.space.text)}" + ("" if rows else ": none"),
            (Table("intervals", "", (Column("low", "ε from"), Column("high", "to")), rows),
             Fact("open", "not decided" if left else None, Shown(self.undecided, left)),
             *data(**{"from": lowest}, space=self.space.text,
                   prior="given" if given else "uniform", finished=self.finished)),
            (f"Proved for every {other}level, except within one unit of the last decimal shown.",
             *(["An exact endpoint is proved: of all roots at which a sign can change, it alone "
                "lies there."] if self.exact else []),
             *([f"Below ε = {lowest:g} nothing is claimed."] if lowest else []),
             *([] if self.finished else ["More time reaches further down."])),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(time="seconds=60", **RESULT)
def thresholds(
    space: Space | str,
    *,
    prior: PriorLike = uniform,
    lowest: Number = LOWEST,
    seconds: float = inf,
) -> Thresholds:
    """The levels at which a tight-constraints mechanism exists, proved on both sides.

    With a prior: the levels at which that prior is regular (see `regularity`).

    Returns: `Thresholds`; `intervals` are the levels where it exists, `undecided` those left open.

    Raises: `BadInput` for a `lowest` that is not above 0, an infinite distance, or a prior that
    does not fit; `CannotCheck` for one with probabilities below the range of doubles.

    >>> found = thresholds("star:5")
    >>> [round(float(end), 6) for end in found.endpoints[0]], found.intervals[0].high
    ([1.386294, 1.386294], None)
    >>> found.exact[found.endpoints[0]].text
    'ln(4)'

    Levels from `lowest` on are looked at, or all above 0 where a closed form settles them. They
    are covered from above; after `seconds` the least level that was reached is the `lowest` of
    the answer.
    """
    space, asked = space_of(space), stated(lowest, "a least level above 0")
    prior = prior_of(prior, space)
    require_connected(space, "thresholds are sought on")
    if not 0 < asked <= sizes.LARGEST_EPSILON:
        shown = str(asked) if len(str(asked)) < 24 else f"{str(asked)[:20]}…"
        raise BadLevel(shown, f"a least level above 0 and at most {sizes.LARGEST_EPSILON:,}")
    return Thresholds(space, prior, asked, _pieces(space, prior, asked, monotonic() + seconds))


def _pieces(space: Space, prior: Prior, lowest: Fraction, end: float) -> tuple[Piece, ...]:
    parts = tensor_priors(space, prior)
    if parts is not None:
        return _common([_pieces(part, law, lowest, end) for part, law in parts])
    if prior == uniform and always_positive(space):
        return _ALL
    if isinstance(space, Graph) and len(space.links) == space.size - 1 and prior == uniform:
        return _tree(space)
    kernel = reduced_kernel(space, prior.weights)
    if prior == uniform and kernel.alike:
        return _ALL
    exact = prior.exact(space)
    right = np.array([float(exact[k]) for k in kernel.representatives.tolist()])
    if not min(exact):
        return (Piece(lowest, None, False),)
    if right.min() < tolerances.UNDERFLOW:
        raise CannotCheck("the prior has a probability below 2^-1000, which doubles cannot hold; "
                          "`theory prior` judges it at one level.")
    top = _top(kernel, right, lowest)
    pieces = [Piece(top, None, True)]
    waiting = _steps(lowest, top)
    while waiting and monotonic() < end:
        low, high = waiting.pop()
        exists = _verdict(kernel, right, low, high)
        if exists is None and high - low > FINEST:
            middle = (low + high) / 2
            waiting += [(low, middle), (middle, high)]
        else:
            pieces.append(Piece(low, high, exists))
    return _merge(pieces[::-1])


_ZERO = Fraction(0)
_ALL = (Piece(_ZERO, None, True),)


def _edge(beyond: Piece, end: Fraction | None) -> Endpoint:
    """The two levels around an endpoint, the open piece between them if there is one."""
    assert end is not None
    if beyond.exists is None and beyond.high is not None:
        return Endpoint(beyond.low, beyond.high)
    return Endpoint(end, end)


def _top(kernel: ReducedKernel, right: FloatArray, lowest: Fraction) -> Fraction:
    """A level from which on the solution is certainly positive, in steps of 1/8."""
    target = float(right.min() / (right.min() + right.max())) * (1 - 2.0**-30)
    level = Fraction(int(lowest / _COARSE) + 1) * _COARSE
    apart = np.array([float(distance) > 0 for distance in kernel.classes])
    while True:
        beside = kernel.sums(np.where(apart, kernel_floats(kernel, level), 0.0)).sum(axis=1)
        if float(beside.max()) * (1 + 2.0**-30) <= target:
            return level
        level *= Fraction(5, 4)
        level = Fraction(int(level / _COARSE) + 1) * _COARSE


def _steps(lowest: Fraction, top: Fraction) -> list[tuple[Fraction, Fraction]]:
    """The levels from lowest to top in steps, none longer than 1/8 or a quarter of its start."""
    steps, low = [], lowest
    while low < top:
        high = min(top, low + min(_COARSE, low / 4))
        steps.append((low, high))
        low = high
    return steps


def _verdict(
    kernel: ReducedKernel, right: FloatArray, low: Fraction, high: Fraction
) -> bool | None:
    """Whether all levels from low to high have a mechanism, or none; None if that is open."""
    half = (high - low) / 2
    line = kernel_line(kernel, low + half, half)
    solution = enclose(line, right)
    if solution is not None and solution.low.min() > 0:
        return True
    if solution is not None and solution.high.min() < 0:
        return False
    ruled_out = solution is None and high - low <= FINEST and _rules_out(line, right)
    return False if ruled_out else None


def _rules_out(line: Line, right: FloatArray) -> bool:
    """Whether a null vector of the kernel rules out all levels of the line.

    u = 1·share - v, with v A nearly 0 and v·right > 0, has u A > 0 and u·right < 0.
    """
    left, _, _ = np.linalg.svd(line.start)
    v = np.asarray(left[:, -1])
    v = v if v @ right > 0 else -v
    u = v @ right / (2 * right.sum()) - v
    rounding = (len(u) + 4) * 2.0**-52 + line.error
    size = np.abs(u)
    least = u @ line.start - line.half * np.abs(u @ line.slope) - line.half**2 * (size @ line.curve)
    slack = rounding * (size @ line.start + line.half * (size @ line.slope)) + tolerances.UNDERFLOW
    clear = bool((least > 2 * slack).all())
    return clear and float(u @ right) + 2 * rounding * float(size @ right) < 0


def _tree(space: Graph) -> tuple[Piece, ...]:
    """On a tree every weight grows with ε, from 1 - links/2: one endpoint, found by bisection."""
    ends = np.concatenate([space.links.first, space.links.second])
    if np.bincount(ends, minlength=space.size).max() <= 2:
        return _ALL
    if space.size > sizes.LARGEST_REDUCED:
        raise TooLarge(
            "the number of points", space.size, sizes.LARGEST_REDUCED, "use a smaller tree"
        )

    def exists(level: Fraction) -> bool:
        return isinstance(solve(space, Level.epsilon(level)), KernelWeights)

    low, high = LOWEST, 2 * LOWEST
    while not exists(high):
        low, high = high, 2 * high
    while exists(low):
        low, high = low / 2, low
    while high - low > FINEST:
        middle = (low + high) / 2
        low, high = (low, middle) if exists(middle) else (middle, high)
    return Piece(_ZERO, low, False), Piece(low, high, None), Piece(high, None, True)


def _common(parts: Sequence[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Levels at which all factors have a mechanism: a sum of distances needs each of them."""
    lowest = max(part[0].low for part in parts)
    cuts = sorted({max(lowest, piece.low) for part in parts for piece in part})
    pieces = []
    for k, low in enumerate(cuts):
        verdicts = [_at(part, low) for part in parts]
        exists = False if False in verdicts else None if None in verdicts else True
        pieces.append(Piece(low, cuts[k + 1] if k + 1 < len(cuts) else None, exists))
    return _merge(pieces)


def _at(pieces: tuple[Piece, ...], low: Fraction) -> bool | None:
    return next(
        piece.exists
        for piece in pieces
        if piece.low <= low and (piece.high is None or low < piece.high)
    )


def _merge(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Neighboring pieces with the same verdict as one."""
    runs = ((exists, list(run)) for exists, run in groupby(pieces, key=lambda p: p.exists))
    return tuple(Piece(run[0].low, run[-1].high, exists) for exists, run in runs)
