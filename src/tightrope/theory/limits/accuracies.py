"""What an accuracy costs: ε* between its bounds, what a packing and the exponential say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from tightrope.characters import shorten
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, ball_of, float_above, short_text, stated
from tightrope.markup import lines
from tightrope.spaces import Label, MetricQuery, Space, space_of
from tightrope.theory.limits.aims import Aim, Lipschitz, lipschitz
from tightrope.theory.limits.base_measures import (
    ExponentialBound,
    exponential_bounds,
    given_measure,
    measure_on,
)
from tightrope.theory.limits.compatibility import (
    OutOfTime,
    SmallestLevelFor,
    sample_size,
    smallest_level_for,
)
from tightrope.theory.limits.packings import PackingBound, aimed_packing


@dataclass(frozen=True)
class Accuracy:
    """The smallest ε for an accuracy, and the bounds on it that are known in advance.

    `packing` is the lower bound of disjoint balls; `exponential` what exponential mechanisms
    need, by base measure (empty where no privacy at all need be given up). `rows` is the
    least N that gives `level` to a query which one of N rows moves by 1/N, or by `times`/N;
    `enough` serves every query onto the space with the Lipschitz constant `times`. Of a query,
    `space` is that of its datasets, `answers` that of its values, `stretch` its Lipschitz constant.
    """

    space: Space
    smallest: SmallestLevelFor
    packing: PackingBound
    exponential: tuple[ExponentialBound, ...]
    level: Level | None = None
    times: Fraction | None = None
    answers: Space | None = None
    stretch: Lipschitz | None = None

    @property
    def rows(self) -> int | None:
        """The least number of rows for the level, None if none was asked for."""
        if self.level is None:
            return None
        return sample_size(self.smallest, self.level, sensitivity=self.times or Fraction(1))

    @property
    def enough(self) -> float | None:
        """The level `times` ε*, rounded up; None if no constant was asked about."""
        if self.times is None:
            return None
        return float_above(ball_of(self.times * Fraction(self.smallest.upper), 128))

    @property
    def balls(self) -> str:
        """Whether an answer at exactly the radius is near enough: closed balls, or open."""
        return "closed" if self.smallest.closed else "open"

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope theory accuracy --json` prints."""
        return {
            "epsilon_star": self.smallest.epsilon_star,
            "lower": self.smallest.lower,
            "upper": self.smallest.upper,
            "radius": str(self.smallest.radius),
            "failure": str(self.smallest.failure),
            "balls": self.balls,
            "space": self.space.text,
            "values": None if self.answers is None else self.answers.text,
            "lipschitz": None if self.stretch is None else float(self.stretch.upper),
            "packing": {"epsilon": self.packing.epsilon, "points": len(self.packing.points)},
            "exponential": [
                {"base": row.base, "least_ball": float(row.least_ball),
                 "guarantee": row.guarantee, "exact": row.exact, "beta": row.beta,
                 "attained": row.attained}
                for row in self.exponential
            ],
            "enough": self.enough,
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
    space: Space | MetricQuery | str,
    radius: Number,
    failure: Number,
    *,
    closed: bool = True,
    level: Level | Number | None = None,
    base: Sequence[Number] | None = None,
    cover: Sequence[Label] | None = None,
    times: Number | None = None,
    seconds: float = inf,
) -> Accuracy:
    """The smallest ε at which answers are within `radius`, except with probability `failure`.

    Proved from both sides; beside it what simpler arguments prove and simpler mechanisms need.
    In place of a space, a query: its answers are its values, and the level is about datasets.
    `base` is a base measure for the exponential mechanism, `cover` the points of a cover; after
    `seconds` the best bounds that are proved by then are the answer. `times` asks also about
    queries onto the space whose values move at most so much per step (KL-pc, Remark 2.4).

    >>> found = accuracy("categories:3", 0, "1/5", level=1)  # ε* = ln(2 · 4)
    >>> round(found.smallest.epsilon_star, 6), found.rows
    (2.079442, 3)
    >>> from tightrope.spaces import query
    >>> half = query("path:0..3", "path:0..1", lambda x: x // 2)
    >>> found = accuracy(half, 0, "1/5")
    >>> str(found.stretch.upper), round(found.smallest.epsilon_star, 6)
    ('1', 1.386294)

    Raises
    ------
    Infeasible
        if no finite level will do: a failure of 0 where one output cannot serve all inputs.
    """
    asked = space if isinstance(space, MetricQuery) else space_of(space)
    near, rare = stated(radius, "a radius as a number"), stated(failure, "a failure as a number")
    aim = Aim(asked, near, rare, closed)
    factor = None if times is None else stated(times, "a Lipschitz constant as a number")
    if factor is not None and factor <= 0:
        raise BadInput(f"expected a Lipschitz constant above 0, found {factor}.")
    weights = None if base is None else [stated(w, "a base measure in numbers") for w in base]
    if weights is not None:
        given_measure(aim, weights)
    if cover is not None:
        measure_on(aim, cover)
    packed = aimed_packing(aim)
    needed: tuple[ExponentialBound, ...] = ()
    try:
        found = smallest_level_for(asked, near, rare, closed=closed, seconds=seconds)
    except OutOfTime:
        needed = exponential_bounds(asked, near, rare, closed=closed, base=weights, cover=cover)
        attained = [row.attained for row in needed if row.attained is not None]
        if not attained:
            raise
        found = SmallestLevelFor(
            None, packed.epsilon, min(attained), near, rare, closed, None, None
        )
    if found.upper > 0 and not needed:
        needed = exponential_bounds(asked, near, rare, closed=closed, base=weights, cover=cover)
    queried = isinstance(asked, MetricQuery)
    return Accuracy(
        aim.space, found, packed, needed, None if level is None else Level.positive(level), factor,
        aim.answers if queried else None,
        lipschitz(asked) if isinstance(asked, MetricQuery) else None,
    )
