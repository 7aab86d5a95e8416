r"""Names in one text, with slashes between them: red/green/blue.

A slash that belongs to a name is written `\/`, or the whole name in double quotes, as JSON
has it; a name that starts with a double quote must end with one. This is the only reader of
such texts: categories, values of columns, answers.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, loads

from tightrope.errors import BadSpace
from tightrope.spaces.checks import shown

_NAME = re.compile(r'(\s*"(?:[^"\\]|\\.)*"\s*|(?:\\/|[^/])*)/')


def split_names(text: str, *, trimmed: bool = True) -> list[str]:
    r"""The names in a text; spaces around those without quotes are left out if `trimmed`.

    >>> split_names(r'and\/or/none/"n/a"')
    ['and/or', 'none', 'n/a']
    """
    return [_name(part, trimmed) for part in _NAME.findall(f"{text}/")]


def _name(part: str, trimmed: bool) -> str:
    bare = part.strip()
    if not bare.startswith('"'):
        return (bare if trimmed else part).replace("\\/", "/")
    try:
        return str(loads(bare))
    except JSONDecodeError:
        raise BadSpace(f"a name in double quotes cannot be read in {shown(part)}.") from None
