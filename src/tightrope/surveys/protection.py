"""The protection of a design: the exact level, δ at an ε, and the degree of privacy violation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.exact import Level, Number
from tightrope.privacy import (
    Certified,
    Refutation,
    Smallest,
    certified,
    delta_curve,
    level_of,
    smallest_level,
)
from tightrope.surveys.designs import Design
from tightrope.surveys.variance import shares_of


@dataclass(frozen=True)
class Protection:
    """The smallest ε of a design, or why none is finite, and the δ that it needs at ε = 0.

    `total_variation` is that δ: the largest difference in probability of any set of responses.
    """

    level: Smallest | Refutation
    total_variation: Fraction

    @property
    def finite(self) -> bool:
        """Whether some ε is finite (with δ = 0)."""
        return isinstance(self.level, Smallest)

    @property
    def text(self) -> str:
        """The level in words."""
        if isinstance(self.level, Smallest):
            return f"ε = {self.level.text}"
        return f"no finite ε: {self.level.reason}"


def protection(design: Design) -> Protection:
    """The exact protection of a design.

    >>> from tightrope.surveys.designs import mangat, warner
    >>> protection(warner("3/4")).text
    'ε = ln(3) = 1.098612289'
    >>> protection(mangat("1/2")).finite, protection(mangat("1/2")).total_variation
    (False, Fraction(1, 2))
    """
    smallest = smallest_level(design.mechanism, design.space)
    return Protection(smallest, delta_at(design, Fraction(1)))


def stated_level(
    epsilon: Level | Number | None, delta: Number | None, ratio: Number | None
) -> Level | None:
    """The level that a call states, None if it states none."""
    if epsilon is None and ratio is None and delta is None:
        return None
    return Level.positive(level_of(epsilon, delta=delta, ratio=ratio))


def prove(design: Design, level: Level | None = None) -> Certified:
    """The design with its proof: at its own smallest level, or at (ε, δ) if given.

    Raises `NotPrivate` with the witness where the design does not have the level, and in
    particular where a zero cell leaves no finite ε and no δ was allowed.
    """
    if level is None:
        smallest = smallest_level(design.mechanism, design.space)
        exact = smallest.exact if isinstance(smallest, Smallest) else None
        level = Level.ratio(2) if exact is None else exact  # refuted below where none is finite
    return certified(design.mechanism, level)


def delta_at(design: Design, ratio: Fraction) -> Fraction:
    """The smallest δ at e^ε = ratio, exactly."""
    return delta_curve(design.mechanism, design.space).at_ratio(ratio)


def privacy_violation(design: Design, prevalence: Number | Sequence[Number]) -> Fraction:
    """The degree of privacy violation: the largest P(sensitive answer | response).

    α = max_z max_x π_x P[x][z] / Σ_y π_y P[y][z] over sensitive x. For two answers with
    p00 + p11 > 1 a yes attains it (H16, Theorem 6.4), with p00 + p11 < 1 a no.

    >>> from tightrope.surveys.designs import warner
    >>> privacy_violation(warner("3/4"), "0.1")
    Fraction(1, 4)
    """
    shares = shares_of(design, prevalence)
    wanted = [design.answers.index(name) for name in design.sensitive]
    worst = Fraction(0)
    for z in range(len(design.responses)):
        total = sum((p * row[z] for p, row in zip(shares, design.rows, strict=True)), Fraction(0))
        if total:
            worst = max(worst, *(shares[x] * design.rows[x][z] / total for x in wanted))
    return worst
