import json
import os
import re
import shutil
import sqlite3
from contextlib import closing

import pytest

from tightrope.declarations import Declaration
from tightrope.errors import BadDocument, BadInput, Refused, SystemFailed
from tightrope.ledger import Budget, Charge, Ledger, Scope
from tightrope.ledger.entries import Kind
from tightrope.ledger.sums import Spent

ROWS = Scope("fair", "row", "replace")


def one(level="0.1", **changed):
    return Charge(**{"question": "count", "scope": ROWS, "level": level,
                     "mechanism": "geometric", **changed})


@pytest.fixture
def ledger(tmp_path):
    made = Ledger.create(tmp_path / "l.sqlite")
    made.open_budget(Budget("2026", ROWS, "1"))
    return made


def drawn(value=7):
    return lambda: {"count": value}


def never():
    raise AssertionError("nothing may be drawn")


def edit(tmp_path, statement, *values):
    with sqlite3.connect(tmp_path / "l.sqlite") as db:
        db.execute(statement, values)


def test_a_tenth_ten_times_is_one_and_not_a_hair_more(ledger):
    for _ in range(10):
        ledger.book("2026", one(), drawn())
    with pytest.raises(Refused, match="ε = 0 left"):
        ledger.book("2026", one("1e-300"), never)
    assert ledger.balance("2026").charges == 10


def test_deltas_add_up_beside_epsilons(tmp_path):
    ledger = Ledger.create(tmp_path / "d.sqlite")
    from tightrope.exact import Level

    ledger.open_budget(Budget("d", ROWS, Level.epsilon(5, delta="1e-6")))
    for _ in range(4):
        ledger.book("d", one(Level.epsilon("0.5", delta="2.5e-7")), drawn())
    with pytest.raises(Refused):
        ledger.book("d", one(Level.epsilon("0.5", delta="1e-30")), never)
    ledger.book("d", one("3"), drawn())
    with pytest.raises(Refused):
        ledger.book("d", one("1e-9"), never)


def test_logarithms_add_up_exactly(tmp_path):
    ledger = Ledger.create(tmp_path / "e.sqlite")
    ledger.open_budget(Budget("ln", ROWS, "ln(6)"))
    ledger.book("ln", one("ln(2)"), drawn())
    ledger.book("ln", one("ln(9)/2"), drawn())
    with pytest.raises(Refused, match="ε = 0 left"):
        ledger.book("ln", one("1e-200"), never)


@pytest.mark.parametrize("changed", ["dataset", "unit", "neighbors", "metric"])
def test_a_charge_of_another_scope_is_refused_and_spends_nothing(ledger, changed):
    other = Scope(**{**ROWS.as_json(), changed: "another"})
    own = ROWS.as_json()[changed]
    difference = f"another purpose: {changed} {own}, asked was another. Nothing was spent"
    with pytest.raises(Refused, match=difference):
        ledger.book("2026", one(scope=other), never)
    assert ledger.balance("2026").charges == 0


def test_the_entry_is_on_the_disk_before_anything_is_drawn(ledger, tmp_path):
    def looking():
        kinds = [r.kind for r in Ledger(tmp_path / "l.sqlite").records()]
        assert kinds == ["budget", "charge"]
        return {"count": 1}

    ledger.book("2026", one(), looking)


def test_a_failed_draw_stays_spent_and_is_not_repeated(ledger):
    with pytest.raises(ZeroDivisionError):
        ledger.book("2026", one(request="a"), lambda: {"count": 1 / 0})
    assert ledger.balance("2026").unanswered == 1
    with pytest.raises(Refused, match="stays spent"):
        ledger.book("2026", one(request="a"), never)
    assert ledger.balance("2026").remaining == "ε = 0.9"


def test_the_same_question_with_another_law_is_neither_drawn_nor_charged_again(ledger):
    first, other = (f"sha256:{digit * 64}" for digit in "ab")
    ledger.book("2026", one(request="r", law=first), drawn())
    left = ledger.balance("2026").remaining
    with pytest.raises(Refused, match="asked the same and was drawn from another law"):
        ledger.book("2026", one(request="r", law=other), never)
    with pytest.raises(Refused, match="another question"):
        ledger.book("2026", one("0.2", request="r", law=other), never)
    assert ledger.balance("2026").remaining == left


def test_the_same_request_gets_the_same_answer_for_free(ledger):
    first = ledger.book("2026", one("1", request="a"), drawn(5))
    again = ledger.book("2026", one("1", request="a"), never)
    assert (first.answer, first.again) == ({"count": 5}, False)
    assert (again.answer, again.again, again.entry) == ({"count": 5}, True, first.entry)
    with pytest.raises(Refused, match="another question"):
        ledger.book("2026", one("0.5", request="a"), never)


