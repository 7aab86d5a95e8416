"""Proposition 2.2.2: the interval is what channels reach, no less and no more."""

import random
from fractions import Fraction

import pytest

from tightrope.errors import BadInput
from tightrope.privacy import implied_values

F = Fraction


def test_two_hundred_pairs_against_all_channels_that_keep_a():
    rng = random.Random(6)
    for _ in range(200):
        a, b = F(rng.randint(0, 24), 24), F(rng.randint(0, 24), 24)
        found = implied_values(lambda x, y: True, a, b)
        low, high = sorted((b, found.other))
        c, d = found.channel
        assert 0 <= min(c, d) <= max(c, d) <= 1
        assert c * a + d * (1 - a) == a
        reached = []
        for k in range(25):  # every channel (c, d) with c a + d (1 - a) = a, c by steps
            c = F(k, 24)
            if a == 1:
                options = [(F(1), F(k, 24))]
            else:
                d = a * (1 - c) / (1 - a)
                options = [(c, d)] if d <= 1 else []
            reached += [c * b + d * (1 - b) for c, d in options]
        assert all(low <= value <= high for value in reached)
        assert b in reached or a == 1
        if a <= F(1, 2):  # the channel to the other end is among these steps
            assert found.other in reached


def test_two_hundred_predicates_with_and_without_a_gap():
    rng = random.Random(8)
    gaps = 0
    for _ in range(200):
        a = F(rng.randint(1, 23), 24)
        b = F(rng.randint(0, 24), 24)
        other = implied_values(lambda x, y: True, a, b).other
        if other == b:
            continue
        spot = b + (other - b) * F(rng.randint(1, 59), 60)

        def but_one(x, y, a=a, spot=spot):
            return (x, y) not in ((a, spot), (1 - a, 1 - spot))

        both = {spot, 1 - spot} if a == F(1, 2) else {spot}  # an event and its complement
        assert implied_values(but_one, a, b).forbidden in both
        beyond = other + (other - b) / 60
        closed = implied_values(lambda x, y, a=a, v=beyond: (x, y) != (a, v), a, b)
        assert closed.holds
        gaps += 1
    assert gaps > 150


def test_bad_pairs_are_refused():
    with pytest.raises(BadInput, match="does not allow"):
        implied_values(lambda a, b: a == b, "1/4", "1/2")
    with pytest.raises(BadInput, match="from 0 to 1"):
        implied_values(lambda a, b: True, "3/2", 0)
