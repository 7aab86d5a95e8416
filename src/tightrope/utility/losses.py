"""Losses: the cost of answering z when the truth is y.

A loss has a `name` and four things that the rest of the library asks for:

- `matrix`: the loss of every input and output of a space, as doubles;
- `bracket`: the same exactly, each between two multiples of 2^-96;
- `displacement`: the loss as a function of the gaps along the axes, None if it is none;
- `moment`: the expected loss of noise on all integers, None without a closed form.

`check` refuses inputs and outputs that it has no sense for. Elsewhere a loss is named only by
a theorem about it (`problem.loss == binary`) and by the words of `closeness`. A new loss is a
value here, listed in `LOSSES`, and a line of the checker `receipt.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import inf, isfinite
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import meant
from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import FloatArray, Number, check_entries, exact_rows, float_rows
from tightrope.mechanisms import NoiseMechanism
from tightrope.spaces import (
    Family,
    Label,
    PointSpace,
    Space,
    distance_table,
    family_of,
    in_order,
    own_labels,
)
from tightrope.utility.brackets import Bracket, bracket_of, ends, root_ends
from tightrope.utility.places import check_places, gaps, whole_gaps

Gaps: TypeAlias = Sequence[NDArray[Any]]
"""Differences along each axis: doubles, or whole multiples of one unit."""


@dataclass(frozen=True)
class Binary:
    """0 for the truth, 1 for all else."""

    name: ClassVar[str] = "binary"

    def check(self, space: Space, outputs: Sequence[Label] | None) -> None:
        """Nothing is refused."""

    def matrix(self, space: Space, outputs: Sequence[Label]) -> FloatArray:
        """The loss of every input (row) and output (column)."""
        outputs = own_labels(outputs)
        check_entries(space.size, len(outputs))
        place = {output: z for z, output in enumerate(outputs)}
        losses = np.ones((space.size, len(outputs)))
        for y, point in enumerate(space.points):
            if point in place:
                losses[y, place[point]] = 0.0
        return losses

    def bracket(self, space: Space, outputs: Sequence[Label]) -> Bracket:
        """The loss of every input and output, between multiples of 2^-96."""
        return bracket_of(self.matrix(space, outputs), ends)

    def displacement(self, gaps: Gaps) -> NDArray[Any]:
        """The loss of every displacement, from its parts along the axes."""
        return np.asarray(absolute.displacement(gaps) > 0, dtype=np.float64)

    def moment(self, noise: NoiseMechanism) -> Fraction:
        """The expected loss of integer noise."""
        return 1 - 1 / noise.normalizer


@dataclass(frozen=True)
class CoordinateLoss:
    """A loss of the differences of coordinates, or the root of one.

    `total` adds up the gaps along the axes: of whole gaps it is whole, of gaps c times as wide
    c**degree times as much, and a gap and its negative are alike.

    >>> from tightrope.spaces import path
    >>> absolute.matrix(path(0, 2), (0, 2)).tolist()
    [[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]]
    >>> bracket = absolute.bracket(path(0, 2), (0, 2))
    >>> bracket.index.tolist(), [low / 2**96 for low in bracket.low]
    ([[0, 2], [1, 1], [2, 0]], [0.0, 1.0, 2.0])
    """

    name: str
    total: Callable[[Gaps], NDArray[Any]] = field(repr=False)
    degree: int = field(default=1, repr=False)
    rooted: bool = field(default=False, repr=False)
    moment: Callable[[NoiseMechanism], Fraction] | None = field(default=None, repr=False)

    def check(self, space: Space, outputs: Sequence[Label] | None) -> None:
        """Refuse inputs and outputs without coordinates."""
        check_places(space, outputs)

    def matrix(self, space: Space, outputs: Sequence[Label]) -> FloatArray:
        """The loss of every input (row) and output (column)."""
        return self.displacement(gaps(space, outputs))

    def bracket(self, space: Space, outputs: Sequence[Label]) -> Bracket:
        """The loss of every input and output, between multiples of 2^-96."""
        whole, divisor = whole_gaps(space, outputs, self.degree)
        ends_of = root_ends if self.rooted else ends
        return bracket_of(self.total(whole), lambda k: ends_of(Fraction(k, divisor**self.degree)))

    def displacement(self, gaps: Gaps) -> NDArray[Any]:
        """The loss of every displacement, from its parts along the axes."""
        total = self.total(gaps)
        return np.sqrt(total) if self.rooted else total


@dataclass(frozen=True, eq=False)
class LossMatrix:
    """A loss given as a matrix, rows are inputs, columns are outputs: an array or nested lists.

    `name` says what it is, where it is made of something that has a name. Texts and fractions
    are exact: `exact` has them, None where doubles are what is meant; `values` are for computing.

    >>> LossMatrix([[0, 1], ["0.1", 0]]).values.tolist(), LossMatrix([["0.1"]]).exact
    ([[0.0, 1.0], [0.1, 0.0]], ((Fraction(1, 10),),))
    """

    values: FloatArray
    name: str = "given"
    exact: tuple[tuple[Fraction, ...], ...] | None = field(init=False, repr=False, default=None)
    displacement: ClassVar[None] = None
    moment: ClassVar[None] = None

    def __post_init__(self) -> None:
        given = self.values
        object.__setattr__(self, "values", float_rows(given, "a loss"))
        if np.asarray(given).dtype.kind in "OU":
            object.__setattr__(self, "exact", exact_rows(given, "a loss"))

    @property
    def numbers(self) -> Any:
        """The rows as they are meant: exact, or doubles."""
        return self.values if self.exact is None else np.array(self.exact, dtype=object)

    def __repr__(self) -> str:
        rows, columns = self.values.shape
        ends = f"from {self.values.min():.6g} to {self.values.max():.6g}"
        return f"LossMatrix({rows:,} × {columns:,}, {ends})"

    def check(self, space: Space, outputs: Sequence[Label] | None) -> None:
        """Refuse a space or outputs (its points if None) of another number."""
        self.matrix(space, space.points if outputs is None else outputs)

    def matrix(self, space: Space, outputs: Sequence[Label]) -> FloatArray:
        """The matrix itself, checked against the space and the outputs."""
        outputs = own_labels(outputs)
        if self.values.shape != (space.size, len(outputs)):
            raise BadMatrix(
                f"expected a loss with {space.size} rows and {len(outputs)} columns, "
                f"found {' and '.join(map(str, self.values.shape))}."
            )
        return self.values

    def bracket(self, space: Space, outputs: Sequence[Label]) -> Bracket:
        """The loss of every input and output, between multiples of 2^-96."""
        self.check(space, outputs)
        return bracket_of(self.numbers, ends)


NamedLoss: TypeAlias = Binary | CoordinateLoss
Loss: TypeAlias = NamedLoss | LossMatrix


def _sizes(gaps: Gaps) -> NDArray[Any]:
    return np.asarray(sum(np.abs(gap) for gap in gaps))


def _squares(gaps: Gaps) -> NDArray[Any]:
    return np.asarray(sum(gap**2 for gap in gaps))


def _largest_size(gaps: Gaps) -> NDArray[Any]:
    return reduce(np.maximum, (np.abs(gap) for gap in gaps))


def _mean_error(noise: NoiseMechanism) -> Fraction:
    return noise.mean_error


def _mean_square(noise: NoiseMechanism) -> Fraction:
    return noise.mean_square


binary = Binary()
absolute = CoordinateLoss("absolute", _sizes, moment=_mean_error)
squared = CoordinateLoss("squared", _squares, degree=2, moment=_mean_square)
euclidean = CoordinateLoss("euclidean", _squares, degree=2, rooted=True, moment=_mean_error)
largest = CoordinateLoss("largest", _largest_size, moment=_mean_error)

LOSSES: Final[tuple[NamedLoss, ...]] = (binary, absolute, squared, euclidean, largest)
"""Every loss that has a name."""


DISTANCE: Final = "distance"
"""The name of the space's own distance between truth and answer, as a loss."""

