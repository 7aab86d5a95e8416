"""Draws from rounded kernels: the law exactly, the rest beyond the table, the work."""

from fractions import Fraction

import numpy as np
import pytest

from tests.laws.verdicts import Grouping, LawTest
from tightrope.constructions import Objective
from tightrope.constructions.tight.large_grids import tight_on_grid
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw_indices, draw_many, draw_steadily
from tightrope.samplers.displacements import DisplacementSampler, acceptance
from tightrope.spaces import categories, grid

SMALL = tight_on_grid(grid((4, 5)), Level.epsilon(1), Objective()).certified


def uneven() -> KernelMechanism:
    weights = (1, 7, 2**40, 3, 2**41, 2**40, 0, 2**39, 5)
    return KernelMechanism(grid((3, 3)), Fraction(2), Fraction(1), weights, rounded=True)


@pytest.mark.parametrize("i", [0, 7, 19])
@pytest.mark.parametrize("off", [False, True])
def test_draws_follow_the_exact_row_and_not_one_two_percent_off(i, off):
    law = list(SMALL.mechanism.row(i))
    grouping = Grouping.of(law)
    test = LawTest(grouping.cells(law))
    drawn = draw_indices(SMALL, np.full(test.draws, i), SeededSource(i))
    if off:  # two percent of the likeliest output's draws become another one
        mode = int(np.argmax(np.bincount(drawn)))
        moved = np.flatnonzero(drawn == mode)[::50]
        drawn[moved] = (mode + 1) % 20
    assert test.confirms(grouping.counts(drawn)) != off


def test_an_uneven_kernel_is_drawn_by_its_row():
    mechanism = uneven()
    proved = certified(mechanism, Level.epsilon(60))
    law = list(mechanism.row(4))
    grouping = Grouping.of(law)
    test = LawTest(grouping.cells(law))
    drawn = draw_indices(proved, np.full(test.draws, 4), SeededSource(3))
    assert test.confirms(grouping.counts(drawn))
    assert not (drawn == 6).any()


def test_steady_draws_have_the_same_law():
    law = list(SMALL.mechanism.row(3))
    grouping = Grouping.of(law)
    test = LawTest(grouping.cells(law))
    drawn = draw_steadily(SMALL, np.full(test.draws, 3), rounds=12, source=SeededSource(5))
    assert test.confirms(grouping.counts(drawn))
    response = certified(
        KernelMechanism(categories(2), Fraction(2), Fraction(1), (Fraction(1),) * 2),
        Level.ratio(2),
    )
    with pytest.raises(BadInput):
        draw_steadily(response, np.array([0]))


def test_table_and_rests_together_propose_exactly_the_kernel():
    sampler = DisplacementSampler(SMALL.mechanism)
    mechanism, space = SMALL.mechanism, SMALL.mechanism.space
    law = sampler.proposals.law(0)
    units = law.integers()
    everywhere = (2 * 4 - 1) * (2 * 5 - 1)
    assert units[-1] == everywhere
    for place, offset in enumerate(sampler._offsets.T.tolist()):
        square = sum(step * step for step in offset)
        mantissa, exponent = mechanism.value(space.norm.surd(square))
        exact = Fraction(mantissa) * Fraction(2) ** (exponent + 61)
        # the entry of the table, plus a rest that is one of `everywhere` times its chance
        assert units[place] == exact // 1


class Zeros:
    """A source whose bits are all zero, or all one."""

    seeded = True

    def __init__(self, byte: bytes) -> None:
        self.byte = byte

    def bytes(self, count: int) -> bytes:
        return self.byte * count


def test_a_rest_is_kept_below_its_chance_and_given_up_above():
    sampler = DisplacementSampler(SMALL.mechanism)
    low = sampler._rest(Zeros(b"\x00"))
    assert low is not None
    assert low.tolist() == [-3, -4]  # the first displacement of all
    ends = [sampler._rest(SeededSource(seed)) for seed in range(400)]
    kept = [end for end in ends if end is not None]
    assert 0 < len(kept) < 400
    assert all(abs(a) < 4 and abs(b) < 5 for a, b in kept)


def test_every_input_of_a_tight_kernel_is_accepted_equally_often():
    chances = acceptance(SMALL.mechanism)
    assert chances.max() / chances.min() - 1 < 1e-12
    assert chances.min() > 0.1


def test_labels_go_in_and_come_out():
    drawn = draw_many(SMALL, [(0, 0), (3, 4)], SeededSource(1))
    assert all(z in set(SMALL.mechanism.space.points) for z in drawn)
