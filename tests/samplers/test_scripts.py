"""Samplers of single numbers, led through every branch by what a script answers."""

from dataclasses import dataclass
from fractions import Fraction
from hashlib import shake_128

import numpy as np
import pytest

from tests.samplers.scripts import ScriptedSource
from tightrope.choices import Count
from tightrope.exact import Intervals
from tightrope.mechanisms import NoiseMechanism, PiecewiseNoise, RungLaw, SmoothCount
from tightrope.samplers import SeededSource, cauchy, noise, rungs
from tightrope.samplers.displacements import _bits
from tightrope.samplers.laws import GeometricLaw, RationalLaw
from tightrope.samplers.noise import (
    BASE,
    Geometric,
    NoiseSampler,
    geometric_number,
)
from tightrope.samplers.rungs import _round_down, _rung, answer, rung_number, value_on_grid
from tightrope.samplers.sources import uniform_below
from tightrope.samplers.tables import Tables
from tightrope.spaces import Graphs, Network, path


def little(value: int, size: int = 8) -> bytes:
    return value.to_bytes(size, "little")


# ---------------------------------------------------------------- uniform numbers


@pytest.mark.parametrize("size", [1, 2, 3, 5, 128, 129, 255, 256, 257, 40_000])
def test_every_value_below_a_size_has_equally_many_words(size):
    width = ((size - 1).bit_length() + 7) // 8
    tally, again = [0] * size, 0
    for word in range(256**width):
        source = ScriptedSource([little(word, width), bytes(width)])
        found = uniform_below(size, source)
        if source.finished and width:
            again += 1
            assert found == 0
        else:
            tally[found] += 1
    assert len(set(tally)) == 1
    assert again < 256**width / 2  # no bit is asked for in vain


