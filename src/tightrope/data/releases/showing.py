"""A release as a picture and as a card: everything in them was released."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tightrope.characters import counted
from tightrope.data.releases.accuracy import error_facts
from tightrope.data.releases.cuts import counts_kept
from tightrope.data.releases.marks import legends
from tightrope.data.releases.names import group_cells, points_of
from tightrope.data.releases.questions import CHOSEN, RANKED, Ask
from tightrope.markup import card, table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from matplotlib.figure import Figure

    from tightrope.data.releases.answers import Answer
    from tightrope.data.releases.planning import Plan
    from tightrope.data.releases.releasing import Release

_LISTED = 60
"""Answers in a card."""


def release_figure(release: Release) -> Figure:
    """A picture of the answers: of a cross-table a heat map, of a distribution its band."""
    from tightrope import plots

    plan, ask = release.plan, release.plan.question.ask
    title, sure = release.plan.title, f"{100 * float(release.plan.confidence):g}%"
    groups = [", ".join(cell) for cell in group_cells(plan)]
    column = plan.question.columns[0] if plan.question.columns else ""
    each = len(release.answers) // len(groups)
    if ask is Ask.CROSS and not plan.question.by:
        rows, columns = (plan.declaration.column(name).cells for name in plan.question.columns)
        values = [_float(answer) for answer in release.answers[: len(rows) * len(columns)]]
        return plots.crossed_figure(rows, columns, np.array(values).reshape(len(rows), -1),
                                    f"{title}\n{plan.accuracy}",
                                    (plan.question.columns[0], plan.question.columns[1]),
                                    plan.counted_in)
    if ask is Ask.DISTRIBUTION:
        held = {name: [_ends(answer) for answer in release.answers[k * each : (k + 1) * each]]
                for k, name in enumerate(groups)}
        return plots.distribution_figure([point for point, _ in points_of(plan)], held,
                                         f"{title}\nbands at {sure}", column)
    if ask in RANKED:
        found = {name: [_float(answer) for answer in release.answers[k * each : (k + 1) * each]]
                 for k, name in enumerate(groups)}
        at = [float(p) for p in plan.question.probabilities] if ask is Ask.QUANTILES else []
        return plots.quantiles_figure(at, found,
                                      f"{title}\n{plan.accuracy}", column)
    names = [", ".join(answer.cell) or ask.value for answer in release.answers]
    if ask in CHOSEN:
        names = [f"{name}: {answer.value}"
                 for name, answer in zip(names, release.answers, strict=True)]
    means = [(float(answer.over_cuts[0]), float(answer.over_cuts[1]))
             for answer in release.answers if answer.over_cuts is not None]
    thin = "; thin: of the mean over cuts" if means else ""
    return plots.answers_figure(names, [_ends(answer) for answer in release.answers],
                                f"{title}\n{sure} intervals{thin}", plan.counted_in, means)


def answer_columns(
    plan: Plan, answers: Sequence[Answer]
) -> tuple[list[str], list[list[str]]]:
    """The titles and rows of a table of answers, with those columns that have something in them."""
    titles, cells = ["", "answer"], [[", ".join(answer.cell) or plan.question.ask.value,
                                      _text(answer.value, "withheld")] for answer in answers]
    parts: dict[str, list[str]] = {
        "from": [_text(answer.low) for answer in answers],
        "to": [_text(answer.high) for answer in answers],
        "note": [answer.note or "" for answer in answers],
    }
    if counts_kept(plan):
        parts["mean over cuts"] = ["{} to {}".format(*map(_text, answer.over_cuts or ("", "")))
                                   for answer in answers]
    if plan.question.adjusted:
        parts["adjusted"] = [_text(answer.adjusted) for answer in answers]
        parts["from 0 on"] = ["{} to {}".format(*map(_text, answer.possible))
                              for answer in answers]
    used = {title: column for title, column in parts.items() if any(column)}
    return [*titles, *used], [[*first, *rest] for first, *rest in zip(
        cells, *used.values(), strict=True)]


def release_card(release: Release) -> str:
    """A release as HTML: its answers, and a picture where one can be drawn."""
    shown = release.answers[:_LISTED]
    more = len(release.answers) - len(shown)
    titles, rows = answer_columns(release.plan, shown)
    return card(
        f"Release: {release.plan.title}",
        [("level", release.plan.level), *error_facts(release.plan),
         ("bound", release.plan.nearness), ("entry", release.booked.entry.number),
         ("left", release.booked.remaining)],
        picture=table(titles, rows) + _drawn(release),
        sentences=[*([f"{counted(more, 'answer')} more not shown."] if more else ()),
                   *legends(release.plan)],
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


def _text(end: Fraction | int | str | None, missing: str = "") -> str:
    return missing if end is None else end if isinstance(end, str) else f"{float(end):.7g}"


def _float(answer: Answer) -> float:
    return float("nan") if answer.value is None else float(answer.value)


def _ends(answer: Answer) -> tuple[float, float, float]:
    if isinstance(answer.value, str):
        return float("nan"), float("nan"), float("nan")
    one, two, three = (float("nan") if end is None else float(end)
                       for end in (answer.value, answer.low, answer.high))
    return one, two, three
