"""A release as a picture and as a card: everything in them was released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import counted
from tightrope.markup import card, table
from tightrope.releases.accuracy import error_facts
from tightrope.releases.cuts import counts_kept
from tightrope.releases.marks import legends, mark_of
from tightrope.releases.names import group_cells, points_of
from tightrope.releases.parts import number_column
from tightrope.releases.questions import CHOSEN, RANKED, Ask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from matplotlib.figure import Figure

    from tightrope.plots import Drawn
    from tightrope.releases.answers import Answer
    from tightrope.releases.planning import Plan
    from tightrope.releases.release import Release

_LISTED = 60
"""Answers in a card."""

NOT_BOOKED = "Nothing was booked: to keep a budget, use tr.open(…)."


def release_figure(plan: Plan, answers: Sequence[Answer]) -> Figure:
    """A picture of the answers: of a cross-table a heat map, of a distribution its band."""
    from tightrope import plots

    question, sure = plan.question, f"{100 * float(plan.confidence):g}%"
    if question.ask is Ask.CROSS and not question.by:
        rows, columns = (plan.declaration.column(name).cells for name in question.columns)
        cells = [_drawn(answer) for answer in answers[: len(rows) * len(columns)]]
        return plots.crossed_figure(rows, columns, cells, f"{plan.title}\n{plan.accuracy}",
                                    (question.columns[0], question.columns[1]), plan.counted_in,
                                    mark_of(plan))
    if question.ask is Ask.DISTRIBUTION:
        column = number_column(question, plan.declaration)
        known = plan.parts[0].part.tally.fine == 1
        where = "" if known else "; between edges only what monotonicity allows"
        return plots.distribution_figure(
            [point for point, _ in points_of(plan)], _by_group(plan, answers),
            f"{plan.title}\n{sure} for all points together{where}", question.columns[0],
            start=float(column.low), every_value=known)
    if question.ask in RANKED:
        values = {name: [answer.value for answer in drawn]
                  for name, drawn in _by_group(plan, answers).items()}
        at = [float(p) for p in question.probabilities] if question.ask is Ask.QUANTILES else []
        return plots.quantiles_figure(at, values, f"{plan.title}\n{plan.accuracy}",
                                      question.columns[0])
    names = [", ".join(answer.cell) or question.ask.value for answer in answers]
    if question.ask in CHOSEN:
        names = [f"{name}: {answer.value}" for name, answer in zip(names, answers, strict=True)]
    thin = "; thin: of the mean over cuts" if counts_kept(plan) else ""
    return plots.answers_figure(names, [_drawn(answer) for answer in answers],
                                f"{plan.title}\n{sure} intervals{thin}", plan.counted_in,
                                mark_of(plan))


def _by_group(plan: Plan, answers: Sequence[Answer]) -> dict[str, list[Drawn]]:
    groups = [", ".join(cell) for cell in group_cells(plan)]
    each = len(answers) // len(groups)
    return {name: [_drawn(answer) for answer in answers[k * each : (k + 1) * each]]
            for k, name in enumerate(groups)}


def _drawn(answer: Answer) -> Drawn:
    from tightrope.plots import Drawn

    value, low, high = (float("nan") if end is None or isinstance(end, str) else float(end)
                        for end in (answer.value, answer.low, answer.high))
    means = None if answer.over_cuts is None else (
        float(answer.over_cuts[0]), float(answer.over_cuts[1]))
    return Drawn(value, low, high, answer.mark is not None, means)


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
        parts["cut at 0"] = ["{} to {}".format(*map(_text, answer.possible))
                              for answer in answers]
    used = {title: column for title, column in parts.items() if any(column)}
    return [*titles, *used], [[*first, *rest] for first, *rest in zip(
        cells, *used.values(), strict=True)]


def release_card(release: Release) -> str:
    """A release as HTML: its answers, and a picture where one can be drawn."""
    shown = release.answers[:_LISTED]
    more, booked = len(release.answers) - len(shown), release.booked
    titles, rows = answer_columns(release.plan, shown)
    return card(
        release.plan.title,
        [("level", release.plan.level), *error_facts(release.plan),
         ("bound", release.plan.nearness), ("protects", release.plan.declaration.unit.shown),
         *(() if booked is None else (
             ("entry", booked.entry.number), ("left", booked.remaining)))],
        picture=table(titles, rows) + _picture(release),
        sentences=[*([f"{counted(more, 'answer')} more not shown."] if more else ()),
                   *([NOT_BOOKED] if booked is None else ()), *legends(release.plan)],
    )


def _picture(release: Release) -> str:
    try:
        from tightrope.plots import picture

        if release.plan.question.ask in CHOSEN or len(release.answers) == 1:
            return ""
        text = picture(release_figure(release.plan, release.answers), "svg").decode()
    except ImportError:
        return ""
    return text[text.index("<svg"):]


def _text(end: Fraction | int | str | None, missing: str = "") -> str:
    return missing if end is None else end if isinstance(end, str) else f"{float(end):.7g}"
