"""Intervals of existence: against known endpoints and against a solver on a fine grid."""

import sys
from fractions import Fraction
from math import log

import numpy as np
import pytest
from flint import ctx

from tightrope.errors import BadLevel, BadMatrix, CannotCheck
from tightrope.exact import Line, ball_of, lower_bound
from tightrope.kernels.equations import kernel_line
from tightrope.kernels.reduction import reduced_kernel
from tightrope.spaces import (
    categories,
    counts,
    cycle,
    graph,
    grid,
    hamming,
    histogram,
    path,
    product_sum,
    star,
    sums,
)
from tightrope.theory import thresholds
from tightrope.theory.priors.thresholds import Endpoint
from tightrope.utility import Prior

covering = sys.modules["tightrope.theory.priors.thresholds"]
K33 = [(i, j) for i in range(3) for j in range(3, 6)]
K33_AND_EDGE = graph("abcxyz", [*K33, (0, 1)])


def only_endpoint(found):
    (edge,) = found.endpoints
    assert edge[1] - edge[0] < Fraction(1, 10**6)
    assert found.open == ()
    return edge


@pytest.mark.parametrize("leaves", [3, 4, 9])
def test_a_star_starts_at_the_logarithm_of_one_less_than_its_leaves(leaves):
    low, high = only_endpoint(thresholds(star(leaves)))
    assert low < log(leaves - 1) < high


def test_k33_with_an_edge_has_two_intervals():
    # symbolically: the weights change sign at e^ε = √2 and at e^ε = 2
    found = thresholds(K33_AND_EDGE)
    assert found.open == ()
    (first, second) = found.intervals
    assert first.low is None
    assert first.high[0] < log(2) / 2 < first.high[1]
    assert second.low[0] < log(2) < second.low[1]
    assert second.high is None


def test_the_weights_of_k33_with_an_edge_change_sign_where_it_says():
    every = np.arange(6)
    lengths = K33_AND_EDGE.lengths(every[:, None], every[None, :])
    for epsilon in np.linspace(0.07, 3, 400):
        if min(abs(epsilon - log(2)), abs(epsilon - log(2) / 2)) < 1e-3:
            continue
        weights = np.linalg.solve(np.exp(-epsilon * lengths), np.ones(6))
        assert (weights.min() > 0) == (epsilon < log(2) / 2 or epsilon > log(2))


@pytest.mark.parametrize(
    "space", [grid((4, 5)), counts(people=3, queries=2), sums(people=4, maximum=3),
              histogram(people=4, cells=3)], ids=lambda space: space.text,
)
def test_pieces_agree_with_a_solver(space):
    found = thresholds(space)
    every = np.arange(space.size)
    lengths = space.lengths(every[:, None], every[None, :])
    pieces = iter(found.pieces)
    piece = next(pieces)
    for epsilon in np.linspace(0.0626, 4, 150):
        while piece.high is not None and piece.high < epsilon:
            piece = next(pieces)
        weights = np.linalg.solve(np.exp(-epsilon * lengths), np.ones(space.size))
        assert piece.exists is not None
        assert (weights.min() > 0) == piece.exists


def test_the_two_count_query_has_six_proved_digits():
    low, high = only_endpoint(thresholds(counts(people=30, queries=2), lowest=Fraction(1)))
    assert 1.136080 < low < high < 1.136081


@pytest.mark.slow
def test_the_sum_query_has_six_proved_digits():
    low, high = only_endpoint(thresholds(sums(people=150, maximum=5), lowest=Fraction("0.95")))
    assert 0.968133 < low < high < 0.968134


def test_example_3_is_regular_from_ln_2_on():
    law = [Fraction(1)]
    for _ in range(5):
        law = [a * b for a in law for b in map(Fraction, ("0.3", "0.27", "0.23", "0.2"))]
    low, high = only_endpoint(thresholds(hamming(values=4, people=5), prior=Prior.of(law)))
    assert low < log(2) < high


def test_symmetric_spaces_and_paths_have_it_at_every_level():
    for space in (cycle(7), categories(5), path(0, 30), hamming(values=3, people=4)):
        found = thresholds(space)
        assert [piece.exists for piece in found.pieces] == [True]
        assert found.endpoints == ()


def test_a_product_needs_all_of_its_factors():
    low, high = only_endpoint(thresholds(product_sum(star(3), star(6))))
    assert low < log(5) < high


