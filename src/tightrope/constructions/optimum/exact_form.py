"""The optimum where e^(ε d) is irrational: a basis, and its entries as functions of r.

All distances are whole multiples of one unit u, and r = e^(ε u), so every e^(ε d) is a power of r.
The exact optimum at a fraction just below r has a basis. Solved for all r at once, its slacks and
multipliers are rational functions with rational coefficients, and their signs at r prove it
optimal there. A number that is 0 is told apart from a small one, since r is transcendental
(Lindemann) or the root of a rational. What is shipped is the vertex at the fraction below, which
keeps the level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from time import monotonic

from flint import arb, ctx, fmpz_poly

from tightrope.choices import Goal
from tightrope.constructions.optimum.all_optima import inner_direction
from tightrope.constructions.optimum.effort import Effort
from tightrope.constructions.optimum.exact import (
    dual_at,
    mechanism_at,
    ordered_pairs,
    problem_losses,
    refuse_long,
    solve_exactly,
    tight_pairs,
)
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Surd, lower_bound
from tightrope.lp import (
    ConeBasis,
    ExactProgram,
    RationalFunction,
    Tight,
    solve_functions,
)
from tightrope.privacy import certified
from tightrope.utility import ExactForm, Problem, Solution, prove_bound

_FIRST_BITS, _MOST_BITS = 64, 512
"""Bits of the fraction below r at which a basis is asked for: more where r is near to another."""

_SIGN_BITS = 128
"""Bits at which signs are looked at first; doubled until they show."""


def minimum_in_form(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism, proved by functions of r = e^(ε u), and as a fraction just below it.

    Raises: `BadInput` where distances have no common unit or a loss is irrational; `TooLarge`
    beyond the size or time of exact optima.
    """
    started = monotonic()
    point = Point.of(problem)
    program, bits = functions_program(problem, point.unit), _FIRST_BITS
    while True:
        near = problem.at(point.level_below(bits))
        vertex = solve_exactly(near, max(0.0, effort.seconds - (monotonic() - started)))
        form = _form(program, vertex.basis.tight, point)
        if form is not None:
            break
        bits *= 2
        if bits > _MOST_BITS:
            raise TooLarge("the number of bits of e^ε that an exact basis needs", bits, _MOST_BITS,
                           "choose another level: at this one two bases nearly meet")
    solution = Solution(problem, certified(mechanism_at(near, vertex), problem.level), "optimal",
                        statistics={"steps": vertex.steps, "finished": True,
                                    "seconds": monotonic() - started})
    return solution.proved(prove_bound(problem, *dual_at(near, vertex))).noting(form=form)


