"""The options that commands share: their names, their help, how the shell completes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from tightrope.choices import Goal

_PRIVACY = "Privacy"
_OBJECTIVE = "What an error costs"
_OUTPUT = "Output"
_QUERY = "A query on datasets"

LINES = "In text a line is a row; cells with line breaks need Parquet."
"""Said of every table that may be text."""


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
    from tightrope.utility import LOSSES

    return [loss.name for loss in LOSSES]


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
Normalize = Annotated[
    bool,
    typer.Option(
        "--normalize",
        metavar="",
        help="Divide a prior, or each row of a bare matrix, by its total, even if that is 0.9999.",
    ),
]
Epsilon = Annotated[
    str | None,
    typer.Option(
        "--epsilon",
        metavar="NUMBER",
        help='The level ε, taken exactly: 0.5, 1/3, "ln(2)", or 0 where nothing is released.',
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
    str | None,
    typer.Option(
        "--loss",
        metavar="NAME|FILE",
        help="binary, absolute, squared, euclidean, largest (of the coordinates), … (an unknown "
        "name lists all), or a file with a matrix (rows are inputs); one that fits the space if "
        "not given.",
        autocompletion=complete_loss,
        rich_help_panel=_OBJECTIVE,
        show_default=False,
    ),
]
GoalOption = Annotated[
    Goal,
    typer.Option(
        "--goal",
        help="Which loss counts: on average over the prior, or of the worst input.",
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
QueryOption = Annotated[
    str | None,
    typer.Option(
        "--query",
        metavar="FILE|NAME",
        help="The points are datasets: a file with a value for each (columns dataset,value), or "
        "sum, largest, smallest, median, distinct, triangles, edges, stars2, stars3, identity.",
        rich_help_panel=_QUERY,
        show_default=False,
    ),
]
ValuesOption = Annotated[
    str | None,
    typer.Option(
        "--values",
        metavar="SPACE",
        help="The space of the values; numbers if not given. For vectors of numbers: manhattan, "
        "chebyshev or euclidean.",
        rich_help_panel=_QUERY,
        show_default=False,
    ),
]
MeasureOption = Annotated[
    Path | None,
    typer.Option(
        "--measure",
        metavar="FILE",
        help="A base measure: a value and its weight on each row; every value weighs the same if "
        "not given.",
        rich_help_panel=_QUERY,
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
