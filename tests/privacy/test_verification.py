"""Pure levels: irreducible pairs decide as all pairs do, at the level and just beside it."""

from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import wide
from tests.privacy.brute import (
    check_witness,
    has_level,
    laws,
    level_of,
    mechanism_of,
    metrics,
    plain_lengths,
    rows_of,
    space_of,
    steeper,
    steepest,
    tables_of_weights,
)
from tightrope.errors import BadInput, NotCertified, NotPrivate
from tightrope.exact import Level, Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    NoiseMechanism,
    SubsetMechanism,
    UnaryMechanism,
    written_out,
)
from tightrope.privacy import (
    Certificate,
    Certified,
    Refutation,
    Smallest,
    certified,
    repair,
    smallest_level,
    verify,
)
from tightrope.spaces import categories, cycle, hamming, path, star

ratios = st.fractions(min_value=Fraction(11, 10), max_value=20, max_denominator=10)
HAIR = 1 - Fraction(1, 10**60)


@settings(derandomize=True, deadline=None, max_examples=120)
@given(metrics(), st.integers(1, 3), st.booleans(), ratios, st.data())
def test_irreducible_pairs_decide_as_all_pairs_do(table, columns, zeros, ratio, data):
    integers = data.draw(tables_of_weights(len(table), columns, zeros))
    mechanism = mechanism_of(space_of(table), integers)
    level = Level.ratio(ratio)
    found = verify(mechanism, mechanism.space, level)
    assert found.holds == has_level(laws(integers), plain_lengths(table), level)
    if isinstance(found, Refutation):
        check_witness(found, mechanism, plain_lengths(table))


@settings(derandomize=True, deadline=None, max_examples=120)
@given(metrics(), st.integers(1, 3), st.data())
def test_holds_at_the_level_fails_just_below_and_the_smallest_level_is_the_level(
    table, columns, data
):
    integers = data.draw(tables_of_weights(len(table), columns))
    mechanism = mechanism_of(space_of(table), integers)
    steep = steepest(laws(integers), table)
    smallest = smallest_level(mechanism, mechanism.space)
    assert isinstance(smallest, Smallest)
    if steep[0] == 1:
        assert (smallest.lower, smallest.upper) == (0, 0)
        assert verify(mechanism, mechanism.space, Level.epsilon("1e-9")).holds
        return
    level = level_of(steep)
    at = verify(mechanism, mechanism.space, level)
    assert isinstance(at, Certificate)
    assert at.level == level
    assert at.smallest.exact.compare_level(level) == 0
    assert smallest.exact.compare_level(level) == 0
    assert Fraction(smallest.lower) <= Fraction(smallest.upper)
    assert level.compare_level(Level.epsilon(Fraction(smallest.upper))) <= 0
    assert level.compare_level(Level.epsilon(Fraction(smallest.lower))) >= 0
    if steep[0] * HAIR > 1:
        below = verify(mechanism, mechanism.space, level_of(steep, HAIR))
        assert isinstance(below, Refutation)
        check_witness(below, mechanism, plain_lengths(table))
        assert verify(mechanism, mechanism.space, level_of(steep, 1 / HAIR)).holds


@settings(derandomize=True, deadline=None, max_examples=60)
@given(metrics(4), st.data())
def test_a_zero_beside_a_non_zero_is_refuted_at_every_level(table, data):
    integers = data.draw(tables_of_weights(len(table), 3))
    row = data.draw(st.integers(0, len(table) - 1))
    integers[row][data.draw(st.integers(0, 2))] = 0
    mechanism = mechanism_of(space_of(table), integers)
    for level in (Level.epsilon("0.01"), Level.ratio(2), Level.epsilon(10**6)):
        found = verify(mechanism, mechanism.space, level)
        assert isinstance(found, Refutation)
        assert found.witness.probabilities[0] > found.witness.probabilities[1] == 0
        check_witness(found, mechanism, plain_lengths(table))
    none = smallest_level(mechanism, mechanism.space)
    assert isinstance(none, Refutation)
    assert none.level is None
    check_witness(none, mechanism, plain_lengths(table))
    assert "no finite level" in str(none)
    with pytest.raises(NotPrivate) as caught:
        certified(mechanism, Level.epsilon(10**6))
    assert caught.value.refutation.witness.probabilities[1] == 0


