"""The server under pressure: a thousand respondents at once, and a kill in the middle."""

import asyncio
import time

import httpx
import pytest

from tests.systems.survey_server import Server, new_survey, served, stored

pytestmark = pytest.mark.slow


async def respond(client, token, response, times, acknowledged):
    """One respondent: opens the page, then sends; keeps how long each took."""
    for request in (
        client.build_request("GET", f"/r/{token}"),
        client.build_request("POST", "/answer", json={
            "token": token, "consent": True, "responses": {"q1": response}}),
    ):
        start = time.perf_counter()
        answer = await client.send(request)
        times.append(time.perf_counter() - start)
        assert answer.status_code in (200, 201), answer.text
    acknowledged.append((token, response))


async def crowd(url, tokens, seconds):
    """All respondents, arriving evenly over some seconds."""
    times, acknowledged = [], []
    limits = httpx.Limits(max_connections=60, max_keepalive_connections=60)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=30) as client:
        async def arrive(place, token):
            await asyncio.sleep(seconds * place / len(tokens))
            await respond(client, token, "yes" if place % 3 == 0 else "no", times, acknowledged)

        await asyncio.gather(*(arrive(i, token) for i, token in enumerate(tokens)),
                             return_exceptions=False)
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
    assert len(acknowledged) == 1000
    found = stored(tmp_path)
    assert found["answers"] == found["links"]["all"]["used"] == 1000
    assert found["questions"][0]["responses"] == {"no": 666, "yes": 334}
    slowest = sorted(times)[int(0.99 * len(times))]
    assert took < 10, f"{took:.1f} s"
    assert slowest < 1, f"99th percentile {slowest:.2f} s"


async def until_killed(server, tokens):
    """Respondents until the server dies; those whose answer was acknowledged."""
    acknowledged = []
    async with httpx.AsyncClient(base_url=server.url, timeout=10) as client:
        async def one(token, response):
            try:
                answer = await client.post("/answer", json={
                    "token": token, "consent": True, "responses": {"q1": response}})
            except httpx.TransportError:
                return
            assert answer.status_code == 201
            acknowledged.append((token, response))
            if len(acknowledged) == 100:
                server.process.kill()

        await asyncio.gather(*(one(t, "yes" if i % 2 else "no") for i, t in enumerate(tokens)))
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
