"""Noise for a number: laws by brute force on a lattice, choices, refusals at once."""

from fractions import Fraction
from random import Random

import pytest

from tightrope.errors import BadInput, BadLevel, Infeasible, TooLarge
from tightrope.exact import Intervals, Level
from tightrope.samplers import draw
from tightrope.theory import line_sequence, noise
from tightrope.theory.queries.line_noise import best_radius, changes_of, power_of_ten
from tightrope.theory.queries.linear_queries import least_steps


def rungs_by_hand(pairs, delta, most):
    """The rung of each cell [k, k + 1) within ±most, by adding changes cell by cell.

    Ends are whole numbers. B_i is a set of cells; a cell k moved by [a, b] covers k + a to k + b.
    """
    moves = [(0, 0)]
    for a, b in pairs:
        moves += [(a, b), (-b, -a)]
    held = set(range(-delta, delta))
    found = dict.fromkeys(held, 0)
    for i in range(1, 500):
        grown = set()
        for a, b in moves:
            if not held and i == 1:  # B_0 is the single point 0
                grown |= set(range(a, b))
            for k in held:
                grown |= set(range(k + a, k + b + 1))
        held = {k for k in grown if -most <= k < most}
        for k in held:
            found.setdefault(k, i)
        if all(k in found for k in range(-most, most)):
            return found
    raise AssertionError("the cells were not filled")


CASES = [([(0, 1), (5, 6)], 0), ([(0, 2), (7, 8)], 1), ([(2, 3)], 2), ([(1, 1), (3, 3)], 1)]


@pytest.mark.parametrize(("pairs", "delta"), CASES)
def test_every_cell_has_the_rung_found_by_adding_changes_by_hand(pairs, delta):
    shape = "theorem-3" if delta else "theorem-2"
    law = noise(pairs, Level.ratio(3), shape=shape, widen=delta or None).mechanism.noise
    for k, rung in rungs_by_hand(pairs, delta, 60).items():
        assert law.rung(Fraction(2 * k + 1, 2)) == rung


@pytest.mark.parametrize(("pairs", "delta"), CASES)
def test_the_mean_error_is_the_sum_over_cells(pairs, delta):
    most, ratio = 200, 3
    shape = "theorem-3" if delta else "theorem-2"
    found = noise(pairs, Level.ratio(ratio), shape=shape, widen=delta or None)
    cells = rungs_by_hand(pairs, delta, most)
    total = sum(Fraction(1, ratio**rung) for rung in cells.values())
    error = sum(abs(Fraction(2 * k + 1, 2)) / ratio**rung for k, rung in cells.items())
    assert found.mean_error == pytest.approx(float(error / total), rel=1e-9)


@pytest.mark.parametrize("text", ["[1, 2] | [5, 6]", "{1, 3}", "[-2, -1]", "[0, 1/2] | {4}"])
def test_no_change_by_one_person_moves_a_density_by_more_than_the_ratio(text):
    random = Random(text)
    found = noise(text, Level.ratio(4))
    for law in found.laws:
        if law.noise is None:
            continue
        places = [Fraction(random.randrange(-4000, 4000), 97) for _ in range(60)]
        for z in places:
            for low, high in found.changes.pairs():
                for w in (low, high, (low + high) / 2):
                    for moved in (z + w, z - w):
                        assert law.noise.density(z) <= 4 * law.noise.density(moved)


def test_the_best_law_errs_least_and_beats_laplace():
    found = noise("[0, 1] | [100, 101]", 3)
    errors = {law.name: law.mean_error for law in found.laws}
    assert found.chosen.name == "theorem-3"
    assert found.mean_error == min(errors.values())
    assert errors["laplace"] == pytest.approx(101 / 3, rel=1e-15)
    assert found.mean_error < errors["staircase"] < errors["laplace"]


