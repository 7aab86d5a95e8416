"""The optimum on several components, against one linear program with all rows."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.crosschecks.plain_programs import distances, least_loss
from tests.documents.judges import HOLDS, library_says, receipt_says
from tightrope.choices import Goal
from tightrope.constructions import (
    Effort,
    compare,
    design,
    min_loss_given_level,
    tight_constraints,
)
from tightrope.constructions.optimum import minimum
from tightrope.documents import compose, optimality_of, read, render
from tightrope.documents.reading import prove_optimality
from tightrope.errors import BadSpace, Infeasible
from tightrope.exact import Level
from tightrope.kernels import regular_bounds, regularity
from tightrope.spaces import graph, matrix, path
from tightrope.spaces.products import product
from tightrope.theory import (
    exponential_bounds,
    most_leakage,
    packing_bound,
    smallest_level_for,
    thresholds,
)
from tightrope.utility import LossMatrix, Prior, binary, standing_of, uniform

SPACES = [
    graph("abcdef", [(0, 1), (1, 2), (3, 4)]),
    graph("abcd", [(0, 2), (1, 3)]),
    matrix("abc", [["0", "2", "inf"], ["2", "0", "inf"], ["inf", "inf", "0"]]),
]


def factors(space, ratio, neighbors):
    """The allowed factor of each pair: with δ of neighbors alone, else of all in a component."""
    found = ratio ** distances(space)
    if neighbors:
        near = {frozenset(pair) for pair in space.neighbors.pairs}
        for a, b in np.ndindex(found.shape):
            found[a, b] = found[a, b] if frozenset((a, b)) in near else np.inf
    return found


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize(("space", "delta"), [
    *((space, "0") for space in SPACES), *((space, "0.05") for space in SPACES[:2])
])
def test_the_optimum_is_that_of_one_program(space, goal, delta):
    rng = np.random.default_rng(7)
    given = LossMatrix(rng.integers(0, 9, (space.size, 4)) / 8)
    chances = [Fraction(k + 1) for k in range(space.size)]
    prior = Prior(tuple(p / sum(chances) for p in chances))
    level = Level.ratio(2, delta)
    found = design(space, level, prior=uniform if goal is Goal.WORST else prior, loss=given,
                   goal=goal, outputs=tuple("wxyz"), construction="optimal")
    best = least_loss(
        factors(space, 2.0, float(delta) > 0), given.values,
        prior=None if goal is Goal.WORST else prior.on(space), delta=float(delta),
    )
    assert found.value == pytest.approx(best, rel=1e-5, abs=1e-7)
    assert found.bound <= best + 1e-7
    assert found.gap < 1e-5


def test_a_prior_may_leave_out_a_component():
    space = SPACES[0]
    half = Fraction(1, 2)
    prior = Prior((Fraction(0),) * 3 + (half, half, Fraction(0)))
    found = design(space, Level.ratio(3), prior=prior, loss=binary, construction="optimal")
    assert found.value == pytest.approx(1 / 4, rel=1e-6)  # randomized response on d and e


def random_components(sizes):
    """Paths side by side, with a prior that leaves no symmetry."""
    ends = np.cumsum(sizes).tolist()
    edges = [(i, i + 1) for i in range(ends[-1] - 1) if i + 1 not in ends]
    prior = np.random.default_rng(3).dirichlet(np.ones(ends[-1]))
    return {"space": graph(range(ends[-1]), edges), "epsilon": Level.epsilon("0.5"), "prior": prior,
            "loss": LossMatrix(np.abs(np.subtract.outer(*[np.arange(ends[-1])] * 2)))}


def test_components_share_the_time_that_is_allowed(monkeypatch):
    given, whole = [], minimum.solve_cone

    def timed(problem, effort):
        given.append((problem.space.size, effort.seconds))
        return whole(problem, replace(effort, seconds=60.0))

    monkeypatch.setattr(minimum, "solve_cone", timed)
    found = min_loss_given_level(**random_components([10, 5, 5]), effort=Effort(seconds=90.0))
    assert [size for size, _ in given] == [10, 5, 5]
    assert given[0][1] == pytest.approx(60, abs=1)  # by squares, of what is left
    assert given[1][1] == pytest.approx(45, abs=9)
    assert given[2][1] == pytest.approx(90, abs=18)
    assert found.statistics["finished"]
    assert found.statistics["iterations"] > 10
    assert standing_of(found).startswith("optimal within ")
    assert 0 <= found.gap < 1e-6


def test_an_open_gap_on_components_says_why():
    found = min_loss_given_level(**random_components([6] * 2), effort=Effort(gap=0.0))
    assert found.statistics["exhausted"]
    assert standing_of(found, 0.0).endswith("(the search stopped at the end of its digits)")


def test_after_ctrl_c_no_further_component_is_searched():
    seen = []

    def watch(step, value, bound):
        seen.append(step)
        if len(seen) == 3:
            raise KeyboardInterrupt

    found = min_loss_given_level(**random_components([20] * 3), effort=Effort(watch=watch))
    assert seen == [1, 2, 3]
    assert not found.statistics["finished"]
    assert standing_of(found).endswith("(the search stopped before its end)")
    assert found.bound <= found.value


@pytest.mark.parametrize("goal", list(Goal))
def test_a_design_on_components_travels_with_its_proof(goal, tmp_path):
    found = design(SPACES[0], Level.ratio(2), loss=binary, goal=goal)
    data = render(compose(found.certified, optimality=optimality_of(found)))
    code, report = receipt_says(data, tmp_path)
    assert (library_says(data), code) == (HOLDS, HOLDS)
    assert report["optimality"]["holds"] is True
    assert prove_optimality(read(data)).supports(read(data).optimality)


@pytest.mark.parametrize("space", SPACES)
def test_what_does_not_apply_to_components_says_so(space):
    rows = {row.construction: row for row in compare(space, Level.ratio(2)).rows}
    assert rows["optimal"].solution is not None
    assert rows["exponential"].solution is not None
    for name, row in rows.items():
        if row.solution is None:
            assert row.reason.endswith("."), name
    assert "all finite" in rows["tight"].reason
    assert "equally far apart" in rows["randomized-response"].reason


@pytest.mark.parametrize("ask", [
    lambda space: smallest_level_for(space, Fraction(1), Fraction(1, 10)),
    lambda space: packing_bound(space, Fraction(1), Fraction(1, 10)),
    lambda space: exponential_bounds(space, Fraction(1), Fraction(1, 10)),
    lambda space: regular_bounds(space, Level.ratio(2)),
    lambda space: regularity(space, Level.ratio(2)),
    lambda space: most_leakage(space, Level.ratio(2)),
    thresholds,
])
@pytest.mark.parametrize("space", [
    *SPACES, graph("abcd", [(0, 1), (1, 2), (0, 2)]), product(path(0, 1), SPACES[1])
])
def test_what_looks_at_the_whole_space_refuses_components(ask, space):
    with pytest.raises(BadSpace, match="no path joins"):
        ask(space)
    with pytest.raises(Infeasible, match="distances that are all finite"):
        tight_constraints(space, Level.ratio(2))


@pytest.mark.parametrize("harder", [0, 1])
def test_the_worst_component_proves_the_bound_wherever_it_stands(harder):
    """Two answers, e^ε = 2: an input is missed with 1/3, and a miss costs 9 in one component."""
    losses = np.tile(1 - np.eye(2), (2, 1))
    losses[2 * harder : 2 * harder + 2] *= 9
    found = design(graph("abcd", [(0, 1), (2, 3)]), Level.ratio(2), loss=LossMatrix(losses),
                   goal=Goal.WORST, outputs=("x", "y"), construction="optimal")
    assert found.value == pytest.approx(3, rel=1e-6)
    assert found.bound == pytest.approx(3, rel=1e-6)
