"""Symmetry in documents: what is a moved copy of something else is written once.

A symmetry is a pair (g, h) of permutations of inputs and outputs. Row g[y] of a matrix is a
copy if its entry h[z] is entry z of row y, and the multipliers of output h[z] are a copy if
they are those of z with inputs moved by g. A copy is written as the number of its symmetry.

Symmetry shortens a document and proves nothing: what is read is unfolded, then judged as if
it had been written in full.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from tightrope.errors import BadDocument
from tightrope.exact import IntArray
from tightrope.mechanisms import MatrixMechanism
from tightrope.symmetry import Symmetry, preserving, symmetries
from tightrope.utility import Multipliers

Part = TypeVar("Part")
Moved = Callable[[Part, IntArray, IntArray], Part]

_MOST_SYMMETRIES = 64
_MOST_ROUTES = 8
"""Multipliers of a copied output, for each input."""
_MOST_AMOUNT = 1 << 1000
"""Multipliers of a copied output are below this many units of 2^-96."""
_MOST_TEXT = 1 << 30
"""Characters of all rows, if each were as long as the longest: copies cost no more to read
than the largest document in full."""
_LONGEST_POWER = 12
"""Characters of a weight beside its mantissa: "p", sign, eight digits and a blank."""
_PERMUTATION = re.compile(r"[0-9]{1,9}(?: [0-9]{1,9})*+")


def symmetry_of(mechanism: MatrixMechanism) -> Symmetry:
    """The isometries of the space, with moves of the outputs, that keep the weights exactly."""
    space, weights = mechanism.space, mechanism.weights
    digits = int(weights.mantissas.max()).bit_length() // 4
    if (digits + _LONGEST_POWER) * weights.shape[1] > longest_row(space.size):
        return Symmetry(space.size, len(mechanism.outputs))
    found = preserving(
        space,
        mechanism.outputs,
        symmetries(space),
        prior=np.ones(space.size),
        loss=weights.floats,
    )
    kept = tuple(
        (g, h)
        for g, h in found.generators
        if (weights.mantissas[g][:, h] == weights.mantissas).all()
        and (weights.exponents[g][:, h] == weights.exponents).all()
    )
    return Symmetry(space.size, len(mechanism.outputs), kept[:_MOST_SYMMETRIES])


def longest_row(rows: int) -> int:
    """Characters that a row may have where some are copies."""
    return _MOST_TEXT // rows


def folded_rows(size: int, symmetry: Symmetry, text: Callable[[int], str]) -> list[Any]:
    """The text of every row, or the number of the symmetry that makes it a copy."""
    if not symmetry.generators:
        return [text(y) for y in range(size)]
    arrivals = symmetry.exchanged.arrivals.tolist()
    return [text(y) if number < 0 else number for y, number in enumerate(arrivals)]


def folded_multipliers(
    multipliers: Sequence[Multipliers], symmetry: Symmetry, text: Callable[[Multipliers], str]
) -> list[Any]:
    """The multipliers of every output as text, or the number of the symmetry that copies them."""
    if not symmetry.generators:
        return [text(own) for own in multipliers]
    backs = [np.argsort(h) for _, h in symmetry.generators]
    found: list[Any] = []
    for z, (own, number) in enumerate(zip(multipliers, symmetry.arrivals.tolist(), strict=True)):
        if number >= 0:
            g, _ = symmetry.generators[number]
            other = multipliers[int(backs[number][z])]
            if _may_be_copied(own, symmetry) and _same(own, _moved(other, g)):
                found.append(number)
                continue
        found.append(text(own))
    return found


def symmetry_to_json(symmetry: Symmetry) -> list[list[str]]:
    """The pairs (g, h) as texts: where each input and each output goes."""
    return [[" ".join(map(str, side.tolist())) for side in pair] for pair in symmetry.generators]


def symmetry_from_json(content: Any, inputs: int, outputs: int) -> Symmetry:
    """The symmetry that a document states; raises `BadDocument` for what is none."""
    if not isinstance(content, list) or not 1 <= len(content) <= _MOST_SYMMETRIES:
        raise BadDocument(f"the symmetry is no list of 1 to {_MOST_SYMMETRIES} pairs.")
    pairs = []
    for pair in content:
        if not isinstance(pair, list) or len(pair) != 2:
            raise BadDocument("a symmetry is no pair of permutations of inputs and outputs.")
        pairs.append((_permutation(pair[0], inputs), _permutation(pair[1], outputs)))
    return Symmetry(inputs, outputs, tuple(pairs))


def unfolded_rows(rows: Sequence[Part | int], symmetry: Symmetry, moved: Moved[Part]) -> list[Part]:
    """Every row: what is a number is the row that this symmetry moves here, moved."""
    return _unfolded(rows, symmetry.exchanged, lambda part, h, g: moved(part, g, h))


def unfolded_multipliers(
    entries: Sequence[Multipliers | int], symmetry: Symmetry
) -> tuple[Multipliers, ...]:
    """The multipliers of every output: what is a number is a copy, moved by this symmetry."""

    def moved(given: Multipliers, g: IntArray, _: IntArray) -> Multipliers:
        if not _may_be_copied(given, symmetry):
            raise BadDocument("an output with so many or so large multipliers has no copy.")
        return _moved(given, g)

    return tuple(_unfolded(entries, symmetry, moved))


def _unfolded(
    entries: Sequence[Part | int], symmetry: Symmetry, moved: Moved[Part]
) -> list[Part]:
    """Entries by output, originals first, then copies of what is known."""
    backs = [np.argsort(h) for _, h in symmetry.generators]
    copies: dict[int, list[int]] = defaultdict(list)
    known: dict[int, Part] = {}
    for z, entry in enumerate(entries):
        if not isinstance(entry, int):
            known[z] = entry
        elif 0 <= entry < len(backs):
            copies[int(backs[entry][z])].append(z)
        else:
            raise BadDocument(f"there is no symmetry number {entry}.")
    border = list(known)
    while border:
        there = border.pop()
        for z in copies.get(there, ()):
            g, h = symmetry.generators[entries[z]]  # type: ignore[index]
            known[z] = moved(known[there], g, h)
            border.append(z)
    if len(known) < len(entries):
        raise BadDocument("copies in the document refer to one another in circles.")
    return [known[z] for z in range(len(entries))]


def _permutation(text: Any, size: int) -> IntArray:
    if isinstance(text, str) and text.count(" ") == size - 1 and _PERMUTATION.fullmatch(text):
        found = np.array(list(map(int, text.split(" "))), dtype=np.int64)
        if np.array_equal(np.sort(found), np.arange(size)):
            return found
    raise BadDocument(f"a symmetry is no permutation of {size} places such as '1 0 2'.")


def _may_be_copied(given: Multipliers, symmetry: Symmetry) -> bool:
    few = len(given.first) <= _MOST_ROUTES * symmetry.inputs
    return few and max(given.amounts, default=0) < _MOST_AMOUNT


def _moved(given: Multipliers, g: IntArray) -> Multipliers:
    return Multipliers(g[given.first], g[given.second], given.amounts)


def _same(one: Multipliers, other: Multipliers) -> bool:
    """Whether the multipliers are the same, in whatever order."""
    return _ordered(one) == _ordered(other)


def _ordered(given: Multipliers) -> list[tuple[int, int, int]]:
    return sorted(zip(given.first.tolist(), given.second.tolist(), given.amounts, strict=True))
