"""An improvement in lines and as a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.markup import card

if TYPE_CHECKING:
    from tightrope.constructions.improving import Improvement


def improvement_lines(improvement: Improvement) -> str:
    """What was done, the loss before, and the solution after."""
    return f"{_done(improvement)}\n{improvement.after!r}"


def improvement_card(improvement: Improvement) -> str:
    """What was done as HTML, and the solution after."""
    return card(_done(improvement), picture=improvement.after._repr_html_())


def _done(improvement: Improvement) -> str:
    before, after = improvement.before, improvement.after.value
    return f"Improvement: {improvement.change.value}, loss {before:.7g} before, {after:.7g} after"
