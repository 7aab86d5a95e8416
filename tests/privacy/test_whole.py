"""Definitions of whole mechanisms, and predicates asked of every event."""

from fractions import Fraction
from itertools import combinations, permutations

import pytest

from tightrope.errors import BadInput, TooLarge
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import (
    FormulaBound,
    judge_whole,
    keeps,
    odds_change,
    takes_matrix,
    total_variation,
    verify_events,
)
from tightrope.spaces import Relation, path

F = Fraction
ROWS = [["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], ["1/8", "3/8", "1/2"]]


def ratio_two(rows):
    return all(p <= 2 * q and q <= 2 * p for column in zip(*rows, strict=True)
               for p, q in combinations(column, 2))


def likely_apart(rows):
    """Told apart only by unlikely outputs: joining them makes a likely one."""
    return all(max(c) <= F(1, 2) or min(c) > 0 for c in zip(*rows, strict=True))


def not_flat(rows):
    """A mechanism that ignores its input is forbidden: mixing can make one."""
    return len(set(rows)) > 1


def test_ratios_of_whole_mechanisms_keep_both_axioms_where_tried():
    found = judge_whole(ratio_two, inputs=3, outputs=2, grid=6)
    assert found.transformation_invariance
    assert found.axiom_of_choice
    assert found.tried >= 7**3
    assert "3 inputs" in found.scope


@pytest.mark.parametrize("allowed", [likely_apart, not_flat])
def test_a_counterexample_is_one(allowed):
    found = judge_whole(allowed)
    assert not (found.transformation_invariance and found.axiom_of_choice)
    for part in (found.processing, found.choice):
        if part is not None:
            assert all(allowed(rows) for rows in part.before)
            assert not allowed(part.after)
            assert all(sum(row) == 1 for row in part.after)
    if found.choice is not None:
        first, second = found.choice.before
        assert found.choice.after == tuple(
            tuple((p + q) / 2 for p, q in zip(x, y, strict=True))
            for x, y in zip(first, second, strict=True)
        )


@pytest.mark.parametrize("ratio", [F(3, 2), F(2), F(20)])
@pytest.mark.parametrize("delta", [F(1, 5), F(1, 20), F(1, 100), F(1, 1000)])
def test_delta_on_single_outputs_is_not_kept_by_joining_them(ratio, delta):
    # H16, Theorem 4.2 and KL10: (ε, δ) asked of outputs one by one
    def singles(rows):
        return all(p <= ratio * q + delta for column in zip(*rows, strict=True)
                   for p, q in permutations(column, 2))

    found = judge_whole(singles)
    assert not found.transformation_invariance
    (before,) = found.processing.before
    assert singles(before)
    assert not singles(found.processing.after)


def test_delta_on_all_events_is_kept():
    def events(rows):
        return all(sum(max(F(0), p - 2 * q) for p, q in zip(x, y, strict=True)) <= F(1, 20)
                   for x, y in permutations(rows, 2))

    found = judge_whole(events)
    assert found.transformation_invariance
    assert found.axiom_of_choice
    assert found.tried > 225


def test_a_definition_that_allows_nothing_breaks_nothing():
    found = judge_whole(lambda rows: False)
    assert found.allowed == 0
    assert found.facts().json["satisfiable"] is False


def test_a_mechanism_is_judged_by_its_exact_rows():
    made = MatrixMechanism.of(ROWS, "path:0..2")
    assert not keeps(made, ratio_two)
    assert keeps(MatrixMechanism.of(ROWS[:2], "path:0..1"), ratio_two)
    with pytest.raises(BadInput, match="True or False"):
        keeps(made, lambda rows: 1)
    with pytest.raises(BadInput, match="ZeroDivisionError"):
        keeps(made, lambda rows: 1 / 0)


def test_events_one_by_one_agree_with_total_variation():
    made = MatrixMechanism.of(ROWS, "path:0..2")
    relation = Relation.on(made.space)
    for delta in (F(1, 4), F(1, 5)):
        bound = total_variation(delta)
        found = verify_events(made, lambda a, b, m=bound: b <= m(a), relation)
        assert found.holds == (delta == F(1, 4))
        if found.broken is not None:
            a, b = found.broken.probabilities
            assert b > bound(a)
            assert found.broken.allowed is None
    wide = MatrixMechanism.of([["1/20"] * 20] * 2, path(0, 1))
    with pytest.raises(TooLarge):
        verify_events(wide, lambda a, b: True, Relation.on(wide.space))


def test_arguments_tell_a_matrix_from_two_probabilities():
    assert takes_matrix(ratio_two)
    assert takes_matrix(lambda rows, most=3: True)
    assert not takes_matrix(lambda a, b: True)


@pytest.mark.parametrize("sizes", [{"inputs": 1}, {"outputs": 9}, {"grid": 1}])
def test_sizes_beyond_reason_are_refused(sizes):
    with pytest.raises(BadInput):
        judge_whole(not_flat, **sizes)
    with pytest.raises(TooLarge):
        judge_whole(not_flat, inputs=6, outputs=5, grid=20)


def test_odds_under_a_curve_are_those_of_its_own_equation():
    tiny = F(1, 2**39)
    root = odds_change(FormulaBound("sqrt(a)"), 4)
    assert F(1, 16) <= root.rise <= F(1, 16) + tiny  # sqrt(a) >= 4a iff a <= 1/16
    assert root.fall == 0  # 1 - sqrt(1 - a) >= a/2 for every a
    square = odds_change(FormulaBound("1-(1-a)^2"), F(3, 2))
    assert F(1, 2) <= square.rise <= F(1, 2) + tiny  # 2a - a² >= 3a/2 iff a <= 1/2
    assert F(2, 3) <= square.fall <= F(2, 3) + tiny  # a² <= 2a/3 iff a <= 2/3
