"""Claims placed between two bounds: they would hold if one term of a proof were left out.

A rounded kernel is proved by ratio (1 + 2^-61) (max N + W) / min N, with N the sums of whole
units of 2^-61 and W, the sum of the weights, for the rests. Both judges must reach as far as
that bound, and not by 2^-80 of it farther.
"""

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import pytest

from tests.documents.judges import CANNOT, HOLDS, NO, text_of, verdicts
from tests.documents.samples import document
from tightrope.documents import compose
from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import certified
from tightrope.spaces import grid, path

ROUNDING = 1 + Fraction(1, 2**61)


def rounded_down(value: Fraction) -> Fraction:
    """The largest m 2^e at or below the value with 2^61 <= m < 2^62."""
    e = value.numerator.bit_length() - value.denominator.bit_length() - 62
    while value >= Fraction(2) ** (e + 62):
        e += 1
    return value // Fraction(2) ** e * Fraction(2) ** e


class Line:
    """A rounded kernel on a line of cells so many steps apart, added up by hand."""

    def __init__(self, ratio: int, weights: tuple[int, ...], step: Fraction = Fraction(1)) -> None:
        self.ratio, self.weights, self.step = Fraction(ratio), weights, step
        self.size, self.rest = len(weights), sum(weights)
        self.values = [rounded_down(self.ratio**-d) for d in range(self.size)]
        units = [int(value * 2**61) for value in self.values]
        reach = next((d for d, u in enumerate(units) if not u), self.size) - 1
        self.lows = [sum(weights[z] * units[abs(y - z)]
                         for z in range(max(0, y - reach), min(self.size, y + reach + 1)))
                     for y in range(self.size)]

    def bound(self, rounding: Fraction, rest: int) -> Fraction:
        return self.ratio * rounding * Fraction(max(self.lows) + rest, min(self.lows))

    def true_level(self) -> Fraction:
        """The largest ratio of two probabilities of adjacent inputs; adjacent ones suffice."""
        rows = [[w * self.values[abs(y - z)] for z, w in enumerate(self.weights)]
                for y in range(self.size)]
        laws = [[value / sum(row) for value in row] for row in rows]
        return max(a / b for y in range(self.size - 1)
                   for one, other in ((y, y + 1), (y + 1, y))
                   for a, b in zip(laws[one], laws[other], strict=True))

    def claiming(self, base: Fraction) -> bytes:
        """With e^ε = base for each step."""
        space = path(0, self.size - 1) if self.step == 1 else grid([self.size], self.step)
        kernel = KernelMechanism(space, self.ratio, self.step, self.weights, rounded=True)
        loose = Level.ratio(self.ratio**3).scaled(1 / self.step)
        content = compose(certified(kernel, loose), {"name": "by hand"})
        content["claim"]["epsilon"] = {"rational": "0", "coefficient": str(1 / self.step),
                                       "base": str(base)}
        return text_of(content)


def test_the_rests_of_small_weights_are_not_left_out(tmp_path):
    line = Line(91, (2, 1, 2))
    true, without = line.true_level(), line.bound(ROUNDING, 0)
    assert without < true < line.bound(ROUNDING, line.rest)
    assert verdicts(line.claiming((without + true) / 2), tmp_path) == (NO, NO)
    assert verdicts(line.claiming(true), tmp_path) == (HOLDS, HOLDS)


@pytest.mark.parametrize(("weights", "step"), [
    ((1,) * 1001, "1"), ((1, 3) * 501, "1"), ((1,) * 1001, "1/3"), ((1, 3) * 501, "7/2"),
], ids=["even", "uneven", "short steps", "long steps"])
def test_normalizers_prove_up_to_their_bound_and_no_farther(weights, step, tmp_path):
    line = Line(3, weights, Fraction(step))
    bound = line.bound(ROUNDING, line.rest)
    assert verdicts(line.claiming(bound), tmp_path) == (HOLDS, HOLDS)
    a_hair_less = bound * (1 - Fraction(1, 2**80))
    assert a_hair_less > max(line.bound(ROUNDING, 0), line.bound(Fraction(1), line.rest))
    assert verdicts(line.claiming(a_hair_less), tmp_path) == (CANNOT, CANNOT)


def test_a_row_times_a_power_of_two_is_the_same_row(tmp_path):
    content = document("proved geometric")
    content |= {"space": {"family": "path", "low": 0, "high": 1}, "optimality": None}
    content["outputs"] = "inputs"
    for one, other in product((-70, -3, 1), repeat=2):
        rows = [f"3p{one} 5p{one}", f"1p{other} 7p{other}"]  # a ratio of 3 in one place only
        content["mechanism"] = {"form": "matrix", "rows": rows}
        for base, verdict in (("3", HOLDS), (str(3 - Fraction(1, 2**80)), NO)):
            content["claim"]["epsilon"] = {"rational": "0", "coefficient": "1", "base": base}
            assert verdicts(text_of(content), tmp_path) == (verdict, verdict), (one, other)


