"""Which measures of utility post-processing can raise (KL10, Axiom 3.1.4)."""

import random
from fractions import Fraction

import numpy as np
import pytest

from tests.theory.test_generality import mechanism_of, random_rows, rows_of
from tightrope.constructions import truncated_geometric
from tightrope.errors import BadMatrix, TooLarge
from tightrope.exact import Level
from tightrope.mechanisms import cascade
from tightrope.spaces import categories, path
from tightrope.utility import (
    Prior,
    Problem,
    absolute,
    best_remap,
    determinant,
    dobrushin,
    expected_loss,
    min_capacity,
    mutual_information,
    rank,
    uniform,
)

F = Fraction


def test_post_processing_raises_neither_leakage_nor_determinant_nor_dobrushin():
    source = random.Random(30)
    for _ in range(60):
        n = source.randrange(2, 6)
        before = mechanism_of(path(0, n - 1), random_rows(source, n, n))
        after = cascade(before, random_rows(source, n, n, zero=0.3), before.outputs)
        for measure in (min_capacity, dobrushin, lambda m: mutual_information(m, uniform)):
            assert measure(after) <= measure(before) + 1e-12
        assert determinant(after) <= determinant(before)
        assert rank(after) <= rank(before)


def test_post_processing_can_lower_an_expected_loss():
    space = path(0, 2)
    geometric = truncated_geometric(space, Level.ratio(2)).mechanism
    prior = Prior.of([F(1, 10), F(8, 10), F(1, 10)])
    answers = best_remap(geometric, Problem(space, 1, prior, absolute))
    channel = [[F(int(z == answer)) for z in range(3)] for answer in answers]
    after = cascade(geometric, channel, space.points)
    assert len(set(answers)) < 3  # information is thrown away
    assert expected_loss(after, prior=prior, loss=absolute) < expected_loss(
        geometric, prior=prior, loss=absolute
    )


def test_the_determinant_is_that_of_the_matrix():
    source = random.Random(31)
    for _ in range(20):
        n = source.randrange(2, 6)
        mechanism = mechanism_of(path(0, n - 1), random_rows(source, n, n))
        floats = np.array(rows_of(mechanism), dtype=float)
        assert float(determinant(mechanism)) == pytest.approx(abs(np.linalg.det(floats)))


def test_mutual_information_by_hand():
    rows = [[F(1), F(0)], [F(1, 2), F(1, 2)]]  # the Z channel
    found = mutual_information(mechanism_of(categories(2), rows), uniform)
    entropy = -(0.75 * np.log2(0.75) + 0.25 * np.log2(0.25))
    assert found == pytest.approx(entropy - 0.5)


def test_determinants_of_what_is_not_square_or_too_large_are_refused():
    with pytest.raises(BadMatrix):
        determinant(mechanism_of(categories(2), [[F(1)], [F(1)]]))
    with pytest.raises(TooLarge):
        determinant(truncated_geometric(path(0, 100), Level.ratio(2)).mechanism)
