"""Answers to stand-in numbers, worked out before a charge, so that nothing fails after it.

Widths and errors of a plan are computed once, and here. Stand-ins follow
from the declaration alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tightrope.declarations import KeyTally
from tightrope.releases.answers import Answer, answers
from tightrope.releases.descriptions import answer_table
from tightrope.spaces import ValueCounts

if TYPE_CHECKING:
    from tightrope.releases.answered_plans import AnsweredPart
    from tightrope.releases.planning import QuestionPlan
    from tightrope.releases.plans import Plan
    from tightrope.releases.proving import PlannedSubquery

_LARGE = 10**6
"""A stand-in by which groups are not empty."""


def rehearse(plan: QuestionPlan) -> tuple[Answer, ...]:
    """The answers to stand-ins, as they are published; raises what publishing would raise."""
    facts = plan.facts()
    json.dumps(facts.json)
    facts.lines()
    empty, full = (answers(plan, [_stand_ins(planned, number) for planned in plan.subqueries])
                   for number in (0, _LARGE))
    json.dumps([answer.as_json() for answer in (*empty, *full)])
    for stand_ins in (empty, full):
        answer_table(plan, stand_ins).cells()
    return full


def rehearse_plan(plan: Plan) -> tuple[AnsweredPart, ...]:
    """The answers of a plan to stand-ins, agreed ones too; raises what publishing would raise."""
    from tightrope.releases.answered_plans import PlanRelease, answered_parts

    json.dumps(plan.facts().json)
    repr(plan)
    for each in plan.plans:
        rehearse(each)
    empty, full = (answered_parts(plan.plans, [
        [_stand_ins(planned, number) for planned in each.subqueries] for each in plan.plans],
        plan.known)
        for number in (0, _LARGE))
    for parts in (empty, full):
        json.dumps(PlanRelease(plan, parts).facts().json)
    return full


def _stand_in_keys(planned: PlannedSubquery, number: int) -> list[Any]:
    """No key, or one of many units."""
    tally = planned.subquery.tally
    assert isinstance(tally, KeyTally)
    cell = ["key" if name in tally.texts else tally.declaration.column(name).cells[0]
            for name in tally.keys]
    return [] if not number else [[cell, number]] if planned.subquery.counted else [[cell]]


def _stand_ins(planned: PlannedSubquery, number: int) -> list[Any]:
    """Stand-ins for drawn numbers; a choice is one of its first values."""
    subquery = planned.subquery
    if isinstance(subquery.tally, KeyTally):
        return _stand_in_keys(planned, number)
    if isinstance(subquery.space, ValueCounts):
        return [*range(subquery.score.picks or 1)] * subquery.space.groups
    if planned.table is not None:
        number = min(number, planned.most)
    return [number] * planned.drawn
