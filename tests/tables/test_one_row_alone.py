"""No row changes how another row is read, whatever holds them.

Rows are read alone, and with a hostile row before or behind them: the statistic of a release is
then the sum of both, and the codes of sanitized columns, positions and edges stay as they were.
Spark is asked the same in tests/systems.
"""

import gzip
import json
import sqlite3
from datetime import datetime
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.systems import postgres
from tightrope.curves import plan_curve, release
from tightrope.declarations import CutKey, Declaration, Tally
from tightrope.errors import BadTable
from tightrope.locations.formats import read_rows
from tightrope.locations.frames import frame_rows
from tightrope.tables import NodeSet, open_source, read_edges
from tightrope.tables.domains import read_domain
from tightrope.tables.frames import frame_of
from tightrope.tables.tables import open_table

KEY = CutKey(bytes(range(32)))
DECLARED = Declaration.of({"dataset": "d", "columns": {
    "x": {"type": "number", "low": 0, "high": 10, "resolution": 1, "missing": 9},
    "c": {"type": "category", "values": ["3", "yes"], "other": "yes", "missing": "yes"}}})
TALLY = Tally(DECLARED, ("c",), ("x",))
CURVE = plan_curve(["x"], 500, people=100, low=0, high=10, resolution=1, missing=9)  # sure
DOMAINS = [read_domain("3/7", missing=True), read_domain("bins:0,2,4,10")]


class Odd:
    """A cell that fails at whatever it is asked, and calls itself equal to all others."""

    def __str__(self):
        raise ValueError

    def __float__(self):
        raise OverflowError

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("3")


ANY = [pd.Timestamp("2020-01-01"), datetime(1, 1, 1), b"3", 0.5, 2**70, -(2**70), True, None, "3 ",
       np.datetime64("2020-01-01"), np.float32(0.1), np.nan, pd.NA, Decimal("sNaN"), "\ud800", [3],
       {}, (), 3j, Odd(), "", pd.NaT, np.int8(3)]
DOUBLES = [float("nan"), float("inf"), -1e300, 0.5, None]
TEXTS = ["3.0", "", " 3", "\n", '"', "\0", "3" * 5000, None]
LINES = [b'"3,3', b'"', b"3", b"3,3,3,3", b"\xff,\xfe", b"\0,\0", b',"', b'"",""', b"a\rb",
         b'"3"3,3', b"x" * 100_000, b"\xef\xbb\xbf3,3"]


def objects(cells):
    made = np.empty(len(cells), dtype=object)
    made[:] = cells
    return made


def typed(cells, kind):
    return pa.array(cells, kind)


FRAMES = {  # how a column is held, its ordinary cells, and hostile ones
    "list": (list, [3, 3.0, "3", "yes"], ANY),
    "tuple": (tuple, [3, "3"], ANY),
    "objects of numpy": (objects, [3, 3.0, "3"], ANY),
    "objects of pandas": (lambda cells: pd.Series(cells, dtype=object), [3, 3.0, "3"], ANY),
    "categories of pandas": (lambda cells: pd.Series(cells, dtype=object).astype("category"),
                             ["3", "yes"], ["", "3.0", 7, 0.5, b"3", pd.Timestamp(0)]),
    "doubles of numpy": (lambda cells: np.array(cells, float), [3.0, 7.0], DOUBLES[:-1]),
    "doubles of pandas": (lambda cells: pd.Series(cells, dtype=float), [3.0, 7.0], DOUBLES),
    "whole numbers of pandas": (lambda cells: pd.Series(cells, dtype="Int64"), [3, 7],
                                [None, 2**63 - 1]),
    "texts of pandas": (lambda cells: pd.Series(cells, dtype="str"), ["3", "yes"], TEXTS),
    "texts of numpy": (lambda cells: np.array(cells, "U9"), ["3", "yes"], ["3.0", "", "\ud800"]),
    "doubles of Arrow": (lambda cells: typed(cells, pa.float64()), [3.0, 7.0], DOUBLES),
    "singles of Arrow": (lambda cells: typed(cells, pa.float32()), [3.0, 7.0], DOUBLES[:2]),
    "texts of Arrow": (lambda cells: typed(cells, pa.string()), ["3", "yes"], TEXTS),
    "codes of Arrow": (lambda cells: typed(cells, pa.string()).dictionary_encode().cast(
        pa.dictionary(pa.uint32(), pa.string())), ["3", "yes"], TEXTS),
    "doubles of Polars": (lambda cells: pl.Series(cells, dtype=pl.Float64), [3.0, 7.0], DOUBLES),
    "objects of Polars": (lambda cells: pl.Series(cells, dtype=pl.Object), [3, "3"], [0.5, b"3"]),
    "categories of Polars": (lambda cells: pl.Series(cells, dtype=pl.Categorical), ["3", "yes"],
                             ["3.0", "", None]),
    "enumerations of Polars": (lambda cells: pl.Series(cells, dtype=pl.Enum(["3", "yes", "no"])),
                               ["3", "yes"], ["no", None]),
}


