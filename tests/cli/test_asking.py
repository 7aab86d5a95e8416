"""`declare` at a terminal: questions on a real pseudo-terminal, and none without one."""

import os
import pty
import select
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.runner import SOURCE
from tightrope.declarations import TextColumn
from tightrope.files import read_declaration

TABLE = pa.table({"id": ["a"], "age": pa.array([30], pa.int32()), "ward": [2],
                  "share": [0.5], "sex": ["f"], "admitted": pa.array([0], pa.date32()),
                  "drug": ["aspirin"]})
ANSWERS = [
    "clinic",              # dataset
    "nobody", "id", "x", "2",  # person, after a name that is none; rows, after a word
    "9", "-5", "", "0", "110", "",  # age: low, high after one below it, both again, steps
    "",                    # no bins
    "categories", "category", "1=surgery, 2=children", "",  # ward: codes, after a word that is none
    "",                    # share is left out
    "texts", "category", "f, m", "x", "",  # sex: type after a word that is none, other after one
    "2024-02-30", "2024-01-01", "2024-12-31", "", "decade", "month, weekday",  # admitted
    "text",                # drug
]


def at_terminal(folder, *words, answers):
    """Run a command whose input and errors are a terminal, and type the answers."""
    master, slave = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "dumb"}
    command = [sys.executable, "-m", "tightrope", *words]
    with subprocess.Popen(command, stdin=slave, stderr=slave, stdout=subprocess.PIPE, cwd=folder,
                          env=environment, text=True) as process:
        os.close(slave)
        shown, left = b"", [*answers]
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if select.select([master], [], [], 0.1)[0]:
                try:
                    shown += os.read(master, 65536)
                except OSError:  # the other end is closed
                    break
            if shown.rstrip(b" ").endswith(b":") and left:
                os.write(master, f"{left.pop(0)}\n".encode())
                shown += b" "
        out, _ = process.communicate(timeout=120)
    os.close(master)
    return process.returncode, out, shown.decode(), left


@pytest.fixture
def folder(tmp_path):
    pq.write_table(TABLE, tmp_path / "t.parquet")
    return tmp_path


def test_a_declaration_is_written_from_answers(folder):
    code, out, shown, left = at_terminal(folder, "declare", "t.parquet", "-o", "t.toml",
                                         answers=ANSWERS)
    assert (code, left) == (0, []), shown
    declared = read_declaration(folder / "t.toml")
    assert declared.dataset == "clinic"
    assert (declared.unit.person, declared.unit.rows) == ("id", 2)
    assert declared.columns["ward"].values == ("1", "2")
    assert list(declared.columns) == ["age", "ward", "sex", "admitted", "admitted_month",
                                      "admitted_weekday", "drug"]
    assert isinstance(declared.columns["drug"], TextColumn)
    assert (declared.columns["age"].low, declared.columns["age"].high) == (0, 110)
    assert declared.columns["age"].resolution == 1
    assert declared.columns["sex"].values == ("f", "m")
    assert declared.columns["admitted_month"].cells[0] == "2024-01"
    for sentence in ("No row is looked at", "the table has no column 'nobody'",
                     "low bound below the high one", "expected one of number, category",
                     "for other cells, 'x', is not a declared one", "is no date",
                     "a period is year, quarter"):
        assert sentence in shown, sentence
    assert "tightrope ledger open books.sqlite --budget 2026 --declaration t.toml" in out


def test_a_file_is_asked_for_where_none_is_named(folder):
    (folder / "t.toml").write_text("kept")
    answers = ["", "", "0", "9", "", "", "", "", "", "", "other.toml"]
    code, out, shown, left = at_terminal(folder, "declare", "t.parquet", answers=[
        *answers[:2], "category", "a, b", "", *answers[2:6], "", "", "", "", "", "other.toml"])
    assert (code, left) == (0, []), shown
    assert (folder / "t.toml").read_text() == "kept"
    assert list(read_declaration(folder / "other.toml").columns) == ["id", "age"]
    assert "--declaration other.toml" in out


def test_answers_that_end_write_nothing(folder):
    code, out, shown, _ = at_terminal(folder, "declare", "t.parquet", "-o", "t.toml",
                                      answers=["clinic", "\x04"])
    assert (code, out) == (2, ""), shown
    assert "nothing was written" in shown
    assert not (folder / "t.toml").exists()


@pytest.mark.parametrize("words", [("--no-ask",), ("--json",)])
def test_nothing_is_asked_where_it_is_not_wanted(folder, words):
    code, out, shown, _ = at_terminal(folder, "declare", "t.parquet", "-o", "t.toml", *words,
                                      answers=[])
    assert (code, shown) == (0, "")
    assert "[columns.age]" in (folder / "t.toml").read_text()
    assert "columns" in out


def test_without_a_terminal_nothing_is_asked(tightrope, folder, monkeypatch):
    monkeypatch.chdir(folder)
    answer = tightrope("declare", "t.parquet", "-o", "t.toml")
    assert (answer.code, answer.err) == (0, "")
    assert "Fill in what is asked for" in answer.out


def test_a_table_on_standard_input_leaves_no_room_for_answers(tightrope):
    assert "nobody can answer there" in tightrope("declare", "-", "--header", "--ask").err


def test_a_code_book_of_another_table_is_refused(tightrope, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.csv").write_text("name,min,max\nage,0,9\n")
    (tmp_path / "t.csv").write_text("x,y\n1,2\n")
    answer = tightrope("declare", "t.csv", "--header", "--from-codebook", "book.csv")
    assert answer.code == 2
    assert "names no column of the table" in answer.sentence
