r"""Names in one text, with slashes between them: red/green/blue.

A slash that belongs to a name is written `\/`, or the whole name in double quotes, as JSON
has it; a name that starts with a double quote must end with one. This is the only reader of
such texts: categories, values of columns, answers.
"""

from __future__ import annotations

import re
from contextlib import suppress
from json import JSONDecodeError, loads

from tightrope.errors import BadSpace, NotAPoint
from tightrope.spaces.checks import show
from tightrope.spaces.protocol import Label, Space, label_of

_WHOLE = re.compile(r"-?[0-9]{1,4000}", re.ASCII)
_NAME = re.compile(r'(\s*"(?:[^"\\]|\\.)*"\s*|(?:\\/|[^/])*)/')


def split_names(text: str, *, trimmed: bool = True) -> list[str]:
    r"""The names in a text; spaces around those without quotes are left out if `trimmed`.

    >>> split_names(r'and\/or/none/"n/a"')
    ['and/or', 'none', 'n/a']
    """
    return [_name(part, trimmed) for part in _NAME.findall(f"{text}/")]


def point_named(space: Space, text: str) -> Label:
    """The point that a person means by a text: a name, a number, or parts with commas between.

    >>> from tightrope.spaces import grid, path, sets
    >>> point_named(path(0, 9), "7"), point_named(grid((3, 3)), "0,2"), point_named(sets(3), "[]")
    (7, (0, 2), ())
    """
    parts = tuple(_part(part.strip()) for part in text.strip().strip("()").split(","))
    candidates = [text, text.strip(), *parts[: len(parts) == 1], parts]
    with suppress(ValueError, RecursionError):
        candidates.append(label_of(loads(text)))
    for candidate in candidates:
        try:
            return space.points[space.index(candidate)]
        except NotAPoint:
            continue
    raise NotAPoint(text, space)


def _part(text: str) -> Label:
    return int(text) if _WHOLE.fullmatch(text) else text


def _name(part: str, trimmed: bool) -> str:
    bare = part.strip()
    if not bare.startswith('"'):
        return (bare if trimmed else part).replace("\\/", "/")
    try:
        return str(loads(bare))
    except JSONDecodeError:
        raise BadSpace(f"a name in double quotes cannot be read in {show(part)}.") from None
