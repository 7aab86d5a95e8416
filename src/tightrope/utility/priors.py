"""Priors: how likely each input is, as exact fractions that add up to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import counted
from tightrope.errors import BadMatrix
from tightrope.exact import exact_number, short_text, tolerances
from tightrope.spaces import Space


@dataclass(frozen=True)
class Prior:
    """A law on the inputs, from any finite numbers; `None` stands for the uniform law.

    Doubles are the exact numbers they are; a total that misses 1 by less than 1e-6 is divided out.

    >>> Prior(["1/2", 0.25, Fraction(1, 4)]).weights
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    >>> Prior([1, 1, 2])
    Traceback (most recent call last):
        ...
    tightrope.errors.BadMatrix: the prior adds up to 4; expected 1 within 1e-06.
    """

    weights: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        if self.weights is not None:
            object.__setattr__(self, "weights", _law(self.weights))

    def __repr__(self) -> str:
        if self.weights is None:
            return "Prior(uniform)"
        least, most = short_text(min(self.weights)), short_text(max(self.weights))
        return f"Prior({counted(len(self.weights), 'input')}, from {least} to {most})"

    @classmethod
    def of(cls, values: Sequence[int | float | str | Fraction]) -> Prior:
        """A prior from numbers that add up to 1."""
        return cls(_law(values))

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


def _law(values: Any) -> tuple[Fraction, ...]:
    """Numbers that are not negative and add up to 1, exactly."""
    if isinstance(values, str | bytes | dict | set | np.ma.MaskedArray):
        raise BadMatrix(f"expected a prior as a list of numbers, found {type(values).__name__}.")
    try:
        exact = tuple(exact_number(value) for value in values)
    except (TypeError, ValueError):
        raise BadMatrix("the prior has an entry that is not a finite number.") from None
    if not exact or min(exact) < 0:
        raise BadMatrix("a prior needs probabilities that are not negative.")
    total = sum(exact, Fraction(0))
    if total == 1:
        return exact
    if abs(total - 1) > Fraction(tolerances.ROW_TOTAL_ERROR):
        near = abs(total) < 10**15
        raise BadMatrix(
            f"the prior adds up to {format(float(total), '.9g') if near else short_text(total)}; "
            f"expected 1 within {tolerances.ROW_TOTAL_ERROR:g}."
        )
    return tuple(value / total for value in exact)
