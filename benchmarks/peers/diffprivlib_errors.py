"""diffprivlib: its tools; n is public to them but in histograms."""

import numpy as np
from answering import answer_all
from diffprivlib import BudgetAccountant, tools


def count(problem):
    values = np.zeros(len(problem["values"]))
    return lambda: tools.histogram(values, problem["epsilon"], bins=1, range=(-1, 1),
                                   accountant=BudgetAccountant())[0]


def histogram(problem):
    values, cells = np.array(problem["values"]), problem["cells"]
    return lambda: tools.histogram(values, problem["epsilon"] / problem["change"], bins=cells,
                                   range=(-0.5, cells - 0.5), accountant=BudgetAccountant())[0]


def summed(problem):
    if not problem["public"]:
        return None
    values, bounds = np.array(problem["values"]), (problem["low"], problem["high"])
    return lambda: [tools.sum(values, problem["epsilon"], bounds=bounds, dtype=int,
                              accountant=BudgetAccountant())]


def mean(problem):
    if not problem["public"]:
        return None
    values, bounds = np.array(problem["values"], float), (problem["low"], problem["high"])
    return lambda: [tools.mean(values, problem["epsilon"], bounds=bounds,
                               accountant=BudgetAccountant())]


def counts(problem):
    share, held = problem["epsilon"] / len(problem["values"]), []
    for values in problem["values"]:
        held.append(np.zeros(sum(values)))
    return lambda: [tools.histogram(values, share, bins=1, range=(-1, 1),
                                    accountant=BudgetAccountant())[0][0] for values in held]


def median(problem):
    if not problem["public"]:
        return None
    values, bounds = np.array(problem["values"], float), (problem["low"], problem["high"])
    return lambda: [round(tools.median(values, problem["epsilon"], bounds=bounds,
                                       accountant=BudgetAccountant()))]


def grouped(ask):
    """Each group with the whole level: a row that is replaced stays in its group."""
    def asked(problem):
        if not problem["public"]:
            return None
        parts = [ask({**problem, "values": values}) for values in problem["groups"]]
        return lambda: [part()[0] for part in parts]

    return asked


answer_all({"count": count, "histogram": histogram, "sum": summed, "mean": mean,
            "counts": counts, "median": median, "means": grouped(mean),
            "medians": grouped(median)}, "diffprivlib", "diffprivlib")
