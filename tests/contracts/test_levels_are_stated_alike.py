"""A level is stated alike wherever a public name takes one: `epsilon=`, a `Level` or `ratio=`."""

import inspect
from itertools import count
from operator import attrgetter

import numpy as np
import pytest

import tightrope as tr
from tightrope.ledger import Budget, Scope
from tightrope.surveys import warner

SPACE = "path:0..3"
HELD = tr.constructions.truncated_geometric(SPACE, "ln(3/2)").mechanism
AT_TWO = tr.constructions.truncated_geometric(SPACE, "ln(2)").mechanism
SEQUENCES = tr.constructions.privacy_first(tr.files.read_query(SPACE, SPACE, lambda x: x))
TRIANGLE = tr.spaces.Network(4, [0, 0, 1], [1, 2, 2])
PEOPLE = {"age": [31, 40, 28], "sex": ["f", "m", "f"]}
AGES = {"low": 0, "high": 50}
RECORDS = {"size": 3, "low": 0, "high": 9}
CURVE = {"people": 3, "low": 0, "high": 1}
FRESH = count()

SEVERAL = {"tradeoff", "privacy.sequential", "privacy.parallel"}  # each takes a list of levels
DECIMALS = {"plan"}  # a total is divided into decimals, so no ratio states it
OPTIONAL = {"documents.review", "theory.accuracy", "surveys.plan_survey", "surveys.create_survey"}


def level_proved(name, *given):
    """A call whose result is proved at the level."""
    return lambda **level: attrgetter(name)(tr)(*given, **level).certificate.level


def whole(name, *given, **named):
    """A call whose result, as a whole, says at which level it is."""
    return lambda **level: attrgetter(name)(tr)(*given, **named, **level)


def level_released(name, *given, **named):
    """A private statistic of people; its level."""
    return lambda **level: attrgetter(name)(tr)(PEOPLE, *given, **named, **level).plan.level


def heat_map(**level):
    account = tr.Ledger.create(f"{next(FRESH)}.sqlite")
    account.open_budget(Budget("2026", Scope("trips", "row", "add-remove"), 2))
    return tr.locations.heat_map(
        {"lon": [-3.7], "lat": [40.4]}, region="-4,40,-3,41", cell="50 km",
        account=account.account("2026"), **level).release.plan.level


def create_survey(**level):
    design = warner("3/5")  # ε = ln(3/2)
    made = tr.surveys.create_survey(f"{next(FRESH)}.json", [("Tax?", design)], links=1, **level)
    return made.survey.questions[0].level


CONSTRUCTIONS = {
    f"constructions.{name}": level_proved(f"constructions.{name}", space)
    for name, space in {
        "truncated_geometric": SPACE, "two_sided_geometric": SPACE, "remapped_geometric": SPACE,
        "exponential": SPACE, "tight_constraints": SPACE, "planar_geometric": "grid:2x2",
        "planar_laplace": "grid:2x2", "integer_staircase": "sum:people=3,max=2",
        "randomized_response": "categories:3", "subset_selection": "categories:4",
        "unary_encoding": "categories:3",
    }.items()
}
CALLS = CONSTRUCTIONS | {
    "constructions.tight_weights": lambda **level: (
        tr.constructions.tight_weights(SPACE, **level).each),
    "constructions.staircase": whole("constructions.staircase", 1),
    "constructions.compare_protocols": whole("constructions.compare_protocols", 9),
    "constructions.best_randomizer": lambda **level: (
        tr.constructions.best_randomizer("categories:2", **level).certified.certificate.level),
    "constructions.worst_case_randomizer": lambda **level: (
        tr.constructions.worst_case_randomizer("categories:2", **level)
        .certified.certificate.level),
    "surveys.best_design": lambda **level: (
        tr.surveys.best_design("ab", **level).randomizer.certified.certificate.level),
    "surveys.plan_aim": lambda **level: (
        tr.surveys.plan_aim("ab", **level).best.randomizer.certified.certificate.level),
    "constructions.choose_by_score": lambda **level: (
        tr.constructions.choose_by_score("path:0..1", [[1, 0], [0, 1]], **level)
        .certified.certificate.level),
    "constructions.min_loss_given_level": lambda **level: (
        tr.constructions.min_loss_given_level("categories:2", **level).problem.level),
    "constructions.calibrate": lambda **level: (
        tr.constructions.calibrate(SEQUENCES, **level).target),
    "design": lambda **level: tr.design(SPACE, **level).problem.level,
    "compare": lambda **level: tr.compare("categories:2", **level).solutions[0].problem.level,
    "improve": lambda **level: tr.improve(HELD, **level).after.problem.level,
    "verify": lambda **level: tr.verify(HELD, SPACE, **level).level,
    "certify": level_proved("certify", HELD, SPACE),
    "privacy.repair": lambda **level: (
        tr.privacy.repair(HELD, SPACE, **level).certified.certificate.level),
    "privacy.certified": level_proved("privacy.certified", HELD),
    "privacy.promise": whole("privacy.promise", space=SPACE),
    "privacy.group": whole("privacy.group", size=2),
    "privacy.tightness": whole("privacy.tightness", AT_TWO, SPACE),
    "privacy.row_graphs": whole("privacy.row_graphs", AT_TWO, SPACE),
    "documents.review": lambda **level: tr.documents.review(HELD, **level).level,
    "kernels.regularity": lambda **level: tr.kernels.regularity(SPACE, **level).gain,
    "utility.dobrushin_optimum": whole("utility.dobrushin_optimum", 3),
    "theory.max_measure_given_level": lambda **level: (
        tr.theory.max_measure_given_level("categories:3", measure="dobrushin", **level).value),
    "theory.accuracy": lambda **level: (
        tr.theory.accuracy("categories:3", 0, "1/5", **level).level),
    "theory.least_overlap": whole("theory.least_overlap", SPACE),
    "theory.median": whole("theory.median", **RECORDS),
    "theory.quantile": whole("theory.quantile", **RECORDS, rank=1),
    "theory.mode": whole("theory.mode", **RECORDS),
    "theory.judge_prior": lambda **level: tr.theory.judge_prior("categories:2", **level).level,
    "theory.most_leakage": whole("theory.most_leakage", SPACE),
    "theory.generalize": lambda **level: (
        tr.theory.generalize(HELD, **level).certified.certificate.level),
    "theory.linear_noise": whole("theory.linear_noise", [(0, 1)]),
    "theory.noise": lambda **level: tr.theory.noise("[1, 2]", **level).level,
    "curves.curve": lambda **level: (
        tr.curves.curve(np.eye(3), **CURVE, **level).plan.level),
    "curves.plan_curve": lambda **level: tr.curves.plan_curve(2, **CURVE, **level).level,
    "locations.heat_map": heat_map,
    "networks.release_count": lambda **level: (
        tr.networks.release_count(TRIANGLE, "edges", **level).level),
    "networks.release_degrees": lambda **level: (
        tr.networks.release_degrees(TRIANGLE, max_degree=2, **level).level),
    "surveys.plan_survey": lambda **level: tr.surveys.plan_survey(**level).level,
    "surveys.create_survey": create_survey,
    "tables.protect": lambda **level: tr.tables.protect({"sex": "f/m"}, **level)[0].level,
    "sanitize": lambda **level: tr.sanitize(PEOPLE, {"sex": "f/m"}, **level).level,
    "count": level_released("count"),
    "sum": level_released("sum", "age", **AGES),
    "mean": level_released("mean", "age", **AGES),
    "variance": level_released("variance", "age", **AGES),
    "median": level_released("median", "age", **AGES),
    "quantiles": level_released("quantiles", "age", [0.5], **AGES),
    "histogram": level_released("histogram", "sex", values=["f", "m"]),
    "proportion": level_released("proportion", "age > 30"),
}


