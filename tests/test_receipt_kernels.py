"""The stand-alone checker of kernels and formulas against plain fractions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import isqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.receipts import (
    FAMILIES,
    LEVELS,
    LN2,
    ONE,
    PATH3,
    RATIONAL,
    RECEIPT,
    assert_broken,
    document,
    few,
    gaps,
    judged,
    kernel,
    line,
    nearly_private,
    normalized,
    pairs_of,
    power,
    private,
    run,
    sealed,
    spoke,
)
from tests.relations import ANY

LONG = {"family": "path", "low": 0, "high": 299}


@few
@given(st.data())
def test_kernels_are_judged_as_the_matrix_they_imply(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(RATIONAL))
    form, points, table, neighbors = FAMILIES[name]
    size = len(points)
    unit = data.draw(st.sampled_from([Fraction(1, 4), Fraction(1, 8)]))
    ratio = data.draw(st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(17, 16)]))
    epsilon = data.draw(st.sampled_from([*LEVELS, ("0", "4", str(ratio)), ("0", "8", str(ratio))]))
    weight = st.one_of(st.just(Fraction(0)), st.fractions(0, 3, max_denominator=7), st.just(ONE))
    weights = data.draw(st.lists(weight, min_size=size, max_size=size).filter(any))
    delta = data.draw(st.sampled_from([Fraction(0), Fraction(1, 5)])) if neighbors else Fraction(0)
    steps = [[Fraction(isqrt(x.numerator), isqrt(x.denominator)) / unit for x in row]
             for row in table]
    rows = normalized([[w * ratio ** -int(k) for w, k in zip(weights, row, strict=True)]
                       for row in steps])
    content = kernel(str(ratio), list(map(str, weights)), str(unit))
    found = judged(document(form, content, epsilon, delta=str(delta),
                            neighbors=ANY if neighbors else None))
    if delta:
        space = RECEIPT.space_of(form, 1000)
        pairs = pairs_of(space, space.neighbors)
        assert found["holds"] == nearly_private(rows, pairs, table, epsilon, delta)
    else:
        assert found["holds"] == private(rows, table, epsilon)
    if not found["holds"]:
        assert_broken(found["witness"], points, points, rows, table, epsilon, delta)


@pytest.mark.parametrize("base", ["2", "9/4", "11/4", "4"])
def test_every_small_kernel_is_judged_as_the_matrix_it_implies(base: str) -> None:
    form, points, table, _ = FAMILIES["path"]
    for weights in product((0, 1, 5), repeat=5):
        if any(weights):
            found = judged(document(form, kernel("2", list(map(str, weights))), ("0", "1", base)))
            rows = normalized([[Fraction(w, 1 << abs(y - z)) for z, w in enumerate(weights)]
                               for y in range(5)])
            assert found["holds"] == private(rows, table, ("0", "1", base)), weights
            if not found["holds"]:
                assert_broken(found["witness"], points, points, rows, table, ("0", "1", base))


@pytest.mark.parametrize(("form", "size", "steps"), [
    ({"family": "path", "low": 0, "high": 3}, 4, line),
    ({"family": "complete", "nodes": 3}, 3, lambda y, z: Fraction(y != z)),
    ({"family": "star", "leaves": 3}, 4, spoke)], ids=["path", "complete", "star"])
@pytest.mark.parametrize("weights", [(1, 1, 1, 1), (1, 5, 2, 0), (2, 5, 1, 1), (1, 2, 5, 9)])
@pytest.mark.parametrize("base", [Fraction(5, 4), Fraction(3, 2)])
def test_with_delta_every_pair_of_neighbors_counts(
    form: Any, size: int, steps: Any, weights: tuple[int, ...], base: Fraction
) -> None:
    law = weights[:size]
    rows = normalized([[Fraction(w, 1 << int(steps(y, z))) for z, w in enumerate(law)]
                       for y in range(size)])
    sums = {sum(max(p - base * q, Fraction(0)) for p, q in zip(rows[y], rows[x], strict=True))
            for y, x in product(range(size), repeat=2) if steps(y, x) == 1}
    for delta in sums - {0}:
        found = judged(document(form, kernel("2", list(map(str, law))), ("0", "1", str(base)),
                                delta=str(delta)))
        assert found["holds"] is (delta == max(sums))


def test_where_steps_are_uneven_all_pairs_count_and_not_neighbors_alone() -> None:
    form, points, table, _ = FAMILIES["uneven strides"]
    weights, epsilon = (5, 9, 1, 1, 1, 5), ("0", "1", "8/3")
    steps = [[isqrt(int(x)) for x in row] for row in table]
    rows = normalized([[w * Fraction(1, 1 << k) for w, k in zip(weights, row, strict=True)]
                       for row in steps])
    space = RECEIPT.space_of(form, 10)
    assert all(p <= Fraction(8, 3) ** steps[i][j] * q for pair in pairs_of(space, space.neighbors)
               for i, j in (pair, pair[::-1]) for p, q in zip(rows[i], rows[j], strict=True))
    found = judged(document(form, kernel("2", list(map(str, weights))), epsilon))
    assert found["holds"] is private(rows, table, epsilon) is False
    assert_broken(found["witness"], points, points, rows, table, epsilon)
    pairs = pairs_of(space, space.neighbors)  # and a δ is about neighbors alone
    excess = [[sum(max(p - Fraction(5, 2) ** steps[i][j] * q, Fraction(0))
                   for p, q in zip(rows[i], rows[j], strict=True)) for j in range(6)]
              for i in range(6)]
    least = max(max(excess[i][j], excess[j][i]) for i, j in pairs)
    assert 0 < least < max(map(max, excess))
    for delta, holds in ((least, True), (least * Fraction(99, 100), False)):
        content = document(form, kernel("2", list(map(str, weights))), ("0", "1", "5/2"),
                           delta=str(delta))
        assert judged(content)["holds"] is holds


@pytest.mark.parametrize("name", RATIONAL)
def test_the_least_distance_of_a_kernel_is_that_of_all_pairs(name: str) -> None:
    form, points, table, neighbors = FAMILIES[name]
    least = min(square for i, row in enumerate(table) for square in row[:i])
    found = judged(document(form, kernel("17/16", ["1"] * len(points), "1/4"), ("50", "0", "1"),
                            neighbors=ANY if neighbors else None))
    assert (found["holds"], Fraction(found["nearest"]) ** 2, found["components"]) == (
        True, least, 1)


def test_a_table_of_kernels_is_proved_by_one_row() -> None:
    space = {"family": "categories", "values": ["a", "b", "c"]}
    whole = document(space, {"form": "table", "rows": 3, "base": kernel("2", ["1", "1", "1"])})
    assert judged(whole)["holds"] is True


def test_large_kernels_are_checked_on_request_only() -> None:
    space = {"family": "path", "low": 0, "high": 10_000}
    content = document(space, kernel("2", ["1"] * 10_001), ("0", "1", "4"))
    found = judged(content)
    assert found["holds"] is None
    assert "--large" in found["unchecked"][0]
    assert judged(document({"family": "path", "low": 0, "high": 99}, kernel("2", ["1"] * 100),
                           ("0", "1", "4")), large=True)["holds"] is True


def test_normalizers_too_long_are_named_as_unchecked() -> None:
    fine = kernel("3/2", ["1", "1", "1"], "1/1000000000")
    assert judged(document(PATH3, fine, ("1000000", "0", "1")))["holds"] is None


def test_a_kernel_of_hundreds_of_points_is_proved_and_not_at_a_hair_less(tmp_path: Path) -> None:
    tight = kernel("3/2", ["3/5", *["1/5"] * 298, "3/5"])
    assert run(tmp_path, document(LONG, tight, ("0", "1", "3/2"))).returncode == 0
    less = document(LONG, tight, ("0", "1", "1499999/1000000"))
    assert run(tmp_path, less).returncode == 1


def told_apart(rows: Sequence[tuple[list[int], list[int]]], epsilon: Sequence[str],
               delta: str = "0") -> bool:
    """Whether the checker tells the first of two rows from the second, one step apart."""
    level = RECEIPT.Level(*map(Fraction, epsilon))
    space = RECEIPT.space_of(PATH3, 9)
    try:
        RECEIPT.Claim(level, Fraction(delta), space, space.points).compare(
            0, 1, *(RECEIPT.Row(*r) for r in rows))
    except RECEIPT.Refuted:
        return True
    return False


@pytest.mark.parametrize("bits", [50, 62, 66, 90, 110, 127, 200])
@pytest.mark.parametrize("shift", [-9, 0, 7])
def test_rows_are_told_apart_however_near_the_level(bits: int, shift: int) -> None:
    """1/S is e^(1/2) times 1/T, and 2^-bits of it less or more."""
    with localcontext() as context:
        context.prec = 300
        power, total = Fraction(Decimal("0.5").exp()), 2**700 + 1
    for sign in (-1, 1):
        other = int(total * power * (1 + Fraction(sign, 2**bits)))
        near = [([1, total - 1], [9, 9]), ([1, other - 1], [9 + shift, 9 + shift])]
        assert told_apart(near, ("1/2", "0", "1")) is (sign > 0)


@pytest.mark.parametrize(("epsilon", "delta"), [
    (LN2, "0"), (("1/2", "0", "1"), "0"), (LN2, "1/10"), (("1/2", "0", "1"), "1/10"), (LN2, "2/3")])
def test_rows_with_exponents_are_told_apart_as_their_fractions(
    epsilon: tuple[str, str, str], delta: str
) -> None:
    source, seen, factor = Random(4), set(), power(epsilon, ONE)
    for _ in range(60):
        rows = [([source.randrange(1, 9) for _ in "abc"],
                 [source.randrange(-3, 3) for _ in "abc"]) for _ in range(2)]
        if not source.randrange(6):
            rows[source.randrange(2)][0][0] = 0
        y, x = normalized([[m * Fraction(2) ** e for m, e in zip(*row, strict=True)]
                           for row in rows])
        excess = [p - factor * q for p, q in zip(y, x, strict=True)]
        true = max(excess) > 0 if delta == "0" else (
            sum(max(e, Fraction(0)) for e in excess) > Fraction(delta))
        assert told_apart(rows, epsilon, delta) is true
        seen.add(true)
    assert seen == {True, False}


@pytest.mark.parametrize("x", ["1/3", "7/2", "5", "0", "22/7"])
def test_the_bounds_of_a_length_lie_on_either_side(x: str) -> None:
    for bits in (0, 1, 4, 64):
        low, high = RECEIPT.bounds(Fraction(x), bits)
        assert low <= Fraction(x) * 2**bits <= high < low + 2
        low, high = RECEIPT.bounds(("root", Fraction(x)), bits)
        assert low**2 <= Fraction(x) * 4**bits < high**2
        assert high == low + 1


def rounded_power(ratio: Fraction, square: Fraction) -> Fraction:
    """ratio^-√square rounded down to 62 bits, for a whole square."""
    with localcontext() as context:
        context.prec = 90
        exact = Fraction(isqrt(square.numerator)) ** 2 == square
        length = isqrt(square.numerator) if exact else 0
        base = Decimal(ratio.numerator) / ratio.denominator
        value = ratio**-length if exact else Fraction(
            (-base.ln() * Decimal(square.numerator).sqrt()).exp())
    shift = 0
    while value * 2**shift < 2**61:
        shift += 1
    return Fraction(int(value * 2**shift), 2**shift)


GRIDS: list[tuple[Any, list[int], str]] = [
    ({"family": "path", "low": -2, "high": 3}, [6], "1"),
    ({"family": "grid", "shape": [2, 3], "step": "1/2", "metric": "manhattan"}, [2, 3], "1/2"),
    ({"family": "grid", "shape": [3, 2], "step": "3", "metric": "euclidean"}, [3, 2], "3"),
]


def rounded(shape: list[int], unit: str, ratio: Fraction, weights: Sequence[int]) -> dict[str, Any]:
    wide = shape[-1]
    lines = [" ".join(f"{w:x}" for w in weights[i : i + wide])
             for i in range(0, len(weights), wide)]
    return {"form": "kernel", "ratio": str(ratio), "unit": unit, "bits": 62, "weights": lines}


def rounded_rows(
    shape: list[int], form: Any, ratio: Fraction, weights: Sequence[int]
) -> list[list[Fraction]]:
    """The rows that a rounded kernel implies; distances in steps, squared."""
    cells = list(product(*map(range, shape)))
    total = (lambda apart: sum(g * g for g in apart)) if form.get("metric") == "euclidean" else (
        lambda apart: sum(apart) ** 2)
    return normalized([[w * rounded_power(ratio, Fraction(total(gaps(y, z))))
                        for z, w in zip(cells, weights, strict=True)] for y in cells])


@pytest.mark.parametrize(("form", "shape", "unit"), GRIDS)
@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(2), Fraction(10**6)])
@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1, 1), (7, 1, 2, 2, 1, 5), (1, 0, 3, 0, 0, 2),
                                     (2**62 - 1, 2**61, 2**61, 2**61, 2**61, 1)])
def test_a_rounded_kernel_has_the_level_of_its_rows_to_a_hair(
    form: Any, shape: list[int], unit: str, ratio: Fraction, weights: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = rounded_rows(shape, form, ratio, weights)
    content = rounded(shape, unit, ratio, weights)
    cells = list(product(*map(range, shape)))
    near = [(i, j) for i, j in product(range(6), repeat=2) if sum(gaps(cells[i], cells[j])) == 1]
    least = max(p / q for i, j in near for p, q in zip(rows[i], rows[j], strict=True) if p)
    table = [[Fraction(sum(g * g for g in gaps(a, b))) if form.get("metric") == "euclidean"
              else Fraction(sum(gaps(a, b))) ** 2 for b in cells] for a in cells]
    words = None if form.get("metric") == "euclidean" else ANY
    inverse = str(1 / Fraction(unit))
    for base in (least, least - Fraction(1, 10**40), 2 * least * ratio, (1 + least) / 2):
        if base <= 1:
            continue
        true = private(rows, table, ("0", "1", str(base)))
        assert true is (base >= least)
        for written in (1000, 2):  # and as if the rows were too many to be compared one by one
            monkeypatch.setattr(RECEIPT, "MOST_WRITTEN", written)
            found = judged(document(form, content, ("0", inverse, str(base)), neighbors=words))
            assert found["holds"] is true or (written == 2 and found["holds"] is None)
            assert found["holds"] is not None or base < 2 * least * ratio
            if found["holds"] is False:
                i, j = (cells.index(x if isinstance(x, tuple) else (x + 2,))
                        for x in (found["witness"]["first"], found["witness"]["second"]))
                assert (i, j) in near or (words is None and written == 1000)


@pytest.mark.parametrize(("form", "shape", "unit"), GRIDS)
@pytest.mark.parametrize("heavy", range(6))
def test_a_large_rounded_kernel_is_refuted_by_adjacent_cells_only(
    form: Any, shape: list[int], unit: str, heavy: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a line and the start of the next are numbered one after the other, and apart."""
    monkeypatch.setattr(RECEIPT, "MOST_WRITTEN", 2)
    cells = list(product(*map(range, shape)))
    weights = [2**40 if z == heavy else 1 for z in range(6)]
    content = rounded(shape, unit, Fraction(2), weights)
    words = None if form.get("metric") == "euclidean" else ANY
    epsilon = ("0", str(1 / Fraction(unit)), "5/4")
    witness = judged(document(form, content, epsilon, neighbors=words))["witness"]
    y, x = (cells.index(w if isinstance(w, tuple) else (w + 2,))
            for w in (witness["first"], witness["second"]))
    assert sum(gaps(cells[y], cells[x])) == 1
    rows = rounded_rows(shape, form, Fraction(2), weights)
    assert witness["outputs"] == [witness["first"]]
    assert rows[y][y] > Fraction(5, 4) * rows[x][y]


