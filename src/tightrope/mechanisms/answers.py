"""Answers of mechanisms, and what every form with one input at a time shares."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

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
