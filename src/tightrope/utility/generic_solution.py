"""The best mechanism under a generic definition, and the prices that prove it (KL10, Section 4).

For prices m_z >= 0 of the outputs in a sum Σ_z max(0, P(z | j) - r P(z | i)) <= s, every
mechanism under the definition has Σ_z m_z (P(z | j) - r P(z | i)) <= s · max_z m_z. So with

    cost[y, z] = prior[y] · loss[y, z] + Σ_(j = y) m_z - Σ_(i = y) r m_z

no mechanism loses less on average than Σ_y min_z cost[y, z] - Σ s · max_z m_z. All numbers are
fractions: nothing is rounded, and the gap is 0 where this is the loss of the mechanism.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tightrope.choices import Goal, member_of
from tightrope.drawing import plot_of
from tightrope.errors import BadInput
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.markup import brief
from tightrope.mechanisms import (
    MatrixMechanism,
    array_of_mechanism,
    csv_of_held,
    latex_of_held,
    mechanism_picture,
)
from tightrope.privacy import (
    GenericDefinition,
    GenericVerdict,
    most_excess,
    space_facts,
    verify_generic,
)
from tightrope.utility.duality import relative_gap

_ZERO = Fraction(0)


@dataclass(frozen=True)
class StickPrices:
    """Prices of the outputs in the sum of excesses of `over` above `ratio` times `under`."""

    over: int
    under: int
    ratio: Fraction
    amounts: tuple[Fraction, ...]

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class GenericSolution:
    """A mechanism that keeps a definition, its exact loss, and a bound on that of all others.

    `definition` has rational corners; `notes` say where it differs from the one that was asked
    for. `prior` has a weight for each input: for the worst input, the least favorable ones.

    >>> import tightrope as tr
    >>> half = tr.privacy.total_variation("1/2")
    >>> best = tr.design("categories:2", definition=half)
    >>> str(best.value), str(best.bound), best.gap
    ('1/4', '1/4', 0.0)
    """

    mechanism: MatrixMechanism
    definition: GenericDefinition
    goal: Goal
    loss: str
    losses: tuple[tuple[Fraction, ...], ...]
    prior: tuple[Fraction, ...]
    prices: tuple[StickPrices, ...]
    notes: tuple[str, ...] = ()

    __repr__ = lines_of
    _repr_html_ = card_of
    plot = plot_of
    __array__ = array_of_mechanism
    to_csv = csv_of_held
    to_latex = latex_of_held

    def __post_init__(self) -> None:
        if not self.verdict.holds:
            raise BadInput(f"the mechanism breaks the definition: {self.verdict.broken}.")
        if self.bound > self.value:
            raise BadInput("the bound is above the loss of the mechanism.")

    @cached_property
    def verdict(self) -> GenericVerdict:
        """The proof that the mechanism keeps every bound."""
        return verify_generic(self.mechanism, self.definition)

    @cached_property
    def value(self) -> Fraction:
        """The loss of the mechanism, exactly."""
        rows = [self.mechanism.row_at(y) for y in range(len(self.losses))]
        return generic_value(rows, self.losses, self.prior, self.goal)

    @cached_property
    def bound(self) -> Fraction:
        """No mechanism under the definition loses less, exactly."""
        return generic_bound(self.definition, self.losses, self.prior, self.prices)

    @property
    def gap(self) -> float:
        """The relative distance of loss and bound; 0 where they are the same fraction."""
        return 0.0 if self.value == self.bound else relative_gap(
            float(self.value), float(self.bound))

    def facts(self) -> Facts:
        """The loss, the best possible, the definition that is proved, and the space."""
        space, relation = self.mechanism.space, self.verdict.relation
        texts = dict.fromkeys(bound.text for bound in self.definition.bounds.values())
        average = "on average" if self.goal is Goal.AVERAGE else "for the worst input"
        way = "each protected both ways" if relation.symmetric else "directed"
        best = "and no mechanism under the definition loses less: gap 0" if not self.gap else (
            f"no mechanism under the definition loses less than {float(self.bound):.7g}")
        return Facts(
            "GenericSolution", "optimal under a definition",
            (Fact("value", "loss", Shown(float(self.value), f"{float(self.value):.7g}"),
                  meaning=average),
             Fact("exact_value", "exactly", str(self.value), meaning=best),
             Fact("definition", "definition", Shown(list(texts), "; ".join(texts))),
             Fact("pairs", "pairs", len(relation), "ordered pairs", way),
             Fact("events", "events", self.verdict.events, "compared exactly",
                  "which decide for all events", detail=True),
             *space_facts(space, len(self.mechanism.outputs)),
             *data(bound=str(self.bound), gap=self.gap, loss=self.loss, goal=self.goal,
                   both_ways=relation.symmetric, components=len(relation.components))),
            (*self.notes, *self.verdict.facts().sentences,
             "The definition is what is proved; to draw from the mechanism, certify it at a "
             "level."),
            lambda: mechanism_picture(self.mechanism))


def generic_value(
    rows: Sequence[Sequence[Fraction]],
    losses: Sequence[Sequence[Fraction]],
    prior: Sequence[Fraction],
    goal: Goal | str,
) -> Fraction:
    """The exact loss of a matrix, on average or for the worst input."""
    goal = member_of(Goal, goal)
    means = [sum((p * cost for p, cost in zip(row, line, strict=True)), _ZERO)
             for row, line in zip(rows, losses, strict=True)]
    if goal is Goal.WORST:
        return max(means)
    return sum((p * mean for p, mean in zip(prior, means, strict=True)), _ZERO)


def generic_bound(
    definition: GenericDefinition,
    losses: Sequence[Sequence[Fraction]],
    prior: Sequence[Fraction],
    prices: Sequence[StickPrices],
) -> Fraction:
    """The bound that prices prove, on the average over a prior; raises `BadInput` for bad ones."""
    costs = [[p * loss for loss in row] for p, row in zip(prior, losses, strict=True)]
    paid = _ZERO
    for price in prices:
        allowed = most_excess(definition, price.over, price.under, price.ratio)
        if allowed is None or min(price.amounts) < 0:
            raise BadInput("a price needs a protected pair, and must not be negative.")
        for z, amount in enumerate(price.amounts):
            costs[price.over][z] += amount
            costs[price.under][z] -= price.ratio * amount
        paid += allowed * max(price.amounts)
    return sum(map(min, costs), _ZERO) - paid
