"""OpenDP: randomized response on a categorical value, once for each value."""

import math

import opendp.prelude as dp
from stopwatch import race

dp.enable_features("contrib")


def prepare(categories, epsilon):
    keep = math.exp(epsilon) / (math.exp(epsilon) + categories - 1)
    measurement = dp.m.make_randomized_response(list(range(categories)), keep)
    return lambda column: [measurement(value) for value in column]


race(prepare, "opendp", form=lambda codes: codes.tolist())
