"""Remapped kernels: a proof for the kernel holds for its post-processing.

An answer that follows from the output alone reveals no more than the output, for δ > 0 too. The
other way round, an output that shares its answer with no other is seen as it is: what such an
output reveals bounds the smallest level from below, and refutes levels below that.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import ctx

from tightrope.errors import CannotCheck
from tightrope.exact import Level, ball_of, float_below
from tightrope.mechanisms import RemappedMechanism
from tightrope.privacy.evidence import Certificate, Refutation, Smallest, Witness, sentence


def judge_remapped(
    mechanism: RemappedMechanism, level: Level, verdict: Certificate | Refutation
) -> Certificate | Refutation:
    """The verdict on a remapped kernel, from that on the kernel at the level.

    Raises `CannotCheck` where the kernel breaks the level and no output alone shows it.
    """
    if isinstance(verdict, Certificate):
        smallest = verdict.smallest and bracket_remapped(mechanism, verdict.smallest)
        return replace(
            verdict,
            smallest=smallest,
            delta=(Fraction(0), verdict.delta[1]),
            statement="every answer follows from the output of a kernel, and reveals no more: "
            f"{verdict.statement}",
        )
    shown = _witness(mechanism)
    if shown is not None and not level.delta:
        high, low = shown.probabilities
        distance = mechanism.space.distance(*_inputs(mechanism, shown))
        if level.compare(high / low, distance) > 0:
            return Refutation(level, shown, sentence(shown, level, distance))
    raise CannotCheck(
        "the kernel does not have the level, and whether its answers do is not known; write the "
        "mechanism out to have it judged."
    )


def bracket_remapped(mechanism: RemappedMechanism, kernel: Smallest) -> Smallest:
    """The smallest level: at most the kernel's, and at least that of an output alone."""
    shown, least = _witness(mechanism), 0.0
    if shown is not None:
        high, low = shown.probabilities
        distance = mechanism.space.distance(*_inputs(mechanism, shown))
        if kernel.exact is not None and kernel.exact.compare(high / low, distance) == 0:
            return kernel
        if high > low:
            with ctx.workprec(192):
                least = float_below(ball_of(high / low, 192).log() / distance.ball(192))
    return Smallest(min(max(least, 0.0), kernel.upper), kernel.upper, None)


def _inputs(mechanism: RemappedMechanism, witness: Witness) -> tuple[int, int]:
    return mechanism.space.index(witness.first), mechanism.space.index(witness.second)


def _witness(mechanism: RemappedMechanism) -> Witness | None:
    """The output `alone`, with its probabilities for its own input and the next one."""
    z, kernel, points = mechanism.alone, mechanism.kernel, mechanism.space.points
    if z is None or kernel.weights[z] == 0:
        return None
    other = z + 1 if z + 1 < len(points) else z - 1
    pair = (kernel.probability(z, z), kernel.probability(other, z))
    answer = mechanism.outputs[mechanism.targets[z]]
    distance = str(mechanism.space.distance(z, other))
    return Witness(points[z], points[other], (answer,), pair, distance)
