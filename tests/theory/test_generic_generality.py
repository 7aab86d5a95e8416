"""Splitting under a definition: the original follows, the definition is kept, none is more general.
"""

import random
from fractions import Fraction
from itertools import product

import pytest

import tightrope as tr
from tests.constructions.optimum.test_generic import keeps, random_bound
from tightrope.errors import BadInput, TooLarge
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import GenericDefinition, PairBound, level_bound, total_variation
from tightrope.theory import generality, generalize, generalize_under

F = Fraction


def rows_of(mechanism):
    return [mechanism.row_at(y) for y in range(mechanism.space.size)]


@pytest.mark.slow
def test_random_mechanisms_are_split_and_follow_again():
    rng, split = random.Random(7), 0
    for _ in range(40):
        size = rng.choice([2, 2, 3])
        pairs = [(i, j) for i, j in product(range(size), repeat=2) if i != j]
        bounds = {pair: random_bound(rng) for pair in rng.sample(pairs, rng.randint(1, len(pairs)))}
        asked = GenericDefinition({pair: PairBound.of(knots) for pair, knots in bounds.items()})
        width = rng.choice([1, 2])
        law = [F(rng.randint(1, 4)) for _ in range(width)]
        flat = [[p / sum(law) for p in law]] * size
        found = generalize_under(MatrixMechanism.of(flat, f"categories:{size}"), asked)
        assert keeps(rows_of(found.mechanism), bounds)
        back = [[sum(p * line[z] for p, line in zip(row, found.channel, strict=True))
                 for z in range(width)] for row in rows_of(found.mechanism)]
        assert back == [list(row) for row in flat]
        assert all(sum(line) == 1 and min(line) >= 0 for line in found.channel)
        if found.maximal:
            assert no_split_on_a_grid(rows_of(found.mechanism), bounds)
        split += found.splits > 0
    assert split > 20


def no_split_on_a_grid(rows, bounds):
    """No output has a part, by quarters of its entries, that is no multiple and keeps M."""
    for z, column in enumerate(zip(*rows, strict=True)):
        for shares in product([F(0), F(1, 4), F(1, 2), F(3, 4), F(1)], repeat=len(column)):
            used = {share for share, c in zip(shares, column, strict=True) if c}
            if len(used) < 2 or len(rows[0]) > 6:
                continue
            tried = [[*row[:z], row[z] * share, row[z] * (1 - share), *row[z + 1 :]]
                     for row, share in zip(rows, shares, strict=True)]
            if keeps(tried, bounds):
                return False
    return True


def test_two_inputs_reach_the_bound_itself():
    for bound in (total_variation("1/4"), level_bound(tr.Level.ratio(2, "1/10")),
                  PairBound.of([(0, "1/12"), ("1/3", "2/3"), (1, 1)])):
        flat = MatrixMechanism.of([["1"], ["1"]], "categories:2")
        found = generalize_under(flat, GenericDefinition({(0, 1): bound}))
        curve = tr.privacy.tradeoff_curve(*rows_of(found.mechanism))
        assert curve.knots == bound.knots  # Blackwell: its trade-off curve is M


def test_at_a_pure_level_both_searches_are_maximal():
    rows = [["2/5", "3/5"], ["1/2", "1/2"], ["2/5", "3/5"]]
    given = MatrixMechanism.of(rows, "path:0..2")
    pure = GenericDefinition.on_neighbors(given.space, level_bound(tr.Level.ratio(2)))
    found = generalize_under(given, pure)
    assert found.maximal
    assert not generalize_under(generalize(given, ratio=2).certified.mechanism, pure).splits
    assert generality(given, found.mechanism).order == "less general"


def test_a_broken_definition_and_a_large_mechanism_are_refused():
    given = MatrixMechanism.of([["1", "0"], ["0", "1"]], "categories:2")
    asked = GenericDefinition.on_neighbors(given.space, total_variation("1/4"))
    with pytest.raises(BadInput, match="breaks the definition"):
        generalize_under(given, asked)
    large = tr.design("path:0..20", 1).certified.mechanism
    with pytest.raises(TooLarge, match="hockey-stick"):
        generalize_under(large, GenericDefinition.on_neighbors(
            large.space, level_bound(tr.Level.ratio(3))))


def test_components_are_told_apart_and_each_is_split_by_itself(tmp_path):
    (tmp_path / "two.csv").write_text("from,to\na,b\nc,d\nd,e\n", encoding="utf-8")
    space = tr.space(f"edges:{tmp_path / 'two.csv'}")
    flat = MatrixMechanism.of([["1"]] * 5, space)
    found = generalize(flat, ratio=2)
    made = found.certified.mechanism
    for column in zip(*rows_of(made), strict=True):
        assert not (any(column[:2]) and any(column[2:]))
    pair = generalize(MatrixMechanism.of([["1"]] * 2, "categories:2"), ratio=2)
    own = {column[:2] for column in zip(*rows_of(made), strict=True) if any(column[:2])}
    assert own == set(zip(*rows_of(pair.certified.mechanism), strict=True))
    assert generality(flat, made).order == "less general"
    assert generality(flat, made).back.deficiency > 0
