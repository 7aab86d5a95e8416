"""Irreducible pairs of any space with a table of distances, by comparing all triples.

A pair (a, b) is irreducible if d(a, b) is finite and no third point c has d(a, c) + d(c, b) =
d(a, b). Rational distances are compared as integers. Others are compared as doubles, and where
these come within rounding of equality the exact numbers decide, once for every triple.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import Surd, tolerances
from tightrope.spaces.protocol import Pairs, refuse_above
from tightrope.spaces.regions import WORD

MOST_TRIPLES: Final = 3_000
"""Points of a space whose triples may all be compared: about half a minute."""


def irreducible_pairs(classes: list[Surd], table: NDArray[np.int32]) -> Pairs:
    """The irreducible pairs of the space with distances classes[table[a, b]].

    >>> three = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]], dtype=np.int32)
    >>> list(irreducible_pairs([Surd.of(0), Surd.of(1), Surd.of(2)], three))
    [(0, 1), (1, 2)]
    """
    _refuse_triples(table)
    if classes[-1].infinite:  # no third point is between, whatever stands for infinity
        beyond = classes[-2] * 2 + Surd.of(1)
        every = irreducible_pairs([*classes[:-1], beyond], table)
        return _choose(every, table[every.first, every.second] < len(classes) - 1)
    values = [value.rational for value in classes]
    exact = [value for value in values if value is not None]
    if len(exact) < len(values):
        return _pairs(_irreducible_rows(classes, table))
    scale = lcm(*(value.denominator for value in exact))
    return irreducible_integers(narrow([int(value * scale) for value in exact])[table])


def irreducible_integers(lengths: NDArray[Any], beyond: int | None = None) -> Pairs:
    """The irreducible pairs of a matrix of integer distances, of which one may be infinite."""
    _refuse_triples(lengths)
    every = _pairs(through.min(axis=1) > lengths[a, a + 1 :] for a, through in detours(lengths))
    return every if beyond is None else _choose(every, lengths[every.first, every.second] != beyond)


def detours(lengths: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """For every a, the ways from a to b through c, one row per b > a, one column per c.

    Ways through a or b themselves are made too long to matter. The array is reused.
    """
    beyond = 3 * lengths.max()
    buffer = np.empty_like(lengths)
    for a in range(len(lengths) - 1):
        through = np.add(lengths[a + 1 :], lengths[a], out=buffer[a + 1 :])
        through[:, a] = beyond
        np.fill_diagonal(through[:, a + 1 :], beyond)
        yield a, through


def narrow(integers: Sequence[int]) -> NDArray[Any]:
    """Integers in the shortest type in which four of them can be added."""
    largest = 4 * max(map(abs, integers))
    short = np.int32 if largest < 2**31 else np.int64
    return np.array(integers, dtype=short if largest < WORD else object)


def _refuse_triples(table: NDArray[Any]) -> None:
    refuse_above(
        MOST_TRIPLES,
        len(table),
        "the number of points",
        "irreducible pairs of a space without structure need a smaller one",
    )


def _irreducible_rows(classes: list[Surd], table: NDArray[np.int32]) -> Iterator[NDArray[np.bool_]]:
    """For every a, which b > a are irreducible; doubles first, exact numbers where close."""

    @lru_cache(maxsize=1_000_000)
    def adds_up(first: int, second: int, whole: int) -> bool:
        return classes[first] + classes[second] == classes[whole]

    lengths = np.array([float(value) for value in classes])[table]
    for a, through in detours(lengths):
        limits = lengths[a, a + 1 :] * (1 + tolerances.COMPARISON_MARGIN)
        free = through.min(axis=1) > limits
        for row in np.flatnonzero(~free).tolist():
            whole = table[a, a + 1 + row]
            near = np.flatnonzero(through[row] <= limits[row])
            ways = zip(table[a, near].tolist(), table[near, a + 1 + row].tolist(), strict=True)
            free[row] = not any(adds_up(*way, int(whole)) for way in ways)
        yield free


def _choose(pairs: Pairs, chosen: NDArray[np.bool_]) -> Pairs:
    return Pairs(pairs.first[chosen], pairs.second[chosen])


def _pairs(rows: Iterator[NDArray[np.bool_]]) -> Pairs:
    """The pairs (a, b) for which row a holds at b, counted from a + 1."""
    seconds = [np.flatnonzero(free) + a + 1 for a, free in enumerate(rows)]
    first = np.repeat(np.arange(len(seconds)), [len(second) for second in seconds])
    return Pairs(first, np.concatenate(seconds))
