"""The numbers of the papers' figures, against closed forms and sums written here apart."""

from itertools import combinations, pairwise, product
from math import exp, log, log2, sinh

import numpy as np
import pytest

from tests.papers.test_pictures import ITEMS
from tightrope.plots import Across, Dots, Heat, Ribbon, Shape, Stairs, Strokes, Tint


def chart(key, **changes):
    return ITEMS[key].run(**changes).chart


def named(panel, name):
    (mark,) = [mark for mark in panel.marks if getattr(mark, "name", None) == name]
    return mark


def marks(panel, kind):
    return [mark for mark in panel.marks if isinstance(mark, kind)]


CORNERS = np.array([[0.0, 0.0], [0.5, 0.866], [1.0, 0.0]])


@pytest.mark.parametrize(("place", "far"), [(0, [0, 1, 2]), (1, [0, 1, 1])])
def test_ecp_2_regions_are_spanned_by_the_normalized_rows(place, far):
    panel = chart("ecp/figure-2").panels[place]
    distances = [[0, 1, far[2]], [1, 0, 1], [far[2], 1, 0]]
    for epsilon in (0.7, 1.6):
        rows = np.exp(-epsilon * np.array(distances, float))
        rows /= rows.sum(axis=1, keepdims=True)
        assert np.allclose(named(panel, f"ε = {epsilon}").corners, rows @ CORNERS)
    assert len(marks(panel, Shape)) == 3


def test_ecp_3_edges_are_between_the_corners_of_every_d():
    panel = chart("ecp/example-2").panels[0]
    assert [mark.name for mark in marks(panel, Strokes)] == [
        "D = ∞", "D = 1/2", "D = 1", "D = 2"]
    whole = np.array(named(panel, "D = ∞").lines)
    inner = np.array(named(panel, "D = 1").lines)
    assert whole.shape == inner.shape == (6, 2, 2)
    x = exp(-1)  # a corner prior has 1 at its point and x at the others: an edge shrinks
    shrunk = (1 - x) / (1 + 3 * x)
    assert np.allclose(inner[:, 0] - inner[:, 1], shrunk * (whole[:, 0] - whole[:, 1]))


def test_ecp_4_bounds_are_the_closed_forms_and_the_printed_ones_below_ln_2():
    panel = chart("ecp/figure-4").panels[0]
    every, own = named(panel, "every prior"), named(panel, "the prior π of Example 3")
    for epsilon, bits in every.points:
        assert bits == pytest.approx(5 * log2(4 * exp(epsilon) / (3 + exp(epsilon))))
    printed = named(panel, "as printed: π is not regular")
    for epsilon, bits in (*own.points, *printed.points):
        assert bits == pytest.approx(5 * log2(exp(epsilon) / (3 + exp(epsilon)) / 0.3))
    assert max(x for x, _ in printed.points) < log(2) < min(x for x, _ in own.points)
    assert printed.tint is Tint.WRONG
    assert dict(printed.points)[0.5] == pytest.approx(1.2, abs=0.05)  # as the paper says
    assert dict(every.points)[0.5] == pytest.approx(2.5, abs=0.05)


def test_ecp_5_edges_join_sums_up_to_v_apart_and_pairs_of_counts_that_touch():
    sums, counts = chart("ecp/figure-5").panels
    (edges,), (nodes,) = marks(sums, Strokes), marks(sums, Dots)
    joined = {(line[0][0], line[-1][0]) for line in edges.lines}
    assert joined == {(i, j) for i, j in combinations(range(10), 2) if j - i <= 3}
    assert nodes.labels == tuple(map(str, range(10)))
    (edges,) = marks(counts, Strokes)
    cells = list(product(range(4), repeat=2))
    touching = {frozenset((a, b)) for a, b in combinations(cells, 2)
                if max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1}
    assert {frozenset(line) for line in edges.lines} == touching


def gains(distances, epsilon):
    """The mean of the solution of Φ w = 1, and the least of its entries."""
    w = np.linalg.solve(np.exp(-epsilon * distances), np.ones(len(distances)))
    return w.mean(), w.min()


