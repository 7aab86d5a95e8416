"""Subset selection and unary encodings: exact levels, exact errors, and who is best."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.constructions import (
    FrequencyProtocol,
    compare_protocols,
    randomized_response,
    reporting,
    subset_selection,
    unary_encoding,
)
from tightrope.constructions.categorical.frequency_protocols import _set_error, best_set_size
from tightrope.errors import BadInput, Infeasible, TooLarge
from tightrope.exact import Level
from tightrope.mechanisms import written_out
from tightrope.privacy import certified, smallest_level, verify
from tightrope.samplers import SeededSource, draw
from tightrope.spaces import categories, path
from tightrope.utility import estimate, estimate_variances

LEVEL = Level.ratio(4)  # e^(ε/2) = 2 is rational too
SPACE = categories(5)
KNOWN = [protocol for protocol in FrequencyProtocol if protocol is not FrequencyProtocol.DESIGNED]
MADE = {
    FrequencyProtocol.RESPONSE: randomized_response(SPACE, LEVEL).mechanism,
    FrequencyProtocol.SUBSETS: subset_selection(SPACE, LEVEL, 2).mechanism,
    FrequencyProtocol.SYMMETRIC: unary_encoding(SPACE, LEVEL, optimized=False).mechanism,
    FrequencyProtocol.OPTIMIZED: unary_encoding(SPACE, LEVEL).mechanism,
}


@pytest.mark.parametrize("protocol", KNOWN)
def test_a_protocol_has_exactly_its_level(protocol):
    mechanism = MADE[protocol]
    assert smallest_level(mechanism, SPACE).exact.compare_level(LEVEL) == 0
    assert not verify(mechanism, SPACE, Level.ratio("3.999")).holds


@pytest.mark.parametrize("epsilon", ["0.3", "1", "4"])
def test_irrational_levels_are_proved_too(epsilon):
    level = Level.epsilon(epsilon)
    for made in (subset_selection(SPACE, level).mechanism, unary_encoding(SPACE, level).mechanism,
                 unary_encoding(SPACE, level, optimized=False).mechanism):
        assert certified(made, level).certificate.holds


def exact_error(mechanism):
    """k times the variance of the share of reports that hold a value, over (p - q)², exactly."""
    mechanism = written_out(mechanism)
    rows = [mechanism.row_at(v) for v in range(SPACE.size)]
    holds = [0 in (z if isinstance(z, tuple) else (z,)) for z in mechanism.outputs]
    p, q = (sum(c for c, h in zip(rows[v], holds, strict=True) if h) for v in (0, 1))
    mean = sum(sum(c for c, h in zip(row, holds, strict=True) if h) for row in rows) / SPACE.size
    return SPACE.size * mean * (1 - mean) / (p - q) ** 2


@pytest.mark.parametrize("protocol", KNOWN)
def test_the_stated_error_is_that_of_the_law(protocol):
    exact = float(exact_error(MADE[protocol]))
    if protocol is FrequencyProtocol.SUBSETS:
        assert _set_error(5, 2, 4.0) == pytest.approx(exact, rel=1e-12)
    else:
        (stated,) = [row for row in compare_protocols(5, LEVEL) if row.protocol is protocol]
        assert stated.error == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("protocol", KNOWN)
def test_estimates_from_sets_err_no_more_than_stated(protocol):
    """`estimate` may use more of a report than whether it holds the value."""
    variances = estimate_variances(written_out(MADE[protocol]), [0.2] * 5, 1, sampling=True)
    exact = float(exact_error(MADE[protocol]))
    assert variances.sum() <= exact * (1 + 1e-9)
    if protocol in (FrequencyProtocol.RESPONSE, FrequencyProtocol.SUBSETS):
        assert variances.sum() == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(("values", "ratio"), [(3, 4), (10, 2), (100, 3), (1000, 20), (7, 50)])
def test_the_best_size_of_sets_is_the_best_of_all(values, ratio):
    errors = [_set_error(values, size, float(ratio)) for size in range(1, values)]
    assert best_set_size(values, float(ratio)) == 1 + int(np.argmin(errors))


def test_subset_selection_is_never_worse_and_response_is_its_case_of_one_value():
    for values in (2, 3, 10, 1000):
        for epsilon in ("0.2", "1", "3", "8"):
            rows = {r.protocol: r for r in compare_protocols(values, Level.epsilon(epsilon))}
            least = min(row.error for row in rows.values())
            assert rows[FrequencyProtocol.SUBSETS].error <= least * (1 + 1e-9)
    single = subset_selection(SPACE, LEVEL, 1).mechanism.matrix()
    response = MADE[FrequencyProtocol.RESPONSE]
    assert all(single.row_at(i) == response.row_at(i) for i in range(5))


def test_reports_are_drawn_and_estimated_like_any_other_output():
    proved = certified(MADE[FrequencyProtocol.SUBSETS], LEVEL)
    source = SeededSource(3)
    assert len(draw(proved, 2, source)) == 2
    matrix = MADE[FrequencyProtocol.SUBSETS].matrix()
    counts = np.array([int(1000 * p) for p in matrix.row_at(2)])
    found = estimate(counts, matrix).rows
    assert found[2].estimate == pytest.approx(1, abs=0.02)


def test_what_cannot_be_written_out_is_refused():
    with pytest.raises(TooLarge):
        subset_selection(categories(100), Level.ratio(2)).mechanism.matrix()
    with pytest.raises(TooLarge):
        unary_encoding(categories(1000), Level.ratio(2)).mechanism.matrix()
    with pytest.raises(BadInput, match="sets of 1 to 4"):
        subset_selection(SPACE, LEVEL, 5)
    with pytest.raises(BadInput, match="at least 2"):
        compare_protocols(1, LEVEL)
    with pytest.raises(Infeasible, match="equally far apart"):
        subset_selection(path(0, 4), LEVEL, 2)
    first = MADE[FrequencyProtocol.OPTIMIZED].matrix().row_at(0)[0]
    assert Fraction(1, 2) == first / (Fraction(4, 5) ** 4)


@pytest.mark.parametrize("protocol", KNOWN)
def test_a_thousand_values_are_proved_in_every_protocol(protocol):
    level = Level.epsilon(1)
    proved = reporting(categories(1000), level, protocol)
    assert proved.certificate.smallest.upper <= 1
    assert proved.certificate.smallest.lower > 1 - 1e-9
