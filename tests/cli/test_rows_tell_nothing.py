"""What a command says does not depend on rows: no row, one, ordinary and hostile ones.

Every command on every kind of file and database: the exit code, what is on standard error, and
which fields the answer has are those of an ordinary table.
"""

import gzip
import json
import sqlite3
from io import BytesIO, TextIOWrapper

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.systems import postgres
from tightrope.ledger import Budget, Ledger, Scope

DECLARED = """dataset = "d"
[columns.x]
type = "number"
low = 0
high = 10
[columns.c]
type = "category"
values = ["no", "yes"]
"""
PLANNED = """total = { epsilon = 1 }
[[questions]]
ask = "histogram of c"
within = 10
[[questions]]
ask = "count by c"
weight = 2
[[questions]]
ask = "mean of x by c"
[[questions]]
ask = "median of x"
share = 0.1
"""
PEOPLE = """dataset = "d"
[unit]
person = "c"
rows = 2
cells = 1
[columns.x]
type = "number"
low = 0
high = 10
bins = [0, 5, 10]
"""
OF_PEOPLE = """total = { epsilon = 1 }
questions = ["people", "people by x", "count by x", "sum of x", "left out", "left out of x",
             "upper bound of x", "quantiles 0.1, 0.5 of x"]
[[known]]
ask = "histogram of x"
cell = ["[5, 10]"]
value = 0
"""
TEXTS = {
    "empty": b"", "one": b"1,no,-3.5,40.5\n", "ordinary": b"1,no,-3.5,40.5\n9,yes,-3.6,40.6\n" * 40,
    "hostile": b'"1,no,3\n2\n,,,,,,\n\xff,\xfe\0,"",""\n"a""b","yes\n1e999,nan,inf,-inf\n\n"\n'
               b"99999999999999999999999999,TRUE,-3.5,40.5\n" + b"x" * 200_000 + b",,,\n",
}
CELLS = {
    "empty": [], "one": [(1.0, "no", -3.5, 40.5)], "ordinary": [(1.0, "no", -3.5, 40.5)] * 40,
    "hostile": [(None, None, None, None), (float("nan"), "\0", float("inf"), -1e300),
                (1e300, "yes\n\"", -3.5, 95.0), (-0.0, "", 1e9, 40.5)],
}
TABLES = ["-", "csv", "tsv", "csv.gz", "parquet", "arrow", "duckdb", "sqlite", "postgres"]
SANITIZED = ["-", "csv", "tsv", "csv.gz", "parquet"]
PLACES = ["csv", "tsv", "parquet", "geojson", "gpx"]


@pytest.fixture(scope="module")
def server():
    with postgres.server() as url:
        yield url


def text(rows, ending):
    body = b"x,c,lon,lat\n" + TEXTS[rows]
    return body.replace(b",", b"\t") if ending == "tsv" else body


def points(rows):
    hostile = [[None], "x", [True, 1], [{}], [1e400], ["-3.5", "40.5"], [-3.5, 40.5]]
    pairs = hostile if rows == "hostile" else [[lon, lat] for _, _, lon, lat in CELLS[rows]]
    made = [{"type": "Feature", "geometry": {"type": "Point", "coordinates": pair},
             "properties": {}} for pair in pairs]
    whole = json.dumps({"type": "FeatureCollection", "features": made})
    if rows == "hostile":
        deep = '{"properties": {"a": ' + "[" * 5000 + "]" * 5000 + "}}"
        whole = whole.removesuffix("]}") + ", 7, null, " + deep + "]}"
    return whole


def track(rows):
    lines = "".join(f'<wpt lon="{lon}" lat="{lat}"/>' for _, _, lon, lat in CELLS[rows])
    if rows == "hostile":
        lines += '<wpt/><wpt lon="a" lat=""><name><![CDATA[<!ENTITY x "y">]]></name></wpt>'
    return f'<gpx version="1.1">{lines}</gpx>'


