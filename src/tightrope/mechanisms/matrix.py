"""Mechanisms written out: one row of exact weights for every input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tightrope.drawing import plot_of
from tightrope.errors import BadMatrix
from tightrope.exact import FloatArray, Weights, exact_number, float_rows, tolerances
from tightrope.mechanisms.answers import Answers, Single
from tightrope.mechanisms.cards import array_of_matrix, to_csv, to_latex, to_numpy
from tightrope.spaces import Label, Space, in_order, known_space, own_labels


@dataclass(frozen=True, eq=False, repr=False)
class MatrixMechanism(Single):
    """A mechanism written out: P(z | y) = weights[y, z] / total of row y, exactly.

    `MatrixMechanism.of(rows, space)` takes an array, nested lists or a frame.

    >>> from tightrope.spaces import categories
    >>> weights = Weights.from_integers([[3, 1], [1, 3]])
    >>> coin = MatrixMechanism(categories(2), ("no", "yes"), weights)
    >>> [str(p) for p in coin.row(0)]
    ['3/4', '1/4']
    """

    space: Space
    outputs: Sequence[Label]
    weights: Weights
    answers: ClassVar = Answers.LISTED

    def __post_init__(self) -> None:
        self._own_space()
        object.__setattr__(self, "outputs", own_labels(self.outputs))
        if type(self.weights) is not Weights:
            raise BadMatrix(f"expected Weights, found {type(self.weights).__name__}.")
        expected, shape = (self.space.size, len(self.outputs)), self.weights.shape
        if expected != shape:
            raise BadMatrix(
                f"expected {expected[0]} rows and {expected[1]} columns for {self.space.text}, "
                f"found {shape[0]} and {shape[1]}."
            )

    @classmethod
    def of(
        cls, rows: Any, space: Space | str, outputs: Sequence[Label] | None = None
    ) -> MatrixMechanism:
        """Rows of probabilities as they are, one for each point: an array or nested lists.

        Doubles are the exact numbers they are, and so are fractions; a row total within 1e-6
        of 1 becomes the denominator. Without names the outputs are the points, or numbered.

        >>> from tightrope.spaces import categories
        >>> MatrixMechanism.of([["2/3", "1/3"], [0.25, 0.75]], categories(2)).row(0)
        (Fraction(2, 3), Fraction(1, 3))
        """
        space = known_space(space)
        rows = in_order(rows, space.points, space.points if outputs is None else outputs)
        doubles = float_rows(rows, "a matrix of probabilities")
        off = np.abs(doubles.sum(axis=1) - 1)
        if (doubles < 0).any() or off.max() > tolerances.ROW_TOTAL_ERROR:
            row = int(np.argmax((doubles < 0).any(axis=1) if (doubles < 0).any() else off))
            raise BadMatrix(f"row {row} {_complaint(doubles[row])}.")
        if np.asarray(rows).dtype.kind in "biuf":
            weights = Weights.from_floats(doubles)
        else:
            exact = [[exact_number(value) for value in row] for row in np.asarray(rows).tolist()]
            weights = Weights.from_fractions(exact)
        if outputs is None:
            square = weights.shape[1] == space.size
            outputs = space.points if square else range(weights.shape[1])
        return cls(space, outputs, weights)

    def __eq__(self, other: object) -> bool:
        """Equal spaces, outputs and weights, however the outputs are held."""
        if not isinstance(other, MatrixMechanism):
            return NotImplemented
        same = self.space == other.space and len(self.outputs) == len(other.outputs)
        return (
            same
            and all(a == b for a, b in zip(self.outputs, other.outputs, strict=True))
            and self.weights == other.weights
        )

    __hash__ = None  # type: ignore[assignment]
    to_numpy = to_numpy
    __array__ = array_of_matrix
    to_csv = to_csv
    to_latex = to_latex
    plot = plot_of

    def row(self, x: Label) -> tuple[Fraction, ...]:
        """The exact law of the output for the input x: a probability for each of `outputs`."""
        return self.row_at(self.space.index(x))

    def row_at(self, i: int) -> tuple[Fraction, ...]:
        """The exact law of the output for the input with index i."""
        return self.weights.row(i)

    def matrix(self) -> MatrixMechanism:
        """The mechanism itself: it is written out."""
        return self

    def on(self, space: Space) -> MatrixMechanism:
        """The same rows, read as a mechanism on another space with as many points."""
        return MatrixMechanism(space, self.outputs, self.weights)


def _complaint(row: FloatArray) -> str:
    """The sentence on what is wrong with the probabilities of a row."""
    if (row < 0).any():
        return f"has the negative entry {row.min():.9g}; expected probabilities"
    total = float(row.sum())
    percent = abs(total - 100) <= 100 * tolerances.ROW_TOTAL_ERROR
    hint = "; divide percentages by 100" if percent else ""
    return f"adds up to {total:.9g}; expected 1 within {tolerances.ROW_TOTAL_ERROR:g}{hint}"
