"""Rényi divergences of neighboring inputs, exactly enclosed; Rényi levels and zCDP judged.

For laws p, q and an order α > 1, (α - 1) D_α(p ‖ q) = ln Σ_z p_z^α q_z^(1 - α) =: f(α), with
f(1) = 0; D_1 is the Kullback-Leibler divergence, and D_α increases in α up to the logarithm of
the largest p_z / q_z. A Rényi level (α, ε) asks D_α <= ε of both orders of every pair of
neighbors; zCDP with ρ asks D_α <= ρ α for every α > 1. f is convex, so that between two orders it
lies below its chord, and finitely many orders decide all. Balls that are too wide decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf

from flint import arb, ctx

from tightrope.characters import counted
from tightrope.drawing import plot_of
from tightrope.errors import BadInput
from tightrope.exact import (
    Number,
    ball_of,
    float_above,
    float_below,
    lower_bound,
    short_text,
    stated,
    upper_bound,
)
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of, listing
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form, own_space
from tightrope.privacy.hockeystick import neighbor_pairs
from tightrope.privacy.named_definitions import (
    MOST_ORDER,
    NamedDefinition,
    RenyiDefinition,
    ZcdpDefinition,
    named_definition,
)
from tightrope.spaces import Label, Space, label_to_json
from tightrope.spellings import RESULT, spelled

_ONE = Fraction(1)
_BITS, _MOST_BITS = 128, 2048
"""Bits of the first balls, and of the last ones before a question stays undecided."""
_MOST_ORDERS = 3_000
"""Orders of one pair that are tried before zCDP stays undecided."""


@dataclass(frozen=True, eq=False)
class _Side:
    """Two laws on the outputs that the first one can give, and the inputs that they belong to."""

    first: Label
    second: Label
    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]

    @property
    def infinite(self) -> bool:
        """Whether some output is possible under the first input alone."""
        return not all(self.q)

    @cached_property
    def largest(self) -> Fraction:
        """The largest ratio of the two laws, for a side that is not infinite."""
        return max(a / b for a, b in zip(self.p, self.q, strict=True))

    @cached_property
    def _kept(self) -> dict[tuple[Fraction, int], arb]:
        return {}

    def moment(self, alpha: Fraction, bits: int) -> arb:
        """f(α), for a side that is not infinite."""
        if (alpha, bits) not in self._kept:
            with ctx.workprec(bits):
                order, total = ball_of(alpha, bits), arb(0)
                for a, b in zip(self.p, self.q, strict=True):
                    total += ball_of(a, bits) * (
                        (order - 1) * ball_of(a / b, bits).log()).exp()
                self._kept[alpha, bits] = total.log()
        return self._kept[alpha, bits]

    def divergence(self, alpha: Fraction, bits: int) -> arb:
        """D_α; the Kullback-Leibler divergence at 1."""
        with ctx.workprec(bits):
            if alpha != 1:
                return self.moment(alpha, bits) / ball_of(alpha - 1, bits)
            return sum((ball_of(a, bits) * ball_of(a / b, bits).log()
                        for a, b in zip(self.p, self.q, strict=True)), arb(0))


@dataclass(frozen=True)
class RenyiWitness:
    """Two neighbors and an order at which they are told apart too well.

    `divergence` is a proved lower bound on D_α, infinite where an output gives one away.
    """

    first: Label
    second: Label
    order: Fraction
    divergence: float
    allowed: Fraction

    __repr__ = brief

    @property
    def text(self) -> str:
        """The pair, the order, the divergence and what is allowed."""
        return (f"inputs {self.first} and {self.second}, order {short_text(self.order)}: the "
                f"divergence is at least {self.divergence:.9g}, allowed is "
                f"{float(self.allowed):.9g}")

    def as_json(self) -> dict[str, object]:
        """All parts, as every command writes them."""
        return {"first": label_to_json(self.first), "second": label_to_json(self.second),
                "order": str(self.order), "divergence": self.divergence,
                "allowed": float(self.allowed)}


@dataclass(frozen=True)
class RenyiVerdict:
    """Whether a mechanism keeps a Rényi level or zCDP: True, False with a witness, or None.

    None says that it was not decided: two numbers are too close, which is neither yes nor no.
    """

    definition: NamedDefinition
    holds: bool | None
    witness: RenyiWitness | None
    pairs: int

    def facts(self) -> Facts:
        """Whether the definition is kept, the witness if not, and what was compared."""
        word = {True: "proved", False: "refuted", None: "not decided"}[self.holds]
        return Facts(
            "RenyiVerdict", f"{word}: {self.definition.text}",
            (*data(holds=self.holds),
             Fact("witness", "witness", self.witness and Shown(self.witness, self.witness.text)),
             Fact("pairs", "compared", Shown(self.pairs, counted(self.pairs, "pair") + " of laws"),
                  meaning="all neighbors, both orders")),
            ("The divergence is too close to what is allowed for a proof either way.",)
            if self.holds is None else ())

    __repr__ = lines_of
    _repr_html_ = card_of


@dataclass(frozen=True, eq=False)
class RenyiCurve:
    """D_α as a function of α for a finite mechanism, the largest over all declared neighbors.

    >>> rr = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> low, high = renyi_curve(rr, "categories:2").at(2)  # ln(9/4 + 1/12) = ln(7/3)
    >>> low <= 0.8472978603872037 <= high, high - low < 1e-15
    (True, True)
    """

    sides: tuple[_Side, ...]

    __repr__ = lines_of
    _repr_html_ = card_of
    plot = plot_of

    @property
    def infinite(self) -> bool:
        """Whether some output is possible under one of two neighbors alone."""
        return any(side.infinite for side in self.sides)

    @spelled(alpha="at(2), an order")
    def at(self, order: Number) -> tuple[float, float]:
        """Doubles at or below, and at or above, the divergence of an order of at least 1.

        That of the order `inf` is the largest privacy loss, the pure level.
        """
        alpha = _order(order)
        if self.infinite:
            return inf, inf
        if alpha is None:
            balls = [ball_of(max(side.largest for side in self.sides), _BITS).log()]
        else:
            balls = [side.divergence(alpha, _BITS) for side in self.sides]
        return max(0.0, *map(float_below, balls)), max(0.0, *map(float_above, balls))

    def facts(self) -> Facts:
        """The divergences of some orders, rounded up."""
        rows = [(label, self.at(order)[1]) for label, order in (
            ("1 (Kullback-Leibler)", 1), ("2", 2), ("8", 8), ("∞ (pure level)", inf))]
        return Facts("RenyiCurve", f"{counted(len(self.sides), 'pair')} of laws, the largest of "
                     "all", (listing("", ("order", "divergence"), rows),))

    def above(self, alpha: Fraction) -> Fraction | None:
        """A fraction at or above the divergence; None where it is infinite."""
        if self.infinite:
            return None
        return max(Fraction(0), *(upper_bound(side.divergence(alpha, _BITS))
                                  for side in self.sides))

    def judge(self, definition: NamedDefinition | str) -> RenyiVerdict:
        """Whether every pair of laws keeps the definition; a refutation beats what is undecided."""
        definition, undecided = _asked(definition), False
        for side in self.sides:
            holds, order = (_renyi(side, definition) if isinstance(definition, RenyiDefinition)
                            else _zcdp(side, definition.rho))
            if holds is False:
                return RenyiVerdict(definition, False, _witness(side, order, definition),
                                    len(self.sides))
            undecided |= holds is None
        return RenyiVerdict(definition, None if undecided else True, None, len(self.sides))

    @cached_property
    def rho(self) -> tuple[float, float]:
        """A proved bracket of the smallest ρ of zCDP, to about six digits."""
        if self.infinite:
            return inf, inf
        most = max(side.largest for side in self.sides)
        if most == 1:
            return 0.0, 0.0
        log = upper_bound(ball_of(most, _BITS).log())
        low, high = Fraction(0), log * log / 2  # ε-DP implies ε²/2 (Bun and Steinke, 2016)
        while high - low > high / 10**6:
            middle = Fraction(float((low + high) / 2))
            holds = self.judge(ZcdpDefinition(middle)).holds
            if holds is None:
                break
            low, high = (low, middle) if holds else (middle, high)
        return float_below(ball_of(low, _BITS)), float_above(ball_of(high, _BITS))


@spelled(
    order="renyi_curve(…).at(order)",
    orders="renyi_curve(…).at(order)",
    **RESULT,
)
def renyi_curve(
    mechanism: FiniteMechanism | Held | Matrix, space: Space | str | None = None
) -> RenyiCurve:
    """The Rényi divergences of a finite mechanism, on its own space if none is given.

    Returns: a `RenyiCurve`; `at(2)` brackets the divergence of order 2, `rho` the smallest ρ of
    zCDP, and `judge` decides a Rényi level or zCDP.

    Raises: `Refused` where no neighbors are declared.

    >>> flat = [["1/2", "1/2"], ["1/2", "1/2"]]
    >>> renyi_curve(flat, "categories:2").at(5)
    (0.0, 0.0)
    """
    space = own_space(mechanism, space, "renyi_curve")
    mechanism = matrix_form(mechanism, space)
    sides: dict[tuple[tuple[Fraction, Fraction], ...], _Side] = {}
    for i, j, _ in neighbor_pairs(space):
        for x, y in ((i, j), (j, i)):
            laws = [(a, b) for a, b in zip(mechanism.row_at(x), mechanism.row_at(y), strict=True)
                    if a]
            p, q = zip(*laws, strict=True)
            key = tuple(sorted(laws))
            sides.setdefault(key, _Side(space.points[x], space.points[y], p, q))
    return RenyiCurve(tuple(sides.values()))


def verify_renyi(
    mechanism: FiniteMechanism | Held | Matrix, definition: NamedDefinition | str,
    space: Space | str | None = None,
) -> RenyiVerdict:
    """Prove or refute a Rényi level or zCDP of a mechanism, between declared neighbors.

    Returns: a `RenyiVerdict`; `holds` is True, False with a `witness`, or None where undecided.

    Raises: `BadInput` for a name that is not known; `Refused` where no neighbors are declared.

    >>> rr = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> verify_renyi(rr, "renyi:alpha=2,epsilon=0.85", "categories:2").holds
    True
    >>> verify_renyi(rr, "zcdp:rho=0.2", "categories:2").witness.order
    Fraction(2, 1)
    """
    asked = _asked(definition)
    return renyi_curve(mechanism, space).judge(asked)


def _asked(definition: NamedDefinition | str) -> NamedDefinition:
    asked = named_definition(definition) if isinstance(definition, str) else definition
    if not isinstance(asked, NamedDefinition):
        raise BadInput("expected a definition such as zcdp:rho=0.05 or renyi:alpha=2,epsilon=0.1, "
                       f"found {str(definition)[:60]!r}.")
    return asked


def _order(order: Number) -> Fraction | None:
    """The order as a fraction; None for the infinite one."""
    if order in (inf, "inf"):
        return None
    alpha = stated(order, "an order as a number")
    if not 1 <= alpha <= MOST_ORDER:
        raise BadInput(f"expected an order from 1 to 1,000,000, found {short_text(alpha)}.")
    return alpha


def _witness(side: _Side, order: Fraction, definition: NamedDefinition) -> RenyiWitness:
    allowed = definition.epsilon if isinstance(definition, RenyiDefinition) else (
        definition.rho * order)
    divergence = inf if side.infinite else float_below(side.divergence(order, _MOST_BITS))
    return RenyiWitness(side.first, side.second, order, divergence, allowed)


def _renyi(side: _Side, definition: RenyiDefinition) -> tuple[bool | None, Fraction]:
    """Whether D_α <= ε; by Lindemann's theorem they are equal only where both are 0."""
    alpha = definition.alpha
    if side.infinite:
        return False, alpha
    if side.p == side.q:
        return True, alpha
    bits = _BITS
    while bits <= _MOST_BITS:
        ball = side.divergence(alpha, bits)
        if upper_bound(ball) <= definition.epsilon:
            return True, alpha
        if lower_bound(ball) > definition.epsilon:
            return False, alpha
        bits *= 2
    return None, alpha


