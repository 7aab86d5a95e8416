"""What records hold: sums of levels, exactly, and lines that follow from one another."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tightrope.declarations import Declaration
from tightrope.errors import BadDocument, BadInput
from tightrope.exact import Intervals, Level
from tightrope.ledger.entries import (
    START,
    Balance,
    Budget,
    Charge,
    Kind,
    Record,
    Scope,
    Spent,
    canonical,
    charged,
    entry_from,
    first_break,
    level_form,
    level_from,
    record_from,
    seal_of,
    spent_from,
)
from tightrope.ledger.scopes import neighbors_words
from tightrope.spaces import RealLine

SCOPE = Scope("fair", "row", "replace")


def spent(*levels):
    total = Spent()
    for level in levels:
        total = total.plus(level)
    return total


def test_deltas_add_up_beside_epsilons_and_both_are_within_the_budget_or_not():
    budget = Level.epsilon(1, "1/10")
    half = Level.epsilon("1/2", "1/20")
    assert Spent().within(budget)
    assert spent(half).delta == Fraction(1, 20)
    assert spent(half, half) == Spent(Level.epsilon(1), Fraction(1, 10))
    assert spent(half, half).within(budget)
    assert not spent(half, half, Level.epsilon("1e-9")).within(budget)  # ε alone
    assert not spent(Level.epsilon("1/2", "11/100")).within(budget)  # δ alone
    assert not spent(half).within(budget.pure)


def test_a_sum_covers_a_charge_if_neither_its_epsilon_nor_its_delta_is_below():
    total = spent(Level.epsilon(1, "1/10"))
    assert total.covers(Level.epsilon(1, "1/10"))
    assert not total.covers(Level.epsilon("1.1", "1/10"))  # ε alone
    assert not total.covers(Level.epsilon(1, "11/100"))  # δ alone
    assert not Spent().covers(Level.epsilon("1e-9"))


def test_a_sum_is_shown_with_its_delta_and_nothing_is_zero():
    assert Spent().shown == "ε = 0"
    assert spent(Level.epsilon("1/2")).shown == "ε = 0.5"
    assert spent(Level.epsilon("1/2", "1/8")).shown == "ε = 0.5, δ = 0.125"


@pytest.mark.parametrize("total", [
    Spent(), spent(Level.epsilon("1/3")), spent(Level.ratio(2, "1/7"), Level.epsilon(1)),
])
def test_a_sum_is_read_as_it_was_written(total):
    assert spent_from(total.as_json()) == total


@pytest.mark.parametrize("level", [Level.epsilon("1/3", "1/7"), Level.ratio("3/2")])
def test_a_level_is_read_as_it_was_written(level):
    assert level_from(level_form(level)) == level


@pytest.mark.parametrize("change", [
    {"rational": "1e9"}, {"rational": "1/0"}, {"rational": " 1"}, {"rational": "0"},
    {"delta": "1"}, {"base": "-2"}, {"rational": 1},
])
def test_a_level_that_cannot_be_read_is_refused(change):
    with pytest.raises(BadDocument, match="cannot be read"):
        level_from({**level_form(Level.epsilon(1)), **change})
    for form in (None, [], {"rational": "1"}):
        with pytest.raises(BadDocument):
            level_from(form)


@pytest.mark.parametrize(("budget", "levels", "left"), [
    (Level.epsilon(1), [], "ε = 1"), (Level.epsilon(1), [Level.epsilon("0.3")], "ε = 0.7"),
    (Level.epsilon(1), [Level.epsilon(1)], "ε = 0"), (Level.ratio(2), [], "ε = ln(2)"),
    (Level.ratio(4), [Level.ratio(2), Level.ratio(2)], "ε = 0"),
    (Level.ratio(4), [Level.ratio(2)], "ε = 0.693147 (about)"),
    (Level.epsilon(1), [Level.ratio(2)], "ε = 0.306853 (about)"),
    (Level.ratio(4), [Level.epsilon("0.5")], "ε = 0.886294 (about)"),
    (Level.epsilon(1, "1/4"), [Level.epsilon("0.5", "1/8")], "ε = 0.5, δ = 0.125"),
    (Level.epsilon(1, "1/4"), [Level.epsilon("0.5")], "ε = 0.5, δ = 0.25"),
])
def test_what_is_left_is_the_budget_without_what_was_spent(budget, levels, left):
    assert Balance(Budget("now", SCOPE, budget), spent(*levels), len(levels), 0).remaining == left


def test_a_scope_tells_the_public_number_of_units():
    form = {"dataset": "d", "columns": {"x": {"type": "number", "low": 0, "high": 1}}}
    replaced = Declaration.of({**form, "unit": {"neighbors": "replace", "size": 9}})
    assert Scope.of(replaced).neighbors == "replace:units=9"
    assert Scope.of(Declaration.of(form)).neighbors == "add-remove"


def test_a_budget_takes_its_delta_from_the_level_unless_one_is_stated():
    level = Level.epsilon(1, "1/10")
    assert Budget.of("now", SCOPE, level).level == level
    assert Budget.of("now", SCOPE, level, "1/5").level.delta == Fraction(1, 5)


@pytest.mark.parametrize("make", [
    lambda: Scope("", "row", "replace"), lambda: Scope("a", " ", "replace"),
    lambda: Scope("a", "row", "re\nplace"), lambda: Scope("a", "row", "replace", 7),
    lambda: Budget("", SCOPE, Level.epsilon(1)), lambda: Charge("", SCOPE, 1, "m"),
    lambda: Charge("q", SCOPE, 1, ""), lambda: Charge("q", SCOPE, 1, "m", request=""),
])
def test_what_is_not_named_in_one_line_is_refused(make):
    with pytest.raises(BadInput):
        make()


@pytest.mark.parametrize("make", [
    lambda: Scope("d", "person (id)", "replace"), lambda: Scope("d", "row", "replace, of 9 units"),
    lambda: Scope("d", "row", "replace", "units that differ"), lambda: Scope("d", "Row", "replace"),
    lambda: Charge("q", SCOPE, 1, "noise in boxes"), lambda: Charge("q", SCOPE, 1, "tally, box"),
])
def test_records_hold_codes_and_no_sentences(make):
    with pytest.raises(BadInput, match="is a code, such as"):
        make()


def test_codes_are_shown_in_words():
    scope = Scope("d", "person:a (b)", "rewire:nodes=9", "meters:200")
    assert scope.shown == ("dataset d; unit person (a (b)); neighbors rewire, of 9 nodes; metric "
                           "positions at most 200 m apart on the ground")
    assert Scope("d", "places:3", "replace").shown == (
        "dataset d; unit person of at most 3 places; neighbors replace; metric units that differ")
    line = RealLine(Intervals.of([(0, "1/2"), (10, 10)]))
    assert line.code == "differ:0..1/2,10"
    assert neighbors_words(line.code) == line.relation


def test_records_follow_from_one_another_and_the_first_that_does_not_is_named():
    key, seal, records = b"k" * 32, START, []
    for number in range(1, 4):
        line = canonical(number, Kind.BUDGET, "now", "t", {"n": number})
        seal = seal_of(key, seal, line)
        records.append(Record(number, Kind.BUDGET, "now", "t", {"n": number}, seal))
    assert first_break(key, records) is None
    assert first_break(key, []) is None
    assert canonical(1, Kind.BUDGET, "für", "t", {}) == b'[1,"budget","f\\u00fcr","t",{}]'
    assert first_break(b"x" * 32, records) == 1
    assert first_break(key, records[1:]) == 1
    assert first_break(key, records[1:], 1, records[0].seal) is None
    assert first_break(key, [records[0], records[2]]) == 2
    changed = Record(2, Kind.BUDGET, "now", "t", {"n": 7}, records[1].seal)
    assert first_break(key, [records[0], changed, records[2]]) == 2
    line = canonical(5, Kind.BUDGET, "now", "t", {"n": 2})  # seal_of, but not the second
    jumped = Record(5, Kind.BUDGET, "now", "t", {"n": 2}, seal_of(key, records[0].seal, line))
    assert first_break(key, [records[0], jumped]) == 2


def test_an_entry_whose_field_could_say_anything_is_no_entry():
    """Every field of an entry that a release prints has its one form."""
    charge = Charge("count", SCOPE, "1/2", "geometric", "ab" * 32, "spring",
                    f"sha256:{'cd' * 32}", (("count", Level.of("1/2")),), "ana",
                    f"sha256:{'ef' * 32}")
    half = spent(Level.of("1/2"))
    entry = Record(2, Kind.CHARGE, "2026", "2026-11-19T04:30:00+00:00",
                   charged(charge, half, half), "01" * 32).as_json()
    assert entry_from(entry).as_json() == entry
    nobody = {name: value for name, value in entry.items() if not name.startswith("asker")}
    assert entry_from(nobody).as_json() == nobody
    [part] = entry["parts"]
    others = [
        {"number": 1}, {"number": True}, {"number": "2"}, {"number": 2.0}, {"time": "yesterday"},
        {"time": "2026-11-19T04:30:00+01:00"}, {"seal": "all of it was proved"},
        {"declaration": "all women"}, {"declaration": None}, {"law": "ab" * 32}, {"law": None},
        {"terms": "with the largest care"}, {"terms": "ef" * 32}, {"budget": "2026\n2027"},
        {"question": "count\nof all"}, {"parts": [{**part, "question": "count\u202e"}]},
        {"parts": [{"question": "count"}]}, {"spent": None}, {"asker_spent": None},
        {"asker": "ana "}, {"kind": "other"}, {"more": 1}]
    for other in others:
        with pytest.raises(BadDocument, match="not written as a ledger writes one"):
            entry_from({**entry, **other})


@pytest.mark.parametrize("other", [
    {"time": "yesterday"}, {"time": "2026-11-19"}, {"number": True}, {"seal": "ab" * 31},
    {"budget": "2026\n"}, {"kind": "refund"}])
def test_an_exported_line_with_another_form_is_no_record(other):
    record = Record(3, Kind.ANSWER, "2026", "2026-11-19T04:30:00+00:00",
                    {"entry": 2, "answer": {}}, "01" * 32)
    assert record_from(record.as_json()) == record
    with pytest.raises(BadDocument, match=r"not a record|64 hexadecimal"):
        record_from({**record.as_json(), **other})


def test_all_that_a_charge_states_is_in_its_record():
    """What a record leaves out, the same request could change."""
    plain = Charge("count", SCOPE, "1/2", "geometric")
    stated = {"declaration": "ab" * 32, "request": "spring", "law": f"sha256:{'cd' * 32}",
              "parts": (("count", Level.of("1/2")),), "asker": "ana",
              "terms": f"sha256:{'ef' * 32}"}
    for name, value in stated.items():
        assert replace(plain, **{name: value}).as_json() != plain.as_json()
