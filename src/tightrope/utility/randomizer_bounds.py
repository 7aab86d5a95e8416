"""A lower bound on the variance of every private randomizer, proved by multipliers.

A randomizer for k values has columns θ_j v_j that add up to one, with v_j in the privacy cone.
Let a_j be the estimate of W π that output j stands for, unbiased: Σ_j θ_j v_j[x] a_j = W e_x.
At the prior p its variance is Σ_j θ_j (v_j·p) ‖a_j‖² - ‖W p‖². For a k × m matrix Z and y with

    ‖Zᵀ v‖² ≤ (v·p)(v·y)    for every v in the cone,

tr(W Z) = Σ θ_j a_j·Zᵀv_j ≤ ½ Σ θ_j (‖a_j‖² v_j·p + v_j·y), so that the variance is at least
2 tr(W Z) - Σ y - ‖W p‖². The vectors v that meet it (v·p > 0, so v·y ≥ 0) form a convex cone, so
extreme rays suffice: 1 and r on the values, r ≥ e^ε. All of them are tried in whole numbers, one
value at a time.

From above: with J = Σ_j q_j q_jᵀ/P(j) over columns q_j of a randomizer, P(j) = q_j·p, the best
estimate has the variance tr(W J⁻¹ Wᵀ) - ‖W p‖². With each 1/P(j) rounded down J is smaller, its
inverse larger, and all is solved in fractions. J may be singular where W asks for little.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import flint

from tightrope.errors import BadInput, CannotCheck
from tightrope.exact import Level, Surd, Weights, from_flint, to_flint
from tightrope.utility.workloads import Fractions, Workload

LARGEST_RANDOMIZER = 16
"""Values of a randomizer: all 2^k rays are tried, in whole numbers too."""
RANDOMIZER_UNITS = 96
"""RandomizerMultipliers and e^ε are whole multiples of 2^-RANDOMIZER_UNITS."""
LONGEST_ROW = 1024
"""Bits of the total of a row whose variance is bounded: the fractions grow with them."""
_INVERSES = 192
"""Bits after the point of 1/P(j): an error far below every gap."""


@dataclass(frozen=True)
class RandomizerMultipliers:
    """The matrix Z, a row for each value, and the vector y."""

    Z: tuple[Fractions, ...]
    y: Fractions


def prove_variance_bound(
    workload: Workload, prior: Fractions, ratio: Fraction, multipliers: RandomizerMultipliers
) -> Fraction:
    """The proved bound: no unbiased randomizer with ratios up to `ratio` has a smaller variance.

    Raises: `BadInput` with the set of values whose ray breaks the inequality.

    >>> from tightrope.utility.workloads import workload_of
    >>> half, z = Fraction(1, 2), Fraction(9, 8)
    >>> proved = RandomizerMultipliers(((0,), (0,)), (0, 0))
    >>> prove_variance_bound(workload_of([0, 1], 2), (half, half), Fraction(3), proved)
    Fraction(-1, 4)
    """
    Z, y = multipliers.Z, multipliers.y
    if broken := _broken_ray(Z, y, prior, ratio):
        raise BadInput(f"the multipliers prove nothing: the ray of values {broken} breaks them.")
    trace = sum((weight * z for row, column in zip(workload.rows, zip(*Z, strict=True), strict=True)
                 for weight, z in zip(row, column, strict=True)), Fraction(0))
    return 2 * trace - sum(y, Fraction(0)) - known_part(workload, prior)


def ratio_ceiling(level: Level, distance: Surd) -> Fraction:
    """The least multiple of 2^-RANDOMIZER_UNITS that is at least e^(ε · distance)."""
    exact = level.power(distance)
    if exact is not None:
        units = -((-exact.numerator << RANDOMIZER_UNITS) // exact.denominator)
        return Fraction(units, 2**RANDOMIZER_UNITS)
    bits = 2 * RANDOMIZER_UNITS
    while True:  # ends: an irrational number lies strictly between two multiples
        with flint.ctx.workprec(bits):
            power = level.power_ball(distance, bits) * (1 << RANDOMIZER_UNITS)
            whole = power.ceil().unique_fmpz()
        if whole is not None:
            return Fraction(int(whole), 2**RANDOMIZER_UNITS)
        bits *= 2


@dataclass(frozen=True)
class Estimates:
    """The best unbiased estimates of queries, up to the rounding of 1/P(j), in exact numbers.

    Output j of weight w_j[x] in row x has the estimate inverses[j] Σ_x w_j[x] solution[x];
    `moment` is at least the second moment of all of them together.
    """

    rows: tuple[tuple[int, ...], ...]
    inverses: tuple[int, ...]
    solution: tuple[Fractions, ...]
    moment: Fraction


def solve_estimates(weights: Weights, workload: Workload, prior: Fractions) -> Estimates | None:
    """The estimates with the least second moment; None if some query has no unbiased one.

    Raises: `CannotCheck` for rows with too long totals.
    """
    rows = [weights.row_integers(place)[0] for place in range(weights.shape[0])]
    totals = [sum(row) for row in rows]
    if max(totals).bit_length() > LONGEST_ROW:
        raise CannotCheck(f"the variance of rows with more than {LONGEST_ROW} bits.")
    inverses = _inverse_chances(rows, totals, prior)
    size, queries = len(rows), range(len(rows), len(rows) + len(workload.rows))
    table = flint.fmpq_mat([
        [*(sum(c * a * b for c, a, b in zip(inverses, rows[x], rows[y], strict=True))
           for y in range(size)), *(to_flint(row[x] * totals[x]) for row in workload.rows)]
        for x in range(size)])
    solved, rank = table.rref()
    solution = [(Fraction(0),) * len(queries)] * size
    for line in range(rank):
        pivot = next(place for place in range(queries.stop) if solved[line, place] != 0)
        if pivot >= size:
            return None
        solution[pivot] = tuple(from_flint(solved[line, query]) for query in queries)
    moment = sum((from_flint(table[x, query]) * solution[x][query - size]
                  for x in range(size) for query in queries), Fraction(0))
    return Estimates(tuple(map(tuple, rows)), tuple(inverses), tuple(solution),
                     moment * (1 << _INVERSES))


def prove_variance(weights: Weights, workload: Workload, prior: Fractions) -> Fraction | None:
    """The variance of the best unbiased estimates, at most; None if there are none.

    >>> from tightrope.utility.workloads import workload_of
    >>> half = (Fraction(1, 2),) * 2
    >>> float(prove_variance(Weights.from_integers([[3, 1], [1, 3]]), workload_of([0, 1], 2), half))
    1.0
    """
    estimates = solve_estimates(weights, workload, prior)
    return None if estimates is None else estimates.moment - known_part(workload, prior)


def _inverse_chances(rows: list[list[int]], totals: list[int], prior: Fractions) -> list[int]:
    """1/P(j) in multiples of 2^-_INVERSES, rounded down; 0 for an output that never comes."""
    common, scale = lcm(*totals), _denominator(prior)
    parts = [int(share * scale) * (common // total)
             for share, total in zip(prior, totals, strict=True)]
    chances = [sum(part * weight for part, weight in zip(parts, column, strict=True))
               for column in zip(*rows, strict=True)]
    return [(common * scale << _INVERSES) // chance if chance else 0 for chance in chances]


def known_part(workload: Workload, prior: Fractions) -> Fraction:
    """‖W p‖²: the squared answers at the prior."""
    answers = [sum((a * b for a, b in zip(row, prior, strict=True)), Fraction(0))
               for row in workload.rows]
    return sum((answer * answer for answer in answers), Fraction(0))


def _broken_ray(
    Z: tuple[Fractions, ...], y: Fractions, prior: Fractions, ratio: Fraction
) -> tuple[int, ...] | None:
    """The values of a ray that breaks the inequality; rays follow each other as in a Gray code.

    Twice a ray is scaled: v = d + (n - d) on the values of a set, for a ratio n/d. Numbers are
    multiplied by common denominators, one of Z and one of each vector, which cancel.
    """
    scale, scale_y, scale_p = (_denominator(numbers) for numbers in (
        [z for row in Z for z in row], y, prior))
    low, step = ratio.denominator, ratio.numerator - ratio.denominator
    zs = [[int(z * scale) for z in row] for row in Z]
    ys, ps = [int(value * scale_y) for value in y], [int(value * scale_p) for value in prior]
    images = [low * sum(column) for column in zip(*zs, strict=True)]
    along_y, along_p = low * sum(ys), low * sum(ps)
    inside = [False] * len(zs)
    factor, squared = scale * scale, scale_y * scale_p
    for number in range(1, 2 ** len(zs)):
        value = (number & -number).bit_length() - 1  # the value that enters or leaves
        sign = -step if inside[value] else step
        inside[value] = not inside[value]
        images = [image + sign * z for image, z in zip(images, zs[value], strict=True)]
        along_y += sign * ys[value]
        along_p += sign * ps[value]
        if sum(image * image for image in images) * squared > along_p * along_y * factor:
            return tuple(place for place, chosen in enumerate(inside) if chosen)
    return None


def _denominator(numbers: list[Fraction] | Fractions) -> int:
    return lcm(*(Fraction(number).denominator for number in numbers))
