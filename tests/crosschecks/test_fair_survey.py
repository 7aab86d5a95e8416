"""The Fair survey (statsmodels): three columns sanitized at ε = 2 in total, marginals estimated.

Intervals must cover the true proportions at their rate. With 6000 independent intervals, a
rate of 95 % and the 97.5 % or 91.4 % of a variance that is 1.3 times too large or too small
are told apart with both error rates below 1e-6.
"""

from math import sqrt

import numpy as np
import pytest

from tightrope.choices import Interval
from tightrope.exact import Level
from tightrope.privacy import sequential
from tightrope.samplers import SeededSource, draw_indices
from tightrope.tables import protect
from tightrope.utility import estimate

COLUMNS = ("religious", "rate_marriage", "occupation")
REPEATS, AT_ONCE = 2000, 100
LEAST, MOST = 0.9366, 0.9640


@pytest.fixture(scope="module")
def survey():
    import statsmodels.api as sm

    data = sm.datasets.fair.load_pandas().data
    return {name: np.unique(data[name], return_inverse=True) for name in COLUMNS}


@pytest.fixture(scope="module")
def mechanisms(survey):
    columns = protect({name: survey[name][0].tolist() for name in COLUMNS}, 2)
    assert sequential([column.level for column in columns]).compare_level(Level.epsilon(2)) == 0
    return {column.name: column.response for column in columns}


@pytest.fixture(scope="module")
def repetitions(survey, mechanisms):
    """How often each output came, in every repetition of every column."""
    found = {}
    for seed, name in enumerate(COLUMNS):
        labels, codes = survey[name]
        source, parts = SeededSource(seed), []
        for _ in range(REPEATS // AT_ONCE):
            drawn = draw_indices(mechanisms[name], np.tile(codes, AT_ONCE), source)
            drawn = drawn.reshape(AT_ONCE, -1) + len(labels) * np.arange(AT_ONCE)[:, None]
            parts.append(np.bincount(drawn.ravel(), minlength=AT_ONCE * len(labels)))
        found[name] = np.concatenate(parts).reshape(REPEATS, len(labels))
    return found


def intervals(survey, mechanisms, repetitions, interval):
    """The middle and half the length of every interval, less the true proportion."""
    found = []
    for name in COLUMNS:
        labels, codes = survey[name]
        v = len(labels) // 2
        truth = np.mean(codes == v)
        mechanism = mechanisms[name].mechanism
        for counts in repetitions[name]:
            row = estimate(counts, mechanism, interval=interval).rows[v]
            found.append(((row.low + row.high) / 2 - truth, (row.high - row.low) / 2))
    return np.array(found).T


@pytest.mark.slow
@pytest.mark.parametrize("interval", [Interval.NORMAL, Interval.SCORE])
def test_intervals_cover_the_marginals_at_their_rate_and_at_no_other(
    survey, mechanisms, repetitions, interval
):
    off, reach = intervals(survey, mechanisms, repetitions, interval)

    def coverage(variance):
        return float(np.mean(np.abs(off) <= sqrt(variance) * reach))

    assert LEAST < coverage(1) < MOST
    assert coverage(1.3) > MOST
    assert coverage(1 / 1.3) < LEAST


def test_each_column_has_its_part_of_the_level_and_the_mechanism_is_proved(mechanisms):
    for name in COLUMNS:
        assert mechanisms[name].certificate.holds
    shares = [float(mechanisms[name].certificate.level) for name in COLUMNS]
    assert shares == sorted(shares)  # 4, 5 and 6 values
    assert sum(shares) == pytest.approx(2, abs=1e-12)
