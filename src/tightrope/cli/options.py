"""The options that commands share, and the values they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.errors import BadInput, Refused

if TYPE_CHECKING:
    from tightrope.constructions import Effort, Goal
    from tightrope.exact import Level
    from tightrope.spaces import Label, Space
    from tightrope.utility import Loss, LossMatrix, Prior

_PRIVACY = "Privacy"
_OBJECTIVE = "What an error costs"
_OUTPUT = "Output"

LOSSES = ("binary", "absolute", "squared", "euclidean")
GOALS = ("average", "worst")
PICTURES = (".png", ".svg")


def complete_construction(incomplete: str) -> Iterator[tuple[str, str]]:
    """The constructions whose name starts like that, and what they are."""
    from tightrope.constructions import CATALOG

    yield from ((e.name, e.reason) for e in CATALOG if e.name.startswith(incomplete))


def complete_space(incomplete: str) -> Iterator[str]:
    """An example of every family of spaces that starts like that."""
    from tightrope.spaces import EXAMPLES

    yield from (text for text in EXAMPLES.values() if text.startswith(incomplete))


def complete_loss(incomplete: str) -> Iterator[str]:
    """The losses that start like that."""
    yield from (name for name in LOSSES if name.startswith(incomplete))


def complete_goal(incomplete: str) -> Iterator[str]:
    """The goals that start like that."""
    yield from (name for name in GOALS if name.startswith(incomplete))


SpaceArgument = Annotated[
    str,
    typer.Argument(
        metavar="SPACE",
        help="What may be told apart: path:0..100, categories:red/green/blue, grid:10x10, …",
        autocompletion=complete_space,
        show_default=False,
    ),
]
SpaceOption = Annotated[
    str | None,
    typer.Option(
        "--space",
        metavar="SPACE",
        help="The space of the inputs, as in `design`; a bare matrix needs it.",
        autocompletion=complete_space,
        show_default=False,
    ),
]
Epsilon = Annotated[
    str | None,
    typer.Option(
        "--epsilon",
        metavar="NUMBER",
        help='The level ε, taken exactly: 0.5, 1/3, "ln(2)".',
        rich_help_panel=_PRIVACY,
        show_default=False,
    ),
]
Ratio = Annotated[
    str | None,
    typer.Option(
        "--ratio",
        metavar="NUMBER",
        help="The level as e^ε, exactly: 2, 3/2.",
        rich_help_panel=_PRIVACY,
        show_default=False,
    ),
]
Delta = Annotated[
    str,
    typer.Option(
        "--delta",
        metavar="NUMBER",
        help="δ; above 0 it needs a space that declares neighbors.",
        rich_help_panel=_PRIVACY,
    ),
]
PriorOption = Annotated[
    str,
    typer.Option(
        "--prior",
        metavar="uniform|FILE",
        help="How likely each input is, for losses on average.",
        rich_help_panel=_OBJECTIVE,
    ),
]
LossOption = Annotated[
    str,
    typer.Option(
        "--loss",
        metavar="NAME|FILE",
        help="binary, absolute, squared, euclidean, or a file with a matrix (rows are inputs).",
        autocompletion=complete_loss,
        rich_help_panel=_OBJECTIVE,
    ),
]
GoalOption = Annotated[
    str,
    typer.Option(
        "--goal",
        metavar="average|worst",
        help="Which loss counts: on average over the prior, or of the worst input.",
        autocompletion=complete_goal,
        rich_help_panel=_OBJECTIVE,
    ),
]
GapOption = Annotated[
    float | None,
    typer.Option(
        "--gap",
        metavar="NUMBER",
        help="Relative gap to the proved bound at which the search stops; 1e-6 if not given.",
        rich_help_panel=_OBJECTIVE,
        show_default=False,
    ),
]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time",
        metavar="SECONDS",
        help="How long the search may take; 600 if not given. Ctrl-C keeps the best so far.",
        rich_help_panel=_OBJECTIVE,
        show_default=False,
    ),
]
OutputsOption = Annotated[
    Path | None,
    typer.Option(
        "--outputs",
        metavar="FILE",
        help="The answers it may give, one on each row; the points of the space if not given.",
        rich_help_panel=_OBJECTIVE,
        show_default=False,
    ),
]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the mechanism document here (.json, or .json.gz); without it nothing is.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
PlotFile = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Draw a picture of the answer into this .svg or .png file.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
Force = Annotated[
    bool,
    typer.Option(
        "--force", metavar="", help="Overwrite files that exist.", rich_help_panel=_OUTPUT
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        metavar="",
        help="One JSON object on standard output, and nothing else.",
        rich_help_panel=_OUTPUT,
    ),
]


def level_of(epsilon: str | None, ratio: str | None, delta: str) -> Level:
    """The level that --epsilon or --ratio, and --delta, ask for.

    >>> level_of(None, "2", "0").text
    'ln(2)'
    """
    level = asked_level(epsilon, ratio, delta)
    if level is None:
        raise BadInput("a level is missing: give --epsilon 0.5 (or \"ln(2)\"), or --ratio 2.")
    return level


def asked_level(epsilon: str | None, ratio: str | None, delta: str) -> Level | None:
    """The level that was asked for, None if none was."""
    from tightrope.exact import Level

    if epsilon is not None and ratio is not None:
        raise BadInput("give the level once: --epsilon or --ratio, not both.")
    if epsilon is not None:
        return Level.parse(epsilon, delta)
    if ratio is not None:
        return Level.ratio(ratio, delta)
    if Level.ratio(2, delta).delta != 0:
        raise BadInput("--delta needs a level beside it: give --epsilon or --ratio too.")
    return None


def effort_of(
    gap: float | None, seconds: float | None, watch: Callable[[int, float, float], None]
) -> Effort:
    """How hard to look for the optimum, from --gap and --time."""
    from tightrope.constructions import ORDINARY, Effort

    for name, value in (("--gap", gap), ("--time", seconds)):
        if value is not None and not 0 < value < inf:
            raise BadInput(f"expected {name} above 0, found {value}.")
    return Effort(
        ORDINARY.gap if gap is None else gap,
        ORDINARY.seconds if seconds is None else seconds,
        watch,
    )


def prior_of(text: str, space: Space) -> Prior:
    """The prior by name, or from a file with one number for each point of the space."""
    from tightrope.data import read_vector
    from tightrope.utility import Prior, uniform

    if text == "uniform":
        return uniform
    _check_file(text, "the prior uniform")
    return Prior.of(read_vector(text, space.points))


def loss_of(
    text: str, space: Space, outputs: Sequence[Label] | None = None
) -> Loss | LossMatrix:
    """The loss by name, or from a file: rows are the points, columns the outputs."""
    from tightrope.cli.subjects import on_space
    from tightrope.data import read_matrix
    from tightrope.utility import LossMatrix, absolute, binary, euclidean, squared

    for loss in (binary, absolute, squared, euclidean):
        if text == loss.name:
            return loss
    _check_file(text, f"one of the losses {', '.join(LOSSES)}")
    read = read_matrix(text)
    if outputs is not None:
        return LossMatrix(read.along(space.points, outputs).values)
    return LossMatrix(on_space(read, space)[0].values)


def outputs_of(path: Path | None, space: Space) -> tuple[Label, ...] | None:
    """The outputs in a file, None where none is given."""
    from tightrope.data import read_outputs

    return None if path is None else read_outputs(path, space)


def goal_of(text: str) -> Goal:
    """The goal by name."""
    from tightrope.constructions import Goal

    try:
        return Goal(text)
    except ValueError:
        raise BadInput(f"expected the goal average or worst, found {text!r}.") from None


def check_output(path: Path | None, *, force: bool) -> None:
    """Refuse a file that exists, before any work is done."""
    from tightrope.data import refuse_existing

    if path is not None:
        refuse_existing(path, force=force)


def check_plot(path: Path | None, *, force: bool) -> None:
    """Refuse a picture that could not be drawn or written, before any work is done."""
    if path is None:
        return
    if path.suffix.lower() not in PICTURES:
        raise BadInput(f"expected a picture named .svg or .png, found {str(path)!r}.")
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise Refused("pictures need matplotlib: pip install 'tightrope[plot]'.")
    check_output(path, force=force)


def _check_file(text: str, names: str) -> None:
    if not Path(text).exists():
        raise BadInput(f"expected {names} or the name of a file, found {text!r}.")
