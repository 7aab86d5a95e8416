"""Checks the claims of a mechanism document, with nothing but the standard library.

    python receipt.py FILE [--json] [--large]

A document holds a finite metric space, a mechanism and a claim (ε, δ). The claim says, if δ = 0,
p(z|y) <= e^(ε d(y,y')) p(z|y') for all inputs y, y' and outputs z; else, for all neighbors y, y',
that the hockey-stick sum over z of max(0, p(z|y) - e^(ε d(y,y')) p(z|y')) is at most δ.
Probabilities are exact: integers over their exact row total. Every comparison is decided, by
doubles where a stated margin covers all rounding, else by integers: against the exact e^(ε d) or,
where that is irrational (then no tie exists), against rational bounds refined until they decide;
a lower bound proves, an upper bound refutes. If δ = 0 the pairs with no point between them
suffice, because the inequality multiplies along a shortest path. At an infinite distance nothing
is claimed: which component of the space an input lies in is then not protected at all.
A claim of optimality says that this mechanism loses at most `value`, and that none with the same
outputs and level loses less than `bound`: see `check_optimality`.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product, repeat
from operator import add, le, mul, ne, sub
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
MOST_EXPONENT = 8 * 10**6  # of a weight, either sign
MOST_SCALE = 1 << 1000  # of a numerator or common denominator in a space, a copied multiplier
MOST_LENGTH = 1 << 18  # bits between the ends of the weights of a row, or of a power in a kernel
MOST_LENGTHS = 1 << 29  # of all rows of a matrix together; twice that of all those powers
MOST_KERNEL = 10_000  # points of a kernel document, unless --large
MOST_WRITTEN = 1_000  # points of a rounded kernel whose rows are compared one by one
MOST_MATRIX = 25 * 10**6  # entries of a matrix, unless --large
MOST_ENTRIES = 4 * 10**6  # inputs times outputs, for a claim of optimality
MOST_SYMMETRIES = 64
MOST_ROUTES = 8  # multipliers for each input, of an output that has copies
MOST_ROWS = 1 << 32  # bits of all rows of a kernel together, where these are needed
UNIT = 96  # losses, prices and multipliers are whole multiples of 2^-96


class Malformed(Exception):
    """The file is not a document of this version."""


class Unchecked(Exception):
    """A claim that this program cannot check."""


class Refuted(Exception):
    """A false claim; the argument is the witness."""


# ------------------------------------------------------------------ reading and digest
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


def words(value: Any, word: str) -> list[str]:
    """The words, each of this pattern, of a text with one blank between any two."""
    fits = isinstance(value, str) and re.fullmatch(f"{word}(?: {word})*+", value) is not None
    need(fits, 'numbers must be in a text with one blank between any two, such as "3f 4 0"')
    return list(value.split(" "))


def labels(value: Any, where: str) -> list[Any]:
    def label(part: Any, depth: int) -> Any:
        if isinstance(part, list) and depth < 50:
            return tuple(label(inner, depth + 1) for inner in part)
        need(type(part) in (int, str), "a label must be a whole number, a text or a list of labels")
        return part

    found = [label(part, 0) for part in listed(value, where)]
    need(len(set(found)) == len(found), f"{where} must not repeat a label")
    return found


# ------------------------------------------------------------------ numbers
# A length is rational, or an irrational ("root", x), ("sum", a, b) or ("max", a, b). A sum of
# positive lengths is irrational as soon as one is: square roots do not cancel one another. INF is
# the distance between components: no pair at it is compared, and no kernel has it.
Length = int | Fraction | tuple[Any, ...]
INF: Any = math.inf


def root_of(x: Fraction) -> Length:
    root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    return root if root * root == x else ("root", x)


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


def length_bounds(x: Length, bits: int) -> tuple[int, int]:
    """Integers lower <= x 2^bits <= upper."""
    if not isinstance(x, tuple):
        lower, rest = divmod(x.numerator << bits, x.denominator)
        return lower, lower + (rest > 0)
    if x[0] == "root":
        root = math.isqrt((x[1].numerator << 2 * bits) // x[1].denominator)
        return root, root + 1
    (a0, a1), (b0, b1) = length_bounds(x[1], bits), length_bounds(x[2], bits)
    return (a0 + b0, a1 + b1) if x[0] == "sum" else (max(a0, b0), max(a1, b1))


def exp_bound(x: int, bits: int, up: int) -> tuple[int, int]:
    """(m, e) with m 2^e below (up = 0) or above (up = 1) e^(x / 2^bits), for x >= 0.

    The Taylor series at t = x / 2^(bits + halvings) < 2^-7, squared `halvings` times, each step
    rounded in the same direction. The terms left out add up to less than one unit.
    """
    halvings = max(0, x.bit_length() - bits + 8)
    bits += halvings
    mantissa = term = 1 << bits
    n = 1
    while term > 1:
        term = (term * x + up * ((n << bits) - 1)) // (n << bits)
        mantissa, n = mantissa + term, n + 1
    mantissa, exponent = mantissa + up, -bits
    for _ in range(halvings):
        mantissa *= mantissa
        drop = mantissa.bit_length() - bits
        mantissa, exponent = (mantissa >> drop) + up, 2 * exponent + drop
    return mantissa, exponent


def atanh_bounds(y: Fraction, bits: int) -> tuple[int, int]:
    """Bounds on atanh(y) 2^bits = (y + y^3/3 + y^5/5 + ...) 2^bits, for 0 <= y <= 1/3.

    Rounded down, each power is less than 2 units too low, so each term less than 3; the powers
    left out, once one has become 0, are below 2, 2/9, 2/81, ... and add up to less than 3.
    """
    power = (y.numerator << bits) // y.denominator
    total, square, n = 0, power * power >> bits, 1
    while power:
        total, power, n = total + power // n, power * square >> bits, n + 2
    return total, total + 3 * n


def ln_bounds(b: Fraction, bits: int) -> tuple[int, int]:
    """Bounds on ln(b) 2^bits, b = 2^k m > 1: ln b = 2 (k atanh(1/3) + atanh((m-1)/(m+1)))."""
    k = b.numerator.bit_length() - b.denominator.bit_length()
    k -= b < 1 << k
    m, guard = b / (1 << k), 16 + k.bit_length()
    twos = atanh_bounds(Fraction(1, 3), bits + guard)
    rest = atanh_bounds((m - 1) / (m + 1), bits + guard)
    return 2 * (k * twos[0] + rest[0]) >> guard, -(-2 * (k * twos[1] + rest[1]) >> guard)


def order(a: int, i: int, b: int, j: int) -> int:
    """The sign of a 2^i - b 2^j, for a, b >= 0; never shifts further than the numbers are long."""
    if not a or not b:
        return (a > 0) - (b > 0)
    lead = a.bit_length() + i - b.bit_length() - j
    if not lead:
        lead = (a << i - j) - b if i > j else a - (b << j - i)
    return (lead > 0) - (lead < 0)


class Level:
    """ε = rational + coefficient ln(base) > 0, and comparisons with e^(ε d)."""

    def __init__(self, rational: Fraction, coefficient: Fraction, base: Fraction) -> None:
        need(base > 0 <= coefficient, "epsilon needs a base above 0 and a coefficient from 0")
        if base < 1:
            base, coefficient = 1 / base, -coefficient
        self.rational, self.base = rational, base
        self.coefficient = coefficient if base > 1 else Fraction(0)
        self.exponent = lru_cache(1 << 14)(lambda d: (self.coefficient * d).as_integer_ratio())
        self.bounds = lru_cache(1 << 6)(self._bounds)
        self.power_bounds = lru_cache(1 << 14)(self._power_bounds)
        bits = 64  # an ε with a logarithm in it is not zero, so the loop ends
        while self.coefficient and self.bounds(bits)[0] <= 0 < self.bounds(bits)[1]:
            bits *= 2
        low, high = self.bounds(bits)
        need(low <= 10**6 << bits and high > 0, "epsilon must be above 0 and at most 1,000,000")

    def _bounds(self, bits: int) -> tuple[int, int]:
        """Integers lower <= ε 2^bits <= upper."""
        if not self.coefficient:
            return length_bounds(self.rational, bits)
        extra = math.ceil(abs(self.coefficient)).bit_length()
        ends = ln_bounds(self.base, bits + extra)
        low, high = sorted(self.coefficient * end / (1 << extra) for end in ends)
        shift = self.rational * (1 << bits)
        return math.floor(shift + low), math.ceil(shift + high)

    def _power_bounds(self, d: Length, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """e^(ε d) from below and above as (mantissa, exponent), to about `bits` bits."""
        bits += 16 + self.bounds(0)[1].bit_length() + length_bounds(d, 0)[1].bit_length()
        (e0, e1), (d0, d1) = self.bounds(bits), length_bounds(d, bits)
        low, high = max(e0, 0) * d0 >> bits, -(-e1 * d1 >> bits)
        return exp_bound(low, bits, 0), exp_bound(high, bits, 1)

    def compare(self, a: int, b: int, shift: int, d: Length) -> int:
        """The sign of a 2^shift - e^(ε d) b, decided exactly, for integers a, b >= 0, not both 0.

        By the theorems of Lindemann, Gelfond-Schneider and Baker e^(ε d) is transcendental unless
        it is base^(p/r). In lowest terms that is irrational unless the numerator u of base is an
        r-th power, which needs 2^r <= u; and a tie needs u^p <= (a 2^shift)^r.
        """
        if not self.rational and not isinstance(d, tuple):
            (p, r), (u, v) = self.exponent(d), self.base.as_integer_ratio()
            size = u.bit_length()
            if r < size and p * (size - 1) <= r * (a.bit_length() + max(shift, 0)):
                return order(a**r * v**p, r * shift, b**r * u**p, 0)
        bits = 64
        while True:  # no tie, so this ends
            (low, i), (high, j) = self.power_bounds(d, bits)
            if order(a, shift, b * low, i) <= 0:
                return -1
            if order(a, shift, b * high, j) > 0:
                return 1
            bits *= 2

    def within(self, a: int, b: int, shift: int, d: Length) -> bool:
        """Whether a 2^shift <= e^(ε d) b."""
        return self.compare(a, b, shift, d) <= 0

    def share(self, d: Length) -> int:
        """The whole part of 2^96 e^(-ε d)."""
        if d == INF:
            return 0
        bounds = self.power_bounds(d, 128)
        high, low = ((1 << UNIT - e) // m if e <= UNIT else 0 for m, e in bounds)
        while low < high and self.compare(1, high, UNIT, d) < 0:
            high -= 1
        return high


def shown(a: int, b: int, shift: int = 0) -> str:
    """a 2^shift / b as "p/q" if that is short, else to four digits: 1.234e-217."""
    i, j = max(0, a.bit_length() - 99), max(0, b.bit_length() - 99)
    if not a or (i == j == 0 and abs(shift) < 99):
        return str(Fraction(a << max(shift, 0), b << max(-shift, 0))) if a else "0"
    return decimal(a, b, shift, 4)


def length_text(x: Length) -> str:
    return decimal(length_bounds(x, 128)[0], 1, -128, 7) if isinstance(x, tuple) else str(x)


def decimal(a: int, b: int, shift: int, digits: int) -> str:
    """a 2^shift / b to so many digits: 1.234e-217."""
    i, j = (max(0, x.bit_length() - 4 * digits - 99) for x in (a, b))
    wide = Context(prec=digits + 26, Emax=MAX_EMAX, Emin=MIN_EMIN)
    head, power = wide.divide(Decimal(a >> i), Decimal(b >> j)), wide.power(2, i - j + shift)
    return f"{wide.multiply(head, power):.{digits - 1}e}"


def more(level: Level, a: int, b: int, shift: int, d: Length) -> str:
    """That a 2^shift / b is more than e^(ε d), with the digits that decide, up to 128."""
    digits = 4
    while True:
        m, e = level.power_bounds(d, 4 * digits + 64)[1]
        ratio, power = decimal(a, b, shift, digits), decimal(m, 1, e, digits)
        if ratio != power or digits > 64:
            late = " in later digits" * (ratio == power)
            return f"{ratio}, more than e^(ε d) = {power}{late}"
        digits *= 2


def brief(value: Any) -> str:
    """A value of the document on one line in ASCII; of a long one both ends, and its length."""
    text = json.dumps(value)
    half = MOST_SHOWN // 2
    return (text if len(text) <= MOST_SHOWN else
            f"{text[:half]} ... {text[-half:]} ({len(text)} characters)")


def plain(text: str) -> str:
    """The text, with what is not printed written out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


