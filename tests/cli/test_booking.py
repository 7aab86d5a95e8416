"""Every command that draws is charged through the books if a ledger is named, and says if not."""

import os
import signal
import stat
import subprocess
import sys

import pytest

from tests.cli.runner import SOURCE
from tightrope.exact import Level
from tightrope.ledger import Budget, Ledger, Scope

CURVE = ("curve", "curve.csv", "--columns", "a:c", "--people", 30, "--low", 0, "--high", 9,
         "--epsilon", 1)
COMMANDS = {
    "sanitize": (
        ("sanitize", "survey.csv", "--column", "answer", "--values", "no/yes", "--epsilon", 1,
         "-o", "out.csv"),
        ("row", "replace:units=400", "units"), "1", "rows"),
    "draw": (
        ("draw", "m.json", 0, 1, 2), ("value", "replace", "path:0..2"), "ln(8)",
        "answers"),
    "draw a column": (
        ("draw", "m.json", "--column", "color", "survey.csv", "-o", "out.csv"),
        ("row", "replace:units=400", "path:0..2"), "ln(2)", "rows"),
    "noise": (
        ("theory", "noise", "[0, 1]", "--epsilon", 1, "--value", 7),
        ("person", "differ:0..1", "units"), "1", "answer"),
    "curve": (CURVE, ("row", "replace:units=30", "units"), "1", "values"),
    "network": (
        ("network", "edges.csv", "--nodes", "1..40", "--count", "edges", "--epsilon", 1),
        ("edge", "add-remove:nodes=40", "units"), "1", "answer"),
    "nodes": (
        ("network", "edges.csv", "--nodes", "1..40", "--count", "degrees", "--protect", "nodes",
         "--max-degree", 3, "--epsilon", 1),
        ("node", "rewire:nodes=40", "units"), "1", "at_least"),
    "locate": (
        ("locate", "blur", "positions.csv", "--region", "-4,40,-3,41", "--within", "200m",
         "--factor", 2, "-o", "blurred.csv"),
        ("row", "replace:units=3", "meters:200"), "ln(2)",
        "rows"),
    "traces": (
        ("locate", "blur", "positions.csv", "--region", "-4,40,-3,41", "--within", "200m",
         "--factor", 3, "--releases", 3, "-o", "blurred.csv"),
        ("rows:3", "replace:rows=3",
         "meters:200"), "ln(3)", "rows"),
    "fresh positions": (
        ("locate", "traces", "positions.csv", "--region", "-4,40,-3,41", "--within", "200m",
         "--factor", 3, "--fresh", 2, "--person", "who", "-o", "blurred.csv"),
        ("person:who", "replace:rows=3",
         "meters-by-row:200"), "ln(3)", "rows"),
    "positions on cells": (
        ("locate", "cells", "positions.csv", "--region", "-4,40,-3.99,40.01", "--within", "400m",
         "--factor", 10, "--mechanism", "exponential", "--cell", "100m", "-o", "blurred.csv"),
        ("row", "replace:units=3", "meters:400"), "ln(10)",
        "rows"),
    "survey": (
        ("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3, "--links", 2),
        ("respondent", "replace", "units"), "ln(3)", None),
}


@pytest.fixture
def here(folder, survey, document):
    (folder / "edges.csv").write_text("".join(f"{i},{i + 1}\n" for i in range(1, 40)))
    (folder / "positions.csv").write_text(
        "lon,lat,who\n-3.7,40.4,a\n-3.6,40.5,a\n-3.5,40.6,b\n")
    (folder / "curve.csv").write_text("a,b,c\n" + "1,2,3\n" * 30)
    return folder


def opened(folder, scope, level=10):
    ledger = Ledger.create(folder / "l.sqlite")
    ledger.open_budget(Budget("b", Scope("d", *scope), level))
    return ledger


@pytest.mark.parametrize("name", COMMANDS)
def test_without_a_ledger_a_command_says_that_nothing_was_booked(tightrope, here, name):
    command, *_ = COMMANDS[name]
    assert tightrope(*command, "--json").json["booked"] is None
    said = " ".join(tightrope(*command, *(("--force",) if "new" in command or "-o" in command
                                          else ())).out.split())
    assert said.count("Nothing was booked.") == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_a_charge_is_what_the_command_costs_and_the_same_request_is_free(tightrope, here, name):
    command, scope, level, answer = COMMANDS[name]
    ledger = opened(here, scope)
    books = ("--ledger", "l.sqlite", "--budget", "b", "--request", "mine", "--json")
    first = tightrope(*command, *books).json
    charge = ledger.records()[1]
    assert charge.body["scope"] == Scope("d", *scope).as_json()
    assert first["booked"]["entry"] == charge.as_json()
    assert ledger.balance("b").spent.epsilon.compare_level(Level.of(level)) == 0
    again = tightrope(*command, *books)
    assert ledger.balance("b").charges == 1
    if answer is None:
        assert again.code == 2  # the survey is there
        assert tightrope(*command, "--force", *books).code == 3
    else:
        assert again.json["booked"]["again"]
        assert again.json[answer] == first[answer]
    said = str([record.as_json() for record in ledger.records()])
    assert "sqlite" not in said
    assert str(here) not in said


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "survey"])
def test_an_answered_request_is_given_again_when_its_budget_is_used_up(tightrope, here, name):
    command, scope, level, answer = COMMANDS[name]
    ledger = opened(here, scope, Level.of(level))
    books = ("--ledger", "l.sqlite", "--budget", "b", "--request", "mine", "--json")
    first = tightrope(*command, *books).json
    assert ledger.balance("b").remaining == "ε = 0"
    again = tightrope(*command, *books)
    assert again.code == 0, again
    assert again.json[answer] == first[answer]


