"""Figures of benchmarks that pages quote are those of the last results."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/guides/plan-a-large-cluster.md"


def results(name):
    return json.loads((ROOT / f"benchmarks/results/{name}.json").read_text(encoding="utf-8"))


def table(page, first):
    """The rows below the line of names that begins so, as cells."""
    lines = page.read_text(encoding="utf-8").split("\n")
    start = next(place for place, line in enumerate(lines) if line.startswith(first))
    below = lines[start + 2:]
    return [[cell.strip() for cell in line.strip("|").split("|")]
            for line in below[:below.index("")]]


def test_rates_of_the_cluster_guide_are_the_measured_ones():
    numbers = results("clusters")["numbers"]
    rows = table(GUIDE, "| work | rows per processor second")
    assert [row[0] for row in rows] == ["histogram", "mean", "histogram of people", "sanitize"]
    for work, *shown in rows:
        one, two = (numbers[f"{work}, {cores}"] for cores in (1, 2))
        plain = (numbers[f"{work}, {cores}, beside plain"] for cores in (1, 2))
        assert shown == [f"{one:,.0f}", f"{two:,.0f}", *(f"{ratio:.1f}" for ratio in plain),
                         f"{1e11 / two / 3600:.0f}"]


def test_the_cluster_guide_quotes_rows_of_the_simulation():
    measured = results("stragglers")
    columns = ["work", "an executor is lost once in", "outputs outlive it", "minutes, mean",
               "minutes, longest", "jobs that ended"]
    places = [measured["columns"].index(name) for name in columns]
    copies = measured["columns"].index("second copies")
    known = [[row[place] for place in places] for row in measured["rows"] if row[copies] == "yes"]
    rows = table(GUIDE, "| work | executor lost every")
    assert len(rows) > 4
    assert [row for row in rows if row not in known] == []


def test_sizes_of_the_cluster_guide_are_the_measured_ones():
    text, measured = GUIDE.read_text(encoding="utf-8"), results("clusters")
    column = measured["columns"].index("bytes shuffled a row")
    shuffled = {row[column] for row in measured["rows"] if row[0] == "histogram of people"}
    stated = re.search(r"compression (\d+) bytes a row were measured, or ([0-9.]+) TB", text)
    assert {f"{float(size):.0f}" for size in shuffled} == {stated[1]}
    assert float(stated[2]) == int(stated[1]) * 1e11 / 1e12
    worker = re.search(r"measured: at most (\d+) MB", text)
    assert int(worker[1]) == round(measured["numbers"]["python worker MB"])
    assert "five million rows" in text
    assert "5,000,000 rows" in measured["question"]


PAGES = [next((ROOT / "docs/decisions").glob("0039-*.md")), ROOT / "CHANGELOG.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.parametrize(("source", "words"), [
    ("DuckDB", "(?:DuckDB tables|tables of DuckDB) cost "),
    ("Parquet", "Parquet(?: from a million rows on)? "),
])
def test_pages_state_the_ratios_that_were_measured(page, source, words):
    text = page.read_text(encoding="utf-8")
    stated = re.search(rf"{words}([0-9]+[.][0-9]) to ([0-9]+[.][0-9])", text)
    ratios = [ratio for name, ratio in results("ratios")["numbers"].items()
              if name.startswith(f"{source}: ") and "plan" not in name and "people" not in name]
    assert len(ratios) == 5
    assert (float(stated[1]), float(stated[2])) == (round(min(ratios), 1), round(max(ratios), 1))


def test_the_changelog_states_the_release_and_the_plan_that_were_measured():
    text, measured = PAGES[1].read_text(encoding="utf-8"), results("ratios")
    (release,) = [row for row in measured["rows"] if row[1].startswith("release at a terminal")]
    (plan,) = [row for row in measured["rows"] if row[1] == "plan of twelve questions"]
    stated = re.search(r"release of a small file takes ([0-9.]+) processor seconds", text)
    assert float(stated[1]) == round(float(release[3]), 2)
    assert "plan of twelve questions of DuckDB or Parquet rows costs a quarter" in text
    assert 0.2 < float(plan[3]) / float(plan[4]) < 0.3
