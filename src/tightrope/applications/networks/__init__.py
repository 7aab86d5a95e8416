"""Networks: counts of small subgraphs, protected against one edge more or less."""

from tightrope.applications.networks.unlabeled_graphs import (
    triangle_query,
    triangles,
    unlabeled_graphs,
)

__all__ = [
    "triangle_query",
    "triangles",
    "unlabeled_graphs",
]
