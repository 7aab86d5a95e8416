"""Discrete Gaussian noise: its law by sums, its ρ and its δ by all neighbors of small tables."""

from fractions import Fraction
from itertools import product
from math import exp, prod, sqrt

import pytest
from flint import arb

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.mechanisms import GaussianLaw, GaussianMechanism, tail
from tightrope.mechanisms.gaussians import theta
from tightrope.privacy import certified, verify
from tightrope.privacy.lemmas import lemma_holds
from tightrope.spaces import Totals

WIDTHS = [Fraction(1, 30), Fraction(1, 6), Fraction(1, 5), Fraction(1), Fraction(7, 3),
          Fraction(900), Fraction(15_000), Fraction(10**6)]


def weight(n, variance):
    return exp(-n * n / (2 * float(variance)))


def mean_law(variance):
    """P(z) from -far to far, by adding up weights in doubles."""
    far = int(10 * sqrt(variance)) + 4
    weights = {z: weight(z, variance) for z in range(-far, far + 1)}
    total = sum(weights.values())
    return {z: w / total for z, w in weights.items()}


def contains(ball, number, slack=1e-12):
    return abs(float(ball.mid()) - number) <= float(ball.rad()) + slack * abs(number)


@pytest.mark.parametrize("variance", WIDTHS)
def test_sums_and_tails_contain_those_of_the_listed_weights(variance):
    listed = mean_law(variance)
    total = weight(0, variance) / listed[0]
    assert contains(theta(variance), total)
    assert float(theta(variance).rad()) < 1e-30 * total
    for least in {0, 1, 2, int(sqrt(variance)), int(3 * sqrt(variance))}:
        chance = sum(p for z, p in listed.items() if z >= least)
        ball = tail(least, variance)
        assert contains(ball, chance, 1e-9)
        assert float(ball.rad()) <= (1e-30 if variance <= 10**4 else listed[least])


def test_a_probability_is_the_product_of_those_of_the_numbers():
    law = GaussianLaw((2, -1), (Fraction(3), Fraction(5, 7)))
    one, other = mean_law(Fraction(3)), mean_law(Fraction(5, 7))
    total = arb(0)
    for z in product(range(-20, 25), range(-12, 11)):
        chance = law.probability(z)
        total += chance
        if abs(z[0]) < 6 and abs(z[1]) < 4:
            assert contains(chance, one[z[0] - 2] * other[z[1] + 1])
    assert abs(float(total) - 1) < 1e-12


@pytest.mark.parametrize("variances", [
    (Fraction(4),) * 3, (Fraction(9), Fraction(1, 2)), (Fraction(40_000),) * 2,
])
def test_radii_hold_together_and_no_smaller_one_of_equal_numbers_does(variances):
    law = GaussianLaw((0,) * len(variances), variances)
    listed = [mean_law(variance) for variance in variances]

    def inside(radii):
        return prod(sum(p for z, p in chances.items() if abs(z) <= radius)
                    for chances, radius in zip(listed, radii, strict=True))

    for sure in (Fraction(1, 2), Fraction(19, 20), Fraction(9999, 10_000)):
        radii = law.radii(sure)
        assert inside(radii) >= float(sure) - 1e-12
        if len({*variances}) == 1:
            step = 1 if variances[0] <= 10**4 else 2  # tails are enclosed within one weight
            assert inside([radius - step for radius in radii]) < sure


def moves(most, length):
    return product(range(-most, most + 1), repeat=length)


FUNCTIONS = [
    None, ((1, 1), (1, -1)), ((2, 1),), ((1, 2), (3, 1)), ((0, 5), (3, 0)), ((1, -2), (3, 1)),
]


