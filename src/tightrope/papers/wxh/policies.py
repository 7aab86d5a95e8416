"""WXH, Section 4: the six theorems, their lemmas and the ladder, on a small query.

Datasets are the points of a path, one step apart if neighbors; the query has one whole value
for each; outputs are all whole numbers from the least value to the largest.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from tightrope.constructions import (
    SetSequences,
    ladder,
    preferring,
    privacy_first,
    utility_first,
    utility_then_privacy,
)
from tightrope.exact import Level
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.spaces import MetricQuery, path, query

VALUES = (0, 1, 5, 4, 7, 3)
_EVEN = tuple(range(0, 8, 2))
_ONE, _HALF = Fraction(1), Fraction(1, 2)


def walk(values: tuple[int, ...]) -> MetricQuery:
    """The query with these values on the points of a path, in order."""
    return query(
        path(0, len(values) - 1), path(min(values), max(values)), lambda x: values[int(str(x))]
    )


def _weight(
    title: str, sequences: SetSequences, epsilon: Fraction, weight: Fraction
) -> Finding:
    """The exact level if set i weighs e^(-iε·weight), against 2ε."""
    smallest = sequences.exact_level(sequences.root(Level.epsilon(epsilon * weight)))
    return finding(
        f"{title} is 2ε-differentially private",
        f"{sequences.indices.max()} sets around the farthest dataset; at ε = {epsilon} the level "
        f"is {smallest.upper:.6f}, exactly",
        smallest.upper < 2 * epsilon,
        "the levels of all pairs of neighbors are compared; 2ε is a supremum that is not attained.",
    )


def _first(
    *, values: tuple[int, ...] = VALUES, epsilon: Fraction = _ONE, weight: Fraction = _ONE
) -> Finding:
    return _weight("Theorem 1", utility_first(walk(values)), epsilon, weight)


def _second(
    *, values: tuple[int, ...] = VALUES, epsilon: Fraction = _ONE, weight: Fraction = _ONE
) -> Finding:
    return _weight("Theorem 2", privacy_first(walk(values)), epsilon, weight)


def _third(
    *,
    values: tuple[int, ...] = VALUES,
    delta: Fraction = _ONE,
    epsilon: Fraction = _ONE,
    weight: Fraction = _ONE,
) -> Finding:
    sequences = privacy_first(walk(values), [delta] * len(values))
    return _weight("Theorem 3", sequences, epsilon, weight)


def _values_first(values: tuple[int, ...], delta: Fraction) -> SetSequences:
    asked = walk(values)
    return utility_then_privacy(asked, [delta] * asked.codomain.size)


def _fourth(
    *,
    values: tuple[int, ...] = VALUES,
    delta: Fraction = _ONE,
    epsilon: Fraction = _ONE,
    weight: Fraction = _ONE,
) -> Finding:
    return _weight("Theorem 4", _values_first(values, delta), epsilon, weight)


def _fifth(
    *,
    values: tuple[int, ...] = VALUES,
    preferred: tuple[int, ...] = _EVEN,
    penalty: Fraction = _HALF,
    epsilon: Fraction = _ONE,
    weight: Fraction = _ONE,
) -> Finding:
    sequences = preferring(_values_first(values, _ONE), preferred, penalty)
    return _weight("Theorem 5", sequences, epsilon, weight)


def _sixth(
    *,
    values: tuple[int, ...] = VALUES,
    preferred: tuple[int, ...] = _EVEN,
    penalty: Fraction = _HALF,
    epsilon: Fraction = _ONE,
    weight: Fraction = _ONE,
) -> Finding:
    balls = privacy_first(walk(values), [_ONE] * len(values))
    return _weight("Theorem 6", preferring(balls, preferred, penalty), epsilon, weight)


def _ladder(
    *, values: tuple[int, ...] = VALUES, epsilon: Fraction = _ONE, weight: Fraction = _ONE
) -> Finding:
    return _weight("Example 10: the ladder", ladder(walk(values)), epsilon, weight)


def _partition(sequences: SetSequences, apart: int) -> Finding:
    """How far the set of an output moves between datasets that are at most so far apart."""
    table, far = np.asarray(sequences.indices), np.asarray(sequences.query.steps)
    first, second = np.nonzero((far > 0) & (far <= apart))
    moves = int(np.abs(table[first] - table[second]).max())
    return finding(
        "the sets are a partition, and those of neighbors meet only if their numbers differ by "
        "at most 1",
        f"{int((table >= 0).all(axis=0).sum())} outputs lie in one set of each dataset; between "
        f"datasets at most {apart} apart the number of a set differs by up to {moves}",
        moves <= 1,
        "compared for every output and every such pair of datasets.",
    )


def _lemma_one(*, values: tuple[int, ...] = VALUES, apart: int = 1) -> Finding:
    return _partition(privacy_first(walk(values)), apart)


def _lemma_two(
    *, values: tuple[int, ...] = VALUES, delta: Fraction = _ONE, apart: int = 1
) -> Finding:
    return _partition(privacy_first(walk(values), [delta] * len(values)), apart)


def _theorem(number: int, title: str, run: Callable[..., Finding]) -> Item:
    """A theorem: its level changes with ε, and is beyond 2ε if sets weigh e^(-6iε)."""
    varied, dropped = {"epsilon": _HALF}, {"weight": Fraction(6)}
    return Item("wxh", f"theorem-{number}", title, Verdict.CONFIRMED, run, varied, dropped)


ITEMS = (
    _theorem(1, "Sets by the distance of values", _first),
    _theorem(2, "Sets by the distance of datasets", _second),
    _theorem(3, "Sets by the distance of datasets, from balls", _third),
    _theorem(4, "Sets by the distance of values, from neighborhoods", _fourth),
    _theorem(5, "Theorem 4 with preferred outputs", _fifth),
    _theorem(6, "Theorem 3 with preferred outputs", _sixth),
    Item("wxh", "example-10", "The ladder as a set sequence", Verdict.CONFIRMED, _ladder,
         varied={"epsilon": _HALF}, dropped={"weight": Fraction(6)}),
    Item("wxh", "lemma-1", "The sets of Theorem 2 move one step", Verdict.CONFIRMED, _lemma_one,
         varied={"values": (0, 3, 1)}, dropped={"apart": 2}),
    Item("wxh", "lemma-2", "The sets of Theorem 3 move one step", Verdict.CONFIRMED, _lemma_two,
         varied={"delta": Fraction(0)}, dropped={"apart": 2}),
)
