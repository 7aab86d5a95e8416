"""Exact optima beside a simplex in plain fractions, written apart, and what is refused."""

import json
import random
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr
from tests.crosschecks.plain_simplex import plain_optimum
from tightrope import receipt
from tightrope.errors import BadInput, TooLarge
from tightrope.utility import Problem, exact_value, is_proved

F = Fraction
FAMILIES = ("path:0..2", "path:0..3", "cycle:4", "cycle:5", "star:3", "categories:3",
            "categories:4", "hamming:values=2,people=2", "complete:3")
RATIOS = (F(2), F(3), F(3, 2), F(10, 9), F(7))


def random_problem(seed):
    """A space, a ratio, losses of one's own (texts, some negative), a prior with zeros, a goal."""
    source = random.Random(seed)
    space = tr.space(source.choice(FAMILIES))
    width = source.choice((2, 3, space.size))
    losses = [[F(source.randrange(-2, 9), source.choice((1, 1, 2, 3))) for _ in range(width)]
              for _ in range(space.size)]
    parts = [source.choice((0, 1, 1, 2, 5)) for _ in range(space.size)]
    parts[source.randrange(space.size)] += 1
    prior = [F(part, sum(parts)) for part in parts]
    return space, source.choice(RATIOS), losses, prior, source.choice(("average", "worst"))


def distances_of(space):
    return {(a, b): int(space.distance(a, b).rational)
            for i, j in space.edges() for a, b in ((i, j), (j, i))}


@pytest.mark.parametrize("block", range(8))
def test_200_random_optima_are_those_of_a_plain_simplex(block):
    for seed in range(25 * block, 25 * block + 25):
        space, ratio, losses, prior, goal = random_problem(seed)
        expected, _ = plain_optimum(
            distances_of(space), ratio, losses, prior if goal == "average" else None)
        solution = tr.design(space, ratio=ratio, loss=losses, prior=prior, goal=goal,
                             outputs=range(len(losses[0])), exact=True)
        assert solution.exact.value == expected, seed
        assert (solution.gap, solution.value) == (0, float(expected))


def test_the_mechanism_is_the_vertex_and_both_sides_are_exact():
    space, ratio, losses, prior, goal = random_problem(3)
    solution = tr.design(space, ratio=ratio, loss=losses, prior=prior, goal=goal,
                         outputs=range(len(losses[0])), exact=True)
    optimum, mechanism = solution.exact, solution.mechanism
    assert exact_value(solution.problem, mechanism) == optimum.value
    assert is_proved(optimum, solution.problem, mechanism)
    for z, pairs in enumerate(optimum.basis):  # the pairs of the basis are tight
        for a, b in pairs:
            far = F(0) if b is None else mechanism.row_at(b)[z] / ratio ** distances_of(space)[a, b]
            assert mechanism.row_at(a)[z] == far
    wrong = type(optimum)(optimum.value + F(1, 10**30), optimum.multipliers, optimum.prior)
    assert not is_proved(wrong, solution.problem, mechanism)
    with pytest.raises(BadInput, match="not the one that the multipliers prove"):
        solution.proved_exactly(wrong)


def test_negative_multipliers_prove_nothing():
    solution = tr.design("categories:2", ratio=2, exact=True)
    optimum = solution.exact
    (a, b, amount), *_ = optimum.multipliers[0]
    pairs = ((a, b, amount + 1), (a, b, F(-1)))  # they add up to what proves it
    rest = optimum.multipliers[0][1:]
    forged = type(optimum)(optimum.value, ((*pairs, *rest), *optimum.multipliers[1:]),
                           optimum.prior)
    assert not is_proved(forged, solution.problem, solution.mechanism)


def test_randomized_response_and_a_loss_of_ones_own_on_a_cycle():
    assert tr.design("categories:3", ratio=2, exact=True).exact.value == F(1, 2)
    own = [[0 if y == z else 1 for z in range(7)] for y in range(7)]
    prior = ["2/7", "1/7", "1/7", "0", "1/7", "1/7", "1/7"]
    solution = tr.design("cycle:7", ratio=2, loss=own, prior=prior, exact=True)
    expected, _ = plain_optimum(distances_of(tr.space("cycle:7")), F(2), own,
                                [F(p) for p in prior])
    assert solution.exact.value == expected
    assert str(expected) in repr(solution)
    assert "gap 0" in repr(solution)


@pytest.mark.parametrize("space", ["directed", "apart"])
def test_one_way_and_apart(space):
    if space == "directed":
        domain = tr.spaces.directed(["a", "b", "c"], [(0, 1), (1, 2)])
        distances = {(0, 1): 1, (1, 2): 1}
    else:
        domain = tr.spaces.graph(["a", "b", "c", "d"], [(0, 1), (2, 3)])
        distances = {(0, 1): 1, (1, 0): 1, (2, 3): 1, (3, 2): 1}
    size = domain.size
    losses = [[F((3 * y + 5 * z) % 7, 2) for z in range(size)] for y in range(size)]
    prior = [F(1, size)] * size
    solution = tr.design(domain, ratio=3, loss=losses, exact=True)
    assert solution.exact.value == plain_optimum(distances, F(3), losses, prior)[0]


def test_at_ratio_1_all_rows_are_alike():
    solution = tr.design("path:0..2", ratio=1, loss="absolute", exact=True)
    assert solution.exact.value == F(2, 3)


