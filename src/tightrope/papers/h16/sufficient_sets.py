"""H16, Examples 4.2 to 4.4: sets of outputs that decide, with exact ties."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tightrope.exact import Level, Surd
from tightrope.mechanisms import KernelMechanism
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.spaces import Space, matrix, parse, product_sum
from tightrope.theory import sufficient_sets

_RATIO = Level.epsilon(1).ratio_below(Surd.of(1))  # e itself changes no comparison


def _one_row_apart(points: list[tuple[object, object]]) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, (a, b) in enumerate(points)
        for j, (c, d) in enumerate(points)
        if (a != c) != (b != d)
    ]


def _run_l1(*, values: int = 3) -> Finding:
    space = parse(f"path:0..{values - 1} * path:0..{values - 1}")
    kernel = KernelMechanism(space, _RATIO, Fraction(1), (Fraction(1),) * space.size)
    sets = sufficient_sets(kernel, _one_row_apart(list(space.points)))  # type: ignore[arg-type]
    sizes = Counter(len(pair.outputs) for pair in sets.sets)
    likelier = [
        sum(p > q for p, q in zip(kernel.row_at(i), kernel.row_at(j), strict=True))
        for i, j in _one_row_apart(list(space.points))  # type: ignore[arg-type]
    ]
    listed = ", ".join(f"{sizes[size]} with {size} points" for size in sorted(sizes))
    return finding(
        "21 pairs with 3 points, 15 with 6; 1092 checks instead of 18360",
        f"{listed}; {sets.checks} checks instead of {sets.all_checks}",
        sets.checks == 1092,
        "databases 0 and 2 of a row give the output 1 equally often; rounding took some of these "
        "ties for a difference. `verify` needs one set for each pair: 36.",
        ours=sets.checks == sum(2**size - 1 for size in likelier) and sizes == Counter(likelier),
    )


def groups(sizes: tuple[int, ...], rows: int) -> KernelMechanism:
    """Databases of rows from groups: 1 apart within a group, 2 between groups."""
    group = [g for g, size in enumerate(sizes) for _ in range(size)]
    names = "ABYZ" if sizes == (2, 2) else "ABCDEFGHIJ"[: len(group)]
    lengths = [
        [Fraction(0 if i == j else 1 if a == b else 2) for j, b in enumerate(group)]
        for i, a in enumerate(group)
    ]
    single = matrix(tuple(names), lengths)
    space: Space = single
    for _ in range(rows - 1):
        space = product_sum(space, single)
    return KernelMechanism(space, _RATIO, Fraction(1), (Fraction(1),) * space.size)


def _run_fixed(*, sizes: tuple[int, ...] = (2, 2), rows: tuple[int, ...] = (1, 2, 3)) -> Finding:
    k = sizes[0]
    normalizers = [set(groups(sizes, n).normalizers) for n in rows]
    printed = [{(1 + (k - 1) / _RATIO + k / _RATIO**2) ** n} for n in rows]
    agree = normalizers == printed
    shown = ", ".join(f"{float(value):.6f}" for value in sorted(normalizers[0]))
    return finding(
        "the normalizer is the same for every database: (1 + (k - 1)/e + k/e²)^n",
        f"{'so' if agree else 'not so'} for groups of {' and '.join(map(str, sizes))} values with "
        f"n = {', '.join(map(str, rows))}; {shown} for n = {rows[0]}",
        agree,
        "compared exactly with e replaced by a fraction just below it.",
    )


def _run_parts(*, pair: tuple[str, ...] = ("AZ", "AB")) -> Finding:
    kernel = groups((2, 2), 2)
    points = list(kernel.space.points)
    first, second = (points.index(tuple(database)) for database in pair)
    (decisive,) = sufficient_sets(kernel, [(first, second)]).sets
    shown = "; ".join(
        "{" + ", ".join("".join(map(str, points[z])) for z in part) + "}"  # type: ignore[arg-type]
        for part in decisive.parts
    )
    return finding(
        "{AY, BY, YY, ZY}; {AZ, BZ, YZ, ZZ}",
        shown,
        shown == "{AY, BY, YY, ZY}; {AZ, BZ, YZ, ZZ}",
        "for δ = 0 these two sets decide; for δ > 0 their excesses add up and neither decides "
        "alone.",
    )


ITEMS = (
    Item("h16", "example-4.2", "Checks for the L1 norm on two rows", Verdict.CORRECTED, _run_l1,
         varied={"values": 2}),
    Item("h16", "example-4.3", "A utility with one normalizer", Verdict.CONFIRMED, _run_fixed,
         varied={"sizes": (3, 3)}, dropped={"sizes": (2, 1)}),
    Item("h16", "example-4.4", "Sets that decide for two groups", Verdict.CONFIRMED, _run_parts,
         varied={"pair": ("AZ", "AY")}),
)