@pytest.mark.parametrize("count", [1, 7, 8, 9, 16, 20])
def test_bits_are_uniform_and_no_more_bytes_are_read_than_they_need(count):
    width = (count + 7) // 8
    for word in (0, 1, 255, 256**width // 3, 256**width - 1):
        assert _bits(count, ScriptedSource([little(word % 256**width, width)])) == (
            word % 256**width) >> (8 * width - count)


def test_the_stream_of_a_seed_goes_on_from_block_to_block():
    stream = SeededSource(3).bytes(3 * 2**16 + 5)
    blocks = [shake_128(f"3 {k}".encode()).digest(2**16) for k in range(4)]
    assert stream == b"".join(blocks)[: 3 * 2**16 + 5]


def test_a_table_of_many_bits_reads_wider_words():
    weights = [3, 5, 8]
    tables = Tables(lambda _: RationalLaw(lambda: weights), 1, 3, bits=18)
    edges = [c * 2**32 // 16 + d for c in (3, 8) for d in (-1, 0, 1)]
    words = np.array([0, 2**32 - 1, *edges] * 80)
    marked = sum(((int(w) >> 14) in {c * 2**18 // 16 for c in (3, 8)}) for w in words)
    source = ScriptedSource([words.astype("<u4").tobytes(), b"\xff" * 8 * marked])
    drawn = tables.draw(np.zeros(len(words), dtype=np.int64), source)
    assert source.finished
    assert drawn.tolist() == [(w >= 3 * 2**28) + (w >= 8 * 2**28) for w in words.tolist()]


# ---------------------------------------------------------------- Cauchy noise


class Again(Exception):
    """A proposal was not accepted."""


class Cauchy:
    """One proposal with scripted answers, and the sizes that were asked for."""

    def __init__(self, scale: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scale, self.sizes, self.shells = scale, [], 0
        monkeypatch.setattr(cauchy, "uniform_below", self._below)
        monkeypatch.setattr(cauchy, "geometric_number", self._geometric)

    def _below(self, size, source):
        if not self.answers:
            raise Again
        self.sizes.append(size)
        found = self.answers.pop(0)
        assert 0 <= found < size
        return found

    def _geometric(self, ratio, source):
        assert ratio == 2
        self.shells += 1
        return self.shell

    def run(self, *answers, shell=0):
        """The number that was drawn, None if the proposal was not accepted."""
        self.answers, self.shell, self.sizes, self.shells = list(answers), shell, [], 0
        try:
            return cauchy.cauchy_number(self.scale, SeededSource(0))
        except Again:
            return None

    def count(self, holds, size):
        """How many of the answers 0, 1, ... below a size do, if the first ones do."""
        low, high = 0, size
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if holds(middle) else (low, middle)
        return low

    def share(self, *answers, shell=0):
        """The number proposed by these answers, and how often it is accepted."""
        drawn = self.run(*answers, 0, shell=shell)
        size = self.sizes[-1]
        accepted = self.count(lambda a: self.run(*answers, a, shell=shell) is not None, size)
        return drawn, Fraction(accepted, size)


@pytest.mark.parametrize("scale", ["1", "1/2", "2", "7/2", "3", "9/2"])
def test_one_proposal_gives_every_number_its_weight(scale, monkeypatch):
    tool = Cauchy(Fraction(scale), monkeypatch)
    tool.run(0)
    whole = tool.sizes[0]

    def in_core(first):
        tool.run(first)
        return not tool.shells

    core = Fraction(tool.count(in_core, whole), whole)
    law: dict[int, Fraction] = {}

    def add(drawn, chance):
        law[drawn] = law.get(drawn, Fraction(0)) + chance

    tool.run(0, 0)
    inside = tool.sizes[1]
    for place in range(inside):
        drawn, accepted = tool.share(0, place)
        add(drawn, core / inside * accepted)
    for shell in range(4):
        tool.run(whole - 1, 0, shell=shell)
        places = tool.sizes[1]
        for place in range(places):
            drawn, accepted = tool.share(whole - 1, place, shell=shell)
            add(drawn, (1 - core) / 2 ** (shell + 1) / places * accepted)
    assert sorted(law) == list(range(min(law), max(law) + 1))
    assert min(law) == -max(law)
    assert len({p * (Fraction(scale) ** 2 + u * u) for u, p in law.items()}) == 1


# ---------------------------------------------------------------- rungs


def test_an_answer_is_the_place_in_its_rung(monkeypatch):
    law = RungLaw(Fraction(2), np.array([3, 1, 1]), np.array([4, 4, 9]), 2)
    sizes = [2, 2, 5, 4, 4]
    for rung, size in enumerate(sizes):
        asked = []
        monkeypatch.setattr(rungs, "_rung", lambda *_, rung=rung: rung)
        for place in range(size):
            monkeypatch.setattr(rungs, "uniform_below",
                                lambda n, _, place=place, asked=asked: asked.append(n) or place)
            assert rung_number(law, None) == law.output(rung, place)
        assert asked == [law.counts[rung] if rung < 3 else law.tail] * size


def test_cauchy_answers_lie_around_their_center(monkeypatch):
    two = Network(4, np.array([0, 0, 1, 0, 1]), np.array([1, 2, 2, 3, 3]))  # triangles
    mechanism = SmoothCount(Graphs(4), Count.TRIANGLES, Fraction(3, 2), Fraction(2))
    scale = mechanism.law(two).scale
    monkeypatch.setattr(rungs, "cauchy_number", lambda given, _: 5 if given == scale else None)
    assert answer(mechanism, two, None) == 2 + 5


def test_beyond_the_listed_rungs_a_geometric_number_is_added(monkeypatch):
    monkeypatch.setattr(rungs, "geometric_number", lambda ratio, _: 3 if ratio == 2 else None)
    assert _rung(Fraction(2), [1, 1], 1, ScriptedSource([b"\xff" * 8])) == 2 + 3
    assert _rung(Fraction(2), [1, 1], 1, ScriptedSource([bytes(8)])) == 0


LINE = PiecewiseNoise(Fraction(3), (Intervals.of([("-1/2", "1/2")]),
                                    Intervals.of([("-1", "-1/2"), ("1/2", "4/3")]),
                                    Intervals.of([("-4/3", "-1")])), Fraction(1, 2))


def test_the_cells_of_every_rung_have_its_density_each_once(monkeypatch):
    unit, counts = LINE.unit, LINE.units
    step = int(LINE.step / unit)
    sizes = [*counts, 2 * step, 2 * step, 2 * step]
    seen = set()
    for rung, size in enumerate(sizes):
        monkeypatch.setattr(rungs, "_rung", lambda *_, rung=rung: rung)
        for place in range(size):
            monkeypatch.setattr(rungs, "uniform_below", lambda n, _, place=place, size=size: (
                place if n == size else None))
            start = value_on_grid(LINE, Fraction(0), unit, ScriptedSource([]))
            assert start not in seen
            seen.add(start)
            assert LINE.density(start + unit / 2) == LINE.density(Fraction(0)) / 3**rung
    assert max(seen) + min(seen) == -unit
    assert len(seen) == (max(seen) - min(seen)) / unit + 1


def test_a_value_is_added_before_rounding(monkeypatch):
    monkeypatch.setattr(rungs, "_rung", lambda *_: 0)
    monkeypatch.setattr(rungs, "uniform_below", lambda *_: 0)
    unit = LINE.unit
    found = value_on_grid(LINE, Fraction(5), unit, ScriptedSource([]))
    assert found == 5 - Fraction(1, 2)


@pytest.mark.parametrize(("start", "width", "grid"), [
    ("1/3", "1/2", "1/4"), ("-1/3", "1/2", "1/4"), ("-7/3", "2", "1"), ("0", "1", "1/3")])
def test_a_sum_is_rounded_down_once_its_digits_are_certain(start, width, grid):
    start, width, grid = map(Fraction, (start, width, grid))
    first, last = start // grid, (start + width) // grid
    cuts = [(k * grid - start) / width for k in range(first, last + 1)]
    words = {int(c * 2**64) + d for c in cuts for d in (-1, 0, 1)} | {0, 2**64 - 1}
    for word in sorted(w for w in words if 0 <= w < 2**64):
        for more in (0, 2**63, 2**64 - 1):
            source = ScriptedSource([little(word), *[little(more)] * 3])
            found = _round_down(start, width, grid, source)
            bits = 64 * len(source.requests)
            digits = int.from_bytes(b"".join(p[::-1] for p in source.pieces[:bits // 64]), "big")
            low, high = (start + width * Fraction(digits + k, 2**bits) for k in (0, 1))
            assert found <= low
            assert high <= found + grid
            assert (found / grid).denominator == 1


def test_a_sum_within_one_cell_of_the_grid_needs_no_digit():
    assert _round_down(Fraction(1, 4), Fraction(1, 4), Fraction(1, 4), ScriptedSource([])) == (
        Fraction(1, 4))
    assert _round_down(Fraction(-1, 4), Fraction(1, 8), Fraction(1), ScriptedSource([])) == -1


# ---------------------------------------------------------------- integer noise


def middle(ratio: Fraction, output: int) -> bytes:
    """64 bits in the middle of what belongs to a geometric number below the base."""
    left, right = 1 - ratio**-output, 1 - ratio ** -(output + 1)
    return little(int((left + right) / 2 * 2**64))


def test_one_geometric_number_is_read_from_its_word():
    for number in (0, 1, 5, 40):
        source = ScriptedSource([middle(Fraction(2), number)])
        assert geometric_number(Fraction(2), source) == number
        assert source.finished


def test_noise_is_added_to_the_input_the_first_number_up_and_the_second_down():
    sampler = NoiseSampler(NoiseMechanism(path(-5, 9), Fraction(2)))
    up, down = [middle(Fraction(2), k) for k in (4, 0)], [middle(Fraction(2), k) for k in (1, 3)]
    source = ScriptedSource([b"".join(up), b"".join(down)])
    assert sampler.draw(np.array([0, 14]), source).tolist() == [-5 + 3, 9 - 3]


def test_one_long_number_makes_the_whole_column_python_integers():
    sampler = Geometric(1 + Fraction(1, 2**56))
    digits = len(sampler.digits)
    assert digits == 8

    class Script:
        def __init__(self, values):
            self.values = values

        def draw(self, codes, source):
            return np.array(self.values)

    sampler.leading = Script([1, 2**40, 0])
    sampler.digits = [Script([3, 0, 5])] * digits
    fives = sum(5 * BASE**k for k in range(digits))
    threes = sum(3 * BASE**k for k in range(digits))
    found = sampler.draw(3, SeededSource(0))
    assert found.tolist() == [BASE**digits + threes, 2**40 * BASE**digits, fives]


class Stairs:
    """A staircase sampler whose parts answer what they are told."""

    def __init__(self, monkeypatch, ratio=Fraction(6), step=3, first=2, low=10):
        self.mechanism = NoiseMechanism(path(low, low + 4), ratio, step, first)
        self.sampler = NoiseSampler(self.mechanism)
        self.law = self.sampler.noise._beyond.law(0)
        self.sampler.noise._beyond = self.sampler.noise.geometric = self
        self.asked: list[tuple[int, int]] = []
        monkeypatch.setattr(noise, "uniform_numbers", self.uniform)

    def uniform(self, size, count, source):
        self.asked.append((size, count))
        return np.array(self.inside if len(self.asked) == 1 else self.places, dtype=np.int64)

    def draw(self, wanted, source):
        return np.array(self.far if isinstance(wanted, np.ndarray) else self.rungs)

    def run(self, codes, far, inside=(), rungs=(), places=()):
        self.asked.clear()
        self.far, self.inside, self.rungs, self.places = far, inside, rungs, places
        return self.sampler.draw(np.array(codes), SeededSource(0)).tolist()


STAIRS = [(Fraction(6), 3, 2), (Fraction(5, 2), 2, 1), (Fraction(9, 8), 4, 4)]


@pytest.mark.parametrize(("ratio", "step", "first"), STAIRS)
def test_a_staircase_has_its_first_step_with_its_chance(ratio, step, first, monkeypatch):
    stairs = Stairs(monkeypatch, ratio, step, first)
    near = sum(stairs.mechanism.law(12).probability(12 + z) for z in range(1 - first, first))
    weights = stairs.law.integers()
    assert stairs.law.outputs.tolist() == [0, 1]
    assert Fraction(weights[0], sum(weights)) == near


@pytest.mark.parametrize(("ratio", "step", "first"), STAIRS)
def test_every_number_of_a_step_is_drawn_from_one_place(ratio, step, first, monkeypatch):
    stairs = Stairs(monkeypatch, ratio, step, first)
    size = 2 * first - 1
    drawn = stairs.run([2] * size, [0] * size, inside=range(size))
    assert stairs.asked == [(size, size), (2 * step, 0)]
    assert sorted(drawn) == list(range(12 - first + 1, 12 + first))
    for rung in (0, 1, 7):
        drawn = stairs.run([2] * 2 * step, [1] * 2 * step, rungs=[rung] * 2 * step,
                           places=range(2 * step))
        assert stairs.asked == [(size, 0), (2 * step, 2 * step)]
        inner = first + rung * step
        ring = range(inner, inner + step)
        assert sorted(drawn) == sorted([12 - z for z in ring] + [12 + z for z in ring])


def test_near_and_far_numbers_of_a_staircase_keep_their_rows(monkeypatch):
    drawn = Stairs(monkeypatch).run([0, 1, 2, 4], [1, 0, 1, 0], inside=[2, 0], rungs=[1, 0],
                                    places=[0, 5])
    assert drawn == [10 + 5, 11 + 1, 12 - 4, 14 - 1]


def test_a_staircase_of_long_rungs_is_written_in_python_integers(monkeypatch):
    for far in ([1, 2**62 // 3 - 2], [0, 2**62 // 3], [3, 2**62]):
        drawn = Stairs(monkeypatch).run([0, 4, 1], [1, 1, 0], inside=[1], rungs=far,
                                        places=[2, 3])
        assert drawn == [10 + 2 + 3 * far[0] + 2, 14 - (2 + 3 * far[1]), 11]
        assert all(type(z) is int for z in drawn)


def test_the_rungs_of_a_line_are_weighed_by_their_lengths(monkeypatch):
    # Lengths 1, 1/2 + 5/6, 1/3, and 2 · 1/2 for every rung beyond, in cells of 1/6
    asked = []
    monkeypatch.setattr(rungs, "_rung", lambda *given: asked.append(given[:3]) or 0)
    monkeypatch.setattr(rungs, "uniform_below", lambda *_: 0)
    value_on_grid(LINE, Fraction(0), Fraction(1, 6), ScriptedSource([]))
    ((ratio, counts, tail),) = asked
    assert (ratio, list(counts), tail) == (3, [6, 8, 2], 6)


@pytest.mark.parametrize(("ends", "step", "unit", "counts"), [
    ((-1, 1), "1/5", "1/5", [10]), (("-1/3", "1/3"), "1/5", "1/15", [10]),
    (("-1/2", "1/2"), "3/2", "1/2", [2]),
])
def test_a_cell_divides_every_rung_and_the_step(ends, step, unit, counts):
    law = PiecewiseNoise(Fraction(2), (Intervals.of([ends]),), Fraction(step))
    assert (law.unit, list(law.units)) == (Fraction(unit), counts)


# ---------------------------------------------------------------- enclosures of boundaries


@dataclass(frozen=True)
class Wide:
    """Outputs 5, 6, 7 with boundaries c_1 < c_2, known within some units of 2^-64 at first."""

    cuts: tuple[Fraction, Fraction]
    slack: int

    @property
    def outputs(self):
        return np.array([5, 6, 7])

    @property
    def low(self):
        return np.array([int(c * 2**64) - self.slack for c in self.cuts], dtype=np.uint64)

    @property
    def high(self):
        return np.array([int(c * 2**64) + self.slack for c in self.cuts], dtype=np.uint64)

    def enclosure(self, j, bits):
        first = int(self.cuts[j] * 2**bits)
        return first, first + 1


@pytest.mark.parametrize("slack", [0, 1, 4])
@pytest.mark.parametrize("apart", [Fraction(1, 3), Fraction(1, 2**62), Fraction(1, 2**63)])
def test_a_word_inside_an_enclosure_is_settled_by_further_bits(slack, apart):
    cuts = (Fraction(1, 3), Fraction(1, 3) + apart)
    tables = Tables(lambda _: Wide(cuts, slack), 1, 8)
    floors = [int(c * 2**64) for c in cuts]
    words = {f + d for f in floors for d in range(-7, 8)}
    for word in sorted(words):
        for more in (0, 2**64 - 1):
            source = ScriptedSource([little(word), *[little(more)] * 3])
            (drawn,) = tables.draw(np.array([0]), source).tolist()
            number = Fraction(word, 2**64) + Fraction(more, 2**128)
            assert drawn == 5 + sum(c <= number for c in cuts)
            inside = any(f - slack <= word <= f + slack for f in floors)
            assert (len(source.requests) > 1) == inside


class Loose(GeometricLaw):
    """A geometric law whose boundaries are known less closely, some less than others."""

    def enclosure(self, j, bits):
        first, second = super().enclosure(j, bits)
        low, high = (3, 5) if j % 2 else (1, 1)
        return max(0, first - low), min(second + high, 1 << bits)


@pytest.mark.parametrize("kind", [GeometricLaw, Loose])
@pytest.mark.parametrize("tail", [False, True])
@pytest.mark.parametrize("gap", [Fraction(2), Fraction(1, 4), *(Fraction(1, 10**k)
                                                                for k in (6, 12, 40, 90))])
def test_the_boundaries_of_a_geometric_law_lie_between_their_ends(kind, tail, gap):
    law, x = kind(1 + gap, 2, 6, tail=tail), (1 + gap) ** -2
    whole = 1 if tail else 1 - x**6
    for j, (low, high) in enumerate(zip(law.low.tolist(), law.high.tolist(), strict=True)):
        cut = (1 - x ** (j + 1)) / whole * 2**64
        assert low <= cut < high + 1
        if kind is GeometricLaw:
            assert high - low <= 1
    assert (np.diff(law.low.astype(object)) >= 0).all()
    assert (np.diff(law.high.astype(object)) >= 0).all()
    if kind is Loose:
        assert (law.low.astype(object) < law.high.astype(object)).all()
