"""ECP, Section 4: what regular priors look like, and how large their region is."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import numpy as np

from tightrope.exact import FloatArray, Level
from tightrope.kernels import Regular, corner_priors, regular_bounds, regularity
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Dots, Panel, Shape, Strokes, Tint
from tightrope.spaces import categories, cycle, path
from tightrope.theory import place_priors
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


def _volume(corners: FloatArray) -> float:
    """The share of all priors that is regular: the determinant of the corners."""
    return abs(float(np.linalg.det(corners)))


_TINTS = (Tint.MAIN, Tint.SECOND, Tint.THIRD, Tint.FOURTH)


def _tetrahedron(
    *, points: int = 4, distances: tuple[Fraction, ...] = (Fraction(1, 2), Fraction(1), Fraction(2))
) -> Finding:
    corners = [corner_priors(categories(points), Level.epsilon(far)) for far in distances]
    volumes = [_volume(rows) for rows in corners]
    x = np.exp(-np.array([float(far) for far in distances]))
    closed = ((1 - x) / (1 + (points - 1) * x)) ** (points - 1)
    return finding(
        "the larger D, the bigger the region of regular priors",
        f"{points} points at D = {', '.join(map(str, distances))}: the region is "
        f"{', '.join(f'{volume:.6f}' for volume in volumes)} of all priors",
        volumes == sorted(volumes) and bool(np.allclose(volumes, closed)),
        "the share is ((1 - e^-D)/(1 + (n - 1)e^-D))^(n - 1); Figure 3 shows the region.",
        chart=_solid({"∞": np.eye(points)} | {
            str(far): rows for far, rows in zip(distances, corners, strict=True)}),
    )


def _solid(regions: Mapping[str, FloatArray]) -> Chart | None:
    """The regions by their D, as the edges between their corners; of three or four points."""
    if len(regions["∞"]) not in (3, 4):
        return None
    edges = [Strokes(f"D = {name}", tuple(combinations(place_priors(corners), 2)), tint)
             for tint, (name, corners) in zip((Tint.FAINT, *_TINTS), regions.items(), strict=False)]
    return Chart((Panel("", (*edges, _units(len(regions["∞"]))), framed=False, equal=True),))


def _units(size: int) -> Dots:
    """The corners of all priors, with what each is a prior of."""
    names = [f"({','.join(str(int(i == k)) for i in range(size))})" for k in range(size)]
    return Dots("", tuple(place_priors(np.eye(size))), Tint.FAINT, tuple(names))


def _triangles(
    *, epsilons: tuple[Fraction, ...] = (Fraction(7, 10), Fraction(16, 10))
) -> Finding:
    corners = {
        name: [corner_priors(space, Level.epsilon(epsilon)) for epsilon in epsilons]
        for name, space in (("line", path(0, 2)), ("circle", cycle(3)))
    }
    shares = {name: [_volume(rows) for rows in each] for name, each in corners.items()}
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
        chart=Chart(tuple(_triangle(f"Y connected in a {name}", epsilons, each)
                          for name, each in corners.items())),
    )


def _triangle(
    title: str, epsilons: tuple[Fraction, ...], corners: list[FloatArray]
) -> Panel:
    """The triangle of all priors, and in it the region at each level with its corners."""
    shapes = [Shape(f"ε = {float(epsilon):g}", tuple(place_priors(rows)), tint)
              for tint, epsilon, rows in zip(_TINTS, epsilons, corners, strict=False)]
    whole = Shape("ε = ∞", tuple(place_priors(np.eye(3))), Tint.FAINT)
    named = Dots("", tuple(place_priors(corners[-1])), Tint.FAINT, ("c1", "c2", "c3"))
    return Panel(title, (*shapes, whole, named, _units(3)), framed=False, equal=True)


ITEMS = (
    Item("ecp", "proposition-1", "Nearby points have similar probabilities", Verdict.CONFIRMED,
         _ratios, varied={"ratio": Fraction(3)}, dropped={"prior": _STEEP}),
    Item("ecp", "proposition-2", "How likely a point can be", Verdict.CONFIRMED, _bounds,
         varied={"ratio": Fraction(3)}, dropped={"prior": _STEEP}),
    Item("ecp", "proposition-3", "Regular priors are mixtures of corners", Verdict.CONFIRMED,
         _mixture, varied={"prior": _CORNER}, dropped={"prior": _VALLEY}),
    Item("ecp", "example-2", "The region on four points", Verdict.CONFIRMED, _tetrahedron,
         varied={"points": 3}, dropped={"distances": (Fraction(2), Fraction(1))},
         pictured=True),
    Item("ecp", "figure-2", "The regions on three points", Verdict.CONFIRMED, _triangles,
         varied={"epsilons": (Fraction(1), Fraction(2))},
         dropped={"epsilons": (Fraction(2), Fraction(1))}, pictured=True),
)
