"""Proves or refutes the level that a document claims by a theorem, as far as it can be proved here.

    python receipt_theorems.py FILE [--json]

Laws on all integers, on sets or on the line are not written out, and neither are the datasets
that they are for: a theorem bounds what tells two neighbors apart by one ratio r. Here the
hypotheses that a document decides are checked, r is computed exactly, and compared with e^ε and δ.
A theorem about graphs or records also needs that whoever holds the data works out rungs or
sensitivities as it says; nobody else can know that, and it is named.
A release is read, too, and a plan of several: the laws, and whether the entry states the charge.
Read on from here: the level, the theorems, the document, the report. Only the standard library is
used, no code of the program that wrote the document or of the other checkers (receipt.py for
matrices and kernels, where a claim is explained).
Exit: 0 intact, and all proved that a document can prove; 1 changed or refuted; 2 not a document;
3 something that can be proved was not checked here.
"""

import gzip
import hashlib
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from typing import Any

MOST_BYTES = 1 << 30  # of a document, unpacked
MOST_DEPTH = 500  # of lists in lists
MOST_SCALE = 1 << 1000  # of a numerator or denominator in the description of a dataset
MOST_LENGTH = 1 << 18  # bits of a rational e^ε that may tie
MOST_TEXT = 1000  # characters of a number of positions
MOST_NUMBER = 10**15  # of points or people
MOST_NODES = 10**6  # of a graph
MOST_LISTED = 7  # of a graph among all graphs that are listed
MOST_DEGREES = 1000  # that are told apart
MOST_RUNGS = 10_000  # that neighbors are apart
MOST_SPREAD = 10_000  # that scores of neighbors are apart
MOST_REACH = 4096  # of the noise on the count of a key
MOST_RECORD = 1 << 61  # either sign
MOST_TOTALS = 250  # of one table
MOST_FUNCTIONS, MOST_VARIANCE = 50, 1 << 400  # of Gaussian noise
MOST_MODES = 10**7  # values among which the most frequent is looked for
MOST_INTERVALS = 2 * 10**6  # that are added up on the line
MOST_END, MOST_UNITS = 1 << 53, 1 << 1100  # of its ends in units, and of units to a whole
OTHERS = dict.fromkeys(("matrix", "kernel", "remapped"), "receipt.py")


class Malformed(Exception):
    """The file is not a document of this version."""


class Unchecked(Exception):
    """A claim that this program cannot check."""


class Refuted(Exception):
    """A false claim; the argument is the witness."""


def need(condition: object, sentence: str) -> None:
    if not condition:
        raise Malformed(sentence)


