"""Is a family of spaces privacy-compatible: does one level serve all of its members?

A family is a text with N in it, such as categories:N, or a function from a number to a space;
members are scaled to diameter 1. It
is compatible (KL-pc, Definition 3.1) if ε*(γ, δ) stays bounded for all γ, δ > 0, which is so
iff covers of every radius stay bounded (Theorem 3.4, Theorem A.2). A cover of c(r) points, the
same for all N, proves ε* <= (4/γ) ln(c(γ/2)/δ). Points at mutual distances of at least s,
more and more of them, prove the contrary: for all γ < s/2, ε* >= ln((n - 1)(1 - δ)/δ), which
grows without bound. Which of the two it is follows from the text (`family_rules`). Of a function
finitely many members are looked at, which decides nothing about the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import ceil, isqrt
from typing import Any, TypeAlias

import numpy as np
from flint import ctx

from tightrope.characters import few
from tightrope.errors import BadInput, TightropeError, TooLarge
from tightrope.exact import Number, Surd, ball_of, float_above, short_text, sizes, stated
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.spaces import Label, Space, space_of
from tightrope.theory.limits.aims import check_request
from tightrope.theory.limits.bodies import Body, BodyKind, cover_size
from tightrope.theory.limits.covers import cover, packing
from tightrope.theory.limits.family_rules import (
    MOST_WITNESSES,
    Covered,
    N,
    Scattered,
    Witness,
    rule_of,
)
from tightrope.theory.limits.packings import packing_root

SpaceOf: TypeAlias = Callable[[int], Any]
"""A family of the user's: a function from N to a space, or to the text of one."""

TRIED = (2, 4, 8, 16, 32, 64)
"""Members that are looked at, as long as they are not too large."""

_LEAST = Fraction(1, 10**100)
"""The least radius and failure that are looked at."""

_MOST_PACKED = 300
"""Points of a member in which disjoint balls are sought."""


@dataclass(frozen=True)
class Member:
    """One member: how many points are far apart, and what they prove of ε* at diameter 1."""

    number: int
    size: int
    witness: tuple[Label, ...]
    apart: float
    epsilon: float


_VERDICTS = {True: "compatible", False: "not compatible", None: "looked at, not decided"}


