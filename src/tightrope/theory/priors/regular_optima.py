"""Is a mechanism optimal for every regular prior, and by which remap? Decided exactly.

Let Φ hold e^(-ε d). A private mechanism H with a remap R has the slack s = 1 - Φ diag(H R) >= 0,
and under a prior π = μ Φ its binary gain is Σ μ - μ s (ECP, Lemma 1). The mean of the corner
priors has μ above 0 everywhere: H attains Σ μ under that one prior iff s = 0 for the best remap of
it, and then it does under every regular prior (Theorem 2). So one remap decides Theorem 4, and no
search over remaps is needed: H is optimal for all regular priors iff H R is a tight-constraints
mechanism. For the uniform prior alone (Corollary 3) the gain is compared with Σ w / n, Φ w = 1.
Without such weights the theorem is silent: then a mechanism that gains more under the mean prior
refutes optimality, and nothing is claimed without one. At any level and with any remap the gain is
(1 - max s) Σ μ at least, under every regular prior.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

import numpy as np
from flint import arb, ctx

from tightrope.constructions import design
from tightrope.errors import NotPrivate, TooLarge
from tightrope.exact import Level, Number, ball_of, float_above
from tightrope.lp import Separated, nonnegative_solution
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form
from tightrope.privacy import Refutation, level_of, verify
from tightrope.spaces import Label, Space, distance_table, require_connected, space_of
from tightrope.utility import Prior

Rows = tuple[tuple[Fraction, ...], ...]

MOST_DECIDED = 64
"""Points of a space on which optimality is decided in fractions."""

MOST_REFUTED = 12
"""Points of a space without weights on which a better mechanism is looked for: a second."""

_BITS = 160


@dataclass(frozen=True)
class RegularOptimum:
    """Whether a private mechanism is optimal for every regular prior, and what decides it.

    `remap` is the best remap of each output under the mean of the corner priors, `slack` the
    vector s of that remap. `weights` is a w >= 0 with Φ w = 1, the diagonal of a tight-constraints
    mechanism; None if there is none, and then no mechanism attains the bound everywhere. `uniform`
    says whether it is optimal for the uniform prior (None without weights). `better` is the gain
    of another mechanism under the mean of the corner priors, if that is more; looked for without
    weights alone.
    """

    phi: Rows
    outputs: tuple[Label, ...]
    remap: tuple[Label, ...]
    slack: tuple[Fraction, ...]
    weights: tuple[Fraction, ...] | None
    uniform: bool | None
    better: Fraction | None = None

    __repr__ = brief

    @property
    def optimal(self) -> bool | None:
        """Whether it is optimal for every regular prior (Theorem 4); None where not decided."""
        if not any(self.slack):
            return True
        return None if self.weights is None and self.better is None else False


def exact_kernel(space: Space, level: Level) -> Rows | None:
    """Φ in fractions; None for many points, or where some e^(ε d) is no fraction.

    >>> from tightrope.spaces import path
    >>> [list(map(str, row)) for row in exact_kernel(path(0, 1), Level.ratio(2))]
    [['1', '1/2'], ['1/2', '1']]
    """
    if space.size > MOST_DECIDED:
        return None
    classes, table = distance_table(space)
    powers = [level.power(distance) for distance in classes]
    values = [1 / power for power in powers if power is not None]
    if len(values) < len(powers):
        return None
    return tuple(tuple(values[k] for k in row) for row in table.tolist())


def regular_optimum(
    mechanism: FiniteMechanism | Held | Matrix,
    epsilon: Level | Number | None = None,
    space: Space | str | None = None,
    *,
    ratio: Number | None = None,
) -> RegularOptimum:
    """Decide whether a private mechanism is optimal for every regular prior (ECP, Theorem 4).

    Optimal means for the binary gain with the best remap, and so for min-entropy leakage.

    Returns: a `RegularOptimum`; `optimal` and `uniform` are the answers, `slack` the proof.

    Raises: `NotPrivate` at this level; `TooLarge` where some e^(ε d) is no fraction, or beyond 64
    points; `BadInput` for an ε that is not above 0, or an infinite distance.

    >>> third = Fraction(1, 3)
    >>> answers = [[2 * third, third / 2, third / 2], [third, third / 2, third / 2]]
    >>> answers[1] = [third, third, third]
    >>> told = regular_optimum(answers, ratio=2, space="categories:2")
    >>> told.optimal, told.remap, told.uniform
    (True, (0, 1, 1), True)
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    form = matrix_form(mechanism, None if space is None else space_of(space))
    points = form.space
    require_connected(points, "regular priors are for")
    phi = exact_kernel(points, level)
    if phi is None:
        raise TooLarge("the number of points with e^(ε d) a fraction", points.size, MOST_DECIDED,
                       "state the level as a ratio")
    verdict = verify(form, points, level)
    if isinstance(verdict, Refutation):
        raise NotPrivate(verdict)
    rows = tuple(tuple(form.row(x)) for x in points.points)
    return decide(points, level, phi, rows, tuple(form.outputs))


