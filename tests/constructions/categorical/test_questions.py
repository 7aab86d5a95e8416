"""Sanitized tables against perturbed answers, by sums over all tables and over the noise."""

from fractions import Fraction
from itertools import product

import pytest

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.theory import noise_variance, sanitized_or_perturbed


def by_hand(table, values, counted, error):
    """Mean squared errors of the count as it is and corrected, over all sanitized tables."""
    truth = 1 - (values - 1) * error
    kept, taken = 1 - (values - counted) * error, counted * error
    true = sum(x < counted for x in table)
    straight = estimated = Fraction(0)
    for out in product(range(values), repeat=len(table)):
        chance = Fraction(1)
        for x, y in zip(table, out, strict=True):
            chance *= truth if x == y else error
        seen = sum(y < counted for y in out)
        straight += chance * (seen - true) ** 2
        estimated += chance * ((seen - len(table) * taken) / (kept - taken) - true) ** 2
    return straight, estimated


@pytest.mark.parametrize(("rows", "values", "counted", "level"), [
    (3, 3, 1, Level.ratio(2)), (3, 3, 2, Level.ratio(3, "0.1")), (4, 2, 1, Level.ratio("5/4")),
])
def test_errors_are_those_summed_over_all_sanitized_tables(rows, values, counted, level):
    tables = {sum(x < counted for x in t): t for t in product(range(values), repeat=rows)}
    errors = {}
    for count, table in tables.items():
        found = sanitized_or_perturbed(rows, values, level, counted=counted, count=count)
        errors[count] = by_hand(table, values, counted, found.error)
        assert (found.straight, found.estimated) == errors[count]
    worst = sanitized_or_perturbed(rows, values, level, counted=counted)
    assert worst.straight == max(straight for straight, _ in errors.values())
    assert worst.estimated == max(estimated for _, estimated in errors.values())


@pytest.mark.parametrize("level", [
    Level.ratio(2), Level.ratio(3, "0.1"), Level.ratio("3/2", "0.3"),
])
def test_the_noise_has_the_level_and_no_room(level):
    alpha = (1 - level.delta) / (level.base + level.delta)
    law = {z: (1 - alpha) / (1 + alpha) * alpha ** abs(z) for z in range(-200, 201)}
    needed = sum((max(Fraction(0), law[z] - level.base * law[z - 1]) for z in range(-199, 201)),
                 Fraction(0))
    assert float(needed) == pytest.approx(float(level.delta), abs=1e-12)
    variance = sum(z * z * chance for z, chance in law.items())
    assert float(noise_variance(level)) == pytest.approx(float(variance))


def test_from_the_break_even_on_a_sanitized_table_errs_no_more():
    for rows, level in ((50, Level.ratio(2)), (500, Level.epsilon("0.5", "0.01"))):
        turn = sanitized_or_perturbed(rows, 4, level).break_even
        for asked in range(max(1, turn - 2), turn + 3):
            found = sanitized_or_perturbed(rows, 4, level, questions=asked)
            assert (found.estimated <= found.perturbed) == (asked >= turn)


@pytest.mark.parametrize("wrong", [
    {"rows": 0}, {"values": 1}, {"counted": 3}, {"questions": 0}, {"count": 11}, {"rows": 1.5},
    {"level": 401}, {"level": "1e-9"},
])
def test_numbers_that_mean_nothing_are_refused(wrong):
    with pytest.raises(BadInput):
        sanitized_or_perturbed(**{"rows": 10, "values": 3, "level": 1, **wrong})
