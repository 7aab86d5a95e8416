"""`tightrope declare`: a declaration drafted from the schema alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tightrope.characters import few
from tightrope.cli.options import LINES, Force, Json, flag, value
from tightrope.errors import BadInput

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


def declare_command(data: str, table: str | None) -> str:
    """The command that drafts a declaration of a table; an address may hold a password."""
    from shlex import quote

    from tightrope.tables import is_text_table

    local = "://" not in data
    words = ["tightrope", "declare", quote(data) if local else "URL"]
    words += ["--table", quote(table)] if table else []
    words += ["--header"] if local and is_text_table(data) else []
    name = Path(data).name.partition(".")[0] if local else ""
    return " ".join([*words, "-o", quote(f"{name.strip('-') or 'declaration'}.toml")])


def declare(
    data: TableArgument,
    table: TableName = None,
    header: Annotated[bool, flag("--header", "The first line of a CSV file is names.")] = False,
    codebook: Annotated[Path | None, value(
        "--from-codebook", "FILE", "A CSV list of variables with their types, ranges, codes and "
        "labels.")] = None,
    interview: Annotated[bool | None, flag(
        "--ask/--no-ask", "Whether to ask for what is missing; at a terminal it is asked.")] = None,
    output: Annotated[Path | None, value(
        "--output", "FILE.toml", "The draft to write.", short="-o")] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draft a declaration of a table from its schema; no row is looked at.

    Bounds, categories and who is protected are asked for, since whatever is
    read from the rows would tell about them.

    Example: tightrope declare survey.parquet -o survey.toml
    """
    from tightrope.cli.output import tell
    from tightrope.cli.targets import Target
    from tightrope.tables import draft_schema, named_schema, read_codebook

    asked = _at_terminal(data) and not as_json if interview is None else interview
    if asked and data == "-":
        raise BadInput("standard input holds the table, so nobody can answer there: leave out "
                       "--ask.")
    target = Target(output, force)
    schema = named_schema(data, table=table, header=header)
    known = {} if codebook is None else read_codebook(codebook)
    if known and not known.keys() & schema.keys():
        raise BadInput(f"{codebook} names no column of the table; it has {few(tuple(known))}.")
    if asked:
        from tightrope.cli.asking import declare_by_answers

        declare_by_answers(data, table, schema, known, target, as_json=as_json)
        return
    draft = draft_schema(schema, known)
    target.write(lambda: draft.text.encode())

    advice = ("Fill in what is asked for, from the code book and never from the data.",)
    text = tuple(f" {line}" for line in draft.text.splitlines())
    tell(draft.facts().also(target.fact, sentences=advice if output else text), as_json=as_json)


def _at_terminal(data: str) -> bool:
    """Whether somebody is there to answer: a table on standard input leaves no room for that."""
    return data != "-" and all(stream is not None and stream.isatty()
                               for stream in (sys.stdin, sys.stderr))
