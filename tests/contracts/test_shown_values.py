"""What is shown of a value is short, escaped, and says no more than was proved."""

from __future__ import annotations

import copy
import inspect
import re
import sys
from dataclasses import is_dataclass, replace
from fractions import Fraction
from operator import attrgetter
from xml.etree import ElementTree

import numpy as np
import pytest

import tightrope as tr
from tests.surveys.field import field_survey, people, report_on
from tightrope.choices import Count
from tightrope.constructions import Row
from tightrope.errors import CannotCheck
from tightrope.exact import Intervals, Weights
from tightrope.mechanisms import (
    KernelMechanism,
    LadderCount,
    LineMechanism,
    MatrixMechanism,
    NoiseMechanism,
    PiecewiseNoise,
    QuantileMechanism,
    SubsetMechanism,
    TableMechanism,
    UnaryMechanism,
)
from tightrope.privacy import GenericDefinition, PairBound, certified, verify
from tightrope.spaces import (
    Graphs,
    RealLine,
    Records,
    categories,
    graph,
    grid,
    matrix,
    path,
    points,
    product_sum,
)
from tightrope.utility import LossMatrix

LEVEL = tr.Level.ratio(2)
HOSTILE = "<script>alert('&')</script>\x1b[2J\u202e"
LONG = "x" * 10_000

HUGE = MatrixMechanism(path(0, 999), range(1000), Weights(np.ones((1000, 1000), int), np.zeros(
    (1000, 1000), int)))
LOUD = MatrixMechanism(
    categories(("a<b>", "tea & more", LONG)), (HOSTILE, LONG, (1, HOSTILE)),
    Weights.from_integers([[2, 1, 1], [1, 2, 1], [1, 1, 2]]),
)
LONGEST = Fraction(10**4000 + 1, 10**4000)
KERNEL = KernelMechanism(path(0, 999_999), Fraction(2), Fraction(1), (1,) * 1_000_000)
SMALL = MatrixMechanism(path(0, 2), (0, 1, 2), Weights.from_integers(
    [[4, 1, 1], [2, 2, 2], [1, 1, 4]]))
PROVED = certified(SMALL, LEVEL)
MEDIAN = QuantileMechanism(Records(10**6, 0, 9), 2, Fraction(2))

