"""The least loss of a private mechanism as a linear program in exact fractions.

Whoever solves the program, the answer is proved here: primal and dual solutions are feasible
and have the same value, in plain fractions.
"""

from fractions import Fraction

from tightrope.lp import RationalProgram, minimize_exactly

ZERO, ONE = Fraction(0), Fraction(1)


def exact_optimum(table, ratio, prior, losses):
    """min Σ prior P loss over P >= 0 with rows that add up to 1 and P_az <= ratio^d(a,b) P_bz."""
    size, width = len(losses), len(losses[0])
    pairs = [(a, b) for a in range(size) for b in range(size) if a != b]
    columns = [[(y, ONE)] for y in range(size) for _ in range(width)]
    costs = [prior[y] * losses[y][z] for y in range(size) for z in range(width)]
    row = size
    for a, b in pairs:
        for z in range(width):  # ratio^d P_bz - P_az - slack = 0
            columns[b * width + z].append((row, ratio ** table[a][b]))
            columns[a * width + z].append((row, -ONE))
            columns.append([(row, -ONE)])
            costs.append(ZERO)
            row += 1
    totals = [ONE] * size + [ZERO] * (row - size)
    always_first = [y * width for y in range(size)]  # a private mechanism, and a basis
    start = [*always_first, *range(size * width, len(columns))]
    found = minimize_exactly(RationalProgram(costs, columns, totals, start))
    sums = [ZERO] * row
    for x, column in zip(found.x, columns, strict=True):
        assert x >= 0
        for i, entry in column:
            sums[i] += entry * x
    assert sums == totals
    for cost, column in zip(costs, columns, strict=True):
        assert sum(entry * found.prices[i] for i, entry in column) <= cost
    value = sum(c * x for c, x in zip(costs, found.x, strict=True))
    assert value == sum(b * y for b, y in zip(totals, found.prices, strict=True))
    return value
