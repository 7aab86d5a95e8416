"""An answer that was stored is on the disk: every connection waits for it."""

import sqlite3

import pytest

from tightrope.data import SurveyStore

FULL = 2  # in SQLite's numbers: OFF 0, NORMAL 1, FULL 2, EXTRA 3


@pytest.fixture
def connections(monkeypatch):
    """All connections that are made, as the store leaves them before its first transaction."""
    made, connect = [], sqlite3.connect

    def remembered(*args, **kwargs):
        made.append(connect(*args, **kwargs))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", remembered)
    return made


def test_every_connection_waits_until_the_disk_has_an_answer(connections, tmp_path):
    path = tmp_path / "answers.sqlite"
    with SurveyStore.create(path, "digest", "owner", {"link": "all"}, force=False):
        open_ = connections[-2:]  # one to write with, one to read with
        assert [c.execute("PRAGMA synchronous").fetchone()[0] >= FULL for c in open_] == [True] * 2
        assert {c.execute("PRAGMA journal_mode").fetchone()[0] for c in open_} == {"wal"}
