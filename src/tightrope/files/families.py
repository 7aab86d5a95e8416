"""Families of sets from a JSON file."""

from __future__ import annotations

from typing import Any

from tightrope.errors import BadInput
from tightrope.files.files import StrPath
from tightrope.files.sheets import read_parameters

_FIELDS = {"sets", "elements", "measure", "within", "rectangles"}
_LISTS = "a list of lists of texts and whole numbers"


def read_sets(path: StrPath) -> dict[str, Any]:
    """The object that a file holds: `sets`, with `elements`, `measure`, `within`; or `rectangles`.

    Elements are texts or whole numbers; those of a measure are texts, as JSON has them.
    """
    content = read_parameters(path)
    if not isinstance(content, dict) or not set(content) <= _FIELDS or (
        ("sets" in content) == ("rectangles" in content)
    ) or ("rectangles" in content and not set(content) <= {"rectangles", "within"}):
        raise BadInput(f"{path}: expected an object with \"sets\" (and \"elements\", \"measure\", "
                       "\"within\"), or one with \"rectangles\" (and \"within\").")
    paired = "rectangles" in content
    for name in ("sets", "within"):
        if name in content and not (_is_paired if paired else _is_family)(content[name]):
            raise BadInput(f"{path}: expected {name} as "
                           f"{'a list of lists of pairs' if paired else _LISTS}.")
    if "elements" in content and not _is_part(content["elements"]):
        raise BadInput(f"{path}: expected elements as a list of texts and whole numbers.")
    pairs = content.get("rectangles", [])
    if not isinstance(pairs, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and _is_family(pair) for pair in pairs
    ):
        raise BadInput(f"{path}: expected rectangles as a list of pairs of lists.")
    if "measure" in content:
        content = {**content, "measure": _measure(path, content)}
    return content


def _measure(path: StrPath, content: dict[str, Any]) -> dict[Any, Any]:
    """The measure by element: a whole number is written as text there."""
    measure = content["measure"]
    if not isinstance(measure, dict):
        raise BadInput(f"{path}: expected measure as an object, a number for each element.")
    parts = [content.get("elements", []), *content["sets"]]
    named = {str(x): x for part in parts for x in part}
    return {named.get(name, name): value for name, value in measure.items()}


def _is_paired(value: Any) -> bool:
    return isinstance(value, list) and all(
        _is_family(part) and all(len(pair) == 2 for pair in part) for part in value)


def _is_family(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_part, value))


def _is_part(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(x, str | int) and not isinstance(x, bool) for x in value)
