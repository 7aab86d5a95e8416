"""How a mechanism is shown: a line, a card with a picture; as numbers, CSV and LaTeX.

A mechanism describes. Nothing here says how private it is: that is for a certificate.
"""

from __future__ import annotations

import csv
from dataclasses import fields
from enum import StrEnum
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from tightrope.characters import counted, few, label_text, shorten
from tightrope.exact import FloatArray, ball_of, short_text
from tightrope.markup import LARGEST_PICTURE, card, heat_map, latex_table, latex_text
from tightrope.spaces import Datasets

if TYPE_CHECKING:
    from tightrope.mechanisms.forms import Held
    from tightrope.mechanisms.matrix import MatrixMechanism

_LONGEST: Final = 400
"""Digits over and under the line of a probability in CSV; one that is longer is rounded."""

NO_CLAIM: Final = (
    "This describes a mechanism and claims no privacy; verify proves or refutes a level."
)


class Written(Protocol):
    """Mechanisms that can be written out as a matrix."""

    def matrix(self) -> MatrixMechanism: ...


def mechanism_line(mechanism: Any) -> str:
    """A mechanism in one line: its space, how many outputs it lists, its numbers.

    >>> from tightrope.mechanisms import NoiseMechanism
    >>> from tightrope.spaces import path
    >>> NoiseMechanism(path(0, 9), Fraction(2))
    NoiseMechanism(path:0..9, 10 inputs, ratio 2)
    """
    space = mechanism.space
    return f"{type(mechanism).__name__}({', '.join([shorten(space.text), *_facts(mechanism)])})"


def mechanism_card(mechanism: Any) -> str:
    """A mechanism as HTML, with a picture where it is small."""
    return card(
        type(mechanism).__name__,
        mechanism_facts(mechanism),
        picture=mechanism_picture(mechanism),
        sentences=(NO_CLAIM,),
    )


def mechanism_facts(mechanism: Any) -> list[tuple[str, object]]:
    """The space, the inputs and outputs and the numbers of a mechanism."""
    space, outputs = mechanism.space, getattr(mechanism, "outputs", None)
    if isinstance(space, Datasets):
        return [("datasets", space.text), ("numbers", ", ".join(_facts(mechanism)))]
    numbers = _facts(mechanism)[1 if outputs is None else 2 :]
    return [
        ("space", shorten(space.text)),
        ("inputs", f"{counted(space.size, 'input')}: {few(space.points, space.size)}"),
        ("outputs", outputs and f"{counted(len(outputs), 'output')}: {few(outputs)}"),
        ("numbers", ", ".join(numbers) or None),
    ]


def mechanism_picture(mechanism: Any) -> str:
    """A picture of all probabilities of a small mechanism with listed outputs, else nothing."""
    outputs = getattr(mechanism, "outputs", ())
    if not 0 < len(outputs) <= LARGEST_PICTURE or mechanism.space.size > LARGEST_PICTURE:
        return ""
    return heat_map(
        mechanism.to_numpy().tolist(),
        [label_text(point) for point in mechanism.space.points],
        [label_text(output) for output in outputs],
        what="the probability of each output, given the input",
    )


def _facts(mechanism: Any) -> list[str]:
    listed = not isinstance(mechanism.space, Datasets)
    facts = [counted(mechanism.space.size, "input")] if listed else []
    if hasattr(mechanism, "outputs"):
        facts.append(counted(len(mechanism.outputs), "output"))
    for field in fields(mechanism):
        value = getattr(mechanism, field.name)
        if type(value) in (int, Fraction) and value != field.default:
            facts.append(f"{field.name} {short_text(Fraction(value))}")
        elif value is True:
            facts.append(field.name)
        elif type(value) is tuple and value and type(value[0]) is Fraction:
            facts.append(f"{field.name} {few([short_text(part) for part in value], len(value))}")
        elif isinstance(value, StrEnum):
            facts.append(value.value)
    return facts


def to_numpy(mechanism: Written) -> FloatArray:
    """All probabilities as the nearest doubles: rows are inputs, columns are `outputs`.

    They are for looking and computing, not for proving: rounded rows may be private at no level.
    """
    return mechanism.matrix().weights.floats.copy()


def array_of_matrix(mechanism: Written, dtype: Any = None, copy: bool | None = None) -> Any:
    """`np.array(mechanism)`: what `to_numpy` gives."""
    if copy is False:
        raise ValueError("the doubles of a mechanism are a copy of its exact numbers.")
    return np.asarray(to_numpy(mechanism), dtype=dtype)


def array_of_mechanism(holder: Held, dtype: Any = None, copy: bool | None = None) -> Any:
    """`np.array` of what holds a mechanism: that of the mechanism."""
    return np.array(holder.mechanism, dtype=dtype, copy=copy)


def to_csv(mechanism: Written) -> str:
    """All probabilities as CSV text, under the names of the outputs, beside those of the inputs.

    They are exact fractions, and a file with this text holds the same mechanism; only where one
    has more than 400 digits are they the nearest doubles, which may be private at no level.
    """
    matrix, text = mechanism.matrix(), StringIO()
    rows = [matrix.row_at(i) for i in range(matrix.space.size)]
    exact = all(p.denominator < 10**_LONGEST for row in rows for p in row)
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["", *map(str, matrix.outputs)])
    for point, row in zip(matrix.space.points, rows, strict=True):
        lines.writerow([str(point), *(str(p) if exact else repr(float(p)) for p in row)])
    return text.getvalue()


def to_latex(mechanism: Written) -> str:
    """All probabilities as a LaTeX table: fractions where they are short, else four digits."""
    matrix = mechanism.matrix()
    rows = [[latex_text(label_text(point)), *map(_formula, matrix.row_at(i))]
            for i, point in enumerate(matrix.space.points)]
    head = ["", *(latex_text(label_text(output)) for output in matrix.outputs)]
    return latex_table(head, rows, f"r|{'c' * len(matrix.outputs)}")


def _formula(p: Fraction) -> str:
    if p.denominator == 1:
        return f"${p}$"
    if p.denominator < 10_000:
        return f"$\\frac{{{p.numerator}}}{{{p.denominator}}}$"
    head, e, power = str(ball_of(p, 80).str(4, radius=False)).partition("e")
    return f"${head} \\cdot 10^{{{int(power)}}}$" if e else f"${head}$"
