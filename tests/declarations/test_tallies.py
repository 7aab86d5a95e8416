"""The exact statistic before any noise, row by row: what every engine must agree with."""

import hashlib
from itertools import product

import pytest

from tests.tables.plain import tally_rows
from tightrope.declarations import CutKey, Declaration, Not, Tally, read_filter
from tightrope.errors import BadInput

KEY = CutKey(bytes(range(32)))
COLUMNS = {
    "age": {"type": "number", "low": 0, "high": 10, "resolution": 1, "bins": [0, 4, 10]},
    "vote": {"type": "category", "values": ["no", "yes", "?"], "missing": "leave out",
             "other": "leave out"},
    "pay": {"type": "number", "low": 0, "high": 100, "resolution": 1, "missing": "leave out"},
}


def declared(**unit):
    return Declaration.of({"dataset": "fair", "columns": COLUMNS, "unit": unit})


EACH = declared()
PEOPLE = declared(person="id", rows=3, cells=2)


def test_rows_are_counted_in_the_cells_of_their_keys_the_last_changing_fastest():
    rows = [{"age": 2, "vote": "yes"}, {"age": 2, "vote": "yes"}, {"age": 4, "vote": "no"},
            {"age": 10, "vote": "?"}, {"age": 3, "vote": "none of these"}, {"age": 3}]
    both = Tally(EACH, ("age", "vote"))
    assert (both.shape, both.size) == ((2, 3), 6)
    assert both.cells == tuple(product(EACH.column("age").cells, ("no", "yes", "?")))
    assert tally_rows(both, rows, KEY).counts == (0, 2, 0, 1, 0, 1)
    other = Tally(EACH, ("vote", "age"))
    assert tally_rows(other, rows, KEY).counts == (0, 1, 2, 0, 0, 1)
    none = Tally(EACH)
    assert (none.shape, none.size, none.cells) == ((), 1, ((),))
    assert tally_rows(none, rows, KEY).counts == (6,)
    assert tally_rows(none, rows, KEY).sums == ()


def test_codes_are_added_up_beside_the_count_and_rows_without_one_are_left_out():
    rows = [{"pay": 5, "vote": "yes"}, {"pay": 7, "vote": "yes"}, {"pay": 1000, "vote": "no"},
            {"vote": "no"}, {"pay": 3}, {"pay": 0, "vote": "?"}]
    found = tally_rows(Tally(EACH, ("vote",), ("pay",)), rows, KEY)
    assert (found.counts, found.sums) == ((1, 2, 1), ((100, 12, 0),))


def test_a_filter_keeps_rows_and_needs_its_columns_but_does_not_require_them():
    old = Tally(EACH, ("vote",), where=read_filter("age >= 5", EACH.columns))
    assert old.columns == ("age", "vote")
    assert [each.name for each in old.required] == ["vote"]
    rows = [{"age": 4, "vote": "no"}, {"age": 5, "vote": "no"}, {"age": 9, "vote": "yes"}]
    assert tally_rows(old, rows, KEY).counts == (1, 1, 0)
    paid = Tally(EACH, ("vote",), ("pay",), read_filter("age >= 5", EACH.columns))
    assert paid.columns == ("age", "vote", "pay")
    assert [each.name for each in paid.required] == ["vote", "pay"]


def test_a_row_is_read_column_by_column_as_declared_whatever_the_question_names_first():
    where = read_filter("vote = 'yes' and not (age < 3 or pay > 7) and age < 3", EACH.columns)
    tally = Tally(EACH, ("vote", "age"), ("pay",), where)
    kinds = [(type(each).__name__, each.name) for each in tally.readings]
    assert kinds == [("Bin", "age"), ("Compared", "age"), ("Code", "vote"), ("Among", "vote"),
                     ("Code", "pay"), ("Compared", "pay")]


