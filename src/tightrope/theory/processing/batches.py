"""Batches: several mechanisms on one dataset, as a mechanism of their own.

M(x) = (M_1(x), M_2(x), …), independent given x. Levels add up (WXH, Proposition 1), and the
level of the batch as it is, which `verify` proves, is often smaller: the input that strains one
mechanism most need not strain another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.facts import Fact, Facts, card_of, lines_of
from tightrope.mechanisms import finite, together, written_out
from tightrope.privacy import (
    Certified,
    certified,
    promises,
    proof_facts,
    proved,
    sequential,
    space_facts,
)


@dataclass(frozen=True)
class Batch:
    """Mechanisms run on the same dataset: `certified` at the sum of their `levels`."""

    certified: Certified
    levels: tuple[Level, ...]

    def facts(self) -> Facts:
        """The level stated, the levels of the parts, and the exact one that is proved."""
        proof, mechanism = self.certified, finite(self.certified.mechanism)
        return Facts(
            "Batch",
            f"{len(self.levels)} mechanisms run on the same input",
            (*proof_facts(proof), Fact("parts", "levels", self.levels, meaning="added up"),
             *space_facts(mechanism.space, len(mechanism.outputs))),
            promises(proof),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def batch(parts: Iterable[Any]) -> Batch:
    """Certified mechanisms, or solutions, run on the same dataset: one mechanism, proved.

    Returns: a `Batch`; `certified` has the level that is the sum of `levels`.

    Raises: `BadInput` for fewer than two, uncertified ones, or different inputs; `CannotCheck` for
    infinitely many outputs.

    >>> from tightrope.constructions import design
    >>> sums = design("hamming:values=2,people=2", Level.ratio(2), query=sum)
    >>> most = design("hamming:values=2,people=2", Level.ratio(3), query=max)
    >>> both = batch([sums, most])
    >>> both.certified.certificate.level.text, both.certified.mechanism.outputs[:2]
    ('ln(6)', ((0, 0), (0, 1)))
    """
    proofs = [getattr(part, "certified", part) for part in parts]
    if len(proofs) < 2 or not all(isinstance(proof, Certified) for proof in proofs):
        raise BadInput("expected two certified mechanisms or more, such as designs.")
    levels = tuple(proof.certificate.level for proof in proofs)
    whole = reduce(together, (written_out(finite(proved(proof))) for proof in proofs))
    return Batch(certified(whole, sequential(levels)), levels)
