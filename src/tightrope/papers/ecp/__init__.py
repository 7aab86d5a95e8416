"""ECP: ElSalamouny, Chatzikokolakis, Palamidessi, Generalized differential privacy (2014)."""

from tightrope.papers.ecp import corners, leakage_bounds, locations, queries

ITEMS = (*corners.ITEMS, *leakage_bounds.ITEMS, *queries.ITEMS, *locations.ITEMS)

__all__ = ["ITEMS"]