@pytest.mark.parametrize("shape", [[1, 1], [7], [3, 4], [2, 1, 3], [2, 3, 2]])
@pytest.mark.parametrize("reach", [0, 1, 9])
def test_sums_over_a_grid_are_those_of_all_pairs_of_cells(shape: list[int], reach: int) -> None:
    cells = list(product(*map(range, shape)))
    weights = [(5 * i * i + 3) % 11 << (i % 3) * 30 for i in range(len(cells))]
    taps = [min(side - 1, reach) for side in shape]

    def units(apart: Sequence[int]) -> int:
        inside = all(g <= r for g, r in zip(apart, taps, strict=True))
        return inside * ((2**61 >> sum(apart)) + sum(3**i * g for i, g in enumerate(apart)))

    assert RECEIPT.convolved(shape, weights, taps, units) == [
        sum(w * units(gaps(y, z)) for z, w in zip(cells, weights, strict=True)) for y in cells]


@pytest.mark.parametrize(("over", "under"), [(1, 1), (1, 3), (2**70 - 1, 2**70), (5, 2**90 + 1),
                                             (2**61 - 1, 2**61), (3**40, 3**41 + 1)])
def test_a_power_is_rounded_down_to_62_bits(over: int, under: int) -> None:
    mantissa, exponent = RECEIPT.floored(over, under)
    assert mantissa.bit_length() == 62
    true = Fraction(over, under) / Fraction(2) ** exponent
    assert mantissa <= true < mantissa + 1


