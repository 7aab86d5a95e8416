"""Sanitizing, from declared values and a level to a new table.

What each column may hold is declared, never read from the data. From that and the level alone
follow the level of each column, its mechanism and the proof; then rows are drawn, each on its
own. The mechanism of a column is written beside the new table, or kept with a table in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any

from tightrope.characters import counted
from tightrope.choices import Missing, Reporting, Split
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.files import StrPath, mechanism_path, refuse_existing, remove_files, stale_mechanisms
from tightrope.ledger import Account
from tightrope.privacy import level_of
from tightrope.spellings import DECLARED, LEVEL, TABLE, spelled
from tightrope.tables.clusters import sanitize_spark
from tightrope.tables.domains import Domain, Sets, set_text
from tightrope.tables.frames import FrameTable, frame_of, gathered, name_alone, permute, released
from tightrope.tables.keeping import Keeping, clear_of
from tightrope.tables.protected import ProtectedColumn, Sanitized, sanitize_booking
from tightrope.tables.protection import Declared, Each, protect_all
from tightrope.tables.sanitization import Progress, sanitize_table
from tightrope.tables.sources.spark import is_spark
from tightrope.tables.tables import BATCH_ROWS, STANDARD_INPUT, Table, open_table


@spelled(DECLARED, **LEVEL, **TABLE)
def sanitize(
    table: Any,
    columns: Mapping[str, Declared] | Declared | None = None,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    values: Declared | Sequence[Declared] | None = None,
    output: StrPath | None = None,
    documents: StrPath | None = None,
    keep: str | Sequence[str] | None = None,
    drop: str | Sequence[str] | None = None,
    protocol: Reporting | str | None = None,
    split: Split | str = Split.ERROR,
    weights: Mapping[str, Number] | Sequence[Number] | None = None,
    missing: Each = Missing.FIRST,
    aim: Each | None = None,
    shuffle: bool = False,
    force: bool = False,
    curator: bool = False,
    batch_rows: int | None = None,
    progress: Progress | None = None,
    account: Account | None = None,
) -> Sanitized:
    """Randomize columns of a table row by row, so that nobody can be sure of any row.

    Parameters
    ----------
    table
        A Parquet, CSV or TSV file by its path, or `-` for CSV from standard input; a frame of
        pandas, Polars, Arrow, DuckDB or another library; a mapping of names to lists or arrays;
        a list, an array or a Series; or a frame of Spark, which is drawn once into a folder of
        Parquet files.
    columns, values
        What each column to protect may hold; of a single column, what it may hold. Or the name
        of a column, or a list of names, with what each may hold in `values`.
    epsilon, ratio
        The level of a whole row, which several columns share: ε, or e^ε.
    output, documents
        The file to write, or `-` for CSV on standard output; a table in a file needs one.
        Without it, the new table is of the kind that was given. The mechanism of each column is
        written beside it, or beside `documents`.
    keep, drop
        The columns in clear that the new table has, or has not; all are kept without either.
    protocol
        How a cell is reported; `response` if not given, `best` for sets of at most so many items.
    split, weights
        How columns share the level: by a rule, or in proportion to weights.
    missing
        What cells count as that hold no declared value, or none at all: the `first` declared
        one, a `value` of its own, `(missing)`, or a declared value; for all columns, or by name.
        Numbers outside of cells count in the nearest.
    aim
        What is to be estimated: `shares`, `mean` or `cumulative` shares, for all columns or by
        name. The mechanism is then designed for that, up to 16 values.
    shuffle
        Whether the new rows are in a uniform order. Without it the order stays as it was, in
        clear: a table that is sorted by what is protected gives it away.
    curator
        Whether a table with such cells is refused, and how many and which they are is told.
    account
        The budget that is charged before the first row is drawn (`Ledger.account`).

    Returns
    -------
    Sanitized
        Its `table` is the new one, or its path; its `columns` hold the proved mechanisms.

    Raises
    ------
    BadInput
        If a level, column, domain or output cannot be used, or a file exists (see `force`).
    Refused
        If the budget has too little left, or is for another purpose.
    BadTable
        For a curator, if a cell holds no declared value. Nothing is drawn or written then.

    >>> people = {"answer": ["no", "yes", "no"], "age": [31, 40, 28]}
    >>> done = sanitize(people, {"answer": "no/yes"}, 60)
    >>> done.table["answer"], done.columns[0].level.text, done.clear  # at 60, as good as sure
    (['no', 'yes', 'no'], '60', ('age', '(order of rows)'))
    """
    total, spark = Level.positive(level_of(epsilon, ratio=ratio)), is_spark(table)
    asked, shares = protect_all(
        _declared_values(table, columns, values), total, ratio=None, protocol=protocol, split=split,
        weights=weights, missing=missing, aim=aim)
    names = [column.name for column in asked]
    keeping = Keeping.of(keep, drop, names)
    if spark and shuffle:
        raise BadInput("rows of a frame of Spark are not shuffled here: sort the new table by a "
                       "random number and write it again, without columns that tell the order.")
    if spark and documents is not None:
        raise BadInput("the mechanisms of a frame of Spark are written beside its folder; save "
                       "others from the columns of the result.")
    if spark:
        return replace(sanitize_spark(keeping.of_spark(table), total, asked, output, account,
                                      curator=curator, force=force), gap=shares.gap)
    beside = _beside(output, documents)
    given, known, source = _source(table, asked, output, curator, keeping)
    booking = sanitize_booking(account, total, asked)
    written: dict[Path, Callable[[int], bytes]] = {}
    stale: list[Path] = []
    if beside is not None:
        asked = tuple(replace(c, document=mechanism_path(beside, c.name)) for c in asked)
        written = {c.document: partial(c.document_bytes, path=c.document)
                   for c in asked if c.document is not None}
        if booking is None or booking.again(output) is None:
            _check_places(output, written, len(asked), force)
        stale = stale_mechanisms(known, beside, names, force=force)
    with _target(output) as target:
        done = sanitize_table(
            source,
            target,
            [(column.name, column.response) for column in asked],
            domains={column.name: column.domain for column in asked},
            beside=written,
            force=force,
            curator=curator,
            batch_rows=batch_rows or BATCH_ROWS,
            shuffle=shuffle,
            progress=progress,
            booking=booking,
        )
    remove_files(stale)
    made = given(done.table) if output is None else Path(output)
    return Sanitized(
        released(made if done.order is None else permute(made, done.order)),
        done.rows,
        total,
        tuple(replace(column, rows=done.rows) for column in asked),
        clear_of(known, names, shuffle=shuffle,
                 index=output is None and isinstance(source, FrameTable) and source.index),
        tuple(stale),
        done.seconds,
        done.seconds_drawing,
        done.booked,
        shares.gap,
    )


def _declared_values(
    table: Any, columns: Mapping[str, Declared] | Declared | None,
    values: Declared | Sequence[Declared] | None,
) -> Mapping[str, Declared]:
    """The declared values of each column to randomize, by its name."""
    if columns is None:  # a single column has no name that needs to be stated
        return _alone(table, values)
    if isinstance(columns, Mapping):
        if values is not None:
            raise BadInput("what each column may hold is stated twice: by name, and as values.")
        return columns
    if values is not None and isinstance(columns, str):
        return {columns: values}
    if values is not None:
        if isinstance(columns, Domain) or isinstance(values, str | Domain) or not all(
                isinstance(name, str) for name in columns):
            raise BadInput("expected the names of columns, and a list with what each may hold.")
        if len(values) != len(columns) or len(set(columns)) != len(columns):
            raise BadInput(f"expected what each of {counted(len(columns), 'column')} may hold, "
                           f"found {len(values)}; a column is named once.")
        return dict(zip(columns, values, strict=True))
    return _alone(table, columns)


def _alone(table: Any, values: Any) -> Mapping[str, Declared]:
    """The declared values of the one column that a list, an array or a Series is."""
    alone = (None if is_spark(table) or isinstance(table, str | PathLike)
             else name_alone(gathered(table)))
    if alone is None or values is None:
        raise BadInput('expected what each column may hold, by its name: {"answer": "no/yes"}, or '
                       '"answer" with values="no/yes".')
    return {alone: values}


def _beside(output: StrPath | None, documents: StrPath | None) -> StrPath | None:
    """The name of the table beside which mechanisms are written, None for none."""
    if str(output) == STANDARD_INPUT and documents is None:
        raise BadInput("rows on standard output have no file for mechanisms to lie beside; name "
                       "the table that they are for (documents).")
    return output if documents is None else documents


def _source(
    table: Any, asked: Sequence[ProtectedColumn], output: StrPath | None, curator: bool,
    keeping: Keeping,
) -> tuple[Callable[[Any], Any], Sequence[str], Table]:
    """How drawn columns become a table of this kind, the names of its columns, and the rows."""
    names = [column.name for column in asked]
    if isinstance(table, str | PathLike):
        if output is None:
            raise BadInput(f"name the file for the new table: {table} stays as it is.")
        opened = keeping.of_file(open_table(table, curator=curator))
        return Path, opened.schema.names, opened
    texts = {column.name: set_text for column in asked if isinstance(column.domain, Sets)}
    frame = frame_of(keeping.of_frame(table), names if output is None else None, read=names,
                     texts=texts)
    return frame.rebuild, frame.names, frame


@contextmanager
def _target(output: StrPath | None) -> Iterator[StrPath | None]:
    """The file to write; for standard output, one of ours whose whole content is passed on."""
    if str(output) != STANDARD_INPUT:
        yield output
        return
    with TemporaryDirectory() as folder:  # for its owner alone
        place = Path(folder) / "rows.csv"
        yield place
        with place.open("rb") as rows:
            copyfileobj(rows, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _check_places(
    output: StrPath | None, documents: Mapping[Path, object], count: int, force: bool
) -> None:
    """Refuse files that would be overwritten, or be one, before any row is read."""
    places = set() if output is None or str(output) == STANDARD_INPUT else {Path(output)}
    if len({*documents, *places}) != count + len(places):
        raise BadInput("two columns have names that are the same in a file name; rename one.")
    for path in (*places, *documents):
        refuse_existing(path, force=force)
