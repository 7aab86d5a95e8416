"""Draws the figures of the papers anew, each from a run of its item, into `papers` beside it."""

from __future__ import annotations

from pathlib import Path

from tightrope.papers import items, reproduce
from tightrope.plots import picture

FOLDER = Path(__file__).parent / "papers"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for item in items():
        if item.pictured:
            drawn = picture(reproduce(item.key).figure(), "png")
            (FOLDER / f"{item.key.replace('/', '-')}.png").write_bytes(drawn)
