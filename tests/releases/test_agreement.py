"""Agreed answers: least squares written apart, relations that hold on every table, intervals."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from tightrope.releases import agreement, plan
from tightrope.releases.agreement import agree, families
from tightrope.releases.answers import answers
from tightrope.releases.cuts import mean_interval

TOTAL = {"other": "z", "missing": "z"}
DECLARED = {"dataset": "d", "columns": {
    "a": {"type": "category", "values": ["x", "y", "z"], **TOTAL},
    "b": {"type": "category", "values": ["p", "z"], **TOTAL},
    "c": {"type": "category", "values": ["f", "m"]},
    "half": {"type": "category", "values": ["f", "z"], "other": "z"},
    "n": {"type": "number", "low": 0, "high": 10, "resolution": 1, "missing": 0,
          "bins": [0, 5, 10]},
    "day": {"type": "date", "low": "2024-01-01", "high": "2024-12-31"},
    "month": {"type": "period", "of": "day", "period": "month"},
    "leave": {"type": "date", "low": "2024-01-01", "high": "2024-12-31", "missing": "2024-12-31"},
    "quarter": {"type": "period", "of": "leave", "period": "quarter"}}}
PERSON = {**DECLARED, "unit": {"person": "id", "rows": 2}}


def planned(texts, declared=DECLARED):
    return plan(texts, declared, epsilon=3, name="p").plans


def related(texts, declared=DECLARED):
    return [[member.place for member in family.members]
            for family in families(planned(texts, declared))]


@pytest.mark.parametrize(("texts", "expected"), [
    (["count", "histogram of a"], [[0, 1]]),
    (["count by a", "histogram of a and b", "count"], [[0, 1, 2]]),
    (["histogram of a", "histogram of n"], [[0, 1]]),  # both add up to all rows
    (["count", "histogram of c"], []),  # rows without a c are in no cell
    (["count", "count by half"], []),  # nor are those where it is missing
    (["histogram of c", "histogram of c and a"], [[0, 1]]),
    (["histogram of c", "histogram of half"], []),
    (["count where n > 3", "count by a where n > 3", "count"], [[0, 1]]),
    (["count where n > 3", "count by a where n > 4"], []),
    (["sum of n", "sum of n by b", "count"], [[0, 1]]),
    (["mean of n", "count", "median of n", "counts of n > 3"], []),
    (["left out of n", "count"], []),
    (["histogram of month", "count"], []),  # rows without a day are in no month
    (["histogram of quarter", "count"], [[0, 1]]),
])
def test_questions_are_related_only_if_no_row_is_left_out_of_one_alone(texts, expected):
    assert related(texts) == expected


def test_of_people_only_totals_agree_and_only_where_no_cell_is_cut():
    assert related(["count", "histogram of a", "histogram of a and b"], PERSON) == [[0, 1, 2]]
    (family,) = families(planned(["count", "histogram of a", "histogram of a and b"], PERSON))
    assert family.effects() == [()]
    cut = {**PERSON, "unit": {"person": "id", "rows": 3, "cells": 1}}
    assert related(["count", "histogram of a"], cut) == []
    assert related(["people", "people by a", "count"], PERSON) == []
    assert related(["sum of n", "sum of n by a"], PERSON) == []
    assert related(["people", "left out"], PERSON) == []


def test_agreed_counts_are_adjusted_to_whole_numbers_of_their_own_total():
    stated = {"name": "p", "total": {"epsilon": 1}, "questions": [
        "count", {"ask": "histogram of a and b", "adjusted": True}]}
    plans = plan(stated, DECLARED).plans
    drawn = [[[100]], [[-3, 0, 40, 2, 50, -1]]]
    cross = agreed_and_raw(plans, drawn)[0][1]
    pairs, total = cross[:6], cross[-1]
    assert 88 < total.value < 100
    assert [type(answer.adjusted) for answer in cross] == [int] * len(cross)
    assert min(answer.adjusted for answer in pairs) == 0
    assert sum(answer.adjusted for answer in pairs) == total.adjusted == round(total.value)
    assert total.number_text(total.adjusted) == str(total.adjusted)


def test_agreed_counts_of_kept_rows_have_an_interval_over_all_cuts():
    """Each is that of the agreed interval: half of what is missed goes to the noise of all nine
    answers, half to the cuts of all, a quarter of it at each end."""
    plans = planned(["count", "histogram of a", "histogram of n", "count by a"], PERSON)
    drawn = [[[300]], [[100, 151, 50]], [[120, 179]], [[99, 150, 52]]]
    agreed, _ = agreed_and_raw(plans, drawn)
    surer = [replace(each, confidence=Fraction(39, 40)) for each in plans]
    wider, _ = agreed_and_raw(surer, drawn)
    assert [answer.over_cuts for answer in agreed[0]] == [None]  # the same for every cut
    for place in (1, 2, 3):
        assert [answer.over_cuts for answer in agreed[place]] == [
            mean_interval(answer.low, answer.high, Fraction(1, 20) / 4 / 9)
            for answer in wider[place]]


def drawn_for(plans, random):
    return [[[random.randint(-40, 200) for _ in range(part.drawn)] for part in each.subqueries]
            for each in plans]


def agreed_and_raw(plans, drawn):
    raw = [answers(each, numbers) for each, numbers in zip(plans, drawn, strict=True)]
    return agree(plans, drawn, raw), raw


@pytest.mark.parametrize("texts", [
    ["count", "histogram of a", "histogram of b and a", "histogram of n by b"],
    ["count by a, b, n", "histogram of a and n", "count", "histogram of b"],
    ["sum of n", "sum of n by a", "sum of n by a, b"],
    ["histogram of c", "histogram of c and a", "histogram of c by b"],
])
def test_values_are_those_of_weighted_least_squares_on_the_whole_table(texts):
    plans = planned(texts)
    drawn = drawn_for(plans, Random(7))
    agreed, _ = agreed_and_raw(plans, drawn)
    keys = sorted({key for each in plans for key in each.tally.keys})
    sizes = [len(plans[0].declaration.column(key).cells) for key in keys]
    table = list(product(*map(range, sizes)))
    rows, numbers, weights = [], [], []
    for each, own in zip(plans, drawn, strict=True):
        part = each.subqueries[0]
        unit, offset = part.subquery.unit, part.subquery.offset
        chance = _variance(part.noise) * float(unit) ** 2
        for cell, number in zip(product(*map(range, each.tally.shape)), own[0], strict=True):
            rows.append([float(all(x[keys.index(key)] == place for key, place in zip(
                each.tally.keys, cell, strict=True))) for x in table])
            numbers.append(float(offset + number * unit))
            weights.append(chance**-0.5)
    scaled = np.array(rows) * np.array(weights)[:, None]
    fitted = np.array(rows) @ np.linalg.lstsq(scaled, np.array(numbers) * weights, rcond=None)[0]
    start = 0
    for each, values in zip(plans, agreed, strict=True):
        size = each.tally.size
        own = [float(answer.value) for answer in values[:size]]
        assert own == pytest.approx(fitted[start : start + size], abs=1e-9)
        start += size


def _variance(noise):
    """The variance of noise in steps, added up from its law far into the tail."""
    rung = lambda z: max(-(-(abs(z) + 1 - noise.first) // noise.step), 0)  # noqa: E731
    q = float(noise.ratio)
    far = noise.step * int(60 / np.log(q)) + noise.step
    weights = {z: q ** -rung(z) for z in range(-far, far + 1)}
    return sum(z * z * weight for z, weight in weights.items()) / sum(weights.values())


def test_agreed_answers_add_up_exactly():
    plans = planned(["count", "histogram of a", "histogram of a and b"])
    agreed, raw = agreed_and_raw(plans, drawn_for(plans, Random(3)))
    (count,), histogram, cross = ([answer.value for answer in values] for values in agreed)
    assert sum(histogram) == count == cross[-1] == sum(cross[:6])
    assert [cross[0] + cross[1], cross[2] + cross[3], cross[4] + cross[5]] == histogram
    assert histogram == cross[6:9]
    assert [answer.cell for answer in agreed[2]] == [answer.cell for answer in raw[2]]


def test_a_question_that_is_related_to_no_other_has_no_agreed_answers():
    plans = planned(["count", "median of n", "histogram of a"])
    agreed, _ = agreed_and_raw(plans, [[[9]], [[3]], [[1, 2, 3]]])
    assert [values is None for values in agreed] == [False, True, False]


def test_agreed_values_are_unbiased_and_less_noisy_and_intervals_hold_together():
    """400 tables with noise drawn by the mechanism itself; the truth is known."""
    from tightrope.samplers import SeededSource, draw

    texts = ["count", "histogram of a", "histogram of a and b"]
    plans, source = planned(texts), SeededSource(11)
    cells = [50, 3, 0, 20, 7, 100]
    by_a = [cells[0] + cells[1], cells[2] + cells[3], cells[4] + cells[5]]
    by_b = [sum(cells[::2]), sum(cells[1::2])]
    truth = [[sum(cells)], by_a, [*cells, *by_a, *by_b, sum(cells)]]
    runs, errors, raws, held = 400, [], [], 0
    for _ in range(runs):
        drawn = [[draw(each.subqueries[0].certified, exact[: each.tally.size], source)]
                 for each, exact in zip(plans, truth, strict=True)]
        agreed, raw = agreed_and_raw(plans, drawn)
        errors.append([float(answer.value - exact) for values, own in zip(
            agreed, truth, strict=True) for answer, exact in zip(values, own, strict=True)])
        raws.append([float(answer.value - exact) for values, own in zip(
            raw, truth, strict=True) for answer, exact in zip(values, own, strict=True)])
        held += all(answer.low <= exact <= answer.high for values, own in zip(
            agreed, truth, strict=True) for answer, exact in zip(values, own, strict=True))
    errors, raws = np.array(errors), np.array(raws)
    assert (np.abs(errors.mean(axis=0)) < 5.5 * errors.std(axis=0) / runs**0.5).all()
    assert ((errors**2).mean(axis=0) < 0.97 * (raws**2).mean(axis=0)).all()
    assert held >= 0.95 * runs - 5 * (0.95 * 0.05 * runs) ** 0.5


def test_an_interval_holds_its_value_and_is_raw_where_relations_leave_nothing():
    plans = planned(["count", "histogram of a"])
    drawn = [[[1000]], [[0, 0, 0]]]  # far beyond any noise
    (count, cells), _ = agreed_and_raw(plans, drawn)
    for answer in (*count, *cells):
        assert answer.low <= answer.value <= answer.high
    assert count[0].high > 1000  # the raw interval, stretched to the value
    assert count[0].low == count[0].value
    near = [[[100]], [[30, 30, 42]]]
    (count, cells), _ = agreed_and_raw(plans, near)
    wide = [width_of_four(each) for each in plans]
    assert count[0].high <= 100 + wide[0]
    assert count[0].low >= max(100 - wide[0], 102 - 3 * wide[1])


def width_of_four(each):
    """Half the length of one of four intervals that hold together at 95 %."""
    return each.subqueries[0].width(1 - Fraction(1, 20) / 4)


def test_of_people_no_cell_is_bounded_by_the_margin_of_another_question():
    """Each question keeps other rows of a person, so only totals bound each other."""
    plans = planned(["histogram of a", "histogram of a and b"], PERSON)
    drawn = [[[100, 100, 100]], [[58, 57, 43, 42, 50, 50]]]  # margins 115, 85, 100
    agreed, _ = agreed_and_raw(plans, drawn)
    numbers = 3 + 6 + 3 + 2 + 1
    wide = plans[0].subqueries[0].width(1 - Fraction(1, 20) / numbers)
    assert [(answer.low, answer.high) for answer in agreed[0]] == [(100 - wide, 100 + wide)] * 3


def test_intervals_are_the_least_that_a_total_and_its_cells_leave():
    """A total that is nearly sure bounds each cell by what the other cells can be at most."""
    questions = [{"ask": "count", "epsilon": 9}, {"ask": "histogram of a", "epsilon": 1}]
    plans = plan(questions, DECLARED, epsilon=10, name="p").plans
    near, far = (width_of_four(each) for each in plans)
    assert near < far
    cells = [30, 31, 32]
    total = sum(cells) + 2 * far  # the cells must lie far above what was drawn
    agreed, _ = agreed_and_raw(plans, [[[total]], [cells]])
    for cell, answer in zip(cells, agreed[1], strict=True):
        others = sum(cells) - cell
        low = max(cell - far, total - near - (others + 2 * far))
        high = min(cell + far, total + near - (others - 2 * far))
        assert (answer.low, answer.high) == (min(low, answer.value), max(high, answer.value))
        assert low > cell - far


def test_people_of_several_cells_do_not_add_up_to_all_people():
    everywhere = {**DECLARED, "unit": {"person": "id", "rows": 3}}  # in every cell of a
    assert related(["people", "people by a"], everywhere) == []
    assert related(["people", "people"], everywhere) == [[0, 1]]


def test_questions_of_too_many_cells_stay_as_they_were_drawn(monkeypatch):
    texts = ["count", "histogram of a and b"]
    monkeypatch.setattr(agreement, "MOST_CELLS", 7)
    assert related(texts) == [[0, 1]]
    monkeypatch.setattr(agreement, "MOST_CELLS", 6)
    assert related(texts) == []
