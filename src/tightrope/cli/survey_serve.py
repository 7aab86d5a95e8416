"""`tightrope survey serve`: the pages of a survey."""

from __future__ import annotations

from typing import Annotated

import typer

from tightrope.cli.options import Json, value
from tightrope.cli.survey_new import SurveyFile
from tightrope.facts import Fact, Facts, data


def serve(
    file: SurveyFile,
    host: Annotated[str, value(
        "--host", "ADDRESS", "The address to listen on.", default=True)] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="NUMBER", help="The port.", min=1, max=65535)
    ] = 8000,
    url: Annotated[str | None, value(
        "--url", "URL", "Where browsers reach it, if not at the address of its links.")] = None,
    as_json: Json = False,
) -> None:
    """Serve the respondents' pages and, with the owner's token, the results.

    Every design is verified again before the first page is shown. Put a proxy that speaks
    https in front of it: browsers on other machines should not answer over plain http. It answers
    under the address of its links and on this machine, and takes posts from its own pages alone.

    Example: tightrope survey serve s.json --port 8000
    """
    from tightrope import surveys
    from tightrope.cli.output import tell
    from tightrope.files import read_bytes
    from tightrope.surveys import SurveyStore
    from tightrope.web import Origins, code_asset, listening, listening_urls, run

    survey = surveys.read_survey(read_bytes(file))
    with (
        SurveyStore(surveys.store_path(file), survey.digest) as store,
        listening(host, port) as where,
    ):
        address = store.address if url is None else surveys.checked_address(url)
        origins = Origins.of(address, *listening_urls(host, port))
        app = surveys.survey_application(survey, store, origins)
        served = Facts("SurveyServer", "", (
            Fact("respondents", "respondents", f"http://{host}:{port}/r/TOKEN"),
            Fact("results", "results", f"http://{host}:{port}/results",
                 meaning="with the owner's token"),
            Fact("code_sha256", "page's code", code_asset(surveys.page_code(survey)).sha256,
                 meaning="SHA-256"),
            *data(file=file, closed=store.closed,
                  certified=all(q.certified.certificate.holds for q in survey.questions)),
        ), (*(["The survey is closed: it takes no more answers."] if store.closed else []),
            "Ctrl-C stops; stored answers are safe."))
        tell(served, as_json=as_json)
        run(app, where)
