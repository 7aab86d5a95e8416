"""The least loss as a function of e^ε beside exact optima at random ratios."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpz_poly

import tightrope as tr
from tests.constructions.optimum.test_exact import distances_of
from tests.crosschecks.plain_simplex import plain_optimum
from tightrope.constructions import family_pieces, value_pieces
from tightrope.errors import BadInput, TooLarge
from tightrope.lp import RationalFunction, polynomial_text

F = Fraction


def losses_of(space, seed):
    source = random.Random(seed)
    return [[F(source.randrange(0, 6), source.choice((1, 2))) for _ in range(space.size)]
            for _ in range(space.size)]


@pytest.mark.parametrize("goal", ["average", "worst"])
@pytest.mark.parametrize("text", ["path:0..3", "cycle:4", "star:3", "categories:4"])
def test_pieces_are_the_optima_at_random_ratios(text, goal):
    space = tr.space(text)
    for seed in range(3):
        source, losses = random.Random(seed), losses_of(space, seed)
        parts = [source.randrange(1, 5) for _ in range(space.size)]
        prior = [F(part, sum(parts)) for part in parts]
        pieces = value_pieces(space, loss=losses, prior=prior, goal=goal)
        for _ in range(6):
            ratio = 1 + F(source.randrange(1, 400), 100)
            expected, _ = plain_optimum(distances_of(space), ratio, losses,
                                        prior if goal == "average" else None)
            assert pieces.at(ratio) == expected


@pytest.mark.parametrize("text", ["path:0..7", "cycle:8", "star:7", "categories:8"])
def test_spaces_of_8_points_agree_with_exact_optima(text):
    pieces = value_pieces(text)
    for ratio in (F(8, 7), F(3, 2), F(5, 2), F(9)):
        assert pieces.at(ratio) == tr.design(text, ratio=ratio, exact=True).exact.value


def test_pieces_cover_the_range_and_meet_at_their_ends():
    pieces = value_pieces("path:0..4", loss="absolute").pieces
    assert (str(pieces[0].low), str(pieces[-1].high)) == ("1", "∞")
    assert len(pieces) > 1
    for left, right in pairwise(pieces):
        assert left.high == right.low
        assert left.value != right.value
        end = left.high
        polynomial = fmpz_poly(list(end.polynomial))
        difference = left.value - right.value
        assert difference.above % polynomial == 0  # continuous: both have the same value there
        assert 0 <= end.high - end.low < F(1, 2**200)
        joined = [basis.low for basis in right.bases[1:]]
        assert joined == [basis.high for basis in right.bases[:-1]]


def test_a_ratio_asked_at_a_break_belongs_to_neither_side():
    """The first ratio that is asked in both ranges is 3, where the optimum of star:4 bends."""
    for pieces in (value_pieces("star:4", 1, F(11, 2)), value_pieces("star:4", 2, F(17, 4))):
        assert [str(piece.high) for piece in pieces.pieces[:-1]] == ["3"]
        for piece, expected in zip(pieces.pieces, ("(-r + 5)/5", "8/(5*r + 5)"), strict=True):
            assert str(piece.value) == expected
            for basis in piece.bases:  # its mechanism is private on all of its range
                for ratio in (basis.low.high, (basis.low.high + basis.high.low) / 2,
                              basis.high.low):
                    rows = [[entry.at(ratio) for entry in row] for row in basis.rows]
                    assert all(p <= ratio * q for y in range(1, 5) for p, q in (
                        *zip(rows[0], rows[y], strict=True), *zip(rows[y], rows[0], strict=True)))


def test_a_basis_does_not_end_where_a_function_only_touches_0():
    """Of this problem one multiplier is (r - 2)²/4: it is 0 at 2, and positive on both sides."""
    losses, prior = [[1, 0, 4], [2, 4, 2], [4, 4, 0]], ["1/4", "1/2", "1/4"]
    pieces = value_pieces("path:0..2", prior=prior, loss=losses)
    ends = [str(basis.high) for piece in pieces.pieces for basis in piece.bases]
    assert "4" in ends
    assert "2" not in ends


def test_entries_are_functions_of_the_ratio():
    (piece,) = value_pieces("categories:2").pieces
    rows = [[str(entry) for entry in row] for row in piece.bases[0].rows]
    assert rows == [["r/(r + 1)", "1/(r + 1)"], ["1/(r + 1)", "r/(r + 1)"]]


def test_known_thresholds():
    star = value_pieces("star:4").pieces
    assert [(str(p.low), str(p.high), str(p.value)) for p in star] == [
        ("1", "3", "(-r + 5)/5"), ("3", "∞", "8/(5*r + 5)")]
    golden = value_pieces("path:0..2", loss="absolute").pieces[0].high
    assert golden.polynomial == (-1, -1, 1)


def test_a_range_may_be_short():
    pieces = value_pieces("star:4", 2, 4)
    assert [(str(p.low), str(p.high)) for p in pieces.pieces] == [("2", "3"), ("3", "4")]
    with pytest.raises(BadInput, match="from 2 to 4, found 5"):
        pieces.at(5)


def test_refusals():
    with pytest.raises(TooLarge, match="an exact design takes more points"):
        value_pieces("path:0..12")
    with pytest.raises(BadInput, match="from 1 upwards"):
        value_pieces("path:0..2", 3, 2)
    with pytest.raises(BadInput, match="whole distances, found √2; the optimum at one level"):
        value_pieces("grid:2x2", loss="binary")  # √2 is whole in no unit
    halves = [[0, "1/2"], ["1/2", 0]]
    with pytest.raises(BadInput, match="found 1/2; a matrix of distances may measure them"):
        value_pieces(tr.spaces.matrix([0, 1], halves), loss="binary")
    with pytest.raises(BadInput, match="from 1 to 4, found 8"):
        value_pieces("path:0..2", 1, 4).at(8)
    with pytest.raises(TooLarge, match="allow more time"):
        value_pieces("path:0..7", effort=tr.Effort(seconds=0))


def test_rational_functions_are_a_field():
    source = random.Random(1)
    for _ in range(100):
        f, g = (RationalFunction.of(F(source.randrange(-3, 4), 2)) * RationalFunction.ratio(
            source.randrange(-2, 3)) + RationalFunction.of(source.randrange(1, 4))
            for _ in range(2))
        ratio = F(source.randrange(2, 9), 3)
        assert (f + g).at(ratio) == f.at(ratio) + g.at(ratio)
        assert (f * g).at(ratio) == f.at(ratio) * g.at(ratio)
        assert (f - f) == RationalFunction.of(0)
        if g and f:
            assert (f / g) * g == f
    assert polynomial_text(fmpz_poly([-1, 1, 0, -2])) == "-2*r^3 + r - 1"
    with pytest.raises(ZeroDivisionError):
        RationalFunction.of(1) / RationalFunction.of(0)


def test_a_picture_marks_where_pieces_end():
    (axes,) = value_pieces("star:4").plot().axes
    curve, ends = axes.lines[:2]
    assert [tuple(end) for end in ends.get_xydata().tolist()] == [(3.0, pytest.approx(2 / 5))]
    for ratio, loss in curve.get_xydata().tolist():
        assert loss == pytest.approx((5 - ratio) / 5 if ratio <= 3 else 8 / (5 * ratio + 5))
    assert (curve.get_xdata()[0], curve.get_xdata()[-1]) == (1, 6)
    (axes,) = family_pieces("star:N", 1, 5, upto=3).plot().axes
    assert [text.get_text() for text in axes.get_legend().texts] == ["N = 1", "N = 2", "N = 3"]
    assert axes.lines[0].get_xdata()[-1] == 5
