"""Documents of every form on many families of spaces, all of them valid."""

import copy
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions import (
    Randomizer,
    best_randomizer,
    compare,
    design,
    exponential,
    randomized_response,
    truncated_geometric,
)
from tightrope.documents import compose, least_variance_of, optimality_of
from tightrope.exact import Level, Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    NoiseMechanism,
    RemappedMechanism,
    SubsetMechanism,
    TableMechanism,
    UnaryMechanism,
)
from tightrope.privacy import Certified, certified
from tightrope.spaces import (
    categories,
    complete,
    counts,
    cycle,
    directed,
    graph,
    grid,
    hamming,
    histogram,
    matrix,
    path,
    points,
    product_max,
    product_sum,
    sets,
    star,
    sums,
)
from tightrope.utility import (
    LossMatrix,
    Prior,
    Problem,
    Solution,
    absolute,
    binary,
    euclidean,
    squared,
    uniform,
)

ONE = Fraction(1)
WEIGHTED = graph("abc", [(0, 1, "1/2"), (1, 2, "3/2"), (0, 2, "7/4")])
GIVEN = matrix(["x", "y", 3], [["0", "1", "5/3"], ["1", "0", "2"], ["5/3", "2", "0"]])
PLACES = points(["a", ("b", 1), "c"], [("0", "0"), ("1/2", "2"), ("-1", "3")])


def plain(space, ratio=2, unit=1):
    return KernelMechanism(space, Fraction(ratio), Fraction(unit), (ONE,) * space.size)


def rounded(space, ratio, weights):
    many = tuple(weights[i % len(weights)] for i in range(space.size))
    return KernelMechanism(space, Fraction(ratio), ONE, many, rounded=True)


def uneven():
    weights = tuple(map(Fraction, ("1", "0", "1/2", "2")))
    return KernelMechanism(path(0, 3), Fraction(3), ONE, weights)


def written(space, rows, outputs, exponents=None):
    return MatrixMechanism(space, outputs, Weights.from_integers(rows, exponents))


