"""Books through crashes and crowds: children are killed, many spend at the same time."""

import os
import random
import signal
import traceback
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from pathlib import Path
from threading import Condition, Event, Thread

import psycopg
import pytest

from tests.ledger.conftest import own_schema
from tightrope.cli import main
from tightrope.errors import BadInput, Refused, SystemFailed, TightropeError
from tightrope.files import files
from tightrope.ledger import Budget, Charge, Ledger, Scope, books, store
from tightrope.ledger.store import Store
from tightrope.tables import sanitization, sanitize

ROWS = Scope("fair", "row", "replace")
CHARGE = Charge("count", ROWS, "0.01", "geometric")
KILLS = int(os.environ.get("TIGHTROPE_KILLS", "75"))
"""Children killed at random: a fifth of them with PostgreSQL, as with `sanitize`.

`benchmarks/books.py` kills 300 commands with each, and asks for 200 at once.
"""


def open_one(address, level):
    ledger = Ledger.create(**address)
    ledger.open_budget(Budget("2026", ROWS, level))
    return ledger


def child(work):
    """The process of a forked child that does this work and never comes back."""
    process = os.fork()
    if not process:
        try:
            work()
        finally:
            os._exit(0)
    return process


def spend(address, draws, shown):
    """A release as a command makes it: every draw and everything shown leaves a byte."""
    def draw():
        os.write(draws, b"d")
        return {"count": 3}

    Ledger(**address).book("2026", CHARGE, draw)
    os.write(shown, b"s")


@pytest.fixture
def pipes():
    ends = [os.pipe(), os.pipe()]
    for read, _ in ends:
        os.set_blocking(read, False)
    yield [(read, write) for read, write in ends]
    for pair in ends:
        for end in pair:
            os.close(end)


def drained(read):
    try:
        return len(os.read(read, 100_000))
    except BlockingIOError:
        return 0


@pytest.mark.parametrize(("place", "charged", "drew", "answered"), [
    ("before the charge", 0, 0, 0),
    ("before the charge is committed", 0, 0, 0),
    ("after the charge", 1, 0, 0),
    ("in the draw", 1, 1, 0),
    ("before the answer is committed", 1, 1, 0),
    ("after the answer", 1, 1, 1),
])
def test_killed_anywhere_nothing_is_shown_without_an_entry(
    address, pipes, place, charged, drew, answered
):
    open_one(address, 1).close()
    (draws, draw_end), (shown, shown_end) = pipes

    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    def dying(kind):
        add = books.Ledger._add

        def last(self, inside, found, *rest):
            record = add(self, inside, found, *rest)
            return die() if found == kind else record

        return last

    def work():
        if place == "before the charge":
            books.Ledger._charge = lambda *_: die()
        elif place == "before the charge is committed":
            books.Ledger._add = dying("charge")
        elif place == "before the answer is committed":
            books.Ledger._add = dying("answer")

        def draw():
            if place == "after the charge":
                die()
            os.write(draw_end, b"d")
            if place == "in the draw":
                die()
            return {"count": 3}

        Ledger(**address).book("2026", CHARGE, draw)
        if place == "after the answer":
            die()
        os.write(shown_end, b"s")

    os.waitpid(child(work), 0)
    kinds = [record.kind for record in Ledger(**address).records()]
    assert (kinds.count("charge"), drained(draws), kinds.count("answer")) == (
        charged, drew, answered)
    assert drained(shown) == 0
    assert Ledger(**address).verify().holds


