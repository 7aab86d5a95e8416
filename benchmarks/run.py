"""Run the benchmarks: `python benchmarks/run.py [NAMES]`, all of them if none is named.

Each benchmark is a module of this folder with a function `measure(…) -> Report`, and its name
in NAMES. Results are printed, written to results/NAME.json, and RESULTS.md is made again
from everything in results/. `reach:TEXT` measures only the rows of `reach` whose name starts
with the text, such as `"reach:grid 16"`, and leaves the others as they were; so does `deltas`.

`--tiny` measures with the arguments TINY of each module, a second or two without the other
libraries, to see that everything runs. Such figures say nothing, and are written only where
`--into FOLDER` names another folder.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from dataclasses import replace
from pathlib import Path

from reports import Report, read_report, render_markdown, show, write_report
from rich.console import Console

HERE = Path(__file__).resolve().parent
NAMES = ("draws", "columns", "sanitize", "frequencies", "optimum", "exact_optima", "reach",
         "deltas", "grids", "errors", "curators", "releases", "year", "ratios", "clusters",
         "stragglers", "books", "positions", "places", "airports", "large_maps", "small_levels",
         "local_designs", "surveys")

PARTLY = ("reach", "deltas")
SMALL = "Sizes are tiny, positions are made up, other libraries are left out: figures say nothing."


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--tiny", action="store_true", help="a second or two for each")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="where results are written")
    asked = parser.parse_args(words)
    chosen = [name.partition(":") for name in asked.names or NAMES]
    unknown = [
        name for name, _, part in chosen if name not in NAMES or (part and name not in PARTLY)
    ]
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; "
                     f"there are: {', '.join(NAMES)}.")
    folder = asked.into or (None if asked.tiny else HERE)
    console = Console()
    console.width = max(console.width, 100)
    for name, _, part in chosen:
        report = tiny(name) if asked.tiny else measured(name, part)
        show(report, console)
        if folder:
            write_report(report, folder / "results" / f"{name}.json")
    if folder:
        (folder / "RESULTS.md").write_text(render_markdown(reports(folder)), encoding="utf-8")
    return 0


def measured(name: str, part: str) -> Report:
    """The benchmark at full size, or the rows of a part and the others as they were."""
    path, module = HERE / "results" / f"{name}.json", importlib.import_module(name)
    before = read_report(path) if path.exists() else None
    load = os.getloadavg()[0]
    report: Report = module.measure(part, before) if part else module.measure()
    return replace(report, machine={**report.machine, "load average before": f"{load:.1f}"})


def tiny(name: str) -> Report:
    """The benchmark at a size at which figures say nothing."""
    module = importlib.import_module(name)
    report: Report = module.measure(**module.TINY)
    return replace(report, remarks=[SMALL, *report.remarks])


def reports(folder: Path) -> list[Report]:
    """All results in a folder, in the order of NAMES."""
    paths = [folder / "results" / f"{name}.json" for name in NAMES]
    return [read_report(path) for path in paths if path.exists()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
