"""δ(ε) of a finite mechanism as a value: δ at a level, the least level with a δ, a picture."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tightrope.characters import counted
from tightrope.drawing import plot_of
from tightrope.errors import BadInput, Infeasible, Refused
from tightrope.exact import Level, Number, Surd, float_above, stated
from tightrope.facts import Fact, Facts, card_of, data, lines_of
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form, own_space
from tightrope.privacy.hockeystick import Law, excess, excess_bracket, neighbor_pairs
from tightrope.spaces import Space
from tightrope.spellings import LEVEL, RESULT, spelled


@dataclass(frozen=True)
class DeltaCurve:
    """δ as a function of e^ε for a finite mechanism, over all declared neighbors.

    `sides` holds the distinct pairs of laws that occur, both orders. Distances between
    neighbors are 1, as the declared relations make them.
    """

    sides: tuple[tuple[tuple[Fraction, ...], tuple[Fraction, ...]], ...]

    __repr__ = lines_of
    _repr_html_ = card_of
    plot = plot_of

    def at_ratio(self, ratio: Number) -> Fraction:
        """δ at e^ε = ratio, exactly."""
        exact = stated(ratio, "a ratio e^ε of at least 1")
        return max(excess(p, q, exact) for p, q in self.sides)

    @spelled(ratio="at_ratio(2)", delta="epsilon(0.1), or level(0.1) for a Level", **LEVEL)
    def at(self, epsilon: Level | Number) -> tuple[Fraction, Fraction]:
        """Rational bounds on δ at the level."""
        asked = Level.of(epsilon)
        brackets = [excess_bracket(p, q, asked, Surd.of(1)) for p, q in self.sides]
        return max(low for low, _ in brackets), max(high for _, high in brackets)

    def level(self, delta: Number) -> Level:
        """The least level with this δ, exactly; `Infeasible` where no finite ε has it.

        >>> rr = [["3/4", "1/4"], ["1/4", "3/4"]]
        >>> delta_curve(rr, "categories:2").level("1/4").text
        'ln(2)'
        """
        asked = stated(delta, "a δ")
        if not 0 <= asked < 1:
            raise BadInput(f"expected a δ of at least 0 and below 1, found {delta}.")
        return Level.ratio(max(_least_ratio(p, q, asked) for p, q in self.sides), asked)

    def epsilon(self, delta: Number) -> float:
        """The least ε with this δ as a double, rounded up; `level` has it exactly.

        >>> delta_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2").epsilon(0.25)
        0.6931471805599454
        """
        return float_above(self.level(delta).ball(128))

    def facts(self) -> Facts:
        """The largest δ, at ε = 0, and the least ε with δ = 0, if there is one."""
        try:
            pure: object = self.level(0)
        except Infeasible:
            pure = "none: some output is possible under one input alone"
        return Facts("DeltaCurve", f"δ as a function of ε, {counted(len(self.sides), 'pair')} of "
                     "laws", (
            Fact("delta_at_zero", "δ at ε = 0", self.at_ratio(1), meaning="total variation"),
            Fact("pure", "δ = 0 from", pure),
            *data(bends=self.breakpoints),
        ))

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """Ratios above 1 at which a sum bends, in increasing order, starting at 1."""
        ratios = {a / b for p, q in self.sides for a, b in zip(p, q, strict=True) if b and a > b}
        return (Fraction(1), *sorted(ratios))


def _least_ratio(p: Law, q: Law, delta: Fraction) -> Fraction:
    """The least r >= 1 with Σ max(0, p_z - r q_z) <= δ.

    Outputs by falling p/q: above the next smaller ratio the sum is P - r Q, so that it is δ at
    r = (P - δ)/Q, if that r is not below the next ratio.
    """
    above, below = Fraction(0), Fraction(0)
    ranked = sorted(((a / b if b else None, a, b) for a, b in zip(p, q, strict=True) if a),
                    key=lambda entry: (entry[0] is not None, -(entry[0] or 0)))
    for place, (ratio, a, b) in enumerate(ranked):
        above, below = above + a, below + b
        if ratio is None:
            if above > delta:
                raise Infeasible(f"outputs that only one of two neighbors can give have more than "
                                 f"δ = {delta} together, so that no finite ε has it.")
            continue
        following = ranked[place + 1][0] if place + 1 < len(ranked) else Fraction(0)
        assert following is not None
        least = (above - delta) / below
        if least >= max(following, Fraction(1)):
            return least
    return Fraction(1)


@spelled(
    epsilon="delta_curve(…).at(epsilon)",
    delta="delta_curve(…).epsilon(delta)",
    ratio="delta_curve(…).at_ratio(ratio)",
    **RESULT,
)
def delta_curve(
    mechanism: FiniteMechanism | Held | Matrix, space: Space | str | None = None
) -> DeltaCurve:
    """The whole δ(ε) curve of a finite mechanism, on its own space if none is given.

    Returns: a `DeltaCurve`; `at(0.3)` brackets δ at an ε, `at_ratio(2)` is δ at e^ε = 2 exactly.
    `level(δ)` is the least level with that δ, `epsilon(δ)` its double; `plot()` draws the curve.

    Raises: `Refused` where no neighbors are declared, or they are not at distance 1.

    >>> from tightrope.spaces import categories
    >>> from tightrope.mechanisms import KernelMechanism
    >>> rr = KernelMechanism(categories(2), Fraction(3), Fraction(1), (Fraction(1),) * 2)
    >>> delta_curve(rr, rr.space).at_ratio(Fraction(1))  # total variation
    Fraction(1, 2)
    """
    space = own_space(mechanism, space, "delta_curve")
    mechanism = matrix_form(mechanism, space)
    sides = {}
    for first, second, distance in neighbor_pairs(space):
        if distance != Surd.of(1):
            raise Refused(f"the curve needs neighbors at distance 1, found {distance}.")
        p, q = mechanism.row_at(first), mechanism.row_at(second)
        for side in ((p, q), (q, p)):
            sides[tuple(sorted(zip(*side, strict=True)))] = side
    return DeltaCurve(tuple(sides.values()))
