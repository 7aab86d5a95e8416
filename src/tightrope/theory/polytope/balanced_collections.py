"""Minimal balanced collections of subsets, up to the order of players.

A collection of different subsets is balanced if positive weights cover every player exactly
once, and minimal if no smaller part of it is balanced: then the weights are the only ones, and
the subsets are linearly independent. Collections grow by one subset at a time, none smaller
than those before it, and of all that differ by a permutation of players one is kept. A part
whose span holds (1, …, 1) is not grown: what it lacks would have weight 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray
from tightrope.markup import brief

_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class BalancedCollection:
    """One of the collections that differ by a permutation of players.

    `sets` are bit masks of players, `weights` theirs, `alike` how many collections there are.
    `exchanges` are the permutations of the sets by permutations of players that keep the
    collection: the set j becomes the set exchange[j].
    """

    sets: tuple[int, ...]
    weights: tuple[Fraction, ...]
    alike: int
    exchanges: tuple[tuple[int, ...], ...]

    __repr__ = brief


@cache
def balanced_collections(players: int, count: int) -> tuple[BalancedCollection, ...]:
    """The minimal balanced collections of so many subsets, one for all that are alike.

    >>> [sum(found.alike for found in balanced_collections(4, count)) for count in (1, 2, 3, 4)]
    [1, 7, 12, 22]
    """
    if count == 1:
        return (BalancedCollection(((1 << players) - 1,), (Fraction(1),), 1, ((0,),)),)
    grown = _grow(players, count)
    whole, parts = _cramer(_members(grown, players))
    kept = (whole > 0) & (parts > 0).all(axis=1)
    kept &= (np.einsum("nj,njv->nv", parts, _members(grown, players)) == whole[:, None]).all(axis=1)
    return tuple(_describe(players, sets) for sets in _alike(players, grown[kept]).tolist())


def _describe(players: int, sets: list[int]) -> BalancedCollection:
    whole, parts = _cramer(_members(np.array([sets]), players))
    weights = tuple(Fraction(part, int(whole[0])) for part in parts[0].tolist())
    moved = _moves(players)[:, sets]
    images = np.sort(moved, axis=1)
    kept = moved[(images == np.sort(np.array(sets, dtype=np.uint8))).all(axis=1)]
    exchanges = {tuple(sets.index(subset) for subset in row) for row in kept.tolist()}
    alike = len(np.unique(images, axis=0))
    return BalancedCollection(tuple(sets), weights, alike, tuple(sorted(exchanges)))


@cache
def _partial(players: int, count: int) -> IntArray:
    """Independent subsets whose span does not hold (1, …, 1), one collection of each kind."""
    if count == 1:
        return np.array([[(1 << size) - 1] for size in range(1, players)])
    grown = _grow(players, count)
    everyone = np.full((len(grown), 1), (1 << players) - 1)
    members = _members(np.hstack([grown, everyone]), players)
    return _alike(players, grown[_determinants(members @ members.transpose(0, 2, 1)) > 0])


def _grow(players: int, count: int) -> IntArray:
    """Every partial collection with one more subset, none smaller than those it has."""
    start, added = _partial(players, count - 1), np.arange(1, (1 << players) - 1)
    grown = np.hstack([np.repeat(start, len(added), 0), np.tile(added, len(start))[:, None]])
    sizes = _members(grown, players).sum(axis=2)
    larger = sizes[:, -1] >= sizes[:, :-1].max(axis=1)
    new = (grown[:, :-1] != grown[:, -1:]).all(axis=1)
    return np.unique(np.sort(grown[larger & new], axis=1), axis=0)


def _members(sets: IntArray, players: int) -> IntArray:
    """Bit masks as lines of 0 and 1: collection, set, player."""
    return np.asarray(sets[:, :, None] >> np.arange(players) & 1, dtype=np.int64)


@cache
def _moves(players: int) -> NDArray[np.uint8]:
    """The image of every subset under every permutation of players."""
    orders = np.array(list(permutations(range(players))))
    masks = np.arange(1 << players)
    moved = np.zeros((len(orders), len(masks)), dtype=np.uint8)
    for player in range(players):
        moved |= ((masks >> player & 1) << orders[:, player : player + 1]).astype(np.uint8)
    return np.asarray(moved)


def _alike(players: int, collections: IntArray) -> IntArray:
    """Of all collections that differ by a permutation of players the first, each once."""
    moves, count = _moves(players), collections.shape[1]
    step = max(1, _AT_ONCE // (len(moves) * count))
    least = [np.zeros(0, dtype=np.int64)]
    for start in range(0, len(collections), step):
        images = np.sort(moves[:, collections[start : start + step]], axis=2)
        codes = np.zeros(images.shape[:2], dtype=np.int64)
        for j in range(count):
            codes = codes << players | images[:, :, j]
        least.append(codes.min(axis=0))
    first = np.unique(np.concatenate(least))
    places = np.arange(count - 1, -1, -1) * players
    return np.asarray(first[:, None] >> places & (1 << players) - 1)


def _cramer(members: IntArray) -> tuple[IntArray, IntArray]:
    """Weights that solve BᵀB x = Bᵀ1 as whole numbers: a denominator, and a part for each set."""
    gram, covered = members @ members.transpose(0, 2, 1), members.sum(axis=2)
    parts = []
    for j in range(members.shape[1]):
        changed = gram.copy()
        changed[:, :, j] = covered
        parts.append(_determinants(changed))
    return _determinants(gram), np.stack(parts, axis=1)


def _determinants(matrices: IntArray) -> IntArray:
    """Determinants of small whole matrices, exactly, by Laplace expansion over column sets."""
    count = matrices.shape[1]
    minors: dict[int, IntArray] = {0: np.ones(len(matrices), dtype=np.int64)}
    for row in range(count):
        larger: dict[int, IntArray] = {}
        for rows, minor in minors.items():
            for j in range(count):
                if rows >> j & 1:
                    continue
                sign = -1 if (rows >> (j + 1)).bit_count() % 2 else 1
                term = sign * matrices[:, row, j] * minor
                key = rows | 1 << j
                larger[key] = larger[key] + term if key in larger else term
        minors = larger
    return minors[(1 << count) - 1]
