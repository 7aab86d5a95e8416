"""H16, Examples 4.2 to 4.4: sets of outputs that decide, with exact ties."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tightrope.exact import Level, Surd
from tightrope.mechanisms import KernelMechanism
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.privacy import sufficient_sets
from tightrope.spaces import Space, matrix, parse, product_sum

_RATIO = Level.epsilon(1).ratio_below(Surd.of(1))  # e itself changes no comparison


def _one_row_apart(points: list[tuple[object, object]]) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, (a, b) in enumerate(points)
        for j, (c, d) in enumerate(points)
        if (a != c) != (b != d)
    ]


def _run_l1() -> Finding:
    space = parse("path:0..2 * path:0..2")
    kernel = KernelMechanism(space, _RATIO, Fraction(1), (Fraction(1),) * 9)
    found = sufficient_sets(kernel, _one_row_apart(list(space.points)))  # type: ignore[arg-type]
    sizes = Counter(len(one.outputs) for one in found.sets)
    listed = ", ".join(f"{sizes[size]} with {size} points" for size in sorted(sizes))
    return judged(
        "21 pairs with 3 points, 15 with 6; 1092 checks instead of 18360",
        f"{listed}; {found.checks} checks instead of {found.all_checks}",
        found.checks == 1092,
        "databases 0 and 2 of a row give the output 1 equally often; rounding took some of these "
        "ties for a difference. `verify` needs one set for each pair: 36.",
    )


def _two_groups(k: int = 2, n: int = 2) -> KernelMechanism:
    lengths = [[Fraction(0 if a == b else 1 if a // k == b // k else 2) for b in range(2 * k)]
               for a in range(2 * k)]
    single = matrix(("A", "B", "Y", "Z") if k == 2 else tuple(range(2 * k)), lengths)
    space: Space = single
    for _ in range(n - 1):
        space = product_sum(space, single)
    return KernelMechanism(space, _RATIO, Fraction(1), (Fraction(1),) * space.size)


def _run_fixed() -> Finding:
    cases = [(k, n) for k in (1, 2, 3) for n in (1, 2)] + [(1, 3), (2, 3)]
    agree = all(
        set(_two_groups(k, n).normalizers) == {(1 + (k - 1) / _RATIO + k / _RATIO**2) ** n}
        for k, n in cases
    )
    (here,) = set(_two_groups().normalizers)
    return judged(
        "the normalizer is the same for every database: (1 + (k - 1)/e + k/e²)^n",
        ("so" if agree else "not so") + f" for k = 1, 2, 3 with n = 1, 2 and k = 1, 2 with n = 3; "
        f"{float(here):.6f} for k = 2, n = 2",
        agree,
        "compared exactly with e replaced by a fraction just below it.",
    )


def _run_parts() -> Finding:
    kernel = _two_groups()
    points = list(kernel.space.points)
    pair = points.index(("A", "Z")), points.index(("A", "B"))
    (found,) = sufficient_sets(kernel, [pair]).sets
    shown = "; ".join(
        "{" + ", ".join("".join(map(str, points[z])) for z in part) + "}"  # type: ignore[arg-type]
        for part in found.parts
    )
    return judged(
        "{AY, BY, YY, ZY}; {AZ, BZ, YZ, ZZ}",
        shown,
        shown == "{AY, BY, YY, ZY}; {AZ, BZ, YZ, ZZ}",
        "for δ = 0 these two sets decide; for δ > 0 their excesses add up and neither decides "
        "alone.",
    )


ITEMS = (
    Item("h16", "example-4.2", "Checks for the L1 norm on two rows", Verdict.CORRECTED, _run_l1),
    Item("h16", "example-4.3", "A utility with one normalizer", Verdict.CONFIRMED, _run_fixed),
    Item("h16", "example-4.4", "Sets that decide for two groups", Verdict.CONFIRMED, _run_parts),
)
