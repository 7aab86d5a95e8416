"""Owning what was given: what a proof rests on cannot change under it.

A frozen value copies the arrays, lists and tables it is made of. Arrays become views on
`bytes`, which nobody can make writable again; arrays of Python integers, for which there are
no such views, become read-only views of a copy of their own. `parts` lists a value and every
frozen value inside it with what each holds, and `unchanged` tells by identity, in microseconds,
whether all that is still so. Only private attributes of Python's own numbers and the memory
behind a view of Python integers are out of its sight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Parts: TypeAlias = tuple[tuple[object, Mapping[str, object]], ...]

_NOTHING = object()


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
    behind: object = array.base
    if type(array) is np.ndarray and type(behind) is bytes:
        return array
    return np.ndarray(array.shape, array.dtype, np.asarray(array).tobytes())


def own(value: Any) -> None:
    """Make a frozen dataclass own its fields: arrays are copied, lists and tables frozen."""
    for field in fields(value):
        given = vars(value).get(field.name)
        held = _kept(given)
        if held is not given:
            object.__setattr__(value, field.name, held)


def _kept(given: Any) -> Any:
    if isinstance(given, np.ndarray):
        return owned(given)
    if isinstance(given, list):
        return tuple(_kept(part) for part in given)
    if type(given) is tuple and any(isinstance(part, np.ndarray | list | tuple) for part in given):
        return tuple(_kept(part) for part in given)
    if isinstance(given, Mapping) and not isinstance(given, MappingProxyType):
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
            found[id(part)] = part, dict(vars(part))
    return tuple(found.values())


def unchanged(sealed: Parts) -> bool:
    """Whether every part still holds what it held."""
    for part, held in sealed:
        now = vars(part)
        for name, value in held.items():
            if now.get(name, _NOTHING) is not value:
                return False
    return True
