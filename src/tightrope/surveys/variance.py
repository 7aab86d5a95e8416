"""How far estimates scatter: exact variances, for known shares and for the worst ones.

For one respondent and the share π_v of answer v, with S from `second_moments`,
Var = Σ_x π_x S[x][v] - π_v² if respondents are sampled from a population (H16, Corollary 6.1)
and Σ_x π_x S[x][v] - π_v if they are the population (Theorem 6.6). Divide by n.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tightrope.errors import BadMatrix
from tightrope.exact import Number
from tightrope.surveys.designs import Design, probability
from tightrope.utility import largest_variance, second_moments

Shares = tuple[Fraction, ...]


def shares_of(design: Design, proportions: Number | Sequence[Number]) -> Shares:
    """Shares of all answers; one number is the share of the second of two answers.

    >>> from tightrope.surveys.designs import warner
    >>> shares_of(warner("3/4"), "0.1")
    (Fraction(9, 10), Fraction(1, 10))
    """
    shares = all_shares(proportions)
    if len(shares) != len(design.answers) or sum(shares) != 1:
        raise BadMatrix(
            f"expected {len(design.answers)} shares that add up to 1, found {len(shares)} that "
            f"add up to {float(sum(shares)):g}."
        )
    return shares


def all_shares(proportions: Number | Sequence[Number]) -> Shares:
    """Exact shares of all answers; one number is the share of the second of two."""
    if isinstance(proportions, Sequence) and not isinstance(proportions, str):
        return tuple(probability(value, "a share") for value in proportions)
    share = probability(proportions, "the prevalence")
    return 1 - share, share


def unit_variance(
    design: Design, shares: Shares, answer: int, *, sampling: bool = True
) -> Fraction:
    """The variance of the unbiased estimate from one respondent, exactly.

    >>> from tightrope.surveys.designs import warner
    >>> half = Fraction(1, 2)
    >>> unit_variance(warner("3/4"), (half, half), 1)
    Fraction(1, 1)
    """
    squares = second_moments(design.rows, design.prior)
    mean = sum((p * row[answer] for p, row in zip(shares, squares, strict=True)), Fraction(0))
    own = shares[answer]
    return mean - (own * own if sampling else own)


def worst_variance(design: Design, answer: int, *, sampling: bool = True) -> Fraction:
    """The largest variance of the unbiased estimate over all shares.

    >>> from tightrope.surveys.designs import mangat, warner
    >>> worst_variance(warner("3/4"), 1), worst_variance(mangat("1/4"), 1)
    (Fraction(1, 1), Fraction(3, 1))
    """
    column = [row[answer] for row in second_moments(design.rows, design.prior)]
    own = column.pop(answer)
    return largest_variance(own, max(column), sampling)
