"""Tight constraints and loose entries, against fractions."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.privacy.brute import laws, mechanism_of, tables_of_weights
from tightrope.constructions import randomized_response, truncated_geometric
from tightrope.exact import Level, Weights
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.privacy import exact_margin, row_graphs, tightness
from tightrope.spaces import categories, graph, matrix, parse, path


def by_definition(rows, edges, ratio):
    """Tight pairs by output, loose entries, and connected row graphs, from fractions."""
    size, total, loose, connected = len(rows), 0, [], []
    for z in range(len(rows[0])):
        column = [law[z] for law in rows]
        if not any(column):
            connected.append(None)
            continue
        tight = [(a, b) for a, b in edges
                 if column[a] == ratio * column[b] or column[b] == ratio * column[a]]
        total += len(tight)
        group = {i: {i} for i in range(size)}
        for a, b in tight:
            joined = group[a] | group[b]
            for member in joined:
                group[member] = joined
        connected.append(len(group[0]) == size)
        held = {i for pair in tight for i in pair}
        loose += [(y, z) for y in range(size) if y not in held]
    return total, sorted(loose), connected


@pytest.mark.parametrize("space", [path(0, 3), categories(4)], ids=lambda space: space.text)
@settings(derandomize=True, deadline=None, max_examples=30)
@given(data=st.data())
def test_tight_pairs_and_loose_entries_are_those_of_the_fractions(space, data):
    powers = st.sampled_from([1, 2, 4, 8])
    rows = data.draw(st.lists(st.lists(powers, min_size=2, max_size=2), min_size=4, max_size=4))
    integers = [[*line, 64 - sum(line)] for line in rows]
    edges = [(i, j) for i, j in combinations(range(4), 2)
             if space == categories(4) or j == i + 1]
    found = tightness(mechanism_of(space, integers), space, Level.ratio(2))
    total, loose, connected = by_definition(laws(integers), edges, Fraction(2))
    assert found.tight == total
    assert sorted(found.loose) == loose
    assert list(found.connected) == connected
    assert found.maximally_general == (False not in connected)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.data())
def test_columns_that_never_occur_are_neither_tight_nor_loose(data):
    integers = [[a, 0, b] for a, b in data.draw(tables_of_weights(3, 2))]
    found = tightness(mechanism_of(path(0, 2), integers), path(0, 2), Level.ratio(3))
    assert found.connected[1] is None
    assert all(z != 1 for _, z in found.loose)


@pytest.mark.parametrize("level", [Level.ratio(2), Level.ratio("3/2"), Level.epsilon("0.5")])
def test_the_geometric_mechanism_is_tight_everywhere(level):
    margin = exact_margin(path(0, 6), level)
    geometric = truncated_geometric(path(0, 6), level).mechanism
    found = tightness(geometric, path(0, 6), level, margin=margin)
    assert found.tight == 6 * 7
    assert found.loose == ()
    assert found.maximally_general


def test_randomized_response_is_maximally_general():
    found = tightness(randomized_response(categories(4), Level.ratio(3)).mechanism, categories(4),
                      Level.ratio(3))
    assert found.tight == 4 * 3
    assert found.maximally_general


def test_a_kernel_below_its_level_is_loose_everywhere():
    kernel = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), (Fraction(1),) * 3)
    found = tightness(kernel, path(0, 2), Level.ratio(9))
    assert found.tight == 0
    assert len(found.loose) == 9
    assert not found.maximally_general


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_a_rational_ratio_is_tight_only_if_it_is_met_exactly(off):
    # rows (2n + off, n) and (n, 2n + off): the ratio is 2 + off/n, with n = 10^20
    n = 10**20
    rows = [[2 * n + off, n], [n, 2 * n + off]]
    found = tightness(mechanism_of(path(0, 1), rows), path(0, 1), Level.ratio(2))
    assert found.maximally_general is (off == 0)
    assert found.tight == (2 if off == 0 else 0)
    graphs = row_graphs(mechanism_of(path(0, 1), rows), path(0, 1), Level.ratio(2))
    assert [graph.connected for graph in graphs] == [off == 0] * 2
    near = tightness(mechanism_of(path(0, 1), rows), path(0, 1), Level.ratio(2), margin=1e-12)
    assert near.maximally_general


def test_rational_powers_of_a_distance_are_decided_exactly():
    # e^ε = 4 and a distance of 1/2: the ratio allowed is 2, though 1/2 is no whole number
    space = matrix(["a", "b"], [[0, Fraction(1, 2)], [Fraction(1, 2), 0]])
    for rows, tight in (([[2, 1], [1, 2]], 2), ([[200000000000001, 10**14], [1, 2]], 0)):
        assert tightness(mechanism_of(space, rows), space, Level.ratio(4)).tight == tight
    assert exact_margin(space, Level.ratio(4)) == 0
    assert exact_margin(space, Level.ratio(2)) > 0  # the root of 2


def test_fractions_are_never_tight_at_an_irrational_ratio():
    for space, level in ((path(0, 3), Level.epsilon("0.5")), (parse("grid:1x3"), Level.epsilon(1))):
        found = tightness(truncated_geometric(path(0, 3), level).mechanism, path(0, 3), level)
        assert found.tight == 0
        assert not found.maximally_general
        assert exact_margin(space, level) > 0


@pytest.mark.parametrize("shifts", [(0, 3, 1), (2, 0, 5), (4, 4, 0)])
def test_powers_of_two_beside_the_weights_change_no_tie(shifts):
    rows = [[8, 1, 3], [4, 2, 6], [2, 4, 6]]
    plain = MatrixMechanism(path(0, 2), (0, 1, 2), Weights.from_integers(rows))
    moved = Weights.from_integers(
        [[value << (shifts[i] + j) for j, value in enumerate(row)] for i, row in enumerate(rows)],
        [[-shifts[i] - j for j in range(3)] for i in range(3)],
    )
    other = MatrixMechanism(path(0, 2), (0, 1, 2), moved)
    assert tightness(other, path(0, 2), Level.ratio(2)) == tightness(plain, path(0, 2),
                                                                    Level.ratio(2))
    assert row_graphs(other, path(0, 2), Level.ratio(2)) == row_graphs(plain, path(0, 2),
                                                                      Level.ratio(2))


def test_a_zero_beside_a_non_zero_connects_nothing():
    rows = [["2/5", "3/5"], ["7/10", "3/10"], [1, 0]]
    found = tightness(MatrixMechanism.of(rows, path(0, 2), ("a", "b")), path(0, 2), Level.ratio(2))
    assert found.connected == (False, False)  # 3/5 = 2 · 3/10, beside the 0


def test_a_tie_of_many_bits_is_found():
    rows = Weights.from_integers([[1, 1], [1, 1]], [[0, -50_000], [-50_000, 0]])
    mechanism = MatrixMechanism(path(0, 1), (0, 1), rows)
    assert tightness(mechanism, path(0, 1), Level.ratio(2**50_000)).tight == 2


def test_the_margin_is_zero_only_where_every_power_is_rational():
    uneven = graph("abc", [(0, 1, 1), (1, 2, "1/2")])
    assert exact_margin(uneven, Level.ratio(4)) == 0
    assert exact_margin(uneven, Level.ratio(2)) > 0
