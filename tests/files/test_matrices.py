"""Matrices and vectors from files: written numbers exactly, doubles as they are."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.files.examples import written
from tightrope.errors import BadInput, BadMatrix
from tightrope.files import read_matrix, read_vector

HALVES = [[0.5, 0.25, 0.25], [0.125, 0.375, 0.5]]
BODY = "0.5,0.25,0.25\n.125,375e-3,0.5\n"


@pytest.mark.parametrize(
    ("rows", "columns", "text"),
    [
        (None, None, BODY),
        (None, ("a", "b", "c"), "a,b,c\n" + BODY),
        (("u", "v"), None, "u,0.5,0.25,0.25\nv,.125,375e-3,0.5\n"),
        (("u", "v"), ("a", "b", "c"), "in,a,b,c\nu,0.5,0.25,0.25\nv,.125,375e-3,0.5\n"),
        ((0, 1), (0, 1, 2), ",0,1,2\n0,0.5,0.25,0.25\n1,.125,375e-3,0.5\n"),
    ],
)
def test_labels_of_a_matrix_are_told_from_its_numbers(
    tmp_path: Path, rows: tuple[object, ...], columns: tuple[object, ...], text: str
) -> None:
    found = read_matrix(written(tmp_path, "m.csv", text))
    assert found.values.tolist() == HALVES
    assert (found.row_labels, found.column_labels) == (rows, columns)
    assert found.exact == tuple(tuple(map(Fraction, row)) for row in HALVES)


def test_a_first_row_of_numbers_is_a_row_of_numbers(tmp_path: Path) -> None:
    found = read_matrix(written(tmp_path, "m.csv", "0,1,2\n" + BODY))
    assert found.values.tolist() == [[0, 1, 2], *HALVES]
    assert found.column_labels is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.csv", "0.1,0.9\n3e-1,.7\n"),
        ("d.tsv", "0.1\t0.9\n0.3\t0.70\n"),
        ("d.json", "[[0.1, 0.9], [0.3, 0.7]]"),
        ("d.json", '[{"a": 0.1, "b": 0.9}, {"a": 0.3, "b": 7e-1}]'),
        ("d.json", '{"rows": [[0.1, 0.9], ["3/10", 0.7]]}'),
    ],
)
def test_a_written_decimal_is_that_number(tmp_path: Path, name: str, text: str) -> None:
    found = read_matrix(written(tmp_path, name, text)).weights()
    tenths = [(1, 9), (3, 7)]
    assert [found.row(i) for i in (0, 1)] == [
        tuple(Fraction(k, 10) for k in row) for row in tenths
    ]


def test_doubles_that_arrive_as_doubles_stay_doubles(tmp_path: Path) -> None:
    rows = np.array([[0.1, 0.9], [0.5, 0.5]])
    np.save(tmp_path / "d.npy", rows)
    pq.write_table(pa.table({"a": rows[:, 0], "b": rows[:, 1]}), tmp_path / "d.parquet")
    for name in ("d.npy", "d.parquet"):
        found = read_matrix(tmp_path / name)
        assert found.exact is None
        assert found.weights().row(0)[0] == Fraction(0.1) / (Fraction(0.1) + Fraction(0.9))
    tenth = pa.array([Decimal("0.1"), Decimal("0.2")], pa.decimal128(3, 2))
    pq.write_table(pa.table({"a": tenth}), tmp_path / "exact.parquet")
    assert read_matrix(tmp_path / "exact.parquet").exact == ((Fraction(1, 10),), (Fraction(1, 5),))
    np.save(tmp_path / "whole.npy", np.array([[2**60 + 1]]))
    assert read_matrix(tmp_path / "whole.npy").exact == ((2**60 + 1,),)


def test_fractions_are_exact_beside_decimals(tmp_path: Path) -> None:
    exact = read_matrix(written(tmp_path, "e.csv", "0.1,9/10\n1/3,2/3\n"))
    assert exact.exact == ((Fraction(1, 10), Fraction(9, 10)), (Fraction(1, 3), Fraction(2, 3)))
    assert exact.weights().row(1) == (Fraction(1, 3), Fraction(2, 3))
    assert exact.row_error == 0


def test_json_parquet_and_numpy_hold_matrices_too(tmp_path: Path) -> None:
    written(tmp_path, "m.json", json.dumps(HALVES))
    np.save(tmp_path / "m.npy", np.array(HALVES))
    pq.write_table(
        pa.table({str(j): [row[j] for row in HALVES] for j in range(3)}), tmp_path / "m.parquet"
    )
    for name in ("m.json", "m.npy", "m.parquet"):
        assert read_matrix(tmp_path / name).values.tolist() == HALVES
    assert read_matrix(tmp_path / "m.parquet").column_labels == (0, 1, 2)
    labeled = {"rows": [["1/2", 0.5]], "row_labels": ["u"], "column_labels": ["a", "b"]}
    found = read_matrix(written(tmp_path, "n.json", json.dumps(labeled)))
    assert (found.exact, found.row_labels) == (((Fraction(1, 2),) * 2,), ("u",))


def test_a_data_frame_with_an_index_comes_back_with_its_labels(tmp_path: Path) -> None:
    import pandas as pd

    frame = pd.DataFrame(HALVES, index=["u", "v"], columns=["a", "b", "c"])
    frame.to_csv(tmp_path / "m.csv")
    found = read_matrix(tmp_path / "m.csv")
    assert found.values.tolist() == HALVES
    assert (found.row_labels, found.column_labels) == (("u", "v"), ("a", "b", "c"))


def test_rows_may_miss_one_by_a_slip_which_is_told(tmp_path: Path) -> None:
    slip = read_matrix(written(tmp_path, "m.csv", "0.3333333,0.6666666\n0.5,0.5\n"))
    assert sum(slip.weights().row(0)) == 1
    assert slip.row_error == pytest.approx(1e-7)
    bad = read_matrix(written(tmp_path, "m.csv", "u,0.3,0.6\nv,0.5,0.5\n"))
    with pytest.raises(BadMatrix, match=r"row u adds up to 0\.9; expected 1 within 1e-06"):
        bad.weights()
    assert bad.weights(normalize=True).row(0) == (Fraction(1, 3), Fraction(2, 3))
    assert bad.row_error == pytest.approx(0.1)
    with pytest.raises(BadMatrix, match="no positive weight"):
        read_matrix(written(tmp_path, "m.csv", "0,0\n")).weights(normalize=True)
    with pytest.raises(BadMatrix, match="negative"):
        read_matrix(written(tmp_path, "m.csv", "-0.5,1.5\n")).weights()


def test_labels_put_a_matrix_into_the_order_asked_for(tmp_path: Path) -> None:
    found = read_matrix(written(tmp_path, "m.csv", ",b,a\n1,0,1/2\n0,2,3\n"))
    turned = found.along([0, 1], ["a", "b"])
    assert turned.values.tolist() == [[3, 2], [0.5, 0]]
    assert turned.exact == ((3, 2), (Fraction(1, 2), 0))
    with pytest.raises(BadMatrix, match="there is no column for 'c'"):
        found.along([0, 1], ["a", "c"])
    with pytest.raises(BadMatrix, match="expected 3 rows and 2 columns, found 2 and 2"):
        found.along([0, 1, 2], ["a", "b"])
    plain = read_matrix(written(tmp_path, "m.csv", "1,2\n3,4\n"))
    assert plain.along(["x", "y"], [0, 1]).values.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1,2\n3\n", "row 2 and column 2 is missing"),
        ("a,b\n1,\n", "row 1 and column b is missing"),
        ("1,2\n3,x\n", "row 2 and column 2 must be a finite number[.]"),
        ("1,2\n3,nan\n", "row 2 and column 2 must be a finite number[.]"),
        ("1,2\n3,inf\n", "row 2 and column 2 must be a finite number[.]"),
        ("1,1/2\n3,1/0\n", "row 2 and column 2 must be a finite number[.]"),
        ("1,1_0\n", "row 1 and column 2 must be a finite number[.]"),
        ("", "is empty"),
    ],
)
def test_entries_that_are_no_numbers_are_named(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_matrix(written(tmp_path, "m.csv", text))


def test_numpy_files_that_hold_no_matrix_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "o.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    np.save(tmp_path / "v.npy", np.ones(3))
    np.save(tmp_path / "n.npy", np.array([[1, np.nan]]))
    (tmp_path / "x.npy").write_bytes(b"nonsense")
    for name, sentence in [
        ("o.npy", "not a readable"),
        ("x.npy", "not a readable"),
        ("v.npy", "expected numbers in 2 dimensions"),
        ("n.npy", "the entry at 1, 2 is not a finite"),
    ]:
        with pytest.raises(BadInput, match=sentence):
            read_matrix(tmp_path / name)


# ---- vectors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("v.csv", "0.5\n0.25\n0.25\n"),
        ("v.csv", "p\n0.5\n0.25\n0.25\n"),
        ("v.csv", "0.5,0.25,0.25\n"),
        ("v.csv", "1/2\n0.25\n1/4\n"),
        ("v.json", "[0.5, 0.25, 0.25]"),
        ("v.json", '[0.5, "1/4", 0.25]'),
    ],
)
def test_a_vector_is_one_number_after_another(tmp_path: Path, name: str, text: str) -> None:
    file = written(tmp_path, name, text)
    assert read_vector(file) == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


def test_decimals_of_a_vector_are_exact_and_doubles_stay_doubles(tmp_path: Path) -> None:
    assert read_vector(written(tmp_path, "v.csv", "0.1\n0.9\n"))[0] == Fraction(1, 10)
    assert read_vector(written(tmp_path, "v.json", "[0.1, 0.9]"))[0] == Fraction(1, 10)
    assert read_vector(written(tmp_path, "v.csv", "0.1\n9/10\n"))[0] == Fraction(1, 10)
    np.save(tmp_path / "v.npy", np.array([0.1, 0.9]))
    assert read_vector(tmp_path / "v.npy")[0] == Fraction(0.1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("v.csv", "b,0.25\na,0.75\n"),
        ("v.csv", "value,probability\nb,0.25\na,0.75\n"),
        ("v.json", '{"b": 0.25, "a": 0.75}'),
        ("v.json", '[["b", 0.25], ["a", 0.75]]'),
    ],
)
def test_labels_put_a_vector_into_the_order_asked_for(
    tmp_path: Path, name: str, text: str
) -> None:
    file = written(tmp_path, name, text)
    assert read_vector(file, ["a", "b"]) == (Fraction(3, 4), Fraction(1, 4))
    with pytest.raises(BadMatrix, match="has labels, and nothing here to match them with"):
        read_vector(file)
    with pytest.raises(BadMatrix, match="there is no row for 'c'"):
        read_vector(file, ["a", "c"])
    with pytest.raises(BadMatrix, match="expected 3 numbers, found 2"):
        read_vector(file, ["a", "b", "c"])


def test_numbered_labels_are_matched_with_numbers(tmp_path: Path) -> None:
    file = written(tmp_path, "v.csv", "1,0.25\n0,0.75\n")
    assert read_vector(file, [0, 1]) == (Fraction(3, 4), Fraction(1, 4))


def test_what_is_no_vector_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadMatrix, match="expected one column of numbers, found 3"):
        read_vector(written(tmp_path, "v.csv", "1,2,3\n4,5,6\n"))
    with pytest.raises(BadMatrix, match=r"row 2 and column 1 must be a finite number[.]"):
        read_vector(written(tmp_path, "v.csv", "1\nx\n"))
    for text in ("nan\n0.5\n0.5\n", "inf\n0\n1\n", "a,nan\nb,1\n"):
        with pytest.raises(BadMatrix, match=r"row . and column 1 must be a finite number[.]"):
            read_vector(written(tmp_path, "v.csv", text), ["a", "b"])


def test_semicolons_are_told_from_bad_numbers(tmp_path: Path) -> None:
    for text in ("0.5;0.5\n0.25;0.75\n", "0,5;0,5\n0,25;0,75\n"):
        with pytest.raises(BadMatrix, match="expected columns separated by commas"):
            read_matrix(written(tmp_path, "m.csv", text))
    with pytest.raises(BadMatrix, match="expected columns separated by commas"):
        read_vector(written(tmp_path, "v.csv", "point;prior\n0;0,5\n1;0,5\n"), [0, 1])
    with pytest.raises(BadMatrix, match=r"must be a finite number\.$"):
        read_matrix(written(tmp_path, "m.csv", "0.5,0.5\n0.25,0.5\n0.5,x\n"))