@pytest.mark.parametrize(("changed", "said"), [
    ({"question": "sum"}, "was another question"),
    ({"declaration": f"sha256:{'b' * 64}"}, "was asked under another declaration"),
    ({"question": "sum", "declaration": f"sha256:{'b' * 64}"}, "was another question"),
    ({"mechanism": "staircase"}, "was another question"),
], ids=["question", "declaration", "both", "mechanism"])
def test_a_request_with_anything_else_in_it_is_another_question(ledger, changed, said):
    first = {"request": "a", "declaration": f"sha256:{'a' * 64}"}
    ledger.book("2026", one(**first), drawn())
    with pytest.raises(Refused, match=said):
        ledger.book("2026", one(**{**first, **changed}), never)
    assert ledger.balance("2026").charges == 1


def test_an_answer_that_no_record_can_hold_is_not_given(ledger):
    with pytest.raises(ValueError, match="JSON"):
        ledger.book("2026", one(), lambda: {"count": float("nan")})
    assert ledger.balance("2026").unanswered == 1


@pytest.mark.parametrize("change", [
    "UPDATE tightrope_ledger SET body = replace(body, '1/10', '1/20') WHERE number = 2",
    "UPDATE tightrope_ledger SET time = '2020-01-01T00:00:00+00:00' WHERE number = 3",
    "UPDATE tightrope_ledger SET budget = 'other' WHERE number = 3",
    "UPDATE tightrope_ledger SET kind = 'answer' WHERE number = 2",
    "UPDATE tightrope_ledger SET number = 9 WHERE number = 5",
    "DELETE FROM tightrope_ledger WHERE number = 2",
    "DELETE FROM tightrope_ledger WHERE number = 1",
])
def test_a_changed_line_breaks_the_books_and_stops_all_charges(ledger, tmp_path, change):
    for _ in range(2):
        ledger.book("2026", one(), drawn())
    assert ledger.verify(head=ledger.head()).holds
    edit(tmp_path, change)
    assert not ledger.verify().holds
    with pytest.raises(Refused):
        Ledger(tmp_path / "l.sqlite")


def test_lines_of_another_copy_do_not_fit(ledger, tmp_path):
    """Two copies go on by themselves under one key: each line is well seal_of, and fits in one."""
    for name in ("l.sqlite", "l.sqlite.key"):
        shutil.copy(tmp_path / name, tmp_path / f"other-{name}")
    other = Ledger(tmp_path / "other-l.sqlite")
    for books, question in ((ledger, "count"), (other, "sum")):
        for _ in range(2):
            books.book("2026", one(question=question), drawn())
    edit(tmp_path, "DELETE FROM tightrope_ledger WHERE number IN (2, 3)")
    for record in other.records()[1:3]:
        edit(tmp_path, "INSERT INTO tightrope_ledger VALUES (?, ?, ?, ?, ?, ?)", record.number,
             record.kind.value, record.budget, record.time,
             json.dumps(dict(record.body)), record.seal)
    assert ledger.verify().broken == 4


@pytest.mark.parametrize("change", [
    """UPDATE tightrope_ledger SET body = replace(body, '"spent": {', '"spent": {"x": 0, ')
       WHERE kind = 'charge'""",
    """UPDATE tightrope_ledger SET body = replace(body, '"rational": "1"', '"rational": "1000"')
       WHERE kind = 'budget'""",
    "DELETE FROM tightrope_ledger WHERE kind = 'charge'",
])
def test_whoever_has_checked_a_line_is_not_shown_another_in_its_place(ledger, tmp_path, change):
    """A process that runs for long does not read old lines again; what it spends by is compared."""
    ledger.book("2026", one(), drawn())
    edit(tmp_path, change)
    with pytest.raises(Refused, match="changed after"):
        ledger.book("2026", one("0.9"), never)


def test_lines_cut_off_are_found_by_a_kept_head_and_by_whoever_looked_before(ledger, tmp_path):
    for _ in range(2):
        booked = ledger.book("2026", one(), drawn())
    ledger.book("2026", one(), drawn())
    edit(tmp_path, "DELETE FROM tightrope_ledger WHERE number > 3")
    (tmp_path / "l.sqlite.key.heads").unlink()
    fresh = Ledger(tmp_path / "l.sqlite")
    report = fresh.verify()
    assert report.holds
    assert "cut off" in report.only_holder[0]
    assert not fresh.verify(head=booked.head).holds
    with pytest.raises(Refused, match="cut off"):
        ledger.book("2026", one(), never)


def test_a_last_line_replaced_after_a_look_is_found_by_whoever_looked(ledger, tmp_path):
    ledger.book("2026", one(), drawn())  # 1 the budget, 2 the charge, 3 the answer
    edit(tmp_path, "UPDATE tightrope_ledger SET seal = ? WHERE number = 3", "0" * 64)
    with pytest.raises(Refused, match="cut off or replaced"):
        ledger.book("2026", one(), never)


