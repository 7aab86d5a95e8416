"""Where a choice is asked for, its text means the same as the member, and a typo is refused.

Every public callable with an enum among its parameters is tried; a new one fails until it is.
"""

import importlib
import inspect
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from tests.architecture.source import modules
from tightrope import curves, declarations, locations, networks, spaces, surveys
from tightrope.choices import (
    Blur,
    CellBlur,
    Cost,
    Count,
    Directed,
    Estimand,
    Estimator,
    Goal,
    Interval,
    Measure,
    Method,
    Missing,
    Protect,
    Reporting,
    Shape,
    Split,
    Trend,
    Unusable,
    member_of,
)
from tightrope.constructions import (
    FrequencyProtocol,
    compare,
    design,
    family_pieces,
    improve,
    min_level_given_loss,
    min_loss_given_level,
    reporting,
    tradeoff,
    value_pieces,
)
from tightrope.declarations import Compared, Neighbors, NumberColumn, Unit
from tightrope.declarations.periods import Period
from tightrope.declarations.readings import Sign
from tightrope.documents import Optimality
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.locations.blurring import Handling
from tightrope.mechanisms import (
    GlobalCount,
    KernelMechanism,
    LadderCount,
    PrivacyFirstCount,
    SmoothCount,
    SubsetMechanism,
)
from tightrope.networks.degrees import degree_mechanism
from tightrope.networks.methods import count_mechanism, method_for
from tightrope.privacy import Certificate, Evidence, certified
from tightrope.samplers import SeededSource
from tightrope.spaces import (
    Combine,
    Graphs,
    Metric,
    Network,
    Product,
    categories,
    grid,
    largest_cut_count,
    node_sensitivity,
    path,
    query,
    steps_to_counts,
)
from tightrope.spaces.products import product
from tightrope.spaces.small_graphs import all_counts
from tightrope.surveys.planning import smallest_plan
from tightrope.tables import (
    NodeSet,
    cross_table,
    estimate_aim,
    estimate_aims,
    estimate_column,
    estimate_columns,
    plan_sanitizing,
    protect,
    read_edges,
    sanitize,
)
from tightrope.theory import max_measure_given_level, noise
from tightrope.utility import (
    Aim,
    Prior,
    Problem,
    Query,
    Tally,
    absolute,
    divide,
    estimate,
    estimate_items,
    estimate_joint,
    estimate_queries,
    estimate_reports,
    estimate_sampled,
    generic_value,
)

RING = Network(6, np.arange(5), np.arange(1, 6))
TWO = Level.ratio(2)
HALVES = Prior([Fraction(3, 4), Fraction(1, 8), Fraction(1, 8)])
F = query(path(0, 2), path(0, 4), lambda x: x * x)
TWO_COLUMNS = {"a": ["0", "1"], "b": ["1", "1"]}
RESPONSE = KernelMechanism(categories(2), Fraction(3), Fraction(1), (1, 1))
WARNER = surveys.warner("3/4")
EDGES = (Fraction(0), Fraction(1), Fraction(2))


def study_question(kind):
    """A question of a study of this kind."""
    second = surveys.SecondQuestion("Born in May?", Fraction(1, 5), Fraction(1, 4))
    given = {"numeric": {"bins": surveys.Bins(EDGES)}, "crosswise": {"second": second},
             "unrelated": {"second": second}}.get(str(kind), {})
    return surveys.StudyQuestion("Ever?", kind=kind, **given)


TALLY = Tally.of([60, 40])
ITEMS = KernelMechanism(importlib.import_module("tightrope.spaces").sets(1), Fraction(3),
                        Fraction(1), (1, 1))


class EmptyStore:
    """A survey without answers."""

    closed = False

    def answers(self):
        return []

    def links(self):
        return {}


class NoSurvey:
    """A survey without questions."""

    title = "None"
    groups = ()
    questions = ()


def survey_results(interval):
    with TemporaryDirectory() as place:
        made = surveys.create_survey(Path(place, "s.json"), [("Ever?", WARNER)])
        return surveys.results(made.file, interval=interval).findings


