"""The server under pressure: a thousand respondents at once, and a kill in the middle."""

import asyncio
import json
import time
from contextlib import suppress

import httpx
import pytest

from tests.systems.survey_server import Server, new_survey, served, stored

pytestmark = pytest.mark.slow
LANES = 50


class Connection:
    """A keep-alive connection that speaks just enough HTTP to cost the test next to nothing."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def to(cls, url):
        host, _, port = url.removeprefix("http://").partition(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    async def close(self):
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    async def ask(self, method, path, content=None):
        """The status of the answer."""
        body = b"" if content is None else json.dumps(content).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        answered = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answered.partition("content-length: ")[2].partition("\r\n")[0])
        await self.reader.readexactly(length)
        return int(answered.split()[1])


def answer_of(token, response):
    return {"token": token, "consent": True, "responses": {"q1": response}}


async def crowd(url, tokens, seconds):
    """Respondents arrive evenly; each opens the page, then sends. How long each request took."""
    times, acknowledged, start = [], 0, time.perf_counter()

    async def lane(places):
        nonlocal acknowledged
        connection = await Connection.to(url)
        for place in places:
            due = start + seconds * place / len(tokens)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            token = tokens[place]
            for request in (("GET", f"/r/{token}"),
                            ("POST", "/answer", answer_of(token, "no" if place % 3 else "yes"))):
                before = time.perf_counter()
                status = await connection.ask(*request)
                times.append(time.perf_counter() - before)
            acknowledged += status == 201
        await connection.close()

    await asyncio.gather(*(lane(range(first, len(tokens), LANES)) for first in range(LANES)))
    return times, acknowledged


def test_a_thousand_respondents_in_ten_seconds_are_each_stored_once(tmp_path):
    _, tokens = new_survey(tmp_path, 1000)
    with served(tmp_path) as server:
        start = time.perf_counter()
        times, acknowledged = asyncio.run(crowd(server.url, tokens, 7.0))
        took = time.perf_counter() - start
        replay = httpx.post(f"{server.url}/answer", json={
            "token": tokens[0], "consent": True, "responses": {"q1": "yes"}})
    assert replay.status_code == 409
    assert acknowledged == 1000
    found = stored(tmp_path)
    assert found["answers"] == found["links"]["all"]["used"] == 1000
    assert found["questions"][0]["responses"] == {"no": 666, "yes": 334}
    slowest = sorted(times)[int(0.99 * len(times))]
    assert took < 10, f"{took:.1f} s"
    assert slowest < 1, f"99th percentile {slowest:.2f} s"


async def until_killed(server, tokens):
    """Respondents until the server dies; those whose answer was acknowledged."""
    acknowledged = []

    async def lane(places):
        connection = await Connection.to(server.url)
        for place in places:
            response = "yes" if place % 2 else "no"
            try:
                status = await connection.ask("POST", "/answer", answer_of(tokens[place], response))
            except (ConnectionError, asyncio.IncompleteReadError):
                break
            assert status == 201
            acknowledged.append((tokens[place], response))
            if len(acknowledged) == 100:
                server.process.kill()
        await connection.close()

    await asyncio.gather(*(lane(range(first, len(tokens), LANES)) for first in range(LANES)))
    return acknowledged


def test_a_killed_server_loses_no_acknowledged_answer(tmp_path):
    _, tokens = new_survey(tmp_path, 400)
    server = Server(tmp_path)
    try:
        acknowledged = asyncio.run(until_killed(server, tokens))
    finally:
        server.kill()
    assert 100 <= len(acknowledged) < 400
    found = stored(tmp_path)
    assert found["answers"] == found["links"]["all"]["used"] >= len(acknowledged)
    for response in ("no", "yes"):
        kept = found["questions"][0]["responses"][response]
        assert kept >= sum(one == response for _, one in acknowledged)
    with served(tmp_path) as again:  # every acknowledged link is used; the rest still work
        for token, response in acknowledged:
            replay = httpx.post(f"{again.url}/answer", json={
                "token": token, "consent": True, "responses": {"q1": response}})
            assert replay.status_code == 409
    assert stored(tmp_path)["answers"] == found["answers"]
