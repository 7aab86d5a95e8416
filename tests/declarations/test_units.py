"""Units of several columns: what is protected, and what is not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tightrope as tr
from tests.tables.plain import unit_text
from tightrope.declarations import Declaration, Naming, Unit
from tightrope.declarations.cells import as_text, numeral
from tightrope.declarations.periods import Period, PeriodColumn
from tightrope.declarations.times import TimeColumn
from tightrope.errors import BadInput
from tightrope.ledger import Scope
from tightrope.releases import plan_release

DAYS = {"dataset": "d", "unit": {"person": ["id", "day"], "rows": 2}, "columns": {
    "day": {"type": "date", "low": "2024-01-01", "high": "2024-12-31"},
    "sex": {"type": "category", "values": ["f", "m"]}}}
ROWS = st.lists(st.text(alphabet=",\\\\ab"), min_size=2, max_size=2)


@given(ROWS, ROWS)
def test_different_cells_have_different_names(first, second):
    naming = (Naming("a"), Naming("b"))
    names = [unit_text(naming, dict(zip("ab", row, strict=True))) for row in (first, second)]
    assert (names[0] == names[1]) is (first == second)


def test_a_row_that_lacks_a_part_is_nobodys():
    assert unit_text((Naming("a"), Naming("b")), {"a": "x"}) is None


def test_one_column_in_a_list_is_that_column():
    assert Unit(["id"]) == Unit("id")
    assert Unit(["id"]).as_json()["person"] == "id"


def test_several_columns_say_what_is_not_protected():
    declaration = Declaration.of(DAYS)
    unit = declaration.unit
    assert Declaration.of(json.loads(json.dumps(declaration.as_json()))) == declaration
    assert unit.code == 'each:["id","day"]'
    said = "each combination of id and day, not all rows of one id"
    assert unit.shown == f"{said}, at most 2 rows of each; neighbors add or remove one"
    assert "combination of id and day, not all rows of one id" in Scope.of(declaration).shown
    plan = plan_release("count by sex", declaration, 1)
    assert said in dict(plan.facts().json)["unit"]
    assert plan.kept == "kept rows, at most 2 a combination"
    people = plan_release("people", declaration, 1)
    assert people.unit_of_error == "combinations"
    assert people.title == "people: combinations of id and day"


def test_a_release_says_it_too():
    data = {"id": ["a", "a", "b"], "day": ["2024-01-01", "2024-01-01", None]}
    release = tr.count(data, epsilon=50, person=["id", "day"])
    assert release.value == 1
    assert "each combination of id and day, not all rows of one id" in repr(release)
    assert "(one combination added or removed)" in repr(release)


def test_budgets_of_a_person_and_of_a_day_are_apart():
    whole = Declaration.of({**DAYS, "unit": {"person": "id", "rows": 2}})
    assert Scope.of(whole) != Scope.of(Declaration.of(DAYS))


@pytest.mark.parametrize(("unit", "said"), [
    ([], "name of a column, or a list"), (["id", "id"], "named twice"), ([1, 2], "name of a col"),
    (["id", ""], "name of a column"), (["id", "a\x1b"], "control"), ({"id": 1}, "name of a col"),
])
def test_a_unit_that_makes_no_sense_is_refused(unit, said):
    with pytest.raises(BadInput, match=said):
        Declaration.of({**DAYS, "unit": {"person": unit}})


def test_a_period_alone_names_nobody():
    columns = {**DAYS["columns"], "month": {"type": "period", "of": "day", "period": "month"}}
    with pytest.raises(BadInput, match="people are not named by a period"):
        Declaration.of({"dataset": "d", "unit": {"person": "month"}, "columns": columns})


@pytest.mark.parametrize("cell", [None, "2024-02-30", 7, float("nan")])
def test_a_cell_without_a_day_or_month_is_no_part_of_a_name(cell):
    day = TimeColumn("2024-01-01", "2024-12-31")
    assert Naming("day", day).text(cell) is None
    assert Naming("month", PeriodColumn("day", day, Period.MONTH)).text(cell) is None


def test_a_day_is_named_by_its_number_without_a_fraction():
    day = TimeColumn("1970-01-01", "1970-12-31")
    assert Naming("day", day).text("1970-02-01") == "31"
    assert Naming("month", PeriodColumn("day", day, Period.MONTH)).text("1970-02-01") == "1"


def test_nothing_less_than_nothing_is_nothing():
    assert [numeral("-0"), numeral("-0.00"), as_text(-0.0)] == ["0", "0", "0"]
