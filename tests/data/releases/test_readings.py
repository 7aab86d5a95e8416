"""What is read from drawn numbers for free, against plain arithmetic."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tightrope.data import Ask, Question, plan_release
from tightrope.data.releases.answers import answers
from tightrope.data.releases.ranges import mean_in_range, read_in_range
from tightrope.data.releases.trees import Tree, trees
from tightrope.data.releases.variances import variance
from tightrope.declarations import Declaration
from tightrope.mechanisms import NoiseMechanism, NoiseSum
from tightrope.spaces import path, sums

GEOMETRIC = NoiseMechanism(path(0, 9), Fraction(5, 4))
TABLE = Declaration.of({"dataset": "d", "columns": {
    "x": {"type": "number", "low": 0, "high": 10},
    "y": {"type": "number", "low": 0, "high": 1000},
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
    (4, 3, 2, 2), (1, 4, 3, 2), (90, 1, 1, 8), (70, 3, 2, 64)])
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


def test_a_declared_most_makes_counts_err_less():
    for epsilon in ("0.1", "0.5"):
        form = {**TABLE.as_json(), "unit": {"most": 20}}
        bounded = plan_release(Question("count"), Declaration.of(form), epsilon)
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
    assert variance([1, 1, 1], Fraction(1)) is None


def test_sums_of_noises_reach_as_far_as_their_law():
    one = {z: float(GEOMETRIC.law(0).probability(z)) for z in range(-150, 151)}
    three = np.convolve(np.convolve(list(one.values()), list(one.values())), list(one.values()))
    far = np.abs(np.arange(-450, 451))
    summed = NoiseSum(GEOMETRIC, 3)
    assert summed.mean_error == pytest.approx(float(far @ three))
    for confidence in (Fraction(1, 2), Fraction(95, 100), Fraction(9999, 10000)):
        reach = summed.reach(confidence)
        assert three[far > reach].sum() <= 1 - float(confidence) < three[far >= reach].sum()


def test_margins_add_up_and_keep_the_intervals_of_what_was_drawn():
    made = plan_release(Question(Ask.CROSS, ("a", "b")), TABLE, "1")
    drawn = [-3, 5, 0, 9, -1, 2]
    found = {answer.cell: answer for answer in answers(made, [drawn])}
    cells = [found[pair].value for pair in product("pq", "rst")]
    assert min(cells) >= 0
    assert found["(all)", "(all)"].value == sum(cells) == sum(drawn)
    assert found["p", "(all)"].value == sum(cells[:3])
    assert found["(all)", "r"].value == cells[0] + cells[3]
    width = made.parts[0].width(made.confidence, 3)
    assert found["p", "(all)"].high == 2 + width


def test_a_distribution_does_not_fall_and_its_band_holds_it():
    made = plan_release(Question(Ask.DISTRIBUTION, ("x",)), TABLE, "1")
    assert made.offer.tree.levels == 1
    found = answers(made, [[90, -4, 30, 10, -2, 5, 5, 5, 5, 5, 5]])
    values = [answer.value for answer in found]
    assert values == sorted(values)
    assert values[-1] == 1
    assert all(answer.low <= answer.value <= answer.high for answer in found)
    none = answers(made, [[1, -4] + [0] * 9])
    assert {answer.value for answer in none} == {None}


def test_a_band_holds_all_sums_together_and_one_for_the_last_alone_would_not():
    """The law of sums that stayed inside so far, noise by noise."""
    made = plan_release(Question(Ask.DISTRIBUTION, ("x",)), TABLE, "0.2")
    noise = made.parts[0].noise

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
    assert few.offer.tree is None
    assert [answer.value for answer in answers(few, [[7], [3], [9]])] == [3, 7, 9]
    many = plan_release(Question("quantiles", "x", at=[k / 20 for k in range(1, 20)]), TABLE, "1")
    assert many.offer.tree is not None
    flat = [answer.value for answer in answers(many, [[100] * many.parts[0].part.space.cells])]
    assert flat == sorted(flat)
