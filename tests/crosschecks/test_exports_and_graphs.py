"""Files for other programs and laws on graphs, against enumeration that shares no code."""

import json
from fractions import Fraction
from itertools import combinations
from math import comb, log

import numpy as np
import pytest

import tightrope as tr
from tests.cli.runner import Runner
from tightrope.choices import Count
from tightrope.mechanisms import PrivacyFirstCount
from tightrope.spaces import Graphs


def vertices_by_hand(rows, columns, ratio):
    """Where as many inequalities are tight as there are dimensions, and all others hold."""
    size = rows * columns
    sums = np.kron(np.eye(rows), np.ones(columns))
    sides = []
    for j in range(columns):
        for a in range(rows):
            for b in range(rows):
                if a != b:
                    side = np.zeros(size)
                    side[a * columns + j], side[b * columns + j] = -1, ratio
                    sides.append(side)
    sides, found = np.array(sides), set()
    for chosen in combinations(range(len(sides)), size - rows):
        table = np.vstack([sums, sides[list(chosen)]])
        if abs(np.linalg.det(table)) > 1e-9:
            point = np.linalg.solve(table, [1] * rows + [0] * (size - rows))
            if (sides @ point > -1e-9).all():
                found.add(tuple(np.round(point, 9) + 0.0))
    return found


@pytest.mark.parametrize(("rows", "columns", "ratio"), [(2, 3, "3/2"), (3, 2, "5")])
def test_exported_vertices_are_those_of_the_exported_inequalities(
    rows, columns, ratio, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    run = Runner(capsys)
    for name in ("p.poly", "p.sage", "p.ext"):
        asked = ("theory", "polytope", rows, "--outputs", columns, "--ratio", ratio, "--export",
                 name)
        assert run(*asked).code == 0
    expected = vertices_by_hand(rows, columns, float(Fraction(ratio)))
    polymake = json.loads((tmp_path / "p.poly").read_text(encoding="utf-8"))
    sage = {"QQ": Fraction, "Polyhedron": lambda **given: given}
    exec((tmp_path / "p.sage").read_text(encoding="utf-8"), sage)
    cdd = [line.split() for line in (tmp_path / "p.ext").read_text(encoding="utf-8").splitlines()]
    told = [
        [point[1:] for point in polymake["POINTS"]],
        sage["V"]["vertices"],
        [line[1:] for line in cdd if len(line) == rows * columns + 1],
    ]
    for points in told:
        assert len(points) == len(expected)
        assert {tuple(np.round([float(Fraction(x)) for x in point], 9) + 0.0)
                for point in points} == expected


PAIRS = list(combinations(range(4), 2))


def counted(mask, count):
    edges = [pair for k, pair in enumerate(PAIRS) if mask >> k & 1]
    if count == "triangles":
        return sum({(a, b), (a, c), (b, c)} <= set(edges) for a, b, c in combinations(range(4), 3))
    degrees = [sum(node in pair for pair in edges) for node in range(4)]
    return sum(comb(degree, 2 if count == "stars2" else 3) for degree in degrees)


@pytest.mark.parametrize("count", ["triangles", "stars2", "stars3"])
@pytest.mark.parametrize("radius", [0, 1])
def test_counts_privacy_first_weigh_by_the_nearest_graph_that_is_near_enough(count, radius):
    values = [counted(mask, count) for mask in range(64)]
    answers = sorted(set(values))
    mechanism = PrivacyFirstCount(Graphs(4), Count(count), radius, Fraction(2))
    laws = []
    for mask in range(64):
        steps = [min((mask ^ other).bit_count() for other in range(64)
                     if abs(values[other] - z) <= radius) for z in answers]
        weights = [Fraction(1, 2**step) for step in steps]
        laws.append([weight / sum(weights) for weight in weights])
    for mask in range(0, 64, 5):
        edges = [pair for k, pair in enumerate(PAIRS) if mask >> k & 1]
        law = mechanism.law(tr.spaces.Network(4, *np.array(edges, dtype=int).reshape(-1, 2).T))
        assert [law.probability(z) for z in answers] == laws[mask]
    steepest = max(max(p / q for p, q in zip(laws[mask], laws[mask ^ 1 << k], strict=True))
                   for mask in range(64) for k in range(6))
    assert log(steepest) < 2 * log(2)
    assert tr.verify(mechanism, Graphs(4), tr.Level.ratio(4)).holds
