"""Noise for a number, chosen among laws by what one person can change.

Each law is a staircase or a sequence of sets (WXH, Theorems 1 to 4); all values share one
normalizer, so each has the level that it is made for, not twice that (Corollary 1). Laplace
noise stands beside them to be compared with. Theorems 5 and 6 prefer some answers to others:
their law depends on the value and is no noise. Which law errs least is found from the changes
and the level alone; no value is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, inf
from typing import Any

import numpy as np
from flint import ctx

from tightrope.characters import decimal_text
from tightrope.choices import Shape, member_of
from tightrope.constructions import best_share
from tightrope.errors import BadInput, BadLevel, CannotCheck, Infeasible, TooLarge
from tightrope.exact import (
    MOST_INTERVALS,
    Intervals,
    Level,
    Number,
    Surd,
    ball_of,
    float_above,
    own,
    short_text,
    sizes,
    stated,
)
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.mechanisms import LineMechanism, PiecewiseNoise
from tightrope.privacy import Certified, certified, level_of, promise, smallest_text
from tightrope.spaces import RealLine, interval_texts
from tightrope.theory.queries.linear_queries import LineSequence, line_sequence

_ONE = Surd.of(1)
_FINEST = 1024
"""Radii δ are tried in multiples of the largest change over this."""

_MOST_SETS = 2000
"""Sets of a sequence: with more, weights are longer than a proof adds up."""

_PIECES = 8
"""Sets of a law that people are shown; programs get all."""

_MEANING = {
    "theorem-1": "steps as wide as the largest change",
    "theorem-2": "the sets that one, two, three people explain",
    "theorem-3": "the sets that one, two, three people explain, widened by δ",
    "staircase": "a first step of radius δ, then steps as wide as the largest change",
}


@dataclass(frozen=True)
class LineLaw:
    """One law beside others: its radius δ, its mean error, its proof; or why there is none.

    Laplace noise has a mean error and no proof here: it is not drawn.
    """

    name: str
    delta: Fraction | None = None
    mean_error: float | None = None
    certified: Certified | None = None
    reason: str | None = None

    @property
    def noise(self) -> PiecewiseNoise | None:
        """The density, where there is one in steps."""
        if self.certified is None:
            return None
        mechanism = self.certified.mechanism
        assert isinstance(mechanism, LineMechanism)
        return mechanism.noise

    @property
    def cells(self) -> tuple[object, ...]:
        """A row of the comparison."""
        smallest = None if self.certified is None else self.certified.certificate.smallest
        delta = None if self.delta is None else Shown(self.delta, f"{float(self.delta):.6g}")
        unproved = "" if self.mean_error is None else "ε"
        level = Shown(smallest, unproved if smallest is None else smallest_text(smallest))
        return self.name, delta, self.mean_error, level, self.certified is not None, self.reason


@dataclass(frozen=True)
class Noise:
    """Noise for a number that one person changes by a point of `changes`, up or down.

    `chosen` is the law that is run, `laws` all that were looked at, the best first.
    """

    changes: Intervals
    level: Level
    chosen: LineLaw
    laws: tuple[LineLaw, ...]

    def __post_init__(self) -> None:
        own(self)

    @property
    def certified(self) -> Certified:
        """The mechanism that is run, with its proof."""
        assert self.chosen.certified is not None
        return self.chosen.certified

    @property
    def mechanism(self) -> LineMechanism:
        """The mechanism that is run."""
        mechanism = self.certified.mechanism
        assert isinstance(mechanism, LineMechanism)
        return mechanism

    @property
    def mean_error(self) -> float:
        """E|noise| of the law that is run."""
        assert self.chosen.mean_error is not None
        return self.chosen.mean_error

    @property
    def laplace_error(self) -> float:
        """E|noise| of Laplace noise at the same level: the largest change over ε."""
        return next(e for e in (law.mean_error for law in self.laws if law.name == "laplace") if e)

    @property
    def sensitivity(self) -> Fraction:
        """The largest change by one person."""
        return self.mechanism.space.moves.reach

    def facts(self) -> Facts:
        """The law that is run with its error and proof, all laws, and the sets of its density."""
        density, proof, mechanism = self.mechanism.noise, self.certified.certificate, self.mechanism
        law = {"name": self.chosen.name, "delta_radius": self.chosen.delta, "ratio": density.ratio,
               "normalizer": float(density.normalizer),
               "rungs": [None if rung is None else interval_texts(rung) for rung in density.rungs],
               "step": density.step, "grid": mechanism.grid}
        columns = (Column("law", "law"), Column("delta_radius", "δ"),
                   Column("mean_error", "mean error", 7), Column("epsilon", "exact level"),
                   Column("certified", None), Column("reason", None))
        return Facts(
            "Noise",
            f"{self.chosen.name} noise on {mechanism.space.text}",
            (Fact("mean_error", "mean error", self.mean_error),
             Fact("law", "law", Shown(law, f"{self.chosen.name}: {_MEANING[self.chosen.name]}")),
             Fact("evidence", None, proof.evidence.value),
             Fact("statement", "level", Shown(
                 proof.statement, f"{proof.level}, proved ({proof.evidence.value}): "
                 f"{proof.statement}")),
             Fact("neighbors", "one person", Shown(
                 proof.neighbors, f"{proof.neighbors}, up or down; at most {self.sensitivity}")),
             Fact(None, "answers", f"multiples of {decimal_text(mechanism.grid)}, rounded down",
                  detail=True),
             *data(changes=interval_texts(self.changes), sensitivity=self.sensitivity,
                   symmetric=interval_texts(mechanism.space.moves), **self.level.as_json()),
             Table("laws", "", columns, tuple(law.cells for law in self.laws), listed=0),
             Table(None, "The law, in sets around the number:",
                   (Column(None, "rung", words=True), Column(None, "noise", words=True),
                    Column(None, "density")), tuple(_pieces(density)), listed=0)),
            (*(f"{law.name}: {law.reason}" for law in self.laws if law.reason is not None),
             promise(proof.level, mechanism.space),
             "Each answer is a full charge of ε."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def noise(
    changes: Intervals | str | Sequence[Any],
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    shape: Shape | str = Shape.BEST,
    widen: Number | None = None,
    grid: Number | None = None,
) -> Noise:
    """Noise for a number, by how much one person can change it: the law that errs least, proved.

    `changes` is a set such as "[-1, 1]", "[1, 2] | [5, 6]" or "{1, 3}", or pairs of ends; since
    neighbors are symmetric, its mirror image belongs to it. `widen` is the radius δ of the first
    set in Theorem 3 and of the first step of the staircase; without it a nearly best one is
    taken. Answers are rounded down to a multiple of `grid`, by default one that is about a
    thousandth of the mean error.

    Returns: `Noise`; `certified` is the law with the least error, `laws` all that were tried.

    Raises: `Infeasible` where a shape asked for does not exist; `BadInput` for changes, a shape,
    `widen` or `grid` that cannot be, or an ε not from 1e-6 to 600.

    >>> found = noise("[1, 2] | [5, 6]", Level.ratio(9))
    >>> found.chosen.name, [law.name for law in found.laws if law.certified is None]
    ('theorem-3', ['laplace'])
    >>> found.certified.certificate.level.text, found.mechanism.law(7).center
    ('ln(9)', Fraction(7, 1))
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    space, wanted = RealLine(changes_of(changes)), member_of(Shape, shape)
    least, most = sizes.SMALLEST_LINE_EPSILON, sizes.LARGEST_CONE_REACH
    if not least <= float(level) <= most:
        raise BadLevel(f"ε = {level.text}", f"an ε from {least:g} to {most} for noise on a line")
    radius = None if widen is None else stated(widen, "a radius δ of at least 0")
    if radius is not None and radius < 0:
        raise BadInput(f"expected a radius δ of at least 0, found {short_text(radius)}.")
    step = None if grid is None else stated(grid, "a grid above 0")
    asked = [s for s in Shape if s is not Shape.BEST] if wanted is Shape.BEST else [wanted]
    laws = [_law(kind, space, level, radius, step) for kind in asked]
    ready = [law for law in laws if law.certified is not None]
    if not ready:
        raise Infeasible(f"{laws[0].name}: {laws[0].reason}")
    chosen = min(ready, key=_error)
    laws.append(_laplace(space, level))
    return Noise(space.changes, level, chosen, tuple(sorted(laws, key=_error)))


