"""Bounds for pairs of inputs against brute force over all events."""

import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations

import pytest

from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import Level, Surd, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import (
    FormulaBound,
    GenericDefinition,
    PairBound,
    delta_curve,
    total_variation,
    tradeoff_curve,
    verify,
    verify_generic,
)
from tightrope.spaces import categories, path, points

F = Fraction


def law(source, size):
    """A random law; some outputs have probability zero."""
    weights = [source.choice((0, 0, 1, 2, 3, 5, 8)) for _ in range(size)]
    weights[source.randrange(size)] += 1
    return [F(w, sum(weights)) for w in weights]


def events(p, q):
    """Both probabilities of all 2^n events."""
    outputs = range(len(p))
    for count in range(len(p) + 1):
        for chosen in combinations(outputs, count):
            yield sum((p[z] for z in chosen), F(0)), sum((q[z] for z in chosen), F(0))


def random_bound(source):
    """A concave bound: the smallest one above a few random points, sometimes with a jump."""
    top = [(F(0), F(source.randrange(0, 5), 8)), (F(1), F(1))]
    for _ in range(source.randrange(4)):
        a = F(source.randrange(1, 12), 12)
        top.append((a, a + (1 - a) * F(source.randrange(0, 9), 8)))
    best = {}
    for a, b in top:
        best[a] = max(b, best.get(a, F(0)))
    hull = []
    for a in sorted(best):
        while len(hull) > 1 and (
            (hull[-1][1] - hull[-2][1]) * (a - hull[-2][0])
            <= (best[a] - hull[-2][1]) * (hull[-1][0] - hull[-2][0])
        ):
            hull.pop()
        hull.append((a, best[a]))
    return PairBound.of(hull, source.choice((None, 0)))


def on_two(p, q):
    return MatrixMechanism(categories(2), tuple(range(len(p))), Weights.from_fractions([p, q]))


def test_corners_decide_as_all_events_do():
    source = random.Random(1)
    held = 0
    for _ in range(2500):
        size = source.randrange(1, 6)
        p, q, bound = law(source, size), law(source, size), random_bound(source)
        expected = all(b <= bound(a) for a, b in events(p, q))
        found = verify_generic(on_two(p, q), GenericDefinition({(0, 1): bound}))
        assert found.holds == expected
        held += expected
        if not found.holds:
            a, b = found.broken.probabilities
            assert a == sum(p[z] for z in found.broken.outputs)
            assert b == sum(q[z] for z in found.broken.outputs)
            assert b > bound(a) == found.broken.allowed
            assert b - bound(a) == max(y - bound(x) for x, y in events(p, q))
    assert 300 < held < 2200  # both answers occur often


def test_the_tradeoff_curve_is_the_least_concave_function_above_all_events():
    source = random.Random(2)
    for _ in range(400):
        size = source.randrange(1, 7)
        p, q = law(source, size), law(source, size)
        curve = tradeoff_curve(p, q)
        points = set(events(p, q))
        assert all(b <= curve(a) for a, b in points)
        assert set(curve.knots) <= points
        for a in {x for x, _ in points}:
            assert curve(a) >= max(b for x, b in points if x == a)


def test_complements_need_no_check_of_their_own():
    source = random.Random(3)
    for _ in range(300):
        p, q = law(source, 4), law(source, 4)
        curve = tradeoff_curve(p, q)
        assert all(curve.least(a) <= b <= curve(a) for a, b in events(p, q))


@pytest.mark.parametrize(("ratio", "delta"), [(2, 0), ("3/2", "1/10"), (4, "1/4"), (3, "0.9")])
def test_the_bound_of_a_level_is_the_minimum_of_three_lines(ratio, delta):
    bound = PairBound.of_level(Level.ratio(ratio, delta))
    r, d = F(ratio), F(delta)
    for k in range(101):
        a = F(k, 100)
        assert bound(a) == min(1, r * a + d, 1 - (1 - a - d) / r)


def test_bounds_of_levels_agree_with_verify_on_neighbors():
    source = random.Random(4)
    space = path(0, 2)
    answers = set()
    for _ in range(300):
        rows = [law(source, 3) for _ in range(3)]
        mechanism = MatrixMechanism(space, (0, 1, 2), Weights.from_fractions(rows))
        level = Level.ratio(source.choice((2, 3, 5)), source.choice(("0", "1/5", "1/2")))
        definition = GenericDefinition.on_neighbors(space, PairBound.of_level(level))
        holds = verify(mechanism, space, level).holds
        assert verify_generic(mechanism, definition).holds == holds
        answers.add(holds)
    assert answers == {True, False}


