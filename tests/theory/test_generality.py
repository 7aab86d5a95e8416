"""The generality order, row graphs and splitting, with every proof checked again."""

import random
import sys
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from tightrope.constructions import randomized_response, truncated_geometric
from tightrope.errors import BadInput, NotPrivate, TooLarge
from tightrope.exact import Level, Surd, Weights
from tightrope.mechanisms import MatrixMechanism, cascade
from tightrope.privacy import certify, exact_margin, row_graphs, tightness, verify
from tightrope.spaces import categories, cycle, graph, parse, path, star
from tightrope.theory import generalize, post_processing
from tightrope.theory.processing.postprocessing import advantage

F = Fraction


def random_rows(source, rows, columns, zero=0.1):
    table = []
    for _ in range(rows):
        line = [0 if source.random() < zero else source.randrange(1, 9) for _ in range(columns)]
        line[source.randrange(columns)] += 1
        table.append([F(w, sum(line)) for w in line])
    return table


def mechanism_of(space, rows):
    return MatrixMechanism(space, tuple(range(len(rows[0]))), Weights.from_fractions(rows))


def rows_of(mechanism):
    return [mechanism.row_at(i) for i in range(mechanism.space.size)]


def test_what_was_post_processed_is_found_out():
    source = random.Random(12)
    for _ in range(25):
        n, k, z = (source.randrange(2, 5) for _ in range(3))
        space = path(0, n - 1)
        general = mechanism_of(space, random_rows(source, n, k))
        channel = random_rows(source, k, z, zero=0.4)
        special = cascade(general, channel, tuple(range(z)))
        found = post_processing(general, special)
        assert found.exists
        assert [len(row) for row in found.channel] == [z] * k
        assert rows_of(cascade(general, found.channel, special.outputs)) == rows_of(special)


def test_what_is_no_post_processing_is_refuted_by_a_decision_problem():
    source = random.Random(13)
    refuted = 0
    for _ in range(40):
        n = source.randrange(2, 5)
        space = path(0, n - 1)
        general = mechanism_of(space, random_rows(source, n, source.randrange(2, 5)))
        special = mechanism_of(space, random_rows(source, n, source.randrange(2, 5)))
        found = post_processing(general, special)
        if found.exists:
            assert rows_of(cascade(general, found.channel, special.outputs)) == rows_of(special)
        else:
            refuted += 1
            assert [len(row) for row in found.gains] == [len(special.outputs)] * n
            assert advantage(general, special, found.prior, found.gains) == found.deficiency > 0
    assert refuted > 20


def float_verdict(general, special):
    """What a solver in doubles says about the same question."""
    g, s = (np.array(rows_of(m), dtype=float) for m in (general, special))
    n, k, z = len(g), g.shape[1], s.shape[1]
    equations = [np.kron(g, np.eye(z)), np.kron(np.eye(k), np.ones((1, z)))]
    right = np.concatenate([s.ravel(), np.ones(k)])
    found = linprog(np.zeros(k * z), A_eq=np.vstack(equations), b_eq=right)
    assert n == len(s)
    return found.status == 0


def test_near_the_boundary_exact_arithmetic_says_no_where_doubles_say_yes():
    space = categories(2)
    general = randomized_response(space, Level.ratio(2)).mechanism
    tiny = F(1, 10**12)
    edge = mechanism_of(space, [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]])
    beyond = mechanism_of(space, [[F(2, 3) + tiny, F(1, 3) - tiny], [F(1, 3), F(2, 3)]])
    inside = mechanism_of(space, [[F(2, 3) - tiny, F(1, 3) + tiny], [F(1, 3), F(2, 3)]])
    assert float_verdict(general, beyond)
    assert post_processing(general, edge).exists
    assert post_processing(general, inside).exists
    found = post_processing(general, beyond)
    assert not found.exists
    assert 0 < found.deficiency <= 4 * tiny
    assert advantage(general, beyond, found.prior, found.gains) == found.deficiency