def test_every_small_remapping_is_judged_soundly() -> None:
    form, table = {"family": "path", "low": 0, "high": 3}, FAMILIES["path"][2]
    for weights, base in product(((4, 1, 1, 4), (1, 0, 3, 1)), ("2", "5/2")):
        law = kernel("2", list(map(str, weights)))
        rows = normalized([[Fraction(w, 1 << abs(y - z)) for z, w in enumerate(weights)]
                           for y in range(4)])
        epsilon = ("0", "1", base)
        proved = private(rows, table, epsilon)
        for targets in product(range(3), repeat=4):
            merged = [[sum((p for p, t in zip(row, targets, strict=True) if t == z), Fraction(0))
                       for z in range(3)] for row in rows]
            whole = {"form": "remapped", "kernel": law, "targets": " ".join(map(str, targets))}
            content = document(form, whole, epsilon, outputs=["x", "y", "z"])
            content = sealed({**content, "claim": {**content["claim"], "evidence": "kernel"}})
            found = RECEIPT.examine(content, False)
            assert found["holds"] is True if proved else found["holds"] is not True
            if found["holds"] is False:
                assert_broken(found["witness"], [0, 1, 2, 3], ["x", "y", "z"], merged, table,
                              epsilon)
            elif not proved:
                assert "whether its answers have it is not known" in found["unchecked"][0]
        assert "every answer follows" in found["checked"][0] if proved else not found["checked"]


