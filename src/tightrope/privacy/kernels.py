"""Privacy of kernel mechanisms from their normalizers.

P(z | a) / P(z | b) = q^((d(b,z) - d(a,z))/unit) · N_b / N_a <= q^(d(a,b)/unit) · N_b / N_a,
with equality at z = a if that output has positive weight. So the pairs of inputs decide,
one comparison each; and if all normalizers are equal, q alone does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import CannotCheck
from tightrope.exact import Level, Surd, tolerances
from tightrope.mechanisms import KernelMechanism


@dataclass(frozen=True)
class KernelSpot:
    """The largest ratio between two rows: at the output `first`, if `attained`."""

    first: int
    second: int
    distance: Surd
    ratio: Fraction
    attained: bool


def kernel_spots(mechanism: KernelMechanism) -> Iterator[KernelSpot]:
    """The comparisons that decide the level of a kernel mechanism."""
    space = mechanism.space
    normalizers = mechanism.normalizers
    if space.size == 1:
        return
    if len(set(normalizers)) == 1:
        yield _between(mechanism, *_an_edge(mechanism))
        return
    if mechanism.equidistant:
        yield from _equidistant_spots(mechanism)
        return
    if space.size > tolerances.MOST_NORMALIZERS:
        raise CannotCheck(
            f"the rows of {space.text} have different normalizers and {space.size:,} points are "
            "too many to compare them pair by pair."
        )
    for first, second in space.edges():
        yield _between(mechanism, first, second)
        yield _between(mechanism, second, first)


def _equidistant_spots(mechanism: KernelMechanism) -> Iterator[KernelSpot]:
    """The largest ratios where any two points are equally far apart.

    Against an output of its own a point gains the factor q; a point that is no output only
    has the ratio of normalizers, at any third output.
    """
    order = sorted(range(mechanism.space.size), key=mechanism.normalizers.__getitem__)
    held = [i for i in order if mechanism.weights[i] > 0]
    bare = [i for i in order if mechanism.weights[i] == 0]
    for first in held[:2]:
        for second in order[-2:]:
            if first != second:
                yield _between(mechanism, first, second)
    for first in bare[:2]:
        for second in order[-2:]:
            if first != second and any(i != second for i in held[:2]):
                ratio = mechanism.normalizers[second] / mechanism.normalizers[first]
                yield KernelSpot(first, second, mechanism.space.diameter, ratio, True)


def _between(mechanism: KernelMechanism, first: int, second: int) -> KernelSpot:
    distance = mechanism.space.distance(first, second)
    (step,) = mechanism.steps([distance])
    normalizers = mechanism.normalizers
    ratio = mechanism.ratio**step * normalizers[second] / normalizers[first]
    return KernelSpot(first, second, distance, ratio, mechanism.weights[first] > 0)


def _an_edge(mechanism: KernelMechanism) -> tuple[int, int]:
    """An output of positive weight and a point nearest to it, or at least another point."""
    first = next(i for i, w in enumerate(mechanism.weights) if w > 0)
    return first, first + 1 if first + 1 < mechanism.space.size else first - 1


def steeper(one: KernelSpot, other: KernelSpot) -> bool:
    """Whether ln(ratio)/distance is larger for `one`, decided exactly where rational."""
    if one.ratio <= 1:
        return False
    if other.ratio <= 1:
        return True
    length = other.distance.rational
    assert length is not None
    level = Level(Fraction(0), 1 / length, other.ratio)
    return level.compare(one.ratio, one.distance) > 0
