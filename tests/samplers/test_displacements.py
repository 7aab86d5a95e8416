"""Draws from rounded kernels: the law exactly, the rest beyond the table, the work."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from tests.laws.verdicts import Grouping, LawTest
from tests.samplers.scripts import ScriptedSource
from tightrope.constructions.tight.large_grids import tight_on_grid
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, Level, Surd
from tightrope.mechanisms import UNIT_BITS, KernelMechanism, NoiseMechanism
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw_indices, draw_many, draws
from tightrope.samplers.displacements import DisplacementSampler, _below
from tightrope.samplers.draws import draw_steadily
from tightrope.spaces import categories, grid, path
from tightrope.utility import Problem

SMALL = tight_on_grid(Problem(grid((4, 5)), 1, loss="binary")).certified


def uneven() -> KernelMechanism:
    weights = (1, 7, 2**40, 3, 2**41, 2**40, 0, 2**39, 5)
    return KernelMechanism(grid((3, 3)), Fraction(2), Fraction(1), weights, rounded=True)


@pytest.mark.parametrize("i", [0, 7, 19])
@pytest.mark.parametrize("off", [False, True])
def test_draws_follow_the_exact_row_and_not_one_two_percent_off(i, off):
    law = list(SMALL.mechanism.row_at(i))
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
    law = list(mechanism.row_at(4))
    grouping = Grouping.of(law)
    test = LawTest(grouping.cells(law))
    drawn = draw_indices(proved, np.full(test.draws, 4), SeededSource(3))
    assert test.confirms(grouping.counts(drawn))
    assert not (drawn == 6).any()


def test_steady_draws_have_the_same_law():
    law = list(SMALL.mechanism.row_at(3))
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


def test_steady_draws_of_a_long_column_are_drawn_in_parts_that_follow_one_another(monkeypatch):
    codes = np.arange(11)
    whole = draw_steadily(SMALL, codes[:4], rounds=3, source=SeededSource(5))
    monkeypatch.setattr(draws, "BATCH", 4)
    parts = draw_steadily(SMALL, codes, rounds=3, source=SeededSource(5))
    assert len(parts) == len(codes)
    assert np.array_equal(parts[:4], whole)
    assert len(draw_steadily(SMALL, np.array([], dtype=np.int64), rounds=3)) == 0
    noise = certified(NoiseMechanism(path(0, 3), Fraction(2)), Level.ratio(2))
    with pytest.raises(BadInput):
        draw_steadily(noise, np.array([0]))


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


def scripted(value: int, bits: int) -> bytes:
    """The bytes of which `_bits` reads this value."""
    size = -(-bits // 8)
    return (value << (8 * size - bits)).to_bytes(size, "little")


def rests(mechanism: KernelMechanism) -> dict[tuple[int, ...], Fraction]:
    """What the table leaves of κ at every displacement, as chances found by boundary keys."""
    sampler, space = DisplacementSampler(mechanism), mechanism.space
    shape = [2 * side - 1 for side in sampler._shape.tolist()]
    found = {}
    for place in np.ndindex(*shape):
        offset = tuple(int(k) - side // 2 for k, side in zip(place, shape, strict=True))
        mantissa, exponent = mechanism.value(space.norm.surd(sum(s * s for s in offset)))
        bits = -exponent - 61
        exact = Fraction(mantissa, 1 << bits)
        rest = exact - exact // 1
        key = int(rest * (1 << bits))
        start = [scripted(int(k), side.bit_length()) for k, side in zip(place, shape, strict=True)]
        for value, kept in ((key - 1, True), (key, False)):
            if 0 <= value < 1 << bits:
                source = ScriptedSource([*start, scripted(value, bits)])
                drawn = sampler._rest(source)
                assert source.finished
                assert (drawn is not None) == kept
                assert drawn is None or tuple(drawn.tolist()) == offset
        found[offset] = rest
    return found


def test_every_proposal_of_a_script_leads_to_the_exact_row():
    # Weights of two bits have four keys; every entry of the table is proposed with every key.
    mechanism = KernelMechanism(grid((2, 3)), Fraction(7, 2), Fraction(1), (3, 1, 0, 2, 3, 2),
                                rounded=True)
    sampler = DisplacementSampler(mechanism)
    units = sampler.proposals.law(0).integers()
    ends = [Fraction(end, sum(units)) for end in np.cumsum(np.array([0, *units], dtype=object))]
    middles = [int((a + b) / 2 * 2**64) for a, b in pairwise(ends)]
    left = rests(mechanism)
    assert len(left) == units[-1] == 3 * 5
    for code in range(6):
        chances = [Fraction(0)] * 6
        for key in range(4):
            words = [*middles[:-1]]
            source = ScriptedSource([b"".join(w.to_bytes(8, "little") for w in words),
                                     b"".join(scripted(key, 2).rjust(8, b"\0") for _ in words)])
            found = sampler._propose(np.full(len(words), code), source)
            assert source.finished
            for entry, cell in enumerate(found.tolist()):
                if cell >= 0:
                    chances[cell] += Fraction(units[entry], 4)
        for offset, rest in left.items():  # one of `everywhere`, kept with the chance of its rest
            cell = np.array([code // 3, code % 3]) + offset
            if (cell >= 0).all() and (cell < [2, 3]).all():
                chances[cell[0] * 3 + cell[1]] += rest * Fraction(mechanism.weights[
                    cell[0] * 3 + cell[1]], 4)
        assert tuple(chance / sum(chances) for chance in chances) == mechanism.row_at(code)


def test_a_displacement_of_the_rests_is_uniform_over_every_byte():
    # Five displacements have three bits: eight of which three are drawn again.
    tally = [0] * 5
    for byte in range(256):
        source = ScriptedSource([bytes([byte]), scripted(4, 3)])
        found = _below(5, source)
        assert source.finished == (byte >> 5 >= 5)
        if not source.finished:
            tally[found] += 1
        else:
            assert found == 4
    assert tally == [32] * 5


def test_the_entry_of_the_rests_proposes_what_its_script_says():
    mechanism = KernelMechanism(path(0, 2), Fraction(3), Fraction(1), (1, 1, 1), rounded=True)
    sampler = DisplacementSampler(mechanism)
    last = (2**64 - 1).to_bytes(8, "little")  # the table ends with it: 5 of 2^62 units
    # κ(1) = 1/3 = m 2^-63: two bits of rest
    mantissa, _ = mechanism.value(Surd.of(1))
    assert mantissa & 3 in (1, 2, 3)
    keep, leave = scripted((mantissa & 3) - 1, 2), scripted(mantissa & 3, 2)
    one_more = scripted(3, 3)  # the displacement +1 among -2, ..., 2
    for code, chance, expected in ((0, keep, 1), (1, keep, 2), (2, keep, -1), (0, leave, -1)):
        source = ScriptedSource([last, one_more, chance, bytes(8)])
        assert sampler._propose(np.array([code]), source).tolist() == [expected]
        assert source.finished


class Counting:
    """A seeded source that keeps what was asked of it."""

    seeded = True

    def __init__(self, seed: int) -> None:
        self.inner, self.requests = SeededSource(seed), []

    def bytes(self, count: int) -> bytes:
        self.requests.append(count)
        return self.inner.bytes(count)


def test_steady_draws_ask_for_the_same_whatever_was_accepted():
    codes = np.arange(20)
    source = Counting(3)
    drawn = draw_steadily(SMALL, codes, rounds=200, source=source)
    assert source.requests == [8 * 20, 8 * 20] * 200  # and nothing is left open after them
    first = draw_steadily(SMALL, codes, rounds=1, source=SeededSource(3))
    later = DisplacementSampler(SMALL.mechanism)._propose(codes, SeededSource(3))
    assert (later >= 0).any()
    assert np.array_equal(first[later >= 0], later[later >= 0])  # the first accepted one counts
    assert np.array_equal(drawn[later >= 0], later[later >= 0])


def test_the_first_accepted_of_several_proposals_counts_the_cell_zero_too():
    sampler = DisplacementSampler(SMALL.mechanism)
    sampler._propose = lambda codes, source: np.array([-1, 0, 3, -1, -1, -1, 0, 2, 1])
    assert sampler._first(np.arange(3), 3, SeededSource(0)).tolist() == [0, -1, 0]
    sampler._first = lambda codes, copies, source: np.zeros(len(codes), dtype=np.int64)
    assert sampler.draw(np.arange(3), SeededSource(0)).tolist() == [0, 0, 0]


def acceptance(mechanism: KernelMechanism) -> FloatArray:
    """The chance, for every input, that one proposal is accepted."""
    units = float(sum(mechanism.taps.ravel().tolist()))
    power = 2.0 ** int(max(mechanism.weights)).bit_length()
    return mechanism.sums.floats() * (2.0**UNIT_BITS / units) / power


def test_every_input_of_a_tight_kernel_is_accepted_equally_often():
    chances = acceptance(SMALL.mechanism)
    assert chances.max() / chances.min() - 1 < 1e-12
    assert chances.min() > 0.1


def test_labels_go_in_and_come_out():
    drawn = draw_many(SMALL, [(0, 0), (3, 4)], SeededSource(1))
    assert all(z in set(SMALL.mechanism.space.points) for z in drawn)


def test_the_chance_of_acceptance_is_what_the_kernel_says():
    weights = (3, 1, 0, 2, 3, 2)
    mechanism = KernelMechanism(grid((2, 3)), Fraction(7, 2), Fraction(1), weights, rounded=True)
    sampler = DisplacementSampler(mechanism)
    offsets = sampler._offsets.T.tolist()
    units = sampler.proposals.law(0).integers()[:-1]
    for code, found in enumerate(acceptance(mechanism).tolist()):
        chance = Fraction(0)
        for (down, right), unit in zip(offsets, units, strict=True):
            row, column = code // 3 + down, code % 3 + right
            if 0 <= row < 2 and 0 <= column < 3:
                chance += Fraction(unit, sum(units)) * Fraction(weights[3 * row + column], 4)
        assert found == pytest.approx(float(chance), rel=1e-12)


def test_a_cell_zero_that_a_round_accepted_is_kept():
    sampler = DisplacementSampler(SMALL.mechanism, rounds=1)
    found = iter([np.array([0, 3, -1]), np.array([7])])
    sampler._first = lambda codes, copies, source: next(found)
    assert sampler.draw(np.arange(3), SeededSource(0)).tolist() == [0, 3, 7]


def test_the_first_accepted_proposal_counts_though_it_is_cell_0(monkeypatch):
    sampler = DisplacementSampler(SMALL.mechanism)
    found = np.array([[-1, 0, 7], [0, -1, 1], [-1, -1, -1], [-1, -1, 1]])
    monkeypatch.setattr(sampler, "_propose", lambda codes, source: found.ravel())
    assert sampler._first(np.arange(4), 3, None).tolist() == [0, 0, -1, 1]


def test_a_rest_moves_its_own_input_or_is_no_proposal(monkeypatch):
    """The entry behind the table, for inputs in the middle, at an edge, and with no rest."""
    sampler = DisplacementSampler(SMALL.mechanism)  # on 4 by 5 cells
    last, moves = sampler._offsets.shape[1], iter([np.array([1, -2]), np.array([-3, 0]), None])
    monkeypatch.setattr(sampler.proposals, "draw", lambda codes, source: np.full(3, last))
    monkeypatch.setattr(sampler, "_rest", lambda source: next(moves))
    found = sampler._propose(np.array([5 * 1 + 3, 5 * 2 + 1, 0]), Zeros(b"\x00"))
    assert found.tolist() == [5 * 2 + 1, -1, -1]
