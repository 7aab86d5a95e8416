"""The cost of an accuracy: ε* between proved bounds, a packing, exponential mechanisms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from tightrope.characters import shorten
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, ball_of, float_above, short_text, stated
from tightrope.facts import (
    Column,
    Fact,
    Facts,
    Shown,
    Table,
    brief_text,
    card_of,
    data,
    lines_of,
)
from tightrope.privacy import level_of
from tightrope.spaces import Label, MetricQuery, Space, space_of
from tightrope.spellings import RESULT, spelled
from tightrope.theory.limits.aims import Aim, Lipschitz, lipschitz
from tightrope.theory.limits.base_measures import (
    ExponentialBound,
    exponential_bounds,
    given_measure,
    measure_on,
)
from tightrope.theory.limits.bodies import Body
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

    def facts(self) -> Facts:
        """ε* with its bracket, the bounds known in advance, and what they are of."""
        smallest, packed, star = self.smallest, self.packing, self.smallest.epsilon_star
        between = f"proved between {smallest.lower:.13g} and {smallest.upper:.13g}"
        near = "within" if smallest.closed else "nearer than"
        step = short_text(self.times or Fraction(1))
        rows = None if self.rows is None else Shown(
            self.rows, f"{self.rows:,} for {self.level}, if one row moves the query by {step}/N")
        enough = None if self.enough is None else Shown(
            self.enough, f"ε = {self.enough:.7g} is enough if values move at most {step} per step")
        columns = (Column("base", "exponential, base"), Column("attained", "ε it needs", 7),
                   Column("exact", "ε by the theorem", 7), Column("guarantee", "guarantee 2Cβ", 7),
                   Column("beta", None), Column("least_ball", None))
        table = tuple((row.base, row.attained, row.exact, row.guarantee, row.beta,
                       float(row.least_ball)) for row in self.exponential)
        return Facts(
            "Accuracy",
            f"answers {near} {short_text(smallest.radius)} on {shorten(self.space.text)}, except "
            f"with probability {short_text(smallest.failure)}",
            (Fact("epsilon_star", None, star),
             Fact(None, "smallest ε", between if star is None else f"{star:.11g}, {between}"),
             *data(lower=smallest.lower, upper=smallest.upper),
             Fact("packing", "packing", Shown(
                 {"epsilon": packed.epsilon, "points": len(packed.points)},
                 f"at least {packed.epsilon:.7g} by {len(packed.points)} disjoint balls")),
             Fact("enough", "queries", enough, detail=True),
             Fact("rows", "rows", rows),
             Fact("space", "space", brief_text(self.space.text), detail=True),
             Fact("values", "values", self.answers and brief_text(self.answers.text),
                  detail=True),
             Fact("lipschitz", "Lipschitz constant", self.stretch and Shown(
                 float(self.stretch.upper), self.stretch.text)),
             *data(radius=smallest.radius, failure=smallest.failure, balls=self.balls),
             Table("exponential", "", columns, table, listed=0)),
            (*(("The time ended first: disjoint balls prove the lower end, the exponential "
                "mechanism the upper one.",) if star is None else ()),
             *(("An answer that does not look at the data is already as accurate.",)
               if smallest.upper == 0 else ())),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(
    loss="tr.design, which knows losses; accuracy has a radius and a failure",
    lipschitz="times=C",
    measure="base=[…], one weight for each value",
    open="closed=False",
    query="tr.files.read_query(…) in the place of the space",
    rows_for="epsilon=…, and rows of the result",
    time="seconds=60",
    **RESULT,
)
def accuracy(
    space: Space | MetricQuery | str,
    radius: Number,
    failure: Number,
    *,
    closed: bool = True,
    epsilon: Level | Number | None = None,
    ratio: Number | None = None,
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

    >>> found = accuracy("categories:3", 0, "1/5", epsilon=1)  # ε* = ln(2 · 4)
    >>> round(found.smallest.epsilon_star, 6), found.rows
    (2.079442, 3)
    >>> from tightrope.spaces import query
    >>> half = query("path:0..3", "path:0..1", lambda x: x // 2)
    >>> found = accuracy(half, 0, "1/5")
    >>> str(found.stretch.upper), round(found.smallest.epsilon_star, 6)
    ('1', 1.386294)

    Returns
    -------
    Accuracy
        its `smallest` holds both proved ends of the smallest ε; `rows` is None without a level.

    Raises
    ------
    BadInput
        for a negative radius, a failure outside [0, 1), or a base or cover that does not fit.
    Infeasible
        if no finite level will do: a failure of 0 where one output cannot serve all inputs.
    """
    wanted = None
    if epsilon is not None or ratio is not None:
        wanted = Level.positive(level_of(epsilon, ratio=ratio))
    if isinstance(space, str) and Body.parse(space) is not None:
        raise BadInput("a body is continuous: tr.theory.body_accuracy(body, radius, failure).")
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
        smallest = smallest_level_for(asked, near, rare, closed=closed, seconds=seconds)
    except OutOfTime:
        needed = exponential_bounds(asked, near, rare, closed=closed, base=weights, cover=cover)
        attained = [row.attained for row in needed if row.attained is not None]
        if not attained:
            raise
        smallest = SmallestLevelFor(
            None, packed.epsilon, min(attained), near, rare, closed, None, None
        )
    if smallest.upper > 0 and not needed:
        needed = exponential_bounds(asked, near, rare, closed=closed, base=weights, cover=cover)
    values = (aim.answers, lipschitz(asked)) if isinstance(asked, MetricQuery) else (None, None)
    return Accuracy(aim.space, smallest, packed, needed, wanted, factor, *values)
