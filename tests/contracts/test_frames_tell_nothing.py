"""What Python says of a table in memory does not depend on rows, whatever holds them.

Every public function that takes rows, on every kind of frame, array and mapping: no row, one,
ordinary and hostile ones end alike, with the same words, and give results of the same kind. The
command line is held to this in tests/cli/test_rows_tell_nothing.py, Spark in tests/systems.
"""

import warnings
from datetime import datetime
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tightrope as tr
from tightrope.facts import to_json
from tightrope.ledger import Scope
from tightrope.locations import heat_map, traces
from tightrope.releases import count, histogram, mean, median, proportion, variance
from tightrope.releases import sum as total

NAMES = ("x", "c", "lon", "lat")
DECLARED = {"dataset": "d", "columns": {
    "x": {"type": "number", "low": 0, "high": 10},
    "c": {"type": "category", "values": ["no", "yes"]}}}
DATED = {"dataset": "d", "columns": {
    "c": {"type": "date", "low": "2024-01-01", "high": "2024-12-31"},
    "month": {"type": "period", "of": "c", "period": "month"}}}
ORDINARY = (1.0, "no", -3.5, 40.5)
NUMBERS = [float("nan"), float("inf"), float("-inf"), -1e308, 5e-324, -0.0]
TEXTS = ["", " no", "2024-03-01", "9999-12-31T23:59:59-12:00", "0000-00-00", "infinity",
         "\0", "\n\"", "\u202e", "9" * 5000, "\u0663"]
TYPED = [(number, text, number, number) for number in NUMBERS for text in TEXTS]
MISSING = [*TYPED, (None, None, None, None)]


class Odd:
    """A cell that fails at whatever it is asked."""

    def __str__(self):
        raise ValueError

    __float__ = __repr__ = __bool__ = __eq__ = __str__

    def __hash__(self):
        raise TypeError


ANY = [(cell,) * 4 for cell in (
    None, float("nan"), 2**70, -(2**2000), True, "1e400", "\ud800", b"\xff", [1], {}, (), 3j, Odd(),
    datetime(1, 1, 1), datetime.max, pd.Timestamp(0), pd.Timestamp(0, tz="Asia/Tokyo"),
    pd.NaT, pd.NA, np.datetime64("2020"), np.float32(1),
    Decimal("sNaN"), Decimal("1e999999"), "\u0663", "9" * 5000, np.array([1, 2]), object)]


def columns(rows):
    return dict(zip(NAMES, map(list, zip(*rows, strict=True)) if rows else ([], [], [], []),
                    strict=True))


def arrow(rows):
    kinds = [pa.float64(), pa.string(), pa.float64(), pa.float64()]
    return pa.table([pa.array(cells, kind) for cells, kind in zip(columns(rows).values(), kinds,
                                                                 strict=True)], NAMES)


def objects(cells):
    made = np.empty(len(cells), dtype=object)
    made[:] = cells
    return made


def typed_pandas(rows):
    return pd.DataFrame({name: pd.Series(cells, dtype="str" if name == "c" else float)
                         for name, cells in columns(rows).items()})


def relation(rows):
    connection = duckdb.connect()
    connection.register("held", arrow(rows))
    connection.execute("CREATE TABLE t AS SELECT * FROM held")
    return connection.table("t")