def test_an_output_that_never_occurs_does_no_harm():
    integers = [[2, 0, 1, 0], [1, 0, 2, 0]]
    mechanism = mechanism_of(path(0, 1), integers)
    assert verify(mechanism, mechanism.space, Level.ratio(2)).holds
    assert not verify(mechanism, mechanism.space, Level.ratio("1.999999999999")).holds
    assert smallest_level(mechanism, mechanism.space).exact == Level.ratio(2)


def test_the_certificate_says_what_was_done():
    mechanism = mechanism_of(path(0, 2), [[4, 1, 1], [2, 2, 2], [1, 1, 4]])
    found = verify(mechanism, mechanism.space, Level.ratio(2))
    assert isinstance(found, Certificate)
    assert found.evidence == "enumerated"
    assert found.checked == 2 * 2 * 3  # two irreducible pairs, both orders, three outputs
    assert found.delta == (0, 0)
    assert found.neighbors == path(0, 2).neighbors.relation
    assert found.smallest.exact == Level.ratio(2)
    assert found.smallest.lower <= 0.6931471805599453 <= found.smallest.upper


@pytest.mark.parametrize(
    "space", [path(0, 4), cycle(5), categories(5), star(4)], ids=lambda space: space.text
)
@settings(derandomize=True, deadline=None, max_examples=20)
@given(data=st.data())
def test_the_families_decide_as_their_distances_do(space, data):
    integers = data.draw(tables_of_weights(5, 2))
    mechanism = mechanism_of(space, integers)
    table = [[space.distance(i, j).rational for j in range(5)] for i in range(5)]
    steep = steepest(laws(integers), table)
    if steep[0] > 1:
        assert verify(mechanism, space, level_of(steep)).holds
        assert smallest_level(mechanism, space).exact.compare_level(level_of(steep)) == 0
    else:
        assert smallest_level(mechanism, space).upper == 0


def test_a_mechanism_can_be_read_on_another_space():
    # on the complete graph the two ends are at distance 1, on the path at distance 2
    integers = [[4, 2, 1], [2, 2, 2], [1, 2, 4]]
    mechanism = mechanism_of(path(0, 2), integers)
    table = {
        path(0, 2): [[abs(i - j) for j in range(3)] for i in range(3)],
        categories(3): [[int(i != j) for j in range(3)] for i in range(3)],
    }
    found = {}
    for space, distances in table.items():
        exact = steepest(laws(integers), [[Fraction(d) for d in line] for line in distances])
        assert smallest_level(mechanism, space).exact.compare_level(level_of(exact)) == 0
        found[space] = exact
    assert steeper(found[categories(3)], found[path(0, 2)])


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(2, 9), st.fractions(min_value=Fraction(6, 5), max_value=5, max_denominator=5))
def test_every_comparison_may_be_an_exact_tie(size, ratio):
    # the truncated geometric, written out from its definition
    alpha = 1 / ratio
    rows = [
        [(1 if z in (0, size - 1) else 1 - alpha) * alpha ** abs(y - z) / (1 + alpha)
         for z in range(size)]
        for y in range(size)
    ]
    scale = ((ratio.numerator * ratio.denominator) ** size * (ratio.numerator + ratio.denominator))
    integers = [[int(value * scale) for value in line] for line in rows]
    mechanism = mechanism_of(path(0, size - 1), integers)
    assert rows_of(mechanism) == [tuple(line) for line in rows]
    assert verify(mechanism, mechanism.space, Level.ratio(ratio)).smallest.exact == Level.ratio(
        ratio
    )
    assert not verify(mechanism, mechanism.space, Level.ratio(1 + (ratio - 1) * HAIR)).holds


