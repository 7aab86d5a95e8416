"""A wrong release is marked and stays; an export is checked alone; the year is drawn."""

import contextlib
import json

import pytest

from tests.ledger.test_audit import KEY, written
from tests.ledger.test_books import ROWS, drawn, never, one
from tightrope.errors import AnswerIsNo, BadDocument, BadInput
from tightrope.ledger import (
    Budget,
    Ledger,
    audit_books,
    export_balances,
    history,
    history_figure,
    is_export,
)
from tightrope.ledger.audit import audit
from tightrope.ledger.entries import Kind, record_from


@pytest.fixture
def ledger(tmp_path):
    made = Ledger.create(tmp_path / "l.sqlite")
    made.open_budget(Budget("2026", ROWS, "1"))
    made.open_budget(Budget("2027", ROWS, "1"))
    for request in "abc":  # entries 3, 5 and 7
        made.book("2026", one(request=request), drawn())
    made.book("2027", one(), drawn())  # entry 9
    return made


@pytest.fixture
def exported(ledger, tmp_path):
    """A file of all records, as `ledger export` writes it."""
    ledger.supersede(3, 5, "a wrong filter")
    path = tmp_path / "books.jsonl"
    path.write_text("".join(json.dumps(record.as_json(), sort_keys=True) + "\n"
                            for record in ledger.records()))
    return path


def test_a_superseded_release_stays_and_nothing_is_refunded(ledger):
    left = ledger.balance("2026").remaining
    made = ledger.supersede(3, 9, "a wrong filter")
    assert made.shown == "entry 3 was superseded by entry 9: a wrong filter"
    assert ledger.balance("2026").remaining == left
    again = ledger.book("2026", one(request="a"), never)
    assert (again.answer, again.superseded) == ({"count": 7}, made)
    assert ledger.book("2026", one(request="b"), never).superseded is None
    assert ledger.verify().superseded == (made,)
    assert ledger.verify().holds


def test_whoever_verifies_a_release_is_told_what_became_of_it(ledger):
    first, other = (ledger.book("2026", one(request=request), never) for request in "ab")
    ledger.supersede(3, None, "counted twice")
    documents = [{"entry": each.entry.as_json(), "drawn": dict(each.answer), "head": each.head}
                 for each in (first, other)]
    report = ledger.verify(releases=documents[:1])
    assert report.holds
    assert [each.shown for each in report.superseded] == ["entry 3 was withdrawn: counted twice"]
    assert ledger.verify(releases=documents[1:]).superseded == ()


@pytest.mark.parametrize(("entry", "by", "words"), [
    (3, 3, "by another one"), (4, None, "no entry 4"), (99, None, "no entry 99"),
    (3, 4, "no entry 4"), (3, 12, "no entry 12"), (1, 3, "no entry 1"), (0, None, "no entry 0"),
    (5, 3, "was superseded by entry 7"), (3, 5, "was superseded by entry 7"),
])
def test_only_releases_that_stand_supersede_and_are_superseded(ledger, entry, by, words):
    with pytest.raises(ZeroDivisionError):
        ledger.book("2027", one(), lambda: {"count": 1 / 0})  # entry 11 has no answer
    if "was superseded" in words:
        ledger.supersede(3, 7, "wrong")
    count = len(ledger.records())
    with pytest.raises(BadInput, match=words):
        ledger.supersede(entry, by, "wrong")
    assert len(ledger.records()) == count


@pytest.mark.parametrize("reason", ["", " ", "a\nb", "a\u202eb", "x" * 501, None])
def test_a_reason_is_one_line(ledger, reason):
    with pytest.raises(BadInput):
        ledger.supersede(3, 5, reason)


@pytest.mark.parametrize("body", [
    {"entry": 4, "by": None, "reason": "x"}, {"entry": 3, "by": 3, "reason": "x"},
    {"entry": 2, "by": None, "reason": "x"}, {"entry": 2, "by": 2, "reason": "x"},
])
def test_a_forged_mark_is_found(ledger, body):
    lines = [(r.kind, r.body) for r in ledger.records() if r.budget == "2026"][:3]
    lines = [lines[0], lines[1], (Kind.ANSWER, {"entry": 2, "answer": {}})]
    good = (Kind.SUPERSEDE, {"entry": 2, "by": None, "reason": "x"})
    assert audit(KEY, written(*lines, good), None, []).holds
    twice = (good,) if body == good[1] else ()
    report = audit(KEY, written(*lines, *twice, (Kind.SUPERSEDE, body)), None, [])
    assert "supersedes no release, or one a second time" in report.reason