def test_with_a_delta_answers_are_never_refuted_by_one_output() -> None:
    """At e^ε = 5/4 the kernel needs δ = 65/252, its answers only 13/126."""
    form, weights, targets = {"family": "path", "low": 0, "high": 3}, (4, 1, 1, 4), (0, 0, 1, 0)
    rows = normalized([[Fraction(w, 1 << abs(y - z)) for z, w in enumerate(weights)]
                       for y in range(4)])
    merged = [[sum((p for p, t in zip(row, targets, strict=True) if t == z), Fraction(0))
               for z in range(2)] for row in rows]
    pairs, table, epsilon = [(0, 1), (1, 2), (2, 3)], FAMILIES["path"][2], ("0", "1", "5/4")
    for delta, holds, kept in (("65/252", True, True), ("1/5", None, True), ("1/10", None, False)):
        assert nearly_private(merged, pairs, table, epsilon, Fraction(delta)) is kept
        law = {"form": "remapped", "kernel": kernel("2", list(map(str, weights))),
               "targets": " ".join(map(str, targets))}
        content = document(form, law, epsilon, delta=delta, outputs=["x", "y"])
        content = sealed({**content, "claim": {**content["claim"], "evidence": "kernel"}})
        assert RECEIPT.examine(content, False)["holds"] is holds


@pytest.mark.parametrize("shape", [[4], [2, 3], [2, 1, 3]])
@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "euclidean"])
def test_the_losses_of_a_kernel_are_those_of_its_cells(shape: list[int], metric: str) -> None:
    step, cells = Fraction(4, 3), list(product(*map(range, shape)))
    space = RECEIPT.space_of({"family": "grid", "shape": shape, "step": "4/3", "metric": metric},
                             100)
    found = {loss: RECEIPT.losses_of(loss, space, space.points)
             for loss in ("binary", "absolute", "squared", "largest", "euclidean")}
    for (y, a), (z, b) in product(enumerate(cells), repeat=2):
        apart = [step * g for g in gaps(a, b)]
        square = sum((g * g for g in apart), Fraction(0))
        for loss, true in (("binary", Fraction(y != z)), ("absolute", sum(apart)),
                           ("squared", square), ("largest", max(apart))):
            low, high = RECEIPT.bounds(found[loss](y, z), 96)
            assert low <= true * 2**96 <= high < low + 2
        low, high = RECEIPT.bounds(found["euclidean"](y, z), 96)
        assert low**2 <= square * 4**96 <= high**2
        assert high < low + 2


