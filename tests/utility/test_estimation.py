"""Estimation: right on average, with the stated variance, covering at the stated rate."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod, sqrt

import numpy as np
import pytest

from tightrope.choices import Interval
from tightrope.errors import BadInput, BadTable, Infeasible
from tightrope.exact import Level, Weights
from tightrope.mechanisms import FiniteMechanism, KernelMechanism, MatrixMechanism, written_out
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw_indices
from tightrope.spaces import categories, path
from tightrope.utility import Estimate, estimate, estimate_variances


def response(size: int, ratio: int = 3, weights: list[int] | None = None) -> KernelMechanism:
    chosen = tuple(map(Fraction, weights or [1] * size))
    return KernelMechanism(categories(size), Fraction(ratio), Fraction(1), chosen)


def matrix(*rows: tuple[int, ...]) -> MatrixMechanism:
    outputs = tuple(f"z{z}" for z in range(len(rows[0])))
    return MatrixMechanism(categories(len(rows)), outputs, Weights.from_integers(rows))


NEARLY_CONSTANT = KernelMechanism(
    path(0, 2), 1 + Fraction(1, 2**40), Fraction(1), (Fraction(1),) * 3
)
MECHANISMS: dict[str, FiniteMechanism] = {
    "closed form": response(3),
    "closed form with weights": response(3, weights=[1, 2, 5]),
    "inverse": matrix((4, 1, 1), (2, 3, 1), (1, 1, 7)),
    "least squares": matrix((4, 1, 1, 2), (2, 3, 1, 2), (1, 1, 7, 3)),
    "least squares beside an output that never comes": matrix((4, 1, 0, 2), (2, 3, 0, 1)),
}


def moments(
    mechanism: FiniteMechanism, table: tuple[int, ...]
) -> tuple[list[Fraction], list[Fraction]]:
    """Mean and variance of the estimates over every possible output of a tiny table."""
    rows = [mechanism.row_at(i) for i in range(mechanism.space.size)]
    mean = [Fraction(0)] * mechanism.space.size
    second = list(mean)
    for outputs in product(range(len(mechanism.outputs)), repeat=len(table)):
        chance = prod((rows[x][z] for x, z in zip(table, outputs, strict=True)), start=Fraction(1))
        if chance == 0:
            continue
        counts = np.bincount(outputs, minlength=len(mechanism.outputs))
        for v, row in enumerate(estimate(counts, mechanism).rows):
            value = Fraction(row.estimate)
            mean[v] += chance * value
            second[v] += chance * value**2
    return mean, [b - a**2 for a, b in zip(mean, second, strict=True)]


@pytest.mark.parametrize("name", MECHANISMS)
def test_over_all_outputs_the_estimate_is_right_on_average_with_the_stated_variance(
    name: str,
) -> None:
    mechanism = MECHANISMS[name]
    size = mechanism.space.size
    for table in [(0, 1, 1), (0, 0, 0), (1, 0, size - 1, 1)]:
        proportions = np.bincount(table, minlength=size) / len(table)
        mean, variance = moments(mechanism, table)
        stated = estimate_variances(mechanism, proportions, len(table))
        assert np.array(mean, dtype=float) == pytest.approx(proportions, abs=1e-12)
        assert stated == pytest.approx(np.array(variance, dtype=float), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_variance_with_sampling_is_that_of_rows_drawn_from_a_population(name: str) -> None:
    mechanism = MECHANISMS[name]
    size = mechanism.space.size
    law = [Fraction(x + 1, size * (size + 1) // 2) for x in range(size)]
    mean, second = [Fraction(0)] * size, [Fraction(0)] * size
    for table in product(range(size), repeat=2):
        chance = prod((law[x] for x in table), start=Fraction(1))
        inner, spread = moments(mechanism, table)
        for v in range(size):
            mean[v] += chance * inner[v]
            second[v] += chance * (spread[v] + inner[v] ** 2)
    variance = [float(b - a**2) for a, b in zip(mean, second, strict=True)]
    stated = estimate_variances(mechanism, [float(p) for p in law], 2, sampling=True)
    assert np.array(mean, dtype=float) == pytest.approx([float(p) for p in law], abs=1e-12)
    assert stated == pytest.approx(variance, rel=1e-9)


@pytest.mark.parametrize("interval", list(Interval))
@pytest.mark.parametrize("weights", [None, [3, 1, 4, 1, 5, 9], [7, 2, 9, 4, 5, 9]])
def test_the_closed_form_is_the_inverse_of_the_matrix(
    weights: list[int] | None, interval: Interval
) -> None:
    mechanism = response(6, weights=weights)
    counts = [31000, 7700, 20500, 11800, 9600, 19400]
    if weights and interval is Interval.EXACT:
        for form in (mechanism, written_out(mechanism)):
            with pytest.raises(BadInput, match="use score"):
                estimate(counts, form, interval=interval)
        return
    closed = estimate(counts, mechanism, interval=interval)
    written = estimate(counts, written_out(mechanism), interval=interval)
    assert (closed.method, written.method) == ("closed form of the inverse", "inverse")
    for one, other in zip(closed.rows, written.rows, strict=True):
        assert one.value == other.value
        assert (one.estimate, one.error, one.low, one.high) == pytest.approx(
            (other.estimate, other.error, other.low, other.high), abs=1e-12
        )
    assert 0 < closed.rows[0].low < closed.rows[0].high < 1


@pytest.mark.parametrize("sampling", [False, True])
@pytest.mark.parametrize("name", MECHANISMS)
def test_chebyshevs_interval_has_the_largest_variance_of_any_proportions(
    name: str, sampling: bool
) -> None:
    mechanism = MECHANISMS[name]
    size = mechanism.space.size
    counts = (written_out(mechanism).weights.floats.mean(axis=0) * 10_000).astype(int)
    n, steps = int(counts.sum()), 60
    grid = [law for law in product(range(steps + 1), repeat=size) if sum(law) == steps]
    every = [estimate_variances(mechanism, np.array(law) / steps, n, sampling=sampling)
             for law in grid]
    half = np.sqrt(np.max(every, axis=0) / 0.05)
    for row, reach in zip(
        estimate(counts, mechanism, interval="chebyshev", sampling=sampling).rows, half, strict=True
    ):
        assert 0 < row.low < row.high < 1
        assert (row.high - row.low) / 2 == pytest.approx(reach, rel=1e-3)


def test_estimates_add_up_to_one() -> None:
    for mechanism in MECHANISMS.values():
        counts = [8, 1, 0, 15][: len(mechanism.outputs)]
        total = sum(row.estimate for row in estimate(counts, mechanism).rows)
        assert total == pytest.approx(1, abs=1e-12)


@pytest.mark.slow
def test_randomized_response_with_a_hundred_thousand_values_needs_no_matrix() -> None:
    size = 100_000
    mechanism = response(size, ratio=1000)
    counts = np.full(size, 3)
    counts[7] += 1000
    found = estimate(counts, mechanism)
    assert found.n == 3 * size + 1000
    truth = (1003 / found.n - 1 / (size + 999)) / (1000 / (size + 999) - 1 / (size + 999))
    assert found.rows[7].estimate == pytest.approx(truth)


REPEATS, ROWS = 8000, 4000
# At 8,000 repetitions a rate of 0.95 stays within BAND except with probability 6e-7; with a
# variance 1.3 times too large (rate 0.9746) or too small (0.9144) it leaves it by 7 standard
# deviations.
BAND = 0.0122


def rate_within(found: list[Estimate], truth: np.ndarray, scale: float) -> np.ndarray:
    """How often each proportion lies in its interval, stretched by a factor."""
    rows = np.array([[(r.estimate, r.low, r.high) for r in one.rows] for one in found])
    half = (rows[:, :, 2] - rows[:, :, 1]) / 2
    assert ((rows[:, :, 1] > 0) & (rows[:, :, 2] < 1)).all(), "no interval may be cut here"
    inside: np.ndarray = np.abs(rows[:, :, 0] - truth) <= scale * half
    return inside.mean(axis=0)


def check_rates(found: list[Estimate], truth: np.ndarray) -> None:
    assert np.abs(rate_within(found, truth, 1) - 0.95).max() <= BAND
    assert (rate_within(found, truth, sqrt(1.3)) > 0.95 + BAND).all()
    assert (rate_within(found, truth, sqrt(1 / 1.3)) < 0.95 - BAND).all()


@pytest.mark.slow
@pytest.mark.parametrize("weights", [None, [2, 1, 3]])
def test_intervals_cover_a_fixed_table_at_their_rate_and_no_other(
    weights: list[int] | None,
) -> None:
    mechanism = response(3, ratio=4, weights=weights)
    proved = certified(mechanism, Level.epsilon(3))
    truth = np.array([0.5, 0.3, 0.2])
    table = np.repeat(np.arange(3), (truth * ROWS).astype(int))
    source = SeededSource(20)
    found = []
    for _ in range(REPEATS // 400):
        drawn = draw_indices(proved, np.tile(table, 400), source).reshape(400, ROWS)
        found += [estimate(np.bincount(row, minlength=3), mechanism) for row in drawn]
    check_rates(found, truth)


@pytest.mark.slow
def test_intervals_with_sampling_cover_the_population_at_their_rate_and_no_other() -> None:
    mechanism = MECHANISMS["least squares"]
    truth = np.array([0.5, 0.3, 0.2])
    frequencies = truth @ written_out(mechanism).weights.floats
    rng = np.random.default_rng(21)
    counts = rng.multinomial(ROWS, frequencies, size=REPEATS)
    check_rates([estimate(row, mechanism, sampling=True) for row in counts], truth)


def test_ends_of_intervals_are_cut_to_proportions_and_estimates_are_not() -> None:
    lowest, highest = estimate([0, 50], response(2)).rows
    assert lowest.estimate == pytest.approx(-0.5)
    assert (lowest.low, highest.high) == (0, 1)
    for row in (lowest, highest):
        assert 0 <= row.low <= row.high <= 1


def test_more_confidence_and_sampling_give_wider_intervals() -> None:
    counts, mechanism = [400, 350, 250], response(3)

    def width(**options: object) -> float:
        row = estimate(counts, mechanism, **options).rows[0]  # type: ignore[arg-type]
        return row.high - row.low

    assert width(confidence=0.5) < width() < width(confidence=0.99)
    assert width() < width(sampling=True)


def test_values_that_leave_no_trace_are_named() -> None:
    twins = matrix((2, 1, 1), (2, 1, 1), (1, 1, 3))
    with pytest.raises(Infeasible, match=r"nothing can be learned about the proportions of 0, 1"):
        estimate([1, 2, 3], twins)
    with pytest.raises(Infeasible) as caught:
        estimate([1, 2, 3], twins)
    assert caught.value.proof == (0, 1)


def test_fewer_outputs_than_inputs_determine_nothing() -> None:
    with pytest.raises(Infeasible) as caught:
        estimate([1, 2], matrix((3, 1), (2, 2), (1, 3)))
    assert caught.value.proof == (0, 1, 2)


def test_a_constant_mechanism_and_one_without_an_output_teach_nothing() -> None:
    for mechanism in (matrix((1, 1), (1, 1)), response(3, weights=[1, 1, 0])):
        with pytest.raises(Infeasible, match="nothing can be learned"):
            estimate([2, 3, 0][: len(mechanism.outputs)], mechanism)


def test_what_doubles_cannot_invert_is_inverted_exactly() -> None:
    found = estimate([10, 20, 15], NEARLY_CONSTANT)
    assert [(row.low, row.high) for row in found.rows] == [(0, 1)] * 3
    rows = [NEARLY_CONSTANT.row_at(i) for i in range(3)]
    truth = _solved_by_hand(rows, [Fraction(10, 45), Fraction(20, 45), Fraction(15, 45)])
    assert [row.estimate for row in found.rows] == pytest.approx([float(t) for t in truth])


def _solved_by_hand(rows: list[tuple[Fraction, ...]], shares: list[Fraction]) -> list[Fraction]:
    """π with Σ_x π_x rows[x][z] = shares[z], by Cramer's rule."""

    def determinant(m: list[list[Fraction]]) -> Fraction:
        (a, b, c), (d, e, f), (g, h, i) = m
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    columns = [[rows[x][z] for x in range(3)] for z in range(3)]
    found = []
    for x in range(3):
        swapped = [[shares[z] if y == x else columns[z][y] for y in range(3)] for z in range(3)]
        found.append(determinant(swapped) / determinant(columns))
    return found


