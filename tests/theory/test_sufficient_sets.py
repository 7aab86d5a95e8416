"""Sufficient sets of H16, Section 4.3, with ties decided exactly."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.privacy import delta_curve
from tightrope.spaces import categories, hamming, parse
from tightrope.theory import sufficient_sets

ONE = Fraction(1)


def one_row_apart(space):
    points = list(space.points)
    return [(i, j) for i, d in enumerate(points) for j, e in enumerate(points)
            if sum(a != b for a, b in zip(d, e, strict=True)) == 1]


def l1_example(ratio):
    space = parse("path:0..2 * path:0..2")
    return KernelMechanism(space, ratio, ONE, (ONE,) * 9), one_row_apart(space)


@pytest.mark.parametrize("ratio", [Level.epsilon(1).pure.ratio_below, Fraction(2), Fraction(10)])
def test_example_4_2_needs_924_checks_with_exact_ties(ratio):
    if callable(ratio):
        from tightrope.exact import Surd

        ratio = ratio(Surd.of(1))
    found = sufficient_sets(*l1_example(ratio))
    assert found.all_checks == 18360
    assert Counter(len(s.outputs) for s in found.sets) == {3: 24, 6: 12}
    assert found.checks == 924
    assert found.pairs == 36


def test_the_published_sets_of_example_4_2_are_found():
    mechanism, pairs = l1_example(Fraction(2))
    points = list(mechanism.space.points)
    by_pair = {(points[s.first], points[s.second]): {points[z] for z in s.outputs}
               for s in sufficient_sets(mechanism, pairs).sets}
    assert by_pair[(0, 1), (2, 1)] == {(0, 0), (0, 1), (0, 2)}
    assert by_pair[(1, 1), (2, 1)] == set(product((0, 1), (0, 1, 2)))


NAMES = "ABYZ"
DATABASES = list(product(range(4), repeat=2))


class TwoGroups:
    """H16, Example 4.3: distance 1 within {A, B} or {Y, Z}, 2 across; two rows."""

    outputs = DATABASES

    def row_at(self, i):
        def rho(a, b):
            return 0 if a == b else 1 if a // 2 == b // 2 else 2

        weights = [Fraction(1, 3) ** sum(rho(a, b) for a, b in zip(DATABASES[i], e, strict=True))
                   for e in DATABASES]
        return tuple(w / sum(weights) for w in weights)


GROUPS = MatrixMechanism.of([TwoGroups().row_at(i) for i in range(16)], categories(16))
PAIR = (DATABASES.index((0, 3)), DATABASES.index((0, 1)))


def test_example_4_3_has_one_normalizer():
    assert len({max(TwoGroups().row_at(i)) for i in range(16)}) == 1


def test_example_4_4_has_two_parts_of_four_databases():
    (found,) = sufficient_sets(GROUPS, [PAIR]).sets
    parts = [{NAMES[DATABASES[z][0]] + NAMES[DATABASES[z][1]] for z in part}
             for part in found.parts]
    assert parts == [{"AY", "BY", "YY", "ZY"}, {"AZ", "BZ", "YZ", "ZZ"}]
    assert len(found.outputs) == 8


@pytest.mark.parametrize(("values", "people"), [(2, 2), (3, 2)])
def test_corollary_4_2_hamming_distance_leaves_a_single_part(values, people):
    space = hamming(values=values, people=people)
    kernel = KernelMechanism(space, Fraction(3), ONE, (ONE,) * space.size)
    found = sufficient_sets(kernel, one_row_apart(space))
    assert {len(s.parts) for s in found.sets} == {1}
    assert found.part_checks == found.pairs


def test_theorem_4_1_no_set_exceeds_the_subsets_of_the_sufficient_one():
    mechanism, pairs = l1_example(Fraction(2))
    for found in sufficient_sets(mechanism, pairs).sets[::5]:
        p, q = mechanism.row_at(found.first), mechanism.row_at(found.second)
        for ratio in (ONE, Fraction(3, 2)):
            gains = [a - ratio * b for a, b in zip(p, q, strict=True)]
            over_all = max(sum(g for z, g in enumerate(gains) if bits >> z & 1)
                           for bits in range(512))
            inside = [gains[z] for z in found.outputs]
            over_subsets = max(sum(g for k, g in enumerate(inside) if bits >> k & 1)
                               for bits in range(2 ** len(inside)))
            assert over_all == over_subsets


def test_erratum_9_parts_that_pass_alone_fail_together():
    """Each part is within δ, their union is not: for δ > 0 excesses add up."""
    (found,) = sufficient_sets(GROUPS, [PAIR]).sets
    p, q = (TwoGroups().row_at(i) for i in PAIR)
    ratio = Fraction(3, 2)
    alone = [sum(p[z] - ratio * q[z] for z in part) for part in found.parts]
    delta = max(alone)
    assert min(alone) > 0
    assert sum(p[z] for z in found.outputs) > ratio * sum(q[z] for z in found.outputs) + delta


def test_verify_needs_one_set_for_each_pair():
    space = hamming(values=2, people=2)
    kernel = KernelMechanism(space, Fraction(4), ONE, (ONE,) * space.size)
    ratio = Fraction(3, 2)
    gains = []
    for found in sufficient_sets(kernel, one_row_apart(space)).sets:
        p, q = kernel.row_at(found.first), kernel.row_at(found.second)
        gains.append(sum(max(Fraction(0), p[z] - ratio * q[z]) for z in found.outputs))
    assert max(gains) == delta_curve(kernel, space).at_ratio(ratio)