@pytest.mark.parametrize("epsilon", ["0.5", "1e-6", "20"])
def test_bounds_of_an_irrational_level_lie_on_the_side_that_is_asked_for(epsilon):
    with localcontext() as exact:
        exact.prec = 90
        power = F(Decimal(epsilon).exp())  # to 90 digits
    for delta in (F(0), F(1, 10)):
        level = Level.epsilon(epsilon, delta)
        loose, strict = PairBound.of_level(level), PairBound.of_level(level, stricter=True)
        for k in range(1, 50):
            a = F(k, 50)
            true = min(F(1), power * a + delta, 1 - (1 - a - delta) / power)
            assert strict(a) <= true <= loose(a)
            assert loose(a) - strict(a) <= true * (power - 1) / 2**38
        if delta == 0:
            a = 1 / (1 + power)
            assert strict(a) < power * a < loose(a)


def test_the_curve_of_a_pair_gives_the_hockey_stick_sums():
    source = random.Random(5)
    for _ in range(200):
        p, q = law(source, 5), law(source, 5)
        curve = tradeoff_curve(p, q)
        other = tradeoff_curve(q, p)
        ratio = F(source.randrange(4, 17), 4)
        delta = max(
            max(b - ratio * a for a, b in side.knots) for side in (curve, other)
        )
        assert delta_curve(on_two(p, q), categories(2)).at_ratio(ratio) == delta


def test_different_pairs_may_have_different_protection():
    space = path(0, 2)
    rows = [[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)], [F(1, 4), F(3, 4)]]
    mechanism = MatrixMechanism(space, (0, 1), Weights.from_fractions(rows))
    nothing, everything = PairBound.of([(0, 1), (1, 1)]), PairBound.of([(0, 0), (1, 1)])
    mixed = GenericDefinition({(0, 1): nothing, (1, 2): everything, (2, 1): everything})
    assert verify_generic(mechanism, mixed).holds
    broken = verify_generic(mechanism, GenericDefinition({(0, 1): everything})).broken
    assert (broken.first, broken.second, broken.outputs) == (0, 1, (1,))


def test_a_bound_that_is_not_concave_is_refused_with_its_three_points():
    with pytest.raises(BadInput, match=r"\(1/2, 1/2\) lies below .*\(0, 1/4\) to \(1, 1\)") as seen:
        PairBound.of([(0, "1/4"), ("1/2", "1/2"), (1, 1)])
    assert seen.value.values["points"] == ((0, F(1, 4)), (F(1, 2), F(1, 2)), (1, 1))


@pytest.mark.parametrize(
    "corners",
    [[(0, 0)], [(0, 0), (1, "1/2")], [("1/4", 0), (1, 1)], [(0, 2), (1, 1)], [(1, 1), (0, 0)],
     [(0, "x"), (1, 1)], []],
)
def test_bounds_that_make_no_sense_are_refused(corners):
    with pytest.raises(BadInput):
        PairBound.of(corners)


def test_laws_on_different_outputs_are_refused():
    with pytest.raises(BadMatrix):
        tradeoff_curve([F(1)], [F(1, 2), F(1, 2)])


def test_a_weaker_promise_dominates():
    two, three = (PairBound.of_level(Level.ratio(r)) for r in (2, 3))
    jump = PairBound.of([(0, 1), (1, 1)], at_zero=0)
    assert three.dominates(two)
    assert not two.dominates(three)
    assert PairBound.of([(0, 1), (1, 1)]).dominates(jump)
    assert not jump.dominates(PairBound.of([(0, 1), (1, 1)]))


def test_the_bound_of_a_level_is_that_of_its_distance():
    for steps in (1, 2, 3):
        bound, r = PairBound.of_level(Level.ratio(2), Surd.of(steps)), F(2) ** steps
        for k in range(13):
            a = F(k, 12)
            assert bound(a) == min(1, r * a, 1 - (1 - a) / r)


def test_a_bound_alone_protects_the_neighbors_of_a_space():
    bound = PairBound.of_level(Level.ratio(2))
    rows = [["1/2", "1/2"], ["1/4", "3/4"], ["1/8", "7/8"]]
    verdict = verify_generic(rows, bound, "path:0..2")
    assert verdict.holds  # the ends, whose ratio is 4, are no neighbors
    assert set(verdict.relation.pairs) == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert {verify_generic(rows, bound, "categories:a/b/c").broken.first} <= {"a", "b", "c"}
    assert verify_generic(MatrixMechanism.of(rows, "path:0..2"), bound).holds


