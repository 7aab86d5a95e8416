"""Generic differential privacy: a bound of its own for every pair of inputs (KL10, 2.1.3).

A bound is a concave function M on [0, 1] with M(1) = 1. It protects a pair (i, j) if
P(O | j) <= M(P(O | i)) for every event O. Pure and approximate levels are such bounds, and
so is any concave curve that a user draws. The events of two finite laws p and q lie below
their trade-off curve (Neyman and Pearson): add outputs up in the order of falling q/p. Its
corners are events, and M is concave, so the corners decide for all 2^n events. All numbers
are exact fractions. As a trade-off function of f-DP, a bound is f(α) = 1 - M(α).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.characters import few, label_text
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, Surd, own, short_text, stated
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form, own_space
from tightrope.privacy.bounds import Bound, LevelBound, allows
from tightrope.spaces import Label, Relation, Space, label_to_json, space_of

Knot = tuple[Fraction, Fraction]
Law = Sequence[Fraction]
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class PairBound:
    """A concave, piecewise linear M on [0, 1] with M(1) = 1, by its corners.

    `at_zero` is M(0) where the function jumps there; it is never above the first corner.

    >>> half = PairBound.of([(0, "0.1"), ("0.4", 1), (1, 1)])
    >>> half(Fraction(1, 5)), half.least(Fraction(1, 5)), half.tradeoff(Fraction(1, 5))
    (Fraction(11, 20), Fraction(0, 1), Fraction(9, 20))
    """

    knots: tuple[Knot, ...]
    at_zero: Fraction

    __repr__ = brief

    def __post_init__(self) -> None:
        own(self)
        places = [a for a, _ in self.knots]
        if len(places) < 2 or places[0] != 0 or places[-1] != 1 or places != sorted(set(places)):
            raise BadInput("expected corners from a = 0 to a = 1 in increasing order.")
        if not all(0 <= b <= 1 for _, b in self.knots) or self.knots[-1][1] != 1:
            raise BadInput("expected a bound with values from 0 to 1 and M(1) = 1.")
        if not 0 <= self.at_zero <= self.knots[0][1]:
            raise BadInput("expected M(0) between 0 and the first corner.")
        for left, middle, right in zip(self.knots, self.knots[1:], self.knots[2:], strict=False):
            if between(left, right, middle[0]) > middle[1]:
                raise BadInput(
                    "expected a concave bound, but the corner "
                    f"{_shown(middle)} lies below the line from {_shown(left)} to {_shown(right)}.",
                    points=(left, middle, right),
                )

    @classmethod
    def of(
        cls,
        corners: Sequence[tuple[int | str | Fraction, int | str | Fraction]],
        at_zero: int | str | Fraction | None = None,
    ) -> PairBound:
        """The bound through the corners, numbers taken exactly."""
        try:
            knots = tuple((Fraction(a), Fraction(b)) for a, b in corners)
            start = None if at_zero is None else Fraction(at_zero)
        except (ValueError, TypeError, ZeroDivisionError):
            raise BadInput("expected corners as pairs of exact numbers.") from None
        return cls(knots, knots[0][1] if start is None and knots else start or _ZERO)

    @classmethod
    def of_level(
        cls, level: Level, distance: Surd | None = None, *, stricter: bool = False
    ) -> PairBound:
        """M(a) = min{1, e^ε a + δ, 1 - e^(-ε)(1 - a - δ)} at the distance (1 if not given).

        Where e^ε is irrational the rational just above it is used, so that every mechanism at
        the level keeps the bound; `stricter` takes the one just below, so that every mechanism
        that keeps the bound has the level. They differ by a relative 2^-39 at most. δ is for
        distance 1.

        >>> PairBound.of_level(Level.ratio(2)).knots[1]
        (Fraction(1, 3), Fraction(2, 3))
        """
        rounded = level.ratio_below if stricter else level.ratio_above
        ratio, delta = rounded(Surd.of(1) if distance is None else distance), level.delta
        lines = ((ratio, delta), (1 / ratio, 1 - (1 - delta) / ratio), (_ZERO, _ONE))
        crossings = {
            (d - b) / (a - c)
            for i, (a, b) in enumerate(lines)
            for c, d in lines[i + 1 :]
            if a != c
        }
        places = sorted({_ZERO, _ONE} | {x for x in crossings if 0 < x < 1})
        return cls.of(corners([(x, min(a * x + b for a, b in lines)) for x in places]))

    def __call__(self, a: Fraction) -> Fraction:
        """M(a): the largest probability that the other input may give."""
        if not 0 <= a <= 1:
            raise BadInput(f"expected a probability from 0 to 1, found {a}.")
        if a == 0:
            return self.at_zero
        k = bisect_left(self.knots, (a, _ZERO))
        return between(self.knots[k - 1], self.knots[min(k, len(self.knots) - 1)], a)

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of b - M(a)."""
        allowed = self(a)
        return (b > allowed) - (b < allowed)

    def above(self, a: Fraction, bits: int = 0) -> Fraction:
        """M(a) itself, however many bits are asked for."""
        return self(a)

    @property
    def text(self) -> str:
        """M in words."""
        shown = ", ".join(map(_shown, self.knots[:6])) + (", …" if len(self.knots) > 6 else "")
        jump = f", M(0) = {self.at_zero}" if self.at_zero != self.knots[0][1] else ""
        return f"M with corners {shown}{jump}"

    def least(self, a: Fraction) -> Fraction:
        """m(a) = 1 - M(1 - a): the smallest probability that the other input may give."""
        return 1 - self(1 - a)

    def tradeoff(self, alpha: Fraction) -> Fraction:
        """f(α) = 1 - M(α): the least error of the second kind of a test of size α."""
        return 1 - self(alpha)

    def dominates(self, other: PairBound) -> bool:
        """Whether this bound is nowhere below the other one: the weaker promise."""
        places = {a for a, _ in self.knots} | {a for a, _ in other.knots}
        limits = self.knots[0][1] >= other.knots[0][1]
        return limits and all(self(a) >= other(a) for a in places)


