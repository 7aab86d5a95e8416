from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.plain import truth
from tightrope.declarations import CategoryColumn, NumberColumn, conditions_in, read_filter
from tightrope.errors import BadInput

COLUMNS = {"age": NumberColumn(0, 10, "0.5"), "vote": CategoryColumn(("no", "yes", "4"))}

comparisons = st.one_of(
    st.tuples(st.just("age"), st.sampled_from(["<", "<=", ">", ">=", "=", "!="]),
              st.integers(-4, 44).map(lambda k: k / 4)),
    st.tuples(st.just("vote"), st.sampled_from(["=", "!="]), st.sampled_from(["no", "yes", "4"])),
)
filters = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or"]), inner, inner),
    ),
    max_leaves=8,
)


def written(tree):
    if tree[0] == "not":
        return f"not ({written(tree[1])})"
    if tree[0] in ("and", "or"):
        return f"({written(tree[1])}) {tree[0]} ({written(tree[2])})"
    constant = tree[2] if isinstance(tree[2], float) else f"'{tree[2]}'"
    return f"{tree[0]} {tree[1]} {constant}"


def held(text, row):
    """Whether a filter is true, false or unknown for the cells of a row."""
    of = read_filter(text, COLUMNS)
    return truth(of, {each: each.of(row[each.name]) for each in conditions_in(of)})


def judged(tree, row):
    """The same by hand, by the tables of Kleene's logic."""
    if tree[0] == "not":
        return {True: False, False: True, None: None}[judged(tree[1], row)]
    if tree[0] in ("and", "or"):
        two = {judged(tree[1], row), judged(tree[2], row)}
        ends = tree[0] == "or"
        return ends if ends in two else None if None in two else not ends
    value, sign, constant = row[tree[0]], tree[1], tree[2]
    if value is None:
        return None
    return {"<": lambda: value < constant, "<=": lambda: value <= constant,
            ">": lambda: value > constant, ">=": lambda: value >= constant,
            "=": lambda: value == constant, "!=": lambda: value != constant}[sign]()


@given(filters, st.one_of(st.none(), st.integers(-8, 48).map(lambda k: k / 4)),
       st.one_of(st.none(), st.sampled_from(["no", "yes", "4"])))
def test_a_filter_means_what_it_says(tree, age, vote):
    """Numbers are compared as they are: between steps, and beyond the bounds."""
    row = {"age": age, "vote": vote}
    assert held(written(tree), row) is judged(tree, row)


@pytest.mark.parametrize(("text", "rows"), [
    ("age < 1 or age > 9 and vote = 'no'", {(0, "yes"), (0, None), (9.5, "no"), (10, "no")}),
    ("not age < 9.5 and vote in ('no', 4)", {(10, "no"), (10, "4"), (9.5, "no")}),
    ("vote is missing", {(0, None), (None, None)}),
    ("vote is not missing and age is missing", {(None, "no"), (None, "4")}),
    ("vote not in ('no')", {(0, "yes"), (10, "4"), (None, "4")}),
    ("vote != 'no'", {(0, "yes"), (10, "4"), (None, "4")}),
    ("not vote = 'no'", {(0, "yes"), (10, "4"), (None, "4")}),
    ("`age` = 0", {(0, "yes"), (0, None)}),
    ("age < 5 or vote = 'no'", {(0, "yes"), (0, None), (9.5, "no"), (10, "no"), (None, "no")}),
    ("not (age < 5 or vote = 'no')", {(10, "4")}),
])
def test_and_binds_tighter_than_or_and_missing_cells_are_unknown(text, rows):
    tried = {(0, "yes"), (10, "no"), (10, "4"), (9.5, "no"), (None, "no"), (None, "4"), (0, None),
             (None, None)}
    assert {row for row in tried if held(text, dict(zip(COLUMNS, row, strict=True)))} == rows


