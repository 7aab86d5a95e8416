"""A level shared among columns, against every way to share it."""

from fractions import Fraction
from itertools import product

import pytest

from tightrope.choices import Estimand, Split
from tightrope.constructions import (
    FrequencyProtocol,
    best_randomizer,
    compare_protocols,
    randomized_response,
)
from tightrope.exact import Level
from tightrope.privacy import sequential
from tightrope.spaces import categories
from tightrope.tables import protect
from tightrope.tables.domains import Values
from tightrope.tables.plans import margin
from tightrope.tables.protection import protect_all
from tightrope.tables.splits import UNITS, _design_error, _margin, share_level
from tightrope.utility import estimate_variances

RESPONSE = frozenset({FrequencyProtocol.RESPONSE})
COARSE = 60
"""Parts of the level in the brute force: each is so many of the finer units."""


def errors(size, epsilon):
    """The variances of all estimated shares in sum, from one row, of equally common values."""
    response = randomized_response(categories(size), Level.parse(f"{epsilon:.12g}")).mechanism
    return float(estimate_variances(response, [1 / size] * size, 1, sampling=False).sum())


@pytest.mark.parametrize("epsilon", ["0.5", "2", "9"])
@pytest.mark.parametrize("sizes", [(2, 3), (2, 20, 5), (4, 4)])
def test_no_split_errs_less_than_the_stated_gap_allows(sizes, epsilon):
    whole = Level.parse(epsilon)
    shared = share_level(whole, [Values(categories(size)) for size in sizes],
                         [RESPONSE] * len(sizes), Split.ERROR)
    assert sequential(shared.levels).compare_level(whole) == 0
    own = sum(errors(size, float(part)) for size, part in zip(sizes, shared.levels, strict=True))
    costs = {(size, part): errors(size, float(whole) * part / COARSE)
             for size in sizes for part in range(1, COARSE)}
    splits = (parts for parts in product(range(1, COARSE), repeat=len(sizes))
              if sum(parts) == COARSE)
    least = min(sum(costs[pair] for pair in zip(sizes, parts, strict=True)) for parts in splits)
    assert UNITS % COARSE == 0
    assert own <= least * (1 + shared.gap + 1e-9)
    assert own <= least * 1.01
    even = sum(errors(size, float(whole) / len(sizes)) for size in sizes)
    assert own <= even * (1 + shared.gap)


WEIGHTS = {"1/2/3/4/5": [0, 1, 2, 3, 4], "0/100": [0, 100], "a/b/c": [0, 1, 2]}
"""Values, and numbers as far apart as their scores."""


def designed(values, epsilon):
    """The variance of the mean of equally common rows themselves, relative to the range squared."""
    weights = WEIGHTS[values]
    made = best_randomizer(f"categories:{len(weights)}", epsilon, workload=[weights])
    mean = sum(weights) / len(weights)
    drawn = sum((weight - mean) ** 2 for weight in weights) / len(weights)
    return (float(made.value) - drawn) / max(weights) ** 2


@pytest.mark.parametrize("first", ["0/100", "a/b/c"])
def test_columns_with_an_aim_share_the_level_by_what_they_are_designed_for(first):
    columns = {"a": first, "b": "1/2/3/4/5"}
    made, shared = protect_all(columns, 2, ratio=None, protocol=None, split=Split.ERROR,
                               weights=None, missing="first", aim="mean")
    own = sum(designed(values, column.level)
              for values, column in zip(columns.values(), made, strict=True))
    costs = {(values, part): designed(values, Fraction(2 * part, COARSE))
             for values in columns.values() for part in range(1, COARSE)}
    least = min(costs[first, part] + costs["1/2/3/4/5", COARSE - part]
                for part in range(1, COARSE))
    assert own <= least * (1 + shared.gap)
    assert own <= least * 1.01
    by_shares = protect(columns, 2)  # as if shares by randomized response were wanted
    assert sum(designed(values, column.level) for values, column in zip(
        columns.values(), by_shares, strict=True)) > least * (1 + shared.gap)


def test_the_split_by_margins_evens_out_the_margins_of_means():
    made = protect({"a": "0/100", "b": "1/2/3/4/5"}, 2, split="margins", aim="mean")
    both = [margin(column, 1000) / width for column, width in zip(made, (100, 4), strict=True)]
    assert max(both) < 1.01 * min(both)


def test_shares_of_many_values_are_split_as_they_are_reported():
    """More than 16 values take the best protocol, and the split must know."""
    many = "/".join(map(str, range(60)))
    made = protect({"a": many, "b": "no/yes"}, 2, aim="shares")
    assert made[0].protocol is FrequencyProtocol.SUBSETS
    costs = [compare_protocols(60, Level.parse(f"{2 * part / 300:.12g}"))[0].error
             + compare_protocols(2, Level.parse(f"{2 * (300 - part) / 300:.12g}"))[0].error
             for part in range(1, 300)]
    own = sum(compare_protocols(size, column.level)[0].error
              for size, column in zip((60, 2), made, strict=True))
    assert own <= min(costs) * 1.02


def test_a_part_too_small_for_a_design_is_not_taken():
    shared = share_level(Level.parse("1"), [Values(categories(size)) for size in (5, 2)],
                         [RESPONSE] * 2, Split.ERROR, aims=[Estimand.MEAN, None])
    assert min(float(part) for part in shared.levels) > 0.1


@pytest.mark.parametrize(("aim", "split", "limit"), [
    (Estimand.MEAN, Split.ERROR, 1e-6), (Estimand.SHARES, Split.ERROR, 1e-6),
    (Estimand.MEAN, Split.MARGINS, 1e-3)])
def test_rows_that_are_hardly_changed_have_hardly_an_error(aim, split, limit):
    """The draw of the rows from a population is no error of a column."""
    assert 0 <= _design_error(categories(5), aim, split, 20.0) < limit
    assert _design_error(categories(5), aim, split, 1.0) > 0.4


@pytest.mark.parametrize("declared", ["sets3:a/b/c/d/e", "sets:a/b/c", "no/yes", "1/2/3/4/5/6/7"])
def test_the_split_sees_the_margins_that_are_stated(declared):
    (column,) = protect({"a": declared}, 1, protocol="best")
    allowed = (RESPONSE if declared.startswith("sets:")
               else frozenset(FrequencyProtocol) - {FrequencyProtocol.DESIGNED})
    assert 1.959963984540054 * _margin(column.domain, allowed, 1.0) / 100 == pytest.approx(
        margin(column, 10_000))
