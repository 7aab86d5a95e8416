"""A backup restored from before a charge is recognized, and nobody is locked out falsely."""

import os
import random
import shutil
import signal
import time
from multiprocessing import get_context

import pytest

from tests.ledger.test_books import ROWS, drawn, edit, never, one
from tests.ledger.test_crashes import child, open_one
from tightrope.errors import Refused
from tightrope.ledger import Budget, Ledger
from tightrope.ledger.entries import START
from tightrope.ledger.heads import VARIABLE, KeptHeads

LOST = "the ledger lost records: .*l.sqlite.key.heads knows record 7 with head"


@pytest.fixture
def ledger(tmp_path):
    made = Ledger.create(tmp_path / "l.sqlite")
    made.open_budget(Budget("2026", ROWS, "1"))
    return made


@pytest.fixture
def restored(ledger, tmp_path):
    """A ledger of three entries, put back to when it had one."""
    ledger.book("2026", one(request="a"), drawn())
    shutil.copy(tmp_path / "l.sqlite", tmp_path / "backup")
    for request in "bc":
        ledger.book("2026", one(request=request), drawn())
    shutil.copy(tmp_path / "l.sqlite", tmp_path / "newest")
    shutil.copy(tmp_path / "backup", tmp_path / "l.sqlite")
    return Ledger(tmp_path / "l.sqlite")


def test_an_old_copy_is_neither_charged_nor_added_to(restored):
    for ask in (lambda: restored.book("2026", one(), never), lambda: restored.check("2026", one()),
                lambda: restored.open_budget(Budget("new", ROWS, 1)),
                lambda: restored.set_people("2026", {"ana": 1}),
                lambda: restored.supersede(2, None, "wrong")):
        with pytest.raises(Refused, match=LOST):
            ask()
    report = restored.verify()
    assert (report.holds, report.reason) == (
        False, "record 7, kept beside the key, is not in the books: they lost records")
    assert restored.balance("2026").charges == 1  # whoever looks may look


def test_of_several_lines_of_one_ledger_the_newest_counts(restored, tmp_path):
    """Whoever joins the files of two clients has two lines of a ledger."""
    heads = tmp_path / "l.sqlite.key.heads"
    newest, first = heads.read_text(), Ledger(tmp_path / "l.sqlite").records()
    kept = KeptHeads.beside(tmp_path / "l.sqlite.key",
                            bytes.fromhex((tmp_path / "l.sqlite.key").read_text()))
    heads.unlink()
    kept.keep(first[0].seal, first[-1].number, first[-1].seal)
    older = heads.read_text()
    for text in (older + newest, newest + older):
        heads.write_text(text)
        with pytest.raises(Refused, match=LOST):
            restored.book("2026", one(), never)


def test_with_the_newest_copy_back_it_goes_on(restored, tmp_path):
    shutil.copy(tmp_path / "newest", tmp_path / "l.sqlite")
    with Ledger(tmp_path / "l.sqlite") as back:
        assert back.book("2026", one(), drawn()).remaining == "ε = 0.6"
        assert back.verify().holds


def test_whoever_removes_the_heads_goes_on_with_the_old_copy(restored, tmp_path):
    (tmp_path / "l.sqlite.key.heads").unlink()
    assert restored.book("2026", one(), drawn()).remaining == "ε = 0.8"


def test_a_copy_that_went_another_way_is_told_too(restored, tmp_path):
    heads = tmp_path / "l.sqlite.key.heads"
    kept = heads.read_text()
    heads.unlink()
    for _ in range(4):
        restored.book("2026", one(), drawn())
    heads.write_text(kept)
    with pytest.raises(Refused, match=LOST):  # there is a record 7, and it is another
        Ledger(tmp_path / "l.sqlite").book("2026", one(), never)


def test_a_process_that_runs_for_long_hears_of_heads_that_others_kept(ledger, tmp_path):
    ledger.book("2026", one(), drawn())
    shutil.copy(tmp_path / "l.sqlite", tmp_path / "backup")
    with Ledger(tmp_path / "l.sqlite") as other:
        other.book("2026", one(), drawn())
    shutil.copy(tmp_path / "backup", tmp_path / "l.sqlite")
    with pytest.raises(Refused, match="lost records"):
        ledger.book("2026", one(), never)


def test_heads_that_lag_behind_or_are_no_heads_lock_nobody_out(ledger, tmp_path):
    heads = tmp_path / "l.sqlite.key.heads"
    early = heads.read_text()
    ledger.book("2026", one(), drawn())
    newest = heads.read_text()
    for text in (early, "", "\x00\n", newest[:100], newest[:-3], newest.replace(" 3 ", " 9 "),
                 newest.replace(newest[70:80], "0" * 10), f"{newest[:-66]} {'0' * 64}\n",
                 "ä" * 300, newest * 3):
        heads.write_text(text, "utf-8")
        with Ledger(tmp_path / "l.sqlite") as fresh:
            fresh.book("2026", one("1e-6"), drawn())
        assert heads.read_text().count("\n") == 1


