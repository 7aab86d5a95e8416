"""A hostile row counts as the row that its cells are read as, in every statistic of a release.

Each hostile row is released alone, which tells how it is read. Then a table with all of them must
have, in each of the sixteen statistics, the very numbers of a table in which rows that are read so
stand in their places: noise is drawn around these numbers, which only a test sees.
"""

import sqlite3
from ast import literal_eval

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tightrope.files import read_declaration
from tightrope.ledger import Budget, Ledger
from tightrope.releases import count, proving, releasing

COLUMNS = """dataset = "d"
[columns.x]
type = "number"
low = 0
high = 10
resolution = 1
missing = 9
bins = [0, 3, 6, 10]
[columns.c]
type = "category"
values = ["no", "yes", "3", "1"]
"""
PEOPLE = COLUMNS.replace("[columns.x]", '[unit]\nperson = "p"\nrows = 2\n[columns.x]')
VALUES = ("no", "yes", "3", "1")
STATISTICS = (
    "count", "sum of x", "mean of x", "variance of x", "median of x",
    "quantiles 0.25, 0.75 of x", "minimum of x", "maximum of x", "distribution of x",
    "histogram of c", "mode of c", "2 most frequent of c", "histogram of x and c",
    "proportion of c = 'no'", "counts of x > 3; c = 'yes'",
)
DIGITS = "9" * 5000
TEXTS = ["nan", "-nan", "inf", "-Infinity", "1e400", "-1e400", "1e-400", DIGITS, "-" + DIGITS,
         "0." + DIGITS, "2020-01-01", "12:00", "[1, 2]", "{}", "None", "NULL", "\u0663", "\uff13",
         "\u202e3", "3\u200b", "½", " 3", "3 ", "3.0", "03", "+3", "0x3", "1_0", "3e0", "true",
         "TRUE", "-0", "no ", "No", "n\0o", "b'no'", "3,0", "1e309", "١", "=3", "'", "\\N", "%s"]
BYTES = [b"\xff", b"\xed\xa0\x80", b"\xc3(", b"3\xff", b"\0", b"\xff\xfe3\0"]
NUMBERS = [float("nan"), float("inf"), float("-inf"), 1e308, -1e308, 5e-324, -0.0, 2.5, 3.0, 1e22,
           0.30000000000000004, 2.0**53, None]
CELLS = {  # of the column of numbers, and of the column of texts
    "csv": ([*(f'"{text}"'.encode() for text in TEXTS), *BYTES, b"", b'""', b'"3"x', b'3"'],) * 2,
    "sqlite": ([*TEXTS, *BYTES, *NUMBERS, 2**63 - 1, -(2**63)],) * 2,
    "parquet": (NUMBERS, [*TEXTS, None]),
    "duckdb": (NUMBERS, [*TEXTS[::4], DIGITS, None]),
}
ORDINARY = [(number, value, f"p{number}") for number, value in zip(
    [1, 2, 3, 4, 5, 7, 8] * 3, VALUES * 7, strict=False)]


def plain(cell, ending):
    """An ordinary cell as a source holds it."""
    return str(cell).encode() if ending == "csv" else cell


def written(folder, rows, ending):
    """What a command is told to read rows of x, c and a person."""
    file = folder / f"t.{ending}"
    file.unlink(missing_ok=True)
    if ending == "csv":
        file.write_bytes(b"x,c,p\n" + b"".join(b"%b,%b,%b\n" % tuple(
            cell if isinstance(cell, bytes) else str(cell).encode() for cell in row)
            for row in rows))
        return (file.name,)
    if ending == "sqlite":
        with sqlite3.connect(file) as connection:
            connection.execute("CREATE TABLE t (x, c, p)")
            for row in rows:
                held = ", ".join(f"CAST(x'{cell.hex()}' AS TEXT)" if isinstance(cell, bytes)
                                 else "?" for cell in row)
                connection.execute(f"INSERT INTO t VALUES ({held})",
                                   [cell for cell in row if not isinstance(cell, bytes)])
        return file.name, "--table", "t"
    columns = list(zip(*rows, strict=True))
    held = pa.table([pa.array(columns[0], pa.float64()), pa.array(columns[1], pa.string()),
                     pa.array(columns[2], pa.string())], ["x", "c", "p"])
    if ending == "parquet":
        pq.write_table(held, file)
        return (file.name,)
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM held")
    return file.name, "--table", "t"


