"""Means among few people, of whom some may have no number, by the laws of their counts."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, binom, multinomial, t

from tightrope import surveys as sv
from tightrope.surveys.mean_scores import MeanScore
from tightrope.surveys.means import mean_among
from tightrope.utility import Tally

DESIGN = sv.k_ary(("rarely", "often", "not asked"), 9)
NUMBERS = [Fraction(0), Fraction(1), None]


def chance(count, n, rest):
    """The interval of Clopper and Pearson of a chance, by quantiles of beta laws."""
    low = beta.ppf(rest / 2, count, n - count + 1) if count else 0.0
    high = beta.isf(rest / 2, count + 1, n - count) if count < n else 1.0
    return low, high


def ends(counts):
    """“often” among those asked, with the share of either at 97.5 % confidence.

    A response is undone by (1{z = v} - q) / (p - q) with p = 9/11 and q = 1/11.
    """
    n, p, q = sum(counts), 9 / 11, 1 / 11
    often = [(c - q) / (p - q) for c in chance(counts[1], n, 0.025)]
    away = [(c - q) / (p - q) for c in chance(counts[2], n, 0.025)]
    few, many = 1 - away[1], min(1 - away[0], 1.0)
    if few <= 0:
        return 0.0, 1.0
    return min(max(often[0], 0.0) / many, 1.0), min(max(often[1], 0.0) / few, 1.0)


TABLES = [counts for counts in product(range(29), repeat=3) if sum(counts) == 28]


@pytest.mark.parametrize("counts", [(20, 5, 3), (3, 20, 5), (9, 9, 10), (28, 0, 0), (0, 28, 0),
                                    (1, 1, 26), (14, 14, 0)])
def test_a_share_among_those_asked_has_the_ends_of_both_chances(counts):
    made = mean_among("often", sv.estimate_answers(DESIGN, Tally.of(counts)), NUMBERS)
    assert made.exact
    assert (made.low, made.high) == pytest.approx(ends(counts), abs=1e-9)


@pytest.mark.parametrize("shares", [(0.5, 0.4, 0.1), (0.2, 0.7, 0.1), (0.05, 0.9, 0.05),
                                    (0.8, 0.2, 0.0), (0.0, 1.0, 0.0), (0.3, 0.3, 0.4)])
def test_it_holds_at_its_confidence_whatever_the_shares_are(shares):
    rows = np.array([[float(chance) for chance in row] for row in DESIGN.rows])
    law = multinomial.pmf(TABLES, 28, np.array(shares) @ rows)
    truth, total = shares[1] / (shares[0] + shares[1]), 0.0
    for counts, weight in zip(TABLES, law, strict=True):
        if weight > 1e-9:
            made = mean_among("often", sv.estimate_answers(DESIGN, Tally.of(counts)), NUMBERS)
            total += weight * (made.low - 1e-12 <= truth <= made.high + 1e-12)
    assert total >= 0.95


THIRTY = [counts for counts in product(range(31), repeat=3) if sum(counts) == 30]
FAR = [Fraction(0), Fraction(5), Fraction(50)]
AMONG = [Fraction(0), Fraction(50), None]


def student(counts, design, numbers):
    """Student's interval of a mean, or Fieller's, which take their variance from the responses."""
    present = [s for s in numbers if s is not None]
    u, v = (np.linalg.solve(np.array(design.rows, dtype=float), np.array(c, dtype=float))
            for c in ([s or 0 for s in numbers], [s is not None for s in numbers]))
    sent = np.repeat(np.stack([u, v]), counts, axis=1)
    (uu, uv), (_, vv) = np.cov(sent) / sent.shape[1]
    up, down = sent.mean(axis=1)
    square = t(sent.shape[1] - 1).ppf(0.975) ** 2
    a, b, c = down**2 - square * vv, up * down - square * uv, up**2 - square * uu
    if a <= 0 or b * b < a * c:
        return float(min(present)), float(max(present))
    return (b - np.sqrt(b * b - a * c)) / a, (b + np.sqrt(b * b - a * c)) / a


def coverage(interval, design, numbers, shares):
    """How often an interval holds, by the law of the responses of 30 people."""
    rows = np.array(design.rows, dtype=float)
    law = multinomial.pmf(THIRTY, 30, np.array(shares) @ rows)
    among = [place for place, s in enumerate(numbers) if s is not None]
    truth = sum(shares[x] * float(numbers[x]) for x in among) / sum(shares[x] for x in among)
    total = 0.0
    for counts, weight in zip(THIRTY, law, strict=True):
        if weight > 1e-7:
            low, high = interval(counts, design, numbers)
            total += weight * (low - 1e-9 <= truth <= high + 1e-9)
    return total


def stated(counts, design, numbers):
    made = mean_among("mean", sv.estimate_answers(design, Tally.of(counts)), numbers)
    assert not made.exact
    return made.low, made.high


@pytest.mark.parametrize("ratio", ["13/8", 3, 20])
@pytest.mark.parametrize("numbers", [FAR, AMONG], ids=["far number", "no number"])
@pytest.mark.parametrize("shares", [
    (0.97, 0.015, 0.015), (0.97, 0.0, 0.03), (1.0, 0.0, 0.0), (0.6, 0.3, 0.1), (0.02, 0.97, 0.01)])
def test_the_mean_of_thirty_people_holds_however_rare_a_far_answer_is(ratio, numbers, shares):
    design = sv.k_ary(("never", "rarely", "daily"), ratio)
    assert coverage(stated, design, numbers, shares) >= 0.945


def test_that_law_refuses_intervals_whose_variance_is_that_of_the_responses():
    design = sv.k_ary(("never", "rarely", "daily"), 20)
    assert coverage(student, design, FAR, (0.97, 0.015, 0.015)) < 0.9
    assert coverage(student, design, AMONG, (0.97, 0.015, 0.015)) < 0.93


@pytest.mark.parametrize(("n", "k"), [(100, 2), (60, 3), (40, 38)])
def test_both_tails_of_a_skewed_mean_are_as_rare_as_the_binomial_law_says(n, k):
    """Without randomization a mean of 0 and 1 is a share: half of the chance of k counts."""
    shares = np.array([1 - k / n, k / n])
    score = MeanScore.of(np.eye(2), shares, shares, n, np.array([0.0, 1.0]), np.ones(2),
                         [Fraction(0), Fraction(1)], sampling=True)
    low, high = score.ends(1.96)
    above = binom.sf(k, n, low) + binom.pmf(k, n, low) / 2
    below = binom.cdf(k - 1, n, high) + binom.pmf(k, n, high) / 2
    assert 0.02 < above < 0.036  # a normal quantile leaves 0.016 on one side, 0.06 on the other
    assert 0.02 < below < 0.036