def test_a_bare_matrix_and_a_bound_need_a_space():
    with pytest.raises(BadInput, match="give a space"):
        verify_generic([["1/2", "1/2"]] * 2, PairBound.of_level(Level.ratio(2)))


@pytest.mark.parametrize("given", ["zcdp:rho=1", "bounds.toml", {"ratio": 2}, 2, None])
def test_what_is_no_bound_is_refused_with_the_calls_that_take_it(given):
    with pytest.raises(BadInput, match=r"read_definition.*verify_renyi"):
        verify_generic([["1/2", "1/2"]] * 2, given, "path:0..1")


def test_negative_chances_are_no_law():
    with pytest.raises(BadMatrix):
        tradeoff_curve([F(1, 2), F(1, 2)], [F(3, 2), F(-1, 2)])
    with pytest.raises(BadMatrix):
        tradeoff_curve([F(3, 2), F(-1, 2)], [F(1, 2), F(1, 2)])


def test_no_input_is_protected_from_itself():
    bound = PairBound.of_level(Level.ratio(2))
    for bounds in ({(1, 1): bound}, {(0, 1): bound, (1, 1): bound}):
        with pytest.raises(BadInput):
            GenericDefinition(bounds)


def test_of_several_broken_bounds_the_worst_is_told_and_all_events_are_counted():
    rows = [[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)], [F(0), F(1)]]
    mechanism = MatrixMechanism(path(0, 2), ("x", "y"), Weights.from_fractions(rows))
    bound = PairBound.of_level(Level.ratio("5/4"))
    found = verify_generic(mechanism, GenericDefinition.on_neighbors(mechanism.space, bound))
    excesses = {(i, j): max(b - bound(a) for a, b in events(rows[i], rows[j]))
                for i, j in ((0, 1), (1, 0), (1, 2), (2, 1))}
    worst = max(excesses, key=excesses.get)
    assert (found.broken.first, found.broken.second) == worst
    assert found.broken.probabilities[1] - found.broken.allowed == excesses[worst]
    assert found.events == 4 * 2  # two outputs for each ordered pair of neighbors


def test_a_bound_that_is_lower_just_above_zero_does_not_dominate():
    low, high = (PairBound.of([(0, start), (1, 1)], at_zero=0) for start in ("1/10", "1/2"))
    assert high.dominates(low)
    assert not low.dominates(high)


def test_a_bound_ends_at_one_and_pairs_are_among_the_inputs():
    with pytest.raises(BadInput):
        PairBound.of([(0, 0), ("1/2", 1)])
    bound = PairBound.of_level(Level.ratio(2))
    for pair in ((0, 2), (2, 0), (-1, 0), (0, -1)):
        with pytest.raises(BadInput, match="not among"):
            verify_generic(on_two([F(1)], [F(1)]), GenericDefinition({pair: bound}))


def test_without_declared_neighbors_the_irreducible_pairs_are_protected():
    space = points("abc", [(0,), (1,), (3,)])
    assert space.neighbors is None
    found = GenericDefinition.on_neighbors(space, PairBound.of_level(Level.ratio(2)))
    assert set(found.bounds) == {(0, 1), (1, 0), (1, 2), (2, 1)}


@pytest.mark.parametrize("corners", [
    [], [(1, 1)], [("1/4", "1/2"), (1, 1)], [(0, 0), ("3/4", 1)], [(0, 0), (1, "1/2")],
    [(0, 0), ("1/2", "3/4"), ("1/4", "1/2"), (1, 1)], [(0, 0), (0, "1/2"), (1, 1)],
    [(0, "-1/4"), (1, 1)], [(0, 0), ("1/2", "5/4"), (1, 1)], [(0, 0), ("1/2", "1/4"), (1, 1)],
])
def test_what_is_no_concave_bound_on_the_unit_interval_is_refused(corners):
    with pytest.raises(BadInput):
        PairBound.of(corners)


def test_a_bound_starts_at_its_first_corner_unless_it_jumps():
    corners = [(0, "1/4"), (1, 1)]
    assert PairBound.of(corners)(Fraction(0)) == Fraction(1, 4)
    assert PairBound.of(corners, 0)(Fraction(0)) == 0
    assert PairBound.of(corners, "1/8")(Fraction(0)) == Fraction(1, 8)
    with pytest.raises(BadInput, match="M\\(0\\)"):
        PairBound.of(corners, "1/2")


