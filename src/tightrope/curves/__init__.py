"""Private curves: the mean of many people's curves, at knots chosen before the data are seen."""

from tightrope.curves.planning import CurvePlan, plan_curve
from tightrope.curves.release import Curve, curve, plan_table, release

__all__ = [
    "Curve",
    "CurvePlan",
    "curve",
    "plan_curve",
    "plan_table",
    "release",
]
