"""Bounds on the min-entropy leakage at a level, in bits (ECP, Sections 3.5 and 5).

The leakage is the binary gain under the best remap in other words (Proposition 4), so bounds on
the gain under a regular prior are bounds on the leakage.
"""

from __future__ import annotations

from fractions import Fraction

from flint import ctx

from tightrope.errors import BadLevel, BadSpace, Infeasible
from tightrope.exact import Level, Number, ball_of, float_above
from tightrope.kernels import Irregular, regularity
from tightrope.privacy import level_of
from tightrope.spaces import Space, space_of
from tightrope.utility import Prior, PriorLike, prior_of, uniform


def most_leakage(
    space: Space | str,
    epsilon: Level | Number | None = None,
    prior: PriorLike = uniform,
    *,
    ratio: Number | None = None,
) -> float:
    """The most that any mechanism at this level leaks, in bits: see `leakage`.

    log2 (Σ μ / max π) with the coefficients μ of a regular prior. ECP, Proposition 5. The bound
    does not hold for a prior that is not regular, and is refused.

    Returns: the bound in bits, as a double.

    Raises: `Infeasible`, with the proof, for a prior that is not regular; `BadInput` for an ε that
    is not above 0, or a δ that is.

    >>> from tightrope.spaces import categories
    >>> round(most_leakage(categories(4), Level.ratio(2)), 6)
    0.678072
    """
    level, space = Level.positive(level_of(epsilon, ratio=ratio)), space_of(space)
    prior = prior_of(prior, space)
    check_pure(level)
    verdict = regularity(space, level, prior)
    if isinstance(verdict, Irregular):
        raise Infeasible(
            f"the prior is not regular at ε = {level.text} (its coefficient at the point "
            f"{verdict.proof.point} is negative), so the bound of Proposition 5 does not hold.",
            verdict.proof,
        )
    return bits_above(verdict.gain, largest_of(prior, space))


def largest_of(prior: Prior, space: Space) -> Fraction:
    """The largest probability of a prior."""
    return Fraction(1, space.size) if prior.weights is None else max(prior.weights)


def bits_above(gain: Fraction, largest: Fraction) -> float:
    """A double at or above log2 of the two: leakage where guesses go right with that gain.

    >>> bits_above(Fraction(3, 4), Fraction(3, 4)), bits_above(Fraction(1, 2), Fraction(1, 4))
    (0.0, 1.0)
    """
    ratio = gain / largest
    if ratio == 1:
        return 0.0
    power = ratio.numerator.bit_length() - 1
    if ratio == 2**power:
        return float(power)
    with ctx.workprec(128):
        return float_above(ball_of(ratio, 128).log() / ball_of(Fraction(2), 128).log())


def check_pure(level: Level) -> None:
    """Refuse δ > 0: a mechanism may then leak more than the bounds say."""
    if level.delta:
        raise BadLevel(f"δ = {level.delta}", "a level with δ = 0, for which leakage is bounded")


def most_leakage_of_any_prior(space: Space, level: Level) -> float:
    """log2 (n Σ μ) with Φ μ uniform: no mechanism at the level leaks more, for any prior.

    ECP, Corollary 2; the uniform prior leaks most, and must be regular.

    >>> from tightrope.spaces import hamming
    >>> round(most_leakage_of_any_prior(hamming(values=4, people=5), Level.epsilon("0.5")), 4)
    2.5226
    """
    return most_leakage(space, level, uniform)


def most_leakage_of_databases(values: int, people: int, level: Level) -> float:
    """people · log2 (values e^ε / (values - 1 + e^ε)), for every prior on databases.

    ECP, Theorem 3: no mechanism at the level leaks more, whatever it computes; rounded up.

    >>> round(most_leakage_of_databases(4, 5, Level.epsilon("0.5")), 4)
    2.5226
    """
    check_pure(level)
    if values < 1 or people < 1:
        raise BadSpace(
            f"expected at least one value and one person, found {values} and {people}."
        )
    with ctx.workprec(128):
        share = 1 + (values - 1) * (-level.ball(128)).exp()
        return float_above(people * (values / share).log() / ball_of(Fraction(2), 128).log())
