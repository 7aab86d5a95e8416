"""Run the benchmarks: `python benchmarks/run.py [NAMES]`, all of them if none is named.

Each benchmark is a module of this folder with a function `measure() -> Report`, and its name
in NAMES. Results are printed, written to results/NAME.json, and RESULTS.md is made again
from everything in results/. `reach:TEXT` measures only the rows of `reach` whose name starts
with the text, such as `"reach:grid 16"`, and leaves the others as they were; so does `deltas`.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from reports import Report, read_report, render_markdown, show, write_report
from rich.console import Console

HERE = Path(__file__).resolve().parent
NAMES = ("draws", "columns", "sanitize", "frequencies", "optimum", "reach", "deltas", "grids",
         "errors", "releases", "clusters", "books", "positions", "places", "airports",
         "large_maps", "small_levels")

PARTLY = ("reach", "deltas")


def main(chosen: list[str]) -> int:
    asked = [name.partition(":") for name in chosen or NAMES]
    unknown = [
        name for name, _, part in asked if name not in NAMES or (part and name not in PARTLY)
    ]
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}; there are: {', '.join(NAMES)}.",
              file=sys.stderr)
        return 2
    console = Console()
    console.width = max(console.width, 100)
    for name, _, part in asked:
        path, module = HERE / "results" / f"{name}.json", importlib.import_module(name)
        before = read_report(path) if path.exists() else None
        report: Report = module.measure(part, before) if part else module.measure()
        show(report, console)
        write_report(report, path)
    found = [HERE / "results" / f"{name}.json" for name in NAMES]
    pages = [read_report(path) for path in found if path.exists()]
    (HERE / "RESULTS.md").write_text(render_markdown(pages), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
