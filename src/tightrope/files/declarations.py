"""Declarations in files: TOML or JSON, with decimals as they are written."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from tightrope.declarations import Declaration
from tightrope.errors import BadInput
from tightrope.files.files import StrPath, extension, read_text


def read_declaration(given: StrPath | Mapping[str, Any] | Declaration) -> Declaration:
    """A declaration from a TOML or JSON file, a mapping, or as it is."""
    if isinstance(given, Declaration | Mapping):
        return Declaration.of(given)
    text = read_text(given)
    try:
        if extension(given) == ".json":
            form = json.loads(text, parse_float=Decimal)
        else:
            form = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError):
        raise BadInput(f"{given} is no declaration: expected TOML, such as [unit] and "
                       "[columns.age].") from None
    try:
        return Declaration.of(form)
    except BadInput as wrong:
        raise BadInput(f"{given}: {wrong}") from None
