"""A mechanism drawn with letters on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tightrope.mechanisms import FiniteMechanism

SHADES = " ░▒▓█"
_WIDEST, _HIGHEST = 64, 24
"""Most columns and lines of a picture: it fits a terminal."""


def picture_lines(mechanism: FiniteMechanism) -> list[str]:
    """A picture of a mechanism with a caption, line by line; nothing if it is too large."""
    from tightrope.exact import sizes

    if mechanism.space.size * len(mechanism.outputs) > sizes.LARGEST_MATRIX:
        return []
    return ["Log-probabilities: rows are inputs, columns are outputs, fuller is likelier.",
            *(f"  {line}" for line in shade(mechanism))]


def shade(mechanism: FiniteMechanism) -> list[str]:
    """The matrix as lines of shades: the darker the likelier, on a logarithmic scale.

    Large matrices are shown in blocks, each by its largest probability.
    """
    import numpy as np

    from tightrope.plots import log_probabilities

    logs = log_probabilities(mechanism)
    for axis, most in ((0, _HIGHEST), (1, _WIDEST)):
        step = -(-logs.shape[axis] // most)
        logs = np.maximum.reduceat(logs, np.arange(0, logs.shape[axis], step), axis=axis)
    known = logs[np.isfinite(logs)]
    low, high = float(known.min()), float(known.max())
    scale = (logs - low) / (high - low) if high > low else np.ones_like(logs)
    marks = np.where(np.isfinite(logs), np.clip(1 + scale * 3.999, 1, 4), 0).astype(int)
    wide = 2 if logs.shape[1] <= _WIDEST // 2 else 1
    return ["".join(SHADES[mark] * wide for mark in line) for line in marks]
