"""Mean curves: knots from declarations alone, bands, and rows that never decide anything."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tightrope.curves import Curve, curve, plan_curve, release
from tightrope.curves.knots import spread
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level
from tightrope.privacy import Refutation, verify
from tightrope.samplers import SeededSource

DECLARED = {"people": 40, "low": 0, "high": 10, "resolution": "1/10"}


def test_knots_are_spread_evenly_with_both_ends():
    for times in range(2, 40):
        for knots in range(2, times + 1):
            found = spread(knots, times)
            assert len(set(found)) == knots
            assert (found[0], found[-1]) == (0, times - 1)
            ideal = [Fraction(k * (times - 1), knots - 1) for k in range(knots)]
            assert all(abs(a - b) <= Fraction(1, 2) for a, b in zip(found, ideal, strict=True))


def test_the_number_of_knots_has_the_least_bound_of_all():
    plan = plan_curve(20, 1, lipschitz="0.3", **DECLARED)
    bounds = {choice.knots: choice.bound for choice in plan.choices}
    assert set(bounds) == set(range(1, 21))
    assert plan.chosen.bound == min(bounds.values())
    # by hand: 5 knots of 20 times are at most 5 apart, a line is off by at most 0.3 · 5/2
    five = next(choice for choice in plan.choices if choice.knots == 5)
    assert five.between == pytest.approx(0.75)
    # noise in boxes errs by about (k + 1)/2 steps at ε = 1, and one for each knot by k
    assert five.noise == pytest.approx(3 * 10 / 40, rel=0.05)
    assert five.separately == pytest.approx(5 * 10 / 40, rel=0.05)


def test_more_is_known_of_a_smoother_curve_so_it_has_fewer_knots():
    found = [len(plan_curve(30, 1, lipschitz=slope, **DECLARED).knots)
             for slope in ("0", "0.01", "0.1", "5")]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (1, 30)


def test_without_a_declaration_all_times_are_knots():
    assert len(plan_curve(9, 1, **DECLARED).knots) == 9
    fixed = plan_curve(9, 1, knots=3, **DECLARED)
    assert fixed.knots == ("1", "5", "9")
    assert fixed.chosen.bound is None


def test_a_plan_is_proved_at_its_level():
    plan = plan_curve(6, Level.ratio(3), **DECLARED)
    space = plan.mechanism.space
    assert verify(plan.mechanism, space, Level.ratio(3)).smallest.exact.text == "ln(3)"
    assert isinstance(verify(plan.mechanism, space, Level.ratio("299/100")), Refutation)


def test_at_a_huge_level_the_curve_is_the_mean_of_clamped_rounded_cells():
    rows = np.array([[1.04, 20.0, -3.0], [2.06, np.nan, 5.0]])
    found = curve(rows, 60, people=2, low=0, high=10, resolution="1/10", missing=4)
    assert found.values == (Fraction(31, 20), 7, Fraction(5, 2))


@pytest.mark.parametrize("make", [
    lambda frame, folder: frame,
    lambda frame, folder: {name: frame[name].tolist() for name in frame},
    lambda frame, folder: frame.to_csv(folder / "t.csv", index=False) or folder / "t.csv",
    lambda frame, folder: frame.to_parquet(folder / "t.parquet") or folder / "t.parquet",
])
def test_every_kind_of_table_gives_the_same_curve(make, tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.5], "b": [3.5, 4.5], "c": [9.0, 8.0]})
    table = make(frame, tmp_path)
    found = curve(table, 60, people=2, low=0, high=10, columns="b:c")
    assert found.plan.columns == ("b", "c")
    assert found.values == (4, Fraction(17, 2))


@pytest.mark.parametrize("cells", [
    ["x", "", "inf", "-1e999"], [None, float("nan"), 3, "4"], [], ["1"] * 50,
    ["\x1b[2J", "é", "1,2", "'"], [True, {}, [1], b"x"],
])
def test_no_row_is_ever_refused_and_none_changes_what_is_told(cells):
    found = curve({"a": cells, "b": cells}, 1, **DECLARED, source=SeededSource(1))
    plain = curve({"a": [1], "b": [2]}, 1, **DECLARED, source=SeededSource(1))
    one, other = found.facts().json, plain.facts().json
    told = {"values", "band", "curve", "curve_band", "contradicted"}
    assert {k: v for k, v in one.items() if k not in told} == {
        k: v for k, v in other.items() if k not in told}
    assert all(0 <= value <= 10 for value in found.values)


def released(totals, **more):
    return Curve(plan_curve(5, 60, knots=3, people=10, low=0, high=9, resolution=1, **more),
                 totals)


def test_lines_join_the_knots_and_later_questions_are_free():
    found = released((10, 30, 20))
    assert [found.at(t) for t in (1, 2, 3, "4.5", 5)] == [
        1, 2, 3, Fraction(9, 4), 2]
    assert found.band_at(2) is None
    assert found.band_at(3) == (3, 3)
    with pytest.raises(BadInput, match="from 1 to 5"):
        found.at(6)


def test_a_lipschitz_constant_bounds_the_curve_between_knots():
    found = released((10, 30, 30), lipschitz=1)
    # from 1 at time 1 and 3 at time 3, at most 1 in a unit of time
    assert found.band_at(2) == (2, 2)
    assert found.band_at(4) == (2, 4)


def test_a_monotone_curve_lies_between_the_knots_around_it():
    assert released((10, 30, 40), monotone="up").band_at(2) == (1, 3)
    assert released((40, 30, 10), monotone="down").band_at("4.5") == (1, 3)


def test_where_bands_contradict_the_declaration_nothing_is_said_between_knots():
    for totals, declared in (((0, 90, 0), {"lipschitz": "1/10"}),
                             ((40, 30, 10), {"monotone": "up"}),
                             ((10, 30, 40), {"monotone": "down"})):
        found = released(totals, **declared)
        assert found.contradicted
        assert found.band_at(2) is None
        assert found.band_at(3) == found.band[1]
    for totals, declared in (((10, 30, 50), {"lipschitz": 1}), ((10, 10, 40), {"monotone": "up"})):
        assert not released(totals, **declared).contradicted


def test_a_false_declaration_does_not_touch_the_band_at_knots():
    # a mean that falls, declared to rise: at knots the band holds as often as it says
    rows = {str(k): [9 - k] * 40 for k in range(1, 6)}
    plan = plan_curve(list(rows), 1, people=40, low=0, high=9, resolution=1, knots=3,
                      monotone="up", confidence="0.8")
    source, held = SeededSource(5), 0
    for _ in range(2000):
        found = release(plan, rows, source)
        bands = [found.band_at(time) for time in found._knot_times]
        held += all(low <= 9 - int(at) <= high
                    for (low, high), at in zip(bands, found._knot_times, strict=True))
    assert bands == list(found.band)
    assert held >= 1500  # of 2,000 at 0.8: fewer in less than one of a million runs


def test_the_band_holds_at_all_knots_together_as_often_as_it_says():
    plan = plan_curve(4, 1, confidence="1/2", **DECLARED)
    source, rows = SeededSource(9), {str(k): [5] * 40 for k in range(1, 5)}
    inside = 0
    for _ in range(150):
        found = release(plan, rows, source)
        inside += all(low <= 5 <= high for low, high in found.band)
    # exactly 1/2 or a little more, and clamping only helps: 150 draws stay within six deviations
    share = 1 - float(plan.mechanism.noise.outside(int(plan.half_width / plan.unit)))
    assert share >= 0.5
    assert abs(inside / 150 - share) < 6 * 0.5 / 12


@pytest.mark.parametrize(("fields", "said"), [
    ({"low": 10, "high": 10}, "low bound below"), ({"people": 0}, "at least one person"),
    ({"people": "x"}, "people"), ({"knots": 0}, "knots"), ({"knots": 9}, "from 1 to 5 knots"),
    ({"lipschitz": -1}, "Lipschitz"), ({"confidence": 1}, "confidence"),
    ({"resolution": 0}, "resolution"), ({"resolution": "0.3"}, "whole number of steps"),
    ({"missing": 11}, "between the bounds"), ({"times": [1, 2]}, "5 times that increase"),
    ({"times": [1, 2, 2, 3, 4]}, "increase"), ({"monotone": "flat"}, "no trend 'flat'"),
    ({"basis": "polynomials:2"}, "needs a δ"), ({"columns": 0}, "different columns"),
    ({"columns": ["a", "a"]}, "different columns"), ({"columns": "JAN"}, "names of columns"),
])
def test_declarations_that_make_no_sense_are_refused_in_one_sentence(fields, said):
    held = {"columns": 5, "level": 1, **DECLARED, **fields}
    columns, level = held.pop("columns"), held.pop("level")
    with pytest.raises(BadInput, match=said):
        plan_curve(columns, level, **held)


def test_levels_out_of_range_and_tables_that_are_none_are_refused(tmp_path):
    for level in (1e-9, 1000):
        with pytest.raises(BadLevel):
            plan_curve(5, level, **DECLARED)
    for wrong in (3, "-", np.zeros(3), tmp_path / "none.csv"):
        with pytest.raises(Exception, match=r"expected|no such|there is no|cannot"):
            curve(wrong, 1, columns="a:b", **DECLARED)
    for columns in ("a:x", "a:b:c", ":", "x"):
        with pytest.raises(BadInput, match="first and the last time"):
            curve({"a": [1], "b": [1]}, 1, columns=columns, **DECLARED)


def test_a_line_of_a_monotone_curve_is_off_by_half_a_gap_on_average_over_time():
    """Over a gap it is off most where the curve jumps at an end: half of the gap times the jump.
    Of one knot at time 1 of 0 to 100, a curve that jumps right after it is off for 99."""
    plan = plan_curve(5, 1, knots=3, monotone="up", **DECLARED)
    assert plan.chosen.between == pytest.approx(10 * 2 / (2 * 4))
    assert plan_curve(5, 1, knots=5, monotone="up", **DECLARED).chosen.between == 0
    one = plan_curve(3, 1, knots=1, monotone="down", times=[0, 1, 100], **DECLARED)
    assert one.chosen.between == pytest.approx(10 * 0.99)


@pytest.mark.parametrize(("totals", "contradicted"), [
    ((20, 40), False), ((40, 20), False), ((10, 80), True), ((80, 10), True),
])
def test_a_lipschitz_constant_is_contradicted_by_a_rise_and_by_a_fall(totals, contradicted):
    """From 1 to 8, or back, in two units of time, where at most 2 is declared."""
    plan = plan_curve(3, 40, people=10, low=0, high=9, resolution=1, knots=2, lipschitz=1)
    assert Curve(plan, totals).contradicted is contradicted


def test_a_band_is_as_wide_as_the_noise_of_totals_over_the_people():
    """At e^ε = 2 one total moves by at most 1: two-sided geometric noise, 2/3 2^-w beyond w."""
    for people in (10, 40):
        plan = plan_curve(3, Level.ratio(2), people=people, low=0, high=1, resolution=1, knots=1)
        assert plan.half_width == Fraction(4, people)
