"""`tightrope declare`: a declaration drafted from the schema alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import LINES, Force, Json

if TYPE_CHECKING:
    from rich.console import Console

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
    typer.Option("--table", metavar="NAME", help="The table or view of a database.",
                 show_default=False),
]


def declare(
    data: TableArgument,
    table: TableName = None,
    header: Annotated[
        bool, typer.Option("--header", metavar="", help="The first line of a CSV file is names.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.toml", help="The draft to write.",
                     show_default=False),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draft a declaration of a table from its schema; no row is looked at.

    Bounds, categories and who is protected are asked for, since whatever is
    read from the rows would tell about them.

    Example: tightrope declare survey.parquet -o survey.toml
    """
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import Target
    from tightrope.tables import draft_declaration

    target = Target(output, force)
    draft = draft_declaration(data, table=table, header=header)
    target.write(lambda: draft.text.encode())

    def show(screen: Console) -> None:
        from tightrope.characters import counted

        if output is None:
            for line in draft.text.splitlines():
                screen.print(line, soft_wrap=True)
        else:
            screen.print(f"{counted(len(draft.columns), 'column')} drafted in {output}; fill in "
                         "what is asked for, from the code book and never from the data.")

    deliver({**draft.as_json(), "file": target.name}, show, as_json=as_json)
