"""Counting a column: every value is one of the labels, or nothing is counted."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.files.examples import written
from tightrope.errors import BadTable
from tightrope.tables.counting import count_column, count_items


def test_labels_are_counted_in_their_order_whatever_the_format(tmp_path: Path) -> None:
    text = written(tmp_path, "t.csv", "c,d\n" + "b,1\na,1\nb,1\n" * 100)
    column = pa.array(["b", "a", "b"] * 100)
    pq.write_table(pa.table({"c": column}), tmp_path / "plain.parquet")
    pq.write_table(pa.table({"c": column.dictionary_encode()}), tmp_path / "coded.parquet")
    for path in (text, tmp_path / "plain.parquet", tmp_path / "coded.parquet"):
        assert count_column(path, "c", ["a", "b", "c"], batch_rows=7).tolist() == [100, 200, 0]


def test_numbers_and_truth_values_are_counted(tmp_path: Path) -> None:
    table = pa.table({"n": pa.array([3, -1, 3], pa.int16()), "b": [True, True, False]})
    pq.write_table(table, tmp_path / "t.parquet")
    assert count_column(tmp_path / "t.parquet", "n", [-1, 3]).tolist() == [1, 2]
    assert count_column(tmp_path / "t.parquet", "n", ["-1", "3"]).tolist() == [1, 2]
    assert count_column(tmp_path / "t.parquet", "b", ["false", "true"]).tolist() == [1, 2]
    assert count_column(tmp_path / "t.parquet", "b", [0, 1]).tolist() == [1, 2]


def test_a_value_without_label_is_refused_and_told_to_a_curator_only(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", "c,d\na,1\nsecret,1\n,1\n")
    with pytest.raises(BadTable) as caught:
        count_column(path, "c", ["a", "b"])
    assert "secret" not in f"{caught.value} {caught.value.values}"
    with pytest.raises(BadTable, match=r"1 missing values and 1 values .*'secret' \(1\)"):
        count_column(path, "c", ["a", "b"], curator=True)


def test_a_long_list_of_outsiders_is_cut(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", "c,d\n" + "".join(f"v{i},1\n" for i in range(3000)))
    with pytest.raises(BadTable, match="3000 values outside") as caught:
        count_column(path, "c", ["a", "b"], curator=True)
    assert str(caught.value).count("'v") == 10
    assert len(caught.value.values["values"]) == 10


def test_a_table_without_rows_or_without_the_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="has no rows"):
        count_column(written(tmp_path, "t.csv", "c,d\n\n"), "c", ["a"])
    with pytest.raises(BadTable, match="names no column 'x' in its first line"):
        count_column(written(tmp_path, "t.csv", "c,d\na,1\n"), "x", ["a"])


def test_a_wrong_mechanism_is_named_and_not_the_data(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", "c,d\na,1\nsecret,2\n")
    with pytest.raises(BadTable, match="outside the outputs of the mechanism, so it went through "
                                       "another mechanism or none") as caught:
        count_column(path, "c", ["a", "b"])
    assert "declared" not in str(caught.value)
    assert "secret" not in f"{caught.value} {caught.value.values}"
    with pytest.raises(BadTable, match="1 values outside the outputs of the mechanism: 'secret'"):
        count_column(path, "c", ["a", "b"], curator=True)
    with pytest.raises(BadTable, match="outputs of the mechanism"):
        count_items(path, "c", ["a", "b"])


@pytest.mark.parametrize("column", [pa.array([7, 8]), pa.array([7.5, 8.5])], ids=["int", "float"])
def test_outputs_that_a_column_cannot_hold_are_another_mechanism(tmp_path: Path, column) -> None:
    pq.write_table(pa.table({"n": column}), tmp_path / "t.parquet")
    with pytest.raises(BadTable, match=f"do not match column 'n', which holds {column.type}; give "
                                       "the mechanism that this column went through"):
        count_column(tmp_path / "t.parquet", "n", ["no", "yes"])