def added(first, second):
    """The statistics of two tables as one."""
    counts = tuple(map(sum, zip(first.counts, second.counts, strict=True)))
    return counts, [tuple(map(sum, zip(*both, strict=True)))
                    for both in zip(first.sums, second.sums, strict=True)]


def released(data, **options):
    return open_source(data, DECLARED, **options).tallies((TALLY,), KEY)[0]


def holds_for_releases(made, rows, hostile, **options):
    """Hostile rows add what they have alone."""
    ordinary = released(made(rows), **options)
    for odd in hostile:
        alone = released(made([odd]), **options)
        for together in ([odd, *rows], [*rows, odd]):
            whole = released(made(together), **options)
            assert (whole.counts, list(whole.sums)) == added(ordinary, alone), odd


def holds_for_curves(made, rows, hostile):
    """Hostile rows add to the totals of a curve what they have alone."""
    (ordinary,) = release(CURVE, made(rows)).totals
    assert ordinary
    for odd in hostile:
        (alone,) = release(CURVE, made([odd])).totals
        for together in ([odd, *rows], [*rows, odd]):
            assert release(CURVE, made(together)).totals == (ordinary + alone,), odd


def holds_row_by_row(read, rows, hostile):
    """The codes of ordinary rows are what they are without the hostile one."""
    ordinary = read(rows)
    for odd in hostile:
        assert repr(read([*rows, odd])[: len(ordinary)]) == repr(ordinary), odd
        before = read([odd, *rows])
        assert repr(before[len(before) - len(ordinary) :]) == repr(ordinary), odd


def codes(table):
    matchers = [domain.matcher(table, "c").nearest() for domain in DOMAINS]
    return [row for batch in table.batches(["c"], encoded=["c"]) for row in zip(
        *(matcher.positions(batch.column(0)).to_pylist() for matcher in matchers), strict=True)]


@pytest.mark.parametrize("name", FRAMES)
def test_columns_in_memory(name):
    column, cells, hostile = FRAMES[name]
    cells = cells * 20
    text = name.startswith(("texts", "codes", "categories of P", "enumer"))

    def both(held):
        filled = [3] * len(held) if text else column(held)
        whole = {"x": filled, "c": column(held)}
        if "Polars" in name:
            return pl.DataFrame(whole)
        return pd.DataFrame(whole) if "pandas" in name else whole

    holds_for_releases(both, cells, hostile)
    holds_row_by_row(lambda held: codes(frame_of(both(held), ["c"])), cells, hostile)
    if not text:
        holds_for_curves(both, cells, hostile)
        holds_row_by_row(lambda held: frame_rows(both(held), "x", "c", ())[0].lon.tolist(), cells,
                         hostile)


