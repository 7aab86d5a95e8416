"""Posterior odds and guesses, by Bayes' rule written out."""

import random
from fractions import Fraction

import numpy as np
import pytest

from tests.theory.test_generality import mechanism_of, random_rows
from tightrope.errors import BadMatrix, TooLarge
from tightrope.exact import Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.spaces import path
from tightrope.utility import beliefs, leakage, mutual_information

F = Fraction


def test_odds_and_guesses_are_those_of_bayes():
    source = random.Random(51)
    for _ in range(30):
        n = source.randrange(2, 5)
        rows = random_rows(source, n, 3, 0.2)
        weights = random_rows(source, 1, n, 0.2)[0]
        made = mechanism_of(path(0, n - 1), rows)
        found = beliefs(made, weights)
        assert found.guess_before == max(weights)
        assert found.guess_after == sum(
            max(w * row[z] for w, row in zip(weights, rows, strict=True)) for z in range(3)
        )
        assert abs(found.leakage - leakage(made, weights)) < 1e-12
        assert found.mutual_information == mutual_information(made, weights)
        possible = [i for i in range(n) if weights[i]]
        ratios = [
            rows[j][z] / rows[i][z] if rows[i][z] else None
            for i in possible for j in possible for z in range(3) if rows[i][z] or rows[j][z]
        ]
        if None in ratios:
            assert found.largest.after is None
        elif found.largest is None:
            assert max(ratios) == 1
        else:
            odds = found.largest
            assert odds.after / odds.before == max(ratios)
            i, j, z = odds.first, odds.second, odds.output
            posterior = [weights[k] * rows[k][z] for k in (i, j)]
            assert posterior[1] / posterior[0] == odds.after


def test_how_often_odds_move_is_counted_between_neighbors():
    rows = [[F(1, 2), F(1, 2), F(0)], [F(1, 4), F(1, 2), F(1, 4)], [F(1, 40), F(29, 40), F(1, 4)]]
    found = beliefs(MatrixMechanism.of(rows, "path:0..2"))
    two, five, ten = found.moved
    assert (two.factor, five.factor, ten.factor) == (2, 5, 10)
    assert two.rise == F(1, 4)  # from 1 to 0 the first output is twice as likely
    assert five.rise == ten.rise == F(1, 40)  # from 2 to 1 it is ten times as likely
    assert two.fall == F(1, 2)  # from 0 to 1 it is half as likely
    assert ten.fall == F(1, 4)  # from 1 to 2 it is a tenth, and from 1 to 0 the third never comes


def test_bad_priors_and_large_mechanisms_are_refused():
    made = MatrixMechanism.of([["1/2", "1/2"], ["1/4", "3/4"]], "categories:2")
    with pytest.raises(BadMatrix):
        beliefs(made, [1])
    with pytest.raises(BadMatrix):
        beliefs(made, [0, 0])
    size = 600
    ones = Weights(np.ones((size, size), int), np.zeros((size, size), int))
    flat = MatrixMechanism(path(0, size - 1), range(size), ones)
    with pytest.raises(TooLarge):
        beliefs(flat)
