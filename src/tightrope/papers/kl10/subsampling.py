"""KL10, Section 2.1: a random sample is a mechanism of generic differential privacy."""

from __future__ import annotations

from fractions import Fraction

from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import smallest_level, verify_generic
from tightrope.spaces import Relation
from tightrope.theory import strictest, subsample, subsampling_definition

F = Fraction


def _sample(
    *, items: int = 3, share: Fraction = F(1, 4), withheld: Fraction = F(0)
) -> Finding:
    made = subsample(items, share)
    definition = subsampling_definition(items, share - withheld)  # a promise for a smaller share
    verdict = verify_generic(made, definition)
    tight = strictest(made, Relation.on(made.space)).bounds == definition.bounds
    level = smallest_level(made, made.space)
    finite = hasattr(level, "upper")
    return finding(
        "subsampling satisfies the definition for various choices of M",
        f"{items} records, each kept with probability {share}: keeps M(a) = s + (1 - s)a for a "
        f"record more and M(a) = min(1, a/(1 - s)) for one less: {verdict.holds}; no smaller M "
        f"holds: {tight}; private at a finite ε: {finite}",
        verdict.holds and not finite,
        "the bounds are the trade-off curves themselves, one for each direction.",
    )


ITEM = Item(
    "kl10",
    "section-2.1",
    "A random sample as a mechanism",
    Verdict.CONFIRMED,
    _sample,
    varied={"share": F(1, 3)},
    dropped={"withheld": F(1, 20)},
)
