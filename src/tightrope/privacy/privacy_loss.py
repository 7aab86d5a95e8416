"""The privacy loss of a finite mechanism: how likely its answer is to reveal how much.

The loss of output z between inputs x and y is ln(P(z | x) / P(z | y)), and x gives it with
P(z | x). Ratios and probabilities are fractions, so that the whole law is exact; None stands for
the ratio of an output that y never gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tightrope.characters import counted
from tightrope.drawing import plot_of
from tightrope.exact import Level, Number, Surd
from tightrope.facts import Fact, Facts, card_of, lines_of
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form, own_space
from tightrope.privacy.hockeystick import neighbor_pairs
from tightrope.spaces import Label, Space
from tightrope.spellings import LEVEL, spelled

LossLaw = tuple[tuple[Fraction | None, Fraction], ...]


@dataclass(frozen=True)
class LossCurve:
    """The laws of the privacy loss over all declared neighbors, both orders, each law once.

    `laws` has for each ordered pair (`pairs`) ratios e^loss, the largest first, and how likely
    each is.
    """

    pairs: tuple[tuple[Label, Label], ...]
    laws: tuple[LossLaw, ...]

    __repr__ = lines_of
    _repr_html_ = card_of
    plot = plot_of

    @spelled(ratio='at("ln(2)")', **LEVEL)
    def at(self, epsilon: Level | Number) -> Fraction:
        """The chance of a loss above ε, the largest over all neighbors, exactly.

        >>> privacy_loss([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2").at(1)
        Fraction(3, 4)
        """
        asked, one = Level.of(epsilon), Surd.of(1)
        return max(sum((chance for ratio, chance in law
                        if ratio is None or asked.pure.compare(ratio, one) > 0), Fraction(0))
                   for law in self.laws)

    def facts(self) -> Facts:
        """The largest loss of all neighbors, and how likely it is at most."""
        ratios = [ratio for law in self.laws for ratio, _ in law]
        most = None if None in ratios else max(ratio for ratio in ratios if ratio is not None)
        chance = max(chance for law in self.laws for ratio, chance in law if ratio == most)
        return Facts("LossCurve", f"privacy loss of {counted(len(self.pairs), 'pair')} of inputs", (
            Fact("largest", "largest loss", "infinite" if most is None else Level.ratio(most)),
            Fact("chance", "its chance", chance, meaning="at most"),
        ))


def privacy_loss(
    mechanism: FiniteMechanism | Held | Matrix, space: Space | str | None = None
) -> LossCurve:
    """The laws of the privacy loss of a finite mechanism, on its own space if none is given.

    Returns: a `LossCurve`; `at(0.3)` is the chance of a loss above 0.3, exactly.

    Raises: `Refused` where no neighbors are declared.

    >>> coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> [str(ratio) for ratio, _ in privacy_loss(coin, "categories:2").laws[0]]
    ['3', '1/3']
    """
    space = own_space(mechanism, space, "privacy_loss")
    mechanism = matrix_form(mechanism, space)
    laws: dict[LossLaw, tuple[Label, Label]] = {}
    for i, j, _ in neighbor_pairs(space):
        for x, y in ((i, j), (j, i)):
            chances: dict[Fraction | None, Fraction] = {}
            for p, q in zip(mechanism.row_at(x), mechanism.row_at(y), strict=True):
                if p:
                    ratio = p / q if q else None
                    chances[ratio] = chances.get(ratio, Fraction(0)) + p
            ranked = sorted(chances.items(), key=lambda entry: (entry[0] is not None,
                                                                -(entry[0] or 0)))
            laws.setdefault(tuple(ranked), (space.points[x], space.points[y]))
    return LossCurve(tuple(laws.values()), tuple(laws))