@pytest.mark.parametrize("functions", FUNCTIONS)
def test_rho_bounds_all_neighbors_and_is_reached_where_signs_agree(functions):
    """Half of the largest Σ (change)²/σ² over all moves of two totals by up to 3."""
    size = 2 if functions is None else len(functions)
    variances = tuple(Fraction(5 + 3 * i, 2) for i in range(size))
    noisy = GaussianMechanism(Totals(4, 3, 2), variances, functions)
    rows = functions or ((1, 0), (0, 1))
    worst = max(sum(Fraction(sum(a * d for a, d in zip(row, move, strict=True)) ** 2) / v
                    for row, v in zip(rows, variances, strict=True)) for move in moves(3, 2)) / 2
    assert noisy.rho >= worst
    assert (noisy.rho == worst) is (functions != ((1, -2), (3, 1)))  # signs that contradict
    for move in moves(3, 2):
        base = [max(0, -d) for d in move]
        assert lemma_holds(noisy, base, [b + d for b, d in zip(base, move, strict=True)])


def test_bessel_bounds_orthogonal_functions_and_no_others():
    """Four totals, and 1, t, t² - 5/4 on them: moving all by D reaches the bound."""
    rows, squares = ((1, 1, 1, 1), (-3, -1, 1, 3), (1, -1, -1, 1)), (4, 20, 4)
    space = Totals(9, 2, 4)
    noisy = GaussianMechanism(space, tuple(Fraction(7 * s) for s in squares), rows)
    assert noisy.rho == Fraction(4 * 2**2, 7) / 2  # by Δ alone: (64 + 256/5 + 64)/(4 · 7)/2, more
    worst = max(sum(Fraction(sum(a * d for a, d in zip(row, move, strict=True)) ** 2, 7 * s)
                    for row, s in zip(rows, squares, strict=True))
                for move in moves(2, 4)) / 2
    assert noisy.rho == worst
    crooked = GaussianMechanism(space, (28, 28), (rows[0], (1, 1, 1, 2)))
    assert crooked.rho == (Fraction(8**2 + 10**2, 28)) / 2


@pytest.mark.parametrize("functions", [None, ((1, 1), (1, -1)), ((1, 2), (3, 1))])
@pytest.mark.parametrize("epsilon", [0.2, 1.0])
def test_no_two_neighbors_of_small_tables_exceed_the_proved_delta(functions, epsilon):
    """Hockey-stick sums over all outputs that matter, for each move of two totals by up to 1."""
    rows, variance = functions or ((1, 0), (0, 1)), Fraction(9, 2)
    noisy = GaussianMechanism(Totals(2, 1, 2), (variance,) * 2, functions)
    proved = float(verify(noisy, noisy.space, epsilon, delta="999/1000").delta[1])
    law, worst = mean_law(variance), 0.0
    for move in moves(1, 2):
        by = [sum(a * d for a, d in zip(row, move, strict=True)) for row in rows]
        worst = max(worst, sum(max(0.0, law[x] * law[y] - exp(epsilon) * law.get(
            x - by[0], 0) * law.get(y - by[1], 0)) for x, y in product(law, law)))
    assert worst <= proved
    assert worst > proved / 20  # the bound says something
    tight = certified(noisy, Level.of(epsilon).with_delta(str(proved * 1.001)))
    assert tight.certificate.evidence.value == "theorem"
    assert tight.certificate.smallest is None


def test_a_mechanism_shows_its_variances_and_claims_nothing():
    noisy = GaussianMechanism(Totals(3, 2, 2), (Fraction(7, 2), 4))
    assert repr(noisy) == "GaussianMechanism(totals:people=3,most=2,length=2, variances 7/2, 4)"
    assert "claims no privacy" in noisy._repr_html_()
    assert noisy.law([9, -1]).centers == (6, 0)  # moved into 0 to 6
    assert GaussianMechanism(Totals(3, 2, 2), (1,), ((2, -1),)).law([1, 5]).centers == (-3,)


@pytest.mark.parametrize("wrong", [
    lambda: GaussianMechanism([3, 2, 2], (1, 1)),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1,)),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1, 0)),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1, -1)),
    lambda: GaussianMechanism(Totals(3, 2, 2), "11"),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1, 2**400)),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1,), ((1, 2), (2, 1))),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1,), ((1, 2, 3),)),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1,), ((0, 0),)),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1,), (("1/2", 1),)),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1,), ((2**400, 1),)),
    lambda: GaussianMechanism(Totals(3, 2, 2), (1,) * 51, ((1, 0),) * 51),
    lambda: GaussianMechanism(Totals(3, 2, 2), (), ()),
])
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(BadInput):
        wrong()
