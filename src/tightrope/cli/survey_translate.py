"""`tightrope survey translate`: a language file with every sentence to fill in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tightrope.cli.options import Force, Json, value
from tightrope.cli.survey_new import SurveyFile


def translate(
    file: SurveyFile,
    code: Annotated[str, typer.Argument(
        metavar="CODE", help="The language, as in de or pt-BR.", show_default=False)],
    output: Annotated[Path | None, value(
        "--output", "FILE.toml", "The language file; CODE.toml if not given.",
        short="-o")] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draft a language file: every sentence of the pages and of the survey, to fill in.

    Filled in, `edit --language FILE` adds it; what is missing or does not fit is listed.

    Example: tightrope survey translate s.json de -o de.toml
    """
    from tightrope import surveys
    from tightrope.cli.output import tell

    tell(surveys.draft_translation(file, code, output, force=force).facts(), as_json=as_json)
