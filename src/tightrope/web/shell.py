"""The shell of every server: one error shape, strict headers, no trace of who asked.

An error is always `{"error": sentence}`. A visitor learns what is wrong with the request, and
nothing about the server: its own errors name files. Every answer forbids other origins, frames,
referrers and caching. The server writes no access log, and one line for an error of its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope.errors import BadInput, TightropeError
from tightrope.extras import require
from tightrope.web.origins import Origins

if TYPE_CHECKING:
    from socket import socket

    import uvicorn
    from fastapi import FastAPI, Request
    from fastapi.responses import Response

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_UNFRAMED = "frame-ancestors 'none'"
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "geolocation=(), camera=(), microphone=()",
}
LARGEST_BODY = 64 * 1024
"""Most bytes of a request: larger ones could only fill the memory."""
BACKLOG = 4096
"""Connections that wait to be accepted, as when many people open a link at once."""
_LONGEST_GOODBYE = 5
"""Seconds for requests under way when the server ends: a visitor may never send the rest of one."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_LOG = logging.getLogger("uvicorn.error")


def framed_policy(sites: Sequence[str]) -> str:
    """The content policy of a page that these sites may show in a frame; none by default.

    >>> framed_policy(["https://panel.example"]).rpartition("; ")[2]
    'frame-ancestors https://panel.example'
    """
    return POLICY.replace(_UNFRAMED, f"frame-ancestors {' '.join(sites)}") if sites else POLICY


class _Shell:
    """Refuses other hosts and other origins, adds the headers, and ends every error here."""

    def __init__(self, app: Any, origins: Origins) -> None:
        self.app, self.origins = app, origins

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = gone = False

        async def receiving() -> MutableMapping[str, Any]:
            nonlocal gone
            message: MutableMapping[str, Any] = await receive()
            gone |= message["type"] == "http.disconnect"
            return message

        async def sending(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(_with_headers(message))

        try:
            await (self._refusal(scope) or self.app)(scope, receiving, sending)
        except asyncio.CancelledError:  # the server ends, and the rest of the request never came
            if not begun:
                await sentence("this server is ending; try again later.", 503)(
                    scope, receive, sending)
        except Exception as error:
            if gone:  # the visitor broke off, which is no error of the server
                return
            _LOG.error("%s", _place_of(error))
            if not begun:
                text = f"something went wrong in the server ({type(error).__name__})."
                await sentence(text, 500)(scope, receive, sending)

    def _refusal(self, scope: Any) -> Response | None:
        from fastapi.datastructures import Headers

        headers = Headers(scope=scope)
        if not self.origins.has_host(headers.get("host", "")):
            return sentence("this server does not answer under that name; --url names it.", 421)
        origin = headers.get("origin")
        posted = scope["method"] not in _READING
        if posted and origin is not None and not self.origins.has_origin(origin):
            return sentence("a page of another address cannot use this server.", 403)
        return None


def _with_headers(message: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The start of an answer with every header that it does not have already."""
    if message["type"] != "http.response.start":
        return message
    own = list(message.get("headers", []))
    names = {name.lower() for name, _ in own}
    raw = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    return {**message, "headers": [*own, *(header for header in raw if header[0] not in names)]}


def _place_of(error: BaseException) -> str:
    """An error in one line: its kind, and where it came up."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = Path(trace.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} in {file}, line {trace.tb_lineno}"


def application(origins: Origins) -> FastAPI:
    """An empty application with the error shape and the headers, for visitors of these origins."""
    require("web", "serving pages")
    from fastapi import FastAPI, HTTPException

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None,
                  redirect_slashes=False)  # such a redirect would trust the Host of the visitor
    app.add_middleware(_Shell, origins=origins)

    async def refusal(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return sentence(error.detail, error.status_code)

    async def failure(_: Request, error: Exception) -> Response:
        _LOG.error("%s", error)
        return sentence("the server could not do that now; try in a minute.", 503)

    async def not_found(_: Request, __: Exception) -> Response:
        return sentence("there is no such page.", 404)

    async def not_allowed(_: Request, __: Exception) -> Response:
        return sentence("this page cannot be used that way.", 405)

    app.add_exception_handler(HTTPException, refusal)
    app.add_exception_handler(TightropeError, failure)
    app.add_exception_handler(404, not_found)
    app.add_exception_handler(405, not_allowed)
    return app


def sentence(text: str, status: int) -> Response:
    """An error in the one shape that errors have."""
    from fastapi.responses import JSONResponse

    return JSONResponse({"error": text}, status_code=status)


def bad_request(text: str) -> Exception:
    """The error to raise for a request that cannot be used."""
    from fastapi import HTTPException

    return HTTPException(400, text)


async def small_body(request: Request) -> bytes:
    """The body of a request, at most 64 KiB of it."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise bad_request(f"expected at most {LARGEST_BODY:,} bytes.")
        parts.append(part)
    return b"".join(parts)


async def json_body(request: Request) -> dict[str, Any]:
    """The JSON object that was posted; anything else is a bad request with a sentence."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise bad_request(f"expected content of the type application/json, found {kind or 'none'}.")
    try:
        content = json.loads(await small_body(request), object_pairs_hook=_said_once)
    except (ValueError, RecursionError):
        raise bad_request("expected a JSON object, found something else.") from None
    if not isinstance(content, dict):
        raise bad_request("expected a JSON object, found another value.")
    return content


def _said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object; of two with one name, nobody knows which is meant."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError
    return fields


def bearer(request: Request) -> str | None:
    """The token that a program sends as `Authorization: Bearer …`, if any."""
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() if kind.lower() == "bearer" and value.strip() else None


def listening(host: str, port: int) -> socket:
    """A socket that listens there, or `BadInput` if nobody can: before anything is announced."""
    import socket as sockets

    try:
        family, kind, protocol, _, address = sockets.getaddrinfo(
            host, port, type=sockets.SOCK_STREAM, flags=sockets.AI_PASSIVE
        )[0]
        listener = sockets.socket(family, kind, protocol)
        try:
            listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(BACKLOG)
        except OSError:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise BadInput(
            f"cannot listen on {host}, port {port}: {reason}; choose another port or host."
        ) from None
    return listener


def run(app: FastAPI, where: socket) -> None:
    """Serve until interrupted; no access log, so no address is written anywhere."""
    import uvicorn

    settings = uvicorn.Config(app, access_log=False, log_level="warning", server_header=False,
                              date_header=False, backlog=BACKLOG,
                              timeout_graceful_shutdown=_LONGEST_GOODBYE)
    server = uvicorn.Server(settings)
    _allow_connections()
    with _end_on_hangup(server):
        server.run(sockets=[where])


def _allow_connections() -> None:
    """Let the process hold as many connections as the system allows: many shells stop at 1,024."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextmanager
def _end_on_hangup(server: uvicorn.Server) -> Iterator[None]:
    """On SIGHUP, stop the server as for SIGTERM, then raise the signal again for the program.

    The server handles SIGINT and SIGTERM alone; an exception in its loop would wait for open
    connections.
    """
    number = getattr(signal, "SIGHUP", None)
    before = None if number is None else signal.getsignal(number)
    if number is None or not callable(before):  # there is none, or it is left to the system
        yield
        return
    ended: list[int] = []

    def end(number: int, _: object) -> None:
        ended.append(number)
        server.should_exit = True

    signal.signal(number, end)
    try:
        yield
    finally:
        signal.signal(number, before)
    if ended:
        signal.raise_signal(number)
