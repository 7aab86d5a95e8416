"""Mechanisms drawn row by row: the law of each input as integers without denominators."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm

import numpy as np

from tightrope.exact import IntArray
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.samplers.laws import RationalLaw
from tightrope.samplers.sources import Source
from tightrope.samplers.tables import Tables


class RowSampler:
    """Draws from the written-out rows of a matrix or kernel, each made when first needed."""

    def __init__(self, mechanism: MatrixMechanism | KernelMechanism) -> None:
        integers = row_integers(mechanism)
        self.tables = Tables(
            lambda i: RationalLaw(lambda: integers(i)),
            mechanism.space.size,
            len(mechanism.outputs),
        )

    def draw(self, codes: IntArray, source: Source) -> IntArray:
        """One output index for each input index."""
        return self.tables.draw(codes, source)


def row_integers(mechanism: MatrixMechanism | KernelMechanism) -> Callable[[int], list[int]]:
    """A function that gives row i as integers in the proportions of its probabilities."""
    if isinstance(mechanism, KernelMechanism):
        return kernel_integers(mechanism)
    weights = mechanism.weights
    return lambda i: weights.row_integers(i)[0]


def kernel_integers(mechanism: KernelMechanism) -> Callable[[int], list[int]]:
    """Row i is w_z a^(l-k) b^k, with q = a/b, k = d(i, z)/unit and l the largest k."""
    weights = whole(mechanism)
    everyone = np.arange(mechanism.space.size)
    over, under = mechanism.ratio.numerator, mechanism.ratio.denominator

    def row(i: int) -> list[int]:
        classes, where = mechanism.space.classes(np.full(1, i), everyone)
        steps = mechanism.steps(classes)
        longest = max(steps)
        powers = [over ** (longest - k) * under**k for k in steps]
        return [w * powers[k] for w, k in zip(weights, where.ravel().tolist(), strict=True)]

    return row


def whole(mechanism: KernelMechanism) -> list[int]:
    """The weights of a kernel as integers in the same proportions."""
    scale = lcm(*(weight.denominator for weight in mechanism.weights))
    return [w.numerator * (scale // w.denominator) for w in mechanism.weights]
