"""Books as somebody without the key would change them: old lines, other lines, broken files."""

import json
import os
import random
import shutil
import sqlite3
import traceback
from datetime import UTC, datetime

import pytest

from tests.ledger.test_books import ROWS, drawn, edit, never, one
from tightrope.errors import BadInput, Refused, SystemFailed, TightropeError
from tightrope.ledger import Budget, Ledger
from tightrope.ledger import books as module


@pytest.fixture
def ledger(tmp_path):
    made = Ledger.create(tmp_path / "l.sqlite")
    made.open_budget(Budget("2026", ROWS, "1"))
    return made


def forked(tmp_path, ledger, times):
    """A copy of the books, under the same key, that went on by itself."""
    for name in ("sqlite", "sqlite.key"):
        shutil.copy(tmp_path / f"l.{name}", tmp_path / f"other.{name}")
    other = Ledger(tmp_path / "other.sqlite")
    for k in range(times):
        other.book("2026", one("0.01", question=f"other {k}"), drawn(9))
    return other


def put(tmp_path, record):
    edit(tmp_path, "DELETE FROM tightrope_ledger WHERE number = ?", record.number)
    edit(tmp_path, "INSERT INTO tightrope_ledger VALUES (?, ?, ?, ?, ?, ?)", record.number,
         record.kind.value, record.budget, record.time,
         json.dumps(dict(record.body)), record.seal)


def test_a_last_line_that_was_replaced_after_a_look_stops_all_charges(ledger, tmp_path):
    """The line of another copy has as many before it and a good seal, but not the one seen."""
    other = forked(tmp_path, ledger, 1)
    ledger.book("2026", one("0.9"), drawn())
    for record in other.records()[1:]:
        put(tmp_path, record)
    other_key = tmp_path / "other.sqlite.key"
    assert Ledger(tmp_path / "l.sqlite", key=other_key).verify().holds  # well sealed
    assert not Ledger(tmp_path / "l.sqlite").verify().holds  # the kept head is another
    with pytest.raises(Refused, match="cut off or replaced"):
        ledger.book("2026", one("0.9"), never)
    with pytest.raises(Refused, match="cut off or replaced"):
        ledger.balance("2026")


def test_a_last_answer_that_was_replaced_after_a_look_is_not_built_upon(ledger, tmp_path):
    ledger.book("2026", one("0.1"), drawn())
    other = forked(tmp_path, ledger, 0)
    first, _ = other._charge("2026", one("0.1"))
    other._keep(first, {"count": 1})
    mine, _ = ledger._charge("2026", one("0.1"))
    ledger._keep(mine, {"count": 2})
    assert ledger.balance("2026").unanswered == 0
    put(tmp_path, other.records()[-1])
    with pytest.raises(Refused):
        ledger.book("2026", one("0.1"), never)


def test_an_answer_that_was_changed_after_a_look_is_not_given_again(ledger, tmp_path):
    ledger.book("2026", one(request="mine"), drawn(5))
    ledger.book("2026", one(), drawn(6))
    edit(tmp_path, "UPDATE tightrope_ledger SET body = replace(body, '5', '7') WHERE number = 3")
    with pytest.raises(Refused, match="record 3 of the ledger was changed"):
        ledger.book("2026", one(request="mine"), never)
    with pytest.raises(Refused, match="was changed"):
        ledger.answered("2026", "mine")


def test_an_old_copy_is_told_by_a_kept_head_and_not_without(ledger, tmp_path):
    shutil.copy(tmp_path / "l.sqlite", tmp_path / "backup")
    head = ledger.book("2026", one("0.9"), drawn()).head
    shutil.copy(tmp_path / "backup", tmp_path / "l.sqlite")
    fresh = Ledger(tmp_path / "l.sqlite")
    assert "they lost records" in fresh.verify().reason
    (tmp_path / "l.sqlite.key.heads").unlink()
    assert fresh.verify().holds
    assert "old copy" in fresh.verify().only_holder[0]
    assert not fresh.verify(head=head).holds
    with pytest.raises(Refused):
        ledger.book("2026", one(), never)


def test_lines_swapped_between_budgets_break_the_books(ledger, tmp_path):
    ledger.open_budget(Budget("other", ROWS, "1"))
    for name in ("2026", "other"):
        ledger.book(name, one("0.4" if name == "2026" else "0.1"), drawn())
    edit(tmp_path, "UPDATE tightrope_ledger SET budget = CASE budget WHEN '2026' THEN 'other' "
         "ELSE '2026' END WHERE kind != 'budget'")
    assert not ledger.verify().holds
    with pytest.raises(Refused):
        Ledger(tmp_path / "l.sqlite")
    with pytest.raises(Refused):
        ledger.book("2026", one("0.6"), never)


@pytest.mark.parametrize("depth", [990, 100_000])
def test_a_line_that_is_nested_too_deep_cannot_be_read(ledger, tmp_path, depth):
    ledger.book("2026", one("0.1"), drawn())
    edit(tmp_path, "UPDATE tightrope_ledger SET body = ? WHERE number = 3",
         '{"a":' * depth + "1" + "}" * depth)
    with pytest.raises(BadInput, match="a line that cannot be read"):
        Ledger(tmp_path / "l.sqlite").verify()