def test_killed_at_random_every_draw_has_its_own_entry(address, pipes):
    open_one(address, 100).close()
    (draws, draw_end), (shown, shown_end) = pipes
    moments = random.Random(3)
    drew = told = 0
    for _ in range(KILLS // 5 if "postgres" in str(address["url"]) else KILLS):
        process = child(lambda: spend(address, draw_end, shown_end))
        signal.sigtimedwait([signal.SIGUSR2], moments.uniform(0, 0.03))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        drew, told = drew + drained(draws), told + drained(shown)
    kinds = [record.kind for record in Ledger(**address).records()]
    assert told <= kinds.count("answer") <= drew <= kinds.count("charge")
    report = Ledger(**address).verify()
    assert report.holds, report.reason


@pytest.fixture
def table(tmp_path):
    """A table of two rows, and a ledger that pays for it often."""
    (tmp_path / "t.csv").write_text("answer,age\nno,30\nyes,40\n")
    place = {"url": tmp_path / "l.sqlite", "key": tmp_path / "key"}
    Ledger.create(**place).open_budget(Budget("2026", Scope("t", "row", "replace:units=2"), 99))
    return place


def sanitized(address, target):
    with Ledger(**address) as ledger:
        sanitize(target.parent / "t.csv", {"answer": "no/yes"}, "0.1", output=target,
                 account=ledger.account("2026", request=target.name))


@pytest.mark.parametrize(("where", "charged", "answered", "there"), [
    ("before the charge", 0, 0, False),
    ("before a row is drawn", 1, 0, False),
    ("before the seal is kept", 1, 0, False),
    ("before the table takes its place", 1, 1, False),
    ("after it", 1, 1, True),
])
def test_a_table_that_is_killed_anywhere_appears_only_with_its_entry(
    table, tmp_path, where, charged, answered, there
):
    target = tmp_path / "out.csv"

    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    def work():
        name, place = {
            "before the charge": ("_charge", books.Ledger),
            "before a row is drawn": ("_fill", sanitization),
            "before the seal is kept": ("mark", books.Ledger),
            "before the table takes its place": ("_move", files),
            "after it": ("__exit__", books.Ledger),
        }[where]
        setattr(place, name, die)
        sanitized(table, target)

    os.waitpid(child(work), 0)
    kinds = [record.kind for record in Ledger(**table).records()]
    assert (kinds.count("charge"), kinds.count("answer"), target.exists()) == (
        charged, answered, there)
    for part in tmp_path.glob(".*.part"):
        part.unlink()
    if charged and not there:
        with pytest.raises(Refused, match="not drawn again"):
            sanitized(table, target)
    else:
        sanitized(table, target)
    assert Ledger(**table).balance("2026").charges == 1


def test_tables_that_are_killed_at_random_are_paid_for_and_drawn_once(table, tmp_path):
    moments = random.Random(5)
    targets = [tmp_path / f"out{k}.csv" for k in range(KILLS // 5)]
    for target in targets:
        process = child(lambda target=target: sanitized(table, target))
        signal.sigtimedwait([signal.SIGUSR2], moments.uniform(0, 0.12))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    with Ledger(**table) as ledger:
        assert ledger.verify().holds
        for target in targets:
            kept = ledger.answered("2026", target.name)
            if target.exists():
                assert kept.answer["file"] == ledger.mark(target)


def _crowd(address, out):
    found = []

    def ask():
        try:
            found.append(Ledger(**address).book("2026", CHARGE, lambda: {"count": 1}).again)
        except Refused:
            found.append(None)

    threads = [Thread(target=ask) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    out.put((found.count(False), found.count(None)))


@contextmanager
def overlapping_readers(address):
    """Threads none of which leaves, but after a while, before the next came in."""
    ended, came, entered = Event(), Condition(), []

    def read():
        store = Store(address["url"])
        while not ended.is_set():
            with store.reading() as inside, came:
                inside.last()
                entered.append(None)
                own = len(entered)
                came.notify_all()
                came.wait_for(lambda own=own: len(entered) > own or ended.is_set(), timeout=0.1)

    readers = [Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        yield
    finally:
        ended.set()
        for reader in readers:
            reader.join()


def _spender(address, out):
    out.put(Ledger(**address).book("2026", CHARGE, lambda: {"count": 1}).remaining)


def test_readers_who_never_pause_do_not_keep_a_writer_of_another_process_waiting(address):
    """SQLite lets threads of one process share a lock that others wait for, one after the other."""
    open_one(address, 1).close()
    context = get_context("spawn")
    out = context.Queue()
    with overlapping_readers(address):
        writer = context.Process(target=_spender, args=(address, out))
        writer.start()
        try:
            assert out.get(timeout=120) == "ε = 0.99"
        finally:
            writer.kill()
            writer.join()


@pytest.mark.parametrize("held", ["reading", "writing"])
@pytest.mark.parametrize("asked", ["reading", "writing"])
def test_threads_take_turns_and_are_told_where_theirs_does_not_come(
    tmp_path, monkeypatch, held, asked
):
    ledger = open_one({"url": tmp_path / "l.sqlite", "key": tmp_path / "key"}, 1)
    monkeypatch.setattr(store, "PATIENCE", 0.01)
    told = []

    def ask():
        try:
            with getattr(ledger._store, asked)():
                told.append("came in")
        except SystemFailed as reason:
            told.append(str(reason))

    for inside in (True, False):
        with getattr(ledger._store, held)() if inside else nullcontext():
            other = Thread(target=ask)
            other.start()
            other.join()
    assert told == ["the ledger was in use by others for 0.01 seconds.", "came in"]


def test_a_turn_that_another_thread_has_is_not_kept_from_a_fork(tmp_path, monkeypatch):
    address = {"url": tmp_path / "l.sqlite", "key": tmp_path / "key"}
    ledger = open_one(address, 1)
    monkeypatch.setattr(store, "PATIENCE", 0.01)
    inside, leave = Event(), Event()

    def stay():
        with ledger._store.reading():
            inside.set()
            leave.wait()

    other = Thread(target=stay)
    other.start()
    inside.wait()
    read, write = os.pipe()
    os.waitpid(child(lambda: os.write(write, Ledger(**address).head().encode())), 0)
    os.close(write)
    leave.set()
    other.join()
    assert os.read(read, 100).decode() == ledger.head()
    os.close(read)


def test_a_database_that_went_away_gives_nothing(database, tmp_path):
    url = own_schema(database, "gone")
    ledger = open_one({"url": url, "key": tmp_path / "key"}, 1)

    def dropped():
        from sqlalchemy import create_engine

        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            connection.exec_driver_sql("DROP SCHEMA gone CASCADE")
        engine.dispose()
        return {"count": 3}

    with pytest.raises(TightropeError, match="no ledger"):
        ledger.book("2026", CHARGE, dropped)


def test_a_user_who_is_refused_is_told_so_without_a_secret(database, tmp_path):
    wrong = database.replace("postgres@", "nobody:s3cret@")
    with pytest.raises(BadInput) as failed:
        Ledger(wrong, key=tmp_path / "key")
    assert str(failed.value) == "the database of the ledger refused this user or password."
    assert "s3cret" not in "".join(traceback.format_exception(failed.value))


@pytest.mark.parametrize("place", ["ledger", "table"])
def test_a_wrong_password_is_told_in_a_sentence_without_it_and_nothing_is_spent(
    database, tmp_path, capsys, place
):
    """A role that really has a password, on a server that really asks for it."""
    folder = Path(database.partition("host=")[2])
    rules = folder / "data" / "pg_hba.conf"
    rules.write_text("local all asked scram-sha-256\n" + rules.read_text())
    open_one({"url": tmp_path / "l.sqlite", "key": tmp_path / "key"}, 1).close()
    with psycopg.connect(database, autocommit=True) as made:
        made.execute("DROP ROLE IF EXISTS asked")
        made.execute("CREATE ROLE asked LOGIN PASSWORD 'right'")
        made.execute("CREATE TABLE IF NOT EXISTS votes (vote text)")
        made.execute("SELECT pg_reload_conf()")
    wrong = database.replace("postgres@", "asked:s3cret@")
    (tmp_path / "t.csv").write_text("vote\nno\n")
    (tmp_path / "t.toml").write_text('dataset = "t"\n[columns.vote]\ntype = "category"\n'
                                     'values = ["no", "yes"]\n')
    table, ledger = {"ledger": (tmp_path / "t.csv", wrong),
                     "table": (f"{wrong}", tmp_path / "l.sqlite")}[place]
    with pytest.raises(SystemExit) as left:
        main(["release", str(table), "count", *(["--table", "votes"] if place == "table" else []),
              "--declaration", str(tmp_path / "t.toml"), "--epsilon", "1",
              "--ledger", str(ledger), "--budget", "2026", "--key", str(tmp_path / "key")])
    said = capsys.readouterr()
    assert left.value.code == 2
    assert "refused this user or password" in " ".join(said.err.split())
    assert "s3cret" not in said.out + said.err
    assert Ledger(tmp_path / "l.sqlite", key=tmp_path / "key").balance("2026").charges == 0


def test_of_two_hundred_at_once_exactly_as_many_succeed_as_the_budget_allows(address):
    open_one(address, "0.5").close()
    context = get_context("spawn")  # nothing is shared but the books
    out = context.Queue()
    crowd = [context.Process(target=_crowd, args=(address, out)) for _ in range(4)]
    for process in crowd:
        process.start()
    answers = [out.get() for _ in crowd]
    for process in crowd:
        process.join()
    assert [sum(part) for part in zip(*answers, strict=True)] == [50, 150]
    balance = Ledger(**address).balance("2026")
    assert (balance.charges, balance.unanswered, balance.remaining) == (50, 0, "ε = 0")
