"""Every two-decimal 2 × 2 matrix in a file has its exact level, and no smaller one."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import tightrope as tr
from tightrope.exact import Weights
from tightrope.files import read_matrix

BELOW = Fraction(10**30 - 1, 10**30)


def test_all_two_decimal_matrices_hold_at_their_level_and_fail_just_below(tmp_path: Path) -> None:
    file, space, tried = tmp_path / "m.csv", tr.space("categories:2"), 0
    rows = [f"{p / 100:.2f},{1 - p / 100:.2f}" for p in range(100)]
    file.write_text("\n".join(rows), encoding="ascii")
    read = read_matrix(file).weights()
    for p, q in permutations(range(1, 100), 2):
        weights = Weights(read.mantissas[[p, q]], read.exponents[[p, q]])
        mechanism = tr.mechanisms.MatrixMechanism(space, space.points, weights)
        ratio = max(Fraction(p, q), Fraction(q, p), Fraction(100 - p, 100 - q),
                    Fraction(100 - q, 100 - p))
        assert tr.verify(mechanism, space, tr.Level.ratio(ratio)).holds, (p, q)
        assert not tr.verify(mechanism, space, tr.Level.ratio(ratio * BELOW)).holds, (p, q)
        tried += 1
    assert tried == 9702
