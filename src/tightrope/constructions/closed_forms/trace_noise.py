"""Noise for whole traces at one level, of which a few positions are fresh."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from tightrope.constructions.closed_forms.tally_noise import tally_noise
from tightrope.exact import Level, Number, Surd
from tightrope.mechanisms import TraceNoise
from tightrope.privacy import Certified, certified
from tightrope.spaces import Tallies, Traces

_SHARES: Final = {"position": Fraction(1, 2), "bar": Fraction(1, 5), "test": Fraction(3, 10)}
"""Parts of the level of a fresh position and all that leads to it."""


def trace_noise(space: Traces, level: Level | Number, *, fresh: int, jump: int) -> Certified:
    """At most `fresh` new positions, each beyond a jump of `jump` steps, proved at the level.

    Half of the level is for the fresh positions, a fifth for bars, three tenths for tests.

    >>> from tightrope.spaces import Positions, Region
    >>> here = Traces(Positions(Region.box(-4, 40, -3, 41), within=200, step="1/5"))
    >>> made = trace_noise(here, "ln(2)", fresh=3, jump=50_000)
    >>> made.certificate.evidence.value, made.mechanism.bars.rungs
    ('theorem', 1)
    """
    level, apart = Level.positive(level), space.positions.apart
    share = {name: level.scaled(part / fresh) for name, part in _SHARES.items()}
    bar = _noise(apart, share["bar"])
    test = _noise(2 * apart, share["test"])
    ratio = share["position"].scaled(Fraction(1, apart)).ratio_below(Surd.of(1))
    return certified(TraceNoise(space, fresh, jump, ratio, bar.ratio, bar.step, bar.first,
                                test.ratio, test.step, test.first), level)


def _noise(change: int, level: Level) -> Any:
    """Noise of one number that changes by so much."""
    return tally_noise(Tallies(1, 1, change), level).mechanism
