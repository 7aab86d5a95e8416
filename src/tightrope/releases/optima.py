"""One number in a small range that a unit changes by more than 1: the optimum, written out.

The numbers from 0 to n, with distance ceil(|i - j|/c) if a unit changes them by c, are few enough
for the linear program over all mechanisms. Its answer is a table of probabilities, proved pair by
pair; its multipliers, which travel in the document, prove that no mechanism errs less: for the
worst number, or on average over the range. Intervals come from the exact law: a number is in it
unless what was drawn, or what is further away, is too rare for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from tightrope.choices import Goal
from tightrope.errors import BadInput, SolverFailed
from tightrope.exact import Level, tolerances
from tightrope.mechanisms import MatrixMechanism, Mechanism
from tightrope.spaces import Lattice, sums

if TYPE_CHECKING:  # losses and claims are loaded where an optimum is solved or read
    from tightrope.documents import Optimality
    from tightrope.privacy import Certified
    from tightrope.releases.questions import Question
    from tightrope.utility import Prior

MOST_SOLVED = 128
"""Numbers in a range up to which the optimum is sought: a few seconds of a processor."""


@dataclass(frozen=True)
class Target:
    """The error that is to be least: on average by weights, or for the worst number.

    Without weights all numbers from 0 to `most` are alike.
    """

    most: int
    goal: Goal = Goal.AVERAGE
    weights: tuple[Fraction, ...] = ()

    @property
    def solved(self) -> bool:
        """Whether only the linear program is known to find it."""
        return self.goal is Goal.WORST or bool(self.weights)

    def prior(self, space: Lattice) -> Prior:
        """The weights of the numbers of a space, which may have a few more."""
        from tightrope.utility import Prior, uniform

        size = self.most + 1
        if space.size == size and not self.weights:
            return uniform
        weights = self.weights or (Fraction(1, size),) * size
        return Prior(weights + (Fraction(0),) * (space.size - size))


def target_of(question: Question, most: int) -> Target:
    """The error that a question wants least for a number from 0 to `most`."""
    goal = Goal.WORST if question.optimal == Goal.WORST else Goal.AVERAGE
    target = Target(most, goal, question.weights)
    if target.weights and len(target.weights) != most + 1:
        raise BadInput(f"expected {most + 1:,} weights, found {len(target.weights):,}.")
    if target.solved and most >= MOST_SOLVED:
        raise BadInput(f"this optimum is sought for up to {MOST_SOLVED} numbers, here are "
                       f"{most + 1:,}; ask for optimal = 'average', or leave it out.")
    return target


def space_of_range(change: int, target: Target) -> Lattice | None:
    """The space of the numbers in a range, if its optimum is to be solved for.

    It is known by a theorem where a unit changes them by 1, on average over all alike.

    >>> space_of_range(5, Target(20)).text
    'sum:people=4,max=5'
    """
    if (change == 1 and not target.solved) or target.most >= MOST_SOLVED:
        return None
    return sums(people=-(-target.most // change), maximum=change)


def solve(space: Lattice, level: Level, target: Target) -> tuple[Certified, Optimality]:
    """The mechanism with the least error, and what proves that.

    Raises `SolverFailed` if none was proved best.
    """
    return _solve(space.norm.block, space.size, level, target)


@lru_cache(maxsize=16)
def _solve(
    change: int, size: int, level: Level, target: Target
) -> tuple[Certified, Optimality]:
    from tightrope.constructions import design  # slow to load, and not for reading a document
    from tightrope.documents import optimality_of
    from tightrope.utility import absolute

    space = sums(people=(size - 1) // change, maximum=change)
    best = design(space, level, prior=target.prior(space), loss=absolute, goal=target.goal,
                  construction="optimal")
    claim = optimality_of(best)
    if claim is None or not is_best(claim, best.certified.mechanism, target):
        raise SolverFailed(f"no table for the numbers from 0 to {target.most} was proved best.")
    return best.certified, claim


def is_best(claim: Optimality, law: Mechanism, target: Target) -> bool:
    """Whether the claim is that no mechanism has a smaller error of this kind.

    The error may be above its bound by a millionth of it, or of one where it is less. The worst
    number of a space that is longer than the range may lie beyond it.
    """
    from tightrope.utility import absolute

    space = law.space
    if not isinstance(law, MatrixMechanism) or not isinstance(space, Lattice):
        return False
    wanted = (claim.prior == target.prior(space) if target.goal is Goal.AVERAGE else
              space.size == target.most + 1)
    return (wanted and claim.goal is target.goal and claim.loss == absolute
            and tuple(law.outputs) == tuple(space.points)
            and claim.value - claim.bound <= tolerances.DEFAULT_GAP * max(claim.value, 1.0))


def table_errors(law: MatrixMechanism, most: int) -> tuple[Fraction, ...]:
    """The mean error of every number of the range, exactly.

    >>> from tightrope.exact import Weights
    >>> uneven = Weights.from_integers([[2, 1], [1, 3]])
    >>> table_errors(MatrixMechanism(sums(people=1, maximum=1), (0, 1), uneven), 1)
    (Fraction(1, 3), Fraction(1, 4))
    """
    return tuple(sum((p * abs(z - x) for p, z in _row(law, x)), Fraction(0))
                 for x in range(most + 1))


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
    answers = []
    for p, z in zip(law.row(x), law.outputs, strict=True):
        if type(z) is not int:
            raise BadInput("the answers of a table for numbers are whole numbers.")
        answers.append((p, z))
    return answers
