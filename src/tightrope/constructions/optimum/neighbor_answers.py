"""What a solution of the program of neighbors says: probabilities, multipliers, a prior."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.constructions.optimum.neighbor_program import NeighborProgram
from tightrope.exact import Weights
from tightrope.lp import FineSolution
from tightrope.utility import SCALE, Multipliers, Prior

_SHORT_BITS = 60
"""Bits after the point of probabilities that fit a word."""


def rounded(program: NeighborProgram, found: FineSolution) -> Weights:
    """The probabilities in multiples of 2^-60, of which every row has a total of one."""
    held = np.zeros(len(program.kept), dtype=np.int64)
    values = np.maximum(0, found.values[: int(program.kept.sum())]) >> program.bits - _SHORT_BITS
    held[program.kept] = values.astype(np.int64)
    table = held[program.orbits.cells.labels].reshape(-1, program.width)
    missing = (1 << _SHORT_BITS) - table.sum(axis=1)
    table[np.arange(len(table)), table.argmax(axis=1)] += missing
    return Weights(table, np.full(table.shape, -_SHORT_BITS))


def largest_excess(program: NeighborProgram, weights: Weights) -> float:
    """What some h[a, z] exceed h[b, z] / κ by in all, at most over pairs, about."""
    table = np.ldexp(weights.mantissas.astype(np.longdouble), weights.exponents)
    shares = np.ldexp((program.shares[0] >> program.bits - 62).astype(np.longdouble), -62)
    first, second = table[program.orbits.first], table[program.orbits.second]
    excess = np.maximum(0, shares[:, None] * first - second).sum(axis=1) / shares
    return float(excess.max())


def weights(program: NeighborProgram, found: FineSolution) -> Weights:
    """The probabilities of a solution, to all its digits."""
    held = np.zeros(len(program.kept), dtype=object)
    held[program.kept] = np.maximum(0, found.values[: int(program.kept.sum())])
    table = held[program.orbits.cells.labels].reshape(-1, program.width)
    return Weights(table, np.full(table.shape, -program.bits))


def least_favorable(program: NeighborProgram, found: FineSolution) -> Prior:
    """The prior that the prices of the losses of inputs stand for."""
    inputs = program.orbits.inputs
    prices = -found.prices[-len(inputs) :] >> program.bits - SCALE
    weights = [
        Fraction(max(0, price), size)
        for price, size in zip(prices.tolist(), inputs.sizes.tolist(), strict=True)
    ]
    total = sum(weights[k] for k in inputs.labels.tolist())
    return Prior(tuple(weights[k] / total for k in inputs.labels.tolist()))


def multipliers(program: NeighborProgram, found: FineSolution) -> list[Multipliers]:
    """The prices of the triples as multipliers of h[b, z] >= κ h[a, z]."""
    shift = program.bits - SCALE - program.unit
    triples, first, second = program.orbits.triples, program.orbits.first, program.orbits.second
    prices = np.zeros(len(triples), dtype=object)
    prices[program.asked] = np.maximum(0, -found.prices[: len(program.asked)])
    prices //= triples.sizes
    amounts = prices >> shift if shift >= 0 else prices << -shift
    table = amounts[triples.labels].reshape(len(first), -1)
    held = []
    for column in table.T:
        used = np.flatnonzero(column)
        held.append(Multipliers(second[used], first[used], tuple(column[used].tolist())))
    return held
