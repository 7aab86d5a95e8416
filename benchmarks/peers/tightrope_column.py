"""Tightrope: `draw_indices` on the whole column, with the entropy of the operating system."""

from fractions import Fraction

from stopwatch import race

from tightrope.exact import Level, Surd
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import certified
from tightrope.samplers import draw_indices
from tightrope.spaces import parse


def prepare(categories: int, epsilon: float):
    space, level = parse(f"categories:{categories}"), Level.epsilon(str(epsilon))
    ratio = level.ratio_below(Surd.of(1))
    mechanism = KernelMechanism(space, ratio, Fraction(1), (Fraction(1),) * categories)
    proved = certified(mechanism, level)
    return lambda codes: draw_indices(proved, codes)


race(prepare, "tightrope")
