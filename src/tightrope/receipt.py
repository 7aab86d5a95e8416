"""Checks the claims of a mechanism document, with nothing but the standard library.

    python receipt.py FILE [--json] [--large]

A document holds a finite metric space, a mechanism and a claim (ε, δ). The claim says, if δ = 0,
p(z|y) <= e^(ε d(y,y')) p(z|y') for all inputs y, y' and outputs z; else, for all neighbors y, y',
that the hockey-stick sum over z of max(0, p(z|y) - e^(ε d(y,y')) p(z|y')) is at most δ.
Probabilities are exact: integers over their exact row total. Every comparison is decided, by
doubles where a stated margin covers all rounding, else by integers: against the exact e^(ε d) or,
where that is irrational (then no tie exists), against rational bounds refined until they decide;
a lower bound proves, an upper bound refutes. If δ = 0 the pairs with no point between them
suffice, because the inequality multiplies along a shortest path.
A claim of optimality says that this mechanism loses at most `value`, and that none with the same
outputs and level loses less than `bound`: see `check_optimality`.
Exit: 0 intact and proved; 1 changed or refuted; 2 not a document; 3 cannot be checked here.
"""

from __future__ import annotations

import argparse
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
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product, repeat
from operator import add, le, mul, sub
from typing import Any

MOST_BYTES = 1 << 30  # of a document, unpacked
MOST_DEPTH = 500  # of lists in lists
MOST_POINTS = 10**7  # of a space
MOST_EXPONENT = 8 * 10**6  # of a weight, either sign
MOST_SCALE = 1 << 1000  # of a numerator or common denominator in a space
MOST_TOTALS = 1 << 33  # bits of all row totals together: one gigabyte
MOST_KERNEL = 10_000  # points of a kernel document, unless --large
MOST_WRITTEN = 1_000  # points of a rounded kernel whose rows are compared one by one
MOST_NORMALIZER = 1 << 24  # bits of one normalizer of a kernel
MOST_ENTRIES = 4 * 10**6  # inputs times outputs, for a claim of optimality
MOST_UNFOLDED = 25 * 10**6  # entries of a matrix with rows that are copies
MOST_SYMMETRIES = 64
MOST_ROUTES = 8  # multipliers for each input, of an output that has copies
MOST_ROWS = 1 << 32  # bits of all rows of a kernel together, for a claim of optimality
UNIT = 96  # losses, prices and multipliers are whole multiples of 2^-96
EVIDENCE = {"matrix": "enumerated", "kernel": "kernel",
            "noise": "theorem", "subset": "theorem", "unary": "theorem"}


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
        inner, depth = [x for part in inner if isinstance(part, list | dict)
                        for x in (part.values() if isinstance(part, dict) else part)], depth + 1
    need(depth <= MOST_DEPTH, "the document is nested too deep")
    return found


def unique(items: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len(dict(items)) == len(items), "an object in the document repeats a key")
    return dict(items)


def finite(text: str) -> float:
    need(math.isfinite(float(text)), "the document holds a number that is not finite")
    return float(text)


def digest_of(document: dict[str, Any]) -> str:
    rest = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def fields(value: Any, names: str, where: str) -> list[Any]:
    found = isinstance(value, dict) and set(names.split()) <= set(value)
    need(found, f"{where} must be an object with the fields {names}")
    return [value[name] for name in names.split()]


def whole(value: Any, where: str, least: int = 1, most: int = 10**15) -> int:
    fits = type(value) is int and least <= value <= most
    need(fits, f"{where} must be a whole number from {least} to {most}")
    return int(value)


def number(value: Any, where: str) -> Fraction:
    """A fraction written "p/q" or "p"."""
    if isinstance(value, str):
        match = re.fullmatch(r"(-?[0-9]{1,4300})(?:/([0-9]{1,4300}))?", value)
        if match and (denominator := int(match[2] or 1)):
            return Fraction(int(match[1]), denominator)
    raise Malformed(f'{where} must be a fraction in text, such as "1/2"')


def measure(value: Any, where: str) -> Fraction:
    """A number of a space: a fraction in lowest terms, each part of at most 301 digits."""
    found = number(value, where)
    short = max(abs(found.numerator), found.denominator) < MOST_SCALE
    need(short and str(found) == value, f"{where} must be short and in lowest terms")
    return found


def listed(value: Any, where: str, size: int | None = None) -> list[Any]:
    fits = isinstance(value, list) and len(value) > 0 and size in (None, len(value))
    need(fits, f"{where} must be a list of {size or 'at least one'}")
    return list(value)


def label(value: Any, depth: int = 0) -> Any:
    if isinstance(value, list) and depth < 50:
        return tuple(label(part, depth + 1) for part in value)
    need(type(value) in (int, str), "a label must be a whole number, a text or a list of labels")
    return value


def labels(value: Any, where: str) -> list[Any]:
    found = list(map(label, listed(value, where)))
    need(len(set(found)) == len(found), f"{where} must not repeat a label")
    return found


# ------------------------------------------------------------------ numbers

# A length is rational, or an irrational ("root", x), ("sum", a, b) or ("max", a, b). A sum of
# positive lengths is irrational as soon as one is: square roots do not cancel one another.
Length = int | Fraction | tuple[Any, ...]


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


@lru_cache(64)
def ln_bounds(b: Fraction, bits: int) -> tuple[int, int]:
    """Bounds on ln(b) 2^bits, b = 2^k m > 1: ln b = 2 (k atanh(1/3) + atanh((m-1)/(m+1)))."""
    k = b.numerator.bit_length() - b.denominator.bit_length()
    k -= b < 1 << k
    m, guard = b / (1 << k), 16 + k.bit_length()
    twos = atanh_bounds(Fraction(1, 3), bits + guard)
    rest = atanh_bounds((m - 1) / (m + 1), bits + guard)
    return 2 * (k * twos[0] + rest[0]) >> guard, -(-2 * (k * twos[1] + rest[1]) >> guard)


def at_most(a: int, i: int, b: int, j: int) -> bool:
    """Whether a 2^i <= b 2^j, for a, b >= 0; never shifts further than the numbers are long."""
    if not a or not b:
        return not a
    if lead := a.bit_length() + i - b.bit_length() - j:
        return lead < 0
    return a << i - j <= b if i >= j else a <= b << j - i


