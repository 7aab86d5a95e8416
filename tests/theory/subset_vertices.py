"""Vertices of private matrices by trying every set of constraints, in fractions.

Written for these tests alone, from the definitions: ordered pairs of inputs are compared with
whatever factors they are given; for δ every set of outputs is; signs may be asked for as well.
"""

from fractions import Fraction
from itertools import combinations


def eliminate(table):
    """The one solution of a square system given as rows (a, b), a · x = b; None if not one."""
    rows = [list(row) for row in table]
    size = len(rows)
    for column in range(size):
        pivot = next((k for k in range(column, size) if rows[k][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [a / rows[column][column] for a in rows[column]]
        for k in range(size):
            if k != column and rows[k][column]:
                factor = rows[k][column]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[column], strict=True)]
    return tuple(row[-1] for row in rows)


def constraints(distances, pairs, ratio, delta, outputs, *, signs=True):
    """Lines (a, b), a · x <= b, over all entries but the last column, which is 1 - the others."""
    size, width = len(distances), outputs - 1

    def entry(i, j):
        line = [Fraction(0)] * (size * width + 1)
        for k in range(width) if j == width else [j]:
            line[i * width + k] = Fraction(-1 if j == width else 1)
        line[-1] = Fraction(int(j == width))  # its constant, on the left
        return line

    lines = []
    for i in range(size) if signs else ():
        for j in range(outputs):
            lines.append([-a for a in entry(i, j)])
    sets = [(j,) for j in range(outputs)] if not delta else [
        chosen for count in range(1, outputs) for chosen in combinations(range(outputs), count)]
    for i, k in pairs:
        factor = Fraction(ratio) ** distances[i][k]
        for chosen in sets:
            total = [Fraction(0)] * (size * width + 1)
            for j in chosen:
                total = [t + a - factor * b
                         for t, a, b in zip(total, entry(i, j), entry(k, j), strict=True)]
            total[-1] -= delta
            lines.append(total)
    unique = {tuple(line) for line in lines if any(line[:-1])}
    return [(line[:-1], -line[-1]) for line in unique]


def vertices(distances, pairs, ratio, outputs, delta=Fraction(0), *, signs=True):
    """The vertices as matrices: points at which enough independent constraints are tight."""
    size, width = len(distances), outputs - 1
    lines = constraints(distances, pairs, ratio, delta, outputs, signs=signs)
    points = set()
    for chosen in combinations(lines, size * width):
        point = eliminate([(*a, b) for a, b in chosen])
        if point is not None and point not in points and all(
            sum(p * x for p, x in zip(a, point, strict=True)) <= b for a, b in lines
        ):
            points.add(point)
    rows = [[point[i * width : (i + 1) * width] for i in range(size)] for point in points]
    return {tuple((*row, 1 - sum(row)) for row in matrix) for matrix in rows}


def distance_rows(space):
    """Distances of a space with whole distances, pair by pair."""
    return [[int(space.distance(i, j).rational) for j in range(space.size)]
            for i in range(space.size)]


def all_pairs(size):
    return [(i, k) for i in range(size) for k in range(size) if i != k]
