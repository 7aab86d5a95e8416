"""Plans: the mechanism of a question and its error, from declarations alone.

A question has one part, or two that share the level evenly: for a mean, the sum of differences
from the middle of the bounds and the number of rows, whose noise counts alike at the bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.characters import counted, few
from tightrope.data.releases.questions import Ask, Part, Question, divides_by_size, parts_of
from tightrope.declarations import Declaration
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, stated
from tightrope.markup import lines
from tightrope.mechanisms import TallyNoise
from tightrope.privacy import Certified

CONFIDENCE = Fraction(95, 100)


@dataclass(frozen=True)
class PlannedPart:
    """Whole numbers, and the proved noise that each of them gets."""

    part: Part
    certified: Certified

    @property
    def noise(self) -> TallyNoise:
        """The mechanism."""
        held = self.certified.mechanism
        assert isinstance(held, TallyNoise)
        return held

    @property
    def level(self) -> Level:
        """Its level."""
        return self.certified.certificate.level

    @property
    def error(self) -> Fraction:
        """E|noise| of one number, in units of the answer."""
        return self.noise.mean_error * self.part.unit

    def width(self, confidence: Fraction) -> Fraction:
        """Half the length of an interval that holds the number with this confidence."""
        return self.noise.reach(confidence) * self.part.unit


@dataclass(frozen=True)
class Plan:
    """How a question is answered: mechanism, level and error, before any row is read.

    `error` is the expected absolute error of one answer, None where only the data could tell.
    """

    question: Question
    declaration: Declaration
    level: Level
    parts: tuple[PlannedPart, ...]
    confidence: Fraction = CONFIDENCE

    @property
    def error(self) -> Fraction | None:
        """The expected absolute error of an answer, against the clamped and cut statistic."""
        first = self.parts[0].error
        if self.question.ask is not Ask.MEAN:
            return first
        size = self.declaration.unit.size
        return first / size if len(self.parts) == 1 and size is not None else None

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The names of the answers."""
        return self.parts[0].part.tally.cells

    @property
    def mechanism(self) -> str:
        """What is drawn, in words."""
        return " and ".join(_words(part.noise) for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return {
            "question": self.question.text,
            **self.level.as_json(),
            "mechanism": self.mechanism,
            "cells": len(self.cells),
            "expected_error": None if self.error is None else float(self.error),
            "within": None if self.error is None else float(self._width),
            "confidence": float(self.confidence),
            "unit": self.declaration.unit.shown,
        }

    @property
    def _width(self) -> Fraction:
        size = self.declaration.unit.size if self.question.ask is Ask.MEAN else 1
        assert size is not None
        return self.parts[0].width(self.confidence) / size

    def __repr__(self) -> str:
        error = self.error
        return lines(
            f"Plan: {self.question.text}",
            [
                ("level", self.level),
                ("mechanism", self.mechanism),
                ("answers", counted(len(self.cells), "cell")),
                ("error", "depends on the data" if error is None else
                 f"{float(error):.4g} on average, at most {float(self._width):.4g} with "
                 f"confidence {float(self.confidence):g}"),
                ("protects", self.declaration.unit.shown),
                ("cells", few([", ".join(cell) for cell in self.cells]) or None),
            ],
        )


def plan_release(
    question: Question,
    declaration: Declaration,
    level: Level | Number,
    confidence: Number = CONFIDENCE,
) -> Plan:
    """The plan of a question at a level, with intervals of this confidence; no row is read.

    >>> fair = Declaration.of({"dataset": "fair", "columns": {
    ...     "age": {"type": "number", "low": 17, "high": 42}}})
    >>> plan_release(Question("count"), fair, "ln(2)").error
    Fraction(4, 3)
    """
    asked, sure = Level.of(level), stated(confidence, "a confidence")
    if not 0 < sure < 1:
        raise BadInput("expected a confidence between 0 and 1.")
    if asked.delta:
        raise BadLevel(f"δ = {asked.delta}", "a level with δ = 0: answers are drawn at an ε")
    from tightrope.constructions import tally_noise  # slow to load, and not for reading a document

    parts = parts_of(question, declaration)
    share = asked.scaled(Fraction(1, len(parts)))
    made = tuple(PlannedPart(part, tally_noise(part.space, share)) for part in parts)
    return Plan(question, declaration, asked, made, sure)


def level_within(
    question: Question, declaration: Declaration, within: Number, confidence: Number = CONFIDENCE
) -> Level:
    """The least level, to three digits, at which an answer is within so much so surely."""
    wanted, sure = stated(within, "an error"), stated(confidence, "a confidence")
    if wanted <= 0 or not 0 < sure < 1:
        raise BadInput("expected an error above 0 and a confidence between 0 and 1.")
    if question.ask is Ask.MEAN and not divides_by_size(question, declaration):
        raise BadInput("the error of this mean depends on the data; state its level.")
    size = declaration.unit.size if question.ask is Ask.MEAN else 1
    assert size is not None

    def reached(epsilon: Fraction) -> bool:
        (part,) = plan_release(question, declaration, Level.epsilon(epsilon)).parts
        return part.width(sure) / size <= wanted

    low, high = 0, 1
    scale = Fraction(1, 1000)
    while not reached(high * scale):
        low, high = high, 2 * high
        if high * scale > 1000:
            raise BadInput("no level reaches that accuracy; ask for less.")
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle * scale) else (middle, high)
    return Level.epsilon(high * scale)


def _words(noise: TallyNoise) -> str:
    if noise.step == 1:
        return "two-sided geometric noise"
    return f"staircase noise in steps of {noise.step:,}"
