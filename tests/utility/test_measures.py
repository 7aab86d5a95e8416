"""Leakage, Dobrushin coefficient and rank against fractions."""

from fractions import Fraction
from itertools import combinations
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.privacy.brute import laws, mechanism_of, tables_of_weights
from tightrope.errors import BadInput
from tightrope.mechanisms import KernelMechanism, cascade
from tightrope.spaces import categories, path
from tightrope.utility import dobrushin, dobrushin_optimum, min_capacity, rank


def exact_rank(rows):
    """The rank of a matrix of fractions by elimination."""
    table, found = [list(line) for line in rows], 0
    for column in range(len(table[0])):
        pivot = next((i for i in range(found, len(table)) if table[i][column]), None)
        if pivot is None:
            continue
        table[found], table[pivot] = table[pivot], table[found]
        for i in range(found + 1, len(table)):
            factor = table[i][column] / table[found][column]
            table[i] = [a - factor * b for a, b in zip(table[i], table[found], strict=True)]
        found += 1
    return found


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(2, 4), st.integers(1, 4), st.data())
def test_measures_are_those_of_the_fractions(size, columns, data):
    integers = data.draw(tables_of_weights(size, columns, zeros=True))
    rows = laws(integers)
    mechanism = mechanism_of(path(0, size - 1), integers)
    capacity = sum(max(law[z] for law in rows) for z in range(columns))
    assert min_capacity(mechanism) == pytest.approx(log2(capacity), abs=1e-12)
    overlap = min(sum(min(a, b) for a, b in zip(p, q, strict=True))
                  for p, q in combinations(rows, 2))
    assert dobrushin(mechanism) == pytest.approx(-float(overlap), abs=1e-12)
    assert rank(mechanism) == exact_rank(rows)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.data())
def test_post_processing_never_raises_leakage_or_the_coefficient(data):
    mechanism = mechanism_of(path(0, 2), data.draw(tables_of_weights(3, 3, zeros=True)))
    lines = data.draw(tables_of_weights(3, 2, zeros=True))
    channel = [[Fraction(value, sum(line)) for value in line] for line in lines]
    after = cascade(mechanism, channel, ("x", "y"))
    assert min_capacity(after) <= min_capacity(mechanism) + 1e-12
    assert dobrushin(after) <= dobrushin(mechanism) + 1e-12


@pytest.mark.parametrize(("k", "q"), [(2, 3), (4, 2), (10, 5)])
def test_randomized_response_leaks_what_its_formula_says(k, q):
    kernel = KernelMechanism(categories(k), Fraction(q), Fraction(1), (Fraction(1),) * k)
    assert min_capacity(kernel) == pytest.approx(log2(k * q / (q + k - 1)))
    assert dobrushin(kernel) == pytest.approx(-k / (q + k - 1))
    assert rank(kernel) == k


@pytest.mark.parametrize("steps", ["path:0..3", 2.5, 0, True])
def test_what_is_no_number_of_steps_has_no_best_ergodicity(steps):
    with pytest.raises(BadInput, match=r"expected a diameter"):
        dobrushin_optimum(steps, 1)
