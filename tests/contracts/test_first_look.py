"""The first lines that anybody types do what they say."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr
from tightrope.errors import NotPrivate


@pytest.fixture(scope="module")
def solution():
    return tr.design("path:0..49", 0.5, loss="absolute")


def test_texts_and_numbers_design_for_the_worst_input():
    found = tr.design("path:0..49", 0.5, loss="absolute", goal="worst")
    rows = [found.certified.mechanism.row(x) for x in range(50)]
    outputs = found.certified.mechanism.outputs
    worst = max(sum(p * abs(x - z) for z, p in zip(outputs, row, strict=True))
                for x, row in enumerate(rows))
    assert found.value == pytest.approx(float(worst))
    assert found.bound <= found.value <= found.bound * (1 + 1e-6)


def test_a_solution_is_shown_in_four_lines(solution):
    assert len(repr(solution).splitlines()) == 4


def test_a_solution_says_what_was_asked_and_what_was_found(solution):
    assert solution.problem == tr.design("path:0..49", "1/2", loss=tr.utility.absolute).problem
    assert solution.bound <= solution.value
    assert solution.gap <= 1e-6
    assert solution.construction in {row.construction for row in tr.compare("path:0..9", 1).rows}
    assert solution.theorem is None or isinstance(solution.theorem, str)


def test_what_is_certified_has_exact_rows_and_a_proved_level(solution):
    proved = solution.certified
    row = proved.mechanism.row(0)
    assert all(type(p) is Fraction for p in row)
    assert sum(row) == 1
    assert proved.certificate.level == tr.Level.epsilon("0.5")
    assert proved.certificate.smallest.lower <= proved.certificate.smallest.upper <= 0.5


def test_a_matrix_is_verified_or_refuted_or_repaired():
    rows = np.array([[0.75, 0.25], [0.25, 0.75]])
    assert tr.verify(rows, "path:0..1", "ln(3)").holds
    refuted = tr.verify(rows, "path:0..1", 1)
    assert not refuted.holds
    assert Fraction(*refuted.witness.probabilities) == 3
    assert tr.certify(rows, "path:0..1", 1).certificate.level == tr.Level.of(1)
    with pytest.raises(NotPrivate):
        tr.privacy.certified(tr.mechanisms.MatrixMechanism.of(rows, tr.space("path:0..1")), 1)


def test_constructions_are_compared_with_the_proved_bound():
    table = tr.compare("grid:3x3", 1, loss="euclidean")
    losses = [row.solution.value for row in table.rows if row.solution is not None]
    assert table.bound <= min(losses) * (1 + 1e-9)
    assert len(losses) >= 3


def test_a_solution_is_drawn_from_saved_and_loaded(solution, tmp_path):
    assert tr.draw(solution, 7) in range(50)
    column = np.array([0, 7, 49])
    drawn = tr.draw_many(solution, column)
    assert type(drawn) is np.ndarray
    assert drawn.dtype == column.dtype
    tr.save(solution, tmp_path / "m.json")
    again = tr.load(tmp_path / "m.json")
    assert again.mechanism == solution.certified.mechanism
    assert again.certificate.level == solution.certified.certificate.level
