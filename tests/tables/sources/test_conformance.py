"""Every source against the written rule of how a cell is read, cell by cell.

The rule is written out here once more, in plain Python and without the library: what a cell is
as a number and as a text, and which category it is. No source is compared with another.
"""

import csv
import math
import re
import sqlite3
from decimal import Decimal
from fractions import Fraction

import duckdb
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.systems import postgres
from tightrope.declarations import CutKey, Declaration, Tally, read_filter
from tightrope.tables import open_source

KEY = CutKey(bytes(range(32)))
WORDS = {"true": 1, "True": 1, "TRUE": 1, "false": 0, "False": 0, "FALSE": 0}

KINDS = {
    "text": ["true", "True", "TRUE", "tRUE", "false", "1", "1.0", "1.00", "01", "+1", " 1", "1E3",
             "1000", "0", "-0", "-0.0", "0.10", "0.1", ".1", "1,200", "1200", "yes", "Yes", " 40 ",
             "40", "40.1", "0.3", "3e-1", "nan", "inf", "", "ä", "it's", "100.5", "-7", None],
    "double": [0.0, -0.0, 1.0, 0.1, 0.3, 0.25, 2.5, 3.5, 24.8, 25.0, 40.0, 40.1, 100.0, 100.5, 1e9,
               -7.0, 1e22, 1e-7, 1e300, 1000.0, math.inf, -math.inf, math.nan, None],
    "single": [0.0, 1.0, 0.1, 0.3, 2.5, 24.8, 40.1, 100.5, 16777216.0, 3e38, math.inf, None],
    "whole": [0, 1, -7, 2, 25, 40, 100, 101, 1000, 2**53 + 1, None],
    "decimal": [Decimal(text) for text in ("0.0000", "1.0000", "0.1000", "0.3000", "24.8000",
                                           "40.0000", "40.1000", "100.5000", "1000.0000")] + [None],
    "truth": [True, False, None],
}
CATEGORIES = {
    "names": {"values": ["true", "false"]},
    "capitals": {"values": ["True", "False"], "missing": "False"},
    "digits": {"values": [1, 0], "other": 0},
    "codes": {"values": ["01", "1E3", "1.0", "0.1", "40", "yes"]},
    "mixed": {"values": ["1", "1.0", "true", "1,200", "-7", "24.8", "1000"]},
    "many": {"values": ["10000000000000000000000", "0.0000001", "40.10", *range(30)]},
}
NUMBERS = {
    "plain": {"low": 0, "high": 100},
    "coarse": {"low": -2, "high": 40, "resolution": 1, "missing": 3, "bins": [-2, 0, 3, 25, 40]},
    "shares": {"low": 0, "high": 1, "resolution": "0.1", "bins": [0, "0.3", 1]},
}
CONDITIONS = {
    "cell = 40": lambda x: x == 40, "cell in (0.3, 40.1)": lambda x: x in (0.3, 40.1),
    "cell >= 40.1": lambda x: x >= 40.1, "cell > 100": lambda x: x > 100,
    "cell < 0": lambda x: x < 0, "cell != 40": lambda x: x != 40, "not cell > 0": lambda x: x <= 0,
}


def number(cell):
    """The double of a cell, or None."""
    if cell is None or cell != cell:
        return None
    if isinstance(cell, str):
        if cell in WORDS:
            return float(WORDS[cell])
        plain = cell.strip(" \t")
        if re.fullmatch(r"[+-]?inf", plain):
            return float(plain)
        written = re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", plain)
        return float(Fraction(Decimal(plain))) if written else None
    return float(cell)


