"""Priors: how likely each input is, as exact fractions that add up to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadMatrix
from tightrope.exact import tolerances
from tightrope.spaces import Space


@dataclass(frozen=True)
class Prior:
    """A law on the inputs; `None` stands for the uniform law on any space.

    >>> Prior.of([1, 1, 2]).weights
    Traceback (most recent call last):
        ...
    tightrope.errors.BadMatrix: the prior adds up to 4; expected 1 within 1e-06.
    """

    weights: tuple[Fraction, ...] | None = None

    @classmethod
    def of(cls, values: Sequence[int | float | str | Fraction]) -> Prior:
        """A prior from numbers that add up to 1; a slip below 1e-6 is divided out."""
        try:
            exact = tuple(Fraction(value) for value in values)
        except (ValueError, OverflowError, ZeroDivisionError):
            raise BadMatrix("the prior has an entry that is not a finite number.") from None
        total = sum(exact)
        if not exact or min(exact) < 0:
            raise BadMatrix("a prior needs probabilities that are not negative.")
        if abs(float(total) - 1) > tolerances.ROW_TOTAL_ERROR:
            shown = float(total)
            raise BadMatrix(
                f"the prior adds up to {shown:.9g}; "
                f"expected 1 within {tolerances.ROW_TOTAL_ERROR:g}."
            )
        return cls(tuple(value / total for value in exact))

    def exact(self, space: Space) -> tuple[Fraction, ...]:
        """The prior as exact fractions, one for each point of the space."""
        self.check(space)
        if self.weights is None:
            return (Fraction(1, space.size),) * space.size
        return self.weights

    def check(self, space: Space) -> None:
        """Refuse a prior that has not one entry for each point of the space."""
        if self.weights is not None and len(self.weights) != space.size:
            raise BadMatrix(
                f"expected a prior with {space.size} entries for {space.text}, "
                f"found {len(self.weights)}."
            )

    def on(self, space: Space) -> NDArray[np.float64]:
        """The prior as doubles, one for each point of the space."""
        self.check(space)
        if self.weights is None:
            return np.full(space.size, 1 / space.size)
        return np.array([float(value) for value in self.weights])


uniform = Prior()
