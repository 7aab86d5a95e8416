"""A document or a mechanism judged: is it private, at which level, and is it as good as it says."""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.documents.descriptions import review_facts
from tightrope.documents.least_variance import LeastVariance
from tightrope.documents.optimality import Optimality
from tightrope.documents.reading import Document, prove_optimality
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level, Number
from tightrope.facts import card_of, lines_of
from tightrope.mechanisms import Held, Mechanism, mechanism_of
from tightrope.privacy import (
    Certificate,
    Refutation,
    Smallest,
    level_of,
    smallest_level,
    verify,
)


@dataclass(frozen=True)
class Review:
    """The verdict on a claim: a certificate or a refutation, and the smallest level.

    `level` is the one judged; None asks whether any finite level holds. `smallest` is None
    where no level is finite, or where `unknown` says why it is not known. `claim` is the level
    that a document states and `intact` whether its digest fits, both None for a bare
    mechanism. `optimal` says whether its proof supports its claim of optimality (`optimality`);
    None without such a claim, or where the level is refuted already.
    """

    mechanism: Mechanism
    level: Level | None
    asked: bool
    certificate: Certificate | None
    refutation: Refutation | None
    smallest: Smallest | None
    unknown: str | None
    claim: Level | None
    intact: bool | None
    optimality: Optimality | LeastVariance | None
    optimal: bool | None

    @property
    def holds(self) -> bool:
        """Whether the level is proved, and the claim of optimality, if any, with it."""
        return self.refutation is None and (self.optimality is None or bool(self.optimal))

    facts = review_facts
    __repr__ = lines_of
    _repr_html_ = card_of


def review(
    given: Document | Mechanism | Held,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
) -> Review:
    """Whether a document, or a mechanism, has a level, exactly, and which is its smallest.

    A document is judged by its own claim unless a level is given, and by its claim of
    optimality; a mechanism without a level by whether any finite level holds.

    Returns: a `Review`; its `holds` is the verdict, and a refuted claim raises nothing.

    Raises: `CannotCheck` where neither proof nor refutation is known. `BadInput` for what holds
    no mechanism, `BadLevel` for a level out of range.

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> response = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2))
    >>> verdict = review(response)
    >>> verdict.holds, verdict.smallest.exact_text, review(response, "0.5").holds
    (True, 'ln(2)', False)
    """
    stated = any(part is not None for part in (epsilon, delta, ratio))
    level = level_of(epsilon, delta=delta, ratio=ratio) if stated else None
    document = given if isinstance(given, Document) else None
    mechanism = mechanism_of(given)
    claim = None if document is None else document.level
    judged = claim if level is None else level
    certificate = refutation = smallest = unknown = None
    if judged is not None:
        verdict = verify(mechanism, mechanism.space, judged)
        if isinstance(verdict, Certificate):
            certificate, smallest = verdict, verdict.smallest
        else:
            refutation = verdict
    if certificate is None:
        try:
            bound = smallest_level(mechanism, mechanism.space)
        except (BadInput, Refused) as reason:
            if refutation is None:
                raise
            unknown = str(reason)
        else:
            if isinstance(bound, Refutation):
                refutation = refutation or bound
            else:
                smallest = bound
    optimality, optimal = None if document is None else document.optimality, None
    if document is not None and optimality is not None and refutation is None:
        optimal = prove_optimality(document).supports(optimality)
    return Review(
        mechanism, judged, stated, certificate, refutation, smallest, unknown, claim,
        None if document is None else document.intact, optimality, optimal,
    )