def changes_of(given: Intervals | str | Sequence[Any]) -> Intervals:
    """The changes that a text, one pair of ends, pairs of ends or intervals state.

    >>> changes_of((0, 1)) == changes_of("[0, 1]") == changes_of([(0, 1)])
    True
    """
    if isinstance(given, Intervals):
        return given
    if isinstance(given, str):
        return Intervals.parse(given)
    try:
        single = len(given) == 2 and all(np.ndim(end) == 0 for end in given)
        pairs: list[Any] = [given] if single else list(given)
        return Intervals.of([(_end(low), _end(high)) for low, high in pairs])
    except (TypeError, ValueError):
        raise BadInput(
            'expected the changes as text, such as "[1, 2] | [5, 6]", or as pairs of ends, such '
            "as [(1, 2), (5, 6)]."
        ) from None


def best_radius(changes: Intervals, level: Level) -> Fraction | None:
    """Nearly the best radius δ of Theorem 3: the least mean error among those that were tried.

    Tried are 0, multiples of Δ/1024 (first far apart, then around the best) and half the gaps
    of the changes. None if no sequence is short enough.

    >>> best_radius(Intervals.of([(0, 1)]), Level.ratio(4))  # 1/3 would be best
    Fraction(341, 1024)
    """
    moves = RealLine(changes).moves
    unit, falls = moves.reach / _FINEST, float((-level.pure.ball(64)).exp())
    tried: dict[Fraction, float] = {}

    def error(delta: Fraction) -> float:
        if delta not in tried:
            tried[delta] = _mean_error(changes, delta, falls)
        return tried[delta]

    best = min([*_halves(moves), *(k * unit for k in (0, 1, 4, 16, 64, 256, 1024))], key=error)
    step = max(1, round(best / unit / 2))
    while step:
        near = [best - step * unit, best + step * unit]
        best = min([best, *(delta for delta in near if delta >= 0)], key=error)
        step //= 2
    return best if error(best) < inf else None


