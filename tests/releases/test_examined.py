"""Small tables against all their neighbors: rows, cells and laws worked out anew, in plain Python.

Nothing of the library decides here but what it tallies and the parameters of its laws: cells are
clamped, filtered and added up by other code, and ratios of probabilities come from the laws as
they are written down. At e^ε = 3 no answer may be more than 3 times as likely.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import floor, isnan

import pytest

from tightrope.declarations import CutKey, Declaration
from tightrope.releases import Question, plan_release
from tightrope.releases.releasing import statistics
from tightrope.spaces import Occupied
from tightrope.tables import open_source

KEY = CutKey(bytes(range(32)))
LOW, HIGH, CATEGORIES = -1, 2, "ab"
CELLS = [(-1, "a"), (0, "b"), (2, "a"), (None, "b"), (5, "z"), ("inf", "a"), ("?", None),
         (float("nan"), "b"), (0.5, "a")]


def code(x, missing):
    try:
        number = float(x)
    except (TypeError, ValueError):
        return missing
    return missing if isnan(number) else floor(min(max(number, LOW), HIGH) + 0.5)


def count(rows, by):
    found = Counter(tuple(row[k] for k in by) for row in rows)
    return [found[cell] for cell in product(*(CATEGORIES for _ in by))]


QUESTIONS = [  # a question, columns that a row needs, and what is worked out from rows (x, c)
    (Question("count", where="x >= 0"), (),
     lambda rows: [sum(x is not None and x >= 0 for x, _ in rows)]),
    (Question("count", by="c"), (1,), lambda rows: count(rows, (1,))),
    (Question("sum", "x", where="c = 'a'"), (0,),
     lambda rows: [sum(x for x, c in rows if c == "a")]),
    (Question("sum", "x", by="c"), (0, 1),
     lambda rows: [sum(x for x, c in rows if c == cell) for cell in CATEGORIES]),
    (Question("counts", at=("x >= 0", "c = 'a'")), (),
     lambda rows: [sum(x is not None and x >= 0 for x, _ in rows), sum(c == "a" for _, c in rows)]),
    (Question("median", "x", by="c"), (0, 1),
     lambda rows: [sum((x, c) == (v, cell) for x, c in rows)
                   for cell in CATEGORIES for v in range(LOW, HIGH + 1)]),
    (Question("mode", "c"), (1,), lambda rows: count(rows, (1,))),
]


def crossed(noise, step, apart):
    """How many rungs further an answer is from one number than from another so far apart."""
    def rung(z):
        return 0 if abs(z) < noise.first else 1 + (abs(z) - noise.first) // step

    wide = abs(apart) + 3 * step + noise.first
    return max(rung(z + apart) - rung(z) for z in range(-wide, wide + 1))


def chances(scores, ratio):
    """Permute-and-flip by its description: values in any order, the first with heads."""
    heads = [ratio ** (min(scores) - score) for score in scores]
    found = [Fraction(0)] * len(scores)
    orders = list(permutations(range(len(scores))))
    for order in orders:
        left = Fraction(1, len(orders))
        for r in order:
            found[r] += left * heads[r]
            left *= 1 - heads[r]
    return found


def scores(law, counts):
    if not hasattr(law, "below"):
        return [-(n // law.width) for n in counts]
    size, found = sum(counts), []
    for r in range(len(counts)):
        below, above = sum(counts[:r]), sum(counts[r + 1:])
        found.append(max(law.below * below - law.above * (size - below) + law.shift,
                         law.above * above - law.below * (size - above) - law.shift) // law.width)
    return found


def told_apart(part, one, other):
    """How many times as likely an answer can be for the numbers of one table as for another's."""
    law, total = part.mechanism, Fraction(1)
    if part.table is not None:
        (x,), (y,) = one, other
        return max(p / q for p, q in zip(law.row(x), law.row(y), strict=True) if p)
    if hasattr(law, "step"):
        return law.ratio ** sum(crossed(law, law.step, a - b)
                                for a, b in zip(one, other, strict=True))
    if not hasattr(law, "width"):
        far = max(abs(a - b) for a, b in zip(one, other, strict=True))
        return law.ratio ** crossed(law, law.space.most, far)
    for start in range(0, len(one), law.space.values):
        held = [chances(scores(law, counts[start : start + law.space.values]), law.ratio)
                for counts in (one, other)]
        total *= max(p / q for p, q in zip(*held, strict=True))
    return total


def statistic(plan, table):
    rows = [(f"p{k}", x, c) for k, held in enumerate(table) for x, c in held]
    columns = {"who": [who for who, _, _ in rows], "c": [c for *_, c in rows],
               "x": [None if x is None else str(x) for _, x, _ in rows]}
    found = statistics(plan, open_source(columns, plan.declaration), KEY)
    return [numbers.listed(part.subquery.tally.size).tolist() if isinstance(numbers, Occupied)
            else numbers for part, numbers in zip(plan.subqueries, found, strict=True)]


def neighbors(table, own, replaced):
    for k, held in product(range(len(table)), own if replaced else [()]):
        yield [*table[:k], held, *table[k + 1:]]
    if not replaced:
        yield from ([*table, held] for held in own)


@pytest.mark.parametrize("rule", [None, 1])
@pytest.mark.parametrize("unit", [
    {}, {"most": 4}, {"neighbors": "replace", "size": 3}, {"person": "who", "rows": 2, "cells": 1},
    {"person": "who", "rows": 2, "neighbors": "replace", "size": 3},
], ids=str)
def test_no_answer_is_more_than_e_to_the_level_times_as_likely_for_a_neighbor(unit, rule):
    column = {"type": "number", "low": LOW, "high": HIGH, "resolution": 1}
    declaration = Declaration.of({"dataset": "d", "unit": unit, "columns": {
        "x": column if rule is None else {**column, "missing": rule},
        "c": {"type": "category", "values": [*CATEGORIES], "other": "b"}}})
    person, largest = "person" in unit, Fraction(0)
    own = [(cell,) for cell in CELLS[::2]]
    if person:
        own = [(), (CELLS[0], CELLS[3]), (CELLS[1], CELLS[4], CELLS[2]), (CELLS[5],)]
    table = [own[1], own[2], own[3]]
    coded = [(code(x, rule), c if c in (*CATEGORIES, None) else "b")
             for held in table for x, c in held]
    for question, needed, worked_out in QUESTIONS:
        plan = plan_release(question, declaration, "ln(3)")
        held = statistic(plan, table)
        if not person:
            kept = [row for row in coded if all(row[k] is not None for k in needed)]
            part = plan.subqueries[0].subquery
            assert worked_out(kept) == [part.offset + n * part.unit for n in held[0]]
        for other in neighbors(table, own, "size" in unit):
            for part, one, two in zip(plan.subqueries, held, statistic(plan, other), strict=True):
                found = max(told_apart(part, one, two), told_apart(part, two, one))
                assert found <= 3, question.text
                largest = max(largest, found)
    assert largest > Fraction(29, 10)
