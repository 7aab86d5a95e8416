"""The pages of a survey: one for respondents, one for the researcher.

A respondent's page is the same bytes for every link of a group; the browser randomizes and
posts the token, a receipt, the consent and the randomized responses, nothing else. Whoever
posts the same again, because the first acknowledgment was lost, is told that it was received.
The researcher's pages need the owner's token each time, typed into their form or as a bearer
token. There is no cookie: those are sent to every port of a host.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tightrope.errors import BadInput
from tightrope.extras import require
from tightrope.surveys.findings import Report, report
from tightrope.surveys.inbox import Inbox
from tightrope.surveys.label import question_label, total_promise
from tightrope.surveys.page_code import page_code, page_file
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.survey_store import LinkState, Outcome, Submission, SurveyStore
from tightrope.web import (
    Origins,
    RateLimit,
    application,
    bad_request,
    bearer,
    code_asset,
    json_body,
    small_body,
    style_asset,
)

if TYPE_CHECKING:
    from fastapi import FastAPI, Request
    from fastapi.responses import Response

PER_LINK = 30
PER_OWNER = 60
MINUTE = 60.0
LONGEST_TOKEN = 100
FIELDS = frozenset({"token", "receipt", "consent", "responses"})
RECEIPT = re.compile(r"[0-9a-f]{32}")

_REFUSALS = {
    Outcome.REPLAYED: (
        409, "other answers were already received with this link, which works once; these were "
        "not stored."),
    Outcome.UNKNOWN: (404, "this link is not one of this survey."),
    Outcome.CLOSED: (410, "this survey is closed and takes no more answers."),
}


def survey_application(survey: Survey, store: SurveyStore, origins: Origins) -> FastAPI:
    """The whole application, ready to be served under these addresses."""
    require("survey", "serving a survey")
    app = application(origins)
    code, style = code_asset(page_code(survey)), style_asset(page_file("page.css"))
    _respondent_pages(app, survey, store)
    _owner_pages(app, survey, store)

    async def script() -> Response:
        return _plain(code.content, code.kind)

    async def sheet() -> Response:
        return _plain(style.content, style.kind)

    app.add_api_route("/page.js", script)
    app.add_api_route("/page.css", sheet)
    return app


def _respondent_pages(app: FastAPI, survey: Survey, store: SurveyStore) -> None:
    limit, inbox = RateLimit(PER_LINK, MINUTE), Inbox(store)

    @lru_cache(maxsize=256)
    def page(group: str) -> bytes:
        return respondent_page(survey, group)

    used = _render(  # its code forgets a draw that was kept to be sent again
        "notice.html", title="Thank you", code=code_asset(page_code(survey)),
        text="Answers sent with this link were already received. Each link works once.",
    )

    async def show(token: str) -> Response:
        if len(token) > LONGEST_TOKEN:
            return _notice("Unknown link", "This link is not one of this survey.", 404)
        if not limit.allows(token):
            return _notice("Please wait", "This link was opened too often; try in a minute.", 429)
        link = store.link(token)
        if link.state is LinkState.UNKNOWN:
            return _notice("Unknown link", "This link is not one of this survey.", 404)
        if link.state is LinkState.USED:
            return _plain(used, "text/html; charset=utf-8", 409)
        if store.closed:
            return _notice("Closed", "This survey is closed and takes no more answers.", 410)
        return _plain(page(link.group), "text/html; charset=utf-8")

    async def take(request: Request) -> Response:
        from fastapi.responses import JSONResponse

        body = await json_body(request)
        try:
            submission = read_submission(survey, body)
        except BadInput as error:
            raise bad_request(str(error)) from None
        if not limit.allows(submission.token):
            return JSONResponse({"error": "too many requests; try in a minute."}, 429)
        outcome = await inbox.put(submission)
        if outcome is Outcome.STORED:
            return JSONResponse({"stored": True, "already": False}, 201)
        if outcome is Outcome.RECEIVED:
            return JSONResponse({"stored": True, "already": True}, 200)
        status, reason = _REFUSALS[outcome]
        return JSONResponse({"error": reason}, status)

    take.__annotations__["request"] = _request_type()
    app.add_api_route("/r/{token}", show)
    app.add_api_route("/answer", take, methods=["POST"])


def _owner_pages(app: FastAPI, survey: Survey, store: SurveyStore) -> None:
    limit = RateLimit(PER_OWNER, MINUTE)

    async def ask(request: Request) -> Response:
        if store.is_owner(bearer(request) or ""):
            return _owner_page(results_page(report(survey, store)), 200)
        return _owner_page(_render("owner.html", survey=survey, wrong=False), 401)

    async def enter(request: Request) -> Response:
        return await _refused(request) or _owner_page(results_page(report(survey, store)), 200)

    async def finish(request: Request) -> Response:
        refused = await _refused(request)
        if refused is not None:
            return refused
        store.finish()
        return _owner_page(results_page(report(survey, store)), 200)

    async def twin(request: Request) -> Response:
        from fastapi.responses import JSONResponse

        if not store.is_owner(bearer(request) or ""):
            return JSONResponse({"error": "the owner's token is missing or wrong."}, 401)
        return JSONResponse(report(survey, store).facts().json)

    async def _refused(request: Request) -> Response | None:
        """The page for whoever posts another token; wrong ones count, so nobody locks the owner
        out."""
        if store.is_owner(bearer(request) or await _typed_token(request)):
            return None
        if not limit.allows("owner"):
            return _notice("Please wait", "Too many wrong tokens; try in a minute.", 429)
        return _owner_page(_render("owner.html", survey=survey, wrong=True), 401)

    for made in (ask, enter, finish, twin):
        made.__annotations__["request"] = _request_type()
    app.add_api_route("/results", ask)
    app.add_api_route("/results", enter, methods=["POST"])
    app.add_api_route("/results.json", twin)
    app.add_api_route("/close", finish, methods=["POST"])


async def _typed_token(request: Request) -> str:
    """The token in the form that was posted."""
    from urllib.parse import parse_qs

    body = (await small_body(request))[:1000].decode("utf-8", "replace")
    return parse_qs(body).get("token", [""])[0].strip()


def read_submission(survey: Survey, body: Mapping[str, Any]) -> Submission:
    """A posted answer, checked: a token, a receipt, the consent, and one response per question."""
    if set(body) != FIELDS:
        raise BadInput(f"expected exactly the fields {', '.join(sorted(FIELDS))}.")
    token, responses = body["token"], body["responses"]
    if not isinstance(token, str) or not 0 < len(token) <= LONGEST_TOKEN:
        raise BadInput(f"expected a token of at most {LONGEST_TOKEN} characters.")
    receipt = body["receipt"]
    if not isinstance(receipt, str) or not RECEIPT.fullmatch(receipt):
        raise BadInput("expected a receipt of 32 hexadecimal digits, drawn with the responses.")
    if body["consent"] is not True:
        raise BadInput("no answer is taken before consent.")
    keys = [question.key for question in survey.questions]
    if not isinstance(responses, dict) or sorted(responses) != sorted(keys):
        raise BadInput(f"expected one response to each of {', '.join(keys)}.")
    positions = {}
    for question in survey.questions:
        names = question.design.responses
        if responses[question.key] not in names:
            raise BadInput(f"expected one of {', '.join(names)} for {question.key}.")
        positions[question.key] = names.index(responses[question.key])
    return Submission(token, positions, receipt)


def respondent_page(survey: Survey, group: str) -> bytes:
    """The page of a respondent with a link of this group."""
    code = code_asset(page_code(survey))
    style = style_asset(page_file("page.css"))
    return _render(
        "respondent.html",
        survey=survey,
        labels=[question_label(question) for question in survey.questions],
        total=total_promise(survey),
        group=group if len(survey.groups) > 1 else None,
        code=code,
        style=style,
    )


def results_page(report: Report, *, alone: bool = False) -> bytes:
    """The results as a page; `alone` keeps the style inside and leaves out the buttons."""
    return _render(
        "results.html",
        survey=report.survey,
        report=report,
        closed=report.closed,
        alone=alone,
        css=page_file("page.css"),
        total=total_promise(report.survey),
        code_hash=code_asset(page_code(report.survey)).sha256,
    )


def _render(name: str, **values: Any) -> bytes:
    text: str = _templates().get_template(name).render(**values)
    return text.encode()


@lru_cache(maxsize=1)
def _templates() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(page_file), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )


def _owner_page(content: bytes, status: int) -> Response:
    """A page of the researcher; its forms name their origin, which without a referrer is null."""
    page = _plain(content, "text/html; charset=utf-8", status)
    page.headers["referrer-policy"] = "same-origin"
    return page


def _notice(title: str, text: str, status: int) -> Response:
    page = _render("notice.html", title=title, text=text, code=None)
    return _plain(page, "text/html; charset=utf-8", status)


def _plain(content: bytes, kind: str, status: int = 200) -> Response:
    from fastapi.responses import Response

    return Response(content, status, media_type=kind)


def _request_type() -> Any:
    from fastapi import Request

    return Request
