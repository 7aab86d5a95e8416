"""Respondents in a real browser: what they see, what leaves the page, what is stored."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from scipy.stats import binom

from tests.systems.survey_server import new_survey, served, stored

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
CALLS = 70_000
ERROR = 1e-6

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed"),
]


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    """A survey with 60 links, served; folder, what `new` said, tokens, server."""
    folder = tmp_path_factory.mktemp("survey")
    made, tokens = new_survey(folder, 60)
    with served(folder) as server:
        yield folder, made, tokens, server


@pytest.fixture(scope="module")
def phone():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser.new_context(**PHONE)
        browser.close()


@pytest.fixture
def page(phone):
    opened = phone.new_page()
    opened.wrong = []
    opened.on("pageerror", lambda error: opened.wrong.append(str(error)))
    yield opened
    assert opened.wrong == []
    opened.close()


def answer(page, url, position):
    """Real clicks at the places where things are, without waiting for two frames each time."""
    page.goto(url, wait_until="domcontentloaded")
    page.check("#consent", force=True)
    page.click("#start", force=True)
    page.check(f"input[name=q1] >> nth={position}", force=True)
    page.click("#send", force=True)
    page.wait_for_selector("#thanks:not([hidden])")


def test_only_token_consent_and_randomized_answer_leave_the_page(page, survey):
    _, made, tokens, server = survey
    requests = []
    page.on("request", lambda request: requests.append(request))
    page.goto(f"{server.url}/r/{tokens[0]}")
    assert page.inner_text("#hash") == made["code_sha256"] == server.said["code_sha256"]
    page.click("#start")  # without consent nothing happens
    assert page.is_hidden("#questions")
    assert "tick the box" in page.inner_text("#consent-note")
    page.click("summary >> nth=1")
    page.click("#wheel-answers input >> nth=1")
    page.click("#spin")
    page.click("#spin-many")
    assert "101 spins" in page.inner_text("#outcome")
    page.check("#consent")
    page.click("#start")
    page.click("#send")
    assert "no answer yet" in page.inner_text("#send-note")
    page.check("input[name=q1] >> nth=1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.click("#send")
    page.wait_for_selector("#thanks:not([hidden])")
    (post,) = [one for one in requests if one.method == "POST"]
    sent = json.loads(post.post_data)
    assert set(sent) == {"token", "consent", "responses"}
    assert (sent["token"], sent["consent"]) == (tokens[0], True)
    assert set(sent["responses"]) == {"q1"}
    assert sent["responses"]["q1"] in ("no", "yes")
    assert f"“{sent['responses']['q1']}”" in page.inner_text("#sent-list")
    paths = sorted(one.url.removeprefix(server.url) for one in requests if one.method == "GET"
                   if not one.url.startswith("data:"))
    assert paths == sorted([f"/r/{tokens[0]}", "/page.css", "/page.js"])
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_a_link_that_was_used_says_so(page, survey):
    _, _, tokens, server = survey
    page.goto(f"{server.url}/r/{tokens[0]}")
    assert "already used" in page.inner_text("main")


def test_the_page_can_be_used_with_the_keyboard_alone(page, survey):
    _, _, tokens, server = survey
    page.goto(f"{server.url}/r/{tokens[1]}")
    page.focus("#consent")
    page.keyboard.press("Space")
    page.focus("#start")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "questions-title"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_selector("#thanks:not([hidden])")
    unnamed = page.evaluate(
        "[...document.querySelectorAll('input, select, button')].filter("
        "e => !(e.labels && e.labels.length) && !e.textContent.trim()).length"
    )
    assert unnamed == 0


def test_fifty_clicked_answers_are_stored(page, survey):
    folder, _, tokens, server = survey
    before = stored(folder)["answers"]
    for place, token in enumerate(tokens[2:52]):
        answer(page, f"{server.url}/r/{token}", place % 2)
    assert stored(folder)["answers"] == before + 50


def accepts(count, chance):
    low, high = binom.ppf(ERROR / 2, CALLS, chance), binom.isf(ERROR / 2, CALLS, chance)
    return bool(low <= count <= high)


def test_the_pages_own_randomizing_follows_the_law_and_no_law_three_percent_off(page, survey):
    """At 70,000 draws a cell of 3/4 that is off by 3 percent is missed less than once in 10^6."""
    _, _, tokens, server = survey
    largest = Fraction(3, 4)
    for off in (1.03, 0.97):
        low, high = binom.ppf(ERROR / 2, CALLS, 0.75), binom.isf(ERROR / 2, CALLS, 0.75)
        chance = 0.75 * off
        assert binom.cdf(high, CALLS, chance) - binom.cdf(low - 1, CALLS, chance) < ERROR
    page.goto(f"{server.url}/r/{tokens[55]}")
    for true in (0, 1):
        kept = page.evaluate(
            "([x, n]) => { let kept = 0; for (let i = 0; i < n; i += 1)"
            " kept += randomize(SURVEY.questions[0], x) === x; return kept; }", [true, CALLS]
        )
        assert accepts(kept, float(largest))
        assert not accepts(kept, float(largest) * 1.03)
        assert not accepts(kept, float(largest) * 0.97)
