"""The page of all that was tried: every item, its verdict and its reason, and the pictures."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from tomllib import loads
from xml.etree import ElementTree

import pytest

from tightrope import papers
from tightrope.errors import Refused, TightropeError
from tightrope.extras import PACKAGES
from tightrope.papers import items
from tightrope.papers.item import Attempt, Item, Reproduction, Verdict, finding
from tightrope.papers.pages import PAPERS, page_of

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
ITEMS = {item.key: item for item in items()}
CHOSEN = ("ecp/figure-2", "ecp/figure-4", "h16/figure-6.3", "kl10/lemma-3.3.8",
          "wxh/figure-3", "wxh/figure-6", "wxh/inequality-4")
SMALL = {"ecp/figure-4": {"people": 2}, "wxh/figure-6": {"nodes": 5}}


class Page(HTMLParser):
    """Elements of a page with their attributes, and its text by the articles that hold it."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts, self.anchor = [], [], {}, ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag == "article":
            self.anchor = dict(attributes)["id"]
        if tag not in ("meta", "image"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag != "image":
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts[self.anchor] = self.texts.get(self.anchor, "") + data + " "


@pytest.fixture(scope="module")
def tried():
    return Reproduction(tuple(
        Attempt(ITEMS[key], ITEMS[key].run(**SMALL.get(key, {})), SMALL.get(key, {}))
        for key in CHOSEN))


@pytest.fixture(scope="module")
def text(tried):
    return page_of(tried)


def test_every_item_stands_in_the_page_with_its_verdict_and_texts(tried, text):
    page = Page(text)
    for attempt in tried.attempts:
        article = page.texts[attempt.item.key.replace("/", "-")]
        for part in (attempt.title, attempt.finding.verdict, attempt.finding.published,
                     attempt.finding.found, attempt.finding.reason):
            assert part in article
    links = [at["href"] for tag, at in page.tags if tag == "a"]
    ids = [at["id"] for _, at in page.tags if "id" in at]
    assert {f"#{attempt.item.key.replace('/', '-')}" for attempt in tried.attempts} == {*links}
    assert len(ids) == len({*ids})
    assert {link.removeprefix("#") for link in links} <= {*ids}


def test_figures_stand_with_their_items_panel_by_panel_and_say_what_is_wrong(tried, text):
    for attempt in tried.attempts:
        anchor = attempt.item.key.replace("/", "-")
        article = re.search(f'<article id="{anchor}">.*?</article>', text, re.S)[0]
        chart = attempt.finding.chart
        assert article.count("<svg ") == (0 if chart is None else len(chart.panels))
        assert ("Wrong in print" in article) is bool(chart and chart.wrong)
        if chart is not None and chart.wrong:
            assert chart.wrong in Page(article).texts[anchor]
            assert "var(--mark-wrong)" in article
            assert "#c0392b" not in article  # the light color alone would be hard to see at night


def test_the_page_is_one_file_that_loads_and_runs_nothing(text):
    page = Page(text)
    allowed = {"html", "head", "meta", "title", "style", "body", "main", "section", "nav", "h1",
               "h2", "h3", "p", "ul", "li", "a", "dl", "dt", "dd", "article", "figure",
               "figcaption", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "svg",
               "g", "path", "defs", "clippath", "rect", "use", "text", "image"}
    assert {tag for tag, _ in page.tags} <= allowed
    for tag, attributes in page.tags:
        for key, value in attributes.items():
            assert not key.startswith("on")
            if key in ("href", "src", "action"):
                assert value.startswith("data:image/png;base64," if tag == "image" else "#")
    assert any(tag == "image" for tag, _ in page.tags)  # the map of rates
    policy = next(at["content"] for tag, at in page.tags
                  if at.get("http-equiv") == "Content-Security-Policy")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    for word in ("prefers-color-scheme:dark", "@media print", "width=device-width"):
        assert word in text
    assert "http://" not in text.replace("http-equiv", "")
    assert "https://" not in text


def test_colors_of_marks_leave_those_of_the_page_alone(text):
    style = re.search("<style>(.*)</style>", text, re.S)[1]
    light = dict(re.findall(r"--([\w-]+):(#\w+)", style.partition("@media")[0]))
    again = re.findall(r"--([\w-]+):#\w+", style.partition("@page")[2].partition("}}")[2])
    assert {"faint", "text", "paper"} <= set(light)
    assert again
    assert not set(light) & set(again)


def test_verdicts_are_counted_paper_by_paper(tried, text):
    rows = re.findall(r"<tr>(.*?)</tr>", text)
    cells = [re.findall(r"<t[hd][^>]*>([^<]*)", row) for row in rows]
    assert cells[0] == ["paper", "confirmed", "corrected", "not reproducible", "items"]
    assert ["WXH", "1", "1", "1", "3"] in cells
    assert cells[-1] == ["all", "2", "4", "1", "7"]
    assert "No verdict differs from the one on record." in text


def test_a_verdict_that_drifted_is_told(tried):
    first = tried.attempts[3]
    drifted = replace(first, item=replace(first.item, recorded=Verdict.CONFIRMED))
    text = page_of(Reproduction((drifted,)))
    assert "corrected; on record: confirmed" in text
    assert "1 verdict differs from the one on record." in text


def test_numbers_of_logarithmic_axes_are_read_in_the_page():
    attempt = Attempt(ITEMS["h16/figure-6.2"], ITEMS["h16/figure-6.2"].run())
    text = page_of(Reproduction((attempt,)))
    words = re.findall("<text[^>]*>([^<]*)</text>", text)
    assert {"1", "10", "100"} <= {*words}
    assert all(word.strip() and "\\" not in word for word in words)


@pytest.mark.parametrize("key", ["ecp/figure-2", "h16/figure-6.1", "h16/figure-6.2"])
def test_lines_have_colors_of_the_page_alone(key):
    text = page_of(Reproduction((Attempt(ITEMS[key], ITEMS[key].run()),)))
    assert "stroke: var(--" in text
    assert "stroke: #" not in text  # which would vanish on a dark page


def test_texts_are_escaped():
    def run():
        return finding("<script>alert(1)</script>", "a & b", True, '"quoted" \u202e')

    item = Item("ecp", "odd", "<b>odd</b>", Verdict.CONFIRMED, run)
    text = page_of(Reproduction((Attempt(item, run()),)))
    assert "<script" not in text
    assert "<b>" not in text
    assert "\u202e" not in text
    assert "a &amp; b" in text


def test_a_new_folder_is_written_with_a_file_for_every_picture(tried, tmp_path):
    page = papers.report(tried, tmp_path / "papers")
    assert page == tmp_path / "papers" / "index.html"
    assert page.read_text(encoding="utf-8") == page_of(tried)  # equal runs, equal bytes
    drawn = {path.name for path in (tmp_path / "papers" / "pictures").iterdir()}
    assert drawn == {f"{attempt.item.key.replace('/', '-')}.svg" for attempt in tried.attempts
                     if attempt.item.pictured}
    for path in (tmp_path / "papers" / "pictures").iterdir():
        ElementTree.fromstring(path.read_bytes())
    with pytest.raises(TightropeError, match="exists"):
        papers.report(tried, tmp_path / "papers")


def test_without_the_packages_that_draw_a_report_is_refused(tried, tmp_path, monkeypatch):
    monkeypatch.setitem(PACKAGES, "plot", ("no_such_package",))
    with pytest.raises(Refused, match="a report needs"):
        papers.report(tried, tmp_path / "papers")
    assert not (tmp_path / "papers").exists()


def test_authors_and_titles_are_those_of_the_reference():
    held = loads((REFERENCE / "papers.toml").read_text(encoding="utf-8"))["papers"]
    assert held == PAPERS


def test_the_bibliography_has_an_entry_with_author_and_title_for_every_key():
    text = (REFERENCE / "papers.bib").read_text(encoding="utf-8")
    entries = dict(re.findall(r"@\w+\{(\w+),\n(.*?)\n\}", text, re.S))
    assert set(entries) == set(PAPERS)
    for key, entry in entries.items():
        fields = dict(re.findall(r"(\w+) = \{(.*)\}", entry))
        authors = fields["author"].split(" and ")
        assert [author.split(",")[0] for author in authors] == (
            PAPERS[key].split(": ")[0].split(", "))
        assert fields["title"].lower().startswith(PAPERS[key].split(": ")[1].lower())
