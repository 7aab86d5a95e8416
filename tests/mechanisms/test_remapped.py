"""Kernels whose outputs are replaced by answers: law, proof, document, draws."""

import json
from fractions import Fraction
from itertools import permutations
from math import log

import numpy as np
import pytest

from tightrope import receipt
from tightrope.documents import accept, compose, digest_of, read, render
from tightrope.errors import BadDocument, BadMatrix, CannotCheck
from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism, RemappedMechanism
from tightrope.privacy import certified, smallest_level, verify
from tightrope.samplers import SeededSource, draw_indices, draw_many
from tightrope.spaces import path
from tightrope.utility import absolute
from tightrope.utility.expectation import losses_by_input

SPACE = path(0, 4)
KERNEL = KernelMechanism(SPACE, Fraction(2), Fraction(1), (2, 1, 1, 1, 2))
ENDS_IN = RemappedMechanism(KERNEL, (1, 1, 2, 3, 3), SPACE.points)
HALVES = RemappedMechanism(KERNEL, (0, 0, 0, 1, 1), ("low", "high"))


def rows_by_hand(mechanism):
    """Σ over the outputs of one target of w_z 2^-|y-z|, over the total of the row."""
    found = []
    for y in range(5):
        line = [Fraction(0)] * len(mechanism.outputs)
        for z, w in enumerate(mechanism.kernel.weights):
            line[mechanism.targets[z]] += w * Fraction(1, 2 ** abs(y - z))
        found.append(tuple(value / sum(line) for value in line))
    return found


def smallest_by_hand(mechanism):
    rows, pairs = rows_by_hand(mechanism), permutations(range(5), 2)
    return max(
        log(p / q) / abs(i - j)
        for i, j in pairs
        for p, q in zip(rows[i], rows[j], strict=True)
        if p
    )


@pytest.mark.parametrize("mechanism", [ENDS_IN, HALVES])
def test_an_answer_has_the_chances_of_its_outputs(mechanism):
    assert [mechanism.row(y) for y in range(5)] == rows_by_hand(mechanism)
    assert [mechanism.matrix().row(y) for y in range(5)] == rows_by_hand(mechanism)


@pytest.mark.parametrize("mechanism", [ENDS_IN, HALVES])
def test_what_the_kernel_has_its_answers_have(mechanism):
    found = verify(mechanism, SPACE, Level.ratio(2))
    assert found.holds
    assert found.evidence.value == "kernel"
    assert found.smallest.lower <= smallest_by_hand(mechanism) <= found.smallest.upper
    assert smallest_level(mechanism, SPACE) == found.smallest


def test_an_output_alone_refutes_with_its_probabilities():
    found = verify(ENDS_IN, SPACE, Level.ratio("3/2"))
    rows = rows_by_hand(ENDS_IN)
    first, second = found.witness.first, found.witness.second
    (answer,) = found.witness.outputs
    assert found.witness.probabilities == (rows[first][answer], rows[second][answer])
    assert rows[first][answer] > Fraction(3, 2) * rows[second][answer]


def test_without_an_output_alone_nothing_is_said_below_the_kernels_level():
    assert verify(HALVES, SPACE, Level.ratio(2)).smallest.lower == 0
    with pytest.raises(CannotCheck, match="the kernel does not have the level"):
        verify(HALVES, SPACE, Level.ratio("5/4"))


def test_with_delta_the_kernels_excess_bounds_that_of_its_answers():
    level = Level.ratio("3/2", "1/4")
    found = verify(ENDS_IN, SPACE, level)
    rows = rows_by_hand(ENDS_IN)
    truth = max(
        sum(max(Fraction(0), p - Fraction(3, 2) * q) for p, q in zip(a, b, strict=True))
        for i in range(4)
        for a, b in ((rows[i], rows[i + 1]), (rows[i + 1], rows[i]))
    )
    assert found.holds
    assert found.delta[0] <= truth <= found.delta[1] <= Fraction(1, 4)


def test_losses_are_those_of_the_answers():
    expected = [
        float(sum(p * abs(y - z) for z, p in enumerate(row)))
        for y, row in enumerate(rows_by_hand(ENDS_IN))
    ]
    assert losses_by_input(ENDS_IN, loss=absolute) == pytest.approx(expected, rel=1e-15)


