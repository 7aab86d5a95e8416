"""Every item of every paper runs, and a verdict that has drifted is noticed."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from tightrope import papers
from tightrope.cli import application
from tightrope.papers import Verdict, items
from tightrope.papers.h16 import survey_violation
from tightrope.papers.item import Finding, Item, parameter_text
from tightrope.papers.naming import settings

ITEMS = items()


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.key)
def test_an_item_ends_in_its_recorded_verdict_and_depends_on_its_parameters(item):
    here = item.run()
    assert isinstance(here, Finding)
    assert here.verdict is item.recorded
    assert (here.chart is not None) is item.pictured
    for text in (here.published, here.found, here.reason, item.title):
        assert text.strip()
    assert item.varied or item.dropped  # no item is a constant
    assert set(item.varied) | set(item.dropped) <= set(item.parameters)
    if item.varied:
        assert item.run(**item.varied).found != here.found
    if item.dropped:
        assert item.run(**item.dropped).verdict is not here.verdict


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.key)
def test_parameters_are_read_back_from_how_they_are_written(item):
    for changes in (item.parameters, item.varied, item.dropped):
        texts = [f"{name}={parameter_text(value)}" for name, value in changes.items()]
        assert settings(item, texts) == changes


def test_there_are_at_least_ninety_items_under_distinct_plain_names():
    assert len(ITEMS) >= 90
    names = [(item.paper, item.name) for item in ITEMS]
    assert len(set(names)) == len(names)
    for paper, name in names:
        assert paper in {"kl10", "wxh", "klpc", "ecp", "h16"}
        assert re.fullmatch(r"[a-z0-9.-]+", name)


def test_a_claim_is_corrected_only_where_ours_is_shown():
    finding = papers.item.finding
    assert finding("1", "1", True, "same.").verdict is Verdict.CONFIRMED
    assert finding("1", "1", True, "same.", ours=True).verdict is Verdict.CONFIRMED
    assert finding("1", "2", False, "other.", ours=True).verdict is Verdict.CORRECTED
    assert finding("1", "2", False, "other.").verdict is Verdict.NOT_REPRODUCIBLE


def drifting(item):
    other = next(verdict for verdict in Verdict if verdict is not item.recorded)
    return replace(item, recorded=other)


def run(monkeypatch, listed, *arguments):
    monkeypatch.setattr(papers, "items", lambda: tuple(listed))
    return CliRunner().invoke(application(), ["reproduce", *arguments, "--json"])


def test_a_drifted_item_is_noticed(monkeypatch):
    listed = [drifting(ITEMS[0]), *ITEMS[1:4]]
    done = run(monkeypatch, listed)
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    assert answer["drifted"] == 1
    assert [row["verdict"] == row["recorded"] for row in answer["rows"]] == [
        False, *[True] * (len(listed) - 1)
    ]


def test_items_as_recorded_are_no_drift(monkeypatch):
    done = run(monkeypatch, ITEMS[:4])  # all of them: tests/cli/test_reproduce.py
    assert done.exit_code == 0
    assert json.loads(done.stdout)["drifted"] == 0


def test_an_item_that_goes_wrong_does_not_pass_as_reproduced(monkeypatch):
    def fails():
        raise ZeroDivisionError

    broken = Item("h16", "broken", "an item that cannot run", Verdict.CONFIRMED, fails)
    done = run(monkeypatch, [broken])
    assert done.exit_code != 0


def test_theorem_6_5_is_confirmed_by_both_of_its_halves(monkeypatch):
    # the second half is about the largest variances: were Mangat's larger, it would be noticed
    monkeypatch.setattr(
        survey_violation, "worst_variance", lambda design, answer: 2 if design.p11 == 1 else 1
    )
    assert survey_violation.EFFICIENCY.run().verdict is Verdict.NOT_REPRODUCIBLE


def test_the_largest_variances_at_equal_violation_are_those_of_a_search():
    finding = survey_violation.EFFICIENCY.run()
    tenths = [Fraction(k, 10) for k in range(1, 10)]
    shares = [Fraction(k, 200) for k in range(201)]  # π = 0 and 1/2 among them
    ratio = likely = 0
    for share, alpha in ((s, a) for s in tenths for a in tenths if s < a):
        p = alpha * (1 - share) / (alpha * (1 - share) + share * (1 - alpha))  # (6.28)
        q = (alpha - share) / (alpha * (1 - share))
        warner = max(x * (1 - x) + p * (1 - p) / (2 * p - 1) ** 2 for x in shares)  # (6.9)
        mangat = max(x * (1 - x) + (1 - x) * (1 - q) / q for x in shares)  # (6.11)
        assert warner >= mangat
        top = 1 / (4 * q * q) if 2 * q >= 1 else (1 - q) / q
        assert top * Fraction(999, 1000) <= mangat <= top
        ratio += warner == (1 + share * (1 - alpha) / (alpha * (1 - share))) ** 2 * top
        likely += 2 * q >= 1
    assert ratio == likely
    assert f"ratio in the {ratio} of them" in finding.found