def released(count, method, chosen="edges", directed=None):
    """A count of six nodes, two edges between them in a file."""
    with TemporaryDirectory() as place:
        edges = Path(place, "path.csv")
        edges.write_text("1,2\n2,3\n")
        return networks.release_edges(
            edges, NodeSet.between(1, 6), count, TWO, method=method, source=SeededSource(3),
            protect=chosen, max_degree=2 if count == "degrees" else None, directed=directed,
        )


CURVES = {"people": 2, "low": 0, "high": 9}

ASK = {
    (max_measure_given_level, "measure"): lambda measure: max_measure_given_level(
        "path:0..1", TWO, measure).value,
    (Problem, "goal"): partial(Problem, path(0, 2), TWO, HALVES, absolute),
    (improve, "goal"): lambda goal: improve(RESPONSE, TWO.scaled(2), goal=goal).after.value,
    (family_pieces, "goal"): lambda goal: [
        str(form) for form in family_pieces("categories:N", upto=4, goal=goal).forms],
    (value_pieces, "goal"): lambda goal: [
        str(piece) for piece in value_pieces("path:0..1", goal=goal).pieces],
    (declarations.TimeColumn, "clock"): lambda clock: declarations.TimeColumn(
        *("00:00:00", "09:00:00") if clock in ("time", declarations.Clock.TIME) else (
            "2024-01-01", "2024-03-01"), clock=clock).high,
    (declarations.PeriodColumn, "period"): lambda period: declarations.PeriodColumn(
        "t", declarations.TimeColumn("2024-01-01 00:00:00", "2024-01-03 00:00:00",
                                     clock="datetime"), period).cells,
    (tradeoff, "goal"): lambda goal: [at.bound for at in tradeoff("path:0..1", [TWO], goal=goal)],
    (min_loss_given_level, "goal"): lambda goal: min_loss_given_level(
        "path:0..2", TWO, prior=HALVES, goal=goal).value,
    (min_level_given_loss, "goal"): lambda goal: min_level_given_loss(
        "path:0..2", "1/5", goal=goal, width=1e-2).level,
    (design, "goal"): lambda goal: design(path(0, 2), TWO, prior=HALVES, goal=goal).value,
    (compare, "goal"): lambda goal: [
        row.solution and row.solution.value
        for row in compare(path(0, 1), TWO, goal=goal).rows
    ],
    (reporting, "protocol"): lambda protocol: reporting(categories(5), TWO, protocol).mechanism,
    (Optimality, "goal"): lambda goal: Optimality(goal, HALVES, absolute, 0.0, 0.0, ()).goal,
    (Certificate, "evidence"): lambda evidence: Certificate(
        TWO, evidence, None, (Fraction(0), Fraction(0)), None, 1, "x"),
    (Product, "combine"): partial(Product, path(0, 1), path(0, 1)),
    (product, "combine"): partial(product, path(0, 1), path(0, 1)),
    (grid, "metric"): partial(grid, (2, 2), 1),
    (estimate, "interval"): lambda chosen: estimate([6, 4], RESPONSE, interval=chosen),
    (estimate, "estimator"): lambda chosen: estimate([6, 4], RESPONSE, estimator=chosen),
    (estimate_reports, "interval"): lambda chosen: estimate_reports(
        [3, 2, 1], 4, SubsetMechanism(categories(3), 1, Fraction(2)), interval=chosen),
    (estimate_reports, "estimator"): lambda chosen: estimate_reports(
        [3, 2, 1], 4, SubsetMechanism(categories(3), 1, Fraction(2)), estimator=chosen),
    (estimate_items, "interval"): lambda chosen: estimate_items(
        [3], 5, ["a"], ITEMS, interval=chosen),
    (estimate_items, "estimator"): lambda chosen: estimate_items(
        [3], 5, ["a"], ITEMS, estimator=chosen),
    (estimate_column, "interval"): lambda chosen: estimate_column(
        ["0", "1"], None, certified(RESPONSE, 2), interval=chosen),
    (estimate_column, "estimator"): lambda chosen: estimate_column(
        ["0", "1"], None, certified(RESPONSE, 2), estimator=chosen),
    **{(estimate_columns, name): lambda chosen, name=name: estimate_columns(
        {"a": ["0", "1"]}, ["a"], {"a": certified(RESPONSE, 2)}, **{name: chosen})
       for name in ("interval", "estimator")},
    **{(cross_table, name): lambda chosen, name=name: cross_table(
        TWO_COLUMNS, ["a", "b"], dict.fromkeys("ab", certified(RESPONSE, 2)), **{name: chosen})
       for name in ("interval", "estimator")},
    **{(estimate_joint, name): lambda chosen, name=name: estimate_joint(
        np.array([[3, 1], [2, 4]]), 10, RESPONSE, RESPONSE, **{name: chosen})
       for name in ("interval", "estimator")},
    **{(estimate_sampled, name): lambda chosen, name=name: estimate_sampled(
        [3, 1], 10, ("a", "b"), RESPONSE, 1, **{name: chosen})
       for name in ("interval", "estimator")},
    (estimate_queries, "interval"): lambda chosen: estimate_queries(
        [3, 7], 10, RESPONSE, [Query("second", (0.0, 1.0))], interval=chosen),
    (estimate_aim, "aim"): lambda chosen: estimate_aim(
        ["0", "1"], "value", chosen, certified(RESPONSE, 2)),
    (estimate_aim, "interval"): lambda chosen: estimate_aim(
        ["0", "1"], "value", mechanism=certified(RESPONSE, 2), interval=chosen),
    (estimate_aims, "aim"): lambda chosen: estimate_aims(
        {"a": ["0", "1"]}, ["a"], chosen, {"a": certified(RESPONSE, 2)}),
    (estimate_aims, "interval"): lambda chosen: estimate_aims(
        {"a": ["0", "1"]}, ["a"], mechanisms={"a": certified(RESPONSE, 2)}, interval=chosen),
    **{(plan_sanitizing, name): lambda chosen, name=name: plan_sanitizing(
        None, {"x": list("abc"), "y": "a/b"}, 1, **{name: chosen})
       for name in ("protocol", "split")},
    (divide, "aim"): lambda chosen: divide([lambda units: 4 / units] * 2, 9, chosen),
    (sanitize, "protocol"): lambda chosen: sanitize(
        ["a"], list("abc"), 60, protocol=chosen).columns[0].protocol,
    (sanitize, "split"): lambda chosen: sanitize(["a"], ["a", "b"], 60, split=chosen).table,
    (sanitize, "missing"): lambda chosen: sanitize(
        ["a"], ["a", "b"], 60, missing=chosen).columns[0].values,
    (protect, "protocol"): lambda chosen: protect({"x": list("abc")}, 1, protocol=chosen),
    (protect, "split"): lambda chosen: protect({"x": "a/b", "y": "a/b/c"}, 1, split=chosen),
    (protect, "missing"): lambda chosen: protect({"x": "a/b"}, 1, missing=chosen),
    (surveys.Bins, "outside"): lambda chosen: surveys.Bins(EDGES, chosen),
    (surveys.Study, "split"): lambda chosen: surveys.Study(
        "T", (surveys.StudyQuestion("Ever?"),), split=chosen),
    (surveys.StudyQuestion, "kind"): lambda chosen: study_question(chosen),
    (surveys.Question, "kind"): lambda chosen: replace(surveys.survey_at(surveys.Study(
        "T", (study_question(chosen),), Level.of(2))).questions[0], kind=chosen),
    (surveys.estimate_answers, "interval"): lambda chosen: surveys.estimate_answers(
        WARNER, TALLY, interval=chosen),
    (surveys.report, "interval"): lambda chosen: surveys.report(
        NoSurvey(), EmptyStore(), interval=chosen).facts().json,
    (surveys.results, "interval"): lambda chosen: survey_results(chosen),
    (surveys.plan_survey, "bound"): lambda bound: surveys.plan_survey(own=WARNER, bound=bound),
    (surveys.expected_margins, "bound"): lambda bound: surveys.expected_margins(
        300, own=WARNER, bound=bound),
    (surveys.plan_study, "bound"): lambda bound: surveys.plan_study(
        {"title": "T", "questions": [{"text": "Ever?"}]}, 1, bound=bound).rows[0].margin,
    (surveys.plan_margin, "bound"): lambda bound: surveys.plan_margin(
        WARNER, 0.05, prevalence="0.1", bound=bound),
    (smallest_plan, "bound"): lambda bound: smallest_plan(
        [WARNER], 0.05, bound=bound),
    (spaces.count_of, "count"): partial(spaces.count_of, RING),
    (spaces.largest_count, "count"): partial(spaces.largest_count, 6),
    (spaces.global_sensitivity, "count"): partial(spaces.global_sensitivity, 6),
    (spaces.ladder_widths, "count"): lambda count: spaces.ladder_widths(RING, count).tolist(),
    (method_for, "count"): partial(method_for, 100),
    (count_mechanism, "count"): lambda count: count_mechanism(
        6, count, TWO, Method.LADDER),
    (curves.plan_curve, "monotone"): lambda trend: curves.plan_curve(
        5, TWO, monotone=trend, **CURVES).facts().json,
    (curves.curve, "monotone"): lambda trend: curves.curve(
        {"a": [1], "b": [2]}, TWO, monotone=trend, **CURVES, source=SeededSource(1)).facts().json,
    (noise, "shape"): lambda shape: noise("[0, 1]", TWO, shape=shape).facts().json,
    (LadderCount, "count"): lambda count: LadderCount(Graphs(6), count, 2),
    (SmoothCount, "count"): lambda count: SmoothCount(Graphs(6), count, 2, 2),
    (GlobalCount, "count"): lambda count: GlobalCount(Graphs(6), count, 2, 1),
    (count_mechanism, "method"): lambda method: count_mechanism(
        6, Count.EDGES, TWO, method),
    (spaces.smooth_sensitivity, "count"): lambda count: spaces.smooth_sensitivity(
        RING, count, Fraction(3, 2)),
    (networks.release_count, "count"): lambda count: networks.release_count(
        RING, count, TWO, source=SeededSource(3)),
    (networks.release_count, "method"): lambda method: networks.release_count(
        RING, Count.TRIANGLES, TWO, method, SeededSource(3)),
    (networks.release_edges, "count"): lambda count: released(count, Method.GLOBAL),
    (networks.release_edges, "method"): lambda method: released(Count.EDGES, method),
    (networks.mean_error, "count"): lambda count: networks.mean_error(
        RING, count, TWO, Method.GLOBAL),
    (networks.mean_error, "method"): lambda method: networks.mean_error(
        RING, Count.EDGES, TWO, method),
    (networks.worst_mean_error, "count"): lambda count: networks.worst_mean_error(
        6, count, TWO, Method.GLOBAL),
    (networks.worst_mean_error, "method"): lambda method: networks.worst_mean_error(
        6, Count.EDGES, TWO, method),
    (networks.methods_for, "count"): partial(networks.methods_for, 100),
    (spaces.count_query, "count"): lambda count: spaces.count_query(4, count).codomain.points,
    (degree_mechanism, "protect"): partial(degree_mechanism, 6, TWO, 2),
    (networks.release_count, "protect"): lambda chosen: networks.release_count(
        RING, Count.EDGES, TWO, source=SeededSource(3), protect=chosen,
        max_degree=2 if chosen == "nodes" else None),
    (networks.release_degrees, "protect"): lambda chosen: networks.release_degrees(
        RING, TWO, max_degree=2, protect=chosen, source=SeededSource(3)),
    (networks.release_edges, "directed"): lambda directed: released(
        Count.EDGES, Method.GLOBAL, directed=directed),
    (Compared, "sign"): lambda sign: [
        Compared("n", NumberColumn(0, 9), sign, 3.0).of(cell) for cell in (2, 3, 4)],
    (read_edges, "directed"): lambda directed: released(
        Count.EDGES, Method.GLOBAL, directed=directed),
    (networks.release_edges, "protect"): lambda chosen: released("degrees", None, chosen),
    (all_counts, "count"): lambda count: all_counts(3, count).tolist(),
    (steps_to_counts, "count"): lambda count: steps_to_counts(RING, count)[1].tolist(),
    (node_sensitivity, "count"): lambda count: node_sensitivity(60, count, 3),
    (largest_cut_count, "count"): lambda count: largest_cut_count(60, count, 3),
    (Unit, "neighbors"): lambda chosen: Unit(
        neighbors=chosen, size=5 if chosen == "replace" else None),
    (locations.LocationPlan.blur, "unusable"): lambda rule: locations.noise(
        "-4,40,-3,41", "1 km", 2).blur({"lon": [-3.5], "lat": [40.5]}, unusable=rule,
                                       source=SeededSource(1)).table,
    (locations.cells, "mechanism"): lambda chosen: locations.cells(
        "-4,40,-3.995,40.005", "400 m", 20, "140 m", mechanism=chosen).certified.mechanism,
    (locations.noise, "mechanism"): lambda chosen: locations.noise(
        "-4,40,-3,41", "1 km", 2, mechanism=chosen).mechanism,
    (Handling, "unusable"): lambda rule: Handling(unusable=rule).unusable,
    (locations.PositionLoss, "cost"): lambda cost: locations.PositionLoss(
        cost, {"lon": [1.0], "lat": [2.0]} if cost == "facility" else None).name,
    (generic_value, "goal"): lambda goal: generic_value(
        [[1, 0], [0, 1]], [[0, 1], [3, 0]], [Fraction(1, 2)] * 2, goal),
    (PrivacyFirstCount, "count"): lambda count: PrivacyFirstCount(Graphs(6), count, 0, 2),
}

