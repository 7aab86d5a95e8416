"""Where inputs and outputs lie, and the gaps between them along every axis.

Coordinates come from the points themselves: whole numbers on paths and sums, vectors on counts,
histograms and grids (cell index times step), positions for given points. An output that is no
point of the space stands for its own coordinates, as written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import FloatArray, check_entries
from tightrope.spaces import (
    Label,
    Space,
    coordinates,
    exact_coordinates,
    has_coordinates,
    own_labels,
)

_COORDINATE = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40}|/[1-9][0-9]{0,39})?", re.ASCII)
"""A coordinate of an output, as it is written: whole, a decimal or a fraction."""

_BITS = 60
"""Binary digits of a sum of powers of gaps that surely fits into 64."""


def check_places(space: Space, outputs: Sequence[Label] | None) -> None:
    """Refuse inputs without coordinates, and outputs (if listed) without."""
    if outputs is not None:
        _whole_places(space, outputs, 1)
    elif not has_coordinates(space):
        raise _no_places(space)


def gaps(space: Space, outputs: Sequence[Label]) -> list[FloatArray]:
    """The difference of every input (row) and output (column) along each axis, as doubles."""
    outputs = own_labels(outputs)
    check_entries(space.size, len(outputs))
    inputs = coordinates(space)
    if inputs is None:
        raise _no_places(space)
    return _differences(inputs, _output_places(space, outputs, inputs))


def whole_gaps(
    space: Space, outputs: Sequence[Label], degree: int = 1
) -> tuple[list[NDArray[Any]], int]:
    """The same differences exactly: whole multiples of one fraction 1/divisor, and the divisor.

    A sum of powers up to this degree is exact, too.

    >>> from tightrope.spaces import path
    >>> (axis,), divisor = whole_gaps(path(0, 1), ("0.5",))
    >>> axis.tolist(), divisor
    ([[-1], [1]], 2)
    """
    check_entries(space.size, len(outputs))
    inputs, answers, divisor = _whole_places(space, outputs, degree)
    return _differences(inputs, answers), divisor


def _differences(inputs: NDArray[Any], answers: NDArray[Any]) -> list[NDArray[Any]]:
    pairs = zip(inputs.T, answers.T, strict=True)
    return [places[:, None] - others[None, :] for places, others in pairs]


def _no_places(space: Space) -> BadInput:
    return BadInput(
        f"the points of {space.text} have no coordinates; use the binary loss or a matrix."
    )


def _output_places(space: Space, outputs: Sequence[Label], inputs: FloatArray) -> FloatArray:
    if outputs is space.points or tuple(outputs) == tuple(space.points):
        return inputs
    index = {point: y for y, point in enumerate(space.points)}
    return np.array([
        inputs[index[output]] if output in index
        else [float(part) for part in _own_place(output, inputs.shape[1], space)]
        for output in outputs
    ])


def _whole_places(
    space: Space, outputs: Sequence[Label], degree: int
) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Inputs and outputs as whole multiples of one fraction 1/divisor."""
    exact = exact_coordinates(space)
    if exact is None:
        raise _no_places(space)
    whole, unit = exact
    divisor = unit.denominator
    places = whole.astype(object) * unit.numerator
    if outputs is space.points or tuple(outputs) == tuple(space.points):
        answers = places
    else:
        index = {point: y for y, point in enumerate(space.points)}
        own = {output: _own_place(output, places.shape[1], space)
               for output in outputs if output not in index}
        divisor = lcm(divisor, *(part.denominator for parts in own.values() for part in parts))
        places = places * (divisor // unit.denominator)
        rows = [
            [int(part * divisor) for part in own[output]] if output in own
            else places[index[output]].tolist()
            for output in outputs
        ]
        answers = np.array(rows, dtype=object)
    reach = max(abs(places).max(), abs(answers).max())
    if reach * places.shape[1] < 1 << _BITS // degree:
        places, answers = places.astype(np.int64), answers.astype(np.int64)
    return places, answers, divisor


def _own_place(output: Label, dimension: int, space: Space) -> tuple[Fraction, ...]:
    """The coordinates that an output is written as."""
    parts = output if isinstance(output, tuple) and dimension > 1 else (output,)
    if len(parts) == dimension and all(_COORDINATE.fullmatch(str(part)) for part in parts):
        return tuple(Fraction(str(part)) for part in parts)
    raise BadInput(f"the output {output!r} has no coordinates on {space.text}.")
