"""Pictures of plans: respondents against a share, and margins against respondents."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.characters import shorten
from tightrope.plots import lines_figure
from tightrope.surveys.designs import Design
from tightrope.surveys.planning import plan_margin

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.surveys.aim_plans import AimPlan
    from tightrope.surveys.margins import ExpectedMargins
    from tightrope.surveys.plans import SurveyPlan

SHARES = tuple(Fraction(k, 50) for k in range(51))


def sizes_figure(plan: SurveyPlan, title: str = "") -> Figure:
    """Respondents against the share of one answer, the others having equal shares."""
    designs: dict[object, Design] = {}
    for row in plan.rows:
        designs.setdefault(row.design.rows, row.design)
    planned = plan.rows[0].plan.planned
    shown = plan.answers[-1] if plan.answer is None else plan.answer
    lines = []
    for design in designs.values():
        most = plan_margin(
            design, plan.margin, confidence=plan.confidence, answer=plan.answer,
            scores=plan.scores, bound=plan.bound).respondents
        worst = max(quantity.variance(design) for quantity in planned)
        sizes = []
        for share in SHARES:
            rest = (1 - share) / (len(plan.answers) - 1)
            law = tuple(share if name == shown else rest for name in plan.answers)
            largest = max(quantity.variance(design, law) for quantity in planned)
            sizes.append(max(most * float(largest / worst), 1.0))
        lines.append((design.name, [float(share) for share in SHARES], sizes))
    return lines_figure(lines, title or f"Respondents for a margin of {plan.margin:g}",
                        f"true share of “{shorten(shown, 40)}”", "respondents")


def margins_figure(plan: ExpectedMargins | AimPlan, title: str = "") -> Figure:
    """Margins against the number of respondents, a line for each level and one for directly."""
    lines = [(row.name, plan.sizes, row.margins) for row in plan.grid]
    return lines_figure(
        lines, title or f"Margin at {100 * plan.confidence:.6g} % confidence", "respondents",
        "margin of error", ticks=plan.sizes)
