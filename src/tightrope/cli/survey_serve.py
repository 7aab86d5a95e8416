"""`tightrope survey serve`: the pages of a survey."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from tightrope.cli.options import Json, value
from tightrope.cli.survey_new import SurveyFile
from tightrope.facts import Fact, Facts, data


def serve(
    file: SurveyFile,
    host: Annotated[str, value(
        "--host", "ADDRESS", "The address to listen on.", default=True)] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(
        "--port", metavar="NUMBER", min=1, max=65535, show_default=False,
        help="The port; that of the links' address if it names one in http, else 8000.")] = None,
    url: Annotated[str | None, value(
        "--url", "URL", "Where browsers reach it, if not at the address of its links.")] = None,
    embed: Annotated[list[str] | None, value(
        "--embed", "SITE", "A site that may show the respondents' pages in a frame, as in "
        "https://panel.example. May be repeated.")] = None,
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
    from tightrope.surveys import SurveyStore
    from tightrope.web import Origins, code_asset, listening, listening_urls, run

    def reread() -> surveys.Survey:
        return surveys.survey_in(file)

    survey, sites = reread(), [surveys.checked_site(site) for site in embed or []]
    with SurveyStore(surveys.store_path(file), survey.digest) as store:
        address = store.address if url is None else surveys.checked_address(url)
        own = surveys.port_of(address)
        listens = port or own or 8000
        with listening(host, listens) as where:
            origins = Origins.of(address, *listening_urls(host, listens))
            app = surveys.survey_application(survey, store, origins, reread=reread, embed=sites)
            served = Facts("SurveyServer", "", (
                Fact("respondents", "respondents", f"{address}/r/TOKEN"),
                Fact("open", "open link", store.open_token and f"{address}/r/{store.open_token}"),
                Fact("results", "results", f"http://{host}:{listens}/results",
                     meaning="with the owner's token"),
                Fact("embedded", "frames of", ", ".join(sites) or None),
                Fact("code_sha256", "page's code", code_asset(surveys.page_code(survey)).sha256,
                     meaning="SHA-256"),
                *data(file=file, closed=store.closed, port=listens,
                      certified=all(q.certified is None or q.certified.certificate.holds
                                    for q in survey.questions)),
            ), (*_warnings(address, own, listens, sites, closed=store.closed),
                "Ctrl-C stops; stored answers are safe."))
            tell(served, as_json=as_json)
            with suppress(KeyboardInterrupt):  # this is how a server is ended
                run(app, where)


def _warnings(
    address: str, own: int | None, port: int, sites: list[str], *, closed: bool
) -> list[str]:
    """Warnings about what may keep respondents from answering here."""
    lines = []
    if closed:
        lines.append("The survey is closed: it takes no more answers.")
    if own is not None and own != port:
        lines.append(f"Links lead to {address}, and this listens on port {port}: they work only if "
                     "something forwards that port to this one.")
    if sites:
        lines.append("A browser keeps what it drew in a frame apart from the page opened by "
                     "itself, and some keep nothing in frames: the page then sends nothing and "
                     "says so.")
    return lines