def _zcdp(side: _Side, rho: Fraction) -> tuple[bool | None, Fraction]:
    """Whether f(α) <= ρ α (α - 1) for all α > 1, or an order where it is not.

    From the order ln(largest ratio) / ρ on, D_α is below ρ α. Below it, intervals of orders are
    halved until the chord of f lies below the parabola, or an end of one above it.
    """
    if side.infinite:
        return False, Fraction(2)
    if side.p == side.q:
        return True, _ONE
    least = lower_bound(side.divergence(_ONE, _BITS))
    if rho == 0 or least > 2 * rho:
        return False, Fraction(2)
    if least > rho:  # D_α >= D_1 > ρ α for α close to 1
        order = (1 + least / rho) / 2
        short = order.limit_denominator(1000)
        return False, short if 1 < short < least / rho else order
    end = Fraction(2)
    while end * rho < upper_bound(ball_of(side.largest, _BITS).log()):
        end *= 2
    waiting, tried = [(_ONE, end)], 0
    while waiting:
        a, b = waiting.pop()
        tried += 1
        if lower_bound(side.moment(b, _BITS)) > rho * b * (b - 1):
            return False, b
        if _chord_is_below(side, a, b, rho):
            continue
        if tried > _MOST_ORDERS:
            return None, b
        middle = (a + b) / 2
        waiting += [(middle, b), (a, middle)]
    return True, end


def _chord_is_below(side: _Side, a: Fraction, b: Fraction, rho: Fraction) -> bool:
    """Whether the chord of f from a to b lies below ρ α (α - 1): a concave function of α."""
    low = Fraction(0) if a == 1 else upper_bound(side.moment(a, _BITS))
    slope = (upper_bound(side.moment(b, _BITS)) - low) / (b - a)

    def over(alpha: Fraction) -> Fraction:
        return low + slope * (alpha - a) - rho * alpha * (alpha - 1)

    top = (slope + rho) / (2 * rho)
    return over(min(max(top, a), b)) <= 0
