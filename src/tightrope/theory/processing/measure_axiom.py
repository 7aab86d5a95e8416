"""A utility measure judged by KL10's Axiom 3.1.4: post-processing must never raise it.

A measure is a function of a matrix of exact fractions, a row for each input. It is tried on
mechanisms and channels after them: all matrices with two outputs on a grid, some with three.
A channel that raises the measure is a counterexample, exact as far as the measure is; without one
nothing is proved about other matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tightrope.errors import BadInput
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.theory.processing.postprocessing import texts

Rows = tuple[tuple[Fraction, ...], ...]
Measure = Callable[[Rows], object]
_TRIED = 400
"""Mechanisms and channels with three outputs that are tried after those on the grid."""
_SLACK = 2.0**-40
"""Relative rise of a measure in doubles that counts as rounding."""


@dataclass(frozen=True)
class MeasureVerdict:
    """Whether a channel was found that raises a measure: mechanism, channel and both values."""

    tried: int
    mechanism: Rows | None
    channel: Rows | None
    values: tuple[float, float] | None

    @property
    def holds(self) -> bool:
        """Whether no counterexample was found."""
        return self.mechanism is None

    def facts(self) -> Facts:
        """The counterexample, or how many were tried."""
        items = [Fact("tried", "tried", self.tried, "mechanisms with a channel")]
        if self.mechanism is not None and self.channel is not None and self.values is not None:
            items += [
                Fact("mechanism", "mechanism", Shown([texts(r) for r in self.mechanism], _rows(
                    self.mechanism))),
                Fact("channel", "channel", Shown([texts(r) for r in self.channel], _rows(
                    self.channel))),
                Fact("values", "measure", Shown(
                    list(self.values), f"{self.values[0]:.9g} before, {self.values[1]:.9g} after"))]
        title = "no channel raised the measure" if self.holds else "post-processing raises it"
        return Facts("MeasureVerdict", title, (*items, *data(holds=self.holds)), (
            "Nothing is proved about other matrices.",) if self.holds else ())

    __repr__ = lines_of
    _repr_html_ = card_of


def judge_measure(measure: Measure, *, inputs: int = 2, grid: int = 4) -> MeasureVerdict:
    """Look for a channel that raises a measure of mechanisms with so many inputs.

    Raises: `BadInput` where the measure fails or returns no number, or for a bad size.

    >>> judge_measure(lambda rows: max(rows[0])).holds  # merging outputs raises it
    False
    """
    if not 2 <= inputs <= 4 or not 1 <= grid <= 8:
        raise BadInput("expected 2 to 4 inputs and a grid of 1 to 8 steps.")
    tried = 0
    for mechanism, channel in _trials(inputs, grid):
        tried += 1
        before, after = (_value(measure, rows) for rows in (mechanism, _cascade(mechanism,
                                                                               channel)))
        if after > before + _SLACK * max(1.0, abs(before)):
            return MeasureVerdict(tried, mechanism, channel, (before, after))
    return MeasureVerdict(tried, None, None, None)


def _trials(inputs: int, grid: int) -> Iterator[tuple[Rows, Rows]]:
    """All two-output mechanisms on the grid with six channels each, then some with three."""
    half = Fraction(1, 2)
    channels: list[Rows] = [
        ((Fraction(1),), (Fraction(1),)), ((half, half), (half, half)),
        ((Fraction(1), Fraction(0)), (half, half)), ((half, half), (Fraction(0), Fraction(1))),
        ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))),
        ((Fraction(1), Fraction(0), Fraction(0)), (Fraction(0), half, half))]  # one output cut
    steps = [Fraction(k, grid) for k in range(grid + 1)]
    for chances in product(steps, repeat=inputs):
        pairs: Rows = tuple((p, 1 - p) for p in chances)
        yield from ((pairs, channel) for channel in channels)
    laws = [tuple(Fraction(w, sum(weights)) for w in weights)
            for weights in product((0, 1, 2, 5), repeat=3) if any(weights)]
    for k in range(_TRIED):  # steps without a common factor, so that the triples vary
        rows = tuple(laws[(7 * k + (k + 3) * i * 11) % len(laws)] for i in range(inputs))
        yield rows, tuple(laws[(5 * k + (k + 1) * i * 13) % len(laws)] for i in range(3))


def _cascade(rows: Rows, channel: Rows) -> Rows:
    return tuple(tuple(sum((p * line[z] for p, line in zip(row, channel, strict=True)),
                           Fraction(0)) for z in range(len(channel[0]))) for row in rows)


def _value(measure: Measure, rows: Rows) -> float:
    try:
        value = float(measure(rows))  # type: ignore[arg-type]
    except Exception as error:
        raise BadInput(f"the measure failed on {_rows(rows)}: {str(error)[:120]}.") from None
    if math.isnan(value):
        raise BadInput(f"the measure returned no number for {_rows(rows)}.")
    return value


def _rows(rows: Sequence[Sequence[Fraction]]) -> str:
    return "; ".join(" ".join(map(str, row)) for row in rows)
