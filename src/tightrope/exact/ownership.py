"""Owning what was given: what a proof rests on cannot change under it.

A frozen value copies the arrays, lists and tables it is made of. Arrays become views on `bytes`,
which nobody can make writable again; arrays of Python integers, for which there are no such views,
become read-only views of a copy of their own. Whole numbers become 64-bit ones: narrower ones would
overflow. `parts` lists a value, every frozen value inside it, and their fields. `unchanged`
compares these by identity, in microseconds, and finds methods that were hidden. It does not see
private attributes of Python's own numbers, or the memory behind a view of Python integers. Nor does
it see a cached value that was forged before anything was proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact.numbers import exact_number

Parts: TypeAlias = tuple[tuple[object, Mapping[str, object]], ...]

_NOTHING = object()
_HELD = (np.ndarray, list, tuple)


def owned(array: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in memory that cannot be written to; copied unless they are there already.

    >>> given = np.array([1, 2])
    >>> held = owned(given)
    >>> given[0] = 7
    >>> held.tolist(), held.flags.writeable, owned(held) is held
    ([1, 2], False, True)
    """
    if array.dtype.hasobject:
        copy = np.array(array, subok=False)
        copy.setflags(write=False)
        return copy.view()
    if array.dtype.kind in "iu" and array.dtype != np.int64 and _fits(array):
        array = array.astype(np.int64)
    behind: object = array.base
    if type(array) is np.ndarray and type(behind) is bytes:
        return array
    return np.ndarray(array.shape, array.dtype, np.asarray(array).tobytes())


def own(value: Any, *whole: str) -> None:
    """Make a frozen dataclass own its fields: arrays are copied, lists and tables frozen.

    Those named in `whole` must be arrays of whole numbers.
    """
    for field in fields(value):
        given = vars(value).get(field.name)
        copied = _kept(given)
        if field.name in whole and not _is_whole(copied):
            kind = type(value).__name__
            raise BadInput(f"expected the {field.name} of {kind} as an array of whole numbers.")
        if copied is not given:
            object.__setattr__(value, field.name, copied)


def own_numbers(value: Any, *names: str, whole: tuple[str, ...] = ()) -> None:
    """Make fields of a frozen dataclass the exact fractions, or whole numbers, that they are.

    A double is its dyadic; truth values and what is no number are refused.
    """
    for name in (*names, *whole):
        given = vars(value)[name]
        if type(given) is (int if name in whole else Fraction):
            continue
        try:
            exact = exact_number(given)
        except (ValueError, TypeError):
            exact = None
        if exact is None or (name in whole and exact.denominator != 1):
            kind = "a whole number" if name in whole else "an exact number"
            raise BadInput(
                f"expected the {name} of a {type(value).__name__} as {kind}, "
                f"found {type(given).__name__}."
            )
        object.__setattr__(value, name, int(exact) if name in whole else exact)


def _fits(array: NDArray[Any]) -> bool:
    return array.dtype != np.uint64 or not array.size or int(array.max()) < 1 << 63


def _is_whole(array: Any) -> bool:
    if not isinstance(array, np.ndarray):
        return False
    return array.dtype == np.int64 or (
        array.dtype.hasobject and all(type(number) is int for number in array.flat)
    )


def _kept(given: Any) -> Any:
    if isinstance(given, np.ndarray):
        return owned(given)
    if isinstance(given, list):
        return tuple(_kept(part) for part in given)
    if type(given) is tuple and any(issubclass(kind, _HELD) for kind in set(map(type, given))):
        return tuple(_kept(part) for part in given)
    if isinstance(given, Mapping):  # a view too: whoever made it may hold the table behind it
        return MappingProxyType({name: _kept(part) for name, part in given.items()})
    return given


def parts(value: object) -> Parts:
    """The value and every frozen value inside it, each with all that it holds now."""
    found: dict[int, tuple[object, Mapping[str, object]]] = {}
    left: list[Any] = [value]
    while left:
        part = left.pop()
        if type(part) is tuple:
            left.extend(p for p in part if type(p) is tuple or is_dataclass(type(p)))
        elif is_dataclass(type(part)) and id(part) not in found:
            for field in fields(part):
                held = vars(part).get(field.name)
                if isinstance(held, np.ndarray) and held.flags.writeable:  # copied or unpickled
                    object.__setattr__(part, field.name, held := owned(held))
                left.append(held)
            if not _own_names(part, vars(part).keys() - {field.name for field in fields(part)}):
                raise BadInput(f"a {type(part).__name__} holds more than its own fields.")
            found[id(part)] = part, dict(vars(part))
    return tuple(found.values())


def unchanged(sealed: Parts) -> bool:
    """Whether every part still holds what it held, and beside it only what it works out itself."""
    for part, held in sealed:
        now = vars(part)
        if len(now) > len(held) and not _own_names(part, now.keys() - held.keys()):
            return False
        for name, value in held.items():
            if now.get(name, _NOTHING) is not value:
                return False
    return True


def _own_names(part: object, names: set[str]) -> bool:
    """Whether attributes of a value beside its fields are those that its class works out."""
    return all(isinstance(getattr(type(part), name, None), cached_property) for name in names)