SHOWN = {
    "long path": tr.space("path:0..999999"),
    "large grid": tr.space("grid:1000x1000"),
    "all subsets": tr.space("sets:3000"),
    "many names": categories([f"{LONG}{k}" for k in range(300)]),
    "graph": graph("abcd", [(0, 1), (1, 2), (2, 3)]),
    "graph in two parts": graph("abcd", [(0, 1), (2, 3)]),
    "long graph": graph(range(3000), [(i, i + 1) for i in range(2999)]),
    "given distances": matrix("ab", [[0, 1], [1, 0]]),
    "positions": points("abc", [(0, 0), (1, 1), (0, 3)]),
    "product": product_sum(path(0, 3), categories((LONG, "<i>"))),
    "level": LEVEL,
    "level with δ": tr.Level.epsilon("0.5", "1e-9"),
    "level of many digits": tr.Level.ratio(LONGEST),
    "tiny level": tr.Level.epsilon("1e-400"),
    "large level": tr.Level.epsilon(1000),
    "matrix": SMALL,
    "large matrix": HUGE,
    "hostile labels": LOUD,
    "kernel": KernelMechanism(path(0, 9), Fraction(2), Fraction(1), (1,) * 10),
    "large kernel": KERNEL,
    "rounded kernel": KernelMechanism(
        grid((30, 30)), Fraction(2), Fraction(1), (1 << 60,) * 900, rounded=True),
    "kernel of many digits": KernelMechanism(path(0, 1), LONGEST, Fraction(1), (LONGEST, 1)),
    "noise": NoiseMechanism(path(0, 10**9), LONGEST),
    "subsets": SubsetMechanism(categories(1000), 200, Fraction(4)),
    "unary": UnaryMechanism(categories(5), Fraction(1, 2), Fraction(1, 5)),
    "table": TableMechanism(LOUD, 10**9),
    "median": MEDIAN,
    "triangles": LadderCount(Graphs(10_000), Count("triangles"), LONGEST),
    "line": LineMechanism(
        RealLine(Intervals.of([(0, 1)])),
        PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(1)), Fraction(1, 4)),
    "certified median": certified(MEDIAN, tr.Level.ratio(4)),
    "certified": PROVED,
    "certified, hostile": certified(LOUD, LEVEL),
    "certified table": certified(TableMechanism(SMALL, 5), LEVEL),
    "certificate": PROVED.certificate,
    "certificate with δ": certified(SMALL, LEVEL.with_delta("1e-3")).certificate,
    "refutation": verify(LOUD, LOUD.space, tr.Level.ratio("3/2")),
    "refutation of any level": verify(np.eye(2), "path:0..1", 5),
    "refutation with δ": verify(SMALL, SMALL.space, tr.Level.ratio("3/2", "1e-9")),
}
SOLUTION = tr.design("path:0..9", 0.5)
SHOWN |= {
    "solution": SOLUTION,
    "solution without a bound": tr.design("path:0..9", 0.5, construction="exponential"),
    "solution of hostile labels": tr.design(LOUD.space, 1, outputs=[HOSTILE, LONG], loss=[
        [0, 1], [1, 0], [1, 1]]),
    "large solution": tr.design("path:0..300", 1, construction="geometric"),
    "comparison": tr.compare("path:0..9", 0.5),
    "comparison of a few": tr.compare(LOUD.space, 1),
}
SEQUENCES = tr.constructions.privacy_first(
    tr.files.read_query("path:0..40", "path:0..40", lambda x: x))
TRADEOFF = tr.tradeoff(LOUD.space, [tr.Level.ratio(LONGEST), LEVEL])
SANITIZED = tr.sanitize({"vote": ["no", "yes"] * 500}, {"vote": "no/yes"}, 1)
PLAN = tr.surveys.plan_survey(1, difference=("0.1", "0.2"))
STUDY = field_survey((f"{'g' * 150}", "<i>"))
SURVEYED = report_on(people(STUDY, {question.key: [0, 1] * 20 for question in STUDY.questions}, 1,
                            groups=[*STUDY.groups] * 20))
