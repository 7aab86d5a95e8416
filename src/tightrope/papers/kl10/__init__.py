"""KL10: Kifer and Lin, on axioms of privacy and utility (PODS 2010)."""

from tightrope.papers.kl10 import axioms, definitions, dobrushin, generality, subsampling

ITEMS = (
    *axioms.ITEMS,
    definitions.AXIOMS,
    definitions.ONE_WAY,
    subsampling.ITEM,
    definitions.ODDS,
    definitions.SWAPPED,
    definitions.MONOTONE,
    generality.LOSS,
    generality.SPLITTING,
    generality.TREES,
    generality.OPTIMUM,
    dobrushin.ITEM,
)

__all__ = ["ITEMS"]
