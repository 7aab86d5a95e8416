import os
import signal
import subprocess
import sys

import pytest

from tests.cli.runner import SOURCE, outside, tightrope_outside
from tests.documents.judges import RECEIPT
from tightrope import constructions
from tightrope.cli.failures import judge
from tightrope.errors import (
    BadLevel,
    CannotCheck,
    Infeasible,
    SolverFailed,
    SystemFailed,
    TightropeError,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Infeasible("there is none."), 1),
        (BadLevel(0, "more"), 2),
        (FileNotFoundError(2, "No such file or directory", "m.json"), 2),
        (PermissionError(13, "Permission denied", "m.json"), 2),
        (CannotCheck("too large."), 3),
        (SolverFailed("it stopped."), 4),
        (SystemFailed("it stopped."), 4),
        (OSError(28, "No space left on device"), 4),
        (MemoryError(), 4),
        (ZeroDivisionError("inside"), 4),
        (TightropeError("of no kind."), 4),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_every_kind_of_error_has_its_exit_code_and_one_sentence(error, code):
    found, kind, sentence = judge(error)
    assert found == code
    assert kind
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize("error", [Infeasible("none."), SolverFailed("no."), KeyError("x")])
def test_errors_are_the_one_object_with_json_and_one_sentence_without(
    tightrope, monkeypatch, error
):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(constructions, "design", fail)
    code, kind, sentence = judge(error)
    answer = tightrope("design", "path:0..2", "--epsilon", "1", "--json")
    assert answer.code == code
    assert answer.json == {"error": sentence, "kind": kind, "exit": code}
    assert answer.err == ""
    answer = tightrope("design", "path:0..2", "--epsilon", "1")
    assert answer.code == code
    assert answer.sentence == sentence


def test_a_traceback_is_shown_only_on_request():
    hidden = tightrope_outside("verify", "missing.json")
    shown = tightrope_outside("verify", "missing.json", TIGHTROPE_DEBUG="1")
    assert (hidden.code, shown.code) == (2, 2)
    assert "Traceback" not in hidden.err
    assert "Traceback" in shown.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("unknown",),
        ("design",),
        ("design", "path:0..2", "--unknown"),
        ("design", "path:0..2", "more"),
        ("sanitize", "t.csv"),
        ("estimate", "t.csv", "--column", "c", "--mechanism", "m", "--confidence", "high"),
        ("sanitize", "t.csv", "--column", "c", "--values", "a/b", "-o", "o.csv", "--batch", "0"),
        ("--unknown",),
    ],
    ids=" ".join,
)
def test_what_was_typed_wrong_is_one_sentence_and_a_hint(tightrope, arguments):
    answer = tightrope(*arguments)
    assert answer.code == 2
    assert "--help" in answer.sentence
    answer = tightrope(*arguments, "--json")
    assert answer.code == 2
    assert answer.json["kind"] == "Usage"


def test_an_option_without_its_value_is_typed_wrong(tightrope):
    answer = tightrope("design", "path:0..2", "--json", "--epsilon")
    assert answer.code == 2
    assert answer.json["kind"] == "Usage"


def test_not_private_carries_its_witness(tightrope, document, folder):
    import json

    from tightrope.documents import digest_of

    content = json.loads((folder / document).read_text())
    content["mechanism"]["rows"][0] = "9 2 2"
    content["digest"] = digest_of(content)
    (folder / document).write_text(json.dumps(content))
    (folder / "t.csv").write_text("a\n0\n1\n")
    answer = tightrope("estimate", "t.csv", "--column", "a", "--mechanism", document, "--json")
    assert answer.code == 1
    assert answer.json["kind"] == "NotPrivate"
    assert answer.json["witness"]["outputs"] == [1]


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "tightrope", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"},
    )


