"""What columns may hold: listed values with missing cells, cells of numbers, sets of items."""

from fractions import Fraction
from math import inf, nan, nextafter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tightrope.constructions import item_response, randomized_response
from tightrope.errors import BadInput, BadTable
from tightrope.exact import Level
from tightrope.samplers import SeededSource
from tightrope.tables.counting import count_column, count_items
from tightrope.tables.domains import Members, _Cut, read_domain
from tightrope.tables.sanitization import sanitize_table

STRONG = Level.ratio(10**9)


def cell(edges, value):
    """The cell of an exact number, None out of bounds."""
    if not edges[0] <= value <= edges[-1]:
        return None
    for k in range(len(edges) - 1):
        if edges[k] <= value < edges[k + 1]:
            return k
    return len(edges) - 2


EDGES = tuple(map(Fraction, ("0.1", "0.3", "2", "7/3")))


def test_doubles_are_compared_with_bounds_as_they_are_written():
    near = [float(edge) for edge in EDGES]
    values = [v for x in near for v in (nextafter(x, -inf), x, nextafter(x, inf))]
    values += [0.0, -1.0, 1.0, 1e300, -1e300, inf, -inf]
    found = _Cut(EDGES).positions(pa.array([*values, nan, None]))
    assert found.to_pylist() == [*(cell(near, v) for v in values), None, None]
    texts = pa.array(["0.3", "0.30", "3e-1"])
    for column in (pa.array([0.3]), pa.array([0.3], pa.float32()), texts):
        assert set(_Cut(EDGES).positions(column).to_pylist()) == {1}  # whatever 0.3 is in binary


def test_texts_are_compared_as_the_doubles_nearest_to_what_they_write():
    texts = ["0.1", "0.3", "0.2999999", "2", " 2.0 ", "2.333333", "2.34", "x", ""]
    texts.append(None)
    found = _Cut(EDGES).positions(pa.array(texts))
    assert found.to_pylist() == [0, 1, 0, 2, 2, 2, None, None, None, None]
    coded = pa.array(texts).dictionary_encode()
    assert _Cut(EDGES).positions(coded).to_pylist() == found.to_pylist()


@pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.uint8()])
def test_whole_numbers_fall_into_cells_with_any_bounds(kind):
    edges = tuple(map(Fraction, ("0.5", "3", "10.5")))
    values = [0, 1, 2, 3, 10, 11]
    found = _Cut(edges).positions(pa.array([*values, None], kind)).to_pylist()
    assert found == [cell(edges, Fraction(v)) for v in values] + [None]


def test_sets_are_read_in_any_order_and_unknown_or_repeated_items_are_not():
    members = Members(("a", "b", "c"))
    texts = ["a", "c|a", " b | a ", "{}", "", "a|a", "d", None]
    assert members.positions(pa.array(texts)).to_pylist() == [1, 5, 3, 0, 0, None, None, None]


def sanitized(tmp_path, column, text, *, missing=False, sets=False, curator=False):
    source, target = tmp_path / "t.parquet", tmp_path / "o.parquet"
    pq.write_table(pa.table({"x": column}), source)
    domain = read_domain(text, missing=missing)
    make = item_response if sets else randomized_response
    made = make(domain.space, STRONG)
    sanitize_table(
        source, target, [("x", made)], domains={"x": domain},
        allow_seeded=True, source_of_entropy=SeededSource(1), curator=curator,
    )
    return target, domain


@pytest.mark.parametrize("encoded", [False, True])
def test_missing_cells_pass_through_as_a_value_of_their_own(tmp_path, encoded):
    held = pa.array(["no", None, "yes", "no", None])
    column = held.dictionary_encode() if encoded else held
    target, domain = sanitized(tmp_path, column, "no/yes", missing=True)
    found = pq.read_table(target).column("x")
    assert found.to_pylist() == held.to_pylist()  # at this level nothing changes in five rows
    assert count_column(target, "x", domain.space.points).tolist() == [2, 1, 2]


@pytest.mark.parametrize(("held", "text"), [([3, None, 4], "3/4"), ([True, None], "true/false")])
def test_missing_numbers_and_truth_values_have_their_value_too(tmp_path, held, text):
    target, _ = sanitized(tmp_path, pa.array(held), text, missing=True)
    assert pq.read_table(target).column("x").to_pylist() == held


