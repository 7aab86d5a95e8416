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
from itertools import groupby
from math import ceil, floor, inf
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from tightrope.characters import counted, shorten
from tightrope.errors import BadLevel, TooLarge
from tightrope.exact import FloatArray, Level, Line, Number, enclose, sizes, stated, tolerances
from tightrope.kernels import (
    KernelWeights,
    ReducedKernel,
    always_positive,
    kernel_line,
    reduced_kernel,
    solve,
    tensor_priors,
)
from tightrope.markup import lines
from tightrope.spaces import Graph, Space, require_connected, space_of
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

    def as_json(self) -> dict[str, Any]:
        """Both levels and the digits."""
        return {
            "below": float(self.below), "above": float(self.above), "digits": self.digits
        }


@dataclass(frozen=True)
class LevelInterval:
    """Levels with a mechanism, from `low` to `high`.

    `low` is None if the interval reaches down to the least level looked at, and `high` if it
    has no end.
    """

    low: Endpoint | None
    high: Endpoint | None

    def as_json(self) -> dict[str, Any]:
        """Both endpoints."""
        return {
            "low": None if self.low is None else self.low.as_json(),
            "high": None if self.high is None else self.high.as_json(),
        }


@dataclass(frozen=True)
class Thresholds:
    """All levels from `lowest` on, itself included unless it is 0, in pieces with a verdict.

    `asked` is the least level that was asked for; the time may have ended above it.
    """

    space: Space
    prior: Prior
    asked: Fraction
    pieces: tuple[Piece, ...]

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
        found = []
        for k, piece in enumerate(self.pieces):
            if piece.exists:
                before = self.pieces[k - 1] if k else None
                after = self.pieces[k + 1] if k + 1 < len(self.pieces) else None
                low = None if before is None else _edge(before, piece.low)
                high = None if after is None else _edge(after, piece.high)
                found.append(LevelInterval(low, high))
        return tuple(found)

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
        found = {edge for i in self.intervals for edge in (i.low, i.high) if edge is not None}
        return tuple(sorted(found))

    @property
    def undecided(self) -> tuple[tuple[float, float], ...]:
        """Levels without a verdict, from and to: what the time did not reach, and `open`."""
        left = () if self.finished else ((float(self.asked), float(self.lowest)),)
        return left + tuple((float(piece.low), float(piece.high or 0)) for piece in self.open)

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope theory thresholds --json` prints, but for the seconds."""
        return {
            "space": self.space.text,
            "prior": "uniform" if self.prior.weights is None else "given",
            "from": float(self.lowest),
            "intervals": [interval.as_json() for interval in self.intervals],
            "open": [list(ends) for ends in self.undecided],
            "finished": self.finished,
        }

    def __repr__(self) -> str:
        given, first = self.prior.weights is not None, self.intervals[:3]
        more = len(self.intervals) - len(first)
        asked, left = float(self.lowest), len(self.undecided)
        found = [f"ε {_from(i.low, asked)} {_to(i.high)}" for i in first]
        found += [f"and {more} more"] if more else []
        none = "not known" if left else "nowhere"
        return lines(
            f"Thresholds: {shorten(self.space.text)}, {'given' if given else 'uniform'} prior",
            [
                ("regular" if given else "exists", "; ".join(found) or none),
                ("not decided", counted(left, "interval") if left else None),
                ("looked at", f"ε from {asked!r} on" if asked else "every ε above 0"),
            ],
        )


def _from(low: Endpoint | None, asked: float) -> str:
    """The beginning of an interval, rounded into it."""
    if low is not None:
        return f"from {ceil(low.above * 10**7) / 1e7:.7f}"
    return f"from {asked!r}" if asked else "above 0"


def _to(high: Endpoint | None) -> str:
    return "on" if high is None else f"to {floor(high.below * 10**7) / 1e7:.7f}"


def thresholds(
    space: Space | str,
    *,
    prior: PriorLike = uniform,
    lowest: Number = LOWEST,
    seconds: float = inf,
) -> Thresholds:
    """The levels at which a tight-constraints mechanism exists, proved on both sides.

    With a prior: the levels at which that prior is regular (see `regularity`).

    >>> found = thresholds("star:5")
    >>> [round(float(end), 6) for end in found.endpoints[0]], found.intervals[0].high
    ([1.386294, 1.386294], None)

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
    if not right.min() > 0:
        return (Piece(lowest, None, False),)
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
    return _merged(pieces[::-1])


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
    while True:
        start = kernel_line(kernel, level, Fraction(0)).start
        if float(start.sum(axis=1).max()) * (1 + 2.0**-30) - 1 <= target:
            return level
        level *= Fraction(5, 4)
        level = Fraction(int(level / _COARSE) + 1) * _COARSE


def _steps(lowest: Fraction, top: Fraction) -> list[tuple[Fraction, Fraction]]:
    """The levels from lowest to top in steps, none longer than 1/8 or a quarter of its start."""
    found, low = [], lowest
    while low < top:
        high = min(top, low + min(_COARSE, low / 4))
        found.append((low, high))
        low = high
    return found


def _verdict(
    kernel: ReducedKernel, right: FloatArray, low: Fraction, high: Fraction
) -> bool | None:
    """Whether all levels from low to high have a mechanism, or none; None if that is open."""
    half = (high - low) / 2
    line = kernel_line(kernel, low + half, half)
    found = enclose(line, right)
    if found is not None and found.low.min() > 0:
        return True
    if found is not None and found.high.min() < 0:
        return False
    ruled_out = found is None and high - low <= FINEST and _separated(line, right)
    return False if ruled_out else None


def _separated(line: Line, right: FloatArray) -> bool:
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
    return _merged(pieces)


def _at(pieces: tuple[Piece, ...], low: Fraction) -> bool | None:
    return next(
        piece.exists
        for piece in pieces
        if piece.low <= low and (piece.high is None or low < piece.high)
    )


def _merged(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Neighboring pieces with the same verdict as one."""
    found = []
    for exists, group in groupby(pieces, key=lambda piece: piece.exists):
        run = list(group)
        found.append(Piece(run[0].low, run[-1].high, exists))
    return tuple(found)
