"""Networks: counts of small subgraphs, protected against one edge more or less."""

from tightrope.applications.networks.counts import (
    Count,
    Network,
    check_nodes,
    count_of,
    global_sensitivity,
    ladder_widths,
    largest_count,
)
from tightrope.applications.networks.mean_errors import mean_error, worst_mean_error
from tightrope.applications.networks.release import (
    Method,
    NetworkAnswer,
    ladder_law,
    method_for,
    release_count,
)
from tightrope.applications.networks.smooth import (
    smooth_law,
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
    "check_nodes",
    "count_of",
    "global_sensitivity",
    "ladder_law",
    "ladder_widths",
    "largest_count",
    "mean_error",
    "method_for",
    "release_count",
    "smooth_law",
    "smooth_sensitivity",
    "triangle_query",
    "triangles",
    "unlabeled_graphs",
    "worst_mean_error",
]
