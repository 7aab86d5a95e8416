"""Random graphs and private rows for theorems that are tried both ways, in fractions."""

from fractions import Fraction

from tests.theory.subset_vertices import all_pairs
from tightrope.spaces import graph


def random_graph(source, least=3, most=5):
    size = source.randrange(least, most + 1)
    edges = {(source.randrange(k), k) for k in range(1, size)}
    edges |= {tuple(sorted(source.sample(range(size), 2))) for _ in range(source.randrange(4))}
    return graph("abcdefg"[:size], sorted(edges))


def private(rows, distances, ratio):
    """Every pair and output compared, by the definition."""
    return all(p <= ratio**distances[i][k] * q
               for i, k in all_pairs(len(rows)) for p, q in zip(rows[i], rows[k], strict=True))


def private_with_three_outputs(source, distances, ratio):
    """Columns that are mixtures of e^(-ε d(·, z)), and one that makes rows add up to 1."""
    size = len(distances)
    columns = []
    for _ in range(2):
        shares = [Fraction(source.randrange(4), 24) for _ in range(size)]
        columns.append([sum(s / ratio ** distances[y][z] for z, s in enumerate(shares))
                        for y in range(size)])
    rows = [[a, b, 1 - a - b] for a, b in zip(*columns, strict=True)]
    return rows if min(map(min, rows)) >= 0 and private(rows, distances, ratio) else None
