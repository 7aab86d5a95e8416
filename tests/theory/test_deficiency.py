"""How far one mechanism is from what can be made of another, against exact programs."""

import random
from fractions import Fraction
from itertools import product

import tightrope as tr
from tests.crosschecks.exact_programs import proved_optimum
from tests.theory.test_generality import mechanism_of, random_rows, rows_of
from tightrope.constructions import truncated_geometric
from tightrope.lp import RationalProgram
from tightrope.mechanisms import MatrixMechanism, cascade, finite
from tightrope.spaces import path
from tightrope.theory import generality, post_processing
from tightrope.theory.processing.postprocessing import GeneralityOrder, advantage

F = Fraction


def by_decisions(general, special):
    """max over gains in [0, 1] and priors of the advantage, as the program on the other side.

    Variables: y[i, z] from 0 to π_i, c[k] >= Σ_i y[i, z] general[i, k], all in one program.
    """
    g, s = rows_of(general), rows_of(special)
    n, k, w = len(g), len(g[0]), len(s[0])
    columns, costs, totals = [], [], []

    def column(cost, *entries):
        columns.append(list(entries))
        costs.append(cost)
        return len(columns) - 1

    rooms = n * w  # y + room = π; Σ y g + left = c; Σ π + rest = 1
    totals = [F(0)] * (n * w + k * w) + [F(1)]
    for i, z in product(range(n), range(w)):
        entries = [(rooms + j * w + z, g[i][j]) for j in range(k) if g[i][j]]
        column(-s[i][z], (i * w + z, F(1)), *entries)
    start = [column(F(0), (row, F(1))) for row in range(n * w + k * w)]
    for j in range(k):
        column(F(1), *((rooms + j * w + z, F(-1)) for z in range(w)))
    for i in range(n):
        column(F(0), *((i * w + z, F(-1)) for z in range(w)), (n * w + k * w, F(1)))
    start.append(column(F(0), (n * w + k * w, F(1))))
    return -proved_optimum(RationalProgram(costs, columns, totals, start))


def test_the_deficiency_is_the_largest_advantage_in_any_decision_problem():
    source = random.Random(31)
    positive = 0
    for _ in range(25):
        n = source.randrange(2, 4)
        space = path(0, n - 1)
        general, special = (
            mechanism_of(space, random_rows(source, n, source.randrange(2, 4), 0.2))
            for _ in range(2)
        )
        found = post_processing(general, special)
        assert found.deficiency == found.least == by_decisions(general, special)
        assert advantage(general, special, found.prior, found.gains) == found.deficiency
        assert all(0 <= y <= 1 for row in found.gains for y in row)
        made = rows_of(cascade(general, found.nearest, special.outputs))
        apart = [sum(abs(x - y) for x, y in zip(*rows, strict=True)) / 2
                 for rows in zip(made, rows_of(special), strict=True)]
        assert max(apart) == found.deficiency
        positive += found.deficiency > 0
    assert positive > 10


def test_of_two_inputs_the_deficiency_is_that_of_tests():
    def two(p):
        return MatrixMechanism.of([[p, 1 - p], [1 - p, p]], "categories:2")

    # From (1/2 + x, 1/2 - x) nothing is made that leans further than x.
    found = generality(two(F(3, 5)), two(F(4, 5)))
    assert found.order == "less general"
    assert found.back.deficiency == F(1, 5)
    assert generality(two(F(1, 5)), two(F(4, 5))).order == "equally general"


def test_incomparable_mechanisms_are_told_apart_both_ways():
    one = MatrixMechanism.of([["1/2", "1/2"], ["1/4", "3/4"], ["1/4", "3/4"]], "path:0..2")
    other = MatrixMechanism.of([["1/4", "3/4"], ["1/4", "3/4"], ["1/2", "1/2"]], "path:0..2")
    found = generality(one, other)
    assert found.order == "incomparable"
    for side in (found.forth, found.back):
        assert side.facts().json["witness"] is not None


