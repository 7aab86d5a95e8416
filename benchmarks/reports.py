"""The result of a benchmark: a table, the machine it ran on, and remarks."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

CAUTION = (
    "Numbers are from one run on one machine, and say how the libraries compare there; "
    "`make bench` measures anew."
)


def machine() -> dict[str, str]:
    """The facts that the speed depends on, and nothing that names the machine."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "Python": platform.python_version(),
    }


def processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


@dataclass(frozen=True)
class Report:
    """A benchmark's table; every row has one text for each column."""

    title: str
    question: str
    columns: list[str]
    rows: list[list[str]]
    remarks: list[str] = field(default_factory=list)
    numbers: dict[str, float] = field(default_factory=dict)
    machine: dict[str, str] = field(default_factory=machine)


def write_report(report: Report, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(report), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def read_report(path: Path) -> Report:
    return Report(**json.loads(path.read_text(encoding="utf-8")))


def numeric(report: Report) -> list[bool]:
    """Which columns hold numbers, and are set flush right."""
    return [
        all(cell[:1].isdigit() for cell in column if cell)
        for column in zip(*report.rows, strict=True)
    ]


def show(report: Report, console: Console) -> None:
    table = Table(title=report.title, caption=report.question)
    for column, right in zip(report.columns, numeric(report), strict=True):
        table.add_column(column, justify="right" if right else "left")
    for row in report.rows:
        table.add_row(*row)
    console.print(table)
    for remark in report.remarks:
        console.print(f"  {remark}", highlight=False)


def render_markdown(reports: list[Report]) -> str:
    lines = ["# Benchmarks", "", CAUTION]
    for report in reports:
        facts = ", ".join(f"{name} {value}" for name, value in report.machine.items())
        lines += ["", f"## {report.title}", "", report.question, ""]
        lines.append("| " + " | ".join(report.columns) + " |")
        lines.append("|" + "|".join("---:" if right else "---" for right in numeric(report)) + "|")
        lines += ["| " + " | ".join(row) + " |" for row in report.rows]
        lines += ["", *(f"- {remark}" for remark in report.remarks), f"- Machine: {facts}."]
    return "\n".join(lines) + "\n"