def test_every_law_has_the_level_asked_for_exactly():
    found = noise("[0, 1] | [3, 4]", Level.ratio(5))
    levels = {law.name: law.certified.certificate.smallest.exact.text
              for law in found.laws if law.certified is not None}
    assert levels == dict.fromkeys(["theorem-1", "theorem-2", "theorem-3", "staircase"], "ln(5)")


def test_on_an_interval_the_best_radius_is_that_of_the_staircase():
    # γ = 1/(1 + e^(ε/2)) = 1/4 of a sensitivity 8 at e^ε = 9
    assert best_radius(Intervals.of([(0, 8)]), Level.ratio(9)) == 2


def test_a_set_on_one_side_is_taken_on_both():
    one, both = noise("[1, 2]", 1), noise("[-2, -1] | [1, 2]", 1)
    assert one.mechanism.space.moves == both.mechanism.space.moves
    assert one.mechanism.noise.mean_error == both.mechanism.noise.mean_error


def test_what_never_fills_an_interval_is_refused_before_any_set_is_added(monkeypatch):
    def no_sums(*_):
        raise AssertionError("sets were added")

    monkeypatch.setattr(Intervals, "__add__", no_sums)
    for text in ("{1, 3}", "[0, 1] | {5}", "[0, 1/1000000] | [3, 3.000001]"):
        with pytest.raises(Infeasible):
            noise(text, 1, shape="theorem-2")


def test_no_sequence_is_shorter_than_proposition_3_says():
    random, tried = Random(3), 0
    for _ in range(300):
        ends = sorted(random.sample(range(24), 4))
        pairs = [(ends[0], ends[1]), (ends[2], ends[3])]
        if random.random() < 0.5:
            pairs.append((ends[3] + 2, ends[3] + 2 + random.randrange(2)))
        delta = Fraction(random.randrange(0, 12), 2)
        changes = Intervals.of(pairs)
        try:
            found = line_sequence(changes, delta)
        except TooLarge:
            continue
        except BadInput:
            continue
        tried += 1
        assert least_steps(found.moves, delta) <= found.converged
    assert tried > 150


def test_answers_are_multiples_of_the_grid():
    found = noise("[0, 1]", 1, grid="1/8")
    assert all((draw(found, "22/7") * 8).denominator == 1 for _ in range(20))
    assert noise("[0, 1]", 1).mechanism.grid == power_of_ten(Fraction(959, 10**6))


def test_changes_are_read_from_text_pairs_and_intervals():
    wanted = Intervals.of([(1, 2), (5, 6)])
    given = ["[1,2]|[5,6]", "[1, 2] ∪ [5.0, 6]", [(1, 2), (5, 6)], ((1.0, "2"), (5, 6)), wanted]
    assert all(changes_of(one) == wanted for one in given)
    assert changes_of("{0.1, 1/3}").pairs()[0] == (Fraction(1, 10), Fraction(1, 10))
    for wrong in ("", "[1, 2", "(1, 2)", "[2, 1]", "[0, inf]", "{}", "1", "[1,2] [3,4]", "[1,2,3]"):
        with pytest.raises(BadInput, match="expected closed intervals"):
            changes_of(wrong)
    for wrong in (1, [1, 2, 3], [(1, 2, 3)], [[True, 2]]):
        with pytest.raises(BadInput):
            changes_of(wrong)


def test_levels_and_radii_out_of_range_are_refused():
    for wrong in (1e-9, 1000):
        with pytest.raises(BadLevel):
            noise("[0, 1]", wrong)
    for wrong in ({"widen": -1}, {"widen": "x"}, {"grid": 0}, {"shape": "laplace"}):
        with pytest.raises(BadInput):
            noise("[0, 1]", 1, **wrong)
    with pytest.raises(BadInput, match="nobody can change"):
        noise("{0}", 1)


def test_ends_as_small_as_doubles_have_are_taken():
    tiny = noise("[0, 1e-300]", 1)
    assert tiny.mean_error == pytest.approx(noise("[0, 1]", 1).mean_error * 1e-300)
