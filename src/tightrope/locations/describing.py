"""The description of plans for positions: the same JSON fields for each kind, null if absent."""

from __future__ import annotations

from typing import Final

from tightrope.exact import Level, short_text
from tightrope.facts import Fact, Facts, Shown, Table, data
from tightrope.locations.blurring import Plan
from tightrope.locations.lengths import length_text

_FIELDS: Final = (
    *("rows", "certified", "evidence", "statement", "neighbors", "epsilon", "epsilon_text"),
    *("delta", "factor", "releases", "within", "unit", "region", "stretch", "step", "steps_apart"),
    *("expected_displacement", "displacement_95", "least_displacement", "conventions", "promise"),
    *("clear", "unusable", "cut", "moved", "person", "place", "fresh", "jump", "construction"),
    *("added", "epsilon_per_meter_of_cells"),
    *("comparison", "cell", "cells", "draws", "bound", "gap", "bound_for", "bound_at_distance"),
    *("loss", "loss_unit"),
    *("remapped", "file", "mechanism", "booked"),
)


def plan_facts(
    plan: Plan, *items: Fact | Table, level: Level, neighbors: str | None, moving: str = "they move"
) -> Facts:
    """The promise of a plan, `items` of its own, its level and proof, and its region."""
    certificate, space = plan.certified.certificate, plan.space
    return Facts(
        type(plan).__name__,
        f"positions within {short_text(space.within)} m look alike up to factor "
        f"{short_text(plan.factor)}; {moving} {length_text(plan.mean_displacement)} on average",
        (
            *data(**dict.fromkeys(_FIELDS)),
            *items,
            *data(**level.as_json()),
            Fact(None, "level", level, meaning=f"within {float(space.within):g} m", detail=True),
            Fact("evidence", "proof", certificate.evidence, meaning=certificate.statement,
                 detail=True),
            Fact("region", "region", Shown(space.region.describe(), space.region.text),
                 detail=True),
            *data(certified=True, statement=certificate.statement, neighbors=neighbors,
                  factor=str(plan.factor), within=float(space.within), unit="m", stretch=1.0,
                  step=float(space.step), expected_displacement=plan.mean_displacement,
                  promise=plan.promise),
        ),
        (plan.promise,),
    )