LOSS_NAMES: Final[tuple[str, ...]] = (*(loss.name for loss in LOSSES), DISTANCE)
"""Every name that states a loss."""


def loss_named(name: str) -> NamedLoss:
    """The loss of that name; raises `BadInput` with all that are known.

    >>> loss_named("absolute")
    CoordinateLoss(name='absolute')
    """
    for loss in LOSSES:
        if loss.name == name:
            return loss
    raise BadInput(f"there is no loss {name[:40]!r}; expected one of {', '.join(LOSS_NAMES)}"
                   f"{meant(name, LOSS_NAMES)}.", found=name)


def distance_loss(space: Space, outputs: Sequence[Label] | None = None) -> LossMatrix:
    """The distance between truth and answer, as the space measures it; answers are points.

    Rational distances are exact, others the nearest doubles.

    >>> from tightrope.spaces import star
    >>> distance_loss(star(2)).values.tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 2.0], [1.0, 2.0, 0.0]]
    """
    distances, classes = distance_table(space)
    if any(float(distance) == inf for distance in distances):
        raise BadInput(f"some points of {space.text} are infinitely far apart; the distance is no "
                       "loss there.")
    known = [distance.rational for distance in distances]
    exact = np.array([float(distance) if value is None else value
                      for distance, value in zip(distances, known, strict=True)], dtype=object)
    table = exact[classes] if None not in known else exact.astype(np.float64)[classes]
    if outputs is not None:
        table = table[:, [space.index(output) for output in own_labels(outputs)]]
    return LossMatrix(table, DISTANCE)


