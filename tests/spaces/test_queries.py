"""Induced graphs of queries: ECP's Figure 1, Theorem 1 and Corollary 1 on small examples."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.privacy.brute import has_level, lengths_of
from tightrope.errors import BadInput, BadSpace
from tightrope.exact import Level
from tightrope.spaces import counts, grid, hamming, path, query, sums
from tightrope.theory import induced_query, uniform_sensitivity


def table_of(space):
    return {
        (a, b): space.distance(space.index(a), space.index(b))
        for a in space.points for b in space.points
    }


def test_a_count_a_sum_and_two_counts_induce_the_families_of_those_names():
    people = hamming(values=2, people=4)
    assert table_of(induced_query(people, sum).codomain) == table_of(path(0, 4))
    wages = hamming(values=4, people=3)
    assert table_of(induced_query(wages, sum).codomain) == table_of(sums(people=3, maximum=3))
    def both(database):
        return (sum(v & 1 for v in database), sum(v >> 1 for v in database))

    answers = hamming(values=4, people=3)
    assert table_of(induced_query(answers, both).codomain) == table_of(counts(people=3, queries=2))


def test_a_table_serves_as_a_query_and_a_missing_answer_is_named():
    space = path(0, 2)
    found = induced_query(space, {0: "low", 1: "low", 2: "high"})
    assert found.codomain.points == ("low", "high")
    with pytest.raises(BadInput, match="no answer for 2"):
        induced_query(space, {0: "low", 1: "high"})
    with pytest.raises(BadSpace, match="one answer only"):
        induced_query(space, lambda x: "same")
    with pytest.raises(BadSpace, match="no neighbors"):
        induced_query(grid((2, 2)), lambda x: x)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.data())
def test_theorem_1_privacy_of_the_answers_is_privacy_of_the_databases(data):
    people = hamming(values=2, people=3)
    values = data.draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))
    if len(set(values)) < 2:
        return
    asked = induced_query(people, dict(zip(people.points, values, strict=True)))
    assert uniform_sensitivity(asked).holds
    width = asked.codomain.size
    rows = data.draw(st.lists(st.lists(st.integers(1, 8), min_size=3, max_size=3),
                              min_size=width, max_size=width))
    law = [tuple(Fraction(x, sum(row)) for x in row) for row in rows]
    composed = [law[v] for v in asked.values]
    for level in (Level.ratio(2), Level.ratio(3)):
        assert has_level(law, lengths_of(asked.codomain), level) == has_level(
            composed, lengths_of(people), level
        )


def test_uniform_sensitivity_says_what_fails():
    twice = query(path(0, 2), path(0, 4), lambda x: 2 * x)
    assert "never given" in uniform_sensitivity(twice, 2).reason
    assert uniform_sensitivity(query(path(0, 3), path(0, 3), lambda x: x)).holds
    steep = query(path(0, 2), path(0, 2), lambda x: {0: 0, 1: 2, 2: 1}[x])
    found = uniform_sensitivity(steep)
    assert not found.holds
    assert found.witness == (0, 1)
    loose = uniform_sensitivity(query(path(0, 3), path(0, 3), lambda x: x), 2)
    assert not loose.holds
    assert "near" in loose.reason


def test_uniform_sensitivity_agrees_with_chains_searched_by_hand():
    people = hamming(values=3, people=2)
    asked = query(people, path(0, 4), sum)
    for delta in (1, 2, 3):
        lengths = np.array([[float(people.distance(a, b)) for b in range(9)] for a in range(9)])
        values = np.array(asked.values)
        lipschitz = (np.abs(values[:, None] - values) <= delta * lengths + 1e-9).all()
        expanded = np.full((5, 5), np.inf)
        for a in range(9):
            for b in range(9):
                gap = abs(values[a] - values[b])
                if gap == delta * lengths[a, b]:
                    expanded[values[a], values[b]] = gap
        for middle in range(5):
            expanded = np.minimum(expanded, expanded[:, [middle]] + expanded[[middle], :])
        every = np.arange(5)
        chains = (expanded == np.abs(every[:, None] - every)).all()
        assert uniform_sensitivity(asked, delta).holds == (lipschitz and chains)


def test_a_measure_names_values_by_label_or_as_the_numbers_that_they_are():
    values = [0, Fraction(1, 2), 7]
    for half in ("0.5", "1/2", 0.5, Fraction(1, 2)):
        assert query(path(0, 2), None, values, {0: 1, half: 2}).measure == (1, 2, 0)
    with pytest.raises(BadInput, match="names a value twice"):
        query(path(0, 2), None, values, {"0.5": 1, 0.5: 2})
    for stranger in (9, "x"):
        with pytest.raises(BadInput, match="not a point"):
            query(path(0, 2), None, values, {stranger: 1})


def test_values_below_zero_keep_their_labels():
    found = query(path(0, 3), None, [-0.5, -1.25, 0.5, -3])
    assert found.codomain.points == (-3, "-1.25", "-0.5", "0.5")
