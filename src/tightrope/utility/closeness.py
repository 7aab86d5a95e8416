"""How close answers are to the truth, in words: 95 % within 3.

The radius is the smallest one that an answer keeps with probability 19/20: for every single
input, and beside it on average over the prior. Numbers are compared as numbers, counts and
histograms by their largest cell, grids and points by the distance of the space; where points
are no numbers, the probability of the truth itself is reported, rounded down. Sums of doubles
with a bound on their rounding decide, and exact fractions where those do not. Nothing is reported
where it would take long (large kernels, datasets).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import floor
from typing import Any, Final, TypeAlias

import numpy as np
from flint import ctx
from numpy.typing import NDArray

from tightrope.errors import CannotCheck, TooLarge
from tightrope.exact import (
    FloatArray,
    IntArray,
    Surd,
    ball_of,
    float_above,
    float_below,
    upper_bound,
)
from tightrope.mechanisms import (
    FiniteMechanism,
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    NoiseMechanism,
    RemappedMechanism,
)
from tightrope.spaces import Label, Space, distance_table
from tightrope.utility.losses import NamedLoss, absolute, binary, euclidean, fitting, largest
from tightrope.utility.priors import Prior, uniform

Sets: TypeAlias = NDArray[np.bool_]

Truths: TypeAlias = tuple[Sequence[Surd], IntArray]
"""Distances between truths and answers in order, and the place of each input and output in them;
for inputs that are not themselves the truth."""

SHARE: Final = Fraction(19, 20)
"""The probability with which an answer lies within the reported radius."""

MOST_ENTRIES: Final = 4_000_000
"""Most probabilities that are summed, to bound the time; beyond, only closed forms are used."""

_EXACT_ENTRIES: Final = 100_000
"""Most probabilities that are summed exactly to decide about an average."""

_LEAST_TOTAL: Final = 2.0**-600
"""Least row total at which powers that underflow change nothing that matters."""

_ROUNDING: Final = 2.0**-50
"""Above the relative error of one double here: a weight, a power, a sum of two."""


@dataclass(frozen=True)
class Within:
    """With probability `share` or more an answer is within `radius` of the truth.

    The radius is None where points are no numbers: the answer then is the truth that often.
    """

    share: Fraction
    radius: Surd | None = None


@dataclass(frozen=True)
class Closeness:
    """How close answers are to the truth: for every input, and on average over the prior."""

    worst: Within
    average: Within
    cells: bool = False

    def __str__(self) -> str:
        worst, average = self.worst, self.average
        if worst.radius is None or average.radius is None:
            return f"right {_percent(average.share)} (worst input: {_percent(worst.share)})"
        every = "every cell of " if self.cells else ""
        return (f"{every}{_percent(average.share)} within {_length(average.radius)} (worst input: "
                f"{_length(worst.radius)})")

    @property
    def brief(self) -> str:
        """The same for any input, as a table has room for it: ± 3, or right 87 %."""
        if self.worst.radius is None:
            return f"right {_percent(self.worst.share)}"
        return f"± {_length(self.worst.radius)}"

    def as_json(self) -> dict[str, Any]:
        """As JSON: shares rounded down, radii rounded up."""
        document: dict[str, Any] = {"text": str(self)}
        for name, within in (("worst", self.worst), ("average", self.average)):
            radius = None if within.radius is None else float_above(within.radius.ball(128))
            document[name] = {"share": float_below(ball_of(within.share, 128)), "radius": radius}
        return document


BRIEFLY: Final = "± r: 95 % of the answers are within r of the truth, whatever the input."
"""The meaning of `brief`."""


def closeness(
    mechanism: Mechanism, *, prior: Prior = uniform, truths: Truths | None = None
) -> Closeness | None:
    """How close the answers of a mechanism are to the truth; None where that would take long.

    The truth is the input itself, unless `truths` are the distances from it.

    >>> from tightrope.exact import Weights
    >>> from tightrope.spaces import path
    >>> weights = Weights.from_integers([[18, 1, 1], [1, 18, 1], [1, 1, 18]])
    >>> print(closeness(MatrixMechanism(path(0, 2), (0, 1, 2), weights)))
    95 % within 1 (worst input: 1)
    """
    if isinstance(mechanism, NoiseMechanism):
        radius = Within(SHARE, Surd.of(_noise_radius(mechanism)))
        return Closeness(radius, radius)
    if not isinstance(mechanism, FiniteMechanism):
        return None
    if truths is not None:
        return _truth_closeness(truths, _Masses(mechanism, prior))
    space, loss = mechanism.space, fitting(mechanism.space)
    if isinstance(mechanism, KernelMechanism) and loss == binary and mechanism.even:
        chance = mechanism.probability(0, 0)
        return Closeness(Within(chance), Within(chance))
    if space.size * len(mechanism.outputs) > MOST_ENTRIES:
        return None
    try:
        return _row_closeness(mechanism, prior, loss)
    except (CannotCheck, TooLarge):  # numbers too long to write out
        return None


def _row_closeness(mechanism: FiniteMechanism, prior: Prior, loss: NamedLoss) -> Closeness | None:
    """Closeness from the rows of a finite mechanism; None where answers are no numbers."""
    space, masses = mechanism.space, _Masses(mechanism, prior)
    if loss != binary:
        radii = _classes(space, mechanism.outputs, loss)
        return None if radii is None else _smallest_radii(radii, masses, loss == largest)
    right = _same(space.points, mechanism.outputs)
    if not right.any():
        return None
    least, mean = masses.below(right)
    return Closeness(Within(least), Within(mean))


def _truth_closeness(truths: Truths, masses: _Masses) -> Closeness:
    """Radii around truths; where answers are only right or wrong, how often they are right."""
    radii, table = truths
    if len(radii) > 2:
        return _smallest_radii(truths, masses)
    least, mean = masses.below(table == 0)
    return Closeness(Within(least), Within(mean))


def _smallest_radii(distances: Truths, masses: _Masses, cells: bool = False) -> Closeness:
    """The smallest radii that are kept often enough."""
    radii, table = distances
    worst, average = (
        _first(len(radii), lambda c, enough=enough: enough(table <= c))  # type: ignore[misc]
        for enough in (masses.enough, masses.enough_on_average)
    )
    return Closeness(Within(SHARE, radii[worst]), Within(SHARE, radii[average]), cells)


class _Masses:
    """Probabilities of sets of outputs, one set for each input: bounds first, then exactly."""

    def __init__(self, mechanism: FiniteMechanism, prior: Prior) -> None:
        self._rows: Callable[[int], tuple[Fraction, ...]] = mechanism.row_at
        self._weights, steps = _weights(mechanism)
        self._totals = self._weights.sum(axis=1)
        self._prior = prior.on(mechanism.space)
        self._exact = prior.exact(mechanism.space)
        # a sum of n terms of one sign has a relative error of at most n roundings
        self._error = (steps + 2 * self._weights.shape[1] + len(self._prior)) * _ROUNDING

    def _shares(self, inside: Sets) -> FloatArray:
        return np.asarray((self._weights * inside).sum(axis=1) / self._totals)

    def _share(self, y: int, inside: Sets) -> Fraction:
        return sum((p for p, counts in zip(self._rows(y), inside[y], strict=True) if counts),
                   Fraction(0))

    def enough(self, inside: Sets) -> bool:
        """Whether every input has its set with probability 19/20 or more."""
        shares, need = self._shares(inside), float(SHARE)
        if (shares * (1 + self._error) < need).any():
            return False
        doubtful = np.flatnonzero(shares * (1 - self._error) < need)
        return all(self._share(y, inside) >= SHARE for y in doubtful.tolist())

    def enough_on_average(self, inside: Sets) -> bool:
        """Whether the sets together have probability 19/20 or more over the prior."""
        mean, need = float(self._prior @ self._shares(inside)), float(SHARE)
        if mean * (1 - self._error) >= need or mean * (1 + self._error) < need:
            return mean >= need
        if inside.size > _EXACT_ENTRIES:
            return False  # not decided, so not claimed
        return self._mean(inside) >= SHARE

    def _mean(self, inside: Sets) -> Fraction:
        return sum((p * self._share(y, inside) for y, p in enumerate(self._exact) if p),
                   Fraction(0))

    def below(self, inside: Sets) -> tuple[Fraction, Fraction]:
        """Lower bounds on the least probability of a set, and on the mean one; exact if small."""
        if inside.size <= _EXACT_ENTRIES:
            everyone = range(len(inside))
            return min(self._share(y, inside) for y in everyone), self._mean(inside)
        shares = self._shares(inside) * (1 - self._error)
        return Fraction(float(shares.min())), Fraction(
            float(self._prior @ shares) * (1 - self._error)
        )


def _weights(mechanism: FiniteMechanism) -> tuple[FloatArray, int]:
    """Doubles in the proportions of each row, and how many roundings each of them has."""
    if isinstance(mechanism, MatrixMechanism):
        return mechanism.weights.floats, 8
    if isinstance(mechanism, RemappedMechanism):
        kept, roundings = _weights(mechanism.kernel)
        merged = np.zeros((len(mechanism.outputs), len(kept)))
        np.add.at(merged, list(mechanism.targets), kept.T)
        return merged.T, roundings + len(mechanism.targets)
    classes, table = distance_table(mechanism.space)
    steps = [float(length * (1 / mechanism.unit)) for length in classes]
    with ctx.workprec(128):
        rate = ball_of(mechanism.ratio, 128).log()
        powers = [float((-rate * ball_of(Fraction(step), 128)).exp().mid()) for step in steps]
    farthest = max(1.0, max(steps)) * float(rate.mid())
    most = Fraction(max(mechanism.weights))
    products = np.array(powers)[table] * np.array([float(w / most) for w in mechanism.weights])
    if products.sum(axis=1).min() < _LEAST_TOTAL:
        raise CannotCheck("the rows are beyond the range of doubles.")
    return products, 16 + int(farthest)


def _classes(
    space: Space, outputs: Sequence[Label], loss: NamedLoss
) -> tuple[Sequence[Surd], IntArray] | None:
    """The distinct radii in order, and for every input and output the place of its radius.

    None where answers are no numbers.
    """
    if loss == euclidean:
        same = outputs is space.points or tuple(outputs) == tuple(space.points)
        if not same:
            return None
        classes, places = distance_table(space)
        return classes, places.astype(np.int64)
    if any(type(label) is not type(space.points[0]) for label in outputs):
        return None
    inputs, answers = (np.array(labels, dtype=np.int64) for labels in (space.points, outputs))
    if loss == absolute and inputs.ndim == answers.ndim == 1:
        table = np.abs(inputs[:, None] - answers)
    elif inputs.ndim == answers.ndim == 2 and inputs.shape[1] == answers.shape[1]:
        table = np.zeros((len(inputs), len(answers)), dtype=np.int64)
        for axis in range(inputs.shape[1]):
            np.maximum(table, np.abs(inputs[:, axis, None] - answers[:, axis]), out=table)
    else:
        return None
    return _WholeRadii(int(table.max()) + 1), table


class _WholeRadii(Sequence[Surd]):
    """The radii 0, 1, 2, …"""

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: int) -> Surd:  # type: ignore[override]
        return Surd.of(place)


def _first(size: int, holds: Callable[[int], bool]) -> int:
    """The first of 0 … size - 1 at which it holds; it does at the last, and after the first."""
    low, high = 0, size - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _same(points: Sequence[Label], outputs: Sequence[Label]) -> Sets:
    place = {output: z for z, output in enumerate(outputs)}
    matches = np.zeros((len(points), len(outputs)), dtype=np.bool_)
    for y, point in enumerate(points):
        if point in place:
            matches[y, place[point]] = True
    return matches


def _noise_radius(noise: NoiseMechanism) -> int:
    """The smallest r with P(|noise| <= r) >= 19/20: beyond r lie rungs in a geometric series."""

    def enough(r: int) -> bool:
        if r < noise.first - 1:
            return (2 * r + 1) / noise.normalizer >= SHARE
        # r = first - 1 + t step + u: beyond it are step - u integers of rung t + 1 on either
        # side, and all of the rungs after it, which weigh q^-(t+1)/(q - 1) for each integer
        t, u = divmod(r - noise.first + 1, noise.step)
        left = 2 * ((noise.step - u) + noise.step / (noise.ratio - 1)) / noise.normalizer
        bits = 128
        while True:
            with ctx.workprec(bits):
                tail = ball_of(left, bits) * (-(t + 1) * ball_of(noise.ratio, bits).log()).exp()
                most = ball_of(1 - SHARE, bits)
                if tail < most or tail > most:
                    return bool(tail < most)
            if bits > 256 and noise.ratio.numerator.bit_length() * (t + 1) < 1 << 20:
                return left * noise.ratio ** -(t + 1) <= 1 - SHARE
            if bits > 1 << 16:
                return False  # not decided, so not claimed
            bits *= 2

    high = 1
    while not enough(high):
        high *= 2
    return _first(high + 1, enough)


def _percent(share: Fraction) -> str:
    """A probability in percent, rounded down to a tenth: 87.3 %."""
    tenths = floor(share * 1000)
    return f"{tenths / 10:g} %" if tenths or not share else "less than 0.1 %"


def _length(radius: Surd) -> str:
    """A radius, rounded up where it is not short."""
    exact = radius.rational
    if exact is not None and len(str(exact)) <= 6:
        return str(exact)
    with ctx.workprec(80):
        above = upper_bound(radius.ball(80))
    rounding = Context(prec=4, rounding=ROUND_CEILING)
    return f"{rounding.divide(Decimal(above.numerator), Decimal(above.denominator)).normalize():f}"
