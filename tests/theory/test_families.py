"""Verdicts about families: witnesses checked by hand, covers counted on members."""

from fractions import Fraction
from itertools import combinations
from math import log

import pytest

from tightrope.errors import BadInput, CannotCheck
from tightrope.spaces import space_of
from tightrope.theory import cover, family_verdict, smallest_level_for

F = Fraction
SCATTERED = ["categories:N", "star:N", "sets:N", "hamming:values=2,people=N",
             "hamming:values=N,people=2", "histogram:people=2,cells=N",
             "counts:people=2,queries=N", "sum:people=2,max=N"]
COVERED = ["path:0..N", "cycle:N", "grid:NxN", "counts:people=N,queries=2",
           "histogram:people=N,cells=3", "sum:people=N,max=3"]


@pytest.mark.parametrize("family", SCATTERED)
def test_witnesses_of_an_incompatible_family_stay_apart_and_become_more(family):
    found = family_verdict(family, "1/20", "1/10", upto=8)
    assert not found.compatible
    counts, least = [], 1.0
    for member in found.members:
        space = space_of(family.replace("N", str(member.number)))
        places = [space.index(label) for label in member.witness]
        near = min(float(space.distance(a, b)) for a, b in combinations(places, 2))
        assert member.apart == pytest.approx(near / float(space.diameter))
        assert member.epsilon >= log((len(places) - 1) * 9) * (1 - 1e-9)
        counts.append(len(places))
        least = min(least, member.apart)
    assert counts == sorted(set(counts))
    assert least >= 0.25


@pytest.mark.parametrize("family", COVERED)
def test_the_covers_of_a_compatible_family_are_no_larger_than_said(family):
    found = family_verdict(family, "1/2", "1/10", upto=8)
    assert found.compatible
    said = int(found.reason.split(": ")[1].split()[0].replace(",", ""))
    for n in (2, 4, 8):
        space = space_of(family.replace("N", str(n)))
        wide = F(space.diameter.rational or int(float(space.diameter) * 2**20) / 2**20)
        assert len(cover(space, wide / 4)) <= said
    small = space_of(family.replace("N", "2"))
    held = smallest_level_for(small, F(1, 2) * F(int(float(small.diameter))), F(1, 10))
    assert held.upper * float(small.diameter) <= found.enough * 2


@pytest.mark.parametrize("family", ["cube:N", "ball:N"])
def test_bodies_of_more_and_more_dimensions_are_not_compatible(family):
    found = family_verdict(family, "1/10", "1/10")
    levels = [member.epsilon for member in found.members]
    assert levels == sorted(levels)
    assert not found.compatible


def test_a_text_without_n_and_a_family_that_is_not_settled_are_refused():
    with pytest.raises(BadInput, match="with N in place"):
        family_verdict("path:0..9")
    with pytest.raises(CannotCheck, match="nothing here settles"):
        family_verdict("matrix:N")
    with pytest.raises(BadInput, match="above 0"):
        family_verdict("categories:N", 0)


def test_points_whose_balls_meet_prove_nothing():
    """Words of Walsh functions are half the diameter apart: too near for a radius of 1/4."""
    near, far = (family_verdict("hamming:values=2,people=N", radius, "1/10", upto=8).members[-1]
                 for radius in ("1/4", "6/25"))
    assert near.apart == far.apart == 0.5
    assert near.epsilon == 0 < far.epsilon


@pytest.mark.parametrize("family", [
    "path:0..1 * categories:N", "grid:3x3 * categories:N", "star:N ^ cycle:5", "sets:N * path:0..N",
    "categories:N * star:N"])
def test_points_of_one_factor_stay_apart_in_a_product(family):
    """N copies of a path stay apart: no level serves them all, whatever covers one path."""
    found = family_verdict(family, "1/20", "1/10", upto=8)
    assert found.compatible is False
    counts = []
    for member in found.members:
        space = space_of(family.replace("N", str(member.number)))
        places = [space.index(label) for label in member.witness]
        near = min(float(space.distance(a, b)) for a, b in combinations(places, 2))
        assert near / float(space.diameter) >= 1 / 6  # 3x3 beside 1, or half of sets beside N
        assert member.apart == pytest.approx(near / float(space.diameter))
        counts.append(len(places))
    assert counts == sorted(set(counts))


@pytest.mark.parametrize("family", [
    "path:0..N * path:0..N", "path:0..N ^ cycle:N", "categories:3 * path:0..N",
    "path:0..N * path:0..2 * path:0..1"])
def test_covers_of_all_factors_cover_a_product(family):
    found = family_verdict(family, "1/2", "1/10", upto=8)
    assert found.compatible
    count = int(found.reason.rsplit(": ")[-1].split()[0].replace(",", ""))
    for n in (2, 4, 8):
        space = space_of(family.replace("N", str(n)))
        assert len(cover(space, space.diameter.rational / 4)) <= count
    assert found.enough == pytest.approx(8 * log(count * 10))


