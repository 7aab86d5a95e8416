"""Spaces as text, and as documents.

    space   = product of spaces with " * " (distances add) or " ^ " (the larger counts)
    factor  = family ":" arguments, or a space in parentheses

Names and options may be written in any case, with white space around them; names of values
and files keep their case, and stand in double quotes if they hold * ^ ( ) / or a quote.
`parse` reads what `space.text` writes; `space_from` reads what `space.describe()` gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from json import JSONDecodeError, loads
from typing import Any

from tightrope.characters import meant
from tightrope.errors import BadSpace
from tightrope.spaces import families
from tightrope.spaces.checks import show
from tightrope.spaces.components import Component
from tightrope.spaces.directed import Directed, directed
from tightrope.spaces.graphs import Graph, graph, star
from tightrope.spaces.lattices import Lattice
from tightrope.spaces.matrices import MatrixSpace, matrix
from tightrope.spaces.names import split_names
from tightrope.spaces.positions import PointSpace, points
from tightrope.spaces.products import MOST_FACTORS, Combine, Product, product
from tightrope.spaces.protocol import Space
from tightrope.spaces.unlabeled_graphs import named_graphs, unlabeled_graphs

Read = Callable[..., Space]
_Kinds = Mapping[str, type]

_SPACES = (Lattice, Graph, MatrixSpace, PointSpace, Product, Component, Directed)
_LONGEST_TEXT = 100_000
_TOKEN = re.compile(r'\s*([*^()]|(?:"(?:[^"\\]|\\.)*"|[^*^()"])+)')
_FILE_OPTIONS: dict[str, dict[str, type]] = {
    "edges": {}, "directed": {}, "matrix": {"repair": str, "unit": str}, "points": {"unit": str},
}
_OPTIONS = re.compile(r"(.*?)((?:\s*,\s*(?:repair|unit)\s*=\s*\w*)*)", re.DOTALL | re.IGNORECASE)
EXAMPLES = {
    "path": "path:0..100",
    "sum": "sum:people=150,max=5",
    "counts": "counts:people=30,queries=2",
    "histogram": "histogram:people=30,cells=4,neighbors=replace",
    "grid": "grid:10x10,step=0.5,metric=euclidean",
    "hamming": "hamming:values=4,people=5",
    "categories": "categories:red/green/blue",
    "sets": "sets:6",
    "cycle": "cycle:7",
    "star": "star:4",
    "complete": "complete:5",
    "graphs": "graphs:5",
    "edges": "edges:FILE",
    "directed": "directed:FILE",
    "matrix": "matrix:FILE",
    "points": "points:FILE",
}
"""One example text for every family."""


def space_of(value: Space | str) -> Space:
    """The space itself, or the one that a text states.

    >>> space_of("path:0..9").size
    10
    """
    read = known_space(value)
    if isinstance(value, Lattice) and space_from(value.describe()) != value:
        raise BadSpace(f"expected the space {value.text} as its family makes it.")
    if isinstance(value, Product):
        space_of(value.first)
        space_of(value.second)
    return read


def known_space(value: Space | str) -> Space:
    """As `space_of`, but for whether it is as its family makes it, which `verify` asks."""
    if isinstance(value, str):
        return parse(value)
    if type(value) not in _SPACES:  # a subclass may say one thing now and another when drawn from
        raise BadSpace(
            "expected a space or its text, such as path:0..9, or what categories, matrix, points "
            f"or graph make of values; found {type(value).__name__}."
        )
    return value


def parse(text: str, read: Read | None = None) -> Space:
    """The space written as text.

    `read(kind, filename)` gives the space of a file, for `edges:`, `matrix:` and `points:`;
    options after the name of the file are passed on by name.

    >>> parse("path:0..9 ^ Categories: red / green").text
    'path:0..9 ^ categories:red/green'
    """
    if not isinstance(text, str):
        raise BadSpace(
            "expected a space as text, such as path:0..9, or what categories, matrix, points or "
            f"graph make of values; found {type(text).__name__}."
        )
    if len(text) > _LONGEST_TEXT:
        raise BadSpace(f"expected a space as text, found {len(text):,} characters.")
    tokens, position = [], 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise BadSpace(f"a double quote is not closed in {show(text)}.")
        tokens.append(match[1].strip())
        position = match.end()
    if tokens.count("(") > MOST_FACTORS or len(tokens) > 4 * MOST_FACTORS:
        raise BadSpace(
            f"expected at most {MOST_FACTORS} factors and pairs of parentheses, "
            f"found more in {show(text)}."
        )
    space = _product(tokens, text, read)
    if tokens:
        raise BadSpace(
            f"expected the end of {show(text)}, found {show(tokens[0])}; "
            "factors are joined by * or ^, for example path:0..9 * cycle:7."
        )
    return space


def _product(tokens: list[str], text: str, read: Read | None) -> Space:
    """Factors joined by one operator; takes its tokens off the list."""
    space = _factor(tokens, text, read)
    operator = tokens[0] if tokens else ""
    while tokens and tokens[0] in ("*", "^"):
        if tokens.pop(0) != operator:
            raise BadSpace(
                f"* and ^ are mixed in {show(text)}; put parentheses, "
                "for example (path:0..9 * cycle:7) ^ cycle:5."
            )
        combine = Combine.SUM if operator == "*" else Combine.MAX
        space = product(space, _factor(tokens, text, read), combine)
    return space


def _factor(tokens: list[str], text: str, read: Read | None) -> Space:
    token = tokens.pop(0) if tokens else ""
    if token == "(":
        space = _product(tokens, text, read)
        if not tokens or tokens.pop(0) != ")":
            raise BadSpace(f"a parenthesis is not closed in {show(text)}.")
        return space
    if token in ("", ")", "*", "^"):
        name = repr(token) if token else "nothing"
        raise BadSpace(f"expected a space such as path:0..100, found {name} in {show(text)}.")
    return _family(token, read)


def _family(token: str, read: Read | None) -> Space:
    name, colon, body = token.partition(":")
    family, body = name.strip().lower(), body.strip()
    if family not in EXAMPLES or not colon:
        near = meant(family.split(" ")[0], EXAMPLES)
        raise BadSpace(
            f"expected a space such as path:0..100 or one of the families "
            f"{', '.join(EXAMPLES)}, found {show(token)}{near}.",
            found=token,
        )
    if family in _FILE_OPTIONS:
        if not body:
            raise _unreadable(family, "a file name", token)
        if read is None:
            raise BadSpace(
                f"{family}: reads a file, which is done by tightrope.space({show(token)}); "
                "give what that returns."
            )
        name, options = _OPTIONS.fullmatch(body).groups()  # type: ignore[union-attr]
        chosen = _options(family, options.strip(" ,"), {}, _FILE_OPTIONS[family], token)
        return read(family, _unquote(name.strip(), token), **chosen)
    match family:
        case "path":
            ends = re.fullmatch(r"([+-]?\d{1,40})\s*\.\.\s*([+-]?\d{1,40})", body, re.ASCII)
            if ends is None:
                raise _unreadable(family, "two whole numbers", token)
            return families.path(int(ends[1]), int(ends[2]))
        case "categories":
            if re.fullmatch(r"[+-]?\d+", body, re.ASCII):
                return families.categories(_whole(body, family, token))
            return families.categories(split_names(body))
        case "grid":
            shape, _, options = body.partition(",")
            sides = [_whole(side, family, token) for side in re.split("[x×]", shape.lower())]
            values = _options(family, options, {}, {"step": str, "metric": str}, token)
            return families.grid(sides, **{k: v.lower() for k, v in values.items()})
        case "sum":
            values = _options(family, body, {"people": int, "max": int}, {}, token)
            return families.sums(people=values["people"], maximum=values["max"])
        case "counts":
            wanted = {"people": int, "queries": int}
            return families.counts(**_options(family, body, wanted, {}, token))
        case "histogram":
            wanted = {"people": int, "cells": int}
            values = _options(family, body, wanted, {"neighbors": str}, token)
            if "neighbors" in values:
                values["neighbors"] = values["neighbors"].lower()
            return families.histogram(**values)
        case "hamming":
            wanted = {"values": int, "people": int}
            return families.hamming(**_options(family, body, wanted, {}, token))
        case "graphs":
            return unlabeled_graphs(_whole(body, family, token))
        case _:
            return _BY_NUMBER[family](_whole(body, family, token))


def _unreadable(family: str, expected: str, token: str) -> BadSpace:
    return BadSpace(
        f"expected {expected} as in {EXAMPLES[family]}, found {show(token)}.", found=token
    )


def _whole(body: str, family: str, token: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,40}", body.strip(), re.ASCII):
        raise _unreadable(family, "whole numbers", token)
    return int(body)


def _unquote(part: str, token: str) -> str:
    if '"' not in part:
        return part
    try:
        return str(loads(part))
    except JSONDecodeError:
        raise BadSpace(f"a name in double quotes cannot be read in {show(token)}.") from None


def _options(
    family: str, body: str, wanted: _Kinds, optional: _Kinds, token: str
) -> dict[str, Any]:
    """Values of `name=value` pairs in any order."""
    values: dict[str, Any] = {}
    kinds = {**wanted, **optional}
    for part in body.split(",") if body.strip() else []:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        name = name.lower()
        if name not in kinds or not equals:
            known = " and ".join(f"{kind}=…" for kind in kinds)
            near = meant(name, kinds) if equals else ""
            raise _unreadable(family, f"{known}{near}", token)
        if name in values:
            raise _unreadable(family, f"{name}=… once", token)
        values[name] = _whole(value, family, token) if kinds[name] is int else value
    missing = [name for name in wanted if name not in values]
    if missing:
        raise _unreadable(family, f"a value for {' and '.join(missing)}", token)
    return values


def space_from(description: Any) -> Space:
    """The space of a document form, as `describe()` gives it.

    >>> space_from({"family": "cycle", "nodes": 7}).text
    'cycle:7'
    """
    return _space_from(description, MOST_FACTORS)


def _space_from(description: Any, depth: int) -> Space:
    if not isinstance(description, dict):
        raise BadSpace(f"expected a space as an object with a family, found {show(description)}.")
    if depth == 0:
        raise BadSpace(f"expected at most {MOST_FACTORS} nested factors, found more.")
    fields = {key: value for key, value in description.items() if key != "family"}
    family = description.get("family")
    entries = _FIELDS.get(family) if isinstance(family, str) else None
    if entries is None:
        raise BadSpace(f"expected one of the families {', '.join(_FIELDS)}, found {show(family)}.")
    if set(fields) - (_MAY_STATE if family == "matrix" else set()) != set(entries):
        raise BadSpace(
            f"the family {family} has the fields {', '.join(entries)}, "
            f"found {show(sorted(map(str, fields)))}."
        )
    for name, kind in entries.items():
        if not isinstance(fields[name], kind) or isinstance(fields[name], bool):
            raise BadSpace(
                f"the field {name} of the family {family} must be of type "
                f"{kind.__name__}, found {show(fields[name])}."
            )
    match family:
        case "sum":
            return families.sums(people=fields["people"], maximum=fields["max"])
        case "categories":
            values = fields["values"]
            numbered = values == list(range(len(values))) and bool not in map(type, values)
            return families.categories(len(values) if numbered else values)
        case "product":
            combine = next((c for c in Combine if c.value == fields["combine"]), None)
            if combine is None or len(fields["factors"]) != 2:
                raise BadSpace(
                    "a product needs combine sum or max and two factors, "
                    f"found {show(description)}."
                )
            first, second = (_space_from(part, depth - 1) for part in fields["factors"])
            return product(first, second, combine)
        case "graph":
            return named_graphs(graph(fields["nodes"], fields["edges"]))
        case "directed":
            return directed(fields["nodes"], fields["edges"])
        case "matrix" | "points":
            name = "distances" if family == "matrix" else "coordinates"
            rows = fields[name]
            if not all(isinstance(row, list) for row in rows):
                raise BadSpace(f"the field {name} must be a list of lists.")
            if family == "points":
                return points(fields["labels"], rows)
            return matrix(fields["labels"], rows, unit=fields.get("unit"))
        case _:
            return _BY_FIELDS[str(family)](**fields)


_MAY_STATE = {"unit"}
_BY_NUMBER: dict[str, Callable[..., Space]] = {
    "sets": families.sets,
    "cycle": families.cycle,
    "complete": families.complete,
    "star": star,
}
_BY_FIELDS: dict[str, Callable[..., Space]] = {
    **_BY_NUMBER,
    "path": families.path,
    "counts": families.counts,
    "histogram": families.histogram,
    "grid": families.grid,
    "hamming": families.hamming,
}
_FIELDS: dict[str, dict[str, type]] = {
    "path": {"low": int, "high": int},
    "sum": {"people": int, "max": int},
    "counts": {"people": int, "queries": int},
    "histogram": {"people": int, "cells": int, "neighbors": str},
    "grid": {"shape": list, "step": str, "metric": str},
    "hamming": {"values": int, "people": int},
    "categories": {"values": list},
    "sets": {"items": int},
    "cycle": {"nodes": int},
    "complete": {"nodes": int},
    "star": {"leaves": int},
    "graph": {"nodes": list, "edges": list},
    "directed": {"nodes": list, "edges": list},
    "matrix": {"labels": list, "distances": list},
    "points": {"labels": list, "coordinates": list},
    "product": {"combine": str, "factors": list},
}
