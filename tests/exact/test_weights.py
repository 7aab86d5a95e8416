"""Weights: exact dyadic matrices and their double approximations."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tightrope.errors import BadMatrix, CannotCheck, TooLarge
from tightrope.exact import Weights, float_rows, power_of_two, row_of_doubles
from tightrope.exact.sizes import LONGEST_ROW


def two_to(exponent):
    return Fraction(2) ** exponent


mantissas = st.one_of(
    st.integers(0, 20),
    st.integers(0, 2**62 - 1),
    st.integers(2**62, 2**64),
    st.integers(0, 2**300),
)
exponents = st.one_of(st.integers(-10, 10), st.integers(-5000, 5000), st.just(-5000))


@st.composite
def tables(draw):
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cells = [
        [(draw(mantissas), draw(exponents)) for _ in range(columns)] for _ in range(rows)
    ]
    for line in cells:
        if not any(mantissa for mantissa, _ in line):
            line[0] = (1, line[0][1])
    return cells


def weights_of(cells):
    return Weights.from_integers(
        [[mantissa for mantissa, _ in line] for line in cells],
        [[exponent for _, exponent in line] for line in cells],
    )


def exact(cells):
    values = [[mantissa * two_to(exponent) for mantissa, exponent in line] for line in cells]
    return [[value / sum(line) for value in line] for line in values]


@settings(derandomize=True, deadline=None, max_examples=80)
@given(tables())
def test_rows_are_exact_and_add_up_to_one(cells):
    weights = weights_of(cells)
    assert weights.shape == (len(cells), len(cells[0]))
    for i, law in enumerate(exact(cells)):
        assert list(weights.row(i)) == law
        assert sum(weights.row(i)) == 1
        assert [weights.probability(i, j) for j in range(len(law))] == law
        integers, power = weights.row_integers(i)
        assert [value * two_to(power) for value in integers] == [
            mantissa * two_to(exponent) for mantissa, exponent in cells[i]
        ]
        total, shift = weights.totals[i]
        assert total * two_to(shift) == sum(m * two_to(e) for m, e in cells[i])


@settings(derandomize=True, deadline=None, max_examples=80)
@given(tables())
def test_scaled_probabilities_are_within_two_to_the_minus_fifty(cells):
    heads, powers = weights_of(cells).scaled
    for i, law in enumerate(exact(cells)):
        for j, value in enumerate(law):
            head, power = float(heads[i, j]), int(powers[i, j])
            if value == 0:
                assert (head, power) == (0, 0)
                continue
            assert 0.5 <= head < 1
            found = Fraction(head) * two_to(power)
            assert abs(found - value) <= value * two_to(-50)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(tables())
def test_doubles_are_the_probabilities_or_zero_below_their_range(cells):
    found = weights_of(cells).floats
    for i, law in enumerate(exact(cells)):
        for j, value in enumerate(law):
            gap = abs(Fraction(float(found[i, j])) - value)
            assert gap <= max(value * two_to(-50), two_to(-1074))


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.lists(st.lists(st.floats(0, 1e300), min_size=3, max_size=3), min_size=1, max_size=3))
def test_floats_are_taken_as_the_dyadics_they_are(rows):
    rows = [line if any(line) else [1.0, 0.0, 5e-324] for line in rows]
    weights = Weights.from_floats(np.array(rows))
    for i, line in enumerate(rows):
        total = sum(map(Fraction, line))
        assert weights.row(i) == tuple(Fraction(value) / total for value in line)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.lists(st.fractions(min_value=0, max_value=9), min_size=2, max_size=4),
                min_size=1, max_size=1))
def test_fractions_are_kept_in_proportion(rows):
    if not any(rows[0]):
        rows = [[Fraction(1), *rows[0][1:]]]
    weights = Weights.from_fractions(rows)
    assert weights.row(0) == tuple(value / sum(rows[0]) for value in rows[0])


def test_the_smallest_doubles_stay_exact():
    row = [5e-324, 1.0, 2.2250738585072014e-308, 0.0]
    found = Weights.from_floats(np.array([row])).row(0)
    assert found[0] / found[1] == two_to(-1074)
    assert found[3] == 0


@pytest.mark.parametrize(
    "matrix",
    [
        [[-1.0, 2.0]], [[1.0, float("nan")]], [[1.0, float("inf")]], [[0.0, 0.0]],
        [[1.0, 0.0], [0.0, 0.0]], [[1.0, -5e-324]],
    ],
)
def test_floats_that_are_no_weights_are_refused(matrix):
    with pytest.raises(BadMatrix):
        Weights.from_floats(np.array(matrix))


def test_shapes_that_are_no_matrix_are_refused():
    with pytest.raises(BadMatrix):
        Weights.from_floats(np.array([1.0, 2.0]))
    with pytest.raises(BadMatrix):
        Weights.from_integers([[1, 2], [3]])
    with pytest.raises(BadMatrix):
        Weights.from_integers([[]])
    with pytest.raises(BadMatrix):
        Weights.from_integers([[1, -1]])
    with pytest.raises(BadMatrix):
        Weights.from_integers([[0, 0]])


def test_exponents_have_a_limit_and_entries_too():
    with pytest.raises(BadMatrix):
        Weights.from_integers([[1, 1]], [[0, -(10**8)]])
    with pytest.raises(TooLarge):
        Weights(np.ones((5001, 5000), np.int64), np.zeros((5001, 5000), np.int64))


def test_weights_cannot_be_changed():
    weights = Weights.from_integers([[1, 2]])
    with pytest.raises(ValueError, match="read-only"):
        weights.mantissas[0, 0] = 5
    with pytest.raises(ValueError, match="read-only"):
        weights.exponents[0, 0] = 5


@settings(derandomize=True, deadline=None, max_examples=60)
@given(tables(), st.integers(0, 70))
def test_equality_sees_numbers_not_their_writing(cells, shift):
    moved = [[(m << shift, e - shift) for m, e in line] for line in cells]
    assert weights_of(cells) == weights_of(moved)
    other = [list(line) for line in cells]
    other[0][0] = (other[0][0][0] + 1, other[0][0][1])
    assert weights_of(cells) != weights_of(other)


def test_powers_of_two():
    assert power_of_two(5) == 32
    assert power_of_two(-5000) * 2**5000 == 1


@pytest.mark.parametrize("mantissas", [
    np.array([[0.5, 2.0]]), np.array([[Fraction(1, 2), 1]], dtype=object),
    np.array([[True, False]]), np.array([["1", "2"]]), np.array([[2.0, 1]], dtype=object),
])
def test_weights_that_are_not_whole_are_refused_and_not_cut_off(mantissas):
    with pytest.raises(BadMatrix, match="whole numbers as mantissas"):
        Weights(mantissas, np.zeros((1, 2), dtype=np.int64))
    with pytest.raises(BadMatrix, match="whole numbers as exponents"):
        Weights(np.ones((1, 2), dtype=np.int64), mantissas)


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.uint64, object])
def test_whole_weights_of_every_kind_are_taken_as_they_are(kind):
    given = [[200, 7]] if kind is np.uint8 else [[2**31 - 1, 5]] if kind is np.int32 else [
        [2**64 - 1, 2**62]]
    held = Weights(np.array(given, dtype=kind), np.zeros((1, 2), dtype=np.int64))
    assert held.row_integers(0) == (given[0], 0)
    assert held.row(0) == tuple(Fraction(x, sum(given[0])) for x in given[0])


@pytest.mark.parametrize("long", [1, 2**31 - 1, 2**31, 2**61, 2**62 - 1, 2**62, 2**100 + 1])
def test_the_bits_of_a_row_are_counted_from_its_least_to_its_last(long):
    """From the exponent of the least weight to the end of the largest; zeros do not count."""
    size = long.bit_length()
    for over in (0, 1):
        top = LONGEST_ROW - size + over
        held = Weights.from_integers([[1, long, 0], [1, 1, 1]], [[0, top, -10**6], [0, 0, 0]])
        if over:
            with pytest.raises(CannotCheck, match=f"row 0 are {LONGEST_ROW + 1:,} bits apart"):
                held.check_lengths()
        else:
            held.check_lengths()


def test_weights_from_fractions_are_in_proportion_to_them():
    rows = [[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],
            [Fraction(7, 5), Fraction(0), Fraction(1)]]
    held = Weights.from_fractions(rows)
    assert [held.row(y) for y in range(2)] == [
        (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), (Fraction(7, 12), 0, Fraction(5, 12))]


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (1, 2), (2, 1)])
def test_mantissas_and_exponents_have_the_same_shape(shape):
    with pytest.raises(BadMatrix, match="same rows and columns"):
        Weights(np.ones((2, 2), np.int64), np.zeros(shape, np.int64))


def test_a_matrix_without_rows_is_none():
    with pytest.raises(BadMatrix, match="rows and columns"):
        Weights(np.ones((0, 3), np.int64), np.zeros((0, 3), np.int64))


def test_exponents_are_machine_integers():
    with pytest.raises(BadMatrix, match="whole numbers as exponents"):
        Weights(np.ones((1, 2), np.int64), np.array([[0, 1]], dtype=object))


def test_weights_are_the_numbers_that_were_given_not_only_in_proportion_to_them():
    assert Weights.from_integers([[4, 1]]).row_integers(0) == ([4, 1], 0)
    halves = Weights.from_floats(np.array([[0.5, 0.25, 0.0], [3.0, 0.0, 2.0**-30]]))
    for i, row in enumerate([[0.5, 0.25, 0.0], [3.0, 0.0, 2.0**-30]]):
        integers, power = halves.row_integers(i)
        assert [value * two_to(power) for value in integers] == list(map(Fraction, row))


@pytest.mark.parametrize(("one", "other"), [
    ([[5, 8]], [[7, 8]]), ([[1, 2]], [[1, 2], [1, 2]]), ([[1, 2], [1, 2]], [[1, 2]]),
    ([[1, 2]], [[1, 2, 0]]), ([[4, 8]], [[4, 9]]), ([[0, 1]], [[1, 0]]),
])
def test_different_weights_are_not_equal(one, other):
    assert Weights.from_integers(one) != Weights.from_integers(other)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(tables(), st.data())
def test_merged_columns_are_the_sums_of_theirs_cut_to_62_bits(cells, data):
    columns = len(cells[0])
    targets = data.draw(st.lists(st.integers(0, columns - 1), min_size=columns, max_size=columns))
    merged = weights_of(cells).merged(targets)
    for i, line in enumerate(cells):
        integers, power = merged.row_integers(i)
        for target in range(columns):
            exact = sum((m * two_to(e) for z, (m, e) in enumerate(line) if targets[z] == target),
                        Fraction(0))
            found = integers[target] * two_to(power)
            assert found <= exact
            assert exact - found <= exact * two_to(-61)


@given(st.lists(st.lists(st.tuples(st.integers(0, 2**62 - 1), st.integers(-90, 90)), min_size=4,
                         max_size=4), min_size=1, max_size=4))
def test_totals_are_the_sums_of_their_rows(rows):
    mantissas, powers = (np.array([[pair[k] for pair in row] for row in rows]) for k in (0, 1))
    assume((mantissas > 0).any(axis=1).all())
    weights = Weights(mantissas, powers)
    exact = [sum(Fraction(m) * Fraction(2) ** int(p) for m, p in row) for row in rows]
    assert [total * Fraction(2) ** power for total, power in weights.totals] == exact
    assert weights.totals == tuple(weights.added(i, slice(None)) for i in range(len(rows)))


@pytest.mark.parametrize("largest", [2**62 - 1, 2**62, 2**63, 2**64 - 1])
def test_mantissas_of_every_word_are_kept_as_they_are(largest):
    held = np.array([[largest, 1], [1, 1]], dtype=np.uint64)
    weights = Weights(held, np.zeros((2, 2), dtype=np.int64))
    assert weights.row(0) == (Fraction(largest, largest + 1), Fraction(1, largest + 1))
    assert weights.totals == ((largest + 1, 0), (2, 0))


@pytest.mark.parametrize("shape", [(2,), (2, 0), (0, 2), (1, 2, 1)])
def test_what_has_no_rows_and_columns_is_no_matrix_of_weights(shape):
    with pytest.raises(BadMatrix):
        Weights(np.ones(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64))
    with pytest.raises(BadMatrix):
        Weights.from_floats(np.ones(shape))


def test_one_number_that_is_not_finite_is_refused_among_others():
    for wrong in (float("nan"), float("inf"), float("-inf")):
        with pytest.raises(BadMatrix, match=f"found {wrong} in row 1 and column 2"):
            float_rows([[1.0, wrong], [0.5, 0.5]], "losses")


@pytest.mark.parametrize(("rows", "culprit"), [
    ([[0, 1], [1, "x"]], "'x' in row 2 and column 2"),
    ([[0, None], [1, 0]], "None in row 1 and column 2"),
    ([[0, 1j], [1, 0]], "1j in row 1 and column 2"),
    ([[0, 1], [1]], "row 2 of 1 entries after one of 2"),
    ([[0, 10**400], [1, 0]], "in row 1 and column 2"),
])
def test_what_is_no_matrix_of_numbers_is_named(rows, culprit):
    with pytest.raises(BadMatrix, match=culprit):
        float_rows(rows, "a loss")


@pytest.mark.parametrize("largest", [3, 2**70])
def test_the_probability_of_a_weight_of_zero_is_zero(largest):
    weights = Weights.from_integers([[largest, 0, largest], [0, 1, 0]], [[0, 5, 1], [-3, 0, 2]])
    assert [weights.probability(0, j) for j in range(3)] == [Fraction(1, 3), 0, Fraction(2, 3)]
    assert [weights.probability(1, j) for j in range(3)] == [0, 1, 0]


def test_the_row_of_a_negative_weight_is_named():
    with pytest.raises(BadMatrix, match="row 1 has a negative"):
        Weights.from_integers([[1, 2], [1, -2], [1, 1]])


@pytest.mark.parametrize(("values", "said"), [
    ([1.0, 2.0], "an array of 2"), (3.0, "one number"), ([[]], "an array of 1 × 0"),
    ([[[1.0]]], "an array of 1 × 1 × 1"),
])
def test_numbers_that_are_no_rows_are_refused(values, said):
    with pytest.raises(BadMatrix, match=said):
        float_rows(values, "the loss")


@pytest.mark.parametrize(("mantissa", "power", "fits"), [
    (2**53, 0, True), (2**53 + 1, 0, False), (2**53, 900, True), (1, -1000, True),
    (1, -1001, False), (1, 1001, False),
])
def test_weights_are_read_as_doubles_only_where_they_are_some(mantissa, power, fits):
    """2^53 + 1 is the least whole number that is no double."""
    weights = Weights(np.array([[mantissa, 1]]), np.array([[power, 0]]))
    read = [Fraction(x) for x in row_of_doubles(weights, 0)]
    assert read == ([mantissa * Fraction(2) ** power, 1] if fits else [])
