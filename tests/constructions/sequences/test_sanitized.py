"""Sanitize the dataset, then answer: against every outcome of every value, one by one."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from tightrope.constructions import compare, design
from tightrope.constructions.query_catalog import entry
from tightrope.exact import Level
from tightrope.spaces import parse
from tightrope.utility import Problem


def by_hand(values, ratio, answer):
    """P(answer | dataset) with each value kept with ratio/(ratio + m - 1), rows in order."""
    datasets = list(product(*map(range, values)))
    chance = {
        (x, y): prod(Fraction(ratio if a == b else 1, ratio + m - 1)
                     for a, b, m in zip(x, y, values, strict=True))
        for x in datasets for y in datasets
    }
    answers = sorted(set(map(answer, datasets)))
    return [[sum(chance[x, y] for y in datasets if answer(y) == z) for z in answers]
            for x in datasets], chance, datasets, answers


def test_the_answer_is_that_of_a_table_randomized_value_by_value():
    rows, *_ = by_hand([3, 3], 2, sum)
    found = design("hamming:values=3,people=2", Level.ratio(2), query=sum, construction="sanitized")
    assert [list(found.mechanism.row_at(i)) for i in range(9)] == rows
    assert found.certified.certificate.smallest.exact == Level.ratio(2)


def test_values_of_different_columns_are_randomized_each_at_the_level():
    space = parse("categories:3 * sets:2")
    rows, *_ = by_hand([3, 2, 2], 4, lambda x: x[0] + 5 * (x[1] + x[2]))
    found = design(space, Level.ratio(4), query=lambda x: x[0] + 5 * len(x[1]),
                   construction="sanitized")
    assert [list(found.mechanism.row_at(i)) for i in range(12)] == rows


def test_the_identity_query_releases_the_sanitized_table():
    found = compare("hamming:values=2,people=3", Level.ratio(3), query="identity", loss="binary")
    losses = {row.construction: row.solution.value for row in found.rows if row.solution}
    assert losses["sanitized"] == pytest.approx(1 - (3 / 4) ** 3)  # all three values are kept
    assert losses["sanitized"] >= found.bound - 1e-12
    assert losses["sanitized-remapped"] <= losses["sanitized"] + 1e-12


def test_the_remap_is_the_best_of_all():
    """Three datasets' worth of a skewed prior: brute force over all maps of 4 outcomes."""
    prior, ratio = ["1/10", "2/10", "3/10", "4/10"], 2
    _, chance, datasets, answers = by_hand([2, 2], ratio, sum)
    best = min(
        sum(Fraction(p) * chance[x, y] * abs(sum(x) - g[k])
            for p, x in zip(prior, datasets, strict=True) for k, y in enumerate(datasets))
        for g in product(answers, repeat=4)
    )
    found = design("hamming:values=2,people=2", Level.ratio(ratio), query=sum, prior=prior,
                   construction="sanitized-remapped")
    assert found.value == pytest.approx(float(best), abs=1e-15)


def test_with_delta_the_table_has_the_level_of_one_value():
    found = design("hamming:values=2,people=2", Level.ratio(2, "1/10"), query="identity",
                   loss="binary", construction="sanitized")
    assert found.certified.certificate.delta == (Fraction(1, 10), Fraction(1, 10))


def test_what_has_no_values_to_randomize_says_so():
    asked = Problem("path:0..3", 1, query=lambda x: x)
    assert "one by one" in entry("sanitized").obstacle(asked)
    few = Problem("hamming:values=2,people=2", 1, query=sum, outputs=[0, 2])
    assert "not among the outputs" in entry("sanitized").obstacle(few)
    assert entry("sanitized-remapped").obstacle(few) is None
