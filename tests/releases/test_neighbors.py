"""All neighbors of small tables, by brute force: nothing changes more than the plan says."""

from itertools import combinations_with_replacement, product

import pytest

from tests.tables.plain import tally_rows
from tightrope.declarations import CutKey, Declaration
from tightrope.releases import Question
from tightrope.releases.planning import strategies_of
from tightrope.spaces import Lattice, Occupied, Tallies, Totals

COLUMNS = {
    "x": {"type": "number", "low": -1, "high": 2, "resolution": 1, "bins": [-1, 1, 2]},
    "c": {"type": "category", "values": ["a", "b"]},
}
CELLS = [(-1, "a"), (0, "b"), (2, "a"), (None, "b"), (5, "z")]
QUESTIONS = [
    Question("count", where="x >= 0"), Question("count", by=("c",)), Question("sum", ("x",)),
    Question("sum", ("x",), ("c",)), Question("mean", ("x",)),
    Question("mean", ("x",), ("c",), "x < 2"), Question("histogram", ("x",)),
    Question("cross", ("x", "c")), Question("variance", ("x",)),
    Question("variance", ("x",), ("c",)), Question("proportion", at="x >= 0"),
    Question("proportion", by=("c",), at="x >= 0"),
    Question("proportion", where="c = 'a'", at="x >= 0"),
    Question("counts", at=("x >= 0", "c = 'a'", "x < 2")),
    Question("counts", by=("c",), at=("x >= 0", "x < 2")),
    Question("median", ("x",)), Question("quantiles", ("x",), ("c",), at=("0.2", "0.9")),
    Question("quantiles", ("x",), at=("0.2", "0.9")),
    Question("distribution", ("x",)), Question("mode", ("c",), ("x",)),
    Question("upper_bound", "x"), Question("lower_bound", "x", where="c = 'a'"),
]
KEYS = [CutKey(bytes([number]) * 32) for number in range(3)]
PEOPLE = [*(Question("people", by=by) for by in ((), ("c",), ("x", "c"))),
          Question("cut"), Question("cut", by="c"), Question("cut", by=("x", "c"), where="x < 2")]


def declared(unit, rule):
    columns = {**COLUMNS, "x": {**COLUMNS["x"], **({"missing": 1} if rule else {})}}
    return Declaration.of({"dataset": "d", "unit": unit, "columns": columns})


def persons(rows):
    """Everything that one person may have in the table: up to so many rows and one more."""
    return [held for count in range(rows + 2)
            for held in combinations_with_replacement(CELLS, count)]


def table_of(*people):
    return [{"who": f"p{k}", "x": x, "c": c} for k, held in enumerate(people) for x, c in held]


def tallied(part, rows, key=KEYS[0]):
    found = part.numbers(tally_rows(part.tally, rows, key))
    return found.listed(part.tally.size) if isinstance(found, Occupied) else found


def used(space, one, other):
    """How much of what a space allows two lists of numbers differ by: at most 1 if neighbors."""
    up = sum(max(a - b, 0) for a, b in zip(one, other, strict=True))
    down = sum(max(b - a, 0) for a, b in zip(one, other, strict=True))
    if isinstance(space, Lattice):
        return abs(one[0] - other[0]) / space.norm.block
    if isinstance(space, Totals):
        return max(abs(a - b) for a, b in zip(one, other, strict=True)) / space.most
    if isinstance(space, Tallies):
        touched = sum(a != b for a, b in zip(one, other, strict=True))
        return max((up + down) / space.change, 2 * (touched > space.touched))
    if not space.removed:
        return max(up, down) / space.added + 2 * (min(up, down) > 0)
    return max(max(up, down) / space.added, min(up, down) / space.removed)


@pytest.mark.parametrize("rule", [False, True])
@pytest.mark.parametrize("unit", [
    {}, {"neighbors": "replace", "size": 3},
    {"person": "who", "rows": 2}, {"person": "who", "rows": 2, "cells": 1},
    {"person": "who", "rows": 1, "cells": 3},
    {"person": "who", "rows": 2, "neighbors": "replace", "size": 2},
], ids=str)
def test_neighbors_differ_by_what_the_mechanism_is_proved_for(unit, rule):
    declaration = declared(unit, rule)
    person = "person" in unit
    own = persons(2) if person else [(cell,) for cell in CELLS]
    rest = ((0, "b"), (2, "a"))
    reached = {}
    for question in [*QUESTIONS, *(PEOPLE if person else [])]:
        for number, offer in enumerate(strategies_of(question, declaration)):
            for place, part in enumerate(offer.subqueries):
                replaced, name = unit.get("neighbors") == "replace", (question.text, number, place)
                for key in KEYS if person and not replaced else KEYS[:1]:
                    numbers = {held: tallied(part, table_of(held, rest), key)
                               for held in {*own, ()}}
                    for one, other in product(own, own if replaced else [()]):
                        found = used(part.space, numbers[one], numbers[other])
                        assert found <= 1, question.text
                        reached[name] = max(reached.get(name, 0), found)
    assert max(reached.values()) == 1
    assert min(reached.values()) >= 0.5, reached


@pytest.mark.parametrize("question", [
    Question("sum", ("x",), ("c",)), Question("sum", ("x",), where="c = 'a'"),
    Question("sum", ("x",)),
], ids=lambda question: question.text)
@pytest.mark.parametrize(("low", "high"), [(17, 42), (-42, -17)])
def test_a_row_that_may_be_left_out_is_replaced_by_nothing(question, low, high):
    """From 42 to nothing is more than from 42 to 17; there is one cell in all three."""
    columns = {"x": {"type": "number", "low": low, "high": high, "resolution": 1, "missing": low},
               "c": {"type": "category", "values": ["a"]}}
    declaration = Declaration.of(
        {"dataset": "d", "unit": {"neighbors": "replace", "size": 2}, "columns": columns})
    (offer,) = strategies_of(question, declaration)
    (part,) = offer.subqueries
    rest = {"x": low, "c": "a"}
    sums = [tallied(part, [{"x": x, "c": c}, rest])[0]
            for x, c in product((low, high, None), "az")]
    assert part.space.change == max(sums) - min(sums)


@pytest.mark.parametrize("unit", [{}, {"person": "who", "rows": 2}], ids=str)
@pytest.mark.parametrize("by", [(), ("c",)], ids=str)
@pytest.mark.parametrize(("low", "high"), [(-5, 2), (-5, -2), (2, 5), (-2, 5)])
def test_a_row_adds_to_a_sum_as_much_as_the_bound_that_is_farther_from_0(unit, by, low, high):
    columns = {**COLUMNS, "x": {"type": "number", "low": low, "high": high, "resolution": 1}}
    declaration = Declaration.of({"dataset": "d", "unit": unit, "columns": columns})
    (offer,) = strategies_of(Question("sum", ("x",), by), declaration)
    (part,) = offer.subqueries
    assert part.space.change == 5 * unit.get("rows", 1)
    assert part.unit == 1