def test_a_rectangular_mechanism_that_doubles_cannot_invert_is_solved_exactly() -> None:
    big = 2**45
    rows = ((big + 2, big, big, 1), (big, big + 1, big, 2), (big, big, big + 1, 2))
    found = estimate([100, 100, 100, 0], matrix(*rows))
    # Entries of B are about 3·big; doubles of that size round by about 3·big·2^-52, which is
    # nothing beside the standard error, of the order of big itself.
    rounding = 4 * 3 * big * 2.0**-52
    assert sum(row.estimate for row in found.rows) == pytest.approx(1, abs=rounding)
    assert [(row.low, row.high) for row in found.rows] == [(0, 1)] * 3


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ([1, 2], "a count for each of the 3 outputs"),
        ([1, 2, -1], "not negative"),
        ([1.0, 2.0, 0.5], "whole numbers"),
        ([0, 0, 0], "all counts are zero"),
    ],
)
def test_counts_that_do_not_fit_are_refused(counts: list[int], sentence: str) -> None:
    with pytest.raises(BadTable, match=sentence):
        estimate(counts, response(3))


def test_an_output_that_the_mechanism_never_gives_is_refused() -> None:
    with pytest.raises(BadTable, match="never gives one of the values that were counted"):
        estimate([5, 5, 1, 5], MECHANISMS["least squares beside an output that never comes"])


@pytest.mark.parametrize("confidence", [0, 1, -1, float("nan")])
def test_a_confidence_is_between_zero_and_one(confidence: float) -> None:
    with pytest.raises(BadInput, match="confidence"):
        estimate([1, 1], response(2), confidence=confidence)


def test_proportions_to_plan_for_must_fit_the_mechanism() -> None:
    with pytest.raises(BadInput, match="expected 3 proportions"):
        estimate_variances(response(3), [0.5, 0.5], 10)
