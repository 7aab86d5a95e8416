"""The optimum at (ε, δ): against closed forms, and against the program of all sets of outputs."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.crosschecks.exact_programs import exact_optimum_with_delta
from tightrope.choices import Goal
from tightrope.constructions import Effort, design, min_loss_given_level
from tightrope.constructions.optimum import approximate
from tightrope.errors import Infeasible, TooLarge
from tightrope.exact import Level
from tightrope.privacy import Certificate, certify, verify
from tightrope.spaces import categories, cycle, graph, grid, hamming, path, star
from tightrope.utility import LossMatrix, Prior, Problem, absolute, binary, squared


def optimum_over_all_sets(space, ratio, delta, table, prior=None):
    """The optimum when every set of outputs is written down; the worst case without a prior."""
    n, m = table.shape
    sets = list(chain.from_iterable(combinations(range(m), k) for k in range(1, m + 1)))
    rows, right = [], []
    for a, b in space.neighbors.pairs:
        for y, other in ((a, b), (b, a)):
            for chosen in sets:
                row = np.zeros(n * m + 1)
                row[[y * m + z for z in chosen]] = 1
                row[[other * m + z for z in chosen]] = -float(ratio)
                rows.append(row)
                right.append(float(delta))
    cost = np.zeros(n * m + 1)
    if prior is None:
        cost[-1] = 1
        for y in range(n):
            row = np.zeros(n * m + 1)
            row[y * m : (y + 1) * m], row[-1] = table[y], -1
            rows.append(row)
            right.append(0.0)
    else:
        cost[:-1] = (np.array(prior, dtype=float)[:, None] * table).ravel()
    equal = np.hstack([np.kron(np.eye(n), np.ones(m)), np.zeros((n, 1))])
    found = linprog(
        cost, A_ub=np.array(rows), b_ub=right, A_eq=equal, b_eq=np.ones(n),
        bounds=[(0, None)] * (n * m) + [(None, None)],
    )
    assert found.status == 0
    return found.fun


@pytest.mark.parametrize("space", [path(0, 3), star(3), cycle(4), hamming(values=2, people=2)])
@pytest.mark.parametrize("delta", ["1/100", "1/5", "3/4"])
def test_value_and_bound_enclose_the_optimum_over_all_sets(space, delta):
    drawn = np.random.default_rng(7)
    for ratio in (Fraction(3, 2), Fraction(3)):
        table = drawn.integers(0, 6, (space.size, space.size)).astype(float)
        raw = [int(k) for k in drawn.integers(0, 4, space.size)]
        prior = [Fraction(k, sum(raw)) for k in raw]
        level = Level.ratio(ratio, delta)
        found = min_loss_given_level(space, level, prior=prior, loss=table)
        best = optimum_over_all_sets(space, ratio, Fraction(delta), table, prior)
        assert found.bound - 1e-7 <= best <= found.value + 1e-7
        assert found.value - found.bound <= 1e-6 * max(1.0, abs(found.value))
        worst = min_loss_given_level(space, level, loss=table, goal=Goal.WORST)
        assert worst.value == pytest.approx(
            optimum_over_all_sets(space, ratio, Fraction(delta), table), abs=1e-6
        )
        assert worst.bound <= worst.value + 1e-12
        assert worst.gap <= 1e-6 or worst.value < 1e-6


def small_graph(drawn):
    """A random connected graph of 2 to 4 nodes: a tree and some more edges."""
    size = int(drawn.integers(2, 5))
    tree = [(int(drawn.integers(y)), y) for y in range(1, size)]
    more = [(a, b) for a, b in combinations(range(size), 2) if drawn.random() < 0.4]
    return graph(range(size), tree + more)


def assert_encloses(found, best):
    """Value and bound, as exact numbers, are on both sides of the optimum, and near."""
    assert found.dual.bound <= best
    assert best <= Fraction(found.value) * (1 + Fraction(1, 10**12))
    assert found.gap <= 1e-6


@pytest.mark.parametrize("seed", range(12))
def test_value_and_bound_enclose_the_exact_optimum_of_random_graphs(seed):
    drawn = np.random.default_rng(seed)
    space = small_graph(drawn)
    size = space.size
    edges = list(space.neighbors.pairs)
    table = drawn.integers(0, 9, (size, size)) * (1 - np.eye(size, dtype=int))  # asymmetric
    raw = [1, *(int(k) for k in drawn.integers(0, 4, size - 1))]  # zeros are allowed
    prior = [Fraction(k, sum(raw)) for k in raw]
    losses = [[Fraction(int(k)) for k in row] for row in table]
    ratio = Fraction(int(drawn.integers(11, 60)), 10)
    delta = Fraction(("1e-30", "1e-9", "0.01", "0.3", "0.9", "0.999999")[seed % 6])
    level = Level.ratio(ratio, delta)
    best = exact_optimum_with_delta(edges, ratio, delta, losses, prior)
    for symmetry in (True, False):
        effort = Effort(symmetry=symmetry)
        found = min_loss_given_level(space, level, prior=prior, loss=table, effort=effort)
        assert_encloses(found, best)
    worst = exact_optimum_with_delta(edges, ratio, delta, losses)
    assert_encloses(min_loss_given_level(space, level, loss=table, goal=Goal.WORST), worst)


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize("delta", ["1e-30", "1e-12", "0.9", "0.99", "0.999999", "0.999999999999"])
@pytest.mark.parametrize("ratio", ["1.000001", "3", "100000000"])
def test_two_values_meet_their_closed_form_at_extreme_levels(goal, delta, ratio):
    level = Level.ratio(ratio, delta)
    closed = (1 - level.delta) / (1 + Fraction(ratio))  # H16 Theorem 4.8 with two values
    assert_encloses(min_loss_given_level(categories(2), level, goal=goal), closed)


@pytest.mark.parametrize("unit", [1e-12, 1e12])
@pytest.mark.parametrize("goal", list(Goal))
def test_the_unit_of_the_loss_does_not_matter(unit, goal):
    space, level = path(0, 4), Level.epsilon(2, "0.99")
    table = absolute.matrix(space, space.points)
    plain = min_loss_given_level(space, level, loss=table, goal=goal)
    loss = LossMatrix(table * unit)
    scaled = min_loss_given_level(space, level, loss=loss, goal=goal)
    assert scaled.value == pytest.approx(unit * plain.value, rel=1e-6)
    assert scaled.gap <= 1e-6


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize("delta", ["1e-12", "0.01", "0.9", "0.999999"])
@pytest.mark.parametrize("epsilon", ["1e-6", "1", "20"])
def test_the_gap_is_closed_on_paths_at_all_levels(goal, delta, epsilon):
    level = Level.epsilon(epsilon, delta)
    found = min_loss_given_level(path(0, 5), level, loss=absolute, goal=goal)
    assert found.gap <= 1e-6


@pytest.mark.parametrize(
    ("space", "orbits"), [(categories(30), 3), (cycle(9), 17), (hamming(values=2, people=4), 8)]
)
def test_symmetry_makes_programs_small_and_keeps_the_optimum(space, orbits):
    level = Level.ratio(3, "0.1")
    found = min_loss_given_level(space, level, loss=binary)
    assert found.statistics["orbits"] <= orbits
    assert found.gap <= 1e-6
    if space.size < 20:
        plain = min_loss_given_level(space, level, loss=binary, effort=Effort(symmetry=False))
        assert found.value == pytest.approx(plain.value, rel=1e-6)


@pytest.mark.parametrize("values", [2, 3, 5, 9])
@pytest.mark.parametrize("delta", [Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2)])
def test_complete_graphs_meet_the_closed_form_of_h16_theorem_4_8(values, delta):
    found = design(categories(values), Level.ratio(4, delta), loss=binary, goal=Goal.WORST)
    closed = (values - 1) * (1 - delta) / (values - 1 + 4)
    assert found.value == pytest.approx(float(closed), rel=1e-9)
    assert found.bound <= float(closed) * (1 + 1e-12)


def test_the_level_is_proved_and_smaller_deltas_fail():
    space, level = path(0, 9), Level.epsilon(1, "1e-6")
    found = min_loss_given_level(space, level, loss=absolute)
    mechanism = found.certified.mechanism
    assert isinstance(verify(mechanism, space, level), Certificate)
    assert not isinstance(verify(mechanism, space, level.with_delta("0.99e-6")), Certificate)


def test_more_delta_never_loses_more():
    values = [
        min_loss_given_level(path(0, 6), Level.ratio(2, delta), loss=squared).value
        for delta in ("1e-9", "1e-4", "0.01", "0.3")
    ]
    assert values == sorted(values, reverse=True)
    pure = design(path(0, 6), Level.ratio(2), loss=squared, construction="optimal")
    assert values[0] == pytest.approx(pure.value, rel=1e-6)


def test_spaces_without_neighbors_have_no_delta():
    with pytest.raises(Infeasible, match="declared neighbors"):
        min_loss_given_level(grid((2, 2)), Level.ratio(2, "0.1"), loss=binary)
    with pytest.raises(Infeasible, match="declared neighbors"):
        design(grid((2, 2)), Level.ratio(2, "0.1"), construction="optimal")


def test_large_programs_are_refused_with_the_limit():
    weights = range(1, 71)
    prior = Prior.of([Fraction(k, sum(weights)) for k in weights])
    with pytest.raises(TooLarge, match="250,000"):
        min_loss_given_level(categories(70), Level.ratio(2, "0.1"), prior=prior)


def test_a_matrix_is_repaired_to_its_delta():
    space = path(0, 2)
    level = Level.ratio(2, "0.05")
    held = certify(np.eye(3), space, level)
    assert held.certificate.delta[1] <= Fraction(1, 20)
    assert held.certificate.delta[0] > Fraction(49, 1000)


def test_a_large_program_is_refined_only_until_its_proved_gap_will_do(monkeypatch):
    space, level = path(0, 49), Level.epsilon(1, "0.01")
    monkeypatch.setattr(approximate, "_COSTLY", np.inf)
    whole = min_loss_given_level(space, level, goal=Goal.WORST)
    monkeypatch.setattr(approximate, "_COSTLY", 0)
    quick = min_loss_given_level(space, level, goal=Goal.WORST, effort=Effort(gap=1e-4))
    assert quick.statistics["rounds"] < whole.statistics["rounds"]
    assert quick.gap <= 1e-4
    assert quick.bound <= whole.value <= quick.value * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_programs_that_begin_with_few_cells_and_rows_meet_the_exact_optimum(seed, monkeypatch):
    drawn = np.random.default_rng(100 + seed)
    space = small_graph(drawn)
    size, edges = space.size, list(space.neighbors.pairs)
    table = drawn.integers(0, 9, (size, size)) * (1 - np.eye(size, dtype=int))
    raw = [1, *(int(k) for k in drawn.integers(0, 4, size - 1))]
    prior = [Fraction(k, sum(raw)) for k in raw]
    losses = [[Fraction(int(k)) for k in row] for row in table]
    ratio, delta = Fraction(int(drawn.integers(11, 60)), 10), Fraction(("0.01", "0.3")[seed % 2])
    level = Level.ratio(ratio, delta)
    begun = approximate._first_program

    def bare(problem, orbits):
        program = begun(problem, orbits)
        best = program.kept & False
        best[program.best] = True
        best[orbits.cells.labels.reshape(problem.losses.shape)[:, 0]] = True  # one constant answer
        return replace(program, kept=best, posed=program.posed & False)

    monkeypatch.setattr(approximate, "_first_program", bare)
    for goal, chances in ((Goal.AVERAGE, prior), (Goal.WORST, None)):
        best = exact_optimum_with_delta(edges, ratio, delta, losses, chances)
        found = min_loss_given_level(space, level, prior=prior, loss=table, goal=goal)
        assert_encloses(found, best)


def test_far_answers_and_idle_rows_are_left_out_of_the_first_program():
    def begun(text, goal="average"):
        problem = Problem(text, Level.epsilon(1, "0.01"), goal=goal)
        return approximate._program(problem, Effort(symmetry=False))

    long, wide, around = begun("path:0..99"), begun("categories:12"), begun("cycle:30")
    assert long.kept.sum() < len(long.kept) / 5
    assert long.posed.sum() == 100 * 99  # away from the best input, not toward it
    assert wide.kept.all()
    assert wide.posed.sum() == 12 * 11  # a row begins at the best input only
    assert around.posed.all()  # all wrong answers lose the same
    assert begun("cycle:30", "worst").posed.sum() == 30 * 30


def test_what_a_solver_misses_is_kept_back_unless_the_gap_asked_for_is_small():
    problem = Problem("path:0..36", Level.epsilon(1, "0.01"), goal="worst")
    for gap, kept_back in ((1e-6, True), (1e-10, False)):
        effort = Effort(gap=gap, symmetry=False)
        begun = approximate._program(problem, effort)
        assert begun.spare > 0
        program, _, solution = approximate._Search(begun, effort).run()
        assert (program.spare > 0) == kept_back
        assert solution.gap <= 1e-6


def test_the_worst_input_of_a_cycle_takes_one_round_where_a_correction_once_took_minutes():
    problem = Problem("cycle:60", Level.epsilon(1, "0.1"), goal="worst")
    effort = Effort(symmetry=False)
    _, found, solution = approximate._Search(approximate._program(problem, effort), effort).run()
    assert found.rounds == 1
    assert solution.gap <= 1e-6


def test_a_program_is_widened_by_what_pays_and_not_to_the_whole():
    problem = Problem("path:0..40", Level.epsilon(1, "0.01"), goal="worst")
    begun = approximate._program(problem, Effort(symmetry=False))
    program, _, solution = approximate._Search(begun, Effort(symmetry=False)).run()
    assert solution.gap <= 1e-6
    assert program.kept.mean() < 0.7


def test_a_widened_program_begins_at_a_whole_basis():
    problem = Problem("path:0..40", Level.epsilon(1, "0.01"))
    begun = approximate._program(problem, Effort(symmetry=False))
    found = approximate._Search(begun, Effort())._solve(None)
    wide = begun.widen(~begun.kept, ~begun.posed)
    basis = wide.basis(begun, found.basis)
    assert basis.columns.sum() + basis.rows.sum() == len(wide.rows().totals)
