"""Writes docs/reference/papers.md anew from papers.toml: `make reference`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE / "papers.md"

HEAD = """\
# The source papers, line by line

This page is generated from `papers.toml` beside it: change that, then run `make reference`.

Each row says where something of a paper can be typed, on another instance than the paper's, and
what `tightrope reproduce` tries again of it (`tightrope reproduce wxh/theorem-1`, also "WXH
Theorem 1"; `--list` shows all items, `--set` changes their parameters). Where a paper is wrong
the library follows exact arithmetic, and the item says so.

Calls that are no commands are Python, after

```python
>>> import tightrope as tr
>>> from fractions import Fraction
>>> from tightrope import surveys

```

Some calls read small files; these are their contents. The documents among them are made by

```text
{before}
```

{files}
"""


def inventory() -> dict[str, Any]:
    """What the papers hold."""
    return tomllib.loads((HERE / "papers.toml").read_text(encoding="utf-8"))


def page() -> str:
    """The whole page."""
    held = inventory()
    files = "\n\n".join(
        f"`{name}`:\n\n```text\n{text.rstrip()}\n```" for name, text in held["files"].items()
    )
    parts = [HEAD.format(before="\n".join(held["before"]), files=files)]
    for paper, title in held["papers"].items():
        lines = [f"## {paper.upper()}", "", f"{title}.", ""]
        lines += ["| number | what it is | type | tried again as |", "|---|---|---|---|"]
        lines += [row(each) for each in held[paper]]
        parts.append("\n".join(lines) + "\n")
    bibliography = (HERE / "papers.bib").read_text(encoding="utf-8").rstrip()
    parts.append("## Bibliography\n\nThe keys in BibTeX, also in `papers.bib`:\n\n"
                 f"```text\n{bibliography}\n```\n")
    return "\n".join(parts)


def row(each: dict[str, Any]) -> str:
    """One line of a table."""
    number = f"{each['kind'].capitalize()} {each['number']}"
    call = f"`{each['call']}`".replace("|", "\\|")
    tried = ", ".join(f"`{item}`" for item in each.get("items", ())) or f"– ({each['why']})"
    return f"| {number} | {each['title']} | {call} | {tried} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
