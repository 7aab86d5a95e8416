"""Mechanisms where pairs are protected one way: verified by the definition, designed, proved."""

import random
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr
from tests.crosschecks.plain_programs import distances, least_loss
from tests.documents.judges import HOLDS, NO, library_says, receipt_says, text_of
from tightrope.choices import Goal
from tightrope.constructions import compare, design
from tightrope.documents import compose, optimality_of, render
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import (
    GenericDefinition,
    PairBound,
    Refutation,
    smallest_level,
    verify,
    verify_generic,
)
from tightrope.spaces import Relation, directed
from tightrope.utility import LossMatrix


def relation(seed, size=None):
    source = random.Random(seed)
    size = source.randint(2, 6) if size is None else size
    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    kept = source.sample(pairs, source.randint(1, len(pairs)))
    return directed(range(size), [(i, j, source.choice([1, 1, 2])) for i, j in kept]), source


def test_whoever_is_protected_may_hide_and_the_others_need_not():
    """Binary loss, e^ε = 2: the ill always say ill, the well half the time."""
    ward = directed(["well", "ill"], [(0, 1)])
    best = design(ward, Level.ratio(2), loss="binary")
    assert [best.mechanism.row(x) for x in ward.points] == [
        (Fraction(1, 2), Fraction(1, 2)), (0, 1)]
    assert best.value == best.bound == 0.25
    both = design(directed(["well", "ill"], [(0, 1), (1, 0)]), Level.ratio(2), loss="binary")
    assert both.value == pytest.approx(1 / 3)


@pytest.mark.parametrize("seed", range(12))
def test_the_optimum_is_that_of_a_plain_program_and_its_document_proves_it(seed, tmp_path):
    space, source = relation(seed)
    width, goal = source.randint(2, space.size), list(Goal)[seed % 2]
    losses = np.array([[source.randint(0, 8) / 8 for _ in range(width)] for _ in space.points])
    ratio = source.choice([2.0, 1.5, 5.0])
    best = design(space, Level.ratio(str(ratio)), loss=LossMatrix(losses), goal=goal,
                  outputs=list(range(width)))
    prior = None if goal is Goal.WORST else np.full(space.size, 1 / space.size)
    least = least_loss((ratio ** distances(space)).T, losses, prior=prior)
    assert best.value == pytest.approx(least, abs=1e-7)
    assert best.bound <= best.value <= best.bound + 1e-9
    written = render(compose(best.certified, {"name": "optimal"}, optimality=optimality_of(best)))
    assert library_says(written) == receipt_says(written, tmp_path)[0] == HOLDS


@pytest.mark.parametrize("seed", range(12))
def test_verdicts_are_those_of_the_definition(seed):
    space, source = relation(seed)
    rows = [[source.choice([0, 1, 2, 3, 4]) for _ in range(3)] for _ in space.points]
    rows = [row if any(row) else [1, 1, 1] for row in rows]
    exact = [[Fraction(x, sum(row)) for x in row] for row in rows]
    table = distances(space)
    told = MatrixMechanism.of([[str(x) for x in row] for row in exact], space, outputs=[0, 1, 2])
    for ratio in (2, 4, 32):
        holds = all(
            exact[j][z] <= Fraction(ratio) ** int(table[i, j]) * exact[i][z]
            for i, j in np.argwhere(np.isfinite(table)).tolist() for z in range(3)
        )
        found = verify(told, space, Level.ratio(ratio))
        assert found.holds == holds
        if not holds:
            first, second = space.index(found.witness.first), space.index(found.witness.second)
            high, low = found.witness.probabilities
            assert high > Fraction(ratio) ** int(table[second, first]) * low
    smallest = smallest_level(told, space)
    if not isinstance(smallest, Refutation):
        assert verify(told, space, smallest.exact).holds


def test_a_reversed_relation_is_refuted_by_both_judges(tmp_path):
    ward = directed(["well", "ill"], [(0, 1)])
    best = design(ward, Level.ratio(2), loss="binary")
    document = compose(best.certified, {"name": "optimal"})
    document["space"]["edges"] = [[1, 0, "1"]]
    written = text_of(document)
    assert library_says(written) == receipt_says(written, tmp_path)[0] == NO


def test_a_generic_definition_on_the_same_relation_says_the_same():
    space, _ = relation(3, size=4)
    best = design(space, Level.ratio(3), loss="binary").certified
    pairs = [(i, j) for i, j, length in space.links if length == 1]
    bound = PairBound.of([(0, 0), ("1/3", 1), (1, 1)])  # e^ε a alone; KL10's M is both ways
    asked = GenericDefinition.on(Relation(space.points, tuple(pairs)), bound)
    assert verify_generic(best, asked).holds


def test_queries_are_designed_for_and_the_published_constructions_say_why_they_are_not():
    ward = directed(["well", "carrier", "ill"], [(0, 1), (1, 2)])
    found = compare(ward, 1, query={"well": 0, "carrier": 3, "ill": 10})
    kept = {row.construction for row in found.rows if row.solution is not None}
    assert kept == {"optimal", "optimal-on-values"}
    assert all("both ways" in row.reason for row in found.rows if row.construction not in kept)
    with pytest.raises(Infeasible, match="both ways"):
        design(ward, 1, query=[0, 3, 10], construction="ladder")
    same = compare(ward, "ln(2)", query=[0, 5, 5])
    on_values = next(row for row in same.rows if row.construction == "optimal-on-values")
    assert on_values.solution.value >= same.bound
    with pytest.raises(tr.TightropeError, match="neighbors"):
        design(ward, Level.ratio(2, "1/10"))
