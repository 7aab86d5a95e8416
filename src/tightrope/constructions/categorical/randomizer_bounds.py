"""A lower bound on the variance of every private randomizer, proved by multipliers.

A randomizer for k values has columns θ_j v_j that add up to one, with v_j in the privacy cone.
Let a_j be the estimate of W π that output j stands for, unbiased: Σ_j θ_j v_j[x] a_j = W e_x.
At the prior p its variance is Σ_j θ_j (v_j·p) ‖a_j‖² - ‖W p‖². For a k × m matrix Z and y with

    ‖Zᵀ v‖² ≤ (v·p)(v·y)    for every v in the cone,

tr(W Z) = Σ θ_j a_j·Zᵀv_j ≤ ½ Σ θ_j (‖a_j‖² v_j·p + v_j·y), so that the variance is at least
2 tr(W Z) - Σ y - ‖W p‖². The vectors v that meet it form a convex cone, so extreme rays suffice:
1 and r on the values, r ≥ e^ε. All of them are tried in whole numbers, one value at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from tightrope.constructions.categorical.workloads import Row, Workload
from tightrope.errors import BadInput


@dataclass(frozen=True)
class Multipliers:
    """The matrix Z, a row for each value, and the vector y."""

    Z: tuple[Row, ...]
    y: Row


def prove_variance_bound(
    workload: Workload, prior: Row, ratio: Fraction, multipliers: Multipliers
) -> Fraction:
    """The proved bound: no unbiased randomizer with ratios up to `ratio` has a smaller variance.

    Raises: `BadInput` with the set of values whose ray breaks the inequality.

    >>> from tightrope.constructions.categorical.workloads import workload_of
    >>> half, z = Fraction(1, 2), Fraction(9, 8)
    >>> proved = Multipliers(((0,), (0,)), (0, 0))
    >>> prove_variance_bound(workload_of([0, 1], 2), (half, half), Fraction(3), proved)
    Fraction(-1, 4)
    """
    Z, y = multipliers.Z, multipliers.y
    if broken := _broken_ray(Z, y, prior, ratio):
        raise BadInput(f"the multipliers prove nothing: the ray of values {broken} breaks them.")
    trace = sum((weight * z for row, column in zip(workload.rows, zip(*Z, strict=True), strict=True)
                 for weight, z in zip(row, column, strict=True)), Fraction(0))
    return 2 * trace - sum(y, Fraction(0)) - known_part(workload, prior)


def known_part(workload: Workload, prior: Row) -> Fraction:
    """‖W p‖²: the squared answers at the prior."""
    answers = [sum((a * b for a, b in zip(row, prior, strict=True)), Fraction(0))
               for row in workload.rows]
    return sum((answer * answer for answer in answers), Fraction(0))


def _broken_ray(
    Z: tuple[Row, ...], y: Row, prior: Row, ratio: Fraction
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
        if sum(image * image for image in images) * squared > along_p * along_y * factor or (
                along_y < 0):
            return tuple(place for place, chosen in enumerate(inside) if chosen)
    return None


def _denominator(numbers: list[Fraction] | Row) -> int:
    return lcm(*(Fraction(number).denominator for number in numbers))
