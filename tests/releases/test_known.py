"""Structural zeros and public totals: met exactly, by constrained least squares written apart."""

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest

import tightrope as tr
from tests.releases.test_agreement import DECLARED, PERSON, drawn_for
from tightrope.errors import BadInput
from tightrope.releases import open_books, plan
from tightrope.releases.answered_plans import answered_parts
from tightrope.releases.plan_documents import review_plan

ZERO = {"ask": "histogram of a and b", "cell": ["x", "p"], "value": 0}
ALL = {"ask": "count", "value": 300}


def made(texts, known, declared=DECLARED):
    return plan({"questions": texts, "known": known}, declared, epsilon=3, name="p")


def parts_of(planned, drawn):
    return answered_parts(planned.plans, drawn, planned.known)


@pytest.mark.parametrize(("texts", "known"), [
    (["histogram of a and b", "histogram of a"], [ZERO]),
    (["histogram of a and b", "histogram of b", "count"], [ZERO, ALL]),
    (["count by a, b, n", "histogram of n"], [ALL, ZERO, {
        "ask": "histogram of n", "cell": ["[0, 5)"], "value": 100}, {
        "ask": "histogram of n", "cell": ["[5, 10]"], "value": 200}]),
    (["histogram of a"], [ALL]),
    (["histogram of b by a"], [{"ask": "count by a", "cell": ["y"], "value": 7}]),
])
def test_values_are_those_of_least_squares_under_the_equations(texts, known):
    planned = made(texts, known)
    drawn = drawn_for(planned.plans, Random(5))
    keys = sorted({key for each in planned.plans for key in each.tally.keys})
    columns = [DECLARED["columns"][key] for key in keys]
    cells = [planned.declaration.column(key).cells for key in keys]
    assert columns
    table = list(product(*cells))

    def line(names, cell):
        return [float(all(x[keys.index(key)] == name for key, name in zip(
            names, cell, strict=True))) for x in table]

    rows, numbers, weights = [], [], []
    for each, own in zip(planned.plans, drawn, strict=True):
        for cell, number in zip(each.tally.cells, own[0], strict=True):
            rows.append(line(each.tally.keys, cell))
            numbers.append(float(number))
            weights.append(1 / float(each.subqueries[0].noise.mean_square))
    equations = [line(each.keys, each.cell) for each in planned.known]
    values = [float(each.value) for each in planned.known]
    design, w, a = np.array(rows), np.diag(weights), np.array(equations)
    normal = np.block([[design.T @ w @ design, a.T], [a, np.zeros((len(a), len(a)))]])
    right = np.concatenate([design.T @ w @ numbers, values])
    fitted = np.array(rows) @ np.linalg.lstsq(normal, right, rcond=None)[0][: len(table)]
    start = 0
    for each, part in zip(planned.plans, parts_of(planned, drawn), strict=True):
        size = each.tally.size
        own = [float(answer.value) for answer in part.agreed[:size]]
        assert own == pytest.approx(fitted[start : start + size], abs=1e-8)
        start += size


def test_what_is_known_is_met_exactly_and_its_interval_is_a_point():
    planned = made(["histogram of a and b", "histogram of a"], [ZERO, ALL])
    cross, by_a = parts_of(planned, [[[3, 60, 40, 70, 50, 80]], [[60, 108, 133]]])
    zero, total = cross.agreed[0], cross.agreed[-1]
    assert (zero.value, zero.low, zero.high) == (0, 0, 0)
    assert (total.value, total.low, total.high) == (300, 300, 300)
    assert sum(answer.value for answer in by_a.agreed) == 300
    assert by_a.agreed[0].value == cross.agreed[1].value  # the other cell of x