def test_draws_are_the_kernels_draws_looked_up():
    codes = np.arange(5).repeat(200)
    answers = draw_indices(certified(ENDS_IN, Level.ratio(2)), codes, SeededSource(5))
    outputs = draw_indices(certified(KERNEL, Level.ratio(2)), codes, SeededSource(5))
    assert answers.tolist() == [ENDS_IN.targets[z] for z in outputs.tolist()]
    assert set(answers.tolist()) == {1, 2, 3}
    named = draw_many(certified(HALVES, Level.ratio(2)), [0, 4], SeededSource(5))
    assert set(named) <= {"low", "high"}


def judged(mechanism, level):
    """The document at another claim: what `accept` says of it, and what the checker does."""
    document = compose(certified(mechanism, Level.ratio(2)))
    document["claim"]["epsilon"]["base"] = level
    document["digest"] = digest_of(document)
    return read(render(document)), receipt.examine(json.loads(render(document)), False)


@pytest.mark.parametrize("mechanism", [ENDS_IN, HALVES])
def test_a_document_keeps_it_and_both_judges_prove_it(mechanism):
    document, report = judged(mechanism, "2")
    assert document.mechanism == mechanism
    assert accept(document).certificate.holds
    assert (report["holds"], report["unchecked"]) == (True, [])


def test_both_judges_refute_by_the_same_output():
    document, report = judged(ENDS_IN, "3/2")
    found = verify(document.mechanism, SPACE, document.level)
    assert not found.holds
    assert report["holds"] is False
    assert report["witness"]["first"] == found.witness.first
    assert report["witness"]["outputs"] == list(found.witness.outputs)


def test_neither_judge_decides_without_an_output_alone():
    document, report = judged(HALVES, "5/4")
    with pytest.raises(CannotCheck):
        verify(document.mechanism, SPACE, document.level)
    assert report["holds"] is None


@pytest.mark.parametrize("targets", ["1 1 2 3", "1 1 2 3 5", "1 1 2 3 -1", "", "1 1 2 3 x"])
def test_targets_that_are_none_are_no_document(targets):
    document = compose(certified(ENDS_IN, Level.ratio(2)))
    document["mechanism"]["targets"] = targets
    document["digest"] = digest_of(document)
    with pytest.raises(BadDocument):
        read(render(document))
    with pytest.raises(receipt.Malformed):
        receipt.examine(json.loads(render(document)), False)


@pytest.mark.parametrize("targets", [(0, 0, 0, 1), (0, 0, 0, 1, 2), (0, 0, 0, 1, -1), "abcde",
                                     (0, 0, 0, 1, 0.5)])
def test_targets_are_answers(targets):
    with pytest.raises(BadMatrix):
        RemappedMechanism(KERNEL, targets, ("low", "high"))


@pytest.mark.parametrize("hair", [Fraction(0), Fraction(1, 10**40), -Fraction(1, 10**40)])
@pytest.mark.parametrize("targets", [(0, 1, 1), (1, 1, 2), (0, 0, 1), (0, 1, 2), (1, 1, 1)])
def test_the_level_of_the_kernel_is_exact_for_its_answers_only_if_one_of_them_attains_it(
    hair, targets
):
    kernel = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), (1 + hair, *[Fraction(1)] * 2))
    mechanism = RemappedMechanism(kernel, targets, kernel.space.points)
    found, rows = (smallest_level(m, kernel.space) for m in (mechanism, mechanism.matrix()))
    assert found.lower <= rows.upper
    assert rows.lower <= found.upper
    if found.exact is not None:
        assert rows.exact.compare_level(found.exact) == 0
    if targets == (0, 1, 1) and not hair:
        assert found.exact == Level.ratio("16/7")


def test_a_level_that_an_answer_just_keeps_is_neither_refuted_nor_proved():
    kernel = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), (Fraction(1),) * 3)
    mechanism = RemappedMechanism(kernel, (0, 1, 2), kernel.space.points)
    kept = kernel.probability(1, 1) / kernel.probability(2, 1)  # the output in the middle
    with pytest.raises(CannotCheck):
        verify(mechanism, kernel.space, Level.ratio(kept))
    assert not verify(mechanism, kernel.space, Level.ratio(kept - Fraction(1, 10**30))).holds
    with pytest.raises(CannotCheck):
        verify(mechanism, kernel.space, Level.ratio(kept - Fraction(1, 10), delta="1/1000"))


def test_an_answer_that_never_comes_refutes_nothing():
    kernel = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), tuple(map(Fraction, (1, 0, 1))))
    mechanism = RemappedMechanism(kernel, (0, 1, 0), kernel.space.points)
    assert smallest_level(mechanism, kernel.space).lower == 0
    with pytest.raises(CannotCheck):
        verify(mechanism, kernel.space, Level.ratio("101/100"))
