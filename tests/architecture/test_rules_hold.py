"""The tree keeps the rules: each rule of `rules` on every module, test and page."""

import pytest

from tests.architecture.rules import (
    MODULE_RULES,
    PAGES,
    SOURCES,
    TESTS,
    Rule,
    links_lead_somewhere,
    no_test_is_left_out,
    spelling_is_american,
)
from tests.architecture.source import modules


@pytest.mark.parametrize("rule", MODULE_RULES, ids=lambda rule: rule.__name__)
def test_the_package_keeps_the_rule(rule: Rule):
    assert [broken for module in modules() for broken in rule(module)] == []


def test_no_test_is_left_out():
    assert [broken for path in TESTS for broken in no_test_is_left_out(path)] == []


def test_code_and_pages_are_spelled_the_american_way():
    assert [broken for path in SOURCES + PAGES for broken in spelling_is_american(path)] == []


def test_links_between_pages_lead_somewhere():
    assert [broken for path in PAGES for broken in links_lead_somewhere(path)] == []
