"""Probabilities and levels of any size: nothing is capped, clamped or lost in rounding."""

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import decimal_of, ends_within, wide
from tests.privacy.brute import (
    check_witness,
    has_level,
    laws,
    level_of,
    mechanism_of,
    plain_lengths,
    space_of,
    steepest,
)
from tightrope.errors import BadInput
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Refutation, Smallest, smallest_level, verification, verify
from tightrope.privacy.comparisons import Comparisons
from tightrope.privacy.evidence import exactly
from tightrope.spaces import categories, directed, path, points

STEP = [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]


@st.composite
def far_apart(draw, rows):
    columns = draw(st.integers(2, 3))
    power = st.sampled_from([0, 0, -1, -600, -998, -1001, -1500, -2999, -5000])
    integers = [[draw(st.integers(1, 3)) for _ in range(columns)] for _ in range(rows)]
    powers = [[draw(power) for _ in range(columns)] for _ in range(rows)]
    return integers, powers


@settings(derandomize=True, deadline=None, max_examples=100)
@given(far_apart(2),
       st.sampled_from(["0.5", "690", "693.2", "700", "1040", "2000", "3465", "3466"]))
def test_minute_probabilities_are_judged_by_their_exact_ratio(cells, epsilon):
    mechanism = mechanism_of(path(0, 1), *cells)
    level = Level.epsilon(epsilon)
    found = verify(mechanism, mechanism.space, level)
    assert found.holds == has_level(laws(*cells), plain_lengths(STEP), level)
    if isinstance(found, Refutation):
        check_witness(found, mechanism, plain_lengths(STEP))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(far_apart(3), st.sampled_from([1, 1000, 3000]), st.sampled_from([1, 700, 5000]))
def test_long_edges_are_judged_by_their_exact_ratio(cells, one, other):
    table = [[Fraction(d) for d in line]
             for line in ([0, one, one + other], [one, 0, other], [one + other, other, 0])]
    mechanism = mechanism_of(space_of(table), *cells)
    for level in (Level.epsilon(1), Level.ratio(2)):
        found = verify(mechanism, mechanism.space, level)
        assert found.holds == has_level(laws(*cells), plain_lengths(table), level)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(far_apart(3))
def test_the_smallest_level_is_exact_for_minute_probabilities(cells):
    table = [[Fraction(abs(i - j)) for j in range(3)] for i in range(3)]
    mechanism = mechanism_of(path(0, 2), *cells)
    steep = steepest(laws(*cells), table)
    found = smallest_level(mechanism, mechanism.space)
    assert isinstance(found, Smallest)
    if steep[0] == 1:
        assert found.upper == 0
        return
    level = level_of(steep)
    assert found.lower <= float(level) * (1 + 1e-15)
    assert level.compare_level(Level.epsilon(Fraction(found.lower))) >= 0
    assert level.compare_level(Level.epsilon(Fraction(found.upper))) <= 0
    assert found.upper - found.lower <= 1e-9 * float(level)
    if found.exact is not None:
        assert found.exact.compare_level(level) == 0


def test_a_ratio_beyond_the_range_of_doubles_is_refuted_at_a_level_beyond_it():
    mechanism = mechanism_of(path(0, 1), [[1, 1], [1, 1]], [[0, 0], [0, -5000]])
    assert not verify(mechanism, mechanism.space, Level.epsilon(700)).holds
    assert not verify(mechanism, mechanism.space, Level.epsilon(3465)).holds
    assert verify(mechanism, mechanism.space, Level.epsilon(3466)).holds


@pytest.mark.parametrize("size", [2**60, 2**70, 2**200])
def test_differences_below_the_resolution_of_doubles_count(size):
    integers = [[size, size], [size, size], [size + 1, size - 1]]
    table = [[Fraction(abs(i - j)) for j in range(3)] for i in range(3)]
    mechanism = mechanism_of(path(0, 2), integers)
    level = level_of(steepest(laws(integers), table))
    found = smallest_level(mechanism, mechanism.space)
    assert 0 <= found.lower <= found.upper > 0
    if found.lower:
        assert level.compare_level(Level.epsilon(Fraction(found.lower))) >= 0
    assert level.compare_level(Level.epsilon(Fraction(found.upper))) <= 0
    assert verify(mechanism, mechanism.space, level).holds
    below = Level.ratio(1 + Fraction(1, 2 * size))
    assert not verify(mechanism, mechanism.space, below).holds


