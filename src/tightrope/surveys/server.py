"""The pages of a survey: one for respondents, one for the researcher.

A respondent's page is the same bytes for every link of a group; the browser randomizes and
posts the token, a receipt, the consent and the randomized responses, nothing else. Whoever
posts the same again, because the first acknowledgment was lost, is told that it was received.
The researcher's pages need the owner's token each time, typed into their form or as a bearer
token. There is no cookie: those are sent to every port of a host.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tightrope.errors import BadInput
from tightrope.extras import require
from tightrope.surveys.findings import Report, report
from tightrope.surveys.label import total_promise
from tightrope.surveys.page_code import page_code, page_file
from tightrope.surveys.respondent_pages import RespondentPages, render_page
from tightrope.surveys.respondents import GROUP
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.survey_store import LinkState, Outcome, Submission, SurveyStore
from tightrope.web import (
    Origins,
    RateLimit,
    application,
    bad_request,
    bearer,
    code_asset,
    framed_policy,
    json_body,
    small_body,
)

if TYPE_CHECKING:
    from fastapi import FastAPI, Request
    from fastapi.responses import Response

PER_LINK = 30
PER_OWNER = 60
MINUTE = 60.0
LONGEST_TOKEN = 100
MOST_COMPARISONS = 200
"""Differences between groups that the page of the owner shows; more are too many to read."""
FIELDS = frozenset({"token", "receipt", "consent", "responses"})
RECEIPT = re.compile(r"[0-9a-f]{32}")
_HTML: Final = "text/html; charset=utf-8"
T = TypeVar("T")

_REFUSALS = {
    Outcome.REPLAYED: (
        409, "other answers were already received with this link, which works once; these were "
        "not stored."),
    Outcome.FULL: (410, "the open link of this survey has brought all the answers that it may."),
    Outcome.UNKNOWN: (404, "this link is not one of this survey."),
    Outcome.CLOSED: (410, "this survey is closed and takes no more answers."),
}


def survey_application(
    survey: Survey,
    store: SurveyStore,
    origins: Origins,
    *,
    reread: Callable[[], Survey] | None = None,
    embed: Sequence[str] = (),
) -> FastAPI:
    """The whole application, ready to be served under these addresses.

    `reread` reads the survey's file again when its texts were edited. Sites in `embed` may show
    the pages of respondents in a frame.
    """
    require("survey", "serving a survey")
    app = application(origins)
    pages = RespondentPages(survey, store, reread)
    policy = framed_policy(embed)
    _respondent_pages(app, pages, store, policy)
    _owner_pages(app, pages, store)

    async def script(request: Request) -> Response:
        code = pages.code_named(request.url.query)
        return _plain(code.content, code.kind)

    async def sheet() -> Response:
        return _plain(pages.style.content, pages.style.kind)

    async def front() -> Response:
        await _look(store, lambda: store.closed)
        pages.refresh()
        return _plain(pages.front(), _HTML)

    script.__annotations__["request"] = _request_type()
    app.add_api_route("/page.js", script)
    app.add_api_route("/page.css", sheet)
    app.add_api_route("/", front)
    return app


class Inbox:
    """Answers on their way to the disk: those that arrive together share one transaction."""

    def __init__(self, store: SurveyStore) -> None:
        self._store = store
        self._waiting: list[tuple[Submission, asyncio.Future[Outcome]]] = []
        self._task: asyncio.Task[None] | None = None

    async def put(self, submission: Submission) -> Outcome:
        """The fate of the answer; `STORED` is said only when it is on the disk."""
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append((submission, future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain())
        return await future

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                submissions = [submission for submission, _ in batch]
                outcomes = await asyncio.to_thread(self._store.accept, submissions)
            except Exception as error:  # whatever it was, nobody may wait forever
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), outcome in zip(batch, outcomes, strict=True):
                if not future.done():
                    future.set_result(outcome)


def _respondent_pages(
    app: FastAPI, pages: RespondentPages, store: SurveyStore, policy: str
) -> None:
    limit, inbox = RateLimit(PER_LINK, MINUTE), Inbox(store)

    def shown(content: bytes, status: int = 200) -> Response:
        page = _plain(content, _HTML, status)
        page.headers["content-security-policy"] = policy
        return page

    async def show(token: str) -> Response:
        if len(token) > LONGEST_TOKEN:
            return shown(pages.notice("unknown"), 404)
        if token != store.open_token and not limit.allows(token):  # an open link is everybody's
            return shown(pages.notice("wait"), 429)
        link = await _look(store, lambda: store.link(token))
        pages.refresh()
        if link.state is LinkState.UNKNOWN:
            return shown(pages.notice("unknown"), 404)
        if link.state is LinkState.USED:
            return shown(pages.notice("used"), 409)
        if link.closed:
            return shown(pages.notice("closed"), 410)
        if link.state is LinkState.FULL:
            return shown(pages.notice("full"), 410)
        return shown(pages.questions(link.group))

    async def take(request: Request) -> Response:
        from fastapi.responses import JSONResponse

        body = await json_body(request)
        try:
            submission = read_submission(pages.survey, body)
        except BadInput as error:
            raise bad_request(str(error)) from None
        if submission.token != store.open_token and not limit.allows(submission.token):
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


def _owner_pages(app: FastAPI, pages: RespondentPages, store: SurveyStore) -> None:
    limit = RateLimit(PER_OWNER, MINUTE)

    def reported() -> Report:
        store.link("")  # looks at the store, so that the texts are those of now
        pages.refresh()
        return _report_with_groups(pages.survey, store)

    async def results() -> Response:
        return _owner_page(results_page(await _look(store, reported)), 200)

    async def ask(request: Request) -> Response:
        if store.is_owner(bearer(request) or ""):
            return await results()
        return _owner_page(render_page("owner.html", survey=pages.survey, wrong=False), 401)

    async def enter(request: Request) -> Response:
        return await _refuse_other_tokens(request) or await results()

    async def finish(request: Request) -> Response:
        refused = await _refuse_other_tokens(request)
        if refused is not None:
            return refused
        await _look(store, store.finish)
        return await results()

    async def twin(request: Request) -> Response:
        from fastapi.responses import JSONResponse

        if not store.is_owner(bearer(request) or ""):
            return JSONResponse({"error": "the owner's token is missing or wrong."}, 401)
        return JSONResponse((await _look(store, reported)).facts().json)

    async def _refuse_other_tokens(request: Request) -> Response | None:
        """The page for whoever posts another token; wrong ones count, so nobody locks the owner
        out."""
        if store.is_owner(bearer(request) or await _typed_token(request)):
            return None
        if not limit.allows("owner"):
            return _plain(pages.notice("tokens"), _HTML, 429)
        return _owner_page(render_page("owner.html", survey=pages.survey, wrong=True), 401)

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
    """A posted answer, checked: a token, a receipt, the consent, and the position of one response
    to each question, which is the same in every language."""
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
    for question in survey.questions:
        position, size = responses[question.key], len(question.design.responses)
        if type(position) is not int or not 0 <= position < size:  # true is no position
            raise BadInput(
                f"expected the position of a response to {question.key}, from 0 to {size - 1}."
            )
    return Submission(token, {key: responses[key] for key in keys}, receipt)


def _report_with_groups(survey: Survey, store: SurveyStore) -> Report:
    """The report on the stored answers, with the differences between groups if these are few."""
    made = report(survey, store)
    groups = len(made.people.divide(GROUP))
    answers = sum(len(question.answers) for question in survey.questions)
    few = 0 < groups * (groups - 1) // 2 * answers <= MOST_COMPARISONS
    return made.analyzed(by=[GROUP]) if few else made


def results_page(report: Report, *, alone: bool = False) -> bytes:
    """The results as a page; `alone` keeps the style inside and leaves out the buttons."""
    return render_page(
        "results.html",
        survey=report.survey,
        report=report,
        closed=report.closed,
        alone=alone,
        css=page_file("page.css"),
        total=total_promise(report.survey),
        code_hash=code_asset(page_code(report.survey)).sha256,
    )


async def _look(store: SurveyStore, look: Callable[[], T]) -> T:
    """A value from the store; a database is asked in a thread, while others are served."""
    return await asyncio.to_thread(look) if store.in_database else look()


def _owner_page(content: bytes, status: int) -> Response:
    """A page of the researcher; its forms name their origin, which without a referrer is null."""
    page = _plain(content, _HTML, status)
    page.headers["referrer-policy"] = "same-origin"
    return page


def _plain(content: bytes, kind: str, status: int = 200) -> Response:
    from fastapi.responses import Response

    return Response(content, status, media_type=kind)


def _request_type() -> Any:
    from fastapi import Request

    return Request
