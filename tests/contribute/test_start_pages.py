"""The pages of docs/start, and two guides, are typed as they stand and print what they show."""

import pytest

from tests.architecture.source import ROOT
from tests.contribute.performing import BLOCK, NEW, Performance

PAGES = sorted(path for path in (ROOT / "docs" / "start").glob("*.md") if path.stem != "index")
STUDY = ROOT / "docs" / "guides" / "a-study.md"


def steps(path):
    """Blocks to type, and files to make with their names, in the order of the page."""
    for block in BLOCK.finditer(path.read_text(encoding="utf-8")):
        if block["language"] == "console":
            yield None, block["body"]
        elif new := NEW.fullmatch(block["intro"] or ""):
            yield new[1], block["body"]


@pytest.mark.slow
def test_a_year_with_persons_is_typed_on_fewer_rows(tmp_path):
    """The benchmark `year` types the same page on five million."""
    performance = Performance(tmp_path)
    page = ROOT / "docs" / "guides" / "a-year-with-persons.md"
    for name, body in steps(page):
        if name is None:
            performance.type(body.replace("visits.py 5000000", "visits.py 30000"))
        else:
            performance.make(name, body)
    assert len(performance.typed) == 11
    assert (tmp_path / "year" / "index.html").exists()
    assert not (tmp_path / "winter.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize("path", [*PAGES, STUDY], ids=lambda path: path.stem)
def test_what_a_page_types_prints_what_it_shows(path, tmp_path):
    performance = Performance(tmp_path)
    for name, body in steps(path):
        if name is None:
            performance.type(body)
        else:
            performance.make(name, body)


def test_there_are_five_pages_and_all_run_something():
    assert [path.stem for path in PAGES] == ["mechanism", "positions", "publish", "survey", "year"]
    for path in PAGES:
        assert any(steps(path)) or ">>>" in path.read_text(encoding="utf-8")
        assert len(path.read_text(encoding="utf-8").split()) <= 900