def test_an_old_head_is_still_found(ledger):
    early = ledger.book("2026", one(), drawn()).head
    ledger.book("2026", one(), drawn())
    assert ledger.verify(head=early).holds


def test_a_release_with_another_answer_or_charge_is_not_in_the_books(ledger):
    booked = ledger.book("2026", one(), drawn())
    release = {"entry": booked.entry.as_json(), "drawn": dict(booked.answer), "head": booked.head}
    assert ledger.verify(releases=[release]).holds
    entry = release["entry"]
    for changed in (
        {"entry": {**entry, "question": "another"}}, {"entry": {**entry, "seal": "0" * 64}},
        {"entry": {**entry, "number": 2.0}}, {"entry": None}, {"drawn": {"count": 8}},
        {"drawn": {"count": 7.0}}, {"drawn": None}, {"head": "0" * 64},
        {"head": entry["seal"]}, {"entry": ledger.records()[2].as_json()},
    ):
        assert not ledger.verify(releases=[{**release, **changed}]).holds, changed
    silent, _ = ledger._charge("2026", one())
    assert "no answer" in ledger.verify(
        releases=[{**release, "entry": silent.as_json()}]).reason


def test_a_sum_that_whoever_has_the_key_wrote_wrong_is_found(ledger, monkeypatch):
    from tightrope.ledger import books

    monkeypatch.setattr(books.Standing, "spend", lambda *_: Spent())
    ledger.book("2026", one("0.7"), drawn())
    assert "sum" in ledger.verify().reason


def test_a_charge_beyond_its_budget_and_a_second_answer_are_found_under_any_seal(
    ledger, monkeypatch
):
    """Whoever has the key can seal anything; sums and entries still tell."""
    from tightrope.ledger import audit, books

    entry = ledger.book("2026", one("0.7"), drawn()).entry
    with ledger._writing() as inside:
        ledger._add(inside, books.Kind.ANSWER, "2026",
                    {"entry": entry.number, "answer": {"count": 8}})
    assert "second time" in ledger.verify().reason
    with monkeypatch.context() as patched:
        patched.setattr(books.Standing, "spend", lambda held, asked: held.spent.plus(asked.level))
        ledger.open_budget(Budget("more", ROWS, "1"))
        ledger._charge("more", one("1.01"))
    first, second = ledger.records()[:2], ledger.records()[4:]
    assert audit._wrong_sum(first)[0] is None
    assert "beyond its budget" in audit._wrong_sum(second)[1]


def test_a_scope_says_who_is_protected_and_how_many_there_are():
    columns = {"vote": {"type": "category", "values": ["no", "yes"]}}
    units = [{}, {"person": "id"}, {"person": "name"}, {"neighbors": "replace", "size": 5},
             {"neighbors": "replace", "size": 6}]
    scopes = {Scope.of(Declaration.of({"dataset": "votes", "unit": unit, "columns": columns}))
              for unit in units}
    assert len(scopes) == len(units)


def test_the_key_is_the_owners_alone_and_no_other_fits(ledger, tmp_path, monkeypatch):
    place = tmp_path / "l.sqlite.key"
    assert oct(place.stat().st_mode)[-3:] == "600"
    place.chmod(0o640)
    with pytest.raises(Refused, match="others may read"):
        Ledger(tmp_path / "l.sqlite")
    place.chmod(0o600)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        with pytest.raises(Refused, match="belongs to another user"):
            Ledger(tmp_path / "l.sqlite")
    key = place.read_text()
    place.write_text("ab" * 32)
    with pytest.raises(Refused, match="key is another"):
        Ledger(tmp_path / "l.sqlite")
    monkeypatch.setenv("TIGHTROPE_LEDGER_KEY", key)
    assert Ledger(tmp_path / "l.sqlite").verify().holds


def test_a_missing_key_is_not_replaced_once_something_was_written(ledger, tmp_path):
    (tmp_path / "l.sqlite.key").unlink()
    with pytest.raises(BadInput, match="no file"):
        Ledger.create(tmp_path / "l.sqlite")
    assert not (tmp_path / "l.sqlite.key").exists()


def test_records_hold_neither_key_nor_address(ledger, tmp_path):
    ledger.book("2026", one(), drawn())
    said = json.dumps([record.as_json() for record in ledger.records()])
    assert (tmp_path / "l.sqlite.key").read_text().strip() not in said
    assert str(tmp_path) not in said