@pytest.mark.parametrize("bits", [50, 70, 81, 95, 120, 127, 140, 500])
def test_a_ratio_of_long_totals_is_decided_however_near_the_level(bits, tmp_path):
    """1/S is e^(1/2) times 1/T, and 2^-bits of it less or more; no weight is alone decisive."""
    with localcontext() as context:
        context.prec = 300
        power = Fraction(Decimal("0.5").exp())
    content = document("proved geometric")
    content |= {"space": {"family": "path", "low": 0, "high": 1}, "optimality": None}
    content["claim"]["epsilon"] = {"rational": "1/2", "coefficient": "0", "base": "1"}
    total = 2**700 + 1
    for sign, verdict in ((-1, HOLDS), (1, NO)):
        other = int(total * power * (1 + Fraction(sign, 2**bits)))
        assert (Fraction(other, total) > power) == (sign > 0)
        for rows in ([f"1 {total - 1:x}", f"1 {other - 1:x}"],
                     [f"1p-9 {other - 1:x}p-9", f"1p5 {total - 1:x}p5"]):
            content["mechanism"] = {"form": "matrix", "rows": rows}
            assert verdicts(text_of(content), tmp_path) == (verdict, verdict)


def about_losses(row: list[float], *, goal: str, value: float, bound: float) -> bytes:
    """A document of three equal rows on a path, each with these losses at its three outputs."""
    content = document("proved geometric")
    content["mechanism"]["rows"] = ["1 1 1"] * 3
    content["optimality"].update(
        goal=goal, loss=[" ".join(float(x).hex() for x in row)] * 3, value=float(value).hex(),
        bound=float(bound).hex(), multipliers=[""] * 3)
    return text_of(content)


U = 2.0**-96  # the unit of all losses: what lies between two multiples is rounded
ROUNDED = [  # goal, losses, the least value and the largest bound that are proved, in units
    ("worst", [1, 0, 0], 1, 0),  # the mean is 1/3, the best is 0
    ("average", [1, 0, 0], 3, 0),  # each of three inputs adds a third of 1, rounded up
    ("worst", [3, 3, 3], 3, 3),
    ("worst", [2, 2, 2], 2, 0),  # a third of 2, rounded down, for each input
    ("worst", [0.5, 0.5, 0.5], 1, 0),
    ("worst", [-0.5, -0.5, -0.5], 0, -3),  # a loss of -1/2 is at least -1, and a third of that
    ("average", [-4, -4, -4], -3, -6),
]


@pytest.mark.parametrize(("goal", "losses", "value", "bound"), ROUNDED)
def test_losses_between_two_units_are_rounded_against_the_claim(goal, losses, value, bound,
                                                                tmp_path):
    row = [x * U for x in losses]

    def judged(least: float, most: float) -> tuple[int, int]:
        return verdicts(about_losses(row, goal=goal, value=least * U, bound=most * U), tmp_path)

    assert judged(value, bound) == (HOLDS, HOLDS)
    assert judged(value - 0.25, bound) == (NO, NO)
    assert judged(value, bound + 0.25) == (NO, NO)


def test_roots_between_two_units_are_rounded_against_the_claim(tmp_path):
    content = document("proved geometric")
    tiny = str(Fraction(1, 2**96))
    content |= {
        "space": {"family": "points", "labels": ["a", "b"],
                  "coordinates": [["0", "0"], [tiny, tiny]]},
        "outputs": ["a"],
        "mechanism": {"form": "matrix", "rows": ["1", "1"]},
    }
    content["optimality"].update(goal="worst", loss="euclidean", multipliers=[""])
    for value, bound, verdict in ((2, 0, HOLDS), (1.75, 0, NO), (1, 0, NO), (2, 0.25, NO)):
        content["optimality"].update(value=(value * U).hex(), bound=(bound * U).hex())
        assert verdicts(text_of(content), tmp_path) == (verdict, verdict)  # the root is 1.41


def test_a_toll_below_one_unit_is_paid_as_one(tmp_path):
    # A third of 7 is 2 for each input; two units go from the first, one comes back to the second.
    for delta, bound in (("0", 4), ("1/7", 3), ("6/7", 3)):
        for most, verdict in ((bound, HOLDS), (bound + 0.25, NO)):
            content = json.loads(about_losses([7 * U] * 3, goal="average", value=1, bound=most * U))
            content["claim"]["delta"] = delta
            content["optimality"].update(unit=-96, multipliers=["0 1 2", "", ""])
            assert verdicts(text_of(content), tmp_path) == (verdict, verdict)
