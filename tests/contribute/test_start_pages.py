"""The pages of docs/start are typed as they stand, and print what they show."""

import pytest

from tests.architecture.source import ROOT
from tests.contribute.performing import BLOCK, Performance

PAGES = sorted(path for path in (ROOT / "docs" / "start").glob("*.md") if path.stem != "index")


def sessions(path):
    blocks = BLOCK.finditer(path.read_text(encoding="utf-8"))
    return [block["body"] for block in blocks if block["language"] == "console"]


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_what_a_page_types_prints_what_it_shows(path, tmp_path):
    performance = Performance(tmp_path)
    for session in sessions(path):
        performance.type(session)


def test_there_are_four_pages_and_all_run_something():
    assert [path.stem for path in PAGES] == ["mechanism", "positions", "publish", "survey"]
    for path in PAGES:
        assert sessions(path) or ">>>" in path.read_text(encoding="utf-8")
        assert len(path.read_text(encoding="utf-8").split()) <= 900
