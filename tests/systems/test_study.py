"""One study from plan to paper: the guide's, with people in two languages and a server that dies.

Twelve people click in Chromium; 188 send what the designs' law gives. Every byte that leaves the
browser passes a wire that keeps it, and is held against the label.
"""

import csv
import json
import random
import re
import shutil
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from types import SimpleNamespace

import numpy as np
import pytest

from tests.contribute.test_start_pages import STUDY, steps
from tests.systems.draw_survey import make as make_in_three
from tests.systems.survey_server import Server, stored, tightrope
from tests.systems.survey_wire import Wire
from tests.systems.test_survey_browser import ARGUMENTS, CHROMIUM, PHONE, kept, settled
from tightrope import surveys as sv

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed"),
    pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed"),
]

KEYS = ("sick", "stress", "age", "leave")
CLICKED = [  # what people choose: the same or not, a place of the scale, an age, a leave
    (0, 0, 0, 0), (1, 3, 1, 2), (0, 3, 0, 1), (1, 0, 1, 0), (0, 1, 1, 2), (1, 2, 0, 1),
]
VISITS = [*(("en-US", None, chosen) for chosen in CLICKED[:4]),
          *(("en-US", "es", chosen) for chosen in CLICKED[:2]),
          *(("es-ES", None, chosen) for chosen in CLICKED)]
