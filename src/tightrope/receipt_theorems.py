"""Proves or refutes the level that a document claims by a theorem, as far as it can be proved here.

    python receipt_theorems.py FILE [--json]

Laws on all integers, on sets or on the line are not written out, and neither are the datasets
that they are for: a theorem bounds what tells two neighbors apart by one ratio r. Here the
hypotheses that a document decides are checked, r is computed exactly, and compared with e^ε and δ.
A theorem about graphs or records also needs that whoever holds the data works out rungs or
sensitivities as it says; nobody else can know that. It is then named, and the exit code is 3.
Read on from here: the file, the level, the theorems, the report. Only the standard library is
used, no code of the program that wrote the document or of the other checkers (receipt.py for
matrices, where a claim is explained, and receipt_kernels.py).
Exit: 0 intact and proved; 1 changed or refuted; 2 not a document; 3 cannot be checked here.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import io
import json
import math
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any, NoReturn

# characters that no text of a document may hold: controls, separators of lines, turns of the
# writing direction, halves of characters, and what Unicode says is none
BARRED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
                    "\ufdd0-\ufdef" + "".join(chr(p << 16 | q) for p in range(17)
                                              for q in (0xFFFE, 0xFFFF)) + "]")
MOST_SHOWN = 60  # characters of a text of the document, in the report for people
MOST_BYTES = 1 << 30  # of a document, unpacked
MOST_DEPTH = 500  # of lists in lists
MOST_SCALE = 1 << 1000  # of a numerator or denominator in the description of a dataset
MOST_LENGTH = 1 << 18  # bits of a rational e^ε that may tie
MOST_NUMBER = 10**15  # of points or people
MOST_NODES = 10**6  # of a graph
MOST_RECORD = 1 << 61  # either sign
MOST_MODES = 10**7  # values among which the most frequent is looked for
MOST_INTERVALS = 2 * 10**6  # that are added up on the line
MOST_END, MOST_UNITS = 1 << 53, 1 << 1100  # of its ends in units, and of units to a whole
OTHERS = {"matrix": "receipt.py", "kernel": "receipt_kernels.py", "remapped": "receipt_kernels.py"}


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


# ------------------------------------------------------------------ 2. the level
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
    """ε = rational + coefficient ln(base), above 0, and comparisons with e^ε."""

    def __init__(self, rational: Fraction, coefficient: Fraction, base: Fraction) -> None:
        need(base > 0 <= coefficient, "epsilon needs a base above 0 and a coefficient from 0")
        if base < 1:
            base, coefficient = 1 / base, -coefficient
        self.rational, self.base = rational, base
        self.coefficient = coefficient if base > 1 else Fraction(0)
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

    def exact(self) -> tuple[int, int] | None:
        """e^ε as a fraction; None if it is irrational, or too long for any tie.

        By the theorems of Lindemann, Gelfond-Schneider and Baker it is transcendental unless it
        is base^(p/r), and that, in lowest terms, is rational only if base is an r-th power.
        """
        if self.rational:
            return None
        p, r = self.coefficient.as_integer_ratio()
        u, v = (root(part, r) for part in self.base.as_integer_ratio())
        return (u**p, v**p) if u and v and p * u.bit_length() < 4 * MOST_LENGTH else None

    def power(self, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Fractions (n, m) below and above e^ε, to about so many bits; equal if it is one."""
        if (exact := self.exact()) is not None:
            return exact, exact
        bits += 24
        low, high = self.bounds(bits)
        return exponential(max(low, 0), bits, 0), exponential(high, bits, 1)

    def exceeded(self, ratio: Fraction) -> bool:
        """Whether the ratio is more than e^ε: a lower bound denies it, an upper one proves it."""
        a, b = ratio.as_integer_ratio()
        bits = 64
        while True:  # there is no tie with an irrational number, so this ends
            (n, m), (k, j) = self.power(bits)
            if a * m <= b * n:
                return False
            if a * j > b * k:
                return True
            bits *= 2


