"""Plans, releases and published releases as facts: the answer first, then how sure it is.

Everything in them was released, or follows from declarations alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import counted, few, label_text
from tightrope.facts import Column, Fact, Facts, Shown, Table, data, listing
from tightrope.ledger import booked_fact
from tightrope.releases.accuracy import Band, error_facts, interval_text
from tightrope.releases.answers import legends
from tightrope.releases.cuts import counts_kept, notes
from tightrope.releases.figures import release_figure
from tightrope.releases.grammar import Slot, details_in
from tightrope.releases.labels import columns_of_cells, shown_cell, shown_choice, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from tightrope.releases.answers import Answer
    from tightrope.releases.cuts import Interval
    from tightrope.releases.planning import QuestionPlan
    from tightrope.releases.publication import PublishedRelease
    from tightrope.releases.release import Release

_PARTS: dict[Slot | type, str] = {
    Band: "up to", Slot.PROBABILITIES: "probability", Slot.CONDITIONS: "condition",
    Slot.NUMBER: "place"}
"""The name of a part of a cell that is no category of a column."""
_OURS = frozenset({"answer", "low", "high", "adjusted"})
"""The names of columns beside those of a cell."""
NOT_BOOKED = "Nothing was booked: to keep a budget, use tr.open(…)."


def plan_facts(plan: QuestionPlan) -> Facts:
    """Mechanism, level and error of a plan, before any row is read."""
    return Facts("QuestionPlan", plan.title, (
        *_plan_items(plan),
        *_count_of_answers(plan),
        *chance_table(plan),
        Fact(None, "cut", " ".join(notes(plan)) or None),
        *(Fact(None, "reads", f"{label_text(name)}: {rule}") for name, rule in plan.rules.items()),
        Fact(None, "cells",
             few([", ".join(shown_cell(plan, cell)) for cell in plan.cells]) or None),
        *_plan_data(plan),
    ))


def release_facts(release: Release) -> Facts:
    """The answers of a release, their errors, and the entry in the ledger."""
    plan, booked, declaration = release.plan, release.booked, release.plan.declaration
    entry = {"booked": False} if booked is None else {
        "ledger_entry": booked.entry.number, **booked.as_json()}
    return Facts(
        "Release", "",
        (
            answer_table(plan, release.answers),
            Fact(None, "question", plan.title),
            *_plan_items(plan),
            Fact(None, "head", None if booked is None else booked.head),
            *_plan_data(plan),
            *data(cells=len(release.answers), answers=release.answers, dataset=declaration.dataset,
                  declaration=declaration.digest, **entry),
        ),
        (booked_fact(booked).text, interval_text(plan), *legends(plan)),
        lambda: _picture(release),
    )


def verdict_facts(published: PublishedRelease) -> Facts:
    """The verdict on a published release, and what only the holder of the data can know."""
    plan, holds, reason = published.plan, published.holds, published.reason
    verdict = "Everything that a document can prove holds." if holds else (
        "The document was changed after it was written: its digest does not fit." if reason is None
        else f"The release contradicts itself: {reason}.")
    return Facts(
        "PublishedRelease", verdict,
        (
            Fact("question", "question", Shown(plan.question.title, plan.title)),
            Fact(None, "level", plan.level),
            Fact(None, "protects", plan.declaration.unit.shown, detail=True),
            Fact(None, "digest", None if published.intact or reason is None else "does not fit"),
            *(Fact(None, "proved", text, detail=True) for text in published.checked),
            *(Fact(None, "holder only", text) for text in published.only_holder),
            *data(holds=holds, intact=published.intact, **plan.level.as_json(),
                  mechanism=plan.mechanism, ledger_entry=published.content["entry"]["number"],
                  reason=reason, checked=published.checked, unchecked=(),
                  only_holder=published.only_holder, witness=None, optimality=None),
        ),
    )


def content_facts(published: PublishedRelease) -> Facts:
    """The answers that a published release states, without a verdict."""
    plan, entry = published.plan, published.content["entry"]
    return Facts(
        "PublishedRelease", "",
        (
            answer_table(plan, published.answers),
            Fact(None, "question", plan.title),
            Fact(None, "dataset", plan.declaration.dataset),
            *(Fact(None, item.label, item.value, item.unit, item.meaning)
              for item in _plan_items(plan)),
            Fact(None, "entry", f"{entry['number']} of {entry['budget']}, {entry['time']}"),
            Fact(None, "digest",
                 "fits" if published.intact else "does not fit: the file was changed"),
            *data(**published.content, intact=published.intact),
        ),
        (*legends(plan), "Nothing is judged here; that is for `verify`."),
    )


def cell_names(plan: QuestionPlan) -> list[str]:
    """The names of the parts of a cell; one that is a name of ours has a line below it."""
    names = [*columns_of_cells(plan)]
    if plan.keys is None and len(plan.cells[0]) > len(names):
        slot = details_in(plan.statistic.phrase) or type(plan.strategy.accuracy)
        names.append(_PARTS.get(slot, "kind"))
    taken = {*_OURS, *(f"{name}_label" for name in names if words_of(plan, name))}
    titles: list[str] = []
    for name in names:
        while name in taken:
            name += "_"
        taken.add(name)
        titles.append(name)
    return titles


def _count_of_answers(plan: QuestionPlan) -> tuple[Fact, ...]:
    if plan.keys is not None:
        return (Fact("cells", "answers", Shown(None, "one for each key that appears")),)
    return (Fact("cells", "answers", Shown(len(plan.cells), counted(len(plan.cells), "cell"))),)


def chance_table(plan: QuestionPlan) -> tuple[Table, ...]:
    """The chance that a key appears, by its units, where keys are not declared."""
    if plan.keys is None:
        return ()
    counts = plan.error is not None
    return (Table("chances", "chance that a key appears", (
        Column("units", plan.unit_of_error),
        Column("chance", "chance", 4),
        Column("alone", "without its count" if counts else None, 4)),
        tuple((each.units, float(each.chance), float(each.alone)) for each in plan.chances)),)


def answer_table(plan: QuestionPlan, answers: Sequence[Answer]) -> Table:
    """Every answer with its interval; columns that have nothing in them are left out."""
    cells = [(", ".join(shown_cell(plan, answer.cell)) or plan.question.noun,
              shown_choice(plan, answer) or _text(answer, answer.value, "withheld"))
             for answer in answers]
    columns = {
        "from": [_text(answer, answer.low) for answer in answers],
        "to": [_text(answer, answer.high) for answer in answers],
        "note": [answer.note or "" for answer in answers],
    }
    if counts_kept(plan):
        columns["mean over all draws"] = [_between(answer, answer.over_cuts) for answer in answers]
    if plan.question.adjusted:
        columns["adjusted"] = [_text(answer, answer.adjusted) for answer in answers]
        columns["cut at 0"] = [_between(answer, answer.possible) for answer in answers]
    used = {title: column for title, column in columns.items() if any(column)}
    rows = [(*first, *rest) for first, *rest in zip(cells, *used.values(), strict=True)]
    return listing("", ["", "answer", *used], rows)


def _plan_items(plan: QuestionPlan) -> tuple[Fact, ...]:
    """Level, mechanism, errors, the best possible, and who is protected."""
    return (
        Fact(None, "level", plan.level),
        Fact("mechanism", "mechanism", plan.mechanism),
        *(Fact(None, name, text) for name, text in error_facts(plan)),
        Fact(None, "best possible", plan.nearness),
        Fact("unit", "protects", plan.declaration.unit.shown),
    )


def _plan_data(plan: QuestionPlan) -> tuple[Fact, ...]:
    """The numbers of a plan for programs."""
    bound, error = plan.bound, plan.bounded_error
    return data(
        question=plan.question.title,
        **plan.level.as_json(),
        meaning=plan.meaning,
        kept=plan.kept,
        expected_error=_float(plan.error),
        worst_error=_float(plan.worst_error),
        within=_float(plan.width),
        within_together=_float(plan.together),
        sums=plan.sums,
        biased=plan.target is not None,
        error_unit=plan.unit_of_error,
        confidence=float(plan.confidence),
        bound=_float(bound),
        bound_says=plan.bound_says,
        gap=None if not bound or error is None else (
            float(error / bound - 1) if error < 10**300 * bound else 1e300),
        of=plan.base,
        rounding=_float(plan.half_step),
        reads=plan.rules,
    )


def _picture(release: Release) -> str:
    try:
        from tightrope.plots import picture

        if len(release.answers) < 2 or isinstance(release.answers[0].value, str):
            return ""
        text = picture(release_figure(release.plan, release.answers), "svg").decode()
    except ImportError:
        return ""
    return text[text.index("<svg"):].replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)


def _text(answer: Answer, number: Fraction | int | str | None, missing: str = "") -> str:
    if number is None or isinstance(number, str):
        return missing if number is None else number
    return answer.number_text(number)


def _between(answer: Answer, ends: Interval | None) -> str:
    return "" if ends is None else " to ".join(map(answer.number_text, ends))


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
