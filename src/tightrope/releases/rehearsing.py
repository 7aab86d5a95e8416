"""Answers to stand-in numbers, worked out before a charge, so that nothing fails after it.

Widths and errors of a plan are computed once: what takes long, takes it here. Stand-ins follow
from the declaration alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tightrope.releases.answers import Answer, answers
from tightrope.releases.names import group_cells
from tightrope.spaces import Tallies, Totals

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan

_LARGE = 10**6
"""A stand-in by which groups are not empty."""


def rehearse(plan: Plan) -> tuple[Answer, ...]:
    """The answers to stand-ins, as they are published; raises what publishing would raise."""
    json.dumps(plan.as_json())
    repr(plan)
    empty, full = (answers(plan, [_numbers(plan, part, number) for part in range(len(plan.parts))])
                   for number in (0, _LARGE))
    json.dumps([answer.as_json() for answer in (*empty, *full)])
    return full


def _numbers(plan: Plan, part: int, number: int) -> list[int]:
    """Stand-ins for what a part draws; a choice is one of its first values."""
    space = plan.parts[part].part.space
    if isinstance(space, Tallies):
        return [number] * space.cells
    if isinstance(space, Totals):
        return [number] * space.length
    if plan.target is not None:
        return [min(number, plan.target.most)]
    return [*range(plan.question.picks)] * len(group_cells(plan))
