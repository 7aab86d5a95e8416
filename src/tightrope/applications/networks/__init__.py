"""Networks: counts of small subgraphs, protected against one edge more or less."""

from tightrope.applications.networks.mean_errors import mean_error, worst_mean_error
from tightrope.applications.networks.methods import count_mechanism, method_for
from tightrope.applications.networks.release import (
    CuratorFigures,
    EdgeRelease,
    release_count,
    release_edges,
)
from tightrope.choices import Count, Method
from tightrope.spaces import (
    Network,
    count_of,
    global_sensitivity,
    ladder_widths,
    largest_count,
    smooth_sensitivity,
    triangle_query,
    triangles,
    unlabeled_graphs,
)

__all__ = [
    "Count",
    "CuratorFigures",
    "EdgeRelease",
    "Method",
    "Network",
    "count_mechanism",
    "count_of",
    "global_sensitivity",
    "ladder_widths",
    "largest_count",
    "mean_error",
    "method_for",
    "release_count",
    "release_edges",
    "smooth_sensitivity",
    "triangle_query",
    "triangles",
    "unlabeled_graphs",
    "worst_mean_error",
]
