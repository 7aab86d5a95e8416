"""Old spellings are answered with the new ones; the first screen stays short."""

import pytest
from typer.main import get_command

from tightrope.cli import application
from tightrope.cli.moved import COMMANDS, OPTIONS

FIRST = get_command(application()).commands


@pytest.mark.parametrize("word", COMMANDS)
def test_a_command_that_moved_exits_with_2_and_its_new_place(tightrope, word):
    answer = tightrope(word, "path:0..2")
    assert answer.code == 2
    assert answer.sentence == f"{word} does not belong here; write: tightrope {COMMANDS[word]}"
    group, command, *_ = COMMANDS[word].split()
    assert command == "TABLE" or command in FIRST[group].commands


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_an_option_that_moved_exits_with_2_and_its_new_place(tightrope, command, option):
    answer = tightrope(*command.split(), "path:0..2", option, "1")
    assert answer.code == 2
    assert answer.sentence == (
        f"{option} does not belong here; write: tightrope {OPTIONS[command, option]}")
    group, moved, *_ = OPTIONS[command, option].split()
    assert group in FIRST
    assert moved.isupper() or moved in FIRST[group].commands


@pytest.mark.parametrize("words", [("trips.csv", "--region", "Spain"), ("--region", "Spain"),
                                   ("--factor=2",), ("../places/trips.csv",)])
def test_positions_are_blurred_by_a_command_of_locate(tightrope, words):
    answer = tightrope("locate", *words)
    assert answer.code == 2
    assert answer.sentence == (f"{words[0].partition('=')[0]} does not belong here; write: "
                               "tightrope locate blur [FILE] --region REGION --within LENGTH "
                               "--factor NUMBER")


def test_a_comparison_of_mechanisms_for_positions_is_a_command_of_locate(tightrope):
    assert tightrope("locate", "--compare").sentence == (
        "--compare does not belong here; write: tightrope locate compare")


def test_other_unknown_words_keep_their_sentence(tightrope):
    assert "no such command 'nothing'" in tightrope("nothing").sentence
    assert "Did you mean 'cells'?" in tightrope("locate", "cell").sentence
    other = tightrope("compare", "path:0..2", "--maximize").sentence
    assert "no such option: --maximize" in other.lower()


def test_the_first_screen_has_at_most_22_entries():
    assert len(FIRST) <= 22
