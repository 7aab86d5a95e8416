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
    from tightrope.documents.optimality import Optimality, optimality_of
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
    "Optimality",
    "Review",
    "accept",
    "checker",
    "compose",
    "compose_definition",
    "content_of",
    "digest_of",
    "inspect",
    "judge_definition",
    "label_from_json",
    "optimality_of",
    "read",
    "render",
    "review",
]
