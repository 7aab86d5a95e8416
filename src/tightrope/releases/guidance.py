"""Calls that do not fit their parameters are answered with one that does, in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from tightrope.errors import BadInput
from tightrope.exact import Level

P = ParamSpec("P")
R = TypeVar("R")


def guided(
    example: str, instead: Mapping[str, str], elsewhere: str | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse a call that does not fit with an example of one that does.

    `instead` are names that people try for a parameter, and ours. `elsewhere` is what has the same
    name in another room and takes numbers.
    """
    def wrap(call: Callable[P, R]) -> Callable[P, R]:
        parameters = signature(call)

        @wraps(call)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            given: Any = args[0] if args else None
            if elsewhere is not None and isinstance(given, int | float | Level):
                raise BadInput(f"tr.{call.__name__} {elsewhere}.")
            try:
                parameters.bind(*args, **kwargs)
            except TypeError as error:
                names = "".join(f"; {name} is {instead[name]} here" for name in kwargs
                                if name in instead and name not in parameters.parameters)
                raise BadInput(f"{error}{names}: write {example}.") from None
            return call(*args, **kwargs)

        return checked

    return wrap
