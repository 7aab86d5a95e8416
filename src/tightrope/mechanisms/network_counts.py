"""Counts of small subgraphs, protected against one edge more or less.

Ladder: rung t lies within the local sensitivities at distances below t of the true count, and
weighs q^-t. Smooth: Cauchy noise of scale S k/(k² - 1), S the largest of the local
sensitivities at distance t over q^t. Global: noise in steps as wide as the most that one edge
can ever change. A mechanism holds declarations alone; what depends on the edges is in `law`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tightrope.choices import Count, member_of
from tightrope.errors import BadInput
from tightrope.exact import own_numbers
from tightrope.mechanisms.answers import Answers, Single
from tightrope.mechanisms.cauchy import CauchyLaw
from tightrope.mechanisms.piecewise import RungLaw, whole_array
from tightrope.spaces import (
    CutGraphs,
    Graphs,
    Network,
    count_of,
    global_sensitivity,
    ladder_widths,
    largest_count,
    largest_cut_count,
    node_sensitivity,
    smooth_sensitivity,
)


class OfGraphs(Single):
    """A mechanism for one count of a graph."""

    space: Graphs | CutGraphs
    count: Count

    @property
    def largest(self) -> int:
        """The count that none of these graphs exceeds."""
        if isinstance(self.space, CutGraphs):
            return largest_cut_count(self.space.nodes, self.count, self.space.degree)
        return largest_count(self.space.nodes, self.count)


@dataclass(frozen=True, repr=False)
class LadderCount(OfGraphs):
    """The ladder of a count: rung t weighs q^-t, its width is LS_(t-1) of the graph at hand.

    >>> square = Network(4, np.array([0, 0, 0, 1, 2]), np.array([1, 2, 3, 2, 3]))
    >>> law = LadderCount(Graphs(4), Count.TRIANGLES, Fraction(2)).law(square)
    >>> [law.rung(z) for z in range(6)]
    [1, 1, 0, 1, 1, 2]
    """

    space: Graphs
    count: Count
    ratio: Fraction
    answers: ClassVar = Answers.INTEGERS

    def __post_init__(self) -> None:
        _check_graphs(self)
        _check_factors(self, "ratio")

    def law(self, data: Network) -> RungLaw:
        """The law of the answer for one graph; a curator's figure, not private."""
        network = self.space.accept(data)
        widths = ladder_widths(network, self.count)
        value = count_of(network, self.count)
        reach = whole_array(np.concatenate([[0], np.cumsum(widths)]), value)
        return RungLaw(self.ratio, value - reach, value + reach, int(widths[-1]))


@dataclass(frozen=True, repr=False)
class SmoothCount(OfGraphs):
    """Cauchy noise for the smooth sensitivity of a count; q is `growth`, k is `shift`.

    >>> square = Network(4, np.array([0, 0, 0, 1, 2]), np.array([1, 2, 3, 2, 3]))
    >>> smooth = SmoothCount(Graphs(4), Count.TRIANGLES, Fraction(3, 2), Fraction(2))
    >>> smooth.law(square).smooth
    Fraction(2, 1)
    """

    space: Graphs
    count: Count
    growth: Fraction
    shift: Fraction
    answers: ClassVar = Answers.INTEGERS

    def __post_init__(self) -> None:
        _check_graphs(self)
        _check_factors(self, "growth", "shift")

    def law(self, data: Network) -> CauchyLaw:
        """The law of the answer for one graph; a curator's figure, not private."""
        network = self.space.accept(data)
        smooth = smooth_sensitivity(network, self.count, self.growth)
        return CauchyLaw(count_of(network, self.count), smooth, self.shift)


@dataclass(frozen=True, repr=False)
class GlobalCount(OfGraphs):
    """Integer noise in steps of the global sensitivity; |noise| < first on the first one.

    On `CutGraphs` the sensitivity is that of one node, and the count that of the graph as cut.

    >>> square = Network(4, np.array([0, 0, 0, 1, 2]), np.array([1, 2, 3, 2, 3]))
    >>> law = GlobalCount(Graphs(4), Count.TRIANGLES, Fraction(2), 1).law(square)
    >>> [law.rung(z) for z in range(6)]
    [1, 1, 0, 1, 1, 2]
    """

    space: Graphs | CutGraphs
    count: Count
    ratio: Fraction
    first: int
    answers: ClassVar = Answers.INTEGERS

    def __post_init__(self) -> None:
        _check_graphs(self, Graphs, CutGraphs)
        _check_factors(self, "ratio")
        own_numbers(self, whole=("first",))
        if not 1 <= self.first <= self.step:
            raise BadInput(f"expected a first step from 1 to {self.step}, found {self.first}.")

    @property
    def step(self) -> int:
        """The most that one edge, or one node, can change the count in any of these graphs."""
        return _sensitivity(self.space, self.count)

    @property
    def noise(self) -> RungLaw:
        """The law of the noise: that of a graph which counts 0."""
        return RungLaw.around(0, self.ratio, self.first, self.step)

    def law(self, data: Network) -> RungLaw:
        """The law of the answer for one graph; a curator's figure, not private."""
        value = count_of(self.space.accept(data), self.count)
        return RungLaw.around(value, self.ratio, self.first, self.step)


CountMechanism = LadderCount | SmoothCount | GlobalCount


def _check_graphs(mechanism: CountMechanism, *kinds: type[Graphs | CutGraphs]) -> None:
    """The datasets and the count, which some graph on these nodes must have."""
    kinds = kinds or (Graphs,)
    if type(mechanism.space) not in kinds:
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise BadInput(f"expected {expected}, found {type(mechanism.space).__name__}.")
    count = member_of(Count, mechanism.count)
    object.__setattr__(mechanism, "count", count)
    if not _sensitivity(mechanism.space, count):
        raise BadInput(f"every graph of {mechanism.space.text} has 0 {count}: nothing to protect.")


def _sensitivity(space: Graphs | CutGraphs, count: Count) -> int:
    if isinstance(space, CutGraphs):
        return node_sensitivity(space.nodes, count, space.degree)
    return global_sensitivity(space.nodes, count)


def _check_factors(mechanism: CountMechanism, *names: str) -> None:
    own_numbers(mechanism, *names)
    for name in names:
        if getattr(mechanism, name) <= 1:
            raise BadInput(f"expected a {name} above 1, found {getattr(mechanism, name)}.")