RELEASE = ("release", "survey.csv", "histogram of answer", "--declaration", "d.toml",
           "--epsilon", 1)
DECLARED = """dataset = "d"
[unit]
neighbors = "replace"
size = 400
[columns.answer]
type = "category"
values = ["no", "yes"]
"""


def test_a_release_is_given_again_when_its_budget_is_used_up(tightrope, here):
    (here / "d.toml").write_text(DECLARED, encoding="utf-8")
    opened(here, ("row", "replace:units=400", "units"), 1)
    books = ("--ledger", "l.sqlite", "--budget", "b", "--request", "mine", "--json")
    first = tightrope(*RELEASE, *books)
    assert first.code == 0, first
    again = tightrope(*RELEASE, *books)
    assert again.code == 0, again
    assert again.json["answers"] == first.json["answers"]
    assert tightrope(*RELEASE, *books[:4]).code == 3  # another request


@pytest.mark.parametrize("name", COMMANDS)
def test_a_request_of_another_command_is_refused_in_a_sentence(tightrope, here, name):
    (here / "d.toml").write_text(DECLARED, encoding="utf-8")
    opened(here, ("row", "replace:units=400", "units"), 10)
    books = ("--ledger", "l.sqlite", "--budget", "b", "--request", "mine")
    assert tightrope(*RELEASE, *books).code == 0
    answer = tightrope(*COMMANDS[name][0], *books)
    assert answer.code == 3
    assert answer.sentence == "the request 'mine' was another question. Nothing was spent."


@pytest.mark.parametrize("name", COMMANDS)
def test_a_budget_for_another_purpose_or_too_small_spends_and_releases_nothing(
    tightrope, here, name
):
    command, (unit, neighbors, metric), _, _ = COMMANDS[name]
    before = {path.name for path in here.iterdir()}
    ledger = opened(here, (unit, neighbors, metric), "0.01")
    ledger.open_budget(Budget("other", Scope("d", unit, neighbors, "another"), 10))
    for budget in ("b", "other"):
        answer = tightrope(*command, "--ledger", "l.sqlite", "--budget", budget)
        assert answer.code == 3
        assert "Nothing was spent." in answer.sentence
    wrong = tightrope(*command, "--ledger", "l.sqlite", "--budget", "b", "--dataset", "e")
    assert wrong.code == 3
    assert len(ledger.records()) == 2
    assert {path.name for path in here.iterdir()} == before | {
        "l.sqlite", "l.sqlite.key", "l.sqlite.key.heads"}


def test_a_sanitized_table_that_was_changed_is_not_given_for_an_old_entry(tightrope, here):
    command, scope, *_ = COMMANDS["sanitize"]
    opened(here, scope)
    books = ("--ledger", "l.sqlite", "--budget", "b", "--request", "mine")
    assert tightrope(*command, *books).code == 0
    with (here / "out.csv").open("a") as table:
        table.write("1,no,2,3\n")
    assert tightrope(*command, *books).code == 3
    (here / "out.csv").unlink()
    refused = tightrope(*command, *books)
    assert "not drawn again" in refused.sentence
    assert not (here / "out.csv").exists()


