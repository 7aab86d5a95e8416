"""What is read from drawn numbers for free, against plain arithmetic."""

from fractions import Fraction
from itertools import accumulate, product

import numpy as np
import pytest

from tightrope.declarations import Declaration
from tightrope.mechanisms import NoiseMechanism, NoiseSum
from tightrope.releases import Question, plan_release
from tightrope.releases.answers import answers, nonnegative
from tightrope.releases.ranges import _Columns, mean_in_range, read_in_range, worst_in_range
from tightrope.releases.statistics.sums import variance
from tightrope.releases.trees import Tree, trees
from tightrope.spaces import path, sums

GEOMETRIC = NoiseMechanism(path(0, 9), Fraction(5, 4))
TABLE = Declaration.of({"dataset": "d", "columns": {
    "x": {"type": "number", "low": 0, "high": 10, "resolution": 1},
    "y": {"type": "number", "low": 0, "high": 1000, "resolution": 1},
    "a": {"type": "category", "values": ["p", "q"]},
    "b": {"type": "category", "values": ["r", "s", "t"]}}})


def test_a_count_in_a_range_is_the_median_of_what_may_stand_behind_it():
    for drawn in range(-4, 14):
        weights = [float(Fraction(4, 5) ** abs(drawn - i)) for i in range(10)]
        read = read_in_range(GEOMETRIC, drawn, 9)
        assert sum(weights[: read + 1]) >= sum(weights) / 2 * (1 - 1e-9)
        assert sum(weights[:read]) < sum(weights) / 2


def test_the_mean_error_in_a_range_is_added_up_and_below_that_of_the_noise():
    """Noise beyond 200 has a probability below 10^-19."""
    law = GEOMETRIC.law(0)
    chance = {z: float(law.probability(z)) for z in range(-200, 201)}
    total = sum(chance[z] * abs(read_in_range(GEOMETRIC, i + z, 9) - i)
                for i in range(10) for z in chance) / 10
    assert mean_in_range(GEOMETRIC, 9) == pytest.approx(total)
    assert total < 0.7 * float(GEOMETRIC.mean_error)


@pytest.mark.parametrize(("people", "change", "first", "ratio"), [
    (4, 3, 2, 2), (1, 4, 3, 2), (13, 1, 1, 8), (90, 1, 1, 8), (70, 3, 2, 64)])
def test_noise_in_steps_is_read_best_and_its_mean_error_added_up(people, change, first, ratio):
    """Every drawn number, within and beyond the range; the last two ranges have a middle."""
    space, most = sums(people=people, maximum=change), people * change
    noise = NoiseMechanism(space, Fraction(ratio), change, first)
    z, x = np.arange(-60 * change, most + 60 * change + 1), np.arange(most + 1)
    rungs = np.maximum(np.ceil((np.abs(z - x[:, None]) + 1 - first) / change), 0)
    chance = float(ratio) ** -rungs / float(noise.normalizer)
    least = np.array([chance.T @ np.abs(x - read) for read in x]).min(axis=0)
    read = np.array([read_in_range(noise, int(drawn), most) for drawn in z])
    errors = (chance * np.abs(read - x[:, None])).sum(axis=0)
    assert errors == pytest.approx(least)
    assert mean_in_range(noise, most) == pytest.approx(errors.sum() / len(x))


@pytest.mark.parametrize(("ratio", "step", "first"), [
    ("5/4", 5, 3), ("3", 2, 2), ("7/5", 3, 2), ("10/7", 4, 1), ("101/100", 2, 2)])
