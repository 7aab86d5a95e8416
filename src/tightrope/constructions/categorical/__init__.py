"""Categorical data: the privacy polytope, protocols for frequencies, splitting a level."""

from tightrope.constructions.categorical.budget import response_error, split_level
from tightrope.constructions.categorical.extreme_points import (
    BestVertex,
    Orbit,
    Vertex,
    best_extreme_point,
    extreme_points,
)
from tightrope.constructions.categorical.frequency_protocols import (
    Protocol,
    ProtocolError,
    compare_protocols,
    reporting,
    subset_selection,
    unary_encoding,
)

__all__ = [
    "BestVertex",
    "Orbit",
    "Protocol",
    "ProtocolError",
    "Vertex",
    "best_extreme_point",
    "compare_protocols",
    "extreme_points",
    "reporting",
    "response_error",
    "split_level",
    "subset_selection",
    "unary_encoding",
]
