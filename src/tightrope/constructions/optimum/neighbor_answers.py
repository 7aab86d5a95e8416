"""Probabilities, multipliers and a prior from a solution of the neighbor program."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.constructions.optimum.neighbor_program import NeighborProgram
from tightrope.exact import Weights
from tightrope.lp import FineSolution
from tightrope.utility import SCALE, Multipliers, Prior

_SHORT_BITS = 60
"""Bits after the point of probabilities that fit a 64-bit word, with room for sums."""


def short_weights(program: NeighborProgram, optimum: FineSolution) -> Weights:
    """The probabilities in multiples of 2^-60; every row adds up to one."""
    orbit_values = np.zeros(len(program.kept), dtype=np.int64)
    values = np.maximum(0, optimum.values[: int(program.kept.sum())]) >> program.bits - _SHORT_BITS
    orbit_values[program.kept] = values.astype(np.int64)
    table = orbit_values[program.orbits.cells.labels].reshape(-1, program.width)
    missing = (1 << _SHORT_BITS) - table.sum(axis=1)
    table[np.arange(len(table)), table.argmax(axis=1)] += missing
    return Weights(table, np.full(table.shape, -_SHORT_BITS))


def largest_excess(program: NeighborProgram, weights: Weights) -> float:
    """About the largest Σ_z max(0, h[a, z] - h[b, z] / κ) over pairs."""
    table = np.ldexp(weights.mantissas.astype(np.longdouble), weights.exponents)
    shares = np.ldexp((program.shares[0] >> program.bits - 62).astype(np.longdouble), -62)
    first, second = table[program.orbits.first], table[program.orbits.second]
    excess = np.maximum(0, shares[:, None] * first - second).sum(axis=1) / shares
    return float(excess.max())


def weights(program: NeighborProgram, optimum: FineSolution) -> Weights:
    """The probabilities of a solution, to all its digits."""
    orbit_values = np.zeros(len(program.kept), dtype=object)
    orbit_values[program.kept] = np.maximum(0, optimum.values[: int(program.kept.sum())])
    table = orbit_values[program.orbits.cells.labels].reshape(-1, program.width)
    return Weights(table, np.full(table.shape, -program.bits))


def least_favorable(program: NeighborProgram, optimum: FineSolution) -> Prior:
    """The least favorable prior: dual prices of the loss rows, normalized."""
    inputs = program.orbits.inputs
    prices = -optimum.prices[-len(inputs) :] >> program.bits - SCALE
    weights = [
        Fraction(max(0, price), size)
        for price, size in zip(prices.tolist(), inputs.sizes.tolist(), strict=True)
    ]
    total = sum(weights[k] for k in inputs.labels.tolist())
    return Prior(tuple(weights[k] / total for k in inputs.labels.tolist()))


def multipliers(program: NeighborProgram, optimum: FineSolution) -> list[Multipliers]:
    """The prices of the triples as multipliers of h[b, z] >= κ h[a, z]."""
    shift = program.bits - SCALE - program.unit
    triples, first, second = program.orbits.triples, program.orbits.first, program.orbits.second
    prices = np.zeros(len(triples), dtype=object)
    prices[program.row_triples] = np.maximum(0, -optimum.prices[: len(program.row_triples)])
    prices //= triples.sizes
    amounts = prices >> shift if shift >= 0 else prices << -shift
    table = amounts[triples.labels].reshape(len(first), -1)
    columns = []
    for column in table.T:
        used = np.flatnonzero(column)
        columns.append(Multipliers(second[used], first[used], tuple(column[used].tolist())))
    return columns
