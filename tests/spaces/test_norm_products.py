"""Products under any norm (WXH, Definition 6), against distances written out here."""

import random
from fractions import Fraction
from itertools import product

import pytest

import tightrope as tr
from tightrope.errors import BadSpace, NotAMetric, TooLarge
from tightrope.spaces import product_max, product_norm, product_sum

PARTS = ("path:0..2", "cycle:4")


def table(space):
    return [[space.distance(i, j).rational for j in range(space.size)] for i in range(space.size)]


def test_sum_and_max_are_the_products_that_have_names():
    assert table(product_norm(PARTS, "sum")) == table(product_sum(*PARTS))
    assert table(product_norm(PARTS, "max")) == table(product_max(*PARTS))
    assert table(product_norm(PARTS, 1)) == table(product_sum(*PARTS))


@pytest.mark.parametrize("power", [2, "3/2", 7])
def test_p_norms_are_rounded_down_and_stay_a_metric(power):
    space = product_norm(["path:0..3", "cycle:5", "path:0..1"], power)
    parts = [tr.space(text) for text in ("path:0..3", "cycle:5", "path:0..1")]
    p = float(Fraction(power))
    points = list(product(*(range(part.size) for part in parts)))
    rng = random.Random(1)
    for i, j in [(rng.randrange(40), rng.randrange(40)) for _ in range(200)]:
        apart = [float(part.distance(a, b)) for part, a, b in
                 zip(parts, points[i], points[j], strict=True)]
        true = sum(d**p for d in apart) ** (1 / p)
        assert true - 2.0**-27 <= float(space.distance(i, j)) <= true + 1e-12


def test_whether_a_norm_gives_a_metric_is_decided_on_200_random_norms():
    """N(d) = |a d1 - b d2| + c (d1 + d2): the triangle inequality over all triples, or not."""
    rng, metrics, others = random.Random(2), 0, 0
    lines = [tr.space("path:0..2"), tr.space("path:0..2")]
    points = list(product(range(3), repeat=2))
    for _ in range(200):
        a, b = Fraction(rng.randint(0, 3)), Fraction(rng.randint(0, 3))
        c = Fraction(rng.randint(1, 12), 4)

        def norm(d, a=a, b=b, c=c):
            return abs(a * d[0] - b * d[1]) + c * (d[0] + d[1])

        far = {(x, y): norm((abs(x[0] - y[0]), abs(x[1] - y[1]))) for x in points for y in points}
        holds = all(far[x, z] <= far[x, y] + far[y, z] for x, y, z in product(points, repeat=3))
        if holds:
            space = product_norm(lines, norm)
            assert table(space) == [[far[x, y] for y in points] for x in points]
            metrics += 1
        else:
            with pytest.raises(NotAMetric):
                product_norm(lines, norm)
            others += 1
    assert min(metrics, others) >= 40


def test_a_mechanism_on_a_product_under_a_norm_is_proved():
    space = product_norm(PARTS, lambda d: max(2 * d[0], d[1]))
    assert tr.design(space, 1, construction="exponential").certified.certificate.holds


@pytest.mark.parametrize(("call", "error"), [
    (lambda: product_norm(["path:0..2"], "sum"), BadSpace),
    (lambda: product_norm(PARTS, "1/2"), BadSpace),
    (lambda: product_norm(PARTS, lambda d: float(d[0] + d[1])), BadSpace),
    (lambda: product_norm(["grid:2x2", "path:0..1"], "sum"), BadSpace),
    (lambda: product_norm(["path:0..99", "path:0..99"], "sum"), TooLarge),
    (lambda: product_norm(PARTS, True), BadSpace),
])
def test_norms_that_are_none_are_refused(call, error):
    with pytest.raises(error):
        call()