def between(left: Knot, right: Knot, a: Fraction) -> Fraction:
    """The value at a of the line through two points."""
    if left[0] == right[0]:
        return right[1]
    return left[1] + (right[1] - left[1]) * (a - left[0]) / (right[0] - left[0])


def _shown(knot: Knot) -> str:
    return f"({knot[0]}, {knot[1]})"


def corners(points: Sequence[Knot]) -> list[Knot]:
    """The points without those on the line between their neighbors."""
    kept: list[Knot] = []
    for point in points:
        while len(kept) > 1 and between(kept[-2], point, kept[-1][0]) == kept[-1][1]:
            kept.pop()
        kept.append(point)
    return kept


def level_bound(level: Level, distance: Surd | None = None) -> Bound:
    """The bound of a level, exactly: by corners where e^(ε d) is a fraction.

    >>> level_bound(Level.ratio(3)).above(Fraction(1, 4)), level_bound(Level.of(1)).text
    (Fraction(3, 4), 'ε = 1')
    """
    apart = Surd.of(1) if distance is None else distance
    exact = level.power(apart) is not None
    return PairBound.of_level(level, apart) if exact else LevelBound(level, apart)


def total_variation(delta: Number) -> PairBound:
    """M(a) = min(1, a + δ): ε = 0, laws that differ by at most δ in total variation.

    Returns: a `PairBound`. Raises: `BadInput` unless δ is from 0 to 1.

    >>> total_variation("1/4").knots[1]
    (Fraction(3, 4), Fraction(1, 1))
    """
    most = stated(delta, "a δ from 0 to 1")
    if not 0 <= most <= 1:
        raise BadInput(f"expected a δ from 0 to 1, found {short_text(most)}.")
    places = sorted({_ZERO, 1 - most, _ONE})
    return PairBound.of([(a, min(_ONE, a + most)) for a in places])


@dataclass(frozen=True)
class GenericDefinition:
    """Bounds for ordered pairs of inputs (by index): (i, j) ↦ M with P(O | j) <= M(P(O | i)).

    Pairs that are not listed are not protected. One bound for all pairs of a relation is
    `on`; different pairs may have different ones.
    """

    bounds: Mapping[tuple[int, int], Bound]

    __repr__ = brief

    def __post_init__(self) -> None:
        own(self)
        if not self.bounds:
            raise BadInput("expected at least one protected pair.")
        if any(i == j for i, j in self.bounds):
            raise BadInput("a pair of inputs that is protected must be two different inputs.")

    @classmethod
    def on(cls, relation: Relation, bound: Bound) -> GenericDefinition:
        """The same bound for every pair of a relation."""
        return cls(dict.fromkeys(relation, bound))

    @classmethod
    def on_neighbors(cls, space: Space | str, bound: Bound) -> GenericDefinition:
        """The same bound for the declared neighbors, or the irreducible pairs, both ways."""
        return cls.on(Relation.on(space_of(space)), bound)

    def relation(self, points: Sequence[Label]) -> Relation:
        """The protected pairs of these inputs."""
        return Relation(points, tuple(self.bounds))


@dataclass(frozen=True)
class BrokenBound:
    """An event that breaks a bound: its outputs and both probabilities, and what was allowed.

    `allowed` is M at the first probability, or a fraction just above it where M is none; None
    where a function said no. `bound` says M in words.
    """

    first: Label
    second: Label
    outputs: tuple[Label, ...]
    probabilities: tuple[Fraction, Fraction]
    allowed: Fraction | None
    bound: str

    __repr__ = brief

    @property
    def text(self) -> str:
        """The event, both probabilities, and what the bound allows."""
        a, b = self.probabilities
        limit = "the function says no" if self.allowed is None else (
            f"allowed is {'at most' if self.allowed < b else 'less than'} "
            f"{float(self.allowed):.12g} ({self.bound})")
        return (f"input {label_text(self.first)} against {label_text(self.second)}: an output in "
                f"{{{few(self.outputs)}}} has probability {short_text(a)} and {short_text(b)}; "
                f"{limit}")

    def as_json(self) -> dict[str, Any]:
        """All parts; probabilities exactly, as text."""
        return {
            "first": label_to_json(self.first),
            "second": label_to_json(self.second),
            "outputs": [label_to_json(output) for output in self.outputs],
            "probabilities": [str(value) for value in self.probabilities],
            "allowed": None if self.allowed is None else float(self.allowed),
            "bound": self.bound,
        }


