"""Values chosen by their scores, exactly: those whose geometric numbers reach their scores.

P(g >= s) = q^-s for a geometric number, so that comparing it with how far a score is from the
best is a toss of the coin of that value. Of those with heads one is drawn, all alike; the best
have heads always, so there is one. Nothing is rounded and no value is left out.
"""

from __future__ import annotations

import numpy as np

from tightrope.exact import IntArray
from tightrope.mechanisms import ScoreLaw
from tightrope.samplers.noise import Geometric, kept_geometric
from tightrope.samplers.sources import Source, uniform_below


def chosen_values(law: ScoreLaw, source: Source) -> list[int]:
    """The values that are chosen: for every group as many as are picked, in that order."""
    coins, found = kept_geometric(law.ratio), []
    for row in law.scores:
        places = np.arange(len(row))
        for _ in range(law.picks):
            at = _chosen(row[places], coins, source)
            found.append(int(places[at]))
            places = np.delete(places, at)
    return found


def _chosen(scores: IntArray, coins: Geometric, source: Source) -> int:
    heads = np.flatnonzero(coins.draw(len(scores), source) >= scores - scores.min())
    return int(heads[uniform_below(len(heads), source)])
