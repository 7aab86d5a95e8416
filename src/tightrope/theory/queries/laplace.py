"""Laplace noise for numbers in an interval: its exact (ε, δ), on the real line.

Two numbers D apart, the ends of the interval, are the hardest to keep apart. With noise of scale
b the smallest δ between them is max{0, 1 - e^((ε - D/b)/2)}: the outputs on one side of a point
decide. So (ε, δ) holds iff b >= D/(ε - 2 ln(1 - δ)). H16, Example 3.6 has ln(1 - δ) in place of
2 ln(1 - δ), which is enough but not needed. Row by row a table has the level of one row
(H16, Theorem 3.5). In several dimensions each coordinate gets its own noise of scale b, and the
density (2b)^-k e^(-|z|/b), with |z| the sum of coordinates, changes by at most e^(D/b) if vectors
are D apart in that norm, and by just that somewhere: b >= D/ε decides (WXH, Definition 3, whose
factor ε/(2D) lacks the power k). This is about noise on the real line; what a computer rounds to
has its own proof (`tightrope theory noise`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from tightrope.errors import BadInput, Infeasible
from tightrope.exact import (
    Level,
    Number,
    ball_of,
    float_above,
    float_below,
    lower_bound,
    short_text,
    stated,
    upper_bound,
)
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of

_BITS = 128
_SPREAD = Fraction(10**6)
_MOST_DIMENSIONS = 1000
_WIDEST = Fraction(10**200)
"""D/b beyond this protects nothing, and below its inverse the noise is all there is."""


@dataclass(frozen=True)
class LaplaceNoise:
    """Laplace noise of a scale for numbers D apart at most, judged at a level.

    `delta` are bounds on the smallest δ at the ε of the level (equal where it is 0), `epsilon`
    on the smallest ε at its δ (0 if none is needed). `least_scale` is the smallest scale at the
    level and `published_scale` that of the thesis, both rounded up. The mean error of each of the
    `dimension` coordinates is the scale.
    """

    diameter: Fraction
    scale: Fraction
    level: Level
    holds: bool
    delta: tuple[float, float]
    epsilon: tuple[float, float]
    least_scale: float
    published_scale: float
    dimension: int = 1

    @property
    def peak(self) -> Fraction:
        """The largest density, (2b)^-k."""
        return (2 * self.scale) ** -self.dimension

    @property
    def mean_error(self) -> Fraction:
        """The expected sum of the errors of all coordinates, k b."""
        return self.dimension * self.scale

    def facts(self) -> Facts:
        """Whether the level holds, the δ and the ε needed, and the least scale."""
        level, scale = self.level, float(self.scale)
        return Facts(
            "LaplaceNoise",
            f"Laplace noise of scale {scale:g} for {self._kind} {float(self.diameter):g} apart",
            (*data(**level.as_json(), holds=self.holds),
             Fact(None, "level", f"{level!s}: {'holds' if self.holds else 'does not hold'}"),
             Fact("delta_needed", "δ needed", None if self.dimension > 1 else Shown(
                 self.delta, f"{self.delta[1]:.7g} at ε = {level.text}")),
             Fact("epsilon_needed", "ε needed", Shown(
                 self.epsilon, f"{self.epsilon[1]:.7g} at δ = {float(level.delta):g}")),
             Fact("scale", "scale", scale, meaning="also the mean error of a number", detail=True),
             Fact("density", "density", Shown(
                 self.peak, f"{float(self.peak):.7g} e^(-|z|/{scale:.7g})"), detail=True),
             Fact("least_scale", "least scale", self.least_scale, meaning="at this level"),
             Fact("published_scale", "published" if level.delta else None, self.published_scale,
                  meaning="by H16, Example 3.6: enough, not needed", detail=True),
             *data(diameter=float(self.diameter), mean_error=float(self.mean_error),
                   dimension=self.dimension)),
            ("Each number of a table gets its own noise; the level is for one row."
             if self.dimension == 1 else
             "Each coordinate gets its own noise; |z| is the sum over coordinates, and so is the "
             f"distance. The errors add up to {float(self.mean_error):.7g} on average.",
             "This is noise on the real line. A computer rounds it: `tightrope theory noise` "
             "proves and draws noise on a grid."),
        )

    @property
    def _kind(self) -> str:
        return "numbers" if self.dimension == 1 else f"vectors of {self.dimension} numbers"

    __repr__ = lines_of
    _repr_html_ = card_of


def laplace_noise(
    diameter: Number,
    level: Level | Number,
    *,
    scale: Number | None = None,
    dimension: int = 1,
) -> LaplaceNoise:
    """The exact (ε, δ) of Laplace noise of a scale; without a scale, of the least at the level.

    The least one is rounded up to a double, so that it has the level. Vectors of several numbers
    are `diameter` apart in the sum of their coordinates, at δ = 0.

    >>> found = laplace_noise(1, Level.ratio(2, "0.2"))
    >>> found.holds, round(found.least_scale, 4), round(found.published_scale, 4)
    (True, 0.8776, 1.0914)
    >>> tight = laplace_noise(1, Level.ratio(2), scale="0.5")
    >>> tight.holds, round(tight.delta[1], 6), tight.epsilon
    (False, 0.47974, (2.0, 2.0))
    >>> plane = laplace_noise(3, 1, dimension=2)
    >>> plane.holds, str(plane.peak), float(plane.mean_error)
    (True, '1/36', 6.0)
    """
    diameter, level = _positive(diameter, "diameter"), Level.of(level)
    if isinstance(dimension, bool) or not isinstance(dimension, int) or not (
        1 <= dimension <= _MOST_DIMENSIONS
    ):
        raise BadInput(f"expected a dimension from 1 to {_MOST_DIMENSIONS}, found {dimension!r}.")
    if dimension > 1 and level.delta:
        raise BadInput("in several dimensions the level is decided at δ = 0.")
    least = least_laplace_scale(diameter, level)
    width = Fraction(least) if scale is None else _positive(scale, "scale")
    ratio = diameter / width
    if not 1 / _SPREAD <= ratio <= _SPREAD:
        raise BadInput(
            "expected a diameter and a scale within a factor of a million of each other."
        )
    return LaplaceNoise(
        diameter, width, level, _holds(ratio, level), _delta(ratio, level), _epsilon(ratio, level),
        least, float_above(ball_of(diameter, _BITS) / _room(level, 1)), dimension,
    )


def least_laplace_scale(diameter: Fraction, level: Level) -> float:
    """The smallest scale b of Laplace noise for numbers in an interval, rounded up.

    b >= D/(ε - 2 ln(1 - δ)), exactly; H16, Example 3.6 asks for more.

    >>> round(least_laplace_scale(Fraction(1), Level.ratio(2)), 9)
    1.442695041
    """
    if diameter <= 0:
        raise BadInput(f"expected a diameter above 0, found {diameter}.")
    if level.is_zero and not level.delta:
        raise Infeasible("at ε = 0 without δ no scale of the noise is large enough.")
    with ctx.workprec(_BITS):
        return float_above(ball_of(diameter, _BITS) / _room(level, 2))


def _room(level: Level, times: int, bits: int = _BITS) -> arb:
    """ε - times · ln(1 - δ)."""
    with ctx.workprec(bits):
        return level.pure.ball(bits) - times * ball_of(1 - level.delta, bits).log()


def _positive(value: Number, name: str) -> Fraction:
    number = stated(value, f"a {name} above 0")
    if number <= 0:
        raise BadInput(f"expected a {name} above 0, found {short_text(number)}.")
    if not 1 / _WIDEST <= number <= _WIDEST:
        raise BadInput(f"expected a {name} from 1e-200 to 1e200, found {short_text(number)}.")
    return number


def _holds(ratio: Fraction, level: Level) -> bool:
    """Whether D/b <= ε - 2 ln(1 - δ), decided exactly.

    e to the power of a rational number other than 0 is transcendental, so with ε = a + c ln(q)
    the two sides can be equal only if D/b = a, and then q^c is compared with (1 - δ)².
    """
    if ratio == level.rational:
        top, bottom = level.coefficient.as_integer_ratio()
        return bool(level.base**top >= (1 - level.delta) ** (2 * bottom))
    bits = _BITS
    while True:
        gap = _room(level, 2, bits) - ball_of(ratio, bits)
        if gap > 0 or gap < 0:
            return bool(gap > 0)
        bits *= 2


def _delta(ratio: Fraction, level: Level) -> tuple[float, float]:
    """Bounds on max{0, 1 - e^((ε - D/b)/2)}."""
    if _holds(ratio, level.pure):
        return 0.0, 0.0
    with ctx.workprec(_BITS):
        delta = 1 - ((level.pure.ball(_BITS) - ball_of(ratio, _BITS)) / 2).exp()
    return max(0.0, float_below(delta)), min(1.0, float_above(delta))


def _epsilon(ratio: Fraction, level: Level) -> tuple[float, float]:
    """Bounds on max{0, D/b + 2 ln(1 - δ)}."""
    with ctx.workprec(_BITS):
        epsilon = ball_of(ratio, _BITS) + 2 * ball_of(1 - level.delta, _BITS).log()
    if upper_bound(epsilon) <= 0:
        return 0.0, 0.0
    return (0.0 if lower_bound(epsilon) <= 0 else float_below(epsilon)), float_above(epsilon)


def laplace_curve(diameter: Number, scale: Number, points: int = 81) -> list[tuple[float, float]]:
    """δ against ε from 0 to D/b, where it ends: (ε, δ) rounded up.

    >>> [(e, round(d, 6)) for e, d in laplace_curve(2, 1, 3)]
    [(0.0, 0.632121), (1.0, 0.393469), (2.0, 0.0)]
    """
    ratio = _positive(diameter, "diameter") / _positive(scale, "scale")
    steps = [ratio * k / (points - 1) for k in range(points)]
    with ctx.workprec(_BITS):
        deltas = [1 - (ball_of((step - ratio) / 2, _BITS)).exp() for step in steps]
    return [(float(step), max(0.0, float_above(delta)))
            for step, delta in zip(steps, deltas, strict=True)]