def _law(
    shape: Shape, space: RealLine, level: Level, radius: Fraction | None, grid: Fraction | None
) -> LineLaw:
    """One law, proved, or the reason why it does not exist."""
    changes, ratio = space.changes, level.pure.ratio_below(_ONE)
    name, delta, reach = shape.value, radius, space.moves.reach
    try:
        if shape is Shape.THEOREM_1:
            delta = Fraction(0)
            made = _steps(reach, ratio, delta)
        elif shape is Shape.STAIRCASE:
            delta = _share(level) * reach if delta is None else delta
            made = _steps(reach, ratio, delta)
        else:
            if shape is Shape.THEOREM_2:
                delta = Fraction(0)
            elif delta is None:
                delta = best_radius(changes, level)
            if delta is None:
                raise Infeasible("no radius δ that was tried gives sets that are few enough.")
            made = _sequence(changes, delta).noise(ratio)
        rounded = _grid(made) if grid is None else grid
        return LineLaw(name, delta, float(made.mean_error),
                       certified(LineMechanism(space, made, rounded), level))
    except (TooLarge, Infeasible, CannotCheck) as no:
        return LineLaw(name, delta, reason=str(no))


def _share(level: Level) -> Fraction:
    """Nearly the best share of the first step, in few binary places: ends in units stay short."""
    best = best_share(level)
    return Fraction(round(best * 2**16), 2**16) or best


def _laplace_error(reach: Fraction, level: Level) -> float:
    with ctx.workprec(128):
        return float_above(ball_of(reach, 128) / level.pure.ball(128))


