"""Private curves: the mean of many people's curves, at knots chosen before the data are seen."""

from tightrope.curves.planning import CurvePlan, KnotChoice, plan_curve
from tightrope.curves.release import Curve, curve, planned, release

__all__ = [
    "Curve",
    "CurvePlan",
    "KnotChoice",
    "curve",
    "plan_curve",
    "planned",
    "release",
]
