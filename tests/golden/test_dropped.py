"""A program that ignored an option would be noticed: each row fails without the words of one.

An option counts as noticed if some row that types it fails once the option and its values are left
out. A row that expects a refusal for a bad value notices only that the value is read, so that
options with no better row stand in `ONLY_REFUSED` with the reason.
"""

import shutil
from pathlib import Path

import pytest

from tests.cli.runner import Runner
from tests.golden.options import OPTIONS, Option, shortened
from tests.golden.rows import STORIES, Row, story
from tests.golden.stage import faults, prepare

BAD_INPUT = 2

ONLY_REFUSED: dict[Option, str] = {
    **{(command, "--delta"): "the command is for δ = 0, its default, and refuses any other"
       for command in ("theory generalize", "theory prior")},
    **{(command, "--curator"): "values that were not declared are refused, and told: its meaning"
       for command in ("draw", "estimate", "sanitize")},
    ("declare", "--ask"): "nobody answers here; tests/cli/test_asking.py types at a terminal",
    ("sanitize", "--batch"): "a table is the same for batches of any size",
    ("locate compare", "--time"): "on few cells the optimum is sought in any case",
}


class Trials:
    """Rows of stories without one option at a time, each in a copy of the folder as it is then."""

    def __init__(self, folder: Path, tightrope: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._tightrope = tightrope
        self._monkeypatch = monkeypatch
        self.by_answers: set[Option] = set()
        self.by_refusals: set[Option] = set()

    def run(self, name: str) -> None:
        """Try the rows of a story; those that stand as they are lead on to the next."""
        folder = self._folder / name
        prepare(folder)
        for row in story(name):
            for option, short in shortened(row):
                noticed = self.by_refusals if row.exit == BAD_INPUT else self.by_answers
                if option not in self.by_answers | noticed and self._fails(short, folder):
                    noticed.add(option)
            assert self._faults_in(folder, row) == []

    def _fails(self, row: Row, folder: Path) -> bool:
        trial = self._folder / "trial"
        shutil.copytree(folder, trial)
        try:
            return bool(self._faults_in(trial, row))
        finally:
            shutil.rmtree(trial)

    def _faults_in(self, folder: Path, row: Row) -> list[str]:
        self._monkeypatch.chdir(folder)
        return list(faults(row, self._tightrope, folder))


@pytest.mark.slow
def test_every_option_that_is_ignored_is_noticed(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "100")
    trials = Trials(tmp_path, Runner(capsys), monkeypatch)
    for name in STORIES:
        trials.run(name)
    typed = {option for name in STORIES for row in story(name) for option, _ in shortened(row)}
    unnoticed = sorted(typed - trials.by_answers - trials.by_refusals)
    assert not unnoticed, f"{len(unnoticed)} of {len(typed)} options unnoticed: {unnoticed}"
    assert trials.by_refusals - trials.by_answers == set(ONLY_REFUSED)


def test_options_that_are_only_refused_exist():
    assert set(ONLY_REFUSED) <= OPTIONS
    assert all(ONLY_REFUSED.values())


def test_an_option_is_left_out_with_its_values():
    row = Row(("theory", "excess", "m.csv", "--pair", "0", "1", "--gap=2", "--json"))
    assert [(option, short.words[2:]) for option, short in shortened(row)] == [
        (("theory excess", "--pair"), ("m.csv", "--gap=2", "--json")),
        (("theory excess", "--json"), ("m.csv", "--pair", "0", "1", "--gap=2")),
    ]
