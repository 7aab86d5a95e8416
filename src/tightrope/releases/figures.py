"""Answers as pictures: everything in them was released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.releases.answers import Answer, group_cells
from tightrope.releases.cuts import counts_kept
from tightrope.releases.marks import mark_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from tightrope.plots import Drawn
    from tightrope.releases.planning import Plan


def release_figure(plan: Plan, answers: Sequence[Answer]) -> Figure:
    """A picture of the answers, as their statistic draws it."""
    return plan.statistic.figure(plan, answers)


def interval_figure(plan: Plan, answers: Sequence[Answer]) -> Figure:
    """Every answer on a line of its own, with its interval; a text beside the name of its cell."""
    from tightrope import plots

    names = [", ".join(answer.cell) or plan.question.ask for answer in answers]
    names = [f"{name}: {answer.value}" if isinstance(answer.value, str) else name
             for name, answer in zip(names, answers, strict=True)]
    thin = "; thin: of the mean over cuts" if counts_kept(plan) else ""
    return plots.answers_figure(names, [drawn_answer(answer) for answer in answers],
                                f"{plan.title}\n{confidence_text(plan)} intervals{thin}",
                                plan.unit_of_error, mark_of(plan))


def confidence_text(plan: Plan) -> str:
    """The confidence of a plan as a percentage."""
    return f"{100 * float(plan.confidence):g}%"


def by_group(plan: Plan, answers: Sequence[Answer]) -> dict[str, list[Drawn]]:
    """The answers of each group, as they are drawn."""
    groups = [", ".join(cell) for cell in group_cells(plan)]
    each = len(answers) // len(groups)
    return {name: [drawn_answer(answer) for answer in answers[k * each : (k + 1) * each]]
            for k, name in enumerate(groups)}


def drawn_answer(answer: Answer) -> Drawn:
    """One answer as it is drawn."""
    from tightrope.plots import Drawn

    value, low, high = (float("nan") if end is None or isinstance(end, str) else float(end)
                        for end in (answer.value, answer.low, answer.high))
    means = None if answer.over_cuts is None else (
        float(answer.over_cuts[0]), float(answer.over_cuts[1]))
    return Drawn(value, low, high, answer.mark is not None, means)