FRAMES = {  # how rows are held, and hostile ones
    "lists": (columns, ANY),
    "objects of numpy": (lambda rows: {k: objects(v) for k, v in columns(rows).items()}, ANY),
    "arrays": (lambda rows: {k: np.array(v, "U6000" if k == "c" else float)
                             for k, v in columns(rows).items()}, TYPED),
    "objects of pandas": (lambda rows: pd.DataFrame(
        {k: pd.Series(v, dtype=object) for k, v in columns(rows).items()}), ANY),
    "pandas": (typed_pandas, MISSING),
    "categories of pandas": (lambda rows: typed_pandas(rows).astype({"c": "category"}), MISSING),
    "pandas by Arrow": (lambda rows: arrow(rows).to_pandas(types_mapper=pd.ArrowDtype), MISSING),
    "Arrow": (arrow, MISSING),
    "Arrow arrays": (lambda rows: dict(zip(NAMES, arrow(rows).columns, strict=True)), MISSING),
    "Polars": (lambda rows: pl.from_arrow(arrow(rows)), MISSING),
    "categories of Polars": (lambda rows: pl.from_arrow(arrow(rows)).cast(
        {"c": pl.Categorical}), MISSING),
    "objects of Polars": (lambda rows: pl.DataFrame(
        {k: pl.Series(v, dtype=pl.Object) for k, v in columns(rows).items()}), ANY),
    "lazy Polars": (lambda rows: pl.from_arrow(arrow(rows)).lazy(), MISSING),
    "DuckDB": (relation, MISSING),
}
PAIRS = {
    "pairs": (lambda rows: [row[2:] if len(row) == 4 else row[0] for row in rows],
              [*ANY, *((cell,) for cell in ("xy", None, (1,), (1, 2, 3), b"ab", 7, {1, 2}))]),
    "array of pairs": (lambda rows: np.array([row[2:] for row in rows], float).reshape(-1, 2),
                       TYPED),
    "objects of pairs": (lambda rows: objects(
        [cell for row in rows for cell in row[2:]]).reshape(-1, 2), ANY),
}
ALONE = {
    "list": (list, "any"), "tuple": (tuple, "any"), "objects": (objects, "any"),
    "series": (lambda cells: pd.Series(cells, dtype=object), "any"),
    "texts": (lambda cells: pd.Series(cells, dtype="str"), "text"),
    "Polars": (lambda cells: pl.Series("c", cells, dtype=pl.String), "text"),
    "Arrow": (lambda cells: pa.array(cells, pa.string()), "text"),
}


def books(folder):
    ledger = tr.Ledger.create(folder / "books.sqlite")
    ledger.open_budget(tr.Budget("b", Scope("d", "row", "add-remove"), 1000))
    return ledger


def release(question, declared=DECLARED, **options):
    def ask(table, ledger):
        opened = tr.open(table, declared, ledger=ledger, budget="b")
        return sorted(to_json(opened.ask(tr.Question(question, **options), 1)))
    return ask


def one_call(call, *args, **options):
    def ask(table, ledger):
        made = call(table, *args, epsilon=1, **options)
        return repr(made.plan), sorted(made.facts().json), type(made.to_frame()).__name__
    return ask


def sanitized(table, ledger, columns=None, **options):
    done = tr.sanitize(table, columns or {"c": "no/yes", "x": "bins:0,5,10"}, 1, **options)
    kinds = getattr(done.table, "dtypes", None)
    schema = str(kinds if kinds is not None else getattr(done.table, "schema", ""))
    return type(done.table).__name__, schema, done.clear, sorted(to_json(done))


def located(table, ledger, **options):
    done = tr.locate(table, region="-4,40,-3,41", within="200m", factor=2, **options)
    return sorted(to_json(done)), type(done.table).__name__


def traced(table, ledger):
    done = traces("-4,40,-3,41", "200m", 2, fresh=3).blur(table, person="c")
    return sorted(to_json(done)), type(done.table).__name__


def heated(table, ledger, **options):
    made = heat_map(table, region="-4,40,-3,41", cell="50km", epsilon=1,
                    account=ledger.account("b"), **options)
    return made.counts.shape, sorted(to_json(made))


def curved(table, ledger):
    made = tr.curves.curve(table, 1, people=9, low=0, high=9, columns=["x", "lon"])
    return sorted(to_json(made)), len(made.totals)


def spread(table, ledger):
    """A curve of an array, whose columns are times."""
    made = tr.curves.curve(table, 1, people=9, low=0, high=9)
    return sorted(to_json(made)), len(made.totals)


