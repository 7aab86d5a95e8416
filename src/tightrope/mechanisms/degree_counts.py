"""Degrees of a graph: how many nodes have at least 1, 2, ..., D edges, each with noise.

One edge changes two degrees by 1, so these D numbers together by at most 2. Where nodes are
protected graphs are cut to D edges at a node first, and all changes of one node add up to at
most 2D (`spaces.degree_cuts`). Two-sided geometric noise of ratio q on each is then private at
2 ln q or 2D ln q, and both are attained. A mechanism holds declarations alone; what depends
on the edges is in `law`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import own_numbers
from tightrope.mechanisms.answers import Answers, Single, check_noise
from tightrope.mechanisms.tallies import TallyLaw
from tightrope.spaces import CutGraphs, Graphs, Network, degree_counts

MOST_DEGREES = 1000
"""Degrees that are told apart: q^(2D) is compared with e^ε exactly."""


@dataclass(frozen=True, repr=False)
class DegreeCounts(Single):
    """How many nodes have at least 1, 2, ..., `degree` edges, each with noise of ratio q.

    >>> import numpy as np
    >>> star = Network(4, np.array([0, 0, 0]), np.array([1, 2, 3]))
    >>> DegreeCounts(Graphs(4), 3, Fraction(2)).law(star).centers
    (4, 1, 1)
    >>> DegreeCounts(CutGraphs(4, 2), 2, Fraction(2)).law(star).centers
    (3, 1)
    """

    space: Graphs | CutGraphs
    degree: int
    ratio: Fraction
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("degree",))
        check_noise(self.space, (Graphs, CutGraphs), self.ratio)
        if not 1 <= self.degree < self.space.nodes:
            raise BadInput(
                f"expected a largest degree from 1 to {self.space.nodes - 1:,}, "
                f"found {self.degree:,}."
            )
        if self.degree > MOST_DEGREES:
            raise TooLarge("the largest degree", self.degree, MOST_DEGREES, "use a smaller one")
        if isinstance(self.space, CutGraphs) and self.space.degree != self.degree:
            raise BadInput(
                f"expected the degree that graphs are cut to, {self.space.degree}, "
                f"found {self.degree}."
            )

    @property
    def change(self) -> int:
        """L1 sensitivity of all numbers together; some neighbors attain it."""
        return 2 if isinstance(self.space, Graphs) else 2 * self.degree

    def law(self, data: Network) -> TallyLaw:
        """The law of the answer for one graph; a curator's figure, not private."""
        counts = degree_counts(self.space.accept(data), self.degree)
        return TallyLaw(self.ratio, tuple(counts.tolist()))
