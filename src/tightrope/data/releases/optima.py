"""One number in a small range that a unit changes by more than 1: the optimum, written out.

The numbers from 0 to n, with distance ceil(|i - j|/c) if a unit changes them by c, are few enough
for the linear program over all mechanisms. Its answer is a table of probabilities, proved pair by
pair; its multipliers, which travel in the document, prove that no mechanism errs less on average
over the range. Intervals come from the exact law: a number is in it unless what was drawn, or
what is further away, is too rare for it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tightrope.documents import Optimality, optimality_of
from tightrope.errors import BadInput, SolverFailed
from tightrope.exact import Level, tolerances
from tightrope.mechanisms import MatrixMechanism, Mechanism
from tightrope.privacy import Certified
from tightrope.spaces import Lattice, sums
from tightrope.utility import Goal, Prior, absolute, uniform

MOST_SOLVED = 128
"""Numbers in a range up to which the optimum is sought: a few seconds of a processor."""


def space_of_range(change: int, most: int) -> Lattice | None:
    """The space of the numbers from 0 to `most`, if its optimum is not known by a theorem.

    >>> space_of_range(change=5, most=20).text
    'sum:people=4,max=5'
    """
    if change == 1 or most >= MOST_SOLVED:
        return None
    return sums(people=-(-most // change), maximum=change)


def prior_on_range(space: Lattice, most: int) -> Prior:
    """All numbers from 0 to `most` alike; the space may have a few more."""
    size = most + 1
    if space.size == size:
        return uniform
    return Prior((Fraction(1, size),) * size + (Fraction(0),) * (space.size - size))


def solve(space: Lattice, level: Level, most: int) -> tuple[Certified, Optimality]:
    """The mechanism with the least mean error over the range, and what proves that.

    Raises `SolverFailed` if none was proved best.
    """
    return _solved(space.norm.block, space.size, level, most)


@lru_cache(maxsize=16)
def _solved(change: int, size: int, level: Level, most: int) -> tuple[Certified, Optimality]:
    from tightrope.constructions import design  # slow to load, and not for reading a document

    space = sums(people=size // change, maximum=change)
    found = design(space, level, prior=prior_on_range(space, most), loss=absolute,
                   construction="optimal")
    claim = optimality_of(found)
    if claim is None or not is_best(claim, found.certified.mechanism, most):
        raise SolverFailed(f"no table for the numbers from 0 to {most} was proved best.")
    return found.certified, claim


def is_best(claim: Optimality, law: Mechanism, most: int) -> bool:
    """Whether the claim is that no mechanism has a smaller mean error over the range.

    The error may be above its bound by a millionth of it, or of one where it is less.
    """
    space = law.space
    return (isinstance(law, MatrixMechanism) and isinstance(space, Lattice)
            and claim.goal is Goal.AVERAGE and claim.loss == absolute
            and claim.prior == prior_on_range(space, most)
            and tuple(law.outputs) == tuple(space.points)
            and claim.value - claim.bound <= tolerances.DEFAULT_GAP * max(claim.value, 1.0))


def table_error(law: MatrixMechanism, most: int) -> Fraction:
    """The mean error over the range, exactly.

    >>> from tightrope.exact import Weights
    >>> thirds = Weights.from_integers([[2, 1], [1, 2]])
    >>> table_error(MatrixMechanism(sums(people=1, maximum=1), (0, 1), thirds), 1)
    Fraction(1, 3)
    """
    return sum((p * abs(z - x) for x in range(most + 1) for p, z in _row(law, x)),
               Fraction(0)) / (most + 1)


def table_reach(law: MatrixMechanism, most: int, confidence: Fraction) -> int:
    """The least width within which answers are for every number, with this confidence.

    >>> from tightrope.exact import Weights
    >>> law = MatrixMechanism(sums(people=1, maximum=1), (0, 1),
    ...                       Weights.from_integers([[2, 1], [1, 2]]))
    >>> table_reach(law, 1, Fraction(2, 3)), table_reach(law, 1, Fraction(3, 4))
    (0, 1)
    """
    width = 0
    for x in range(most + 1):
        left = 1 - confidence
        for far, p in sorted(((abs(z - x), p) for p, z in _row(law, x)), reverse=True):
            left -= p
            if left < 0:  # answers that are further off are rare enough
                width = max(width, far)
                break
    return width


def table_interval(
    law: MatrixMechanism, most: int, drawn: int, confidence: Fraction
) -> tuple[int, int]:
    """The numbers for which `drawn` is not too high and not too low; it is among them."""
    if drawn not in law.outputs:
        raise BadInput(f"the law never gives {drawn!r:.40}.")
    rare = (1 - confidence) / 2
    low, high = [drawn], [drawn]
    for x in range(most + 1):
        if sum((p for p, z in _row(law, x) if z >= drawn), Fraction(0)) > rare:
            low.append(x)
        if sum((p for p, z in _row(law, x) if z <= drawn), Fraction(0)) > rare:
            high.append(x)
    return max(min(low), 0), min(max(high), most)


def _row(law: MatrixMechanism, x: int) -> list[tuple[Fraction, int]]:
    """The answers for a number, with their probabilities."""
    found = []
    for p, z in zip(law.row(x), law.outputs, strict=True):
        if type(z) is not int:
            raise BadInput("the answers of a table for numbers are whole numbers.")
        found.append((p, z))
    return found
