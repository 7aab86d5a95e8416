"""Sets of at most so many items: one item is drawn, and reported at the level of the whole set."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import chi2

from tightrope.errors import BadDocument, BadInput, BadTable
from tightrope.exact import Level
from tightrope.files import load
from tightrope.mechanisms import finite
from tightrope.receipt import main as receipt
from tightrope.samplers import SeededSource, uniform_slots
from tightrope.tables import estimate_column, protect, sanitize
from tightrope.tables.column_plans import draw_items
from tightrope.tables.domains import Members, read_domain, set_text
from tightrope.tables.passages import sets_of
from tightrope.tables.plans import margin

SURE = Level.ratio(10**30)
ITEMS = ("a", "b", "c", "d")


def law_of(mechanism, members, most):
    """The law of a report of a set, written apart: a mean over the places."""
    places = [*members, *["{}"] * (most - len(members))]
    rows = [finite(mechanism).row(place) for place in places]
    return [sum(column, Fraction(0)) / len(places) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("protocol", ["response", "subset"])
def test_any_two_sets_are_told_apart_by_no_more_than_the_level(most, protocol):
    (column,) = protect({"c": f"sets{most}:a/b/c/d"}, Level.ratio(5), protocol=protocol)
    base = column.response.mechanism
    base = base.matrix() if hasattr(base, "held") else base
    laws = [law_of(base, members, most) for size in range(most + 1)
            for members in combinations(ITEMS, size)]
    worst = max(p / q for first in laws for second in laws
                for p, q in zip(first, second, strict=True))
    assert worst <= 5
    assert worst == 5 or most > 2  # two sets without a place in common attain it


def test_the_items_that_are_drawn_have_the_law_of_places():
    """Chi-squared at 10^-7 against the law; the law of sets that are full is rejected."""
    cells = pa.array(["a|c", "b", "{}", None, "a|b|c|d"] * 6000)
    matcher = Members(ITEMS, 3).nearest()
    codes = draw_items(matcher, 0, 3, SeededSource(5), cells).reshape(-1, 5)
    laws = [{0: 1 / 3, 2: 1 / 3, 4: 1 / 3}, {1: 1 / 3, 4: 2 / 3}, {4: 1}, {4: 1},
            dict.fromkeys(range(4), 1 / 4)]
    for drawn, law in zip(codes.T, laws, strict=True):
        counts = Counter(drawn.tolist())
        assert counts.keys() == law.keys()
        statistic = sum((counts[k] - 6000 * p) ** 2 / (6000 * p) for k, p in law.items())
        assert statistic < chi2.isf(1e-7, max(len(law) - 1, 1))
    full = Counter(codes[:, 1].tolist())
    assert (full[1] - 3000) ** 2 / 3000 > chi2.isf(1e-7, 1)


def test_slots_are_uniform_below_each_count():
    slots = uniform_slots(np.array([1, 3, 5] * 5000), SeededSource(2)).reshape(-1, 3)
    for count, column in zip((1, 3, 5), slots.T, strict=True):
        seen = np.bincount(column, minlength=count)
        assert len(seen) == count
        assert ((seen - 5000 / count) ** 2 / (5000 / count)).sum() < chi2.isf(1e-7, 5)


@pytest.mark.parametrize("protocol", [None, "response", "unary"])
def test_shares_of_a_thousand_items_come_back(protocol, tmp_path):
    made = np.random.default_rng(4)
    items = [f"i{number}" for number in range(40)]
    rows = ["|".join(made.choice(items[:3], made.integers(0, 3), replace=False)) or "{}"
            for _ in range(20_000)]
    done = sanitize(pd.DataFrame({"x": rows}), {"x": "sets2:" + "/".join(items)}, 5,
                    protocol=protocol, output=tmp_path / "out.parquet")
    truth = np.array([sum(item in row.split("|") for row in rows) for item in items]) / len(rows)
    shares = estimate_column(done.file, "x", confidence=1 - 1e-8)
    assert [row.value for row in shares.rows] == items
    assert all(row.low <= share <= row.high for row, share in zip(shares.rows, truth, strict=True))
    # at ε = 5 no interval is wider than 0.5, and items that are rare are told from common ones
    assert min(row.low for row in shares.rows[:3]) > max(row.estimate for row in shares.rows[3:])
    assert "Simplex: the nearest proportions" not in repr(shares)
    assert receipt([str(done.columns[0].document)]) == (3 if protocol == "unary" else 0)
    assert load(done.columns[0].document).mechanism.rows == 20_000


def test_the_variance_of_an_item_is_that_of_all_outcomes():
    """(1/n) Σ over rows of the variance of 1{reported} / (p' - q), enumerated by the law."""
    (column,) = protect({"c": "sets2:a/b/c"}, Level.ratio(4), protocol="response")
    law = [law_of(column.response.mechanism, members, 2) for members in (("a", "b"), ("c",), ())]
    n, sets = 900, (300, 450, 150)
    counts = [round(sum(size * float(row[z]) for size, row in zip(sets, law, strict=True)))
              for z in range(4)]
    table = [name for name, count in zip([*"abc", "{}"], counts, strict=True)
             for _ in range(count)]
    found = estimate_column(table, None, sanitize(["a"], "sets2:a/b/c", Level.ratio(4),
                                                  protocol="response").columns[0])
    chances = [float(law[0][0]), float(law[1][0]), float(law[2][0])]
    slope = chances[0] - chances[1]
    exact = sum(size * p * (1 - p) for size, p in zip(sets, chances, strict=True)) / n**2 / slope**2
    assert found.rows[0].estimate == pytest.approx(1 / 3, abs=0.02)
    assert found.rows[0].error == pytest.approx(exact**0.5, rel=0.01)


@pytest.mark.parametrize("make", [
    lambda cells: pd.DataFrame({"x": cells}), lambda cells: pl.DataFrame({"x": cells}),
    lambda cells: pa.table({"x": cells}), lambda cells: {"x": cells},
    lambda cells: pd.DataFrame({"x": pd.Series(cells, dtype=pd.ArrowDtype(
        pa.list_(pa.string())))}),
])
def test_a_column_of_lists_is_read_as_sets(make):
    cells = [["a"], [], None, ["b", "b"], ["z"]]
    done = sanitize(make(cells), {"x": "sets1:a/b/c"}, SURE)
    column = done.table["x"]
    texts = column.to_pylist() if hasattr(column, "to_pylist") else list(column)
    assert texts == ["a", "{}", "{}", "b", "{}"]
    items = sanitize(make([["a", "c"], ["c"]]), {"x": "sets:a/b/c"}, SURE).table["x"]
    assert (items.to_pylist() if hasattr(items, "to_pylist") else list(items)) == ["a|c", "c"]


def test_lists_are_texts_of_their_items_alone():
    assert set_text(["a|b", 3]) == "3|a¦b"
    assert set_text((None,)) == "{}"
    assert set_text("a|b") == "a|b"
    assert set_text(np.array(["b", "a"])) == "a|b"


def test_missing_sets_are_an_item_of_their_own_on_request():
    done = sanitize(["a", None, "{}", 7.5], "sets1:a/b", SURE, missing="value")
    assert done.table == ["a", "(missing)", "{}", "{}"]
    assert done.columns[0].values == ("a", "b", "(missing)")
    assert estimate_column(done).missing == "(missing)"
    small = sanitize(["a|b", None], "sets:a/b", SURE, missing="value")
    assert small.table == ["a|b", "(missing)"]


def test_large_sets_are_refused_with_the_spelling_that_works():
    many = "/".join(map(str, range(11)))
    with pytest.raises(BadInput, match="as in sets3:a/b/c"):
        read_domain(f"sets:{many}")
    with pytest.raises(BadInput, match="at most all 2 items"):
        read_domain("sets3:a/b")
    with pytest.raises(BadTable, match="or lists of texts"):
        sanitize({"x": pa.array([1])}, {"x": "sets1:a/b"}, SURE)
    with pytest.raises(BadTable, match="holds 0 missing values and 2 values outside"):
        sanitize(["a|b", "a", "c"], "sets1:a/b", SURE, curator=True)
    made = {"name": "sampled-item", "items": ["a", "b"], "most": 2}
    space = read_domain("sets2:a/b").space
    assert sets_of(space, made).most == 2
    for wrong in ({"most": 3}, {"most": True}, {"items": ["a"]}, {"items": ["b", "a"]}):
        with pytest.raises(BadDocument):
            sets_of(space, {**made, **wrong})


class Odd:
    """A cell that fails at whatever it is asked."""

    def __str__(self):
        raise ValueError

    def __iter__(self):
        raise OverflowError


HOSTILE = [None, Odd(), [Odd()], [[["a"]]], "a|" * 5000, "\ud800", b"a", {"a": 1}, {"a", None},
           np.array([["a"]], dtype=object), float("nan"), pd.NaT, "|", "{}|a", 2**70, ("a", "b")]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda cell: type(cell).__name__)
