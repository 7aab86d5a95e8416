"""`tightrope survey`: randomized-response surveys, from plan to result."""

from __future__ import annotations

import typer

from tightrope.cli.once import OnceCommand
from tightrope.cli.signatures import flat
from tightrope.cli.survey_edit import edit
from tightrope.cli.survey_estimate import estimate
from tightrope.cli.survey_links import links
from tightrope.cli.survey_new import new
from tightrope.cli.survey_plan import plan
from tightrope.cli.survey_results import results
from tightrope.cli.survey_serve import serve
from tightrope.cli.survey_translate import translate

survey = typer.Typer(
    name="survey",
    help="Ask sensitive questions: plan, make, serve, change and read a survey.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (plan, new, serve, links, edit, translate, results, estimate):
    survey.command(cls=OnceCommand)(flat(command))
