"""The least loss as a function of r = e^ε: rational functions of r on finitely many intervals.

At a ratio the exact optimum has a basis. Solved for all r at once, its slacks and multipliers are
rational functions of r, and the basis is optimal as far as all of them stay non-negative, up to a
root of one of their numerators or denominators. The intervals between are searched in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from time import monotonic
from typing import Any

from flint import arb, ctx, fmpz_poly

from tightrope.choices import Goal
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.exact import solve_exactly
from tightrope.constructions.optimum.exact_form import functions_program
from tightrope.drawing import plot_of
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Number, stated
from tightrope.facts import Facts, card_of, data, lines_of, listing
from tightrope.lp import (
    ConeBasis,
    RationalFunction,
    Tight,
    polynomial_text,
)
from tightrope.spaces import Label, Space
from tightrope.utility import LossLike, PriorLike, Problem, question, uniform

MOST_POINTS = 12
"""Inputs, and outputs, for which functions of r are found in seconds."""

_BITS = 256
"""Precision of enclosures of the ends of intervals."""

_POWER_BITS = 24
"""Bits of the fractions at which a basis is asked for, more where an interval is short."""


@dataclass(frozen=True)
class End:
    """An end of an interval: the root of an irreducible polynomial in r, with an enclosure.

    `polynomial` has the coefficients, constant first; it is empty at infinity.
    """

    polynomial: tuple[int, ...]
    low: Fraction
    high: Fraction

    @property
    def exact(self) -> Fraction | None:
        """The end where it is a fraction."""
        return self.low if self.low == self.high and self.polynomial else None

    def __str__(self) -> str:
        if not self.polynomial:
            return "∞"
        if self.exact is not None:
            return str(self.exact)
        text = polynomial_text(fmpz_poly(list(self.polynomial)))
        return f"{float(self.low):.10g} (root of {text})"


@dataclass(frozen=True)
class BasisRange:
    """An interval on which one basis is optimal, and the entries of its mechanism."""

    low: End
    high: End
    rows: tuple[tuple[RationalFunction, ...], ...]


@dataclass(frozen=True)
class Piece:
    """An interval of r on which the least loss is one rational function, and its bases."""

    low: End
    high: End
    value: RationalFunction
    bases: tuple[BasisRange, ...]


@dataclass(frozen=True)
class ValuePieces:
    """The least loss for every r in a range: one piece after the other.

    >>> [str(piece.value) for piece in value_pieces("categories:3").pieces]
    ['2/(r + 2)']
    """

    problem: Problem
    pieces: tuple[Piece, ...]

    __repr__ = lines_of
    _repr_html_ = card_of
    plot = plot_of

    def at(self, ratio: Number) -> Fraction:
        """The least loss at a ratio e^ε within the range."""
        r = stated(ratio, "a ratio e^ε")
        for piece in self.pieces:
            if piece.low.low <= r and (not piece.high.polynomial or r <= piece.high.high):
                return piece.value.at(r)
        raise BadInput(f"expected a ratio from {self.pieces[0].low} to {self.pieces[-1].high}, "
                       f"found {r}.")

    def facts(self) -> Facts:
        """A row for each piece."""
        rows = [(str(piece.low), str(piece.high), str(piece.value)) for piece in self.pieces]
        return Facts(
            "ValuePieces", question(self.problem, "all ratios r = e^ε in a range"),
            (listing("", ("from r", "to r", "least loss"), rows, words=3),
             *data(pieces=[Facts("Piece", "", data(low=low, high=high, value=value,
                                                   bases=len(piece.bases)))
                           for piece, (low, high, value) in zip(self.pieces, rows, strict=True)],
                   space=self.problem.space.text, loss=self.problem.loss.name,
                   goal=self.problem.goal)),
            ("Every piece is exact: its basis is optimal on the whole interval.",))


def value_pieces(
    space: Space | str,
    low: Number = 1,
    high: Number | None = None,
    *,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    effort: Effort = ORDINARY,
) -> ValuePieces:
    """The least loss as a function of r = e^ε from `low` to `high` (to infinity if None), exactly.

    Parameters after the range are those of `design`; distances are whole numbers.

    Raises: `BadInput` for distances or losses that are not; `TooLarge` beyond 12 inputs or outputs,
    or beyond the time.

    >>> [(str(p.low), str(p.high), str(p.value)) for p in value_pieces(
    ...     "categories:2", prior=["1/4", "3/4"]).pieces]
    [('1', '3', '1/4'), ('3', '∞', '1/(r + 1)')]
    """
    first, last = stated(low, "a ratio of at least 1"), None
    if high is not None:
        last = stated(high, "a ratio")
    if first < 1 or (last is not None and last <= first):
        raise BadInput("expected ratios e^ε from 1 upwards, the second above the first.")
    problem = Problem(space, Level.ratio(2), prior, loss, goal, outputs)
    if max(problem.space.size, len(problem.answers)) > MOST_POINTS:
        raise TooLarge("the number of inputs or outputs", max(problem.space.size, len(
            problem.answers)), MOST_POINTS, "functions of e^ε are found for small spaces; "
            "an exact design takes more points at one ratio")
    search = _Search(problem, monotonic() + effort.seconds)
    ranges = sorted(search.explore(_rational_end(first), _INFINITY if last is None else (
        _rational_end(last))), key=lambda found: found[0].low.low)
    pieces: list[Piece] = []
    for basis, value in ranges:
        if pieces and pieces[-1].value == value:
            old = pieces.pop()
            pieces.append(Piece(old.low, basis.high, value, (*old.bases, basis)))
        else:
            pieces.append(Piece(basis.low, basis.high, value, (basis,)))
    return ValuePieces(problem, tuple(pieces))


_INFINITY = End((), Fraction(0), Fraction(0))


def _rational_end(value: Fraction) -> End:
    return End((-value.numerator, value.denominator), value, value)


class _Search:
    """Intervals of one basis each, found by asking at a ratio within what is left."""

    def __init__(self, problem: Problem, end: float) -> None:
        self.problem, self.end = problem, end
        self.program = functions_program(problem, Fraction(1))

    def explore(self, low: End, high: End) -> Iterator[tuple[BasisRange, RationalFunction]]:
        """All intervals between two ends."""
        waiting = [(low, high)]
        while waiting:
            low, high = waiting.pop()
            if monotonic() > self.end:
                raise TooLarge("the time for functions of e^ε, in seconds,", 1, 0,
                               "allow more time, or ask for a shorter range of ratios")
            ranges = (self._range(self._tight(ratio), ratio, low, high)
                      for ratio in _between(low, high))
            basis, value = next(filter(None, ranges))
            yield basis, value
            waiting += [pair for pair in ((low, basis.low), (basis.high, high))
                        if pair[0] != pair[1]]

    def _tight(self, ratio: Fraction) -> list[Tight]:
        at = self.problem.at(Level.ratio(ratio))
        left = max(0.0, self.end - monotonic())
        return solve_exactly(at, left).basis.tight

    def _range(
        self, tight: Sequence[Tight], ratio: Fraction, low: End, high: End
    ) -> tuple[BasisRange, RationalFunction] | None:
        """How far around a ratio a basis is optimal, within two ends, and its value.

        None where a function that is not 0 everywhere is 0 at this very ratio.
        """
        program, basis = self.program, ConeBasis(self.program, tight)
        primal, dual = basis.primal(total=program.one), basis.dual(program.objective)
        if primal is None or dual is None:
            return None
        loose = set(program.constraints()) - set(basis.tight)
        functions = {*dual.multipliers.values(), *(primal.slack(program, c) for c in loose)}
        factors: set[tuple[int, ...]] = set()
        for function in filter(None, functions):
            if function.at(ratio) <= 0:
                return None
            factors |= _sign_changes(function)
        start, stop = low, high
        for root in (root for factor in sorted(factors) for root in _roots(factor)):
            if root.high <= ratio:
                start = root if root.low > start.high else start
            elif not stop.polynomial or root.high < stop.low:
                stop = root
        rows = tuple(zip(*primal.columns, strict=True))
        return BasisRange(start, stop, rows), primal.value(program.objective, program.zero)


def _sign_changes(function: RationalFunction) -> set[tuple[int, ...]]:
    """The irreducible factors of odd power: a function changes its sign only at their roots."""
    found = set()
    for polynomial in (function.above, function.below):
        for factor, power in polynomial.factor()[1]:
            if power % 2:
                found.add(tuple(int(c) for c in factor.coeffs()))
    return found


def _roots(factor: tuple[int, ...]) -> list[End]:
    """The real roots above 1 of an irreducible polynomial."""
    if len(factor) == 2:
        root = Fraction(-factor[0], factor[1])
        return [End(_rational_end(root).polynomial, root, root)] if root > 1 else []
    found = []
    with ctx.workprec(_BITS):
        roots: Any = fmpz_poly(list(factor)).complex_roots()  # real ones have exactly no imaginary
        for root, _ in roots:
            if root.imag == 0 and root.real > 1:
                found.append(End(factor, *_bounds(root.real)))
    return found


def _bounds(ball: arb) -> tuple[Fraction, Fraction]:
    """Fractions below and above a ball."""
    ends = []
    for end in (ball.lower(), ball.upper()):
        mantissa, exponent = end.man_exp()
        ends.append(Fraction(int(mantissa)) * Fraction(2) ** int(exponent))
    return ends[0], ends[1]


def _between(low: End, high: End) -> Iterator[Fraction]:
    """Short fractions strictly between two ends, the first near the middle."""
    first = low.high
    last = high.low if high.polynomial else 3 * first + 1
    for tried in count():
        middle = first + (last - first) * Fraction(tried + 4, 2 * tried + 9)
        bits = _POWER_BITS
        while True:
            near = Fraction(round(middle * 2**bits), 2**bits)
            if first < near < last:
                break
            bits *= 2
        yield near
