"""Networks: counts of small subgraphs, protected against one edge more or less."""

from tightrope.applications.networks.mean_errors import mean_error, worst_mean_error
from tightrope.applications.networks.release import (
    Method,
    NetworkAnswer,
    count_mechanism,
    method_for,
    release_count,
)
from tightrope.applications.networks.unlabeled_graphs import (
    triangle_query,
    triangles,
    unlabeled_graphs,
)
from tightrope.spaces import (
    Count,
    Network,
    check_nodes,
    count_of,
    global_sensitivity,
    ladder_widths,
    largest_count,
    smooth_sensitivity,
)

__all__ = [
    "Count",
    "Method",
    "Network",
    "NetworkAnswer",
    "check_nodes",
    "count_mechanism",
    "count_of",
    "global_sensitivity",
    "ladder_widths",
    "largest_count",
    "mean_error",
    "method_for",
    "release_count",
    "smooth_sensitivity",
    "triangle_query",
    "triangles",
    "unlabeled_graphs",
    "worst_mean_error",
]
