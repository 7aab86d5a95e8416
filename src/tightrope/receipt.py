"""Proves or refutes what a document says about a mechanism that it writes out as a matrix.

    python receipt.py FILE [--json] [--large]

A document holds a finite metric space, a mechanism and a claim (ε, δ). The claim says, if δ = 0,
p(z|y) <= e^(ε d(y,y')) p(z|y') for all inputs y, y' and outputs z; else, for all neighbors y, y',
that the sum over z of max(0, p(z|y) - e^(ε d(y,y')) p(z|y')) is at most δ. At an infinite distance
nothing is claimed. It may also claim that no mechanism has a smaller loss (`Optimum.check`).
Read on from here: the file, numbers, distances, privacy, optimality, the report. All comparisons
are of integers: with e^(ε d) where it is rational, else with bounds that are refined until they
decide. Only the standard library is used, and no code of the program that wrote the document.
Other forms of mechanism are checked by the files in OTHERS, each of which stands alone, too.
Exit: 0 intact and proved; 1 changed or refuted; 2 not a document; 3 cannot be checked here.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import heapq
import io
import json
import math
import os
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from operator import add, lshift, mul, ne, sub
from typing import Any, NoReturn

# characters that no text of a document may hold: controls, separators of lines, turns of the
# writing direction, halves of characters, and what Unicode says is none
BARRED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
                    "\ufdd0-\ufdef" + "".join(chr(p << 16 | q) for p in range(17)
                                              for q in (0xFFFE, 0xFFFF)) + "]")
MOST_SHOWN = 60  # characters of a text of the document, in the report for people
MOST_BYTES = 1 << 30  # of a document, unpacked
MOST_DEPTH = 500  # of lists in lists
MOST_POINTS = 10**7  # of a space
MOST_SCALE = 1 << 1000  # of a numerator or common denominator in a space
MOST_EXPONENT = 8 * 10**6  # of a weight, either sign
MOST_LENGTH = 1 << 18  # bits between the ends of the weights of a row
MOST_LENGTHS = 1 << 29  # of all rows together
MOST_MATRIX = 25 * 10**6  # entries of a matrix, unless --large
MOST_ENTRIES = 4 * 10**6  # of a matrix, for a claim of optimality
FAR = 200_000  # by e^FAR no two probabilities differ: 2^MOST_LENGTH is less, whatever is added up
UNIT = 96  # losses, prices and multipliers are whole multiples of 2^-96
OTHERS = {"kernel": "receipt_kernels.py", "remapped": "receipt_kernels.py", **dict.fromkeys(
    ("noise", "subset", "unary", "ladder", "smooth", "global", "quantile", "mode", "line"),
    "receipt_theorems.py")}


class Malformed(Exception):
    """The file is not a document of this version."""


class Unchecked(Exception):
    """A claim that this program cannot check."""


class Refuted(Exception):
    """A false claim; the argument is the witness."""


# ------------------------------------------------------------------ 1. the file
def need(condition: bool, sentence: str) -> None:
    if not condition:
        raise Malformed(sentence)


def read(path: str) -> Any:
    """The JSON value in a file, plain or gzip, in UTF-8 and without repeated keys."""
    def unique(items: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(items)) == len(items), "an object in the document repeats a key")
        return dict(items)

    def finite(text: str) -> float:
        need(math.isfinite(float(text)), "the document holds a number that is not finite")
        return float(text)

    try:
        with open(path, "rb") as file:
            raw = file.read(MOST_BYTES + 1)
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.GzipFile(fileobj=io.BytesIO(raw)).read(MOST_BYTES + 1)
        need(len(raw) <= MOST_BYTES, f"the file holds more than {MOST_BYTES} bytes")
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=unique,
                           parse_float=finite, parse_constant=finite)
    except (OSError, EOFError, zlib.error) as error:
        raise Malformed(f"the file cannot be read: {error}") from None
    except ValueError as error:
        raise Malformed(f"the file is not JSON in UTF-8: {str(error)[:200]}") from None
    inner, depth = [found], 0
    while inner:
        for text in (x for part in inner for x in (part if isinstance(part, dict) else [part])):
            need(not isinstance(text, str) or text.isprintable() or not BARRED.search(text),
                 "a text of the document holds a control character")
        inner, depth = [x for part in inner if isinstance(part, list | dict)
                        for x in (part.values() if isinstance(part, dict) else part)], depth + 1
    need(depth <= MOST_DEPTH, "the document is nested too deep")
    return found


def intact(document: Any) -> bool:
    """Whether the digest of a document of this version is the one of its other fields."""
    form, version, digest = fields(document, "format version digest", "the document")
    known = form == "tightrope/mechanism" and type(version) is int and version == 1
    need(known and isinstance(digest, str),
         'the document needs the "format" tightrope/mechanism, "version" 1 and a text as "digest"')
    rest = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return bool(digest == "sha256:" + hashlib.sha256(text.encode()).hexdigest())


def fields(value: Any, names: str, where: str) -> list[Any]:
    found = isinstance(value, dict) and set(names.split()) <= set(value)
    need(found, f"{where} must be an object with the fields {names}")
    return [value[name] for name in names.split()]


def whole(value: Any, where: str, least: int = 1, most: int = 10**15) -> int:
    fits = type(value) is int and least <= value <= most
    need(fits, f"{where} must be a whole number from {least} to {most}")
    return int(value)


def number(value: Any, where: str, short: bool = False) -> Fraction:
    """A fraction written "p/q" or "p"; if short, in lowest terms with both parts below 2^1000."""
    text = value if isinstance(value, str) else ""
    match = re.fullmatch(r"(-?[0-9]{1,4300})(?:/([0-9]{1,4300}))?", text)
    if match and (below := int(match[2] or 1)):
        found = Fraction(int(match[1]), below)
        small = max(abs(found.numerator), found.denominator) < MOST_SCALE
        if not short or (small and str(found) == text):
            return found
    raise Malformed(f'{where} must be a fraction in text, such as "1/2"')


def listed(value: Any, where: str, size: int | None = None) -> list[Any]:
    fits = isinstance(value, list) and len(value) > 0 and size in (None, len(value))
    need(fits, f"{where} must be a list of {size or 'at least one'}")
    return list(value)


def labels(value: Any, where: str) -> list[Any]:
    def label(part: Any, depth: int) -> Any:
        if isinstance(part, list) and depth < 50:
            return tuple(label(inner, depth + 1) for inner in part)
        need(type(part) in (int, str), "a label must be a whole number, a text or a list of labels")
        return part

    found = [label(part, 0) for part in listed(value, where)]
    need(len(set(found)) == len(found), f"{where} must not repeat a label")
    return found


# ------------------------------------------------------------------ 2. numbers
# A length is rational, or an irrational ("root", x), ("sum", a, b) or ("max", a, b). A sum of
# positive lengths is irrational as soon as one is: square roots do not cancel one another.
Length = int | Fraction | tuple[Any, ...]
INF: Any = math.inf  # between components


def root_of(x: Fraction) -> Length:
    root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    return root if root * root == x else ("root", x)


def length_bounds(x: Length, bits: int) -> tuple[int, int]:
    """Integers lower <= x 2^bits <= upper."""
    if not isinstance(x, tuple):
        return (x.numerator << bits) // x.denominator, -((-x.numerator << bits) // x.denominator)
    if x[0] == "root":
        root = math.isqrt((x[1].numerator << 2 * bits) // x[1].denominator)
        return root, root + 1
    (a0, a1), (b0, b1) = length_bounds(x[1], bits), length_bounds(x[2], bits)
    return (a0 + b0, a1 + b1) if x[0] == "sum" else (max(a0, b0), max(a1, b1))


def longer(a: Length, b: Length) -> Length:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return ("max", a, b)
    bits = 64
    while a != b:  # not equal, so the bounds come apart
        (a0, a1), (b0, b1) = length_bounds(a, bits), length_bounds(b, bits)
        if a0 > b1 or b0 > a1:
            return a if a0 > b1 else b
        bits *= 2
    return a


def exponential(x: int, bits: int, up: int) -> tuple[int, int]:
    """(n, m) with n/m at most (up = 0) or at least (up = 1) e^(x / 2^bits), for x >= 0.

    The series of e^t at t = x / 2^(bits + halvings) < 1/2, squared `halvings` times, each step
    rounded in the same direction. The terms left out add up to less than one unit.
    """
    halvings = max(0, x.bit_length() - bits + math.isqrt(bits))
    bits += halvings
    n, total, term = 1, 1 << bits, 1 << bits
    while term > 1:
        term = ((term * x + up * ((1 << bits) - 1) >> bits) + up * (n - 1)) // n
        total, n = total + term, n + 1
    total, exponent = total + up, -bits
    for _ in range(halvings):
        total *= total
        drop = total.bit_length() - bits
        total, exponent = (total >> drop) + up, 2 * exponent + drop
    return total << max(0, exponent), 1 << max(0, -exponent)


def logarithm(b: Fraction, bits: int) -> tuple[int, int]:
    """Integers around ln(b) 2^bits, b > 1: found by Newton's method, proved by `exponential`."""
    if bits <= 40:
        x = max(0, int((math.log(b.numerator) - math.log(b.denominator)) * (1 << bits)))
    else:
        x = logarithm(b, bits // 2 + 8)[0] << bits - bits // 2 - 8
        n, m = exponential(x << 16, bits + 16, 0)
        x += ((b.numerator * m - b.denominator * n) << bits) // (b.denominator * n)
    slack = 2
    while True:
        low, high = max(0, x - slack), x + slack
        (n, m), (k, j) = exponential(low << 16, bits + 16, 1), exponential(high << 16, bits + 16, 0)
        if (not low or n <= b * m) and b * j <= k:
            return low, high
        slack *= 2


def root(n: int, r: int) -> int | None:
    """The r-th root of n >= 1, if it is whole."""
    low, high = 1, 2 << n.bit_length() // r  # low^r <= n < high^r
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**r <= n else (low, middle)
    return low if low**r == n else None


class Level:
    """ε = rational + coefficient ln(base), above 0, and comparisons with e^(ε d)."""

    def __init__(self, rational: Fraction, coefficient: Fraction, base: Fraction) -> None:
        need(base > 0 <= coefficient, "epsilon needs a base above 0 and a coefficient from 0")
        if base < 1:
            base, coefficient = 1 / base, -coefficient
        self.rational, self.base = rational, base
        self.coefficient = coefficient if base > 1 else Fraction(0)
        self.power = lru_cache(1 << 14)(self._power)
        bits = 64  # an ε with a logarithm in it is not zero, so the loop ends
        while self.coefficient and self.bounds(bits)[0] <= 0 < self.bounds(bits)[1]:
            bits *= 2
        low, high = self.bounds(bits)
        need(low <= 10**6 << bits and high > 0, "epsilon must be above 0 and at most 1,000,000")

    def bounds(self, bits: int) -> tuple[int, int]:
        """Integers lower <= ε 2^bits <= upper."""
        grow = 2 + math.ceil(abs(self.coefficient)).bit_length()
        logs = logarithm(self.base, bits + grow) if self.coefficient else (0, 0)
        low, high = sorted(self.coefficient * log / (1 << grow) for log in logs)
        return (math.floor(self.rational * (1 << bits) + low),
                math.ceil(self.rational * (1 << bits) + high))

    def exact(self, d: Length) -> tuple[int, int] | None:
        """e^(ε d) as a fraction; None if it is irrational, or too long for any tie.

        By the theorems of Lindemann, Gelfond-Schneider and Baker it is transcendental unless it
        is base^(p/r), and that, in lowest terms, is rational only if base is an r-th power.
        """
        if self.rational or isinstance(d, tuple):
            return None
        p, r = (self.coefficient * d).as_integer_ratio()
        u, v = (root(part, r) for part in self.base.as_integer_ratio())
        return (u**p, v**p) if u and v and p * u.bit_length() < 4 * MOST_LENGTH else None

    def _power(self, d: Length, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Fractions (n, m) below and above e^(ε d), to about so many bits; equal if it is one."""
        if (exact := self.exact(d)) is not None:
            return exact, exact
        bits += 16 + self.bounds(0)[1].bit_length() + length_bounds(d, 0)[1].bit_length()
        (e0, e1), (d0, d1) = self.bounds(bits), length_bounds(d, bits)
        low, high = max(e0, 0) * d0 >> bits, -(-e1 * d1 >> bits)
        if low > FAR << bits:
            low = high = FAR << bits
        return exponential(low, bits, 0), exponential(high, bits, 1)

    def exceeded(self, a: int, b: int, d: Length) -> bool:
        """Whether a > e^(ε d) b, for b >= 0: a lower bound denies it, an upper one proves it."""
        bits = 64
        while True:  # there is no tie with an irrational number, so this ends
            (n, m), (k, j) = self.power(d, bits)
            if a * m <= b * n:
                return False
            if a * j > b * k:
                return True
            bits *= 2

    def share(self, d: Length) -> int:
        """The whole part of 2^96 e^(-ε d)."""
        bits = 2 * UNIT
        while d != INF:
            (n, m), (k, j) = self.power(d, bits)
            if (m << UNIT) // n == (j << UNIT) // k:
                return (m << UNIT) // n
            bits *= 2
        return 0


def decimal(a: int, b: int, digits: int) -> str:
    """a / b to so many digits: 1.234e-217."""
    wide = Context(prec=digits + 9, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return f"{wide.divide(Decimal(a), Decimal(b)):.{digits - 1}e}"


def shown(a: int, b: int) -> str:
    """a / b as "p/q" if that is short, else to four digits."""
    return str(Fraction(a, b)) if max(a, b) < 1 << 99 or not a else decimal(a, b, 4)


def length_text(x: Length) -> str:
    if isinstance(x, tuple):
        return decimal(length_bounds(x, 128)[0], 1 << 128, 7)
    return str(Fraction(x))


def brief(value: Any) -> str:
    """A value of the document on one line in ASCII; of a long one both ends, and its length."""
    text, half = json.dumps(value), MOST_SHOWN // 2
    return (text if len(text) <= MOST_SHOWN else
            f"{text[:half]} ... {text[-half:]} ({len(text)} characters)")


# ------------------------------------------------------------------ 3. distances
Measure = Callable[[int, int], Any]  # the length between two points, given by their numbers
Relation = Callable[[int, int], bool]
WHOLE = {  # the fields of the families that are described by whole numbers
    "path": "low high", "sum": "people max", "counts": "people queries", "sets": "items",
    "hamming": "values people", "cycle": "nodes", "complete": "nodes", "star": "leaves"}
FAMILIES = {  # and of all of them
    **WHOLE, "grid": "shape step metric", "histogram": "people cells neighbors",
    "categories": "values", "graph": "nodes edges", "matrix": "labels distances",
    "points": "labels coordinates", "product": "combine factors"}


@dataclass(frozen=True)
class Space:
    """Points in order, their distances, and which pairs to compare.

    `near`: pairs whose inequalities imply all others if δ = 0, as they multiply along shortest
    paths (on a graph: its edges). `neighbors`: the pairs that δ > 0 is about; None if the family
    has none. `window`: points whose numbers are further apart than this are neither. `places`:
    coordinates in whole numbers, and the unit that these count.
    """

    points: Sequence[Any]
    distance: Measure
    near: Relation
    neighbors: Relation | None = None
    places: tuple[Sequence[Any], Fraction] | None = None
    window: int = MOST_POINTS
    factors: int = 1

    def pairs(self, related: Relation) -> Iterator[tuple[int, int]]:
        for i, _ in enumerate(self.points):
            last = min(i + 1 + self.window, len(self.points))
            yield from ((i, j) for j in range(i + 1, last) if related(i, j))

    def components(self) -> int:
        """The number of parts at an infinite distance from each other."""
        firsts: list[int] = []
        for i, _ in enumerate(self.points):
            firsts += [i] * all(self.distance(first, i) == INF for first in firsts)
        return len(firsts)


def stepwise(points: Sequence[Any], distance: Measure, step: int | Fraction = 1,
             placed: bool = False, window: int = MOST_POINTS) -> Space:
    """A space where every distance is a number of steps between neighbors."""
    def near(i: int, j: int) -> bool:
        return bool(distance(i, j) == step)

    return Space(points, distance, near, near, (points, Fraction(step)) if placed else None, window)


def by_gaps(points: Sequence[Any], measure: Callable[[list[int]], Length]) -> Measure:
    return lambda i, j: measure([abs(a - b) for a, b in zip(points[i], points[j], strict=True)])


def euclidean(places: list[tuple[int, ...]], unit: Fraction) -> Measure:
    exact = lru_cache(1 << 14)(lambda square: root_of(square * unit * unit))
    return by_gaps(places, lambda gaps: exact(sum(map(mul, gaps, gaps))))


def grid(shape: Sequence[int], metric: str, step: Fraction = Fraction(1)) -> Space:
    """All tuples below the sides of a box, in lexicographic order."""
    points = list(product(*map(range, shape)))
    if metric == "euclidean":  # a cell lies between two others unless their offset has gcd 1
        return Space(points, euclidean(points, step), places=(points, step),
                     near=lambda i, j: math.gcd(*map(sub, points[i], points[j])) == 1)
    if metric == "hamming":
        return stepwise(points, by_gaps(points, lambda gaps: len(gaps) - gaps.count(0)))
    total, unit = (max if metric == "chebyshev" else sum), step if step % 1 else int(step)
    return stepwise(points, by_gaps(points, lambda gaps: total(gaps) * unit), unit, placed=True)


def graph(nodes: list[Any], edges: list[Any]) -> Space:
    """Shortest paths by Dijkstra; neighbors are the edges that are themselves shortest paths."""
    lengths = [number(listed(edge, "an edge", 3)[2], "a length", short=True) for edge in edges]
    ends = [tuple(whole(end, "an end of an edge", 0, len(nodes) - 1) for end in edge[:2])
            for edge in edges]
    need(ends == sorted(set(ends)) and all(i < j for i, j in ends) and min(lengths) > 0,
         "the edges of a graph must go up, be in order, none twice, and have positive lengths")
    scale = math.lcm(*(length.denominator for length in lengths))  # from here on, whole numbers
    need(sum(lengths) * scale < 1 << 53, "the lengths of the edges together are too long")
    ways: list[dict[int, int]] = [{} for _ in nodes]
    for (i, j), length in zip(ends, lengths, strict=True):
        ways[i][j] = ways[j][i] = int(length * scale)

    @lru_cache(256)
    def reach(start: int) -> dict[int, int]:
        found: dict[int, int] = {}
        queue = [(0, start)]
        while queue:
            far, node = heapq.heappop(queue)
            if node not in found:
                found[node] = far
                for other, way in ways[node].items():
                    heapq.heappush(queue, (far + way, other))
        return found

    def near(i: int, j: int) -> bool:
        return j in ways[i] and ways[i][j] == reach(i)[j]

    return Space(nodes, lambda i, j: Fraction(reach(i)[j], scale) if j in reach(i) else INF,
                 near, near)


def given(points: list[Any], rows: Any) -> Space:
    """Distances as written, "inf" between components, checked to be a metric."""
    size = len(points)
    table = [[INF if x == "inf" else number(x, "a distance", short=True)
              for x in listed(row, "distances", size)] for row in listed(rows, "distances", size)]
    finite = [x for row in table for x in row if x != INF]
    scale = math.lcm(*(x.denominator for x in finite))
    need(max(scale, scale * max(finite, default=0)) < MOST_SCALE, "the distances are too long")
    need(len(finite) > size, "two points at least must be at a finite distance")
    exact = [[x if x == INF else int(x * scale) for x in row] for row in table]
    for i, j in product(range(size), repeat=2):
        d = exact[i][j]
        need(d == exact[j][i] and (d > 0) == (i != j) and d <= min(map(add, exact[i], exact[j])),
             f"not a metric: {brief(points[i])} and {brief(points[j])} are at no or unequal "
             "distance, or nearer by way of another point")
    return Space(points, lambda i, j: table[i][j], lambda i, j: table[i][j] != INF)


def positions(points: list[Any], rows: Any) -> Space:
    """Euclidean distances of points with coordinates."""
    table = [[number(x, "a coordinate", short=True) for x in listed(row, "coordinates")]
             for row in listed(rows, "coordinates", len(points))]
    need(len(set(map(len, table))) == 1, "all points must have equally many coordinates")
    scale = math.lcm(*(x.denominator for row in table for x in row))
    places = [tuple(int(x * scale) for x in row) for row in table]
    need(scale < MOST_SCALE and max(abs(x) for place in places for x in place) < 1 << 60,
         "the coordinates together are too long")
    need(len(set(places)) == len(places), "not a metric: two points have the same coordinates")
    unit = Fraction(1, scale)
    return Space(points, euclidean(places, unit), lambda i, j: True, places=(places, unit))


def pair_space(a: Space, b: Space, longest: bool) -> Space:
    """Pairs of points, the first factor slowest; distances add, or the longer one counts."""
    n = len(b.points)

    def distance(i: int, j: int) -> Any:
        x, y = a.distance(i // n, j // n), b.distance(i % n, j % n)
        if INF in (x, y) or longest:
            return INF if INF in (x, y) else longer(x, y)
        return ("sum", x, y) if tuple in (type(x), type(y)) else x + y

    def joined(first: Relation, second: Relation) -> Relation:
        def related(i: int, j: int) -> bool:
            (u, k), (v, m) = divmod(i, n), divmod(j, n)
            one = u == v or k == m or longest
            return one and (u == v or first(u, v)) and (k == m or second(k, m))

        return related

    steps = {s.distance(*pair) for s in (a, b) for pair in s.pairs(s.near)} if longest else {1}
    alike = len(steps) == 1  # or moving in both factors at once is no step
    return Space(list(product(a.points, b.points)), distance, factors=a.factors + b.factors,
                 near=joined(a.near, b.near) if alike else lambda i, j: distance(i, j) != INF,
                 neighbors=a.neighbors and b.neighbors and joined(a.neighbors, b.neighbors))


def space_of(form: Any, most: int) -> Space:
    """The space that a description means, refused if it has more than `most` points."""
    (family,) = fields(form, "family", "a space")
    need(family in list(FAMILIES), "the family of the space is not known")
    names = FAMILIES[family]
    stated = set(form) - {"unit"} if family == "matrix" else set(form)  # a unit proves nothing
    need(stated == {"family", *names.split()}, f"a {family} space has the fields {names}")
    need(form.get("unit", "m") in ("mm", "m", "km"), "the unit must be mm, m or km")
    parts = fields(form, names, "a space")
    if family in WHOLE:
        least = -(10**15) if family == "path" else 1
        parts = [whole(part, f"{names} of a {family} space", least) for part in parts]

    def count(size: int) -> range:
        need(2 <= size <= most, f"the space needs 2 to {most} points, as the mechanism has rows")
        return range(size)

    def named(value: Any) -> list[Any]:
        count(len(listed(value, "the labels")))
        return labels(value, "the labels of a space")

    match family, *parts:
        case "path", low, high:
            points = range(low, low + len(count(high - low + 1)))
            return stepwise(points, lambda i, j: abs(i - j), placed=True, window=1)
        case "sum", people, wide:
            every = count(people * wide + 1)
            return stepwise(every, lambda i, j: -(-abs(i - j) // wide), placed=True, window=wide)
        case "counts", people, queries:
            count((people + 1) ** min(queries, 64))
            return grid([people + 1] * queries, "chebyshev")
        case "hamming", values, people:
            count(values ** min(people, 64))
            return grid([values] * people, "hamming")
        case "sets", items:  # the number of a point is the bit mask of the set
            every = count(1 << min(items, 64))
            sets = [tuple(b for b in range(items) if i >> b & 1) for i in every]
            return stepwise(sets, lambda i, j: (i ^ j).bit_count())
        case "cycle", nodes:
            return stepwise(count(nodes), lambda i, j: min(abs(i - j), nodes - abs(i - j)))
        case "complete", nodes:
            return stepwise(count(nodes), ne)
        case "star", ends:
            return stepwise(count(ends + 1), lambda i, j: (i != j) * (2 if i and j else 1))
        case "grid", sides, step, metric:
            unit, known = number(step, "step", short=True), ("euclidean", "manhattan", "chebyshev")
            need(unit > 0 and metric in known, "a grid needs a step above 0 and a known metric")
            shape = [whole(side, "a side") for side in listed(sides, "shape")]
            whole(len(shape), "the number of sides", most=5000)
            count(math.prod(shape))
            return grid(shape, metric, unit)
        case "histogram", people, cells, relation:
            need(relation in ("replace", "add-remove"), "neighbors must be replace or add-remove")
            moved = 2 if relation == "replace" else 1  # counts that change with one person
            size = whole(people, "people") + whole(cells, "cells") + 1 - moved
            bars = size - people  # people and bars in any order; add-remove has a hidden cell more
            count(math.comb(size, min(people, bars, 64)))
            cuts = ((-1, *bar, size) for bar in combinations(range(size), bars))
            counts = [tuple(b - a - 1 for a, b in pairwise(cut))[:cells] for cut in cuts]
            return stepwise(counts, by_gaps(counts, lambda gaps: sum(gaps) // moved), placed=True)
        case "categories", values:
            values = named(values)
            need(values == [*range(len(values))] or all(isinstance(v, str) and v for v in values),
                 "categories must be texts that are not empty, or the numbers from 0")
            return stepwise(values, ne)
        case "graph", nodes, edges:
            return graph(named(nodes), listed(edges, "edges"))
        case "matrix", points, rows:
            return given(named(points), rows)
        case "points", points, rows:
            return positions(named(points), rows)
    combine, factors = parts
    need(combine in ("sum", "max"), "a product must combine its factors by sum or max")
    first, second = (space_of(part, most) for part in listed(factors, "factors", 2))
    need(first.factors + second.factors <= 6, "a product has at most six factors")
    count(len(first.points) * len(second.points))
    return pair_space(first, second, combine == "max")


# ------------------------------------------------------------------ 4. privacy
class Row:
    """Weights mantissa 2^shift and their exact total."""

    def __init__(self, mantissas: list[int], exponents: list[int]) -> None:
        floor = min(e for m, e in zip(mantissas, exponents, strict=True) if m)
        self.mantissas = mantissas
        self.shifts = [e - floor if m else 0 for m, e in zip(mantissas, exponents, strict=True)]
        self.total = sum(map(lshift, mantissas, self.shifts))

    def weight(self, z: int) -> int:
        return self.mantissas[z] << self.shifts[z]


def rows_of(texts: list[Any], width: int) -> list[Row]:
    """The rows of a matrix; in their texts "4 1p-3" is 4 and 1/8."""
    parts, lengths, token = [], [], "[0-9a-f]++(?:p-?[0-9]{1,8})?+"
    for text in texts:
        fits = isinstance(text, str) and re.fullmatch(f"{token}(?: {token})*+", text)
        need(bool(fits), 'a row must be weights with one blank between any two: "3f 4p-2 0"')
        weights = [word.partition("p") for word in text.split(" ")]
        mantissas, exponents = [int(w[0], 16) for w in weights], [int(w[2] or 0) for w in weights]
        need(len(weights) == width and any(mantissas) and max(map(abs, exponents)) <= MOST_EXPONENT,
             f"a row has {width} weights, one at least not 0, and exponents up to {MOST_EXPONENT}")
        ends = [(e, e + m.bit_length()) for m, e in zip(mantissas, exponents, strict=True) if m]
        lengths.append(max(high for _, high in ends) - min(low for low, _ in ends))
        parts.append((mantissas, exponents))
    if max(lengths) > MOST_LENGTH or sum(lengths) > MOST_LENGTHS:
        raise Unchecked("the claim: weights are too many bits apart to be added up exactly")
    return [Row(*part) for part in parts]


@dataclass(frozen=True)
class Claim:
    """That a mechanism with these outputs and rows has the level on the space."""

    level: Level
    delta: Fraction
    space: Space
    outputs: Sequence[Any]
    rows: list[Row]

    def check(self) -> str:
        """Compares all pairs of inputs that matter, in both orders; Refuted by the first."""
        related = self.space.neighbors if self.delta else self.space.near
        assert related is not None
        count, width = 0, len(self.outputs)
        for i, j in self.space.pairs(related):
            d = self.space.distance(i, j)
            self.judge(i, j, d)
            self.judge(j, i, d)
            count += 2
        if self.delta:
            return f"{count} hockey-stick sums (all neighbors, both orders) are at most δ"
        return (f"{count * width} comparisons hold ({count} ordered pairs of inputs, "
                f"which imply all others, at {width} outputs)")

    def exceeding(self, y: Row, x: Row, d: Length) -> list[int]:
        """The outputs z with p(z|y) > e^(ε d) p(z|x)."""
        n, m = self.level.power(d, 64)[0]
        over, under = x.total * m, y.total * n
        weights = zip(y.mantissas, y.shifts, x.mantissas, x.shifts, strict=True)
        return [z for z, (a, i, b, j) in enumerate(weights)
                if (a * over << i - j > b * under if i > j else a * over > b * under << j - i)
                and self.level.exceeded(y.weight(z) * x.total, x.weight(z) * y.total, d)]

    def judge(self, i: int, j: int, d: Length) -> None:
        """Refutes the claim if input i is told apart too well from j, at the distance d."""
        y, x = self.rows[i], self.rows[j]
        if not (found := self.exceeding(y, x, d)):
            return
        chosen = found if self.delta else [min(found, key=lambda z: x.mantissas[z] > 0)]
        p, q = sum(map(y.weight, chosen)), sum(map(x.weight, chosen))
        n, m = self.delta.as_integer_ratio()
        a, b = (p * m - n * y.total) * x.total, q * m * y.total
        if not self.level.exceeded(a, b, d):  # P(chosen|i) - δ <= e^(ε d) P(chosen|j)
            return
        why = "a zero beside a non-zero: private at no finite level"
        for digits in (4, 8, 16, 32, 64, 128) if q else ():  # the digits that decide
            high = self.level.power(d, 4 * digits + 64)[1]
            ratio, power = decimal(a, b, digits), decimal(*high, digits)
            why = (f"the first{' less δ' * bool(n)} is the second times {ratio}, more than "
                   f"e^(ε d) = {power}{' in later digits' * (ratio == power)}")
            if ratio != power:
                break
        raise Refuted({
            "first": self.space.points[i], "second": self.space.points[j],
            "outputs": [self.outputs[z] for z in chosen],
            "probabilities": [shown(p, y.total), shown(q, x.total)],
            "reason": f"{why} (d = {length_text(d)})"})


# ------------------------------------------------------------------ 5. optimality
def double(text: Any) -> float:
    """A finite double as float.hex writes it."""
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        if math.isfinite(value := float.fromhex(text)) and value.hex() == text:
            return value
    raise Malformed("a number about the loss must be a double such as 0x1.8p+0")


def losses_of(loss: Any, space: Space, outputs: Sequence[Any]) -> Measure:
    """The loss for the input and the output with these numbers, in units of 2^-96, from below and
    above: as written, or by its name from labels or coordinates."""
    if isinstance(loss, list):
        texts = [text.split(" ") if isinstance(text, str) else [] for text in loss]
        need(len(texts) == len(space.points) and {*map(len, texts)} == {len(outputs)},
             "the loss must have a row for each input and a number for each output")
        rows = [list(map(double, row)) for row in texts]
        return lambda y, z: length_bounds(Fraction(rows[y][z]), UNIT)
    need(loss in ("binary", "absolute", "squared", "euclidean", "largest"), "the loss is not known")
    if loss == "binary":
        return lambda y, z: length_bounds(int(space.points[y] != outputs[z]), UNIT)
    if space.places is None:
        raise Malformed(f"the points have no coordinates for a {loss} loss")
    many, (step, scale) = space.places[0], space.places[1].as_integer_ratio()
    places = [tuple(step * x for x in (p if isinstance(p, tuple) else (p,))) for p in many]
    known, answers = dict(zip(space.points, places, strict=True)), []
    for z in outputs:  # what is no input stands for its own coordinates
        own = z if isinstance(z, tuple) and len(places[0]) > 1 else (z,)
        fits = z in known or (len(own) == len(places[0]) and {*map(type, own)} == {int})
        need(fits, "an output has no coordinates")
        answers.append(known[z] if z in known else tuple(x * scale for x in own))
    power, joined = 1 if loss in ("absolute", "largest") else 2, max if loss == "largest" else sum

    @lru_cache(1 << 14)
    def ends(size: int) -> tuple[int, int]:
        exact = Fraction(size, scale**power)
        return length_bounds(root_of(exact) if loss == "euclidean" else exact, UNIT)

    return lambda y, z: ends(joined(abs(a - b) ** power
                                    for a, b in zip(places[y], answers[z], strict=True)))


@dataclass(frozen=True)
class Optimum:
    """A claim about the loss of a mechanism and the best possible, and the multipliers that prove
    it: for each output triples (a, b, amount), in units of 2^-96."""

    said: dict[str, Any]
    prior: list[Fraction]
    losses: Measure
    multipliers: list[list[tuple[int, int, int]]]

    def check(self, claim: Claim) -> bool:
        """Whether this mechanism loses at most `value`, and no other less than `bound`.

        A mechanism has P(z|a) >= e^(-ε d(a,b)) P(z|b), so its average loss is at least the sum of
        P(z|y) (prior[y] loss[y,z] - what multipliers of z take from y + what they bring to y),
        and that, as each row adds up to 1, at least the sum over y of the least bracket over z.
        Everything is rounded down. The loss of the worst input is never below an average.
        With δ > 0 the excesses of P(z|b) over e^(ε d) P(z|a) add up to at most δ, so δ times the
        sum over neighbors (a, b) of the most that any z brings, rounded up, is taken off.
        The loss of this mechanism is added up from its weights, with everything rounded up.
        """
        size, width = len(claim.rows), len(claim.outputs)
        if size * width > MOST_ENTRIES:
            raise Unchecked("optimality: it would take too long")
        share = lru_cache(1 << 14)(claim.level.share)
        prices, sums = [0] * size, [0] * size
        largest: Counter[tuple[int, int]] = Counter()  # over outputs, of what a pair brings
        for z in range(width):
            ends = [self.losses(y, z) for y in range(size)]
            column = [p.numerator * low // p.denominator
                      for p, (low, _) in zip(self.prior, ends, strict=True)]
            back: Counter[tuple[int, int]] = Counter()
            for a, b, amount in self.multipliers[z]:
                more = amount * share(claim.space.distance(a, b)) >> UNIT
                column[a] -= amount
                column[b] += more
                back[a, b] += more
            for pair, more in back.items():
                largest[pair] = max(largest[pair], more)
            prices = list(map(min, prices, column)) if z else column
            sums = [total + row.weight(z) * high
                    for total, row, (_, high) in zip(sums, claim.rows, ends, strict=True)]
        means = [-(-total // row.total) for total, row in zip(sums, claim.rows, strict=True)]
        mean = sum(-(-p.numerator * m // p.denominator)
                   for p, m in zip(self.prior, means, strict=True))
        most = max(means) if self.said["goal"] == "worst" else mean
        least = sum(prices) - math.ceil(claim.delta * largest.total())
        value, bound = (Fraction(self.said[key]) * (1 << UNIT) for key in ("value", "bound"))
        return bool(most <= value and bound <= least)


def optimum_of(stated: Any, space: Space, outputs: Sequence[Any], delta: Fraction) -> Optimum:
    names = "goal prior loss value bound unit multipliers"
    goal, prior, loss, value, bound, unit, texts = fields(stated, names, "the optimality")
    need(set(stated) == set(names.split()), f"the optimality must have the fields {names}")
    need(goal in ("average", "worst"), "the goal must be average or worst")
    whole(unit, "the unit", -UNIT, 1000)
    size = len(space.points)
    law = [Fraction(1, size)] * size
    if prior != "uniform":
        law = [number(x, "a prior probability") for x in listed(prior, "the prior", size)]
        need(min(law) >= 0 and sum(law) == 1, "the prior must not be negative and add up to 1")
    token, multipliers = "[0-9]{1,9} [0-9]{1,9} [0-9a-f]++", []
    for text in listed(texts, "the multipliers", len(outputs)):
        fits = isinstance(text, str) and re.fullmatch(f"(?:{token}(?: {token})*+)?+", text)
        need(bool(fits), 'multipliers must be a text of positions and amounts such as "0 1 3f"')
        words = text.split()
        found = [(int(a), int(b), int(amount, 16) << unit + UNIT)
                 for a, b, amount in zip(words[::3], words[1::3], words[2::3], strict=True)]
        need(all(a < size and b < size and a != b for a, b, _ in found),
             "a multiplier needs two different inputs")
        need(not delta or all(space.neighbors(a, b) for a, b, _ in found if space.neighbors),
             "a multiplier needs two neighbors where delta is above 0")
        multipliers.append(found)
    value, bound = double(value), double(bound)
    gap = 0.0 if value <= bound else (value - bound) / abs(value) if value else math.inf
    said = {"goal": goal, "loss": loss if isinstance(loss, str) else "given",
            "prior": "uniform" if prior == "uniform" else "given", "value": value, "bound": bound,
            "gap": gap if gap != math.inf else None, "holds": None}
    return Optimum(said, law, losses_of(loss, space, outputs), multipliers)


# ------------------------------------------------------------------ 6. the report
def check(document: Any, level: Level, delta: Fraction, large: bool, report: Any) -> None:
    """Writes into the report what was checked; raises Malformed, Unchecked or Refuted."""
    names = "space neighbors outputs mechanism"
    form, between, outputs, law = fields(document, names, "the document")
    (kind,), more = fields(law, "form", "the mechanism"), []
    if kind == "table":
        rows, law = fields(law, "rows base", "a table")
        (kind,) = fields(law, "form", "the base of a table")
        more = [f"that is one row; the {whole(rows, 'rows')} rows of a table are randomized "
                "independently, so tables that differ in one row are protected as one row is"]
    if kind in list(OTHERS):
        raise Unchecked(f"the claim: {OTHERS[kind]} checks mechanisms of the form {kind}")
    need(kind == "matrix", "the form of the mechanism is not known")
    need(report["evidence"] == "enumerated", "the evidence for a matrix must be enumerated")
    texts = listed(fields(law, "rows", "a matrix")[0], "rows")
    space = space_of(form, min(len(texts), MOST_POINTS))
    need(len(texts) == len(space.points), "each point needs one row")
    stated = isinstance(between, str) if space.neighbors else between is None and not delta
    need(stated, "neighbors must be a text; or null, with delta 0, if the space has none")
    need(outputs == "inputs" or isinstance(outputs, list), "outputs must be inputs or a list")
    named = space.points if outputs == "inputs" else labels(outputs, "outputs")
    if len(texts) * len(named) > MOST_MATRIX and not large:
        raise Unchecked(f"the claim: a matrix of {len(texts) * len(named)} entries takes long; "
                        "ask with --large")
    stated, optimum = document["optimality"], None
    if stated is not None:
        optimum = optimum_of(stated, space, named, delta)
        report["optimality"] = optimum.said
    claim = Claim(level, delta, space, named, rows_of(texts, len(named)))
    lengths = (space.distance(*pair) for pair in space.pairs(space.near))
    report["nearest"] = length_text(min(lengths, key=lambda d: length_bounds(d, 128)))
    report["components"] = space.components()
    report["checked"] = [claim.check(), *more]
    if optimum is not None:
        optimum.said["holds"] = optimum.check(claim)


def examine(document: Any, large: bool) -> dict[str, Any]:
    """What is claimed, whether it is intact and holds, what was checked and what was not."""
    unchanged = intact(document)
    need(isinstance(document.get("construction"), dict | None), "construction must be an object")
    stated, _ = fields(document, "claim optimality", "the document")
    epsilon, delta, evidence = fields(stated, "epsilon delta evidence", "the claim")
    rational, factor, base = fields(epsilon, "rational coefficient base", "epsilon")
    level = Level(*(number(part, "each part of epsilon") for part in (rational, factor, base)))
    need(0 <= number(delta, "delta") < 1, "delta must be at least 0 and below 1")
    log = f"ln({base})" if factor == "1" else f"{factor}*ln({base})"
    parts = [rational] * (level.rational != 0) + [log] * (level.coefficient != 0)
    report = {
        "holds": None, "intact": unchanged, "epsilon": " + ".join(parts), "delta": delta,
        "evidence": evidence, "checked": [], "unchecked": [], "witness": None, "optimality": None,
        "components": 1, "nearest": None}
    try:
        check(document, level, number(delta, "delta"), large, report)
    except Unchecked as reason:
        report["unchecked"] = [str(reason)]
    except Refuted as refuted:
        report["witness"] = refuted.args[0]
        report["checked"] = ["the form of the document, and its claim up to the first violation"]
    false = report["witness"] or (report["optimality"] or {}).get("holds") is False
    report["holds"] = False if false else None if report["unchecked"] else True
    return report


def lines(document: Any, report: dict[str, Any]) -> Iterator[str]:
    """The report for people."""
    yield "digest       " + ("intact" if report["intact"] else "CHANGED since it was computed")
    yield f"space        {brief(document['space'])}"
    between, epsilon = document["neighbors"], report["epsilon"]
    yield f"neighbors    {brief(between) if between else 'none'} (the document's words)"
    if len(epsilon) > MOST_SHOWN:
        stated = fields(document["claim"]["epsilon"], "rational coefficient base", "epsilon")
        low = Level(*(number(part, "a part") for part in stated)).bounds(1 << 14)[0]
        epsilon = f"about {decimal(low, 1 << (1 << 14), 4)}, written in {len(epsilon)} characters"
    if (parts := report["components"]) > 1:
        yield f"NOT private  which of the {parts} components of the space an input lies in"
    if report["nearest"] is not None:
        yield f"distances    {report['nearest']} or more; inputs d apart have the level ε d"
    delta = shown(*number(report["delta"], "delta").as_integer_ratio())
    yield f"claim        ε = {epsilon}, δ = {delta} ({report['evidence']})"
    yield from (f"checked      {sentence}" for sentence in report["checked"] or ["nothing"])
    yield from (f"NOT checked  {sentence}" for sentence in report["unchecked"] or ["nothing"])
    if (w := report["witness"]) is not None:
        first, second, outputs = (brief(w[key]) for key in ("first", "second", "outputs"))
        yield f"witness      inputs {first} and {second} give an output in {outputs}"
        yield f"             with probability {' and '.join(w['probabilities'])}: {w['reason']}"
    if (best := report["optimality"]) is not None:
        said = {True: "proved", False: "FALSE, its proof does not support it", None: "not judged"}
        whose = "worst input, bound for a" if best["goal"] == "worst" else "average,"
        gap = "not known" if best["gap"] is None else f"{best['gap']:.1e}"
        yield f"loss         {best['loss']}, {whose} {best['prior']} prior: at most {best['value']}"
        yield f"best         {best['bound']} or more for all mechanisms with this level and outputs"
        yield f"             (relative gap {gap}): {said[best['holds']]}"
    verdicts = {True: "the claim is proved", False: "the claim is FALSE", None: "not all proved"}
    yield f"verdict      {verdicts[report['holds']]}"


def plain(text: str) -> str:
    """The text, with what is not printed written out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def main(arguments: Sequence[str] | None = None) -> int:
    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            super().error(plain(message))

    parser = Parser(description="Checks the claim of a mechanism document.")
    parser.add_argument("file", help="a document, .json or .json.gz")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--large", action="store_true", help="check documents of any size")
    options = parser.parse_args(arguments)
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.reconfigure(errors="backslashreplace")
    document: Any = None
    try:
        document = read(options.file)
        report = examine(document, options.large)
    except (Malformed, RecursionError, MemoryError) as error:
        sentence = str(error) if isinstance(error, Malformed) else "too deep or too large"
        broken = False
        with contextlib.suppress(Malformed, RecursionError, MemoryError):
            broken = not intact(document)
        if options.json:
            found = {"holds": None, "intact": False} if broken else {}
            print(json.dumps({**found, "error": sentence}))
        changed = "the digest does not fit, and " if broken else ""
        print(plain(f"{options.file}: {changed}{sentence}"), file=sys.stderr)
        return 1 if broken else 2
    print(json.dumps(report) if options.json else "\n".join(lines(document, report)))
    if not report["intact"] or report["holds"] is False:
        return 1
    return 0 if report["holds"] else 3


if __name__ == "__main__":
    try:
        code = main()
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as failed:  # whoever was reading has gone, or the disk is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141 if isinstance(failed, BrokenPipeError) else 4
        if code == 4:
            print(f"the report could not be written: {failed.strerror}", file=sys.stderr)
    sys.exit(code)