def test_the_cover_of_a_sum_has_a_share_of_the_radius_in_each_factor():
    found = family_verdict("path:0..N * path:0..N", "1/2", "1/10", upto=2)
    assert "64 points cover" in found.reason  # pieces of an eighth in both
    assert "16 points cover" in family_verdict("path:0..N ^ path:0..N", "1/2", upto=2).reason


@pytest.mark.parametrize("family", [
    "categories:N * path:0..N", "path:0..N ^ star:N", "sum:people=N,max=N",
    "(path:0..N * path:0..N) ^ cycle:5", "path:0..N * cycle:N ^ cycle:N"])
def test_a_product_whose_factors_outgrow_each_other_is_not_settled(family):
    with pytest.raises(CannotCheck, match="nothing here settles"):
        family_verdict(family)


@pytest.mark.parametrize(("family", "count"), [
    ("interval:0..N", 4), ("interval:-N..N", 4), ("cube:2,side=N", 16), ("cube:3", None)])
def test_bodies_of_one_shape_are_one_body(family, count):
    if count is None:
        with pytest.raises(BadInput, match="with N in place"):
            family_verdict(family)
        return
    found = family_verdict(family, "1/4", "1/10")
    assert found.compatible
    assert f"{count} points cover" in found.reason
    assert found.enough == pytest.approx(16 * log(10 * count))
    # in a square of side 1 cells of an eighth over √2: 12 on a side
    assert "144 points cover" in family_verdict("ball:2,radius=N", "1/4").reason
    assert family_verdict("cube:N,side=3").compatible is False


def test_a_function_is_looked_at_and_not_decided():
    def comb(n):
        return space_of(f"star:{n}")

    found = family_verdict(comb, "1/4", "1/10", upto=16)
    assert found.compatible is None
    assert [len(member.witness) for member in found.members] == [3, 5, 9, 17]
    # balls around the center and 16 leaves are disjoint, half of the diameter away
    assert found.members[-1].epsilon == pytest.approx(2 * log(16 * 9))
    # within an eighth of the diameter everybody is alone: 17 points
    assert found.enough == pytest.approx(16 * log(170))
    held = smallest_level_for(space_of("star:8"), F(1, 2), F(1, 10))
    assert 2 * held.upper <= found.enough
    assert "not decided" in repr(found)


@pytest.mark.parametrize(("function", "part"), [
    (lambda n: 3, "found int"), (lambda n: 1 // 0, "ZeroDivisionError"),
    (lambda n: "path:0..x", "path")])
def test_functions_that_give_no_space_are_refused(function, part):
    with pytest.raises(BadInput, match=part):
        family_verdict(function)


@pytest.mark.parametrize("family", ["histogram:people=N,cells=N", "counts:people=N,queries=N"])
def test_n_in_two_places_is_settled_by_points_that_stay_apart(family):
    found = family_verdict(family, upto=4)
    assert not found.compatible
    assert [len(member.witness) for member in found.members] == [2, 4]
    assert all(member.apart == 1 for member in found.members)


@pytest.mark.parametrize("family", ["counts:people=N", "counts:people=N,queries=x"])
def test_settings_that_no_member_has_are_refused(family):
    with pytest.raises(BadInput, match="counts:people=30,queries=2"):
        family_verdict(family)


@pytest.mark.parametrize(("family", "count"), [
    ("path:0..N", 4), ("cycle:N", 8), ("grid:NxN", 64), ("counts:people=N,queries=2", 16),
    ("histogram:people=N,cells=3", 12**3), ("sum:people=N,max=3", 3 * 8 + 1),
])
def test_what_is_enough_for_a_family_is_the_theorem_for_its_cover(family, count):
    """Pieces of length 1/4 of a path, of a circle of length 2, of both sides of a grid, each half
    as long, and so on; then 2β with β = (2/γ) ln(count/δ) (KL-pc, Theorem 3.4)."""
    found = family_verdict(family, "1/2", "1/10", upto=4)
    assert f"{count:,} points cover every member within 1/4" in found.reason
    assert found.enough == pytest.approx(4 / 0.5 * log(count * 10))


def test_unit_vectors_force_the_odds_at_their_scaled_distance():
    """Balls of diameter 1: e_1 and n - 1 others √2/2 away; cubes: 0 and n unit vectors at 1."""
    for member in family_verdict("ball:N", "1/8", "1/10", upto=8).members:
        odds = log((member.number - 1) * 9) * 2**0.5 if member.number > 1 else 0
        assert member.epsilon == pytest.approx(odds)
    for member in family_verdict("cube:N", "1/8", "1/10", upto=8).members:
        assert member.epsilon == pytest.approx(log(member.number * 9))
