"""`tightrope sanitize`: columns of a table, randomized row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tightrope.choices import Missing, Reporting, Split
from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import LINES, Epsilon, Force, Json, Ratio, choice, flag, value
from tightrope.errors import BadInput

MOST_ROWS = 2**31 - 1


def sanitize(
    table: Annotated[
        Path, typer.Argument(metavar="TABLE", help=f"A .parquet, .csv or .tsv file. {LINES}")
    ],
    columns: Annotated[list[str], value(
        "--column", "NAME", "A column to randomize; may be repeated.")],
    values: Annotated[list[str], value(
        "--values", "A/B/C", "All its column may hold: a/b/c, bins:0,10,20 or sets:a/b/c; one for "
        "each.")],
    output: Annotated[Path, value(
        "--output", "FILE", "The new table (.parquet, .csv or .tsv).", short="-o")],
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    split: Annotated[Split, choice(
        "--split", "How several columns share the level.", default=True)] = Split.ERROR,
    protocol: Annotated[Reporting, value(
        "--protocol", "NAME", "response (one value), subset or unary (a set of values), or best.",
        default=True)] = Reporting.RESPONSE,
    missing: Annotated[Missing, choice(
        "--missing", "Cells that hold no declared value, or none: count them as the first declared "
        "one, or make them a value of their own.", default=True)] = Missing.FIRST,
    curator: Annotated[bool, flag(
        "--curator", "Refuse a table that holds other values than the declared ones, and tell how "
        "many and which; name the columns that there are (not private).")] = False,
    shuffle: Annotated[bool, flag(
        "--shuffle",
        "Put the new rows in a uniform order; without it their order stays in clear.")] = False,
    batch: Annotated[
        int | None,
        typer.Option("--batch", metavar="ROWS", min=1, max=MOST_ROWS,
                     help="Rows held in memory at a time."),
    ] = None,
    *,
    books: AskedBooking,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Randomize columns of a table, so that nobody can be sure of any row.

    Each row is drawn on its own. The level is for a whole row; several
    columns share it so that the estimated proportions err least. Values are
    declared, never read from the data: a list, cells of numbers, or sets of
    items; other cells count as --missing says, and whether there are any is not
    told. The mechanism of each column is written beside the new table. For
    many values, a report of a set errs less than one value: --protocol best
    takes what errs least for their number and the level, never for the data.

    Example: tightrope sanitize survey.csv --column answer --values no/yes --epsilon 1 -o out.csv
    """
    from shlex import quote

    from tightrope.cli.output import tell
    from tightrope.cli.progress import counting
    from tightrope.tables import sanitize

    level = AskedLevel(epsilon, ratio).level()
    if len(columns) != len(values):
        raise BadInput(
            f"expected one --values for each --column, found {len(columns)} columns and "
            f"{len(values)} lists of values."
        )
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"the column {twice!r} is given twice; give each --column once.")
    with books.account() as account, counting("rows written") as progress:
        done = sanitize(
            table, dict(zip(columns, values, strict=True)), level, output=output,
            protocol=protocol, split=split, missing=missing, shuffle=shuffle, force=force,
            curator=curator, batch_rows=batch, progress=progress, account=account,
        )
    first = done.columns[0]
    tell(done.facts().also(sentences=(
        "Next:", f"  tightrope estimate {quote(str(done.file))} --column {quote(first.name)} "
        f"--mechanism {quote(str(first.document))}")), as_json=as_json)
