"""Networks: counts of small subgraphs, protected against one edge more or less."""

from tightrope.applications.networks.counts import (
    Count,
    Network,
    count_of,
    global_sensitivity,
    ladder_widths,
    largest_count,
)
from tightrope.applications.networks.release import (
    Method,
    NetworkAnswer,
    global_mean_error,
    ladder_law,
    ladder_mean_error,
    method_for,
    release_count,
)
from tightrope.applications.networks.smooth import (
    smooth_law,
    smooth_mean_error,
    smooth_sensitivity,
)
from tightrope.applications.networks.unlabeled_graphs import (
    triangle_query,
    triangles,
    unlabeled_graphs,
)

__all__ = [
    "Count",
    "Method",
    "Network",
    "NetworkAnswer",
    "count_of",
    "global_mean_error",
    "global_sensitivity",
    "ladder_law",
    "ladder_mean_error",
    "ladder_widths",
    "largest_count",
    "method_for",
    "release_count",
    "smooth_law",
    "smooth_mean_error",
    "smooth_sensitivity",
    "triangle_query",
    "triangles",
    "unlabeled_graphs",
]
