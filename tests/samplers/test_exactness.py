"""Draws are exact: an output is returned only once every continuation of U gives it.

The first bits of U are enumerated, the next follow the expansion of a boundary as long as
the script says, and then leave it. For each path the interval of all U that share the bits
read must lie within the part of [0, 1) that belongs to the output. As the paths cover
[0, 1), the law that is drawn is the law of the fractions, tails included.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, floor
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.samplers.scripts import ScriptedSource
from tightrope.samplers import SeededSource, laws
from tightrope.samplers.laws import GeometricLaw, Law, RationalLaw, settle
from tightrope.samplers.tables import FEW, Tables, cells, resolution

EDGE = [
    [1, 2, 4, 0, 7],
    [1, 1, 2],
    [1, 1, 1, 1],
    [5],
    [0, 0, 3],
    [3, 0, 0, 1, 0],
    [1, 2**800, 3],
    [2**800, 1, 1, 2**800],
    [1] * 300,
    [3**k * 2 ** (200 - k) for k in range(200)],
]


class Oracle:
    """The exact boundaries of a law given by integers."""

    def __init__(self, weights: list[int]) -> None:
        self.outputs = [z for z, weight in enumerate(weights) if weight]
        *sums, total = accumulate(weights[z] for z in self.outputs)
        self.cuts = [Fraction(c, total) for c in sums]

    def output(self, bits: int, value: int) -> int:
        """The one output of all U in [value, value + 1)/2^bits; fails if there are several."""
        first = bisect_right(self.cuts, Fraction(value, 2**bits))
        assert first == bisect_left(self.cuts, Fraction(value + 1, 2**bits))
        return self.outputs[first]

    def cells(self, bits: int) -> NDArray[np.int64]:
        """The same for every value at once; -1 where there are several."""
        everywhere = np.arange(2**bits)
        passed = np.searchsorted([ceil(c * 2**bits) for c in self.cuts], everywhere, "right")
        reached = np.searchsorted([floor(c * 2**bits) for c in self.cuts], everywhere, "right")
        return np.where(passed == reached, np.array(self.outputs)[passed], -1)


def little(value: int, size: int = 8) -> bytes:
    return value.to_bytes(size, "little")


@pytest.mark.parametrize("weights", EDGE, ids=range(len(EDGE)))
@pytest.mark.parametrize("bits", [1, 4, 11, 16])
@pytest.mark.parametrize("rest", [0, 0x123456789ABC, 2**48 - 1])
def test_all_first_words_give_the_output_of_their_whole_interval(weights, bits, rest):
    tables = Tables(lambda _: RationalLaw(lambda: weights), 1, len(weights), bits=bits)
    made = cells(tables.law(0), bits, np.uint16(2**16 - 1))
    words = np.arange(2**16)
    marked = np.flatnonzero(made[words >> (16 - bits)] == 2**16 - 1)
    floors = set(tables.law(0).low.tolist())
    script = [words.astype("<u2").tobytes()]
    if len(marked):
        script.append(np.full(len(marked), rest << 16, dtype="<u8").tobytes())
    script += [little(1) for word in marked.tolist() if word << 48 | rest in floors]
    source = ScriptedSource(script)
    drawn = tables.draw(np.zeros(2**16, dtype=np.int64), source)
    assert source.finished

    oracle = Oracle(weights)
    decided = np.setdiff1d(words, marked)
    assert np.array_equal(drawn[decided], oracle.cells(bits)[decided >> (16 - bits)])
    for word in marked[:: max(1, len(marked) // 100)].tolist():
        value, length = word << 48 | rest, 64
        if value in floors:
            value, length = value << 64 | 1, 128
        assert drawn[word] == oracle.output(length, value)


@pytest.mark.parametrize("weights", [row for row in EDGE if sum(map(bool, row)) > 1])
@pytest.mark.parametrize("rounds", [0, 1, 3, 20])
@pytest.mark.parametrize("step", [-1, 1])
def test_bits_that_follow_a_boundary_are_drawn_until_they_leave_it(weights, rounds, step):
    law, oracle = RationalLaw(lambda: weights), Oracle(weights)
    length = 64 * (rounds + 2)
    for c in oracle.cuts[:40]:
        value = int(c * 2**length) + step
        if value == 2**length:
            continue
        words = [value >> (64 * k) & (2**64 - 1) for k in reversed(range(rounds + 2))]
        source = ScriptedSource(little(word) for word in words[1:] + [1] * 15)
        output = settle(law, words[0], source)
        read = 1 + len(source.requests)
        known = 0
        for word in (words + [1] * 15)[:read]:
            known = known << 64 | word
        assert output == oracle.output(64 * read, known)


@pytest.mark.parametrize("weights", EDGE, ids=range(len(EDGE)))
def test_a_short_column_is_searched_with_the_same_law(weights):
    tables = Tables(lambda _: RationalLaw(lambda: weights), 1, len(weights))
    floors = set(tables.law(0).low.tolist())
    beside = {floor + step for floor in floors for step in (-1, 1)} | {1, 2**63 + 5}
    words = sorted(word for word in beside - floors if 0 <= word < 2**64)[: FEW - 1]
    source = ScriptedSource([b"".join(little(word) for word in words)])
    drawn = tables.draw(np.zeros(len(words), dtype=np.int64), source)
    oracle = Oracle(weights)
    assert drawn.tolist() == [oracle.output(64, word) for word in words]


@given(st.lists(st.integers(0, 10**30), min_size=1, max_size=40).filter(any),
       st.integers(1, 12))
def test_cells_add_up_to_the_fractions(weights, bits):
    """Cells decided by the table, and the marked ones split at the exact boundaries."""
    law = RationalLaw(lambda: weights)
    made = cells(law, bits, np.uint8(255)).tolist()
    oracle = Oracle(weights)
    outputs, cuts = oracle.outputs, oracle.cuts
    measure = dict.fromkeys(outputs, Fraction(0))
    for u, output in enumerate(made):
        if output == 255:
            left, right = Fraction(u, 2**bits), Fraction(u + 1, 2**bits)
            assert any(left <= c < right for c in cuts)
            inside = [left, *(c for c in cuts if left < c < right), right]
            for a, b in pairwise(inside):
                measure[outputs[bisect_right(cuts, a)]] += b - a
        else:
            measure[output] += Fraction(1, 2**bits)
    assert measure == {z: Fraction(weights[z], sum(weights)) for z in outputs}


class Enclosed:
    """A law with one output more than boundaries, each within a given enclosure of 64 bits."""

    def __init__(self, cuts: list[Fraction], low: list[int], high: list[int]) -> None:
        assert all(a <= c * 2**64 < b + 1 for a, c, b in zip(low, cuts, high, strict=True))
        self.cuts = cuts
        self.outputs = np.arange(len(cuts) + 1)
        self.low, self.high = np.array(low, dtype=np.uint64), np.array(high, dtype=np.uint64)

    def enclosure(self, j: int, bits: int) -> tuple[int, int]:
        below = floor(self.cuts[j] * 2**bits)
        return below, below + 1


EDGES = [u << 60 for u in range(1, 16)]  # where the cells of four bits begin


@pytest.mark.parametrize("true", [-1, 0])
@pytest.mark.parametrize("rest", [0, 2**48 - 1])
def test_an_enclosure_across_two_cells_leaves_both_to_the_search(true, rest):
    # 2^64 c is in [edge - 1, edge) or in [edge, edge + 1), and the enclosure holds both
    cuts = [Fraction(2 * (edge + true) + 1, 2**65) for edge in EDGES[::3]]
    law = Enclosed(cuts, [edge - 1 for edge in EDGES[::3]], EDGES[::3])
    made = cells(law, 4, np.uint8(255))
    assert [u for u in range(16) if made[u] == 255] == sorted(
        {u + step for u in range(1, 16, 3) for step in (-1, 0)})
    tables = Tables(lambda _: law, 1, len(cuts) + 1, bits=4)
    words = np.arange(2**16)
    marked = words[made[words >> 12] == 255]
    script = [words.astype("<u2").tobytes(),
              np.full(len(marked), rest << 16, dtype="<u8").tobytes()]
    inside = [int(w) for w in marked
              if int(w) << 48 | rest in {*map(int, law.low), *map(int, law.high)}]
    assert inside
    for following in (0, 2**64 - 1):
        source = ScriptedSource([*script, *(little(following) for _ in inside)])
        drawn = tables.draw(np.zeros(2**16, dtype=np.int64), source)
        assert source.finished
        for word in words[::101].tolist() + inside:
            value = Fraction(word << 48 | rest, 2**64)
            if word in inside:
                value += Fraction(following, 2**128)
            assert drawn[word] == bisect_right(cuts, value)


def geometric_boundary(law: GeometricLaw, j: int) -> Fraction:
    x = law.ratio**-law.power
    whole = 1 if law.tail else 1 - x**law.size
    return (1 - x ** (j + 1)) / whole


@pytest.mark.parametrize("tail", [True, False])
@pytest.mark.parametrize(
    ("ratio", "power"),
    [
        (Fraction(2), 1),
        (Fraction(3), 1),
        (Fraction(5, 4), 1),
        (Fraction(10**30), 3),
        (Fraction(10**9 + 1, 10**9), 1),
        (Fraction(10**9 + 1, 10**9), 16),
        (Fraction(2**40 + 1, 2**40), 128),
    ],
)
def test_geometric_boundaries_lie_in_their_enclosures(ratio, power, tail):
    law = GeometricLaw(ratio, power, 16, tail)
    assert len(law.low) == len(law.high) == len(law.outputs) - 1
    for j in range(len(law.low)):
        c = geometric_boundary(law, j)
        assert int(law.low[j]) <= c * 2**64 < int(law.high[j]) + 1
        for bits in (64, 128, 700):
            first, second = law.enclosure(j, bits)
            assert first <= c * 2**bits < second
            assert second - first <= 2
    assert (np.diff(law.low.astype(object)) >= 0).all()
    assert (np.diff(law.high.astype(object)) >= 0).all()


@pytest.mark.parametrize("units", range(1, 9))
def test_a_law_that_falls_less_than_its_bounds_can_tell_is_enclosed_with_longer_ones(units):
    law = GeometricLaw(1 + Fraction(units, 2**72), 1, 2, tail=False)  # 72 bits are tried first
    first, second = law.enclosure(0, 8)
    assert first <= geometric_boundary(law, 0) * 2**8 < second
    assert second - first <= 2


@pytest.mark.parametrize("outputs", [255, 256, 2**16 - 1, 2**16])
def test_a_table_holds_every_output_beside_its_mark(outputs):
    weights = [1] + [0] * (outputs - 2) + [1]
    tables = Tables(lambda _: RationalLaw(lambda: weights), 1, outputs, bits=4)
    words = np.arange(FEW) << 7  # 512 words, half of them for either output
    source = ScriptedSource([words.astype("<u2").tobytes(), b"\1" * 8 * 32])
    drawn = tables.draw(np.zeros(FEW, dtype=np.int64), source)
    assert source.finished
    assert drawn.tolist() == [0] * 256 + [outputs - 1] * 256


@pytest.mark.parametrize("bits", [3, 5, 8, 16, 64])
def test_powers_lie_between_their_bounds_at_any_precision(bits):
    for ratio in (Fraction(2), Fraction(3), Fraction(5, 4), Fraction(1001, 1000)):
        for exponent in range(40):
            low, high = laws._power_bounds(ratio, exponent, bits)
            assert low <= 2**bits * ratio**-exponent <= high


@pytest.mark.parametrize("tail", [True, False])
@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(3), Fraction(5, 4)])
def test_enclosures_hold_with_the_loosest_bounds_on_powers(ratio, tail, monkeypatch):
    """Bounds that are off by half a unit of the answer show which end each of them is for."""
    for low_slack, high_slack in ((0, 1), (1, 0), (1, 1)):
        def loose(ratio, exponent, bits, low_slack=low_slack, high_slack=high_slack):
            exact, slack = ratio**-exponent * 2**bits, 1 << (bits - 10)
            return (max(0, floor(exact) - low_slack * slack),
                    min(1 << bits, ceil(exact) + high_slack * slack))

        monkeypatch.setattr(laws, "_power_bounds", loose)
        law = GeometricLaw(ratio, 1, 8, tail)
        for j in range(len(law.outputs) - 1):
            for bits in (5, 6, 7, 8):
                first, second = law.enclosure(j, bits)
                assert first <= geometric_boundary(law, j) * 2**bits < second


@pytest.mark.parametrize("tail", [True, False])
@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(3), Fraction(10**9 + 1, 10**9)])
def test_a_geometric_draw_is_returned_only_when_it_is_certain(ratio, tail):
    law: Law = GeometricLaw(ratio, 1, 8, tail)
    cuts = [geometric_boundary(law, j) for j in range(len(law.low))]
    for word in {int(v) for v in (*law.low, *law.high)}:
        for following in (0, 1, 2**63, 2**64 - 1):
            source = ScriptedSource([little(following)] + [little(1)] * 5)
            output = settle(law, word, source)
            value = word
            for piece in source.pieces[: len(source.requests)]:
                value = value << 64 | int.from_bytes(piece, "little")
            bits = 64 * (1 + len(source.requests))
            assert bisect_right(cuts, Fraction(value, 2**bits)) == output
            assert bisect_left(cuts, Fraction(value + 1, 2**bits)) == output


def test_a_probability_far_below_any_double_is_still_drawn():
    tables = Tables(lambda _: RationalLaw(lambda: [2**2000 - 1, 1]), 1, 2)
    ones = ScriptedSource([b"\xff" * 8] * 33)
    assert tables.draw(np.zeros(1, dtype=np.int64), ones).tolist() == [1]
    assert sum(ones.requests) * 8 in range(2000, 2000 + 129)


def test_draws_do_not_depend_on_what_was_drawn_before():
    codes = np.arange(3000) % 7
    rows = [[1 + (i * z) % 11 for z in range(9)] for i in range(7)]
    fresh, used = (Tables(lambda i: RationalLaw(lambda: rows[i]), 7, 9) for _ in range(2))
    used.draw(codes[:2000], SeededSource(1))
    used.draw(codes[:5], SeededSource(2))
    expected = fresh.draw(codes, SeededSource(3))
    assert np.array_equal(used.draw(codes, SeededSource(3)), expected)


@pytest.mark.parametrize(
    ("inputs", "outputs", "bits"),
    [(10, 10, 16), (256, 255, 16), (1000, 1000, 13), (1, 100_000, 21), (25_000_000, 1, 1)],
)
def test_tables_have_as_many_bits_as_their_room_allows(inputs, outputs, bits):
    size = 1 if outputs < 256 else 2 if outputs < 2**16 else 4
    assert resolution(inputs, outputs, size) == bits


def test_every_input_of_a_long_column_has_its_own_law():
    """Three laws that know one output each, in a column long enough for tables."""
    tables = Tables(lambda code: RationalLaw(lambda: [int(z == 2 - code) for z in range(3)]), 3, 3)
    codes = np.arange(3000) % 3
    assert (tables.draw(codes, SeededSource(1)) == 2 - codes).all()


def test_a_boundary_that_straddles_two_cells_leaves_both_open():
    edge = 5 << 48
    law = SimpleNamespace(low=np.array([edge - 1], np.uint64), high=np.array([edge], np.uint64),
                          outputs=np.array([0, 1]))
    made = cells(law, 16, np.uint8(255))
    assert made[:8].tolist() == [0, 0, 0, 0, 255, 255, 1, 1]
    assert len(made) == 1 << 16
