"""Sanitizing: the declared columns are drawn, all else is kept, and failures change nothing."""

from __future__ import annotations

import gzip
import io
import sys
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from tests.files.examples import names_in, response, response_on, written
from tightrope.errors import BadInput, BadTable, NotCertified, Refused, SystemFailed
from tightrope.exact import Level, Weights
from tightrope.files import splitter
from tightrope.mechanisms import MatrixMechanism, NoiseMechanism, TableMechanism, cascade
from tightrope.privacy import Certified, certified
from tightrope.samplers import SeededSource, draw_indices
from tightrope.spaces import graph, hamming, path
from tightrope.tables.sanitization import Randomized, sanitize_table

# With this ratio a value changes with probability below 1e-28, so that what comes out can be
# compared with what went in.
FAITHFUL = 10**30
COLORS = ("red", "green", "blau, grün")


def faithful(values: int | tuple[str, ...] = COLORS) -> Certified:
    return response(values, ratio=FAITHFUL)


def read(path: Path) -> pa.Table:
    return pq.read_table(path) if path.suffix == ".parquet" else pacsv.read_csv(path)


def as_text(column: pa.ChunkedArray) -> list[str]:
    """Values as text, which is what a number becomes in CSV; a missing one as nothing."""
    return ["" if value is None else str(value) for value in column.to_pylist()]


@pytest.fixture
def survey() -> pa.Table:
    rows = 1000
    return pa.table(
        {
            "id": pa.array(range(rows), pa.int32()),
            "color": [COLORS[i % 3] for i in range(rows)],
            "weight": [None if i % 7 == 0 else i + 0.5 for i in range(rows)],
            "note": ['say "hi", twice' if i % 5 else None for i in range(rows)],
        }
    )


@pytest.mark.parametrize("end", ["parquet", "csv", "tsv"])
@pytest.mark.parametrize("start", ["parquet", "csv"])
def test_a_table_keeps_its_rows_and_their_order_in_every_format(
    tmp_path: Path, survey: pa.Table, start: str, end: str
) -> None:
    source, target = tmp_path / f"in.{start}", tmp_path / f"out.{end}"
    if start == "parquet":
        pq.write_table(survey, source)
    else:
        pacsv.write_csv(survey, source)
    done = sanitize_table(source, target, [("color", faithful())], batch_rows=64)
    assert (done.rows, done.randomized, done.clear) == (
        1000, ("color",), ("id", "weight", "note", "(order of rows)"))
    assert 0 < done.seconds_drawing < done.seconds
    if end == "tsv":
        found = pacsv.read_csv(target, parse_options=pacsv.ParseOptions(delimiter="\t"))
    else:
        found = read(target)
    expected = read(source)
    for name in survey.column_names:
        assert as_text(found.column(name)) == as_text(expected.column(name))
    assert names_in(tmp_path) == {source.name, target.name}