@dataclass(frozen=True)
class GenericVerdict:
    """Whether a mechanism keeps every bound; the worst broken one, if any.

    `events` is the number of events compared; they decide for all events. `relation` are the
    protected pairs: about others nothing is said.
    """

    broken: BrokenBound | None
    events: int
    relation: Relation

    @property
    def holds(self) -> bool:
        """Whether every event of every protected pair keeps its bound."""
        return self.broken is None

    def facts(self) -> Facts:
        """Whether every bound is kept, the witness if not, and what was compared."""
        relation, parts = self.relation, len(self.relation.components)
        way = "each protected both ways" if relation.symmetric else "directed"
        return Facts(
            "GenericVerdict",
            f"{'proved' if self.holds else 'refuted'}: every protected pair keeps its bound",
            (*data(holds=self.holds),
             Fact("witness", "witness", self.broken and Shown(self.broken, self.broken.text)),
             Fact("pairs", "pairs", len(relation), "ordered pairs", way),
             Fact("events", "events", self.events, "compared exactly",
                  "which decide for all events"),
             *data(both_ways=relation.symmetric, components=parts)),
            (f"The relation has {parts:,} components: which of them an input lies in is NOT "
             "protected at all.",) if self.holds and parts > 1 else (),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def definition_on(given: object, space: Space) -> GenericDefinition:
    """The definition, or the one that asks a bound of all neighbors."""
    if isinstance(given, GenericDefinition):
        return given
    if not hasattr(given, "sign"):
        raise BadInput(
            "expected a definition: tr.files.read_definition(…, space) reads a file or a table, "
            "tr.privacy.total_variation(0.1) is one bound, and tr.privacy.verify_renyi judges "
            "zCDP and Rényi levels.")
    return GenericDefinition.on_neighbors(space, given)  # type: ignore[arg-type]


def verify_generic(
    mechanism: FiniteMechanism | Held | Matrix, definition: GenericDefinition | Bound,
    space: Space | str | None = None,
) -> GenericVerdict:
    """Prove or refute that a mechanism keeps the bound of every protected pair.

    Parameters: a bound alone protects the neighbors of the `space`, the mechanism's own if None.

    Returns: a `GenericVerdict`; `holds` is the answer, `broken` the worst event if it is no.

    Raises: `BadInput` for a protected pair that is not among the inputs; `BadMatrix` for a bad row.

    >>> rr = [["2/3", "1/3"], ["1/3", "2/3"]]
    >>> two, less = PairBound.of_level(Level.ratio(2)), PairBound.of_level(Level.ratio("3/2"))
    >>> verify_generic(rr, two, "categories:2").holds
    True
    >>> verify_generic(rr, less, "categories:2").broken.outputs
    (1,)
    """
    if space is not None or not isinstance(definition, GenericDefinition):
        space = own_space(mechanism, space, "verify_generic")
        definition = definition_on(definition, space)
    mechanism = matrix_form(mechanism, space)
    relation = definition.relation(mechanism.space.points)
    worst: BrokenBound | None = None
    events = 0
    for (i, j), bound in definition.bounds.items():
        count, broken = _worst_event(mechanism, i, j, bound)
        events += count
        if broken is not None and (worst is None or _excess(broken) > _excess(worst)):
            worst = broken
    return GenericVerdict(worst, events, relation)


def _excess(broken: BrokenBound) -> Fraction:
    return broken.probabilities[1] - (broken.allowed or _ZERO)


def _worst_event(
    mechanism: FiniteMechanism, i: int, j: int, bound: Bound
) -> tuple[int, BrokenBound | None]:
    """The corner of the trade-off curve that breaks the bound most."""
    p, q = mechanism.row_at(i), mechanism.row_at(j)
    order = sorted(
        (z for z in range(len(p)) if p[z] or q[z]),
        key=lambda z: (p[z] == 0, q[z] / p[z] if p[z] else _ZERO),
        reverse=True,
    )
    a, b, worst = _ZERO, _ZERO, None
    for count, z in enumerate(order, start=1):
        a, b = a + p[z], b + q[z]
        if not allows(bound, a, b):
            allowed = _just_above(bound, a, b)
            if worst is None or b - allowed > worst[0]:
                worst = (b - allowed, count, a, b, allowed)
    if worst is None:
        return len(order), None
    _, count, a, b, allowed = worst
    points = mechanism.space.points
    outputs = tuple(mechanism.outputs[z] for z in order[:count])
    return len(order), BrokenBound(points[i], points[j], outputs, (a, b), allowed, bound.text)


def _just_above(bound: Bound, a: Fraction, b: Fraction) -> Fraction:
    """A fraction at or above M(a) and at or below b, which M(a) does not exceed."""
    bits = 128
    while (above := bound.above(a, bits)) > b:
        if bound.sign(a, b) == 0:
            return b
        bits *= 2
    return above
