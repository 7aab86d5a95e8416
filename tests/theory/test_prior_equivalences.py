"""More theorems of ECP with "if and only if": 200 instances of both sides each.

What the library says is compared with the other side of the theorem, worked out here from the
definitions, by elimination in fractions.
"""

import random
from decimal import Context, Decimal
from fractions import Fraction
from math import log2

import numpy as np
import pytest

from tests.theory.random_private import private_with_three_outputs, random_graph
from tests.theory.subset_vertices import distance_rows, eliminate
from tests.theory.test_both_directions import is_tight, split, tight_mechanism
from tightrope.constructions import design, exponential, tight_weights
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.kernels import Regular, regularity
from tightrope.spaces import space_of, star
from tightrope.theory import judge_prior, regular_optimum
from tightrope.theory.priors.leakage import bits_above
from tightrope.theory.priors.regular_optima import largest_slack
from tightrope.utility import Prior

F = Fraction
RATIO = F(2)


def kernel(space, ratio):
    return [[1 / F(ratio) ** d for d in row] for row in distance_rows(space)]


def solution(phi, right):
    """μ with μ Φ = right, None where Φ is singular."""
    return eliminate([[*line, b] for line, b in zip(zip(*phi, strict=True), right, strict=True)])


def gain(prior, rows):
    return sum(max(p * h for p, h in zip(prior, column, strict=True))
               for column in zip(*rows, strict=True))


def test_proposition_3_on_200_priors():
    """A prior is regular iff its coordinates with respect to the corner priors are not negative."""
    source, inside, outside = random.Random(3), 0, 0
    while inside + outside < 200:
        space = random_graph(source)
        phi = kernel(space, source.choice([2, 3]))
        ratio = 1 / max(p for p in phi[0] if p < 1)
        corners = [[p / sum(line) for p in line] for line in phi]
        if source.random() < 0.5:  # a mixture of corners, or close to one
            shares = [F(source.randrange(5), 10) for _ in phi]
            drawn = [sum(s * c[y] for s, c in zip(shares, corners, strict=True)) + F(
                source.randrange(2), 50) for y in range(len(phi))]
        else:
            drawn = [F(source.randrange(1, 9)) for _ in phi]
        if not sum(drawn):
            continue
        prior = [p / sum(drawn) for p in drawn]
        coordinates = solution(corners, prior)
        if coordinates is None:
            continue
        assert sum(coordinates) == 1
        expected = min(coordinates) >= 0
        told = regularity(space, Level.ratio(ratio), Prior.of(prior))
        assert isinstance(told, Regular) == expected
        inside, outside = inside + expected, outside + (not expected)
    assert min(inside, outside) >= 40


@pytest.mark.parametrize("text", ["path:0..2", "categories:3"])
def test_theorem_2_and_proposition_5_are_attained_iff_no_slack_is_left(text):
    source, space = random.Random(6), space_of(text)
    distances, phi = distance_rows(space), kernel(space_of(text), RATIO)
    tight, holding, failing = tight_mechanism(distances, RATIO), 0, 0
    corners = [[p / sum(line) for p in line] for line in phi]
    while holding + failing < 100:
        rows = split(source, tight)
        if source.random() < 0.5:
            other = private_with_three_outputs(source, distances, RATIO)
            if other is None:
                continue
            rows = other if source.random() < 0.7 else [
                [(a + b) / 2 for a, b in zip(p, q, strict=True)]
                for p, q in zip(tight, other, strict=True)]
        attained = True
        for shares in [(1, 1, 1), *((source.randrange(1, 9) for _ in range(3)) for _ in range(2))]:
            shares = list(shares)
            prior = [sum(F(s, sum(shares)) * c[y] for s, c in zip(shares, corners, strict=True))
                     for y in range(3)]
            most = sum(solution(phi, prior))
            assert gain(prior, rows) <= most
            attained &= gain(prior, rows) == most
        told = regular_optimum(rows, ratio=2, space=text)
        assert (not any(told.slack)) == attained == told.optimal
        holding, failing = holding + attained, failing + (not attained)
    assert min(holding, failing) >= 25
    leaks = judge_prior(text, prior=prior, mechanism=tight, ratio=2)
    assert leaks.leaked == leaks.most_leaked
    assert leaks.leaked == pytest.approx(log2(most / max(prior)))


def test_proposition_7_on_200_mechanisms():
    """A private square matrix is tight-constraints iff Φ diag(H) = 1."""
    source, verdicts = random.Random(7), []
    while len(verdicts) < 200:
        space = space_of(source.choice(["path:0..2", "categories:3"]))
        ratio, distances = source.choice([F(3, 2), F(2), F(3), F(5)]), distance_rows(space)
        phi, rows = kernel(space, ratio), tight_mechanism(distances, ratio)
        kind = source.randrange(4)
        if kind == 0:  # the same columns in another order
            order = source.sample(range(3), 3)
            rows = [[row[j] for j in order] for row in rows]
        elif kind == 1:
            other = private_with_three_outputs(source, distances, ratio)
            if other is None:
                continue
            rows = [[(3 * p + q) / 4 for p, q in zip(*pair, strict=True)]
                    for pair in zip(rows, other, strict=True)]
        diagonal = [sum(p * rows[x][x] for x, p in enumerate(line)) for line in phi]
        expected = is_tight(rows, distances, ratio)
        assert expected == (diagonal == [1, 1, 1])
        told = regular_optimum(rows, ratio=ratio, space=space)
        assert expected == (told.optimal and told.remap == tuple(space.points))
        verdicts.append(expected)
    assert 40 <= sum(verdicts) <= 160


