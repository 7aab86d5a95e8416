"""H16, Chapter 5: how many extreme points there are, and which have loose entries."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.theory import extremality, extreme_points

_RATIOS = (Fraction(2), Fraction(11, 10), Fraction(50))


def _counts(size: int) -> str:
    points = extreme_points(size)
    return f"m = {size}: {points.total:,} in {len(points.orbits)} orbits"


def _run_small(*, sizes: tuple[int, ...] = (3, 4)) -> Finding:
    loose = sum(extreme_points(size).loose_several for size in sizes)
    return finding(
        "no extreme point has a loose entry: proved for m <= 3, conjectured for m = 4",
        f"{'; '.join(map(_counts, sizes))}; {loose or 'none'} with a loose entry",
        not loose,
        "all extreme points were enumerated exactly: they are the minimal balanced collections of "
        "subsets, the same for every ε > 0, so the conjecture holds.",
    )


def _run_five(*, size: int = 5, ratios: tuple[Fraction, ...] = _RATIOS) -> Finding:
    points = extreme_points(size)
    orbits = points.orbits
    seen = set()
    for ratio in ratios:
        counts: Counter[int] = Counter()
        for orbit in orbits:
            verdict = extremality(orbit.vertex.matrix(ratio), ratio)
            if verdict.extreme and verdict.rank == orbit.vertex.columns:
                counts[len(verdict.columns)] += orbit.size
        seen.add(tuple(sorted(counts.items())))
    (same,) = seen if len(seen) == 1 else ((),)
    listed = ", ".join(f"{count:,} with {columns}" for columns, count in same)
    return finding(
        "at m = 5 some extreme points with 4 non-zero columns have a loose entry",
        f"{_counts(size)}; by non-zero columns {listed}; {points.loose_several:,} "
        "have one loose entry",
        bool(same) and points.loose_several > 0 and all(
            orbit.vertex.columns == 4 and len(orbit.vertex.loose) == 1
            for orbit in orbits if orbit.vertex.loose and orbit.vertex.columns > 1
        ),
        f"counted exactly, and the same at e^ε = {', '.join(map(str, ratios))}.",
    )


def _run_example(*, ratio: Fraction = Fraction(2), mixed: bool = False) -> Finding:
    r = ratio
    rows: list[list[Fraction | int]]
    rows = [[1, 1, 2 * r, 1, 0], [r, 1, 2, r, 0], [r, r, 2, 1, 0], [1, r, 2, r, 0],
            [1, 1, 1 + r, r, 0]]
    matrix = [[Fraction(entry) / (3 + 2 * r) for entry in row] for row in rows]
    if mixed:  # the mean with itself, its first two columns exchanged
        matrix = [[(a + b) / 2, (a + b) / 2, *rest] for a, b, *rest in matrix]
    verdict = extremality(matrix, r)
    shown = ", ".join(f"({i + 1}, {j + 1})" for i, j in verdict.loose)
    return finding(
        "an extreme point of rank 4 with the loose entry (5, 3)",
        f"{'an' if verdict.extreme else 'no'} extreme point of rank {verdict.rank} at e^ε = {r} "
        f"with the loose entry {shown or 'none'}",
        verdict.extreme and verdict.rank == 4 and verdict.loose == ((4, 2),),
        "no direction keeps all its tight constraints tight.",
    )


ITEMS = (
    Item("h16", "theorem-5.10", "Extreme points for m = 3 and 4", Verdict.CONFIRMED, _run_small,
         varied={"sizes": (2, 3)}, dropped={"sizes": (5,)}),
    Item("h16", "section-5.5", "All extreme points for m = 5", Verdict.CONFIRMED, _run_five,
         varied={"size": 3}, dropped={"size": 4, "ratios": (Fraction(2),)}),
    Item("h16", "section-5.5-example", "An extreme point with a loose entry", Verdict.CONFIRMED,
         _run_example, varied={"ratio": Fraction(3)}, dropped={"mixed": True}),
)
