"""Answers as grids with margins, held against counts made by hand."""

import re
from collections import Counter
from itertools import product

import pytest

from tests.reports.stage import FORM, ROWS, ask, open_table
from tightrope.releases import Question
from tightrope.reports.answer_tables import answer_tables
from tightrope.reports.evidence import AnsweredQuestion
from tightrope.reports.sheets import answer_sheet

PAIRS = Counter(zip(ROWS["sex"], ROWS["drug"], strict=True))


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return open_table(tmp_path_factory.mktemp("books"))


def tables_of(release):
    question = AnsweredQuestion(release.plan, (), release.answers)
    return [shown.shown for shown in answer_tables(question)]


@pytest.mark.parametrize("question", ["histogram of sex and drug", "count by sex, drug",
                                      "histogram of sex by drug"])
def test_two_columns_are_a_grid_with_margins_and_total(table, question):
    ((head, *rows),) = tables_of(*ask(table, question))
    expected = [[sex, *(f"{PAIRS[sex, drug]}" for drug in "abc"),
                 f"{ROWS['sex'].count(sex)}"] for sex in "fm"]
    expected.append(["all", *(str(ROWS["drug"].count(drug)) for drug in "abc"), "8"])
    assert head == ["sex", "a", "b", "c", "all"]
    plain = [[row[0], *(cell.split(" ")[0] for cell in row[1:])] for row in rows]
    assert plain == expected
    empty = [cell for row in rows for cell in row if cell.startswith("0")]
    assert empty == ["0 † ± 0"] * 2  # m with b, f with c


def test_margins_are_as_wide_as_sums_of_noises(table):
    (release,) = ask(table, "count by sex, drug", level="0.5")
    ((_, *rows),) = tables_of(release)
    plan = release.plan
    width = plan.subqueries[0].width
    widths = {terms: str(width(plan.confidence, terms)) for terms in (1, 2, 3, 6)}
    for row in rows:
        across, total = (2, 6) if row[0] == "all" else (1, 3)
        assert [cell.split("± ")[1] for cell in row[1:-1]] == [widths[across]] * 3
        assert row[-1].split("± ")[1] == widths[total]


def test_three_columns_have_one_row_for_each_pair(table):
    ((head, *rows),) = tables_of(*ask(table, "count by sex, drug, age"))
    assert head == ["sex", "drug", "[0, 50)", "[50, 100]", "all"]
    assert [row[:2] for row in rows] == [[*pair] for pair in product("fm", "abc")] + [["all"] * 2]
    assert [cell.split(" ")[0] for cell in rows[-1][2:]] == ["3", "5", "8"]


def test_a_cross_table_by_groups_has_margins_in_each_group(table):
    ((head, *rows),) = tables_of(*ask(table, "histogram of sex and drug by age"))
    assert head == ["age", "sex", "a", "b", "c", "all"]
    young = [row for row in rows if row[0] == "[0, 50)"]
    assert [row[1] for row in young] == ["f", "m", "all"]
    assert [cell.split(" ")[0] for cell in young[-1][2:]] == ["2", "1", "0", "3"]


def test_a_category_called_all_is_no_margin(tmp_path):
    form = {"dataset": "d", "columns": {name: {"type": "category", "values": ["all", "(all)"]}
                                        for name in ("x", "y")}}
    rows = {"x": ["all", "all", "(all)"], "y": ["all", "(all)", "(all)"]}
    opened = open_table(tmp_path, form, rows)
    for question in ("histogram of x and y", "count by x, y"):
        ((head, *cells),) = tables_of(*ask(opened, question))
        assert head == ["x", "all", "(all)", "all"]
        numbers = [[row[0], *(cell.split(" ")[0] for cell in row[1:])] for row in cells]
        assert numbers == [["all", "1", "1", "2"], ["(all)", "0", "1", "1"], ["all", "1", "2", "3"]]