def test_a_column_of_doubles_becomes_cells(tmp_path):
    target, domain = sanitized(tmp_path, pa.array([0.1, 0.5, 1.0, 0.99]), "bins:0,0.5,1")
    assert pq.read_table(target).column("x").to_pylist() == [
        "[0, 0.5)", "[0.5, 1]", "[0.5, 1]", "[0.5, 1]"
    ]
    assert count_column(target, "x", domain.space.points).tolist() == [1, 3]


@pytest.mark.parametrize(
    "column",
    [pa.array([0.1, None, nan, 1.0]), pa.array(["0.1", None, None, "1"]),
     pa.array(["0.1", None, None, "1"]).dictionary_encode(), pa.array([0, None, None, 1])],
    ids=["doubles", "texts", "encoded", "integers"],
)
def test_missing_numbers_are_a_cell_of_their_own_if_declared(tmp_path, column):
    with pytest.raises(BadTable, match=r"[12] missing values"):
        sanitized(tmp_path, column, "bins:0,0.5,1", curator=True)
    first, _ = sanitized(tmp_path, column, "bins:0,0.5,1")
    assert pq.read_table(first).column("x").to_pylist() == [*["[0, 0.5)"] * 3, "[0.5, 1]"]
    first.unlink()
    target, domain = sanitized(tmp_path, column, "bins:0,0.5,1", missing=True)
    assert list(domain.space.points) == ["[0, 0.5)", "[0.5, 1]", "(missing)"]
    found = pq.read_table(target).column("x").to_pylist()
    assert found == ["[0, 0.5)", None, None, "[0.5, 1]"]
    assert count_column(target, "x", domain.space.points).tolist() == [1, 1, 2]


@pytest.mark.parametrize(("cell", "counts_as"), [
    ("x", None), ("", None), ("nan", None), ("2", "[0.5, 1]"), ("-7", "[0, 0.5)"),
    ("1e9999", "[0.5, 1]")])
def test_a_number_out_of_bounds_counts_in_the_nearest_cell_and_other_text_as_missing(
    tmp_path, cell, counts_as
):
    column = pa.array(["0.1", cell])
    with pytest.raises(BadTable, match="outside the declared"):
        sanitized(tmp_path, column, "bins:0,0.5,1", missing=True, curator=True)
    found, _ = sanitized(tmp_path, column, "bins:0,0.5,1", missing=True)
    assert pq.read_table(found).column("x").to_pylist() == ["[0, 0.5)", counts_as]


@pytest.mark.parametrize("column", [
    pa.array([-inf, inf, nan, None, -1.0, 9.0]), pa.array([-9, 9, None, None, -1, 9]),
    pa.array([-(2**63), 2**63 - 1, None, None, -1, 9]),
])
def test_infinities_and_outliers_are_clamped_in_columns_of_numbers(tmp_path, column):
    found, _ = sanitized(tmp_path, column, "bins:0,0.5,1")
    low, high = "[0, 0.5)", "[0.5, 1]"
    assert pq.read_table(found).column("x").to_pylist() == [low, high, low, low, low, high]


def test_items_that_are_not_declared_are_left_out_of_a_set(tmp_path):
    found, _ = sanitized(tmp_path, pa.array(["a|zebra|c", "b|b", None, "zebra"]), "sets:a/b/c",
                         sets=True)
    assert pq.read_table(found).column("x").to_pylist() == ["a|c", "b", "{}", "{}"]


@pytest.mark.parametrize("encoded", [False, True])
@pytest.mark.parametrize(("text", "cells", "meant"), [
    ("0/1/2/-3", ["1.0", "2", "-3.0", "0.00", "2.000", None, "2."], [1, 2, -3, 0, 2, None, None]),
    ("1.50/none", ["1.5", "none", "1.500", "2"], ["1.50", "none", "1.50", None]),
    ("true/false", ["False", "True", "TRUE", "0", "1", "yes"],
     [False, True, True, False, True, None]),
    ("no/true", ["True", "no", "False"], ["true", "no", None]),
    ("1/0", ["False", "true", "1.0", "f"], [0, 1, 1, None]),
])
def test_texts_match_by_the_same_text_number_or_truth(tmp_path, encoded, text, cells, meant):
    column = pa.array(cells).dictionary_encode() if encoded else pa.array(cells)
    target, domain = sanitized(tmp_path, column, text, missing=True)
    assert pq.read_table(target).column("x").to_pylist() == meant
    texts = ["(missing)" if cell is None else str(cell).lower() for cell in meant]
    counted = count_column(target, "x", domain.space.points).tolist()
    assert counted == [texts.count(str(point)) for point in domain.space.points]


