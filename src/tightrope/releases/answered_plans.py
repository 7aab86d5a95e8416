"""An answered plan: every question with its answers, and those that agree with each other.

The raw answers of a question are those that it would have by itself. Where questions of the plan
are related on every table, agreed answers stand beside them: less noisy, unbiased, adding up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tightrope.errors import BadInput, Refused
from tightrope.extras import require
from tightrope.facts import Fact, Facts, card_of
from tightrope.ledger import Booked
from tightrope.releases.accuracy import Ranks
from tightrope.releases.agreement import agree
from tightrope.releases.answers import Answer, answers
from tightrope.releases.figures import release_figure
from tightrope.releases.known import Known
from tightrope.releases.plan_descriptions import answered_facts
from tightrope.releases.planning import QuestionPlan
from tightrope.releases.plans import Plan
from tightrope.releases.release import Frame, Release, answer_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class AnsweredPart:
    """One question of a plan: raw answers, and agreed ones where others are related to it."""

    plan: QuestionPlan
    answers: tuple[Answer, ...]
    agreed: tuple[Answer, ...] | None = None

    @property
    def best(self) -> tuple[Answer, ...]:
        """The agreed answers, or else the raw ones."""
        return self.answers if self.agreed is None else self.agreed


def answered_parts(
    plans: Sequence[QuestionPlan], drawn: Sequence[Sequence[Sequence[int]]],
    known: Sequence[Known] = (),
) -> tuple[AnsweredPart, ...]:
    """The parts of a plan from what was drawn for each question."""
    raw = [answers(plan, numbers) for plan, numbers in zip(plans, drawn, strict=True)]
    agreed = agree(plans, drawn, raw, known)
    return tuple(map(AnsweredPart, plans, raw, agreed))


@dataclass(frozen=True)
class PlanRelease:
    """The answers of a plan, charged together; `parts` are in the order of its questions.

    `r["count by sex"]` is a question by its text, and `r[0]` by its place: a `Release` with
    `to_frame()`, `plot()` and, of one number, `value` and `interval`. It holds agreed answers where
    there are some; `parts` has both.
    """

    plan: Plan
    parts: tuple[AnsweredPart, ...]
    booked: Booked | None = None
    frame: Frame = "pyarrow"

    def __getitem__(self, which: int | str) -> Release:
        return self._release(self._place(which))

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Release]:
        return map(self._release, range(len(self.parts)))

    def _release(self, place: int) -> Release:
        part = self.parts[place]
        return Release(part.plan, part.best, self.booked, self.frame, of_plan=place)

    def _place(self, which: int | str | None) -> int:
        texts = [part.plan.question.text for part in self.parts]
        if isinstance(which, str) and which in texts:
            return texts.index(which)
        if type(which) is int and -len(texts) <= which < len(texts):
            return which % len(texts)
        raise BadInput("a question of a plan is named by its text or its place, from 0 to "
                       f"{len(texts) - 1}: {texts[0]!r}.")

    def to_frame(self, which: int | str | None = None) -> Any:
        """The answers to one question as a frame; it has to be named."""
        return self._release(self._place(which)).to_frame()

    def plot(self, which: int | str | None = None) -> Figure:
        """A picture of the answers to one question; it has to be named."""
        require("plot", "a picture")
        part = self.parts[self._place(which)]
        return release_figure(part.plan, part.best)

    def document(self) -> Mapping[str, Any]:
        """The whole of what may be published, as `verify` reads it; only if it was booked."""
        from tightrope.releases.plan_documents import composed_plan

        if self.booked is None:
            raise Refused("nothing was booked, so there is no document: open the table with a "
                          "budget, tr.open(data, declaration, ledger=…, budget=…).")
        return composed_plan(self.plan.name, self.plan.total, self.plan.plans, self.booked.answer,
                             self.booked.entry.as_json(), self.booked.head, self.plan.known)

    def facts(self) -> Facts:
        """The answers to all questions, and the entry in the ledger."""
        return answered_facts(self)

    def __repr__(self) -> str:
        facts = self.facts()
        brief = replace(facts, items=tuple(
            item for item in facts.items if isinstance(item, Fact))).lines()
        return "\n".join([brief, *(line for release in self for line in _lines(release))])

    _repr_html_ = card_of


def _lines(release: Release) -> list[str]:
    """The answers to one question, below its text."""
    table, facts = answer_lines(release)
    accuracy = [release.plan.accuracy] if isinstance(
        release.plan.strategy.accuracy, Ranks) else []
    if not facts:
        return ["", *table, *accuracy]
    (title, value), *more = facts
    beside = [f"{name}: {text}" for name, text in more] + accuracy
    return ["", f"{title}: {value}" + "".join(f" ({text})" for text in beside)]
