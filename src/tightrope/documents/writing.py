"""From a certified mechanism to its document, which holds codes and numbers, no sentences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tightrope.characters import refuse_controls, texts_in
from tightrope.documents.forms import form_of
from tightrope.errors import BadInput
from tightrope.exact import Level, Weights, tolerances
from tightrope.mechanisms import (
    FiniteMechanism,
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    RemappedMechanism,
    TableMechanism,
    sides,
)
from tightrope.privacy import Certified, proved
from tightrope.spaces import label_to_json

if TYPE_CHECKING:
    from tightrope.documents.least_variance import LeastVariance
    from tightrope.documents.optimality import Optimality

FORMAT = "tightrope/mechanism"
VERSION = 2
INPUTS = "inputs"


def compose(
    certified: Certified,
    construction: Mapping[str, Any] | None = None,
    *,
    optimality: Optimality | LeastVariance | None = None,
    version: int = VERSION,
) -> dict[str, Any]:
    """The document of a certified mechanism: exact weights, claims and digest.

    Version 1, of before 0.2.0, says in a sentence who the neighbors are. Raises `BadInput` for a
    text with a control character, which no reader accepts.
    """
    mechanism, certificate = proved(certified), certified.certificate
    space = mechanism.space
    document = {
        "format": FORMAT,
        "version": version,
        "space": space.describe(),
        **({"neighbors": certificate.neighbors} if version == 1 else {}),
        "outputs": _outputs(mechanism),
        "mechanism": _form(mechanism),
        "claim": {
            "epsilon": _epsilon(certificate.level),
            "delta": str(certificate.level.delta),
            "evidence": certificate.evidence.value,
        },
        "construction": None if construction is None else dict(construction),
        "optimality": None if optimality is None else _optimality_content(optimality),
    }
    for text in texts_in([document["outputs"], document["construction"]]):
        refuse_controls(text, "a text of the document", BadInput)
    return {**document, "digest": digest_of(document)}


def _optimality_content(optimality: Optimality | LeastVariance) -> dict[str, Any]:
    from tightrope.documents.least_variance import LeastVariance, least_variance_to_json
    from tightrope.documents.optimality import optimality_to_json  # it loads losses and priors

    if isinstance(optimality, LeastVariance):
        return least_variance_to_json(optimality)
    return optimality_to_json(optimality)


def checker(mechanism: Mechanism) -> str:
    """The stand-alone module that checks the document of a mechanism, by its form."""
    match mechanism.base:
        case MatrixMechanism() | KernelMechanism() | RemappedMechanism():
            return "receipt"
        case _:
            return "receipt_theorems"


def digest_of(document: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical content: everything but the digest itself."""
    content = {key: value for key, value in document.items() if key != "digest"}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def render(document: Mapping[str, Any]) -> bytes:
    """The document as text, one field or row on a line."""
    return (json.dumps(document, indent=1, ensure_ascii=True) + "\n").encode()


def _outputs(mechanism: Mechanism) -> Any:
    base = mechanism.base
    if not isinstance(base, FiniteMechanism):
        return base.answers.value
    if base.outputs is base.space.points or tuple(base.outputs) == tuple(base.space.points):
        return INPUTS
    return [label_to_json(label) for label in base.outputs]


def _form(mechanism: Mechanism) -> dict[str, Any]:
    match mechanism:
        case TableMechanism():
            base = _form(mechanism.base)
            return {"form": "table", "rows": mechanism.rows, "base": base}
        case MatrixMechanism():
            return {"form": "matrix", "rows": _rows(mechanism.weights)}
        case KernelMechanism() if mechanism.rounded:
            return {
                "form": "kernel",
                "ratio": str(mechanism.ratio),
                "unit": str(mechanism.unit),
                "bits": tolerances.MANTISSA_BITS,
                "weights": _lines(mechanism),
            }
        case KernelMechanism():
            return {
                "form": "kernel",
                "ratio": str(mechanism.ratio),
                "unit": str(mechanism.unit),
                "weights": [str(weight) for weight in mechanism.weights],
            }
        case RemappedMechanism():
            return {
                "form": "remapped",
                "targets": " ".join(map(str, mechanism.targets)),
                "kernel": _form(mechanism.kernel),
            }
        case _:
            return form_of(mechanism)


def _lines(mechanism: KernelMechanism) -> list[str]:
    """The weights of a rounded kernel, one text for each line along the last axis."""
    side = sides(mechanism.grid)[-1]
    digits = [f"{weight:x}" for weight in mechanism.weights]
    return [" ".join(digits[start : start + side]) for start in range(0, len(digits), side)]


def _rows(weights: Weights) -> list[str]:
    return [
        " ".join(
            f"{mantissa:x}p{power}" if power else f"{mantissa:x}"
            for mantissa, power in zip(mantissas, powers, strict=True)
        )
        for mantissas, powers in zip(
            weights.mantissas.tolist(), weights.exponents.tolist(), strict=True
        )
    ]


def _epsilon(level: Level) -> dict[str, str]:
    return {
        "rational": str(level.rational),
        "coefficient": str(level.coefficient),
        "base": str(level.base),
    }