def decide(
    space: Space, level: Level, phi: Rows, rows: Rows, outputs: tuple[Label, ...]
) -> RegularOptimum:
    """The answer for rows that are known to be private."""
    size = range(space.size)
    sums = [sum(row) for row in phi]
    mean = [sum(phi[y][x] / sums[y] for y in size) / size.stop for x in size]
    columns = list(zip(*rows, strict=True))
    places = [max(size, key=lambda y, column=column: mean[y] * column[y])  # type: ignore[misc]
              for column in columns]
    diagonal = [sum((column[y] for column, place in zip(columns, places, strict=True)
                     if place == y), Fraction(0)) for y in size]
    slack = tuple(1 - sum((phi[y][x] * diagonal[x] for x in size), Fraction(0)) for y in size)
    solved = nonnegative_solution(phi, [Fraction(1) for _ in size])
    weights = None if isinstance(solved, Separated) else solved
    better = None
    if weights is None and size.stop <= MOST_REFUTED:
        best = design(space, level, prior=Prior.of(mean), loss="binary", exact=True).mechanism
        other = zip(*(matrix_form(best).row(x) for x in space.points), strict=True)
        gains = [gain_of(mean, lines) for lines in (other, columns)]
        better = gains[0] if gains[0] > gains[1] else None
    return RegularOptimum(
        phi, outputs, tuple(space.points[place] for place in places), slack, weights,
        None if weights is None else sum(map(max, columns)) == sum(weights), better)


def gain_of(prior: Sequence[Fraction], columns: Iterable[Sequence[Fraction]]) -> Fraction:
    """The binary gain under a prior with the best remap."""
    return sum((max(map(mul, prior, column)) for column in columns), Fraction(0))


def largest_slack(space: Space, level: Level, rows: Rows) -> float:
    """A double at or above the largest slack of private rows at any level, with one good remap.

    Under every regular prior the rows gain at least 1 less this of what any mechanism gains.

    >>> from tightrope.spaces import path
    >>> half = Fraction(1, 2)
    >>> slack = largest_slack(path(0, 1), Level.ratio(2), ((half, half), (half, half)))
    >>> slack >= 0.5, round(slack, 12)
    (True, 0.5)
    """
    classes, table = distance_table(space)
    shares = np.exp([-float(level) * float(distance) for distance in classes])[table]
    mean = (shares / shares.sum(axis=1, keepdims=True)).sum(axis=0)
    places = np.argmax(mean[:, None] * np.array(rows, dtype=np.float64), axis=0)
    diagonal = [Fraction(0)] * space.size
    for k, place in enumerate(places.tolist()):
        diagonal[place] += rows[place][k]
    with ctx.workprec(_BITS):
        powers = [(-level.ball(_BITS) * distance.ball(_BITS)).exp() for distance in classes]
        weights = [ball_of(p, _BITS) for p in diagonal]
        worst = arb(0)
        for line in table.tolist():
            filled = sum((powers[k] * p for k, p in zip(line, weights, strict=True)), arb(0))
            worst = worst.max(1 - filled)
        return float_above(worst)
