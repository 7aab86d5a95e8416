"""The stand-alone checker of kernels and formulas against plain fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.receipts import (
    FAMILIES,
    KERNELS,
    LEVELS,
    ONE,
    PATH3,
    RATIONAL,
    assert_broken,
    document,
    few,
    judged,
    kernel,
    nearly_private,
    normalized,
    private,
    timed,
)

PATH1000 = {"family": "path", "low": 0, "high": 999}


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
                            neighbors="steps" if neighbors else None))
    if delta:
        space = KERNELS.space_of(form, 1000)
        pairs = list(space.pairs(space.neighbors))
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


@pytest.mark.slow
def test_a_kernel_of_a_thousand_points_is_proved_in_seconds(tmp_path: Path) -> None:
    tight = kernel("3/2", ["3/5", *["1/5"] * 998, "3/5"])
    code, seconds = timed(tmp_path, document(PATH1000, tight, ("0", "1", "3/2")))
    assert code == 0
    assert seconds < 15
    code, seconds = timed(tmp_path, document(PATH1000, tight, ("0", "1", "1499999/1000000")))
    assert code == 1
    assert seconds < 15



@pytest.mark.parametrize("x", ["1/3", "7/2", "5", "0", "22/7"])
def test_the_bounds_of_a_length_lie_on_either_side(x):
    for bits in (0, 1, 4, 64):
        low, high = KERNELS.bounds(Fraction(x), bits)
        assert low <= Fraction(x) * 2**bits <= high < low + 2
        low, high = KERNELS.bounds(("root", Fraction(x)), bits)
        assert low**2 <= Fraction(x) * 4**bits < high**2
        assert high == low + 1
