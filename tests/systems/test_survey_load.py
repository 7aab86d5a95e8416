"""The server under pressure: a thousand respondents at once, and a kill in the middle."""

import asyncio
import json
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.systems.survey_server import Server, new_survey, stored
from tightrope import surveys
from tightrope.surveys import SurveyStore
from tightrope.surveys.survey_store import LinkState, Outcome, Submission

pytestmark = pytest.mark.slow
LANES = 50
CROWD = 1000
SPREAD = 6.0


@pytest.fixture
def survey(tmp_path):
    """A survey with 1,000 links, served; folder, tokens, server."""
    _, tokens = new_survey(tmp_path, CROWD)
    server = Server(tmp_path)
    try:
        yield tmp_path, tokens, server
    finally:
        server.kill()


class Connection:
    """A keep-alive connection that speaks just enough HTTP to cost the test next to nothing."""

    def __init__(self, host, reader, writer):
        self.host, self.reader, self.writer = host, reader, writer

    @classmethod
    async def to(cls, url):
        named = url.removeprefix("http://")
        host, _, port = named.partition(":")
        return cls(named, *await asyncio.open_connection(host, int(port)))

    async def close(self):
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    async def ask(self, method, path, content=None):
        """The status of the answer."""
        body = b"" if content is None else json.dumps(content).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: {self.host}\r\ncontent-length: {len(body)}\r\n"
        head += "content-type: application/json\r\n\r\n"
        self.writer.write(head.encode() + body)
        answered = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answered.partition("content-length: ")[2].partition("\r\n")[0])
        await self.reader.readexactly(length)
        return int(answered.split()[1])


def answer_of(token, response):
    digits = response.encode().hex().ljust(32, "0")  # another response, another receipt
    return {"token": token, "receipt": digits, "consent": True, "responses": {"q1": response}}


async def crowd(url, tokens, seconds):
    """Respondents arrive evenly; each opens the page, then sends. How many were acknowledged."""
    acknowledged, start = 0, time.perf_counter()

    async def lane(places):
        nonlocal acknowledged
        connection = await Connection.to(url)
        for place in places:
            due = start + seconds * place / len(tokens)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            token = tokens[place]
            for request in (("GET", f"/r/{token}"),
                            ("POST", "/answer", answer_of(token, "no" if place % 3 else "yes"))):
                status = await connection.ask(*request)
            acknowledged += status == 201
        await connection.close()

    await asyncio.gather(*(lane(range(first, len(tokens), LANES)) for first in range(LANES)))
    return acknowledged


def processor_seconds(process):
    """What a running process has cost so far."""
    stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")  # in user and system mode


async def replayed(url, token, response):
    connection = await Connection.to(url)
    status = await connection.ask("POST", "/answer", answer_of(token, response))
    await connection.close()
    return status


def test_a_thousand_respondents_in_ten_seconds_are_each_stored_once(survey):
    folder, tokens, server = survey
    before = processor_seconds(server.process)
    acknowledged = asyncio.run(crowd(server.url, tokens, SPREAD))
    cost = processor_seconds(server.process) - before
    assert asyncio.run(replayed(server.url, tokens[0], "yes")) == 200
    assert asyncio.run(replayed(server.url, tokens[0], "no")) == 409
    assert acknowledged == CROWD
    found = stored(folder)
    assert found["answers"] == found["links"]["all"]["used"] == CROWD
    assert found["questions"][0]["responses"] == {"no": 666, "yes": 334}
    assert cost < 10  # seconds of one processor, whatever else the machine does


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


def test_a_killed_server_loses_no_acknowledged_answer(survey):
    folder, tokens, server = survey
    acknowledged = asyncio.run(until_killed(server, tokens))
    assert server.process.wait() == -9
    assert 100 <= len(acknowledged) < CROWD
    found = stored(folder)
    # a link that was taken when the server died may lack its answer, which nobody was told of
    cut_off = found["links"]["all"]["used"] - found["answers"]
    assert found["answers"] >= len(acknowledged)
    assert 0 <= cut_off <= LANES  # each respondent waits for one answer at a time
    for response in ("no", "yes"):
        kept = found["questions"][0]["responses"][response]
        assert kept >= sum(one == response for _, one in acknowledged)
    digest = surveys.read_survey((folder / "s.json").read_bytes()).digest
    with SurveyStore(folder / "s.answers", digest) as store:  # the rest still work
        again = store.accept([Submission(token, {"q1": 0}, "") for token, _ in acknowledged])
        assert set(again) == {Outcome.REPLAYED}
        left = [token for token in tokens if store.link(token).state is LinkState.OPEN]
        assert store.accept([Submission(token, {"q1": 0}, "") for token in left]) == (
            [Outcome.STORED] * len(left))
        assert len(store.answers()) == len(tokens) - cut_off
