"""The most telling mechanisms at a level, by measures that post-processing never raises.

Mutual information and the distance between the laws of two inputs are sums over outputs of a
convex function of the column, homogeneous of degree 1. So an optimal mechanism consists of
extreme rays of the privacy cone, and how much of each is a linear program with an equation for
each input (KL10, Axiom 3.1.4 and Theorem 3.3.3). Its prices y prove a bound: Σ y for every
mechanism, if Σ_i y_i v_i is at least the measure of every extreme ray v; that is checked with
balls, at a ratio at or above e^ε. The determinant is no such sum. It is exact for two and three
inputs (`determinants`). For rows m_i and any spanning tree of the inputs |det| is at most the
product, over its edges, of the total variations of the two rows (expand all rows but one as
differences), each at most tanh(ε d/2): a bracket.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, comb
from typing import Any, assert_never

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat

from tightrope.characters import shorten
from tightrope.choices import Measure, member_of
from tightrope.errors import Infeasible, Refused, TooLarge
from tightrope.exact import (
    Level,
    Number,
    Surd,
    Weights,
    ball_of,
    float_above,
    float_below,
    from_flint,
    lower_bound,
    sizes,
    to_flint,
    tolerances,
    upper_bound,
)
from tightrope.facts import Fact, Facts, Shown, brief_text, card_of, data, lines_of
from tightrope.lp import RationalProgram, minimize_exactly
from tightrope.mechanisms import (
    FiniteMechanism,
    MatrixMechanism,
    finite,
    mechanism_picture,
)
from tightrope.privacy import Certified, certified, level_of, promises, proof_facts
from tightrope.spaces import Space, pair_classes, require_connected, space_of
from tightrope.theory.polytope.determinants import best_three
from tightrope.theory.polytope.ergodicity import least_overlap
from tightrope.theory.polytope.rays import Heights, extreme_rays, rays_at
from tightrope.utility import Prior, PriorLike, determinant, dobrushin_optimum, prior_of, uniform

MOST_PAIRS = 45
"""Pairs of inputs for each of which a program is solved, at most."""
MOST_CHOICES = 200_000
"""Sets of extreme rays that are tried as the columns of a square matrix, at most."""
_ZERO, _ONE = Fraction(0), Fraction(1)
_BITS = 128
_FAR = Fraction(10**6)  # what a column that stands in for none costs
Ray = tuple[Fraction, ...]


@dataclass(frozen=True)
class MostTelling:
    """A proved mechanism, how much it tells, and what no mechanism at the level exceeds.

    `value` is at or below the measure of the mechanism and `bound` at or above that of every
    mechanism at the level; where they are the same number, the optimum is exact.
    """

    measure: Measure
    certified: Certified
    value: Fraction
    bound: Fraction
    theorem: str

    @property
    def gap(self) -> float:
        """How far the bound is above the value, at most."""
        return float_above(ball_of(self.bound - self.value, 64))

    def facts(self) -> Facts:
        """The measure of the mechanism, the proved bound, the proof of the level, the space."""
        unit = "bits" if self.measure is Measure.MUTUAL_INFORMATION else ""
        mechanism, exact = finite(self.certified.mechanism), self.value == self.bound
        outputs = len(mechanism.outputs)
        most = float_above(ball_of(self.bound, 64))
        return Facts(
            "MostTelling",
            f"most telling by {self.measure.value} on {shorten(mechanism.space.text)}, "
            f"{self.certified.certificate.level!s}",
            (Fact("value", self.measure.value, Shown(
                 float_below(ball_of(self.value, 64)), f"{float(self.value):.10g}"), unit),
             Fact("bound", "best possible", Shown(most, "the same: this is the optimum" if exact
                  else f"at most {float(self.bound):.10g}{unit and ' '}{unit}, proved")),
             Fact("theorem", "by", self.theorem, detail=True),
             *data(measure=self.measure, gap=self.gap),
             *proof_facts(self.certified),
             *data(checked=self.certified.certificate.checked),
             Fact("space", "space", brief_text(mechanism.space.text),
                  meaning=f"{mechanism.space.size:,} inputs, {outputs:,} outputs", detail=True),
             *data(outputs=outputs)),
            promises(self.certified),
            lambda: mechanism_picture(mechanism),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def max_measure_given_level(
    space: Space | str,
    epsilon: Level | Number | None = None,
    measure: Measure | str = "",
    *,
    ratio: Number | None = None,
    prior: PriorLike = uniform,
) -> MostTelling:
    """The mechanism at a level that tells most by a measure, with a proof of how near it is.

    `dobrushin`: how little the laws of two inputs overlap at least; `mutual-information` of input
    and output in bits, for a prior; `determinant` of a square matrix, exact for two or three
    inputs, for more between two bounds.

    Returns: a `MostTelling`: a certified mechanism, its `value`, and the `bound` that none exceeds.

    Raises: `BadInput` for an unknown measure, or an ε that is not above 0; `TooLarge` for too many
    points; `Refused` for a δ above 0.

    >>> found = max_measure_given_level("categories:3", "ln(2)", "dobrushin")
    >>> found.value, found.bound
    (Fraction(-2, 3), Fraction(-2, 3))
    >>> told = max_measure_given_level("categories:2", "ln(3)", "mutual-information")
    >>> round(float(told.value), 6), told.gap < 1e-9
    (0.188722, True)
    """
    asked, points = Level.positive(level_of(epsilon, ratio=ratio)), space_of(space)
    if asked.delta:
        raise Refused("measures are maximized at δ = 0 only; give a level without a δ.")
    require_connected(points, "a measure is maximized on")
    kind = member_of(Measure, measure)
    match kind:
        case Measure.DOBRUSHIN:
            return _dobrushin(points, asked)
        case Measure.MUTUAL_INFORMATION:
            return _information(points, asked, prior_of(prior, points))
        case Measure.DETERMINANT:
            return _determinant(points, asked)
    assert_never(kind)


def _dobrushin(space: Space, level: Level) -> MostTelling:
    steps = space.diameter.rational
    if steps is not None and pair_classes(space, space.edges())[0] == [Surd.of(1)]:
        made = least_overlap(space, level)
        value = -min(_overlap(made, i, j) for i, j in _farthest(made))
        theorem = "KL10, Lemma 3.3.8, with the diameter: two inputs that are farthest apart"
        bound = dobrushin_optimum(int(steps), level)[1]
        return MostTelling(Measure.DOBRUSHIN, certified(made, level), value, bound, theorem)
    pairs = comb(space.size, 2)
    if pairs > MOST_PAIRS:
        raise TooLarge("the number of pairs of inputs", pairs, MOST_PAIRS,
                       "on more points the distances must be numbers of steps")
    rays, best, bound = extreme_rays(space), None, -_ONE
    for i, j in combinations(range(space.size), 2):
        def apart(v: Ray, i: int = i, j: int = j) -> tuple[Fraction, Fraction]:
            exact = abs(v[i] - v[j]) / 2
            return exact, exact

        made, value, most = _maximum(space, level, rays, apart)
        bound = max(bound, most - 1)
        if best is None or value > best[1]:
            best = made, value
    assert best is not None
    theorem = "a program over all extreme rays for every pair of inputs"
    return MostTelling(
        Measure.DOBRUSHIN, certified(best[0], level), best[1] - 1, bound, theorem
    )


def _farthest(made: MatrixMechanism) -> Sequence[tuple[int, int]]:
    """The pair that the two outputs tell apart best."""
    near = [made.row_at(i)[0] for i in range(made.space.size)]
    return [(near.index(max(near)), near.index(min(near)))]


def _overlap(mechanism: FiniteMechanism, i: int, j: int) -> Fraction:
    both = zip(mechanism.row_at(i), mechanism.row_at(j), strict=True)
    return sum((min(p, q) for p, q in both), _ZERO)


def _information(space: Space, level: Level, prior: Prior) -> MostTelling:
    weights = prior.exact(space)

    def told(v: Ray) -> tuple[Fraction, Fraction]:
        ball = information_of(v, weights)
        return lower_bound(ball), upper_bound(ball)

    made, value, bound = _maximum(space, level, extreme_rays(space), told)
    theorem = "a program over all extreme rays of the privacy cone, and its prices"
    return MostTelling(
        Measure.MUTUAL_INFORMATION, certified(made, level), value, max(bound, value), theorem
    )


def information_of(column: Ray, prior: Sequence[Fraction]) -> arb:
    """The mutual information of one column, in bits: Σ π v log2(v / Σ π v)."""
    mean = sum((w * v for w, v in zip(prior, column, strict=True)), _ZERO)
    with ctx.workprec(_BITS):
        total = arb(0)
        for w, v in zip(prior, column, strict=True):
            if w and v != mean:
                total += ball_of(w * v, _BITS) * ball_of(v / mean, _BITS).log()
        return total / arb(2).log()


def _maximum(
    space: Space, level: Level, rays: Sequence[Heights], measured: Any
) -> tuple[MatrixMechanism, Fraction, Fraction]:
    """The mechanism of rays with the largest sum, that sum from below, and a proved bound."""
    _check_reach(space, level)
    columns = rays_at(rays, level)
    size = space.size
    costs = [-measured(v)[0] for v in columns] + [_FAR] * size
    sparse = [list(enumerate(v)) for v in columns] + [[(i, _ONE)] for i in range(size)]
    start = range(len(columns), len(sparse))
    optimum = minimize_exactly(RationalProgram(costs, sparse, [_ONE] * size, start))
    used = [(v, w) for v, w in zip(columns, optimum.x, strict=False) if w]
    if not used or any(optimum.x[len(columns) :]):
        raise Infeasible(f"no extreme rays of {space.text} add up to one.")
    table = [[w * v[i] for v, w in used] for i in range(size)]
    made = MatrixMechanism(space, range(len(used)), Weights.from_fractions(table))
    value = sum((measured(tuple(w * x for x in v))[0] for v, w in used), _ZERO)
    prices = [-y for y in optimum.prices]
    short = _ZERO  # what the prices miss, per unit of a ray
    for v in rays_at(rays, level, above=True):
        missing = measured(v)[1] - sum((y * x for y, x in zip(prices, v, strict=True)), _ZERO)
        short = max(short, missing / sum(v))
    return made, value, sum(prices, _ZERO) + size * short


def _check_reach(space: Space, level: Level) -> None:
    reach = float(level) * float(space.diameter)
    if reach > sizes.LARGEST_CONE_REACH:
        raise TooLarge("ε times the diameter", ceil(reach), sizes.LARGEST_CONE_REACH,
                       "beyond, powers of e leave the range of doubles; use a smaller ε")


def _determinant(space: Space, level: Level) -> MostTelling:
    _check_reach(space, level)
    if space.size == 3:
        value, columns = best_three(space, level)
        table = list(zip(*columns, strict=True))
        made = MatrixMechanism(space, range(3), Weights.from_fractions(table))
        theorem = "two extreme rays and what is left of 1 suffice for three inputs; all were tried"
        most = best_three(space, level, above=True)[0]
        return MostTelling(Measure.DETERMINANT, certified(made, level), value, most, theorem)
    made = _square(space, level)
    bound = _ONE
    for i, j in _spanning_tree(space):
        most = level.ratio_above(space.distance(i, j))
        bound *= (most - 1) / (most + 1)
    theorem = (
        "the best square mechanism of extreme rays; |det| is at most the product of tanh(ε d/2) "
        "over a shortest spanning tree"
    )
    proof = certified(made, level)
    return MostTelling(Measure.DETERMINANT, proof, determinant(made), bound, theorem)


def _square(space: Space, level: Level) -> MatrixMechanism:
    """The best of all square mechanisms whose columns are extreme rays, found in doubles."""
    size = space.size
    rays = rays_at(extreme_rays(space), level)
    choices = comb(len(rays), size)
    if choices > MOST_CHOICES:
        raise TooLarge("the number of sets of extreme rays", choices, MOST_CHOICES,
                       "the determinant is maximized on smaller spaces")
    scaled = np.array([[float(x / max(v)) for x in v] for v in rays])
    sets = np.array(list(combinations(range(len(rays)), size)))
    best: tuple[float, tuple[int, ...]] | None = None
    for part in np.array_split(sets, max(1, len(sets) // 20_000)):
        tables = scaled[part].transpose(0, 2, 1)
        sizes = np.abs(np.linalg.det(tables))
        regular = sizes > tolerances.SOLVER_ERROR
        tables, sizes, kept = tables[regular], sizes[regular], part[regular]
        if not len(tables):
            continue
        shares = np.linalg.solve(tables, np.ones((len(tables), size, 1)))[..., 0]
        told = np.where((shares > 0).all(axis=1), sizes * np.prod(shares, axis=1), -1.0)
        k = int(told.argmax())
        if told[k] > 0 and (best is None or told[k] > best[0]):
            best = float(told[k]), tuple(int(c) for c in kept[k])
    if best is None:
        raise Infeasible(f"no {size} extreme rays of {space.text} make a square mechanism.")
    return _exact_square(space, [rays[c] for c in best[1]])


def _exact_square(space: Space, rays: Sequence[Ray]) -> MatrixMechanism:
    size = space.size
    matrix = fmpq_mat(size, size, [to_flint(v[i]) for i in range(size) for v in rays])
    solution = matrix.solve(fmpq_mat(size, 1, [fmpq(1)] * size))
    shares = [from_flint(solution[k, 0]) for k in range(size)]
    if min(shares) <= 0:
        raise Infeasible(f"no {size} extreme rays of {space.text} make a square mechanism.")
    table = [[w * v[i] for v, w in zip(rays, shares, strict=True)] for i in range(size)]
    return MatrixMechanism(space, range(size), Weights.from_fractions(table))


def _spanning_tree(space: Space) -> list[tuple[int, int]]:
    """Pairs that join all points and are as short as possible (Prim)."""
    nearest = dict.fromkeys(range(1, space.size), 0)
    tree = []
    while nearest:
        j = min(nearest, key=lambda k: (space.distance(k, nearest[k]), k))
        tree.append((nearest.pop(j), j))
        for k, i in nearest.items():
            if space.distance(k, j) < space.distance(k, i):
                nearest[k] = j
    return tree
