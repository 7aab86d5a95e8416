"""The changelog is short, sorted by kind, and of the version that is built."""

import re
import tomllib

import tightrope
from tests.architecture.source import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
LINES = TEXT.splitlines()
MOST_WORDS = 20


def test_a_line_of_the_changelog_has_at_most_20_words():
    lines = [line.removeprefix("- ") for line in LINES if line.startswith("- ")]
    assert len(lines) > 50
    assert [line for line in lines if len(line.split()) > MOST_WORDS] == []


def test_lines_stand_under_added_changed_or_fixed():
    prose = "newest first|first release|^$|^- |^# |^## (Unreleased|[0-9]+[.][0-9]+[.][0-9]+)$"
    others = [line for line in LINES if not re.search(prose, line)]
    assert {*others} == {"### Added", "### Changed", "### Fixed"}
    for version in re.split("(?m)^## ", TEXT)[1:]:
        kinds = re.findall("(?m)^### (.*)$", version)
        assert kinds == sorted({*kinds})
        assert "\n- " not in version.partition("\n### ")[0]


def test_one_version_is_stated_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = re.findall("(?m)^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    newest = re.findall("(?m)^## ([0-9].*)$", TEXT)[:1]
    assert {tightrope.__version__, *cited, *newest} == {project["version"]}
