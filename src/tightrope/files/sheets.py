"""Public parameters, read whole and strictly: CSV, TSV, JSON, TOML and Parquet.

A cell of a CSV file is text. JSON and Parquet know whole numbers from text. Decimals of JSON and
TOML are kept as they are written, so that 0.1 is 1/10 in every text file. Only Parquet holds
doubles. Nothing is rounded here, and what is not clear is refused; private rows never are, and
are read in `tightrope.tables`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from tightrope.characters import refuse_controls
from tightrope.errors import BadInput, BadTable, TooLarge
from tightrope.exact import sizes
from tightrope.files.files import StrPath, extension, read_bytes, read_text
from tightrope.files.splitter import DELIMITERS, closed_cells, line_cells, split_lines
from tightrope.spaces import Label

Cell: TypeAlias = int | float | str | None
"""Text or a whole number as written, a double that arrived as one, or nothing."""

PARQUET = (".parquet", ".pq")
FORMATS = (*DELIMITERS, ".json", *PARQUET)
_LONGEST_CELL = 2**17  # bytes; a number has far fewer digits
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_NUMBER = re.compile(
    r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?|[+-]?\d{1,400}/\d{1,400}",
    re.ASCII,
)


@dataclass(frozen=True)
class Sheet:
    """Rows of cells, all as long as the longest; `header` only where the format has one.

    `typed` says that the format tells the number 1 from the text "1".
    """

    path: str
    header: tuple[str, ...] | None
    rows: tuple[tuple[Cell, ...], ...]
    typed: bool

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    def labels(self, cells: Iterable[Cell], what: str) -> tuple[Label, ...]:
        """Cells as labels; texts become numbers if the format has no types and all are whole."""
        row = list(cells)
        for position, cell in enumerate(row):
            if cell is None:
                raise BadInput(f"{self.path}: the {what} number {position + 1} is missing.")
            if isinstance(cell, str):
                named = f"{self.path}: the {what} number {position + 1}"
                refuse_controls(cell, named, BadInput)
        texts = [str(cell) for cell in row]
        if not self.typed and all(_WHOLE.fullmatch(text) for text in texts):
            return tuple(int(text) for text in texts)
        return tuple(cell if isinstance(cell, int) else str(cell) for cell in row)


def read_sheet(path: StrPath) -> Sheet:
    """The table in a file; `BadInput` if there is none."""
    content = read_parameters(path)
    return content if isinstance(content, Sheet) else sheet_of(path, content)


def read_parameters(path: StrPath) -> Sheet | dict[str, Any]:
    """The table in a file, or the object that a JSON file holds instead of one."""
    ending = extension(path)
    if ending in DELIMITERS:
        return _from_text(path, DELIMITERS[ending])
    if ending == ".json":
        content = read_form(path)
        return content if isinstance(content, dict) else sheet_of(path, content)
    if ending in PARQUET:
        return _from_parquet(path)
    raise BadInput(
        f"{path}: expected a file that ends in {', '.join(FORMATS)}, "
        f"found {ending or 'no extension'!r}."
    )


def read_column(path: StrPath, column: str | None) -> list[Cell]:
    """One column of a text or Parquet file: the first, or the one under a name.

    No other cell is looked at: the rest of the table need not be public. A file of text has names
    in its first line only if one is asked for; its empty lines are no rows.
    """
    if extension(path) in PARQUET:
        table = _read_parquet(path, slice(1) if column is None else column)
        if table.num_columns != 1:
            raise BadTable(f"{path} does not have one column named {column!r}.", path=str(path))
        return [_cell(path, value) for value in table.column(0).to_pylist()]
    mark = DELIMITERS[extension(path)]
    lines = [line for line in split_lines(read_bytes(path)) if line]
    place = 0
    if column is not None:
        names = [name.strip() for name in line_cells(lines[0], mark)] if lines else []
        name = column.encode("utf-8", "surrogateescape")
        if names.count(name) != 1:
            raise BadTable(f"{path} does not have one column named {column!r} in its first line.",
                           path=str(path))
        place, lines = names.index(name), lines[1:]
    if not all(all(closed_cells(line, mark)[place : place + 1]) for line in lines if b'"' in line):
        raise _unclear(path)
    cells = [line_cells(line, mark)[place : place + 1] for line in lines]
    try:
        return [cell[0].strip().decode() or None if cell else None for cell in cells]
    except UnicodeDecodeError:
        raise BadTable(f"{path} is not UTF-8 text.", path=str(path)) from None


def read_form(path: StrPath, decimal: Callable[[str], Any] = str, like: str = "") -> Any:
    """The content of a JSON file, or of TOML by any other name; `decimal` reads its decimals.

    An error about TOML ends with `like`, an example of what is expected.
    """
    text = read_text(path)
    kind = "JSON" if extension(path) == ".json" else "TOML"
    try:
        if kind == "TOML":
            return tomllib.loads(text, parse_float=decimal)
        return json.loads(
            text, parse_float=decimal, parse_constant=_no_constant, object_pairs_hook=_unique_fields
        )
    except json.JSONDecodeError as broken:
        raise BadInput(
            f"{path} is not a JSON file: it breaks off or goes wrong at line {broken.lineno}, "
            f"column {broken.colno}; write it again.",
            path=str(path),
        ) from None
    except (ValueError, RecursionError) as reason:
        place = re.search(r"\(at (.*)\)", str(reason))
        wrong = (f": it goes wrong at {place[1]}; write it again{like}" if place
                 else ", or has a key twice in one object")
        raise BadInput(f"{path} is not a {kind} file{wrong}.", path=str(path)) from None


def sheet_of(path: StrPath, content: Any) -> Sheet:
    """A list of rows, or of objects that all have the same keys, as a sheet."""
    if content in ([], [[]]):
        raise BadInput(f"{path} holds no rows; expected a list of them, such as [[1, 0], [0, 1]].",
                       path=str(path))
    if not isinstance(content, list):
        raise BadInput(f"{path}: expected a list of rows.", path=str(path))
    if all(isinstance(row, dict) for row in content):
        header = tuple(content[0])
        if any(set(row) != set(header) for row in content):
            raise BadInput(f"{path}: expected rows that all have the keys {', '.join(header)}.")
        return _sheet(path, header, [[row[key] for key in header] for row in content], typed=True)
    if all(isinstance(row, list) for row in content):
        return _sheet(path, None, content, typed=True)
    return _sheet(path, None, [[cell] for cell in content], typed=True)


def number_of(cell: Cell) -> Fraction | None:
    """The exact number that a cell shows, as a decimal or a fraction; None if it shows none.

    A double shows its shortest decimal.

    >>> number_of("0.1"), number_of("1/3"), number_of(0.01), number_of("nan")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 100), None)
    """
    if isinstance(cell, int):
        return Fraction(cell)
    shown = str(cell)
    if not _NUMBER.fullmatch(shown):
        return None
    try:
        return Fraction(shown if "/" in shown else Decimal(shown))  # a Decimal is read faster
    except ZeroDivisionError:
        return None


def _from_text(path: StrPath, mark: bytes) -> Sheet:
    lines = split_lines(read_text(path).encode())
    if not all(all(closed_cells(line, mark)) for line in lines if b'"' in line):
        raise _unclear(path)
    cells = [line_cells(line, mark) if line else [] for line in lines]
    if any(len(cell) > _LONGEST_CELL for row in cells for cell in row):
        raise _unclear(path)
    rows = [[cell.decode().strip() or None for cell in row] for row in cells]
    while rows and not rows[-1]:
        rows.pop()
    if any(len(row) > 1 for row in rows):  # in a single column, an empty line is a missing cell
        rows = [row for row in rows if row]
    return _sheet(path, None, rows, typed=False)


def _unclear(path: StrPath) -> BadTable:
    return BadTable(f"{path} is not a readable table: expected each row in a line of its own, "
                    "quotes that end with their cell, and no cell without end.", path=str(path))


def _from_parquet(path: StrPath) -> Sheet:
    table = _read_parquet(path, slice(None))
    _check_size(table.num_rows * table.num_columns)
    columns = [column.to_pylist() for column in table.columns]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return _sheet(path, tuple(table.column_names), rows, typed=True)


def _read_parquet(path: StrPath, columns: slice | str) -> Any:
    """The columns at some places, or the one of a name."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(pa.BufferReader(read_bytes(path))) as file:
            names = file.schema_arrow.names
            return file.read(columns=[columns] if isinstance(columns, str) else names[columns])
    except (pa.ArrowException, OSError):
        raise BadTable(f"{path} is not a readable Parquet file.", path=str(path)) from None


def _sheet(
    path: StrPath, header: tuple[str, ...] | None, rows: Sequence[Sequence[Any]], *, typed: bool
) -> Sheet:
    width = max((len(row) for row in rows), default=0)
    if width == 0:
        raise BadInput(f"{path} is empty.", path=str(path))
    _check_size(width * len(rows))
    cells = tuple(
        tuple(_cell(path, cell) for cell in row) + (None,) * (width - len(row)) for row in rows
    )
    return Sheet(str(path), header, cells, typed)


def _check_size(cells: int) -> None:
    if cells > sizes.LARGEST_MATRIX:
        raise TooLarge(
            "the number of cells", cells, sizes.LARGEST_MATRIX, "use a smaller file"
        )


def _cell(path: StrPath, value: Any) -> Cell:
    """A value of any format as a cell."""
    if isinstance(value, bool | list | dict | bytes):
        raise BadTable(
            f"{path}: expected numbers and names, found {type(value).__name__} in a cell."
        )
    return value if isinstance(value, int | float | str | None) else str(value)


def _unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError
    return fields


def _no_constant(name: str) -> str:
    return name
