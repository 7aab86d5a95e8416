"""Intervals hold as often as stated, by the exact law of the count and not by draws."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from scipy.stats import binom

from tightrope.choices import Interval
from tightrope.constructions import randomized_response, subset_selection
from tightrope.errors import BadInput
from tightrope.exact import Weights
from tightrope.mechanisms import KernelMechanism, MatrixMechanism, SubsetMechanism
from tightrope.spaces import categories, sets
from tightrope.utility import Tally, estimate, estimate_items, estimate_reports
from tightrope.utility.count_intervals import Chances, population_ends, table_ends

SIZES = (1, 2, 5, 10, 30, 100, 300)
LEVELS = (0.1, 0.5, 1, 2, 3, 5, 8)
ROUNDING = 1e-9


def response_chances(level, values):
    total = exp(level) + values - 1
    return exp(level) / total, 1 / total


def table_law(n, m, p, q):
    """The law of the count if m of n rows hold the value."""
    return np.convolve(binom.pmf(np.arange(m + 1), m, p),
                       binom.pmf(np.arange(n - m + 1), n - m, q))


def coverage(low, high, share, law):
    return law[(low <= share + ROUNDING) & (share <= high + ROUNDING)].sum()


def all_ends(make, n, p, q, confidence):
    """The interval of every count from 0 to n, cut to [0, 1]."""
    chances = Chances(np.full(n + 1, p), np.full(n + 1, q))
    low, high = make(np.arange(n + 1), n, chances, confidence)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_of_a_table_holds_for_every_number_of_rows_with_the_value(level, confidence):
    for values in (2, 4, 20):
        p, q = response_chances(level, values)
        for n in SIZES:
            low, high = all_ends(table_ends, n, p, q, confidence)
            for m in range(n + 1) if n <= 30 else {*range(10), *range(0, n + 1, n // 20), n}:
                assert coverage(low, high, m / n, table_law(n, m, p, q)) >= confidence - ROUNDING


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_of_a_population_holds_for_every_share(level, confidence):
    for values in (2, 20):
        p, q = response_chances(level, values)
        for n in SIZES:
            low, high = all_ends(population_ends, n, p, q, confidence)
            for share in np.linspace(0, 1, 101):
                law = binom.pmf(np.arange(n + 1), n, q + (p - q) * share)
                assert coverage(low, high, share, law) >= confidence - ROUNDING


@pytest.mark.parametrize("level", LEVELS)
def test_no_end_of_a_table_could_be_nearer(level):
    """One row further in, a tail at the end is as rare as half of what may be missed."""
    n, rest = 40, 0.025
    p, q = response_chances(level, 4)
    low, high = all_ends(table_ends, n, p, q, 0.95)
    for z in range(n + 1):
        first, last = round(n * low[z]), round(n * high[z])
        upper = [table_law(n, m, p, q)[z:].sum() for m in range(n + 1)]
        lower = [table_law(n, m, p, q)[:z + 1].sum() for m in range(n + 1)]
        assert first == next((m for m in range(n + 1) if upper[m] > rest), n)
        assert last == next((m for m in range(n, -1, -1) if lower[m] > rest), 0)


def test_estimates_of_a_sanitized_column_hold_at_a_high_level():
    """Normal intervals held in 0.940 of tables for the rare value, where 0.95 is stated."""
    mechanism, n = randomized_response("categories:4", 5), 1000
    p, q = response_chances(5, 4)
    for m in (0, 1, 5, 40):
        law = table_law(n, m, p, q)
        likely = np.flatnonzero(law > 1e-9)
        rows = [estimate([int(z), n - int(z), 0, 0], mechanism).rows[0] for z in likely]
        held = sum(law[z] for z, row in zip(likely, rows, strict=True)
                   if row.low <= m / n <= row.high)
        assert held >= 0.95 - 1e-6


@pytest.mark.parametrize(("level", "values", "n"), [(1, 2, 3000), (1, 4, 4000), (5, 4, 80_000)])
def test_score_intervals_of_large_tables_hold_too(level, values, n):
    mechanism = randomized_response(f"categories:{values}", level)
    p, q = response_chances(level, values)
    for m in (0, n // 1000, n // 20, n // 2):
        middle, spread = m * p + (n - m) * q, (m * p * (1 - p) + (n - m) * q * (1 - q)) ** 0.5
        counts = np.arange(max(0, int(middle - 5 * spread)), int(middle + 5 * spread) + 1)
        shares = []
        for z in counts:
            found = estimate([int(z), n - int(z), *[0] * (values - 2)], mechanism)
            assert found.interval is Interval.SCORE
            shares.append(found.rows[0].low <= m / n <= found.rows[0].high)
        law = table_law(n, m, p, q)
        assert law[counts][np.array(shares)].sum() >= 0.95 - 5e-4


SUBSETS = SubsetMechanism(categories(4), 2, Fraction(3))
SKEWED = MatrixMechanism(
    categories(3), tuple("abc"), Weights.from_integers([[4, 1, 1], [2, 3, 1], [1, 1, 7]])
)


def uneven(*weights):
    return KernelMechanism(categories(len(weights)), Fraction(3), Fraction(1),
                           tuple(map(Fraction, weights)))


def test_each_mechanism_whose_estimates_follow_a_count_has_exact_intervals():
    """The chances are read off each mechanism's definition."""
    warner = MatrixMechanism(categories(2), ("x", "y"), Weights.from_integers([[1, 3], [4, 1]]))
    subsets = subset_selection("categories:4", 1, 2).mechanism.matrix()
    size = len(subsets.outputs)
    cases = [
        (estimate([40, 60], warner), 60, 3 / 4, 1 / 5),
        (estimate([40, 60], uneven(1, 2)), 40, 3 / 5, 1 / 7),
        (estimate([30, 30, 40], uneven(1, 1, 1)), 30, 3 / 5, 1 / 5),
        (estimate_reports([65, 45, 45, 45], 100, SUBSETS), 65, *map(float, (SUBSETS.held,
                                                                          SUBSETS.added))),
        (estimate([100 - 12 * (size - 1), *[12] * (size - 1)], subsets),
         sum(100 - 12 * (size - 1) if not k else 12 for k in range(size)
             if float(subsets.row_at(0)[k]) > 1 / size), *_set_chances(subsets)),
    ]
    for found, z, p, q in cases:
        assert found.interval is Interval.EXACT
        low, high = all_ends(table_ends, 100, p, q, 0.95)
        assert (found.rows[0].low, found.rows[0].high) == (low[z], high[z])


def _set_chances(subsets):
    counted = [float(chance) > 1 / len(subsets.outputs) for chance in subsets.row_at(0)]
    return [sum(float(chance) for chance, held in zip(subsets.row_at(k), counted, strict=True)
                if held) for k in (0, 1)]


def test_other_mechanisms_and_weights_have_score_intervals_unless_exact_ones_are_asked():
    weighted = Tally.weighted([0, 1, 1], [1.0, 2.0, 1.5], 2)
    for counts, mechanism in (([30, 30, 40], SKEWED), ([30, 30, 40], uneven(1, 2, 5)),
                              (weighted, uneven(1, 1))):
        assert estimate(counts, mechanism).interval is Interval.SCORE
        with pytest.raises(BadInput, match="use score instead"):
            estimate(counts, mechanism, interval="exact")


def test_items_have_exact_intervals():
    mechanism = KernelMechanism(sets(3), Fraction(3), Fraction(1), (Fraction(1),) * 8)
    found = estimate_items([30, 50, 5], 100, ["a", "b", "c"], mechanism)
    low, high = all_ends(table_ends, 100, 0.75, 0.25, 0.95)
    assert [(row.low, row.high) for row in found.rows] == [(low[z], high[z]) for z in (30, 50, 5)]
