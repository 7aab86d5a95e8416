"""Every command as people type it: exit codes and values are the ones that were worked out."""

import csv
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.cli.runner import Runner
from tests.golden.rows import FILES, NOTHING, STORIES, Row, agrees, look_up, story
from tightrope.applications.surveys import read_survey
from tightrope.data import Submission, SurveyStore

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", STORIES)
def test_a_story_ends_as_it_was_worked_out(name, tmp_path, monkeypatch, capsys):
    shutil.copytree(FILES, tmp_path, dirs_exist_ok=True)
    _make_database(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    tightrope = Runner(capsys)
    faults = [fault for row in story(name) for fault in _faults(row, tightrope, tmp_path)]
    assert not faults, "\n".join(["", *faults])


def _faults(row: Row, tightrope, folder):
    """Where a row comes out otherwise, each in a line."""
    if row.answers:
        _send(folder, *row.answers)
    answer = tightrope(*row.words)
    if answer.code != row.exit:
        yield f"{row.text}\n   exit {answer.code}, expected {row.exit}: {answer.err or answer.out}"
        return
    if row.values or row.between:
        content = answer.json
        for path, expected in row.values.items():
            found = look_up(content, path)
            if not agrees(found, expected):
                yield f"{row.text}\n   {path} is {found!r}, expected {expected!r}"
        for path, (low, high) in row.between.items():
            found = look_up(content, path)
            if found == NOTHING or not low <= found <= high:
                yield f"{row.text}\n   {path} is {found!r}, expected {low} to {high}"
    page = " ".join((answer.out + answer.err).split())
    for text in row.shows:
        if text not in page:
            yield f"{row.text}\n   does not show {text!r}"
    for file in row.makes:
        if not (folder / file).is_file():
            yield f"{row.text}\n   did not make {file}"


def _make_database(folder):
    """The votes as a table of a database."""
    with (folder / "votes.csv").open() as lines, closing(
            sqlite3.connect(folder / "votes.sqlite")) as database:
        names, *rows = csv.reader(lines)
        database.execute(f"create table votes ({', '.join(names)})")
        database.executemany(f"insert into votes values ({', '.join('?' * len(names))})", rows)
        database.commit()


def _send(folder, survey, *responses):
    """Respondents answer the one question of a survey, each by a link of its own."""
    file = folder / survey
    links = file.with_name(f"{file.stem}.links.csv").read_text().split()[1:]
    tokens = [line.rpartition("/")[2] for line in links]
    made = read_survey(file.read_bytes())
    with SurveyStore(file.with_name(f"{file.stem}.answers"), made.digest) as store:
        sent = [Submission(token, {"q1": int(place)}, "")
                for token, place in zip(tokens, responses, strict=False)]
        assert set(store.accept(sent)) == {"stored"}


def test_values_are_compared_as_numbers():
    assert agrees(2 / 3, "2/3")
    assert agrees(0.6931471805599453, "ln(2)")
    assert agrees(None, "null")
    assert not agrees(0.6931471, "ln(2)")
    assert not agrees(0.67, "2/3")
    assert not agrees("2/3", "1/3")
    assert not agrees(True, 1)
    assert not agrees([1, 2], [1])
    assert agrees({"a": 1, "b": 2}, {"a": 1})
    assert not agrees({"a": 1}, {"a": 2})