_FITTING: Final[dict[Family, NamedLoss]] = {
    Family.PATH: absolute,
    Family.SUM: absolute,
    Family.COUNTS: largest,
    Family.HISTOGRAM: largest,
    Family.GRID: euclidean,
}


def fitting(space: Space) -> NamedLoss:
    """The loss that is meant where none is named: how far off an answer is, if that has a sense.

    Paths and sums: absolute. Counts and histograms: the largest error of a cell. Grids and
    points: euclidean. All else: binary.

    >>> from tightrope.spaces import parse
    >>> [fitting(parse(text)).name for text in ("path:0..9", "grid:3x3", "categories:3")]
    ['absolute', 'euclidean', 'binary']
    """
    if isinstance(space, PointSpace):
        return euclidean
    family = family_of(space)
    return binary if family is None else _FITTING.get(family, binary)


LossLike: TypeAlias = (
    Loss | str | Callable[[Any, Any], Any] | Iterable[Iterable[Number]] | None
)
"""A loss by its name, as rows (lists, an array, a frame), as a function of input and output;
None for the one that fits the space."""


def loss_of(given: LossLike, space: Space, outputs: Sequence[Label] | None = None) -> Loss:
    """The loss on the space and these outputs (its points if None), given in any of these ways.

    >>> from tightrope.spaces import path
    >>> loss_of(lambda x, z: max(0, z - x), path(0, 1)).values.tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    answers = space.points if outputs is None else outputs
    if given is None:
        return fitting(space)
    if isinstance(given, Loss):
        return given
    if isinstance(given, str):
        return distance_loss(space, outputs) if given == DISTANCE else loss_named(given)
    if callable(given):
        check_entries(space.size, len(answers))
        rows: Any = [[_cost(given, x, z) for z in answers] for x in space.points]
        return LossMatrix(rows)
    rows = in_order(given, space.points, answers)
    return LossMatrix(rows)


def _cost(loss: Callable[[Any, Any], Any], x: Label, z: Label) -> float | Fraction:
    """The loss that a function states, exactly where it returns a fraction."""
    try:
        stated = loss(x, z)
        cost = float(stated)
    except Exception as failure:
        raise BadInput(
            f"the loss could not be computed for the input {x!r} and the output {z!r}: "
            f"{type(failure).__name__}: {failure}."
        ) from failure
    if not isfinite(cost):
        raise BadInput(f"the loss of the input {x!r} and the output {z!r} is {cost}.")
    return stated if isinstance(stated, Fraction) else cost
