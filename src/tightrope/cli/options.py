"""The options that commands share: their names, their help, how the shell completes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from tightrope.choices import Goal, Interval

_PRIVACY = "Privacy"
_OBJECTIVE = "What an error costs"
_OUTPUT = "Output"
_QUERY = "A query on datasets"

LINES = "In text a line is a row; cells with line breaks need Parquet."
"""Said of every table that may be text."""


def argument(metavar: str, text: str) -> Any:
    """An argument, which has no name on the command line."""
    return typer.Argument(metavar=metavar, help=text)


def flag(name: str, text: str, *, panel: str | None = None) -> Any:
    """An option that is given or not."""
    return typer.Option(name, metavar="", help=text, rich_help_panel=panel)


def value(
    name: str, metavar: str, text: str, *, panel: str | None = None, short: str | None = None,
    default: bool = False, min: int | None = None, max: int | None = None,
) -> Any:
    """An option with a value; help tells what it is by `default` if asked to."""
    names = (name,) if short is None else (short, name)
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel,
                        show_default=default, min=min, max=max)


def choice(name: str, text: str, *, panel: str | None = None, default: bool = False) -> Any:
    """An option that takes a member of an enum."""
    return typer.Option(name, help=text, rich_help_panel=panel, show_default=default)


def complete_construction(incomplete: str) -> Iterator[tuple[str, str]]:
    """The constructions whose name starts like that, with their descriptions."""
    from tightrope.constructions import CATALOG, QUERIES

    known = (*CATALOG, *(e for e in QUERIES if e not in CATALOG))
    yield from ((e.name, e.reason) for e in known if e.name.startswith(incomplete))


def complete_space(incomplete: str) -> Iterator[str]:
    """An example of every family of spaces that starts like that."""
    from tightrope.spaces import EXAMPLES

    yield from (text for text in EXAMPLES.values() if text.startswith(incomplete))


def complete_loss(incomplete: str) -> Iterator[str]:
    """The losses that start like that."""
    yield from (name for name in loss_names() if name.startswith(incomplete))


def loss_names() -> list[str]:
    """The names of all losses."""
    from tightrope.utility import LOSS_NAMES

    return list(LOSS_NAMES)


SpaceArgument = Annotated[
    str,
    typer.Argument(
        metavar="SPACE",
        help="What may be told apart: path:0..100, categories:red/green/blue, grid:10x10, "
        "points:FILE (lat and lon: in meters, or ,unit=km), …",
        autocompletion=complete_space,
        show_default=False,
    ),
]
MechanismFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A mechanism document, or a bare matrix (.csv, .tsv, .parquet, .npy, .json).",
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
Normalize = Annotated[bool, flag(
    "--normalize", "Divide a prior, or each row of a bare matrix, by its total, even if that is "
    "0.9999.")]
Epsilon = Annotated[str | None, value(
    "--epsilon", "NUMBER", "The level ε, taken exactly: 0.5, 1/3, \"ln(2)\", or 0 where nothing is "
    "released.", panel=_PRIVACY)]
Ratio = Annotated[str | None, value(
    "--ratio", "NUMBER", "The level as e^ε, exactly: 2, 3/2.", panel=_PRIVACY)]
Delta = Annotated[str, value(
    "--delta", "NUMBER", "δ; above 0 it needs a space that declares neighbors.", panel=_PRIVACY,
    default=True)]
PriorOption = Annotated[str, value(
    "--prior", "uniform|FILE", "How likely each input is, for losses on average.",
    panel=_OBJECTIVE, default=True)]
LossOption = Annotated[
    str | None,
    typer.Option(
        "--loss",
        metavar="NAME|FILE",
        help="binary, absolute, squared, euclidean, largest (of the coordinates), distance (of "
        "the space), a file with a matrix (rows are inputs), or FILE.py:FUNCTION of input and "
        "output; one that fits the space if not given.",
        autocompletion=complete_loss,
        rich_help_panel=_OBJECTIVE,
        show_default=False,
    ),
]
GoalOption = Annotated[Goal, choice(
    "--goal", "Which loss counts: on average over the prior, or of the worst input.",
    panel=_OBJECTIVE, default=True)]
GapOption = Annotated[float | None, value(
    "--gap", "NUMBER", "Relative gap to the proved bound at which the search stops; 1e-6 if not "
    "given.", panel=_OBJECTIVE)]
TimeOption = Annotated[float | None, value(
    "--time", "SECONDS", "How long the search may take; 600 if not given. Ctrl-C keeps the best so "
    "far.", panel=_OBJECTIVE)]
Confidence = Annotated[float, value(
    "--confidence", "NUMBER", "Of each interval, from 0 to 1.", default=True)]
IntervalOption = Annotated[Interval | None, choice(
    "--interval", "How intervals are made; exact if possible, else score.")]
OutputsOption = Annotated[Path | None, value(
    "--outputs", "FILE", "The answers it may give, one on each row; the points of the space if not "
    "given.", panel=_OBJECTIVE)]
ExtraOption = Annotated[list[str] | None, value(
    "--extra", "NAME=FILE", "A mechanism of your own beside the others: a document, a matrix, or "
    "FILE.py:FUNCTION, which makes one of space and level. May be repeated.", panel=_OBJECTIVE)]
QueryOption = Annotated[str | None, value(
    "--query", "FILE|NAME", "The points are datasets: a file with a value for each (columns "
    "dataset,value), or sum, largest, smallest, median, distinct, triangles, edges, stars2, "
    "stars3, identity.", panel=_QUERY)]
ValuesOption = Annotated[str | None, value(
    "--values", "SPACE", "The space of the values; numbers if not given. For vectors of numbers: "
    "manhattan, chebyshev or euclidean.", panel=_QUERY)]
MeasureOption = Annotated[Path | None, value(
    "--measure", "FILE", "A base measure: a value and its weight on each row; every value weighs "
    "the same if not given.", panel=_QUERY)]
OutputFile = Annotated[Path | None, value(
    "--output", "FILE", "Write the mechanism document here (.json, or .json.gz); without it "
    "nothing is.", panel=_OUTPUT, short="-o")]
PlotFile = Annotated[Path | None, value(
    "--plot", "FILE", "Draw a picture of the answer into this .svg, .png or .pdf file.",
    panel=_OUTPUT)]
Force = Annotated[bool, flag("--force", "Overwrite files that exist.", panel=_OUTPUT)]
Json = Annotated[bool, flag(
    "--json", "One JSON object on standard output, and nothing else.", panel=_OUTPUT)]