def test_hundreds_of_points_with_nothing_but_ties_are_verified():
    size, space = 300, path(0, 299)
    ends = [[3 ** (size - abs(y - z)) * 2 ** abs(y - z) * (3 if z in (0, size - 1) else 1)
             for z in range(size)] for y in range(size)]
    mechanism = mechanism_of(space, ends)
    found = verify(mechanism, space, Level.ratio("3/2"))
    assert found.holds
    assert found.smallest.exact == Level.ratio("3/2")
    ends[150][7] += 1
    assert not verify(mechanism_of(space, ends), space, Level.ratio("3/2")).holds


@pytest.mark.parametrize("people", [2, 3])
def test_databases_protect_each_person(people):
    space = hamming(values=2, people=people)
    # each person answers through 2 : 1 randomized response, the product of all answers comes out
    integers = [
        [2 ** sum(a == b for a, b in zip(x, z, strict=True)) for z in space.points]
        for x in space.points
    ]
    mechanism = mechanism_of(space, integers)
    assert smallest_level(mechanism, space).exact == Level.ratio(2)


@pytest.mark.parametrize("place", range(6))
def test_the_witness_of_a_zero_has_its_own_probability_first_and_a_zero_second(place):
    # Four inputs on a path, an output that one, two or three of them give, in any order.
    line = path(0, 3)
    held = [(1, 0, 0, 0), (0, 0, 0, 1), (1, 1, 0, 0), (0, 0, 1, 1), (1, 0, 1, 1), (0, 1, 0, 0)]
    rows = [[2, 2, 3 * own] for own in held[place]]
    mechanism = MatrixMechanism(line, ("a", "b", "c"), Weights.from_integers(rows))
    found = verify(mechanism, line, Level.ratio(100))
    assert isinstance(found, Refutation)
    assert smallest_level(mechanism, line).witness == found.witness
    first, second = (line.index(x) for x in (found.witness.first, found.witness.second))
    assert found.witness.outputs == ("c",)
    assert found.witness.probabilities == (Fraction(3, 7), Fraction(0))
    assert held[place][first] == 1
    assert held[place][second] == 0


def test_a_kernel_whose_bounds_say_nothing_is_judged_by_its_rows():
    # The only output is so far that its weight is less than a unit: no lower bound but 0.
    line = path(0, 80)
    kernel = KernelMechanism(line, Fraction(4), Fraction(1), (*[0] * 80, 1), rounded=True)
    assert kernel.sums.least == 0
    assert smallest_level(kernel, line).upper == 0
    assert verify(kernel, line, Level.epsilon("1e-9")).holds


def test_noise_is_judged_on_the_space_that_is_asked_for():
    noise = NoiseMechanism(path(0, 9), Fraction(2))
    assert verify(noise, path(-3, 20), Level.ratio(2)).holds
    with pytest.raises(BadInput):
        verify(noise, categories(10), Level.ratio(2))


far_apart = st.sampled_from([-1500, -1005, -3, -1, 0, 1, 2, 1005, 1500])
near_by = st.integers(0, 3)


@pytest.mark.parametrize("powers", [far_apart, near_by], ids=["far apart", "near by"])
@settings(derandomize=True, deadline=None, max_examples=60)
@given(table=metrics(4), columns=st.integers(1, 3), data=st.data())
def test_powers_of_two_beside_the_weights_count_on_both_sides(powers, table, columns, data):
    size = len(table)
    integers = data.draw(tables_of_weights(size, columns))
    exponents = [[data.draw(powers) for _ in range(columns)] for _ in range(size)]
    if data.draw(st.booleans()):  # rows that differ in nothing but their powers of two
        integers = [integers[0]] * size
    mechanism = mechanism_of(space_of(table), integers, exponents)
    steep = steepest(laws(integers, exponents), table)
    found = smallest_level(mechanism, mechanism.space)
    if steep[0] == 1:
        assert (found.lower, found.upper) == (0, 0)
        return
    assert found.exact is None or found.exact.compare_level(level_of(steep)) == 0
    assert found.lower <= float(level_of(steep)) * (1 + 1e-12)
    assert found.upper >= float(level_of(steep)) * (1 - 1e-12)
    assert verify(mechanism, mechanism.space, level_of(steep)).holds
    refuted = verify(mechanism, mechanism.space, level_of(steep, HAIR))
    assert not refuted.holds
    check_witness(refuted, mechanism, plain_lengths(table))


