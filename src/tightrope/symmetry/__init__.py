"""Symmetry: permutations, isometries, orbits, and what a prior and a loss leave of them.

`symmetries` are isometries of a space; `preserving` keeps those that change neither a prior
nor a loss, as a `Symmetry` of inputs and outputs.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.symmetry.exchanges import Symmetry
    from tightrope.symmetry.invariance import preserving
    from tightrope.symmetry.isometries import symmetries
    from tightrope.symmetry.permutations import orbits
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Symmetry",
    "orbits",
    "preserving",
    "symmetries",
]
