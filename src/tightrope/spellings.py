"""Public calls that do not fit, and the spelling that works.

An option of a command is not always a keyword of the function beside it: pictures, files and
time limits have one spelling for all calls, and a result of another type has a call of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import ParamSpec, TypeVar

from tightrope.errors import BadInput

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

RESULT = {
    "json": "json.dumps of the facts() of the result",
    "force": 'tr.save(result, "m.json", force=True)',
    "output": 'tr.save(result, "m.json")',
    "plot": "plot() of the result",
}
"""Options that belong to a result, each with the call that has it."""

SEARCH = {
    "gap": "effort=tr.Effort(gap=1e-4)",
    "seconds": "effort=tr.Effort(seconds=60)",
    "time": "effort=tr.Effort(seconds=60)",
}
"""How long a search may take."""

DECLARED = 'name columns with what they may hold: columns={"answer": "no/yes"}'
"""The spelling that works where a column is named by a keyword of its own."""

TABLE = {
    **dict.fromkeys(("column", "domain", "domains"), 'columns={"answer": "no/yes"}'),
    "dry_run": "tr.tables.plan_sanitizing(table, columns, epsilon, rows=300)",
    "assume_rows": "tr.tables.plan_sanitizing(table, columns, epsilon, rows=300)",
    "weight": "weights=[1, 2], one for each column",
    "json": RESULT["json"],
}
"""Options of sanitizing under other names."""

PEOPLE = {
    **dict.fromkeys(("n", "people", "size"), "respondents=300"),
    "plot": RESULT["plot"],
    "json": RESULT["json"],
}
"""Options of planning a survey under other names."""

LEVEL = {
    "e": "epsilon=1, or ratio=2 for e^ε = 2",
    "eps": "epsilon=1, or ratio=2 for e^ε = 2",
    "level": "epsilon=1, ratio=2 for e^ε = 2, or a Level as epsilon",
}
"""The level under other names."""

DEFINITION = ("tr.privacy.verify_generic(mechanism, definition, space), or "
              'tr.privacy.verify_renyi(mechanism, "zcdp:rho=0.1", space)')
"""Calls that judge a mechanism by a definition in place of a level."""


def spelled(others: str | None = None, /, **instead: str) -> Callable[
    [Callable[_Arguments, _Result]], Callable[_Arguments, _Result]
]:
    """Refuse a call that does not fit, in a sentence with the spelling that works.

    `instead` are keywords that belong elsewhere, each with the call that has it.

    `others` says what works for keywords that nobody foresaw, such as names of columns.

    >>> @spelled(seconds="effort=tr.Effort(seconds=60)")
    ... def solve(space, effort=None): ...
    >>> solve("path:0..9", seconds=9)
    Traceback (most recent call last):
    tightrope.errors.BadInput: solve has no option seconds; use effort=tr.Effort(seconds=60).
    >>> solve(effort=None)
    Traceback (most recent call last):
    tightrope.errors.BadInput: solve: missing a required argument: 'space'; write solve(space, \
effort=…).
    """

    def around(
        call: Callable[_Arguments, _Result]
    ) -> Callable[_Arguments, _Result]:
        parameters = signature(call)

        @wraps(call)
        def checked(*args: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
            for name in options:
                if name in instead:
                    raise BadInput(f"{call.__name__} has no option {name}; use {instead[name]}.")
                if others is not None and name not in parameters.parameters:
                    raise BadInput(f"{call.__name__} has no option {name!r:.40}; {others}.")
            try:
                parameters.bind(*args, **options)
            except TypeError as error:
                raise BadInput(
                    f"{call.__name__}: {error}; write {call.__name__}({_written(parameters)})."
                ) from None
            return call(*args, **options)

        checked.__dict__["instead"] = instead
        return checked

    return around


def _written(parameters: Signature) -> str:
    """Parameters as a call has them: names of those that are needed, and keywords."""
    return ", ".join(name if part.default is Parameter.empty else f"{name}=…"
                     for name, part in parameters.parameters.items() if name != "self")
