"""Losses in units that suit the solvers, and multipliers back in units of 2^-96.

Solvers work in doubles and expect numbers near one. Losses far from one are measured in
units of 2^k, and multipliers in those units are turned into whole numbers: nothing is
rounded but the multipliers, each down.
"""

from __future__ import annotations

from math import frexp

import numpy as np

from tightrope.exact import FloatArray
from tightrope.utility import SCALE

_USUAL = 32
"""Losses up to 2^32 and from 2^-32 on are left as they are."""


def rescale(losses: FloatArray) -> tuple[FloatArray, int]:
    """Losses in units of 2^k, and k: 0 unless the largest is far from one.

    >>> rescale(np.array([0.0, 3.0]))
    (array([0., 3.]), 0)
    >>> rescale(np.array([0.0, 2.0**100]))
    (array([0. , 0.5]), 101)
    """
    unit = frexp(float(np.abs(losses).max()))[1]
    return (losses, 0) if abs(unit) <= _USUAL else (np.ldexp(losses, -unit), unit)


def whole_units(amounts: FloatArray, unit: int, *, digits: int = 52) -> tuple[int, ...]:
    """Amounts in units of 2^unit as whole multiples of 2^-96, rounded down, and none below 0.

    `digits` is how many binary digits after the point are kept of an amount.

    >>> whole_units(np.array([0.5]), 2) == (2 * 2**96,)
    True
    """
    shift = SCALE - digits + unit
    whole = [max(0, int(amount)) for amount in np.ldexp(amounts, digits).tolist()]
    return tuple(amount << shift if shift >= 0 else amount >> -shift for amount in whole)
