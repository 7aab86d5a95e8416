"""Releases: private statistics of a table, charged to a budget, and what is published of them."""

from tightrope.data.releases.answers import Answer
from tightrope.data.releases.planning import Plan, plan_release
from tightrope.data.releases.publication import (
    PublishedRelease,
    is_release,
    read_release,
    release_bytes,
    release_content,
)
from tightrope.data.releases.questions import Ask, Question
from tightrope.data.releases.releasing import OpenTable, Release, asked_level, open_books
from tightrope.data.releases.showing import release_figure

__all__ = [
    "Answer",
    "Ask",
    "OpenTable",
    "Plan",
    "PublishedRelease",
    "Question",
    "Release",
    "asked_level",
    "is_release",
    "open_books",
    "plan_release",
    "read_release",
    "release_bytes",
    "release_content",
    "release_figure",
]
