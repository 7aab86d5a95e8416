"""Integer noise is composed of independent parts whose product is the law, as fractions."""

from fractions import Fraction

import numpy as np
import pytest

from tests.exact.oracle import ends_within
from tests.samplers.scripts import ScriptedSource
from tightrope.choices import Count
from tightrope.errors import BadInput
from tightrope.mechanisms import LadderCount, NoiseMechanism
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw, draw_many
from tightrope.samplers.laws import GeometricLaw
from tightrope.samplers.noise import BASE, Geometric, NoiseSampler, Staircase
from tightrope.spaces import Graphs, Network, path


def part(law, j: int) -> Fraction:
    """P(output j) of a geometric law, from its definition."""
    x = law.ratio**-law.power
    if law.tail:
        return x**law.size if j == law.size else (1 - x) * x**j
    return (1 - x) * x**j / (1 - x**law.size)


@pytest.mark.parametrize(
    ("ratio", "numbers"),
    [
        (Fraction(2), (0, 1, BASE - 1, BASE, BASE + 1, 3 * BASE + 5)),
        (Fraction(101, 100), (0, 1, BASE - 1, BASE, 3 * BASE + 5, BASE**2, BASE**2 + 7)),
    ],
)
def test_the_parts_of_a_geometric_number_multiply_to_its_law(ratio, numbers):
    sampler = Geometric(ratio)
    places = [tables.law(0) for tables in sampler.digits]
    for g in numbers:
        rest, probability = g, Fraction(1)
        for law in places:
            rest, digit = divmod(rest, BASE)
            probability *= part(law, digit)
        starts, last = divmod(rest, BASE)
        leading = sampler.leading.law(0)
        probability *= part(leading, BASE) ** starts * part(leading, last)
        assert probability == (1 - 1 / ratio) * ratio**-g


def test_the_difference_of_two_geometric_numbers_is_the_noise():
    # Σ_g (1 - x)² x^g x^(g + |z|) = (1 - x)² x^|z| / (1 - x²)
    for ratio in (Fraction(2), Fraction(7, 5), Fraction(100)):
        x = 1 / ratio
        mechanism = NoiseMechanism(path(0, 9), ratio)
        for z in (-3, 0, 1, 5):
            assert (1 - x) ** 2 * x ** abs(z) / (1 - x**2) == mechanism.probability(0, z)


@pytest.mark.parametrize(
    ("ratio", "digits"),
    [(Fraction(10**9), 0), (Fraction(2), 0), (Fraction(33, 32), 0), (Fraction(34, 33), 1),
     (Fraction(1001, 1000), 1), (Fraction(2**40 + 1, 2**40), 5)],
)
def test_wider_noise_has_more_digits(ratio, digits):
    assert len(Geometric(ratio).digits) == digits


def test_a_leading_part_that_reaches_the_base_starts_afresh():
    sampler = Geometric(Fraction(34, 33))
    sampler.digits.clear()
    drawn = iter([[BASE, 1, BASE], [BASE, 4], [BASE], [3]])

    class Script:
        def draw(self, codes, source):
            values = np.array(next(drawn))
            assert len(values) == len(codes)
            return values

    sampler.leading = Script()
    assert sampler.draw(3, SeededSource(0)).tolist() == [3 * BASE + 3, 1, BASE + 4]
    assert next(drawn, None) is None


def middle(law, output: int) -> bytes:
    """64 bits of a U in the middle of what belongs to an output, by the exact boundaries."""
    x = law.ratio**-law.power
    whole = 1 if law.tail else 1 - x**law.size
    left, right = (1 if k > law.size else (1 - x**k) / whole for k in (output, output + 1))
    return int((left + right) / 2 * 2**64).to_bytes(8, "little")


def test_every_digit_that_a_script_writes_is_in_the_number():
    sampler = Geometric(1 + Fraction(1, 2000))
    (digit,) = (tables.law(0) for tables in sampler.digits)
    leading = sampler.leading.law(0)
    words = [middle(leading, BASE) + middle(leading, 5) + middle(leading, BASE),  # all three
             middle(leading, BASE) + middle(leading, 0),  # the first and the third start afresh
             middle(leading, 7),  # the first again
             middle(digit, 0) + middle(digit, BASE - 1) + middle(digit, 64)]
    source = ScriptedSource(words)
    found = sampler.draw(3, source).tolist()
    assert source.finished
    assert found == [(2 * BASE + 7) * BASE, 5 * BASE + BASE - 1, BASE * BASE + 64]


