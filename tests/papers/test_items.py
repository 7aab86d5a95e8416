"""Every item of every paper runs, and a verdict that has drifted is noticed."""

import json
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from tightrope import papers
from tightrope.cli.application import app
from tightrope.papers import Finding, Item, Verdict, items

ITEMS = items()


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.paper}/{item.name}")
def test_an_item_ends_in_its_recorded_verdict(item):
    finding = item.run()
    assert isinstance(finding, Finding)
    assert finding.verdict is item.recorded
    for text in (finding.published, finding.found, finding.reason, item.title):
        assert text.strip()


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.paper}/{item.name}")
def test_an_item_says_the_same_twice(item):
    assert item.run() == item.run()


def test_there_are_at_least_three_items_under_distinct_plain_names():
    assert len(ITEMS) >= 3
    names = [(item.paper, item.name) for item in ITEMS]
    assert len(set(names)) == len(names)
    for paper, name in names:
        assert paper in {"kl10", "wxh", "kl-pc", "ecp", "h16"}
        assert re.fullmatch(r"[a-z0-9.-]+", name)


def test_a_confirmed_finding_and_a_corrected_one_differ_in_verdict():
    confirmed = papers.item.judged("1", "1", True, "same.")
    corrected = papers.item.judged("1", "2", False, "other.")
    assert confirmed.verdict is Verdict.CONFIRMED
    assert corrected.verdict is Verdict.CORRECTED


def drifting(item):
    other = next(verdict for verdict in Verdict if verdict is not item.recorded)
    return replace(item, recorded=other)


def run(monkeypatch, listed, *arguments):
    monkeypatch.setattr(papers, "items", lambda: tuple(listed))
    return CliRunner().invoke(app, ["reproduce", *arguments, "--json"])


def test_a_drifted_item_is_noticed(monkeypatch):
    listed = [drifting(ITEMS[0]), *ITEMS[1:]]
    done = run(monkeypatch, listed)
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    assert answer["drifted"] == 1
    assert [row["verdict"] == row["recorded"] for row in answer["rows"]] == [
        False, *[True] * (len(listed) - 1)
    ]


def test_items_as_recorded_are_no_drift(monkeypatch):
    done = run(monkeypatch, ITEMS)
    assert done.exit_code == 0
    assert json.loads(done.stdout)["drifted"] == 0


def test_an_item_that_goes_wrong_does_not_pass_as_reproduced(monkeypatch):
    def fails():
        raise ZeroDivisionError

    broken = Item("h16", "broken", "an item that cannot run", Verdict.CONFIRMED, fails)
    done = run(monkeypatch, [broken])
    assert done.exit_code != 0