def test_proposition_8_on_200_spaces():
    """Weights of a tight-constraints mechanism exist iff the uniform prior is regular."""
    source, holding, failing = random.Random(8), 0, 0
    while holding + failing < 200:
        space = star(source.randrange(3, 7)) if source.random() < 0.5 else random_graph(source)
        ratio = source.choice([F(3, 2), F(2), F(3), F(5)])
        weights = solution(kernel(space, ratio), [F(1)] * space.size)
        if weights is None:
            continue
        expected, level = min(weights) >= 0, Level.ratio(ratio)
        assert isinstance(regularity(space, level), Regular) == expected
        try:
            exists = min(tight_weights(space, level).floats) >= 0
        except Infeasible:
            exists = False
        assert exists == expected
        holding, failing = holding + expected, failing + (not expected)
    assert min(holding, failing) >= 40


def test_without_weights_optimality_is_refuted_by_a_better_mechanism_or_left_open():
    """On a star of four below ln 3, from three outputs at its mean prior's optimum downward."""
    space, phi = star(4), kernel(star(4), RATIO)
    corners = [[p / sum(line) for p in line] for line in phi]
    mean = [sum(c[y] for c in corners) / 5 for y in range(5)]
    constant = regular_optimum([["1"]] * 5, ratio=2, space=space)
    assert (constant.optimal, constant.weights) == (False, None)
    assert constant.better > max(mean)
    best = design(space, ratio=2, prior=mean, loss="binary", exact=True)
    told = regular_optimum(best.mechanism, ratio=2, space=space)
    assert (told.optimal, told.better) == (None, None)
    rows = [best.mechanism.row(y) for y in space.points]
    assert gain(mean, rows) == constant.better == 1 - best.exact.value


@pytest.mark.parametrize("text", ["path:0..2", "star:3", "star:4"])
def test_lemma_1_gives_the_gain_under_the_mean_of_the_corners(text):
    """With the best remap for that prior: Σ μ - μ s, μ and s worked out apart."""
    source, space, ratio = random.Random(10), space_of(text), F(5)
    distances, phi = distance_rows(space), kernel(space, ratio)
    mean = [sum(F(1, space.size) * line[y] / sum(line) for line in phi) for y in range(space.size)]
    mu = solution(phi, mean)
    tried = 0
    while tried < 30:
        rows = private_with_three_outputs(source, distances, ratio)
        if rows is None:
            continue
        told = regular_optimum(rows, ratio=ratio, space=space)
        lost = sum(m * s for m, s in zip(mu, told.slack, strict=True))
        assert gain(mean, rows) == sum(mu) - lost
        judged = judge_prior(space, mechanism=rows, ratio=ratio)
        assert F(judged.shortfall) >= max(told.slack)
        assert judged.shortfall == pytest.approx(float(max(told.slack)))
        tried += 1


def test_tight_mechanisms_at_irrational_levels_lose_next_to_nothing():
    for text in ("cycle:5", "path:0..4", "star:3"):
        tight = design(text, "1.3", construction="tight", loss="binary").mechanism
        assert 0 <= judge_prior(text, "1.3", mechanism=tight).shortfall < 1e-12


def test_bounds_are_written_in_no_fewer_than_they_are():
    assert "at most 1.58497 bits" in repr(judge_prior("star:3", ratio=5))  # log2(3) = 1.5849625…
    assert "probability 0.333334 at most" in repr(judge_prior("categories:5", ratio=2))


def test_the_largest_slack_bounds_what_is_lost_under_every_regular_prior():
    source, level = random.Random(9), Level.epsilon("0.9")
    for text in ("path:0..3", "cycle:5", "star:2"):
        space = space_of(text)
        phi = np.exp(-0.9 * np.array(distance_rows(space), dtype=float))
        corners = phi / phi.sum(axis=1, keepdims=True)
        for share in (0, F(1, 5), F(1, 2)):
            given = exponential(space, level).mechanism
            rows = [[(1 - share) * p + F(share) / space.size for p in given.row(x)]
                    for x in space.points]
            short = largest_slack(space, level, rows)
            for _ in range(20):
                shares = np.array([source.random() ** 3 for _ in space.points])
                prior = shares / shares.sum() @ corners
                most = np.linalg.solve(phi, prior).sum()
                assert gain(prior, [[float(p) for p in row] for row in rows]) >= (
                    1 - short) * most - 1e-12
            mean = corners.mean(axis=0)  # there the remap is best: the loss is a mean of slacks
            lost = 1 - gain(mean, [[float(p) for p in row] for row in rows]) / np.linalg.solve(
                phi, mean).sum()
            assert lost <= short + 1e-12


def test_bits_are_rounded_up_from_the_exact_ratio():
    assert bits_above(F(1), F(1, 8)) == 3
    for number in (3, 5, 7, F(9, 8)):
        bits = bits_above(F(number), F(1))
        assert bits == pytest.approx(log2(number), rel=1e-15)
        assert power_of_two_is_above(bits, F(number))
        assert not power_of_two_is_above(np.nextafter(np.nextafter(bits, 0), 0), F(number))


def power_of_two_is_above(bits, number):
    """Whether 2^bits >= number, from 60 digits of the logarithm."""
    digits = Context(prec=60)
    logs = [digits.ln(Decimal(x)) for x in (number.numerator, number.denominator, 2)]
    return Decimal(float(bits)) * logs[2] >= logs[0] - logs[1]
