"""What is offered for a query on datasets, against plain definitions and plain programs."""

import random
from fractions import Fraction

import numpy as np
import pytest

from tests.crosschecks.plain_programs import distances, least_loss
from tests.privacy.brute import has_level, lengths_of
from tightrope import Level, compare, design, load, save
from tightrope.constructions import QUERIES
from tightrope.errors import BadInput, Infeasible
from tightrope.files import read_query as query
from tightrope.spaces import categories, graph, matrix, parse, path
from tightrope.theory import induced_query
from tightrope.utility import Problem

ELSEWHERE = {"k-norm", "k-norm-nominal", "sanitized", "sanitized-remapped"}
"""Vectors of values, and datasets that are rows of values, are what these need."""
CUBE = parse("hamming:values=2,people=3")
SKEWED = {x: (x[0] + x[1]) * (1 + x[2]) for x in CUBE.points}


def random_graph_query(seed):
    rng = random.Random(seed)
    size = rng.randint(4, 7)
    edges = [(rng.randrange(k), k) for k in range(1, size)]
    edges += [tuple(rng.sample(range(size), 2)) for _ in range(2)]
    space = graph([f"x{k}" for k in range(size)], edges)
    values = [rng.randint(0, 6) for _ in range(size - 1)]
    return space, [*values, 7 if 7 not in values else 8]


def least_average(space, ratio, losses):
    factors = float(ratio) ** distances(space)
    return least_loss(factors, losses, prior=np.full(space.size, 1 / space.size))


def rows_of(mechanism):
    return [mechanism.row_at(i) for i in range(mechanism.space.size)]


