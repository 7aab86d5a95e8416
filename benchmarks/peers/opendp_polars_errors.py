"""OpenDP's API for Polars: a query of a context with the whole ε; keys of groups are stated."""

import opendp.prelude as dp
import polars as pl
from answering import answer_all

dp.enable_features("contrib")
ROWS = 10_000
"""The most rows of the table, a public bound."""


def asked(problem, columns, expression, cells=None):
    """Ask again and again, each time of a new context; answers in the order of the cells."""
    margin = [dp.polars.Margin(max_length=ROWS)]
    if cells:
        margin.append(dp.polars.Margin(by=["cell"], max_length=ROWS, invariant="keys"))
    rows = pl.DataFrame(columns).lazy()

    def once():
        context = dp.Context.compositor(
            data=rows, privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(epsilon=problem["epsilon"]), split_evenly_over=1,
            margins=margin)
        query = context.query()
        query = query.group_by("cell").agg(expression) if cells else query.select(expression)
        answer = query.release().collect()
        if not cells:
            return [answer.item()]
        told = dict(answer.rows())
        return [told[cell] for cell in range(cells)]

    return once


def count(problem):
    return asked(problem, {"value": problem["values"]}, dp.len())


def histogram(problem):
    return asked(problem, {"cell": problem["values"]}, dp.len(), problem["cells"])


def ages(problem):
    return pl.col.age.fill_null(problem["low"]).dp


def whole(act):
    return lambda problem: asked(problem, {"age": problem["values"]}, act(problem))


def grouped(act):
    def ask(problem):
        columns = {"cell": [cell for cell, own in enumerate(problem["groups"]) for _ in own],
                   "age": [age for own in problem["groups"] for age in own]}
        return asked(problem, columns, act(problem), len(problem["groups"]))

    return ask


def total(problem):
    return ages(problem).sum((problem["low"], problem["high"]))


def mean(problem):
    return ages(problem).mean((problem["low"], problem["high"]))


def median(problem):
    return ages(problem).median(list(range(problem["low"], problem["high"] + 1)))


answer_all({"count": count, "histogram": histogram, "sum": whole(total), "mean": whole(mean),
            "means": grouped(mean), "median": whole(median), "medians": grouped(median)},
           "opendp", "OpenDP, Polars")
