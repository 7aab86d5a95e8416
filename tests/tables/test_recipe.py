"""Sanitizing as a function: the same safety for every kind of table, which comes back as it came.

At e^ε = 10^30 a value changes with probability below 1e-28, so that what comes out can be
compared with what went in."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal
from polars.testing import assert_frame_equal as assert_polars_equal

from tightrope.errors import BadInput, BadLevel, BadTable, NotCertified
from tightrope.exact import Level
from tightrope.files import load
from tightrope.mechanisms import TableMechanism
from tightrope.receipt import main as receipt
from tightrope.samplers import SeededSource
from tightrope.spaces import categories
from tightrope.tables import estimate_column, protect, sanitize

SURE = Level.ratio(10**30)
ANSWERS = ["no", "yes", "no", "no"]
DECLARED = {"answer": "no/yes", "color": ["red", "green", "blue"], "size": [3, 1, 2]}
COLUMNS = {
    "answer": ANSWERS,
    "color": ["red", "blue", "blue", "green"],
    "size": [1, 3, 3, 2],
    "note": ["a", None, "c", "d"],
}


def pandas_frame():
    frame = pd.DataFrame(COLUMNS, index=[7, 3, 9, 1])
    frame["color"] = frame["color"].astype(pd.CategoricalDtype(["green", "red", "blue", "none"]))
    frame["size"] = frame["size"].astype("int16")
    frame["odd"] = [1, "text", None, (2, 3)]  # nothing that Arrow holds
    return frame


def test_a_frame_of_pandas_keeps_its_index_and_its_other_columns():
    frame = pandas_frame()
    before = frame.copy(deep=True)
    done = sanitize(frame, DECLARED, SURE)
    expected = pd.DataFrame(COLUMNS, index=before.index).assign(odd=before["odd"])
    assert_frame_equal(done.table, expected)  # no categories, no narrow integers
    assert_frame_equal(frame, before)
    assert done.rows == 4
    assert done.clear == ("note", "odd", "(index)", "(order of rows)")
    assert done.file is None


def test_frames_of_polars_and_arrow_come_back_as_they_came():
    frame = pl.DataFrame(COLUMNS, schema_overrides={"size": pl.UInt8, "color": pl.Categorical})
    assert_polars_equal(sanitize(frame, DECLARED, SURE).table, pl.DataFrame(COLUMNS))
    table = pa.table({**COLUMNS, "size": pa.array(COLUMNS["size"], pa.int8())})
    found = sanitize(table.replace_schema_metadata({"num_categories": "3"}), DECLARED, SURE).table
    assert found.equals(pa.table(COLUMNS))
    assert found.schema.metadata is None


def test_columns_by_name_come_back_by_name():
    held = {**COLUMNS, "size": np.array(COLUMNS["size"], dtype=np.uint8)}
    found = sanitize(held, DECLARED, SURE).table
    assert list(found) == list(held)
    assert found["answer"] == ANSWERS
    assert found["size"].dtype == np.int64
    assert found["size"].tolist() == COLUMNS["size"]
    assert found["note"] is held["note"]


@pytest.mark.parametrize(
    "column", [ANSWERS, tuple(ANSWERS), np.array(ANSWERS), pa.array(ANSWERS),
               pa.chunked_array([ANSWERS[:1], ANSWERS[1:]])],
    ids=["list", "tuple", "numpy", "arrow", "chunks"],
)
def test_one_column_comes_back_as_one(column):
    found = sanitize(column, "no/yes", SURE)
    assert [str(cell) for cell in found.table] == ANSWERS
    kind = list if isinstance(column, tuple) else type(column)
    assert isinstance(found.table, kind)
    again = estimate_column(found.table, None, found.columns[0])
    assert [(row.value, round(row.estimate, 9)) for row in again.rows] == [("no", 0.75),
                                                                          ("yes", 0.25)]


def test_a_series_keeps_its_name_and_index():
    series = pd.Series(ANSWERS, index=[5, 2, 8, 1], name="answer")
    assert_series_equal(sanitize(series, ["no", "yes"], SURE).table, series)
    nameless = sanitize(pl.Series(ANSWERS), "no/yes", SURE)
    assert nameless.table.to_list() == ANSWERS
    assert nameless.columns[0].name == "value"


def test_missing_cells_are_a_value_of_their_own_on_request():
    frame = pd.DataFrame({"answer": ["no", None, "yes"], "size": pd.array([1, None, 2], "Int64")})
    first = sanitize(frame, {"answer": "no/yes"}, SURE).table
    assert first["answer"].tolist() == ["no", "no", "yes"]
    done = sanitize(frame, {"answer": "no/yes", "size": [1, 2]}, SURE, missing="value")
    assert_frame_equal(done.table, frame)
    assert done.columns[0].values == ("no", "yes", "(missing)")


def test_cells_sets_and_reports_come_as_text():
    frame = pd.DataFrame({"age": [20, 35, 60], "likes": ["tea", "tea|milk", "{}"],
                          "size": [1, 2, 3]})
    done = sanitize(frame, {"age": "bins:0,30,60", "likes": "sets:tea/milk"}, SURE)
    assert done.table["age"].tolist() == ["[0, 30)", "[30, 60]", "[30, 60]"]
    assert done.table["likes"].tolist() == frame["likes"].tolist()
    items = estimate_column(done.table, "likes", done.columns[1])
    assert [(row.value, round(row.estimate, 9)) for row in items.rows] == [
        ("tea", round(2 / 3, 9)), ("milk", round(1 / 3, 9))]
    reports = sanitize(frame, {"size": list(range(1, 10))}, Level.ratio(2), protocol="subset")
    assert all(isinstance(cell, str) and len(cell) == 4 for cell in reports.table["size"])
    found = estimate_column(reports.table, "size", reports.columns[0], estimator="simplex")
    assert [row.value for row in found.rows] == [str(v) for v in range(1, 10)]


def test_a_thousand_answers_at_a_small_level_are_changed_at_the_stated_rate():
    """At e^ε = 3 one in four changes: 2,500 of 10,000 within 6 standard deviations of 43."""
    changed = sanitize(["no"] * 10_000, "no/yes", Level.ratio(3)).table.count("yes")
    assert abs(changed - 2500) < 260


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "columns"])
def test_values_outside_the_declared_ones_count_as_the_first_and_a_curator_is_told(kind):
    held = {"answer": ["no", "perhaps", "perhaps"]}
    table = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table, "columns": dict}
    done = sanitize(table[kind](held), {"answer": "no/yes"}, SURE)
    assert list(dict(done.table)["answer"] if kind == "columns" else
                done.table["answer"].to_pylist() if kind == "arrow" else
                done.table["answer"]) == ["no"] * 3
    own = sanitize(table[kind](held), {"answer": "no/yes"}, SURE, missing="value")
    assert own.columns[0].values == ("no", "yes", "(missing)")
    with pytest.raises(BadTable, match=r"'perhaps' \(2\)"):
        sanitize(table[kind](held), {"answer": "no/yes"}, SURE, curator=True)


def test_a_frame_written_to_a_file_has_its_mechanisms_beside_it(tmp_path):
    place = tmp_path / "out.parquet"
    frame = pandas_frame().drop(columns="odd")
    done = sanitize(frame, {"answer": "no/yes"}, SURE, output=place)
    assert done.file == place
    document = tmp_path / "out.parquet.answer.mechanism.json"
    assert done.columns[0].document == document
    proved = load(document).mechanism
    assert isinstance(proved, TableMechanism)
    assert proved.rows == 4
    assert receipt([str(document)]) == 0
    found = estimate_column(place, "answer", document)
    assert [round(row.estimate, 9) for row in found.rows] == [0.75, 0.25]
    kept = pd.read_parquet(place)
    assert list(kept.columns) == ["answer", "color", "size", "note"]
    assert kept["note"].tolist()[2:] == ["c", "d"]


def test_what_fails_leaves_nothing_behind(tmp_path):
    frame = pd.DataFrame({"answer": ["no", "perhaps"]})
    with pytest.raises(BadTable):
        sanitize(frame, {"answer": "no/yes"}, SURE, output=tmp_path / "out.csv", curator=True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "out.csv.answer.mechanism.json").write_text("mine")
    with pytest.raises(BadInput, match="exists"):
        sanitize(pd.DataFrame({"answer": ["no"]}), {"answer": "no/yes"}, SURE,
                 output=tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv.answer.mechanism.json"]


def test_the_mechanism_of_a_table_in_memory_is_saved_on_request(tmp_path):
    done = sanitize(ANSWERS, "no/yes", Level.ratio(3))
    done.columns[0].save(tmp_path / "m.json")
    assert load(tmp_path / "m.json").mechanism.rows == 4
    by_file, by_column = (estimate_column(done.table, None, m)
                          for m in (tmp_path / "m.json", done.columns[0]))
    assert by_file == by_column
    with pytest.raises(BadInput, match="exists"):
        done.columns[0].save(tmp_path / "m.json")
    with pytest.raises(BadInput, match="no row"):
        protect({"a": "no/yes"}, Level.ratio(3))[0].save(tmp_path / "other.json")


def test_the_result_is_json():
    done = sanitize({"answer": ANSWERS, "id": [1, 2, 3, 4]}, {"answer": "no/yes"}, Level.ratio(3))
    found = json.loads(json.dumps(done.facts().json))
    assert found["columns"] == [{
        "column": "answer", "values": ["no", "yes"], "epsilon": float(np.log(3)),
        "epsilon_text": "ln(3)", "protocol": "randomized-response", "kept": 0.75,
        "mechanism": None, "aim": None, "excess": None,
    }]
    assert (found["clear"], found["rows"], found["file"]) == (["id", "(order of rows)"], 4, None)
    assert "yes" not in json.dumps({**found, "columns": []})


def test_shares_of_the_level_add_up_and_the_mechanisms_have_them():
    columns = protect({"a": "no/yes", "b": ["x", "y", "z"], "c": "sets:u/v"}, Level.epsilon(3))
    assert sum(float(column.level) for column in columns) == pytest.approx(3, abs=1e-12)
    for column in columns:
        proved = column.response.certificate.level
        parts = len(column.values) if column.name == "c" else 1
        assert float(proved) * parts == pytest.approx(float(column.level))
    even = protect({"a": "no/yes", "b": "no/yes"}, Level.ratio(9), split="even")
    assert {column.kept for column in even} == {Fraction(3, 4)}


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        (lambda: sanitize("t.csv", {"answer": "no/yes"}, SURE), BadInput, "name the file"),
        (lambda: sanitize({"a": ["no"]}, "no/yes", SURE), BadInput, "by its name"),
        (lambda: sanitize({"a": ["no"]}, {}, SURE), BadInput, "at least one column"),
        (lambda: sanitize({"a": ["no"]}, {"b": "no/yes"}, SURE), BadTable, "its columns are a"),
        (lambda: sanitize({"a": ["no"], "b": [1, 2]}, {"a": "no/yes"}, SURE, output="x.csv"),
         BadTable, "equal length"),
        (lambda: sanitize(pd.DataFrame({0: ["no"]}), {"a": "no/yes"}, SURE), BadTable, "texts"),
        (lambda: sanitize(pd.DataFrame([["no", "no"]], columns=["a", "a"]), {"a": "no/yes"}, SURE),
         BadTable, "the same name"),
        (lambda: sanitize(pl.LazyFrame({"a": ["no"]}), {"a": "no/yes"}, SURE), BadTable,
         "collect a lazy one"),
        (lambda: sanitize(3, {"a": "no/yes"}, SURE), BadTable, "found int"),
        (lambda: sanitize(ANSWERS, "no/yes", Level.ratio(3, "0.1")), BadLevel, "δ = 0"),
        (lambda: sanitize(ANSWERS, ["no"], SURE), BadInput, "two categories"),
        (lambda: sanitize(ANSWERS, "sets:a/b", SURE, protocol="unary"), BadInput, "item by item"),
        (lambda: sanitize(ANSWERS, "no/yes", SURE, protocol="both"), BadInput, "no protocol"),
        (lambda: sanitize(ANSWERS, "no/yes", SURE, split="odd"), BadInput, "no split"),
        (lambda: sanitize(ANSWERS, "no/yes", SURE, missing="maybe"), BadInput,
         "missing cells cannot count as 'maybe'"),
        (lambda: estimate_column(COLUMNS, None, protect({"a": "no/yes"}, SURE)[0]), BadInput,
         "name the column"),
        (lambda: estimate_column(ANSWERS, None, 3), NotCertified, "certified"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(asked, error, said):
    with pytest.raises(error) as refused:
        asked()
    assert said in str(refused.value)


def test_a_certified_mechanism_of_any_origin_is_estimated_from():
    from tightrope.constructions import randomized_response
    from tightrope.samplers import draw_many

    level = Level.ratio(10**30)
    proved = randomized_response(categories(("no", "yes")), level)
    drawn = draw_many(proved, pd.Series(ANSWERS), SeededSource(1))
    found = estimate_column(drawn, None, proved)
    assert [round(row.estimate, 9) for row in found.rows] == [0.75, 0.25]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_columns_in_clear_are_kept_or_dropped(make):
    held = {"id": [1, 2], "answer": ["no", "yes"], "age": [30, 40]}

    def names(**how):
        done = sanitize(make(held), {"answer": "no/yes"}, SURE, **how)
        table = done.table
        named = getattr(table, "column_names", None) or getattr(table, "columns", table)
        return list(named), done.clear[:-1]

    assert names() == (["id", "answer", "age"], ("id", "age"))
    assert names(keep="age") == (["answer", "age"], ("age",))
    assert names(keep=[]) == (["answer"], ())
    assert names(drop=["id"]) == (["answer", "age"], ("age",))
    with pytest.raises(BadInput, match="'answer' is to be randomized and dropped"):
        names(drop="answer")


def test_a_relation_of_duckdb_is_read_once_and_comes_back_as_one():
    import duckdb

    held = pa.table({"id": [1, 2, 3], "answer": ["no", "yes", None]})
    relation = duckdb.from_arrow(held)
    done = sanitize(relation, {"answer": "no/yes"}, SURE, drop="id")
    assert type(done.table) is type(relation)
    assert done.table.fetchall() == [("no",), ("yes",), ("no",)]
    mixed = sanitize(relation, "answer", SURE, values="no/yes", shuffle=True)
    assert sorted(mixed.table.fetchall()) == [(1, "no"), (2, "yes"), (3, "no")]


def test_a_file_without_some_columns_is_never_written_over_itself(tmp_path):
    place = tmp_path / "t.csv"
    place.write_bytes(b"id,answer\n1,no\n2,yes\n")
    with pytest.raises(BadTable, match="is the table itself"):
        sanitize(place, {"answer": "no/yes"}, SURE, keep=[], output=place, force=True)
    with pytest.raises(BadTable, match="names no column 'salary'"):
        sanitize(place, {"answer": "no/yes"}, SURE, drop="salary", output=tmp_path / "o.csv")
    sanitize(place, {"answer": "no/yes"}, SURE, keep=[], output=tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_bytes() == b"answer\nno\nyes\n"


def test_missing_cells_count_as_a_declared_value():
    held = {"age": [5, None, 45.0], "vote": ["no", None, "?"], "likes": ["a", None, "z"]}
    declared = {"age": "bins:0,10,50", "vote": "no/yes", "likes": "sets:a/b"}
    done = sanitize(held, declared, Level.ratio(10**90),
                    missing={"age": "30", "vote": "yes", "likes": "a|b"})
    assert done.table == {"age": ["[0, 10)", "[10, 50]", "[10, 50]"],
                          "vote": ["no", "yes", "yes"], "likes": ["a", "a|b", "{}"]}
    assert [estimate_column(done, name).missing for name in declared] == [
        "[10, 50]", "yes", "a|b"]
    with pytest.raises(BadInput, match="which is not declared"):
        sanitize(held, declared, 1, missing={"age": "60"})


def test_a_document_says_as_what_missing_cells_count(tmp_path):
    sanitize({"age": [None]}, {"age": "bins:0,10,50"}, 1, missing={"age": "30"},
             output=tmp_path / "o.csv")
    assert estimate_column(tmp_path / "o.csv", "age").missing == "[10, 50]"


def test_weights_and_margins_split_the_level():
    weighed = protect({"a": "x/y", "b": "x/y"}, 3, weights={"b": 2, "a": 1})
    assert [column.level.text for column in weighed] == ["1", "2"]
    declared = {"a": "x/y", "b": [*map(str, range(12))], "c": "sets2:x/y/z"}
    for epsilon in ("0.01", 1, 8, 500):
        for split in ("error", "margins"):
            columns = protect(declared, epsilon, split=split)
            assert sum(Fraction(column.level.text) for column in columns) == Fraction(epsilon)


@pytest.mark.parametrize("wrong", [2, "12", [1], [1, 0], {"a": 1}, {"a": 1, "c": 2, "d": 3}])
def test_odd_weights_are_refused(wrong):
    with pytest.raises(BadInput, match="weight"):
        protect({"a": "x/y", "b": "x/y"}, 3, weights=wrong)


def test_values_without_an_order_are_refused():
    for odd in ({"no", "yes"}, 5):
        with pytest.raises(BadInput, match="in an order"):
            sanitize({"a": ["no"]}, {"a": odd}, 1)
    with pytest.raises(BadInput, match="the names of columns"):
        sanitize({"a": ["no"]}, ["a"], 1, values="no/yes")
    with pytest.raises(BadInput, match="stated twice"):
        sanitize({"a": ["no"]}, {"a": "no/yes"}, 1, values="no/yes")
    with pytest.raises(BadInput, match="standard output have no file"):
        sanitize({"a": ["no"]}, {"a": "no/yes"}, 1, output="-")


def test_the_best_split_by_margin_is_that_of_a_scan():
    """Two columns of one protocol: ε cut into 2,000 parts, the largest margin of each tried."""
    from math import exp, sqrt

    def spread(values, epsilon):
        p, q = exp(epsilon) / (exp(epsilon) + values - 1), 1 / (exp(epsilon) + values - 1)
        return sqrt(max(p * (1 - p), q * (1 - q))) / (p - q)

    best = min(max(spread(2, part / 1000), spread(5, 2 - part / 1000)) for part in range(1, 2000))
    a, b = protect({"a": "x/y", "b": "1/2/3/4/5"}, 2, split="margins")
    found = max(spread(2, float(a.level)), spread(5, float(b.level)))
    assert best <= found * 1.001
    assert found <= best * 1.011
