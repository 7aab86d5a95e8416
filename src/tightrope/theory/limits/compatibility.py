"""ε*(γ, δ): how little privacy must be given up to be right within γ except with chance δ.

A mechanism has (γ, δ)-utility if, for every input x, the output lies in the ball of radius γ
around f(x) with probability at least 1 - δ; ε* is the smallest level at which there is one
(KL-pc, Definition 2.3). For a fixed level the least worst-case chance of failure is a linear
program (`failure_programs`). It falls as the level rises, so a root is found in doubles and
both ends of a narrow bracket are proved: above, by a certified mechanism whose chances of
failure are added up exactly; below, by a least favorable prior and multipliers that prove
that every mechanism at that level fails more often. Balls are closed unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf, log
from time import monotonic

from tightrope.characters import shorten
from tightrope.errors import BadInput, Infeasible, SolverFailed, TooLarge
from tightrope.exact import (
    Level,
    Number,
    ball_of,
    float_above,
    float_below,
    lower_bound,
    sizes,
    stated,
    tolerances,
)
from tightrope.mechanisms import FiniteMechanism
from tightrope.privacy import Certified
from tightrope.spaces import MetricQuery
from tightrope.theory.limits.aims import Aim, Asked, inputs_of
from tightrope.theory.limits.covers import best_weights
from tightrope.theory.limits.failure_programs import ConeGame, Engine, SimplexGame, chances_outside
from tightrope.theory.limits.packings import aimed_packing
from tightrope.theory.limits.path_games import PathGame
from tightrope.utility import Dual

MOST_CELLS = 800
"""Columns times inputs up to which a simplex solver is asked; beyond, the cone program."""

_WIDE = 2.0**-29
"""Relative width of a bracket from which on the second solver is asked as well."""
_RAREST = 2.0**-1000
"""Stands for a failure that the solver finds to be 0."""
_RARE = 2.0**-50
"""Failures below this are lost beside 1 in doubles."""
_TOO_COARSE = "the solver was not accurate enough to prove a bracket of ε*."
_TOO_RARE = "so rare a failure is beyond the solver's double arithmetic; allow a larger one."


class OutOfTime(SolverFailed):
    """The seconds that were allowed ended before a bracket was proved."""


@dataclass(frozen=True)
class SmallestLevelFor:
    """ε* as a proved bracket.

    At `upper` there is a mechanism (`certified`) that fails with probability at most
    `failure` for every input; at `lower` there is none (`dual` proves it, but for a last hair
    that a packing proves; None if lower is 0, or the packing proves all). `epsilon_star` lies
    between them, None where the time ended first. `closed` says which balls were meant.
    """

    epsilon_star: float | None
    lower: float
    upper: float
    radius: Fraction
    failure: Fraction
    closed: bool
    certified: Certified | None
    dual: Dual | None

    @property
    def width(self) -> float:
        """The width of the bracket."""
        return self.upper - self.lower


def failures(
    mechanism: FiniteMechanism,
    radius: Number,
    *,
    query: MetricQuery | None = None,
    closed: bool = True,
) -> tuple[Fraction, ...]:
    """For every input the exact probability that the output lies outside its ball.

    The ball is around the input itself, or around the value that a query gives it; outputs are
    points of that space by their labels.

    >>> from tightrope.exact import Weights
    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import path, query
    >>> parity = query("path:0..2", "categories:even/odd", lambda x: "odd" if x % 2 else "even")
    >>> weights = Weights.from_integers([[3, 1], [1, 3], [3, 1]])
    >>> told = MatrixMechanism(path(0, 2), ("even", "odd"), weights)
    >>> [str(chance) for chance in failures(told, 0, query=parity)]
    ['1/4', '1/4', '1/4']
    """
    asked = mechanism.space if query is None else query
    if inputs_of(asked) != mechanism.space:
        raise BadInput(
            f"the query is about {shorten(inputs_of(asked).text)}, and the mechanism about "
            f"{shorten(mechanism.space.text)}."
        )
    aim = Aim(asked, stated(radius, "a radius as a number"), Fraction(0), closed)
    return tuple(chances_outside(mechanism, aim))


def smallest_level_for(
    asked: Asked,
    radius: Fraction,
    failure: Fraction,
    *,
    closed: bool = True,
    seconds: float = inf,
) -> SmallestLevelFor:
    """The smallest ε at which every answer is within `radius` except with chance `failure`.

    Of a query the answers are its values, and the level is about its datasets.

    >>> from tightrope.spaces import categories, query
    >>> found = smallest_level_for(categories(3), Fraction(0), Fraction(1, 5))
    >>> found.lower <= log(8) <= found.upper, found.upper - found.lower < 1 / 2**30
    (True, True)
    >>> parity = query("path:0..2", "categories:2", lambda x: x % 2)
    >>> found = smallest_level_for(parity, Fraction(0), Fraction(1, 5))
    >>> found.lower <= log(4) <= found.upper
    True

    Raises
    ------
    Infeasible
        if no finite level will do: a failure of 0 where one output cannot serve all inputs.
    OutOfTime
        if the seconds ended before both ends were proved.
    """
    end = monotonic() + seconds
    aim = Aim(asked, radius, failure, closed)
    entries = aim.space.size * max(aim.space.size, aim.answers.size)
    if entries > sizes.LARGEST_ACCURACY:
        raise TooLarge(
            "the number of pairs of inputs", entries, sizes.LARGEST_ACCURACY,
            "ε* is found for smaller spaces only",
        )
    if radius == 0 and not closed:
        raise Infeasible("open balls of radius 0 are empty: every answer is too far off.")
    packed = aimed_packing(aim).epsilon
    if packed == 0 and 1 - best_weights(aim.near)[1] <= failure:
        return SmallestLevelFor(0.0, 0.0, 0.0, radius, failure, closed, None, None)
    if failure == 0:
        raise Infeasible(
            "never failing needs an output that some inputs exclude, and then no level is "
            "finite; allow a failure above 0, or a larger radius."
        )
    if failure < Fraction(_RAREST):
        raise SolverFailed(_TOO_RARE)
    brackets: list[SmallestLevelFor] = []
    for last, engine in _engines(aim):
        try:
            brackets.append(_bracket(engine, packed, end))
        except OutOfTime:
            if not brackets:
                raise
        except SolverFailed:  # probabilities too small for its doubles
            if last and not brackets:
                raise
        if brackets and brackets[0].width <= _WIDE * brackets[0].upper:
            break
    return min(brackets, key=lambda bracket: bracket.width)


def _engines(aim: Aim) -> Iterator[tuple[bool, Engine]]:
    """Who is asked, in this order, and whether nobody else is left."""
    if PathGame.fits(aim):
        yield False, PathGame(aim)
    if aim.space.size <= MOST_CELLS:
        small = SimplexGame.of(aim)
        if small.copies * aim.space.size <= MOST_CELLS:
            yield False, small
    yield True, ConeGame(aim)


def _bracket(engine: Engine, least: float, end: float) -> SmallestLevelFor:
    """A root in doubles, and the narrowest bracket around it that is proved."""
    root = _root(engine, least, end)
    width = tolerances.LEVEL_WIDTH * root
    certified: Certified | None = None
    dual: Dual | None = None
    lower, upper = Fraction(0), Fraction(0)
    while certified is None or dual is None:
        if width > root / 4:
            rare = engine.aim.failure < Fraction(_RARE)
            raise SolverFailed(_TOO_RARE if rare else _TOO_COARSE)
        _check_time(end)
        if certified is None:
            upper = Fraction(root + width)
            certified = engine.enough(Level.epsilon(upper))
        if dual is None:
            lower = Fraction(root - width)
            dual = engine.short(Level.epsilon(lower))
        width *= 8
    ends = max(least, float_below(ball_of(lower, 80))), float_above(ball_of(upper, 80))
    aim = engine.aim
    return SmallestLevelFor(root, *ends, aim.radius, aim.failure, aim.closed, certified, dual)


def _root(game: Engine, least: float, end: float) -> float:
    """The level at which the least failure equals the one allowed, in double arithmetic."""
    from scipy.optimize import brentq

    space, failure = game.aim.space, float(game.aim.failure)

    def excess(epsilon: float) -> float:
        _check_time(end)
        return log(max(game.value(epsilon), _RAREST)) - log(failure)

    reach = float(space.diameter)
    low = max(least, tolerances.SOLVER_ERROR / float(space.least_distance))
    if excess(low) <= 0:
        return low
    high = max(1.25 * low, 1 / (8 * reach))
    while excess(high) > 0:  # in short steps: solvers are weakest where failures are rare
        low, high = high, 1.25 * high
        if high * reach > sizes.LARGEST_CONE_REACH:
            raise SolverFailed(_TOO_RARE)
    return float(brentq(excess, low, high, xtol=tolerances.LEVEL_WIDTH * low / 8, rtol=2.0**-50))


def _check_time(end: float) -> None:
    if monotonic() > end:
        raise OutOfTime("the time ended before ε* was found; allow more, or ask for less.")


def sample_size(
    epsilon_star: SmallestLevelFor, level: Level, *, sensitivity: int | Fraction = 1
) -> int:
    """The least N with ε* · sensitivity / N <= ε (KL-pc, Remark 2.4).

    For a query that moves by `sensitivity`/N when one of N rows changes.
    """
    needed = Fraction(epsilon_star.upper) * sensitivity
    with_level = lower_bound(level.ball(128))
    return max(1, ceil(needed / with_level))
