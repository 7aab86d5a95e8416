"""Mechanisms written out: one row of exact weights for every input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadMatrix
from tightrope.exact import Weights
from tightrope.spaces import Label, Space, owned_labels


@dataclass(frozen=True, eq=False)
class MatrixMechanism:
    """The mechanism with P(z | y) = weights[y, z] / total of row y."""

    space: Space
    outputs: Sequence[Label]
    weights: Weights

    def __post_init__(self) -> None:
        object.__setattr__(self, "outputs", owned_labels(self.outputs))
        if type(self.weights) is not Weights:
            raise BadMatrix(f"expected Weights, found {type(self.weights).__name__}.")
        expected, found = (self.space.size, len(self.outputs)), self.weights.shape
        if expected != found:
            raise BadMatrix(
                f"expected {expected[0]} rows and {expected[1]} columns for {self.space.text}, "
                f"found {found[0]} and {found[1]}."
            )

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

    def row(self, i: int) -> tuple[Fraction, ...]:
        """The exact law of the output for the input with index i."""
        return self.weights.row(i)

    def on(self, space: Space) -> MatrixMechanism:
        """The same rows, read as a mechanism on another space with as many points."""
        return MatrixMechanism(space, self.outputs, self.weights)