def test_long_fractions_give_a_bracket_that_encloses_the_exact_answer(monkeypatch):
    space = path(0, 4)
    low, high = (finite(truncated_geometric(space, f"ln({r})").mechanism) for r in (2, 3))
    exact = post_processing(low, high)
    monkeypatch.setattr("tightrope.theory.processing.postprocessing.SHORT", 1)
    monkeypatch.setattr("tightrope.theory.processing.postprocessing.MOST_BITS", 0)
    near = post_processing(low, high)
    assert near.least <= exact.deficiency <= near.deficiency
    assert near.deficiency - near.least < F(1, 10**9)
    back = post_processing(high, low)
    assert back.least == 0
    assert not back.exists
    assert not back.decided
    assert 0 < back.deficiency < F(1, 10**9)
    assert back.facts().json["holds"] is None
    halves, leaning = [["1/2", "1/2"]] * 2, [["3/4", "1/4"], ["1/4", "3/4"]]
    assert post_processing(leaning, halves).channel == ((F(1, 2),) * 2,) * 2  # doubles met it
    assert not post_processing([["1"], ["1"]], [[1, 0], [0, 1]]).exists


def test_a_part_is_made_from_its_batch_however_long_the_fractions():
    """Projections are exact, where programs in doubles could only come near."""
    one = tr.design("cycle:7", 1, loss="binary")
    two = tr.design("cycle:7", "0.37", loss="binary")
    both = tr.theory.batch([one, two])
    for place, part in enumerate((one, two)):
        found = post_processing(both.certified, part.certified)
        assert found.exists
        outputs = both.certified.mechanism.outputs
        assert all(row[part.mechanism.outputs.index(z[place])] == 1
                   for row, z in zip(found.channel, outputs, strict=True))
        assert sum(found.prior) == 1
        general, special = both.certified.mechanism, finite(part.mechanism)
        assert advantage(general, special, found.prior, found.gains) == 0


def test_a_deficiency_that_is_only_enclosed_is_shown_by_both_ends():
    half = ((Fraction(1),),)
    near = tr.theory.PostProcessing(
        None, half, (Fraction(1),), half, Fraction(1, 4), Fraction(1, 2)
    )
    assert near.bracket == (0.25, 0.5)
    told = near.facts().json
    assert (told["holds"], told["deficiency_text"]) == (False, None)
    assert told["deficiency"] == [0.25, 0.5]


def one_way(channel, least, most):
    """Whether one mechanism is made from another, as far as an order reads it."""
    row = ((Fraction(1),),)
    return tr.theory.PostProcessing(channel, row, (Fraction(1),), row, F(least), F(most))


def test_the_order_is_said_where_both_ways_are_decided():
    yes, no, open_ = (one_way(((F(1),),), 0, 0), one_way(None, "1/9", "1/9"),
                      one_way(None, 0, "1/9"))
    said = {(yes, yes): "equally general", (yes, no): "less general",
            (no, yes): "more general", (no, no): "incomparable"}
    for (forth, back), words in said.items():
        assert GeneralityOrder(forth, back).order == words
    for side in (yes, no, open_):
        assert GeneralityOrder(side, open_).order == "not decided"
        assert GeneralityOrder(open_, side).order == "not decided"


def test_doubles_around_a_deficiency_are_rounded_outward():
    low, high = one_way(None, "1/3", "1/3").bracket
    assert F(low) < F(1, 3) < F(high)
    assert high - low < 1e-15


def test_answers_of_different_lengths_are_compared_by_the_places_that_all_have():
    both = MatrixMechanism.of([["1/2", "1/2"], ["1/4", "3/4"]], "categories:2",
                              outputs=[(0, 5), (1,)])
    first = MatrixMechanism.of([["1/2", "1/2"], ["1/4", "3/4"]], "categories:2")
    assert post_processing(both, first).channel == ((1, 0), (0, 1))
    other = MatrixMechanism.of([["1/2", "1/2"], ["1/4", "3/4"]], "categories:2",
                               outputs=[(7, 5), (8,)])
    assert post_processing(other, first).exists


def test_a_bare_matrix_has_the_inputs_of_the_mechanism_beside_it():
    named = MatrixMechanism.of([["1/2", "1/2"], ["1/4", "3/4"]], "categories:no/yes")
    bare = [["1/2", "1/2"], ["1/4", "3/4"]]
    assert generality(bare, named).order == generality(named, bare).order == "equally general"
