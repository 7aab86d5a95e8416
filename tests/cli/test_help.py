import sys

import pytest

import tightrope as package
from tests.cli.runner import outside, tightrope_outside
from tightrope.choices import Goal
from tightrope.cli import application, options
from tightrope.constructions import CATALOG, QUERIES
from tightrope.releases.statistics import STATISTICS
from tightrope.spaces import EXAMPLES

COMMANDS = [command.callback.__name__ for command in application().registered_commands]
GROUPS = {
    group.typer_instance.info.name: [
        c.name or c.callback.__name__ for c in group.typer_instance.registered_commands
    ]
    for group in application().registered_groups
}
WITHIN = [f"{name} {command}" for name, inner in GROUPS.items() for command in inner]
PROBE = """
import sys
from tightrope.cli import main
heavy = {"numpy", "scipy", "pyarrow", "flint", "highspy", "matplotlib"}
for command in sys.argv[1:]:
    try:
        main([*command.split(), "--help"])
    except SystemExit as left:
        assert not left.code
    assert not heavy & set(sys.modules), (command, heavy & set(sys.modules))
"""


def test_the_module_runs_as_a_command():
    answer = tightrope_outside("--version")
    assert answer.code == 0
    assert answer.out == f"tightrope {package.__version__}\n"


def test_help_is_light():
    answer = outside(sys.executable, "-c", PROBE, "", *COMMANDS, *GROUPS, *WITHIN)
    assert answer.code == 0, answer.err


@pytest.mark.parametrize("command", ["", *COMMANDS, *GROUPS, *WITHIN])
def test_help_fits_80_columns(tightrope, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    answer = tightrope(*command.split(), "--help")
    assert answer.code == 0, answer.err
    assert "Usage" in answer.out
    assert 60 < max(map(len, answer.out.splitlines())) <= 80


def test_the_help_of_release_names_every_statistic(tightrope):
    words = " ".join(tightrope("release", "--help").out.replace("│", " ").split())
    named = set(words.split("Statistics: ")[1].split(". [")[0].split(". ╰")[0].split(", "))
    stated = {"quantiles PROBABILITIES of COLUMN": "0.75 of A",
              "NUMBER most frequent of COLUMN": "3 most frequent of A",
              "counts of CONDITIONS": "counts of CONDITION; CONDITION"}
    assert {stated.get(each.phrase, each.phrase.replace("COLUMN and COLUMN", "A and B").replace(
        "COLUMN", "A")) for each in STATISTICS.values()} <= {
            f"{each} of A" if each in ("sum", "mean", "variance", "median", "minimum", "maximum",
                                       "mode", "distribution") else each for each in named}


@pytest.mark.parametrize("command", ["sanitize", "estimate", "release", "declare", "curve",
                                     "locate blur", "locate cells", "locate traces",
                                     "locate heatmap", "network"])
def test_readers_of_tables_name_parquet_for_line_breaks(tightrope, command):
    words = tightrope(*command.split(), "--help").out.replace("│", " ").split()
    assert "In text a line is a row; cells with line breaks need Parquet." in " ".join(words)


def test_no_command_shows_the_help(tightrope):
    answer = tightrope()
    assert answer.code == 0
    assert all(command in answer.out for command in COMMANDS)


def complete(words, count):
    return tightrope_outside(
        _TIGHTROPE_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(count)
    ).out.split()


def test_the_shell_completes_commands_and_constructions():
    assert complete("tightrope ", 1) == [*COMMANDS, *GROUPS]
    words = "tightrope design path:0..9 --construction "
    known = dict.fromkeys(entry.name for entry in (*CATALOG, *QUERIES))
    assert complete(words, 4) == list(known)


def test_names_are_completed_from_the_library_itself():
    assert list(options.complete_space("pa")) == [EXAMPLES["path"]]
    assert list(options.complete_space("")) == list(EXAMPLES.values())
    assert [name for name, _ in options.complete_construction("geo")] == ["geometric"]
    assert list(options.complete_loss("sq")) == ["squared"]
    assert complete("tightrope compare path:0..2 --goal ", 4) == [goal.value for goal in Goal]


def test_the_completion_script_can_be_shown():
    # the shell is named, not looked for among the parents of this process
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    answer = tightrope_outside("--show-completion", "bash", **named)
    assert answer.code == 0
    assert "_TIGHTROPE_COMPLETE" in answer.out


class AtOnce:
    """A timer whose second is over as soon as it starts."""

    daemon = False

    def __init__(self, seconds, function):
        assert seconds == 1.0
        self.start = function

    def cancel(self):
        """It is over already."""

    join = cancel


def test_progress_is_said_only_on_a_terminal_and_after_a_second(monkeypatch, capsys):
    from tightrope.cli import progress

    with progress.working("thinking"), progress.counting("rows") as told:
        told(3)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setattr(progress.threading, "Timer", AtOnce)
    with progress.working("thinking"):
        pass
    out, err = capsys.readouterr()
    assert out == ""
    assert "thinking" in err
    with progress.counting("rows") as told:
        told(1234)
    out, err = capsys.readouterr()
    assert out == ""
    assert "rows" in err


def test_a_search_shows_its_first_gap_before_a_second_and_as_not_yet_proved(monkeypatch, capsys):
    from tightrope.cli import progress

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setattr(progress, "GLANCE", -1.0)
    with progress.closing("searching") as watch:
        watch(1, 4.0, -7.0)
        assert capsys.readouterr().err == ""  # a gap above one says nothing
        watch(2, 2.5, 2.0)
    shown = capsys.readouterr().err
    assert "loss 2.5, bound 2, gap 2.0e-01 (to be proved at the end)" in shown
