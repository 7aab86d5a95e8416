"""OpenDP: transformations with discrete Laplace noise, and its private quantile."""

import opendp.prelude as dp
from answering import answer_all

dp.enable_features("contrib")


def rows(kind=int, bounds=None, size=None):
    domain = dp.atom_domain(bounds=bounds) if bounds else dp.atom_domain(T=kind)
    return dp.vector_domain(domain, size=size), dp.symmetric_distance()


def noised(made, change, epsilon):
    """A transformation with the least noise that the library finds for the level."""
    scale = dp.binary_search_param(lambda scale: made >> dp.m.then_laplace(scale), change, epsilon)
    return made >> dp.m.then_laplace(scale)


def gaussian(cells, touched, epsilon, delta):
    """Counts with the least discrete Gaussian noise: a person has one row in each of `touched`.

    Their Euclidean length is what the library allows for the root of that many rows of any kind.
    """
    made = rows() >> dp.t.then_count_by_categories(
        cells, null_category=False, MO=dp.L2Distance[float])

    def spent(scale):
        noisy = dp.c.make_zCDP_to_approxDP(made >> dp.m.then_gaussian(scale))
        return dp.c.make_fix_delta(noisy, delta)

    scale = dp.binary_search_param(spent, round(touched**0.5), (epsilon, delta))
    return made >> dp.m.then_gaussian(scale)


def count(problem):
    held, values = noised(rows() >> dp.t.then_count(), 1, problem["epsilon"]), problem["values"]
    return lambda: [held(values)]


def histogram(problem):
    cells, whole = list(range(problem["cells"])), problem.get("whole")
    if "delta" in problem:
        held = gaussian(cells, problem["change"], problem["epsilon"], problem["delta"])
        return lambda: held(problem["values"])
    made = rows() >> dp.t.then_count_by_categories(cells, null_category=False)
    held = noised(made, problem["change"], problem["epsilon"])

    def once():
        found = held(problem["values"])
        return [max(x, 0) for x in found] if whole else found

    return once


def summed(problem, epsilon=None):
    made = rows() >> dp.t.then_clamp((problem["low"], problem["high"])) >> dp.t.then_sum()
    change = 1
    if problem.get("public"):
        made = (rows(bounds=(problem["low"], problem["high"]), size=len(problem["values"]))
                >> dp.t.then_sum())
        change = 2
    held = noised(made, change, epsilon or problem["epsilon"])
    return lambda: [held(problem["values"])]


def mean(problem):
    values, low, high = problem["values"], float(problem["low"]), float(problem["high"])
    if problem["public"]:
        made = rows(bounds=(low, high), size=len(values)) >> dp.t.then_mean()
        held, floats = noised(made, 2, problem["epsilon"]), [float(x) for x in values]
        return lambda: [min(max(held(floats), low), high)]
    total = summed(problem, problem["epsilon"] / 2)
    number = count({**problem, "epsilon": problem["epsilon"] / 2})
    return lambda: [min(max(total()[0] / max(number()[0], 1), low), high)]


def counts(problem):
    share = problem["epsilon"] / len(problem["values"])
    held = [noised(rows() >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum(), 1, share)
            for _ in problem["values"]]
    return lambda: [one(values) for one, values in zip(held, problem["values"], strict=True)]


def median(problem):
    size = len(problem["values"]) if problem["public"] else None
    space, change = rows(size=size), 2 if problem["public"] else 1
    candidates = list(range(problem["low"], problem["high"] + 1))

    def made(scale):
        return space >> dp.m.then_private_quantile(dp.max_divergence(), candidates, 0.5, scale)

    held = made(dp.binary_search_param(made, change, problem["epsilon"]))
    return lambda: [held(problem["values"])]


answer_all({"count": count, "histogram": histogram, "sum": summed, "mean": mean,
            "counts": counts, "median": median}, "opendp", "OpenDP")
