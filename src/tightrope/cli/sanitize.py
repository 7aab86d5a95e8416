"""`tightrope sanitize`: columns of a table, randomized row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tightrope.characters import counted
from tightrope.choices import Estimand, Reporting, Split
from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import LINES, Epsilon, Force, Json, Ratio, choice, flag, value
from tightrope.errors import BadInput

MOST_ROWS = 2**31 - 1


def sanitize(
    table: Annotated[
        Path, typer.Argument(metavar="TABLE", help="A .parquet, .csv or .tsv file, or - for CSV "
                             f"from standard input. {LINES}")
    ],
    columns: Annotated[list[str], value(
        "--column", "NAME", "A column to randomize; may be repeated.")],
    values: Annotated[list[str], value(
        "--values", "A/B/C", "All its column may hold: a/b/c, bins:0,10,20, sets:a/b/c, or "
        "sets3:a/b/c for at most three items of any number; one for each.")],
    output: Annotated[Path | None, value(
        "--output", "FILE", "The new table (.parquet, .csv or .tsv), or - for CSV on standard "
        "output.", short="-o")] = None,
    documents: Annotated[Path | None, value(
        "--documents", "FILE", "Write mechanisms beside this name, not beside the new table.",
    )] = None,
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    split: Annotated[Split, choice(
        "--split", "How several columns share the level: least squared errors in sum, least "
        "largest margin, or evenly.", default=True)] = Split.ERROR,
    weights: Annotated[list[str] | None, value(
        "--weight", "NUMBER", "Share the level in proportion to weights; one for each column.",
    )] = None,
    protocol: Annotated[Reporting | None, choice(
        "--protocol", "How a cell is reported: response (one value; the default), subset or unary "
        "(a set of values), or best (the default for sets3:a/b/c).")] = None,
    aim: Annotated[list[Estimand] | None, choice(
        "--aim", "Design the mechanism for what is to be estimated; once, or one for each column.",
    )] = None,
    missing: Annotated[list[str] | None, value(
        "--missing", "first|value|VALUE", "Cells that hold no declared value, or none: count them "
        "as the first declared one (the default), make them a value of their own, or count them "
        "as this declared value; once, or one for each column.")] = None,
    keep: Annotated[list[str] | None, value(
        "--keep", "NAME,NAME", "Columns in clear that the new table has; all, if none is named. "
        "Names with commas stand in double quotes.")] = None,
    drop: Annotated[list[str] | None, value(
        "--drop", "NAME,NAME", "Columns in clear that the new table has not.",
    )] = None,
    dry_run: Annotated[bool, flag(
        "--dry-run", "Show levels, protocols and margins; read no row and write nothing.")] = False,
    assume_rows: Annotated[int | None, value(
        "--assume-rows", "NUMBER", "Rows for the margins of --dry-run: stated, never counted.",
    )] = None,
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
    told. The mechanism of each column is written beside the new table. Other
    columns stay in clear, unless --keep or --drop leaves them out.

    Example: tightrope sanitize survey.csv --column answer --values no/yes --epsilon 1 -o out.csv
    """
    from shlex import quote

    from tightrope.cli.output import tell
    from tightrope.cli.progress import counting
    from tightrope.tables import plan_sanitizing, sanitize

    level = AskedLevel(epsilon, ratio).level()
    for name, given in (("--values", values), ("--weight", weights)):
        _check_count(name, given, columns)
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"the column {twice!r} is given twice; give each --column once.")
    if assume_rows is not None and not dry_run:
        raise BadInput("--assume-rows is for --dry-run: the rows of a table are counted.")
    asked = dict(zip(columns, values, strict=True))
    aims = _of_each("--aim", aim, columns)
    rules = _of_each("--missing", missing, columns) or "first"
    if dry_run:
        plan = plan_sanitizing(
            table, asked, level, rows=assume_rows, protocol=protocol, split=split,
            weights=weights, keep=_names(keep), drop=_names(drop), shuffle=shuffle, curator=curator,
            missing=rules, aim=aims)
        tell(plan.facts(), as_json=as_json)
        return
    if output is None:
        raise BadInput("name the new table: -o FILE; --dry-run shows what would be done.")
    with books.account() as account, counting("rows written") as progress:
        done = sanitize(
            table, asked, level, output=output, documents=documents, protocol=protocol,
            split=split, weights=weights, keep=_names(keep), drop=_names(drop),
            shuffle=shuffle, force=force,
            curator=curator, batch_rows=batch, progress=progress, account=account,
            missing=rules, aim=aims,
        )
    if str(output) == "-":
        return
    first = done.columns[0]
    tell(done.facts().also(sentences=(
        "Next:", f"  tightrope estimate {quote(str(done.file))} --column {quote(first.name)} "
        f"--mechanism {quote(str(first.document))}")), as_json=as_json)


def _names(given: list[str] | None) -> list[str] | None:
    """The names in comma-separated lists of names."""
    from tightrope.files import line_cells

    if given is None:
        return None
    return [name.decode() for text in given if text
            for name in line_cells(text.encode("utf-8", "replace"), b",")]


def _check_count(name: str, given: list[str] | None, columns: list[str]) -> None:
    """Refuse another number of values of an option than there are columns."""
    if given is not None and len(given) != len(columns):
        raise BadInput(f"expected one {name} for each --column, found "
                       f"{counted(len(columns), 'column')} and {len(given)} of {name}.")


def _of_each(
    name: str, given: list[Estimand] | list[str] | None, columns: list[str]
) -> str | dict[str, str] | None:
    """The value of an option for all columns, or for each."""
    if not given or len(given) == 1:
        return str(given[0]) if given else None
    _check_count(name, list(map(str, given)), columns)
    return dict(zip(columns, map(str, given), strict=True))
