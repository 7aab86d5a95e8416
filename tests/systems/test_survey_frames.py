"""The pages of a survey in another site's frame, and what people see before and after: Chromium."""

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from tests.systems.survey_server import QUESTION, Server, new_survey, stored, tightrope
from tests.systems.test_survey_browser import ARGUMENTS, CHROMIUM, PHONE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed"),
]
WIDTHS = (390, 1100)


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def site(frame):
    """Another site, whose page shows an address in a frame."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            content = f'<!doctype html><iframe src="{frame}" width=390 height=800>'.encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"  # another host than the survey's
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def answer(page, position=1):
    page.check("#consent")
    page.click("#start")
    page.check(f"input[name=q1] >> nth={position}")
    page.click("#send")
    page.wait_for_selector("#thanks:not([hidden])")


def in_frame(page, address):
    """The frame of another site's page, when its questions were answered and sent."""
    page.evaluate("address => { document.querySelector('iframe').src = address }", address)
    frame = page.frame_locator("iframe")
    frame.locator("#consent").check()
    frame.locator("#start").click()
    frame.locator("input[name=q1] >> nth=1").check()
    frame.locator("#send").click()
    return frame


@pytest.fixture(scope="module")
def profile(chromium, tmp_path_factory):
    """A browser as people use it, which keeps what frames store apart for each site around.

    Playwright switches that off; the last such argument counts.
    """
    kept = chromium.browser_type.launch_persistent_context(
        tmp_path_factory.mktemp("profile"), executable_path=str(CHROMIUM),
        args=[*ARGUMENTS, "--disable-features=HttpsUpgrades"])
    yield kept
    kept.close()


def test_a_named_site_shows_the_page_in_a_frame_and_no_other_does(chromium, profile, tmp_path):
    _, tokens = new_survey(tmp_path, 4)
    said = []
    with site("about:blank") as there:
        server = Server(tmp_path, None, "--embed", there)
        try:
            assert server.said["embedded"] == there
            page = profile.new_page()
            page.goto(there)
            in_frame(page, f"{server.url}/r/{tokens[0]}").locator(
                "#thanks:not([hidden])").wait_for()
            assert stored(tmp_path)["answers"] == 1
            page.goto(f"{server.url}/r/{tokens[0]}")
            assert page.title() == "Thank you"
            # where a browser keeps nothing for frames, nothing is drawn and nothing is sent
            private = chromium.new_context().new_page()
            private.goto(there)
            note = in_frame(private, f"{server.url}/r/{tokens[2]}").locator("#send-note")
            note.get_by_text("Nothing was sent").wait_for()
            assert stored(tmp_path)["answers"] == 1
            with site(f"{server.url}/r/{tokens[1]}") as elsewhere:
                other = profile.new_page()
                other.on("console", lambda message: said.append(message.text))
                other.goto(elsewhere)
                other.wait_for_timeout(500)
                assert other.frame_locator("iframe").locator("#consent").count() == 0
            assert any("frame-ancestors" in text for text in said)
        finally:
            server.kill()


def test_a_draw_that_waits_is_known_again_after_the_texts_were_edited(chromium, tmp_path):
    """The first post is lost; the survey is edited; the same draw is sent, not another one."""
    _, tokens = new_survey(tmp_path, 2)
    server = Server(tmp_path)
    try:
        page = chromium.new_context(**PHONE).new_page()
        posts, url = [], f"{server.url}/r/{tokens[0]}"

        def lose(route):
            posts.append(route.request.post_data_json)
            route.abort()

        page.route("**/answer", lose)
        page.goto(url)
        page.check("#consent")
        page.click("#start")
        page.check("input[name=q1] >> nth=1")
        page.click("#send")
        page.locator("#send-note").get_by_text("No word").wait_for()
        tightrope("survey", "edit", tmp_path / "s.json", "--title", "Other", "--question",
                  "q1=Have you?", "--language", "es")
        page.unroute("**/answer")
        page.on("request", lambda request: posts.append(request.post_data_json)
                if request.method == "POST" else None)
        page.goto(url)
        assert page.title() == "Other"
        page.locator("#send-note").get_by_text("Todavía no").wait_for()
        page.click("#send")
        page.wait_for_selector("#thanks:not([hidden])")
        assert posts[0] == posts[1]
        assert stored(tmp_path)["answers"] == 1
    finally:
        server.kill()


