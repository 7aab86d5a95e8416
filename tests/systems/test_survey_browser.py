"""Respondents in a real browser: what they see, what leaves the page, what is stored."""

import json
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

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
    assert page.text_content("#hash") == made["code_sha256"] == server.said["code_sha256"]
    page.click("#start")  # without consent nothing happens
    assert page.is_hidden("#questions")
    assert "tick the box" in page.inner_text("#consent-note")
    page.click("#try > summary")
    page.click("#wheel-answers input >> nth=1")
    page.click("#spin")
    page.click("#spin-many")
    assert "101 spins" in page.inner_text("#outcome")
    page.check("#consent")
    page.click("#start")
    page.click("#send")
    page.get_by_text("no answer yet").wait_for()
    page.check("input[name=q1] >> nth=1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.click("#send")
    page.wait_for_selector("#thanks:not([hidden])")
    (post,) = [one for one in requests if one.method == "POST"]
    sent = json.loads(post.post_data)
    assert set(sent) == {"token", "receipt", "consent", "responses"}
    assert (sent["token"], sent["consent"]) == (tokens[0], True)
    assert len(sent["receipt"]) == 32
    assert set(sent["responses"]) == {"q1"}
    assert sent["responses"]["q1"] in (0, 1)
    assert f"“{('no', 'yes')[sent['responses']['q1']]}”" in page.inner_text("#sent-list")
    paths = sorted(one.url.removeprefix(server.url).partition("?")[0] for one in requests
                   if one.method == "GET" and not one.url.startswith("data:"))
    assert paths == sorted([f"/r/{tokens[0]}", "/page.css", "/page.js"])
    assert kept(page) == ["received"]  # and no response any more


EVERYTHING_KEPT = """() => new Promise((resolve) => {
  const asked = indexedDB.open("tightrope");
  asked.onsuccess = () => {
    const links = asked.result.transaction("links").objectStore("links").getAll();
    links.onsuccess = () => { asked.result.close(); resolve(links.result); };
  };
})"""


def kept(page):
    """What the browser keeps for this site, and nothing is kept elsewhere."""
    assert page.evaluate("sessionStorage.length + localStorage.length") == 0
    assert page.evaluate("document.cookie") == ""
    return page.evaluate(EVERYTHING_KEPT)


def waiting(page):
    """The draws that wait to be received."""
    return [one for one in kept(page) if one != "received"]


def test_a_link_that_was_used_says_so(page, survey):
    _, _, tokens, server = survey
    page.goto(f"{server.url}/r/{tokens[0]}")
    assert "already received" in page.inner_text("main")


def choose(page, url, position):
    """Answer, and send for the first time."""
    page.goto(url)
    page.check("#consent")
    page.click("#start")
    page.check(f"input[name=q1] >> nth={position}")
    page.click("#send")


def posts(page):
    """The bodies of the posts from now on."""
    found = []
    page.on("request", lambda one: found.append(one.post_data) if one.method == "POST" else None)
    return found


def test_a_draw_is_posted_again_as_it_was_also_after_a_reload(page, survey):
    folder, _, tokens, server = survey
    before, sent, url = stored(folder)["answers"], posts(page), f"{server.url}/r/{tokens[56]}"
    page.route("**/answer", lambda route: route.abort())  # it never arrives
    choose(page, url, 1)
    page.get_by_text("No word from the server").wait_for()
    assert page.is_hidden("#choices")  # nothing can be chosen any more
    assert page.locator("input[name=q1]:checked").count() == 0
    (drawn,) = waiting(page)
    assert set(drawn) == {"receipt", "responses"}  # never the true answer
    page.click("#send")
    page.wait_for_selector("#send:enabled")
    for _ in range(2):
        page.goto("about:blank")
        page.goto(url)
        page.wait_for_selector("#send", state="visible")
        assert page.is_hidden("#choices")
        assert page.is_hidden("#start")
        page.click("#send")
        page.wait_for_selector("#send:enabled")
    page.unroute("**/answer")
    page.click("#send")
    page.wait_for_selector("#thanks:not([hidden])")
    assert len(sent) == 5
    assert len(set(sent)) == 1
    assert waiting(page) == []
    assert stored(folder)["answers"] == before + 1


def stored_without_a_word(route):
    """The server has it; its acknowledgment is lost on the way back."""
    assert route.fetch().status == 201
    route.abort()


def test_an_answer_stored_but_not_acknowledged_is_told_received(page, survey):
    folder, _, tokens, server = survey
    before, sent = stored(folder)["answers"], posts(page)
    page.route("**/answer", stored_without_a_word)
    choose(page, f"{server.url}/r/{tokens[57]}", 0)
    page.get_by_text("No word from the server").wait_for()
    page.unroute("**/answer")
    page.click("#send")
    page.wait_for_selector("#thanks:not([hidden])")
    assert "already received" in page.inner_text("#thanks")
    assert len(set(sent)) == 1
    assert stored(folder)["answers"] == before + 1
    page.goto(f"{server.url}/r/{tokens[57]}")
    assert "already received" in page.inner_text("main")


def test_a_reload_after_a_lost_acknowledgment_forgets_the_draw(page, survey):
    _, _, tokens, server = survey
    page.route("**/answer", stored_without_a_word)
    choose(page, f"{server.url}/r/{tokens[58]}", 0)
    page.get_by_text("No word from the server").wait_for()
    page.unroute("**/answer")
    with page.expect_response("**/answer") as again:  # in case it was not stored after all
        page.goto(f"{server.url}/r/{tokens[58]}")
    assert again.value.status == 200
    assert "already received" in page.inner_text("main")
    settled(page)


def settled(page):
    """Wait until no draw is kept any more."""
    for _ in range(500):
        if waiting(page) == []:
            return
        page.wait_for_timeout(20)
    raise AssertionError(waiting(page))


def test_two_tabs_that_send_at_once_send_one_draw(phone, survey):
    """Thirty times: each tab says another true answer, and both send in the same moment."""
    folder, _, tokens, server = survey
    before, tabs = stored(folder)["answers"], [phone.new_page(), phone.new_page()]
    for token in tokens[14:44]:
        sent = [posts(tab) for tab in tabs]
        for place, tab in enumerate(tabs):
            tab.goto(f"{server.url}/r/{token}")
            tab.check("#consent")
            tab.click("#start")
            tab.check(f"input[name=q1] >> nth={place}")
        soon = tabs[0].evaluate("Date.now()") + 60
        for tab in tabs:
            tab.evaluate("when => { setTimeout(() => document.getElementById('send').click(),"
                         " when - Date.now()); }", soon)
        for tab in tabs:
            tab.wait_for_selector("#thanks:not([hidden])")
        bodies = [body for each in sent for body in each]
        assert bodies
        assert len(set(bodies)) == 1
    assert stored(folder)["answers"] == before + 30
    for tab in tabs:
        tab.close()


@pytest.fixture
def researcher(phone, tmp_path):
    """A survey of its own, its owner's token, and a page."""
    made, _ = new_survey(tmp_path, 3)
    with served(tmp_path) as server:
        page = phone.new_page()
        yield tmp_path, made["owner"], server, page
        page.close()


def test_the_owner_reads_and_closes_with_the_token_and_no_cookie_is_set(researcher):
    folder, owner, server, page = researcher
    page.goto(f"{server.url}/results")
    page.fill("#token", owner)
    page.click("button")
    assert "0 answers; the survey is open" in page.inner_text("main")
    assert page.context.cookies(server.url) == []
    page.fill("#token", owner)
    page.click("button")
    assert "the survey is closed" in page.inner_text("main")
    assert stored(folder)["closed"] is True


HOSTILE = """<!doctype html><form method="post" action="{url}/close">
<input name="token" value="{token}"><button>go</button></form>"""


def test_a_page_on_another_port_closes_nothing_even_with_the_token(researcher):
    """And what it gets from the browser with a request is no token and no cookie."""
    folder, owner, server, page = researcher
    seen = []

    class Other(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(dict(self.headers))
            content = HOSTILE.format(url=server.url, token=owner).encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    page.goto(f"{server.url}/results")
    page.fill("#token", owner)
    page.click("button")
    other = HTTPServer(("127.0.0.1", 0), Other)
    Thread(target=other.serve_forever, daemon=True).start()
    try:
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        page.click("button")
        page.get_by_text("another address").wait_for()
    finally:
        other.shutdown()
        other.server_close()
    assert stored(folder)["closed"] is False
    for headers in seen:
        assert owner not in str(headers)
        assert not {name.lower() for name in headers} & {"cookie", "authorization"}


def test_a_second_tab_sends_what_the_first_one_drew(page, phone, survey):
    """And a server that asks again for a link that was received gets no second draw."""
    _, _, tokens, server = survey
    url, other = f"{server.url}/r/{tokens[59]}", phone.new_page()
    sent = posts(page)
    other.on("request", lambda one: sent.append(one.post_data) if one.method == "POST" else None)
    other.goto(url)
    form = other.content()
    page.route("**/answer", lambda route: route.abort())
    choose(page, url, 0)
    other.check("#consent")
    other.click("#start")
    other.check("input[name=q1] >> nth=1")
    other.click("#send")
    other.wait_for_selector("#thanks:not([hidden])")
    assert len(set(sent)) == 1
    other.route(url, lambda route: route.fulfill(body=form, content_type="text/html"))
    other.goto(url)
    other.wait_for_selector("#thanks:not([hidden])")
    assert other.is_hidden("#send")
    assert len(sent) == 2
    other.close()


@pytest.mark.parametrize("fault", [
    "IDBFactory.prototype.open = () => { throw new Error('full'); };",
    "IDBObjectStore.prototype.put = function () { this.transaction.abort(); };",  # a full disk
])
def test_where_nothing_can_be_kept_nothing_is_sent(page, survey, fault):
    _, _, tokens, server = survey
    sent = posts(page)
    page.add_init_script(fault)
    choose(page, f"{server.url}/r/{tokens[55]}", 0)
    page.get_by_text("Nothing was sent").wait_for()
    assert sent == []


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


def test_a_dozen_clicked_answers_are_stored(page, survey):
    folder, _, tokens, server = survey
    before = stored(folder)["answers"]
    for place, token in enumerate(tokens[2:14]):
        answer(page, f"{server.url}/r/{token}", place % 2)
    assert stored(folder)["answers"] == before + 12


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


def test_whole_numbers_are_drawn_alike_below_totals_that_are_no_power_of_two(page, survey):
    """Of 5 numbers the first 3: a remainder of 3 bits would have them in 3/4 of the draws."""
    _, _, tokens, server = survey
    page.goto(f"{server.url}/r/{tokens[56]}")
    calls = 2000
    low, high = binom.ppf(ERROR / 2, calls, 0.6), binom.isf(ERROR / 2, calls, 0.6)
    assert binom.sf(low - 1, calls, 0.75) - binom.sf(high, calls, 0.75) < ERROR
    drawn = page.evaluate("n => Array.from({ length: n }, () => Number(uniformBelow(5n)))", calls)
    assert set(drawn) == set(range(5))
    assert low <= sum(number < 3 for number in drawn) <= high
    for total in (1, 255, 256, 257, 2**64 + 1):
        below = page.evaluate("total => Array.from({ length: 300 }, () => "
                              "uniformBelow(BigInt(total))).every((n) => 0n <= n && n < "
                              "BigInt(total))", str(total))
        assert below, total
