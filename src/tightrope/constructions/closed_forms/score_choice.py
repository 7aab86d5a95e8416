"""Values of a table chosen by rank or by frequency, just inside a level.

Scores are taken in the narrowest steps whose number between neighbors is short enough to prove.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tightrope.errors import TooLarge
from tightrope.exact import Level, Number, Surd
from tightrope.mechanisms import FrequentMechanism, RankMechanism
from tightrope.privacy import Certified, certified
from tightrope.spaces import ValueCounts

_FINE = 1000
"""Steps between neighbors above which wider ones are taken: they cost a thousandth of ε."""


def rank_choice(
    space: ValueCounts, level: Level | Number, below: int, above: int, shift: int = 0
) -> Certified:
    """A quantile: `below` · rows below balances `above` · rows above, proved at the level.

    Weights (1 - p, p) make it the p-quantile.

    >>> rank_choice(ValueCounts(1, 9, 1, 0), "ln(4)", 1, 1).mechanism.ratio
    Fraction(2, 1)
    """
    return _certify_choice(
        lambda ratio, width: RankMechanism(space, below, above, shift, ratio, width), level)


def frequent_choice(space: ValueCounts, level: Level | Number, picks: int = 1) -> Certified:
    """The `picks` most frequent values, proved at the level.

    >>> frequent_choice(ValueCounts(1, 9, 1, 0), "ln(4)", 2).mechanism.ratio
    Fraction(2, 1)
    """
    return _certify_choice(
        lambda ratio, width: FrequentMechanism(space, picks, ratio, width), level)


def _certify_choice(
    form: Callable[[Fraction, int], RankMechanism | FrequentMechanism], level: Level | Number
) -> Certified:
    level, width = Level.positive(level), 1
    while True:
        try:
            spread = form(Fraction(2), width).spread
        except TooLarge:
            width *= 16
            continue
        if spread <= _FINE or width > 1:
            break
        width = -(-spread // _FINE)
    ratio = level.scaled(Fraction(1, spread)).ratio_below(Surd.of(1))
    return certified(form(ratio, width), level)
