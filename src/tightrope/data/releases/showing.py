"""A release as a picture and as a card: everything in them was released."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tightrope.characters import counted
from tightrope.data.releases.names import group_cells, points_of
from tightrope.data.releases.questions import CHOSEN, RANKED, Ask
from tightrope.markup import card, table

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.figure import Figure

    from tightrope.data.releases.answers import Answer
    from tightrope.data.releases.releasing import Release

_LISTED = 60
"""Answers in a card."""


def release_figure(release: Release) -> Figure:
    """A picture of the answers: of a cross-table a heat map, of a distribution its band."""
    from tightrope import plots

    plan, ask = release.plan, release.plan.question.ask
    title, sure = release.plan.question.text, f"{100 * float(release.plan.confidence):g}%"
    groups = [", ".join(cell) for cell in group_cells(plan)]
    column = plan.question.columns[0] if plan.question.columns else ""
    each = len(release.answers) // len(groups)
    if ask is Ask.CROSS and not plan.question.by:
        rows, columns = (plan.declaration.column(name).cells for name in plan.question.columns)
        values = [_float(answer) for answer in release.answers[: len(rows) * len(columns)]]
        return plots.crossed_figure(rows, columns, np.array(values).reshape(len(rows), -1),
                                    f"{title}\n{plan.accuracy}",
                                    (plan.question.columns[0], plan.question.columns[1]))
    if ask is Ask.DISTRIBUTION:
        held = {name: [_ends(answer) for answer in release.answers[k * each : (k + 1) * each]]
                for k, name in enumerate(groups)}
        return plots.distribution_figure([point for point, _ in points_of(plan)], held,
                                         f"{title}\nbands at {sure}", column)
    if ask in RANKED:
        found = {name: [_float(answer) for answer in release.answers[k * each : (k + 1) * each]]
                 for k, name in enumerate(groups)}
        at = [float(p) for p in plan.question.probabilities] or [0.0]
        return plots.quantiles_figure(at if ask is Ask.QUANTILES else [], found,
                                      f"{title}\n{plan.accuracy}", column)
    names = [", ".join(answer.cell) or ask.value for answer in release.answers]
    if ask in CHOSEN:
        names = [f"{name}: {answer.value}"
                 for name, answer in zip(names, release.answers, strict=True)]
    return plots.answers_figure(names, [_ends(answer) for answer in release.answers],
                                f"{title}\n{sure} intervals", plan.counted_in)


def release_card(release: Release) -> str:
    """A release as HTML: its answers, and a picture where one can be drawn."""
    shown = release.answers[:_LISTED]
    more = len(release.answers) - len(shown)
    rows = [(", ".join(answer.cell) or release.plan.question.ask.value,
             *(_text(end) for end in (answer.value, answer.low, answer.high))) for answer in shown]
    return card(
        f"Release: {release.plan.question.text}",
        [("level", release.plan.level), ("error", release.plan.accuracy),
         ("bound", release.plan.nearness), ("entry", release.booked.entry.number),
         ("left", release.booked.remaining)],
        picture=table(("", "answer", "from", "to"), rows) + _drawn(release),
        sentences=[f"{counted(more, 'answer')} more not shown."] if more else (),
    )


def _drawn(release: Release) -> str:
    try:
        from tightrope.plots import picture

        if release.plan.question.ask in CHOSEN or len(release.answers) == 1:
            return ""
        text = picture(release_figure(release), "svg").decode()
    except ImportError:
        return ""
    return text[text.index("<svg"):]


def _text(end: Fraction | str | None) -> str:
    return "" if end is None else end if isinstance(end, str) else f"{float(end):.7g}"


def _float(answer: Answer) -> float:
    return float("nan") if answer.value is None else float(answer.value)


def _ends(answer: Answer) -> tuple[float, float, float]:
    if isinstance(answer.value, str):
        return float("nan"), float("nan"), float("nan")
    one, two, three = (float("nan") if end is None else float(end)
                       for end in (answer.value, answer.low, answer.high))
    return one, two, three
