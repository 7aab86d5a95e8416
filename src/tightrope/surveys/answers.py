"""Answers as a text, and a design in a file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from tightrope.errors import BadInput
from tightrope.files import read_matrix
from tightrope.spaces import split_names
from tightrope.surveys.designs import NO_YES, Design, custom


def answer_names(text: str) -> tuple[str, ...]:
    """The answers in a text such as no/yes, the harmless one first.

    >>> answer_names("never / once/often"), answer_names("yes*/no")
    (('never', 'once', 'often'), ('no', 'yes'))
    """
    listed = split_names(text)
    names = [name.removesuffix("*").strip() for name in listed]
    marked = [name for name, raw in zip(names, listed, strict=True) if raw.endswith("*")]
    if len(names) < 2 or len(set(names)) < len(names) or not all(names):
        raise BadInput(f"expected at least two different answers as no/yes, found {text!r}.")
    if marked and (len(names), len(marked)) != (2, 1):
        raise BadInput(
            "a star marks the sensitive one of two answers (of more, all but the first are "
            f"sensitive), found {text!r}."
        )
    if not marked:
        _check_order(names)
    return tuple(sorted(names, key=lambda name: name in marked))


def read_design(file: str | PathLike[str], answers: str | None = None) -> Design:
    """The design in a file: a row for each answer, a column for each response.

    A decimal means what is written there: 0.1 is 1/10, not the double beside it.
    """
    read = read_matrix(file)
    height, width = read.values.shape
    asked = NO_YES if answers is None else answer_names(answers)
    if answers is not None and answers.strip().startswith(f"{asked[1]}*"):
        raise BadInput(f"the rows of {file} are the answers, the harmless one first: write it so.")
    names = asked if read.row_labels is None else tuple(map(str, read.row_labels))
    if answers is None:
        _check_order(names)
    elif names != asked:
        raise BadInput(
            f"the rows of {file} are named {', '.join(names)}, not {', '.join(asked)}: "
            "leave the answers out, or name them alike."
        )
    if len(names) != height:
        raise BadInput(
            f"expected a row of {file} for each of the answers {', '.join(names)}, "
            f"found {height} rows."
        )
    if read.column_labels is not None:
        responses = tuple(map(str, read.column_labels))
    else:
        responses = names if width == height else tuple(f"response {j + 1}" for j in range(width))
    cells = read.exact or [[repr(float(value)) for value in row] for row in read.values]
    return custom(names, responses, cells, names[1:])


def _check_order(names: Sequence[str]) -> None:
    if [name.casefold() for name in names] == ["yes", "no"]:
        raise BadInput(
            "the harmless answer comes first, so that “no” would be the sensitive one of yes/no: "
            "write no/yes, or yes/no* if that is meant."
        )