def written(folder, rows, ending, server):
    """What a command is told to read such rows."""
    file = folder / f"t.{ending}"
    if ending in ("csv", "tsv"):
        file.write_bytes(text(rows, ending))
    elif ending == "csv.gz":
        file.write_bytes(gzip.compress(text(rows, ending)))
    elif ending == "geojson":
        file.write_text(points(rows))
    elif ending == "gpx":
        file.write_text(track(rows))
    elif ending != "-":
        return table(file, CELLS[rows], ending, server)
    return (ending if ending == "-" else file.name,)


def table(file, rows, ending, server):
    columns = list(zip(*rows, strict=True)) or [()] * 4
    kinds = [pa.float64(), pa.string(), pa.float64(), pa.float64()]
    held = pa.table([pa.array(cells, kind) for cells, kind in zip(columns, kinds, strict=True)],
                    ["x", "c", "lon", "lat"])
    if ending == "parquet":
        pq.write_table(held, file)
    elif ending == "arrow":
        with pa.ipc.new_file(file, held.schema) as writer:
            writer.write_table(held)
    elif ending == "duckdb":
        with duckdb.connect(str(file)) as connection:
            connection.execute("CREATE TABLE t AS SELECT * FROM held")
    elif ending == "sqlite":
        with sqlite3.connect(file) as connection:
            connection.execute("CREATE TABLE t (x, c TEXT, lon, lat)")
            connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
            if len(rows) == 4:
                connection.execute("INSERT INTO t VALUES (CAST(x'ff31' AS TEXT), "
                                   "CAST(x'fffe00' AS TEXT), x'00', 1)")
    else:
        from sqlalchemy import create_engine

        engine = create_engine(server.replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE IF EXISTS t")
            connection.exec_driver_sql("CREATE TABLE t (x float8, c text, lon float8, lat float8)")
            for x, c, lon, lat in rows:
                plain = None if c is None else c.replace("\0", "?")
                connection.exec_driver_sql("INSERT INTO t VALUES (%s, %s, %s, %s)",
                                           (x, plain, lon, lat))
        engine.dispose()
        return server, "--table", "t"
    return (file.name, *(["--table", "t"] if ending in ("duckdb", "sqlite") else []))


BOOKS = ("--ledger", "books.sqlite", "--budget", "b")
REGION = ("--region", "-4,40,-3,41")
COMMANDS = {
    "count": (TABLES, ("release",), ("histogram of c", "--declaration", "d.toml",
                                     "--epsilon", 1, *BOOKS)),
    "mean": (TABLES, ("release",), ("mean of x by c", "--declaration", "d.toml",
                                    "--epsilon", 1, *BOOKS)),
    "plan": (TABLES, ("release",), ("--plan", "p.toml", "--declaration", "d.toml", *BOOKS,
                                    "-o", "p.json", "--force")),
    "plan of people": (TABLES, ("release",), (
        "--plan", "q.toml", "--declaration", "people.toml", "--ledger", "books.sqlite", "--budget",
        "people", "-o", "p.json", "--force")),
    "unplanned": (["csv", "parquet"], ("release",), ("--plan", "none.toml", "--declaration",
                                                     "d.toml", *BOOKS)),
    "unbooked": (TABLES, ("release",), ("median of x", "--declaration", "d.toml",
                                        "--epsilon", 1, "--unbooked")),
    "curve": (["csv", "tsv", "csv.gz", "parquet", "arrow"], ("curve",), (
        "--columns", "x,lon", "--people", 9, "--low", 0, "--high", 9, "--epsilon", 1)),
    "sanitize": (SANITIZED, ("sanitize",), (
        "--column", "c", "--values", "no/yes", "--column", "x", "--values", "bins:0,5,10",
        "--epsilon", 1, "-o", "out.csv", "--force")),
    "sanitize sets": (SANITIZED, ("sanitize",), (
        "--column", "c", "--values", "sets2:no/yes/maybe", "--column", "x", "--values",
        "bins:0,5,10", "--missing", "value", "--missing", 7, "--keep", "lon", "--protocol",
        "subset", "--shuffle", "--epsilon", 1, "-o", "out.csv", "--force")),
    "sanitize aims": (SANITIZED, ("sanitize",), (
        "--column", "x", "--values", "bins:0,2,5,10", "--aim", "mean", "--drop", "c", "--epsilon",
        1, "-o", "out.csv", "--documents", "kept.csv", "--force")),
    "sanitize plan": (SANITIZED, ("sanitize",), (
        "--column", "c", "--values", "no/yes", "--epsilon", 1, "--dry-run", "--assume-rows", 9)),
    "locate": (PLACES, ("locate", "blur"), (*REGION, "--within", "200m", "--factor", 2, "-o",
                                            "out.geojson", "--force")),
    "heatmap": (PLACES, ("locate", "heatmap"), (*REGION, "--cell", "50km", "--epsilon", 1, *BOOKS)),
    "network": (["csv", "tsv", "parquet"], ("network",), (
        "--nodes", "1..9", "--count", "edges", "--epsilon", 1)),
}
CASES = [(name, ending) for name, (endings, _, _) in COMMANDS.items() for ending in endings]


def shape(value):
    """The fields of an answer at every depth, and how long its lists are."""
    if isinstance(value, dict):
        return {name: shape(part) for name, part in value.items()}
    return [shape(part) for part in value] if isinstance(value, list) else None


def give(monkeypatch, content):
    """What comes on standard input."""
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content)))