def test_noise_wider_than_64_bits_is_returned_as_python_integers():
    sampler = NoiseSampler(NoiseMechanism(path(0, 9), 1 + Fraction(1, 2**80)))
    drawn = sampler.draw(np.zeros(300, dtype=np.int64), SeededSource(1))
    assert drawn.dtype == object
    assert 2**76 < np.median([abs(z) for z in drawn]) < 2**83


class Always:
    """A sampler that draws one number."""

    def __init__(self, number):
        self.number = number

    def draw(self, codes, source):
        count = codes if isinstance(codes, int) else len(codes)
        return np.full(count, self.number, dtype=np.int64)


@pytest.mark.parametrize(("digits", "leading"), [(8, 1), (8, 62), (8, 100), (9, 1), (9, 3)])
def test_digits_add_up_to_their_number_on_either_side_of_64_bits(digits, leading):
    sampler = Geometric(Fraction(2))
    sampler.leading, sampler.digits = Always(leading), [Always(BASE - 1)] * digits
    (drawn,) = sampler.draw(1, SeededSource(0)).tolist()
    assert drawn == (leading + 1) * BASE**digits - 1


@pytest.mark.parametrize("rungs", [2**20, 2**21 - 1, 2**22 - 2, 2**23 + 5, 2**25])
def test_steps_outward_are_added_up_on_either_side_of_64_bits(rungs):
    sampler = Staircase(Fraction(2), 2**40, 7)
    sampler._beyond, sampler.geometric = Always(1), Always(rungs)
    for drawn in sampler.draw(40, SeededSource(0)).tolist():
        assert 0 <= abs(drawn) - (7 + rungs * 2**40) < 2**40


def test_noise_that_fits_is_returned_in_64_bits():
    drawn = NoiseSampler(NoiseMechanism(path(-5, 9), Fraction(2))).draw(
        np.arange(15), SeededSource(1)
    )
    assert drawn.dtype == np.int64
    assert np.abs(drawn - np.arange(-5, 10)).max() < 64


@pytest.mark.parametrize("step", [2**61, 2**62 + 1, 2**63 - 1, 2**63, 10**40])
@pytest.mark.parametrize("one", [True, False])
def test_steps_as_wide_as_a_machine_word_go_both_ways(step, one):
    first = 1 if one else step
    proved = certified(NoiseMechanism(path(0, 9), Fraction(2), step, first), "ln(2)")
    assert proved.mechanism.probability(0, 0) == Fraction(1, 2 * first - 1 + 2 * step)
    drawn = draw_many(proved, [5] * 80, SeededSource(1))
    assert min(drawn) < -(2**40)  # each misses with probability below 2^-70
    assert max(drawn) > 2**40


def test_powers_near_one_are_bounded_by_it():
    with ends_within(20):
        low, high = GeometricLaw(1 + Fraction(1, 10**60), 128**28, 128, tail=True).enclosure(0, 64)
    # c_1 = 1 - x with x = (1 + 10^-60)^-(2^196): ln x lies between -a and -a/(1 + 10^-60)
    a = Fraction(2**196, 10**60)
    assert low / 2**64 == pytest.approx(1 - np.exp(-float(a)), abs=1e-12)
    assert high - low <= 2


def test_noise_too_wide_to_be_drawn_is_refused_whatever_the_data():
    ratio = 1 + Fraction(1, 10**4000)
    empty, full = Network(4, [], []), Network(4, [0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3])
    noise = certified(NoiseMechanism(path(0, 9), ratio), 1)
    stairs = certified(NoiseMechanism(path(0, 9), ratio, 3, 2), 1)
    ladder = certified(LadderCount(Graphs(4), Count.TRIANGLES, ratio), 1)
    for proved, x in ((noise, 0), (stairs, 0), (ladder, empty), (ladder, full)):
        for seed in range(3):
            with ends_within(20), pytest.raises(BadInput, match="too wide to be drawn"):
                draw(proved, x, SeededSource(seed))
