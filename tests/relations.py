"""What documents call the neighbors of a space: tests that change a space change the words, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope.privacy import relation
from tightrope.spaces import datasets_from, space_from

ANY = "one step apart"
"""Stands for the words that fit the space."""


def fitting(content: Mapping[str, Any], words: frozenset[object] = frozenset((ANY,))) -> Any:
    """The neighbors of a document: those of its space, if they are among these words now."""
    stated, space = content.get("neighbors"), content.get("space")
    if not isinstance(stated, str) or stated not in words:
        return stated
    try:
        return relation(datasets_from(space) or space_from(space))
    except Exception:  # no space, but for regions that only the checkers cannot tell
        within = space.get("within") if isinstance(space, dict) else None
        return stated if within is None else (
            f"any two positions on Earth at most {within} m apart along the ellipsoid WGS84")
