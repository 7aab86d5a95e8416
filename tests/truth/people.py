"""Tables in which a column names people: what a cut keeps is even, and what is said of it holds.

People have one to five stays in wards of unequal size. The kept rows of a person are drawn anew
for each release; over these cuts a row of r is kept with probability min(1, k/r), which gives the
mean that released counts are held against.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from tests.truth.judge import Tally
from tightrope.declarations import CutKey
from tightrope.releases import OpenTable, Question, open_books
from tightrope.releases.answers import answers
from tightrope.releases.releasing import statistics
from tightrope.samplers import SeededSource, draw

WARDS = ("heart", "cancer", "psychiatry", "surgery")
PERSONS = 150
Stay = tuple[str, str, int]


def stays() -> list[Stay]:
    """Person, ward and days of every stay; a person may be in one ward several times."""
    random = Random("stays")
    return [(f"p{person}", random.choices(WARDS, (40, 5, 15, 40))[0], random.randrange(31))
            for person in range(PERSONS) for _ in range(random.choice((1, 1, 2, 3, 5)))]


def opened(rows: int, cells: int | None = None) -> OpenTable:
    """The table of stays, of which so many rows of a person count, in so many wards."""
    who, ward, days = zip(*stays(), strict=True)
    unit = {"person": "id", "rows": rows} | ({} if cells is None else {"cells": cells})
    return open_books({"id": list(who), "ward": list(ward), "days": list(days)}, {
        "dataset": "stays", "unit": unit, "columns": {
            "ward": {"type": "category", "values": list(WARDS)},
            "days": {"type": "number", "low": 0, "high": 30, "resolution": 1}}})


def kept_mean(kept: int) -> dict[str, Fraction]:
    """How many rows of each ward are kept, on average over all cuts."""
    own: dict[str, list[str]] = {}
    for person, ward, _ in stays():
        own.setdefault(person, []).append(ward)
    chance = {person: min(Fraction(1), Fraction(kept, len(held))) for person, held in own.items()}
    return {ward: sum((chance[person] for person, where, _ in stays() if where == ward),
                      Fraction(0)) for ward in WARDS}


def kept_rows(repetitions: int) -> list[Tally]:
    """Counts of kept rows by ward: one interval for this cut, one for the mean over cuts."""
    tallies = []
    for kept in (1, 2):
        table, truth = opened(kept), kept_mean(kept)
        plan = table.dry_run(Question("count", (), "ward"), 1)
        ours = {ward: Tally(f"kept rows, {kept} a person, {ward}", stated=0.95, unbiased=True)
                for ward in WARDS}
        means = {ward: Tally(f"mean over cuts, {kept} a person, {ward}", stated=0.95)
                 for ward in WARDS}
        source = SeededSource(21)
        for _ in range(repetitions):
            numbers = statistics(plan, table._source, CutKey(source.bytes(32)))
            drawn = [draw(plan.subqueries[0].certified, numbers[0], source)]
            for answer, cut in zip(answers(plan, drawn), numbers[0], strict=True):
                (ward,) = answer.cell
                ours[ward].add(float(answer.value - truth[ward]), answer.low <= cut <= answer.high)
                low, high = answer.over_cuts
                means[ward].add(covered=low <= truth[ward] <= high)
        tallies += [*ours.values(), *means.values()]
    return tallies


def people_by_ward(repetitions: int) -> list[Tally]:
    """People of every ward, where as many wards count as there are: nobody is left out."""
    table = opened(1, len(WARDS))
    truth = {ward: len({who for who, where, _ in stays() if where == ward}) for ward in WARDS}
    plan = table.dry_run(Question("people", (), "ward"), 1)
    held = {ward: Tally(f"people of {ward}", stated=0.95, unbiased=True) for ward in WARDS}
    source = SeededSource(23)
    for _ in range(repetitions):
        numbers = statistics(plan, table._source, CutKey(source.bytes(32)))
        drawn = [draw(plan.subqueries[0].certified, numbers[0], source)]
        for answer in answers(plan, drawn):
            (ward,) = answer.cell
            held[ward].add(float(answer.value - truth[ward]),
                           answer.low <= truth[ward] <= answer.high)
    return list(held.values())


def people_in_all(repetitions: int) -> list[Tally]:
    """The number of people, which no cut changes."""
    table = opened(1)
    plan = table.dry_run(Question("people"), 1)
    held, source = Tally("people in all", stated=0.95, unbiased=True), SeededSource(25)
    for _ in range(repetitions):
        numbers = statistics(plan, table._source, CutKey(source.bytes(32)))
        (answer,) = answers(plan, [draw(plan.subqueries[0].certified, numbers[0], source)])
        held.add(float(answer.value - PERSONS), answer.low <= PERSONS <= answer.high)
    return [held]


def people_cut(repetitions: int) -> list[Tally]:
    """People of whom rows or wards are cut, against what they have."""
    table = opened(3, 2)
    own: dict[str, list[str]] = {}
    for person, ward, _ in stays():
        own.setdefault(person, []).append(ward)
    many = sum(len(held) > 3 for held in own.values())
    truth = [many, sum(len(held) <= 3 and len({*held}) > 2 for held in own.values())]
    plan = table.dry_run(Question("cut", (), "ward"), 1)
    held = [Tally(f"people cut, {cell[0]}", stated=0.95, unbiased=True,
                  expected=float(plan.error)) for cell in plan.cells]
    source = SeededSource(27)
    for _ in range(repetitions):
        numbers = statistics(plan, table._source, CutKey(source.bytes(32)))
        drawn = [draw(plan.subqueries[0].certified, numbers[0], source)]
        for answer, tally, people in zip(answers(plan, drawn), held, truth, strict=True):
            tally.add(float(answer.value - people), answer.low <= people <= answer.high)
    return held


PEOPLE: tuple[Callable[[int], list[Tally]], ...] = (
    kept_rows, people_by_ward, people_in_all, people_cut)
