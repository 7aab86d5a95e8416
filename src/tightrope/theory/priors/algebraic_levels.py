"""Endpoints of intervals of levels as logarithms of algebraic numbers, proved.

Where all distances are multiples of a unit u, the entries of Φ are powers of x = e^(-ε u). By
Cramer's rule the solution of Φ μ = π is a quotient of polynomials in x with whole coefficients,
and so it is on orbits. Their signs change at roots alone: of a numerator, or of the determinant.
If two levels have different verdicts and exactly one such root r = 1/x lies between them, the
endpoint is ε = ln(r)/u. Roots are isolated in ball arithmetic (FLINT), factors are irreducible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Any

from flint import arb, ctx, fmpz_poly

from tightrope.exact import ball_of
from tightrope.kernels import ReducedKernel, reduced_kernel, tensor_priors
from tightrope.spaces import Space
from tightrope.utility import Prior

MOST_DEGREE = 400
"""Orbits times distances, in units: the degree of the determinant. Larger ones take minutes."""

MOST_POINTS = 2_000
"""Points of a space whose endpoints are sought exactly."""

_BITS = 256
_DIGITS = 12
_LARGEST_SQUARE = 10**8
"""Discriminants whose square factors are tried one by one."""


@dataclass(frozen=True)
class AlgebraicLevel:
    """ε = ln(r) / unit, with r a root of an irreducible polynomial (coefficients from r^0 up).

    `root` is r in doubles. `attained` says whether the endpoint itself belongs to the interval,
    None where the kernel is singular there.
    """

    polynomial: tuple[int, ...]
    unit: Fraction
    root: float
    attained: bool | None

    @property
    def text(self) -> str:
        """The level: ln(3), ln(2)/2, ln((3 + √5)/2), or the logarithm of a root.

        >>> AlgebraicLevel((-3, 1), Fraction(1), 3.0, True).text
        'ln(3)'
        >>> AlgebraicLevel((1, -3, 1), Fraction(1), 2.618033988749895, True).text
        'ln((3 + √5)/2)'
        >>> AlgebraicLevel((-3, 0, 1), Fraction(1), 1.7320508075688772, True).text
        'ln(3)/2'
        >>> AlgebraicLevel((-1, -1, 0, 1), Fraction(1), 1.324717957244746, True).text
        'ln(r) with r^3 - r - 1 = 0, r near 1.32471795724'
        """
        number = self._closed()
        power = len(self.polynomial) - 1
        if not any(self.polynomial[1:-1]):
            number, times = str(Fraction(-self.polynomial[0], self.polynomial[-1])), power
        else:
            times = 1
        divisor = self.unit * times
        over = "" if divisor == 1 else f"/{divisor}" if divisor.denominator == 1 else (
            f"*{1 / divisor}")
        if number is None:
            return f"ln(r){over} with {_equation(self.polynomial)}, r near {self.root:.{_DIGITS}g}"
        return f"ln({number}){over}"

    def _closed(self) -> str | None:
        """The root of a quadratic polynomial in radicals; None for any other."""
        if len(self.polynomial) != 3:
            return None
        c, b, a = self.polynomial
        inside = b * b - 4 * a * c
        if inside > _LARGEST_SQUARE:
            return None
        square = max(s for s in range(1, isqrt(inside) + 1) if inside % (s * s) == 0)
        sign = 1 if 2 * a * self.root + b > 0 else -1
        times, divisor = sign * square * (1 if a > 0 else -1), 2 * abs(a)
        first = -b if a > 0 else b
        common = gcd(first, times, divisor)
        first, times, divisor = first // common, times // common, divisor // common
        root = f"{abs(times) if abs(times) > 1 else ''}√{inside // square**2}"
        total = f"{first} {'+' if times > 0 else '-'} {root}"
        return total if divisor == 1 else f"({total})/{divisor}"

    @property
    def json(self) -> dict[str, Any]:
        """The level as programs get it."""
        return {"exact": self.text, "polynomial": list(self.polynomial), "unit": str(self.unit),
                "root": self.root, "attained": self.attained}


def _equation(polynomial: Sequence[int]) -> str:
    parts = []
    for power in range(len(polynomial) - 1, -1, -1):
        if number := polynomial[power]:
            size = "" if abs(number) == 1 and power else str(abs(number))
            name = "" if not power else "r" if power == 1 else f"r^{power}"
            parts.append(("- " if number < 0 else "+ ") + size + name)
    return f"{' '.join(parts).removeprefix('+ ')} = 0"


def algebraic_levels(
    space: Space, prior: Prior, brackets: Sequence[tuple[Fraction, Fraction]]
) -> tuple[AlgebraicLevel | None, ...]:
    """For levels with different verdicts below and above: the endpoint between them, if found.

    None where distances have no unit in common, polynomials are too large, or no single root lies
    between the two levels.
    """
    if not brackets or space.size > MOST_POINTS:
        return (None,) * len(brackets)
    systems = [_system(part, law) for part, law in tensor_priors(space, prior) or [(space, prior)]]
    known = [system for system in systems if system is not None]
    if len(known) < len(systems):
        return (None,) * len(brackets)
    roots = [root for system in known for root in system.roots()]
    return tuple(_between(low, high, roots) for low, high in brackets)


@dataclass(frozen=True)
class _Root:
    """A root r above 1 of an irreducible factor, as a ball, and whether the kernel is singular."""

    factor: tuple[int, ...]
    ball: arb
    unit: Fraction
    singular: bool


@dataclass(frozen=True, eq=False)
class _System:
    """The determinant and the numerators of the solution, in x = e^(-ε unit)."""

    unit: Fraction
    determinant: fmpz_poly
    numerators: tuple[fmpz_poly, ...]

    def roots(self) -> list[_Root]:
        """The real roots r = 1/x above 1 of all irreducible factors, each once."""
        singular = {_reverse(factor) for factor, _ in self.determinant.factor()[1]}
        factors = singular | {
            _reverse(factor) for numerator in self.numerators if _is_nonzero(numerator)
            for factor, _ in numerator.factor()[1]}
        roots = []
        with ctx.workprec(_BITS):
            for factor in sorted(factors):
                pairs: Any = fmpz_poly(list(factor)).complex_roots()  # with multiplicities
                for root, _ in pairs:
                    if root.imag == 0 and not root.real <= 1:
                        roots.append(_Root(factor, root.real, self.unit, factor in singular))
        return roots


def _is_nonzero(polynomial: fmpz_poly) -> bool:
    return any(c != 0 for c in polynomial.coeffs())


def _reverse(factor: fmpz_poly) -> tuple[int, ...]:
    """The coefficients of the polynomial in r = 1/x, the leading one positive."""
    numbers = [int(c) for c in factor.coeffs()][::-1]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers if numbers[-1] > 0 else [-c for c in numbers])


def _system(space: Space, prior: Prior) -> _System | None:
    """The solution of the kernel's equation as polynomials, None if that is out of reach."""
    kernel = reduced_kernel(space, prior.weights)
    distances = [distance.rational for distance in kernel.classes]
    lengths = [d for d in distances if d is not None]
    if len(lengths) < len(distances):
        return None
    whole = lcm(*(d.denominator for d in lengths))
    unit = Fraction(gcd(*(int(d * whole) for d in lengths)), whole)
    steps = [int(d / unit) for d in lengths]
    if kernel.size * max(steps) > MOST_DEGREE:
        return None
    law = prior.exact(space)
    right = [law[k] for k in kernel.representatives.tolist()]
    scale = lcm(*(p.denominator for p in right))
    table = _polynomials(kernel, steps)
    for row, p in zip(table, right, strict=True):
        row.append(fmpz_poly([int(p * scale)]))
    solved = _eliminate(table)
    return None if solved is None else _System(unit, *solved)


