"""ECP, Section 4: what regular priors look like, and how large their region is."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.exact import Level
from tightrope.kernels import Regular, corner_priors, regular_bounds, regularity
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.spaces import Space, categories, cycle, path
from tightrope.utility import Prior

_CORNER = (Fraction(4, 7), Fraction(2, 7), Fraction(1, 7))
_STEEP = (Fraction(5, 8), Fraction(2, 8), Fraction(1, 8))
_MIXED = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))
_VALLEY = (Fraction(2, 5), Fraction(1, 5), Fraction(2, 5))
_TWO = Fraction(2)


def _text(prior: tuple[Fraction, ...]) -> str:
    return f"({', '.join(map(str, prior))})"


def _regular(prior: tuple[Fraction, ...], ratio: Fraction) -> bool:
    verdict = regularity(path(0, len(prior) - 1), Level.ratio(ratio), Prior(prior))
    return isinstance(verdict, Regular)


def _ratios(*, prior: tuple[Fraction, ...] = _CORNER, ratio: Fraction = _TWO) -> Finding:
    most = max(
        prior[i] / prior[j] / ratio ** abs(i - j)
        for i in range(len(prior))
        for j in range(len(prior))
    )
    return finding(
        "for a regular prior π_y/π_y' is at most e^(d(y, y')); the converse does not hold",
        f"{_text(prior)} on a path at e^ε = {ratio}: regular {_regular(prior, ratio)}, largest "
        f"π_y/π_y' over e^(εd) is {most}; {_text(_VALLEY)} keeps the bound at 2 and is regular: "
        f"{_regular(_VALLEY, _TWO)}",
        most <= 1 and _regular(prior, ratio) and not _regular(_VALLEY, _TWO),
        "the middle point of the second prior is too rare for a mixture of corners.",
    )


def _bounds(*, prior: tuple[Fraction, ...] = _CORNER, ratio: Fraction = _TWO) -> Finding:
    space, level = path(0, len(prior) - 1), Level.ratio(ratio)
    low, high = regular_bounds(space, level)
    inside = all(low[y] <= float(p) <= high[y] + 2.0**-50 for y, p in enumerate(prior))
    attained = np.allclose(corner_priors(space, level).diagonal(), high, rtol=2.0**-45, atol=0)
    return finding(
        "1/Σ e^(d(y, y')) <= π_y <= 1/Σ e^(-d(y, y')) for a regular prior; the corners attain it",
        f"on a path at e^ε = {ratio} from {', '.join(f'{x:.6f}' for x in low)} to "
        f"{', '.join(f'{x:.6f}' for x in high)}, attained by the corners: {attained}; "
        f"{_text(prior)} lies within: {inside}",
        attained and inside,
        "both sums follow from Proposition 1.",
    )


def _mixture(*, prior: tuple[Fraction, ...] = _MIXED, ratio: Fraction = _TWO) -> Finding:
    space = path(0, len(prior) - 1)
    verdict = regularity(space, Level.ratio(ratio), Prior(prior))
    if not isinstance(verdict, Regular):
        return finding(_CONVEX, f"{_text(prior)} at e^ε = {ratio} is not regular", False, _WHY)
    sums = [sum(ratio ** -abs(i - j) for j in range(len(prior))) for i in range(len(prior))]
    mu = verdict.coefficients.each
    shares = [m * total for m, total in zip(mu, sums, strict=True)]
    back = [sum(m * ratio ** -abs(i - j) for i, m in enumerate(mu)) for j in range(len(prior))]
    return finding(
        _CONVEX,
        f"{_text(prior)} on a path at e^ε = {ratio}: shares {', '.join(map(str, shares))} of the "
        f"corners, {sum(shares)} together",
        sum(shares) == 1 and min(shares) >= 0 and tuple(back) == prior,
        _WHY,
    )


_CONVEX = "a prior is regular if and only if it is a mixture of the corner priors"
_WHY = "γ_y = μ_y Σ e^(-εd(y, y')) in exact fractions."


def _volume(space: Space, level: Level) -> float:
    """The share of all priors that is regular: the determinant of the corners."""
    return abs(float(np.linalg.det(corner_priors(space, level))))


def _tetrahedron(
    *, points: int = 4, distances: tuple[Fraction, ...] = (Fraction(1, 2), Fraction(1), Fraction(2))
) -> Finding:
    volumes = [_volume(categories(points), Level.epsilon(far)) for far in distances]
    x = np.exp(-np.array([float(far) for far in distances]))
    closed = ((1 - x) / (1 + (points - 1) * x)) ** (points - 1)
    return finding(
        "the larger D, the bigger the region of regular priors",
        f"{points} points at D = {', '.join(map(str, distances))}: the region is "
        f"{', '.join(f'{volume:.6f}' for volume in volumes)} of all priors",
        volumes == sorted(volumes) and bool(np.allclose(volumes, closed)),
        "the share is ((1 - e^-D)/(1 + (n - 1)e^-D))^(n - 1); Figure 3 shows the region.",
    )


def _triangles(
    *, epsilons: tuple[Fraction, ...] = (Fraction(7, 10), Fraction(16, 10))
) -> Finding:
    shares = {
        name: [_volume(space, Level.epsilon(epsilon)) for epsilon in epsilons]
        for name, space in (("line", path(0, 2)), ("circle", cycle(3)))
    }
    shown = "; ".join(
        f"{name}: {', '.join(f'{share:.6f}' for share in each)}" for name, each in shares.items()
    )
    x = np.exp(-np.array([float(epsilon) for epsilon in epsilons]))
    line = (1 - x**2) ** 2 / ((1 + x + x**2) ** 2 * (1 + 2 * x))
    circle = ((1 - x) / (1 + 2 * x)) ** 2
    return finding(
        "the region at ε = 1.6 is larger than at 0.7, for the line and for the circle",
        f"share of all priors at ε = {', '.join(map(str, epsilons))}, {shown}",
        all(each == sorted(each) for each in shares.values()) and bool(
            np.allclose(shares["line"], line) and np.allclose(shares["circle"], circle)),
        "determinants of the three corners.",
    )


ITEMS = (
    Item("ecp", "proposition-1", "Nearby points have similar probabilities", Verdict.CONFIRMED,
         _ratios, varied={"ratio": Fraction(3)}, dropped={"prior": _STEEP}),
    Item("ecp", "proposition-2", "How likely a point can be", Verdict.CONFIRMED, _bounds,
         varied={"ratio": Fraction(3)}, dropped={"prior": _STEEP}),
    Item("ecp", "proposition-3", "Regular priors are mixtures of corners", Verdict.CONFIRMED,
         _mixture, varied={"prior": _CORNER}, dropped={"prior": _VALLEY}),
    Item("ecp", "example-2", "The region on four points", Verdict.CONFIRMED, _tetrahedron,
         varied={"points": 3}, dropped={"distances": (Fraction(2), Fraction(1))}),
    Item("ecp", "figure-2", "The regions on three points", Verdict.CONFIRMED, _triangles,
         varied={"epsilons": (Fraction(1), Fraction(2))},
         dropped={"epsilons": (Fraction(2), Fraction(1))}),
)
