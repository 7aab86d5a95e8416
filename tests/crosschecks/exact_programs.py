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
    return proved_optimum(RationalProgram(costs, columns, totals, start))


def exact_optimum_with_delta(edges, ratio, delta, losses, prior=None):
    """The same with Σ_z max(0, P_az - ratio P_bz) <= δ for neighbors, both ways.

    Without a prior it is the loss of the worst input, for losses that are not negative.
    """
    size, width = len(losses), len(losses[0])
    pairs = [pair for a, b in edges for pair in ((a, b), (b, a))]
    columns = [[(y, ONE)] for y in range(size) for _ in range(width)]
    costs = [prior[y] * losses[y][z] if prior else ZERO for y in range(size) for z in range(width)]
    start = [y * width for y in range(size)]  # always the first output
    totals = [ONE] * size

    def column(cost, *entries):
        columns.append(list(entries))
        costs.append(cost)
        return len(columns) - 1

    for a, b in pairs:  # ratio P_bz - P_az + excess - room = 0; excesses + room = δ
        first, last = len(totals), len(totals) + width
        totals.extend([ZERO] * width + [delta])
        start.append(column(ZERO, (last, ONE)))
        for z in range(width):
            columns[b * width + z].append((first + z, ratio))
            columns[a * width + z].append((first + z, -ONE))
            column(ZERO, (first + z, ONE), (last, ONE))
            start.append(column(ZERO, (first + z, -ONE)))
    if prior is None:  # Σ_z loss P - largest + room = 0
        first = len(totals)
        totals.extend([ZERO] * size)
        start.append(column(ONE, *((first + y, -ONE) for y in range(size))))
        worst = max(range(size), key=lambda y: losses[y][0])
        for y in range(size):
            for z in range(width):
                columns[y * width + z].append((first + y, losses[y][z]))
            room = column(ZERO, (first + y, ONE))
            if y != worst:
                start.append(room)
    return proved_optimum(RationalProgram(costs, columns, totals, start))


def proved_optimum(program):
    """The optimum of a program, with both sides checked here."""
    costs, columns, totals = program.costs, program.columns, program.totals
    found = minimize_exactly(program)
    sums = [ZERO] * len(totals)
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