# ------------------------------------------------------------------ spaces
Measure = Callable[[int, int], Length]
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

    `near`: pairs whose inequalities imply all others if δ = 0 (on a graph: its edges).
    `neighbors`: the pairs that δ > 0 is about; None if the family has none.
    `window`: points whose numbers are further apart than this are neither.
    `places`: coordinates in whole numbers, and the unit that these count; None if none.
    `factors`: how many spaces it is a product of.
    `components`: parts at an infinite distance from each other.
    `nearest`: the least distance between two points.
    """

    points: Sequence[Any]
    distance: Measure
    near: Relation
    neighbors: Relation | None
    window: int = MOST_POINTS
    places: tuple[Sequence[Any], Fraction] | None = None
    factors: int = 1
    components: int = 1
    nearest: Length = 1

    def pairs(self, related: Relation) -> Iterator[tuple[int, int]]:
        size = len(self.points)
        later = ((i, j) for i in range(size) for j in range(i + 1, min(i + 1 + self.window, size)))
        return ((i, j) for i, j in later if related(i, j))

    def adjacent(self, a: int, b: int) -> bool:
        i, j = sorted((a, b))
        return self.neighbors is not None and j - i <= self.window and self.neighbors(i, j)


def stepwise(points: Sequence[Any], distance: Measure, step: int | Fraction = 1,
             window: int = MOST_POINTS, placed: bool = False) -> Space:
    """A space where every distance is a number of steps between neighbors."""
    def near(i: int, j: int) -> bool:
        return distance(i, j) == step

    places = (points, Fraction(step)) if placed else None
    return Space(points, distance, near, near, window, places, nearest=step)


def by_gaps(points: Sequence[Any], measure: Callable[[list[int]], Length]) -> Measure:
    return lambda i, j: measure([abs(a - b) for a, b in zip(points[i], points[j], strict=True)])


def grid(shape: Sequence[int], metric: str, step: Fraction) -> Space:
    """All tuples below the sides of a box, in lexicographic order."""
    points = list(product(*map(range, shape)))
    if metric == "euclidean":  # a cell lies between two others unless their offset has gcd 1
        root = lru_cache(1 << 14)(lambda square: root_of(square * step * step))
        distance = by_gaps(points, lambda gaps: root(sum(map(mul, gaps, gaps))))
        return Space(points, distance, lambda i, j: math.gcd(*map(sub, points[i], points[j])) == 1,
                     None, places=(points, step), nearest=step)
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

    @lru_cache(16)
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

    def distance(i: int, j: int) -> Length:
        return Fraction(reach(i)[j], scale) if j in reach(i) else INF

    left, components = set(range(len(nodes))), 0
    while left:
        components += 1
        left.difference_update(reach(left.pop()))
    return Space(nodes, distance, near, near, components=components, nearest=min(lengths))


def given(points: list[Any], rows: Any) -> Space:
    """Distances as written, "inf" between components, checked to be a metric."""
    size = len(points)
    table = [[INF if x == "inf" else number(x, "a distance", short=True)
              for x in listed(row, "distances", size)] for row in listed(rows, "distances", size)]
    finite = [x for row in table for x in row if x != INF]
    scale = math.lcm(*(x.denominator for x in finite))
    exact = [[x if x == INF else int(x * scale) for x in row] for row in table]
    longest = max(finite, default=0) * scale
    need(max(scale, longest) < MOST_SCALE, "the distances together are too long")
    need(len(finite) > size, "two points at least must be at a finite distance")
    for i, j in product(range(size), repeat=2):
        d, least = exact[i][j], min(map(add, exact[i], exact[j]))
        if d != exact[j][i] or (d > 0) != (i != j) or least < d:
            raise Malformed(f"not a metric: {brief(points[i])} and {brief(points[j])} are at no or "
                            "unequal distance, or nearer by way of another point")
    components = len({next(j for j in range(size) if row[j] != INF) for row in table})
    return Space(points, lambda i, j: table[i][j], lambda i, j: table[i][j] != INF, None,
                 components=components, nearest=min(x for x in finite if x))


def positions(points: list[Any], rows: Any) -> Space:
    """Euclidean distances of points with coordinates."""
    table = [[number(x, "a coordinate", short=True) for x in listed(row, "coordinates")]
             for row in listed(rows, "coordinates", len(points))]
    need(len(set(map(len, table))) == 1, "all points must have equally many coordinates")
    scale = math.lcm(*(x.denominator for row in table for x in row))
    places = [tuple(int(x * scale) for x in row) for row in table]
    most = max(abs(x) for place in places for x in place)
    need(most < 1 << 60 and scale < MOST_SCALE, "the coordinates together are too long")
    need(len(set(places)) == len(places), "not a metric: two points have the same coordinates")
    distance = by_gaps(places, lambda gaps: root_of(Fraction(sum(map(mul, gaps, gaps)), scale**2)))
    axis = max(range(len(table[0])), key=lambda k: len({place[k] for place in places}))
    least, line = (2 * most) ** 2 * len(table[0]), sorted(places, key=lambda place: place[axis])
    for i, a in enumerate(line):
        for j in range(i + 1, len(line)):
            if (line[j][axis] - a[axis]) ** 2 >= least:
                break  # and so are all further ones, by this coordinate alone
            least = min(least, sum((y - x) ** 2 for x, y in zip(a, line[j], strict=True)))
    return Space(points, distance, lambda i, j: True, None, places=(places, Fraction(1, scale)),
                 nearest=root_of(Fraction(least, scale**2)))


def pair_space(a: Space, b: Space, longest: bool) -> Space:
    """Pairs of points, the first factor slowest; distances add, or the longer one counts."""
    n = len(b.points)

    def distance(i: int, j: int) -> Length:
        x, y = a.distance(i // n, j // n), b.distance(i % n, j % n)
        if INF in (x, y):
            return x if x == INF else y
        if longest:
            return longer(x, y)
        return ("sum", x, y) if isinstance(x, tuple) or isinstance(y, tuple) else x + y

    def joined(first: Relation, second: Relation) -> Relation:
        def related(i: int, j: int) -> bool:
            (u, k), (v, m) = divmod(i, n), divmod(j, n)
            one = u == v or k == m or longest
            return one and (u == v or first(u, v)) and (k == m or second(k, m))

        return related

    steps = {s.distance(*pair) for s in (a, b) for pair in s.pairs(s.near)} if longest else {1}
    alike = len(steps) == 1  # or moving in both factors at once is no step
    near = joined(a.near, b.near) if alike else lambda i, j: distance(i, j) != INF
    neighbors = joined(a.neighbors, b.neighbors) if a.neighbors and b.neighbors else None
    points = list(product(a.points, b.points))
    nearest = min(a.nearest, b.nearest, key=lambda x: length_bounds(x, 128))
    return Space(points, distance, near, neighbors, factors=a.factors + b.factors,
                 components=a.components * b.components, nearest=nearest)


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
            whole(high - low, "the length of a path", most=2 * 10**15)
            return stepwise(range(low, high + 1), lambda i, j: abs(i - j), 1, 1, placed=True)
        case "sum", people, wide:
            every = count(people * wide + 1)
            return stepwise(every, lambda i, j: -(-abs(i - j) // wide), 1, wide, placed=True)
        case "counts", people, queries:
            count((people + 1) ** min(queries, 64))
            return grid([people + 1] * queries, "chebyshev", Fraction(1))
        case "hamming", values, people:
            count(values ** min(people, 64))
            return grid([values] * people, "hamming", Fraction(1))
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
            distance = by_gaps(counts, lambda gaps: sum(gaps) // moved)
            return stepwise(counts, distance, placed=True)
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


# ------------------------------------------------------------------ rows and the claim
@dataclass(frozen=True)
class Row:
    """Weights mantissa 2^exponent, their exact total, and the probabilities times 2^900."""

    mantissas: list[int]
    exponents: list[int]
    total: int  # times 2^floor
    floor: int
    doubles: list[float]


Rows = Callable[[int], Row]
Proof = tuple[str, Rows | None]  # what was checked, and the rows unless these take too long


def double(mantissa: int, exponent: int) -> float:
    """The number with relative error at most 2^-52; nan unless 0 or from 2^-1001 to 2^1000."""
    size = mantissa.bit_length()
    if mantissa and not -1000 < size + exponent < 1000:
        return math.nan
    extra = max(0, size - 64)
    return math.ldexp(mantissa >> extra, exponent + extra) if mantissa else 0.0


def added(mantissas: Iterable[int], exponents: Iterable[int]) -> tuple[int, int]:
    """The exact sum, as an integer and a binary exponent."""
    sums: dict[int, int] = {}
    for mantissa, exponent in zip(mantissas, exponents, strict=True):
        if mantissa:
            sums[exponent] = sums.get(exponent, 0) + mantissa
    total, floor = 0, max(sums, default=0)
    for exponent in sorted(sums, reverse=True):
        total, floor = (total << floor - exponent) + sums[exponent], exponent
    return total, floor


def row_of(mantissas: list[int], exponents: list[int]) -> Row:
    total, floor = added(mantissas, exponents)
    top, shift = double(total, -total.bit_length()), 900 - total.bit_length() - floor
    doubles = [double(m, e + shift) / top for m, e in zip(mantissas, exponents, strict=True)]
    return Row(mantissas, exponents, total, floor, doubles)


@dataclass(frozen=True)
class Claim:
    """That the mechanism has the level on the space."""

    level: Level
    delta: Fraction
    space: Space
    outputs: Sequence[Any]

    def exceeding(self, y: Row, x: Row, d: Length) -> list[int]:
        """The outputs z with p(z|y) > e^(ε d) p(z|x).

        a <= factor b in doubles proves the contrary: a and b have relative errors of less than
        2^-50, the lower bound on e^(ε d) and the two products of at most 2^-52, together less than
        2^-48, and the factor is lowered by 2^-46. Nothing over- or underflows: a and b are nan, 0
        or from 2^-1001 to 2^901, the factor is from 1/2 to 2^100.
        """
        power = double(*self.level.power_bounds(d, 64)[0])
        factor = (power if power < 2.0**100 else 2.0**100) * (1 - 2.0**-46)
        if all(map(le, y.doubles, map(mul, repeat(factor), x.doubles))):
            return []
        near = [z for z, (a, b) in enumerate(zip(y.doubles, x.doubles, strict=True))
                if not a <= factor * b]
        s, t = (1, 1) if y.total == x.total else (x.total, y.total)
        cases = ((z, y.exponents[z] - y.floor - x.exponents[z] + x.floor) for z in near)
        return [z for z, shift in cases
                if self.above(y.mantissas[z], s, x.mantissas[z], t, shift, d)]

    def above(self, a: int, s: int, b: int, t: int, shift: int, d: Length) -> bool:
        """Whether a s 2^shift > e^(ε d) b t; of long totals first only the first 128 bits."""
        i, j = max(0, s.bit_length() - 128), max(0, t.bit_length() - 128)
        if i or j:
            (low, e), (high, f) = self.level.power_bounds(d, 64)
            if order(a * ((s >> i) + 1), i + shift, b * (t >> j) * low, j + e) <= 0:
                return False
            if order(a * (s >> i), i + shift, b * ((t >> j) + 1) * high, j + f) > 0:
                return True
        return self.level.compare(a * s, b * t, shift, d) > 0

    def judge(self, i: int, j: int, y: Row, x: Row) -> None:
        """Refutes the claim if input i, with row y, is told apart too well from j, with row x."""
        d = self.space.distance(*sorted((i, j)))
        found = self.exceeding(y, x, d)
        if not found:
            return
        chosen = found if self.delta else [min(found, key=lambda z: x.mantissas[z] > 0)]
        (p, u), (q, v) = (added([row.mantissas[z] for z in chosen],
                                [row.exponents[z] for z in chosen]) for row in (y, x))
        a, b, shift, less = p * x.total, q * y.total, u - y.floor - v + x.floor, ""
        if self.delta:  # whether P(chosen|i) - δ <= e^(ε d) P(chosen|j)
            n, m = self.delta.as_integer_ratio()
            a, less = ((p * m << u - y.floor) - n * y.total) * x.total, " less δ"
            b, shift = b * m, x.floor - v
            if a <= 0 or self.level.within(a, b, shift, d):
                return
        chances = [shown(p, y.total, u - y.floor), shown(q, x.total, v - x.floor)]
        why = "" if self.delta else "a zero beside a non-zero: private at no finite level"
        if q:
            why = f"the first{less} is the second times {more(self.level, a, b, shift, d)}"
        self.refute(i, j, [self.outputs[z] for z in chosen], chances, why)

    def judge_all(self, rows: Rows, proved: Relation = lambda y, x: False) -> int:
        """The number of ordered pairs of inputs; those not proved are compared, none refuted."""
        related, count = self.space.neighbors if self.delta else self.space.near, 0
        assert related is not None
        for i, j in self.space.pairs(related):
            for y, x in ((i, j), (j, i)):
                count += 1
                if not proved(y, x):
                    self.judge(y, x, rows(y), rows(x))
        return count

    def refute(self, i: int, j: int, where: list[Any], odds: list[str], why: str = "") -> NoReturn:
        allowed = "δ plus e^(ε d)" if self.delta else "e^(ε d)"
        why = why or f"the first probability is more than {allowed} times the second"
        d = self.space.distance(*sorted((i, j)))
        a, b = (length_bounds(d, 99)[0], 1 << 99) if isinstance(d, tuple) else d.as_integer_ratio()
        first, second = self.space.points[i], self.space.points[j]
        raise Refuted({"first": first, "second": second, "outputs": where,
                       "probabilities": odds, "reason": f"{why} (d = {shown(a, b)})"})


# ------------------------------------------------------------------ copies by symmetry
Symmetry = list[tuple[list[int], list[int]]]  # pairs (g, h): where each input and output goes


def symmetries_of(document: Any, size: int, width: int) -> Symmetry:
    """The symmetries in a document. They shorten it, no more."""
    found = []
    pairs = listed(document["symmetry"], "the symmetry") if "symmetry" in document else []
    need(len(pairs) <= MOST_SYMMETRIES, f"the symmetry must be at most {MOST_SYMMETRIES} pairs")
    for pair in pairs:
        g, h = (list(map(int, words(text, "[0-9]{1,9}"))) for text in listed(pair, "a symmetry", 2))
        fits = sorted(g) == [*range(size)] and sorted(h) == [*range(width)]
        need(fits, "a symmetry must have each input and each output once")
        found.append((g, h))
    return found


def unfolded(entries: list[Any], moves: list[list[int]], moved: Callable[[Any, int], Any]) -> Any:
    """A list in which a number j stands for a copy, moved, of the entry that moves[j] takes there.
    Nothing rests on the symmetry: what comes out is checked as if it had been written in full.
    """
    origins = [dict(zip(move, range(len(move)), strict=True)) for move in moves]
    found = {k: entry for k, entry in enumerate(entries) if type(entry) is not int}
    for k in range(len(entries)):
        chain = [k]  # from copy to copy until an entry is found
        while (here := chain[-1]) not in found:
            need(0 <= entries[here] < len(moves) and len(chain) <= len(entries),
                 "a copy must have the number of a symmetry, and not be a copy of itself")
            chain.append(origins[entries[here]][here])
        for there, here in pairwise(reversed(chain)):
            found[here] = moved(found[there], entries[here])
    return [found[k] for k in range(len(entries))]


def unfolded_rows(rows: list[Any], symmetry: Symmetry) -> list[Any]:
    """Row g[y] as a copy of row y has entry z of it at h[z]."""
    def moved(text: Any, j: int) -> str:
        tokens = text.split(" ") if isinstance(text, str) else []
        need(len(tokens) == len(symmetry[j][1]), "a row must have a weight for each output")
        return " ".join(token for _, token in sorted(zip(symmetry[j][1], tokens, strict=True)))

    long = len(rows) * max([0, *(len(row) for row in rows if symmetry and isinstance(row, str))])
    need(long <= MOST_BYTES, "the matrix is too large for copies")
    return list(unfolded(rows, [g for g, _ in symmetry], moved))


# ------------------------------------------------------------------ proofs of the level
def rows_of(parts: list[tuple[list[int], list[int]]]) -> list[Row]:
    """The rows, unless their exact totals are too long to compare."""
    need(all(map(any, (mantissas for mantissas, _ in parts))), "a row needs a positive weight")
    lengths = []
    for mantissas, exponents in parts:
        ends = [(e, e + m.bit_length()) for m, e in zip(mantissas, exponents, strict=True) if m]
        lengths.append(max(high for _, high in ends) - min(low for low, _ in ends))
    if max(lengths) > MOST_LENGTH or sum(lengths) > MOST_LENGTHS:
        raise Unchecked("the claim: weights are too many bits apart to be added up exactly")
    return [row_of(*part) for part in parts]


def check_matrix(claim: Claim, texts: list[Any]) -> Proof:
    """Compares all rows; in their texts "4 1p-3" is 4 and 1/8."""
    parts, width = [], len(claim.outputs)
    for text in texts:
        weights = [word.partition("p") for word in words(text, "[0-9a-f]++(?:p-?[0-9]{1,8})?+")]
        exponents = [int(weight[2] or 0) for weight in weights]
        fits = len(weights) == width and max(map(abs, exponents)) <= MOST_EXPONENT
        need(fits, f"a row must have {width} weights, with exponents up to {MOST_EXPONENT}")
        parts.append(([int(weight[0], 16) for weight in weights], exponents))
    rows = rows_of(parts)
    count = claim.judge_all(rows.__getitem__)
    said = f"{count} hockey-stick sums (all neighbors, both orders) are at most δ"
    if not claim.delta:
        said = (f"{count * width} comparisons hold ({count} ordered pairs of inputs, "
                f"which imply all others, at {width} outputs)")
    return said, rows.__getitem__


def check_kernel(claim: Claim, law: Any, form: Any, weights: list[Any], large: bool) -> Proof:
    """p(z|y) = w_z k(d(y,z)) / N_y, with weights in proportion to whole numbers."""
    ratio, unit = (number(law[name], "ratio and unit") for name in ("ratio", "unit"))
    shape, step, size, scale = [len(weights)], "1", len(weights), 1
    if rounded := "bits" in law:
        need(form["family"] in ("grid", "path"), "a rounded kernel needs a grid or a path")
        if form["family"] == "grid":
            shape, step = form["shape"], form["step"]
        need(type(law["bits"]) is int and law["bits"] == 62 and unit == number(step, "step"),
             "a rounded kernel has 62 bits, and its unit is the step")
        need(len(law["weights"]) * shape[-1] == size and max(weights) < 1 << 62,
             "a rounded kernel has a line for each of the last axis, of weights below 2^62")
    else:
        fractions = [number(weight, "a weight") for weight in weights]
        for w in set(fractions):
            scale = math.lcm(scale, w.denominator) if scale.bit_length() <= MOST_LENGTH else scale
        weights = [int(w * scale) for w in fractions]
    need(ratio > 1 and unit > 0 and min(weights) >= 0 < max(weights),
         "a kernel needs a ratio above 1, a unit above 0 and weights from 0, not all of them 0")
    if size > MOST_KERNEL and not large:
        raise Unchecked(f"the claim: a kernel of {size} points takes long; ask with --large")
    if scale.bit_length() > MOST_LENGTH:
        raise Unchecked("the claim: the weights have too long a common denominator")
    if rounded:
        return rounded_kernel(claim, ratio, unit, weights, shape)
    return exact_kernel(claim, ratio, unit, weights)


def exact_kernel(claim: Claim, ratio: Fraction, unit: Fraction, weights: list[int]) -> Proof:
    """k(d) = ratio^(-d/unit), so by the triangle inequality
    p(z|y) / p(z|x) <= ratio^(d(y,x)/unit) N_x / N_y, with equality at z = y if w_y > 0.
    """
    size, distance, (num, den) = len(weights), claim.space.distance, ratio.as_integer_ratio()
    need(claim.space.components == 1, "a kernel needs a space in which all distances are finite")

    @lru_cache(1 << 14)
    def steps(d: Length) -> int:
        fits = not isinstance(d, tuple) and d * unit.denominator % unit.numerator == 0
        need(fits, "the distances of a kernel must be whole multiples of its unit")
        return int(d / unit)  # type: ignore[operator]

    reached = [steps(distance(y, z)) for y in range(size) for z in range(y + 1, size)]
    reach, bits = max(reached), max(reached) * num.bit_length()
    even = min(reached) == reach and min(weights) == max(weights)  # any pair is like any other
    if bits > MOST_LENGTH or bits * size > 2 * MOST_LENGTHS:
        raise Unchecked("the claim: the exact normalizers are too long to write out")

    @lru_cache(2 * MOST_LENGTHS // bits)
    def power(k: int) -> int:
        return int(den**k * num ** (reach - k))

    def parts(y: int) -> Iterator[int]:
        """The weights w_z k(d(y,z)) times num^reach."""
        return (w * power(steps(distance(y, z))) for z, w in enumerate(weights))

    @lru_cache(1 << 14)
    def proved(m: int, n: int, d: Length) -> bool:
        return claim.level.within(n * num ** steps(d), m * den ** steps(d), 0, d)

    def settled(y: int, x: int) -> bool:
        """Whether the pair is proved, or like one that was compared; if not, rows are needed."""
        if (even and compared) or proved(normalizers[y], normalizers[x], distance(*sorted((y, x)))):
            return True
        if not even and not short and (claim.delta or not weights[y]):
            raise Unchecked("the claim: the exact rows are too long to write out")
        compared.append((y, x))
        return False

    compared: list[tuple[int, int]] = []
    short = size * size * bits <= MOST_ROWS and 2 * bits <= MOST_LENGTH
    rows = lru_cache(8)(lambda y: row_of(list(parts(y)), [0] * size))
    normalizers = [sum(parts(y)) for y in range(size)]
    count = claim.judge_all(rows, settled)
    return (f"{size} exact normalizers ({len(set(normalizers))} different) keep {count} ordered "
            "pairs of inputs within the level, by the triangle inequality at every output",
            rows if short else None)


def rounded_kernel(claim: Claim, ratio: Fraction, unit: Fraction, weights: list[int],
                   shape: list[int]) -> Proof:
    """k(d) = ratio^(-d/unit) rounded down to 62 bits, on a grid with this unit as step.

    In units of 2^-61 every k(d) is the whole number u(d) and a rest below 1, and u(d) is 0 from
    some distance on. So N_y lies between the sum of w_z u(d(y,z)) and that plus the sum of w_z.
    k(d) is between ratio^(-d/unit) and that divided by 1 + 2^-61, so by the triangle inequality
    p(z|y) / p(z|x) <= ratio^t f, t = d(y,x)/unit >= 1, f = (1 + 2^-61) max N / min N >= 1. That is
    at most (ratio f)^t: the comparison of ratio f with e^(ε unit) proves all.
    """
    size, distance, (num, den) = len(weights), claim.space.distance, ratio.as_integer_ratio()
    power = Level(Fraction(0), Fraction(1), ratio).power_bounds

    @lru_cache(None)
    def value(d: Length) -> tuple[int, int]:
        """k(d) as mantissa and exponent."""
        if not isinstance(d, tuple):
            return floored(den ** int(d / unit), num ** int(d / unit))
        bits = 96
        while True:  # an irrational power of a rational is irrational: the bounds come together
            (low, i), (high, j) = power(("root", d[1] / unit**2), bits)
            (m, e), (n, f) = floored(1, low), floored(1, high)
            if (m, e - i) == (n, f - j):
                return m, e - i
            bits *= 2

    def units(d: Length) -> int:
        mantissa, exponent = value(d)
        return mantissa >> min(-61 - exponent, 99)

    def parts(y: int) -> tuple[list[int], list[int]]:
        pairs = [value(distance(y, z)) for z in range(size)]
        return [w * m for w, (m, _) in zip(weights, pairs, strict=True)], [e for _, e in pairs]

    far = 1
    while far < sum(shape) and units(far * unit):
        far += 1
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    sums = convolved(shape, weights, [min(side, far) - 1 for side in shape],
                     lambda gaps: units(distance(0, sum(map(mul, gaps, strides)))))
    rest = sum(weights)
    most, least = num * (max(sums) + rest) * (2**61 + 1), den * min(sums) << 61
    if claim.level.within(most, least, 0, unit):
        return (f"{size} normalizers, bounded by an exact convolution, keep all pairs of "
                "inputs within the level, by the triangle inequality at every output",
                (lambda y: row_of(*parts(y))) if size <= MOST_WRITTEN else None)
    if size <= MOST_WRITTEN:
        rows = rows_of([parts(y) for y in range(size)])
        count = claim.judge_all(rows.__getitem__)
        said = f"{count} ordered pairs of inputs were compared at all {size} outputs"
        return said, rows.__getitem__
    pairs = [pair for step, side in zip(strides, shape, strict=True) for y in range(size)
             if y // step % side < side - 1 for pair in ((y, y + step), (y + step, y))
             if weights[pair[0]]]
    y, x = max(pairs, key=lambda pair: sums[pair[1]] / (sums[pair[0]] + rest))
    m, e = value(unit)
    if claim.delta or claim.level.within(sums[x], (sums[y] + rest) * m, -e, unit):
        raise Unchecked("the claim: the normalizers differ too much for a proof at this size")
    own, other = shown(weights[y] << 61, sums[y]), shown(weights[y] * m, sums[x], 61 + e)
    found = more(claim.level, sums[x], (sums[y] + rest) * m, -e, unit)
    claim.refute(y, x, [claim.outputs[y]], [f"about {own}", f"about {other}"],
                 f"the first is at least the second times {found}")


def floored(over: int, under: int) -> tuple[int, int]:
    """The fraction over / under <= 1 rounded down to a mantissa of 62 bits, and its exponent."""
    shift = 64 + under.bit_length() - over.bit_length()
    found = (over << shift) // under
    drop = found.bit_length() - 62
    return found >> drop, drop - shift


def convolved(shape: list[int], weights: list[int], reach: list[int],
              units: Callable[[list[int]], int]) -> list[int]:
    """For every cell y the sum over z of w_z u(|y - z|), from one product of two long decimals.

    Cells stand along a line, each line of the grid followed by as many zeros as u reaches, so
    that what is read never meets what runs over; the numbers are written so wide that no sum
    carries into the next. Exact, whatever the decimal module does inside to multiply.
    """
    strides = [1]
    for side, r in zip(shape[:0:-1], reach[:0:-1], strict=True):
        strides.insert(0, strides[0] * (side + r))
    wide = len(str(sum(weights) << 62))

    def line(sides: list[int], values: Iterable[int]) -> tuple[str, list[int]]:
        places = [sum(map(mul, cell, strides)) for cell in product(*map(range, sides))]
        texts = ["0" * wide] * (places[-1] + 1)
        for place, value in zip(places, values, strict=True):
            texts[place] = str(value).zfill(wide)
        return "".join(texts), places

    taps = [2 * r + 1 for r in reach]
    gaps = ([*map(abs, map(sub, cell, reach))] for cell in product(*map(range, taps)))
    kernel, spots = line(taps, map(units, gaps))
    field, places = line(shape, weights)
    exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
    text = format(exact.multiply(Decimal(field), Decimal(kernel)), "f")
    text = text.zfill((places[-1] + spots[-1] + 1) * wide)
    start = sum(map(mul, reach, strides))
    return [int(text[(start + p) * wide : (start + p + 1) * wide]) for p in places]


def check_formula(claim: Claim, law: Any) -> Proof:
    """Between neighbors y and x some outputs, of probability A for y, have the ratio r, all others
    1 or 1/r: the hockey-stick sum is A (1 - e^ε / r), and if δ = 0 any of them is a witness.

    Noise: p(z|y) = (q-1)/(q+1) q^-|z-y| on all integers z, so r = q at all z <= y, for x = y + 1.
    A set that holds the truth with probability p and another value with q: sets with y and
    without x have one ratio r, those with both or neither have 1.
    """
    points, k = claim.space.points, len(claim.space.points)
    where = f"every set with {points[0]} and without {points[1]}"
    if law["form"] == "noise":
        r, fits = number(law["ratio"], "ratio"), law["law"] == "two-sided geometric"
        need(r > 1 and fits, "noise must be two-sided geometric with a ratio above 1")
        where, apart = f"every output up to {points[0]}", r / (r + 1)
        if not claim.delta:
            where, apart = points[0], (r - 1) / (r + 1)
    elif law["form"] == "subset":
        r, w = number(law["ratio"], "ratio"), whole(law["size"], "size", 1, k - 1)
        need(r > 1, "the ratio of the sets must be above 1")
        apart = w * r / (w * r + k - w) * Fraction(k - w, k - 1)
    else:
        p, q = (number(law[name], "a probability") for name in ("held", "added"))
        need(0 < q < p < 1, "a report must be likelier to hold the truth: 0 < added < held < 1")
        r, apart = p * (1 - q) / (q * (1 - p)), p * (1 - q)
    most = max(Fraction(0), r * (1 - claim.delta / apart))
    if not claim.level.within(*most.as_integer_ratio(), 0, 1):
        claim.refute(0, 1, [where], [shown(*x.as_integer_ratio()) for x in (apart, apart / r)],
                     f"the ratio of the {law['form']}{', less what δ allows,' * bool(claim.delta)} "
                     f"is {more(claim.level, *most.as_integer_ratio(), 0, 1)}")
    return (f"the hypotheses of the theorem for {law['form']}: the family of the space, and that "
            "the one ratio between neighbors, computed exactly, is within the level. That all "
            "other outputs have its inverse or the ratio 1 is trusted", None)


# ------------------------------------------------------------------ optimality
@dataclass(frozen=True)
class Optimum:
    """What a document says about its loss and the best possible, and the proof.

    `losses` gives, for each input and output, the loss from below and above in units of 2^-96;
    `multipliers`, for each output, triples (a, b, amount) in the same unit, and where a and b go.
    """

    goal: str
    loss: str
    law: str
    value: float
    bound: float
    prior: list[Fraction]
    losses: Callable[[], list[list[tuple[int, int]]]]
    multipliers: list[tuple[list[tuple[int, int, int]], Sequence[int]]]

    def report(self, holds: bool | None = None) -> dict[str, Any]:
        value, bound = self.value, self.bound
        gap = 0.0 if value <= bound else (value - bound) / abs(value) if value else None
        return {"goal": self.goal, "loss": self.loss, "prior": self.law, "value": value,
                "bound": bound, "gap": gap if gap != math.inf else None, "holds": holds}


def hexadecimal(text: Any) -> float:
    """A finite double as float.hex writes it."""
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        if math.isfinite(value := float.fromhex(text)) and value.hex() == text:
            return value
    raise Malformed("a number about the loss must be a double such as 0x1.8p+0")


def triples(text: Any, size: int, shift: int) -> list[tuple[int, int, int]]:
    """Multipliers of one output: "0 1 3f" is 63 units from input 0 to input 1."""
    token = "[0-9]{1,9} [0-9]{1,9} [0-9a-f]++"
    fits = isinstance(text, str) and re.fullmatch(f"(?:{token}(?: {token})*+)?+", text) is not None
    need(fits, 'multipliers must be a text of positions and amounts such as "0 1 3f"')
    parts = text.split(" ") if text else []
    found = [(int(a), int(b), int(amount, 16) << shift)
             for a, b, amount in zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
    fits = all(a < size and b < size and a != b for a, b, _ in found)
    need(fits, "a multiplier needs two different inputs")
    return found


def losses_of(loss: Any, claim: Claim) -> Callable[[], list[list[tuple[int, int]]]]:
    """The losses as written, or by name: whether two labels differ, or from coordinates."""
    points, outputs = claim.space.points, claim.outputs
    if isinstance(loss, list):
        texts = [text.split(" ") if isinstance(text, str) else [] for text in loss]
        need(len(texts) == len(points) and {*map(len, texts)} == {len(outputs)},
             "the loss must have a row for each input and a number for each output")
        rows = [list(map(hexadecimal, row)) for row in texts]
        exact = lru_cache(1 << 14)(lambda x: length_bounds(Fraction(x), UNIT))
        return lambda: [list(map(exact, row)) for row in rows]
    need(loss in ("binary", "absolute", "squared", "euclidean"), "the loss is not known")
    if loss == "binary":
        ends = ((1 << UNIT,) * 2, (0, 0))
        return lambda: [[ends[y == z] for z in outputs] for y in points]
    if claim.space.places is None:
        raise Malformed(f"the points have no coordinates for a {loss} loss")
    many, (step, scale) = claim.space.places[0], claim.space.places[1].as_integer_ratio()
    places = [tuple(step * x for x in (p if isinstance(p, tuple) else (p,))) for p in many]
    known, answers = dict(zip(points, places, strict=True)), []
    for z in outputs:  # what is no input stands for its own coordinates
        own = z if isinstance(z, tuple) and len(places[0]) > 1 else (z,)
        fits = z in known or (len(own) == len(places[0]) and {*map(type, own)} == {int})
        need(fits, "an output has no coordinates")
        answers.append(known[z] if z in known else tuple(x * scale for x in own))

    power = 1 if loss == "absolute" else 2

    @lru_cache(1 << 14)
    def ends_of(size: int) -> tuple[int, int]:
        exact = Fraction(size, scale**power)
        return length_bounds(root_of(exact) if loss == "euclidean" else exact, UNIT)

    return lambda: [[ends_of(sum(abs(a - b) ** power for a, b in zip(y, z, strict=True)))
                     for z in answers] for y in places]


def optimum_of(stated: Any, claim: Claim, noise: bool, symmetry: Symmetry) -> Optimum:
    names = "goal prior loss value bound unit multipliers"
    goal, prior, loss, value, bound, unit, texts = fields(stated, names, "the optimality")
    need(set(stated) == set(names.split()), f"the optimality must have the fields {names}")
    need(not noise, "optimality needs finitely many outputs")
    need(goal in ("average", "worst"), "the goal must be average or worst")
    size, width = len(claim.space.points), len(claim.outputs)
    whole(unit, "the unit", -UNIT, 1000)
    law = [Fraction(1, size)] * size
    if prior != "uniform":
        law = [number(x, "a prior probability") for x in listed(prior, "the prior", size)]
        need(min(law) >= 0 and sum(law) == 1, "the prior must not be negative and add up to 1")
    entries = [text if type(text) is int else (triples(text, size, unit + UNIT), range(size))
               for text in listed(texts, "the multipliers", width)]

    def moved(entry: Any, j: int) -> Any:
        fits = len(entry[0]) <= MOST_ROUTES * size and all(x < MOST_SCALE for _, _, x in entry[0])
        need(fits, "an output with so many or so large multipliers has no copy")
        return entry[0], [symmetry[j][0][place] for place in entry[1]]

    steps = unfolded(entries, [h for _, h in symmetry], moved)
    met = not claim.delta or all(
        claim.space.adjacent(at[a], at[b]) for some, at in steps for a, b, _ in some)
    need(met, "a multiplier needs two neighbors where delta is above 0")
    return Optimum(goal, loss if isinstance(loss, str) else "given",
                   "uniform" if prior == "uniform" else "given", hexadecimal(value),
                   hexadecimal(bound), law, losses_of(loss, claim), steps)


def check_optimality(claim: Claim, optimum: Optimum, rows: Rows | None) -> bool:
    """Whether this mechanism loses at most `value`, and no other less than `bound`.

    All in units of 2^-96. A mechanism has P(z|a) >= e^(-ε d(a,b)) P(z|b), so its average loss is
    at least the sum of P(z|y) (prior[y] loss[y,z] - what multipliers of z take from y + what they
    bring to y), and that, as each row adds up to 1, at least the sum over y of the least bracket
    over z. Everything is rounded down. The loss of the worst input is never below an average.
    With δ > 0 the excesses of P(z|b) over e^(ε d) P(z|a) add up to at most δ, so δ times the sum
    over neighbors (a, b) of the most that any z brings, rounded up, is taken off the bound.
    The loss of this mechanism is added up from its weights, with everything rounded up.
    """
    if len(claim.space.points) * len(claim.outputs) > MOST_ENTRIES or rows is None:
        raise Unchecked("optimality: it would take too long")
    losses = optimum.losses()
    share = lru_cache(1 << 14)(claim.level.share)
    prices: list[int] = []
    largest: Counter[tuple[int, int]] = Counter()  # over outputs, of what a pair brings
    for z, (steps, places) in enumerate(optimum.multipliers):
        column = [p.numerator * row[z][0] // p.denominator
                  for p, row in zip(optimum.prior, losses, strict=True)]
        back: Counter[tuple[int, int]] = Counter()
        for start, end, amount in steps:
            a, b = places[start], places[end]
            more = amount * share(claim.space.distance(min(a, b), max(a, b))) >> UNIT
            column[a] -= amount
            column[b] += more
            back[a, b] += more
        for pair, more in back.items():
            largest[pair] = max(largest[pair], more)
        prices = list(map(min, prices, column)) if z else column
    means: list[int] = []
    for y, bounds in enumerate(losses):
        row = rows(y)
        total, floor = added((m * high for m, (_, high) in zip(row.mantissas, bounds, strict=True)),
                             row.exponents)
        means.append(-(-(total << floor - row.floor if total else 0) // row.total))
    mean = sum(-(-p.numerator * m // p.denominator)
               for p, m in zip(optimum.prior, means, strict=True))
    toll = math.ceil(claim.delta * largest.total())
    most, least = (max(means) if optimum.goal == "worst" else mean), sum(prices) - toll
    value, bound = (Fraction(x) * (1 << UNIT) for x in (optimum.value, optimum.bound))
    return most <= value and bound <= least


# ------------------------------------------------------------------ all of a document
FORMS = {  # of each form of mechanism its evidence, its fields, its outputs and its spaces
    "matrix": ("enumerated", "rows", "inputs", None),  # or a list of outputs
    "kernel": ("kernel", "weights ratio unit", "inputs", None),
    "noise": ("theorem", "ratio law", "integers", ["path"]),
    "subset": ("theorem", "ratio size", "sets", ["categories", "complete"]),
    "unary": ("theorem", "held added", "sets", ["categories", "complete"])}

UNKNOWN = {  # mechanisms on datasets and on the line: their theorems are not known here
    "ladder": "the ladder of a count", "smooth": "noise of smooth sensitivity",
    "global": "noise for a count", "quantile": "a quantile", "mode": "a mode", "line": "a line"}


def check(document: Any, level: Level, delta: Fraction, large: bool, report: Any) -> None:
    """Writes into the report what was checked; raises Malformed, Unchecked or Refuted."""
    names = "space neighbors outputs mechanism"
    form, between, outputs, law = fields(document, names, "the document")
    (kind,), more = fields(law, "form", "the mechanism"), []
    if kind == "table":
        rows, law = fields(law, "rows base", "a table")
        (kind,) = fields(law, "form", "the base of a table")
        need(kind != "noise", "the base of a table must not be noise")
        more = [f"that is one row; the {whole(rows, 'rows')} rows of a table are randomized "
                "independently, so tables that differ in one row are protected as one row is"]
    if kind in list(UNKNOWN) or (kind == "noise" and law.get("law") == "staircase"):
        raise Unchecked(f"the claim: the theorem for {UNKNOWN.get(kind, 'a staircase')}")
    need(kind in list(FORMS), "the form of the mechanism is not known")
    evidence, names, proper, families = FORMS[kind]
    need(report["evidence"] == evidence, f"the evidence for a {kind} must be {evidence}")
    free = kind == "matrix" and isinstance(outputs, list)
    need(free or outputs == proper, f"the outputs of a {kind} must be {proper}")
    written, (family,) = fields(law, names, f"a {kind}")[0], fields(form, "family", "a space")
    need(families is None or family in families, f"a {kind} needs a space of {families}")
    size, formula = 10**15, evidence == "theorem"
    if not formula:
        written = listed(written, "rows or weights")
        if kind == "kernel" and "bits" in law:
            lists = [words(line, "[0-9a-f]{1,16}") for line in written]
            need(len(set(map(len, lists))) == 1, "the lines of weights must be equally long")
            written = [int(word, 16) for line in lists for word in line]
        size = len(written)
    space = space_of(form, size if formula else min(size, MOST_POINTS))
    need(formula or size == len(space.points), "each point needs one row or weight")
    stated = isinstance(between, str) if space.neighbors else between is None and not delta
    need(stated, "neighbors must be a text; or null, with delta 0, if the space has none")
    named = labels(outputs, "outputs") if free else space.points
    claim, optimum = Claim(level, delta, space, named), None
    report["components"] = space.components
    report["nearest"] = length_text(space.nearest)
    need(kind == "matrix" or "symmetry" not in document, "only a matrix is folded by symmetry")
    symmetry = symmetries_of(document, len(space.points), len(named))
    if kind == "matrix" and size * len(named) > MOST_MATRIX and (symmetry or not large):
        raise Unchecked(f"the claim: a matrix of {size * len(named)} entries takes long" + (
            "" if symmetry else "; ask with --large"))
    written = unfolded_rows(written, symmetry) if kind == "matrix" else written
    if document["optimality"] is not None:
        optimum = optimum_of(document["optimality"], claim, formula, symmetry)
        report["optimality"] = optimum.report()
    said, some = (check_formula(claim, law) if formula
                  else check_matrix(claim, written) if kind == "matrix"
                  else check_kernel(claim, law, form, written, large))
    report["checked"] = [said, *more]
    if optimum is not None:
        report["optimality"] = optimum.report(check_optimality(claim, optimum, some))


# ------------------------------------------------------------------ report
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
        epsilon = f"about {shown(low, 1 << (1 << 14))}, written in {len(epsilon)} characters"
    delta = shown(*number(report["delta"], "delta").as_integer_ratio())
    if (parts := report["components"]) > 1:
        yield f"NOT private  which of the {parts} components of the space an input lies in"
    if report["nearest"] is not None:
        yield f"distances    {report['nearest']} or more; inputs d apart have the level ε d"
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
        value, bound = best["value"], best["bound"]
        yield f"loss         {best['loss']}, {whose} {best['prior']} prior: at most {value!r}"
        yield f"best         {bound!r} or more for all mechanisms with this level and outputs"
        yield f"             (relative gap {gap}): {said[best['holds']]}"
    verdicts = {True: "the claim is proved", False: "the claim is FALSE", None: "not all proved"}
    yield f"verdict      {verdicts[report['holds']]}"


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
