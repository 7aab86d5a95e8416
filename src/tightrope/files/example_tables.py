"""Tables that come with the package, to try things on; `examples/README.md` has their source."""

from __future__ import annotations

from importlib.resources import files
from io import BytesIO

import pyarrow as pa
from pyarrow import csv, parquet

from tightrope.characters import meant
from tightrope.errors import BadInput
from tightrope.files.files import StrPath, extension, write_bytes

EXAMPLES = ("randhie",)


def example(name: str, path: StrPath | None = None) -> pa.Table:
    """An example table, also written to a path: .csv, .parquet, or .toml for its declaration.

    `randhie` has 20,190 years of people in the RAND Health Insurance Experiment, public domain.

    Returns
    -------
    Table of Arrow, whether or not a file is written.

    Raises
    ------
    BadInput
        If there is no such table, the path has another ending, or the file exists.

    >>> import tightrope as tr
    >>> table = tr.example("randhie")
    >>> table.num_rows, table.column_names
    (20190, ['visits', 'diseases', 'health', 'coinsurance', 'deductible'])
    >>> table = tr.example("randhie", "people.csv")
    """
    if name not in EXAMPLES:
        raise BadInput(f"there is no example {name!r}{meant(name, EXAMPLES)}; "
                       f"examples: {', '.join(EXAMPLES)}.")
    table = parquet.read_table(BytesIO(_content(f"{name}.parquet")))
    if path is not None:
        write_bytes(path, _file_content(name, table, extension(path)))
    return table


def _file_content(name: str, table: pa.Table, ending: str) -> bytes:
    match ending:
        case ".parquet" | ".toml":
            return _content(name + ending)
        case ".csv":
            written = BytesIO()
            csv.write_csv(table, written)
            return written.getvalue()
    raise BadInput(f"an example is written as .csv, .parquet or .toml, not {ending!r}.")


def _content(file: str) -> bytes:
    return files("tightrope.files").joinpath("examples", file).read_bytes()
