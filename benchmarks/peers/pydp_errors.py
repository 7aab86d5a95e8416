"""PyDP, Google's library: counts, bounded sums and means, medians; rows come and go."""

from answering import answer_all
from pydp.algorithms import laplacian as held


def count(problem):
    values = problem["values"]
    return lambda: [held.Count(problem["epsilon"], dtype="int").quick_result(values)]


def histogram(problem):
    cells = [[0] * problem["values"].count(cell) for cell in range(problem["cells"])]
    share, whole = problem["epsilon"] / problem["change"], problem.get("whole")

    def once():
        found = [held.Count(share, dtype="int").quick_result(values) for values in cells]
        return [max(x, 0) for x in found] if whole else found

    return once


def summed(problem):
    if problem["public"]:
        return None
    return lambda: [held.BoundedSum(problem["epsilon"], 0, problem["low"], problem["high"],
                                    dtype="int").quick_result(problem["values"])]


def mean(problem):
    if problem["public"]:
        return None
    return lambda: [held.BoundedMean(problem["epsilon"], 0, problem["low"], problem["high"],
                                     dtype="int").quick_result(problem["values"])]


def counts(problem):
    share = problem["epsilon"] / len(problem["values"])
    cells = [[0] * sum(values) for values in problem["values"]]
    return lambda: [held.Count(share, dtype="int").quick_result(values) for values in cells]


def median(problem):
    if problem["public"]:
        return None
    return lambda: [held.Median(problem["epsilon"], 0, problem["low"], problem["high"],
                                dtype="int").quick_result(problem["values"])]


answer_all({"count": count, "histogram": histogram, "sum": summed, "mean": mean,
            "counts": counts, "median": median}, "python-dp", "PyDP")
