"""From a kernel base[z] · e^(-ε d(y,z)) to a mechanism with exact weights.

Where e^ε is rational and distances are whole multiples of the smallest one, the kernel is
kept as it is: every ratio is an exact tie. Otherwise it is written out with 62-bit
mantissas at a level just inside the one asked for, so that rounding cannot break a ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from tightrope.errors import TooLarge
from tightrope.exact import Level, Weights, ball_of, bit_size, check_entries, sizes, tolerances
from tightrope.mechanisms import FiniteMechanism, KernelMechanism, MatrixMechanism
from tightrope.spaces import Label, Space, distance_table, farthest

WRITTEN_OUT = 64
"""Exact kernels on this many points are written out: people read the rows."""


def exact_kernel(
    space: Space, ratio: Fraction, unit: Fraction, base: Sequence[Fraction]
) -> FiniteMechanism:
    """base[z] · ratio^(-d/unit) as a kernel, written out where it is small and short."""
    kernel = KernelMechanism(space, ratio, unit, tuple(base))
    if space.size <= WRITTEN_OUT:
        matrix = kernel.matrix()
        if matrix.weights.mantissas.dtype == np.int64:
            return matrix
    check_ratio(ratio)
    return kernel


def one_law(
    space: Space, law: Sequence[Fraction], outputs: Sequence[Label] | None = None
) -> MatrixMechanism:
    """The same law for every input, by its weights: all that ε = 0 without δ allows."""
    answers = space.points if outputs is None else outputs
    check_entries(space.size, len(answers))
    return MatrixMechanism(space, answers, Weights.from_fractions([list(law)] * space.size))


def check_ratio(ratio: Fraction) -> None:
    """Refuse a ratio so long that a document could not carry it as a decimal fraction."""
    bits = bit_size(ratio)
    if bits > sizes.LONGEST_RATIO:
        raise TooLarge(
            "the length of e^ε in bits", bits, sizes.LONGEST_RATIO, "use a smaller ε"
        )


def rounded_kernel(space: Space, level: Level, base: Sequence[arb | Fraction]) -> MatrixMechanism:
    """base[z] · e^(-ε d) written out with mantissas of 62 bits; rows are not normalized.

    The weights are within a factor 1 ± 2^-60 of the kernel. `level` should lie inside the
    level that is to be proved.
    """
    check_entries(space.size, space.size)
    check_reach(space, level)
    classes, table = distance_table(space)
    kinds: dict[str, int] = {}
    kind = np.array([kinds.setdefault(str(value), len(kinds)) for value in base])
    first = [int(np.argmax(kind == k)) for k in range(len(kinds))]
    mantissas = np.empty((len(classes), len(kinds)), dtype=np.int64)
    exponents = np.empty((len(classes), len(kinds)), dtype=np.int64)
    with ctx.workprec(160):
        epsilon = level.ball(160)
        bases = [_parts(_ball(base[z])) for z in first]
        for c, distance in enumerate(classes):
            value = arb(0) if distance.infinite else (-epsilon * distance.ball(160)).exp()
            own, power = _parts(value)
            for k, (scale, shift) in enumerate(bases):
                mantissas[c, k], exponents[c, k] = _short(own * scale, power + shift)
    weights = Weights(mantissas[table, kind], exponents[table, kind])
    return MatrixMechanism(space, space.points, weights)


def check_reach(space: Space, level: Level) -> None:
    """Refuse probabilities so small that writing them out would fill the memory."""
    bits = int(float(level) * float(farthest(space)) / np.log(2)) + 1
    limit = min(sizes.LONGEST_WRITTEN, 100 * sizes.LONGEST_EXPONENT // space.size)
    if bits > limit:
        raise TooLarge(
            "ε times the diameter, in bits,",
            bits,
            limit,
            "use a smaller ε",
        )


def _ball(value: arb | Fraction) -> arb:
    return ball_of(value, 160) if isinstance(value, Fraction) else value


def _parts(ball: arb) -> tuple[int, int]:
    """The midpoint of a ball as an integer and a power of two."""
    mantissa, exponent = ball.mid().man_exp()
    return int(mantissa), int(exponent)


def _short(size: int, power: int) -> tuple[int, int]:
    """An integer times a power of two with a mantissa of 62 bits, rounded down; zero for zero."""
    if size == 0:
        return 0, 0
    drop = size.bit_length() - tolerances.MANTISSA_BITS
    return (size >> drop, power + drop) if drop > 0 else (size, power)