class Level:
    """ε = rational + coefficient ln(base) > 0, and comparisons with e^(ε d)."""

    def __init__(self, rational: Fraction, coefficient: Fraction, base: Fraction) -> None:
        need(base > 0, "the base in epsilon must be positive")
        need(coefficient >= 0, "the coefficient in epsilon must not be negative")
        if base < 1:
            base, coefficient = 1 / base, -coefficient
        self.rational, self.base = rational, base
        self.coefficient = coefficient if base > 1 else Fraction(0)
        self.exponent = lru_cache(1 << 14)(lambda d: (self.coefficient * d).as_integer_ratio())
        self.power_bounds = lru_cache(1 << 14)(self._power_bounds)
        bits = 64  # an ε with a logarithm in it is not zero, so the loop ends
        while self.coefficient and self.bounds(bits)[0] <= 0 < self.bounds(bits)[1]:
            bits *= 2
        need(self.bounds(bits)[1] > 0, "epsilon must be positive")
        need(self.bounds(bits)[0] <= 10**6 << bits, "epsilon must be at most 1,000,000")

    def bounds(self, bits: int) -> tuple[int, int]:
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

    def within(self, a: int, b: int, shift: int, d: Length) -> bool:
        """Whether a 2^shift <= e^(ε d) b, decided exactly, for integers a, b >= 0.

        By the theorems of Lindemann, Gelfond-Schneider and Baker e^(ε d) is transcendental unless
        it is base^(p/r). In lowest terms that is irrational unless the numerator u of base is an
        r-th power, which needs 2^r <= u; and a tie needs u^p <= (a 2^shift)^r.
        """
        if not self.rational and not isinstance(d, tuple):
            (p, r), (u, v) = self.exponent(d), self.base.as_integer_ratio()
            size = u.bit_length()
            if r < size and p * (size - 1) <= r * (a.bit_length() + max(shift, 0)):
                return at_most(a**r * v**p, r * shift, b**r * u**p, 0)
        bits = 64
        while True:  # no tie, so this ends
            (low, i), (high, j) = self.power_bounds(d, bits)
            if at_most(a, shift, b * low, i):
                return True
            if not at_most(a, shift, b * high, j):
                return False
            bits *= 2

    def share(self, d: Length) -> int:
        """The whole part of 2^96 e^(-ε d).

        Where e^(ε d) = (u/v)^(p/r) that may be a whole number k, with 2^(96 r) v^p = k^r u^p, so
        u^p <= 2^(96 r). Otherwise the bounds end up between the same two whole numbers.
        """
        bits = 128
        while True:
            high, low = ((1 << UNIT - e) // m if e <= UNIT else 0
                         for m, e in self.power_bounds(d, bits))
            if low == high:
                return low
            if not self.rational and not isinstance(d, tuple):
                (p, r), (u, v) = self.exponent(d), self.base.as_integer_ratio()
                short = r < u.bit_length() and p * (u.bit_length() - 1) <= UNIT * r
                if short and v**p << UNIT * r == high**r * u**p:
                    return high
            bits *= 2


def shown(a: int, b: int, shift: int = 0) -> str:
    """a 2^shift / b as "p/q" if that is short, else to four digits: 1.234e-217."""
    i, j = max(0, a.bit_length() - 99), max(0, b.bit_length() - 99)
    if not a or (i == j == 0 and abs(shift) < 99):
        return str(Fraction(a << max(shift, 0), b << max(-shift, 0))) if a else "0"
    wide = Context(prec=30, Emax=MAX_EMAX, Emin=MIN_EMIN)
    head, power = wide.divide(Decimal(a >> i), Decimal(b >> j)), wide.power(2, i - j + shift)
    return f"{wide.multiply(head, power):.3e}"


# ------------------------------------------------------------------ spaces

Measure = Callable[[int, int], Length]
Relation = Callable[[int, int], bool]


@dataclass(frozen=True)
class Space:
    """Points in order, their distances, and which pairs to compare.

    `near`: pairs whose inequalities imply all others if δ = 0 (on a graph: its edges).
    `neighbors`: the pairs that δ > 0 is about; None if the family has none.
    `window`: points whose numbers are further apart than this are neither.
    `places`: gives the coordinates as whole numbers, and their common denominator; None if none.
    """

    points: Sequence[Any]
    distance: Measure
    near: Relation
    neighbors: Relation | None
    window: int
    places: Callable[[], tuple[list[tuple[int, ...]], int]] | None = None

    def pairs(self, related: Relation) -> Iterator[tuple[int, int]]:
        size = len(self.points)
        later = ((i, j) for i in range(size) for j in range(i + 1, min(i + 1 + self.window, size)))
        return ((i, j) for i, j in later if related(i, j))

    def adjacent(self, a: int, b: int) -> bool:
        i, j = sorted((a, b))
        return self.neighbors is not None and j - i <= self.window and self.neighbors(i, j)


def stepwise(points: Sequence[Any], distance: Measure, step: Length = 1, window: int = 0) -> Space:
    """A space where every distance is a number of steps between neighbors."""
    def near(i: int, j: int) -> bool:
        return distance(i, j) == step

    return Space(points, distance, near, near, window or len(points))


def placed(space: Space, step: Fraction = Fraction(1)) -> Space:
    """The space with its labels, times the step, as coordinates."""
    def places() -> tuple[list[tuple[int, ...]], int]:
        tuples = (point if isinstance(point, tuple) else (point,) for point in space.points)
        return [tuple(step.numerator * x for x in point) for point in tuples], step.denominator

    return replace(space, places=places)


def every_pair(i: int, j: int) -> bool:
    return True


def by_gaps(points: Sequence[Any], measure: Callable[[list[int]], Length]) -> Measure:
    return lambda i, j: measure([abs(a - b) for a, b in zip(points[i], points[j], strict=True)])


def grid(shape: Sequence[int], metric: str, step: Fraction) -> Space:
    """All tuples below the sides of a box, in lexicographic order."""
    points = list(product(*map(range, shape)))
    if metric == "euclidean":  # a cell lies between two others unless their offset has gcd 1
        root = lru_cache(1 << 14)(lambda square: root_of(square * step * step))
        distance = by_gaps(points, lambda gaps: root(sum(map(mul, gaps, gaps))))
        space = Space(points, distance, lambda i, j: math.gcd(*map(sub, points[i], points[j])) == 1,
                      None, len(points))
        return placed(space, step)
    if metric == "hamming":
        return stepwise(points, by_gaps(points, lambda gaps: len(gaps) - gaps.count(0)))
    total, unit = (max if metric == "chebyshev" else sum), step if step % 1 else int(step)
    return placed(stepwise(points, by_gaps(points, lambda gaps: total(gaps) * unit), unit), step)


