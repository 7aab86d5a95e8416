"""Error curves: the 95 % error of a question at every level, before any row is read.

The error of counts, sums and quantiles follows from the declaration. That of means, shares,
variances and distributions depends on how many rows there are. With a guess of that number, in all
groups alike, their error is that of their interval where no noise was drawn and values lie in the
middle: of a mean half way, of a variance as of even values. A guess is never read off the data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tightrope.declarations import Declaration
from tightrope.exact import Level
from tightrope.releases.accuracy import Band, Ratio
from tightrope.releases.answers import answers, group_cells
from tightrope.releases.planning import plan_release

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan
    from tightrope.releases.questions import Question

_KEPT = 256
"""Levels of one question whose plans are kept: more than a split tries."""


@dataclass(frozen=True)
class ErrorCurve:
    """The plans of a question at every level, and its 95 % error there.

    `rows` is a guess of the number of rows, None if there is none.

    >>> votes = Declaration.of({"dataset": "votes", "columns": {
    ...     "age": {"type": "number", "low": 0, "high": 100}}})
    >>> from tightrope.releases import Question
    >>> mean = ErrorCurve.of(Question.read("mean of age"), votes, Fraction(95, 100), 10_000)
    >>> round(float(mean.error(Level.of(1))), 4), mean.is_guess  # half of a release's interval
    (0.0369, True)
    """

    at: Callable[[Level], QuestionPlan]
    rows: int | None = None
    is_guess: bool = False

    @classmethod
    def of(
        cls, question: Question, declaration: Declaration, confidence: Fraction,
        rows: int | None = None, delta: Fraction = Fraction(0),
    ) -> ErrorCurve:
        """The curve of a question, with its δ."""
        @lru_cache(maxsize=_KEPT)
        def at(level: Level) -> QuestionPlan:
            return plan_release(question, declaration, level, confidence)

        first = at(Level.epsilon(1, delta))
        return cls(at, rows, first.width is None and first.keys is None)

    def error(self, level: Level) -> Fraction | None:
        """The 95 % error at a level; None where it depends on the data and nothing is guessed."""
        plan = self.at(level)
        if plan.width is not None or self.rows is None or plan.keys is not None:
            return plan.width
        return guessed_error(plan, self.rows)


def guessed_error(plan: QuestionPlan, rows: int) -> Fraction:
    """The 95 % error of a ratio or a distribution, if so many rows are spread evenly."""
    accuracy: Any = plan.strategy.accuracy
    groups = len(group_cells(plan))
    each = max(rows // groups, 1)
    if isinstance(accuracy, Band):  # of a share of a half
        half = Fraction(1, 2)
        return half if plan.band >= each else min(
            (each * half + plan.band) / (each - plan.band) - half, half)
    assert isinstance(accuracy, Ratio)
    part = each * accuracy.row // accuracy.terms
    answer = answers(plan, [[part] * (accuracy.terms * groups)])[0]
    assert answer.low is not None
    assert answer.high is not None
    middle = answer.value if isinstance(answer.value, Fraction) else (answer.low + answer.high) / 2
    return max(answer.high - middle, middle - answer.low)
