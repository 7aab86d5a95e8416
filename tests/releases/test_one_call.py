"""One private statistic in one call: every kind of table, every statistic, against the truth.

At ε = 10,000 noise is 0 but once in 10^4000, so that answers are what was counted.
"""

from datetime import date
from fractions import Fraction
from math import comb, sqrt

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tightrope.declarations import Declaration
from tightrope.errors import BadInput, BadTable, Refused
from tightrope.releases import (
    Release,
    count,
    histogram,
    mean,
    median,
    plan_release,
    proportion,
    quantiles,
    sum,
    variance,
)
from tightrope.releases.answers import Answer
from tightrope.releases.release import protection

SURE = 10_000
AGES = [18, 25, 25, 31, 40, 67, 90]
ROWS = {"age": AGES, "sex": ["f", "m", "f", "m", "f", "x", "f"], "id": [1, 1, 2, 2, 2, 3, 4]}


def relation(rows):
    connection = duckdb.connect()
    connection.register("held", pa.table(rows))
    connection.execute("CREATE TABLE t AS SELECT * FROM held")
    return connection.table("t")


def csv(rows, folder):
    pd.DataFrame(rows).to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


def parquet(rows, folder):
    pq.write_table(pa.table(rows), folder / "t.parquet")
    return str(folder / "t.parquet")


