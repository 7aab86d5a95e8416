"""From a command that takes groups of options to the flat signature that Typer reads.

A group is a frozen dataclass whose fields are options, such as `AskedLevel`. A command takes
it as one parameter; `flat` puts its options in the place of that parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """The command with every option a parameter of its own, as Typer needs it.

    >>> from tightrope.cli.asked import AskedEffort
    >>> def search(space: str, *, effort: AskedEffort, force: bool = False) -> None:
    ...     print(space, effort.gap, effort.time, force)
    >>> list(signature(flat(search)).parameters)
    ['space', 'gap', 'time', 'force']
    >>> flat(search)(space="path:0..9", gap=0.5, time=None, force=True)
    path:0..9 0.5 None True
    """

    @wraps(command)
    def run(**given: Any) -> None:
        _call(command, given)

    options = list(_options(command))
    run.__annotations__ = {option.name: option.annotation for option in options}
    run.__dict__["__signature__"] = Signature(options)
    return run


def _options(target: Callable[..., object]) -> Iterator[Parameter]:
    """The options of a command or of a group, those of groups in their place."""
    hints = _hints(target)
    for name, parameter in signature(target).parameters.items():
        if _is_group(hints[name]):
            yield from _options(hints[name])
        else:
            yield parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])


def _call(target: Callable[..., object], given: dict[str, Any]) -> object:
    """Call a command, or make a group, with the values of its options."""
    hints = _hints(target)
    return target(**{
        name: _call(hints[name], given) if _is_group(hints[name]) else given[name]
        for name in signature(target).parameters
    })


def _is_group(hint: Any) -> bool:
    return isinstance(hint, type) and is_dataclass(hint)


def _hints(target: Callable[..., object]) -> dict[str, Any]:
    return get_type_hints(target, include_extras=True)
