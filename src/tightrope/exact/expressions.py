"""Formulas in one variable `a`, evaluated exactly where that is possible, else by balls.

Numbers are decimals or fractions taken exactly; + - * / ^ and sqrt, exp, ln, min, max, and
gaussian(x, μ) = Φ(Φ⁻¹(x) + μ), the trade-off of two Gaussians that are μ apart. A value that is
a fraction is found as one; all others are enclosed as narrowly as one asks for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from tightrope.errors import BadInput
from tightrope.exact.balls import ball_of
from tightrope.exact.numbers import fraction_of
from tightrope.exact.rationals import perfect_root

LONGEST_FORMULA = 400
"""Characters of a formula, at most."""
LARGEST_EXPONENT = 1000
"""Numerator and denominator of an exponent, at most."""
MOST_BITS = 1 << 13
"""Bits after which a comparison that is still open is given up."""

_ARGUMENTS = {"sqrt": (1, 1), "exp": (1, 1), "ln": (1, 1), "log": (1, 1), "min": (2, 9),
              "max": (2, 9), "gaussian": (2, 2)}
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Expression:
    """A node of a formula: `kind` is number, a, +, *, /, ^ or the name of a function.

    The second part of ^ and of gaussian is a number; x - y is x + (-1) * y.

    >>> root = Expression.parse("1 - sqrt(a)/2")
    >>> root.exact(Fraction(1, 4)), root.exact(Fraction(1, 3))
    (Fraction(3, 4), None)
    >>> root.compare(Fraction(1, 3), Fraction(71, 100))  # the sign of 0.71 - value
    -1
    """

    kind: str
    parts: tuple[Expression, ...] = ()
    number: Fraction = _ZERO

    @classmethod
    def parse(cls, text: str) -> Expression:
        """The formula in a text; `BadInput` says in one sentence what cannot be read."""
        if not isinstance(text, str) or len(text) > LONGEST_FORMULA:
            raise BadInput(f"expected a formula in a of at most {LONGEST_FORMULA} characters.")
        plain = re.sub(r"√\s*(a\b|[0-9.]+)", r"sqrt(\1)", text).replace("√", "sqrt")
        plain = plain.replace("^", "**").replace("−", "-").replace("·", "*").strip()
        try:
            tree = ast.parse(plain, mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise BadInput(f"the formula {text!r} cannot be read; expected one in a, such as "
                           "sqrt(a) or 1-(1-a)^3.") from None
        return _node(tree.body, plain)

    def exact(self, a: Fraction) -> Fraction | None:
        """The value at a if it is found to be a fraction, else None."""
        match self.kind:
            case "number":
                return self.number
            case "a":
                return a
        values = [part.exact(a) for part in self.parts]
        known = [value for value in values if value is not None]
        if self.kind in ("min", "max"):
            return self._extreme(a, values)
        if len(known) < len(values):
            return self._partly(a, values)
        match self.kind:
            case "+":
                return sum(known, _ZERO)
            case "*":
                return known[0] * known[1]
            case "/":
                return None if known[1] == 0 else known[0] / known[1]
            case "^":
                return _power(known[0], known[1])
            case "exp":
                return _ONE if known[0] == 0 else None
            case "ln":
                return _ZERO if known[0] == 1 else None
        return known[0] if known[1] == 0 or known[0] in (0, 1) else None  # gaussian

    def _partly(self, a: Fraction, values: Sequence[Fraction | None]) -> Fraction | None:
        """The value where a part is no fraction: 0 times it, 0 over it, or it over itself."""
        if self.kind == "*":
            return _ZERO if _ZERO in values else None
        if self.kind == "/" and values[1] is None and abs(self.parts[1].ball(a, 128)) > 0:
            if values[0] == 0:
                return _ZERO
            return _ONE if self.parts[0].at(a) == self.parts[1].at(a) else None
        return None

    def at(self, a: Fraction) -> Expression:
        """The formula with a number in place of a, fractions worked out."""
        exact = self.exact(a)
        if exact is not None:
            return _number(exact)
        return Expression(self.kind, tuple(part.at(a) for part in self.parts), self.number)

    def _extreme(self, a: Fraction, values: Sequence[Fraction | None]) -> Fraction | None:
        """The least (or largest) part where it is a fraction and told from the others."""
        sign = 1 if self.kind == "min" else -1
        known = [value for value in values if value is not None]
        if not known:
            return None
        best = min(known, key=lambda value: sign * value)
        unknown = [part for part, value in zip(self.parts, values, strict=True) if value is None]
        ball = ball_of(best, 128)
        clear = all(sign * (part.ball(a, 128) - ball) > 0 for part in unknown)
        return best if clear else None

    def ball(self, a: Fraction, bits: int) -> arb:
        """A ball that contains the value at a; it is not finite where the value is not known."""
        exact = self.exact(a) if self.kind not in ("min", "max") else None
        if exact is not None:
            return ball_of(exact, bits)
        with ctx.workprec(bits):
            return self._enclose([part.ball(a, bits) for part in self.parts])

    def _enclose(self, values: list[arb]) -> arb:
        first = values[0]
        match self.kind:
            case "+":
                return sum(values[1:], first)
            case "*":
                return first * values[1]
            case "/":
                return first / values[1]
            case "^":
                return first ** values[1]
            case "exp":
                return first.exp()
            case "ln":
                return first.log()
            case "min" | "max":
                for value in values[1:]:
                    first = first.min(value) if self.kind == "min" else first.max(value)
                return first
        half = arb(2).sqrt()  # Φ(Φ⁻¹(x) + μ) with Φ⁻¹(x) = -√2 erfcinv(2x), Φ(t) = erfc(-t/√2)/2
        return ((2 * first).erfcinv() - values[1] / half).erfc() / 2

    def compare(self, a: Fraction, b: Fraction) -> int:
        """The sign of b - value(a), decided; `BadInput` where it cannot be."""
        exact = self.exact(a)
        if exact is not None:
            return (b > exact) - (b < exact)
        if self.kind == "min":
            return max(part.compare(a, b) for part in self.parts)
        bits = 128
        while bits <= MOST_BITS:
            with ctx.workprec(bits):
                gap = ball_of(b, bits) - self.ball(a, bits)
                if gap > 0:
                    return 1
                if gap < 0:
                    return -1
            bits *= 4
        raise BadInput(
            f"the formula cannot be bounded at a = {a}: after {MOST_BITS:,} bits it is not told "
            f"from {b}."
        )


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if base == 0:
        return _ZERO if exponent > 0 else None
    if base < 0 and exponent.denominator != 1:
        return None
    root = base if exponent.denominator == 1 else perfect_root(base, exponent.denominator)
    return None if root is None else root**exponent.numerator


def _number(value: Fraction) -> Expression:
    return Expression("number", number=value)


def _minus(part: Expression) -> Expression:
    if part.kind == "number":
        return _number(-part.number)
    return Expression("*", (_number(-_ONE), part))


def _node(tree: ast.expr, source: str) -> Expression:
    match tree:
        case ast.Constant():
            written = ast.get_source_segment(source, tree) or ""
            return _number(fraction_of(written, "a number in a formula"))
        case ast.Name(id="a"):
            return Expression("a")
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _minus(_node(inner, source))
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _node(inner, source)
        case ast.BinOp(left=left, op=operation, right=right):
            return _binary(operation, _node(left, source), _node(right, source))
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in _ARGUMENTS:
            return _call(name, [_node(part, source) for part in given])
    written = ast.get_source_segment(source, tree) or source
    raise BadInput(
        f"{written[:60]!r} is no part of a formula in a; it may have numbers, a, + - * / ^, "
        f"{', '.join(sorted(_ARGUMENTS))}."
    )


def _binary(operation: ast.operator, left: Expression, right: Expression) -> Expression:
    both = left.kind == right.kind == "number"
    match operation:
        case ast.Add():
            return _number(left.number + right.number) if both else Expression("+", (left, right))
        case ast.Sub():
            return _binary(ast.Add(), left, _minus(right))
        case ast.Mult():
            return _number(left.number * right.number) if both else Expression("*", (left, right))
        case ast.Div():
            if right.kind == "number" and right.number == 0:
                raise BadInput("the formula divides by 0.")
            return _number(left.number / right.number) if both else Expression("/", (left, right))
        case ast.Pow():
            return _raise_power(left, right)
    raise BadInput("a formula may have + - * / and ^ only.")


def _raise_power(left: Expression, right: Expression) -> Expression:
    if right.kind != "number":
        raise BadInput("expected a number as the exponent of a formula, such as a^(1/2).")
    if max(abs(right.number.numerator), right.number.denominator) > LARGEST_EXPONENT:
        raise BadInput(f"expected exponents of at most {LARGEST_EXPONENT:,}.")
    power = _power(left.number, right.number) if left.kind == "number" else None
    return Expression("^", (left, right)) if power is None else _number(power)


def _call(name: str, given: list[Expression]) -> Expression:
    least, most = _ARGUMENTS[name]
    if not least <= len(given) <= most:
        raise BadInput(f"{name} takes {least if least == most else f'{least} to {most}'} parts, "
                       f"found {len(given)}.")
    if name == "sqrt":
        return _raise_power(given[0], _number(Fraction(1, 2)))
    if name == "gaussian" and (given[1].kind != "number" or given[1].number < 0):
        raise BadInput("expected gaussian(a, μ) with a number μ of at least 0.")
    return Expression("ln" if name == "log" else name, tuple(given))
