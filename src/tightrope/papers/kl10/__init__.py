"""KL10: Kifer and Lin, on axioms of privacy and utility (PODS 2010)."""

from tightrope.papers.kl10 import dobrushin

ITEMS = (dobrushin.ITEM,)

__all__ = ["ITEMS"]
