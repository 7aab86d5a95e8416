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
from tightrope.constructions.categorical.questions import (
    SanitizedOrPerturbed,
    noise_variance,
    sanitized_or_perturbed,
)

__all__ = [
    "FrequencyProtocol",
    "ProtocolError",
    "SanitizedOrPerturbed",
    "compare_protocols",
    "noise_variance",
    "reporting",
    "response_error",
    "sanitized_or_perturbed",
    "split_level",
    "subset_selection",
    "unary_encoding",
]
