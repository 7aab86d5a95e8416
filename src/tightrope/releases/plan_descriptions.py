"""Plans, their answers and published plans as facts: one table of questions, then how sure.

Everything in them was released, or follows from declarations and from a guess that is named so.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

from tightrope.characters import counted
from tightrope.facts import Column, Fact, Facts, Shown, Table, data, listing
from tightrope.ledger import booked_fact
from tightrope.releases.accuracy import Ranks, interval_text
from tightrope.releases.answers import legends
from tightrope.releases.descriptions import answer_table, chance_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from tightrope.releases.answered_plans import AnsweredPart, PlanRelease
    from tightrope.releases.known import Known
    from tightrope.releases.plan_documents import PublishedPlan
    from tightrope.releases.planning import QuestionPlan
    from tightrope.releases.plans import Plan, Share

_GUESS, _RANKS = "?", "#"
_RELATED = ("Agreed answers add up, before they are rounded here; they are unbiased. Their {} "
            "intervals hold together for all questions that they relate. The raw answers stay "
            "beside them in the document.")


def dry_facts(plan: Plan) -> Facts:
    """The table of questions: mechanism, ε and errors; then the split, and what it leaves."""
    division, terms = plan.division, plan.terms
    sure = _percent(plan)
    columns = (
        Column("question", "question", words=True), Column(None, "mechanism", words=True),
        Column(None, "ε"), Column(None, "expected"), Column(None, sure), Column(None, "alone"),
        Column("mechanism", None), Column("epsilon", None),
        Column("delta", None), Column("expected_error", None), Column("within", None),
        Column("within_alone", None), Column("wanted", None), Column("weight", None),
        Column("guess", None), Column("error_unit", None), Column("chances", None))
    return Facts(
        "Plan", plan.name,
        (
            Table("questions", "", columns, tuple(_row(share) for share in plan.shares),
                  whole=True),
            *_chance_tables(plan),
            Fact(None, "spends", plan.level, meaning=f"of {plan.total}"),
            Fact("left_over", "left over", Shown(float(plan.left_over), str(plan.left_over)),
                 meaning="stays in the budget"),
            *_split_facts(plan),
            Fact("assumed_rows", "assumed" if plan.assumed_rows is not None else None,
                 None if plan.assumed_rows is None else Shown(
                     plan.assumed_rows, counted(plan.assumed_rows, "row")),
                 meaning="a guess, in equal groups; errors marked “?” rest on it"),
            *_known_facts(plan.known),
            Fact("unit", "protects", plan.declaration.unit.shown),
            *data(name=plan.name, aim=terms.aim, total=float(plan.total),
                  total_delta=float(plan.total.delta), **plan.level.as_json(),
                  confidence=float(plan.confidence), split=None if division is None else {
                      "value": division.value, "bound": division.bound, "gap": division.gap,
                      "equal": division.equal}),
        ),
        (f"“expected”: the mean error of one answer; “{sure}”: its {sure} error, how far it is off "
         f"at most {sure} of the time; “alone”: that error at the whole total.",
         *([f"“{_RANKS}”: an error in ranks, the number of rows between two values."]
           if any(map(_in_ranks, plan.shares)) else [])),
    )


def _row(share: Share) -> tuple[object, ...]:
    plan, term = share.plan, share.term
    mark = _GUESS if share.is_guess else _RANKS if _in_ranks(share) else ""
    return (
        plan.question.title, plan.subqueries[0].family, plan.level.text,
        _shown(plan.error), _shown(share.error, mark), _shown(share.alone, mark),
        plan.mechanism, float(plan.level), float(plan.level.delta),
        _float(plan.error), _float(share.error), _float(share.alone), _float(term.within),
        _float(term.weight), share.is_guess, plan.unit_of_error, plan.chances)


def _chance_tables(plan: Plan) -> tuple[Table, ...]:
    """The chances that keys appear, for each question about keys that are not declared."""
    return tuple(
        replace(table, key=None, label=f"{table.label}, {made.question.title} ({made.level})")
        for made in plan.plans for table in chance_table(made))


def _known_facts(known: Sequence[Known]) -> tuple[Fact, ...]:
    """The counts that a plan states as public; agreed answers meet them."""
    return tuple(Fact(None, "known", each.shown, meaning="public, as the plan states")
                 for each in known)


def _in_ranks(share: Share) -> bool:
    return isinstance(share.plan.strategy.accuracy, Ranks)


def _split_facts(plan: Plan) -> tuple[Fact, ...]:
    division = plan.division
    if division is None:
        return ()
    what = {"largest": "largest error over wanted error", "sum": "sum of errors over wanted ones"}[
        plan.terms.aim.value]
    close = "nothing is better" if not division.gap else "no gap is proved" if (
        division.gap == inf) else f"at most {100 * division.gap:.2g} % above the best split"
    return (Fact(None, "split", f"{what} is {division.value:.4g} ({division.equal:.4g} with equal "
                 f"shares); {close}", meaning="if no error rises with ε"),)


def answered_facts(release: PlanRelease) -> Facts:
    """The answers of a plan, question by question, and the entry in the ledger."""
    plan, booked = release.plan, release.booked
    entry = {"booked": False} if booked is None else {
        "ledger_entry": booked.entry.number, **booked.as_json()}
    return Facts(
        "PlanRelease", plan.name,
        (
            *(_table(part) for part in release.parts),
            *_known_facts(plan.known),
            Fact(None, "level", plan.level, meaning="for all answers together"),
            Fact("unit", "protects", plan.declaration.unit.shown),
            Fact(None, "head", None if booked is None else booked.head),
            *data(name=plan.name, **plan.level.as_json(), parts=_parts(release.parts),
                  dataset=plan.declaration.dataset, declaration=plan.declaration.digest, **entry),
        ),
        (booked_fact(booked).text, *_sentences(release.parts)),
    )


def published_facts(published: PublishedPlan) -> Facts:
    """The verdict on a published plan, and what only the holder of the data can know."""
    holds, reason = published.holds, published.reason
    verdict = "Everything that a document can prove holds." if holds else (
        "The document was changed after it was written: its digest does not fit." if reason is None
        else f"The plan contradicts itself: {reason}.")
    return Facts(
        "PublishedPlan", verdict,
        (
            Fact("name", "plan", published.name),
            listing("", ["question", "mechanism", "ε"], [
                (part.plan.question.title, part.plan.mechanism, part.plan.level.text)
                for part in published.parts], words=2),
            Fact(None, "level", published.level, meaning="for all answers together"),
            Fact(None, "protects", published.declaration.unit.shown, detail=True),
            Fact(None, "digest", None if published.intact or reason is None else "does not fit"),
            *(Fact(None, "proved", text, detail=True) for text in published.checked),
            *(Fact(None, "holder only", text) for text in published.only_holder),
            *data(holds=holds, intact=published.intact, **published.level.as_json(),
                  questions=[part.plan.question.title for part in published.parts],
                  ledger_entry=published.content["entry"]["number"], reason=reason,
                  checked=published.checked, unchecked=(), only_holder=published.only_holder),
        ),
    )


def plan_content_facts(published: PublishedPlan) -> Facts:
    """The answers that a published plan states, without a verdict."""
    entry = published.content["entry"]
    return Facts(
        "PublishedPlan", published.name,
        (
            *(_table(part) for part in published.parts),
            Fact(None, "dataset", published.declaration.dataset),
            Fact(None, "level", published.level, meaning="for all answers together"),
            Fact(None, "entry", f"{entry['number']} of {entry['budget']}, {entry['time']}"),
            Fact(None, "digest",
                 "fits" if published.intact else "does not fit: the file was changed"),
            *data(**published.content, intact=published.intact),
        ),
        (*_sentences(published.parts), "Nothing is judged here; that is for `verify`."),
    )


def _table(part: AnsweredPart) -> Table:
    """The answers to one question; of chosen values with their error, which is in ranks."""
    table, plan = answer_table(part.plan, part.best), part.plan
    agreed = "" if part.agreed is None else ", agreed"
    label = f"{plan.title} ({plan.level}{agreed})"
    if isinstance(plan.strategy.accuracy, Ranks):
        label += f": {plan.accuracy}"
    return Table(None, label, table.columns, table.rows)


def _parts(parts: Sequence[AnsweredPart]) -> list[dict[str, Any]]:
    return [{"question": part.plan.question.title, **part.plan.level.as_json(),
             "mechanism": part.plan.mechanism, "expected_error": _float(part.plan.error),
             "within": _float(part.plan.width), "error_unit": part.plan.unit_of_error,
             "answers": part.answers, "agreed": part.agreed} for part in parts]


def _sentences(parts: Sequence[AnsweredPart]) -> list[str]:
    """The meaning of agreed intervals, of those of each kind of question, and of marks."""
    together = [part.plan for part in parts if part.agreed is not None]
    alone = [part.plan for part in parts if part.agreed is None]
    related = [_RELATED.format(_percent(together[0]))] if together else []
    apart = sorted({interval_text(plan) for plan in alone}, key=len, reverse=True)
    apart = [text for place, text in enumerate(apart)
             if not any(longer.startswith(text.removesuffix(".")) for longer in apart[:place])]
    words = [*(word for plan in together for word in legends(plan, together=True)),
             *(word for plan in alone for word in legends(plan))]
    return [*related, *apart, *dict.fromkeys(words)]


def _percent(plan: Plan | QuestionPlan) -> str:
    return f"{100 * float(plan.confidence):g} %"


def _shown(number: Fraction | None, mark: str = "") -> str:
    if number is None:
        return ""
    return (f"{float(number):,.0f}" if 1000 <= number < 10**7 else f"{float(number):.3g}") + mark


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
