"""Which sets of outputs decide whether two inputs are (ε, δ)-hard to tell apart.

Of all sets A with P(A) <= e^ε P'(A) + δ to be checked, subsets of S = {z : P(z) > P'(z)} are
enough (H16, Theorem 4.1). At one given ε a single set decides: {z : P(z) > e^ε P'(z)}, whose
excess is the hockey-stick sum that `verify` computes. For δ = 0 the parts of S on which
P(z)/P'(z) is constant decide, one check each (Corollary 4.1, whose proof needs no constant
normalizer: within a part both sides scale alike). For δ > 0 the parts must not be checked
one by one and their excesses forgotten: they add up. Ties are decided exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form


@dataclass(frozen=True)
class SufficientSet:
    """The outputs that decide an ordered pair: S, and its parts from least to largest ratio.

    Inputs and outputs are given by index.
    """

    first: int
    second: int
    outputs: tuple[int, ...]
    parts: tuple[tuple[int, ...], ...]

    @property
    def checks(self) -> int:
        """The number of non-empty subsets of S."""
        return (1 << len(self.outputs)) - 1


@dataclass(frozen=True)
class SufficientSets:
    """The sufficient sets of all ordered pairs, and how many checks they save.

    `all_checks` counts every set but the empty and the whole one for every pair, `checks` the
    non-empty subsets of each S, `part_checks` the parts (enough for δ = 0), and `pairs` (one
    set each) what `verify` computes at a given ε.
    """

    sets: tuple[SufficientSet, ...]
    all_checks: int
    checks: int
    part_checks: int
    pairs: int

    __repr__ = brief


def sufficient_sets(
    mechanism: FiniteMechanism | Held | Matrix, pairs: Iterable[tuple[int, int]]
) -> SufficientSets:
    """For each ordered pair of inputs, the outputs that are likelier for the first.

    Whether a mechanism is (ε, δ)-private is decided by these sets alone, instead of by all sets
    of outputs; `checks` and `all_checks` count both (H16, Section 4.3).

    Returns: `SufficientSets`; `sets` has one for each pair, in order.

    Raises: `BadInput` for what is no mechanism with listed outputs; `IndexError` for an input
    beyond the last.

    >>> from tightrope.mechanisms import KernelMechanism
    >>> from tightrope.spaces import path
    >>> kernel = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), (Fraction(1),) * 3)
    >>> found = sufficient_sets(kernel, [(0, 2), (1, 2)])
    >>> [s.outputs for s in found.sets], found.checks, found.all_checks
    ([(0,), (0, 1)], 4, 12)
    """
    mechanism = matrix_form(mechanism)
    rows: dict[int, tuple[Fraction, ...]] = {}

    def row(i: int) -> tuple[Fraction, ...]:
        if i not in rows:
            rows[i] = mechanism.row_at(i)
        return rows[i]

    sets = tuple(_of_pair(a, b, row(a), row(b)) for a, b in pairs)
    return SufficientSets(
        sets,
        len(sets) * ((1 << len(mechanism.outputs)) - 2),
        sum(pair.checks for pair in sets),
        sum(len(pair.parts) for pair in sets),
        len(sets),
    )


def _of_pair(
    first: int, second: int, p: tuple[Fraction, ...], q: tuple[Fraction, ...]
) -> SufficientSet:
    outputs = tuple(z for z, (a, b) in enumerate(zip(p, q, strict=True)) if a > b)
    by_ratio: dict[Fraction | None, list[int]] = {}
    for z in outputs:
        by_ratio.setdefault(p[z] / q[z] if q[z] else None, []).append(z)
    ordered = sorted(by_ratio, key=lambda ratio: (ratio is None, ratio or 0))
    return SufficientSet(first, second, outputs, tuple(tuple(by_ratio[r]) for r in ordered))
