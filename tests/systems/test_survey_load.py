"""The server under pressure, with answers in a file and in PostgreSQL: a crowd, and kills.

`TIGHTROPE_LOAD=10000` sends so many answers, a thousand at once, and prints what they took.
"""

import asyncio
import json
import os
import resource
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.systems import postgres
from tests.systems.survey_server import QUESTION, Server, new_survey, served, stored, tightrope
from tightrope import surveys
from tightrope.surveys import SurveyStore
from tightrope.surveys.survey_store import LinkState, Outcome, Submission

pytestmark = pytest.mark.slow
LANES = 50
CROWD = 1000
TOTAL = int(os.environ.get("TIGHTROPE_LOAD", CROWD))
SPREAD = 6.0


@pytest.fixture(scope="module")
def database():
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["file", "postgresql"])
def made(request, tmp_path):
    """A survey with links for all, in either store; folder and tokens."""
    stored_in = [] if request.param == "file" else [
        "--store", request.getfixturevalue("database")]
    _, tokens = new_survey(tmp_path, max(CROWD, TOTAL), (QUESTION,), "--open", 1000, *stored_in)
    return tmp_path, tokens[1:]  # the open one comes first


@pytest.fixture
def survey(made):
    """The same, served; folder, tokens, server."""
    server = Server(made[0])
    try:
        yield *made, server
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
    position = ("no", "yes").index(response)
    return {"token": token, "receipt": digits, "consent": True, "responses": {"q1": position}}


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


async def at_once(url, tokens, lanes=CROWD):
    """Respondents who all arrive now, each with a connection; how long each answer took."""
    took, left = [], list(enumerate(tokens))[::-1]

    async def lane():
        connection = await Connection.to(url)
        while left:
            place, token = left.pop()
            assert await connection.ask("GET", f"/r/{token}") == 200
            start = time.perf_counter()
            answer = answer_of(token, "no" if place % 3 else "yes")
            assert await connection.ask("POST", "/answer", answer) == 201
            took.append(time.perf_counter() - start)
        await connection.close()

    await asyncio.gather(*(lane() for _ in range(lanes)))
    return sorted(took)


def test_a_thousand_at_once_lose_nothing(survey):
    folder, tokens, server = survey
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(
        resource.RLIMIT_NOFILE)[1]))
    start, before = time.perf_counter(), processor_seconds(server.process)
    took = asyncio.run(at_once(server.url, tokens[:TOTAL]))
    seconds = time.perf_counter() - start
    cost = processor_seconds(server.process) - before
    found = stored(folder)
    assert len(took) == found["answers"] == found["links"]["all"]["used"] == TOTAL
    yes = len(range(0, TOTAL, 3))
    assert found["questions"][0]["responses"] == {"no": TOTAL - yes, "yes": yes}
    print(f"\n{TOTAL} answers in {seconds:.1f} s, {1000 * cost / TOTAL:.2f} ms of a processor "
          f"each; acknowledged after {took[len(took) // 2]:.2f} s (median), "
          f"{took[-1]:.2f} s (slowest)")


async def replayed(url, token, response):
    connection = await Connection.to(url)
    status = await connection.ask("POST", "/answer", answer_of(token, response))
    await connection.close()
    return status


def test_a_thousand_respondents_in_ten_seconds_are_each_stored_once(survey):
    folder, tokens, server = survey
    tokens = tokens[:CROWD]
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
    tokens = tokens[:CROWD]
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


async def send_until_stored(url, tokens, wanted=None):
    """Everybody sends the same answer again until it was received; how often it was stored."""
    counts = {200: 0, 201: 0}

    async def lane(places):
        connection = await Connection.to(url)
        for place in places:
            response = "yes" if place % 2 else "no"
            status = await connection.ask("POST", "/answer", answer_of(tokens[place], response))
            counts[status] += 1
            if wanted is not None and sum(counts.values()) == wanted[0]:
                await asyncio.to_thread(wanted[1])
        await connection.close()

    await asyncio.gather(*(lane(range(first, len(tokens), LANES)) for first in range(LANES)))
    return counts


def test_after_a_kill_and_a_restart_every_answer_is_stored_once(survey):
    folder, tokens, server = survey
    tokens = tokens[:CROWD]
    acknowledged = asyncio.run(until_killed(server, tokens))
    with served(folder) as restarted:
        counts = asyncio.run(send_until_stored(restarted.url, tokens))
    assert counts[200] >= len(acknowledged)
    assert counts[200] + counts[201] == CROWD
    found = stored(folder)
    assert found["answers"] == found["links"]["all"]["used"] == CROWD
    assert found["questions"][0]["responses"] == {"no": CROWD // 2, "yes": CROWD // 2}


def test_links_and_texts_change_and_two_servers_share_a_store_while_answers_arrive(made):
    folder, tokens = made
    tokens, more = tokens[:400], []

    def change():
        added = tightrope("survey", "links", folder / "s.json", "--more", 60,
                          "--group", "all", "-o", folder / "more.csv")
        assert added["number"] == 60
        edited = tightrope("survey", "edit", folder / "s.json", "--title", "Other work",
                           "--language", "es")
        assert edited["changed"] == ["title"]
        more.extend(line.rpartition("/")[2].strip()
                    for line in (folder / "more.csv").read_text().splitlines()[1:])

    async def crowd_of_two(first, second):
        return await asyncio.gather(
            send_until_stored(first.url, tokens, (100, change)),
            send_until_stored(second.url, tokens))

    async def title(url):
        host = url.removeprefix("http://")
        reader, writer = await asyncio.open_connection(*host.split(":"))
        writer.write(f"GET /r/{more[0]} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
                     .encode())
        page = (await reader.read()).decode()
        writer.close()
        return page.partition("<title>")[2].partition("<")[0]

    with served(folder) as first, served(folder) as second:
        counts = asyncio.run(crowd_of_two(first, second))
        titles = [asyncio.run(title(server.url)) for server in (first, second)]
        late = asyncio.run(send_until_stored(second.url, more))
    assert sum(count[201] for count in counts) == sum(count[200] for count in counts) == 400
    assert titles == ["Other work"] * 2
    assert late == {200: 0, 201: 60}
    found = stored(folder)
    assert found["answers"] == 460
    assert found["questions"][0]["responses"] == {"no": 230, "yes": 230}
