"""`certify`: what it returns is private by brute force, near what was given, and counted right."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.privacy.brute import has_level, plain_lengths
from tightrope.errors import BadLevel, BadMatrix, NotPrivate
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certify, repair, verify
from tightrope.privacy.repair import dilute
from tightrope.spaces import categories, cycle, graph, grid, path, star


def rational_table(space):
    n = space.size
    return plain_lengths([[space.distance(i, j).rational for j in range(n)] for i in range(n)])


def grid_table(shape):
    cells = [(i, j) for i in range(shape[0]) for j in range(shape[1])]
    return [[[(Fraction(1), Fraction((a - c) ** 2 + (b - d) ** 2))] for c, d in cells]
            for a, b in cells]


WEIGHTED = graph("abc", [(0, 1, "1/2"), (1, 2, "7/3")])
SPACES = [
    (path(0, 3), rational_table(path(0, 3))),
    (categories(4), rational_table(categories(4))),
    (cycle(4), rational_table(cycle(4))),
    (star(3), rational_table(star(3))),
    (WEIGHTED, rational_table(WEIGHTED)),
    (grid((2, 2)), grid_table((2, 2))),
]
LEVELS = [Level.epsilon("0.1"), Level.epsilon("0.5"), Level.ratio(2), Level.ratio("3/2"),
          Level.parse("ln(2)/3"), Level.epsilon(5), Level.epsilon(40)]


@st.composite
def stochastic(draw, rows, columns):
    """Rows of doubles that add up to 1 about: zeros, ones, and anything between."""
    entry = st.one_of(st.just(0.0), st.floats(1e-12, 1), st.sampled_from([1e-300, 1e-9, 0.5]))
    table = np.array([[draw(entry) for _ in range(columns)] for _ in range(rows)])
    for line in table:
        line[draw(st.integers(0, columns - 1))] += 1.0
    return table / table.sum(axis=1, keepdims=True)


def exact_rows(table):
    rows = []
    for line in table.tolist():
        values = [Fraction(value) for value in line]
        rows.append([value / sum(values) for value in values])
    return rows


def total_variation(one, other):
    return max(
        sum((abs(p - q) for p, q in zip(a, b, strict=True)), Fraction(0)) / 2
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize(("space", "lengths"), SPACES, ids=lambda part: getattr(part, "text", ""))
@settings(derandomize=True, deadline=None, max_examples=20)
@given(data=st.data())
def test_what_comes_back_is_private_by_brute_force(space, lengths, data):
    columns = data.draw(st.integers(1, 4))
    table = data.draw(stochastic(space.size, columns))
    level = data.draw(st.sampled_from(LEVELS))
    costs = None
    if data.draw(st.booleans()):
        costs = np.array([[data.draw(st.floats(0, 5)) for _ in range(columns)]
                          for _ in range(space.size)])
    outputs = tuple(f"z{k}" for k in range(columns))
    found = repair(table, space, level, outputs=outputs, costs=costs)
    mechanism = found.certified.mechanism
    rows = [mechanism.row_at(i) for i in range(space.size)]
    assert all(sum(law) == 1 for law in rows)
    assert has_level(rows, lengths, level)
    given_rows = exact_rows(table)
    assert found.moved == pytest.approx(float(total_variation(given_rows, rows)), abs=1e-12)
    assert found.row_error == pytest.approx(abs(table.sum(axis=1) - 1).max(), abs=1e-15)
    assert found.certified.certificate.level == level
    assert tuple(mechanism.outputs) == outputs
    if has_level(given_rows, lengths, level):
        assert found.moved == 0
        assert [list(law) for law in rows] == given_rows
    else:
        assert found.moved > 0


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.sampled_from(LEVELS), st.integers(2, 5))
def test_the_identity_becomes_a_mechanism_that_still_prefers_the_truth(level, size):
    space = path(0, size - 1)
    found = certify(np.eye(size), space, level)
    rows = [found.mechanism.row_at(i) for i in range(size)]
    assert has_level(rows, rational_table(space), level)
    assert all(p > 0 for law in rows for p in law)


@pytest.mark.parametrize("epsilon", ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-9"])
@pytest.mark.parametrize("space", [path(0, 2), categories(3)], ids=lambda space: space.text)
def test_small_levels_are_repaired_too(epsilon, space):
    level = Level.epsilon(epsilon)
    found = certify(np.eye(3), space, level)
    rows = [found.mechanism.row_at(i) for i in range(3)]
    assert has_level(rows, rational_table(space), level)


@pytest.mark.parametrize("epsilon", ["1e-12", "1e-15", "1e-40", "1e-300"])
def test_levels_below_the_resolution_of_doubles_are_repaired_or_refused_as_levels(epsilon):
    level = Level.epsilon(epsilon)
    try:
        found = certify(np.eye(3), path(0, 2), level)
    except BadLevel:
        return
    rows = [found.mechanism.row_at(i) for i in range(3)]
    assert has_level(rows, rational_table(path(0, 2)), level)


@pytest.mark.parametrize("epsilon", ["100", "700", "2000", "20000"])
def test_large_levels_are_repaired_too(epsilon):
    level = Level.epsilon(epsilon)
    found = certify(np.eye(3), path(0, 2), level)
    rows = [found.mechanism.row_at(i) for i in range(3)]
    assert all(p > 0 for law in rows for p in law)
    assert has_level(rows, rational_table(path(0, 2)), level)
    assert found.certificate.smallest.upper <= float(level)


def test_a_private_matrix_is_kept_bit_by_bit():
    table = np.array([[0.75, 0.25], [0.5, 0.5]])
    found = repair(table, path(0, 1), Level.ratio(2))
    assert found.moved == 0
    assert found.certified.mechanism.row_at(0) == (Fraction(3, 4), Fraction(1, 4))
    assert found.certified.mechanism.row_at(1) == (Fraction(1, 2), Fraction(1, 2))
    assert found.certified.certificate.smallest.exact == Level.ratio(2)


def test_totals_near_one_become_the_denominator_and_are_reported():
    table = np.array([[0.5, 0.5 + 5e-7], [0.5, 0.5]])
    found = repair(table, path(0, 1), Level.ratio(2))
    assert found.moved == 0
    assert 4.9e-7 < found.row_error < 5.1e-7
    law = found.certified.mechanism.row_at(0)
    assert sum(law) == 1
    assert law[0] == Fraction(0.5) / (Fraction(0.5) + Fraction(0.5 + 5e-7))


@pytest.mark.parametrize(
    "table",
    [
        [[1.0, -0.1], [0.5, 0.5]],
        [[0.9, 0.2], [0.5, 0.5]],
        [[0.5, 0.5 + 2e-6], [0.5, 0.5]],
        [[0.0, 0.0], [0.5, 0.5]],
        [[float("nan"), 1.0], [0.5, 0.5]],
        [[float("inf"), 1.0], [0.5, 0.5]],
        [[1.1, -0.1], [0.5, 0.5]],
        [[1.0, 0.0]],
        [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]],
        [[1.0], [1.0]],
        [1.0, 0.0],
    ],
)
def test_what_is_no_stochastic_matrix_is_refused(table):
    for ask in (certify, repair):
        with pytest.raises(BadMatrix):
            ask(np.array(table), path(0, 1), Level.ratio(2))


def test_approximate_levels_are_repaired_by_mixing():
    level = Level.ratio(2, delta="0.1")
    mixed = certify(np.eye(2), path(0, 1), level).mechanism
    # a tenth of the identity and nine tenths of randomized response
    assert float(mixed.row_at(0)[0]) == pytest.approx(0.1 + 0.9 * 2 / 3)
    found = certify(np.array([[0.9, 0.1], [0.3, 0.7]]), path(0, 1), Level.ratio(2, delta="0.5"))
    assert found.certificate.level.delta == Fraction(1, 2)


@pytest.mark.parametrize("delta", ["1e-30", "1e-12"])
def test_a_mixture_that_doubles_cannot_hold_is_the_pure_repair(delta):
    """Beside e^-2000, which is no double, only what has no delta at all is left."""
    level = Level.epsilon(2000, delta)
    found = repair(np.eye(3), path(0, 2), level)
    rows = [found.certified.mechanism.row_at(i) for i in range(3)]
    assert found.changed
    assert found.certified.certificate.level == level
    if delta == "1e-30":
        assert has_level(rows, rational_table(path(0, 2)), level.pure)


def test_a_repair_too_small_for_doubles_is_one_all_the_same():
    tiny, half = Fraction(1, 2**3000), Fraction(1, 2)
    rows = [[half, half, Fraction(0)], [half, half - tiny, tiny]]
    level = Level.epsilon(2000)
    assert not verify(MatrixMechanism.of(rows, path(0, 1), list("abc")), path(0, 1), level).holds
    found = repair(rows, path(0, 1), level, outputs=list("abc"))
    assert found.moved == 0
    assert found.changed
    assert found.facts().json["changed"] is True
    assert found.certified.mechanism.row_at(1) != tuple(rows[1])
    kept = repair([[0.25, 0.75], [0.25, 0.75]], path(0, 1), level)
    assert not kept.changed


def test_costs_send_the_leftover_where_it_is_cheap():
    # rows that differ in their sums after lifting leave something over; the third output
    # costs nothing
    table = np.array([[1.0, 0.0, 0.0], [0.2, 0.8, 0.0], [0.0, 1.0, 0.0]])
    costs = np.array([[5.0, 5.0, 0.0]] * 3)
    found = repair(table, path(0, 2), Level.epsilon("0.5"), costs=costs)
    rows = [found.certified.mechanism.row_at(i) for i in range(3)]
    assert all(law[2] > 0 for law in rows)
    elsewhere = repair(table, path(0, 2), Level.epsilon("0.5"), costs=costs[:, ::-1])
    assert all(law[2] == 0 for law in (elsewhere.certified.mechanism.row_at(i) for i in range(3)))


@settings(derandomize=True, deadline=None, max_examples=20)
@given(stochastic(4, 3), st.sampled_from(LEVELS))
def test_repairing_twice_changes_nothing(table, level):
    first = repair(table, path(0, 3), level, outputs=("a", "b", "c"))
    assert verify(first.certified.mechanism, path(0, 3), level).holds
    floats = first.certified.mechanism.weights.floats
    try:
        again = repair(floats, path(0, 3), level, outputs=("a", "b", "c"))
    except NotPrivate as refused:
        raise AssertionError("a matrix near a private one was not repaired") from refused
    assert again.moved < 1e-9


def test_no_more_is_mixed_in_than_delta_asks_for():
    """Rows (3, 1)/4 and (1, 3)/4 have an excess of 1/4 at e^ε = 2: half of it is 1/8."""
    table, half = [["3/4", "1/4"], ["1/4", "3/4"]], Level.ratio(2, "1/8")
    given = MatrixMechanism.of(table, categories(2), (0, 1))
    assert dilute(given, half, 0).mechanism.row(1) == (Fraction(5, 8), Fraction(3, 8))
    moved = [repair(given, categories(2), level).moved for level in (half, half.pure)]
    assert moved[0] == pytest.approx(moved[1] / 2)


def test_costs_are_one_for_each_entry():
    with pytest.raises(BadMatrix, match=r"the shape \(2, 2\), found \(2, 1\)"):
        repair(np.eye(2), categories(2), Level.ratio(2), costs=np.zeros((2, 1)))


@pytest.mark.parametrize("ratio", ["7", "4", "10/7", "1003/1000"])
def test_a_leftover_alone_in_its_column_keeps_the_level_after_rounding(ratio):
    """Leftovers of two rows differ by e^ε exactly; cut to 62 bits they would by more."""
    costs = np.array([[1.0, 1.0, 0.0]] * 2)  # the third output, which never occurs, is free
    for k in range(1, 40):
        table = np.array([[1.0, 0.0, 0.0], [k / 40, 1 - k / 40, 0.0]])
        found = certify(table, path(0, 1), Level.ratio(ratio), outputs=("a", "b", "c"),
                        costs=costs)
        rows = [found.mechanism.row_at(i) for i in range(2)]
        assert has_level(rows, rational_table(path(0, 1)), Level.ratio(ratio))