def _polynomials(kernel: ReducedKernel, steps: Sequence[int]) -> list[list[fmpz_poly]]:
    """The kernel on orbits, each entry a polynomial in x."""
    size = range(kernel.size)
    counts = [kernel.exact([int(k == place) for k in range(len(steps))])
              for place in range(len(steps))]
    table = []
    for i in size:
        row = []
        for j in size:
            numbers = [0] * (max(steps) + 1)
            for place, step in enumerate(steps):
                numbers[step] += int(counts[place][i][j])
            row.append(fmpz_poly(numbers))
        table.append(row)
    return table


def _eliminate(table: list[list[fmpz_poly]]) -> tuple[fmpz_poly, tuple[fmpz_poly, ...]] | None:
    """Determinant and numerators of a linear system, without fractions (Bareiss); None if singular.

    Both may have their signs changed together.
    """
    size, before = len(table), fmpz_poly([1])
    for k in range(size):
        place = next((i for i in range(k, size) if _is_nonzero(table[i][k])), None)
        if place is None:
            return None
        table[k], table[place] = table[place], table[k]
        pivot = table[k]
        for i in (i for i in range(size) if i != k):
            row = table[i]
            table[i] = [row[j] if j < k else (pivot[k] * row[j] - row[k] * pivot[j]) // before
                        for j in range(size + 1)]
        before = pivot[k]
    return before, tuple(row[size] for row in table)


def _between(
    low: Fraction, high: Fraction, roots: Sequence[_Root]
) -> AlgebraicLevel | None:
    """The one root whose level may lie between two levels; None if there are none or several."""
    near = []
    with ctx.workprec(_BITS):
        for root in roots:
            level = root.ball.log() / ball_of(root.unit, _BITS)
            if not (level < ball_of(low, _BITS) or level > ball_of(high, _BITS)):
                near.append(root)
    if len({(root.factor, root.unit) for root in near}) != 1 or (len(near) > 1 and any(
        not root.ball.overlaps(near[0].ball) for root in near
    )):
        return None
    root = near[0]
    singular = any(other.singular for other in near)
    return AlgebraicLevel(root.factor, root.unit, float(root.ball), None if singular else True)