@pytest.mark.parametrize(("known", "sentence"), [
    ([{"ask": "count by c", "cell": ["f"], "value": 3}], "known 1: no question of the plan"),
    ([{"ask": "count where n > 3", "value": 3}], "known 1: no question of the plan"),
    ([{"ask": "mean of n", "value": 3}], "known 1: what is known is a count"),
    ([{"ask": "histogram of a", "value": 3}], "cell names one cell of each column"),
    ([{"ask": "histogram of a", "cell": ["w"], "value": 3}], "has no cell 'w'"),
    ([{"ask": "count", "value": -1}], "at least 0"),
    ([{"ask": "count", "value": 1.5}], "known 1"),
    ([{"ask": "count"}], "known 1: say which count is known"),
    ([{"ask": "count", "is": 3}], "fields here: ask, cell, value"),
    ({"ask": "count"}, "a list of at most 64"),
    ([3], "known 1 is stated as"),
])
def test_what_cannot_be_known_is_refused_before_anything_is_read(known, sentence):
    with pytest.raises(BadInput, match=sentence):
        made(["histogram of a and b"], known)


def test_of_people_only_totals_of_rows_and_zeros_can_be_known():
    made(["histogram of a"], [ALL], PERSON)
    with pytest.raises(BadInput, match="the number of counted rows can be known, and cells that"):
        made(["histogram of a"], [{"ask": "histogram of a", "cell": ["x"], "value": 1}], PERSON)


CUT = {**PERSON, "unit": {"person": "w", "rows": 3, "cells": 1}}


@pytest.mark.parametrize(("texts", "known", "declared"), [
    (["histogram of a and b", "histogram of a", "count"], [ZERO], PERSON),
    (["histogram of a and b", "count by b, a"], [ZERO, ALL], PERSON),
    (["people by a, b", "people by a", "people"], [ZERO], PERSON),
    (["histogram of a and b", "count by n, a, b"], [
        ZERO, {"ask": "count by a", "cell": ["y"], "value": 0}], CUT),
    (["histogram of a and b", "count by a, b where n > 3"], [ZERO], PERSON),
    (["histogram of a and b"], [ZERO, {**ZERO, "ask": "count by a, b"}], PERSON),
])
def test_zeros_are_met_whichever_rows_of_people_are_kept(texts, known, declared):
    """Least squares where questions with one filter agree in their totals, and in nothing else."""
    planned = made(texts, known, declared)
    drawn = drawn_for(planned.plans, Random(6))
    cells = [(place, dict(zip(each.tally.keys, cell, strict=True)))
             for place, each in enumerate(planned.plans) for cell in each.tally.cells]
    numbers = np.array([float(number) for own in drawn for number in own[0]])
    weights = np.array([1 / float(planned.plans[place].subqueries[0].noise.mean_square)
                        for place, _ in cells])
    rows_counted = [place for place, each in enumerate(planned.plans) if each.question.ask in (
        "count", "histogram", "cross") and not each.question.where
        and not each.tally.cuts_cells]
    equations, values = [], []
    for first, second in pairwise(rows_counted):
        equations.append([(place == first) - (place == second) for place, _ in cells])
        values.append(0)
    for each in planned.known:
        stated = dict(zip(each.keys, each.cell, strict=True))
        for home, own in enumerate(planned.plans):
            if own.question.where or not stated.keys() <= {*own.tally.keys} or (
                    not stated and home != rows_counted[0]):
                continue
            equations.append([place == home and stated.items() <= cell.items()
                              for place, cell in cells])
            values.append(each.value)
    a = np.array(equations, dtype=float)
    inverse = np.diag(1 / weights)
    multipliers = np.linalg.lstsq(a @ inverse @ a.T, a @ numbers - values, rcond=None)[0]
    fitted = numbers - inverse @ a.T @ multipliers
    start = 0
    for each, part in zip(planned.plans, parts_of(planned, drawn), strict=True):
        best = [float(answer.value) for answer in part.best[: each.tally.size]]
        assert best == pytest.approx(fitted[start : start + each.tally.size], abs=1e-8)
        start += each.tally.size


@pytest.mark.parametrize("texts", [["histogram of a and b", "count"], ["people by a, b"]])
def test_a_zero_of_people_is_a_point_and_narrows_the_total(texts):
    drawn = [[[3, 60, 40, 70, 50, 80]], [[301]]][: len(texts)]
    known, other = (parts_of(made(texts, stated, PERSON), drawn)[0].best for stated in ([ZERO], []))
    assert (known[0].value, known[0].low, known[0].high) == (0, 0, 0)
    if len(texts) > 1:
        assert known[-1].cell == ("(all)", "(all)")
        assert known[-1].high - known[-1].low <= other[-1].high - other[-1].low


