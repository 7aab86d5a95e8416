"""Counts of a graph, privacy first: answers by how many edges must change for them to be right.

WXH, Theorems 2 (radius 0) and 3: rung t of a graph holds the answers within the radius of the
count of some graph t edges away, and of none nearer; it weighs q^-t. One edge more or less
changes every rung by at most 1. Answers are the counts that occur, found by listing all graphs;
for edges they are all integers, noise around the number of edges, which has one normalizer for
all graphs (Corollary 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tightrope.choices import Count, member_of
from tightrope.errors import BadInput
from tightrope.exact import own_numbers
from tightrope.mechanisms.answers import Answers, check_ratio
from tightrope.mechanisms.network_counts import OfGraphs
from tightrope.mechanisms.piecewise import RungLaw
from tightrope.mechanisms.records import ModeLaw
from tightrope.spaces import Graphs, Network, check_listed, count_of, steps_to_counts


@dataclass(frozen=True, repr=False)
class PrivacyFirstCount(OfGraphs):
    """A count by Theorem 2 or 3: an answer that needs one edge more changed is q times rarer.

    >>> path = Network(4, np.array([0, 1, 2]), np.array([1, 2, 3]))
    >>> law = PrivacyFirstCount(Graphs(4), Count.TRIANGLES, 0, Fraction(2)).law(path)
    >>> {z: str(law.probability(z)) for z in (0, 1, 2, 4)}
    {0: '8/15', 1: '4/15', 2: '2/15', 4: '1/15'}
    """

    space: Graphs
    count: Count
    radius: int
    ratio: Fraction
    answers: ClassVar = Answers.INTEGERS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("radius",))
        if type(self.space) is not Graphs:
            raise BadInput(f"expected Graphs, found {type(self.space).__name__}.")
        object.__setattr__(self, "count", member_of(Count, self.count))
        most = self.largest
        if not most:
            raise BadInput(
                f"every graph of {self.space.text} has 0 {self.count}: nothing to protect."
            )
        if not self.linear:
            check_listed(self.space.nodes)
        if not 0 <= self.radius <= most:
            raise BadInput(f"expected a radius from 0 to {most:,}, found {self.radius:,}.")
        check_ratio(self.ratio)

    @property
    def linear(self) -> bool:
        """Whether every edge changes the count by 1, in every graph."""
        return self.count is Count.EDGES

    def law(self, data: Network) -> RungLaw | ModeLaw:
        """The law of the answer for one graph; a curator's figure, not private."""
        network = self.space.accept(data)
        if self.linear:
            value = count_of(network, self.count)
            return RungLaw.around(value, self.ratio, self.radius + 1, 1)
        values, rungs = steps_to_counts(network, self.count, self.radius)
        highs = np.cumsum(np.bincount(rungs)) - 1
        inside = RungLaw(self.ratio, np.zeros_like(highs), highs, 0)
        return ModeLaw(inside, values[np.argsort(rungs, kind="stable")])
