"""Many releases together by Rényi divergences: proved, and rounded upward.

At every order α the divergences of releases on the same data add up, adaptively chosen or not
(Mironov, 2017), and a total τ at one order α > 1 proves (ε, δ) with

    ε = τ + ln(1 - 1/α) - (ln δ + ln α) / (α - 1)

(Canonne, Kamath and Steinke, 2020, Proposition 12). Every order gives a valid ε; the least over
some orders is taken. A pure level has at most the divergence of randomized response at that
level, of which each of its mechanisms is a post-processing (Kairouz, Oh and Viswanath, 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from tightrope.errors import BadInput
from tightrope.exact import Level, ball_of, float_above, upper_bound
from tightrope.privacy.named_definitions import RenyiDefinition, ZcdpDefinition
from tightrope.privacy.renyi import RenyiCurve

Term = Level | RenyiDefinition | ZcdpDefinition | RenyiCurve
COMPOSED = "proved: Rényi composition, rounded upward"
"""Evidence stated with every figure of this module."""
_BITS = 128
ORDERS = tuple(Fraction(k, 16) for k in range(17, 64)) + tuple(
    Fraction(k, 2) for k in range(8, 64)) + tuple(
    Fraction(2**k * m, 8) for k in range(5, 17) for m in range(8, 16))
"""Orders that are tried, from 17/16 to 122,880: finer ones gain less than one in a thousand."""


@dataclass(frozen=True)
class RenyiAccount:
    """ε at a δ, at or above what composition proves, and the order that proves it."""

    epsilon: float
    order: Fraction


def compose_renyi(terms: Sequence[tuple[Term, int]], delta: Fraction) -> RenyiAccount:
    """The (ε, δ) of terms, each as often as stated, on the same data.

    Raises: `BadInput` where no order has a finite divergence, or δ is not between 0 and 1.

    >>> one = compose_renyi([(ZcdpDefinition(Fraction(1, 10)), 1)], Fraction(1, 10**6))
    >>> one.epsilon < 2.2, one.order > 10
    (True, True)
    """
    if not 0 < delta < 1:
        raise BadInput(f"expected a δ between 0 and 1, found {float(delta):g}.")
    own = [term.alpha for term, _ in terms if isinstance(term, RenyiDefinition) and term.alpha > 1]
    best: RenyiAccount | None = None
    for alpha in sorted({*ORDERS, *own}):
        total = _total(terms, alpha)
        if total is None:
            continue
        with ctx.workprec(_BITS):
            order = ball_of(alpha, _BITS)
            ball = total + (1 - 1 / order).log() - (
                ball_of(delta, _BITS).log() + order.log()) / (order - 1)
        epsilon = max(0.0, float_above(ball))
        if best is None or epsilon < best.epsilon:
            best = RenyiAccount(epsilon, alpha)
    if best is None:
        raise BadInput("no order above 1 has a finite divergence for all of the list, so that it "
                       "proves no ε at a δ.")
    return best


def _total(terms: Sequence[tuple[Term, int]], alpha: Fraction) -> arb | None:
    total = arb(0)
    for term, times in terms:
        part = _divergence(term, alpha)
        if part is None:
            return None
        with ctx.workprec(_BITS):
            total += times * part
    return total


def _divergence(term: Term, alpha: Fraction) -> arb | None:
    """A ball whose upper end is at or above the divergence of a term; None if infinite."""
    match term:
        case ZcdpDefinition():
            return ball_of(term.rho * alpha, _BITS)
        case RenyiDefinition():  # divergences increase in the order
            return ball_of(term.epsilon, _BITS) if alpha <= term.alpha else None
        case RenyiCurve():
            above = term.above(alpha)
            return None if above is None else ball_of(above, _BITS)
        case Level():
            return _of_level(term, alpha)


def _of_level(level: Level, alpha: Fraction) -> arb:
    """ln((r^α + r^(1-α)) / (1 + r)) / (α - 1) with r = e^ε: that of randomized response."""
    if level.is_zero:
        return arb(0)
    with ctx.workprec(_BITS):
        epsilon, order = level.pure.ball(_BITS), ball_of(alpha, _BITS)
        # r^α (1 + r^(1 - 2α)) / (r (1 + 1/r)): no power overflows
        moment = (order - 1) * epsilon + (1 + ((1 - 2 * order) * epsilon).exp()).log() - (
            1 + (-epsilon).exp()).log()
        return moment / (order - 1)


def total_rho(terms: Sequence[tuple[Term, int]]) -> Fraction | None:
    """The ρ of zCDP of all terms, rounded up; None where a term has none.

    A pure ε has ε²/2 (Bun and Steinke, 2016), a mechanism the upper end of its own bracket.
    """
    total = Fraction(0)
    for term, times in terms:
        match term:
            case ZcdpDefinition():
                total += times * term.rho
            case RenyiCurve() if term.rho[1] < float("inf"):
                total += times * Fraction(term.rho[1])
            case Level() if not term.delta:
                high = upper_bound(term.ball(_BITS)) if term.coefficient else term.rational
                total += times * high * high / 2
            case _:
                return None
    return total
