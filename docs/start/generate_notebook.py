"""Writes docs/start/readme.ipynb, the README as a notebook: `make reference`.

Blocks of Python become cells, everything else is text. The notebook is plain JSON and holds no
outputs; `tests/contribute` runs its cells in order, so that neither needs Jupyter.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
NOTEBOOK = Path(__file__).with_name("readme.ipynb")
BLOCK = re.compile(r"(?ms)^```python\n(.*?)^```\n")
LINK = re.compile(r"\]\((?!https?:)([^)]+)\)")


def notebook() -> str:
    """The README as a notebook of version 4.5."""
    text = README.read_text(encoding="utf-8")
    parts = BLOCK.split(LINK.sub(r"](../../\1)", text))
    cells = [cell(number, part) for number, part in enumerate(parts) if part.strip()]
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    content = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def cell(number: int, part: str) -> dict[str, Any]:
    """One cell: parts in odd places are code, the others text."""
    lines = part.strip().splitlines(keepends=True)
    shared = {"id": f"cell-{number}", "metadata": {}, "source": lines}
    if number % 2:
        return {"cell_type": "code", "execution_count": None, "outputs": [], **shared}
    return {"cell_type": "markdown", **shared}


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(), encoding="utf-8")
