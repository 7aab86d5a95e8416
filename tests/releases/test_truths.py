"""The statistic behind an answer against plain arithmetic on the cells, before any noise.

Nothing here is compared with another source or with the tally's own definition: truths are sums,
means, shares and medians that the test works out from the cells.
"""

import random
from fractions import Fraction
from statistics import mean, pvariance

import pandas
import pytest

from tightrope.declarations import CutKey, Declaration
from tightrope.errors import BadInput, BadTable
from tightrope.releases import Question, open_books, plan_release
from tightrope.releases.answers import answers
from tightrope.tables import open_source

KEY = CutKey(bytes(32))


def exact(cells, column, question, name="x"):
    """The values of a question with no noise at all, and the plan."""
    declaration = Declaration.of({"dataset": "d", "columns": {name: column}})
    plan = plan_release(question, declaration, 1)
    source = open_source({name: cells}, declaration)
    (tallied,) = source.tallies((plan.tally,), KEY)
    numbers = [part.subquery.numbers(tallied) for part in plan.subqueries]
    return plan, numbers, plan.subqueries[0].subquery


def mean_of(cells, column, where=None):
    _, ((up, down),), _ = exact(cells, column, Question("mean", "x", where=where))
    low, high = Fraction(str(column["low"])), Fraction(str(column["high"]))
    return float(low + (high - low) * Fraction(up, up + down))