@pytest.mark.parametrize("changes", [
    {"targets": "0 1 2"}, {"targets": "0 1 2 3 0"}, {"targets": "0 1 2 4"}, {"targets": "0 1 2 -1"},
    {"targets": ""}, {"targets": [0, 1, 2, 3]}, {"targets": "0  1 2 3"}, {"kernel": 5},
    {"kernel": {"form": "matrix", "rows": ["1 1", "1 1"]}}])
def test_a_remapping_needs_an_answer_for_every_output(changes: dict[str, Any]) -> None:
    form = {"family": "path", "low": 0, "high": 3}
    law = {"form": "remapped", "kernel": kernel("2", ["1"] * 4), "targets": "0 1 2 3"}
    content = document(form, law, ("0", "1", "4"))
    content = sealed({**content, "claim": {**content["claim"], "evidence": "kernel"}})
    assert RECEIPT.examine(content, False)["holds"] is True
    with pytest.raises(RECEIPT.Malformed):
        RECEIPT.examine(sealed({**content, "mechanism": {**law, **changes}}), False)


@pytest.mark.parametrize("changes", [
    {"bits": 61}, {"bits": 62.0}, {"unit": "2"}, {"weights": ["1 1 1"]}, {"weights": ["1", "1"]},
    {"weights": ["1 1", "1"]}, {"weights": [f"1 {2**62:x}"]}, {"weights": ["0 0"]},
    {"weights": ["1 -1"]}, {"ratio": "1"}])
def test_what_is_no_rounded_kernel_is_refused(changes: dict[str, Any]) -> None:
    form = {"family": "path", "low": 0, "high": 1}
    law = rounded([2], "1", Fraction(2), (1, 1))
    assert judged(document(form, law, ("0", "1", "4")))["holds"] is True
    with pytest.raises(RECEIPT.Malformed):
        judged(document(form, {**law, **changes}, ("0", "1", "4")))
    ring = {"family": "cycle", "nodes": 2}
    with pytest.raises(RECEIPT.Malformed):
        judged(document(ring, law, ("0", "1", "4")))


@pytest.mark.parametrize("weights", [(7, 1, 2, 2, 1, 5), (70, 30, 20, 20, 30, 50)])
def test_a_rounded_kernel_too_large_to_write_out_is_refuted_by_one_output_and_never_with_a_delta(
    weights: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RECEIPT, "MOST_WRITTEN", 2)
    form = {"family": "path", "low": 0, "high": 5}
    rows = rounded_rows([6], form, Fraction(2), weights)
    law = rounded([6], "1", Fraction(2), weights)
    witness = judged(document(form, law, ("0", "1", "5/4")))["witness"]
    y, x = witness["first"], witness["second"]
    assert (witness["outputs"], abs(x - y)) == ([y], 1)
    for text, true in zip(witness["probabilities"], (rows[y][y], rows[x][y]), strict=True):
        assert abs(Fraction(text.removeprefix("about ")) - true) < Fraction(1, 10**6)
    assert rows[y][y] > Fraction(5, 4) * rows[x][y]
    found = judged(document(form, law, ("0", "1", "5/4"), delta="1/2"))
    assert (found["holds"], len(found["unchecked"])) == (None, 1)


@pytest.mark.parametrize(("delta", "multipliers", "fits"), [
    ("0", "0 2 1", True), ("0", "0 1 1", True), ("1/8", "0 1 1", True), ("1/8", "2 1 1", True),
    ("1/8", "0 2 1", False), ("1/8", "0 1 1 2 0 1", False), ("0", "0 3 1", False),
    ("0", "1 1 1", False)])
def test_with_a_delta_only_neighbors_bound_the_loss_of_a_kernel(
    delta: str, multipliers: str, fits: bool
) -> None:
    best = {"goal": "average", "prior": "uniform", "loss": "absolute", "value": (1.0).hex(),
            "bound": (-1.0).hex(), "unit": -20, "multipliers": [multipliers, "", ""]}
    content = document(PATH3, kernel("2", ["1"] * 3), ("0", "1", "4"), delta=delta, optimality=best)
    if fits:
        assert judged(content)["optimality"]["holds"] is True
    else:
        with pytest.raises(RECEIPT.Malformed):
            judged(content)


@pytest.mark.parametrize(("name", "delta", "neighbors", "fits"), [
    ("path", "0", ANY, True), ("path", "1/9", ANY, True), ("path", "0", None, False),
    ("path", "0", "steps", False),
    ("path", "0", 3, False), ("matrix", "0", None, True), ("matrix", "1/9", None, False),
    ("matrix", "0", "steps", False), ("matrix", "1/9", "steps", False)])
