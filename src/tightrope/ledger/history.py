"""The history of a budget: its charges in order, who asked, what was left after each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tightrope.characters import counted
from tightrope.facts import Table, listing
from tightrope.ledger.entries import Balance, Kind, Record, Superseded, level_of, superseded_from
from tightrope.ledger.sums import remainder, spent_from

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Line:
    """One charge: when, who, what, at which level, the sums after it, and its state."""

    record: Record
    left: str
    answered: bool
    superseded: Superseded | None

    @property
    def state(self) -> str:
        """Whether there is an answer, and whether it stands, in few words."""
        if self.superseded is not None:
            return self.superseded.state
        return "answered" if self.answered else "no answer"

    @property
    def asked(self) -> str:
        """The question, or the name of a plan with the number of its questions."""
        body = self.record.body
        if "parts" in body and body.get("request"):
            return f"{body['request']} ({counted(len(body['parts']), 'question')})"
        return str(body["question"])

    @property
    def asker(self) -> str | None:
        """Who asked, if anybody is named."""
        return self.record.body.get("asker")

    @property
    def spent(self) -> float:
        """ε of the whole after this charge."""
        return _epsilon(self.record.body["spent"])

    @property
    def own(self) -> float | None:
        """ε of whoever asked after this charge."""
        own = self.record.body.get("asker_spent")
        return None if own is None else _epsilon(own)

    def as_json(self) -> dict[str, Any]:
        """The line as JSON has it."""
        level = level_of(self.record)
        return {"entry": self.record.number, "time": self.record.time, "asker": self.asker,
                "question": self.record.body["question"], "epsilon": float(level),
                "delta": float(level.delta), "spent": self.spent, "left": self.left,
                "state": self.state, "superseded": self.superseded}


def history(records: Sequence[Record], balance: Balance) -> tuple[Line, ...]:
    """The charges of a budget in order."""
    own = [record for record in records if record.budget == balance.budget.name]
    answered = {record.body["entry"] for record in own if record.kind is Kind.ANSWER}
    superseded = {record.body["entry"]: superseded_from(record) for record in own
                  if record.kind is Kind.SUPERSEDE}
    return tuple(
        Line(record, remainder(balance.budget.level, spent_from(record.body["spent"]).epsilon),
             record.number in answered, superseded.get(record.number))
        for record in own if record.kind is Kind.CHARGE)


def history_table(lines: Sequence[Line]) -> Table:
    """The charges for readers: who asked and δ stand there if anybody asked, or spent any."""
    people = any(line.asker is not None for line in lines)
    deltas = any(level_of(line.record).delta for line in lines)
    names = ["question", "entry", "date", *["who"] * people, "ε", *["δ"] * deltas, "left", "state"]
    rows = []
    for line in lines:
        level = level_of(line.record)
        rows.append([
            line.asked, line.record.number, line.record.time[:10],
            *[line.asker or ""] * people, level.pure.text,
            *[f"{float(level.delta):.3g}"] * deltas, line.left, line.state])
    return listing("", names, rows)


def history_figure(lines: Sequence[Line], balance: Balance, opened: str) -> Figure:
    """ε spent over time, of the whole and of each person."""
    from tightrope.plots import spending_figure

    start = datetime.fromisoformat(opened)
    whole = [(start, 0.0), *((_time(line), line.spent) for line in lines)]
    people = {
        f"{person.name}, of {float(person.level):g}": [
            (start, 0.0), *((_time(line), line.own or 0.0) for line in lines
                            if line.asker == person.name)]
        for person in balance.people}
    marked = [(_time(line), line.spent) for line in lines if line.superseded or not line.answered]
    return spending_figure(whole, people, float(balance.budget.level), marked,
                           f"Budget {balance.budget.name}: {balance.remaining} left")


def _time(line: Line) -> datetime:
    return datetime.fromisoformat(line.record.time)


def _epsilon(form: object) -> float:
    spent = spent_from(form).epsilon
    return 0.0 if spent is None else float(spent)
