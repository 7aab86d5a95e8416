"""Cells that were clamped, unknown or missing, counted: against the rows, in every source."""

import random
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
        "type": "date", "low": "2024-01-01", "high": "2024-12-31"},
        "month": {"type": "period", "of": "day", "period": "month"}}})
    with pytest.raises(BadInput, match=r"counted as left out: ask left out of day\."):
        plan_release("left out of month", declared, 1)
    with pytest.raises(BadInput, match=r"'March' is not .*; it has 2024-01, 2024-02"):
        plan_release("count where month = 'March'", declared, 1)
    plan = plan_release("left out of day", declared, 1)
    rows = {"day": ["2023-12-31", "2024-01-01", "2025-01-01", "2030-05-05", "soon", None]}
    (numbers,) = statistics(plan, open_source(rows, declared), KEY)
    assert dict(zip(plan.cells, numbers, strict=True)) == {
        ("before 2024-01-01",): 1, ("after 2024-12-31",): 2, ("no date or time",): 2}


def visits(**unit):
    return {"dataset": "d", "unit": {"person": "who", **unit}, "columns": {
        "sex": {"type": "category", "values": ["f", "m"]},
        "vote": {"type": "category", "values": ["no", "yes", "maybe"]}}}


def visit_rows(count=600):
    """People with few to many rows, some of nobody and some of no category."""
    draw = random.Random(7)
    return [{"who": draw.choice([None, *(f"p{int(100 * draw.random() ** 2)}" for _ in range(20))]),
             "sex": draw.choice("fmx"), "vote": draw.choice(["no", "yes", "maybe", None])}
            for _ in range(count)]


@pytest.mark.parametrize(("by", "where"), [((), None), (("vote",), None), (("vote", "sex"), None),
                                           (("vote",), "not sex = 'm'")])
@pytest.mark.parametrize("unit", [{"rows": 1}, {"rows": 4, "cells": 1}, {"rows": 5, "cells": 2},
                                  {"rows": 2, "cells": 3}], ids=str)
def test_people_of_whom_something_is_cut_are_counted_once(by, where, unit):
    rows = visit_rows()
    question = Question("cut", by=by, where=where)
    declared = Declaration.of(visits(**unit))
    plan = plan_release(question, declared, 1)
    data = {name: [row[name] for row in rows] for name in rows[0]}
    (numbers,) = statistics(plan, open_source(data, declared), KEY)
    own = {}
    for row in rows:
        known = all(row[name] in declared.columns[name].values for name in by)
        passes = where is None or row["sex"] == "f"
        if row["who"] is not None and known and passes:
            own.setdefault(row["who"], []).append(tuple(row[name] for name in by))
    most, cells = unit["rows"], unit.get("cells", unit["rows"])
    many = sum(len(held) > most for held in own.values())
    spread = sum(len(held) <= most and len({*held}) > cells for held in own.values())
    assert [*numbers, 0][:2] == [many, spread]
    assert [cell[0] for cell in plan.cells] == ["more than " + (
        "1 row" if most == 1 else f"{most} rows"), *([f"else more than {cells} cell" + "s" * (
            cells > 1)] if len(numbers) > 1 else [])]
    assert many > 0


def test_the_noise_of_the_cut_does_not_grow_with_the_rows_of_a_person():
    one, many = (plan_release("left out", Declaration.of(visits(rows=rows)), 1)
                 for rows in (1, 50))
    assert one.error == many.error == plan_release(
        "people", Declaration.of(visits(rows=1)), 1).error
    space = plan_release("left out by vote", Declaration.of(visits(
        rows=5, cells=2, neighbors="replace", size=90)), 1).subqueries[0].subquery.space
    assert (space.cells, space.touched, space.change) == (2, 2, 2)


def test_the_cut_is_related_to_no_other_count_of_a_plan():
    rows = visit_rows()
    data = {name: [row[name] for row in rows] for name in rows[0]}
    terms = {"name": "p", "total": {"epsilon": 9}, "questions": [
        {"ask": "people"}, {"ask": "left out"}, {"ask": "people where sex = 'f' or not sex = 'f'"}]}
    parts = open_books(data, visits(rows=3)).release_plan(terms, unbooked=True).parts
    assert [part.agreed for part in parts] == [None] * 3


def test_the_cut_is_asked_without_a_column_and_where_people_are_named():
    question = Question.read("LEFT out where sex = 'f' by vote")
    assert question.text == "left out by vote where sex = 'f'"
    assert question.ask == "cut"
    with pytest.raises(BadInput, match="none is cut; ask left out of a column"):
        plan_release("left out", Declaration.of(form()), 1)
    with pytest.raises(BadInput, match="values of the column 'note' are not declared"):
        plan_release("left out by note", Declaration.of(form(person="who")), 1)
    with pytest.raises(BadInput, match="left out by sex"):
        Question.read("cut")
    frame = open_books({"who": [1, 1], "sex": ["f", "m"], "vote": ["no", "no"]},
                       visits(rows=2, cells=1)).ask("left out by sex", 60, unbooked=True).to_frame()
    assert frame.column_names == ["kind", "answer", "low", "high"]
    assert frame["answer"].to_pylist() == [0, 1]
