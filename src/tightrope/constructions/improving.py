"""`improve`: a mechanism at least as good as the one given, at the same level.

Two ways, and the better of them is taken. Post-processing replaces each output by the answer
that loses least given it; that costs no privacy and keeps the mechanism's law. Otherwise the
best mechanism that the catalog has at the level takes its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from tightrope.characters import shorten
from tightrope.choices import Goal
from tightrope.constructions.designing import try_catalog
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.exact import exact_minimum
from tightrope.constructions.own import Own
from tightrope.drawing import plot_of
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.mechanisms import (
    FiniteMechanism,
    Held,
    Matrix,
    Mechanism,
    is_matrix,
    matrix_form,
    mechanism_of,
    mechanism_picture,
)
from tightrope.privacy import certified, level_of
from tightrope.spaces import Label, QueryLike, Space, space_of
from tightrope.spellings import LEVEL, RESULT, SEARCH, spelled
from tightrope.utility import (
    ExactOptimum,
    LossLike,
    PriorLike,
    Problem,
    Solution,
    apply_best_remap,
    exact_value,
    relative_gap,
    uniform,
)


class Change(StrEnum):
    """The step that `improve` took."""

    KEPT = "kept"
    REMAPPED = "remapped"
    REPLACED = "replaced"


@dataclass(frozen=True)
class Improvement:
    """The loss before, the solution after, and what was done; never worse than before."""

    before: float
    after: Solution
    change: Change
    exact_before: Fraction | None = None

    def facts(self) -> Facts:
        """The loss after and before, what was done, and how good the best can be."""
        after, problem = self.after, self.after.problem
        done = {
            Change.KEPT: "nothing: it is as good as the best that was found"
            if after.exact is None else "nothing: it is optimal, exactly",
            Change.REMAPPED: "each output was replaced by the answer that loses least given it",
            Change.REPLACED: f"{shorten(after.construction)} took its place",
        }
        return Facts(
            "Improvement",
            f"{problem.loss.name} loss, {problem.goal}, on {shorten(problem.space.text)}",
            (Fact("after", "loss after", Shown(after.value, f"{after.value:.10g}")),
             Fact("before", "loss before", Shown(self.before, f"{self.before:.10g}")),
             Fact("change", "done", Shown(self.change, done[self.change])),
             Fact("bound", "best possible", None if after.bound is None else Shown(
                 after.bound, f"{after.bound:.10g} or more, proved")),
             *self._exact_facts(),
             Fact(None, "level", after.certified.certificate.level, detail=True),
             *data(construction=after.construction, gap=after.gap, **problem.level.as_json(),
                   certified=after.certified.certificate.holds, space=problem.space.text,
                   loss=problem.loss.name, goal=problem.goal)),
            picture=lambda: mechanism_picture(after.certified.mechanism),
        )

    __repr__ = lines_of
    _repr_html_ = card_of
    plot = plot_of

    def _exact_facts(self) -> list[Fact]:
        if self.after.exact is None:
            return []
        texts = [str(value) for value in (self.after.exact.value, self.exact_before)]
        return [Fact(f"exact_{key}", f"exactly {key}", Shown(text, shorten(text, 60)))
                for key, text in zip(("after", "before"), texts, strict=True)]


@spelled(
    priors="tr.constructions.when_optimal",
    **LEVEL, **RESULT, **SEARCH,
)
def improve(
    mechanism: Mechanism | Held | Matrix,
    epsilon: Level | Number | None = None,
    *,
    space: Space | str | None = None,
    delta: Number | None = None,
    ratio: Number | None = None,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    query: QueryLike | None = None,
    extra: Mapping[str, Own] | None = None,
    exact: bool = False,
    effort: Effort = ORDINARY,
) -> Improvement:
    """The best of: the mechanism itself, its best remap, the best of the catalog at the level.

    Parameters after the mechanism are those of `compare`: mechanisms in `extra` compete, too.
    A bare matrix needs the `space` of its inputs.
    `exact` decides in fractions whether the mechanism is optimal; if not, an optimal vertex
    replaces it, and the way there is an improving direction.

    Returns: an `Improvement`: the loss `before`, the solution `after`, the `change` that was made.

    Raises: `NotPrivate` if the mechanism does not have the level; `BadInput` if its outputs are not
    listed.

    >>> from tightrope.constructions import exponential
    >>> weak = exponential("path:0..4", Level.ratio(4)).mechanism
    >>> found = improve(weak, Level.ratio(4))
    >>> found.change.value, found.after.value < found.before
    ('replaced', True)
    """
    base = _on_space(mechanism, space).base
    if not isinstance(base, FiniteMechanism):
        raise BadInput("only a mechanism with listed outputs can be improved.")
    level = level_of(epsilon, delta=delta, ratio=ratio)
    if exact:
        if outputs is not None or extra:
            raise BadInput("exact compares all mechanisms with the outputs of the one given; leave "
                           "out outputs and extra.")
        asked = Problem(base.space, level, prior, loss, goal, base.outputs, query)
        return _improve_exactly(base, asked, effort)
    problem = Problem(base.space, level, prior, loss, goal, outputs, query)
    best = Solution(problem, certified(base, problem.level), "given")
    before, change = best.value, Change.KEPT
    if problem.goal is Goal.AVERAGE:
        moved = apply_best_remap(base, problem)
        if moved is not base and problem.value(moved) < before:
            best = Solution(problem, certified(moved, problem.level), "remapped")
            change = Change.REMAPPED
    comparison = try_catalog(problem, effort, whole=False, extra=extra)
    solutions = comparison.solutions
    for solution in solutions:
        if solution.value < best.value and relative_gap(best.value, solution.value) > effort.gap:
            best, change = solution, Change.REPLACED
    proof = next((solution.proof for solution in solutions if solution.proof), None)
    return Improvement(before, best.against(comparison.bound, proof), change)


def _on_space(given: Any, space: Space | str | None) -> Mechanism:
    """The mechanism that is given; a bare matrix is one on the space."""
    if not is_matrix(given):
        mechanism = mechanism_of(given)
        if space is not None and mechanism.space != space_of(space):
            raise BadInput(f"the mechanism is for {mechanism.space.text}; leave out the space.")
        return mechanism
    if space is None:
        raise BadInput("a bare matrix does not say which inputs are near each other; give a space "
                       'as well, as in improve(matrix, 1, space="path:0..2").')
    return matrix_form(given, space_of(space))


def _improve_exactly(base: FiniteMechanism, problem: Problem, effort: Effort) -> Improvement:
    """The mechanism itself, with an exact proof, if it is optimal, else an optimal vertex."""
    given = Solution(problem, certified(base.matrix(), problem.level), "given")
    best = exact_minimum(problem, effort)
    optimum, before = best.exact, exact_value(problem, base)
    if optimum is None or before != optimum.value:
        return Improvement(given.value, best, Change.REPLACED, before)
    proof = ExactOptimum(optimum.value, optimum.multipliers, optimum.prior)
    kept = given.against(best.bound, best.proof).proved_exactly(proof)
    return Improvement(kept.value, kept, Change.KEPT, before)
