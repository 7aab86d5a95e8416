"""The initial active pairs: which they are, and fewer where memory is short."""

import numpy as np
import pytest

from tightrope.errors import TooLarge
from tightrope.exact import sizes
from tightrope.lp import ConeProgram, active_pairs, iterates, minimize
from tightrope.lp.active_pairs import InitialPairs
from tightrope.lp.arcs import Arcs

SIDE = 6


def square_program():
    """All pairs of 6 x 6 points, random chances; guesses are exponential columns."""
    places = np.stack(np.divmod(np.arange(SIDE**2), SIDE), axis=1)
    far = np.sqrt(((places[:, None] - places) ** 2).sum(axis=2))
    first, second = np.triu_indices(SIDE**2, 1)
    chances = np.random.default_rng(7).dirichlet(np.ones(SIDE**2))
    kernel = np.exp(-far)
    return ConeProgram(
        far * chances, first, second, kernel[first, second], np.arange(SIDE**2),
        np.ones(SIDE**2), guess=kernel,
    )


def test_long_lists_have_all_pairs_that_are_tight_in_the_guess_and_short_ones_the_nearest(
    monkeypatch
):
    monkeypatch.setattr(active_pairs, "_FEWER", 8)
    program = square_program()
    arcs = Arcs.of(program.width, program.first, program.second, program.shares)
    pairs = {short: set(InitialPairs(arcs, program.guess, short).of(0).tolist())
             for short in (False, True)}

    def listed(tail, head, short):
        (place,) = np.flatnonzero((arcs.tails == tail) & (arcs.heads == head))
        return int(place) in pairs[short]

    assert pairs[True] < pairs[False]
    assert set(np.flatnonzero(arcs.fixed).tolist()) <= pairs[True]
    # column 0 is around a corner: away from it along an edge every pair is tight
    assert listed(5, 0, short=False)
    assert not listed(5, 0, short=True)
    assert all(listed(5, 4, short=short) for short in (False, True))
    assert all(int(np.sum(arcs.tails[sorted(pairs[True])] == tail)) <= 8 + 4 for tail in range(36))


def test_where_lists_take_too_much_memory_they_begin_short_and_the_optimum_is_the_same(monkeypatch):
    monkeypatch.setattr(active_pairs, "_FEWER", 8)
    program, told = square_program(), []
    memory = iterates.Iterate._memory

    def counted(self):
        told.append((self.first.short, memory(self)))
        return told[-1][1]

    monkeypatch.setattr(iterates.Iterate, "_memory", counted)
    whole = minimize(program, gap=1e-6)
    assert [short for short, _ in told] == [False]
    monkeypatch.setattr(sizes, "LARGEST_CONE_MEMORY", told.pop()[1] - 1)
    found = minimize(program, gap=1e-6)
    assert [short for short, _ in told] == [False, True]
    assert told[1][1] < told[0][1]
    assert found.finished
    assert found.bound <= whole.value * (1 + 1e-9)
    assert whole.bound <= found.value * (1 + 1e-9)
    assert found.value == pytest.approx(whole.value, rel=2e-6)
    monkeypatch.setattr(sizes, "LARGEST_CONE_MEMORY", told[1][1] - 1)
    with pytest.raises(TooLarge, match="memory for the search"):
        minimize(program, gap=1e-6)
