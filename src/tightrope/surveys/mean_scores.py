"""Score intervals of means among those who have a number, corrected for skewness.

R = E u / E v is kept if the mean of w = u - R v is as near to 0 as chance allows under shares for
which R is the truth: the likeliest shares, moved towards the answer with the largest number (below
the estimate the least) until their mean is R. So answers that nobody happened to send count, which
a sample's variance leaves out. The quantile is that of a gamma law with the skewness of the mean of
w there, by Wilson and Hilferty; without skewness it is Student's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import cbrt, inf, nan, sqrt

import numpy as np

from tightrope.exact import FloatArray, tolerances

_DOUBLINGS = 60
"""Doublings of the distance after which an interval has no end."""

Moments = tuple[float, ...]
"""Means of u and v; second moments of u², u v, v²; third ones of u³, u² v, u v², v³."""


@dataclass(frozen=True)
class MeanScore:
    """Quantities that give the interval of a mean: means of u and v, moments of one response.

    Moments are those at the likeliest shares, and of the answers with the least and the largest
    number. Of a sample they are about 0, of these people's randomization about each one's own mean.
    """

    up: float
    down: float
    n: float
    likeliest: Moments
    least: Moments
    largest: Moments
    sampling: bool

    @classmethod
    def of(
        cls, rows: FloatArray, shares: FloatArray, law: FloatArray, n: float, u: FloatArray,
        v: FloatArray, numbers: Sequence[Fraction | None], *, sampling: bool,
    ) -> MeanScore:
        """From the design's rows, the shares of responses, and the likeliest shares of answers."""
        c = np.array([[0.0 if s is None else float(s) for s in numbers],
                      [float(s is not None) for s in numbers]])
        about = np.zeros_like(c) if sampling else c
        apart = np.stack([u, v])[:, None, :] - about[:, :, None]
        moments = np.array([*c, *((rows * apart[0] ** (power - i) * apart[1] ** i).sum(axis=1)
                                  for power in (2, 3) for i in range(power + 1))])
        present = [place for place, s in enumerate(numbers) if s is not None]
        ends = [pick(present, key=lambda place: c[0, place]) for pick in (min, max)]
        least, largest = (tuple(moments[:, end].tolist()) for end in ends)
        return cls(float(shares @ u), float(shares @ v), n, tuple((moments @ law).tolist()),
                   least, largest, sampling)

    @property
    def estimate(self) -> float:
        """The estimate of the mean; not a number if nobody seems to have one."""
        return self.up / self.down if self.down else nan

    def ends(self, quantile: float) -> tuple[float, float]:
        """The ends of the interval, not cut to where a mean can be; infinite if there is none."""
        if self.down <= 0:
            return -inf, inf
        return self._end(-1, quantile), self._end(1, quantile)

    def _end(self, sign: int, quantile: float) -> float:
        from scipy.optimize import brentq

        near = self.up / self.down

        def over(R: float) -> float:
            return sign * (R * self.down - self.up) - self._margin(R, sign, quantile)

        step = -over(near) / self.down
        if step <= 0:  # no chance, or no confidence
            return near
        for _ in range(_DOUBLINGS):
            far = near + sign * step
            if over(far) > 0:
                return float(brentq(over, near, far))
            near, step = far, 2 * step
        return sign * inf

    def moments(self, R: float) -> tuple[float, float]:
        """The second and third central moment of w = u - R v if R is the truth.

        Beyond the least and the largest number they are those of people with that number.
        """
        base = self.likeliest
        own = R * base[1] - base[0]
        end = self.largest if own > 0 else self.least
        extreme = end[0] - R * end[1]
        t = 0.0 if own == 0 else own / (own + extreme) if own * extreme > 0 else 1.0
        mean, second, third = (
            (1 - t) * near + t * far for near, far in zip(_about(base, R), _about(end, R),
                                                          strict=True))
        if not self.sampling:
            return second, third
        return second - mean * mean, third + mean * (2 * mean * mean - 3 * second)

    def _margin(self, R: float, sign: int, quantile: float) -> float:
        """How far from 0 the mean of w may be if R is the truth, on the side of this sign."""
        second, third = self.moments(R)
        if second <= 0:
            return 0.0
        skewness = third / second / sqrt(second * self.n)
        return sqrt(second / self.n) * max(gamma_quantile(quantile, -sign * skewness), 0.0)


def _about(moments: Moments, R: float) -> tuple[float, float, float]:
    """The first three moments of w = u - R v."""
    u, v, uu, uv, vv, uuu, uuv, uvv, vvv = moments
    return (u - R * v, uu - R * (2 * uv - R * vv),
            uuu - R * (3 * uuv - R * (3 * uvv - R * vvv)))


def gamma_quantile(normal: float, skewness: float) -> float:
    """The quantile of a gamma law of mean 0, variance 1 and this skewness, given the normal one.

    On its short side it is at least half of the normal one: a law of few values has no end there.

    >>> gamma_quantile(2.0, 0.0), round(gamma_quantile(1.96, 2.0), 2)  # exactly: ln 40 - 1 = 2.69
    (2.0, 2.67)
    """
    h = skewness / 6
    if abs(h) < tolerances.CHANCE_ERROR:
        return normal
    return max((max(1 + h * normal - h * h, 0.0) ** 3 - 1) / (3 * h), normal / 2)


def normal_quantile(quantile: float, skewness: float) -> float:
    """The normal quantile of which `gamma_quantile` makes this one, from 0 on.

    >>> round(normal_quantile(gamma_quantile(1.5, -0.7), -0.7), 12)
    1.5
    """
    h = skewness / 6
    if abs(h) < tolerances.CHANCE_ERROR:
        return quantile
    inside = 1 + 3 * h * quantile
    root = (cbrt(inside) - 1) / h + h if inside > 0 else inf
    return max(min(root, 2 * quantile), 0.0)
