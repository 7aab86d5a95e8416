"""Cells of reports: what was drawn is what is counted, and anything else is refused."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tightrope.errors import BadTable
from tightrope.mechanisms import SubsetMechanism, UnaryMechanism
from tightrope.spaces import categories
from tightrope.tables.report_columns import count_reports, report_cells

SUBSETS = SubsetMechanism(categories(11), 3, Fraction(2))
UNARY = UnaryMechanism(categories(11), Fraction(1, 2), Fraction(1, 3))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(),
                                  pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_counts_are_those_of_the_bits(tmp_path, kind):
    bits = np.random.default_rng(1).random((20_000, 11)) < 0.4
    cells = report_cells(np.packbits(bits, axis=1, bitorder="little"))
    pq.write_table(pa.table({"x": cells.cast(pa.string()).cast(kind)}), tmp_path / "t.parquet")
    counts, rows = count_reports(tmp_path / "t.parquet", "x", UNARY)
    assert rows == 20_000
    assert counts.tolist() == bits.sum(axis=0).tolist()


@pytest.mark.parametrize("cell", ["0", "07", "070000", "0G00", "07 0", "070F", "éé", "", "0f00",
                                  "0300", "00f8"])
def test_cells_that_are_no_report_are_refused(tmp_path, cell):
    (tmp_path / "t.csv").write_text(f"id,x\n1,0700\n2,{cell}\n", encoding="utf-8")
    with pytest.raises(BadTable, match="no report of this mechanism"):
        count_reports(tmp_path / "t.csv", "x", SUBSETS)


def test_a_column_of_numbers_holds_no_reports(tmp_path):
    pq.write_table(pa.table({"x": [700, 701]}), tmp_path / "t.parquet")
    with pytest.raises(BadTable, match="reports of sets"):
        count_reports(tmp_path / "t.parquet", "x", SUBSETS)