def shortest(cell):
    """The text of a cell: all digits of a number, no zeros at the end of its fraction."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if cell != cell:
        return None
    if abs(cell) == math.inf:
        return "inf" if cell > 0 else "-inf"
    text = f"{Decimal(str(cell)):f}"
    text = re.sub(r"\.?0*$", "", text) if "." in text else text
    return "0" if text == "-0" else text


def value(text):
    """The number that a text is to a category, or None."""
    return Fraction(text) if re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", text) else None


def truth(text):
    return WORDS.get(text, {1: 1, 0: 0}.get(value(text)))


def category(cell, column):
    """The place of a cell among the categories, or None."""
    values, text = [str(named) for named in column["values"]], shortest(cell)
    if text is None:
        return values.index(column["missing"]) if "missing" in column else None
    same = [named for named in values if named == text]
    same = same or [named for named in values
                    if value(text) is not None and value(named) == value(text)]
    # a name comes before a number that stands for the same truth
    same = same or sorted((named for named in values
                           if truth(text) is not None and truth(named) == truth(text)),
                          key=lambda named: value(named) is not None)
    if same:
        return values.index(same[0])
    return values.index(str(column["other"])) if "other" in column else None


def read(cell, column):
    """The number of a cell, its code and its bin; None where it is left out."""
    x = number(cell)
    if x is None:
        x = column.get("missing")
    if x is None:
        return None, None, None
    low, high = (float(Fraction(column[end])) for end in ("low", "high"))
    inside, step = min(max(x, low), high), float(Fraction(column.get("resolution", "1/100000")))
    edges = [float(Fraction(edge)) for edge in column.get("bins", [0, 0])[1:-1]]
    return x, round((inside - low) / step), sum(edge <= inside for edge in edges)


def csv_file(kind, cells, tmp_path, _):
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["cell", "row"], *(
            ["" if cell is None else cell, row] for row, cell in enumerate(cells))])
    texts = [None if cell is None or str(cell) == "" else str(cell) for cell in cells]
    return tmp_path / "t.csv", {}, texts


ARROW = {"text": pa.string(), "double": pa.float64(), "single": pa.float32(), "whole": pa.int64(),
         "decimal": pa.decimal128(20, 4), "truth": pa.bool_()}
SQL = {"text": "TEXT", "double": "DOUBLE PRECISION", "single": "REAL", "whole": "BIGINT",
       "decimal": "DECIMAL(20, 4)", "truth": "BOOLEAN"}


def arrow_table(kind, cells):
    return pa.table({"cell": pa.array(cells, ARROW[kind]),
                     "row": pa.array(range(len(cells)), pa.int64())})


def parquet(kind, cells, tmp_path, _):
    pq.write_table(arrow_table(kind, cells), tmp_path / "t.parquet")
    return tmp_path / "t.parquet", {}, cells


def objects(kind, cells, tmp_path, _):
    held = [np.float32(cell) if kind == "single" and cell is not None else cell for cell in cells]
    return pandas.DataFrame({"cell": pandas.Series(held, dtype=object),
                             "row": range(len(cells))}), {}, cells


def typed_frame(kind, cells, tmp_path, _):
    dtype = {"double": "float64", "single": "float32", "whole": "Int64", "truth": "boolean"}.get(
        kind, object)
    return pandas.DataFrame({"cell": pandas.Series(cells, dtype=dtype),
                             "row": range(len(cells))}), {}, cells


def duck(kind, cells, tmp_path, _):
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t (cell {SQL[kind]}, row BIGINT)")
    connection.executemany("INSERT INTO t VALUES (?, ?)",
                           [[cell, row] for row, cell in enumerate(cells)])
    return connection.table("t"), {}, cells


def lite(kind, cells, tmp_path, _):
    held = [float(cell) if isinstance(cell, Decimal) else None if cell != cell else cell
            for cell in cells]
    with sqlite3.connect(tmp_path / "t.sqlite") as db:
        db.execute("CREATE TABLE t (cell, row)")
        db.executemany("INSERT INTO t VALUES (?, ?)",
                       [(cell, row) for row, cell in enumerate(held)])
    held = [int(cell) if isinstance(cell, bool) else cell for cell in held]  # it stores 1 and 0
    return tmp_path / "t.sqlite", {"table": "t"}, held


def server_table(kind, cells, tmp_path, url):
    from sqlalchemy import create_engine

    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE IF EXISTS t")
        connection.exec_driver_sql(f"CREATE TABLE t (cell {SQL[kind]}, row BIGINT)")
        connection.exec_driver_sql("INSERT INTO t VALUES (%(cell)s, %(row)s)",
                                   [{"cell": cell, "row": row} for row, cell in enumerate(cells)])
    engine.dispose()
    return url, {"table": "t"}, cells


SOURCES = {
    "csv": csv_file, "parquet": parquet, "pandas objects": objects, "pandas": typed_frame,
    "polars": lambda kind, cells, tmp_path, _: (polars.from_arrow(arrow_table(kind, cells)), {},
                                               cells),
    "mapping": lambda kind, cells, tmp_path, _: (
        {"cell": list(cells), "row": list(range(len(cells)))}, {}, cells),
    "duckdb": duck, "sqlite": lite, "postgresql": server_table,
}
UNTYPED = ("csv", "pandas objects", "pandas", "mapping", "sqlite")
"""Sources in which texts may be declared as numbers."""


@pytest.fixture(scope="module")
def url():
    with postgres.server() as address:
        yield address


def declared(cells, column):
    rows = {"type": "category", "values": list(range(len(cells)))}
    return Declaration.of({"dataset": "d", "columns": {"cell": column, "row": rows}})


def grid(counts, cells):
    """The counts by row."""
    wide = len(counts) // len(cells)
    return [list(counts[row * wide : (row + 1) * wide]) for row in range(len(cells))]


def places(opened, declaration, cells):
    """The category or bin of every row, None where its cell is left out."""
    by_row = opened.tallies((Tally(declaration, ("row", "cell")),), KEY)[0]
    return [counts.index(1) if 1 in counts else None for counts in grid(by_row.counts, cells)]


def met(opened, declaration, conditions):
    """Whether each row meets each condition."""
    filters = tuple(read_filter(text, declaration.columns) for text in conditions)
    counts = opened.tallies((Tally(declaration, ("row",), conditions=filters),), KEY)[0].met
    return [list(map(bool, held)) for held in counts]


def same(cells, readings, expected):
    """Compare cell by cell; NaN is a cell, too."""
    assert [*enumerate(zip(cells, readings, strict=True))] == [
        *enumerate(zip(cells, expected, strict=True))]


@pytest.mark.parametrize("name", CATEGORIES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("source", SOURCES)
def test_a_cell_is_the_category_of_the_written_rule(source, kind, name, tmp_path, url):
    data, options, cells = SOURCES[source](kind, KINDS[kind], tmp_path, url)
    declaration = declared(cells, {"type": "category", **CATEGORIES[name]})
    opened = open_source(data, declaration, **options)
    expected = [category(cell, CATEGORIES[name]) for cell in cells]
    same(cells, places(opened, declaration, cells), expected)
    (absent,) = met(opened, declaration, ["cell is missing"])
    same(cells, absent, [place is None for place in expected])


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(("source", "kind"), [
    (source, kind) for source in SOURCES for kind in KINDS if kind != "text" or source in UNTYPED])
def test_a_cell_is_the_number_of_the_written_rule(source, kind, name, tmp_path, url):
    data, options, cells = SOURCES[source](kind, KINDS[kind], tmp_path, url)
    rule = NUMBERS[name]
    declaration = declared(cells, {"type": "number", **rule})
    opened = open_source(data, declaration, **options)
    numbers, codes, bins = zip(*(read(cell, rule) for cell in cells), strict=True)
    for held, holds in zip(met(opened, declaration, CONDITIONS), CONDITIONS.values(), strict=True):
        same(cells, held, [x is not None and holds(x) for x in numbers])
    sums = opened.tallies((Tally(declaration, ("row",), ("cell",)),), KEY)[0]
    same(cells, [code if count else None
                 for code, count in zip(sums.sums[0], sums.counts, strict=True)], codes)
    if "bins" in rule:
        same(cells, places(opened, declaration, cells), bins)


@pytest.mark.parametrize(("marks", "cells"), [
    ({"thousands": ","}, {"1,200": 1200, "1,200.5": 1200.5, "12,00": None, "1200": 1200, "1.5": 1.5,
                          " -1,200 ": -1200, "1,200,000": 5000, "1.5e3": 1500, ",200": None}),
    ({"thousands": ".", "decimal": ","}, {"1.200": 1200, "1.200,5": 1200.5, "1.5": None,
                                          "0,5": 0.5, "1200": 1200}),
    ({"decimal": ","}, {"1,5": 1.5, "1.5": None, "1.200,5": None, "7": 7}),
    ({"thousands": " "}, {"1 200": 1200, " 1 200 ": 1200, "1 2": None, "7": 7}),
    ({"thousands": "'"}, {"1'200.25": 1200.25, "1,200": None}),
    ({}, {"1,200": None, "1 200": None, "1'200": None, "1.200": 1.2, "1_200": None}),
])
@pytest.mark.parametrize("source", UNTYPED)
def test_grouped_digits_follow_the_declared_marks(source, marks, cells, tmp_path, url):
    column = {"type": "number", "low": -5000, "high": 5000, "resolution": "0.01", **marks}
    data, options, texts = SOURCES[source]("text", list(cells), tmp_path, url)
    declaration = declared(texts, column)
    found = open_source(data, declaration, **options).tallies(
        (Tally(declaration, ("row",), ("cell",)),), KEY)[0]
    numbers = [(code - 500_000) / 100 if count else None
               for code, count in zip(found.sums[0], found.counts, strict=True)]
    assert dict(zip(cells, numbers, strict=True)) == cells
