"""The lemma about traces, by brute force over small lattices and with the laws themselves."""

from fractions import Fraction
from itertools import product

import pytest

from tightrope.errors import BadInput, CannotCheck, TooLarge
from tightrope.exact import Level
from tightrope.mechanisms import TraceNoise
from tightrope.privacy import certified
from tightrope.privacy.lemmas import lemma_holds
from tightrope.privacy.theorems import theorem_for
from tightrope.spaces import Positions, Region, Tallies, Traces

HERE = Traces(Positions(Region.box(-4, 40, -3, 41), 10, 3))  # cells of neighbors: 5 steps apart
STEPS = {
    "one rung": TraceNoise(HERE, 2, 5, "6/5", 2, 5, 1, 3, 10, 4),
    "several rungs": TraceNoise(HERE, 2, 3, "11/10", "5/4", 2, 1, "3/2", 3, 2),
    "geometric": TraceNoise(HERE, 1, 8, "5/4", "5/4", 1, 1, "9/8", 1, 1),
}


def in_steps(noise, wide):
    """The probabilities of whole numbers up to so far, by the definition of rungs."""
    held = []
    for z in range(-wide, wide + 1):
        rung = 0 if abs(z) < noise.first else (abs(z) - noise.first) // noise.step + 1
        held.append(float(noise.ratio) ** -rung)
    total = 2 * noise.first - 1 + 2 * noise.step / (float(noise.ratio) - 1)
    return [weight / total for weight in held]


def weights(made, traces, answers, wide=260):
    """The probability of answers for each trace, up to the normalizers of fresh positions.

    On a line through the middle. An answer is None (the last one again) or a fresh cell. Noise
    beyond so `wide` has less than 1e-11 of all weight.
    """
    bar, test = in_steps(made.bars, wide), in_steps(made.tests, wide)
    below = [0.0]  # P(test <= k) for k from -wide - 1 on
    for chance in test:
        below.append(below[-1] + chance)

    def stays(far, noise):
        """P(far + test <= jump + noise)."""
        k = made.jump + noise - far + wide + 1
        return 0.0 if k < 0 else below[k] if k < len(below) else below[-1]

    def settle(pending, above):
        one = 0.0
        for place, chance in enumerate(bar):
            for far in pending:
                chance *= stays(far, place - wide)
            if above is not None:
                chance *= below[-1] - stays(above, place - wide)
            one += chance
        return one

    found = {}
    for trace in traces:
        total, at, pending, left = 1.0, 0, [], made.fresh
        for cell, answer in zip(trace, answers, strict=True):
            if left and answer is None:
                pending.append(abs(cell - at))
            elif left:
                total *= settle(pending, abs(cell - at))
                total *= float(made.ratio) ** -abs(answer - cell)
                at, pending, left = answer, [], left - 1
            elif answer is not None:
                total = 0.0
        found[trace] = total * (settle(pending, None) if left else 1)
    return found


@pytest.mark.parametrize("made", STEPS.values(), ids=STEPS)
def test_no_answer_tells_neighbors_apart_by_more_than_the_theorem_says(made):
    """All traces of three rows on cells 0, 5 and 10, neighbors five steps apart row by row."""
    theorem = theorem_for(made)
    most = float(theorem.ratio) ** theorem.times
    traces = list(product((0, 5, 10), repeat=3))
    worst = 1.0
    for answers in product((None, 0, 10), repeat=3):
        held = weights(made, traces, answers)
        for first, second in product(traces, repeat=2):
            if max(abs(a - b) for a, b in zip(first, second, strict=True)) == 5 and held[first]:
                worst = max(worst, held[first] / held[second])
    assert worst <= most * (1 + 1e-9)
    position = float(made.ratio) ** (5 * made.fresh)
    assert worst > 1.2 * position  # and is not idle: fresh positions alone tell less


@pytest.mark.parametrize(("bar", "test"), [(4, 2), (2, 4)])
def test_twelve_tests_below_and_one_above_use_nearly_all_that_the_theorem_allows(bar, test):
    """So that neither bar nor test costs less, and no number of rows costs more."""
    made = TraceNoise(HERE, 1, 5, "101/100", bar, 5, 1, test, 10, 1)
    traces = [(a,) * 12 + (b,) for a in range(0, 30, 5) for b in range(0, 30, 5)]
    worst = 1.0
    for last in (None, 0, 10):
        held = weights(made, traces, (None,) * 12 + (last,))
        for first, second in product(traces, repeat=2):
            if max(abs(a - b) for a, b in zip(first, second, strict=True)) == 5:
                worst = max(worst, held[first] / held[second])
    most = float(theorem_for(made).ratio)
    assert 0.999 * most < worst <= most * (1 + 1e-9)


def test_the_level_is_compared_exactly_for_each_fresh_position():
    made = STEPS["one rung"]
    each = Fraction(6, 5) ** 5 * 2 * 3
    assert theorem_for(made).ratio == each
    assert theorem_for(made).times == 2
    assert certified(made, Level.ratio(each**2)).certificate.smallest.upper > 0
    with pytest.raises(CannotCheck, match="to the power of 2, which is proved"):
        certified(made, Level.ratio(each**2 - Fraction(1, 10**30)))


def test_the_lemma_is_about_cells_row_by_row():
    made, near = STEPS["geometric"], [(-3.5, 40.5), (-3.4, 40.5)]
    assert lemma_holds(made, near, near)
    assert lemma_holds(made, near, [(-3.5, 40.50005), (-3.4, 40.49995)])
    assert not lemma_holds(made, near, [(-3.5, 40.5), (-3.3, 40.5)])
    assert not lemma_holds(made, near, near[:1])


@pytest.mark.parametrize("wrong", [
    {"fresh": 0}, {"fresh": 101}, {"fresh": True}, {"jump": -1}, {"jump": 2**101}, {"jump": 1.5},
    {"ratio": 1}, {"bar": 1}, {"test": "1/2"}, {"bar_step": 0}, {"bar_first": 6},
    {"test_first": 0}, {"space": HERE.positions}, {"space": Tallies(1, 1, 5)},
])
def test_declarations_that_mean_nothing_are_refused(wrong):
    held = {name: getattr(STEPS["one rung"], name) for name in STEPS["one rung"].__match_args__}
    with pytest.raises((BadInput, TypeError)):
        TraceNoise(**{**held, **wrong})


def test_too_many_rungs_between_neighbors_are_refused():
    fine = Traces(Positions(Region.box(-4, 40, -3, 41), 200, "1/40"))
    with pytest.raises(TooLarge):
        TraceNoise(fine, 1, 0, 2, 2, 1, 1, 2, 1, 1)
