"""KL-pc both ways on 200 instances each: levels, packings and covers, measures and mechanisms."""

import random
from fractions import Fraction
from itertools import combinations
from math import exp, log

from tightrope.constructions import exponential
from tightrope.spaces import matrix
from tightrope.theory import (
    body_accuracy,
    cover_measure,
    failures,
    least_ball,
    packing,
    smallest_level_for,
)

F = Fraction


def random_metric(source, size):
    """Distances from 1 to 2, which always are a metric."""
    d = [[F(0)] * size for _ in range(size)]
    for a, b in combinations(range(size), 2):
        d[a][b] = d[b][a] = F(source.randrange(2, 5), 2)
    return d


def test_remark_2_4_on_200_levels():
    """Equidistant answers in one ball or apart: a mechanism exists iff ε is at least ε* C."""
    source, verdicts = random.Random(24), []
    for _ in range(8):
        size, far = source.randrange(2, 6), F(source.randrange(1, 5), 2)
        failure = F(1, source.randrange(3, 12))
        space = matrix(range(size), [[F(0) if a == b else far for b in range(size)]
                                     for a in range(size)])
        told = smallest_level_for(space, F(0), failure)
        for _ in range(25):
            epsilon = source.choice([told.lower, told.upper]) * source.choice([0.99, 1.01])
            # of n equal rows, 1 - δ on its own answer and δ/(n - 1) on each other one
            exists = (1 - failure) * (size - 1) <= float(failure) * exp(epsilon * float(far))
            exists = exists or failure >= F(size - 1, size)
            assert exists == (epsilon >= told.upper)
            verdicts.append(exists)
    assert len(verdicts) == 200
    assert 40 <= sum(verdicts) <= 160


def test_theorem_a_2_on_200_metrics():
    """Centers of a largest packing of balls of radius r/2 cover at r; no cover has fewer balls."""
    source = random.Random(2)
    for _ in range(200):
        size, radius = source.randrange(2, 8), F(source.randrange(1, 5), 2)
        d = random_metric(source, size)
        space = matrix(range(size), d)
        chosen = packing(space, radius / 2, first=source.randrange(size))
        assert all(min(d[y][c] for c in chosen) <= radius for y in range(size))
        for y in range(size):  # balls around the chosen points are disjoint
            assert sum(d[y][c] <= radius / 2 for c in chosen) <= 1
        fewest = next(k for k in range(1, size + 1) if any(
            all(min(d[y][c] for c in some) <= radius / 2 for y in range(size))
            for some in combinations(range(size), k)))
        assert len(chosen) <= fewest


def test_theorem_3_4_step_by_step_on_200_metrics():
    """A cover gives a measure whose balls weigh enough, and a measure a mechanism that is right."""
    source = random.Random(34)
    for _ in range(200):
        size = source.randrange(2, 6)
        d = random_metric(source, size)
        space = matrix(range(size), d)
        radius, failure = F(source.randrange(1, 4)), F(1, source.randrange(3, 30))
        measure = cover_measure(space)
        assert sum(measure) == 1
        least = min(sum(m for m, x in zip(measure, row, strict=True) if x <= radius / 2)
                    for row in d)
        assert least == least_ball(space, measure, radius / 2) > 0
        beta = 2 / float(radius) * log(1 / (failure * least))
        weights = [[float(m) * exp(-beta * float(x)) for m, x in zip(measure, row, strict=True)]
                   for row in d]
        for row, line in zip(weights, d, strict=True):
            near = sum(w for w, x in zip(row, line, strict=True) if x <= radius)
            assert near / sum(row) > 1 - failure - F(1, 10**9)
        told = exponential(space, 2 * beta, base=measure)
        assert max(failures(told.mechanism, radius)) <= failure


def test_a_body_of_one_dimension_is_an_interval():
    line = body_accuracy("interval:0..1", "1/4", "1/10")
    for text in ("cube:1", "ball:1,radius=1/2"):
        told = body_accuracy(text, "1/4", "1/10")
        assert (told.lower, told.upper) == (line.lower, line.upper)
