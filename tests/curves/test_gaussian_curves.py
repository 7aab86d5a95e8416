"""Mean curves at (ε, δ): discrete Gaussian noise at knots, or on the coefficients of a basis."""

from fractions import Fraction
from itertools import product
from math import log, pi, sqrt

import numpy as np
import pytest

from tightrope.curves import curve, plan_curve, release
from tightrope.curves.bases import basis_of
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.mechanisms import GaussianMechanism
from tightrope.privacy import verify
from tightrope.samplers import SeededSource

DECLARED = {"people": 40, "low": 0, "high": 10, "resolution": "1/10"}
DELTA = {"delta": "1e-6"}


def test_a_plan_is_proved_at_its_level_and_hardly_below():
    for more in ({}, {"basis": "polynomials:3"}):
        plan = plan_curve(6, 1, **DELTA, **more, **DECLARED)
        assert isinstance(plan.mechanism, GaussianMechanism)
        assert plan.certified.certificate.level == Level.of(1).with_delta("1e-6")
        found = verify(plan.mechanism, plan.mechanism.space, 1, delta="1/2")
        assert 0.999e-6 < float(found.delta[1]) <= 1e-6


def test_noise_grows_with_the_root_of_the_knots_and_that_in_boxes_with_their_number():
    plan = plan_curve(100, 1, lipschitz=1, **DELTA, **DECLARED)
    by = {choice.knots: choice for choice in plan.choices}
    for knots in (2, 16, 100):
        assert by[knots].noise == pytest.approx(by[1].noise * sqrt(knots), rel=1e-3)
        assert by[knots].boxes == pytest.approx((knots + 1) / 2 * 10 / 40, rel=0.05)
    assert by[100].noise < by[100].boxes
    # sd of (1, 1e-6) by zCDP: about 4.53 sensitivities, the mean error sqrt(2/π) of that
    assert by[1].noise == pytest.approx(4.531 * sqrt(2 / pi) * 10 / 40, rel=1e-3)
    pure = {c.knots: c.noise for c in plan_curve(100, 1, lipschitz=1, **DECLARED).choices}
    assert all(choice.boxes == pure[knots] for knots, choice in by.items())


def test_a_worse_law_than_boxes_is_named():
    few = plan_curve(3, 1, **DELTA, **DECLARED)
    assert any("leave --delta out" in sentence for sentence in few.facts().sentences)
    many = plan_curve(100, 1, **DELTA, **DECLARED)
    assert not any("leave --delta out" in sentence for sentence in many.facts().sentences)


def test_the_process_with_the_bound_on_its_norm_errs_by_its_formula():
    plan = plan_curve(9, "1/2", **DELTA, **DECLARED)
    change = 3 * 10 / 40  # sqrt(9) times what one person moves a mean
    process = sqrt(2 / pi) * sqrt(2 * log(2e6)) / 0.5 * change
    assert plan.facts().json["process"] == pytest.approx(process)
    # a constant: norm sqrt(9) · 10/40, and sqrt(1/9) of that at each time
    constant = plan_curve(9, "1/2", basis="polynomials:1", **DELTA, **DECLARED)
    assert constant.facts().json["process"] == pytest.approx(process / 3)


@pytest.mark.parametrize("times", [range(1, 6), (0, 1, "5/2", 7, 11)])
def test_polynomials_are_orthogonal_and_keep_all_of_their_degree(times):
    at = [Fraction(time) for time in times]
    basis = basis_of("polynomials:3", at)
    for (i, one), (j, other) in product(enumerate(basis.functions), repeat=2):
        assert (sum(a * b for a, b in zip(one, other, strict=True)) == 0) is (i != j)
    values = [3 - 2 * t + 5 * t * t for t in at]
    kept = basis.project([sum(a * v for a, v in zip(row, values, strict=True))
                          for row in basis.functions])
    assert list(kept) == values


def test_the_projection_is_that_of_least_squares():
    rng = np.random.default_rng(4)
    at = [Fraction(t) for t in range(8)]
    rows = [[1, 1, 1, 1, 0, 0, 0, 0], [0, 1, 0, 3, 0, 0, 2, 0], [1, 2, 3, 4, 5, 6, 7, 9]]
    basis = basis_of(rows, at)
    values = [int(v) for v in rng.integers(0, 99, 8)]
    kept = basis.project([sum(a * v for a, v in zip(row, values, strict=True))
                          for row in basis.functions])
    matrix = np.array(rows, dtype=float).T
    least = matrix @ np.linalg.lstsq(matrix, np.array(values, dtype=float), rcond=None)[0]
    assert [float(v) for v in kept] == pytest.approx(least.tolist())


def test_at_a_huge_level_the_curve_is_the_projected_mean():
    rows = np.tile(np.array([[1, 3, 2, 8], [3, 3, 6, 4]]), (5000, 1))
    declared = {"people": 10_000, "low": 0, "high": 10, "resolution": 1, "delta": "0.9",
                "source": SeededSource(1)}
    found = curve(rows, 600, basis="polynomials:2", **declared)
    # the mean is 2, 3, 4, 6: the line through it is 1.8 + 1.3 t
    assert [float(v) for v in found.values] == pytest.approx([1.8, 3.1, 4.4, 5.7], abs=0.001)
    plain = curve(rows, 600, **declared)
    assert [float(v) for v in plain.values] == pytest.approx([2, 3, 4, 6], abs=0.001)


