"""One design problem as a value: the space, the level, the loss and the prior.

A problem is checked and put into exact form once, when it is made: text becomes a space, a
level, a loss or a goal; lists, arrays and frames become priors and loss matrices; a function
of input and output becomes the matrix of its values. Functions that take a `Problem` trust it.
The loss matrix, its enclosure, the prior as doubles and the symmetries are computed at first use
and cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from tightrope.choices import Goal, member_of
from tightrope.errors import BadMatrix
from tightrope.exact import FloatArray, Level, Number, owned, sizes, stated, tolerances
from tightrope.mechanisms import Mechanism, NoiseMechanism
from tightrope.spaces import (
    Label,
    MetricQuery,
    QueryLike,
    Space,
    check_distinct,
    label_of,
    number_label,
    own_labels,
    query_of,
    space_of,
)
from tightrope.symmetry import Symmetry, preserving, symmetries
from tightrope.utility.brackets import Bracket
from tightrope.utility.cards import problem_line
from tightrope.utility.closeness import Truths
from tightrope.utility.expectation import losses_by_input, noise_loss
from tightrope.utility.losses import Loss, LossLike, binary, loss_of
from tightrope.utility.priors import Prior, PriorLike, prior_of, uniform
from tightrope.utility.query_losses import query_loss


@dataclass(frozen=True, init=False)
class Problem:
    """A space, a level, and the loss to make small; `outputs` are the answers allowed.

    Without a loss, one that fits the space is taken (`fitting`); without outputs, the points
    of the space are the answers. With a `query` the points are datasets, the answers values of
    it, and a loss compares an answer with the value of the dataset.

    Raises: `BadInput`, `BadLevel` or `BadMatrix` where a part has no meaning on the space.

    >>> asked = Problem("path:0..2", "ln(2)", prior=[0.5, 0.25, 0.25], goal="worst")
    >>> asked.loss.name, asked.goal.value, asked.losses.tolist()[0]
    ('absolute', 'worst', [0.0, 1.0, 2.0])
    >>> Problem("path:0..2", 1, loss=lambda x, z: max(0, z - x)).losses.tolist()
    [[0.0, 1.0, 2.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """

    space: Space
    level: Level
    prior: Prior
    loss: Loss
    goal: Goal
    outputs: Sequence[Label] | None
    query: MetricQuery | None

    def __init__(
        self,
        space: Space | str,
        level: Level | Number,
        prior: PriorLike = uniform,
        loss: LossLike | None = None,
        goal: Goal | str = Goal.AVERAGE,
        outputs: Sequence[Label] | None = None,
        query: QueryLike | None = None,
    ) -> None:
        domain = space_of(space)
        asked = None if query is None else query_of(query, domain, outputs)
        answers = None if outputs is None else own_labels(outputs)
        if asked is not None:
            answers = _answers(asked, outputs)
        if isinstance(answers, tuple):
            check_distinct(answers, "outputs")
        for name, value in (
            ("space", domain),
            ("level", Level.of(level)),
            ("prior", prior_of(prior, domain)),
            ("loss", loss_of(loss, domain, answers) if asked is None or answers is None
             else query_loss(loss, asked, answers)),
            ("goal", member_of(Goal, goal)),
            ("outputs", answers),
            ("query", asked),
        ):
            object.__setattr__(self, name, value)
        self.loss.check(domain, answers)

    __repr__ = problem_line

    @property
    def answers(self) -> Sequence[Label]:
        """The outputs of a mechanism that solves the problem."""
        return self.space.points if self.outputs is None else self.outputs

    @property
    def averaged(self) -> Prior:
        """The prior that averages are taken over: uniform where the worst input counts."""
        return uniform if self.goal is Goal.WORST else self.prior

    @property
    def plain(self) -> bool:
        """Whether the loss is binary, averaged over the uniform prior, at δ = 0."""
        even = self.goal is Goal.AVERAGE and self.prior.weights is None
        return even and self.loss == binary and not self.level.delta

    @cached_property
    def chances(self) -> FloatArray:
        """The prior that averages are taken over, as doubles."""
        return owned(self.averaged.on(self.space))

    @cached_property
    def losses(self) -> FloatArray:
        """The loss of every input (row) and answer (column)."""
        table = self.loss.matrix(self.space, self.answers)
        largest = float(np.abs(table).max(initial=0.0))
        if largest > sizes.LARGEST_LOSS:  # sums would leave the range of doubles
            raise BadMatrix(
                f"expected losses of at most {sizes.LARGEST_LOSS:g} in size, found "
                f"{largest:g}; measure the loss in larger units."
            )
        return owned(table)

    @cached_property
    def bracket(self) -> Bracket:
        """The same losses, each between two multiples of 2^-96."""
        return self.loss.bracket(self.space, self.answers)

    @cached_property
    def symmetry(self) -> Symmetry:
        """The permutations of inputs and answers that preserve distances, prior and loss.

        Losses may differ by rounding; callers prove their result for the loss itself.
        """
        return preserving(
            self.space,
            self.answers,
            symmetries(self.space),
            prior=self.chances,
            loss=self.losses,
            slack=tolerances.LOSS_ERROR,
        )

    def value(self, mechanism: Mechanism) -> float:
        """The loss of a mechanism, in double arithmetic on its exact weights."""
        if isinstance(mechanism, NoiseMechanism):
            return noise_loss(mechanism, self.loss)
        losses = losses_by_input(mechanism, loss=self.loss, table=self._table)
        return float(losses.max() if self.goal is Goal.WORST else self.chances @ losses)

    def at(self, level: Level | Number) -> Problem:
        """The same problem at another level, with the cached values."""
        problem = copy(self)
        object.__setattr__(problem, "level", Level.of(level))
        return problem

    @cached_property
    def truths(self) -> Truths | None:
        """Distances between values and answers, and their places; None without a query."""
        if self.query is None:
            return None
        places = [self.query.codomain.index(answer) for answer in self.answers]
        return self.query.lengths, self.query.ranks[:, places]

    def _table(self, outputs: Sequence[Label]) -> FloatArray:
        same = outputs is self.answers or tuple(outputs) == tuple(self.answers)
        return self.losses if same else self.loss.matrix(self.space, outputs)


def _answers(query: MetricQuery, outputs: Sequence[Label] | None) -> tuple[Label, ...]:
    """The answers to a query: those given, each a point of the space of values, or all."""
    line = query.codomain
    if outputs is None:
        return tuple(line.points)
    return tuple(line.points[line.index(_value(output))] for output in outputs)


def _value(output: object) -> Label:
    """An output as the label of a value: a number that is not whole is written as text."""
    if isinstance(output, float | Fraction):
        return number_label(stated(output, "an output as a number"))
    label: Label = label_of(output)
    return label