def geometric_gain(size, rate):
    """The share of inputs that a truncated geometric hits, its rows summed."""
    a = exp(-rate)
    rows = np.array([[a ** abs(i - j) for j in range(size)] for i in range(size)])
    rows *= (1 - a) / (1 + a)
    rows[:, 0] /= 1 - a
    rows[:, -1] /= 1 - a
    assert np.allclose(rows.sum(axis=1), 1)
    return rows.max(axis=0).sum() / size


@pytest.mark.parametrize(("key", "changes", "other"), [
    ("ecp/figure-6a", {"people": 12, "maximum": 5, "absent": ("0.6", "0.8"), "present": ("1.1",)},
     lambda e: geometric_gain(61, e / 5)),
    ("ecp/figure-6b", {"people": 6, "absent": ("0.5", "0.7"), "present": ("1.2", "1.3")},
     lambda e: geometric_gain(7, e / 2) ** 2),
    ("ecp/figure-7", {"side": 8, "absent": ("0.3", "0.4"), "present": ("1", "1.2")}, None),
])
def test_ecp_6_and_7_gains_are_those_of_a_dense_solution(key, changes, other):
    panel = chart(key, **changes).panels[0]
    if key == "ecp/figure-6a":
        i = np.arange(61)
        distances = np.ceil(np.abs(i[:, None] - i) / 5)
    else:
        side = changes.get("side", 7)
        across, up = np.divmod(np.arange(side**2), side)
        far = np.abs(across[:, None] - across), np.abs(up[:, None] - up)
        distances = np.hypot(*far) if "side" in changes else np.maximum(*far)
    ours, printed = named(panel, "tight constraints"), named(panel, "as printed: no mechanism")
    assert [x for x, _ in ours.points] == [float(e) for e in changes["present"]]
    assert [x for x, _ in printed.points] == [float(e) for e in changes["absent"]]
    for epsilon, gain in ours.points:
        mean, least = gains(distances, epsilon)
        assert least > 0
        assert gain == pytest.approx(mean)
    for epsilon, gain in printed.points:
        mean, least = gains(distances, epsilon)
        assert least < 0
        assert gain == pytest.approx(mean)
    assert printed.tint is Tint.WRONG
    if other is not None:
        for epsilon, gain in named(panel, "geometric").points:
            assert gain == pytest.approx(other(epsilon))


def least_delta(m, k, epsilon):
    """The largest P(A) - e^ε P'(A) of the rows of two values, output by output."""
    p = 1 / (exp(k) + m - 1)
    first = [1 - (m - 1) * p, *[p] * (m - 1)]
    second = [p, 1 - (m - 1) * p, *[p] * (m - 2)]
    return sum(max(0.0, a - exp(epsilon) * b) for a, b in zip(first, second, strict=True))


def test_h16_4_1_is_the_excess_of_two_rows_for_negative_k_too():
    panel = chart("h16/figure-4.1").panels[0]
    for epsilon, m in ((0, 2), (2, 2), (0, 5)):
        curve = named(panel, f"ε = {epsilon}, m = {m}").points
        assert (curve[0][0], curve[-1][0]) == (-6, 6)
        for k, delta in curve:
            assert delta == pytest.approx(least_delta(m, k, epsilon), abs=1e-9)
    assert {mark.height for mark in marks(panel, Across)} == {1.0, 1 / 4}


def variance(p00, p11, share):
    """n Var of the unbiased estimate: yes answers are a coin of this probability."""
    yes = (1 - share) * (1 - p00) + share * p11
    return yes * (1 - yes) / (p00 + p11 - 1) ** 2


def test_h16_6_1_printed_levels_tie_the_two_designs_and_true_ones_those_of_all():
    delta = 0.4
    printed, true = (panel.marks[0] for panel in chart("h16/figure-6.1").panels)
    row = printed.rows.index(delta)
    for column, epsilon in enumerate(printed.columns):
        ratio = exp(epsilon)
        warner = (ratio + delta) / (ratio + 1)
        corners = [(1 + (delta - 0.5) / ratio, 0.5), (warner, warner)]  # (6.20) at t = 0 and 1
        g, switch = printed.values[row][column], true.values[row][column]
        if 0.01 < g < 0.5:
            assert variance(*corners[0], g) == pytest.approx(variance(*corners[1], g))
        if 0.01 < switch < 1:
            assert variance(1, delta, switch) == pytest.approx(variance(*corners[1], switch))
            assert switch > g


