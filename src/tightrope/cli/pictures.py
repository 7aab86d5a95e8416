"""Answers as pictures, and a mechanism drawn with letters on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.mechanisms import FiniteMechanism, Mechanism
    from tightrope.utility import Estimate

SHADES = " ░▒▓█"
_WIDEST, _HIGHEST = 64, 24


def mechanism_picture(
    mechanism: Mechanism,
    title: str,
    path: Path,
    *,
    curve: Sequence[tuple[float, float]] | None = None,
) -> bytes:
    """The heat map of a mechanism, and its δ(ε) curve if given, in the format of the file."""
    from tightrope.cli.wording import finite
    from tightrope.plots import mechanism_figure

    return _picture(mechanism_figure(finite(mechanism), title, curve=curve), path)


def comparison_picture(rows: Sequence[dict[str, Any]], title: str, path: Path) -> bytes:
    """The bars of a comparison, in the format of the file."""
    from tightrope.plots import comparison_figure

    losses = [(row["construction"], row["value"]) for row in rows if row["value"] is not None]
    return _picture(comparison_figure(losses, title), path)


def estimate_picture(estimate: Estimate, column: str, path: Path) -> bytes:
    """Estimated proportions with their intervals, in the format of the file."""
    from tightrope.plots import estimate_figure

    return _picture(estimate_figure(estimate, column), path)


def _picture(figure: Figure, path: Path) -> bytes:
    from tightrope.plots import picture

    return picture(figure, path.suffix.lower().lstrip("."))


def shaded(mechanism: FiniteMechanism) -> list[str]:
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
