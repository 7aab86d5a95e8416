"""Losses in whole numbers: every loss between two multiples of 2^-96.

A claim about a loss must not depend on how a machine rounds. Here a loss is enclosed by the
nearest multiples of 2^-96 below and above it, and the loss of a mechanism is bounded from
above by whole numbers: for input y, with weights w[y, z] and their exact total,

    ceiling[y] = ⌈ Σ_z w[y, z] high[y, z] / Σ_z w[y, z] ⌉.

Anybody who computes these numbers gets the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import check_entries, own
from tightrope.mechanisms import FiniteMechanism, written_out
from tightrope.spaces import Label, Space, exact_coordinates, has_coordinates
from tightrope.utility.expectation import AnyLoss
from tightrope.utility.losses import Kind, LossMatrix, own_place
from tightrope.utility.priors import Prior

SCALE = 96
"""Bits after the binary point of losses, prices and multipliers."""

_SHORT = 2**30


@dataclass(frozen=True, eq=False)
class Bracket:
    """Every loss between two multiples of 2^-96: entry [y, z] is class index[y, z]."""

    index: NDArray[np.intp]
    low: tuple[int, ...]
    high: tuple[int, ...]

    def __post_init__(self) -> None:
        own(self)


def loss_bracket(loss: AnyLoss, space: Space, outputs: Sequence[Label]) -> Bracket:
    """The loss of every input and output, rounded down and up to multiples of 2^-96.

    >>> from tightrope.spaces import path
    >>> from tightrope.utility import absolute
    >>> found = loss_bracket(absolute, path(0, 2), (0, 2))
    >>> found.index.tolist(), [low / 2**96 for low in found.low]
    ([[0, 2], [1, 1], [2, 0]], [0.0, 1.0, 2.0])
    """
    check_entries(space.size, len(outputs))
    if isinstance(loss, LossMatrix):
        loss.matrix(space, outputs)  # of the right shape
        values, index = _distinct(loss.numbers)
        return _bracket(index, [_ends(Fraction(value)) for value in values])
    if loss.kind is Kind.BINARY:
        return _bracket(loss.matrix(space, outputs).astype(np.intp), [_ends(0), _ends(1)])
    inputs, answers, divisor = _places(space, outputs)
    gaps = np.abs(inputs[:, None, :] - answers[None, :, :])
    match loss.kind:
        case Kind.ABSOLUTE | Kind.LARGEST:
            far = gaps.sum(axis=2) if loss.kind is Kind.ABSOLUTE else gaps.max(axis=2)
            values, index = _distinct(far)
            return _bracket(index, [_ends(Fraction(k, divisor)) for k in values])
        case Kind.SQUARED | Kind.EUCLIDEAN:
            values, index = _distinct((gaps * gaps).sum(axis=2))
            ends = _ends if loss.kind is Kind.SQUARED else _root_ends
            return _bracket(index, [ends(Fraction(k, divisor**2)) for k in values])
        case _:
            assert_never(loss.kind)


def check_places(loss: AnyLoss, space: Space, outputs: Sequence[Label] | None) -> None:
    """Refuse a loss that needs coordinates where an input or output (if listed) has none."""
    if isinstance(loss, LossMatrix) or loss.kind is Kind.BINARY:
        return
    if outputs is not None:
        _places(space, outputs)
    elif not has_coordinates(space):
        raise _no_places(space)


def loss_ceilings(mechanism: FiniteMechanism, bracket: Bracket) -> tuple[int, ...]:
    """The expected loss for every input, rounded up to a multiple of 2^-96."""
    high, weights = bracket.high, written_out(mechanism).weights
    found = []
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
        found.append(-(-whole // total))
    return tuple(found)


def mean_above(ceilings: Sequence[int], prior: Prior, space: Space) -> int:
    """Σ_y ⌈prior[y] · ceiling[y]⌉: at or above the average loss, in units of 2^-96."""
    pairs = zip(prior.exact(space), ceilings, strict=True)
    return sum(-(-p.numerator * ceiling // p.denominator) for p, ceiling in pairs)


def _bracket(index: NDArray[Any], ends: Sequence[tuple[int, int]]) -> Bracket:
    return Bracket(index, tuple(low for low, _ in ends), tuple(high for _, high in ends))


def _distinct(table: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    if table.dtype == object:  # fractions are quicker to look up than to sort
        kinds = dict[Any, int]()
        found = [kinds.setdefault(value, len(kinds)) for value in table.ravel().tolist()]
        return list(kinds), np.array(found, dtype=np.intp).reshape(table.shape)
    values, index = np.unique(table, return_inverse=True)
    return values.tolist(), index.reshape(table.shape)


def _ends(value: int | Fraction) -> tuple[int, int]:
    low, rest = divmod(value.numerator << SCALE, value.denominator)
    return low, low + (rest > 0)


def _root_ends(square: Fraction) -> tuple[int, int]:
    low = isqrt((square.numerator << 2 * SCALE) // square.denominator)
    return low, low + (low * low * square.denominator != square.numerator << 2 * SCALE)


def _no_places(space: Space) -> BadInput:
    return BadInput(
        f"the points of {space.text} have no coordinates; use the binary loss or a matrix."
    )


def _places(space: Space, outputs: Sequence[Label]) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Inputs and outputs as whole multiples of one fraction 1/divisor."""
    found = exact_coordinates(space)
    if found is None:
        raise _no_places(space)
    whole, unit = found
    divisor = unit.denominator
    places = whole.astype(object) * unit.numerator
    if outputs is space.points or tuple(outputs) == tuple(space.points):
        answers = places
    else:
        index = {point: y for y, point in enumerate(space.points)}
        own = {output: own_place(output, places.shape[1], space)
               for output in outputs if output not in index}
        divisor = lcm(divisor, *(part.denominator for parts in own.values() for part in parts))
        places = places * (divisor // unit.denominator)
        rows = [
            [int(part * divisor) for part in own[output]] if output in own
            else places[index[output]].tolist()
            for output in outputs
        ]
        answers = np.array(rows, dtype=object)
    reach = max(abs(places).max(), abs(answers).max())
    if reach * places.shape[1] < _SHORT:
        places, answers = places.astype(np.int64), answers.astype(np.int64)
    return places, answers, divisor