def test_times_of_pandas_beyond_all_years():
    def times(numbers):
        held = np.array(numbers).view("datetime64[us]")
        return pd.DataFrame({"x": 3, "c": pd.Series(held).dt.tz_localize("UTC").dt.tz_convert(
            "Europe/Berlin")})

    ordinary = released(times([0, 86_400_000_000]))
    with pytest.raises(NotImplementedError):
        list(times([2**63 - 1])["c"])
    alone = released(times([2**63 - 1]))
    whole = released(times([2**63 - 1, 0, 86_400_000_000]))
    assert (whole.counts, list(whole.sums)) == added(ordinary, alone)
    read = codes(frame_of(times([2**63 - 1, 0]), ["c"]))
    assert read[1:] == codes(frame_of(times([0]), ["c"]))


@pytest.mark.parametrize("held", [list, objects])
def test_pairs_of_positions(held):
    def longitudes(pairs):
        return frame_rows(list(zip(held([a for a, _ in pairs]), held([b for _, b in pairs]),
                                   strict=True)), None, None, ())[0].lon.tolist()

    holds_row_by_row(longitudes, [(-3.5, 40.5), ("-3.5", 40)], [(odd, odd) for odd in ANY])


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
def test_lines_of_text(tmp_path, ending):
    file = tmp_path / f"t.{ending}"
    mark = b"\t" if ending == "tsv" else b","
    rows = [b"3,3", b"7,yes", b'"3","3"'] * 20

    def written(lines, names=b"x,c\n"):
        whole = (names + b"\n".join(lines) + b"\n").replace(b",", mark)
        file.write_bytes(gzip.compress(whole) if ending == "csv.gz" else whole)
        return file

    holds_for_releases(written, rows, LINES)
    holds_for_curves(written, rows, LINES)
    holds_row_by_row(lambda lines: codes(open_table(written(lines))), rows, LINES)
    if ending != "csv.gz":
        holds_row_by_row(lambda lines: read_rows(written(lines), "x", "c").lon.tolist(), rows,
                         LINES)
        nodes = NodeSet(["1", "2", "3", "7", "yes"])
        holds_row_by_row(lambda lines: read_edges(written(lines, b""), nodes).first.tolist(),
                         [b"7,yes"], LINES)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("kind", [pa.float64(), pa.dictionary(pa.uint8(), pa.float64())])
def test_typed_files(tmp_path, ending, kind):
    file = tmp_path / f"t.{ending}"

    def written(cells):
        column = pa.array(cells, pa.float64())
        column = column if kind == pa.float64() else column.dictionary_encode().cast(kind)
        held = pa.table({"x": column, "c": column})
        if ending == "parquet":
            pq.write_table(held, file)
        else:
            with pa.ipc.new_file(file, held.schema) as writer:
                writer.write_table(held)
        return file

    holds_for_releases(written, [3.0, 7.0] * 20, DOUBLES)
    holds_for_curves(written, [3.0, 7.0] * 20, DOUBLES)
    if ending == "parquet":
        holds_row_by_row(lambda cells: codes(open_table(written(cells))), [3.0, 7.0], DOUBLES)
        holds_row_by_row(lambda cells: read_rows(written(cells), "x", "c").lon.tolist(),
                         [3.0, 7.0], DOUBLES)