@pytest.mark.parametrize("text", [
    "", " ", "age", "age >", "age > 'old'", "vote > 'no'", "vote = 'maybe'", "height > 3",
    "age > 3 and", "(age > 3", "age > 3)", "age > 3 age < 4", "age > 3; DROP TABLE people",
    "1 = 1", "age = vote", "sum(age) > 3", "vote in ()", "vote in 'no'", "age not 3",
    "age > 3 -- and", "not " * 60 + "age > 3", "(" * 60 + "age > 3" + ")" * 60, "age > 1e9999",
    "vote like 'n%'", "age > 3 union select 1", "vote = \"no", 7, None,
])
def test_nothing_else_can_be_written(text):
    with pytest.raises(BadInput):
        read_filter(text, COLUMNS)


@pytest.mark.parametrize(("text", "spelling"), [
    ("vote = yes", "found yes: write 'yes'."),
    ("vote in (no, yes)", "found no: write 'no'."),
    ("vote = 'Yes'", "did you mean yes?"),
    ("age > 3 & vote = 'no'", "a filter has no &: write and."),
    ("age > 3 || age < 1", "write or."),
    ("!vote = 'no'", "write not."),
    ("age => 3", "write >=."),
    ("age ≤ 3", "write <=."),
    ("age between 3 and 4", "a filter has no between: write age >= 18 and age <= 30."),
    ("vote", "'vote' comes =, !=, <, <=, >, >=, in or is missing, found the end."),
    ("age is null", "after is comes missing or not missing, found null."),
    ("3 < age", "a comparison begins with its column, such as age >= 30 (not 30 <= age), found 3."),
    ("vote in 'yes'", "after in comes a list in parentheses, such as (1, 2), found 'yes'."),
    ("vote = 'yes", "the quote before 'yes' is not closed."),
    ("age > 3 vote = 'no'", "joined by `and` or `or`, found vote."),
    ("(age > 3", "a parenthesis is closed by ), found the end."),
])
def test_a_refusal_shows_the_spelling_that_works(text, spelling):
    with pytest.raises(BadInput) as refused:
        read_filter(text, COLUMNS)
    assert spelling in str(refused.value)
    assert len(str(refused.value).split()) <= 25


def test_a_name_with_a_space_is_asked_for_in_brackets():
    columns = {"net income": NumberColumn(0, 10)}
    with pytest.raises(BadInput, match=r"\[brackets\]"):
        read_filter("net income > 3", columns)
    assert read_filter("[net income] > 3", columns) == read_filter("`net income` > 3", columns)


def test_quotes_and_brackets_are_doubled_inside():
    columns = {"a]b": CategoryColumn(("it's", 'say "x"'))}
    same = read_filter("[a]]b] = 'it''s'", columns)
    assert same == read_filter('[a]]b] = "it\'s"', columns)
    assert same != read_filter('[a]]b] = "say ""x"""', columns)


def test_a_filter_names_its_conditions_once_each():
    of = read_filter("age > 3 and not (vote = 'no' or age is missing or age > 3.0)", COLUMNS)
    assert [each.name for each in conditions_in(of)] == ["age", "vote", "age"]


@pytest.mark.parametrize("cell", ["0.3", 0.3, Decimal("0.3"), np.float32(0.3), " 0.30 ", "3e-1"])
def test_a_float_means_its_shortest_decimal_and_a_constant_the_nearest_float(cell):
    column = {"x": NumberColumn(0, 1, "0.5")}
    for text in ("x = 0.3", "x in (0.1, 0.3)", "x >= 0.3", "x <= 0.3", "not x < 0.3", "x != 0.31"):
        of = read_filter(text, column)
        assert truth(of, {each: each.of(cell) for each in conditions_in(of)}) is True, text


@pytest.mark.parametrize(("missing", "result"), [(None, None), (3, True)])
def test_a_number_that_stands_for_missing_is_compared(missing, result):
    of = read_filter("x > 2", {"x": NumberColumn(0, 5, missing=missing)})
    assert truth(of, {each: each.of("?") for each in conditions_in(of)}) is result
