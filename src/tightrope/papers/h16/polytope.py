"""H16, Chapter 5: what the extreme points of the privacy polytope look like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, permutations, product
from math import comb

from flint import fmpq_mat

from tightrope.exact import from_flint, to_flint
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.theory import extremality, extreme_points, half_spaces

F = Fraction
_TWO = F(2)
Matrix = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class Facts:
    """Rank, non-zero columns and loose entries of a matrix, and how many are alike."""

    rank: int
    columns: int
    loose: tuple[tuple[int, int], ...]
    alike: int = 1


def _facts(rows: Matrix, ratio: Fraction, alike: int = 1) -> Facts:
    verdict = extremality(rows, ratio)
    return Facts(verdict.rank, len(verdict.columns), verdict.loose, alike)


def _orbit_facts(size: int, ratio: Fraction, mixed: bool = False) -> list[Facts]:
    """The first matrix of every orbit of extreme points; with `mixed` one that is no such."""
    orbits = [
        _facts(orbit.vertex.matrix(ratio), ratio, orbit.size)
        for orbit in extreme_points(size).orbits
    ]
    return [*orbits, _facts(_mean(size), ratio)] if mixed else orbits


def _all(size: int, ratio: Fraction) -> Iterator[Matrix]:
    for orbit in extreme_points(size).orbits:
        yield from orbit.matrices(ratio)


def _mean(size: int) -> Matrix:
    """A matrix that is no extreme point: all entries are equal."""
    return [[F(1, size)] * size for _ in range(size)]


def _ranks(*, size: int = 4, ratio: Fraction = _TWO, mixed: bool = False) -> Finding:
    orbits = _orbit_facts(size, ratio, mixed)
    equal = [orbit.rank == orbit.columns for orbit in orbits]
    ranks = sorted({orbit.rank for orbit in orbits})
    return finding(
        "the rank of an extreme point is the number of its non-zero columns",
        f"m = {size}, e^ε = {ratio}: so for {sum(equal)} of {len(equal)} matrices, one of each "
        f"orbit; ranks {', '.join(map(str, ranks))}",
        all(equal),
        "a matrix of equal entries, which is no extreme point, has rank 1.",
    )


def _permute(*, size: int = 3, ratio: Fraction = _TWO, mixed: bool = False) -> Finding:
    known = {tuple(map(tuple, each)) for each in _all(size, ratio)}
    start = set(known) | ({tuple(map(tuple, _mean(size)))} if mixed else set())
    moved = {
        tuple(tuple(each[i][j] for j in columns) for i in rows)
        for each in start
        for rows in permutations(range(size))
        for columns in permutations(range(size))
    }
    return finding(
        "rows and columns of an extreme point may be exchanged: it stays one",
        f"m = {size}, e^ε = {ratio}: {len(start)} matrices become {len(moved)} by all exchanges, "
        f"{len(moved - known)} of them not extreme",
        moved == known,
        "every matrix and every pair of permutations.",
    )


def _zero(*, size: int = 4, ratio: Fraction = _TWO, value: Fraction = F(0)) -> Finding:
    verdict = extremality([[1 - value, value]] * size, ratio)
    tight = [
        [F(int(y == i)) - ratio * int(y == k) for y in range(size)]
        for i, k, j in verdict.tight
        if j == 1
    ]
    rank = _matrix(tight).rank() if tight else 0
    return finding(
        "the tight constraints on a column have rank m if and only if the column is zero",
        f"m = {size}, e^ε = {ratio}, a column of {value}: {len(tight)} independent tight "
        f"constraints of rank {rank}",
        rank == size,
        "no constraint is tight between equal entries that are not zero.",
    )


def _looseness(*, size: int = 5, ratio: Fraction = _TWO, mixed: bool = False) -> Finding:
    orbits = [orbit for orbit in _orbit_facts(size, ratio, mixed) if orbit.columns > 1]
    holds = all(len(orbit.loose) <= size - orbit.columns for orbit in orbits)
    most = max(len(orbit.loose) for orbit in orbits)
    return finding(
        "an extreme point with two or more non-zero columns has at most m - |γ| loose entries",
        f"m = {size}, e^ε = {ratio}: {'so' if holds else 'not so'} for "
        f"{sum(orbit.alike for orbit in orbits):,} matrices; at most {most} loose entries",
        holds,
        "the count is of independent tight constraints.",
    )


def _per_row(*, size: int = 5, ratio: Fraction = _TWO, mixed: bool = False) -> Finding:
    orbits = [orbit for orbit in _orbit_facts(size, ratio, mixed) if orbit.columns > 1]
    rows = [[i for i, _ in orbit.loose] for orbit in orbits]
    most = max((each.count(i) for each in rows for i in each), default=0)
    return finding(
        "no row of an extreme point has more than one loose entry",
        f"m = {size}, e^ε = {ratio}: at most {most} in one row, over {len(orbits)} orbits",
        most <= 1,
        "two of them could be moved against each other. Single columns are left out.",
    )


def _constant(*, size: int = 4, ratio: Fraction = _TWO, mixed: bool = False) -> Finding:
    matrices = [orbit.vertex.matrix(ratio) for orbit in extreme_points(size).orbits]
    if mixed:
        matrices.append(tuple(map(tuple, _mean(size))))
    level = sum(
        len({row[j] for row in each}) == 1 and each[0][j] not in (0, 1)
        for each in matrices
        for j in range(size)
    )
    return finding(
        "no non-zero column of an extreme point with two or more of them is constant",
        f"m = {size}, e^ε = {ratio}: {level} constant columns in {len(matrices)} orbits",
        not level,
        "it would depend linearly on the others.",
    )


def _without(*, size: int = 4, columns: int = 2, ratio: Fraction = _TWO) -> Finding:
    whole = extreme_points(size).by_columns
    narrow = extreme_points(size, columns=columns).total
    chosen = whole[columns]
    kept = [
        each for each in _all(size, ratio) if not any(any(row[columns:]) for row in each)
    ]
    extreme = sum(extremality([row[:columns] for row in each], ratio).extreme for each in kept)
    return finding(
        "the extreme points with given zero columns are those of the smaller polytope",
        f"m = {size}: {chosen} with exactly {columns} non-zero columns, {narrow} listed by that "
        f"number; {len(kept)} are zero outside the first {columns}, {extreme} of them extreme "
        "without the zero columns",
        chosen == narrow and extreme == len(kept),
        "so that they can be listed by which columns are zero.",
    )


def _single(*, size: int = 4, ratio: Fraction = _TWO) -> Finding:
    rows = [[F(int(j == 0)) for j in range(size)] for _ in range(size)]
    verdict = extremality(rows, ratio)
    count = extreme_points(size).by_columns[1]
    return finding(
        "the extreme points with one non-zero column are the m matrices 1e_i^T",
        f"m = {size}, e^ε = {ratio}: {count} of them; the first one is extreme: {verdict.extreme}, "
        f"with {len(verdict.loose)} loose entries",
        verdict.extreme and count == size,
        "all its entries are loose by Definition 5.5.",
    )


def _at_zero(*, size: int = 3, ratio: Fraction = F(1), steps: int = 4) -> Finding:
    laws = [law for law in product(range(steps + 1), repeat=size) if sum(law) == steps]
    extreme = {
        law for law in laws
        if extremality([[F(part, steps) for part in law]] * size, ratio).extreme
    }
    single = {law for law in laws if max(law) == steps}
    listed = extreme_points(size, ratio=ratio).by_columns
    return finding(
        "at ε = 0 the extreme points are the m matrices with one non-zero column",
        f"m = {size}, e^ε = {ratio}: of {len(laws)} matrices of equal rows, multiples of "
        f"1/{steps}, {len(extreme)} are extreme, {len(extreme & single)} of one column; listed "
        f"by columns {listed}",
        extreme == single and listed == {1: size},
        "all rows are equal there, so a matrix is the mean of its columns' matrices.",
    )


def _double(*, size: int = 4, ratio: Fraction = _TWO) -> Finding:
    orbits = [orbit for orbit in _orbit_facts(size, ratio) if orbit.columns == 2]
    loose = sum(len(orbit.loose) for orbit in orbits)
    count = extreme_points(size).by_columns[2]
    formula = comb(size, 2) * (2**size - 2)
    return finding(
        "extreme points with two non-zero columns have no loose entry: entries are (1, e^ε) or "
        "(e^ε, 1) over 1 + e^ε",
        f"m = {size}: {count} of them, {formula} by that form, with {loose} loose entries",
        count == formula and not loose,
        "two columns of m may be chosen, and neither is constant.",
    )


def _matrix(rows: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    return fmpq_mat([[to_flint(entry) for entry in row] for row in rows])


def _shortest(table: fmpq_mat) -> list[Fraction] | None:
    """The shortest w with table · w = 1, exactly; None if there is none."""
    reduced, rank = table.transpose().rref()
    rows = [next(j for j in range(table.nrows()) if reduced[i, j] != 0) for i in range(rank)]
    kept = fmpq_mat([[table[i, j] for j in range(table.ncols())] for i in rows])
    ones = fmpq_mat([[1]] * rank)
    solution = kept.transpose() * (kept * kept.transpose()).solve(ones)
    if table * solution != fmpq_mat([[1]] * table.nrows()):
        return None
    return [from_flint(entry) for entry in solution.entries()]


def _patterns(*, size: int = 3, ratio: Fraction = _TWO, full: bool = True) -> Finding:
    """All matrices whose entries are 0, w or e^ε w by column, with rank = non-zero columns."""
    kept = 0
    wrong = 0
    columns = [None, *product((F(1), ratio), repeat=size)]
    for chosen in product(columns, repeat=size):
        used = [c for c in chosen if c is not None]
        if not used or any(len(set(c)) == 1 for c in used):
            continue
        table = _matrix(list(zip(*used, strict=True)))
        if full and table.rank() < len(used):
            continue
        weights = _shortest(table)
        if weights is None or min(weights) <= 0:
            continue
        place = iter(weights)
        share = [F(0) if c is None else next(place) for c in chosen]
        rows = [
            [F(0) if c is None else c[i] * w for c, w in zip(chosen, share, strict=True)]
            for i in range(size)
        ]
        kept += 1
        wrong += not extremality(rows, ratio).extreme
    listed = extreme_points(size)
    strict = listed.total - listed.loose
    return finding(
        "a private matrix without loose entries is extreme if and only if its rank is the number "
        "of its non-zero columns",
        f"m = {size}, e^ε = {ratio}: {kept} matrices of that form, {wrong} of them not extreme; "
        f"{strict} extreme points without loose entries",
        not wrong and kept == strict,
        "all patterns of 1 and e^ε were tried.",
    )


def _negative(*, size: int = 3, ratio: Fraction = _TWO) -> Finding:
    steps = [F(k, 4) for k in range(-4, 5)]
    lines = half_spaces(size, ratio, columns=1).inequalities[: size * (size - 1)]
    allowed = [
        v for v in product(steps, repeat=size)
        if all(sum(a * x for a, x in zip(line, v, strict=True)) <= 0 for line in lines)
    ]
    least = min(min(v) for v in allowed)
    return finding(
        "v_i <= e^ε v_j for all i, j makes v nonnegative, if ε > 0",
        f"m = {size}, e^ε = {ratio}: {len(allowed)} of {len(steps) ** size} vectors of quarters "
        f"are allowed, the least entry is {least}",
        least >= 0,
        "at ε = 0 every constant vector is allowed.",
    )


def _extremes(*, size: int = 4, ratio: Fraction = _TWO, private: bool = True) -> Finding:
    columns = [tuple(row[j] for row in each) for each in _all(size, ratio) for j in range(size)]
    if not private:
        columns.append((*(F(1, 8), F(1, 4), F(1, 2)), *(F(1, 8),) * (size - 3)))
    tight = [(c, a, b) for c in columns for a in c for b in c if a == ratio * b and a]
    holds = bool(tight) and all(a == max(c) and b == min(c) for c, a, b in tight)
    return finding(
        "if v_i = e^ε v_j then v_i is the largest entry of v and v_j the least",
        f"m = {size}, e^ε = {ratio}: {'so' if holds else 'not so'} for {len(tight):,} tight pairs "
        "in columns",
        holds,
        "a larger one would break privacy.",
    )


def _half_spaces(*, size: int = 3, ratio: Fraction = _TWO) -> Finding:
    spaces = half_spaces(size, ratio)
    first = [int(x) if x.denominator == 1 else x for x in spaces.inequalities[0]]
    flat = [list(chain.from_iterable(each)) for each in _all(size, ratio)]
    inside = all(
        sum(a * x for a, x in zip(line, entries, strict=True)) <= 0
        for line in spaces.inequalities
        for entries in flat
    )
    wanted = size * size * (size - 1), size
    return finding(
        "rows add up to one, and a_ij - e^ε a_kj <= 0 for all i, j, k: m²(m - 1) + m half spaces",
        f"m = {size}, e^ε = {ratio}: {len(spaces.inequalities)} inequalities, "
        f"{len(spaces.equations)} equations; all {extreme_points(size).total} extreme points keep "
        f"them: {inside}; the first is {first}",
        inside and (len(spaces.inequalities), len(spaces.equations)) == wanted,
        "nonnegativity follows (Lemma 5.1).",
    )


ITEMS = (
    Item("h16", "example-5.1", "The polytope by half spaces", Verdict.CONFIRMED, _half_spaces,
         varied={"ratio": F(3)}),
    Item("h16", "lemma-5.1", "Nonnegativity follows", Verdict.CONFIRMED, _negative,
         varied={"ratio": F(3)}, dropped={"ratio": F(1)}),
    Item("h16", "lemma-5.2", "Tight pairs are extremes", Verdict.CONFIRMED, _extremes,
         varied={"size": 3}, dropped={"private": False}),
    Item("h16", "theorem-5.2", "The rank of extreme points", Verdict.CONFIRMED, _ranks,
         varied={"size": 3}, dropped={"size": 3, "mixed": True}),
    Item("h16", "corollary-5.1", "No constant columns", Verdict.CONFIRMED, _constant,
         varied={"size": 3}, dropped={"size": 3, "mixed": True}),
    Item("h16", "theorem-5.3", "Rows and columns may be exchanged", Verdict.CONFIRMED, _permute,
         varied={"size": 2}, dropped={"mixed": True}),
    Item("h16", "theorem-5.4", "Constraints on zero columns", Verdict.CONFIRMED, _zero,
         varied={"size": 3}, dropped={"value": F(1, 4)}),
    Item("h16", "theorem-5.5", "How many loose entries", Verdict.CONFIRMED, _looseness,
         varied={"size": 3}, dropped={"size": 3, "mixed": True}),
    Item("h16", "lemma-5.3", "Loose entries of a row", Verdict.CONFIRMED, _per_row,
         varied={"size": 3}, dropped={"size": 3, "mixed": True}),
    Item("h16", "theorem-5.6", "Fewer columns", Verdict.CONFIRMED, _without,
         varied={"columns": 3}),
    Item("h16", "theorem-5.7", "One non-zero column", Verdict.CONFIRMED, _single,
         varied={"size": 3}),
    Item("h16", "corollary-5.2", "Extreme points at ε = 0", Verdict.CONFIRMED, _at_zero,
         varied={"size": 2}, dropped={"ratio": _TWO}),
    Item("h16", "theorem-5.8", "Two non-zero columns", Verdict.CONFIRMED, _double,
         varied={"size": 3}),
    Item("h16", "theorem-5.9", "No loose entry", Verdict.CONFIRMED, _patterns,
         varied={"ratio": F(3), "size": 2}, dropped={"full": False}),
)
