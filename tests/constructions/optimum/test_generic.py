"""The optimum under a generic definition: against all events, and against (ε, δ) designs."""

import random
from fractions import Fraction
from itertools import chain, combinations, pairwise

import numpy as np
import pytest
from scipy.optimize import linprog

import tightrope as tr
from tightrope.errors import BadInput, TooLarge
from tightrope.files import read_definition
from tightrope.privacy import (
    FormulaBound,
    GenericDefinition,
    HullBound,
    Jump,
    PairBound,
    Strict,
    level_bound,
)

F = Fraction


def random_bound(rng):
    """A concave M with up to three corners inside, on multiples of 1/12."""
    inside = sorted({F(rng.randint(1, 11), 12) for _ in range(rng.randint(0, 3))})
    points = [(F(0), F(rng.choice([0, 0, 1, 2]), 12)),
              *((a, F(rng.randint(int(12 * a), 12), 12)) for a in inside), (F(1), F(1))]
    hull = []
    for a, b in points:
        while len(hull) > 1 and ((hull[-1][1] - hull[-2][1]) * (a - hull[-1][0])
                                 <= (b - hull[-1][1]) * (hull[-1][0] - hull[-2][0])):
            hull.pop()
        hull.append((a, b))
    return hull


def events(width):
    return list(chain.from_iterable(combinations(range(width), k) for k in range(1, width + 1)))


def by_all_events(bounds, losses, prior, worst):
    """The optimum in doubles, with a row for every event and every line of M."""
    size, width = losses.shape
    above, limits = [], []
    for (i, j), knots in bounds.items():
        for (a, b), (c, d) in pairwise(knots):
            slope = float((d - b) / (c - a))
            for event in events(width):
                row = np.zeros(size * width + 1)
                row[[j * width + z for z in event]] += 1
                row[[i * width + z for z in event]] -= slope
                above.append(row)
                limits.append(float(b) - slope * float(a))
    costs = np.append((prior[:, None] * losses).ravel(), 0.0)
    if worst:
        costs = np.append(np.zeros(size * width), 1.0)
        for y in range(size):
            row = np.zeros(size * width + 1)
            row[y * width : (y + 1) * width] = losses[y]
            row[-1] = -1
            above.append(row)
            limits.append(0.0)
    equal = np.zeros((size, size * width + 1))
    for y in range(size):
        equal[y, y * width : (y + 1) * width] = 1
    free = [(0, None)] * (size * width) + [(None, None)]
    return linprog(costs, np.array(above), limits, equal, np.ones(size), free).fun


def keeps(rows, bounds):
    def value(knots, x):
        return next(b + (d - b) * (x - a) / (c - a)
                    for (a, b), (c, d) in pairwise(knots) if a <= x <= c)

    return all(sum(rows[j][z] for z in event) <= value(knots, sum(rows[i][z] for z in event))
               for (i, j), knots in bounds.items() for event in events(len(rows[0])))


@pytest.mark.parametrize("part", range(4))
def test_two_hundred_random_definitions_against_all_events(part):
    rng = random.Random(31 + part)
    for _ in range(50):
        size, width = rng.choice([(2, 2), (2, 3), (3, 3), (3, 2)])
        pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
        chosen = rng.sample(pairs, rng.randint(1, len(pairs)))
        bounds = {pair: random_bound(rng) for pair in chosen}
        losses = [[F(rng.randint(-3, 6)) for _ in range(width)] for _ in range(size)]
        weights = [rng.randint(0, 5) for _ in range(size)]
        weights[0] += 1
        prior = [F(w, sum(weights)) for w in weights]
        goal = rng.choice(["average", "worst"])
        solution = tr.design(
            f"categories:{size}", prior=prior, loss=losses, outputs=list(range(width)), goal=goal,
            definition=GenericDefinition({p: PairBound.of(k) for p, k in bounds.items()}))
        rows = [solution.mechanism.row_at(y) for y in range(size)]
        assert keeps(rows, bounds)
        assert solution.value == solution.bound
        found = by_all_events(bounds, np.array(losses, dtype=float),
                              np.array(prior, dtype=float), goal == "worst")
        assert float(solution.value) == pytest.approx(found, abs=1e-7)


@pytest.mark.parametrize("goal", ["average", "worst"])
@pytest.mark.parametrize("space", ["categories:3", "path:0..5", "cycle:5"])
def test_a_level_with_delta_has_the_optimum_of_its_own_design(space, goal):
    for ratio, delta in ((2, "1/10"), ("3/2", "1/50"), (3, 0)):
        bound = level_bound(tr.Level.ratio(ratio, delta))
        solution = tr.design(space, definition=bound, goal=goal)
        level = tr.design(space, ratio=ratio, delta=delta, goal=goal)
        assert level.bound - 1e-12 <= float(solution.value) <= level.value + 1e-12
        assert level.gap < 1e-6


