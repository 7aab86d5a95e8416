"""Losses in whole numbers: every loss between two multiples of 2^-96.

A claim about a loss must not depend on how a machine rounds. Here a loss is enclosed by the
nearest multiples of 2^-96 below and above it, and the loss of a mechanism is bounded from
above by whole numbers: for input y, with weights w[y, z] and their exact total,

    ceiling[y] = ⌈ Σ_z w[y, z] high[y, z] / Σ_z w[y, z] ⌉.

Anybody who computes these numbers gets the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import own
from tightrope.mechanisms import FiniteMechanism, written_out
from tightrope.spaces import Space
from tightrope.utility.priors import Prior

SCALE = 96
"""Bits after the binary point of losses, prices and multipliers."""


@dataclass(frozen=True, eq=False)
class Bracket:
    """Every loss between two multiples of 2^-96: entry [y, z] is class index[y, z]."""

    index: NDArray[np.intp]
    low: tuple[int, ...]
    high: tuple[int, ...]

    def __post_init__(self) -> None:
        own(self)


def bracket_of(table: NDArray[Any], ends_of: Callable[[Any], tuple[int, int]]) -> Bracket:
    """Every entry of a table between the multiples of 2^-96 that `ends_of` finds for it."""
    values, index = _distinct(table)
    pairs = [ends_of(value) for value in values]
    return Bracket(index, tuple(low for low, _ in pairs), tuple(high for _, high in pairs))


def ends(value: float | Fraction) -> tuple[int, int]:
    """A number rounded down and up to whole multiples of 2^-96.

    >>> ends(Fraction(1, 2)) == (2**95, 2**95)
    True
    """
    exact = Fraction(value)
    low, rest = divmod(exact.numerator << SCALE, exact.denominator)
    return low, low + (rest > 0)


def root_ends(square: Fraction) -> tuple[int, int]:
    """The root of a number, rounded down and up to whole multiples of 2^-96."""
    low = isqrt((square.numerator << 2 * SCALE) // square.denominator)
    return low, low + (low * low * square.denominator != square.numerator << 2 * SCALE)


def loss_ceilings(mechanism: FiniteMechanism, bracket: Bracket) -> tuple[int, ...]:
    """The expected loss for every input, rounded up to a multiple of 2^-96."""
    high, weights = bracket.high, written_out(mechanism).weights
    ceilings = []
    for y, (total, power) in enumerate(weights.totals):
        parts: dict[int, int] = {}
        for mantissa, exponent, k in zip(
            weights.mantissas[y].tolist(),
            weights.exponents[y].tolist(),
            bracket.index[y].tolist(),
            strict=True,
        ):
            if mantissa:
                parts[exponent] = parts.get(exponent, 0) + mantissa * high[k]
        whole = sum(part << exponent - power for exponent, part in parts.items())
        ceilings.append(-(-whole // total))
    return tuple(ceilings)


def mean_above(ceilings: Sequence[int], prior: Prior, space: Space) -> int:
    """Σ_y ⌈prior[y] · ceiling[y]⌉: at or above the average loss, in units of 2^-96."""
    pairs = zip(prior.exact(space), ceilings, strict=True)
    return sum(-(-p.numerator * ceiling // p.denominator) for p, ceiling in pairs)


def _distinct(table: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    if table.dtype == object:  # fractions are quicker to look up than to sort
        kinds = dict[Any, int]()
        places = [kinds.setdefault(value, len(kinds)) for value in table.ravel().tolist()]
        return list(kinds), np.array(places, dtype=np.intp).reshape(table.shape)
    values, index = np.unique(table, return_inverse=True)
    return values.tolist(), index.reshape(table.shape)
