"""Rows of the golden net: the words that are typed, the exit code, and values of the answer.

A file of rows is a story: its rows run in order in one folder, which begins with a copy of
`files/`. A row holds

- `type`: the words after `tightrope`, as a shell splits them;
- `exit`: the exit code, 0 if not said;
- `values`: for rows with `--json`, a path into the answer ("rows.0.value") and what stands there.
  A text that looks like a number (`"2/3"`, `"ln(3)"`, `"-1"`) is that real number, met within
  1e-9 of its size; a float is met within 1e-6; a list of two under `between` bounds a number;
- `shows`: texts that a page for people contains;
- `makes`: files that exist afterwards;
- `contains`: files with the texts that stand in them afterwards;
- `lines`: files with the number of their lines;
- `answers`: before that, a survey and the places of the responses that respondents send to it;
- `why`: where the expectation comes from, if the numbers do not say it.

Expectations were worked out apart from the library or read by eye once, never copied blindly:
a row whose value changes is a change of meaning, to be explained in the commit that changes it.
"""

from __future__ import annotations

import math
import re
import shlex
import tomllib
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

NOTHING = "(nothing stands here)"
HERE = Path(__file__).parent
FILES = HERE / "files"
STORIES = tuple(sorted(path.stem for path in HERE.glob("*.toml")))
_LOGARITHM = re.compile(r"ln\((.+)\)")


@dataclass(frozen=True)
class Row:
    """One command as it is typed, and what is expected of it."""

    words: tuple[str, ...]
    exit: int = 0
    values: dict[str, Any] = field(default_factory=dict)
    between: dict[str, list[float]] = field(default_factory=dict)
    shows: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    contains: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    answers: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return shlex.join(self.words)


def story(name: str) -> list[Row]:
    """The rows of a story, in order."""
    form = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
    known = {"type", "exit", "values", "between", "shows", "makes", "contains", "lines", "answers",
             "why"}
    rows = []
    for entry in form["row"]:
        assert set(entry) <= known, f"unknown field in {name}: {set(entry) - known}"
        rows.append(Row(tuple(shlex.split(entry["type"])), entry.get("exit", 0),
                        entry.get("values", {}), entry.get("between", {}),
                        tuple(entry.get("shows", ())), tuple(entry.get("makes", ())),
                        entry.get("contains", {}), entry.get("lines", {}),
                        tuple(entry.get("answers", "").split())))
    return rows


def look_up(answer: Any, path: str) -> Any:
    """The value at a path such as `rows.0.value`; `#` is how many entries there are."""
    for step in path.split("."):
        if step == "#":
            answer = len(answer) if isinstance(answer, list | dict) else NOTHING
        elif isinstance(answer, list):
            answer = answer[int(step)] if int(step) < len(answer) else NOTHING
        else:
            answer = answer.get(step, NOTHING) if isinstance(answer, dict) else NOTHING
    return answer


def agrees(found: Any, expected: Any) -> bool:
    """Whether a value of an answer is the expected one."""
    if isinstance(expected, str) and expected == "null":
        return found is None
    if isinstance(expected, list):
        return (isinstance(found, list) and len(found) == len(expected)
                and all(map(agrees, found, expected)))
    if isinstance(expected, dict):
        return (isinstance(found, dict)
                and all(name in found and agrees(found[name], part)
                        for name, part in expected.items()))
    if isinstance(expected, str) and isinstance(found, int | float):
        number = _number(expected)
        return number is not None and math.isclose(found, number, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(expected, float):
        return isinstance(found, int | float) and math.isclose(found, expected, rel_tol=1e-6)
    return type(found) is type(expected) and found == expected


def _number(text: str) -> float | None:
    logarithm = _LOGARITHM.fullmatch(text)
    try:
        return math.log(Fraction(logarithm[1])) if logarithm else float(Fraction(text))
    except ValueError:
        return None
