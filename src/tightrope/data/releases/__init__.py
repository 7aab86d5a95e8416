"""Releases: private statistics of a table, charged to a budget, and what is published of them."""

from tightrope.data.releases.planning import Plan, plan_release
from tightrope.data.releases.publication import read_entry
from tightrope.data.releases.questions import Ask, Question
from tightrope.data.releases.releasing import OpenTable, Release, asked_level, open_books

__all__ = [
    "Ask",
    "OpenTable",
    "Plan",
    "Question",
    "Release",
    "asked_level",
    "open_books",
    "plan_release",
    "read_entry",
]