def test_near_the_boundary_on_a_path():
    level = Level.ratio(2)
    general = truncated_geometric(path(0, 3), level).mechanism
    channel = [[F(1), F(0)], [F(1, 2), F(1, 2)], [F(0), F(1)], [F(0), F(1)]]
    special = cascade(general, channel, (0, 1))
    rows = [list(row) for row in rows_of(special)]
    tiny = F(1, 10**15)
    assert post_processing(general, special).exists
    verdicts = set()
    for i in range(4):
        for sign in (1, -1):
            moved = [list(row) for row in rows]
            moved[i] = [rows[i][0] + sign * tiny, rows[i][1] - sign * tiny]
            moved = mechanism_of(path(0, 3), moved)
            found = post_processing(general, moved)
            verdicts.add(found.exists)
            if not found.exists:
                assert advantage(general, moved, found.prior, found.gains) > 0
    assert verdicts == {True, False}


def test_mechanisms_with_different_inputs_are_not_compared():
    with pytest.raises(BadInput, match="different inputs"):
        post_processing(
            randomized_response(categories(2), Level.ratio(2)).mechanism,
            randomized_response(categories(3), Level.ratio(2)).mechanism,
        )


TAIL = graph("abcde", [(0, 1, 1), (0, 3, 1), (1, 4, 1), (3, 4, 2), (4, 2, 1)])
"""A ring with a tail: e is reached both ways, one longer than the other, before c is."""
SPACES = [path(0, 3), cycle(5), star(3), categories(4), parse("grid:2x3,metric=manhattan"), TAIL]


@pytest.mark.parametrize("space", SPACES, ids=lambda s: s.text)
@pytest.mark.parametrize("level", [Level.ratio(2), Level.epsilon("0.7")], ids=lambda v: v.text)
def test_generalize_gives_connected_row_graphs_at_the_same_level(space, level):
    source = random.Random(14)
    for _ in range(4):
        floats = np.array(random_rows(source, space.size, 3), dtype=float)
        mechanism = certify(floats, space, level, outputs=range(3)).mechanism
        found = generalize(mechanism, level)
        made = found.certified.mechanism
        assert verify(made, space, level).holds
        margin = exact_margin(space, level)
        assert all(graph.connected for graph in row_graphs(made, space, level, margin=margin))
        assert tightness(made, space, level, margin=margin).maximally_general
        assert rows_of(cascade(made, found.channel, mechanism.outputs)) == rows_of(mechanism)
        assert len(made.outputs) <= space.size * len(mechanism.outputs)


def test_an_input_that_joined_is_not_raised_again():
    flat = mechanism_of(TAIL, [[F(1)]] * 5)
    made = generalize(flat, Level.ratio(2)).certified.mechanism
    rows = row_graphs(made, TAIL, Level.ratio(2), margin=exact_margin(TAIL, Level.ratio(2)))
    assert all(graph.connected for graph in rows)


def exactly_tight_graph_is_connected(column, space, ratio):
    """Connectivity of the row graph by plain fractions and a walk."""
    reached, border = {0}, [0]
    joined = {frozenset(pair) for pair in space.edges()
              if column[pair[0]] in (ratio * column[pair[1]], column[pair[1]] / ratio)}
    while border:
        x = border.pop()
        for y in range(space.size):
            if frozenset((x, y)) in joined and y not in reached:
                reached.add(y)
                border.append(y)
    return len(reached) == space.size


def test_at_a_rational_ratio_every_new_column_is_exactly_extreme():
    source = random.Random(15)
    space, ratio = cycle(6), 3
    for _ in range(5):
        floats = np.array(random_rows(source, 6, 3), dtype=float)
        mechanism = certify(floats, space, Level.ratio(ratio), outputs=range(3)).mechanism
        made = generalize(mechanism, Level.ratio(ratio)).certified.mechanism
        for column in zip(*rows_of(made), strict=True):
            assert exactly_tight_graph_is_connected(column, space, ratio)


@pytest.mark.parametrize("level", [Level.ratio(2), Level.epsilon("0.5")], ids=lambda v: v.text)
def test_the_geometric_mechanism_is_maximally_general(level):
    mechanism = truncated_geometric(path(0, 6), level).mechanism
    margin = exact_margin(path(0, 6), level)
    assert tightness(mechanism, path(0, 6), level, margin=margin).maximally_general
    assert generalize(mechanism, level).unchanged


