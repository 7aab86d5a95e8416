"""`tightrope locate`: positions blurred, counted and compared."""

from __future__ import annotations

import typer

from tightrope.cli.locate_blur import blur
from tightrope.cli.locate_cells import cells
from tightrope.cli.locate_compare import compare
from tightrope.cli.locate_heatmap import heatmap
from tightrope.cli.locate_traces import traces
from tightrope.cli.once import OnceCommand
from tightrope.cli.signatures import flat

locate = typer.Typer(
    name="locate",
    help="Blur positions so that near ones look alike, or count them in cells.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (blur, cells, traces, heatmap, compare):
    locate.command(cls=OnceCommand)(flat(command))