@pytest.mark.parametrize(("p", "q"), [
    ([1], ["1/2", "1/2"]), (["1/2", "1/4"], ["1/2", "1/2"]), (["1/2", "1/2"], ["1/2", "1/4"]),
    (["3/2", "-1/2"], ["1/2", "1/2"]), (["1/2", "1/2"], ["3/2", "-1/2"]),
])
def test_what_are_no_two_laws_have_no_tradeoff(p, q):
    with pytest.raises((BadInput, BadMatrix)):
        tradeoff_curve(list(map(Fraction, p)), list(map(Fraction, q)))


def test_a_bound_says_its_first_corners_and_where_it_jumps():
    def arc(parts):
        return PairBound.of([(F(k, parts), 1 - (1 - F(k, parts)) ** 2) for k in range(parts + 1)])

    assert arc(2).text == "M with corners (0, 0), (1/2, 3/4), (1, 1)"
    assert arc(5).text.endswith("(4/5, 24/25), (1, 1)")
    assert arc(6).text.endswith("(2/3, 8/9), (5/6, 35/36), …")
    jump = PairBound.of([(0, "1/2"), (1, 1)], "1/4")
    assert jump.text == "M with corners (0, 1/2), (1, 1), M(0) = 1/4"
    assert PairBound.of([(0, "1/2"), (1, 1)], 0).text.endswith(", M(0) = 0")
    assert PairBound.of([(0, "1/2"), (1, 1)]).text == "M with corners (0, 1/2), (1, 1)"


def test_a_corner_on_a_line_bends_nothing_and_is_no_fault():
    straight = PairBound.of([(0, 0), ("1/2", "3/4"), ("3/4", "7/8"), (1, 1)])
    assert straight(F(5, 8)) == F(13, 16)


def test_a_bound_is_asked_about_probabilities_alone():
    bound = PairBound.of_level(Level.ratio(2))
    for a in (F(-1, 9), F(10, 9)):
        with pytest.raises(BadInput, match="from 0 to 1"):
            bound(a)


def test_what_is_exactly_allowed_has_sign_zero():
    bound, a = PairBound.of_level(Level.ratio(2)), F(1, 4)
    assert [bound.sign(a, b) for b in (F(1, 3), F(1, 2), F(2, 3))] == [-1, 0, 1]


def test_a_definition_protects_at_least_one_pair():
    with pytest.raises(BadInput, match="at least one"):
        GenericDefinition({})


def test_total_variation_allows_from_nothing_to_everything():
    assert total_variation(0).knots == ((0, 0), (1, 1))
    assert total_variation(1).knots == ((0, 1), (1, 1))
    for delta in ("-1/10", "11/10"):
        with pytest.raises(BadInput, match="from 0 to 1"):
            total_variation(delta)


def test_the_worst_broken_bound_is_told_wherever_it_stands():
    rows = [[F(1, 2), F(1, 2)], [F(3, 8), F(5, 8)], [F(0), F(1)]]
    mechanism = MatrixMechanism(path(0, 2), ("x", "y"), Weights.from_fractions(rows))
    nothing = total_variation(0)  # any difference breaks it, by that difference
    orders = [(0, 1), (1, 2)], [(1, 2), (0, 1)]
    for pairs in orders:
        found = verify_generic(mechanism, GenericDefinition(dict.fromkeys(pairs, nothing)))
        assert (found.broken.first, found.broken.second) == (1, 2)
        assert found.broken.probabilities == (F(5, 8), 1)


def test_an_output_that_neither_input_gives_is_no_event():
    found = verify_generic(
        on_two([F(1, 4), F(3, 4), F(0)], [F(3, 4), F(1, 4), F(0)]),
        GenericDefinition({(0, 1): PairBound.of_level(Level.ratio(2))}),
    )
    assert found.events == 2
    assert found.broken.outputs == (0,)


def test_a_bound_that_is_broken_by_next_to_nothing_is_told_with_a_fraction_in_between():
    """√(1/2) rounded up in its 300th bit: 128 bits do not tell what is allowed from what is."""
    over = F(math.isqrt(2**599) + 1, 2**300)
    found = verify_generic(
        on_two([F(1, 2), F(1, 2)], [over, 1 - over]),
        GenericDefinition({(0, 1): FormulaBound("sqrt(a)")}),
    )
    assert found.broken.probabilities == (F(1, 2), over)
    assert F(1, 2) < found.broken.allowed**2 < over**2
