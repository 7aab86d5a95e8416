"""No row is lost or merged, by an independent reader: Python's csv module on the decoded text."""

import csv
import io
import re
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.files.examples import names_in, response, written
from tightrope.errors import BadInput, BadTable, SystemFailed
from tightrope.files import read_outputs, read_space, splitter
from tightrope.files.lines import text_of
from tightrope.files.sheets import read_sheet
from tightrope.spaces import path as line
from tightrope.tables import sanitization
from tightrope.tables.counting import count_column
from tightrope.tables.sanitization import sanitize_table
from tightrope.tables.tables import count_rows, open_table

FAITHFUL = 10**30  # a value changes with probability below 1e-28
HOSTILE = st.text(st.sampled_from('ab,"\n\r \t\0é\ufeff\u2028\x1c\x85'), max_size=40)
CELLS = st.text(st.sampled_from('ab,"\n\r \0é\ufeff\u2028\x1c\x85'), max_size=6)
SLOW = [HealthCheck.too_slow]
QUIET = settings(deadline=None, suppress_health_check=SLOW, max_examples=150, derandomize=True)
FEW = settings(QUIET, max_examples=25)


def by_csv(text: str, width: int) -> list[list[str]]:
    """The rows below the line of names, each line alone by Python's csv module."""
    rows = [next(csv.reader([line]), []) for line in re.split("\r\n|\r|\n", text)[1:]]
    if rows and not rows[-1]:
        rows.pop()  # nothing after the last end of a line
    return [[*row, *[""] * width][:width] for row in rows if row or width == 1]


def by_table(file: Path) -> list[list[str]]:
    return [
        [cell or "" for cell in row.values()]
        for batch in open_table(file).batches(batch_rows=3)
        for row in batch.to_pylist()
    ]


@QUIET
@given(st.integers(1, 3), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), HOSTILE)
def test_what_is_read_is_what_the_csv_module_reads_in_each_line(width, end, mark, body):
    text = ",".join("xyz"[:width]) + end + body
    with TemporaryDirectory() as folder:
        file = Path(folder) / "t.csv"
        file.write_bytes(b"\xef\xbb\xbf" * mark + text.encode())
        assert by_table(file) == by_csv(text, width)


@FEW
@given(st.data(), st.integers(1, 3), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_a_table_comes_out_with_the_rows_it_went_in_with(data, width, end, last):
    names = ["color", *"yz"[: width - 1]]
    plain = CELLS.map(lambda cell: re.sub("[\r\n]", "", cell))
    rows = data.draw(st.lists(
        st.tuples(st.sampled_from(["red", "green"]), *[plain] * (width - 1)), min_size=1
    ))
    held = io.StringIO(newline="")
    csv.writer(held, lineterminator=end, quoting=csv.QUOTE_ALL).writerows([names, *rows])
    text = held.getvalue() if last else held.getvalue().removesuffix(end)
    with TemporaryDirectory() as folder:
        source = Path(folder) / "in.csv"
        source.write_bytes(text.encode())
        for name in ("out.csv", "out.tsv", "out.parquet"):
            target = Path(folder) / name
            columns = [("color", response(("red", "green"), ratio=FAITHFUL))]
            assert sanitize_table(source, target, columns).rows == len(rows)
            assert count_rows(target, target) == len(rows)
            assert by_table(target) == [list(row) for row in rows]
        written = (Path(folder) / "out.csv").read_bytes().decode()
        assert by_csv(written, width) == [list(row) for row in rows]
        assert count_column(source, "color", ["red", "green"]).sum() == len(rows)


@QUIET
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1))
def test_a_written_row_is_one_line_whatever_it_holds(rows):
    columns = dict(zip("ab", map(list, zip(*rows, strict=True)), strict=True))
    text = text_of(pa.record_batch(columns), ",").decode()
    plain = [[re.sub("\r\n|\r|\n", " ", cell) for cell in row] for row in rows]
    assert by_csv("a,b\n" + text, 2) == plain


@pytest.mark.parametrize("body", ['no,"x\nyes,2\n', 'no,"x\nyes,2\nno,"y"\n', 'no,"x"y\nyes,2\n'])
def test_a_quote_too_many_ends_with_its_line(tmp_path, body):
    source = tmp_path / "t.csv"
    source.write_text("color,y\n" + body)
    rows = body.count("\n")
    columns = [("color", response(("no", "yes"), ratio=FAITHFUL))]
    assert sanitize_table(source, tmp_path / "out.csv", columns).rows == rows
    assert count_column(source, "color", ["no", "yes"]).tolist() == [rows - 1, 1]
    with pytest.raises(BadInput, match="not a readable table"):
        read_sheet(source)  # a matrix is public, and refused


def test_a_key_that_stands_twice_is_refused(tmp_path):
    (tmp_path / "m.json").write_text('[{"a": 1, "a": 2}]')
    with pytest.raises(BadInput, match="a key twice"):
        read_sheet(tmp_path / "m.json")


