"""`tightrope report`: one page for a board, from released documents."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

from tightrope.cli.options import Json, argument, value


def report(
    files: Annotated[list[Path], argument(
        "FILES", "Documents that `release -o` wrote; two that ask the same are held against each "
        "other.")],
    output: Annotated[Path, value(
        "--output", "FOLDER", "Write the report into this new folder.", short="-o")],
    as_json: Json = False,
) -> None:
    """Write a report of released documents: a page, its tables, and the documents.

    Each document is proved again first; one that does not hold is refused.
    The page is one file without scripts that needs no network. The same in
    Markdown, tables as CSV and a workbook, and copies of the documents lie
    beside it.

    Example: tightrope report visits.json health.json -o report-2026
    """
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.reports import report as write_report

    with working("writing the report"):
        made = write_report(files, output)
    tell(made.facts().also(sentences=["Next:", f"  tightrope verify {quote(str(output))}"]),
         as_json=as_json)
