"""Answers as pictures: everything in them was released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.errors import BadInput
from tightrope.releases.answers import Answer, group_cells, mark_of
from tightrope.releases.cuts import counts_kept
from tightrope.releases.labels import shown_cell, shown_choice, shown_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from tightrope.declarations import TimeColumn
    from tightrope.plots import ChanceCurves, Drawn
    from tightrope.releases.planning import QuestionPlan

_MOST_POINTS = 100
"""Points of a curve that are drawn each; beyond, chances are long fractions and take minutes."""


def release_figure(plan: QuestionPlan, answers: Sequence[Answer]) -> Figure:
    """A picture of the answers, as their statistic draws it."""
    return plan.statistic.figure(plan, answers)


def interval_figure(plan: QuestionPlan, answers: Sequence[Answer]) -> Figure:
    """Every answer on a line of its own, with its interval; a text beside the name of its cell."""
    from tightrope import plots

    names = [", ".join(shown_cell(plan, answer.cell)) or plan.question.noun for answer in answers]
    names = [f"{name}: {shown_choice(plan, answer) or answer.value}" if isinstance(
        answer.value, str) else name
             for name, answer in zip(names, answers, strict=True)]
    thin = "; thin: of the mean over all draws" if counts_kept(plan) else ""
    return plots.answers_figure(names, [drawn_answer(answer) for answer in answers],
                                f"{plan.title}\n{confidence_text(plan)} intervals{thin}",
                                plan.unit_of_error, mark_of(plan))


def bar_figure(plan: QuestionPlan, answers: Sequence[Answer]) -> Figure:
    """Counts as bars with their intervals; of very many, every answer on a line."""
    from tightrope import plots

    if len(answers) > plots.MOST_BARS:
        return interval_figure(plan, answers)
    thin = "; thin: of the mean over all draws" if counts_kept(plan) else ""
    return plots.bars_figure([", ".join(shown_cell(plan, answer.cell)) for answer in answers],
                             [drawn_answer(answer) for answer in answers],
                             f"{plan.title}\n{confidence_text(plan)} intervals{thin}",
                             plan.unit_of_error, mark_of(plan))


def chance_figure(plans: Sequence[QuestionPlan]) -> Figure:
    """The chance that a key appears, by its units: in these plans, and without counts.

    Raises: `BadInput` where no plan is about keys.
    """
    from tightrope import plots

    keyed = [plan for plan in plans if plan.keys is not None]
    if not keyed:
        raise BadInput("a dry run draws the chance that a key appears, and nothing here is "
                       "answered by keys: leave out the plot.")
    return plots.chance_figure([_chance_curves(plan) for plan in keyed])


def _chance_curves(plan: QuestionPlan) -> ChanceCurves:
    from tightrope.plots import ChanceCurves
    from tightrope.releases.keys import key_chances

    chance, alone = key_chances(plan)
    units = drawn_units(plan)
    curves = {} if plan.error is None else {
        "with counts": [float(chance(number)) for number in units]}
    curves["keys alone, the most that is private"] = [float(alone(number)) for number in units]
    return ChanceCurves(f"{plan.title}\n{plan.level}", plan.unit_of_error, units, curves)


def drawn_units(plan: QuestionPlan) -> list[int]:
    """Numbers of units whose chances are drawn: all of few; of many, most where the curve rises."""
    last = plan.chances[-1].units + 1
    if last <= _MOST_POINTS:
        return [*range(last + 1)]
    step = -(-last // _MOST_POINTS)
    steep = [each.units for each in plan.chances if 0 < each.units < last]
    rising = range(steep[1], steep[-2] + 1) if len(steep) > 3 else range(0)
    fine = -(-len(rising) // _MOST_POINTS) or 1
    return sorted({*range(0, last, step), *rising[::fine], *steep, last})


def confidence_text(plan: QuestionPlan) -> str:
    """The confidence of a plan as a percentage."""
    return f"{100 * float(plan.confidence):g}%"


def by_group(
    plan: QuestionPlan, answers: Sequence[Answer], times: TimeColumn | None = None
) -> dict[str, list[Drawn]]:
    """The answers of each group, as they are drawn; those that are `times`, by their numbers."""
    groups = [", ".join(shown_words(plan, column).get(part, part)
                        for column, part in zip(plan.question.by, cell, strict=True))
              for cell in group_cells(plan)]
    each = len(answers) // len(groups)
    return {name: [drawn_answer(answer, times) for answer in answers[k * each : (k + 1) * each]]
            for k, name in enumerate(groups)}


def drawn_answer(answer: Answer, times: TimeColumn | None = None) -> Drawn:
    """One answer as it is drawn; a moment by its number."""
    from tightrope.plots import Drawn

    shown = answer.value if times is None else times.number(answer.value)
    value, low, high = (float("nan") if end is None or isinstance(end, str) else float(end)
                        for end in (shown, answer.low, answer.high))
    means = None if answer.over_cuts is None else (
        float(answer.over_cuts[0]), float(answer.over_cuts[1]))
    return Drawn(value, low, high, answer.mark is not None, means)
