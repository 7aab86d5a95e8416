"""Cells that were clamped, unknown or missing, counted: against the rows, in every source."""

import sqlite3

import duckdb
import pandas
import pyarrow as pa
import pytest

from tightrope.declarations import CutKey, Declaration
from tightrope.errors import BadInput
from tightrope.releases import Question, open_books, plan_release
from tightrope.releases.releasing import statistics
from tightrope.tables import open_source

AGES = [-1.0, 0.0, 17.99, 18.0, 65.0, 65.01, 1e9, None, 40.0, -5.0]
VOTES = ["no", "yes", "maybe", None, "no", "", "never", None, "no", "yes"]
SEXES = list("fmfmfmfmfm")
ROWS = {"age": AGES, "vote": VOTES, "sex": SEXES}
KEY = CutKey(bytes(32))


def form(missing="leave out", other="leave out", **unit):
    return {"dataset": "d", "unit": unit, "columns": {
        "age": {"type": "number", "low": 18, "high": 65, "missing": 30 if missing != "leave out"
                else missing},
        "vote": {"type": "category", "values": ["no", "yes"], "missing": missing, "other": other},
        "sex": {"type": "category", "values": ["f", "m"]},
        "note": {"type": "text"}}}


def by_cell(question, declared, data, **options):
    declaration = Declaration.of({**declared, "columns": {
        name: column for name, column in declared["columns"].items() if name != "note"}})
    plan = plan_release(question, declaration, 1)
    (numbers,) = statistics(plan, open_source(data, declaration, **options), KEY)
    return dict(zip(plan.cells, numbers, strict=True))


def sources(folder):
    table = pa.table({"age": pa.array(AGES, pa.float64()), "vote": pa.array(VOTES),
                      "sex": pa.array(SEXES)})
    with sqlite3.connect(folder / "t.sqlite") as db:
        db.execute("CREATE TABLE rows (age, vote, sex)")
        db.executemany("INSERT INTO rows VALUES (?, ?, ?)", zip(*ROWS.values(), strict=True))
    return [(table, {}), (duckdb.from_arrow(table), {}), (pandas.DataFrame(ROWS), {}),
            (folder / "t.sqlite", {"table": "rows"}), (ROWS, {})]


@pytest.mark.parametrize("rule", ["leave out", "no"])
def test_cells_are_counted_by_what_became_of_them_whatever_stands_for_them(tmp_path, rule):
    declared = form(rule, rule)
    for data, options in sources(tmp_path):
        assert by_cell("left out of age", declared, data, **options) == {
            ("below 18",): 4, ("above 65",): 2, ("no number",): 1}
        assert by_cell("left out of vote", declared, data, **options) == {
            ("not declared",): 3, ("missing",): 2}
        assert by_cell("left out of age by sex where not vote = 'yes'", form(), data,
                       **options) == {
            ("f", "below 18"): 1, ("f", "above 65"): 0, ("f", "no number"): 0,
            ("m", "below 18"): 0, ("m", "above 65"): 0, ("m", "no number"): 0}


def test_a_row_is_of_one_kind_so_that_its_noise_is_that_of_a_histogram():
    declared = Declaration.of(form())
    assert plan_release("left out of age", declared, 1).error == plan_release(
        "histogram of sex", declared, 1).error
    people = Declaration.of(form(person="sex", rows=3))
    space = plan_release("left out of age", people, 1).subqueries[0].subquery.space
    assert (space.cells, space.change) == (3, 3)


def test_it_is_asked_and_answered_like_other_counts():
    question = Question.read("Left OUT of age by sex")
    assert question.text == "left out of age by sex"
    release = open_books(ROWS | {"note": SEXES}, form()).ask("left out of age", 60, unbooked=True)
    assert [int(answer.value) for answer in release.answers] == [4, 2, 1]
    for text, wrong in (("left out of note", "not declared"), ("left out of who", "not declared")):
        with pytest.raises(BadInput, match=wrong):
            plan_release(text, Declaration.of(form()), 1)


def test_dates_out_of_their_range_are_counted():
    declared = Declaration.of({"dataset": "d", "columns": {"day": {
        "type": "date", "low": "2024-01-01", "high": "2024-12-31"}}})
    plan = plan_release("left out of day", declared, 1)
    rows = {"day": ["2023-12-31", "2024-01-01", "2025-01-01", "2030-05-05", "soon", None]}
    (numbers,) = statistics(plan, open_source(rows, declared), KEY)
    assert dict(zip(plan.cells, numbers, strict=True)) == {
        ("before 2024-01-01",): 1, ("after 2024-12-31",): 2, ("no date or time",): 2}