@pytest.mark.parametrize(("options", "part"), [
    ({"ratio": 2, "delta": "0.1"}, "δ = 0"),
    ({"ratio": 2, "construction": "geometric"}, "optimal construction"),
])
def test_what_is_not_exact_is_refused_with_what_is(options, part):
    with pytest.raises(BadInput, match=part):
        tr.design("path:0..2", exact=True, **options)


def test_irrational_distances_and_losses_are_refused():
    with pytest.raises(BadInput, match="√2"):
        tr.design("grid:2x2", ratio=2, loss="binary", exact=True)
    with pytest.raises(BadInput, match="irrational"):
        tr.design("grid:2x2,metric=manhattan", ratio=2, loss="euclidean", exact=True)


def test_sizes_and_times_out_of_reach_are_refused():
    with pytest.raises(TooLarge, match="leave out exact"):
        tr.design("path:0..50", ratio=2, exact=True)
    with pytest.raises(TooLarge, match="ordered pairs"):
        tr.design("categories:30", ratio=2, exact=True)
    with pytest.raises(TooLarge, match="allow more time"):
        tr.design("path:0..39", ratio=3, exact=True, goal="worst",
                  effort=tr.Effort(seconds=0))


@pytest.mark.parametrize("space", ["categories:20", "cycle:40", "star:39", "path:0..29"])
def test_sizes_within_reach(space):
    solution = tr.design(space, ratio=2, exact=True)
    assert solution.gap == 0
    if space == "categories:20":
        assert solution.exact.value == F(19, 21)


@pytest.mark.parametrize(("goal", "ratio"), [("average", 3), ("worst", 3), ("worst", 5)])
def test_losses_at_random_on_a_long_path_need_few_exact_steps(goal, ratio):
    """Without a closer proposal these take hundreds of steps."""
    source, size = random.Random(2), 25
    losses = [[F(source.randrange(0, 60), source.choice((1, 2, 3))) for _ in range(size)]
              for _ in range(size)]
    solution = tr.design(f"path:0..{size - 1}", ratio=ratio, loss=losses, goal=goal, exact=True)
    assert solution.statistics["steps"] <= 30
    assert solution.gap == 0


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["absolute", "squared", "digits"])
def test_the_worst_input_of_40_points_needs_few_exact_steps(loss):
    """A refined basis sees entries down to 5^-39; without it hundreds of steps are left."""
    source = np.random.default_rng(3)
    digits = source.integers(0, 10, (40, 40))
    solution = tr.design("path:0..39", ratio=5, loss=digits if loss == "digits" else loss,
                         goal="worst", exact=True)
    assert solution.statistics["steps"] <= 40
    assert solution.gap == 0


@pytest.mark.parametrize("ratio", [F(3, 2), F(3), F(4)])
def test_the_worst_input_of_a_long_cycle_is_as_the_mean(ratio):
    """e^(-ε d) over its sum is optimal, by symmetry; d once or twice on an even cycle."""
    solution = tr.design("cycle:40", ratio=ratio, loss="distance", goal="worst", exact=True)
    weights = [ratio ** -min(k, 40 - k) for k in range(40)]
    mean = sum(w * min(k, 40 - k) for k, w in enumerate(weights)) / sum(weights)
    assert solution.exact.value == mean


@pytest.mark.parametrize("space", ["categories:3", "cycle:5", "cycle:6"])
def test_a_vertex_that_favors_some_inputs_is_not_taken_for_the_worst(space):
    """At ratio 1 one constant answer is best on average; the worst input needs a mixture."""
    size = tr.space(space).size
    solution = tr.design(space, ratio=1, loss="binary", goal="worst", exact=True)
    assert solution.exact.value == 1 - F(1, size)
    even = tr.design(space, ratio=F(101, 100), loss="distance", goal="worst", exact=True)
    lengths = [[int(tr.space(space).distance(a, b).rational) for b in range(size)]
               for a in range(size)]
    assert even.exact.value == plain_optimum(distances_of(tr.space(space)), F(101, 100), lengths)[0]


def test_the_document_carries_the_exact_claim_and_back(tmp_path):
    solution = tr.design("path:0..3", ratio=2, loss="absolute", goal="worst", exact=True)
    tr.save(solution, tmp_path / "m.json")
    stated = json.loads((tmp_path / "m.json").read_text())["optimality"]["exact"]
    expected, _ = plain_optimum(distances_of(tr.space("path:0..3")), F(2),
                                [[abs(y - z) for z in range(4)] for y in range(4)])
    assert F(stated["value"]) == expected == solution.exact.value
    assert tr.load(tmp_path / "m.json").mechanism == solution.mechanism


def test_a_problem_of_the_same_loss_in_other_words_has_the_same_optimum():
    asked = Problem("path:0..4", "ln(2)", loss="absolute")
    named = tr.design("path:0..4", ratio=2, loss="absolute", exact=True).exact.value
    given = tr.design("path:0..4", "ln(2)", loss=lambda x, z: abs(x - z), exact=True).exact.value
    assert named == given == exact_value(asked, tr.design(asked.space, "ln(2)").mechanism)


def test_the_receipt_states_the_gap_below_the_bound_and_the_fraction_last(tmp_path):
    tr.save(tr.design("categories:2", ratio=2, exact=True), tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    said = list(receipt.lines(document, receipt.examine(document, large=False)))
    start = next(k for k, line in enumerate(said) if line.startswith("best  "))
    assert said[start + 1] == "             (relative gap 0): proved"
    assert said[start + 2] == "exactly      1/3 is both the loss and the best possible"