MEMBERS = {
    "measure": Measure,
    "clock": declarations.Clock, "period": Period,
    "goal": Goal, "protocol": FrequencyProtocol, "evidence": Evidence,
    "combine": Combine,
    "metric": [Metric.EUCLIDEAN, Metric.MANHATTAN, Metric.CHEBYSHEV], "estimator": Estimator,
    "aim": Aim, "interval": Interval, "split": Split, "missing": Missing,
    "bound": surveys.Bound, "count": Count, "method": Method, "shape": Shape,
    "monotone": Trend, "neighbors": Neighbors,
    "protect": Protect, "directed": Directed, "sign": Sign,
    "unusable": Unusable, "cost": Cost, "kind": surveys.Kind, "outside": surveys.Outside,
}

# What the library returns and nobody passes in.
RESULTS = {
    "NetworkAnswer", "DegreeAnswer", "Estimate", "QueryEstimates", "ProtectedColumn", "Plan",
    "QuestionPlan",
    "SurveyPlan", "StudyPlan", "ExpectedMargins", "ProtocolError", "Improvement", "CurvePlan",
    "Body", "Link", "Document", "Finding", "Item", "MostTelling", "Located", "EdgeRelease",
    "Record", "GenericSolution", "Tally", "HowIntervals",
    "Regression",
    # marks of the charts that items of papers make
    "Across", "Dots", "Line", "line", "Ribbon", "Shape", "Span", "Stairs", "Strokes", "Words",
}


