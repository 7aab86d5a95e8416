"""The answer to a problem: a certified mechanism, its loss, and how far from the best it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from tightrope.characters import shorten
from tightrope.choices import Goal
from tightrope.drawing import plot_of
from tightrope.errors import BadInput, NotCertified
from tightrope.exact import ball_of, float_below
from tightrope.facts import Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.mechanisms import (
    FiniteMechanism,
    MatrixMechanism,
    Mechanism,
    array_of_mechanism,
    count_outputs,
    csv_of_held,
    latex_of_held,
    mechanism_picture,
)
from tightrope.privacy import Certified, promises, proof_facts, space_facts
from tightrope.utility.cards import question
from tightrope.utility.closeness import Closeness, closeness
from tightrope.utility.duality import Dual, relative_gap
from tightrope.utility.exact_form import ExactForm
from tightrope.utility.exact_optimum import ExactOptimum, is_proved
from tightrope.utility.problem import Problem
from tightrope.utility.standing import standing_of

_MOST_LOST, _FAINT = 1e20, Fraction(1, 10**322)
"""Losses of all answers together, and a chance that makes less than 1e-300 of them.

A prior that a double holds as 0 is below 2^-1074 and adds less as well."""

Proof: TypeAlias = Dual | Callable[[], Dual] | None


@dataclass(frozen=True)
class Solution:
    """A certified mechanism for a problem, its loss, and the proved bound on the best possible.

    `value` is the loss of the certified mechanism; `bound` is a proved lower bound on the
    loss of every mechanism at this level, and `gap` the relative distance between the two;
    both are None where not known. `proof` is the dual that proves the bound where there is one,
    or a function that returns it when `dual` is read; `theorem` names the theorem
    that makes the mechanism optimal. `exact` is the exact loss and its proof, where it was asked
    for: the gap is then 0. `form` is the optimum as functions of e^ε, where that is irrational;
    the mechanism is then its rounding.

    >>> import tightrope as tr
    >>> best = tr.design("categories:3", tr.Level.ratio(2))
    >>> best.construction, round(best.value, 12), round(best.bound, 12)
    ('randomized-response', 0.5, 0.5)
    """

    problem: Problem
    certified: Certified
    construction: str
    bound: float | None = None
    theorem: str | None = None
    proof: Proof = None
    statistics: Mapping[str, Any] = field(default_factory=dict)
    exact: ExactOptimum | None = field(default=None, init=False)
    form: ExactForm | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise BadInput(f"expected a Problem, found {type(self.problem).__name__}.")
        if not isinstance(self.certified, Certified):
            raise NotCertified(self.certified)
        asked, proved = self.problem.level, self.certified.certificate.level
        here = self.certified.mechanism.space == self.problem.space
        if not here or proved.compare_level(asked) > 0 or proved.delta > asked.delta:
            raise BadInput(
                f"the mechanism is proved for {shorten(self.certified.mechanism.space.text)} at "
                f"{proved}, which does not answer {self.problem!r}."
            )
        _ = self.value  # a loss that makes no sense for the mechanism is refused here

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism itself, as `certified` has it with its proof."""
        return self.certified.mechanism

    @cached_property
    def value(self) -> float:
        """The loss of the certified mechanism, computed from its weights alone."""
        if self.exact is not None:
            return float(self.exact.value)
        return self.problem.value(self.certified.mechanism)

    @property
    def gap(self) -> float | None:
        """The relative distance of loss and bound, both as doubles; None without a bound."""
        if self.exact is not None:
            return 0.0
        return None if self.bound is None else relative_gap(self.value, self.bound)

    @cached_property
    def dual(self) -> Dual | None:
        """The dual that proves the bound; None where there is none to be written down."""
        return self.proof if self.proof is None or isinstance(self.proof, Dual) else self.proof()

    __repr__ = lines_of
    _repr_html_ = card_of
    plot = plot_of
    __array__ = array_of_mechanism
    to_csv = csv_of_held
    to_latex = latex_of_held

    @cached_property
    def closeness(self) -> Closeness | None:
        """How close answers are to the truth, for any input and on average over the prior.

        None where that would take long, or makes no sense.
        """
        problem = self.problem
        return closeness(self.certified.mechanism, prior=problem.prior, truths=problem.truths)

    def against(self, bound: float | None, proof: Proof = None) -> Solution:
        """The same with a bound, the gap to it, and the dual that proves it.

        The value is rounded, so the bound may end a last digit above it and is cut there.
        """
        if bound is None:
            return self
        return self.noting(bound=min(bound, self.value), proof=proof)

    def noting(self, **parts: Any) -> Solution:
        """The same with another bound, proof, theorem or statistics; its loss is kept."""
        solution = copy(self)
        for name, part in parts.items():
            object.__setattr__(solution, name, part)
        solution.__dict__.pop("dual", None)
        return solution

    def proved(self, dual: Dual) -> Solution:
        """The same with the bound that the dual proves."""
        return self.against(float_below(ball_of(dual.bound, 128)), dual)

    def proved_exactly(self, optimum: ExactOptimum) -> Solution:
        """The same with its exact loss, which the multipliers prove to be the least; gap 0."""
        mechanism = self.mechanism.base
        if not isinstance(mechanism, MatrixMechanism) or not is_proved(
                optimum, self.problem, mechanism):
            raise BadInput("the exact loss is not the one that the multipliers prove.")
        solution = self.noting(exact=optimum)
        solution.__dict__.pop("value", None)
        return solution

    def facts(self) -> Facts:
        """Loss and error, how far from the best, the level and its proof, and the question."""
        problem, mechanism = self.problem, self.certified.mechanism
        return Facts(
            "Solution",
            f"{shorten(self.construction)} on {question(problem)}",
            (
                self._loss_fact(),
                *self._exact_fact(),
                Fact("errors_expected", "error", self.closeness),
                Fact("bound", "best possible", self.bound, meaning="a proved lower bound",
                     detail=True),
                Fact("theorem", "optimal by", self.theorem, detail=True),
                *proof_facts(self.certified, problem.level),
                *space_facts(problem.space, count_outputs(mechanism)),
                *data(construction=self.construction, gap=self.gap, loss=problem.loss.name,
                      goal=problem.goal),
            ),
            promises(self.certified),
            lambda: mechanism_picture(mechanism),
        )

    def _loss_fact(self) -> Fact:
        """The loss; where doubles round it to 0, the exact optimum to some digits."""
        average = "on average" if self.problem.goal is Goal.AVERAGE else "for the worst input"
        least = ball_of(self.exact.value, 128) if self.exact is not None else (
            self.form.enclose(self.form.value) if self.form is not None else None)
        if least is None and not self.value and self._faint:
            best = "; optimal by a theorem" if self.theorem else ""
            return Fact("value", "loss", Shown(self.value, "below 1e-300"),
                        meaning=f"{average}{best}; above 0, but a double holds 0 in its place")
        if least is None or self.value or not least > 0:
            return Fact("value", "loss", self.value, meaning=f"{average}; {standing_of(self)}")
        best = "the least there is" if self.exact is None else "optimal"
        return Fact("value", "loss", Shown(self.value, least.str(7, radius=False)),
                    meaning=f"{average}; {best}; a double holds 0 in its place")

    @property
    def _faint(self) -> bool:
        """Whether the loss is proved to be above 0 and below 1e-300, losses being 0 or more."""
        problem, mechanism = self.problem, self.mechanism.base
        if not isinstance(mechanism, FiniteMechanism) or mechanism.outputs != problem.answers:
            return False
        losses = problem.losses
        if losses.min() < 0 or losses.max() * losses.size > _MOST_LOST:
            return False
        chances = [chance for y in np.flatnonzero(problem.chances)
                   for chance, loss in zip(mechanism.row_at(int(y)), losses[y], strict=True)
                   if loss > 0 and chance > 0]
        return bool(chances) and max(chances) < _FAINT

    def _exact_fact(self) -> list[Fact | Table]:
        if self.exact is not None:
            text = str(self.exact.value)
            return [Fact("exact_value", "exactly", Shown(text, shorten(text, 60)),
                         meaning="and no mechanism loses less: gap 0")]
        if self.form is None:
            return []
        text = str(self.form.value)
        return [Fact("exact_value", "exactly", Shown(text, shorten(text, 60)),
                     meaning=f"with {self.form.ratio}, and no mechanism loses less; the mechanism "
                     "here is rounded inside the level"),
                *self.form.entries(self.problem)]

    def settled(self, gap: float) -> bool:
        """Whether the mechanism is proved optimal within a relative gap."""
        return self.theorem is not None if self.gap is None else self.gap <= gap
