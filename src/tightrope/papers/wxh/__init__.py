"""WXH: Wu, Xia and He, on the policies of designing differentially private mechanisms."""

from tightrope.papers.wxh import (
    best_possible,
    examples,
    folding,
    linear_queries,
    model,
    policies,
    triangles,
)

ITEMS = (
    *model.ITEMS,
    *policies.ITEMS,
    *examples.ITEMS,
    *folding.ITEMS,
    *triangles.ITEMS,
    *linear_queries.ITEMS,
    *best_possible.ITEMS,
)

__all__ = ["ITEMS"]
