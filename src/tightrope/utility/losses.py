"""Losses: what it costs to answer z when the truth is y.

A loss is a value that becomes a matrix on a space and a list of outputs. Coordinates come
from the points themselves: whole numbers on paths and sums, vectors on counts, histograms
and grids (cell index times step), positions for given points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import isfinite
from typing import Any, TypeAlias, assert_never

import numpy as np

from tightrope.choices import member_of
from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import FloatArray, Number, check_entries, exact_rows, float_rows
from tightrope.spaces import (
    Family,
    Label,
    PointSpace,
    Space,
    coordinates,
    family_of,
    in_order,
    own_labels,
)

_COORDINATE = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40}|/[1-9][0-9]{0,39})?", re.ASCII)
"""A coordinate of an output, as it is written: whole, a decimal or a fraction."""


class Kind(StrEnum):
    """The losses that have a name."""

    BINARY = "binary"
    ABSOLUTE = "absolute"
    SQUARED = "squared"
    EUCLIDEAN = "euclidean"
    LARGEST = "largest"


@dataclass(frozen=True)
class Loss:
    """A named loss: 0 or 1, the sum of absolute differences of all coordinates, the squared or
    plain Euclidean length of the difference, or the largest absolute difference.

    >>> from tightrope.spaces import path
    >>> absolute.matrix(path(0, 2), (0, 2)).tolist()
    [[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]]
    """

    kind: Kind

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", member_of(Kind, self.kind, "loss"))

    @classmethod
    def named(cls, name: str) -> Loss:
        """The loss of that name."""
        return cls(member_of(Kind, name, "loss"))

    @property
    def name(self) -> str:
        """The name of the loss."""
        return self.kind.value

    def __repr__(self) -> str:
        return f"Loss({self.name})"

    def matrix(self, space: Space, outputs: Sequence[Label]) -> FloatArray:
        """The loss of every input (row) and output (column)."""
        outputs = own_labels(outputs)
        check_entries(space.size, len(outputs))
        if self.kind is Kind.BINARY:
            place = {output: z for z, output in enumerate(outputs)}
            found = np.ones((space.size, len(outputs)))
            for y, point in enumerate(space.points):
                if point in place:
                    found[y, place[point]] = 0.0
            return found
        inputs = _positions(space)
        gaps = inputs[:, None, :] - _output_positions(space, outputs, inputs)[None, :, :]
        match self.kind:
            case Kind.ABSOLUTE:
                return np.asarray(np.abs(gaps).sum(axis=2))
            case Kind.SQUARED:
                return np.asarray((gaps**2).sum(axis=2))
            case Kind.EUCLIDEAN:
                return np.asarray(np.sqrt((gaps**2).sum(axis=2)))
            case Kind.LARGEST:
                return np.asarray(np.abs(gaps).max(axis=2))
            case _:
                assert_never(self.kind)


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

    def matrix(self, space: Space, outputs: Sequence[Label]) -> FloatArray:
        """The matrix itself, checked against the space and the outputs."""
        outputs = own_labels(outputs)
        if self.values.shape != (space.size, len(outputs)):
            raise BadMatrix(
                f"expected a loss with {space.size} rows and {len(outputs)} columns, "
                f"found {' and '.join(map(str, self.values.shape))}."
            )
        return self.values


binary = Loss(Kind.BINARY)
absolute = Loss(Kind.ABSOLUTE)
squared = Loss(Kind.SQUARED)
euclidean = Loss(Kind.EUCLIDEAN)
largest = Loss(Kind.LARGEST)

_FITTING = {
    Family.PATH: absolute,
    Family.SUM: absolute,
    Family.COUNTS: largest,
    Family.HISTOGRAM: largest,
    Family.GRID: euclidean,
}


def fitting(space: Space) -> Loss:
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
    Loss | LossMatrix | str | Callable[[Any, Any], Any] | Iterable[Iterable[Number]] | None
)
"""A loss by its name, as rows (lists, an array, a frame), as a function of input and output;
None for the one that fits the space."""


def loss_of(
    given: LossLike, space: Space, outputs: Sequence[Label] | None = None
) -> Loss | LossMatrix:
    """The loss on the space and these outputs (its points if None), given in any of these ways.

    >>> from tightrope.spaces import path
    >>> loss_of(lambda x, z: max(0, z - x), path(0, 1)).values.tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    answers = space.points if outputs is None else outputs
    if given is None:
        return fitting(space)
    if isinstance(given, Loss | LossMatrix):
        return given
    if isinstance(given, str):
        return Loss.named(given)
    if callable(given):
        check_entries(space.size, len(answers))
        rows: Any = [[_cost(given, x, z) for z in answers] for x in space.points]
        return LossMatrix(rows)
    rows = in_order(given, space.points, answers)
    return LossMatrix(rows)


def _cost(loss: Callable[[Any, Any], Any], x: Label, z: Label) -> float:
    try:
        found = float(loss(x, z))
    except Exception as failure:
        raise BadInput(
            f"the loss could not be computed for the input {x!r} and the output {z!r}: "
            f"{type(failure).__name__}: {failure}."
        ) from failure
    if not isfinite(found):
        raise BadInput(f"the loss of the input {x!r} and the output {z!r} is {found}.")
    return found


def _positions(space: Space) -> FloatArray:
    found = coordinates(space)
    if found is None:
        raise BadInput(
            f"the points of {space.text} have no coordinates; use the binary loss or a matrix."
        )
    return found


def _output_positions(space: Space, outputs: Sequence[Label], inputs: FloatArray) -> FloatArray:
    if outputs is space.points or tuple(outputs) == tuple(space.points):
        return inputs
    place = {point: y for y, point in enumerate(space.points)}
    rows = []
    for output in outputs:
        if output in place:
            rows.append(inputs[place[output]])
            continue
        rows.append(np.array([float(part) for part in own_place(output, inputs.shape[1], space)]))
    return np.array(rows)


def own_place(output: Label, dimension: int, space: Space) -> tuple[Fraction, ...]:
    """An output that is no point of the space stands for its own coordinates, as written.

    >>> from tightrope.spaces import path
    >>> own_place("0.5", 1, path(0, 1))
    (Fraction(1, 2),)
    """
    parts = output if isinstance(output, tuple) and dimension > 1 else (output,)
    if len(parts) == dimension and all(_COORDINATE.fullmatch(str(part)) for part in parts):
        return tuple(Fraction(str(part)) for part in parts)
    raise BadInput(f"the output {output!r} has no coordinates on {space.text}.")
