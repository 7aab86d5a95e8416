"""Keys that nobody listed: how often each appears, and what is said of its count when it does.

Visits name drugs from one visit to hundreds; people take one or two. The truth is the number of
visits, or of people after the cut, counted here from the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import exp

from tests.truth.judge import Tally
from tightrope.declarations import CutKey
from tightrope.releases import open_books
from tightrope.releases.answers import answers
from tightrope.releases.releasing import statistics
from tightrope.samplers import SeededSource

SIZES = {"common": 300, "usual": 60, "seen": 18, "near": 15, "below": 13, "seldom": 10}
DELTA = "1e-4"


def visits(repetitions: int) -> list[Tally]:
    """Visits of each drug: of all releases in which it appears, intervals hold as stated."""
    rows = [drug for drug, size in SIZES.items() for _ in range(size)]
    table = open_books({"drug": rows}, {"dataset": "visits", "columns": {
        "drug": {"type": "text"}}})
    plan = table.dry_run("count by drug", "0.5", delta=DELTA)
    mechanism = plan.subqueries[0].mechanism
    held = {drug: Tally(f"visits of {drug}, when it appears", stated=0.95) for drug in SIZES}
    errors = Tally("visits of a drug that always appears", unbiased=True)
    shown: Counter[str] = Counter()
    source = SeededSource(31)
    numbers = statistics(plan, table._source, CutKey(bytes(32)))
    for _ in range(repetitions):
        drawn = [plan.subqueries[0].draw(numbers[0], source)]
        for answer in answers(plan, drawn):
            (drug,) = answer.cell
            shown[drug] += 1
            held[drug].add(covered=answer.low <= SIZES[drug] <= answer.high)
            if drug == "common":
                errors.add(float(answer.value - SIZES[drug]))
    for drug, size in SIZES.items():  # six standard errors
        chance = float(mechanism.chance(size))
        wide = 6 * (repetitions * chance * (1 - chance)) ** 0.5 + 1e-9
        assert abs(shown[drug] - repetitions * chance) <= wide, drug
    return [*(tally for tally in held.values() if tally.tried), errors]


def patients(repetitions: int) -> list[Tally]:
    """People of each drug, of whom everyone takes two and one counts, drawn anew."""
    people = range(400)
    rows = {"who": [*people, *people], "drug": ["common"] * 400 + ["usual"] * 300 + ["seen"] * 100}
    table = open_books(rows, {"dataset": "visits", "unit": {"person": "who"}, "columns": {
        "drug": {"type": "text"}}})
    plan = table.dry_run("people by drug", 1, delta=DELTA)
    held = {drug: Tally(f"people of {drug}, as cut", stated=0.95) for drug in ("common", "usual")}
    source = SeededSource(33)
    for _ in range(repetitions):
        (numbers,) = statistics(plan, table._source, CutKey(source.bytes(32)))
        assert sum(numbers.values()) == 400
        for answer in answers(plan, [plan.subqueries[0].draw(numbers, source)]):
            if answer.cell[0] in held:
                held[answer.cell[0]].add(
                    covered=answer.low <= numbers[answer.cell] <= answer.high)
    return list(held.values())


def names(repetitions: int) -> list[Tally]:
    """Keys alone: each appears as often as the largest chances that the level allows."""
    rows = [drug for drug, size in SIZES.items() for _ in range(size)]
    table = open_books({"drug": rows}, {"dataset": "visits", "columns": {
        "drug": {"type": "text"}}})
    plan = table.dry_run("keys of drug", "0.5", delta=DELTA)
    numbers = statistics(plan, table._source, CutKey(bytes(32)))
    shown: Counter[str] = Counter()
    source = SeededSource(35)
    for _ in range(repetitions):
        shown.update(answer.cell[0] for answer in answers(
            plan, [plan.subqueries[0].draw(numbers[0], source)]))
    assert set(shown) <= set(SIZES)
    for drug, size in SIZES.items():  # six standard errors
        chance = largest_chance(size, exp(0.5), float(DELTA))
        wide = 6 * (repetitions * chance * (1 - chance)) ** 0.5 + 1e-3 * repetitions
        assert abs(shown[drug] - repetitions * chance) <= wide, drug
    return []


def largest_chance(units: int, ratio: float, delta: float) -> float:
    """The largest chance that a key of so many units appears, one unit after the other."""
    chance = 0.0
    for _ in range(units):
        chance = min(1.0, ratio * chance + delta, 1 - (1 - chance - delta) / ratio)
    return chance


KEYS: tuple[Callable[[int], list[Tally]], ...] = (visits, patients, names)
