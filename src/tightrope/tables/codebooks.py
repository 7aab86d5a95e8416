"""Code books: public lists of variables with their types, ranges, codes and labels.

A code book is a CSV or TSV file with a line of names. It has one line for each variable, or one for
each code of a variable. Several spellings of a title mean the same. Nothing is guessed: a line
that states no range and no codes declares nothing, unless it states text, whose values nobody
lists; and what contradicts itself is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tightrope.characters import few, label_text
from tightrope.declarations import Declaration
from tightrope.errors import BadInput
from tightrope.files import StrPath, read_sheet
from tightrope.tables.declaring import stated_values

TITLES: Mapping[str, tuple[str, ...]] = {
    "variable": ("variable", "name", "column", "field", "variable name", "column name"),
    "type": ("type", "kind", "data type", "datatype"),
    "low": ("low", "min", "minimum", "lower", "lowest", "from"),
    "high": ("high", "max", "maximum", "upper", "highest", "to"),
    "values": ("values", "codes", "categories", "levels", "value", "code"),
    "labels": ("labels", "label", "value labels", "value label", "meaning"),
    "resolution": ("resolution", "step"),
    "missing": ("missing",),
}
"""Spellings of the titles of a code book."""

_TYPES = {
    **dict.fromkeys(("number", "numeric", "integer", "int", "float", "double", "decimal", "real",
                     "continuous"), "number"),
    **dict.fromkeys(("category", "categorical", "factor", "nominal", "ordinal", "boolean",
                     "binary"), "category"),
    **dict.fromkeys(("text", "string", "character"), "text"),
    "date": "date", "datetime": "datetime", "timestamp": "datetime", "time": "time",
}
_WHOLE = ("integer", "int")


def read_codebook(path: StrPath) -> dict[str, dict[str, Any]]:
    """The columns that a code book declares, by name, as declarations state them.

    Raises: `BadInput` for a file without titles that are known, or a line that makes no sense.
    """
    sheet = read_sheet(path)
    titles = [str(cell or "") for cell in (sheet.header or sheet.rows[0])]
    places = _places(path, titles)
    rows = sheet.rows if sheet.header else sheet.rows[1:]
    lines: dict[str, list[dict[str, str]]] = {}
    for number, row in enumerate(rows, start=1):
        line = {field: str(row[place]).strip() for field, place in places.items()
                if row[place] is not None}
        if "variable" in line:
            lines.setdefault(line.pop("variable"), []).append(line)
        elif line:
            raise BadInput(f"{path}: row {number} after the titles names no variable; repeat its "
                           "name on each line.")
    columns = {name: form for name, of in lines.items() if (form := _column(name, of))}
    if not columns:
        raise BadInput(f"{path} states no range and no codes of any variable.")
    Declaration.of({"dataset": "code book", "columns": columns})
    return columns


def _places(path: StrPath, titles: Sequence[str]) -> dict[str, int]:
    """Where the titles of a code book are; others mean nothing here."""
    plain = [" ".join(title.lower().replace("_", " ").split()) for title in titles]
    places: dict[str, int] = {}
    for field, names in TITLES.items():
        known = [place for place, title in enumerate(plain) if title in names]
        if field == "labels" and len(known) > 1:  # beside these, "label" describes the variable
            known = [place for place in known if plain[place].startswith("value")] or known
        if len(known) > 1:
            raise BadInput(f"{path} has several titles that mean {field}: "
                           f"{few([label_text(titles[place]) for place in known])}.")
        if known:
            places[field] = known[0]
    if "variable" not in places or len(places) < 2:
        commas = "" if len(titles) > 1 or ";" not in titles[0] else (
            "; commas stand between its cells, or tabs in a .tsv file")
        raise BadInput(f"{path} is no code book: its first line names a column variable (or name) "
                       "and some of type, low (min), high (max), values (codes), labels"
                       f"{commas}.")
    return places


def _column(name: str, lines: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The column of one variable; empty if nothing is stated of it."""
    subject = f"the variable {label_text(name)!r}"
    stated = _fields_of(subject, lines)
    word = stated.get("type", "").lower()
    if word and word not in _TYPES:
        raise BadInput(f"{subject} has type {label_text(word)!r}; expected number, category, "
                       "text, date, datetime or time.")
    codes = [line for line in lines if "values" in line or "=" in line.get("labels", "")]
    kind = _TYPES.get(word) or ("category" if codes else "number" if "low" in stated else "")
    if kind == "text" and codes:
        kind = "category"
    extra = {field: stated[field] for field in ("missing",) if field in stated}
    if kind == "category":
        return {"type": kind, **_codes(subject, lines), **extra} if codes else {}
    if len(lines) > 1:
        raise BadInput(f"{subject} has several lines, as codes have, and is no category.")
    if kind == "text":
        return {"type": kind}
    if not {"low", "high"} <= stated.keys():
        if {"low", "high"} & stated.keys():
            raise BadInput(f"{subject} has one bound; state both low and high, or none.")
        return {}
    if codes:
        raise BadInput(f"{subject} has bounds and codes; a {kind} has bounds only, and a category "
                       "has codes.")
    step = stated.get("resolution") or ("1" if word in _WHOLE else "")
    return {"type": kind, "low": stated["low"], "high": stated["high"],
            **({"resolution": step} if step and kind == "number" else {}), **extra}


def _fields_of(subject: str, lines: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The fields of a variable but for codes and labels; on several lines each says the same."""
    stated: dict[str, str] = {}
    for field in ("type", "low", "high", "resolution", "missing"):
        different = {line[field] for line in lines if field in line}
        if len(different) > 1:
            raise BadInput(f"{subject} has several lines that differ in {field}.")
        stated |= dict.fromkeys([field] if different else [], *different)
    return stated


def _codes(subject: str, lines: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Codes with labels: in one cell of one line, or in a line for each code."""
    if len(lines) == 1:
        return _listed(subject, lines[0])
    if not all("values" in line for line in lines):
        raise BadInput(f"{subject} has several lines, and one without a code.")
    labels = {line["values"]: line["labels"] for line in lines if "labels" in line}
    values = [line["values"] for line in lines]
    return {"values": values, **({"labels": labels} if labels else {})}


def _listed(subject: str, line: Mapping[str, str]) -> dict[str, Any]:
    if "labels" not in line:
        return stated_values(line["values"])
    if "values" not in line:
        return stated_values(line["labels"])
    values = stated_values(line["values"])["values"]
    if "=" in line["labels"]:
        listed = stated_values(line["labels"])
        if len({*listed["values"]}) < len(listed["values"]):
            raise BadInput(f"{subject} has two labels for one code.")
        if unknown := [code for code in listed["values"] if code not in values]:
            raise BadInput(f"{subject} has a label for {label_text(unknown[0])!r}, which is not "
                           "among its codes.")
        return {"values": values, "labels": listed["labels"]}
    labels = stated_values(line["labels"])["values"]
    if len(values) != len(labels):
        raise BadInput(f"{subject} has {len(values)} codes and {len(labels)} labels.")
    return {"values": values, "labels": dict(zip(values, labels, strict=True))}
