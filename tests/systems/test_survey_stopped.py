"""A survey server that is stopped in any way: what is on the disk then, and what it logs."""

import asyncio
import json
import signal
import socket
from contextlib import closing
from http.client import HTTPConnection
from itertools import pairwise

import pytest

from tests.systems.survey_server import Server, new_survey, stored
from tests.systems.test_survey_load import Connection
from tightrope import surveys
from tightrope.surveys import SurveyStore

pytestmark = pytest.mark.slow
BITS = 8
CROWD = 200


def answer_of(token, place):
    """An answer that says by its responses as which one it came."""
    responses = {f"q{i + 1}": place >> i & 1 for i in range(BITS)}
    return {"token": token, "receipt": f"{hash((place, token)) % 16**32:032x}", "consent": True,
            "responses": responses}


async def arrive(url, tokens):
    connection = await Connection.to(url)
    for place, token in enumerate(tokens):
        assert await connection.ask("POST", "/answer", answer_of(token, place)) == 201
    await connection.close()


def lying(folder):
    """As which one each answer came, in the order in which they lie in the file."""
    digest = surveys.read_survey((folder / "s.json").read_bytes()).digest
    with SurveyStore(folder / "s.answers", digest) as store:
        head = store._records.head
        with store._records.looking() as opened:
            records = list(opened.answers())
            used = [link.mark for link in opened.links()]
    assert all(used)
    content = (folder / "s.answers").read_bytes()
    positions = [content.index(record.mark) for record in records]
    assert positions == sorted(positions)
    assert len(content) == head.size
    return [sum(code << i for i, code in enumerate(record.responses)) for record in records]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_however_a_server_ends_no_order_of_arrival_is_on_the_disk(tmp_path, number):
    """Of 199 neighbors in the file two came one after the other, on average: rarely twelve."""
    _, tokens = new_survey(tmp_path, CROWD, [f"Question {i}?" for i in range(BITS)])
    names = {path.name for path in tmp_path.iterdir()}
    server = Server(tmp_path)
    try:
        asyncio.run(arrive(server.url, tokens))
        assert {path.name for path in tmp_path.iterdir()} == names  # no log while it runs either
        running = lying(tmp_path)
        server.end(number)
    finally:
        server.kill()
    assert {path.name for path in tmp_path.iterdir()} == names
    order = lying(tmp_path)
    assert order == running
    assert sorted(order) == list(range(CROWD))
    neighbors = sum(abs(a - b) == 1 for a, b in pairwise(order))
    assert neighbors < 12  # below 1e-5 for a uniform order, where 199 came before
    middle = (CROWD - 1) / 2
    spread = sum((i - middle) ** 2 for i in range(CROWD))
    with_order = sum((i - middle) * (place - middle) for i, place in enumerate(order)) / spread
    assert abs(with_order) < 5 / CROWD**0.5
    assert stored(tmp_path)["answers"] == CROWD


async def _front(url):
    connection = await Connection.to(url)
    assert await connection.ask("GET", "/") == 200
    await connection.close()


def test_control_c_ends_a_server_without_an_error_although_a_visitor_stalls(tmp_path):
    """The visitor promises 999 bytes and never sends them; the server waits some seconds."""
    new_survey(tmp_path, 3)
    with (tmp_path / "log").open("w+b") as log:
        server = Server(tmp_path, log)
        try:
            host, _, port = server.url.removeprefix("http://").partition(":")
            with socket.create_connection((host, int(port))) as wire:
                wire.sendall(b"POST /answer HTTP/1.1\r\nhost: %s:%s\r\ncontent-type: "
                             b"application/json\r\ncontent-length: 999\r\n\r\n{"
                             % (host.encode(), port.encode()))
                asyncio.run(_front(server.url))  # what was sent before is being read by then
                assert server.end(signal.SIGINT) == 0
        finally:
            server.kill()
        log.seek(0)
        said = log.read()
    assert b"Traceback" not in said
    assert b"Error" not in said


def test_posts_that_are_broken_off_leave_nothing_in_the_log(tmp_path):
    _, tokens = new_survey(tmp_path, 40)
    with (tmp_path / "log").open("w+b") as log:
        server = Server(tmp_path, log)
        try:
            host, _, port = server.url.removeprefix("http://").partition(":")
            for token in tokens[:20]:
                body = json.dumps({"token": token}).encode()
                with socket.create_connection((host, int(port))) as wire:
                    wire.sendall(b"POST /answer HTTP/1.1\r\nhost: %s:%s\r\ncontent-type: "
                                 b"application/json\r\ncontent-length: 999\r\n\r\n%s"
                                 % (host.encode(), port.encode(), body))

            async def whole():
                connection = await Connection.to(server.url)
                content = {"token": tokens[30], "receipt": "0" * 32, "consent": True,
                           "responses": {"q1": 0}}
                status = await connection.ask("POST", "/answer", content)
                await connection.close()
                return status

            assert asyncio.run(whole()) == 201
            server.end(signal.SIGTERM)
        finally:
            server.kill()
        log.seek(0)
        said = log.read()
    assert len(said) <= 200, said.decode()
    assert b"Traceback" not in said
    assert stored(tmp_path)["answers"] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_server_ends_beside_a_connection_that_stays_open(tmp_path, number):
    new_survey(tmp_path, 1)
    server = Server(tmp_path)
    try:
        with closing(HTTPConnection(server.url.removeprefix("http://"), timeout=60)) as visitor:
            visitor.request("GET", "/")
            visitor.getresponse().read()
            assert server.end(number) == 128 + number
    finally:
        server.kill()
