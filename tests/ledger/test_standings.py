"""A long ledger is charged like a short one: nothing is scanned, and every read is checked."""

import shutil
import sqlite3
from pathlib import Path
from threading import Thread

import pytest

from tests.ledger.test_audit import budget, charge, written
from tests.ledger.test_books import ROWS, drawn, edit, never, one
from tests.ledger.test_crashes import open_one
from tightrope.errors import Refused
from tightrope.exact import Level
from tightrope.ledger import Budget, Ledger, store
from tightrope.ledger.entries import Kind
from tightrope.ledger.standings import take


@pytest.fixture
def ledger(tmp_path):
    made = Ledger.create(tmp_path / "l.sqlite")
    made.open_budget(Budget("2026", ROWS, "100"))
    return made


def work(ledger, number):
    """All that a process does again and again with an open ledger."""
    ledger.check("2026", one(request=f"r{number}"))
    ledger.book("2026", one(request=f"r{number}"), drawn())
    ledger.book("2026", one(request=f"r{number}"), never)
    ledger.answered("2026", "r0")
    ledger.balance("2026")


def test_a_charge_reads_as_many_records_of_a_long_ledger_as_of_a_short_one(ledger, monkeypatch):
    read, parsed = [], store._record
    monkeypatch.setattr(store, "_record", lambda row: read.append(row[0]) or parsed(row))
    counts = []
    for number in range(60):
        read.clear()
        work(ledger, number)
        counts.append(len(read))
    assert counts[-1] == counts[1] < 40


def test_no_statement_scans_the_table(ledger, tmp_path, monkeypatch):
    typed = set()

    def keep(books, statement, *values):
        typed.add((statement, values))
        return execute(books, statement, *values)

    execute = store.Books._execute
    monkeypatch.setattr(store.Books, "_execute", keep)
    for number in range(3):
        work(ledger, number)
    assert typed
    with sqlite3.connect(tmp_path / "l.sqlite") as plain:
        for statement, values in typed:
            steps = plain.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
            assert not any("SCAN" in step[-1] for step in steps), statement


@pytest.mark.parametrize("change", [
    "UPDATE tightrope_ledger SET body = replace(body, '7', '8') WHERE number = 3",
    "UPDATE tightrope_ledger SET time = '2020-01-01T00:00:00+00:00' WHERE number = 2",
    "UPDATE tightrope_ledger SET seal = replace(seal, 'a', 'b') WHERE number = 2",
    "DELETE FROM tightrope_ledger WHERE number = 2",
    "DELETE FROM tightrope_ledger WHERE number = 3",
])
def test_an_old_answer_that_was_changed_is_not_given_again(ledger, tmp_path, change):
    for request in "ab":
        ledger.book("2026", one(request=request), drawn())
    edit(tmp_path, change)
    with pytest.raises(Refused, match="was changed after it had been checked"):
        ledger.book("2026", one(request="a"), never)
    with pytest.raises(Refused, match="was changed after it had been checked"):
        ledger.answered("2026", "a")


def test_a_second_answer_under_the_key_does_not_replace_the_first(ledger):
    first = ledger.book("2026", one(request="a"), drawn(5))
    with ledger._writing() as books:
        ledger._add(books, Kind.ANSWER, "2026",
                    {"entry": first.entry.number, "answer": {"count": 8}})
    assert ledger.book("2026", one(request="a"), never).answer == {"count": 5}


def test_a_second_charge_of_a_request_under_the_key_does_not_hide_its_answer(ledger):
    first = ledger.book("2026", one(request="a"), drawn(5))
    with ledger._writing() as books:
        body = {**first.entry.body, "spent": ledger.balance("2026").spent.plus(one().level)}
        ledger._add(books, Kind.CHARGE, "2026", {**body, "spent": body["spent"].as_json()})
    again = ledger.book("2026", one(request="a"), never)
    assert (again.entry.number, again.answer) == (first.entry.number, {"count": 5})


def test_a_charge_that_was_not_written_does_not_count(ledger, monkeypatch):
    """What a writer adds counts after it is on the disk, and not before."""
    def full(self, record):
        raise OSError("no space left")

    monkeypatch.setattr(store.Books, "add", full)
    with pytest.raises(OSError, match="space"):
        ledger.book("2026", one(request="a"), never)
    monkeypatch.undo()
    assert ledger.balance("2026").charges == 0
    assert not ledger.book("2026", one(request="a"), drawn()).again


def test_one_open_ledger_serves_many_threads(address):
    ledger, failed = open_one(address, 1), []

    def serve():
        try:
            for _ in range(8):
                ledger.book("2026", one("0.01"), drawn())
                ledger.balances()
        except BaseException as error:
            failed.append(error)

    threads = [Thread(target=serve) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    balance = ledger.balance("2026")
    assert (balance.charges, balance.unanswered, balance.remaining) == (48, 0, "ε = 0.52")
    assert Ledger(**address).verify().holds


def test_books_of_0_2_0_are_charged_and_may_name_people(tmp_path, monkeypatch):
    monkeypatch.delenv("TIGHTROPE_LEDGER_KEY", raising=False)
    for name in ("books.sqlite", "books.sqlite.key"):
        shutil.copy(Path(__file__).parents[1] / "kept" / "ledger" / name, tmp_path / name)
    (tmp_path / "books.sqlite.key").chmod(0o600)
    with Ledger(tmp_path / "books.sqlite") as ledger:
        before = ledger.records()
        scope = ledger.balance("visits").budget.scope
        ledger.book("visits", one("2", scope=scope), drawn())
        ledger.set_people("visits", {"ana": 5})
        ledger.book("visits", one("3", scope=scope, asker="ana"), drawn())
        ledger.supersede(before[-1].body["entry"], None, "wrong")
        assert ledger.balance("visits").remaining == "ε = 87"  # it was 92
        assert ledger.records()[:69] == before
        assert ledger.verify(head=before[-1].seal).holds


def test_a_sealed_record_of_a_budget_that_was_never_opened_is_refused():
    """Whoever has the key could write one; nothing of it counts."""
    opened, charged = written(
        budget(Level.of(1)), charge(Level.of("1/2")))
    standings = {}
    take(standings, [opened, charged])
    assert standings["now"].charges == 1
    with pytest.raises(Refused, match="record 2 of the ledger is of a budget that was never"):
        take({}, [charged])


def test_a_rest_speaks_of_delta_only_where_it_is_missing(tmp_path):
    """A rest without δ is no reason against a pure charge, nor against a δ that is too large."""
    ledger = Ledger.create(tmp_path / "deltas.sqlite")
    delta = Level.epsilon(3).with_delta("1e-6")
    ledger.open_budget(Budget("pure", ROWS, 3), {"ana": 1})
    ledger.open_budget(Budget("with", ROWS, delta), {
        "ana": Level.epsilon(1).with_delta("1e-9"), "ben": 1})
    larger = Level.epsilon(1).with_delta("1e-8")
    for budget_name, level, asker, words in [
        ("pure", "2", "ana", "ana has ε = 1 left of"),
        ("with", "2", "ben", "ben has ε = 1 left of"),
        ("with", larger, "ana", "ana has ε = 1, δ = 1e-09 left of"),
        ("pure", "4", "ana", "'pure' has ε = 3 left,"),
        ("with", Level.epsilon(1).with_delta("1e-5"), "ana", "'with' has ε = 3, δ = 1e-06 left,"),
    ]:
        with pytest.raises(Refused, match=words) as refused:
            ledger.book(budget_name, one(level, asker=asker), never)
        assert "gives a δ" not in str(refused.value)
        assert "δ = 0" not in str(refused.value)