def test_no_cell_changes_another_or_is_refused(hostile):
    """At ε = ln 10^30 what comes out is what was read: alone, and between hostile cells."""
    plain = ["a", "a", "b", "{}"]
    between = np.empty(6, dtype=object)
    between[:] = [hostile, *plain, None]
    between[5] = hostile
    frame = pd.DataFrame({"x": pd.Series(between, dtype=object)})
    for table in (list(between), {"x": between}, frame):
        columns = "sets1:a/b" if isinstance(table, list) else {"x": "sets1:a/b"}
        done = sanitize(table, columns, SURE)
        made = done.table if isinstance(table, list) else done.table["x"]
        assert list(made)[1:5] == plain
        assert set(made) <= {"a", "b", "{}"}
        assert done.rows == 6


def test_what_is_told_of_large_sets_does_not_depend_on_rows():
    told = []
    for cells in (["a"] * 9, ["a|b"] * 9, [None] * 9, ["a|b|c|z"] * 9):
        done = sanitize(cells, "sets2:a/b/c", 1)
        told.append((repr(done), done.facts().json))
    assert all(one == told[0] for one in told)


def test_a_document_says_that_missing_sets_are_an_item(tmp_path):
    done = sanitize(["a", None], "sets1:a/b", SURE, missing="value", output=tmp_path / "o.csv")
    assert estimate_column(done.file, "value").missing == "(missing)"
    plain = sanitize(["a", None], "sets1:a/b", SURE, output=tmp_path / "p.csv")
    assert estimate_column(plain.file, "value").missing == "{}"


def test_the_margin_of_an_item_is_that_of_reports_of_full_sets():
    """One item of two: the deviation of 1{reported} / (p' - q) with p' from the law of a set."""
    (column,) = protect({"c": "sets2:a/b/c"}, Level.ratio(4), protocol="response")
    full, none = (law_of(column.response.mechanism, members, 2) for members in (("a", "b"), ()))
    with_item, without = float(full[0]), float(none[0])
    deviation = (with_item * (1 - with_item)) ** 0.5 / (with_item - without)
    assert margin(column, 400) == pytest.approx(1.959963985 * deviation / 20, rel=1e-8)
