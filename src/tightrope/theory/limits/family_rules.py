"""Rules that settle a family of spaces: covers that serve every member, or points that stay apart.

A product is covered if all of its factors are: a factor of the product is no wider than the
product, so a cover of it by the radius (by its share of the radius where distances add) will do.
Points of one factor that stay apart stay apart in the product, unless another factor grows faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, prod
from typing import Any

from tightrope.errors import CannotCheck
from tightrope.spaces import Label, Space, space_of

N = re.compile(r"(?<![A-Za-wyz])N(?![A-Za-wyz])")
"""The letter that stands for a number in the text of a family."""

MOST_WITNESSES = 64
"""Points of one member whose mutual distances are all checked."""

Cover = Callable[[Fraction], int]
Witness = Callable[[Space, int], list[Label]]


@dataclass(frozen=True)
class Covered:
    """A number of points that cover every member, for every radius."""

    cover: Cover


@dataclass(frozen=True)
class Scattered:
    """Points of a member that stay apart while they become more and more."""

    witness: Witness


def rule_of(family: str) -> tuple[Covered | Scattered, str]:
    """Covers that settle a family, or points that stay apart, with the reason."""
    if any(sign in family for sign in "*^()"):
        return _product_rule(family)
    kind, _, rest = family.partition(":")
    settings = dict(part.partition("=")[::2] for part in rest.split(",") if "=" in part)
    where = {name for name, value in settings.items() if value == "N"}
    if kind in ("categories", "complete") and rest == "N":
        return Scattered(lambda space, n: list(space.points)), "all points are at distance 1"
    if kind == "star" and rest == "N":
        return Scattered(lambda space, n: list(space.points[1:])), "all leaves are at distance 2"
    if kind == "sets" and rest == "N":
        return Scattered(_walsh_sets), "the sets of Walsh functions differ in half of the items"
    if kind == "hamming" and where == {"people"}:
        return Scattered(_walsh_words), "Walsh functions differ for half of the people"
    if kind == "hamming" and "values" in where:
        return Scattered(_constant), "databases of one value differ for everybody"
    if kind == "histogram" and "cells" in where:
        return Scattered(_corners), "everybody in one cell, each cell in turn"
    if kind == "counts" and "queries" in where:
        return Scattered(_axes), "all people in one count, each in turn"
    if kind == "sum" and where == {"max"}:
        return Scattered(lambda space, n: list(space.points)), "different sums are a person apart"
    if where:
        space_of(N.sub("2", family))  # refuses settings that no member has
    covered = _cover_rule(kind, rest, where == {"people"}, settings)
    if covered is None:
        raise CannotCheck(
            f"nothing here settles the family {family}; families that are settled put N into "
            "path, cycle, grid, star, categories, complete, sets, hamming, histogram, counts, "
            "sum, interval, cube or ball, in one place, or are products of such."
        )
    return covered


def _product_rule(family: str) -> tuple[Covered | Scattered, str]:
    """Covers of all factors, or a factor whose points stay apart while no other outgrows it."""
    signs, factors = set(re.findall(r"[*^]", family)), re.split(r"\s*[*^]\s*", family.strip())
    if "(" in family or '"' in family or len(signs) != 1:
        raise CannotCheck(f"nothing here settles the family {family}; products that are settled "
                          "have factors joined by * alone, or by ^ alone, without parentheses.")
    rules = [rule_of(factor) if N.search(factor) else (_all_points(factor), "all of its points")
             for factor in factors]
    covers = [rule.cover for rule, _ in rules if isinstance(rule, Covered)]
    if len(covers) == len(factors):
        parts = len(factors) if signs == {"*"} else 1
        return (Covered(lambda r: prod(cover(r / parts) for cover in covers)),
                "; ".join(f"{factor}: {why}" for factor, (_, why) in zip(
                    factors, rules, strict=True)))
    fastest = max(map(_growth, factors))
    for place, (rule, why) in enumerate(rules):
        if isinstance(rule, Scattered) and _growth(factors[place]) == fastest:
            return Scattered(_within(factors, place, rule.witness)), f"{factors[place]}: {why}"
    raise CannotCheck(f"nothing here settles the family {family}: points of one factor stay apart "
                      "and those of another grow away from each other.")


def _all_points(text: str) -> Covered:
    size = space_of(text).size
    return Covered(lambda _: size)


def _growth(factor: str) -> int:
    """The power of N with which the diameter of a factor grows: 0 or 1."""
    kind, _, rest = factor.partition(":")
    longer = kind in ("path", "cycle", "grid", "sets") or "people=N" in rest.replace(" ", "")
    return int(bool(N.search(factor)) and longer)


def _within(factors: list[str], place: int, witness: Witness) -> Witness:
    """Points of one factor beside the first points of all others."""

    def chosen(space: Space, n: int) -> list[Label]:
        parts = [space_of(N.sub(str(n), factor)) for factor in factors]
        step = prod(part.size for part in parts[place + 1:])
        return [space.points[parts[place].index(label) * step]
                for label in witness(parts[place], n)]

    return chosen


def _cover_rule(
    kind: str, rest: str, people: bool, settings: dict[str, str]
) -> tuple[Covered, str] | None:
    """Covers of one family; `people` says that N is the number of people, and nothing else."""
    if kind == "path":
        return Covered(lambda r: ceil(1 / r)), "one point of every piece as long as the radius"
    if kind == "cycle" and rest == "N":
        return Covered(lambda r: ceil(2 / r)), "one point of every arc as long as the radius"
    if kind == "grid":
        axes = len(rest.partition(",")[0].split("x"))
        return Covered(lambda r: ceil(axes / r) ** axes), "one point of every small cell"
    if kind == "counts" and people:
        axes = int(settings["queries"])
        return Covered(lambda r: ceil(1 / r) ** axes), "one point of every small cell"
    if kind == "histogram" and people:
        cells = int(settings["cells"])
        return Covered(lambda r: ceil(cells / r) ** cells), "one point of every small cell"
    if kind == "sum" and people:
        most = int(settings["max"])
        return (
            Covered(lambda r: most * ceil(2 / r) + 1),
            "all of the small members, one point of every half radius of the others",
        )
    return None


def _walsh(n: int) -> list[list[int]]:
    """Rows of 0 and 1 of which any two differ in half of the first 2^k <= n places."""
    length = 1 << (n.bit_length() - 1)
    return [[(a & x).bit_count() % 2 if x < length else 0 for x in range(n)]
            for a in range(min(length, MOST_WITNESSES))]


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