def test_an_interrupt_is_one_sentence(folder):
    (folder / "waiting.py").write_text(
        "import signal, sys, time\n"
        "from tightrope import constructions\n"
        "from tightrope.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background\n"
        "def design(*_, **__):\n"
        "    print('started', file=sys.stderr, flush=True)\n"
        "    time.sleep(60)\n"
        "constructions.design = design\n"
        "main(['design', 'path:0..2', '--epsilon', '1'])\n"
    )
    running = subprocess.Popen(
        [sys.executable, "waiting.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(SOURCE)},
    )
    assert running.stderr.readline() == "started\n"
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert out == ""
    assert err.startswith("Error: interrupted")


@pytest.mark.parametrize("flag", [(), ("--json",), ("--help",)])
def test_a_reader_that_goes_away_is_no_error_and_no_answer(flag):
    running = start("compare", "path:0..9", "--epsilon", "1", *flag)
    running.stdout.close()
    assert running.wait(timeout=60) == 141
    assert running.stderr.read() == ""
    running.stderr.close()


def test_a_terminal_without_greek_letters_is_served_too():
    answer = tightrope_outside("design", "path:0..2", "--ratio", "2", PYTHONIOENCODING="ascii")
    assert answer.code == 0
    assert "2/3" in answer.out


def through(shell, *command):
    """Run a Python command from a line of the shell."""
    return outside("sh", "-c", shell, "sh", sys.executable, *command)


@pytest.mark.parametrize("command", [
    (str(RECEIPT),), (str(RECEIPT), "--json"), ("-m", "tightrope", "verify"),
])
def test_a_report_that_cannot_be_written_is_no_verdict(document, command):
    answer = through('ulimit -f 0; exec "$@" > report.txt', *command, document)
    assert answer.code == 4
    assert answer.err.lower().count("file too large") == 1
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("command", [(str(RECEIPT),), ("-m", "tightrope", "verify")])
def test_without_a_standard_output_the_exit_code_is_the_answer(document, command):
    answer = through('exec "$@" >&-', *command, document)
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_a_survey_whose_token_nobody_saw_is_taken_back(folder, flag):
    nobody, output = os.pipe()
    os.close(nobody)
    asked = ["survey", "new", "s.json", "--question", "Ever?", "--ratio", "3", "--links", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "tightrope", *asked, *flag], stdout=output, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE)}, check=False, timeout=300,
    )
    os.close(output)
    assert done.returncode == 4
    assert list(folder.iterdir()) == []


def test_a_missing_command_is_said_in_a_sentence(tightrope):
    answer = tightrope("survey")
    assert answer.code == 2
    assert "a command is missing. Try: tightrope survey --help" in answer.err


@pytest.mark.parametrize("option", ["-n", "--n", "--people", "--size"])
def test_people_under_another_name_are_answered_with_respondents(tightrope, option):
    answer = tightrope("survey", "plan", option, "300", "--epsilon", "1")
    assert answer.code == 2
    assert f"there is no {option}; say --respondents." in answer.err
    other = tightrope("draw", "m.json", "0", option, "300")  # a command without --respondents
    assert "--respondents" not in other.err


@pytest.mark.parametrize(("typed", "hint"), [
    (("design", "path:0..9", "0.5"), "A level is written --epsilon 0.5."),
    (("release", "t.csv", "mean of age"), "tightrope declare t.csv --header -o t.toml"),
    (("release", "a b.db", "count", "--table", "t"), "declare 'a b.db' --table t -o 'a b.toml'"),
    (("release", "postgresql://me:secret@h/d", "count", "--table", "t"),
     "tightrope declare URL --table t -o declaration.toml"),
    (("release", "-", "count"), "tightrope declare - --header -o declaration.toml"),
    (("release", "t.csv", "mean", "of", "age", "--declaration", "d.toml"),
     'A question stands in quotes: "mean of age".'),
    (("compare", "path:0..9", "absolute"), "(absolute). Try"),
])
def test_a_word_too_many_or_missing_is_told_what_to_write(tightrope, typed, hint):
    answer = tightrope(*typed)
    assert answer.code == 2
    assert hint in answer.sentence


def test_a_bare_matrix_is_told_the_option_of_its_space(tightrope, folder):
    (folder / "m.csv").write_text("1,0\n0,1\n")
    assert "its inputs (--space), for example path:0..49." in tightrope("verify", "m.csv").sentence


def test_a_refusal_names_the_option_that_would_allow_it(tightrope, document, folder):
    answer = tightrope("design", "path:0..2", "--ratio", "2", "-o", document)
    assert answer.code == 2
    assert answer.sentence.endswith("ask to overwrite it (--force).")
    (folder / "t.csv").write_text("a\nyes\nmaybe\n")
    asked = ("sanitize", "t.csv", "--column", "b", "--values", "no/yes", "--ratio", "3")
    assert "on request (--curator)" in tightrope(*asked, "-o", "out.csv").sentence
