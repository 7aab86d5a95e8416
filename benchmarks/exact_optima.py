"""Exact optima: how long a gap of exactly 0 takes, over families, losses, priors and levels.

Spaces of up to 20 points, and paths, cycles, stars and trees of 40, for the mean over an even
and a random prior and for the worst input. Processor time, so that other programs on the machine
do not count; it includes the interior point, the proof and the certificate.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from reports import Report

from tightrope.constructions import Effort, design
from tightrope.errors import TightropeError
from tightrope.files import read_space
from tightrope.spaces import Space, graph
from tightrope.utility import Prior, uniform

LIMIT = 60.0
RATIOS = ("2", "5", "50")
FAMILIES = ("path:0..39", "cycle:40", "star:39", "tree:40", "grid:4x5,metric=manhattan",
            "hamming:values=2,people=4", "categories:20", "sets:4", "cycle:20")
TINY = {"families": ("cycle:4",), "ratios": ("2",)}


def tree(nodes: int) -> Space:
    """A tree whose every node hangs from one before it, the same on every run."""
    source = np.random.default_rng(7)
    links = [(k, int(source.integers(0, k))) for k in range(1, nodes)]
    return graph(range(nodes), links)


def losses(space: Space) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Losses of the space by name, as whole numbers."""
    size, source = space.size, np.random.default_rng(3)
    inputs = np.arange(size)
    lengths = np.rint(space.lengths(inputs[:, None], inputs[None, :])).astype(np.int64)
    yield "binary", (lengths > 0).astype(np.int64)
    yield "distance", lengths
    yield "squared distance", lengths**2
    yield "difference of numbers", abs(inputs[:, None] - inputs)
    yield "random to 999", source.integers(0, 1000, (size, size))
    yield "random digits", source.integers(0, 10, (size, size))


def measure(families: tuple[str, ...] = FAMILIES, ratios: tuple[str, ...] = RATIOS) -> Report:
    """Solve every problem, and tell the median and the slowest of each family and aim."""
    rows: list[list[str]] = []
    numbers: dict[str, float] = {}
    for family in families:
        space = tree(40) if family == "tree:40" else read_space(family)
        weights = np.random.default_rng(4).integers(1, 50, space.size).tolist()
        uneven = Prior.of([Fraction(weight, sum(weights)) for weight in weights])
        for aim in ("even prior", "random prior", "worst input"):
            times, steps, refused, slowest = [], [], 0, ("", "")
            for name, loss in losses(space):
                for ratio in ratios:
                    started = time.process_time()
                    try:
                        solution = design(
                            space, ratio=ratio, loss=loss, exact=True, effort=Effort(seconds=LIMIT),
                            prior=uneven if aim == "random prior" else uniform,
                            goal="worst" if aim == "worst input" else "average")
                    except TightropeError:
                        refused += 1
                        continue
                    times.append(time.process_time() - started)
                    steps.append(int(solution.statistics["steps"]))
                    if times[-1] == max(times):
                        slowest = (name, ratio)
            numbers[f"{family} {aim}"] = max(times, default=LIMIT)
            rows.append([family, aim, f"{np.median(times):.2f}", f"{max(times):.2f}",
                         f"{slowest[0]}, e^ε = {slowest[1]}", str(max(steps)), str(refused)])
    return Report(
        "Exact optima",
        f"Six losses at e^ε = {', '.join(ratios)}; seconds of processor time, refused after "
        f"{LIMIT:.0f} s.",
        ["space", "aim", "median", "slowest", "which", "most exact steps", "refused"],
        rows, ["Every gap is exactly 0: the optimal basis is proved in fractions."], numbers,
    )