def test_no_other_way_to_write_a_number_is_a_value(tmp_path):
    for cell in ("1.5", "01", "+1", "1e0", " 1", "1.0.0", "x.0"):
        with pytest.raises(BadTable, match="outside the declared"):
            sanitized(tmp_path, pa.array(["1", cell]), "0/1/2", curator=True)


def test_codes_with_leading_zeros_are_not_numbers(tmp_path):
    for text in ("01/2", "1E3/2"):
        with pytest.raises(BadTable, match="outside the declared"):
            sanitized(tmp_path, pa.array(["1", "1000", "2"]), text, curator=True)


def test_numbers_are_the_same_whatever_the_other_values_are(tmp_path):
    for text, drawn in (("1/2/none", ["1", "2"]), ("1.0/2", ["1.0", "2"])):
        target, _ = sanitized(tmp_path, pa.array(["1.00", "2"]), text, curator=True)
        assert pq.read_table(target).column("x").to_pylist() == drawn
        target.unlink()
    with pytest.raises(BadTable, match="outside the declared"):
        sanitized(tmp_path, pa.array(["1.00", "2"]), "01/1", curator=True)


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.float16()])
def test_floats_are_read_as_the_numbers_that_they_are(tmp_path, kind):
    column = pa.array(np.array([1, 2, nan, 0], kind.to_pandas_dtype()))
    target, _ = sanitized(tmp_path, column, "0/1/2", missing=True)
    assert pq.read_table(target).column("x").to_pylist() == [1, 2, None, 0]


def test_a_column_of_sets_is_written_in_the_order_of_the_items(tmp_path):
    target, _ = sanitized(tmp_path, pa.array(["b|a", "{}", "c"]), "sets:a/b/c", sets=True)
    assert pq.read_table(target).column("x").to_pylist() == ["a|b", "{}", "c"]
    counts, n = count_items(target, "x", ("a", "b", "c"))
    assert (counts.tolist(), n) == ([1, 1, 1], 3)


def test_a_mechanism_for_other_values_and_columns_of_the_wrong_kind_are_refused(tmp_path):
    source = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": pa.array([True, False]), "y": pa.array([1, 2])}), source)
    bins, sets = read_domain("bins:0,1,2"), read_domain("sets:a/b")
    response = randomized_response(bins.space, STRONG)

    def run(name, mechanism, domain):
        sanitize_table(source, tmp_path / "o.parquet", [(name, mechanism)], domains={name: domain},
                       curator=True)

    with pytest.raises(BadTable, match="expected numbers"):
        run("x", response, bins)
    with pytest.raises(BadTable, match="not for what it may hold"):
        run("y", response, read_domain("1/2/3"))
    with pytest.raises(BadTable, match="or lists of texts"):
        run("y", item_response(sets.space, STRONG), sets)
    with pytest.raises(BadTable, match="outside the declared"):
        run("y", randomized_response(read_domain("bins:0,1,1.5").space, STRONG),
            read_domain("bins:0,1,1.5"))


@pytest.mark.parametrize(
    "text", ["no", "bins:1,2", "bins:", "sets:a|b/c", "sets:a/{}", "bins:1,1,2"]
)
def test_texts_that_declare_nothing_are_refused(text):
    with pytest.raises(BadInput):
        read_domain(text)


def test_many_doubles_are_placed_one_by_one():
    values = np.random.default_rng(2).uniform(0, 2.5, 2000)
    found = _Cut(EDGES).positions(pa.array(values)).to_pylist()
    assert found == [cell([float(edge) for edge in EDGES], float(v)) for v in values]


@pytest.mark.parametrize("text", ["set:en/es", "sets0:en/es", "Sets:en/es", "bin:0,10,20",
                                  "item:a/b", "cells:0,10,20", "range:0/10", "sets 3:a/b/c/d"])
def test_a_misspelled_kind_is_no_value(text):
    with pytest.raises(BadInput, match=r"bins:0,10,20, sets of items as in sets:a/b/c"):
        read_domain(text)


@pytest.mark.parametrize("text", ["10:00/11:00", "asset:1/asset:2", "settled:no/settled:yes"])
def test_values_may_hold_a_colon(text):
    assert "/".join(read_domain(text).space.points) == text
