"""Draws the pictures of the page on the research bench, by running the lines on that page."""

from __future__ import annotations

import doctest
from contextlib import chdir
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "guides" / "research-bench.md"


def draw(folder: Path) -> int:
    """Run the page in a folder, which then has its pictures.

    Returns: how many lines of the page give another answer than the page says.
    """
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    with chdir(folder):
        return doctest.testfile(str(PAGE), module_relative=False, optionflags=flags).failed


if __name__ == "__main__":
    raise SystemExit(draw(HERE))
