"""Documents that earlier versions wrote are still read and proved: see the README beside."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.documents.judges import checker_of, library_says, receipt_says
from tests.releases.test_publication import stranger
from tightrope.documents import VERSION, content_of
from tightrope.documents.forms import NAMES
from tightrope.errors import BadDocument
from tightrope.ledger import Ledger
from tightrope.ledger.entries import entry_from
from tightrope.releases import read_plan, read_release
from tightrope.releases.statistics import STATISTICS
from tightrope.surveys import read_survey

HERE = Path(__file__).parent
MECHANISMS, RELEASES, PLANS, SURVEYS = (sorted((HERE / name).glob(pattern)) for name, pattern in (
    ("mechanisms", "*/*.json"), ("releases", "*.json"), ("plans", "*.json"),
    ("surveys", "*.json")))
LATER = sorted((HERE / "later").glob("*.json"))
"""Releases of statistics that came after the kept books."""
NEW_FORMS = {"key-selection", "key-noise", "gaussian"}
"""Forms that no document of version 1 has."""


def named(file):
    return str(file.relative_to(HERE))


@pytest.fixture
def books(tmp_path, monkeypatch):
    """A copy of the kept books: a database may be touched by looking at it."""
    monkeypatch.delenv("TIGHTROPE_LEDGER_KEY", raising=False)
    for name in ("books.sqlite", "books.sqlite.key"):
        shutil.copy(HERE / "ledger" / name, tmp_path / name)
    (tmp_path / "books.sqlite.key").chmod(0o600)
    with Ledger(tmp_path / "books.sqlite") as ledger:
        yield ledger


def test_one_of_each_kind_is_kept():
    forms = {version: {content_of(file.read_bytes())["mechanism"]["form"]
                       for file in MECHANISMS if file.parent.name == str(version)}
             for version in range(1, VERSION + 1)}
    every = {*NAMES.values(), "matrix", "kernel", "remapped", "table"}
    assert forms == {1: every - NEW_FORMS, 2: every}
    asked = {read_release(file).plan.question.ask for file in (*RELEASES, *LATER)}
    assert asked == {*STATISTICS}
    aims = {str(read_release(file).plan.question.optimal) for file in RELEASES}
    assert {"None", "worst", "average"} < aims
    assert (len(SURVEYS), len(PLANS)) == (2, 2)


@pytest.mark.parametrize("file", MECHANISMS, ids=named)
def test_a_kept_mechanism_is_proved_by_both_judges(file, tmp_path):
    data = file.read_bytes()
    code, report = receipt_says(data, tmp_path)
    assert (library_says(data), code, report["intact"]) == (0, 0, True), checker_of(data)
    assert content_of(data)["version"] == int(file.parent.name)


@pytest.mark.parametrize("file", [*RELEASES, *LATER], ids=named)
def test_a_kept_release_holds(file):
    found = read_release(file)
    assert (found.holds, found.intact, found.reason) == (True, True, None)
    assert stranger(found.content) == 3  # it proves the laws and leaves answers to `verify`


@pytest.mark.parametrize("file", PLANS, ids=named)
def test_a_kept_plan_holds(file):
    found = read_plan(file)
    assert (found.holds, found.intact, found.reason) == (True, True, None)
    assert any(part.agreed is not None for part in found.parts)
    assert stranger(found.content) == 3


CHOSEN = {("declared",), ("asked", "question"), ("entry", "question"), ("entry", "request"),
          ("entry", "budget"), ("entry", "scope", "dataset"), ("answers", "cell"),
          ("answers", "value"), ("asked", "name"), ("asked", "known"), ("parts", "asked"),
          ("parts", "answers"), ("parts", "agreed"), ("entry", "parts")}
"""Places whose texts come from whoever declared and asked."""


def texts(value, path=()):
    """All texts of a document, each with the names that lead to it."""
    if isinstance(value, str):
        yield path, value
    for name, part in value.items() if isinstance(value, dict) else ():
        yield from texts(part, (*path, name))
    for part in value if isinstance(value, list) else ():
        yield from texts(part, path)


def test_no_sentence_is_in_a_release_or_in_the_books(books):
    documents = [content_of(file.read_bytes()) for file in (*RELEASES, *PLANS)]
    records = [{"entry": {**record.as_json(), "budget": ""}} for record in books.records()]
    looked = 0
    for path, text in (pair for each in (*documents, *records) for pair in texts(each)):
        if not any(path[:length] in CHOSEN for length in (1, 2, 3)):
            looked += 1
            assert not re.search("[A-Za-z]{2,} +[A-Za-z]{2,}", text), (path, text)
    assert looked > 1000


def test_the_kept_books_are_whole_and_hold_the_kept_releases(books):
    contents = [content_of(file.read_bytes()) for file in RELEASES]
    head = "349ac88bffda5a378202c9bb0e50477a6e5dd5378bf97af381c52cc434fd736f"
    report = books.verify(head=head, releases=contents)
    assert (report.holds, report.records, report.head) == (True, 69, head)
    exported = (HERE / "ledger" / "books.jsonl").read_text(encoding="utf-8").splitlines()
    assert [record.as_json() for record in books.records()] == [*map(json.loads, exported)]
    assert books.balance("visits").remaining == "ε = 92"  # sixteen halves of 100
    assert books.answered("draw", "kept").answer == {"answers": [0, 2, 2]}


def test_the_kept_entries_of_every_command_are_read(books):
    charges = [record for record in books.records() if record.kind == "charge"]
    kinds = {record.body["question"].partition(":")[0] for record in charges}
    assert kinds >= {"sanitize", "draw", "noise", "curve", "network", "degrees", "positions",
                     "traces", "survey", "optimal", "count where x > 3"}
    for record in charges:
        if record.body["declaration"] is not None:
            assert entry_from(record.as_json()) == record


@pytest.mark.parametrize("file", SURVEYS, ids=named)
def test_a_kept_survey_is_read_and_stays_as_it_was(file):
    survey = read_survey(file.read_bytes())
    assert survey.digest == content_of(file.read_bytes())["digest"]
    assert f"version-{survey.questions[0].version}" in file.name


def test_releases_and_ledgers_of_before_the_promise_are_refused_in_a_sentence(
    tmp_path, monkeypatch
):
    monkeypatch.delenv("TIGHTROPE_LEDGER_KEY", raising=False)
    with pytest.raises(BadDocument, match=r"older than 0\.2\.0"):
        read_release(HERE / "old" / "release.json")
    assert stranger(content_of((HERE / "old" / "release.json").read_bytes())) == 2
    for name in ("books.sqlite", "books.sqlite.key"):
        shutil.copy(HERE / "old" / name, tmp_path / name)
    (tmp_path / "books.sqlite.key").chmod(0o600)
    for look in (Ledger, Ledger.audit):
        with pytest.raises(BadDocument, match=r"older than 0\.2\.0"):
            look(tmp_path / "books.sqlite")


@pytest.mark.parametrize("name", ["agreed", "known"])
def test_a_plan_of_before_its_total_was_sealed_is_read_and_does_not_hold(name):
    found = read_plan(HERE / "old" / f"plan-{name}.json")
    assert (found.intact, found.holds) == (True, False)
    assert found.reason == "its entry does not seal its total and known counts (terms)"
    assert stranger(found.content) == 2
