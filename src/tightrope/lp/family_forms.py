"""One form in n and r for rational functions of r, one function for each of several numbers n.

A form is P/Q, with polynomials P and Q in n, in r and in a power x = r^n, or r^(n/2) where all n
are even or all are odd. Its coefficients solve linear equations, Q·A = P·B for each function A/B.
A form that fits is a guess; whether it gives further functions too is for others to try.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar, TypeAlias

from flint import fmpz_mat, fmpz_mpoly, fmpz_mpoly_ctx, fmpz_poly

from tightrope.lp.rational_functions import RationalFunction

MOST_NUMBER, MOST_RATIO, MOST_POWER = 2, 4, 2
"""Degrees of a form in n, in r and in r^n, at most: small matrices, and long forms say little."""

_RING = fmpz_mpoly_ctx.get(("n", "r", "x"))
_Term: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class FamilyForm:
    """A form in n, r and x = r^⌊n/step⌋; a step of 2 is for even n alone, or for odd n alone.

    >>> values = {n: RationalFunction.of(n - 1) / (RationalFunction.of(n - 1) +
    ...           RationalFunction.ratio()) for n in range(2, 7)}
    >>> next(family_forms(values)).text("n", even=True)
    '(n - 1)/(n + r - 1)'
    """

    above: fmpz_mpoly
    below: fmpz_mpoly
    step: int
    sought: ClassVar[str] = (
        f"P/Q, polynomials of degree {MOST_NUMBER} in N, {MOST_RATIO} in r and {MOST_POWER} in "
        "r^N, for even and odd N together or apart")

    def at(self, number: int) -> RationalFunction | None:
        """The function of a number; None where the denominator is 0 for all r."""
        above, below = (_at(part, number, self.step) for part in (self.above, self.below))
        return RationalFunction(above, fmpz_poly([1])) / RationalFunction(
            below, fmpz_poly([1])) if below else None

    def text(self, letter: str, *, even: bool) -> str:
        """The form with a letter for n, in factors; `even` says of which n a step of 2 is."""
        power = letter if self.step == 1 else f"{letter}/2" if even else f"({letter} - 1)/2"
        above, below = (_Product.of(part) for part in (self.above, self.below))
        spare = min(above.ratio, below.ratio) if not below.times else above.ratio
        upper = replace(above, ratio=above.ratio - spare).factors_text(letter, power)
        lower = replace(below, ratio=below.ratio - spare).factors_text(letter, power)
        sign = "-" if above.constant < 0 else ""
        numerator, denominator = "*".join(upper) or "1", "*".join(lower)
        if not lower:
            return sign + numerator
        return f"{sign}{numerator}/" + (
            denominator if len(lower) == 1 else f"({denominator})")


def family_forms(
    values: Mapping[int, RationalFunction], step: int = 1
) -> Iterator[FamilyForm]:
    """The forms that give all values and are settled by them, those with few terms first."""
    boxes = product(range(MOST_NUMBER + 1), range(MOST_RATIO + 1), range(MOST_POWER + 1))
    for box in sorted(boxes, key=lambda box: ((box[0] + 1) * (box[1] + 1) * (box[2] + 1), box)):
        most_n, most_r, most_x = (range(most + 1) for most in box)
        terms: list[_Term] = list(product(most_n, most_r, most_x))
        lines = [line for number, value in values.items()
                 for line in _equations(terms, number, value, step)]
        if len(lines) < 2 * len(terms) - 1:
            continue
        kernel, rank = fmpz_mat(lines).nullspace()
        if rank != 1:
            continue
        solution = [int(kernel[i, 0]) for i in range(2 * len(terms))]
        above, below = (_RING.from_dict({t: c for t, c in zip(terms, part, strict=True) if c})
                        for part in (solution[:len(terms)], solution[len(terms):]))
        if not below:
            continue
        form = _reduce(above, below, step)
        if all(form.at(number) == value for number, value in values.items()):
            yield form


def _equations(
    terms: list[_Term], number: int, value: RationalFunction, step: int
) -> list[list[int]]:
    """The coefficients of all powers of r in P·B - Q·A, for each unknown coefficient."""
    columns = []
    for factor, sign in ((value.below, 1), (value.above, -1)):
        digits = [sign * int(c) for c in factor.coeffs()]
        for i, j, k in terms:
            shift = j + k * (number // step)
            columns.append([0] * shift + [number**i * digit for digit in digits])
    length = max(map(len, columns))
    padded = [column + [0] * (length - len(column)) for column in columns]
    return [list(line) for line in zip(*padded, strict=True)]


def _reduce(above: fmpz_mpoly, below: fmpz_mpoly, step: int) -> FamilyForm:
    """The form without common factors, the denominator's first coefficient positive."""
    common = above.gcd(below)
    above, below = above // common, below // common
    if below.coeffs()[0] < 0:
        above, below = -above, -below
    return FamilyForm(above, below, step)


