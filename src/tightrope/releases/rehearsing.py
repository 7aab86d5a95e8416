"""Answers to stand-in numbers, worked out before a charge, so that nothing fails after it.

Widths and errors of a plan are computed once, and here. Stand-ins follow
from the declaration alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tightrope.releases.answers import Answer, answers
from tightrope.releases.descriptions import answer_table
from tightrope.spaces import ValueCounts

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan
    from tightrope.releases.proving import PlannedSubquery

_LARGE = 10**6
"""A stand-in by which groups are not empty."""


def rehearse(plan: Plan) -> tuple[Answer, ...]:
    """The answers to stand-ins, as they are published; raises what publishing would raise."""
    json.dumps(plan.facts().json)
    repr(plan)
    empty, full = (answers(plan, [_stand_ins(planned, number) for planned in plan.subqueries])
                   for number in (0, _LARGE))
    json.dumps([answer.as_json() for answer in (*empty, *full)])
    for stand_ins in (empty, full):
        answer_table(plan, stand_ins).cells()
    return full


def _stand_ins(planned: PlannedSubquery, number: int) -> list[int]:
    """Stand-ins for drawn numbers; a choice is one of its first values."""
    subquery = planned.subquery
    if isinstance(subquery.space, ValueCounts):
        return [*range(subquery.score.picks or 1)] * subquery.space.groups
    if planned.table is not None:
        number = min(number, planned.most)
    return [number] * planned.drawn
