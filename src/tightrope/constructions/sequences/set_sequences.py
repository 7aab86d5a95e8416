"""Set sequences: one engine for staircase, ladder, K-norm and privacy-first mechanisms.

Each dataset x cuts the outputs into sets 0, 1, 2, ...; i(x, r) is the set of output r, and
P(r | x) is proportional to measure(r) · e^(-ε i(x, r)). If the index of an output differs by
at most 1 between neighbors, so do the logarithms of weights and of normalizers by at most ε,
and the level is below 2ε. How far below is computed exactly: `exact_level`.

WXH, Theorems 1 to 6. Indices may be rational: multiples of 1/`fineness`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import shorten
from tightrope.errors import BadInput
from tightrope.exact import (
    FloatArray,
    IntArray,
    Level,
    Surd,
    Weights,
    float_above,
    float_below,
    own,
    owned,
    tolerances,
)
from tightrope.mechanisms import MatrixMechanism, evaluate
from tightrope.privacy import Certified, Smallest, certified
from tightrope.spaces import MetricQuery, Space, components, graph, pair_classes

NEVER = -1
"""The index of an output in no set: like one of measure 0, it has probability 0, for a dataset
and all those that a path leads to."""

_BELOW = -(2**40)
"""Less than any difference of indices."""

_UNIT = Surd.of(1)


@dataclass(frozen=True, eq=False)
class Cases:
    """The ratios that decide a level: root^drop · α(b)/α(a) for distinct pairs (a, b).

    Normalizers are given by the measures of the sets: α = Σ measure of set k · root^-k. A level ε
    asks of a case that it is at most e^(ε · length); without `lengths` all are 1.
    """

    shapes: tuple[tuple[Fraction, ...], ...]
    drops: IntArray
    first: IntArray
    second: IntArray
    lengths: tuple[Surd, ...] | None = None

    def __post_init__(self) -> None:
        own(self)

    @cached_property
    def _table(self) -> NDArray[np.float64]:
        width = max(map(len, self.shapes))
        rows = [[*map(float, shape), *[0.0] * (width - len(shape))] for shape in self.shapes]
        return np.array(rows)

    def length(self, k: int) -> Surd:
        """The distance of the pairs of case k."""
        return _UNIT if self.lengths is None else self.lengths[k]

    @cached_property
    def spans(self) -> NDArray[np.float64]:
        """The lengths in doubles."""
        lengths = self.lengths or (_UNIT,) * len(self.drops)
        return np.array([float(length) for length in lengths])

    def logarithms(self, root: float) -> NDArray[np.float64]:
        """ln of root^drop · α(b)/α(a), over the length, of every case, in doubles."""
        powers = root ** -np.arange(self._table.shape[1], dtype=np.float64)
        sums = np.log(self._table @ powers)
        sizes = np.log(root) * self.drops + sums[self.second] - sums[self.first]
        return np.asarray(sizes / self.spans)

    def steepest(self, root: float) -> list[int]:
        """The cases that come close to the largest, among them the largest itself."""
        sizes = self.logarithms(root)
        near = sizes.max(initial=0.0) - tolerances.SEQUENCE_MARGIN
        return [int(k) for k in np.flatnonzero(sizes >= near)]

    def ratio(self, k: int, low: Fraction, high: Fraction) -> Fraction:
        """A lower bound of case k for all roots from low to high; exact if they are equal.

        Normalizers fall as the root grows, so the ends of the interval bound them.
        """
        drop = int(self.drops[k])
        factor = Fraction(low**drop if drop >= 0 else high**drop)
        other = evaluate(self.shapes[int(self.second[k])], high)
        return factor * other / evaluate(self.shapes[int(self.first[k])], low)

    @cached_property
    def growth(self) -> IntArray:
        """The power of the root with which each case grows as the root does, if above 0."""
        leads = np.array([next(k for k, m in enumerate(shape) if m) for shape in self.shapes])
        return np.asarray(self.drops + leads[self.first] - leads[self.second])

    def ratio_from(self, k: int, low: Fraction) -> Fraction:
        """A lower bound of case k, with growth above 0, for all roots from low on.

        α(b) is at least the measure of its first set over a power of the root; the remaining factor
        is root^growth over a normalizer that falls as the root grows.
        """
        lead, least = next((j, m) for j, m in enumerate(self.shapes[int(self.second[k])]) if m)
        power = int(self.drops[k]) - lead
        return least * Fraction(low**power) / evaluate(self.shapes[int(self.first[k])], low)


@dataclass(frozen=True, eq=False)
class SetSequences:
    """Sets of answers around the true one that grow step by step: how far r is from dataset x.

    `indices[x, r]` is the number i(x, r) of the first set that holds r, as a multiple of
    1/fineness (-1: none does); an answer r is drawn with a chance that falls as e^(-ε i).
    Refused unless indices of neighbors differ by at most 1: that is all the theorems need.

    >>> from tightrope.spaces import path, query
    >>> from tightrope.constructions import privacy_first
    >>> sets = privacy_first(query(path(0, 4), path(0, 4), lambda x: x))
    >>> isinstance(sets, SetSequences)
    True
    """

    query: MetricQuery
    construction: str
    indices: IntArray
    fineness: int = 1

    def __post_init__(self) -> None:
        own(self)
        expected = (self.query.datasets.size, self.query.codomain.size)
        if self.indices.shape != expected:
            raise BadInput(f"expected indices of shape {expected}, found {self.indices.shape}.")
        reached = (self.indices != NEVER)[:, [mass > 0 for mass in self.query.measure]]
        part = components(self.query.datasets)
        groups = [reached[part == name] for name in range(int(part.max()) + 1)]
        if any((rows != rows[0]).any() or not rows[0].any() for rows in groups):
            raise BadInput("the sets must cover the same outputs for every dataset, at least one.")
        if int(self.drops.max(initial=0)) > self.fineness:
            raise BadInput("an index differs by more than 1 between neighbors: no level follows.")

    def __repr__(self) -> str:
        steps = f"{Fraction(int(self.indices.max()), self.fineness)} steps"
        return f"SetSequences({shorten(self.construction)}, up to {steps}, {self.query!r})"

    @cached_property
    def drops(self) -> IntArray:
        """For neighbors (a, b) in both orders: max over outputs that occur of i(b, r) - i(a, r).

        It is below 0 where every output is in an earlier set of b than of a.
        """
        return self.drops_between(*self.ends)

    def drops_between(self, first: IntArray, second: IntArray) -> IntArray:
        """For pairs of datasets (a, b): max over outputs that occur of i(b, r) - i(a, r)."""
        used = np.asarray(self.indices)[:, [mass > 0 for mass in self.query.measure]]
        blocks = [np.zeros(0, dtype=np.int64)]
        for start in range(0, len(first), 4096):
            part = slice(start, start + 4096)
            here, there = used[first[part]], used[second[part]]
            blocks.append(np.where(here == NEVER, _BELOW, there - here).max(axis=1))
        return owned(np.concatenate(blocks))

    @cached_property
    def ends(self) -> tuple[IntArray, IntArray]:
        """The neighbors (a, b) of `drops`, in the same order."""
        pairs = self.query.neighbors
        first = np.concatenate([pairs.first, pairs.second])
        return first, np.concatenate([pairs.second, pairs.first])

    @cached_property
    def _shapes(self) -> tuple[list[tuple[Fraction, ...]], IntArray]:
        """The distinct sequences of measures of the sets, and which dataset has which."""
        known: dict[tuple[Fraction, ...], int] = {}
        which = []
        for row in self.indices.tolist():
            sums = [Fraction(0)] * (max(row) + 1)
            for step, mass in zip(row, self.query.measure, strict=True):
                if step != NEVER:
                    sums[step] += mass
            which.append(known.setdefault(tuple(sums), len(known)))
        return list(known), np.array(which)

    @cached_property
    def measures(self) -> tuple[FloatArray, IntArray]:
        """The distinct sequences of measures of sets as doubles, and which dataset has which."""
        shapes, which = self._shapes
        width = max(map(len, shapes))
        return np.array([[*map(float, s), *[0.0] * (width - len(s))] for s in shapes]), which

    @cached_property
    def cases(self) -> Cases:
        """Distinct (drop, measures of a, measures of b) over neighbors: they decide the level."""
        shapes, which = self._shapes
        first, second = self.ends
        rows = np.stack([self.drops, which[first], which[second]], axis=1)
        drops, ones, others = np.unique(rows, axis=0).T
        return Cases(tuple(shapes), drops, ones, others)

    def cases_on(self, space: Space) -> Cases:
        """The cases of the irreducible pairs of a space on the same datasets, with lengths."""
        shapes, which = self._shapes
        pairs = space.edges()
        classes, kinds = pair_classes(space, pairs)
        first = np.concatenate([pairs.first, pairs.second])
        second = np.concatenate([pairs.second, pairs.first])
        drops = self.drops_between(first, second)
        rows = np.stack([drops, which[first], which[second], np.tile(kinds, 2)], axis=1)
        drops, ones, others, kinds = np.unique(rows, axis=0).T
        return Cases(tuple(shapes), drops, ones, others, tuple(classes[k] for k in kinds.tolist()))

    def root(self, level: Level) -> Fraction:
        """A rational number at or just below e^(ε/fineness)."""
        return level.pure.ratio_below(Surd.of(Fraction(1, self.fineness)))

    def exact_level(self, root: Fraction) -> Smallest:
        """The smallest level between neighbors if e^(ε/fineness) = root, exactly.

        It is ln max root^drop · α(b)/α(a), with α(x) the normalizer of dataset x.
        """
        top = max((self.cases.ratio(k, root, root) for k in self.cases.steepest(float(root))),
                  default=Fraction(1))
        if top <= 1:
            return Smallest(0.0, 0.0, None)
        level = Level.ratio(top)
        return Smallest(float_below(level.ball(128)), float_above(level.ball(128)), level)

    def mechanism(self, root: Fraction) -> MatrixMechanism:
        """The mechanism with weights measure(r) · root^(-i(x, r) · fineness), exactly."""
        if root <= 1:
            raise BadInput(f"expected e^ε above 1, found {root}.")
        longest = int(self.indices.max())
        scale = lcm(*(mass.denominator for mass in self.query.measure))
        over, under = root.numerator, root.denominator
        powers = [over ** (longest - k) * under**k for k in range(longest + 1)]
        masses = [int(mass * scale) for mass in self.query.measure]
        rows = [
            [0 if k == NEVER else mass * powers[k] for k, mass in zip(row, masses, strict=True)]
            for row in self.indices.tolist()
        ]
        return MatrixMechanism(self.space, self.query.codomain.points, Weights.from_integers(rows))

    def written(self, root: Fraction) -> Weights:
        """The weights of the mechanism with mantissas of 62 bits, rounded down where longer."""
        longest = int(self.indices.max())
        masses = sorted(set(self.query.measure))
        parts = np.zeros((longest + 2, len(masses), 2), dtype=np.int64)  # the last row: never
        over = under = 1
        for k in range(longest + 1):
            for m, mass in enumerate(masses):
                parts[k, m] = _short(mass.numerator * under, mass.denominator * over)
            over, under = over * root.numerator, under * root.denominator
        kinds = np.array([masses.index(mass) for mass in self.query.measure])
        entries = parts[np.asarray(self.indices), kinds[None, :]]
        return Weights(entries[:, :, 0], entries[:, :, 1])

    @cached_property
    def space(self) -> Space:
        """Datasets with the distance of neighbors: steps between neighbors count, each as 1."""
        datasets = self.query.datasets
        classes, _ = datasets.classes(datasets.edges().first, datasets.edges().second)
        if all(length == Surd.of(1) for length in classes):
            return datasets
        return graph(datasets.points, list(self.query.neighbors))

    def certified(self, root: Fraction, level: Level) -> Certified:
        """The mechanism at e^(ε/fineness) = root, proved at the level; raises `NotPrivate`."""
        return certified(self.mechanism(root), level)

    def distortion(self, ratio: float) -> NDArray[np.float64]:
        """The expected d(f(x), output) of every dataset at e^(ε/fineness) = ratio, in doubles."""
        law = self.law(ratio)
        sizes = np.array([float(length) for length in self.query.lengths])[self.query.ranks]
        return np.asarray((law * sizes).sum(axis=1))

    def within(self, ratio: float, radius: Fraction) -> NDArray[np.float64]:
        """P(d(f(x), output) <= radius) of every dataset, in doubles."""
        inside = np.array([length <= Surd.of(radius) for length in self.query.lengths])
        return np.asarray((self.law(ratio) * inside[self.query.ranks]).sum(axis=1))

    def law(self, ratio: float) -> NDArray[np.float64]:
        """The rows of the mechanism in doubles."""
        mass = np.array([float(m) for m in self.query.measure])
        used = self.indices != NEVER
        first = np.where(used & (mass > 0), self.indices, np.iinfo(np.int64).max).min(axis=1)
        behind = np.where(used, self.indices - first[:, None], 0)
        rows = np.where(used, mass * np.exp(-np.log(ratio) * behind), 0.0)
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def _short(over: int, under: int) -> tuple[int, int]:
    """A fraction as a mantissa of at most 62 bits and a power of two, rounded down."""
    if over == 0:
        return 0, 0
    shift = tolerances.MANTISSA_BITS - over.bit_length() + under.bit_length()
    quotient = (over << shift) // under if shift >= 0 else over // (under << -shift)
    drop = quotient.bit_length() - tolerances.MANTISSA_BITS
    return (quotient >> drop, drop - shift) if drop > 0 else (quotient, -shift)