def _at(polynomial: fmpz_mpoly, number: int, step: int) -> fmpz_poly:
    """The polynomial in r of a number."""
    coefficients: dict[int, int] = {}
    for (i, j, k), c in polynomial.to_dict().items():
        power = j + k * (number // step)
        coefficients[power] = coefficients.get(power, 0) + int(c) * number**i
    return fmpz_poly([coefficients.get(p, 0) for p in range(max(coefficients, default=-1) + 1)])


@dataclass(frozen=True)
class _Product:
    """A polynomial in factors: a number, r to one power, x to another, and the rest."""

    constant: int
    ratio: int
    times: int
    others: tuple[tuple[fmpz_mpoly, int], ...]

    @classmethod
    def of(cls, polynomial: fmpz_mpoly) -> _Product:
        """The factors of a polynomial."""
        constant, factors = polynomial.factor()
        powers = {str(factor): exponent for factor, exponent in factors}
        others = [pair for pair in factors if str(pair[0]) not in ("r", "x")]
        others.sort(key=lambda pair: (len(pair[0].to_dict()), str(pair[0])))
        if constant < 0 and any(exponent % 2 for _, exponent in others):
            place = next(k for k, (_, exponent) in enumerate(others) if exponent % 2)
            constant, others[place] = -constant, (-others[place][0], others[place][1])
        return cls(int(constant), powers.get("r", 0), powers.get("x", 0), tuple(others))

    def factors_text(self, letter: str, power: str) -> list[str]:
        """The factors in words, without the sign; a negative power of r only beside x."""
        texts = [str(abs(self.constant))] if abs(self.constant) != 1 else []
        texts += _ratio_power(self.ratio, self.times, power)
        for factor, exponent in self.others:
            text = _sum(factor, letter, power)
            if len(factor.to_dict()) > 1:
                text = f"({text})"
            texts.append(text if exponent == 1 else f"{text}^{exponent}")
        return texts


def _sum(polynomial: fmpz_mpoly, letter: str, power: str) -> str:
    """The terms of a polynomial, r^n for x, those that are added first."""
    text = ""
    for (i, j, k), c in sorted(polynomial.to_dict().items(), key=lambda term: term[1] < 0):
        parts = [] if abs(c) == 1 and i + j + k else [str(abs(c))]
        parts += _powers(letter, i) + _ratio_power(j, k, power)
        sign = "-" if c < 0 else "+"
        text += f" {sign} {'*'.join(parts)}" if text else ("-" if c < 0 else "") + "*".join(parts)
    return text


def _powers(letter: str, exponent: int) -> list[str]:
    return [] if not exponent else [letter if exponent == 1 else f"{letter}^{exponent}"]


def _ratio_power(plain: int, times: int, power: str) -> list[str]:
    """r^j times x^k, as one power of r."""
    if not times:
        return _powers("r", plain)
    multiple = power if times == 1 else f"{times}*{power}"
    if not plain and multiple.isalpha():
        return [f"r^{multiple}"]
    more = f" {'+' if plain > 0 else '-'} {abs(plain)}" if plain else ""
    return [f"r^({multiple}{more})"]
