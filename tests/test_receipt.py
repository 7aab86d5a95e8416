"""The stand-alone receipt against plain fractions: every family, form and way to be wrong.

What both checkers contain (the file, numbers, distances, the report) is tried here in both.
"""

from __future__ import annotations

import ast
import contextlib
import gzip
import json
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction
from io import BytesIO, TextIOWrapper
from itertools import combinations, product
from math import isqrt, lcm, sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.receipts import (
    BOTH,
    FAMILIES,
    GOOD,
    LEVELS,
    LN2,
    ONE,
    PATH3,
    RATIONAL,
    RECEIPT,
    STRIDES,
    THEOREMS,
    alone,
    assert_broken,
    checker,
    document,
    few,
    gaps,
    judged,
    kernel,
    matrix,
    nearly_private,
    noise,
    normalized,
    pairs_of,
    power,
    private,
    run,
    sealed,
    token,
    value,
    written,
)
from tests.relations import ANY

# ---------------------------------------------------------------- numbers


def quotient(pair: tuple[int, int]) -> Decimal:
    return Decimal(pair[0]) / Decimal(pair[1])


@few
@pytest.mark.parametrize("receipt", BOTH)
@given(st.fractions(0, 3000), st.integers(20, 300))
def test_bounds_enclose_the_exponential(receipt: Any, size: Fraction, bits: int) -> None:
    x = int(size * (1 << bits))
    with localcontext() as context:
        context.prec = 200
        true = (Decimal(x) / Decimal(2) ** bits).exp()
        low, high = (quotient(receipt.exponential(x, bits, up)) for up in (0, 1))
        assert low <= true <= high
        assert high - low <= true / Decimal(2) ** (bits - 12)


@pytest.mark.parametrize("receipt", BOTH)
def test_bounds_enclose_exponential_and_logarithm_at_every_small_precision(receipt: Any) -> None:
    with localcontext() as context:
        context.prec = 60
        for bits in range(1, 9):
            for x in range(0, 12 << bits, 1 + (bits > 5)):
                true = (Decimal(x) / (1 << bits)).exp()
                low, high = (quotient(receipt.exponential(x, bits, up)) for up in (0, 1))
                assert low <= true <= high
            for over in range(3, 40):
                for under in range(1, over, 3):
                    low, high = receipt.logarithm(Fraction(over, under), bits)
                    assert low <= (Decimal(over) / under).ln() * (1 << bits) <= high


@pytest.mark.parametrize("receipt", BOTH)
def test_every_term_of_the_series_is_rounded_up_for_an_upper_bound(receipt: Any) -> None:
    with localcontext() as context:
        context.prec = 60
        for x, bits in ((50301, 20), (9274150, 30), (8072822229, 40)):  # found by search: no
            true = (Decimal(x) / (1 << bits)).exp()  # other rounding makes up for a term
            assert true <= quotient(receipt.exponential(x, bits, 1))


@pytest.mark.parametrize("receipt", BOTH)
@pytest.mark.parametrize("digits", [20, 300, 1000])
def test_the_logarithm_of_what_hardly_differs_from_one_is_enclosed(
    receipt: Any, digits: int
) -> None:
    for bits in (30, 64, 200, 4000):  # ln(1 + x) = x - x²/2 + ..., from 0 bits of x to nearly all
        tiny = Fraction(1, 10**digits)
        low, high = receipt.logarithm(1 + tiny, bits)
        assert low <= (tiny - tiny**2 / 3) * 2**bits
        assert (tiny - tiny**2) * 2**bits <= high
        assert high - low <= 8


@few
@pytest.mark.parametrize("receipt", BOTH)
@given(st.fractions(min_value=0, max_value=10**6), st.integers(10, 300))
def test_bounds_enclose_the_logarithm(receipt: Any, excess: Fraction, bits: int) -> None:
    base = 1 + excess + Fraction(1, 10**9)
    with localcontext() as context:
        context.prec = 200
        true = (Decimal(base.numerator) / base.denominator).ln() * Decimal(2) ** bits
        low, high = receipt.logarithm(base, bits)
        assert low <= true <= high
        assert high - low <= 8


lengths = st.recursive(
    st.one_of(st.integers(1, 9), st.fractions(1, 20, max_denominator=9),
              st.fractions(1, 20, max_denominator=9).map(RECEIPT.root_of)),
    lambda inner: st.tuples(st.sampled_from(["sum", "max"]), inner, inner), max_leaves=4)
levels = st.tuples(st.fractions(0, 3, max_denominator=50), st.fractions(0, 2, max_denominator=50),
                   st.fractions(Fraction(1, 9), 9, max_denominator=50))


@few
@given(levels, lengths, st.integers(0, 150))
def test_bounds_enclose_lengths_levels_and_powers(
    parts: tuple[Fraction, Fraction, Fraction], length: Any, bits: int
) -> None:
    with localcontext() as context:
        context.prec = 120
        d = value(length)
        low, high = RECEIPT.bounds(length, bits)
        slack = Decimal("1e-50") * (1 << bits)
        assert low - slack <= d * (1 << bits) <= high + slack
        assert high - low <= 8
        assert high > low or d * (1 << bits) == low
        r, c, b = (Decimal(x.numerator) / x.denominator for x in parts)
        size = r + c * b.ln()
        if size > Decimal("0.001"):
            level = RECEIPT.Level(*parts)
            low, high = RECEIPT.bounds(level.epsilon, bits)
            assert low <= size * (1 << bits) <= high
            assert high - low <= 20  # twice the width of a logarithm, and its ends rounded
            low, high = map(quotient, level.power(length, bits))
            true = (size * d).exp()
            assert low <= true * (1 + Decimal("1e-50"))
            assert high >= true * (1 - Decimal("1e-50"))
            assert high - low <= true / (1 << bits)


@pytest.mark.parametrize("parts", [("1/3", "0", "1"), ("0", "1/3", "2"), ("1/7", "2/3", "5/4"),
                                   ("100/3", "0", "1"), ("3", "1", "1/7")])
def test_bounds_of_powers_far_out_enclose_to_the_last_bit(
    parts: tuple[str, str, str]
) -> None:
    """Far out, what is cut off of ε and d counts for more than all rounding after it."""
    level = RECEIPT.Level(*map(Fraction, parts))
    with localcontext() as context:
        context.prec = 120
        r, c, b = (Decimal(x.numerator) / x.denominator for x in map(Fraction, parts))
        for length in (1, Fraction(9999, 7), ("root", Fraction(10**7 + 1, 3)),
                       ("sum", 5, ("root", Fraction(10**7)))):
            true = ((r + c * b.ln()) * value(length)).exp()
            for bits in (0, 1, 7, 40, 64):
                low, high = map(quotient, level.power(length, bits))
                assert low <= true <= high


@few
@given(st.fractions(-20, 20, max_denominator=99), st.fractions(-20, 20, max_denominator=99),
       st.integers(0, 12))
def test_products_and_sums_are_rounded_outward(
    a: Fraction, b: Fraction, bits: int
) -> None:
    for how, true in (("times", a * b), ("sum", a + b), ("max", max(a, b))):
        low, high = RECEIPT.bounds((how, a, b), bits)
        assert low <= true * 2**bits <= high
        assert high - low <= 44  # the larger of both factors, and the rounding


@few
@given(levels, st.fractions(0, 20, max_denominator=50), st.integers(-200, 200))
def test_a_ratio_near_the_level_is_decided(
    parts: tuple[Fraction, Fraction, Fraction], square: Fraction, nudge: int
) -> None:
    rational, coefficient, base = parts
    with localcontext() as context:
        context.prec = 400
        log = (Decimal(base.numerator) / base.denominator).ln()
        size = Decimal(rational.numerator) / rational.denominator
        size += Decimal(coefficient.numerator) / coefficient.denominator * log
        if size <= 0 or not square:
            return
        root = (Decimal(square.numerator) / square.denominator).sqrt()
        true = (size * root).exp()
        ratio = Fraction(true) * (1 + Fraction(nudge, 10**150))
    if nudge:
        level = RECEIPT.Level(*parts)
        found = level.exceeded(*ratio.as_integer_ratio(), RECEIPT.root_of(square))
        assert found == (nudge > 0)


@pytest.mark.parametrize("r", [1, 2, 3, 7])
@pytest.mark.parametrize("base", ["2", "3/2", "1000/7"])
def test_a_tie_is_allowed_and_a_hair_more_is_not(base: str, r: int) -> None:
    level = RECEIPT.Level(Fraction(0), Fraction(1, r), Fraction(base) ** r)
    for d in (1, 5, Fraction(3)):
        p, q = (Fraction(base) ** int(d)).as_integer_ratio()
        assert not level.exceeded(p, q, d)
        assert level.exceeded((p << 5000) + 1, q << 5000, d)
        assert not level.exceeded((p << 5000) - 1, q << 5000, d)


def test_a_base_below_one_takes_away_from_the_level() -> None:
    level = RECEIPT.Level(Fraction(2), Fraction(1), Fraction(1, 2))  # e^ε = e^2 / 2 = 3.69...
    assert not level.exceeded(369, 100, 1)
    assert level.exceeded(370, 100, 1)


