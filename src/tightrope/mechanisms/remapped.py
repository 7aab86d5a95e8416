"""A kernel whose every output is replaced by one answer.

What follows from an output alone reveals no more than the output, so the mechanism is as
private as its kernel. Only the kernel and the target of each output are stored: on a path of a
thousand values that is a thousandth of the matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import index
from typing import ClassVar

from tightrope.drawing import plot_of
from tightrope.errors import BadMatrix
from tightrope.exact import Weights
from tightrope.mechanisms.answers import Answers, Single
from tightrope.mechanisms.cards import array_of_matrix, to_csv, to_latex, to_numpy
from tightrope.mechanisms.kernel import KernelMechanism
from tightrope.mechanisms.matrix import MatrixMechanism
from tightrope.spaces import Label, Space, own_labels


@dataclass(frozen=True, repr=False)
class RemappedMechanism(Single):
    """The kernel with output z replaced by outputs[targets[z]].

    >>> from tightrope.spaces import path
    >>> kernel = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), (2, 1, 2))
    >>> ends = RemappedMechanism(kernel, (0, 1, 1), ("low", "high"))
    >>> [str(p) for p in ends.row(0)]
    ['2/3', '1/3']
    """

    kernel: KernelMechanism
    targets: tuple[int, ...]
    outputs: Sequence[Label]
    answers: ClassVar = Answers.LISTED

    def __post_init__(self) -> None:
        if type(self.kernel) is not KernelMechanism:
            raise BadMatrix(f"expected a kernel, found {type(self.kernel).__name__}.")
        object.__setattr__(self, "outputs", tuple(own_labels(self.outputs)))
        try:
            targets = tuple(index(target) for target in self.targets)
        except TypeError:
            raise BadMatrix("expected the index of an output for each point.") from None
        object.__setattr__(self, "targets", targets)
        if len(targets) != self.kernel.space.size:
            raise BadMatrix(f"expected {self.kernel.space.size} targets, found {len(targets)}.")
        if not all(0 <= target < len(self.outputs) for target in targets):
            raise BadMatrix(f"a target lies outside the {len(self.outputs)} outputs.")

    to_numpy = to_numpy
    __array__ = array_of_matrix
    to_csv = to_csv
    to_latex = to_latex
    plot = plot_of

    @property
    def space(self) -> Space:
        """The inputs: the points of the kernel's space."""
        return self.kernel.space

    @cached_property
    def alone(self) -> int | None:
        """Of the outputs of the kernel that share their answer with no other, the middle one."""
        counts = [0] * len(self.outputs)
        for target in self.targets:
            counts[target] += 1
        single = [z for z, target in enumerate(self.targets) if counts[target] == 1]
        return single[len(single) // 2] if single else None

    def row(self, x: Label) -> tuple[Fraction, ...]:
        """The exact law of the output for the input x: a probability for each of `outputs`."""
        return self.row_at(self.space.index(x))

    def row_at(self, i: int) -> tuple[Fraction, ...]:
        """The exact law of the output for the input with index i."""
        law = [Fraction(0)] * len(self.outputs)
        for target, chance in zip(self.targets, self.kernel.row_at(i), strict=True):
            law[target] += chance
        return tuple(law)

    def matrix(self) -> MatrixMechanism:
        """The same mechanism written out."""
        written, rows, powers = self.kernel.matrix().weights, [], []
        for i in range(self.space.size):
            integers, power = written.row_integers(i)
            line = [0] * len(self.outputs)
            for target, weight in zip(self.targets, integers, strict=True):
                line[target] += weight
            rows.append(line)
            powers.append([power] * len(line))
        return MatrixMechanism(self.space, self.outputs, Weights.from_integers(rows, powers))
