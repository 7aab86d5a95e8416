"""Other doors against the truth: estimates, sample sizes, bands, degrees, displacements.

Each function repeats one door on data that it knows and gives its tallies; DOORS lists them. Data
are drawn by numpy from stated laws, what is private by the library's own samplers, all seeded.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from tests.truth.judge import Tally
from tightrope import curves, networks
from tightrope.constructions import design_report, randomized_response, subset_selection
from tightrope.locations import noise
from tightrope.mechanisms import ReportMechanism, finite
from tightrope.privacy import Certified
from tightrope.samplers import SeededSource, draw_batches, draw_indices
from tightrope.spaces import Network
from tightrope.surveys import Design, estimate_answers, plan_margin, warner
from tightrope.surveys.designs import k_ary
from tightrope.surveys.planning import plan_difference
from tightrope.tables.column_plans import draw_items
from tightrope.tables.domains import Members
from tightrope.utility import Query, estimate, estimate_queries, estimate_sampled
from tightrope.utility import Tally as Counts

Door = Callable[[int], list[Tally]]


def sanitized_shares(repetitions: int) -> list[Tally]:
    """Shares of the rows of a sanitized column, skewed, with a rare and an absent value."""
    truth = np.array([600, 360, 40, 0])
    rows = np.repeat(np.arange(4), truth)
    tallies = []
    for name, mechanism in {
        "randomized response": randomized_response("categories:4", 1),
        "randomized response at 5": randomized_response("categories:4", 5),
    }.items():
        tallies += _shares(f"sanitize and estimate, {name}", mechanism, rows, truth, repetitions)
    return tallies


def _shares(
    name: str, mechanism: Certified, rows: np.ndarray, truth: np.ndarray, repetitions: int
) -> list[Tally]:
    held = [Tally(f"{name}: value {k}", stated=0.95, unbiased=True) for k in range(len(truth))]
    source = SeededSource(17)
    for _ in range(repetitions):
        seen = np.bincount(draw_indices(mechanism, rows, source), minlength=len(truth))
        for tally, row, count in zip(held, estimate(seen, mechanism).rows, truth, strict=True):
            share = count / len(rows)
            tally.add(row.estimate - share, row.low <= share <= row.high)
    return held


def reported_sets(repetitions: int) -> list[Tally]:
    """Subset selection is written out as a mechanism with sets for outputs, and inverted."""
    truth = np.array([300, 150, 50, 0])
    matrix = subset_selection("categories:4", 1, 2).mechanism.matrix()
    chances = np.array([[float(p) for p in matrix.row_at(k)] for k in range(4)])
    held = [Tally(f"subsets: value {k}", stated=0.95, unbiased=True) for k in range(4)]
    random = np.random.default_rng(3)
    for _ in range(repetitions):
        seen = sum(random.multinomial(n, p) for n, p in zip(truth, chances, strict=True))
        for tally, row, count in zip(held, estimate(seen, matrix).rows, truth, strict=True):
            tally.add(row.estimate - count / 500, row.low <= count / 500 <= row.high)
    return held


def sampled_items(repetitions: int) -> list[Tally]:
    """Shares of items of large sets: one place of each is drawn, then reported."""
    sets = ["a|b"] * 150 + ["a"] * 90 + ["b|c"] * 40 + ["{}"] * 120
    truth, tallies = {"a": 240, "b": 190, "c": 40, "d": 0}, []
    matcher, cells = Members(tuple(truth), 2).nearest(), pa.array(sets)
    for name, mechanism in (
        ("response", randomized_response("categories:5", 3)),
        ("subsets", subset_selection("categories:5", 1, 2)),
    ):
        held = {item: Tally(f"sampled items, {name}: {item}", stated=0.95, unbiased=True)
                for item in truth}
        source = SeededSource(29)
        for _ in range(repetitions):
            codes = draw_items(matcher, 0, 2, source, cells)
            drawn = np.concatenate(list(draw_batches(mechanism, [codes], source)))
            reports = isinstance(mechanism.mechanism, ReportMechanism)
            seen = (np.unpackbits(drawn, axis=1, bitorder="little")[:, :4].sum(axis=0)
                    if reports else np.bincount(drawn, minlength=5)[:4])
            found = estimate_sampled(seen, 400, tuple(truth), mechanism.mechanism, 2)
            for row in found.rows:
                share = truth[row.value] / 400
                held[row.value].add(row.estimate - share, row.low <= share <= row.high)
        tallies += held.values()
    return tallies


def means_and_cumulative_shares(repetitions: int) -> list[Tally]:
    """A mean and cumulative shares of a scale, skewed, for these rows and for a population."""
    counts, tallies, random = np.array([150, 120, 25, 5, 0]), [], np.random.default_rng(37)
    queries = [Query("mean", (1, 2, 3, 4, 5)), Query("up to 1", (1, 0, 0, 0, 0)),
               Query("up to 3", (1, 1, 1, 0, 0))]
    for name, mechanism in (
        ("response", randomized_response("categories:5", 2).mechanism),
        ("design", design_report("categories:5", 1, "mean").certified.mechanism),
        ("reports", subset_selection("categories:5", 1, 2).mechanism),
    ):
        reports = isinstance(mechanism, ReportMechanism)
        written = mechanism.matrix() if reports else finite(mechanism)
        law = np.array([[float(p) for p in written.row_at(x)] for x in range(5)])
        held = np.array([[int(x in output) for x in range(5)] for output in written.outputs]
                        ) if reports else np.eye(len(written.outputs), dtype=int)
        for sampling in (False, True):
            rows = [Tally(f"{query.name} by {name}, sampling {sampling}", stated=0.95,
                          unbiased=True) for query in queries]
            for _ in range(repetitions):
                drawn = random.multinomial(300, counts / 300) if sampling else counts
                seen = sum(random.multinomial(n, p) for n, p in zip(drawn, law, strict=True))
                found = estimate_queries(seen @ held, 300, mechanism, queries, sampling=sampling)
                for tally, row, query in zip(rows, found.rows, queries, strict=True):
                    theta = counts @ np.array(query.weights) / 300
                    tally.add(row.estimate - theta, row.low <= theta <= row.high)
            tallies += rows
    return tallies


def survey_answers(repetitions: int) -> list[Tally]:
    """Shares of a population from the responses to a survey, by score intervals."""
    tallies, random = [], np.random.default_rng(5)
    for design, shares, n in (
        (warner("3/4"), (0.9, 0.1), 400), (warner("3/4"), (0.98, 0.02), 400),
        (k_ary(("never", "once", "often"), 3), (0.7, 0.2, 0.1), 600),
    ):
        held = [Tally(f"survey, {design.name}, {n} respondents: {answer} {share}", stated=0.95,
                      unbiased=True)
                for answer, share in zip(design.answers, shares, strict=True)]
        law = np.array(shares) @ design.mechanism.weights.floats
        for _ in range(repetitions):
            found = estimate_answers(design, Counts.of(random.multinomial(n, law).tolist()))
            for tally, row, share in zip(held, found.shares.rows, shares, strict=True):
                tally.add(row.estimate - share, row.low <= share <= row.high)
        tallies += held
    return tallies


def survey_sizes(repetitions: int) -> list[Tally]:
    """A survey of the planned size stays within its margin as often as asked, for every answer."""
    tallies, random = [], np.random.default_rng(7)
    asked: tuple[tuple[Design, tuple[float, ...], float], ...] = (
        (warner("3/4"), (0.9, 0.1), 0.05),
        (k_ary(("never", "once", "sometimes", "often"), 3), (0.55, 0.25, 0.15, 0.05), 0.05),
    )
    for design, shares, margin in asked:
        plan = plan_margin(design, margin, prevalence=[str(share) for share in shares])
        law = np.array(shares) @ design.mechanism.weights.floats
        for size, which in ((plan.respondents, "each"), (plan.together, "all")):
            held = [Tally(f"size for {design.name}, {which}: {answer}", stated=plan.confidence)
                    for answer in design.answers]
            whole = Tally(f"size for {design.name}: all margins", stated=plan.confidence)
            for _ in range(repetitions):
                seen = Counts.of(random.multinomial(size, law).tolist())
                rows = estimate_answers(design, seen).shares.rows
                near = [abs(row.estimate - share) <= margin
                        for row, share in zip(rows, shares, strict=True)]
                for tally, one in zip(held, near, strict=True):
                    tally.add(covered=one)
                whole.add(covered=all(near))
            tallies += held if which == "each" else [whole]
    return tallies


def survey_differences(repetitions: int) -> list[Tally]:
    """Groups of the planned size show a difference as often as the stated power."""
    design, random = warner("3/4"), np.random.default_rng(9)
    plan = plan_difference(design, "0.1", "0.25", power=0.8)
    held = Tally("difference of 0.1 and 0.25", stated=0.8)
    low, high = (0.25 + share / 2 for share in (0.1, 0.25))
    for _ in range(repetitions):
        one, two = random.binomial(plan.per_group, [low, high]) / plan.per_group
        spread = (one * (1 - one) + two * (1 - two)) / plan.per_group
        held.add(covered=abs(one - two) > 1.959964 * spread**0.5)
    return [held]


def curve_bands(repetitions: int) -> list[Tally]:
    """The band of a mean curve holds at all knots together, whatever was declared."""
    rows = {str(k): [9 - k] * 40 for k in range(1, 6)}
    tallies = []
    for declared in ({}, {"monotone": "up"}, {"lipschitz": "1/10"}):
        plan = curves.plan_curve(list(rows), 1, people=40, low=0, high=9, resolution=1, knots=3,
                                 **declared)
        held, source = Tally(f"curve {declared}: knots together", stated=0.95), SeededSource(11)
        for _ in range(repetitions):
            found = curves.release(plan, rows, source)
            held.add(covered=all(
                low <= 9 - int(name) <= high
                for name, (low, high) in zip(plan.knots, found.band, strict=True)))
        tallies.append(held)
    return tallies


def degrees(repetitions: int) -> list[Tally]:
    """Released degrees of a path and isolated nodes: unbiased, with intervals."""
    graph = Network(60, np.arange(29), np.arange(1, 30))
    truth = (30, 2, 28, 0)
    source, held = SeededSource(13), []
    for k in range(4):
        held.append(Tally(f"degrees: {k}", stated=0.95, unbiased=True))
    for _ in range(repetitions):
        found = networks.release_degrees(graph, "1/2", max_degree=3, source=source)
        for tally, count, (low, high), nodes in zip(
                held, found.histogram, found.intervals, truth, strict=True):
            tally.add(count - nodes, low <= nodes <= high)
    one, two = found.mean_errors
    for tally, error in zip(held, (one, two, two, one), strict=True):
        tally.expected = error
    return held


def counted_triangles(repetitions: int) -> list[Tally]:
    """Counts of a graph: the mean error is never above the stated bound for any graph."""
    graph = Network(60, np.repeat(np.arange(3), [3, 2, 1]), np.array([1, 2, 3, 2, 3, 3]))
    held = []
    for method in ("ladder", "global"):
        source = SeededSource(15)
        found = networks.release_count(graph, "triangles", 1, method, source)
        tally = Tally(f"triangles, {method}", bound=found.worst_mean_error)
        for _ in range(repetitions):
            found = networks.release_count(graph, "triangles", 1, method, source)
            tally.add(found.answer - 4)
        held.append(tally)
    return held


def displacements(repetitions: int) -> list[Tally]:
    """Positions move as far as stated on average, and 95 % of them no farther than stated."""
    lon, lat = -3.5, 40.5
    found = noise("-4,40,-3,41", "200 m", 2).blur(
        {"lon": [lon] * repetitions, "lat": [lat] * repetitions}, source=SeededSource(19))
    told = found.facts().json
    far = _meters(np.array(found.table["lon"]), np.array(found.table["lat"]), lon, lat)
    held = Tally("displacement", stated=0.95, expected=told["expected_displacement"])
    for meters in far.tolist():
        held.add(meters, meters <= told["displacement_95"] * 1.001)
    return [held]


def _meters(lon: np.ndarray, lat: np.ndarray, x: float, y: float) -> np.ndarray:
    """Distances of a few kilometers on the ellipsoid WGS84, by its radii of curvature."""
    a, e2 = 6378137.0, 0.00669437999014
    sine = np.sin(np.radians(y))
    north = a * (1 - e2) / (1 - e2 * sine**2) ** 1.5
    east = a / np.sqrt(1 - e2 * sine**2) * np.cos(np.radians(y))
    return np.hypot(np.radians(lon - x) * east, np.radians(lat - y) * north)


DOORS: tuple[Door, ...] = (
    sanitized_shares, reported_sets, sampled_items, means_and_cumulative_shares, survey_answers,
    survey_sizes, survey_differences, curve_bands, degrees, counted_triangles, displacements,
)