def test_a_delta_is_about_neighbors_that_the_space_of_a_kernel_has(
    name: str, delta: str, neighbors: Any, fits: bool
) -> None:
    form, points, _, _ = FAMILIES[name]
    content = document(form, kernel("17/16", ["1"] * len(points), "1/4"), ("50", "0", "1"),
                       delta=delta, neighbors=neighbors)
    if fits:
        assert judged(content)["holds"] is True
    else:
        with pytest.raises(RECEIPT.Malformed):
            judged(content)


@pytest.mark.parametrize(("delta", "said"), [("0", "the first is more than"),
                                             ("1/100", "the first less δ is more than")])
def test_a_witness_says_by_how_much_the_level_is_broken(delta: str, said: str) -> None:
    law = kernel("2", ["4", "1", "1"])
    witness = judged(document(PATH3, law, ("0", "1", "3/2"), delta=delta))["witness"]
    high, low = map(Fraction, witness["probabilities"])
    found = re.fullmatch(rf"{said} e\^\(ε d\) = 3/2 times the second, by (\S+) of that \(d = 1\)",
                         witness["reason"])
    assert found is not None
    assert Fraction(found[1]) == (high - Fraction(delta)) / (Fraction(3, 2) * low) - 1 > 0
    assert len(witness["outputs"]) == 1 or delta != "0"


@pytest.mark.parametrize("form", [
    {"family": "complete", "nodes": 4}, {"family": "categories", "values": [*"abcd"]},
    {"family": "path", "low": 0, "high": 1}], ids=lambda form: form["family"])
def test_a_kernel_whose_pairs_are_all_alike_is_judged_by_one_of_them(form: dict[str, Any]) -> None:
    """k inputs, of which the true one is twice as likely: (2 - e^ε)/(k + 1) is the least δ."""
    size = 2 if form["family"] == "path" else 4
    law, hair = kernel("2", ["3"] * size), Fraction(1, 10**30)
    for base, holds in ((Fraction(2), True), (2 - hair, False), (Fraction(5, 4), False)):
        found = judged(document(form, law, ("0", "1", str(base))))
        assert (found["holds"], found["witness"] is None) == (holds, holds)
        least = (2 - base) / (size + 1)
        for delta in (least + hair, least, least - hair):
            if delta > 0:
                content = document(form, law, ("0", "1", str(base)), delta=str(delta))
                assert judged(content)["holds"] is (delta >= least)


def test_a_large_kernel_is_judged_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = document(PATH3, kernel("2", ["1"] * 3), ("0", "1", "4"))
    for most, large, holds in ((3, False, True), (2, False, None), (2, True, True)):
        monkeypatch.setattr(RECEIPT, "MOST_KERNEL", most)
        found = judged(content, large)
        assert (found["holds"], len(found["unchecked"])) == (holds, holds is None)
        assert run(tmp_path, content, *["--large"] * large).returncode == (0 if holds else 3)


def test_weights_without_a_short_common_denominator_are_left_open() -> None:
    """Twenty denominators of 4,300 digits, no two of which share a factor worth mentioning."""
    weights = [f"1/{10**4299 + 2 * i + 1}" for i in range(20)]
    found = judged(document({**LONG, "high": 19}, kernel("2", weights), ("9", "0", "1")))
    assert (found["holds"], found["unchecked"]) == (
        None, ["the claim: the weights have too long a common denominator"])


REMAPPED = {"form": "remapped", "kernel": kernel("2", ["1"] * 3), "targets": "0 0 2"}


def of_kernel(law: dict[str, Any], **changes: Any) -> dict[str, Any]:
    content = document(PATH3, law, ("0", "1", "4"))
    claim = {**content["claim"], "evidence": "kernel"} | changes.pop("claim", {})
    return sealed({**content, "claim": claim, **changes})


@pytest.mark.parametrize("law", [kernel("2", ["1"] * 3), REMAPPED], ids=["kernel", "remapped"])
@pytest.mark.parametrize("changes", [
    {"construction": 7}, {"construction": "name"}, {"claim": {"evidence": "enumerated"}},
    {"claim": {"evidence": "theorem"}}, {"claim": {"evidence": None}}, {"claim": {"delta": "1"}},
    {"claim": {"delta": "-1"}}, {"neighbors": None}, {"neighbors": 3}, {"optimality": {}},
    {"optimality": []}, {"outputs": "points"}, {"outputs": None},
    {"space": {"family": "path", "low": 0, "high": 3}},
    {"space": {"family": "path", "low": 0, "high": 1}}])
def test_what_is_no_claim_about_a_kernel_is_refused(
    law: dict[str, Any], changes: dict[str, Any]
) -> None:
    assert RECEIPT.examine(of_kernel(law), False)["holds"] is True
    with pytest.raises(RECEIPT.Malformed):
        RECEIPT.examine(of_kernel(law, **changes), False)