def public_functions():
    """Every function of the top level and of the rooms, by what is typed after `tr.`."""
    names = [*tr.__all__, *(f"{room}.{name}" for room, listed in tr.ROOMS.items()
                            for name in listed.split())]
    values = {name: attrgetter(name)(tr) for name in names}
    return {name: value for name, value in values.items() if inspect.isfunction(value)}


def takers():
    """The public functions that take one level, with their parameters."""
    parameters = {name: inspect.signature(value).parameters
                  for name, value in public_functions().items()}
    return {name: given for name, given in parameters.items()
            if "epsilon" in given and name not in DECIMALS}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_level_has_no_other_name():
    for name, function in public_functions().items():
        kinds = {part: str(kind) for part, kind in inspect.get_annotations(function).items()
                 if part != "return"}
        levels = {part for part, kind in kinds.items() if "Level" in kind or part == "level"}
        assert name in SEVERAL or levels <= {"epsilon"}, name


def test_whoever_takes_epsilon_takes_ratio_by_its_name():
    for name, parameters in takers().items():
        assert parameters["epsilon"].default is None, name
        assert "ratio" in parameters, name
        assert parameters["ratio"].default is None, name
        assert parameters["ratio"].kind is inspect.Parameter.KEYWORD_ONLY, name


def test_every_public_name_that_takes_a_level_is_called_here():
    assert set(CALLS) == set(takers())


@pytest.mark.parametrize("name", CALLS)
def test_the_three_ways_state_the_same_level(name):
    call = CALLS[name]
    by_ratio = call(ratio=2)
    assert call(epsilon="ln(2)") == by_ratio
    assert call(epsilon=tr.Level.ratio(2)) == by_ratio
    assert call(ratio=3) != by_ratio


@pytest.mark.parametrize("name", CALLS)
def test_a_level_that_is_stated_twice_is_refused_in_one_sentence(name):
    with pytest.raises(tr.errors.BadInput, match=r"^state a privacy level once: [^.\n]+\.$"):
        CALLS[name](epsilon="ln(2)", ratio=2)


@pytest.mark.parametrize("name", sorted(CALLS.keys() - OPTIONAL))
def test_a_level_that_is_not_stated_is_asked_for_in_one_sentence(name):
    with pytest.raises(tr.errors.BadInput, match=r"^state a privacy level: \S[^\n]+\.$"):
        CALLS[name]()


@pytest.mark.parametrize("name", [name for name, given in takers().items()
                                  if "delta" in given and name != "theory.linear_noise"])
def test_a_delta_stands_beside_either_and_never_alone(name):
    call = CALLS[name]
    both = call(ratio=2, delta="0.1")
    assert call(epsilon=tr.Level.ratio(2, "0.1")) == call(epsilon="ln(2)", delta="0.1") == both
    assert call(ratio=2) != both
    with pytest.raises(tr.errors.BadInput, match="state a privacy level"):
        call(delta="0.1")
