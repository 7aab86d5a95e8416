"""Draws the survey pages in docs/gallery: `python -m tests.systems.draw_survey`.

The guide's study is made and translated as the guide does, and into letters from right to left by
filling the drafted file. Each picture shows one page in every language, light and dark, on a phone
of 390 pixels or on a desktop.
"""

import json
import re
import sys
from contextlib import contextmanager
from io import BytesIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from tests.contribute.performing import Performance
from tests.contribute.test_start_pages import STUDY, steps
from tests.surveys.samples import mirrored, study_of_every_kind
from tests.systems.survey_server import links_of, new_study, served, tightrope
from tests.systems.test_survey_browser import ARGUMENTS, CHROMIUM, PHONE

GALLERY = STUDY.parents[1] / "gallery"
LANGUAGES, SCHEMES = ("en", "es", "ar"), ("light", "dark")
DESKTOP = {"viewport": {"width": 1000, "height": 700}}
SCREENS = {"phone": PHONE, "desktop": DESKTOP}
WIDTHS = {"phone": 300, "desktop": 600}
"""Of a page in a picture: small enough to see all at once, large enough to read."""
COLORS = 32
SPOKEN = ("label", "questions", "thanks")
"""Pages that show one language; front page and notices show all, results are in English."""
CHOSEN = {"sick": 1, "stress": 2, "age": 0, "leave": 2}


def draw(gallery):
    """Draw every picture into a folder."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as name, sync_playwright() as play:
        folder, shots = Path(name), {}
        owner, links = make(folder)
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        views = list(product(SCREENS, LANGUAGES, SCHEMES))
        with served(folder) as server:
            for view, link in zip(views, links, strict=False):
                with opened(browser, view) as page:
                    for title, picture in respondent(page, server.url, link, view[1]):
                        shots[title, *view] = picture
        Performance(folder).type("$ python people.py\n")
        with served(folder) as server:
            for screen, scheme in product(SCREENS, SCHEMES):
                with opened(browser, (screen, "en", scheme)) as page:
                    for title, picture in results(page, server.url, owner):
                        shots[title, screen, "en", scheme] = picture
        with opened(browser, ("desktop", "en", "light")) as page:
            page.goto((folder / "cards.html").as_uri())
            shots["cards", "desktop", "en", "light"] = shot(page, whole=False)
        for title, picture in every_kind(folder / "kinds", browser):
            shots[title, "phone", "en", "light"] = picture
        browser.close()
    for title, screen in dict.fromkeys((title, screen) for title, screen, _, _ in shots):
        languages = LANGUAGES if title in SPOKEN else ("en",)
        rows = [[shots[title, screen, language, scheme] for language in languages
                 if (title, screen, language, scheme) in shots] for scheme in SCHEMES]
        if screen == "phone" or title not in SPOKEN:
            rows = [[shot for row in rows for shot in row]]
        sheet(rows, WIDTHS[screen]).save(gallery / f"survey-{title}-{screen}.png", optimize=True)


def make(folder):
    """The study in three languages; the owner's token and the tokens of the links."""
    for name, body in steps(STUDY):
        if name is not None:
            (folder / name).write_text(body, encoding="utf-8")
    survey = folder / "s.json"
    made = tightrope("survey", "new", survey, "--study", folder / "study.toml")
    tightrope("survey", "translate", survey, "ar", "-o", folder / "draft.toml")
    (folder / "ar.toml").write_text(filled((folder / "draft.toml").read_text(encoding="utf-8")),
                                    encoding="utf-8")
    tightrope("survey", "edit", survey, "--language", folder / "es.toml",
              "--language", folder / "ar.toml")
    tightrope("survey", "links", survey, "--sheet", folder / "cards.html")
    return made["owner"], links_of(folder)


def filled(draft):
    """A drafted language with each sentence in letters from right to left."""
    table, said, lines = "", [], []
    for line in draft.splitlines():
        if line.startswith("["):
            table = line
        if line.startswith("# "):
            said.append(line.removeprefix("# "))
        elif '""' in line:
            for text in said[-line.count('""'):]:
                told = own(table, re.sub(r"^(\d+|other): ", "", text))
                line = line.replace('""', json.dumps(told, ensure_ascii=False), 1)
        if not line.startswith("#"):
            said = []
        lines.append(line)
    return "\n".join(lines) + "\n"


def own(table, text):
    """A text of the language from right to left; numbers are written as in English."""
    if table == "[language]":
        return {"ltr": "rtl", "English": mirrored("English")}[text]
    return text if table == "[number]" else mirrored(text)


@contextmanager
def opened(browser, view):
    """A page in a browser of its own."""
    screen, _, scheme = view
    context = browser.new_context(**SCREENS[screen], color_scheme=scheme)
    page = context.new_page()
    yield page
    context.close()


def respondent(page, url, token, language):
    """Front page, label, questions, thanks, and what a used link shows."""
    page.goto(url)
    yield "front", shot(page)
    page.goto(f"{url}/r/{token}#{language}")
    yield "label", shot(page)
    page.check("#consent")
    page.click("#start")
    for key, position in CHOSEN.items():
        page.check(f"input[name={key}] >> nth={position}")
    yield "questions", shot(page)
    page.click("#send")
    page.wait_for_selector("#thanks:not([hidden])")
    yield "thanks", shot(page)
    page.goto("about:blank")  # else only the part after # is new, and nothing is loaded
    page.goto(f"{url}/r/{token}#{language}")
    yield "notice", shot(page)


def every_kind(folder, browser):
    """A question of every kind, and the wheel, in English on a phone."""
    folder.mkdir()
    _, tokens = new_study(folder, study_of_every_kind())
    with served(folder) as server, opened(browser, ("phone", "en", "light")) as page:
        page.goto(f"{server.url}/r/{tokens[0]}")
        page.click("#try > summary")
        page.click("#wheel-answers input >> nth=1")
        page.click("#spin-many")
        yield "wheel", shot(page, page.locator("#try"))
        page.check("#consent")
        page.click("#start")
        page.check("input[name=taken] >> nth=1")
        yield "kinds", shot(page)


def results(page, url, owner):
    """What asks for the owner's token, and the results that it opens."""
    page.goto(f"{url}/results")
    yield "owner", shot(page)
    page.fill("#token", owner)
    page.click("button")
    page.wait_for_selector("img")
    yield "results", shot(page)


def shot(page, part=None, whole=True):
    """A picture of the whole page, of its first screen, or of a part of it."""
    page.wait_for_timeout(100)
    taken = page.screenshot(full_page=whole) if part is None else part.screenshot()
    return Image.open(BytesIO(taken)).convert("RGB")


def sheet(rows, width):
    """Pictures in rows, each of this width, in few colors."""
    small = [[each.resize((width, round(each.height * width / each.width)), Image.LANCZOS)
              for each in row] for row in rows]
    heights = [max(each.height for each in row) for row in small]
    gap = 12
    whole = Image.new("RGB", (max(len(row) for row in small) * (width + gap) - gap,
                              sum(heights) + gap * (len(rows) - 1)), "#888888")
    for place, row in enumerate(small):
        for column, each in enumerate(row):
            whole.paste(each, (column * (width + gap), sum(heights[:place]) + gap * place))
    return whole.quantize(COLORS)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else GALLERY)
