"""Columns as declarations state them: a table of fields each, such as a TOML file has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope.characters import counted, few, label_text, meant
from tightrope.declarations.columns import LEAVE_OUT, AnyColumn, CategoryColumn, NumberColumn
from tightrope.declarations.moments import Clock
from tightrope.declarations.periods import Period, PeriodColumn
from tightrope.declarations.texts import TextColumn
from tightrope.declarations.times import TimeColumn
from tightrope.errors import BadInput

Column = NumberColumn | CategoryColumn | PeriodColumn

FIELDS: dict[str, tuple[str, ...]] = {
    "number": ("low", "high", "resolution", "missing", "bins", "thousands", "decimal"),
    "category": ("values", "other", "missing", "labels"),
    **dict.fromkeys(map(str, Clock), ("low", "high", "missing", "bins")),
    "period": ("of", "period"),
    "any": (),
    "text": ("longest",),
}
"""The fields of every type of column."""

_NEEDED = {"category": ("values",), "period": ("of", "period"), "any": (),
           "text": ()}


def columns_of(forms: Mapping[Any, Any]) -> dict[str, Column | AnyColumn]:
    """The columns that a declaration states, by name; periods follow from other columns."""
    named = {str(name): form for name, form in forms.items()}
    fields = {name: _fields(form, name) for name, form in named.items()}
    stored = {name: _stored(given, name) for name, given in fields.items()
              if given["type"] != "period"}
    return {name: stored[name] if name in stored else _period(given, name, stored)
            for name, given in fields.items()}


def _fields(form: object, name: str) -> dict[str, Any]:
    """The fields of a column, all of which have a meaning for its type."""
    subject = f"the column {label_text(name)!r}"
    if not isinstance(form, Mapping):
        raise BadInput(f"{subject} is declared by a table of fields.")
    kind = form.get("type")
    fields = FIELDS.get(str(kind))
    if fields is None:
        stated = "no type" if kind is None else f"type {label_text(kind)!r}"
        raise BadInput(f"{subject} has {stated}; expected number, category, date, datetime, time, "
                       "period, or text for values that nobody listed.")
    unknown = sorted(set(map(str, form)) - {"type", *fields})
    if unknown:
        raise BadInput(f"{subject} has {counted(len(unknown), 'field')} of "
                       f"no meaning: {label_text(unknown[0])!r}.")
    for field in _NEEDED.get(str(kind), ("low", "high")):
        if field not in form and not (field == "values" and "labels" in form):
            hint = "; values that nobody listed are of type text" if field == "values" else ""
            raise BadInput(f"{subject} declares no {field!r}{hint}.")
    return {str(field): value for field, value in form.items()}


def _stored(given: Mapping[str, Any], name: str) -> NumberColumn | CategoryColumn | AnyColumn:
    """A column that the table holds."""
    kind, fields = given["type"], {field: value for field, value in given.items()
                                   if field != "type"}
    if "values" not in fields and isinstance(fields.get("labels"), Mapping):
        fields["values"] = list(fields["labels"])
    for field in ("missing", "other"):
        if fields.get(field) == LEAVE_OUT:
            fields[field] = None
    for field in ("bins", "values"):
        if field in fields and not isinstance(fields[field], list | tuple):
            raise BadInput(f"the column {label_text(name)!r} needs a list of its {field}.")
    try:
        if kind == "any":
            return AnyColumn()
        if kind == "text":
            return TextColumn(**fields)
        if kind in list(Clock):
            return TimeColumn(**fields, clock=Clock(kind))
        return NumberColumn(**fields) if kind == "number" else CategoryColumn(**fields)
    except BadInput as wrong:
        raise BadInput(f"column {label_text(name)!r}: {wrong}") from None


def _period(given: Mapping[str, Any], name: str, stored: Mapping[str, Any]) -> PeriodColumn:
    """A column that follows from a declared time column."""
    of, times = given["of"], [other for other, column in stored.items()
                              if isinstance(column, TimeColumn)]
    subject = f"column {label_text(name)!r}:"
    if of not in times:
        known = f" ({few(times)})" if times else ""
        raise BadInput(f"{subject} a period is of a column that is declared as a date, datetime or "
                       f"time{known}, found {label_text(of)!r}{meant(str(of), times)}.")
    try:
        return PeriodColumn(str(of), stored[of], Period(given["period"]))
    except ValueError:
        raise BadInput(f"{subject} a period is year, quarter, month, week, day, weekday or hour, "
                       f"found {label_text(given['period'])!r}.") from None
    except BadInput as wrong:
        raise BadInput(f"{subject} {wrong}") from None