def test_codes_of_the_last_key_are_counted_so_many_to_a_cell():
    fine = Tally(EACH, ("vote", "age"), fine=4)
    assert fine.shape == (3, 3)  # ages 0 to 3, 4 to 7, 8 to 10
    assert fine.cells == (("no",), ("yes",), ("?",))
    assert [fine.by_code(k) for k in (0, 1)] == [False, True]
    rows = [{"vote": "no", "age": 3}, {"vote": "no", "age": 4}, {"vote": "yes", "age": 10},
            {"vote": "?", "age": 7}]
    found = tally_rows(fine, rows, KEY)
    assert (found.cells, found.counts) == ((0, 1, 5, 7), (1, 1, 1, 1))
    assert Tally(EACH, ("pay",), fine=1).shape == (101,)
    by_code = tally_rows(Tally(EACH, ("age",), fine=1), [*rows, *rows[:2]], KEY)
    assert (by_code.cells, by_code.counts) == ((3, 4, 7, 10), (2, 2, 1, 1))
    three = Tally(EACH, ("vote", "age", "pay"), fine=50)
    assert three.shape == (3, 2, 3)
    assert three.cells == tuple(product(("no", "yes", "?"), EACH.column("age").cells))
    assert not any(Tally(EACH, ("vote", "age")).by_code(k) for k in (0, 1))


def test_of_one_person_so_many_rows_count_in_so_many_cells_whatever_their_order():
    tally = Tally(PEOPLE, ("vote",), ("pay",))
    rows = [{"id": "x", "vote": vote, "pay": pay}
            for vote in ("no", "yes", "?") for pay in (1, 2, 4, 8)]
    found = tally_rows(tally, rows, KEY)
    assert 1 <= sum(found.counts) <= 3  # cells are cut after rows
    assert sum(count > 0 for count in found.counts) <= 2
    assert tally_rows(tally, rows[::-1], KEY) == found
    two = tally_rows(tally, rows + [{**row, "id": "y"} for row in rows], KEY)
    alone = tally_rows(tally, [{**row, "id": "y"} for row in rows], KEY)
    assert two.counts == tuple(map(sum, zip(found.counts, alone.counts, strict=True)))
    unnamed = [{**row, "id": None} for row in rows]
    assert tally_rows(tally, unnamed, KEY).counts == (0, 0, 0)


def sha(text):
    return hashlib.sha256(f"{bytes(range(32)).hex()},{text}".encode()).digest()


def test_which_rows_and_cells_of_a_person_count_is_said_by_hashes():
    tally = Tally(PEOPLE, ("vote",), ("pay",))
    coded = [(code, pay) for code in range(3) for pay in (1, 2, 2, 4)]
    texts = [f"{2 if k % 4 == 2 else 1},{code},{pay},x" for k, (code, pay) in enumerate(coded)]
    first = sorted(range(12), key=lambda k: sha(texts[k]))[:3]
    touched = {coded[k][0] for k in first}
    cells = sorted(touched, key=lambda cell: sha(f"cell {cell},x"))[:2]
    kept = [coded[k] for k in first if coded[k][0] in cells]
    rows = [{"id": "x", "vote": ("no", "yes", "?")[code], "pay": pay} for code, pay in coded]
    found = tally_rows(tally, rows, KEY)
    for cell in range(3):
        assert found.counts[cell] == sum(code == cell for code, _ in kept)
        assert found.sums[0][cell] == sum(pay for code, pay in kept if code == cell)


