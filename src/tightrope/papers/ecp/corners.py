"""ECP, Example 1: the regions of regular priors on three points, and where they tend."""

from __future__ import annotations

import numpy as np

from tightrope.exact import Level
from tightrope.kernels import Irregular, corner_priors, regularity
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.spaces import cycle, path, star
from tightrope.utility import Prior


def _run() -> Finding:
    corners = [corner_priors(space, Level.epsilon(50)) for space in (path(0, 2), cycle(3))]
    units = all(np.abs(rows - np.eye(3)).max() < 2.0**-60 for rows in corners)
    # the region at a smaller level need not lie in that at a larger one
    low, high = Level.ratio("6/5"), Level.ratio("3/2")
    leaves = star(3)
    corner = Prior.of(corner_priors(leaves, low)[1].tolist())
    nested = not isinstance(regularity(leaves, high, corner), Irregular)
    return judged(
        "as ε grows the region expands to the corners (0,0,1), (0,1,0), (0,0,1)",
        f"the corners tend to the three unit vectors: {units}; on the star with three leaves the "
        f"region at e^ε = 6/5 {'lies' if nested else 'does not lie'} in that at e^ε = 3/2",
        not units or nested,
        "one unit vector is printed twice; and regions are not nested in general: a corner prior "
        "of the smaller level is proved not to be regular at the larger one.",
    )


ITEMS = (
    Item("ecp", "example-1", "Where the corners of the regular priors tend", Verdict.CORRECTED,
         _run),
)
