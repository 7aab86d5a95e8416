"""The addresses under which a server answers, and the pages that may post to it.

A browser names the page that posts (Origin) and the server it believes to talk to (Host). Pages
on another port of the same host share its cookies, so nothing here rests on cookies.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Origins:
    """Scheme, host and port of every address of a server.

    >>> known = Origins.of("https://survey.example.org/here", "http://127.0.0.1:8000")
    >>> known.has_host("Survey.Example.org:443"), known.has_host("evil.example")
    (True, False)
    >>> known.has_origin("https://survey.example.org"), known.has_origin("http://127.0.0.1:8001")
    (True, False)
    """

    known: frozenset[tuple[str, str, int]]

    @classmethod
    def of(cls, *urls: str) -> Origins:
        """The origins of these addresses."""
        return cls(frozenset(origin for url in urls if (origin := _origin(url)) is not None))

    def has_host(self, host: str) -> bool:
        """Whether a `Host` header names one of them, behind a proxy too."""
        return any(
            (scheme, name, port) == _origin(f"{scheme}://{host}")
            for scheme, name, port in self.known
        )

    def has_origin(self, origin: str) -> bool:
        """Whether an `Origin` header names one of them."""
        return _origin(origin) in self.known


def listening_urls(host: str, port: int) -> tuple[str, ...]:
    """The addresses of a server on its own machine.

    >>> listening_urls("10.0.0.5", 80)[0]
    'http://10.0.0.5:80'
    """
    named = f"[{host}]" if ":" in host else host
    return tuple(f"http://{name}:{port}" for name in (named, *_LOOPBACK))


def _origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port of an address; None without them, as for `null`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme]
