"""From a document back to a mechanism and its claim.

Reading is strict: anything but a document of this version is `BadDocument`, one sentence.
Whether the document is intact (its digest fits) is reported, not assumed, and nothing read here
is trusted: `accept` verifies the claim again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.documents.content import content_of, label_from_json
from tightrope.documents.forms import NAMES, fraction, from_form
from tightrope.documents.least_variance import GOAL, LeastVariance, least_variance_from_json
from tightrope.documents.optimality import Optimality, ProvedBounds, optimality_from_json, prove
from tightrope.documents.writing import FORMAT, INPUTS, VERSION, digest_of
from tightrope.errors import BadDocument, BadInput, CannotCheck, NotIntact, NotOptimal, NotPrivate
from tightrope.exact import IntArray, Level, Weights, sizes, tolerances
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    RemappedMechanism,
    TableMechanism,
    grid_of,
    sides,
)
from tightrope.privacy import Certified, Evidence, Refutation, relation, verify
from tightrope.spaces import Datasets, Label, Space, datasets_from, space_from

_ROW = re.compile(r"[0-9a-f]++(?:p-?[0-9]{1,8})?+(?: [0-9a-f]++(?:p-?[0-9]{1,8})?+)*+")
_LINE = re.compile(r"[0-9a-f]{1,16}(?: [0-9a-f]{1,16})*+")
_TARGETS = re.compile(r"[0-9]{1,9}(?: [0-9]{1,9})*+")
_LARGEST_EXPONENT = 2 * sizes.LONGEST_EXPONENT
_MOST_ROWS = 10**15
"""Most rows of a table."""
_Row = tuple[NDArray[Any], IntArray]
_EVIDENCE = {
    "matrix": Evidence.ENUMERATED,
    "kernel": Evidence.KERNEL,
    "remapped": Evidence.KERNEL,
    **dict.fromkeys(NAMES.values(), Evidence.THEOREM),
}


@dataclass(frozen=True)
class Document:
    """A document as read: its content, whether it is intact, and the values that it describes."""

    content: Mapping[str, Any]
    intact: bool
    mechanism: Mechanism
    level: Level
    evidence: Evidence
    construction: Mapping[str, Any] | None
    optimality: Optimality | LeastVariance | None


def read(data: bytes) -> Document:
    """The document in these bytes (JSON, or JSON in gzip).

    Raises `BadDocument` for anything but a document of this version, and `CannotCheck` for a
    matrix with more entries than are checked here. A document that was changed and can no longer
    be read is `NotIntact`.
    """
    content = content_of(data)
    if content.get("format") != FORMAT:
        readers = {"tightrope/release": "read_release", "tightrope/plan": "read_plan"}
        reader = readers.get(str(content.get("format")))
        release = "" if reader is None else (
            f"; tr.releases.{reader} and `tightrope verify` read a {reader.removeprefix('read_')}")
        if content.get("format") == "tightrope/survey":
            release = ("; of a survey each question has its own: estimate_columns(table, "
                       'mechanisms=tr.surveys.question_mechanisms("s.json"))')
        if content.get("format") == "tightrope/definition":
            release = ("; a design under a definition is run after `tightrope certify` at a level, "
                       "and tr.files.verify_definition proves it")
        raise BadDocument(f"expected a document with format {FORMAT!r}{release}.")
    if type(content.get("version")) is not int or content["version"] not in (1, VERSION):
        raise BadDocument(f"expected a document of version 1 or {VERSION}, found "
                          f"{str(content.get('version'))[:40]}.")
    digest = _field(content, "digest", str)
    try:
        computed = digest_of(content)
    except RecursionError:
        raise BadDocument("the document is nested too deep.") from None
    try:
        return _document(content, intact=digest == computed)
    except (BadInput, CannotCheck, RecursionError) as bad:
        if digest != computed:
            raise NotIntact(digest, computed) from bad
        if isinstance(bad, BadDocument | CannotCheck):
            raise
        raise BadDocument(f"the document cannot be read: {bad}") from None


def _document(content: Mapping[str, Any], *, intact: bool) -> Document:
    described = _field(content, "space", dict)
    space = datasets_from(described) or space_from(described)
    if _canonical(space.describe()) != _canonical(described):
        raise BadDocument("the space is not written the way a document writes it.")
    level, evidence = _claim(_field(content, "claim", dict))
    mechanism = _mechanism(content, space)
    _check_consistency(content, space, level, evidence)
    construction = content.get("construction")
    if construction is not None and not isinstance(construction, dict):
        raise BadDocument("the construction is neither an object nor null.")
    optimality = _optimality(content["optimality"], mechanism, level)
    return Document(content, intact, mechanism, level, evidence, construction, optimality)


def _optimality(
    stated: Any, mechanism: Mechanism, level: Level
) -> Optimality | LeastVariance | None:
    if stated is None:
        return None
    if isinstance(stated, dict) and stated.get("goal") == GOAL:
        return least_variance_from_json(stated, mechanism, level)
    return optimality_from_json(stated, mechanism, level)


def accept(document: Document) -> Certified:
    """The mechanism of the document, verified again.

    Raises `NotIntact`, `NotPrivate`, or `NotOptimal` where optimality is claimed falsely.
    """
    if not document.intact:
        raise NotIntact(document.content["digest"], digest_of(document.content))
    verdict = verify(document.mechanism, document.mechanism.space, document.level)
    if isinstance(verdict, Refutation):
        raise NotPrivate(verdict)
    if document.optimality is not None:
        claim, proved = document.optimality, prove_optimality(document)
        if not proved.supports(claim):
            raise NotOptimal(claim.value, proved.value, claim.bound, proved.bound)
    return Certified(document.mechanism, verdict)


def prove_optimality(document: Document) -> ProvedBounds:
    """The bounds that the multipliers of a document prove; raises `CannotCheck` without any."""
    if document.optimality is None:
        raise CannotCheck("the document does not say that it is optimal.")
    return prove(document.optimality, document.mechanism, document.level)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _field(content: Mapping[str, Any], name: str, kind: type) -> Any:
    value = content.get(name)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadDocument(f"the field {name!r} is missing or malformed.")
    return value


def _mechanism(content: Mapping[str, Any], space: Space | Datasets) -> Mechanism:
    form = _field(content, "mechanism", dict)
    outputs = content.get("outputs")
    if form.get("form") != "table":
        return _one_row(form, space, outputs)
    base: Any = _one_row(_field(form, "base", dict), space, outputs)
    rows = _field(form, "rows", int)
    if rows > _MOST_ROWS:
        raise BadDocument(f"expected a table of at most {_MOST_ROWS:,} rows, found more.")
    return TableMechanism(base, rows)


def _one_row(
    form: Mapping[str, Any], space: Space | Datasets, outputs: object
) -> Mechanism:
    mechanism = from_form(form, space, outputs)
    if mechanism is not None:
        return mechanism
    if form.get("form") not in ("matrix", "kernel", "remapped") or isinstance(space, Datasets):
        raise BadDocument(
            f"the form {str(form.get('form'))[:40]!r} is not known for {space.text:.60}."
        )
    if form["form"] == "matrix":
        rows, labels = _field(form, "rows", list), _outputs(outputs, space)
        if len(rows) == space.size:
            _check_entries(len(rows), len(labels))
        return MatrixMechanism(space, labels, _weights(rows, space))
    if form["form"] == "remapped":
        kernel = _kernel(_field(form, "kernel", dict), space, INPUTS)
        targets = _field(form, "targets", str)
        if not _TARGETS.fullmatch(targets):
            raise BadDocument("the targets are not a list of whole numbers.")
        return RemappedMechanism(
            kernel, tuple(map(int, targets.split(" "))), _outputs(outputs, space)
        )
    return _kernel(form, space, outputs)


def _kernel(form: Mapping[str, Any], space: Space, outputs: object) -> KernelMechanism:
    if form.get("form") != "kernel":
        raise BadDocument("only a kernel is remapped.")
    if outputs != INPUTS:
        raise BadDocument("the outputs of a kernel must be 'inputs'.")
    ratio = fraction(form.get("ratio"), "the ratio")
    unit = fraction(form.get("unit"), "the unit")
    weights = _field(form, "weights", list)
    if "bits" in form:
        return KernelMechanism(space, ratio, unit, _lines(form, space), rounded=True)
    exact = tuple(fraction(weight, "a weight") for weight in weights)
    kernel = KernelMechanism(space, ratio, unit, exact)
    kernel.check_unit()
    return kernel


def _lines(form: Mapping[str, Any], space: Space) -> tuple[int, ...]:
    """The weights of a rounded kernel, one text for each line along the last axis."""
    if type(form["bits"]) is not int or form["bits"] != tolerances.MANTISSA_BITS:
        raise BadDocument(f"the bits of a kernel are {tolerances.MANTISSA_BITS}.")
    lines, side = form["weights"], sides(grid_of(space))[-1]
    if len(lines) * side != space.size:
        raise BadDocument(f"expected {space.size // side} lines of weights, found {len(lines)}.")
    weights: list[int] = []
    for position, line in enumerate(lines):
        if not isinstance(line, str) or not _LINE.fullmatch(line) or line.count(" ") != side - 1:
            raise BadDocument(f"line {position} is not a list of {side} hexadecimal weights.")
        weights.extend(int(token, 16) for token in line.split(" "))
    return tuple(weights)


def _outputs(outputs: object, space: Space) -> Sequence[Label]:
    if outputs == INPUTS:
        return space.points
    if not isinstance(outputs, list) or not outputs:
        raise BadDocument("the outputs are neither 'inputs' nor a list.")
    labels = tuple(label_from_json(label) for label in outputs)
    if len(set(labels)) != len(labels):
        raise BadDocument("two outputs have the same label.")
    return labels


def _check_entries(rows: int, columns: int) -> None:
    """Refuse a matrix too large to be read, before it takes memory: it may be a good document."""
    if rows * columns > sizes.LARGEST_MATRIX:
        raise CannotCheck(
            f"a matrix of {rows:,} times {columns:,} entries is more than is checked here "
            f"({sizes.LARGEST_MATRIX:,})."
        )


def _weights(rows: Sequence[object], space: Space) -> Weights:
    if len(rows) != space.size:
        raise BadDocument(f"expected {space.size} rows, found {len(rows)}.")
    pairs = [_row(row, position) for position, row in enumerate(rows)]
    if len({len(heads) for heads, _ in pairs}) > 1:
        raise BadDocument("the rows have different lengths.")
    return Weights(np.stack([heads for heads, _ in pairs]), np.stack([tails for _, tails in pairs]))


def _row(row: object, position: int) -> _Row:
    try:
        heads, tails = _tokens(row)
    except ValueError:
        raise BadDocument(f"row {position} is not a list of hexadecimal weights.") from None
    if max(map(abs, tails)) > _LARGEST_EXPONENT:
        raise BadDocument(f"row {position} has an exponent beyond {_LARGEST_EXPONENT:,}.")
    try:
        mantissas = np.array(heads, dtype=np.int64)
    except OverflowError:
        mantissas = np.array(heads, dtype=object)
    return mantissas, np.array(tails, dtype=np.int64)


def _tokens(row: object) -> tuple[list[int], list[int]]:
    """Mantissas and exponents of a row; `ValueError` for anything else."""
    if not isinstance(row, str) or not _ROW.fullmatch(row):
        raise ValueError
    if row.count("p") == row.count(" ") + 1:  # every weight has an exponent
        parts = row.replace("p", " ").split(" ")
        return [int(head, 16) for head in parts[::2]], list(map(int, parts[1::2]))
    tokens = [token.partition("p") for token in row.split(" ")]
    return [int(head, 16) for head, _, _ in tokens], [int(tail or 0) for _, _, tail in tokens]


def _claim(claim: Mapping[str, Any]) -> tuple[Level, Evidence]:
    epsilon = _field(claim, "epsilon", dict)
    rational, coefficient, base = (
        fraction(epsilon.get(name), f"the {name} part of ε")
        for name in ("rational", "coefficient", "base")
    )
    try:
        level = Level(rational, coefficient, base, fraction(claim.get("delta"), "δ")).checked()
        evidence = Evidence(str(claim.get("evidence")))
        return Level.positive(level) if evidence is Evidence.THEOREM else level, evidence
    except BadInput as bad:
        raise BadDocument(f"the claim cannot be read: {bad}") from None
    except ValueError:
        raise BadDocument("the evidence is not one of enumerated, kernel, theorem.") from None


def _check_consistency(
    content: Mapping[str, Any], space: Space | Datasets, level: Level, evidence: Evidence
) -> None:
    """The parts of the document must fit each other before the claim is judged."""
    form = content["mechanism"]
    form = form["base"] if form["form"] == "table" else form
    if _EVIDENCE[form["form"]] is not evidence:
        raise BadDocument(f"a {form['form']} cannot have the evidence {evidence.value!r}.")
    between = relation(space)
    words = {"neighbors": between} if content["version"] == 1 else {}  # a sentence until 0.2.0
    if {name: content[name] for name in content if name == "neighbors"} != words:
        raise BadDocument(f"the neighbors stated are not those of {space.text}.")
    if level.delta > 0 and between is None:
        raise BadDocument(f"δ = {level.delta} needs neighbors, and {space.text} declares none.")
    if "optimality" not in content:
        raise BadDocument("the field 'optimality' is missing.")
