"""Mechanisms that a few numbers describe, as documents hold them.

Every field beside the space is written under its own name: fractions and choices as text,
whole numbers as numbers. A new form of that kind is one line of the table below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, fields
from fractions import Fraction
from typing import Any

from tightrope.choices import Count, member_of
from tightrope.errors import BadDocument, BadInput
from tightrope.exact import Intervals
from tightrope.mechanisms import (
    BoxMechanism,
    DataMechanism,
    DegreeCounts,
    FrequentMechanism,
    GaussianMechanism,
    GlobalCount,
    KeyNoise,
    KeySelection,
    LadderCount,
    LineMechanism,
    ModeMechanism,
    NoiseMechanism,
    PiecewiseNoise,
    PlanarLaplace,
    PositionNoise,
    PositionSteps,
    PrivacyFirstCount,
    QuantileMechanism,
    RankMechanism,
    ReportMechanism,
    SmoothCount,
    SubsetMechanism,
    TallyNoise,
    TraceNoise,
    UnaryMechanism,
)
from tightrope.spaces import Datasets, Space, interval_texts

_WHOLE_NUMBERS = re.compile(r"-?\d{1,150}( -?\d{1,150})*+", re.ASCII)
_FRACTION = re.compile(r"-?\d+(/\d+)?", re.ASCII)

GivenByNumbers = NoiseMechanism | ReportMechanism | DataMechanism

NAMES: dict[type[Any], str] = {
    NoiseMechanism: "noise",
    SubsetMechanism: "subset",
    UnaryMechanism: "unary",
    LadderCount: "ladder",
    SmoothCount: "smooth",
    GlobalCount: "global",
    PrivacyFirstCount: "privacy-first",
    DegreeCounts: "degrees",
    TallyNoise: "tally",
    RankMechanism: "rank",
    FrequentMechanism: "frequent",
    KeySelection: "key-selection",
    KeyNoise: "key-noise",
    QuantileMechanism: "quantile",
    ModeMechanism: "mode",
    LineMechanism: "line",
    BoxMechanism: "box",
    GaussianMechanism: "gaussian",
    PositionNoise: "planar",
    PlanarLaplace: "planar-laplace",
    TraceNoise: "trace",
    PositionSteps: "planar-steps",
}
_GEOMETRIC, _STAIRCASE = "two-sided geometric", "staircase"


def form_of(mechanism: GivenByNumbers) -> dict[str, Any]:
    """The form of a mechanism with its numbers.

    >>> from tightrope.spaces import path
    >>> form_of(NoiseMechanism(path(0, 9), Fraction(2)))
    {'form': 'noise', 'law': 'two-sided geometric', 'ratio': '2'}
    """
    form: dict[str, Any] = {"form": NAMES[type(mechanism)]}
    if isinstance(mechanism, NoiseMechanism) and mechanism.step == 1:
        return {**form, "law": _GEOMETRIC, "ratio": str(mechanism.ratio)}
    if isinstance(mechanism, NoiseMechanism):
        form["law"] = _STAIRCASE
    if isinstance(mechanism, LineMechanism):
        noise = mechanism.noise
        return {
            **form,
            "ratio": str(noise.ratio),
            "step": str(noise.step),
            "rungs": [None if rung is None else interval_texts(rung) for rung in noise.rungs],
            "grid": str(mechanism.grid),
        }
    if isinstance(mechanism, GaussianMechanism):
        rows = mechanism.functions
        return {
            **form,
            "variances": [str(variance) for variance in mechanism.variances],
            "functions": None if rows is None else [" ".join(map(str, row)) for row in rows],
        }
    for field in _numbers(type(mechanism)):
        value = getattr(mechanism, field.name)
        form[field.name] = value if field.type == "int" else str(value)
    return form


def from_form(
    form: Mapping[str, Any], space: Space | Datasets, outputs: object
) -> GivenByNumbers | None:
    """The mechanism of a form on a space; None if the form is not one of these."""
    kind = next((kind for kind, name in NAMES.items() if name == form.get("form")), None)
    if kind is None:
        return None
    if kind is LineMechanism:
        mechanism: GivenByNumbers = _line(form, space)
    elif kind is GaussianMechanism:
        mechanism = _gaussian(form, space)
    elif kind is NoiseMechanism and form.get("law") == _GEOMETRIC:
        mechanism = NoiseMechanism(_on_points(space), fraction(form.get("ratio"), "the ratio"))
    elif kind is NoiseMechanism and form.get("law") != _STAIRCASE:
        raise BadDocument(f"the law of integer noise is {_GEOMETRIC!r} or {_STAIRCASE!r}.")
    else:
        mechanism = kind(space, *(_number(form, field) for field in _numbers(kind)))
    if outputs != mechanism.answers.value:
        raise BadDocument(
            f"the outputs of the form {form['form']!r} must be {mechanism.answers.value!r}."
        )
    return mechanism


def fraction(value: object, what: str) -> Fraction:
    """A fraction from text; raises `BadDocument` for anything else."""
    if not isinstance(value, str) or not _FRACTION.fullmatch(value):
        raise BadDocument(f"{what} is not a fraction of the form p/q.")
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise BadDocument(f"{what} is not a fraction of the form p/q.") from None


def _numbers(kind: type[Any]) -> list[Field[Any]]:
    return [field for field in fields(kind) if field.name != "space"]


def _number(form: Mapping[str, Any], field: Field[Any]) -> Any:
    value = form.get(field.name)
    if field.type == "int":
        if type(value) is not int:
            raise BadDocument(f"the field {field.name!r} is no whole number.")
        return value
    if field.type == "Count":
        return member_of(Count, str(value))
    return fraction(value, f"the field {field.name!r}")


def _on_points(space: Space | Datasets) -> Space:
    if isinstance(space, Datasets):
        raise BadInput(f"integer noise is not for {space.text}.")
    return space


def _line(form: Mapping[str, Any], space: Any) -> LineMechanism:
    rungs = form.get("rungs")
    if not isinstance(rungs, list) or not all(rung is None or _has_pairs(rung) for rung in rungs):
        raise BadDocument("the rungs are no list of intervals, each a pair of fractions in text.")
    listed = tuple(None if rung is None else Intervals.of(rung) for rung in rungs)
    ratio, step, grid = (fraction(form.get(name), f"the {name}")
                         for name in ("ratio", "step", "grid"))
    return LineMechanism(space, PiecewiseNoise(ratio, listed, step), grid)


def _gaussian(form: Mapping[str, Any], space: Any) -> GaussianMechanism:
    listed, rows = form.get("variances"), form.get("functions")
    if not isinstance(listed, list):
        raise BadDocument("the variances are no list of fractions in text.")
    if rows is not None and not (isinstance(rows, list) and all(
            isinstance(row, str) and _WHOLE_NUMBERS.fullmatch(row) for row in rows)):
        raise BadDocument("the functions are no list of rows of whole numbers in text.")
    return GaussianMechanism(
        space, tuple(fraction(value, "a variance") for value in listed),
        None if rows is None else tuple(tuple(map(int, row.split(" "))) for row in rows))


def _has_pairs(value: object) -> bool:
    """Whether the value is a list of pairs of fractions in text."""
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2
        and all(isinstance(end, str) and _FRACTION.fullmatch(end) for end in pair)
        for pair in value
    )
