"""Releases: private statistics of a table, charged to a budget, and what is published of them."""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.releases.accuracy import error_facts, interval_text
    from tightrope.releases.answered_plans import AnsweredPart, PlanRelease
    from tightrope.releases.answers import Answer, Margin, legend, legends, mark
    from tightrope.releases.descriptions import answer_table, cell_names, content_facts
    from tightrope.releases.differences import Difference, difference, obstacle, subtract
    from tightrope.releases.figures import chance_figure, release_figure
    from tightrope.releases.gains import optimal_gains
    from tightrope.releases.labels import columns_of_cells, shown_cell, shown_choice, words_of
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
    from tightrope.releases.plan_descriptions import plan_content_facts
    from tightrope.releases.plan_documents import PublishedPlan, published_of, read_plan
    from tightrope.releases.planning import QuestionPlan, plan_release
    from tightrope.releases.plans import plan
    from tightrope.releases.publication import (
        PublishedRelease,
        is_plan,
        is_release,
        read_release,
        release_content,
    )
    from tightrope.releases.questions import Question
    from tightrope.releases.release import Release
    from tightrope.releases.releasing import OpenTable, asked_level, open_books
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Answer",
    "AnsweredPart",
    "Difference",
    "Margin",
    "OpenTable",
    "PlanRelease",
    "PublishedPlan",
    "PublishedRelease",
    "Question",
    "QuestionPlan",
    "Release",
    "answer_table",
    "asked_level",
    "cell_names",
    "chance_figure",
    "columns_of_cells",
    "content_facts",
    "count",
    "difference",
    "error_facts",
    "histogram",
    "interval_text",
    "is_plan",
    "is_release",
    "legend",
    "legends",
    "mark",
    "mean",
    "median",
    "obstacle",
    "open_books",
    "optimal_gains",
    "plan",
    "plan_content_facts",
    "plan_release",
    "proportion",
    "published_of",
    "quantiles",
    "read_plan",
    "read_release",
    "release_content",
    "release_figure",
    "shown_cell",
    "shown_choice",
    "subtract",
    "sum",
    "variance",
    "words_of",
]