def test_a_prior_without_full_support_is_never_regular():
    found = thresholds(categories(3), prior=Prior.of([Fraction(1, 2), Fraction(1, 2), Fraction(0)]))
    assert found.intervals == ()


def test_a_rare_input_has_its_threshold_and_one_beyond_doubles_is_refused():
    """On two points e^ε is at least the larger probability over the smaller one."""
    rare = Fraction(1, 10**12)
    low, high = only_endpoint(thresholds(path(0, 1), prior=[rare, 1 - rare], lowest=27))
    assert low <= log(10**12 - 1) <= high
    rare = Fraction(1, 10**400)
    with pytest.raises(CannotCheck, match=r"below 2\^-1000"):
        thresholds(path(0, 1), prior=[rare, 1 - rare])


def test_bad_input_is_named():
    with pytest.raises(BadLevel):
        thresholds(star(3), lowest=Fraction(0))
    with pytest.raises(BadMatrix, match="3 entries"):
        thresholds(categories(3), prior=Prior.of([Fraction(1, 2)] * 2))


@pytest.mark.parametrize(
    "space", [path(0, 9), star(2), cycle(5), grid((3, 4), metric="manhattan"), grid((7,), "1/2"),
              hamming(values=3, people=2)], ids=lambda space: space.text,
)
def test_where_a_closed_form_is_positive_every_level_has_a_mechanism(space):
    found = thresholds(space, lowest=Fraction(2))
    assert [(piece.low, piece.high, piece.exists) for piece in found.pieces] == [(0, None, True)]
    every = np.arange(space.size)
    lengths = space.lengths(every[:, None], every[None, :])
    for epsilon in (0.001, 0.01, 0.1):
        assert np.linalg.solve(np.exp(-epsilon * lengths), np.ones(space.size)).min() > 0


def test_the_endpoint_of_a_tree_is_found_however_long_its_links_are():
    # links of 100 to three leaves: e^(100 ε) = 2, far below the least level looked at by default
    found = thresholds(graph("abcd", [(0, 1, "100"), (0, 2, "100"), (0, 3, "100")]))
    low, high = only_endpoint(found)
    assert found.pieces[0].low == 0
    assert low < log(2) / 100 < high


def test_a_product_claims_what_all_its_factors_claim():
    found = thresholds(product_sum(star(3), grid((2, 3))), lowest=Fraction("0.5"))
    assert found.lowest == Fraction("0.5")
    assert thresholds(product_sum(star(3), path(0, 3))).lowest == 0


@pytest.mark.parametrize("pieces", [0, 1, 5, 12, 40])
def test_what_is_found_in_time_is_the_upper_part_of_the_whole(pieces, monkeypatch):
    space = sums(people=3, maximum=3)
    whole, clock = thresholds(space), iter(range(10**6))
    monkeypatch.setattr(covering, "monotonic", lambda: next(clock))
    part = thresholds(space, seconds=pieces + 0.5)
    assert whole.lowest <= part.lowest
    assert part.pieces[-1].exists is True
    assert pieces > 1 or part.lowest > whole.lowest
    assert part.finished is (part.lowest == whole.lowest)
    unreached = [[float(whole.lowest), float(part.lowest)]]
    assert part.facts().json["open"][:1] == ([] if part.finished else unreached)
    for piece in part.pieces:
        inside = [p.exists for p in whole.pieces
                  if (p.high is None or p.high > piece.low) and (piece.high is None
                                                                 or p.low < piece.high)]
        assert piece.exists is None or set(inside) == {piece.exists}


def test_an_endpoint_has_the_digits_on_which_its_levels_agree():
    def digits(below, above):
        return Endpoint(Fraction(below), Fraction(above)).digits

    assert digits("1.3862943", "1.3862944") == 6
    assert digits("1.3862", "1.3868") == 3
    assert digits("1.38", "1.43") == 1
    assert digits("1", "2") == 0


def test_a_least_level_is_taken_as_it_is_written():
    assert thresholds("star:4", lowest=0.1).asked == Fraction(1, 10)
    assert thresholds("path:0..3", lowest="1/3").facts().json == {
        "space": "path:0..3", "prior": "uniform", "from": 0.0,
        "intervals": [{"low": None, "high": None}], "open": [], "finished": True,
    }


