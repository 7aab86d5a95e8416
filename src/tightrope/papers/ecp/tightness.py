"""ECP, Section 6: tight-constraints mechanisms, when they exist and what they are best for."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq_mat

from tightrope.constructions import (
    exponential,
    min_loss_given_level,
    tight_constraints,
    tight_weights,
    truncated_geometric,
)
from tightrope.errors import BadSpace, Infeasible
from tightrope.exact import Level, from_flint, to_flint, tolerances
from tightrope.mechanisms import finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import verify
from tightrope.spaces import matrix, parse, path, star
from tightrope.utility import Prior, binary

_TWO = Fraction(2)
_EVEN = (Fraction(1, 4),) * 4
_SLOPED = (Fraction(3, 10), Fraction(27, 100), Fraction(23, 100), Fraction(1, 5))
_PAIRED = (Fraction(2, 5), Fraction(2, 5), Fraction(1, 10), Fraction(1, 10))


def _private(*, sides: tuple[int, ...] = (1, 1, 2), ratio: Fraction = Fraction(4)) -> Finding:
    a, b, c = sides
    far = [[0, a, c], [a, 0, b], [c, b, 0]]
    kernel = fmpq_mat(3, 3, [to_flint(ratio**-d) for row in far for d in row])
    weights = [from_flint(w) for w in kernel.solve(fmpq_mat(3, 1, [1, 1, 1])).entries()]
    told = [[weights[z] * ratio ** -far[y][z] for z in range(3)] for y in range(3)]
    worst = max(
        told[y][z] / told[x][z] / ratio ** far[x][y]
        for x in range(3)
        for y in range(3)
        for z in range(3)
    )
    try:
        space, level = matrix(range(3), far), Level.ratio(ratio)
        made = finite(tight_constraints(space, level).mechanism)
        same = [list(made.row_at(y)) for y in range(3)] == told
        private = same and verify(made, space, level).holds
    except BadSpace:  # no metric: the law is the one solved for above
        private = False
    return finding(
        "every tight-constraints mechanism is private",
        f"three points at distances {', '.join(map(str, sides))}, e^ε = {ratio}: diagonal "
        f"{', '.join(map(str, weights))}, the largest ratio over e^(εd) is {worst}",
        private and min(weights) >= 0 and worst <= 1,
        "by the triangle inequality; without it h = e^(-εd) h_zz breaks a constraint.",
    )


def _diagonal(
    *, points: int = 5, ratio: Fraction = _TWO, mechanism: str = "geometric"
) -> Finding:
    space, level = path(0, points - 1), Level.ratio(ratio)
    make = truncated_geometric if mechanism == "geometric" else exponential
    told = finite(make(space, level).mechanism)
    sums = [
        sum(ratio ** -abs(y - z) * told.row_at(z)[z] for z in range(points)) for y in range(points)
    ]
    return finding(
        "a private mechanism has tight constraints if and only if Φ diag(H) = 1",
        f"the {mechanism} on {points} points at e^ε = {ratio}: Φ diag(H) from "
        f"{float(min(sums)):.6f} to {float(max(sums)):.6f}",
        set(sums) == {1},
        "for a count the tight-constraints mechanism is the truncated geometric.",
    )


def _best(
    *, space: str = "categories:4", prior: tuple[Fraction, ...] = _SLOPED, ratio: Fraction = _TWO
) -> Finding:
    where, level = parse(space), Level.ratio(ratio)
    told = finite(tight_constraints(where, level).mechanism)
    gain = sum(p * told.row_at(y)[y] for y, p in enumerate(prior))
    optimum = min_loss_given_level(where, level, prior=Prior(prior), loss=binary)
    assert optimum.value is not None
    return finding(
        "for a regular prior, tight constraints have the largest gain",
        f"{space}, e^ε = {ratio}, prior ({', '.join(map(str, prior))}): {float(gain):.6f}, the "
        f"best of all mechanisms {1 - optimum.value:.6f}",
        abs(float(gain) - (1 - optimum.value)) < tolerances.SOLVER_ERROR,
        "the optimum is proved; for a prior that is not regular another mechanism can be better.",
    )


def _skew(
    *, prior: tuple[Fraction, ...] = _EVEN, ratio: Fraction = _TWO
) -> Finding:
    return _best(prior=prior, ratio=ratio)


def _exists(
    *, leaves: int = 3, ratios: tuple[Fraction, ...] = (Fraction(3, 2), _TWO, Fraction(4))
) -> Finding:
    exists = []
    for ratio in ratios:
        try:
            tight_weights(star(leaves), Level.ratio(ratio))
            exists.append(True)
        except Infeasible:
            exists.append(False)
    # μ of the uniform prior: the center has (1 - (n - 1)x)/(1 + x) for n leaves, x = e^-ε
    regular = [1 - (leaves - 1) / ratio >= 0 for ratio in ratios]
    answers = zip(ratios, exists, strict=True)
    listed = ", ".join(f"{ratio}: {'yes' if yes else 'no'}" for ratio, yes in answers)
    return finding(
        "a tight-constraints mechanism exists if and only if the uniform prior is regular",
        f"star with {leaves} leaves, e^ε = {listed}; the coefficient of the center is "
        f"(1 - {leaves - 1}e^-ε)/(1 + e^-ε)",
        exists == regular and not all(exists),
        "decided exactly at each level, also at the tie.",
    )


def _symmetric(
    *, space: str = "cycle:5", ratio: Fraction = _TWO, minus: bool = False
) -> Finding:
    where, level = parse(space), Level.ratio(ratio)
    size = where.size
    far = [[int(str(where.distance(i, j))) for j in range(size)] for i in range(size)]
    total = sum(ratio**-d for d in far[0])
    sign = -1 if minus else 1
    rows = [[ratio ** (sign * d) / total for d in row] for row in far]
    told = finite(tight_constraints(where, level).mechanism)
    same = all(list(told.row_at(y)) == rows[y] for y in range(size))
    falls = all(list(told.row_at(y)) == [ratio**-d / total for d in far[y]] for y in range(size))
    return finding(
        "Proposition 9: h = e^(d(y, y'))/Σ n_r e^(-r) for spaces whose balls have one size",
        f"{space} at e^ε = {ratio}: rows of that formula {'with' if minus else 'without'} the "
        f"minus add up to {sum(rows[0])}; the mechanism itself has {told.row_at(0)[0]} on the "
        f"diagonal and is {'the same' if same else 'another one'}",
        same,
        "a minus is missing: e^(-d(y, y')).",
        ours=falls,
    )


ITEMS = (
    Item("ecp", "proposition-6", "Tight constraints are private", Verdict.CONFIRMED, _private,
         varied={"ratio": Fraction(5), "sides": (1, 2, 2)}, dropped={"sides": (1, 1, 3)}),
    Item("ecp", "proposition-7", "The diagonal decides", Verdict.CONFIRMED, _diagonal,
         varied={"points": 4, "mechanism": "exponential"}, dropped={"mechanism": "exponential"}),
    Item("ecp", "theorem-4", "Tight constraints are optimal", Verdict.CONFIRMED, _best,
         varied={"ratio": Fraction(3)}, dropped={"prior": _PAIRED}),
    Item("ecp", "proposition-8", "Existence and the uniform prior", Verdict.CONFIRMED, _exists,
         varied={"leaves": 4}, dropped={"leaves": 2}),
    Item("ecp", "corollary-3", "Optimal for the uniform prior", Verdict.CONFIRMED, _skew,
         varied={"ratio": Fraction(3)}, dropped={"prior": _PAIRED}),
    Item("ecp", "proposition-9", "Symmetric spaces", Verdict.CORRECTED, _symmetric,
         varied={"ratio": Fraction(3)}, dropped={"minus": True}),
)
