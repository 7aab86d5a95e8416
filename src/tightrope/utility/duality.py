"""Lower bounds on the loss of every private mechanism, proved exactly.

For non-negative multipliers m on pairs (a, b), one set for each output z,

    price[y] = min_z ( prior[y] · loss[y, z] - Σ_b m_z[y, b] + Σ_a e^(-ε d(a,y)) m_z[a, y] ),

and the prices add up to a bound: a mechanism has P(z | a) >= e^(-ε d(a,b)) P(z | b), so
every multiplier takes away no more than it gives back. With δ > 0 it may take away more: the
excesses P(z | b) - e^(ε d) P(z | a) of neighbors a, b add up to at most δ, so the bound pays

    toll = δ · Σ over pairs (a, b) of max_z e^(-ε d(a,b)) m_z[a, b].

All is in whole multiples of 2^-96. Losses, e^(-ε d) and its products with multipliers (the same
in prices and toll) are rounded down, the toll up, so that every machine gets the same bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tightrope.errors import BadInput, Refused
from tightrope.exact import IntArray, Level, Surd, own
from tightrope.markup import brief
from tightrope.spaces import Pairs, Space, pair_classes
from tightrope.utility.brackets import SCALE, Bracket
from tightrope.utility.priors import Prior
from tightrope.utility.problem import Problem

_TOGETHER = 2_000_000
"""Pairs whose distances are looked up at a time: fewer take longer, more take memory."""

_SHARE_BITS, _UNITS = 2 * SCALE, arb(1 << SCALE)
"""Precision of the first try at e^(-ε d), and the units of 2^-96 in 1."""


@dataclass(frozen=True, eq=False)
class Multipliers:
    """The multipliers of one output: units of 2^-96 on pairs (first, second), none negative."""

    first: IntArray
    second: IntArray
    amounts: tuple[int, ...]

    __repr__ = brief

    def __post_init__(self) -> None:
        own(self, "first", "second")
        counts = {self.first.shape, self.second.shape, (len(self.amounts),)}
        if len(counts) > 1 or not all(type(m) is int and m >= 0 for m in self.amounts):
            raise BadInput("expected a whole number of units, 0 or more, for each pair of inputs.")


@dataclass(frozen=True, eq=False)
class Dual:
    """Multipliers for every output, and the prices and the toll they prove, in units of 2^-96.

    The bound is on the average over `prior`; a bound on any average is one on the worst case.
    """

    multipliers: tuple[Multipliers, ...]
    prices: tuple[int, ...]
    prior: Prior
    toll: int = 0

    __repr__ = brief

    @property
    def bound(self) -> Fraction:
        """The proved lower bound on the average loss."""
        return Fraction(sum(self.prices) - self.toll, 2**SCALE)


def relative_gap(value: float, bound: float) -> float:
    """(value - bound) / |value|; zero where rounding puts the value at or below the bound."""
    if value <= bound:
        return 0.0
    return (value - bound) / abs(value) if value else float("inf")


def prove_bound(
    problem: Problem, multipliers: Sequence[Multipliers], prior: Prior | None = None
) -> Dual:
    """A proved lower bound on the loss of every mechanism for a problem, from any multipliers.

    Multipliers are not negative, for each output on pairs of inputs
    (docs/concepts/evidence.md). The bound is on the average over `prior`, that of the problem
    if None.

    Returns: a `Dual`; its `bound` is an exact fraction.

    Raises: `BadInput` for multipliers of another number of outputs, or on other inputs; `Refused`
    with δ above 0 on pairs that are no declared neighbors.

    >>> none = Multipliers(np.zeros(0, np.int64), np.zeros(0, np.int64), ())
    >>> float(prove_bound(Problem("categories:2", 1), [none, none]).bound)  # trivial
    0.0
    """
    space, level, bracket = problem.space, problem.level, problem.bracket
    prior = problem.averaged if prior is None else prior
    if len(multipliers) != len(problem.answers):
        raise BadInput(
            f"expected multipliers for {len(problem.answers)} outputs, found {len(multipliers)}."
        )
    ends = [end for given in multipliers for end in (given.first, given.second) if len(end)]
    if any(end.min() < 0 or end.max() >= space.size for end in ends):
        raise BadInput(f"expected multipliers on pairs of the {space.size} inputs, found others.")
    if level.delta and not all_neighbors(space, multipliers):
        raise Refused("a bound with δ above 0 needs multipliers on neighbors only.")
    costs = cost_columns(prior.exact(space), bracket)
    prices: Any = None
    largest: Counter[tuple[int, int]] = Counter()
    for z, (given, shares) in enumerate(
        zip(multipliers, _shares(space, level, multipliers), strict=True)
    ):
        column = costs(z)
        amounts = np.array(given.amounts, dtype=object)
        back = amounts * shares >> SCALE
        np.subtract.at(column, given.first, amounts)
        np.add.at(column, given.second, back)
        prices = column if prices is None else np.minimum(prices, column)
        if level.delta:
            returned: Counter[tuple[int, int]] = Counter()
            for a, b, more in zip(given.first.tolist(), given.second.tolist(), back, strict=True):
                returned[a, b] += more
            for pair, more in returned.items():
                largest[pair] = max(largest[pair], more)
    toll = ceil(level.delta * largest.total())
    return Dual(tuple(multipliers), tuple(prices.tolist()), prior, toll)


def best_dual(problem: Problem, multipliers: Sequence[Multipliers], prior: Prior) -> Dual:
    """The dual with the larger bound: of these multipliers, or of none (no privacy)."""
    nobody = np.empty(0, dtype=np.int64)
    none = [Multipliers(nobody, nobody, ())] * len(problem.answers)
    duals = [prove_bound(problem, given, prior) for given in (none, multipliers)]
    return max(duals, key=lambda dual: dual.bound)


def cost_columns(chances: Sequence[Fraction], bracket: Bracket) -> Callable[[int], NDArray[Any]]:
    """Prior times loss of every input for an output, rounded down, as Python integers.

    Each distinct product is computed once, unless there are more than inputs times outputs.
    """
    index, kinds = bracket.index, dict[Fraction, int]()
    kind = np.array([kinds.setdefault(chance, len(kinds)) for chance in chances])
    if len(kinds) * len(bracket.low) <= index.size:
        table = np.array(
            [[p.numerator * low // p.denominator for low in bracket.low] for p in kinds],
            dtype=object,
        )
        return lambda z: np.asarray(table[kind, index[:, z]])
    lows = np.array(bracket.low, dtype=object)
    above, below = (
        np.array([getattr(p, part) for p in chances], dtype=object)
        for part in ("numerator", "denominator")
    )
    return lambda z: np.asarray(above * lows[index[:, z]] // below)


def all_neighbors(space: Space, multipliers: Sequence[Multipliers]) -> bool:
    """Whether every multiplier is on declared neighbors, the pairs that δ speaks of.

    >>> from tightrope.spaces import path
    >>> near, far = (Multipliers(np.array([b]), np.array([0]), (1,)) for b in (1, 2))
    >>> all_neighbors(path(0, 2), [near]), all_neighbors(path(0, 2), [near, far])
    (True, False)
    """
    first, second = _all_pairs(multipliers)
    if space.neighbors is None or not len(first):
        return not len(first)
    pairs = space.neighbors.pairs
    asked, known = (
        np.minimum(a, b) * space.size + np.maximum(a, b)
        for a, b in ((first, second), (pairs.first, pairs.second))
    )
    return bool(np.isin(asked, known).all())


def _shares(
    space: Space, level: Level, multipliers: Sequence[Multipliers]
) -> Iterator[NDArray[Any]]:
    """For every output e^(-ε d) of its pairs, rounded down to units of 2^-96, as integers.

    Distances are looked up for some outputs at a time, to bound memory; each power is computed
    once.
    """
    known: dict[object, int] = {}
    epsilon = level.ball(_SHARE_BITS)
    rounds = np.cumsum([len(given.first) for given in multipliers]) // _TOGETHER
    for number in np.unique(rounds):
        some = [multipliers[z] for z in np.flatnonzero(rounds == number).tolist()]
        classes, index = pair_classes(space, Pairs(*_all_pairs(some)))
        names = [(distance.infinite, distance.terms) for distance in classes]
        for name, distance in zip(names, classes, strict=True):
            if name not in known:
                known[name] = _share(level, epsilon, distance)
        powers = np.array([known[name] for name in names], dtype=object)
        for part in np.split(index, np.cumsum([len(given.first) for given in some])[:-1]):
            yield powers[part]


def _all_pairs(multipliers: Sequence[Multipliers]) -> tuple[IntArray, IntArray]:
    """The pairs of all outputs, one after the other."""
    return (
        np.concatenate([given.first for given in multipliers]),
        np.concatenate([given.second for given in multipliers]),
    )


def _share(level: Level, epsilon: arb, distance: Surd) -> int:
    exact = level.power(distance)
    if exact is not None:
        return (exact.denominator << SCALE) // exact.numerator
    bits = _SHARE_BITS
    while True:  # ends: an irrational number lies strictly between two multiples
        with ctx.workprec(bits):
            power = -epsilon * distance.ball(bits)
            if power < -SCALE:
                return 0
            units = (power.exp() * _UNITS).floor().unique_fmpz()
        if units is not None:
            return int(units)
        bits *= 2
        epsilon = level.ball(bits)
