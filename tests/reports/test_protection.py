"""Odds and tests: bounds that a worst pair of laws attains, rounded up."""

from fractions import Fraction
from itertools import combinations

import pytest

from tests.reports.stage import FORM, ask, open_table
from tightrope.exact import Level
from tightrope.reports import report
from tightrope.reports.contents import best_test, odds_factor, percent_up, rounded_up


def worst_pair(ratio, delta):
    """The two laws that are as far apart as (ln ratio, δ) allows (Kairouz and others)."""
    rest = 1 - delta
    p = [delta, rest * ratio / (1 + ratio), rest / (1 + ratio), Fraction(0)]
    return p, p[::-1]


def best_power(p, q, alarms):
    """The most that a randomized test finds, by trying all sets and one outcome in part."""
    best = Fraction(0)
    places = range(len(p))
    for size in range(len(p) + 1):
        for chosen in combinations(places, size):
            false, true = sum(p[k] for k in chosen), sum(q[k] for k in chosen)
            if false > alarms:
                continue
            best = max(best, true)
            for part in {*places} - {*chosen}:
                share = min(Fraction(1), (alarms - false) / p[part]) if p[part] else Fraction(1)
                best = max(best, true + share * q[part])
    return best


@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(3, 2), Fraction(10), Fraction(1000)])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 100), Fraction(1, 5)])
@pytest.mark.parametrize("alarms", [Fraction(1, 20), Fraction(1, 3), Fraction(9, 10)])
def test_the_bound_on_tests_is_attained_by_the_worst_pair(ratio, delta, alarms):
    level = Level.ratio(ratio, delta)
    assert best_test(level, alarms) == best_power(*worst_pair(ratio, delta), alarms)


def test_the_factor_of_odds_is_never_too_small():
    assert odds_factor(Level.ratio(3)) == 3
    assert odds_factor(Level.of("0.5")) >= Fraction("1.648721270700128146")
    assert odds_factor(Level.of("0.5")) - Fraction("1.6487212707001281469") < Fraction(1, 10**10)


def test_what_is_shown_is_rounded_up():
    assert rounded_up(Fraction(10, 3)) == "3.34"
    assert rounded_up(Fraction(3)) == "3.00"
    assert rounded_up(Fraction(1000001, 1000)) == "1,000.01"
    assert rounded_up(odds_factor(Level.of(20000))) == "10^8686"  # e^20000 is 10^8685.89
    assert percent_up(Fraction(1, 3)) == "33.4 %"
    assert percent_up(Fraction(1)) == "100 %"


@pytest.mark.parametrize(("unit", "sentences", "not_said"), [
    ({}, ("whether one row is in the data", "at most 2.72 to 1", "counts twice: at most 7.39 to 1"),
     "guesses between"),
    ({"neighbors": "replace", "size": 8},
     ("guesses between two contents of one row", "at most 2.72 to 1"), "whether one row"),
])
def test_odds_between_two_values_change_twice_unless_neighbors_replace(
    tmp_path, unit, sentences, not_said
):
    """A row that moves from one cell to another is taken out and put in: e^ε for each."""
    table = open_table(tmp_path, {**FORM, "unit": unit})
    report(ask(table, "histogram of drug", level=1), tmp_path / "out")
    text = (tmp_path / "out" / "report.md").read_text()
    assert all(sentence in text for sentence in sentences)
    assert not_said not in text