COLUMN = replace(SANITIZED.columns[0], name=HOSTILE + LONG)
CARDS = {
    "tradeoff": tr.tradeoff("path:0..9", [0.5, 1]),
    "tradeoff at many levels": replace(TRADEOFF, comparisons=TRADEOFF.comparisons * 300),
    "estimate": tr.utility.estimate(
        [6, 4], tr.mechanisms.KernelMechanism(path(0, 1), 3, 1, (1, 1))),
    "estimate of hostile labels": tr.utility.estimate([1, 2, 3], tr.mechanisms.KernelMechanism(
        LOUD.space, 3, 1, (1, 1, 1))),
    "estimate of many": tr.utility.estimate([2] * 90, tr.mechanisms.KernelMechanism(
        categories([f"{LONG}{k}" for k in range(90)]), 3, 1, (1,) * 90), sampling=True),
    "inspection": tr.inspect(PROVED),
    "inspection of hostile labels": tr.inspect(LOUD),
    "inspection of noise": tr.inspect(SHOWN["noise"]),
    "improvement": tr.improve(SMALL, LEVEL),
    "improvement of hostile labels": tr.improve(
        LOUD, LEVEL, loss=[[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
}
CURVES = {"people": 2, "low": 0, "high": 9}
RESULTS = {
    **CARDS,
    "review": tr.documents.review(PROVED, LEVEL),
    "review that refutes": tr.documents.review(LOUD, tr.Level.ratio("3/2")),
    "review of any level": tr.documents.review(SMALL),
    "accuracy": tr.theory.accuracy(LOUD.space, 0, "1/5", epsilon=1),
    "extreme points": tr.theory.extreme_points(4),
    "orbit": tr.theory.extreme_points(4).orbits[-1],
    "best extreme point": tr.theory.best_extreme_point(np.eye(4), LONGEST),
    "set sequences": replace(SEQUENCES, construction=HOSTILE + LONG),
    "query": tr.files.read_query(LOUD.space, LOUD.space, lambda x: x),
    "calibration": tr.constructions.calibrate(SEQUENCES, 1),
    "noise": tr.theory.noise(
        [(k, k + Fraction(1, 3)) for k in range(0, 90, 9)], tr.Level.ratio("5/4")),
    "plan of a curve": tr.curves.plan_curve([f"{LONG}{k}" for k in range(9)], 1, **CURVES),
    "curve": tr.curves.curve({LONG: [3, HOSTILE]}, 1, **CURVES),
    "plan of a question": tr.plan(
        ["count"], {"dataset": "t", "columns": {
            "c": {"type": "category", "values": ["a", "b"]}}}, epsilon=1, name="p"),
    "plan of a difference": PLAN,
    "group differences": tr.surveys.compare_groups(SURVEYED),
    "table of two questions": tr.surveys.cross_table(SURVEYED, "q1", "q2"),
    "regression": tr.surveys.regress(SURVEYED, "q1=yes ~ group"),
    "trend": tr.surveys.compare_waves([SURVEYED] * 3, [LONG, "<b>", HOSTILE]),
    "plan": tr.surveys.plan_survey(1, answers=[f"{LONG}{k}" for k in range(5)]),
    "margins": tr.surveys.expected_margins(300, 1, prevalence="0.1", difference=("0.1", "0.2")),
    "margins of many": tr.surveys.expected_margins(
        300, 1, answers=[f"{LONG}{k}" for k in range(5)]),
    "plan of a violation": replace(PLAN, level=None, violation=LONG),
    "estimates": tr.tables.estimate_columns(SANITIZED),
    "mean of a column": tr.tables.estimate_aim(SANITIZED),
    "plan of sanitizing": tr.tables.plan_sanitizing(
        {LONG: [1], HOSTILE: [2]}, {LONG: "1/2"}, 1, rows=9),
    "sanitized": replace(SANITIZED, columns=(COLUMN,) * 90, clear=(HOSTILE, LONG) * 50),
    "protected column": COLUMN,
    "column of sets": tr.tables.protect({LONG: "sets:a/b/c"}, 1)[0],
    "thresholds": tr.theory.thresholds("star:5"),
    "thresholds of hostile labels": tr.theory.thresholds(LOUD.space, prior=["1/2", "1/4", "1/4"]),
    "smallest level": tr.smallest_level(LOUD, LOUD.space),
    "smallest level of many digits": tr.smallest_level(
        SHOWN["kernel of many digits"], path(0, 1)),
    "smallest level that is no logarithm": tr.smallest_level(
        SHOWN["rounded kernel"], grid((30, 30))),
    "smallest level of a constant": tr.smallest_level(HUGE, HUGE.space),
    "witness": verify(LOUD, LOUD.space, tr.Level.ratio("3/2")).witness,
    "δ(ε) curve": tr.delta_curve(LOUD, LOUD.space),
    "tightness": tr.privacy.tightness(LOUD, LOUD.space, LEVEL),
    "row graph": tr.privacy.row_graphs(LOUD, LOUD.space, LEVEL)[0],
    "generalized": tr.theory.generalize(LOUD, LEVEL),
    "post-processing": tr.theory.post_processing(LOUD, LOUD),
    "extremality": tr.theory.extremality(np.full((8, 8), 0.125), 2),
    "trade-off curve": tr.privacy.tradeoff_curve([Fraction(1, 20)] * 20, [
        Fraction(k, 210) for k in range(1, 21)]),
    "sufficient sets": tr.theory.sufficient_sets(LOUD, [(0, 1)]),
    "repair": tr.privacy.repair(np.eye(3), LOUD.space, 1),
    "account": tr.privacy.account([(SMALL, 10)]),
    "account of levels": tr.account(["0.1*10", "ln(2)"]),
    "noise of positions": tr.locations.noise("-4,40,-3,41", "200m", 2),
    "cells": tr.locations.cells("-4,40,-3.99,40.01", "400 m", 10, "100 m",
                                mechanism="exponential"),
    "traces": tr.locations.traces("-4,40,-3,41", "200m", 2, fresh=3),
    "draft": tr.declare({"age": [31], LONG: ["a"]}),
    "release": tr.mean({LONG: [1, 2]}, LONG, epsilon=1, low=0, high=9),
    "release with a condition": tr.proportion(
        {"<script>": [1]}, "[<script>] = 1 or [<script>] = '\u200b'", epsilon=1),
    "batch": tr.theory.batch([tr.constructions.randomized_response("categories:3", 1)] * 2),
    "weights of a kernel": tr.constructions.tight_weights("path:0..300", 1),
    "regularity": tr.kernels.regularity("path:0..300", 1, tr.utility.uniform),
    "dual": SOLUTION.dual,
    "network": tr.spaces.Network(40, range(39), range(1, 40)),
    "noise on a line": tr.constructions.staircase(1, tr.Level.ratio(LONGEST)),
    "mode": tr.theory.mode(1, size=3, low=0, high=9),
    "odds": tr.privacy.odds_change(tr.privacy.tradeoff_curve([1, 0], ["1/2", "1/2"]), 4),
    "count of a network": tr.networks.release_count(
        tr.spaces.Network(40, range(39), range(1, 40)), "edges", 1, source=tr.SeededSource(1)),
    "degrees of a network": tr.networks.release_degrees(
        tr.spaces.Network(40, range(39), range(1, 40)), 1, max_degree=39, protect="nodes"),
    "generality": tr.theory.generality(SMALL, SMALL),
    "beliefs": tr.utility.beliefs(SMALL),
    "most telling": tr.theory.max_measure_given_level("path:0..2", LEVEL, "dobrushin"),
    "definition": tr.files.read_definition({"formula": "sqrt(a)"}, SMALL.space),
    "generic definition": tr.privacy.verify_generic(SMALL, GenericDefinition.on_neighbors(
        SMALL.space, PairBound.of_level(LEVEL))),
    "axioms": tr.privacy.judge(lambda a, b: b <= 2 * a or b <= a + Fraction(1, 5)),
    "irregular prior": tr.kernels.regularity(categories(4), LEVEL, ["0.4", "0.4", "0.1", "0.1"]),
    "judgment of a prior": tr.theory.judge_prior(LOUD.space, LEVEL),
    "protocol": tr.constructions.compare_protocols(9, 1)[0],
    "blurred positions": tr.locate(
        {"lon": [-3.5], "lat": [40.5]}, region="-4,40,-3,41", within="200 m", factor=2),
    "randomizer": tr.constructions.best_randomizer(
        categories(("a<b>", LONG)), ratio=3, workload=[0, 1]),
    "randomizer for the worst shares": tr.constructions.worst_case_randomizer(
        categories(("a<b>", LONG)), ratio=3, workload=[0, 1]),
    "best design": tr.surveys.best_design(("a<b>", LONG, "c"), ratio=3, aim="mean"),
    "plan for an aim": tr.surveys.plan_aim(("a<b>", LONG, "c"), ratio=3, aim="mean"),
    "choice by scores": tr.constructions.choose_by_score(
        categories(("a<b>", LONG)), [[1, 0], [0, 1]], ratio=4),
    "Rényi divergences": tr.privacy.renyi_curve(LOUD, LOUD.space),
    "Rényi verdict": tr.privacy.verify_renyi(LOUD, "renyi:alpha=2,epsilon=1", LOUD.space),
    "privacy loss": tr.privacy.privacy_loss(LOUD, LOUD.space),
    "design under a definition": tr.design(
        categories(("a<b>", LONG)), definition=tr.privacy.total_variation("1/2")),
    "least level": tr.constructions.min_level_given_loss("path:0..9", 1),
}
LINES = {
    **SHOWN,
    "problem": SOLUTION.problem,
    "closeness": SOLUTION.closeness,
    "weights": HUGE.weights,
    "uniform": tr.utility.uniform,
    "prior": tr.Prior([Fraction(1, 5000)] * 5000),
    "loss": tr.utility.absolute,
    "loss matrix": LossMatrix(np.zeros((1000, 1000))),
}


@pytest.mark.parametrize("name", LINES)
def test_a_value_is_shown_in_a_few_short_lines(name):
    said = repr(LINES[name])
    rows = 12 if name.startswith("comparison") else 4
    assert 5 < len(said) <= 150 * rows
    assert said.count("\n") <= rows
    assert said.replace("\n", "").isprintable()


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_shown_in_a_few_short_lines(name):
    said = repr(RESULTS[name])
    rows = 12 if name.startswith(("tradeoff", "plan of a question")) else 4
    assert 10 < len(said) <= 150 * rows
    assert said.count("\n") <= rows
    assert said.replace("\n", "").isprintable()
    assert LONG not in said


def results() -> set[str]:
    """The names of the values of this library that stable functions say they return."""
    found = set()
    names = [*tr.__all__, *(f"{room}.{name}" for room, listed in tr.ROOMS.items()
                            for name in listed.split())]
    for function in filter(inspect.isfunction, (attrgetter(name)(tr) for name in names)):
        for word in re.findall(r"\w+", str(inspect.signature(function).return_annotation)):
            named = sys.modules[function.__module__].__dict__.get(word)
            found |= {word} if is_dataclass(named) else set()
    return found


def test_every_result_of_a_stable_function_is_among_those_shown():
    assert results() >= {"Solution", "Tradeoff", "Review", "Sanitized", "SurveyPlan"}
    shown = {type(value).__name__ for value in {**LINES, **RESULTS}.values()}
    assert results() - shown == {  # made with files and a ledger
        "CreatedSurvey", "HeatMap", "Difference", "Report", "ReportVerdict"}


WITH_CARD = {**SHOWN, **{f"result: {name}": result for name, result in RESULTS.items()
                         if hasattr(result, "_repr_html_")}}


@pytest.mark.parametrize("name", WITH_CARD)
def test_a_notebook_shows_a_small_card(name):
    found = WITH_CARD[name]._repr_html_()
    assert len(found) < 40_000
    root = ElementTree.fromstring(found)  # well formed, and nothing in it but what is ours
    allowed = {"div", "strong", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "svg",
               "title", "path", "g", "text", "details", "summary"}
    assert {element.tag for element in root.iter()} <= allowed
    assert all(key in ("style", "scope", "role", "aria-label", "width", "height", "viewBox", "x",
                       "y", "d", "fill", "fill-opacity", "stroke", "stroke-opacity", "transform",
                       "stroke-width", "text-anchor", "font-size", "font-family")
               for element in root.iter() for key in element.attrib)
    assert "".join(root.itertext()).isprintable()


def test_a_million_points_are_not_looked_at():
    class Watched(type(KERNEL.space.region)):
        def cell(self, i):
            assert i < 5 or i == self.size - 1
            return super().cell(i)

    space = copy.copy(tr.space("grid:1000x1000"))
    region = space.region
    object.__setattr__(space, "region", Watched(**vars(region)))
    assert "1,000,000 points" in repr(space)
    assert "(999, 999)" in space._repr_html_()


@pytest.mark.parametrize("name", [n for n, value in SHOWN.items() if hasattr(value, "space")])
def test_a_bare_mechanism_claims_no_privacy(name):
    mechanism = SHOWN[name]
    for said in (repr(mechanism), mechanism._repr_html_()):
        assert "ε" not in said
        assert "proved" not in said
    assert "claims no privacy" in mechanism._repr_html_()


def test_what_verify_did_not_issue_is_shown_as_a_claim():
    copied, forged = copy.copy(PROVED.certificate), verify(SMALL, SMALL.space, LEVEL)
    object.__setattr__(forged, "level", tr.Level.ratio("3/2"))
    for certificate in (copied, forged):
        for said in (repr(certificate), certificate._repr_html_()):
            assert "proves nothing" in said
            assert " proved" not in said
            assert "Proved" not in said
    assert "proves nothing" not in repr(PROVED.certificate)


def test_a_certificate_says_its_level_and_the_smallest():
    assert repr(PROVED.certificate) == (
        "Certificate(ε = ln(2) = 0.6931472 proved, enumerated; smallest level ln(2) = 0.6931471806)"
    )
    assert "Proved: ε = ln(2)" in PROVED.certificate._repr_html_()
    assert "by at most a factor e^(ε d)" in PROVED._repr_html_()


def test_a_solution_says_what_it_is_its_error_its_loss_and_its_level():
    first, loss, error, level = repr(SOLUTION).split("\n")
    asked = "path:0..9 at ε = 0.5, absolute loss, average"
    assert first == f"Solution: {SOLUTION.construction} on {asked}"
    assert error.split(maxsplit=1) == ["error", str(SOLUTION.closeness)]
    assert loss.split(maxsplit=1) == ["loss", f"{SOLUTION.value:.7g}, on average; optimal"]
    assert level.startswith("  level  ε = 0.5 proved, enumerated; smallest level")
    far = repr(SHOWN["solution without a bound"])
    assert "the best possible is not known" in far


@pytest.mark.parametrize("goal", ["average", "worst"])
def test_a_prior_that_was_given_is_said(goal):
    solution = tr.design("path:0..2", 1, prior=["1/2", "1/4", "1/4"], goal=goal)
    for value in (solution, solution.problem, tr.compare(solution.problem.space, 1, goal=goal,
                                                         prior=solution.problem.prior)):
        assert f"absolute loss, {goal}, given prior" in repr(value).split("\n")[0]
    assert "prior" not in repr(SOLUTION) + repr(SOLUTION.problem)


def test_a_loss_that_can_be_beaten_says_by_how_much_at_most():
    rows = SHOWN["comparison"].rows
    solution = next(row.solution for row in rows if row.construction == "exponential")
    share = float(repr(solution).split("saves at most ")[1].split(" %")[0]) / 100
    assert solution.value * (1 - share) <= solution.bound < solution.value
    assert share - (solution.value - solution.bound) / solution.value < 1e-4


def test_a_comparison_becomes_a_frame():
    comparison = SHOWN["comparison"]
    frame = comparison.to_frame()
    assert list(frame.index) == [row.construction for row in comparison.rows]
    for row in comparison.rows:
        found = frame.loc[row.construction]
        assert found.reason == row.reason
        if row.solution is None:
            assert np.isnan(found.value)
        else:
            assert found.value == row.solution.value
            assert found.errors_expected == str(row.solution.closeness)


def test_a_picture_has_a_darker_cell_for_a_larger_probability():
    shades = dict(re.findall(r'fill-opacity="([\d.]+)" d="([^"]+)"', SMALL._repr_html_()))
    darkness = {cell: float(shade) for shade, cells in shades.items()
                for cell in re.findall(r"M\d \d", cells)}
    rows = [[darkness[f"M{z} {y}"] for z in range(3)] for y in range(3)]
    assert rows[0][0] == rows[2][2] == 1.0
    for y, row in enumerate(SMALL.to_numpy().tolist()):
        assert np.array_equal(np.argsort(row, kind="stable"), np.argsort(rows[y], kind="stable"))


def test_probabilities_as_doubles_are_the_nearest():
    for mechanism in (SMALL, SHOWN["kernel"], SHOWN["unary"]):
        rows = mechanism.matrix()
        found = mechanism.to_numpy()
        for i in range(rows.space.size):
            assert found[i] == pytest.approx([float(p) for p in rows.row_at(i)], rel=1e-14)
    found = SMALL.to_numpy()
    found[0, 0] = 7  # a copy
    assert SMALL.to_numpy()[0, 0] != 7


@pytest.mark.parametrize("name", ["matrix", "kernel", "unary"])
def test_csv_holds_the_very_mechanism(name, tmp_path):
    from tightrope.files import read_matrix

    mechanism = SHOWN[name].matrix()
    file = tmp_path / "m.csv"
    file.write_text(mechanism.to_csv(), encoding="utf-8")
    read = read_matrix(file)
    assert read.weights() == Weights.from_fractions(
        [mechanism.row_at(i) for i in range(mechanism.space.size)])
    assert list(map(str, read.row_labels)) == list(map(str, mechanism.space.points))
    assert list(map(str, read.column_labels)) == list(map(str, mechanism.outputs))


def test_csv_of_endless_digits_is_rounded():
    first = SHOWN["kernel of many digits"].to_csv().splitlines()[1].split(",")
    assert first[1:] == ["0.5", "0.5"]


def test_latex_has_fractions_and_no_commands_of_its_labels():
    text = SMALL.to_latex()
    assert text.splitlines()[3] == (
        r"0 & $\frac{2}{3}$ & $\frac{1}{6}$ & $\frac{1}{6}$ \\")
    assert text.count(r"\\") == 3
    hostile = MatrixMechanism(path(0, 1), (r"\input{x}", "50% & _#$^~{}"),
                              Weights.from_integers([[1, 1], [1, 1]])).to_latex()
    head = hostile.splitlines()[1].removesuffix(r" \\")
    assert r"\input" not in head
    assert len(re.findall(r"(?<!\\)&", head)) == 2
    assert not re.search(r"(?<!\\)[%#$_]", head)
    tiny = MatrixMechanism(path(0, 1), (0, 1), Weights.from_integers([[1, 10**30], [1, 1]]))
    assert r"1.000 \cdot 10^{-30}" in tiny.to_latex()


def test_what_holds_a_mechanism_is_written_as_the_mechanism():
    under = tr.design("path:0..2", definition=tr.privacy.total_variation("1/4"))
    for held in (SOLUTION, SOLUTION.certified, under):
        assert held.to_csv() == held.mechanism.matrix().to_csv()
        assert held.to_latex() == held.mechanism.matrix().to_latex()
        assert held.plot().axes[0].get_ylabel() == "input"
    endless = tr.constructions.two_sided_geometric("path:0..2", 1)
    for call in (endless.to_csv, endless.to_latex):
        with pytest.raises(CannotCheck, match="infinitely many outputs"):
            call()


def test_no_label_is_read_as_an_option_of_the_end_of_the_line_before_it():
    shown = MatrixMechanism(categories(["a", "[5cm]", "*b"]), ("x",),
                            Weights.from_integers([[1], [1], [1]])).to_latex()
    after = [line[0] for line in shown.split("\\\\\n")[1:]]
    assert after == ["\\", "{", "{"]


def test_a_construction_cannot_write_a_verdict_of_its_own():
    named = replace(SOLUTION, construction="x\nproved\x1b[2J\u202e")
    rows = (Row(named.construction, named, ""),)
    for value in (named, replace(tr.compare("path:0..1", 1), rows=rows)):
        shown = repr(value) + value._repr_html_()
        assert "x\\nproved\\x1b[2J\\u202e" in shown
        assert not set(shown) & set("\x1b\u202e")
