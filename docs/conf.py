"""Settings of Sphinx for `make docs`: the pages of the whole repository as one site.

Pages are plain Markdown that also reads well without Sphinx, so they hold no directives. The table
of contents comes from their own links: an index page lists the pages that it links to. The site
loads nothing from elsewhere, so that it can be read without a network.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)#\s:]+)\.md\)")

project = "Tightrope"
copyright = "the authors of Tightrope, Apache-2.0"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/*.md",
    "docs/**/*.md",
    "benchmarks/RESULTS.md",
    "benchmarks/notes/*.md",
    "tests/mutation/README.md",
]
exclude_patterns = [".*", "build", "dist", "src"]

myst_heading_anchors = 3
nitpicky = True
smartquotes = False  # "--option" keeps its hyphens

html_theme = "furo"
html_title = "Tightrope"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_additional_pages = {"index": "first.html"}
templates_path = ["_templates"]
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None


def contents(docname: str, text: str) -> list[str]:
    """The pages that an index page lists: its links to pages below it, or outside of docs."""
    here = PurePosixPath(docname).parent
    targets = [_normal(here / link) for link in LINK.findall(text)]
    below = [t for t in targets if t.startswith(f"{here}/") or not t.startswith("docs/")]
    return [t for t in dict.fromkeys(below) if t != docname]


def _normal(path: PurePosixPath) -> str:
    """A path from the root without `..`."""
    return str((ROOT / path).resolve().relative_to(ROOT))


def add_contents(app: Any, docname: str, source: list[str]) -> None:
    """Append to an index page the table of contents that the sidebar shows."""
    if docname == root_doc or docname.endswith(("/index", "decisions/README")):
        pages = "\n".join(f"/{page}" for page in contents(docname, source[0]))
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def setup(app: Any) -> dict[str, bool]:
    """Connect the events of Sphinx."""
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