@dataclass(frozen=True)
class FamilyVerdict:
    """Whether one level serves all members of a family.

    `enough` is a level that does, for this radius and failure (None if the family is not
    compatible); `members` show the points that are far apart. `reason` says what proves it. Of a
    function `compatible` is None, and `enough` is a level for the members that were looked at.
    """

    family: str
    compatible: bool | None
    reason: str
    radius: Fraction
    failure: Fraction
    enough: float | None
    members: tuple[Member, ...]

    def facts(self) -> Facts:
        """Whether it is compatible, why, a level for all members, and points far apart."""
        columns = (Column("N", "N", words=True), Column("apart", "points apart", words=True),
                   Column("distance", "at least", 4, words=True),
                   Column("epsilon_at_least", "ε at least", words=True),
                   Column("witness", "such as", words=True), Column("points", None))
        rows = tuple((m.number, len(m.witness), m.apart, m.epsilon,
                      Shown([str(x) for x in m.witness], few(m.witness)), m.size)
                     for m in self.members)
        return Facts(
            "FamilyVerdict",
            f"{self.family} is {_VERDICTS[self.compatible]}, members scaled to diameter 1",
            (*data(compatible=self.compatible),
             Fact("reason", "because", self.reason),
             Fact("enough", "ε enough for all" if self.compatible else "ε enough for these",
                  self.enough),
             Fact(None, "asked for", f"answers within {short_text(self.radius)}, except with "
                  f"probability {short_text(self.failure)}"),
             *data(family=self.family, radius=self.radius, failure=self.failure),
             Table("rows", "", columns, rows, listed=0)),
            () if self.compatible is not False else (
                "For every radius below half of that distance ε grows without bound with N.",
                "n points that share no answer need a ratio e^ε of (n - 1)(1 - δ)/δ at least."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def family_verdict(
    family: str | SpaceOf, radius: Number = "1/8", failure: Number = "1/10", *, upto: int = 64
) -> FamilyVerdict:
    """Whether a family of spaces is privacy-compatible, with what proves it.

    Members are scaled to diameter 1; the radius is in that unit. A function from a number to a
    space, or to its text, is looked at for N = 2, 4, 8 and so on; it is not decided.

    >>> verdict = family_verdict("categories:N")
    >>> last = verdict.members[-1]
    >>> verdict.compatible, len(last.witness), round(last.epsilon, 4)
    (False, 64, 6.3404)
    >>> family_verdict("path:0..N").compatible
    True
    >>> family_verdict("path:0..N * path:0..N").compatible
    True
    >>> [len(m.witness) for m in family_verdict(lambda n: f"star:{n}", upto=8).members]
    [3, 5, 9]
    """
    near, rare = stated(radius, "a radius as a number"), stated(failure, "a failure as a number")
    check_request(near, rare)
    if not near or not rare:
        raise BadInput("compatibility is about a radius and a failure above 0.")
    if near < _LEAST or rare < _LEAST:
        raise BadInput("expected a radius and a failure of at least 1e-100.")
    numbers = [n for n in TRIED if n <= upto]
    if not isinstance(family, str):
        return _looked_at(family, numbers, near, rare)
    if not N.search(family):
        raise BadInput(
            f"expected a family with N in place of a number, such as categories:N, found "
            f"{family[:60]!r}."
        )
    if re.fullmatch(r"(cube|ball):N(,.*)?", family):
        return _high_dimensions(family, near, rare, upto)
    body = Body.parse(N.sub(str(TRIED[-1]), family))
    rule, reason = _body_rule(body) if body else rule_of(family)
    members = () if body else tuple(_members(_member_of(family), numbers, near, rare, (
        _spread(near) if isinstance(rule, Covered) else rule.witness),
        packed=isinstance(rule, Covered)))
    if isinstance(rule, Scattered):
        return FamilyVerdict(family, False, reason, near, rare, None, members)
    count = rule.cover(near / 2)
    return FamilyVerdict(family, True, f"{reason}: {count:,} points cover every member within "
                         f"{near / 2}", near, rare, _by_theorem(near, rare, count), members)


def _by_theorem(radius: Fraction, failure: Fraction, count: int) -> float:
    """The level 2β of an exponential mechanism on a cover: (4/γ) ln(count/δ)."""
    with ctx.workprec(128):
        return float_above(
            ball_of(4 / radius, 128) * ball_of(Fraction(count) / failure, 128).log())


def _body_rule(body: Body) -> tuple[Covered, str]:
    """Covers of a body of diameter 1: whatever its size, it is the same one."""
    if body.kind is BodyKind.BALL:  # one point of it in every cell as wide as the radius
        root = Fraction(isqrt(body.dimension * 10**12) + 1, 10**6)
        return Covered(lambda r: ceil(root / r) ** body.dimension), "scaled, all members are one"
    unit = replace(body, length=Fraction(1))
    return Covered(lambda r: cover_size(unit, r)), "scaled, all members are one"


def _looked_at(
    space_of_n: SpaceOf, numbers: Sequence[int], radius: Fraction, failure: Fraction
) -> FamilyVerdict:
    """Members of a function: points with disjoint balls, and a level that serves these members."""
    name = getattr(space_of_n, "__name__", "the function")

    def member(n: int) -> Space:
        try:
            return space_of(space_of_n(n))
        except TightropeError:
            raise
        except Exception as reason:
            raise BadInput(f"{name}({n}) failed: {type(reason).__name__}: {reason}.") from None

    members = tuple(_members(member, numbers, radius, failure, _spread(radius), packed=True))
    if not members:
        raise BadInput("the function has no member that can be looked at; ask for a larger N.")
    spaces = [member(m.number) for m in members if m.size <= _MOST_PACKED]
    count = max((len(cover(space, _width(space) * radius / 2)) for space in spaces), default=0)
    level = _by_theorem(radius, failure, count) if len(spaces) == len(members) else None
    return FamilyVerdict(name, None, f"members N = {few([m.number for m in members])} were looked "
                         "at; a function may go on in any way", radius, failure, level, members)


def _member_of(family: str) -> Callable[[int], Space]:
    return lambda n: space_of(N.sub(str(n), family))


def _high_dimensions(
    family: str, radius: Fraction, failure: Fraction, upto: int
) -> FamilyVerdict:
    """Cubes and balls of dimension N: the ends of unit vectors stay apart, and become more."""
    Body.parse(N.sub("2", family))  # refuses settings that no body has
    cube = family.startswith("cube")
    apart = 1.0 if cube else 0.5**0.5
    wide = 2 * float(radius) < apart * (1 - 2.0**-40)
    members = []
    for n in (n for n in TRIED if n <= upto):
        lengths = np.full(n if cube else n - 1, apart * (1 + 2.0**-40))
        bound = packing_root(lengths, failure) if wide else 0.0
        ends = tuple(f"e{k + 1}" for k in range(n))
        members.append(Member(n, 0, ("0", *ends) if cube else ends, apart, bound))
    what = "0 and the unit vectors differ by 1" if cube else "unit vectors are √2 apart"
    return FamilyVerdict(family, False, what, radius, failure, None, tuple(members))


def _members(
    member: Callable[[int], Space],
    numbers: Sequence[int],
    radius: Fraction,
    failure: Fraction,
    witness: Witness,
    *,
    packed: bool = False,
) -> Iterator[Member]:
    """The members that can be looked at; every distance that is claimed is checked.

    `packed` says that the balls of the witness are known to be disjoint.
    """
    for n in numbers:
        try:
            space = member(n)
            if space.size > sizes.LARGEST_KERNEL:
                return
        except TooLarge:
            return
        chosen = [space.index(label) for label in witness(space, n)[:MOST_WITNESSES]]
        diameter = space.diameter
        apart = _least(space, chosen) if len(chosen) > 1 else diameter
        scaled = float(apart) / float(diameter)
        wide = packed or apart > diameter * (2 * radius)
        center = np.full(len(chosen) - 1, chosen[0])
        lengths = space.lengths(center, np.array(chosen[1:], dtype=np.int64))
        lengths = lengths / float(diameter) * (1 + 2.0**-40)
        epsilon = packing_root(lengths, failure) if wide and len(chosen) > 1 else 0.0
        yield Member(n, space.size, tuple(space.points[i] for i in chosen), scaled, epsilon)


def _least(space: Space, chosen: Sequence[int]) -> Surd:
    return min(space.distance(a, b) for a, b in combinations(chosen, 2))


def _spread(radius: Fraction) -> Witness:
    """Points with disjoint balls; of a member with many points only one."""

    def chosen(space: Space, n: int) -> list[Label]:
        if space.size > _MOST_PACKED:
            return [space.points[0]]
        return [space.points[i] for i in packing(space, radius * _width(space))]

    return chosen


def _width(space: Space) -> Fraction:
    """The diameter, or a number just above."""
    return space.diameter.rational or Fraction(float_above(space.diameter.ball(128)))
