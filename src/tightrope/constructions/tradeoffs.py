"""`tradeoff`: the loss of each construction as ε grows, beside the least possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tightrope.characters import counted, shorten
from tightrope.choices import Goal
from tightrope.constructions.comparison import Comparison, best_saves, pandas_module
from tightrope.constructions.designing import nothing_applies, try_catalog
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.own import Own
from tightrope.drawing import plot_of
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number
from tightrope.facts import Facts, card_of, data, latex_of, lines_of, listing
from tightrope.spaces import Label, QueryLike, Space
from tightrope.spellings import RESULT, SEARCH, spelled
from tightrope.utility import LossLike, PriorLike, Problem, question, uniform

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Tradeoff:
    """A comparison at each of several levels, in the order asked; it is a sequence of them.

    `left` are the levels that were asked for and not reached, because Ctrl-C was pressed.

    >>> curve = tradeoff("categories:3", [Level.ratio(2), Level.ratio(4)])
    >>> len(curve), curve[1].problem.level.text
    (2, 'ln(4)')
    """

    problem: Problem
    comparisons: tuple[Comparison, ...]
    left: tuple[Level, ...] = ()

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def __getitem__(self, index: int) -> Comparison:
        return self.comparisons[index]

    def facts(self) -> Facts:
        """A row for each level and each construction that applies there, and the question."""
        problem = self.problem
        rows = [Facts("Row", row.construction, data(
            epsilon=float(at.problem.level), construction=row.construction, value=made.value,
            bound=made.bound, gap=made.gap, theorem=made.theorem))
            for at in self for row in at.rows if (made := row.solution) is not None]
        shown = [("" if place else f"{float(at.problem.level):.6g}", shorten(made.construction),
                  made.value, best_saves(made))
                 for at in self for place, made in enumerate(at.solutions)]
        left = [float(level) for level in self.left]
        stopped = f"Stopped before {counted(len(left), 'level')}" if left else None
        return Facts(
            "Tradeoff",
            question(problem, counted(len(self), "level")),
            (
                listing("", ("ε", "construction", "loss", "best saves at most"), shown, words=2),
                *data(rows=rows, left=left, space=problem.space.text,
                      delta=float(problem.level.delta), loss=problem.loss.name,
                      goal=problem.goal),
            ),
            (*([f"{stopped}, from ε = {left[0]:g} on."] if stopped else []),
             "Every mechanism behind these losses is proved at its ε."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of
    to_latex = latex_of
    plot = plot_of

    def to_frame(self) -> pandas.DataFrame:
        """A frame of pandas: a row for each level and construction, with loss, bound and gap."""
        pandas = pandas_module()
        frames = [at.to_frame().reset_index().assign(epsilon=float(at.problem.level))
                  for at in self]
        return pandas.concat(frames, ignore_index=True).set_index(["epsilon", "construction"])


@spelled(
    delta='tr.Level.epsilon("0.5", delta="1e-6") among the levels',
    epsilon="epsilons=[0.5, 1, 2]",
    exact="tr.constructions.value_pieces(space, low, high) with ends of e^ε, or family_pieces of "
          "a space with N",
    ratio="epsilons=[tr.Level.ratio(2), tr.Level.ratio(3)]",
    ratios="tr.constructions.value_pieces(space, low, high) with ends of e^ε",
    upto='tr.constructions.family_pieces("path:0..N", upto=8)',
    **RESULT, **SEARCH,
)
def tradeoff(
    space: Space | str,
    epsilons: Sequence[Level | Number],
    *,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    query: QueryLike | None = None,
    extra: Mapping[str, Own] | None = None,
    effort: Effort = ORDINARY,
    told: Callable[[Comparison], None] | None = None,
) -> Tradeoff:
    """A comparison at every level, in the order given.

    Parameters are those of `compare`; `told` is called with each comparison as soon as it is ready.
    A function among `extra` is called at every level; a fixed mechanism stands where it is private.

    Returns: a `Tradeoff`; the `problem` of each of its comparisons has the level. After Ctrl-C it
    has the levels that were reached.

    Raises: `BadLevel` if `levels` is no list of levels; `BadInput` if it is empty, or if no
    construction applies.

    >>> curve = tradeoff("categories:3", [Level.ratio(2), Level.ratio(4)])
    >>> [round(comparison.bound, 6) for comparison in curve]
    [0.5, 0.333333]
    """
    if isinstance(epsilons, str) or not isinstance(epsilons, Iterable):
        raise BadLevel(epsilons, "a list of levels, such as [0.5, 1, 2]")
    asked = [Level.of(epsilon) for epsilon in epsilons]
    if not asked:
        raise BadInput("expected at least one level, found none.")
    problem, comparisons = Problem(space, asked[0], prior, loss, goal, outputs, query), []
    for level in asked:
        try:
            comparisons.append(try_catalog(problem.at(level), effort, extra=extra))
        except KeyboardInterrupt:
            if not comparisons:
                raise
            break
        if told is not None:
            told(comparisons[-1])
        if comparisons[-1].interrupted:
            break
    if not any(at.solutions for at in comparisons):
        raise nothing_applies(comparisons[0])
    return Tradeoff(problem, tuple(comparisons), tuple(asked[len(comparisons):]))
