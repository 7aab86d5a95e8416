"""Documents: mechanisms as versioned JSON text with a digest, and back. No disk here."""

from tightrope.documents.optimality import Optimality, Proved, optimality_of
from tightrope.documents.reading import (
    Document,
    accept,
    content_of,
    label_from_json,
    prove_optimality,
    read,
)
from tightrope.documents.writing import checker, compose, digest_of, label_to_json, render

__all__ = [
    "Document",
    "Optimality",
    "Proved",
    "accept",
    "checker",
    "compose",
    "content_of",
    "digest_of",
    "label_from_json",
    "label_to_json",
    "optimality_of",
    "prove_optimality",
    "read",
    "render",
]