def test_a_directed_pair_leaves_the_other_direction_alone():
    zero = PairBound.of([(0, 0), (1, 1)])
    one_way = tr.design("categories:2", definition=GenericDefinition({(0, 1): zero}))
    assert one_way.value == F(1, 2)  # equal rows: every event is as likely under both
    free = tr.design("categories:3", definition=GenericDefinition({(0, 1): zero}))
    assert free.value == F(1, 3)  # the third input is told apart


def test_parts_that_no_pair_joins_are_told_apart():
    zero = PairBound.of([(0, 0), (1, 1)])
    both = {(0, 1): zero, (1, 0): zero, (2, 3): zero, (3, 2): zero}
    solution = tr.design("categories:4", definition=GenericDefinition(both))
    assert solution.value == F(1, 2)
    assert "2 components" in repr(solution.facts().sentences)


def test_the_hull_is_named_and_a_mechanism_may_break_the_bound_itself():
    stated = [(F(0), F(0)), (F(1, 2), F(1, 2)), (F(3, 4), F(1)), (F(1), F(1))]
    hull = HullBound.of(stated)
    assert not hull.concave
    solution = tr.design("categories:2", definition=hull)
    assert solution.value == F(3, 7)  # randomized response at e^ε = 4/3 errs with 1/(1 + 4/3)
    assert "not concave" in repr(solution.facts().sentences)
    rows = [solution.mechanism.row_at(y) for y in range(2)]
    assert not keeps(rows, {(0, 1): stated, (1, 0): stated})


def test_an_irrational_ratio_is_rounded_down_and_named():
    solution = tr.design("categories:2", definition=level_bound(tr.Level.epsilon("0.5")))
    best = tr.design("categories:2", 0.5)
    assert 0 <= float(solution.value) - best.value < 1e-11
    assert "rounded down" in solution.facts().sentences[0]
    assert tr.verify(solution.mechanism, "categories:2", 0.5).holds


@pytest.mark.parametrize(("bound", "words"), [
    (FormulaBound("sqrt(a)"), "a formula is judged only"),
    (Strict(PairBound.of([(0, 0), (1, 1)])), "must not be attained"),
    (Jump(FormulaBound("1"), 0), "jumps at 0"),
    (PairBound.of([(0, "1/2"), (1, 1)], at_zero=0), "jumps at 0"),
    ("clinic.toml", "tr.files.read_definition"),
    (3, "expected a definition"),
])
def test_what_has_no_optimum_is_refused_in_a_sentence(bound, words):
    with pytest.raises(BadInput, match=words):
        tr.design("categories:2", definition=bound)


@pytest.mark.parametrize(("name", "says"), [
    ("zcdp:rho=0.05", "judged by `verify`, not designed under"),
    ("gdp:mu=1", "or for `verify` zcdp:rho=0.05"),
])
def test_a_name_in_place_of_a_file_is_refused_with_the_way_on(name, says):
    with pytest.raises(BadInput, match=says):
        read_definition(name, "categories:2")


def test_a_level_beside_a_definition_and_irrational_losses_are_refused():
    bound = tr.privacy.total_variation("1/2")
    with pytest.raises(BadInput, match="leave out ratio"):
        tr.design("categories:2", definition=bound, ratio=2)
    with pytest.raises(BadInput, match="losses that are fractions"):
        tr.design("grid:2x2", definition=tr.privacy.GenericDefinition({(0, 3): bound}),
                  loss="euclidean")
    with pytest.raises(TooLarge, match="equations"):
        tr.design("categories:12", definition=bound)


def test_the_worst_case_can_start_without_a_proposal(monkeypatch):
    """The basis that the program names must be feasible whatever HiGHS proposes."""
    losses = [[F(3), F(0), F(1)], [F(5), F(2), F(0)], [F(2), F(0), F(7)]]
    definition = GenericDefinition.on_neighbors("path:0..2", PairBound.of_level(tr.Level.ratio(2)))
    expected = tr.design("path:0..2", definition=definition, loss=losses, goal="worst").value
    monkeypatch.setattr("tightrope.lp.rational._propose_basis", lambda program: None)
    steps = tr.design("path:0..2", definition=definition, loss=losses, goal="worst")
    assert steps.value == expected > 0
