"""An optimum in exact fractions: the loss of a mechanism equals the bound of its multipliers.

With multipliers m that are fractions, on pairs where e^(ε d) is one too,

    price[y] = min_z ( prior[y] · loss[y, z] - Σ_b m_z[y, b] + Σ_a e^(-ε d(a,y)) m_z[a, y] )

is exact, and so is the sum of the prices. Where that is the loss of the mechanism, it is optimal
with a gap of 0. Levels have δ = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import TypeAlias

from tightrope.choices import Goal
from tightrope.errors import CannotCheck
from tightrope.exact import Level, Surd
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism
from tightrope.spaces import Label, Space
from tightrope.utility.losses import Binary, Loss, LossMatrix
from tightrope.utility.places import whole_gaps
from tightrope.utility.priors import Prior
from tightrope.utility.problem import Problem

Triples: TypeAlias = tuple[tuple[int, int, Fraction], ...]
"""Multipliers of one output on pairs of inputs (a, b), as fractions."""

MOST_UNIT = 1 << 20
"""Bits of the common denominator of an exact claim, at most."""


@dataclass(frozen=True, eq=False)
class ExactOptimum:
    """The exact loss of an optimum, and the multipliers on its tight pairs that prove it.

    `multipliers` has for each output triples (a, b, amount); `basis` has for each output the
    pairs (a, b) of inputs with P(z | a) = e^(-ε d(a,b)) P(z | b) that determine it as a vertex,
    where b is None if it is P(z | a) = 0; it is empty where no vertex was named, as may be at
    large ratios. `prior` is the one that the bound is an average over.
    """

    value: Fraction
    multipliers: tuple[Triples, ...]
    prior: Prior
    basis: tuple[tuple[tuple[int, int | None], ...], ...] = ()

    __repr__ = brief


def exact_losses(loss: Loss, space: Space, outputs: Sequence[Label]) -> list[list[Fraction]] | None:
    """The loss of every input and output as a fraction; None where one is irrational.

    >>> from tightrope.spaces import path
    >>> from tightrope.utility.losses import absolute
    >>> [[str(x) for x in row] for row in exact_losses(absolute, path(0, 1), ("1/3", 1))]
    [['1/3', '1'], ['2/3', '0']]
    """
    if isinstance(loss, Binary | LossMatrix):
        table = loss.numbers if isinstance(loss, LossMatrix) else loss.matrix(space, outputs)
        return [[Fraction(entry) for entry in row] for row in table.tolist()]
    gaps, divisor = whole_gaps(space, outputs, loss.degree)
    rows = [[Fraction(int(k), divisor**loss.degree) for k in row]
            for row in loss.total(gaps).tolist()]
    if not loss.rooted:
        return rows
    roots = [[Fraction(isqrt(x.numerator), isqrt(x.denominator)) for x in row] for row in rows]
    square = all(root * root == x for line, row in zip(roots, rows, strict=True)
                 for root, x in zip(line, row, strict=True))
    return roots if square else None


def exact_value(problem: Problem, mechanism: FiniteMechanism) -> Fraction:
    """The loss of a mechanism whose outputs are the answers of the problem."""
    losses = exact_losses(problem.loss, problem.space, mechanism.outputs)
    if losses is None:
        raise CannotCheck("an exact loss needs losses that are fractions.")
    means = _means(mechanism, losses)
    if problem.goal is Goal.WORST:
        return max(means)
    chances = problem.prior.exact(problem.space)
    return sum((p * mean for p, mean in zip(chances, means, strict=True)), Fraction(0))


def _means(mechanism: FiniteMechanism, losses: list[list[Fraction]]) -> list[Fraction]:
    """The mean loss of every input."""
    return [sum((p * cost for p, cost in zip(mechanism.row_at(y), row, strict=True)), Fraction(0))
            for y, row in enumerate(losses)]


def exact_bound(problem: Problem, multipliers: Sequence[Triples], prior: Prior) -> Fraction:
    """The exact bound that multipliers in fractions prove, on the average over a prior."""
    space, chances = problem.space, prior.exact(problem.space)
    losses = exact_losses(problem.loss, space, problem.answers)
    if losses is None or problem.level.delta:
        raise CannotCheck("an exact bound needs losses that are fractions, and δ = 0.")
    prices: list[Fraction] | None = None
    for z, triples in enumerate(multipliers):
        column = [p * row[z] for p, row in zip(chances, losses, strict=True)]
        for a, b, amount in triples:
            column[a] -= amount
            column[b] += amount * exact_share(problem.level, space.distance(a, b))
        prices = column if prices is None else list(map(min, prices, column))
    return sum(prices or (), Fraction(0))


def exact_share(level: Level, distance: Surd) -> Fraction:
    """e^(-ε d) as a fraction; 0, which is below it, where it is irrational."""
    if distance.infinite:
        return Fraction(0)
    power = level.power(distance)
    return Fraction(0) if power is None else 1 / power


def is_proved(optimum: ExactOptimum, problem: Problem, mechanism: FiniteMechanism) -> bool:
    """Whether the mechanism loses exactly the stated value, and no other mechanism less.

    Raises: `CannotCheck` where the common denominator of all fractions is too long.
    """
    if any(amount < 0 for triples in optimum.multipliers for _, _, amount in triples):
        return False
    if len(optimum.multipliers) != len(mechanism.outputs):
        return False
    _refuse_long(optimum, problem, mechanism)
    return (
        exact_value(problem, mechanism) == optimum.value
        and exact_bound(problem, optimum.multipliers, optimum.prior) == optimum.value
    )


def _refuse_long(optimum: ExactOptimum, problem: Problem, mechanism: FiniteMechanism) -> None:
    """Refuse fractions whose common denominator is too long: the receipt refuses the same."""
    losses = exact_losses(problem.loss, problem.space, mechanism.outputs) or []
    amounts = [triple for triples in optimum.multipliers for triple in triples]
    pairs = {(a, b) for a, b, _ in amounts}
    unit = 1
    for parts in (
        [p.denominator for p in optimum.prior.exact(problem.space)],
        [exact_share(problem.level, problem.space.distance(a, b)).denominator for a, b in pairs],
        [cost.denominator for row in losses for cost in row],
        [amount.denominator for _, _, amount in amounts],
        [mean.denominator for mean in _means(mechanism, losses)],
    ):
        common = 1
        for part in parts:
            common = lcm(common, part)
            if (unit * common).bit_length() > MOST_UNIT:
                raise CannotCheck("the fractions of an exact optimum are too long to be checked.")
        unit *= common