def graph(nodes: list[Any], edges: list[Any]) -> Space:
    """Shortest paths by Dijkstra; neighbors are the edges that are themselves shortest paths."""
    lengths = [measure(listed(edge, "an edge", 3)[2], "the length of an edge") for edge in edges]
    ends = [tuple(whole(end, "an end of an edge", 0, len(nodes) - 1) for end in edge[:2])
            for edge in edges]
    need(ends == sorted(set(ends)), "the edges of a graph must be in order, none twice")
    scale = math.lcm(*(length.denominator for length in lengths))  # from here on, whole numbers
    need(sum(lengths) * scale < 1 << 53, "the lengths of the edges together are too long")
    ways: list[dict[int, int]] = [{} for _ in nodes]
    for (i, j), length in zip(ends, lengths, strict=True):
        need(i < j and length > 0, "an edge must go up and have a positive length")
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

    need(len(reach(0)) == len(nodes), "the graph must be connected")
    return Space(nodes, lambda i, j: Fraction(reach(i)[j], scale), near, near, len(nodes))


def given(points: list[Any], rows: list[Any]) -> Space:
    """Distances as written, checked to be a metric."""
    size = len(points)
    table = [[measure(x, "a distance") for x in listed(row, "a row of distances", size)]
             for row in listed(rows, "distances", size)]
    scale = math.lcm(*(x.denominator for row in table for x in row))
    exact = [[int(x * scale) for x in row] for row in table]
    need(max(scale, *map(max, exact)) < MOST_SCALE, "the distances together are too long")
    for i, j in product(range(size), repeat=2):
        d, ways = exact[i][j], list(map(add, exact[i], exact[j]))
        where = f"not a metric: {points[i]!r:.40} and {points[j]!r:.40}"
        need(d == exact[j][i] and (d > 0) == (i != j), f"{where} at no or unequal distance")
        if min(ways) < d:
            raise Malformed(f"{where} are nearer by way of {points[ways.index(min(ways))]!r:.40}")
    return Space(points, lambda i, j: table[i][j], every_pair, None, size)


def positions(points: list[Any], rows: list[Any]) -> Space:
    """Euclidean distances of points with coordinates."""
    table = [tuple(measure(x, "a coordinate") for x in listed(row, "coordinates"))
             for row in listed(rows, "coordinates", len(points))]
    need(len(set(map(len, table))) == 1, "all points must have equally many coordinates")
    scale = math.lcm(*(x.denominator for row in table for x in row))
    most = max(abs(x) for row in table for x in row) * scale
    need(most < 1 << 60 and scale < MOST_SCALE, "the coordinates together are too long")
    need(len(set(table)) == len(table), "not a metric: two points have the same coordinates")
    distance = by_gaps(table, lambda gaps: root_of(Fraction(sum(map(mul, gaps, gaps)))))
    places = [tuple(int(x * scale) for x in place) for place in table]
    return Space(points, distance, every_pair, None, len(points), lambda: (places, scale))


