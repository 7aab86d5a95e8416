"""Counts adjusted to whole, non-negative numbers that add up to the released total.

Adjusting biases: small cells rise, large ones fall. It is done on request, beside the unbiased
counts; how far an adjusted count is off depends on the data, so no error is stated of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan


def adjusted_counts(plan: QuestionPlan, drawn: Sequence[int | Fraction]) -> list[int]:
    """The adjusted counts in the order of the answers, margins as sums of adjusted cells.

    Cells of a histogram or cross-table add up to the total of their group.
    """
    shape, columns = plan.tally.shape, len(plan.question.columns)
    if not columns:
        return nonnegative(drawn)
    raw = np.array(drawn, dtype=object).reshape(*shape[:columns], -1)
    cells = np.empty_like(raw)
    for group in range(raw.shape[-1]):
        counts = nonnegative([*raw[..., group].flat])
        cells[..., group] = np.array(counts, dtype=object).reshape(shape[:columns])
    axes: list[Any] = [(), (1,), (0,), (0, 1)] if columns == 2 else [()]
    return [int(number) for axis in axes for number in cells.sum(axis=axis).flat]


def nonnegative(numbers: Sequence[int | Fraction]) -> list[int]:
    """The nearest numbers of at least 0 with the same total, rounded, or 0, made whole.

    >>> nonnegative([-3, 5, 0, 9, -1, 2])
    [0, 4, 0, 8, 0, 0]
    """
    total = max(round(sum(numbers)), 0)
    kept, over, running = 1, Fraction(0), Fraction(0)
    for place, number in enumerate(sorted(numbers, reverse=True), start=1):
        running += number
        if place == 1 or number * place > running - total:
            kept, over = place, running - total
    shares = [divmod(max(number * kept - over, Fraction(0)), kept) for number in numbers]
    whole = [int(share) for share, _ in shares]
    left = total - sum(whole)
    for place in sorted(range(len(numbers)), key=lambda place: -shares[place][1])[:left]:
        whole[place] += 1
    return whole
