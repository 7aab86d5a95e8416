"""Is a family of spaces privacy-compatible: does one level serve all of its members?

A family is a text with N in it, such as categories:N; its members are scaled to diameter 1. It
is compatible (KL-pc, Definition 3.1) if ε*(γ, δ) stays bounded for all γ, δ > 0, which is so
iff covers of every radius stay bounded (Theorem 3.4, Theorem A.2). A cover of c(r) points, the
same for all N, proves ε* <= (4/γ) ln(c(γ/2)/δ). Points at mutual distances of at least s,
more and more of them, prove the contrary: for all γ < s/2, ε* >= ln((n - 1)(1 - δ)/δ), which
grows without bound. Which of the two it is follows from the family and from where N stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np
from flint import ctx

from tightrope.characters import few
from tightrope.errors import BadInput, CannotCheck, TooLarge
from tightrope.exact import Number, Surd, ball_of, float_above, short_text, sizes, stated
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.spaces import Label, Space, space_of
from tightrope.theory.limits.aims import check_request
from tightrope.theory.limits.covers import packing
from tightrope.theory.limits.packings import packing_root

_N = re.compile(r"(?<![A-Za-wyz])N(?![A-Za-wyz])")
TRIED = (2, 4, 8, 16, 32, 64)
"""Members that are looked at, as long as they are not too large."""

_LEAST = Fraction(1, 10**100)
"""The least radius and failure that are looked at."""

_MOST_PACKED = 300
"""Points of a member in which disjoint balls are sought."""

_MOST_WITNESSES = 64
"""Points of one member whose mutual distances are all checked."""

Cover = Callable[[Fraction], int]
Witness = Callable[[Space, int], list[Label]]


@dataclass(frozen=True)
class Member:
    """One member: how many points are far apart, and what they prove of ε* at diameter 1."""

    number: int
    size: int
    witness: tuple[Label, ...]
    apart: float
    epsilon: float


@dataclass(frozen=True)
class FamilyVerdict:
    """Whether one level serves all members of a family.

    `enough` is a level that does, for this radius and failure (None if the family is not
    compatible); `members` show the points that are far apart. `reason` says what proves it.
    """

    family: str
    compatible: bool
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
            f"{self.family} is {'' if self.compatible else 'not '}compatible, members scaled to "
            "diameter 1",
            (*data(compatible=self.compatible),
             Fact("reason", "because", self.reason),
             Fact("enough", "ε enough for all", self.enough),
             Fact(None, "asked for", f"answers within {short_text(self.radius)}, except with "
                  f"probability {short_text(self.failure)}"),
             *data(family=self.family, radius=self.radius, failure=self.failure),
             Table("rows", "", columns, rows, listed=0)),
            () if self.compatible else (
                "For every radius below half of that distance ε grows without bound with N.",
                "n points that share no answer need a ratio e^ε of (n - 1)(1 - δ)/δ at least."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def family_verdict(
    family: str, radius: Number = "1/8", failure: Number = "1/10", *, upto: int = 64
) -> FamilyVerdict:
    """Whether a family of spaces is privacy-compatible, with what proves it.

    Members are scaled to diameter 1; the radius is in that unit.

    >>> verdict = family_verdict("categories:N")
    >>> last = verdict.members[-1]
    >>> verdict.compatible, len(last.witness), round(last.epsilon, 4)
    (False, 64, 6.3404)
    >>> family_verdict("path:0..N").compatible
    True
    """
    near, rare = stated(radius, "a radius as a number"), stated(failure, "a failure as a number")
    check_request(near, rare)
    if not near or not rare:
        raise BadInput("compatibility is about a radius and a failure above 0.")
    if near < _LEAST or rare < _LEAST:
        raise BadInput("expected a radius and a failure of at least 1e-100.")
    if not _N.search(family):
        raise BadInput(
            f"expected a family with N in place of a number, such as categories:N, found "
            f"{family[:60]!r}."
        )
    if family in ("cube:N", "ball:N"):
        return _high_dimensions(family, near, rare, upto)
    rule, reason = _rule(family)
    numbers = [n for n in TRIED if n <= upto]
    if isinstance(rule, _Covered):
        with ctx.workprec(128):
            count = rule.cover(near / 2)
            level = float_above(ball_of(4 / near, 128) * ball_of(Fraction(count) / rare, 128).log())
        members = tuple(_members(family, numbers, near, rare, _spread(near), packed=True))
        return FamilyVerdict(family, True, f"{reason}: {count:,} points cover every member "
                             f"within {near / 2}", near, rare, level, members)
    members = tuple(_members(family, numbers, near, rare, rule.witness))
    return FamilyVerdict(family, False, reason, near, rare, None, members)


def _high_dimensions(
    family: str, radius: Fraction, failure: Fraction, upto: int
) -> FamilyVerdict:
    """Cubes and balls of dimension N: the ends of unit vectors stay apart, and become more."""
    cube = family == "cube:N"
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


@dataclass(frozen=True)
class _Covered:
    """A number of points that cover every member, for every radius."""

    cover: Cover


@dataclass(frozen=True)
class _Scattered:
    """Points of a member that stay apart while they become more and more."""

    witness: Witness


def _rule(family: str) -> tuple[_Covered | _Scattered, str]:
    """Covers that settle a family, or points that stay apart, with the reason."""
    kind, _, rest = family.partition(":")
    settings = dict(part.partition("=")[::2] for part in rest.split(",") if "=" in part)
    where = {name for name, value in settings.items() if value == "N"}
    if kind in ("categories", "complete") and rest == "N":
        return _Scattered(lambda space, n: list(space.points)), "all points are at distance 1"
    if kind == "star" and rest == "N":
        return _Scattered(lambda space, n: list(space.points[1:])), "all leaves are at distance 2"
    if kind == "sets" and rest == "N":
        return _Scattered(_walsh_sets), "the sets of Walsh functions differ in half of the items"
    if kind == "hamming" and where == {"people"}:
        return _Scattered(_walsh_words), "Walsh functions differ for half of the people"
    if kind == "hamming" and "values" in where:
        return _Scattered(_constant), "databases of one value differ for everybody"
    if kind == "histogram" and "cells" in where:
        return _Scattered(_corners), "everybody in one cell, each cell in turn"
    if kind == "counts" and "queries" in where:
        return _Scattered(_axes), "all people in one count, each in turn"
    if kind == "sum" and where == {"max"}:
        return _Scattered(lambda space, n: list(space.points)), "different sums are a person apart"
    product = any(sign in family for sign in "*^()")  # a part alone settles nothing
    if where and not product:
        space_of(_N.sub("2", family))  # refuses settings that no member has
    covered = None if product else _cover_rule(kind, rest, where == {"people"}, settings)
    if covered is None:
        raise CannotCheck(
            f"nothing here settles the family {family}; families that are settled put N into "
            "path, cycle, grid, star, categories, complete, sets, hamming, histogram, counts, "
            "sum, cube or ball, in one place."
        )
    return covered


def _cover_rule(
    kind: str, rest: str, people: bool, settings: dict[str, str]
) -> tuple[_Covered, str] | None:
    """Covers of one family; `people` says that N is the number of people, and nothing else."""
    if kind == "path":
        return _Covered(lambda r: ceil(1 / r)), "one point of every piece as long as the radius"
    if kind == "cycle" and rest == "N":
        return _Covered(lambda r: ceil(2 / r)), "one point of every arc as long as the radius"
    if kind == "grid":
        axes = len(rest.partition(",")[0].split("x"))
        return _Covered(lambda r: ceil(axes / r) ** axes), "one point of every small cell"
    if kind == "counts" and people:
        axes = int(settings["queries"])
        return _Covered(lambda r: ceil(1 / r) ** axes), "one point of every small cell"
    if kind == "histogram" and people:
        cells = int(settings["cells"])
        return _Covered(lambda r: ceil(cells / r) ** cells), "one point of every small cell"
    if kind == "sum" and people:
        most = int(settings["max"])
        return (
            _Covered(lambda r: most * ceil(2 / r) + 1),
            "all of the small members, one point of every half radius of the others",
        )
    return None


def _members(
    family: str,
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
            space = space_of(_N.sub(str(n), family))
            if space.size > sizes.LARGEST_KERNEL:
                return
        except TooLarge:
            return
        chosen = [space.index(label) for label in witness(space, n)[:_MOST_WITNESSES]]
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
        wide = space.diameter.rational or Fraction(float_above(space.diameter.ball(128)))
        return [space.points[i] for i in packing(space, radius * wide)]

    return chosen


def _walsh(n: int) -> list[list[int]]:
    """Rows of 0 and 1 of which any two differ in half of the first 2^k <= n places."""
    length = 1 << (n.bit_length() - 1)
    return [[(a & x).bit_count() % 2 if x < length else 0 for x in range(n)]
            for a in range(min(length, _MOST_WITNESSES))]


def _walsh_words(space: Space, n: int) -> list[Label]:
    first, second = space.points[0], space.points[-1]
    low, high = (p[0] if isinstance(p, tuple) else p for p in (first, second))
    return [tuple(high if bit else low for bit in row) for row in _walsh(n)]


def _walsh_sets(space: Space, n: int) -> list[Label]:
    if isinstance(space.points[0], tuple) and len(space.points[0]) == n:
        return [tuple(row) for row in _walsh(n)]
    return [space.points[sum(bit << x for x, bit in enumerate(row))] for row in _walsh(n)]


def _constant(space: Space, n: int) -> list[Label]:
    points = [p for p in space.points if isinstance(p, tuple) and len(set(p)) == 1]
    return list(points) or list(space.points)


def _corners(space: Space, n: int) -> list[Label]:
    points: list[Any] = list(space.points)
    people = max(sum(p) for p in points)
    return [p for p in points if max(p) == people]


def _axes(space: Space, n: int) -> list[Label]:
    last = space.points[-1]
    assert isinstance(last, tuple)
    most = last[0]
    return [tuple(most if k == j else 0 for k in range(n)) for j in range(n)]
