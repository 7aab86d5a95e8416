"""Refutations: the witness that a mechanism breaks a level, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from flint import arb, ctx

from tightrope.exact import Level, ball_of, short_text, told_apart
from tightrope.mechanisms import FiniteMechanism, KernelMechanism, MatrixMechanism
from tightrope.privacy.comparisons import Spot
from tightrope.privacy.doubles import decided_by_doubles
from tightrope.privacy.evidence import Refutation, Witness, factor, named, sentence
from tightrope.privacy.hockeystick import WorstPair
from tightrope.privacy.normalizers import KernelSpot


def kernel_refutation(mechanism: KernelMechanism, spot: KernelSpot, level: Level) -> Refutation:
    """The ratio of a spot is attained at the output `first`."""
    a, b = spot.first, spot.second
    first, second = mechanism.space.points[a], mechanism.space.points[b]
    pair = (mechanism.probability(a, a), mechanism.probability(b, a))
    witness = Witness(first, second, (first,), pair, str(spot.distance))
    return Refutation(level, witness, sentence(witness, level, spot.distance))


def set_refutation(mechanism: FiniteMechanism, worst: WorstPair, level: Level) -> Refutation:
    """A set of outputs with more than its share of probability."""
    pair, distance, points = worst.probabilities, worst.distance, mechanism.space.points
    outputs = tuple(mechanism.outputs[z] for z in worst.chosen)
    witness = Witness(points[worst.first], points[worst.second], outputs, pair, str(distance))
    power = factor(level, distance)
    if isinstance(power, Fraction):
        first_text, most = told_apart(pair[0], power * pair[1] + level.delta)
    else:
        first_text, most = told_apart(pair[0], partial(_allowed_ball, power, pair[1], level.delta))
    ends, chosen = (worst.first, worst.second), worst.chosen
    note = "" if not isinstance(mechanism, MatrixMechanism) else decided_by_doubles(
        mechanism.weights, ends, chosen, level, distance
    )
    return Refutation(
        level,
        witness,
        f"inputs {named(witness.first)} and {named(witness.second)}: a set of {len(outputs)} "
        f"outputs has probability {first_text}, more than the allowed e^(ε d) · "
        f"{short_text(pair[1])} + δ = {most}, with δ = {short_text(level.delta)}.{note}",
    )


def _allowed_ball(power: Callable[[int], arb], chance: Fraction, delta: Fraction, bits: int) -> arb:
    with ctx.workprec(bits):
        return power(bits) * ball_of(chance, bits) + ball_of(delta, bits)


def spot_refutation(mechanism: MatrixMechanism, spot: Spot, level: Level) -> Refutation:
    """A ratio that is too large, at one output."""
    witness, pair = spot_witness(mechanism, spot), (spot.first, spot.second)
    note = decided_by_doubles(mechanism.weights, pair, [spot.output], level, spot.distance)
    return Refutation(level, witness, sentence(witness, level, spot.distance) + note)


def spot_witness(mechanism: MatrixMechanism, spot: Spot) -> Witness:
    """Inputs and output of a spot, with both exact probabilities."""
    weights, points = mechanism.weights, mechanism.space.points
    pair = (
        weights.probability(spot.first, spot.output),
        weights.probability(spot.second, spot.output),
    )
    return Witness(
        points[spot.first],
        points[spot.second],
        (mechanism.outputs[spot.output],),
        pair,
        str(spot.distance),
    )


def zero_refutation(mechanism: MatrixMechanism, spot: Spot, level: Level | None) -> Refutation:
    """A zero beside a non-zero: private at no finite level."""
    witness = spot_witness(mechanism, spot)
    return Refutation(
        level,
        witness,
        f"output {named(witness.outputs[0])} has probability "
        f"{short_text(witness.probabilities[0])} for input {named(witness.first)} and 0 for "
        f"input {named(witness.second)}: private at no finite level.",
    )
