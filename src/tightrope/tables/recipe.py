"""Sanitizing, from declared values and a level to a new table.

What each column may hold is declared, never read from the data. From that and the level alone
follow the level of each column, its mechanism and the proof; then rows are drawn, each on its
own. The mechanism of a column is written beside the new table, or kept with a table in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope.choices import Missing, Reporting, Split, member_of
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number
from tightrope.files import StrPath, mechanism_path, refuse_existing, remove_files, stale_mechanisms
from tightrope.ledger import Account
from tightrope.privacy import Certified, level_of
from tightrope.spaces import categories
from tightrope.tables.clear import clear_of
from tightrope.tables.clusters import sanitize_spark
from tightrope.tables.columns import MISSING
from tightrope.tables.domains import Bins, Domain, Sets, Values, read_domain
from tightrope.tables.frames import FrameTable, frame_of, name_alone, permute
from tightrope.tables.protected import ProtectedColumn, Sanitized, sanitize_booking
from tightrope.tables.sanitization import Progress, sanitize_table
from tightrope.tables.sources.spark import is_spark
from tightrope.tables.tables import BATCH_ROWS, Table, open_table

if TYPE_CHECKING:  # constructions are slow to load, and not for reading a document
    from tightrope.constructions import FrequencyProtocol

Declared = str | Sequence[Any] | Domain
"""The domain of a column: a text as `read_domain` takes it, the values themselves, a domain."""


def sanitize(
    table: Any,
    columns: Mapping[str, Declared] | Declared,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    output: StrPath | None = None,
    protocol: Reporting | str = Reporting.RESPONSE,
    split: Split | str = Split.ERROR,
    missing: Missing | str = Missing.FIRST,
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
        A Parquet, CSV or TSV file by its path; a frame of pandas, Polars, Arrow or another
        library; a mapping of names to lists or arrays; a list, an array or a Series; or a
        frame of Spark, which is drawn once into a folder of Parquet files.
    columns
        What each column to protect may hold; of a single column, what it may hold.
    epsilon, ratio
        The level of a whole row, which several columns share: ε, or e^ε.
    output
        The file to write, with the mechanism of each column beside it; a table in a file needs
        one. Without it, the new table is of the kind that was given.
    missing
        What cells count as that hold no declared value, or none at all: the `first` declared
        one, or a `value` of its own, `(missing)`. Numbers outside of cells count in the nearest.
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
    alone = None if spark or isinstance(table, str | PathLike) else name_alone(table)
    if isinstance(columns, Mapping):
        declared = columns
    elif alone is None:
        raise BadInput("expected what each column may hold, by its name.")
    else:
        declared = {alone: columns}
    asked = protect(declared, total, protocol=protocol, split=split, missing=missing)
    names = [column.name for column in asked]
    if spark and shuffle:
        raise BadInput("rows of a frame of Spark are not shuffled here: sort the new table by a "
                       "random number and write it again, without columns that tell the order.")
    if spark:
        return sanitize_spark(table, total, asked, output, account, curator=curator, force=force)
    given, known, source = _source(table, names, output, curator)
    booking = sanitize_booking(account, total, asked)
    documents: dict[Path, Callable[[int], bytes]] = {}
    stale: list[Path] = []
    if output is not None:
        asked = tuple(replace(c, document=mechanism_path(output, c.name)) for c in asked)
        documents = {c.document: partial(c.document_bytes, path=c.document)
                     for c in asked if c.document is not None}
        if booking is None or booking.again(output) is None:
            _check_places(Path(output), documents, len(asked), force)
        stale = stale_mechanisms(known, output, names, force=force)
    done = sanitize_table(
        source,
        output,
        [(column.name, column.response) for column in asked],
        domains={column.name: column.domain for column in asked},
        beside=documents,
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
        made if done.order is None else permute(made, done.order),
        done.rows,
        total,
        tuple(replace(column, rows=done.rows) for column in asked),
        clear_of(known, names, shuffle=shuffle,
                 index=output is None and isinstance(source, FrameTable) and source.index),
        tuple(stale),
        done.seconds,
        done.seconds_drawing,
        done.booked,
    )


def _source(
    table: Any, names: Sequence[str], output: StrPath | None, curator: bool
) -> tuple[Callable[[Any], Any], Sequence[str], Table]:
    """How drawn columns become a table of this kind, the names of all columns, and the rows."""
    if isinstance(table, str | PathLike):
        if output is None:
            raise BadInput(f"name the file for the new table: {table} stays as it is.")
        opened = open_table(table, curator=curator)
        return Path, opened.schema.names, opened
    frame = frame_of(table, names if output is None else None, read=names)
    return frame.rebuild, frame.names, frame


def _check_places(output: Path, documents: Mapping[Path, object], count: int, force: bool) -> None:
    """Refuse files that would be overwritten, or be one, before any row is read."""
    refuse_existing(output, force=force)
    if len({*documents, output}) != count + 1:
        raise BadInput("two columns have names that are the same in a file name; rename one.")
    for path in documents:
        refuse_existing(path, force=force)


def protect(
    columns: Mapping[str, Declared],
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    protocol: Reporting | str = Reporting.RESPONSE,
    split: Split | str = Split.ERROR,
    missing: Missing | str = Missing.FIRST,
) -> tuple[ProtectedColumn, ...]:
    """The proved mechanism of each column, from what it may hold and the level alone.

    Parameters: as of `sanitize`, which takes its mechanisms from here.

    Returns: a `ProtectedColumn` for each column, in order; their levels share the whole one.

    Raises: `BadInput` for no columns, or values or a protocol that cannot be used. `BadLevel`
    for an ε that is not above 0, or a δ.

    >>> both = protect({"answer": "no/yes", "color": ["red", "green", "blue"]}, Level.ratio(9),
    ...                split="even")
    >>> [(column.level.text, column.kept) for column in both]
    [('ln(3)', 0.75), ('ln(3)', 0.6)]
    """
    chosen, rule = member_of(Reporting, protocol, "protocol"), member_of(Missing, missing)
    total, shared = Level.positive(level_of(epsilon, ratio=ratio)), member_of(Split, split)
    if not columns:
        raise BadInput("name at least one column to randomize.")
    if total.delta:
        raise BadLevel(f"δ = {total.delta}", "a level with δ = 0: rows are randomized at an ε")
    domains = [_domain(values, rule is Missing.VALUE) for values in columns.values()]
    levels = _levels(total, domains, shared, chosen)
    made = []
    for name, domain, share in zip(columns, domains, levels, strict=True):
        way = _protocol(domain, share, chosen)
        made.append(ProtectedColumn(name, domain, share, way, _response(domain, share, way)))
    return tuple(made)


def _domain(values: Declared, missing: bool) -> Domain:
    if isinstance(values, Values | Bins | Sets):
        return values
    if isinstance(values, str):
        return read_domain(values, missing=missing)
    names = [str(value) for value in values]
    if missing and MISSING not in names:
        names.append(MISSING)
    return Values(categories(names))


def _protocol(domain: Domain, level: Level, chosen: Reporting) -> FrequencyProtocol:
    """Of the protocols that were chosen, the one that errs least on this column."""
    from tightrope.constructions import FrequencyProtocol, compare_protocols

    if isinstance(domain, Sets):
        if chosen not in (Reporting.RESPONSE, Reporting.BEST):
            raise BadInput(
                f"a column of sets is randomized item by item; the protocol {chosen.value} is for "
                "listed values and cells."
            )
        return FrequencyProtocol.RESPONSE
    allowed = _protocols_of(chosen)
    if len(allowed) == 1:
        return next(iter(allowed))
    protocols = compare_protocols(domain.space.size, level)
    return next(row.protocol for row in protocols if row.protocol in allowed)


def _protocols_of(chosen: Reporting) -> frozenset[FrequencyProtocol]:
    from tightrope.constructions import FrequencyProtocol

    return {
        Reporting.RESPONSE: frozenset({FrequencyProtocol.RESPONSE}),
        Reporting.SUBSET: frozenset({FrequencyProtocol.SUBSETS}),
        Reporting.UNARY: frozenset({FrequencyProtocol.SYMMETRIC, FrequencyProtocol.OPTIMIZED}),
        Reporting.BEST: frozenset(FrequencyProtocol),
    }[chosen]


def _levels(
    level: Level, domains: Sequence[Domain], split: Split, chosen: Reporting
) -> list[Level]:
    """The level of each column; an item of a set-valued column has a part of it."""
    from tightrope.constructions import compare_protocols, response_error, split_level

    def error(values: int, epsilon: float) -> float:
        if values == 2 or chosen is Reporting.RESPONSE:
            return response_error(values, epsilon)
        rows = compare_protocols(values, epsilon)
        return min(row.error for row in rows if row.protocol in _protocols_of(chosen))

    if split is Split.EVEN:
        return [level.scaled(Fraction(1, len(domains)))] * len(domains)
    if len(domains) == 1:
        return [level]
    items = [len(domain.items) if isinstance(domain, Sets) else 1 for domain in domains]
    sizes = [2 if isinstance(domain, Sets) else domain.space.size for domain in domains]
    return split_level(level, sizes, repeats=items, errors=error)


def _response(domain: Domain, level: Level, protocol: FrequencyProtocol) -> Certified:
    """A protocol on the declared values, or a response on each item of a set, proved."""
    from tightrope.constructions import item_response, reporting

    if isinstance(domain, Sets):
        each = level.scaled(Fraction(1, len(domain.items)))
        return item_response(domain.space, each)
    return reporting(domain.space, level, protocol)