def test_powers_too_long_to_write_out_are_still_compared() -> None:
    level = RECEIPT.Level(Fraction(0), Fraction(10**12), Fraction(10**9 + 1, 10**9))  # about e^1000
    assert not level.exceeded(1 << 1442, 1, 1)
    assert level.exceeded(1 << 1443, 1, 1)
    huge = RECEIPT.Level(Fraction(10**6), Fraction(0), Fraction(1))
    for far in (10**30, ("root", Fraction(2**1999))):
        assert not huge.exceeded(1 << 260_000, 1, far)
        assert huge.exceeded(1, 0, far)
        assert huge.asked(far, lambda n, m: (m << 96) // n) == 0


@pytest.mark.parametrize("parts", [("0", "1", "2"), ("0", "1/2", "9/4"), ("1/3", "0", "1"),
                                   ("0", "1", "3"), ("1/10", "1/7", "5"), ("30", "0", "1")])
def test_whole_parts_are_decided(parts: tuple[str, str, str]) -> None:
    level = RECEIPT.Level(*map(Fraction, parts))
    for square in map(Fraction, (1, 2, "1/4", 9, 400)):
        scale = 2**96 / power(parts, square)  # exact where e^(ε d) is rational
        found = level.asked(RECEIPT.root_of(square), lambda n, m: (m << 96) // n)
        assert found == scale.numerator // scale.denominator


@pytest.mark.parametrize(
    ("parts", "good"),
    [(("0", "0", "1"), True), (("0", "1", "1"), True), (("-1", "0", "2"), False),
     (("1", "-1", "3"), False), (("1", "-1", "2"), False), (("1", "1", "1/2"), True),
     (("-1/2", "1", "2"), True), (("-7/10", "1", "2"), False), (("0", "1", "1/2"), False),
     (("1", "1", "0"), False), (("1", "1", "-2"), False), (("1000000", "0", "1"), True),
     (("1000001", "0", "1"), False)],
)
def test_epsilon_is_from_0_to_a_million(
    parts: tuple[str, str, str], good: bool
) -> None:
    rows = matrix("1 1 1", "1 1 1", "1 1 1")
    if good:
        assert judged(document(PATH3, rows, parts))["holds"] is True
    else:
        with pytest.raises(RECEIPT.Malformed):
            judged(document(PATH3, rows, parts))


def test_the_longer_of_irrational_lengths_is_found_though_they_may_be_equal() -> None:
    def square(step: str) -> dict[str, Any]:
        return {"family": "grid", "shape": [2, 2], "step": step, "metric": "euclidean"}

    def far(first: Any, second: Any, combine: str) -> Any:
        form = {"family": "product", "combine": combine, "factors": [first, second]}
        return RECEIPT.space_of(form, 99).distance(0, last(first) * last(second) - 1)

    def last(form: Any) -> int:
        return len(RECEIPT.space_of(form, 99).points)

    two = {"family": "product", "combine": "sum", "factors": [square("1"), square("1")]}
    for pair in ((two, square("2")), (square("2"), two)):  # √2 + √2 and √8
        low, high = RECEIPT.bounds(far(*pair, "max"), 200)
        assert low <= Decimal(8).sqrt(getcontext().copy()) * (1 << 200) + 10**45
        assert high - low <= 4
    eight = ("root", Fraction(8))
    for other, longer in (("3", 3), ("14/5", eight)):  # 2.8 < √8 < 3
        line = {"family": "matrix", "labels": [0, 1], "distances": [["0", other], [other, "0"]]}
        assert far(square("2"), line, "max") == far(line, square("2"), "max") == longer


@few
@given(st.integers(0, 10**40), st.integers(1, 10**40), st.integers(-3000, 3000))
def test_probabilities_are_shown_to_seven_digits_or_exactly(
    a: int, b: int, shift: int
) -> None:
    a, b = a << max(shift, 0), b << max(-shift, 0)
    text = RECEIPT.shown(a, b)
    if "." in text:
        assert abs(Fraction(text) - Fraction(a, b)) <= Fraction(a, 10**6 * b)
    else:
        assert Fraction(text) == Fraction(a, b)


# ---------------------------------------------------------------- spaces


@pytest.mark.parametrize("name", FAMILIES)
def test_points_and_distances_are_those_of_the_specification(name: str) -> None:
    form, points, table, neighbors = FAMILIES[name]
    space = RECEIPT.space_of(form, 1000)
    assert list(space.points) == points
    assert (space.neighbors is not None) == neighbors
    for i, j in product(range(len(points)), repeat=2):
        length = space.distance(i, j)
        assert RECEIPT.root_of(table[i][j]) == length, (name, i, j)


@pytest.mark.parametrize("name", FAMILIES)
def test_near_pairs_carry_every_distance(name: str) -> None:
    form, points, _, _ = FAMILIES[name]
    space = RECEIPT.space_of(form, 1000)
    size = len(points)
    ways = [[Decimal(0) if i == j else Decimal(10**9) for j in range(size)] for i in range(size)]
    for i, j in pairs_of(space, space.near):
        ways[i][j] = ways[j][i] = value(space.distance(i, j))
    for k, i, j in product(range(size), repeat=3):
        ways[i][j] = min(ways[i][j], ways[i][k] + ways[k][j])
    for i, j in product(range(size), repeat=2):
        assert abs(ways[i][j] - value(space.distance(i, j))) < Decimal("1e-20")


@pytest.mark.parametrize("name", [name for name in FAMILIES if FAMILIES[name][3]])
def test_neighbors_are_those_of_the_specification(name: str) -> None:
    form, points, table, _ = FAMILIES[name]
    space = RECEIPT.space_of(form, 1000)
    found = set(pairs_of(space, space.neighbors))
    if name == "graph":
        assert found == {(0, 1), (1, 2), (2, 3)}  # the edge 0-2 is longer than the way by 1
        return
    if name == "uneven strides":
        assert found == set(combinations(range(6), 2)) - {
            (i, j) for i in (0, 1) for j in (4, 5)}  # one step in one factor or in both
        return
    step = {"manhattan": Fraction(1, 4), "chebyshev": Fraction(9)}.get(name, ONE)
    size = len(points)
    assert found == {(i, j) for i, j in combinations(range(size), 2) if table[i][j] == step}


def test_products_of_irrational_spaces_have_exact_distances() -> None:
    square = {"family": "grid", "shape": [2, 2], "step": "1", "metric": "euclidean"}
    twice = {"family": "product", "combine": "sum", "factors": [square, square]}
    both = RECEIPT.space_of(twice, 99)
    assert both.distance(0, 15) == ("sum", ("root", Fraction(2)), ("root", Fraction(2)))
    assert both.distance(0, 1) == 1
    assert both.neighbors is None
    line3 = {"family": "path", "low": 0, "high": 3}
    most = RECEIPT.space_of({"family": "product", "combine": "max", "factors": [line3, square]}, 99)
    assert most.distance(0, 15) == 3
    assert most.distance(0, 7) == ("root", Fraction(2))


# ---------------------------------------------------------------- verdicts



@few
@given(st.data())
def test_verdicts_are_those_of_the_definition(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(list(FAMILIES)))
    form, points, table, neighbors = FAMILIES[name]
    epsilon = data.draw(st.sampled_from(LEVELS))
    width = data.draw(st.integers(1, 4))
    least = data.draw(st.sampled_from([0, 1, 5]))
    entries = st.integers(least, 7).map(Fraction)
    dyadic = st.one_of(entries, entries.map(lambda w: w / 4))
    weights = data.draw(st.lists(
        st.lists(dyadic, min_size=width, max_size=width).filter(any),
        min_size=len(points), max_size=len(points)))
    content = document(
        form, matrix(*(" ".join(map(token, row)) for row in weights)), epsilon,
        outputs=list(range(width)), neighbors=ANY if neighbors else None)
    found = judged(content)
    rows = normalized(weights)
    assert found["holds"] == private(rows, table, epsilon)
    assert (found["witness"] is None) == found["holds"]
    if not found["holds"]:
        assert_broken(found["witness"], points, list(range(width)), rows, table, epsilon)


@few
@given(st.data())
def test_tight_mechanisms_hold_at_their_level_and_fail_below(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([n for n in RATIONAL if n not in (
        "manhattan", "graph", "matrix", "uneven product")]))
    form, points, table, neighbors = FAMILIES[name]
    ratio = data.draw(st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(5, 4)]))
    size = len(points)
    steps = [[isqrt(int(x)) for x in row] for row in table]
    columns = [[ratio ** -steps[i][z] for z in range(size)] for i in range(size)]
    scale = lcm(*(x.denominator for row in columns for x in row))
    rest = max(sum(row) for row in columns)
    weights = [[x * scale for x in row] + [(rest - sum(row)) * scale + rest * 10**6 * scale]
               for row in columns]  # a last output takes what is left, and far more
    rows = normalized(weights)
    content = matrix(*(" ".join(f"{int(x * rest.denominator):x}" for x in row) for row in weights))
    outputs = [*range(size), "rest"]
    words = ANY if neighbors else None
    for coefficient, base in (("1", ratio), ("1", ratio - Fraction(1, 10**9))):
        epsilon = ("0", coefficient, str(base))
        found = judged(document(form, content, epsilon, outputs=outputs, neighbors=words))
        assert found["holds"] == private(rows, table, epsilon) == (base == ratio)


@few
@given(st.data())
def test_hockey_stick_verdicts_are_those_of_the_definition(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([n for n in FAMILIES if FAMILIES[n][3]]))
    form, points, table, _ = FAMILIES[name]
    epsilon = data.draw(st.sampled_from(LEVELS))
    width = data.draw(st.integers(1, 4))
    delta = data.draw(st.sampled_from([Fraction(1, 12), Fraction(1, 4), Fraction(3, 8)]))
    entry = st.builds(lambda m, e: Fraction(m, 1 << e), st.integers(0, 5), st.integers(0, 2))
    weights = data.draw(st.lists(
        st.lists(entry, min_size=width, max_size=width).filter(any),
        min_size=len(points), max_size=len(points)))
    found = judged(document(
        form, matrix(*(" ".join(map(token, row)) for row in weights)), epsilon,
        delta=str(delta), outputs=list(range(width))))
    rows = normalized(weights)
    space = RECEIPT.space_of(form, 1000)
    pairs = pairs_of(space, space.neighbors)
    assert found["holds"] == nearly_private(rows, pairs, table, epsilon, delta)
    if not found["holds"]:
        assert_broken(found["witness"], points, list(range(width)), rows, table, epsilon, delta)


def test_delta_is_about_neighbors_only() -> None:
    rows = [row for row in ("8 0", "7 1", "6 2") for _ in range(2)]  # 1/8 moves with each step
    for delta, holds in (("1/8", True), ("31/256", False)):
        tiny = ("1/1000", "0", "1")
        content = document(STRIDES, matrix(*rows), tiny, delta=delta, outputs=[0, 1])
        assert judged(content)["holds"] is holds


def test_a_zero_is_the_witness_even_after_another_violation() -> None:
    two = {"family": "path", "low": 0, "high": 1}
    found = judged(document(two, matrix("40 1 1", "1 0 40"), outputs=["a", "b", "c"]))
    assert found["witness"]["outputs"] == ["b"]


def test_a_zero_beside_a_nonzero_is_refuted_at_every_level() -> None:
    rows = matrix("1 0 1", "1 0 1", "1 1p-90 1")
    found = judged(document(PATH3, rows, ("1000000", "0", "1")))
    assert found["holds"] is False
    assert found["witness"]["first"] == 2
    assert found["witness"]["second"] == 1
    assert found["witness"]["outputs"] == [1]
    assert found["witness"]["probabilities"][1] == "0"
    assert "no finite level" in found["witness"]["reason"]
    assert judged(document(PATH3, matrix("1 0 1", "1 0 1", "2 0 1")))["holds"] is True


def test_ties_of_roots_are_exact() -> None:
    half = {"family": "grid", "shape": [2], "step": "1/2", "metric": "manhattan"}
    assert judged(document(half, matrix("3 2", "2 3"), ("0", "1", "9/4")))["holds"] is True
    assert judged(document(half, matrix("3 2", "2 3"), ("0", "1", "224/100")))["holds"] is False


def shown_power(exponent: int) -> str:
    with localcontext() as context:
        context.prec, context.Emin = 30, -(10**6)
        return f"{Decimal(2) ** exponent:.7g}"


def test_far_exponents_neither_overflow_nor_vanish() -> None:
    deep = matrix("1 1p-259999", "1 3p-260000")  # 3/2, less a hair for the totals
    two = {"family": "path", "low": 0, "high": 1}
    assert judged(document(two, deep, ("0", "1", "3/2")))["holds"] is True
    assert judged(document(two, deep, ("0", "1", "1499999999/1000000000")))["holds"] is False
    found = judged(document(two, matrix("1p-7760000 1p-8000000", "1 1")))
    assert found["holds"] is False
    assert found["witness"]["probabilities"] == ["1/2", shown_power(-240000)]
    for exponent, holds in ((2201, True), (2202, False)):
        rows = matrix("1 1p-2200", f"1 1p-{exponent}")
        assert judged(document(two, rows, ("1", "0", "1")))["holds"] is holds


@pytest.mark.parametrize("bits", [1, 39, 41, 80])
def test_rows_whose_weights_are_far_apart_are_told_apart_as_fractions_are(
    bits: int
) -> None:
    choices = [(0, 0), (1, 0), (3, -40), (1, -80)]
    level, allowed = RECEIPT.Level(Fraction(0), Fraction(bits), Fraction(2)), 2**bits
    every = [row for row in product(choices, repeat=3) if any(m for m, _ in row)]
    rows = [RECEIPT.Row([m for m, _ in row], [e for _, e in row]) for row in every]
    laws = normalized([[m * Fraction(2) ** e for m, e in row] for row in every])
    for delta in (Fraction(0), Fraction(1, 2**41)):
        space = RECEIPT.space_of(PATH3, 3)
        claim = RECEIPT.Claim(level, delta, space, space.points)

        def broken(y: Any, x: Any, claim: Any = claim) -> bool:
            try:
                claim.compare(0, 1, y, x)
            except RECEIPT.Refuted:
                return True
            return False

        for (y, p), (x, q) in product(zip(rows[::2], laws[::2], strict=True),
                                      zip(rows[1::3], laws[1::3], strict=True)):
            excess = sum(max(a - allowed * b, Fraction(0)) for a, b in zip(p, q, strict=True))
            assert broken(y, x) == (excess > delta), (p, q)


def test_irrational_levels_are_decided_at_any_depth() -> None:
    with localcontext() as context:
        context.prec = 400
        near = Fraction(Decimal("0.5").exp())
    two = {"family": "path", "low": 0, "high": 1}
    for nudge, holds in ((-1, True), (1, False)):
        q = near + Fraction(nudge, 10**300)
        big = 1 << 1500
        # p/q and (1-p)/(1-q) with p/q equal to the ratio: the first output decides
        low = big // 10
        high = int(low * q) + (nudge > 0)
        rows = matrix(f"{high:x} {big - high:x}", f"{low:x} {big - low:x}")
        assert judged(document(two, rows, ("1/2", "0", "1")))["holds"] is holds


@pytest.mark.parametrize("places", [6, 12, 30, 60])
def test_a_refutation_says_by_how_much(places: int) -> None:
    with localcontext() as exact:
        exact.prec = 100
        power = Fraction(Decimal("0.5").exp())
        over = power + Fraction(1, 10**places)  # a ratio just more than e^0.5
    rows = matrix(*(" ".join(map(token, row)) for row in _swapped(over)))
    found = judged(document({"family": "path", "low": 0, "high": 1}, rows, ("1/2", "0", "1")))
    assert found["holds"] is False
    allowed, more = re.findall(r"\d\.\d+(?:e[+-]\d+)?", found["witness"]["reason"])[:2]
    assert abs(Fraction(allowed) - power) < Fraction(1, 10**6)
    assert abs(Fraction(more) / (over / power - 1) - 1) < Fraction(1, 10**6)