def test_types_of_drawn_columns_follow_from_what_is_declared(tmp_path: Path) -> None:
    kinds = [
        pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()),
    ]  # fmt: skip
    table = pa.table(
        {
            **{f"t{i}": pa.array(["a", "b"] * 50).cast(kind) for i, kind in enumerate(kinds)},
            "small": pa.array([0, 1] * 50, pa.int8()),
            "wide": pa.array([0, 1] * 50, pa.uint64()),
            "truth": [True, False] * 50,
            "nested": [[1, 2]] * 100,
            "when": pa.array([0] * 100, pa.timestamp("us", "UTC")),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    text, number = faithful(("a", "b")), faithful(2)
    columns = [*((f"t{i}", text) for i in range(3)), ("small", number), ("wide", number)]
    columns.append(("truth", faithful(("false", "TRUE"))))
    sanitize_table(tmp_path / "in.parquet", tmp_path / "out.parquet", columns)
    found = pq.read_table(tmp_path / "out.parquet")
    text_type, number_type = [pa.string()] * 3, [pa.int64()] * 2
    kept = [table.schema.field(name).type for name in ("nested", "when")]
    assert found.schema.types == [*text_type, *number_type, pa.bool_(), *kept]
    assert found.schema.metadata is None
    assert found.to_pydict() == table.to_pydict()


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
def test_parquet_keeps_its_compression(tmp_path: Path, codec: str) -> None:
    pq.write_table(pa.table({"c": [0, 1] * 50}), tmp_path / "in.parquet", compression=codec)
    sanitize_table(tmp_path / "in.parquet", tmp_path / "out.parquet", [("c", faithful(2))])
    used = [
        pq.ParquetFile(tmp_path / name).metadata.row_group(0).column(0).compression
        for name in ("in.parquet", "out.parquet")
    ]
    assert used[0] == used[1]


def test_what_is_written_is_what_the_sampler_drew(tmp_path: Path) -> None:
    codes = np.arange(5000) % 4
    pq.write_table(pa.table({"c": codes}), tmp_path / "in.parquet")
    certified_ = response(4)
    sanitize_table(
        tmp_path / "in.parquet", tmp_path / "out.parquet", [("c", certified_)],
        source_of_entropy=SeededSource(5), allow_seeded=True,
    )  # fmt: skip
    drawn = draw_indices(certified_, codes, SeededSource(5))
    assert pq.read_table(tmp_path / "out.parquet")["c"].to_numpy().tolist() == drawn.tolist()
    assert drawn.tolist() != codes.tolist()


def test_two_runs_draw_differently(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": [0, 1] * 500}), tmp_path / "in.parquet")
    for name in ("one", "two"):
        out = tmp_path / f"{name}.parquet"
        sanitize_table(tmp_path / "in.parquet", out, [("c", response(2))])
    one, two = (pq.read_table(tmp_path / f"{name}.parquet") for name in ("one", "two"))
    assert one != two


def test_several_columns_are_drawn_each_with_its_own_mechanism(tmp_path: Path) -> None:
    source = written(tmp_path, "in.csv", "a,b,c\nx,1,keep\ny,0,keep\n")
    columns = [("b", faithful(2)), ("a", faithful(("x", "y")))]
    done = sanitize_table(source, tmp_path / "out.csv", columns)
    assert (done.randomized, done.clear) == (("b", "a"), ("c", "(order of rows)"))
    assert (tmp_path / "out.csv").read_text() == source.read_text()


def test_cells_in_clear_come_out_of_csv_as_they_went_in(tmp_path: Path) -> None:
    text = (
        'zip,c,"weight, kg",näme,empty,quoted\n'
        '007,yes,1.10,"Zoë ""Z"" Ü",,""\n'
        '1e5,no,NA,"two, parts",null,x\n'
        '2026-01-01,yes,True, spaced ,nan,\'\n'
    )
    source = written(tmp_path, "in.csv", text)
    sanitize_table(source, tmp_path / "out.csv", [("c", faithful(("no", "yes")))])
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == text


def test_lines_are_rows_wherever_the_file_is_cut_into_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(splitter, "BLOCK_BYTES", 100)
    text = "c,d\n" + "".join(f'yes,"a{i} ""b"", c"\n' for i in range(200))
    source = written(tmp_path, "in.csv", text)
    sanitize_table(source, tmp_path / "out.csv", [("c", faithful(("no", "yes")))])
    assert (tmp_path / "out.csv").read_text() == text


def test_line_ends_and_a_byte_order_mark_are_understood(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(b"\xef\xbb\xbfc,d\r\nyes,1\r\nno,2\r\n")
    sanitize_table(source, tmp_path / "out.csv", [("c", faithful(("no", "yes")))])
    assert (tmp_path / "out.csv").read_bytes() == b"c,d\nyes,1\nno,2\n"


def test_a_label_is_matched_in_whole(tmp_path: Path) -> None:
    for cell in ("Yes", "yes ", " yes", "01", "1.5", "+1", "ye"):
        source = written(tmp_path, "in.csv", f"c,d\n{cell},1\n")
        for declared in (faithful(("no", "yes")), faithful(2)):
            with pytest.raises(BadTable, match="outside the declared"):
                sanitize_table(source, tmp_path / "out.csv", [("c", declared)], curator=True)


def test_integer_noise_and_its_outputs_are_whole_numbers(tmp_path: Path) -> None:
    level = Level.ratio(2)
    noise = certified(NoiseMechanism(path(-5, 10**12), Fraction(2)), level)
    table = pa.table({"n": [-5, 7, 10**9] * 100, "s": ["-5", "0", "12"] * 100})
    pq.write_table(table, tmp_path / "in.parquet")
    sanitize_table(tmp_path / "in.parquet", tmp_path / "o.parquet", [("n", noise), ("s", noise)])
    found = pq.read_table(tmp_path / "o.parquet")
    assert found.schema.types == [pa.int64(), pa.int64()]
    moved = found["n"].to_numpy() - table["n"].to_numpy()
    assert 0 < np.abs(moved).max() < 200
    assert all(abs(int(text)) < 300 for text in found["s"].to_pylist())
    for bad in (-6, 10**12 + 1):
        pq.write_table(pa.table({"n": [bad]}), tmp_path / "bad.parquet")
        with pytest.raises(BadTable, match="outside the declared"):
            sanitize_table(tmp_path / "bad.parquet", tmp_path / "x.parquet", [("n", noise)],
                           curator=True)
    wild = pa.table({"n": [-(2**62), None], "s": ["7" * 40, "-9"]})
    pq.write_table(wild, tmp_path / "wild.parquet")
    sanitize_table(tmp_path / "wild.parquet", tmp_path / "y.parquet", [("n", noise), ("s", noise)])
    ends = pq.read_table(tmp_path / "y.parquet")
    assert all(abs(int(cell) + 5) < 300 for cell in [*ends["n"].to_pylist(),
                                                     *ends["s"].to_pylist()])


def test_outputs_of_another_kind_have_the_type_of_what_is_declared(tmp_path: Path) -> None:
    merged = cascade(response(3).mechanism, [[1, 0], [0, 1], [0, 1]], ("low", "high"))
    proved = certified(merged, Level.ratio(3))
    source = written(tmp_path, "in.csv", "c,d\n" + "0,x\n1,x\n2,x\n" * 30)
    sanitize_table(source, tmp_path / "out.csv", [("c", proved)])
    assert set(read(tmp_path / "out.csv")["c"].to_pylist()) == {"low", "high"}
    pq.write_table(pa.table({"c": [0, 1, 2]}), tmp_path / "in.parquet")
    sanitize_table(tmp_path / "in.parquet", tmp_path / "out.parquet", [("c", proved)])
    assert pq.read_table(tmp_path / "out.parquet").schema.field("c").type == pa.string()


def test_a_mechanism_for_a_whole_table_wants_its_number_of_rows(tmp_path: Path) -> None:
    base = faithful(2)
    source = written(tmp_path, "in.csv", "c,d\n" + "0,x\n1,y\n" * 50)
    exact = certified(TableMechanism(base.mechanism, 100), base.certificate.level)
    sanitize_table(source, tmp_path / "out.csv", [("c", exact)], batch_rows=7)
    assert (tmp_path / "out.csv").read_text() == source.read_text()
    other = certified(TableMechanism(base.mechanism, 99), base.certificate.level)
    with pytest.raises(BadTable, match="for a table of 99 rows, found 100"):
        sanitize_table(source, tmp_path / "no.csv", [("c", other)])
    assert names_in(tmp_path) == {"in.csv", "out.csv"}


def test_progress_is_told_in_rows_written(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": [0, 1] * 50}), tmp_path / "in.parquet")
    told: list[int] = []
    sanitize_table(
        tmp_path / "in.parquet", tmp_path / "out.parquet", [("c", response(2))],
        batch_rows=40, progress=told.append,
    )  # fmt: skip
    assert told == [40, 80, 100]


# ---- refusals -------------------------------------------------------------------------------


@pytest.fixture(params=["parquet", "csv"])
def spoiled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A table with 2 missing values and 3 outside the declared ones, near its end."""
    cells = ["no", "yes"] * 200 + ["secret-a", None, "secret-b", "secret-b", None, "no"]
    table = pa.table({"c": cells, "d": range(len(cells))})
    path = tmp_path / f"in.{request.param}"
    if request.param == "parquet":
        pq.write_table(table, path)
    else:
        pacsv.write_csv(table, path)
    yield path
    assert names_in(tmp_path) == {path.name, "out.csv"}


def test_a_value_outside_the_declared_ones_counts_as_the_first_without_a_word(
    tmp_path: Path, spoiled: Path
) -> None:
    target, drawn = tmp_path / "out.csv", []
    done = sanitize_table(
        spoiled, target, [("c", faithful(("no", "yes")))],
        batch_rows=50, progress=drawn.append,
    )  # fmt: skip
    assert read(target)["c"].to_pylist() == ["no", "yes"] * 200 + ["no"] * 6
    assert (done.rows, drawn[-1]) == (406, 406)
    assert "secret" not in repr(done)


def test_a_curator_is_told_how_many_and_which(tmp_path: Path, spoiled: Path) -> None:
    target = written(tmp_path, "out.csv", "as it was")
    with pytest.raises(BadTable, match="curator only, not private") as caught:
        sanitize_table(
            spoiled, target, [("c", response(("no", "yes")))], force=True, curator=True
        )
    assert "2 missing values and 3 values outside" in str(caught.value)
    assert "'secret-b' (2), 'secret-a' (1)" in str(caught.value)
    assert caught.value.values["values"] == {"secret-b": 2, "secret-a": 1}
    assert target.read_text() == "as it was"


@pytest.mark.parametrize("kind", [pa.string(), pa.int64(), pa.bool_()])
def test_a_missing_value_counts_as_the_first_in_every_type(
    tmp_path: Path, kind: pa.DataType
) -> None:
    column = pa.array([None, 1, 0]).cast(pa.int64()).cast(kind)
    pq.write_table(pa.table({"c": column}), tmp_path / "in.parquet")
    sanitize_table(tmp_path / "in.parquet", tmp_path / "out.parquet", [("c", faithful(2))])
    assert pq.read_table(tmp_path / "out.parquet")["c"].to_pylist() == [0, 1, 0]


def test_an_empty_line_in_a_single_column_is_a_missing_value(tmp_path: Path) -> None:
    source = written(tmp_path, "in.csv", "c\n0\n\n1\n")
    with pytest.raises(BadTable, match="1 missing values"):
        sanitize_table(source, tmp_path / "out.csv", [("c", response(2))], curator=True)


def test_only_a_certified_mechanism_is_run(tmp_path: Path) -> None:
    source = written(tmp_path, "in.csv", "c,d\n0,1\n")
    with pytest.raises(NotCertified):
        sanitize_table(source, tmp_path / "o.csv", [("c", response(2).mechanism)])  # type: ignore[list-item]


def test_a_seeded_source_is_refused_unless_a_test_says_so(tmp_path: Path) -> None:
    source = written(tmp_path, "in.csv", "c,d\n0,1\n")
    columns = [("c", response(2))]
    with pytest.raises(Refused, match="seeded"):
        sanitize_table(source, tmp_path / "o.csv", columns, source_of_entropy=SeededSource(1))
    assert names_in(tmp_path) == {"in.csv"}


def refused(
    tmp_path: Path, source: Path, name: str = "c", to: str = "o.csv", *, curator: bool = False
) -> str:
    """The sentence of a refusal that leaves the folder as it was."""
    before = names_in(tmp_path)
    with pytest.raises(BadInput) as caught:
        sanitize_table(source, tmp_path / to, [(name, response(2))], curator=curator)
    assert names_in(tmp_path) == before
    return str(caught.value)


def test_an_unknown_column_is_refused_with_those_that_were_declared(tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"ä": ["0"], "b": ["1"]}), source)
    assert "has no column 'c'; its columns are ä, b" in refused(tmp_path, source)


def test_the_first_row_of_a_table_without_names_is_told_to_its_curator_only(
    tmp_path: Path,
) -> None:
    source = written(tmp_path, "in.csv", "Alice,positive\nBob,negative\n")
    for word in ("Alice", "positive"):
        assert word not in refused(tmp_path, source)
        assert word in refused(tmp_path, source, curator=True)


def test_a_column_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    source = written(tmp_path, "in.csv", "c,c\n0,1\n")
    assert "several columns named 'c'" in refused(tmp_path, source)
    source = written(tmp_path, "in.csv", "c,d,d\n0,1,2\n")
    sanitize_table(source, tmp_path / "out.csv", [("c", faithful(2))])
    assert (tmp_path / "out.csv").read_text() == source.read_text()


def test_a_column_asked_for_twice_or_none_is_refused(tmp_path: Path) -> None:
    source = written(tmp_path, "in.csv", "c,d\n0,1\n")
    for columns, sentence in [([], "at least one"), ([("c", response(2))] * 2, "named twice")]:
        with pytest.raises(BadTable, match=sentence):
            sanitize_table(source, tmp_path / "o.csv", columns)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("in.csv", b"", "names no column 'c' in its first line"),
        ("in.parquet", b"PAR1 nonsense", "is not a readable table"),
        ("in.parquet", b"", "is not a readable table"),
        ("in.csv.gz", b"\x1f\x8b", "names no column 'c' in its first line"),
        ("in.csv.bz2", b"c\n", "expected a name that ends in"),
        ("in.xlsx", b"", "found '.xlsx'"),
        ("in", b"", "no extension"),
    ],
)
def test_tables_that_cannot_be_read_are_refused(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert sentence.lower() in refused(tmp_path, tmp_path / name).lower()


@pytest.mark.parametrize("name", ["in.csv.gz", "in.tsv.gz", "-"])
def test_text_is_read_compressed_and_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    content = b'c,d\n0,007\n1,"x, y"\n,\n'
    (tmp_path / "out.csv").touch()
    if name == "-":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        source: str | Path = name
    else:
        source = tmp_path / name
        source.write_bytes(gzip.compress(
            content if "csv" in name else b"c\td\n0\t007\n1\tx, y\n\t\n"))
    sanitize_table(source, tmp_path / "out.csv", [("c", faithful(2))], force=True)
    assert (tmp_path / "out.csv").read_bytes() == b'c,d\n0,007\n1,"x, y"\n0,\n'


@pytest.mark.parametrize("content", [b"c,d\n", b"c,d\n\n\n", b"c,d"])
def test_a_text_without_rows_is_answered_with_one(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "in.csv").write_bytes(content)
    assert sanitize_table(tmp_path / "in.csv", tmp_path / "o.csv", [("c", response(2))]).rows == 0
    assert (tmp_path / "o.csv").read_bytes() == b"c,d\n"


def test_a_parquet_without_rows_is_answered_with_one(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": pa.array([], pa.int64())}), tmp_path / "in.parquet")
    target = tmp_path / "o.parquet"
    assert sanitize_table(tmp_path / "in.parquet", target, [("c", response(2))]).rows == 0
    assert pq.read_table(target).num_rows == 0


@pytest.mark.parametrize("line", [b"secret", b"1,2,3", b'"1,', b"\xff,\0", b",", b'"",""'])
def test_an_odd_line_is_a_row_and_changes_no_other(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "in.csv").write_bytes(b"c,d\n0,1\n" + line + b"\n1,2\n")
    done = sanitize_table(tmp_path / "in.csv", tmp_path / "o.csv", [("c", faithful(2))])
    first, *_, last = (tmp_path / "o.csv").read_bytes().splitlines()[1:]
    assert (done.rows, first, last) == (3, b"0,1", b"1,2")


def test_columns_that_hold_no_categories_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"l": [[0], [1]]}), tmp_path / "in.parquet")
    sentence = refused(tmp_path, tmp_path / "in.parquet", "l", "o.parquet")
    assert "expected text, numbers or true/false" in sentence


def test_columns_that_text_cannot_hold_are_refused_before_anything_is_drawn(
    tmp_path: Path,
) -> None:
    for column in ([[0], [1]], [b"x", b"y"], [{"a": 1}, {"a": 2}]):
        pq.write_table(pa.table({"c": [0, 1], "other": column}), tmp_path / "in.parquet")
        assert "write a .parquet file instead" in refused(tmp_path, tmp_path / "in.parquet")


def test_times_decimals_and_truth_values_become_text(tmp_path: Path) -> None:
    table = pa.table(
        {
            "c": [0, 1],
            "when": pa.array([0, None], pa.timestamp("ms", "UTC")),
            "price": pa.array(["1.50", "2.00"]).cast(pa.decimal128(5, 2)),
            "truth": [True, None],
            "kind": pa.array(["x", "a,b"]).dictionary_encode(),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    sanitize_table(tmp_path / "in.parquet", tmp_path / "out.csv", [("c", faithful(2))])
    assert (tmp_path / "out.csv").read_text() == (
        'c,when,price,truth,kind\n0,1970-01-01 00:00:00.000Z,1.50,true,x\n1,,2.00,,"a,b"\n'
    )


def test_declared_values_that_a_column_cannot_hold_are_refused(tmp_path: Path) -> None:
    table = pa.table({"n": pa.array([0], pa.int8()), "b": [True], "t": ["(0, 0)"]})
    pq.write_table(table, tmp_path / "in.parquet")
    pairs = response_on(hamming(values=2, people=1), 3)
    for name, certified_, sentence in [
        ("n", response(("low", "high")), "'low' cannot stand"),
        ("n", response(200), "too narrow"),
        ("b", response(3), "2 cannot stand"),
        ("b", response(("1", "true")), "two declared values are the same"),
        ("t", pairs, "cannot stand"),
    ]:
        with pytest.raises(BadTable, match=sentence):
            sanitize_table(tmp_path / "in.parquet", tmp_path / "o.csv", [(name, certified_)])


def test_nothing_is_overwritten_and_a_table_is_never_replaced_by_its_copy(tmp_path: Path) -> None:
    source = written(tmp_path, "in.csv", "c,d\n0,1\n")
    other = written(tmp_path, "out.csv", "old")
    assert "exists and is left" in refused(tmp_path, source, to="out.csv")
    assert other.read_text() == "old"
    with pytest.raises(BadTable, match="is the table itself"):
        sanitize_table(source, source, [("c", faithful(2))], force=True)
    assert source.read_text() == "c,d\n0,1\n"
    sanitize_table(source, other, [("c", faithful(2))], force=True)
    assert other.read_text() == "c,d\n0,1\n"


def test_a_table_that_changes_between_the_two_readings_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tightrope.tables import sanitization

    source = written(tmp_path, "in.csv", "c,d\n0,1\n")
    check = sanitization._check

    def then_change(*given: object) -> None:
        check(*given)  # type: ignore[arg-type]
        written(tmp_path, "in.csv", "c,d\n0,1\n1,1\n")

    monkeypatch.setattr(sanitization, "_check", then_change)
    with pytest.raises(SystemFailed, match="was the table changed while it was read"):
        sanitize_table(source, tmp_path / "o.csv", [("c", response(2))])
    assert names_in(tmp_path) == {"in.csv"}


def test_what_the_file_said_about_the_true_column_is_not_carried_along(tmp_path: Path) -> None:
    true = pa.array(["a"] * 10).dictionary_encode()
    table = pa.table({"c": true, "d": range(10)})
    table = table.replace_schema_metadata({"summary": "column c is always a"})
    pq.write_table(table, tmp_path / "in.parquet")
    sanitize_table(
        tmp_path / "in.parquet", tmp_path / "out.parquet", [("c", response(("a", "b", "z")))]
    )
    found = pq.ParquetFile(tmp_path / "out.parquet")
    assert b"summary" not in (found.metadata.metadata or {})
    assert b"always" not in (tmp_path / "out.parquet").read_bytes()


# ---- size -----------------------------------------------------------------------------------


def peak(source: Path, target: Path) -> tuple[Randomized, float]:
    """What sanitizing a table does, and the most memory it held, in megabytes."""
    own, before = pa.proxy_memory_pool(pa.default_memory_pool()), pa.default_memory_pool()
    pa.set_memory_pool(own)
    tracemalloc.start()
    try:
        done = sanitize_table(source, target, [("c", response(10))], batch_rows=2**16, force=True)
        return done, (own.max_memory() + tracemalloc.get_traced_memory()[1]) / 1e6
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(before)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["parquet", "csv"])
def test_memory_is_bounded_by_a_batch_whatever_the_size_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(splitter, "BLOCK_BYTES", 2**16)
    batch = pa.table({"c": np.arange(2**17) % 10, "x": np.arange(2**17) * 0.37})
    found = []
    for parts in (1, 4, 16):
        source = tmp_path / f"{parts}.{end}"
        kind = pq.ParquetWriter if end == "parquet" else pacsv.CSVWriter
        with kind(source, batch.schema) as writer:
            for _ in range(parts):
                writer.write_table(batch)
        done, megabytes = peak(source, tmp_path / f"out.{end}")
        assert done.rows == parts * 2**17
        found.append(megabytes)
    _, small, large = found  # the first run also loads what is used for the first time
    assert large < 1.3 * small


def test_a_space_of_several_components_is_refused(tmp_path: Path) -> None:
    space = graph("abcd", [(0, 1), (2, 3)])
    rows = Weights.from_integers([[1, 0, 0, 0]] * 2 + [[0, 0, 1, 0]] * 2)
    told = certified(MatrixMechanism(space, space.points, rows), Level.ratio(2))
    source = written(tmp_path, "t.csv", "x\na\nd\n")
    with pytest.raises(BadInput, match="no path joins a and c"):
        sanitize_table(source, tmp_path / "out.csv", [("x", told)])
    assert not (tmp_path / "out.csv").exists()


def test_a_table_that_was_not_written_whole_does_not_appear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are counted again in the file."""
    table = written(tmp_path, "in.csv", "color\nred\ngreen\n")
    monkeypatch.setattr("tightrope.tables.sanitization.count_rows", lambda *_: 1)
    with pytest.raises(SystemFailed, match="as many rows"):
        sanitize_table(table, tmp_path / "out.csv", [("color", faithful())])
    assert names_in(tmp_path) == {"in.csv"}