MAKERS = {
    "geometric path:0..2": lambda: truncated_geometric(path(0, 2), Level.ratio(2)),
    "decimal path:-1..2": lambda: truncated_geometric(path(-1, 2), Level.epsilon("0.5")),
    "kernel path:0..4": lambda: (plain(path(0, 4)), Level.ratio(5)),
    "uneven kernel": lambda: (uneven(), Level.ratio(30)),
    "noise": lambda: (NoiseMechanism(path(0, 9), Fraction(3, 2)), Level.ratio("3/2")),
    "noise decimal": lambda: (NoiseMechanism(path(0, 9), Fraction(3, 2)), Level.epsilon("0.5")),
    "noise with delta": lambda: (NoiseMechanism(path(0, 9), Fraction(3)),
                                 Level.ratio(2, delta="1/4")),
    "response categories:3": lambda: randomized_response(categories(3), Level.ratio(2)),
    "response names": lambda: (plain(categories(["red", "green", "ünder"])), Level.epsilon(1)),
    "table of kernels": lambda: (TableMechanism(plain(categories(["no", "yes"]), 3), 6366),
                                 Level.ratio(3)),
    "table of a matrix": lambda: (
        TableMechanism(written(categories(2), [[3, 1], [1, 3]], (0, 1)), 10), Level.ln(3)),
    "exponential cycle:4": lambda: exponential(cycle(4), Level.epsilon(1)),
    "exponential grid": lambda: exponential(grid((2, 2), "1/2"), Level.ratio(4)),
    "kernel grid manhattan": lambda: (plain(grid((2, 2), "1/2", "manhattan"), 2, "1/2"),
                                      Level.ratio(4)),
    "kernel grid chebyshev": lambda: (plain(grid((2, 2), "1/3", "chebyshev"), 2, "1/3"),
                                      Level.parse("ln(2)*3")),
    "subsets": lambda: (SubsetMechanism(categories(5), 2, Fraction(3)), Level.ratio(3)),
    "subsets with delta": lambda: (SubsetMechanism(complete(4), 1, Fraction(3)),
                                   Level.ratio(2, delta="1/6")),
    "unary": lambda: (UnaryMechanism(categories("a/b/c"), Fraction(1, 2), Fraction(1, 4)),
                      Level.ratio(3)),
    "table of subsets": lambda: (
        TableMechanism(SubsetMechanism(categories(300), 80, Fraction(5, 2)), 9),
        Level.epsilon(1)),
    "kernel hamming": lambda: (plain(hamming(values=2, people=2)), Level.ratio(2)),
    "kernel sets": lambda: (plain(sets(2), "3/2"), Level.ratio("3/2")),
    "kernel star": lambda: (plain(star(3)), Level.ratio(4)),
    "kernel complete": lambda: (plain(complete(4), 5), Level.ratio(5)),
    "exponential sum": lambda: exponential(sums(people=2, maximum=2), Level.epsilon("0.7")),
    "kernel counts": lambda: (plain(counts(people=1, queries=2)), Level.ratio(2)),
    "kernel histogram": lambda: (plain(histogram(people=2, cells=2)), Level.ratio(4)),
    "kernel add-remove": lambda: (
        plain(histogram(people=1, cells=2, neighbors="add-remove")), Level.ratio(4)),
    "exponential graph": lambda: exponential(WEIGHTED, Level.epsilon(2)),
    "exponential matrix": lambda: exponential(GIVEN, Level.ratio(3)),
    "exponential points": lambda: exponential(PLACES, Level.epsilon("0.5")),
    "kernel product": lambda: (plain(product_sum(path(0, 1), categories(2))), Level.ratio(2)),
    "exponential product max": lambda: exponential(product_max(path(0, 1), grid((1, 2))), 1),
    "delta matrix": lambda: (
        written(path(0, 2), [[4, 3, 0], [2, 3, 2], [0, 3, 4]], ("low", 5, ("a", 1))),
        Level.ratio(2, delta="2/7")),
    "delta decimal": lambda: (written(categories(2), [[3, 1], [1, 3]], (0, 1)),
                              Level.epsilon("0.5", delta="0.4")),
    "rounded kernel": lambda: (rounded(grid((3, 2)), "2", (2**61, 2**60, 3)), Level.epsilon(4)),
    "rounded path": lambda: (rounded(path(0, 3), "3/2", (5, 7)), Level.epsilon(2)),
    "remapped kernel": lambda: (
        RemappedMechanism(plain(path(0, 3)), (1, 1, 2, 3), ("a", "b", "c", "d")), Level.ratio(5)),
    "remapped rounded kernel": lambda: (
        RemappedMechanism(rounded(grid((3, 2)), "2", (2**61, 2**60, 3)), (0, 0, 2, 3, 4, 5),
                          grid((3, 2)).points), Level.epsilon(4)),
    "delta kernel": lambda: (plain(categories(3), 3), Level.ratio(2, delta="1/5")),
    "column of zeros": lambda: (written(path(0, 1), [[2, 0, 1], [1, 0, 2]], ("a", "b", "c")),
                                Level.ratio(2)),
    "minute": lambda: (
        written(path(0, 1), [[1, 1], [1, 1]], ("a", "b"), [[0, -5000], [0, -5001]]),
        Level.ratio("2.1")),
    "both parts": lambda: (plain(path(0, 2)), Level.epsilon("0.5") + Level.ln(2)),
    "long weights": lambda: (
        written(path(0, 1), [[2**200 + 1, 3**90], [2**200, 3**90 + 7]], (0, 1)),
        Level.ratio("1.1")),
}


NEGATIVE = LossMatrix(np.array([[-1.5, 0.0, 2.25], [0.1, -3.0, 1.0], [4.0, 0.0, -0.7]]))
WIDE = LossMatrix(np.array([[0.0, 1e9], [1e-9, 0.0]]))

STARRED = LossMatrix(np.arange(16.0).reshape(4, 4) % 7 - 2.5)
SKEWED = LossMatrix(np.arange(16.0).reshape(4, 4) * 3 % 11)

