"""The example tables: in memory, as files, and declared."""

import tomllib

import pyarrow.parquet as pq
import pytest
from pyarrow import csv
from statsmodels.datasets import randhie

import tightrope as tr
from tests.architecture.source import PACKAGE
from tightrope.errors import BadInput
from tightrope.files import read_declaration


def test_the_table_is_that_of_statsmodels():
    table, source = tr.example("randhie").to_pandas(), randhie.load_pandas().data
    assert (table.visits == source.mdvis).all()
    assert (table.diseases == source.disea).all()
    assert (table.deductible == (source.idp == 1)).all()
    for name, word in (("hlthg", "good"), ("hlthf", "fair"), ("hlthp", "poor")):
        assert ((table.health == word) == (source[name] == 1)).all()
    assert {*table.coinsurance} == {0, 25, 50, 95, 100}


def test_a_path_is_written_by_its_ending(tmp_path):
    table = tr.example("randhie", tmp_path / "a.parquet")
    assert pq.read_table(tmp_path / "a.parquet") == table
    tr.example("randhie", tmp_path / "a.csv")
    assert csv.read_csv(tmp_path / "a.csv") == table


def test_the_declaration_fits_every_row(tmp_path):
    table = tr.example("randhie", tmp_path / "a.toml").to_pandas()
    assert read_declaration(tmp_path / "a.toml").dataset == "randhie"
    columns = tomllib.loads((tmp_path / "a.toml").read_text(encoding="utf-8"))["columns"]
    assert {*columns} == {*table.columns}
    for name, column in columns.items():
        cells = table[name]
        if column["type"] == "number":
            assert cells.between(float(column["low"]), float(column["high"])).all()
        else:
            assert {str(cell).lower() for cell in cells} <= {str(v) for v in column["values"]}


@pytest.mark.parametrize(("name", "path", "sentence"), [
    ("fair", None, "there is no example 'fair'; examples: randhie."),
    ("randhi", None, "did you mean randhie"),
    ("randhie", "a.xlsx", r"\.csv, \.parquet or \.toml, not '\.xlsx'"),
])
def test_what_is_not_there_is_answered_with_what_is(name, path, sentence, tmp_path):
    with pytest.raises(BadInput, match=sentence):
        tr.example(name, path and tmp_path / path)
    assert list(tmp_path.iterdir()) == []


def test_source_and_license_stand_beside_the_table():
    text = (PACKAGE / "files" / "examples" / "README.md").read_text(encoding="utf-8")
    assert "public domain" in text
    assert "RAND" in text
