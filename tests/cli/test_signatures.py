"""Groups of options become options, in their place and with their defaults."""

from dataclasses import dataclass
from inspect import signature
from typing import Annotated

import pytest
import typer
from typer.main import get_command

from tightrope.cli.asked import AskedEffort, AskedLevel, AskedObjective
from tightrope.cli.signatures import flat


@dataclass(frozen=True)
class Inner:
    color: Annotated[str, typer.Option("--color", help="A color.")] = "red"


@dataclass(frozen=True)
class Outer:
    inner: Inner
    size: Annotated[int, typer.Option("--size")] = 3


seen = []


def paint(wall: str, *, outer: Outer, level: AskedLevel, as_json: bool = False) -> None:
    """Paint a wall."""
    seen.append((wall, outer, level, as_json))


def test_a_group_is_replaced_by_its_options_where_it_stands():
    parameters = signature(flat(paint)).parameters
    assert list(parameters) == ["wall", "color", "size", "epsilon", "ratio", "delta", "as_json"]
    assert parameters["delta"].default == "0"
    assert flat(paint).__name__ == "paint"
    assert flat(paint).__doc__ == "Paint a wall."


def test_typer_reads_the_options_of_a_group():
    app = typer.Typer(add_completion=False)
    app.command()(flat(paint))
    options = get_command(app).params
    names = [option.name for option in options if option.name != "help"]
    assert names == list(signature(flat(paint)).parameters)
    assert options[1].help == "A color."


def test_a_command_gets_its_groups_back():
    flat(paint)(wall="north", color="blue", size=4, epsilon="1", ratio=None, delta="0",
                as_json=True)
    assert seen == [("north", Outer(Inner("blue"), 4), AskedLevel("1"), True)]


def test_two_groups_cannot_have_the_same_option():
    def twice(*, first: AskedEffort, second: AskedEffort) -> None: ...

    with pytest.raises(ValueError, match="duplicate parameter name"):
        flat(twice)


def test_groups_are_what_they_were_typed_as():
    assert AskedObjective() == AskedObjective("uniform", None, "average")
    assert AskedEffort() != AskedEffort(gap=0.1)
