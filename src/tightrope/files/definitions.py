"""Generic definitions of privacy from files: TOML or JSON, or the same as a table in Python.

A definition is a list `bounds`, each with the ordered pairs that it protects and one M; a file
with one bound may write it at the top. Pairs are "neighbors" (of the space, both ways), "all",
or a list of pairs of inputs, in the direction in which they are written unless both_ways.
M is a level (epsilon or ratio, delta), corners, or a formula in a. Decimals are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope.errors import BadInput
from tightrope.exact import Level, Surd, stated
from tightrope.files.files import StrPath, extension
from tightrope.files.sheets import read_form
from tightrope.privacy import (
    Bound,
    FormulaBound,
    GenericDefinition,
    HullBound,
    Jump,
    PairBound,
    Strict,
    level_bound,
    named_definition,
    total_variation,
)
from tightrope.spaces import Relation, Space, space_of

_KINDS = ("epsilon", "ratio", "corners", "formula")
_KEYS = {*_KINDS, "delta", "pairs", "both_ways", "boundary", "at_zero", "per_distance"}


def read_definition(
    source: StrPath | Mapping[str, Any], space: Space | str, *, hull: bool = False
) -> GenericDefinition:
    """A definition of privacy on a space, from a .toml or .json file or a table.

    Parameters: `source` is one bound, or has a list of them as `bounds`. A bound has one of
    epsilon, ratio, corners and formula; its `pairs` are "neighbors", "all" or a list. With `hull`,
    corners that are not concave stand for their concave hull.

    Returns: a `GenericDefinition`, which `privacy.verify_generic` judges mechanisms by.

    Raises: `BadInput` for a file, field, pair or bound that cannot be used, or a pair with two.

    >>> import tightrope as tr
    >>> form = {"formula": "sqrt(a)", "pairs": [["no", "yes"]]}
    >>> asked = tr.files.read_definition(form, "categories:no/yes")
    >>> asked.bounds[0, 1].text
    'M(a) = sqrt(a)'
    >>> rows = [["3/4", "1/4"], ["1/2", "1/2"]]
    >>> given = tr.mechanisms.MatrixMechanism.of(rows, "categories:no/yes")
    >>> tr.privacy.verify_generic(given, asked).holds
    True
    """
    points = space_of(space)
    table = source if isinstance(source, Mapping) else _read(source)
    named = "the definition" if isinstance(source, Mapping) else str(source)
    listed = table.get("bounds")
    if listed is None:
        listed = [table]
    elif set(table) != {"bounds"}:
        extra = sorted(map(str, set(table) - {"bounds"}))[0]
        raise BadInput(f"{named}: expected {extra!r} inside one of the bounds, not beside them.")
    if not isinstance(listed, list | tuple) or not listed:
        raise BadInput(f"{named}: expected bounds as a list of at least one.")
    bounds: dict[tuple[int, int], Bound] = {}
    for number, entry in enumerate(listed, start=1):
        where = named if len(listed) == 1 else f"{named}, bound {number}"
        for pair, bound in _bounds(entry, points, where, hull=hull):
            if pair in bounds:
                ends = [points.points[i] for i in pair]
                raise BadInput(f"{where}: the pair {ends} has a bound already.")
            bounds[pair] = bound
    return GenericDefinition(bounds)


def _read(path: StrPath) -> Mapping[str, Any]:
    if extension(path) not in (".toml", ".json"):
        if named_definition(str(path)) is not None:
            raise BadInput(f"{path} is judged by `verify`, not designed under; a definition in a "
                           ".toml or .json file has piecewise linear bounds.")
        raise BadInput(f"{path}: expected a definition that ends in .toml or .json, or for "
                       "`verify` zcdp:rho=0.05, renyi:alpha=2,epsilon=0.1 or FILE.py:NAME.")
    form = read_form(path)
    if not isinstance(form, dict):
        raise BadInput(f"{path}: expected a table of names and values.")
    return form


def _bounds(
    entry: Any, space: Space, where: str, *, hull: bool
) -> list[tuple[tuple[int, int], Bound]]:
    """The pairs of one entry, each with its bound."""
    if not isinstance(entry, Mapping):
        raise BadInput(f"{where}: expected a table of names and values.")
    unknown = sorted(str(key) for key in entry if key not in _KEYS)
    if unknown:
        raise BadInput(
            f"{where}: {unknown[0]!r} is not known; expected {', '.join(sorted(_KEYS))}."
        )
    given = [kind for kind in _KINDS if kind in entry]
    if len(given) != 1:
        names = " and ".join(given) or "none"
        raise BadInput(f"{where}: expected one of {', '.join(_KINDS)}, found {names}.")
    try:
        relation = _relation(entry, space)
        if not _truth(entry, "per_distance"):
            return [(pair, bound) for bound in [_bound(entry, hull=hull)]
                    for pair in relation]
        if given[0] not in ("epsilon", "ratio"):
            raise BadInput("per_distance goes with a level only.")
        return [(pair, _bound(entry, space.distance(*pair))) for pair in relation]
    except BadInput as bad:
        raise BadInput(f"{where}: {bad}") from None


def _relation(entry: Mapping[str, Any], space: Space) -> Relation:
    pairs, both_ways = entry.get("pairs", "neighbors"), _truth(entry, "both_ways")
    if pairs == "neighbors":
        return Relation.on(space)
    if pairs == "all":
        return Relation.complete(space.points)
    if not isinstance(pairs, list | tuple) or not pairs:
        raise BadInput('expected pairs as "neighbors", "all" or a list of pairs of inputs.')
    return Relation.of(space.points, pairs, both_ways=both_ways)


def _truth(entry: Mapping[str, Any], name: str) -> bool:
    value = entry.get(name, False)
    if not isinstance(value, bool):
        raise BadInput(f"expected {name} as true or false.")
    return value


def _bound(
    entry: Mapping[str, Any], distance: Surd | None = None, *, hull: bool = False
) -> Bound:
    bound = _curve(entry, distance, hull=hull)
    if "at_zero" in entry:
        bound = (
            PairBound(bound.knots, stated(entry["at_zero"], "M(0) as a number from 0 to 1"))
            if isinstance(bound, PairBound) else Jump(bound, entry["at_zero"])
        )
    boundary = entry.get("boundary", "closed")
    if boundary not in ("closed", "strict"):
        raise BadInput(f"expected the boundary closed or strict, found {str(boundary)[:60]!r}.")
    return Strict(bound) if boundary == "strict" else bound


def _curve(entry: Mapping[str, Any], distance: Surd | None, *, hull: bool) -> Bound:
    if "formula" in entry or "corners" in entry:
        if "delta" in entry:
            raise BadInput("delta goes with a level only.")
        if "formula" in entry:
            return FormulaBound(entry["formula"])
        corners = entry["corners"]
        if not isinstance(corners, list | tuple):
            raise BadInput("expected corners as a list of pairs of numbers.")
        knots = [_corner(corner) for corner in corners]
        if hull and not (whole := HullBound.of(knots)).concave:
            return whole
        return PairBound.of(knots)
    delta = entry.get("delta", 0)
    if "ratio" in entry:
        if stated(entry["ratio"], "an e^ε of at least 1") == 1:
            return total_variation(delta)
        return level_bound(Level.ratio(entry["ratio"], delta), distance)
    epsilon = entry["epsilon"]
    text = str(epsilon).strip()
    if not text.startswith("ln") and stated(epsilon, "a level ε of at least 0") == 0:
        return total_variation(delta)
    level = Level.of(epsilon) if isinstance(epsilon, str) else Level.epsilon(epsilon)
    return level_bound(level.with_delta(delta), distance)


def _corner(corner: Any) -> tuple[Any, Any]:
    if not isinstance(corner, list | tuple) or len(corner) != 2:
        raise BadInput(f"expected a corner as a pair of numbers, found {str(corner)[:60]!r}.")
    return tuple(stated(value, "a number from 0 to 1") for value in corner)  # type: ignore[return-value]
