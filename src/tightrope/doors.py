"""Front doors that open only as far as somebody asks.

A folder's front door lists what is public. Where that takes long to import and few need all
of it, the list is for type checkers, and each name is imported when it is first asked for:
`tightrope design` needs a reader of spaces, not the books, tables and surveys beside it.
A function that has the name of its module stays a function when the module is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

_INNER = {"TYPE_CHECKING", "on_demand"}
"""Names that a front door itself needs, and nobody else."""


class _Door(ModuleType):
    """A front door: what is listed there is never replaced by a module of the same name."""

    def __dir__(self) -> list[str]:
        """The names that help, completion and "did you mean" list, before any is imported."""
        return sorted({*self.__dict__.get("__all__", ()), *super().__dir__()} - _INNER)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and hasattr(value, name) and (
            _listed(str(self.__file__)).get(name) == value.__name__
        ):
            value = getattr(value, name)
        super().__setattr__(name, value)


def on_demand(door: str) -> Callable[[str], Any]:
    """The `__getattr__` of a front door, for the names that it imports for type checkers only.

    >>> find = on_demand("tightrope.files")
    >>> find("read_space").__module__
    'tightrope.files.spaces'
    """
    homes: dict[str, str] = {}
    if door in sys.modules:  # while it is being imported, as always but in examples
        sys.modules[door].__class__ = _Door

    def find(name: str) -> Any:
        from importlib import import_module

        room = import_module(door)
        if not homes:
            homes.update(_listed(str(room.__file__)))
        if name not in homes:
            unknown = f"module {door!r} has no attribute {name!r}"
            raise AttributeError(unknown, name=name, obj=room)
        found = getattr(import_module(homes[name]), name)
        setattr(room, name, found)
        return found

    return find


def _listed(file: str) -> dict[str, str]:
    """Every name that the source of a front door imports, and the module that has it."""
    import ast
    from pathlib import Path

    text = Path(file).read_text(encoding="utf-8")
    return {
        alias.name: node.module
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
    }
