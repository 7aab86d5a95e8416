"""Exact convolution of integers on a box, by one product of polynomials.

Cells are numbered along a line. Every axis but the first is padded by the reach of the kernel, so
that products beyond the end of a line fall where nothing is read. The convolution is then one
product of two integer polynomials, which FLINT multiplies exactly: no rounding, and no assumption
about a Fourier transform in floating point.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpz_poly
from numpy.typing import NDArray

from tightrope.errors import TooLarge

_LONGEST = 60_000_000
"""Coefficients of a polynomial: several gigabytes while it is multiplied."""


def box_convolution(field: NDArray[np.int64], kernel: NDArray[np.int64]) -> list[int]:
    """Σ_z field[z] kernel[y - z + reach] for every cell y of the field, in order, exactly.

    The kernel has an odd length 2·reach + 1 in every axis and counts as zero beyond.

    >>> box_convolution(np.array([1, 0, 2]), np.array([3, 5, 3]))
    [5, 9, 10]
    """
    reach = tuple(side // 2 for side in kernel.shape)
    lengths = [side + r for side, r in zip(field.shape[1:], reach[1:], strict=True)]
    strides = [int(np.prod(lengths[axis:], dtype=object)) for axis in range(len(lengths) + 1)]
    line, taps = _along(field, strides), _along(kernel, strides)
    product = fmpz_poly(line.tolist()) * fmpz_poly(taps.tolist())
    coefficients: list[Any] = product.coeffs()
    coefficients.extend([0] * (len(line) + len(taps) - 1 - len(coefficients)))
    start = sum(r * stride for r, stride in zip(reach, strides, strict=True))
    wanted = start + _positions(field.shape, strides)
    return [int(coefficients[k]) for k in wanted.tolist()]


def _positions(shape: tuple[int, ...], strides: list[int]) -> NDArray[np.int64]:
    places = np.zeros(1, dtype=np.int64)
    for side, stride in zip(shape, strides, strict=True):
        places = (places[:, None] + np.arange(side, dtype=np.int64) * stride).ravel()
    return places


def _along(values: NDArray[np.int64], strides: list[int]) -> NDArray[np.int64]:
    """The values at their places on the line, zero between."""
    last = sum((side - 1) * stride for side, stride in zip(values.shape, strides, strict=True))
    if last >= _LONGEST:
        raise TooLarge(
            "the length of an exact convolution", last + 1, _LONGEST, "use a smaller grid"
        )
    line = np.zeros(last + 1, dtype=np.int64)
    line[_positions(values.shape, strides)] = values.ravel()
    return line
