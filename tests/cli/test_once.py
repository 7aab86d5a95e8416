"""An option of one value that is given twice is refused, in every command."""

import pytest
from typer.main import get_command

from tests.cli.test_contract import reference
from tightrope.cli import application


def options(multiple):
    return [
        pytest.param(name, option, id=f"{name} {max(option.opts, key=len)}")
        for name, command in reference().commands_of(get_command(application()))
        for option in command.params
        if option.param_type_name == "option" and not option.is_flag
        and option.multiple == multiple
    ]


@pytest.mark.parametrize(("name", "option"), options(multiple=False))
def test_an_option_of_one_value_is_given_once(tightrope, name, option):
    for spelled in option.opts:
        ones = ["1"] * option.nargs
        answer = tightrope(*name.split(), option.opts[0], *ones, spelled, *ones)
        assert answer.code == 2
        assert answer.sentence == (
            f"{max(option.opts, key=len)} is given twice, and only one can count; give it once.")


def test_options_of_several_values_and_flags_may_be_repeated(tightrope, survey):
    assert {param.values[1].name for param in options(multiple=True)} >= {"columns", "values"}
    answer = tightrope("sanitize", survey, "--column", "answer", "--values", "no/yes", "--column",
                       "color", "--values", "0/1/2", "--epsilon", "1", "-o", "out.csv", "--json",
                       "--json")
    assert answer.code == 0


def test_a_second_column_does_not_win(tightrope, survey, folder):
    tightrope("sanitize", survey, "--column", "answer", "--values", "no/yes", "--epsilon", "1",
              "-o", "out.csv")
    answer = tightrope("estimate", "out.csv", "--column", "answer", "--column=age", "--mechanism",
                       "out.csv.answer.mechanism.json", "--json")
    assert answer.code == 2
    assert "one --mechanism for each --column, found 2 columns" in answer.json["error"]
