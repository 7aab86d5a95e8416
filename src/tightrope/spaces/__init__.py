"""Spaces: the inputs of mechanisms, and exact distances between them.

A space is a finite metric space (`Space`): points, exact distances, irreducible pairs,
declared neighbors and kernel products. Families are made by functions (`path`, `grid`,
`hamming`, ...), combined by `product_sum` and `product_max`, and read from text by `parse`
and from documents by `space_from`.
Isometries are in `tightrope.symmetry`.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.spaces.cards import distances_text
    from tightrope.spaces.checks import check_distinct, decimal
    from tightrope.spaces.classes import distance_table, distinct, pair_classes
    from tightrope.spaces.components import (
        components,
        count_components,
        farthest,
        is_connected,
        require_both_ways,
        require_connected,
        split_components,
    )
    from tightrope.spaces.convex_sets import hull_corners
    from tightrope.spaces.coordinates import coordinates, exact_coordinates, has_coordinates
    from tightrope.spaces.datasets import (
        LARGEST_RECORD,
        LONGEST_TOTALS,
        MOST_CHANGE,
        CutGraphs,
        Datasets,
        Graphs,
        RealLine,
        Records,
        Tallies,
        Totals,
        datasets_from,
        interval_texts,
        listed,
    )
    from tightrope.spaces.degree_cuts import cut, degree_counts, largest_cut_count, node_sensitivity
    from tightrope.spaces.directed import Directed, directed
    from tightrope.spaces.families import (
        categories,
        complete,
        counts,
        cycle,
        grid,
        hamming,
        histogram,
        largest_change,
        path,
        sets,
        sums,
    )
    from tightrope.spaces.frames import in_order
    from tightrope.spaces.geographic import MOVED, PER_METER, Positions, Region, Traces, usable
    from tightrope.spaces.globe import TangentPlane, in_space
    from tightrope.spaces.graphs import Graph, graph, star
    from tightrope.spaces.key_counts import Key, KeyCounts
    from tightrope.spaces.labels import label_to_json
    from tightrope.spaces.lattices import Family, Lattice, family_of
    from tightrope.spaces.matrices import MatrixSpace, haversine, is_infinite, matrix
    from tightrope.spaces.named_queries import count_query, triangle_query
    from tightrope.spaces.names import point_named, split_names
    from tightrope.spaces.networks import (
        Network,
        check_nodes,
        count_of,
        global_sensitivity,
        ladder_widths,
        largest_count,
        smooth_sensitivity,
    )
    from tightrope.spaces.norm_products import product_norm
    from tightrope.spaces.norms import Metric
    from tightrope.spaces.positions import PointSpace, points
    from tightrope.spaces.products import Combine, Product, product_max, product_sum
    from tightrope.spaces.protocol import (
        Label,
        Neighbors,
        Pairs,
        Space,
        label_of,
        own_labels,
        refuse_above,
    )
    from tightrope.spaces.query_tables import QueryLike, number_label, query, query_of
    from tightrope.spaces.regions import Box, Simplex
    from tightrope.spaces.relations import Relation
    from tightrope.spaces.sensitivity import UNREACHED, MetricQuery, ceiling, metric_query
    from tightrope.spaces.small_graphs import MOST_LISTED_NODES, check_listed, steps_to_counts
    from tightrope.spaces.tensors import tensor_factors
    from tightrope.spaces.text import EXAMPLES, known_space, parse, space_from, space_of
    from tightrope.spaces.unlabeled_graphs import unlabeled_graphs
    from tightrope.spaces.value_counts import Occupied, ValueCounts
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "EXAMPLES",
    "LARGEST_RECORD",
    "LONGEST_TOTALS",
    "MOST_CHANGE",
    "MOST_LISTED_NODES",
    "MOVED",
    "PER_METER",
    "UNREACHED",
    "Box",
    "Combine",
    "CutGraphs",
    "Datasets",
    "Directed",
    "Family",
    "Graph",
    "Graphs",
    "Key",
    "KeyCounts",
    "Label",
    "Lattice",
    "MatrixSpace",
    "Metric",
    "MetricQuery",
    "Neighbors",
    "Network",
    "Occupied",
    "Pairs",
    "PointSpace",
    "Positions",
    "Product",
    "QueryLike",
    "RealLine",
    "Records",
    "Region",
    "Relation",
    "Simplex",
    "Space",
    "Tallies",
    "TangentPlane",
    "Totals",
    "Traces",
    "ValueCounts",
    "categories",
    "ceiling",
    "check_distinct",
    "check_listed",
    "check_nodes",
    "complete",
    "components",
    "coordinates",
    "count_components",
    "count_of",
    "count_query",
    "counts",
    "cut",
    "cycle",
    "datasets_from",
    "decimal",
    "degree_counts",
    "directed",
    "distance_table",
    "distances_text",
    "distinct",
    "exact_coordinates",
    "family_of",
    "farthest",
    "global_sensitivity",
    "graph",
    "grid",
    "hamming",
    "has_coordinates",
    "haversine",
    "histogram",
    "hull_corners",
    "in_order",
    "in_space",
    "interval_texts",
    "is_connected",
    "is_infinite",
    "known_space",
    "label_of",
    "label_to_json",
    "ladder_widths",
    "largest_change",
    "largest_count",
    "largest_cut_count",
    "listed",
    "matrix",
    "metric_query",
    "node_sensitivity",
    "number_label",
    "own_labels",
    "pair_classes",
    "parse",
    "path",
    "point_named",
    "points",
    "product_max",
    "product_norm",
    "product_sum",
    "query",
    "query_of",
    "refuse_above",
    "require_both_ways",
    "require_connected",
    "sets",
    "smooth_sensitivity",
    "space_from",
    "space_of",
    "split_components",
    "split_names",
    "star",
    "steps_to_counts",
    "sums",
    "tensor_factors",
    "triangle_query",
    "unlabeled_graphs",
    "usable",
]
