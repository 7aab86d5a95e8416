"""Run the benchmarks: `python benchmarks/run.py [NAMES]`, all of them if none is named.

Each benchmark is a module of this folder with a function `measure() -> Report`, and its name
in NAMES. Results are printed, written to results/NAME.json, and RESULTS.md is made again
from everything in results/.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from reports import Report, read_report, render_markdown, show, write_report
from rich.console import Console

HERE = Path(__file__).resolve().parent
NAMES = ("draws", "columns", "sanitize", "frequencies", "optimum", "reach", "grids")


def main(chosen: list[str]) -> int:
    unknown = [name for name in chosen if name not in NAMES]
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}; there are: {', '.join(NAMES)}.",
              file=sys.stderr)
        return 2
    console = Console()
    console.width = max(console.width, 100)
    for name in chosen or NAMES:
        report: Report = importlib.import_module(name).measure()
        show(report, console)
        write_report(report, HERE / "results" / f"{name}.json")
    found = [HERE / "results" / f"{name}.json" for name in NAMES]
    pages = [read_report(path) for path in found if path.exists()]
    (HERE / "RESULTS.md").write_text(render_markdown(pages), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
