"""ECP, Example 1: the regions of regular priors on three points, and where they tend."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np

from tightrope.exact import Level
from tightrope.kernels import Irregular, corner_priors, regularity
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.spaces import cycle, path, star
from tightrope.utility import Prior


def _run(
    *,
    epsilon: Fraction = Fraction(50),
    leaves: int = 3,
    low: Fraction = Fraction(6, 5),
    high: Fraction = Fraction(3, 2),
) -> Finding:
    corners = [corner_priors(space, Level.epsilon(epsilon)) for space in (path(0, 2), cycle(3))]
    off = max(float(np.abs(rows - np.eye(3)).max()) for rows in corners)
    # the region at a smaller level need not lie in that at a larger one
    space = star(leaves)
    corner = Prior.of(corner_priors(space, Level.ratio(low))[1].tolist())
    nested = not isinstance(regularity(space, Level.ratio(high), corner), Irregular)
    return finding(
        "as ε grows the region expands to the corners (0,0,1), (0,1,0), (0,0,1)",
        f"at ε = {epsilon} no entry of a corner is farther than {off:.1e} from the three unit "
        f"vectors; on the star with {leaves} leaves the region at e^ε = {low} "
        f"{'lies' if nested else 'does not lie'} in that at e^ε = {high}",
        nested,
        "one unit vector is printed twice; and regions are not nested in general: a corner prior "
        "of the smaller level is proved not to be regular at the larger one.",
        ours=not nested and off <= 2 * exp(-float(epsilon)),
    )


ITEMS = (
    Item(
        "ecp",
        "example-1",
        "Where the corners of the regular priors tend",
        Verdict.CORRECTED,
        _run,
        varied={"epsilon": Fraction(10)},
        dropped={"leaves": 2},  # a path: its regions are nested
    ),
)
