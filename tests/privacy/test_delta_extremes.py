"""δ of laws of any length, beside bounds and at ties: fractions and hundreds of decimals."""

import random
from fractions import Fraction
from itertools import permutations

import pytest

from tests.exact.oracle import ends_within, power_of
from tests.privacy.brute import check_witness, laws, mechanism_of, parts, plain_lengths
from tightrope.exact import Level, Weights
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.privacy import delta_curve, verify
from tightrope.spaces import categories, graph, path

F = Fraction
ONE = F(1)
GAPS = [F(1, 10**digits) for digits in (8, 15, 18, 30, 45, 60)]
SOME = [GAPS[0], GAPS[-1]]


def power(level, distance=ONE, digits=400):
    """e^(ε d): exact where integer powers say so, else far better than any gap."""
    exponent = level.coefficient * distance
    if level.rational == 0 and exponent.denominator == 1:
        return level.base ** exponent.numerator
    return F(power_of(parts(level), [(distance, F(1))], digits))


def summed(p, q, factor):
    """The hockey-stick sum and the outputs that add to it."""
    gains = [a - factor * b for a, b in zip(p, q, strict=True)]
    chosen = [z for z, gain in enumerate(gains) if gain > 0]
    return sum((gains[z] for z in chosen), F(0)), chosen


def judged_on_both_sides(mechanism, rows, level, distance=ONE, gaps=GAPS):
    """Claims at many gaps above and below the exact δ of neighbors; what is told of each."""
    space, factor = mechanism.space, power(level, distance)
    lengths = plain_lengths([[distance * (i != j) for j in range(len(rows))]
                             for i in range(len(rows))])
    sides = {(a, b): summed(rows[a], rows[b], factor)
             for i, j in space.neighbors.pairs for a, b in ((i, j), (j, i))}
    exact = max(value for value, _ in sides.values())
    assert 0 < exact < 1
    slack = F(1, 10**200)
    with ends_within(60):
        for gap in gaps:
            above = verify(mechanism, space, level.with_delta(exact * (1 + gap)))
            assert above.holds
            low, high = above.delta
            assert low - slack <= exact <= high + slack
            assert high - low <= F(1, 10**30)
            below = verify(mechanism, space, level.with_delta(exact * (1 - gap)))
            assert not below.holds
            check_witness(below, mechanism, lengths)
            points, outputs = list(space.points), list(mechanism.outputs)
            pair = points.index(below.witness.first), points.index(below.witness.second)
            assert [outputs.index(z) for z in below.witness.outputs] == sides[pair][1]
    return exact


EMPTY = ([[5, 0, 3, 0, 4], [0, 0, 1, 6, 2]], [[0, 0, 3, 0, 0], [0, 0, 0, 2, 1]])
SHIFTED = ([[5, 3, 7, 1], [2, 9, 1, 4]], [[3, 0, 5, -4], [0, 2, -3, 1]])
LONG = [  # rows whose totals have more than 20,000 bits
    ([[5, 3, 1], [1, 9, 2]], [[0, 0, -30_000], [0, 1, -3]]),
    ([[5, 3, 1], [1, 9, 2]], [[0, 0, -2], [0, 1, -30_000]]),
    ([[5, 3, 1], [1, 9, 2]], [[40, 40, -30_000], [-7, -6, -30_000]]),
    ([[5, 3, 1], [3, 3, 7]], [[0, 0, -30_000], [0, 0, -30_000]]),
]


@pytest.mark.parametrize(("cells", "text"), [
    *((SHIFTED, text) for text in ("0.1", "0.7", "ln(2)/3", "ln(6/5)")),
    *((EMPTY, text) for text in ("0.1", "ln(2)", "700", "ln(2)*1001")),
    *((cells, text) for cells in LONG for text in ("0.1", "ln(6/5)")),
])
def test_delta_of_shifted_and_of_long_rows_is_judged_on_both_sides(cells, text):
    level, space = Level.parse(text), path(0, 1)
    mechanism, rows = mechanism_of(space, *cells), laws(*cells)
    exact = judged_on_both_sides(mechanism, rows, level, gaps=SOME)
    if level.rational == 0 and level.coefficient == 1:
        at = verify(mechanism, space, level.with_delta(exact))
        assert at.holds
        if cells is SHIFTED:
            assert at.delta == (exact, exact)
    low, high = delta_curve(mechanism, space).at(level)
    assert low - F(1, 10**200) <= exact <= high + F(1, 10**200)
    assert high - low <= F(1, 10**30)