def test_flipped_bytes_never_free_anything(ledger, tmp_path):
    """Wherever a byte of the file is changed: refused, or what is left is no more than it was."""
    for _ in range(3):
        ledger.book("2026", one("0.3"), drawn())
    whole = (tmp_path / "l.sqlite").read_bytes()
    places = random.Random(7)
    for _ in range(120):
        spoiled = bytearray(whole)
        spoiled[places.randrange(len(whole))] ^= 1 << places.randrange(8)
        (tmp_path / "l.sqlite").write_bytes(bytes(spoiled))
        for suffix in ("-journal", "-wal", "-shm"):
            (tmp_path / f"l.sqlite{suffix}").unlink(missing_ok=True)
        with pytest.raises(TightropeError, match=r"^[^\n]*$"):
            Ledger(tmp_path / "l.sqlite").book("2026", one("0.2"), never)


def test_a_journal_or_log_beside_the_file_that_holds_an_older_state_is_told(ledger, tmp_path):
    """Whoever can write beside the file can roll it back, as with an old copy."""
    with sqlite3.connect(tmp_path / "l.sqlite") as db:
        db.execute("PRAGMA journal_mode = WAL")
    kept = ledger.book("2026", one("0.5"), drawn()).head
    for suffix in ("-wal", "-shm"):
        (tmp_path / f"l.sqlite{suffix}").write_bytes(os.urandom(4096))
    try:
        report = Ledger.audit(tmp_path / "l.sqlite", head=kept)
        assert report.holds is (report.head == kept)
    except TightropeError:
        pass
    other = Ledger.create(tmp_path / "m.sqlite")
    other.open_budget(Budget("2026", ROWS, "1"))
    (tmp_path / "m.sqlite-journal").write_bytes(os.urandom(4096))
    assert Ledger(tmp_path / "m.sqlite").balance("2026").charges == 0


def test_a_clock_that_is_set_back_orders_nothing(ledger, monkeypatch):
    ledger.book("2026", one(), drawn())

    class Yesterday(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2001, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(module, "datetime", Yesterday)
    booked = ledger.book("2026", one(), drawn())
    assert booked.entry.time.startswith("2001")
    assert booked.entry.number == 4
    assert ledger.verify(head=booked.head).holds


def test_links_lead_to_the_same_books_and_to_no_other_key(ledger, tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "there" / "link.sqlite"
    link.symlink_to(tmp_path / "l.sqlite")
    with pytest.raises(BadInput, match="no file"):
        Ledger.create(link)  # no new key is made for books that have one
    linked = Ledger(link, key=tmp_path / "l.sqlite.key")
    linked.book("2026", one("0.9"), drawn())
    with pytest.raises(Refused, match=r"0\.1 left"):
        ledger.book("2026", one("0.2"), never)
    other = Ledger.create(tmp_path / "others.sqlite")
    other.open_budget(Budget("2026", ROWS, "100"))
    (tmp_path / "l.sqlite").unlink()
    (tmp_path / "l.sqlite").symlink_to(tmp_path / "others.sqlite")
    with pytest.raises(Refused, match="the key is another"):
        Ledger(tmp_path / "l.sqlite")
    with pytest.raises(Refused):
        ledger.book("2026", one(), never)


def test_a_file_that_went_away_is_not_made_anew_and_nothing_is_given(ledger, tmp_path):
    with pytest.raises(TightropeError):
        ledger.book("2026", one(), lambda: [(tmp_path / "l.sqlite").unlink(), {"count": 1}][1])
    assert not (tmp_path / "l.sqlite").exists()
    with pytest.raises(TightropeError):
        ledger.book("2026", one(), never)


def test_a_disk_that_is_full_when_the_answer_is_kept_gives_nothing_away(ledger, tmp_path,
                                                                         monkeypatch):
    from tightrope.ledger import store

    def then_full():
        monkeypatch.setattr(store.Books, "add", lambda *_: wrapped())
        return {"count": 1}

    def wrapped():
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(SystemFailed):
        ledger.book("2026", one(), then_full)
    monkeypatch.undo()
    balance = Ledger(tmp_path / "l.sqlite").balance("2026")
    assert (balance.charges, balance.unanswered) == (1, 1)


@pytest.mark.parametrize("name", ["a\nb", "a\u202eb", "\x00", "\ud800", "\x1b[31m"])
def test_names_with_control_characters_open_nothing_and_print_nothing(ledger, name):
    for ask in (lambda: Budget(name, ROWS, 1), lambda: ledger.balance(name),
                lambda: ledger.book(name, one(), never),
                lambda: ledger.account("2026", request=name).book(
                    "q", one().level, [{"mechanism": {"form": "m"}}], never, unit="row",
                    neighbors="replace")):
        with pytest.raises(TightropeError) as failed:
            ask()
        assert str(failed.value).isprintable()


def test_a_password_is_in_no_message_and_no_trace():
    with pytest.raises(TightropeError) as failed:
        Ledger("postgresql://me:s3cret@127.0.0.1:1/books", key="k")
    said = "".join(traceback.format_exception(failed.value)) + repr(failed.value)
    assert "s3cret" not in said.replace('Ledger("postgresql://me:s3cret', "")
    assert "could not be reached" in said
