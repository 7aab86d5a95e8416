"""The best randomizer for an aim, as a mechanism whose outputs a column of a table can hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tightrope.constructions.categorical.randomizers import Randomizer, best_randomizer
from tightrope.exact import Level, Number
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, certified
from tightrope.spaces import Space
from tightrope.utility import Workload

_MARK: Final = "|"
"""Between values of a set in a cell of a column."""


@dataclass(frozen=True)
class ColumnDesign:
    """A proved mechanism whose outputs a column can hold, and the randomizer that it renames."""

    certified: Certified
    randomizer: Randomizer

    @property
    def gap(self) -> float:
        """How far its variance is at most above that of any private one."""
        return self.randomizer.gap


def design_report(
    space: Space | str,
    level: Level | Number,
    workload: Workload | str | Sequence[Number] | Sequence[Sequence[Number]] = "shares",
) -> ColumnDesign:
    """The best randomizer for a workload, whose outputs are texts that a column can hold.

    An output is the set of values that it is likelier for, as in `a|c`; where a value has that
    mark in its name, values are written by their places from 1.

    >>> made = design_report("categories:a/b/c", 1, "mean")
    >>> sorted(made.certified.mechanism.outputs), made.gap < 1e-6
    (['a', 'a|b', 'b|c', 'c'], True)
    """
    best = best_randomizer(space, level, workload=workload)
    mechanism = best.certified.mechanism
    assert isinstance(mechanism, MatrixMechanism)
    points = [str(point) for point in mechanism.space.points]
    names = points if not any(_MARK in name for name in points) else [
        str(place) for place in range(1, len(points) + 1)]
    texts = []
    for column in zip(*map(mechanism.row_at, range(len(points))), strict=True):
        texts.append(_MARK.join(name for name, chance in zip(names, column, strict=True)
                                if 2 * chance > min(column) + max(column)))
    renamed = MatrixMechanism(mechanism.space, texts, mechanism.weights)
    return ColumnDesign(certified(renamed, best.certified.certificate.level), best)
