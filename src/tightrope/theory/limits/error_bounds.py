"""The largest mean error that no private sanitization of one row can avoid.

The max-mean error is max_d E[ρ(Y_d, d)] (H16, Definition 3.6); with the distance 1 between
any two values it is the largest chance of a wrong value. Exact for rational e^ε.
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.errors import BadInput, BadLevel


def least_error(diameter: Fraction, ratio: Fraction, delta: Fraction = Fraction(0)) -> Fraction:
    """A lower bound on the max-mean error on any space: D (1 - δ) / (2 (1 + e^ε)).

    H16, Theorem 3.6.

    >>> least_error(Fraction(10), Fraction(4))
    Fraction(1, 1)
    """
    _check(diameter, ratio, delta)
    return diameter * (1 - delta) / (2 * (1 + ratio))


def least_error_apart(
    distance: Fraction, values: int, ratio: Fraction, delta: Fraction = Fraction(0)
) -> Fraction:
    """A lower bound on the max-mean error if any two of m values are at least κ apart.

    κ (m - 1)(1 - δ)/(m - 1 + e^ε) (H16, Theorem 3.7). Randomized response attains it where
    all distances are κ (Theorem 4.8), so there it is the optimum.

    >>> least_error_apart(Fraction(1), 5, Fraction(2), Fraction(1, 10))
    Fraction(3, 5)
    """
    _check(distance, ratio, delta)
    if values < 2:
        raise BadInput(f"expected at least 2 values, found {values}.")
    return distance * (values - 1) * (1 - delta) / (values - 1 + ratio)


def largest_error(values: int, ratio: Fraction, delta: Fraction = Fraction(0)) -> Fraction:
    """The largest share of wrong rows of a private randomized response.

    min{1, (e^ε + δ)/(e^ε + 1/(m - 1))} (H16, Theorem 4.4; the least share is
    `least_error_apart` at distance 1).

    >>> largest_error(3, Fraction(2))
    Fraction(4, 5)
    """
    _check(Fraction(1), ratio, delta)
    if values < 2:
        raise BadInput(f"expected at least 2 values, found {values}.")
    return min(Fraction(1), (ratio + delta) / (ratio + Fraction(1, values - 1)))


def _check(distance: Fraction, ratio: Fraction, delta: Fraction) -> None:
    if distance <= 0:
        raise BadInput(f"expected a distance above 0, found {distance}.")
    if ratio < 1:
        raise BadLevel(ratio, "an e^ε of at least 1")
    if not 0 <= delta <= 1:
        raise BadLevel(delta, "a δ from 0 to 1")
