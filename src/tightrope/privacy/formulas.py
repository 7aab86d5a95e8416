"""Mechanisms whose level is a formula: integer noise and reports of sets.

Two inputs at distance d are told apart by one factor r: some outputs are r times as likely
for the first, as many r times as likely for the second, and the others equally likely or
nearly. With A the probability of the first kind, δ = A (1 - e^(ε d)/r) where that is above 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tightrope.exact import Level, Surd, lower_bound, upper_bound
from tightrope.mechanisms import GlobalCount, NoiseMechanism, ReportMechanism
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
from tightrope.spaces import Label, largest_change, largest_count


def judge_noise(mechanism: NoiseMechanism | GlobalCount, level: Level) -> Certificate | Refutation:
    """Noise in steps, for values that one person changes by at most a step.

    The answers that are q times as likely for one value as for its neighbor k above it are the
    last k of each rung below it, so A = (min(k, 2 first - 1) + k/(q - 1))/N, the larger the
    farther the neighbor, with N = 2 first - 1 + 2 step/(q - 1).
    """
    q, distance, pair = mechanism.ratio, Surd.of(1), _farthest(mechanism)
    core = 2 * mechanism.first - 1
    likelier = min(pair.change, core) + pair.change / (q - 1)
    apart = likelier / (core + 2 * mechanism.step / (q - 1))
    least = q * (1 - level.delta / apart)
    if least > 0 and level.compare(least, distance) > 0:
        if level.delta == 0:
            witness = pair.witness
        else:
            which = f"up to {pair.first}" if mechanism.step == 1 else (
                f"that is likelier for {pair.first}"
            )
            outputs: tuple[Label, ...] = (f"every output {which}",)
            witness = Witness(pair.first, pair.second, outputs, (apart, apart / q), "1")
        return Refutation(level, witness, sentence(witness, level, distance))
    return Certificate(
        level,
        Evidence.THEOREM,
        exactly(q, Fraction(1)),
        _bracket(apart, q, level, distance),
        relation(mechanism.space),
        1,
        pair.statement,
    )


@dataclass(frozen=True)
class _Pair:
    """Two neighbors that differ most, with a witness and the statement for all neighbors."""

    first: Label
    second: Label
    change: int
    witness: Witness
    statement: str


def _farthest(mechanism: NoiseMechanism | GlobalCount) -> _Pair:
    """The two neighbors whose values differ most; the witness shows the ratio q, exactly."""
    noise = (
        "additive integer noise whose rungs are at least as wide as the sensitivity has level "
        "ln q (Geng and Viswanath)"
    )
    if isinstance(mechanism, GlobalCount):
        law, edge, change = mechanism.noise, mechanism.first - 1, mechanism.step
        top = largest_count(mechanism.space.nodes, mechanism.count)
        first, second = "the complete graph", "the complete graph without one edge"
        chances = law.probability(edge), law.probability(edge + change)
        witness = Witness(first, second, (top + edge,), chances, "1")
        statement = f"one edge changes the count by at most {change:,}; {noise}"
        return _Pair(first, second, change, witness, statement)
    largest = largest_change(mechanism.space)
    assert largest is not None
    low = mechanism.space.points[0]
    assert isinstance(low, int)
    output = low - mechanism.first + 1
    chances = mechanism.probability(0, output), mechanism.probability(1, output)
    witness = Witness(low, low + 1, (output,), chances, "1")
    if mechanism.step == 1:
        noise = (
            "two-sided geometric noise with ratio q has level ln q on the integers and, at "
            "ε < ln q, δ = (q - e^ε)/(q + 1); this was compared with the claim"
        )
    return _Pair(low, low + largest, largest, witness, noise)


def judge_report(mechanism: ReportMechanism, level: Level) -> Certificate | Refutation:
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