def test_long_probabilities_can_be_shown():
    mechanism = mechanism_of(path(0, 1), [[1, 1], [1, 1]], [[0, 0], [0, -40_000]])
    found = smallest_level(mechanism, mechanism.space)
    assert found.text
    refuted = verify(mechanism, mechanism.space, Level.epsilon(1))
    assert len(str(refuted)) < 500


def test_levels_beyond_a_million_are_refuted_and_not_an_error():
    tenth = Fraction(1, 10)
    space = space_of([[Fraction(0), tenth], [tenth, Fraction(0)]])
    mechanism = mechanism_of(space, [[1, 1], [1, 1]], [[0, 0], [0, -200_000]])
    with ends_within(60):
        assert not verify(mechanism, mechanism.space, Level.epsilon(10**6)).holds


def test_a_distance_of_ten_to_the_minus_forty_is_decided():
    tiny = Fraction(1, 10**40)
    space = space_of([[Fraction(0), tiny], [tiny, Fraction(0)]])
    with ends_within(20):
        assert verify(mechanism_of(space, [[1, 1], [1, 1]]), space, Level.ratio(2)).holds
        assert not verify(mechanism_of(space, [[2, 1], [1, 1]]), space, Level.ratio(2)).holds


def test_the_witness_of_a_large_ratio_is_the_output_that_breaks_the_level():
    # two ratios around 2^800, one a hair below and one a hair above: their logarithms agree
    # to the last bit of a double
    below, above = 2**850 - 2**805, 2**850 + 2**805
    rest = 2**900
    integers = [[below, above, rest], [2**50, 2**50, rest + below + above - 2**51]]
    mechanism = mechanism_of(path(0, 1), integers)
    found = verify(mechanism, mechanism.space, Level.ratio(2**800))
    assert not found.holds
    check_witness(found, mechanism, plain_lengths(STEP))


def test_ratios_far_beyond_doubles_are_mostly_decided_without_exact_arithmetic(monkeypatch):
    # a mechanism well inside its level, with ratios up to 2^6000: of 12 * 11 * 12 comparisons
    # none is close
    asked, compare = [], Level.compare_quotient

    def counted(self, *case, **more):
        asked.append(case)
        return compare(self, *case, **more)

    places = [(13 * k % 31, 17 * k % 37) for k in range(12)]
    space = points(list("abcdefghijkl"), [tuple(map(str, place)) for place in places])
    lengths = [[int(100 * float(space.distance(i, j))) for j in range(12)]
               for i in range(12)]
    rows = [[1] * 12 for _ in range(12)]
    mechanism = mechanism_of(space, rows, [[-length for length in line] for line in lengths])
    monkeypatch.setattr(Level, "compare_quotient", counted)
    assert verify(mechanism, space, Level.epsilon(80)).holds
    assert len(asked) < 50


