"""Networks: counts of small subgraphs and degrees, protected against one edge or one node."""

from tightrope.choices import Count
from tightrope.networks.degrees import DegreeAnswer, release_degrees
from tightrope.networks.error_curves import error_curves
from tightrope.networks.files import EdgeRelease, release_edges
from tightrope.networks.mean_errors import mean_error, worst_mean_error
from tightrope.networks.methods import methods_for
from tightrope.networks.release import release_count

__all__ = [
    "Count",
    "DegreeAnswer",
    "EdgeRelease",
    "error_curves",
    "mean_error",
    "methods_for",
    "release_count",
    "release_degrees",
    "release_edges",
    "worst_mean_error",
]
