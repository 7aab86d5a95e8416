"""OpenDP's API for Polars: a query of a context with the whole ε; keys of groups are stated.

The table is repeated under a public number, once for each run, and grouped by it: one row more is
in one repetition alone, so each has the noise of a query of its own. That the scale of the noise
is the one of such a query is asserted.
"""

import opendp.prelude as dp
import polars as pl
from answering import answer_all

dp.enable_features("contrib")
ROWS = 10_000
"""The most rows of the table, a public bound."""


def asked(columns, runs, epsilon):
    """A query on the table repeated `runs` times, by repetition and cell."""
    rows = pl.DataFrame(columns).lazy().join(pl.LazyFrame({"run": range(runs)}), how="cross")
    context = dp.Context.compositor(
        data=rows, privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=epsilon), split_evenly_over=1,
        margins=[dp.polars.Margin(max_length=ROWS * runs),
                 dp.polars.Margin(by=["run", "cell"], max_length=ROWS, invariant="keys")])
    return context.query().group_by("run", "cell")


def answers_of(problem, columns, expression, cells):
    """All answers, each in the order of the cells."""
    runs, epsilon = problem["repeats"], problem["epsilon"]
    query = asked(columns, runs, epsilon).agg(expression)
    single = asked(columns, 1, epsilon).agg(expression)
    assert query.summarize().equals(single.summarize())
    told = {(run, cell): answer for run, cell, answer in query.release().collect().rows()}
    return [[told[run, cell] for cell in range(cells)] for run in range(runs)]


def counted(problem):
    cells = problem.get("cells", 1)
    values = problem["values"] if "cells" in problem else [0] * len(problem["values"])
    return problem, {"cell": values}, dp.len(), cells


def of_ages(act):
    def ask(problem):
        groups = problem.get("groups", [problem.get("values")])
        columns = {"cell": [cell for cell, own in enumerate(groups) for _ in own],
                   "age": [age for own in groups for age in own]}
        return problem, columns, act(problem, pl.col.age.fill_null(problem["low"]).dp), len(groups)

    return ask


def total(problem, ages):
    return ages.sum((problem["low"], problem["high"]))


def mean(problem, ages):
    return ages.mean((problem["low"], problem["high"]))


def median(problem, ages):
    return ages.median(list(range(problem["low"], problem["high"] + 1)))


def one_by_one(ask):
    """The answers of one query, in turn."""
    def prepared(problem):
        answers = iter(answers_of(*ask(problem)))
        return lambda: next(answers)

    return prepared


asks = {"count": counted, "histogram": counted, "sum": of_ages(total), "mean": of_ages(mean),
        "means": of_ages(mean), "median": of_ages(median), "medians": of_ages(median)}
answer_all({kind: one_by_one(ask) for kind, ask in asks.items()}, "opendp", "OpenDP, Polars")
