"""A survey whose answers are in PostgreSQL: what is there, what is not, and what is refused."""

import json
import re

import pytest

from tests.systems import postgres
from tests.systems.survey_server import QUESTION, new_survey, stored, tightrope
from tightrope import surveys as sv
from tightrope.cli.failures import run
from tightrope.surveys import SurveyStore
from tightrope.surveys.records_database import TABLE
from tightrope.surveys.respondent_pages import respondent_page
from tightrope.surveys.survey_store import Submission

pytestmark = pytest.mark.slow
NEW = ("survey", "new", "s.json", "--question", QUESTION, "--ratio", "3", "--links", "3")


@pytest.fixture(scope="module")
def database():
    with postgres.server() as url:
        yield url


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(url):
    """The surveys of which blocks are in the database, with all their bytes."""
    import psycopg

    with psycopg.connect(url) as connection:
        if connection.execute("SELECT to_regclass(%s)", (TABLE,)).fetchone() == (None,):
            return {}
        rows = connection.execute(
            f"SELECT survey, string_agg(content, ''::bytea ORDER BY place) FROM {TABLE} "
            "GROUP BY survey").fetchall()
    return {survey: bytes(content) for survey, content in rows}


def test_a_survey_in_a_database_is_read_like_any_other(here, database):
    before = set(blocks(database))
    made, tokens = new_survey(here, 3, (QUESTION,), "--store", database)
    survey = sv.read_survey((here / "s.json").read_bytes())
    with SurveyStore(here / "s.answers", survey.digest) as store:
        assert store.in_database
        sent = [Submission(token, {"q1": 1}, f"receipt {token}") for token in tokens[:2]]
        assert store.accept(sent) == ["stored"] * 2
        assert store.accept(sent) == ["received"] * 2
    assert stored(here)["answers"] == 2
    (name,) = set(blocks(database)) - before
    content = blocks(database)[name]
    for secret in (*tokens, made["owner"], "receipt"):
        assert secret.encode() not in content
    pointer = (here / "s.answers").read_bytes()
    assert len(pointer) < 1000
    assert name.encode() in pointer
    assert run([*NEW, "--force"]) == 2  # there are answers
    assert set(blocks(database)) - before == {name}


def test_an_answer_is_on_the_disk_also_where_the_server_would_not_wait_for_it(here, database):
    hasty = f"{database}&options=-csynchronous_commit%3Doff"
    new_survey(here, 1, (QUESTION,), "--store", hasty)
    survey = sv.read_survey((here / "s.json").read_bytes())

    def waits(records):
        return records._pages.connection.exec_driver_sql("SHOW synchronous_commit").scalar()

    with SurveyStore(here / "s.answers", survey.digest) as store:
        with store._records.looking() as records:
            assert waits(records) == "off"
        with store._records.alone() as records:
            assert waits(records) == "on"


def test_a_replaced_survey_leaves_no_blocks(here, database):
    before = set(blocks(database))
    tightrope(*NEW, "--store", database)
    (first,) = set(blocks(database)) - before
    tightrope(*NEW, "--store", database, "--force")
    (second,) = set(blocks(database)) - before
    assert second != first
    tightrope(*NEW, "--force")  # back to a file
    assert set(blocks(database)) == before


def test_a_survey_that_is_taken_back_leaves_nothing(here, database):
    before = set(blocks(database))
    made = sv.create_survey("s.json", [("Ever?", sv.warner("3/4"))], "ln(3)", links=2,
                            store=database)
    made.remove()
    assert set(blocks(database)) == before
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(("url", "code"), [
    ("postgresql://me:geheim@127.0.0.1:1/x?connect_timeout=2", 4), ("sqlite:///x.db", 2),
    ("postgresql://", 4), ("mysql://me@host/x", 2), ("x", 2),
])
def test_a_database_that_cannot_be_used_is_refused_and_makes_no_file(here, capsys, url, code):
    assert run([*NEW, "--store", url]) in {code, 2}
    said = capsys.readouterr()
    assert "geheim" not in said.out + said.err
    assert "Traceback" not in said.err
    assert list(here.iterdir()) == []


def test_a_password_is_not_kept_in_the_file(here, database):
    """The user's own means have it: PGPASSWORD, or the file of passwords."""
    tightrope(*NEW, "--store", database.replace("postgres@", "postgres:geheim@"))
    assert b"geheim" not in (here / "s.answers").read_bytes()
    assert stored(here)["answers"] == 0


@pytest.mark.parametrize("content", [
    b"", b"{}", b'{"url": 3, "survey": "x"}', b'{"url": "sqlite:///x", "survey": "x"}',
    b'{"url": "postgresql://127.0.0.1:1/x", "survey": "x"}', b"\xff",
])
def test_a_forged_pointer_is_refused_in_a_sentence(here, capsys, content):
    tightrope(*NEW)
    (here / "s.answers").write_bytes(b"tightrope survey store 1\n" + content + b"\n")
    assert run(["survey", "results", "s.json"]) in {2, 4}
    assert "Traceback" not in capsys.readouterr().err


def test_the_label_tells_of_the_database(here, database):
    said = tightrope(*NEW, "--store", database)
    assert said["store"] == "s.answers"
    survey = sv.read_survey((here / "s.json").read_bytes())
    page = respondent_page(survey, "all", in_database=True).decode()
    assert re.search("tie them together by its log or backups", page)
    assert json.loads((here / "s.json").read_text())["format"] == "tightrope/survey"
