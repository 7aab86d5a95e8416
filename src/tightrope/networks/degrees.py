"""The degrees of a graph, released with edge or node privacy.

Drawn are the numbers of nodes with at least 1, 2, ..., D edges; the histogram follows by
subtraction. Both are unbiased, may be negative, and have intervals of their own laws: one noise,
or the difference of two. Adjusted numbers are post-processing: moved into the range from 0 to n,
made to fall by the nearest numbers that do (isotonic regression), and rounded. They are possible
ones; how far off they are depends on the graph, so no error is stated of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Final

from tightrope.characters import few
from tightrope.choices import Protect
from tightrope.exact import Level, Number, Surd
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.ledger import Account, Booked, drawn_once
from tightrope.mechanisms import DegreeCounts, NoiseMechanism, NoiseSum
from tightrope.networks.declared import check_level, check_protection, protected_unit
from tightrope.networks.describing import MORE, graph_facts
from tightrope.privacy import Certified, Evidence, certified, level_of
from tightrope.samplers import SYSTEM, Source
from tightrope.spaces import CutGraphs, Graphs, Network, path

CONFIDENCE: Final = Fraction(95, 100)
"""Of each interval by itself."""


@dataclass(frozen=True)
class DegreeAnswer:
    """Released degrees with what is proved of them; every field is public.

    `at_least` is what was drawn: how many nodes have at least 1, 2, ... edges. Where nodes are
    protected, all are of the cut graph; otherwise the last stands for all larger degrees, too.
    Intervals hold one by one, with the confidence `CONFIDENCE`.
    """

    at_least: tuple[int, ...]
    nodes: int
    max_degree: int
    protect: Protect
    level: Level
    evidence: Evidence
    statement: str
    neighbors: str
    booked: Booked | None = None

    @cached_property
    def histogram(self) -> tuple[int, ...]:
        """How many nodes have 0, 1, ..., D edges; unbiased, and adds up to all nodes."""
        return _differences(self.nodes, self.at_least)

    @cached_property
    def intervals(self) -> tuple[tuple[int, int], ...]:
        """Where each number of the histogram lies; 0 and D edges take one noise, others two."""
        single, double = (noise.reach(CONFIDENCE) for noise in self._noises)
        last = len(self.histogram) - 1
        wide = [single if k in (0, last) else double for k in range(last + 1)]
        return tuple((z - w, z + w) for z, w in zip(self.histogram, wide, strict=True))

    @property
    def at_least_intervals(self) -> tuple[tuple[int, int], ...]:
        """Where each number of nodes with so many edges or more lies."""
        wide = self._noises[0].reach(CONFIDENCE)
        return tuple((z - wide, z + wide) for z in self.at_least)

    @property
    def mean_errors(self) -> tuple[float, float]:
        """The mean errors of one noise and of the difference of two."""
        single, double = self._noises
        return single.mean_error, double.mean_error

    @property
    def adjusted_at_least(self) -> tuple[int, ...]:
        """The nearest numbers from 0 to n that fall; possible ones, not unbiased."""
        return falling([min(max(z, 0), self.nodes) for z in self.at_least])

    @cached_property
    def adjusted(self) -> tuple[int, ...]:
        """The histogram of adjusted numbers: whole, not below 0, adds up to all nodes."""
        return _differences(self.nodes, self.adjusted_at_least)

    @cached_property
    def _noises(self) -> tuple[NoiseSum, NoiseSum]:
        kind = degree_mechanism(self.nodes, self.level, self.max_degree, self.protect)
        noise = NoiseMechanism(path(0, 1), kind.ratio)
        return NoiseSum(noise, 1), NoiseSum(noise, 2)

    @property
    def certified(self) -> Certified:
        """The mechanism that it was drawn from, proved: it depends on public figures alone."""
        kind = degree_mechanism(self.nodes, self.level, self.max_degree, self.protect)
        return certified(kind, self.level)

    def facts(self) -> Facts:
        """The histogram with intervals, its mean errors, the level and what is protected."""
        single, double = self.mean_errors
        columns = tuple(Column(None, name) for name in (
            "edges", "nodes", "95 % interval", "", "adjusted"))
        rows = tuple(
            (k, z, f"{low:,} to {high:,}", "may be 0" if low <= 0 else "", self.adjusted[k])
            for k, (z, (low, high)) in enumerate(
                zip(self.histogram, self.intervals, strict=True)))
        return Facts(
            "DegreeAnswer",
            f"degrees: {few(self.histogram, len(self.histogram))} nodes with 0, 1, ... edges",
            (
                Table(None, "", columns, rows, listed=0),
                *data(answer=self.histogram, intervals=self.intervals, at_least=self.at_least,
                      at_least_intervals=self.at_least_intervals, confidence=float(CONFIDENCE),
                      adjusted=self.adjusted),
                Fact("mean_errors", "mean error", Shown(
                    {"one noise": single, "two noises": double},
                    f"{single:.4g} of the numbers of nodes with at least 1, 2, ... edges; "
                    f"{double:.4g} of their differences; whatever the edges")),
                *graph_facts(self),
                *data(method="global", count="degrees"),
            ),
            (MORE, "Adjusted numbers are whole, not below 0 and add up to all nodes; they are not "
             "unbiased."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def degree_mechanism(
    nodes: int, level: Level, max_degree: int, protect: Protect | str = Protect.EDGES
) -> DegreeCounts:
    """The mechanism for the degrees of graphs on so many nodes, at the level or just below.

    >>> degree_mechanism(50, Level.ratio(16), 2, "nodes").ratio
    Fraction(2, 1)
    """
    protect = check_protection(protect, max_degree)
    cut = protect is Protect.NODES
    space = CutGraphs(nodes, max_degree) if cut else Graphs(nodes)
    change = 2 * max_degree if cut else 2
    ratio = level.pure.scaled(Fraction(1, change)).ratio_below(Surd.of(1))
    return DegreeCounts(space, max_degree, ratio)


def release_degrees(
    network: Network,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    max_degree: int,
    protect: Protect | str = Protect.EDGES,
    source: Source = SYSTEM,
    account: Account | None = None,
) -> DegreeAnswer:
    """How many nodes have 0, 1, ..., D edges, released with edge or node privacy at the level.

    Returns: a `DegreeAnswer`; its `histogram` is unbiased and adds up to all nodes, but numbers
    in it may be below 0.

    Raises: `BadInput` for a level that cannot be used, or a `max_degree` that is not from 1 to
    the number of nodes less one. `Refused` where the account does not allow it.

    >>> import numpy as np
    >>> ring = Network(60, np.arange(59), np.arange(1, 60))
    >>> found = release_degrees(ring, 40, max_degree=3)  # as good as sure
    >>> found.histogram, found.at_least
    ((0, 2, 58, 0), (60, 58, 0))
    """
    level = check_level(level_of(epsilon, ratio=ratio))
    mechanism = degree_mechanism(network.nodes, level, max_degree, protect)
    proved = certified(mechanism, level)
    whom = protected_unit(network.nodes, check_protection(protect, max_degree))
    drawn, booked = drawn_once(proved, network, f"degrees:{max_degree}", account,
                               source=source, **whom)
    assert isinstance(drawn, tuple)
    return DegreeAnswer(
        tuple(int(str(z)) for z in drawn),
        network.nodes,
        max_degree,
        check_protection(protect, max_degree),
        level,
        proved.certificate.evidence,
        proved.certificate.statement,
        mechanism.space.relation,
        booked,
    )


def _differences(nodes: int, at_least: Sequence[int]) -> tuple[int, ...]:
    return tuple(more - less for more, less in pairwise((nodes, *at_least, 0)))


def falling(numbers: Sequence[int]) -> tuple[int, ...]:
    """The nearest numbers, in squares, that never rise, each rounded to a whole one.

    >>> falling([5, 1, 4, 0])  # 1 and 4 are both 5/2
    (5, 3, 3, 0)
    """
    blocks: list[tuple[int, int]] = []  # sum and size
    for z in numbers:
        total, size = z, 1
        while blocks and blocks[-1][0] * size < total * blocks[-1][1]:
            more, wide = blocks.pop()
            total, size = total + more, size + wide
        blocks.append((total, size))
    return tuple(
        (2 * total + size) // (2 * size) for total, size in blocks for _ in range(size)
    )
