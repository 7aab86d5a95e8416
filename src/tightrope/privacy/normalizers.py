"""Privacy of kernel mechanisms from their normalizers.

P(z | a) / P(z | b) = q^((d(b,z) - d(a,z))/unit) · N_b / N_a <= q^(d(a,b)/unit) · N_b / N_a,
with equality at z = a if that output has positive weight. So the pairs of inputs decide,
one comparison each; and if all normalizers are equal, q alone does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb, ctx

from tightrope.errors import CannotCheck
from tightrope.exact import Level, Surd, sizes
from tightrope.mechanisms import KernelMechanism


@dataclass(frozen=True)
class KernelSpot:
    """The largest ratio between two rows: at the output `first`, if `attained`.

    The ratio is over/under: long integers are reduced only where that is asked for.
    """

    first: int
    second: int
    distance: Surd
    over: int
    under: int
    attained: bool

    @cached_property
    def ratio(self) -> Fraction:
        """The ratio in lowest terms."""
        return Fraction(self.over, self.under)

    @cached_property
    def slope(self) -> arb:
        """A ball around ln(ratio)/distance."""
        with ctx.workprec(128):
            return (arb(self.over) / arb(self.under)).log() / self.distance.ball(128)

    def exceeds(self, level: Level) -> bool:
        """Whether the ratio is more than e^(ε d), decided exactly."""
        return level.compare_quotient(self.over, self.under, self.distance) > 0


def kernel_spots(mechanism: KernelMechanism) -> Iterator[KernelSpot]:
    """The comparisons that decide the level of a kernel mechanism."""
    space = mechanism.space
    if space.size == 1:
        return
    _, normalizers = mechanism.whole_normalizers
    if len(set(normalizers)) == 1:
        yield _between(mechanism, *_an_edge(mechanism))
        return
    if mechanism.equidistant:
        yield from _equidistant_spots(mechanism)
        return
    if space.size > sizes.MOST_NORMALIZERS:
        raise CannotCheck(
            f"the rows of {space.text} have different normalizers and {space.size:,} points are "
            "too many to compare them pair by pair."
        )
    for first, second in space.edges():
        yield _between(mechanism, first, second)
        yield _between(mechanism, second, first)


def _equidistant_spots(mechanism: KernelMechanism) -> Iterator[KernelSpot]:
    """The largest ratios where any two points are equally far apart.

    At its own output a point a has the ratio q N_b / N_a. A point c that is no output has at
    most N_b / N_c, which is not more: q N_c is the sum of all weights, and N_a at most that.
    """
    _, normalizers = mechanism.whole_normalizers
    order = sorted(range(mechanism.space.size), key=normalizers.__getitem__)
    outputs = [i for i in order if mechanism.weights[i] > 0]
    for first in outputs[:2]:
        for second in order[-2:]:
            if first != second:
                yield _between(mechanism, first, second)


def _between(mechanism: KernelMechanism, first: int, second: int) -> KernelSpot:
    distance = mechanism.space.distance(first, second)
    (step,) = mechanism.steps([distance])
    _, normalizers = mechanism.whole_normalizers
    over, under = (mechanism.ratio**step).as_integer_ratio()
    if normalizers[first] != normalizers[second]:
        over, under = over * normalizers[second], under * normalizers[first]
    return KernelSpot(first, second, distance, over, under, mechanism.weights[first] > 0)


def _an_edge(mechanism: KernelMechanism) -> tuple[int, int]:
    """An output of positive weight and another point: equal normalizers take two outputs."""
    first = next(i for i, w in enumerate(mechanism.weights) if w > 0)
    return first, first + 1


def steeper(spot: KernelSpot, other: KernelSpot) -> bool:
    """Whether ln(ratio)/distance is larger for `spot`, decided exactly where balls do not."""
    if spot.slope < other.slope or spot.slope > other.slope:
        return bool(spot.slope > other.slope)
    if spot.over <= spot.under or other.over <= other.under:
        return spot.over > spot.under
    length = other.distance.rational
    assert length is not None
    level = Level(Fraction(0), 1 / length, other.ratio)
    return level.compare(spot.ratio, spot.distance) > 0