TABLES = {
    "lists": lambda rows, _: rows,
    "pandas": lambda rows, _: pd.DataFrame(rows),
    "Polars": lambda rows, _: pl.DataFrame(rows),
    "lazy Polars": lambda rows, _: pl.LazyFrame(rows),
    "Arrow": lambda rows, _: pa.table(rows),
    "DuckDB": lambda rows, _: relation(rows),
    "CSV": csv,
    "Parquet": parquet,
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_statistic_of_every_kind_of_table_is_the_truth_without_noise(kind, tmp_path):
    table = TABLES[kind](ROWS, tmp_path)
    bounds = {"epsilon": SURE, "low": 0, "high": 80}
    clamped = [min(age, 80) for age in AGES]
    assert count(table, epsilon=SURE).value == 7
    assert count(table, epsilon=SURE, person="id").value == 4
    assert float(sum(table, "age", **bounds)) == np.sum(clamped)
    assert float(mean(table, "age", **bounds)) == pytest.approx(np.mean(clamped), rel=1e-12)
    assert float(variance(table, "age", **bounds)) == pytest.approx(np.var(clamped), rel=1e-9)
    assert float(median(table, "age", **bounds, resolution=1)) == 31
    assert quantiles(table, "age", [0.5], **bounds, resolution=1).value == 31
    women = histogram(table, "sex", epsilon=SURE, values=["f", "m", "nobody"])
    assert [answer.value for answer in women.answers] == [4, 2, 0]
    binned = histogram(table, "age", epsilon=SURE, bins=[0, 25, 40, 70])
    assert [answer.value for answer in binned.answers] == [1, 3, 3]
    share = proportion(table, "age >= 30", epsilon=SURE, where="sex != 'x'")
    assert share.exact == Fraction(3, 6)
    by = mean(table, "age", **bounds, by={"sex": ["m", "f"]})
    assert [answer.cell for answer in by.answers] == [("m",), ("f",)]
    assert [float(answer.value) for answer in by.answers] == pytest.approx([28, 163 / 4])


CELLS = [30, 29.5, "30", "thirty", "31.0", None, "", "f", True, "1e2", float("nan"), -1]
NUMBER = [30, 29.5, 30, None, 31, None, None, None, 1, 100, None, -1]
TEXT = ["30", "29.5", "30", "thirty", "31.0", None, "", "f", "true", "1e2", None, "-1"]
CONDITIONS = {  # true, false or unknown, from the cell's number or text
    "x >= 30": [None if n is None else n >= 30 for n in NUMBER],
    "x != 30": [None if n is None else n != 30 for n in NUMBER],
    "not x < 30": [None if n is None else n >= 30 for n in NUMBER],
    "x in (29.5, 100)": [None if n is None else n in (29.5, 100) for n in NUMBER],
    "x = 'f'": [None if t is None else t == "f" for t in TEXT],
    "x != 'thirty'": [None if t is None else t != "thirty" for t in TEXT],
    "x is missing": [t is None for t in TEXT],
    "x is not missing": [t is not None for t in TEXT],
    "x >= 30 or x = 'f'": [True if (n is not None and n >= 30) or t == "f" else None
                           if n is None or t is None else False
                           for n, t in zip(NUMBER, TEXT, strict=True)],
    "x in (100, 'f')": [True if n == 100 or t == "f" else None if n is None or t is None else False
                        for n, t in zip(NUMBER, TEXT, strict=True)],
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_column_of_a_condition_is_judged_cell_by_cell(condition):
    """A table with each cell alone and one with all of them are counted alike, by the truth."""
    truths = CONDITIONS[condition]
    alone = [count({"x": [cell]}, epsilon=SURE, where=condition).value for cell in CELLS]
    assert alone == [int(truth is True) for truth in truths]
    for table in ({"x": CELLS}, pd.DataFrame({"x": pd.Series(CELLS, dtype=object)})):
        assert count(table, epsilon=SURE, where=condition).value == truths.count(True)
        known = len(truths) - truths.count(None)
        share = proportion(table, condition, epsilon=SURE)
        assert share.exact == Fraction(truths.count(True), known)


@pytest.mark.parametrize("kind", ["Arrow", "Polars", "DuckDB", "CSV", "Parquet", "pandas"])
def test_texts_are_compared_with_numbers_whatever_the_type_of_their_column(kind, tmp_path):
    rows = {"x": ["30", "29", "no", "1e400", "-5", " 31 "], "n": [1, 2, 3, 4, 5, 6]}
    table = TABLES[kind](rows, tmp_path)
    assert count(table, epsilon=SURE, where="x >= 30").value == 3
    assert count(table, epsilon=SURE, where="x = 'no' or x < 0").value == 2
    assert count(table, epsilon=SURE, where="n = '3' or n = 4").value == 2


@pytest.mark.parametrize(("kind", "cell", "number"), [
    ("HUGEINT", str(2**127 - 1), True), ("UHUGEINT", str(2**128 - 1), True),
    ("BIGNUM", f"'{10**50}'", True), ("DATE", "'2020-01-01'", False), ("UUID", "uuid()", False),
    ("TIMESTAMP", "'294247-01-10 04:00:54'", False), ("INTEGER[]", "[9]", False),
])
def test_cells_of_every_type_of_duckdb_are_numbers_or_texts_in_conditions(kind, cell, number):
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t (x {kind}, s VARCHAR)")
    connection.execute(f"INSERT INTO t VALUES ({cell}, '3'), (NULL, '3')")
    for more in ("", " and s > 2"):  # a text compared with a number is streamed
        table = connection.table("t")
        assert count(table, epsilon=SURE, where=f"x > 5{more}").value == number
        assert count(table, epsilon=SURE, where=f"x != 'a'{more}").value == 1
        assert count(table, epsilon=SURE, where=f"x is missing{more}").value == 1


def test_a_date_or_a_list_in_a_condition_is_its_text_and_no_number():

    rows = {"d": pa.array([date(2020, 1, 2), None]), "l": pa.array([[1], [2]])}
    for table in (pa.table(rows), relation(rows)):
        assert count(table, epsilon=SURE, where="d = '2020-01-02'").value == 1
        assert count(table, epsilon=SURE, where="d > 0 or l > 0").value == 0


@pytest.mark.parametrize(("table", "step"), [
    (pa.table({"age": AGES}), 1), (pl.DataFrame({"age": AGES}), 1), (relation({"age": AGES}), 1),
    (pl.Series("age", AGES), 1), (pa.table({"age": [float(age) for age in AGES]}), "0.00001"),
    (pd.DataFrame({"age": AGES}), "0.00001"),
    (pd.DataFrame({"age": [*AGES, None]}), "0.00001"),  # one missing cell makes floats of all
    ({"age": AGES}, "0.00001"),
])
def test_a_resolution_follows_from_a_stored_type_and_never_from_rows(table, step):
    made = mean(table, None if isinstance(table, pl.Series) else "age", epsilon=1, low=0, high=100)
    column = made.plan.declaration.columns["age"]
    assert column.step == Fraction(step)
    assert f"rounded to steps of {step} " in repr(made)


def test_default_steps_divide_both_bounds_and_ranks_take_fewer():
    half = mean(pa.table({"age": AGES}), "age", epsilon=1, low="17.5", high=42)
    assert half.plan.declaration.columns["age"].step == Fraction(1, 100_000)
    ranks = median({"age": AGES}, "age", epsilon=1, low=0, high=100)
    assert "steps of 0.1 " in repr(ranks)
    wide = median(pa.table({"x": [1]}), "x", epsilon=1, low=0, high=10**9)
    assert "steps of 1000000 " in repr(wide)


def test_a_person_weighs_as_many_rows_as_are_stated():
    table = {"x": [1] * 50 + [0], "id": ["a"] * 50 + ["b"]}
    bounds = {"epsilon": SURE, "low": 0, "high": 1, "person": "id"}
    assert sum(table, "x", **bounds).exact == 1
    assert sum(table, "x", **bounds, rows=20).exact == 20
    assert "at most 20 rows of each" in repr(sum(table, "x", **bounds, rows=20))


def test_which_row_of_a_person_counts_is_drawn_anew_in_every_call():
    table = {"x": [0, 1], "id": ["a", "a"]}
    assert {sum(table, "x", epsilon=SURE, low=0, high=1, person="id").exact
            for _ in range(60)} == {0, 1}  # else one in 2^59


def test_one_answer_has_a_value_an_interval_and_an_error_and_is_a_float():
    release = count(ROWS, epsilon="ln(3)")
    low, high = release.interval
    assert type(release.value) is int
    assert float(release) == release.value == release.exact
    assert (low, high) == (release.value - release.error, release.value + release.error)
    # noise of ratio 1/3: P(|noise| > k) = 2/4 · 3^-k, first at most 1/20 where k = 3
    assert release.error == 3
    assert release.epsilon == pytest.approx(np.log(3))
    assert "Nothing was booked" in repr(release)
    assert "Nothing was booked" in release._repr_html_()
    share = proportion(ROWS, "age >= 30", epsilon=20)  # never withheld
    ends = share.interval
    assert share.error == pytest.approx(max(ends[1] - share.value, share.value - ends[0]))
    with pytest.raises(Refused, match=r"tr\.open\(data, declaration, ledger=…, budget=…\)"):
        release.document()


def test_one_answer_counts_and_is_written_like_a_number():
    total = sum(ROWS, "age", epsilon=SURE, low=0, high=100)
    assert (total + 1, 1 + total, total - 1, 1 - total) == (297, 297, 295, -295)
    assert (total * 2, 2 * total, total / 2, 592 / total) == (592, 592, 148, 2)
    assert (int(total), round(total), round(total / 7, 1)) == (296, 296, 42.3)
    assert (f"{total:.1f}", f"{total:,.0f}", f"{total}") == ("296.0", "296", str(total))
    several = count(ROWS, epsilon=SURE, by={"sex": ["f", "m"]})
    for use in (lambda: several + 1, lambda: round(several), lambda: f"{several:.1f}"):
        with pytest.raises(BadInput, match=r"2 answers.*to_frame"):
            use()


def test_a_card_shows_the_answer_first_and_a_picture_that_fits_a_phone():
    card = histogram(ROWS, "sex", epsilon=SURE, values=["f", "m"])._repr_html_()
    assert card.index(">answer<") < card.index(">question<") < card.index("<svg ")
    assert '<svg style="max-width:100%;height:auto" ' in card


def test_several_answers_are_rows_of_the_kind_of_frame_that_was_given():
    for table, kind in ((pd.DataFrame(ROWS), pd.DataFrame), (pl.DataFrame(ROWS), pl.DataFrame),
                        (pa.table(ROWS), pa.Table), (ROWS, pa.Table), (relation(ROWS), pa.Table)):
        made = histogram(table, "sex", epsilon=SURE, values=["f", "m"])
        frame = made.to_frame()
        assert isinstance(frame, kind)
        columns = list(getattr(frame, "column_names", None) or frame.columns)
        assert columns == ["sex", "answer", "low", "high"]
        assert list(map(str, np.array(frame["sex"]))) == ["f", "m"]
        assert list(np.array(frame["answer"])) == [4, 2]
        for ask in ("value", "__float__", "interval", "exact"):
            with pytest.raises(BadInput, match=r"there are 2 answers.*\.to_frame\(\)"):
                getattr(made, ask)()
        assert made.error == 0
        assert made.plot().axes


def test_columns_that_are_called_like_ours_keep_apart():
    table = {"low": ["a", "b"], "answer": ["c", "c"]}
    made = histogram(table, "low", epsilon=SURE, values=["a", "b"], by={"answer": ["c"]})
    assert made.to_frame().column_names == ["low_", "answer_", "answer", "low", "high"]
    cut = quantiles({"x": [1]}, "x", [0.25, "3/4"], epsilon=1, low=0, high=1)
    assert cut.to_frame()["probability"].to_pylist() == [0.25, 0.75]


def test_a_median_has_its_error_in_ranks_and_no_interval():
    made = median(ROWS, "age", epsilon=1, low=0, high=100)
    assert made.error == float(made.plan.width)
    with pytest.raises(BadInput, match=r"no interval in its own values.*in ranks"):
        made.interval  # noqa: B018


def test_what_may_be_empty_is_withheld():
    made = mean(ROWS, "age", epsilon=SURE, low=0, high=100, where="age > 1000")
    assert made.value is None
    with pytest.raises(BadInput, match="withheld"):
        float(made)


@pytest.mark.parametrize(("ask", "said"), [
    (lambda: count(ROWS, epsilon=1, by={"sex": "fm"}), r'a list, such as \["f", "m"\], found'),
    (lambda: count(ROWS, epsilon=1, by=["sex"]), r'by=\{"sex": \["f", "m"\]\}.*somebody'),
    (lambda: count(ROWS, epsilon=1, where="agee > 3"), r"no column 'agee' \(did you mean age\?\)"),
    (lambda: count(ROWS, epsilon=1, where="sex > 'f'"), "texts have no order"),
    (lambda: count(ROWS, epsilon=1, where="age > 3 by sex"), "a condition has no 'by'"),
    (lambda: count(ROWS, epsilon=1, where=3), "a condition is a text"),
    (lambda: count(ROWS, epsilon=1, person="idd"), "did you mean id"),
    (lambda: count(ROWS, epsilon=1, rows=3), "name the column of people"),
    (lambda: mean(ROWS, 3, epsilon=1, low=0, high=1), "named by a text, found int"),
    (lambda: mean(pd.DataFrame([[1], [2]]), 0, epsilon=1, low=0, high=1), 'found int: write "0"'),
    (lambda: mean([1, 2], "age", epsilon=1, low=0, high=1), r'or write \{"age": \[…\]\}'),
    (lambda: mean({"age": 3}, "age", epsilon=1, low=0, high=1), "each a list"),
    (lambda: mean({"age": "31"}, "age", epsilon=1, low=0, high=1), "each a list"),
    (lambda: mean(duckdb.connect(), "age", epsilon=1, low=0, high=1), r"take its \.table"),
    (lambda: count(pd.DataFrame([[1, 2]], columns=["a", "a"]), epsilon=1), "have the same name"),
    (lambda: mean(ROWS, "age", epsilon=1, low="2024-01-01", high=9), "bounds here are numbers"),
    (lambda: mean(ROWS, "age", epsilon=1, low="eight", high=9), "a number such as 0, found"),
    (lambda: proportion(ROWS, "age", epsilon=1), "write age = 'true' of truth values"),
    (lambda: proportion(ROWS, "net age > 3", epsilon=1), r"written \[net age\]"),
    (lambda: mean(ROWS, "age", epsilon=1, low=1, high=0), "low bound below the high"),
    (lambda: mean(ROWS, "age", epsilon=1, low=0, high=1, by={"age": [1]}), "asked about and group"),
    (lambda: mean("a.sqlite", "age", epsilon=1, low=0, high=1), r"tr\.open"),
    (lambda: mean(np.zeros((2, 2)), epsilon=1, low=0, high=1), "several dimensions"),
    (lambda: histogram(ROWS, "age", epsilon=1, bins=10), r"a list, such as \[0, 18, 65\]"),
    (lambda: histogram(ROWS, "age", epsilon=1, edges=[0, 9]), "edges is bins here"),
    (lambda: histogram(ROWS, "age", epsilon=1, low=0, high=9), r"bins=\[0, 18, 65\]"),
    (lambda: histogram(ROWS, epsilon=1, values=["f"]), "name the column, after the table"),
    (lambda: histogram(ROWS, "age", epsilon=1, bins=[1]), "at least two"),
    (lambda: quantiles(ROWS, "age", [25], epsilon=1, low=0, high=1), "between 0 and 1"),
    (lambda: mean(ROWS, "age", epsilon=1, ratio=2, low=0, high=1), "once"),
    (lambda: count(ROWS, ratio=1), "above 0"),
])
def test_what_cannot_be_answered_is_told_what_to_write(ask, said):
    with pytest.raises(BadInput, match=said):
        ask()


def test_the_first_line_of_a_text_file_is_not_told(tmp_path):
    """It may be a row: nobody is told a name that is near."""
    with pytest.raises(BadTable) as refused:
        mean(csv(ROWS, tmp_path), "agee", epsilon=1, low=0, high=1)
    assert str(refused.value) == "the table has no column 'agee'."


def least_covered(times, stated=0.95):
    """The least count that is not rarer than 10^-6 if each holds with the stated chance."""
    below, covered = 0.0, -1
    while below < 1e-6:
        covered += 1
        below += comb(times, covered) * stated**covered * (1 - stated) ** (times - covered)
    return covered


def test_answers_are_around_the_truth_and_intervals_hold_as_often_as_they_say():
    """Would find a wrong sensitivity, a clamp at 0, a share of the wrong rows, a lost row."""
    ages = np.random.default_rng(8).integers(0, 120, 400)
    table, clamped = {"age": ages, "g": ages % 2}, ages.clip(20, 90)
    bounds = {"epsilon": "0.5", "low": 20, "high": 90}
    asked = {
        "count": (lambda: count(table, epsilon="0.5"), 400),
        "sum": (lambda: sum(table, "age", **bounds), clamped.sum()),
        "sum of a group": (lambda: sum(table, "age", **bounds, where="g = 1"),
                           clamped[ages % 2 == 1].sum()),
        "histogram": (lambda: histogram(table, "age", epsilon="0.5", bins=[0, 30, 120]),
                      (ages < 30).sum()),
        "mean": (lambda: mean(table, "age", **bounds), clamped.mean()),
        "variance": (lambda: variance(table, "age", **bounds), clamped.var()),
        "proportion": (lambda: proportion(table, "age > 100", epsilon="0.5"), (ages > 100).mean()),
    }
    times = 150
    for name, (ask, truth) in asked.items():
        answers = [ask().answers[0] for _ in range(times)]
        values = np.array([float(answer.value) for answer in answers])
        held = np.sum([answer.low <= truth <= answer.high for answer in answers])
        assert held >= least_covered(times), (name, held)
        assert abs(values.mean() - truth) < 6 * values.std() / sqrt(times), name
    ranked = np.sort(clamped)
    release = median(table, "age", **bounds, resolution=1)
    medians = [float(median(table, "age", **bounds, resolution=1)) for _ in range(times)]
    held = np.sum([np.searchsorted(ranked, value, "left") <= 200 + release.error
                   and np.searchsorted(ranked, value, "right") >= 200 - release.error
                   for value in medians])
    assert held >= least_covered(times), held


@pytest.mark.parametrize("rows", [3, 4, 5, 9])
def test_people_may_have_more_rows_than_there_are_values(rows):
    stars = {"id": [1, 1, 1, 1, 1, 2, 2], "stars": [1, 2, 3, 4, 5, 3, 3]}
    low, middle, high = quantiles(stars, "stars", epsilon=SURE, low=1, high=5, resolution=1,
                                  person="id", rows=rows).answers
    assert 1 <= low.value <= middle.value <= high.value <= 5
    if rows >= 5:
        assert (low.value, middle.value) == (2, 3)


def test_a_frame_holds_the_probabilities_that_were_asked_for():
    asked = [Fraction(1, 3), Fraction(2, 3)]
    frame = quantiles(ROWS, "age", asked, epsilon=1, low=0, high=100,
                      by={"sex": ["f", "m"]}).to_frame().to_pydict()
    assert frame["probability"] == [float(p) for p in asked] * 2
    assert frame["sex"] == ["f", "f", "m", "m"]


def test_a_quantile_has_its_share_of_rows_below_it():
    """Ranks up to 5 of 100 are of 1, those up to 85 of 5, and the others of 9."""
    ages = {"age": [1] * 5 + [5] * 80 + [9] * 15}
    for share, value in (("0.02", 1), ("0.25", 5), ("0.95", 9)):
        release = quantiles(ages, "age", [share], epsilon=50, low=0, high=10, resolution=1)
        assert release.value == value


@pytest.mark.parametrize(("value", "low", "high", "error"), [
    (2, 1, 7, 5), (6, 1, 7, 5), (None, 0, 10, 5), (4, 1, 7, 3)])
def test_an_error_reaches_the_farther_end_of_the_interval(value, low, high, error):
    plan = mean({"x": [1]}, "x", epsilon=1, low=0, high=10).plan
    ends = [None if end is None else Fraction(end) for end in (value, low, high)]
    assert Release(plan, (Answer((), *ends),)).error == error


def test_counts_are_whole_numbers_in_a_frame_and_other_answers_are_not():
    by = {"sex": ["f", "m"]}
    table = {"sex": ["f", "m", "f"], "age": [30, 40, 50]}
    counts = count(table, epsilon=1, by=by).to_frame()
    means = mean(table, "age", epsilon=1, low=0, high=100, by=by).to_frame()
    assert [str(frame.schema.field("answer").type) for frame in (counts, means)] == [
        "int64", "double"]


@pytest.mark.parametrize(("unit", "words"), [
    ({}, "each row, at ε = 1 (one row added or removed)"),
    ({"neighbors": "replace", "size": 1500}, "each row, at ε = 1 (one of 1,500 replaced)"),
    ({"person": "id"},
     "people named by id, at most 1 row of each, at ε = 1 (one person added or removed)"),
])
def test_whom_an_answer_protects_and_from_what_is_said_in_a_line(unit, words):
    declaration = Declaration.of({"dataset": "d", "unit": unit, "columns": {
        "x": {"type": "category", "values": ["a"]}}})
    assert protection(plan_release("histogram of x", declaration, 1)) == words


def test_people_are_counted_once_however_many_of_their_rows_may_count():
    assert count(ROWS, epsilon=SURE, person="id", rows=3).value == 4


def test_bins_may_have_any_edges_and_stand_alone():
    table = {"x": [0.2, 0.5, 0.7, 1.4, 9]}
    bins = [0, "0.5", "1.5"]
    frame = histogram(table, "x", epsilon=SURE, bins=bins).to_frame()
    assert frame["answer"].to_pylist() == [1, 4]
    with pytest.raises(BadInput, match="state the values"):
        histogram(table, "x", epsilon=SURE, bins=bins, values=["a"])


def test_rows_of_a_person_count_in_as_many_cells():
    frame = histogram(ROWS, "sex", epsilon=SURE, values=["f", "m"], person="id", rows=3).to_frame()
    assert frame["answer"].to_pylist() == [4, 2]


@pytest.mark.parametrize("values", [["2024-01-05"], [date(2024, 1, 5)], ["2024-01-05 00:00:00"]])
def test_a_day_is_matched_however_its_midnight_is_stored(values, tmp_path):
    days = pd.to_datetime(["2024-01-05"] * 8 + ["2024-01-06"] * 3 + ["2024-01-05 13:00"],
                          format="ISO8601")
    frame = pd.DataFrame({"day": days})
    assert histogram(frame, "day", epsilon=SURE, values=values).value == 8
    day = f"day = '{values[0]}'"
    pq.write_table(pa.table({"day": pa.array(days.to_list(), pa.timestamp("us"))}),
                   tmp_path / "d.parquet")
    for table in (frame, {"day": [str(day) for day in days]}, str(tmp_path / "d.parquet")):
        assert count(table, epsilon=SURE, where=day).value == 8
