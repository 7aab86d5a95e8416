"""Documents made by hand for the stand-alone checkers, and plain mathematics to judge them by."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from io import BytesIO, TextIOWrapper
from itertools import permutations, product
from math import isqrt
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, settings

from tests.relations import ANY, fitting

PACKAGE = Path(__file__).parents[1] / "src" / "tightrope"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{name}_alone", PACKAGE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BOTH = RECEIPT, THEOREMS = _load("receipt"), _load("receipt_theorems")
few = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def checker(content: Any) -> ModuleType:
    """The file that checks the form of a document; for what is none, the first."""
    law = content.get("mechanism") if isinstance(content, dict) else None
    if isinstance(law, dict) and law.get("form") == "table":
        law = law.get("base")
    form = law.get("form") if isinstance(law, dict) else None
    return THEOREMS if form in ("noise", "subset", "unary") else RECEIPT


def pairs_of(space: Any, related: Any) -> list[tuple[int, int]]:
    """The related pairs of a space that is the same both ways, each once."""
    return [(i, j) for i, j in space.ways(related) if i < j]


# ---------------------------------------------------------------- documents made by hand

PATH3 = {"family": "path", "low": 0, "high": 2}
LN2 = ("0", "1", "2")


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    content = {key: value for key, value in document.items() if key != "digest"}
    if "neighbors" in content:
        content["neighbors"] = fitting(content)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return {**content, "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def document(
    space: Any,
    mechanism: Any,
    epsilon: Sequence[str] = LN2,
    *,
    delta: str = "0",
    outputs: Any = "inputs",
    neighbors: str | None = ANY,
    **other: Any,
) -> dict[str, Any]:
    form = mechanism.get("base", mechanism).get("form")
    evidence = {"matrix": "enumerated", "kernel": "kernel", "noise": "theorem"}.get(form)
    parts = dict(zip(("rational", "coefficient", "base"), epsilon, strict=True))
    content = {
        "format": "tightrope/mechanism", "version": 1, "space": space, "neighbors": neighbors,
        "outputs": outputs, "mechanism": mechanism,
        "claim": {"epsilon": parts, "delta": delta, "evidence": evidence},
        "construction": None, "optimality": None,
    }
    return sealed({**content, **other})


def matrix(*rows: str) -> dict[str, Any]:
    return {"form": "matrix", "rows": list(rows)}


def kernel(ratio: str, weights: Sequence[str], unit: str = "1") -> dict[str, Any]:
    return {"form": "kernel", "ratio": ratio, "unit": unit, "weights": list(weights)}


def noise(ratio: str) -> dict[str, Any]:
    return {"form": "noise", "law": "two-sided geometric", "ratio": ratio}


GOOD = document(PATH3, matrix("4 1 1", "2 2 2", "1 1 4"))


def judged(content: dict[str, Any], large: bool = False) -> dict[str, Any]:
    module = checker(content)
    found: dict[str, Any] = module.examine(content, *[large] * (module is not THEOREMS))
    return found


@dataclass(frozen=True)
class Answer:
    """What a checker said, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def written(tmp_path: Path, content: Any) -> Path:
    file = tmp_path / "m.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return file