def members(asked, name):
    if asked is surveys.Study:
        return list(surveys.Split)
    if asked in (sanitize, protect, plan_sanitizing) and name == "protocol":
        return list(Reporting)
    if asked in (estimate_aim, estimate_aims) and name == "aim":
        return list(Estimand)
    if asked in (estimate_reports, estimate_sampled, estimate_joint, cross_table) and (
            name == "estimator"):
        # the likelihood needs listed outputs of one column
        return [kind for kind in Estimator if kind is not Estimator.LIKELIHOOD]
    if asked in (estimate_joint, cross_table, estimate_aim, estimate_aims, estimate_queries) and (
            name == "interval"):  # exact ones are of one count
        return [kind for kind in Interval if kind is not Interval.EXACT]
    if asked in (node_sensitivity, largest_cut_count):  # cut graphs have no triangles counted
        return [kind for kind in Count if kind is not Count.TRIANGLES]
    if asked is networks.release_edges and name == "count":
        return list(Count)
    if name == "mechanism":
        return list(Blur if asked is locations.noise else CellBlur)
    return list(MEMBERS[name])


def public_parameters():
    """Every parameter of something public whose annotation names an enum of this library."""
    for module in modules():
        if not module.is_door or ".".join(module.parts) != module.unit or module.unit == "cli":
            continue
        door = importlib.import_module(".".join(("tightrope", *module.parts)))
        for name in door.__all__:
            held = inspect.unwrap(getattr(door, name))
            kind = isinstance(held, type) and issubclass(held, Enum | Exception)
            if not callable(held) or kind or not getattr(held, "__module__", "").startswith(
                    "tightrope"):
                continue
            home = vars(importlib.import_module(held.__module__))
            enums = {key for key, value in home.items()
                     if isinstance(value, type) and issubclass(value, Enum)}
            try:
                parameters = inspect.signature(held).parameters.values()
            except ValueError:
                continue
            for parameter in parameters:
                words = set(str(parameter.annotation).replace("|", " ").split())
                if words & enums:
                    yield name, parameter.name


