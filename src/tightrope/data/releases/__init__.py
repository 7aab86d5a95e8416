"""Releases: private statistics of a table, charged to a budget, and what is published of them."""

from tightrope.data.releases.accuracy import error_facts
from tightrope.data.releases.answers import Answer
from tightrope.data.releases.gains import Gain, optimal_gains
from tightrope.data.releases.marks import legends
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
from tightrope.data.releases.showing import answer_columns, release_figure

__all__ = [
    "Answer",
    "Ask",
    "Gain",
    "OpenTable",
    "Plan",
    "PublishedRelease",
    "Question",
    "Release",
    "answer_columns",
    "asked_level",
    "error_facts",
    "is_release",
    "legends",
    "open_books",
    "optimal_gains",
    "plan_release",
    "read_release",
    "release_bytes",
    "release_content",
    "release_figure",
]