def test_one_file_keeps_the_heads_of_many_ledgers(tmp_path):
    key = tmp_path / "own.key"
    ledgers = [Ledger.create(tmp_path / f"{name}.sqlite", key=key) for name in "ab"]
    for number, made in enumerate(ledgers):
        made.open_budget(Budget(f"budget {number}", ROWS, 1))
    shutil.copy(tmp_path / "a.sqlite", tmp_path / "backup")
    for number, made in enumerate(ledgers):
        made.book(f"budget {number}", one(), drawn())
    assert (tmp_path / "own.key.heads").read_text().count("\n") == 2
    shutil.copy(tmp_path / "backup", tmp_path / "a.sqlite")
    with pytest.raises(Refused, match="lost records"):
        Ledger(tmp_path / "a.sqlite", key=key).book("budget 0", one(), never)
    ledgers[1].book("budget 1", one(), drawn())


def test_the_environment_names_another_place(ledger, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "elsewhere"))
    with Ledger(tmp_path / "l.sqlite") as own:
        own.book("2026", one(), drawn())
    assert (tmp_path / "elsewhere").read_text().split()[1] == "3"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "no" / "such" / "folder"))
    with Ledger(tmp_path / "l.sqlite") as own:  # it cannot be kept, and lags behind
        own.book("2026", one(), drawn())
    assert KeptHeads.beside(None, b"k").path == tmp_path / "no" / "such" / "folder"
    monkeypatch.delenv(VARIABLE)
    nowhere = KeptHeads.beside(None, b"k")
    nowhere.keep(START, 1, START)
    assert nowhere.newest(START) is None


def test_a_head_is_kept_after_its_record_is_on_the_disk(ledger, tmp_path, monkeypatch):
    kept, keep = [], KeptHeads.keep

    def looking(self, first, number, seal):
        with Ledger(tmp_path / "l.sqlite") as other:
            assert other.records()[number - 1].seal == seal
        kept.append(number)
        keep(self, first, number, seal)

    monkeypatch.setattr(KeptHeads, "keep", looking)
    ledger.book("2026", one(), drawn())
    assert kept == [2, 3]


def test_an_older_head_does_not_replace_a_newer_one(tmp_path):
    heads = KeptHeads(tmp_path / "heads", b"k")
    for number, seal in ((5, "5" * 64), (3, "3" * 64)):
        heads.keep(START, number, seal)
    assert heads.newest(START) == (5, "5" * 64)


def test_a_charge_that_failed_keeps_no_head(ledger, tmp_path):
    before = (tmp_path / "l.sqlite.key.heads").read_text()
    with pytest.raises(Refused):
        ledger.book("2026", one("2"), never)
    assert (tmp_path / "l.sqlite.key.heads").read_text() == before


def test_lines_that_were_cut_off_are_told_like_an_old_copy(ledger, tmp_path):
    for _ in range(3):
        ledger.book("2026", one(), drawn())
    edit(tmp_path, "DELETE FROM tightrope_ledger WHERE number > 3")
    with pytest.raises(Refused, match=LOST):
        Ledger(tmp_path / "l.sqlite").book("2026", one(), never)


def _spend(address):
    with Ledger(**address) as own:
        while True:
            own.check("2026", one("1e-6"))
            own.book("2026", one("1e-6"), drawn())


def test_killed_at_any_moment_the_next_charge_is_not_refused(address):
    open_one(address, 5).close()
    random.seed(38)
    for _ in range(12):
        process = child(lambda: _spend(address))
        time.sleep(random.uniform(0.01, 0.3))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        with Ledger(**address) as ledger:
            ledger.check("2026", one("1e-6"))
            ledger.book("2026", one("1e-6"), drawn())
            assert ledger.verify().holds


def _some(address, out):
    try:
        with Ledger(**address) as own:
            for _ in range(15):
                own.check("2026", one("1e-6"))
                own.book("2026", one("1e-6"), drawn())
                assert own.verify().holds
        out.put("")
    except BaseException as error:
        out.put(repr(error))


def test_many_at_once_never_take_each_others_records_for_lost(address):
    open_one(address, 5).close()
    context = get_context("spawn")
    out = context.Queue()
    crowd = [context.Process(target=_some, args=(address, out)) for _ in range(4)]
    for process in crowd:
        process.start()
    assert [out.get(timeout=240) for _ in crowd] == [""] * 4
    for process in crowd:
        process.join()
    with Ledger(**address) as ledger:
        assert ledger.balance("2026").charges == 60