ONE_CALL = {  # conditions compare texts and numbers with columns of every type
    "one count": one_call(count, where="c >= 3 or x = 'no' or lat is missing"),
    "one mean": one_call(mean, "x", low=0, high=10, by={"c": ["no", "yes"]}),
    "one sum": one_call(total, "x", low=0, high=10, person="c", rows=2),
    "one variance": one_call(variance, "x", low=0, high=10, where="not c = 'no' and lon < 1"),
    "one median": one_call(median, "x", low=0, high=10, where="c in ('no', 3)"),
    "one histogram": one_call(histogram, "c", values=["no", "yes"]),
    "one histogram of bins": one_call(histogram, "x", bins=[0, 5, 10], by={"c": ["no"]}),
    "one proportion": one_call(proportion, "c = 'no' or x > 3", person="lat"),
}

DOORS = {
    **{door: (ask, [*FRAMES]) for door, ask in ONE_CALL.items()},
    "count": (release("count"), [*FRAMES]),
    "histogram": (release("histogram", columns="c"), [*FRAMES]),
    "mean": (release("mean", columns="x", by=("c",)), [*FRAMES]),
    "median": (release("median", columns="x", where="c = 'no'"), [*FRAMES]),
    "median of dates": (release("median", DATED, columns="c", by=("month",)), [*FRAMES]),
    "sanitize": (sanitized, [*FRAMES]),
    "sanitize sets, kept": (lambda table, ledger: sanitized(
        table, ledger, {"c": "sets2:no/yes/maybe", "x": "bins:0,5,10"}, missing="value",
        protocol="subset", keep="lon", shuffle=True), [*FRAMES]),
    "sanitize aims, dropped": (lambda table, ledger: sanitized(
        table, ledger, {"c": "sets:no/yes", "x": "bins:0,2,5,10"}, aim={"x": "mean"},
        missing={"x": "7"}, drop=["lon", "lat"], split="margins"), [*FRAMES]),
    "locate": (located, [*FRAMES]),
    "locate, kept": (lambda table, ledger: located(table, ledger, keep=("c",)), [*FRAMES]),
    "locate, people": (traced, [*FRAMES]),
    "heat map": (heated, [*FRAMES]),
    "curve": (curved, [*FRAMES]),
    "pairs of locate": (located, [*PAIRS]),
    "pairs of heat map": (heated, [*PAIRS]),
    "array of a curve": (spread, ["array of pairs", "objects of pairs"]),
}
CASES = [(door, kind) for door, (_, kinds) in DOORS.items() for kind in kinds]


def told(door, table, ledger):
    """How it ends: what comes back, or what is raised and said."""
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            ended = door(table, ledger)
    except tr.TightropeError as error:
        return type(error).__name__, str(error)
    return ended, [str(warning.message) for warning in heard]


@pytest.mark.parametrize(("door", "kind"), CASES)
def test_no_row_changes_how_it_ends(tmp_path, door, kind):
    made, hostile = {**FRAMES, **PAIRS}[kind]
    act, ledger = DOORS[door][0], books(tmp_path)
    expected = told(act, made([ORDINARY] * 40), ledger)
    for rows in ([], [ORDINARY], hostile, [ORDINARY, *hostile], hostile[:1], hostile[-1:]):
        assert told(act, made(rows), ledger) == expected, rows
    refused = kind == "lazy Polars" and door not in (
        "count", "histogram", "mean", "median", "median of dates", "curve", *ONE_CALL)
    assert (expected[0] in ("BadTable", "BadInput")) == refused, expected


@pytest.mark.parametrize("kind", ALONE)
def test_no_cell_of_a_single_column_changes_how_it_ends(kind):
    made, cells = ALONE[kind]
    hostile = [row[0] for row in ANY] if cells == "any" else [*TEXTS, None]

    def act(column, _):
        done = tr.sanitize(column, "no/yes", 1)
        return type(done.table).__name__, sorted(to_json(done))

    expected = told(act, made(["no"] * 40), None)
    for rows in ([], ["no"], hostile, ["no", *hostile], *([cell] for cell in hostile)):
        assert told(act, made(rows), None) == expected, rows
    assert expected[0] not in ("BadTable", "BadInput"), expected
