"""Published numbers, tried again: every entry of values.toml has its check, by fractions."""

import tomllib
from fractions import Fraction
from itertools import product
from math import log2
from pathlib import Path

import pytest

from tests.exact.oracle import power_of
from tightrope.constructions import randomized_response, truncated_geometric
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import smallest_level, tightness
from tightrope.spaces import categories, path
from tightrope.utility import dobrushin, min_capacity

VALUES = {
    entry["key"]: entry
    for entry in tomllib.loads(Path(__file__).with_name("values.toml").read_text())["value"]
}
HALF = Level.epsilon("0.5")


def shown(pairs):
    return "{" + ", ".join(f"({y + 1}, {z + 1})" for y, z in sorted(pairs)) + "}"


def loose(rows):
    space = categories(3)
    mechanism = MatrixMechanism(space, space.points, Weights.from_integers(rows))
    return shown(tightness(mechanism, space, Level.ratio(2)).loose)


def loose_a():
    return loose([[4, 1, 2], [3, 2, 2], [2, 1, 4]])


def loose_b():
    return loose([[1, 0, 0]] * 3)


DATABASES = list(product(range(3), repeat=2))
NEIGHBORS = [(a, b) for a in DATABASES for b in DATABASES
             if sum(x != y for x, y in zip(a, b, strict=True)) == 1]


def all_checks():
    return str(len(NEIGHBORS) * (2 ** len(DATABASES) - 2))


def steps(a, b):
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def normalizer(a):
    """Σ x^‖a - z‖ as coefficients: a polynomial in x = 1/e."""
    found = [0] * 5
    for z in DATABASES:
        found[steps(a, z)] += 1
    return found


def likelier(a, b, z):
    """Whether P(z | a) > P(z | b) for P(z | a) = x^‖a-z‖ / N_a, x = 1/e.

    x is transcendental, so the two sides are equal only if the polynomials
    x^‖a-z‖ N_b and x^‖b-z‖ N_a are.
    """
    left, right = [0] * steps(a, z) + normalizer(b), [0] * steps(b, z) + normalizer(a)
    width = max(len(left), len(right))
    left, right = (side + [0] * (width - len(side)) for side in (left, right))
    if left == right:
        return False
    x = 1 / Fraction(power_of((Fraction(1), Fraction(0), Fraction(1)), [(Fraction(1),) * 2], 60))
    gap = sum((p - q) * x**k for k, (p, q) in enumerate(zip(left, right, strict=True)))
    assert abs(gap) > Fraction(1, 10**40)
    return gap > 0


def sufficient_checks():
    sizes = [sum(likelier(a, b, z) for z in DATABASES) for a, b in NEIGHBORS]
    assert sizes.count(3) == 24
    assert sizes.count(6) == 12
    return str(sum(2**size - 1 for size in sizes))


def warner():
    space = categories(["no", "yes"])
    design = randomized_response(space, Level.ratio(2)).mechanism
    assert smallest_level(design, space).exact == Level.ratio(2)
    return str(design.row_at(1)[1])


def all_priors():
    one = min_capacity(randomized_response(categories(4), HALF).mechanism)
    e = float(power_of((Fraction(1, 2), Fraction(0), Fraction(1)), [(Fraction(1),) * 2], 30))
    assert 5 * one == pytest.approx(5 * log2(4 * e / (3 + e)), abs=1e-9)
    return f"{5 * one:.2f}"


def regular_from():
    """μ Φ = π for one person: μ_i = (p_i - x/(1 + 3x))/(1 - x) with x = e^-ε."""
    chances = [Fraction(c, 100) for c in (30, 27, 23, 20)]

    def least(x):
        return min(p - x / (1 + 3 * x) for p in chances)

    assert least(Fraction(1, 2)) == 0  # e^-ε = 1/2
    hair = Fraction(1, 10**9)
    assert least(Fraction(1, 2) + hair) < 0 < least(Fraction(1, 2) - hair)
    printed = power_of((Fraction(-48, 100), Fraction(0), Fraction(1)), [(Fraction(1),) * 2], 30)
    assert least(Fraction(printed)) < 0  # not regular at the printed 0.48
    return f"{float(Level.ln(2)):.2f}"


def overlap():
    for ratio in (Fraction(2), Fraction(3, 2)):
        for d in range(1, 9):
            space = path(0, d)
            geometric = truncated_geometric(space, Level.ratio(ratio)).mechanism
            rows = [geometric.row_at(i) for i in (0, d)]
            found = sum(min(p, q) for p, q in zip(*rows, strict=True))
            even = ratio ** -(d // 2)
            assert found == (even if d % 2 == 0 else 2 * even / (1 + ratio))
            assert dobrushin(geometric) == pytest.approx(-float(found), rel=1e-12)
    return "the geometric mechanism is optimal"


CHECKS = {
    "H16/loose-A": loose_a,
    "H16/loose-B": loose_b,
    "H16/all-checks": all_checks,
    "H16/sufficient-checks": sufficient_checks,
    "H16/warner": warner,
    "ECP/all-priors": all_priors,
    "ECP/regular-from": regular_from,
    "KL10/dobrushin": overlap,
}


def test_every_value_has_a_check_and_every_check_a_value():
    assert set(VALUES) == set(CHECKS)


@pytest.mark.parametrize("key", CHECKS)
def test_the_value_is_found_again(key):
    assert CHECKS[key]() == VALUES[key]["found"]


@pytest.mark.parametrize("key", CHECKS)
def test_entries_are_complete_and_their_verdict_fits(key):
    entry = VALUES[key]
    assert set(entry) == {"key", "page", "digits", "found", "verdict", "reason"}
    assert entry["verdict"] in ("confirmed", "corrected")
    assert entry["reason"].endswith(".")
    numbers = [entry["digits"], entry["found"]]
    if all(text.replace(".", "").isdigit() for text in numbers):
        printed, found = map(Fraction, numbers)
        places = len(entry["digits"].partition(".")[2])
        agrees = abs(printed - found) <= Fraction(1, 2 * 10**places)
        assert agrees == (entry["verdict"] == "confirmed")