RELOADED, KILLED = 1, 7
"""The visits where somebody reloads before sending, and where the server dies in between."""
PEOPLE = 200
HEADERS = {"host", "connection", "content-length", "content-type", "user-agent", "accept",
           "accept-encoding", "accept-language", "origin", "sec-ch-ua", "sec-ch-ua-mobile",
           "sec-ch-ua-platform", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"}
"""What a browser adds to a post by itself; none of it depends on the page's content."""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """The study in the field until all have answered; what was seen on the way."""
    folder = tmp_path_factory.mktemp("study")
    for name, body in steps(STUDY):
        if name is not None:
            (folder / name).write_text(body, encoding="utf-8")
    with ExitStack() as open_:
        seen = make(folder, open_)
        answer_by_clicks(seen, open_)
        seen.clicked = [json.loads(request.body) for request in browser_posts(seen)]
        answer_by_posts(seen)
        seen.requests = seen.wire.requests()
        yield seen


def make(folder, open_):
    """Plan, make, translate and serve behind a wire."""
    plan = tightrope("survey", "plan", "--study", folder / "study.toml", "--respondents", PEOPLE)
    wire = Wire()
    open_.callback(wire.close)
    made = tightrope("survey", "new", folder / "s.json", "--study", folder / "study.toml",
                     "--url", wire.url)
    tightrope("survey", "edit", folder / "s.json", "--language", folder / "es.toml")
    with (folder / "s.links.csv").open(newline="") as lines:
        links = [row["link"] for row in csv.DictReader(lines)]
    seen = SimpleNamespace(folder=folder, plan=plan, wire=wire, made=made, links=links, texts={},
                           asked=[], storage=[], cookies=[])
    seen.survey = sv.read_survey((folder / "s.json").read_bytes())
    serve(seen)
    open_.callback(lambda: seen.server.kill())
    return seen


def serve(seen):
    """Start the server anew; killing the one before is no signal that it could handle."""
    if hasattr(seen, "server"):
        seen.server.kill()
    seen.server = Server(seen.folder, None, "--url", seen.wire.url)
    seen.wire.port = int(seen.server.url.rpartition(":")[2])


def answer_by_clicks(seen, open_):
    from playwright.sync_api import sync_playwright

    play = open_.enter_context(sync_playwright())
    browser = play.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
    open_.callback(browser.close)
    seen.browser = browser
    contexts = {locale: browser.new_context(**PHONE, locale=locale)
                for locale in ("en-US", "es-ES")}
    for place, (locale, language, chosen) in enumerate(VISITS):
        page = contexts[locale].new_page()
        wrong = []
        page.on("pageerror", lambda error, wrong=wrong: wrong.append(str(error)))
        page.on("request", lambda request: seen.asked.append(request.url))
        visit(seen, page, place, language, chosen)
        settled(page)
        seen.storage.append((kept(page), page.evaluate(ELSEWHERE)))
        seen.cookies += contexts[locale].cookies()
        assert wrong == []
        page.close()


ELSEWHERE = """async () => [await caches.keys(),
  (await navigator.serviceWorker?.getRegistrations() ?? []).length,
  (await indexedDB.databases()).map((each) => each.name), window.name]"""


WIDTHS_OF_SCALE = """[...document.querySelectorAll('.scale .choice')].map(
  (each) => each.getBoundingClientRect().width)"""


def visit(seen, page, place, language, chosen):
    """One person from the label to the thanks."""
    url = seen.links[place]
    page.goto(url)
    if language is not None:
        page.click(f"#languages a[href='#{language}']")
    spoken = page.evaluate("document.documentElement.lang")
    seen.texts.setdefault(spoken, []).append(page.inner_text("main"))
    choose(page, chosen)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    assert len({round(width) for width in page.evaluate(WIDTHS_OF_SCALE)}) == 1
    if place == RELOADED:
        page.reload()
        assert page.is_visible("#consent")
        assert kept(page) == ["received"] * place  # nothing was drawn yet
        choose(page, chosen)
    if place == KILLED:
        seen.server.kill()
        page.click("#send")
        page.wait_for_selector("#send-note:not(:empty)")
        page.wait_for_selector("#send:enabled")
        (waiting,) = [each for each in kept(page) if each != "received"]
        assert set(waiting) == {"receipt", "responses"}
        seen.waiting = waiting
        serve(seen)
        page.reload()
        page.wait_for_selector("#send", state="visible")
        assert page.is_hidden("#choices")
    page.click("#send")
    page.wait_for_selector("#thanks:not([hidden])")
    seen.texts[spoken].append(page.inner_text("main"))


def choose(page, chosen):
    page.check("#consent")
    page.click("#start")
    for key, position in zip(KEYS, chosen, strict=True):
        page.check(f"input[name={key}] >> nth={position}")


def answer_by_posts(seen):
    """All others at once, eight at a time; the server dies in the midst of them."""
    chance, law = random.Random(20261119), {
        question.key: [[float(p) for p in row] for row in question.middle.rows]
        for question in seen.survey.questions}
    seen.posted = []
    for link in seen.links[len(VISITS):]:
        old = chance.random() < 0.5
        truth = {"sick": int(chance.random() < (0.3 if old else 0.5)),
                 "stress": chance.choices(range(4), [1, 2, 3, 4] if old else [4, 3, 2, 1])[0],
                 "age": int(old), "leave": chance.choices(range(3), [6, 3, 1])[0]}
        responses = {key: chance.choices(range(len(rows[0])), rows[truth[key]])[0]
                     for key, rows in law.items()}
        seen.posted.append({
            "token": link.rpartition("/")[2], "receipt": f"{chance.getrandbits(128):032x}",
            "consent": True, "responses": responses})
    host, done = seen.wire.url.removeprefix("http://"), []
    with ThreadPoolExecutor(8) as pool:
        pending = [pool.submit(post, host, content, done) for content in seen.posted]
        while len(done) < len(seen.posted) // 2:
            time.sleep(0.001)
        serve(seen)
        seen.statuses = Counter(each.result() for each in pending)


def post(host, content, done):
    """The status of the acknowledgment; without one the same is sent again."""
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        wire = HTTPConnection(host, timeout=10)
        try:
            wire.request("POST", "/answer", json.dumps(content),
                         {"content-type": "application/json"})
            status = wire.getresponse().status
            done.append(status)
            return status
        except (OSError, HTTPException):
            time.sleep(0.02)
        finally:
            wire.close()
    raise AssertionError("the server did not come back")


def from_browser(requests):
    return [request for request in requests if "Mozilla" in request.headers.get("user-agent", "")]


def browser_posts(seen):
    """The post of each visit, in their order; what was sent again is the same."""
    posts = {}
    for request in from_browser(seen.wire.requests()):
        if request.method == "POST":
            token = json.loads(request.body)["token"]
            assert posts.setdefault(token, request).body == request.body
    tokens = [link.rpartition("/")[2] for link in seen.links[:len(VISITS)]]
    assert set(posts) == set(tokens)
    return [posts[token] for token in tokens]


# ---- what leaves the browser --------------------------------------------------------------


def test_the_browser_asks_for_three_files_and_posts_once_for_each_person(study):
    requests = from_browser(study.requests)
    asked = Counter((request.method, request.path) for request in requests)
    tokens = [link.rpartition("/")[2] for link in study.links[:len(VISITS)]]
    loads = {token: 1 + (place in (RELOADED, KILLED)) for place, token in enumerate(tokens)}
    assert {path: n for (method, path), n in asked.items() if path.startswith("/r/")} == {
        f"/r/{token}": n for token, n in loads.items()}
    code = study.server.said["code_sha256"]
    others = {key for key in asked if not key[1].startswith("/r/")}
    assert others == {("GET", "/page.css"), ("GET", f"/page.js?{code[:12]}"), ("POST", "/answer")}
    assert asked["POST", "/answer"] in (len(VISITS), len(VISITS) + 1)  # one saw the server die
    sites = {re.match(r"data:|https?://[^/]*", url)[0] for url in study.asked}
    assert sites <= {study.wire.url, "data:"}
    assert all(request.body == b"" for request in requests if request.method == "GET")


def test_no_header_carries_more_than_a_browser_says_to_every_site(study):
    for request in from_browser(study.requests):
        assert not {"cookie", "authorization", "referer"} & set(request.headers)
    posts = browser_posts(study)
    for request in posts:
        assert set(request.headers) <= HEADERS, set(request.headers) - HEADERS
        assert request.headers["origin"] == study.wire.url
    assert len({tuple(request.headers) for request in posts}) == 1


def test_a_post_holds_link_receipt_consent_and_responses(study):
    for place, request in enumerate(browser_posts(study)):
        sent = json.loads(request.body)
        assert set(sent) == {"token", "receipt", "consent", "responses"}
        assert sent["token"] == study.links[place].rpartition("/")[2]
        assert re.fullmatch(r"[0-9a-f]{32}", sent["receipt"])
        assert sent["consent"] is True
        assert tuple(sent["responses"]) == KEYS
        for question in study.survey.questions:
            response = sent["responses"][question.key]
            assert type(response) is int
            assert 0 <= response < len(question.responses)
        sick, _, age, _ = VISITS[place][2]
        assert (sent["responses"]["sick"], sent["responses"]["age"]) == (sick, age)


def test_posts_of_people_who_differ_in_everything_have_one_size_and_shape(study):
    """In one browser byte for byte, but for link, receipt and responses, in both languages."""
    sizes, shapes = {}, {}
    for (locale, _, _), request in zip(VISITS, browser_posts(study), strict=True):
        shape = re.sub(rb'("(?:token|receipt)":")[^"]*', rb"\1", request.raw)
        shape = re.sub(rb'("(?:sick|stress|age|leave)":)[0-9]', rb"\1", shape)
        sizes.setdefault(locale, set()).add(len(request.raw))
        shapes.setdefault(locale, set()).add(shape)
    assert {locale: len(each) for locale, each in sizes.items()} == {"en-US": 1, "es-ES": 1}
    assert {locale: len(each) for locale, each in shapes.items()} == {"en-US": 1, "es-ES": 1}
    assert len({len(request.body) for request in browser_posts(study)}) == 1


def test_the_browser_keeps_that_a_link_was_used_and_nothing_else(study):
    assert study.cookies == []
    for links, elsewhere in study.storage:
        assert set(links) == {"received"}
        assert elsewhere == [[], 0, ["tightrope"], ""]


def test_a_draw_survives_the_death_of_the_server_as_it_was(study):
    sent = study.clicked[KILLED]
    assert {key: sent[key] for key in ("receipt", "responses")} == study.waiting


def test_the_label_says_what_happens_in_both_languages(study):
    assert set(study.texts) == {"en", "es"}
    promises = {
        "en": ("Your age. Sent as you gave it: “40 or over”",
               "Last year, did you ever report sick", "factor of at most 55",
               "stored as you give it"),
        "es": ("Su edad. Enviado tal como", "El año pasado", "factor de 55", "tal como usted"),
    }
    for language, shown in study.texts.items():
        words = " ".join(" ".join(shown).split())
        for promise in promises[language]:
            assert promise.casefold() in words.casefold(), promise
    assert "thanks" not in " ".join(study.texts["es"]).casefold()


# ---- what arrives, and what is read from it -----------------------------------------------


def tallies(study):
    """The responses to each question, counted from what was posted."""
    posts = [*study.clicked, *study.posted]
    assert len(posts) == PEOPLE
    return {question.key: [sum(post["responses"][question.key] == place for post in posts)
                           for place in range(len(question.responses))]
            for question in study.survey.questions}


def test_nothing_is_lost_and_nothing_counts_twice(study):
    assert set(study.statuses) <= {200, 201}  # 200: it was stored before the server died
    read = stored(study.folder)
    assert read["answers"] == PEOPLE
    assert read["links"] == {"all": {"made": PEOPLE, "used": PEOPLE}}
    counted = {part["key"]: list(part["responses"].values()) for part in read["questions"]}
    assert counted == tallies(study)


def test_the_file_of_answers_names_no_link(study):
    content = (study.folder / "s.answers").read_bytes()
    for link in study.links:
        assert link.rpartition("/")[2].encode() not in content


def test_shares_are_those_that_the_designs_give(study):
    """Square designs have one unbiased estimate: the inverse, worked out here."""
    counts = tallies(study)
    read = {part["key"]: part["estimate"] for part in stored(study.folder)["questions"]}
    for question in study.survey.questions:
        law = np.array([[float(p) for p in row] for row in question.middle.rows])
        if law.shape[0] == law.shape[1]:
            shares = np.linalg.solve(law.T, np.array(counts[question.key]) / PEOPLE)
            told = [row["estimate"] for row in read[question.key]["rows"]]
            assert told == pytest.approx(shares)


@pytest.fixture(scope="module")
def analyzed(study):
    return tightrope("survey", "results", study.folder / "s.json", "--by", "age",
                     "--regress", "stress ~ age", "--regress", "sick ~ age",
                     "--page", study.folder / "results.html", "-o", study.folder / "paper")


def test_groups_and_regressions_tell_the_same(study, analyzed):
    """The slope of a mean on a group is the difference of its means; sick has a slope, too."""
    difference = next(row for row in analyzed["differences"][0]["rows"]
                      if (row["question"], row["answer"]) == ("stress", "mean"))
    means, odds = analyzed["regressions"]
    assert means["rows"][1]["estimate"] == pytest.approx(difference["difference"])
    slope = odds["rows"][1]
    assert slope["low"] < slope["estimate"] < slope["high"]
    page = (study.folder / "results.html").read_text()
    assert "stress ~ age" in page
    assert "exact intervals (sick, age, leave) and score intervals (stress)" in page
    assert "<script" not in page


def test_r_and_estimate_read_the_same_numbers_again(study, analyzed):
    paper = study.folder / "paper"
    by_r = subprocess.run(["Rscript", "--vanilla", "analysis.R"], cwd=paper, capture_output=True,
                          text=True, timeout=300, check=False)
    assert by_r.returncode == 0, by_r.stdout + by_r.stderr
    largest = re.search(r"Largest difference from estimates.csv: (\S+)", by_r.stdout)
    assert float(largest[1]) < 1e-6
    again = tightrope("estimate", paper / "answers.csv", "--mechanism", study.folder / "s.json",
                      "--sampling", "--estimator", "likelihood")
    read = {part["key"]: part["estimate"] for part in analyzed["questions"]}
    columns = {part["column"]: part for part in again["columns"]}
    assert set(columns) == {"stress", "leave"}
    for key, part in columns.items():
        for row, expected in zip(part["rows"], read[key]["rows"], strict=True):
            for name in ("estimate", "low", "high"):
                assert row[name] == pytest.approx(expected[name], abs=1e-12)


def test_spss_reads_what_was_posted(study, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    tightrope("survey", "results", study.folder / "s.json", "-o", tmp_path / "paper.sav")
    frame, meta = pyreadstat.read_sav(tmp_path / "paper.sav")
    codes = [tuple(post["responses"][key] for key in KEYS)
             for post in (*study.clicked, *study.posted)]
    assert sorted(zip(*(frame[key].astype(int) for key in KEYS), strict=True)) == sorted(codes)
    for question in study.survey.questions:
        assert meta.column_names_to_labels[question.key] == question.text
        assert tuple(meta.variable_value_labels[question.key].values()) == question.responses


def test_the_plan_told_what_came(study, analyzed):
    """Planned margins are those of the worst shares: intervals are about as wide, or narrower."""
    planned = {part["key"]: part for part in study.plan["questions"]}
    for part in analyzed["questions"]:
        if part["key"] == "sick":
            continue  # its interval is that of every prevalence, the plan's that of one
        widths = [row["high"] - row["low"] for row in part["estimate"]["rows"]]
        assert max(widths) / 2 <= 1.2 * planned[part["key"]]["share_margin"], part["key"]
    stress = next(part for part in analyzed["questions"] if part["key"] == "stress")
    mean = stress["estimate"]["mean"]
    assert (mean["high"] - mean["low"]) / 2 <= 1.2 * planned["stress"]["aim_margin"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_sees_no_serious_violation_on_the_pages_around(study, analyzed, scheme):
    """Those of the questions have a test of their own."""
    from axe_playwright_python.sync_playwright import Axe

    context = study.browser.new_context(**PHONE, color_scheme=scheme, bypass_csp=True)
    page, address = context.new_page(), study.wire.url
    for url in (address, study.links[0], f"{address}/r/unknown", f"{address}/results",
                (study.folder / "results.html").as_uri()):
        page.goto(url)
        assert page.inner_text("h1")
        page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        serious = [(each["id"], each["nodes"][0]["html"])
                   for each in Axe().run(page).response["violations"]
                   if each["impact"] in ("serious", "critical")]
        assert serious == [], url
    context.close()


CUT_OFF = """[...document.querySelectorAll('.card')].filter((card) => {
  const address = card.querySelector('.address');
  const box = address.getBoundingClientRect();
  const around = address.parentElement.getBoundingClientRect();
  return box.top < around.top || box.bottom > around.bottom
    || around.bottom > card.getBoundingClientRect().bottom || address.scrollHeight > box.height + 1;
}).length"""


def test_no_card_cuts_its_address_off_in_three_languages(study, tmp_path):
    make_in_three(tmp_path)
    page = study.browser.new_page()
    page.goto((tmp_path / "cards.html").as_uri())
    assert page.locator(".card").count() == PEOPLE
    assert page.evaluate(CUT_OFF) == 0
    page.close()
