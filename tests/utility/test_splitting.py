"""The split of a total: against all splits on a grid, and against equal shares."""

from fractions import Fraction
from itertools import product
from math import ceil
from random import Random

import pytest

from tightrope.exact import Level
from tightrope.releases import Question, plan, plan_release
from tightrope.utility.splitting import CLOSE, Aim, divide

TOTALS = {Aim.LARGEST: max, Aim.SUM: sum}


def falling(random, units):
    """Costs of 1 to so many units that never rise: in steps, smooth, with jumps, or zero."""
    shape = random.choice(["steps", "smooth", "any", "zero"])
    scale = random.choice([1, 7, 40])
    if shape == "steps":
        return [float(ceil(scale / place)) for place in range(1, units + 1)]
    if shape == "smooth":
        return [scale / place for place in range(1, units + 1)]
    if shape == "any":
        return sorted((random.choice([0.0, 1.0, 3.0, random.random() * 9])
                       for _ in range(units)), reverse=True)
    return [0.0] * units


@pytest.mark.parametrize("aim", Aim)
@pytest.mark.parametrize("seed", range(100))
def test_the_split_is_the_best_of_all_up_to_its_gap_and_never_worse_than_equal_shares(seed, aim):
    random = Random(seed)
    number, units = random.choice([(1, 30), (2, 40), (3, 24), (4, 14)])
    costs = [falling(random, units) for _ in range(number)]
    calls = [0]

    def curve(listed):
        def cost(place):
            calls[0] += 1
            return listed[place - 1]
        return cost

    found = divide([curve(listed) for listed in costs], units, aim)
    best = min(TOTALS[aim](listed[place - 1] for listed, place in zip(costs, places, strict=True))
               for places in product(range(1, units + 1), repeat=number) if sum(places) <= units)
    reached = TOTALS[aim](listed[place - 1]
                          for listed, place in zip(costs, found.units, strict=True))
    even = TOTALS[aim](listed[units // number - 1] for listed in costs)
    assert sum(found.units) <= units
    assert reached <= found.value <= even == found.equal
    assert found.bound <= best + 1e-9
    assert found.value <= best * (1 + CLOSE) + 1e-9
    assert calls[0] <= number * (units + 6)


def test_a_largest_cost_takes_no_more_than_it_needs():
    assert divide([lambda place: 1.0 if place < 3 else 0.5, lambda place: 0.5], 100,
                  Aim.LARGEST).units == (3, 1)


def test_of_a_cost_that_is_seen_to_rise_no_gap_is_claimed():
    found = divide([lambda place: 3.0 if place == 50 else 2.0, lambda place: 1 / place], 100,
                   Aim.SUM)
    assert (found.bound, found.gap) == (0.0, float("inf"))
    assert found.value <= found.equal


@pytest.mark.parametrize("aim", Aim)
@pytest.mark.parametrize("seed", range(20))
def test_a_split_takes_the_last_number_before_its_cost_jumps_up(seed, aim):
    """As the 95 % error does where the noise with the least mean error changes."""
    random = Random(seed)
    jump, height = random.randrange(150, 290), random.choice([2, 5])
    costs = [[(1 if place <= jump else height) * 90 / place for place in range(1, 301)],
             [1 / place for place in range(1, 301)]]
    found = divide([lambda place, listed=listed: listed[place - 1] for listed in costs], 300, aim)
    best = min(TOTALS[aim]((costs[0][place - 1], costs[1][299 - place]))
               for place in range(1, 300))
    assert found.value <= best * (1 + CLOSE)


@pytest.mark.parametrize(("aim", "jump"), [
    (Aim.LARGEST, 139), (Aim.LARGEST, 142), (Aim.SUM, 104), (Aim.SUM, 108)])
def test_a_jump_that_is_seen_later_is_found_too(aim, jump):
    """The first numbers tried, 1, 100 and 298, show no rise."""
    costs = [[(1 if place <= jump else 2) * 90 / place for place in range(1, 301)],
             [1 / place for place in range(1, 301)], [20 / place for place in range(1, 301)]]
    tried = [set() for _ in costs]

    def curve(number):
        def cost(place):
            tried[number].add(place)
            return costs[number][place - 1]
        return cost

    divide([curve(number) for number in range(3)], 300, aim)
    assert {jump, jump + 1} <= tried[0]


def test_a_sum_weighs_costs_against_each_other():
    """The least of 4/a + 1/b with a + b = 300 is at a = 2 b."""
    found = divide([lambda place: 4 / place, lambda place: 1 / place], 300, Aim.SUM)
    assert abs(found.units[0] - 200) <= 10
    assert found.bound <= 4 / 200 + 1 / 100 <= found.value <= found.bound * 1.02


DECLARED = {"dataset": "d", "columns": {
    "x": {"type": "number", "low": 0, "high": 10, "resolution": 1, "bins": [0, 5, 10]},
    "c": {"type": "category", "values": ["a", "b", "c"]}}}
ASKED = ["count", "histogram of c", "sum of x", "median of x", "histogram of x and c",
         "counts of x > 3; x > 5"]


def error(text, epsilon):
    return plan_release(Question.read(text), made_declaration(), Level.epsilon(epsilon)).width


def made_declaration():
    from tightrope.declarations import Declaration

    return Declaration.of(DECLARED)


@pytest.mark.parametrize("aim", Aim)
@pytest.mark.parametrize("seed", range(12))
def test_no_split_of_a_coarse_grid_beats_a_real_plan_by_more_than_its_gap(seed, aim):
    random, total = Random(seed), TOTALS[aim]
    texts = random.sample(ASKED, 2)
    wanted = [random.choice([1, 5, 20, 60]) for _ in texts]
    weights = [random.choice([1, 1, 3]) for _ in texts]
    made = plan([{"ask": text, "within": within, "weight": weight} for text, within, weight in zip(
        texts, wanted, weights, strict=True)], DECLARED, epsilon="0.8", name="grid", aim=aim)

    def value(levels):
        return total(float(error(text, level) * weight / within) for text, level, weight, within
                     in zip(texts, levels, weights, wanted, strict=True))

    reached = total(float(share.error) / within * weight for share, within, weight in zip(
        made.shares, wanted, weights, strict=True))
    assert made.division.value == pytest.approx(reached)
    best = min(value((Fraction(place, 25), Fraction(20 - place, 25))) for place in range(1, 20))
    assert reached <= best * (1 + made.division.gap) + 1e-9
    assert made.division.bound <= best + 1e-9
    assert reached <= value(("0.4", "0.4")) + 1e-12
