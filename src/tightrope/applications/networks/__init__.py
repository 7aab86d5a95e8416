"""Networks: counts of small subgraphs and degrees, protected against one edge or one node."""

from tightrope.applications.networks.degrees import (
    DegreeAnswer,
    degree_mechanism,
    release_degrees,
)
from tightrope.applications.networks.error_curves import error_curves
from tightrope.applications.networks.files import CuratorFigures, EdgeRelease, release_edges
from tightrope.applications.networks.mean_errors import (
    mean_error,
    worst_mean_error,
)
from tightrope.applications.networks.methods import count_mechanism, method_for, methods_for
from tightrope.applications.networks.release import NetworkAnswer, release_count
from tightrope.choices import Count, Method, Protect, Statistic
from tightrope.spaces import (
    Network,
    count_of,
    count_query,
    global_sensitivity,
    ladder_widths,
    largest_count,
    smooth_sensitivity,
    triangle_query,
    unlabeled_graphs,
)

__all__ = [
    "Count",
    "CuratorFigures",
    "DegreeAnswer",
    "EdgeRelease",
    "Method",
    "Network",
    "NetworkAnswer",
    "Protect",
    "Statistic",
    "count_mechanism",
    "count_of",
    "count_query",
    "degree_mechanism",
    "error_curves",
    "global_sensitivity",
    "ladder_widths",
    "largest_count",
    "mean_error",
    "method_for",
    "methods_for",
    "release_count",
    "release_degrees",
    "release_edges",
    "smooth_sensitivity",
    "triangle_query",
    "unlabeled_graphs",
    "worst_mean_error",
]