def test_an_export_is_checked_alone_and_says_what_needs_the_key(exported, ledger, tmp_path):
    assert is_export(exported)
    assert not is_export(tmp_path / "l.sqlite")
    assert not is_export("postgresql://nobody@nowhere/none")
    alone = audit_books(exported, head=ledger.head())
    assert (alone.holds, alone.records, alone.head) == (True, 11, ledger.head())
    assert alone.only_holder == ("that every record follows from the one before: this needs the "
                                 "key",)
    assert alone.superseded == ledger.verify().superseded
    keyed = audit_books(exported, key=tmp_path / "l.sqlite.key", head=ledger.head())
    assert (keyed.holds, keyed.only_holder) == (True, ())
    booked = ledger.book("2026", one(request="b"), never)
    release = {"entry": booked.entry.as_json(), "drawn": dict(booked.answer), "head": booked.head}
    assert audit_books(exported, releases=[release]).holds
    assert not audit_books(exported, releases=[{**release, "drawn": {"count": 8}}]).holds


def test_records_are_read_back_as_they_were(ledger, exported):
    assert all(record_from(record.as_json()) == record for record in ledger.records())


def test_an_export_shows_the_budgets_and_a_broken_one_nothing(exported, ledger):
    balances, records = export_balances(exported)
    assert (balances, records) == (ledger.balances(), ledger.records())
    exported.write_text(exported.read_text().replace("1/10", "1/20"))
    with pytest.raises(AnswerIsNo, match="record 5 has a wrong sum"):
        export_balances(exported)


def test_an_old_or_changed_export_is_found(exported, ledger, tmp_path):
    key, lines = tmp_path / "l.sqlite.key", exported.read_text().splitlines(keepends=True)

    head = ledger.head()

    def judged(*changed):
        exported.write_text("".join(changed))
        return audit_books(exported, head=head), audit_books(exported, key=key, head=head)

    for report in judged(*lines[:-2]):
        assert "cut off" in report.reason  # an export from before, and a newer head is known
    for report in judged(*lines[:3], *lines[4:]):
        assert report.broken == 4
    for report in judged(*lines[:4], lines[4].replace("1/10", "1/20"), *lines[5:]):
        assert report.broken == 5
    alone, keyed = judged(*lines[:3], lines[3].replace('"count": 7', '"count": 8'), *lines[4:])
    assert (alone.holds, keyed.broken) == (True, 4)  # an answer is bound by the chain alone


@pytest.mark.parametrize("line", [
    "{}", "[]", "nothing", '{"number": true}', '{"number": 1, "number": 1}', "\ufeff{}", "{" * 200,
    '{"number": 1, "kind": "loan", "budget": "b", "time": "t", "seal": "s"}',
])
def test_what_is_no_record_is_refused_with_its_line(exported, line):
    exported.write_text(line + "\n")
    with pytest.raises(BadDocument, match=r"books\.jsonl, line 1"):
        audit_books(exported)


@pytest.mark.parametrize("field", ["level", "spent", "entry", "answer", "question", "version",
                                   "scope", "by"])
def test_a_record_without_a_field_is_no_traceback(exported, field):
    lines = [json.loads(line) for line in exported.read_text().splitlines()]
    for value in (None, [], {}, "x", 7):
        forged = [{**line, **({field: value} if field in line else {})} for line in lines]
        exported.write_text("".join(json.dumps(line) + "\n" for line in forged))
        with contextlib.suppress(BadInput):
            audit_books(exported)


def test_the_history_has_every_charge_with_sums_and_state(ledger):
    ledger.supersede(5, 7, "wrong")
    with pytest.raises(ZeroDivisionError):
        ledger.book("2026", one("0.25"), lambda: {"count": 1 / 0})
    balance = ledger.balance("2026")
    lines = history(ledger.records(), balance)
    assert [(line.record.number, round(line.spent, 9), line.left, line.state)
            for line in lines] == [(3, 0.1, "0.9", "answered"), (5, 0.2, "0.8", "see 7"),
                                   (7, 0.3, "0.7", "answered"), (12, 0.55, "0.45", "no answer")]
    axes = history_figure(lines, balance, ledger.records()[0].time).axes[0]
    whole = axes.get_lines()[0]
    assert [round(float(y), 9) for y in whole.get_ydata()] == [0, 0.1, 0.2, 0.3, 0.55, 0.55]
    assert [round(float(y), 9) for y in axes.get_lines()[-1].get_ydata()] == [0.2, 0.55]


def test_the_picture_has_a_line_for_each_person(tmp_path):
    ledger = Ledger.create(tmp_path / "p.sqlite")
    ledger.open_budget(Budget("2026", ROWS, 2), {"ana": 1, "ben": None})
    for asker, level in (("ana", "0.5"), ("ben", "0.25"), ("ana", "0.25")):
        ledger.book("2026", one(level, asker=asker), drawn())
    balance = ledger.balance("2026")
    axes = history_figure(history(ledger.records(), balance), balance,
                          ledger.records()[0].time).axes[0]
    drawn_lines = {line.get_label(): [float(y) for y in line.get_ydata()]
                   for line in axes.get_lines()}
    assert drawn_lines["ana, of 1"] == [0, 0.5, 0.75, 0.75]
    assert drawn_lines["ben, of 2"] == [0, 0.25, 0.25]
    assert drawn_lines["in all, of 2"] == [0, 0.5, 0.75, 1.0, 1.0]
