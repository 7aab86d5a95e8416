"""Categorical data: the privacy polytope, protocols for frequencies, splitting a level."""

from tightrope.constructions.categorical.budget import response_error, split_level
from tightrope.constructions.categorical.frequency_protocols import (
    FrequencyProtocol,
    ProtocolError,
    compare_protocols,
    reporting,
    subset_selection,
    unary_encoding,
)

__all__ = [
    "FrequencyProtocol",
    "ProtocolError",
    "compare_protocols",
    "reporting",
    "response_error",
    "split_level",
    "subset_selection",
    "unary_encoding",
]