def test_optimality_is_for_kernels_whose_outputs_stay_as_they_are() -> None:
    best = {"goal": "average", "prior": "uniform", "loss": "absolute", "value": (9.0).hex(),
            "bound": (0.0).hex(), "unit": 0, "multipliers": ["", "", ""]}
    for value, bound, holds in ((9.0, 0.0, True), (0.1, 0.0, False), (9.0, 0.1, False)):
        claim = {**best, "value": value.hex(), "bound": bound.hex()}
        found = RECEIPT.examine(of_kernel(REMAPPED["kernel"], optimality=claim), False)
        assert (found["holds"], found["optimality"]["holds"]) == (holds, holds)
        assert found["witness"] is None
    with pytest.raises(RECEIPT.Malformed, match="optimality needs a mechanism"):
        RECEIPT.examine(of_kernel(REMAPPED, optimality=best), False)


def test_only_of_answers_it_is_said_that_they_follow_from_outputs() -> None:
    for law, follows in ((REMAPPED, True), (REMAPPED["kernel"], False)):
        said = RECEIPT.examine(of_kernel(law), False)["checked"][0]
        assert said.startswith("every answer follows from the output of a kernel: ") is follows
        assert "3 exact normalizers" in said


def test_a_kernel_that_was_changed_and_is_none_any_more_exits_with_one(tmp_path: Path) -> None:
    good = of_kernel(kernel("2", ["1"] * 3))
    for content, code in ((good, 0), ({**good, "construction": {"of": 1}}, 1),
                          ({**good, "outputs": "points"}, 1),
                          (sealed({**good, "outputs": "points"}), 2)):
        assert run(tmp_path, content, by=RECEIPT).returncode == code
        found = run(tmp_path, content, "--json", by=RECEIPT)
        assert found.returncode == code
        assert ("it was changed, and the evidence for a kernel" in found.stderr) is (
            content == {**good, "outputs": "points"})


def test_the_lines_of_a_rounded_kernel_are_equally_long() -> None:
    form = {"family": "grid", "shape": [3, 2], "step": "1", "metric": "manhattan"}
    law = {"form": "kernel", "ratio": "2", "unit": "1", "bits": 62, "weights": ["1 1"] * 3}
    assert judged(document(form, law, ("0", "1", "16")))["holds"] is True
    for lines in (["1 1 1", "1", "1 1"], ["1 1 1", "1 1 1"], ["1"] * 6, ["1 1 1 1 1 1"]):
        with pytest.raises(RECEIPT.Malformed):
            judged(document(form, {**law, "weights": lines}, ("0", "1", "16")))


def test_what_is_printed_of_a_kernel_is_what_was_checked_and_what_was_not(tmp_path: Path) -> None:
    content = of_kernel(kernel("2", ["1"] * 3))
    said = run(tmp_path, content, by=RECEIPT).stdout
    assert "NOT private" not in said
    assert "\ndistances    1 or more; inputs d apart have the level ε d\n" in said
    assert "\nchecked      3 exact normalizers (2 different) keep 4 ordered pairs" in said
    assert "\nNOT checked  nothing\n" in said
    other = sealed({**content, "mechanism": {"form": "noise"}})
    said = run(tmp_path, other, by=RECEIPT).stdout
    assert "\nchecked      nothing\n" in said
    assert "\nNOT checked  the claim: receipt_theorems.py checks mechanisms of the form " in said
    assert "distances" not in said
    said = run(tmp_path, of_kernel(kernel("3", ["1"] * 3), claim={"epsilon": {
        "rational": "0", "coefficient": "1", "base": "2"}}), by=RECEIPT).stdout
    assert "\nwitness      inputs 0 and 1 give an output in [0]\n" in said
    assert said.endswith("verdict      the claim is FALSE\n")


def test_an_output_between_the_bounds_of_a_level_hides_no_other() -> None:
    """e^(1/2) is irrational: output 0 is below it and above its first lower bound, output 1 is
    four times likelier for the first input."""
    level = RECEIPT.Level(Fraction(1, 2), Fraction(0), Fraction(1))
    n, m = level.power(1, 256)[0]
    low = level.power(1, 64)[0]
    assert n * low[1] > m * low[0]
    rows = [[n, 4 * m, m], [m, m, n + 3 * m]]  # whose totals are the same
    y, x = (RECEIPT.Row(row, [0, 0, 0]) for row in rows)
    assert y.total == x.total
    space = RECEIPT.space_of(PATH3, 9)
    with pytest.raises(RECEIPT.Refuted) as refuted:
        RECEIPT.Claim(level, Fraction(0), space, space.points).compare(0, 1, y, x)
    assert refuted.value.args[0]["outputs"] == [1]


def test_ratios_of_a_kernel_are_bounded_further_than_those_of_a_row() -> None:
    """The bound on one pair is ratio^36, or e^356436, beyond whatever weights of a row differ by:
    the claim is proved from there on, and below it rows would be needed that are too long."""
    far = {"family": "matrix", "labels": ["a", "b"], "distances": [["0", "18"], ["18", "0"]]}
    for epsilon, holds in (("356000/18", None), ("356500/18", True), ("600000/18", True)):
        content = document(far, kernel(str(10**4299), ["0", "1"]), (epsilon, "0", "1"),
                           neighbors=None)
        assert judged(content)["holds"] is holds


def test_a_kernel_needs_distances_that_are_the_same_both_ways() -> None:
    for family, fine in (("graph", True), ("directed", False)):
        form = {"family": family, "nodes": ["a", "b"], "edges": [[0, 1, "1"]]}
        content = document(form, kernel("2", ["1", "1"]), ("0", "1", "4"))
        if fine:
            assert judged(content)["holds"] is True
        else:
            with pytest.raises(RECEIPT.Malformed, match="both ways"):
                judged(content)


