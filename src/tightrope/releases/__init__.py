"""Releases: private statistics of a table, charged to a budget, and what is published of them."""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.releases.accuracy import error_facts
    from tightrope.releases.answers import Answer
    from tightrope.releases.descriptions import answer_table, content_facts
    from tightrope.releases.figures import release_figure
    from tightrope.releases.gains import optimal_gains
    from tightrope.releases.one_call import (
        count,
        histogram,
        mean,
        median,
        proportion,
        quantiles,
        sum,
        variance,
    )
    from tightrope.releases.planning import Plan, plan_release
    from tightrope.releases.publication import (
        is_release,
        read_release,
        release_bytes,
        release_content,
    )
    from tightrope.releases.questions import Question
    from tightrope.releases.release import Release
    from tightrope.releases.releasing import OpenTable, asked_level, open_books
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Answer",
    "OpenTable",
    "Plan",
    "Question",
    "Release",
    "answer_table",
    "asked_level",
    "content_facts",
    "count",
    "error_facts",
    "histogram",
    "is_release",
    "mean",
    "median",
    "open_books",
    "optimal_gains",
    "plan_release",
    "proportion",
    "quantiles",
    "read_release",
    "release_bytes",
    "release_content",
    "release_figure",
    "sum",
    "variance",
]
