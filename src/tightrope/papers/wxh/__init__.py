"""WXH: Wu, Xia and He, on the policies of designing differentially private mechanisms."""

from tightrope.papers.wxh import linear_queries, triangles

ITEMS = (*triangles.ITEMS, *linear_queries.ITEMS)

__all__ = ["ITEMS"]
