"""A published study estimated again: attitudes in Germany, 2010 (Radukić and Musch).

Counts are those of the data set `minarets` of the R package RRreg. Heck and Moshagen, Journal of
Statistical Software 85(2), 2018, Section 4.1 print estimates with errors: prevalence 0.870695
(0.041118), truthful answers of carriers 0.635806 (0.017344). Whoever does not hold the attitude was
asked about it with probability 2/12 in one half of the sample, 10/12 in the other, else about the
opposite, and told the truth; who does was asked about it, and may have lied.
"""

from fractions import Fraction

import pytest

from tightrope import surveys as sv
from tightrope.surveys.means import mean_among
from tightrope.utility import Tally

COUNTS = [191, 373, 294, 398]  # no and yes of the first half, then of the second


@pytest.fixture(scope="module")
def estimate():
    n = sum(COUNTS)
    first, second = Fraction(sum(COUNTS[:2]), n), Fraction(sum(COUNTS[2:]), n)
    p = Fraction(2, 12)
    design = sv.custom(
        ("does not hold it", "holds and says it", "holds and hides it"),
        ("first no", "first yes", "second no", "second yes"),
        [[first * p, first * (1 - p), second * (1 - p), second * p],
         [0, first, 0, second],
         [first, 0, second, 0]])
    return sv.estimate_answers(design, Tally.of(COUNTS))


def test_the_published_prevalence_comes_out(estimate):
    for share in (estimate.shares.rows[0].estimate, estimate.shares.rows[0].adjusted):
        assert 1 - share == pytest.approx(0.870695, abs=1e-6)


def test_the_published_share_of_truthful_carriers_comes_out_with_its_error(estimate):
    honest = mean_among("truthful", estimate, [None, Fraction(1), Fraction(0)])
    assert honest.estimate == pytest.approx(0.635806, abs=1e-6)
    assert honest.among == pytest.approx(0.870695, abs=1e-6)
    assert honest.error == pytest.approx(0.017344, abs=1e-5)


def test_the_published_error_holds_the_halves_fixed(estimate):
    """Ours counts as random who came into which half; the printed one divides by n - 1 of each."""
    (no1, yes1, no2, yes2) = COUNTS
    slope = 2 / 3  # between the chances of yes in both halves
    variance = sum(no * yes / (no + yes) ** 2 / (no + yes - 1)
                   for no, yes in ((no1, yes1), (no2, yes2)))
    assert variance**0.5 / slope == pytest.approx(0.041118, abs=1e-6)
    assert 0.0411 < estimate.shares.rows[0].error < 0.0427
