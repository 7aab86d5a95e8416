"""Proves or refutes what a document says about a mechanism: a matrix, a kernel or a remapped one.

    python receipt.py FILE [--json] [--large]

A document holds a finite metric space, a mechanism and a claim (ε, δ). The claim says, if δ = 0,
p(z|y) <= e^(ε d(y,y')) p(z|y') for all inputs y, y' and outputs z; else, for all neighbors y, y',
that the sum over z of max(0, p(z|y) - e^(ε d(y,y')) p(z|y')) is at most δ. At an infinite distance
nothing is claimed. It may also claim that no mechanism has a smaller loss (`Optimum`) or variance
(`LeastVariance`), or state a `Definition` and no level. The proof comes first: arithmetic, privacy,
optimality, forms. Then how a document is read, what is reported, and the distances of spaces.
Comparisons are of integers: with e^(ε d) where it is rational, else with bounds that are refined.
Only the standard library is used, and no code of the program that wrote the document or of
receipt_theorems.py, which checks all other forms.
Exit: 0 intact and proved; 1 changed or refuted; 2 not a document; 3 something was not checked here.
"""

import gzip
import hashlib
import io
import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations, pairwise, product
from operator import add, lshift, mul, ne, sub
from typing import Any, NoReturn

MOST_LENGTH = 1 << 18  # bits between the ends of the weights of a row, or of a power in a kernel
FAR = 600_000  # no two probabilities have a ratio of e^FAR: all are below 2^(3 MOST_LENGTH + 2^15)
UNIT = 96  # losses, prices and multipliers are whole multiples of 2^-96

# ------------------------------------------------------------------ 1. arithmetic
# A number is rational, or a tuple: ("root", x) or ("log", x) of a rational x, where that is
# irrational, or ("sum", a, b), ("times", a, b) or ("max", a, b) of two numbers.
Number = int | Fraction | tuple[Any, ...]
INF: Any = math.inf  # the distance between components


