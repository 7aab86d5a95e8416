"""ECP: ElSalamouny, Chatzikokolakis, Palamidessi, Generalized differential privacy (2014)."""

from tightrope.papers.ecp import (
    corners,
    gains,
    induced,
    leakage_bounds,
    locations,
    priors,
    queries,
    tightness,
)

ITEMS = (
    *induced.ITEMS,
    *corners.ITEMS,
    *priors.ITEMS,
    *gains.ITEMS,
    *leakage_bounds.ITEMS,
    *tightness.ITEMS,
    *queries.ITEMS,
    *locations.ITEMS,
)

__all__ = ["ITEMS"]
