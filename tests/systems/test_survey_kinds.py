"""Every kind of question in a real browser: what is asked, what is sent, in which language."""

import json
from fractions import Fraction
from itertools import product

import pytest
from scipy.stats import binom

from tests.surveys.samples import own_words, pseudo, study_of_every_kind
from tests.systems.survey_server import new_study, served, stored
from tests.systems.test_survey_browser import ARGUMENTS, CALLS, CHROMIUM, ERROR, PHONE
from tightrope import surveys as sv
from tightrope.surveys.languages import shipped

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed"),
]


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    """A survey with a question of every kind, served; folder, survey, tokens, server."""
    folder = tmp_path_factory.mktemp("kinds")
    _, tokens = new_study(folder, study_of_every_kind())
    with served(folder) as server:
        yield folder, sv.read_survey((folder / "s.json").read_bytes()), tokens, server


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def page(browser):
    context = browser.new_context(**PHONE)
    opened = context.new_page()
    wrong = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    yield opened
    assert wrong == []
    context.close()


def begin(page, url):
    page.goto(url)
    page.check("#consent")
    page.click("#start")


def fill(page, *, taken=0, often=None, hours="3", same=1, drunk=0, even=1):
    """Answers by clicks; `often` is asked only of those who have taken something."""
    page.check(f"input[name=taken] >> nth={taken}")
    if often is not None:
        page.check(f"input[name=often] >> nth={often}")
    if often == 2:
        page.check("input[name=why] >> nth=0")
    page.fill("#number-hours", hours)
    page.check("input[name=age] >> nth=1")
    page.check(f"input[name=lied] >> nth={same}")
    page.check(f"input[name=drunk] >> nth={drunk}")
    page.check(f"input[name=drunk-second] >> nth={even}")


def capture(page):
    sent = []
    page.on("request", lambda one: sent.append(one.post_data) if one.method == "POST" else None)
    return sent