def test_h16_6_2_ratios_are_those_of_a_search_over_prevalences():
    panel = chart("h16/figure-6.2").panels[0]
    printed = [mark for mark in panel.marks if mark.tint is Tint.WRONG]
    for share, wrong in zip((0.01, 0.1), printed, strict=True):
        curve = dict(named(panel, f"π = {share}").points)
        for alpha, ratio in list(curve.items())[::4]:
            pw = alpha * (1 - share) / (alpha * (1 - share) + share * (1 - alpha))
            pm = (alpha - share) / (alpha * (1 - share))
            mangat = max(variance(pm, 1, k / 2000) for k in range(2001))
            warner = max(variance(pw, pw, k / 2000) for k in range(2001))
            assert ratio == pytest.approx(warner / mangat, rel=1e-5)
        for alpha, ratio in wrong.points:
            formula = (1 + share * (1 - alpha) / (alpha * (1 - share))) ** 2
            assert ratio == pytest.approx(formula)
            assert ratio <= curve[alpha] * (1 + 1e-9)
        assert any(ratio < 0.9 * curve[alpha] for alpha, ratio in wrong.points)


def test_h16_6_3_variances_are_those_of_a_search_over_prevalences():
    panel = chart("h16/figure-6.3").panels[0]
    fixed = dict(named(panel, "without sampling").points)
    for p, most in named(panel, "with sampling").points:
        shares = [k / 400 for k in range(401)]
        assert most == pytest.approx(max(variance(p, 1, share) for share in shares), rel=1e-4)
        assert fixed[p] == pytest.approx(
            max(variance(p, 1, share) - share * (1 - share) for share in shares))
    for p, most in named(panel, "with sampling, as printed").points:
        assert p <= 0.5
        assert most == pytest.approx(1 / (4 * p * p))


def test_h16_2_3_the_neighbor_is_private_and_leaves_the_printed_region():
    densities, functions = chart("h16/figure-2.3").panels
    first = np.array(named(densities, "of d").heights) / 4
    second = np.array(named(densities, "of a private neighbor").heights) / 4
    assert (first.sum(), second.sum()) == pytest.approx((1, 1))
    for p, q in ((first, second), (second, first)):
        assert np.maximum(q - exp(1) * p, 0).sum() <= 0.05 + 1e-12
    (region,) = marks(densities, Ribbon)
    upper = np.array(region.upper[::2])
    assert upper == pytest.approx(exp(1) * first * 4 + 0.05)
    assert (second * 4 > upper).any()
    assert region.tint is Tint.WRONG
    (allowed,) = marks(functions, Ribbon)
    moved = np.array([y for _, y in named(functions, "of a private neighbor").points])
    assert moved == pytest.approx(np.concatenate([[0], np.cumsum(second)]))
    assert (np.array(allowed.lower) <= moved + 1e-12).all()
    assert (moved <= np.array(allowed.upper) + 1e-12).all()


def test_wxh_2_the_staircase_falls_over_whole_steps_and_the_laplace_everywhere():
    stairs, laplace = chart("wxh/figure-2").panels
    (steps,) = marks(stairs, Stairs)
    assert dict(zip(steps.edges, (*steps.heights, None), strict=True)) == pytest.approx({
        -4: 1 / 32, -3: 1 / 32 * 2, -2: 1 / 8, -1: 1 / 4, 1: 1 / 8, 2: 1 / 16, 3: 1 / 32, 4: None})
    for z, height in laplace.marks[0].points:
        assert height == pytest.approx(log(2) / 2 * 2 ** -abs(z))


def middles(strokes):
    return {round((low[1] + high[1]) / 2 * 8) / 8 for low, high in strokes.lines}


def test_wxh_3_sets_hold_the_values_of_the_datasets_that_far_away():
    panel = chart("wxh/figure-3").panels[0]
    datasets = [k / 8 for k in range(-80, 81) if 1 < abs(k / 8 - 2) <= 2]
    assert middles(named(panel, "I_2: rational points")) == {
        y for y in datasets if (8 * y) % 2 == 0}
    assert middles(named(panel, "I_2: irrational points")) == {
        -y for y in datasets if (8 * y) % 2 == 1}


