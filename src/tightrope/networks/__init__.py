"""Networks: counts of small subgraphs and degrees, protected against one edge or one node."""

from tightrope.choices import Count, Protect
from tightrope.networks.degrees import DegreeAnswer, degree_mechanism, release_degrees
from tightrope.networks.error_curves import error_curves
from tightrope.networks.files import EdgeRelease, release_edges
from tightrope.networks.mean_errors import mean_error, worst_mean_error
from tightrope.networks.methods import count_mechanism, method_for, methods_for
from tightrope.networks.release import release_count

__all__ = [
    "Count",
    "DegreeAnswer",
    "EdgeRelease",
    "Protect",
    "count_mechanism",
    "degree_mechanism",
    "error_curves",
    "mean_error",
    "method_for",
    "methods_for",
    "release_count",
    "release_degrees",
    "release_edges",
    "worst_mean_error",
]
