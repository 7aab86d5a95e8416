"""Rational functions of one ratio r, as FLINT's polynomials with whole coefficients.

They are numbers of a field, so that a basis can be solved for all ratios at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpz, fmpz_mat, fmpz_poly

_ONE = fmpz_poly([1])


@dataclass(frozen=True, eq=False)
class RationalFunction:
    """Numerator over denominator, without a common factor, the denominator leading positive.

    >>> r = RationalFunction.ratio()
    >>> one = RationalFunction.of(1)
    >>> str((r * r - one) / (r + one)), str(one / (r + one))
    ('r - 1', '1/(r + 1)')
    """

    above: fmpz_poly
    below: fmpz_poly

    @classmethod
    def of(cls, value: Fraction | int | fmpq) -> RationalFunction:
        """A constant."""
        if isinstance(value, fmpq):
            return cls(fmpz_poly([value.p]), fmpz_poly([value.q]))
        exact = Fraction(value)
        return cls(fmpz_poly([exact.numerator]), fmpz_poly([exact.denominator]))

    @classmethod
    def ratio(cls, power: int = 1) -> RationalFunction:
        """r to a power, which may be negative."""
        monomial = fmpz_poly([0] * abs(power) + [1])
        return cls(monomial, _ONE) if power >= 0 else cls(_ONE, monomial)

    def __add__(self, other: RationalFunction | int) -> RationalFunction:
        if isinstance(other, int):
            other = RationalFunction.of(other)
        if not other.above:
            return self
        if not self.above:
            return other
        if self.below == other.below:
            return _reduced(self.above + other.above, self.below)
        return _reduced(self.above * other.below + other.above * self.below,
                        self.below * other.below)

    __radd__ = __add__

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.above, self.below)

    def __sub__(self, other: RationalFunction) -> RationalFunction:
        return self + -other

    def __mul__(self, other: RationalFunction) -> RationalFunction:
        return _reduced(self.above * other.above, self.below * other.below)

    def __truediv__(self, other: RationalFunction) -> RationalFunction:
        return _reduced(self.above * other.below, self.below * other.above)

    def __bool__(self) -> bool:
        return bool(self.above)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RationalFunction):
            return NotImplemented
        return bool(self.above == other.above and self.below == other.below)

    def __hash__(self) -> int:
        return hash((str(self.above), str(self.below)))

    def at(self, ratio: Fraction) -> Fraction:
        """The value at a ratio where the denominator is not 0."""
        point = fmpq(ratio.numerator, ratio.denominator)
        value = self.above(point) / self.below(point)
        return Fraction(int(value.p), int(value.q))

    def near(self, ratio: float) -> float:
        """The value near a ratio, as a double."""
        return float(self.at(Fraction(ratio)))

    def __str__(self) -> str:
        above, below = polynomial_text(self.above), polynomial_text(self.below)
        if self.below == _ONE:
            return above
        above = f"({above})" if _is_sum(self.above) else above
        simple = self.below.degree() == 0
        return f"{above}/{below}" if simple else f"{above}/({below})"


def polynomial_text(polynomial: fmpz_poly) -> str:
    """A polynomial in r, highest power first.

    >>> polynomial_text(fmpz_poly([-1, 0, 2]))
    '2*r^2 - 1'
    """
    terms = []
    for power, number in reversed(list(enumerate(int(c) for c in polynomial.coeffs()))):
        if number:
            letter = "" if power == 0 else "r" if power == 1 else f"r^{power}"
            size = str(abs(number)) if abs(number) > 1 or not letter else ""
            terms.append(("-" if number < 0 else "+", "*".join(filter(None, (size, letter)))))
    if not terms:
        return "0"
    (sign, first), *others = terms
    return ("-" if sign == "-" else "") + first + "".join(f" {s} {term}" for s, term in others)


def _is_sum(polynomial: fmpz_poly) -> bool:
    return sum(int(c) != 0 for c in polynomial.coeffs()) > 1


def _reduced(above: fmpz_poly, below: fmpz_poly) -> RationalFunction:
    if not below:
        raise ZeroDivisionError("a rational function divided by 0")
    if not above:
        return RationalFunction(fmpz_poly(), _ONE)
    common = above.gcd(below)
    if below.leading_coefficient() < fmpz(0):
        common = -common
    return RationalFunction(above // common, below // common)


def solve_functions(
    matrix: list[list[RationalFunction]], right: list[RationalFunction]
) -> list[RationalFunction] | None:
    """The solution of a square system of rational functions; None where it is singular.

    By Cramer's rule, with all determinants evaluated at one power of 2 beyond their coefficients,
    so that its digits are the coefficients.
    """
    size = len(matrix)
    rows = [_cleared([*row, value]) for row, value in zip(matrix, right, strict=True)]
    lengths = [sum(sum(abs(int(c)) for c in entry.coeffs()) for entry in row) for row in rows]
    bits = sum(max(length, 1).bit_length() for length in lengths) + 2
    values = [[entry(fmpz(1) << bits) for entry in row] for row in rows]
    table = fmpz_mat([row[:-1] for row in values])
    determinant = table.det()
    if determinant == 0:
        return None
    solution = table.solve(fmpz_mat([[row[-1]] for row in values]))
    below = _digits(determinant, bits)
    return [_reduced(_digits((solution[i, 0] * determinant).p, bits), below) for i in range(size)]


def _cleared(row: list[RationalFunction]) -> list[fmpz_poly]:
    """The functions times their common denominator."""
    common = _ONE
    for entry in row:
        common = common * (entry.below // common.gcd(entry.below))
    return [entry.above * (common // entry.below) for entry in row]


def _digits(value: fmpz, bits: int) -> fmpz_poly:
    """The polynomial with coefficients below 2^(bits - 1) in size that has the value at 2^bits."""
    number, digits = int(value), []
    half, mask = 1 << (bits - 1), (1 << bits) - 1
    while number:
        digit = number & mask
        digit -= (digit >= half) << bits
        digits.append(digit)
        number = (number - digit) >> bits
    return fmpz_poly(digits)