def _laplace(space: RealLine, level: Level) -> LineLaw:
    """Laplace noise of scale Δ/ε: mean error Δ/ε, level ε; to be compared with."""
    reason = "to be compared with: it has the level ε by its formula, and is not drawn"
    return LineLaw("laplace", None, _laplace_error(space.moves.reach, level), reason=reason)


def _steps(reach: Fraction, ratio: Fraction, delta: Fraction) -> PiecewiseNoise:
    """A first step of radius δ, then steps of the largest change (Theorem 4; 1 where δ is 0)."""
    first = Intervals.of([(-(delta or reach), delta or reach)])
    return PiecewiseNoise(ratio, (first,) if delta else (None, first), reach)


def _sequence(changes: Intervals, delta: Fraction) -> LineSequence:
    moves = RealLine(changes).moves
    try:
        return line_sequence(changes, delta, most_sets=_MOST_SETS,
                             most_kept=MOST_INTERVALS // len(moves))
    except TooLarge:
        raise
    except BadInput as never:
        raise Infeasible(str(never)) from None


def _mean_error(changes: Intervals, delta: Fraction, falls: float) -> float:
    """E|noise| of Theorem 3 in doubles, from the sets alone; infinite where there is none."""
    try:
        sequence = _sequence(changes, delta)
    except (Infeasible, TooLarge):
        return inf
    step = float(sequence.sensitivity)
    sets = [(s.lows * float(s.unit), s.highs * float(s.unit)) for s in sequence.sets]
    masses = np.array([(high - low).sum() for low, high in sets])
    moments = np.array([(high * abs(high) - low * abs(low)).sum() / 2 for low, high in sets])
    powers, reach = falls ** np.arange(len(sets)), float(sequence.sets[-1].reach)
    beyond = powers[-1] * 2 * step * falls / (1 - falls)
    mass = np.diff(masses, prepend=0) @ powers + beyond
    first = np.diff(moments, prepend=0) @ powers
    return float((first + beyond * (reach - step / 2 + step / (1 - falls))) / mass)


def _halves(moves: Intervals) -> list[Fraction]:
    """Radii at which sets meet: half the gaps, and half the common measure of single points."""
    gaps = sorted({int(gap) for gap in moves.lows[1:] - moves.highs[:-1]})[:8]
    if not moves.measure:
        gaps.append(gcd(*(abs(int(end)) for end in moves.lows)))
    return [gap * moves.unit / 2 for gap in gaps]


def _grid(made: PiecewiseNoise) -> Fraction:
    """The largest power of ten that is at most a thousandth of the mean error."""
    return power_of_ten(made.mean_error / 1000)


def power_of_ten(most: Fraction) -> Fraction:
    """The largest power of ten that is at most this number above 0.

    >>> power_of_ten(Fraction(70)), power_of_ten(Fraction(1, 30))
    (Fraction(10, 1), Fraction(1, 100))
    """
    exponent = len(str(most.__floor__())) - 1
    while Fraction(10) ** exponent > most:
        exponent -= 1
    return Fraction(10) ** exponent


def _end(value: Any) -> Fraction:
    return stated(value, "an end as a number")


def _error(law: LineLaw) -> float:
    return inf if law.mean_error is None else law.mean_error


def _pieces(density: PiecewiseNoise) -> Iterator[tuple[str, str, str]]:
    """The first sets of a density, and what follows the last one."""

    def ends(pairs: list[tuple[Fraction, Fraction]]) -> str:
        listed = [f"[{float(low):g}, {float(high):g}]" for low, high in pairs[:4]]
        return " ".join([*listed, f"… {len(pairs)} in all"] if pairs[4:] else listed)

    top, count = float(1 / density.normalizer), len(density.rungs)
    for i, rung in enumerate(density.rungs[:_PIECES]):
        yield (str(i), "nothing" if rung is None else ends(rung.pairs()),
               "" if rung is None else f"{top * float(density.ratio) ** -i:.5g}")
    if count > _PIECES:
        yield f"{_PIECES} to {count - 1}", "…", "each e^-ε times the last"
    yield (f"{count} …",
           f"{float(density.step):g} more on either side, up from {float(density.reach):g}",
           "each e^-ε times the last")
