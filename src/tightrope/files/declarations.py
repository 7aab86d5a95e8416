"""Declarations in files: TOML or JSON, with decimals as they are written."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from tightrope.declarations import Declaration
from tightrope.errors import BadInput
from tightrope.files.files import StrPath
from tightrope.files.sheets import read_form


def read_declaration(given: StrPath | Mapping[str, Any] | Declaration) -> Declaration:
    """A declaration from a TOML or JSON file, a mapping, or as it is."""
    if isinstance(given, Declaration | Mapping):
        return Declaration.of(given)
    form = read_form(given, Decimal, ", such as [unit] and [columns.age]")
    try:
        return Declaration.of(form)
    except BadInput as wrong:
        raise BadInput(f"{given}: {wrong}") from None
