"""An exact optimum as a document writes it: the loss and the multipliers as fractions."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from tightrope.errors import BadDocument
from tightrope.exact import Level
from tightrope.mechanisms import FiniteMechanism
from tightrope.utility import ExactOptimum, Loss, Prior, Triples, exact_losses

_NUMBER = "[0-9]{1,4300}(?:/[0-9]{1,4300})?"
_AMOUNT = f"[0-9]{{1,9}} [0-9]{{1,9}} {_NUMBER}"
_AMOUNTS = re.compile(f"(?:{_AMOUNT}(?: {_AMOUNT})*+)?+")
_VALUE = re.compile(f"-?{_NUMBER}")
_MOST_EXACT = 10**4
"""Most entries of a mechanism with an exact claim: they bound time."""


def exact_to_json(optimum: ExactOptimum) -> dict[str, Any]:
    """The exact loss, and for each output its multipliers as positions and fractions.

    Raises `ValueError` for fractions that are too long to be written in decimal.
    """
    return {
        "value": str(optimum.value),
        "multipliers": [" ".join(f"{a} {b} {amount}" for a, b, amount in triples)
                        for triples in optimum.multipliers],
    }


def exact_from_json(
    content: Any, mechanism: FiniteMechanism, level: Level, prior: Prior, loss: Loss
) -> ExactOptimum:
    """The exact claim in a document; raises `BadDocument` where it is malformed."""
    if not isinstance(content, dict) or set(content) != {"value", "multipliers"}:
        raise BadDocument("the exact optimality needs exactly the fields multipliers, value.")
    if level.delta > 0:
        raise BadDocument("exact optimality needs δ = 0.")
    if mechanism.space.size * len(mechanism.outputs) > _MOST_EXACT:
        raise BadDocument("exact optimality is for small mechanisms.")
    if exact_losses(loss, mechanism.space, mechanism.outputs) is None:
        raise BadDocument("exact optimality needs losses that are fractions.")
    value, texts = content["value"], content["multipliers"]
    if not isinstance(value, str) or not _VALUE.fullmatch(value):
        raise BadDocument("an exact loss is no fraction of the form p/q.")
    if not isinstance(texts, list) or len(texts) != len(mechanism.outputs):
        raise BadDocument(f"expected exact multipliers for {len(mechanism.outputs)} outputs.")
    multipliers = tuple(_triples(text, mechanism.space.size) for text in texts)
    return ExactOptimum(_fraction(value), multipliers, prior)


def _triples(text: Any, size: int) -> Triples:
    if not isinstance(text, str) or not _AMOUNTS.fullmatch(text):
        raise BadDocument(
            "exact multipliers are no text of positions and fractions such as '0 1 3/4'.")
    parts = text.split(" ") if text else []
    pairs = list(zip(map(int, parts[::3]), map(int, parts[1::3]), strict=True))
    if any(max(a, b) >= size or a == b for a, b in pairs):
        raise BadDocument("a multiplier needs two different inputs of the space.")
    return tuple((a, b, _fraction(part)) for (a, b), part in zip(pairs, parts[2::3], strict=True))


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise BadDocument("a fraction of the exact optimality has the denominator 0.") from None
