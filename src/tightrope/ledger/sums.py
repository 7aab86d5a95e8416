"""Exact sums of levels, and levels as records hold them.

A sum has no bound of its own: whoever adds a level compares the sum with a budget.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.errors import BadDocument, BadInput
from tightrope.exact import Level, writable

_FRACTION = re.compile(r"-?[0-9]{1,4300}(/[0-9]{1,4300})?", re.ASCII)


@dataclass(frozen=True)
class Spent:
    """An exact sum of levels, of none to begin with; one too long to be written is rounded up.

    >>> total = Spent()
    >>> for _ in range(10):
    ...     total = total.plus(Level.of(0.1))
    >>> total.within(Level.of(1)), total.plus(Level.of("1e-30")).within(Level.of(1))
    (True, False)
    """

    epsilon: Level | None = None
    delta: Fraction = Fraction(0)

    def plus(self, level: Level) -> Spent:
        """The sum with one more level."""
        pure = level.pure
        return Spent(pure if self.epsilon is None else self.epsilon + pure,
                     writable(self.delta + level.delta))

    def within(self, budget: Level) -> bool:
        """Whether neither ε nor δ is beyond the budget, exactly."""
        over = self.epsilon is not None and self.epsilon.compare_level(budget.pure) > 0
        return not over and self.delta <= budget.delta

    def covers(self, level: Level) -> bool:
        """Whether a charge of this level can be among what was spent, exactly."""
        return (self.epsilon is not None and self.epsilon.compare_level(level.pure) >= 0
                and self.delta >= level.delta)

    def left_of(self, level: Level) -> str:
        """The rest of a level in words: exact where ε is a decimal, else from below."""
        delta = level.delta - self.delta
        tail = f", δ = {float(delta):.3g}" if level.delta else ""
        return f"ε = {remainder(level, self.epsilon)}{tail}"

    @property
    def shown(self) -> str:
        """ε, and δ where there is one."""
        epsilon = "0" if self.epsilon is None else str(self.epsilon).removeprefix("ε = ")
        return f"ε = {epsilon}" + (f", δ = {float(self.delta):.3g}" if self.delta else "")

    def as_json(self) -> dict[str, Any] | None:
        """The sum as records hold it, exactly; None for nothing."""
        if self.epsilon is None:
            return None
        return {**level_form(self.epsilon), "delta": str(self.delta)}


def remainder(level: Level, spent: Level | None) -> str:
    """The ε of a level without what was spent: exact where both are decimals, else about."""
    if spent is None:
        return level.text
    if not level.coefficient and not spent.coefficient:
        left = level.rational - spent.rational
        return Level.epsilon(left).text if left else "0"
    if level.compare_level(spent) == 0:
        return "0"
    return f"{max(float(level) - float(spent), 0.0):.6g} (about)"


def level_form(level: Level) -> dict[str, str]:
    """A level exactly, as records hold it."""
    form = {"rational": str(level.rational), "coefficient": str(level.coefficient),
            "base": str(level.base)}
    return {**form, "delta": str(level.delta)}


def level_from(form: object) -> Level:
    """The level that a record holds, written as `level_form` writes it."""
    try:
        parts = dict(form)  # type: ignore[call-overload]
        level = Level(*(_fraction(parts[name]) for name in ("rational", "coefficient", "base",
                                                            "delta")))
        if level_form(level) != parts:
            raise ValueError(parts)
        return Level.positive(level)
    except (BadInput, KeyError, TypeError, ValueError, ZeroDivisionError):
        raise BadDocument("an entry of a ledger holds a level that cannot be read.") from None


def _fraction(text: str) -> Fraction:
    """A fraction as records write it; a power of ten could be too long for any memory."""
    if not _FRACTION.fullmatch(text):
        raise ValueError(text)
    return Fraction(text)


def spent_from(form: object) -> Spent:
    """The sum that a record holds."""
    if form is None:
        return Spent()
    level = level_from(form)
    return Spent(level.pure, level.delta)
