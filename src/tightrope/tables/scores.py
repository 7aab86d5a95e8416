"""The scores of declared values, and the queries of an aim.

Scores are the numbers that values are, the middles of cells, or places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from tightrope.choices import Estimand
from tightrope.declarations import numeral
from tightrope.exact import fraction_of
from tightrope.spaces import Label
from tightrope.tables.columns import MISSING
from tightrope.utility import Query

_CELL = re.compile(r"\[([^,\[\]]+), ([^,\[\]]+)[)\]]")


def scores_of(points: Sequence[Label]) -> list[Fraction]:
    """A number for each declared value, of which a mean is taken.

    Numbers are themselves, a cell has the middle of its bounds, and values of any other kind
    have their places 1, 2, 3, … in the order declared.

    >>> [str(score) for score in scores_of(("[0, 10)", "[10, 25]"))]
    ['5', '35/2']
    >>> scores_of(("never", "often"))
    [Fraction(1, 1), Fraction(2, 1)]
    """
    scores = [_score(str(point)) for point in points if point != MISSING]
    if all(score is not None for score in scores):
        return [score for score in scores if score is not None]
    return [Fraction(place) for place in range(1, len(scores) + 1)]


def queries_of(
    aim: Estimand, points: Sequence[Label], scores: Sequence[float] | None = None
) -> list[Query]:
    """The queries of an aim: every share, every cumulative share but the last, or the mean."""
    names, size = [str(point) for point in points], len(points)
    if aim is Estimand.MEAN:
        chosen = [float(score) for score in scores_of(points)] if scores is None else scores
        return [Query("mean", tuple(chosen))]
    if aim is Estimand.CUMULATIVE:
        return [Query(f"up to {names[last]}", tuple(float(v <= last) for v in range(size)))
                for last in range(size - 1)]
    return [Query(name, tuple(float(v == place) for v in range(size)))
            for place, name in enumerate(names)]


def _score(text: str) -> Fraction | None:
    cell = _CELL.fullmatch(text)
    if cell:
        return (fraction_of(cell[1], "a bound") + fraction_of(cell[2], "a bound")) / 2
    plain = numeral(text)
    return None if plain is None else fraction_of(plain, "a score")
