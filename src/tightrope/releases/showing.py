"""A release as a table and as a card: everything in them was released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import counted
from tightrope.markup import card, table
from tightrope.releases.accuracy import error_facts
from tightrope.releases.cuts import counts_kept
from tightrope.releases.figures import release_figure
from tightrope.releases.marks import legends

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from tightrope.releases.answers import Answer
    from tightrope.releases.planning import Plan
    from tightrope.releases.release import Release

_LISTED = 60
"""Answers in a card."""

NOT_BOOKED = "Nothing was booked: to keep a budget, use tr.open(…)."


def answer_columns(
    plan: Plan, answers: Sequence[Answer]
) -> tuple[list[str], list[list[str]]]:
    """The titles and rows of a table of answers, with those columns that have something in them."""
    titles, cells = ["", "answer"], [[", ".join(answer.cell) or plan.question.ask,
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

        if isinstance(release.answers[0].value, str) or len(release.answers) == 1:
            return ""
        text = picture(release_figure(release.plan, release.answers), "svg").decode()
    except ImportError:
        return ""
    return text[text.index("<svg"):]


def _text(end: Fraction | int | str | None, missing: str = "") -> str:
    return missing if end is None else end if isinstance(end, str) else f"{float(end):.7g}"
