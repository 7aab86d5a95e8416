"""A mechanism under a generic definition as a document, and the judgment of one.

All numbers are fractions in text: the rows, the corners of every bound with the ordered pairs that
it protects, the losses, and for each hockey-stick sum the prices that prove the bound. What is
read is judged as if it came from a stranger: `judge_definition` proves both claims again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.characters import refuse_controls, texts_in
from tightrope.choices import Goal
from tightrope.documents.content import content_of, label_from_json
from tightrope.documents.writing import INPUTS, digest_of
from tightrope.errors import BadDocument, BadInput
from tightrope.exact import Weights
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import (
    Bound,
    GenericDefinition,
    GenericVerdict,
    PairBound,
    space_facts,
    verify_generic,
)
from tightrope.spaces import label_to_json, space_from
from tightrope.utility import GenericSolution, StickPrices, generic_bound, generic_value

DEFINITION = "tightrope/definition"
_FIELDS = {"format", "version", "space", "outputs", "rows", "bounds", "goal", "prior", "loss",
           "value", "bound", "prices", "digest"}
_NUMBER = "-?[0-9]{1,4300}(?:/[0-9]{1,4300})?"
_NUMBERS = re.compile(f"{_NUMBER}(?: {_NUMBER})*+")
_MOST_ENTRIES = 10**4
"""Inputs times outputs, and prices times outputs: they bound the time of exact sums."""


@dataclass(frozen=True, eq=False)
class GenericReview:
    """The verdict on a document: does the mechanism keep the definition, and is none better.

    `optimal` says whether the loss is at most `value` and that of every other mechanism under the
    definition at least `bound`; None where the definition is broken already.
    """

    mechanism: MatrixMechanism
    verdict: GenericVerdict
    value: Fraction
    bound: Fraction
    optimal: bool | None
    intact: bool

    @property
    def holds(self) -> bool:
        """Whether both claims are proved."""
        return self.verdict.holds and bool(self.optimal)

    def facts(self) -> Facts:
        """Whether the definition is kept, and whether the loss is the least."""
        verdicts = {True: "proved", False: "NOT proved by its prices", None: "not judged"}
        shown = Shown(float(self.value), str(self.value))
        return self.verdict.facts().also(
            Fact("value", "loss", shown, meaning=f"no mechanism under the definition loses less "
                 f"than {self.bound}: {verdicts[self.optimal]}"),
            *data(bound=str(self.bound), optimal=self.optimal),
            Fact("intact", "digest", Shown(self.intact, "intact" if self.intact else
                                           "CHANGED since it was computed")),
            *space_facts(self.mechanism.space, len(self.mechanism.outputs)))

    __repr__ = lines_of
    _repr_html_ = card_of


def compose_definition(solution: GenericSolution) -> dict[str, Any]:
    """The document of a solution under a definition, with its digest."""
    mechanism, space = solution.mechanism, solution.mechanism.space
    grouped: dict[Bound, list[int]] = {}
    for pair, bound in solution.definition.bounds.items():
        grouped.setdefault(bound, []).extend(pair)
    same = tuple(mechanism.outputs) == tuple(space.points)
    document = {
        "format": DEFINITION,
        "version": 1,
        "space": space.describe(),
        "outputs": INPUTS if same else [label_to_json(label) for label in mechanism.outputs],
        "rows": [_text(mechanism.row_at(y)) for y in range(space.size)],
        "bounds": [{"corners": _text([x for knot in bound.knots for x in knot]),
                    "pairs": " ".join(map(str, pairs))}
                   for bound, pairs in grouped.items() if isinstance(bound, PairBound)],
        "goal": solution.goal.value,
        "prior": _text(solution.prior),
        "loss": [_text(row) for row in solution.losses],
        "value": str(solution.value),
        "bound": str(solution.bound),
        "prices": [_text([price.over, price.under, price.ratio, *price.amounts])
                   for price in solution.prices],
    }
    for text in texts_in(document["outputs"]):
        refuse_controls(text, "a text of the document", BadInput)
    return {**document, "digest": digest_of(document)}


def judge_definition(data: bytes) -> GenericReview:
    """The verdict on the document in these bytes; raises `BadDocument` where it is malformed."""
    content = content_of(data)
    if content.get("format") != DEFINITION or content.get("version") != 1 or (
            type(content["version"]) is not int or set(content) != _FIELDS):
        raise BadDocument(f"expected a document with format {DEFINITION!r}, version 1 and exactly "
                          f"its fields.")
    intact = content["digest"] == digest_of(content)
    try:
        return _judge(content, intact=intact)
    except BadDocument:
        raise
    except BadInput as bad:
        raise BadDocument(f"the document cannot be read: {bad}") from None


def _judge(content: Mapping[str, Any], *, intact: bool) -> GenericReview:
    space = space_from(_object(content["space"]))
    outputs = content["outputs"]
    labels = space.points if outputs == INPUTS else [label_from_json(x) for x in _list(outputs)]
    size, width = space.size, len(labels)
    if max(size, len(_list(content["prices"]))) * width > _MOST_ENTRIES:
        raise BadDocument("a design under a definition has at most 10,000 entries and prices.")
    rows, losses = (_table(content[name], size, width) for name in ("rows", "loss"))
    if any(min(row) < 0 or sum(row) != 1 for row in rows):
        raise BadDocument("a row is negative somewhere or does not add up to 1.")
    mechanism = MatrixMechanism(space, labels, Weights.from_fractions(rows))
    definition = _definition(content["bounds"], size)
    goal = content["goal"]
    if goal not in ("average", "worst"):
        raise BadDocument("the goal is neither 'average' nor 'worst'.")
    prior = _numbers(content["prior"], size)
    if min(prior) < 0 or sum(prior) != 1:
        raise BadDocument("the prior is negative somewhere or does not add up to 1.")
    value, bound = (_numbers(content[name], 1)[0] for name in ("value", "bound"))
    verdict = verify_generic(mechanism, definition)
    prices = [_price(text, size, width) for text in content["prices"]]
    proved = generic_bound(definition, losses, prior, prices)
    optimal = None
    if verdict.holds:
        loss = generic_value(rows, losses, prior, Goal(goal))
        optimal = loss <= value and bound <= proved
    return GenericReview(mechanism, verdict, value, bound, optimal, intact)


def _definition(content: Any, size: int) -> GenericDefinition:
    bounds: dict[tuple[int, int], Bound] = {}
    for entry in _list(content):
        if set(_object(entry)) != {"corners", "pairs"}:
            raise BadDocument("a bound needs exactly the fields corners, pairs.")
        corners, places = _numbers(entry["corners"]), _numbers(entry["pairs"])
        if len(corners) % 2 or len(places) % 2:
            raise BadDocument("corners and pairs of a bound come in twos.")
        bound = PairBound.of(list(zip(corners[::2], corners[1::2], strict=True)))
        for i, j in zip(places[::2], places[1::2], strict=True):
            pair = _place(i, size), _place(j, size)
            if pair in bounds:
                raise BadDocument("a pair has two bounds.")
            bounds[pair] = bound
    return GenericDefinition(bounds)


def _price(text: Any, size: int, width: int) -> StickPrices:
    over, under, ratio, *amounts = _numbers(text, 3 + width)
    if ratio <= 0:
        raise BadDocument("the ratio of a price must be above 0.")
    return StickPrices(_place(over, size), _place(under, size), ratio, tuple(amounts))


def _table(content: Any, size: int, width: int) -> list[list[Fraction]]:
    if len(_list(content)) != size:
        raise BadDocument(f"expected {size} rows of numbers.")
    return [_numbers(row, width) for row in content]


def _numbers(text: Any, count: int | None = None) -> list[Fraction]:
    if not isinstance(text, str) or not _NUMBERS.fullmatch(text):
        raise BadDocument("numbers must be a text of fractions such as '1/3 2/3'.")
    try:
        numbers = [Fraction(part) for part in text.split(" ")]
    except ZeroDivisionError:
        raise BadDocument("a fraction has the denominator 0.") from None
    if count is not None and len(numbers) != count:
        raise BadDocument(f"expected {count} numbers, found {len(numbers)}.")
    return numbers


def _place(value: Fraction, size: int) -> int:
    if value.denominator != 1 or not 0 <= value < size:
        raise BadDocument("a pair needs the positions of two inputs.")
    return int(value)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise BadDocument("a field of the document is no list.")
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadDocument("a field of the document is no object.")
    return value


def _text(numbers: Sequence[Fraction | int]) -> str:
    try:
        return " ".join(map(str, numbers))
    except ValueError:  # Python refuses decimals of more than 4,300 digits
        raise BadInput("the fractions of this mechanism are too long to be written.") from None