def decimal(a: int, b: int, digits: int) -> str:
    """a / b to so many digits: 1.234e-217."""
    wide = Context(prec=digits + 9, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return f"{wide.divide(Decimal(a), Decimal(b)):.{digits - 1}e}"


def shown(a: int, b: int) -> str:
    """a / b as "p/q" if that is short, else to four digits."""
    return str(Fraction(a, b)) if max(a, b) < 1 << 99 or not a else decimal(a, b, 4)


def brief(value: Any) -> str:
    """A value of the document on one line in ASCII; of a long one both ends, and its length."""
    text, half = json.dumps(value), MOST_SHOWN // 2
    return (text if len(text) <= MOST_SHOWN else
            f"{text[:half]} ... {text[-half:]} ({len(text)} characters)")


# ------------------------------------------------------------------ 3. the theorems
@dataclass(frozen=True)
class Theorem:
    """Between two neighbors the probability of every output differs by a factor of at most `ratio`.

    `apart`: the probability of the outputs where it is that factor, for the two neighbors in
    `pair` who differ most; None if the ratio is a bound that need not be reached. `output`: one
    of these outputs, between `near`, and its probability; None if none is known. `left`: what
    only those who hold the data can know.
    """

    ratio: Fraction
    said: str
    apart: Fraction | None = None
    pair: tuple[Any, Any] = ("", "")
    where: Any = ""
    near: tuple[Any, Any] = ("", "")
    output: tuple[Any, Fraction] | None = None
    left: str = ""

    def check(self, level: Level, delta: Fraction) -> None:
        """Refuted, or Unchecked, if the claim does not follow from the theorem."""
        least = self.ratio
        if self.apart is not None:  # the hockey-stick sum is apart (1 - e^ε / ratio)
            least = max(Fraction(0), self.ratio * (1 - delta / self.apart))
        if not level.exceeded(least):
            return
        shown_at = (*self.pair, self.where, self.apart)
        if self.output is not None and not delta:
            shown_at = (*self.near, *self.output)
        first, second, where, chance = shown_at
        if chance is None or (delta and self.apart is None):
            most = shown(*self.ratio.as_integer_ratio())
            raise Unchecked(f"the claim: the theorem bounds what tells neighbors apart by a factor "
                            f"{most}, more than e^ε; whether less is true is not known")
        raise Refuted({
            "first": first, "second": second, "outputs": [where],
            "probabilities": [shown(*x.as_integer_ratio()) for x in (chance, chance / self.ratio)],
            "reason": f"the ratio{', less what δ allows,' * bool(delta)} is "
                      f"{told(level, *least.as_integer_ratio())}"})


def told(level: Level, a: int, b: int) -> str:
    """That a / b is more than e^ε, with the digits that decide, up to 128."""
    said = ""
    for digits in (4, 8, 16, 32, 64, 128):
        ratio, power = decimal(a, b, digits), decimal(*level.power(4 * digits + 64)[1], digits)
        said = f"{ratio}, more than e^ε = {power}{' in later digits' * (ratio == power)}"
        if ratio != power:
            break
    return said


def above_one(law: Any, name: str) -> Fraction:
    ratio = number(law[name], name)
    need(ratio > 1, f"the {name} must be above 1")
    return ratio


def steps(ratio: Fraction, step: int, first: int, change: int) -> tuple[Fraction, Fraction]:
    """Noise z is on rung 0 if |z| < first, each further rung holds `step` integers on either side,
    and rung t weighs q^-t: a value that moves by at most `step` moves no answer by more than a
    rung. Two values `change` apart have the ratio q at the last `change` outputs of each rung
    below: the probability of these, and of one output of rung 0.
    """
    need(1 <= first <= step, f"the first step must be from 1 to {step}")
    core = 2 * first - 1
    total = core + 2 * step / (ratio - 1)
    return (min(change, core) + change / (ratio - 1)) / total, 1 / total


def noise(form: Any, law: Any) -> Theorem:
    """Integer noise in steps as wide as what one person changes (Geng and Viswanath)."""
    (family,) = fields(form, "family", "a space")
    need(family in ("path", "sum"), "noise needs a space of path or sum")
    names = "low high" if family == "path" else "people max"
    parts = fields(form, names, "a space")
    need(set(form) == {"family", *names.split()}, f"a {family} space has the fields {names}")
    least = -MOST_NUMBER if family == "path" else 1
    a, b = (whole(x, f"{names} of a {family} space", least, MOST_NUMBER) for x in parts)
    need(a < b if family == "path" else a * b <= MOST_NUMBER, f"the {family} has no such points")
    low, change = (a, 1) if family == "path" else (0, b)
    stairs = law["law"] == "staircase"
    need(stairs or law["law"] == "two-sided geometric", "the law of the noise is not known")
    step, first = fields(law, "step first", "a staircase") if stairs else (1, 1)
    step = whole(step, "the step", change, MOST_SCALE)
    first, ratio = whole(first, "the first step", most=MOST_SCALE), above_one(law, "ratio")
    apart, chance = steps(ratio, step, first, change)
    which = f"up to {low}" if step == 1 else f"that is likelier for {low}"
    return Theorem(
        ratio, "one person changes the value by at most a step of the noise, so the rung of every "
        "answer by at most 1", apart, (low, low + change), f"every output {which}",
        (low, low + 1), (low - first + 1, chance))


def sets(form: Any, law: Any) -> Theorem:
    """Reports that hold the truth with one probability and other values with another: those with
    y and without x have one ratio r, those with x and without y have 1/r, all others 1."""
    (family,) = fields(form, "family", "a space")
    if family == "complete":
        (nodes,) = fields(form, "nodes", "a space")
        points: Sequence[Any] = range(whole(nodes, "nodes", 2))
    else:
        need(family == "categories", "reports of sets need a space of categories or complete")
        points = labels(fields(form, "values", "a space")[0], "the values")
        need(len(points) > 1 and (points == [*range(len(points))] or all(
            isinstance(v, str) and v for v in points)),
            "categories must be texts that are not empty, or the numbers from 0")
    need(len(form) == 2, "the space has a field that it must not have")
    k, where = len(points), f"every set with {points[0]} and without {points[1]}"
    if law["form"] == "subset":
        r, w = above_one(law, "ratio"), whole(law["size"], "size", 1, k - 1)
        apart = w * r / (w * r + k - w) * Fraction(k - w, k - 1)
    else:
        p, q = (number(law[name], "a probability") for name in ("held", "added"))
        need(0 < q < p < 1, "a report must be likelier to hold the truth: 0 < added < held < 1")
        r, apart = p * (1 - q) / (q * (1 - p)), p * (1 - q)
    return Theorem(r, "the one ratio between any two inputs was computed exactly", apart,
                   (points[0], points[1]), where)


def counts(form: Any, law: Any) -> Theorem:
    """Counts of subgraphs; neighbors differ in one edge."""
    need(set(form) == {"family", "nodes"} and form["family"] == "graphs", "a count needs graphs")
    nodes, kind = whole(form["nodes"], "nodes", 3, MOST_NODES), law["count"]
    # an edge is in one triangle with each other node, and one of k edges of a star at either end
    most = {"triangles": nodes - 2, "edges": 1, "stars2": 2 * (nodes - 2),
            "stars3": 2 * math.comb(nodes - 2, 2)}
    tops = {"triangles": math.comb(nodes, 3), "edges": math.comb(nodes, 2),
            "stars2": nodes * math.comb(nodes - 1, 2), "stars3": nodes * math.comb(nodes - 1, 3)}
    need(isinstance(kind, str) and kind in most and most[kind] > 0, "the count is not known")
    if law["form"] == "smooth":
        q, k = above_one(law, "growth"), above_one(law, "shift")
        return Theorem((k * q) ** 2, "a center moved by S changes Cauchy weights of scale "
                       "S k/(k^2 - 1) by at most k^2, and S, which changes by at most q, both "
                       "weights and their sum by at most q", left="that S is the smooth "
                       f"sensitivity of the {kind} of the graph, and the noise is around them")
    ratio = above_one(law, "ratio")
    if law["form"] == "ladder":
        return Theorem(ratio**2, "one edge changes the rung of every answer by at most 1, so "
                       "weights q^-rung and their sum by at most q each", left="that the width of "
                       f"each rung is the local sensitivity of the {kind} of the graph at that "
                       "distance, and the middle is their number")
    first, step = whole(law["first"], "the first step"), most[kind]
    apart, chance = steps(ratio, step, first, step)
    pair = ("the complete graph", "the complete graph without one edge")
    return Theorem(ratio, f"one edge changes the count by at most {step}, a step of the noise, so "
                   "the rung of every answer by at most 1", apart, pair,
                   f"every output that is likelier for {pair[0]}", pair,
                   (tops[kind] + first - 1, chance),
                   f"that the noise is around the {kind} of the graph")


def records(form: Any, law: Any) -> Theorem:
    """Quantiles and modes; neighbors differ in one record."""
    need(set(form) == {"family", "size", "low", "high"} and form["family"] == "records",
         "a quantile or a mode needs records")
    size = whole(form["size"], "size", 1, MOST_SCALE)
    low, high = (whole(form[name], "a bound", 1 - MOST_RECORD, MOST_RECORD - 1)
                 for name in ("low", "high"))
    need(low < high, "the bounds must be low < high")
    if law["form"] == "quantile":
        whole(law["rank"], "the rank", 1, size)
    else:
        need(high - low < MOST_MODES, f"a mode needs at most {MOST_MODES} values")
    ratio = above_one(law, "ratio")
    return Theorem(ratio**2, "one record changes by at most 1 how many must be replaced for an "
                   "answer to be right, so weights q^-rung and their sum by at most q each",
                   left="that the rung of an answer is how many records must be replaced for it")


Set = list[tuple[Fraction, Fraction]]  # disjoint closed intervals in order


def union(pairs: Sequence[tuple[Fraction, Fraction]]) -> Set:
    found: Set = []
    for low, high in sorted(pairs):
        if found and low <= found[-1][1]:
            low, high = found[-1][0], max(high, found.pop()[1])
        found.append((low, high))
    return found


def intervals(value: Any, where: str) -> Set:
    pairs = [tuple(number(end, where) for end in listed(pair, where, 2))
             for pair in listed(value, where)]
    need(all(low <= high for low, high in pairs), f"{where} must be pairs low <= high")
    return union([(low, high) for low, high in pairs])


def line(form: Any, law: Any) -> Theorem:
    """A number plus noise of density q^-i on rung i, rounded down to a grid. If W is what one
    person changes, and B_i are rungs 0 to i, then B_i + W inside B_(i+1) for every i says that
    the rung of every answer changes by at most 1 (WXH, Theorem 3 and Corollary 1)."""
    need(set(form) == {"family", "changes"} and form["family"] == "line", "the space is no line")
    changes = intervals(form["changes"], "the changes")
    need([[str(low), str(high)] for low, high in changes] == form["changes"],
         "the changes must be disjoint, in order and in lowest terms")
    ratio, step, every = above_one(law, "ratio"), number(law["step"], "step"), Fraction(0)
    need(step > 0 and number(law["grid"], "grid") > 0, "step and grid must be above 0")
    rungs = [None if rung is None else intervals(rung, "a rung")
             for rung in listed(law["rungs"], "rungs")]
    filled = [pair for rung in rungs for pair in rung or []]
    need(bool(filled), "a rung at least must not be empty")
    moves = union([(sign * x, sign * y) if sign > 0 else (-y, -x)
                   for x, y in [*changes, (Fraction(0), Fraction(0))] for sign in (1, -1)])
    units = 1
    for end in [step, *(end for pair in [*changes, *filled] for end in pair)]:
        units = math.lcm(units, end.denominator)
        need(units < MOST_UNITS, "the numbers of a line have too long a common denominator")
    reach, most = max(max(abs(x), abs(y)) for x, y in filled), moves[-1][1]
    sizes = {sum((y - x for x, y in pairs), every) for pairs in (filled, union(filled))}
    need(sizes == {2 * reach}, "the rungs must fill an interval around 0, each point once")
    need((reach + step) * units < MOST_END, "the numbers of a line are too long together")
    need(0 < most <= step, "what a person changes must be above 0, and at most a step")
    top, bottom = ratio.as_integer_ratio()
    if len(rungs) * (top.bit_length() + bottom.bit_length()) > MOST_LENGTH:
        raise Unchecked("the claim: the weights of the rungs are too long")
    grown: Set = []
    work = 0
    for i in range(len(rungs)):
        grown = union([*grown, *(rungs[i] or [])])
        larger = rungs[i + 1] if i + 1 < len(rungs) else [(-reach - step, reach + step)]
        work += len(grown) * len(moves)
        if work > MOST_INTERVALS:
            raise Unchecked("the claim: there are too many intervals")
        moved = [(a + x, b + y) for a, b in grown for x, y in moves]
        allowed = union([*grown, *(larger or [])])
        need(union([*allowed, *moved]) == allowed,
             f"one person can move an answer from rung {i} beyond rung {i + 1}")
    mass, power = 0, 1  # of the listed rungs; their tail on either side is in the same unit
    for rung in rungs:
        mass = mass * top + int(sum((y - x for x, y in rung or []), every) * units) * power
        power *= bottom
    tail = int(step * units) * power
    near = (str(-reach), str(-reach - step))
    return Theorem(ratio, "what one person changes moves every rung into itself and the next one",
                   near=near, output=("every answer of 0 or more",
                                      Fraction(tail, mass * (top - bottom) + 2 * tail))
                   if most == step else None)


FORMS: dict[str, tuple[Callable[[Any, Any], Theorem], str, str]] = {  # fields and outputs, too
    "noise": (noise, "law ratio", "integers"),
    "subset": (sets, "ratio size", "sets"),
    "unary": (sets, "held added", "sets"),
    "ladder": (counts, "count ratio", "integers"),
    "smooth": (counts, "count growth shift", "integers"),
    "global": (counts, "count ratio first", "integers"),
    "quantile": (records, "rank ratio", "integers"),
    "mode": (records, "ratio", "integers"),
    "line": (line, "ratio step rungs grid", "multiples")}


# ------------------------------------------------------------------ 4. the report
def check(document: Any, level: Level, delta: Fraction, report: Any) -> None:
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
    need(kind in list(FORMS), "the form of the mechanism is not known")
    need(not more or kind in ("subset", "unary"), "such a mechanism is no base of a table")
    theorem_for, names, proper = FORMS[kind]
    need(report["evidence"] == "theorem", f"the evidence for a {kind} must be theorem")
    need(outputs == proper, f"the outputs of a {kind} must be {proper}")
    fields(law, names, f"a {kind}")
    need(isinstance(between, str), "neighbors must be a text")
    need(document["optimality"] is None, "optimality needs finitely many outputs")
    need(isinstance(form, dict) and "family" in form, "the space must be an object with a family")
    theorem = theorem_for(form, law)
    theorem.check(level, delta)
    report["checked"] = [f"the hypotheses of the theorem for {kind} that the document decides, and "
                         f"that the ratio is within the level; trusted: {theorem.said}", *more]
    if theorem.left:
        raise Unchecked(f"{theorem.left}: only those who hold the data can know")


def examine(document: Any) -> dict[str, Any]:
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
        check(document, level, number(delta, "delta"), report)
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
    delta = shown(*number(report["delta"], "delta").as_integer_ratio())
    yield f"claim        ε = {epsilon}, δ = {delta} ({report['evidence']})"
    yield from (f"checked      {sentence}" for sentence in report["checked"] or ["nothing"])
    yield from (f"NOT checked  {sentence}" for sentence in report["unchecked"] or ["nothing"])
    if (w := report["witness"]) is not None:
        first, second, outputs = (brief(w[key]) for key in ("first", "second", "outputs"))
        yield f"witness      inputs {first} and {second} give an output in {outputs}"
        yield f"             with probability {' and '.join(w['probabilities'])}: {w['reason']}"
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
    options = parser.parse_args(arguments)
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.reconfigure(errors="backslashreplace")
    document: Any = None
    try:
        document = read(options.file)
        report = examine(document)
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
