"""Every construction of the catalog, on every space where it applies, at every kind of level."""

from fractions import Fraction

import pytest

from tests.privacy.brute import has_level, lengths_of
from tightrope.constructions import CATALOG, ORDINARY, design
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.mechanisms import NoiseMechanism
from tightrope.privacy import Certificate, verify
from tightrope.spaces import (
    categories,
    complete,
    counts,
    cycle,
    graph,
    grid,
    hamming,
    histogram,
    matrix,
    path,
    points,
    product_max,
    product_sum,
    sets,
    star,
    sums,
)
from tightrope.utility import Problem, binary, expected_loss, uniform, worst_loss

SPACES = [
    path(0, 1), path(0, 5), path(-3, 2), categories(2), categories(5),
    categories(["red", "green", "blue"]), complete(3), cycle(3), cycle(5), star(1), star(4),
    hamming(values=2, people=2), sets(3), sums(people=2, maximum=2), counts(people=1, queries=2),
    histogram(people=2, cells=2), histogram(people=1, cells=2, neighbors="add-remove"),
    grid((2, 2)), grid((2, 3), "1/2", "manhattan"), grid((2, 2), "1/3", "chebyshev"),
    graph("abcd", [(0, 1, "1/2"), (1, 2, "3/2"), (2, 3, "1"), (0, 3, "5/2")]),
    matrix("xyz", [["0", "2", "2"], ["2", "0", "2"], ["2", "2", "0"]]),
    matrix("xyz", [["0", "1", "5/3"], ["1", "0", "2"], ["5/3", "2", "0"]]),
    points("abc", [("0", "0"), ("1", "2"), ("0.5", "3")]),
    product_sum(path(0, 1), categories(2)), product_max(path(0, 2), star(1)),
]
LEVELS = [
    Level.epsilon("0.1"), Level.epsilon("0.5"), Level.epsilon(3), Level.epsilon("1e-5"),
    Level.epsilon(60), Level.ratio(2), Level.ratio("3/2"), Level.parse("ln(2)/3"),
    Level.ratio("1.0001"),
]


def solved_or_disproved(entry, space, level):
    """The solution; None if the entry does not exist at this level and says so with a proof."""
    try:
        return entry.solve(Problem(space, level, loss=binary), ORDINARY)
    except Infeasible as absent:
        if absent.proof is None or not str(absent).endswith("."):
            raise
        return None


@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.name)
@pytest.mark.parametrize("space", SPACES, ids=lambda space: f"{space.text}-{space.size}")
def test_an_entry_builds_a_private_mechanism_or_says_why_not(entry, space):
    obstacle = entry.obstacle(Problem(space, Level.ratio(2)))
    if obstacle is not None:
        assert obstacle.endswith(".")
        assert "\n" not in obstacle
        with pytest.raises(Infeasible) as caught:
            design(space, Level.ratio(2), construction=entry.name)
        assert obstacle in str(caught.value)
        return
    levels = [held for held in LEVELS if entry.obstacle(Problem(space, held)) is None]
    for level in levels:
        solution = solved_or_disproved(entry, space, level)
        if solution is None:
            continue
        mechanism = solution.certified.mechanism
        assert mechanism.space == space
        found = verify(mechanism, space, level)
        assert isinstance(found, Certificate), f"{entry.name} at {level.text}: {found}"
        assert found.smallest.lower >= 0
        assert Fraction(found.smallest.lower) <= Fraction(found.smallest.upper)
        assert 0 < expected_loss(mechanism, prior=uniform, loss=binary) < 1
        assert 0 < worst_loss(mechanism, loss=binary) <= 1  # an output may be missing
        if isinstance(mechanism, NoiseMechanism):
            continue
        assert tuple(mechanism.outputs) == tuple(space.points)
        if solution.bound is not None:
            assert solution.bound <= solution.value
            # losses far below the unit are beyond what doubles can bound relatively
            assert solution.value - solution.bound <= ORDINARY.gap * max(solution.value, 1e-6)
        rows = [mechanism.row_at(i) for i in range(space.size)]
        assert all(sum(law) == 1 for law in rows)
        assert all(len({p > 0 for p in column}) == 1 for column in zip(*rows, strict=True))
        assert has_level(rows, lengths_of(space), level)


def test_names_are_distinct_and_reasons_are_sentences_without_a_stop():
    names = [entry.name for entry in CATALOG]
    assert len(set(names)) == len(names)
    for entry in CATALOG:
        assert entry.reason
        assert not entry.reason.endswith(".")


@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.name)
def test_every_entry_applies_somewhere_and_not_everywhere_without_reason(entry):
    verdicts = [entry.obstacle(Problem(space, Level.ratio(2))) for space in SPACES]
    assert None in verdicts
    huge = hamming(values=10, people=9)
    refused = entry.obstacle(Problem(huge, Level.ratio(2))) is not None
    assert refused or huge.size > entry.limit


@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.name)
def test_a_stronger_level_never_loses_less(entry):
    space = next(
        space
        for space in SPACES
        if space.size > 2 and entry.obstacle(Problem(space, Level.ratio(2))) is None
    )
    losses = [
        entry.solve(Problem(space, epsilon, loss=binary), ORDINARY).value
        for epsilon in ("0.1", "0.5", "1", "2", "5")
    ]
    assert losses == sorted(losses, reverse=True)
