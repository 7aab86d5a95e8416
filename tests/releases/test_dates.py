"""Answers about dates and times: shown as moments, of which no sum is taken."""

from datetime import date, datetime, time, timedelta

import duckdb
import pyarrow as pa
import pytest

import tightrope as tr
from tightrope.errors import BadInput, BadTable
from tightrope.ledger import Scope
from tightrope.releases import plan_release

DECLARED = {"dataset": "d", "columns": {
    "day": {"type": "date", "low": "2024-01-01", "high": "2024-12-31"},
    "at": {"type": "datetime", "low": "2024-01-01", "high": "2024-01-02"},
    "hour": {"type": "time", "low": "00:00:00", "high": "23:59:59"},
    "month": {"type": "period", "of": "day", "period": "month"}}}
DAYS = [date(2024, 1, 1) + timedelta(days=k) for k in range(366)]
TABLE = pa.table({
    "day": pa.array(DAYS), "at": pa.array([datetime(2024, 1, 1, 7, 30)] * 366),
    "hour": pa.array([time(7, 30)] * 366)})


@pytest.fixture
def opened(tmp_path):
    ledger = tr.Ledger.create(tmp_path / "books.sqlite")
    ledger.open_budget(tr.Budget("b", Scope("d", "row", "add-remove"), 10**6))
    return tr.open(TABLE, DECLARED, ledger=ledger, budget="b")


@pytest.mark.parametrize(("question", "value", "kind"), [
    ("median of at", datetime(2024, 1, 1, 7, 30), pa.timestamp("us")),
    ("median of hour", time(7, 30), pa.time64("us")),
    ("maximum of at", datetime(2024, 1, 1, 7, 30), pa.timestamp("us")),
    ("mode of hour", time(7, 30), pa.time64("us")),
])
def test_one_answer_is_a_moment(opened, question, value, kind):
    release = opened.ask(question, 300)
    assert release.value == value
    assert release.to_frame()["answer"].to_pylist() == [value]
    assert release.to_frame().schema.field("answer").type == kind
    assert release.answers[0].as_json()["value"] == str(value)
    with pytest.raises(BadInput, match=r"the answer is a (time|datetime), "):
        float(release)


def test_quantiles_are_days_of_that_rank(opened):
    release = opened.ask("quantiles 0.25, 0.75 of day", 300)
    low, high = release.to_frame()["answer"].to_pylist()
    assert abs((low - date(2024, 4, 1)).days) <= 2
    assert abs((high - date(2024, 9, 30)).days) <= 2
    assert str(low) in repr(release)
    assert release.plot().axes[0].get_xticklabels()[0].get_text().startswith("2024-")


def test_months_are_counted_with_empty_ones(opened):
    release = opened.ask("histogram of month where day >= '2024-03-01' and day < '2024-05-01'", 300)
    assert [int(answer.value) for answer in release.answers] == [0, 0, 31, 30] + [0] * 8
    assert release.to_frame()["month"].to_pylist()[:2] == ["2024-01", "2024-02"]


def test_a_distribution_is_drawn_over_dates(opened):
    release = opened.ask("distribution of day", 300)
    assert release.answers[59].cell == ("<= 2024-02-29",)
    assert float(release.answers[59].value) == pytest.approx(60 / 366)
    labels = [text.get_text() for text in release.plot().axes[0].get_xticklabels()]
    assert all(label.startswith("202") for label in labels)


def test_a_document_of_dates_is_read_again(opened, tmp_path):
    from tightrope.files import document_bytes
    from tightrope.releases import read_release

    release = opened.ask("median of day by month", 300)
    (tmp_path / "r.json").write_bytes(document_bytes(release, "r.json"))
    published = read_release(tmp_path / "r.json")
    assert published.holds
    assert published.answers == release.answers


@pytest.mark.parametrize("statistic", ["sum", "mean", "variance"])
def test_moments_do_not_add_up(statistic):
    declaration = tr.Declaration.of(DECLARED)
    with pytest.raises(BadInput, match=f"holds dates, which do not add up to a {statistic}: ask"):
        plan_release(f"{statistic} of day", declaration, 1)
    with pytest.raises(BadInput, match="declare its bins, or a period"):
        plan_release("histogram of day", declaration, 1)


@pytest.mark.parametrize("cells", [[0, 10], [0, 2**62]])
@pytest.mark.parametrize("unit", ["s", "ms"])
def test_zoned_times_of_frames_in_duckdb_are_refused_whatever_the_rows(unit, cells):
    """DuckDB fails on those that overflow microseconds: what is refused is the type."""
    frame = pa.table({"at": pa.array(cells, pa.int64()).cast(pa.timestamp(unit, "UTC"))})
    form = {"dataset": "d", "columns": {
        "at": {"type": "datetime", "low": "2020-01-01", "high": "2021-01-01"}}}
    assert tr.open(frame, form).ask("median of at", 100, unbooked=True).value
    with pytest.raises(BadTable, match="give the frame itself"):
        tr.open(duckdb.from_arrow(frame), form).ask("median of at", 100, unbooked=True)