def _swapped(ratio: Fraction) -> list[list[Fraction]]:
    """Rows (ratio, 1) and (1, ratio), with the ratio cut off to dyadics that keep it above."""
    whole = Fraction(-(-ratio.numerator * 2**300 // ratio.denominator))
    return [[whole, Fraction(2**300)], [Fraction(2**300), whole]]


# ---------------------------------------------------------------- tables and optimality


def test_a_table_is_proved_by_one_row() -> None:
    base = matrix("2 1 1", "1 2 1", "1 1 2")
    space = {"family": "categories", "values": ["a", "b", "c"]}
    found = judged(document(space, {"form": "table", "rows": 6366, "base": base}))
    assert found["holds"] is True
    assert "independent" in found["checked"][1]
    below = document(space, {"form": "table", "rows": 6366, "base": base}, ("0", "1", "3/2"))
    assert judged(below)["holds"] is False


def optimality(**changes: Any) -> dict[str, Any]:
    """Three points at e^ε = 2: an absolute loss of 5/9; without multipliers the bound is 0."""
    claim = {"goal": "average", "prior": "uniform", "loss": "absolute",
             "value": (5 / 9 + 2**-50).hex(), "bound": "0x0.0p+0", "unit": 0,
             "multipliers": ["", "", ""]}
    return {**claim, **changes}


def test_optimality_is_judged_with_the_claim(tmp_path: Path) -> None:
    for changes, code in (({}, 0), ({"value": (5 / 9 - 2**-50).hex()}, 1),
                          ({"bound": (2.0**-90).hex()}, 1), ({"goal": "worst"}, 1),
                          ({"goal": "worst", "value": (2 / 3 + 2**-50).hex()}, 0),
                          ({"value": "5/9"}, 2)):
        done = run(tmp_path, sealed({**GOOD, "optimality": optimality(**changes)}), "--json")
        assert done.returncode == code
        if code < 2:
            found = json.loads(done.stdout)
            assert found["holds"] is found["optimality"]["holds"] is (code == 0)
    said = run(tmp_path, sealed({**GOOD, "optimality": optimality()})).stdout
    assert "absolute, average, uniform prior: at most 0.5555555555" in said
    said = run(tmp_path, sealed({**GOOD, "optimality": optimality(value="0x0.0p+0")})).stdout
    assert "FALSE" in said


# ---------------------------------------------------------------- the command


def test_a_good_document_exits_with_zero(tmp_path: Path) -> None:
    for way in (run, alone):
        done = way(tmp_path, GOOD)
        assert (done.returncode, done.stderr) == (0, "")
    for word in ("intact", "ln(2)", "12 comparisons", "NOT checked", "proved"):
        assert word in done.stdout, word
    found = json.loads(run(tmp_path, GOOD, "--json").stdout)
    assert set(found) == {"holds", "intact", "epsilon", "delta", "evidence", "neighbors", "checked",
                          "unchecked", "only_holder", "witness", "optimality", "components",
                          "nearest"}
    assert found["neighbors"] == "counts that differ by one"
    assert found["holds"] is found["intact"] is True
    assert (found["epsilon"], found["delta"], found["evidence"]) == ("ln(2)", "0", "enumerated")


def test_what_was_compared_is_counted() -> None:
    for form, size, pairs in ((PATH3, 3, 4), ({"family": "cycle", "nodes": 5}, 5, 10),
                              ({"family": "complete", "nodes": 4}, 4, 12)):
        for delta, said in (("0", f"{2 * pairs} comparisons hold ({pairs} ordered pairs of"),
                            ("1/9", f"{pairs} hockey-stick sums (all neighbors")):
            flat = document(form, matrix(*["1 1"] * size), outputs=["a", "b"], delta=delta)
            (sentence,) = judged(flat)["checked"]
            assert sentence.startswith(said)
        (sentence,) = judged(document(form, kernel("2", ["1"] * size), ("0", "1", "4")))["checked"]
        assert f"keep {pairs} ordered pairs" in sentence


@pytest.mark.parametrize(("parts", "text"), [
    (("1/2", "0", "1"), "1/2"), (("1/2", "7", "1"), "1/2"), (LN2, "ln(2)"),
    (("1", "1", "2"), "1 + ln(2)"), (("0", "3/2", "2"), "3/2*ln(2)"),
    (("3", "1", "1/2"), "3 + ln(1/2)")])
def test_the_level_is_reported_as_it_is_claimed(parts: tuple[str, str, str], text: str) -> None:
    for law, outputs in ((matrix("1", "1", "1"), ["x"]), (kernel("5/4", ["1"] * 3), "inputs"),
                         (noise("5/4"), "integers")):
        for delta in ("0", "1/9"):
            found = judged(document(PATH3, law, parts, outputs=outputs, delta=delta))
            assert (found["holds"], found["epsilon"], found["delta"]) == (True, text, delta)
        for wrong in ("1", "-1/9", "2"):
            with pytest.raises(checker({"mechanism": law}).Malformed):
                judged(document(PATH3, law, parts, outputs=outputs, delta=wrong))


@pytest.mark.parametrize(("value", "bound", "gap"), [
    (0.75, 0.0, 1.0), (1.0, -0.5, 1.5), (2.0, 0.0, 1.0), (1.0, 1.0, 0.0), (1.0, 2.0, 0.0),
    (0.0, -1.0, None), (0.0, 0.0, 0.0), (-2.0, -3.0, 0.5)])
def test_the_gap_is_relative_to_the_loss(value: float, bound: float, gap: float | None) -> None:
    for law in (GOOD["mechanism"], kernel("2", ["1"] * 3)):
        best = optimality(value=value.hex(), bound=bound.hex())
        content = document(PATH3, law, ("0", "1", "4"), optimality=best)
        report = judged(content)
        found, said = report["optimality"], "\n".join(checker(content).lines(content, report))
        assert f"(relative gap {'not known' if gap is None else f'{gap:.1e}'})" in said
        assert (found["gap"], found["loss"], found["prior"]) == (gap, "absolute", "uniform")
        assert found["holds"] is (value >= 0.75 and bound <= 0)
    given = optimality(loss=["0x0.0p+0 0x0.0p+0 0x0.0p+0"] * 3, prior=["1", "0", "0"])
    found = judged(sealed({**GOOD, "optimality": given}))["optimality"]
    assert (found["loss"], found["prior"], found["holds"]) == ("given", "given", True)


@pytest.mark.parametrize(("rows", "holds"), [
    (("2 1", "1 1", "0 4", "0 1"), True), (("5 1", "1 1", "0 4", "0 1"), False),
    (("2 1", "1 1", "0 4", "1 1"), False)])
def test_components_are_counted_and_nothing_is_claimed_between_them(
    rows: tuple[str, ...], holds: bool
) -> None:
    far = [["0", "1", "inf", "inf"], ["1", "0", "inf", "inf"], ["inf", "inf", "0", "2"],
           ["inf", "inf", "2", "0"]]
    bare = {"family": "matrix", "labels": [*"abcd"], "distances": far}
    edges = {"family": "graph", "nodes": [*"abcd"], "edges": [[0, 1, "1"], [2, 3, "2"]]}
    for form, words in ((bare, None), (edges, ANY)):
        found = judged(document(form, matrix(*rows), outputs=[0, 1], neighbors=words))
        assert (found["holds"], found["components"], found["nearest"]) == (holds, 2, "1")
        slow, fast = [row for row in rows for _ in range(3)], [*rows] * 3
        for factors, texts, many in (([form, PATH3], slow, 2), ([PATH3, form], fast, 2),
                                     ([form, form], [*rows] * 4, 4)):
            for combine in ("sum", "max"):
                both = {"family": "product", "combine": combine, "factors": factors}
                content = document(both, matrix(*texts), outputs=[0, 1], neighbors=words)
                found = judged(content)
                assert (found["holds"], found["components"]) == (holds, many)


@pytest.mark.parametrize("combine", ["sum", "max"])
def test_a_product_has_neighbors_only_if_both_factors_have(combine: str) -> None:
    bare = FAMILIES["matrix"][0]
    for factors in ([bare, PATH3], [PATH3, bare], [bare, bare]):
        form = {"family": "product", "combine": combine, "factors": factors}
        assert RECEIPT.space_of(form, 99).neighbors is None
    form = {"family": "product", "combine": combine, "factors": [PATH3, PATH3]}
    assert RECEIPT.space_of(form, 99).neighbors(0, 1)


def test_a_changed_document_exits_with_one(tmp_path: Path) -> None:
    changed = {**GOOD, "construction": {"name": "another"}}
    found = json.loads(run(tmp_path, changed, "--json").stdout)
    assert (found["intact"], found["holds"], found["witness"]) == (False, True, None)
    assert run(tmp_path, changed).returncode == 1


def test_a_changed_and_false_document_still_names_its_witness(tmp_path: Path) -> None:
    changed = {**GOOD, "mechanism": matrix("4 1 1", "2 2 2", "1 1 40")}
    done = run(tmp_path, changed)
    assert done.returncode == 1
    assert "CHANGED" in done.stdout
    assert "FALSE" in done.stdout
    found = json.loads(run(tmp_path, changed, "--json").stdout)
    assert (found["intact"], found["holds"]) == (False, False)
    assert found["witness"]["probabilities"] == ["1/3", "1/66"]
    assert run(tmp_path, sealed(changed)).returncode == 1


def test_gzip_is_recognized_by_its_first_bytes(tmp_path: Path) -> None:
    packed = gzip.compress(json.dumps(GOOD).encode())
    assert run(tmp_path, packed).returncode == 0
    for wrong in (packed[:-20], packed[:5], packed[:20] + b"\0" * 30, b"\x1f\x8b"):
        done = run(tmp_path, wrong)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


def test_it_runs_alone_without_its_package(tmp_path: Path) -> None:
    for content in (GOOD, document(PATH3, kernel("2", ["1"] * 3), ("0", "1", "4"))):
        copy = tmp_path / "alone.py"
        copy.write_text(Path(str(checker(content).__file__)).read_text())
        file = tmp_path / "m.json"
        file.write_text(json.dumps(content))
        done = subprocess.run([sys.executable, "-I", str(copy), str(file)], capture_output=True,
                              check=False, env={"PYTHONIOENCODING": "ascii"})
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("form", [
    "matrix", "kernel", "noise", "subset", "unary", "ladder", "smooth", "global", "quantile",
    "mode", "line", "a table of"])
def test_a_checker_says_which_file_checks_another_form(form: str, tmp_path: Path) -> None:
    law: Any = {"form": form}
    if form == "a table of":
        law = {"form": "table", "rows": 3, "base": {"form": "kernel"}}
    right = RECEIPT if form in ("matrix", "kernel", "a table of") else THEOREMS
    content = sealed({**GOOD, "mechanism": law})
    for wrong in {RECEIPT, THEOREMS} - {right}:
        for outcome, said in ((3, content), (1, {**content, "digest": "sha256:0"})):
            done = run(tmp_path, said, by=wrong)
            assert done.returncode == outcome
            (line,) = (x for x in done.stdout.splitlines() if x.startswith("NOT checked"))
            assert Path(str(right.__file__)).name in line
            assert "not all proved" in done.stdout
        found = json.loads(run(tmp_path, content, "--json", by=wrong).stdout)
        assert (found["holds"], found["intact"], len(found["unchecked"])) == (None, True, 1)


ROWS = [[Fraction(w, 6) for w in row] for row in ((4, 1, 1), (2, 2, 2), (1, 1, 4))]  # of GOOD
NAMED: dict[str, Callable[[int, int], Fraction]] = {
    "binary": lambda y, z: Fraction(y != z), "absolute": lambda y, z: Fraction(abs(y - z)),
    "squared": lambda y, z: Fraction((y - z) ** 2), "euclidean": lambda y, z: Fraction(abs(y - z))}


@pytest.mark.parametrize("goal", ["average", "worst"])
@pytest.mark.parametrize("delta", ["0", "1/8"])
@pytest.mark.parametrize("prior", [["1/2", "0", "1/2"], ["1/3", "1/2", "1/6"]])
@pytest.mark.parametrize("loss", [*NAMED, "given"])
def test_value_and_bound_are_those_of_the_definition(
    goal: str, delta: str, prior: list[str], loss: str
) -> None:
    def lost(y: int, z: int) -> Fraction:
        return NAMED[loss](y, z) if loss in NAMED else Fraction(3 * z - 5 * y * z, 8)

    written = loss if loss in NAMED else [
        " ".join(float(lost(y, z)).hex() for z in range(3)) for y in range(3)]
    means = [sum(p * lost(y, z) for z, p in enumerate(ROWS[y])) for y in range(3)]
    chances = list(map(Fraction, prior))
    value = max(means) if goal == "worst" else sum(
        p * m for p, m in zip(chances, means, strict=True))
    # for each output: so much taken from a, and half of it (e^-ε) brought to b, its neighbor
    taken = [[(0, 1, Fraction(1, 16))], [(1, 2, Fraction(1, 32)), (1, 0, Fraction(1, 8))],
             [(0, 1, Fraction(1, 32)), (0, 1, Fraction(1, 16))]]
    prices = []
    for y in range(3):
        brackets = [chances[y] * lost(y, z) - sum(m for a, _, m in some if a == y)
                    + sum(m / 2 for _, b, m in some if b == y) for z, some in enumerate(taken)]
        prices.append(min(brackets))
    most = Fraction(3, 64) + Fraction(1, 64) + Fraction(1, 16)  # brought by (0, 1), (1, 2), (1, 0)
    bound = sum(prices) - Fraction(delta) * most
    texts = [" ".join(f"{a} {b} {int(m * 32):x}" for a, b, m in some) for some in taken]
    tiny = Fraction(1, 2**40)
    for above, below, holds in ((tiny, tiny, True), (-tiny, tiny, False), (tiny, -tiny, False)):
        claim = {"goal": goal, "prior": prior, "loss": written, "unit": -5, "multipliers": texts,
                 "value": float(value + above).hex(), "bound": float(bound - below).hex()}
        content = document(PATH3, GOOD["mechanism"], delta=delta, optimality=claim)
        assert judged(content)["holds"] is holds


TINY = Fraction(1, 2**96)  # the unit of all steps of a proof of optimality
FLAT = {"matrix": matrix("1 1", "1 1"), "kernel": kernel("2", ["1", "1"])}
TWO = {"family": "path", "low": 0, "high": 1}


def supported(form: str, delta: str = "0", epsilon: Sequence[str] = LN2, **changes: Any) -> Any:
    """Whether a claim about two inputs at e^ε = 2, with two outputs and tiny losses, is proved."""
    claim = {"goal": "average", "prior": "uniform", "loss": ["0x0.0p+0 0x0.0p+0"] * 2,
             "value": (1.0).hex(), "bound": (-1.0).hex(), "unit": -96, "multipliers": ["", ""]}
    losses = changes.pop("losses", None)
    if losses is not None:
        claim["loss"] = [" ".join(float(x).hex() for x in row) for row in losses]
    for name in ("value", "bound"):
        if name in changes:
            assert Fraction(float(changes[name])) == changes[name]  # doubles as they are meant
            changes[name] = float(changes[name]).hex()
    content = document(TWO, FLAT[form], epsilon, delta=delta, optimality={**claim, **changes})
    return judged(content)["optimality"]["holds"]


@pytest.mark.parametrize("form", FLAT)
def test_bounds_are_rounded_down_at_every_step(form: str) -> None:
    for losses, prior, least in (
        ([[TINY, TINY]] * 2, "uniform", 0),  # half a unit for each input, though it is one in all
        ([[TINY / 2] * 2, [0, 0]], ["1", "0"], 0),  # half a unit of loss
        ([[TINY, 2 * TINY]] * 2, ["1", "0"], 1),
        ([[2 * TINY, TINY]] * 2, ["1", "0"], 1),
    ):
        assert supported(form, losses=losses, prior=prior, bound=least * TINY)
        assert not supported(form, losses=losses, prior=prior, bound=(least + 1) * TINY)
    for delta, least in (("0", -1), ("1/8", -1)):  # 1 unit is taken, half of it not brought
        multipliers = {"multipliers": ["0 1 1", "0 1 1"], "delta": delta}
        assert supported(form, bound=least * TINY, **multipliers)
        assert not supported(form, bound=(least + 1) * TINY, **multipliers)
    # 2 units are taken and 1 brought, and an eighth of the most that is brought is a unit more
    for texts, delta, least in (
        (["0 1 2", "0 1 2"], "1/8", -2), (["0 1 2", "0 1 2"], "0", -1),
        (["0 1 20", "0 1 2"], "1/8", -33), (["0 1 2", "0 1 20"], "1/8", -33),  # 32 - 1 + 2
    ):
        assert supported(form, delta, multipliers=texts, bound=least * TINY)
        assert not supported(form, delta, multipliers=texts, bound=(least + 1) * TINY)


@pytest.mark.parametrize("form", FLAT)
def test_what_a_multiplier_brings_is_cut_off_and_not_rounded(form: str) -> None:
    epsilon = ("9/4", "0", "1")  # two inputs of which one takes 1 and the other gets e^-ε
    with localcontext() as exact:
        exact.prec = 80
        share = int(Fraction(Decimal("-2.25").exp()) * 2**96)
    near = float(Fraction(share, 2**96))
    losses = [[2.0] * 2, [-2 * near] * 2]
    least = (share - int(near * 2**96)) * TINY
    taken = {"multipliers": ["0 1 1", "0 1 1"], "unit": 0, "losses": losses, "epsilon": epsilon}
    assert supported(form, bound=least, **taken)
    assert not supported(form, bound=least + TINY, **taken)


def test_values_are_rounded_up_at_every_step() -> None:
    for losses, prior, most in (
        ([[TINY / 2] * 2, [0, 0]], ["1", "0"], 1),  # half a unit of loss
        ([[TINY, 0], [0, 0]], ["1", "0"], 1),  # half a unit for this input
        ([[TINY, TINY], [0, 0]], "uniform", 1),  # half a unit for the prior
        ([[TINY, TINY]] * 2, "uniform", 2), ([[3 * TINY] * 2, [0, 0]], ["1", "0"], 3),
    ):
        assert supported("matrix", losses=losses, prior=prior, value=most * TINY)
        assert not supported("matrix", losses=losses, prior=prior, value=(most - 1) * TINY)


def test_an_infinitely_far_input_is_brought_nothing() -> None:
    space = {"family": "matrix", "labels": [0, 1, 2],
             "distances": [["0", "1", "inf"], ["1", "0", "inf"], ["inf", "inf", "0"]]}
    claim = {"goal": "average", "prior": "uniform", "loss": "binary", "value": (1.0).hex(),
             "unit": -10, "multipliers": ["0 2 1"] * 3}
    dear = {"loss": [" ".join([(loss * 1024.0).hex()] * 3) for loss in (3, 0, 0)], "unit": 10,
            "value": (1024.0).hex()}  # what is taken from input 0 is all that it loses
    for bound, holds, other in ((-(2.0**-10), True, {}), (-(2.0**-11), False, {}),
                                (0.0, True, dear), (2.0**-90, False, dear)):
        best = {**claim, **other, "bound": bound.hex()}
        content = document(space, matrix("1 1 1", "1 1 1", "1 1 1"), neighbors=None,
                           optimality=best)
        assert judged(content)["holds"] is holds


@pytest.mark.parametrize("receipt", BOTH)
@pytest.mark.parametrize("wrong", [-0.4, -1e-3, 1e-3, 0.4])
def test_a_logarithm_that_was_guessed_wrong_is_found_all_the_same(
    receipt: Any, wrong: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def misled(x: Any) -> float:
        return math.log(x) + wrong * (x == 7)

    monkeypatch.setattr(receipt, "math", SimpleNamespace(**{**vars(math), "log": misled}))
    receipt.logarithm.cache_clear()
    with localcontext() as context:
        context.prec = 60
        for bits in (5, 20, 40, 41, 64, 150):
            low, high = receipt.logarithm(Fraction(7, 3), bits)
            assert low <= (Decimal(7) / 3).ln() * (1 << bits) <= high
    receipt.logarithm.cache_clear()


def test_an_output_that_is_no_input_stands_for_its_coordinates() -> None:
    mean = sum(p * abs(y - z) for y, row in enumerate(ROWS)
               for z, p in zip((0, 1, 7), row, strict=True)) / 3
    for above, holds in ((2.0**-40, True), (-(2.0**-40), False)):
        best = optimality(value=(float(mean) + above).hex())
        content = sealed({**GOOD, "outputs": [0, 1, 7], "optimality": best})
        assert judged(content)["holds"] is holds
    pairs = {"family": "grid", "shape": [1, 3], "step": "1/2", "metric": "manhattan"}
    for outputs, good in (([[0, 0], [0, 1], [9, -9]], True), ([[0, 0], [0, 1], 2], False),
                          ([[0, 0], [0, 1], [0, 1, 2]], False),
                          ([[0, 0], [0, 1], ["1/3", "1.5"]], True),
                          *(([[0, 0], [0, 1], [0, bad]], False)
                            for bad in ("one", "1e3", "1/0", "+1", "1.", "٣", "1" * 41))):
        best = optimality(loss="squared", value=(100.0).hex())  # 81 + 121 quarters at most
        content = document(pairs, matrix("4 1 1", "2 2 2", "1 1 4"), ("0", "2", "2"),
                           outputs=outputs, optimality=best)
        if good:
            assert judged(content)["holds"] is True
        else:
            with pytest.raises(RECEIPT.Malformed):
                judged(content)
    for wrong in (["a", 1, 2], [[0], [1], [2]]):
        with pytest.raises(RECEIPT.Malformed):
            judged(sealed({**GOOD, "outputs": wrong, "optimality": optimality()}))


@pytest.mark.parametrize(("loss", "lost"), [
    ("absolute", lambda a, b: a + b), ("largest", max), ("squared", lambda a, b: a * a + b * b),
    ("euclidean", lambda a, b: Fraction(sqrt(a * a + b * b)))])
def test_losses_in_the_plane_are_those_of_their_names(loss: str, lost: Any) -> None:
    grid = {"family": "grid", "shape": [2, 3], "step": "1/3", "metric": "manhattan"}
    cells = list(product(range(2), range(3)))
    mean = sum(lost(*(Fraction(gap, 3) for gap in gaps(y, z)))
               for y, z in product(cells, repeat=2)) / 36
    for above, holds in ((2.0**-40, True), (-(2.0**-40), False)):
        best = optimality(loss=loss, value=(float(mean) + above).hex(), multipliers=[""] * 6)
        content = document(grid, matrix(*["1 1 1 1 1 1"] * 6), optimality=best)
        assert judged(content)["holds"] is holds


def test_labels_that_are_no_numbers_stand_for_their_coordinates() -> None:
    form, labels, squares, _ = FAMILIES["points"]
    mean = sum(map(sum, squares)) / 16
    for above, holds in ((2.0**-40, True), (-(2.0**-40), False)):
        best = optimality(loss="squared", value=(float(mean) + above).hex(), multipliers=[""] * 4)
        content = document(form, matrix(*["1 1 1 1"] * 4), neighbors=None, optimality=best)
        assert judged(content)["holds"] is holds
        named = sealed({**content, "outputs": labels[::-1]})  # in another order
        assert judged(named)["holds"] is holds


def test_without_delta_a_multiplier_may_join_any_two_inputs() -> None:
    for law in (GOOD["mechanism"], kernel("2", ["1"] * 3)):
        best = optimality(multipliers=["0 2 1", "", ""], unit=-20, value=(1.0).hex(),
                          bound=(-(2.0**-20)).hex())
        assert judged(document(PATH3, law, ("0", "1", "4"), optimality=best))["holds"] is True


def changed(**fields: Any) -> dict[str, Any]:
    return sealed({**GOOD, **fields})


def claim(**fields: Any) -> dict[str, Any]:
    return changed(claim={**GOOD["claim"], **fields})


def without(name: str) -> dict[str, Any]:
    kept = {key: part for key, part in GOOD.items() if key != name}
    return kept if name == "digest" else sealed(kept)


def spaced(space: Any, size: int = 3, neighbors: str | None = "steps") -> dict[str, Any]:
    return document(space, matrix(*["1 1 1"] * size), outputs=[0, 1, 2], neighbors=neighbors)


def graph_of(edges: Any) -> dict[str, Any]:
    return spaced({"family": "graph", "nodes": [0, 1, 2], "edges": edges})


def table_of(*rows: Sequence[str]) -> dict[str, Any]:
    form = {"family": "matrix", "labels": [0, 1, 2], "distances": [list(row) for row in rows]}
    return spaced(form, neighbors=None)


def places_of(*rows: Sequence[Any]) -> dict[str, Any]:
    return spaced({"family": "points", "labels": [0, 1, 2], "coordinates": list(rows)},
                  neighbors=None)


def deep(depth: int, around: Callable[[Any], Any], inner: Any = 1) -> Any:
    for _ in range(depth):
        inner = around(inner)
    return inner


TWO_EDGES = [[0, 1, "1"], [1, 2, "1"]]
MALFORMED: dict[str, Any] = {
    "a list": [1, 2],
    "nothing": None,
    "another format": changed(format="tightrope/ledger"),
    "version 2 with words": changed(version=2),
    "version 3": changed(version=3),
    "version 1.0": changed(version=1.0),
    "version true": changed(version=True),
    **{f"no {name}": without(name) for name in GOOD if name != "construction"},
    "digest a number": {**GOOD, "digest": 5},
    "construction a text": changed(construction="geometric"),
    "epsilon a decimal": claim(epsilon={"rational": "0.5", "coefficient": "0", "base": "1"}),
    "epsilon a number": claim(epsilon={"rational": 1, "coefficient": "0", "base": "1"}),
    "epsilon by zero": claim(epsilon={"rational": "1/0", "coefficient": "0", "base": "1"}),
    "epsilon with a blank": claim(epsilon={"rational": " 1", "coefficient": "0", "base": "1"}),
    "epsilon with other digits": claim(epsilon={"rational": "١", "coefficient": "0", "base": "1"}),
    "epsilon too long": claim(epsilon={"rational": "1" * 5000, "coefficient": "0", "base": "1"}),
    "epsilon with a negative coefficient": claim(
        epsilon={"rational": "2", "coefficient": "-1", "base": "2"}),
    "delta 1": claim(delta="1"),
    "delta negative": claim(delta="-1/2"),
    "delta missing": changed(claim={k: v for k, v in GOOD["claim"].items() if k != "delta"}),
    "evidence of another form": claim(evidence="kernel"),
    "evidence unknown": claim(evidence="trust me"),
    "neighbors null": changed(neighbors=None),
    "neighbors a number": changed(neighbors=3),
    "neighbors where there are none": sealed(
        table_of("011", "101", "110") | {"neighbors": "x"}),
    "form unknown": changed(mechanism={"form": "magic", "rows": []}),
    "form a list": changed(mechanism={"form": ["matrix"], "rows": []}),
    "no rows": changed(mechanism=matrix()),
    "two rows": changed(mechanism=matrix("1 1 1", "1 1 1")),
    "short row": changed(mechanism=matrix("1 1 1", "1 1", "1 1 1")),
    "zero row": changed(mechanism=matrix("1 1 1", "0 0 0p5", "1 1 1")),
    "row a list": changed(mechanism={"form": "matrix", "rows": [[1, 1, 1]] * 3}),
    "row empty": changed(mechanism=matrix("1 1 1", "", "1 1 1")),
    **{f"token {bad!r}": changed(mechanism=matrix("1 1 1", f"1 {bad} 1", "1 1 1")) for bad in (
        "A", "0x1", "-1", "+1", "1.5", "1p", "p1", "1p+2", "1p1.5", "1p-8000001", "1p8000001",
        "1p123456789", "1p--2", "", "1\n", "1_0", "g", "１", "1 1", "inf", "nan")},
    "trailing blank": changed(mechanism=matrix("1 1 1 ", "1 1 1", "1 1 1")),
    "trailing line": changed(mechanism=matrix("1 1 1\n", "1 1 1", "1 1 1")),
    "outputs integers": changed(outputs="integers"),
    "outputs unknown": changed(outputs="somewhere"),
    "outputs repeated": changed(outputs=[1, 1, 2]),
    "outputs repeated lists": changed(outputs=[[1, "a"], [1, "a"], 2]),
    "outputs a float": changed(outputs=[1, 2, 3.5]),
    "outputs true": changed(outputs=[1, 2, True]),
    "outputs an object": changed(outputs=[1, 2, {}]),
    "outputs deep": changed(outputs=[1, 2, deep(51, lambda inner: [inner])]),
    "outputs too many": changed(outputs=[1, 2, 3, 4]),
    **{f"optimality with {name}": changed(optimality=optimality(**fields)) for name, fields in {
        "an unknown loss": {"loss": "cubed"},
        "a row of losses more": {"loss": ["0x0.0p+0 0x0.0p+0 0x0.0p+0"] * 4},
        "a row of losses less": {"loss": ["0x0.0p+0 0x0.0p+0 0x0.0p+0"] * 2},
        "too many losses in a row": {"loss": ["0x0.0p+0 0x0.0p+0 0x0.0p+0 0x0.0p+0"] * 3},
        "an infinite loss": {"loss": ["inf inf inf"] * 3},
        "a field more": {"more": 1},
        "another goal": {"goal": "best"},
        "a prior of two": {"prior": ["1", "1", "0"]},
        "a prior below 0": {"prior": ["2", "-1", "0"]},
        "a short prior": {"prior": ["1/2", "1/2"]},
        "a multiplier of one input": {"multipliers": ["1 1 3f", "", ""]},
        "a multiplier of no input": {"multipliers": ["0 3 3f", "", ""]},
        "half a multiplier": {"multipliers": ["0 1", "", ""]},
        "a negative multiplier": {"multipliers": ["0 1 -3f", "", ""]},
        "multipliers for two outputs": {"multipliers": ["", ""]},
        "too small a unit": {"unit": -97},
        "an infinite value": {"value": "inf"},
    }.items()},
    "optimality with a field less": changed(optimality={
        key: part for key, part in optimality().items() if key != "unit"}),
    "optimality a list": changed(optimality=[*optimality()]),
    "optimality of multipliers that are no neighbors": sealed(claim(delta="1/8") | {
        "optimality": optimality(multipliers=["0 2 1", "", ""])}),
    "space a text": changed(space="path:0..2"),
    "space a list": changed(space=[]),
    "family unknown": changed(space={"family": "torus"}),
    "family a list": changed(space={"family": ["path"], "low": 0, "high": 2}),
    "path reversed": changed(space={"family": "path", "low": 2, "high": 0}),
    "path of one": document({"family": "path", "low": 1, "high": 1}, matrix("1"), outputs=["x"]),
    "path of floats": changed(space={"family": "path", "low": 0, "high": 2.0}),
    "path with more": changed(space={**PATH3, "step": 2}),
    "path without end": changed(space={"family": "path", "low": 0}),
    "path of true": changed(space={"family": "path", "low": False, "high": 2}),
    "path too long": changed(space={"family": "path", "low": 0, "high": 10**30}),
    "counts enormous": changed(space={"family": "counts", "people": 10**9, "queries": 10**9}),
    "hamming enormous": changed(space={"family": "hamming", "values": 2, "people": 10**15}),
    "hamming of one value": changed(space={"family": "hamming", "values": 1, "people": 10**15}),
    "sets enormous": changed(space={"family": "sets", "items": 10**12}),
    "histogram enormous": changed(space={
        "family": "histogram", "people": 10**12, "cells": 10**12, "neighbors": "replace"}),
    "histogram of one cell": changed(space={
        "family": "histogram", "people": 2, "cells": 1, "neighbors": "replace"}),
    "histogram of other neighbors": changed(space={
        "family": "histogram", "people": 2, "cells": 2, "neighbors": "swap"}),
    "grid enormous": changed(space={
        "family": "grid", "shape": [10**6] * 9000, "step": "1", "metric": "manhattan"}),
    "grid without sides": changed(space={
        "family": "grid", "shape": [], "step": "1", "metric": "manhattan"}),
    "grid of a decimal step": changed(space={
        "family": "grid", "shape": [3], "step": "0.5", "metric": "manhattan"}),
    "grid of step 0": changed(space={
        "family": "grid", "shape": [3], "step": "0", "metric": "manhattan"}),
    "grid of another metric": changed(space={
        "family": "grid", "shape": [3], "step": "1", "metric": "hamming"}),
    "categories numbered from 1": changed(space={"family": "categories", "values": [1, 2, 3]}),
    "categories of lists": changed(space={"family": "categories", "values": ["a", "b", ["c"]]}),
    "categories repeated": changed(space={"family": "categories", "values": ["a", "b", "a"]}),
    "categories of two kinds": changed(space={"family": "categories", "values": [0, 1, "a"]}),
    "categories without a name": changed(space={"family": "categories", "values": ["a", "", "b"]}),
    "categories empty": changed(space={"family": "categories", "values": []}),
    "graph with an infinite edge": graph_of([[0, 1, "1"], [1, 2, "inf"]]),
    "matrix with nothing finite": table_of(["0", "inf", "inf"], ["inf", "0", "inf"],
                                           ["inf", "inf", "0"]),
    "matrix with a way past infinity": table_of(["0", "1", "inf"], ["1", "0", "1"],
                                                ["inf", "1", "0"]),
    "matrix with an infinite diagonal": table_of(["inf", "1", "1"], ["1", "0", "1"],
                                                 ["1", "1", "0"]),
    "matrix with infinity one way": table_of(["0", "1", "inf"], ["1", "0", "inf"],
                                             ["2", "inf", "0"]),
    **{f"matrix with {far}": table_of(["0", "1", far], ["1", "0", far], [far, far, "0"])
       for far in ("Infinity", "INF", "+inf", "-inf", "inf ", "1/0", "∞")},
    "graph without edges": graph_of([]),
    "graph with a loop": graph_of([*TWO_EDGES, [1, 1, "1"]]),
    "graph with a negative edge": graph_of([*TWO_EDGES, [0, 2, "-1"]]),
    "graph with edges out of order": graph_of(TWO_EDGES[::-1]),
    "graph with a loop in order": graph_of([[0, 1, "1"], [1, 1, "1"], [1, 2, "1"]]),
    "graph with an edge of no length": graph_of([[0, 1, "0"], [1, 2, "1"]]),
    "graph with an edge downward": graph_of([[0, 1, "1"], [2, 1, "1"]]),
    "graph with an edge twice": graph_of([*TWO_EDGES, [1, 2, "2"]]),
    "graph with an edge as an object": graph_of([*TWO_EDGES, {"0": 1}]),
    "graph with a list as an end": graph_of([*TWO_EDGES, [[0], 2, "1"]]),
    "graph with a text as an end": graph_of([*TWO_EDGES, ["0", 2, "1"]]),
    "graph with a long length": graph_of([[0, 1, "1"], [1, 2, str(2**53)]]),
    "graph with a length not in lowest terms": graph_of([[0, 1, "1"], [1, 2, "2/2"]]),
    "graph with a far node": graph_of([*TWO_EDGES, [0, 3, "1"]]),
    "graph with a short edge": graph_of([*TWO_EDGES, [0, 2]]),
    "graph with edges in text": graph_of("0-1-2"),
    "metric not symmetric": table_of("011", "201", "110"),
    "metric not quite symmetric": table_of("055", "605", "550"),
    "metric with a zero": table_of("001", "001", "110"),
    "metric with a diagonal": table_of("111", "101", "110"),
    "metric negative": table_of(("0", "-1", "1"), ("-1", "0", "1"), ("1", "1", "0")),
    "metric with a short cut": table_of("013", "101", "310"),
    "metric with long numbers": table_of(*(
        [str(2**1000) if i != j else "0" for j in range(3)] for i in range(3))),
    "metric not square": table_of("011", "101"),
    "metric ragged": table_of("011", "10", "110"),
    "points together": places_of(["1", "2"], ["0", "0"], ["1", "2"]),
    "points in two dimensions and one": places_of(["1", "2"], ["0"], ["1", "1"]),
    "points as decimals": places_of(["0.5"], ["1"], ["2"]),
    "points far away": places_of([str(2**60)], ["1"], ["2"]),
    "points as numbers": places_of([1, 2], [3, 4], [5, 6]),
    "points not finite": places_of(["nan"], ["1"], ["2"]),
    "points with an exponent": places_of(["1e9"], ["1"], ["2"]),
    "product of three": changed(space={
        "family": "product", "combine": "sum", "factors": [PATH3, PATH3, PATH3]}),
    "product by another rule": changed(space={
        "family": "product", "combine": "min", "factors": [PATH3, PATH3]}),
    "product enormous": changed(space={"family": "product", "combine": "sum", "factors": [
        {"family": "path", "low": 0, "high": 10**14}, PATH3]}),
    "product deep": changed(space=deep(100, lambda inner: {
        "family": "product", "combine": "sum", "factors": [inner, PATH3]})),
    "product of seven": document(deep(6, lambda inner: {
        "family": "product", "combine": "sum", "factors": [inner, {**PATH3, "high": 1}]},
        {**PATH3, "high": 1}), matrix(*["1"] * 128), outputs=[0]),
    "delta without neighbors": document(
        FAMILIES["matrix"][0], matrix(*["1 1 1"] * 3), delta="1/9", neighbors=None),
    "kernel ratio 1": document(PATH3, kernel("1", ["1"] * 3)),
    "kernel unit 0": document(PATH3, kernel("2", ["1"] * 3, "0")),
    "kernel unit too long": document(PATH3, kernel("2", ["1"] * 3, "2")),
    "kernel of irrational distances": document(
        {"family": "grid", "shape": [2, 2], "step": "1", "metric": "euclidean"},
        kernel("2", ["1"] * 4), neighbors=None),
    "kernel weights negative": document(PATH3, kernel("2", ["5", "-1", "5"])),
    "kernel weights zero": document(PATH3, kernel("2", ["0", "0", "0"])),
    "kernel weights few": document(PATH3, kernel("2", ["1", "1"])),
    "kernel outputs listed": document(PATH3, kernel("2", ["1"] * 3), outputs=[0, 1, 2]),
    "kernel without ratio": document(PATH3, {"form": "kernel", "unit": "1", "weights": ["1"] * 3}),
    "noise on a cycle": document({"family": "cycle", "nodes": 3}, noise("2"), outputs="integers"),
    "noise ratio 1": document(PATH3, noise("1"), outputs="integers"),
    "noise to inputs": document(PATH3, noise("2")),
    "noise of another law": document(PATH3, {**noise("2"), "law": "Laplace"}, outputs="integers"),
    "noise without law": document(PATH3, {"form": "noise", "ratio": "2"}, outputs="integers"),
    "table of less than no rows": changed(
        mechanism={"form": "table", "rows": -1, "base": GOOD["mechanism"]}),
    "table of too many rows": changed(
        mechanism={"form": "table", "rows": 10**15 + 1, "base": GOOD["mechanism"]}),
    "table of half a row": changed(
        mechanism={"form": "table", "rows": 0.5, "base": GOOD["mechanism"]}),
    "table without base": changed(mechanism={"form": "table", "rows": 1}),
    "table of tables": document(PATH3, {"form": "table", "rows": 2, "base": {
        "form": "table", "rows": 2, "base": GOOD["mechanism"]}}),
    "table of noise": document(PATH3, {"form": "table", "rows": 2, "base": noise("2")},
                               outputs="integers"),
}
TEXT = json.dumps(GOOD)
UNREADABLE: dict[str, bytes] = {
    "empty": b"",
    "not JSON": b"hello",
    "cut off": TEXT[:-3].encode(),
    "two values": (TEXT + TEXT).encode(),
    "not UTF-8": TEXT.encode().replace(b"by one", b"by \xff one"),
    "UTF-16": TEXT.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "NaN": TEXT.replace('"version": 1', '"version": NaN').encode(),
    "NaN in the construction": TEXT.replace('"construction": null',
                                            '"construction": {"x": NaN}').encode(),
    "an infinite number": TEXT.replace('"construction": null',
                                       '"construction": {"x": 1e999}').encode(),
    "a key twice": TEXT.replace('"version": 1', '"version": 1, "version": 1').encode(),
    "an inner key twice": TEXT.replace('"low": 0', '"low": 0, "low": 0').encode(),
    "a huge integer": TEXT.replace('"low": 0', '"low": ' + "9" * 5000).encode(),
    "deep lists": b"[" * 200_000,
    "deep and closed": b"[" * 100_000 + b"]" * 100_000,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_documents_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.json"
    file.write_text(json.dumps(MALFORMED[name]))
    started = time.process_time()
    assert checker(MALFORMED[name]).main([str(file), "--json"]) == 2
    assert time.process_time() - started < 2
    printed = capsys.readouterr()
    assert set(json.loads(printed.out)) == {"error"}
    assert printed.err.count("\n") == 1
    assert len(printed.err) < 500


def test_malformed_documents_that_were_changed_exit_with_one(tmp_path: Path) -> None:
    for wrong in ({**GOOD, "mechanism": matrix("4 1 1", "0 0 0", "1 1 4")}, {**GOOD, "space": 5},
                  {key: part for key, part in GOOD.items() if key != "claim"}):
        done = run(tmp_path, wrong, "--json")
        assert done.returncode == 1
        found = json.loads(done.stdout)
        assert (set(found), found["intact"], found["holds"]) == (
            {"holds", "intact", "error"}, False, None)
        assert "it was changed, and" in done.stderr


@pytest.mark.parametrize("receipt", BOTH)
@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_files_are_refused_without_a_traceback(
    receipt: Any, name: str, tmp_path: Path
) -> None:
    done = run(tmp_path, UNREADABLE[name], "--json", by=receipt)
    assert done.returncode == 2
    assert set(json.loads(done.stdout)) == {"error"}
    assert done.stderr.count("\n") == 1
    assert run(tmp_path, UNREADABLE[name], by=receipt).stdout == ""


@pytest.mark.parametrize("receipt", BOTH)
def test_missing_files_and_folders_are_refused(receipt: Any, tmp_path: Path) -> None:
    for wrong in (tmp_path / "none.json", tmp_path):
        done = subprocess.run([sys.executable, receipt.__file__, str(wrong)], capture_output=True,
                              text=True, check=False)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_strange_labels_are_printed_safely(tmp_path: Path) -> None:
    strange = ["[bold]" + "\u200b" * 3000, "\U0001f9d7", [1, ["ü", 10**4000]]]
    edges = [[0, 1, "1"], [1, 2, "1"]]
    space = {"family": "graph", "nodes": strange, "edges": edges}
    broken = document(space, matrix("9 1 1", "1 9 1", "1 1 9"))
    done = run(tmp_path, broken)
    assert done.returncode == 1
    assert all(line.isprintable() and "\u200b" not in line for line in done.stdout.splitlines())
    assert max(map(len, done.stdout.splitlines())) < 400
    assert "d = 1" in done.stdout
    assert json.loads(run(tmp_path, broken, "--json").stdout)["witness"]["first"] == strange[0]


@pytest.mark.parametrize("bad", ["\n", "\x1b[2J", "\x7f", "\x9b", "\u202e", "\u2066", "\u2028",
                                 "\u200f", "\ud800", "\ufdd0", "\uffff", "\U0010fffe"])
@pytest.mark.parametrize("receipt", BOTH)
def test_a_text_with_a_control_character_is_no_document(
    receipt: Any, tmp_path: Path, bad: str
) -> None:
    content = document(PATH3, matrix("4 1 1", "2 2 2", "1 1 4"), neighbors=f"x{bad}")
    file = tmp_path / "m.json"
    for changed in (content, {**content, "digest": "sha256:0"}, {**content, f"x{bad}": None}):
        file.write_text(json.dumps(changed))
        with pytest.raises(receipt.Malformed, match="holds a control character"):
            receipt.read(str(file))


def test_a_document_cannot_write_its_own_verdict(tmp_path: Path) -> None:
    forged = "x.\nverdict      the claim is proved"
    done = run(tmp_path, document(PATH3, matrix("4 1 1", "2 2 2", "1 1 4"), neighbors=forged))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    forged = f"x.{' ' * 70}verdict      the claim is proved{' ' * 900}"
    done = run(tmp_path, document(PATH3, matrix("9 1 1", "1 9 1", "1 1 9"),
                                  outputs=[forged, "b", "c"]))
    assert done.returncode == 1
    assert done.stdout.count("verdict") == 1
    assert f"({len(forged) + 4} characters)" in done.stdout


def even(form: Any, size: int, neighbors: bool) -> dict[str, Any]:
    return document(form, matrix(*["1"] * size), outputs=[0], neighbors=ANY if neighbors else None)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_least_distance_is_that_of_all_pairs(name: str) -> None:
    form, points, table, neighbors = FAMILIES[name]
    least = min(square for i, row in enumerate(table) for square in row[:i])
    found = Fraction(judged(even(form, len(points), neighbors))["nearest"])
    assert abs(found**2 - least) < least / 10**6


def test_the_least_distance_of_scattered_points_is_that_of_all_pairs() -> None:
    for step in (3, 7, 12):
        places = [[0, i * i * step % 101, i * 31 % 97] for i in range(40)]
        form = {"family": "points", "labels": [*map(str, range(40))],
                "coordinates": [[str(x) for x in place] for place in places]}
        least = min(sum(g * g for g in gaps(a, b)) for a, b in combinations(places, 2))
        found = Fraction(judged(even(form, 40, False))["nearest"])
        assert abs(found**2 - least) < Fraction(least, 10**6)


def test_the_least_distance_is_said_beside_the_claim(tmp_path: Path) -> None:
    rows = [["0", "1000"], ["1000", "0"]]
    far = {"family": "matrix", "labels": ["no" * 50, "yes"], "distances": rows}
    claim = document(far, matrix("1000 1", "1 1000"), ("1/100", "0", "1"), neighbors=None)
    done = run(tmp_path, claim)
    assert done.returncode == 0
    assert "distances    1000 or more; inputs d apart have the level ε d" in done.stdout


def test_a_long_epsilon_is_stated_as_a_number(tmp_path: Path) -> None:
    epsilon = (f"{10**200}/{2 * 10**200 + 1}", "0", "1")
    done = run(tmp_path, document(PATH3, matrix("1 1 1", "1 1 1", "1 1 1"), epsilon))
    assert done.returncode == 0
    assert "(403 characters), about 0.5000000, δ = 0" in done.stdout


@pytest.mark.parametrize(("epsilon", "about"), [
    (("1/2", "0", "1"), "about 1/2,"), (LN2, "about 0.6931472,"),
    (("0", "1", f"{10**60 + 1}/{10**60}"), "about 1.000000e-60,"),
    (("1/2", "1", "2"), "about 1.193147,")])
def test_epsilon_is_stated_as_a_number_however_small(
    epsilon: tuple[str, str, str], about: str, tmp_path: Path
) -> None:
    flat = matrix("1 1 1", "1 1 1", "1 1 1")
    law = kernel("2", ["1"] * 3)
    for content in (document(PATH3, flat, epsilon), document(PATH3, law, epsilon),
                    document(PATH3, noise("2"), epsilon, outputs="integers")):
        assert about in run(tmp_path, content).stdout


@few
@given(st.data())
def test_no_mutation_of_a_document_gives_a_traceback(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(list(FAMILIES)))
    form, points, _, neighbors = FAMILIES[name]
    content = json.loads(json.dumps(document(
        form, data.draw(st.sampled_from([
            matrix(*["1 2"] * len(points)), kernel("2", ["1"] * len(points), "1/4"), noise("2")])),
        outputs=data.draw(st.sampled_from([[0, 1], "inputs", "integers"])),
        neighbors=ANY if neighbors else None)))
    for _ in range(data.draw(st.integers(1, 3))):
        where, at = content, data.draw(st.sampled_from(sorted(content)))
        while isinstance(where[at], dict | list) and where[at] and data.draw(st.booleans()):
            where = where[at]
            at = data.draw(st.sampled_from(
                sorted(where) if isinstance(where, dict) else range(len(where))))
        where[at] = data.draw(st.sampled_from([
            None, 0, 1, -1, 2.5, True, "", "x", "1/2", "0", "-3", "2", [], {}, [1], ["1"],
            [[0, 1, "1"]], 10**30, "matrix", "path", "1 1", {"form": "noise"}, {"family": "path"}]))
    with contextlib.suppress(*(module.Malformed for module in BOTH)):
        assert judged(sealed(content))["holds"] in (True, False, None)


# ---------------------------------------------------------------- size


def truncated_geometric(size: int) -> list[str]:
    """The tight mechanism on a path just inside ε = 1/2, in 62-bit mantissas."""
    bits = 160
    with localcontext() as context:
        context.prec = 80
        shrink = int(Fraction(Decimal("-0.5").exp()) * (1 + Fraction(1, 1 << 39)) * (1 << bits))
    inner = (1 << bits) - shrink
    powers, exponent, current = [], -bits, 1 << bits
    for _ in range(size):
        tokens = []
        for weight in (1 << bits, inner):
            drop = (current * weight).bit_length() - 62
            tokens.append(f"{current * weight >> drop:x}p{exponent - bits + drop}")
        powers.append(tokens)
        current = current * shrink >> bits
        lift = bits + 1 - current.bit_length()
        current, exponent = current << lift, exponent - lift
    return [" ".join(powers[abs(y - z)][0 < z < size - 1] for z in range(size))
            for y in range(size)]


LONG = {"family": "path", "low": 0, "high": 299}


def test_hundreds_of_points_are_proved_and_one_weight_too_large_is_found(tmp_path: Path) -> None:
    rows = truncated_geometric(300)
    assert run(tmp_path, document(LONG, matrix(*rows), ("1/2", "0", "1"))).returncode == 0
    rows[150] = rows[150].replace("p-", "p-1", 1)
    assert run(tmp_path, document(LONG, matrix(*rows), ("1/2", "0", "1"))).returncode == 1


def test_hundreds_of_points_with_exact_ties_are_proved(tmp_path: Path) -> None:
    rows = [" ".join(f"{2 - (0 < z < 299)}p{-abs(y - z)}" for z in range(300))
            for y in range(300)]
    assert run(tmp_path, document(LONG, matrix(*rows), LN2)).returncode == 0


# ---------------------------------------------------------------- parts of it, one by one


def test_a_power_is_rational_only_if_both_parts_of_the_base_are() -> None:
    """The root of 4/3 is 2/√3, that of 3/4 as irrational, and that of 9/4 is 3/2."""
    for base, whole in (("4/3", None), ("3/4", None), ("9/4", (3, 2)), ("3", None)):
        level = RECEIPT.Level(Fraction(1, 2), Fraction(0), Fraction(1))
        level.rational, level.coefficient, level.base = 0, Fraction(1, 2), Fraction(base)
        assert level.exact(1) == whole


@pytest.mark.parametrize("receipt", BOTH)
def test_lists_are_lists_and_hold_as_much_as_they_must(receipt: Any) -> None:
    assert receipt.listed([7, 8], 2) == [7, 8]
    for wrong, size in (("ab", 2), ("ab", None), ([], None), ([], 0), ([1], 2), ({"a": 1}, 1)):
        with pytest.raises(receipt.Malformed):
            receipt.listed(wrong, size)


@pytest.mark.parametrize("receipt", BOTH)
def test_one_file_is_asked_for(receipt: Any) -> None:
    out = TextIOWrapper(BytesIO(), encoding="utf-8")
    for words in ([], ["a", "b"], ["--help"], ["--json"]):
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            assert receipt.main(words) == 2


@pytest.mark.parametrize("receipt", BOTH)
def test_a_file_that_cannot_be_read_is_named_safely_and_in_json_too(
    receipt: Any, tmp_path: Path
) -> None:
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in "12")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert receipt.main([str(tmp_path / "a\x1b[2Jb\n.json"), "--json"]) == 2
    said = err.buffer.getvalue().decode()
    assert "a\\x1b[2Jb\\n.json: the file cannot be read" in said
    assert said.removesuffix("\n").isprintable()
    assert [*json.loads(out.buffer.getvalue())] == ["error"]


def test_doubles_are_written_in_one_way() -> None:
    assert RECEIPT.double("0x1.8000000000000p+0") == 1.5
    for wrong in ("0x1.8p+0", "1.5", "inf", "nan", 1.5, None, "0x1.8000000000000p+99999"):
        with pytest.raises(RECEIPT.Malformed):
            RECEIPT.double(wrong)


@pytest.mark.parametrize("space", [
    {"family": "path", "low": 0, "high": 2}, {"family": "sum", "people": 2, "max": 2},
    {"family": "counts", "people": 2, "queries": 1},
    {"family": "histogram", "people": 2, "cells": 2, "neighbors": "replace"},
    {"family": "grid", "shape": [2, 2], "step": "1", "metric": "manhattan"}])
def test_numbers_stand_for_their_own_coordinates(space: dict[str, Any]) -> None:
    made = RECEIPT.space_of(space, 100)
    assert list(made.places) == list(made.points)


def test_a_rational_and_an_irrational_distance_add_up() -> None:
    plane = {"family": "grid", "shape": [2, 2], "step": "1", "metric": "euclidean"}
    apart = {"family": "matrix", "labels": [0, 1, 2],
             "distances": [["0", "1", "inf"], ["1", "0", "inf"], ["inf", "inf", "0"]]}
    made = RECEIPT.space_of(
        {"family": "product", "combine": "sum", "factors": [plane, apart]}, 100)
    low, high = RECEIPT.bounds(made.distance(0, 3 * 3 + 1), 60)  # √2 and 1
    assert low <= (1 << 60) + isqrt(2 << 120) < high <= low + 4
    assert made.distance(0, 3 * 3 + 2) == math.inf


@pytest.mark.parametrize("space", [
    {"family": "graph", "nodes": [0, 1], "edges": [[0, 0, "1"], [0, 1, "1"]]},
    {"family": "graph", "nodes": [0, 1], "edges": [[1, 0, "1"]]},
    {"family": "matrix", "labels": [0, 1], "distances": [["0", "1"], ["1", "0"]], "unit": "mile"}])
def test_edges_join_two_nodes_and_units_are_known(space: dict[str, Any]) -> None:
    with pytest.raises(RECEIPT.Malformed):
        RECEIPT.space_of(space, 100)


def test_the_proof_is_read_first_and_ends_at_line_300() -> None:
    lines = Path(str(RECEIPT.__file__)).read_text(encoding="utf-8").splitlines()
    starts = {line.split(". ")[1]: number for number, line in enumerate(lines)
              if line.startswith("# ------")}
    assert list(starts) == ["arithmetic", "privacy", "optimality", "forms", "the document",
                            "under a definition", "least variance", "the report",
                            "the catalog of distances"]
    assert "".join(lines[300 : starts["forms"]]) == ""


def test_what_checkers_share_is_word_for_word_the_same() -> None:
    """Each stands alone, so what proves the same is written out again, and must not come apart."""
    def parts(receipt: Any) -> dict[str, str]:
        tree = ast.parse(Path(str(receipt.__file__)).read_text(encoding="utf-8"))
        return {part.name: ast.unparse(part) for part in tree.body
                if isinstance(part, ast.FunctionDef | ast.ClassDef)}

    first, second = map(parts, BOTH)
    for name in ["decide", "exponential", "listed", "logarithm", "need", "read", "root", "whole"]:
        assert first[name] == second[name], name


def test_a_level_far_below_the_first_bounds_is_a_level() -> None:
    level = RECEIPT.Level(Fraction(1, 10**40), Fraction(0), Fraction(1))
    for digits, exceeded in ((35, True), (39, True), (41, False), (45, False)):
        assert level.exceeded(10**digits + 1, 10**digits, 1) is exceeded


def told_apart(y: Any, x: Any, level: Any, delta: Fraction) -> bool:
    space = RECEIPT.space_of(PATH3, 3)
    try:
        RECEIPT.Claim(level, delta, space, space.points).compare(0, 1, y, x)
    except RECEIPT.Refuted:
        return True
    return False


def test_rows_are_told_apart_by_every_weight_whatever_its_exponent() -> None:
    """All rows of two weights from a few mantissas and exponents, against plain fractions."""
    weights = [(m, e) for m in (0, 1, 3) for e in (-2, 0, 5)]
    rows = [RECEIPT.Row(list(map(int, m)), list(e)) for m, e in (
        zip(*pair, strict=True) for pair in product(weights, repeat=2)) if any(m)]
    laws = [[Fraction(row.weight(z), row.total) for z in (0, 1)] for row in rows]
    level = RECEIPT.Level(Fraction(0), Fraction(1), Fraction(101, 100))
    for (y, p), (x, q) in product(zip(rows, laws, strict=True), repeat=2):
        excess = [a - Fraction(101, 100) * b for a, b in zip(p, q, strict=True)]
        assert told_apart(y, x, level, Fraction(0)) is (max(excess) > 0)
        assert told_apart(y, x, level, Fraction(1, 50)) is (
            sum(e for e in excess if e > 0) > Fraction(1, 50))


def test_one_way_only_the_second_of_a_pair_is_protected() -> None:
    """A zero is allowed for the second, where the first may give itself away."""
    form = {"family": "directed", "nodes": ["a", "b"], "edges": [[0, 1, "1"]]}
    space = RECEIPT.space_of(form, 9)
    assert list(space.ways(space.near)) == [(0, 1)]
    for rows, holds in ((("1 1", "1 0"), True), (("1 0", "1 1"), False), (("1 3", "3 1"), False)):
        found = judged(document(form, matrix(*rows), outputs=["x", "y"], neighbors=None))
        assert found["holds"] is holds
        assert (found["components"], found["nearest"]) == (None, "1")
    assert (found["witness"]["first"], found["witness"]["second"]) == ("b", "a")


def test_a_zero_is_a_zero_whatever_its_exponent() -> None:
    for far in ("0p-8000000", "0p8000000"):
        content = document(PATH3, matrix(f"4 1 1 {far}", "2 2 2 0", f"1 1 4 {far}"),
                           outputs=["a", "b", "c", "d"])
        assert judged(content)["holds"] is True


@pytest.mark.parametrize("rows", [("1 1", "1 1p-{}"), ("1 1p-{}", "1 1"), ("1p{} 1", "1p{} 1")])
def test_weights_too_many_bits_apart_are_not_judged(rows: tuple[str, str]) -> None:
    """The larger weight in units of the smaller one has a bit more than they are apart."""
    found = RECEIPT.rows_of([row.format(262_143) for row in rows], 2)
    assert max(row.total.bit_length() for row in found) == 262_144
    RECEIPT.limit_lengths(found)
    with pytest.raises(RECEIPT.Unchecked, match="too many bits apart"):
        RECEIPT.limit_lengths(RECEIPT.rows_of([row.format(262_144) for row in rows], 2))


def test_a_matrix_has_a_row_for_each_point() -> None:
    for rows in (("4 1 1", "2 2 2"), ("4 1 1", "2 2 2", "1 1 4", "1 1 4")):
        with pytest.raises(RECEIPT.Malformed):
            judged(document(PATH3, matrix(*rows)))


def test_a_large_matrix_is_judged_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for most, large, holds in ((9, False, True), (8, False, None), (8, True, True)):
        monkeypatch.setattr(RECEIPT, "MOST_MATRIX", most)
        found = judged(GOOD, large)
        assert (found["holds"], len(found["unchecked"])) == (holds, holds is None)
        assert run(tmp_path, GOOD, *["--large"] * large).returncode == (0 if holds else 3)


@pytest.mark.parametrize("mechanism", [
    matrix("2 1 1", "1 2 1", "1 1 2"), kernel("2", ["1", "1", "1"])], ids=["matrix", "kernel"])
@pytest.mark.parametrize("loss", ["absolute", "squared", "euclidean", "largest", "binary", "other"])
def test_a_loss_of_distances_needs_coordinates(mechanism: dict[str, Any], loss: str) -> None:
    space = {"family": "categories", "values": ["a", "b", "c"]}
    content = document(space, mechanism, optimality=optimality(loss=loss))
    if loss == "binary":
        assert judged(content)["optimality"]["loss"] == "binary"
    else:
        with pytest.raises(RECEIPT.Malformed):
            judged(content)


@pytest.mark.parametrize("receipt", BOTH)
def test_a_file_is_read_up_to_its_limit_packed_or_not(
    receipt: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = json.dumps(GOOD).encode()
    for size, fine in ((len(data), True), (len(data) - 1, False)):
        monkeypatch.setattr(receipt, "MOST_BYTES", size)
        for packed in (data, gzip.compress(data)):
            file = written(tmp_path, packed)
            if fine:
                assert receipt.read(str(file)) == GOOD
            else:
                with pytest.raises(receipt.Malformed, match="holds more than"):
                    receipt.read(str(file))


def said_of(content: dict[str, Any]) -> str:
    return "\n".join(checker(content).lines(content, judged(content)))


def test_what_is_printed_names_what_is_not_protected_and_what_was_not_checked() -> None:
    """Of a relation one way, of components, and of what another file checks."""
    plain = said_of(GOOD)
    assert "ONE WAY" not in plain
    assert "NOT private" not in plain
    assert "\nchecked      12 comparisons hold" in plain  # 4 ordered pairs, 3 outputs
    assert "\nNOT checked  nothing\n" in plain
    form = {"family": "directed", "nodes": ["a", "b"], "edges": [[0, 1, "1"]]}
    one_way = said_of(document(form, matrix("1 1", "1 0"), outputs=["x", "y"], neighbors=None))
    assert "\nONE WAY      only the second of a pair is protected" in one_way
    assert "NOT private" not in one_way
    parts = [["0", "1", "inf"], ["1", "0", "inf"], ["inf", "inf", "0"]]
    space = {"family": "matrix", "labels": [0, 1, 2], "distances": parts}
    apart = said_of(document(space, matrix("1 1", "1 1", "1 0"), outputs=[0, 1], neighbors=None))
    assert "\nNOT private  which of the 2 components an input lies in\n" in apart
    other = sealed({**GOOD, "mechanism": noise("2")})
    report = RECEIPT.examine(other, False)
    said = "\n".join(RECEIPT.lines(other, report))
    assert "\nchecked      nothing\n" in said
    assert "\nNOT checked  the claim: receipt_theorems.py checks" in said


@pytest.mark.parametrize("form", [
    {"family": "path", "low": 7, "high": 7}, {"family": "path", "low": 7, "high": 6},
    {"family": "categories", "values": ["a"]}, {"family": "complete", "nodes": 1},
    {"family": "cycle", "nodes": 1}, {"family": "points", "labels": ["a"], "coordinates": [["0"]]},
    {"family": "matrix", "labels": ["a"], "distances": [["0"]]},
    {"family": "grid", "shape": [1, 1], "step": "1", "metric": "manhattan"},
    {"family": "hamming", "values": 1, "people": 3}, {"family": "star", "leaves": 0},
    {"family": "graph", "nodes": ["a"], "edges": [[0, 0, "1"]]}, {"family": "sets", "items": 0},
    {"family": "sum", "people": 0, "max": 2}, {"family": "counts", "people": 0, "queries": 2},
    {"family": "histogram", "people": 2, "cells": 1, "neighbors": "replace"},
])
def test_a_space_has_two_points_at_least(form: dict[str, Any]) -> None:
    with pytest.raises(RECEIPT.Malformed):
        RECEIPT.space_of(form, 100)


@pytest.mark.parametrize(("form", "size"), [
    ({"family": "path", "low": 5, "high": 6}, 2), ({"family": "path", "low": -9, "high": -5}, 5),
    ({"family": "path", "low": -(10**15), "high": 1 - 10**15}, 2),
    ({"family": "path", "low": 10**15 - 1, "high": 10**15}, 2),
    ({"family": "categories", "values": ["a", "b"]}, 2), ({"family": "complete", "nodes": 2}, 2),
    ({"family": "cycle", "nodes": 2}, 2), ({"family": "star", "leaves": 1}, 2),
    ({"family": "sets", "items": 1}, 2), ({"family": "sum", "people": 1, "max": 1}, 2),
    ({"family": "counts", "people": 1, "queries": 1}, 2),
    ({"family": "hamming", "values": 2, "people": 1}, 2),
    ({"family": "grid", "shape": [1, 2], "step": "1", "metric": "manhattan"}, 2),
    ({"family": "histogram", "people": 1, "cells": 2, "neighbors": "replace"}, 2),
    ({"family": "histogram", "people": 1, "cells": 1, "neighbors": "add-remove"}, 2),
    ({"family": "histogram", "people": 2, "cells": 3, "neighbors": "replace"}, 6),
    ({"family": "histogram", "people": 2, "cells": 2, "neighbors": "add-remove"}, 6),
    ({"family": "sum", "people": 2, "max": 3}, 7), ({"family": "star", "leaves": 4}, 5),
    ({"family": "counts", "people": 2, "queries": 3}, 27), ({"family": "sets", "items": 3}, 8),
    ({"family": "hamming", "values": 3, "people": 2}, 9),
    ({"family": "categories", "values": [0, 1, 2]}, 3),
    ({"family": "product", "combine": "sum", "factors": [
        {"family": "path", "low": 0, "high": 1}, {"family": "cycle", "nodes": 3}]}, 6),
])
def test_a_space_has_as_many_points_as_a_mechanism_may_have_rows(
    form: dict[str, Any], size: int
) -> None:
    assert len(RECEIPT.space_of(form, size).points) == size
    with pytest.raises(RECEIPT.Malformed):
        RECEIPT.space_of(form, size - 1)


@pytest.mark.parametrize("text", ["2/4", "02", "1.5", "0", "-1", 1, None, f"1/{2**1000}"])
def test_a_length_is_a_fraction_in_lowest_terms_above_0(text: Any) -> None:
    for form in (
        {"family": "grid", "shape": [2, 2], "step": text, "metric": "manhattan"},
        {"family": "grid", "shape": [2, 2], "step": text, "metric": "euclidean"},
        {"family": "graph", "nodes": ["a", "b"], "edges": [[0, 1, text]]},
        {"family": "matrix", "labels": ["a", "b"], "distances": [["0", text], [text, "0"]]},
    ):
        with pytest.raises(RECEIPT.Malformed):
            RECEIPT.space_of(form, 9)


@pytest.mark.parametrize("values", [[1, 2], [0, 2], ["a", ""], ["a", 1], [0, "b"], ["a", "a"],
                                    [True, False], [0.0, 1.0], [["a"], ["b"]], "ab"])
def test_categories_are_different_texts_or_the_numbers_from_0(values: Any) -> None:
    with pytest.raises(RECEIPT.Malformed):
        RECEIPT.space_of({"family": "categories", "values": values}, 9)


@pytest.mark.parametrize(("edges", "fine"), [
    ([[1, 0, "1"]], True), ([[0, 1, "1"], [1, 0, "2"]], True), ([[2, 0, "1"]], False),
    ([[0, 2, "1"]], False), ([[-1, 1, "1"]], False), ([[0, 0, "1"]], False),
    ([[0, 1, "1"], [1, 1, "1"]], False), ([[1, 0, "1"], [0, 1, "1"]], False),
    ([[0, 1, "1"], [0, 1, "1"]], False), ([[0, 1, "0"]], False), ([[0, 1]], False)])
def test_edges_one_way_join_two_nodes_in_order(edges: list[Any], fine: bool) -> None:
    form = {"family": "directed", "nodes": ["a", "b"], "edges": edges}
    if fine:
        space = RECEIPT.space_of(form, 9)
        assert {(i, j): space.distance(i, j) for i, j in ((0, 1), (1, 0))} == {
            (0, 1): math.inf, (1, 0): math.inf} | {(i, j): Fraction(d) for i, j, d in edges}
        assert sorted(space.ways(space.near)) == [(i, j) for i, j, _ in edges]
        assert (space.neighbors, space.one_way) == (None, True)
    else:
        with pytest.raises(RECEIPT.Malformed):
            RECEIPT.space_of(form, 9)


@pytest.mark.parametrize("combine", ["sum", "max"])
def test_a_product_has_factors_that_are_protected_both_ways(combine: str) -> None:
    for family, fine in (("graph", True), ("directed", False)):
        part = {"family": family, "nodes": ["a", "b"], "edges": [[0, 1, "1"]]}
        for factors in ([part, PATH3], [PATH3, part]):
            form = {"family": "product", "combine": combine, "factors": factors}
            if fine:
                assert len(RECEIPT.space_of(form, 9).points) == 6
            else:
                with pytest.raises(RECEIPT.Malformed, match="both ways"):
                    RECEIPT.space_of(form, 9)


def test_ways_that_lead_on_are_added_up_one_way() -> None:
    form = {"family": "directed", "nodes": ["a", "b", "c"],
            "edges": [[0, 1, "1/2"], [0, 2, "2"], [1, 2, "1"], [2, 1, "3"]]}
    space = RECEIPT.space_of(form, 9)
    assert [[space.distance(i, j) for j in range(3)] for i in range(3)] == [
        [0, Fraction(1, 2), Fraction(3, 2)], [math.inf, 0, 1], [math.inf, 3, 0]]
    assert [*space.ways(space.near)] == [(0, 1), (2, 1), (1, 2)]  # from a to c it is nearer by b


@pytest.mark.parametrize(("receipt", "law", "outputs"), [
    (RECEIPT, GOOD["mechanism"], "inputs"), (RECEIPT, kernel("2", ["1"] * 3), "inputs"),
    (THEOREMS, noise("2"), "integers")], ids=["matrix", "kernel", "noise"])
def test_long_texts_are_printed_by_both_ends_and_short_ones_in_full(
    receipt: Any, law: dict[str, Any], outputs: str, tmp_path: Path
) -> None:
    for size in (5, 60, 61, 500):  # 60 are shown
        base = "0" * (size - 5) + "4"
        content = document(PATH3, law, ("0", "1", base), outputs=outputs)
        done = run(tmp_path, content, by=receipt)
        assert done.returncode == 0
        said = f"ln({base})" if size < 61 else (
            f"ln({'0' * 27} ... {'0' * 28}4) ({size} characters)")
        assert f"\nclaim        ε = {said}, about 1.386294, δ = 0 (" in done.stdout
        assert "\nneighbors    counts that differ by one\n" in done.stdout
        assert done.stdout.endswith("verdict      the claim is proved\n")


@pytest.mark.parametrize("law", [GOOD["mechanism"], kernel("2", ["1"] * 3)],
                         ids=["matrix", "kernel"])
def test_what_is_printed_of_a_loss_names_its_goal_and_whether_it_is_proved(
    law: dict[str, Any]
) -> None:
    for goal, whose in (("average", "average, uniform prior"),
                        ("worst", "worst input, bound for a uniform prior")):
        for most, judgment in ((2.0, "proved"), (0.25, "FALSE, its proof does not support it")):
            best = optimality(goal=goal, value=most.hex(), bound=(-1.0).hex())
            said = said_of(document(PATH3, law, ("0", "1", "4"), optimality=best))
            assert f"\nloss         absolute, {whose}: at most {most}\n" in said
            assert "\nbest         -1.0 or more for all mechanisms" in said
            assert f"): {judgment}\n" in said
    false = said_of(document(PATH3, law, ("0", "1", "5/4"), optimality=best))
    assert "): not judged\n" in false


@pytest.mark.parametrize(("receipt", "law", "outputs"), [
    (RECEIPT, GOOD["mechanism"], "inputs"), (RECEIPT, kernel("2", ["1"] * 3), "inputs"),
    (THEOREMS, noise("2"), "integers")], ids=["matrix", "kernel", "noise"])
def test_a_terminal_that_knows_no_greek_is_told_all_the_same(
    receipt: Any, law: dict[str, Any], outputs: str, tmp_path: Path
) -> None:
    content = document(PATH3, law, ("0", "1", "4"), outputs=outputs)
    out = TextIOWrapper(BytesIO(), encoding="ascii", write_through=True)
    with contextlib.redirect_stdout(out):
        assert receipt.main([str(written(tmp_path, content))]) == 0
    said = out.buffer.getvalue().decode("ascii")
    assert "claim        \\u03b5 = ln(4)" in said
    assert "verdict      the claim is proved" in said


def test_spaces_of_numbers_have_coordinates_and_others_have_none() -> None:
    placed = ("path", "sum", "counts", "replace", "add-remove", "euclidean", "manhattan",
              "chebyshev", "points")
    for name, (form, *_) in FAMILIES.items():
        assert (RECEIPT.space_of(form, 100).places is not None) is (name in placed), name


@pytest.mark.parametrize("form", [
    {"family": "torus"}, {"family": "path", "low": 0}, {}, [], None, "path", {"family": None},
    {"family": "grid", "shape": [2, 2], "step": "1", "metric": "other"},
    {"family": "grid", "shape": [], "step": "1", "metric": "manhattan"},
    {"family": "product", "combine": "min", "factors": [PATH3, PATH3]},
    {"family": "product", "combine": "sum", "factors": [PATH3]},
    {"family": "histogram", "people": 2, "cells": 2, "neighbors": "both"},
    *({**form, "more": 1} for form, *_ in FAMILIES.values())])
def test_a_space_is_described_in_full_and_by_nothing_else(form: Any) -> None:
    with pytest.raises(RECEIPT.Malformed):
        RECEIPT.space_of(form, 100)


def test_distances_may_have_a_unit_of_length() -> None:
    form = {"family": "matrix", "labels": ["a", "b"], "distances": [["0", "2"], ["2", "0"]]}
    for unit in ("mm", "m", "km"):
        assert RECEIPT.space_of({**form, "unit": unit}, 9).distance(0, 1) == 2
    for unit in ("mi", None, 1, ""):
        with pytest.raises(RECEIPT.Malformed):
            RECEIPT.space_of({**form, "unit": unit}, 9)


@pytest.mark.parametrize("edges", [
    [[0, 3, "1"]], [[3, 4, "1"]], [[-1, 1, "1"]], [[1, 0, "1"]], [[1, 1, "1"]],
    [[0, 2, "1"], [0, 1, "1"]], [[0, 1, "1"], [0, 1, "1"]], [[0, 1, "1"], [0, 2, "-1"]],
    [[0, 1, "-1"], [0, 2, "1"]], [[0, 1]], [], [[0, 1, 1]], [["0", "1", "1"]]])
def test_edges_are_in_order_between_two_nodes_and_have_lengths(
    edges: list[Any]
) -> None:
    form = {"family": "graph", "nodes": ["a", "b", "c"], "edges": edges}
    with pytest.raises(RECEIPT.Malformed):
        RECEIPT.space_of(form, 9)


def test_a_product_has_at_most_six_factors() -> None:
    two = {"family": "path", "low": 0, "high": 1}
    form: dict[str, Any] = two
    for factors in range(2, 8):
        form = {"family": "product", "combine": "sum", "factors": [form, two]}
        if factors <= 6:
            assert len(RECEIPT.space_of(form, 1000).points) == 2**factors
    with pytest.raises(RECEIPT.Malformed, match="at most six factors"):
        RECEIPT.space_of(form, 1000)


@pytest.mark.parametrize("law", [GOOD["mechanism"], kernel("2", ["1"] * 3)],
                         ids=["matrix", "kernel"])
def test_what_is_no_claim_about_a_loss_is_refused(law: dict[str, Any]) -> None:
    def judge(best: Any) -> Any:
        return judged(document(PATH3, law, ("0", "1", "4"), optimality=best))["optimality"]

    zeros = {size: [" ".join(["0x0.0p+0"] * size)] * size for size in (2, 3, 4)}
    assert judge(optimality(loss=zeros[3]))["loss"] == "given"
    for best in (list(optimality()), "goal", 7, {}, optimality(more=1), optimality(loss=zeros[2]),
                 optimality(loss=zeros[4]), optimality(loss="cubed"), optimality(loss=None),
                 optimality(goal="best"), optimality(prior=["1/2", "1/2", "1/2"]),
                 optimality(prior=["1", "1", "-1"]), optimality(unit=1001), optimality(unit=-97),
                 optimality(multipliers=["", ""]), optimality(multipliers=["0 1", "", ""]),
                 optimality(multipliers=["0 3 1", "", ""]), optimality(multipliers=[None, "", ""])):
        with pytest.raises(RECEIPT.Malformed):
            judge(best)


def test_only_where_edges_lead_one_way_are_more_than_a_thousand_nodes_too_many() -> None:
    for family, nodes, fine in (("graph", 1001, True), ("directed", 1000, True),
                                ("directed", 1001, False)):
        form = {"family": family, "nodes": list(range(nodes)),
                "edges": [[i, i + 1, "1"] for i in range(nodes - 1)]}
        if fine:
            assert RECEIPT.space_of(form, 2000).distance(0, 9) == 9
        else:
            with pytest.raises(RECEIPT.Malformed, match="too many points"):
                RECEIPT.space_of(form, 2000)


@pytest.mark.parametrize(("text", "fine"), [
    ("1/2", True), ("-3", True), ("2/4", False), ("02", False), ("1.5", False), (1, False),
    (f"1/{2**1000}", False), ("0", False)])  # where the other point is
def test_a_coordinate_is_a_fraction_in_lowest_terms(text: Any, fine: bool) -> None:
    form = {"family": "points", "labels": ["a", "b"], "coordinates": [["0"], [text]]}
    if fine:
        assert RECEIPT.space_of(form, 9).distance(0, 1) == abs(Fraction(text))
    else:
        with pytest.raises(RECEIPT.Malformed):
            RECEIPT.space_of(form, 9)


@pytest.mark.parametrize("space", [None, 1, True, "path", [], 0.5])
def test_a_space_that_is_no_object_is_no_document_whatever_the_mechanism(tmp_path, space):
    content = sealed({**document(PATH3, noise("2")), "space": space})
    answer = run(tmp_path, content, by=RECEIPT)
    assert answer.returncode == 2
    assert "the space must be an object" in answer.stderr