def test_people_in_several_cells_have_no_margins(tmp_path):
    form = {**FORM, "unit": {"person": "who", "rows": 2, "cells": 2}}
    opened = open_table(tmp_path, form, {**ROWS, "who": [1, 1, 2, 2, 3, 3, 4, 4]})
    ((head, *_), *_) = tables_of(*ask(opened, "people by sex, drug"))
    assert head == ["sex", "a", "b", "c"]


def test_many_values_lie_below_each_other(tmp_path):
    form = {"dataset": "d", "columns": {
        "x": {"type": "category", "values": ["u", "v"]},
        "y": {"type": "category", "values": [*map(str, range(20))]}}}
    opened = open_table(tmp_path, form, {"x": ["u"], "y": ["7"]})
    ((head, *rows),) = tables_of(*ask(opened, "count by x, y"))
    assert head == ["y", "u", "v", "all"]
    assert len(rows) == 21


def test_quantiles_by_group_have_probabilities_across(table):
    ((head, *rows),) = tables_of(*ask(table, "quantiles 0.25, 0.75 of age by sex"))
    assert head == ["sex", "0.25", "0.75"]
    assert [row[0] for row in rows] == ["f", "m"]


def test_a_text_is_an_answer(table):
    ((head, row),) = tables_of(*ask(table, "mode of drug"))
    assert (head, row) == (["", "answer"], ["mode", "a"])


def test_a_withheld_mean_says_so(table):
    (release,) = ask(table, "mean of age by sex, drug", level="0.001")
    ((_, *rows),) = tables_of(release)
    form = r"withheld \(\d+ to \d+\)|[\d.]+ †? ?(± [\d.]+|\([\d.]+ to [\d.]+\))"
    assert all(re.fullmatch(form, cell) for row in rows for cell in row[1:])
    assert [row[0] for row in rows] == ["f", "m"]
    assert [answer.value is None for answer in release.answers] == [
        cell.startswith("withheld") for row in rows for cell in row[1:]]
    (release,) = ask(table, "mean of age by sex", level="0.001")
    ((head, *rows),) = tables_of(release)
    assert head[:2] == ["sex", "answer"]
    assert [row[1] == "withheld" for row in rows] == [
        answer.value is None for answer in release.answers]


def test_adjusted_counts_stand_beside(table):
    release = table.ask(Question.read("histogram of drug", adjusted=True), 60)
    ((head, *rows),) = tables_of(release)
    assert head == ["drug", "answer", "from", "to", "adjusted", "cut at 0"]
    assert rows[0] == ["a", "5", "5", "5", "5", "5 to 5"]
    crossed = table.ask(Question.read("count by sex, drug", adjusted=True), 60)
    assert len(tables_of(crossed)) == 2


def test_every_point_of_a_distribution_is_a_row(table):
    ((head, *rows),) = tables_of(*ask(table, "distribution of age"))
    assert head[:2] == ["up to", "answer"]
    assert [row[:2] for row in rows] == [["< 50", "0.375"], ["<= 100", "1"]]


def test_labels_stand_for_codes_in_tables_and_beside_them_in_sheets(tmp_path):
    form = {"dataset": "d", "columns": {
        "x": {"type": "category", "values": ["1", "2"], "labels": {"1": "yes", "2": "no"}},
        "y": {"type": "category", "values": ["u"]}}}
    opened = open_table(tmp_path, form, {"x": ["1", "1", "2"], "y": ["u"] * 3})
    plain, crossed, mode = ask(opened, "histogram of x", "count by x, y", "mode of x")
    ((_, *rows),) = tables_of(plain)
    assert [row[:2] for row in rows] == [["yes", "2"], ["no", "1"]]
    ((_, *rows),) = tables_of(crossed)
    assert [row[0] for row in rows] == ["yes", "no", "all"]
    assert tables_of(mode)[0][1] == ["mode", "yes"]
    sheet = answer_sheet(AnsweredQuestion(plain.plan, (), plain.answers), 1)
    assert sheet.rows[0][:3] == ("x", "x_label", "answer")
    assert sheet.rows[1][:3] == ("1", "yes", 2)
