"""The shell of every server: one error shape, strict headers, no trace of who asked.

An error is always `{"error": sentence}` with a status that fits the error tree. Every answer
forbids other origins, frames, referrers and caching. The server writes no access log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from tightrope.errors import AnswerIsNo, BadInput, Refused, TightropeError

if TYPE_CHECKING:
    from socket import socket

    from fastapi import FastAPI, Request
    from fastapi.responses import Response

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "geolocation=(), camera=(), microphone=()",
}
LARGEST_BODY = 64 * 1024
BACKLOG = 4096
_STATUS: tuple[tuple[type[TightropeError], int], ...] = (
    (BadInput, 400),
    (AnswerIsNo, 409),
    (Refused, 403),
)


class _Headers:
    """Adds the headers to every answer."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.raw = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *self.raw]}
            await send(message)

        await self.app(scope, receive, sending)


def application() -> FastAPI:
    """An empty application with the error shape and the headers."""
    from fastapi import FastAPI

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None,
                  redirect_slashes=False)  # such a redirect would trust the Host of the visitor
    app.add_middleware(_Headers)

    async def expected(_: Request, error: Exception) -> Response:
        status = next((s for kind, s in _STATUS if isinstance(error, kind)), None)
        if status is None:  # its sentence names files of the server: not for visitors
            return sentence("the server could not do that now; try in a minute.", 503)
        return sentence(str(error), status)

    async def nowhere(_: Request, __: Exception) -> Response:
        return sentence("there is no such page.", 404)

    async def otherwise(_: Request, __: Exception) -> Response:
        return sentence("this page cannot be used that way.", 405)

    async def unexpected(_: Request, error: Exception) -> Response:
        return sentence(f"something went wrong in the server ({type(error).__name__}).", 500)

    app.add_exception_handler(TightropeError, expected)
    app.add_exception_handler(404, nowhere)
    app.add_exception_handler(405, otherwise)
    app.add_exception_handler(Exception, unexpected)
    return app


def sentence(text: str, status: int) -> Response:
    """An error in the one shape that errors have."""
    from fastapi.responses import JSONResponse

    return JSONResponse({"error": text}, status_code=status)


async def small_body(request: Request) -> bytes:
    """What was posted, read no further than 64 KiB."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise BadInput(f"expected at most {LARGEST_BODY:,} bytes.")
        parts.append(part)
    return b"".join(parts)


async def json_body(request: Request) -> dict[str, Any]:
    """The JSON object that was posted; anything else is `BadInput` with a sentence."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BadInput(f"expected content of the type application/json, found {kind or 'none'}.")
    try:
        found = json.loads(await small_body(request))
    except (ValueError, RecursionError):
        raise BadInput("expected a JSON object, found something else.") from None
    if not isinstance(found, dict):
        raise BadInput("expected a JSON object, found another value.")
    return found


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
        made = sockets.socket(family, kind, protocol)
        try:
            made.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
            made.bind(address)
            made.listen(BACKLOG)
        except OSError:
            made.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise BadInput(
            f"cannot listen on {host}, port {port}: {reason}; choose another port or host."
        ) from None
    return made


def run(app: FastAPI, where: socket) -> None:
    """Serve until interrupted; no access log, so no address is written anywhere."""
    import uvicorn

    settings = uvicorn.Config(app, access_log=False, log_level="warning", server_header=False,
                              date_header=False, backlog=BACKLOG)
    uvicorn.Server(settings).run(sockets=[where])
