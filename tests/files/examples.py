"""Certified mechanisms and small files that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import Certified, certified
from tightrope.spaces import Space, categories


def response(values: int | Sequence[str], ratio: int = 3) -> Certified:
    """k-ary randomized response on declared values, proved at its level."""
    return response_on(categories(values), ratio)


def response_on(space: Space, ratio: int = 3) -> Certified:
    """Randomized response on a space whose points are all at distance 1."""
    weights = (Fraction(1),) * space.size
    mechanism = KernelMechanism(space, Fraction(ratio), Fraction(1), weights)
    return certified(mechanism, Level.ratio(ratio))


def written(folder: Path, name: str, text: str) -> Path:
    """A file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def names_in(folder: Path) -> set[str]:
    """All files of a folder, hidden ones too."""
    return {path.name for path in folder.iterdir()}