SMALL = [[9, 4, 4, 1], [6, 6, 3, 2], [4, 6, 2, 2]]
PLACES = {  # spaces with the squares of their distances
    "path": (path(0, 2), [[0, 1, 4], [1, 0, 1], [4, 1, 0]]),
    "plane": (points("abc", [("0", "0"), ("1", "1"), ("0", "2")]),
              [[0, 2, 4], [2, 0, 2], [4, 2, 0]]),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("effort", [10**7, 0])  # the exact way, and the way of brackets
def test_the_smallest_level_told_with_a_proof_is_that_of_the_rows(name, effort, monkeypatch):
    monkeypatch.setattr(verification, "_EXACT_EFFORT", effort)
    space, squares = PLACES[name]
    rows, context = laws(SMALL), wide(120)

    def slope(a, b, z):
        log = context.ln(decimal_of(rows[a][z] / rows[b][z], 120))
        return Fraction(context.divide(log, context.sqrt(squares[a][b])))

    exact = max(slope(a, b, z) for a, b in permutations(range(3), 2) for z in range(4))
    mechanism = mechanism_of(space, SMALL)
    told = [smallest_level(mechanism, space)]
    for digits in (3, 9, 13, 16, 20, 60):
        gap = Fraction(1, 10**digits)
        claim = Level.epsilon(exact + gap)
        proved = verify(mechanism, space, claim)
        assert proved.holds
        told.append(proved.smallest)
        assert Fraction(proved.smallest.upper) <= exact + gap + Fraction(1, 10**15)
        broken = verify(mechanism, space, Level.epsilon(exact - gap))
        a, b = (list(space.points).index(x) for x in (broken.witness.first, broken.witness.second))
        z = int(broken.witness.outputs[0][1:])
        assert broken.witness.probabilities == (rows[a][z], rows[b][z])
        assert slope(a, b, z) > exact - gap
    for found in told:
        assert Fraction(found.lower) <= exact <= Fraction(found.upper)
        assert found.upper - found.lower < 1e-12
        if found.exact is not None:
            assert name == "path"
            assert abs(Fraction(found.exact.ball(300).mid().str(80, radius=False)) - exact) < (
                Fraction(1, 10**60))


@pytest.mark.parametrize("effort", [10**7, 0])
def test_a_claim_at_the_smallest_level_itself_is_told_as_exact(effort, monkeypatch):
    monkeypatch.setattr(verification, "_EXACT_EFFORT", effort)
    table = [[Fraction(abs(i - j)) for j in range(3)] for i in range(3)]
    mechanism, steep = mechanism_of(path(0, 2), SMALL), steepest(laws(SMALL), table)
    found = verify(mechanism, mechanism.space, level_of(steep))
    log = Fraction(wide(90).ln(decimal_of(steep[0], 90))) / steep[1]
    assert Fraction(found.smallest.lower) < log < Fraction(found.smallest.upper)
    assert found.smallest.upper - found.smallest.lower < 1e-15
    assert found.smallest.exact.compare_level(level_of(steep)) == 0
    above = verify(mechanism, mechanism.space, level_of(steep, 1 + Fraction(1, 10**30)))
    assert above.smallest.exact is None or (
        above.smallest.exact.compare_level(level_of(steep)) == 0)


def test_a_distance_of_ten_to_the_thirty_hides_no_ratio_and_finds_none():
    far = Fraction(10**30)
    space = space_of([[Fraction(0), Fraction(1), far], [Fraction(1), Fraction(0), far],
                      [far, far, Fraction(0)]])
    cells = [[1, 1], [1, 1], [1, 1]], [[0, 0], [0, 0], [0, -5000]]
    assert verify(mechanism_of(space, *cells), space, Level.epsilon("0.001")).holds
    cells[1][1][1] = -5000
    assert not verify(mechanism_of(space, *cells), space, Level.epsilon(3465)).holds


@pytest.mark.parametrize("exponent", [0, -3000])
def test_a_zero_beside_a_non_zero_has_no_level_however_small_the_other_is(exponent):
    mechanism = mechanism_of(path(0, 2), [[1, 1], [1, 1], [1, 0]],
                             [[0, exponent], [0, exponent], [0, 0]])
    for found in (verify(mechanism, mechanism.space, Level.epsilon(10**6)),
                  smallest_level(mechanism, mechanism.space)):
        assert isinstance(found, Refutation)
        assert (found.witness.first, found.witness.second, found.witness.outputs) == (1, 2, ("z1",))
        assert found.witness.probabilities == (laws([[1, 1]], [[0, exponent]])[0][1], 0)


def test_a_matrix_is_read_as_it_is_and_a_text_is_none():
    assert verify([["2/3", "1/3"], ["1/3", "2/3"]], path(0, 1), "ln(2)").holds
    assert not verify([["2/3", "1/3"], ["1/3", "2/3"]], path(0, 1), "0.69").holds
    for other in ("2/3", {"a": 1}, 3):
        with pytest.raises(BadInput, match="expected a mechanism or a matrix"):
            verify(other, path(0, 1), 1)


@pytest.mark.parametrize("length", [Fraction(1), Fraction(1, 3), Fraction(7, 2)])
@pytest.mark.parametrize("ratio", [Fraction(2), 1 + Fraction(1, 10**60), Fraction(3) ** 900])
def test_the_ends_of_an_exact_level_enclose_its_logarithm(ratio, length):
    found = exactly(ratio, length)
    log = Fraction(wide(200).ln(decimal_of(ratio, 200))) / length
    assert Fraction(found.lower) < log < Fraction(found.upper)
    assert found.upper - found.lower <= 1e-15 * found.upper
    assert found.exact.compare_level(level_of((ratio, length))) == 0


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_difference_that_doubles_do_not_see_is_told_with_the_larger_one_first(turned, swapped):
    near, far = [2**61 + 1, 2**61, 2**61], [2**61, 2**61, 2**61 + 1]
    if swapped:
        near, far = near[::-1], far[::-1]
    weights = Weights.from_integers([far, near] if turned else [near, far])
    found = Comparisons.over(weights, path(0, 1))
    spot = found.unequal_spot()
    chances = [weights.probability(row, spot.output) for row in (spot.first, spot.second)]
    assert chances[0] > chances[1]
    assert found.ratio(spot) == chances[0] / chances[1]


def test_a_level_is_said_exactly_where_that_is_short():
    half = Smallest(0.69, 0.693147180559945, Level.ratio(2))
    assert (half.text, half.exact_text) == ("ln(2) = 0.6931471806", "ln(2)")
    long = Level.ratio(Fraction(10**30 + 1, 10**29))
    assert Smallest(2.3, 2.302585092994, long).text == "2.30258509299"
    assert Smallest(2.3, 2.302585092994, long).exact_text == long.text
    longer = Level.ratio(1 + Fraction(1, 2**20_000))
    assert Smallest(0.0, 1e-300, longer).exact_text is None
    assert Smallest(0.1, 0.25, None).text == "0.25"
    assert Smallest(0.1, 0.25, None).exact_text is None


@pytest.mark.parametrize("near", [False, True])
def test_the_smallest_level_is_exact_whatever_the_exponents(near):
    """Weights m 2^e, whose shifts in the exact ratio are of both signs; 2^-61 apart if near."""
    source, shifts = Random(6), set()
    for _ in range(40):
        heads = [[2**61 + source.randrange(9) for _ in "ab"] if near else
                 [source.randrange(1, 9) for _ in "abc"] for _ in range(2)]
        tails = [[source.randrange(-3, 4) for _ in row] for row in heads]
        if near:
            heads = [[h << t - min(row) for h, t in zip(heads[k], row, strict=True)]
                     for k, row in enumerate(tails)]
            tails = [[min(row) - (t - min(row)) for t in row] for row in tails]
        weights = Weights.from_integers(heads, tails)
        laws = [[h * Fraction(2) ** t for h, t in zip(*row, strict=True)]
                for row in zip(heads, tails, strict=True)]
        p, q = ([w / sum(law) for w in law] for law in laws)
        ratio = max(max(a / b, b / a) for a, b in zip(p, q, strict=True))
        found = smallest_level(MatrixMechanism(categories(2), tuple(range(len(p))), weights),
                               categories(2))
        assert ratio == 1 or found.exact == Level.ratio(ratio)
        assert (ratio == 1) == (found.upper == 0)
        shifts |= {a - b for a, b in zip(*tails, strict=True)}
    assert min(shifts) < 0 < max(shifts)


def test_one_way_a_difference_that_doubles_do_not_see_counts_in_its_own_direction():
    """For an edge (x, y) row x bounds row y: by 1/(1 - 2h), and by 1 + 4h the other way."""
    h, space = Fraction(1, 2**70), directed("xy", [(0, 1)])
    quarters = [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    moved = [Fraction(1, 4) + h, Fraction(1, 2) - h, Fraction(1, 4)]
    for rows, ratio in (([moved, quarters], 1 / (1 - 2 * h)), ([quarters, moved], 1 + 4 * h)):
        mechanism = MatrixMechanism.of(rows, space, ("a", "b", "c"))
        assert smallest_level(mechanism, space).exact == Level.ratio(ratio)
        assert verify(mechanism, space, Level.ratio(ratio)).checked == 3


@pytest.mark.parametrize("powers", [(0, 1, 2), (0, -1500, -3000), (0, -997, -1003)])
@pytest.mark.parametrize("space", [path(0, 2), directed(range(3), [(0, 1), (1, 2), (2, 0)])],
                         ids=["both ways", "one way"])
def test_the_steepest_and_the_worst_comparison_have_the_largest_ratio(space, powers):
    source = Random(8)
    both = space.edges() if space.text.startswith("path") else None
    pairs = [(1, 0), (2, 1), (0, 2)] if both is None else [*both, *((y, x) for x, y in both)]
    for _ in range(25):
        heads = [[source.randrange(1, 9) for _ in "abc"] for _ in range(3)]
        tails = [[source.choice(powers) for _ in "abc"] for _ in range(3)]
        found = Comparisons.over(Weights.from_integers(heads, tails), space)
        rows = laws(heads, tails)
        largest = max(rows[x][z] / rows[y][z] for x, y in pairs for z in range(3))
        spot, _ = found.steepest()
        assert found.ratio(spot) == rows[spot.first][spot.output] / rows[spot.second][spot.output]
        assert largest * (1 - Fraction(1, 10**9)) <= found.ratio(spot) <= largest
        worst = found.violation(Level.epsilon("1e-9"))
        assert found.ratio(worst) >= min(largest, 2**999)
        assert found.violation(Level.epsilon(5000)) is None
