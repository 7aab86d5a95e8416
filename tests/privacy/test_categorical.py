"""Closed forms for categorical data (H16, Chapters 3 and 4) against every set of outputs."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad

from tests.crosschecks.plain_programs import least_loss
from tightrope.constructions import randomized_response
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Surd
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import (
    Certificate,
    exponent_of_error,
    private_errors,
    private_exponents,
    smallest_delta,
    smallest_ratio,
    verify,
)
from tightrope.spaces import categories
from tightrope.theory import largest_error, least_error, least_error_apart, least_laplace_scale
from tightrope.utility import binary, worst_loss

ONE = Fraction(1)
GRID = [
    (m, Fraction(r), Fraction(d))
    for m in (2, 3, 4, 5)
    for r in ("1", "3/2", "2", "5")
    for d in ("0", "1/20", "1/4", "3/5", "1")
]
ERRORS = [Fraction(k, 24) for k in range(25)]


def parent(values, error):
    return [[1 - (values - 1) * error if i == j else error for j in range(values)]
            for i in range(values)]


def excess_of_sets(p, q, ratio):
    """The largest P(A) - e^ε Q(A) over all sets A, one by one."""
    return max(
        sum((p[z] - ratio * q[z] for z in range(len(p)) if bits >> z & 1), Fraction(0))
        for bits in range(2 ** len(p))
    )


def brute_delta(rows, pairs, ratio):
    return max(excess_of_sets(rows[a], rows[b], ratio) for a, b in pairs)


def ordered(size):
    return [(a, b) for a in range(size) for b in range(size) if a != b]


@pytest.mark.parametrize("values", [2, 3, 4, 5])
def test_theorem_4_6_and_example_3_7_hold_for_exactly_the_errors_that_all_sets_allow(values):
    for error in (e for e in ERRORS if e <= Fraction(1, values - 1)):
        rows = parent(values, error)
        for m, ratio, delta in GRID:
            if m == values:
                needed = brute_delta(rows, [(0, 1)], ratio)
                assert smallest_delta(values, error, ratio) == needed
                assert (error in private_errors(values, ratio, delta)) == (needed <= delta)


@pytest.mark.parametrize("values", [2, 3, 4, 5])
def test_the_smallest_ratio_is_where_the_condition_starts_to_hold(values):
    for error in (e for e in ERRORS if e <= Fraction(1, values - 1)):
        for delta in (Fraction(0), Fraction(1, 10), Fraction(2, 3)):
            least = smallest_ratio(values, error, delta)
            rows = parent(values, error)
            if least is None:
                assert brute_delta(rows, [(0, 1)], Fraction(10**9)) > delta
                continue
            assert brute_delta(rows, [(0, 1)], least) <= delta
            below = least * Fraction(999, 1000)
            assert below < 1 or brute_delta(rows, [(0, 1)], below) > delta


def hamming_rows(values, people, factor):
    """The exponential mechanism of Hamming distance on all databases."""
    databases = list(product(range(values), repeat=people))
    weights = [[factor ** -sum(a != b for a, b in zip(d, e, strict=True)) for e in databases]
               for d in databases]
    rows = [[w / sum(row) for w in row] for row in weights]
    pairs = [(i, j) for i, d in enumerate(databases) for j, e in enumerate(databases)
             if sum(a != b for a, b in zip(d, e, strict=True)) == 1]
    return databases, rows, pairs


@pytest.mark.parametrize(("values", "people"), [(2, 2), (2, 3), (3, 2)])
def test_theorem_4_3_holds_for_exactly_the_exponents_that_all_sets_of_databases_allow(
    values, people
):
    for factor in (Fraction(1, 5), Fraction(1, 2), ONE, Fraction(7, 4), Fraction(3)):
        _, rows, pairs = hamming_rows(values, people, factor)
        for ratio in (ONE, Fraction(3, 2), Fraction(2)):
            needed = brute_delta(rows, pairs[:1] if values == 3 else pairs[::5], ratio)
            for delta in (Fraction(0), Fraction(1, 20), Fraction(1, 4), Fraction(3, 5)):
                allowed = private_exponents(values, ratio, delta)
                assert (factor in allowed) == (needed <= delta)


@pytest.mark.parametrize(("values", "people"), [(2, 3), (3, 2), (4, 2)])
def test_theorem_4_5_row_by_row_equals_the_exponential_mechanism_of_the_table(values, people):
    error = Fraction(1, 10)
    databases, rows, _ = hamming_rows(values, people, exponent_of_error(values, error))
    own = parent(values, error)
    for d, row in zip(databases, rows, strict=True):
        for e, probability in zip(databases, row, strict=True):
            assert probability == math.prod(own[a][b] for a, b in zip(d, e, strict=True))


def test_theorems_4_3_and_4_6_are_one_statement_by_theorem_4_5():
    for values, ratio, delta in GRID:
        for error in (e for e in ERRORS if 0 < e < Fraction(1, values - 1)):
            factor = exponent_of_error(values, error)
            assert (factor in private_exponents(values, ratio, delta)) == (
                error in private_errors(values, ratio, delta)
            )


def test_theorem_4_4_the_ends_of_the_errors_are_the_ends_of_the_allowed_range():
    for values, ratio, delta in GRID:
        allowed = private_errors(values, ratio, delta)
        assert allowed.low * (values - 1) == least_error_apart(ONE, values, ratio, delta)
        assert allowed.high * (values - 1) == largest_error(values, ratio, delta)


def least_worst_error(lengths, ratio, delta):
    """The least max-mean error over all matrices that are (ε, δ)-private for any two rows."""
    return least_loss(np.full(lengths.shape, ratio), lengths, delta=delta)


@pytest.mark.parametrize("values", [2, 3, 4, 5])
@pytest.mark.parametrize("delta", ["0", "1/10", "1/2"])
def test_theorem_4_8_randomized_response_is_the_optimum_over_all_private_matrices(values, delta):
    lengths = np.ones((values, values)) - np.eye(values)
    for ratio in (2, 5):
        level = Level.ratio(ratio, delta)
        response = randomized_response(categories(values), level).mechanism
        assert isinstance(verify(response, response.space, level), Certificate)
        found = least_worst_error(lengths, ratio, float(Fraction(delta)))
        exact = least_error_apart(ONE, values, Fraction(ratio), Fraction(delta))
        assert float(exact) == pytest.approx(found, abs=1e-7)
        assert 1 - response.row_at(0)[0] == exact
        assert worst_loss(response, loss=binary) == pytest.approx(float(exact), rel=1e-12)


def test_theorems_3_6_and_3_7_bound_every_private_matrix_on_a_path():
    lengths = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    for ratio in (2, 8):
        for delta in (Fraction(0), Fraction(1, 5)):
            found = least_worst_error(lengths, ratio, float(delta))
            assert least_error(Fraction(3), Fraction(ratio), delta) <= found + 1e-9
            assert least_error_apart(ONE, 4, Fraction(ratio), delta) <= found + 1e-9


def test_response_just_below_its_level_is_refused_and_the_smallest_delta_is_proved():
    level = Level.ratio(3, "0.1")
    response = randomized_response(categories(4), level).mechanism
    proved = verify(response, response.space, level)
    assert proved.delta == (Fraction(1, 10), Fraction(1, 10))
    assert not verify(response, response.space, Level.ratio(3, "0.0999")).holds
    assert not verify(response, response.space, Level.ratio("2.99", "0.1")).holds


def test_response_with_delta_on_many_values_is_proved_by_one_pair():
    level = Level.ratio(3, "0.1")
    response = randomized_response(categories(500), level).mechanism
    assert isinstance(response, KernelMechanism)
    proved = verify(response, response.space, level)
    assert proved.holds
    assert proved.delta == (Fraction(1, 10), Fraction(1, 10))


def test_one_pair_gives_the_same_delta_as_all_pairs():
    level = Level.ratio(2, "0.3")
    kernel = KernelMechanism(categories(5), Fraction(9), Fraction(1), (ONE,) * 5)
    single = verify(kernel, kernel.space, level)
    written = verify(kernel.matrix(), kernel.space, level)
    assert single.holds == written.holds is False
    wide = Level.ratio(2, "0.7")
    assert verify(kernel, kernel.space, wide).delta == verify(
        kernel.matrix(), kernel.space, wide
    ).delta
    uneven = KernelMechanism(categories(3), Fraction(9), Fraction(1), (ONE, ONE, Fraction(5)))
    assert verify(uneven, uneven.space, wide).delta == verify(
        uneven.matrix(), uneven.space, wide
    ).delta


def laplace_excess(scale, ratio):
    """∫ max(0, f(x) - e^ε f(x - 1)) dx, numerically."""
    def density(x):
        return math.exp(-abs(x) / scale) / (2 * scale)

    return quad(lambda x: max(0.0, density(x) - ratio * density(x - 1)), -40, 2,
                points=[0, 0.5, 1], limit=400)[0]


@pytest.mark.parametrize("delta", ["0", "0.05", "0.3"])
def test_erratum_8_the_laplace_scale_is_the_smallest_one(delta):
    ratio = 2
    scale = least_laplace_scale(ONE, Level.ratio(ratio, delta))
    assert laplace_excess(scale, ratio) <= float(delta) + 1e-9
    assert laplace_excess(scale * 0.99, ratio) > float(delta) + 1e-5
    published = 1 / (math.log(ratio) - math.log(1 - float(delta)))
    assert scale <= published * (1 + 1e-12)


def test_example_3_5_a_repeated_query_breaks_its_level_and_a_sanitized_one_does_not():
    level = Level.ratio(2, "0.2")
    p = Fraction(1, 3)
    assert p in private_errors(2, Fraction(2), Fraction(1, 5))
    once, twice = (1 - p, p), ((1 - p) ** 2, p**2)
    assert once[0] <= 2 * once[1] + level.delta
    assert twice == (Fraction(4, 9), Fraction(1, 9))
    assert twice[0] > 2 * twice[1] + level.delta
    assert level.compare(twice[0] / twice[1], Surd.of(2)) == 0  # ln 4: two levels of ln 2


def test_arguments_outside_their_range_are_refused():
    with pytest.raises(BadInput, match="at least 2 values"):
        private_errors(1, Fraction(2))
    with pytest.raises(BadLevel):
        private_exponents(3, Fraction(1, 2))
    with pytest.raises(BadLevel):
        private_errors(3, Fraction(2), Fraction(-1))
    with pytest.raises(BadInput, match="from 0 to 1/2"):
        smallest_ratio(3, Fraction(2, 3))
    with pytest.raises(BadInput, match="above 0"):
        exponent_of_error(3, Fraction(0))
    with pytest.raises(BadInput, match="diameter"):
        least_laplace_scale(Fraction(0), Level.ratio(2))
    with pytest.raises(BadInput, match="distance above 0"):
        least_error(Fraction(0), Fraction(2))


def test_the_truth_alone_is_private_only_with_a_delta_of_one():
    for values, error in ((2, 0), (5, 0), (2, 1)):
        assert smallest_ratio(values, Fraction(error), Fraction(999, 1000)) is None
        assert smallest_ratio(values, Fraction(error), Fraction(1)) == 1
