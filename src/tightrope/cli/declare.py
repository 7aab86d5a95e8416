"""`tightrope declare`: a declaration drafted from the schema alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tightrope.cli.options import LINES, Force, Json, flag, value

TableArgument = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="A .csv, .csv.gz, .parquet, .arrow, .duckdb or .sqlite file, or the URL of a "
        f"database. {LINES}",
    ),
]
TableName = Annotated[
    str | None,
    value("--table", "NAME", "The table or view of a database."),
]


def declare(
    data: TableArgument,
    table: TableName = None,
    header: Annotated[
        bool,
        flag("--header", "The first line of a CSV file is names."),
    ] = False,
    output: Annotated[
        Path | None,
        value("--output", "FILE.toml", "The draft to write.", short="-o"),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draft a declaration of a table from its schema; no row is looked at.

    Bounds, categories and who is protected are asked for, since whatever is
    read from the rows would tell about them.

    Example: tightrope declare survey.parquet -o survey.toml
    """
    from tightrope.cli.report import tell
    from tightrope.cli.targets import Target
    from tightrope.tables import draft_declaration

    target = Target(output, force)
    draft = draft_declaration(data, table=table, header=header)
    target.write(lambda: draft.text.encode())

    advice = ("Fill in what is asked for, from the code book and never from the data.",)
    text = tuple(f" {line}" for line in draft.text.splitlines())
    tell(draft.facts().also(target.fact, sentences=advice if output else text), as_json=as_json)
