"""The laws of composition, each tried on mechanisms of fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.privacy.brute import (
    delta_by_subsets,
    has_level,
    laws,
    level_of,
    mechanism_of,
    metrics,
    plain_lengths,
    space_of,
    steeper,
    steepest,
    tables_of_weights,
)
from tightrope.errors import BadLevel
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, cascade, remap, tensor
from tightrope.privacy import delta_curve, group, parallel, sequential, smallest_level, verify
from tightrope.spaces import categories, path

ratios = st.fractions(min_value=Fraction(11, 10), max_value=4, max_denominator=10)
UNITS = [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]


def both(first, second):
    """Two mechanisms on the same input, both answers given."""
    outputs = tuple(product(first.outputs, second.outputs))
    rows = [
        [p * q for p in first.row_at(i) for q in second.row_at(i)] for i in range(first.space.size)
    ]
    return MatrixMechanism(first.space, outputs, Weights.from_fractions(rows))


@settings(derandomize=True, deadline=None, max_examples=40)
@given(metrics(4), st.data())
def test_levels_of_two_answers_about_the_same_data_add_up(table, data):
    space = space_of(table)
    mechanisms, levels = [], []
    for _ in range(2):
        integers = data.draw(tables_of_weights(len(table), 2))
        steep = steepest(laws(integers), table)
        if steep[0] == 1:
            return
        mechanisms.append(mechanism_of(space, integers))
        levels.append(level_of(steep))
    together = both(*mechanisms)
    total = sequential(levels)
    assert verify(together, space, total).holds
    rows = [together.row_at(i) for i in range(len(table))]
    found = steepest(rows, table)
    if found[0] > 1:
        assert level_of(found).compare_level(total) <= 0


@settings(derandomize=True, deadline=None, max_examples=30)
@given(ratios, ratios, st.data())
def test_deltas_of_two_answers_about_the_same_data_add_up(r, s, data):
    mechanisms, levels = [], []
    for ratio in (r, s):
        integers = data.draw(tables_of_weights(2, 3, zeros=True))
        p, q = laws(integers)
        delta = max(delta_by_subsets(p, q, ratio), delta_by_subsets(q, p, ratio))
        if delta >= Fraction(1, 2):
            return
        mechanisms.append(mechanism_of(path(0, 1), integers))
        levels.append(Level.ratio(ratio, delta=delta))
    together = both(*mechanisms)
    total = sequential(levels)
    assert total.delta == levels[0].delta + levels[1].delta
    assert total.compare(r * s, path(0, 1).distance(0, 1)) == 0
    p, q = together.row_at(0), together.row_at(1)
    assert max(delta_by_subsets(p, q, r * s), delta_by_subsets(q, p, r * s)) <= total.delta
    assert verify(together, together.space, total.with_delta(total.delta)).holds


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.data())
def test_answers_about_disjoint_parts_have_the_largest_level(data):
    parts, levels = [], []
    for space in (path(0, 2), categories(2)):
        integers = data.draw(tables_of_weights(space.size, 2))
        table = [[space.distance(i, j).rational for j in range(space.size)]
                 for i in range(space.size)]
        steep = steepest(laws(integers), table)
        if steep[0] == 1:
            return
        parts.append(mechanism_of(space, integers))
        levels.append(level_of(steep))
    together = tensor(*parts)
    largest = parallel(levels)
    assert verify(together, together.space, largest).holds
    assert all(level.compare_level(largest) <= 0 for level in levels)
    exact = smallest_level(together, together.space).exact
    assert exact.compare_level(largest) == 0


def test_parallel_takes_the_largest_epsilon_and_the_largest_delta():
    found = parallel([Level.epsilon("0.5", delta="0.1"), Level.ln(2, delta="0.01")])
    assert found == Level.ln(2, delta="0.1")
    assert parallel([Level.ln(4), Level.ln(2).scaled(2)]).compare_level(Level.ln(4)) == 0


def test_sequential_of_one_is_itself_and_of_three_is_their_sum():
    level = Level.epsilon("0.5", delta="0.1")
    assert sequential([level]) == level
    three = sequential([level, Level.ln(2), Level.ln(3, delta="0.2")])
    assert (three.rational, three.base, three.delta) == (Fraction(1, 2), 6, Fraction(3, 10))
    with pytest.raises(BadLevel):
        sequential([Level.epsilon(1, delta="0.6")] * 2)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(2, 4), st.integers(2, 3), ratios, st.data())
def test_delta_grows_along_a_path_no_faster_than_the_law_of_groups(steps, columns, ratio, data):
    integers = data.draw(tables_of_weights(steps + 1, columns, zeros=True))
    rows = laws(integers)
    delta = max(
        delta_by_subsets(rows[a], rows[b], ratio)
        for i in range(steps) for a, b in ((i, i + 1), (i + 1, i))
    )
    bound = delta * (ratio**steps - 1) / (ratio - 1)
    far = max(delta_by_subsets(rows[a], rows[b], ratio**steps) for a, b in ((0, steps), (steps, 0)))
    assert far <= bound
    if 0 < bound < 1:
        grown = group(Level.ratio(ratio, delta=delta), steps)
        assert grown.delta == bound
        assert grown.compare(ratio**steps, path(0, 1).distance(0, 1)) == 0


def test_the_law_of_groups_is_attained():
    # each step moves a share of δ to a new output and the rest stays within e^ε = 2
    delta, ratio = Fraction(1, 100), Fraction(2)
    top = [Fraction(1, 2)]
    for _ in range(3):
        top.append(ratio * top[-1] + delta)
    scaled = [value / 8 for value in top]
    shrunk = delta / 8
    integers = [[int(value * 800), 800 - int(value * 800)] for value in scaled]
    rows = laws(integers)
    assert rows[3][0] == 8 * rows[0][0] + shrunk * 7
    assert delta_by_subsets(rows[3], rows[0], ratio**3) == shrunk * 7
    assert group(Level.ratio(2, delta=shrunk), 3).delta == shrunk * 7


def test_groups_of_an_irrational_level_round_delta_up():
    e = Fraction("2.718281828459045235360287471352662497757247")
    found = group(Level.epsilon(1, delta="0.01"), 3)
    exact = Fraction(1, 100) * (1 + e + e * e)
    assert exact <= found.delta <= exact + Fraction(1, 10**15)
    assert found.rational == 3


@pytest.mark.parametrize("size", [0, -1, 1.5, "2", Fraction(3, 2), None])
@pytest.mark.parametrize("delta", ["0", "1/100"])
def test_a_group_is_a_whole_number_of_steps(size, delta):
    with pytest.raises(BadLevel, match="a group of at least one"):
        group(Level.ratio(2, delta), size)
    assert group(Level.ratio(2, delta), np.int64(2)) == group(Level.ratio(2, delta), 2)


def test_a_group_of_one_is_the_level_and_none_is_refused():
    level = Level.ratio(2, delta="0.01")
    assert group(level, 1).compare_level(level) == 0
    assert group(level, 1).delta == level.delta
    for size in (0, -1):
        with pytest.raises(BadLevel):
            group(level, size)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(metrics(4), st.integers(2, 3), st.integers(1, 3), st.booleans(), st.data())
def test_post_processing_never_raises_the_level(table, columns, width, sharp, data):
    space = space_of(table)
    integers = data.draw(tables_of_weights(len(table), columns))
    mechanism = mechanism_of(space, integers)
    outputs = tuple(range(width))
    if sharp:
        targets = [data.draw(st.integers(0, width - 1)) for _ in range(columns)]
        processed = remap(mechanism, targets, outputs)
    else:
        lines = data.draw(tables_of_weights(columns, width, zeros=True))
        channel = [[Fraction(value, sum(line)) for value in line] for line in lines]
        processed = cascade(mechanism, channel, outputs)
    before = steepest(laws(integers), table)
    after = steepest([processed.row_at(i) for i in range(len(table))], table)
    assert after is not None
    assert not steeper(after, before)
    if before[0] == 1:
        assert smallest_level(processed, space).upper == 0
        return
    assert verify(processed, space, level_of(before)).holds
    rows = [processed.row_at(i) for i in range(len(table))]
    assert has_level(rows, plain_lengths(table), level_of(before))


@settings(derandomize=True, deadline=None, max_examples=30)
@given(ratios, st.data())
def test_post_processing_never_raises_delta(ratio, data):
    integers = data.draw(tables_of_weights(2, 3, zeros=True))
    mechanism = mechanism_of(path(0, 1), integers)
    lines = data.draw(tables_of_weights(3, 2, zeros=True))
    channel = [[Fraction(value, sum(line)) for value in line] for line in lines]
    processed = cascade(mechanism, channel, ("x", "y"))
    before, after = (delta_curve(m, m.space).at_ratio(ratio) for m in (mechanism, processed))
    assert after <= before


@pytest.mark.parametrize("levels", ["12", "0.5", 3, None, []])
def test_what_is_no_list_of_levels_is_refused(levels):
    for together in (sequential, parallel):
        with pytest.raises(BadLevel):
            together(levels)
