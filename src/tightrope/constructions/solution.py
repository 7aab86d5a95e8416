"""What a design returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tightrope.exact import ball_of, float_below
from tightrope.privacy import Certified
from tightrope.utility import Dual, relative_gap


@dataclass(frozen=True)
class Solution:
    """A certified mechanism, its loss, and what is known about the best possible.

    `value` is the loss of the certified mechanism; `bound` is a proved lower bound on the
    loss of every mechanism at this level, and `gap` the relative distance between the two;
    all three are None where not known. `theorem` names the theorem that makes it optimal.
    """

    certified: Certified
    construction: str
    value: float | None
    bound: float | None = None
    gap: float | None = None
    theorem: str | None = None
    dual: object | None = None
    statistics: Mapping[str, Any] = field(default_factory=dict)

    def against(self, bound: float | None, dual: object | None = None) -> Solution:
        """The same with a bound, the gap to it, and the dual that proves it.

        The value is rounded, so the bound may end a last digit above it and is cut there.
        """
        if bound is None or self.value is None:
            return self
        bound = min(bound, self.value)
        return replace(self, bound=bound, gap=relative_gap(self.value, bound), dual=dual)

    def proved(self, dual: Dual) -> Solution:
        """The same with the bound that the dual proves."""
        return self.against(float_below(ball_of(dual.bound, 128)), dual)
