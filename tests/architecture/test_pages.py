"""The pages: guides are short, limits fit a screen, anchors exist, named files exist."""

import re
from pathlib import Path

import pytest

from tests.architecture.rules import PAGES
from tests.architecture.source import ROOT

DOCS = ROOT / "docs"
GUIDES = sorted((DOCS / "guides").glob("*.md"))
TO_ADD = sorted((DOCS / "contribute").glob("add-*.md"))
NAMED_FILE = re.compile(r"`((?:src|tests|docs)/[\w./-]+\.\w+)`")


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST make them."""
    headings = re.findall(r"(?m)^#+ (.*)$", path.read_text(encoding="utf-8"))
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_guide_has_at_most_900_words(path):
    assert len(path.read_text(encoding="utf-8").split()) <= 900


def test_limits_are_one_screen():
    assert len((DOCS / "limits.md").read_text(encoding="utf-8").splitlines()) <= 60


def test_the_glossary_has_one_short_entry_for_each_term():
    text = (DOCS / "concepts" / "glossary.md").read_text(encoding="utf-8")
    entries = re.findall(r"(?ms)^## (.+?)\n(.+?)(?=\n## |\Z)", text)
    assert len(entries) >= 50
    assert [term for term, about in entries if len(about.split()) > 45] == []
    terms = [term.lower() for term, _ in entries]
    assert terms == sorted(set(terms))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_lead_to_headings_that_exist(path):
    for target, anchor in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", path.read_text("utf-8")):
        page = path.parent / target if target else path
        assert anchor in anchors(page), f"{path.name}: {target}#{anchor}"


@pytest.mark.parametrize("path", TO_ADD, ids=lambda path: path.stem)
def test_files_that_a_page_says_to_touch_exist(path):
    text = re.sub("New file `[^`]+`", "", path.read_text(encoding="utf-8"))
    real = [name for name in NAMED_FILE.findall(text) if not re.search("NAME|COMMAND", name)]
    assert len(real) >= 2
    assert [name for name in real if not (ROOT / name).exists()] == []
