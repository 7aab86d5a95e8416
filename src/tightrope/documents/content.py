"""The JSON object in a file, and labels in it, read strictly: sizes, depth, keys and numbers."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Sequence
from math import isfinite
from typing import Any

from tightrope.characters import refuse_controls, texts_in
from tightrope.errors import BadDocument
from tightrope.spaces import Label

_DEEPEST_LABEL, _DEEPEST_DOCUMENT = 50, 500
"""Deepest nesting of a label and of a document: below the limit of recursion."""
_MOST_BYTES = 1 << 30
"""Most bytes after unpacking, so that a small file cannot fill the memory."""


def content_of(data: bytes) -> dict[str, Any]:
    """The object in a JSON file without duplicate keys; raises `BadDocument`."""
    try:
        text = data
        if data[:2] == b"\x1f\x8b":
            text = gzip.GzipFile(fileobj=io.BytesIO(data)).read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise BadDocument(f"the document holds more than {_MOST_BYTES:,} bytes.")
        content = json.loads(
            text.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_constant=_no_constant,
            parse_float=_finite_float,
        )
    except BadDocument:
        raise
    except (ValueError, OSError, EOFError, zlib.error, RecursionError):
        raise BadDocument("the file is not a JSON document.") from None
    if not isinstance(content, dict):
        raise BadDocument("the file is not a JSON object.")
    if _depth(content) > _DEEPEST_DOCUMENT:
        raise BadDocument("the document is nested too deep.")
    for part in texts_in(content):
        refuse_controls(part, "a text of the document", BadDocument)
    return content


def label_from_json(value: Any, depth: int = 0) -> Label:
    """A label from JSON: lists become tuples."""
    if isinstance(value, list) and depth < _DEEPEST_LABEL:
        return tuple(label_from_json(part, depth + 1) for part in value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise BadDocument(f"a label must be a whole number, a text or a list, found {value!r:.40}.")
    return value


def _depth(content: object) -> int:
    """The depth of nested lists and objects, their scalars included."""
    inner, depth = [content], 0
    while inner:
        parents = [part for part in inner if isinstance(part, dict | list)]
        inner = [x for part in parents for x in (part.values() if isinstance(part, dict) else part)]
        depth += 1
    return depth


def _no_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise BadDocument("an object of the document has the same key twice.")
    return fields


def _no_constant(name: str) -> Any:
    raise BadDocument(f"the document contains {name}, which is not a number.")


def _finite_float(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise BadDocument(f"the document contains {text[:40]}, which is not a number.")
    return value
