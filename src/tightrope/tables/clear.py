"""All that stays in clear in a randomized table: other columns, an index, the order of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

ORDER: Final = "(order of rows)"
INDEX: Final = "(index)"
SORTED: Final = (
    "The order of rows is as it was: a table that is sorted by what is protected gives it away."
)


def clear_of(
    names: Sequence[str], drawn: Sequence[str], *, index: bool = False, shuffle: bool = False
) -> tuple[str, ...]:
    """All that stays in clear: columns, the index of a frame, and the order of rows.

    >>> clear_of(["id", "vote"], ["vote"])
    ('id', '(order of rows)')
    """
    return (*(name for name in names if name not in drawn), *[INDEX] * index,
            *[ORDER] * (not shuffle))
