import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.declarations import CategoryColumn, NumberColumn, columns_in, read_filter
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


def judged(tree, row):
    """The same by hand, on values."""
    if tree[0] == "not":
        return not judged(tree[1], row)
    if tree[0] == "and":
        return judged(tree[1], row) and judged(tree[2], row)
    if tree[0] == "or":
        return judged(tree[1], row) or judged(tree[2], row)
    value, sign, constant = row[tree[0]], tree[1], tree[2]
    if value is None:
        return False
    return {"<": lambda: value < constant, "<=": lambda: value <= constant,
            ">": lambda: value > constant, ">=": lambda: value >= constant,
            "=": lambda: value == constant, "!=": lambda: value != constant}[sign]()


@given(filters, st.one_of(st.none(), st.integers(0, 20)), st.one_of(st.none(), st.integers(0, 2)))
def test_a_filter_means_what_it_says(tree, age, vote):
    found = read_filter(written(tree), COLUMNS)
    row = {"age": None if age is None else age / 2,
           "vote": None if vote is None else COLUMNS["vote"].values[vote]}
    assert found.holds({"age": age, "vote": vote}) == judged(tree, row)


@pytest.mark.parametrize(("text", "rows"), [
    ("age < 1 or age > 9 and vote = 'no'", {(0, 1), (0, None), (19, 0), (20, 0)}),
    ("not age < 9.5 and vote in ('no', 4)", {(20, 0), (20, 2), (None, 0), (19, 0), (None, 2)}),
    ("vote is missing", {(0, None), (None, None)}),
    ("vote is not missing and age is missing", {(None, 0), (None, 2)}),
    ("vote not in ('no')", {(0, 1), (20, 2), (None, 2)}),
    ("`age` = 0", {(0, 1), (0, None)}),
])
def test_and_binds_tighter_than_or_and_missing_is_no_value(text, rows):
    tried = {(0, 1), (20, 0), (20, 2), (19, 0), (None, 0), (None, 2), (0, None), (None, None)}
    found = read_filter(text, COLUMNS)
    assert {row for row in tried if found.holds(dict(zip(COLUMNS, row, strict=True)))} == rows


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


def test_a_filter_names_its_columns():
    assert columns_in(read_filter("age > 3 and not (vote = 'no' or age is missing)", COLUMNS)) == {
        "age", "vote"}


@pytest.mark.parametrize(("sign", "least", "most"), [
    ("<", 0, 4), ("<=", 0, 4), (">", 5, 10), (">=", 5, 10),
])
def test_a_constant_between_two_steps_lets_neither_of_them_slip(sign, least, most):
    """Steps of 1/2 from 0 to 5: 2.2 lies between 2 (code 4) and 2.5 (code 5)."""
    found = read_filter(f"x {sign} 2.2", {"x": NumberColumn(0, 5, "1/2")})
    assert [code for code in range(11) if found.holds({"x": code})] == [*range(least, most + 1)]
