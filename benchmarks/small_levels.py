"""All statistics at ever smaller levels: planned, drawn and answered, reading apart.

A budget of many small charges is the ordinary case. `TIGHTROPE_BENCH_GROUPS` is the number of
groups of a grouped statistic, 30 if it is not stated.
"""

from __future__ import annotations

import os
from time import process_time
from typing import Any

from reports import Report

from tightrope.declarations import Declaration
from tightrope.releases import Question, plan_release
from tightrope.releases.answers import answers

GROUPS = int(os.environ.get("TIGHTROPE_BENCH_GROUPS", 30))
LEVELS = ("1", "0.1", "0.01", "0.001", "0.0001", "0.000001")
TINY = {"levels": ("1", "0.0001")}
DECLARED = Declaration.of({"dataset": "t", "unit": {"person": "who", "rows": 1}, "columns": {
    "x": {"type": "number", "low": 0, "high": 5000, "resolution": 1,
          "bins": [*range(0, 5001, 500)]},
    "c": {"type": "category", "values": ["a", "b", "c"]},
    "g": {"type": "category", "values": [f"g{k}" for k in range(GROUPS)]}}})
QUESTIONS = (
    Question("count"), Question("people", by="g"), Question("sum", "x"),
    Question("mean", "x"), Question("mean", "x", by="g"), Question("histogram", "g"),
    Question("cross", ("c", "g")), Question("counts", at=("x > 5", "c = 'a'")),
    Question("proportion", at=("x > 5",)), Question("variance", "x"),
    Question("median", "x"), Question("quantiles", "x", at=("0.25", "0.5", "0.75")),
    Question("minimum", "x"), Question("maximum", "x"), Question("distribution", "x"),
    Question("mode", "c"), Question("frequent", "g", at=2),
)


def measure(levels: tuple[str, ...] = LEVELS) -> Report:
    """Answer every question once at every level, after what is imported late was."""
    rows, numbers = [], {}
    answered(QUESTIONS[0], "ln(2)")
    for question in QUESTIONS:
        seconds = [answered(question, level) for level in levels]
        rows.append([question.text, *(f"{1000 * second:.1f}" for second in seconds)])
        numbers[f"{question.text} most seconds"] = max(seconds)
    return Report(
        title="Small levels",
        question="Milliseconds of a processor from question to answers, reading apart, one run.",
        columns=["statistic", *(f"ε = {level}" for level in levels)],
        rows=rows,
        remarks=[f"x is from 0 to 5,000; g has {GROUPS} categories."],
        numbers=numbers,
    )


def answered(question: Question, level: str) -> float:
    """Seconds of a processor to plan, draw and answer a question about a table without rows."""
    started = process_time()
    made = plan_release(question, DECLARED, level)
    made.facts()
    answers(made, [part.draw([0] * _length(part.subquery.space)) for part in made.subqueries])
    return process_time() - started


def _length(space: Any) -> int:
    if hasattr(space, "values"):
        return int(space.groups * space.values)
    return int(space.cells if hasattr(space, "cells") else space.length)