DRAW = random.Random(3)
SHAPES = {
    "shares": ([0.3] * 10_000, 0, 1),
    "small shares": ([DRAW.random() / 1000 for _ in range(500)], 0, 1),
    "incomes": ([round(DRAW.lognormvariate(10, 1), 2) for _ in range(500)], 0, 500_000),
    "negative": ([DRAW.uniform(-7.25, -0.5) for _ in range(500)], -10, "-0.25"),
    "huge": ([DRAW.uniform(0, 1e12) for _ in range(500)], 0, "1e12"),
    "thirds": ([DRAW.uniform(0, 0.33) for _ in range(500)], 0, "1/3"),
    "halves": ([2.5, 3.5] * 200, 0, 10),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_mean_without_a_declared_resolution_is_the_mean_of_the_cells(shape):
    cells, low, high = SHAPES[shape]
    column = {"type": "number", "low": low, "high": high}
    if shape == "thirds":
        column["high"] = Fraction(1, 3)
    length = float(Fraction(str(high)) - Fraction(str(low)))
    assert mean_of(cells, column) == pytest.approx(mean(cells), abs=length / 2**21)


def test_halves_go_to_even_steps_so_that_they_do_not_add_up():
    column = {"type": "number", "low": 0, "high": 10, "resolution": 1}
    assert mean_of([0.5, 1.5, 2.5, 3.5], column) == 2
    assert mean_of([2.5] * 9, column) == 2


def test_whole_numbers_and_decimals_are_compared_as_they_are():
    draw = random.Random(1)
    ages = [draw.choice([float(draw.randrange(0, 100)), draw.randrange(1000) / 10, 40, 40.0, "40",
                         "40.0", 40.1, 130, None, "?"]) for _ in range(3000)]
    numbers = [None if age in (None, "?") else float(age) for age in ages]
    checks = {
        "age = 40": lambda a: a == 40, "age in (40, 40.1, 130)": lambda a: a in (40, 40.1, 130),
        "age >= 40.1": lambda a: a >= 40.1, "age > 100": lambda a: a > 100,
        "age != 40": lambda a: a != 40, "not age < 40.1": lambda a: a >= 40.1,
        "age not in (40)": lambda a: a != 40, "age <= 0.3": lambda a: a <= 0.3,
    }
    for resolution in ({}, {"resolution": 1}, {"resolution": "0.001"}, {"resolution": 25}):
        column = {"type": "number", "low": 0, "high": 100, **resolution}
        for text, holds in checks.items():
            truth = sum(a is not None and holds(a) for a in numbers)
            question = Question("counts", at=[text, "age is missing"])
            _, ((met, missing),), _ = exact(ages, column, question, "age")
            assert (met, missing) == (truth, numbers.count(None)), (text, resolution)


def test_a_share_beyond_the_high_bound_is_the_true_one():
    column = {"type": "number", "low": 0, "high": 100}
    _, (two,), _ = exact([50, 150, 200] * 10, column, Question("proportion", at="x > 100"))
    assert two == [20, 10]


@pytest.mark.parametrize("condition", ["c = 'y'", "not c != 'y'", "not (not c = 'y')",
                                       "c in ('y')"])
def test_a_share_is_of_the_rows_whose_condition_is_known(condition):
    column = {"type": "category", "values": ["y", "n"]}
    cells = ["y", "n", None, "?"] * 5
    plan, (two,), _ = exact(cells, column, Question("proportion", at=condition), "c")
    assert two == [5, 5]
    assert plan.base == "rows for which the condition is true or false, not unknown"
    assert plan.facts().json["of"] == plan.base


def test_unequal_and_not_equal_count_the_same_rows():
    column = {"type": "category", "values": ["y", "n"]}
    asked = Question("counts", at=["c != 'y'", "not c = 'y'", "c = 'n'", "c is missing"])
    assert exact(["y", "n", "n", None, "?"], column, asked, "c")[1] == [[2, 2, 2, 2]]


def test_a_share_of_a_public_number_needs_every_condition_to_be_known():
    """With a cell left out, the public number of rows is not the denominator."""
    def planned_with(**rules):
        unit = {"neighbors": "replace", "size": 10}
        column = {"type": "category", "values": ["y", "n"], **rules}
        declaration = Declaration.of({"dataset": "d", "unit": unit, "columns": {"c": column}})
        return plan_release(Question("proportion", at="c = 'y'"), declaration, 1)

    assert planned_with(other="n", missing="n").size == 10
    assert planned_with(other="n", missing="n").base == "all 10 rows"
    for rules in ({}, {"other": "n"}, {"missing": "n"}):
        assert planned_with(**rules).size is None


def test_bins_hold_numbers_that_are_not_rounded_into_the_next_one():
    column = {"type": "number", "low": 0, "high": 100, "resolution": 1, "bins": [0, 25, 100]}
    assert exact([24.8, 24.999, 25, 1e9, -5], column, Question("histogram", "x"))[1] == [[3, 2]]


def test_a_variance_without_a_declared_resolution_is_that_of_the_cells():
    draw = random.Random(2)
    cells = [draw.gauss(0.5, 0.01) for _ in range(400)]
    column = {"type": "number", "low": 0, "high": 1}
    plan, (three,), part = exact(cells, column, Question("variance", "x"))
    top = part.tally.shape[-1] - 1
    total = sum(three) / top**2
    first = (three[1] / 2 + three[2]) / top**2 / total
    assert three[2] / top**2 / total - first**2 == pytest.approx(pvariance(cells), rel=1e-3)
    assert plan.rounding == "± 0.000005 in the standard deviation, beside the noise"


@pytest.mark.parametrize(("low", "high", "step"), [
    (0, 200_000, 100), (0, 1, Fraction(1, 1000)), (17, 42, Fraction(1, 100)), (-5, 5, "0.01"),
    (0, "1/3", Fraction(1, 3000)), ("0.1234567", 1000, Fraction("999.8765433") / 1000),
])
def test_quantiles_take_at_least_a_thousand_steps_of_a_power_of_ten(low, high, step):
    column = {"type": "number", "low": low, "high": high}
    _, _, part = exact([0], column, Question("median", "x"))
    assert part.tally.declaration.column("x").step == Fraction(step)
    _, _, fine = exact([0], column, Question("mean", "x"))
    assert fine.tally.declaration.column("x").steps >= 2**20


def test_a_median_is_near_that_of_the_cells_and_states_half_a_step():
    column = {"type": "number", "low": 0, "high": 1}
    declaration = Declaration.of({"dataset": "d", "columns": {"x": column}})
    plan = plan_release(Question("median", "x"), declaration, 1)
    (answer,) = answers(plan, [[307]])
    assert answer.value == Fraction("0.307")
    assert plan.rounding == "± 0.0005, beside the noise"
    assert plan.facts().json["rounding"] == 0.0005


@pytest.mark.parametrize("ask", [("mode",), ("frequent", 2), ("distribution",)])
def test_questions_that_tell_values_apart_ask_for_a_resolution(ask):
    column = {"type": "number", "low": 0, "high": 1}
    question = Question(ask[0], "x", at=ask[1:])
    with pytest.raises(BadInput, match="declare the resolution or the bins of the column 'x'"):
        exact([0], column, question)
    for rule in ({"resolution": "0.1"}, {"bins": [0, "0.5", 1]}):
        assert exact([0], {**column, **rule}, question)[1]


def test_a_dry_run_says_how_every_column_is_read():
    columns = {"x": {"type": "number", "low": 0, "high": 100, "bins": [0, 25, 100], "missing": 7},
               "c": {"type": "category", "values": ["y", "n"], "other": "n"}}
    declaration = Declaration.of({"dataset": "d", "columns": columns})
    plan = plan_release(Question("mean", "x", by="c", where="x > 3"), declaration, 1)
    reads = plan.facts().json["reads"]
    assert reads["x"] == ("clamped to [0, 100], rounded to steps of 0.00001 (± 0.000005); compared "
                          "as it is, neither clamped nor rounded; no number: 7")
    assert reads["c"].startswith("same text; else same number (1.0 is 1; 01 and 1E3 are codes)")
    assert reads["c"].endswith("others: n; missing: left out")
    assert all(f"{name}: {rule}" in repr(plan) for name, rule in reads.items())
    binned = plan_release(Question("histogram", "x"), declaration, 1).facts().json
    assert binned["reads"]["x"] == "clamped to [0, 100], not rounded, in bins; no number: 7"
    assert binned["rounding"] is None


def test_a_column_of_dates_is_no_column_of_numbers(tmp_path):
    import sqlite3

    times = pandas.Series(pandas.to_datetime(["2020-01-01", "2021-01-01"]))
    declaration = Declaration.of({"dataset": "d", "columns": {
        "x": {"type": "number", "low": 0, "high": 1}}})
    with sqlite3.connect(tmp_path / "t.sqlite") as db:
        db.execute("CREATE TABLE t (x DATETIME)")
    frames = [pandas.DataFrame({"x": times}), {"x": times.to_numpy()}, {"x": times - times[0]},
              pandas.DataFrame({"x": times.dt.to_period("M")}),
              pandas.DataFrame({"x": times.dt.tz_localize("UTC")})]
    for data, options in [*((frame, {}) for frame in frames),
                          (tmp_path / "t.sqlite", {"table": "t"})]:
        with pytest.raises(BadTable, match="'x' is declared as a number, and the table holds"):
            open_source(data, declaration, **options)


def test_an_answer_with_no_noise_is_the_mean_of_the_cells():
    plan = open_books({"x": [0.3] * 10_000}, {"dataset": "d", "columns": {
        "x": {"type": "number", "low": 0, "high": 1}}}).dry_run(Question("mean", "x"), 1)
    subquery = plan.subqueries[0].subquery
    source = open_source({"x": [0.3] * 10_000}, plan.declaration)
    numbers = subquery.numbers(source.tallies((subquery.tally,), KEY)[0])
    (answer,) = answers(plan, [numbers])
    assert answer.value == Fraction("0.3")
    assert answer.low < answer.value < answer.high < Fraction("0.31")