def test_what_is_no_ledger_is_refused_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.sqlite").write_text("no database" * 100)
    sqlite3.connect(tmp_path / "empty.sqlite").execute("CREATE TABLE a (b)").connection.close()
    (tmp_path / "empty.sqlite.key").write_text("ab" * 32)
    (tmp_path / "empty.sqlite.key").chmod(0o600)
    for url, said in {
        "nothing.sqlite": "no ledger nothing.sqlite",
        "text.sqlite": "no ledger",
        "empty.sqlite": "holds no ledger",
        "mysql://a:secret@b/c": "SQLite or PostgreSQL",
        "sqlite://": "kept in a file",
        "no/such/folder.sqlite": "no ledger",
        "::://": "no address",
    }.items():
        with pytest.raises(BadInput, match=said) as failed:
            Ledger(url)
        assert "secret" not in str(failed.value)


def test_a_second_budget_of_the_same_name_and_an_unknown_one_are_refused(ledger):
    with pytest.raises(BadInput, match="already"):
        ledger.open_budget(Budget("2026", ROWS, "2"))
    with pytest.raises(BadInput, match="no budget"):
        ledger.book("2027", one(), never)


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\u202eb", 7])
def test_names_are_text_on_one_line(text):
    with pytest.raises(BadInput):
        Budget(text, ROWS, 1)
    with pytest.raises(BadInput):
        one(question=text)
    with pytest.raises(BadInput):
        Scope(text, "row", "replace")


def opened_with(monkeypatch, *statements):
    """Every connection to a SQLite ledger begins with these statements."""
    from tightrope.ledger import store

    before = sqlite3.connect

    def connect(*places, **options):
        connection = before(*places, **options)
        for statement in statements:
            connection.execute(statement)
        return connection

    monkeypatch.setattr(store.sqlite3, "connect", connect)


def test_a_full_disk_gives_nothing_away(ledger, tmp_path, monkeypatch):
    with sqlite3.connect(tmp_path / "l.sqlite") as plain:
        pages = plain.execute("PRAGMA page_count").fetchone()[0]
    opened_with(monkeypatch, f"PRAGMA max_page_count = {pages}")
    small = Ledger(tmp_path / "l.sqlite")
    with pytest.raises(SystemFailed):
        small.book("2026", one(question="a" * 60_000), never)
    monkeypatch.undo()
    assert Ledger(tmp_path / "l.sqlite").balance("2026").charges == 0


def test_what_is_committed_is_on_the_disk_with_its_folder(ledger):
    with closing(ledger._store._connect()) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (3,)  # EXTRA


def test_a_ledger_that_went_away_is_not_made_anew(ledger, tmp_path):
    (tmp_path / "l.sqlite").unlink()
    with pytest.raises(BadInput, match="cannot be opened"):
        ledger.book("2026", one(), never)
    assert not (tmp_path / "l.sqlite").exists()


@pytest.mark.parametrize(("kinds", "said", "kind", "words"), [
    ("Error DatabaseError InternalError", "cannot execute INSERT in a read-only transaction",
     BadInput, "may not be written to"),
    ("Error DatabaseError", 'relation "tightrope_ledger" does not exist', BadInput, "no ledger"),
    ("Error DatabaseError OperationalError", 'FATAL: database "x" does not exist', SystemFailed,
     "could not be reached"),
    ("Error DatabaseError OperationalError", 'FATAL: role "x" does not exist', BadInput, "user"),
    ("Error DatabaseError", "file is not a database", BadInput, "that file is no ledger"),
    ("Error DatabaseError", "s3cret words", SystemFailed, "the database of the ledger failed[.]"),
])
def test_what_a_driver_says_becomes_a_sentence_of_ours(kinds, said, kind, words):
    from tightrope.ledger.store import _translate

    made = _translate({*kinds.split()}, said.lower())
    assert type(made) is kind
    assert re.search(words, str(made))
    assert "s3cret" not in str(made)


def test_books_that_may_not_be_written_spend_nothing(ledger, tmp_path, monkeypatch):
    opened_with(monkeypatch, "PRAGMA query_only = on")
    with pytest.raises(BadInput, match="may not be written"):
        Ledger(tmp_path / "l.sqlite").book("2026", one(), never)
    assert ledger.balance("2026").charges == 0


@pytest.mark.parametrize(("version", "words"), [
    ({}, "older than 0.2.0"), ({"version": 3}, "a later version wrote this")])
def test_books_of_another_version_are_refused(tmp_path, version, words):
    """Until 0.2.0 records held sentences, and no version."""
    ledger = Ledger.create(tmp_path / "l.sqlite")
    body = {**Budget("2026", ROWS, 1).as_json(), **version}
    body["scope"] = {**body["scope"], "metric": "units that differ"}
    with ledger._store.writing() as books:
        ledger._add(books, Kind.BUDGET, "2026", body)
    for look in (lambda: Ledger(tmp_path / "l.sqlite"), lambda: ledger.balance("2026"),
                 lambda: Ledger.audit(tmp_path / "l.sqlite")):
        with pytest.raises(BadDocument, match=words):
            look()
