"""Which constraints are tight: row graphs, loose entries, maximal generality.

For one output, join two inputs of an irreducible pair if their probabilities differ by the
largest factor allowed. If this row graph is connected for every output that occurs, every
column is an extreme ray of the cone and the mechanism is not a post-processing of any other
one at this level (KL10, Theorem 3.3.3; of several components only one may have the output,
and its inputs are connected). An entry on no tight pair is loose (H16, Definition 5.5). All of
this is decided exactly, so rational weights at an irrational e^(ε d) are never tight; a relative
margin, if one is asked for, also counts those rounded just inside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from tightrope.exact import IntArray, Level, Number, Weights, power_of_two, tolerances
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form, written_out
from tightrope.privacy.levels import level_of
from tightrope.spaces import Label, Space, pair_classes, require_both_ways, space_of


@dataclass(frozen=True)
class Tightness:
    """Tight pairs of every output, loose entries, and whether all row graphs are connected.

    `loose` lists (input index, output index); `connected` has one entry per output, None
    for outputs that never occur.
    """

    tight: int
    loose: tuple[tuple[int, int], ...]
    connected: tuple[bool | None, ...]

    __repr__ = brief

    @property
    def maximally_general(self) -> bool:
        """Whether no other mechanism at this level yields this one by post-processing.

        For a mechanism that has the level; within a margin, if tight pairs were counted so.
        """
        return all(joined is not False for joined in self.connected)


def tightness(
    mechanism: FiniteMechanism | Held | Matrix,
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    margin: float = 0.0,
) -> Tightness:
    """The tight pairs of a mechanism: inputs and outputs whose ratio is e^(ε d).

    With a `margin`, pairs that come so close (relatively) count too.

    Returns: a `Tightness`. `tight` counts them, `loose` lists the entries (input, output) on none,
    by index; `connected` says for each output whether its tight pairs join all inputs.

    Raises: `BadInput` for a matrix that does not fit the space, and on directed spaces.

    >>> from tightrope.exact import Weights
    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> a = Weights.from_integers([[4, 1, 2], [3, 2, 2], [2, 1, 4]])  # H16, Example 5.2
    >>> tightness(MatrixMechanism(categories(3), (0, 1, 2), a), categories(3), Level.ratio(2)).loose
    ((1, 0),)
    """
    level, space = level_of(epsilon, ratio=ratio), space_of(space)
    mechanism = matrix_form(mechanism, space)
    require_both_ways(space, "tight entries need")
    from scipy.sparse import coo_array  # slow to import
    from scipy.sparse.csgraph import connected_components

    matrix = written_out(mechanism)
    size, count = space.size, len(mechanism.outputs)
    loose = np.zeros((size, count), dtype=bool)
    present, pairs = matrix.weights.mantissas != 0, space.edges()
    bound = np.zeros(size, dtype=bool)
    bound[pairs.first] = bound[pairs.second] = True
    connected: list[bool | None] = []
    total = 0
    for z, tight in enumerate(_tight_pairs(matrix, space, level, margin)):
        if tight is None:
            connected.append(None)
            continue
        first, second = tight
        total += len(first)
        graph = coo_array((np.ones(len(first)), (first, second)), (size, size))
        parts = connected_components(graph, directed=False)[1][present[:, z]]
        mixed = (present[pairs.first, z] != present[pairs.second, z]).any()
        connected.append(not mixed and bool((parts == parts[0]).all()))
        loose[:, z] = bound & present[:, z]
        loose[first, z] = loose[second, z] = False
    listed = tuple((int(y), int(z)) for y, z in np.argwhere(loose))
    return Tightness(total, listed, tuple(connected))


@dataclass(frozen=True)
class RowGraph:
    """The tight pairs of one output, each as (likelier input, other input), by index.

    If the graph is connected it determines the likelihood function y ↦ P(output | y) up to a
    factor: along an edge the likelihood falls by e^(ε d).
    """

    output: Label
    edges: tuple[tuple[int, int], ...]
    connected: bool

    __repr__ = brief


def row_graphs(
    mechanism: FiniteMechanism | Held | Matrix,
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    margin: float = 0.0,
) -> tuple[RowGraph, ...]:
    """The row graph of every output: the inputs it tells apart as well as the level allows.

    The edges of a row graph are the tight pairs of inputs, (likelier, less likely) by index; no
    mechanism is more general than one whose graphs are all connected (KL10, Definition 3.3.2).

    Returns: a `RowGraph` for each output that occurs, in order.

    Raises: `BadInput` for a matrix that does not fit the space, and on directed spaces.

    >>> from tightrope.exact import Weights
    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import path
    >>> rows = Weights.from_integers([[4, 1, 1], [2, 2, 2], [1, 1, 4]])  # geometric, e^ε = 2
    >>> row_graphs(MatrixMechanism(path(0, 2), (0, 1, 2), rows), path(0, 2), Level.ratio(2))[1]
    RowGraph(output=1, edges=((1, 0), (1, 2)), connected=True)
    """
    level, space = level_of(epsilon, ratio=ratio), space_of(space)
    mechanism = matrix_form(mechanism, space)
    matrix = written_out(mechanism)
    heads, powers = matrix.weights.scaled
    connected = tightness(matrix, space, level, margin=margin).connected
    graphs = []
    for z, tight in enumerate(_tight_pairs(matrix, space, level, margin)):
        if tight is None:
            continue
        with np.errstate(divide="ignore"):
            logs = np.log2(heads[:, z]) + powers[:, z]
        pairs = zip(tight[0].tolist(), tight[1].tolist(), strict=True)
        edges = tuple((x, y) if logs[x] >= logs[y] else (y, x) for x, y in pairs)
        graphs.append(RowGraph(matrix.outputs[z], edges, connected[z] is True))
    return tuple(graphs)


def exact_margin(space: Space, level: Level) -> float:
    """0 where every e^(ε d) is rational, so that rational weights can be tight, else a margin."""
    classes, _ = pair_classes(space, space.edges())
    known = all(level.pure.power(distance) is not None for distance in classes)
    return 0.0 if known else tolerances.TIGHT_MARGIN


def _tight_pairs(
    mechanism: FiniteMechanism, space: Space, level: Level, margin: float
) -> Iterator[tuple[IntArray, IntArray] | None]:
    """For every output its tight irreducible pairs; None for an output that never occurs."""
    matrix = written_out(mechanism)
    heads, powers = matrix.weights.scaled
    pairs = space.edges()
    first, second = pairs.first, pairs.second
    classes, index = pair_classes(space, pairs)
    ties = _Ties(matrix.weights, tuple(level.pure.power(distance) for distance in classes))
    allowed = float(level) / np.log(2) * space.lengths(first, second)
    for z in range(len(matrix.outputs)):
        if not heads[:, z].any():
            yield None
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log2(heads[first, z] / heads[second, z])
            logs += powers[first, z] - powers[second, z]
        gaps = np.abs(np.abs(logs) - allowed) / np.maximum(1, allowed)
        tight = np.flatnonzero(gaps <= max(margin, tolerances.TIGHT_MARGIN))
        if margin == 0:
            ends = np.stack([first[tight], second[tight]], axis=1)
            ends[logs[tight] < 0] = ends[logs[tight] < 0, ::-1]
            listed = zip(ends.tolist(), index[tight].tolist(), strict=True)
            tight = tight[[ties.hold(z, a, b, kind) for (a, b), kind in listed]]
        yield first[tight], second[tight]


@dataclass(frozen=True, eq=False)
class _Ties:
    """Whether two probabilities differ exactly by the rational e^(ε d) of their pair."""

    weights: Weights
    powers: tuple[Fraction | None, ...]
    factors: dict[tuple[int, int], Fraction] = field(default_factory=dict)

    def hold(self, z: int, first: int, second: int, kind: int) -> bool:
        """Whether P(z | first) = e^(ε d) P(z | second)."""
        power = self.powers[kind]
        if power is None:
            return False
        if (first, second) not in self.factors:
            (total_a, shift_a), (total_b, shift_b) = (
                self.weights.totals[first], self.weights.totals[second]
            )
            quotient = Fraction(total_b, total_a) * power_of_two(shift_b - shift_a)
            self.factors[first, second] = quotient / power
        factor = self.factors[first, second]
        left = int(self.weights.mantissas[first, z]) * factor.numerator
        right = int(self.weights.mantissas[second, z]) * factor.denominator
        shift = int(self.weights.exponents[first, z]) - int(self.weights.exponents[second, z])
        return left << shift == right if shift >= 0 else left == right << -shift
