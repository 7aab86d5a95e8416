"""A wire between browsers and a survey's server that keeps every byte, and bears its restarts."""

import socket
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread


@dataclass(frozen=True)
class Request:
    """A request as it was on the wire."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    raw: bytes


class Wire:
    """Listens on a port of its own and passes all bytes to `port`, which may change."""

    def __init__(self):
        self.port = None
        self.uploads = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def requests(self):
        """Every request so far, connection by connection."""
        return [request for upload in self.uploads for request in requests_in(bytes(upload))]

    def _accept(self):
        with suppress(OSError):
            while True:
                browser, _ = self.listener.accept()
                Thread(target=self._pass_on, args=(browser,), daemon=True).start()

    def _pass_on(self, browser):
        upload = bytearray()
        self.uploads.append(upload)
        try:
            server = socket.create_connection(("127.0.0.1", self.port))
        except OSError:
            browser.close()
            return
        Thread(target=_pump, args=(server, browser), daemon=True).start()
        _pump(browser, server, upload)


def _pump(source, target, kept=None):
    with suppress(OSError):
        while data := source.recv(65536):
            if kept is not None:
                kept += data
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()


def requests_in(upload):
    """The requests that one connection sent, one after the other."""
    while upload:
        head, _, rest = upload.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ")
        headers = {name.lower(): value.strip()
                   for name, _, value in (line.partition(":") for line in lines)}
        assert len(headers) == len(lines)
        assert "transfer-encoding" not in headers
        size = int(headers.get("content-length", 0))
        raw, upload = upload[:len(head) + 4 + size], rest[size:]
        yield Request(method, path, headers, rest[:size], raw)
