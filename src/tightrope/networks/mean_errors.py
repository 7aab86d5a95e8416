"""Expected errors of released counts, all after the answer was moved into range.

Noise U, even around 0, is added to a count f and the sum moved into 0..M: the mean error is
E min(U+, M - f) + E min(U-, f) = E h(|U|)/2 with h(u) = min(u, f) + min(u, M - f). At its
own count and widths it is a curator's figure. The public figure bounds it for all graphs:
- h(u) is largest, for every u, at f = M/2, rounded either way;
- ladder: E <= λ says -λ + (1 - 1/q) Σ q^-t C(R_t) <= 0, with reaches R_t = w_0 + … + w_(t-1)
  and C(r) = Σ_(u<=r) (h(u) - 2λ), which is convex. Widths rise from 0 up to the global
  sensitivity D, so the left side is largest where they are 0 at first and D from some rung
  on; and these laws err most if all are D (else 0 alone gains weight);
- smooth: S is at most D, and the larger the scale, the larger |U| in distribution;
- privacy first: that of every graph, all of them listed; for edges it is noise around f.
Where graphs are cut, f is the count of the graph as cut: what the cut leaves out is not known.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import assert_never

import numpy as np
from flint import acb, arb, ctx

from tightrope.choices import Count, Method
from tightrope.constructions import privacy_first
from tightrope.exact import Level, ball_of, float_above, tolerances
from tightrope.mechanisms import (
    CauchyLaw,
    GlobalCount,
    LadderCount,
    ModeLaw,
    PrivacyFirstCount,
    RungLaw,
    SmoothCount,
)
from tightrope.networks.methods import count_mechanism
from tightrope.spaces import Network, count_of, count_query, global_sensitivity


def mean_error(
    network: Network,
    count: Count | str,
    level: Level,
    method: Method | str,
    *,
    radius: int = 0,
    max_degree: int | None = None,
) -> float:
    """E|answer - count| for this graph, to double precision; a curator's figure.

    With a largest degree the count is that of the graph as cut.

    >>> whole = Network(3, np.array([0, 0, 1]), np.array([1, 2, 2]))  # noise below 0 is all
    >>> round(mean_error(whole, Count.TRIANGLES, Level.ratio(2), Method.GLOBAL), 9)
    0.333333333
    """
    mechanism = count_mechanism(
        network.nodes, count, level, method, radius=radius, max_degree=max_degree
    )
    value = count_of(mechanism.space.accept(network), count)
    above = mechanism.largest - value
    law = mechanism.law(network)
    match law:
        case CauchyLaw():
            return float(_cauchy_error(law, value, above))
        case ModeLaw():
            chances = [(z, law.probability(z)) for z in law.values.tolist()]
            return float(sum(abs(z - value) * chance for z, chance in chances))
        case RungLaw():
            noise = RungLaw(law.ratio, law.lows - value, law.highs - value, law.step)
            return float(_rungs_error(noise, value, above))
        case _:
            assert_never(law)


def worst_mean_error(
    nodes: int,
    count: Count | str,
    level: Level,
    method: Method | str,
    *,
    radius: int = 0,
    max_degree: int | None = None,
) -> float:
    """The largest E|answer - count| over all graphs on so many nodes; public, rounded up.

    For global noise it is the largest value over the counts 0, 1, …, M, attained if a graph
    has M/2 of them; for ladder and smooth an upper bound, attained if that graph also has an
    edge that changes its count as much as any edge can; for privacy first the largest of all
    graphs. With a largest degree the count is that of the graph as cut.

    >>> round(worst_mean_error(3, Count.TRIANGLES, Level.ratio(2), Method.GLOBAL), 9)
    0.333333333
    >>> worst_mean_error(3, "triangles", Level.ratio(4), "privacy-first")  # 1/2, or 2 edges away
    0.3333333333333333...
    """
    mechanism = count_mechanism(nodes, count, level, method, radius=radius, max_degree=max_degree)
    largest = mechanism.largest
    low, high = largest // 2, largest - largest // 2
    match mechanism:
        case LadderCount():
            zero = np.zeros(1, dtype=np.int64)
            widest = RungLaw(mechanism.ratio, zero, zero, global_sensitivity(nodes, count))
            return float_above(_rungs_error(widest, low, high))
        case SmoothCount():
            scaled = CauchyLaw(0, Fraction(global_sensitivity(nodes, count)), mechanism.shift)
            return float_above(_cauchy_error(scaled, low, high))
        case GlobalCount():
            return float_above(_rungs_error(mechanism.noise, low, high))
        case PrivacyFirstCount() if mechanism.linear:
            around = RungLaw.around(0, mechanism.ratio, radius + 1, 1)
            return float_above(_rungs_error(around, low, high))
        case PrivacyFirstCount():
            return _worst_listed(mechanism)
        case _:
            assert_never(mechanism)


@lru_cache(maxsize=8)
def _worst_listed(mechanism: PrivacyFirstCount) -> float:
    """The largest mean error of all graphs: doubles say which come close, fractions the rest."""
    asked = count_query(mechanism.space.nodes, mechanism.count)
    sets = privacy_first(asked, [Fraction(mechanism.radius)] * asked.datasets.size)
    near = sets.distortion(float(mechanism.ratio))
    close = np.flatnonzero(near >= near.max() * (1 - tolerances.SEQUENCE_MARGIN))
    values = [int(str(label)) for label in asked.codomain.points]
    rows = {(tuple(sets.indices[x].tolist()), values[asked.values[x]]) for x in close.tolist()}
    worst = Fraction(0)
    for row, truth in rows:
        weights = [mechanism.ratio**-step for step in row]
        missed = sum(w * abs(v - truth) for w, v in zip(weights, values, strict=True))
        worst = max(worst, missed / sum(weights))
    return float_above(ball_of(worst, _BITS))


def _rungs_error(noise: RungLaw, below: int, above: int) -> arb:
    """The mean error of noise in rungs, evenly around 0; a proved ball if one rung is listed."""
    with ctx.workprec(_bits(noise.ratio)):
        beyond = _power(noise, len(noise.highs) - 1)
        sides = [_partial_mean(noise, reach) + beyond * _tail(noise, reach)
                 for reach in (below, above)]
        # every number counts 1 if the reach is 1: Σ weight min(u, 1)
        all_but_0 = 2 * (_partial_mean(noise, 1) + beyond * _tail(noise, 1))
        return (sides[0] + sides[1]) / (1 + all_but_0)


def _partial_mean(noise: RungLaw, reach: int) -> arb:
    """Σ weight(u) min(u, reach) over the positive numbers u on listed rungs."""
    if len(noise.highs) == 1:
        top = int(noise.highs[0])
        full = min(top, reach)
        return arb(full * (full + 1) // 2 + (top - full) * reach)
    outer = noise.highs.astype(np.float64)
    inner = np.concatenate([[0.0], outer[:-1]])
    full = np.clip(float(reach), inner, outer) - inner
    sums = full * (2 * inner + full + 1) / 2 + (outer - inner - full) * float(reach)
    weights = np.exp(-np.arange(len(outer)) * float(ball_of(noise.ratio, _BITS).log()))
    return arb(float((weights * sums).sum()))


def _tail(noise: RungLaw, reach: int) -> arb:
    """The same over all further rungs, in weights of the last listed one.

    Σ min(u, r) = Σ_(i<=r) (weight from i on): whole rungs give geometric series.
    """
    top, step = int(noise.highs[-1]), noise.step
    bits = _bits(noise.ratio)
    each = 1 / ball_of(noise.ratio - 1, bits)  # Σ q^-j
    if reach <= top:
        return reach * step * each
    whole, part = divmod(reach - top, step)
    shrunk = _power(noise, whole)
    rung = arb(step * (step + 1) // 2) + step * step * each
    last = arb(part * step - part * (part - 1) // 2) + part * step * each
    return top * step * each + (1 - shrunk) * each * rung + _power(noise, whole + 1) * last


def _power(noise: RungLaw, rungs: int) -> arb:
    """q^-rungs."""
    return arb((-rungs * ball_of(noise.ratio, _bits(noise.ratio)).log()).exp())


def _cauchy_error(law: CauchyLaw, below: int, above: int) -> arb:
    """The mean error of Cauchy noise."""
    bits = _bits(law.scale)
    with ctx.workprec(bits):
        scale = ball_of(law.scale, bits)
        moments = _cauchy_side(scale, below) + _cauchy_side(scale, above)
        return arb(moments * scale * (arb.pi() * scale).tanh() / arb.pi())


def _cauchy_side(scale: arb, reach: int) -> arb:
    """The sum over u >= 1 of min(u, reach)/(scale² + u²), by the digamma function."""
    # the sum of 1/(u - iσ) over u from m + 1 on has imaginary part -Im ψ(m + 1 - iσ)
    near, far = (acb(arb(end), -scale).digamma() for end in (1, reach + 1))
    return far.real - near.real - reach * far.imag / scale


def _bits(value: Fraction) -> int:
    """Binary places that keep doubles exact where terms nearly cancel."""
    return _BITS + 2 * max(value.numerator.bit_length(), value.denominator.bit_length())


_BITS = 256