def test_an_open_link_and_the_way_back_in_a_browser(chromium, tmp_path):
    made, tokens = new_survey(tmp_path, 1, (QUESTION,), "--open", 5, "--returns",
                              "http://localhost:9/done?code=C1", "--language", "en")
    server = Server(tmp_path)
    try:
        page = chromium.new_context(**PHONE).new_page()
        sent = []
        page.goto(f"{server.url}/")
        page.click("text=Take part")
        assert page.url.endswith(f"{tokens[0]}#en")
        assert made["open"].endswith(tokens[0])
        assert "spent again" in page.inner_text("#label")
        answer(page)
        page.on("request", lambda request: sent.append(
            (request.url, request.headers.get("referer"))))
        page.route("http://localhost:9/**", lambda route: route.fulfill(body="back"))
        page.click("#thanks a.button")
        page.get_by_text("back").wait_for()
        assert sent[0] == ("http://localhost:9/done?code=C1", None)
        page.goto(f"{server.url}/r/{tokens[0]}")
        page.wait_for_selector("#thanks:not([hidden])")  # it answered; another one may
        other = chromium.new_context(**PHONE).new_page()
        other.goto(f"{server.url}/r/{tokens[0]}")
        answer(other, 0)
        assert stored(tmp_path)["links"]["open"] == {"made": 5, "used": 2}
    finally:
        server.kill()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_its_window_in_every_language(chromium, tmp_path, width, scheme):
    """English, Spanish, and an invented language from right to left; nothing sticks out."""
    _, tokens = new_survey(tmp_path, 2, (QUESTION,), "--open", 5)
    survey = tmp_path / "s.json"
    for code in ("es", "ar"):
        write_filled(survey, tmp_path, code)
        tightrope("survey", "edit", survey, "--language", tmp_path / f"{code}.toml")
    server = Server(tmp_path)
    try:
        context = chromium.new_context(viewport={"width": width, "height": 844},
                                       color_scheme=scheme)
        page = context.new_page()
        for path in ("/", "/#es", "/#ar", "/r/nobody", "/r/nobody#ar", f"/r/{tokens[0]}#ar",
                     f"/r/{tokens[1]}#es", "/results"):
            page.goto("about:blank")
            page.goto(server.url + path)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, path
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
                "rgb(255, 255, 255)" if scheme == "light" else "rgb(22, 28, 35)")
            code = path.partition("#")[2]
            if code:
                shown = page.locator("h1:visible")
                assert shown.count() == 1
                box, body = shown.bounding_box(), page.locator("body").bounding_box()
                start = shown.evaluate("e => getComputedStyle(e).direction")
                assert start == ("rtl" if code == "ar" else "ltr")
                assert body["x"] <= box["x"]
                assert box["x"] + box["width"] <= body["x"] + body["width"]
    finally:
        server.kill()


def write_filled(survey, folder, code):
    """A language file of this survey with every sentence filled in, from right to left."""
    import re

    place = folder / f"{code}.toml"
    tightrope("survey", "translate", survey, code, "-o", place, "--force")
    lines, english = [], ""
    for line in place.read_text().splitlines():
        if line.startswith("# ") and not line.startswith(("# other:", "# 1:", "# 2:")):
            english = line[2:]
        if line == 'direction = ""':
            line = 'direction = "rtl"'
        elif line.endswith('= ""'):
            line = line[:-2] + json.dumps(english, ensure_ascii=False)
        elif "= {" in line and not line.startswith("#"):
            line = re.sub(r"\{.*", "", line) + "{ other = " + json.dumps(english) + " }"
        if line.startswith("# other:"):
            english = line.removeprefix("# other: ")
        lines.append(line)
    place.write_text("\n".join(lines))
