"""Small levels: all sixteen statistics are planned, drawn and answered at once, however small ε."""

from fractions import Fraction
from time import process_time

import pytest

from tightrope.declarations import Declaration
from tightrope.releases import Question, plan_release
from tightrope.releases.answers import answers
from tightrope.releases.publication import laws_of
from tightrope.releases.statistics import STATISTICS

TABLE = Declaration.of({"dataset": "t", "unit": {"person": "who", "rows": 1}, "columns": {
    "x": {"type": "number", "low": 0, "high": 100, "resolution": 1},
    "y": {"type": "number", "low": 0, "high": 5000, "resolution": 1,
          "bins": [*range(0, 5001, 500)]},
    "c": {"type": "category", "values": ["a", "b", "c"]},
    "g": {"type": "category", "values": [f"g{k}" for k in range(30)]}}})
QUESTIONS = [
    Question("count"), Question("count", by="g"), Question("people"),
    Question("sum", "y"), Question("sum", "x", by="g"), Question("mean", "x"),
    Question("mean", "y", by="g"), Question("histogram", "g"),
    Question("cross", ("c", "g")), Question("counts", at=("x > 5", "c = 'a'")),
    Question("counts", at=tuple(f"y > {k}" for k in range(100))),
    Question("proportion", at=("x > 5",), by="g"), Question("variance", "x"),
    Question("variance", "y", by="g"), Question("median", "x", by="g"),
    Question("quantiles", "x", at=("0.25", "0.5", "0.75")), Question("minimum", "x", by="g"),
    Question("maximum", "y"), Question("distribution", "y"), Question("mode", "c", by="g"),
    Question("frequent", "g", at=3), Question("left_out", "x", by="g"),
    Question("cut", by="g"), Question("upper_bound", "y"), Question("lower_bound", "y"),
]
LEVELS = ["1", "0.1", "0.01", "0.001", "0.0001", "0.000001"]
ADDITIONS = 30_000
"""Sums of two fractions, in the time of which a release is made; reading apart."""


def least_seconds(work):
    """The least processor time of three runs."""
    seconds = []
    for _ in range(3):
        started = process_time()
        work()
        seconds.append(process_time() - started)
    return min(seconds)


def add_fractions():
    """The measure of this machine, as it is now."""
    total = Fraction(1, 3)
    for k in range(1, ADDITIONS):
        total = Fraction(k, 7) + Fraction(1, k)
    return total


def test_all_statistics_are_here():
    keys = {"keys"}  # need a δ and no tiny ε: tests/releases/test_keys.py
    assert {question.ask for question in QUESTIONS} == set(STATISTICS) - keys


def released(question, epsilon):
    made = plan_release(question, TABLE, epsilon)
    assert made.facts().json["cells"]
    drawn = [part.draw([7] * length(part.subquery.space)) for part in made.subqueries]
    return made, answers(made, drawn), laws_of(made)


def length(space):
    if hasattr(space, "values"):
        return space.groups * space.values
    return space.cells if hasattr(space, "cells") else space.length


@pytest.mark.parametrize("epsilon", LEVELS)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
def test_a_small_level_takes_no_longer(question, epsilon):
    made = least_seconds(lambda: released(question, epsilon))
    assert made < least_seconds(add_fractions)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
def test_errors_and_widths_grow_as_levels_fall(question):
    """Ten times less ε is ten times the error, once noise is wide beside a step of rounding."""
    wide, wider = (plan_release(question, TABLE, epsilon) for epsilon in ("0.001", "0.0001"))
    for one, other in [(wide.error, wider.error), (wide.width, wider.width)]:
        assert (one is None) is (other is None)
        if one is not None:
            assert Fraction(99, 10) < other / one < Fraction(101, 10)