@pytest.mark.parametrize("twos", [998, 999, 1000, 1001, 1002, 1500])
def test_ratios_about_the_largest_doubles_are_added_up(twos):
    # e^ε = 2^(k + 1/5), and an output whose ratio is about head/8 · 2^k
    level, space = Level.parse(f"ln(2)*{5 * twos + 1}/5"), path(0, 1)
    for head in (10, 12, 15, 16, 32, 100):
        cells = [[1, 1], [4, head]], [[0, 0], [-twos, 0]]
        judged_on_both_sides(mechanism_of(space, *cells), laws(*cells), level, gaps=SOME)
    below = mechanism_of(space, [[1, 1], [4, 9]], [[0, 0], [-twos, 0]])
    assert verify(below, space, level.with_delta(F(1, 10**60))).delta == (0, 0)


def stripped(line, scale, shift):
    """Weights of a row as odd mantissas and their powers of two, times a scale · 2^shift."""
    heads, tails = [], []
    for value in line:
        twos = (value & -value).bit_length() - 1
        heads.append((value >> twos) * scale)
        tails.append(twos + shift)
    return heads, tails


@pytest.mark.parametrize("text", ["0.5", "ln(3)", "ln(5)/2"])
@pytest.mark.parametrize("closeness", [46, 49, 52, 60, 90])
@pytest.mark.parametrize("scales", [(1, 1), (3, 7)])
def test_outputs_whose_ratio_is_nearly_the_bound_are_added_or_left_out_rightly(
    text, closeness, scales
):
    # Ratios e^ε (1 ± 2^-closeness) are beyond what doubles tell; half of them add to δ.
    level, chance = Level.parse(text), random.Random(closeness)
    factor, unit = power(level), 2**200
    second = [chance.getrandbits(190) << chance.randrange(4) | 1 << 191 for _ in range(8)]
    first = [int(b * factor * (1 + F((-1) ** z, 2**closeness))) for z, b in enumerate(second)]
    first, second = [*first, 3 * unit], [*second, unit]
    first.append(2**210 - sum(first))
    second.append(2**210 - sum(second))
    assert min(first + second) > 0
    heads, tails = zip(stripped(first, scales[0], 11), stripped(second, scales[1], -5),
                       strict=True)
    mechanism, rows = mechanism_of(path(0, 1), heads, tails), laws(heads, tails)
    assert rows[0][0] == F(first[0], 2**210)
    judged_on_both_sides(mechanism, rows, level)


def test_an_output_exactly_at_the_bound_is_in_no_witness():
    # 4/20 = 2 · 6/60 exactly, with totals and powers of two that differ
    cells = [[1, 3, 5], [3, 3, 51]], [[2, 1, 1], [1, 0, 0]]
    rows, space = laws(*cells), path(0, 1)
    assert rows[0][0] == 2 * rows[1][0]
    mechanism = mechanism_of(space, *cells)
    found = verify(mechanism, space, Level.ratio(2, delta=F(1, 100)))
    assert not found.holds
    assert found.witness.outputs == ("z1",)
    assert judged_on_both_sides(mechanism, rows, Level.ratio(2)) == F(1, 5)


@pytest.mark.parametrize("distance", ["1", "1/2", "2"])
@pytest.mark.parametrize("links", list(permutations([(0, 1), (0, 2), (1, 2)]))[1::2])
def test_an_even_kernel_is_judged_on_both_sides_whichever_pair_comes_first(links, distance):
    space = graph("abc", [(*link, distance) for link in links])
    unit = F(distance)
    kernel = KernelMechanism(space, F(2), unit / 3, (F(1),) * 3)  # 8 : 1 : 1
    assert kernel.even
    for text in ("ln(2)", "0.3"):
        level = Level.parse(text)
        exact = F(8, 10) - power(level, unit) / 10
        lengths = plain_lengths([[unit * (i != j) for j in range(3)] for i in range(3)])
        for gap in GAPS:
            above = verify(kernel, space, level.with_delta(exact * (1 + gap)))
            assert above.holds
            assert above.delta[0] - F(1, 10**200) <= exact <= above.delta[1] + F(1, 10**200)
            below = verify(kernel, space, level.with_delta(exact * (1 - gap)))
            assert not below.holds
            check_witness(below, kernel.matrix(), lengths)
            assert below.witness.probabilities == (F(8, 10), F(1, 10))
            assert below.witness.outputs == (below.witness.first,)


def test_an_excess_of_long_integers_is_decided_to_the_last_one():
    # P(0) is p/s for the first input and 0 for the second: δ = p/s holds, n/m = p/s - 1/(s m) not
    s, p = (1 << 30_001) + 1, (1 << 30_000) + 1
    mechanism = MatrixMechanism(categories(2), (0, 1), Weights.from_integers([[p, s - p], [0, s]]))
    m = pow(p, -1, s)
    for delta, holds in ((Fraction(p, s), True), (Fraction((p * m - 1) // s, m), False)):
        with ends_within(60):
            assert verify(mechanism, mechanism.space, Level.ratio(4, delta)).holds is holds