# ------------------------------------------------------------------ 1. the level
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
    """ε = rational + coefficient ln(base), above 0, and comparisons with e^ε."""

    def __init__(self, rational: Fraction, coefficient: Fraction, base: Fraction) -> None:
        need(base > 0 <= coefficient, "epsilon needs a base above 0 and a coefficient from 0")
        self.rational, self.base = rational, max(base, 1 / base)
        self.coefficient = coefficient * ((base > 1) - (base < 1))
        inside = decide(lambda bits: (Fraction(end, 1 << bits) for end in self.bounds(bits)),
                        lambda epsilon: (epsilon > 0, epsilon <= 10**6))
        need(all(inside), "epsilon must be above 0 and at most 1,000,000")

    def part(self, times: int) -> "Level":
        """The level over a whole number."""
        base = self.base if self.coefficient >= 0 else 1 / self.base
        return Level(self.rational / times, abs(self.coefficient) / times, base)

    def bounds(self, bits: int) -> tuple[int, int]:
        """Integers lower <= ε 2^bits <= upper."""
        grow = 2 + math.ceil(abs(self.coefficient)).bit_length()
        logs = logarithm(self.base, bits + grow) if self.coefficient else (0, 0)
        low, high = sorted(self.coefficient * log / (1 << grow) for log in logs)
        return (math.floor(self.rational * (1 << bits) + low),
                math.ceil(self.rational * (1 << bits) + high))

    def power(self, bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Fractions (n, m) below and above e^ε, to about so many bits; equal if it is one.

        By the theorems of Lindemann, Gelfond-Schneider and Baker it is transcendental unless it
        is base^(p/r), and that, in lowest terms, is rational only if base is an r-th power. One
        that is too long for any tie is bounded, too.
        """
        p, r = self.coefficient.as_integer_ratio()
        u, v = (root(part, r) for part in self.base.as_integer_ratio())
        if u and v and p * u.bit_length() <= 16 * MOST_LENGTH and not self.rational:
            return (u**p, v**p), (u**p, v**p)
        low, high = self.bounds(bits + 24)
        return exponential(max(low, 0), bits + 24, 0), exponential(high, bits + 24, 1)

    def asked(self, question: Callable[[int, int], Any]) -> Any:
        """The answer to a question about n/m = e^ε."""
        return decide(self.power, lambda end: question(*end))


def shown(n: int, m: int) -> str:
    """n / m as "p/q" if that is short, else to seven digits."""
    if max(n, m) < 1 << 99 or not n:
        return str(Fraction(n, m))
    j, k = (max(0, part.bit_length() - 4096) for part in (n, m))  # longer: slow decimals
    digits = Context(24, Emax=MAX_EMAX, Emin=MIN_EMIN)
    ratio = digits.divide(Decimal(n >> j), Decimal(m >> k))
    return f"{digits.multiply(ratio, digits.power(2, j - k)):.7g}"


# ------------------------------------------------------------------ 2. the theorems
Witness = tuple[Any, Any, Any, Fraction]  # two neighbors, outputs, and their probability if first


@dataclass(frozen=True)
class Theorem:
    """Between two neighbors the probability of every output differs by a factor of at most `ratio`.

    `apart`: the two neighbors who differ most, and all outputs where it is that factor; None if
    the ratio is a bound that need not be reached. `single`: two neighbors and one such output;
    None if none is known. `left`: what only those who hold the data can know. `times`: how often
    that factor may be met, so that it is compared with as small a part of the level. `delta`: the
    chance of an output that one neighbor never has, whatever ε is, met as often; all others are
    within the ratio.
    """

    ratio: Fraction
    said: str
    apart: Witness | None = None
    single: Witness | None = None
    left: str = ""
    times: int = 1
    delta: Fraction = Fraction(0)

    def check(self, level: Level, delta: Fraction) -> None:
        """Refuted, or Unchecked, if the claim does not follow from the theorem."""
        if self.delta > delta:
            raise Refuted({
                "first": "a unit with a key of its own", "second": "no units",
                "outputs": ["that key is released"],
                "probabilities": [shown(*self.delta.as_integer_ratio()), "0"],
                "reason": "that chance is above δ, whatever ε is"})
        if self.times * self.delta > delta:
            raise Unchecked(f"the claim: {self.times} times the δ of one key is proved; whether "
                            "less is enough is not known")
        least = self.ratio
        if self.apart:  # the hockey-stick sum is P(apart) (1 - e^ε / ratio)
            least = max(Fraction(0), self.ratio * (1 - delta / self.apart[3]))
        a, b = least.as_integer_ratio()
        if not level.part(self.times).asked(lambda n, m: a * m > b * n):
            return
        if (witness := self.apart if delta else self.single or self.apart) is None:
            raise Unchecked("the claim: the theorem bounds what tells neighbors apart by a factor "
                            f"{shown(a, b)}{' each time' * (self.times > 1)}, more than e^ε; "
                            "whether less is true is not known")
        first, second, where, chance = witness
        whole = power((self.ratio, self.times))
        a, b = (whole * least / self.ratio).as_integer_ratio()
        more = level.asked(lambda n, m: shown(a * m - b * n, b * n))
        raise Refuted({
            "first": first, "second": second, "outputs": [where],
            "probabilities": [shown(*x.as_integer_ratio()) for x in (chance, chance / whole)],
            "reason": f"the ratio{', less what δ allows,' * bool(delta)} is more than e^ε = "
                      f"{shown(*level.power(64)[1])}, by {more} of that"})


def above_one(law: Any, name: str) -> Fraction:
    ratio = number(law[name])
    need(ratio > 1, f"the {name} must be above 1")
    return ratio


def power(*ratios: tuple[Fraction, int]) -> Fraction:
    """The product of ratios, each to a power."""
    bits = (n * sum(part.bit_length() for part in q.as_integer_ratio()) for q, n in ratios)
    if sum(bits) > 8 * MOST_LENGTH:
        raise Unchecked("the claim: the ratio to that power is too long")
    return math.prod((q**n for q, n in ratios), start=Fraction(1))


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
    match form:
        case {"family": "path", "low": low, "high": high, **more}:
            whole(high, whole(low, -MOST_NUMBER, MOST_NUMBER) + 1, MOST_NUMBER)
            change = 1
        case {"family": "sum", "people": people, "max": change, **more}:
            whole(people, 1, MOST_NUMBER // whole(change, 1, MOST_NUMBER))
            low = 0
        case _:
            raise Malformed("noise needs a space of path or sum")
    need(not more, "the space has a field that its family does not have")
    step, first = 1, 1
    if law["law"] != "two-sided geometric":
        need(law["law"] == "staircase" and {"step", "first"} <= {*law}, "the noise is not known")
        step, first = whole(law["step"], change, MOST_SCALE), whole(law["first"], 1, MOST_SCALE)
    need(step >= change, "a step must be at least what one person changes")
    ratio = above_one(law, "ratio")
    apart, chance = steps(ratio, step, first, change)
    which = f"up to {low}" if step == 1 else f"that is likelier for {low}"
    return Theorem(
        ratio, "one person changes the value by at most a step of the noise, so the rung of every "
        "answer by at most 1", (low, low + change, f"every output {which}", apart),
        (low, low + 1, low - first + 1, chance))


def sets(form: Any, law: Any) -> Theorem:
    """Reports that hold the truth with one probability and other values with another: those with
    y and without x have one ratio r, those with x and without y have 1/r, all others 1."""
    match form:
        case {"family": "complete", "nodes": nodes, **more}:
            points: Sequence[Any] = range(whole(nodes, 2))
        case {"family": "categories", "values": [_, _, *_] as points, **more}:
            kinds = {*map(type, points)}
            named = kinds == {str} and all(points) and len({*points}) == len(points)
            need(named or (kinds == {int} and points == [*range(len(points))]),
                 "categories must be different texts that are not empty, or the numbers from 0")
        case _:
            raise Malformed("reports of sets need a space of categories or complete")
    need(not more, "the space has a field that its family does not have")
    k, where = len(points), f"every set with {points[0]} and without {points[1]}"
    if law["form"] == "subset":
        r, w = above_one(law, "ratio"), whole(law["size"], 1, k - 1)
        apart = w * r / (w * r + k - w) * Fraction(k - w, k - 1)
    else:
        p, q = (number(law[name]) for name in ("held", "added"))
        need(0 < q < p < 1, "a report must be likelier to hold the truth: 0 < added < held < 1")
        r, apart = p * (1 - q) / (q * (1 - p)), p * (1 - q)
    return Theorem(r, "the one ratio between any two inputs was computed exactly",
                   (points[0], points[1], where, apart))


def cut_graphs(form: Any) -> tuple[int, int]:
    """Nodes, and the largest degree that graphs are cut to; neighbors differ in edges at one node.

    An edge is kept, in a fixed order, if both ends have fewer than D kept ones. Beside the graph
    without the edges of a node v, a kept edge of v moves one other degree by 1; an edge elsewhere
    that is then kept in one graph only moves that difference to its other end. So degrees of two
    neighbors differ by at most t + t' + |t - t'| <= 2D in all, if v keeps t and t'.
    """
    need({*form} == {"family", "nodes", "degree"}, "cut graphs have nodes and a degree")
    nodes = whole(form["nodes"], 3, MOST_NODES)
    return nodes, whole(form["degree"], 1, nodes - 1)


def degrees(form: Any, law: Any) -> Theorem:
    """The numbers of nodes with degree at least 1, 2, ..., D change by no more than all degrees
    together, which one edge changes by 2, and one node of a cut graph by 2D."""
    ratio = above_one(law, "ratio")
    if form.get("family") == "cut-graphs":
        top = cut_graphs(form)[1]
        need(whole(law["degree"]) == top, "degrees of cut graphs are counted up to where they are "
             "cut")
        change, first, at = 2 * top, f"a star with {top} leaves", [top + 1, *[1] * (top - 1)]
    else:
        need({*form} == {"family", "nodes"} and form["family"] == "graphs", "degrees need graphs")
        top = whole(law["degree"], 1, whole(form["nodes"], 3, MOST_NODES) - 1)
        change, first, at = 2, "one edge", [2, *[0] * (top - 1)]
    need(top <= MOST_DEGREES, f"at most {MOST_DEGREES} degrees are told apart")
    return Theorem(ratio, f"the counts change by at most {change} in all, and two-sided geometric "
                   "noise by the factor q for each unit", times=change,
                   single=(first, "no edges", at, ((ratio - 1) / (ratio + 1)) ** top),
                   left="that the noise is around the degrees of the graph, cut as declared")


def cut_counts(form: Any, law: Any) -> Theorem:
    """Edges or k-stars of cut graphs: both have from 0 to t edges more than without v, and a star
    count moves by at most C(D - 1, k - 1) for each of t + t' units elsewhere, most if t = t' = D.
    """
    (nodes, top), kind = cut_graphs(form), law["count"]
    need(law["form"] == "global" and kind in ("edges", "stars2", "stars3"), "the count of cut "
         "graphs is not known")
    ratio, leaves = above_one(law, "ratio"), {"edges": 1, "stars2": 2, "stars3": 3}[kind]
    step = top if leaves == 1 else min(2 * leaves, nodes) * math.comb(top, leaves)
    need(step > 0, "the count is not known")
    whole(law["first"], 1, step)
    return Theorem(ratio, f"one node changes the count of a cut graph by at most {step}, a step of "
                   "the noise, so the rung of every answer by at most 1",
                   left=f"that the noise is around the {kind} of the graph, cut as declared")


def counts(form: Any, law: Any) -> Theorem:
    """Counts of subgraphs; neighbors differ in one edge, or in the edges at one node."""
    if form.get("family") == "cut-graphs":
        return cut_counts(form, law)
    need({*form} == {"family", "nodes"} and form["family"] == "graphs", "a count needs graphs")
    nodes, kind = whole(form["nodes"], 3, MOST_NODES), law["count"]
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
    if law["form"] == "privacy-first":
        need(kind == "edges" or nodes <= MOST_LISTED, "graphs on so many nodes are not listed")
        radius = whole(law["radius"], 0, tops[kind])
        left = f"that the rung of an answer is how many edges must change for the {kind} of the " \
               "graph to be within the radius of it"
        if kind == "edges":
            chance = 1 / (2 * radius + 1 + 2 / (ratio - 1))
            return Theorem(ratio, "every edge counts 1, so the rung of every answer changes by at "
                           "most 1 and the sum of all weights not at all",
                           single=("no edges", "one edge", -radius, chance), left=left)
        return Theorem(ratio**2, "one edge changes by at most 1 how many must change for an answer "
                       "to be right, so weights q^-rung and their sum by at most q each", left=left)
    if law["form"] == "ladder":
        return Theorem(ratio**2, "one edge changes the rung of every answer by at most 1, so "
                       "weights q^-rung and their sum by at most q each", left="that the width of "
                       f"each rung is the local sensitivity of the {kind} of the graph at that "
                       "distance, and the middle is their number")
    first, step = whole(law["first"]), most[kind]
    apart, chance = steps(ratio, step, first, step)
    pair = ("the complete graph", "the complete graph without one edge")
    return Theorem(ratio, f"one edge changes the count by at most {step}, a step of the noise, so "
                   "the rung of every answer by at most 1",
                   (*pair, f"every output that is likelier for {pair[0]}", apart),
                   (*pair, tops[kind] + first - 1, chance),
                   f"that the noise is around the {kind} of the graph")


def records(form: Any, law: Any) -> Theorem:
    """Quantiles and modes; neighbors differ in one record."""
    need({*form} == {"family", "size", "low", "high"} and form["family"] == "records",
         "a quantile or a mode needs records")
    size = whole(form["size"], 1, MOST_SCALE)
    low = whole(form["low"], 1 - MOST_RECORD, MOST_RECORD - 1)
    high = whole(form["high"], low + 1, MOST_RECORD - 1)
    if law["form"] == "quantile":
        whole(law["rank"], 1, size)
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


def intervals(value: Any) -> Set:
    pairs = [(number(low), number(high)) for low, high in (listed(x, 2) for x in listed(value))]
    need(all(low <= high for low, high in pairs), "intervals must be pairs low <= high")
    return union(pairs)


def line(form: Any, law: Any) -> Theorem:
    """A number plus noise of density q^-i on rung i, rounded down to a grid. If W is what one
    person changes, and B_i are rungs 0 to i, then B_i + W inside B_(i+1) for every i says that
    the rung of every answer changes by at most 1 (WXH, Theorem 3 and Corollary 1)."""
    need({*form} == {"family", "changes"} and form["family"] == "line", "the space is no line")
    changes = intervals(form["changes"])
    need([[str(low), str(high)] for low, high in changes] == form["changes"],
         "the changes must be disjoint, in order and in lowest terms")
    ratio, step, every = above_one(law, "ratio"), number(law["step"]), Fraction(0)
    need(step > 0 and number(law["grid"]) > 0, "step and grid must be above 0")
    rungs = [None if rung is None else intervals(rung) for rung in listed(law["rungs"])]
    filled = [pair for rung in rungs for pair in rung or []]
    need(filled, "a rung at least must not be empty")
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
    near = (str(-reach), str(-reach - step), "every answer of 0 or more",
            Fraction(tail, mass * (top - bottom) + 2 * tail))
    return Theorem(ratio, "what one person changes moves every rung into itself and the next one",
                   single=near if most == step else None)


def totals_of(form: Any) -> tuple[int, int]:
    """The most that one person adds to each total, and how many totals there are."""
    need({*form} == {"family", "people", "most", "length"} and form["family"] == "totals",
         "the space are no totals")
    most, k = whole(form["most"], 1, MOST_RECORD), whole(form["length"], 1, MOST_TOTALS)
    need(whole(form["people"], 1, MOST_RECORD) * most < MOST_RECORD, "the totals are too large")
    return most, k


def totals(form: Any, law: Any) -> Theorem:
    """Several totals plus noise: all |z_j| < first on rung 0, each further rung one person's most
    wider on every side. That c_T points lie in box T, c a polynomial of degree k, gives the sum
    of q^-rung over all points: the sum over j of the differences of c at 0 over (q - 1)^j."""
    most, k = totals_of(form)
    ratio, first = above_one(law, "ratio"), whole(law["first"], 1, most)
    top, bottom = ratio.as_integer_ratio()
    if (k + 2) * (top.bit_length() + bottom.bit_length()) > MOST_LENGTH:
        raise Unchecked("the claim: the weights of the rungs are too long")
    row = [(2 * (first + t * most) - 1) ** k for t in range(k + 1)]
    weight, power = 0, 1  # the sum times (top - bottom)^k
    for _ in range(k + 1):
        weight = weight * (top - bottom) + row[0] * power
        row, power = [b - a for a, b in pairwise(row)], power * bottom
    zeros = [0] * (k - 1)
    near = ([0] * k, [most, *zeros], [1 - first, *zeros], Fraction((top - bottom) ** k, weight))
    return Theorem(ratio, "one person moves each total by at most a step of the boxes, so the rung "
                   "of every answer by at most 1", single=near,
                   left=LEFT_OF_TOTALS.format(most))


LEFT_OF_TOTALS = ("that the numbers are totals to which each person adds 0 to {}, and how many "
                  "people there are")


class Gaussian(Theorem):
    """Independent discrete Gaussian noise of zCDP with ρ, which is `ratio`. For every order α > 1,
    ln δ = (α - 1) (α ρ - ε - ln(α/(α - 1))) - ln α is enough (Canonne, Kamath and Steinke, 2020);
    a good order is sought in doubles. Without a δ, the ratio of tails is above any e^ε: chances of
    more than e^-100,000 show it, if the variance is `delta` times the square of what one moves."""

    def check(self, level: Level, delta: Fraction) -> None:
        if not delta:
            if self.delta * Fraction(level.bounds(64)[1], 2**64) ** 2 > 10**5:
                raise Unchecked("the claim: the chances that tell neighbors apart are too small")
            raise Refuted({"reason": "far out Gaussian weights of neighbors have any ratio: "
                                     "without a δ there is no ε"})
        rho, epsilon, low, high = float(self.ratio), level.bounds(64)[0] / 2**64, -13.0, 60.0

        def bound(u: float) -> float:
            a = 1 + math.exp(u)
            return (a - 1) * (a * rho - epsilon + math.log1p(-1 / a)) - math.log(a)

        for _ in range(200):
            left, right = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, right) if bound(left) <= bound(right) else (left, high)
        order, bits = 1 + Fraction(math.ceil(math.exp(low) * 2**20), 2**20), 256
        logs = [logarithm(part, bits)[0] for part in (order / (order - 1), order)]
        most = (order - 1) * (order * self.ratio * 2**bits - level.bounds(bits)[0] - logs[0])
        if most - logs[1] + logarithm(1 / delta, bits)[1] > 0:
            raise Unchecked("the claim: that δ follows from ρ at no order that was tried")


def gaussians(form: Any, law: Any) -> Theorem:
    """Totals, or whole functions of them. One person moves each total by at most D, so coefficient
    i by at most Δ = D Σ|a|, and ρ is half the sum of Δ²/σ²; of orthogonal functions on m totals at
    most half of m D² times the largest |a|²/σ², by Bessel's inequality."""
    most, k = totals_of(form)
    variances = [number(value) for value in listed(law["variances"])]
    need(all(0 < v < MOST_VARIANCE and v.denominator <= MOST_VARIANCE for v in variances),
         "variances must be above 0 and short")
    if (rows := law["functions"]) is None:
        need(len(variances) == k, "there must be one variance for each total")
        moved = [Fraction(most)] * k
    else:
        word = re.compile(r"-?[0-9]{1,150}( -?[0-9]{1,150})*", re.ASCII)
        need(all(isinstance(row, str) and word.fullmatch(row) for row in listed(rows)),
             "functions must be rows of whole numbers in text")
        rows = [[int(a) for a in row.split(" ")] for row in rows]
        need(len(rows) == len(variances) <= MOST_FUNCTIONS
             and all(len(row) == k and any(row) for row in rows)
             and max(abs(a) for row in rows for a in row) < MOST_VARIANCE,
             "functions must have a number for each total, and a variance each")
        moved = [Fraction(most * sum(map(abs, row))) for row in rows]
    exposed = [by**2 / v for by, v in zip(moved, variances, strict=True)]
    rho = sum(exposed, Fraction(0)) / 2
    if rows is not None and not any(sum(a * b for a, b in zip(one, other, strict=True))
                   for one, other in combinations(rows, 2)):
        steepest = max(sum(a * a for a in row) / v for row, v in zip(rows, variances, strict=True))
        rho = min(rho, sum(map(any, zip(*rows, strict=True))) * most**2 * steepest / 2)
    return Gaussian(rho, "independent discrete Gaussian numbers have zCDP with half the sum of "
                    "Δ²/σ², and δ follows from its Rényi divergences", delta=1 / max(exposed),
                    left=LEFT_OF_TOTALS.format(most))


def tallies(form: Any, law: Any) -> Theorem:
    """Numbers of which neighbors change m, by c in all. Noise is on rung 0 below `first`, and rungs
    are `step` wide: the first unit of a change may cross into the next rung, and every `step`
    further ones cross one more, so at most m + (c - m) // step rungs are crossed in all."""
    need({*form} == {"family", "cells", "touched", "change"} and form["family"] == "tallies",
         "the numbers are not declared")
    cells, change = whole(form["cells"]), whole(form["change"], 1, 2**100)
    touched = whole(form["touched"], 1, min(cells, change))
    ratio, step = above_one(law, "ratio"), whole(law["step"], 1, 2**100)
    first = whole(law["first"], 1, step)
    crossed = touched + (change - touched) // step
    need(crossed <= MOST_RUNGS, f"neighbors are at most {MOST_RUNGS} rungs apart")
    rest, single = [0] * min(cells - touched, 8), None
    if cells <= 8:
        at = [1 - first] * touched + rest
        moved = [1 + change - touched, *[1] * (touched - 1), *rest]
        single = ([0] * cells, moved, at, (2 * first - 1 + 2 * step / (ratio - 1)) ** -cells)
    return Theorem(ratio, f"neighbors are at most {crossed} rungs apart in all, and each weighs q "
                   "times less than the one before", single=single, times=crossed,
                   left="that the numbers were added up as declared, and the noise is around them")


def steps_apart(form: Any, family: str) -> tuple[Fraction, int]:
    """Meters that neighbors are apart, and steps of the lattice that their cells are at most.
    No way along the ellipsoid is shorter than the straight line, nor that than what is seen of it
    from straight above; the nearest points of a convex set are no farther apart. Rounding to 1/64 m
    and in doubles moves a position by less than 1/80 m, and a cell's center is half a diagonal away
    at most: positions d meters apart are in cells (d + 1/40)/step + √2 steps apart at most.
    """
    need({*form} == {"family", "region", "within", "step"} and form["family"] == family,
         f"the {family} are not declared")
    match form["region"]:
        case {"box": box, **more}:
            west, south, east, north = map(short, listed(box, 4))
            corners = [(west, south), (east, north)]
            need(west < east and south < north, "the region is empty")
        case {"rings": rings, **more}:
            corners = [(short(lon), short(lat)) for ring in listed(rings)
                       for lon, lat in (listed(corner, 2) for corner in listed(ring))]
            need(all(len(ring) > 2 for ring in rings), "a ring needs at least three corners")
        case _:
            raise Malformed("the region is neither a box nor rings")
    lons = [lon for lon, _ in corners]
    need(not more and all(-180 <= lon <= 360 and abs(lat) <= 90 for lon, lat in corners)
         and max(lons) - min(lons) <= 180, "the region is not given in degrees as it must be")
    within, step = short(form["within"]), short(form["step"])
    room = within / 2 - Fraction(1, 40)
    need(step > 0 < room and 2 * step**2 <= room**2, "cells cost more than half of the distance")
    length = (within + Fraction(1, 40)) / step
    apart = math.ceil(length) + 1
    apart += (apart - length) ** 2 < 2
    need(apart <= MOST_RUNGS, f"neighbors are at most {MOST_RUNGS} steps apart")
    return within, apart


def positions(form: Any, law: Any) -> Theorem:
    """Cells of a lattice in the plane of a region, and noise that weighs q^-|z| on all of them, or
    is of a point with the density q^-|x| in the plane, rounded to a cell, which reads nothing else,
    or weighs q^-k on ring k, rings as wide as the cells of neighbors are apart."""
    within, apart = steps_apart(form, "positions")
    times, falls = apart, "each step weighs q times less"
    match law["form"]:
        case "planar-laplace":
            falls = "each step has a density q times less"
        case "planar-steps":
            whole(law["first"], 1, apart)
            times, falls = 1, "each ring of that width weighs q times less"
    return Theorem(above_one(law, "ratio"), f"positions at most {within} m apart are in cells at "
                   f"most {apart} steps apart, and {falls}", times=times, left="that the noise is "
                   "around the cell of the position in the plane of a region that a plane shows")


def traces(form: Any, law: Any) -> Theorem:
    """Rows that repeat the last output until a distance to it, with the noise of a test, is above a
    bar with noise of its own; then a fresh position q^-|z|, and a new bar. Of neighbors, m steps
    apart row by row, a bar that moves by m leaves below it what was below, and the test that went
    above needs at most 2m more; one bar, one test and one position for each that is fresh."""
    within, apart = steps_apart(form, "traces")
    fresh, ratios = whole(law["fresh"], 1, 100), [(above_one(law, "ratio"), apart)]
    whole(law["jump"], 0, 2**100)
    for name, change in (("bar", apart), ("test", 2 * apart)):
        step = whole(law[f"{name}_step"], 1, 2**100)
        whole(law[f"{name}_first"], 1, step)
        crossed = 1 + (change - 1) // step
        need(crossed <= MOST_RUNGS, f"neighbors are at most {MOST_RUNGS} rungs apart")
        ratios.append((above_one(law, name), crossed))
    return Theorem(power(*ratios), f"positions at most {within} m apart are in cells at most "
                   f"{apart} steps apart, so are tested distances, and a bar moved as far pays "
                   "for all tests that stay below it", times=fresh, left="that rows of one person "
                   "are one trace, that cells, tests and bars are those of its positions, and that "
                   "a plane shows that region")


def choices(form: Any, law: Any) -> Theorem:
    """One of many values by its score, of tables that differ in rows put in and taken out. If the
    scores of neighbors differ by between u and v, the threshold that exponential noise of rate
    ln q on one of them must pass moves by at most v - u; in steps of a width, c scores are at
    most (c + width - 1) // width of them."""
    need({*form} == {"family", "groups", "values", "added", "removed"}
         and form["family"] == "value-counts", "the counts are not declared")
    groups, added = whole(form["groups"], 1, 10**7), whole(form["added"], 1, 1 << 40)
    need(groups * whole(form["values"], 1, 1 << 60) <= 1 << 60, "there are more than 2^60 values")
    removed, ratio = whole(form["removed"], 0, added), above_one(law, "ratio")
    width = whole(law["width"], 1, 1 << 59)

    def crossed(rows: int, weight: int) -> int:
        return (rows * weight + min(groups, rows) * (width - 1)) // width

    if law["form"] == "frequent":
        picks = whole(law["picks"], 1, form["values"])
        apart = picks * (crossed(added, 1) + crossed(removed, 1))
        left = "that a score is how often its value occurs, and the values are chosen by it"
    else:
        below, above = (whole(law[name], 0, 10**6) for name in ("below", "above"))
        need(below or above, "rows below and above weigh nothing")
        whole(law["shift"], -(1 << 59), 1 << 59)
        most = max(added * below + removed * above, added * above + removed * below)
        apart = 2 * (-(-most // width) if groups == 1 else
                     crossed(added + removed, max(below, above)))
        left = "that a score is made of how many rows are below and above its value"
    need(apart <= MOST_SPREAD, f"neighbors are at most {MOST_SPREAD} scores apart")
    return Theorem(ratio, f"the changes of all scores lie within {apart} of each other, and "
                   "exponential noise falls by q with every score", times=apart, left=left)


def keys(form: Any, law: Any) -> Theorem:
    """Keys that nobody listed, of which a unit is in a few; its unit more changes each by 1. Alone,
    a key of n units is released with p(n) = min(1, q p(n - 1) + d, 1 - (1 - p(n - 1) - d)/q) and
    p(0) = 0: (ln q, d) by itself. With its count, it has noise z of weight q^-|z| up to the reach
    and is released above that: at n and n + 1 every output weighs q times more or less, but one end
    of the noise, of chance d; and one unit alone is released at that end only. Keys are drawn
    independently, so levels and chances of a unit's keys add up."""
    need({*form} == {"family", "touched"} and form["family"] == "key-counts",
         "the keys are not declared")
    touched, ratio = whole(form["touched"], 1, 10_000), above_one(law, "ratio")
    if law["form"] == "key-selection":
        single = number(law["delta"])
        need(0 < single < 1, "a delta must be above 0 and below 1")
    else:
        far = power((ratio, whole(law["reach"], 1, MOST_REACH)))
        single = (ratio - 1) / ((ratio + 1) * far - 2)
    return Theorem(ratio, f"a unit is in at most {touched} keys, which are drawn independently",
                   left="that n is the number of units with a key, none of them in more keys",
                   times=touched, delta=single)


def neighbors_of(form: Any) -> str:
    """What a document calls the neighbors of a space or of datasets."""
    def near(meters: str) -> str:
        return f"any two positions on Earth at most {meters} m apart along the ellipsoid WGS84"

    match form:
        case {"family": "tallies", "cells": cells, "touched": touched, "change": change}:
            return (f"lists of {cells:,} whole number{'s' * (cells > 1)} that differ in at most "
                    f"{touched:,} of them, by at most {change:,} in all")
        case {"family": "value-counts", "added": added, "removed": removed}:
            return (f"tables that differ in at most {added:,} rows put in and {removed:,} taken "
                    "out, or the other way round")
        case {"family": "key-counts", "touched": touched}:
            some = "1 key has" if touched == 1 else f"{touched:,} keys have"
            return f"tables in which at most {some} one unit more or less; keys are not listed"
        case {"family": "line", "changes": changes}:
            parts = [low if low == high else f"{low} to {high}" for low, high in changes[:4]]
            far = max(abs(number(end)) for pair in changes for end in pair)
            more = [f"more, up to {far}"] * (len(changes) > 4)
            return f"any two values that differ by {', or '.join(parts + more)}"
        case {"family": "positions", "within": within}:
            return near(within)
        case {"family": "traces", "within": within}:
            return f"traces of as many rows, row by row {near(within)}"
    return NEIGHBORS[form["family"]]


NEIGHBORS = {
    "path": "counts that differ by one", "sum": "one person's contribution changed",
    "complete": "any two nodes", "categories": "any two values",
    "graphs": "all graphs on these nodes that differ in one edge; the nodes are public",
    "cut-graphs": "all graphs on these nodes that differ in edges at one node: a node is rewired, "
                  "none is added or removed; the nodes are public",
    "records": "databases of equal size that differ in one record; values outside the bounds are "
               "moved to the nearest bound",
    "totals": "tables of equally many people that differ in all numbers of one person"}

FORMS: dict[str, tuple[Callable[[Any, Any], Theorem], str, str]] = {  # fields and outputs, too
    "noise": (noise, "law ratio", "integers"),
    "subset": (sets, "ratio size", "sets"),
    "unary": (sets, "held added", "sets"),
    "ladder": (counts, "count ratio", "integers"),
    "smooth": (counts, "count growth shift", "integers"),
    "global": (counts, "count ratio first", "integers"),
    "privacy-first": (counts, "count radius ratio", "integers"),
    "degrees": (degrees, "degree ratio", "vectors"),
    "tally": (tallies, "ratio step first", "vectors"),
    "rank": (choices, "below above shift ratio width", "vectors"),
    "frequent": (choices, "picks ratio width", "vectors"),
    "key-selection": (keys, "ratio delta", "keys"),
    "key-noise": (keys, "ratio reach", "keys"),
    "quantile": (records, "rank ratio", "integers"),
    "mode": (records, "ratio", "integers"),
    "line": (line, "ratio step rungs grid", "multiples"),
    "box": (totals, "ratio first", "vectors"),
    "gaussian": (gaussians, "variances functions", "vectors"),
    "planar": (positions, "ratio", "vectors"),
    "planar-laplace": (positions, "ratio", "vectors"),
    "planar-steps": (positions, "ratio first", "vectors"),
    "trace": (traces, "fresh jump ratio bar bar_step bar_first test test_step test_first",
              "vectors")}


# ------------------------------------------------------------------ 3. the document
# characters that no text may hold: controls, separators of lines, turns of the writing direction,
# halves of characters, and what Unicode says is none
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


def sha(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def intact(document: Any, kind: str = "tightrope/mechanism") -> bool:
    """Whether the digest of a document of this version is the one of its other fields."""
    rest = dict(document) if isinstance(document, dict) else {}
    version, digest = rest.get("version"), rest.pop("digest", None)
    need(rest.get("format") == kind and type(version) is int and version in (1, 2)
         and isinstance(digest, str), f"it is no {kind} of version 1 or 2 with a digest")
    need(kind != "tightrope/release" or version == 2, "it is older than 0.2.0; no longer read")
    need(kind != PLAN or version == 1, f"it is no {PLAN} of version 1")
    return bool(digest == "sha256:" + sha(rest))


def whole(value: Any, least: int = 1, most: int = 10**15) -> int:
    fits = type(value) is int and least <= value <= most
    need(fits, f"{ascii(value)[:60]} is no whole number from {least} to {most}")
    return int(value)


def number(value: Any) -> Fraction:
    """A fraction written "p/q" or "p"."""
    pattern = r"(-?[0-9]{1,4300})(?:/([0-9]{1,4300}))?"
    match: Any = re.fullmatch(pattern, value if isinstance(value, str) else "")
    need(match and int(match[2] or 1), f'{ascii(value)[:60]} is no fraction in text, as "1/2" is')
    return Fraction(int(match[1]), int(match[2] or 1))


def short(value: Any) -> Fraction:
    """A fraction in lowest terms of at most MOST_TEXT characters, as positions are written."""
    found = number(value)
    need(len(value) <= MOST_TEXT and str(found) == value, f"the fraction {value[:60]} is too long")
    return found


def listed(value: Any, size: int | None = None) -> list[Any]:
    fits = isinstance(value, list) and len(value) > 0 and size in (None, len(value))
    need(fits, f"{ascii(value)[:60]} is no list of {size or 'at least one'}")
    return list(value)


# ------------------------------------------------------------------ 4. the report
def level_of(stated: Any) -> Level:
    return Level(*(number(stated[name]) for name in ("rational", "coefficient", "base")))


def text_of(stated: Any) -> str:
    level, factor, log = level_of(stated), stated["coefficient"], f"ln({stated['base']})"
    parts = [log if factor == "1" else f"{factor}*{log}"] * (level.coefficient != 0)
    return " + ".join([stated["rational"]] * (level.rational != 0) + parts)


def check(document: Any, report: dict[str, Any]) -> None:
    """Writes into the report what is claimed and checked; raises what else there is to say."""
    match document:
        case {"claim": {"epsilon": {"rational": _, "coefficient": _, "base": _} as epsilon,
                        "delta": delta, "evidence": evidence}, "space": form,
              "outputs": outputs, "mechanism": law, "optimality": best}:
            level, limit, more = level_of(epsilon), number(delta), []
        case _:
            raise Malformed("the document lacks a field")
    need(0 <= limit < 1, "delta must be at least 0 and below 1")
    need(evidence in ["enumerated", "kernel", "theorem"], "that evidence is not known")
    need(isinstance(document.get("construction"), dict | None), "construction must be an object")
    report.update(epsilon=text_of(epsilon), delta=delta, evidence=evidence)
    match law:
        case {"form": "table", "rows": rows, "base": law}:
            more = [f"that is one row; the {whole(rows, 0)} rows of a table are randomized "
                    "independently, so tables that differ in one row are protected as one row is"]
    kind: Any = law.get("form") if isinstance(law, dict) else None
    if kind in list(OTHERS):
        raise Unchecked(f"the claim: {OTHERS[kind]} checks mechanisms of the form {kind}")
    need(kind in list(FORMS), "the form of the mechanism is not known")
    need(isinstance(form, dict), "the space must be an object")
    theorem_for, names, proper = FORMS[kind]
    need({*names.split()} <= {*law}, f"a {kind} has the fields {names}")
    need(not more or kind in ("subset", "unary"), "such a mechanism is no base of a table")
    need(evidence == "theorem" and outputs == proper and best is None,
         f"a {kind} needs theorem as evidence, {proper} as outputs, and no optimality")
    try:
        theorem = theorem_for(form, law)
    except Unchecked:
        check_neighbors(document, neighbors_of(form))
        raise
    report["neighbors"] = check_neighbors(document, neighbors_of(form))
    theorem.check(level, limit)
    report["checked"] = [f"the hypotheses of the theorem for {kind} that the document decides, and "
                         f"that the ratio is within the level; trusted: {theorem.said}", *more]
    report["only_holder"] = [theorem.left] * bool(theorem.left)


def check_neighbors(document: Any, words: str) -> str:
    """The words for neighbors, which documents of version 1 state and later ones leave out."""
    need({x: document[x] for x in document if x == "neighbors"} == (
        {"neighbors": words} if document["version"] == 1 else {}),
         "neighbors must be those of the space; in version 2, left out")
    return words


def spend(laws: list[Any], total: Any) -> None:
    """Refuted if the levels of the laws add up to more than the total, Unchecked if it is open."""
    claims = [law["claim"] for law in laws]
    parts, whole = [level_of(claim["epsilon"]) for claim in claims], level_of(total)
    logs = {level.base for level in (*parts, whole) if level.coefficient}
    alike = len(logs) <= 1 and all(sum(getattr(level, name) for level in parts)
                                   <= getattr(whole, name) for name in ("rational", "coefficient"))
    low, high = (sum(level.bounds(4096)[end] for level in parts) for end in (0, 1))
    over = sum(number(claim["delta"]) for claim in claims) > number(total["delta"])
    if over or (not alike and low > whole.bounds(4096)[1]):
        raise Refuted({"reason": "the laws cost more together than is charged"})
    if not alike and high > whole.bounds(4096)[0]:
        raise Unchecked("that the levels of the laws add up to at most the charge")


def claimed(level: Any) -> Any:
    """A level as the claim of a law states it."""
    return {"claim": {"epsilon": level, "delta": level["delta"]}}


def written_level(stated: Any) -> Level:
    """A level with δ as an entry writes it: in lowest terms, and without a logarithm of 1."""
    names = ("rational", "coefficient", "base", "delta")
    need(isinstance(stated, dict) and {*stated} == {*names} and all(
        str(number(stated[name])) == stated[name] for name in names), "an entry has another level")
    need((stated["coefficient"] == "0") == (stated["base"] == "1")
         and 0 <= number(stated["delta"]) < 1, "an entry has another level")
    return level_of(stated)


def typed(entry: Any, head: Any, *more: str) -> None:
    """Malformed unless every field of an entry has its type: text could say anything instead."""
    names = {"number", "kind", "budget", "time", "question", "scope", "level", "mechanism",
             "declaration", "request", "law", "spent", "seal", *more}
    need(isinstance(entry, dict) and {*entry} in (names, names | {"asker", "asker_spent"}),
         "an entry has other fields")
    scope, one = entry["scope"], "[0-9a-f]{64}"
    need(isinstance(scope, dict) and {*scope} == {"dataset", "unit", "neighbors", "metric"},
         "the scope of an entry has other fields")
    texts = [*scope.values(), *(entry[name] for name in ("budget", "question", "mechanism")),
             *[entry["request"]] * (entry["request"] is not None), entry.get("asker", "nobody")]
    need(all(isinstance(text, str) and text.strip() for text in texts), "an entry lacks a text")
    written_level(entry["level"])
    whole(entry["number"], 2)  # the first record is a budget
    for value, pattern in ((entry["time"], r"\d{4}(-\d\d){2}T\d\d(:\d\d){2}\+00:00"),
                           (entry["seal"], one), (head, one), (entry["declaration"], one),
                           (entry["law"], f"sha256:{one}")):
        need(isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII),
             "a time, seal or digest is not written as a ledger writes it")


def covered(spent: Any, charge: Any) -> None:
    """Refuted if less was spent than is charged, Unchecked if it is open."""
    part, total = written_level(charge), written_level(spent)
    (low, high), (least, most) = part.bounds(4096), total.bounds(4096)
    if most < low or number(spent["delta"]) < number(charge["delta"]):
        raise Refuted({"reason": "the entry says that less was spent than it charges"})
    if least < high and [charge[x] for x in charge if x != "delta"] != [
            spent[x] for x in charge if x != "delta"]:
        raise Unchecked("that what the entry says was spent is no less than its charge")


def code_of(asked: Any) -> str:
    """The question as an entry states it: its text, after a code if an optimum was asked for."""
    aim = asked["optimal"]
    best = f"optimal:{aim if isinstance(aim, str) else 'weights'} " if aim is not None else ""
    return best + str(asked["question"])


def release(document: Any, report: dict[str, Any]) -> None:
    """Each law is proved; their levels add up to at most the charge; the entry states question,
    charge, laws, declaration and protected unit of the release, or of every part of a plan."""
    plan = document["format"] == PLAN
    match document:
        case {"declared": {"dataset": dataset, "unit": {
                  "person": person, "neighbors": str() as neighbors, "size": size}} as declared,
              "asked": dict() as asked, "entry": entry, "head": head}:
            typed(entry, head, *["parts", "terms"] * plan)
        case _:
            raise Malformed("the release lacks a field")
    parts = listed(document.get("parts")) if plan else [document]
    for part in parts:
        match part:
            case {"asked": {"question": str(), "optimal": _, "level": level}, "laws": [_, *_]}:
                written_level(level)
            case _:
                raise Malformed("the release lacks a field")
    laws = [law for part in parts for law in part["laws"]]
    charge = entry["level"] if plan else asked["level"]
    report.update(epsilon=text_of(charge), delta=charge["delta"], evidence="theorem")
    report["intact"] &= all(map(intact, laws))
    need(all(isinstance(law.get("mechanism"), dict) for law in laws), "a law has no mechanism")
    several = f"each:{json.dumps(person, separators=(',', ':'))}"
    unit = "row" if person is None else several if isinstance(person, list) else f"person:{person}"
    scope = {"dataset": dataset, "unit": unit,
             "neighbors": neighbors + (f":units={size}" if size is not None else ""),
             "metric": "units"}
    own = {"kind": "charge", "question": f"plan:{len(parts)}" if plan else code_of(asked),
           "level": charge, "scope": scope,
           "law": "sha256:" + sha({"laws": laws}), "declaration": sha(declared),
           "mechanism": ",".join(dict.fromkeys(str(law["mechanism"].get("form")) for law in laws))}
    if plan:
        need({*asked} - {"known"} == {"name", "total"}, "a plan has a name and a total")
        own |= {"request": asked["name"], "parts": [
            {"question": code_of(part["asked"]), "level": part["asked"]["level"]}
            for part in parts], "terms": "sha256:" + sha(asked)}
    for name, value in own.items():
        if sha(entry[name]) != sha(value):
            raise Refuted({"reason": f"the entry states another {name} than the release"})
    left, holder = [], [*ONLY_HOLDER]
    done = ["the entry states this question, declaration, unit, charge and these laws"]
    for law in laws:
        found: dict[str, Any] = {"checked": [], "only_holder": []}
        try:
            check(law, found)
        except Unchecked as reason:
            left.append(str(reason))
        done, holder = done + found["checked"], holder + found["only_holder"]
    sums: list[tuple[Any, Any, Any, str]] = [
        (spend, laws, charge, "the levels of the laws add up to at most the charge"),
        (covered, entry["spent"], charge, "the entry says that at least its charge was spent"),
        (covered, entry.get("asker_spent", entry["spent"]), charge,
         "and by its asker, if one asks")]
    if plan:
        written_level(asked["total"])
        sums += [(spend, part["laws"], part["asked"]["level"],
                  "the laws of each question are within its level") for part in parts]
        sums += [(spend, [claimed(part["asked"]["level"]) for part in parts], charge,
                  "the levels of the questions add up to at most the charge"),
                 (spend, [claimed(charge)], asked["total"], "the charge is within the total")]
    for ask, other, most, sentence in sums:
        try:
            ask(other, most)
            done.append(sentence)
        except Unchecked as reason:
            left.append(str(reason))
    done = [*dict.fromkeys(done)]
    kinds = " and ".join(dict.fromkeys(law["claim"]["evidence"] for law in laws))
    left, holder = ([*dict.fromkeys(each)] for each in ([*left, LEFT_OF_A_RELEASE], holder))
    report.update(evidence=kinds, checked=done, unchecked=left, only_holder=holder)


PLAN = "tightrope/plan"
LEFT_OF_A_RELEASE = (
    "that these laws are what the question asks for, that one unit changes so much, as declared, "
    "and that answers follow from what was drawn: tightrope verify checks that")
ONLY_HOLDER = (
    "that the entry is in a ledger whose lines all follow: whoever holds ledger and key can tell",
    "that what was drawn is around the statistic of the data")


def examine(document: Any) -> dict[str, Any]:
    """What is claimed, whether it is intact and holds, what was checked and what was not; of a
    document that was changed and is none any more, why not."""
    kind = document.get("format") if isinstance(document, dict) else None
    released = kind in ("tightrope/release", PLAN)
    report: dict[str, Any] = {
        "holds": None, "intact": intact(document, str(kind) if released else
                                        "tightrope/mechanism"), "epsilon": None, "delta": None,
        "evidence": None, "neighbors": None, "checked": [], "unchecked": [], "only_holder": [],
        "witness": None, "optimality": None, "components": 1, "nearest": None}
    try:
        (release if released else check)(document, report)
    except Unchecked as reason:
        report["unchecked"] += [str(reason)]
    except Refuted as refuted:
        report["witness"] = refuted.args[0]
        report["checked"] = ["the form of the document, and its claim up to the first violation"]
    except (Malformed, RecursionError, MemoryError) as error:
        if report["intact"]:
            raise
        return {"holds": None, "intact": False, "error": str(error) or "it is too large"}
    report["holds"] = False if report["witness"] else None if report["unchecked"] else True
    return report


def lines(document: Any, report: dict[str, Any]) -> Iterator[str]:
    """The report for people; of a long text in the document both ends, and its length."""
    def brief(text: str) -> str:
        return f"{text[:30]} ... {text[-30:]} ({len(text)} characters)" if text[60:] else text

    yield f"digest       {'intact' if report['intact'] else 'CHANGED since it was computed'}"
    if released := "asked" in document:
        asked = document["asked"]
        yield f"release      {brief(json.dumps(asked.get('question', asked.get('name'))))}"
    else:
        yield f"space        {brief(json.dumps(document['space']))}"
        yield f"neighbors    {brief(report['neighbors'] or 'not worked out')}"
    stated = document["entry"]["level"] if released else document["claim"]["epsilon"]
    level, delta = level_of(stated), number(report["delta"])
    about = shown(*level.rational.as_integer_ratio()) if not level.coefficient else decide(
        lambda bits: ((end, 1 << bits) for end in level.bounds(bits)), lambda end: shown(*end))
    yield (f"claim        ε = {brief(text_of(stated))}, about {about}, "
           f"δ = {shown(*delta.as_integer_ratio())} ({brief(str(report['evidence']))})")
    yield from (f"checked      {sentence}" for sentence in report["checked"] or ["nothing"])
    yield from (f"NOT checked  {sentence}" for sentence in report["unchecked"] or ["nothing"])
    yield from (f"holder only  {sentence}" for sentence in report["only_holder"])
    w = report["witness"]
    if w and "first" not in w:
        yield f"FALSE        {w['reason']}"
    elif w:
        first, second, outputs = (brief(json.dumps(w[x])) for x in ("first", "second", "outputs"))
        yield f"witness      inputs {first} and {second} give an output in {outputs}"
        yield f"             with probability {' and '.join(w['probabilities'])}: {w['reason']}"
    proved = "everything that a document can prove holds" if report["only_holder"] else (
        "the claim is proved")
    verdicts = {True: proved, False: "the claim is FALSE", None: "not all proved"}
    yield f"verdict      {verdicts[report['holds']]}"


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    files = [word for word in words if word != "--json"]
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.reconfigure(errors="backslashreplace")
    if len(files) != 1 or files[0].startswith("-"):
        print("usage: python receipt_theorems.py FILE [--json]", file=sys.stderr)
        return 2
    document: Any = None
    try:
        document = read(files[0])
        report = examine(document)
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