@pytest.mark.parametrize("more", [{}, {"basis": "polynomials:2"},
                                  {"basis": [[1, 1, 1, 1], [1, 1, 0, 0]]}])
def test_the_band_holds_at_all_times_together_at_least_as_often_as_it_says(more):
    plan = plan_curve(4, 1, delta="1/100", people=400, low=0, high=10, resolution="1/10",
                      confidence="3/4", **more)
    rows = {str(k): [2 + k] * 400 for k in range(1, 5)}  # a line, which every basis but one keeps
    true = [Fraction(2 + k) for k in range(1, 5)]
    if isinstance(more.get("basis"), list):
        true = [Fraction(7, 2)] * 2 + [Fraction(11, 2)] * 2
    source, inside = SeededSource(9), 0
    for _ in range(400):
        found = release(plan, rows, source)
        inside += all(low <= t <= high for (low, high), t in zip(found.band, true, strict=True))
    assert inside >= 300 - 5 * sqrt(400 * 3 / 16)  # fewer in less than one of a million runs
    if not more:
        assert inside <= 300 + 6 * sqrt(400 * 3 / 16)  # exact at knots: hardly more either


def test_half_widths_are_the_narrower_of_two_rules():
    plan = plan_curve(40, 1, basis="polynomials:6", confidence="0.95", **DELTA, **DECLARED)
    law, gains = plan.mechanism.noise, plan.basis.gains
    radii = law.radii(Fraction(95, 100))
    boxes = [sum(r * abs(g) for r, g in zip(radii, column, strict=True))
             for column in zip(*gains, strict=True)]
    tails = [sqrt(2 * log(2 * 40 / 0.05) * sum(float(v) * float(g) ** 2 for v, g in zip(
        law.variances, column, strict=True))) for column in zip(*gains, strict=True)]
    widths = [float(w / plan.unit) for w in plan.half_widths]
    assert max(tails) < max(boxes)
    assert widths == pytest.approx(tails)
    few = plan_curve(40, 1, basis="polynomials:1", confidence="0.95", **DELTA, **DECLARED)
    assert float(few.half_width / few.unit) == pytest.approx(
        float(few.mechanism.noise.radii(Fraction(95, 100))[0]) / 40)


def test_two_spans_of_one_size_cost_the_same_on_average_over_time():
    """Of k functions, the constant among them: variance k m D²/(2ρ) in all, as for k knots."""
    line = plan_curve(12, 1, basis="polynomials:2", **DELTA, **DECLARED)
    halves = plan_curve(12, 1, basis=[[1] * 12, [1] * 6 + [0] * 6], **DELTA, **DECLARED)
    knots = plan_curve(12, 1, knots=2, **DELTA, **DECLARED)
    mean = [sum(plan.basis.variances(plan.mechanism.noise)) / 12 for plan in (line, halves)]
    assert float(mean[0]) == pytest.approx(float(mean[1]))
    assert float(mean[0]) == pytest.approx(float(knots.mechanism.variances[0]))


@pytest.mark.parametrize(("fields", "said"), [
    ({"basis": "polynomials:0"}, "1 to 5 functions"), ({"basis": "polynomials:6"}, "1 to 5"),
    ({"basis": "polynomials"}, "polynomials:4"), ({"basis": "splines:3"}, "polynomials:4"),
    ({"basis": "none.csv"}, "a file of them"), ({"basis": [[1, 2, 3]]}, "5 numbers"),
    ({"basis": [[1, 1, 1, 1, 1], [2, 2, 2, 2, 2]]}, "follows"), ({"basis": []}, "rows"),
    ({"basis": [[0] * 5]}, "follows"), ({"basis": [["a"] * 5]}, "numbers"),
    ({"basis": "polynomials:2", "knots": 2}, "no knots"),
    ({"basis": "polynomials:2", "lipschitz": 1}, "no knots"),
    ({"basis": "polynomials:2", "monotone": "up"}, "no knots"),
    ({"delta": "1"}, "δ"), ({"delta": "-1"}, "δ"), ({"columns": 251, "basis": "polynomials:2"},
                                                   "at most 250 times"),
])
def test_bases_that_make_no_sense_are_refused_in_one_sentence(fields, said):
    held = {"columns": 5, "delta": "1e-6", **DECLARED, **fields}
    with pytest.raises(BadInput, match=said):
        plan_curve(held.pop("columns"), 1, **held)
    with pytest.raises(BadInput, match="a δ already"):
        plan_curve(5, Level.of(1).with_delta("1e-6"), **DELTA, **DECLARED)


def test_many_times_have_long_functions_and_still_a_band():
    plan = plan_curve(250, 1, basis="polynomials:8", **DELTA, **DECLARED)
    assert max(max(map(abs, row)) for row in plan.basis.functions) > 2**39
    assert 0 < min(plan.half_widths) < plan.half_width < 250
