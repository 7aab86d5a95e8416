"""Answers of mechanisms, and what every form with one input at a time shares."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Self

from tightrope.errors import BadInput
from tightrope.mechanisms.cards import mechanism_card, mechanism_line
from tightrope.spaces import known_space


class Answers(StrEnum):
    """Kinds of answers: outputs that a mechanism lists, or more than can be listed."""

    LISTED = "listed"
    INTEGERS = "integers"
    SETS = "sets"
    MULTIPLES = "multiples"
    VECTORS = "vectors"
    KEYS = "keys"


def check_noise(space: object, kinds: tuple[type, ...], ratio: Fraction) -> None:
    """Refuse noise for another kind of input, or of a ratio that fades nowhere."""
    if type(space) not in kinds:
        raise BadInput(f"expected {' or '.join(kind.__name__ for kind in kinds)}, found "
                       f"{type(space).__name__}.")
    check_ratio(ratio)


def check_ratio(ratio: Fraction) -> None:
    """Refuse a ratio of neighboring weights that is not above 1."""
    if ratio <= 1:
        raise BadInput(f"expected a ratio above 1, found {ratio}.")


class Single:
    """A form that randomizes one input at a time: it is its own base, and has no rows.

    Only the forms of this folder are mechanisms; `verify` refuses any other subclass.
    """

    @property
    def base(self) -> Self:
        """The mechanism that one input goes through."""
        return self

    @property
    def rows(self) -> None:
        """The number of rows of a table; None for one input."""
        return None

    def _own_space(self) -> None:
        """Make the space the one that it is or that its text states; refuse anything else."""
        object.__setattr__(self, "space", known_space(vars(self)["space"]))

    __repr__ = mechanism_line
    _repr_html_ = mechanism_card