def test_a_budget_without_its_ledger_is_bad_input(tightrope, here):
    command = COMMANDS["curve"][0]
    assert tightrope(*command, "--budget", "b").code == 2
    assert tightrope(*command, "--ledger", "l.sqlite").code == 2
    assert tightrope(*command, "--ledger", "l.sqlite", "--budget", "b").code == 2


def test_a_budget_is_opened_for_a_scope_or_a_declaration_but_not_both(tightrope, here):
    open_one = ("ledger", "open", "l.sqlite", "--budget", "b", "--epsilon", 1)
    assert tightrope(*open_one).code == 2
    assert tightrope(*open_one, "--dataset", "d", "--unit", "edge").code == 2
    assert tightrope(*open_one, "--dataset", "d", "--declaration", "x.toml").code == 2
    made = tightrope(*open_one, "--dataset", "d", "--unit", "edge", "--neighbors",
                     "add-remove:nodes=40", "--json").json
    assert made["scope"]["unit"] == "edge"


def test_a_budget_is_opened_with_its_metric_and_its_delta(tightrope, here):
    (here / "d.toml").write_text('dataset = "d"\n[columns.x]\ntype = "number"\nlow = 0\nhigh = 1\n')
    stated = ("--dataset", "d", "--unit", "value", "--neighbors", "replace", "--metric",
              "path:0..9")
    for name, scope in (("a", stated), ("b", ("--declaration", "d.toml"))):
        made = tightrope("ledger", "open", "l.sqlite", "--budget", name, "--epsilon", 1, *scope,
                         "--delta", "1e-6", "--json").json
        assert made["scope"]["metric"] == ("path:0..9" if name == "a" else "units")
        assert (made["epsilon"], made["delta"]) == (1, 1e-6)


@pytest.mark.slow
def test_runs_at_once_into_one_output_are_charged_once(folder, survey, document, tightrope):
    """Three processes write the same table: one is charged, the others do nothing."""
    rows = "".join(f"{i},{'yes' if i % 4 else 'no'}\n" for i in range(400_000))
    (folder / "large.csv").write_text("id,answer\n" + rows)
    tightrope("ledger", "open", "books.sqlite", "--budget", "b", "--dataset", "d", "--unit", "row",
              "--neighbors", "replace:units=400000", "--epsilon", "9")
    command = [sys.executable, "-m", "tightrope", "sanitize", "large.csv", "--column", "answer",
               "--values", "no/yes", "--epsilon", "1", "-o", "out.csv", "--ledger", "books.sqlite",
               "--budget", "b", "--dataset", "d"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    runs = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True) for _ in range(3)]
    said = [run.communicate()[1] for run in runs]
    codes = [run.returncode for run in runs]
    assert sorted(codes)[0] == 0, said
    assert set(sorted(codes)[1:]) <= {2, 3}, said  # being written, or written meanwhile
    shown = tightrope("ledger", "show", "books.sqlite", "--budget", "b", "--json").json
    assert shown["budgets"][0]["charges"] == 1


_STOPS_ITSELF = """
import os, signal, sys
from tightrope.cli import main
umask = os.umask  # first asked for when all rows are written, to give the file the usual rights
def stop_first(mask):
    os.kill(os.getpid(), signal.SIGSTOP)
    return umask(mask)
os.umask = stop_first
main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_nothing_that_others_can_read(folder, tightrope, number):
    """The run stops itself when all rows are written and none is published; there it is ended."""
    rows = "".join(f"{i},{'yes' if i % 4 else 'no'}\n" for i in range(300_000))
    (folder / "large.csv").write_text("id,answer\n" + rows)
    command = ["sanitize", "large.csv", "--column", "answer", "--values", "no/yes",
               "--epsilon", "1", "-o", "out.csv"]
    run = subprocess.Popen([sys.executable, "-c", _STOPS_ITSELF, *command],
                           env={**os.environ, "PYTHONPATH": str(SOURCE)},
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert os.WIFSTOPPED(os.waitpid(run.pid, os.WUNTRACED)[1])
        part = folder / ".out.csv.part"
        assert part.stat().st_size > 300_000
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
        assert not (folder / "out.csv").exists()
        run.send_signal(number)
        run.send_signal(signal.SIGCONT)
        code = run.wait(60)
        assert not (folder / "out.csv").exists()
        if number is not signal.SIGKILL:
            assert code == 128 + number
            assert not part.exists()
    finally:
        run.kill()
        run.wait()
    done = tightrope(*command, "--json").json
    assert done["rows"] == 300_000
    assert not part.exists()
