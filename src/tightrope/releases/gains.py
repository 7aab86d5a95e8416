"""The errors that an optimum in a declared range would have, beside unbiased noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tightrope.errors import BadInput
from tightrope.releases.accuracy import BIASED
from tightrope.releases.planning import plan_release
from tightrope.releases.questions import OPTIMAL

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan


@dataclass(frozen=True)
class Gain:
    """The errors of an optimum, on average over the range and for the worst input."""

    optimal: str
    error: Fraction
    worst: Fraction
    unit: str

    @property
    def text(self) -> str:
        """The errors in words."""
        return (f"{float(self.error):.4g} {self.unit} on average over the range, "
                f"{float(self.worst):.4g} for the worst input; {BIASED}")

    def as_json(self) -> dict[str, Any]:
        """The errors as JSON has them."""
        return {"optimal": self.optimal, "expected_error": float(self.error),
                "worst_error": float(self.worst)}


def optimal_gains(plan: QuestionPlan) -> tuple[Gain, ...]:
    """The optima that could be asked for instead of this plan; solving takes some seconds."""
    if plan.question.optimal is not None or plan.subqueries[0].subquery.largest is None:
        return ()
    offered = []
    for optimal in OPTIMAL:
        try:
            best = plan_release(replace(plan.question, optimal=optimal), plan.declaration,
                                plan.level, plan.confidence)
        except BadInput:  # no optimum is known of so many numbers, or at this level
            continue
        assert best.error is not None
        assert best.worst_error is not None
        offered.append(Gain(optimal, best.error, best.worst_error, best.unit_of_error))
    return tuple(offered)
