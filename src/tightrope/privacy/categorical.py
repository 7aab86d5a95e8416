"""Exact (ε, δ) conditions for randomized response on m values, as closed forms.

Randomized response gives each wrong value with probability p and the truth with 1 - (m-1)p.
Row by row on a table it is the same law as the exponential mechanism of the Hamming distance,
P(d') = C e^(-k h(d, d')), with e^k = 1 + 1/p - m (H16, Theorem 4.5), so every condition on p
is one on k. All are necessary and sufficient, for tables of any number of rows, and exact
for rational e^ε; p above 1/m makes the truth the least likely value.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Number, short_text, stated, stated_whole


@dataclass(frozen=True)
class PrivateRange:
    """All numbers from `low` to `high`, both included; None if there is no upper end."""

    low: Fraction
    high: Fraction | None

    def __contains__(self, value: Fraction) -> bool:
        return self.low <= value and (self.high is None or value <= self.high)


def private_errors(values: int, ratio: Fraction, delta: Fraction = Fraction(0)) -> PrivateRange:
    """The probabilities p of each wrong value at which randomized response is (ε, δ)-private.

    (1 - δ)/(e^ε + m - 1) <= p <= min{1/(m - 1), (e^ε + δ)/(1 + (m - 1) e^ε)}
    (H16, Theorem 4.6).

    >>> private_errors(5, Fraction(2), Fraction(1, 10))
    PrivateRange(low=Fraction(3, 20), high=Fraction(7, 30))
    """
    _check(values, ratio, delta)
    others = values - 1
    upper = (ratio + delta) / (1 + others * ratio)
    return PrivateRange((1 - delta) / (ratio + others), min(Fraction(1, others), upper))


def private_exponents(values: int, ratio: Fraction, delta: Fraction = Fraction(0)) -> PrivateRange:
    """The factors e^k at which the exponential mechanism of Hamming distance is (ε, δ)-private.

    (1 - (m - 1)δ)/(e^ε + δ) <= e^k <= (e^ε + (m - 1)δ)/(1 - δ)  (H16, Theorem 4.3).

    >>> private_exponents(5, Fraction(2), Fraction(1, 10))
    PrivateRange(low=Fraction(2, 7), high=Fraction(8, 3))
    """
    _check(values, ratio, delta)
    others = values - 1
    low = max(Fraction(0), (1 - others * delta) / (ratio + delta))
    return PrivateRange(low, None if delta == 1 else (ratio + others * delta) / (1 - delta))


def exponent_of_error(values: int, error: Fraction) -> Fraction:
    """e^k of the exponential mechanism that is randomized response: 1 + 1/p - m.

    H16, Theorem 4.5.

    >>> exponent_of_error(5, Fraction(1, 10))
    Fraction(6, 1)
    """
    _check_error(values, error)
    if error == 0:
        raise BadInput("the truth alone has no finite exponent; expected an error above 0.")
    return 1 + 1 / error - values


def smallest_ratio(
    values: int, error: Fraction, delta: Fraction = Fraction(0)
) -> Fraction | None:
    """The smallest e^ε at which randomized response with this error is (ε, δ)-private.

    max{1, (1 - δ)/p - (m - 1), (p - δ)/(1 - (m - 1)p)}; None if there is none. This is
    Theorem 4.6 of H16 solved for e^ε.

    >>> smallest_ratio(5, Fraction(1, 10)), smallest_ratio(5, Fraction(1, 10), Fraction(1, 5))
    (Fraction(6, 1), Fraction(4, 1))
    """
    _check(values, Fraction(2), delta)
    _check_error(values, error)
    others = values - 1
    truth = 1 - others * error
    ratios = [Fraction(1)]
    for likelier, rarer in ((truth, error), (error, truth)):
        if rarer:
            ratios.append((likelier - delta) / rarer)
        elif likelier > delta:
            return None
    return max(ratios)


def smallest_delta(values: int, error: Number, ratio: Number) -> Fraction:
    """The smallest δ at which randomized response with this error is (ε, δ)-private.

    max{0, 1 - (m - 1)p - e^ε p, p - e^ε (1 - (m - 1)p)}.

    Parameters: `values` is m; `error` is p, the chance of each wrong value; `ratio` is e^ε.

    Returns: δ as an exact fraction, 0 where ε alone suffices.

    Raises: `BadInput` or `BadLevel` for fewer than 2 values, an e^ε below 1, or an error above
    1/(m - 1).

    >>> smallest_delta(5, Fraction(1, 10), Fraction(4))
    Fraction(1, 5)
    """
    values = stated_whole(values, "a whole number of values")
    error, ratio = stated(error, "an error as a number"), stated(ratio, "an e^ε of at least 1")
    _check(values, ratio, Fraction(0))
    _check_error(values, error)
    truth = 1 - (values - 1) * error
    return max(Fraction(0), truth - ratio * error, error - ratio * truth)


def _check(values: int, ratio: Fraction, delta: Fraction) -> None:
    if values < 2:
        raise BadInput(f"expected at least 2 values, found {values}.")
    if ratio < 1:
        raise BadLevel(ratio, "an e^ε of at least 1")
    if not 0 <= delta <= 1:
        raise BadLevel(delta, "a δ from 0 to 1")


def _check_error(values: int, error: Fraction) -> None:
    if values < 2:
        raise BadInput(f"expected at least 2 values, found {values}.")
    if not 0 <= error <= Fraction(1, values - 1):
        raise BadInput(
            f"expected an error from 0 to {short_text(Fraction(1, values - 1))}, "
            f"found {short_text(error)}."
        )
