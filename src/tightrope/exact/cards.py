"""Levels as they are shown: one line in a terminal, a card that says what it asks in a notebook."""

from __future__ import annotations

from math import nextafter
from typing import TYPE_CHECKING

from tightrope.exact.balls import short_text
from tightrope.exact.surds import Surd
from tightrope.markup import card

if TYPE_CHECKING:
    from tightrope.exact.levels import Level

_LONGEST = 60
"""Characters of an exact level that are shown."""


def level_text(level: Level) -> str:
    """A level for people.

    >>> from tightrope.exact import Level
    >>> level_text(Level.ratio(2, "1e-6"))
    'ε = ln(2) = 0.6931472, δ = 1e-06'
    >>> level_text(Level.parse("ln(3/2)*90"))
    'ε = ln(3/2)*90 = 36.49186'
    >>> level_text(Level.epsilon(0, "0.1"))
    'ε = 0, δ = 0.1'
    """
    near = "0" if level.is_zero else f"{float(level) or nextafter(0.0, 1.0):.7g}"
    shown = near if level.text == near else f"{level.text} = {near}"
    if len(level.text) > _LONGEST:  # cut in the middle, a fraction would lose its bar
        shown = f"{near} (exact in {len(level.text):,} characters)"
    if not level.delta:
        return f"ε = {shown}"
    return f"ε = {shown}, δ = {float(level.delta) or nextafter(0.0, 1.0):.7g}"


def level_card(level: Level) -> str:
    """A level as HTML: what it asks for. A level alone proves nothing."""
    exact = level.power(Surd.of(1))
    near = level.power_ball(Surd.of(1), 80).str(7, radius=False) if exact is None else exact
    rest = ", but for a probability of δ" if level.delta else ""
    return card(
        f"Level {level}",
        [("e^ε", near if isinstance(near, str) else short_text(near))],
        sentences=(
            "It asks of a mechanism that no answer is more than e^(ε d) times as likely for one "
            f"input as for another at distance d from it{rest}.",
        ),
    )
