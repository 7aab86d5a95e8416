"""Which isometries of a space keep a prior and a loss, and how they move the outputs.

An isometry g is kept if the prior does not change and some permutation h of the outputs has
loss[g y, h z] = loss[y, z] throughout. If generators are lost, products of them may still
be kept (of a grid's two reflections, only the half turn), so short products are tried too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from tightrope.exact import FloatArray, IntArray
from tightrope.spaces import Label, Space
from tightrope.symmetry.exchanges import Symmetry
from tightrope.symmetry.permutations import orbits

_MOST_PRODUCTS: Final = 2_000
_MOST_ENTRIES: Final = 4_000_000  # of all products together
_MOST_FAILURES: Final = 20  # products that look right and are not
_MOST_CONJUGATORS: Final = 8
_BLOCK: Final = 64


def preserving(
    space: Space,
    outputs: Sequence[Label],
    generators: Sequence[IntArray],
    *,
    prior: FloatArray,
    loss: FloatArray,
    slack: float = 0.0,
) -> Symmetry:
    """The symmetry of a prior and a loss (inputs × outputs) among these isometries.

    The prior must be kept exactly. Entries of the loss may differ by `slack` times the
    largest one, since losses that are equal may be rounded differently: the symmetry is
    then that of a loss nearby, and whoever uses it proves the result for the loss given.
    Generators that others imply are left out.

    >>> from tightrope.spaces import parse
    >>> from tightrope.symmetry import symmetries
    >>> space = parse("path:0..2")
    >>> loss = np.array([[0., 1., 2.], [1., 0., 1.], [2., 1., 0.]])
    >>> even, odd = np.array([1, 2, 1]) / 4, np.array([1, 1, 2]) / 4
    >>> isometries = symmetries(space)
    >>> preserving(space, space.points, isometries, prior=even, loss=loss).sizes.tolist()
    [2, 1]
    >>> preserving(space, space.points, isometries, prior=odd, loss=loss).sizes.tolist()
    [1, 1, 1]
    """
    inputs = space.size
    if not generators or len(np.unique(prior)) == inputs:
        return Symmetry(inputs, len(outputs))
    objective = _Objective(prior, loss, slack)
    kept: list[tuple[IntArray, IntArray]] = []
    implied = _Implied()
    lost = False
    for g in generators:
        if g in implied:
            implied.add(g)
            continue
        h = objective.partner(g)
        if h is None:
            lost = True
        else:
            kept.append((g, h))
            implied.add(g, conjugator=True)
    if lost:
        kept += _invariant_products(objective, generators, kept)
    return Symmetry(inputs, len(outputs), tuple(kept))


class _Objective:
    """A prior and a loss, asked which moves keep them."""

    def __init__(self, prior: FloatArray, loss: FloatArray, slack: float) -> None:
        self.prior, self.loss = prior, loss
        self.room = slack * float(np.abs(loss).max())
        self.weights = np.cos(np.arange(len(prior)) ** 2)  # generic, so that columns differ
        self.columns = np.argsort(self.weights @ loss, kind="stable")
        ranks = sorted({0, loss.shape[1] // 3, loss.shape[1] // 2, loss.shape[1] - 1})
        self.profile = np.partition(loss, ranks, axis=1)[:, ranks]

    def resembles(self, g: IntArray) -> bool:
        """Whether prior and profile are kept: if not, no h will do."""
        return np.array_equal(self.prior[g], self.prior) and self._close(
            self.profile[g], self.profile
        )

    def partner(self, g: IntArray) -> IntArray | None:
        """A permutation h of the outputs such that (g, h) keeps prior and loss, if one is found.

        If there are as many outputs as inputs, they may be the points themselves, and g is
        tried first. Otherwise columns are matched in the order of a generic weighted sum;
        whatever the guess, the whole loss is compared.
        """
        if not self.resembles(g):
            return None
        if len(g) == len(self.columns) and self._keeps(g, g):
            return g
        h = np.empty_like(self.columns)
        h[self.columns] = np.argsort(self.weights[np.argsort(g)] @ self.loss, kind="stable")
        return h if self._keeps(g, h) else None

    def _keeps(self, g: IntArray, h: IntArray) -> bool:
        return all(
            self._close(self.loss[g[start : start + _BLOCK]][:, h], self.loss[start:][:_BLOCK])
            for start in range(0, len(g), _BLOCK)
        )

    def _close(self, moved: FloatArray, still: FloatArray) -> bool:
        if self.room:
            return bool((np.abs(moved - still) <= self.room).all())
        return np.array_equal(moved, still)


class _Implied:
    """Permutations seen to lie in a group that grows: members, and conjugates of members."""

    def __init__(self) -> None:
        self.members: list[IntArray] = []
        self.conjugators: list[IntArray] = []
        self.known: set[bytes] = set()

    def __contains__(self, g: IntArray) -> bool:
        return g.tobytes() in self.known

    def add(self, g: IntArray, *, conjugator: bool = False) -> None:
        self.members.append(g)
        for s in self.conjugators:
            self._note(s, g)
        if conjugator and len(self.conjugators) < _MOST_CONJUGATORS:
            self.conjugators.append(g)
            for member in self.members:
                self._note(g, member)

    def _note(self, s: IntArray, g: IntArray) -> None:
        back = np.argsort(s)
        self.known.add(s[g[back]].tobytes())
        self.known.add(back[g[s]].tobytes())


def _invariant_products(
    objective: _Objective, letters: Sequence[IntArray], kept: Sequence[tuple[IntArray, IntArray]]
) -> list[tuple[IntArray, IntArray]]:
    """Products of letters that keep prior and loss and join orbits of inputs."""
    size = len(letters[0])
    moves = [g for g, _ in kept]
    labels = orbits(size, moves)
    pairs: list[tuple[IntArray, IntArray]] = []
    failures = 0
    for g in _products(letters):
        if np.array_equal(labels[g], labels) or not objective.resembles(g):
            continue
        h = objective.partner(g)
        if h is not None:
            pairs.append((g, h))
            moves.append(g)
            labels = orbits(size, moves)
        elif (failures := failures + 1) == _MOST_FAILURES:
            break
    return pairs


def _products(letters: Sequence[IntArray]) -> Iterator[IntArray]:
    """Distinct products of two letters and more, shortest first."""
    size = len(letters[0])
    left = min(_MOST_PRODUCTS, _MOST_ENTRIES // size)
    seen = {np.arange(size).tobytes(), *(letter.tobytes() for letter in letters)}
    border = list(letters)
    while border:
        longer = []
        for word in border:
            for letter in letters:
                product = letter[word]
                if product.tobytes() in seen:
                    continue
                if left == 0:
                    return
                left -= 1
                seen.add(product.tobytes())
                longer.append(product)
                yield product
        border = longer
