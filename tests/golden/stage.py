"""A folder in which rows of a story are typed, and where they come out otherwise."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.cli.runner import Answer, Runner
from tests.golden.rows import FILES, NOTHING, Row, agrees, look_up
from tightrope.surveys import SurveyStore, read_survey
from tightrope.surveys.survey_store import Submission


def prepare(folder: Path) -> None:
    """Copy the files that a story begins with, and the votes as a table of a database."""
    shutil.copytree(FILES, folder, dirs_exist_ok=True)
    with (folder / "votes.csv").open() as lines, closing(
            sqlite3.connect(folder / "votes.sqlite")) as database:
        names, *rows = csv.reader(lines)
        database.execute(f"create table votes ({', '.join(names)})")
        database.executemany(f"insert into votes values ({', '.join('?' * len(names))})", rows)
        database.commit()


def faults(row: Row, tightrope: Runner, folder: Path) -> Iterator[str]:
    """Where a row that is typed in a folder comes out otherwise, each in a line."""
    if row.answers:
        _send(folder, *row.answers)
    answer = tightrope(*row.words)
    if answer.code != row.exit:
        yield f"{row.text}\n   exit {answer.code}, expected {row.exit}: {answer.err or answer.out}"
        return
    for fault in (*_faults_of_values(row, answer), *_faults_of_page(row, answer),
                  *_faults_of_files(row, folder)):
        yield f"{row.text}\n   {fault}"


def _faults_of_values(row: Row, answer: Answer) -> Iterator[str]:
    if not row.values and not row.between:
        return
    try:
        content = answer.json
    except json.JSONDecodeError:
        yield "the answer is no JSON object"
        return
    for path, expected in row.values.items():
        value = look_up(content, path)
        if not agrees(value, expected):
            yield f"{path} is {value!r}, expected {expected!r}"
    for path, (low, high) in row.between.items():
        value = look_up(content, path)
        if not _is_between(value, low, high):
            yield f"{path} is {value!r}, expected {low} to {high}"


def _is_between(value: Any, low: float, high: float) -> bool:
    return value != NOTHING and value is not None and low <= value <= high


def _faults_of_page(row: Row, answer: Answer) -> Iterator[str]:
    page = " ".join((answer.out + answer.err).split())
    for text in row.shows:
        if text not in page:
            yield f"does not show {text!r}"


def _faults_of_files(row: Row, folder: Path) -> Iterator[str]:
    missing = [file for file in (*row.makes, *row.contains, *row.lines)
               if not (folder / file).is_file()]
    if missing:
        yield f"did not make {', '.join(missing)}"
        return
    for file, texts in row.contains.items():
        content = (folder / file).read_text(encoding="utf-8")
        yield from (f"{file} does not contain {text!r}" for text in texts if text not in content)
    for file, expected in row.lines.items():
        number = len((folder / file).read_text(encoding="utf-8").splitlines())
        if number != expected:
            yield f"{file} has {number} lines, expected {expected}"


def _send(folder: Path, survey: str, *responses: str) -> None:
    """Respondents answer a survey, each by a link of its own: places with commas between."""
    file = folder / survey
    links = file.with_name(f"{file.stem}.links.csv").read_text().split()[1:]
    tokens = [line.rpartition("/")[2] for line in links]
    made = read_survey(file.read_bytes())
    with SurveyStore(file.with_name(f"{file.stem}.answers"), made.digest) as store:
        keys = [question.key for question in made.questions]
        sent = [Submission(token, dict(zip(keys, map(int, places.split(",")), strict=True)), "")
                for token, places in zip(tokens, responses, strict=False)]
        assert set(store.accept(sent)) == {"stored"}
