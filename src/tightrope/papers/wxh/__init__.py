"""WXH: Wu, Xia and He, on the policies of designing differentially private mechanisms."""

from tightrope.papers.wxh import examples, linear_queries, model, policies, triangles

ITEMS = (
    *model.ITEMS,
    *policies.ITEMS,
    *examples.ITEMS,
    *triangles.ITEMS,
    *linear_queries.ITEMS,
)

__all__ = ["ITEMS"]
