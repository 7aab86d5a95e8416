"""Excesses of parts, against all sets of outputs one by one."""

from fractions import Fraction
from itertools import chain, combinations
from random import Random

import pytest

from tightrope.errors import BadInput, Refused
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certificate, verify
from tightrope.spaces import categories, grid, path
from tightrope.theory import excesses


def told(rows, space):
    return MatrixMechanism.of([[str(x) for x in row] for row in rows], space)


def random_rows(source, inputs, outputs):
    rows = [[source.choice((0, 1, 1, 2, 3, 4, 6)) for _ in range(outputs)] for _ in range(inputs)]
    return [[Fraction(x, sum(row)) if sum(row) else Fraction(1, outputs) for x in row]
            for row in rows]


def largest(p, q, ratio):
    """The largest P(A) - e^ε P'(A) over all sets A."""
    every = chain.from_iterable(combinations(range(len(p)), k) for k in range(len(p) + 1))
    return max(sum((p[z] - ratio * q[z] for z in event), Fraction(0)) for event in every)


@pytest.mark.parametrize("seed", range(6))
def test_positive_parts_add_up_to_the_largest_excess_of_any_set(seed):
    rows = random_rows(Random(seed), 3, 5)
    for ratio, delta in ((Fraction(3, 2), "0"), (Fraction(2), "1/8"), (Fraction(3), "1/4")):
        level = Level.ratio(ratio, delta)
        found = excesses(told(rows, categories(3)), level)
        assert len(found.rows) == 6
        for row in found.rows:
            p, q = rows[row.first], rows[row.second]
            assert row.excess == (largest(p, q, ratio),) * 2
            assert row.holds == (row.excess[0] <= level.delta)
            for part in row.parts:
                assert {p[z] / q[z] if q[z] else None for z in part.outputs} == {part.ratio}
                assert part.excess[0] == sum(p[z] - ratio * q[z] for z in part.outputs)
            likelier = {z for z in range(5) if p[z] > q[z]}
            assert {z for part in row.parts for z in part.outputs} == likelier
        assert found.holds == isinstance(
            verify(told(rows, categories(3)), categories(3), level), Certificate)


def test_the_worst_pair_comes_first():
    found = excesses(told(random_rows(Random(9), 4, 4), categories(4)), Level.ratio(2))
    assert [row.excess for row in found.rows] == sorted(
        (row.excess for row in found.rows), reverse=True)


def test_a_tie_with_an_irrational_power_is_no_excess():
    # the ratio is 2 at distance 2, and e^(ε d) = 2 exactly where ε = ln(2)/2
    rows = [["1/2", "1/2"], ["3/4", "1/4"], ["1/2", "1/2"]]
    row = excesses(told(rows, path(0, 2)), Level.parse("ln(2)/2"), [(0, 2)]).rows[0]
    assert row.parts == ()
    assert row.holds
    row = excesses(told([["2/3", "1/3"], ["1/2", "1/2"], ["1/3", "2/3"]], path(0, 2)),
                   Level.parse("ln(2)/2"), [(0, 2)]).rows[0]
    assert not row.parts[0].counts
    assert row.excess == (0, 0)


def test_an_irrational_level_is_bracketed_and_decided():
    rows = [["4/5", "1/5"], ["1/5", "4/5"]]
    row = excesses(told(rows, categories(2)), Level.epsilon(1, "0.3"), [(0, 1)]).rows[0]
    low, high = row.excess
    assert low < high
    assert float(high) == pytest.approx(0.8 - 2.718281828459045 * 0.2)
    assert row.holds


def test_what_cannot_be_compared_is_refused():
    held = told([["1/2", "1/2"], ["3/4", "1/4"]], categories(2))
    with pytest.raises(BadInput, match="different"):
        excesses(held, 1, [(0, 0)])
    plane = told([["1/2", "1/2"]] * 4, grid((2, 2)))
    assert excesses(plane, 1).holds
    with pytest.raises(Refused, match="neighbors"):
        excesses(plane, Level.epsilon(1, "0.1"))


def test_a_delta_is_judged_between_neighbors_only():
    # (ε, δ) on neighbors allows up to δ (1 + e^ε) at e^(2ε): 1/8 > δ there refutes nothing
    rows = [["1/2", "1/2"], ["5/16", "11/16"], ["3/32", "29/32"]]
    held, level = told(rows, path(0, 2)), Level.ratio(2, "1/10")
    assert excesses(held, level, [(1, 0), (1, 2)]).rows
    with pytest.raises(BadInput, match="expected pairs of neighbors"):
        excesses(held, level, [(0, 2)])
    assert not excesses(held, Level.ratio(2), [(0, 2)]).holds
    with pytest.raises(Refused, match="neighbors"):
        excesses(told([["1/2", "1/2"]] * 4, grid((2, 2))), Level.epsilon(1, "0.1"), [(0, 1)])


def test_parts_hold_only_if_each_of_them_does():
    """At e^ε = 2 outputs 0 and 1 exceed by 1/8 and 1/4: together 3/8, and δ = 1/5 is between."""
    held = told([["3/8", "1/2", "1/8"], ["1/8", "1/8", "3/4"]], categories(2))
    row = next(row for row in excesses(held, Level.ratio(2, "1/5")).rows if row.first == 0)
    assert (row.excess[0], row.holds, row.parts_hold) == (Fraction(3, 8), False, False)
    row = next(row for row in excesses(held, Level.ratio(2, "1/4")).rows if row.first == 0)
    assert (row.holds, row.parts_hold) == (False, True)
