"""Files to write are refused before any work is done."""

import errno
import os

import pytest

from tightrope import constructions
from tightrope.cli.targets import DocumentTarget, PictureTarget, Target, check_apart
from tightrope.errors import BadInput


@pytest.fixture
def idle(monkeypatch):
    """Designing is an error of the test."""

    def work(*arguments, **options):
        raise AssertionError("the work was begun")

    monkeypatch.setattr(constructions, "design", work)


@pytest.mark.parametrize("options", [("-o", "m.txt"), ("-o", "m"), ("--plot", "m.jpg")])
def test_a_name_that_does_not_fit_is_refused_before_the_work(tightrope, folder, idle, options):
    answer = tightrope("design", "path:0..2", "--epsilon", "1", *options)
    assert answer.code == 2
    assert "expected" in answer.sentence
    assert list(folder.iterdir()) == []


def test_a_folder_that_may_not_be_written_to_is_refused_before_the_work(
    tightrope, folder, idle, monkeypatch
):
    def refuse(*arguments):
        raise PermissionError(errno.EACCES, "permission denied")

    monkeypatch.setattr(os, "open", refuse)  # root may write everywhere
    answer = tightrope("design", "path:0..2", "--epsilon", "1", "-o", "m.json")
    assert answer.code == 2
    assert answer.sentence == f"{folder.resolve()} may not be written to by this user."


@pytest.mark.parametrize("name", ["m.json", "M.JSON", "m.json.gz"])
def test_a_document_has_the_name_of_one(folder, name):
    assert DocumentTarget(folder / name, False).name == str(folder / name)


def test_without_a_path_nothing_is_made(folder):
    def made():
        raise AssertionError("nobody asked for it")

    Target(None, False).write(made)
    PictureTarget(None, False).draw(made)
    assert Target(None, False).name is None
    assert list(folder.iterdir()) == []


def test_two_answers_do_not_share_a_file(tightrope, folder):
    with pytest.raises(BadInput, match="named twice"):
        check_apart(Target(folder / "a", False), Target(None, False), Target(folder / "a", True))
    check_apart(Target(folder / "a", False), Target(folder / "b", False), Target(None, False))
    (folder / "m.csv").write_text("0.5,0.5\n0.25,0.75\n")
    pictures = ("--plot", "m.png", "--row-graphs", "./m.png")
    answer = tightrope("inspect", "m.csv", "--space", "path:0..1", *pictures)
    assert answer.code == 2
    assert "named twice" in answer.sentence
    assert not (folder / "m.png").exists()
