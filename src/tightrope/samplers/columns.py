"""Columns of inputs of any kind: read as indices of points, answered in the same kind.

A column is a list (or any other iterable), a numpy array, a Series of pandas or Polars, or an
array of Arrow. Its distinct values are looked up in the space once each; rows are only counted
and copied, by the library that the column comes from. No package is imported for a column of
another. Answers are of the type of the column where it holds them exactly: a text column of
declared categories gives one, a column of short integers too, unless an answer is too large.
A whole double is the number that it is: integers beside a missing value are held that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput, BadTable, NotAPoint
from tightrope.exact import IntArray
from tightrope.spaces import Label, Space, label_of

Drawn: TypeAlias = NDArray[Any]
Labels: TypeAlias = Sequence[Label]
Rebuild: TypeAlias = Callable[[Drawn, Labels | None], Any]

_SHORT_TEXT: Final = 64
"""Bytes of a text of up to 16 letters, which numpy compares faster than Python looks it up."""

_LIBRARIES: Final = ("pandas", "polars", "pyarrow")

_MISSING: Final = ("NAType", "NaTType", "MaskedConstant")
"""Types of a missing value in pandas and numpy, by name: neither library need be there."""

_SURE: Final = 1 << 53
"""Beyond it, a whole double may stand for several whole numbers."""

_WIDEST: Final = 1 << 20
"""Whole numbers that span no more than this are looked up in a table, others are sorted."""


@dataclass(frozen=True, eq=False)
class Column:
    """The index of the point in each row, and how answers become a column of the same kind.

    `rebuild(drawn, outputs)` takes the answers by index, `rebuild(answers, None)` as they are.
    """

    codes: IntArray
    rebuild: Rebuild


def read_column(column: Any, space: Space) -> Column:
    """The rows of a column as points of the space.

    Raises `BadInput` for what is no column, `BadTable` where values are missing, `NotAPoint`
    for a value that is no point.

    >>> from tightrope.spaces import categories
    >>> read = read_column(["b", "a", "b"], categories(("a", "b")))
    >>> read.codes.tolist(), read.rebuild(np.array([0, 0, 1]), ("no", "yes"))
    ([1, 0, 1], ['no', 'no', 'yes'])
    """
    home = type(column).__module__.partition(".")[0]
    kind = type(column).__name__
    if home == "pandas" and kind == "Series":
        return _pandas(column, space)
    if home == "polars" and kind == "Series":
        return _polars(column, space)
    if home == "pyarrow" and hasattr(column, "null_count"):
        return _arrow(column, space)
    if isinstance(column, np.ndarray) and column.ndim == 1:
        return _numpy(column, space)
    if isinstance(column, np.ndarray) and column.ndim == 2 and column.shape[1]:
        return _wide(column, space)
    no_column = (str, bytes, Mapping, np.ndarray)
    if not isinstance(column, Iterable) or isinstance(column, no_column) or home in _LIBRARIES:
        hint = "; give one of its columns" if hasattr(column, "columns") else ""
        raise BadInput(f"expected a column of inputs, found {kind}{hint}.")
    return Column(_rows(list(column), space), _without_undrawn(_as_list))


def _numpy(column: NDArray[Any], space: Space) -> Column:
    if isinstance(column, np.ma.MaskedArray):
        _refuse_missing(bool(np.ma.getmaskarray(column).any()))
        column = np.asarray(column)
    if column.dtype.kind in "iu":
        codes = _whole(column, space)
    elif column.dtype.kind == "f":
        codes = _floats(column, space)
    elif column.dtype.kind == "U" and column.size and 0 < column.itemsize <= _SHORT_TEXT:
        codes = _short_text(column, space)
    else:
        codes = _rows(column.tolist(), space)

    def rebuild(drawn: Drawn, outputs: Labels | None) -> NDArray[Any]:
        return drawn if outputs is None else _labels(outputs, column.dtype).take(drawn)

    return Column(codes, _without_undrawn(rebuild))


def _wide(column: NDArray[Any], space: Space) -> Column:
    """An array whose rows are points, such as cells of a grid; answers are rows of one too."""

    def rebuild(drawn: Drawn, outputs: Labels | None) -> NDArray[Any]:
        return drawn if outputs is None else np.array(outputs).take(drawn, axis=0)

    return Column(_rows(list(map(tuple, column.tolist())), space), _without_undrawn(rebuild))


def _pandas(column: Any, space: Space) -> Column:
    import pandas

    sort = column.dtype
    grouped = isinstance(sort, pandas.CategoricalDtype)
    if grouped:
        codes = _look_up(column.cat.codes.to_numpy(), sort.categories.tolist(), space)
    elif isinstance(sort, np.dtype):
        codes = _numpy(column.to_numpy(), space).codes
    else:
        places, distinct = column.factorize()
        codes = _look_up(places, distinct.tolist(), space)

    def rebuild(drawn: Drawn, outputs: Labels | None) -> Any:
        if outputs is None:
            values: Any = drawn
        elif not grouped:
            values = _series_labels(outputs, sort).take(drawn)
        elif outputs == sort.categories.tolist():
            values = pandas.Categorical.from_codes(drawn, dtype=sort)
        else:
            values = pandas.Categorical.from_codes(drawn, _labels(outputs, None))
        return pandas.Series(values, column.index, dtype=values.dtype, name=column.name)

    return Column(codes, _without_undrawn(rebuild))


def _polars(column: Any, space: Space) -> Column:
    import polars

    read = _arrow(column.to_arrow(), space)
    enumerated = isinstance(column.dtype, polars.Enum)

    def rebuild(drawn: Drawn, outputs: Labels | None) -> Any:
        made = polars.Series(column.name, read.rebuild(drawn, outputs))
        if enumerated and outputs is not None:
            return made.cast(polars.Enum([str(label) for label in outputs]))
        return made

    return Column(read.codes, rebuild)


def _arrow(column: Any, space: Space) -> Column:
    import pyarrow as pa

    _refuse_missing(column.null_count > 0)
    whole = pa.chunked_array(column if isinstance(column, pa.ChunkedArray) else [column])
    sort = whole.type
    grouped = pa.types.is_dictionary(sort)
    if pa.types.is_integer(sort):
        codes = _whole(whole.to_numpy(), space)
    elif pa.types.is_floating(sort):
        codes = _floats(whole.to_numpy(), space)
    elif pa.types.is_nested(sort):
        codes = _rows(list(map(_row_of, whole.to_pylist())), space)
    else:
        chunks = (whole if grouped else whole.dictionary_encode()).unify_dictionaries().chunks
        places = [np.asarray(chunk.indices).astype(np.int64) for chunk in chunks]
        distinct = chunks[0].dictionary.to_pylist() if chunks else []
        codes = _look_up(np.concatenate([np.empty(0, np.int64), *places]), distinct, space)

    def rebuild(drawn: Drawn, outputs: Labels | None) -> Any:
        if outputs is None:
            values = pa.array(drawn)
        else:
            labels = _arrow_labels(outputs, sort.value_type if grouped else sort)
            if grouped:
                values = pa.DictionaryArray.from_arrays(drawn.astype(np.int32), labels)
            elif labels.type == pa.string_view():  # which Arrow cannot take from
                values = labels.cast(pa.large_string()).take(pa.array(drawn)).cast(labels.type)
            else:
                values = labels.take(pa.array(drawn))
        if not isinstance(column, pa.ChunkedArray):
            return values
        ends = np.cumsum([len(chunk) for chunk in column.chunks], dtype=np.int64).tolist()
        cuts = zip([0, *ends], ends, strict=False)
        return pa.chunked_array([values[a:b] for a, b in cuts], type=values.type)

    return Column(codes, _without_undrawn(rebuild))


def _without_undrawn(rebuild: Rebuild) -> Rebuild:
    """The same, without labels that were never drawn where there are more labels than rows."""

    def few(drawn: Drawn, outputs: Labels | None) -> Any:
        if drawn.ndim != 1 or outputs is None:
            return rebuild(drawn, outputs)
        if len(outputs) <= max(len(drawn), 256):
            return rebuild(drawn, list(outputs))
        distinct, places = np.unique(drawn, return_inverse=True)
        return rebuild(places, [outputs[z] for z in distinct.tolist()])

    return few


def _as_list(drawn: Drawn, outputs: Labels | None) -> list[Any]:
    made = drawn if outputs is None else np.fromiter(outputs, object, len(outputs)).take(drawn)
    return list(made.tolist())


def _rows(labels: list[Any], space: Space) -> IntArray:
    """The points of Python values: 1 and True are equal and yet not the same label."""
    try:
        distinct = set(labels)
    except TypeError:
        labels = list(map(label_of, labels))
        wrong = [label for label in labels if not _hashable(label)]
        if wrong:
            raise NotAPoint(wrong[0], space) from None
        distinct = set(labels)
    text = all(isinstance(label, str) for label in distinct)
    _refuse_missing(not text and any(map(_is_missing, distinct)))
    types = {str} if text else set(map(type, labels))
    if types == {int} and (values := np.array(labels)).dtype.kind == "i":
        return _whole(values, space)
    if len(types) == 1:
        place = {label: _point(label, space) for label in distinct}
    else:
        labels = list(zip(map(type, labels), labels, strict=True))
        place = {key: _point(key[1], space) for key in set(labels)}
    return np.fromiter(map(place.__getitem__, labels), np.int64, len(labels))


def _short_text(column: NDArray[Any], space: Space) -> IntArray:
    """The points of short texts: rows that fall into one place of a table are compared there."""
    text = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("="))
    letters, keys = text.view(np.uint32).reshape(len(text), -1), np.zeros(len(text), np.uint64)
    for place in range(letters.shape[1]):
        keys = (keys + letters[:, place]) * np.uint64(0x9E3779B97F4A7C15)
    places = (keys >> np.uint64(48)).astype(np.int64)
    rows = np.zeros(1 << 16, dtype=np.int64)
    rows[places] = np.arange(len(text))
    if (text[rows[places]] != text).any():  # two texts share a place
        return _rows(text.tolist(), space)
    return _look_up(places, _Texts(text, rows), space)


class _Texts(Sequence[str]):
    """The text of each place of a table, made when it is asked for."""

    def __init__(self, text: NDArray[Any], rows: IntArray) -> None:
        self._text, self._rows_of = text, rows

    def __len__(self) -> int:
        return len(self._rows_of)

    def __getitem__(self, place: Any) -> Any:
        return self._text[self._rows_of[place]].item()


def _look_up(places: NDArray[Any], values: Sequence[Any], space: Space) -> IntArray:
    """The points of values by place; a place below 0 is a missing value."""
    if not len(places):
        return np.empty(0, np.int64)
    _refuse_missing(int(places.min()) < 0)
    table = np.zeros(len(values), dtype=np.int64)
    for place in np.flatnonzero(np.bincount(places, minlength=len(values))).tolist():
        table[place] = _point(values[place], space)
    return np.asarray(table.take(places))


def _whole(values: NDArray[Any], space: Space) -> IntArray:
    """The points of whole numbers."""
    if not len(values):
        return np.empty(0, np.int64)
    low, high, points = int(values.min()), int(values.max()), space.points
    if isinstance(points, range):
        for end in (low, high):
            space.index(end)
        return np.asarray(values.astype(np.int64) - points[0])
    if high - low < max(_WIDEST, 4 * len(values)) and high < 1 << 63:
        return _look_up(values.astype(np.int64) - low, range(low, high + 1), space)
    distinct, places = np.unique(values, return_inverse=True)
    return _look_up(places, distinct.tolist(), space)


def _floats(values: NDArray[Any], space: Space) -> IntArray:
    """The points of doubles: each is a whole number beside missing values, or no point."""
    _refuse_missing(bool(np.isnan(values).any()))
    values = values.astype(np.result_type(values, np.float64), copy=False)
    if (np.abs(values) < _SURE).all() and (values == np.rint(values)).all():
        return _whole(values.astype(np.int64), space)
    return _rows(values.tolist(), space)


def _point(label: Any, space: Space) -> int:
    _refuse_missing(_is_missing(label))
    if _is_unsure(label):
        raise NotAPoint(label, space)
    return space.index(_as_whole(label))


def _is_unsure(label: Any) -> bool:
    """Whether a double, in a cell too, may stand for several whole numbers."""
    if isinstance(label, tuple):
        return any(map(_is_unsure, label))
    return isinstance(label, float | np.floating) and abs(float(label)) >= _SURE


def _as_whole(label: Any) -> Any:
    """A whole double as the number it is, in cells too."""
    if isinstance(label, tuple):
        return tuple(map(_as_whole, label))
    return int(label) if isinstance(label, float | np.floating) and label.is_integer() else label


def _is_missing(label: Any) -> bool:
    if isinstance(label, tuple):
        return any(map(_is_missing, label))
    if isinstance(label, float | np.floating | Decimal):
        return bool(label != label)
    return label is None or type(label).__name__ in _MISSING


def _refuse_missing(missing: bool) -> None:
    if missing:
        raise BadTable(
            "the column has missing values; fill them with a point of the space, or leave "
            "those rows out, before anything is drawn."
        )


def _hashable(label: Any) -> bool:
    try:
        return hash(label) is not None
    except TypeError:
        return False


def _row_of(label: Any) -> Any:
    """A nested value of Arrow as a label: lists become tuples, a struct the tuple of its parts."""
    if isinstance(label, dict):
        label = list(label.values())
    return tuple(map(_row_of, label)) if isinstance(label, list) else label


def _labels(outputs: Labels, sort: Any) -> NDArray[Any]:
    """Labels as an array of this type if it holds them exactly, else of one that does."""
    for wanted in (sort, None):
        try:
            made = np.array(outputs, dtype=wanted)
        except (TypeError, ValueError, OverflowError):
            continue
        if made.ndim == 1 and made.tolist() == outputs:
            return made
    return np.fromiter(outputs, dtype=object, count=len(outputs))


def _series_labels(outputs: Labels, sort: Any) -> Any:
    import pandas

    try:
        made = pandas.array(outputs, dtype=sort)
        if made.tolist() == outputs:
            return made
    except (TypeError, ValueError, OverflowError):
        pass
    return pandas.Series(_labels(outputs, None)).array


def _arrow_labels(outputs: Labels, sort: Any) -> Any:
    import pyarrow as pa

    for wanted in (sort, None):
        try:
            made = pa.array(outputs, type=wanted)
        except (pa.ArrowException, OverflowError, TypeError, ValueError):
            continue
        if list(map(_row_of, made.to_pylist())) == outputs:
            return made
    raise BadInput("the outputs are of several kinds, which one column cannot hold; use a list.")
