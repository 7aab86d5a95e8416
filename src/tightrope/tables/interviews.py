"""Declarations by question and answer: what is missing is asked for, column by column.

Only names and stored types are known here; no row is read. Every answer is checked at once by the
very constructors that read declarations, and asked for again if they refuse it. Whoever asks and
tells is given as two functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tightrope.characters import label_text, meant
from tightrope.declarations import Declaration
from tightrope.errors import BadInput
from tightrope.tables.declaring import PERIODS, Draft, declaration_text, stated_values

WHY = ("No row is looked at: bounds and categories that were read off the data would tell about "
       "somebody, such as the oldest one. State what is known without the data, from a code book.",
       "Enter leaves a column out, or takes what stands in parentheses.")

T = TypeVar("T")
TYPES = ("number", "category", "text", "date", "datetime", "time")
_STORED = {"whole": "whole numbers", "number": "numbers", "category": "texts", "date": "dates",
           "datetime": "dates with times", "time": "times of day", None: "no stored type"}


@dataclass
class Interview:
    """Questions about a table, and the answers so far."""

    schema: Mapping[str, str | None]
    ask: Callable[[str], str]
    tell: Callable[[str], None]
    known: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def declaration(self, dataset: str) -> Draft:
        """The whole declaration, as TOML that `Declaration.of` reads.

        Raises: `BadInput` if no column was declared.
        """
        for line in WHY:
            self.tell(line)
        name = self._until(f"name of the dataset ({dataset}): ", lambda text: self._checked(
            {"dataset": text or dataset}, text or dataset))
        unit = self._unit()
        columns: dict[str, Any] = {}
        people = unit.get("person", [])
        for column, kind in self.schema.items():
            if column in self.known:
                columns[column] = dict(self.known[column])
            elif column not in ([people] if isinstance(people, str) else people):
                self._column(column, kind, columns)
        if not columns:
            raise BadInput("no column was declared, so there is nothing to write.")
        form = {"dataset": name, "unit": unit, "columns": columns}
        Declaration.of(form)
        return Draft(declaration_text(form), tuple(columns))

    def _unit(self) -> dict[str, Any]:
        """Whom the release protects."""
        def person(text: str) -> Any:
            names = [part.strip() for part in text.split(",") if part.strip()]
            for name in names:
                if name not in self.schema:
                    raise BadInput(f"the table has no column {label_text(name)!r}"
                                   f"{meant(name, self.schema)}.")
            return self._checked({"unit": {"person": names}}, names) if names else None

        names = self._until("column that names people, or several with commas (each row is "
                            "protected by itself): ", person)
        if names is None:
            return {}
        unit = {"person": names[0] if len(names) == 1 else names}
        rows = self._until("rows of each that count, at most (1): ", lambda text: self._checked(
            {"unit": {**unit, "rows": text or 1}}, int(text or 1)))
        return unit if rows == 1 else {**unit, "rows": rows}

    def _column(self, name: str, kind: str | None, columns: dict[str, Any]) -> None:
        """Ask for one column, which is left out if nothing is answered."""
        self.tell(f"{label_text(name)}: {_STORED[kind]}")
        stated = "number" if kind == "whole" else kind
        if kind in (None, "category"):
            stated = self._until(f"  type: {', '.join(TYPES)} (leave out; text: values that nobody "
                                 "lists): ", _type)
        if stated is None:
            return
        if stated == "text":
            columns[name] = {"type": "text"}
            return
        form = self._category(name) if stated == "category" else self._range(
            name, stated, whole=kind == "whole")
        if form is None:
            return
        columns[name] = form
        if stated in PERIODS:
            self._periods(name, stated, columns)

    def _category(self, name: str) -> dict[str, Any] | None:
        """The categories of a column."""
        def values(text: str) -> dict[str, Any] | None:
            form = {"type": "category", **stated_values(text)} if text else None
            return None if form is None else self._checked_column(name, form)

        form = self._until("  categories with commas, such as f, m or 1=never, 2=rarely (leave "
                           "out): ", values)
        if form is None:
            return None
        return self._until("  category of all other values (such rows are left out): ",
                           lambda text: self._checked_column(
                               name, {**form, "other": text} if text else form))

    def _range(self, name: str, kind: str, *, whole: bool) -> dict[str, Any] | None:
        """The bounds of a column, and how it is rounded or counted."""
        bounds = self._bounds(name, kind)
        if bounds is None:
            return None
        if bounds["type"] == "category":
            return self._category(name)
        form = bounds
        if kind == "number":
            default = "1" if whole else ""
            shown = "1" if whole else "2^20 steps, for quantiles 1,000"
            form = self._until(f"  rounded to steps of ({shown}): ", lambda text:
                               self._checked_column(name, {**form, "resolution": text or default}
                                                    if text or default else form))
        return self._until("  edges of bins with commas (none): ", lambda text:
                           self._checked_column(name, {**form, "bins": [
                               edge.strip() for edge in text.split(",")]} if text else form))

    def _bounds(self, name: str, kind: str) -> dict[str, Any] | None:
        """Both bounds; without a high one the low one is asked for again.

        Of a column of numbers that are codes, its type alone.
        """
        codes = ", or category for codes" if kind == "number" else ""

        def low(text: str) -> str:
            return self._low(name, kind, text)

        def high(text: str) -> dict[str, Any] | None:
            return self._checked_column(name, {"type": kind, "low": least, "high": text}) if (
                text) else None

        while least := self._until(f"  lowest value that counts{codes} (leave out): ", low):
            if least == "category":
                return {"type": least}
            form = self._until("  highest value that counts (another lowest): ", high)
            if form is not None:
                return form
        return None

    def _low(self, name: str, kind: str, text: str) -> str:
        """A low bound that can be read: it lies below some high one."""
        if text and (kind, text) != ("number", "category"):
            high = {"number": "1e99", "time": "23:59:59"}.get(kind, "9999-12-31")
            self._checked_column(name, {"type": kind, "low": text, "high": high})
        return text

    def _periods(self, name: str, kind: str, columns: dict[str, Any]) -> None:
        """Columns of periods that follow from a date or time."""
        def periods(text: str) -> dict[str, Any]:
            made = {f"{name}_{period}": {"type": "period", "of": name, "period": period}
                    for part in text.split(",") if (period := part.strip())}
            for title in made:
                if title in self.schema:
                    raise BadInput(f"the table has a column {label_text(title)!r} already.")
            return self._checked({"columns": {**columns, **made}}, made)

        columns |= self._until(f"  periods to count by, of {', '.join(PERIODS[kind])} (none): ",
                               periods)

    def _checked_column(self, name: str, form: dict[str, Any]) -> dict[str, Any]:
        return self._checked({"columns": {name: form}}, form)

    def _checked(self, form: Mapping[str, Any], value: T) -> T:
        """The value, if a declaration with it makes sense."""
        some = {"x": {"type": "category", "values": ["x"]}}
        Declaration.of({"dataset": "x", "columns": some, **form})
        return value

    def _until(self, question: str, read: Callable[[str], T]) -> T:
        """Ask until an answer can be read."""
        while True:
            answer = self.ask(question).strip()
            try:
                return read(answer)
            except BadInput as wrong:
                self.tell(f"  {wrong}")
            except ValueError:
                self.tell("  expected a whole number.")


def _type(text: str) -> str | None:
    chosen = [name for name in TYPES if text and name == text.lower()]
    if text and not chosen:
        raise BadInput(f"expected one of {', '.join(TYPES)}{meant(text, TYPES)}.")
    return chosen[0] if chosen else None
