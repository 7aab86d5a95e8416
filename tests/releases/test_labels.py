"""Labels are shown to people; codes stay in documents, conditions and frames."""

import json

import pytest

import tightrope as tr
from tightrope.declarations import Declaration, read_filter
from tightrope.errors import BadInput
from tightrope.facts import to_json
from tightrope.ledger import Scope
from tightrope.releases import difference, shown_cell

CODES = {"type": "category", "labels": {"1": "never", "2": "rarely"}}
DECLARED = {"dataset": "d", "columns": {
    "often": CODES, "sex": {"type": "category", "values": ["f", "m"], "labels": {"f": "women"}},
    "age": {"type": "number", "low": 0, "high": 9, "resolution": 1}}}
DATA = {"often": [1, 2, 2, 2], "sex": ["f", "f", "m", "m"], "age": [1, 2, 3, 4]}


@pytest.fixture
def ask(tmp_path):
    ledger = tr.Ledger.create(tmp_path / "books.sqlite")
    ledger.open_budget(tr.Budget("b", Scope("d", "row", "add-remove"), 10**6))
    opened = tr.open(DATA, DECLARED, ledger=ledger, budget="b")
    return lambda question: opened.ask(question, 300)


def test_a_histogram_shows_labels_and_keeps_codes(ask):
    release = ask("histogram of often by sex")
    shown = repr(release)
    assert "never, women" in shown
    assert "rarely, m" in shown
    assert release.answers[0].cell == ("1", "f")
    frame = release.to_frame()
    assert frame.column_names == ["often", "often_label", "sex", "sex_label", "answer", "low",
                                  "high"]
    assert frame["often"].to_pylist() == ["1", "1", "2", "2"]
    assert frame["often_label"].to_pylist() == ["never", "never", "rarely", "rarely"]
    assert frame["sex_label"].to_pylist() == ["women", "m"] * 2
    assert to_json(release)["answers"][0]["cell"] == ["1", "f"]
    assert [answer["cell"] for answer in release.document()["answers"]][3] == ["2", "m"]
    assert "never, women" in release._repr_html_()
    labels = [text.get_text() for text in release.plot().axes[0].get_yticklabels()]
    assert labels[0] == "never, women"


def test_a_choice_is_shown_by_its_label(ask):
    release = ask("mode of often")
    assert release.value == "2"
    assert repr(release).splitlines()[0].split() == ["mode", "of", "often", "rarely"]
    assert "rarely" in release._repr_html_()


def test_pictures_of_groups_and_cross_tables_have_labels(ask):
    crossed = ask("histogram of often and sex").plot().axes[0]
    assert [text.get_text() for text in crossed.get_yticklabels()] == ["never", "rarely"]
    grouped = ask("quantiles 0.5, 0.6 of age by sex").plot().axes[0]
    assert [text.get_text() for text in grouped.get_yticklabels()] == ["women", "m"]


def test_a_column_of_the_name_of_labels_is_told_apart(tmp_path):
    declared = {"dataset": "d", "columns": {"a": CODES, "a_label": {
        "type": "category", "values": ["x"]}}}
    data = {"a": [1], "a_label": ["x"]}
    ledger = tr.Ledger.create(tmp_path / "books.sqlite")
    ledger.open_budget(tr.Budget("b", Scope("d", "row", "add-remove"), 10**6))
    release = tr.open(data, declared, ledger=ledger, budget="b").ask("histogram of a by a_label", 9)
    assert release.to_frame().column_names[:3] == ["a", "a_label", "a_label_"]


def test_labels_are_absent_where_none_are_declared():
    plain = {"dataset": "d", "columns": {"sex": {"type": "category", "values": ["f", "m"]}}}
    assert "labels" not in json.dumps(Declaration.of(plain).as_json())
    declared = Declaration.of(DECLARED)
    assert Declaration.of(json.loads(json.dumps(declared.as_json()))) == declared
    assert declared.columns["often"].values == ("1", "2")


@pytest.mark.parametrize(("labels", "said"), [
    ({"3": "often"}, "the label of '3' has no category"), ({"1": ""}, "of '1' is no text"),
    ({"1": 5}, "is no text"), ({"1": "a", "2": "a"}, "shown alike"), ({"1": "2"}, "shown alike"),
    ({"1": "a\x1b"}, "control"), (["never"], "labels are a table"),
])
def test_labels_that_make_no_sense_are_refused(labels, said):
    column = {"type": "category", "values": [1, 2], "labels": labels}
    with pytest.raises(BadInput, match=said):
        Declaration.of({"dataset": "d", "columns": {"a": column}})


def test_a_condition_on_a_label_names_its_code():
    columns = Declaration.of(DECLARED).columns
    with pytest.raises(BadInput, match="it is the label of '1', write that"):
        read_filter("often = 'never'", columns)


@pytest.mark.parametrize(("bins", "shown"), [
    ([-20000, 0, 1000, 30000], ["[-20,000, 0)", "[0, 1,000)", "[1,000, 30,000]"]),
    ([1990, 2000, 2010], ["[1990, 2000)", "[2000, 2010]"]),  # years
    ([0, "0.12345", 10], ["[0, 0.12345)", "[0.12345, 10]"]),
    ([0, "12345.5", 1000000], ["[0, 12,345.5)", "[12,345.5, 1,000,000]"]),
])
def test_long_bins_are_shown_with_marks_between_thousands_and_kept_without(bins, shown):
    pay = {"type": "number", "low": bins[0], "high": bins[-1], "bins": bins}
    opened = tr.open({"pay": [1, 2]}, {"dataset": "d", "columns": {"pay": pay}})
    release = opened.ask("histogram of pay", 50, unbooked=True)
    assert [*map(", ".join, (shown_cell(release.plan, answer.cell)
                             for answer in release.answers))] == shown
    assert [answer.cell[0] for answer in release.answers] == [
        text.replace(",", "").replace(" ", ", ") for text in shown]
    assert all(text in repr(release) for text in shown)
    assert release.to_frame().column_names == ["pay", "answer", "low", "high"]


def test_a_difference_shows_labels(ask):
    change = difference(ask("histogram of often"), ask("histogram of often"))
    assert "never" in repr(change)
    assert change.answers[0].cell == ("1",)
