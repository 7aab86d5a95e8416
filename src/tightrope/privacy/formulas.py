"""Mechanisms whose level is a formula: integer noise and reports of sets.

Two inputs at distance d are told apart by one factor r: some outputs are r times as likely
for the first, as many r times as likely for the second, and the others equally likely or
nearly. With A the probability of the first kind, δ = A (1 - e^(ε d)/r) where that is above 0.
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.exact import Level, Surd, lower_bound, upper_bound
from tightrope.mechanisms import NoiseMechanism, ReportMechanism
from tightrope.privacy.evidence import (
    Certificate,
    Evidence,
    Refutation,
    Smallest,
    Witness,
    exactly,
    relation,
    sentence,
)
from tightrope.spaces import Label


def judged_noise(mechanism: NoiseMechanism, level: Level) -> Certificate | Refutation:
    """At distance 1 the smallest δ is (q - e^ε)/(q + 1), attained by the half line."""
    q, one = mechanism.ratio, Surd.of(1)
    if level.compare(q - level.delta * (q + 1), one) > 0:
        first, second = mechanism.space.points[0], mechanism.space.points[1]
        if level.delta == 0:
            assert isinstance(first, int)
            outputs: tuple[Label, ...] = (first,)
            pair = (mechanism.probability(0, first), mechanism.probability(1, first))
        else:
            outputs = (f"every output up to {first}",)
            pair = (q / (q + 1), 1 / (q + 1))
        witness = Witness(first, second, outputs, pair, "1")
        return Refutation(level, witness, sentence(witness, level, one))
    return Certificate(
        level,
        Evidence.THEOREM,
        exactly(q, Fraction(1)),
        _bracket(q / (q + 1), q, level, one),
        relation(mechanism.space),
        1,
        "two-sided geometric noise with ratio q has level ln q on the integers and, at ε < ln q, "
        "δ = (q - e^ε)/(q + 1); this was compared with the claim",
    )


def judged_report(mechanism: ReportMechanism, level: Level) -> Certificate | Refutation:
    """Whether reports of sets have the level, from their factor r and A.

    Reports that hold x and not y have the ratio r, those that hold y and not x have 1/r, all
    others 1; so ε d >= ln r decides, and for δ > 0 whether A (1 - e^(ε d)/r) <= δ.
    """
    r, apart, space = mechanism.factor, mechanism.apart, mechanism.space
    distance = space.diameter
    least = r * (1 - level.delta / apart)
    if least > 0 and level.compare(least, distance) > 0:
        first, second = space.points[0], space.points[1]
        outputs: tuple[Label, ...] = (f"every set with {first} and without {second}",)
        witness = Witness(first, second, outputs, (apart, apart / r), str(distance))
        return Refutation(level, witness, sentence(witness, level, distance))
    return Certificate(
        level,
        Evidence.THEOREM,
        smallest_of_report(mechanism),
        _bracket(apart, r, level, distance),
        relation(space),
        1,
        "reports that hold one input and not the other have one and the same ratio r, all "
        "others 1; r was computed exactly and compared with the claim",
    )


def smallest_of_report(mechanism: ReportMechanism) -> Smallest:
    """The smallest level of reports of sets: ln r over the distance of two inputs."""
    length = mechanism.space.diameter.rational
    assert length is not None
    return exactly(mechanism.factor, length)


def _bracket(
    apart: Fraction, ratio: Fraction, level: Level, distance: Surd
) -> tuple[Fraction, Fraction]:
    """Bounds on the smallest δ, A (1 - e^(ε d)/r); equal where e^(ε d) is rational."""
    power = level.power(distance)
    ball = None if power is not None else level.power_ball(distance, 128)
    low = upper_bound(ball) if ball is not None else power
    high = lower_bound(ball) if ball is not None else power
    assert low is not None
    assert high is not None
    zero = Fraction(0)
    return max(zero, apart * (1 - low / ratio)), max(zero, apart * (1 - high / ratio))
