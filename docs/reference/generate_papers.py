"""Writes docs/reference/papers.md anew from papers.toml: `make reference`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tightrope.papers import items

HERE = Path(__file__).parent
PAGE = HERE / "papers.md"

HEAD = """\
# The source papers, line by line

This page is generated from `papers.toml` beside it: change that, then run `make reference`.

Each row says where something of a paper can be typed, on another instance than the paper's, and
what `tightrope reproduce` tries again of it (`tightrope reproduce wxh/theorem-1`, also "WXH
Theorem 1"; `--list` shows all items, `--set` changes their parameters). Where a paper is wrong
the library follows exact arithmetic, and the item says so.

Figures that show computed values are drawn from the run that decides about them, as in the paper:
`tightrope reproduce wxh/figure-7 --plot FILE` (SVG, PNG or PDF); what is wrong in print is red and
dashed. `tightrope reproduce --report FOLDER` writes all items, verdicts and pictures as one page
that needs no network. In Python `report` takes the result of `papers.reproduce()`:

```python
>>> from tightrope import papers
>>> regions = papers.reproduce("ecp/figure-2")
>>> regions.figure().get_suptitle()
'ecp/figure-2: The regions on three points'

```

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
        lines += pictures(paper)
        parts.append("\n".join(lines) + "\n")
    bibliography = (HERE / "papers.bib").read_text(encoding="utf-8").rstrip()
    parts.append("## Bibliography\n\nThe keys in BibTeX, also in `papers.bib`:\n\n"
                 f"```text\n{bibliography}\n```\n")
    return "\n".join(parts)


def pictures(paper: str) -> Iterator[str]:
    """The pictures of a paper, as docs/gallery/draw_papers.py draws them."""
    for item in (item for item in items() if item.paper == paper and item.pictured):
        name = item.key.replace("/", "-")
        yield f"\n`{item.key}`, {item.recorded}: {item.title}.\n"
        yield f"![{item.title}](../gallery/papers/{name}.png)"


def row(each: dict[str, Any]) -> str:
    """One line of a table."""
    number = f"{each['kind'].capitalize()} {each['number']}"
    call = f"`{each['call']}`".replace("|", "\\|")
    tried = ", ".join(f"`{item}`" for item in each.get("items", ())) or f"– ({each['why']})"
    return f"| {number} | {each['title']} | {call} | {tried} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
