"""What is shown of a document that was judged or looked into: a few lines, or a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import few, shorten
from tightrope.markup import card, lines
from tightrope.mechanisms import mechanism_picture
from tightrope.privacy import level_shown

if TYPE_CHECKING:
    from tightrope.documents.inspection import Inspection
    from tightrope.documents.review import Review


def review_lines(review: Review) -> str:
    """The verdict, what proves or refutes it, and what is wrong with the document."""
    proved, refuted, smallest = review.certificate, review.refutation, review.smallest
    said = "what it says of its loss is proved"
    if not review.optimal:
        said = "what it says of its loss is not proved"
    return lines(
        f"Review: {'holds' if review.holds else 'does not hold'}, {review.mechanism!r}",
        [
            ("level", None if proved is None else level_shown(proved)),
            ("refuted", refuted and shorten(refuted.reason, 150)),
            ("smallest", None if proved is not None or smallest is None else smallest.text),
            ("loss", None if review.optimality is None or refuted is not None else said),
            ("digest", None if review.intact is not False else "does not fit: it was changed"),
        ],
    )


def inspection_lines(inspection: Inspection) -> str:
    """The smallest level, what leaks and how general it is."""
    return lines(f"Inspection: {inspection.mechanism!r}", _facts(inspection))


def inspection_card(inspection: Inspection) -> str:
    """The same and more as HTML, with a picture where the mechanism is small."""
    facts = [
        *_facts(inspection),
        ("construction", inspection.construction and shorten(inspection.construction)),
        ("Dobrushin coefficient",
         None if inspection.dobrushin is None else f"{inspection.dobrushin:.7g}"),
        ("rank", inspection.rank),
        ("loose entries", inspection.loose_count),
    ]
    matrix = inspection.matrix
    return card(
        f"Inspection: {inspection.mechanism!r}",
        facts,
        picture="" if matrix is None else mechanism_picture(matrix),
    )


def _facts(inspection: Inspection) -> list[tuple[str, object]]:
    level, leaked, general = inspection.level, inspection.leakage, inspection.generality
    connected = general and (
        f"{general.connected:,} of {general.occurring:,} outputs have a connected row graph "
        f"at {general.level}"
    )
    return [
        ("smallest level", "not known" if level is None else level.text),
        ("claim", inspection.claim and f"{inspection.claim}, not judged here"),
        ("leakage", None if leaked is None else f"{leaked:.7g} bits at most"),
        ("generality", connected),
        ("not known", few(sorted(inspection.skipped)) or None),
    ]
