"""Columns of every kind are drawn alike and come back as they came."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tests.samplers.scripts import ScriptedSource
from tightrope.errors import BadInput, BadTable, NotAPoint
from tightrope.exact import Level, Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    NoiseMechanism,
    SubsetMechanism,
    TableMechanism,
)
from tightrope.privacy import Certified, certified
from tightrope.samplers import SeededSource, draw_indices, draw_many
from tightrope.samplers.columns import read_column
from tightrope.spaces import categories, grid, matrix, path

ONE = Fraction(1)
NAMES = ("tea", "coffee", "crème", "a rather long name of a drink")
UNREAD = ScriptedSource([])


def response() -> Certified:
    mechanism = KernelMechanism(categories(NAMES), Fraction(3), ONE, (ONE,) * len(NAMES))
    return certified(mechanism, Level.ratio(3))


def numbers(low: int = 0, outputs: tuple[int | str, ...] = (0, 1, 2)) -> Certified:
    weights = Weights.from_integers([[4, 1, 1], [2, 2, 2], [1, 1, 4]])
    return certified(MatrixMechanism(path(low, low + 2), outputs, weights), Level.ratio(2))


CODES = np.random.default_rng(5).integers(0, 3, 700)
"""More than a table of a sampler needs, and not of one length with anything."""
TEXT = [NAMES[code] for code in CODES]
WHOLE = CODES.tolist()


def expected(proved: Certified, codes: np.ndarray = CODES) -> list:
    outputs = proved.mechanism.outputs
    return [outputs[z] for z in draw_indices(proved, codes, SeededSource(1)).tolist()]


TEXT_COLUMNS = {
    "list": TEXT,
    "tuple": tuple(TEXT),
    "numpy text": np.array(TEXT),
    "numpy objects": np.array(TEXT, dtype=object),
    "numpy strings": np.array(TEXT, dtype=np.dtypes.StringDType()),
    "pandas text": pd.Series(TEXT),
    "pandas objects": pd.Series(TEXT, dtype=object),
    "pandas string": pd.Series(TEXT, dtype="string"),
    "pandas arrow": pd.Series(TEXT, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": pd.Series(TEXT, dtype="category"),
    "pandas category, as declared": pd.Series(TEXT, dtype=pd.CategoricalDtype(list(NAMES))),
    "polars text": pl.Series("drink", TEXT),
    "polars category": pl.Series("drink", TEXT, dtype=pl.Categorical),
    "polars enum": pl.Series("drink", TEXT, dtype=pl.Enum(NAMES)),
    "arrow": pa.array(TEXT),
    "arrow large": pa.array(TEXT, pa.large_string()),
    "arrow view": pa.array(TEXT, pa.string_view()),
    "arrow dictionary": pa.array(TEXT).dictionary_encode(),
    "arrow chunks": pa.chunked_array([TEXT[:100], [], TEXT[100:]]),
    "arrow dictionary chunks": pa.chunked_array(
        [pa.array(TEXT[:100]).dictionary_encode(), pa.array(TEXT[100:]).dictionary_encode()]
    ),
}
WHOLE_COLUMNS = {
    "list": WHOLE,
    "numpy": np.array(WHOLE),
    "numpy short": np.array(WHOLE, dtype=np.uint8),
    "numpy objects": np.array(WHOLE, dtype=object),
    "numpy backwards": np.array(WHOLE[::-1])[::-1],
    "numpy other end": np.array(WHOLE, dtype=">i4"),
    "pandas": pd.Series(WHOLE),
    "pandas short": pd.Series(WHOLE, dtype="int8"),
    "pandas nullable": pd.Series(WHOLE, dtype="Int32"),
    "pandas arrow": pd.Series(WHOLE, dtype=pd.ArrowDtype(pa.int16())),
    "pandas category": pd.Series(WHOLE, dtype="category"),
    "polars": pl.Series("count", WHOLE),
    "polars short": pl.Series("count", WHOLE, dtype=pl.UInt16),
    "arrow": pa.array(WHOLE),
    "arrow short": pa.array(WHOLE, pa.int8()),
    "arrow chunks": pa.chunked_array([WHOLE[:3], WHOLE[3:]]),
    "arrow dictionary": pa.array(WHOLE).dictionary_encode(),
}


def kind(column: object) -> type:
    return list if isinstance(column, tuple) or hasattr(column, "__next__") else type(column)


def rows(column) -> list:
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


@pytest.mark.parametrize("name", [*TEXT_COLUMNS, "generator"])
def test_text_is_drawn_as_its_indices_and_stays_of_its_kind(name):
    column = iter(list(TEXT)) if name == "generator" else TEXT_COLUMNS[name]
    drawn = draw_many(response(), column, SeededSource(1))
    assert type(drawn) is kind(column)
    assert rows(drawn) == expected(response())


@pytest.mark.parametrize("name", WHOLE_COLUMNS)
def test_whole_numbers_are_drawn_as_their_indices_and_stay_of_their_kind(name):
    column = WHOLE_COLUMNS[name]
    drawn = draw_many(numbers(), column, SeededSource(1))
    assert type(drawn) is kind(column)
    assert rows(drawn) == expected(numbers())
    if hasattr(column, "dtype") and "category" not in name:
        assert drawn.dtype == column.dtype
    if hasattr(column, "type"):
        assert drawn.type == column.type


FLOATS = [float(code) for code in WHOLE]
FLOAT_COLUMNS = {
    "list": FLOATS,
    "list beside whole numbers": [*WHOLE[:350], *FLOATS[350:]],
    "list of numpy scalars": list(np.array(WHOLE, dtype=np.float32)),
    "numpy": np.array(FLOATS),
    "numpy short": np.array(FLOATS, dtype=np.float16),
    "numpy objects": np.array(FLOATS, dtype=object),
    "pandas without the missing ones": pd.Series([*WHOLE, None]).dropna(),
    "pandas nullable": pd.Series(FLOATS, dtype="Float64"),
    "pandas category": pd.Series(FLOATS, dtype="category"),
    "polars": pl.Series("count", FLOATS),
    "arrow": pa.array(FLOATS),
    "arrow chunks": pa.chunked_array([FLOATS[:3], FLOATS[3:]]),
}


@pytest.mark.parametrize("name", FLOAT_COLUMNS)
@pytest.mark.parametrize("space", [
    path(0, 2), matrix([0, 1, 2], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
], ids=["path", "matrix"])
def test_whole_doubles_are_the_whole_numbers_that_they_are(name, space):
    column = FLOAT_COLUMNS[name]
    proved = certified(KernelMechanism(space, Fraction(2), ONE, (ONE,) * 3), Level.ratio(9))
    drawn = draw_many(proved, column, SeededSource(1))
    assert type(drawn) is kind(column)
    assert rows(drawn) == expected(proved)
    if hasattr(column, "dtype") and "category" not in name:
        assert drawn.dtype == column.dtype


def test_rows_of_whole_doubles_are_cells():
    kernel = KernelMechanism(grid((3, 3)), Fraction(2), ONE, (1 << 60,) * 9, rounded=True)
    proved = certified(kernel, Level.ratio(9))
    cells = np.array([(0, 1), (2, 2), (1, 0)])
    drawn = [draw_many(proved, column, SeededSource(1)) for column in (cells, cells * 1.0)]
    assert np.array_equal(*drawn)


@pytest.mark.parametrize("name", [n for n in TEXT_COLUMNS if "numpy text" not in n])
def test_the_type_of_a_text_column_is_kept(name):
    column = TEXT_COLUMNS[name]
    drawn = draw_many(response(), column, SeededSource(1))
    if hasattr(column, "dtype"):
        same = drawn.dtype == column.dtype
        assert same or drawn.dtype == pd.CategoricalDtype(list(NAMES))
    if hasattr(column, "type"):
        assert drawn.type == column.type or pa.types.is_dictionary(drawn.type)
        assert pa.types.is_dictionary(drawn.type) == pa.types.is_dictionary(column.type)


def test_index_and_name_of_a_series_are_kept():
    index = pd.Index(np.random.default_rng(1).permutation(len(TEXT)), name="person")
    column = pd.Series(TEXT, index=index, name="drink")
    drawn = draw_many(response(), column, SeededSource(1))
    assert drawn.index is column.index or drawn.index.equals(column.index)
    assert (drawn.name, drawn.index.name) == ("drink", "person")
    assert draw_many(response(), pl.Series("drink", TEXT)).name == "drink"


def test_a_declared_order_of_categories_is_kept():
    sort = pd.CategoricalDtype(list(NAMES), ordered=True)
    assert draw_many(response(), pd.Series(TEXT, dtype=sort)).dtype == sort
    assert draw_many(response(), pl.Series(TEXT, dtype=pl.Enum(NAMES))).dtype == pl.Enum(NAMES)


def test_chunks_stay_as_long_as_they_were():
    drawn = draw_many(response(), TEXT_COLUMNS["arrow chunks"])
    assert [len(chunk) for chunk in drawn.chunks] == [100, 0, 600]


def test_categories_that_no_row_has_need_not_be_points():
    sort = ["unheard of", *NAMES]
    column = pd.Series(TEXT, dtype=pd.CategoricalDtype(sort))
    assert list(draw_many(response(), column, SeededSource(1))) == expected(response())
    held = pa.DictionaryArray.from_arrays(pa.array([1, 2]), pa.array(sort))
    assert set(draw_many(response(), held).to_pylist()) <= set(NAMES)


LONG = numbers(outputs=(0, 70_000, -3))


@pytest.mark.parametrize("column", [
    np.array(WHOLE, dtype=np.int8), pd.Series(WHOLE, dtype="int8"), pd.Series(WHOLE, dtype="Int8"),
    pa.array(WHOLE, pa.uint8()), pl.Series(WHOLE, dtype=pl.Int8),
], ids=lambda column: type(column).__module__)
def test_answers_that_do_not_fit_widen_the_type_and_are_not_cut(column):
    assert rows(draw_many(LONG, column, SeededSource(1))) == expected(LONG)


@pytest.mark.parametrize("outputs", [("no", "yes", "maybe"), (0, 1, "other"), ("1", 1, "2")])
@pytest.mark.parametrize("column", [
    WHOLE, np.array(WHOLE), pd.Series(WHOLE), pd.Series(WHOLE, dtype="category"),
], ids=lambda column: type(column).__module__)
def test_answers_of_another_kind_are_what_they_are(column, outputs):
    proved = numbers(outputs=outputs)
    assert list(draw_many(proved, column, SeededSource(1))) == expected(proved)


def test_a_column_of_arrow_holds_one_kind_of_answers():
    assert draw_many(numbers(outputs=("a", "b", "c")), pa.array([0, 1])).type == pa.string()
    with pytest.raises(BadInput, match="several kinds"):
        draw_many(numbers(outputs=(0, 1, "other")), pa.array([0, 1]))


CELLS = [(0, 1), (2, 2), (1, 0)] * 30


@pytest.mark.parametrize("column", [
    CELLS, np.fromiter(CELLS, dtype=object, count=len(CELLS)), pd.Series(CELLS), pa.array(CELLS),
    pl.Series(CELLS), np.array(CELLS),
], ids=lambda column: f"{type(column).__module__} {getattr(column, 'ndim', '')}")
def test_cells_of_a_grid_are_drawn_as_cells(column):
    kernel = KernelMechanism(grid((3, 3)), Fraction(2), ONE, (1 << 60,) * 9, rounded=True)
    proved = certified(kernel, Level.ratio(9))
    drawn = draw_many(proved, column, SeededSource(1))
    assert type(drawn) is type(column)
    codes = np.array([3 * a + b for a, b in CELLS])
    assert [tuple(cell) for cell in rows(drawn)] == expected(proved, codes)


@pytest.mark.parametrize("column", [
    WHOLE, np.array(WHOLE), pd.Series(WHOLE, index=range(5, 705)), pl.Series("n", WHOLE),
    pa.array(WHOLE), pa.chunked_array([WHOLE]),
], ids=lambda column: type(column).__module__)
def test_noise_on_any_column_is_the_same_noise(column):
    proved = certified(NoiseMechanism(path(-1, 3), Fraction(3, 2)), Level.ratio("3/2"))
    drawn = draw_many(proved, column, SeededSource(2))
    assert type(drawn) is type(column)
    assert rows(drawn) == draw_indices(proved, CODES + 1, SeededSource(2)).tolist()


@pytest.mark.parametrize("column", [
    TEXT, np.array(TEXT), pd.Series(TEXT), pl.Series(TEXT), pa.array(TEXT),
], ids=lambda column: type(column).__module__)
def test_reports_of_sets_are_sets_in_any_column(column):
    proved = certified(SubsetMechanism(categories(NAMES), 2, Fraction(3)), Level.ratio(3))
    drawn = draw_many(proved, column, SeededSource(3))
    assert type(drawn) is (pa.ListArray if isinstance(column, pa.Array) else type(column))
    sets = [tuple(cell) for cell in rows(drawn)]
    assert sets == draw_many(proved, TEXT, SeededSource(3))
    assert {len(cell) for cell in sets} == {2}


def test_a_table_is_drawn_from_any_column_with_its_rows():
    table = certified(TableMechanism(response().mechanism, len(TEXT)), Level.ratio(3))
    assert list(draw_many(table, pd.Series(TEXT), SeededSource(1))) == expected(response())
    with pytest.raises(BadTable, match="700 rows"):
        draw_many(table, pd.Series(TEXT[:10]), UNREAD)


MISSING = {
    "list": ["tea", None],
    "list, not a number": ["tea", float("nan")],
    "numpy": np.array(["tea", None], dtype=object),
    "list with a number that is none": ["unheard of", float("nan")],
    "list of decimals": [Decimal(1), Decimal("nan")],
    "list of what pandas calls missing": ["tea", pd.NA, pd.NaT],
    "list of what numpy calls missing": ["tea", np.ma.masked],
    "list of cells": [(0, 1), (0, None)],
    "numpy floats": np.array([1.0, np.nan]),
    "numpy rows of floats": np.array([[1.0, np.nan]]),
    "masked": np.ma.masked_array([1, 2], [False, True]),
    "pandas": pd.Series(["tea", None]),
    "pandas objects": pd.Series(["tea", None], dtype=object),
    "pandas floats": pd.Series([0, None]),
    "pandas objects that are missing": pd.Series(["tea", pd.NA], dtype=object),
    "pandas nullable floats": pd.Series([0, None], dtype="Float64"),
    "pandas nullable": pd.Series([0, None], dtype="Int64"),
    "pandas category": pd.Series(["tea", None], dtype="category"),
    "polars": pl.Series(["tea", None]),
    "polars category": pl.Series(["tea", None], dtype=pl.Categorical),
    "polars floats": pl.Series([1.0, float("nan")]),
    "arrow": pa.array(["tea", None]),
    "arrow floats": pa.array([float("nan"), 1.0]),
    "arrow chunks": pa.chunked_array([["tea"], [None]]),
    "arrow dictionary": pa.array(["tea", None]).dictionary_encode(),
    "arrow dictionary of nothing": pa.DictionaryArray.from_arrays(
        pa.array([0, 1]), pa.array(["tea", None])
    ),
}


@pytest.mark.parametrize("name", MISSING)
def test_missing_values_are_refused_in_one_sentence(name):
    with pytest.raises(BadTable, match="missing values") as refused:
        draw_many(response(), MISSING[name], UNREAD)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("column", [
    [1, 2, "tea"], np.array(["tea", "Tea"]), pd.Series(["tea", "Tea"]), pl.Series(["Tea"]),
    pa.array(["Tea"]), np.array([1.0]), np.array([True]), pd.Series([True]), pa.array([0.5]),
    pd.Series([pd.Timestamp(0)]), np.array(["2020-01-01"], dtype="M8[D]"), [["tea"]],
    np.array([0]), pd.Series([0]), np.array([2**63], dtype=np.uint64),
], ids=str)
def test_what_is_no_point_is_refused_before_anything_is_drawn(column):
    with pytest.raises(NotAPoint):
        draw_many(response(), column, UNREAD)


@pytest.mark.parametrize("column", [
    np.array([0, 3]), np.array([-1]), np.array([2**63], dtype=np.uint64), pd.Series([0, 3]),
    np.array([0.5]), np.array([1.0, 1.5]), np.array([1.0, np.inf]), np.array([3.0]),
    np.array([1e300]), [1, 1.5],
    np.array([True, False]), [0, True], pa.array([3]), pl.Series([9]), pl.Series([0.5]),
], ids=str)
def test_numbers_outside_a_path_are_refused(column):
    with pytest.raises(NotAPoint):
        draw_many(numbers(), column, UNREAD)


@pytest.mark.parametrize("column", [
    np.array([["tea"]]), np.array("tea"), "tea", b"tea", {"tea": 1}, 3, None,
    pd.DataFrame({"tea": TEXT}), pl.DataFrame({"tea": TEXT}), pa.table({"tea": TEXT}), [{"tea": 1}],
], ids=lambda column: type(column).__name__)
def test_what_is_no_column_is_refused(column):
    """Neither the name of a column nor the key of a mapping is a row."""
    with pytest.raises(BadInput, match=r"expected a column of inputs|not a point") as refused:
        draw_many(response(), column, UNREAD)
    frame = hasattr(column, "columns")
    assert ("give one of its columns" in str(refused.value)) is frame


@pytest.mark.parametrize("column", [
    [], np.array([], dtype=np.int64), np.array([], dtype="U3"), pd.Series([], dtype="str"),
    pd.Series([], dtype="category"), pl.Series("none", [], dtype=pl.String),
    pa.array([], pa.string()), pa.chunked_array([], pa.string()),
    pa.array([], pa.string()).dictionary_encode(),
], ids=lambda column: f"{type(column).__module__} {getattr(column, 'dtype', '')}")
def test_an_empty_column_comes_back_empty(column):
    drawn = draw_many(response(), column)
    assert type(drawn) is type(column)
    assert len(drawn) == 0


def test_numbers_far_apart_and_labels_beyond_sixty_four_bits_are_found():
    far = (-(2**62), 5, 2**62, 2**70)
    space = matrix(far, [[abs(a - b) for b in range(4)] for a in range(4)])
    weights = Weights.from_integers([[1, 1, 1, 1]] * 4)
    proved = certified(MatrixMechanism(space, far, weights), Level.ratio(2))
    codes = np.array([0, 1, 2] * 40)
    column = np.array(far[:3])[codes]
    assert draw_many(proved, column, SeededSource(1)).tolist() == expected(proved, codes)


@pytest.mark.parametrize("count", [3, 5000])
def test_short_texts_of_numpy_are_told_apart_however_many_there_are(count):
    names = tuple(f"n{k}" for k in range(count))
    proved = certified(
        KernelMechanism(categories(names), Fraction(3), ONE, (ONE,) * count), Level.ratio(3))
    codes = np.random.default_rng(2).integers(0, count, 20_000)
    for column in (np.array(names)[codes], np.array(names)[codes].astype(">U9")[::-1][::-1]):
        drawn = draw_many(proved, column, SeededSource(1))
        assert drawn.tolist() == expected(proved, codes)
    with pytest.raises(NotAPoint):
        draw_many(proved, np.array([*names, "n-1"]), UNREAD)


def test_short_texts_that_share_a_place_of_the_table_are_told_apart():
    first, second = "aau", "afa"
    column = np.array([first, second, second])
    assert read_column(column, categories((second, first))).codes.tolist() == [1, 0, 0]


def test_few_rows_of_a_large_space_do_not_list_its_points():
    proved = certified(NoiseMechanism(path(0, 10**9), Fraction(2)), Level.ratio(2))
    assert abs(int(draw_many(proved, np.array([10**9]))[0]) - 10**9) < 200


def test_no_frame_library_is_imported_for_a_list():
    code = (
        "import sys; from tests.samplers.test_draws import response; "
        "from tightrope.samplers import draw_many; import numpy as np; "
        "draw_many(response(), ['c1'] * 5); draw_many(response(), np.array(['c1'] * 5)); "
        "print({'pandas', 'polars', 'pyarrow'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series, pa.array],
                         ids=["list", "numpy", "pandas", "polars", "arrow"])
def test_a_double_that_may_stand_for_two_whole_numbers_is_no_point(kind):
    most = 2**53
    space = matrix([most - 1, most, 0], [[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    proved = certified(KernelMechanism(space, Fraction(2), ONE, (ONE,) * 3), Level.ratio(9))
    sure = [draw_many(proved, kind([make(most - 1)]), SeededSource(1)) for make in (int, float)]
    assert rows(sure[0]) == rows(sure[1])
    assert len(draw_many(proved, kind([most]), SeededSource(1))) == 1
    with pytest.raises(NotAPoint):
        draw_many(proved, kind([float(most)]), UNREAD)
    with pytest.raises(NotAPoint):
        draw_many(proved, kind([0.0, -float(most)]), UNREAD)


def test_a_cell_with_one_such_double_is_no_point():
    space = matrix([(1, 2**53), (1, 2)], [[0, 1], [1, 0]])
    assert read_column([(1.0, 2.0)], space).codes.tolist() == [1]
    with pytest.raises(NotAPoint):
        read_column([(1.0, 2.0**53)], space)


@pytest.mark.parametrize("count", [256, 257, 300])
def test_labels_are_those_drawn_whether_or_not_there_are_more_of_them_than_rows(count):
    names = tuple(f"n{k}" for k in range(count))
    proved = certified(
        KernelMechanism(categories(names), Fraction(3), ONE, (ONE,) * count), Level.ratio(3))
    codes = np.array([0, count - 1, 7] * 20)
    for column in ([names[k] for k in codes], pd.Series([names[k] for k in codes])):
        assert list(draw_many(proved, column, SeededSource(4))) == [
            names[z] for z in draw_indices(proved, codes, SeededSource(4)).tolist()]
