"""The mechanism with the best Dobrushin coefficient: two outputs that tell the far ends apart.

Two inputs u and v at the diameter d overlap least if the probability of the first output
grows by e^ε at every step from u up to the middle, and that of the second falls by e^ε at
every step from there on (KL10, Lemma 3.3.5). On any connected relation the probability may
depend on the distance from u alone: neighbors differ by at most one step.
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.errors import Infeasible
from tightrope.exact import Level, Number, Surd, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import level_of
from tightrope.spaces import Space, distance_table, space_of


def least_overlap(
    space: Space | str, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> MatrixMechanism:
    """A mechanism whose Dobrushin coefficient is the best at the level.

    Needs whole distances in which every point is reached by steps of length 1 (a connected
    relation). Where e^ε is irrational a rational just below it is used.

    Returns: a `MatrixMechanism` with the outputs "near" and "far", not yet certified.

    Raises: `Infeasible` where distances are no numbers of steps; `BadInput` for an ε that is not
    above 0.

    >>> from tightrope.spaces import cycle
    >>> from tightrope.utility import dobrushin
    >>> dobrushin(least_overlap(cycle(5), Level.ratio(2)))
    -0.5
    """
    level, space = Level.positive(level_of(epsilon, ratio=ratio)), space_of(space)
    classes, table = distance_table(space)
    steps = [d.rational for d in classes]
    if any(s is None or s.denominator != 1 for s in steps) or space.least_distance != Surd.of(1):
        raise Infeasible(f"{space.text} is no relation: its distances are no numbers of steps.")
    whole = [int(s) for s in steps if s is not None]
    far = max(whole)
    u = next(y for y in range(space.size) if max(whole[c] for c in table[y]) == far)
    chances = _profile(far, level.pure.ratio_below(Surd.of(1)))
    rows = [[chances[whole[c]], 1 - chances[whole[c]]] for c in table[u]]
    return MatrixMechanism(space, ("near", "far"), Weights.from_fractions(rows))


def _profile(far: int, ratio: Fraction) -> list[Fraction]:
    """The probability of the output "near" at every distance from u; the ends overlap least."""
    half = far // 2
    middle = Fraction(1, 2) if far % 2 == 0 else 1 / (1 + ratio)
    rise = [middle / ratio ** (half - k) for k in range(half + 1)]  # of "far", from u on
    fall = [1 - value for value in reversed(rise)] if far % 2 else [
        1 - value for value in reversed(rise[:-1])
    ]
    return [1 - value for value in (*rise, *fall)]