# space, level, prior, loss, the construction if not the best one
PROVED = {
    "optimal star": (star(3), Level.ratio(2), uniform, binary, "optimal"),
    "optimal path": (path(-1, 2), Level.epsilon("0.5"), uniform, absolute, "optimal"),
    "optimal grid": (grid((2, 2), "1/2"), Level.epsilon(1), uniform, euclidean, "optimal"),
    "optimal points": (PLACES, Level.ratio("3/2"), Prior.of(["1/2", "1/3", "1/6"]), euclidean,
                       "optimal"),
    "optimal matrix": (GIVEN, Level.ratio(3), Prior.of(["0", "1/3", "2/3"]), NEGATIVE, "optimal"),
    "optimal histogram": (histogram(people=2, cells=2), Level.ratio(4), uniform, squared,
                          "optimal"),
    "optimal one way": (directed("abc", [(0, 1), (1, 2, "1/2"), (2, 1)]), Level.ratio(4),
                        Prior.of(["1/2", "1/3", "1/6"]), binary, "optimal"),
    "exact star": (star(3), Level.ratio(2), Prior.of(["1/2", "1/4", "1/4", "0"]), binary, "exact"),
    "worst exact": (path(0, 3), Level.ratio("3/2"), uniform, squared, "exact"),
    "optimal wide": (categories(2), Level.ratio(2), uniform, WIDE, "optimal"),
    "proved geometric": (path(0, 2), Level.ratio(2), uniform, absolute, None),
    "proved response": (categories(3), Level.ratio(2), uniform, binary, "randomized-response"),
    "worst path": (path(0, 2), Level.ratio(2), uniform, absolute, "geometric"),
    "tight grid": (grid((3, 2)), Level.epsilon(1), uniform, binary, "tight"),
    "tight categories": (categories(4), Level.ratio(2), Prior.of(["2/5", "1/5", "1/5", "1/5"]),
                         binary, "tight"),
    "delta categories": (categories(3), Level.ratio(2, delta="1/10"), uniform, binary, "optimal"),
    "delta path": (path(0, 3), Level.epsilon("0.5", delta="0.03"),
                   Prior.of(["1/2", "0", "1/3", "1/6"]), absolute, "optimal"),
    "delta star": (star(3), Level.parse("ln(2)/2", delta="1/7"), uniform, STARRED, "optimal"),
    "worst delta cycle": (cycle(4), Level.ratio(3, delta="1/50"), uniform, SKEWED, "optimal"),
    "worst delta path": (path(0, 2), Level.epsilon(1, delta="1/1000000"), uniform, squared,
                         "optimal"),
    "proved kernel": (categories(3), Level.ratio(2), uniform, binary, "randomized-response"),
    "optimal square": (grid((3, 3)), Level.epsilon(1), uniform, euclidean, "optimal"),
    "optimal ring": (cycle(6), Level.ratio(2), uniform, binary, "optimal"),
    "remapped path": (path(0, 4), Level.epsilon("0.5"), uniform, absolute, "remapped-geometric"),
    "proved table": (categories(2), Level.ratio(3), uniform, binary, "optimal"),
}


# values, level, workload, prior, most outputs
VARIED = {
    "least variance": (3, Level.ratio(3), "cumulative", None, None),
    "least variance at e": (3, Level.epsilon(1), "mean", ["1/2", "1/3", "1/6"], None),
    "least variance of a contrast": (4, Level.ratio("5/2"), [1, 0, 0, "-1/2"], None, None),
    "least variance of few": (5, Level.epsilon(1), "cumulative",
                              ["1/2", "1/8", "1/8", "1/8", "1/8"], 6),
}


@cache
def _randomizer(name: str) -> Randomizer:
    values, level, workload, prior, outputs = VARIED[name]
    return best_randomizer(f"categories:{values}", level, workload=workload, prior=prior,
                           outputs=outputs)


@cache
def sample(name: str) -> Certified:
    if name in VARIED:
        return _randomizer(name).certified
    if name in PROVED:
        return _solution(name).certified
    made = MAKERS[name]()
    return made if isinstance(made, Certified) else certified(*made)


def _solution(name: str) -> Solution:
    space, level, prior, loss, construction = PROVED[name]
    goal = Goal.WORST if name.startswith("worst") else Goal.AVERAGE
    if construction == "exact":
        return design(space, level, prior=prior, loss=loss, goal=goal, exact=True)
    aim = goal if construction == "optimal" else Goal.AVERAGE
    rows = compare(space, level, prior=prior, loss=loss, goal=aim).rows
    found = {row.construction: row.solution for row in rows if row.solution is not None}
    chosen = design(space, level, prior=prior, loss=loss) if construction is None else (
        found[construction])
    if name == "proved kernel":
        chosen = replace(chosen, certified=certified(plain(space), level))
    if name == "proved table":
        table = TableMechanism(chosen.certified.mechanism, 12)
        chosen = replace(chosen, certified=certified(table, level))
    return replace(chosen, problem=Problem(space, level, prior, loss, goal))


@cache
def _document(name: str) -> dict[str, Any]:
    if name in PROVED:
        solution = _solution(name)
        claim = optimality_of(solution)
        assert claim is not None
        return compose(solution.certified, {"name": solution.construction}, optimality=claim)
    if name in VARIED:
        made = _randomizer(name)
        return compose(made.certified, {"name": name}, optimality=least_variance_of(made))
    return compose(sample(name), {"name": name})


def document(name: str) -> dict[str, Any]:
    """A fresh copy: tests change documents."""
    return copy.deepcopy(_document(name))
