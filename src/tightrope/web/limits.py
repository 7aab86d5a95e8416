"""Rate limits."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from time import monotonic

_MOST_KEYS = 100_000
"""Keys in memory: beyond, the oldest is forgotten, so that visitors cannot fill the memory."""


@dataclass
class RateLimit:
    """At most `most` requests in `seconds` for each key; keys live in memory only.

    >>> limit = RateLimit(2, 60.0)
    >>> [limit.allows("a", now=0.0), limit.allows("a", now=1.0), limit.allows("a", now=2.0)]
    [True, True, False]
    >>> limit.allows("a", now=61.5), limit.allows("b", now=2.0)
    (True, True)
    """

    most: int
    seconds: float
    _windows: OrderedDict[str, tuple[float, int]] = field(default_factory=OrderedDict)

    def allows(self, key: str, now: float | None = None) -> bool:
        """Whether one more request of this key is within the limit; it is counted."""
        time = monotonic() if now is None else now
        start, count = self._windows.pop(key, (time, 0))
        if time - start >= self.seconds:
            start, count = time, 0
        self._windows[key] = (start, count + 1)
        if len(self._windows) > _MOST_KEYS:
            self._windows.popitem(last=False)
        return count < self.most
