"""The claim of optimality inside a document: what is written and how it is read.

    {"goal": "average", "prior": "uniform" | ["1/4", …], "loss": name | [[hex doubles]],
     "value": hex double, "bound": hex double,
     "multipliers": one text for each output, triples "first second amount"}

Amounts are hexadecimal whole numbers in units of 2^-96.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope.errors import BadDocument, BadInput
from tightrope.spaces import Space
from tightrope.utility import Loss, LossMatrix, Multipliers, Optimality, Prior, uniform

_TRIPLES = re.compile(
    r"(\d{1,9} \d{1,9} [0-9a-f]{1,64}( \d{1,9} \d{1,9} [0-9a-f]{1,64})*)?", re.ASCII
)
_HEX = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-]\d{1,4}", re.ASCII)
_FRACTION = re.compile(r"\d+(/\d+)?", re.ASCII)


def optimality_to_json(claim: Optimality) -> dict[str, Any]:
    """The claim as documents hold it."""
    loss, prior = claim.loss, claim.prior
    return {
        "goal": "average",
        "prior": "uniform" if prior.weights is None else [str(p) for p in prior.weights],
        "loss": (
            [[float(value).hex() for value in row] for row in loss.values.tolist()]
            if isinstance(loss, LossMatrix)
            else loss.name
        ),
        "value": float(claim.value).hex(),
        "bound": float(claim.bound).hex(),
        "multipliers": [_text(given) for given in claim.multipliers],
    }


def optimality_from_json(content: Mapping[str, Any], space: Space, outputs: int) -> Optimality:
    """The claim that a document makes, or `BadDocument`."""
    if content.get("goal") != "average":
        raise BadDocument("the goal of the optimality is not 'average'.")
    rows = content.get("multipliers")
    if not isinstance(rows, list) or len(rows) != outputs:
        raise BadDocument(f"expected multipliers for {outputs} outputs.")
    return Optimality(
        _prior(content.get("prior"), space),
        _loss(content.get("loss"), space, outputs),
        _double(content.get("value"), "the value"),
        _double(content.get("bound"), "the bound"),
        tuple(_multipliers(row, space) for row in rows),
    )


def _text(given: Multipliers) -> str:
    return " ".join(
        f"{a} {b} {amount:x}"
        for a, b, amount in zip(
            given.first.tolist(), given.second.tolist(), given.amounts, strict=True
        )
    )


def _multipliers(row: object, space: Space) -> Multipliers:
    if not isinstance(row, str) or not _TRIPLES.fullmatch(row):
        raise BadDocument("the multipliers of an output are not triples of pair and amount.")
    parts = row.split()
    first = np.array([int(part) for part in parts[0::3]], dtype=np.int64)
    second = np.array([int(part) for part in parts[1::3]], dtype=np.int64)
    if len(first) and (max(first.max(), second.max()) >= space.size or (first == second).any()):
        raise BadDocument("a multiplier names a pair that the space does not have.")
    return Multipliers(first, second, tuple(int(part, 16) for part in parts[2::3]))


def _double(value: object, what: str) -> float:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise BadDocument(f"{what} of the optimality is not a hexadecimal double.")
    found = float.fromhex(value)
    if not math.isfinite(found):
        raise BadDocument(f"{what} of the optimality is not finite.")
    return found


def _prior(value: object, space: Space) -> Prior:
    if value == "uniform":
        return uniform
    if not isinstance(value, list) or len(value) != space.size:
        raise BadDocument(f"the prior is neither 'uniform' nor a list of {space.size} fractions.")
    if not all(isinstance(part, str) and _FRACTION.fullmatch(part) for part in value):
        raise BadDocument("the prior has an entry that is not a fraction of the form p/q.")
    try:
        weights = tuple(Fraction(part) for part in value)
    except (ValueError, ZeroDivisionError):
        raise BadDocument("the prior has an entry that is not a fraction.") from None
    if sum(weights) != 1:
        raise BadDocument("the prior does not add up to 1.")
    return Prior(weights)


def _loss(value: object, space: Space, outputs: int) -> Loss | LossMatrix:
    if isinstance(value, str):
        try:
            return Loss.named(value)
        except BadInput as bad:
            raise BadDocument(str(bad)) from None
    if not isinstance(value, list) or len(value) != space.size:
        raise BadDocument("the loss is neither a name nor a matrix with a row for each input.")
    rows = [[_double(entry, "an entry") for entry in row] for row in value if isinstance(row, list)]
    if len(rows) != space.size or any(len(row) != outputs for row in rows):
        raise BadDocument("the loss is not a matrix with a column for each output.")
    return LossMatrix(np.array(rows))
