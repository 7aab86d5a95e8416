"""Documents: mechanisms as versioned JSON text with a digest, and back. No disk here.

`review` judges the claims of a document, `inspect` computes other properties of its mechanism.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.documents.content import content_of, label_from_json
    from tightrope.documents.definitions import (
        DEFINITION,
        GenericReview,
        compose_definition,
        judge_definition,
    )
    from tightrope.documents.inspection import Inspection, inspect
    from tightrope.documents.least_variance import LeastVariance, Randomizer, least_variance_of
    from tightrope.documents.optimality import Optimality, is_least_variance, optimality_of
    from tightrope.documents.reading import Document, accept, read
    from tightrope.documents.review import Review, review
    from tightrope.documents.writing import VERSION, checker, compose, digest_of, render
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "DEFINITION",
    "VERSION",
    "Document",
    "GenericReview",
    "Inspection",
    "LeastVariance",
    "Optimality",
    "Randomizer",
    "Review",
    "accept",
    "checker",
    "compose",
    "compose_definition",
    "content_of",
    "digest_of",
    "inspect",
    "is_least_variance",
    "judge_definition",
    "label_from_json",
    "least_variance_of",
    "optimality_of",
    "read",
    "render",
    "review",
]
