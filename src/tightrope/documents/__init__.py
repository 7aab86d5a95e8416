"""Documents: mechanisms as versioned JSON text with a digest, and back. No disk here."""

from tightrope.documents.reading import Document, accept, label_from_json, read
from tightrope.documents.writing import compose, digest_of, label_to_json, render

__all__ = [
    "Document",
    "accept",
    "compose",
    "digest_of",
    "label_from_json",
    "label_to_json",
    "read",
    "render",
]