def test_each_kind_is_asked_and_only_its_response_leaves_the_page(page, survey):
    folder, made, tokens, server = survey
    before, sent, requests = stored(folder)["answers"], capture(page), []
    page.on("request", lambda one: requests.append(one.url))
    begin(page, f"{server.url}/r/{tokens[0]}")
    assert page.is_hidden("#ask-often")
    page.click("#send")
    page.get_by_text("Question 1 has no answer yet").wait_for()
    page.check("input[name=taken] >> nth=1")
    assert page.is_visible("#ask-often")
    page.click("#send")
    page.get_by_text("Question 2 has no answer yet").wait_for()
    fill(page, taken=1, often=2, hours="41")
    page.click("#send")
    page.get_by_text("Question 3 asks for a number from 0 to 40").wait_for()
    page.fill("#number-hours", "many")
    page.click("#send")
    page.get_by_text("Question 3 asks for a number, such as 0").wait_for()
    assert sent == []
    page.check("input[name=hours]")  # rather not
    assert page.input_value("#number-hours") == ""
    page.fill("#number-hours", "2,5")
    assert not page.is_checked("input[name=hours]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.click("#send")
    page.wait_for_selector("#thanks:not([hidden])")
    (body,) = sent
    posted = json.loads(body)
    assert set(posted) == {"token", "receipt", "consent", "responses"}
    assert set(posted["responses"]) == {question.key for question in made.questions}
    assert posted["responses"]["age"] == 1  # clear, as it was given
    assert posted["responses"]["lied"] == 1  # “the same”, as it was chosen
    assert "Sent as you gave it: “old”" in page.inner_text("#sent-list")
    paths = sorted(url.removeprefix(server.url).partition("?")[0] for url in requests
                   if url.startswith("http"))
    assert paths == sorted([f"/r/{tokens[0]}", "/page.css", "/page.js", "/answer"])
    assert stored(folder)["answers"] == before + 1


def test_the_post_is_as_long_whatever_is_answered(page, survey):
    """Also where a response has two digits, and whatever is asked."""
    _, made, tokens, server = survey
    assert any(len(question.responses) > 10 for question in made.questions)
    sent, sizes = capture(page), set()
    for token, (taken, hours, often) in zip(tokens[1:13], [
            (taken, hours, often) for hours in ("0", "13.5", "40")
            for taken, often in ((0, None), (1, 0), (1, 2), (2, None))], strict=True):
        begin(page, f"{server.url}/r/{token}")
        fill(page, taken=taken, often=often, hours=hours)
        page.click("#send")
        page.wait_for_selector("#thanks:not([hidden])")
    drawn = {json.loads(body)["responses"]["hours"] > 9 for body in sent}
    sizes = {len(body) for body in sent}
    assert drawn == {True, False}
    assert len(sent) == 12
    assert len(sizes) == 1


def test_a_question_that_is_not_asked_has_that_as_its_true_answer(page, survey):
    """Every way through the branches, against the rule written down here."""
    _, made, tokens, server = survey
    begin(page, f"{server.url}/r/{tokens[13]}")
    fill(page)
    often = made.questions[1]
    for taken, chosen in product((1, 0, 2), (None, 0, 1, 2)):
        page.check(f"input[name=taken] >> nth={taken}")
        if taken == 1 and chosen is not None:
            page.check(f"input[name=often] >> nth={chosen}")
        answers = page.evaluate("chosenAnswers()")
        if taken != 1:
            assert page.is_hidden("#ask-often")
            assert often.answers[answers[1]] == "not asked"
            assert page.is_hidden("#ask-why")
            assert made.questions[-1].answers[answers[-1]] == "not asked"
        elif chosen is not None:
            assert answers[1] == chosen
            assert page.is_visible("#ask-why") == (chosen == 2)


def test_a_number_falls_into_the_bin_that_holds_it(page, survey):
    _, made, tokens, server = survey
    begin(page, f"{server.url}/r/{tokens[13]}")
    hours = next(question for question in made.questions if question.key == "hours")
    texts = [text for edge in hours.bins.shown
             for text in (edge, f"{edge}.0", f"{float(edge) + 0.25:g}",
                          f"{float(edge) + 1e-9:.9f}")]
    texts += ["-1", "-0.5", "40.5", "", "x", "1e1", "1.2.3", "0x1", " 7 ", "+7", "007"]
    for text in texts:
        page.fill("#number-hours", text)
        chosen = page.evaluate("chosenAnswers()[2]")
        try:
            number = Fraction(text.strip()) if "e" not in text else None
        except ValueError:
            number = None
        edges = hours.bins.edges
        inside = number is not None and edges[0] <= number <= edges[-1]
        expected = min(sum(edge <= number for edge in edges) - 1,
                       len(edges) - 2) if inside else None
        assert chosen == expected, text


def test_the_toss_of_an_unrelated_question_follows_the_law_and_none_ten_percent_off(
        page, survey):
    _, made, tokens, server = survey
    position, drunk = next((i, q) for i, q in enumerate(made.questions) if q.key == "drunk")
    page.goto(f"{server.url}/r/{tokens[13]}")
    low, high = (binom.ppf(ERROR / 2, CALLS, float(drunk.truth)),
                 binom.isf(ERROR / 2, CALLS, float(drunk.truth)))
    for off in (0.9, 1.1):
        chance = float(drunk.truth) * off
        assert binom.cdf(high, CALLS, chance) - binom.cdf(low - 1, CALLS, chance) < ERROR
    first = page.evaluate(
        "([i, n]) => { let first = 0; for (let j = 0; j < n; j += 1)"
        " first += respond(SURVEY.questions[i], [1, 0]); return first; }", [position, CALLS])
    assert low <= first <= high
    same = page.evaluate(
        "i => [0, 1].map((a) => respond(SURVEY.questions[i], [a, a]))", position)
    assert same == [0, 1]
    for key in ("lied", "age"):
        place = next(i for i, q in enumerate(made.questions) if q.key == key)
        for chosen in range(2):
            assert page.evaluate("([i, z]) => respond(SURVEY.questions[i], z)",
                                 [place, chosen]) == chosen


def test_the_label_takes_two_screens_of_a_phone_before_four_questions(page, tmp_path):
    study = study_of_every_kind()
    study["questions"] = [part for part in study["questions"]
                          if part.get("key") in ("taken", "hours", "age", "lied")]
    _, tokens = new_study(tmp_path, study)
    with served(tmp_path) as server:
        page.goto(f"{server.url}/r/{tokens[0]}")
        end = page.evaluate("document.getElementById('start').getBoundingClientRect().bottom")
        assert end <= 2 * 844


LEGENDS_OUTSIDE = """[...document.querySelectorAll('fieldset > legend')].filter((legend) => {
  const [text, box] = [legend, legend.parentElement].map((each) => each.getBoundingClientRect());
  return text.top < box.top || text.left < box.left || text.right > box.right;
}).length"""


@pytest.mark.parametrize("width", [320, 390, 1000])
def test_long_words_stay_in_their_box_and_a_scale_in_columns(browser, tmp_path, width):
    words = "How often did you see that somebody who works here takes home what is not theirs?"
    study = {"title": "x", "epsilon": 2, "links": 2, "questions": [
        {"key": "seen", "text": words},
        {"key": "likely", "text": words, "kind": "scale", "answers": [str(i) for i in range(11)]}]}
    _, tokens = new_study(tmp_path, study)
    page = browser.new_page(viewport={"width": width, "height": 844})
    with served(tmp_path) as server:
        begin(page, f"{server.url}/r/{tokens[0]}#a%")  # a part after # that is no code
        assert page.evaluate(LEGENDS_OUTSIDE) == 0
        widths = page.evaluate("[...document.querySelectorAll('.scale .choice')].map("
                               "(each) => Math.round(each.getBoundingClientRect().width))")
        assert len(set(widths)) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_true_answers_are_not_there_any_more_after_the_way_back(page, survey):
    """Whoever uses the browser next finds neither choices nor consent."""
    _, _, tokens, server = survey
    begin(page, f"{server.url}/r/{tokens[-1]}")
    fill(page, taken=1)
    page.goto(server.url)
    page.go_back()
    page.wait_for_selector("#consent")
    filled = "[...document.querySelectorAll('input')].filter((each) => each.checked || (" \
             "each.type === 'text' && each.value !== '')).length"
    assert page.evaluate(filled) == 0


def test_no_two_responses_have_one_color_on_the_wheel(page, survey):
    _, made, tokens, server = survey
    page.goto(f"{server.url}/r/{tokens[-1]}")
    page.click("#try > summary")
    for question in made.questions:
        if question.randomized:
            page.select_option("#wheel-question", label=question.text)
            page.check("#wheel-answers input >> nth=0")
            colors = page.evaluate("[...document.querySelectorAll('#legend .swatch')].map("
                                   "(each) => each.style.backgroundColor)")
            assert len(set(colors)) == len(colors) == len(question.responses)
            spun = page.evaluate("() => { for (let i = 0; i < 99; i += 1) spin();"
                                 " return wheel.counts; }")
            assert sum(spun) == 99
            assert max(spun) < 99


def test_two_answers_are_compared_under_their_own_question(page, survey):
    """What a screen reader says of “the same” is not the sensitive question."""
    _, _, tokens, server = survey
    begin(page, f"{server.url}/r/{tokens[-1]}")
    compared = page.get_by_role("group", name="Are your two answers the same?")
    assert compared.get_by_role("radio").count() == 2
    assert page.get_by_role("group", name="Ever lied in an application?").count() == 0


# ---- languages: the page as it is served, without a server --------------------------------


@pytest.fixture
def spoken(survey, monkeypatch):
    """The files of the page in English, Spanish and a pseudo-language from right to left."""
    import sys

    _, made, _, _ = survey
    languages = (shipped("en"), shipped("es"), pseudo())
    for name in ("page_code", "respondent_pages"):
        monkeypatch.setattr(sys.modules[f"tightrope.surveys.{name}"], "all_words",
                            lambda asked: tuple(own_words(asked, one) for one in languages))
    from tightrope.surveys.page_code import page_file
    from tightrope.surveys.respondent_pages import respondent_page

    return {"/r/x": ("text/html", respondent_page(made, "all")),
            "/page.js": ("text/javascript", sv.page_code(made)),
            "/page.css": ("text/css", page_file("page.css"))}


def speak(page, files, code):
    site = "http://localhost:9999"
    for path, (kind, body) in files.items():
        page.route(f"{site}{path}*", lambda route, kind=kind, body=body: route.fulfill(
            content_type=kind, body=body))
    page.goto(f"{site}/r/x#{code}")
    assert page.evaluate("document.documentElement.lang") == code


def test_a_page_from_right_to_left_is_mirrored(page, spoken):
    speak(page, spoken, "ar")
    assert page.evaluate("document.documentElement.dir") == "rtl"
    boxes = ("(s) => { const box = document.querySelector(s).getBoundingClientRect();"
             " return [box.left, box.right]; }")
    (_, link), (_, title) = page.evaluate(boxes, "#languages a"), page.evaluate(boxes, "h1")
    assert link == pytest.approx(title, abs=2)  # both begin at the right edge
    box, text = (page.evaluate(boxes, f"label[for=consent] {part}") for part in ("input", "span"))
    assert box[0] > text[1]
    page.check("#consent")
    page.click("#start")
    page.check("input[name=taken] >> nth=1")
    first, last = (page.evaluate(boxes, f".scale .choice:nth-child({n})") for n in (1, 3))
    assert first[0] > last[1]
    number, unit = (page.evaluate(boxes, f"p.number {part}") for part in ("input", "bdi"))
    assert number[0] > unit[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.click("#send")
    page.locator("#send-note", has_text="\N{HEBREW LETTER ALEF}").wait_for()


def test_choices_stay_when_the_language_changes_and_are_forgotten_in_all(page, spoken):
    speak(page, spoken, "en")
    page.check("#consent")
    page.click("#start")
    fill(page, taken=1, often=2, hours="2,5")
    page.click("#languages a >> nth=1")
    page.get_by_text("Por favor, responda con sinceridad").wait_for()
    assert page.evaluate("chosenAnswers()") == [1, 2, 1, 1, 1, [0, 1], 0]
    assert page.is_visible("#ask-why")
    assert "prefiero no decirlo" in page.inner_text("#ask-hours")
    page.evaluate("lock()")
    assert page.evaluate(
        "[...mains.values()].every((main) => [...main.querySelectorAll('#choices input')]"
        ".every((input) => !input.checked && (input.type !== 'text' || input.value === '')))")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("code", ["en", "es", "ar"])
def test_axe_sees_no_serious_violation(browser, spoken, code, scheme):
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(**PHONE, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    speak(page, spoken, code)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for step in ("label", "questions"):
        if step == "questions":
            page.check("#consent")
            page.click("#start")
            page.check("input[name=taken] >> nth=1")
        serious = [(found["id"], found["nodes"][0]["html"])
                   for found in Axe().run(page).response["violations"]
                   if found["impact"] in ("serious", "critical")]
        assert serious == [], step
    context.close()
