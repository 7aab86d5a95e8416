"""The exact simplex method on a tableau, written apart: no floating point, nothing of ours."""

from fractions import Fraction
from itertools import combinations

from flint import fmpq


def plain_minimum(costs, rows, totals, start):
    """min ⟨c, x⟩ over x >= 0 with A x = b, on a tableau, from a basis that is feasible.

    Steps follow the most negative reduced cost, and Bland's rule where that stands still.
    """
    table = [[fmpq(v.numerator, v.denominator) for v in (*row, total)]
             for row, total in zip(rows, totals, strict=True)]
    basis = [None] * len(rows)
    for j in start:
        i = next(i for i, row in enumerate(table) if basis[i] is None and row[j])
        _pivot(table, basis, i, j)
    last = [fmpq(c.numerator, c.denominator) for c in costs] + [fmpq(0)]
    for i, j in enumerate(basis):  # reduced costs
        factor = last[j]
        last = [v - factor * w for v, w in zip(last, table[i], strict=True)]
    table.append(last)
    still, value = 0, None
    while True:
        wrong = [(cost, j) for j, cost in enumerate(table[-1][:-1]) if cost < 0]
        if not wrong:
            break
        entering = min(j for _, j in wrong) if still > 20 else min(wrong)[1]
        leaving = min((row[-1] / row[entering], basis[i], i)
                      for i, row in enumerate(table[:-1]) if row[entering] > 0)[2]
        _pivot(table, basis, leaving, entering)
        still = still + 1 if table[-1][-1] == value else 0
        value = table[-1][-1]
    x = [Fraction(0)] * len(costs)
    for row, j in zip(table, basis, strict=False):
        x[j] = Fraction(int(row[-1].p), int(row[-1].q))
    assert min(x) >= 0
    return sum((c * v for c, v in zip(costs, x, strict=True)), Fraction(0)), x


def _pivot(table, basis, i, j):
    scale = table[i][j]
    table[i] = [v / scale if v else v for v in table[i]]
    places = [k for k, v in enumerate(table[i]) if v]
    for k, row in enumerate(table):
        if k != i and row[j]:
            factor = row[j]
            for m in places:
                row[m] -= factor * table[i][m]
    basis[i] = j


def plain_optimum(distances, ratio, losses, prior=None):
    """The least loss of a private mechanism, and one; without a prior, of the worst input.

    `distances` maps ordered pairs (a, b) to d: P(z | b) <= ratio^d P(z | a). The worst input is
    asked for with losses raised above 0, so that the largest one is not negative.
    """
    size, width, pairs = len(losses), len(losses[0]), sorted(distances)
    raised = -min(map(min, losses)) if prior is None else 0
    entries = size * width
    count = entries + len(pairs) * width + (0 if prior else size + 1)
    rows, totals = [], []
    start = [y * width for y in range(size)]  # always the first output

    def row(total, *terms):
        line = [Fraction(0)] * count
        for j, value in terms:
            line[j] += value
        rows.append(line)
        totals.append(Fraction(total))

    for y in range(size):
        row(1, *((y * width + z, Fraction(1)) for z in range(width)))
    for k, (a, b) in enumerate(pairs):
        for z in range(width):
            start.append(entries + k * width + z)
            row(0, (a * width + z, ratio ** distances[a, b]), (b * width + z, Fraction(-1)),
                (start[-1], Fraction(-1)))
    costs = [Fraction(0)] * count
    if prior:
        for y in range(size):
            for z in range(width):
                costs[y * width + z] = prior[y] * losses[y][z]
    else:  # Σ loss P - t + room = 0
        costs[-1] = Fraction(1)
        worst = max(range(size), key=lambda y: losses[y][0])
        order = [worst, *(y for y in range(size) if y != worst)]
        for y in order:
            start.append(count - 1 if y == worst else count - 1 - size + y)
            row(0, *((y * width + z, Fraction(losses[y][z] + raised)) for z in range(width)),
                (count - 1, Fraction(-1)), (count - 1 - size + y, Fraction(1)))
    value, x = plain_minimum(costs, rows, totals, start)
    return value - raised, [x[y * width : (y + 1) * width] for y in range(size)]


def plain_vertices(distances, ratio, losses, prior):
    """All optimal vertices, by trying every set of tight constraints: for tiny problems."""
    value, _ = plain_optimum(distances, ratio, losses, prior)
    size, width = len(losses), len(losses[0])
    count = size * width
    equal = [[Fraction(int(j // width == y)) for j in range(count)] + [Fraction(1)]
             for y in range(size)]
    equal.append([prior[j // width] * losses[j // width][j % width] for j in range(count)]
                 + [value])
    least = []
    for (a, b), d in distances.items():
        for z in range(width):
            line = [Fraction(0)] * (count + 1)
            line[a * width + z], line[b * width + z] = ratio**d, Fraction(-1)
            least.append(line)
    found = set()
    free = count - _rank(equal)
    for some in combinations(least, free):
        x = only_solution(equal + list(some), count)
        if x and min(x) >= 0 and all(
                sum(v * w for v, w in zip(line, x, strict=False)) >= 0 for line in least):
            found.add(x)
    return found


def _reduce(lines):
    rows, pivots = [list(line) for line in lines], []
    height = 0
    for j in range(len(rows[0])):
        i = next((i for i in range(height, len(rows)) if rows[i][j]), None)
        if i is None:
            continue
        rows[height], rows[i] = rows[i], rows[height]
        scale = rows[height][j]
        rows[height] = [v / scale for v in rows[height]]
        for k in range(len(rows)):
            if k != height and rows[k][j]:
                factor = rows[k][j]
                rows[k] = [v - factor * w for v, w in zip(rows[k], rows[height], strict=True)]
        pivots.append(j)
        height += 1
    return rows, pivots


def _rank(lines):
    return len(_reduce([line[:-1] for line in lines])[1])


def only_solution(lines, count):
    rows, pivots = _reduce(lines)
    return tuple(row[-1] for row in rows[:count]) if pivots == list(range(count)) else None


def affine_dimension(points):
    """The dimension of the hull of points."""
    first, *others = [list(point) for point in points]
    lines = [[a - b for a, b in zip(point, first, strict=True)] for point in others]
    return len(_reduce(lines)[1]) if lines else 0
