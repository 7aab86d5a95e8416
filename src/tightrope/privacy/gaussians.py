"""The (ε, δ) of discrete Gaussian noise: by zCDP from above, by one event from below.

A discrete Gaussian number moved by Δ has Rényi divergences of at most α Δ²/(2σ²) at every order α
(Canonne, Kamath and Steinke, 2020), those of independent numbers add up, so that all of them have
zCDP with ρ. At any order α > 1 this proves ε with

    ln δ = (α - 1) (α ρ - ε + ln(1 - 1/α)) - ln α

(Proposition 12 there). The order is sought in doubles, and then one enclosure proves δ. Without a δ
there is no ε: far out, the coefficient that moves farthest in deviations is at least t for one
neighbor more often than e^ε times as often as for the other. Between, nothing is refuted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, isfinite, log, log1p
from typing import Protocol

from flint import arb, ctx

from tightrope.errors import CannotCheck
from tightrope.exact import Level, ball_of, lower_bound, short_text, tolerances, upper_bound
from tightrope.mechanisms import tail
from tightrope.privacy.evidence import Refutation, Witness, named
from tightrope.privacy.proved_ratios import Theorem
from tightrope.spaces import Totals

_BITS = 128
_STEPS = 200
_FARTHEST = 10**5
"""Exponent of the smallest chance that is worked out: of about e^-100,000."""
_ZERO = Fraction(0)
_ORDER_BITS = 20


class Gaussians(Protocol):
    """Independent discrete Gaussian numbers around coefficients of totals."""

    @property
    def space(self) -> Totals: ...
    @property
    def variances(self) -> tuple[Fraction, ...]: ...
    @property
    def functions(self) -> tuple[tuple[int, ...], ...] | None: ...
    @property
    def sensitivities(self) -> tuple[int, ...]: ...
    @property
    def orthogonal(self) -> bool: ...
    @property
    def rho(self) -> Fraction: ...


def zcdp_order(rho: Fraction, level: Level) -> Fraction:
    """An order of nearly the least δ: found in doubles, a multiple of 2^-20 above 1."""
    r, epsilon = float(rho), float(level.pure)

    def bound(u: float) -> float:
        a = 1 + exp(u)
        return (a - 1) * (a * r - epsilon + log1p(-1 / a)) - log(a)

    low, high = -13.0, 60.0
    for _ in range(_STEPS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if bound(left) <= bound(right) else (left, high)
    return 1 + Fraction(ceil(exp(low) * 2**_ORDER_BITS), 2**_ORDER_BITS)


def zcdp_delta(rho: Fraction, level: Level) -> Fraction:
    """A δ, rounded up, that zCDP with ρ proves at the ε of the level; at most 1.

    >>> from tightrope.exact import Level
    >>> 8e-8 < zcdp_delta(Fraction(1, 50), Level.of(1)) < 9e-8     # e^(-(ε - ρ)²/4ρ) is 6e-6
    True
    """
    if rho <= 0:
        return Fraction(0)
    alpha = zcdp_order(rho, level)
    with ctx.workprec(_BITS):
        order = ball_of(alpha, _BITS)
        log_delta = (order - 1) * (
            order * ball_of(rho, _BITS) - level.pure.ball(_BITS) + (1 - 1 / order).log()
        ) - order.log()
        if log_delta > 0 or not log_delta.is_finite():
            return Fraction(1)
        if log_delta < -_FARTHEST:
            log_delta = arb(-_FARTHEST)
        return min(Fraction(1), upper_bound(log_delta.exp()))


def largest_rho(level: Level) -> Fraction:
    """Nearly the largest ρ whose zCDP proves the level, to nine digits; its δ is above 0.

    >>> from tightrope.exact import Level
    >>> one = Level.of(1).with_delta("1e-6")
    >>> rho = largest_rho(one)
    >>> zcdp_delta(rho, one) <= one.delta < zcdp_delta(rho * Fraction(1001, 1000), one)
    True
    """
    low, high = 0.0, 1.0
    while zcdp_delta(Fraction(high), level) <= level.delta and high < 1e6:
        high *= 2
    while high - low > tolerances.RHO_WIDTH * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        fits = zcdp_delta(Fraction(middle), level) <= level.delta
        low, high = (middle, high) if fits else (low, middle)
    if not low or not isfinite(low):
        raise CannotCheck(f"no ρ proves ε = {level.text} with δ = {short_text(level.delta)}.")
    return Fraction(low)


def gaussian_theorem(mechanism: Gaussians, level: Level | None) -> Theorem:
    """zCDP of independent discrete Gaussian numbers, and the δ that follows at the level."""
    rho = mechanism.rho
    above = Fraction(1) if level is None else zcdp_delta(rho, level)
    below = _far_out(mechanism, level).excess if level is not None and not level.delta else _ZERO
    bessel = "" if mechanism.functions is None or not mechanism.orthogonal else (
        ", or less by Bessel's inequality for orthogonal functions")
    return Theorem(
        Fraction(1),
        "independent discrete Gaussian noise on coefficients that one person moves by at most Δ_i "
        f"has zCDP with ρ = {short_text(rho)}, half the sum of Δ_i²/σ_i²{bessel}; δ follows from "
        "Rényi divergences (Canonne, Kamath and Steinke, 2020, Proposition 12)",
        1, delta=(below, above), refute=lambda asked: _refute(mechanism, asked))


@dataclass(frozen=True)
class _Event:
    """A coefficient is at least `least`: chances of two neighbors, and a bound on p - e^ε q."""

    place: int
    least: int
    chances: tuple[Fraction, Fraction]
    excess: Fraction


def _far_out(mechanism: Gaussians, level: Level) -> _Event:
    """An event of the most exposed coefficient, so far out that weights differ by more than e^ε."""
    place, (shift, variance) = max(
        enumerate(zip(mechanism.sensitivities, mechanism.variances, strict=True)),
        key=lambda item: Fraction(item[1][0] ** 2) / item[1][1])
    epsilon = upper_bound(level.pure.ball(64))
    if variance * epsilon**2 > _FARTHEST * shift**2:
        raise CannotCheck("the chances that tell neighbors apart are too small to be worked out; "
                          "discrete Gaussian noise is proved at a δ above 0.")
    least = max(ceil(variance * epsilon / shift + Fraction(shift, 2)), shift)
    while True:
        p, q = tail(least - shift, variance), tail(least, variance)
        with ctx.workprec(_BITS):
            excess = lower_bound(p - level.pure.ball(_BITS).exp() * q)
        if excess > 0:
            return _Event(place, least, (lower_bound(p), upper_bound(q)), excess)
        least += ceil(Fraction(least, 8))


def _refute(mechanism: Gaussians, level: Level | None) -> Refutation:
    """The event far out that no ε allows without a δ."""
    event = _far_out(mechanism, Level.of(1) if level is None else level)
    row = (mechanism.functions[event.place] if mechanism.functions is not None else
           tuple(int(j == event.place) for j in range(mechanism.space.length)))
    most = mechanism.space.most
    first, second = (str(tuple(most * (sign * a > 0) for a in row)) for sign in (1, -1))
    output = f"coefficient {event.place + 1} is at least {event.least:,}"
    witness = Witness(first, second, (output,), event.chances, "1")
    high, low = map(short_text, event.chances)
    return Refutation(level, witness, (
        f"inputs {named(first)} and {named(second)}: {output} with probability {high} at least and "
        f"{low} at most; without a δ there is no ε, as this ratio grows farther out."))