def test_sums_do_not_meet_counts():
    for declared in (DECLARED, PERSON):
        with pytest.raises(BadInput, match="no question of the plan counts these cells"):
            made(["sum of n by a, b", "count where n > 3"], [ZERO], declared)


def test_a_contradiction_is_refused_before_anything_is_spent(tmp_path):
    ledger = tr.Ledger.create(tmp_path / "l.sqlite")
    ledger.open_budget(tr.Budget.of("2026", DECLARED, 5))
    rows = {name: [] for name in DECLARED["columns"]}
    table = open_books(rows, DECLARED, ledger=ledger, budget="2026")
    stated = {"name": "n", "total": {"epsilon": 1}, "questions": ["histogram of b"], "known": [
        ALL, {"ask": "histogram of b", "cell": ["p"], "value": 1},
        {"ask": "histogram of b", "cell": ["z"], "value": 1}]}
    with pytest.raises(BadInput, match="contradicts itself"):
        table.release_plan(stated)
    assert ledger.balance("2026").charges == 0
    stated["known"][2]["value"] = 299
    document = table.release_plan(stated).document()
    assert document["asked"]["known"][0] == {"question": "count", "cell": [], "value": 300}
    assert review_plan(document).holds
    document["asked"]["known"].pop()
    assert not review_plan(document).holds


@pytest.mark.parametrize("known", [
    [ALL, {"ask": "histogram of a", "cell": ["x"], "value": 301}],
    [{**ALL, "value": 2**60 + 1}],
    [ALL, {**ALL, "value": 301}],
    [{**ALL, "value": 301}, ALL],
    [ALL, *({"ask": "histogram of a", "cell": [name], "value": 101} for name in "xyz")],
    [ALL, {"ask": "histogram of a", "cell": ["x"], "value": 200},
     {"ask": "histogram of a", "cell": ["y"], "value": 101}],
    [{"ask": "histogram of a", "cell": ["x"], "value": 9},
     {"ask": "histogram of a and b", "cell": ["x", "p"], "value": 5},
     {"ask": "histogram of b and a", "cell": ["z", "x"], "value": 5}],
    [{"ask": "count by a, b", "cell": ["x", "p"], "value": 8},
     {"ask": "histogram of b", "cell": ["p"], "value": 7}],
])
def test_a_part_larger_than_the_whole_is_refused_when_it_is_planned(known):
    with pytest.raises(BadInput, match=r"contradicts itself|at most 2\^60"):
        made(["histogram of a and b"], known)
    made(["histogram of a and b"], [ALL, ALL, *(
        {"ask": "histogram of a", "cell": [name], "value": 100} for name in "xyz")])
    made(["histogram of a and b"], [ALL, {"ask": "histogram of a", "cell": ["x"], "value": 300},
                                    {"ask": "histogram of b", "cell": ["p"], "value": 7}])


def test_values_with_a_public_total_are_unbiased():
    """Where the known total is true, all agreed values have the truth as their mean."""
    from tightrope.samplers import SeededSource, draw

    planned, source = made(["histogram of a"], [ALL]), SeededSource(2)
    truth, runs = [200, 70, 30], 600
    errors = []
    for _ in range(runs):
        drawn = draw(planned.plans[0].subqueries[0].certified, truth, source)
        (part,) = parts_of(planned, [[drawn]])
        errors.append([float(answer.value - exact) for answer, exact in zip(
            part.agreed, truth, strict=True)])
    errors = np.array(errors)
    assert (np.abs(errors.mean(axis=0)) < 5.5 * errors.std(axis=0) / runs**0.5).all()
    variance = float(planned.plans[0].subqueries[0].noise.mean_square)
    assert errors.var() == pytest.approx(variance * float(Fraction(2, 3)), rel=0.3)
