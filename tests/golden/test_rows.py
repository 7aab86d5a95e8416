"""Every command as people type it: exit codes and values are the ones that were worked out."""

import pytest

from tests.cli.runner import Runner
from tests.golden.rows import STORIES, agrees, story
from tests.golden.stage import faults, prepare


@pytest.mark.slow
@pytest.mark.parametrize("name", STORIES)
def test_a_story_ends_as_it_was_worked_out(name, tmp_path, monkeypatch, capsys):
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    tightrope = Runner(capsys)
    faulty = [fault for row in story(name) for fault in faults(row, tightrope, tmp_path)]
    assert not faulty, "\n".join(["", *faulty])


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