FORMS = [
    KernelMechanism(categories(3), Fraction(3), Fraction(1), (Fraction(1),) * 3),
    KernelMechanism(categories(3), Fraction(3), Fraction(1), tuple(map(Fraction, (1, 2, 5)))),
    KernelMechanism(path(0, 2), Fraction(3), Fraction(1), (5, 3, 4), rounded=True),
    SubsetMechanism(categories(3), 1, Fraction(3)),
    SubsetMechanism(categories(3), 2, Fraction(3)),
    UnaryMechanism(categories(3), Fraction(1, 2), Fraction(1, 5)),
]
TABLES = [
    [[0, 1, 2], [1, 0, 1], [2, 1, 0]], [[0, 2, 2], [2, 0, 2], [2, 2, 0]],
    [[0, 1, 1], [1, 0, 2], [1, 2, 0]], [[0, 3, 1], [3, 0, 2], [1, 2, 0]],
]


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_a_mechanism_read_on_another_space_is_judged_there(form, table):
    space = space_of([list(map(Fraction, line)) for line in table])
    rows = [written_out(form).row_at(i) for i in range(3)]
    steep = steepest(rows, [list(map(Fraction, line)) for line in table])
    at, below = level_of(steep), level_of(steep, HAIR)
    held = verify(form, space, at)
    assert held.holds
    assert not verify(form, space, below).holds
    found = smallest_level(form, space)
    assert found.lower <= float(at) * (1 + 1e-12)
    assert found.upper >= float(at) * (1 - 1e-12)
    if form.space != space:  # what was proved there is no proof here
        with pytest.raises(NotCertified):
            Certified(form, held)


def test_a_level_with_delta_tells_no_pure_level_where_there_is_none():
    truth = MatrixMechanism(categories(2), (0, 1), Weights.from_integers([[99, 1], [0, 100]]))
    found = verify(truth, truth.space, Level.epsilon(1, delta="0.999"))
    assert found.holds
    assert found.smallest is None


@pytest.mark.parametrize("level", [Level.ratio(2, "1/100"), Level.epsilon("1/2", "1/100")])
def test_a_refuted_set_is_told_with_what_was_allowed(level):
    # of 3/4 and 1/4: the first may have e^ε · 1/4 + 1/100
    table = MatrixMechanism(categories(2), (0, 1), Weights.from_integers([[3, 1], [1, 3]]))
    found = verify(table, table.space, level)
    assert not found.holds
    told = found.reason.rsplit("δ = ", 2)[1].split(",")[0]
    power = Fraction(2) if level.rational == 0 else Fraction(wide(40).exp(Decimal("0.5")))
    assert abs(Fraction(told) - (power / 4 + Fraction(1, 100))) < Fraction(1, 10**6)


def test_both_orders_of_every_pair_at_every_output_are_counted():
    """Three neighboring pairs, twice, at four outputs; and an output that never comes is none."""
    assert verify([["1/4"] * 4] * 4, path(0, 3), 1).checked == 3 * 2 * 4
    never = MatrixMechanism.of([["1/2", "1/2", "0"]] * 4, path(0, 3), ("a", "b", "c"))
    assert verify(never, path(0, 3), 1).checked == 3 * 2 * 2


def test_a_frame_with_a_column_called_mechanism_is_a_matrix():
    frame = pd.DataFrame([["2/3", "1/3"], ["1/3", "2/3"]], columns=["mechanism", "law"])
    assert verify(frame, "categories:2", "ln(2)").holds
    assert not verify(frame, "categories:2", "ln(19/10)").holds
    assert smallest_level(frame, "categories:2").exact == Level.ratio(2)
    assert repair(frame, "categories:2", "ln(2)").moved == 0