def test_wxh_5_sets_hold_what_lies_near_a_value_that_far_away_and_near_no_nearer_one():
    panel = chart("wxh/figure-5").panels[0]

    def near(most):
        values = [y if (8 * y) % 2 == 0 else -y
                  for y in (k / 8 for k in range(-80, 81)) if abs(y - 2) <= most]
        return {k / 8 for k in range(-56, 57) if any(abs(v - k / 8) <= 1 for v in values)}

    held = middles(named(panel, "R_3"))
    assert held == near(3) - near(2)
    (odd,) = [mark for mark in marks(panel, Dots) if mark.tint is Tint.WRONG]
    assert odd.points == ((0.0, -6.0),)  # the paper's R_3 begins with it
    assert -6 in near(4) - near(3)


def test_wxh_6_rates_are_those_of_weights_that_fall_with_the_sets():
    # four graphs on three nodes: 0, 0, 0 and 1 triangles, 0 to 3 edges
    (heat,) = chart("wxh/figure-6", nodes=3, epsilons=("1", "2")).panels[0].marks
    assert isinstance(heat, Heat)
    for row, epsilon in zip(heat.values, (1, 2), strict=True):
        away = [3, 2, 1]  # edges to change until the other count is reached
        ours = [exp(-epsilon * k) / (1 + exp(-epsilon * k)) for k in (*away, 1)]
        # rung 1 of the ladder holds what is up to the local sensitivity away, later ones more
        rung = [3, 2, 1, 1]
        theirs = [exp(-epsilon * k) / (1 + exp(-epsilon * k)) for k in rung]
        assert row == pytest.approx([a / b for a, b in zip(ours, theirs, strict=True)])


def test_wxh_6_the_text_counts_the_blue_cells():
    finding = ITEMS["wxh/figure-6"].run(nodes=5, epsilons=("0.5", "1", "3"))
    (heat,) = finding.chart.panels[0].marks
    for epsilon, row in zip(("0.5", "1", "3"), heat.values, strict=True):
        assert f"{sum(rate < 1 for rate in row)} at ε = {epsilon}" in finding.found


def test_wxh_7_on_an_interval_the_rate_is_that_of_a_staircase():
    panels = chart("wxh/figure-7", epsilons=(1, 3), deltas=(20, 50)).panels
    assert [panel.title for panel in panels] == ["(a) V1", "(b) V2", "(c) V3", "(d) V4"]
    (heat,) = panels[3].marks
    for epsilon, row in zip(heat.rows, heat.values, strict=True):
        best = 1001 / (2 * sinh(epsilon / 2))  # Δ e^(ε/2)/(e^ε - 1)
        for delta, rate in zip(heat.columns, row, strict=True):
            ends = [0.0, *(delta + 1001 * k for k in range(80))]
            weights = [exp(-epsilon * k) for k in range(80)]
            total = sum(w * (b - a) for w, (a, b) in zip(weights, pairwise(ends), strict=True))
            mean = sum(w * (b * b - a * a) / 2
                       for w, (a, b) in zip(weights, pairwise(ends), strict=True)) / total
            assert rate == pytest.approx(mean / best)


def test_wxh_8_the_density_of_an_interval_is_a_staircase_and_all_stay_below_1():
    third, fourth = chart("wxh/figure-8", names=("V3",)).panels
    (stairs,) = fourth.marks
    heights = [h for (low, _), h in zip(pairwise(stairs.edges), stairs.heights, strict=True)
               if low >= 0]
    total = 2 * (10 + 1001 / (exp(3) - 1))
    assert stairs.heights[len(stairs.heights) // 2] == pytest.approx(1 / total)
    assert [b / a for a, b in pairwise(heights)] == pytest.approx([exp(-3)] * (len(heights) - 1))
    (rising,) = third.marks
    assert any(b > a for a, b in pairwise(rising.heights[len(rising.heights) // 2:]))
    area = sum((high - low) * h for (low, high), h in
               zip(pairwise(rising.edges), rising.heights, strict=True))
    assert 0.999 < area < 1
