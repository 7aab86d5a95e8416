from types import MappingProxyType

import pytest

from tightrope.declarations import Declaration, Unit
from tightrope.errors import BadInput

FORM = {
    "dataset": "fair",
    "unit": {"person": "id", "rows": 3, "neighbors": "replace", "size": 100},
    "columns": {
        "age": {"type": "number", "low": 17, "high": 42, "resolution": "0.5", "bins": [17, 30, 42]},
        "vote": {"type": "category", "values": ["no", "yes"], "other": "no",
                 "missing": "leave out"},
    },
}


def changed(**fields):
    return {**FORM, **fields}


def test_a_declaration_says_itself_again():
    made = Declaration.of(FORM)
    again = Declaration.of(made.as_json())
    assert again == made
    assert again.digest == made.digest


@pytest.mark.parametrize("other", [
    changed(dataset="unfair"),
    changed(unit={**FORM["unit"], "rows": 2}),
    changed(columns={**FORM["columns"], "age": {**FORM["columns"]["age"], "high": 43, "bins": []}}),
])
def test_another_declaration_has_another_digest(other):
    assert Declaration.of(other).digest != Declaration.of(FORM).digest


@pytest.mark.parametrize(("form", "said"), [
    (7, "dataset"),
    (changed(dataset=""), "names its dataset"),
    (changed(dataset="a\nb"), "control"),
    (changed(columns={}), "at least one"),
    (changed(columns=[]), "tables of fields"),
    (changed(rows=3), "no meaning, 'rows'"),
    (changed(unit={"perso": "id"}), "did you mean person"),
    (changed(unit={"rows": 3}), "name the column"),
    (changed(unit={"neighbors": "replace"}), "size"),
    (changed(unit={"size": 5}), "public only"),
    (changed(unit={"neighbors": "remove"}), "neighbors"),
    (changed(unit={"person": "id", "rows": 0}), "whole number"),
    (changed(unit={"person": "id", "rows": 1.5}), "whole number"),
    (changed(unit={"person": "id", "rows": 2**40 + 1}), r"from 1 to 2\^40"),
    (changed(unit={"person": ""}), "name of a column"),
    (changed(columns={"a": {"type": "day"}}), "number, category, date"),
    (changed(columns={"a": {"type": "number", "low": 0}}), "no 'high'"),
    (changed(columns={"a": {"type": "category"}}), "no 'values'"),
    (changed(columns={"a": {"type": "category", "values": "no/yes"}}), "list"),
    (changed(columns={"a": {"type": "number", "low": 0, "high": 1, "hi": 3}}), "no meaning"),
    (changed(columns={"a": 3}), "table of fields"),
])
def test_what_makes_no_sense_is_refused_in_a_sentence(form, said):
    with pytest.raises(BadInput, match=said):
        Declaration.of(form)


def test_so_many_rows_of_a_person_may_count_that_their_sums_fit():
    assert Declaration.of(changed(unit={"person": "id", "rows": 2**40})).unit.rows == 2**40


def test_what_was_declared_cannot_be_changed():
    form = {**FORM, "columns": dict(FORM["columns"])}
    made = Declaration.of(form)
    form["columns"].clear()
    assert set(made.columns) == {"age", "vote"}
    assert isinstance(made.columns, MappingProxyType)


def test_people_may_count_in_more_cells_than_rows_of_theirs_do():
    assert Unit("id", rows=3, cells=9).cells == 9
    assert Unit("id", rows=3).cells == 3
    with pytest.raises(BadInput, match="one row in one cell"):
        Unit(cells=2)