def run(tmp_path: Path, content: Any, *options: str, by: ModuleType | None = None) -> Answer:
    """The checker of the document, or this one, in this process."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in "12")
    with redirect_stdout(out), redirect_stderr(err):
        code = (by or checker(content)).main([str(written(tmp_path, content)), *options])
    return Answer(code, *(end.buffer.getvalue().decode() for end in (out, err)))


def alone(
    tmp_path: Path, content: Any, *options: str, by: ModuleType | None = None
) -> subprocess.CompletedProcess[str]:
    """As `run`, in a process of its own that knows no package and bears no warning."""
    command = [sys.executable, "-I", "-W", "error", str((by or checker(content)).__file__)]
    return subprocess.run([*command, str(written(tmp_path, content)), *options],
                          capture_output=True, text=True, encoding="utf-8", check=False)


# ---------------------------------------------------------------- plain mathematics to judge it by

Table = list[list[Fraction]]  # squared distances, so that roots stay exact


def squares(points: Sequence[Any], distance: Callable[[Any, Any], Any]) -> Table:
    return [[Fraction(distance(a, b)) ** 2 for b in points] for a in points]


def gaps(a: Sequence[int], b: Sequence[int]) -> list[int]:
    return [abs(x - y) for x, y in zip(a, b, strict=True)]


def hops(size: int, edges: Sequence[tuple[int, int, Fraction]]) -> Table:
    far = Fraction(10**9)
    table = [[Fraction(0) if i == j else far for j in range(size)] for i in range(size)]
    for i, j, length in edges:
        table[i][j] = table[j][i] = min(length, table[i][j])
    for k, i, j in product(range(size), repeat=3):
        table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    return [[d**2 for d in row] for row in table]


def cube(*sides: int) -> list[tuple[int, ...]]:
    return list(product(*map(range, sides)))


ONE = Fraction(1)
TRIANGLE = [["0", "1/2", "1"], ["1/2", "0", "3/4"], ["1", "3/4", "0"]]
PLACES = [["0", "0"], ["1/2", "1"], ["3/2", "2"], ["1", "-9/4"]]
EDGES = [[0, 1, "1"], [0, 2, "7/4"], [1, 2, "1/2"], [2, 3, "2"]]
REPLACED = [(a, b, 3 - a - b) for a in range(4) for b in range(4 - a)]
ADDED = [(a, b) for a in range(4) for b in range(4 - a)]

# description, labels, squared distances, whether the table of the specification gives neighbors
FAMILIES: dict[str, tuple[Any, list[Any], Table, bool]] = {
    "path": ({"family": "path", "low": -1, "high": 3}, [-1, 0, 1, 2, 3],
             squares(range(5), lambda a, b: a - b), True),
    "sum": ({"family": "sum", "people": 3, "max": 2}, [0, 1, 2, 3, 4, 5, 6],
            squares(range(7), lambda a, b: (abs(a - b) + 1) // 2), True),
    "counts": ({"family": "counts", "people": 2, "queries": 2}, cube(3, 3),
               squares(cube(3, 3), lambda a, b: max(gaps(a, b))), True),
    "replace": ({"family": "histogram", "people": 3, "cells": 3, "neighbors": "replace"}, REPLACED,
                squares(REPLACED, lambda a, b: Fraction(sum(gaps(a, b)), 2)), True),
    "add-remove": ({"family": "histogram", "people": 3, "cells": 2, "neighbors": "add-remove"},
                   ADDED, squares(ADDED, lambda a, b: sum(gaps(a, b))), True),
    "euclidean": ({"family": "grid", "shape": [3, 4], "step": "1/2", "metric": "euclidean"},
                  cube(3, 4), [[Fraction(sum(g * g for g in gaps(a, b)), 4) for b in cube(3, 4)]
                               for a in cube(3, 4)], False),
    "manhattan": ({"family": "grid", "shape": [2, 1, 3], "step": "1/2", "metric": "manhattan"},
                  cube(2, 1, 3),
                  squares(cube(2, 1, 3), lambda a, b: Fraction(sum(gaps(a, b)), 2)), True),
    "chebyshev": ({"family": "grid", "shape": [2, 3], "step": "3", "metric": "chebyshev"},
                  cube(2, 3), squares(cube(2, 3), lambda a, b: 3 * max(gaps(a, b))), True),
    "hamming": ({"family": "hamming", "values": 3, "people": 2}, cube(3, 3),
                squares(cube(3, 3), lambda a, b: sum(map(bool, gaps(a, b)))), True),
    "categories": ({"family": "categories", "values": ["red", "green", "7"]}, ["red", "green", "7"],
                   squares(range(3), lambda a, b: a != b), True),
    "sets": ({"family": "sets", "items": 3},
             [(), (0,), (1,), (0, 1), (2,), (0, 2), (1, 2), (0, 1, 2)],
             squares(range(8), lambda a, b: bin(a ^ b).count("1")), True),
    "cycle": ({"family": "cycle", "nodes": 5}, list(range(5)),
              hops(5, [(i, (i + 1) % 5, ONE) for i in range(5)]), True),
    "complete": ({"family": "complete", "nodes": 4}, list(range(4)),
                 squares(range(4), lambda a, b: a != b), True),
    "star": ({"family": "star", "leaves": 3}, list(range(4)),
             hops(4, [(0, i, ONE) for i in (1, 2, 3)]), True),
    "graph": ({"family": "graph", "nodes": ["a", "b", ["c", 1], 4], "edges": EDGES},
              ["a", "b", ("c", 1), 4],
              hops(4, [(i, j, Fraction(x)) for i, j, x in EDGES]), True),
    "matrix": ({"family": "matrix", "labels": ["x", "y", "z"], "distances": TRIANGLE},
               ["x", "y", "z"], [[Fraction(x) ** 2 for x in row] for row in TRIANGLE], False),
    "points": ({"family": "points", "labels": list("abcd"), "coordinates": PLACES}, list("abcd"),
               [[sum((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(a, b, strict=True))
                 for b in PLACES] for a in PLACES], False),
}
SUM = {"family": "product", "combine": "sum", "factors": [
    {"family": "path", "low": 0, "high": 2}, {"family": "star", "leaves": 2}]}
MAX = {"family": "product", "combine": "max", "factors": [
    {"family": "path", "low": 0, "high": 2}, {"family": "cycle", "nodes": 4}]}
UNEVEN = {"family": "product", "combine": "max", "factors": [
    {"family": "path", "low": 0, "high": 2}, {"family": "matrix", "labels": ["x", "y", "z"],
                                              "distances": TRIANGLE}]}
STRIDES = {"family": "product", "combine": "max", "factors": [
    PATH3, {"family": "grid", "shape": [2], "step": "2", "metric": "manhattan"}]}


def line(i: int, j: int) -> Fraction:
    return Fraction(abs(i - j))


def spoke(i: int, j: int) -> Fraction:
    return Fraction(0 if i == j else 2 if i and j else 1)


def ring(i: int, j: int) -> Fraction:
    return Fraction(min(abs(i - j), 4 - abs(i - j)))


def corner(i: int, j: int) -> Fraction:
    return Fraction(TRIANGLE[i][j])


FAMILIES |= {
    "sum product": (SUM, cube(3, 3), squares(cube(3, 3), lambda a, b: (
        line(a[0], b[0]) + spoke(a[1], b[1]))), True),
    "max product": (MAX, cube(3, 4), squares(cube(3, 4), lambda a, b: max(
        line(a[0], b[0]), ring(a[1], b[1]))), True),
    "uneven product": (UNEVEN, list(product(range(3), "xyz")), squares(cube(3, 3), lambda a, b: max(
        line(a[0], b[0]), corner(a[1], b[1]))), False),
    "uneven strides": (STRIDES, list(product(range(3), cube(2))), squares(cube(3, 2), lambda a, b: (
        max(line(a[0], b[0]), 2 * line(a[1], b[1])))), True),
}
RATIONAL = [name for name in FAMILIES if name not in ("euclidean", "points")]


def value(length: Any) -> Decimal:
    """A length of the receipt as a decimal of 100 digits."""
    with localcontext() as context:
        context.prec = 100
        if not isinstance(length, tuple):
            return Decimal(length.numerator) / Decimal(length.denominator)
        if length[0] == "root":
            return (Decimal(length[1].numerator) / Decimal(length[1].denominator)).sqrt()
        a, b = value(length[1]), value(length[2])
        return a + b if length[0] == "sum" else max(a, b)


def power(epsilon: Sequence[str], square: Fraction) -> Fraction:
    """e^(ε d) for d² = square: exact if it is rational, else to 60 digits."""
    rational, coefficient, base = map(Fraction, epsilon)
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    exponent = coefficient * root
    if root * root == square and not rational and exponent.denominator == 1:
        return base**exponent.numerator
    with localcontext() as context:
        context.prec = 80
        d = (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()
        r, c, b = (Decimal(x.numerator) / x.denominator for x in (rational, coefficient, base))
        return Fraction((d * (r + c * b.ln())).exp())


def private(rows: list[list[Fraction]], table: Table, epsilon: Sequence[str]) -> bool:
    """The definition itself, over all pairs and outputs."""
    return all(
        p <= power(epsilon, table[i][j]) * q
        for i, j in permutations(range(len(rows)), 2)
        for p, q in zip(rows[i], rows[j], strict=True)
    )


def nearly_private(
    rows: list[list[Fraction]], pairs: list[tuple[int, int]], table: Table,
    epsilon: Sequence[str], delta: Fraction,
) -> bool:
    """P(S|y) <= e^(ε d) P(S|y') + δ for all neighbors and sets S (if few; else the worst one)."""
    sets = list(product((0, 1), repeat=len(rows[0]))) if len(rows[0]) < 5 else []
    for i, j in pairs + [(j, i) for i, j in pairs]:
        allowed = power(epsilon, table[i][j])
        excess = [p - allowed * q for p, q in zip(rows[i], rows[j], strict=True)]
        for chosen in sets or [[e > 0 for e in excess]]:
            if sum(e for e, s in zip(excess, chosen, strict=True) if s) > delta:
                return False
    return True


def normalized(weights: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    return [[w / sum(row) for w in row] for row in weights]


def token(weight: Fraction) -> str:
    """A dyadic weight as the document writes it."""
    shift = weight.denominator.bit_length() - 1
    assert weight.denominator == 1 << shift
    return f"{weight.numerator:x}" + (f"p{-shift}" if shift else "")


LEVELS = [("0", "1", "2"), ("0", "1", "3/2"), ("0", "2", "3"), ("0", "2", "5/4"), ("0", "4", "2"),
          ("1/2", "0", "1"), ("1/3", "1", "2"), ("5/2", "0", "1")]


def assert_broken(
    witness: dict[str, Any], points: list[Any], outputs: list[Any],
    rows: list[list[Fraction]], table: Table, epsilon: Sequence[str], delta: Fraction = Fraction(0),
) -> None:
    i, j = points.index(witness["first"]), points.index(witness["second"])
    chosen = [outputs.index(z) for z in witness["outputs"]]
    p, q = sum(rows[i][z] for z in chosen), sum(rows[j][z] for z in chosen)
    assert p > power(epsilon, table[i][j]) * q + delta
    for text, chance in zip(witness["probabilities"], (p, q), strict=True):
        assert abs(Fraction(text) - chance) <= chance * Fraction("." in text, 10**6)