@pytest.mark.parametrize("seed", range(4))
def test_every_construction_has_its_level_and_none_beats_the_bound(seed):
    space, values = random_graph_query(seed)
    level = Level.ratio(3)
    found = compare(space, level, query=values)
    truths = dict(zip(space.points, values, strict=True))
    losses = [[abs(truths[x] - z) for z in found.problem.answers] for x in space.points]
    plain = least_average(space, 3, losses)
    assert found.bound == pytest.approx(plain, rel=1e-5)
    assert {row.construction for row in found.rows if row.solution is None} <= ELSEWHERE
    lengths = lengths_of(space)
    for one in found.solutions:
        rows = rows_of(one.mechanism)
        assert has_level(rows, lengths, level)
        error = sum(float(p) * cost for row, costs in zip(rows, losses, strict=True)
                    for p, cost in zip(row, costs, strict=True)) / space.size
        assert one.value == pytest.approx(error)
        assert one.value >= plain * (1 - 1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_calibrated_is_at_the_level_where_it_can_be_and_never_loses_to_itself_nominal(seed):
    space, values = random_graph_query(10 + seed)
    found = {row.construction: row.solution
             for row in compare(space, 1, query=values).rows if row.solution}
    for name in ("utility-first", "inverse-sensitivity", "ladder", "exponential-on-values"):
        calibrated, nominal = (found[key].certified.certificate.smallest.upper
                               for key in (name, f"{name}-nominal"))
        assert nominal <= calibrated <= 1
        assert calibrated == pytest.approx(1, abs=1e-6)


def test_parameters_that_were_found_can_be_typed_again():
    for row in compare(CUBE, 1, query=SKEWED).rows:
        if row.solution is not None and row.parameters is not None:
            again = design(CUBE, 1, query=SKEWED, construction=row.solution.construction)
            assert again.construction == row.solution.construction
            assert again.mechanism == row.solution.mechanism


def test_theorem_2_weighs_answers_by_how_many_people_must_change():
    found = design(CUBE, Level.ratio(4), query=sum, construction="inverse-sensitivity-nominal")
    weights = [Fraction(1, 2**k) for k in range(4)]  # e^(ε/2) = 2
    assert found.mechanism.row((0, 0, 0)) == tuple(w / sum(weights) for w in weights)


def test_gamma_widens_the_first_stair():
    space, values = path(0, 2), [0, 4, 8]
    made = design(space, Level.ratio(4), query=query(space, path(0, 8), dict(enumerate(values))),
                  construction="stairs-nominal:gamma=1")
    # from 0: distances up to 1, 5, 9 are stairs 0, 1, 2
    weights = [Fraction(1, 2**k) for k in (0, 0, 1, 1, 1, 1, 2, 2, 2)]
    assert made.mechanism.row(0) == tuple(w / sum(weights) for w in weights)


def test_preferred_answers_are_dearer_elsewhere_by_the_penalty():
    made = design(path(0, 1), Level.ratio(4), query=[0, 1],
                  construction="preferring-privacy-nominal:radius=0,set=1,penalty=1")
    # outside {1} the index grows by 1: row 0 has indices 1 and 1, row 1 has 2 and 0
    assert made.mechanism.row(0) == (Fraction(1, 2), Fraction(1, 2))
    assert made.mechanism.row(1) == (Fraction(1, 5), Fraction(4, 5))


def test_a_radius_for_each_dataset_is_no_worse_than_a_common_one():
    space, values = random_graph_query(21)
    common, own = (design(space, 1, query=values, construction=name)
                   for name in ("privacy-first", "privacy-first:radius=each"))
    assert own.value <= common.value * (1 + 1e-6)
    again = design(space, 1, query=values, construction=own.construction)
    assert again.mechanism == own.mechanism
    with pytest.raises(BadInput, match="at most 64 datasets"):
        design("path:0..99", 1, query=lambda x: x, construction="privacy-first:radius=each")


def test_without_a_penalty_theorems_5_and_6_are_4_and_3():
    for plain, preferring in (("utility-then-privacy", "preferring-utility"),
                              ("privacy-first", "preferring-privacy")):
        one = design(CUBE, 1, query=SKEWED, construction=f"{plain}:radius=1")
        other = design(CUBE, 1, query=SKEWED,
                       construction=f"{preferring}:radius=1,set=0/2,penalty=0")
        assert one.mechanism == other.mechanism
        tuned = design(CUBE, 1, query=SKEWED, construction=preferring)
        assert tuned.value <= design(CUBE, 1, query=SKEWED, construction=plain).value * (1 + 1e-6)


def test_the_norm_of_the_hull_is_least_where_changes_are_skew():
    skew = query(CUBE, "euclidean", lambda x: (x[0] + x[1] + x[2], x[0] + x[1]))
    names = ("hull", "sum", "largest")
    losses = {name: design(CUBE, 1, query=skew, construction=f"k-norm:norm={name}").value
              for name in names}
    assert losses["hull"] < min(losses["sum"], losses["largest"])
    assert design(CUBE, 1, query=skew, construction="k-norm").construction == "k-norm:norm=hull"


def test_a_base_measure_weighs_the_answers():
    f = query(path(0, 1), None, [0, 1], {0: 3, 1: 1})
    made = design(path(0, 1), Level.ratio(4), query=f,
                  construction="exponential-on-values-nominal")
    assert made.mechanism.row(0) == (Fraction(6, 7), Fraction(1, 7))
    assert made.mechanism.row(1) == (Fraction(3, 5), Fraction(2, 5))


def test_datasets_that_no_path_joins_are_told_apart_for_nothing():
    space = graph("abuv", [(0, 1), (2, 3)])
    found = compare(space, Level.ratio(2), query={"a": 0, "b": 1, "u": 50, "v": 50})
    by_name = {row.construction: row.solution for row in found.rows}
    # a and b are a randomized response, u and v are told as they are
    assert found.bound == pytest.approx(2 * (1 / 3) / 4)
    for name in ("inverse-sensitivity", "ladder"):
        assert by_name[name].mechanism.row("u") == (0, 0, 1)
        assert by_name[name].value == pytest.approx(found.bound, rel=1e-6)


def test_what_sees_the_value_alone_is_the_optimum_on_the_induced_space():
    f = induced_query(CUBE, SKEWED)
    chances = {v: Fraction(sum(SKEWED[x] == v for x in CUBE.points), 8) for v in f.codomain.points}
    there = design(f.codomain, 1, prior=chances, loss=lambda x, z: abs(x - z),
                   construction="optimal")
    here = design(CUBE, 1, query=SKEWED, construction="optimal-on-values")
    assert here.value == pytest.approx(there.value, rel=1e-5)
    best = design(CUBE, 1, query=SKEWED)
    assert best.construction == "optimal"
    assert best.value < here.value - 0.01  # the dataset itself is worth something


def test_a_distortion_need_not_be_a_metric():
    # to say 2 for 0 costs 1, to say 0 for 2 costs 9, and neither is zero on its own
    costs = [[0, 4, 1], [2, 0, 2], [9, 3, 0]]
    found = compare(path(0, 2), Level.ratio(2), query=[0, 1, 2], loss=costs)
    plain = least_average(path(0, 2), 2, costs)
    assert found.bound == pytest.approx(plain, rel=1e-5)
    made = design(path(0, 2), Level.ratio(4), query=[0, 1, 2], loss=costs,
                  construction="privacy-first-nominal:radius=1")
    # answer 2 is within 1 of dataset 0: nearest datasets are 0, 1, 0 steps away for it
    assert made.mechanism.row(0) == (Fraction(2, 5), Fraction(1, 5), Fraction(2, 5))


def test_distances_other_than_1_are_kept_exactly():
    space = matrix("abc", [["0", "1/2", "2"], ["1/2", "0", "3/2"], ["2", "3/2", "0"]])
    level = Level.epsilon(1)
    found = compare(space, level, query={"a": 0, "b": 1, "c": 3})
    for row in found.rows:
        if row.solution is None:
            assert row.construction.endswith("-nominal") or row.construction in ELSEWHERE
        else:
            assert has_level(rows_of(row.solution.mechanism), lengths_of(space), level)


def test_values_may_be_points_of_any_space_and_outputs_a_part_of_them():
    f = query(path(0, 2), categories(["low", "mid", "high"]), ["low", "mid", "high"])
    found = compare(path(0, 2), 1, query=f, outputs=["low", "high"])
    assert tuple(found.solutions[0].mechanism.outputs) == ("low", "high")
    assert found.problem.loss.name == "distance"
    with pytest.raises(BadInput, match="not a point"):
        compare(path(0, 2), 1, query=f, outputs=["lowest"])


def test_closeness_is_to_the_value_and_not_to_the_dataset():
    found = design(path(0, 1), Level.ratio(3), query={0: 1, 1: 0}, construction="optimal")
    assert float(found.closeness.worst.share) == pytest.approx(3 / 4, abs=1e-6)
    line = design(path(0, 2), Level.ratio(10**6), query=[0, 5, 100])
    assert line.closeness.worst.radius.rational == 0


def test_a_saved_optimum_is_proved_again(tmp_path):
    found = design(CUBE, 1, query=SKEWED)
    save(found, tmp_path / "m.json")
    assert load(tmp_path / "m.json").mechanism == found.mechanism


@pytest.mark.parametrize("entry", QUERIES[1:], ids=lambda entry: entry.name)
def test_without_a_query_it_says_what_it_needs(entry):
    assert "query" in entry.obstacle(Problem("path:0..3", 1))
    with pytest.raises(Infeasible, match="query"):
        design("path:0..3", 1, construction=entry.name)


@pytest.mark.parametrize(("text", "told"), [
    ("ladder:radius=1", "no parameters"),
    ("stairs:width=1", "the parameters gamma"),
    ("stairs:gamma", "gamma=…"),
    ("stairs:gamma=7", "from 0 to below the sensitivity"),
    ("stairs:gamma=x", "gamma as a number"),
    ("privacy-first:radius=1,radius=2", "each once"),
    ("privacy-first:radius=-1", "at least 0"),
    ("privacy-first:radius=1/2/3", "expected one radius, or 8"),
    ("preferring-privacy:set=99", "not a point"),
    ("k-norm:norm=other", "norm=sum, largest or hull"),
    ("stair:gamma=1", "no construction"),
])
def test_wrong_parameters_are_refused_in_one_sentence(text, told):
    asked = query(CUBE, "euclidean", lambda x: (x[0], x[1])) if "k-norm" in text else SKEWED
    with pytest.raises(BadInput, match=told) as caught:
        design(CUBE, 1, query=asked, construction=text)
    assert str(caught.value).count("\n") == 0


@pytest.mark.filterwarnings("error")
def test_levels_near_the_end_of_doubles_are_calibrated_without_overflow():
    """All three answers within the radius of all: a level of 0, whatever the root."""
    asked = query(path(0, 2), path(0, 2), lambda x: x)
    found = compare("path:0..2", 50, query=asked, loss="absolute")
    names = {row.construction for row in found.rows if row.solution is not None}
    assert {"privacy-first", "ladder", "optimal", "utility-then-privacy"} <= names
    wide = design("path:0..2", 600, query=asked, construction="privacy-first:radius=2")
    assert wide.certified.certificate.smallest.upper == 0
    each = design("path:0..2", 300, query=asked, construction="privacy-first:radius=each")
    assert each.value < 1e-100


def test_levels_beyond_doubles_have_no_sets_and_say_so():
    asked = query(path(0, 2), path(0, 2), lambda x: x)
    with pytest.raises(Infeasible, match="up to ε = 600"):
        design("path:0..2", 2000, query=asked, construction="ladder")
