"""WXH: Wu, Xia and He, on the policies of designing differentially private mechanisms."""

from tightrope.papers.wxh import triangles

ITEMS = (*triangles.ITEMS,)

__all__ = ["ITEMS"]