def test_proportional_outputs_are_merged():
    rows = [[F(1, 3), F(1, 3), F(1, 3)], [F(1, 6), F(1, 6), F(2, 3)]]
    found = generalize(mechanism_of(categories(2), rows), Level.ratio(2))
    assert len(found.certified.mechanism.outputs) == 2
    assert not found.unchanged


def test_the_original_is_no_more_general_than_the_result():
    rows = [[F(1, 2), F(1, 2)], [F(2, 5), F(3, 5)], [F(1, 2), F(1, 2)]]
    mechanism = mechanism_of(categories(3), rows)
    made = generalize(mechanism, Level.ratio(2)).certified.mechanism
    assert post_processing(made, mechanism).exists
    assert not post_processing(mechanism, made).exists


def test_what_does_not_have_the_level_is_not_generalized():
    with pytest.raises(NotPrivate):
        generalize(randomized_response(categories(3), Level.ratio(3)).mechanism, Level.ratio(2))
    with pytest.raises(TooLarge):
        generalize(randomized_response(categories(80), Level.ratio(3)).mechanism, Level.ratio(3))


def test_sixty_inputs_of_a_path_are_few_enough_and_more_are_refused_before_any_work(monkeypatch):
    def refused(*_):
        raise AssertionError("nothing is worked out before the refusal")

    generality = sys.modules["tightrope.theory.processing.generality"]
    assert generality.MOST_WORK >= 2 * 59 * 60 * 60
    flat = mechanism_on(path(0, 99), 100)
    monkeypatch.setattr(generality, "certified", refused)
    with pytest.raises(TooLarge):
        generalize(flat, Level.ratio(2))


def mechanism_on(space, width):
    rows = [[1] * width for _ in range(space.size)]
    return MatrixMechanism(space, tuple(range(width)), Weights.from_integers(rows))


@pytest.mark.parametrize("space", [path(0, 11), categories(7), cycle(8)])
def test_every_new_column_is_an_extreme_ray(space):
    weights = [[1000 + (37 * i * i + 101 * j * (i + 1)) % 300 for j in range(6)]
               for i in range(space.size)]
    made = MatrixMechanism(space, tuple(range(6)), Weights.from_integers(weights))
    found = generalize(made, Level.ratio(2))
    rows = [found.certified.mechanism.row_at(i) for i in range(space.size)]
    pairs = [(a, b) for a in range(space.size) for b in range(space.size)
             if space.distance(a, b) == Surd.of(1)]
    for column in zip(*rows, strict=True):
        reached, before = {0}, set()
        while reached != before:
            before = set(reached)
            reached |= {b for a, b in pairs if a in before
                        and (column[a] == 2 * column[b] or column[b] == 2 * column[a])}
        assert reached == set(range(space.size))


@pytest.mark.parametrize(("shares", "unchanged"), [
    ([(1, 0), (0, 1)], True),  # the two rays themselves, as 2 : 1 and 1 : 2
    ([("3/4", "1/4"), ("1/4", "3/4")], False),  # as many outputs as rays, each a mixture
    ([(1, 1)], False),  # one output of both rays
    ([("1/2", 0), ("1/2", 0), (0, 1)], False),  # a ray in two outputs
    ([("1/2", 0), ("1/2", "1/2"), (0, "1/2")], False),
    ([("1/2", 0), ("1/2", 1)], False),  # one ray has an output of its own, the other not
    ([(0, 0), (1, 1)], False),  # an output that never comes makes up for the one of both
    ([(0, 0), (1, 0), (0, 1)], False),
])
def test_nothing_was_to_be_done_where_every_output_is_a_ray_of_its_own(shares, unchanged):
    rays = ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    rows = [[sum(Fraction(s) * ray[i] for s, ray in zip(share, rays, strict=True))
             for share in shares] for i in range(2)]
    mechanism = MatrixMechanism(categories(2), tuple(range(len(shares))),
                                Weights.from_fractions(rows))
    found = generalize(mechanism, Level.ratio(2))
    assert found.unchanged is unchanged
    assert len(found.certified.mechanism.outputs) == 2
