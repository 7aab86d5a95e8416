"""The meaning of a privacy bound to an attacker (KL10, Proposition 2.1.4).

The true input is i; the attacker weighs i against j. Seeing the output moves the odds of j
against i by the factor P(o | j) / P(o | i). With M the bound of the pair and m(a) =
1 - M(1 - a), the factor reaches t > 1 with probability at most sup {a : M(a) >= t a}, and
falls to 1/t or below with probability at most sup {a : m(a) <= a/t}, whatever the attacker
believed before. The probability is over the mechanism alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor, log10

from flint import ctx

from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import Level, Number, Surd, exact_rows, stated, upper_bound
from tightrope.privacy.bounds import Bound
from tightrope.privacy.generic import Knot, Law, PairBound, corners
from tightrope.privacy.hockeystick import declared
from tightrope.privacy.levels import level_of
from tightrope.spaces import (
    Datasets,
    Directed,
    Neighbors,
    Space,
    count_components,
    farthest,
    is_connected,
    space_of,
)

_ZERO = Fraction(0)


@dataclass(frozen=True)
class OddsChange:
    """How likely the odds of another input rise, or fall, by a factor or more; upper bounds."""

    factor: Fraction
    rise: Fraction
    fall: Fraction


def odds_change(bound: Bound, factor: Number) -> OddsChange:
    """The proved chances that the odds move by the factor (above 1) or more.

    They are upper bounds for every mechanism that keeps the bound, so for a level use
    `PairBound.of_level`, which is never below it. Exact where M has corners; for other bounds
    they are at most 2^-40 too large.

    Returns: an `OddsChange`; its `rise` and `fall` are the chances, as fractions.

    Raises: `BadInput` if the factor is not above 1.

    >>> from tightrope.exact import Level
    >>> loose = PairBound.of_level(Level.ratio(2, "0.01"))
    >>> odds_change(loose, Fraction(4))
    OddsChange(factor=Fraction(4, 1), rise=Fraction(1, 200), fall=Fraction(1, 50))
    >>> odds_change(PairBound.of_level(Level.ratio(2)), Fraction(3)).rise
    Fraction(0, 1)
    """
    factor = stated(factor, "a factor above 1")
    if factor <= 1:
        raise BadInput(f"expected a factor above 1, found {factor}.")
    if not isinstance(bound, PairBound):
        return OddsChange(
            factor,
            _last(lambda a: bound.sign(a, min(Fraction(1), factor * a)) <= 0 and factor * a <= 1),
            _last(lambda a: bound.sign(1 - a, 1 - a / factor) <= 0),
        )
    return OddsChange(factor, _rise(bound, factor), _fall(bound, factor))


def _last(holds: Callable[[Fraction], bool]) -> Fraction:
    """A number at or just above sup {a in (0, 1] : holds(a)}, for a set that begins at 0."""
    low, high = _ZERO, Fraction(1)
    if holds(high):
        return high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return _ZERO if low == 0 and not holds(Fraction(1, 2**200)) else high


def _rise(bound: PairBound, factor: Fraction) -> Fraction:
    """sup {a > 0 : M(a) >= factor · a}; M(a)/a falls, so one piece holds the answer."""
    best = _ZERO
    for (a, b), (c, d) in pairwise(bound.knots):
        slope = (d - b) / (c - a)
        if d >= factor * c:
            best = c
        elif b > factor * a or (a > 0 and b == factor * a):
            best = (b - slope * a) / (factor - slope)
    return best


def _fall(bound: PairBound, factor: Fraction) -> Fraction:
    """sup {a > 0 : m(a) <= a / factor}, where m(a) = 1 - M(1 - a) is convex with m(0) = 0."""
    best = _ZERO
    pieces = [(1 - a, 1 - b) for a, b in reversed(bound.knots)]
    if 1 - bound.at_zero <= 1 / factor:
        return Fraction(1)
    for (a, b), (c, d) in pairwise(pieces):
        slope = (d - b) / (c - a)
        if d <= c / factor:
            best = c
        elif b < a / factor or (a > 0 and b == a / factor):
            best = (b - slope * a) / (1 / factor - slope)
    return best


_UNITS = {"mm": "millimeter", "m": "meter", "km": "kilometer"}


def promise(
    epsilon: Level | Number | None = None,
    space: Space | Datasets | str = "",
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
) -> str:
    """The promise of a level on a space in words, from its nearest to its farthest inputs.

    A level alone is no factor: inputs at distance d are protected by e^(ε d). Where distances
    are infinite, the first sentence names the pairs that are not protected.

    Returns: a text of one or more sentences.

    Raises: `Refused` for δ above 0 on a space without declared neighbors; `BadInput` for no level
    or no space.

    >>> from tightrope.spaces import categories, path
    >>> promise(Level.ratio(2), categories(3))[-28:]
    'by at most a factor e^ε = 2.'
    >>> promise(space=path(0, 4), ratio=2)[-55:]
    'e^ε = 2 for the nearest, e^(4 ε) = 16 for the farthest.'
    """
    level = level_of(epsilon, delta=delta, ratio=ratio)
    if isinstance(space, Datasets):
        either = "" if not level.delta else f", up to δ = {_share_text(level.delta)}"
        return (
            "Observing the answer changes the odds between any two neighbors by at most a factor "
            f"{factor_text(level, Surd.of(1))}{either}."
        )
    space = space_of(space)
    open_parts = unprotected(space)
    first = "" if open_parts is None else f"{open_parts} "
    unit = _UNITS.get(getattr(space, "unit", None) or "")
    if unit is not None:
        first += f"Distances are in {unit}s, so ε is per {unit}. "
    if level.delta:
        return first + _approximate_promise(level, declared(space))
    near, far = space.least_distance, farthest(space)
    if isinstance(space, Directed):
        most = factor_text(level, near)
        if near != far:
            most = (f"e^(ε d) at distance d: {most} for the nearest, {factor_text(level, far)} for "
                    "the farthest")
        return (
            f"{first}Observing an answer raises the odds of y against x by at most a factor {most}."
        )
    inside = "" if open_parts is None else " of one component"
    if near == far:
        return (
            f"{first}Any two inputs{inside} are {near.short} apart: observing the answer "
            f"changes the odds between them by at most a factor {factor_text(level, near)}."
        )
    return (
        f"{first}Inputs{inside} are from {near.short} to {far.short} apart: "
        "observing the answer changes the odds between two at distance d by at most a factor "
        f"e^(ε d): {factor_text(level, near)} for the nearest, {factor_text(level, far)} for the "
        "farthest."
    )


def unprotected(space: Space) -> str | None:
    """That the component of an input is not protected, None where there is only one.

    >>> from tightrope.spaces import graph
    >>> unprotected(graph("abc", [(0, 1)]))
    'Which of the 2 components an input lies in is NOT protected at all.'
    """
    if isinstance(space, Directed):
        return (
            "Protected ONE WAY: where (x, y) is a pair of the relation, whatever y answers might "
            "come from x too; an answer of x may show that the input is not y, and inputs that no "
            "directed path joins are NOT protected from each other."
        )
    if is_connected(space):
        return None
    count = count_components(space)
    return f"Which of the {count:,} components an input lies in is NOT protected at all."


def _approximate_promise(level: Level, neighbors: Neighbors) -> str:
    delta, near, far = _share_text(level.delta), *neighbors.apart
    rare = f"or more with probability below 3δ = {_share_text(3 * level.delta)}."
    if near == far:
        factor, name = factor_text(level, near), _power_text(near)
        return (
            "For any set of answers, its probability under one input is at most "
            f"{factor} times that under a neighbor, plus δ = {delta}; an attacker's odds "
            f"between neighbors change by a factor 2{name} {rare}"
        )
    return (
        f"Neighbors are from {near.short} to {far.short} apart: for any set of "
        "answers, its probability under one input is at most e^(ε d) times that under a neighbor "
        f"at distance d ({factor_text(level, near)} for the nearest, {factor_text(level, far)} for "
        f"the farthest), plus δ = {delta}; an attacker's odds between such neighbors change "
        f"by a factor 2e^(ε d) {rare}"
    )


LARGEST_FACTOR = 20
"""Products ε d up to this size are shown as a factor e^(ε d): larger ones are unreadable."""

SMALLEST_FACTOR = Fraction(1, 10**9)
"""Below this size of ε d the factor is shown as 1 + x, since its digits would all be 0."""


def factor_text(level: Level, distance: Surd) -> str:
    """The factor e^(ε d), rounded up, with digits enough to tell it from 1.

    >>> half, one = Level.epsilon("0.5"), Surd.of(1)
    >>> factor_text(half, one), factor_text(Level.epsilon("0.001"), one)
    ('e^ε = 1.65', 'e^ε = 1.0011')
    >>> factor_text(half, Surd.of(10)), factor_text(half, Surd.of(100))
    ('e^(10 ε) = 149', 'e^50')
    >>> factor_text(Level.epsilon("1e-400"), one)
    'e^ε = 1 + 1.1e-400'
    """
    if level.is_zero:
        return f"{_power_text(distance)} = 1"
    with ctx.workprec(80):
        size = upper_bound(level.ball(80) * distance.ball(80))
    if size > LARGEST_FACTOR:
        return f"e^{_round_up(size, 7)}"
    if size < SMALLEST_FACTOR:  # e^x - 1 is at most x (1 + x) up to x = 1
        return f"{_power_text(distance)} = 1 + {_up(size * (1 + SMALLEST_FACTOR), 2):e}"
    exact = level.power(distance)
    value = upper_bound(level.power_ball(distance, 80)) if exact is None else exact
    digits = max(3, 2 - floor(log10(size)))
    return f"{_power_text(distance)} = {_round_up(value, digits)}"


def _power_text(distance: Surd) -> str:
    return "e^ε" if distance == Surd.of(1) else f"e^({distance.short} ε)"


def _round_up(value: Fraction, digits: int) -> str:
    return f"{_up(value, max(digits, len(str(floor(value))))).normalize():,f}"


def _share_text(share: Fraction) -> str:
    """A share to seven digits, rounded up, so that a positive share is never shown as 0."""
    return f"{_up(share, 7).normalize():g}"


def _up(value: Fraction, digits: int) -> Decimal:
    rounding = Context(prec=digits, rounding=ROUND_CEILING)
    return rounding.divide(Decimal(value.numerator), Decimal(value.denominator))


def tradeoff_curve(p: Sequence[Number], q: Sequence[Number]) -> PairBound:
    """How well two laws are told apart: at a, max Q(O) over all events O with P(O) <= a.

    Returns: a `PairBound`, exact by its corners: the strictest bound that protects the pair.

    Raises: `BadMatrix` for lists of different lengths, or that are no probabilities.

    >>> third = Fraction(1, 3)
    >>> tradeoff_curve([2 * third, third], [third, 2 * third]).knots[1]
    (Fraction(1, 3), Fraction(2, 3))
    """
    first, second = exact_rows([p, q], "two laws")
    same = len(first) == len(second) and sum(first) == sum(second) == 1
    if not same or min(*first, *second) < 0:
        raise BadMatrix('expected two laws on the same outputs, each of total 1: "0.7" is 7/10.')
    a, b = _ZERO, sum((y for x, y in zip(first, second, strict=True) if x == 0), _ZERO)
    knots = [(a, b)]
    for x, y in _falling(first, second):
        a, b = a + x, b + y
        knots.append((a, b))
    return PairBound.of(corners(knots))


def _falling(p: Law, q: Law) -> list[Knot]:
    """The outputs with p > 0, in the order of falling q/p."""
    pairs = [(x, y) for x, y in zip(p, q, strict=True) if x > 0]
    return sorted(pairs, key=lambda pair: pair[1] / pair[0], reverse=True)