def test_duckdb():
    def relation(cells):
        connection = duckdb.connect()
        connection.execute("CREATE TABLE t (x DOUBLE, c DOUBLE)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(cell, cell) for cell in cells])
        return connection.table("t")

    holds_for_releases(relation, [3.0, 7.0] * 3, DOUBLES)
    holds_for_curves(relation, [3.0, 7.0] * 3, DOUBLES)


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.parametrize("kind", ["DECIMAL(9,2)[]", "ENUM('3')[]", "DECIMAL(9,2)[2]", "DOUBLE[]"])
def test_lists_of_duckdb_are_refused_by_their_type(kind, rows):
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t (x DOUBLE, c {kind})")
    connection.execute(f"INSERT INTO t SELECT 3, NULL FROM range({rows})")
    with pytest.raises(BadTable, match="'c' holds"):
        released(connection.table("t"))


def test_equal_names_are_refused_in_a_sentence():
    frame = pd.DataFrame([[3, "3", "3"]], columns=["x", "c", "c"])
    for data in (frame, pa.table([[3.0], ["3"], ["3"]], ["x", "c", "c"])):
        with pytest.raises(BadTable, match=r"the same name|several of that name"):
            released(data)


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_sqlite(tmp_path, encoding):
    def written(cells):
        file = tmp_path / "t.sqlite"
        file.unlink(missing_ok=True)
        with sqlite3.connect(file) as connection:
            connection.execute(f"PRAGMA encoding = '{encoding}'")
            connection.execute("CREATE TABLE t (x, c)")
            for cell in cells:
                value = f"CAST(x'{cell.hex()}' AS TEXT)" if isinstance(cell, bytes) else "?"
                connection.execute(f"INSERT INTO t VALUES ({value}, {value})",
                                   () if isinstance(cell, bytes) else (cell, cell))
        return file

    odd = [b"\xff", b"\xfe\xff", b"\xed\xa0\x80", b"3\0", b"\0\xd8", 0.5, None, 2**63 - 1, "é"]
    holds_for_releases(written, [3, "3", 7.0, "yes"], odd, table="t")


def test_postgresql():
    from sqlalchemy import create_engine

    with postgres.server() as url:
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))

        def written(cells):
            with engine.begin() as connection:
                connection.exec_driver_sql("DROP TABLE IF EXISTS t")
                connection.exec_driver_sql("CREATE TABLE t (x float8, c float8)")
                for cell in cells:
                    connection.exec_driver_sql("INSERT INTO t VALUES (%s, %s)", (cell, cell))
            return url

        holds_for_releases(written, [3.0, 7.0], DOUBLES, table="t")
        engine.dispose()


def test_geojson(tmp_path):
    def read(features):
        (tmp_path / "t.geojson").write_text(
            '{"type": "FeatureCollection", "features": [' + ",".join(features) + "]}")
        rows = read_rows(tmp_path / "t.geojson", keep=["k"])
        return list(zip(rows.lon.tolist(), rows.columns.column("k").to_pylist(), strict=True))

    def feature(point, kept="1"):
        return ('{"type": "Feature", "geometry": {"type": "Point", "coordinates": ' + point
                + '}, "properties": {"k": ' + kept + "}}")

    rows = [feature("[-3.5, 40.5]", kept) for kept in ("1", '"a"', "[[]]", "[" * 70 + "]" * 70)]
    odd = [feature("[1e999, 1]"), feature('["a", {}]'), feature("[-3, 40, " + "9" * 5000 + "]"),
           feature("[" * 5000 + "]" * 5000), "null", "7", '"\\ud800"', "[]",
           *(feature("[-3.5, 40.5]", "[" * deep + "]" * deep) for deep in (64, 65, 985, 20_000)),
           feature("[-3.5, 40.5]", json.dumps('[{"' * 2000))]
    holds_row_by_row(read, rows, odd)


def test_gpx(tmp_path):
    def read(points):
        (tmp_path / "t.gpx").write_text("<gpx>" + "".join(points) + "</gpx>")
        return read_rows(tmp_path / "t.gpx").lon.tolist()

    odd = ["<wpt/>", '<wpt lon="1_0" lat="nan"/>', '<wpt lon="3" lat="3"><name>'
           '<![CDATA[<!ENTITY a "b"><!DOCTYPE]]></name></wpt>', "<a>" * 3000 + "</a>" * 3000]
    holds_row_by_row(read, ['<wpt lon="-3.5" lat="40.5"/>'] * 3, odd)
