"""The least loss at ε = 0: one law for all inputs, against plain programs."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from tightrope.constructions import compare, design, exponential, min_loss_given_level
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.privacy import certify, verify
from tightrope.spaces import parse
from tightrope.utility import Problem

F = Fraction
SPACES = ["path:0..4", "categories:3", "star:3", "grid:2x3", "sets:2", "sum:people=2,max=2"]
PRIOR = {3: ["1/2", "1/3", "1/6"], 4: ["0.4", "0.3", "0.2", "0.1"]}


def plain(problem):
    """The least loss of one law, and with δ of any rows at most δ apart, by HiGHS alone."""
    losses, delta = problem.losses, float(problem.level.delta)
    n, k = losses.shape
    pairs = problem.space.neighbors.pairs if delta else []
    both = [(i, j) for i, j in pairs] + [(j, i) for i, j in pairs]
    rows = 1 if not delta else n
    place = (lambda y: 0) if not delta else (lambda y: y)
    width = rows * k + len(both) * k + 1  # probabilities, excesses, the largest loss
    worst = problem.goal.value == "worst"
    cost, upper, limits = np.zeros(width), [], []
    for y in range(n):
        line = np.zeros(width)
        line[place(y) * k:place(y) * k + k] = losses[y]
        if worst:
            line[-1] = -1
            upper.append(line)
            limits.append(0)
        else:
            cost += problem.chances[y] * line
    cost[-1] = worst
    for number, (i, j) in enumerate(both):
        total = np.zeros(width)
        for z in range(k):
            line, excess = np.zeros(width), rows * k + number * k + z
            line[i * k + z], line[j * k + z], line[excess] = 1, -1, -1
            upper.append(line)
            limits.append(0)
            total[excess] = 1
        upper.append(total)
        limits.append(delta)
    sums = np.zeros((rows, width))
    for y in range(rows):
        sums[y, y * k:y * k + k] = 1
    found = linprog(cost, A_ub=np.array(upper) if upper else None, b_ub=limits or None,
                    A_eq=sums, b_eq=np.ones(rows), bounds=[(0, None)] * width)
    return found.fun


@pytest.mark.parametrize("goal", ["average", "worst"])
@pytest.mark.parametrize("delta", ["0", "1/10"])
@pytest.mark.parametrize("text", SPACES)
def test_the_best_at_zero_is_that_of_a_plain_program(text, delta, goal):
    space = parse(text)
    if delta != "0" and space.neighbors is None:
        return  # δ has no meaning there
    level = Level.epsilon(0, delta)
    prior = PRIOR.get(space.size, "uniform") if goal == "average" else "uniform"
    found = min_loss_given_level(space, level, prior=prior, goal=goal)
    assert found.value == pytest.approx(plain(found.problem), abs=1e-9)
    assert found.gap < 1e-9
    assert float(found.dual.bound) <= found.value + 1e-12
    assert verify(found.certified.mechanism, space, level).holds


def test_randomized_response_at_zero_is_proved_best():
    for level in (Level.of(0), Level.epsilon(0, "1/10")):
        found = design("categories:3", level)
        assert found.certified.certificate.level == level
        assert found.theorem
        assert found.gap < 1e-12
    assert design("categories:3", Level.epsilon(0, "1/10")).value == pytest.approx(0.6)


def test_constructions_that_fall_with_the_distance_say_so():
    rows = {row.construction: row for row in compare("path:0..3", 0).rows}
    for name in ("geometric", "remapped-geometric", "tight", "remapped-tight",
                 "two-sided-geometric"):
        assert rows[name].solution is None
        assert "needs an ε above 0" in rows[name].reason
        with pytest.raises(Infeasible, match="needs an ε above 0"):
            design("path:0..3", 0, construction=name)
    assert rows["optimal"].solution.value == 1
    assert "needs an ε above 0" in {
        row.construction: row.reason for row in compare("grid:2x2", 0).rows}["planar-laplace"]


def test_the_exponential_mechanism_at_zero_is_its_base_measure():
    # H16, Definition 4.1: ε >= 0
    made = exponential("path:0..2", 0, base=[F(1), F(2), F(1)])
    assert [tuple(made.mechanism.row_at(y)) for y in range(3)] == [(F(1, 4), F(1, 2), F(1, 4))] * 3


def test_queries_have_a_best_answer_at_zero():
    asked = {"query": sum, "loss": "absolute"}
    found = {row.construction: row for row in
             compare("hamming:values=2,people=2", Level.epsilon(0, "1/10"), **asked).rows}
    assert found["optimal"].solution.value == pytest.approx(0.45)
    assert "needs an ε above 0" in found["ladder"].reason


def test_a_matrix_is_repaired_at_zero_to_the_mean_of_its_rows():
    made = certify(np.array([[0.5, 0.5], [0.25, 0.75]]), "categories:2", 0)
    assert made.certificate.holds
    assert [tuple(made.mechanism.row_at(y)) for y in range(2)] == [(F(3, 8), F(5, 8))] * 2


@pytest.mark.parametrize(("rows", "delta", "holds"), [
    ([["1/2", "1/2"], ["1/2", "1/2"]], 0, True),
    ([["1/2", "1/2"], ["9/20", "11/20"]], 0, False),
    ([["1/2", "1/2"], ["9/20", "11/20"]], "1/20", True),
    ([["1/2", "1/2"], ["9/20", "11/20"]], "49/1000", False),
])
def test_a_level_of_zero_is_judged_exactly(rows, delta, holds):
    assert verify(rows, "categories:2", Level.epsilon(0, delta)).holds is holds


def test_zero_in_a_problem_is_kept():
    assert Problem("path:0..2", 0).level.is_zero
