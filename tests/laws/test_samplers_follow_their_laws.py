"""Every sampler draws from its exact law: accepted, and two percent off is rejected."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from tests.laws.verdicts import OFF, Grouping, LawTest
from tightrope.exact import Level, Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    NoiseMechanism,
    TableMechanism,
)
from tightrope.privacy import Certified, certified
from tightrope.samplers import SeededSource, Source, draw_indices
from tightrope.samplers.rows import RowSampler
from tightrope.samplers.sources import SystemSource
from tightrope.spaces import parse, path

ONE = Fraction(1)

SMALL = MatrixMechanism(
    path(0, 2), ("low", "mid", "high"), Weights.from_integers([[4, 1, 1], [2, 2, 2], [1, 1, 4]])
)


def proved(mechanism: Mechanism, ratio: Fraction | int) -> Certified:
    return certified(mechanism, Level.ratio(ratio))


def truncated_geometric(points: int, ratio: Fraction) -> MatrixMechanism:
    """Rows q^-|y-z|, and at both ends the rest: the far tails that fall together there."""
    a, b = ratio.numerator, ratio.denominator
    power = [a ** (points - k) * b**k for k in range(points)]
    rows = []
    for y in range(points):
        row = [(a - b) * power[abs(y - z)] for z in range(points)]
        row[0], row[-1] = a * power[y], a * power[points - 1 - y]
        rows.append(row)
    return MatrixMechanism(path(0, points - 1), range(points), Weights.from_integers(rows))


def noise_law(ratio: Fraction, reach: int) -> list[Fraction]:
    """P(z <= -reach), P(-reach + 1), ..., P(z >= reach)."""
    steady = (ratio - 1) / (ratio + 1)
    tail = ratio ** (1 - reach) / (ratio + 1)
    inside = [steady * ratio ** -abs(z) for z in range(1 - reach, reach)]
    return [tail, *inside, tail]


def noise_confirmed(ratio: Fraction, reach: int, source: Source) -> bool:
    """Noise added to 3, tallied around 3, the two far tails as cells of their own."""
    law = noise_law(ratio, reach)
    grouping = Grouping.of(law)
    test = LawTest(grouping.cells(law))
    mechanism = proved(NoiseMechanism(path(0, 9), ratio), ratio)
    drawn = draw_indices(mechanism, np.full(test.draws, 3), source) - 3
    return test.confirms(grouping.counts(np.clip(drawn, -reach, reach) + reach))


def row_confirmed(mechanism: Certified, i: int, law: list[Fraction], source: Source) -> bool:
    """Whether many draws for one input follow its law."""
    grouping = Grouping.of(law)
    test = LawTest(grouping.cells(law))
    return test.confirms(
        grouping.counts(draw_indices(mechanism, np.full(test.draws, i), source))
    )


@pytest.mark.parametrize("i", [0, 1, 2])
def test_a_small_matrix_is_drawn_as_written(i):
    small = MatrixMechanism(
        path(0, 2), (0, 1, 2), Weights.from_integers([[4, 1, 1], [2, 3, 2], [1, 1, 4]])
    )
    assert row_confirmed(proved(small, 4), i, list(small.row_at(i)), SeededSource(i))


def test_inputs_that_alternate_each_get_their_own_law():
    mechanism = proved(SMALL, 2)
    test = LawTest(SMALL.row_at(0))
    inputs = np.tile([0, 2], test.draws)
    drawn = draw_indices(mechanism, inputs, SeededSource(4))
    assert test.confirms(np.bincount(drawn[::2], minlength=3))
    assert test.confirms(np.bincount(2 - drawn[1::2], minlength=3))


@pytest.mark.parametrize("i", [0, 1, 500, 999])
def test_a_geometric_on_a_thousand_points_is_drawn_as_written(thousand, i):
    law = list(thousand.row_at(i))
    grouping = Grouping.of(law)
    test = LawTest(grouping.cells(law))
    # The sampler alone: a certificate would take longer than all these draws.
    drawn = RowSampler(thousand).draw(np.full(test.draws, i), SeededSource(i))
    assert test.confirms(grouping.counts(drawn))


@pytest.fixture(scope="module")
def thousand() -> MatrixMechanism:
    return truncated_geometric(1000, Fraction(3, 2))


def test_a_kernel_on_a_path_is_drawn_as_written():
    kernel = KernelMechanism(path(0, 6), Fraction(3), ONE, (Fraction(3), *(ONE,) * 5, Fraction(3)))
    mechanism = certified(kernel, Level.ratio(9))
    assert row_confirmed(mechanism, 2, list(kernel.row_at(2)), SeededSource(1))


@pytest.mark.parametrize("k", [4, 100_000])
def test_randomized_response_is_drawn_as_written(k):
    ratio = Fraction(k, 2)
    kernel = KernelMechanism(parse(f"categories:{k}"), ratio, ONE, (ONE,) * k)
    total = ratio + k - 1
    law = [1 / total] * k
    law[k // 3] = ratio / total
    assert row_confirmed(proved(kernel, ratio), k // 3, law, SeededSource(k))


def test_an_equidistant_kernel_with_unequal_weights_is_drawn_as_written():
    weights = tuple(Fraction(1 + z % 5) for z in range(200))
    kernel = KernelMechanism(parse("categories:200"), Fraction(150), ONE, weights)
    mechanism = certified(kernel, Level.ratio(150**2))
    for i in (0, 4, 199):
        assert row_confirmed(mechanism, i, list(kernel.row_at(i)), SeededSource(i))


@pytest.mark.parametrize(
    ("ratio", "reach"),
    [(Fraction(2), 6), (Fraction(7, 5), 12), (Fraction(20), 3)],
)
def test_noise_is_drawn_as_written_with_both_tails(ratio, reach):
    assert noise_confirmed(ratio, reach, SeededSource(1))


def test_noise_of_a_ratio_near_one_has_the_right_law_far_out():
    # With q = 1 + 1/5000 the digits, the leading part and its fresh starts all take part.
    ratio = Fraction(5001, 5000)
    edges = [0, 1000, 5000, 20000, 40000]
    at_least = [Fraction(1), *(ratio ** (1 - z) / (ratio + 1) for z in edges), Fraction(0)]
    cells = tuple(a - b for a, b in pairwise(at_least))
    test = LawTest(cells)
    mechanism = proved(NoiseMechanism(path(0, 9), ratio), ratio)
    drawn = draw_indices(mechanism, np.zeros(test.draws, dtype=np.int64), SeededSource(3))
    assert test.confirms(np.bincount(np.searchsorted(edges, drawn, side="right"),
                                     minlength=len(cells)))


def test_the_rows_of_a_table_are_independent_draws_from_the_base():
    pairs = LawTest(tuple(p * q for p in SMALL.row_at(0) for q in SMALL.row_at(2)))
    rows = 2 * pairs.draws
    mechanism = proved(TableMechanism(SMALL, rows), 2)
    drawn = draw_indices(mechanism, np.tile([0, 2], pairs.draws), SeededSource(5))
    assert pairs.confirms(np.bincount(3 * drawn[::2] + drawn[1::2], minlength=9))


def test_a_mechanism_that_is_two_percent_off_is_caught():
    exact = LawTest(SMALL.row_at(0))
    for sign in (1, -1):
        rows = [exact.off_by(sign * OFF).cells, SMALL.row_at(1), SMALL.row_at(2)]
        off = MatrixMechanism(path(0, 2), (0, 1, 2), Weights.from_fractions(rows))
        drawn = draw_indices(
            proved(off, 3), np.zeros(exact.draws, dtype=np.int64), SeededSource(6)
        )
        assert not exact.accepts(np.bincount(drawn, minlength=3))


def test_draws_from_the_system_follow_the_law_too():
    assert row_confirmed(proved(SMALL, 2), 0, list(SMALL.row_at(0)), SystemSource())