def test_a_tie_is_read_as_the_lower_number_in_one_reading_and_in_many(ratio, step, first):
    """Medians in fractions: doubles must not tell two numbers apart that tie."""
    noise, ties = NoiseMechanism(sums(people=9, maximum=step), Fraction(ratio), step, first), 0
    for most in range(1, 24):
        drawn = range(-2 * step, most + 2 * step + 1)
        columns = _Columns(noise, most, most + step)
        together = columns.read(np.array(drawn)).tolist()
        for z, read in zip(drawn, together, strict=True):
            rungs = [max(0, -(-(abs(z - x) + 1 - first) // step)) for x in range(most + 1)]
            weights = [1 / noise.ratio**rung for rung in rungs]
            upto = list(accumulate(weights))
            median = next(x for x in range(most + 1) if 2 * upto[x] >= upto[-1])
            if z > most:  # a mirror image
                median = most - next(x for x in range(most + 1)
                                     if 2 * sum(weights[most - x:]) >= upto[-1])
            ties += 2 * upto[median] == upto[-1]
            assert read_in_range(noise, z, most) == read == median
    assert ties


def test_an_error_that_sums_of_doubles_do_not_tell_is_not_told():
    """Of 0 or 1, noise at ratio q errs by 1/(1 + q) and no less."""
    for power, told in ((9, True), (10, True), (12, False), (15, False)):
        noise = NoiseMechanism(path(0, 1), Fraction(10**power))
        for error in (mean_in_range(noise, 1), worst_in_range(noise, 1)):
            assert error == (pytest.approx(1 / (1 + 10**power), rel=0.01) if told else None)


@pytest.mark.parametrize("ratio", ["2", "8", "4/3"])
def test_the_worst_error_of_a_long_range_is_that_of_all_its_numbers(ratio):
    noise = NoiseMechanism(path(0, 1), Fraction(ratio))
    far = 130
    chance = [float(noise.law(0).probability(z)) for z in range(-far, far + 1)]
    for most in (3, 61, 150):
        errors = [sum(p * abs(read_in_range(noise, x + z, most) - x)
                      for p, z in zip(chance, range(-far, far + 1), strict=True))
                  for x in range(most + 1)]
        assert worst_in_range(noise, most) == pytest.approx(max(errors), rel=1e-12)


def test_a_declared_most_makes_counts_err_less():
    for epsilon in ("0.1", "0.5"):
        form = {**TABLE.as_json(), "unit": {"most": 20}}
        bounded = plan_release(Question("count", optimal="average"), Declaration.of(form), epsilon)
        assert bounded.error < plan_release(Question("count"), TABLE, epsilon).error
        (low,), (high,) = (answers(bounded, [[z]]) for z in (-50, 90))
        assert 0 < low.value < high.value < 20


@pytest.mark.parametrize("values", [1, 2, 5, 27, 64, 100])
def test_blocks_add_up_to_counts_up_to_every_value(values):
    counts = np.array([k * k % 7 for k in range(values)])
    for tree in trees(values):
        assert tree.upto(tree.sums(counts)) == np.cumsum(counts).tolist()
        ones = [tree.upto([int(k == node) for k in range(tree.nodes)])
                for node in range(tree.nodes)]
        used = np.abs(np.array(ones)).sum(axis=0)
        assert used.max() <= tree.terms
        each = np.array([tree.sums(np.eye(values, dtype=np.int64)[v]) for v in range(values)])
        assert (each.sum(axis=1) == tree.levels).all()
    assert Tree(values, 1, max(values, 2)) in trees(values)


def test_the_interval_of_a_variance_holds_all_sums_in_the_box():
    drawn, width = [40, 30, 50], 6
    value, low, high = variance(drawn, Fraction(width))
    found = []
    for off in product(range(-width, width + 1, 3), repeat=3):
        a, b, c = (x + d for x, d in zip(drawn, off, strict=True))
        total = a + b + c
        found.append(Fraction(c, total) - (Fraction(b, 2 * total) + Fraction(c, total)) ** 2)
    assert low == max(min(found), 0)
    assert max(found) <= high <= max(found) * Fraction(102, 100)
    assert low <= value <= high
    value, low, high = variance([1, 1, 1], Fraction(1))
    assert (value, low) == (Fraction(1, 12), 0)
    assert Fraction(1, 4) <= high < Fraction(1, 4) + Fraction(1, 10**6)
    assert variance([-9, -9, -9], Fraction(1)) == (0, 0, Fraction(1, 4))


def test_sums_of_noises_reach_as_far_as_their_law():
    one = {z: float(GEOMETRIC.law(0).probability(z)) for z in range(-150, 151)}
    three = np.convolve(np.convolve(list(one.values()), list(one.values())), list(one.values()))
    far = np.abs(np.arange(-450, 451))
    summed = NoiseSum(GEOMETRIC, 3)
    assert summed.mean_error == pytest.approx(float(far @ three))
    for confidence in (Fraction(1, 2), Fraction(95, 100), Fraction(9999, 10000)):
        reach = summed.reach(confidence)
        assert three[far > reach].sum() <= 1 - float(confidence) < three[far >= reach].sum()


def test_margins_are_sums_of_unbiased_cells_each_with_the_width_of_its_own_law():
    made = plan_release(Question("cross", ("a", "b")), TABLE, "1")
    drawn = [-3, 5, 0, 9, -1, 2]
    found = {answer.cell: answer for answer in answers(made, [drawn])}
    assert [found[pair].value for pair in product("pq", "rst")] == drawn
    assert found["(all)", "(all)"].value == sum(drawn)
    assert found["p", "(all)"].value == 2
    assert found["(all)", "r"].value == 6
    part = made.subqueries[0]
    for cell, terms in ((("p", "r"), 1), (("p", "(all)"), 3), (("(all)", "r"), 2),
                        (("(all)", "(all)"), 6)):
        width = part.width(made.confidence, terms)
        assert (found[cell].high - found[cell].value, found[cell].value - found[cell].low) == (
            width, width)
    assert [(spread.terms, spread.error) for spread in made.sums] == [
        (terms, part.mean_error(terms)) for terms in (3, 2, 6)]
    assert made.together == part.width(1 - (1 - made.confidence) / 6)


def test_adjusted_counts_are_whole_not_below_0_and_add_up_to_the_released_total():
    made = plan_release(Question("cross", ("a", "b"), adjusted=True), TABLE, "1")
    found = {answer.cell: answer for answer in answers(made, [[-3, 5, 0, 9, -1, 2]])}
    cells = [found[pair].adjusted for pair in product("pq", "rst")]
    assert min(cells) >= 0
    assert found["(all)", "(all)"].adjusted == sum(cells) == 12
    assert found["p", "(all)"].adjusted == sum(cells[:3])
    assert found["p", "r"].value == -3
    low, high = found["p", "r"].possible
    assert (low, high) == (0, max(found["p", "r"].high, 0))
    form = found["p", "r"].as_json()
    assert form["adjusted"] == {"value": 0, "low": 0, "high": int(high)}
    plain = plan_release(Question("count"), TABLE, "1")
    assert "adjusted" not in answers(plain, [[3]])[0].as_json()


@pytest.mark.parametrize("numbers", [
    [-3, 5, 0, 9, -1, 2], [-5, -5], [0], [7], [3, -1, -1], [10**30, -(10**30), 1], [1] * 5 + [-4]])
def test_adjusted_counts_are_the_nearest_with_their_total(numbers):
    """By trying all: none with the same total is nearer than those, before they are made whole."""
    found = nonnegative(numbers)
    total = max(sum(numbers), 0)
    assert min(found) >= 0
    assert sum(found) == total
    if total <= 12 and max(map(abs, numbers)) < 100:
        tried = [c for c in product(range(total + 1), repeat=len(numbers)) if sum(c) == total]
        least = min(sum((a - b) ** 2 for a, b in zip(c, numbers, strict=True)) for c in tried)
        assert sum((a - b) ** 2 for a, b in zip(found, numbers, strict=True)) == least


def test_a_distribution_does_not_fall_and_its_band_holds_it():
    made = plan_release(Question("distribution", ("x",)), TABLE, "1")
    assert made.strategy.tree.levels == 1
    found = answers(made, [[90, -4, 30, 10, -2, 5, 5, 5, 5, 5, 5]])
    values = [answer.value for answer in found]
    assert values == sorted(values)
    assert values[-1] == 1
    assert all(answer.low <= answer.value <= answer.high for answer in found)
    none = answers(made, [[1, -4] + [0] * 9])
    assert {answer.value for answer in none} == {None}
    assert {(answer.low, answer.high) for answer in none[:-1]} == {(0, 1)}
    assert (none[-1].low, none[-1].high) == (1, 1)


def test_a_band_holds_all_sums_together_and_one_for_the_last_alone_would_not():
    """The law of sums that stayed inside so far, noise by noise."""
    made = plan_release(Question("distribution", ("x",)), TABLE, "0.2")
    noise = made.subqueries[0].noise

    def inside(band):
        z = np.arange(-2 * band, 2 * band + 1)
        step = np.array([float(noise.law([0] * 11).parts[0].probability(int(k))) for k in z])
        held = np.zeros(2 * band + 1)
        held[band] = 1.0
        for _ in range(11):
            held = np.convolve(held, step)[2 * band : 4 * band + 1]
        return held.sum()

    alone = NoiseSum(noise, 11).reach(made.confidence)
    assert inside(alone) < made.confidence <= inside(int(made.band))


def test_quantiles_are_in_order_and_many_are_read_from_a_distribution():
    few = plan_release(Question("quantiles", "y", at=["0.2", "0.5", "0.8"]), TABLE, "1")
    assert few.strategy.tree is None
    assert [answer.value for answer in answers(few, [[7], [3], [9]])] == [3, 7, 9]
    many = plan_release(Question("quantiles", "x", at=[k / 20 for k in range(1, 20)]), TABLE, "1")
    assert many.strategy.tree is not None
    cells = many.subqueries[0].subquery.space.cells
    flat = [answer.value for answer in answers(many, [[100] * cells])]
    assert flat == sorted(flat)
