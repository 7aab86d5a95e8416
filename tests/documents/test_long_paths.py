"""Hundreds of counts: designed, certified, saved, read and accepted, without a single zero."""

import copy
from fractions import Fraction

import numpy as np
import pytest

from tests.documents.judges import HOLDS, NO, library_says, receipt_says, text_of
from tightrope.constructions import design
from tightrope.constructions.closed_forms.geometric import rounded_geometric
from tightrope.documents import accept, compose, read, render
from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.privacy import certified
from tightrope.spaces import path
from tightrope.utility import Solution, absolute

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["0.5", "0.5, written out", "ln(3/2)"])
def long(request):
    text, _, written = request.param.partition(",")
    level, space = Level.parse(text), path(0, 499)
    solution = design(space, level, loss=absolute, construction="geometric")
    if written:
        rows = certified(rounded_geometric(space, (500,), level), level)
        solution = Solution(solution.problem, rows, "geometric")
    return level, solution, compose(solution.certified)


def smallest_probability(mechanism):
    return mechanism.row_at(0)[499]


def test_it_is_designed_and_certified_without_a_zero(long):
    level, solution, _ = long
    assert solution.certified.certificate.level == level
    mechanism = solution.certified.mechanism
    if isinstance(mechanism, MatrixMechanism):
        assert (mechanism.weights.mantissas > 0).all()
    else:
        assert isinstance(mechanism, KernelMechanism)
        assert min(mechanism.weights) > 0
    least = smallest_probability(mechanism)
    assert 0 < least < Fraction(1, 2**250)
    smallest = solution.certified.certificate.smallest
    assert smallest.upper <= float(level) * (1 + 1e-15)
    assert smallest.lower >= float(level) * (1 - 1e-9)


def test_its_loss_is_that_of_the_closed_form(long):
    level, solution, _ = long
    alpha = np.exp(-float(level))
    y = np.arange(500)
    below, above = (alpha * (1 - alpha**room) / (1 - alpha) for room in (y, 499 - y))
    assert solution.value == pytest.approx(((below + above) / (1 + alpha)).mean(), rel=1e-9)


def test_neighbors_stay_within_the_level_at_the_ends_and_in_the_middle(long):
    level, solution, _ = long
    mechanism = solution.certified.mechanism
    bound = Fraction(3, 2) if level.coefficient else Fraction("1.6487212707001281468486507878141")
    for i in (0, 249, 498):
        for p, q in zip(mechanism.row_at(i), mechanism.row_at(i + 1), strict=True):
            assert 0 < p <= bound * q
            assert 0 < q <= bound * p


def test_it_is_saved_read_and_accepted_by_both(long, tmp_path):
    level, solution, document = long
    data = render(document)
    found = accept(read(data))
    assert found.certificate.level == level
    assert found.mechanism.row_at(7) == solution.certified.mechanism.row_at(7)
    code, report = receipt_says(data, tmp_path)
    assert code == HOLDS
    assert report["intact"] is True


def test_one_changed_weight_among_many_is_found(long):
    _, _, document = long
    changed = copy.copy(document)
    changed["mechanism"] = dict(document["mechanism"])
    if "rows" in changed["mechanism"]:
        rows = list(changed["mechanism"]["rows"])
        tokens = rows[200].split(" ")
        head, _, power = tokens[350].partition("p")
        tokens[350] = f"{int(head, 16) * 2:x}p{power or 0}"
        rows[200] = " ".join(tokens)
        changed["mechanism"]["rows"] = rows
    else:
        weights = list(changed["mechanism"]["weights"])
        if "bits" in changed["mechanism"]:
            tokens = weights[0].split(" ")
            tokens[350] = f"{int(tokens[350], 16) * 2:x}"
            weights[0] = " ".join(tokens)
        else:
            weights[350] = str(Fraction(weights[350]) * 2)
        changed["mechanism"]["weights"] = weights
    data = text_of(changed)
    assert library_says(data) == NO


def test_the_best_design_is_certified_without_a_zero_beside_a_non_zero():
    level = Level.epsilon("0.5")
    solution = design(path(0, 499), level, loss=absolute)
    assert solution.certified.certificate.level == level
    present = solution.certified.mechanism.matrix().weights.mantissas > 0
    assert (present.all(axis=0) | ~present.any(axis=0)).all()
    assert solution.value <= design(
        path(0, 499), level, loss=absolute, construction="geometric"
    ).value