@pytest.mark.parametrize(("command", "ending"), CASES)
def test_exit_code_messages_and_fields_are_those_of_an_ordinary_table(
    tightrope, folder, server, command, ending, monkeypatch
):
    ledger = Ledger.create("books.sqlite")
    ledger.open_budget(Budget("b", Scope("d", "row", "add-remove"), 100))
    ledger.open_budget(Budget("people", Scope("d", "person:c", "add-remove"), 100))
    (folder / "d.toml").write_text(DECLARED)
    (folder / "people.toml").write_text(PEOPLE)
    _, first, options = COMMANDS[command]
    told = {}
    for rows in ("ordinary", "empty", "one", "hostile"):
        (folder / f"t.{ending}").unlink(missing_ok=True)
        (folder / "p.toml").write_text(f'name = "{rows}"\n{PLANNED}')
        (folder / "q.toml").write_text(f'name = "{rows}"\n{OF_PEOPLE}')
        data = written(folder, rows, ending, server)
        give(monkeypatch, text(rows, ending))
        answer = tightrope(*first, *data, *options, "--json")
        fields = shape(answer.json) if answer.code == 0 else answer.out
        told[rows] = answer.code, answer.err, fields
    assert told["ordinary"][0] == (2 if command == "unplanned" else 0), told["ordinary"]
    assert {rows: said for rows, said in told.items() if said != told["ordinary"]} == {}


DECLARED_CELLS = {"c": ("no/yes", ["no", "yes"]), "x": ("bins:0,5,10", [1.5, 9.0]),
                  "s": ("sets:tea/milk", ["tea", "tea|milk"])}
ODD = ["", '"', '""', "nan", "1e999", "9" * 5000, "\0", "\x1b[31m", "<b>", "(missing)", "{}",
       "kept", "tea|tea", "|", "\u2028", "\u202e", "\ufeff", b"\xff", b"\xed\xa0\x80", b'"\xff']