@pytest.mark.parametrize(("space", "unit", "fine"), [
    (PATH3, "1", True), (PATH3, "1/2", True), (PATH3, "2", False), (PATH3, "2/3", False),
    ({"family": "grid", "shape": [1, 3], "step": "3/2", "metric": "manhattan"}, "3/2", True),
    ({"family": "grid", "shape": [1, 3], "step": "3/2", "metric": "manhattan"}, "1/2", True),
    ({"family": "grid", "shape": [1, 3], "step": "3/2", "metric": "manhattan"}, "1", False),
    ({"family": "points", "labels": ["a", "b", "c"],
      "coordinates": [["0", "0"], ["1", "0"], ["1", "1"]]}, "1", False),
    ({"family": "matrix", "labels": ["a", "b", "c"],
      "distances": [["0", "1", "inf"], ["1", "0", "inf"], ["inf", "inf", "0"]]}, "1", False)])
def test_the_distances_of_an_exact_kernel_are_multiples_of_its_unit(
    space: dict[str, Any], unit: str, fine: bool
) -> None:
    law = {**kernel("2", ["1"] * 3), "unit": unit}
    between = None if space["family"] in ("points", "matrix") else ANY
    content = document(space, law, ("0", "1", "256"), neighbors=between)
    if fine:
        assert judged(content)["holds"] is True
    else:
        with pytest.raises(RECEIPT.Malformed, match="whole multiples of its unit"):
            judged(content)


def test_every_kernel_of_two_distances_is_judged_with_every_delta() -> None:
    """Where one pair is within δ and another is not, whatever the weights."""
    pairs, table = [(0, 1), (1, 2)], [[Fraction(abs(i - j) ** 2) for j in range(3)]
                                      for i in range(3)]
    judgments = set()
    for weights in product((0, 1, 5), repeat=3):
        if not any(weights):
            continue
        rows = normalized([[Fraction(w, 1 << abs(y - z)) for z, w in enumerate(weights)]
                           for y in range(3)])
        for base, delta in product(("5/4", "2", "3"), ("0", "1/10", "1/4")):
            epsilon = ("0", "1", base)
            content = document(PATH3, kernel("2", list(map(str, weights))), epsilon, delta=delta)
            fits = nearly_private(rows, pairs, table, epsilon, Fraction(delta))
            assert judged(content)["holds"] is fits, (weights, base, delta)
            judgments.add((fits, delta))
    assert len(judgments) == 6


@pytest.mark.parametrize(("ratio", "weights"), [
    (Fraction(2), (1, 1, 1)), (Fraction(2), (2**61, 7, 2**60)), (Fraction(5, 3), (3, 5, 9)),
    (Fraction(7, 2), (1, 2**62 - 1, 1))])
def test_a_rounded_kernel_is_proved_by_its_normalizers_up_to_their_bounds(
    ratio: Fraction, weights: tuple[int, ...]
) -> None:
    """ratio (1 + 2^-61) (most + rest)/least is proved, and a hair less is compared row by row."""
    units = [int(2**61 / ratio**d) for d in range(3)]
    sums = [sum(w * units[abs(y - z)] for z, w in enumerate(weights)) for y in range(3)]
    factor = Fraction(max(sums) + sum(weights), min(sums)) * (1 + Fraction(1, 2**61))
    law = rounded([3], "1", ratio, weights)
    hair = Fraction(1, 10**40)
    for base, proved in ((ratio * factor, True), (ratio * factor - hair, False)):
        if base < (ratio * (1 + Fraction(1, 2**61))) ** 2:
            found = judged(document(PATH3, law, ("0", "1", str(base))))
            assert found["holds"] is True
            assert ("bounded by an exact convolution" in found["checked"][0]) is proved
    square = (ratio * (1 + Fraction(1, 2**61))) ** 2
    for base, alone in ((square, True), (square - hair, False)):
        found = judged(document(PATH3, law, ("0", "1", str(base))))
        assert found["holds"] is True
        assert ("distances alone" in found["checked"][0]) is alone


@pytest.mark.parametrize(("targets", "first", "second", "answer", "odds"), [
    # rows over 13, 15 and 13: 9 3 1, 3 9 3 and 1 3 9
    ("0 1 1", 0, 1, "a", ["9/13", "1/5"]), ("0 0 2", 2, 1, "c", ["9/13", "1/5"]),
    ("2 1 0", 1, 2, "b", ["3/5", "3/13"])])
def test_answers_that_one_output_gives_are_refuted_by_it(
    targets: str, first: int, second: int, answer: str, odds: list[str]
) -> None:
    law = {**REMAPPED, "kernel": kernel("3", ["1"] * 3), "targets": targets}
    content = document(PATH3, law, LN2, outputs=["a", "b", "c"])
    content = sealed({**content, "claim": {**content["claim"], "evidence": "kernel"}})
    found = RECEIPT.examine(content, False)
    assert found["holds"] is False
    assert found["witness"] | {"reason": ""} == {
        "first": first, "second": second, "outputs": [answer], "probabilities": odds, "reason": ""}