@pytest.mark.parametrize("start", ["csv", "parquet"])
def test_row_groups_tell_nothing_of_the_length_of_true_values(tmp_path, monkeypatch, start):
    monkeypatch.setattr(splitter, "BLOCK_BYTES", 1 << 12)
    groups = set()
    for color in ("a", "b" * 40):
        source, target = tmp_path / f"in.{start}", tmp_path / "out.parquet"
        held = pa.table({"color": [color] * 2500, "y": ["1"] * 2500})
        if start == "csv":
            source.write_text("color,y\n" + f"{color},1\n" * 2500)
        else:  # cut by size, as some writers do
            pq.write_table(held, source, row_group_size=4000 // len(color))
        columns = [("color", response(("a", "b" * 40)))]
        sanitize_table(source, target, columns, batch_rows=1000, force=True)
        about = pq.read_metadata(target)
        groups.add(tuple(about.row_group(k).num_rows for k in range(about.num_row_groups)))
    assert groups == {(1000, 1000, 500)}


@pytest.mark.parametrize("name", ["a\0b", "a\tb", "a\x1bb", "a\u202eb", "a\x85b"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_control_character_in_a_name_is_refused_and_not_shown(tmp_path, name, ending):
    file = tmp_path / f"t.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table({"c": ["1", "2"], name: ["yes", "no"]}), file)
    else:
        file.write_text(f'c,"{name}"\n1,yes\n2,no\n', newline="")
    with pytest.raises(BadTable, match="the name of column 2 holds the control character") as bad:
        open_table(file)
    assert "a" not in str(bad.value).removeprefix(str(file)).split("character")[1].split(";")[0]


def test_a_name_with_a_zero_character_never_swallows_the_first_row(tmp_path):
    source = written(tmp_path, "t.csv", "a\0b,c\n1,yes\n2,no\n3,yes\n")
    with pytest.raises(BadTable, match=r"U\+0000"):
        sanitize_table(source, tmp_path / "o.csv", [("c", response(("no", "yes")))])
    assert names_in(tmp_path) == {"t.csv"}


@pytest.mark.parametrize("end", ["csv", "parquet"])
@pytest.mark.parametrize("lost", [1, -1])
def test_a_row_lost_or_repeated_in_writing_is_noticed(tmp_path, monkeypatch, end, lost):
    source = written(tmp_path, "t.csv", "c\nno\nyes\nyes\n")
    whole = sanitization.writing

    @contextmanager
    def losing(*arguments):
        with whole(*arguments) as write:
            def some(batch):
                if lost < 0:
                    write(batch)
                write(batch.slice(1))
            yield some

    monkeypatch.setattr(sanitization, "writing", losing)
    with pytest.raises(SystemFailed, match="as many rows"):
        sanitize_table(source, tmp_path / f"o.{end}", [("c", response(("no", "yes")))])
    assert names_in(tmp_path) == {"t.csv"}


def test_a_row_added_between_the_two_readings_is_noticed(tmp_path, monkeypatch):
    source = written(tmp_path, "t.csv", "c\nno\nyes\n")
    check = sanitization._check

    def then_grown(*arguments):
        rows = check(*arguments)
        source.write_text("c\nno\nyes\nno\n")
        return rows

    monkeypatch.setattr(sanitization, "_check", then_grown)
    with pytest.raises(SystemFailed, match="as many rows"):
        sanitize_table(source, tmp_path / "o.csv", [("c", response(("no", "yes")))])
    assert names_in(tmp_path) == {"t.csv"}


def test_an_empty_line_of_a_single_column_is_a_missing_cell(tmp_path):
    assert read_sheet(written(tmp_path, "t.csv", "1\n\n3\n\n\n")).rows == (("1",), (None,), ("3",))
    assert read_sheet(written(tmp_path, "t.csv", "1,2\n\n3,4\n")).rows == (("1", "2"), ("3", "4"))


def test_a_first_edge_with_a_wrong_length_is_not_taken_for_names(tmp_path):
    file = written(tmp_path, "e.csv", "a,b,O.5\nb,c,1\nc,a,1\n")
    with pytest.raises(BadInput, match="the edge from a to b needs a number"):
        read_space(f"edges:{file}")
    file = written(tmp_path, "e.csv", "from,to,km\na,b,1/2\nb,c,1\n")
    assert list(read_space(f"edges:{file}").points) == ["a", "b", "c"]


def test_a_first_output_that_is_no_point_is_not_taken_for_a_name(tmp_path):
    file = written(tmp_path, "o.csv", "unknown\n0\n1\n2\n")
    assert [*map(str, read_outputs(file, line(0, 2)))] == ["unknown", "0", "1", "2"]
    file = written(tmp_path, "o.csv", "Outputs\n0\n1\n2\n")
    assert read_outputs(file, line(0, 2)) == (0, 1, 2)