def test_what_a_null_vector_rules_out_has_no_positive_solution_within_the_stated_error():
    """Matrices of two and three points, nearly singular, with entries off by up to 4 percent."""
    draw, ruled_out, left_open = np.random.default_rng(11), 0, 0
    for _ in range(600):
        size = int(draw.integers(2, 4))
        matrix = draw.uniform(0.2, 1.0, (size, size))
        matrix[-1] = draw.dirichlet(np.ones(size - 1)) @ matrix[:-1]
        matrix[-1] *= draw.uniform(0.8, 1.25, size)
        right, error = draw.uniform(0.3, 1.0, size), float(draw.choice([0.0, 0.01, 0.04]))
        if not covering._rules_out(Line.still(matrix, error), right):
            left_open += 1
            continue
        ruled_out += 1
        for _ in range(60):
            off = matrix * (1 + error * draw.choice([-1.0, 1.0], (size, size)))
            assert np.linalg.solve(off, right).min() < 0
    assert ruled_out > 30
    assert left_open > 30


@pytest.mark.parametrize("space", [
    star(4), star(9), star(30), grid((4, 4)), path(0, 9)], ids=str)
@pytest.mark.parametrize("share", [1.0, 0.8, 0.5, 0.31])
def test_from_the_top_on_diagonals_outweigh_all_else_and_hardly_before(space, share):
    """With off-diagonal sums s and weights b, w >= min b - s (min b + max b) > 0 in one step."""
    kernel = reduced_kernel(space)
    right = np.ones(kernel.size)
    right[0] = share
    found = covering._top(kernel, right, covering.LOWEST)

    def beside(level):
        lengths = space.lengths(*np.indices((space.size, space.size)).reshape(2, -1))
        whole = np.exp(-float(level) * lengths).reshape(space.size, -1)
        return whole.sum(axis=1).max() - 1

    assert beside(found) <= share / (1 + share)
    assert found <= covering.LOWEST + 2 * Fraction(1, 8) or (
        beside(found / Fraction(5, 4) - Fraction(1, 4)) > share / (1 + share))


@pytest.mark.parametrize("space", [star(9), grid((4, 4)), cycle(7)], ids=str)
def test_entries_of_a_kernel_are_within_the_error_that_is_stated(space):
    """Sums of exponentials, in balls: doubles miss them, by no more than is said."""
    kernel, missed = reduced_kernel(space), Fraction(0)
    for epsilon in (Fraction(1, 3), Fraction(7, 5)):
        line = kernel_line(kernel, epsilon, Fraction(0))
        with ctx.workprec(200):
            powers = [lower_bound((-ball_of(epsilon, 200) * d.ball(200)).exp())
                      for d in kernel.classes]
        for row, near in zip(kernel.exact(powers), line.start.tolist(), strict=True):
            for exact, entry in zip(row, near, strict=True):
                missed = max(missed, abs(exact - Fraction(entry)) / exact)
        assert missed < line.error <= 2.0**-52 * (16 + space.size)
    assert missed > Fraction(1, 2**60)


def test_a_kernel_within_whose_error_a_positive_solution_lies_is_not_ruled_out():
    matrix, right = [[27, 12], [9, 18]], [17, 29]
    moved = [[27 * 7, 12 * 7], [9 * 7, 18 * 9]]  # in eighths: each entry is off by one eighth
    determinant = moved[0][0] * moved[1][1] - moved[0][1] * moved[1][0]
    solution = [right[0] * moved[1][1] - right[1] * moved[0][1],
                right[1] * moved[0][0] - right[0] * moved[1][0]]
    assert determinant > 0
    assert min(solution) > 0
    line = Line.still(np.array(matrix, dtype=float), 0.125)
    assert not covering._rules_out(line, np.array(right, dtype=float))


@pytest.mark.parametrize(("vector", "width", "verdict"), [
    (False, covering.FINEST, None), (True, covering.FINEST, False),
    (True, 2 * covering.FINEST, None)])
def test_where_nothing_is_enclosed_only_a_vector_rules_levels_out(
        monkeypatch, vector, width, verdict):
    monkeypatch.setattr(covering, "enclose", lambda line, right: None)
    monkeypatch.setattr(covering, "_rules_out", lambda line, right: vector)
    kernel = reduced_kernel(star(4))
    assert covering._verdict(kernel, np.ones(kernel.size), Fraction(1), 1 + width) is verdict
