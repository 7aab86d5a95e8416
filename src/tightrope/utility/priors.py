"""Priors: how likely each input is, as exact fractions that add up to 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import counted, shorten
from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import Number, exact_number, short_text, tolerances
from tightrope.spaces import Space, in_order


@dataclass(frozen=True)
class Prior:
    """A law on the inputs, from any finite numbers; `None` stands for the uniform law.

    Doubles are the exact numbers they are; a total that misses 1 by less than 1e-6 is divided out.

    >>> Prior(["1/2", 0.25, Fraction(1, 4)]).weights
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    >>> Prior([1, 1, 2])
    Traceback (most recent call last):
        ...
    tightrope.errors.BadMatrix: the prior adds up to 4; expected 1 within 1e-06; divide by it.
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
    def of(cls, values: Sequence[Number]) -> Prior:
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

PriorLike: TypeAlias = Prior | str | Mapping[Any, Number] | Iterable[Number] | None
"""A prior; `uniform` or None; probabilities of the points as a list, array, Series or mapping."""


def prior_of(given: PriorLike, space: Space) -> Prior:
    """The prior on the space that was given in any of these ways.

    Points that a mapping does not name have probability 0.

    >>> from tightrope.spaces import categories
    >>> prior_of({"b": 0.25, "a": 0.75}, categories(["a", "b", "c"])).weights
    (Fraction(3, 4), Fraction(1, 4), Fraction(0, 1))
    """
    if given is None or (isinstance(given, str) and given == "uniform"):
        return uniform
    if isinstance(given, str):
        raise BadInput(
            f"expected uniform or a list of probabilities as a prior, found {given[:40]!r}."
        )
    if isinstance(given, Mapping) and given:
        places = {space.index(label): chance for label, chance in given.items()}
        return Prior.of([places.get(i, 0) for i in range(space.size)])
    listed: Any = () if isinstance(given, Mapping) else in_order(given, space.points)
    prior = given if isinstance(given, Prior) else Prior(listed)
    prior.check(space)
    return prior


def expected_shares(given: PriorLike, space: Space) -> tuple[Fraction, ...] | None:
    """The shares that a prior expects, None for equal ones.

    >>> from tightrope.spaces import categories
    >>> expected_shares([0.5, 0.5], categories(2)), expected_shares([0.25, 0.75], categories(2))
    (None, (Fraction(1, 4), Fraction(3, 4)))
    """
    if given is None:
        return None
    shares = prior_of(given, space).exact(space)
    return None if len(set(shares)) == 1 else shares


def _law(values: Any) -> tuple[Fraction, ...]:
    """Numbers that are not negative and add up to 1, exactly."""
    if isinstance(values, str | bytes | dict | set | np.ma.MaskedArray):
        raise BadMatrix(f"expected a prior as a list of numbers, found {type(values).__name__}.")
    if not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        raise BadMatrix(f"expected a prior as one list of numbers, found {_kind(values)}.")
    entries = values.to_pylist() if hasattr(values, "to_pylist") else values
    exact = tuple(_entry(number, value) for number, value in enumerate(entries, 1))
    if not exact:
        raise BadMatrix("the prior is empty; expected a probability for each input.")
    if not any(exact):
        raise BadMatrix("every entry of the prior is 0; at least one input must be possible.")
    total = sum(exact, Fraction(0))
    if total == 1:
        return exact
    if abs(total - 1) > Fraction(tolerances.ROW_TOTAL_ERROR):
        near = abs(total) < 10**15
        raise BadMatrix(
            f"the prior adds up to {format(float(total), '.9g') if near else short_text(total)}; "
            f"expected 1 within {tolerances.ROW_TOTAL_ERROR:g}; divide by it."
        )
    return tuple(value / total for value in exact)


def _entry(number: int, value: Any) -> Fraction:
    """The probability that is the given number of a list, exactly."""
    try:
        chance = exact_number(value)
    except (TypeError, ValueError):
        raise BadMatrix(
            f"entry {number} of the prior is {shorten(str(value), 40)}, not a finite number."
        ) from None
    if chance < 0:
        raise BadMatrix(
            f"entry {number} of the prior is {float(chance):g}; a probability is not negative."
        )
    return chance


def _kind(values: Any) -> str:
    """The type of a value that is not a list, with its dimensions."""
    dimensions = getattr(values, "ndim", None)
    return type(values).__name__ + (f" of {dimensions} dimensions" if dimensions else "")
