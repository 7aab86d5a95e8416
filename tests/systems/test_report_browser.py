"""A report in a real browser: it fits a phone, asks nobody for anything, and says no error."""

from pathlib import Path

import pytest

from tests.reports.stage import ask, open_table
from tests.systems.test_survey_browser import ARGUMENTS, CHROMIUM
from tightrope.reports import report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed"),
]
NOISY = ("histogram of drug", "histogram of sex and drug", "count by sex, drug, age",
         "histogram of drug")
EXACT = ("mean of age by sex, drug", "distribution of age by sex")
PICTURES = 5  # a grid of two columns has none


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    table = open_table(folder)
    report([*ask(table, *NOISY, level=1), *ask(table, *EXACT)], folder / "out")
    return (Path(folder) / "out" / "index.html").as_uri()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def opened(browser, address):
    """The page at a width, with every request and every word of the console."""
    contexts = []

    def visit(width, scheme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": 844}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.requests, page.words = [], []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("console", lambda message: page.words.append(message.text))
        page.on("pageerror", lambda error: page.words.append(str(error)))
        page.goto(address)
        return page

    yield visit
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_asks_nobody_and_has_no_error(opened, address, width, scheme):
    page = opened(width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.requests == [address]
    assert page.words == []


def test_every_cell_is_seen_and_text_stands_out(opened):
    for scheme in ("light", "dark"):
        page = opened(1280, scheme)
        sizes = page.eval_on_selector_all(
            "td:not(:empty), th", "cells => cells.map(c => [c.offsetWidth, c.offsetHeight])")
        assert len(sizes) > 100
        assert all(wide > 0 and high > 0 for wide, high in sizes)
        ink, paper = page.evaluate(
            "[getComputedStyle(document.body).color, "
            "getComputedStyle(document.body).backgroundColor]")
        assert contrast(ink, paper) >= 7


def test_pictures_are_drawn_with_their_words(opened):
    page = opened(390)
    boxes = page.eval_on_selector_all("svg", "all => all.map(s => s.getBoundingClientRect().width)")
    assert len(boxes) == PICTURES
    assert all(0 < wide <= 390 for wide in boxes)
    assert page.get_by_role("img").count() == len(boxes)


def contrast(first, second):
    """The ratio of luminances that WCAG asks to be 4.5, or 7 at best."""
    def luminance(color):
        parts = [int(part) / 255 for part in color[4:-1].split(",")]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)