def pair_space(a: Space, b: Space, longest: bool) -> Space:
    """Pairs of points, the first factor slowest; distances add, or the longer one counts."""
    n = len(b.points)

    def distance(i: int, j: int) -> Length:
        x, y = a.distance(i // n, j // n), b.distance(i % n, j % n)
        if longest:
            return longer(x, y)
        return ("sum", x, y) if isinstance(x, tuple) or isinstance(y, tuple) else x + y

    def joined(first: Relation, second: Relation) -> Relation:
        def related(i: int, j: int) -> bool:
            (u, k), (v, m) = divmod(i, n), divmod(j, n)
            if u == v or k == m:
                return second(k, m) if u == v else first(u, v)
            return longest and first(u, v) and second(k, m)

        return related

    near = joined(a.near, b.near)
    if longest and len({s.distance(*pair) for s in (a, b) for pair in s.pairs(s.near)}) > 1:
        near = every_pair  # moving in both factors at once needs steps of one length
    neighbors = joined(a.neighbors, b.neighbors) if a.neighbors and b.neighbors else None
    points = list(product(a.points, b.points))
    return Space(points, distance, near, neighbors, len(points))


def leaves(form: Any) -> int:
    """The number of factors of a product that are not products themselves."""
    if isinstance(form, dict) and form.get("family") == "product":
        return sum(map(leaves, listed(form.get("factors"), "factors", 2)))
    return 1


def space_of(form: Any, most: int) -> Space:
    """The space that a description means, refused if it has more than `most` points."""
    family = fields(form, "family", "a space")[0]

    def members(names: str) -> list[Any]:
        need(set(form) == {"family", *names.split()}, f"a {family} space has the fields {names}")
        return fields(form, names, f"a {family} space")

    def sizes(names: str, least: int = 1) -> list[int]:
        return [whole(value, f"{names} of a {family} space", least) for value in members(names)]

    def count(size: int) -> range:
        need(2 <= size <= most, f"the space needs 2 to {most} points, as the mechanism has rows")
        return range(size)

    def named(value: Any) -> list[Any]:
        count(len(listed(value, "the labels")))
        return labels(value, "the labels of a space")

    def unit(i: int, j: int) -> int:
        return int(i != j)

    match family:
        case "path":
            low, high = sizes("low high", -(10**15))
            whole(high - low, "the length of a path", most=2 * 10**15)
            return placed(stepwise(range(low, high + 1), lambda i, j: abs(i - j), window=1))
        case "sum":
            people, wide = sizes("people max")
            every = count(people * wide + 1)
            return placed(stepwise(every, lambda i, j: -(-abs(i - j) // wide), window=wide))
        case "counts" | "hamming":
            side, length = sizes("people queries") if family == "counts" else sizes("values people")
            side, metric = (side + 1, "chebyshev") if family == "counts" else (side, "hamming")
            count(side ** min(length, 64))
            return grid([side] * length, metric, Fraction(1))
        case "grid":
            sides, step, metric = members("shape step metric")
            need(metric in ("euclidean", "manhattan", "chebyshev"), "the metric is not known")
            need(measure(step, "step") > 0, "the step of a grid must be positive")
            shape = [whole(side, "a side") for side in listed(sides, "shape")]
            whole(len(shape), "the number of sides", most=5000)
            count(math.prod(shape))
            return grid(shape, metric, number(step, "step"))
        case "histogram":
            people, cells = (whole(form.get(name), name) for name in ("people", "cells"))
            relation = members("people cells neighbors")[2]
            need(relation in ("replace", "add-remove"), "neighbors must be replace or add-remove")
            bars = cells - (relation == "replace")  # add-remove: one more, hidden cell
            count(math.comb(people + bars, min(people, bars, 64)))
            places = ((-1, *bar, people + bars) for bar in combinations(range(people + bars), bars))
            points = [tuple(b - a - 1 for a, b in pairwise(place))[:cells] for place in places]
            half = 1 + cells - bars
            return placed(stepwise(points, by_gaps(points, lambda gaps: sum(gaps) // half)))
        case "categories":
            values = named(members("values")[0])
            numbered = values == list(range(len(values)))
            need(numbered or all(isinstance(value, str) and value for value in values),
                 "categories must be texts that are not empty, or the numbers from 0")
            return stepwise(values, unit)
        case "complete":
            return stepwise(count(*sizes("nodes")), unit)
        case "sets":  # the number of a point is the bit mask of the set
            items = min(*sizes("items"), 64)
            sets = [tuple(b for b in range(items) if i >> b & 1) for i in count(1 << items)]
            return stepwise(sets, lambda i, j: (i ^ j).bit_count())
        case "cycle":
            (nodes,) = sizes("nodes")
            return stepwise(count(nodes), lambda i, j: min(abs(i - j), nodes - abs(i - j)))
        case "star":
            every = count(sizes("leaves")[0] + 1)
            return stepwise(every, lambda i, j: unit(i, j) * (2 if i and j else 1))
        case "graph":
            return graph(named(form.get("nodes")), listed(members("nodes edges")[1], "edges"))
        case "matrix":
            return given(named(form.get("labels")), members("labels distances")[1])
        case "points":
            return positions(named(form.get("labels")), members("labels coordinates")[1])
        case "product":
            combine, factors = members("combine factors")
            need(combine in ("sum", "max"), "a product must combine its factors by sum or max")
            need(leaves(form) <= 6, "a product has at most six factors")
            first, second = (space_of(part, most) for part in listed(factors, "factors", 2))
            count(len(first.points) * len(second.points))
            return pair_space(first, second, combine == "max")
    raise Malformed("the family of the space is not known")


# ------------------------------------------------------------------ laws


@dataclass(frozen=True)
class Row:
    """Weights mantissa 2^exponent, their exact total, and all of them as doubles, scaled alike."""

    mantissas: list[int]
    exponents: list[int]
    total: int  # times 2^floor
    floor: int
    doubles: list[float]
    double_total: float


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
    need(total > 0, "every row must have a positive weight")
    scale = 900 - total.bit_length()  # brings the total to about 2^900
    doubles = [double(m, e - floor + scale) for m, e in zip(mantissas, exponents, strict=True)]
    return Row(mantissas, exponents, total, floor, doubles, double(total, scale))


def row_from(text: Any, size: int) -> Row:
    """A row from its text: "4 1p-3" is 4 and 1/8."""
    token = r"[0-9a-f]++(?:p-?[0-9]{1,8})?+"
    fits = isinstance(text, str) and re.fullmatch(f"{token}(?: {token})*+", text) is not None
    need(fits, 'a row must be a text of weights such as "3fp-12 4 0"')
    tokens = [token.partition("p") for token in text.split(" ")]
    need(len(tokens) == size, f"a row must have {size} weights, one for each output")
    exponents = [int(token[2] or 0) for token in tokens]
    need(max(map(abs, exponents)) <= MOST_EXPONENT, f"exponents end at {MOST_EXPONENT}")
    return row_of([int(token[0], 16) for token in tokens], exponents)


# ------------------------------------------------------------------ checks


@dataclass(frozen=True)
class Claim:
    """That the mechanism has the level on the space."""

    level: Level
    delta: Fraction
    space: Space
    outputs: Sequence[Any]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Ordered pairs of inputs to compare, each in both orders."""
        related = self.space.neighbors if self.delta else self.space.near
        assert related is not None
        return (pair for i, j in self.space.pairs(related) for pair in ((i, j), (j, i)))

    def exceeding(self, y: Row, x: Row, d: Length) -> list[int]:
        """The outputs z with p(z|y) > e^(ε d) p(z|x).

        a <= factor b in doubles proves the contrary: a, b, the two totals and the lower bound on
        e^(ε d) have relative errors of at most 2^-52, the five operations of at most 2^-53,
        together less than 2^-48, and the factor is lowered by 2^-46. The operands are nan, 0 or
        above 2^-1001, a is below 2^1000, the factor at most 2^101: where a product underflows it
        is below a, and nothing is proved; where it overflows it is above a, as it should be.
        """
        power = double(*self.level.power_bounds(d, 64)[0])
        power = power if power < 2.0**100 else 2.0**100
        factor = power * (1 - 2.0**-46) * (y.double_total / x.double_total)
        if all(map(le, y.doubles, map(mul, repeat(factor), x.doubles))):
            return []
        s, t = (1, 1) if y.total == x.total else (x.total, y.total)
        found = []
        for z, (a, b) in enumerate(zip(y.doubles, x.doubles, strict=True)):
            if not a <= factor * b:
                shift = y.exponents[z] - y.floor - x.exponents[z] + x.floor
                if not self.level.within(y.mantissas[z] * s, x.mantissas[z] * t, shift, d):
                    found.append(z)
        return found

    def judge(self, i: int, j: int, y: Row, x: Row) -> None:
        """Refutes the claim if input i, with row y, is told apart too well from j, with row x."""
        d = self.space.distance(*sorted((i, j)))
        found = self.exceeding(y, x, d)
        if not found:
            return
        chosen = found if self.delta else [min(found, key=lambda z: x.mantissas[z] > 0)]
        (p, u), (q, v) = (added([row.mantissas[z] for z in chosen],
                                [row.exponents[z] for z in chosen]) for row in (y, x))
        reason = "the first probability is more than e^(ε d) times the second"
        if self.delta:  # whether P(chosen|i) - δ <= e^(ε d) P(chosen|j)
            n, m = self.delta.as_integer_ratio()
            more = (p * m << u - y.floor) - n * y.total
            if more <= 0 or self.level.within(more * x.total, q * m * y.total, x.floor - v, d):
                return
            reason = "the first probability is more than δ plus e^(ε d) times the second"
        elif not q:
            reason = "a zero beside a non-zero: private at no finite level"
        self.refute(i, j, [self.outputs[z] for z in chosen],
                    [shown(p, y.total, u - y.floor), shown(q, x.total, v - x.floor)], reason)

    def refute(self, i: int, j: int, outputs: list[Any], chances: list[str], reason: str) -> None:
        d = self.space.distance(*sorted((i, j)))
        a, b = (length_bounds(d, 99)[0], 1 << 99) if isinstance(d, tuple) else d.as_integer_ratio()
        first, second = self.space.points[i], self.space.points[j]
        raise Refuted({"first": first, "second": second, "outputs": outputs,
                       "probabilities": chances, "reason": f"{reason} (d = {shown(a, b)})"})


Rows = Callable[[int], Row]


def check_matrix(claim: Claim, law: Any) -> tuple[str, Rows]:
    """What was checked, and the rows."""
    rows, bits = [], 0
    for text in law["rows"]:
        rows.append(row_from(text, len(claim.outputs)))
        bits += rows[-1].total.bit_length()
        if bits > MOST_TOTALS:
            raise Unchecked("the claim: the exact row totals are longer than a gigabyte")
    count = 0
    for i, j in claim.pairs():
        claim.judge(i, j, rows[i], rows[j])
        count += 1
    said = f"{count} hockey-stick sums (all neighbors, both orders) are at most δ"
    if not claim.delta:
        said = (f"{count * len(claim.outputs)} comparisons hold ({count} ordered pairs of inputs, "
                f"which imply all others, at {len(claim.outputs)} outputs)")
    return said, rows.__getitem__


def check_kernel(claim: Claim, law: Any, large: bool) -> tuple[str, Rows | None]:
    """p(z|y) = w_z ratio^(-d(y,z)/unit) / N_y, so by the triangle inequality
    p(z|y) / p(z|x) <= ratio^(d(y,x)/unit) N_x / N_y, with equality at z = y if w_y > 0.
    """
    ratio, unit = (number(x, "ratio and unit") for x in fields(law, "ratio unit", "a kernel"))
    weights = [number(weight, "a weight") for weight in law["weights"]]
    need(ratio > 1 and unit > 0, "a kernel needs a ratio above 1 and a positive unit")
    need(min(weights) >= 0 < max(weights), "weights must not be negative and not all zero")
    size, (num, den) = len(weights), ratio.as_integer_ratio()
    scale = math.lcm(*(w.denominator for w in weights))
    exact = [int(w * scale) for w in weights]
    if size > MOST_KERNEL and not large:
        raise Unchecked(f"the claim: a kernel of {size} points takes long; ask with --large")

    def steps(d: Length) -> int:
        fits = not isinstance(d, tuple) and d * unit.denominator % unit.numerator == 0
        need(fits, "the distances of a kernel must be whole multiples of its unit")
        return int(d * unit.denominator // unit.numerator)  # type: ignore[operator]

    @lru_cache(8)
    def row(y: int) -> Row:
        far = [steps(claim.space.distance(y, z)) for z in range(size)]
        powers = (den**k * num ** (max(far) - k) for k in far)
        return row_of(list(map(mul, exact, powers)), [0] * size)

    sums, reach = [], 0
    for y in range(size):
        parts: dict[int, int] = {}
        for z, w in enumerate(exact):
            k = steps(claim.space.distance(y, z))
            parts[k] = parts.get(k, 0) + w
        reach, length = max(reach, *parts), 1 << max(parts).bit_length()
        if length * num.bit_length() > MOST_NORMALIZER:
            raise Unchecked("the claim: the exact normalizers are too long to write out")
        values, a, b = [parts.get(k, 0) for k in range(length)], num, den
        while len(values) > 1:  # in the end the sum of values[k] den^k num^(length - 1 - k)
            values = [a * s + b * t for s, t in zip(values[::2], values[1::2], strict=True)]
            a, b = a * a, b * b
        sums.append((values[0], length))
    longest = max(length for _, length in sums)
    normalizers = [value * num ** (longest - length) for value, length in sums]
    kinds = {value: kind for kind, value in enumerate(set(normalizers))}
    proved: set[tuple[int, int, Length]] = set()
    count = 0
    for y, x in claim.pairs():
        count += 1
        d, m, n = claim.space.distance(*sorted((y, x))), normalizers[y], normalizers[x]
        if (case := (kinds[m], kinds[n], d)) not in proved:
            k = steps(d)
            if claim.level.within(n * num**k, m * den**k, 0, d):
                proved.add(case)
            else:
                claim.judge(y, x, row(y), row(x))
    return (f"{size} exact normalizers ({len(kinds)} different) keep {count} ordered pairs of "
            "inputs within the level, by the triangle inequality at every output",
            row if size * size * reach * num.bit_length() <= MOST_ROWS else None)


def tokens(lines: list[Any]) -> list[int]:
    """Weights from lines of hexadecimal numbers, as many on each line."""
    fits = all(isinstance(line, str) and re.fullmatch("[0-9a-f]{1,16}(?: [0-9a-f]{1,16})*+", line)
               for line in lines)
    need(fits and len({line.count(" ") for line in lines}) == 1,
         'the weights of a rounded kernel must be lines of as many numbers such as "3f 4"')
    return [int(token, 16) for line in lines for token in line.split(" ")]


class Rounded:
    """p(z|y) = w_z k(d(y,z)) / N_y on a grid, k(d) = ratio^(-d/unit) rounded down to 62 bits.

    In units of 2^-61 every k(d) is the whole number u(d) and a rest below 1, and u(d) is 0 from
    some distance on. So N_y lies between the sum of w_z u(d(y,z)) and that plus the sum of w_z.
    """

    def __init__(self, claim: Claim, law: Any, form: Any, weights: list[int]) -> None:
        ratio, unit = (number(x, "ratio and unit") for x in fields(law, "ratio unit", "a kernel"))
        need(type(law["bits"]) is int and law["bits"] == 62, "the bits of a kernel are 62")
        need(form["family"] in ("grid", "path"), "a rounded kernel needs a grid or a path")
        path = {"shape": [len(weights)], "step": "1", "metric": "manhattan"}
        box: dict[str, Any] = form if form["family"] == "grid" else path
        self.shape: list[int] = box["shape"]
        need(len(law["weights"]) * self.shape[-1] == len(weights), "a line is one of the last axis")
        need(ratio > 1, "a kernel needs a ratio above 1")
        need(unit == number(box["step"], "step"), "the unit of a rounded kernel is the step")
        need(0 < max(weights) < 1 << 62, "weights must be below 2^62 and not all zero")
        self.claim, self.ratio, self.unit, self.weights = claim, ratio, unit, weights
        self.power = Level(Fraction(0), Fraction(1), ratio).power_bounds
        key: dict[str, Callable[[Iterable[int]], int]] = {
            "euclidean": lambda gaps: sum(gap * gap for gap in gaps), "chebyshev": max,
            "manhattan": sum}
        self.key, self.squared = key[box["metric"]], box["metric"] == "euclidean"
        self.value = lru_cache(None)(self._value)

    def _value(self, key: int) -> tuple[int, int]:
        """k(d) as mantissa and exponent, for the square of d (or d) in steps."""
        d, bits = root_of(Fraction(key)) if self.squared else key, 96
        if not isinstance(d, tuple):
            over, under = self.ratio.denominator ** int(d), self.ratio.numerator ** int(d)
            return floored(over, under)
        while True:  # an irrational power of a rational is irrational: the bounds come together
            (low, i), (high, j) = self.power(d, bits)
            (m, e), (n, f) = floored(1, low), floored(1, high)
            if (m, e - i) == (n, f - j):
                return m, e - i
            bits *= 2

    def units(self, key: int) -> int:
        mantissa, exponent = self.value(key)
        return mantissa >> min(-61 - exponent, 99)

    def row(self, y: int) -> Row:
        cells = [p if isinstance(p, tuple) else (p,) for p in self.claim.space.points]
        keys = [self.key([*map(abs, map(sub, cell, cells[y]))]) for cell in cells]
        pairs = list(map(self.value, keys))
        return row_of([w * m for w, (m, _) in zip(self.weights, pairs, strict=True)],
                      [e for _, e in pairs])

    def sums(self) -> list[int]:
        """For every y the sum of w_z u(d(y,z)), from one product of two long decimal numbers.

        Cells stand along a line, each line of the grid followed by as many zeros as u reaches, so
        that what is read never meets what runs over; the numbers are written so wide that no sum
        carries into the next. Exact, whatever the decimal module does inside to multiply.
        """
        far, beyond = 1, 2 * sum(self.shape)
        while far < beyond and self.units(far * far if self.squared else far):
            far += 1
        reach = [min(side, far) - 1 for side in self.shape]
        strides = [1]
        for side, r in zip(self.shape[:0:-1], reach[:0:-1], strict=True):
            strides.insert(0, strides[0] * (side + r))
        wide = len(str(sum(self.weights) << 62))

        def line(sides: list[int], values: Iterable[int]) -> tuple[str, list[int]]:
            places = [sum(map(mul, cell, strides)) for cell in product(*map(range, sides))]
            texts = ["0" * wide] * (places[-1] + 1)
            for place, value in zip(places, values, strict=True):
                texts[place] = str(value).zfill(wide)
            return "".join(texts), places

        taps = [2 * r + 1 for r in reach]
        end = far * far if self.squared else far
        cells = product(*map(range, taps))
        keys = (self.key([*map(abs, map(sub, cell, reach))]) for cell in cells)
        kernel, spots = line(taps, (self.units(key) if key < end else 0 for key in keys))
        field, places = line(self.shape, self.weights)
        exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
        text = format(exact.multiply(Decimal(field), Decimal(kernel)), "f")
        text = text.zfill((places[-1] + spots[-1] + 1) * wide)
        start = sum(map(mul, reach, strides))
        return [int(text[(start + p) * wide : (start + p + 1) * wide]) for p in places]

    def check(self, large: bool) -> tuple[str, Rows | None]:
        """k(d) is between ratio^(-d/unit) and that divided by 1 + 2^-61, so by the triangle
        inequality p(z|y) / p(z|x) <= ratio^t f, t = d(y,x)/unit >= 1, f = (1 + 2^-61) max N / min N
        >= 1. That is at most (ratio f)^t: the comparison of ratio f with e^(ε unit) proves all.
        """
        claim, size, rest = self.claim, len(self.weights), sum(self.weights)
        if size > MOST_KERNEL and not large:
            raise Unchecked(f"the claim: a kernel of {size} points takes long; ask with --large")
        sums, (num, den) = self.sums(), self.ratio.as_integer_ratio()
        most, least = max(sums) + rest, min(sums)
        if claim.level.within(num * most * (2**61 + 1), den * least << 61, 0, self.unit):
            return (f"{size} normalizers, bounded by an exact convolution, keep all pairs of "
                    "inputs within the level, by the triangle inequality at every output",
                    self.row if size <= MOST_WRITTEN else None)
        if size <= MOST_WRITTEN:
            rows, count = [self.row(y) for y in range(size)], 0
            for y, x in claim.pairs():
                claim.judge(y, x, rows[y], rows[x])
                count += 1
            said = f"{count} ordered pairs of inputs were compared at all {size} outputs"
            return said, rows.__getitem__
        steps = [math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))]
        pairs = [pair for step, side in zip(steps, self.shape, strict=True) for y in range(size)
                 if y // step % side < side - 1 for pair in ((y, y + step), (y + step, y))
                 if self.weights[pair[0]]]
        y, x = max(pairs, key=lambda pair: sums[pair[1]] / (sums[pair[0]] + rest))
        m, e = self.value(1)
        if claim.delta or claim.level.within(sums[x], (sums[y] + rest) * m, -e, self.unit):
            raise Unchecked("the claim: the normalizers differ too much for a proof at this size")
        w = self.weights[y]
        own, other = shown(w << 61, sums[y]), shown(w * m, sums[x], 61 + e)
        claim.refute(y, x, [claim.outputs[y]], [f"about {own}", f"about {other}"],
                     "the first probability is more than e^(ε d) times the second")
        raise AssertionError


def floored(over: int, under: int) -> tuple[int, int]:
    """The fraction over / under rounded down to a mantissa of 62 bits, and its exponent."""
    shift = 64 + under.bit_length() - over.bit_length()
    found = (over << shift) // under if shift > 0 else over // (under << -shift)
    drop = found.bit_length() - 62
    return found >> drop, drop - shift


def check_noise(claim: Claim, law: Any) -> str:
    """p(z|y) = (q-1)/(q+1) q^-|z-y| on all integers z. Between y and y + 1 its ratio is q at every
    z <= y and 1/q at every other z: the hockey-stick sum is (q - e^ε)/(q + 1).
    """
    q = number(law["ratio"], "the ratio of the noise")
    need(law.get("law") == "two-sided geometric", "the noise must be two-sided geometric")
    need(q > 1, "the ratio of the noise must be above 1")
    most = max(Fraction(0), q - claim.delta * (q + 1))
    if not claim.level.within(*most.as_integer_ratio(), 0, 1):
        low = claim.space.points[0]
        where, chance = (f"every output up to {low}", q) if claim.delta else (low, q - 1)
        pair = [chance / (q + 1), chance / (q + 1) / q]
        claim.refute(0, 1, [where], [shown(*x.as_integer_ratio()) for x in pair],
                     "the ratio of the noise is more than the level allows")
    return ("the hypotheses of the theorem: the space is a path, the ratio of the noise is above 1 "
            "and within the level, exactly. The theorem itself (triangle inequality on the "
            "integers) is trusted")


def check_report(claim: Claim, law: Any) -> str:
    """A set that holds the truth with probability p and another value with q. Sets with y and
    without x have one ratio r, and the probability A for y; those with both or neither have 1:
    the hockey-stick sum is A (1 - e^ε / r).
    """
    k, points = len(claim.space.points), claim.space.points
    if law["form"] == "subset":
        size, ratio = fields(law, "size ratio", "reports of subsets")
        w, r = whole(size, "the size of the sets", 1, k - 1), number(ratio, "the ratio of the sets")
        need(r > 1, "the ratio of the sets must be above 1")
        apart = w * r / (w * r + k - w) * Fraction(k - w, k - 1)
    else:
        p, q = (number(x, "a probability") for x in fields(law, "held added", "unary reports"))
        need(0 < q < p < 1, "a report must be likelier to hold the truth: 0 < added < held < 1")
        r, apart = p * (1 - q) / (q * (1 - p)), p * (1 - q)
    most = max(Fraction(0), r * (1 - claim.delta / apart))
    if not claim.level.within(*most.as_integer_ratio(), 0, 1):
        pair = [shown(*x.as_integer_ratio()) for x in (apart, apart / r)]
        claim.refute(0, 1, [f"every set with {points[0]} and without {points[1]}"], pair,
                     "the ratio of the reports is more than the level allows")
    return ("the hypotheses of the theorem: all points are equally far apart, and the one ratio "
            "of the reports, computed exactly, is within the level. That all other reports have "
            "the ratio 1 is trusted")


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
    """A double as float.hex writes it."""
    if isinstance(text, str) and re.fullmatch(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}", text):
        try:
            if (value := float.fromhex(text)).hex() == text:
                return value
        except OverflowError:
            pass
    raise Malformed("a number about the loss must be a double such as 0x1.8p+0")


def symmetries_of(document: Any, size: int, width: int) -> list[tuple[list[int], list[int]]]:
    """Pairs (g, h): where each input and each output goes. They shorten a document, no more."""
    found = []
    pairs = listed(document["symmetry"], "the symmetry") if "symmetry" in document else []
    need(len(pairs) <= MOST_SYMMETRIES, f"the symmetry must be at most {MOST_SYMMETRIES} pairs")
    for pair in pairs:
        g, h = listed(pair, "a symmetry", 2)
        for text in (g, h):
            need(isinstance(text, str) and bool(re.fullmatch("[0-9]{1,9}(?: [0-9]{1,9})*+", text)),
                 'a symmetry must be two texts of places such as "1 0 2"')
        found.append((list(map(int, g.split(" "))), list(map(int, h.split(" ")))))
        everyone = list(range(size)), list(range(width))
        fits = tuple(map(sorted, found[-1])) == everyone
        need(fits, "a symmetry must have each input and each output once")
    return found


def unfolded(
    entries: list[Any], moves: list[list[int]], moved: Callable[[Any, int], Any]
) -> list[Any]:
    """A list in which a number j stands for a copy, moved, of the entry that moves[j] takes there.
    Nothing rests on the symmetry: what comes out is checked as if it had been written in full.
    """
    origins = [dict(zip(move, range(len(move)), strict=True)) for move in moves]
    found = {k: entry for k, entry in enumerate(entries) if type(entry) is not int}
    copies: dict[int, list[int]] = {}
    for k, entry in enumerate(entries):
        if type(entry) is int:
            need(0 <= entry < len(moves), f"there is no symmetry number {entry}")
            copies.setdefault(origins[entry][k], []).append(k)
    border = list(found)
    while border:
        there = border.pop()
        for k in copies.get(there, []):
            found[k] = moved(found[there], entries[k])
            border.append(k)
    need(len(found) == len(entries), "copies must not refer to one another in circles")
    return [found[k] for k in range(len(entries))]


def unfolded_rows(rows: list[Any], symmetry: list[tuple[list[int], list[int]]]) -> list[Any]:
    """Row g[y] as a copy of row y has entry z of it at h[z]."""
    def moved(text: Any, j: int) -> str:
        tokens = text.split(" ") if isinstance(text, str) else []
        need(len(tokens) == len(symmetry[j][1]), "a row must have a weight for each output")
        at = dict(zip(symmetry[j][1], tokens, strict=True))
        return " ".join(at[z] for z in range(len(tokens)))

    wide = len(rows) * len(symmetry[0][1]) if symmetry else 0
    need(wide <= MOST_UNFOLDED, f"a matrix with copies must have at most {MOST_UNFOLDED} entries")
    return unfolded(rows, [g for g, _ in symmetry], moved)


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
    """The losses by name: from coordinates, each a whole number over the common denominator."""
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
    need(claim.space.places is not None, f"the points have no coordinates for a {loss} loss")
    places, scale = claim.space.places()  # type: ignore[misc]
    known, answers = dict(zip(points, places, strict=True)), []
    for z in outputs:  # what is no input stands for its own coordinates
        own = z if isinstance(z, tuple) and len(places[0]) > 1 else (z,)
        fits = z in known or (len(own) == len(places[0]) and {*map(type, own)} == {int})
        need(fits, "an output has no coordinates")
        answers.append(known[z] if z in known else tuple(x * scale for x in own))

    @lru_cache(1 << 14)
    def ends_of(size: int) -> tuple[int, int]:
        exact = Fraction(size, scale if loss == "absolute" else scale * scale)
        return length_bounds(root_of(exact) if loss == "euclidean" else exact, UNIT)

    def gap(a: int, b: int) -> int:
        return abs(a - b) if loss == "absolute" else (a - b) ** 2

    return lambda: [[ends_of(sum(map(gap, y, z))) for z in answers] for y in places]


def optimum_of(
    stated: Any, claim: Claim, noise: bool, symmetry: list[tuple[list[int], list[int]]]
) -> Optimum:
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
        need(len(entry[0]) <= MOST_ROUTES * size, "an output with so many multipliers has no copy")
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


def check(document: Any, claimed: tuple[Level, Fraction, Any], large: bool, report: Any) -> None:
    """Writes into the report what was checked; raises Malformed, Unchecked or Refuted."""
    names, (level, delta, evidence) = "space neighbors outputs mechanism", claimed
    form, words, outputs, law = fields(document, names, "the document")
    (kind,), more = fields(law, "form", "the mechanism"), []
    if kind == "table":
        rows, law = fields(law, "rows base", "a table")
        (kind,) = fields(law, "form", "the base of a table")
        need(kind != "noise", "the base of a table must not be noise")
        more = [f"that is one row; the {whole(rows, 'rows')} rows of a table are randomized "
                "independently, so tables that differ in one row are protected as one row is"]
    need(kind in list(EVIDENCE), "the form of the mechanism is not known")
    need(evidence == EVIDENCE[kind], f"the evidence for a {kind} must be {EVIDENCE[kind]}")
    name = {"matrix": "rows", "kernel": "weights", "unary": "held"}.get(kind, "ratio")
    (written,), noise = fields(law, name, f"a {kind}"), kind == "noise"
    family = form.get("family") if isinstance(form, dict) else None
    need(family == "path" or not noise, "noise needs a path")
    sets = kind in ("subset", "unary")
    need(family in ("categories", "complete") or not sets, "reports of sets need categories")
    need((outputs == "sets") == sets, "reports, and only reports, have sets as outputs")
    need((outputs == "integers") == noise, "noise, and only noise, has the integers as outputs")
    need(outputs == "inputs" or kind != "kernel", "the outputs of a kernel are its inputs")
    rounded = kind == "kernel" and "bits" in law
    written = tokens(listed(written, name)) if rounded else written
    formula = noise or sets
    size = MOST_POINTS if formula else len(listed(written, name))
    space = space_of(form, min(size, MOST_POINTS))
    need(formula or size == len(space.points), f"the {name} must be as many as the points")
    need(not sets or len(space.points) > 1, "reports need two or more categories")
    need(words is None if space.neighbors is None else isinstance(words, str),
         "neighbors must be a text, or null if the space has none")
    need(not delta or space.neighbors is not None, "delta must be 0: the space has no neighbors")
    named = space.points if formula or outputs == "inputs" else labels(outputs, "outputs")
    claim, optimum = Claim(level, delta, space, named), None
    symmetry = symmetries_of(document, len(space.points), len(named))
    need(kind == "matrix" or "symmetry" not in document, "only a matrix is folded by symmetry")
    law = {**law, "rows": unfolded_rows(written, symmetry)} if kind == "matrix" else law
    if document["optimality"] is not None:
        optimum = optimum_of(document["optimality"], claim, formula, symmetry)
        report["optimality"] = optimum.report()
    said, rows = (
        (check_noise(claim, law), None) if noise
        else (check_report(claim, law), None) if sets
        else Rounded(claim, law, form, written).check(large) if rounded
        else check_kernel(claim, law, large) if kind == "kernel"
        else check_matrix(claim, law))
    report["checked"] = [said, *more]
    if optimum is not None:
        report["optimality"] = optimum.report(check_optimality(claim, optimum, rows))


# ------------------------------------------------------------------ report


def tampered(document: Any) -> bool:
    """Whether this is a document of this version whose digest does not fit."""
    known = isinstance(document, dict) and document.get("format") == "tightrope/mechanism"
    if not known or type(document.get("version")) is not int or document["version"] != 1:
        return False
    digest = document.get("digest")
    try:
        return isinstance(digest, str) and digest != digest_of(document)
    except RecursionError:  # nested too deep for a digest
        return False


def examine(document: Any, large: bool) -> dict[str, Any]:
    """What is claimed, whether it is intact and holds, what was checked and what was not."""
    known = isinstance(document, dict) and document.get("format") == "tightrope/mechanism"
    need(known, 'this is not a document: its "format" is not "tightrope/mechanism"')
    version, digest = fields(document, "version digest", "the document")
    need(type(version) is int and version == 1, "the version of the document is not 1")
    need(isinstance(digest, str), "the digest must be a text")
    need(isinstance(document.get("construction"), dict | None), "construction must be an object")
    stated, _ = fields(document, "claim optimality", "the document")
    epsilon, delta, evidence = fields(stated, "epsilon delta evidence", "the claim")
    rational, factor, base = fields(epsilon, "rational coefficient base", "epsilon")
    level = Level(*(number(part, "each part of epsilon") for part in (rational, factor, base)))
    need(0 <= number(delta, "delta") < 1, "delta must be at least 0 and below 1")
    log = f"ln({base})" if factor == "1" else f"{factor}*ln({base})"
    parts = [rational] * (level.rational != 0) + [log] * (level.coefficient != 0)
    report = {
        "holds": None, "intact": digest == digest_of(document), "epsilon": " + ".join(parts),
        "delta": delta, "evidence": evidence, "checked": [], "unchecked": [], "witness": None,
        "optimality": None,
    }
    try:
        check(document, (level, number(delta, "delta"), evidence), large, report)
    except Unchecked as reason:
        report["unchecked"] = [str(reason)]
    except Refuted as refuted:
        report["witness"] = refuted.args[0]
        report["checked"] = ["the form of the document, and its claim up to the first violation"]
    false = report["witness"] or (report["optimality"] or {}).get("holds") is False
    report["holds"] = False if false else None if report["unchecked"] else True
    return report


def best(found: dict[str, Any]) -> Iterator[str]:
    """What is said about the loss, for people."""
    said = {True: "proved", False: "FALSE, its proof does not support it", None: "not judged"}
    whose = "worst input, bound for a" if found["goal"] == "worst" else "average,"
    most = f"at most {found['value']!r}"
    yield f"loss         {found['loss']}, {whose} {found['prior']} prior: {most}"
    gap = "not known" if found["gap"] is None else f"{found['gap']:.1e}"
    yield f"best         {found['bound']!r} or more for all mechanisms with this level and outputs"
    yield f"             (relative gap {gap}): {said[found['holds']]}"


def lines(document: Any, report: dict[str, Any]) -> Iterator[str]:
    """The report for people."""
    verdicts = {True: "the claim is proved", False: "the claim is FALSE", None: "not all proved"}
    yield "digest       " + ("intact" if report["intact"] else "CHANGED since it was computed")
    yield f"space        {json.dumps(document['space'])[:200]}"
    yield f"neighbors    {document['neighbors'] or 'none'} (the document's words)"
    yield f"claim        ε = {report['epsilon']}, δ = {report['delta']} ({report['evidence']})"
    for key in ("checked", "unchecked"):
        name = "checked     " if key == "checked" else "NOT checked "
        yield from (f"{name} {sentence}" for sentence in report[key] or ["nothing"])
    if (w := report["witness"]) is not None:
        first, second, outputs = (json.dumps(w[key]) for key in ("first", "second", "outputs"))
        yield f"witness      inputs {first} and {second} give an output in {outputs[:200]}"
        yield f"             with probability {' and '.join(w['probabilities'])}: {w['reason']}"
    if report["optimality"] is not None:
        yield from best(report["optimality"])
    yield f"verdict      {verdicts[report['holds']]}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks the claim of a mechanism document.")
    parser.add_argument("file", help="a document, .json or .json.gz")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--large", action="store_true", help="check kernels of any size")
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    document: Any = None
    try:
        document = read(options.file)
        report = examine(document, options.large)
    except (Malformed, RecursionError, MemoryError) as error:
        sentence = str(error) if isinstance(error, Malformed) else "too deep or too large"
        broken = tampered(document)
        if options.json:
            found = {"holds": None, "intact": False} if broken else {}
            print(json.dumps({**found, "error": sentence}))
        changed = "the digest does not fit, and " if broken else ""
        print(f"{options.file}: {changed}{sentence}", file=sys.stderr)
        return 1 if broken else 2
    print(json.dumps(report) if options.json else "\n".join(lines(document, report)))
    if not report["intact"] or report["holds"] is False:
        return 1
    return 0 if report["holds"] else 3


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever was reading has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    sys.exit(code)