def bounds(x: Number, bits: int) -> tuple[int, int]:
    """Integers lower <= x 2^bits <= upper."""
    if not isinstance(x, tuple):
        return (x.numerator << bits) // x.denominator, -((-x.numerator << bits) // x.denominator)
    if x[0] == "root":
        root = math.isqrt((x[1].numerator << 2 * bits) // x[1].denominator)
        return root, root + 1
    if x[0] == "log":
        return logarithm(x[1], bits)
    (a, b), (c, d) = bounds(x[1], bits), bounds(x[2], bits)
    if x[0] == "times":
        ends = (a * c, a * d, b * c, b * d)
        return min(ends) >> bits, -(-max(ends) >> bits)
    return (a + c, b + d) if x[0] == "sum" else (max(a, c), max(b, d))


def decide(ends: Callable[[int], Iterable[Any]], question: Callable[[Any], Any]) -> Any:
    """The answer to a question about a number that its lower and its upper bound agree on.

    What two numbers answer alike, all between them do. Where bounds differ, closer ones are taken;
    no number here lies where the answer changes, unless its bounds are equal, so this ends.
    """
    bits = 64
    while True:
        low, high = map(question, ends(bits))
        if low == high:
            return low
        bits *= 2


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


@cache
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
    """ε = rational + coefficient ln(base), and comparisons with e^(ε d) up to e^far."""

    def __init__(self, rational: Fraction, coefficient: Fraction, base: Fraction,
                 far: int = FAR) -> None:
        self.rational, self.base, self.far = rational, max(base, 1 / base), far
        self.coefficient = coefficient * ((base > 1) - (base < 1))
        log = ("times", self.coefficient, ("log", self.base))
        self.epsilon: Number = ("sum", rational, log) if self.coefficient else rational
        self.power = lru_cache(1 << 14)(self._power)

    def exact(self, d: Number) -> tuple[int, int] | None:
        """e^(ε d) as a fraction; None if it is irrational, or too long for any tie.

        By the theorems of Lindemann, Gelfond-Schneider and Baker it is transcendental unless it
        is base^(p/r), and that, in lowest terms, is rational only if base is an r-th power.
        """
        if not self.rational and not self.coefficient:
            return 1, 1
        if self.rational or isinstance(d, tuple):
            return None
        p, r = (self.coefficient * d).as_integer_ratio()
        u, v = (root(part, r) for part in self.base.as_integer_ratio())
        return (u**p, v**p) if u and v and p * u.bit_length() < 4 * MOST_LENGTH else None

    def _power(self, d: Number, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Fractions (n, m) below and above e^(ε d), to about so many bits; equal if it is one."""
        if (exact := self.exact(d)) is not None:
            return exact, exact
        bits += 40 + bounds(d, 0)[1].bit_length()  # that rounding may cost
        low, high = (min(max(end, 0), self.far << bits)
                     for end in bounds(("times", self.epsilon, d), bits))
        return exponential(low, bits, 0), exponential(high, bits, 1)

    def asked(self, d: Number, question: Callable[[int, int], Any]) -> Any:
        """The answer to a question about n/m = e^(ε d)."""
        return decide(lambda bits: self.power(d, bits), lambda end: question(*end))

    def exceeded(self, a: int, b: int, d: Number) -> bool:
        """Whether a > e^(ε d) b, for b >= 0."""
        return bool(self.asked(d, lambda n, m: a * m > b * n))


# ------------------------------------------------------------------ 2. privacy
Relation = Callable[[int, int], bool]  # of two points, given by their numbers


@dataclass(frozen=True)
class Space:
    """Points in order, and what holds of their numbers: distances, and which pairs to compare."""

    points: Sequence[Any]
    distance: Callable[[int, int], Any]
    near: Relation  # whose inequalities, multiplied along shortest paths, imply all if δ = 0
    neighbors: Relation | None = None  # the pairs that δ > 0 is about; None if the family has none
    places: Sequence[Any] | None = None  # coordinates, in whole multiples of `unit`
    unit: Fraction = Fraction(1)
    window: int = sys.maxsize  # numbers further apart are neither near nor neighbors
    words: str | None = None  # that a document has for the neighbors
    even: Callable[[], bool] = lambda: False  # whether all of them are at distance 1
    factors: int = 1  # of a product
    one_way: bool = False  # whether d(x,y) may differ from d(y,x)

    def ways(self, related: Relation) -> Iterator[tuple[int, int]]:
        """Both orders (x, y) of pairs: p(z|y) <= e^(ε d(x,y)) p(z|x) is asked where d is finite."""
        for i, _ in enumerate(self.points):
            for j in range(i + 1, min(i + 1 + self.window, len(self.points))):
                if related(i, j):
                    yield from (way for way in ((j, i), (i, j)) if self.distance(*way) != INF)


class Row:
    """Weights mantissa 2^shift, in proportion to the probabilities, and their exact total."""

    def __init__(self, mantissas: list[int], exponents: list[int]) -> None:
        least = min(e for m, e in zip(mantissas, exponents, strict=True) if m)
        self.shifts = [e - least if m else 0 for m, e in zip(mantissas, exponents, strict=True)]
        self.mantissas = mantissas

    def weight(self, z: int) -> int:
        return self.mantissas[z] << self.shifts[z]

    @cached_property
    def total(self) -> int:
        return sum(map(lshift, self.mantissas, self.shifts))


@dataclass(frozen=True)
class Claim:
    """That a mechanism with these outputs has the level, and δ, on the space."""

    level: Level
    delta: Fraction
    space: Space
    outputs: Sequence[Any]

    def compare(self, i: int, j: int, y: Row, x: Row) -> None:
        """Refutes the claim if input i, with row y, is told apart too well from j, with row x.

        `more` are the outputs z with p(z|i) > e^(ε d) p(z|j). If δ = 0 there must be none; else
        P(more|i) - δ must not be more than e^(ε d) P(more|j).
        """
        level, d = self.level, self.space.distance(j, i)
        n, m = level.power(d, 64)[0]  # this lower bound decides nearly all
        over, under = x.total * m, y.total * n
        weights = zip(y.mantissas, y.shifts, x.mantissas, x.shifts, strict=True)
        more = [z for z, (a, s, b, t) in enumerate(weights)
                if (a * over << s - t > b * under if s > t else a * over > b * under << t - s)
                and level.exceeded(y.weight(z) * x.total, x.weight(z) * y.total, d)]
        if not self.delta:  # one is enough, and beside a zero it is worst
            more = sorted(more, key=lambda z: x.mantissas[z] > 0)[:1]
        p, q = sum(map(y.weight, more)), sum(map(x.weight, more))
        n, m = self.delta.as_integer_ratio()
        a, b = (p * m - n * y.total) * x.total, q * m * y.total
        if more and level.exceeded(a, b, d):
            refute(self, i, j, [self.outputs[z] for z in more], a, b,
                   [shown(p, y.total), shown(q, x.total)])

    def prove(self, rows: Callable[[int], Row], proved: Relation = lambda i, j: False) -> int:
        """The number of ordered pairs of inputs; those not proved are compared, none refuted."""
        count, related = 0, (self.space.neighbors if self.delta else None) or self.space.near
        for j, i in self.space.ways(related):
            if not proved(i, j):
                self.compare(i, j, rows(i), rows(j))
            count += 1
        return count


# ------------------------------------------------------------------ 3. optimality
@dataclass(frozen=True)
class Optimum:
    """A claim about the loss of a mechanism and the best possible, and for each output multipliers
    (a, b, amount) that prove it; losses from below and above. All in whole units of 1/unit."""

    worst: bool
    value: Fraction
    bound: Fraction
    prior: list[Fraction]
    losses: Callable[[int, int], tuple[int, int]]
    multipliers: list[list[tuple[int, int, int]]]
    unit: int = 1 << UNIT

    def holds(self, claim: Claim, rows: list[Row]) -> bool:
        """Whether this mechanism loses at most `value`, and no other less than `bound`.

        A mechanism has P(z|a) >= e^(-ε d(a,b)) P(z|b), so its average loss is at least the sum of
        P(z|y) (prior[y] loss[y,z] - what multipliers of z take from y + what they bring to y),
        and that, as each row adds up to 1, at least the sum over y of the least bracket over z.
        Everything is rounded down, the loss of this mechanism up; where the unit fits, nothing is.
        The loss of the worst input is never below an average. With δ > 0 the excesses of P(z|b)
        over e^(ε d) P(z|a) add up to at most δ, so δ times the sum over neighbors (a, b) of the
        most that any z brings, rounded up, is taken off.
        """
        @lru_cache(1 << 14)
        def share(d: Number) -> int:  # the whole part of unit e^(-ε d)
            return 0 if d == INF else int(claim.level.asked(d, lambda n, m: m * self.unit // n))

        prices, sums = [0] * len(rows), [0] * len(rows)
        largest: Counter[tuple[int, int]] = Counter()  # over outputs, of what a pair brings
        for z, triples in enumerate(self.multipliers):
            ends = [self.losses(y, z) for y in range(len(rows))]
            column = [p.numerator * low // p.denominator
                      for p, (low, _) in zip(self.prior, ends, strict=True)]
            back: Counter[tuple[int, int]] = Counter()
            for a, b, amount in triples:
                more = amount * share(claim.space.distance(a, b)) // self.unit
                column[a] -= amount
                column[b] += more
                back[a, b] += more
            largest |= back  # the larger count of each
            prices = list(map(min, prices, column)) if z else column
            sums = [total + row.weight(z) * high
                    for total, row, (_, high) in zip(sums, rows, ends, strict=True)]
        means = [-(-total // row.total) for total, row in zip(sums, rows, strict=True)]
        most = max(means) if self.worst else sum(-(-p.numerator * m // p.denominator)
                                                 for p, m in zip(self.prior, means, strict=True))
        least = sum(prices) - math.ceil(claim.delta * largest.total())
        return bool(most <= self.value * self.unit and self.bound * self.unit <= least)


# ------------------------------------------------------------------ 4. forms
MOST_LENGTHS = 1 << 29  # bits of all rows together; half those of all powers in a kernel
MOST_MATRIX = 25 * 10**6  # entries of a matrix, unless --large
MOST_KERNEL = 10_000  # points of a kernel, unless --large
MOST_WRITTEN = 1_000  # points of a rounded kernel whose rows are compared one by one
MOST_ROWS = 1 << 32  # bits of all rows of a kernel together, where these are needed
MOST_ENTRIES = 4 * 10**6  # inputs times outputs, for a claim of optimality
MOST_EXACT = 10**4  # the same for an exact one
MOST_UNIT = 1 << 20  # bits of the common denominator of an exact claim


class Malformed(Exception):
    """The file is not a document of this version."""


class Unchecked(Exception):
    """A claim that this program cannot check."""


class Refuted(Exception):
    """A false claim; the argument is the witness."""


def need(condition: object, sentence: str) -> None:
    if not condition:
        raise Malformed(sentence)


@dataclass(frozen=True)
class Mechanism:
    """How a claim about it is proved, a row by its number, whether all rows are short enough to be
    written out, and the least distance."""

    proof: Callable[[], str]
    row: Callable[[int], Row]
    short: bool
    nearest: Number


def limit_lengths(rows: list[Row]) -> None:
    """Refuses rows that are too long to be added up."""
    lengths = [max(map(add, map(int.bit_length, row.mantissas), row.shifts)) for row in rows]
    if max(lengths) > MOST_LENGTH or sum(lengths) > MOST_LENGTHS:
        raise Unchecked("the claim: weights are too many bits apart to be added up exactly")


def matrix(claim: Claim, rows: list[Row]) -> Mechanism:
    """Rows as written: all that are near, or all neighbors, are compared."""
    limit_lengths(rows)
    lengths = {claim.space.distance(*way) for way in claim.space.ways(claim.space.near)}

    def proof() -> str:
        count, width = claim.prove(rows.__getitem__), len(claim.outputs)
        if claim.delta:
            return f"{count} hockey-stick sums (all neighbors, both orders) are at most δ"
        return (f"{count * width} comparisons hold ({count} ordered pairs of inputs, "
                f"which imply all others, at {width} outputs)")

    return Mechanism(proof, rows.__getitem__, True, min(lengths, key=lambda d: bounds(d, 128)))


def exact_kernel(claim: Claim, ratio: Fraction, unit: Fraction, weights: list[int]) -> Mechanism:
    """p(z|y) = w_z k(d(y,z)) / N_y with k(d) = ratio^(-d/unit), so by the triangle inequality
    p(z|y) / p(z|x) <= ratio^(d(y,x)/unit) N_x / N_y, with equality at z = y if w_y > 0.
    """
    size, distance, (num, den) = len(weights), claim.space.distance, ratio.as_integer_ratio()

    @lru_cache(1 << 14)
    def steps(d: Number) -> int:
        fits = d != INF and not isinstance(d, tuple) and d / unit % 1 == 0
        need(fits, "the distances of a kernel must be whole multiples of its unit")
        return int(d / unit)  # type: ignore[operator]

    reached = {steps(distance(y, z)) for y in range(size) for z in range(y + 1, size)}
    reach, bits = max(reached), max(reached) * num.bit_length()
    if bits > MOST_LENGTH or bits * size > 2 * MOST_LENGTHS:
        raise Unchecked("the claim: the exact normalizers are too long to write out")
    short = size * size * bits <= MOST_ROWS and 2 * bits <= MOST_LENGTH
    even = len(reached) == len({*weights}) == 1  # any pair is like any other

    @lru_cache(2 * MOST_LENGTHS // bits)
    def power(k: int) -> int:
        return int(den**k * num ** (reach - k))

    def parts(y: int) -> Iterator[int]:  # the weights w_z k(d(y,z)) times num^reach
        return (w * power(steps(distance(y, z))) for z, w in enumerate(weights))

    @lru_cache(8)
    def row(y: int) -> Row:
        return Row(list(parts(y)), [0] * size)

    @lru_cache(1 << 14)
    def proved(m: int, n: int, d: Number) -> bool:
        return not claim.level.exceeded(n * num ** steps(d), m * den ** steps(d), d)

    def proof() -> str:
        normalizers = [sum(parts(y)) for y in range(size)]
        compared: set[tuple[int, int]] = set()

        def settled(y: int, x: int) -> bool:  # if not, rows are needed
            if (even and compared) or proved(normalizers[y], normalizers[x], distance(y, x)):
                return True
            if not even and not short and (claim.delta or not weights[y]):
                raise Unchecked("the claim: the exact rows are too long to write out")
            compared.add((y, x))
            return False

        count = claim.prove(row, settled)
        return (f"{size} exact normalizers ({len({*normalizers})} different) keep {count} ordered "
                "pairs of inputs within the level, by the triangle inequality at every output")

    return Mechanism(proof, row, short, min(reached) * unit)


def rounded_kernel(claim: Claim, ratio: Fraction, unit: Fraction, weights: list[int],
                   shape: list[int]) -> Mechanism:
    """k(d) = ratio^(-d/unit) rounded down to 62 bits, on a grid with this unit as step.

    In units of 2^-61 every k(d) is the whole number u(d) and a rest below 1, and u(d) is 0 from
    some distance on. So N_y lies between the sum of w_z u(d(y,z)) and that plus the sum of w_z.
    k(d) is between ratio^(-d/unit) and that divided by 1 + 2^-61, so by the triangle inequality
    p(z|y) / p(z|x) <= ratio^t f, t = d(y,x)/unit >= 1, f = (1 + 2^-61) max N / min N >= 1. That is
    at most (ratio f)^t: the comparison of ratio f with e^(ε unit) proves all. N_x / N_y is itself
    at most ratio^t (1 + 2^-61), so that (ratio (1 + 2^-61))² may take the place of ratio f.
    """
    size, distance, (num, den) = len(weights), claim.space.distance, ratio.as_integer_ratio()
    falling = Level(Fraction(0), Fraction(1), ratio, far=2 * 10**7)  # all of MOST_WRITTEN points
    rest = sum(weights)
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]

    @cache
    def value(d: Number) -> tuple[int, int]:
        if isinstance(d, tuple):  # an irrational power of a rational is irrational
            return tuple(falling.asked(("root", d[1] / unit**2), lambda n, m: floored(m, n)))
        return floored(den ** int(d / unit), num ** int(d / unit))

    def units(d: Number) -> int:
        mantissa, exponent = value(d)
        return mantissa >> min(-61 - exponent, 99)

    def row(y: int) -> Row:
        pairs = [value(distance(y, z)) for z in range(size)]
        return Row([w * m for w, (m, _) in zip(weights, pairs, strict=True)], [e for _, e in pairs])

    def proof() -> str:
        if not claim.level.exceeded((num * (2**61 + 1)) ** 2, (den << 61) ** 2, unit):
            return ("distances alone keep all pairs of inputs within the level, by the triangle "
                    "inequality at every output and once more for the normalizers")
        far = 1
        while far < sum(shape) and units(far * unit):
            far += 1
        sums = convolved(shape, weights, [min(side, far) - 1 for side in shape],
                         lambda gaps: units(distance(0, sum(map(mul, gaps, strides)))))
        most, least = num * (max(sums) + rest) * (2**61 + 1), den * min(sums) << 61
        if not claim.level.exceeded(most, least, unit):
            return (f"{size} normalizers, bounded by an exact convolution, keep all pairs of "
                    "inputs within the level, by the triangle inequality at every output")
        if size <= MOST_WRITTEN:
            rows = [row(y) for y in range(size)]
            limit_lengths(rows)
            count = claim.prove(rows.__getitem__)
            return f"{count} ordered pairs of inputs were compared at all {size} outputs"
        pairs = [pair for step, side in zip(strides, shape, strict=True) for y in range(size)
                 if y // step % side < side - 1 for pair in ((y, y + step), (y + step, y))
                 if weights[pair[0]]]
        y, x = max(pairs, key=lambda pair: sums[pair[1]] / (sums[pair[0]] + rest))
        m, e = value(unit)  # e < 0
        a, b = sums[x] << -e, (sums[y] + rest) * m
        if claim.delta or not claim.level.exceeded(a, b, unit):
            raise Unchecked("the claim: the normalizers differ too much for a proof at this size")
        odds = shown(weights[y] << 61, sums[y]), shown(weights[y] * m << 61, sums[x] << -e)
        refute(claim, y, x, [claim.outputs[y]], a, b, [f"about {chance}" for chance in odds])

    return Mechanism(proof, row, size <= MOST_WRITTEN, unit)


def floored(over: int, under: int) -> tuple[int, int]:
    """The fraction over / under <= 1 rounded down to a mantissa of 62 bits, and its exponent."""
    shift = 64 + under.bit_length() - over.bit_length()
    quotient = (over << shift) // under
    drop = quotient.bit_length() - 62
    return quotient >> drop, drop - shift


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


def remapped(claim: Claim, kernel: Mechanism, targets: list[int],
             answers: Sequence[Any]) -> Mechanism:
    """Each output z of a kernel is replaced by the answer targets[z], which keeps its level.

    Of a kernel that breaks the level the outputs that share their answer with no other are looked
    at, the middle one of them alone.
    """
    shared = Counter(targets)
    alone = [z for z, target in enumerate(targets) if shared[target] == 1]

    def proof() -> str:
        try:
            return "every answer follows from the output of a kernel: " + kernel.proof()
        except Refuted:
            if alone and not claim.delta:
                refute_answer(alone[len(alone) // 2])
            raise Unchecked("the claim: the kernel does not have the level, and whether its "
                            "answers have it is not known") from None

    def refute_answer(z: int) -> None:
        x = z + 1 if z + 1 < len(targets) else z - 1
        own, other = kernel.row(z), kernel.row(x)
        a, b = own.weight(z) * other.total, other.weight(z) * own.total
        if claim.level.exceeded(a, b, claim.space.distance(z, x)):
            refute(claim, z, x, [answers[targets[z]]], a, b,
                   [shown(row.weight(z), row.total) for row in (own, other)])

    return replace(kernel, proof=proof)


# ------------------------------------------------------------------ 5. the document
MOST_BYTES = 1 << 30  # of a document, unpacked
MOST_DEPTH = 500  # of lists in lists
MOST_POINTS = 10**7  # of a space
MOST_DIRECTED = 1000  # of a space with distances one way
MOST_SCALE = 1 << 1000  # of a numerator or common denominator in a space
MOST_EXPONENT = 8 * 10**6  # of a weight, either sign
OTHERS = dict.fromkeys(
    ("noise", "subset", "unary", "ladder", "smooth", "global", "privacy-first", "degrees",
     "tally", "rank", "frequent", "quantile", "mode", "line", "box", "planar",
     "planar-laplace", "planar-steps", "trace", "key-selection", "key-noise", "gaussian"),
    "receipt_theorems.py")
# characters that no text may hold: controls, separators of lines, turns of the writing direction,
# halves of characters, and what Unicode says is none
PLACE = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40}|/[1-9][0-9]{0,39})?").fullmatch
BARRED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
                    "\ufdd0-\ufdef" + "".join(chr(p << 16 | q) for p in range(17)
                                              for q in (0xFFFE, 0xFFFF)) + "]")


def read(path: str) -> Any:
    """The JSON value in a file, plain or gzip, in UTF-8 and without repeated keys."""
    def unique(items: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(items)) == len(items), "an object repeats a key")
        return dict(items)

    try:
        with open(path, "rb") as file:
            raw = file.read(MOST_BYTES + 1)
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.GzipFile(fileobj=io.BytesIO(raw)).read(MOST_BYTES + 1)
        need(len(raw) <= MOST_BYTES, f"it holds more than {MOST_BYTES} bytes")
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=unique)
    except Exception as error:  # whatever it is, there is nothing to check
        raise Malformed(f"the file cannot be read: {str(error)[:200]}") from None
    values, depth = [found], 0
    while values:
        for x in values:
            need(not isinstance(x, str) or x.isprintable() or not BARRED.search(x),
                 "a text of the document holds a control character")
            need(not isinstance(x, float) or math.isfinite(x), "a number is not finite")
        values, depth = [x for part in values if isinstance(part, list | dict) for x in (
            part if isinstance(part, list) else [*part, *part.values()])], depth + 1
    need(depth <= MOST_DEPTH, "the document is nested too deep")
    return found


def intact(document: Any) -> bool:
    """Whether the digest of a document of this version is the one of its other fields."""
    rest = dict(document) if isinstance(document, dict) else {}
    version, digest = rest.get("version"), rest.pop("digest", None)
    known = {"tightrope/mechanism": (1, 2), GENERIC: (1,)}.get(str(rest.get("format")), ())
    need(type(version) is int and version in known and isinstance(digest, str),
         "it is no tightrope/mechanism of version 1 or 2, or tightrope/definition of version 1, "
         "with a digest (receipt_theorems.py reads releases)")
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return bool(digest == "sha256:" + hashlib.sha256(text.encode()).hexdigest())


def whole(value: Any, least: int = 1, most: int = 10**15) -> int:
    fits = type(value) is int and least <= value <= most
    need(fits, f"{ascii(value)[:60]} is no whole number from {least} to {most}")
    return int(value)


def number(value: Any, short: bool = False) -> Fraction:
    """A fraction written "p/q" or "p"; if short, in lowest terms with both parts below 2^1000."""
    pattern = r"(-?[0-9]{1,4300})(?:/([0-9]{1,4300}))?"
    match: Any = re.fullmatch(pattern, value if isinstance(value, str) else "")
    need(match and int(match[2] or 1), f'{ascii(value)[:60]} is no fraction in text, as "1/2" is')
    found = Fraction(int(match[1]), int(match[2] or 1))
    small = max(abs(found.numerator), found.denominator) < MOST_SCALE
    need(not short or (small and str(found) == value), f"the fraction {value[:60]} is too long")
    return found


def double(text: Any) -> float:
    """A finite double as float.hex writes it."""
    try:
        value = float.fromhex(text)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    need(math.isfinite(value) and value.hex() == text, f"{ascii(text)[:60]} is no double in text")
    return value


def listed(value: Any, size: int | None = None) -> list[Any]:
    fits = isinstance(value, list) and len(value) > 0 and size in (None, len(value))
    need(fits, f"{ascii(value)[:60]} is no list of {size or 'at least one'}")
    return list(value)


def labels(value: Any) -> list[Any]:
    def label(part: Any, depth: int) -> Any:
        if isinstance(part, list) and depth < 50:
            return tuple(label(inner, depth + 1) for inner in part)
        need(type(part) in (int, str), f"{ascii(part)[:60]} is no number, text or list of these")
        return part

    found = [label(part, 0) for part in listed(value)]
    need(len(set(found)) == len(found), "a label is repeated")
    return found


def words(value: Any, word: str, example: str = "3f 4 0") -> list[str]:
    """The words, each of this pattern, of a text with one blank between any two."""
    need(isinstance(value, str) and re.fullmatch(f"{word}(?: {word})*+", value),
         f'numbers must be in a text with one blank between any two, such as "{example}"')
    return list(value.split(" "))


def positive(x: Number) -> bool:
    return bool(decide(lambda bits: bounds(x, bits), lambda end: end > 0))


def level_of(stated: Any) -> Level:
    rational, coefficient, base = (
        number(stated[name]) for name in ("rational", "coefficient", "base"))
    need(base > 0 <= coefficient, "epsilon needs a base above 0 and a coefficient from 0")
    level = Level(rational, coefficient, base)
    zero = not level.rational and not level.coefficient
    fits = zero or (positive(level.epsilon) and not positive(("sum", level.epsilon, -(10**6))))
    need(fits, "epsilon must be from 0 to 1,000,000")
    return level


def rows_of(texts: list[Any], width: int) -> list[Row]:
    """The rows of a matrix; in their texts "4 1p-3" is 4 and 1/8."""
    rows, token = [], "[0-9a-f]++(?:p-?[0-9]{1,8})?+"
    for text in texts:
        parts = [word.partition("p") for word in words(text, token, "3f 4p-2 0")]
        mantissas, exponents = [int(w[0], 16) for w in parts], [int(w[2] or 0) for w in parts]
        need(len(parts) == width and any(mantissas) and max(map(abs, exponents)) <= MOST_EXPONENT,
             f"a row has {width} weights, one at least not 0, and exponents up to {MOST_EXPONENT}")
        rows.append(Row(mantissas, exponents))
    return rows


def weights_of(lines: list[Any]) -> list[int]:
    """The weights of a rounded kernel, a line for each of the last axis of its grid."""
    lists = [words(line, "[0-9a-f]{1,16}") for line in lines]
    need(len({*map(len, lists)}) == 1, "the lines of weights must be equally long")
    return [int(word, 16) for line in lists for word in line]


def kernel_of(claim: Claim, law: Any, form: Any, weights: list[Any], large: bool) -> Mechanism:
    """The kernel, with weights in proportion to whole numbers."""
    ratio, unit, size, scale = number(law["ratio"]), number(law["unit"]), len(weights), 1
    shape, step = (form.get("shape", [size]), form.get("step", "1"))
    if "bits" in law:
        need(form["family"] in ("grid", "path"), "a rounded kernel needs a grid or a path")
        need(type(law["bits"]) is int and law["bits"] == 62 and unit == number(step),
             "a rounded kernel has 62 bits, and its unit is the step")
        need(len(law["weights"]) * shape[-1] == size and max(weights) < 1 << 62,
             "a rounded kernel has a line for each of the last axis, of weights below 2^62")
    else:
        fractions = [number(weight) for weight in weights]
        for w in set(fractions):
            scale = math.lcm(scale, w.denominator) if scale.bit_length() <= MOST_LENGTH else scale
        weights = [int(w * scale) for w in fractions]
    need(ratio > 1 and unit > 0 and min(weights) >= 0 < max(weights),
         "a kernel needs a ratio above 1, a unit above 0 and weights from 0, not all of them 0")
    if size > MOST_KERNEL and not large:
        raise Unchecked(f"the claim: a kernel of {size} points takes long; add --large")
    if scale.bit_length() > MOST_LENGTH:
        raise Unchecked("the claim: the weights have too long a common denominator")
    if "bits" in law:
        return rounded_kernel(claim, ratio, unit, weights, shape)
    return exact_kernel(claim, ratio, unit, weights)


# Losses of coordinates: the power of each difference, how powers are joined, and whether rooted.
LOSSES: dict[str, tuple[int, Any, bool]] = {
    "absolute": (1, sum, False), "squared": (2, sum, False), "euclidean": (2, sum, True),
    "largest": (1, max, False),
}


def losses_of(loss: Any, space: Space, outputs: Sequence[Any]) -> Callable[[int, int], Any]:
    """Losses as written, or by their name from labels or coordinates."""
    if isinstance(loss, list):
        texts = [text.split(" ") if isinstance(text, str) else [] for text in loss]
        need(len(texts) == len(space.points) and {*map(len, texts)} == {len(outputs)},
             "the loss must have a row for each input and a number for each output")
        rows = [[number(x) if "/" in x else Fraction(double(x)) for x in row] for row in texts]
        need(all("/" not in x or abs(c) < 1 << 1023 for text, row in zip(texts, rows, strict=True)
                 for x, c in zip(text, row, strict=True)), "a loss is beyond all doubles")
        return lambda y, z: rows[y][z]
    if loss == "binary":
        return lambda y, z: int(space.points[y] != outputs[z])
    need(isinstance(loss, str) and loss in LOSSES, "the loss is not known")
    need(space.places, f"the points have no coordinates for a {loss} loss")
    step, scale = space.unit.as_integer_ratio()
    places = [tuple(step * x for x in (p if isinstance(p, tuple) else (p,)))
              for p in space.places or ()]
    known, answers = dict(zip(space.points, places, strict=True)), []
    for z in outputs:  # what is no input stands for its own coordinates
        own = z if isinstance(z, tuple) and len(places[0]) > 1 else (z,)
        need(z in known or (len(own) == len(places[0]) and all(map(PLACE, map(str, own)))),
             "an output has no coordinates")
        answers.append(known[z] if z in known else tuple(Fraction(str(x)) * scale for x in own))
    power, joined, rooted = LOSSES[loss]

    @lru_cache(1 << 14)
    def loss_of(size: Fraction) -> Number:
        exact = Fraction(size, scale**power)
        return root_of(exact) if rooted else exact

    return lambda y, z: loss_of(joined(abs(a - b) ** power
                                       for a, b in zip(places[y], answers[z], strict=True)))


def triples_of(texts: Any, claim: Claim, token: str, read: Callable[[str], Any],
               allowed: Callable[[int, int], Any]) -> list[list[tuple[int, int, Any]]]:
    """For each output the pairs of inputs in a text, each with an amount after it."""
    found, size, token = [], len(claim.space.points), f"[0-9]{{1,9}} [0-9]{{1,9}} {token}"
    for text in listed(texts, len(claim.outputs)):
        need(isinstance(text, str) and re.fullmatch(f"(?:{token}(?: {token})*+)?+", text),
             'multipliers must be a text of positions and amounts, such as "0 1 3f"')
        parts = text.split()
        triples = [(int(a), int(b), read(amount))
                   for a, b, amount in zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
        need(all(max(a, b) < size and allowed(a, b) for a, b, _ in triples),
             "a multiplier needs two different inputs; neighbors, if delta is not 0")
        found.append(triples)
    return found


def optimum_of(stated: Any, claim: Claim) -> tuple[dict[str, Any], Callable[[list[Row]], bool]]:
    """The report on a claim of optimality, and whether rows support it."""
    space, outputs, size = claim.space, claim.outputs, len(claim.space.points)
    names = "goal prior loss value bound unit multipliers"
    need(isinstance(stated, dict) and {*stated} - {"exact"} == {*names.split()},
         f"optimality has {names}")
    goal, prior, loss, value, bound, unit, texts = (stated[name] for name in names.split())
    need(goal in ("average", "worst"), "the goal must be average or worst")
    uniform = prior == "uniform"
    law = [Fraction(1, size)] * size if uniform else [number(x) for x in listed(prior, size)]
    need(min(law) >= 0 and sum(law) == 1, "the prior must not be negative and add up to 1")
    shift = whole(unit, -UNIT, 1000) + UNIT
    multipliers = triples_of(texts, claim, "[0-9a-f]++", lambda amount: int(amount, 16) << shift,
                             space.neighbors if claim.delta and space.neighbors else ne)
    value, bound = double(value), double(bound)
    report = {"goal": goal, "loss": loss if isinstance(loss, str) else "given",
              "prior": "uniform" if uniform else "given", "value": value, "bound": bound,
              "gap": gap_of(value, bound), "holds": None}
    losses = losses_of(loss, space, outputs)
    ends = lru_cache(1 << 14)(lambda x: bounds(x, UNIT))
    optimum = Optimum(goal == "worst", Fraction(value), Fraction(bound), law,
                      lambda y, z: ends(losses(y, z)), multipliers)
    if "exact" not in stated:
        return report, lambda rows: optimum.holds(claim, rows)
    exact = exact_of(stated["exact"], claim, optimum, losses)
    report.update(gap=0.0, exact=shown(number(stated["exact"]["value"])))
    return report, lambda rows: optimum.holds(claim, rows) and exact(rows)


def gap_of(value: float, bound: float) -> float | None:
    """The relative excess of the value over the bound, None if it is infinite."""
    if value <= bound:
        return 0.0
    gap = (value - bound) / abs(value) if value else math.inf
    return gap if gap != math.inf else None


def exact_of(stated: Any, claim: Claim, optimum: Optimum,
             losses: Callable[[int, int], Any]) -> Callable[[list[Row]], bool]:
    """Whether a fraction is both the loss of rows and the best possible: by the same proof, in a
    unit in which every number of it is whole."""
    size, width = len(claim.space.points), len(claim.outputs)
    need(isinstance(stated, dict) and {*stated} == {"value", "multipliers"}
         and not claim.delta and size * width <= MOST_EXACT,
         f"exact optimality has value multipliers, delta 0 and at most {MOST_EXACT} entries")
    value, multipliers = number(stated["value"]), triples_of(
        stated["multipliers"], claim, "[0-9]{1,4300}(?:/[0-9]{1,4300})?", number, ne)
    costs = [[losses(y, z) for z in range(width)] for y in range(size)]
    need(not any(isinstance(x, tuple) for row in costs for x in row),
         "exact optimality needs losses that are fractions")

    def holds(rows: list[Row]) -> bool:
        means = [Fraction(sum(row.weight(z) * x for z, x in enumerate(line)), row.total)
                 for row, line in zip(rows, costs, strict=True)]
        used = {claim.space.distance(a, b) for some in multipliers for a, b, _ in some} - {INF}
        shares = [Fraction(*(claim.level.exact(d) or (1, 1))[::-1]) for d in used]
        amounts, unit = [x for some in multipliers for _, _, x in some], 1
        for numbers in (optimum.prior, shares, [x for row in costs for x in row], amounts, means):
            common = 1
            for x in numbers:
                common = math.lcm(common, x.denominator)
                if (unit * common).bit_length() > MOST_UNIT:
                    raise Unchecked("optimality: the fractions of its exact claim are too long")
            unit *= common
        return replace(optimum, value=value, bound=value, unit=unit, multipliers=[
            [(a, b, int(x * unit)) for a, b, x in some] for some in multipliers],
            losses=lambda y, z: (int(costs[y][z] * unit),) * 2).holds(claim, rows)

    return holds


# ------------------------------------------------------------------ 6. under a definition
GENERIC = "tightrope/definition"
MOST_GENERIC = 10**4  # inputs, or prices, times outputs


@dataclass(frozen=True)
class Definition:
    """For ordered pairs (i, j) the corners (x, M(x)) of a concave M, from x = 0 to 1, M(1) = 1.

    It says P(O|j) <= M(P(O|i)) for every event O. For any slope a let M*(a) be the largest
    M(x) - a x, which a corner has. As the sum over z of max(0, P(z|j) - a P(z|i)) is the largest
    P(O|j) - a P(O|i), it is at most M*(a); and if so for the slope of every piece, M is kept.
    """

    corners: dict[tuple[int, int], list[tuple[Fraction, Fraction]]]

    def allowed(self, over: int, under: int, ratio: Fraction) -> Fraction:
        """The sum over z of max(0, P(z|over) - ratio P(z|under)) is at most this.

        For rows that add up to 1 it is the sum of ratio max(0, P(z|under) - P(z|over) / ratio),
        and 1 - ratio more, so that the pair in the other order says something too.
        """
        def most(pair: tuple[int, int], slope: Fraction) -> Fraction:
            return max(y - slope * x for x, y in self.corners[pair])

        found = [most((under, over), ratio)] if (under, over) in self.corners else []
        if (over, under) in self.corners:
            found.append(1 - ratio + ratio * most((over, under), 1 / ratio))
        need(found, "a price needs a pair that is protected")
        return min(found)

    def prove(self, rows: list[list[Fraction]], points: Sequence[Any],
              outputs: Sequence[Any]) -> int:
        """The number of sums, none of them above what M allows."""
        count = 0
        for (i, j), corners in self.corners.items():
            for (x, y), (u, v) in pairwise(corners):
                slope = (v - y) / (u - x)
                more = [z for z, p in enumerate(rows[j]) if p > slope * rows[i][z]]
                p, q = (sum((rows[k][z] for z in more), Fraction(0)) for k in (j, i))
                if p - slope * q > y - slope * x:
                    raise Refuted({"first": points[i], "second": points[j], "probabilities": [
                        shown(q), shown(p)], "outputs": [outputs[z] for z in more], "reason":
                        f"allowed is at most {shown(y + slope * (q - x))} for the second"})
                count += 1
        return count


def numbers(text: Any, size: int | None = None) -> list[Fraction]:
    """Fractions in a text with one blank between any two."""
    found = [number(word) for word in words(text, "-?[0-9]{1,4300}(?:/[0-9]{1,4300})?", "1/3 1")]
    need(size in (None, len(found)), f"there must be {size} numbers, not {len(found)}")
    return found


def definition_of(stated: Any, size: int) -> Definition:
    """The bounds of a document, each with its pairs; concave, or no bound."""
    found: dict[tuple[int, int], list[tuple[Fraction, Fraction]]] = {}
    for bound in listed(stated):
        need(isinstance(bound, dict) and {*bound} == {"corners", "pairs"},
             "a bound has corners and pairs")
        flat, ends = numbers(bound["corners"]), numbers(bound["pairs"])
        need(len(flat) % 2 == len(ends) % 2 == 0 and len(flat) > 2, "corners, pairs come in twos")
        corners = list(zip(flat[::2], flat[1::2], strict=True))
        slopes = [(v - y) / (u - x) if u > x else Fraction(-1)
                  for (x, y), (u, v) in pairwise(corners)]
        need(corners[0][0] == 0 <= corners[0][1] and corners[-1] == (Fraction(1),) * 2
             and min(slopes) >= 0 and slopes == sorted(slopes, reverse=True),
             "M must be concave, from x = 0 to x = 1, and M(1) = 1")
        for i, j in zip(ends[::2], ends[1::2], strict=True):
            need(i != j and (int(i), int(j)) not in found and all(
                x.denominator == 1 and 0 <= x < size for x in (i, j)), "a pair is two inputs, once")
            found[int(i), int(j)] = corners
    return Definition(found)


def check_definition(document: Any, report: dict[str, Any]) -> None:
    """The claims of a mechanism under a definition: all numbers are fractions, none rounded.

    For prices m >= 0 of the outputs in a sum, the sum over z of m(z) (P(z|over) - ratio
    P(z|under)) is at most the largest m(z) times what is allowed. So the average loss of every
    mechanism that keeps the definition is at least the sum over y of the least cost over z, less
    what the prices pay. The loss of the worst input is never below an average.
    """
    names = "format version space outputs rows bounds goal prior loss value bound prices digest"
    need({*document} == {*names.split()} and document["version"] == 1, f"it has {names}")
    lines, form = listed(document["rows"]), document["space"]
    need(isinstance(form, dict) and isinstance(document["prices"], list), "a field is malformed")
    space = space_of(form, min(len(lines), MOST_GENERIC))
    size, named = len(space.points), document["outputs"]
    outputs = space.points if named == "inputs" else labels(named)
    if max(size, len(document["prices"])) * len(outputs) > MOST_GENERIC:
        raise Unchecked("the claim: it has too many rows or prices")
    need(len(lines) == size, "each point needs one row")
    rows = [numbers(line, len(outputs)) for line in lines]
    need(all(min(row) >= 0 and sum(row) == 1 for row in rows), "rows must add up to 1")
    losses = [numbers(line, len(outputs)) for line in listed(document["loss"], size)]
    goal, prior = document["goal"], numbers(document["prior"], size)
    need(goal in ("average", "worst"), "the goal must be average or worst")
    need(min(prior) >= 0 and sum(prior) == 1, "the prior must not be negative and add up to 1")
    value, bound = (numbers(document[name], 1)[0] for name in ("value", "bound"))
    definition = definition_of(document["bounds"], size)
    costs = [[p * x for x in line] for p, line in zip(prior, losses, strict=True)]
    paid = Fraction(0)
    for text in document["prices"]:
        a, b, ratio, *amounts = numbers(text, 3 + len(outputs))
        need(a.denominator == b.denominator == 1 and ratio > 0 <= min(amounts), "a price is bad")
        paid += definition.allowed(int(a), int(b), ratio) * max(amounts)
        for z, amount in enumerate(amounts):
            costs[int(a)][z] += amount
            costs[int(b)][z] -= ratio * amount
    ways = definition.corners
    report.update(pairs=len(ways), both_ways=all((j, i) in ways for i, j in ways))
    best = {"goal": goal, "value": shown(value), "bound": shown(bound), "holds": None}
    report["optimality"] = best
    count = definition.prove(rows, space.points, outputs)
    report["checked"] = [f"{count} hockey-stick sums ({len(ways)} ordered pairs of inputs, a sum "
                         "for each piece of M) are at most what M allows"]
    means = [sum(map(mul, row, line)) for row, line in zip(rows, losses, strict=True)]
    most = max(means) if goal == "worst" else sum(map(mul, prior, means))
    best["holds"] = most <= value and bound <= sum(map(min, costs)) - paid


def definition_lines(document: Any, report: dict[str, Any]) -> Iterator[str]:
    """The report on a mechanism under a definition, for people."""
    yield f"digest       {'intact' if report['intact'] else 'CHANGED since it was computed'}"
    yield f"space        {json.dumps(document['space'])[:90]}"
    way = "both ways" if report.get("both_ways") else "NOT all both ways"
    yield f"claim        keeps M for {report.get('pairs', 'some')} ordered pairs of inputs, {way}"
    yield from (f"checked      {sentence}" for sentence in report["checked"] or ["nothing"])
    yield from (f"NOT checked  {sentence}" for sentence in report["unchecked"] or ["nothing"])
    if w := report["witness"]:
        yield f"witness      inputs {w['first']!r} and {w['second']!r}, outputs {w['outputs']!r}"
        yield f"             with probability {' and '.join(w['probabilities'])}: {w['reason']}"
    if best := report["optimality"]:
        said = {True: "proved", False: "FALSE, its proof does not support it", None: "not judged"}
        yield f"loss         at most {best['value']} ({best['goal']}), and {best['bound']} or more "
        yield f"             for all mechanisms that keep M: {said[best['holds']]}"
    verdicts = {True: "the claim is proved", False: "the claim is FALSE", None: "not all proved"}
    yield f"verdict      {verdicts[report['holds']]}"


# ------------------------------------------------------------------ 7. least variance
MOST_RAYS = 16  # inputs for a claim on variances, unless --large: 2^16 columns are tried
MOST_TOTAL = 1024  # bits of the total of a row, for the same


@dataclass(frozen=True)
class LeastVariance:
    """A claim about the variance of unbiased estimates of queries W of the shares of inputs, all at
    distance 1, from one person's output if the shares are p: that of these rows, and the best."""

    value: Fraction
    bound: Fraction
    prior: list[Fraction]
    queries: list[list[Fraction]]
    Z: list[list[int]]  # a row for each input, and y: in whole units
    y: list[int]

    def holds(self, rows: list[Row], r: int) -> bool:
        """Whether the variance of these rows is at most `value`, and of no others below `bound`;
        r units are e^ε, or the next unit above."""
        known = sum(sum(map(mul, row, self.prior)) ** 2 for row in self.queries)
        moment, bound = self.moment(rows), self.proved(r)
        return None not in (moment, bound) and bool(
            moment - known <= self.value and self.bound <= bound - known)

    def moment(self, rows: list[Row]) -> Any:
        """The sum of w J⁻¹ w over queries w, at most, for J = sum over z of q qᵀ / P(z), where q is
        column z and P(z) = p·q; None if a query is not told. For an estimate a(z) with
        sum over z of a(z) q = w the sum of P(z) a(z)² is w J⁻¹ w at least (Cauchy and Schwarz), and
        for a(z) = w J⁻¹ q / P(z) it is that. 1/P(z) is rounded down, and so J⁻¹ up. J times the
        totals of two rows is eliminated, beside w: a pivot 0 has zeros beside it, as J >= 0.
        """
        totals, scale = [row.total for row in rows], math.lcm(*(p.denominator for p in self.prior))
        common = math.lcm(*totals)
        parts = [int(p * scale) * (common // t) for p, t in zip(self.prior, totals, strict=True)]
        table: list[list[Any]] = [[0] * len(rows) + [w[x] * t for w in self.queries]
                                  for x, t in enumerate(totals)]
        for z in range(len(rows[0].mantissas)):
            column = [row.weight(z) for row in rows]
            if chance := sum(map(mul, parts, column)):
                inverse = (common * scale << 2 * UNIT) // chance
                for line, a in zip(table, column, strict=True):
                    line[:len(rows)] = [x + inverse * a * b
                                        for x, b in zip(line, column, strict=False)]
        found = Fraction(0)
        for i, line in enumerate(table):
            if not line[i]:
                if any(line[i:]):
                    return None
                continue
            found += sum(Fraction(x) ** 2 for x in line[len(rows):]) / line[i]
            for other in table[i + 1 :]:
                ratio = Fraction(other[i]) / line[i]
                other[i:] = [a - ratio * b for a, b in zip(other[i:], line[i:], strict=True)]
        return found * 2 ** (2 * UNIT)

    def proved(self, r: int) -> Any:
        """2 tr(W Z) - sum of y, if |Zᵀv|² <= (v·p)(v·y) for all columns v; else None.

        For an estimate a(z) from columns v of a mechanism tr(W Z) = sum of a(z)·Zᵀv <= half the sum
        of |a(z)|² v·p + v·y, and the columns add up to 1. Vectors v that meet it (v·p > 0, and so
        v·y >= 0) form a convex cone, so those with entries 1 and r >= e^ε are enough: all with
        ratios up to r are sums.
        """
        def broken(x: int, images: list[int], along_p: int, along_y: int) -> bool:
            if x == len(self.y):
                return bool(sum(map(mul, images, images)) * scale > along_p * along_y << UNIT)
            return any(broken(x + 1, [a + v * z for a, z in zip(images, self.Z[x], strict=True)],
                              along_p + v * int(self.prior[x] * scale), along_y + v * self.y[x])
                       for v in (1 << UNIT, r))

        scale = math.lcm(*(p.denominator for p in self.prior))
        if broken(0, [0] * len(self.queries), 0, 0):
            return None
        trace = sum(w * row[m] for m, query in enumerate(self.queries)
                    for w, row in zip(query, self.Z, strict=True))
        return Fraction(2 * trace - sum(self.y)) / (1 << UNIT)


def variance_of(stated: Any, claim: Claim, form: Any, law: Any,
                large: bool) -> tuple[dict[str, Any], Callable[[list[Row]], bool]]:
    """The report on a claim about the variance of estimates, and whether rows support it."""
    names, size = "goal prior queries value bound Z y", len(claim.space.points)
    need({*stated} == {*names.split()}, f"optimality has {names}")
    need(form["family"] == "categories" and law["form"] == "matrix" and not claim.delta,
         "the least variance is that of a matrix on categories, with delta 0")
    queries, Z = listed(stated["queries"]), listed(stated["Z"], size)
    need(len(queries) <= 100, "there are at most 100 queries")

    def read(text: Any, count: int, word: str = "-?[0-9]{1,40}(?:/[0-9]{1,40})?") -> list[Any]:
        found = [number(part) for part in words(text, word, "1/2 0 -1")]
        need(len(found) == count, f"there must be {count} numbers")
        return found

    prior, rows = read(stated["prior"], size), [read(text, size) for text in queries]
    need(min(prior) >= 0 and sum(prior) == 1, "the prior must not be negative and add up to 1")
    need(any(len({*row}) > 1 for row in rows), "every query gives all inputs the same weight")
    *Z, y = [[int(x) for x in read(text, count, "-?[0-9]{1,60}")]
             for text, count in [*((text, len(rows)) for text in Z), (stated["y"], size)]]
    value, bound = double(stated["value"]), double(stated["bound"])
    least = LeastVariance(Fraction(value), Fraction(bound), prior, rows, Z, y)
    report = {"goal": "variance", "loss": f"variance of {len(rows)} estimates",
              "prior": "given" if len({*prior}) > 1 else "uniform", "value": value, "bound": bound,
              "gap": gap_of(value, bound), "holds": None}

    def holds(rows: list[Row]) -> bool:
        if size > MOST_RAYS and not large:
            raise Unchecked(f"optimality: 2^{size} columns take long; add --large")
        r = claim.level.asked(1, lambda n, m: -((-n << UNIT) // m))
        if r > 1 << 64 + UNIT or max(row.total.bit_length() for row in rows) > MOST_TOTAL:
            raise Unchecked("optimality: its numbers are too long")
        return least.holds(rows, r)

    return report, holds


# ------------------------------------------------------------------ 8. the report
def shown(x: Number, over: int = 1) -> str:
    """x / over as "p/q" if that is short, else to seven digits."""
    if isinstance(x, tuple):
        return str(decide(lambda bits: ((end, 1 << bits) for end in bounds(x, bits)),
                          lambda end: shown(*end)))
    n, m = x.numerator, x.denominator * over
    if max(n, m) < 1 << 99 or not n:
        return str(Fraction(n, m))
    j, k = (max(0, part.bit_length() - 4096) for part in (n, m))  # longer: slow decimals
    digits = Context(24, Emax=MAX_EMAX, Emin=MIN_EMIN)
    ratio = digits.divide(Decimal(n >> j), Decimal(m >> k))
    return f"{digits.multiply(ratio, digits.power(2, j - k)):.7g}"


def refute(claim: Claim, i: int, j: int, outputs: list[Any], a: int, b: int,
           odds: list[str]) -> NoReturn:
    """The probability of these outputs, less δ, is a/b > e^(ε d) times as large for i as for j."""
    d, why = claim.space.distance(j, i), "a zero beside a non-zero: private at no finite level"
    if b:
        more = claim.level.asked(d, lambda n, m: shown(a * m - b * n, b * n))
        why = (f"the first{' less δ' * bool(claim.delta)} is more than e^(ε d) = "
               f"{shown(*claim.level.power(d, 64)[1])} times the second, by {more} of that")
    raise Refuted({"first": claim.space.points[i], "second": claim.space.points[j],
                   "outputs": outputs, "probabilities": odds,
                   "reason": f"{why} (d = {shown(d)})"})


def check(document: Any, large: bool, report: dict[str, Any]) -> None:
    """Writes into the report what is claimed and checked; raises what else there is to say."""
    match document:
        case {"claim": {"epsilon": {"rational": rational, "coefficient": factor, "base": base}
                        as epsilon, "delta": delta, "evidence": evidence}, "space": form,
              "outputs": outputs, "mechanism": law, "optimality": best}:
            level, limit, more = level_of(epsilon), number(delta), []
        case _:
            raise Malformed("the document lacks a field")
    need(0 <= limit < 1, "delta must be at least 0 and below 1")
    need(isinstance(document.get("construction"), dict | None), "construction must be an object")
    need(isinstance(form, dict), "the space must be an object")
    log = f"ln({base})" if factor == "1" else f"{factor}*ln({base})"
    parts = [rational] * (level.rational != 0) + [log] * (level.coefficient != 0)
    report.update(epsilon=" + ".join(parts) or "0", delta=delta, evidence=evidence)
    targets, named = None, outputs
    match law:
        case {"form": "table", "rows": rows, "base": law}:
            more = [f"that is one row; the {whole(rows, 0)} rows of a table are randomized "
                    "independently, so tables that differ in one row are protected as one row is"]
    match law:
        case {"form": "remapped", "kernel": {"form": "kernel"} as law, "targets": text}:
            targets, named = [int(word) for word in words(text, "[0-9]{1,9}")], "inputs"
    match law:
        case {"form": kind} if kind in list(OTHERS):
            raise Unchecked(f"the claim: {OTHERS[kind]} checks mechanisms of the form {kind}")
        case {"form": "matrix", "rows": [_, *_] as lines}:
            need(evidence == "enumerated", "the evidence for a matrix must be enumerated")
        case {"form": "kernel", "weights": [_, *_] as lines, "ratio": _, "unit": _}:
            need(evidence == "kernel" and named == "inputs",
                 "the evidence for a kernel must be kernel, and its outputs inputs")
            lines = weights_of(lines) if "bits" in law else lines
        case _:
            raise Malformed("the mechanism must be a matrix with rows, or a kernel with weights, "
                            "ratio and unit")
    space = space_of(form, min(len(lines), MOST_POINTS))
    need(len(lines) == len(space.points), "each point needs one row, or one weight")
    need(law["form"] == "matrix" or not space.one_way, "a kernel needs distances both ways")
    expected = {"neighbors": space.words} if document["version"] == 1 else {}
    need({x: document[x] for x in document if x == "neighbors"} == expected,
         "neighbors must be those of the space, or null if it has none; in version 2, left out")
    need(space.neighbors or not limit, "a space without neighbors needs delta 0")
    report["neighbors"] = space.words
    claim = Claim(level, limit, space, space.points if named == "inputs" else labels(named))
    entries = len(lines) * len(claim.outputs)
    if law["form"] == "matrix" and entries > MOST_MATRIX and not large:
        raise Unchecked(f"the claim: {entries} entries take long; add --large")
    need(best is None or not targets, "optimality needs a mechanism that is not remapped")
    variance = isinstance(best, dict) and best.get("goal") == "variance"
    stated, holds = (None, None) if best is None else (
        variance_of(best, claim, form, law, large) if variance else optimum_of(best, claim))
    report["optimality"] = stated
    answers = space.points if outputs == "inputs" or not targets else labels(outputs)
    need(not targets or (len(targets) == len(lines) and max(targets) < len(answers)),
         "each output of the kernel needs the index of an answer as its target")
    report["components"] = None if space.one_way else sum(
        all(space.distance(i, j) == INF for j in range(i)) for i in range(len(lines)))
    mechanism = (matrix(claim, rows_of(lines, len(claim.outputs))) if law["form"] == "matrix"
                 else kernel_of(claim, law, form, lines, large))
    report["nearest"] = shown(mechanism.nearest)
    if targets:
        mechanism = remapped(claim, mechanism, targets, answers)
    report["checked"] = [mechanism.proof(), *more]
    if holds and (entries > MOST_ENTRIES or not mechanism.short):
        raise Unchecked("optimality: it would take too long")
    if holds and stated:
        stated["holds"] = holds([mechanism.row(y) for y in range(len(lines))])


def examine(document: Any, large: bool) -> dict[str, Any]:
    """What is claimed, whether it is intact and holds, what was checked and what was not; of a
    document that was changed and is none any more, why not."""
    report: dict[str, Any] = {
        "holds": None, "intact": intact(document), "epsilon": None, "delta": None,
        "evidence": None, "neighbors": None, "checked": [], "unchecked": [], "only_holder": [],
        "witness": None, "optimality": None, "components": 1, "nearest": None}
    try:
        if document["format"] == GENERIC:
            check_definition(document, report)
        else:
            check(document, large, report)
    except Unchecked as reason:
        report["unchecked"] = [str(reason)]
    except Refuted as refuted:
        report["witness"] = refuted.args[0]
        report["checked"] = ["the form of the document, and its claim up to the first violation"]
    except (Malformed, RecursionError, MemoryError) as error:
        if report["intact"]:
            raise
        return {"holds": None, "intact": False, "error": str(error) or "it is too large"}
    false = report["witness"] or (report["optimality"] or {}).get("holds") is False
    report["holds"] = False if false else None if report["unchecked"] else True
    return report


def lines(document: Any, report: dict[str, Any]) -> Iterator[str]:
    """The report for people; of a long text in the document both ends, and its length."""
    if document["format"] == GENERIC:
        yield from definition_lines(document, report)
        return

    def brief(text: str) -> str:
        return f"{text[:30]} ... {text[-30:]} ({len(text)} characters)" if text[60:] else text

    yield f"digest       {'intact' if report['intact'] else 'CHANGED since it was computed'}"
    yield f"space        {brief(json.dumps(document['space']))}"
    yield f"neighbors    {brief(report['neighbors'] or 'none are declared')}"
    if document["space"].get("family") == "directed":
        yield "ONE WAY      only the second of a pair is protected, the first may give itself away"
    elif report["components"] > 1:
        yield f"NOT private  which of the {report['components']} components an input lies in"
    if report["nearest"]:
        yield f"distances    {report['nearest']} or more; inputs d apart have the level ε d"
    about = shown(level_of(document["claim"]["epsilon"]).epsilon)
    yield (f"claim        ε = {brief(report['epsilon'])}, about {about}, "
           f"δ = {shown(number(report['delta']))} ({brief(str(report['evidence']))})")
    yield from (f"checked      {sentence}" for sentence in report["checked"] or ["nothing"])
    yield from (f"NOT checked  {sentence}" for sentence in report["unchecked"] or ["nothing"])
    if w := report["witness"]:
        first, second, outputs = (brief(json.dumps(w[x])) for x in ("first", "second", "outputs"))
        yield f"witness      inputs {first} and {second} give an output in {outputs}"
        yield f"             with probability {' and '.join(w['probabilities'])}: {w['reason']}"
    if best := report["optimality"]:
        said = {True: "proved", False: "FALSE, its proof does not support it", None: "not judged"}
        whose = {"worst": "worst input, bound for a", "variance": "one person,"}.get(
            best["goal"], "average,")
        gap = "not known" if best["gap"] is None else f"{best['gap']:.1e}"
        yield f"loss         {best['loss']}, {whose} {best['prior']} prior: at most {best['value']}"
        kept = "level" if best["goal"] == "variance" else "level and outputs"
        yield f"best         {best['bound']} or more for all mechanisms with this {kept}"
        gap = "0" if "exact" in best else gap
        yield f"             (relative gap {gap}): {said[best['holds']]}"
        if "exact" in best:
            yield f"exactly      {brief(best['exact'])} is both the loss and the best possible"
    verdicts = {True: "the claim is proved", False: "the claim is FALSE", None: "not all proved"}
    yield f"verdict      {verdicts[report['holds']]}"


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    files = [word for word in words if word not in ("--json", "--large")]
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.reconfigure(errors="backslashreplace")
    if len(files) != 1 or files[0].startswith("-"):
        print("usage: python receipt.py FILE [--json] [--large]", file=sys.stderr)
        return 2
    document: Any = None
    try:
        document = read(files[0])
        report = examine(document, "--large" in words)
    except (Malformed, RecursionError, MemoryError) as error:
        report = {"error": str(error) or "it is too large"}
    if "error" in report:
        said = f"{files[0]}: {'it was changed, and ' * ('intact' in report)}{report['error']}"
        print("".join(c if c.isprintable() else ascii(c)[1:-1] for c in said), file=sys.stderr)
    if "--json" in words or "error" not in report:
        print(json.dumps(report) if "--json" in words else "\n".join(lines(document, report)))
    if report.get("intact") is False or report.get("holds") is False:
        return 1
    return 2 if "error" in report else 0 if report["holds"] else 3


# ------------------------------------------------------------------ 9. the catalog of distances
NEIGHBORS = {  # what a document calls the neighbors of a space, by its family or kind of histogram
    "path": "counts that differ by one", "sum": "one person's contribution changed",
    "counts": "one person's answers changed", "hamming": "one person's value changed",
    "sets": "one item added or removed", "categories": "any two values",
    "complete": "any two nodes", "cycle": "adjacent nodes", "star": "adjacent nodes",
    "graph": "adjacent nodes", "grid": "cells one step apart", "replace": "one person replaced",
    "add-remove": "one person added or removed"}


def space_of(form: Any, most: int) -> Space:
    """The space that a description means, refused if it has more than `most` points."""
    def count(size: int) -> range:
        need(2 <= size <= most, f"the space needs 2 to {most} points, as the mechanism has rows")
        return range(size)

    def box(sides: list[int]) -> list[tuple[int, ...]]:
        count(math.prod(sides))
        return list(product(*map(range, sides)))

    def named(value: Any) -> list[Any]:
        count(len(listed(value)))
        return labels(value)

    match form:
        case {"family": "path", "low": low, "high": high, **more}:
            count(whole(high, -(10**15)) - whole(low, -(10**15)) + 1)
            space = steps(range(low, high + 1), gap, placed=True, window=1)
        case {"family": "sum", "people": people, "max": wide, **more}:
            every = count(whole(people) * whole(wide) + 1)
            space = steps(every, lambda a, b: -(-gap(a, b) // wide), placed=True, window=wide)
        case {"family": "counts", "people": people, "queries": queries, **more}:
            cells = box([whole(people) + 1] * min(whole(queries), 64))
            space = steps(cells, lambda a, b: max(map(gap, a, b)), placed=True)
        case {"family": "hamming", "values": values, "people": people, **more}:
            rows = box([whole(values)] * min(whole(people), 64))
            space = steps(rows, lambda a, b: sum(map(ne, a, b)))
        case {"family": "sets", "items": items, **more}:
            every = count(1 << min(whole(items), 64))
            sets = [tuple(b for b in range(items) if i >> b & 1) for i in every]
            space = steps(sets, lambda a, b: len({*a} ^ {*b}))
        case {"family": "cycle", "nodes": n, **more}:
            space = steps(count(whole(n)), lambda a, b: min((a - b) % n, (b - a) % n))
        case {"family": "complete", "nodes": n, **more}:
            space = steps(count(whole(n)), ne)
        case {"family": "star", "leaves": n, **more}:  # around point 0
            every = count(whole(n) + 1)
            space = steps(every, lambda a, b: (a != b) * (2 if a and b else 1))
        case {"family": "categories", "values": values, **more}:
            values = named(values)
            need(values == [*range(len(values))] or all(isinstance(v, str) and v for v in values),
                 "categories must be texts that are not empty, or the numbers from 0")
            space = steps(values, ne)
        case {"family": "histogram", "people": people, "cells": cells,
              "neighbors": "replace" | "add-remove" as relation, **more}:
            moved = 2 if relation == "replace" else 1  # counts that change with one person
            size = whole(people) + whole(cells) + 1 - moved
            bars = size - people  # people and bars in any order; add-remove has a hidden cell more
            count(math.comb(size, min(people, bars, 64)))
            cuts = ((-1, *bar, size) for bar in combinations(range(size), bars))
            counts = [tuple(b - a - 1 for a, b in pairwise(cut))[:cells] for cut in cuts]
            space = steps(counts, lambda a, b: sum(map(gap, a, b)) // moved, placed=True)
        case {"family": "grid", "shape": [_, *_] as shape, "step": step,
              "metric": "manhattan" | "chebyshev" | "euclidean" as metric, **more}:
            unit = number(step, short=True)
            need(unit > 0 and len(shape) <= 5000, "a grid needs a step above 0, and fewer sides")
            cells = box([whole(side) for side in shape])
            total = max if metric == "chebyshev" else sum
            space = steps(cells, lambda a, b: total(map(gap, a, b)), unit, placed=True)
            if metric == "euclidean":  # a cell is between two others unless their offset has gcd 1
                space = euclidean(cells, cells, unit, lambda i, j: math.gcd(
                    *map(sub, cells[i], cells[j])) == 1)
        case {"family": "points", "labels": points, "coordinates": rows, **more}:
            space = positions(named(points), rows)
        case {"family": "matrix", "labels": points, "distances": rows, **more}:
            need(more.pop("unit", "m") in ("mm", "m", "km"), "the unit must be mm, m or km")
            space = given(named(points), rows)
        case {"family": "graph", "nodes": nodes, "edges": [_, *_] as edges, **more}:
            space = graph(named(nodes), edges)
        case {"family": "directed", "nodes": nodes, "edges": [_, *_] as edges, **more}:
            space = graph(named(nodes), edges, one_way=True)
        case {"family": "product", "combine": "sum" | "max" as how, "factors": [one, two], **more}:
            a, b = space_of(one, most), space_of(two, most)
            need(a.factors + b.factors <= 6, "a product has at most six factors")
            need(not a.one_way and not b.one_way, "a product needs factors protected both ways")
            count(len(a.points) * len(b.points))
            space = pair_space(a, b, how == "max")
        case _:
            raise Malformed("the space is of no known family, or lacks a field")
    need(not more, "the space has a field that its family does not have")
    if space.neighbors is None or space.words:
        return space
    return replace(space, words=NEIGHBORS[form.get("neighbors", form["family"])])


def gap(a: int, b: int) -> int:
    return abs(a - b)


def steps(points: Sequence[Any], count: Callable[[Any, Any], int], unit: Fraction = Fraction(1),
          placed: bool = False, window: int = sys.maxsize) -> Space:
    """A space where distances count steps between neighbors, as a function of two labels."""
    def near(i: int, j: int) -> bool:
        return count(points[i], points[j]) == 1

    return Space(points, lambda i, j: count(points[i], points[j]) * unit, near, near,
                 points if placed else None, unit, window, even=lambda: unit == 1)


def root_of(x: Fraction) -> Number:
    root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    return root if root * root == x else ("root", x)


def euclidean(points: list[Any], places: list[Any], unit: Fraction, near: Relation) -> Space:
    exact = lru_cache(1 << 14)(lambda square: root_of(square * unit * unit))

    def distance(i: int, j: int) -> Number:
        gaps = [*map(sub, places[i], places[j])]
        return exact(sum(map(mul, gaps, gaps)))

    return Space(points, distance, near, None, places, unit)


def positions(points: list[Any], rows: Any) -> Space:
    """Euclidean distances of points with coordinates."""
    table = [[number(x, short=True) for x in listed(row)]
             for row in listed(rows, len(points))]
    scale = math.lcm(*(x.denominator for row in table for x in row))
    places = [tuple(int(x * scale) for x in row) for row in table]
    need(scale < MOST_SCALE and max(abs(x) for place in places for x in place) < 1 << 60,
         "the coordinates together are too long")
    need(len(set(places)) == len(places) and len(set(map(len, places))) == 1,
         "points must have equally many coordinates, and no two the same")
    return euclidean(points, places, Fraction(1, scale), lambda i, j: True)


def given(points: list[Any], rows: Any) -> Space:
    """Distances as written, "inf" between components, checked to be a metric."""
    size = len(points)
    table = [[INF if x == "inf" else number(x, short=True)
              for x in listed(row, size)] for row in listed(rows, size)]
    finite = [x for row in table for x in row if x != INF]
    scale = math.lcm(*(x.denominator for x in finite))
    need(max(scale, scale * max(finite, default=0)) < MOST_SCALE, "the distances are too long")
    need(len(finite) > size, "two points at least must be at a finite distance")
    exact = [[x if x == INF else int(x * scale) for x in row] for row in table]
    for (i, to), (j, back) in product(enumerate(exact), repeat=2):
        need(to[j] == back[i] and (to[j] > 0) == (i != j) and to[j] <= min(map(add, to, back)),
             f"not a metric: see points {i} and {j}, and the way by a third one")
    return Space(points, lambda i, j: table[i][j], lambda i, j: table[i][j] != INF)


def graph(nodes: list[Any], edges: list[Any], one_way: bool = False) -> Space:
    """Shortest paths; neighbors are the edges that are themselves shortest paths.

    If edges lead one way, distances are directed, and there are no neighbors.
    """
    need(not one_way or len(nodes) <= MOST_DIRECTED, "it has too many points for one way")
    triples = [listed(edge, 3) for edge in edges]
    ends = [(whole(i, 0, len(nodes) - 1), whole(j, 0 if one_way else i + 1, len(nodes) - 1))
            for i, j, _ in triples]
    lengths = [number(way, short=True) for _, _, way in triples]
    need(ends == sorted({*ends}) and min(lengths) > 0 and all(i != j for i, j in ends),
         "the edges of a graph must be in order, none twice, and have positive lengths")
    scale = math.lcm(*(length.denominator for length in lengths))  # from here on, whole numbers
    need(sum(lengths) * scale < 1 << 53, "the lengths of the edges together are too long")
    ways: list[dict[int, int]] = [{} for _ in nodes]
    for (i, j), way in zip(ends, lengths, strict=True):
        ways[i][j] = int(way * scale)
        if not one_way:
            ways[j][i] = ways[i][j]

    @lru_cache(256 + 10**6 // len(nodes))  # about a million distances
    def reach(start: int) -> dict[int, int]:
        nearest, queue = {start: 0}, [start]
        for node in queue:  # which grows: whatever gets nearer is looked at again
            for other, way in ways[node].items():
                if nearest[node] + way < nearest.get(other, INF):
                    nearest[other] = nearest[node] + way
                    queue.append(other)
        return nearest

    def near(i: int, j: int) -> bool:
        return j in ways[i] and ways[i][j] == reach(i)[j]

    def distance(i: int, j: int) -> Any:
        return Fraction(reach(i)[j], scale) if j in reach(i) else INF

    if one_way:
        return Space(nodes, distance, lambda i, j: near(i, j) or near(j, i), one_way=True)
    return Space(nodes, distance, near, near, even=lambda: all(
        distance(i, j) == 1 for i, j in ends if near(i, j)))


def pair_space(a: Space, b: Space, longest: bool) -> Space:
    """Pairs of points, the first factor slowest; distances add, or the longer one counts."""
    n = len(b.points)

    def distance(i: int, j: int) -> Any:
        x, y = a.distance(i // n, j // n), b.distance(i % n, j % n)
        irrational = [isinstance(part, tuple) for part in (x, y)]
        if INF in (x, y) or not any(irrational):
            return INF if INF in (x, y) else max(x, y) if longest else x + y
        if all(irrational) or not longest:  # roots do not cancel one another
            return ("max" if longest else "sum", x, y)
        return x if positive(("sum", x, ("times", -1, y))) else y

    def joined(first: Relation, second: Relation) -> Relation:
        def related(i: int, j: int) -> bool:
            (u, k), (v, m) = divmod(i, n), divmod(j, n)
            one = u == v or k == m or longest
            return one and (u == v or first(u, v)) and (k == m or second(k, m))

        return related

    lengths = {s.distance(*pair) for s in (a, b) for pair in s.ways(s.near)} if longest else {1}
    alike = len(lengths) == 1  # or moving in both factors at once is no step
    return Space(list(product(a.points, b.points)), distance, factors=a.factors + b.factors,
                 near=joined(a.near, b.near) if alike else lambda i, j: distance(i, j) != INF,
                 neighbors=a.neighbors and b.neighbors and joined(a.neighbors, b.neighbors),
                 words=pair_words(a, b, longest), even=lambda: a.even() and b.even())


def pair_words(a: Space, b: Space, longest: bool) -> str | None:
    """What a document calls neighbors of a product; None if a factor has none."""
    if not (a.words and b.words):
        return None
    first, second = (f"({x})" if " part" in x else x for x in (a.words, b.words))
    how = "the larger distance counts" if longest else "distances add"
    if a.even() and b.even():
        how = f"a person who differs in both is at distance {1 if longest else 2}"
    return (f"{first} in the first part, or {second} in the second part, "
            f"{'or' if longest else 'not'} both ({how})")


if __name__ == "__main__":
    try:
        code = main()
        print(end="", flush=True)
    except BrokenPipeError:  # whoever was reading has gone
        os._exit(141)
    except OSError as failed:  # a report that cannot be written is no verdict
        print(f"the report could not be written: {failed.strerror}", file=sys.stderr)
        os._exit(4)
    sys.exit(code)