def test_every_public_choice_is_tried():
    tried = {(asked.__name__, name) for asked, name in ASK}
    wanted = {pair for pair in public_parameters() if pair[0] not in RESULTS}
    assert wanted - tried == set()
    assert len(wanted) > 30


CASES = [pytest.param(asked, name, id=f"{asked.__name__}-{name}") for asked, name in ASK]


@pytest.mark.parametrize(("asked", "name"), CASES)
def test_the_text_of_a_choice_means_the_choice(asked, name):
    ask = ASK[asked, name]
    answers = [ask(member) for member in members(asked, name)]
    assert [ask(member.value) for member in members(asked, name)] == answers


@pytest.mark.parametrize("wrong", ["typo", "", None, 3, True])
@pytest.mark.parametrize(("asked", "name"), CASES)
def test_what_is_no_choice_is_refused_in_one_sentence(asked, name, wrong):
    releases = (networks.release_count, networks.release_edges)
    if asked in releases and name == "method" and wrong is None:
        return  # None stands for the method that fits the number of nodes
    if name == "directed" and wrong is None:
        return  # None stands for edges without direction
    if name == "monotone" and wrong is None:
        return  # None stands for a curve that may go either way
    if name == "protocol" and wrong is None and asked is not reporting:
        return  # None stands for one value, or for the best report of large sets
    if name == "interval" and wrong is None:
        return  # None stands for the exact interval if there is one, else score
    with pytest.raises(BadInput) as refused:
        ASK[asked, name](wrong)
    assert str(refused.value).count(".") == 1
    assert members(asked, name)[0].value in str(refused.value)


def test_texts_reach_the_choices_they_name():
    """What each of these texts was taken for: the average, a normal size, 3-stars, global noise."""
    worst = design(path(0, 5), TWO, loss=absolute, goal="worst").value
    average = design(path(0, 5), TWO, loss=absolute).value
    assert worst > average * 1.01
    assert surveys.plan_margin(WARNER, 0.05, prevalence="0.1", bound="chebyshev").respondents > 6000
    assert spaces.count_of(RING, "edges") == 5
    assert networks.release_count(RING, "edges", TWO, "ladder").method is Method.LADDER


def test_members_of_another_enum_are_texts_like_others():
    assert member_of(Interval, surveys.Bound.NORMAL) is Interval.NORMAL
    with pytest.raises(BadInput, match="no interval 'average'; expected one of exact, normal"):
        member_of(Interval, Goal.AVERAGE)
