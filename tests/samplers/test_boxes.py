"""Draws of noise in boxes follow their law."""

from fractions import Fraction
from math import comb

import pytest

from tests.laws.verdicts import LawTest
from tightrope.mechanisms import BoxLaw
from tightrope.samplers import SeededSource, boxes
from tightrope.samplers.boxes import box_point


@pytest.mark.slow
def test_points_follow_their_law_and_another_first_step_is_noticed():
    law, source = BoxLaw((7, 7), Fraction(200), 2, 3), SeededSource(4)
    inside = 9 * law.probability((7, 7))
    test = LawTest((inside, 1 - inside))
    far = [max(abs(a - 7), abs(b - 7))
           for a, b in (box_point(law, source) for _ in range(test.draws))]
    tally = [sum(d < 2 for d in far), sum(d >= 2 for d in far)]
    assert test.confirms(tally)
    assert max(far) >= 2
    other = 9 * BoxLaw((7, 7), Fraction(200), 3, 3).probability((7, 7))
    assert not LawTest((other, 1 - other)).confirms(tally)


@pytest.mark.parametrize(("k", "first", "step", "ratio"), [
    (1, 1, 1, Fraction(2)), (2, 2, 3, Fraction(7, 3)), (4, 1, 5, Fraction(3, 2)),
])
def test_the_box_has_its_law_exactly(k, first, step, ratio, monkeypatch):
    """Every j comes with its share, and j plus j + 1 geometric numbers are added up."""
    law = BoxLaw((0,) * k, ratio, first, step)
    asked = []
    monkeypatch.setattr(boxes, "geometric_numbers",
                        lambda _, count, __: [asked.append(count)] and [0] * count)
    sizes = []
    monkeypatch.setattr(boxes, "uniform_below", lambda size, _: sizes.append(size) or 0)
    boxes._box(law, None)
    total = sizes[0]
    shares, start = [], 0
    for _ in range(k + 1):  # where the drawn number begins to mean the next j
        low, high = start, total
        monkeypatch.setattr(boxes, "uniform_below", lambda *_: start)  # noqa: B023
        j = boxes._box(law, None)
        assert asked[-1] == j + 1
        while high - low > 1:
            middle = (low + high) // 2
            monkeypatch.setattr(boxes, "uniform_below", lambda *_: middle)  # noqa: B023
            low, high = (middle, high) if boxes._box(law, None) == j else (low, middle)
        shares.append((j, Fraction(high - start, total)))
        start = high
    x = 1 / ratio
    points = [(2 * (first + t * step) - 1) ** k for t in range(60)]
    found = [sum(share * comb(t, j) * x ** (t - j) * (1 - x) ** (j + 1)
                 for j, share in shares if j <= t) for t in range(12)]
    wanted = [points[t] * x**t for t in range(12)]
    assert all(f * wanted[0] == w * found[0] for f, w in zip(found, wanted, strict=True))


def test_a_point_is_any_of_its_box(monkeypatch):
    """Box 0 + 1 reaches to 2 + 3 - 1 = 4 on both sides: 9 numbers, from -4 to 4."""
    asked, answers = [], iter([0, 0, 8])
    monkeypatch.setattr(boxes, "geometric_numbers", lambda _, count, __: [1] * count)
    monkeypatch.setattr(boxes, "uniform_below", lambda size, _: asked.append(size) or next(answers))
    assert box_point(BoxLaw((5, -3), Fraction(2), 2, 3), None) == (5 - 4, -3 + 4)
    assert asked[1:] == [9, 9]
