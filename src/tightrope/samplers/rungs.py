"""Exact draws from laws in rungs: P(rung t) proportional to w_t q^-t, tails included.

Sums of the weights are enclosed between integers of P bits, and a uniform number U by its
first b bits. If both leave one rung, it is the answer; if not, both grow. So a
rung of probability e^-1000 comes up with probability e^-1000, though nobody waits for it.
Beyond the listed rungs a geometric number says which one it is.
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from typing import Any, assert_never

import numpy as np

from tightrope.mechanisms import (
    BoxLaw,
    CauchyLaw,
    DataMechanism,
    GaussianLaw,
    LaplaceLaw,
    LineMechanism,
    ModeLaw,
    PiecewiseNoise,
    PlanarLaw,
    RingLaw,
    RungLaw,
    ScoreLaw,
    SelectionLaw,
    TallyLaw,
    ThresholdLaw,
    TraceLaw,
)
from tightrope.samplers.boxes import box_point
from tightrope.samplers.cauchy import cauchy_number
from tightrope.samplers.gaussians import gaussian_numbers
from tightrope.samplers.keys import noisy_keys, selected_keys
from tightrope.samplers.noise import check_drawable, geometric_number, stepped_noise
from tightrope.samplers.planar import planar_noise
from tightrope.samplers.planar_laplace import laplace_noise
from tightrope.samplers.rings import ring_noise
from tightrope.samplers.scores import chosen_values
from tightrope.samplers.sources import Source, uniform_below
from tightrope.samplers.traces import trace_cells


def answer(
    mechanism: DataMechanism, data: Any, source: Source
) -> int | Fraction | tuple[Any, ...]:
    """An answer from the law of a mechanism on datasets for one of them."""
    if isinstance(mechanism, LineMechanism):
        value = mechanism.space.accept(data)
        return value_on_grid(mechanism.noise, value, mechanism.grid, source)
    law = mechanism.law(data)
    match law:
        case RungLaw():
            return rung_number(law, source)
        case ModeLaw():
            return int(law.values[rung_number(law.rungs, source)])
        case TallyLaw():
            return tuple(tally_numbers(law, source))
        case ScoreLaw():
            return tuple(chosen_values(law, source))
        case SelectionLaw():
            return selected_keys(law, source)
        case ThresholdLaw():
            return noisy_keys(law, source)
        case BoxLaw():
            return box_point(law, source)
        case GaussianLaw():
            return gaussian_numbers(law, source)
        case PlanarLaw() | LaplaceLaw():
            made = planar_noise if isinstance(law, PlanarLaw) else laplace_noise
            x, y = made(law.ratio).draw(1, source)
            return law.center[0] + int(x[0]), law.center[1] + int(y[0])
        case TraceLaw():
            return trace_cells(law, source)
        case RingLaw():
            x, y = ring_noise(law.ratio, law.width, law.first).draw(1, source)
            return law.center[0] + int(x[0]), law.center[1] + int(y[0])
        case CauchyLaw():
            return law.center + cauchy_number(law.scale, source)
        case _:
            assert_never(law)


def tally_numbers(law: TallyLaw, source: Source) -> list[int]:
    """A whole number around each center, all in one go."""
    noise = stepped_noise(law.ratio, law.step, law.first).draw(len(law.centers), source)
    return [center + int(z) for center, z in zip(law.centers, noise.tolist(), strict=True)]


def rung_number(law: RungLaw, source: Source) -> int:
    """An integer from a law in rungs."""
    rung = _rung(law.ratio, law.counts, law.tail, source)
    size = int(law.counts[rung]) if rung < len(law.counts) else law.tail
    return law.output(rung, uniform_below(size, source))


def value_on_grid(
    noise: PiecewiseNoise, value: Fraction, grid: Fraction, source: Source
) -> Fraction:
    """The value plus noise on the line, rounded down to a multiple of grid.

    The sum is a real number of which only as many digits are drawn as the rounding needs, so
    the answer is exactly the rounded sum: rounding the proved law costs no privacy.
    """
    unit, counts = noise.unit, noise.units
    step = int(noise.step / unit)
    rung = _rung(noise.ratio, counts, 2 * step, source)
    if rung < len(counts):
        position = uniform_below(counts[rung], source)
        cell = _cell(noise, rung, unit, position)
    else:
        position = uniform_below(2 * step, source)
        inner = int(noise.reach / unit) + (rung - len(counts)) * step
        cell = inner + position - step if position >= step else -inner - 1 - position
    return _round_down(value + cell * unit, unit, grid, source)


def _cell(law: PiecewiseNoise, rung: int, unit: Fraction, position: int) -> int:
    """The cell [cell, cell + 1) · unit at a position of a rung."""
    pieces = law.rungs[rung]
    assert pieces is not None
    fine = pieces.in_units(unit)
    ends = np.cumsum(fine.highs - fine.lows)
    piece = int(np.searchsorted(ends, position, side="right"))
    before = int(ends[piece - 1]) if piece else 0
    return int(fine.lows[piece]) + position - before


def _round_down(start: Fraction, width: Fraction, grid: Fraction, source: Source) -> Fraction:
    """start + width · U for a uniform U, rounded down to a multiple of grid."""
    word, bits = 0, 0
    while True:
        low = (start + width * Fraction(word, 1 << bits)) / grid
        high = (start + width * Fraction(word + 1, 1 << bits)) / grid
        if low.__floor__() == -((-high).__floor__()) - 1:  # no multiple strictly inside
            return low.__floor__() * grid
        word = word << 64 | int.from_bytes(source.bytes(8), "little")
        bits += 64


def _rung(ratio: Fraction, counts: object, tail: int, source: Source) -> int:
    """A rung t with probability proportional to counts[t] · ratio^-t."""
    if tail:  # whether or not this draw goes beyond the listed rungs
        check_drawable(ratio)
    weights = np.asarray(counts).tolist()
    word, bits = int.from_bytes(source.bytes(8), "little"), 64
    while True:
        lows, highs, (least, most) = _sums(ratio, weights, tail, 2 * bits)
        # U is at least word/2^bits and below (word + 1)/2^bits; rung t holds C_(t-1) <= U < C_t
        t = bisect_right(lows, (word * most) >> bits)
        last = len(weights) - (tail == 0)
        if len(lows) == last + 1 and t >= last:
            t, below = last, True  # C_last = 1
        else:
            below = t < len(lows) and (word + 1) * most <= lows[t] << bits
        if below and (highs[t - 1] if t else 0) << bits <= word * least:
            return _beyond(t, len(weights), ratio, source)
        word = word << 64 | int.from_bytes(source.bytes(8), "little")
        bits += 64


def _beyond(t: int, listed: int, ratio: Fraction, source: Source) -> int:
    """The rung itself if it is listed, else one of those beyond."""
    return t if t < listed else listed + geometric_number(ratio, source)


def _sums(
    ratio: Fraction, weights: list[int], tail: int, precision: int
) -> tuple[list[int], list[int], tuple[int, int]]:
    """Enclosures of 2^P Σ_(s<=t) w_s q^-s for t = 0, 1, ..., and of the total.

    The last entry stands for everything beyond the listed rungs. Where powers fall below the
    precision the sums stop early; what is left counts to the upper end of the total.
    """
    over, under = ratio.numerator, ratio.denominator
    start = next((t for t, w in enumerate(weights) if w), len(weights))
    low = high = 1 << (precision + over.bit_length())
    sum_low = sum_high = 0
    lows, highs = [0] * start, [0] * start
    for weight in weights[start:]:
        if not low:
            # q^-t of all that is left is at most high; their weights are at most the largest
            most = max(max(weights), tail)
            left = most * -(-high * over // (over - under))
            return lows, highs, (sum_low, sum_high + left)
        sum_low, sum_high = sum_low + weight * low, sum_high + weight * high
        lows.append(sum_low)
        highs.append(sum_high)
        low, high = low * under // over, -(-high * under // over)
    if tail:
        # Σ_(k>=0) q^-k = over/(over - under)
        sum_low += tail * (low * over // (over - under))
        sum_high += tail * -(-high * over // (over - under))
        lows.append(sum_low)
        highs.append(sum_high)
    return lows, highs, (sum_low, sum_high)
