"""Ball-size symmetry (ECP, Definition 7): as many points within any radius of every point.

Then all rows of Φ have one sum Σ_r n_r e^(-ε r), and its inverse is every weight of a
tight-constraints mechanism, at every level (Proposition 9). Balls are closed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.characters import label_text
from tightrope.exact import Surd
from tightrope.markup import brief
from tightrope.spaces import Label, Space, distance_table, space_of


@dataclass(frozen=True)
class BallSizes:
    """Whether balls around all points have one size; how many points are at each distance.

    `numbers` are those around the first point, the point itself left out. Where it fails,
    `witness` holds a radius and two points with the sizes of their balls.
    """

    symmetric: bool
    numbers: tuple[tuple[Surd, int], ...]
    witness: tuple[Surd, Label, int, Label, int] | None

    __repr__ = brief

    @property
    def text(self) -> str:
        """The answer in a sentence."""
        if self.witness is not None:
            radius, first, few, second, many = self.witness
            return (f"not of one size: {few} points are within {radius.short} of "
                    f"{label_text(first)}, {many} of {label_text(second)}")
        parts = ", ".join(f"{number} at distance {d.short}" for d, number in self.numbers)
        return f"of one size around every point: {parts}"


def ball_sizes(space: Space | str) -> BallSizes:
    """Whether a space is ball-size symmetric, with the numbers n_r or two balls that differ.

    Returns: `BallSizes`; `symmetric` is the answer.

    Raises: `TooLarge` for more pairs of points than are listed.

    >>> ball_sizes("cycle:5").text
    'of one size around every point: 2 at distance 1, 2 at distance 2'
    >>> ball_sizes("path:0..2").text
    'not of one size: 2 points are within 1 of 0, 3 of 1'
    """
    points = space_of(space)
    classes, table = distance_table(points)
    counts = np.stack([(table <= k).sum(axis=1) for k in range(len(classes))], axis=1)
    other = np.argwhere(counts != counts[0])
    at = counts[0].tolist()
    numbers = tuple((d, at[k] - at[k - 1]) for k, d in enumerate(classes)
                    if k and at[k] > at[k - 1])
    if not len(other):
        return BallSizes(True, numbers, None)
    radius = int(other[:, 1].min())
    point = int(other[other[:, 1] == radius][0, 0])
    return BallSizes(False, numbers, (
        classes[radius], points.points[0], int(counts[0, radius]),
        points.points[point], int(counts[point, radius])))