@pytest.mark.parametrize("missing", [(), ("--missing", "value")], ids=["first", "value"])
@pytest.mark.parametrize("ending", SANITIZED)
def test_one_row_changes_no_other_row_and_no_document(
    tightrope, folder, ending, missing, monkeypatch
):
    """At ε = 240 all rows are as good as sure, so that others would be seen to change."""
    columns = [part for name, (values, _) in DECLARED_CELLS.items()
               for part in ("--column", name, "--values", values)]

    def outcome(odd):
        rows = [[cells[place % 2] for _, cells in DECLARED_CELLS.values()] + ["kept"]
                for place in range(9)]
        if odd is not None:
            rows[4][:3] = [odd] * 3
        content = lines([[*DECLARED_CELLS, "k"], *rows], "\t" if ending == "tsv" else ",")
        if ending == "parquet":
            write_typed(folder / "t.parquet", rows)
        elif ending != "-":
            (folder / f"t.{ending}").write_bytes(
                gzip.compress(content) if ending == "csv.gz" else content)
        give(monkeypatch, content)
        told = tightrope("sanitize", "-" if ending == "-" else f"t.{ending}", *columns, *missing,
                         "--epsilon", 240, "-o", "out.csv", "--force", "--json")
        made = (folder / "out.csv").read_bytes().split(b"\n")
        documents = [file.read_bytes() for file in sorted(folder.glob("out.csv.*.json"))]
        estimates = [tightrope("estimate", "out.csv", *options, "--json")
                     for options in ((), ("--joint",))]
        return (told.code, told.err, shape(told.json), len(documents), documents, len(made),
                made[:5] + made[6:], [(found.code, found.err, shape(found.json))
                                      for found in estimates])

    expected = outcome(None)
    assert expected[0] == 0
    assert expected[3] == 3
    for odd in ODD:
        assert outcome(odd) == expected, odd


def lines(rows, mark):
    return b"".join(mark.encode().join(
        cell if isinstance(cell, bytes) else str(cell).encode() for cell in row) + b"\n"
        for row in rows)


def write_typed(file, rows):
    """The rows as a typed file holds them: what is no number or text there is missing."""
    texts = [[cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell for cell in row]
             for row in rows]
    c, x, s, k = zip(*texts, strict=True)
    numbers = [cell if isinstance(cell, float) else float("inf" if cell == "1e999" else "nan")
               for cell in x]
    pq.write_table(pa.table({"c": [cell or None for cell in c], "x": numbers,
                             "s": [cell or None for cell in s], "k": list(k)}), file)


@pytest.mark.parametrize("options", [(), ("--joint",)], ids=["alone", "joint"])
@pytest.mark.parametrize("ending", SANITIZED)
def test_no_cell_in_clear_changes_an_estimate(tightrope, folder, ending, options, monkeypatch):
    (folder / "t.csv").write_text("c,x,k\n" + "no,1,a\nyes,9,b\n" * 20)
    tightrope("sanitize", "t.csv", "--column", "c", "--values", "no/yes", "--column", "x",
              "--values", "bins:0,5,10", "--epsilon", 4, "-o", "out.csv")
    asked = [part for name in ("c", "x")
             for part in ("--column", name, "--mechanism", f"out.csv.{name}.mechanism.json")]
    said = set()
    for odd in ("a", *ODD):
        cells = [[odd, "no", '"[0, 5)"'], ["b", "yes", '"[5, 10]"']] * 20
        content = lines([["k", "c", "x"], *([row[1], row[2], row[0]] for row in cells)], ",")
        content = content.replace(b"k,c,x", b"c,x,k", 1)
        if ending == "tsv":
            content = content.replace(b",", b"\t").replace(b"\t 5", b", 5").replace(b"\t 1", b", 1")
        if ending == "parquet":
            clear = odd.decode("utf-8", "replace") if isinstance(odd, bytes) else odd
            pq.write_table(pa.table({"c": ["no", "yes"] * 20, "x": ["[0, 5)", "[5, 10]"] * 20,
                                     "k": [clear, "b"] * 20}), folder / "u.parquet")
        elif ending != "-":
            (folder / f"u.{ending}").write_bytes(
                gzip.compress(content) if ending == "csv.gz" else content)
        give(monkeypatch, content)
        told = tightrope("estimate", "-" if ending == "-" else f"u.{ending}", *asked, *options,
                         "--json")
        said.add((told.code, told.err, told.out))
    assert len(said) == 1
    assert [code for code, _, _ in said] == [0]