def test_conditions_are_counted_among_the_rows_that_are_kept():
    old, poor = (read_filter(text, PEOPLE.columns) for text in ("age >= 5", "pay < 3"))
    tally = Tally(PEOPLE, ("vote",), conditions=(old, poor))
    assert tally.columns == ("age", "vote", "pay")
    assert [each.name for each in tally.required] == ["vote"]
    rows = [{"id": who, "vote": vote, "age": age, "pay": age % 4}
            for who in "abcd" for vote in ("no", "yes") for age in (3, 5, 8)]
    found = tally_rows(tally, rows, KEY)
    assert sum(found.counts) == 12
    for met in found.met:
        assert all(0 <= some <= count for some, count in zip(met, found.counts, strict=True))
    apart = Tally(PEOPLE, ("vote",), conditions=(old, Not(old), poor))
    one, other, _ = tally_rows(apart, rows, KEY).met
    assert tuple(map(sum, zip(one, other, strict=True))) == tally_rows(apart, rows, KEY).counts


def test_people_count_once_in_a_cell_and_in_so_many_cells():
    tally = Tally(PEOPLE, ("vote",), people=True)
    rows = [{"id": "x", "vote": "yes"}] * 9 + [{"id": "y", "vote": "yes"}]
    assert tally_rows(tally, rows, KEY).counts == (0, 2, 0)
    everywhere = [{"id": "x", "vote": vote} for vote in ("no", "yes", "?")]
    found = tally_rows(tally, everywhere, KEY)
    assert sorted(found.counts) == [0, 1, 1]
    assert found.counts[max(range(3), key=lambda cell: sha(f"cell {cell},x"))] == 0
    wide = Tally(declared(person="id", rows=1, cells=3), ("vote",), people=True)
    assert tally_rows(wide, everywhere, KEY).counts == (1, 1, 1)
    assert wide.touched == 3
    assert Tally(declared(person="id", rows=1, cells=3), ("vote",)).touched == 1


@pytest.mark.parametrize(("rows", "cells", "people", "cut"), [
    (3, 2, False, True), (3, 3, False, False), (2, 2, False, False), (2, 2, True, True),
    (3, 3, True, False), (5, 4, True, False), (5, 2, True, True),
])
def test_cells_are_cut_where_rows_alone_do_not_keep_to_them(rows, cells, people, cut):
    tally = Tally(declared(person="id", rows=rows, cells=cells), ("vote",), people=people)
    assert tally.cuts_cells is cut


@pytest.mark.parametrize(("given", "said"), [
    ({"keys": ("pay",)}, "without bins"), ({"keys": ("pay", "vote")}, "without bins"),
    ({"keys": ("pay", "age"), "fine": 1}, "without bins"),
    ({"keys": ("vote", "vote")}, "named twice"), ({"keys": ("votes",)}, "votes"),
    ({"measures": ("payment",)}, "payment"), ({"keys": ("votes",), "fine": 1}, "votes"),
    ({"people": True}, "each row is a unit"),
])
def test_what_cannot_be_counted_is_refused(given, said):
    with pytest.raises(BadInput, match=said):
        Tally(EACH, **given)


def test_a_release_has_ten_million_cells_at_most():
    wide = {name: {"type": "number", "low": 0, "high": high, "bins": list(range(high + 1))}
            for name, high in (("a", 1000), ("b", 1000), ("c", 10), ("d", 2))}
    form = Declaration.of({"dataset": "wide", "columns": wide})
    assert Tally(form, ("a", "b", "c")).size == 10_000_000
    with pytest.raises(BadInput, match="at most 10,000,000 cells"):
        Tally(form, ("a", "b", "c", "d"))


def test_the_values_of_all_cells_together_are_counted_by_64_bit_numbers():
    """2^40 values in up to 2^20 cells, and no more."""
    bins = {name: {"type": "number", "low": 0, "high": high, "bins": list(range(high + 1))}
            for name, high in (("a", 1024), ("b", 1024), ("c", 1025))}
    values = {"type": "number", "low": 0, "high": 2**40 - 1, "resolution": 1}
    form = Declaration.of({"dataset": "wide", "columns": {**bins, "x": values}})
    assert Tally(form, ("a", "b", "x"), fine=1).size == 2**60
    with pytest.raises(BadInput, match=r"more than 2\^60"):
        Tally(form, ("a", "c", "x"), fine=1)