@pytest.fixture
def numbers(tightrope, folder, monkeypatch):
    """Releases a statistic; gives the exit code, the words, and the numbers before noise."""
    seen, draw = [], proving.draw
    monkeypatch.setattr(proving, "draw", lambda mechanism, numbers, *source: (
        seen.append(numbers), draw(mechanism, numbers, *source))[1])
    monkeypatch.setattr(releasing, "fresh_key", lambda: bytes(range(32)))
    ledger = Ledger.create("books.sqlite")
    for unit, text in (("rows", COLUMNS), ("people", PEOPLE)):
        (folder / f"{unit}.toml").write_text(text)
        ledger.open_budget(Budget.of(unit, read_declaration(f"{unit}.toml"), epsilon=10_000))

    def released(rows, ending, question, unit="rows"):
        seen.clear()
        table, *more = written(folder, rows, ending)
        answer = tightrope("release", table, question, *more, "--declaration",
                           f"{unit}.toml", "--epsilon", 1, "--ledger", "books.sqlite",
                           "--budget", unit, "--json")
        return answer.code, answer.err, repr(seen)

    return released


def read_as(row, ending, numbers):
    """The plain row that a row is read as, by the sums of x in each cell of c that it has alone."""
    code, words, told = numbers([row], ending, "sum of x by c")
    assert (code, words) == (0, "")
    ((*sums,),) = literal_eval(told)
    assert len(sums) == len(VALUES)
    assert sum(map(bool, sums)) < 2
    value = next((value for value, total in zip(VALUES, sums, strict=True) if total), None)
    if row[0] == plain(3, ending):
        return row[0], plain(value or "left out", ending), row[2]
    return plain(sum(sums), ending), row[1], row[2]


@pytest.mark.parametrize("ending", CELLS)
def test_hostile_rows_count_as_the_plain_rows_that_they_are_read_as(numbers, ending):
    ordinary = [tuple(plain(cell, ending) for cell in row) for row in ORDINARY]
    first, second = CELLS[ending]
    hostile = [*((cell, plain("no", ending), plain("q", ending)) for cell in first),
               *((plain(3, ending), cell, plain("q", ending)) for cell in second)]
    clean = [read_as(row, ending, numbers) for row in hostile]
    assert len({row[:2] for row in clean}) > 4
    for question in STATISTICS:
        expected = numbers([*ordinary, *clean], ending, question)
        assert expected[:2] == (0, ""), expected
        for rows in ([*ordinary, *hostile], [*hostile, *ordinary]):
            assert numbers(rows, ending, question) == expected, question


@pytest.mark.parametrize("ending", CELLS)
def test_a_hostile_name_of_a_person_adds_that_person_alone(numbers, ending):
    def people(rows):
        code, words, told = numbers(rows, ending, "people", unit="people")
        assert (code, words) == (0, "")
        ((count,),) = literal_eval(told)
        return count

    ordinary = [tuple(plain(cell, ending) for cell in row) for row in ORDINARY]
    assert people(ordinary) == len({row[2] for row in ordinary})
    for cell in CELLS[ending][1][::5]:
        row = (*ordinary[0][:2], cell)
        assert people([row, *ordinary]) == people(ordinary) + people([row]), cell


@pytest.mark.parametrize("condition", ["c >= 3", "c = '3'", "not c = 'no'", "x != 3", "x = '3'",
                                       "c is missing or c in (1, 'yes')"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_hostile_cell_of_an_undeclared_column_counts_by_itself(folder, ending, condition):
    """In one call nothing is declared of a column that a condition names."""
    def counted(rows):
        (table,) = written(folder, rows, ending)
        return count(table, epsilon=10_000, where=condition).value

    first, second = CELLS[ending]
    hostile = [*((cell, plain("no", ending), plain("q", ending)) for cell in first),
               *((plain(3, ending), cell, plain("q", ending)) for cell in second)]
    alone = [counted([row]) for row in hostile]
    assert 0 < sum(alone) < len(hostile)
    assert counted(hostile) == sum(alone)
