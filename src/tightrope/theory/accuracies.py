"""What an accuracy costs: ε* between its bounds, what a packing and the exponential say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tightrope.characters import shorten
from tightrope.exact import Level, Number, short_text, stated
from tightrope.markup import lines
from tightrope.spaces import Space, space_of
from tightrope.theory.base_measures import ExponentialBound, exponential_bounds
from tightrope.theory.compatibility import SmallestLevelFor, sample_size, smallest_level_for
from tightrope.theory.packings import PackingBound, packing_bound


@dataclass(frozen=True)
class Accuracy:
    """The smallest ε for an accuracy, and the bounds on it that are known in advance.

    `packing` is the lower bound of disjoint balls; `exponential` what exponential mechanisms
    need, by base measure (empty where no privacy at all need be given up). `rows` is the
    least N that gives `level` to a query which one of N rows moves by 1/N.
    """

    space: Space
    smallest: SmallestLevelFor
    packing: PackingBound
    exponential: tuple[ExponentialBound, ...]
    level: Level | None = None

    @property
    def rows(self) -> int | None:
        """The least number of rows for the level, None if none was asked for."""
        return None if self.level is None else sample_size(self.smallest, self.level)

    @property
    def balls(self) -> str:
        """Whether an answer at exactly the radius is near enough: closed balls, or open."""
        return "closed" if self.smallest.closed else "open"

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope tradeoff --radius --failure --json` prints."""
        return {
            "epsilon_star": self.smallest.epsilon_star,
            "lower": self.smallest.lower,
            "upper": self.smallest.upper,
            "radius": str(self.smallest.radius),
            "failure": str(self.smallest.failure),
            "balls": self.balls,
            "space": self.space.text,
            "packing": {"epsilon": self.packing.epsilon, "points": len(self.packing.points)},
            "exponential": [
                {"base": row.base, "least_ball": float(row.least_ball),
                 "guarantee": row.guarantee, "exact": row.exact, "beta": row.beta,
                 "attained": row.attained}
                for row in self.exponential
            ],
            "rows": self.rows,
        }

    def __repr__(self) -> str:
        found, rows = self.smallest, self.rows
        near = f"{'within' if found.closed else 'nearer than'} {short_text(found.radius)}"
        return lines(
            f"Accuracy: {near} on {shorten(self.space.text)}, "
            f"but for a probability of {short_text(found.failure)}",
            [
                ("smallest ε", f"from {found.lower!r} to {found.upper!r}"),
                ("by a packing", f"at least {self.packing.epsilon!r}"),
                ("rows", None if rows is None else f"{rows:,} for {self.level}"),
            ],
        )


def accuracy(
    space: Space | str,
    radius: Number,
    failure: Number,
    *,
    closed: bool = True,
    level: Level | Number | None = None,
) -> Accuracy:
    """The smallest ε at which answers are within `radius`, except with probability `failure`.

    Proved from both sides; beside it what simpler arguments prove and simpler mechanisms need.

    >>> found = accuracy("categories:3", 0, "1/5", level=1)  # ε* = ln(2 · 4)
    >>> round(found.smallest.epsilon_star, 6), found.rows
    (2.079442, 3)

    Raises
    ------
    Infeasible
        if no finite level will do: a failure of 0 where one output cannot serve all inputs.
    """
    space = space_of(space)
    near, rare = stated(radius, "a radius as a number"), stated(failure, "a failure as a number")
    found = smallest_level_for(space, near, rare, closed=closed)
    packed = packing_bound(space, near, rare, closed=closed)
    needed = exponential_bounds(space, near, rare, closed=closed) if found.upper > 0 else ()
    return Accuracy(space, found, packed, needed, None if level is None else Level.of(level))