@dataclass(frozen=True)
class Point:
    """The number r = e^(ε u); `degree` and `power` where r^degree = power, degree 0 for none."""

    level: Level
    unit: Fraction
    degree: int
    power: Fraction

    @classmethod
    def of(cls, problem: Problem) -> Point:
        """The number r of a problem: u is the largest unit of its distances, at most 1."""
        space, level = problem.space, problem.level
        lengths = [Fraction(1)]
        for a, b in ordered_pairs(space):
            exact = space.distance(a, b).rational
            if exact is None:
                raise BadInput(
                    f"an exact optimum needs distances that are fractions; {space.text} has "
                    f"{space.distance(a, b).short}: leave out exact, or use metric=manhattan on a "
                    "grid or a matrix of rational distances.")
            lengths.append(exact)
        unit = reduce(_common_unit, lengths)
        degree, power = 0, Fraction(1)
        if level.rational == 0:
            most = (level.coefficient * unit).denominator
            degree, power = next((k, exact) for k in range(1, most + 1) if most % k == 0
                                 and (exact := level.power(Surd.of(k * unit))) is not None)
        return cls(level, unit, degree, power)

    @property
    def text(self) -> str:
        """r in words, such as r = e^ε."""
        return "r = e^ε" if self.unit == 1 else f"r = e^({self.unit} ε)"

    def ball(self, bits: int) -> arb:
        """A ball around r."""
        return self.level.power_ball(Surd.of(self.unit), bits)

    def level_below(self, bits: int) -> Level:
        """The level at which r is a fraction below the true one, so many bits long."""
        below = lower_bound(self.ball(2 * bits))
        near = Fraction(int(below * 2**bits), 2**bits)
        return Level.ratio(max(near, Fraction(1))).scaled(1 / self.unit)

    def sign(self, function: RationalFunction) -> int | None:
        """The sign at r, exactly; None where the denominator is 0 there."""
        below = self._sign(function.below)
        return below * self._sign(function.above) if below else None

    def _sign(self, polynomial: fmpz_poly) -> int:
        if not polynomial or (self.degree and self._vanishes(polynomial)):
            return 0
        bits = _SIGN_BITS
        while True:
            with ctx.workprec(bits):
                value = polynomial(self.ball(bits))
                if value > 0 or value < 0:
                    return 1 if value > 0 else -1
            bits *= 2

    def _vanishes(self, polynomial: fmpz_poly) -> bool:
        """Whether the minimal polynomial of r, a binomial, divides another one."""
        sums = [Fraction(0)] * self.degree
        for k, coefficient in enumerate(polynomial.coeffs()):
            sums[k % self.degree] += int(coefficient) * self.power ** (k // self.degree)
        return not any(sums)


def _common_unit(first: Fraction, second: Fraction) -> Fraction:
    """The largest number of which both are whole multiples."""
    bottom = lcm(first.denominator, second.denominator)
    return Fraction(gcd(int(first * bottom), int(second * bottom)), bottom)


def functions_program(problem: Problem, unit: Fraction) -> ExactProgram:
    """The program over rational functions of r = e^(ε u)."""
    space, of = problem.space, RationalFunction.of
    refuse_long(space, len(problem.answers))
    arcs = []
    for a, b in ordered_pairs(space):
        length = space.distance(a, b).rational
        steps = None if length is None else length / unit
        if steps is None or steps.denominator != 1:
            advice = ("the optimum at one level, without exact, takes any" if length is None else
                      "a matrix of distances may measure them in smaller units")
            raise BadInput("functions of e^ε need whole distances, found "
                           f"{space.distance(a, b).short}; {advice}.")
        arcs.append((a, b, RationalFunction.ratio(-int(steps))))
    arcs += [(a, -1, of(0)) for a in range(space.size)]
    losses, width = problem_losses(problem), len(problem.answers)
    columns = [[of(row[z]) for row in losses] for z in range(width)]
    if problem.goal is Goal.WORST:
        none = [[of(0)] * space.size for _ in range(width)]
        return ExactProgram(space.size, arcs, none, columns, of(0), of(1), solve_functions)
    chances = [of(p) for p in problem.prior.exact(space)]
    costs = [[p * cost for p, cost in zip(chances, column, strict=True)] for column in columns]
    return ExactProgram(space.size, arcs, costs, None, of(0), of(1), solve_functions)


def _form(
    program: ExactProgram, tight: Sequence[Tight], point: Point
) -> ExactForm | None:
    """The functions of a basis, if their signs at r prove it optimal."""
    basis = ConeBasis(program, tight)
    if not basis.regular:
        return None
    primal, dual = basis.primal(total=program.one), basis.dual(program.objective)
    if primal is None or dual is None:
        return None
    slacks = {c: primal.slack(program, c) for c in set(program.constraints()) - set(basis.tight)}
    signs = {f: point.sign(f) for f in {*dual.multipliers.values(), *slacks.values()}}
    if any(sign is None or sign < 0 for sign in signs.values()):
        return None
    free = [c for c, amount in dual.multipliers.items() if not signs[amount]]
    ends = [c for c, slack in slacks.items() if not signs[slack]]
    return ExactForm(point.text, primal.value(program.objective, program.zero),
                     tuple(zip(*primal.columns, strict=True)), point.ball,
                     tight_pairs(program, basis.tight), _is_alone(basis, free, ends, point))


def _is_alone(
    basis: ConeBasis, free: Sequence[Tight], ends: Sequence[Tight], point: Point
) -> bool | None:
    """Whether no sum of moves away from free constraints keeps the slacks that are 0; or None.

    At a fraction near r one is sought; the signs of its functions at r prove it. That there is
    none is proved by ends that no move raises: they stop every move that lowers them.
    """
    program, of = basis.program, RationalFunction.of
    moves = [basis.primal({c: program.one}) for c in free]
    lines = [[move.slack(program, c) for move in moves if move is not None] for c in ends]
    near = lower_bound(point.ball(_FIRST_BITS))
    amounts = inner_direction([tuple(f.at(near) for f in line) for line in lines], len(free))
    sums = [sum((of(t) * f for t, f in zip(amounts, line, strict=True)), of(0)) for line in lines]
    if any(amounts) and all((point.sign(total) or 0) > 0 or not total for total in sums):
        return False
    signs = [[point.sign(f) for f in line] for line in lines]
    left, before = {*range(len(free))}, -1
    while len(left) != before:
        before = len(left)
        for line in signs:
            if all(sign is not None and (sign <= 0 or j not in left)
                   for j, sign in enumerate(line)):
                left -= {j for j, sign in enumerate(line) if sign}
    return None if left else True
